"""The evaluator for pictures of rooms, everyday scenes and solids: how far what is said of a picture fits it.

A `Scene` is read from a picture's description. `fit` compares a phrase with a thing aspect by aspect (name, colour,
other attributes, place, relations); each aspect gets the chance that somebody who means this thing would say so. The
description is not complete, so "no" needs either a kind of which all are named or a thing that is clearly otherwise.
"""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from games.common.language.claims import MANY, Claim, Count, Link, Phrase, Truth, Verdict
from games.common.language.grammar import ATTRIBUTES, attribute_of, words_of
from games.common.language.lexicon import LEXICON, Vocabulary
from games.common.language.tokens import NUMBER_WORDS
from games.common.pictures import PictureDescription, PictureObject, PictureSurface

SAME_PLACE = 0.05
"""Things that are no further apart may be named in any order."""
SURFACE = "surface "
"""The start of the ids of walls, floors and the like."""
CLOSE = 0.4
"""From which chance on a name may be meant; words that are only near in meaning have less."""
YES, NO = 0.6, 0.13
"""From and up to which chance an aspect counts as so and as not so."""
HIDDEN_COMPLETE, HIDDEN_KIND, HIDDEN_NAMED, HIDDEN_PART, HIDDEN_UNKNOWN = 0.04, 0.07, 0.14, 0.3, 0.45
"""The chance that something is mentioned of a picture whose description lacks it: kinds all of which are named; kinds
that descriptions name; words that no description has."""
OTHERWISE = ("as", "for", "made of", "apart from", "without")
"""Relations to what does not have to be in the picture."""
BASE = 0.5
"""The chance of what says nothing."""
SIDE_PLACES = ("left", "right", "top", "bottom", "back", "front")
NEAR_COLOUR = 0.35
DOUBTFUL = 0.25
"""The chance from which down a claim speaks for "different"."""
FITTING, STRONGEST = 0.15, -2.5
"""The weight of a claim that fits, and of one that cannot be meant."""
ROOM, WEAK, VAGUE = -1.45, -0.9, -0.7
"""The most that claims count against "same" which people may mean otherwise: rooms; places and relations; names."""


@cache
def _tables() -> Mapping[str, dict[str, list[str]]]:
    text = Path(__file__).with_name("things.toml").read_text(encoding="utf-8")
    data: dict[str, dict[str, list[str]]] = tomllib.loads(text)
    return data


def table(name: str) -> dict[str, list[str]]:
    """Return a table of `things.toml`: what people call things and rooms, kinds, groups of names."""
    return _tables()[name]


@cache
def group(name: str) -> frozenset[str]:
    """Return a list of names: "wall", "parts", "lights", "leafy", "standing_lamps"."""
    return frozenset(table("groups")[name])


@cache
def vocabulary() -> Vocabulary:
    """Return the names of things and places, and what people call them."""
    names: dict[str, None] = {}
    for section in ("things", "rooms", "generic"):
        for name, others in table(section).items():
            names.update(dict.fromkeys((name, *others)))
    return Vocabulary([*names, *sorted(group("complete") | group("surfaces"))])


# ---------------------------------------------------------------------- names
@cache
def generic_kind(head: str) -> str | None:
    """Return "thing" for object or item, "person" for visitor, …, None for other words."""
    return next((kind for kind, words in table("generic").items() if head == kind or head in words), None)


@cache
def name_fit(head: str, name: str) -> float:
    """Return the chance that somebody calls a thing so that a description calls `name`."""
    others = table("things").get(name, ())
    if head in ("", name) or generic_kind(head) == "thing":
        return 1.0
    if head in others:
        return 0.9 if others.index(head) < 4 else 0.78
    last = name.rsplit(" ", 1)[-1]
    singular = LEXICON.lemma(last)
    if head in (last, singular):
        return 0.95
    if head.endswith(f" {name}"):
        return 0.5 if head in group("complete") else 0.8  # "pool table" is a table of its own kind
    return max(_kind_fit(head, singular, name), _similarity(head, name))


def _kind_fit(head: str, last: str, name: str) -> float:
    """Return how far a head is a kind above or below the name: "animal" of "cat", "spaniel" of "dog"."""
    if head in group("kinds"):
        return 0.9 if LEXICON.is_a(last, head) or LEXICON.is_a(name, head) else 0.0
    return 0.65 if head != last and LEXICON.is_a_first(head, name) else 0.0


def _similarity(head: str, name: str) -> float:
    return 0.38 * LEXICON.near(head).get(name, 0.0)


@cache
def room_fit(head: str, category: str) -> float:
    """Return the chance that somebody calls a room of a category so; 0.04 for an unrelated room."""
    rooms = table("rooms")
    others = rooms.get(category, ())
    if head == category or head in others:
        return 1.0
    names = {category, *others}
    related = any(head in (room, *words) and not names.isdisjoint({room, *words}) for room, words in rooms.items())
    return 0.3 if related else 0.04


@cache
def is_room(head: str) -> bool:
    """Return whether a word names a place as a whole: bedroom, pub, workshop."""
    return any(head in (room, *words) for room, words in table("rooms").items())


@cache
def is_named(head: str) -> bool:
    """Return whether descriptions have a name for what a word means."""
    return any(name_fit(head, name) >= YES for name in table("things"))


@cache
def is_alive(head: str) -> bool:
    """Return whether a word names a person or an animal."""
    if generic_kind(head) in ("person", "animal"):
        return True
    return head in group("complete") and LEXICON.is_a_first(head, "animal")


def is_complete_kind(head: str) -> bool:
    """Return whether the descriptions of rooms and scenes name all things of a kind."""
    if head in group("complete") or is_alive(head):
        return True
    names = {name for name, others in table("things").items() if head in others[:4]}
    return bool(names) and names <= group("complete")


