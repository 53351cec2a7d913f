"""The instances of MatchIt: their models, how they are checked, and how the shipped files are generated.

An instance is a pair of grids, of pentomino boards or of photo-like pictures (by id, games/common/pictures.py), and the
relation between the two. Validation checks the relation and names the field. `make_file` reproduces a checked-in file
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

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, field_validator, model_validator

from engine.core.events import to_json
from games.common import grids, pairs, pentomino, pictures
from games.common.grids import Grid, format_grid, parse_grid
from games.common.pentomino import Board
from games.common.pictures import UnknownPicture
from games.matchit import photo_pairs
from games.matchit.experiments import EXPERIMENTS

ExpectedDecision = Literal["same", "different"]

TEXT_FAMILIES = ("diagonals", "letters", "shapes")
MIN_DIFFERENT_CELLS = 8
"""Different grids differ in at least this many of 25 cells, and neither is the other mirrored or rotated."""
MIN_DIFFERENT_ATTRIBUTES = 12
"""Different boards differ in at least this many attributes (pentomino.distance): two or more per piece."""
INSTANCE_COUNT = 10
FILE_VERSION = 2
"""The version of the shipped files."""


class GridPair(BaseModel, frozen=True, extra="forbid", defer_build=True):
    """Two text grids, one per seat."""

    kind: Literal["grid"] = "grid"
    relation: Literal["same", "transformed", "edited", "different"]
    a: str
    b: str

    @field_validator("a", "b")
    @classmethod
    def _check_format(cls, grid_text: str) -> str:
        grid = parse_grid(grid_text)
        if format_grid(grid) != grid_text:
            raise ValueError("cells are joined by one blank, rows by one newline, with nothing around them")
        return grid_text

    @model_validator(mode="after")
    def _check_relation(self) -> GridPair:
        grid_a, grid_b = self.grid("A"), self.grid("B")
        cell_distance, transform = grids.hamming_distance(grid_a, grid_b), grids.find_transform(grid_a, grid_b)
        self._check_families(grid_a, grid_b)
        if self.relation == "same" and cell_distance:
            raise ValueError(f"field b: same grids are equal, these differ in {cell_distance} cells")
        if self.relation == "transformed" and not cell_distance:
            raise ValueError("field b: a transformed grid differs from the original, this one is equal")
        if self.relation == "transformed" and transform is None:
            raise ValueError("field b: not field a mirrored or turned")
        if self.relation == "edited" and cell_distance != 2:
            raise ValueError(f"field b: an edited grid differs in exactly 2 cells, this one in {cell_distance}")
        if self.relation == "different":
            if cell_distance < MIN_DIFFERENT_CELLS:
                raise ValueError(
                    f"field b: different grids differ in at least {MIN_DIFFERENT_CELLS} cells, these in {cell_distance}"
                )
            if transform:
                raise ValueError(f"field b: different grids are unlike, this one is field a {transform}")
        return self

    def _check_families(self, grid_a: Grid, grid_b: Grid) -> None:
        """Check that both sides are patterns; of a similar pair, only one is, and the other is made from it."""
        pattern_flags = {name: _is_pattern(grid) for name, grid in (("a", grid_a), ("b", grid_b))}
        quantifier = any if self.relation in ("transformed", "edited") else all
        if not quantifier(pattern_flags.values()):
            field_names = " and ".join(f"field {name}" for name in pattern_flags if not pattern_flags[name])
            raise ValueError(f"{field_names}: no pattern of {', '.join(TEXT_FAMILIES)}")

    @property
    def expected_decision(self) -> ExpectedDecision:
        """The correct decision."""
        return "same" if self.relation == "same" else "different"

    def grid(self, seat: str) -> Grid:
        """Return the grid of seat A or B."""
        return parse_grid(self.a if seat == "A" else self.b)

    def text(self, seat: str) -> str | None:
        """Return the grid of seat A or B as it is shown."""
        return self.a if seat == "A" else self.b


def _is_pattern(grid: Grid) -> bool:
    return any(pattern_family in TEXT_FAMILIES for pattern_family in grids.list_families(grid))


class BoardPair(BaseModel, frozen=True, extra="forbid", defer_build=True):
    """Two pentomino boards, one per seat."""

    kind: Literal["pentomino"] = "pentomino"
    relation: Literal["same", "similar", "different"]
    a: Board
    b: Board

    @field_validator("a", "b")
    @classmethod
    def _check_count(cls, board: Board) -> Board:
        if not 5 <= len(board.pieces) <= 7:
            raise ValueError(f"a board has 5 to 7 pieces, this one {len(board.pieces)}")
        return board

    @model_validator(mode="after")
    def _check_relation(self) -> BoardPair:
        attribute_distance = pentomino.distance(self.a, self.b)
        if self.relation == "same" and self.a != self.b:
            differences = pentomino.describe_differences(self.a, self.b)
            difference_text = "; ".join(difference.words for difference in differences)
            raise ValueError(f"field b: same boards are equal, these differ: {difference_text}")
        if self.relation == "similar":
            if len(self.a.pieces) != len(self.b.pieces):
                raise ValueError(f"field b: similar boards have equally many pieces, not {len(self.b.pieces)}")
            if not 1 <= attribute_distance <= 2:
                raise ValueError(
                    f"field b: similar boards differ in 1 or 2 attributes of pieces, these in {attribute_distance}"
                )
        if self.relation == "different" and attribute_distance < MIN_DIFFERENT_ATTRIBUTES:
            raise ValueError(
                f"field b: different boards differ in at least {MIN_DIFFERENT_ATTRIBUTES} attributes, "
                f"these in {attribute_distance}"
            )
        return self

    @property
    def expected_decision(self) -> ExpectedDecision:
        """The correct decision."""
        return "same" if self.relation == "same" else "different"

    def board(self, seat: str) -> Board:
        """Return the board of seat A or B."""
        return self.a if seat == "A" else self.b

    def text(self, seat: str) -> str | None:
        """Return None: a board is shown as a picture."""
        return None


class PhotoPair(BaseModel, frozen=True, extra="forbid", defer_build=True):
    """Two photo-like pictures by their ids in the library, one per seat."""

    kind: Literal["photo"] = "photo"
    relation: Literal["same", "similar", "different"]
    a: str
    b: str

    @model_validator(mode="after")
    def _check_relation(self) -> PhotoPair:
        jaccard = pictures.jaccard(_read_labels("a", self.a), _read_labels("b", self.b))
        if self.relation == "same" and self.a != self.b:
            raise ValueError(f"field b: same pictures are one, these are {self.a!r} and {self.b!r}")
        if self.relation != "same" and self.a == self.b:
            raise ValueError(f"field b: {self.relation} pictures are two, this is {self.a!r} twice")
        if self.relation == "similar" and jaccard <= pairs.MIN_JACCARD:
            raise ValueError(
                f"field b: similar pictures have a Jaccard index of labels above {pairs.MIN_JACCARD}, "
                f"these {jaccard:.3f}"
            )
        if self.relation == "different" and jaccard > pairs.MAX_DIFFERENT_JACCARD:
            raise ValueError(
                f"field b: different pictures have a Jaccard index of labels of at most {pairs.MAX_DIFFERENT_JACCARD}, "
                f"these {jaccard:.3f}"
            )
        return self

    @property
    def expected_decision(self) -> ExpectedDecision:
        """The correct decision."""
        return "same" if self.relation == "same" else "different"

    def id(self, seat: str) -> str:
        """Return the id of the picture of seat A or B."""
        return self.a if seat == "A" else self.b

    def text(self, seat: str) -> str | None:
        """Return None: a photo is shown as a picture."""
        return None


def _read_labels(field_name: str, id: str) -> frozenset[str]:
    """Return the labels of a picture. Raises ValueError with the field, the id and what to do."""
    try:
        return pictures.labels(pictures.LIBRARY.description(id))
    except UnknownPicture as error:
        raise ValueError(f"field {field_name}: {error}") from None


class ImportedPair(BaseModel, frozen=True, extra="forbid", defer_build=True):
    """Two grids, or two pictures by their ids or addresses, of an imported set, played unchanged.

    `clembench_instance` (`theirs` in files) is the instance of the set, with the prompts that it is played with.
    Without it, our prompts are used. `noun` is `thing` in files.
    """

    kind: Literal["imported"] = "imported"
    relation: Literal["same", "different"]
    noun: Literal["grid", "picture"] = Field(alias="thing")
    a: str
    b: str
    clembench_instance: dict[str, Any] | None = Field(None, alias="theirs")

    @property
    def expected_decision(self) -> ExpectedDecision:
        """The correct decision according to the set."""
        return self.relation

    def text(self, seat: str) -> str | None:
        """Return the grid of seat A or B as it is shown, None for pictures."""
        return (self.a if seat == "A" else self.b) if self.noun == "grid" else None


Instance = GridPair | BoardPair | PhotoPair | ImportedPair
INSTANCE_ADAPTER: TypeAdapter[Instance] = TypeAdapter(
    Annotated[Instance, Field(discriminator="kind")], config=ConfigDict(defer_build=True)
)


def load(instance_data: Any) -> Instance:
    """Return the instance of JSON data. Raises pydantic's ValidationError with the field."""
    try:
        return _load_json(to_json(instance_data))
    except (TypeError, ValueError):  # not JSON: the model says what is wrong
        return INSTANCE_ADAPTER.validate_python(instance_data)


