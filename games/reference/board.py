"""What is drawn in the reference game: the three pictures, and for spectators the three with target and choice.

Asset names give nothing away: the speaker's are "target", "distractor-1", "distractor-2", the listener's "first",
"second", "third" in the order of its own list. A grid's picture and its text show the same grid.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.content import Picture
from engine.core.events import Event, Json, Kind
from games.common import grids, pentomino
from games.common.pictures import LIBRARY, UnknownPicture
from games.reference import instances
from games.reference.instances import PLACES, BoardTriple, ImportedTriple, Instance, PhotoTriple

SPEAKERS = ("target", "distractor-1", "distractor-2")
CELL, MARGIN = 88, 20


def speaker_order(target_at: str) -> tuple[int, ...]:
    """Return which of the three (0: the target) stands where in the speaker's list."""
    order = [1, 2]
    order.insert(PLACES.index(target_at), 0)
    return tuple(order)


def assets(seat: str, order: Sequence[int]) -> tuple[str, ...]:
    """Return the names of the pictures that lie before a seat, in its order."""
    return PLACES if seat == "listener" else tuple(SPEAKERS[number] for number in order)


def picture(instance: Instance, asset: str) -> Picture:
    """Return a picture by its name at either seat. Raises KeyError for another name and for imported pictures."""
    number = instance.listener[PLACES.index(asset)] if asset in PLACES else None
    if asset in SPEAKERS:
        number = SPEAKERS.index(asset)
    if number is None:
        raise KeyError(asset)
    if ids := _ids(instance):
        return LIBRARY.picture(ids[number])
    if isinstance(instance, BoardTriple):
        board = instance.things[number]
        return _drawn(pentomino.draw(board), pentomino.PIXELS, pentomino.describe(board))
    if instance.texts:
        grid, size = instance.texts[number], 2 * MARGIN + grids.SIZE * CELL
        return _drawn(grids.draw(grids.parse_grid(grid), CELL, MARGIN), size, {"kind": "grid", "grid": grid})
    raise KeyError(f"the picture {instance.things[number]!r} is not here: an imported set brings only its address")


def _ids(instance: Instance) -> tuple[str, ...]:
    """Return the ids of the three where they are pictures of the library."""
    if isinstance(instance, PhotoTriple) or (isinstance(instance, ImportedTriple) and instance.thing == "picture"):
        return instance.things
    return ()


def _drawn(data: bytes, size: int, what: Json) -> Picture:
    return Picture(data, "image/png", size, size, what)


def lacks(instance: Instance) -> str | None:
    """Say which picture of an instance is not here and what brings it back, None when all are."""
    for id in _ids(instance):
        try:
            LIBRARY.verify(id)
        except UnknownPicture as error:
            return str(error)
    return None


def panels(instance: Instance, as_text: bool, answer: str | None) -> list[Json]:
    """Return the three in the listener's order: the target framed, the choice too, each named in its title."""
    made: list[Json] = []
    for place, number in zip(PLACES, instance.listener, strict=True):
        said = ["the target"] * (number == 0) + ["chosen"] * (place == answer)
        title = f"{place.capitalize()}: {', '.join(said)}" if said else place.capitalize()
        panel: Json = {"title": title, "seat": None}
        if number == 0:
            panel["marked"] = "right" if place == answer else "target"
        elif place == answer:
            panel["marked"] = "wrong"
        shown = {"grid": instance.texts[number]} if as_text and instance.texts else {"picture": place}
        made.append(panel | shown)
    return made


def answer_in(log: Sequence[Event]) -> str | None:
    """Return the place that the listener picked, None before."""
    return next((event.data["value"] for event in log if event.kind is Kind.PARSED and event.seat == "listener"), None)


def watch(log: Sequence[Event]) -> list[Json]:
    """Return what spectators see beside the conversation after these events."""
    start = log[0].data
    return panels(instances.load(start["instance"]), start["variant"] == "text", answer_in(log))
