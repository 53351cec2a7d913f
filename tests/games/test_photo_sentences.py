"""Sentences and questions about pictures, made from their descriptions.

A partner never takes a true sentence for a difference, never denies what is so, and never affirms what is not.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from games.common import pictures
from games.common.language.things import rate_name
from games.common.language.wording import add_article, pluralise, spell_out_number
from tests.games.partner_figures import decide, partner

PICTURES = pictures.LIBRARY.ids("ludens")
MOST = 40
"""The most sentences and questions of each kind about one picture."""
OPPOSITES = {"left": "right", "right": "left"}
CLASHES = {
    "red": "green", "orange": "blue", "yellow": "purple", "green": "red", "blue": "yellow", "purple": "yellow",
    "pink": "green", "brown": "blue", "white": "red", "grey": "red", "black": "yellow",
}  # fmt: skip
ABSENT = ("horse", "elephant", "piano", "bathtub", "toilet", "guitar", "sofa")
"""Things of which descriptions name all."""
VAGUE = ("bread", "popcorn", "firewood", "plant", "flower", "tree", "picture")
"""Names without a plural, or that may mean a pot, a vase or the whole picture."""

# {a}: "a red chair"; {n}: its name; {s}: in the plural; {k}, {more}: their number and one more; {c}, {x}: their
# colour and one that is not; {m}: what it is on; {l}, {r}: things on the left and right of each other; {w}: where;
# {o}: opposite; {z}: what is not there
SENTENCES = """
thing: there is {a} | there's also {a} | I can see {a} | one thing I notice is {a} | {a} can be seen | mine has {a}
thing: there seems to be {a} | at least one {n} | my picture shows {a} | we have {a} here | there might be {a}
number: there are {k} {s} | I count {k} {s} | {k} {s}, no more
number: at least {k} {s} | not more than {k} {s} | only {k} {s}
number: {k} {s} altogether | a group of {k} {s} | one {n} and a second one | a {n} and another {n}
colour: the {n} is {c} | the {n} isn't {x} | the {n} is not {x} but {c} | the colour of the {n} is {c} | a {n}, {c}
colour: there's a {n}, and it's {c} | there is a {n}. It is {c} | the {n} is neither {x} nor colourful | a {c} {n}
colours: the {s} are all {c} | none of the {s} is {x} | {s}, all of them {c} | every {n} is {c} | no {x} {s}
mixed: {k} {s}, {j} of them {c} | not all {s} are {c} | the {s} aren't all {c} | {j} of the {s} are {c}
side: on the {w} there's a {n} | the {n} is on the {w}, not on the {o}
side: {w}: a {n} | there's nothing like a {n} on the {o}
side: in the {w} half of the picture there is a {n}
side: a {n} stands on the {w} | the {w} part of the picture shows a {n}
on: there's a {n} on the {m} | a {m} with a {n} on it | there is a {m}, and on it is a {n} | the {m} carries a {n}
on: on one {m} there's a {n} | the {m} isn't empty | there is a {m}. It has a {n} on it
beside: the {l} is to the left of the {r}
beside: a {l} and, further to the right, a {r} | first the {l}, then, to its right, the {r}
beside: the {l} is further left than the {r} | a {r}, and to the left of it a {l} | the {r} isn't left of the {l}
two: both the {l} and the {r} are there | not only a {l} but also a {r}
two: a {l} / a {r} | besides a {l} there's also a {r}
absent: there isn't a {z} | I see neither a {z} nor a zebra
absent: nowhere is there a {z} | it lacks a {z} | no sign of a {z}
absent: I don't see any {z} | a {z} is missing | nothing like a {z} | there are no {z}s
room: this is {room} | it's {room} | I'm looking at {room} | it looks like {room} | the room is {room}
"""
TRUE_QUESTIONS = """
thing: is there {a}? | do you see {a}? | have you got {a}?
thing: any {s}? | is there possibly {a}? | I see {a}. Do you? | there's {a}, right?
number: are there {k} {s}? | is it {k} {s}? | are there fewer than {more} {s}? | do you count {k} {s}?
colour: is the {n} {c}? | is the colour of the {n} {c}?
colour: the {n} is {c}, right? | is the {n} {x} or {c}? | is your {n} {c} too?
colours: are all the {s} {c}? | is every {n} {c}? | do the {s} have the same colour?
mixed: is one of the {s} {c}? | are the {s} in different colours? | do the {s} have different colours?
side: is the {n} on the {w}? | on the {w}, is there a {n}? | is the {n} on the {w} or on the {o}?
on: is there a {n} on the {m}? | is anything on the {m}? | does the {m} have a {n} on it?
beside: is the {l} to the left of the {r}?
beside: is the {l} to the left or to the right of the {r}? | is the {l} further left than the {r}?
room: is this {room}? | is the room {room}? | would you say it's {room}? | is yours {room} too?
"""
FALSE_QUESTIONS = """
number: are there {more} {s}? | is it {more} {s}?
number: is the number of {s} {more}? | are there more than {k} {s}? | do you see at least {more} {s}?
colour: is the {n} {x}? | is {x} the colour of the {n}? | the {n} is {x}, isn't it? | is the {n} {x} rather than {c}?
colours: are the {s} {x}? | are any of the {s} {x}? | is one of the {s} {x}? | do the {s} have different colours?
mixed: are all the {s} {c}? | is each {n} {c}? | do all the {s} have the same colour? | is none of the {s} {c}?
side: is the {n} on the {o}? | on the {o}, is there a {n}? | is the {n} in the middle? | is the {n} in the {o} half?
on: is the {m} empty? | is there nothing on the {m}? | is there a zebra on the {m}?
beside: is the {l} to the right of the {r}? | is the {r} further left than the {l}?
absent: is there a {z}? | how about a {z}? | is there no {z}? | no {z}?
absent: do you see a {z}, too? | is there a red {z}? | is there a {z} on the left?
room: is it a street? | is the room a street?
"""


def templates(text: str) -> dict[str, list[str]]:
    """Return the templates of each kind of fact."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for line in text.strip().splitlines():
        kind, _, options = line.partition(": ")
        kinds[kind] += options.split(" | ")
    return kinds


