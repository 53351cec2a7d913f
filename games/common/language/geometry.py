"""How things in a picture stand to each other: surely so, surely not so, or open.

People say "under" and "in front of" of many arrangements, and an answer that counts or denies things by a relation must
be true. So a relation is sure or excluded only by what things are on and by boxes that are clearly apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

from games.common.language.claims import LESS
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
BASE_DEPTH, NEAREST_LEAD = 0.25, 1.4
"""How far, by its width, the middle of a solid is behind its lower edge, and how much nearer
than others the nearest one is."""
FLOOR_SCALES = (1.5, 2.5)
"""By how much at least and at most the floor is shortened towards the back in a picture of solids."""
MOST_WITHIN = 0.9
"""Which share of a thing is at least in a half of the picture if it is in this half."""
LEAST_ROW_STEP, ROW_CONTRAST, MOST_UNEVEN, BOARD_MARGIN = 0.03, 2.0, 1.5, 0.75
"""Of the rows of things on a shelf: the least step between two, how many times a step within a row it is, how many
times the least one, and by which share of it the shelf goes on above and below at most."""
DEPTH_STEP = 0.15
"""Up to which distance of their lower edges, as a share of the height, things may stand next to each other."""
NEAR_RELATIONS = ("left of", "right of", "behind", "in front of", "below")
"""Relations that far more things have than are named when somebody asks for them."""
MIRRORED_RELATIONS = {"right of": "left of", "below": "above", "in front of": "behind", "smaller than": "larger than"}
"""Relations that hold of two things where the other one holds of them in reverse order."""

SORT_KEYS: dict[str, Callable[[SceneThing], float]] = {
    "left": lambda item: item.x,
    "right": lambda item: -item.x,
    "top": lambda item: item.y,
    "bottom": lambda item: -item.y,
    "back": lambda item: item.edges[3],
    "front": lambda item: -item.edges[3],
    "large": lambda item: -math.log(max(item.size, 1e-6)),
    "small": lambda item: math.log(max(item.size, 1e-6)),
}
"""By what things are sorted so that the one that is most so comes first."""
LEAST_SIZE_LEAD, LEAST_PLACE_LEAD = 0.25, 0.025
"""By how much the first has to lead: in sizes (logarithms of areas) and in places (shares of the picture)."""


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
        racks = [other for other in self.things if other.name in group("racks") and entity.name in group("hung_up")]
        on_board = [board for board in boards if board.box and contains(board, entity)]
        return (on_board or [rack for rack in racks if rack.box and measure_gap(rack, entity) < 0])[:1]

    def is_on_wall(self, entity: SceneThing) -> bool:
        """Return whether a thing, or what it is on, hangs on a wall."""
        names = {support.name for support in self.list_supports(entity)} or {entity.name}
        return not (group("wall") | group("hung")).isdisjoint(names)

    def is_raised(self, entity: SceneThing) -> bool:
        """Return whether a thing is surely not on the floor."""
        return bool(self.list_supports(entity)) or self.is_on_wall(entity) or is_hanging(entity)

    def may_be_on_furniture(self, entity: SceneThing) -> bool:
        """Return whether the lower edge of a thing is before a larger one on which things stand."""
        others = [other for other in self.things if other.name in group("furniture") or is_shelf(other)]
        larger = [other for other in others if other.box and other.size > entity.size]
        larger = [other for other in larger if other.edges[1] < entity.edges[3] < other.edges[3]]
        return any(share_columns(entity, other) > 0.5 for other in larger)

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
            is_on_top = relation == "in" and is_shelf(other) and other.name != "shelf" and _reaches_top(entity, other)
            return OPEN if is_on_top else SURE  # on top of a bookcase
        if not (entity.box and other.box):
            return OPEN
        is_far = measure_gap(entity, other) > NEIGHBOUR_GAP
        if supports:
            is_beside = other.support == entity.support and not is_far  # a plate on the same blanket
            return OPEN if relation == "in" or is_beside or supports[0].name in group("flat") else EXCLUDED
        if other.name in group("flat") and entity.width < other.width:
            left, top, right, bottom = other.box
            is_in_middle = left - 0.01 <= entity.box[0] and entity.box[2] <= right + 0.01
            is_in_middle = is_in_middle and top + (bottom - top) / 3 - 0.01 <= entity.box[3] <= bottom + 0.01
            return SURE if is_in_middle else OPEN
        return EXCLUDED if is_far and relation == "on" else OPEN

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
        xs = [item.x for item in (entity, *self.list_supports(entity))]
        if is_on_wall and not is_other_on_wall and BACK_WALL[0] < min(xs) <= max(xs) < BACK_WALL[1]:
            reach = 0.0 if other.support else 4 * CLEAR_STEP
            return SURE if is_aligned and entity.edges[3] > other.edges[1] - reach else OPEN
        is_known = (is_aligned or self.is_complete) and self._share_floor(entity, other)
        is_open = is_on_wall or is_other_on_wall or not is_known
        return OPEN if is_open else self._compare_lower_edges(entity, other)

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
        is_near = is_near and (entity.name in group("overhead")) == (other.name in group("overhead"))
        return is_on_same and is_near and (group("flat") | group("before_seats")).isdisjoint((entity.name, other.name))

    def rate_level(self, entity: SceneThing, place: str, shelves: Sequence[SceneThing]) -> float:
        """Return whether a thing is on the top, middle or bottom one of shelves, or of the boards of the only one."""
        levels = self._list_levels(shelves)
        is_one = len(shelves) == 1 and shelves[0].name != "shelf"  # a toy shelf may have things on top of it, too
        if not levels or (place == "middle" and len(levels) % 2 == 0) or (place == "top" and is_one):
            return OPEN
        level = levels[{"top": 0, "middle": len(levels) // 2, "bottom": -1}[place]]
        return EXCLUDED if {entity, *self.list_supports(entity)}.isdisjoint(level) else SURE

    def _list_levels(self, shelves: Sequence[SceneThing]) -> list[list[SceneThing]]:
        """Return what is on each of several shelves, or boards of the only one, from top to bottom; [] if not clear."""
        stack = sorted((shelf for shelf in shelves if shelf.box), key=lambda shelf: shelf.y)
        levels = [[item for item in self.things if item.box and item.support == shelf.id] for shelf in stack]
        if len(stack) == 1:
            return _list_rows(stack[0], levels[0])
        is_stack = all(share_columns(*pair) > 0.5 and share_rows(*pair) < 0.5 for pair in pairwise(stack))
        return levels if is_stack and not any(map(_list_rows, stack, levels)) else []

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


def _list_rows(shelf: SceneThing, things: Sequence[SceneThing]) -> list[list[SceneThing]]:
    """Return the rows in which things stand on the boards of a shelf, from top to bottom; [] if they are not clear.

    They are if there are three or more with about equal steps, and no room for another one above or below.
    """
    standing = [item for item in things if not any(_stands_on(item, other) for other in things)]
    floors = sorted(item.edges[3] for item in standing)
    steps = sorted(lower - upper for upper, lower in pairwise(floors))
    wide = [step for before, step in pairwise([0.0, *steps]) if step > max(LEAST_ROW_STEP, ROW_CONTRAST * before)]
    if not wide:
        return []
    ends = [upper for upper, lower in pairwise(floors) if lower - upper >= wide[0]] + floors[-1:]
    pitches = [lower - upper for upper, lower in pairwise(ends)]
    room = max(floors[0] - shelf.edges[1], shelf.edges[3] - ends[-1])
    is_even = len(pitches) > 1 and max(pitches) <= MOST_UNEVEN * min(pitches)
    if not is_even or room > BOARD_MARGIN * min(pitches):
        return []
    return [[item for item in things if start < item.edges[3] <= end] for start, end in pairwise([0.0, *ends])]


def _stands_on(item: SceneThing, other: SceneThing) -> bool:
    """Return whether a thing stands on another one that is on the same: the upper one of two toy blocks."""
    is_above = other.edges[1] < item.edges[3] < other.edges[3] - CLEAR_STEP and item.edges[1] < other.edges[1]
    return is_above and share_columns(item, other) > 0.4


def _reaches_top(entity: SceneThing, other: SceneThing) -> bool:
    """Return whether a thing that is on another one stands in its top quarter and is higher than it."""
    is_high = entity.edges[3] <= other.edges[1] + (other.edges[3] - other.edges[1]) / 4
    return is_high and entity.edges[1] <= other.edges[1] + CLEAR_STEP / 3


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


def find_nearest(solids: Sequence[SceneThing], target: SceneThing) -> SceneThing | None:
    """Return the solid that is nearest to another one on the floor, None if it is not clear."""
    least, *others = sorted(solids, key=lambda solid: _measure_way(solid, target, FLOOR_SCALES[0]))
    ratios = [_measure_way(o, target, k) / _measure_way(least, target, k) for o in others for k in FLOOR_SCALES]
    return least if all(ratio > NEAREST_LEAD for ratio in ratios) else None


def _measure_way(solid: SceneThing, target: SceneThing, scale: float) -> float:
    """Return how far the middles of two solids are from each other on the floor."""
    depth, target_depth = (SOLIDS_HEIGHT * item.edges[3] - BASE_DEPTH * item.width for item in (solid, target))
    return abs(complex(solid.x - target.x, scale * (depth - target_depth)))


def rate_half(item: SceneThing, place: str) -> float:
    """Return whether a thing is in the left, right, top or bottom half of the picture; open if it is in both."""
    if not item.box:
        return OPEN
    start, end = item.edges[::2] if place in ("left", "right") else item.edges[1::2]
    first_share = (0.5 - start) / max(1e-6, end - start)
    share = first_share if place in LESS else 1 - first_share
    return SURE if share >= MOST_WITHIN else EXCLUDED if share <= 1 - MOST_WITHIN else OPEN


def _rate_larger(entity: SceneThing, other: SceneThing) -> float:
    """Compare sizes that are annotated; what is near looks larger."""
    ranks = [("small" not in item.words) + ("large" in item.words) for item in (entity, other)]
    return SURE if ranks[0] > ranks[1] else EXCLUDED if ranks[0] < ranks[1] else OPEN


def _rate_left(entity: SceneThing, other: SceneThing) -> float:
    distance = other.x - entity.x
    is_on_it = entity.support == other.id or other.support == entity.id  # on the left of a desk is not left of it
    if abs(distance) < CLEAR_STEP or (distance > 0 and is_on_it):
        return OPEN
    is_overlapping = share_columns(entity, other) > 0.8 and share_rows(entity, other) > 0.5
    return EXCLUDED if distance < 0 else SURE if distance > (4 if is_overlapping else 2) * CLEAR_STEP else OPEN


def find_first(things: Sequence[SceneThing], direction: str) -> SceneThing | None:
    """Return the thing that is most in a direction, None if another one nearly is, too."""
    if direction == "middle":
        row = sorted(things, key=lambda item: item.x)
        middle = len(row) // 2
        is_odd = len(row) % 2 == 1 and len(row) > 1
        steps = [right.x - left.x for left, right in pairwise(row[middle - 1 : middle + 2])] if is_odd else []
        return row[middle] if steps and min(steps) > LEAST_PLACE_LEAD else None
    sort_key, is_of_size = SORT_KEYS[direction], direction in ("large", "small")
    ranked = sorted(things, key=sort_key)
    if direction == "small" and ranked and ranked[0].height > min(item.height for item in ranked):
        return None  # narrow, but not low
    lead = LEAST_SIZE_LEAD if is_of_size else LEAST_PLACE_LEAD
    is_clear = len(ranked) == 1 or (len(ranked) > 1 and sort_key(ranked[1]) - sort_key(ranked[0]) > lead)
    return ranked[0] if is_clear else None


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
    is_to_side = entity.edges[2] <= left + inset or entity.edges[0] >= right - inset
    return is_to_side and not contains(other, entity) and share_rows(entity, other) > 0.2
