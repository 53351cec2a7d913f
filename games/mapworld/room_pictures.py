"""The pictures of rooms in Map World: which show a category, and what makes a room to find unmistakable.

Only pictures of whole rooms are used. A close-up of a window sill belongs to a category too, but nobody can tell it.
"""

from __future__ import annotations

from collections.abc import Collection

LOOK_ALIKE_GROUPS: tuple[frozenset[str], ...] = tuple(
    frozenset(names.split(", "))
    for names in (
        "bar, café, wine cellar",
        "café, shop, dining room",
        "dining room, kitchen, meeting room",
        "bedroom, hospital room, nursery",
        "living room, library, study, music room",
        "classroom, meeting room, library, study, music room",
        "garage, workshop, storage room",
        "shop, storage room, library",
        "staircase, corridor",
        "bathroom, sauna, swimming pool, laundry room",
        "balcony, greenhouse, living room",
        "classroom, workshop",
    )
)
"""Categories that can be taken for one another: a map has none that looks like its room to find."""
UNUSUAL_PICTURES = frozenset(
    f"rooms/{name}"
    for name in (
        "balcony-4 balcony-6 cafe-3 hospital-room-6 library-6 music-room-3 music-room-5 shop-3 storage-room-2 "
        "storage-room-3 study-2 wine-cellar-3 workshop-6"
    ).split()
)
"""Pictures that do not show at a glance what room it is. They are never the room to find."""


def list_categories() -> tuple[str, ...]:
    """Return the categories of which there are pictures of rooms, sorted."""
    from games.common.pictures import LIBRARY, list_ludens_pictures  # late: to list games and to play in words

    return tuple(sorted({LIBRARY.description(id).category or "" for id in list_ludens_pictures("room")}))


def list_pictures(category: str, *, is_target: bool = False) -> tuple[str, ...]:
    """Return the ids of the pictures that show rooms of a category, for a room to find only the usual ones."""
    from games.common.pictures import list_ludens_pictures

    return tuple(id for id in list_ludens_pictures("room", category) if not (is_target and id in UNUSUAL_PICTURES))


def find_look_alikes(category: str, room_names: Collection[str]) -> list[str]:
    """Return which of the other categories can be taken for this one."""
    return [
        room_name
        for room_name in room_names
        if room_name != category and any({category, room_name} <= alike_names for alike_names in LOOK_ALIKE_GROUPS)
    ]
