"""A seat's conversation as a model is sent it: turns of text and pictures, nothing else of the view.

Pictures go out as PNG or JPEG: some servers take nothing else. What can be sent of a text is UTF-8, so a lone
surrogate in somebody's reply becomes a replacement character. Making turns may draw; call `turns` in a thread then.
"""

from __future__ import annotations

import base64
import hashlib
import io
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from engine.core.content import Picture
from engine.core.player import PlayerFault
from engine.core.views import SeatView

SENT_AS = {"image/png", "image/jpeg"}
QUALITY = 95
"""Of a JPEG made from a lossy WebP: what was lost before is lost already, and a PNG would be ten times the size."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message. Roles alternate, the first and the last are the user's; pictures come before the text."""

    role: Literal["user", "assistant"]
    text: str
    pictures: tuple[Picture, ...] = ()


def turns(view: SeatView, most: int | None = None) -> tuple[Turn, ...]:
    """Return a view's conversation in order. Raises `PlayerFault` when it has more than `most` pictures."""
    shown = sum(len(message.pictures) for message in view.messages)
    if most is not None and shown > most:
        takes = "it cannot see" if most == 0 else f"it takes {most} (pictures = {most} in players.toml)"
        raise PlayerFault(f"the prompt has {shown} pictures: {takes}. Seat a model that takes more")
    return tuple(
        Turn(message.role, sendable(message.text()), tuple(sent(view.picture(asset)) for asset in message.pictures))
        for message in view.messages
    )


def draws(view: SeatView) -> bool:
    """Return whether a view's conversation has pictures, so that its turns may have to be drawn."""
    return any(message.pictures for message in view.messages)


def sendable(text: str) -> str:
    """Return a text that can be written as UTF-8: a lone surrogate becomes U+FFFD."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def sent(picture: Picture) -> Picture:
    """Return a picture as it is sent: PNG or JPEG, without a description."""
    if picture.media_type in SENT_AS:
        return Picture(picture.data, picture.media_type, picture.width, picture.height)
    return _encoded(picture.data)


@lru_cache(maxsize=128)
def _encoded(data: bytes) -> Picture:
    """Encode a picture of another kind anew: lossy WebP as JPEG, all else as PNG."""
    from PIL import Image

    with Image.open(io.BytesIO(data)) as image:
        lossy = image.format == "WEBP" and b"VP8 " in data[:64] and "A" not in image.getbands()
        made, kind = io.BytesIO(), "JPEG" if lossy else "PNG"
        mode = "RGB" if lossy or "A" not in image.convert().getbands() else "RGBA"
        plain = image.convert(mode)
    plain.info.clear()
    plain.save(made, kind, **({"quality": QUALITY, "subsampling": 0} if lossy else {}))
    return Picture(made.getvalue(), f"image/{kind.lower()}", plain.width, plain.height)


@lru_cache(maxsize=128)
def base64_of(data: bytes) -> str:
    """Return bytes in base64; the pictures of a conversation are sent again with every turn."""
    return base64.b64encode(data).decode("ascii")


@lru_cache(maxsize=512)
def digest_of(data: bytes) -> str:
    """Return the SHA-256 of a picture as 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
