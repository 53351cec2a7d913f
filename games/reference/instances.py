"""What an instance of the reference game holds, what makes it a good one, and how the shipped sets are made.

An instance is a target, two distractors that are like it, and the order in which the listener sees the three. The grids
of the text and picture variants are the same. `make_file` rebuilds a checked-in file byte for byte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, Field, TypeAdapter, field_validator, model_validator

from games.common import grids, pentomino
from games.common.grids import Grid, format_grid, parse_grid
from games.common.pentomino import Board
from games.common.pictures import LIBRARY, UnknownPicture, labels, most_similar

T = TypeVar("T")
Thing = TypeVar("Thing")

PLACES = ("first", "second", "third")
PER_EXPERIMENT = 30
GRIDS = {
    "rows": "grids of full rows",
    "columns": "grids of full columns",
    "diagonals": "grids with diagonal lines",
    "letters": "grids that show letters",
    "shapes": "grids that show shapes",
    "random": "grids filled at random",
}
PHOTOS = {"rooms": "room", "everyday": "scene", "objects": "objects"}
"""Experiments of photo-like pictures, and the kind of picture they take from `assets/`."""
STATIC = "-static"
TITLES = GRIDS | {
    "pentomino": "boards with pentomino pieces that differ very little",
    "rooms": "rooms of one kind",
    "rooms-static": "one bedroom throughout, with other rooms",
    "everyday": "everyday scenes, near twins",
    "everyday-static": "one everyday scene throughout, with others",
    "objects": "scenes of solid objects, near twins",
    "objects-static": "one scene of objects throughout, with others",
}
EXPERIMENTS: dict[str, tuple[str, ...]] = {"text": tuple(GRIDS), "picture": tuple(TITLES)}
NEAR_GRIDS = 5
"""Two of three grids are of so many of the family that differ from the third in the fewest cells."""
NEAR_PHOTOS = 9
"""The distractors of a static target are two of so many pictures, the likest: 36 pairs for 30 instances."""


class Triple(BaseModel, Generic[Thing], frozen=True, extra="forbid"):
    """Three different things. `listener` has for each place in the listener's list which stands there: 0 the target."""

    listener: tuple[int, int, int]
    kind: str
    target: Thing
    distractors: tuple[Thing, Thing]

    @field_validator("listener")
    @classmethod
    def _each_once(cls, order: tuple[int, int, int]) -> tuple[int, int, int]:
        if sorted(order) != [0, 1, 2]:
            raise ValueError(f"each of 0, 1 and 2 stands in it once, not {list(order)}")
        return order

    @property
    def things(self) -> tuple[Thing, Thing, Thing]:
        """The target, then the distractors."""
        return (self.target, *self.distractors)

    @property
    def answer(self) -> str:
        """The target's place in the listener's list."""
        return PLACES[self.listener.index(0)]

    @property
    def texts(self) -> tuple[str, ...] | None:
        """The three as text, where they can be shown as text."""
        return None


class GridTriple(Triple[str], frozen=True, extra="forbid"):
    """Three grids, as text."""

    kind: Literal["grid"] = "grid"

    @field_validator("target", "distractors")
    @classmethod
    def _are_grids(cls, given: str | tuple[str, str]) -> str | tuple[str, str]:
        for text in (given,) if isinstance(given, str) else given:
            if format_grid(parse_grid(text)) != text:
                raise ValueError("cells are joined by one blank, rows by one newline, with nothing around them")
        return given

    @model_validator(mode="after")
    def _differ(self) -> GridTriple:
        _must_differ(self)
        return self

    @property
    def texts(self) -> tuple[str, ...]:
        """The three grids."""
        return self.things


class BoardTriple(Triple[Board], frozen=True, extra="forbid"):
    """Three pentomino boards."""

    kind: Literal["pentomino"] = "pentomino"

    @model_validator(mode="after")
    def _differ(self) -> BoardTriple:
        _must_differ(self)
        return self


class PhotoTriple(Triple[str], frozen=True, extra="forbid"):
    """Three photo-like pictures by their ids in the library."""

    kind: Literal["photo"] = "photo"

    @model_validator(mode="after")
    def _differ(self) -> PhotoTriple:
        for name, id in zip(("target", "distractors", "distractors"), self.things, strict=True):
            try:
                LIBRARY.description(id)
            except UnknownPicture as error:
                raise ValueError(f"field {name}: {error}") from None
        _must_differ(self)
        return self


