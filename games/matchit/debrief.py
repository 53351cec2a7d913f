"""The debriefing of MatchIt: both sides with their differences marked, the decisions, and how the score came about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from engine.core.debriefing import Debriefing, Decision, LabelledNumber, Panel, ScoreExplanation
from engine.core.events import Ending, Outcome
from engine.core.log import Log
from engine.core.views import describe_outcome
from engine.results.published import find_matching_rows, make_published_table
from games.matchit import board, instances
from games.matchit.instances import Instance
from games.matchit.scores import Scores, read_accepted_replies
from games.matchit.talkers.talk import make_talker
from games.matchit.talkers.utterances import Utterance, UtteranceKind

UTTERANCE_KINDS: tuple[UtteranceKind, ...] = ("description", "question", "answer")
GAME_FOLDER = Path(__file__).parent
MIN_EXPLAINED_VERSION = 2
"""The version of the prompts since which the present scripted players play."""


def debrief(log: Log, scores: Scores) -> Debriefing:
    """Return what the page of a finished episode shows. Pictures are given by asset id."""
    start, outcome = log.start, log.outcome
    assert outcome is not None, "only finished episodes are debriefed"
    instance = instances.load(start.instance)
    differences = board.find_side_differences(instance)
    noun = "picture" if instance.text("A") is None else "grid"
    return Debriefing(
        _write_page_headline(outcome, scores),
        ScoreExplanation(scores.main_score, _explain_score(outcome, scores), _list_score_numbers(scores)),
        [_make_panel(instance, seat, differences) for seat in "AB"],
        truth=f"{scores.truth} {noun}s",
        differences=differences.sentences,
        decisions=[Decision(seat, _translate_decision(scores.decisions[seat]), scores.correct[seat]) for seat in "AB"],
        published=make_published_table(find_matching_rows(GAME_FOLDER, start.variant, start.experiment, "quality")),
        headlines={seat: _write_seat_headline(seat, scores) for seat in "AB"}
        if outcome.kind in (Ending.SUCCESS, Ending.LOSE)
        else {},
        reasons=list(_explain_partners(log, instance)),
    )


def _write_page_headline(outcome: Outcome, scores: Scores) -> str:
    if outcome.kind is Ending.ABANDONED:
        return "The game was left before its end."
    if outcome.kind is Ending.ABORTED:
        return f"The game was aborted: seat {outcome.seat} broke the rules of form."
    headlines = ("Both decisions were wrong.", "One decision was right, one was wrong.", "Both decisions were right.")
    return headlines[scores.correct_decisions]


def _write_seat_headline(seat: str, scores: Scores) -> str:
    """Return how the game ended, said to the player at a seat."""
    partner = "B" if seat == "A" else "A"
    if scores.correct[seat] and scores.correct[partner]:
        return "You won: you and your partner were both right."
    if scores.correct[seat]:
        return "You lost: you were right, but your partner was wrong."
    if scores.correct[partner]:
        return "You lost: your partner was right, but you were wrong."
    return "You lost: you and your partner were both wrong."


def _make_panel(instance: Instance, seat: str, differences: board.SideDifferences) -> Panel:
    if (grid_text := instance.text(seat)) is not None:
        marked_cells = [list(cell) for cell in differences.marked_cells[seat]]
        return {"title": f"Grid of seat {seat}", "seat": seat, "grid": grid_text, "marks": marked_cells}
    box_lists = [list(box) for box in differences.boxes[seat]]
    return {"title": f"Picture of seat {seat}", "seat": seat, "picture": seat, "boxes": box_lists}


def _translate_decision(decision: str | None) -> str | None:
    """Return a decision in the words of the page, which says "picture" where the replies of the paper say "image"."""
    return decision.replace("image", "picture") if decision else None


def _explain_score(outcome: Outcome, scores: Scores) -> list[str]:
    if scores.main_score is None:
        return [f"No score: the episode ended {describe_outcome(outcome.as_json())}."]
    return [
        "The main score is 100 when both decisions are right, else 0.",
        f"The player score is 100, 50 or 0 for two, one or no right decision: here {50 * scores.correct_decisions}.",
    ]


def _explain_partners(log: Log, instance: Instance) -> Iterator[tuple[str, str]]:
    """Yield (seat, what its scripted player understood and what decided), by the reader with which they played.

    Episodes with version 1 of the prompts were played by other readers, which are gone.
    """
    if log.start.prompts_version < MIN_EXPLAINED_VERSION:
        return
    replies = [
        (reply.seat, kind, reply.text)
        for reply in read_accepted_replies(log)
        for kind in UTTERANCE_KINDS
        if reply.kind == kind
    ]
    for seat in (seat for seat in "AB" if log.start.seats.get(seat) == "scripted"):
        partner = make_talker(board.describe_side(instance, seat), Random(0))
        utterances = [Utterance("me" if speaker == seat else "partner", kind, text) for speaker, kind, text in replies]
        yield seat, " ".join(partner.explain_decision(utterances))


def _list_score_numbers(scores: Scores) -> list[LabelledNumber]:
    score_numbers = [LabelledNumber("player score", scores.player_score)]
    for seat, seat_scores in scores.seats.items():
        score_numbers.append(LabelledNumber(f"words of {seat}'s description", seat_scores.description_words))
        novelty_share, question_count = seat_scores.question_novelty, seat_scores.questions
        if novelty_share is not None:
            novel_share = f"{round(novelty_share * question_count)} of {question_count}"
            score_numbers.append(LabelledNumber(f"{seat}'s questions with a new word", novel_share))
    return score_numbers
