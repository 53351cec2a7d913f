"""The scores of SpyFall, from events alone: who won, how long the spy stayed in, and every vote.

`spy_win` and `spy_rounds` are w and l of the GameEval paper (Table 3) for one episode; `by_pair` averages them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.core.events import Ending, Event, Json, Kind

CHANCE = {2: (1 / 3, 3.0), 3: (1 / 2, 2.5)}
"""`spy_wins_at` to (w, l) of six uniformly random voters, by symmetry."""


def notes(log: Sequence[Event], kind: str) -> list[Json]:
    """Return the data of all notes of a kind."""
    return [event.data for event in log if event.kind is Kind.NOTE and event.data["note"] == kind]


def score(log: Sequence[Event]) -> Json:
    """Return main_score (None, it is a game of sides) and the game's own numbers.

    `spy_win` is 1 or 0, `spy_rounds` the number of the last round the spy took part in (1..4); both None unless the
    episode was decided. `votes` has {voter: name} for every round's first ballot, `revotes` for the second or None.
    `side_seats` says which seats each side was made of, as players are seated by sides.
    """
    outcome = next((event.data for event in reversed(log) if event.kind is Kind.OUTCOME), {})
    decided = outcome.get("kind") == Ending.DECIDED
    rounds = notes(log, "out")
    spy = next((note["spy"] for note in notes(log, "deal")), None)
    order: list[str] = next((note["order"] for note in notes(log, "deal")), [])
    return {
        "main_score": None,
        "spy": spy,
        "spy_win": int(outcome["winner"] == "spy") if decided else None,
        "spy_rounds": len(rounds) if decided else None,
        "votes": [note["votes"] for note in rounds],
        "revotes": [note["again"] for note in rounds],
        "side_seats": {"side:spy": [spy], "side:villagers": [name for name in order if name != spy]} if spy else {},
    }


def summary(scores: Sequence[Json | None]) -> Json:
    """Return w (spy win rate, 0..1) and l (mean spy rounds) of the decided episodes, None without one."""
    decided = [one for one in scores if one and one["spy_win"] is not None]
    means = _means(decided) if decided else {"w": None, "l": None}
    return {"spy wins (w)": means["w"], "spy rounds (l)": means["l"]}


def by_pair(episodes: Iterable[tuple[Mapping[str, str], str, Json]]) -> list[Json]:
    """Average episodes given as (seats, instance id, scores) as the paper does: per spy's and villagers' player.

    Each row has spy, villagers, n, w (spy win rate, 0..1) and l (mean spy rounds), over all and by `instance`.
    Undecided episodes, and those whose villagers are several players, are left out.
    """
    groups: dict[tuple[str, str], dict[str, list[Json]]] = {}
    for seats, instance, scores in episodes:
        villagers = {seats[name] for name in scores.get("side_seats", {}).get("side:villagers", ())}
        if scores["spy_win"] is not None and len(villagers) == 1:
            pair = (seats[scores["spy"]], villagers.pop())
            groups.setdefault(pair, {}).setdefault(instance, []).append(scores)
    return [
        {
            "spy": spy,
            "villagers": villagers,
            **_means([scores for found in instances.values() for scores in found]),
            "instances": {name: _means(found) for name, found in sorted(instances.items())},
        }
        for (spy, villagers), instances in sorted(groups.items())
    ]


def _means(found: Sequence[Json]) -> dict[str, Any]:
    n = len(found)
    wins, rounds = sum(scores["spy_win"] for scores in found), sum(scores["spy_rounds"] for scores in found)
    return {"n": n, "w": wins / n, "l": rounds / n}
