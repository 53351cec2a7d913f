"""What a scripted player sees of a pentomino board, from its description: pieces by colour, shape, place and lie.

Expressions are read by `games/common/language/board_reading.py`; a board fits as far as all mentions fit pieces of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.common.language.board_answers import BoardEvaluator
from games.common.language.board_places import CLEAR
from games.common.language.board_reading import read_board_text
from games.common.pentomino import board_of, describe_orientation
from games.reference.talkers.facts import Fact, Sight


class BoardSight(Sight):
    """One board."""

    noun = "board"

    def __init__(self, description: Mapping[str, Any]) -> None:
        self.board = board_of(description)

    def list_facts(self) -> Iterator[Fact]:
        """Yield pieces by colour and shape, then with their place, then with their lie."""
        for piece in self.board.pieces:
            yield Fact((piece.colour, piece.shape), f"a {piece.name}")
        for piece in self.board.pieces:
            yield Fact((piece.colour, piece.shape, piece.place), f"the {piece.name} at the {piece.place}")
            if words := describe_orientation(piece.shape, piece.turn, piece.mirrored):
                joining_words = "" if words.startswith("with") else "that is "
                yield Fact((piece.colour, piece.shape, words), f"the {piece.name} {joining_words}{words}")

    def describe_absence(self, fact: Fact) -> str | None:
        """Say that a piece is not here."""
        return f"no {' '.join(fact.fact_key)}" if len(fact.fact_key) == 2 else None

    def rate_fit(self, expression: str) -> float:
        """Return how well the mentions of an expression fit the pieces here."""
        evaluator = BoardEvaluator(self.board)
        mentions = read_board_text(expression).mentions
        return sum(CLEAR - evaluator.misfit(mention, is_strict) for mention in mentions for is_strict in (True, False))
