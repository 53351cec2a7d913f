"""The debriefing of the reference game: the three items with target and choice, the expression, and the score."""

from __future__ import annotations

from pathlib import Path

from engine.core.debriefing import (
    Debriefing,
    Decision,
    LabelledNumber,
    ScoreExplanation,
    describe_interruption,
    make_labelled_numbers,
)
from engine.core.events import Ending, Json, Outcome
from engine.core.log import Log
from engine.core.views import describe_outcome
from engine.results.published import find_matching_rows, make_published_table
from games.reference import board, experiments, instances
from games.reference.layout import PLACES, is_text, order_speaker_items
from games.reference.scores import Scores

GAME_FOLDER = Path(__file__).parent
PAPER_SETS = {"rooms": "ADE20K", "everyday": "DOCCI", "objects": "CLEVR"}
"""The data sets that the paper used in place of our drawn pictures."""


def debrief(log: Log, scores: Scores) -> Debriefing:
    """Return what the page of a finished episode shows. Pictures are given by asset id."""
    start_data, outcome = log.start, log.outcome
    assert outcome is not None, "only finished episodes are debriefed"
    instance = instances.load(start_data.instance)
    shows_text = is_text(start_data.variant, instance)
    noun = "grid" if shows_text else "picture"
    picked_item = scores.picked
    speaker_order = order_speaker_items(start_data.settings["target_at"])
    listener_places = [PLACES[instance.listener.index(item_number)] for item_number in speaker_order]
    return Debriefing(
        _write_page_headline(outcome, noun, scores),
        ScoreExplanation(
            scores.main_score, _explain_score(outcome, noun, scores, listener_places), _list_score_numbers(scores)
        ),
        board.make_panels(instance, shows_text, picked_item),
        truth=f"the {scores.target} {noun} of the listener's list was meant",
        decisions=[
            Decision("speaker", scores.expression or "said nothing", None),
            Decision(
                "listener",
                f"the {picked_item} {noun}" if picked_item else "picked none",
                picked_item == scores.target if picked_item else None,
            ),
        ],
        published=_tabulate_published_scores(start_data.variant, start_data.experiment),
        headlines=_write_seat_headlines(outcome, noun, scores),
    )


def _write_page_headline(outcome: Outcome, noun: str, scores: Scores) -> str:
    if outcome.kind is Ending.SUCCESS:
        return f"The listener picked the {noun} that was meant."
    if outcome.kind is Ending.LOSE:
        return f"The listener picked the {scores.picked} {noun}; the {scores.target} was meant."
    return describe_interruption(outcome)


def _write_seat_headlines(outcome: Outcome, noun: str, scores: Scores) -> dict[str, str]:
    """Return how the game ended, said to each seat."""
    if outcome.kind is Ending.SUCCESS:
        return {
            "speaker": f"You won: the listener picked the {noun} that you described.",
            "listener": f"You won: you picked the {noun} that the speaker meant.",
        }
    if outcome.kind is Ending.LOSE:
        choice = f"the {scores.picked} {noun}; the {scores.target} was meant"
        return {"speaker": f"You lost: the listener picked {choice}.", "listener": f"You lost: you picked {choice}."}
    return {}


def _explain_score(outcome: Outcome, noun: str, scores: Scores, listener_places: list[str]) -> list[str]:
    order_sentence = (
        "The two players saw the three in different orders: what the speaker saw as first, second and third, "
        f"the listener saw as {listener_places[0]}, {listener_places[1]} and {listener_places[2]}."
    )
    if scores.main_score is None:
        return [f"No score: the episode ended {describe_outcome(outcome.as_json())}.", order_sentence]
    word_count, character_count = scores.expression_words, scores.expression_characters
    return [
        f"The main score is 100 when the listener picks the {noun} that is meant, else 0. Guessing gives 33.3.",
        f"The description has {word_count} word{'s' * (word_count != 1)} ({character_count} characters). "
        "A good one is short and fits no other.",
        order_sentence,
    ]


def _list_score_numbers(scores: Scores) -> list[LabelledNumber]:
    return make_labelled_numbers(
        {
            "words of the description": scores.expression_words,
            "characters of the description": scores.expression_characters,
            "says what is not there": None if scores.negation is None else "yes" if scores.negation else "no",
        }
    )


def _tabulate_published_scores(variant: str, experiment: str) -> Json | None:
    rows = find_matching_rows(GAME_FOLDER, variant, experiment, "score_all")
    paper_set = PAPER_SETS.get(experiment.removesuffix(experiments.STATIC_EXPERIMENT_SUFFIX))
    caption = f"Published models: {rows[0].says} (pictures of {paper_set})" if rows and paper_set else None
    return make_published_table(rows, caption)