@lru_cache(maxsize=256)  # a run loads the same few instances for every episode and its scores
def _load_json(json_text: str) -> Instance:
    return INSTANCE_ADAPTER.validate_python(json.loads(json_text))


def find_expected_decision(instance_data: Any) -> ExpectedDecision:
    """Return the correct decision of an instance that was played, even if its pictures are no longer available."""
    if isinstance(instance_data, dict) and instance_data.get("kind") == "photo":
        return PhotoPair.model_construct(**instance_data).expected_decision
    return load(instance_data).expected_decision


def check(experiment: str, instance: Instance) -> str | None:
    """Return why an instance does not belong to an experiment of any variant, None if it does."""
    for experiments in EXPERIMENTS.values():
        if experiment in experiments:
            expected_kind, expected_relation = experiments[experiment]
            if instance.kind != expected_kind:
                return f"field kind: {experiment} has instances of kind {expected_kind!r}, not {instance.kind!r}"
            if instance.relation != expected_relation:
                return f"field relation: {experiment} has the relation {expected_relation!r}, not {instance.relation!r}"
            return _find_unclear_sides(instance) if isinstance(instance, GridPair) else None
    experiment_names = [name for experiments in EXPERIMENTS.values() for name in experiments]
    return f"no experiment {experiment!r}; there are {', '.join(experiment_names)}"


