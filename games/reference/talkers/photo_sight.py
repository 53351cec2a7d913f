"""What a scripted player sees of a photo-like picture, from its description: things, attributes, numbers, places.

What is clearly visible is said; what is hardly visible is not, and is not denied either. An expression is read as
mentions of things, by the names and attributes of the picture itself and what people call them; every part of a
mention that some thing has counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from games.reference.talkers.facts import Fact

CLEAR, HINTED = 0.5, 0.05
"""Shares of a thing that are visible: so much to speak of it, so little to count with it."""
PROMINENT = 0.03
"""Share of the picture that a thing takes at least to be spoken of first."""
SIZES = ("huge", "big", "large", "small", "tall", "short", "long", "wide", "high")
MATERIALS = frozenset(
    "metal rubber wooden glass leather marble plastic stone concrete steel iron straw wicker rattan bronze".split()
)
AFTER = ("with ", "in ", "full", "of ", "on")
"""Beginnings of attributes that stand after the name: a basket full of bread, a lamp that is on."""
PICTURES = frozenset(("picture", "photo"))
"""Things on a picture that nobody would mention: "the picture with a picture"."""
COLOURS = frozenset(
    "red orange yellow green blue purple pink brown black white grey beige cyan gold golden copper silver".split()
)
MASS = frozenset("bread bunting cheese creeper firewood ivy popcorn sea toilet_paper garden town city".split())
NUMBERS = {word: number for number, word in enumerate("no one two three four five six seven eight nine ten".split())}
SAME: dict[str, str] = {
    "sofa": "couch settee loveseat divan",
    "television": "tv telly",
    "refrigerator": "fridge icebox",
    "fridge": "refrigerator icebox",
    "bicycle": "bike",
    "gift": "present",
    "umbrella": "brolly",
    "night table": "nightstand bedside_table bedside_cabinet",
    "chest of drawers": "dresser drawers",
    "bookcase": "bookshelf",
    "rug": "carpet mat",
    "waste bin": "bin trash_can garbage_can dustbin wastebasket",
    "painting": "picture artwork",
    "picture": "painting artwork",
    "monitor": "screen",
    "mug": "cup",
    "cup": "mug",
    "stairs": "staircase steps",
    "plant": "houseplant",
    "tap": "faucet",
    "washbasin": "sink basin",
    "sink": "basin washbasin",
    "cot": "crib",
    "sphere": "ball orb",
    "cube": "box block",
    "ring": "donut doughnut torus",
    "cylinder": "drum tube can",
    "parasol": "sunshade umbrella",
    "jug": "pitcher",
    "backpack": "rucksack bag",
    "pillow": "cushion",
    "cushion": "pillow",
    "flowers": "bouquet",
    "cinema seat": "seat",
    "dryer": "tumble_dryer",
    "workbench": "bench",
}
"""What else a name is called; a name of several words also goes by its last one."""
ATTRIBUTES = {
    "gray": "grey",
    "violet": "purple",
    "big": "large",
    "little": "small",
    "tiny": "small",
    "turquoise": "cyan",
    "teal": "cyan",
    "wood": "wooden",
    "metallic": "metal",
    "shiny": "metal",
    "matte": "rubber",
    "matt": "rubber",
    "burning": "lit",
    "navy": "dark blue",
}
ANYTHING = frozenset("object objects thing things one ones item items shape shapes something".split())
OPENING = re.compile(
    r"^\W*(?:the |this |an? |it is |it's )*(?:target )?(?:picture|image|photo|photograph|scene|one)\b", re.I
)
"""How expressions begin without saying anything: "the picture with"."""
PASSED = frozenset("a an the is are that which it there with and has have in on at to of its some".split())
IS = frozenset("is are was isn't aren't isn’t aren’t looks".split())
GONE = frozenset("missing absent gone".split())
ENDS = frozenset("is are on in with and at to that which missing absent gone next , .".split())
SIDES = {
    "left": "left",
    "leftmost": "left",
    "right": "right",
    "rightmost": "right",
    "middle": "middle",
    "centre": "middle",
    "center": "middle",
}


@dataclass(frozen=True)
class Seen:
    """One thing on the picture: its name, its attributes, its middle from 0 (left) to 1 (right), how far visible.

    `area` is the share of the picture that its box takes.
    """

    name: str
    attributes: tuple[str, ...]
    x: float | None
    visible: float
    area: float = 0.0

    @property
    def words(self) -> str:
        """The thing in words, without article: "small red rubber sphere", "shelf with books"."""
        before = [word for word in self.attributes if not word.startswith(AFTER)]
        before.sort(key=lambda word: 0 if word in SIZES else 3 if word in MATERIALS else 1 + _coloured(word))
        after = [word for word in self.attributes if word.startswith(AFTER)]
        plain = ["that is on" if word == "on" else word for word in after]
        return " ".join([*before, self.name, *plain])

    def within(self, side: str, slack: float = 0.0) -> bool:
        """Whether it is on the left, in the middle or on the right; `slack` widens the side."""
        if self.x is None:
            return True
        edges = {"left": (0.0, 0.38), "middle": (0.4, 0.6), "right": (0.62, 1.0)}[side]
        return edges[0] - slack <= self.x <= edges[1] + slack


def _coloured(word: str) -> bool:
    return word.rpartition(" ")[2] in COLOURS


class PhotoSight:
    """One picture."""

    noun = "picture"

    def __init__(self, description: Mapping[str, Any]) -> None:
        width = description["width"]
        self.category = str(description.get("category") or "")
        self.things = [
            Seen(
                thing["name"],
                tuple(thing["attributes"]),
                (thing["box"][0] + thing["box"][2] / 2) / width if thing.get("box") else None,
                thing.get("visible", 1.0),
                thing["box"][2] * thing["box"][3] / (width * description["height"]) if thing.get("box") else 0.0,
            )
            for thing in description["objects"]
        ]
        numbers = {thing["id"]: number for number, thing in enumerate(description["objects"])}
        self.on = [(numbers[a], numbers[b]) for a, word, b in description.get("relations", ()) if word == "on"]

    def _counted(self, name: str, attributes: Sequence[str] = (), least: float = HINTED) -> int:
        """How many things may be called so: an office chair is a chair, too."""
        return sum(
            may_be(name, thing.name) and all(_has(thing, word) for word in attributes) and thing.visible >= least
            for thing in self.things
        )

    # ------------------------------------------------------------------ speaking
    @cached_property
    def _clear(self) -> list[Seen]:
        return [thing for thing in self.things if thing.visible >= CLEAR and thing.name not in PICTURES]

    def facts(self) -> Iterator[Fact]:
        """Yield things, by name and by colour and more, the prominent first; then numbers, then where they are."""
        prominent = [thing for thing in self._clear if thing.area >= PROMINENT]
        for things in (prominent, self._clear):
            for name in dict.fromkeys(thing.name for thing in things):
                yield Fact(("is", name, ()), _article(name))
            for thing in things:
                for some in _parts(thing)[1:]:
                    yield Fact(("is", thing.name, some), _article(Seen(thing.name, some, None, 1).words))
        yield from self._numbers()
        yield from self._sides()
        yield from self._on()
        yield from self._beside()

    def _numbers(self) -> Iterator[Fact]:
        counts = Counter((thing.name, some) for thing in self._clear for some in _parts(thing))
        for (name, some), number in counts.items():
            if number == self._counted(name, some) and 1 <= number <= 9 and _countable(name):
                called = Seen(name, some, None, 1).words
                words = f"{_number(number)} {_plural(called, name)}" if number > 1 else f"only one {called}"
                yield Fact(("number", name, some, number), words)

    def _sides(self) -> Iterator[Fact]:
        for thing in self._clear:
            if self._counted(thing.name) == 1 and thing.x is not None:
                for side in ("left", "middle", "right"):
                    if thing.within(side):
                        where = "in the middle" if side == "middle" else f"on the {side}"
                        yield Fact(("side", thing.name, side), f"the {thing.name} {where}")

    def _on(self) -> Iterator[Fact]:
        for upper, lower in self.on:
            a, b = self.things[upper], self.things[lower]
            if min(a.visible, b.visible) >= CLEAR:
                yield Fact(("on", a.name, b.name), f"{_article(a.name)} on the {b.name}")

    def _beside(self) -> Iterator[Fact]:
        """Things of which there is one only, by which of two stands further left."""
        single = [(thing.x, self._shortest(thing)) for thing in self._clear]
        placed = [(x, key) for x, key in single if x is not None and key]
        for x, (name, some) in placed:
            for y, (other, others) in placed:
                if y - x > 0.08:
                    one, two = Seen(name, some, None, 1).words, Seen(other, others, None, 1).words
                    yield Fact(("left", (name, some), (other, others)), f"the {one} to the left of the {two}")

    def _shortest(self, thing: Seen) -> tuple[str, tuple[str, ...]] | None:
        """Return the name and the fewest attributes that only this thing here may be called by, None if none do."""
        return next(((thing.name, some) for some in _parts(thing) if self._counted(thing.name, some) == 1), None)

    def holds(self, fact: Fact) -> bool:
        """Say whether a fact may be taken to be so: hardly visible things count, sides are taken widely."""
        kind, *rest = fact.key
        if kind == "is":
            return self._counted(rest[0], rest[1]) > 0
        if kind == "number":
            return rest[2] in (self._counted(rest[0], rest[1]), self._counted(rest[0], rest[1], CLEAR))
        if kind == "side":
            return any(may_be(rest[0], thing.name) and thing.within(rest[1], 0.1) for thing in self.things)
        if kind == "on":
            pairs = [(self.things[a].name, self.things[b].name) for a, b in self.on]
            return any(may_be(rest[0], a) and may_be(rest[1], b) for a, b in pairs)
        ones, others = (
            [t.x for t in self.things if may_be(name, t.name) and all(_has(t, w) for w in words) and t.x is not None]
            for name, words in rest
        )
        return any(b - a > -0.04 for a in ones for b in others)

    def without(self, fact: Fact) -> str | None:
        """Say that something is not here."""
        return f"no {Seen(fact.key[1], fact.key[2], None, 1).words}" if fact.key[0] == "is" else None

    # ------------------------------------------------------------------ listening
    def fit(self, expression: str, among: Sequence[PhotoSight]) -> float:
        """Return how many parts of what an expression mentions are so here."""
        text = _normal(OPENING.sub("", expression))
        total = float(bool(self.category) and re.search(rf"\b{re.escape(_normal(self.category))}\b", text) is not None)
        mentions = _mentions(text, *_vocabulary(among))
        for number, mention in enumerate(mentions):
            after = mentions[number + 1] if number + 1 < len(mentions) else None
            total += self._fit(mention, after)
        return total

    def _fit(self, mention: ThingMention, after: ThingMention | None) -> float:
        options = [t for t in self.things if t.visible >= HINTED and mention.means(t)]
        matches = [sum(_has(thing, word) for word in mention.attributes) for thing in options]
        best = max(matches, default=-1)
        wholly = [t for t, share in zip(options, matches, strict=True) if share == len(mention.attributes)]
        if mention.number == 0:
            return 0.0 if wholly else 1.0
        if not options:
            return 0.0
        total = (mention.names is not None) + float(best)
        near = wholly or [t for t, share in zip(options, matches, strict=True) if share == best]
        total += sum(any(not any(_has(t, word) for word in group) for t in near) for group in mention.lacks)
        if mention.number:
            seen = {len(wholly), sum(t.visible >= CLEAR for t in wholly)}
            total += mention.number in seen
        if mention.relation and after:
            total += self._related(near, mention.relation, after)
        elif mention.side:
            total += any(thing.within(mention.side, 0.04) for thing in near)
        return total

    def _related(self, things: list[Seen], relation: str, after: ThingMention) -> float:
        others = [t for t in self.things if after.means(t) and all(_has(t, word) for word in after.attributes)]
        if relation == "on":
            pairs = [(self.things[a], self.things[b]) for a, b in self.on]
            return float(any(a in things and b in others for a, b in pairs))
        sign = 1 if relation == "left" else -1
        return float(
            any(
                a.x is not None and b.x is not None and sign * (b.x - a.x) > 0.02
                for a in things
                for b in others
                if a is not b
            )
        )


def may_be(said: str, name: str) -> bool:
    """Whether a thing of some name may be called something: by its name, by its last word, or as people call it."""
    return said == name or name.endswith(f" {said}") or said.replace(" ", "_") in SAME.get(name, "").split()


def _vocabulary(among: Sequence[PhotoSight]) -> tuple[dict[str, frozenset[str]], dict[str, str]]:
    """Return what may be said of three pictures: ways to call their things to names, and their attributes."""
    names = dict.fromkeys(t.name for one in among for t in one.things if t.visible >= HINTED)
    ways = dict.fromkeys(names)
    for name in names:
        ways |= dict.fromkeys(also.replace("_", " ") for also in SAME.get(name, "").split())
        if " of " not in name:
            ways |= dict.fromkeys([name.rpartition(" ")[2]])
    called = {_normal(way): frozenset(name for name in names if may_be(way, name)) for way in ways}
    attributes = dict.fromkeys(word for one in among for thing in one.things for word in thing.attributes)
    return called, {_normal(word): word for word in attributes}


def _parts(thing: Seen) -> list[tuple[str, ...]]:
    """The attributes by which one speaks of a thing: none, each alone, all."""
    every = thing.attributes
    alone = sorted(((word,) for word in every), key=lambda words: not _coloured(words[0]))
    return list(dict.fromkeys([(), *alone, every]))


def _has(thing: Seen, word: str) -> bool:
    """Whether a thing has an attribute: a colour also where it is a shade of it (blue, dark blue)."""
    return any(word == mine or (mine.endswith(f" {word}") and _coloured(mine)) for mine in thing.attributes)


# ------------------------------------------------------------------ English
def _countable(name: str) -> bool:
    head = name.partition(" of ")[0]
    return name.replace(" ", "_") not in MASS and not (head.endswith("s") and not head.endswith("ss"))


def _article(words: str) -> str:
    """Put "a" or "an" before words, nothing before plurals and what is not counted."""
    head = re.split(r" (?:of|with|in|full|that) ", words)[0]
    if not _countable(head) or head.rpartition(" ")[2] in MASS:
        return words
    return f"{'an' if words[0].lower() in 'aeiou' or words.startswith('X-') else 'a'} {words}"


def _number(number: int) -> str:
    return next(word for word, value in NUMBERS.items() if value == number)


def _plural(words: str, name: str) -> str:
    head = name.partition(" of ")[0]
    if re.search(r"(?:s|x|ch|sh)$", head):
        plural = f"{head}es"
    elif re.search(r"[^aeiou]y$", head):
        plural = f"{head[:-1]}ies"
    elif head.endswith("shelf"):
        plural = f"{head[:-1]}ves"
    else:
        plural = head if head == "fish" else f"{head}s"
    return words.replace(head, plural, 1)


def _normal(text: str) -> str:
    """Lower case, plurals as singulars, words joined by single blanks; commas and full stops stay."""
    return " ".join(_singular(word) for word in re.findall(r"[a-z0-9'’-]+|[.,;]", text.casefold()))


def _singular(word: str) -> str:
    if len(word) < 4 or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("shelves"):
        return f"{word[:-3]}f"
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if re.search(r"(?:ch|sh|ss|x)es$", word):
        return word[:-2]
    return word[:-1] if word.endswith("s") else word


@dataclass
class ThingMention:
    """One thing as an expression speaks of it: by names it may mean, None for anything, empty for what nothing is."""

    names: frozenset[str] | None
    attributes: list[str] = field(default_factory=list)
    number: int | None = None
    side: str | None = None
    relation: str | None = None
    """"left", "right" or "on": how it stands to the next thing mentioned."""
    lacks: list[tuple[str, ...]] = field(default_factory=list)
    """Attributes that it is said not to have, any of a tuple."""

    def means(self, thing: Seen) -> bool:
        """Whether a thing may be called so, whatever its attributes."""
        return self.names is None or thing.name in self.names


def _mentions(text: str, names: Mapping[str, frozenset[str]], known: Mapping[str, str]) -> list[ThingMention]:
    """Read a text from left to right; `names` and `known` attributes are what may be said of the three pictures."""
    return Reading(text.split(), names, known).mentions()


class Reading:
    """Goes through a text once: adjectives and numbers go to the next name, or after "is" to the last one."""

    def __init__(self, tokens: list[str], names: Mapping[str, frozenset[str]], known: Mapping[str, str]) -> None:
        self.tokens, self.names, self.known = tokens, names, known
        self.longest = max((phrase.count(" ") + 1 for phrase in (*names, *known)), default=1)
        self.found: list[ThingMention] = []
        self.waiting = ThingMention(None)
        self.at = 0
        self.ended = -1
        """Where the last name ended."""
        self.is_so: bool | None = None
        """After "is": whether what follows is said of the last thing (True), or denied (False)."""

    def mentions(self) -> list[ThingMention]:
        """Return what the text mentions, in order."""
        while self.at < len(self.tokens):
            length = next((n for n in range(self.longest, 0, -1) if self._phrase(n)), 0)
            if not length:
                self._small_word(self.tokens[self.at])
            self.at += length or 1
        if self.waiting.attributes:
            self.found.append(self.waiting)
        return self.found

    def _phrase(self, length: int) -> bool:
        """Take in an attribute or a name of so many words, if one stands here."""
        words = self.tokens[self.at : self.at + length]
        phrase = " ".join(words)
        if len(words) < length:
            return False
        name_too = phrase in self.names and not self.waiting.attributes and length == 1 and phrase not in COLOURS
        if phrase in self.known and not name_too:
            after = self.known[phrase].startswith(AFTER) and self.found and not self.waiting.attributes
            self._attribute(self.known[phrase], to_last=bool(after))
            return True
        if phrase in self.names or (phrase in ANYTHING and self.waiting.attributes):
            self._name(self.names.get(phrase))
            self.ended = self.at + length
            return True
        return False

    def _attribute(self, word: str, to_last: bool = False) -> None:
        if self.is_so is False:
            self.found[-1].lacks.append((word,))
        else:
            (self.found[-1] if to_last or self.is_so else self.waiting).attributes.append(word)

    def _name(self, names: frozenset[str] | None) -> None:
        if self.is_so and names and self.found[-1].names is None:  # the red object is a ring
            self.found[-1].names = names
        elif names or self.waiting.attributes:
            self.waiting.names = names
            self.found.append(self.waiting)
        self.waiting, self.is_so = ThingMention(None), None

    def _small_word(self, word: str) -> None:
        """Take in a word that is no name and no attribute of the three."""
        following = self.tokens[self.at + 1 : self.at + 3]
        if word in IS and self.found:
            named = self.found[-1].names is not None and following[:1] and following[0] in ("a", "an", "one", "two")
            self.is_so = None if named else not word.endswith("t")
        elif word in ("not", "never") and self.is_so:
            self.is_so = False
        elif word in GONE and self.found:
            self.found[-1].number = 0
        elif word in ("off", "unlit") and self.found:
            self.found[-1].lacks.append(("lit", "on", "burning"))
        elif word == "of" and self.ended == self.at:  # a glass of orange juice
            rest = self.tokens[self.at + 1 :]
            self.at += next((n for n, token in enumerate(rest) if token in ENDS), len(rest))
        elif word in ENDS or word in ("the", "there"):
            self.is_so = None if word in (",", ".", "the", "there", "with") else self.is_so
            self._on(word, following)
        elif word in SIDES and self.found:
            self._side(word, following)
        elif word in ATTRIBUTES or word in COLOURS or word in SIZES:
            self._attribute(ATTRIBUTES.get(word, word))
        else:
            self._number(word, following)

    def _on(self, word: str, following: list[str]) -> None:
        if word == "on" and self.found and following not in (["the", "left"], ["the", "right"]):
            self.found[-1].relation = "on"

    def _side(self, word: str, following: list[str]) -> None:
        if following[:1] == ["of"] and word in ("left", "right"):
            self.found[-1].relation = SIDES[word]
        elif not self.waiting.attributes:
            self.found[-1].side = SIDES[word]

    def _number(self, word: str, following: list[str]) -> None:
        if word in ("no", "without", "not", "lacking"):
            self.waiting.number = 0
        elif word in ("single", "only") and self.waiting.number is None:
            self.waiting.number = 1
        elif word.isdecimal() or word in NUMBERS:
            if word != "one" or (self.waiting.number is None and following[:1] and following[0] not in PASSED):
                self.waiting.number = int(word) if word.isdecimal() else NUMBERS[word]
        elif word not in PASSED and word.isalpha() and self.waiting.number == 0:
            self.found.append(
                ThingMention(frozenset(), self.waiting.attributes, 0)
            )  # nothing is called so: there is none
            self.waiting = ThingMention(None)
