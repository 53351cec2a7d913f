"""A Pillow image as PNG bytes: no metadata, and the same image gives the same bytes in one process.

The one place where pictures become bytes, so that no date, text chunk or profile can slip into one of them.
"""

from io import BytesIO

from PIL import Image


def png(image: Image.Image) -> bytes:
    """Encode the pixels of an image as PNG, without any text, date, profile or other metadata."""
    bare = Image.new(image.mode, image.size)
    bare.paste(image)
    out = BytesIO()
    bare.save(out, format="PNG", compress_level=9)
    return out.getvalue()
