"""The pictures of one table: drawn once, and given a public name of its own for each audience.

A notice takes the place of a picture that is no longer on this machine, and the game continues. The notice does not say
which picture is missing: a seat must not learn the file names of what it sees. The server's log has them.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from engine.core.content import Picture
from engine.core.events import Json
from engine.core.game import Game
from ui.live.context import PictureAddress, ServerContext

log = logging.getLogger("ludens.live")

NOTICE_LINES = (
    "This picture is no longer on the",
    "machine that runs the game. The log",
    "of the server says which picture is",
    "missing and how to restore it.",
)
NOTICE_SIZE = (480, 360)


def draw_notice() -> Picture:
    """Draw what stands in place of a missing picture."""
    from PIL import Image, ImageDraw, ImageFont

    from games.common.png import encode_png

    image = Image.new("RGB", NOTICE_SIZE, "#e8e8e8")
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(20)
    for row, line in enumerate(NOTICE_LINES):
        text_centre = (NOTICE_SIZE[0] / 2, NOTICE_SIZE[1] / 2 + 30 * (row - 1.5))
        pen.text(text_centre, line, fill="#333333", font=font, anchor="mm")
    return Picture(encode_png(image), "image/png", *NOTICE_SIZE)


class TablePictures:
    """The pictures of an episode. `instance` is the data of its instance."""

    def __init__(self, context: ServerContext, episode: str, game: Game | None, instance: Json) -> None:
        self._context, self._episode, self._game, self._instance_json = context, episode, game, instance
        self._instance: Any = None
        self._drawn_pictures: dict[str, Picture] = {}

    async def draw_asset(self, asset: str) -> Picture:
        """Return a picture, drawn in a worker thread at the first call; the notice where it is missing."""
        if asset not in self._drawn_pictures:
            try:
                if self._game is None:
                    raise KeyError(asset)
                if self._instance is None:
                    self._instance = self._game.load(self._instance_json)
                picture = await self._context.run_in_thread(self._game.picture, self._instance, asset)
            except (KeyError, ValidationError) as error:  # gone since it was dealt, or never imported
                log.warning("game %s: no picture: %s", self._episode, error)
                picture = draw_notice()
            self._drawn_pictures[asset] = picture
        return self._drawn_pictures[asset]

    def undrawn_assets(self, pins: Iterable[Json]) -> set[str]:
        """Return the pictures that must be drawn before these pins and panels can be sent."""
        return {pin["picture"] for pin in pins if "picture" in pin} - self._drawn_pictures.keys()

    def address(self, audience: str, asset: str) -> str:
        """Return the path at which an audience ("seat/A", "watch") gets a picture."""
        picture_id = self._context.links.derive_picture_id(self._episode, audience, asset)
        self._context.pictures[picture_id] = PictureAddress(self._episode, audience, asset)
        return f"/p/{picture_id}"

    def forget_addresses(self) -> None:
        """Take back all paths of this table."""
        picture_ids = [
            picture_id for picture_id, picture in self._context.pictures.items() if picture.episode == self._episode
        ]
        for picture_id in picture_ids:
            del self._context.pictures[picture_id]

    def link(self, pin: Json, audience: str) -> Json:
        """Return a pin or panel as an audience gets it: a drawn picture by its path, with size and credit."""
        if "picture" not in pin:
            return pin
        picture = self._drawn_pictures[pin["picture"]]
        return {
            **pin,
            "picture": self.address(audience, pin["picture"]),
            "alt": pin["title"],
            "width": picture.width,
            "height": picture.height,
            "credit": picture.credit,
        }
