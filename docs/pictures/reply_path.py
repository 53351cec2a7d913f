"""Draw the way of one reply for docs/architecture.md.

`.venv/bin/python docs/pictures/reply_path.py` writes the SVG.
"""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape

FILE = Path(__file__).with_name("reply-path.svg")
WIDTH, HEIGHT, LINE = 900, 470, 19
BOXES = {
    "person": (20, 30, 200, ("Person", "form in the browser", "POST /api/move")),
    "model": (20, 170, 200, ("Model or script", "Player.reply:", "view in, reply out")),
    "table": (270, 30, 200, ("LiveTable.submit", "values → reply text", "one answer per move id")),
    "episode": (270, 170, 200, ("Episode.submit", "drives the GameMaster", "and sets the time")),
    "master": (575, 170, 300, ("GameMaster.reply", "parse → allow → rulebook", "returns events, does no I/O")),
    "rules": (575, 310, 300, ("Game.play", "the rulebook: value in, next ask out")),
    "store": (270, 310, 200, ("Store.append", "one transaction", "SQLite log")),
    "views": (20, 310, 200, ("Views of the seats", "pages, players,", "spectators")),
}
"""Each box: left, top, width, and its lines of text; the first is its title."""
ARROWS = (
    ("person", "right", "table", "left", "1"),
    ("table", "bottom", "episode", "top", "2"),
    ("model", "right", "episode", "left", ""),
    ("episode", "right", "master", "left", "3"),
    ("master", "bottom", "rules", "top", ""),
    ("episode", "bottom", "store", "top", "4"),
    ("store", "left", "views", "right", "5"),
    ("views", "top", "model", "bottom", ""),
)
"""Each arrow: from a side of a box to a side of another, and the step of the text that it stands for."""


def height(box: str) -> int:
    """Return the height of a box."""
    return 28 + LINE * len(BOXES[box][3])


def point(box: str, side: str) -> tuple[float, float]:
    """Return the middle of a side of a box."""
    left, top, width, _ = BOXES[box]
    return {
        "left": (left, top + height(box) / 2),
        "right": (left + width, top + height(box) / 2),
        "top": (left + width / 2, top),
        "bottom": (left + width / 2, top + height(box)),
    }[side]


def draw() -> str:
    """Return the drawing as SVG."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"',
        'font-family="sans-serif" font-size="14">',
        '<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0 0L10 5L0 10z" fill="#37474f"/></marker></defs>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#ffffff"/>',
        '<rect x="255" y="155" width="635" height="300" rx="8" fill="#e0f2f1"/>',
        '<text x="875" y="440" text-anchor="end" fill="#00695c">from here on, nobody knows who wrote the reply</text>',
    ]
    for left, top, width, lines in BOXES.values():
        box_height = 28 + LINE * len(lines)
        parts.append(
            f'<rect x="{left}" y="{top}" width="{width}" height="{box_height}" rx="6" fill="#f7f9fa" stroke="#00796b"/>'
        )
        for number, line in enumerate(lines):
            weight = ' font-weight="bold"' if number == 0 else ""
            parts.append(
                f'<text x="{left + 12}" y="{top + 28 + LINE * number}" fill="#212121"{weight}>{escape(line)}</text>'
            )
    for start, start_side, end, end_side, step in ARROWS:
        (x1, y1), (x2, y2) = point(start, start_side), point(end, end_side)
        parts.append(
            f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}" fill="none" stroke="#37474f" stroke-width="1.6" '
            'marker-end="url(#head)"/>'
        )
        if step:
            x, y = (x1 + x2) / 2, (y1 + y2) / 2
            parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="10" fill="#00796b"/>')
            parts.append(f'<text x="{x:g}" y="{y + 5:g}" text-anchor="middle" fill="#ffffff">{step}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    FILE.write_text(draw(), encoding="utf-8")