# ---------------------------------------------------------------------- things
@dataclass(frozen=True)
class SceneThing:
    """A thing in a picture. `box` is left, top, right, bottom as shares of the picture, None for walls and parts."""

    id: str
    name: str
    words: tuple[str, ...]
    box: tuple[float, float, float, float] | None
    visible: float = 1.0
    support: str = ""
    """The id of what it is on or part of."""
    is_part: bool = False
    number: int = 1

    @property
    def is_several(self) -> bool:
        """Whether its name leaves open how many it is: "stairs", "stack of books"."""
        return self.name.endswith("s") or " of " in self.name

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """The words that are colours, with their shades."""
        return tuple(word for word in self.words if base_colour(word))

    @property
    def x(self) -> float:
        """The middle from left (0) to right (1)."""
        return (self.box[0] + self.box[2]) / 2 if self.box else 0.5

    @property
    def y(self) -> float:
        """The middle from top (0) to bottom (1)."""
        return (self.box[1] + self.box[3]) / 2 if self.box else 0.5

    @property
    def size(self) -> float:
        """The share of the picture that its box takes."""
        return (self.box[2] - self.box[0]) * (self.box[3] - self.box[1]) if self.box else 0.0

    @property
    def is_seen(self) -> bool:
        """Whether more than a sliver of it shows."""
        return self.box is None or self.is_part or self.visible >= 0.1 or self.visible * self.size >= 0.002

    @property
    def is_clear(self) -> bool:
        """Whether nobody who looks would miss it."""
        is_seen = self.visible >= 0.3 or self.visible * self.size >= 0.01
        return self.box is not None and is_seen and self.size >= 0.0015


@cache
def base_colour(word: str) -> str | None:
    """Return the colour without its shade ("dark red" -> red), None if the word is no colour."""
    colours = LEXICON.table("colours")
    shade, _, colour = word.rpartition(" ")
    return colour if colour in colours and shade in ("", "dark", "light") else word if word in colours else None


@cache
def colour_fit(word: str, colour: str) -> float:
    """Return the chance that somebody calls a colour so."""
    if word == colour:
        return 1.0
    base, other = base_colour(word) or word, base_colour(colour) or colour
    if base == other:
        opposed = {word.split(" ")[0], colour.split(" ")[0]} == {"dark", "light"}
        return 0.2 if opposed else 0.85
    if {base, other} == {"golden", "yellow"}:
        return 0.7
    near = LEXICON.table("near_colours")
    return NEAR_COLOUR if other in near.get(base, ()) or base in near.get(other, ()) else 0.04


@dataclass(frozen=True)
class Fit:
    """How well a phrase fits a thing: the chance of the name, the least chance of any other aspect, and the product."""

    name: float
    least: float
    chance: float

    @property
    def is_yes(self) -> bool:
        """Whether the thing is as said."""
        return self.name >= YES and self.least >= YES

    @property
    def is_possible(self) -> bool:
        """Whether the thing may be meant."""
        return self.name >= CLOSE and self.least > NO


def joint(chances: Sequence[float]) -> float:
    """Return the chance of all of some aspects: unknown ones count once, and not where another is doubtful."""
    clear = [chance for chance in chances if not DOUBTFUL < chance < YES]
    is_doubtful = any(chance <= DOUBTFUL for chance in clear)
    return math.prod(clear) * (1.0 if is_doubtful else min(set(chances) - set(clear), default=1.0))


NO_FIT = Fit(0.0, 0.0, 0.0)


