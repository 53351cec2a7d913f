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

from games.common.language.claims import HIGH_PLACES, LESS, MANY, Claim, Count, Link, Phrase, Truth, Verdict
from games.common.language.grammar import attribute_of, find_attribute_table, words_of
from games.common.language.lexicon import LEXICON, Vocabulary
from games.common.language.tokens import CACHE_SIZE, NUMBER_WORDS
from games.common.pictures import PictureDescription, PictureObject

PAIR_CACHE_SIZE = 65_536
"""How many pairs of a word of people and a name are remembered."""
SAME_PLACE_DISTANCE = 0.05
"""Things that are no further apart may be named in any order."""
SURFACE_PREFIX = "surface "
"""The start of the ids of walls, floors and the like."""
CLOSE_CHANCE = 0.4
"""From which chance on a name may be meant; words that are only near in meaning have less."""
EXACT_CHANCE = 0.8
"""From which chance on a name is what things are called, not only a kind of them."""
MAX_SUPPORTS = 5
"""How many things one on the other are followed: a cup on a tray on a table."""
EXACT_NAME = 0.95
"""From which chance on a name is just what a thing is called."""
COMPOUND_CHANCE = 0.79
"""The chance that something is called by its name with another noun before it: a saw "table saw"."""
YES, NO = 0.6, 0.13
"""From and up to which chance an aspect counts as so and as not so."""
HIDDEN_COMPLETE, HIDDEN_KIND, HIDDEN_NAMED, HIDDEN_PART, HIDDEN_UNKNOWN = 0.04, 0.07, 0.14, 0.3, 0.45
"""The chance that something is mentioned of a picture whose description lacks it: kinds all of which are named; kinds
that descriptions name; words that no description has."""
WALL_RANGES = {"left": (0.0, 0.4), "right": (0.6, 1.0), "back": (0.3, 0.7)}
"""Where things on a wall surely are, as shares of the picture from the left; of other walls it is not known."""
NO_RANGE = (1.0, 0.0)
PLACE_RELATIONS = ("in", "on", "at")
INNER_RELATIONS = ("with", "in", "of", "at", "full of")
ABSENT_RELATIONS = ("as", "for", "made of", "apart from", "without")
"""Relations to what does not have to be in the picture."""
UNSEEN_RELATIONS = {"as": 0.8, "for": 0.8, "like": 0.5}
"""The chances of relations that a picture does not show: "used as a desk", "shaped like a barrel"."""
EXACT_RELATIONS = frozenset(("left of", "right of", "above", "below"))
BASE_CHANCE = 0.5
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
NEAR_COLOUR_CHANCE = 0.35
MOST_SHARE = 0.75
"""Up to which share of several things "are they red?" is denied: of more, most people say yes."""
DOUBTFUL_CHANCE = 0.25
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
def group(group_name: str) -> frozenset[str]:
    """Return a list of names: "wall", "parts", "lights", "leafy", "standing_lamps"."""
    return frozenset(table("groups")[group_name])


@cache
def vocabulary() -> Vocabulary:
    """Return the names of things and places, and what people call them."""
    sections = (table(section).items() for section in ("things", "rooms", "generic"))
    names = dict.fromkeys(word for section in sections for name, others in section for word in (name, *others))
    return Vocabulary([*names, *sorted(group("complete") | group("surfaces"))])


# ---------------------------------------------------------------------- names
@lru_cache(CACHE_SIZE)
def find_generic_kind(head: str) -> str | None:
    """Return "thing" for object or item, "person" for visitor, …, None for other words."""
    return next((kind for kind, words in table("generic").items() if head == kind or head in words), None)


@lru_cache(PAIR_CACHE_SIZE)
def rate_name(head: str, description_name: str) -> float:
    """Return the chance that somebody calls a thing so that a description calls `name`."""
    other_names = table("things").get(description_name, ())
    if head in ("", description_name) or find_generic_kind(head) == "thing":
        return 1.0
    if head in table("maybe").get(description_name, ()):
        return 0.5
    if head in other_names:
        return 0.9 if other_names.index(head) < 4 else 0.78
    last_word = description_name.rsplit(" ", 1)[-1]
    singular_form = LEXICON.lemma(last_word)
    if head in (last_word, singular_form):
        return 0.95
    if head.endswith(f" {description_name}"):
        return 0.5 if head in group("complete") else COMPOUND_CHANCE  # "pool table" is a table of its own kind
    similarity = 0.38 * LEXICON.similar_names(head).get(description_name, 0.0)
    if head in group("kinds"):  # "animal" of "cat"
        return 0.9 if LEXICON.is_a(singular_form, head) or LEXICON.is_a(description_name, head) else similarity
    is_kind = head != singular_form and head not in table("things")  # a kettle is no pot: it would be called a kettle
    return 0.65 if is_kind and LEXICON.is_a_first(head, description_name) else similarity  # "spaniel" of "dog"


def names_content(description_name: str, head: str, link: Link) -> bool:
    """Return whether a container and what it holds are a name: a "cup with pens" is called "pot of pens"."""
    content, holds = link.phrase.head, link.relation in ("of", "with", "full of")
    _, is_filled, content_name = description_name.partition(" of ")
    is_container = is_filled and head in group("containers") and content in (content_name, LEXICON.lemma(content_name))
    return holds and bool(content) and (bool(is_container) or rate_name(f"{content} {head}", description_name) >= 0.9)


def take_name(phrase: Phrase, description_name: str) -> Phrase:
    """Return a phrase whose noun may be a name: "pot of pens" for a "cup with pens", a board for a "white board"."""
    others = tuple(link for link in phrase.links if not names_content(description_name, phrase.head, link))
    if len(others) < len(phrase.links):
        return replace(phrase, head=description_name, links=others)
    first_word, _, noun = phrase.head.partition(" ")
    if noun and base_colour(first_word) and rate_name(phrase.head, description_name) < CLOSE_CHANCE:
        return replace(phrase, head=noun, modifiers=(first_word, *phrase.modifiers))
    return phrase


@lru_cache(CACHE_SIZE)
def rate_room(head: str, category: str) -> float:
    """Return the chance that somebody calls a room of a category so; 0.04 for an unrelated room."""
    room_names = {category, *table("rooms").get(category, ())}
    if head in room_names:
        return 1.0
    room_families = ({room_name, *words} for room_name, words in table("rooms").items())
    return 0.3 if any(head in room_family and room_names & room_family for room_family in room_families) else 0.04


@lru_cache(CACHE_SIZE)
def is_room(head: str) -> bool:
    """Return whether a word names a place as a whole: bedroom, pub, workshop."""
    return any(head in (room, *words) for room, words in table("rooms").items())


@lru_cache(CACHE_SIZE)
def find_names(head: str) -> frozenset[str]:
    """Return the names of things in descriptions that a word means."""
    return frozenset(name for name in table("things") if rate_name(head, name) >= YES)


@lru_cache(CACHE_SIZE)
def is_named(head: str) -> bool:
    """Return whether descriptions have a name for what a word means."""
    return bool(find_names(head))


