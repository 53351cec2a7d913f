"""A filled table: its blocks, what is missing from it, and the same as JSON and CSV.

table = fill("multimodal/table-4", sources)
table.as_json(), table.as_csv()
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.core.events import Json, Outcome
from engine.core.spreadsheet import escape_formulas
from engine.results.papers.entries import PaperEntry, find_entry
from engine.results.papers.gaps import GameShortfall, find_game_shortfalls
from engine.results.papers.layouts import PaperBlock, PaperRow, Sources
from engine.results.published import read_published_rows

if TYPE_CHECKING:
    from engine.play.registry import Registry
    from engine.results.index import Results
    from engine.storage.episode_result import EpisodeResult
    from engine.storage.store import Store


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table or figure of a paper, filled."""

    entry: PaperEntry
    blocks: Sequence[PaperBlock]
    shortfalls: Sequence[GameShortfall]
    """What our rows lack."""

    @property
    def own_rows(self) -> list[PaperRow]:
        """Our rows of all blocks."""
        return [row for block in self.blocks for row in block.rows if not row.is_published]

    def as_json(self) -> Json:
        """Return the table as JSON: blocks of columns and rows, each cell with value, interval, n and people."""
        return {
            "name": self.entry.name,
            "title": self.entry.title,
            "place": self.entry.place,
            "note": self.entry.note,
            "fill_with": list(self.entry.games),
            "blocks": [_describe_block(block) for block in self.blocks],
            "missing": [shortfall.as_json() for shortfall in self.shortfalls],
        }

    def as_csv(self, *, raw_cells: bool = False) -> str:
        """Return one line per number: block, row, column, value, interval, n, people, and whether it is published."""
        column_names = [
            "table",
            "block",
            "row",
            "kind",
            "group",
            "column",
            "value",
            "low",
            "high",
            "n",
            "people",
            "published",
        ]
        csv_file = io.StringIO()
        csv_writer = csv.DictWriter(csv_file, column_names, lineterminator="\n")
        csv_writer.writeheader()
        for block in self.blocks:
            for paper_row in block.rows:
                for heading, cell in zip(block.headings, paper_row.cells, strict=True):
                    csv_row: Json = {
                        "table": self.entry.name,
                        "block": block.title,
                        "row": paper_row.label,
                        "kind": paper_row.kind,
                    }
                    csv_row |= {
                        "group": heading.group,
                        "column": heading.name,
                        "published": int(paper_row.is_published),
                    }
                    csv_row |= cell.as_json() if cell else {"n": 0}
                    if paper_row.is_published:
                        csv_row["n"] = None
                    csv_writer.writerow(escape_formulas(csv_row, is_raw=raw_cells))
        return csv_file.getvalue()


def _describe_block(block: PaperBlock) -> Json:
    return {
        "title": block.title,
        "row_head": block.row_heading,
        "columns": [
            {"group": heading.group, "name": heading.name, "available": heading.instance_count}
            for heading in block.headings
        ],
        "rows": [
            {
                "label": row.label,
                "kind": row.kind,
                "published": row.is_published,
                "cells": [_describe_cell(row, column_number) for column_number in range(len(block.headings))],
            }
            for row in block.rows
        ],
    }


def _describe_cell(paper_row: PaperRow, column_number: int) -> Json | None:
    cell = paper_row.cells[column_number]
    if cell is None:
        return None
    return {"value": cell.estimate.value} if paper_row.is_published else cell.as_json()


def fill_table(table_name: str, sources: Sources) -> PaperTable:
    """Return a table or figure, filled. Raises `UnknownPaperTable`."""
    entry = find_entry(table_name)
    blocks = [block for block in entry.make_blocks(sources) if block.rows]
    return PaperTable(entry, blocks, find_game_shortfalls(entry.games, sources))


def make_sources(
    results: Results,
    episodes: Sequence[EpisodeResult],
    store: Store,
    registry: Registry,
    *,
    include_informed_players: bool,
) -> Sources:
    """Return what tables are filled from: these episodes of a log, and the published rows."""
    result_by_episode = {result.episode: result for result in results.episodes}

    def load_score(episode: str, score_name: str) -> Any:
        return (store.episode(episode).scores or result_by_episode[episode].scores).get(score_name)

    def load_outcome(episode: str) -> Outcome | None:
        outcome = store.episode(episode).outcome
        return Outcome.from_json(outcome) if outcome else None

    return Sources(
        episodes, read_published_rows(registry), registry, load_score, load_outcome, include_informed_players
    )