class Scene:
    """A picture as its description tells it."""

    def __init__(self, description: Mapping[str, Any]) -> None:
        """Take a description as a picture has it, with or without its id."""
        picture = PictureDescription.model_validate({"id": "", **description})
        self.kind, self.category = picture.kind, picture.category
        self.is_complete = self.kind == "objects"
        self._fits: dict[tuple[str, Phrase], Fit] = {}
        self._relations = set(picture.relations)
        supports = {subject: target for subject, relation, target in picture.relations if relation == "on"}
        self.things = [_read_object(entry, picture, supports.get(entry.id, "")) for entry in picture.objects]
        if not any(entry.box for entry in picture.objects):
            self.things = place_by_relations(self.things, picture.relations)
        self.by_id = {item.id: item for item in self.things}
        names = {item.name for item in self.things}
        parts = [part for item in self.things for part in parts_of(item)]
        self.parts = [part for part in parts if part.name != "blanket" or part.name not in names]
        surfaces = [(name, surface.attributes) for surface in picture.surfaces for name in surface_names(surface)]
        self.surfaces = [
            SceneThing(f"{SURFACE}{number}", name, words, None) for number, (name, words) in enumerate(surfaces)
        ]

    @cached_property
    def everything(self) -> list[SceneThing]:
        """Things, their parts and surfaces."""
        return [*self.things, *self.parts, *self.surfaces]

    # -- aspects
    def fit(self, item: SceneThing, phrase: Phrase) -> Fit:
        """Return how well a phrase fits a thing; each pair is compared once, however phrases are nested."""
        fit = self._fits.get((item.id, phrase))
        if fit is None:
            fit = self._fits[item.id, phrase] = self._fit(item, phrase)
        return fit

    def _fit(self, item: SceneThing, phrase: Phrase) -> Fit:
        modifiers = list(phrase.modifiers)
        content = phrase.link_target("of")
        if content and content.head and name_fit(f"{content.head} {phrase.head}", item.name) >= 0.9:
            phrase = replace(phrase, head=item.name, links=tuple(o for o in phrase.links if o.phrase is not content))
        name = self._name_chance(item, phrase.head, modifiers)
        if name < 0.2:
            return NO_FIT
        aspects = self.attribute_chances(item, modifiers)
        if any(link.relation == "with" and is_colour_of(item, link.phrase) for link in phrase.links):
            aspects = [max(chance, 0.5) for chance in aspects]  # "a white chair with a blue seat"
        aspects += self.place_chances(item, phrase.places, phrase)
        aspects += self.link_chances(item, phrase.links)
        return Fit(name, min(aspects, default=1.0), name * joint(aspects))

    def _name_chance(self, item: SceneThing, head: str, modifiers: list[str]) -> float:
        """Return the chance of a name; a noun before the head that belongs to the name is taken from the modifiers."""
        is_any = not head or generic_kind(head) == "thing"
        if is_any and (item.is_part or item.id.startswith(SURFACE)):
            return 0.0
        if item.id.startswith(SURFACE) and head != item.name and head not in table("things").get(item.name, ()):
            return 0.0
        for word in modifiers:
            if name_fit(f"{word} {head}", item.name) >= 0.9:
                modifiers.remove(word)
                return 1.0
        return name_fit(head, item.name)

    def attribute_chances(self, item: SceneThing, words: Sequence[str]) -> list[float]:
        """Return the chances of attributes; of several colours the best counts, for not all are named."""
        chances = [self.attribute_chance(item, word) for word in words if not base_colour(word)]
        colours = [self.attribute_chance(item, word) for word in words if base_colour(word)]
        if len(colours) < 2 or min(colours) >= YES:
            return chances + colours
        return [*chances, (0.35 if len(item.colours) > 1 else 0.7) * max(colours)]

    def attribute_chance(self, item: SceneThing, word: str) -> float:
        """Return the chance that somebody says an attribute of a thing."""
        if base_colour(word):
            return self._colour_chance(item, word)
        words = {attribute_of(part) or part for part in item.words} | set(item.words)
        if word in words or word in item.name.split(" ") or any(word in part.split(" ") for part in item.words):
            return 1.0
        if word in group("neutral"):
            return 0.8
        if word == "empty" and item.box and item.name != "crate":
            on_it = {other.name for other in self.things if other.support == item.id}
            return 0.12 if on_it - group("parts") else 0.5  # a bed with a pillow is empty
        if is_room(word) and self.category:
            return max(room_fit(word, self.category), 0.3)  # "bathroom sink"
        return self._unnamed_attribute_chance(item, word, words)

    def _unnamed_attribute_chance(self, item: SceneThing, word: str, words: Iterable[str]) -> float:
        """Return the chance of an attribute that is none of the words of a thing."""
        section = next((name for name in ATTRIBUTES if word in LEXICON.table(name)), "")
        if section != "sizes" and any(word in other.words for other in self.things if other.name == item.name):
            return 0.1  # as it is said of others of this kind
        if not section:
            return 0.8 if word in words_of("posture") else 0.5
        return self._other_attribute_chance(
            item, section, [part for part in words if part in LEXICON.table(section)], word
        )

    def _other_attribute_chance(self, item: SceneThing, section: str, others: Sequence[str], word: str) -> float:
        """Return the chance of an attribute that the description of a thing lacks."""
        if self.is_complete:
            return 0.04 if section in ("sizes", "materials") else 0.2
        if section == "sizes":
            return 0.75 if not others else 0.3
        is_light = item.name in group("lights")
        if {"lit": "on", "unlit": "off"}.get(word) in item.words:
            return 1.0
        if word == "lit":
            is_annotated = self.kind == "scene" and item.name in group("switched") and not item.is_part
            return 0.05 if is_annotated else 0.25 if is_light else 0.5
        if word == "unlit":
            return 0.05 if {"lit", "burning"} & set(item.words) else 0.8 if is_light else 0.4
        if section in ("states", "materials") and others:
            return 0.2 if section == "materials" else 0.1
        return 0.5

    def _colour_chance(self, item: SceneThing, word: str) -> float:
        if any(word == LEXICON.lemma(part.rsplit(" ", 1)[-1]) for part in item.words if part.startswith("with ")):
            return 1.0  # "an orange tree" is one with oranges
        if word == "colourful" and len({o.colours for o in self.things if o.name == item.name and o.colours}) > 1:
            return 1.0
        return self._hue_chance(item, word) if item.colours else _material_colour_chance(item, word)

    def _hue_chance(self, item: SceneThing, word: str) -> float:
        """Return the chance of a colour word for a thing whose colours are known."""
        best = max(colour_fit(word, colour) for colour in item.colours)
        if self.is_complete and best == NEAR_COLOUR:
            return 0.12
        if len(item.colours) > 1 or "colourful" in item.colours or (item.name in group("leafy") and word == "green"):
            return max(best, 0.4)
        return max(best, 0.2) if item.name in group("many_coloured") and self.kind != "scene" else best

    def place_chances(self, item: SceneThing, places: Sequence[str], phrase: Phrase) -> list[float]:
        """Return the chances of places; of "left and right" the better one counts, for some are left and some right."""
        chances = {place: self.place_chance(item, place, phrase) for place in places if place != "far"}
        for pair in (("left", "right"), ("top", "bottom"), ("front", "back")):
            if set(pair) <= set(chances):
                best = max(chances.pop(place) for place in pair)
                chances[pair[0]] = best
        return list(chances.values())

    def place_chance(self, item: SceneThing, place: str, phrase: Phrase = Phrase()) -> float:
        """Return the chance that somebody says of a thing that it is at a place in the picture."""
        if item.box is None:
            return 0.5
        left, top, right, bottom = item.box
        chances = {
            "left": ramp(0.54 - min(item.x, left + 0.25)),
            "right": ramp(max(item.x, right - 0.25) - 0.46),
            "top": ramp(0.62 - min(item.y, top + 0.2)),
            "bottom": ramp(max(item.y, bottom - 0.2) - 0.4),
            "middle": max(ramp(0.36 - abs(item.x - 0.5)), 0.7 * ramp(0.3 - abs(item.y - 0.5))),
            "front": ramp(bottom - 0.5) if self.is_standing(item) else BASE,
            "back": ramp(0.75 - bottom) if self.is_standing(item) else BASE,
            "corner": 0.9 if min(left, 1 - right) < 0.2 or min(abs(item.x), abs(1 - item.x)) < 0.3 else 0.3,
            "edge": 0.9 if min(left, 1 - right, top, 1 - bottom) < 0.12 else 0.2,
        }
        chance = chances.get(place, 0.7)
        return max(chance, self._relative_place(item, place, phrase))

    @staticmethod
    def is_standing(item: SceneThing) -> bool:
        """Return whether the lower edge of a thing tells how far away it is: it stands on the floor and is seen."""
        return item.box is not None and item.box[3] > 0.5 and not item.support and item.visible >= 0.3

    def _relative_place(self, item: SceneThing, place: str, phrase: Phrase) -> float:
        """Return 0.8 for the leftmost of several that a phrase names: "the left chair"."""
        if place not in SIDE_PLACES or not phrase.definite or phrase.plural:
            return 0.0
        rivals = [other for other in self.things if other.name == item.name]
        axis = "x" if place in ("left", "right") else "y"
        sign = 1 if place in ("left", "top", "back") else -1
        is_first = len(rivals) > 1 and all(
            sign * getattr(other, axis) >= sign * getattr(item, axis) for other in rivals
        )
        return 0.8 if is_first else 0.0

    # -- relations
    def link_chances(self, item: SceneThing, links: Sequence[Link]) -> list[float]:
        """Return the chances of relations; "between" takes its two sides together."""
        sides = [link.phrase for link in links if link.relation == "between"]
        chances = [self.link_chance(item, link) for link in links if link.relation != "between"]
        return [*chances, self._between_chance(item, sides)] if sides else chances

    def _between_chance(self, item: SceneThing, sides: Sequence[Phrase]) -> float:
        """Return the chance that a thing is said to be between others: one on its left and one on its right."""
        groups = [
            [
                other
                for other, fit in self.matches(replace(side, count=Count()))
                if fit.is_possible and other is not item
            ]
            for side in (sides if len(sides) > 1 else [*sides, *sides])
        ]
        if not all(groups):
            return 0.1 if any(self.is_exhaustive(side) for side in sides) else 0.45
        first, second = groups[0], groups[1]
        is_between = any(
            min(a.x, b.x) - 0.02 < item.x < max(a.x, b.x) + 0.02 for a in first for b in second if a is not b
        )
        return 1.0 if is_between else 0.1

    def link_chance(self, item: SceneThing, link: Link) -> float:
        """Return the chance that somebody says of a thing that it is related so to another."""
        chance = self._positive_link_chance(item, link)
        return 1.0 - 0.9 * chance if link.negated else chance

    def _positive_link_chance(self, item: SceneThing, link: Link) -> float:
        relation, target = link.relation, link.phrase
        if relation == "made of":
            words = [attribute_of(target.head) or target.head, *target.modifiers]
            return min(self.attribute_chance(item, word) for word in words)
        if relation == "apart from":
            return 0.05 if self.fit(item, target).is_possible else 1.0
        if relation in ("with", "full of", "of", "without"):
            return self._possession_chance(item, target)
        is_whole = is_room(target.head) or target.head in ("room", *words_of("frame_nouns"))
        is_vague = target.pronoun and not target.modifiers
        if relation in ("as", "for") or is_vague or (is_whole and relation in ("in", "at", "on")):
            return 1.0 if is_vague else 0.8
        return self._surface_chance(item, relation, target.head) or self._placed_chance(item, relation, target)

    def _placed_chance(self, item: SceneThing, relation: str, target: Phrase) -> float:
        """Return the chance of where a thing is said to be, seen from other things."""
        rivals = [(other, self.fit(other, target)) for other in self.everything if other is not item]
        matching = [(other, fit) for other, fit in rivals if fit.is_possible]
        if matching:
            chance = max(max(fit.name, 0.7) * self._geometry(item, relation, other) for other, fit in matching)
            return max(chance, 0.4) if target.head in group("parts") else chance
        if relation in ("in", "of", "at") and self.fit(item, target).is_possible:
            return 0.8  # "the fire in the fireplace"
        return 0.1 if self.is_exhaustive(target) else 0.45 if is_named(target.head) else 0.8

    def _possession_chance(self, item: SceneThing, target: Phrase) -> float:
        """Return the chance that a thing is said to be with something: a part, something on it, or near it."""
        if len(phrases := by_colour(target)) > 1:
            return min(self._possession_chance(item, phrase) for phrase in phrases)
        if not target.head and not target.modifiers:
            return 0.8
        if is_colour_of(item, target):
            return 0.8  # the seat of a red chair, the blanket of a red bed
        carried = [part for part in (*self.parts, *self.things) if part.support == item.id]
        fits = [fit for part in carried if (fit := self.fit(part, target)).name >= YES]
        if any(fit.is_yes for fit in fits):
            return self._count_chance(target, self.matches(target)) if target.count.is_stated else 1.0
        if fits:
            return max(0.3 if target.head in group("parts") else 0.1, *(fit.chance for fit in fits))
        if any(target.head in {LEXICON.lemma(part) for part in word.split(" ")} for word in item.words):
            return 0.9
        return self._neighbour_chance(item, target)

    def _neighbour_chance(self, item: SceneThing, target: Phrase) -> float:
        """Return the chance that a thing is said to be with something that is not on it."""
        others = [(other.name == target.head, self.fit(other, target)) for other in self.things if other is not item]
        if any(fit.is_yes for _, fit in others):
            return 0.6
        namesakes = [fit for has_name, fit in others if has_name]
        if namesakes and not any(fit.is_possible for fit in namesakes):
            return 0.15
        return 0.1 if self.is_exhaustive(target) else 0.45

    def _surface_chance(self, item: SceneThing, relation: str, head: str) -> float | None:
        """Return the chance of "on the wall", "on the floor" or "from the ceiling", None for other phrases."""
        if relation not in ("on", "at", "in", "from", "above", "next to"):
            return None
        names = self.support_names(item) or {item.name}
        on_wall = not group("wall").isdisjoint(names)
        if head == "wall":
            hangs = item.box is not None and item.box[3] < 0.5 and not item.support
            return 0.9 if on_wall else 0.15 if item.support else 0.7 if hangs else 0.5
        if head in ("floor", "ground"):
            return 0.12 if item.support or on_wall else 0.9 if item.box and item.box[3] > 0.5 else 0.4
        if head == "ceiling":
            return 0.9 if item.name in ("ceiling lamp", "chandelier", "mobile", "lamp") else 0.4
        return None

    def support_names(self, item: SceneThing) -> set[str]:
        """Return the names of what a thing is on, and of what that is on."""
        names: set[str] = set()
        while item.support in self.by_id and len(names) < 5:
            item = self.by_id[item.support]
            names.add(item.name)
        return names

    def _geometry(self, item: SceneThing, relation: str, other: SceneThing) -> float:
        """Return the chance of a relation between two things by their boxes."""
        if relation in ("on", "in"):
            return self._support_chance(item, other)
        if item.box is None or other.box is None:
            return 0.5
        across, down = other.x - item.x, other.y - item.y
        gap = max(item.box[0] - other.box[2], other.box[0] - item.box[2], 0) + max(
            item.box[1] - other.box[3], other.box[1] - item.box[3], 0
        )
        nearer = item.box[3] - other.box[3]
        reach = (item.box[2] - item.box[0] + other.box[2] - other.box[0]) / 2 + 0.05
        overlap = 1.0 if abs(across) < reach else 0.3 if abs(across) < 2 * reach else 0.1
        chances = {
            "left of": ramp(across * 4 + 0.1),
            "right of": ramp(0.1 - across * 4),
            "above": 0.05 if item.support == other.id else ramp(down * 4 + 0.1) * overlap,
            "below": ramp(0.1 - down * 4) * overlap,
            "in front of": 1.0 if (item.id, "in front of", other.id) in self._relations else ramp(nearer * 4) * overlap,
            "behind": 1.0 if (other.id, "in front of", item.id) in self._relations else ramp(-nearer * 4) * overlap,
            "at": ramp(0.75 - gap * 2.5),
            "next to": ramp(0.75 - gap * 2.5),
            "around": ramp(0.75 - gap * 2.5),
            "larger than": ramp(item.size / max(other.size, 1e-6) - 1.4),
            "smaller than": ramp(other.size / max(item.size, 1e-6) - 1.4),
        }
        return chances.get(relation, 0.6)

    def _support_chance(self, item: SceneThing, other: SceneThing) -> float:
        if item.support == other.id or other.name in self.support_names(item):
            return 1.0
        if item.support and self.by_id.get(item.support, item).name != other.name:
            return 0.1
        if any(third.support == other.id for third in self.things):
            return 0.12  # what is on it is annotated
        if item.box and other.box:
            inside = other.box[0] - 0.02 <= item.x <= other.box[2] + 0.02 and other.box[1] - 0.05 <= item.box[3]
            return 0.6 if inside and item.box[3] <= other.box[3] + 0.05 else 0.3 if not item.support else 0.1
        return 0.5

    # -- phrases
    def is_exhaustive(self, phrase: Phrase) -> bool:
        """Return whether the description names all that a phrase could mean."""
        if self.kind == "photo" or self.category == "art gallery":
            return False
        if self.is_complete:
            return is_named(phrase.head)
        if not is_alive(phrase.head) and not all(attribute_of(word) or base_colour(word) for word in phrase.modifiers):
            return False  # "number plate" may be no plate
        if self.kind == "scene" and phrase.head in group("complete_in_scenes"):
            return True
        return is_complete_kind(phrase.head) and not (is_alive(phrase.head) and self.category in group("pictured"))

    def matches(self, phrase: Phrase) -> list[tuple[SceneThing, Fit]]:
        """Return the things that a phrase may mean, the best first; parts and surfaces only if no thing is named so."""
        fits = [(item, self.fit(item, phrase)) for item in self.everything]
        close = [(item, fit) for item, fit in fits if fit.name > 0.3]
        best = max((fit.name for _, fit in close), default=0.0)
        if best >= 0.9:  # "book": not what is only near to a book
            close = [(item, fit) for item, fit in close if fit.name >= YES]
        return sorted(close, key=lambda pair: -pair[1].chance)

    def count_range(self, phrase: Phrase) -> tuple[int, int]:
        """Return how many things are surely as a phrase says, and how many may be."""
        matches = self.matches(replace(phrase, count=Count()))
        yes = sum(item.number for item, fit in matches if fit.is_yes)
        possible = sum(item.number for item, fit in matches if fit.is_possible)
        return yes, possible

    def is_countable(self, phrase: Phrase) -> bool:
        """Return whether what is not in the description is not in the picture: for "no" and for numbers."""
        if self.is_exhaustive(phrase):
            return True
        names = {item.name for item, fit in self.matches(phrase) if not item.is_part and fit.name >= YES}
        return bool(names) and names.isdisjoint(group("parts"))

    def exists(self, phrase: Phrase) -> Truth:
        """Return whether there is what a phrase says, in its number."""
        yes, possible = self.count_range(phrase)
        truth = counted_truth(phrase.count, yes, possible)
        if yes > phrase.count.high:
            return Truth.NO
        if truth is Truth.YES and not phrase.negated:
            is_seen = any(item.is_seen for item, fit in self.matches(phrase) if fit.is_yes)
            return truth if is_seen or not yes else Truth.UNKNOWN
        return truth if self.is_countable(phrase) else Truth.UNKNOWN

    def chance(self, phrase: Phrase) -> float:
        """Return the chance that a phrase is said to be in this picture."""
        if len(phrases := by_colour(phrase)) > 1:
            certainty = 1.0 if phrase.plural else 0.8
            return max(certainty * min(self.chance(part) for part in phrases), self._chance_of_all(phrase))
        return self._chance_of_all(phrase)

    def _chance_of_all(self, phrase: Phrase) -> float:
        """Return the chance of a phrase all of whose attributes are of the same things."""
        matches = self.matches(phrase)
        best = max((fit.chance for _, fit in matches), default=0.0)
        hidden = self._hidden_chance(phrase, matches)
        hidden = min([hidden, *(self.chance(link.phrase) for link in phrase.links if is_object(link))])
        present = max(best, hidden)
        content = phrase.link_target("of")
        if present < BASE and content and phrase.head in group("containers"):
            return 0.8 * self.chance(replace(content, count=phrase.count, plural=phrase.plural))
        if phrase.count.high == 0 and phrase.raw == "nobody" and phrase.links:
            phrase = replace(phrase, head="animal", raw="")
            return 0.6 * self._chance_of_all(phrase) + 0.4 * (best < 0.5)
        if phrase.count.high == 0:
            if best > 0.5 and not any(item.is_clear or item.box is None for item, _ in matches):
                return 0.5  # hardly to be seen
            return max(0.04, 1.0 - 1.05 * present) if best > 0.5 or hidden < 0.1 else 0.6
        is_certain = best > hidden and any(fit.name >= YES for _, fit in matches)
        return present * self._count_chance(phrase, matches) if is_certain else present

    def _hidden_chance(self, phrase: Phrase, matches: Sequence[tuple[SceneThing, Fit]]) -> float:
        """Return the chance that a description leaves out what a phrase means."""
        has_name = any(fit.name >= YES for _, fit in matches)
        if self.is_exhaustive(phrase) or (has_name and not any(item.name in group("parts") for item, _ in matches)):
            return HIDDEN_COMPLETE
        exact_names = {item.name for item, fit in matches if fit.name >= 0.9 and not item.is_part}
        if exact_names and (self.kind == "scene" or exact_names.isdisjoint(group("mixed"))):
            return HIDDEN_KIND
        names = {name for name in table("things") if name_fit(phrase.head, name) >= YES}
        if not names or phrase.head in group("surfaces"):
            return HIDDEN_UNKNOWN
        return HIDDEN_NAMED if names.isdisjoint(group("parts")) else HIDDEN_PART

    def _count_chance(self, phrase: Phrase, matches: Sequence[tuple[SceneThing, Fit]]) -> float:
        """Return the chance of the number in a phrase, given the things it may mean."""
        clear = sum(item.number for item, fit in matches if fit.is_yes and (item.is_clear or item.is_part))
        number = sum(item.number for item, fit in matches if fit.is_possible)
        low, high = phrase.count.low, phrase.count.high
        if not phrase.count.is_stated:
            return _plural_chance(phrase, number, any(item.is_several or not item.box for item, _ in matches))
        if clear <= high and number >= low:
            return 1.0
        if high >= MANY and any(item.is_part or item.is_several for item, fit in matches if fit.is_possible):
            return 0.8  # "shelf of bottles" does not say how many
        if self.is_complete or phrase.places:  # where the left ends and the middle begins is open
            return 0.05 if self.is_complete else 0.4
        return self._wrong_count_chance((low, high), (number, clear))

    def _wrong_count_chance(self, limits: tuple[int, int], counts: tuple[int, int]) -> float:
        """Return the chance of a miscount; `counts` are how many there may be and how many there surely are."""
        number = counts[0]
        if min(abs(limit - count) for limit in limits for count in counts) > 1:
            return 0.05 if number <= 8 else 0.2
        return 0.06 if number <= (5 if self.kind == "scene" else 3) else 0.3

    def category_chance(self, phrase: Phrase) -> float | None:
        """Return the chance that the whole picture is called so, None if the phrase names no place."""
        if not is_room(phrase.head) and phrase.head not in ("room", "place"):
            return None
        if self.kind == "objects":
            return 0.04
        if phrase.head in ("room", "place"):
            return 1.0
        if not self.category:
            return 0.5
        chance = room_fit(phrase.head, self.category)
        return max(chance, 0.12) if self.kind == "scene" else chance