@lru_cache(CACHE_SIZE)
def is_alive(head: str) -> bool:
    """Return whether a word names a person or an animal."""
    is_animal = head in group("complete") and LEXICON.is_a_first(head, "animal")
    return is_animal or find_generic_kind(head) in ("person", "animal")


@lru_cache(CACHE_SIZE)
def is_complete_kind(head: str) -> bool:
    """Return whether the descriptions of rooms and scenes name all things of a kind."""
    names = {head} & table("things").keys() or {name for name, others in table("things").items() if head in others[:4]}
    return head in group("complete") or is_alive(head) or (bool(names) and names <= group("complete"))


@lru_cache(CACHE_SIZE)
def base_colour(word: str) -> str | None:
    """Return the colour without its shade ("dark red" -> red), None if the word is no colour."""
    colours = LEXICON.get_table("colours")
    shade, _, colour = word.rpartition(" ")
    return colour if colour in colours and shade in ("", "dark", "light") else word if word in colours else None


def find_colours(words: Iterable[str]) -> list[str]:
    """Return the words that are colours."""
    return [word for word in words if base_colour(word)]


@lru_cache(CACHE_SIZE)
def rate_colour(word: str, colour: str) -> float:
    """Return the chance that somebody calls a colour so."""
    base, other_base = base_colour(word) or word, base_colour(colour) or colour
    if word == colour:
        return 1.0
    if base == other_base:
        return 0.2 if {word.split(" ")[0], colour.split(" ")[0]} == {"dark", "light"} else 0.85
    if {base, other_base} == {"golden", "yellow"}:
        return 0.7
    near = LEXICON.get_table("near_colours")
    if word in near.get(colour, ()) and word != base:
        return 0.9  # "light blue" of cyan
    return NEAR_COLOUR_CHANCE if other_base in near.get(base, ()) or base in near.get(other_base, ()) else 0.04


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
    thing_count: int = 1
    is_uncounted: bool = False
    """Whether there may be more than the description names: flowers of "with red flowers", small or hidden things."""
    writing: str = ""
    """What can be read on it (`PictureObject.writing`)."""

    @property
    def is_several(self) -> bool:
        """Whether its name leaves open how many it is: "stairs", "stack of books"."""
        return self.is_uncounted or self.name.endswith("s") or " of " in self.name or self.name in group("several")

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """The words that are colours, with their shades."""
        return tuple(find_colours(self.words))

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


def _read_object(picture_object: PictureObject, picture: PictureDescription, support: str) -> SceneThing:
    box = None
    if picture_object.box:
        x, y, box_width, box_height = picture_object.box
        width, height = picture.width, picture.height
        box = (x / width, y / height, (x + box_width) / width, (y + box_height) / height)
    words: list[str] = []
    for attribute in picture_object.attributes:
        colours = attribute.split(" and ")  # "red and white"
        words += colours if all(map(base_colour, colours)) else [attribute]
    thing = SceneThing(picture_object.id, picture_object.name, tuple(words), box, picture_object.visible, support)
    return replace(thing, writing=picture_object.writing)


def _find_gapped_names(things: Sequence[SceneThing]) -> set[str]:
    """Return the names of which some are left out: those of "lamp 4" where there are two lamps."""
    name_counts = Counter(item.name for item in things)
    last = {item.id: item.id.rpartition(" ")[2] for item in things}
    return {item.name for item in things if last[item.id].isdigit() and int(last[item.id]) > name_counts[item.name]}


def place_things(things: Sequence[SceneThing], relations: Sequence[tuple[str, str, str]]) -> list[SceneThing]:
    """Return things without boxes in the order that "left of" and "in front of" give them, if there is any."""
    left_ranks = Counter(target_id for _, relation, target_id in relations if relation == "left of")
    front_ranks = Counter(target_id for _, relation, target_id in relations if relation == "in front of")
    if not left_ranks:
        return list(things)
    step = 0.9 / len(things)
    thing_places = [(item, 0.05 + step * left_ranks[item.id], 0.9 - step * front_ranks[item.id]) for item in things]
    return [replace(item, box=(x, y, x + step / 2, y + step / 2)) for item, x, y in thing_places]


