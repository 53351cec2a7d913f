"""What an instance of MatchIt holds, what makes it a good one, and how the shipped sets are made.

An instance is a pair of grids, of pentomino boards or of photo-like pictures (by id, games/common/pictures.py) and the
relation they claim to stand in; validation checks the claim and names the field. `make_file` rebuilds a checked-in file
byte for byte from its seed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from random import Random
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter, field_validator, model_validator

from games.common import grids, pairs, pentomino, pictures
from games.common.grids import Grid, format_grid, parse_grid
from games.common.pentomino import Board
from games.common.pictures import PictureDescription, UnknownPicture
from games.matchit import photo_pairs

Truth = Literal["same", "different"]

TEXT_FAMILIES = ("diagonals", "letters", "shapes")
DIFFERENT_CELLS = 8
"""Different grids differ in at least this many of 25 cells, and neither is the other mirrored or turned."""
DIFFERENT_ATTRIBUTES = 12
"""Different boards differ in at least this many attributes (pentomino.distance): two or more for every piece."""
PER_EXPERIMENT = 10


class GridPair(BaseModel, frozen=True, extra="forbid"):
    """Two text grids, one for each seat."""

    kind: Literal["grid"] = "grid"
    relation: Literal["same", "transformed", "edited", "different"]
    a: str
    b: str

    @field_validator("a", "b")
    @classmethod
    def _is_grid(cls, text: str) -> str:
        grid = parse_grid(text)
        if format_grid(grid) != text:
            raise ValueError("cells are joined by one blank, rows by one newline, with nothing around them")
        return text

    @model_validator(mode="after")
    def _keeps_its_claim(self) -> GridPair:
        a, b = self.grid("A"), self.grid("B")
        apart, transform = grids.hamming(a, b), grids.transform_between(a, b)
        self._is_of_a_family(a, b)
        if self.relation == "same" and apart:
            raise ValueError(f"field b: same grids are equal, these differ in {apart} cells")
        if self.relation == "transformed" and not apart:
            raise ValueError("field b: a transformed grid differs from the original, this one is equal")
        if self.relation == "transformed" and transform is None:
            raise ValueError("field b: not field a mirrored or turned")
        if self.relation == "edited" and apart != 2:
            raise ValueError(f"field b: an edited grid differs in exactly 2 cells, this one in {apart}")
        if self.relation == "different":
            if apart < DIFFERENT_CELLS:
                raise ValueError(
                    f"field b: different grids differ in at least {DIFFERENT_CELLS} cells, these in {apart}"
                )
            if transform:
                raise ValueError(f"field b: different grids are unlike, this one is field a {transform}")
        return self

    def _is_of_a_family(self, a: Grid, b: Grid) -> None:
        """Of a similar pair one side is the pattern and the other made from it; else both are patterns."""
        known = {name: _is_known(grid) for name, grid in (("a", a), ("b", b))}
        wanted = any if self.relation in ("transformed", "edited") else all
        if not wanted(known.values()):
            names = " and ".join(f"field {name}" for name, is_known in known.items() if not is_known)
            raise ValueError(f"{names}: no pattern of {', '.join(TEXT_FAMILIES)}")

    @property
    def truth(self) -> Truth:
        """The right decision."""
        return "same" if self.relation == "same" else "different"

    def grid(self, side: str) -> Grid:
        """The grid of seat A or B."""
        return parse_grid(self.a if side == "A" else self.b)

    def text(self, side: str) -> str | None:
        """The grid of seat A or B as it is shown."""
        return self.a if side == "A" else self.b


def _is_known(grid: Grid) -> bool:
    return any(family in TEXT_FAMILIES for family in grids.families_of(grid))


class BoardPair(BaseModel, frozen=True, extra="forbid"):
    """Two pentomino boards, one for each seat."""

    kind: Literal["pentomino"] = "pentomino"
    relation: Literal["same", "similar", "different"]
    a: Board
    b: Board

    @field_validator("a", "b")
    @classmethod
    def _few_pieces(cls, board: Board) -> Board:
        if not 5 <= len(board.pieces) <= 7:
            raise ValueError(f"a board has 5 to 7 pieces, this one {len(board.pieces)}")
        return board

    @model_validator(mode="after")
    def _keeps_its_claim(self) -> BoardPair:
        apart = pentomino.distance(self.a, self.b)
        if self.relation == "same" and self.a != self.b:
            said = "; ".join(difference.words for difference in pentomino.describe_differences(self.a, self.b))
            raise ValueError(f"field b: same boards are equal, these differ: {said}")
        if self.relation == "similar":
            if len(self.a.pieces) != len(self.b.pieces):
                raise ValueError(f"field b: similar boards have equally many pieces, not {len(self.b.pieces)}")
            if not 1 <= apart <= 2:
                raise ValueError(f"field b: similar boards differ in 1 or 2 attributes of pieces, these in {apart}")
        if self.relation == "different" and apart < DIFFERENT_ATTRIBUTES:
            raise ValueError(
                f"field b: different boards differ in at least {DIFFERENT_ATTRIBUTES} attributes, these in {apart}"
            )
        return self

    @property
    def truth(self) -> Truth:
        """The right decision."""
        return "same" if self.relation == "same" else "different"

    def board(self, side: str) -> Board:
        """The board of seat A or B."""
        return self.a if side == "A" else self.b

    def text(self, side: str) -> str | None:
        """None: a board is shown as a picture."""
        return None


class PhotoPair(BaseModel, frozen=True, extra="forbid"):
    """Two photo-like pictures by their ids in the library, one for each seat."""

    kind: Literal["photo"] = "photo"
    relation: Literal["same", "similar", "different"]
    a: str
    b: str

    @model_validator(mode="after")
    def _keeps_its_claim(self) -> PhotoPair:
        one, other = (pictures.labels(described(name, id)) for name, id in (("a", self.a), ("b", self.b)))
        shared = pictures.jaccard(one, other)
        if self.relation == "same" and self.a != self.b:
            raise ValueError(f"field b: same pictures are one, these are {self.a!r} and {self.b!r}")
        if self.relation != "same" and self.a == self.b:
            raise ValueError(f"field b: {self.relation} pictures are two, this is {self.a!r} twice")
        if self.relation == "similar" and shared <= pairs.SIMILAR:
            raise ValueError(
                f"field b: similar pictures have a Jaccard index of labels above {pairs.SIMILAR}, these {shared:.3f}"
            )
        if self.relation == "different" and shared > pairs.DIFFERENT:
            raise ValueError(
                f"field b: different pictures have a Jaccard index of labels of at most {pairs.DIFFERENT}, "
                f"these {shared:.3f}"
            )
        return self

    @property
    def truth(self) -> Truth:
        """The right decision."""
        return "same" if self.relation == "same" else "different"

    def id(self, side: str) -> str:
        """The id of seat A's or B's picture."""
        return self.a if side == "A" else self.b

    def text(self, side: str) -> str | None:
        """None: a photo is shown as a picture."""
        return None


def described(field: str, id: str) -> PictureDescription:
    """What is on a picture. Raises ValueError naming the field, the id and what to do."""
    try:
        return pictures.LIBRARY.description(id)
    except UnknownPicture as error:
        raise ValueError(f"field {field}: {error}") from None


class ImportedPair(BaseModel, frozen=True, extra="forbid"):
    """Two grids, or two pictures by their ids or addresses, of a set made elsewhere: played as it is.

    `theirs` is the entry as it came, with the prompts that it is played with; without it ours are used.
    """

    kind: Literal["imported"] = "imported"
    relation: Literal["same", "different"]
    thing: Literal["grid", "picture"]
    a: str
    b: str
    theirs: dict[str, Any] | None = None

    @property
    def truth(self) -> Truth:
        """The right decision, as the set states it."""
        return self.relation

    def text(self, side: str) -> str | None:
        """The grid of seat A or B as it is shown, None for pictures."""
        return (self.a if side == "A" else self.b) if self.thing == "grid" else None


Instance = GridPair | BoardPair | PhotoPair | ImportedPair
ADAPTER: TypeAdapter[Instance] = TypeAdapter(Annotated[Instance, Field(discriminator="kind")])

EXPERIMENTS: dict[str, dict[str, tuple[str, str]]] = {
    "text": {
        "same": ("grid", "same"),
        "similar-transformed": ("grid", "transformed"),
        "similar-edit-2": ("grid", "edited"),
        "different": ("grid", "different"),
    },
    "picture": {
        "photos-same": ("photo", "same"),
        "photos-similar": ("photo", "similar"),
        "photos-different": ("photo", "different"),
        "pentomino-same": ("pentomino", "same"),
        "pentomino-similar": ("pentomino", "similar"),
        "pentomino-different": ("pentomino", "different"),
    },
}
"""The kind and relation that every instance of an experiment has."""

TITLES: dict[str, str] = {
    "same": "equal grids",
    "similar-transformed": "similar grids, mirrored or turned",
    "similar-edit-2": "similar grids, two cells changed",
    "different": "different grids",
    "photos-same": "equal photos",
    "photos-similar": "similar photos, a few differences",
    "photos-different": "different photos",
    "pentomino-same": "equal boards",
    "pentomino-similar": "similar boards, one or two changes",
    "pentomino-different": "different boards",
}


def load(data: Any) -> Instance:
    """Read one instance. Raises pydantic's ValidationError that names the field."""
    try:
        return _loaded(json.dumps(data))
    except TypeError:  # no JSON: no file has it, the model says what is wrong
        return ADAPTER.validate_python(data)


