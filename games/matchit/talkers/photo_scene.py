"""One's own photo-like picture as its description tells it, and how far what is said of a picture is from it.

A `ThingMention` is things as a text names them. `apart` says how much a thing is unlike a mention, from 0 (it may be
meant) to 1 and more (it is another one): people name colours and places roughly, and take a bench for a table, so much
of what does not fit says a little only. `Scene.against` weighs a claim: 1 and more means that the pictures differ.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import permutations
from typing import Any

from games.matchit.talkers import photo_words as vocabulary
from games.matchit.talkers.photo_words import BACKGROUND, MANY, OPPOSITES, SOLIDS, Lexicon

Colour = tuple[str, str]
SIZEABLE = 0.006
"""A thing that takes this share of the picture is not overlooked."""
CLEAR = 0.0022
"""A thing that takes less of the picture, or of which little is in sight, is no evidence."""


@dataclass(frozen=True)
class Place:
    """Thirds of the picture: columns 0 (left) to 2, rows 0 (top, background) to 2; empty where it was not said."""

    columns: frozenset[int] = frozenset()
    rows: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.columns or self.rows)


NOWHERE = Place()
WHICH: dict[str, Callable[[Thing], float]] = {
    "left": lambda thing: thing.x,
    "right": lambda thing: -thing.x,
    "upper": lambda thing: thing.y,
    "lower": lambda thing: -thing.y,
}
"""Which of several is the left, right, upper or lower one: that of the lowest value."""


@dataclass(frozen=True)
class ThingMention:
    """Things as a text names them; what was not said is left open. Several names or colours: one of them."""

    names: tuple[str, ...] = ()
    colours: tuple[Colour, ...] = ()
    attributes: frozenset[str] = frozenset()
    low: int = 1
    high: int = MANY
    place: Place = NOWHERE
    relation: str = ""
    other: ThingMention | None = None
    exact: bool = False
    """Whether the number was said."""
    hedged: bool = False
    """Whether it was said with a maybe."""
    single: bool = False
    """Whether `a chair` was said, and no other chair beside it: that hints at there being one."""
    which: str = ""
    """`left` or `right`, where one of several is meant: `the left lamp`."""

    @property
    def bare(self) -> bool:
        """Whether nothing but a name or a number is said."""
        return not (self.colours or self.attributes or self.place or self.relation)

    @property
    def empty(self) -> bool:
        """Whether nothing is said at all."""
        return self.bare and not self.names and not self.exact and self.high == MANY


@dataclass(frozen=True)
class Thing:
    """A thing in the picture. `box` is left, top, right, bottom as shares of the picture; None where not known."""

    id: str
    name: str
    said: str
    colours: tuple[Colour, ...]
    words: tuple[str, ...]
    """The attributes as the description has them."""
    box: tuple[float, float, float, float] | None
    visible: float

    @cached_property
    def attributes(self) -> frozenset[str]:
        """The attributes without the colours."""
        return frozenset(word for word in self.words if vocabulary.colour(word) is None)

    @cached_property
    def x(self) -> float:
        """The middle from left (0) to right (1)."""
        return (self.box[0] + self.box[2]) / 2 if self.box else 0.5

    @cached_property
    def y(self) -> float:
        """The middle from top (0) to bottom (1)."""
        return (self.box[1] + self.box[3]) / 2 if self.box else 0.5

    @cached_property
    def size(self) -> float:
        """The share of the picture that the box takes."""
        return (self.box[2] - self.box[0]) * (self.box[3] - self.box[1]) if self.box else SIZEABLE

    @property
    def clear(self) -> bool:
        """Whether nobody who looks would miss it."""
        return self.visible >= 0.35 and self.size >= CLEAR

    @property
    def phrase(self) -> str:
        """`large red metal cube`, `blue wooden bed`."""
        order = {"large": 0, "small": 0}
        said = [word for word in self.words if " with " not in f" {word} "]
        before = sorted(said, key=lambda word: order.get(word, 2 if vocabulary.colour(word) is None else 1))
        after = [word for word in self.words if word.startswith("with ")]
        return " ".join([*before, self.said, *after])


@dataclass(frozen=True)
class Scene:
    """A picture as its description tells it."""

    kind: str
    category: str | None
    things: tuple[Thing, ...]
    supports: Mapping[str, str]
    """Thing to what it is on, by id."""
    before: frozenset[tuple[str, str]]
    """Pairs of ids: the first is in front of the second."""
    captions: tuple[str, ...] = ()
    lexicon: Lexicon = field(default_factory=vocabulary.lexicon)

    @property
    def strict(self) -> bool:
        """Whether colours and sizes are told exactly, as in scenes of cubes and spheres."""
        return self.kind == "objects"

    @cached_property
    def front(self) -> tuple[Thing, ...]:
        """The things that stand in the picture; walls and floors do not count."""
        return tuple(thing for thing in self.things if thing.name not in BACKGROUND)

    @cached_property
    def by_id(self) -> dict[str, Thing]:
        """The things by their ids."""
        return {thing.id: thing for thing in self.things}

    @cached_property
    def hinted(self) -> frozenset[str]:
        """What the names and attributes of things speak of: flowers in a `vase with yellow flowers`."""
        texts = {word for thing in self.things for word in thing.words if " " in word}
        texts |= {thing.said.partition(" of ")[2] for thing in self.things}
        found = {w.value for text in texts for w in vocabulary.words(text, self.lexicon) if w.kind == "name"}
        return frozenset(found)

    @cached_property
    def depth(self) -> tuple[float, float]:
        """How high the feet of the things reach in the picture, from the farthest to the nearest."""
        feet = [thing.box[3] for thing in self.front if thing.box]
        return (min(feet), max(feet)) if len(feet) > 1 else (0.0, 1.0)

    # ------------------------------------------------------------------ places and relations
    def at(self, thing: Thing) -> tuple[float, float]:
        """Where a thing is, from left to right and from top or background to bottom or front, 0 to 1 each."""
        if not self.strict or thing.box is None:
            return thing.x, thing.y
        far, near = self.depth
        return thing.x, (thing.box[3] - far) / (near - far) if near - far > 0.15 else 0.5

    def place_apart(self, thing: Thing, place: Place) -> float:
        """How far a thing is from where it was said to be."""
        if thing.box is None:
            return 0.0
        x, y = self.at(thing)
        steps = (0.07, 0.16) if self.strict else (0.09, 0.2)
        across = _gap(x, place.columns, thing.box[2] - thing.box[0])
        down = _gap(y, place.rows, 0.0 if self.strict else thing.box[3] - thing.box[1])
        found = 0.0 if across < steps[0] else 0.45 if across < steps[1] else 1.0
        if down > 0.3:
            return max(found, 1.0 if self.strict else 0.7)
        return max(found, 0.4 if down > 0.15 else 0.0)

    def surely_at(self, thing: Thing, place: Place) -> bool:
        """Whether a thing is so clearly at a place that everybody would say so."""
        if thing.box is None:
            return False
        spots = zip(self.at(thing), (place.columns, place.rows), strict=True)
        return all(not thirds or (min(thirds) / 3 - 0.01 <= at - 0.05 and at + 0.05 <= (max(thirds) + 1) / 3 + 0.01) or
                   (at < 0.28 and 0 in thirds) or (at > 0.72 and 2 in thirds) for at, thirds in spots)  # fmt: skip

    def stands(self, a: Thing, relation: str, b: Thing) -> float:
        """How far it is from true that a is left of, right of, on, in, under, above, behind, before or near b."""
        if a.id == b.id:
            return 1.0
        chain = list(self._under(a))
        if relation in ("on", "in"):
            if b.id in chain:
                return 0.0
            if a.id in self._under(b) or chain:
                return 1.0 if relation == "on" else 0.6
            return 0.3 if a.box is None or b.box is None or _lies_over(a.box, b.box) else 0.8
        if relation in ("under", "above"):
            if (relation == "above" and b.id in chain) or (relation == "under" and a.id in self._under(b)):
                return 0.0
            lower = a.y - b.y if relation == "under" else b.y - a.y
            return 0.0 if lower > -0.02 else 0.8
        if relation in ("before", "behind"):
            near, far = (a, b) if relation == "before" else (b, a)
            if (near.id, far.id) in self.before:
                return 0.0
            if (far.id, near.id) in self.before:
                return 1.0
            return 0.0 if not near.box or not far.box or near.box[3] > far.box[3] - 0.06 else 0.5
        if a.box is None or b.box is None:
            return 0.0
        if relation in ("left", "right"):
            gap = b.x - a.x if relation == "left" else a.x - b.x
            return 0.0 if gap > 0 else 0.3 if gap > -0.05 else 1.0
        if relation == "near":
            if b.id in chain or a.id in self._under(b):
                return 0.0
            gap = _between(a.box, b.box)
            return 0.0 if gap < 0.2 else 0.3 if gap < 0.4 else 0.6
        return 0.0

    def surely_stands(self, a: Thing, relation: str, b: Thing) -> bool:
        """Whether everybody would say so."""
        if relation in ("left", "right"):
            return a.id != b.id and (b.x - a.x if relation == "left" else a.x - b.x) > 0.08
        if relation in ("before", "behind"):
            return ((a.id, b.id) if relation == "before" else (b.id, a.id)) in self.before
        if relation == "near" and a.box and b.box:
            return a.id != b.id and _between(a.box, b.box) < 0.08
        return a.id != b.id and self.stands(a, relation, b) == 0

    def _under(self, thing: Thing) -> Iterable[str]:
        found: list[str] = []
        at = self.supports.get(thing.id)
        while at and at not in found:
            found.append(at)
            at = self.supports.get(at)
        return found

    def upon(self, thing: Thing) -> list[Thing]:
        """What is on a thing."""
        return [one for one in self.things if thing.id in self._under(one)]

    # ------------------------------------------------------------------ mentions
    def name_apart(self, thing: Thing, names: Sequence[str]) -> float:
        """How far a thing is from what it was called; 1 when it is something else."""
        if not names:
            return 0.0 if thing.name not in BACKGROUND else 1.0
        return min(vocabulary.names_apart(name, thing.name) for name in names)

    def apart(self, thing: Thing, said: ThingMention) -> float:
        """How far a thing is from a mention."""
        found = self.name_apart(thing, said.names)
        if found >= 1:
            return 1.0
        if said.colours and thing.colours:
            found += min(
                vocabulary.colours_apart(mine, theirs, self.strict) for mine in thing.colours for theirs in said.colours
            )
        found += self._attributes_apart(thing, said.attributes)
        if said.place:
            found += self.place_apart(thing, said.place)
        if said.relation and said.other:
            others = [other for other in self._meant(said.other) if other != thing]
            plain = replace(said.other, low=1, high=MANY)
            costs = [self.stands(thing, said.relation, other) + self.apart(other, plain) / 2 for other in others]
            found += min(costs, default=0.3)
        return found

    def _meant(self, said: ThingMention) -> list[Thing]:
        """The things that a name may mean; of several the leftmost or rightmost for `the left lamp`."""
        found = [thing for thing in self.things if self.name_apart(thing, said.names) < 1]
        named = [thing for thing in found if self.name_apart(thing, said.names) == 0 and thing.box]
        exact = [thing for thing in named if thing.name in said.names] or named
        if said.which and len(exact) > 1:
            return [min(exact, key=WHICH[said.which])]
        return found

    def _attributes_apart(self, thing: Thing, said: frozenset[str]) -> float:
        found = 0.0
        for group, weight in OPPOSITES:
            theirs, mine = said & group, thing.attributes & group
            if theirs and mine and not theirs & mine:
                found += 1.0 if self.strict else weight
        return found

    def surely(self, thing: Thing, said: ThingMention) -> bool:
        """Whether everybody would take a thing for one of those mentioned."""
        if self.name_apart(thing, said.names) > 0:
            return False
        if said.high and said.names and thing.name not in said.names:
            return False  # a floor lamp is a lamp, but not one that everybody would count among the lamps
        if said.colours and not any(
            vocabulary.colours_apart(mine, theirs, self.strict) == 0 and mine[0] == theirs[0]
            for mine in thing.colours
            for theirs in said.colours
        ):
            return False
        if said.attributes - thing.attributes or (said.place and not self.surely_at(thing, said.place)):
            return False
        if not said.relation or not said.other:
            return True
        plain = replace(said.other, low=1, high=MANY)
        others = [other for other in self._meant(said.other) if self.surely(other, plain)]
        return any(self.surely_stands(thing, said.relation, other) for other in others)

    def among(self, said: ThingMention, most: float = 0.35) -> list[Thing]:
        """The things that a mention means, the best first; those that fit equally well in their own order."""
        found = [(self.apart(thing, said), thing) for thing in self.things]
        return [thing for cost, thing in sorted(found, key=lambda pair: pair[0]) if cost <= most]

    def against(self, said: ThingMention) -> float:
        """How much a claim speaks against its being said of this picture: 0 nothing, 1 and more enough."""
        if said.empty:
            return 0.0
        weight = max(self._too_few(said), self._too_many(said))
        return 0.6 * weight if said.hedged else weight

    def _too_few(self, said: ThingMention) -> float:
        if not said.low:
            return 0.0
        if said.names and all(name in BACKGROUND for name in said.names) and not self._has_any(said.names):
            return 0.0  # walls and floors are not always described
        if not self.things or self.hinted & set(said.names):
            return 0.0
        mine = [thing for thing in self.things if self.name_apart(thing, said.names) == 0]
        if any(vocabulary.is_plural(thing.said) for thing in mine):
            said = replace(said, low=1)  # `books` are one thing of a description, and any number
        costs = sorted(self.apart(thing, said) for thing in (mine if len(mine) >= said.low else self.things))
        if costs[0] >= 1 and all(self.name_apart(thing, said.names) >= 1 for thing in self.things):
            return 1.0
        if len(costs) >= said.low and (worst := costs[said.low - 1]) < 1:
            return worst
        if said.low == 1:
            return costs[0]
        if costs[0] >= 0.9 or not said.exact:
            return max(0.5, min(costs[0], 1.0))
        have = sum(cost < 0.9 for cost in costs)
        return 1.0 if self.strict or said.low <= 5 or have < 0.7 * said.low else 0.5

    def _has_any(self, names: Sequence[str]) -> bool:
        return any(self.name_apart(thing, names) == 0 for thing in self.things)

    def _too_many(self, said: ThingMention) -> float:
        if said.high >= MANY:
            if not said.single or said.low != 1 or not said.names or self.strict:
                return 0.0
            # `a chair` hints at one, unless there are so many that nobody would count them
            anywhere = replace(said, colours=(), attributes=frozenset(), place=NOWHERE)
            more = [t for t in self.things if t.clear and t.size >= SIZEABLE / 3 and self.surely(t, anywhere)]
            there = sum(self.place_apart(thing, said.place) < 0.4 for thing in more)
            return 0.5 if there > 1 and len(more) <= 4 else 0.0
        mine = [thing for thing in self.things if thing.clear and self.surely(thing, said)]
        if not said.high:
            return (1.0 if any(t.size >= SIZEABLE / 2 for t in mine) else 0.5) if mine else 0.0
        over = len(mine) - said.high
        if over <= 0:
            return 0.0
        return 1.0 if self.strict or said.high <= 5 or over > 0.3 * said.high else 0.5

    def together(self, said: Sequence[ThingMention]) -> float:
        """How far things named together, such as `one red and one blue`, are from the things they could be, each one.

        The best way to take each for another thing counts, by what fits worst.
        """
        mine = [thing for thing in self.things if self.name_apart(thing, said[0].names) == 0]
        if not len(said) <= len(mine) <= 5:
            return 0.0
        best = min(
            (sum(costs), max(costs))
            for chosen in permutations(mine, len(said))
            for costs in [[min(1.0, self.apart(t, m)) for t, m in zip(chosen, said, strict=True)]]
        )
        return best[1]


def _gap(at: float, thirds: frozenset[int], length: float) -> float:
    """How far a middle is from some thirds; 0 where a good part of the thing lies there."""
    if not thirds:
        return 0.0
    low, high = min(thirds) / 3, (max(thirds) + 1) / 3
    inside = min(high, at + length / 2) - max(low, at - length / 2)
    if length and inside >= 0.4 * min(length, 1 / 3):
        return 0.0
    return max(low - at, at - high, 0.0)


def _lies_over(a: Sequence[float], b: Sequence[float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and b[1] - 0.05 <= a[3] <= b[3] + 0.05


def _between(a: Sequence[float], b: Sequence[float]) -> float:
    """How far two boxes are from each other."""
    across = max(a[0] - b[2], b[0] - a[2], 0.0)
    down = max(a[1] - b[3], b[1] - a[3], 0.0)
    return float((across**2 + down**2) ** 0.5)


def scene_of(description: Mapping[str, Any]) -> Scene:
    """Read a description (the JSON form, see assets/draw/README.md)."""
    return _scene(json.dumps(description, sort_keys=True))


@lru_cache(maxsize=64)  # a talker is made anew for every reply
def _scene(text: str) -> Scene:
    description = json.loads(text)
    width, height = description["width"], description["height"]
    objects = description["objects"]
    lexicon = vocabulary.lexicon(vocabulary.all_names(thing["name"].casefold() for thing in objects))
    things = []
    for one in objects:
        x, y, w, h = one["box"] if one.get("box") else (0, 0, 0, 0)
        box = (x / width, y / height, (x + w) / width, (y + h) / height) if w and h else None
        colours = tuple(hue for word in one["attributes"] if (hue := vocabulary.colour(word)))
        name = vocabulary.canonical(one["name"])
        attributes = tuple(dict.fromkeys(word.casefold() for word in one["attributes"]))
        visible = one.get("visible")
        things.append(
            Thing(one["id"], name, one["name"], colours, attributes, box, 1.0 if visible is None else visible)
        )
    relations = description.get("relations", [])
    solids = bool(things) and all(thing.name in SOLIDS for thing in things)
    if solids and not any(thing.box for thing in things):
        things = _laid_out(things, relations)
    supports = {a: b for a, relation, b in relations if relation == "on"}
    before = frozenset((a, b) for a, relation, b in relations if relation == "in front of")
    category = description.get("category")
    return Scene(
        "objects" if solids else description["kind"],
        vocabulary.room_name(category.casefold()) if category else None,
        tuple(things),
        supports,
        before,
        tuple(description.get("captions", ())),
        lexicon,
    )


def _laid_out(things: Sequence[Thing], relations: Sequence[Sequence[str]]) -> list[Thing]:
    """Give things without boxes places of the same order: CLEVR tells what is left of and before what, and no boxes."""
    step = 1 / max(len(things), 1)

    def place(id: str, word: str) -> float:
        return (sum(relation == word and b == id for _, relation, b in relations) + 0.5) * step

    found = []
    for thing in things:
        x, y = place(thing.id, "left of"), 1 - place(thing.id, "in front of")
        reach = 0.4 * step if "large" in thing.words else 0.2 * step
        box = (max(0.0, x - reach), max(0.0, y - 2 * reach), min(1.0, x + reach), min(1.0, y))
        found.append(replace(thing, box=box))
    return found
