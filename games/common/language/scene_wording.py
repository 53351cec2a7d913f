"""Describes the things of a picture in words: "two red cushions", "a lamp that is on", "on the table, on the left"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from games.common.language.claims import Answer, Phrase, Truth
from games.common.language.grammar import find_attribute_table, words_of
from games.common.language.lexicon import LEXICON
from games.common.language.scene_claims import has_relation
from games.common.language.scene_truths import SceneJudge
from games.common.language.scenes import EXACT_RELATIONS, PLACE_RELATIONS
from games.common.language.things import SURFACE_PREFIX, SceneThing, base_colour, find_generic_kind
from games.common.language.wording import add_article, is_plural_name, join_list, pluralise, say_count, spell_out_number

MATERIALS = {"metal": "shiny metal", "rubber": "matte rubber"}
"""How the materials of solids are called in answers."""
SUBSTANCES = {"wooden": "wood", "tiled": "tiles"}
STATE_WORDS = ("on", "off")
"""Attributes that stand after the name: "a television that is on"."""
SIDE_PHRASES = ("on the left", "in the middle", "on the right")
UNSURE_TEXT, UNFOUND = "I am not sure", "I cannot tell about that"
PLAIN_RELATIONS = ("in", "on", "on top of", *EXACT_RELATIONS, "behind", "in front of", "next to", "between")
"""Relations that an answer repeats."""
MOST_LISTED = 6
"""The most things that an answer lists."""


class SceneDescriber(SceneJudge):
    """Describes what is in one picture."""

    # -- what is known of what was asked
    def unsure_of(self, phrase: Phrase) -> Answer:
        """Return the answer that it cannot be said, with what is known of things that a phrase may mean."""
        return unsure(self.say_known(phrase))

    def say_known(self, phrase: Phrase) -> str:
        """Return what is known of things that a phrase may mean, "" if there are none."""
        things = [entity for entity in self.subjects(Phrase(phrase.head)) if entity.box and not entity.is_part]
        is_seen = any(entity.is_seen for entity in things)
        names = {entity.name for entity in things}
        is_mixed = len(things) > MOST_LISTED and (len(names) > 1 or self.may_mean_others(Phrase(phrase.head)))
        return self.list_things(things) if phrase.head and is_seen and not is_mixed else ""

    def say_unknown(self, phrase: Phrase) -> str:
        """Return what is not known: what is under the desk; of a white bowl that is not there which bowl is."""
        for target in (link.phrase for link in phrase.links if link.phrase.head):
            if not self.subjects(replace(target, places=(), links=())):
                return self.say_known(target) or UNFOUND
        is_plain = not phrase.places and all(link.relation in PLAIN_RELATIONS for link in phrase.links)
        return f"I cannot say what is {_repeat(Phrase(links=phrase.links)) * is_plain or 'there'}"

    def say_category(self) -> str:
        """Return what kind of room it is, "" if that is not known."""
        if self.scene.is_complete:
            return "it is no room but some objects on a plain floor"
        return f"it is {add_article(self.scene.category)}" if self.scene.category else ""

    def say_existence(self, phrase: Phrase, truth: Truth) -> str:
        """Return the answer whether there is what a phrase says."""
        things = self.subjects(phrase)
        if phrase.is_negated:
            return "no, I see none" if truth is Truth.YES else self.list_things(things)
        if things and truth is Truth.YES:
            return f"yes, {self.list_things(things)}"
        if things and phrase.count.is_stated:
            noun_text = " ".join((*self.describe_look(phrase.modifiers), find_noun(things, phrase)))
            return f"no, there {'is' if len(things) == 1 else 'are'} {say_count(len(things), noun_text)}"
        denial_text = f"{truth.value}, I see no {_repeat(phrase)}" if phrase.head else f"{truth.value}, I see none"
        known_text = self.say_known(phrase) if not phrase.is_bare and not find_generic_kind(phrase.head) else ""
        return f"{denial_text}; {known_text}" if known_text else denial_text

    def say_state(self, subject: Phrase, predicate: Phrase) -> str:
        """Return what is so of the thing that a predicate is about, "" where nothing needs to be added."""
        things, linked_phrase = self.subjects(subject), predicate.find_linked("with")
        if linked_phrase:
            linked_things = self.subjects(linked_phrase)
            own_things = [item for item in linked_things if item.support in {entity.id for entity in things}]
            return self.list_things(own_things or linked_things) if linked_things else ""
        if len(things) != 1:
            return ""
        is_placed = predicate.places or has_relation(predicate.links, (*PLACE_RELATIONS, "below"))
        if is_placed and things[0].box:
            is_side = not predicate.places or {"left", "right", "middle"} & {*predicate.places}  # not "nearest to me"
            place_text = self.describe_place(things[0], is_short=bool(predicate.places))
            return f"the {things[0].name} is {place_text}" if is_side else ""
        asked_tables = {_find_table(word) for word in predicate.modifiers}
        words = [word for word in things[0].words if _find_table(word) in asked_tables]
        return f"the {things[0].name} is {join_list(self.describe_look(merge_shades(words)))}" if words else ""

    def say_option(self, subject: Phrase, predicate: Phrase, *, is_place: bool) -> str:
        """Return "the lamp is red", "" for what has no name: "is the background light or dark"."""
        text = _repeat(replace(predicate, modifiers=tuple(self.describe_look(predicate.modifiers))))
        if not text or not (subject.head or subject.pronoun):
            return ""
        is_noun = predicate.head and not (predicate.is_plural or is_place)
        is_one_of = len(self.subjects(Phrase(subject.head))) > 1
        look = self.describe_look(subject.modifiers) if is_one_of and not subject.is_plural else []
        subject_text = " ".join((*look, _say_head(subject)))
        subject_text = f"the {subject_text}" if subject.head else "they" if subject.is_plural else "it"
        return f"{subject_text} {'are' if subject.is_plural else 'is'} {add_article(text) if is_noun else text}"

    # -- things

    def describe_look(self, words: Iterable[str]) -> list[str]:
        """Return words for what a thing looks like, as answers call them."""
        return [MATERIALS.get(word, word) if self.scene.is_complete else word for word in words]

    def describe_thing(self, item: SceneThing) -> str:
        """Return "red wooden chair", "vase with red flowers"."""
        words_after = [f"that is {word}" if word in STATE_WORDS else word for word in item.words if follows_name(word)]
        words = [word for word in item.words if not follows_name(word) and word not in item.name.split(" ")]
        words.sort(key=lambda word: word not in LEXICON.get_table("sizes"))  # "large sunset painting"
        if len(item.colours) > 1:
            words = [word for word in words if word not in item.colours] + [join_list(item.colours)]
        text = " ".join([*self.describe_look(words), item.name, *words_after])
        return " ".join(word for word, _ in groupby(text.split(" ")))  # not "red wine wine glass"

    def describe_place(self, entity: SceneThing, *, is_short: bool = False) -> str:
        """Return where a thing is: "on the table", "on the left"."""
        support, side_text = self.scene.by_id.get(entity.support), self.side(entity)
        if not support or is_short:
            return side_text
        is_unique = sum(other_thing.name == support.name for other_thing in self.scene.things) == 1
        return f"on the {support.name}" if is_unique else f"on the {support.name}, {side_text}"

    @staticmethod
    def side(entity: SceneThing) -> str:
        """Return "on the left", "in the middle" or "on the right"."""
        return SIDE_PHRASES[0 if entity.x < 0.4 else 2 if entity.x > 0.6 else 1] if entity.box else ""

    def say_level(self, entity: SceneThing) -> str:
        """Return "top " or "bottom " for the first or last of several things one above the other."""
        heights = [other_thing.y for other_thing in self.scene.things if other_thing.name == entity.name]
        is_stack = max(heights) - min(heights) > 0.15 and not any(word.startswith("in ") for word in entity.words)
        return "top " if is_stack and entity.y == min(heights) else "bottom " * (is_stack and entity.y == max(heights))

    def group(self, things: Sequence[SceneThing]) -> str:
        """Return things in words, equal ones counted: "two red cushions and a lamp"."""
        return join_list(self.count_equal(things))

    def count_equal(self, things: Sequence[SceneThing]) -> list[str]:
        """Return "two red cushions" and "a lamp" for three things; "books" of two shelves are not two books."""
        counts = Counter((self.describe_thing(item), is_plural_name(item.name)) for item in things)
        is_one = {key: key[1] or number == 1 for key, number in counts.items()}
        return [add_article(key[0]) if is_one[key] else _write_plural(key[0], n) for key, n in counts.items()]

    def list_things(self, things: Sequence[SceneThing]) -> str:
        """Return "there are two red cushions", "there is a cat on the sofa"; parts are named with what has them."""
        solid = [entity for entity in things if not entity.is_part]
        solid = solid or [self._show_part(entity) for entity in things[:1]]
        place_text = f" {self.describe_place(solid[0])}" if len(solid) == 1 and solid[0].box else ""
        name_text = pluralise(solid[0].name) if len({entity.name for entity in solid}) == 1 else "of them"
        things_text = self.group(solid) if len(solid) <= MOST_LISTED else f"{spell_out_number(len(solid))} {name_text}"
        is_singular = len(solid) == 1 and not is_plural_name(solid[0].name)
        return f"there {'is' if is_singular else 'are'} {things_text}{place_text}"

    def _show_part(self, part: SceneThing) -> SceneThing:
        """Return the thing that has a part, with words for the part: "chair with a red seat"."""
        owner = self.scene.by_id[part.support]
        text = part.id.removeprefix(f"{owner.id} ")
        is_singular = text.startswith("with ") and part.thing_count == 1
        text = f"with {add_article(text.removeprefix('with '))}" if is_singular else text
        words = [word for word in owner.words if not (word.startswith("with ") and part.name in word)]
        return owner if part.name == "bedspread" or text in owner.words else replace(owner, words=(*words, text))

    def identify(self, entity: SceneThing) -> str:
        """Return a thing in words, with its place where others look the same: "a black chair, the one on the left"."""
        text = self.describe_thing(entity)
        is_unique = [self.describe_thing(other) for other in self.scene.things].count(text) == 1
        if is_unique or is_plural_name(entity.name):
            return add_article(text)
        xs = [other.x for other in self.scene.things if other.name == entity.name]
        is_outermost = entity.x in (min(xs), max(xs))
        place = SIDE_PHRASES[0 if entity.x == min(xs) else 2] if is_outermost else self.side(entity)
        return f"{add_article(text)}, the one {place}"

    def say_aspect(self, entity: SceneThing, asked_noun: str) -> str:
        """Return the colours, the material, … of a thing in words; all of its look if a kind is asked for."""
        table = LEXICON.categories("aspects").get(asked_noun, "look")
        asked_words = () if table == "look" else LEXICON.categories(table)
        words = [word for word in entity.words if table == "look" or (base_colour(word) or word) in asked_words]
        if entity.id.startswith(SURFACE_PREFIX) and any(word.startswith("dark ") for word in words):
            words = [word for word in words if word != "black"]  # a shadow
        return join_list([SUBSTANCES.get(word, word) for word in self.describe_look(merge_shades(words[:3]))])

    def say_kind(self, entity: SceneThing, aspect: str) -> str:
        """Return the colours, the size, … of a thing to compare, or as its shape what it and others are: "cubes"."""
        return pluralise(entity.name) if aspect == "shape" else self.say_aspect(entity, aspect)

    def sort_by_size(self) -> list[SceneThing]:
        """Return one clear thing of each name, the largest first."""
        things = sorted((entity for entity in self.scene.things if entity.is_prominent), key=lambda entity: entity.size)
        return sorted({entity.name: entity for entity in things}.values(), key=lambda entity: -entity.size)


def unsure(detail: str = "") -> Answer:
    """Return the answer that it cannot be said, with what is known; not how many things of any kind there are."""
    detail = "" if detail.endswith(" of them") else detail
    return Answer(f"{UNSURE_TEXT}; {detail}" if detail else UNSURE_TEXT, Truth.UNKNOWN)


def confirm(is_true: bool, text: str) -> Answer:
    """Return "yes" or "no" with what is so."""
    truth = Truth.YES if is_true else Truth.NO
    return Answer(f"{truth.value}, {text}" if text else truth.value, truth)


def find_noun(things: Sequence[SceneThing], phrase: Phrase) -> str:
    """Return what things are called: by their name, or as they were asked for if they have several."""
    thing_names = {entity.name for entity in things}
    asked_name = "thing" if phrase.head in ("", "stuff") else phrase.head
    return thing_names.pop() if len(thing_names) == 1 else asked_name


def _repeat(phrase: Phrase) -> str:
    """Return a phrase as it was meant, without its number."""
    head = "person" if phrase.head in words_of("persons") else _say_head(phrase)
    places = [f"on the {' '.join(phrase.places)}"] if phrase.places else []
    targets: dict[str, list[str]] = {}
    for link in phrase.links:
        if words := (*link.phrase.places, *link.phrase.modifiers, *filter(None, [_say_head(link.phrase)])):
            targets.setdefault(link.relation, []).append(f"the {' '.join(words)}")
    links = [f"{relation} {join_list(target_texts)}" for relation, target_texts in targets.items()]
    return " ".join(word for word in (*phrase.modifiers, head, *places, *links) if word)


def _say_head(phrase: Phrase) -> str:
    return pluralise(phrase.head) if phrase.is_plural and phrase.head else phrase.head


def _find_table(word: str) -> str:
    """Return the kind of an attribute: "colours", "materials", …; "" for words of none."""
    return find_attribute_table("lit" if word in STATE_WORDS else base_colour(word) or word)


def merge_shades(words: Sequence[str]) -> Sequence[str]:
    """Return words with one colour for several shades of it: a wall in light and shade."""
    counts = Counter(base_colour(word) for word in words)
    return list(dict.fromkeys(base if (base := base_colour(word)) and counts[base] > 1 else word for word in words))


def follows_name(word: str) -> bool:
    """Return whether an attribute stands after the name: "that is on", "with red flowers", "full of soil"."""
    return word in STATE_WORDS or word.split(" ")[0] in ("with", "full", "of", "in")


def _write_plural(phrase: str, number: int) -> str:
    separator = next((word for word in (" that is ", " with ", " in ") if word in phrase), " with ")
    head_noun, preposition, complement = phrase.partition(separator)
    return f"{spell_out_number(number)} {pluralise(head_noun)}{preposition.replace(' is ', ' are ')}{complement}"


def write_counts(words: Iterable[str]) -> list[str]:
    """Return "two red" and "one blue" for red, red, blue."""
    return [f"{spell_out_number(number)} {word}" for word, number in Counter(words).items()]
