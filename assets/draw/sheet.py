"""Contact sheets: many pictures on one image, each with its id below; and the page docs/assets.md that shows them all.

`python assets/draw/sheet.py` writes docs/assets.md and its sheets again from the pictures in assets/, without Blender.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

ROOT = Path(__file__).resolve().parents[2]
ROWS = 10
"""Rows of pictures on one sheet of the page."""


def sheet(pictures: Sequence[tuple[str, Path]], target: Path, *, width: int = 320, columns: int = 6) -> None:
    """Put pictures (label, file) on a contact sheet, `columns` in a row, each `width` pixels wide."""
    columns = max(1, min(columns, len(pictures)))
    height, foot = width * 3 // 4, 16
    rows = -(-len(pictures) // columns)
    whole = Image.new("RGB", (columns * width, rows * (height + foot)), "white")
    pen = ImageDraw.Draw(whole)
    for i, (label, path) in enumerate(pictures):
        x, y = i % columns * width, i // columns * (height + foot)
        with Image.open(path) as image:
            whole.paste(image.convert("RGB").resize((width - 4, height - 3), Image.Resampling.LANCZOS), (x + 2, y + 2))
        pen.text((x + 4, y + height), label, "black")
    target.parent.mkdir(parents=True, exist_ok=True)
    whole.save(target, quality=72, method=6) if target.suffix == ".webp" else whole.save(target)


def page() -> str:
    """Write the sheets of docs/assets/ and return the text of docs/assets.md."""
    manifest = json.loads((ROOT / "assets" / "manifest.json").read_text(encoding="utf-8"))["pictures"]
    for old in (ROOT / "docs" / "assets").glob("*.webp"):
        old.unlink()
    kinds: dict[str, list[str]] = {"room": [], "rooms-similar": [], "scene": [], "objects": []}
    for id, entry in manifest.items():
        folder = id.partition("/")[0]
        kinds[folder if folder in kinds else entry["kind"]].append(id)
    categories = sorted({manifest[id]["category"] for id in kinds["room"]})
    size = sum(entry["bytes"] for entry in manifest.values()) / 1e6
    lines = [
        "# The pictures that come with Ludens",
        "",
        f"{len(manifest)} pictures ({size:.1f} MB), drawn by the scripts in `assets/draw/` with Blender. Nothing in",
        "them comes from other sources. Each picture has a description: what it shows, where, and in which state.",
        "[How the pictures are drawn](../assets/draw/README.md) explains how to draw them again.",
        "`.venv/bin/python assets/draw/sheet.py` writes this page.",
        "",
        f"## Rooms: {len(categories)} categories, {len(kinds['room'])} pictures",
        "",
        ", ".join(categories) + ".",
        "",
    ]
    lines += _sheets("rooms", kinds["room"])
    lines += ["", f"## Rooms again, with one or two changes: {len(kinds['rooms-similar'])} pictures", ""]
    lines += _sheets("rooms-similar", kinds["rooms-similar"])
    lines += ["", f"## Everyday scenes: {len(kinds['scene'])} pictures", "", *_family_count(kinds["scene"])]
    lines += _sheets("scenes", kinds["scene"])
    lines += ["", f"## Object scenes: {len(kinds['objects'])} pictures", "", *_family_count(kinds["objects"])]
    lines += _sheets("objects", kinds["objects"])
    lines += ["", "## A pair of each photo experiment of MatchIt", "", *_pairs()]
    return "\n".join(lines) + "\n"


def _family_count(ids: Sequence[str]) -> list[str]:
    families = len({id.rpartition("-")[0] for id in ids})
    return [f"In {families} families. The pictures of a family differ in one thing, which the description names.", ""]


def _sheets(name: str, ids: Sequence[str]) -> list[str]:
    """Write sheets of rows of families or categories; return the lines that show them."""
    rows = [list(group) for _, group in itertools.groupby(ids, key=lambda id: id.rpartition("-")[0])]
    columns = max(6, max(map(len, rows), default=6))
    packed: list[list[str]] = []
    for row in rows:  # short families share a row
        if packed and len(packed[-1]) + len(row) <= columns:
            packed[-1] += row
        else:
            packed.append(list(row))
    lines = []
    for number, start in enumerate(range(0, len(packed), ROWS), 1):
        cells = []
        for row in packed[start : start + ROWS]:
            cells += [(id.partition("/")[2], ROOT / "assets" / f"{id}.webp") for id in row]
            cells += [("", BLANK)] * (columns - len(row))
        BLANK.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (8, 6), "white").save(BLANK)
        file = ROOT / "docs" / "assets" / f"{name}-{number}.webp"
        sheet(cells, file, width=200, columns=columns)
        lines.append(f"![{name}, sheet {number}](assets/{file.name})")
        BLANK.unlink()
    return lines


BLANK = ROOT / "docs" / "assets" / "blank.png"


def _pairs() -> list[str]:
    """Show the first instance of each photo experiment, side by side."""
    path = ROOT / "instances" / "matchit" / "picture.json"
    experiments: dict[str, list[Any]] = json.loads(path.read_text(encoding="utf-8"))["experiments"]
    lines = []
    for name, instances in experiments.items():
        if not name.startswith("photos-"):
            continue
        pair = instances[0]
        cells = [(f"{seat.upper()}: {pair[seat]}", ROOT / "assets" / f"{pair[seat]}.webp") for seat in "ab"]
        sheet(cells, ROOT / "docs" / "assets" / f"pair-{name}.webp", width=400, columns=2)
        lines += [f"{name} (of {len(instances)}):", "", f"![one pair of {name}](assets/pair-{name}.webp)", ""]
    return lines[:-1]


if __name__ == "__main__":
    (ROOT / "docs" / "assets.md").write_text(page(), encoding="utf-8")