def _plural_chance(phrase: Phrase, number: int, is_named_plural: bool) -> float:
    """Return the chance of a singular or plural without a number, given the number of things it may mean."""
    if phrase.plural:
        return 0.45 if number < 2 and not is_named_plural else 1.0
    return 1.0 if number == 1 else 0.8


EXACT_RELATIONS = {"left of", "right of", "above", "below"}


def is_object(link: Link) -> bool:
    """Return whether a link names a thing that has to be in the picture, too."""
    return bool(link.phrase.head) and not link.negated and link.relation not in OTHERWISE


def is_colour_of(item: SceneThing, part: Phrase) -> bool:
    """Return whether the colour of a thing is said of a part of it."""
    said_colours = [word for word in part.modifiers if base_colour(word)]
    return bool(said_colours) and all(
        any(colour_fit(word, colour) >= YES for colour in item.colours) for word in said_colours
    )


def _material_colour_chance(item: SceneThing, word: str) -> float:
    """Return the chance of a colour word for a thing of which only the material is known."""
    if "wooden" in item.words:
        return 0.75 if word in ("brown", "light brown", "dark brown", "beige") else 0.15
    if "metal" in item.words or item.name in ("tap", "sink"):
        return 0.7 if base_colour(word) in ("grey", "white", "golden") else 0.2
    return 0.4


