"""A fact that a speaker may state about an item: the type that all kinds of sight share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Fact:
    """A statement about an item: `key` to compare by, and `words` that follow "the one with".

    A `laborious` fact (the number of filled cells) is stated only if no other fact is left.
    """

    key: tuple[Any, ...]
    words: str
    laborious: bool = False