@lru_cache(maxsize=256)  # a run reads the same few instances again for every episode and its scores
def _loaded(text: str) -> Instance:
    return ADAPTER.validate_python(json.loads(text))


def truth_of(data: Any) -> Truth:
    """The right decision of an instance that was played: it stays so when its pictures are not here any more."""
    if isinstance(data, dict) and data.get("kind") == "photo":
        return "same" if data["relation"] == "same" else "different"
    return load(data).truth


def check(experiment: str, instance: Instance) -> str | None:
    """Say why an instance does not belong to an experiment (it may be of any variant), None when it does."""
    for experiments in EXPERIMENTS.values():
        if experiment in experiments:
            kind, relation = experiments[experiment]
            if instance.kind != kind:
                return f"field kind: {experiment} has instances of kind {kind!r}, not {instance.kind!r}"
            if instance.relation != relation:
                return f"field relation: {experiment} has the relation {relation!r}, not {instance.relation!r}"
            return None
    return f"no experiment {experiment!r}; there are {', '.join(name for e in EXPERIMENTS.values() for name in e)}"


# Making


def make(variant: str, experiment: str, seed: int) -> list[Instance]:
    """Make the PER_EXPERIMENT instances of an experiment; the same names and seed give the same ones anywhere.

    No grid or board comes twice within a variant: its experiments are made in order and leave each other's alone.
    """
    return make_all(variant, seed)[experiment]


