"""How the scripted partner of MatchIt describes its own picture, answers, asks and decides.

A talker knows one side only: the text of its own grid, or the description of its own picture. It is pure: the same
picture, random generator and history give the same words. `grid_talk`, `board_talk` and `photo_partner` implement it
for the three kinds of picture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Protocol

from games.matchit.talkers.board_talk import BoardTalker
from games.matchit.talkers.grid_talk import GridTalker
from games.matchit.talkers.photo_partner import PhotoPartner
from games.matchit.talkers.utterances import Decision, Utterance


class Talker(Protocol):
    """Speaks for a scripted seat."""

    def describe(self) -> str:
        """Describe the own picture in a sentence or two."""

    def answer(self, question: str) -> str:
        """Answer a question about the own picture, or say that it was not understood."""

    def ask(self, history: Sequence[Utterance]) -> str:
        """Ask for something that was not said yet and would tell the two pictures apart."""

    def decide(self, history: Sequence[Utterance]) -> Decision:
        """Decide from what was said."""

    def reasons(self, history: Sequence[Utterance]) -> list[str]:
        """Return what was understood of what was said and what decided, for the debriefing."""


def talker(picture: str | Mapping[str, Any], rng: Random) -> Talker:
    """Return the talker for a text grid, or for the description of a picture (board.description) by its kind."""
    match picture:
        case str() as grid_text:
            return GridTalker(grid_text, rng)
        case {"kind": "grid", "grid": grid_text}:
            return GridTalker(str(grid_text), rng)
        case {"kind": "pentomino"}:
            return BoardTalker(picture, rng)
    return PhotoPartner(picture, rng)
