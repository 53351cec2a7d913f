"""Tables of numbers with notes, printed as text or written as one HTML page."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, field

from cli.output import make_console


@dataclass(frozen=True, slots=True)
class TextTable:
    """Headings, rows with one cell per heading, and notes below. `marked_row_indices` are of rows that are not ours."""

    column_headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    title: str = ""
    numeric_headings: frozenset[str] = frozenset()
    """Headings of right-aligned columns."""
    marked_row_indices: frozenset[int] = field(default_factory=frozenset)


def print_tables(tables: Sequence[TextTable]) -> None:
    """Print tables on standard output."""
    from rich import box
    from rich.table import Table

    console = make_console()
    for text_table in tables:
        if text_table.rows:
            table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=text_table.title or None, title_justify="left")
            for column_heading in text_table.column_headings:
                table.add_column(
                    column_heading, justify="right" if column_heading in text_table.numeric_headings else "left"
                )
            for row_index, cells in enumerate(text_table.rows):
                table.add_row(*cells, style="dim" if row_index in text_table.marked_row_indices else None)
            console.print(table)
        for table_note in text_table.notes:
            console.print(table_note)


PAGE_STYLE = (
    "body{font:15px system-ui;margin:2em}table{border-collapse:collapse}td,th{padding:.3em .8em;text-align:left}"
    "tr:nth-child(even){background:#f2f2f2}.published{font-style:italic;color:#555}"
)


def build_html_page(text_tables: Sequence[TextTable], page_title: str) -> str:
    """Return tables as one HTML page without scripts; rows that are not ours have the class `published`."""
    html_parts = [
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{html.escape(page_title)}</title>\n'
        f"<style>{PAGE_STYLE}</style>\n<h1>{html.escape(page_title)}</h1>"
    ]
    for text_table in text_tables:
        if text_table.title:
            html_parts.append(f"<h2>{html.escape(text_table.title)}</h2>")
        if text_table.rows:
            table_rows, marked_row_indices = enumerate(text_table.rows), text_table.marked_row_indices
            body_rows = [
                _build_html_row("td", cells, row_index in marked_row_indices) for row_index, cells in table_rows
            ]
            head_row = _build_html_row("th", text_table.column_headings, False)
            html_parts.append("\n".join(["<table>", head_row, *body_rows, "</table>"]))
        html_parts += [f"<p>{html.escape(table_note)}</p>" for table_note in text_table.notes]
    return "\n".join([*html_parts, "</html>"])


def _build_html_row(cell_tag: str, cells: Sequence[str], is_marked: bool) -> str:
    row_tag = '<tr class="published">' if is_marked else "<tr>"
    return row_tag + "".join(f"<{cell_tag}>{html.escape(cell)}</{cell_tag}>" for cell in cells) + "</tr>"
