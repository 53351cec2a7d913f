"""What to look at before a study's data are published: lines that may identify somebody."""

from __future__ import annotations

from pathlib import Path

from engine.core.patterns import compile_pattern

SUSPICIOUS_PATTERNS = {
    "e-mail address": compile_pattern(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+\.[A-Za-z]{2,}"),
    "telephone number": compile_pattern(r"(^|[^\d.:T-])\+?[0-9][0-9 ()/-]{7,16}[0-9]($|[^\d.:Z-])"),
    "Prolific id": compile_pattern(r"\b[0-9a-f]{24}\b"),
}
"""What the words of people are searched for."""
TEXT_COLUMNS = ("answer", "text")
"""The columns of tables that hold words of people."""


def write_review(folder: Path) -> list[str]:
    """Write review.txt into an exported folder and return its lines; without any, the file says so.

    A line is FILE:ROW: WHAT: TEXT of a cell with words of people that may identify somebody.
    """
    suspicious_lines = _find_suspicious_lines(folder)
    review_lines = suspicious_lines or [f"Nothing here looks like one of: {', '.join(SUSPICIOUS_PATTERNS)}."]
    (folder / "review.txt").write_text("".join(f"{line}\n" for line in review_lines), encoding="utf-8")
    return suspicious_lines


def _find_suspicious_lines(folder: Path) -> list[str]:
    import csv

    suspicious_lines = []
    for csv_path in sorted((folder / "data").glob("*.csv")):
        with csv_path.open(encoding="utf-8", newline="") as text_file:
            for line_number, table_row in enumerate(csv.DictReader(text_file), 2):
                for cell_text in (table_row[column] for column in TEXT_COLUMNS if table_row.get(column)):
                    for pattern_kind, identity_pattern in SUSPICIOUS_PATTERNS.items():
                        if identity_pattern.search(cell_text) is not None:
                            suspicious_lines.append(
                                f"{csv_path.name}:{line_number}: {pattern_kind}: {' '.join(cell_text.split())[:200]}"
                            )
    return suspicious_lines