class ImportedTriple(Triple[str], frozen=True, extra="forbid"):
    """Three grids, or three pictures by their ids or addresses, of a set made elsewhere: played as it is.

    `theirs` is the entry as it came, with the prompts and patterns that it is played with; without it ours are used.
    """

    kind: Literal["imported"] = "imported"
    thing: Literal["grid", "picture"]
    theirs: dict[str, Any] | None = None

    @property
    def texts(self) -> tuple[str, ...] | None:
        """The three grids, None for pictures."""
        return self.things if self.thing == "grid" else None


def _must_differ(triple: Triple[Any]) -> None:
    one, two, three = triple.things
    if one in (two, three) or two == three:
        raise ValueError("field distractors: the three must differ from each other")


Instance = GridTriple | BoardTriple | PhotoTriple | ImportedTriple
ADAPTER: TypeAdapter[Instance] = TypeAdapter(Annotated[Instance, Field(discriminator="kind")])


def load(data: Any) -> Instance:
    """Read one instance. Raises pydantic's ValidationError that names the field."""
    try:
        return _loaded(json.dumps(data))
    except TypeError:  # no JSON: no file has it, the model says what is wrong
        return ADAPTER.validate_python(data)


@lru_cache(maxsize=512)  # a run reads each instance again for every episode and its scores
def _loaded(text: str) -> Instance:
    return ADAPTER.validate_python(json.loads(text))


def check(experiment: str, instance: Instance) -> str | None:
    """Say why an instance does not belong to an experiment, None when it does."""
    if experiment not in TITLES:
        return f"no experiment {experiment!r}; there are {', '.join(TITLES)}"
    kind = "grid" if experiment in GRIDS else "pentomino" if experiment == "pentomino" else "photo"
    if instance.kind != kind:
        return f"field kind: {experiment} has instances of kind {kind!r}, not {instance.kind!r}"
    if isinstance(instance, GridTriple) and experiment != "random":
        for text in instance.things:
            if experiment not in grids.families_of(parse_grid(text)):
                return f"a grid that is no pattern of {experiment}:\n{text}"
    if isinstance(instance, BoardTriple):
        apart = [pentomino.distance(instance.target, board) for board in instance.distractors]
        if not all(1 <= number <= 2 for number in apart):
            return f"field distractors: boards differ from the target in 1 or 2 attributes, these in {apart}"
    if isinstance(instance, PhotoTriple):
        wanted = PHOTOS[experiment.removesuffix(STATIC)]
        for id in instance.things:
            if (found := LIBRARY.description(id).kind) != wanted:
                return f"{experiment} has pictures of kind {wanted!r}, {id!r} is of kind {found!r}"
    return None


# Making


def make_file(variant: str, seed: int = 0) -> str:
    """Return the text of instances/reference/VARIANT.json: innermost objects on one line, a newline at the end.

    The grids are those of the text variant, whichever is made. Raises KeyError for an unknown variant.
    """
    made = {
        experiment: [instance.model_dump(mode="json") for instance in make(experiment, seed)]
        for experiment in EXPERIMENTS[variant]
    }
    data = {"game": "reference", "variant": variant, "version": 1, "seed": seed, "experiments": made}
    text = json.dumps(data, ensure_ascii=False, indent=1)
    for innermost in (r"\[[^\[\]{}]*\]", r"\{[^{}]*\}"):
        text = re.sub(innermost, lambda found: " ".join(found.group().split()), text)
    return text + "\n"


def make(experiment: str, seed: int) -> list[Instance]:
    """Make the PER_EXPERIMENT instances of an experiment; the target stands ten times at each of the three places."""
    rng = Random(f"reference/{experiment}/{seed}")
    orders = _orders(rng)
    return [
        ADAPTER.validate_python({"listener": order, **triple})
        for order, triple in zip(orders, _triples(experiment, rng), strict=False)
    ]


def _orders(rng: Random) -> list[tuple[int, int, int]]:
    """Return the listener's orders of an experiment: the target at each place equally often, shuffled."""
    orders = []
    for number in range(PER_EXPERIMENT):
        others = rng.sample((1, 2), 2)
        others.insert(number % 3, 0)
        orders.append((others[0], others[1], others[2]))
    rng.shuffle(orders)
    return orders