def list_parts(entity: SceneThing) -> Iterable[SceneThing]:
    """Yield what the words of a description say a thing has: "with red flowers", "full of bread", "with 5 candles".

    The colour of a bed is that of its blanket.
    """
    part = replace(entity, id=f"{entity.id} bedspread", name="bedspread", support=entity.id, is_part=True, writing="")
    if entity.name in ("bed", "hospital bed") and entity.colours:
        yield replace(part, words=entity.colours, is_uncounted=False)
    for attribute_text in entity.words:
        preposition, _, part_text = attribute_text.partition(" ")
        if preposition in ("with", "full", "of") and part_text:
            part_words = [word for word in part_text.removeprefix("of ").split(" ") if word not in ("and", "a")]
            part_name = LEXICON.lemma(part_words[-1])
            part_numbers = [int(word) for word in part_words if word.isdigit()]
            is_uncounted = part_name != part_words[-1] and not part_numbers
            look_words = tuple(word for word in part_words[:-1] if not word.isdigit() and word not in NUMBER_WORDS)
            part = replace(part, name=part_name, words=look_words, is_uncounted=is_uncounted)
            yield replace(part, id=f"{entity.id} {attribute_text}", thing_count=(*part_numbers, 1 + is_uncounted)[0])


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
        self.relations = frozenset(picture.relations)
        supports_by_thing = {subject: target for subject, relation, target in picture.relations if relation == "on"}
        things = [_read_object(entry, picture, supports_by_thing.get(entry.id, "")) for entry in picture.objects]
        uncounted_names = _find_gapped_names(things) if self.kind == "room" else ()
        self.things = [replace(entity, is_uncounted=entity.name in uncounted_names) for entity in things]
        if not any(entry.box for entry in picture.objects):
            self.things = place_things(self.things, picture.relations)
        self.by_id = {entity.id: entity for entity in self.things}
        thing_names = {entity.name for entity in self.things}
        thing_parts = [part for entity in self.things for part in list_parts(entity)]
        self.parts = [part for part in thing_parts if part.name != "bedspread" or "blanket" not in thing_names]
        surfaces = [(surface.name, surface.attributes) for surface in picture.surfaces]
        surfaces += [("carpet", words) for _, words in surfaces if "carpeted" in words]
        self.surfaces = [
            SceneThing(f"{SURFACE_PREFIX}{index}", name, words, None) for index, (name, words) in enumerate(surfaces)
        ]
        self.all_things = [*self.things, *self.parts, *self.surfaces]

    @cached_property
    def is_outdoors(self) -> bool | None:
        """Whether it is in the open air, None if that is not known."""
        has_ceiling = any(surface.name == "ceiling" for surface in self.surfaces)
        is_open_pool = self.category == "swimming pool" and not has_ceiling
        return (self.category in group("outdoors") or is_open_pool) if self.surfaces else None

    # -- aspects
    def fit(self, entity: SceneThing, phrase: Phrase) -> Fit:
        """Return how well a phrase fits a thing; each pair is compared once, however phrases are nested."""
        fit = self._fit_cache.get((entity.id, phrase))
        if fit is None:
            fit = self._fit_cache[entity.id, phrase] = self._compare(entity, phrase)
        return fit

    def _compare(self, item: SceneThing, phrase: Phrase) -> Fit:
        phrase = take_name(phrase, item.name)
        part = next((word for word in phrase.modifiers if rate_name(f"{word} {phrase.head}", item.name) >= 0.9), None)
        name_chance = 1.0 if part else self._rate_name(item, phrase.head)
        if name_chance < 0.2:
            return NO_FIT
        places = [link.phrase for link in phrase.links if link.relation in PLACE_RELATIONS and not phrase.head]
        if any(self.fit(item, place).is_sure for place in places):  # "anything in the crate" is not the crate
            return NO_FIT
        other_words = tuple(word for word in phrase.modifiers if word != part)
        aspects = self.rate_aspects(item, replace(phrase, modifiers=other_words))
        if is_named_by_pot(item, phrase.head):
            aspects = [*self.rate_aspects(item, replace(phrase, modifiers=())), *([BASE_CHANCE] if other_words else [])]
        return Fit(name_chance, min(aspects, default=1.0), name_chance * combine_chances(aspects))

    @staticmethod
    def _rate_name(entity: SceneThing, head: str) -> float:
        is_surface = entity.id.startswith(SURFACE_PREFIX)
        is_any = not head or find_generic_kind(head) == "thing"
        is_other = is_surface and head not in (entity.name, *table("things").get(entity.name, ()))
        return 0.0 if is_other or (is_any and (entity.is_part or is_surface)) else rate_name(head, entity.name)

    def rate_aspects(self, entity: SceneThing, phrase: Phrase) -> list[float]:
        """Return the chances of all that a phrase says of a thing but its name."""
        chances = self.rate_attributes(entity, phrase.modifiers)
        if any(link.relation == "with" and is_colour_of(entity, link.phrase) for link in phrase.links):
            chances = [max(chance, 0.5) for chance in chances]  # "a white chair with a blue seat"
        links = [link for link in phrase.links if phrase.head or link.relation != "of"]  # "the largest of the cones"
        return [*chances, *self._rate_places(entity, phrase), *self._rate_links(entity, links)]

    def rate_attributes(self, entity: SceneThing, words: Sequence[str]) -> list[float]:
        """Return the chances of attributes; of several colours the best counts, for not all are named."""
        chances = [self.rate_attribute(entity, word) for word in words if not base_colour(word)]
        colours = [self._rate_colour(entity, word) for word in find_colours(words)]
        if len(colours) < 2 or min(colours) >= YES:
            return chances + colours
        return [*chances, (0.35 if len(entity.colours) > 1 else 0.7) * max(colours)]

    def rate_attribute(self, entity: SceneThing, word: str) -> float:
        """Return the chance that somebody says an attribute of a thing."""
        if base_colour(word):
            return self._rate_colour(entity, word)
        attribute_words = {attribute_of(attribute) or attribute for attribute in entity.words}
        if word in attribute_words or word in " ".join((entity.name, *entity.words)).split(" "):
            return 1.0
        if word in group("neutral"):
            return 0.8
        if is_room(word) and self.category:
            return max(rate_room(word, self.category), 0.3)  # "bathroom sink"
        attribute_kind = find_attribute_table(word)
        if attribute_kind != "sizes" and any(word in other.words for other in self.things if other.name == entity.name):
            return 0.1  # as it is said of others of this kind
        return self._rate_missing(entity, word, attribute_kind, attribute_words)

    def _rate_missing(self, entity: SceneThing, word: str, section: str, words: set[str]) -> float:
        """Return the chance of an attribute of a table that the description of a thing lacks."""
        if section == "states":
            return self._rate_state(entity, word, words)
        if not section:
            return 0.8 if word in words_of("posture") | words_of("actions") else 0.5
        if self.is_complete:
            return 0.04 if section in ("sizes", "materials") else 0.2
        other_attributes = LEXICON.get_table(section) if section != "sizes" else SIZE_OPPOSITES.get(word, "").split()
        has_other = not words.isdisjoint(other_attributes)
        other_material = 0.1 if entity.id.startswith(SURFACE_PREFIX) else 0.2
        return {"sizes": (0.75, 0.3), "materials": (0.5, other_material)}.get(section, (0.5, 0.5))[has_other]

    def _rate_state(self, entity: SceneThing, word: str, words: set[str]) -> float:
        """Return the chance of a state that is none of the words of a thing."""
        is_light = entity.name in group("lights")
        if word == "lit":
            is_annotated = self.kind == "scene" and entity.name in group("switched") and not entity.is_part
            return 1.0 if "on" in words else 0.05 if is_annotated else 0.25 if is_light else 0.5
        if word == "unlit":
            return 0.05 if words & {"lit", "burning", "on"} else 0.8 if is_light else 0.4
        if word == "empty":
            names_on_it = {other_thing.name for other_thing in self.things if other_thing.support == entity.id}
            return 0.12 if names_on_it - group("parts") else 0.5  # a bed with a pillow is empty
        return 0.5 if words.isdisjoint(LEXICON.get_table("states")) else 0.1

    def _rate_colour(self, entity: SceneThing, word: str) -> float:
        if any(word == LEXICON.lemma(part.rsplit(" ", 1)[-1]) for part in entity.words if part.startswith("with ")):
            return 1.0  # "an orange tree" is one with oranges
        if word == "colourful" and len({o.colours for o in self.things if o.name == entity.name and o.colours}) > 1:
            return 1.0
        if not entity.colours:
            return _rate_material_colour(entity, word)
        best_chance = max(rate_colour(word, colour) for colour in entity.colours)
        if "brick" in entity.words:  # red to some, brown to others
            best_chance = max(best_chance, _rate_material_colour(entity, word))
        if self.is_complete and best_chance == NEAR_COLOUR_CHANCE:
            return 0.12
        if _may_have_colour(entity, word):
            return max(best_chance, 0.4)
        return max(best_chance, 0.2) if entity.name in group("many_coloured") and self.kind != "scene" else best_chance

    def _rate_places(self, entity: SceneThing, phrase: Phrase) -> list[float]:
        """Return the chances of places; of "left and right" the better one counts, for some are left and some right."""
        whole = phrase.find_linked("of")
        is_of_thing = whole and whole.head and not is_room(whole.head) and whole.head not in words_of("frame_nouns")
        is_relative = not phrase.head and any(link.phrase.pronoun for link in phrase.links)
        if phrase.places and (is_of_thing or is_relative):
            return [BASE_CHANCE]  # "in the middle of the bench", "in front of them to the right"
        chances = {place: self.rate_place(entity, place, phrase) for place in phrase.places if place != "far"}
        for opposite_places in (("left", "right"), ("top", "bottom"), ("front", "back")):
            if set(opposite_places) <= set(chances):
                chances[opposite_places[0]] = max(chances.pop(place) for place in opposite_places)
        return list(chances.values())

    def rate_place(self, item: SceneThing, place: str, phrase: Phrase) -> float:
        """Return the chance that somebody says of a thing that it is at a place in the picture."""
        if item.box is None:
            return BASE_CHANCE
        left, top, right, bottom = item.box
        axis = (LESS | HIGH_PLACES).get(place, "")
        is_standing = bottom > 0.5 and not item.support and item.visible >= 0.3  # its lower edge tells how far it is
        chances = {
            "left": ramp_chance(0.54 - min(item.x, left + 0.25)),
            "right": ramp_chance(max(item.x, right - 0.25) - 0.46),
            "top": ramp_chance(0.62 - min(item.y, top + 0.2)),
            "bottom": ramp_chance(max(item.y, bottom - 0.2) - 0.4),
            "middle": max(ramp_chance(0.34 - abs(item.x - 0.5)), 0.55 * ramp_chance(0.3 - abs(item.y - 0.5))),
            "front": ramp_chance(bottom - 0.5) if is_standing else BASE_CHANCE,
            "back": ramp_chance(0.75 - bottom) if is_standing else BASE_CHANCE,
            "corner": 0.9 if min(left, 1 - right) < 0.2 or min(item.x, 1 - item.x) < 0.3 else 0.3,
            "edge": 0.9 if min(left, 1 - right, top, 1 - bottom) < 0.12 else 0.2,
        }
        coordinates = [getattr(other, axis) for other in self.things if other.name == item.name] if axis else []
        is_first = len(coordinates) > 1 and (min if place in LESS else max)(coordinates) == getattr(item, axis)
        if not is_first or phrase.is_plural:
            return chances[place]
        return max(
            chances[place], 0.8 if phrase.definite else 0.3 if axis == "y" else 0.0
        )  # "the left chair" of several

    # -- relations
    def _rate_links(self, entity: SceneThing, links: Sequence[Link]) -> list[float]:
        """Return the chances of relations; "between" takes its two sides together."""
        sides = [link.phrase for link in links if link.relation == "between"]
        chances = [self.rate_link(entity, link) for link in links if link.relation != "between"]
        return [*chances, self._rate_between(entity, sides)] if sides else chances

    def _rate_between(self, item: SceneThing, side_phrases: Sequence[Phrase]) -> float:
        """Return the chance that a thing is said to be between others: one on its left and one on its right."""
        first_things, second_things = (
            [other for other, fit in self.find_matches(side_phrase.uncounted) if fit.is_possible and other is not item]
            for side_phrase in (side_phrases[0], side_phrases[-1])
        )
        if not (first_things and second_things):
            return 0.1 if any(map(self.is_exhaustive, side_phrases)) else 0.45
        boundaries = [sorted((a.x, b.x)) for a in first_things for b in second_things if a is not b]
        return 1.0 if any(left - 0.02 < item.x < right + 0.02 for left, right in boundaries) else 0.1

    def rate_link(self, entity: SceneThing, link: Link) -> float:
        """Return the chance that somebody says of a thing that it is related so to another."""
        relation, target = link.relation, link.phrase
        if relation == "made of":
            return min(self.rate_attributes(entity, [attribute_of(target.head) or target.head, *target.modifiers]))
        if relation in ("with", "full of", "of", "without"):
            is_anything = target.pronoun and target.is_bare  # "is the bear holding something"
            return BASE_CHANCE if is_anything else self._rate_possession(entity, link)
        if target.pronoun and not target.modifiers:
            return 1.0
        if target.head in words_of("side_nouns") and (
            whole_phrase := target.find_linked("of")
        ):  # "the right end of the bench"
            if target.head == "side" and not target.places:  # "on each side of the bed"
                return max(BASE_CHANCE, self.rate_link(entity, Link("next to", whole_phrase)))
            side_links = [Link(f"{place} of", whole_phrase) for place in target.places if place in ("left", "right")]
            return min(self.rate_link(entity, side_link) for side_link in (Link(relation, whole_phrase), *side_links))
        is_whole = is_room(target.head) or target.head in ("room", *words_of("frame_nouns"))
        if relation in UNSEEN_RELATIONS or (is_whole and relation in ("in", "at", "on")):
            return UNSEEN_RELATIONS.get(relation, 0.8)
        return self._rate_surface(entity, relation, target) or self._rate_position(entity, relation, target)

    def _rate_position(self, entity: SceneThing, relation: str, target: Phrase) -> float:
        """Return the chance of where a thing is said to be, seen from other things."""
        fits = drop_loose_fits([(other, self.fit(other, target)) for other in self.all_things if other is not entity])
        chances = [max(fit.name, 0.7) * self._rate_geometry(entity, relation, o) for o, fit in fits if fit.is_possible]
        if chances:
            return max(*chances, 0.4 if target.head in group("parts") else 0.0)
        if relation in ("in", "of", "at") and self.fit(entity, target).is_possible:
            return 0.8  # "the fire in the fireplace"
        return 0.1 if self.is_exhaustive(target) else 0.45 if is_named(target.head) else BASE_CHANCE

    def _rate_possession(self, entity: SceneThing, link: Link) -> float:
        """Return the chance that a thing is said to be with something: a part, something on it, or near it."""
        target = link.phrase
        if link.relation == "of" and target.definite and target.head and not is_room(target.head):
            owner_thing = self.by_id.get(entity.support)
            return 1.0 if owner_thing and self.fit(owner_thing, target).is_sure else 0.1  # "the seats of the chairs"
        if (not target.head and not target.modifiers) or is_colour_of(entity, target):
            return 0.8  # the seat of a red chair, the blanket of a red bed
        if (fit := self.fit(entity, target)).is_sure and fit.name >= EXACT_CHANCE:
            return YES  # "a plant with red flowers" of a red flower
        return self._rate_carried(entity, target)

    def _rate_carried(self, entity: SceneThing, target: Phrase) -> float:
        """Return the chance that something is said to be on or near a thing."""
        carried_things = [part for part in (*self.parts, *self.things) if part.support == entity.id]
        carried_fits = [(part, fit) for part in carried_things if (fit := self.fit(part, target)).is_possible]
        if any(fit.is_sure for _, fit in carried_fits):
            match_lists = (carried_fits, self.find_matches(target))  # of two sofas with two cushions each, or of four
            return max(self._rate_count(target, matches) for matches in match_lists) if target.count.is_stated else 1.0
        if self._is_near(entity, target):
            return YES
        return 0.45 if carried_fits or not self.is_exhaustive(target) else 0.1

    def _is_near(self, entity: SceneThing, target: Phrase) -> bool:
        """Return whether another thing may be meant by what a thing is said to be with; not "with a lamp on it"."""
        is_on_it = any(link.relation in ("on", "in") and link.phrase.pronoun for link in target.links)
        return not is_on_it and any(self.fit(other, target).is_sure for other in self.things if other is not entity)

    def _rate_surface(self, entity: SceneThing, relation: str, target: Phrase) -> float | None:
        """Return the chance of "on the wall", "on the floor" or "from the ceiling", None for other phrases."""
        head = target.head
        if relation not in ("on", "at", "in", "from", "above", "next to"):
            return None
        is_on_wall = not group("wall").isdisjoint(self.list_supports(entity) or {entity.name})
        bottom_edge = entity.box[3] if entity.box else 0.5
        if head == "wall":
            is_at_side = all(
                low < entity.x < high for low, high in (WALL_RANGES.get(place, NO_RANGE) for place in target.places)
            )
            chance = 0.9 if is_on_wall else 0.15 if entity.support else 0.7 if bottom_edge < 0.5 else 0.5
            return chance if is_at_side else min(chance, BASE_CHANCE)
        if head in ("floor", "ground"):
            return 0.12 if entity.support or is_on_wall else 0.9 if bottom_edge > 0.5 else 0.4
        if head == "ceiling":
            return 0.9 if entity.name in group("hanging") else 0.4
        return None

    def list_supports(self, entity: SceneThing) -> set[str]:
        """Return the names of what a thing is on, and of what that is on."""
        return {support.name for support in self.follow_supports(entity)}

    def follow_supports(self, entity: SceneThing) -> list[SceneThing]:
        """Return what a thing is on, what that is on, and so on."""
        supports: list[SceneThing] = []
        while entity.support in self.by_id and len(supports) < MAX_SUPPORTS:
            entity = self.by_id[entity.support]
            supports.append(entity)
        return supports

    def _rate_geometry(self, entity: SceneThing, relation: str, other: SceneThing) -> float:
        """Return the chance of a relation between two things by their boxes."""
        support_chance = self._rate_support(entity, other)
        if relation in ("on", "in") or (relation == "above" and support_chance == 1.0):  # "hanging over the seat"
            return support_chance
        if entity.box is None or other.box is None:
            return BASE_CHANCE
        if relation in ("left of", "right of"):
            x_distance = other.x - entity.x
            return ramp_chance((x_distance if relation == "left of" else -x_distance) * 4 + 0.1)
        if relation in ("above", "below", "in front of", "behind"):
            return self._rate_distance(entity, relation, entity.box, other, other.box)
        if relation in ("larger than", "smaller than"):
            if not self.is_complete:
                return BASE_CHANCE  # in rooms, what is near looks larger
            size_pair = (entity.size, other.size) if relation == "larger than" else (other.size, entity.size)
            return ramp_chance(size_pair[0] / max(size_pair[1], 1e-6) - 1.4)
        axis_gaps = [max(entity.box[n] - other.box[n + 2], other.box[n] - entity.box[n + 2], 0) for n in (0, 1)]
        return ramp_chance(0.75 - sum(axis_gaps) * 2.5) if relation in ("at", "next to", "around") else YES

    @staticmethod
    def _rate_distance(entity: SceneThing, relation: str, box: Box, other_thing: SceneThing, other_box: Box) -> float:
        """Return the chance that a thing is above, below, before or behind another."""
        x_distance, y_distance, nearer = other_thing.x - entity.x, other_thing.y - entity.y, box[3] - other_box[3]
        distances = {"above": y_distance + 0.025, "below": 0.025 - y_distance, "in front of": nearer, "behind": -nearer}
        reach_width = (box[2] - box[0] + other_box[2] - other_box[0]) / 2 + 0.05
        alignment = 1.0 if abs(x_distance) < 0.8 * reach_width else 0.3 if abs(x_distance) < 2 * reach_width else 0.1
        is_on_wall = entity.name in group("wall") | group("hung") and box[3] > other_box[1] + 0.05
        is_on_it = entity.support == other_thing.id
        if relation in ("above", "below") and (is_on_it or (is_on_wall and relation == "above")):
            alignment = min(alignment, 0.1 if relation == "below" else 0.3)
        return ramp_chance(distances[relation] * 4) * alignment

    def _rate_support(self, entity: SceneThing, other: SceneThing) -> float:
        if entity.support == other.id or other.name in self.list_supports(entity):
            return 1.0
        if entity.support and self.by_id.get(entity.support, entity).name != other.name:
            return 0.1
        if any(third_thing.support == other.id for third_thing in self.things):
            return 0.12  # what is on it is annotated
        if other.name in group("wall") - group("boards"):
            return 0.3  # before a screen, not on it
        if entity.box and other.box:
            is_inside = other.box[0] - 0.02 <= entity.x <= other.box[2] + 0.02 and other.box[1] - 0.05 <= entity.box[3]
            return YES if is_inside and entity.box[3] <= other.box[3] + 0.05 else 0.3 if not entity.support else 0.1
        return BASE_CHANCE

    # -- phrases
    def is_exhaustive(self, phrase: Phrase) -> bool:
        """Return whether the description names all that a phrase could mean."""
        if self.kind == "photo" or self.category == "art gallery" or is_content(phrase):
            return False
        if self.is_complete:
            return is_named(phrase.head)
        if not is_alive(phrase.head) and not all(attribute_of(word) or base_colour(word) for word in phrase.modifiers):
            return False  # "number plate" may be no plate
        is_scene_kind = self.kind == "scene" and phrase.head in group("complete_in_scenes")
        if is_scene_kind or (self.category in group("indoors") and phrase.head in group("complete_indoors")):
            return True
        is_pictured = self.category in group("pictured") and (is_alive(phrase.head) or not is_named(phrase.head))
        return is_complete_kind(phrase.head) and not is_pictured

    def find_matches(self, phrase: Phrase) -> list[tuple[SceneThing, Fit]]:
        """Return the things that a phrase may mean, the best first; parts and surfaces only if no thing is named so."""
        fits = [(item, fit) for item in self.all_things if (fit := self.fit(item, phrase)).name > 0.3]
        if any(fit.name >= 0.9 for _, fit in fits):  # "book": not what is only near to a book
            is_thing = any(item.box for item, fit in fits if fit.name >= 0.9)
            fits = [(item, fit) for item, fit in fits if fit.name >= YES and (item.box or item.is_part or not is_thing)]
        return sorted(fits, key=lambda pair: -pair[1].chance)

    def count_things(self, phrase: Phrase) -> tuple[int, int]:
        """Return how many things are surely as a phrase says, and how many may be."""
        matches = self.find_matches(phrase.uncounted)
        sure_count = sum(entity.thing_count for entity, fit in drop_loose_fits(matches) if fit.is_sure)
        return sure_count, sum(entity.thing_count for entity, fit in matches if fit.is_possible)

    def is_countable(self, phrase: Phrase) -> bool:
        """Return whether what is not in the description is not in the picture: for "no" and for numbers."""
        things = [item for item, fit in self.find_matches(phrase) if not item.is_part and fit.name >= EXACT_CHANCE]
        owner = phrase.find_linked("of")
        if any(item.is_uncounted for item in things) or (owner and owner.definite) or self.holds_more(phrase.head):
            return False
        return self.is_exhaustive(phrase) or (bool(things) and group("parts").isdisjoint(item.name for item in things))

    def holds_more(self, head: str) -> bool:
        """Return whether a thing may hold more of a kind than is named: apples in a "fruit bowl"."""
        holder_names = [entity.name.rpartition(" ")[::2] for entity in self.things]
        return any(
            content and holder_name in group("holders") and (head == content or LEXICON.is_a(head, content))
            for content, holder_name in holder_names
        )

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
        targets = [link.phrase for link in phrase.links if link.phrase.head and link.relation not in ABSENT_RELATIONS]
        hidden_chance = min([self._rate_hidden(phrase, matches), *map(self.rate_phrase, targets)])
        hidden_chance = HIDDEN_UNKNOWN if is_content(phrase) else hidden_chance
        present_chance = max(best_chance, hidden_chance)
        content_phrase = phrase.find_linked("of")
        if present_chance < BASE_CHANCE and content_phrase and phrase.head in group("containers") | group("heaps"):
            count = Phrase().count if phrase.head in group("heaps") else phrase.count  # "two rows of chairs"
            return 0.8 * self.rate_phrase(replace(content_phrase, count=count, is_plural=phrase.is_plural))
        if phrase.is_negated:
            is_hardly_seen = best_chance > 0.5 and not any(item.is_clear or item.box is None for item, _ in matches)
            return BASE_CHANCE if is_hardly_seen else _rate_absence(matches, present_chance, hidden_chance)
        is_certain = best_chance > hidden_chance and any(fit.name >= YES for _, fit in matches)
        return present_chance * self._rate_count(phrase, matches) if is_certain else present_chance

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
        is_by_it = is_by_it and phrase.count.low <= possible_count
        if is_by_it or (phrase.places and not self.is_complete):
            return 0.4  # where the left ends and the middle begins is open
        few = {"scene": 5, "objects": MANY}.get(self.kind, 3)
        return _rate_wrong_count(phrase.count, possible_count, clear_count, few)

    def rate_category(self, phrase: Phrase) -> float | None:
        """Return the chance that the whole picture is called so, None if the phrase names no place."""
        is_any = phrase.head in ("room", "place")
        if not is_any and not is_room(phrase.head):
            return None
        if self.is_complete or is_any or not self.category:
            return 0.04 if self.is_complete else 1.0 if is_any else BASE_CHANCE
        room_chance = max(rate_room(word, self.category) for word in (phrase.head, *phrase.modifiers))  # "cinema hall"
        return max(room_chance, 0.12 if self.kind == "scene" else 0.0)


