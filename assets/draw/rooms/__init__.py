"""Rooms by category: every function decorated with `room` draws one of its takes; no two takes are alike."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

Draw = Callable[[Random, int], None]


@dataclass(frozen=True)
class Category:
    """A scene category: how many takes it has, and the function that draws one of them (numbered from 1)."""

    name: str
    takes: int
    draw: Draw
    version: int


_found: dict[str, Category] = {}


def room(name: str, takes: int = 6, version: int = 1) -> Callable[[Draw], Draw]:
    """Register a drawing function for a category; raise `version` when finished pictures must be drawn again."""

    def register(draw: Draw) -> Draw:
        _found[name] = Category(name, takes, draw, version)
        return draw

    return register


def categories() -> dict[str, Category]:
    """Return all categories by name, sorted."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return dict(sorted(_found.items()))
