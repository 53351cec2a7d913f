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
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from games.common.language.claims import LESS, MANY, MORE, Claim, Count, Link, Phrase, Truth, Verdict
from games.common.language.grammar import attribute_of, attribute_table, words_of
from games.common.language.lexicon import LEXICON, Vocabulary
from games.common.language.tokens import MANY_WORDS, NUMBER_WORDS
from games.common.pictures import PictureDescription, PictureObject

MANY_PAIRS = 65_536
"""How many pairs of a word of people and a name are remembered."""
SAME_PLACE = 0.05
"""Things that are no further apart may be named in any order."""
SURFACE = "surface "
"""The start of the ids of walls, floors and the like."""
CLOSE = 0.4
"""From which chance on a name may be meant; words that are only near in meaning have less."""
EXACT = 0.8
"""From which chance on a name is what things are called, not only a kind of them."""
YES, NO = 0.6, 0.13
"""From and up to which chance an aspect counts as so and as not so."""
HIDDEN_COMPLETE, HIDDEN_KIND, HIDDEN_NAMED, HIDDEN_PART, HIDDEN_UNKNOWN = 0.04, 0.07, 0.14, 0.3, 0.45
"""The chance that something is mentioned of a picture whose description lacks it: kinds all of which are named; kinds
that descriptions name; words that no description has."""
WALLS = {"left": (0.0, 0.4), "right": (0.6, 1.0), "back": (0.3, 0.7)}
"""Where things on a wall surely are, as shares of the picture from the left; of other walls it is not known."""
NOWHERE = (1.0, 0.0)
WITHIN = ("with", "in", "of", "at", "full of")
OTHERWISE = ("as", "for", "made of", "apart from", "without")
"""Relations to what does not have to be in the picture."""
UNSEEN_RELATIONS = {"as": 0.8, "for": 0.8, "like": 0.5}
"""The chances of relations that a picture does not show: "used as a desk", "shaped like a barrel"."""
EXACT_RELATIONS = frozenset(("left of", "right of", "above", "below"))
BASE = 0.5
"""The chance of what says nothing."""
SIZE_OPPOSITES = {
    "large": "small short narrow",
    "small": "large tall long wide",
    "tall": "short small",
    "long": "short small",
    "short": "tall long large",
    "wide": "narrow small",
    "narrow": "wide large",
}
NEAR_COLOUR = 0.35
MOST = 0.75
"""Up to which share of several things "are they red?" is denied: of more, most people say yes."""
DOUBTFUL = 0.25
"""The chance from which down a claim speaks for "different"."""
FITTING, STRONGEST = 0.15, -2.5
"""The weight of a claim that fits, and of one that cannot be meant."""
ROOM, COUNTED, WEAK, VAGUE = -1.45, -1.15, -0.9, -0.7
"""The most that claims count against "same" which people may mean otherwise: rooms; more things in a room than are
named, where some may not be; places and relations; names."""


@cache
def table(name: str) -> dict[str, list[str]]:
    """Return a table of `things.toml`: what people call things and rooms, kinds, groups of names."""
    section: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("things.toml").read_text("utf-8"))[name]
    return section


@cache
def group(name: str) -> frozenset[str]:
    """Return a list of names: "wall", "parts", "lights", "leafy", "standing_lamps"."""
    return frozenset(table("groups")[name])


@cache
def vocabulary() -> Vocabulary:
    """Return the names of things and places, and what people call them."""
    sections = (table(section).items() for section in ("things", "rooms", "generic"))
    names = dict.fromkeys(word for section in sections for name, others in section for word in (name, *others))
    return Vocabulary([*names, *sorted(group("complete") | group("surfaces"))])


# ---------------------------------------------------------------------- names
@lru_cache(MANY_WORDS)
def generic_kind(head: str) -> str | None:
    """Return "thing" for object or item, "person" for visitor, …, None for other words."""
    return next((kind for kind, words in table("generic").items() if head == kind or head in words), None)


@lru_cache(MANY_PAIRS)
def name_fit(head: str, name: str) -> float:
    """Return the chance that somebody calls a thing so that a description calls `name`."""
    others = table("things").get(name, ())
    if head in ("", name) or generic_kind(head) == "thing":
        return 1.0
    if head in table("maybe").get(name, ()):
        return 0.5
    if head in others:
        return 0.9 if others.index(head) < 4 else 0.78
    last = name.rsplit(" ", 1)[-1]
    singular = LEXICON.lemma(last)
    if head in (last, singular):
        return 0.95
    if head.endswith(f" {name}"):
        return 0.5 if head in group("complete") else 0.79  # "pool table" is a table of its own kind
    similarity = 0.38 * LEXICON.near(head).get(name, 0.0)
    if head in group("kinds"):  # "animal" of "cat"
        return 0.9 if LEXICON.is_a(singular, head) or LEXICON.is_a(name, head) else similarity
    is_kind = head != singular and head not in table("things")  # a kettle is no pot: it would be called a kettle
    return 0.65 if is_kind and LEXICON.is_a_first(head, name) else similarity  # "spaniel" of "dog"


@lru_cache(MANY_WORDS)
def room_fit(head: str, category: str) -> float:
    """Return the chance that somebody calls a room of a category so; 0.04 for an unrelated room."""
    names = {category, *table("rooms").get(category, ())}
    if head in names:
        return 1.0
    families = ({room, *words} for room, words in table("rooms").items())
    return 0.3 if any(head in family and names & family for family in families) else 0.04


@lru_cache(MANY_WORDS)
def is_room(head: str) -> bool:
    """Return whether a word names a place as a whole: bedroom, pub, workshop."""
    return any(head in (room, *words) for room, words in table("rooms").items())


@lru_cache(MANY_WORDS)
def names_meant(head: str) -> frozenset[str]:
    """Return the names of things in descriptions that a word means."""
    return frozenset(name for name in table("things") if name_fit(head, name) >= YES)


@lru_cache(MANY_WORDS)
def is_named(head: str) -> bool:
    """Return whether descriptions have a name for what a word means."""
    return bool(names_meant(head))


@lru_cache(MANY_WORDS)
def is_alive(head: str) -> bool:
    """Return whether a word names a person or an animal."""
    is_animal = head in group("complete") and LEXICON.is_a_first(head, "animal")
    return is_animal or generic_kind(head) in ("person", "animal")