def _triples(experiment: str, rng: Random) -> Iterator[dict[str, Any]]:
    if experiment in GRIDS:
        return _grid_triples(experiment, rng)
    if experiment == "pentomino":
        return _board_triples(rng)
    kind = PHOTOS[experiment.removesuffix(STATIC)]
    return (_static if experiment.endswith(STATIC) else _photo_triples)(kind, rng)


def _grid_triples(family: str, rng: Random) -> Iterator[dict[str, Any]]:
    """Yield three alike grids: one, and two of those of its family that are nearest to it. No triple comes twice."""
    if family == "random":
        source = grids.generate_grids(family, rng)
        pool = [next(source) for _ in range(200)]
    else:
        pool = sorted(grids.generate_grids(family, Random(0)))
    seen: set[frozenset[Grid]] = set()
    while True:
        for first in rng.sample(pool, len(pool)):
            near = sorted((grid for grid in pool if grid != first), key=lambda grid: grids.hamming(first, grid))
            triple = (first, *rng.sample(near[:NEAR_GRIDS], 2))
            if frozenset(triple) not in seen:
                seen.add(frozenset(triple))
                yield _of("grid", [format_grid(grid) for grid in _shuffled(triple, rng)])


def _board_triples(rng: Random) -> Iterator[dict[str, Any]]:
    """Yield a board and two that differ from it in one attribute each."""
    while True:
        base = pentomino.make_board(rng)
        kinds = rng.sample(pentomino.CHANGES, 2)
        try:
            boards = [base, *(pentomino.change_attributes(base, (kind,), rng) for kind in kinds)]
        except ValueError:  # no room on it for a change
            continue
        boards = _shuffled(boards, rng)
        apart = [pentomino.distance(boards[0], board) for board in boards[1:]]
        if boards[1] != boards[2] and all(1 <= number <= 2 for number in apart):
            yield _of("pentomino", [board.model_dump(mode="json") for board in boards])


def _photo_triples(kind: str, rng: Random) -> Iterator[dict[str, Any]]:
    """Yield a picture and the two likest to it, of as many families or categories as there are."""
    groups: dict[str, list[str]] = {}
    pool = LIBRARY.ids(set="ludens", kind=kind)
    for id in pool:
        about = LIBRARY.description(id)
        groups.setdefault(about.family or about.category or "", []).append(id)
    used: set[str] = set()
    targets: set[str] = set()
    while True:
        for name in rng.sample(sorted(groups), len(groups)):
            options = [id for id in groups[name] if id not in used]
            if not options:
                continue
            first = rng.choice(options)
            used.add(first)
            triple = _shuffled((first, *most_similar(first, pool, 2)), rng)
            if triple[0] not in targets:
                targets.add(triple[0])
                yield _of("photo", triple)


def _shuffled(three: Sequence[T], rng: Random) -> list[T]:
    """Let chance decide which is the target: two were chosen for being like one, which would tell if it always was."""
    return rng.sample(three, 3)


def _static(kind: str, rng: Random) -> Iterator[dict[str, Any]]:
    """One target throughout; its distractors are every two of the likest pictures."""
    pool = LIBRARY.ids(set="ludens", kind=kind)
    target = rng.choice([id for id in pool if _stands(id)])
    pairs = list(combinations(_near(target, pool), 2))
    rng.shuffle(pairs)
    for pair in pairs:
        yield _of("photo", [target, *rng.sample(pair, 2)])


def _stands(id: str) -> bool:
    """Whether a picture may be a static target: a bedroom as in the paper, or the first of a family."""
    about = LIBRARY.description(id)
    return about.category == "bedroom" if about.kind == "room" else about.change is None


def _near(target: str, pool: Sequence[str]) -> tuple[str, ...]:
    """The NEAR_PHOTOS pictures likest to a target that its labels tell from it, likest first."""
    mine = labels(LIBRARY.description(target))
    unlike = [id for id in pool if labels(LIBRARY.description(id)) != mine]
    return most_similar(target, unlike, NEAR_PHOTOS)


def _of(kind: str, things: Sequence[Any]) -> dict[str, Any]:
    return {"kind": kind, "target": things[0], "distractors": list(things[1:])}
