"""The instances of the reference game: their models, how they are checked, and how the shipped files are generated.

An instance is a target, two distractors that are similar to it, and the order of the three items at the listener. The
grids of the text and picture variants are the same. `make_file` reproduces a checked-in file byte for byte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, field_validator, model_validator

from games.common import grids, pentomino
from games.common.grids import Grid, format_grid, parse_grid
from games.common.pentomino import Board
from games.common.pictures import LIBRARY, UnknownPicture, find_most_similar, labels, list_ludens_pictures
from games.reference.experiments import (
    EXPERIMENTS,
    GRID_EXPERIMENTS,
    PHOTO_KIND_BY_EXPERIMENT,
    STATIC_EXPERIMENT_SUFFIX,
    TITLE_BY_EXPERIMENT,
)
from games.reference.layout import PLACES

ElementT = TypeVar("ElementT")
ItemT = TypeVar("ItemT")

INSTANCE_COUNT = 30
FILE_VERSION = 2
"""The version of the shipped files."""
NEAR_GRID_COUNT = 5
"""Two of three grids are among the NEAR_GRID_COUNT of their family that differ from the third in the fewest cells."""
NEAR_PHOTO_COUNT = 9
"""The distractors of a static target are two of its NEAR_PHOTO_COUNT nearest pictures: 36 pairs for 30 instances."""


class ItemTriple(BaseModel, Generic[ItemT], frozen=True, extra="forbid", defer_build=True):
    """Three different items. `listener` has the number of the item at each place of the listener's list (0: target)."""

    listener: tuple[int, int, int]
    kind: str
    target: ItemT
    distractors: tuple[ItemT, ItemT]

    @field_validator("listener")
    @classmethod
    def _check_order(cls, listener_order: tuple[int, int, int]) -> tuple[int, int, int]:
        if sorted(listener_order) != [0, 1, 2]:
            raise ValueError(f"each of 0, 1 and 2 stands in it once, not {list(listener_order)}")
        return listener_order

    @property
    def items(self) -> tuple[ItemT, ItemT, ItemT]:
        """The target, then the distractors."""
        return (self.target, *self.distractors)

    @property
    def answer(self) -> str:
        """The target's place in the listener's list."""
        return PLACES[self.listener.index(0)]

    @property
    def texts(self) -> tuple[str, ...] | None:
        """The items as text, None if they cannot be shown as text."""
        return None


class GridTriple(ItemTriple[str], frozen=True, extra="forbid"):
    """Three grids, as text."""

    kind: Literal["grid"] = "grid"

    @field_validator("target", "distractors")
    @classmethod
    def _check_format(cls, grid_texts: str | tuple[str, str]) -> str | tuple[str, str]:
        for grid_text in (grid_texts,) if isinstance(grid_texts, str) else grid_texts:
            if format_grid(parse_grid(grid_text)) != grid_text:
                raise ValueError("cells are joined by one blank, rows by one newline, with nothing around them")
        return grid_texts

    @model_validator(mode="after")
    def _check_items(self) -> GridTriple:
        _check_different(self)
        return self

    @property
    def texts(self) -> tuple[str, ...]:
        """The three grids."""
        return self.items


class BoardTriple(ItemTriple[Board], frozen=True, extra="forbid"):
    """Three pentomino boards."""

    kind: Literal["pentomino"] = "pentomino"

    @model_validator(mode="after")
    def _check_items(self) -> BoardTriple:
        _check_different(self)
        return self


class PhotoTriple(ItemTriple[str], frozen=True, extra="forbid"):
    """Three photo-like pictures by their ids in the library."""

    kind: Literal["photo"] = "photo"

    @model_validator(mode="after")
    def _check_items(self) -> PhotoTriple:
        for field_name, id in zip(("target", "distractors", "distractors"), self.items, strict=True):
            try:
                LIBRARY.description(id)
            except UnknownPicture as error:
                raise ValueError(f"field {field_name}: {error}") from None
        _check_different(self)
        return self


class ImportedTriple(ItemTriple[str], frozen=True, extra="forbid"):
    """Three grids, or three pictures by their ids or addresses, of an imported set, played unchanged.

    `clembench_instance` (`theirs` in files) is the instance of the set, with the prompts and patterns that it is played
    with. Without it, ours are used. `noun` is `thing` in files.
    """

    kind: Literal["imported"] = "imported"
    noun: Literal["grid", "picture"] = Field(alias="thing")
    clembench_instance: dict[str, Any] | None = Field(None, alias="theirs")

    @property
    def texts(self) -> tuple[str, ...] | None:
        """The three grids, None for pictures."""
        return self.items if self.noun == "grid" else None


def _check_different(item_triple: ItemTriple[Any]) -> None:
    target, first_distractor, second_distractor = item_triple.items
    if target in (first_distractor, second_distractor) or first_distractor == second_distractor:
        raise ValueError("field distractors: the three must differ from each other")


Instance = GridTriple | BoardTriple | PhotoTriple | ImportedTriple
INSTANCE_ADAPTER: TypeAdapter[Instance] = TypeAdapter(
    Annotated[Instance, Field(discriminator="kind")], config=ConfigDict(defer_build=True)
)


