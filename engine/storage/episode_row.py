"""Rows of the index of episodes, which is derived from the events for listings. Columns are named like the fields."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from typing import Any, Self

from engine.core.events import Json, name_members_fast


@name_members_fast
class Status(StrEnum):
    """Where an episode stands: in play, waiting because of a fault, or ended with an outcome."""

    OPEN = "open"
    STALLED = "stalled"
    OVER = "over"


COLUMN_DECODERS: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("seats", "settings", "start", "outcome", "scores"), json.loads),
    **dict.fromkeys(("people", "mixed"), bool),
    "status": Status,
}
"""What turns a column that is not NULL into its field, where they differ."""


@dataclass(frozen=True, slots=True)
class EpisodeSummary:
    """The index row of an episode without its start. `created` and `updated` are in UTC milliseconds."""

    row: int
    """Its number in the file, which is never shown; it may be given to another episode after a removal."""
    id: str
    origin: str
    game: str
    variant: str
    instance_id: str
    seats: dict[str, str]
    status: Status
    cause: str | None
    outcome: Json | None
    """The data of its outcome event."""
    scores: Json | None
    created: int
    updated: int
    mixed: bool

    @classmethod
    @cache
    def columns(cls) -> str:
        """Return the columns to select, in the order of the fields."""
        return ", ".join(f"episode.{row_field.name}" for row_field in fields(cls))

    @classmethod
    def from_columns(cls, row_values: Sequence[Any]) -> Self:
        """Return the row with these columns."""
        column_values = list(row_values)
        for column_position, column_decoder in cls._list_decoders():
            if column_values[column_position] is not None:
                column_values[column_position] = column_decoder(column_values[column_position])
        return cls(*column_values)

    @classmethod
    @cache
    def _list_decoders(cls) -> list[tuple[int, Callable[[Any], Any]]]:
        column_names = [row_field.name for row_field in fields(cls)]
        return [
            (column_names.index(column), column_decoder)
            for column, column_decoder in COLUMN_DECODERS.items()
            if column in column_names
        ]

    @classmethod
    def select_rows(cls, db: sqlite3.Connection, condition: str, parameters: Sequence[Any]) -> Iterator[Self]:
        """Yield the episodes that fulfil a condition in SQL, which may end with an order and a limit."""
        for column_values in db.execute(f"SELECT {cls.columns()} FROM episode WHERE {condition}", parameters):
            yield cls.from_columns(column_values)


@dataclass(frozen=True, slots=True)
class EpisodeRow(EpisodeSummary):
    """The whole index row of an episode."""

    experiment: str
    instance_hash: str
    settings: Json
    reprompt: int
    people: bool
    """Whether a person had a seat when it began."""
    start: Json
    """The data of its start event."""
    plan_key: str | None
    scores_version: str | None