@lru_cache(MANY_WORDS)
def is_complete_kind(head: str) -> bool:
    """Return whether the descriptions of rooms and scenes name all things of a kind."""
    names = {head} & table("things").keys() or {name for name, others in table("things").items() if head in others[:4]}
    return head in group("complete") or is_alive(head) or (bool(names) and names <= group("complete"))


@lru_cache(MANY_WORDS)
def base_colour(word: str) -> str | None:
    """Return the colour without its shade ("dark red" -> red), None if the word is no colour."""
    colours = LEXICON.table("colours")
    shade, _, colour = word.rpartition(" ")
    return colour if colour in colours and shade in ("", "dark", "light") else word if word in colours else None


def colours_in(words: Iterable[str]) -> list[str]:
    """Return the words that are colours."""
    return [word for word in words if base_colour(word)]


@lru_cache(MANY_WORDS)
def colour_fit(word: str, colour: str) -> float:
    """Return the chance that somebody calls a colour so."""
    base, other = base_colour(word) or word, base_colour(colour) or colour
    if word == colour:
        return 1.0
    if base == other:
        return 0.2 if {word.split(" ")[0], colour.split(" ")[0]} == {"dark", "light"} else 0.85
    if {base, other} == {"golden", "yellow"}:
        return 0.7
    near = LEXICON.table("near_colours")
    if word in near.get(colour, ()) and word != base:
        return 0.9  # "light blue" of cyan
    return NEAR_COLOUR if other in near.get(base, ()) or base in near.get(other, ()) else 0.04


# ---------------------------------------------------------------------- things
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class SceneThing:
    """A thing in a picture. `box` is left, top, right, bottom as shares of the picture, None for walls and parts."""

    id: str
    name: str
    words: tuple[str, ...]
    box: Box | None
    visible: float = 1.0
    support: str = ""
    """The id of what it is on or part of."""
    is_part: bool = False
    number: int = 1
    is_uncounted: bool = False
    """Whether there may be more than the description names: flowers of "with red flowers", small or hidden things."""

    @property
    def is_several(self) -> bool:
        """Whether its name leaves open how many it is: "stairs", "stack of books"."""
        return self.is_uncounted or self.name.endswith("s") or " of " in self.name or self.name in group("several")

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """The words that are colours, with their shades."""
        return tuple(colours_in(self.words))

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


def _read_object(entry: PictureObject, picture: PictureDescription, support: str) -> SceneThing:
    box = None
    if entry.box:
        x, y, wide, high = entry.box
        width, height = picture.width, picture.height
        box = (x / width, y / height, (x + wide) / width, (y + high) / height)
    words: list[str] = []
    for attribute in entry.attributes:
        colours = attribute.split(" and ")  # "red and white"
        words += colours if all(map(base_colour, colours)) else [attribute]
    return SceneThing(entry.id, entry.name, tuple(words), box, entry.visible, support)


def _names_with_gaps(things: Sequence[SceneThing]) -> set[str]:
    """Return the names of which some are left out: those of "lamp 4" where there are two lamps."""
    numbers = Counter(item.name for item in things)
    last = {item.id: item.id.rpartition(" ")[2] for item in things}
    return {item.name for item in things if last[item.id].isdigit() and int(last[item.id]) > numbers[item.name]}


def place_by_relations(things: Sequence[SceneThing], relations: Sequence[tuple[str, str, str]]) -> list[SceneThing]:
    """Return things without boxes in the order that "left of" and "in front of" give them, if there is any."""
    from_left = Counter(target for _, relation, target in relations if relation == "left of")
    from_front = Counter(target for _, relation, target in relations if relation == "in front of")
    if not from_left:
        return list(things)
    step = 0.9 / len(things)
    places = [(item, 0.05 + step * from_left[item.id], 0.9 - step * from_front[item.id]) for item in things]
    return [replace(item, box=(x, y, x + step / 2, y + step / 2)) for item, x, y in places]


def parts_of(item: SceneThing) -> Iterable[SceneThing]:
    """Yield what the words of a description say a thing has: "with red flowers", "full of bread", "with 5 candles".

    The colour of a bed is that of its blanket.
    """
    part = replace(item, id=f"{item.id} blanket", name="blanket", support=item.id, is_part=True)
    if item.name in ("bed", "hospital bed") and item.colours:
        yield replace(part, words=item.colours, is_uncounted=False)
    for text in item.words:
        start, _, rest = text.partition(" ")
        if start in ("with", "full", "of") and rest:
            words = [word for word in rest.removeprefix("of ").split(" ") if word not in ("and", "a")]
            name = LEXICON.lemma(words[-1])
            numbers = [int(word) for word in words if word.isdigit()]
            is_uncounted = name != words[-1] and not numbers
            look = tuple(word for word in words[:-1] if not word.isdigit() and word not in NUMBER_WORDS)
            part = replace(part, name=name, words=look, is_uncounted=is_uncounted)
            yield replace(part, id=f"{item.id} {text}", number=(*numbers, 1 + is_uncounted)[0])


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


NO_FIT = Fit(0.0, 0.0, 0.0)


def without_loose(fits: Sequence[tuple[SceneThing, Fit]]) -> Sequence[tuple[SceneThing, Fit]]:
    """Return the fits without things that are only called so loosely, where others have just this name."""
    is_exact = any(fit.name >= 0.95 for _, fit in fits)
    return [(item, fit) for item, fit in fits if fit.name >= EXACT] if is_exact else fits


def joint(chances: Sequence[float]) -> float:
    """Return the chance of all of some aspects: unknown ones count once, and not where another is doubtful."""
    clear = [chance for chance in chances if not DOUBTFUL < chance < YES]
    is_doubtful = any(chance <= DOUBTFUL for chance in clear)
    return math.prod(clear) * (1.0 if is_doubtful else min(set(chances) - set(clear), default=1.0))


def ramp(value: float) -> float:
    """Return a chance from 0.05 (value 0 or less) to 1 (value 0.24 or more)."""
    return min(1.0, max(0.05, value / 0.24))