def load(instance_data: Any) -> Instance:
    """Return the instance of JSON data. Raises pydantic's ValidationError with the field."""
    try:
        return _load_json(json.dumps(instance_data))
    except TypeError:  # not JSON: the model says what is wrong
        return INSTANCE_ADAPTER.validate_python(instance_data)


@lru_cache(maxsize=512)  # a run loads each instance for every episode and its scores
def _load_json(json_text: str) -> Instance:
    return INSTANCE_ADAPTER.validate_python(json.loads(json_text))


def find_answer_place(instance_data: dict[str, Any]) -> str:
    """Return the target's place in the listener's list, even if the pictures are no longer available."""
    return ItemTriple.model_construct(**instance_data).answer


def check(experiment: str, instance: Instance) -> str | None:
    """Return why an instance does not belong to an experiment, None if it does."""
    if experiment not in TITLE_BY_EXPERIMENT:
        return f"no experiment {experiment!r}; there are {', '.join(TITLE_BY_EXPERIMENT)}"
    expected_kind = "grid" if experiment in GRID_EXPERIMENTS else "pentomino" if experiment == "pentomino" else "photo"
    if instance.kind != expected_kind:
        return f"field kind: {experiment} has instances of kind {expected_kind!r}, not {instance.kind!r}"
    if isinstance(instance, GridTriple) and experiment != "random":
        for grid_text in instance.items:
            if experiment not in grids.list_recognisable_families(parse_grid(grid_text)):
                return f"a grid that is no pattern of {experiment}:\n{grid_text}"
    if isinstance(instance, BoardTriple):
        attribute_distances = [pentomino.distance(instance.target, board) for board in instance.distractors]
        if not all(1 <= attribute_distance <= 2 for attribute_distance in attribute_distances):
            return (
                f"field distractors: boards differ from the target in 1 or 2 attributes, these in {attribute_distances}"
            )
    if isinstance(instance, PhotoTriple):
        photo_kind = PHOTO_KIND_BY_EXPERIMENT[experiment.removesuffix(STATIC_EXPERIMENT_SUFFIX)]
        for id in instance.items:
            if (picture_kind := LIBRARY.description(id).kind) != photo_kind:
                return f"{experiment} has pictures of kind {photo_kind!r}, {id!r} is of kind {picture_kind!r}"
        categories = sorted({LIBRARY.description(id).category or "" for id in instance.items})
        if experiment == f"rooms{STATIC_EXPERIMENT_SUFFIX}" and len(categories) > 1:
            return f"{experiment} has rooms of one category, not of {', '.join(categories)}"
    return None


# Generating


def make_file(variant: str, seed: int = 0) -> str:
    """Return the text of instances/reference/VARIANT.json: innermost objects on one line, a newline at the end.

    The grids are those of the text variant, whichever is made. Raises KeyError for an unknown variant.
    """
    experiments = {
        experiment: [instance.model_dump(mode="json") for instance in make_experiment(experiment, seed)]
        for experiment in EXPERIMENTS[variant]
    }
    file_content = {
        "game": "reference",
        "variant": variant,
        "version": FILE_VERSION,
        "seed": seed,
        "experiments": experiments,
    }
    file_text = json.dumps(file_content, ensure_ascii=False, indent=1)
    for innermost_pattern in (r"\[[^\[\]{}]*\]", r"\{[^{}]*\}"):
        file_text = re.sub(innermost_pattern, lambda json_match: " ".join(json_match.group().split()), file_text)
    return file_text + "\n"


def make_experiment(experiment: str, seed: int) -> list[Instance]:
    """Return the INSTANCE_COUNT instances of an experiment. The target is ten times at each of the three places."""
    rng = Random(f"reference/{experiment}/{seed}")
    listener_orders = _draw_listener_orders(rng)
    return [
        INSTANCE_ADAPTER.validate_python({"listener": listener_order, **item_triple})
        for listener_order, item_triple in zip(listener_orders, _make_triples(experiment, rng), strict=False)
    ]


def _draw_listener_orders(rng: Random) -> list[tuple[int, int, int]]:
    """Return the listener's orders of an experiment: the target at each place equally often, shuffled."""
    listener_orders = []
    for instance_number in range(INSTANCE_COUNT):
        listener_order = rng.sample((1, 2), 2)
        listener_order.insert(instance_number % 3, 0)
        listener_orders.append((listener_order[0], listener_order[1], listener_order[2]))
    rng.shuffle(listener_orders)
    return listener_orders


def _make_triples(experiment: str, rng: Random) -> Iterator[dict[str, Any]]:
    if experiment in GRID_EXPERIMENTS:
        return _generate_grid_triples(experiment, rng)
    if experiment == "pentomino":
        return _generate_board_triples(rng)
    kind = PHOTO_KIND_BY_EXPERIMENT[experiment.removesuffix(STATIC_EXPERIMENT_SUFFIX)]
    return (_generate_static_triples if experiment.endswith(STATIC_EXPERIMENT_SUFFIX) else _generate_photo_triples)(
        kind, rng
    )


