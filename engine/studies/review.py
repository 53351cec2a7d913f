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
    """Write review.txt into an exported folder and return its lines.

    A line is FILE:ROW: WHAT: TEXT of a cell with words of people that may identify somebody.
    """
    lines = _suspicious_lines(folder)
    (folder / "review.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return lines


def _suspicious_lines(folder: Path) -> list[str]:
    import csv

    lines = []
    for path in sorted((folder / "data").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as text_file:
            for number, row in enumerate(csv.DictReader(text_file), 2):
                for words in (row[column] for column in TEXT_COLUMNS if row.get(column)):
                    for kind, pattern in SUSPICIOUS_PATTERNS.items():
                        if pattern.search(words) is not None:
                            lines.append(f"{path.name}:{number}: {kind}: {' '.join(words.split())[:200]}")
    return lines
