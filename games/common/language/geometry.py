"""How things in a picture stand to each other: surely so, surely not so, or open.

People say "under" and "in front of" of many arrangements, and an answer that counts or denies things by a relation must
be true. So a relation is sure or excluded only by what things are on and by boxes that are clearly apart.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from games.common.language.things import EXACT_CHANCE, EXCLUDED, OPEN, SURE, SceneThing, group, rate_name

MAX_SUPPORTS = 5
"""How many things one on the other are followed: a cup on a tray on a table."""
CLEAR_STEP = 0.03
"""The least distance, as a share of the picture, by which one thing clearly comes before another."""
NEIGHBOUR_GAP, FAR_GAP = 0.1, 0.35
"""Up to which gap things are next to each other, and from which on they are not."""
BACK_WALL = (0.2, 0.8)
"""Between which shares of the picture from the left what hangs on a wall hangs on the back wall."""
MOST_WIDER = 2.5
"""How many times as wide as something before it a thing may be whose lower edge tells how far away it is."""
SOLIDS_HEIGHT = 0.75
"""The height of a picture of solids as a share of its width."""
ON_WAY, OFF_WAY = 0.25, 0.6
"""Up to which distance from the line between two solids, as a share of it, another one is between them, and from which
on it is not."""
DEPTH_STEP = 0.15
"""Up to which distance of their lower edges, as a share of the height, things may stand next to each other."""
NEAR_RELATIONS = ("left of", "right of", "behind", "in front of", "below")
"""Relations that far more things have than are named when somebody asks for them."""
MIRRORED_RELATIONS = {"right of": "left of", "below": "above", "in front of": "behind", "smaller than": "larger than"}
"""Relations that hold of two things where the other one holds of them in reverse order."""


class Geometry:
    """Where the things of a picture are: their boxes, what they are on, and what is in front of what."""

    def __init__(
        self, things: Sequence[SceneThing], relations: Collection[tuple[str, str, str]], is_complete: bool
    ) -> None:
        self.things, self.relations, self.is_complete = things, frozenset(relations), is_complete
        self.by_id = {entity.id: entity for entity in things}
        self._supports_by_id: dict[str, list[SceneThing]] = {}

    def list_supports(self, entity: SceneThing) -> list[SceneThing]:
        """Return what a thing is on, what that is on, and so on; of tools on a pegboard the board."""
        if entity.id not in self._supports_by_id:
            self._supports_by_id[entity.id] = self._find_supports(entity)
        return self._supports_by_id[entity.id]

    def _find_supports(self, entity: SceneThing) -> list[SceneThing]:
        supports: list[SceneThing] = []
        item = entity
        while item.support in self.by_id and len(supports) < MAX_SUPPORTS:
            item = self.by_id[item.support]
            supports.append(item)
        if supports or not entity.box:
            return supports
        boards = [other for other in self.things if other.name in group("boards") and other is not entity]
        racks = [other for other in self.things if other.name == "coat rack" and entity.name in group("hung_up")]
        on_board = [board for board in boards if board.box and contains(board, entity)]
        return (on_board or [rack for rack in racks if rack.box and measure_gap(rack, entity) < 0])[:1]

    def is_on_wall(self, entity: SceneThing) -> bool:
        """Return whether a thing, or what it is on, hangs on a wall."""
        names = {support.name for support in self.list_supports(entity)} or {entity.name}
        return not (group("wall") | group("hung")).isdisjoint(names)

    def is_raised(self, entity: SceneThing) -> bool:
        """Return whether a thing is surely not on the floor."""
        return bool(entity.support) or self.is_on_wall(entity) or is_hanging(entity)

    def may_be_on_furniture(self, entity: SceneThing) -> bool:
        """Return whether the lower edge of a thing is before a larger one on which things stand."""
        return any(
            other.box
            and other.size > entity.size
            and other.edges[1] < entity.edges[3] < other.edges[3]
            and share_columns(entity, other) > 0.5
            for other in self.things
            if other.name in group("furniture") or is_shelf(other)
        )

    def rate(self, entity: SceneThing, relation: str, other: SceneThing) -> float:
        """Return whether a thing is related so to another: `SURE`, `OPEN` or `EXCLUDED`."""
        if relation == "below" and entity in self.list_supports(other) and other.name not in group("hung_up"):
            return SURE
        if relation in ("above", "below") and not group("flat").isdisjoint((entity.name, other.name)):
            return OPEN  # a rug lies before what is above it in the picture
        if relation in MIRRORED_RELATIONS:
            entity, relation, other = other, MIRRORED_RELATIONS[relation], entity
        if relation == "on top of":
            is_within = is_shelf(other) and not _reaches_top(entity, other)
            return min(OPEN if is_within else SURE, self._rate_placement(entity, "on", other))
        if relation in ("on", "in"):
            return self._rate_placement(entity, relation, other)
        if relation == "larger than":
            return _rate_larger(entity, other)
        if not (entity.box and other.box):
            return OPEN
        if relation == "left of":
            return _rate_left(entity, other)
        if relation == "above":
            return self._rate_above(entity, other)
        if relation == "behind":
            return self._rate_behind(entity, other)
        return self._rate_next_to(entity, relation, other) if relation in ("next to", "at", "around") else OPEN

    def _rate_placement(self, entity: SceneThing, relation: str, other: SceneThing) -> float:
        """Rate "on" and "in": sure of what is annotated, and of a small thing in the middle of a rug."""
        supports = self.list_supports(entity)
        if other in supports:
            return SURE
        if not (entity.box and other.box):
            return OPEN
        is_apart = measure_gap(entity, other) > NEIGHBOUR_GAP
        if supports:
            is_beside = other.support == entity.support and not is_apart  # a plate on the same blanket
            return OPEN if relation == "in" or is_beside or supports[0].name in group("flat") else EXCLUDED
        if other.name in group("flat") and entity.width < other.width:
            left, top, right, bottom = other.box
            is_in_middle = left - 0.01 <= entity.box[0] and entity.box[2] <= right + 0.01
            is_in_middle = is_in_middle and top + (bottom - top) / 3 - 0.01 <= entity.box[3] <= bottom + 0.01
            return SURE if is_in_middle else OPEN
        return EXCLUDED if is_apart and relation == "on" else OPEN

    def _rate_above(self, entity: SceneThing, other: SceneThing) -> float:
        """Rate "above" of what hangs, or stands over something that hangs; under a table the boxes tell nothing."""
        if other in self.list_supports(entity):
            return OPEN
        if entity in self.list_supports(other):
            return EXCLUDED
        if entity.y > other.y:
            return EXCLUDED if entity.y > other.y + CLEAR_STEP else OPEN
        if max(entity.edges[0] - other.edges[2], other.edges[0] - entity.edges[2]) > NEIGHBOUR_GAP:
            return EXCLUDED  # clearly to one side
        top, bottom = other.edges[1::2]
        is_higher = entity.edges[3] < top + (bottom - top) / 4 and share_columns(entity, other) > 0.5
        is_hung = self.is_complete or self.is_on_wall(entity) or is_hanging(entity)
        return SURE if is_higher and is_hung else OPEN

    def _rate_behind(self, entity: SceneThing, other: SceneThing) -> float:
        """Compare how far things stand by their lower edges; what hangs on a wall is behind what covers its place."""
        if other.name in group("level") and entity.edges[3] > other.edges[1] + CLEAR_STEP:  # beside it or in front
            return EXCLUDED if entity.edges[3] > other.edges[3] else OPEN
        if (entity.id, "in front of", other.id) in self.relations:
            return EXCLUDED
        if not group("overhead").isdisjoint((entity.name, other.name)):
            return OPEN
        if (other.id, "in front of", entity.id) in self.relations:
            return SURE
        is_aligned = share_columns(entity, other) > 0.5
        is_on_wall, is_other_on_wall = self.is_on_wall(entity), self.is_on_wall(other)
        if is_on_wall and not is_other_on_wall and BACK_WALL[0] < entity.x < BACK_WALL[1]:
            reach = 0.0 if other.support else 4 * CLEAR_STEP
            return SURE if is_aligned and entity.edges[3] > other.edges[1] - reach else OPEN
        if (
            is_on_wall
            or is_other_on_wall
            or not (is_aligned or self.is_complete)
            or not self._share_floor(entity, other)
        ):
            return OPEN
        return self._compare_lower_edges(entity, other)

    def _share_floor(self, entity: SceneThing, other: SceneThing) -> bool:
        """Return whether two things surely stand on the same: not on any board, or on either side of a railing."""
        support = self.by_id.get(entity.support)
        is_barrier = not group("barriers").isdisjoint((entity.name, other.name))
        return entity.support == other.support and not is_barrier and not (support and is_shelf(support))

    def _compare_lower_edges(self, entity: SceneThing, other: SceneThing) -> float:
        """Rate "behind" of things that stand; the lower edge of a long counter is as far away as its nearest end."""
        distance = other.edges[3] - entity.edges[3]
        if abs(distance) < CLEAR_STEP:
            return OPEN
        if distance < 0 or self.is_complete:
            return SURE if distance > 0 else EXCLUDED
        may_be_on = other.name in group("furniture") and entity.size < other.size and entity.edges[3] < other.y
        is_long = other.width > MOST_WIDER * entity.width and entity.edges[3] > other.y
        is_apart = not entity.support and entity.edges[3] < other.edges[1] - CLEAR_STEP  # it may hang
        return OPEN if is_long or is_apart or (may_be_on and entity.edges[3] > other.edges[1]) else SURE

    def _rate_next_to(self, entity: SceneThing, relation: str, other: SceneThing) -> float:
        """Rate "next to", and "at" and "around" a table of what one sits on."""
        is_seat = rate_name("seat", entity.name) >= EXACT_CHANCE and other.name.endswith(("table", "desk"))
        is_seat = is_seat and not entity.name.endswith("armchair")  # people count it or not
        if is_seat and relation != "next to" and not entity.support and measure_gap(entity, other) < NEIGHBOUR_GAP:
            return SURE  # "the chairs around the table"
        if relation != "next to" and other in self.list_supports(entity):
            return SURE  # "the ducks around the tub"
        gap = max(entity.edges[0] - other.edges[2], other.edges[0] - entity.edges[2])
        if gap > FAR_GAP:
            return EXCLUDED
        is_near = self._are_level(entity, other) and gap < NEIGHBOUR_GAP and share_columns(entity, other) < 0.3
        left, right = sorted((entity, other), key=lambda item: item.x)
        is_between = any(item.box and _may_be_between(left, item, right) for item in self.things)
        return SURE if is_near and not is_between else OPEN

    def _are_level(self, entity: SceneThing, other: SceneThing) -> bool:
        """Return whether two things surely are on the same, at about one depth; a rug or low table is before a sofa."""
        is_on_wall = self.is_on_wall(entity)
        is_on_same = self.list_supports(entity)[:1] == self.list_supports(other)[:1]
        is_on_same = is_on_same and is_on_wall == self.is_on_wall(other) and share_rows(entity, other) > 0.4
        is_near = is_on_wall or abs(entity.edges[3] - other.edges[3]) <= DEPTH_STEP
        return is_on_same and is_near and (group("flat") | group("before_seats")).isdisjoint((entity.name, other.name))

    def rate_between(self, item: SceneThing, sides: Sequence[Sequence[SceneThing]]) -> float:
        """Return whether a thing is between two others, one of each side; open if several may be meant."""
        pairs = {(a, b) if a.x < b.x else (b, a) for a in sides[0] for b in sides[-1] if a.x != b.x}
        if len(pairs) != 1 or not item.box:
            return OPEN
        left, right = pairs.pop()
        if not left.x - CLEAR_STEP < item.x < right.x + CLEAR_STEP:
            return EXCLUDED if self.is_complete else OPEN
        if self.is_complete:
            return _rate_on_way(left, item, right)
        return SURE if left.x < item.x < right.x and _is_in_gap(left, item, right) else OPEN


def is_shelf(entity: SceneThing) -> bool:
    """Return whether a thing has boards on which others stand."""
    return rate_name("shelf", entity.name) >= EXACT_CHANCE


def _reaches_top(entity: SceneThing, other: SceneThing) -> bool:
    """Return whether a thing that is on another one stands in its top quarter."""
    return entity.edges[3] <= other.edges[1] + (other.edges[3] - other.edges[1]) / 4


def is_hanging(entity: SceneThing) -> bool:
    """Return whether a thing hangs, or is fixed to something."""
    return entity.name in group("hanging") | group("mounted")


def _may_be_between(left: SceneThing, item: SceneThing, right: SceneThing) -> bool:
    """Return whether a thing is in the gap between two others, or on the same as they are before or behind the gap."""
    is_on_same = bool(item.support) and left.support == item.support == right.support
    return left.edges[2] < item.x < right.edges[0] if is_on_same else _is_in_gap(left, item, right)


def _is_in_gap(left: SceneThing, item: SceneThing, right: SceneThing) -> bool:
    """Return whether a thing is in the gap between two others that are on the same, and not much wider than that."""
    start, end = left.edges[2], right.edges[0]
    is_in_gap = start < item.x < end and item.width <= 2.5 * (end - start)
    is_level = left.support == item.support == right.support
    return is_in_gap and is_level and min(share_rows(item, left), share_rows(item, right)) > 0.3


def _rate_on_way(start: SceneThing, item: SceneThing, end: SceneThing) -> float:
    """Return whether a solid stands between two others on the floor: near the line from one to the other."""
    points = [complex(solid.x, SOLIDS_HEIGHT * solid.edges[3]) for solid in (start, item, end)]
    way = (points[1] - points[0]) / (points[2] - points[0])  # 0 is the start, 1 the end, 1j to one side
    if 0.1 < way.real < 0.9 and abs(way.imag) < ON_WAY:
        return SURE
    return EXCLUDED if not -0.1 < way.real < 1.1 or abs(way.imag) > OFF_WAY else OPEN


def _rate_larger(entity: SceneThing, other: SceneThing) -> float:
    """Compare sizes that are annotated; what is near looks larger."""
    ranks = [("small" not in item.words) + ("large" in item.words) for item in (entity, other)]
    return SURE if ranks[0] > ranks[1] else EXCLUDED if ranks[0] < ranks[1] else OPEN


def _rate_left(entity: SceneThing, other: SceneThing) -> float:
    distance = other.x - entity.x
    if abs(distance) < CLEAR_STEP:
        return OPEN
    is_within = share_columns(entity, other) > 0.8 and share_rows(entity, other) > 0.5
    return EXCLUDED if distance < 0 else SURE if distance > (4 if is_within else 2) * CLEAR_STEP else OPEN


# ---------------------------------------------------------------------- boxes
def share_columns(entity: SceneThing, other: SceneThing) -> float:
    """Return which share of the narrower thing is within the left and right edge of the other."""
    return _share_side(entity.edges[::2], other.edges[::2])


def share_rows(entity: SceneThing, other: SceneThing) -> float:
    """Return which share of the lower thing is within the top and bottom edge of the other."""
    return _share_side(entity.edges[1::2], other.edges[1::2])


def _share_side(side: Sequence[float], other_side: Sequence[float]) -> float:
    shared_length = min(side[1], other_side[1]) - max(side[0], other_side[0])
    return shared_length / max(1e-6, min(side[1] - side[0], other_side[1] - other_side[0]))


def measure_gap(entity: SceneThing, other: SceneThing) -> float:
    """Return by how much two things are apart to a side or in height, the larger of both; 0 or less if they meet."""
    return max(max(entity.edges[n] - other.edges[n + 2], other.edges[n] - entity.edges[n + 2]) for n in (0, 1))


def contains(outer: SceneThing, entity: SceneThing) -> bool:
    """Return whether the box of a thing is within that of another one."""
    box, outer_box = entity.edges, outer.edges
    return all(outer_box[n] - 0.01 <= box[n] and box[n + 2] <= outer_box[n + 2] + 0.01 for n in (0, 1))


def are_close(entity: SceneThing, relation: str, other: SceneThing) -> bool:
    """Return whether a thing that is so related to another is near enough to be named: "what is behind the bed"."""
    if other.name == "wall" and not other.box:
        return entity.name in group("wall")
    if not (entity.box and other.box):
        return True
    if relation in ("behind", "in front of"):
        return share_columns(entity, other) > 0.2
    if relation == "below":
        return entity.edges[1] - other.edges[3] < NEIGHBOUR_GAP
    left, right = other.edges[::2]
    inset = (right - left) / 4
    is_apart = entity.edges[2] <= left + inset or entity.edges[0] >= right - inset
    return is_apart and not contains(other, entity) and share_rows(entity, other) > 0.2
