"""The scores of the reference game, computed from events alone (multimodal games paper, §4.1 and §5.3.2)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.events import Ending
from engine.core.language import has_negation
from engine.core.log import Log
from engine.core.scores import GameScores
from games.reference import instances
from games.reference.board import find_picked_place


@dataclass(frozen=True)
class Scores(GameScores):
    """`main_score` is 100 for the target and 0 for another item, None unless an item was picked.

    The lengths of the expression are without its tag; words are split at white space. `negation` is whether it contains
    one. `target` and `picked` are places in the listener's list. `aborted_at` is the seat that broke the rules of form.
    """

    expression: str | None
    expression_characters: int | None
    expression_words: int | None
    negation: bool | None
    target: str
    picked: str | None
    aborted_at: str | None


def score(log: Log) -> Scores:
    """Return the game's own scores of an episode with an outcome."""
    outcome = log.outcome
    outcome_kind = outcome.kind if outcome else None
    expression = next(iter(log.values("speaker")), None)
    return Scores(
        main_score={Ending.SUCCESS: 100.0, Ending.LOSE: 0.0}.get(outcome_kind) if outcome_kind else None,
        expression=expression,
        expression_characters=None if expression is None else len(expression),
        expression_words=None if expression is None else len(expression.split()),
        negation=None if expression is None else has_negation(expression),
        target=instances.find_answer_place(log.start.instance),
        picked=find_picked_place(log),
        aborted_at=outcome.seat if outcome and outcome_kind is Ending.ABORTED else None,
    )
