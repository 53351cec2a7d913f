"""Sheets: a table of numbers with its notes, written once and shown as text or as one HTML page."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, field

from cli.words import console


@dataclass(frozen=True, slots=True)
class Sheet:
    """Heads, rows of as many cells, and what is said below. `marked` are the numbers of rows that are not ours."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    title: str = ""
    numeric: frozenset[str] = frozenset()
    """Heads of columns that stand to the right."""
    marked: frozenset[int] = field(default_factory=frozenset)


def show(sheets: Sequence[Sheet]) -> None:
    """Print sheets on standard output."""
    from rich import box
    from rich.table import Table

    screen = console()
    for sheet in sheets:
        if sheet.rows:
            table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=sheet.title or None, title_justify="left")
            for head in sheet.heads:
                table.add_column(head, justify="right" if head in sheet.numeric else "left")
            for number, row in enumerate(sheet.rows):
                table.add_row(*row, style="dim" if number in sheet.marked else None)
            screen.print(table)
        for note in sheet.notes:
            screen.print(note)


STYLE = (
    "body{font:15px system-ui;margin:2em}table{border-collapse:collapse}td,th{padding:.3em .8em;text-align:left}"
    "tr:nth-child(even){background:#f2f2f2}.published{font-style:italic;color:#555}"
)


def page(sheets: Sequence[Sheet], title: str) -> str:
    """Return sheets as one HTML page without scripts; rows that are not ours have the class `published`."""
    parts = [
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>\n'
        f"<style>{STYLE}</style>\n<h1>{html.escape(title)}</h1>"
    ]
    for sheet in sheets:
        if sheet.title:
            parts.append(f"<h2>{html.escape(sheet.title)}</h2>")
        if sheet.rows:
            body = [_cells("td", row, number in sheet.marked) for number, row in enumerate(sheet.rows)]
            parts.append("\n".join(["<table>", _cells("th", sheet.heads, False), *body, "</table>"]))
        parts += [f"<p>{html.escape(note)}</p>" for note in sheet.notes]
    return "\n".join([*parts, "</html>"])


def _cells(tag: str, values: Sequence[str], marked: bool) -> str:
    row = '<tr class="published">' if marked else "<tr>"
    return row + "".join(f"<{tag}>{html.escape(value)}</{tag}>" for value in values) + "</tr>"