def by_colour(phrase: Phrase) -> list[Phrase]:
    """Return "red cushion" and "yellow cushion" for "red and yellow cushions", else the phrase."""
    colours = [word for word in phrase.modifiers if base_colour(word)]
    if len(colours) < 2 or phrase.count.is_stated:
        return [phrase]
    others = tuple(word for word in phrase.modifiers if word not in colours)
    return [replace(phrase, modifiers=(*others, colour), plural=False, count=Count()) for colour in colours]


def split_colours(attribute: str) -> tuple[str, ...]:
    """Return "red" and "white" for "red and white", any other attribute as it is."""
    words = tuple(attribute.split(" and "))
    return words if all(base_colour(word) for word in words) else (attribute,)


def _read_object(entry: PictureObject, picture: PictureDescription, support: str) -> SceneThing:
    box = None
    if entry.box:
        x, y, wide, high = entry.box
        width, height = picture.width, picture.height
        box = (x / width, y / height, (x + wide) / width, (y + high) / height)
    words = tuple(word for attribute in entry.attributes for word in split_colours(attribute))
    return SceneThing(entry.id, entry.name, words, box, entry.visible, support)


def place_by_relations(things: Sequence[SceneThing], relations: Sequence[tuple[str, str, str]]) -> list[SceneThing]:
    """Return things without boxes in the order that "left of" and "in front of" give them, if there is any."""
    from_left = Counter(target for _, relation, target in relations if relation == "left of")
    from_front = Counter(target for _, relation, target in relations if relation == "in front of")
    if not from_left:
        return list(things)
    step = 0.9 / len(things)
    places = [(item, 0.05 + step * from_left[item.id], 0.9 - step * from_front[item.id]) for item in things]
    return [replace(item, box=(x, y, x + step / 2, y + step / 2)) for item, x, y in places]