def _count_clear(matches: Sequence[tuple[SceneThing, Fit]]) -> int:
    """Return how many things surely count: a stool is perhaps none of "two chairs", an amplifier no speaker."""
    best_name = max((fit.name for _, fit in matches), default=0.0)
    sure = [entity for entity, fit in matches if fit.is_sure and fit.name >= best_name - 0.05]
    counts = Counter[str]()
    for entity in sure:
        counts[entity.name] += entity.thing_count if entity.is_clear or entity.is_part else 0
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


def _rate_material_colour(entity: SceneThing, word: str) -> float:
    """Return the chance of a colour word for a thing of which only the material is known."""
    colours = [colours for material, colours in table("material_colours").items() if material in entity.words]
    return 0.4 if not colours else 0.7 if base_colour(word) in colours[0] else 0.2


def _may_have_colour(entity: SceneThing, word: str) -> bool:
    """Return whether a thing may have another colour than those that its description names."""
    is_leafy_green = entity.name in group("leafy") and word == "green"
    return len(entity.colours) > 1 or "colourful" in entity.colours or is_leafy_green or has_unsure_colour(entity)


def has_unsure_colour(item: SceneThing) -> bool:
    """Return whether a wall, floor or ceiling is called brown or beige without a material that is so.

    These colours are read from pixels: yellow and pale green paint is brown or beige there in warm light.
    """
    is_warm = not group("warm").isdisjoint(item.colours)
    return item.id.startswith(SURFACE_PREFIX) and is_warm and table("material_colours").keys().isdisjoint(item.words)


