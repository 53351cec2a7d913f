"""A seat's conversation as a model receives it: turns of text and pictures, and nothing else of the view.

Pictures are sent as PNG or JPEG, because some servers accept nothing else. Text is sent as UTF-8, so a lone surrogate
in a reply becomes a replacement character. Making turns may render pictures; `read_turns` then does it in a thread.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from engine.core.content import Picture, parts_to_text
from engine.core.player import FaultCode, PlayerFault
from engine.core.views import SeatView

SENDABLE_TYPES = {"image/png", "image/jpeg"}
FIRST_PROMPT_FALLBACK = "Begin."
"""The user's first message where the system message has all there is to say."""
JPEG_QUALITY = 95
"""Of a JPEG made from a lossy WebP: a PNG of the already lossy picture would be ten times the size."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message. Roles alternate, the first and the last are the user's; pictures come before the text.

    A system message may stand before the first one.
    """

    role: Literal["system", "user", "assistant"]
    text: str
    pictures: tuple[Picture, ...] = ()
    reasoning_items: tuple[Mapping[str, Any], ...] = ()
    """What the server sent beside its own reply and wants back with it, such as encrypted reasoning."""


async def read_turns(
    view: SeatView, player: str, max_pictures: int | None, *, has_system_message: bool = False
) -> tuple[Turn, ...]:
    """Return a view's conversation in order. Raises `PlayerFault` if it has more than `max_pictures`.

    With `has_system_message`, the text of the first message is a system message; what explains the format of the reply,
    and pictures, stay in a user's message.
    """
    picture_count = sum(len(message.pictures) for message in view.messages)
    if max_pictures is not None and picture_count > max_pictures:
        picture_limit = (
            "it cannot see"
            if max_pictures == 0
            else f"it takes {max_pictures} (pictures = {max_pictures} in players.toml)"
        )
        fault_text = f"{player}: the prompt has {picture_count} pictures: {picture_limit}. Seat a model that takes more"
        raise PlayerFault(fault_text, FaultCode.TOO_MANY_PICTURES)
    turns = await asyncio.to_thread(_make_turns, view) if picture_count else _make_turns(view)
    return _add_system_prompt(turns, view) if has_system_message else turns


def _add_system_prompt(turns: tuple[Turn, ...], view: SeatView) -> tuple[Turn, ...]:
    rules_text, format_text = parts_to_text(view.messages[0].parts), view.messages[0].words
    first_turn = replace(turns[0], text=_replace_surrogates(format_text) or FIRST_PROMPT_FALLBACK)
    return (Turn("system", _replace_surrogates(rules_text)), first_turn, *turns[1:])


def _make_turns(view: SeatView) -> tuple[Turn, ...]:
    return tuple(
        Turn(
            view_message.role,
            _replace_surrogates(view_message.text()),
            tuple(_convert_picture(view.picture(asset)) for asset in view_message.pictures),
        )
        for view_message in view.messages
    )


def list_picture_sizes(turns: Iterable[Turn]) -> list[list[Any]]:
    """Return width, height and media type of each picture that was sent, as `Reply.meta` stores them."""
    return [[picture.width, picture.height, picture.media_type] for turn in turns for picture in turn.pictures]


def digest_turns(turns: Iterable[Turn]) -> list[list[Any]]:
    """Return turns as JSON with a digest in place of each picture, as digests of prompts are computed from them."""
    return [
        [
            turn.role,
            turn.text,
            [_digest_picture(picture.data) for picture in turn.pictures],
            *map(dict, turn.reasoning_items),
        ]
        for turn in turns
    ]


def _replace_surrogates(raw_text: str) -> str:
    """Return a text that can be written as UTF-8: a lone surrogate becomes U+FFFD."""
    return raw_text if raw_text.isascii() else raw_text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _convert_picture(picture: Picture) -> Picture:
    """Return a picture as it is sent, without its description."""
    if picture.media_type in SENDABLE_TYPES:
        return Picture(picture.data, picture.media_type, picture.width, picture.height)
    return _reencode_picture(picture.data)


@lru_cache(maxsize=128)
def _reencode_picture(picture_bytes: bytes) -> Picture:
    """Encode a picture of another type: lossy WebP as JPEG, all others as PNG."""
    from PIL import Image

    with Image.open(io.BytesIO(picture_bytes)) as decoded_image:
        is_lossy = (
            decoded_image.format == "WEBP" and b"VP8 " in picture_bytes[:64] and "A" not in decoded_image.getbands()
        )
        image_buffer, file_format = io.BytesIO(), "JPEG" if is_lossy else "PNG"
        colour_mode = "RGB" if is_lossy or "A" not in decoded_image.convert().getbands() else "RGBA"
        plain_image = decoded_image.convert(colour_mode)
    plain_image.info.clear()
    plain_image.save(image_buffer, file_format, **({"quality": JPEG_QUALITY, "subsampling": 0} if is_lossy else {}))
    return Picture(image_buffer.getvalue(), f"image/{file_format.lower()}", plain_image.width, plain_image.height)


@lru_cache(maxsize=128)
def encode_base64(picture_bytes: bytes) -> str:
    """Return bytes in base64, cached because every turn sends the pictures of a conversation again."""
    return base64.b64encode(picture_bytes).decode("ascii")


@lru_cache(maxsize=512)
def _digest_picture(picture_bytes: bytes) -> str:
    """Return the SHA-256 of a picture as 64 hexadecimal digits."""
    return hashlib.sha256(picture_bytes).hexdigest()
