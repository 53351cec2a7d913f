"""The things of pictures: what people call them and their colours, and what a description says of each.

Names and what people say for them are in `things.toml`; a rate is the chance that somebody who means a thing says so.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path

from games.common.language.claims import Link, Phrase
from games.common.language.lexicon import LEXICON, Vocabulary
from games.common.language.tokens import CACHE_SIZE, NUMBER_WORDS
from games.common.pictures import PictureDescription, PictureObject

PAIR_CACHE_SIZE = 65_536
"""How many pairs of a word of people and a name are remembered."""
SMALL_OWNER = 0.02
"""Up to which share of the picture a thing takes its parts are where it is."""
SHOWING = "showing "
"""The start of the detail that says what is shown on a thing."""
SURFACE_PREFIX = "surface "
"""The start of the ids of walls, floors and the like."""
CLOSE_CHANCE = 0.4
"""From which chance on a name may be meant; words that are only near in meaning have less."""
EXACT_CHANCE = 0.8
"""From which chance on a name is what things are called, not only a kind of them."""
EXACT_NAME = 0.95
"""From which chance on a name is just what a thing is called."""
OTHER_NAME = 0.78
"""The chance that something is called by one of its less usual names."""
COMPOUND_CHANCE = 0.79
"""The chance that something is called by its name with another noun before it: a saw "table saw"."""
YES, NO = 0.6, 0.13
"""From and up to which chance an aspect counts as so and as not so."""
SURE, OPEN, EXCLUDED = 1.0, 0.45, 0.05
"""The chances of what is so, what may be so, and what is not so."""
NEAR_COLOUR_CHANCE = 0.35
SEAT, CUSHION = "chair seat", "seat cushion"


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
    names = dict.fromkeys(
        word for section in sections for name, other_names in section for word in (name, *other_names)
    )
    return Vocabulary([*names, *sorted(group("complete") | group("surfaces"))])


# ---------------------------------------------------------------------- names
@lru_cache(CACHE_SIZE)
def find_generic_kind(head: str) -> str | None:
    """Return "thing" for object or item, "person" for visitor, …, None for other words."""
    return next((kind for kind, words in table("generic").items() if head == kind or head in words), None)


@lru_cache(CACHE_SIZE)
def _find_noun(description_name: str) -> tuple[str, str]:
    """Return the last word of a name as it is, and in the singular."""
    last_word = description_name.rsplit(" ", 1)[-1]
    return last_word, LEXICON.lemma(last_word)


@lru_cache(PAIR_CACHE_SIZE)
def rate_name(head: str, description_name: str) -> float:
    """Return the chance that somebody calls a thing so that a description calls `name`."""
    other_names = table("things").get(description_name, ())
    if head in ("", description_name) or find_generic_kind(head) == "thing":
        return 1.0
    if head in table("maybe").get(description_name, ()):
        return 0.5
    if head in other_names:
        return 0.9 if other_names.index(head) < 4 else OTHER_NAME
    last_word, singular_form = _find_noun(description_name)
    if head in (last_word, singular_form):
        return 0.95
    if head.endswith(f" {description_name}"):
        return 0.5 if head in group("complete") else COMPOUND_CHANCE  # "pool table" is a table of its own kind
    similarity = 0.38 * LEXICON.similar_names(head).get(description_name, 0.0)
    if head in group("kinds"):  # "animal" of "cat"
        return 0.9 if LEXICON.is_a(singular_form, head) or LEXICON.is_a(description_name, head) else similarity
    is_category = head != singular_form and head not in table(
        "things"
    )  # a kettle is no pot: it would be called a kettle
    is_adjective = LEXICON.word_classes(head).startswith("a")  # "is it flat": no level ground
    if not is_category or is_adjective or not LEXICON.is_a_first(head, description_name):
        return similarity
    return OPEN if singular_form in group("kinds") else 0.65  # "banana" of "fruit", "spaniel" of "dog"


def names_content(description_name: str, head: str, link: Link) -> bool:
    """Return whether a container and what it holds are a name: a "cup with pens" is called "pot of pens"."""
    content, holds = link.phrase.head, link.relation in ("of", "with", "full of")
    _, is_filled, content_name = description_name.partition(" of ")
    is_container = is_filled and head in group("containers") and content in (content_name, LEXICON.lemma(content_name))
    return holds and bool(content) and (bool(is_container) or rate_name(f"{content} {head}", description_name) >= 0.9)


def take_name(phrase: Phrase, description_name: str) -> Phrase:
    """Return a phrase whose noun may be a name: "pot of pens" for a "cup with pens", a board for a "white board"."""
    other_links = tuple(link for link in phrase.links if not names_content(description_name, phrase.head, link))
    if len(other_links) < len(phrase.links):
        return replace(phrase, head=description_name, links=other_links)
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
    names = {head} & table("things").keys() or {
        name for name, other_names in table("things").items() if head in other_names[:4]
    }
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


def is_mixed_colour(words: Sequence[str], colours: Iterable[str]) -> bool:
    """Return whether colours are between two that words name: cyan is for "blue-green"."""
    is_of_two = len(words) == 2 and rate_colour(words[0], words[1]) < NEAR_COLOUR_CHANCE
    return is_of_two and all(rate_colour(word, colour) == NEAR_COLOUR_CHANCE for word in words for colour in colours)


def find_word_forms(text: str) -> frozenset[str]:
    """Return the words of a list and their lemmas: "cactuses" and "cactus"."""
    return frozenset(form for word in text.replace(",", "").split() for form in (word, LEXICON.lemma(word)))


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
    details: tuple[str, ...] = ()
    """Its parts and states beside `words` (`PictureObject.details`)."""

    @property
    def shown(self) -> str:
        """What a screen or painting shows, "" if that is not known."""
        return next((detail.removeprefix(SHOWING) for detail in self.details if detail.startswith(SHOWING)), "")

    def is_part_of(self, ids: Collection[str]) -> bool:
        """Return whether it is a part of one of some things."""
        return self.is_part and self.support in ids

    @property
    def is_several(self) -> bool:
        """Whether its name leaves open how many it is: "stairs", "stack of books"."""
        return self.is_uncounted or self.name.endswith("s") or " of " in self.name or self.name in group("several")

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """The words that are colours, with their shades."""
        return tuple(find_colours(self.words))

    @property
    def edges(self) -> Box:
        """Its box; the middle of the picture if it has none."""
        return self.box or (0.5, 0.5, 0.5, 0.5)

    @property
    def x(self) -> float:
        """The middle from left (0) to right (1)."""
        return (self.edges[0] + self.edges[2]) / 2

    @property
    def y(self) -> float:
        """The middle from top (0) to bottom (1)."""
        return (self.edges[1] + self.edges[3]) / 2

    @property
    def width(self) -> float:
        """The share of the picture's width that its box takes."""
        return self.edges[2] - self.edges[0]

    @property
    def height(self) -> float:
        """The share of the picture's height that its box takes."""
        return self.edges[3] - self.edges[1]

    @property
    def size(self) -> float:
        """The share of the picture that its box takes."""
        return self.width * self.height

    @property
    def is_seen(self) -> bool:
        """Whether more than a sliver of it shows."""
        is_shown = self.visible >= 0.1 or self.visible * self.size >= 0.002 or self.size >= 0.1
        return self.box is None or self.is_part or is_shown

    @property
    def is_prominent(self) -> bool:
        """Whether nobody who looks would miss it."""
        return self.box is not None and self.is_visible and self.size >= 0.0015

    @property
    def is_visible(self) -> bool:
        """Whether enough of it is not covered."""
        return self.visible >= 0.3 or self.visible * self.size >= 0.01


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
    names, visible = (picture_object.id, picture_object.name), picture_object.visible
    writing, details = picture_object.writing, picture_object.details
    return SceneThing(*names, tuple(words), box, visible, support, writing=writing, details=details)


