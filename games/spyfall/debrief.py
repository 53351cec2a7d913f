"""The debriefing of SpyFall: who the spy was, both words, every round with its votes, and what models reach."""

from __future__ import annotations

from pathlib import Path

from engine.core.debriefing import Debriefing, LabelledNumber, Panel, ScoreExplanation, SideScore
from engine.core.events import Ending, Json, Outcome
from engine.core.log import Log
from engine.results.published import find_matching_rows
from games.spyfall import instances
from games.spyfall.board import list_rounds, make_statements_panel, make_vote_panels
from games.spyfall.scores import CHANCE_BY_PLAYERS, Scores

GAME_FOLDER = Path(__file__).parent


def debrief(log: Log, scores: Scores) -> Debriefing:
    """Return what the page of a finished episode shows."""
    instance, outcome = instances.load(log.start.instance), log.outcome
    assert outcome is not None, "only finished episodes are debriefed"
    second_ballot_count = sum(votes is not None for votes in scores.revotes)
    score_numbers = [
        LabelledNumber("rounds the spy took part in", scores.spy_rounds),
        LabelledNumber("ballots voted again at a tie", second_ballot_count),
    ]
    side_scores = [SideScore(side, 100 if side == outcome.winner else 0, seats) for side, seats in outcome.sides]
    return Debriefing(
        _write_page_headline(outcome, scores),
        ScoreExplanation(None, _explain_score(outcome, scores), score_numbers, sides=side_scores),
        _make_panels(log),
        truth=f"{scores.spy} was the spy and had “{instance.spy.word}”; all others had “{instance.common.word}”",
        published=_tabulate_published_scores(log.start.variant, log.start.settings["spy_wins_at"]),
        headlines=_write_seat_headlines(log, outcome, scores),
    )


def _write_page_headline(outcome: Outcome, scores: Scores) -> str:
    if outcome.kind is Ending.ABANDONED:
        return f"{outcome.seat} left, and so the game ended." if outcome.seat else "The game was left before its end."
    if outcome.kind is Ending.ABORTED:
        fault_phrase = " by saying their own word" if outcome.reason == "not allowed" else ""
        return f"The game was aborted: {outcome.seat} broke the rules{fault_phrase}."
    if scores.spy_win:
        return f"The spy, {scores.spy}, was not found."
    return f"The spy, {scores.spy}, was voted out in round {scores.spy_rounds}."


def _write_seat_headlines(log: Log, outcome: Outcome, scores: Scores) -> dict[str, str]:
    """Return how the game ended, said to each seat."""
    if outcome.kind is not Ending.DECIDED:
        return {}
    if scores.spy_win:
        headline_by_seat = dict.fromkeys(log.start.seats, f"You lost: the spy, {scores.spy}, was not found.")
        return headline_by_seat | {str(scores.spy): "You won: you were the spy, and nobody found you."}
    ending_phrase = f"voted out in round {scores.spy_rounds}"
    headline_by_seat = dict.fromkeys(log.start.seats, f"You won: the spy, {scores.spy}, was {ending_phrase}.")
    return headline_by_seat | {str(scores.spy): f"You lost: you were the spy, and you were {ending_phrase}."}


def _make_panels(log: Log) -> list[Panel]:
    panels: list[Panel] = []
    voted_out_names: set[str] = set()
    for round_number, round in enumerate(list_rounds(log), 1):
        ending_phrase = "not voted to the end"
        if round.vote_result:
            ending_phrase = f"{round.vote_result.out} is out{', by lot' if round.vote_result.lots else ''}"
        panels += make_vote_panels(log, round, voted_out_names, f"Round {round_number}: {ending_phrase}")
        if round.descriptions:
            panels.append(make_statements_panel(round, voted_out_names, f"Round {round_number}: what was said"))
        if round.vote_result:
            voted_out_names.add(round.vote_result.out)
    return panels


def _explain_score(outcome: Outcome, scores: Scores) -> list[str]:
    if outcome.kind is not Ending.DECIDED:
        return ["No side has won: the game did not come to its end."]
    sides_sentence = "The side that wins has 100, the other 0."
    if scores.spy_win:
        return [sides_sentence, "The spy wins by being among the last."]
    last_votes = scores.revotes[-1] or scores.votes[-1]
    spy_vote_count = sum(voted_name == scores.spy for voted_name in last_votes.values())
    return [sides_sentence, f"In the last ballot {spy_vote_count} voted for the spy."]


def _tabulate_published_scores(variant: str, spy_win_player_count: int) -> Json:
    spy_win_rate, chance_rounds = CHANCE_BY_PLAYERS[spy_win_player_count]
    published_rows = find_matching_rows(GAME_FOLDER, variant, "given", "spy_win")
    chance_row = {"model": "Six who vote at random, with these settings", "value": 100 * spy_win_rate}
    table_rows = [
        {
            "model": f"{published_row.model} as the spy, against {published_row.seats['side:villagers']}",
            "value": 100 * published_row.value,
        }
        for published_row in published_rows
    ]
    table_caption = (
        f"How often the spy wins, of 100 games. At random {chance_rounds:g} rounds on average. The published "
        "games count the spy as winner with three left, and the first named of the tied as out; voting at random then "
        "gives 50."
    )
    return {"caption": table_caption, "source": published_rows[0].citation, "rows": [chance_row, *table_rows]}