def surface_names(surface: PictureSurface) -> list[str]:
    """Return what a surface is called: a carpeted floor is a carpet, too."""
    return [surface.name, *(["carpet"] if "carpeted" in surface.attributes else [])]


def parts_of(item: SceneThing) -> Iterable[SceneThing]:
    """Yield what the words of a description say a thing has: "with red flowers", "full of bread", "with 5 candles".

    The colour of a bed is that of its blanket.
    """
    if item.name in ("bed", "hospital bed") and item.colours:
        yield SceneThing(f"{item.id} blanket", "blanket", item.colours, item.box, item.visible, item.id, is_part=True)
    for word in item.words:
        start, _, rest = word.partition(" ")
        if start not in ("with", "full", "of") or not rest:
            continue
        words = [part for part in rest.removeprefix("of ").split(" ") if part not in ("and", "a")]
        name = LEXICON.lemma(words[-1])
        number = next((int(part) for part in words if part.isdigit()), 2 if name != words[-1] else 1)
        modifiers = tuple(part for part in words[:-1] if not part.isdigit() and part not in NUMBER_WORDS)
        yield SceneThing(
            f"{item.id} {word}", name, modifiers, item.box, item.visible, item.id, is_part=True, number=number
        )


def ramp(value: float) -> float:
    """Return a chance from 0.05 (value 0 or less) to 1 (value 0.24 or more)."""
    return min(1.0, max(0.05, value / 0.24))


