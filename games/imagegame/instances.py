"""The instances of the image game: target grids, made from a seed. All filled cells of a grid hold the same letter.

`compact` grids are patterns that one sentence can describe; `random` ones have cells at random places.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any, Literal

from pydantic import BaseModel, Field, field_validator

from games.common.grids import (
    GRID_CELLS,
    Cell,
    generate_grids,
    generate_recognisable_grids,
    grid_of,
    list_families,
    list_recognisable_families,
)
from games.imagegame import grid
from games.imagegame.replies import LETTERS

EXPERIMENTS = {
    "compact": "patterns that one sentence can give",
    "random": "cells at random places",
}
INSTANCE_COUNT = 20
FILE_VERSION = 2
"""The version of the shipped file."""
MIN_FILLED_CELLS, MAX_FILLED_CELLS = 5, 10
"""Filled cells: the fewest in both experiments, the most in `random`."""
COMPACT_FAMILIES = ("letters", "shapes", "rows", "columns", "diagonals")


class Instance(BaseModel, frozen=True, extra="forbid", defer_build=True, serialize_by_alias=True):
    """The grid that the giver sees. `tag` begins a command: another word in imported sets.

    `clembench_instance` (`theirs` in files) is an imported instance as it came, with its own prompts and patterns.
    """

    target: str
    kind: Literal["native", "imported"] = "native"
    tag: str = "Command"
    clembench_instance: dict[str, Any] | None = Field(None, alias="theirs")

    @field_validator("target")
    @classmethod
    def _check_grid(cls, grid_text: str) -> str:
        letter_grid = grid.parse_grid(grid_text)
        if grid_text != grid.format_grid(letter_grid):
            raise ValueError("cells are joined by one blank, rows by one line break")
        if not grid.list_filled_cells(letter_grid):
            raise ValueError("the grid is empty")
        return grid_text

    @property
    def grid(self) -> grid.LetterGrid:
        """The target by cells."""
        return grid.parse_grid(self.target)


def load(instance_data: Any) -> Instance:
    """Read one instance. Raises pydantic's ValidationError that names the field."""
    return Instance.model_validate(instance_data)


def check(experiment: str, instance: Instance) -> str | None:
    """Return why an instance does not belong to an experiment, None when it does."""
    if experiment not in EXPERIMENTS:
        return f"no experiment {experiment!r}; there are {', '.join(EXPERIMENTS)}"
    cells = grid.list_filled_cells(instance.grid)
    used_letters = {instance.grid[cell] for cell in cells}
    pattern_families = list_families(grid.make_filled_pattern(instance.grid))
    if len(used_letters) > 1:
        return f"field target: one letter only, not {', '.join(sorted(used_letters))}"
    if len(cells) < MIN_FILLED_CELLS:
        return f"field target: at least {MIN_FILLED_CELLS} filled cells, not {len(cells)}"
    if experiment == "compact" and not list_recognisable_families(grid.make_filled_pattern(instance.grid)):
        return "field target: not a pattern that one sentence describes (" + ", ".join(COMPACT_FAMILIES) + ")"
    if experiment == "random" and (len(cells) > MAX_FILLED_CELLS or pattern_families):
        families_text = " and ".join(pattern_families)
        return f"field target: at most {MAX_FILLED_CELLS} filled cells in no pattern, not {len(cells)} {families_text}"
    return None


def make_file(variant: str, seed: int = 0) -> str:
    """Return the text of instances/imagegame/VARIANT.json, a newline at its end."""
    experiments = {name: _make_experiment(name, Random(f"imagegame/{variant}/{name}/{seed}")) for name in EXPERIMENTS}
    content = {
        "game": "imagegame",
        "variant": variant,
        "version": FILE_VERSION,
        "seed": seed,
        "experiments": experiments,
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _make_experiment(experiment: str, rng: Random) -> list[dict[str, str]]:
    """Make the INSTANCE_COUNT instances of an experiment, no two with the same cells filled."""
    grids_by_family = {pattern_family: generate_grids(pattern_family, rng) for pattern_family in COMPACT_FAMILIES}
    spare_diagonals = generate_recognisable_grids("diagonals", Random(f"imagegame/{experiment}/clear diagonals"))
    instances: dict[frozenset[Cell], dict[str, str]] = {}
    while len(instances) < INSTANCE_COUNT:
        if experiment == "compact":
            filled_cells = next(grids_by_family[COMPACT_FAMILIES[len(instances) % len(COMPACT_FAMILIES)]]).filled_cells
        else:
            filled_cells = tuple(rng.sample(GRID_CELLS, rng.randint(MIN_FILLED_CELLS, MAX_FILLED_CELLS)))
        letter = rng.choice(LETTERS)
        if (
            experiment == "compact"
            and len(filled_cells) >= MIN_FILLED_CELLS
            and not list_recognisable_families(grid_of(filled_cells))
        ):
            unused_cells = (
                diagonal.filled_cells
                for diagonal in spare_diagonals
                if frozenset(diagonal.filled_cells) not in instances
            )
            filled_cells = next(spare_cells for spare_cells in unused_cells if len(spare_cells) >= MIN_FILLED_CELLS)
        instance = Instance(target=grid.format_grid(grid.paint_cells(filled_cells, letter)))
        if check(experiment, instance) is None:
            instances.setdefault(frozenset(filled_cells), {"target": instance.target})
    return list(instances.values())
