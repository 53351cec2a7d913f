"""How the scripted partner of MatchIt describes its own picture, answers, asks and decides.

A talker knows one side only: the text of its own grid, or the description of its own picture. It is pure: the same
picture, random generator and history give the same words. `grid_talk`, `board_talk` and `photo_partner` implement it
for the three kinds of picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from games.matchit.talkers.board_talk import BoardTalker
from games.matchit.talkers.grid_talk import GridTalker
from games.matchit.talkers.photo_partner import PhotoPartner
from games.matchit.talkers.utterances import Talker


def make_talker(picture_data: str | Mapping[str, Any], rng: Random) -> Talker:
    """Return the talker for a text grid, or for the description of a picture (board.description) by its kind."""
    match picture_data:
        case str(grid_text) | {"kind": "grid", "grid": str(grid_text)}:
            return GridTalker(grid_text, rng)
        case {"kind": "pentomino"}:
            return BoardTalker(picture_data, rng)
    return PhotoPartner(picture_data, rng)
