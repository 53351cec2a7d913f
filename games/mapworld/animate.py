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
from games.mapworld.replies import DONE_VALUE
from games.mapworld.scores import list_actions
from games.mapworld.walking import Walk

MAP_CELL_SIZE, ROOM_BOX_SIZE = (150, 104), (122, 56)
MARGIN_PIXELS, TEXT_HEIGHT, PICTURE_SIZE = 24, 74, (440, 330)
FRAME_DURATION_MS, LAST_FRAME_DURATION_MS = 1100, 3000
COLOUR_BY_STATE = {"here": "#6fd6df", "visited": "#b9bf6c", "seen": "#b3b3b0", "hidden": "#f1efe8"}
"""As the source draws them: cyan here, olive visited, grey seen."""
INK_COLOUR, SOFT_INK_COLOUR, PALE_INK_COLOUR, PAPER_COLOUR = "#22261c", "#8d8a80", "#e4e0d6", "#fbf8f1"


def draw_gif(log: Log) -> bytes:
    """Return the walk as an animated GIF, one frame per turn, the last one longer."""
    walk = Walk(instances.load(log.start.instance))
    frames = []
    for action, spoken_words in zip(list_actions(log), _collect_spoken_words(log), strict=True):
        frames.append(_draw_frame(walk, spoken_words))
        if action.direction != DONE_VALUE:
            walk.take_step(action.direction)
    frames.append(_draw_frame(walk, ""))
    gif_buffer = io.BytesIO()
    pauses = [FRAME_DURATION_MS] * (len(frames) - 1) + [LAST_FRAME_DURATION_MS]
    frames[0].save(gif_buffer, "GIF", save_all=True, append_images=frames[1:], duration=pauses, loop=0, optimize=True)
    return gif_buffer.getvalue()


def _collect_spoken_words(log: Log) -> list[str]:
    """Return each accepted reply in words: description and way, not the map."""
    format_by_ask = {request_event.ask: request_event.reply_format for request_event in log.request_events}
    text_by_ask = {reply.ask: reply.text for reply in log.replies()}
    return [
        " ".join(
            segment.text
            for segment in format_by_ask[accepted_reply.ask].show(text_by_ask[accepted_reply.ask])
            if segment.label != "Graph"
        )
        for accepted_reply in log.parsed_events()
    ]


def _draw_frame(walk: Walk, spoken_words: str) -> Image.Image:
    rooms = walk.map.rooms
    min_x, max_x = min(room.x for room in rooms), max(room.x for room in rooms)
    min_y, max_y = min(room.y for room in rooms), max(room.y for room in rooms)
    map_width, map_height = (max_x - min_x + 1) * MAP_CELL_SIZE[0], (max_y - min_y + 1) * MAP_CELL_SIZE[1]
    has_picture = rooms[walk.room].picture is not None
    width = map_width + 2 * MARGIN_PIXELS + (PICTURE_SIZE[0] + MARGIN_PIXELS if has_picture else 0)
    height = max(map_height, PICTURE_SIZE[1] if has_picture else 0) + 2 * MARGIN_PIXELS + TEXT_HEIGHT
    image = Image.new("RGB", (width, height), PAPER_COLOUR)
    image_draw = ImageDraw.Draw(image)
    room_centres = [
        (
            MARGIN_PIXELS + (room.x - min_x + 0.5) * MAP_CELL_SIZE[0],
            MARGIN_PIXELS + (max_y - room.y + 0.5) * MAP_CELL_SIZE[1],
        )
        for room in rooms
    ]
    visited_rooms = set(walk.path)
    for room_a, room_b in walk.map.doors:
        is_known_door = room_a in visited_rooms or room_b in visited_rooms
        image_draw.line(
            [room_centres[room_a], room_centres[room_b]],
            fill=SOFT_INK_COLOUR if is_known_door else PALE_INK_COLOUR,
            width=6,
        )
    for centre, room, room_state in zip(room_centres, rooms, walk.room_states, strict=True):
        _draw_room(image_draw, centre, room.name, room_state)
    _draw_path(image_draw, walk, room_centres)
    if has_picture:
        _paste_picture(image, walk, (map_width + 2 * MARGIN_PIXELS, MARGIN_PIXELS))
    caption = f"{len(walk.steps)} moves · {len(visited_rooms)} of {len(rooms)} rooms"
    image_draw.text((MARGIN_PIXELS, height - TEXT_HEIGHT), caption, INK_COLOUR, _load_font(16))
    for line_number, words_line in enumerate(textwrap.wrap(spoken_words, max(30, width // 9))[:2]):
        image_draw.text(
            (MARGIN_PIXELS, height - TEXT_HEIGHT + 26 + 20 * line_number), words_line, INK_COLOUR, _load_font(14)
        )
    return image


def _draw_room(image_draw: ImageDraw.ImageDraw, centre: tuple[float, float], room_name: str, room_state: str) -> None:
    x, y = centre
    box_corners = (
        x - ROOM_BOX_SIZE[0] / 2,
        y - ROOM_BOX_SIZE[1] / 2,
        x + ROOM_BOX_SIZE[0] / 2,
        y + ROOM_BOX_SIZE[1] / 2,
    )
    image_draw.rounded_rectangle(
        box_corners,
        10,
        fill=COLOUR_BY_STATE[room_state],
        outline=INK_COLOUR if room_state == "here" else SOFT_INK_COLOUR,
        width=2,
    )
    name_lines = textwrap.wrap(room_name, 13)[:2]
    for line_number, name_line in enumerate(name_lines):
        line_y = y + 18 * (line_number - (len(name_lines) - 1) / 2)
        image_draw.text(
            (x, line_y),
            name_line,
            SOFT_INK_COLOUR if room_state == "hidden" else INK_COLOUR,
            _load_font(15),
            anchor="mm",
        )


def _draw_path(image_draw: ImageDraw.ImageDraw, walk: Walk, room_centres: Sequence[tuple[float, float]]) -> None:
    """Number the steps, on the walker's right-hand side."""
    steps_by_room_pair: dict[tuple[int, int], list[int]] = {}
    for step_number, room_pair in enumerate(pairwise(walk.path), 1):
        steps_by_room_pair.setdefault(room_pair, []).append(step_number)
    for (room, next_room), step_numbers in steps_by_room_pair.items():
        (x1, y1), (x2, y2) = room_centres[room], room_centres[next_room]
        dx, dy = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
        step_label = " ".join(map(str, step_numbers))
        half_width = 6 + 4 * len(step_label)
        x, y = (x1 + x2) / 2 - dy * (half_width + 4), (y1 + y2) / 2 + dx * 14
        image_draw.rounded_rectangle((x - half_width, y - 9, x + half_width, y + 9), 9, fill=INK_COLOUR)
        image_draw.text((x, y), step_label, PAPER_COLOUR, _load_font(12), anchor="mm")


def _paste_picture(image: Image.Image, walk: Walk, corner: tuple[int, int]) -> None:
    picture_id = walk.map.rooms[walk.room].picture
    assert picture_id is not None, "only rooms with a picture are pasted"
    with Image.open(io.BytesIO(LIBRARY.picture(picture_id).data)) as room_image:
        image.paste(room_image.convert("RGB").resize(PICTURE_SIZE), corner)


def _load_font(font_size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(font_size)
