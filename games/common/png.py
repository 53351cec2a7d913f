"""Encodes a Pillow image as PNG without metadata. The same image gives the same bytes within one process.

All drawn pictures are encoded here, so that none contains a date, text chunk or profile.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image


def encode_png(image: Image.Image) -> bytes:
    """Return the pixels of an image as PNG, without text, date, profile or other metadata."""
    from PIL import Image  # late: most commands draw nothing

    bare_image = Image.new(image.mode, image.size)
    bare_image.paste(image)
    buffer = BytesIO()
    bare_image.save(buffer, format="PNG", compress_level=9)
    return buffer.getvalue()
