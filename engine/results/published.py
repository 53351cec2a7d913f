"""Published rows: what papers report of the games, each number with its citation.

`games/FAMILY/published.json` holds a game's tables. `games/published.json` holds the papers, tables across games, and
how papers spell the models, which are named as in Table 1 of Hakimov et al. Published rows are facts to compare our
results with: they are not episodes and enter no average.
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

PUBLISHED_FILE = "published.json"


class BadPublishedFile(ValueError):
    """A file of published rows cannot be used; the message names file and field."""


class Paper(BaseModel, frozen=True, extra="forbid"):
    """A paper; `short` is how its citation begins."""

    authors: str
    title: str
    short: str


class PublishedColumn(BaseModel, frozen=True, extra="forbid"):
    """What one column of a table measured, and to which game, variant and experiment of ours it corresponds."""

    condition: str
    number: str = ""
    """Its name among our scores: `played`, `quality`, `score_all`, `clemscore`, or a score of the game."""
    game: str | None = None
    variant: str | None = None
    experiment: str | None = None
    seats: Mapping[str, str] = {}
    """The other players, if they differ between columns."""
    also: tuple[int, ...] = ()
    """Further tables of the same paper that reprint this column."""


class PublishedTable(BaseModel):
    """One table of a paper: one row per model, one value per column, None if the paper has no value."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    paper: str
    table: int
    number: str = ""
    """The number of the columns that name none."""
    says: str
    """What the numbers average, and how they differ from ours."""
    columns: tuple[PublishedColumn, ...]
    rows: Mapping[str, tuple[float | None, ...]]

    @model_validator(mode="after")
    def _check_complete(self) -> Self:
        mismatched_models = [
            model for model, model_values in self.rows.items() if len(model_values) != len(self.columns)
        ]
        if mismatched_models:
            raise ValueError(
                f"table {self.table}, {mismatched_models[0]}: {len(self.columns)} values are needed, one per column"
            )
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
    """One published number. `citation` names paper and table; `game` is None for a number across games."""

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
        """Return the row as JSON, marked as published."""
        return {"published": True, **asdict(self), "seats": dict(self.seats)}


@cache
def read_published_file(folder: Path) -> PublishedFile:
    """Return the published tables of a folder, an empty file if it has none. Raises `BadPublishedFile`."""
    file_path = folder / PUBLISHED_FILE
    if not file_path.exists():
        return PublishedFile()
    try:
        return PublishedFile.model_validate_json(file_path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadPublishedFile(f"{file_path} is not a file of published rows: {error}") from None


def read_folder_rows(folder: Path, game: str | None) -> list[PublishedRow]:
    """Return the rows in a game's folder or, with `game` None, those across games. Raises `BadPublishedFile`."""
    published_file, shared_file = read_published_file(folder), read_published_file(folder.parent)
    papers = {**shared_file.papers, **published_file.papers}
    table_rows: list[PublishedRow] = []
    for table in published_file.tables:
        if table.paper not in papers:
            raise BadPublishedFile(f"{folder / PUBLISHED_FILE}: no paper {table.paper!r}; name it under papers")
        table_rows += _make_table_rows(table, papers[table.paper], game)
    return table_rows


def read_published_rows(registry: Registry) -> list[PublishedRow]:
    """Return what papers report of a registry's games, and across games. Raises `BadPublishedFile`."""
    common_rows = read_folder_rows(registry.project_root / "games", None)
    return [*common_rows, *(row for name in registry.names for row in read_folder_rows(registry.folders[name], name))]


def _make_table_rows(table: PublishedTable, source_paper: Paper, game: str | None) -> Iterable[PublishedRow]:
    for column_index, column in enumerate(table.columns):
        for table_number in (table.table, *column.also):
            for model, model_values in table.rows.items():
                if (published_value := model_values[column_index]) is not None:
                    yield PublishedRow(
                        table.paper,
                        f"{source_paper.short}, {source_paper.title}, Table {table_number}",
                        table_number,
                        model,
                        column.condition,
                        column.game or game,
                        column.variant,
                        column.experiment,
                        column.number or table.number,
                        published_value,
                        column.seats,
                        table.says,
                    )


def find_matching_rows(folder: Path, variant: str, experiment: str | None, number_name: str) -> list[PublishedRow]:
    """Return the published rows of one number for a variant, or for one experiment of it; best value first.

    A column that further tables reprint comes once.
    """
    row_by_model = {
        (published_row.model, published_row.condition): published_row
        for published_row in reversed(read_folder_rows(folder, folder.name))
        if (published_row.variant, published_row.experiment, published_row.number) == (variant, experiment, number_name)
    }
    return sorted(row_by_model.values(), key=lambda published_row: (-published_row.value, published_row.model))


def make_published_table(published_rows: Sequence[PublishedRow], caption: str | None = None) -> Json | None:
    """Return rows as a debriefing shows them: {"caption", "source", "rows": [{"model", "value"}]}, or None."""
    if not published_rows:
        return None
    return {
        "caption": caption or f"Published models: {published_rows[0].says}",
        "source": published_rows[0].citation,
        "rows": [{"model": published_row.model, "value": published_row.value} for published_row in published_rows],
    }
