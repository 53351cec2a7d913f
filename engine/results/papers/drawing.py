"""Draw a filled table as bars: a panel per column, a bar per row, published rows below ours in their own colour."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal

from engine.core.colours import DARK_LOOK, LIGHT_LOOK, Look
from engine.results.papers.filling import PaperTable
from engine.results.papers.layouts import ColumnHead, PaperBlock, PaperRow
from engine.results.plots import (
    INTERVALS_NOTE,
    SHAPE_BY_KIND,
    Block,
    FigurePage,
    PanelBar,
    PanelBars,
    draw_page,
    format_number,
    make_panels_block,
    use_drawing_style,
)

Limits = tuple[float, float]


def draw_table(table: PaperTable, *, format: Literal["svg", "png"] = "svg", is_dark: bool = False) -> bytes:
    """Return a filled table with at least one row as a figure: SVG 900 px wide, or PNG with twice as many pixels."""
    palette = DARK_LOOK if is_dark else LIGHT_LOOK
    entry = table.entry
    kinds = {row.kind for block in table.blocks for row in block.rows}
    has_published = "published" in kinds
    caption = f"{entry.place}. {entry.note}\nThin lines: {INTERVALS_NOTE}"
    footer = "Published numbers are facts to compare with: they come from other instances." if has_published else ""
    with use_drawing_style(palette):
        blocks = [part for block in table.blocks for part in _draw_block(block, palette, entry.decimals)]
        page = FigurePage(entry.title, caption, footer, blocks)
        return draw_page(page, [kind for kind in SHAPE_BY_KIND if kind in kinds], palette, format)


def _draw_block(block: PaperBlock, palette: Look, decimals: int) -> Iterator[Block]:
    """Yield the panels of a block; columns with the same limits stand side by side."""
    players = {_row_name(block_row): block_row.kind for block_row in block.rows}
    title = block.title
    column_numbers = [n for n in range(len(block.heads)) if any(block_row.cells[n] for block_row in block.rows)]
    for limits, column_group in groupby(column_numbers, lambda column_number: _panel_limits(block, column_number)):
        panels: PanelBars = {}
        for column_number in column_group:
            panels[block.heads[column_number].text] = {
                _row_name(block_row): PanelBar(
                    cell.estimate, format_number(cell.estimate.value, f"z.{decimals}f", decimals + 4)
                )
                for block_row in block.rows
                if (cell := block_row.cells[column_number]) is not None
            }
        yield make_panels_block(palette, players, panels, limits, title, _count_range(block.rows) if title else "")
        title = ""


def _row_name(paper_row: PaperRow) -> str:
    return f"† {paper_row.label}" if paper_row.published else paper_row.label


def _panel_limits(block: PaperBlock, column_number: int) -> Limits:
    """Return the lowest and the highest value of a column's panel."""
    head: ColumnHead = block.heads[column_number]
    if head.highest is not None:
        return head.lowest, head.highest
    values = [
        value
        for row in block.rows
        if (cell := row.cells[column_number])
        for value in (cell.estimate.value, cell.estimate.high)
        if value is not None
    ]
    highest_value = max(values, default=1.0)
    tick_step = 10 ** math.floor(math.log10(highest_value)) if highest_value > 0 else 1
    return 0.0, float(max(tick_step, tick_step * math.ceil(highest_value / tick_step)))


def _count_range(counted_rows: Sequence[PaperRow]) -> str:
    """Return the range of n in our cells."""
    counts = sorted(cell.n for row in counted_rows if not row.published for cell in row.cells if cell)
    if not counts:
        return ""
    return f"n = {counts[0]}" if counts[0] == counts[-1] else f"n = {counts[0]} to {counts[-1]}"