def _generate_grid_triples(pattern_family: str, rng: Random) -> Iterator[dict[str, Any]]:
    """Yield three similar grids: one and two of the NEAR_GRID_COUNT nearest of its family. No triple occurs twice."""
    if pattern_family == "random":
        grid_stream = grids.generate_grids(pattern_family, rng)
        grid_pool = [next(grid_stream) for _ in range(200)]
    else:
        grid_pool = sorted(grids.generate_recognisable_grids(pattern_family, Random(0)))
    earlier_triples: set[frozenset[Grid]] = set()
    while True:
        for first_grid in rng.sample(grid_pool, len(grid_pool)):
            nearest_grids = sorted(
                (grid for grid in grid_pool if grid != first_grid),
                key=lambda grid: grids.hamming_distance(first_grid, grid),
            )
            grid_triple = (first_grid, *rng.sample(nearest_grids[:NEAR_GRID_COUNT], 2))
            if frozenset(grid_triple) not in earlier_triples:
                earlier_triples.add(frozenset(grid_triple))
                yield _make_triple_json("grid", [format_grid(grid) for grid in _shuffle_items(grid_triple, rng)])


def _generate_board_triples(rng: Random) -> Iterator[dict[str, Any]]:
    """Yield a board and two that differ from it in one attribute each, in random order."""
    while True:
        base_board = pentomino.make_board(rng)
        change_kinds = rng.sample(pentomino.CHANGE_KINDS, 2)
        try:
            boards = [
                base_board,
                *(pentomino.change_attributes(base_board, (change_kind,), rng) for change_kind in change_kinds),
            ]
        except ValueError:  # no room for a change
            continue
        boards = _shuffle_items(boards, rng)
        attribute_distances = [pentomino.distance(boards[0], board) for board in boards[1:]]
        if boards[1] != boards[2] and all(1 <= attribute_distance <= 2 for attribute_distance in attribute_distances):
            yield _make_triple_json("pentomino", [board.model_dump(mode="json") for board in boards])


def _generate_photo_triples(picture_kind: str, rng: Random) -> Iterator[dict[str, Any]]:
    """Yield a picture and the two most similar ones, from each family or category in turn."""
    ids_by_group: dict[str, list[str]] = {}
    picture_ids = list_ludens_pictures(picture_kind)
    for id in picture_ids:
        picture_description = LIBRARY.description(id)
        ids_by_group.setdefault(picture_description.family or picture_description.category or "", []).append(id)
    used_pictures: set[str] = set()
    used_targets: set[str] = set()
    while True:
        for group_name in rng.sample(sorted(ids_by_group), len(ids_by_group)):
            unused_ids = [id for id in ids_by_group[group_name] if id not in used_pictures]
            if not unused_ids:
                continue
            target_picture = rng.choice(unused_ids)
            used_pictures.add(target_picture)
            picture_triple = _shuffle_items((target_picture, *find_most_similar(target_picture, picture_ids, 2)), rng)
            if picture_triple[0] not in used_targets:
                used_targets.add(picture_triple[0])
                yield _make_triple_json("photo", picture_triple)


def _shuffle_items(ordered_items: Sequence[ElementT], rng: Random) -> list[ElementT]:
    """Return the items in random order, so that the target is not always the one that the others were chosen for."""
    return rng.sample(ordered_items, 3)


def _generate_static_triples(kind: str, rng: Random) -> Iterator[dict[str, Any]]:
    """Yield the same target with every two of the pictures that are most similar to it, in random order.

    A target with a category has distractors of that category only, as in the paper.
    """
    picture_ids = list_ludens_pictures(kind)
    target_id = rng.choice([id for id in picture_ids if _can_be_static_target(id)])
    if kind == "room":
        picture_ids = list(LIBRARY.ids(set_name="ludens", kind=kind, category=LIBRARY.description(target_id).category))
    distractor_pairs = list(combinations(_find_near_pictures(target_id, picture_ids), 2))
    rng.shuffle(distractor_pairs)
    for distractor_pair in distractor_pairs:
        yield _make_triple_json("photo", [target_id, *rng.sample(distractor_pair, 2)])


def _can_be_static_target(id: str) -> bool:
    """Return whether a picture is a bedroom, as in the paper, or the first of a family."""
    description = LIBRARY.description(id)
    return description.category == "bedroom" if description.kind == "room" else description.change is None


def _find_near_pictures(target_id: str, picture_ids: Sequence[str]) -> tuple[str, ...]:
    """Return the NEAR_PHOTO_COUNT pictures most similar to a target, without those that have the same labels."""
    target_labels = labels(LIBRARY.description(target_id))
    candidate_ids = [id for id in picture_ids if labels(LIBRARY.description(id)) != target_labels]
    return find_most_similar(target_id, candidate_ids, NEAR_PHOTO_COUNT)


def _make_triple_json(kind: str, triple_items: Sequence[Any]) -> dict[str, Any]:
    return {"kind": kind, "target": triple_items[0], "distractors": list(triple_items[1:])}