class Facts:
    """What is surely so in a picture: things that nobody would overlook or call otherwise."""

    def __init__(self, picture: str, rng: Random) -> None:
        self.picture, self.rng = pictures.LIBRARY.description(picture), rng
        self.things = {item.id: item for item in self.picture.objects if item.box}
        self.by_name = defaultdict(list)
        for item in self.things.values():
            self.by_name[item.name].append(item)
        self.names = [
            name for name, items in self.by_name.items() if all(map(self.is_clear, items)) and self.is_distinct(name)
        ]

    def is_distinct(self, name: str) -> bool:
        """Return whether a name has a singular and a plural, and nothing else may be called so: no "lamp" here."""
        is_countable = not name.endswith("s") and " of " not in name and name not in VAGUE
        return is_countable and all(rate_name(name, other) < 0.5 for other in self.by_name if other != name)

    def is_clear(self, item: Any) -> bool:
        _, _, width, height = item.box
        is_large = width * height >= 0.004 * self.picture.width * self.picture.height
        return item.visible >= 0.7 and is_large

    def middle(self, item: Any) -> float:
        return (item.box[0] + item.box[2] / 2) / self.picture.width

    def all(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield kinds of facts with what their templates need."""
        for name in self.names:
            yield from self.facts_of(name, self.by_name[name])
        for subject, relation, target in self.picture.relations:
            item, below = self.things.get(subject), self.things.get(target)
            if item and below and relation == "on" and {item.name, below.name} <= {*self.names}:
                yield "on", {"n": item.name, "m": below.name}
        single = [self.by_name[name][0] for name in self.names if len(self.by_name[name]) == 1]
        for left in single:
            for right in single:
                if self.middle(right) - self.middle(left) > 0.3 and left.box[0] + left.box[2] < right.box[0]:
                    yield from ((kind, {"l": left.name, "r": right.name}) for kind in ("beside", "two"))
        absent = [name for name in ABSENT if not any(name in other for other in self.by_name)]
        if self.picture.category not in ("art gallery", "nursery", "cinema"):
            yield from (("absent", {"z": name}) for name in absent)
        if self.picture.kind == "room":
            yield "room", {"room": add_article(self.picture.category or "")}

    def facts_of(self, name: str, items: list[Any]) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield facts of the things of one name."""
        number, plural = len(items), pluralise(name)
        words = {"n": name, "s": plural, "k": spell_out_number(number), "more": spell_out_number(number + 1)}
        numbers = {int(item.id.rpartition(" ")[2]) for item in items if item.id[-1].isdigit()}
        yield "thing", words | {"a": add_article(name)}
        if 1 < number <= 5 and numbers <= {*range(number + 1)}:
            yield "number", words
        colours = [
            [word.split(" ")[-1] for word in item.attributes if word.split(" ")[-1] in CLASHES] for item in items
        ]
        if all(len(each) == 1 for each in colours):
            counts = Counter(each[0] for each in colours)
            colour, share = self.rng.choice(sorted(counts.items()))
            words |= {"c": colour, "x": CLASHES[colour], "j": spell_out_number(share)}
            kind = "mixed" if len(counts) > 1 else "colour" if number == 1 else "colours"
            if kind != "mixed" or share > 1:
                yield kind, words
        middle = self.middle(items[0])
        if number == 1 and not 0.3 < middle < 0.7:
            side = "left" if middle < 0.5 else "right"
            yield "side", words | {"w": side, "o": OPPOSITES[side]}


def filled(text: str, picture: str) -> list[str]:
    """Return some sentences about a picture that the templates in a text make."""
    rng, kinds = Random(picture), templates(text)
    texts = [template.format(**words) for kind, words in Facts(picture, rng).all() for template in kinds[kind]]
    texts = [re.sub(r"\ba(?= [aeiou])", "an", text[0].upper() + text[1:]) for text in sorted(set(texts))]
    return rng.sample(texts, min(MOST, len(texts)))


@pytest.mark.parametrize("picture", PICTURES[::6])
def test_a_true_sentence_about_a_picture_is_no_difference(picture: str) -> None:
    item = pictures.LIBRARY.description(picture).model_dump(mode="json", exclude={"id", "family", "change"})
    assert [text for text in filled(SENTENCES, picture) if decide(f"{text}.", item) != "same"] == []


@pytest.mark.parametrize("picture", PICTURES[1::6])
def test_what_is_so_in_a_picture_is_not_denied_and_what_is_not_so_is_not_affirmed(picture: str) -> None:
    me = partner(pictures.LIBRARY.description(picture).model_dump(mode="json", exclude={"id", "family", "change"}))
    for text, lie in ((TRUE_QUESTIONS, "No"), (FALSE_QUESTIONS, "Yes")):
        answers = {question: me.answer(question) for question in filled(text, picture)}
        assert {question: answer for question, answer in answers.items() if re.match(rf"{lie}\b", answer)} == {}