def make_all(variant: str, seed: int) -> dict[str, list[Instance]]:
    """Make all experiments of a variant; those of photos are left out where a kind of them is not drawn.

    Raises `pairs.TooFewPairs` where there are some, but not enough.
    """
    made: dict[str, list[Instance]] = {}
    ready = all(photo_pairs.drawn(kind) for kind in ("room", "scene", "objects"))
    photos = _photo_pairs(seed) if variant == "picture" and ready else {}
    used: list[Grid | Board] = []
    for experiment, (kind, relation) in EXPERIMENTS[variant].items():
        found: list[Instance] = []
        if kind == "photo":
            if photos:
                chosen = [{"relation": relation, "a": pair.a, "b": pair.b} for pair in photos[relation]]
                made[experiment] = [PhotoPair.model_validate(pair) for pair in chosen]
            continue
        maker: Callable[[str, Random], Iterator[Instance]] = _grid_pairs if kind == "grid" else _board_pairs
        for instance in maker(relation, _random(variant, experiment, seed)):
            sides = _sides(instance)
            if not any(side in used for side in sides):
                used += sides
                found.append(instance)
            if len(found) == PER_EXPERIMENT:
                break
        made[experiment] = found
    return made


def _photo_pairs(seed: int) -> dict[str, list[pairs.PicturePair]]:
    """Photo pairs by relation; no picture comes twice, the scarcest are chosen first."""
    used: set[str] = set()
    similar = photo_pairs.similar(_random("picture", "photos-similar", seed), used)
    same = photo_pairs.same(_random("picture", "photos-same", seed), used)
    different = photo_pairs.different(_random("picture", "photos-different", seed), used, PER_EXPERIMENT)
    return {"same": same, "similar": similar, "different": different}


