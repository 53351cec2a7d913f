"""Contact sheets: many pictures on one, each with its id below."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw


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
    whole.save(target)
