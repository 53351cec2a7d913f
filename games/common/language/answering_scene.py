"""A scene for answers: things are related as somebody asks only where the description leaves no doubt.

Descriptions of players are weighed leniently, because people say "under" and "in front of" of many arrangements. An
answer that names, counts or denies things by a relation must be true, so `AnsweringScene` rates each relation as sure,
open or excluded, by what things are on and by boxes that are clearly apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.common.language.claims import Link, Phrase
from games.common.language.grammar import find_attribute_table, words_of
from games.common.language.scenes import (
    COMPOUND_CHANCE,
    EXACT_CHANCE,
    EXACT_NAME,
    NO,
    NO_FIT,
    SURFACE_PREFIX,
    Box,
    Fit,
    Scene,
    SceneThing,
    drop_loose_fits,
    group,
    is_alive,
    is_named_by_pot,
    is_room,
    rate_name,
)

SURE, OPEN, EXCLUDED = 1.0, 0.45, 0.1
"""The chances of a relation that is so, that may be so, and that is not so."""
CLEAR_STEP = 0.03
"""The least distance, as a share of the picture, by which one thing clearly comes before another."""
NEIGHBOUR_GAP, FAR_GAP = 0.1, 0.35
"""Up to which gap things are next to each other, and from which on they are not."""
OTHER_SHAPES = (({"square"}, {"round", "oval"}), ({"round", "oval"}, {"square"}))
"""Shapes that nothing has at once; what is oval is round to some."""
SIDES = ("left", "right")
SEAT, CUSHION = "chair seat", "seat cushion"
NEAR_RELATIONS = ("left of", "right of", "behind", "in front of")
"""Relations that far more things have than are named when somebody asks for them."""
MIRRORED_RELATIONS = {"right of": "left of", "below": "above", "in front of": "behind", "smaller than": "larger than"}
"""Relations that hold of two things where the other one holds of them in reverse order."""


def _share_columns(box: Box, other_box: Box) -> float:
    """Return which share of the narrower box is within the left and right edge of the other."""
    shared_width = min(box[2], other_box[2]) - max(box[0], other_box[0])
    return shared_width / max(1e-6, min(box[2] - box[0], other_box[2] - other_box[0]))


def _share_rows(box: Box, other_box: Box) -> float:
    """Return which share of the lower box is within the top and bottom edge of the other."""
    shared_height = min(box[3], other_box[3]) - max(box[1], other_box[1])
    return shared_height / max(1e-6, min(box[3] - box[1], other_box[3] - other_box[1]))


def _measure_gap(box: Box, other_box: Box) -> float:
    """Return by how much two boxes are apart, the larger of left to right and top to bottom; 0 or less if they meet."""
    return max(max(box[n] - other_box[n + 2], other_box[n] - box[n + 2]) for n in (0, 1))


def _contains(outer_box: Box, box: Box) -> bool:
    """Return whether a box is within another one."""
    return all(outer_box[n] - 0.01 <= box[n] and box[n + 2] <= outer_box[n + 2] + 0.01 for n in (0, 1))


def are_close(entity: SceneThing, relation: str, other: SceneThing) -> bool:
    """Return whether a thing that is so related to another is near enough to be named: "what is behind the bed"."""
    if other.name == "wall" and not other.box:
        return entity.name in group("wall")
    if entity.box is None or other.box is None:
        return True
    if relation in ("behind", "in front of"):
        return _share_columns(entity.box, other.box) > 0.2
    inset = (other.box[2] - other.box[0]) / 4
    is_apart = entity.box[2] <= other.box[0] + inset or entity.box[0] >= other.box[2] - inset
    return is_apart and not _contains(other.box, entity.box) and _share_rows(entity.box, other.box) > 0.2


def is_depicted(phrase: Phrase) -> bool:
    """Return whether something is said to be in a picture, on a screen or the like: "the chart on the screen"."""
    heads = {link.phrase.head.rpartition(" ")[2] for link in phrase.links}
    return not heads.isdisjoint(group("pictures") | group("depictions"))


def _is_in_gap(left: SceneThing, item: SceneThing, right: SceneThing) -> bool:
    """Return whether a thing is in the gap between two others that are on the same, and not much wider than that."""
    if not (left.box and item.box and right.box):
        return False
    start, end = left.box[2], right.box[0]
    is_in_gap = start < item.x < end and item.box[2] - item.box[0] <= 2.5 * (end - start)
    is_level = left.support == item.support == right.support
    return is_in_gap and is_level and min(_share_rows(item.box, box) for box in (left.box, right.box)) > 0.3


def find_seat(entity: SceneThing, things: Sequence[SceneThing]) -> SceneThing | None:
    """Return the seat of a chair: its colour is the last of two. Where only the wood shows, a cushion may be hidden."""
    is_chair = entity.name.rpartition(" ")[2] in group("seats") and "striped" not in entity.words
    most = max(len(other.colours) for other in things if other.name == entity.name)
    if not is_chair or len(entity.colours) != most or most not in (1, 2) or (most == 1 and "wooden" in entity.words):
        return None
    seat_id = f"{entity.id} {'seat' if most == 1 else CUSHION}"
    return replace(entity, id=seat_id, name=SEAT, words=entity.colours[-1:], support=entity.id, is_part=True)


class AnsweringScene(Scene):
    """A picture as its description surely tells it."""

    def __init__(self, description: Mapping[str, Any]) -> None:
        """Take a description as a picture has it; seats are parts of chairs here."""
        super().__init__(description)
        seats = [seat for entity in self.things if (seat := find_seat(entity, self.things))]
        self.parts += seats
        self.all_things += seats

    def _compare(self, item: SceneThing, phrase: Phrase) -> Fit:
        if not item.is_part or item.name != SEAT:
            return super()._compare(item, phrase)
        owners = [link.phrase for link in phrase.links if link.relation in ("of", "on")]
        is_of_chair = any(self.fit(self.by_id[item.support], owner).is_sure for owner in owners)
        is_other = phrase.head in ("seat", "cushion") and not is_of_chair  # "how many seats" are chairs
        is_cushion = phrase.head.endswith(("cushion", "pad"))
        return NO_FIT if is_other or (is_cushion and not item.id.endswith(CUSHION)) else super()._compare(item, phrase)

    def rate_link(self, entity: SceneThing, link: Link) -> float:
        """Return whether a thing is related so to another: `SURE`, `OPEN` or `EXCLUDED`, or a chance in between."""
        target, is_place = link.phrase, link.relation in ("in", "on", "at")
        if target.head in words_of("side_nouns") and target.find_linked("of"):
            if target.head != "side" or not set(target.places) <= {*SIDES}:
                return OPEN  # "at the far end of the table"
            return self._rate_sides(entity, target) if target.is_plural else super().rate_link(entity, link)
        if link.relation == "apart from":
            return EXCLUDED if self.fit(entity, target).is_sure else SURE
        if is_place and is_room(target.head) and self._is_thing(target.head, link.relation):
            return self._rate_position(entity, link.relation, target)
        if is_place and (self._is_named_frame(target.head) or target.head in group("pictures") | group("depictions")):
            is_on_it = any(self.fit(other, target).is_sure for other in self._list_support_things(entity))
            return SURE if is_on_it else OPEN  # what a screen or a painting shows is not described
        return super().rate_link(entity, link)

    def _rate_sides(self, entity: SceneThing, sides: Phrase) -> float:
        """Rate "on both sides of the bed": there is one on the left and one on the right."""
        whole_phrase = sides.find_linked("of") or Phrase()
        peers = [other for other in self.things if other.name == entity.name]
        chances = [[self.rate_link(peer, Link(f"{side} of", whole_phrase)) for peer in peers] for side in SIDES]
        has_both = all(min(side_chances) <= NO for side_chances in chances)  # one is surely not on the left
        return SURE if has_both else OPEN

    def _is_thing(self, head: str, relation: str) -> bool:
        """Return whether a word for a place means a thing here: "on the stairs", "in the pool", not "in the bar"."""
        names = [fit.name for item, fit in self.find_matches(Phrase(head)) if item.box]
        return any(name == 1.0 or (relation == "on" and name >= EXACT_CHANCE) for name in names)

    def _is_named_frame(self, head: str) -> bool:
        """Return whether a word for the whole picture means a thing here: "on the board"."""
        return head in words_of("frame_nouns") and bool(self.find_matches(Phrase(head)))

    def _rate_places(self, entity: SceneThing, phrase: Phrase) -> list[float]:
        whole = phrase.find_linked("of")
        is_of_board = bool(whole and self._is_named_frame(whole.head))
        is_extreme = "far" in phrase.places and bool(phrase.head) and phrase.definite  # "the far left barrel"
        is_open = is_extreme or (bool(phrase.places) and is_of_board)
        return [*super()._rate_places(entity, phrase), *[OPEN] * is_open]

    def is_exhaustive(self, phrase: Phrase) -> bool:
        """Return whether the description names all that a phrase means: not what a film shows or things contain."""
        targets = [link.phrase for link in phrase.links if link.relation in ("in", "of", "full of")]
        places = group("surfaces") | words_of("frame_nouns") | {"", "water", "room"}
        is_within = any(target.head not in places and not is_room(target.head) for target in targets)
        is_onlooker = phrase.head in group("onlookers") or (phrase.links and phrase.head in words_of("people"))
        is_in_frame = any(link.phrase.head in words_of("frame_nouns") for link in phrase.links)
        if is_onlooker and not is_in_frame and not is_depicted(phrase):
            return True  # portraits and films show people, but none who sit there
        is_shown = self.category == "cinema" or (is_within and not is_alive(phrase.head))
        return not is_shown and super().is_exhaustive(phrase)

    def rate_attribute(self, entity: SceneThing, word: str) -> float:
        """Return the chance of an attribute; of several things, the small ones may be any whose size is not said."""
        chance = super().rate_attribute(entity, word)
        if any(word in shapes and not other_shapes.isdisjoint(entity.words) for shapes, other_shapes in OTHER_SHAPES):
            return EXCLUDED
        is_size = find_attribute_table(word) == "sizes" and word not in entity.words
        is_one_of_several = sum(other.name == entity.name for other in self.things) > 1
        return min(chance, OPEN) if is_size and is_one_of_several else chance

    @staticmethod
    def _rate_name(entity: SceneThing, head: str) -> float:
        chance = Scene._rate_name(entity, head)
        if entity.is_part and head == "plant" and chance < 1.0:
            return 0.0  # the flowers of a vase
        return OPEN if chance == COMPOUND_CHANCE else chance  # a saw need not be a table saw

    def _rate_position(self, entity: SceneThing, relation: str, target: Phrase) -> float:
        matches = self._find_targets(entity, target)
        chances = {fit.is_sure: 0.0 for _, fit in matches if fit.is_possible}
        for other, fit in drop_loose_fits(matches):
            if fit.is_possible:
                chances[fit.is_sure] = max(chances[fit.is_sure], self._rate_geometry(entity, relation, other))
        is_itself = self.fit(entity, target).is_sure and not is_named_by_pot(entity, target.head)
        if relation in ("in", "of", "at") and is_itself:
            return SURE  # "the fire in the fireplace"
        return chances.get(True) or min(OPEN, chances.get(False, OPEN))

    def _find_targets(self, entity: SceneThing, target: Phrase) -> list[tuple[SceneThing, Fit]]:
        """Return what a thing may be related to: no armchair where there is a chair, one for "the left machine"."""
        matches = [(other, self.fit(other, target)) for other in self.all_things if other is not entity]
        if any(fit.name >= EXACT_NAME for _, fit in matches):
            matches = [(other, fit) for other, fit in matches if fit.name >= EXACT_NAME]
        sure_things = sorted((other for other, fit in matches if fit.is_sure and other.box), key=lambda other: other.x)
        is_one_of = target.definite and not target.is_plural and target.places in (("left",), ("right",))
        if not (is_one_of and sure_things):
            return matches
        outermost = sure_things[0 if target.places == ("left",) else -1]
        return [(other, fit) for other, fit in matches if other is outermost]

    def _rate_possession(self, entity: SceneThing, link: Link) -> float:
        chance = super()._rate_possession(entity, link)
        if chance != EXCLUDED or link.relation == "of" or is_alive(link.phrase.head):
            return chance
        has_others = any(other.support for other, fit in self.find_matches(link.phrase) if fit.is_sure)
        is_holder = entity.name.rpartition(" ")[2] in group("holders")  # what it holds is not described, nor parts
        return chance if has_others and not is_holder else OPEN

    def _list_support_things(self, entity: SceneThing) -> list[SceneThing]:
        """Return what a thing is on, what that is on, and so on; of tools on a pegboard the board."""
        if (supports := self.follow_supports(entity)) or entity.box is None:
            return supports
        boards = [other for other in self.things if other.name in group("boards") and other is not entity]
        return [board for board in boards if board.box and _contains(board.box, entity.box)][:1]

    def _is_near(self, entity: SceneThing, target: Phrase) -> bool:
        return False

    def _rate_geometry(self, entity: SceneThing, relation: str, other: SceneThing) -> float:
        if relation == "below" and entity in self._list_support_things(other):
            return SURE
        if relation in ("above", "below") and not group("flat").isdisjoint((entity.name, other.name)):
            return OPEN  # a rug lies before what is above it in the picture
        if relation in MIRRORED_RELATIONS:
            entity, relation, other = other, MIRRORED_RELATIONS[relation], entity
        if relation in ("on", "in"):
            return self._rate_placement(entity, relation, other)
        if relation == "larger than":
            return self._rate_larger(entity, other)
        if entity.box is None or other.box is None:
            return OPEN
        if relation == "left of":
            return self._rate_left(entity.box, other.box)
        if relation == "above":
            return self._rate_above(entity, entity.box, other, other.box)
        if relation == "behind":
            return self._rate_behind(entity, entity.box, other, other.box)
        if relation in ("next to", "at", "around"):
            is_seat = rate_name("seat", entity.name) >= EXACT_CHANCE and other.name.endswith(("table", "desk"))
            is_standing = is_seat and relation != "next to" and not entity.support  # "the chairs around the table"
            is_at_it = is_standing and _measure_gap(entity.box, other.box) < NEIGHBOUR_GAP
            return SURE if is_at_it else self._rate_next_to(entity, entity.box, other, other.box)
        return OPEN

    def _rate_placement(self, entity: SceneThing, relation: str, other: SceneThing) -> float:
        """Rate "on" and "in": sure of what is annotated, and of a small thing in the middle of a rug."""
        supports, box, other_box = self._list_support_things(entity), entity.box, other.box
        if other in supports:
            return SURE
        if box is None or other_box is None:
            return OPEN
        is_apart = _measure_gap(box, other_box) > NEIGHBOUR_GAP
        if supports:
            is_beside = other.support == entity.support and not is_apart  # a plate on the same blanket
            return OPEN if relation == "in" or is_beside or supports[0].name in group("flat") else EXCLUDED
        if other.name in group("flat") and entity.size < other.size / 4:
            middle_top = other_box[1] + (other_box[3] - other_box[1]) / 3
            return SURE if _contains((other_box[0], middle_top, *other_box[2:]), (box[0], box[3], *box[2:])) else OPEN
        return EXCLUDED if is_apart and relation == "on" else OPEN

    def _rate_larger(self, entity: SceneThing, other: SceneThing) -> float:
        """Compare sizes that are annotated; what is near looks larger."""
        ranks = [("small" not in item.words) + ("large" in item.words) for item in (entity, other)]
        return SURE if ranks[0] > ranks[1] else EXCLUDED if ranks[0] < ranks[1] else OPEN

    @staticmethod
    def _rate_left(box: Box, other_box: Box) -> float:
        distance = (other_box[0] + other_box[2] - box[0] - box[2]) / 2
        if abs(distance) < CLEAR_STEP:
            return OPEN
        is_within = _share_columns(box, other_box) > 0.8 and _share_rows(box, other_box) > 0.5
        return EXCLUDED if distance < 0 else SURE if distance > (4 if is_within else 2) * CLEAR_STEP else OPEN

    def _rate_above(self, entity: SceneThing, box: Box, other: SceneThing, other_box: Box) -> float:
        """Rate "above" of what hangs, or stands over something that hangs; under a table the boxes tell nothing."""
        if other in self._list_support_things(entity):
            return OPEN
        if entity in self._list_support_things(other):
            return EXCLUDED
        is_higher = box[3] < other_box[1] + (other_box[3] - other_box[1]) / 4
        if entity.y > other.y:
            return EXCLUDED if entity.y > other.y + CLEAR_STEP else OPEN
        is_hung = self._is_on_wall(entity) or entity.name in group("hanging") | group("mounted")
        is_aligned = _share_columns(box, other_box) > 0.5
        return SURE if is_higher and is_aligned and (is_hung or self.is_complete) else OPEN

    def _is_on_wall(self, entity: SceneThing) -> bool:
        names = {entity.name, *(support.name for support in self._list_support_things(entity))}
        return not (group("wall") | group("hung")).isdisjoint(names)

    def _rate_behind(self, entity: SceneThing, box: Box, other: SceneThing, other_box: Box) -> float:
        """Compare how far things stand by their lower edges; what hangs on a wall is behind what covers its place."""
        is_aligned = _share_columns(box, other_box) > 0.5
        if (other.id, "in front of", entity.id) in self.relations:
            return SURE
        if (entity.id, "in front of", other.id) in self.relations:
            return EXCLUDED
        is_on_wall, is_other_on_wall = self._is_on_wall(entity), self._is_on_wall(other)
        if is_on_wall and not is_other_on_wall:
            reach = 0.0 if other.support else 4 * CLEAR_STEP
            return SURE if is_aligned and box[3] > other_box[1] - reach else OPEN
        if entity.name in group("barriers") or other.name in group("barriers"):
            return OPEN  # what is seen through a railing may be on either side
        is_overhead = not group("overhead").isdisjoint((entity.name, other.name))
        if is_overhead or is_on_wall or is_other_on_wall or entity.support != other.support:
            return OPEN
        distance = other_box[3] - box[3]
        if abs(distance) < CLEAR_STEP or not (is_aligned or self.is_complete):
            return OPEN
        return SURE if distance > 0 else EXCLUDED

    def _rate_next_to(self, entity: SceneThing, box: Box, other: SceneThing, other_box: Box) -> float:
        gap = max(box[0] - other_box[2], other_box[0] - box[2])
        if gap > FAR_GAP:
            return EXCLUDED
        supports, other_supports = self._list_support_things(entity), self._list_support_things(other)
        is_level = supports[:1] == other_supports[:1] and self._is_on_wall(entity) == self._is_on_wall(other)
        is_level = is_level and _share_rows(box, other_box) > 0.4
        is_beside = gap < NEIGHBOUR_GAP and _share_columns(box, other_box) < 0.3
        return SURE if is_level and is_beside else OPEN

    def _rate_between(self, item: SceneThing, side_phrases: Sequence[Phrase]) -> float:
        sides = [
            [other for other, fit in self.find_matches(phrase.uncounted) if fit.is_sure and other.box and other != item]
            for phrase in (side_phrases[0], side_phrases[-1])
        ]
        pairs = {(a, b) if a.x < b.x else (b, a) for a in sides[0] for b in sides[1] if a.x != b.x}
        if len(pairs) != 1 or item.box is None:
            return OPEN
        left, right = pairs.pop()
        if not left.x - CLEAR_STEP < item.x < right.x + CLEAR_STEP:
            return EXCLUDED if self.is_complete else OPEN
        is_between = left.x < item.x < right.x and (self.is_complete or _is_in_gap(left, item, right))
        return SURE if is_between else OPEN

    def _rate_surface(self, entity: SceneThing, relation: str, target: Phrase) -> float | None:
        chance = super()._rate_surface(entity, relation, target)
        if chance is None or entity.id.startswith(SURFACE_PREFIX):
            return chance
        is_on_wall = self._is_on_wall(entity)
        if target.head == "wall" and entity.support and not is_on_wall:
            return OPEN  # clothes on a rail
        is_raised = bool(entity.support) or is_on_wall or entity.name in group("hanging") | group("mounted")
        return EXCLUDED if target.head in ("floor", "ground") and is_raised else chance
