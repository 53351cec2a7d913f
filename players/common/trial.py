"""Trying a player without a game: it says one sentence, and names what is in a picture drawn for the occasion.

`ludens players test` shows what comes back; whether that is right, whoever reads it sees at once.
"""

from __future__ import annotations

import io
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.content import Picture
from engine.core.player import Player, Reply
from engine.core.replies import Text
from engine.core.views import Message, OpenAskView, SeatView

SENTENCE = "Say in one sentence what you like about games."
LOOK = "Name in one sentence what is in this picture: which shapes, in which colours."
DRAWN = "a red circle and a blue square on white"
SIZE = 320
"""Pixels: width and height of the picture, which every model takes as it is."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What a player was asked and what it replied; `reply.meta` has seconds and, where known, tokens and cost."""

    asked: str
    reply: Reply


async def sentence_trial(player: Player) -> Trial:
    """Ask a player for a sentence. Raises `PlayerFault` as `reply` does."""
    return await _tried(player, SENTENCE, SENTENCE)


async def picture_trial(player: Player) -> Trial:
    """Show a player the drawn picture and ask what is in it. Raises `PlayerFault` as `reply` does."""
    return await _tried(player, LOOK, f"{LOOK} (It is {DRAWN}.)", ("drawn",))


async def _tried(player: Player, said: str, asked: str, pictures: Sequence[str] = ()) -> Trial:
    message = Message("user", [{"text": said}], pictures=list(pictures), ask=1)
    ask = OpenAskView(1, Text(), 1)
    view = SeatView("A", "trial", "trial", {}, (message,), ask, random.Random(0), lambda asset: drawn())
    started = time.monotonic()
    reply = await player.reply(view)
    seconds = round(time.monotonic() - started, 6)
    return Trial(asked, Reply(reply.text, {"seconds": seconds, **reply.meta}))


def drawn() -> Picture:
    """Draw the picture of the trial."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (SIZE, SIZE), "white")
    pen = ImageDraw.Draw(image)
    pen.ellipse((30, 90, 150, 210), fill=(214, 39, 40))
    pen.rectangle((180, 100, 290, 210), fill=(31, 75, 180))
    made = io.BytesIO()
    image.save(made, "PNG")
    return Picture(made.getvalue(), "image/png", SIZE, SIZE)
