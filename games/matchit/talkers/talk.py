"""The sense of the scripted partner: what it says about its own picture, asks, and makes of what was said.

A talker knows one side only: the text of its own grid, or the description of its own board. It is pure: the same
picture, random generator and history give the same words. `grid_talk`, `board_talk` and `photo_talk` hold the three
languages; this module is what they share and the way in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Protocol

from games.matchit.talkers.board_talk import BoardTalker
from games.matchit.talkers.grid_talk import GridTalker
from games.matchit.talkers.photo_talk import PhotoTalker
from games.matchit.talkers.utterances import Decision, Utterance


class Talker(Protocol):
    """What a scripted seat needs."""

    def describe(self) -> str:
        """Describe the own picture in a sentence or two."""

    def answer(self, question: str) -> str:
        """Answer a question about the own picture; say so when it is not understood."""

    def ask(self, history: Sequence[Utterance]) -> str:
        """Ask what would tell the two pictures apart and was not said yet."""

    def decide(self, history: Sequence[Utterance]) -> Decision:
        """Decide from what was said."""


def talker(picture: str | Mapping[str, Any], rng: Random) -> Talker:
    """Give the talker for a text grid, or for the description of a picture (board.description) by its kind."""
    if isinstance(picture, str):
        return GridTalker(picture, rng)
    if picture.get("kind") == "grid":
        return GridTalker(str(picture["grid"]), rng)
    if picture.get("kind") == "pentomino":
        return BoardTalker(picture, rng)
    return PhotoTalker(picture, rng)