class Scene:
    """A picture as its description tells it."""

    def __init__(self, description: Mapping[str, Any]) -> None:
        """Take a description as a picture has it, with or without its id."""
        picture = PictureDescription.model_validate({"id": "", **description})
        self.kind, self.category, self.captions = picture.kind, picture.category, picture.captions
        self.is_complete = self.kind == "objects"
        self._fits: dict[tuple[str, Phrase], Fit] = {}
        supports = {subject: target for subject, relation, target in picture.relations if relation == "on"}
        things = [_read_object(entry, picture, supports.get(entry.id, "")) for entry in picture.objects]
        uncounted = _names_with_gaps(things) if self.kind == "room" else ()
        self.things = [replace(item, is_uncounted=item.name in uncounted) for item in things]
        if not any(entry.box for entry in picture.objects):
            self.things = place_by_relations(self.things, picture.relations)
        self.by_id = {item.id: item for item in self.things}
        names = {item.name for item in self.things}
        parts = [part for item in self.things for part in parts_of(item)]
        self.parts = [part for part in parts if part.name != "blanket" or part.name not in names]
        surfaces = [(surface.name, surface.attributes) for surface in picture.surfaces]
        surfaces += [("carpet", words) for _, words in surfaces if "carpeted" in words]
        self.surfaces = [
            SceneThing(f"{SURFACE}{number}", name, words, None) for number, (name, words) in enumerate(surfaces)
        ]
        self.everything = [*self.things, *self.parts, *self.surfaces]

    # -- aspects
    def fit(self, item: SceneThing, phrase: Phrase) -> Fit:
        """Return how well a phrase fits a thing; each pair is compared once, however phrases are nested."""
        fit = self._fits.get((item.id, phrase))
        if fit is None:
            fit = self._fits[item.id, phrase] = self._fit(item, phrase)
        return fit

    def _fit(self, item: SceneThing, phrase: Phrase) -> Fit:
        content = phrase.link_target("of")
        if content and content.head and name_fit(f"{content.head} {phrase.head}", item.name) >= 0.9:
            phrase = replace(phrase, head=item.name, links=tuple(o for o in phrase.links if o.phrase is not content))
        part = next((word for word in phrase.modifiers if name_fit(f"{word} {phrase.head}", item.name) >= 0.9), None)
        name = 1.0 if part else self._name_chance(item, phrase.head)
        if name < 0.2:
            return NO_FIT
        words = tuple(word for word in phrase.modifiers if word != part)
        aspects = self.aspects(item, replace(phrase, modifiers=words))
        if is_named_by_pot(item, phrase.head):
            aspects = [*self.aspects(item, replace(phrase, modifiers=())), *([BASE] if words else [])]
        return Fit(name, min(aspects, default=1.0), name * joint(aspects))

    @staticmethod
    def _name_chance(item: SceneThing, head: str) -> float:
        is_surface = item.id.startswith(SURFACE)
        is_any = not head or generic_kind(head) == "thing"
        is_other = is_surface and head not in (item.name, *table("things").get(item.name, ()))
        return 0.0 if is_other or (is_any and (item.is_part or is_surface)) else name_fit(head, item.name)

    def aspects(self, item: SceneThing, phrase: Phrase) -> list[float]:
        """Return the chances of all that a phrase says of a thing but its name."""
        chances = self.attribute_chances(item, phrase.modifiers)
        if any(link.relation == "with" and is_colour_of(item, link.phrase) for link in phrase.links):
            chances = [max(chance, 0.5) for chance in chances]  # "a white chair with a blue seat"
        links = [link for link in phrase.links if phrase.head or link.relation != "of"]  # "the largest of the cones"
        return [*chances, *self._place_chances(item, phrase), *self._link_chances(item, links)]

    def attribute_chances(self, item: SceneThing, words: Sequence[str]) -> list[float]:
        """Return the chances of attributes; of several colours the best counts, for not all are named."""
        chances = [self.attribute_chance(item, word) for word in words if not base_colour(word)]
        colours = [self._colour_chance(item, word) for word in colours_in(words)]
        if len(colours) < 2 or min(colours) >= YES:
            return chances + colours
        return [*chances, (0.35 if len(item.colours) > 1 else 0.7) * max(colours)]

    def attribute_chance(self, item: SceneThing, word: str) -> float:
        """Return the chance that somebody says an attribute of a thing."""
        if base_colour(word):
            return self._colour_chance(item, word)
        words = {attribute_of(part) or part for part in item.words}
        if word in words or word in " ".join((item.name, *item.words)).split(" "):
            return 1.0
        if word in group("neutral"):
            return 0.8
        if is_room(word) and self.category:
            return max(room_fit(word, self.category), 0.3)  # "bathroom sink"
        section = attribute_table(word)
        if section != "sizes" and any(word in other.words for other in self.things if other.name == item.name):
            return 0.1  # as it is said of others of this kind
        return self._missing_attribute_chance(item, word, section, words)

    def _missing_attribute_chance(self, item: SceneThing, word: str, section: str, words: set[str]) -> float:
        """Return the chance of an attribute of a table that the description of a thing lacks."""
        if section == "states":
            return self._state_chance(item, word, words)
        if not section:
            return 0.8 if word in words_of("posture") | words_of("actions") else 0.5
        if self.is_complete:
            return 0.04 if section in ("sizes", "materials") else 0.2
        others = LEXICON.table(section) if section != "sizes" else SIZE_OPPOSITES.get(word, "").split()
        has_other = not words.isdisjoint(others)
        other_material = 0.1 if item.id.startswith(SURFACE) else 0.2
        return {"sizes": (0.75, 0.3), "materials": (0.5, other_material)}.get(section, (0.5, 0.5))[has_other]

    def _state_chance(self, item: SceneThing, word: str, words: set[str]) -> float:
        """Return the chance of a state that is none of the words of a thing."""
        is_light = item.name in group("lights")
        if word == "lit":
            is_annotated = self.kind == "scene" and item.name in group("switched") and not item.is_part
            return 1.0 if "on" in words else 0.05 if is_annotated else 0.25 if is_light else 0.5
        if word == "unlit":
            return 0.05 if words & {"lit", "burning", "on"} else 0.8 if is_light else 0.4
        if word == "empty":
            on_it = {other.name for other in self.things if other.support == item.id}
            return 0.12 if on_it - group("parts") else 0.5  # a bed with a pillow is empty
        return 0.5 if words.isdisjoint(LEXICON.table("states")) else 0.1

    def _colour_chance(self, item: SceneThing, word: str) -> float:
        if any(word == LEXICON.lemma(part.rsplit(" ", 1)[-1]) for part in item.words if part.startswith("with ")):
            return 1.0  # "an orange tree" is one with oranges
        if word == "colourful" and len({o.colours for o in self.things if o.name == item.name and o.colours}) > 1:
            return 1.0
        if not item.colours:
            return _material_colour_chance(item, word)
        best = max(colour_fit(word, colour) for colour in item.colours)
        if "brick" in item.words:  # red to some, brown to others
            best = max(best, _material_colour_chance(item, word))
        if self.is_complete and best == NEAR_COLOUR:
            return 0.12
        if _may_have_colour(item, word):
            return max(best, 0.4)
        return max(best, 0.2) if item.name in group("many_coloured") and self.kind != "scene" else best

    def _place_chances(self, item: SceneThing, phrase: Phrase) -> list[float]:
        """Return the chances of places; of "left and right" the better one counts, for some are left and some right."""
        whole = phrase.link_target("of")
        is_of_thing = whole and whole.head and not is_room(whole.head) and whole.head not in words_of("frame_nouns")
        if phrase.places and is_of_thing:
            return [BASE]  # "in the middle of the bench"
        chances = {place: self.place_chance(item, place, phrase) for place in phrase.places if place != "far"}
        for pair in (("left", "right"), ("top", "bottom"), ("front", "back")):
            if set(pair) <= set(chances):
                chances[pair[0]] = max(chances.pop(place) for place in pair)
        return list(chances.values())

    def place_chance(self, item: SceneThing, place: str, phrase: Phrase) -> float:
        """Return the chance that somebody says of a thing that it is at a place in the picture."""
        if item.box is None:
            return BASE
        left, top, right, bottom = item.box
        axis = (LESS | MORE).get(place, "")
        is_standing = bottom > 0.5 and not item.support and item.visible >= 0.3  # its lower edge tells how far it is
        chances = {
            "left": ramp(0.54 - min(item.x, left + 0.25)),
            "right": ramp(max(item.x, right - 0.25) - 0.46),
            "top": ramp(0.62 - min(item.y, top + 0.2)),
            "bottom": ramp(max(item.y, bottom - 0.2) - 0.4),
            "middle": max(ramp(0.34 - abs(item.x - 0.5)), 0.55 * ramp(0.3 - abs(item.y - 0.5))),
            "front": ramp(bottom - 0.5) if is_standing else BASE,
            "back": ramp(0.75 - bottom) if is_standing else BASE,
            "corner": 0.9 if min(left, 1 - right) < 0.2 or min(item.x, 1 - item.x) < 0.3 else 0.3,
            "edge": 0.9 if min(left, 1 - right, top, 1 - bottom) < 0.12 else 0.2,
        }
        values = [getattr(other, axis) for other in self.things if other.name == item.name] if axis else []
        is_first = len(values) > 1 and (min if place in LESS else max)(values) == getattr(item, axis)
        if not is_first or phrase.plural:
            return chances[place]
        return max(
            chances[place], 0.8 if phrase.definite else 0.3 if axis == "y" else 0.0
        )  # "the left chair" of several

    # -- relations
    def _link_chances(self, item: SceneThing, links: Sequence[Link]) -> list[float]:
        """Return the chances of relations; "between" takes its two sides together."""
        sides = [link.phrase for link in links if link.relation == "between"]
        chances = [self.link_chance(item, link) for link in links if link.relation != "between"]
        return [*chances, self._between_chance(item, sides)] if sides else chances

    def _between_chance(self, item: SceneThing, sides: Sequence[Phrase]) -> float:
        """Return the chance that a thing is said to be between others: one on its left and one on its right."""
        first, second = (
            [other for other, fit in self.matches(side.uncounted) if fit.is_possible and other is not item]
            for side in (sides[0], sides[-1])
        )
        if not (first and second):
            return 0.1 if any(map(self.is_exhaustive, sides)) else 0.45
        pairs = [sorted((a.x, b.x)) for a in first for b in second if a is not b]
        return 1.0 if any(left - 0.02 < item.x < right + 0.02 for left, right in pairs) else 0.1

    def link_chance(self, item: SceneThing, link: Link) -> float:
        """Return the chance that somebody says of a thing that it is related so to another."""
        relation, target = link.relation, link.phrase
        if relation == "made of":
            return min(self.attribute_chances(item, [attribute_of(target.head) or target.head, *target.modifiers]))
        if relation in ("with", "full of", "of", "without"):
            is_anything = target.pronoun and target.is_bare  # "is the bear holding something"
            return BASE if is_anything else self._possession_chance(item, link)
        if target.pronoun and not target.modifiers:
            return 1.0
        if target.head in words_of("side_nouns") and (
            whole := target.link_target("of")
        ):  # "the right end of the bench"
            if target.head == "side" and not target.places:  # "on each side of the bed"
                return max(BASE, self.link_chance(item, Link("next to", whole)))
            sides = [Link(f"{place} of", whole) for place in target.places if place in ("left", "right")]
            return min(self.link_chance(item, side) for side in (Link(relation, whole), *sides))
        is_whole = is_room(target.head) or target.head in ("room", *words_of("frame_nouns"))
        if relation in UNSEEN_RELATIONS or (is_whole and relation in ("in", "at", "on")):
            return UNSEEN_RELATIONS.get(relation, 0.8)
        return self._surface_chance(item, relation, target) or self._placed_chance(item, relation, target)

    def _placed_chance(self, item: SceneThing, relation: str, target: Phrase) -> float:
        """Return the chance of where a thing is said to be, seen from other things."""
        fits = without_loose([(other, self.fit(other, target)) for other in self.everything if other is not item])
        chances = [max(fit.name, 0.7) * self._geometry(item, relation, o) for o, fit in fits if fit.is_possible]
        if chances:
            return max(*chances, 0.4 if target.head in group("parts") else 0.0)
        if relation in ("in", "of", "at") and self.fit(item, target).is_possible:
            return 0.8  # "the fire in the fireplace"
        return 0.1 if self.is_exhaustive(target) else 0.45 if is_named(target.head) else BASE

    def _possession_chance(self, item: SceneThing, link: Link) -> float:
        """Return the chance that a thing is said to be with something: a part, something on it, or near it."""
        target = link.phrase
        if link.relation == "of" and target.definite and target.head and not is_room(target.head):
            owner = self.by_id.get(item.support)
            return 1.0 if owner and self.fit(owner, target).is_yes else 0.1  # "the seats of the chairs"
        if (not target.head and not target.modifiers) or is_colour_of(item, target):
            return 0.8  # the seat of a red chair, the blanket of a red bed
        carried = [part for part in (*self.parts, *self.things) if part.support == item.id]
        if self.fit(item, target).is_yes:
            return YES  # "a plant with red flowers" of a red flower
        if any(self.fit(part, target).is_yes for part in carried):
            return self._count_chance(target, self.matches(target)) if target.count.is_stated else 1.0
        if self._is_near(item, target):
            return YES
        return 0.1 if self.is_exhaustive(target) else 0.45

    def _is_near(self, item: SceneThing, target: Phrase) -> bool:
        """Return whether another thing may be meant by what a thing is said to be with; not "with a lamp on it"."""
        is_on_it = any(link.relation in ("on", "in") and link.phrase.pronoun for link in target.links)
        return not is_on_it and any(self.fit(other, target).is_yes for other in self.things if other is not item)

    def _surface_chance(self, item: SceneThing, relation: str, target: Phrase) -> float | None:
        """Return the chance of "on the wall", "on the floor" or "from the ceiling", None for other phrases."""
        head = target.head
        if relation not in ("on", "at", "in", "from", "above", "next to"):
            return None
        is_on_wall = not group("wall").isdisjoint(self.support_names(item) or {item.name})
        bottom = item.box[3] if item.box else 0.5
        if head == "wall":
            is_at_side = all(
                low < item.x < high for low, high in (WALLS.get(place, NOWHERE) for place in target.places)
            )
            chance = 0.9 if is_on_wall else 0.15 if item.support else 0.7 if bottom < 0.5 else 0.5
            return chance if is_at_side else min(chance, BASE)
        if head in ("floor", "ground"):
            return 0.12 if item.support or is_on_wall else 0.9 if bottom > 0.5 else 0.4
        if head == "ceiling":
            return 0.9 if item.name in group("hanging") else 0.4
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
        support = self._support_chance(item, other)
        if relation in ("on", "in") or (relation == "above" and support == 1.0):  # "hanging over the seat"
            return support
        if item.box is None or other.box is None:
            return BASE
        if relation in ("left of", "right of"):
            across = other.x - item.x
            return ramp((across if relation == "left of" else -across) * 4 + 0.1)
        if relation in ("above", "below", "in front of", "behind"):
            return self._distance_chance(item, relation, item.box, other, other.box)
        if relation in ("larger than", "smaller than"):
            if not self.is_complete:
                return BASE  # in rooms, what is near looks larger
            sizes = (item.size, other.size) if relation == "larger than" else (other.size, item.size)
            return ramp(sizes[0] / max(sizes[1], 1e-6) - 1.4)
        gaps = [max(item.box[n] - other.box[n + 2], other.box[n] - item.box[n + 2], 0) for n in (0, 1)]
        return ramp(0.75 - sum(gaps) * 2.5) if relation in ("at", "next to", "around") else YES

    @staticmethod
    def _distance_chance(item: SceneThing, relation: str, box: Box, other: SceneThing, other_box: Box) -> float:
        """Return the chance that a thing is above, below, before or behind another."""
        across, down, nearer = other.x - item.x, other.y - item.y, box[3] - other_box[3]
        distances = {"above": down + 0.025, "below": 0.025 - down, "in front of": nearer, "behind": -nearer}
        reach = (box[2] - box[0] + other_box[2] - other_box[0]) / 2 + 0.05
        aligned = 1.0 if abs(across) < 0.8 * reach else 0.3 if abs(across) < 2 * reach else 0.1
        is_on_wall = item.name in group("wall") | group("hung") and box[3] > other_box[1] + 0.05
        is_on_it = item.support == other.id
        if relation in ("above", "below") and (is_on_it or (is_on_wall and relation == "above")):
            aligned = min(aligned, 0.1 if relation == "below" else 0.3)
        return ramp(distances[relation] * 4) * aligned

    def _support_chance(self, item: SceneThing, other: SceneThing) -> float:
        if item.support == other.id or other.name in self.support_names(item):
            return 1.0
        if item.support and self.by_id.get(item.support, item).name != other.name:
            return 0.1
        if any(third.support == other.id for third in self.things):
            return 0.12  # what is on it is annotated
        if other.name in group("wall"):
            return 0.3  # before a screen, not on it
        if item.box and other.box:
            inside = other.box[0] - 0.02 <= item.x <= other.box[2] + 0.02 and other.box[1] - 0.05 <= item.box[3]
            return YES if inside and item.box[3] <= other.box[3] + 0.05 else 0.3 if not item.support else 0.1
        return BASE

    # -- phrases
    def is_exhaustive(self, phrase: Phrase) -> bool:
        """Return whether the description names all that a phrase could mean."""
        if self.kind == "photo" or self.category == "art gallery":
            return False
        if self.is_complete:
            return is_named(phrase.head)
        if not is_alive(phrase.head) and not all(attribute_of(word) or base_colour(word) for word in phrase.modifiers):
            return False  # "number plate" may be no plate
        is_scene_kind = self.kind == "scene" and phrase.head in group("complete_in_scenes")
        if is_scene_kind or (self.category in group("indoors") and phrase.head in group("complete_indoors")):
            return True
        return is_complete_kind(phrase.head) and not (is_alive(phrase.head) and self.category in group("pictured"))

    def matches(self, phrase: Phrase) -> list[tuple[SceneThing, Fit]]:
        """Return the things that a phrase may mean, the best first; parts and surfaces only if no thing is named so."""
        fits = [(item, fit) for item in self.everything if (fit := self.fit(item, phrase)).name > 0.3]
        if any(fit.name >= 0.9 for _, fit in fits):  # "book": not what is only near to a book
            is_thing = any(item.box for item, fit in fits if fit.name >= 0.9)
            fits = [(item, fit) for item, fit in fits if fit.name >= YES and (item.box or item.is_part or not is_thing)]
        return sorted(fits, key=lambda pair: -pair[1].chance)

    def count_range(self, phrase: Phrase) -> tuple[int, int]:
        """Return how many things are surely as a phrase says, and how many may be."""
        matches = self.matches(phrase.uncounted)
        yes = sum(item.number for item, fit in without_loose(matches) if fit.is_yes)
        return yes, sum(item.number for item, fit in matches if fit.is_possible)

    def is_countable(self, phrase: Phrase) -> bool:
        """Return whether what is not in the description is not in the picture: for "no" and for numbers."""
        things = [item for item, fit in self.matches(phrase) if not item.is_part and fit.name >= EXACT]
        owner = phrase.link_target("of")
        if any(item.is_uncounted for item in things) or (owner and owner.definite) or self.holds_more(phrase.head):
            return False
        return self.is_exhaustive(phrase) or (bool(things) and group("parts").isdisjoint(item.name for item in things))

    def holds_more(self, head: str) -> bool:
        """Return whether a thing may hold more of a kind than is named: apples in a "fruit bowl"."""
        holders = [item.name.rpartition(" ")[::2] for item in self.things]
        return any(
            content and holder in group("holders") and (head == content or LEXICON.is_a(head, content))
            for content, holder in holders
        )

    def exists(self, phrase: Phrase) -> Truth:
        """Return whether there is what a phrase says, in its number."""
        yes, possible = self.count_range(phrase)
        truth = counted_truth(phrase.count, yes, possible)
        if yes > phrase.count.high:
            return Truth.NO
        if truth is Truth.YES and not phrase.negated:
            targets = [link.phrase for link in phrase.links if link.phrase.head not in group("surfaces")]
            targets = [target for target in targets if is_named(target.head)]
            is_sure = all(self.count_range(target)[0] for target in targets)  # not "in front of the yellow painting"
            is_seen = any(item.is_seen for item, fit in self.matches(phrase) if fit.is_yes)
            return truth if is_sure and is_seen else Truth.UNKNOWN
        return truth if self.is_countable(phrase) else Truth.UNKNOWN

    def chance(self, phrase: Phrase) -> float:
        """Return the chance that a phrase is said to be in this picture."""
        matches = self.matches(phrase)
        best = max((fit.chance for _, fit in matches), default=0.0)
        targets = [link.phrase for link in phrase.links if link.phrase.head and link.relation not in OTHERWISE]
        hidden = min([self._hidden_chance(phrase, matches), *map(self.chance, targets)])
        present = max(best, hidden)
        content = phrase.link_target("of")
        if present < BASE and content and phrase.head in group("containers") | group("heaps"):
            count = Phrase().count if phrase.head in group("heaps") else phrase.count  # "two rows of chairs"
            return 0.8 * self.chance(replace(content, count=count, plural=phrase.plural))
        if phrase.negated:
            is_hardly_seen = best > 0.5 and not any(item.is_clear or item.box is None for item, _ in matches)
            return BASE if is_hardly_seen else _absence_chance(matches, present, hidden)
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
        names = names_meant(phrase.head)
        if not names or phrase.head in group("surfaces"):
            return HIDDEN_UNKNOWN
        return HIDDEN_NAMED if names.isdisjoint(group("parts")) else HIDDEN_PART

    def _count_chance(self, phrase: Phrase, matches: Sequence[tuple[SceneThing, Fit]]) -> float:
        """Return the chance of the number in a phrase, given the things it may mean."""
        possible = [item for item, fit in matches if fit.is_possible]
        number = sum(item.number for item in possible)
        is_open = any(item.is_several or not item.box or item.is_part for item in possible)
        if not phrase.count.is_stated:
            return _plural_chance(phrase.plural, number, is_open)
        clear = _clear_number(matches)
        if clear <= phrase.count.high and number >= phrase.count.low:
            return 1.0
        if phrase.count.high >= MANY and not self.is_exhaustive(phrase):
            return 0.8 if is_open else 0.4  # "shelf of bottles" does not say how many
        if phrase.places and not self.is_complete:
            return 0.4  # where the left ends and the middle begins is open
        few = {"scene": 5, "objects": MANY}.get(self.kind, 3)
        return _wrong_count_chance(phrase.count, number, clear, few)

    def category_chance(self, phrase: Phrase) -> float | None:
        """Return the chance that the whole picture is called so, None if the phrase names no place."""
        is_any = phrase.head in ("room", "place")
        if not is_any and not is_room(phrase.head):
            return None
        if self.is_complete or is_any or not self.category:
            return 0.04 if self.is_complete else 1.0 if is_any else BASE
        return max(room_fit(phrase.head, self.category), 0.12 if self.kind == "scene" else 0.0)


