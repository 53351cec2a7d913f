"""Make texts safe for spreadsheets: no cell of a CSV file is a formula that runs when the file is opened.

Follows OWASP's advice on CSV injection: a text that begins like a formula gets a leading apostrophe, which spreadsheets
do not show. Numbers stay numbers.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.events import Json
from engine.core.patterns import compile_linear_pattern

FORMULA_STARTS = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
"""With what spreadsheets begin a formula, full-width characters included, or what they skip before one."""
NUMBER_PATTERN = compile_linear_pattern(
    r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", reason="no two parts can match the same characters"
)


def neutral_cell(cell_value: object) -> object:
    """Return a cell's value, with a leading apostrophe if it is a text that begins like a formula and is no number."""
    if (
        isinstance(cell_value, str)
        and cell_value.startswith(FORMULA_STARTS)
        and not NUMBER_PATTERN.fullmatch(cell_value)
    ):
        return f"'{cell_value}"
    return cell_value


def escape_formulas(table_row: Mapping[str, object], *, is_raw: bool = False) -> Json:
    """Return a row of cells by column without formulas; with `raw` unchanged."""
    return dict(table_row) if is_raw else {column: neutral_cell(cell_value) for column, cell_value in table_row.items()}
