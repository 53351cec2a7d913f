"""The pictures of the reference game, and what spectators see: the three items with target and choice.

The picture of a grid and its text show the same grid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.content import Picture
from engine.core.events import Json
from games.common import grids, pentomino
from games.common.pictures import LIBRARY, UnknownPicture
from games.reference import instances
from games.reference.instances import BoardTriple, ImportedTriple, Instance, PhotoTriple
from games.reference.layout import PLACES, SPEAKER_ASSETS, is_text

if TYPE_CHECKING:
    from engine.core.debriefing import Panel
    from engine.core.log import Log

CELL_PIXELS, GRID_MARGIN = 88, 20


def make_picture(instance: Instance, asset: str) -> Picture:
    """Return a picture by its name at either seat. Raises KeyError for another name."""
    item_number = instance.listener[PLACES.index(asset)] if asset in PLACES else None
    if asset in SPEAKER_ASSETS:
        item_number = SPEAKER_ASSETS.index(asset)
    if item_number is None:
        raise KeyError(asset)
    if picture_ids := _list_library_ids(instance):
        return LIBRARY.picture(picture_ids[item_number])
    if isinstance(instance, BoardTriple):
        board = instance.items[item_number]
        return _make_png_picture(pentomino.render_png(board), pentomino.BOARD_PIXELS, pentomino.describe_board(board))
    if instance.texts:
        grid_text, size = instance.texts[item_number], 2 * GRID_MARGIN + grids.GRID_SIZE * CELL_PIXELS
        return _make_png_picture(
            grids.render_png(grids.parse_grid(grid_text), CELL_PIXELS, GRID_MARGIN),
            size,
            {"kind": "grid", "grid": grid_text},
        )
    raise KeyError(f"the picture {instance.items[item_number]!r} is not here: an imported set brings only its address")


def _list_library_ids(instance: Instance) -> tuple[str, ...]:
    """Return the ids of the items if they are pictures of the library."""
    if isinstance(instance, PhotoTriple) or (isinstance(instance, ImportedTriple) and instance.noun == "picture"):
        return instance.items
    return ()


def _make_png_picture(picture_bytes: bytes, picture_size: int, picture_description: Json) -> Picture:
    return Picture(picture_bytes, "image/png", picture_size, picture_size, picture_description)


def find_missing_picture(instance: Instance) -> str | None:
    """Return which picture of an instance is missing and how to restore it, None if all are here."""
    for id in _list_library_ids(instance):
        try:
            LIBRARY.verify_picture(id)
        except UnknownPicture as error:
            return str(error)
    return None


def make_panels(instance: Instance, shows_text: bool, picked_place: str | None) -> list[Panel]:
    """Return the items in the listener's order. Target and choice are framed and named in the titles."""
    panels: list[Panel] = []
    for place_name, item_number in zip(PLACES, instance.listener, strict=True):
        item_roles = ["the target"] * (item_number == 0) + ["chosen"] * (place_name == picked_place)
        panel_title = f"{place_name.capitalize()}: {', '.join(item_roles)}" if item_roles else place_name.capitalize()
        panel: Panel = {"title": panel_title, "seat": None}
        if item_number == 0:
            panel["marked"] = "right" if place_name == picked_place else "target"
        elif place_name == picked_place:
            panel["marked"] = "wrong"
        item_panel = {"grid": instance.texts[item_number]} if shows_text and instance.texts else {"picture": place_name}
        panels.append(panel | item_panel)
    return panels


def find_picked_place(log: Log) -> str | None:
    """Return the place that the listener picked, None before."""
    return next(iter(log.values("listener")), None)


def make_spectator_panels(log: Log) -> list[Panel]:
    """Return what spectators see next to the conversation after these events."""
    instance = instances.load(log.start.instance)
    return make_panels(instance, is_text(log.start.variant, instance), find_picked_place(log))