# ---------------------------------------------------------------------- claims
class SceneEvaluator:
    """Judges claims about one picture."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def chance(self, claim: Claim) -> float:
        """Return the chance that somebody who sees this picture makes a claim."""
        if claim.kind == "exists":
            chance = self._exists_chance(claim)
        elif is_about_picture(claim) and claim.object:
            chance = self._exists_chance(replace(claim, kind="exists", subject=claim.object))
        else:
            chance = self._predicate_chance(claim)
        return 1.0 - 0.95 * chance if claim.negated else chance

    def _exists_chance(self, claim: Claim) -> float:
        phrase = of_material(claim.subject)
        if not phrase.head and phrase.is_bare:
            return BASE
        if is_frame(phrase):
            of_something = any(link.relation == "of" and not is_room(link.phrase.head) for link in phrase.links)
            return max(0.4 if of_something else 0.0, math.prod(self._content_chance(link) for link in phrase.links))
        category = self.scene.category_chance(phrase)
        matches = self.scene.matches(Phrase(phrase.head))
        if category is None:
            chance = self.scene.chance(phrase)
            return chance if phrase.negated or matches else chance * self._surroundings_chance(phrase)
        if matches and (phrase.modifiers or phrase.places or (category < BASE and not phrase.is_bare)):
            return max(self.scene.chance(phrase), category if category < BASE else 0.0)
        chance = self._walls_chance(phrase) * max(category, 0.7 * matches[0][1].chance if matches else 0.0)
        chance = 1.0 - 0.95 * chance if phrase.negated else chance
        return chance * self._surroundings_chance(phrase)

    def _surroundings_chance(self, phrase: Phrase) -> float:
        """Return the chance of all that a phrase says something is in or has."""
        return math.prod(self._within_chance(link) for link in phrase.links if link.relation in WITHIN)

    def _walls_chance(self, phrase: Phrase) -> float:
        """Return the chance that a room is called pink: by its walls, half for sure."""
        walls = [surface for surface in self.scene.surfaces if surface.name == "wall"]
        colours = [word for word in phrase.modifiers if base_colour(word)]
        return max(0.5, *(min(self.scene.attribute_chances(wall, colours), default=1.0) for wall in walls), 0.5)

    def _content_chance(self, link: Link) -> float:
        """Return the chance of what a picture is said to have."""
        return self._exists_chance(Claim("exists", link.phrase))

    def _within_chance(self, link: Link) -> float:
        """Return the chance of "in a garden", "with a stove" after the name of a place."""
        if not link.phrase.head and not link.phrase.modifiers:
            return 1.0
        chance = self.scene.chance(link.phrase)
        return max(chance, 0.6) if link.relation in ("in", "at", "of") else chance

    def _predicate_chance(self, claim: Claim) -> float:
        """Return the chance that the subject of a claim is as it says."""
        matches = self.scene.matches(claim.subject)
        likely = [(item, fit) for item, fit in matches if fit.chance >= matches[0][1].chance / 3]
        chances = [self.predicate_fit(item, claim) * fit.chance for item, fit in likely]
        best = max(chances, default=0.0)
        hidden = HIDDEN_COMPLETE if chances or self.scene.is_exhaustive(claim.subject) else HIDDEN_UNKNOWN
        return max(best, hidden)

    def predicate_fit(self, item: SceneThing, claim: Claim) -> float:
        """Return the chance that somebody says of a thing what a claim says of its subject."""
        scene = self.scene
        aspects = scene.attribute_chances(item, claim.attributes)
        aspects += scene.place_chances(item, claim.places, claim.subject)
        aspects += scene.link_chances(item, claim.links)
        if claim.object and claim.kind == "has":
            aspects.append(scene.link_chance(item, Link("with", claim.object)))
        elif claim.object:
            fit = scene.fit(item, replace(claim.object, count=Count()))
            aspects.append(fit.chance if fit.name else 0.1 if is_named(claim.object.head) else 0.4)
        return joint(aspects)

    def truth(self, claim: Claim) -> Truth:
        """Return whether a claim is so."""
        if claim.kind == "exists":
            truth = self._exists_truth(claim.subject)
        else:
            truth = self._predicate_truth(claim)
        return negate(truth) if claim.negated else truth

    def _exists_truth(self, phrase: Phrase) -> Truth:
        phrase = of_material(phrase)
        if is_frame(phrase):
            truths = [self._exists_truth(link.phrase) for link in phrase.links]
            return next((truth for truth in (Truth.NO, Truth.UNKNOWN) if truth in truths), Truth.YES)
        category = self.scene.category_chance(phrase)
        if category is not None and phrase.is_bare and not (is_named(phrase.head) and category < YES):
            return Truth.YES if category >= YES else Truth.NO if category <= NO else Truth.UNKNOWN
        return self.scene.exists(phrase)

    def _predicate_truth(self, claim: Claim) -> Truth:
        if is_about_picture(claim) and claim.object:
            return self._exists_truth(replace(claim.object, count=Count()))
        subjects = self.subjects(claim.subject)
        if not subjects:
            return self.scene.exists(replace(claim.subject, count=Count()))
        chances = [self.predicate_fit(item, claim) for item in subjects]
        if claim.subject.count.is_stated:
            yes, possible = (sum(chance >= limit for chance in chances) for limit in (YES, NO))
            return counted_truth(claim.subject.count, yes, possible)
        is_any = any(chance >= YES for chance in chances)
        if min(chances) >= YES or (is_any and claim.subject.definite and not claim.subject.plural):
            return Truth.YES
        is_denied = max(chances) <= NO or (is_any and claim.subject.plural and min(chances) <= NO)
        return Truth.NO if is_denied else Truth.UNKNOWN

    def subjects(self, phrase: Phrase) -> list[SceneThing]:
        """Return the things that a question or claim is about."""
        matches = self.scene.matches(replace(phrase, count=Count()))
        sure = [item for item, fit in matches if fit.is_yes]
        return sure or [item for item, fit in matches if fit.is_possible and fit.name >= YES]

    def judge(self, claim: Claim) -> Verdict:
        """Return whether a claim is so, and its weight as evidence."""
        chance = self.chance(claim)
        truth = Truth.YES if chance >= YES else Truth.NO if chance <= DOUBTFUL else Truth.UNKNOWN
        weight = {Truth.YES: FITTING, Truth.UNKNOWN: 0.0}.get(truth, 0.0)
        if truth is Truth.NO:
            weight = max(self._limit(claim), 1.2 * math.log(chance / DOUBTFUL))
        return Verdict(truth, weight, claim.text)

    def _limit(self, claim: Claim) -> float:
        """Return the most that a claim which does not fit counts, by what of it does not fit.

        In natural descriptions of the very picture, places, relations, names of rooms and things that are only named
        otherwise are what seems not to fit; colours, numbers and things of which all are named hardly ever.
        """
        phrase = claim.subject
        if claim.kind != "exists":
            return WEAK if claim.object else STRONGEST
        if phrase.negated:
            return STRONGEST if self.scene.is_exhaustive(phrase) else WEAK
        if phrase.links and self._fits_better(claim, replace(phrase, links=())):
            is_exact = any(link.relation in EXACT_RELATIONS for link in phrase.links)
            others = [Claim("exists", link.phrase) for link in phrase.links if not link.negated]
            return min([STRONGEST if is_exact else WEAK, *(self.judge(other).weight for other in others)])
        if self.scene.category_chance(phrase) is not None:
            return ROOM
        if phrase.modifiers and self._fits_better(claim, replace(phrase, modifiers=())):
            is_look = any(map(base_colour, phrase.modifiers)) or self.scene.is_complete
            return STRONGEST if is_look else VAGUE
        return self._limit_of_absence(phrase)

    def _limit_of_absence(self, phrase: Phrase) -> float:
        """Return the most that counts that things are not here, or not in a number."""
        if phrase.count.is_stated or self.scene.matches(Phrase(phrase.head)):
            return STRONGEST
        if not self.scene.is_exhaustive(phrase):
            return VAGUE
        return WEAK if phrase.plural and not is_alive(phrase.head) else STRONGEST

    def _fits_better(self, claim: Claim, phrase: Phrase) -> bool:
        """Return whether a claim would not count against "same" with a shorter phrase."""
        return self.chance(replace(claim, subject=phrase)) > DOUBTFUL


def counted_truth(count: Count, yes: int, possible: int) -> Truth:
    """Return whether something is so of a number of things, given of how many it is so and may be so."""
    if count.low <= yes and (count.high >= MANY or possible <= count.high):
        return Truth.YES
    return Truth.NO if possible < count.low or yes > count.high else Truth.UNKNOWN


def is_ordered(text: str) -> bool:
    """Return whether a text names things from left to right."""
    return "left to right" in text.lower()


def fits_order(scene: Scene, claims: Iterable[Claim]) -> bool:
    """Return whether the things of a text stand from left to right as they are named."""
    at, free = 0.0, list(scene.things)
    for claim in claims:
        options = [item for item in free if item.box and scene.fit(item, claim.subject).is_yes]
        if not options:
            continue
        item = min(options, key=lambda option: (option.x < at - SAME_PLACE, option.x))
        if item.x < at - SAME_PLACE:
            return False
        at = max(at, item.x)
        free.remove(item)
    return True


def is_frame(phrase: Phrase) -> bool:
    """Return whether a phrase only says that the picture has something: "the one with …", "a picture of …"."""
    names_picture = phrase.head in words_of("frame_nouns") and not phrase.modifiers
    is_bare = not phrase.head and not phrase.modifiers and not phrase.places
    return bool(phrase.links) and (names_picture or is_bare) and all(link.relation in WITHIN for link in phrase.links)


def is_about_picture(claim: Claim) -> bool:
    """Return whether a claim says what the picture is: "it is a kitchen", "my picture shows a kitchen"."""
    subject = claim.subject
    return (subject.pronoun and not subject.head and subject.is_bare) or subject.head in words_of("frame_nouns")


def of_material(phrase: Phrase) -> Phrase:
    """Return "a tiled wall" for "tiles on the wall", other phrases as they are."""
    attribute = attribute_of(phrase.head) or attribute_of(f"{phrase.head}s")
    target = phrase.link_target("on")
    if attribute in ("tiled", "brick", "striped") and target and target.head:
        return replace(target, modifiers=(attribute, *target.modifiers), count=phrase.count)
    return phrase


WITHIN = ("with", "in", "of", "at", "full of")


def negate(truth: Truth) -> Truth:
    """Return the opposite truth."""
    return {Truth.YES: Truth.NO, Truth.NO: Truth.YES}.get(truth, truth)