def _clear_number(matches: Sequence[tuple[SceneThing, Fit]]) -> int:
    """Return how many things surely count: a stool need not be one of "two chairs"."""
    best_name = max((fit.name for _, fit in matches), default=0.0)
    sure = [item for item, fit in matches if fit.is_yes and fit.name >= best_name - 0.05]
    return sum(item.number for item in sure if item.is_clear or item.is_part)


def _absence_chance(matches: Sequence[tuple[SceneThing, Fit]], present: float, hidden: float) -> float:
    """Return the chance that somebody says that something is not there, which is there with a chance of `present`."""
    is_named = any(fit.name >= EXACT and fit.chance > 0.5 for _, fit in matches)
    return max(0.04, 1.0 - 1.05 * present) if is_named or hidden < 0.1 else 0.6


def _plural_chance(is_plural: bool, number: int, is_open: bool) -> float:
    """Return the chance of a singular or plural without a number, given how many things it may mean."""
    if is_plural:
        return 1.0 if number > 1 or is_open else 0.45
    return 1.0 if number == 1 else 0.8


def _wrong_count_chance(count: Count, number: int, clear: int, few: int) -> float:
    """Return the chance of a miscount, given how many there may be and how many there clearly are."""
    if min(abs(limit - value) for limit in (count.low, count.high) for value in (number, clear)) > 1:
        return 0.05 if number <= max(few, 8) else 0.2
    return 0.06 if number <= few else 0.3