def _find_unclear_sides(instance: GridPair) -> str | None:
    """Return which sides show a pattern that people hardly recognise, None if none does."""
    quantifier = any if instance.relation in ("transformed", "edited") else all
    clear_flags = {
        seat: bool(set(TEXT_FAMILIES) & {*grids.list_recognisable_families(instance.grid(seat))}) for seat in "AB"
    }
    if quantifier(clear_flags.values()):
        return None
    return " and ".join(f"field {seat.lower()}" for seat in "AB" if not clear_flags[seat]) + ": no clear pattern"


# Generating


def make_experiment(variant: str, experiment: str, seed: int) -> list[Instance]:
    """Return the INSTANCE_COUNT instances of an experiment, always the same for a seed.

    No grid or board occurs twice within a variant, so its experiments are generated together, in order.
    """
    return make_experiments(variant, seed)[experiment]


def make_experiments(variant: str, seed: int) -> dict[str, list[Instance]]:
    """Return all experiments of a variant. Those of photos are left out if no pictures of some kind are drawn.

    Raises `pairs.TooFewPairs` if there are some, but not enough.
    """
    experiments: dict[str, list[Instance]] = {}
    has_all_kinds = all(photo_pairs.list_drawn_pictures(pair_kind) for pair_kind in ("room", "scene", "objects"))
    pairs_by_relation = _choose_photo_pairs(seed) if variant == "picture" and has_all_kinds else {}
    used_boards: list[Grid | Board] = []
    for experiment, (pair_kind, relation) in EXPERIMENTS[variant].items():
        if pair_kind == "photo":
            if pairs_by_relation:
                pair_fields = [{"relation": relation, "a": pair.a, "b": pair.b} for pair in pairs_by_relation[relation]]
                experiments[experiment] = [PhotoPair.model_validate(pair) for pair in pair_fields]
            continue
        generate_pairs: Callable[[str, Random], Iterator[Instance]] = (
            _generate_grid_pairs if pair_kind == "grid" else _generate_board_pairs
        )
        instances: list[Instance] = []
        for instance in generate_pairs(relation, _make_random_generator(variant, experiment, seed)):
            side_contents = _list_sides(instance)
            if not any(side_content in used_boards for side_content in side_contents):
                used_boards += side_contents
                instances.append(instance)
            if len(instances) == INSTANCE_COUNT:
                break
        experiments[experiment] = instances
    if variant == "text":
        _replace_unclear_pairs(variant, experiments, used_boards, seed)
    return experiments


