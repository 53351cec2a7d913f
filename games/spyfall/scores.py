"""The scores of SpyFall, computed from events alone: who won, how long the spy stayed in, and every vote.

`spy_win` and `spy_rounds` are w and l of the GameEval paper (Table 3) for one episode; `average_by_pair` averages them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.events import Ending, Json
from engine.core.log import Log
from engine.core.scores import GameScores, mean
from games.spyfall.log_views import VoteResult, find_spy_assignment

CHANCE_BY_PLAYERS = {2: (1 / 3, 3.0), 3: (1 / 2, 2.5)}
"""`spy_wins_at` to (w, l) of six uniformly random voters, by symmetry."""


@dataclass(frozen=True)
class Scores(GameScores):
    """`main_score` is None: it is a game of sides. `spy` is None when the episode ended before the deal.

    `spy_win` is 1 or 0, `spy_rounds` the number of the last round the spy took part in (1..4); both are None unless the
    episode was decided. `votes` has {voter: name} of every round's first ballot, `revotes` of its second, or None.
    `side_seats` says which seats each side had, as players are seated by sides.
    """

    spy: str | None
    spy_win: int | None
    spy_rounds: int | None
    votes: list[Mapping[str, str]]
    revotes: list[Mapping[str, str] | None]
    side_seats: dict[str, list[str]]


def score(log: Log) -> Scores:
    """Return the game's own scores of an episode with an outcome."""
    spy_assignment, vote_results, outcome = find_spy_assignment(log), VoteResult.read(log), log.outcome
    is_decided = outcome is not None and outcome.kind is Ending.DECIDED
    side_seats = {}
    if spy_assignment:
        villagers = [player for player in spy_assignment.order if player != spy_assignment.spy]
        side_seats = {"side:spy": [spy_assignment.spy], "side:villagers": villagers}
    return Scores(
        main_score=None,
        spy=spy_assignment.spy if spy_assignment else None,
        spy_win=int(outcome.winner == "spy") if outcome and is_decided else None,
        spy_rounds=len(vote_results) if is_decided else None,
        votes=[vote_result.votes for vote_result in vote_results],
        revotes=[vote_result.again for vote_result in vote_results],
        side_seats=side_seats,
    )


def summarise(scores: Sequence[Json | None]) -> Json:
    """Return w (spy win rate, 0..1) and l (mean spy rounds) of the decided episodes, None without one."""
    decided_scores = [
        (spy_win, episode["spy_rounds"])
        for episode in scores
        if episode and (spy_win := episode["spy_win"]) is not None
    ]
    _, win_rate, round_mean = _average_results(decided_scores).values()
    return {"spy wins (w)": win_rate, "spy rounds (l)": round_mean}


def average_by_pair(episodes: Iterable[tuple[Mapping[str, str], str, Scores]]) -> list[Json]:
    """Average episodes given as (seats, instance id, scores) as the paper does: per spy's and villagers' player.

    Each row has spy, villagers, n, w (spy win rate, 0..1) and l (mean spy rounds), over all and by `instance`.
    Undecided episodes, and those whose villagers are several players, are left out.
    """
    results_by_pair: dict[tuple[str, str], dict[str, list[tuple[int, int]]]] = {}
    for seats, instance_key, scores in episodes:
        villagers = {seats[player] for player in scores.side_seats.get("side:villagers", ())}
        if scores.spy and scores.spy_win is not None and scores.spy_rounds is not None and len(villagers) == 1:
            player_pair = (seats[scores.spy], villagers.pop())
            results_by_pair.setdefault(player_pair, {}).setdefault(instance_key, []).append(
                (scores.spy_win, scores.spy_rounds)
            )
    return [
        {
            "spy": spy,
            "villagers": villagers,
            **_average_results([result for pair_results in instances.values() for result in pair_results]),
            "instances": {player: _average_results(pair_results) for player, pair_results in sorted(instances.items())},
        }
        for (spy, villagers), instances in sorted(results_by_pair.items())
    ]


def _average_results(pair_results: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """Return number and means of (spy win, spy rounds)."""
    win_flags, round_counts = [spy_win for spy_win, _ in pair_results], [spy_rounds for _, spy_rounds in pair_results]
    return {"n": len(pair_results), "w": mean(win_flags), "l": mean(round_counts)}