def _material_colour_chance(item: SceneThing, word: str) -> float:
    """Return the chance of a colour word for a thing of which only the material is known."""
    colours = [colours for material, colours in table("material_colours").items() if material in item.words]
    return 0.4 if not colours else 0.7 if base_colour(word) in colours[0] else 0.2


def _may_have_colour(item: SceneThing, word: str) -> bool:
    """Return whether a thing may have another colour than those that its description names."""
    is_leafy_green = item.name in group("leafy") and word == "green"
    return len(item.colours) > 1 or "colourful" in item.colours or is_leafy_green or has_unsure_colour(item)


def has_unsure_colour(item: SceneThing) -> bool:
    """Return whether a wall, floor or ceiling is called brown or beige without a material that is so.

    These colours are read from pixels: yellow and pale green paint is brown or beige there in warm light.
    """
    is_warm = not group("warm").isdisjoint(item.colours)
    return item.id.startswith(SURFACE) and is_warm and table("material_colours").keys().isdisjoint(item.words)


def is_named_by_pot(item: SceneThing, head: str) -> bool:
    """Return whether a plant is called by its pot, whose look is not described."""
    return item.name in group("leafy") and head in group("containers")


def is_colour_of(item: SceneThing, part: Phrase) -> bool:
    """Return whether the colour of a thing is said of a part of it."""
    colours = colours_in(part.modifiers)
    return bool(colours) and all(any(colour_fit(word, colour) >= YES for colour in item.colours) for word in colours)