def is_named_by_pot(entity: SceneThing, head: str) -> bool:
    """Return whether a plant is called by its pot, whose look is not described."""
    return entity.name in group("leafy") and head in group("containers")


def is_colour_of(entity: SceneThing, part: Phrase) -> bool:
    """Return whether the colour of a thing is said of a part of it."""
    colours = find_colours(part.modifiers)
    return bool(colours) and all(any(rate_colour(word, colour) >= YES for colour in entity.colours) for word in colours)


def judge_count(count: Count, sure_count: int, possible_count: int) -> Truth:
    """Return whether something is so of a number of things, given of how many it is so and may be so."""
    if count.low <= sure_count and (count.high >= MANY or possible_count <= count.high):
        return Truth.YES
    return Truth.NO if possible_count < count.low or sure_count > count.high else Truth.UNKNOWN


def judge_several(chances: Sequence[float], is_of_all: bool, is_vague: bool) -> Truth:
    """Return whether something is so of things, of all of them or of any; `is_vague` if others may be meant."""
    yes_count = sum(chance >= YES for chance in chances)
    if yes_count == len(chances) or (yes_count and not is_of_all):
        return Truth.YES
    if yes_count:
        return Truth.UNKNOWN if is_vague or min(chances) > NO or yes_count > MOST_SHARE * len(chances) else Truth.NO
    return Truth.NO if max(chances) <= NO else Truth.UNKNOWN


