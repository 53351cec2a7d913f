"""An animated picture of a finished walk: the map as it was uncovered, the room, the walker's words. Made on demand.

Drawn with Pillow, one frame a turn; nothing that scores or plays imports this.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from engine.core.events import Event, Kind
from engine.core.replies import format_of
from games.common.pictures import LIBRARY
from games.mapworld import instances
from games.mapworld.scores import actions
from games.mapworld.walking import Walk

CELL, BOX = (150, 104), (122, 56)
MARGIN, WORDS, ROOM = 24, 74, (440, 330)
FRAME_MS, LAST_MS = 1100, 3000
COLOURS = {"here": "#6fd6df", "visited": "#b9bf6c", "seen": "#b3b3b0", "hidden": "#f1efe8"}
"""As the source draws them: cyan here, olive visited, grey seen."""
INK, SOFT, PAPER = "#22261c", "#8d8a80", "#fbf8f1"


def gif(log: Sequence[Event]) -> bytes:
    """Return the walk as an animated GIF, a frame a turn, the last one longer."""
    start = log[0].data
    walk = Walk(instances.load(start["instance"]))
    said = _said(log)
    frames = []
    for number, (action, _) in enumerate(actions(log)):
        frames.append(_frame(walk, said[number]))
        if action != "done":
            walk.go(action)
    frames.append(_frame(walk, ""))
    out = io.BytesIO()
    pauses = [FRAME_MS] * (len(frames) - 1) + [LAST_MS]
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=pauses, loop=0, optimize=True)
    return out.getvalue()


def _said(log: Sequence[Event]) -> list[str]:
    """Return what was said with each accepted reply, in words: description and way, not the map."""
    formats = {event.data["ask"]: format_of(event.data["format"]) for event in log if event.kind is Kind.ASK}
    texts = {event.data["ask"]: event.data["text"] for event in log if event.kind is Kind.REPLY}
    return [
        " ".join(
            part["text"]
            for part in formats[event.data["ask"]].show(texts[event.data["ask"]])
            if part["label"] != "Graph"
        )
        for event in log
        if event.kind is Kind.PARSED
    ]


def _frame(walk: Walk, words: str) -> Image.Image:
    rooms = walk.map.rooms
    left, right = min(room.x for room in rooms), max(room.x for room in rooms)
    low, high = min(room.y for room in rooms), max(room.y for room in rooms)
    width, height = (right - left + 1) * CELL[0], (high - low + 1) * CELL[1]
    pictured = rooms[walk.at].picture is not None
    whole = (width + 2 * MARGIN + (ROOM[0] + MARGIN if pictured else 0), max(height, ROOM[1] if pictured else 0))
    image = Image.new("RGB", (whole[0], whole[1] + 2 * MARGIN + WORDS), PAPER)
    pen = ImageDraw.Draw(image)
    at = [(MARGIN + (room.x - left + 0.5) * CELL[0], MARGIN + (high - room.y + 0.5) * CELL[1]) for room in rooms]
    visited = set(walk.path)
    for a, b in walk.map.doors:
        known = a in visited or b in visited
        pen.line([at[a], at[b]], fill=SOFT if known else "#e4e0d6", width=6)
    for where, room, state in zip(at, rooms, walk.states, strict=True):
        _room(pen, where, room.name, state)
    _path(pen, walk, at)
    if pictured:
        _picture(image, walk, (width + 2 * MARGIN, MARGIN))
    moves = f"{len(walk.steps)} moves · {len(visited)} of {len(rooms)} rooms"
    pen.text((MARGIN, image.height - WORDS), moves, INK, _font(16))
    for line, text in enumerate(textwrap.wrap(words, max(30, image.width // 9))[:2]):
        pen.text((MARGIN, image.height - WORDS + 26 + 20 * line), text, INK, _font(14))
    return image


def _room(pen: ImageDraw.ImageDraw, at: tuple[float, float], name: str, state: str) -> None:
    x, y = at
    corners = (x - BOX[0] / 2, y - BOX[1] / 2, x + BOX[0] / 2, y + BOX[1] / 2)
    pen.rounded_rectangle(corners, 10, fill=COLOURS[state], outline=INK if state == "here" else SOFT, width=2)
    lines = textwrap.wrap(name, 13)[:2]
    for line, text in enumerate(lines):
        height = y + 18 * (line - (len(lines) - 1) / 2)
        pen.text((x, height), text, SOFT if state == "hidden" else INK, _font(15), anchor="mm")


def _path(pen: ImageDraw.ImageDraw, walk: Walk, at: Sequence[tuple[float, float]]) -> None:
    """Number the steps, on the right-hand side of whoever walks."""
    numbers: dict[tuple[int, int], list[int]] = {}
    for number, (one, two) in enumerate(zip(walk.path, walk.path[1:], strict=False), 1):
        numbers.setdefault((one, two), []).append(number)
    for (one, two), steps in numbers.items():
        (x1, y1), (x2, y2) = at[one], at[two]
        dx, dy = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
        words = " ".join(map(str, steps))
        half = 6 + 4 * len(words)
        x, y = (x1 + x2) / 2 - dy * (half + 4), (y1 + y2) / 2 + dx * 14
        pen.rounded_rectangle((x - half, y - 9, x + half, y + 9), 9, fill=INK)
        pen.text((x, y), words, PAPER, _font(12), anchor="mm")


def _picture(image: Image.Image, walk: Walk, corner: tuple[int, int]) -> None:
    picture = walk.map.rooms[walk.at].picture
    assert picture is not None, "rooms told in words have none"
    with Image.open(io.BytesIO(LIBRARY.picture(picture).data)) as room:
        image.paste(room.convert("RGB").resize(ROOM), corner)


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