def counted_truth(count: Count, yes: int, possible: int) -> Truth:
    """Return whether something is so of a number of things, given of how many it is so and may be so."""
    if count.low <= yes and (count.high >= MANY or possible <= count.high):
        return Truth.YES
    return Truth.NO if possible < count.low or yes > count.high else Truth.UNKNOWN


def truth_of_several(chances: Sequence[float], is_of_all: bool, is_vague: bool) -> Truth:
    """Return whether something is so of things, of all of them or of any; `is_vague` if others may be meant."""
    yes = sum(chance >= YES for chance in chances)
    if yes == len(chances) or (yes and not is_of_all):
        return Truth.YES
    if yes:
        return Truth.UNKNOWN if is_vague or min(chances) > NO or yes > MOST * len(chances) else Truth.NO
    return Truth.NO if max(chances) <= NO else Truth.UNKNOWN


# ---------------------------------------------------------------------- claims
class SceneEvaluator:
    """Judges claims about one picture."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def chance(self, claim: Claim) -> float:
        """Return the chance that somebody who sees this picture makes a claim."""
        if claim.predicate is None or is_about_picture(claim):
            chance = self._exists_chance(claim.predicate or claim.subject)
        else:
            chance = self._predicate_chance(claim.subject, claim.predicate)
        return 1.0 - 0.95 * chance if claim.negated else chance

    def _exists_chance(self, phrase: Phrase) -> float:
        if not phrase.head and phrase.is_bare:
            return BASE
        if is_frame(phrase):
            of_something = any(link.relation == "of" and not is_room(link.phrase.head) for link in phrase.links)
            contents = math.prod(self._exists_chance(link.phrase) for link in phrase.links)
            return max(0.4 if of_something else 0.0, contents)
        category = self.scene.category_chance(phrase)
        matches = self.scene.matches(Phrase(phrase.head))
        if category is None:
            chance = self.scene.chance(phrase)
            return chance if phrase.negated or matches else chance * self._surroundings_chance(phrase)
        if matches and (phrase.modifiers or phrase.places or (category < BASE and not phrase.is_bare)):
            return max(self._place_like_chance(phrase), category if category < BASE else 0.0)
        chance = max(category, 0.7 * matches[0][1].chance if matches else 0.0)
        chance = 1.0 - 0.95 * chance if phrase.negated else chance
        return chance * self._surroundings_chance(phrase)

    def _place_like_chance(self, phrase: Phrase) -> float:
        """Return the chance of a thing that is a place, too: "an outdoor pool with palm trees"."""
        outer = tuple(link for link in phrase.links if link.relation not in WITHIN)
        place_chance = self.scene.chance(replace(phrase, links=outer))
        return max(self.scene.chance(phrase), place_chance * self._surroundings_chance(phrase))

    def _surroundings_chance(self, phrase: Phrase) -> float:
        """Return the chance of all that a phrase says something is in or has: "in a garden", "with a stove"."""
        links = [link for link in phrase.links if link.relation in WITHIN]
        if phrase.modifiers[-1:] and phrase.modifiers[-1] in group("surfaces"):  # "brick wall bedroom"
            links.append(Link("with", Phrase(phrase.modifiers[-1], phrase.modifiers[:-1])))
        return math.prod(
            max(self.scene.chance(link.phrase), 0.6 if link.relation in ("in", "at", "of") else 0.0)
            for link in links
            if link.phrase.head or link.phrase.modifiers
        )

    def _predicate_chance(self, subject: Phrase, predicate: Phrase) -> float:
        """Return the chance that a subject is as a predicate says."""
        matches = self.scene.matches(subject)
        likely = [(item, fit) for item, fit in matches if fit.chance >= matches[0][1].chance / 3]
        chances = [self.predicate_fit(item, subject, predicate) * fit.chance for item, fit in likely]
        hidden = HIDDEN_COMPLETE if chances or self.scene.is_exhaustive(subject) else HIDDEN_UNKNOWN
        return max(*chances, hidden, 0.0)

    def predicate_fit(self, item: SceneThing, subject: Phrase, predicate: Phrase) -> float:
        """Return the chance that somebody says of a thing what a predicate says."""
        predicate = replace(predicate.uncounted, definite=subject.definite, plural=subject.plural)
        if not predicate.head:
            is_unseen = predicate.modifiers and is_named_by_pot(item, subject.head)
            return BASE if is_unseen else joint(self.scene.aspects(item, predicate))
        fit = self.scene.fit(item, predicate)
        return fit.chance if fit.name else 0.1 if is_named(predicate.head) else 0.4

    def truth(self, claim: Claim) -> Truth:
        """Return whether a claim is so."""
        if claim.predicate is None or is_about_picture(claim):
            truth = self._exists_truth(claim.predicate or claim.subject)
        else:
            truth = self._predicate_truth(claim.subject, claim.predicate)
        return {Truth.YES: Truth.NO, Truth.NO: Truth.YES}.get(truth, truth) if claim.negated else truth

    def _exists_truth(self, phrase: Phrase) -> Truth:
        if is_frame(phrase):
            truths = [self._exists_truth(link.phrase) for link in phrase.links]
            return next((truth for truth in (Truth.NO, Truth.UNKNOWN) if truth in truths), Truth.YES)
        category = self.scene.category_chance(phrase)
        if category is not None and phrase.is_bare and not (is_named(phrase.head) and category < YES):
            is_other = category >= YES and phrase.head in table("rooms").keys() - {self.scene.category}
            if phrase.count.low != 1 or is_other:  # "two pools"; "a garage" of a workshop
                return Truth.UNKNOWN
            return Truth.YES if category >= YES else Truth.NO if category <= NO else Truth.UNKNOWN
        return self.scene.exists(phrase)

    def _predicate_truth(self, subject: Phrase, predicate: Phrase) -> Truth:
        things = self.subjects(subject)
        if not things:
            return self.scene.exists(subject.uncounted)
        if subject.links and self.scene.count_range(subject)[0] == 0:  # "the chair in front of the desk"
            return Truth.UNKNOWN
        things = [item for item in things if item.is_clear or not item.box] or things
        chances = [self.predicate_fit(item, subject, predicate) for item in things]
        if subject.count.is_stated:
            return counted_truth(subject.count, *(sum(chance >= limit for chance in chances) for limit in (YES, NO)))
        is_vague = any((subject.modifiers, subject.places, subject.links, predicate.places, predicate.links))
        return truth_of_several(chances, subject.plural and subject.definite, is_vague)

    def subjects(self, phrase: Phrase) -> list[SceneThing]:
        """Return the things that a question or claim is about."""
        matches = self.scene.matches(phrase.uncounted)
        sure = [item for item, fit in without_loose(matches) if fit.is_yes]
        if any(map(is_named, phrase.modifiers)) and (not sure or phrase.head == "seat"):
            return []  # a "toilet seat" is neither a chair nor a stool, and "chair seats" are no chairs
        return sure or [item for item, fit in matches if fit.is_possible and fit.name >= YES]

    def judge(self, claim: Claim) -> Verdict:
        """Return whether a claim is so, and its weight as evidence."""
        chance = self.chance(claim)
        if chance >= YES:
            return Verdict(Truth.YES, FITTING, claim.text)
        if chance > DOUBTFUL:
            return Verdict(Truth.UNKNOWN, 0.0, claim.text)
        return Verdict(Truth.NO, max(self._limit(claim), 1.2 * math.log(chance / DOUBTFUL)), claim.text)

    def _limit(self, claim: Claim) -> float:
        """Return the most that a claim which does not fit counts, by what of it does not fit.

        In natural descriptions of the very picture, places, relations, names of rooms and things that are only named
        otherwise are what seems not to fit; colours, numbers and things of which all are named hardly ever.
        """
        phrase, predicate, scene = claim.subject, claim.predicate, self.scene
        if predicate:
            plain = replace(claim, predicate=replace(predicate, links=()))
            if predicate.links and self.chance(plain) <= DOUBTFUL:  # "red with a black lid": not red
                return self._limit(plain)
            return WEAK if predicate.head or predicate.link_target("with") else STRONGEST
        if phrase.negated:
            return STRONGEST if scene.is_exhaustive(phrase) else WEAK
        if phrase.links and self._exists_chance(replace(phrase, links=())) > DOUBTFUL:
            return self._limit_of_links(phrase.links)
        if scene.category_chance(phrase) is not None:
            return WEAK if phrase.modifiers else ROOM
        if phrase.modifiers and self._exists_chance(replace(phrase, modifiers=())) > DOUBTFUL:
            return STRONGEST if colours_in(phrase.modifiers) or scene.is_complete else VAGUE
        return self._limit_of_absence(phrase)

    def _limit_of_links(self, links: Sequence[Link]) -> float:
        """Return the most that counts that a thing is not related to others as said, or that these are not there."""
        is_exact = any(link.relation in EXACT_RELATIONS for link in links)
        targets = [link.phrase for link in links if link.phrase.head not in words_of("side_nouns")]
        return min(STRONGEST if is_exact else WEAK, 0.0, *(self.judge(Claim(target)).weight for target in targets))

    def _limit_of_absence(self, phrase: Phrase) -> float:
        """Return the most that counts that things are not here, or not in a number."""
        if phrase.count.is_stated or self.scene.matches(Phrase(phrase.head)):
            is_more = phrase.count.low > max(1, self.scene.count_range(phrase.uncounted)[1])  # some may not be named
            return (
                COUNTED if is_more and self.scene.kind == "room" and not self.scene.is_exhaustive(phrase) else STRONGEST
            )
        is_doubtful = phrase.plural and not is_alive(phrase.head)
        return VAGUE if not self.scene.is_exhaustive(phrase) else WEAK if is_doubtful else STRONGEST


def fits_order(scene: Scene, text: str, claims: Sequence[Claim]) -> bool:
    """Return whether the things that a text names "from left to right" stand so; True if it does not say so."""
    _, is_ordered, after = text.lower().partition("left to right")
    if not is_ordered:
        return True
    at, free = 0.0, list(scene.things)
    for claim in [claim for claim in claims if claim.text.lower() in after] or claims:
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
    names_picture = phrase.head in ("", *words_of("frame_nouns")) and not phrase.modifiers and not phrase.places
    return bool(phrase.links) and names_picture and all(link.relation in WITHIN for link in phrase.links)


def is_about_picture(claim: Claim) -> bool:
    """Return whether a claim says what the picture is: "it is a kitchen", "my picture shows a kitchen"."""
    subject, predicate = claim.subject, claim.predicate or Phrase()
    is_picture = (subject.pronoun and subject == Phrase(pronoun=True, definite=subject.definite)) or (
        subject.head in ("room", "place", *words_of("frame_nouns"))
    )
    return is_picture and (bool(predicate.head) or is_frame(predicate))
