"""The evaluator for pictures of rooms, everyday scenes and solids: how far what is said of a picture fits it.

A `Scene` is read from a picture's description. `fit` compares a phrase with a thing aspect by aspect (name, colour,
other attributes, place, relations); each aspect gets the chance that somebody who means this thing would say so. The
description is not complete, so "no" needs either a kind of which all are named or a thing that is clearly otherwise.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from games.common.language.claims import HIGH_PLACES, LESS, MANY, Count, Link, Phrase, Truth
from games.common.language.geometry import CLEAR_STEP, Geometry, is_shelf, rate_half
from games.common.language.grammar import attribute_of, find_attribute_table, words_of
from games.common.language.lexicon import LEXICON
from games.common.language.things import (
    CLOSE_CHANCE,
    COMPOUND_CHANCE,
    CUSHION,
    EXACT_CHANCE,
    EXACT_NAME,
    EXCLUDED,
    NEAR_COLOUR_CHANCE,
    NO,
    OPEN,
    SEAT,
    SURE,
    SURFACE_PREFIX,
    YES,
    SceneThing,
    base_colour,
    find_colours,
    find_generic_kind,
    find_names,
    find_seat,
    find_word_forms,
    group,
    is_alive,
    is_colour_of,
    is_complete_kind,
    is_mixed_colour,
    is_named,
    is_named_by_pot,
    is_room,
    list_parts,
    may_have_colour,
    rate_colour,
    rate_material_colour,
    rate_name,
    rate_room,
    read_things,
    table,
    take_name,
)
from games.common.language.wording import is_plural_name
from games.common.pictures import PictureDescription

WALL_RANGES = {"left": (0.0, 0.25), "right": (0.75, 1.0), "back": (0.3, 0.7)}
"""Where things on a wall surely are, as shares of the picture from the left; of other walls it is not known."""
NO_RANGE = (1.0, 0.0)
HIDDEN_COMPLETE, HIDDEN_KIND, HIDDEN_NAMED, HIDDEN_PART, HIDDEN_UNKNOWN = 0.04, 0.07, 0.14, 0.3, 0.45
"""The chance that something is mentioned of a picture whose description lacks it: kinds all of which are named; kinds
that descriptions name; words that no description has."""
PLACE_RELATIONS = ("in", "on", "at", "on top of")
PART_RELATIONS = ("with", "full of", "of", "without")
ABSENT_RELATIONS = ("as", "for", "like", "made of", "apart from", "without")
"""Relations to what does not have to be in the picture."""
UNSEEN_RELATIONS = {"as": 0.8, "for": 0.8, "like": 0.5}
"""The chances of relations that a picture does not show: "used as a desk", "shaped like a barrel"."""
CORNER_FACTOR = 0.8
"""The chance of each of two places by that of one."""
EXACT_RELATIONS = frozenset(("left of", "right of", "above", "below"))
BASE_CHANCE = 0.5
"""The chance of what says nothing."""
DOUBTFUL_CHANCE = 0.25
"""The chance from which down a claim speaks for "different"."""
SIDES, LEVELS = ("left", "right"), ("top", "middle", "bottom")
NIGHT_COLOURS, DAY_COLOURS = {"black", "dark blue"}, {"light blue", "blue", "white", "grey"}
"""Colours of the sky."""
OTHER_SHAPES = (({"square"}, {"round", "oval"}), ({"round", "oval"}, {"square"}))
"""Shapes that nothing has at once; what is oval is round to some."""
SIZE_OPPOSITES = {
    "large": "small short narrow",
    "small": "large tall long wide",
    "tall": "short small",
    "long": "short small",
    "short": "tall long large",
    "wide": "narrow small",
    "narrow": "wide large",
}
STATE_OPPOSITES = {"open": "closed folded rolled", "closed": "open", "folded": "open rolled", "rolled": "open folded"}


def is_content(phrase: Phrase) -> bool:
    """Return whether something is said to be in a picture, on a screen or in a bowl: what these hold is not named."""
    places = {link.phrase.head for link in phrase.links if link.relation in ("on", "in")}
    containers = {link.phrase.head for link in phrase.links if link.relation == "in"}
    return not (places.isdisjoint(group("pictures")) and containers.isdisjoint(group("holders")))


def is_solid(phrase: Phrase) -> bool:
    """Return whether a phrase means solids: a shape, or "something red in it" without a place; not a "cone shadow"."""
    is_generic = not phrase.head and all(link.phrase.pronoun for link in phrase.links)
    is_generic = is_generic and all(find_attribute_table(word) or base_colour(word) for word in phrase.modifiers)
    is_shape = is_named(phrase.head) and not any(map(is_named, phrase.modifiers))
    return (is_shape or is_generic) and phrase.head not in group("surfaces")


def is_depicted(phrase: Phrase) -> bool:
    """Return whether something is said to be in a picture, on a screen or the like: "the chart on the screen"."""
    heads = {link.phrase.head.rpartition(" ")[2] for link in phrase.links}
    return not heads.isdisjoint(group("pictures") | group("depictions"))


@dataclass(frozen=True)
class Fit:
    """How well a phrase fits a thing: the chance of the name, the least chance of any other aspect, and the product."""

    name: float
    least_chance: float
    chance: float

    @property
    def is_sure(self) -> bool:
        """Whether the thing is as said."""
        return self.name >= YES and self.least_chance >= YES

    @property
    def is_possible(self) -> bool:
        """Whether the thing may be meant."""
        return self.name >= CLOSE_CHANCE and self.least_chance > NO


NO_FIT = Fit(0.0, 0.0, 0.0)


def drop_loose_fits(fits: Sequence[tuple[SceneThing, Fit]]) -> Sequence[tuple[SceneThing, Fit]]:
    """Return the fits without things that are only called so loosely, where others have just this name."""
    is_exact = any(fit.name >= EXACT_NAME for _, fit in fits)
    return [(entity, fit) for entity, fit in fits if fit.name >= EXACT_CHANCE] if is_exact else fits


def combine_chances(chances: Sequence[float]) -> float:
    """Return the chance of all of some aspects: unknown ones count once, and not where another is doubtful."""
    clear_chances = [chance for chance in chances if not DOUBTFUL_CHANCE < chance < YES]
    is_doubtful = any(chance <= DOUBTFUL_CHANCE for chance in clear_chances)
    return math.prod(clear_chances) * (1.0 if is_doubtful else min(set(chances) - set(clear_chances), default=1.0))


def ramp_chance(distance: float) -> float:
    """Return a chance from 0.05 (value 0 or less) to 1 (value 0.24 or more)."""
    return min(1.0, max(0.05, distance / 0.24))


class Scene:
    """A picture as its description tells it."""

    def __init__(self, description: Mapping[str, Any]) -> None:
        """Take a description as a picture has it, with or without its id."""
        picture = PictureDescription.model_validate({"id": "", **description})
        self.kind, self.category, self.captions = picture.kind, picture.category, picture.captions
        self.is_complete = self.kind == "objects"
        self._fit_cache: dict[tuple[str, Phrase], Fit] = {}
        self.things = read_things(picture)
        self.geometry = Geometry(self.things, picture.relations, self.is_complete)
        self.by_id = self.geometry.by_id
        thing_names = {entity.name for entity in self.things}
        thing_parts = [part for entity in self.things for part in list_parts(entity)]
        has_blanket = "blanket" in thing_names  # then the colour of a bed may be that of its frame
        self.parts = [part for part in thing_parts if not (has_blanket and part.id == f"{part.support} bedspread")]
        self.parts += filter(None, (find_seat(entity, self.things) for entity in self.things))
        surfaces = [(room_surface.name, room_surface.attributes) for room_surface in picture.surfaces]
        surfaces += [("carpet", words) for _, words in surfaces if "carpeted" in words]
        self.surfaces = [SceneThing(f"{SURFACE_PREFIX}{i}", *names, None) for i, names in enumerate(surfaces)]
        self.all_things = [*self.things, *self.parts, *self.surfaces]

    @cached_property
    def is_outdoors(self) -> bool | None:
        """Whether it is in the open air, None if that is not known."""
        has_ceiling = any(room_surface.name == "ceiling" for room_surface in self.surfaces)
        is_open_pool = self.category == "swimming pool" and not has_ceiling
        return (self.category in group("outdoors") or is_open_pool) if self.surfaces else None

    @cached_property
    def is_night(self) -> bool | None:
        """Whether the sky is dark, None if no sky is seen or it has other colours than by day."""
        colours = {
            colour for room_surface in self.surfaces if room_surface.name == "sky" for colour in room_surface.colours
        }
        if not colours.isdisjoint(NIGHT_COLOURS):
            return True
        return False if colours and colours <= DAY_COLOURS else None

    @cached_property
    def shown_words(self) -> frozenset[str]:
        """The words for what screens and paintings show."""
        return find_word_forms(" ".join(entity.shown for entity in self.things))

    # -- aspects
    def fit(self, entity: SceneThing, phrase: Phrase) -> Fit:
        """Return how well a phrase fits a thing; each pair is compared once, however phrases are nested."""
        fit = self._fit_cache.get((entity.id, phrase))
        if fit is None:
            fit = self._fit_cache[entity.id, phrase] = self._compare(entity, phrase)
        return fit

    def _compare(self, item: SceneThing, phrase: Phrase) -> Fit:
        if item.is_part and item.name == SEAT and not self._names_seat(item, phrase):
            return NO_FIT
        phrase = take_name(phrase, item.name)
        part = next((word for word in phrase.modifiers if rate_name(f"{word} {phrase.head}", item.name) >= 0.9), None)
        name_chance = 1.0 if part else self._rate_name(item, phrase.head)
        if name_chance < 0.2:
            return NO_FIT
        places = [link.phrase for link in phrase.links if link.relation in PLACE_RELATIONS and not phrase.head]
        if any(self.fit(item, place).is_sure for place in places):  # "anything in the crate" is not the crate
            return NO_FIT
        if is_named_by_pot(item, phrase.head):
            plain_phrase, unseen = replace(phrase, modifiers=()), [BASE_CHANCE] if phrase.modifiers else []
            aspects = [*self.rate_aspects(item, plain_phrase), *unseen]
        else:
            aspects = self.rate_aspects(item, phrase)
        return Fit(name_chance, min(aspects, default=1.0), name_chance * combine_chances(aspects))

    def _names_seat(self, seat: SceneThing, phrase: Phrase) -> bool:
        """Return whether a phrase may mean the seat of a chair: "how many seats" are chairs."""
        owners = [link.phrase for link in phrase.links if link.relation in ("of", "on")]
        is_of_chair = any(self.fit(self.by_id[seat.support], owner).is_sure for owner in owners)
        is_cushion = phrase.head.endswith(("cushion", "pad"))
        return (is_of_chair or phrase.head not in ("seat", "cushion")) and (not is_cushion or seat.id.endswith(CUSHION))

    @staticmethod
    def _rate_name(entity: SceneThing, head: str) -> float:
        is_surface = entity.id.startswith(SURFACE_PREFIX)
        is_generic = not head or find_generic_kind(head) == "thing"
        is_other = is_surface and head not in (entity.name, *table("things").get(entity.name, ()))
        is_of_plant = entity.is_part and head == "plant" and entity.name != "plant"  # the flowers of a vase
        if is_other or is_of_plant or (is_generic and (entity.is_part or is_surface)):
            return 0.0
        chance = rate_name(head, entity.name)
        if head in group("own_kinds") and head != entity.name:
            return 0.0  # a pool table would be called so
        return OPEN if chance == COMPOUND_CHANCE else chance  # a saw need not be a table saw

    def rate_aspects(self, entity: SceneThing, phrase: Phrase) -> list[float]:
        """Return the chances of all that a phrase says of a thing but its name."""
        links = [link for link in phrase.links if phrase.head or link.relation != "of"]  # "the largest of the cones"
        attribute_chances = self.rate_attributes(entity, phrase.modifiers)
        return [*attribute_chances, *self._rate_places(entity, phrase), *self._rate_links(entity, links)]

    def rate_attributes(self, entity: SceneThing, words: Sequence[str]) -> list[float]:
        """Return the chances of attributes; of several colours the best counts, for not all are named."""
        chances = [self.rate_attribute(entity, word) for word in words if not base_colour(word)]
        colours = [self._rate_colour(entity, word) for word in find_colours(words)]
        if len(colours) < 2 or min(colours) >= YES:
            return chances + colours
        if self.is_complete and is_mixed_colour(find_colours(words), entity.colours):
            return [*chances, YES]  # "blue-green" of cyan
        return [*chances, (0.35 if len(entity.colours) > 1 else 0.7) * max(colours)]

    def rate_attribute(self, entity: SceneThing, word: str) -> float:
        """Return the chance that somebody says an attribute of a thing that is no colour."""
        if any(word in shapes and not other_shapes.isdisjoint(entity.words) for shapes, other_shapes in OTHER_SHAPES):
            return EXCLUDED
        attribute_words = {attribute_of(attribute) or attribute for attribute in (*entity.words, *entity.details)}
        is_named_so = word in " ".join((entity.name, *entity.words)).split(" ") or self._holds(entity, word)
        if word in attribute_words or is_named_so:
            return 1.0
        if word in group("neutral"):
            return 0.8
        if is_room(word) and self.category:
            return max(rate_room(word, self.category), 0.3)  # "bathroom sink"
        attribute_kind = find_attribute_table(word)
        namesakes = [other for other in self.things if other.name == entity.name]
        if attribute_kind != "sizes" and any(word in other.words for other in namesakes):
            return 0.1  # as it is said of others of this kind
        chance = self._rate_missing(entity, word, attribute_kind, attribute_words)
        return min(chance, OPEN) if attribute_kind == "sizes" and len(namesakes) > 1 else chance

    def _holds(self, entity: SceneThing, name: str) -> bool:
        """Return whether a thing has another one on or in it by which it may be called: "toothbrush cup"."""
        return any(other.support == entity.id and rate_name(name, other.name) >= YES for other in self.things)

    def _rate_missing(self, entity: SceneThing, word: str, section: str, words: set[str]) -> float:
        """Return the chance of an attribute of a table that the description of a thing lacks."""
        if section == "states":
            return self._rate_state(entity, word, words)
        if not section:
            return 0.8 if word in words_of("posture") | words_of("actions") else 0.5
        if self.is_complete:
            is_named = section == "materials" or word in ("large", "small")  # but not how wide or tall they are
            return 0.04 if is_named else BASE_CHANCE if section == "sizes" else 0.2
        other_attributes = LEXICON.get_table(section) if section != "sizes" else SIZE_OPPOSITES.get(word, "").split()
        has_other = not words.isdisjoint(other_attributes)
        other_material = 0.1 if entity.id.startswith(SURFACE_PREFIX) else 0.2
        return {"sizes": (0.75, 0.3), "materials": (0.5, other_material)}.get(section, (0.5, 0.5))[has_other]

    def _rate_state(self, entity: SceneThing, word: str, words: set[str]) -> float:
        """Return the chance of a state that is none of the words of a thing."""
        is_lamp = entity.name in group("lights")
        if word == "lit":
            is_annotated = self.kind == "scene" and entity.name in group("switched") and not entity.is_part
            return 1.0 if "on" in words else 0.05 if is_annotated else 0.25 if is_lamp else 0.5
        if word == "unlit":
            return 0.05 if words & {"lit", "burning", "on"} else 0.8 if is_lamp else 0.4
        if word == "empty":
            names_on_it = {other_thing.name for other_thing in self.things if other_thing.support == entity.id}
            return 0.12 if names_on_it - group("parts") else 0.5  # a bed with a pillow is empty
        return 0.5 if words.isdisjoint(STATE_OPPOSITES.get(word, "").split()) else 0.1

    def _rate_colour(self, entity: SceneThing, word: str) -> float:
        if any(word == LEXICON.lemma(part.rsplit(" ", 1)[-1]) for part in entity.words if part.startswith("with ")):
            return 1.0  # "an orange tree" is one with oranges
        if word == "colourful" and len({o.colours for o in self.things if o.name == entity.name and o.colours}) > 1:
            return 1.0
        if not entity.colours:
            return rate_material_colour(entity, word)
        best_chance = max(rate_colour(word, colour) for colour in entity.colours)
        if best_chance == NEAR_COLOUR_CHANCE and (self.is_complete or self._has_colour(entity.name, word)):
            return 0.12  # as another one has this colour
        if may_have_colour(entity, word):
            return max(best_chance, 0.4)
        return max(best_chance, 0.2) if entity.name in group("many_coloured") and self.kind != "scene" else best_chance

    def _has_colour(self, name: str, word: str) -> bool:
        """Return whether a thing of a name is described in just a colour."""
        return any(other.name == name and word in other.colours for other in self.things)

    def _rate_places(self, entity: SceneThing, phrase: Phrase) -> list[float]:
        """Return the chances of places; of "left and right" the better one counts, for some are left and some right."""
        whole = phrase.find_linked("of")
        is_of_thing = whole and whole.head and not is_room(whole.head) and not self._is_frame(whole.head)
        is_relative = not phrase.head and any(link.phrase.pronoun for link in phrase.links)
        if phrase.places and (is_of_thing or is_relative):
            return [BASE_CHANCE]  # "in the middle of the bench", "in front of them to the right"
        if "half" in phrase.places:
            return [rate_half(entity, place) for place in phrase.places if place != "half"]
        chances = {place: self.rate_place(entity, place, phrase) for place in phrase.places if place != "far"}
        for opposite_places in (("left", "right"), ("top", "bottom"), ("front", "back")):
            if set(opposite_places) <= set(chances):
                chances[opposite_places[0]] = max(chances.pop(place) for place in opposite_places)
        return [*self._rate_corner(chances, phrase), *([OPEN] if _is_open_place(entity, phrase) else [])]

    def _rate_corner(self, chances: Mapping[str, float], phrase: Phrase) -> list[float]:
        """Return the chances of places, lower ones for a solid in a corner: "what is at the back right" is so."""
        is_of_corner = self.is_complete and not phrase.head and len(chances.keys() - {"middle"}) > 1
        return [(CORNER_FACTOR if is_of_corner else 1.0) * chance for chance in chances.values()]

    def _is_frame(self, head: str) -> bool:
        """Return whether a word means the whole picture, and no thing in it: not "on the board" of a classroom."""
        return head in words_of("frame_nouns") and not self.find_matches(Phrase(head))

    def rate_place(self, item: SceneThing, place: str, phrase: Phrase) -> float:
        """Return the chance that somebody says of a thing that it is at a place in the picture."""
        if item.box is None:
            return BASE_CHANCE
        left, top, right, bottom = item.box
        axis = (LESS | HIGH_PLACES).get(place, "")
        is_standing = self.is_complete or (bottom > 0.5 and not item.support and item.visible >= 0.3)
        chances = {
            "left": ramp_chance(0.54 - min(item.x, left + 0.25)),
            "right": ramp_chance(max(item.x, right - 0.25) - 0.46),
            "top": ramp_chance(0.62 - min(item.y, top + 0.2)),
            "bottom": ramp_chance(max(item.y, bottom - 0.2) - 0.4),
            "middle": max(ramp_chance(0.3 - abs(item.x - 0.5)), 0.55 * ramp_chance(0.3 - abs(item.y - 0.5))),
            # of what stands the lower edge tells how far away it is
            "front": ramp_chance(bottom - 0.5) if is_standing else BASE_CHANCE,
            "back": ramp_chance(0.75 - bottom) if is_standing else BASE_CHANCE,
            "corner": 0.9 if min(left, 1 - right) < 0.2 or min(item.x, 1 - item.x) < 0.3 else 0.3,
            "edge": 0.9 if min(left, 1 - right, top, 1 - bottom) < 0.12 else 0.2,
        }
        coordinates = [getattr(other, axis) for other in self.things if other.name == item.name] if axis else []
        is_first = len(coordinates) > 1 and (min if place in LESS else max)(coordinates) == getattr(item, axis)
        if not is_first or phrase.is_plural:
            return chances[place]
        # "the left chair" of several
        return max(chances[place], 0.8 if phrase.definite else 0.3 if axis == "y" else 0.0)

    # -- relations
    def _rate_links(self, entity: SceneThing, links: Sequence[Link]) -> list[float]:
        """Return the chances of relations; "between" takes its two sides together."""
        sides = [link.phrase for link in links if link.relation == "between"]
        chances = [self.rate_link(entity, link) for link in links if link.relation != "between"]
        return [*chances, self._rate_between(entity, sides)] if sides else chances

    def _rate_between(self, item: SceneThing, side_phrases: Sequence[Phrase]) -> float:
        """Return whether a thing is between others: one on its left and one on its right."""
        match_lists = [self.find_matches(phrase.uncounted) for phrase in (side_phrases[0], side_phrases[-1])]
        sides = [[o for o, fit in matches if fit.is_sure and o.box and o != item] for matches in match_lists]
        return self.geometry.rate_between(item, sides)

    def rate_link(self, entity: SceneThing, link: Link) -> float:
        """Return the chance that somebody says of a thing that it is related so to another."""
        relation, target = link.relation, link.phrase
        whole_phrase = target.find_linked("of")
        if target.head in words_of("side_nouns") and whole_phrase:
            return self._rate_sides(entity, relation, target, whole_phrase)
        if relation in PART_RELATIONS:
            return self._rate_possession(entity, link)
        if relation == "apart from":
            return EXCLUDED if self.fit(entity, target).is_sure else SURE
        if relation == "made of":
            return min(self.rate_attributes(entity, [attribute_of(target.head) or target.head, *target.modifiers]))
        if target.pronoun and not target.modifiers:
            is_everything = target.is_bare and not target.definite and relation in ("left of", "right of")
            return OPEN if is_everything else SURE  # "left of everything"
        raters = (self._rate_frame, self._rate_surface, self._rate_level, self._rate_position)
        return next(filter(None, (rate(entity, relation, target) for rate in raters)), OPEN)

    def _rate_frame(self, entity: SceneThing, relation: str, target: Phrase) -> float | None:
        """Return the chance of "in the room", "used as a desk" or "on the screen", None for other phrases."""
        is_whole = self._is_frame(target.head) and not target.modifiers  # not "on the wooden board"
        is_whole = is_whole or target.head == "room" or is_room(target.head)
        is_place = relation in PLACE_RELATIONS and not (is_whole and self._is_thing(target.head, relation))
        frames = words_of("frame_nouns") | group("pictures") | group("depictions")
        if is_place and not is_whole and target.head in frames:
            supports = self.geometry.list_supports(entity)  # what a screen or a painting shows is not described
            return SURE if any(self.fit(other, target).is_sure for other in supports) else OPEN
        return 0.8 if is_whole and is_place else UNSEEN_RELATIONS.get(relation)

    def _rate_sides(self, entity: SceneThing, relation: str, sides: Phrase, whole_phrase: Phrase) -> float:
        """Rate "on the left side of the bed", or "on both sides": there is one on the left and one on the right."""
        if sides.head != "side" or not set(sides.places) <= {*SIDES}:
            return OPEN  # "at the far end of the table"
        if sides.is_plural:
            peers = [other for other in self.things if other.name == entity.name]
            chances = [[self.rate_link(peer, Link(f"{side} of", whole_phrase)) for peer in peers] for side in SIDES]
            has_one_beside = all(min(side_chances, default=SURE) <= NO for side_chances in chances)
            return SURE if has_one_beside else OPEN  # one is surely not on the left
        relations = [relation, *(f"{place} of" for place in sides.places)]
        return min(self.rate_link(entity, Link(each, whole_phrase)) for each in relations)

    def _is_thing(self, head: str, relation: str) -> bool:
        """Return whether a word for a place means a thing here: "on the stairs", "in the pool", not "in the bar"."""
        names = [fit.name for item, fit in self.find_matches(Phrase(head)) if item.box]
        return any(name == 1.0 or (relation == "on" and name >= EXACT_CHANCE) for name in names)

    def _rate_position(self, entity: SceneThing, relation: str, target: Phrase) -> float:
        """Return the chance of where a thing is said to be, seen from other things."""
        if relation in ("in", "of", "at") and self.fit(entity, target).is_sure:
            return OPEN if is_named_by_pot(entity, target.head) else SURE  # "the fire in the fireplace"
        if relation in ("on", "on top of") and self._is_elsewhere(entity, target):
            return EXCLUDED
        matches = [(other, fit) for other, fit in self._find_targets(entity, target) if fit.is_possible]
        rate, fits = self.geometry.rate, drop_loose_fits(matches)
        chances = [(rate(entity, relation, other), fit.is_sure) for other, fit in fits]
        sure_chances = {chance for chance, is_sure in chances if is_sure}
        is_one_of = _means_one_of(target, len(fits))
        if is_one_of and (target.places or (relation in (*EXACT_RELATIONS, "next to") and len(sure_chances) > 1)):
            return min(OPEN, max(chance for chance, _ in chances))  # it may be left of one, and not of the other
        return max(sure_chances, default=min(OPEN, max((chance for chance, _ in chances), default=OPEN)))

    def _rate_level(self, entity: SceneThing, relation: str, target: Phrase) -> float | None:
        """Return the chance of "on the top shelf" of what is on a shelf, None for other phrases."""
        levels = [place for place in target.places if place in LEVELS and relation in ("on", "in")]
        shelf_phrase = replace(target, places=tuple(place for place in target.places if place not in LEVELS))
        shelves = [o for o, fit in self._find_targets(entity, shelf_phrase) if fit.is_sure] if levels else []
        if not all(map(is_shelf, shelves)) or set(shelves).isdisjoint(self.geometry.list_supports(entity)):
            return None
        return self.geometry.rate_level(entity, levels[0], shelves)

    def _is_elsewhere(self, entity: SceneThing, target: Phrase) -> bool:
        """Return whether a thing is on another one that is surely not what a phrase names."""
        supports = self.geometry.list_supports(entity)
        is_known = target.head in group("furniture") or bool(self.find_matches(Phrase(target.head)))
        if not (supports and is_known and group("furniture") & find_names(target.head)):
            return False
        return all(self.fit(support, Phrase(target.head)).name == 0.0 for support in supports)

    def _find_targets(self, entity: SceneThing, target: Phrase) -> Sequence[tuple[SceneThing, Fit]]:
        """Return what a thing may be related to: no armchair where there is a chair, one for "the left machine"."""
        target = replace(target, places=tuple(place for place in target.places if place != "far"))
        fits = [(other, self.fit(other, target)) for other in self.all_things if other is not entity]
        matches = _select_closest_names(fits, target)
        if not (target.definite and len(target.places) == 1) or target.is_plural:
            return matches
        options = [other for other, fit in matches if fit.is_possible and other.box]
        outermost = self._find_outermost(options, target.places[0])
        return [(other, fit) for other, fit in matches if other is outermost] if outermost else matches

    @staticmethod
    def _find_outermost(things: Sequence[SceneThing], place: str) -> SceneThing | None:
        """Return the thing that is furthest left or right, or the front one; None where it is not clear."""
        if place == "front" and things:
            first, *others = sorted(things, key=lambda item: -item.edges[3])
            top, bottom = first.edges[1] + CLEAR_STEP, first.edges[3] - 3 * CLEAR_STEP
            return first if all(other.edges[1] < top and other.edges[3] < bottom for other in others) else None
        ranked = sorted(things, key=lambda item: item.x) if place in SIDES else []
        return ranked[-SIDES.index(place)] if ranked else None

    def _rate_possession(self, entity: SceneThing, link: Link) -> float:
        """Return the chance that a thing is said to be with something: a part, or something on it."""
        target = link.phrase
        if target.pronoun and not target.modifiers:  # "is the bear holding something", "… with something on its head"
            return BASE_CHANCE
        if link.relation == "of" and target.definite and target.head and not is_room(target.head):
            owner_thing = self.by_id.get(entity.support)
            return SURE if owner_thing and self.fit(owner_thing, target).is_sure else EXCLUDED  # "the chairs' seats"
        if (not target.head and not target.modifiers) or is_colour_of(entity, target):
            return 0.8  # the seat of a red chair, the blanket of a red bed
        if (fit := self.fit(entity, target)).is_sure and fit.name >= EXACT_CHANCE:
            return YES  # "a plant with red flowers" of a red flower
        return self._rate_carried(entity, link)

    def _rate_carried(self, entity: SceneThing, link: Link) -> float:
        """Return the chance that a thing has a part, or something on it, as is said."""
        target = link.phrase
        carried_things = [part for part in (*self.parts, *self.things) if part.support == entity.id]
        carried_fits = [(part, fit) for part in carried_things if (fit := self.fit(part, target)).is_possible]
        if any(fit.is_sure for _, fit in carried_fits):
            match_lists = (carried_fits, self.find_matches(target))  # of two sofas with two cushions each, or of four
            return max(self._rate_count(target, matches) for matches in match_lists) if target.count.is_stated else SURE
        return OPEN if carried_fits or not self._is_known_apart(entity, link) else EXCLUDED

    def _is_known_apart(self, entity: SceneThing, link: Link) -> bool:
        """Return whether a thing surely lacks what it is not described to have: not what it may hold, nor parts."""
        if not self.is_exhaustive(link.phrase):
            return False
        is_container = entity.name.rpartition(" ")[2] in group("holders")
        has_others = any(other.support for other, fit in self.find_matches(link.phrase) if fit.is_sure)
        return link.relation == "of" or is_alive(link.phrase.head) or (has_others and not is_container)

    def _rate_surface(self, entity: SceneThing, relation: str, target: Phrase) -> float | None:
        """Return the chance of "on the wall", "on the floor" or "from the ceiling", None for other phrases."""
        if relation not in ("on", "at", "in", "from", "above", "next to"):
            return None
        if target.head == "wall":
            ranges = [WALL_RANGES.get(place, NO_RANGE) for place in target.places]
            is_at_side = all(low < entity.x < high for low, high in ranges) and not target.modifiers
            return self._rate_wall(entity) if is_at_side else min(self._rate_wall(entity), BASE_CHANCE)
        if target.head in ("floor", "ground"):
            is_fixed = entity.name in group("fixtures") or self.geometry.may_be_on_furniture(entity)
            is_low = entity.edges[3] > 0.5 and not is_fixed
            return EXCLUDED if self.geometry.is_raised(entity) else 0.9 if is_low else 0.4
        if target.head == "ceiling":
            is_elsewhere = entity.support or entity.name in group("wall") | {"floor lamp"}
            return EXCLUDED if is_elsewhere else 0.9 if entity.name in group("hanging") else 0.4
        return None

    def _rate_wall(self, entity: SceneThing) -> float:
        """Return the chance that a thing is said to be on a wall."""
        support_names = {support.name for support in self.geometry.list_supports(entity)}
        if not group("wall").isdisjoint(support_names or {entity.name}):
            return OPEN if entity.name in group("on_legs") and entity.edges[3] > 0.5 else 0.9  # it may be on an easel
        if entity.support:
            return EXCLUDED if entity.name in group("wall") else OPEN  # a photo on a desk, clothes on a rail
        return 0.7 if entity.edges[3] < 0.5 else 0.5

    # -- phrases
    def is_exhaustive(self, phrase: Phrase, *, is_asked: bool = False) -> bool:
        """Return whether the description names all that a phrase means: not what a film shows or things contain.

        `is_asked`: whether somebody asks, who means some kinds more strictly than a description.
        """
        targets = [link.phrase for link in phrase.links if link.relation in ("in", "of", "full of")]
        places = group("surfaces") | words_of("frame_nouns") | {"", "water", "room"}
        is_in_object = any(target.head not in places and not is_room(target.head) for target in targets)
        is_onlooker = phrase.head in group("onlookers") or (phrase.links and phrase.head in words_of("people"))
        is_in_frame = any(link.phrase.head in words_of("frame_nouns") for link in phrase.links)
        if is_onlooker and not is_in_frame and not is_depicted(phrase):
            return True  # portraits and films show people, but none who sit there
        is_shown = self.category == "cinema" or (is_in_object and not is_alive(phrase.head))
        return not is_shown and self._names_all(phrase, is_asked)

    def _names_all(self, phrase: Phrase, is_asked: bool) -> bool:
        """Return whether the description names all things of the kind that a phrase means."""
        if self.kind == "photo" or self.category == "art gallery" or is_content(phrase):
            return False
        if self.is_complete:
            return is_solid(phrase)
        if not is_alive(phrase.head) and not all(attribute_of(word) or base_colour(word) for word in phrase.modifiers):
            return False  # "number plate" may be no plate
        is_scene_kind = self.kind == "scene" and phrase.head in group("complete_in_scenes")
        if is_scene_kind or (self.category in group("indoors") and phrase.head in group("complete_indoors")):
            return True
        is_pictured = self.category in group("pictured") and (is_alive(phrase.head) or not is_named(phrase.head))
        is_complete = is_complete_kind(phrase.head) or (is_asked and phrase.head in group("complete_in_answers"))
        return is_complete and not is_pictured

    def find_matches(self, phrase: Phrase) -> list[tuple[SceneThing, Fit]]:
        """Return the things that a phrase may mean, the best first; parts and surfaces only if no thing is named so."""
        fits = [(item, fit) for item in self.all_things if (fit := self.fit(item, phrase)).name > 0.3]
        if any(fit.name >= 0.9 for _, fit in fits):  # "book": not what is only near to a book
            is_thing = any(item.box for item, fit in fits if fit.name >= 0.9)
            fits = [(item, fit) for item, fit in fits if fit.name >= YES and (item.box or item.is_part or not is_thing)]
        return sorted(fits, key=lambda pair: -pair[1].chance)

    def count_things(self, phrase: Phrase) -> tuple[int, int]:
        """Return how many things are surely as a phrase says, and how many may be."""
        matches = self._drop_doubles(self.find_matches(phrase.uncounted))
        sure_count = sum(entity.thing_count for entity, fit in drop_loose_fits(matches) if fit.is_sure)
        return sure_count, sum(entity.thing_count for entity, fit in matches if fit.is_possible)

    def _drop_doubles(self, matches: Sequence[tuple[SceneThing, Fit]]) -> list[tuple[SceneThing, Fit]]:
        """Return matches with either a thing or its parts: "seats" are chairs, but "flags" are those of a bunting."""
        things = [entity for entity, fit in matches if fit.is_possible and not entity.is_part]
        owner_ids = {entity.support for entity, fit in matches if fit.is_possible and entity.is_part}
        uncounted_ids = {entity.id for entity in things if entity.id in owner_ids and entity.is_several}
        carrier_ids = {entity.support for entity in things}
        # what is in a "fruit bowl" is fruit, not the bowl
        carriers = [entity for entity, fit in matches if entity.id in carrier_ids and fit.name < 1.0]
        uncounted_ids |= {entity.id for entity in carriers if entity.name.rpartition(" ")[2] in group("holders")}
        counted_ids = {entity.id for entity in things} - uncounted_ids
        return [pair for pair in matches if pair[0].id not in uncounted_ids and not pair[0].is_part_of(counted_ids)]

    def is_countable(self, phrase: Phrase) -> bool:
        """Return whether what is not in the description is not in the picture: for "no" and for numbers."""
        things = [item for item, fit in self.find_matches(phrase) if not item.is_part and fit.name >= EXACT_CHANCE]
        owner = phrase.find_linked("of")
        is_open = any(item.is_uncounted or (item.is_several and item.name != phrase.head) for item in things)
        if is_open or (owner and owner.definite) or self.may_hold_more(phrase.head):
            return False
        are_things = bool(things) and group("parts").isdisjoint(item.name for item in things)
        return are_things or self.is_exhaustive(phrase, is_asked=True)

    def may_hold_more(self, head: str) -> bool:
        """Return whether a thing may hold more of a kind than is named: apples in a "fruit bowl"."""
        for container in self.things:
            content, _, holder_name = container.name.rpartition(" ")
            is_container = (
                content and holder_name in group("holders") and (head == content or LEXICON.is_a(head, content))
            )
            if is_container and not any(container in self.geometry.list_supports(entity) for entity in self.things):
                return True  # nothing is named that is in it
        return False

    def judge_existence(self, phrase: Phrase) -> Truth:
        """Return whether there is what a phrase says, in its number."""
        sure_count, possible_count = self.count_things(phrase)
        truth = judge_count(phrase.count, sure_count, possible_count)
        if sure_count > phrase.count.high:
            return Truth.NO
        if truth is Truth.YES and not phrase.is_negated:
            targets = [link.phrase for link in phrase.links if link.phrase.head not in group("surfaces")]
            targets = [target for target in targets if is_named(target.head)]
            is_sure = all(self.count_things(target)[0] for target in targets)  # not "in front of the yellow painting"
            is_seen = any(entity.is_seen for entity, fit in self.find_matches(phrase) if fit.is_sure)
            return truth if is_sure and is_seen else Truth.UNKNOWN
        return truth if self.is_countable(phrase) else Truth.UNKNOWN

    def rate_phrase(self, phrase: Phrase) -> float:
        """Return the chance that a phrase is said to be in this picture."""
        matches = self.find_matches(phrase)
        best_chance = max((fit.chance for _, fit in matches), default=0.0)
        named_chance, target_chance = self._rate_targets(phrase)
        best_chance = min(best_chance, named_chance)
        hidden_chance = min(self._rate_hidden(phrase, matches), target_chance)
        hidden_chance = HIDDEN_UNKNOWN if is_content(phrase) else hidden_chance
        present_chance = max(best_chance, hidden_chance)
        content_phrase = phrase.find_linked("of")
        if present_chance < BASE_CHANCE and content_phrase and phrase.head in group("containers") | group("heaps"):
            count = Phrase().count if phrase.head in group("heaps") else phrase.count  # "two rows of chairs"
            return 0.8 * self.rate_phrase(replace(content_phrase, count=count, is_plural=phrase.is_plural))
        if phrase.is_negated:
            is_hardly_seen = best_chance > 0.5 and not any(item.is_prominent or item.box is None for item, _ in matches)
            return BASE_CHANCE if is_hardly_seen else _rate_absence(matches, present_chance, hidden_chance)
        is_certain = best_chance > hidden_chance and any(fit.name >= YES for _, fit in matches)
        return present_chance * self._rate_count(phrase, self._drop_doubles(matches)) if is_certain else present_chance

    def _rate_targets(self, phrase: Phrase) -> tuple[float, float]:
        """Return the least chance of what a thing is said to be related to: of kinds that are all named, and of all."""
        targets = [link.phrase for link in phrase.links if link.phrase.head and link.relation not in ABSENT_RELATIONS]
        chances = [(self.rate_phrase(target), self.is_exhaustive(target)) for target in targets]
        named_chance = min((chance for chance, is_exhaustive in chances if is_exhaustive), default=1.0)
        return named_chance, min((chance for chance, _ in chances), default=1.0)

    def _rate_hidden(self, phrase: Phrase, matches: Sequence[tuple[SceneThing, Fit]]) -> float:
        """Return the chance that a description leaves out what a phrase means."""
        has_name = any(fit.name >= YES for _, fit in matches)
        if self.is_exhaustive(phrase) or (has_name and not any(entity.name in group("parts") for entity, _ in matches)):
            return HIDDEN_COMPLETE
        exact_names = {entity.name for entity, fit in matches if fit.name >= 0.9 and not entity.is_part}
        if exact_names and (self.kind == "scene" or exact_names.isdisjoint(group("mixed"))):
            return HIDDEN_KIND
        meant_names = find_names(phrase.head)
        if not meant_names or phrase.head in group("surfaces"):
            return HIDDEN_UNKNOWN
        return HIDDEN_NAMED if meant_names.isdisjoint(group("parts")) else HIDDEN_PART

    def _rate_count(self, phrase: Phrase, matches: Sequence[tuple[SceneThing, Fit]]) -> float:
        """Return the chance of the number in a phrase, given the things it may mean."""
        possible_things = [entity for entity, fit in matches if fit.is_possible]
        possible_count = sum(entity.thing_count for entity in possible_things)
        is_open = any(entity.is_several or not entity.box or entity.is_part for entity in possible_things)
        if not phrase.count.is_stated:
            return _rate_plural(phrase.is_plural, possible_count, is_open)
        clear_count = _count_clear(matches)
        if clear_count <= phrase.count.high and possible_count >= phrase.count.low:
            return 1.0
        if phrase.count.high >= MANY and not self.is_exhaustive(phrase):
            return 0.8 if is_open else 0.4  # "shelf of bottles" does not say how many
        is_by_it = any(link.phrase.pronoun and link.relation in EXACT_RELATIONS for link in phrase.links)
        if is_by_it or (phrase.places and not self.is_complete):
            return 0.4  # where the left ends and the middle begins is open
        few = {"scene": 5, "objects": MANY}.get(self.kind, 3)
        return _rate_wrong_count(phrase.count, possible_count, clear_count, few)

    def rate_category(self, phrase: Phrase) -> float | None:
        """Return the chance that the whole picture is called so, None if the phrase names no place."""
        is_generic = phrase.head in ("room", "place")
        if not is_generic and not is_room(phrase.head):
            return None
        if self.is_complete or is_generic or not self.category:
            return 0.04 if self.is_complete else 1.0 if is_generic else BASE_CHANCE
        room_chance = max(rate_room(word, self.category) for word in (phrase.head, *phrase.modifiers))  # "cinema hall"
        return max(room_chance, 0.12 if self.kind == "scene" else 0.0)


def _is_open_place(entity: SceneThing, phrase: Phrase) -> bool:
    """Return whether it is not clear which place is meant: "the far left barrel", "in the middle on the left"."""
    places = {*phrase.places}
    is_extreme = "far" in places and phrase.head and phrase.definite
    is_tiered = any(word.startswith("in ") for word in entity.words) and places & {"top", "bottom", "middle"}
    return bool(is_extreme or is_tiered) or {"middle"} < places & {"left", "middle", "right"}


def _select_closest_names(
    matches: Sequence[tuple[SceneThing, Fit]], target: Phrase
) -> Sequence[tuple[SceneThing, Fit]]:
    """Return the matches that have just this name, if any, and for "the table" a coffee table, not a stand."""
    exact_matches = [(other, fit) for other, fit in matches if fit.name >= EXACT_NAME]
    own_matches = [(other, fit) for other, fit in matches if fit.is_sure and other.name.endswith(target.head)]
    is_one = target.head and target.definite and not target.is_plural
    return exact_matches or (own_matches if is_one else ()) or matches


def _means_one_of(phrase: Phrase, count: int) -> bool:
    """Return whether a phrase means one thing, where several may be it."""
    return count > 1 and phrase.definite and not (phrase.is_plural or is_plural_name(phrase.head))


def _count_clear(matches: Sequence[tuple[SceneThing, Fit]]) -> int:
    """Return how many things surely count: a stool is perhaps none of "two chairs", an amplifier no speaker."""
    best_name = max((fit.name for _, fit in matches), default=0.0)
    sure = [entity for entity, fit in matches if fit.is_sure and fit.name >= best_name - 0.05]
    counts = Counter[str]()
    for entity in sure:
        counts[entity.name] += entity.thing_count if entity.is_prominent or entity.is_part else 0
    return sum(counts.values()) if best_name >= EXACT_NAME else max(counts.values(), default=0)


def _rate_absence(matches: Sequence[tuple[SceneThing, Fit]], present: float, hidden: float) -> float:
    """Return the chance that somebody says that something is not there, which is there with a chance of `present`."""
    is_named = any(fit.name >= EXACT_CHANCE and fit.chance > 0.5 for _, fit in matches)
    return max(0.04, 1.0 - 1.05 * present) if is_named or hidden < 0.1 else 0.6


def _rate_plural(is_plural: bool, number: int, is_open: bool) -> float:
    """Return the chance of a singular or plural without a number, given how many things it may mean."""
    if is_plural:
        return 1.0 if number > 1 or is_open else 0.45
    return 1.0 if number == 1 else 0.8


def _rate_wrong_count(count: Count, number: int, clear: int, few: int) -> float:
    """Return the chance of a miscount, given how many there may be and how many there clearly are."""
    if min(abs(limit - value) for limit in (count.low, count.high) for value in (number, clear)) > 1:
        return 0.05 if number <= max(few, 8) else 0.2
    return 0.06 if number <= few else 0.3


def judge_count(count: Count, sure_count: int, possible_count: int) -> Truth:
    """Return whether something is so of a number of things, given of how many it is so and may be so."""
    if count.low <= sure_count and (count.high >= MANY or possible_count <= count.high):
        return Truth.YES
    return Truth.NO if possible_count < count.low or sure_count > count.high else Truth.UNKNOWN