def read_things(picture: PictureDescription) -> list[SceneThing]:
    """Return the things of a picture as its description tells them."""
    supports_by_thing = {subject: target for subject, relation, target in picture.relations if relation == "on"}
    things = [_read_object(entry, picture, supports_by_thing.get(entry.id, "")) for entry in picture.objects]
    uncounted_names = _find_gapped_names(things) if picture.kind == "room" else ()
    things = [replace(entity, is_uncounted=True) if entity.name in uncounted_names else entity for entity in things]
    return things if any(entry.box for entry in picture.objects) else _place_things(things, picture.relations)


def _find_gapped_names(things: Sequence[SceneThing]) -> set[str]:
    """Return the names of which some are left out and others half hidden: there is a "lamp 4", and only two lamps."""
    name_counts = Counter(item.name for item in things)
    last = {item.id: item.id.rpartition(" ")[2] for item in things}
    hidden_names = {item.name for item in things if item.visible < 0.5}
    gapped = [item for item in things if last[item.id].isdigit() and int(last[item.id]) > name_counts[item.name]]
    return {item.name for item in gapped if item.name in hidden_names}


def _place_things(things: Sequence[SceneThing], relations: Sequence[tuple[str, str, str]]) -> list[SceneThing]:
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

    What the details name they describe better than the words do. The colour of a bed is that of its blanket.
    """
    box = entity.box if entity.size < SMALL_OWNER else None
    owned = replace(entity, box=box, support=entity.id, is_part=True, writing="", details=())
    parts = [part for text in entity.details if (part := _parse_part(owned, text))]
    words = [part for text in entity.words if (part := _parse_part(owned, text))]
    if entity.name in ("bed", "hospital bed") and entity.colours:
        spread = replace(owned, name="bedspread", words=entity.colours, is_uncounted=False)
        words.append(replace(spread, id=f"{entity.id} bedspread"))
    detailed_names = {part.name for part in parts}
    return [*parts, *(part for part in words if part.name not in detailed_names)]


def _parse_part(owned: SceneThing, text: str) -> SceneThing | None:
    """Return the part that a text names ("with 3 red drawers"), None if it names none."""
    preposition, _, part_text = text.partition(" ")
    if preposition not in ("with", "full", "of") or not part_text:
        return None
    words = re.findall(r"(?:light |dark )?[^ ]+", part_text.removeprefix("of "))
    words = [word for word in words if word not in ("and", "a")]
    name, numbers = LEXICON.lemma(words[-1]), [int(word) for word in words if word.isdigit()]
    is_uncounted = name != words.pop() and not numbers
    if words and f"{words[-1]} {name}" in table("things"):  # "yellow number plate"
        name = f"{words.pop()} {name}"
    look_words = tuple(word for word in words if not word.isdigit() and word not in NUMBER_WORDS)
    part = replace(owned, id=f"{owned.id} {text}", name=name, words=look_words, is_uncounted=is_uncounted)
    return replace(part, thing_count=(*numbers, 1 + is_uncounted)[0])


def find_seat(entity: SceneThing, things: Sequence[SceneThing]) -> SceneThing | None:
    """Return the seat of a chair: its colour is the last of two. Where only the wood shows, a cushion may be hidden."""
    is_chair = entity.name.rpartition(" ")[2] in group("seats") and "striped" not in entity.words
    most = max(len(other.colours) for other in things if other.name == entity.name)
    is_chair = is_chair and not any(detail.endswith(" seat") for detail in entity.details)
    if not is_chair or len(entity.colours) != most or most not in (1, 2) or (most == 1 and "wooden" in entity.words):
        return None
    seat_id = f"{entity.id} {'seat' if most == 1 else CUSHION}"
    return replace(entity, id=seat_id, name=SEAT, words=entity.colours[-1:], support=entity.id, is_part=True)


def rate_material_colour(entity: SceneThing, word: str) -> float:
    """Return the chance of a colour word for a thing of which only the material is known."""
    colours = [colours for material, colours in table("material_colours").items() if material in entity.words]
    return 0.4 if not colours else 0.7 if base_colour(word) in colours[0] else 0.2


def may_have_colour(entity: SceneThing, word: str) -> bool:
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
