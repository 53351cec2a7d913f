"""The instances of the image game: a target grid each, made from a seed. `compact` are patterns that one sentence can
give, `random` are cells at random places; all filled cells of a grid hold the same letter.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any, Literal

from pydantic import BaseModel, field_validator

from games.common.grids import CELLS, families_of, generate_grids
from games.imagegame import grid
from games.imagegame.replies import LETTERS

EXPERIMENTS = {
    "compact": "patterns that one sentence can give",
    "random": "cells at random places",
}
PER_EXPERIMENT = 20
LEAST, MOST = 5, 10
"""Filled cells: at least in both experiments, at most in `random`."""
FAMILIES = ("letters", "shapes", "rows", "columns", "diagonals")


class Instance(BaseModel, frozen=True, extra="forbid"):
    """The grid that the giver sees. `tag` begins a command: another word in imported sets.

    `theirs` is the entry of an imported set as it came, with the prompts and patterns that it is played with.
    """

    target: str
    kind: Literal["native", "imported"] = "native"
    tag: str = "Command"
    theirs: dict[str, Any] | None = None

    @field_validator("target")
    @classmethod
    def _is_a_grid(cls, text: str) -> str:
        read = grid.read(text)
        if text != grid.write(read):
            raise ValueError("cells are joined by one blank, rows by one line break")
        if not grid.filled(read):
            raise ValueError("nothing is on the grid")
        return text

    @property
    def grid(self) -> grid.Grid:
        """The target by cells."""
        return grid.read(self.target)


def load(data: Any) -> Instance:
    """Read one instance. Raises pydantic's ValidationError that names the field."""
    return Instance.model_validate(data)


def check(experiment: str, instance: Instance) -> str | None:
    """Say why an instance does not belong to an experiment, None when it does."""
    if experiment not in EXPERIMENTS:
        return f"no experiment {experiment!r}; there are {', '.join(EXPERIMENTS)}"
    cells = grid.filled(instance.grid)
    letters = {instance.grid[cell] for cell in cells}
    families = families_of(grid.pattern(instance.grid))
    if len(letters) > 1:
        return f"field target: one letter only, not {', '.join(sorted(letters))}"
    if len(cells) < LEAST:
        return f"field target: at least {LEAST} filled cells, not {len(cells)}"
    if experiment == "compact" and not families:
        return "field target: no pattern that one sentence gives (" + ", ".join(FAMILIES) + ")"
    if experiment == "random" and (len(cells) > MOST or families):
        return f"field target: at most {MOST} filled cells in no pattern, not {len(cells)} {' and '.join(families)}"
    return None


def make_file(variant: str, seed: int = 0) -> str:
    """Return the text of instances/imagegame/VARIANT.json, a newline at its end."""
    made = {name: _make(name, Random(f"imagegame/{variant}/{name}/{seed}")) for name in EXPERIMENTS}
    data = {"game": "imagegame", "variant": variant, "version": 1, "seed": seed, "experiments": made}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _make(experiment: str, rng: Random) -> list[dict[str, str]]:
    """Make the PER_EXPERIMENT instances of an experiment, no two with the same cells filled."""
    patterns = {family: generate_grids(family, rng) for family in FAMILIES}
    found: dict[frozenset[tuple[int, int]], dict[str, str]] = {}
    while len(found) < PER_EXPERIMENT:
        if experiment == "compact":
            cells = next(patterns[FAMILIES[len(found) % len(FAMILIES)]]).filled
        else:
            cells = tuple(rng.sample(CELLS, rng.randint(LEAST, MOST)))
        instance = Instance(target=grid.write(grid.painted(cells, rng.choice(LETTERS))))
        if check(experiment, instance) is None:
            found.setdefault(frozenset(cells), {"target": instance.target})
    return list(found.values())
