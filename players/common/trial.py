"""Trying a player without a game: it says one sentence, and describes a picture that is drawn for this purpose.

`ludens players test` shows the replies; people judge them.
"""

from __future__ import annotations

import io
import time
from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.content import Picture
from engine.core.player import Player, Reply
from engine.core.replies import Text
from engine.core.views import Message, OpenAskView, SeatView

SENTENCE_PROMPT = "Say in one sentence what you like about games."
PICTURE_PROMPT = "Name in one sentence what is in this picture: which shapes, in which colours."
PICTURE_CONTENT = "a red circle and a blue square on white"
PICTURE_SIZE = 320
"""Pixels: width and height of the picture, which every model accepts unscaled."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A prompt as shown to people, and the reply; `reply.meta` has seconds and, where known, tokens and cost."""

    prompt: str
    reply: Reply


async def run_sentence_trial(player: Player) -> Trial:
    """Ask a player for a sentence. Raises `PlayerFault` as `reply` does."""
    return Trial(SENTENCE_PROMPT, await _ask_player(player, SENTENCE_PROMPT))


async def run_picture_trial(player: Player) -> Trial:
    """Show a player the picture and ask what is in it. Raises `PlayerFault` as `reply` does."""
    return Trial(f"{PICTURE_PROMPT} (It is {PICTURE_CONTENT}.)", await _ask_player(player, PICTURE_PROMPT, ["drawn"]))


async def _ask_player(player: Player, prompt: str, pictures: Sequence[str] = ()) -> Reply:
    prompt_message = Message("user", [{"text": prompt}], pictures=list(pictures), request_number=1)
    open_ask = OpenAskView(1, Text(), 1)
    view = SeatView("A", "trial", "trial", {}, (prompt_message,), open_ask, 0, lambda asset: draw_picture())
    started_at = time.monotonic()
    trial_reply = await player.reply(view)
    seconds = round(time.monotonic() - started_at, 6)
    return Reply(trial_reply.text, {"seconds": seconds, **trial_reply.meta})


def draw_picture() -> Picture:
    """Draw the picture of the trial."""
    from PIL import Image, ImageDraw

    trial_image = Image.new("RGB", (PICTURE_SIZE, PICTURE_SIZE), "white")
    image_draw = ImageDraw.Draw(trial_image)
    image_draw.ellipse((30, 90, 150, 210), fill=(214, 39, 40))
    image_draw.rectangle((180, 100, 290, 210), fill=(31, 75, 180))
    image_buffer = io.BytesIO()
    trial_image.save(image_buffer, "PNG")
    return Picture(image_buffer.getvalue(), "image/png", PICTURE_SIZE, PICTURE_SIZE)