def _random(variant: str, experiment: str, seed: int) -> Random:
    name = f"matchit/{variant}/{experiment}/{seed}"
    return Random(int.from_bytes(hashlib.sha256(name.encode()).digest(), "big"))


def _sides(instance: Instance) -> list[Grid | Board]:
    """Both sides, with all their mirrorings and turnings for grids: a turned grid counts as used before."""
    if isinstance(instance, BoardPair):
        return [instance.a, instance.b]
    assert isinstance(instance, GridPair), "only native instances are made"
    sides = [instance.grid("A"), instance.grid("B")]
    return [*sides, *(change(side) for side in sides for change in grids.TRANSFORMS.values())]


def _grid_pairs(relation: str, rng: Random) -> Iterator[Instance]:
    """Pairs from the three families in turn; chance decides which seat gets the pattern itself."""
    sources = [grids.generate_grids(family, rng) for family in TEXT_FAMILIES]
    for i in range(1000):
        a = next(sources[i % len(sources)])
        b = _other_grid(relation, a, i, rng)
        if b is None:
            continue
        if rng.random() < 0.5:
            a, b = b, a
        yield GridPair.model_validate({"relation": relation, "a": format_grid(a), "b": format_grid(b)})


def _other_grid(relation: str, a: Grid, i: int, rng: Random) -> Grid | None:
    """The partner of a grid; None when it has none (a grid that looks the same however it is turned)."""
    if relation == "same":
        return a
    if relation == "edited":
        return grids.flip_random_cells(a, 2, rng)
    if relation == "transformed":
        turned = [change(a) for name, change in grids.TRANSFORMS.items() if "180" not in name]
        options = [grid for grid in turned if grid != a]
        return rng.choice(options) if options else None
    for family in rng.sample(TEXT_FAMILIES, len(TEXT_FAMILIES)):
        for b in grids.generate_grids(family, rng):
            if grids.hamming(a, b) >= DIFFERENT_CELLS and grids.transform_between(a, b) is None:
                return b
    return None


def _board_pairs(relation: Any, rng: Random) -> Iterator[Instance]:
    kinds = list(pentomino.CHANGES)
    rng.shuffle(kinds)
    for i in range(1000):
        a = pentomino.make_board(rng)
        b = a
        if relation == "similar":
            first = kinds[i // 2 % len(kinds)]
            b = pentomino.change_attributes(a, (first,) if i % 2 == 0 else (first, rng.choice(pentomino.CHANGES)), rng)
        if relation == "different":
            b = pentomino.make_board(rng)
            if pentomino.distance(a, b) < DIFFERENT_ATTRIBUTES:
                continue
        if rng.random() < 0.5:
            a, b = b, a
        yield BoardPair(relation=relation, a=a, b=b)


# Files


def make_file(variant: str, seed: int = 0) -> str:
    """The text of instances/matchit/VARIANT.json: one instance or one piece a line, a newline at the end."""
    data = {
        "game": "matchit",
        "variant": variant,
        "version": 1,
        "seed": seed,
        "experiments": {
            experiment: [instance.model_dump(mode="json") for instance in instances]
            for experiment, instances in make_all(variant, seed).items()
        },
    }
    return _one_line_each(json.dumps(data, ensure_ascii=False, indent=1)) + "\n"


def _one_line_each(text: str) -> str:
    """Put every innermost object on one line; no text in an instance has braces or line breaks of its own."""
    return re.sub(r"\{[^{}]*\}", lambda found: " ".join(found.group().split()), text)
