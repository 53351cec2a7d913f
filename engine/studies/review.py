"""What to look at before a study's data are published: lines that may identify somebody."""

from __future__ import annotations

from pathlib import Path

from engine.core.patterns import compile_pattern

SUSPICIOUS = {
    "e-mail address": compile_pattern(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+\.[A-Za-z]{2,}"),
    "telephone number": compile_pattern(r"(^|[^\d.:T-])\+?[0-9][0-9 ()/-]{7,16}[0-9]($|[^\d.:Z-])"),
    "Prolific id": compile_pattern(r"\b[0-9a-f]{24}\b"),
}
"""What the words of people are searched for."""
COLUMNS = ("answer", "text")
"""The columns of tables that hold words of people."""


def suspicious_lines(folder: Path) -> list[str]:
    """Return FILE:ROW: WHAT: TEXT for each cell with words of people that may identify somebody."""
    import csv

    lines = []
    for path in sorted((folder / "data").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as stream:
            for number, row in enumerate(csv.DictReader(stream), 2):
                for words in (row[column] for column in COLUMNS if row.get(column)):
                    for kind, pattern in SUSPICIOUS.items():
                        if pattern.search(words) is not None:
                            lines.append(f"{path.name}:{number}: {kind}: {' '.join(words.split())[:200]}")
    return lines
