"""Draw a filled table as bars: a panel per column, a bar per row, published rows below ours in their own colour."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal

from engine.core.colours import DARK_PALETTE, LIGHT_PALETTE, FigurePalette
from engine.results.papers.filling import PaperTable
from engine.results.papers.layouts import ColumnHeading, PaperBlock, PaperRow
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

AxisLimits = tuple[float, float]


def draw_table(paper_table: PaperTable, *, format: Literal["svg", "png"] = "svg", is_dark: bool = False) -> bytes:
    """Return a filled table with at least one row as a figure: SVG 900 px wide, or PNG with twice as many pixels."""
    palette = DARK_PALETTE if is_dark else LIGHT_PALETTE
    entry = paper_table.entry
    row_kinds = {row.kind for block in paper_table.blocks for row in block.rows}
    has_published_rows = "published" in row_kinds
    caption = f"{entry.place}. {entry.note}\nThin lines: {INTERVALS_NOTE}"
    footer = (
        "Published numbers are facts to compare with: they come from other instances." if has_published_rows else ""
    )
    with use_drawing_style(palette):
        blocks = [panel for block in paper_table.blocks for panel in _draw_block(block, palette, entry.decimals)]
        figure_page = FigurePage(entry.title, caption, footer, blocks)
        return draw_page(figure_page, [kind for kind in SHAPE_BY_KIND if kind in row_kinds], palette, format)


def _draw_block(block: PaperBlock, palette: FigurePalette, decimals: int) -> Iterator[Block]:
    """Yield the panels of a block; columns with the same limits stand side by side."""
    kinds = {_label_row(row): row.kind for row in block.rows}
    title = block.title
    column_numbers = [n for n in range(len(block.headings)) if any(row.cells[n] for row in block.rows)]
    for limits, column_group in groupby(column_numbers, lambda n: _find_panel_limits(block, n)):
        panels: PanelBars = {}
        for n in column_group:
            panels[block.headings[n].text] = {
                _label_row(row): PanelBar(
                    cell.estimate, format_number(cell.estimate.value, f"z.{decimals}f", decimals + 4)
                )
                for row in block.rows
                if (cell := row.cells[n]) is not None
            }
        yield make_panels_block(palette, kinds, panels, limits, title, _format_counts(block.rows) if title else "")
        title = ""


def _label_row(paper_row: PaperRow) -> str:
    return f"† {paper_row.label}" if paper_row.is_published else paper_row.label


def _find_panel_limits(block: PaperBlock, column_number: int) -> AxisLimits:
    """Return the lowest and the highest value of a column's panel."""
    heading: ColumnHeading = block.headings[column_number]
    if heading.highest_value is not None:
        return heading.lowest_value, heading.highest_value
    cell_values = [
        cell_value
        for paper_row in block.rows
        if (cell := paper_row.cells[column_number])
        for cell_value in (cell.estimate.value, cell.estimate.high)
        if cell_value is not None
    ]
    highest_value = max(cell_values, default=1.0)
    tick_step = 10 ** math.floor(math.log10(highest_value)) if highest_value > 0 else 1
    return 0.0, float(max(tick_step, tick_step * math.ceil(highest_value / tick_step)))


def _format_counts(paper_rows: Sequence[PaperRow]) -> str:
    """Return the range of n in our cells."""
    counts = sorted(cell.n for row in paper_rows if not row.is_published for cell in row.cells if cell)
    if not counts:
        return ""
    return f"n = {counts[0]}" if counts[0] == counts[-1] else f"n = {counts[0]} to {counts[-1]}"
