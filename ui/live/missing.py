"""What stands where a picture stood that is not on this machine any more: the game goes on, and its page says so.

Which picture it was, and what brings it back, is for whoever runs the server: a seat is not told which file it sees.
"""

from __future__ import annotations

from engine.core.content import Picture

WORDS = (
    "This picture is not on the machine",
    "that runs the game any more.",
    "Whoever runs it finds in the log",
    "which one it is and what brings it back.",
)
SIZE = (480, 360)


def missing_picture() -> Picture:
    """Draw the notice."""
    from PIL import Image, ImageDraw, ImageFont

    from games.common.png import encode_png

    image = Image.new("RGB", SIZE, "#e8e8e8")
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(20)
    for i, line in enumerate(WORDS):
        draw.text((SIZE[0] / 2, SIZE[1] / 2 + 30 * (i - 1.5)), line, fill="#333333", font=font, anchor="mm")
    return Picture(encode_png(image), "image/png", *SIZE)
