"""How the three items lie before each seat of the reference game: in which order, named and marked how.

Asset names reveal nothing: the speaker's are "target", "distractor-1", "distractor-2", the listener's "first",
"second", "third" in the order of its own list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from engine.core.content import ContentPart, ShownPicture, TextExhibit

if TYPE_CHECKING:
    from games.reference.instances import Instance

PLACES = ("first", "second", "third")
SPEAKER_ASSETS = ("target", "distractor-1", "distractor-2")
TARGET_SUFFIX = ", the target"
"""The end of the target's title in the speaker's list."""


def is_text(variant: str, instance: Instance) -> bool:
    """Return whether the items of an instance are played as text."""
    return variant == "text" and instance.texts is not None


def order_speaker_items(target_place: str) -> tuple[int, ...]:
    """Return the numbers of the items (0: the target) in the order of the speaker's list."""
    place_order = [1, 2]
    place_order.insert(PLACES.index(target_place), 0)
    return tuple(place_order)


def list_assets(seat: str, item_order: Sequence[int]) -> tuple[str, ...]:
    """Return the names of the pictures in front of a seat, in its order."""
    return PLACES if seat == "listener" else tuple(SPEAKER_ASSETS[item_number] for item_number in item_order)


class SeatItems(NamedTuple):
    """The three items in front of a seat: as exhibits in a text, or as pictures."""

    item_contents: list[ContentPart]
    pictures: list[ShownPicture]


def lay_out_items(
    instance: Instance, item_order: Sequence[int], seat: str, titles: Sequence[str], shows_text: bool
) -> SeatItems:
    """Return the items of a seat in its order. Only the speaker's target is marked."""
    seat_items = SeatItems([], [])
    for place_title, asset, item_number in zip(titles, list_assets(seat, item_order), item_order, strict=True):
        target_mark = "target" if seat == "speaker" and item_number == 0 else ""
        item_title = place_title + TARGET_SUFFIX if target_mark else place_title
        if shows_text and instance.texts:
            seat_items.item_contents.append(TextExhibit(instance.texts[item_number], item_title, target_mark))
        else:
            seat_items.pictures.append(ShownPicture(asset, item_title, marked=target_mark))
    return seat_items
