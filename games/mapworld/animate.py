"""An animated GIF of a finished walk: the map as it was uncovered, the room, the walker's words. Made on demand.

Drawn with Pillow, one frame per turn; nothing that scores or plays imports this module.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from itertools import pairwise

from PIL import Image, ImageDraw, ImageFont

from engine.core.log import Log
from games.common.pictures import LIBRARY
from games.mapworld import instances
from games.mapworld.replies import DONE
from games.mapworld.scores import actions_of
from games.mapworld.walking import Walk

CELL, BOX = (150, 104), (122, 56)
MARGIN, TEXT_HEIGHT, PICTURE = 24, 74, (440, 330)
FRAME_MS, LAST_MS = 1100, 3000
COLOURS = {"here": "#6fd6df", "visited": "#b9bf6c", "seen": "#b3b3b0", "hidden": "#f1efe8"}
"""As the source draws them: cyan here, olive visited, grey seen."""
INK, SOFT_INK, PALE_INK, PAPER = "#22261c", "#8d8a80", "#e4e0d6", "#fbf8f1"


def draw_gif(log: Log) -> bytes:
    """Return the walk as an animated GIF, one frame per turn, the last one longer."""
    walk = Walk(instances.load(log.start.instance))
    frames = []
    for action, words in zip(actions_of(log), _spoken_words(log), strict=True):
        frames.append(_draw_frame(walk, words))
        if action.direction != DONE:
            walk.go(action.direction)
    frames.append(_draw_frame(walk, ""))
    gif = io.BytesIO()
    pauses = [FRAME_MS] * (len(frames) - 1) + [LAST_MS]
    frames[0].save(gif, "GIF", save_all=True, append_images=frames[1:], duration=pauses, loop=0, optimize=True)
    return gif.getvalue()


def _spoken_words(log: Log) -> list[str]:
    """Return each accepted reply in words: description and way, not the map."""
    format_by_ask = {ask.ask: ask.reply_format for ask in log.asks}
    text_by_ask = {reply.ask: reply.text for reply in log.replies()}
    return [
        " ".join(
            segment.text
            for segment in format_by_ask[accepted_reply.ask].show(text_by_ask[accepted_reply.ask])
            if segment.label != "Graph"
        )
        for accepted_reply in log.parsed()
    ]


def _draw_frame(walk: Walk, words: str) -> Image.Image:
    rooms = walk.map.rooms
    min_x, max_x = min(room.x for room in rooms), max(room.x for room in rooms)
    min_y, max_y = min(room.y for room in rooms), max(room.y for room in rooms)
    map_width, map_height = (max_x - min_x + 1) * CELL[0], (max_y - min_y + 1) * CELL[1]
    has_picture = rooms[walk.room].picture is not None
    width = map_width + 2 * MARGIN + (PICTURE[0] + MARGIN if has_picture else 0)
    height = max(map_height, PICTURE[1] if has_picture else 0) + 2 * MARGIN + TEXT_HEIGHT
    image = Image.new("RGB", (width, height), PAPER)
    pen = ImageDraw.Draw(image)
    centres = [(MARGIN + (room.x - min_x + 0.5) * CELL[0], MARGIN + (max_y - room.y + 0.5) * CELL[1]) for room in rooms]
    visited_rooms = set(walk.path)
    for room_a, room_b in walk.map.doors:
        is_known_door = room_a in visited_rooms or room_b in visited_rooms
        pen.line([centres[room_a], centres[room_b]], fill=SOFT_INK if is_known_door else PALE_INK, width=6)
    for centre, room, state in zip(centres, rooms, walk.states, strict=True):
        _draw_room(pen, centre, room.name, state)
    _draw_path(pen, walk, centres)
    if has_picture:
        _paste_picture(image, walk, (map_width + 2 * MARGIN, MARGIN))
    caption = f"{len(walk.steps)} moves · {len(visited_rooms)} of {len(rooms)} rooms"
    pen.text((MARGIN, height - TEXT_HEIGHT), caption, INK, _load_font(16))
    for line_number, line in enumerate(textwrap.wrap(words, max(30, width // 9))[:2]):
        pen.text((MARGIN, height - TEXT_HEIGHT + 26 + 20 * line_number), line, INK, _load_font(14))
    return image


def _draw_room(pen: ImageDraw.ImageDraw, centre: tuple[float, float], room_name: str, state: str) -> None:
    x, y = centre
    corners = (x - BOX[0] / 2, y - BOX[1] / 2, x + BOX[0] / 2, y + BOX[1] / 2)
    pen.rounded_rectangle(corners, 10, fill=COLOURS[state], outline=INK if state == "here" else SOFT_INK, width=2)
    lines = textwrap.wrap(room_name, 13)[:2]
    for line_number, line in enumerate(lines):
        height = y + 18 * (line_number - (len(lines) - 1) / 2)
        pen.text((x, height), line, SOFT_INK if state == "hidden" else INK, _load_font(15), anchor="mm")


def _draw_path(pen: ImageDraw.ImageDraw, walk: Walk, centres: Sequence[tuple[float, float]]) -> None:
    """Number the steps, on the walker's right-hand side."""
    steps_by_door: dict[tuple[int, int], list[int]] = {}
    for step_number, door in enumerate(pairwise(walk.path), 1):
        steps_by_door.setdefault(door, []).append(step_number)
    for (room, next_room), step_numbers in steps_by_door.items():
        (x1, y1), (x2, y2) = centres[room], centres[next_room]
        dx, dy = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
        label = " ".join(map(str, step_numbers))
        half_width = 6 + 4 * len(label)
        x, y = (x1 + x2) / 2 - dy * (half_width + 4), (y1 + y2) / 2 + dx * 14
        pen.rounded_rectangle((x - half_width, y - 9, x + half_width, y + 9), 9, fill=INK)
        pen.text((x, y), label, PAPER, _load_font(12), anchor="mm")


def _paste_picture(image: Image.Image, walk: Walk, corner: tuple[int, int]) -> None:
    picture = walk.map.rooms[walk.room].picture
    assert picture is not None, "only rooms with a picture are pasted"
    with Image.open(io.BytesIO(LIBRARY.picture(picture).data)) as room:
        image.paste(room.convert("RGB").resize(PICTURE), corner)


def _load_font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
