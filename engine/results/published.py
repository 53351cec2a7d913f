"""Published rows: what papers report of the games, read from files beside the games, each number with its citation.

`games/FAMILY/published.json` holds a game's tables, `games/published.json` the papers, tables across games, and how
papers spell the models that we name as Hakimov et al. do in their Table 1. They are facts to stand beside our results:
nothing here is an episode, and no average takes a row of these in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Self

from pydantic import BaseModel, ConfigDict, model_validator

from engine.core.events import Json

if TYPE_CHECKING:
    from engine.play.registry import Registry

FILE = "published.json"


class BadPublished(ValueError):
    """A file of published rows that cannot be used; the message names file and field."""


class Paper(BaseModel, frozen=True, extra="forbid"):
    """Where rows were published; `short` is how a citation begins."""

    authors: str
    title: str
    short: str


class PublishedColumn(BaseModel, frozen=True, extra="forbid"):
    """What one column of a table measured, and which of our games, variants and experiments it stands beside."""

    condition: str
    number: str = ""
    """Named as in our scores: `played`, `quality`, `score_all`, `clemscore`, or one of the game's own."""
    game: str | None = None
    variant: str | None = None
    experiment: str | None = None
    seats: Mapping[str, str] = {}
    """Who else played, where that differs from column to column."""
    also: tuple[int, ...] = ()
    """Further tables of the same paper that print this column again."""


class PublishedTable(BaseModel):
    """One table of a paper: a row a model, a value a column, None where the paper has none."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    paper: str
    table: int
    number: str = ""
    """The number of every column that names none."""
    says: str
    """What the numbers are means of, and how they differ from ours."""
    columns: tuple[PublishedColumn, ...]
    rows: Mapping[str, tuple[float | None, ...]]

    @model_validator(mode="after")
    def _complete(self) -> Self:
        short = [model for model, values in self.rows.items() if len(values) != len(self.columns)]
        if short:
            raise ValueError(f"table {self.table}, {short[0]}: {len(self.columns)} values are needed, one a column")
        if any(not (column.number or self.number) for column in self.columns):
            raise ValueError(f"table {self.table}: every column needs the number it holds")
        return self


class PublishedFile(BaseModel):
    """A file of published rows."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    papers: Mapping[str, Paper] = {}
    spellings: Mapping[str, str] = {}
    tables: tuple[PublishedTable, ...] = ()


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One published number. `citation` names paper and table in words; `game` is None for a number across games."""

    paper: str
    citation: str
    table: int
    model: str
    condition: str
    game: str | None
    variant: str | None
    experiment: str | None
    number: str
    value: float
    seats: Mapping[str, str]
    says: str

    def as_json(self) -> Json:
        """Return it as JSON, marked as published."""
        return {"published": True, **asdict(self), "seats": dict(self.seats)}


@cache
def read_published(folder: Path) -> PublishedFile:
    """Return the published rows of a folder, nothing where it has none. Raises `BadPublished`."""
    path = folder / FILE
    if not path.exists():
        return PublishedFile()
    try:
        return PublishedFile.model_validate_json(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadPublished(f"{path} is no file of published rows: {error}") from None


def folder_rows(folder: Path, game: str | None) -> list[PublishedRow]:
    """Return what was published of the game whose folder this is, or (None) across games in the folder of all games."""
    own, shared = read_published(folder), read_published(folder.parent)
    papers = {**shared.papers, **own.papers}
    made: list[PublishedRow] = []
    for table in own.tables:
        if table.paper not in papers:
            raise BadPublished(f"{folder / FILE}: no paper {table.paper!r}; name it under papers")
        made += _rows(table, papers[table.paper], game)
    return made


def published_rows(registry: Registry) -> list[PublishedRow]:
    """Return what papers report of the games of a registry and across them. Raises `BadPublished`."""
    folder = registry.root / "games"
    return [*folder_rows(folder, None), *(row for name in registry.names for row in folder_rows(folder / name, name))]


def _rows(table: PublishedTable, paper: Paper, game: str | None) -> Iterable[PublishedRow]:
    for place, column in enumerate(table.columns):
        for number in (table.table, *column.also):
            for model, values in table.rows.items():
                if (value := values[place]) is not None:
                    yield PublishedRow(
                        table.paper,
                        f"{paper.short}, {paper.title}, Table {number}",
                        number,
                        model,
                        column.condition,
                        column.game or game,
                        column.variant,
                        column.experiment,
                        column.number or table.number,
                        value,
                        column.seats,
                        table.says,
                    )


def matching_rows(folder: Path, variant: str, experiment: str | None, number: str) -> list[PublishedRow]:
    """Return the rows of one number that stand beside a variant (of no one experiment) or beside one experiment.

    A column that further tables print again comes once; best value first.
    """
    found = {
        (row.model, row.condition): row
        for row in reversed(folder_rows(folder, folder.name))
        if (row.variant, row.experiment, row.number) == (variant, experiment, number)
    }
    return sorted(found.values(), key=lambda row: (-row.value, row.model))


def as_table(rows: Sequence[PublishedRow], caption: str | None = None) -> Json | None:
    """Return rows as a debriefing shows them, {"caption", "source", "rows": [{"model", "value"}]}; None without any."""
    if not rows:
        return None
    return {
        "caption": caption or f"Published models: {rows[0].says}",
        "source": rows[0].citation,
        "rows": [{"model": row.model, "value": row.value} for row in rows],
    }