# ---------------------------------------------------------------------- claims
class SceneEvaluator:
    """Judges claims about one picture."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def rate_claim(self, claim: Claim) -> float:
        """Return the chance that somebody who sees this picture makes a claim."""
        if claim.predicate is None or is_about_picture(claim):
            chance = self._rate_existence(claim.predicate or claim.subject)
        else:
            chance = self._rate_predicate(claim.subject, claim.predicate)
        return 1.0 - 0.95 * chance if claim.is_negated else chance

    def _rate_existence(self, phrase: Phrase) -> float:
        if not phrase.head and phrase.is_bare:
            return BASE_CHANCE
        if is_frame(phrase):
            is_of_something = any(link.relation == "of" and not is_room(link.phrase.head) for link in phrase.links)
            contents_chance = math.prod(self._rate_existence(link.phrase) for link in phrase.links)
            return max(0.4 if is_of_something else 0.0, contents_chance)
        category_chance = self._rate_whole(phrase)
        matches = self.scene.find_matches(Phrase(phrase.head))
        if category_chance is None:
            return self._rate_things(phrase, bool(matches))
        if matches and (phrase.modifiers or phrase.places or (category_chance < BASE_CHANCE and not phrase.is_bare)):
            return max(self._rate_place_like(phrase), category_chance if category_chance < BASE_CHANCE else 0.0)
        chance = max(category_chance, 0.7 * matches[0][1].chance if matches else 0.0)
        chance = 1.0 - 0.95 * chance if phrase.is_negated else chance
        return chance * self._rate_surroundings(phrase)

    def _rate_whole(self, phrase: Phrase) -> float | None:
        """Return the chance that the picture is called so, None if a phrase names no place: "bars" are no bar."""
        return None if phrase.is_plural else self.scene.rate_category(phrase)

    def _rate_things(self, phrase: Phrase, is_found: bool) -> float:
        """Return the chance of things; of a "reading corner with a lamp", which has no name, that of what it has."""
        is_alone = phrase.is_negated or is_found or is_content(phrase)
        return self.scene.rate_phrase(phrase) * (1.0 if is_alone else self._rate_surroundings(phrase))

    def _rate_place_like(self, phrase: Phrase) -> float:
        """Return the chance of a thing that is a place, too: "an outdoor pool with palm trees"."""
        outer_links = tuple(link for link in phrase.links if link.relation not in INNER_RELATIONS)
        place_chance = self.scene.rate_phrase(replace(phrase, links=outer_links))
        return max(self.scene.rate_phrase(phrase), place_chance * self._rate_surroundings(phrase))

    def _rate_surroundings(self, phrase: Phrase) -> float:
        """Return the chance of all that a phrase says something is in or has: "in a garden", "with a stove"."""
        links = [link for link in phrase.links if link.relation in INNER_RELATIONS]
        if phrase.modifiers[-1:] and phrase.modifiers[-1] in group("surfaces"):  # "brick wall bedroom"
            links.append(Link("with", Phrase(phrase.modifiers[-1], phrase.modifiers[:-1])))
        return combine_chances(
            [
                max(self.scene.rate_phrase(link.phrase), 0.6 if link.relation in ("in", "at", "of") else 0.0)
                for link in links
                if link.phrase.head or link.phrase.modifiers
            ]
        )

    def _rate_predicate(self, subject: Phrase, predicate: Phrase) -> float:
        """Return the chance that a subject is as a predicate says."""
        matches = self.scene.find_matches(subject)
        likely_matches = [(entity, fit) for entity, fit in matches if fit.chance >= matches[0][1].chance / 3]
        chances = [self.rate_predicate(entity, subject, predicate) * fit.chance for entity, fit in likely_matches]
        hidden_chance = HIDDEN_COMPLETE if chances or self.scene.is_exhaustive(subject) else HIDDEN_UNKNOWN
        return max(*chances, hidden_chance, 0.0)

    def rate_predicate(self, entity: SceneThing, subject: Phrase, predicate: Phrase) -> float:
        """Return the chance that somebody says of a thing what a predicate says."""
        predicate = replace(predicate.uncounted, definite=subject.definite, is_plural=subject.is_plural)
        if not predicate.head:
            is_unseen = predicate.modifiers and is_named_by_pot(entity, subject.head)
            return BASE_CHANCE if is_unseen else combine_chances(self.scene.rate_aspects(entity, predicate))
        fit = self.scene.fit(entity, predicate)
        return fit.chance if fit.name else 0.1 if is_named(predicate.head) else 0.4

    def judge_truth(self, claim: Claim) -> Truth:
        """Return whether a claim is so."""
        predicate = claim.predicate
        if predicate and (settings := find_settings(claim)):
            truth = self._judge_settings(settings)
            predicate = replace(
                predicate, modifiers=tuple(word for word in predicate.modifiers if word not in settings)
            )
            is_all = predicate == Phrase()
            truth = truth if is_all or truth is not Truth.YES else self.judge_truth(Claim(claim.subject, predicate))
        elif predicate is None or is_about_picture(claim):
            truth = self._judge_existence(predicate or claim.subject)
        else:
            truth = self._judge_predicate(claim.subject, predicate)
        return {Truth.YES: Truth.NO, Truth.NO: Truth.YES}.get(truth, truth) if claim.is_negated else truth

    def _judge_settings(self, settings: set[str]) -> Truth:
        """Return whether the picture is "indoor" or "outdoor" as is said."""
        is_outdoors = self.scene.is_outdoors
        if is_outdoors is None:
            return Truth.UNKNOWN
        return Truth.YES if settings == {"outdoor" if is_outdoors else "indoor"} else Truth.NO

    def _judge_existence(self, phrase: Phrase) -> Truth:
        if is_frame(phrase):
            truths = [self._judge_existence(link.phrase) for link in phrase.links]
            return next((truth for truth in (Truth.NO, Truth.UNKNOWN) if truth in truths), Truth.YES)
        category_chance = self.scene.rate_category(phrase)
        if category_chance is not None and phrase.is_bare and not (is_named(phrase.head) and category_chance < YES):
            is_other = category_chance >= YES and phrase.head in table("rooms").keys() - {self.scene.category}
            if phrase.count.low != 1 or is_other:  # "two pools"; "a garage" of a workshop
                return Truth.UNKNOWN
            return Truth.YES if category_chance >= YES else Truth.NO if category_chance <= NO else Truth.UNKNOWN
        return self.scene.judge_existence(phrase)

    def _judge_predicate(self, subject: Phrase, predicate: Phrase) -> Truth:
        things = self.subjects(subject)
        if not things:
            return self.scene.judge_existence(subject.uncounted)
        if subject.links and not self._is_identified(subject, things):  # "the chair before the desk"
            return Truth.UNKNOWN
        things = [entity for entity in things if entity.is_clear or not entity.box] or things
        chances = [self.rate_predicate(entity, subject, predicate) for entity in things]
        if subject.count.is_stated:
            return judge_count(subject.count, *(sum(chance >= limit for chance in chances) for limit in (YES, NO)))
        is_vague = any((subject.modifiers, subject.places, subject.links, predicate.places, predicate.links))
        return judge_several(chances, subject.is_plural and subject.definite, is_vague)

    def _is_identified(self, subject: Phrase, things: Sequence[SceneThing]) -> bool:
        """Return whether a phrase with relations surely means things: they are so, or it can only mean this one."""
        is_one_with = len(things) == 1 and all(link.relation == "with" for link in subject.links)
        is_only = len(things) == 1 and subject.definite and len(self.subjects(Phrase(subject.head))) == 1
        has_targets = all(self.subjects(link.phrase) for link in subject.links)
        return is_one_with or (is_only and has_targets) or self.scene.count_things(subject)[0] > 0

    def subjects(self, phrase: Phrase) -> list[SceneThing]:
        """Return the things that a question or claim is about."""
        matches = self.scene.find_matches(phrase.uncounted)
        sure_things = [entity for entity, fit in drop_loose_fits(matches) if fit.is_sure]
        if any(map(is_named, phrase.modifiers)) and (not sure_things or phrase.head == "seat"):
            return []  # a "toilet seat" is neither a chair nor a stool, and "chair seats" are no chairs
        return sure_things or [entity for entity, fit in matches if fit.is_possible and fit.name >= YES]

    def judge(self, claim: Claim) -> Verdict:
        """Return whether a claim is so, and its weight as evidence."""
        chance = self.rate_claim(claim)
        if chance >= YES:
            return Verdict(Truth.YES, FITTING, claim.text)
        if chance > DOUBTFUL_CHANCE:
            return Verdict(Truth.UNKNOWN, 0.0, claim.text)
        return Verdict(Truth.NO, max(self._find_limit(claim), 1.2 * math.log(chance / DOUBTFUL_CHANCE)), claim.text)

    def _find_limit(self, claim: Claim) -> float:
        """Return the most that a claim which does not fit counts, by what of it does not fit.

        In natural descriptions of the very picture, places, relations, names of rooms and things that are only named
        otherwise are what seems not to fit; colours, numbers and things of which all are named hardly ever.
        """
        phrase, scene = claim.subject, self.scene
        if claim.predicate:
            return self._limit_predicate(claim, claim.predicate)
        if is_content(phrase):
            return VAGUE
        if phrase.is_negated:
            return STRONGEST if scene.is_exhaustive(phrase) else WEAK
        if phrase.links and self._rate_existence(replace(phrase, links=())) > DOUBTFUL_CHANCE:
            is_there = bool(scene.find_matches(Phrase(phrase.head)))  # of "a sunset above the sea" it is not known
            return self._limit_links([o for o in phrase.links if is_there or o.relation in INNER_RELATIONS])
        if self._rate_whole(phrase) is not None:
            return WEAK if phrase.modifiers else ROOM
        if phrase.modifiers and self._rate_existence(replace(phrase, modifiers=())) > DOUBTFUL_CHANCE:
            return self._limit_look(phrase)
        is_relative = scene.kind == "room" and len(phrase.places) > 1  # "at the front … on the right": of the front
        if is_relative and self._rate_existence(replace(phrase, places=())) > DOUBTFUL_CHANCE:
            return WEAK
        return self._limit_absence(phrase)

    def _limit_predicate(self, claim: Claim, predicate: Phrase) -> float:
        """Return the most that counts that a thing is not as is said of it, or not there at all."""
        subject = claim.subject.uncounted
        if not claim.subject.is_negated and self._rate_existence(subject) <= DOUBTFUL_CHANCE:
            return self._find_limit(Claim(subject))
        plain_claim = replace(claim, predicate=replace(predicate, links=()))
        if predicate.links and self.rate_claim(plain_claim) <= DOUBTFUL_CHANCE:  # "red with a black lid": not red
            return self._find_limit(plain_claim)
        is_clear = (
            predicate.modifiers or predicate.places or has_relation(predicate.links, EXACT_RELATIONS | {"on", "in"})
        )
        is_loose = predicate.links and not is_clear
        return WEAK if predicate.head or predicate.find_linked("with") or is_loose else STRONGEST

    def _limit_look(self, phrase: Phrase) -> float:
        """Return the most that counts that things do not look so; the colours of surfaces are read from pixels."""
        if phrase.head in group("surfaces"):
            return WEAK
        return STRONGEST if find_colours(phrase.modifiers) or self.scene.is_complete else VAGUE

    def _limit_links(self, links: Sequence[Link]) -> float:
        """Return the most that counts that a thing is not related to others as said, or that these are not there."""
        is_exact = has_relation(links, EXACT_RELATIONS)
        targets = [link.phrase for link in links if link.phrase.head not in words_of("side_nouns")]
        return min(STRONGEST if is_exact else WEAK, 0.0, *(self.judge(Claim(target)).weight for target in targets))

    def _limit_absence(self, phrase: Phrase) -> float:
        """Return the most that counts that things are not here, or not in a number."""
        if phrase.count.is_stated or self.scene.find_matches(Phrase(phrase.head)):
            is_more = phrase.count.low > max(1, self.scene.count_things(phrase.uncounted)[1])  # some may not be named
            return (
                COUNTED if is_more and self.scene.kind == "room" and not self.scene.is_exhaustive(phrase) else STRONGEST
            )
        is_doubtful = phrase.is_plural and not is_alive(phrase.head)
        return VAGUE if not self.scene.is_exhaustive(phrase) else WEAK if is_doubtful else STRONGEST


def fits_order(scene: Scene, text: str, claims: Sequence[Claim]) -> bool:
    """Return whether the things that a text names "from left to right" stand so; True if it does not say so."""
    _, is_ordered, ordered_text = text.lower().partition("left to right")
    if not is_ordered:
        return True
    least_x, free_things = 0.0, list(scene.things)
    for claim in [claim for claim in claims if claim.text.lower() in ordered_text] or claims:
        matching_things = [entity for entity in free_things if entity.box and scene.fit(entity, claim.subject).is_sure]
        if not matching_things:
            continue
        entity = min(matching_things, key=lambda option: (option.x < least_x - SAME_PLACE_DISTANCE, option.x))
        if entity.x < least_x - SAME_PLACE_DISTANCE:
            return False
        least_x = max(least_x, entity.x)
        free_things.remove(entity)
    return True


def has_relation(links: Iterable[Link], relations: Iterable[str]) -> bool:
    """Return whether something is said to be related to another thing in one of some ways."""
    return any(link.relation in relations for link in links)


def is_content(phrase: Phrase) -> bool:
    """Return whether something is said to be in a picture, on a screen or in a bowl: what these hold is not named."""
    places = {link.phrase.head for link in phrase.links if link.relation in ("on", "in")}
    holders = {link.phrase.head for link in phrase.links if link.relation == "in"}
    return not (places.isdisjoint(group("pictures")) and holders.isdisjoint(group("holders")))


def is_frame(phrase: Phrase) -> bool:
    """Return whether a phrase only says that the picture has something: "the one with …", "a picture of …"."""
    is_anything = phrase.pronoun and not phrase.definite
    if is_anything and phrase.links and phrase.links[0].relation in PLACE_RELATIONS:
        return False
    names_picture = phrase.head in ("", *words_of("frame_nouns")) and not phrase.modifiers and not phrase.places
    return bool(phrase.links) and names_picture and all(link.relation in INNER_RELATIONS for link in phrase.links)


def find_settings(claim: Claim) -> set[str]:
    """Return "indoor" or "outdoor" if a claim says so of the whole: "it is outdoors", "it is an indoor pool"."""
    subject, predicate = claim.subject, claim.predicate or Phrase()
    is_whole = (subject.pronoun and subject.is_bare) or subject.head == "room" or is_room(subject.head)
    is_place = not predicate.head or is_room(predicate.head) or predicate.head in words_of("frame_nouns")
    return {"indoor", "outdoor"}.intersection(predicate.modifiers) if is_whole and is_place else set()


def is_about_picture(claim: Claim) -> bool:
    """Return whether a claim says what the picture is: "it is a kitchen", "my picture shows a kitchen"."""
    subject, predicate = claim.subject, claim.predicate or Phrase()
    is_picture = (subject.pronoun and subject == Phrase(pronoun=True, definite=subject.definite)) or (
        subject.head in ("room", "place", *words_of("frame_nouns"))
    )
    return is_picture and (bool(predicate.head) or is_frame(predicate))