def _replace_unclear_pairs(
    variant: str, experiments: dict[str, list[Instance]], used_boards: list[Grid | Board], seed: int
) -> None:
    """Put pairs of clear patterns in the places of others; all other pairs stay those of version 1 of the set."""
    for experiment, instances in experiments.items():
        _, relation = EXPERIMENTS[variant][experiment]
        new_pairs = _generate_grid_pairs(
            relation, _make_random_generator(variant, f"{experiment}/clear", seed), grids.generate_recognisable_grids
        )
        for pair_index, instance in enumerate(instances):
            if isinstance(instance, GridPair) and _find_unclear_sides(instance):
                instances[pair_index] = next(
                    new_pair for new_pair in new_pairs if not any(side in used_boards for side in _list_sides(new_pair))
                )
                used_boards += _list_sides(instances[pair_index])


def _choose_photo_pairs(seed: int) -> dict[str, list[pairs.PicturePair]]:
    """Return photo pairs by relation. No picture is used twice; the scarcest pairs are chosen first.

    Rooms then take some places among the similar pairs, so that a room of the same kind need not be the same room.
    """
    used_pictures: set[str] = set()
    similar_pairs = photo_pairs.choose_similar_pairs(
        _make_random_generator("picture", "photos-similar", seed), used_pictures
    )
    identical_pairs = photo_pairs.choose_identical_pairs(
        _make_random_generator("picture", "photos-same", seed), used_pictures
    )
    different_pairs = photo_pairs.choose_different_pairs(
        _make_random_generator("picture", "photos-different", seed), used_pictures, INSTANCE_COUNT
    )
    rng = _make_random_generator("picture", "photos-similar/rooms", seed)
    room_pairs = photo_pairs.choose_similar_rooms(rng, used_pictures, len(photo_pairs.ROOM_PAIR_POSITIONS))
    for pair_index, pair in zip(photo_pairs.ROOM_PAIR_POSITIONS, room_pairs, strict=True):
        similar_pairs[pair_index] = pair
    return {"same": identical_pairs, "similar": similar_pairs, "different": different_pairs}


def _make_random_generator(variant: str, experiment: str, seed: int) -> Random:
    seed_text = f"matchit/{variant}/{experiment}/{seed}"
    return Random(int.from_bytes(hashlib.sha256(seed_text.encode()).digest(), "big"))


def _list_sides(instance: Instance) -> list[Grid | Board]:
    """Return both sides, and all transforms of grids, so that a rotated grid counts as used."""
    if isinstance(instance, BoardPair):
        return [instance.a, instance.b]
    assert isinstance(instance, GridPair), "only native instances are generated"
    both_grids = [instance.grid("A"), instance.grid("B")]
    return [
        *both_grids,
        *(transform(side_grid) for side_grid in both_grids for transform in grids.GRID_TRANSFORMS.values()),
    ]


