"""The library of pictures with the folder of imported sets that the settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.common.pictures import Library


def load_library() -> Library:
    """Return the library of the shipped and the imported sets."""
    from cli.settings import load_settings

    load_settings()  # the library reads the folder of imported sets from the environment
    from games.common.pictures import LIBRARY

    return LIBRARY
