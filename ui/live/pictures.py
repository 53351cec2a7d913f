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

logger = logging.getLogger("ludens.live")

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
    image_draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(20)
    for line_number, notice_line in enumerate(NOTICE_LINES):
        line_centre = (NOTICE_SIZE[0] / 2, NOTICE_SIZE[1] / 2 + 30 * (line_number - 1.5))
        image_draw.text(line_centre, notice_line, fill="#333333", font=font, anchor="mm")
    return Picture(encode_png(image), "image/png", *NOTICE_SIZE)


class EpisodePictures:
    """The pictures of an episode. `instance_json` is the data of its instance."""

    def __init__(self, context: ServerContext, episode: str, game: Game | None, instance_json: Json) -> None:
        self._context, self._episode, self._game, self._instance_json = context, episode, game, instance_json
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
                logger.warning("game %s: no picture: %s", self._episode, error)
                picture = draw_notice()
            self._drawn_pictures[asset] = picture
        return self._drawn_pictures[asset]

    def find_undrawn_assets(self, pinned_exhibits: Iterable[Json]) -> set[str]:
        """Return the pictures that must be drawn before these pins and panels can be sent."""
        return {
            pinned_exhibit["picture"] for pinned_exhibit in pinned_exhibits if "picture" in pinned_exhibit
        } - self._drawn_pictures.keys()

    def make_address(self, audience: str, asset: str) -> str:
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

    def link_picture(self, pinned_exhibit: Json, audience: str) -> Json:
        """Return a pin or panel as an audience gets it: a drawn picture by its path, with size and credit."""
        if "picture" not in pinned_exhibit:
            return pinned_exhibit
        picture = self._drawn_pictures[pinned_exhibit["picture"]]
        return {
            **pinned_exhibit,
            "picture": self.make_address(audience, pinned_exhibit["picture"]),
            "alt": pinned_exhibit["title"],
            "width": picture.width,
            "height": picture.height,
            "credit": picture.credit,
        }