def _generate_grid_pairs(
    relation: str, rng: Random, generate_grids: Callable[[str, Random], Iterator[Grid]] = grids.generate_grids
) -> Iterator[Instance]:
    """Yield pairs from the three families in turn. Chance decides which seat gets the pattern itself."""
    grid_streams = [generate_grids(pattern_family, rng) for pattern_family in TEXT_FAMILIES]
    for i in range(1000):
        grid_a = next(grid_streams[i % len(grid_streams)], None)
        grid_b = _make_partner_grid(relation, grid_a, generate_grids, rng) if grid_a else None
        if grid_a is None or grid_b is None:
            continue
        if rng.random() < 0.5:
            grid_a, grid_b = grid_b, grid_a
        yield GridPair.model_validate({"relation": relation, "a": format_grid(grid_a), "b": format_grid(grid_b)})


def _make_partner_grid(
    relation: str, grid_a: Grid, generate_grids: Callable[[str, Random], Iterator[Grid]], rng: Random
) -> Grid | None:
    """Return the partner of a grid, None if it has none: a grid that looks the same in every rotation."""
    if relation == "same":
        return grid_a
    if relation == "edited":
        return grids.flip_random_cells(grid_a, 2, rng)
    if relation == "transformed":
        transformed_grids = [
            transform(grid_a) for name, transform in grids.GRID_TRANSFORMS.items() if "180" not in name
        ]
        candidates = [grid for grid in transformed_grids if grid != grid_a]
        return rng.choice(candidates) if candidates else None
    for pattern_family in rng.sample(TEXT_FAMILIES, len(TEXT_FAMILIES)):
        for grid_b in generate_grids(pattern_family, rng):
            if (
                grids.hamming_distance(grid_a, grid_b) >= MIN_DIFFERENT_CELLS
                and grids.find_transform(grid_a, grid_b) is None
            ):
                return grid_b
    return None


def _generate_board_pairs(relation: Any, rng: Random) -> Iterator[Instance]:
    """Yield pairs of boards. Similar ones differ in one attribute and in two in turn."""
    change_kinds = list(pentomino.CHANGE_KINDS)
    rng.shuffle(change_kinds)
    for i in range(1000):
        board_a = pentomino.make_board(rng)
        board_b = board_a
        if relation == "similar":
            first_change = change_kinds[i // 2 % len(change_kinds)]
            changes = (first_change,) if i % 2 == 0 else (first_change, rng.choice(pentomino.CHANGE_KINDS))
            board_a, board_b = _change_board(board_a, changes, rng)
        if relation == "different":
            board_b = pentomino.make_board(rng)
            if pentomino.distance(board_a, board_b) < MIN_DIFFERENT_ATTRIBUTES:
                continue
        if rng.random() < 0.5:
            board_a, board_b = board_b, board_a
        yield BoardPair(relation=relation, a=board_a, b=board_b)


def _change_board(board: Board, kinds: tuple[str, ...], rng: Random) -> tuple[Board, Board]:
    """Return a board and one that differs so; another board where this one has no room for the changes."""
    while True:
        try:
            return board, pentomino.change_attributes(board, kinds, rng)
        except ValueError:
            board = pentomino.make_board(rng)


# Files


def make_file(variant: str, seed: int = 0) -> str:
    """Return the text of instances/matchit/VARIANT.json: one instance or one piece per line, a newline at the end."""
    file_content = {
        "game": "matchit",
        "variant": variant,
        "version": FILE_VERSION,
        "seed": seed,
        "experiments": {
            experiment: [instance.model_dump(mode="json") for instance in instances]
            for experiment, instances in make_experiments(variant, seed).items()
        },
    }
    return _join_innermost_lines(json.dumps(file_content, ensure_ascii=False, indent=1)) + "\n"


def _join_innermost_lines(json_text: str) -> str:
    """Return JSON with every innermost object on one line. No text of an instance contains braces or line breaks."""
    return re.sub(r"\{[^{}]*\}", lambda json_match: " ".join(json_match.group().split()), json_text)
