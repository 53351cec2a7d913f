"""Games of sides: how often each player won on each side, and a Bradley-Terry rating with intervals.

P(a side wins) is its share of exp(rating of its player + strength of the side) among the sides of the episode: the
logistic regression of Bradley and Terry for two sides (SpyFall), the conditional logit for more (TofuKingdom). Fitted
with numpy by Newton's method, a few lines for a concave function; statsmodels would be a dependency for this alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.core.condition import Condition
from engine.core.events import Ending, Json, canonical, digest
from engine.results.exclusion import exclusion_reason
from engine.results.statistics import Z95, wilson
from engine.storage.episode_result import EpisodeResult

if TYPE_CHECKING:
    import numpy as np

POINTS = 400 / math.log(10)
"""Rating points to one unit of log odds: 400 points are odds of ten to one, as in chess."""


@dataclass(frozen=True, slots=True)
class Match:
    """One decided episode: who played each side, and the side that won."""

    players: Mapping[str, str]
    winner: str


def rating_tables(results: Iterable[EpisodeResult], games: Container[str], *, informed: bool = False) -> list[Json]:
    """Return a table per game of sides (`games`), variant and conditions of play.

    {"id", "game", "variant", "settings", "reprompt", "game_version", "prompts", "n", "players", "sides", "connected",
    "left_out"}: `players` and `sides` as `fit_ratings` gives them, each player also with `won`. Left out, and counted:
    aborted episodes, those where one side has several players (`shared`), and what no average takes. `connected` is
    False where players fall into groups that never met, whose ratings cannot be compared.
    """
    groups: dict[str, list[EpisodeResult]] = {}
    keys: dict[str, str] = {}
    for result in results:
        if result.game in games:
            one = result.condition
            if one.id not in keys:
                keys[one.id] = _key(one)
            groups.setdefault(keys[one.id], []).append(result)
    return [_table(groups[key], informed) for key in sorted(groups)]


def _key(one: Condition) -> str:
    return canonical([one.game, one.variant, one.settings, one.reprompt, one.game_version, one.prompts])


def rating_table_id(condition: Condition) -> str:
    """Return the id of the table of ratings that episodes belong to: 12 hexadecimal digits, stable."""
    return digest(_key(condition))[:12]


def match_or_reason(result: EpisodeResult, informed: bool = False) -> Match | str:
    """Return who played which side of an episode and who won, or why no rating takes it."""
    if reason := exclusion_reason(result, informed) or ("aborted" if result.ending == Ending.ABORTED else None):
        return reason
    return match_of(result) or "shared"


def _table(group: Sequence[EpisodeResult], informed: bool) -> Json:
    left_out: Counter[str] = Counter()
    matches: list[Match] = []
    for result in group:
        match = match_or_reason(result, informed)
        if isinstance(match, str):
            left_out[match] += 1
        else:
            matches.append(match)
    first = group[0]
    rated = fit_ratings(matches)
    for row in rated["players"]:
        row["won"] = wins_by_side(matches, row["player"])
    return {
        "id": rating_table_id(first.condition),
        "game": first.game,
        "variant": first.variant,
        "settings": first.settings,
        "reprompt": first.reprompt,
        "game_version": first.condition.game_version,
        "prompts": first.condition.prompts,
        "n": len(matches),
        **rated,
        "connected": are_connected(matches),
        "left_out": dict(sorted(left_out.items())),
    }


def match_of(result: EpisodeResult) -> Match | None:
    """Return who played which side and who won; None where a side has several players, or no side won."""
    sides = result.sides or {}
    winners = [side for side, score in sides.items() if score]
    if len(winners) != 1:
        return None
    if len(set(result.seats.values())) == 1:
        return Match(dict.fromkeys(sides, next(iter(result.seats.values()))), winners[0])
    players = {name.partition(":")[2]: player for name, player in result.seats.items()}
    return Match(players, winners[0]) if players.keys() == sides.keys() else None


def wins_by_side(matches: Sequence[Match], player: str) -> Json:
    """Return {side: {"n", "wins", "rate", "rate_low", "rate_high"}} of a player; rates in %, with Wilson intervals."""
    made: Json = {}
    for side in sorted({side for match in matches for side in match.players}):
        mine = [match.winner == side for match in matches if match.players.get(side) == player]
        if mine:
            share = sum(mine) / len(mine)
            low, high = wilson(share, len(mine))
            made[side] = {
                "n": len(mine),
                "wins": sum(mine),
                "rate": 100 * share,
                "rate_low": 100 * low,
                "rate_high": 100 * high,
            }
    return made


def are_connected(matches: Sequence[Match]) -> bool:
    """Return whether every two players are linked through opponents that met."""
    import networkx as nx  # late: `ludens --help` needs no graphs

    graph = nx.Graph()
    for match in matches:
        nx.add_path(graph, list(match.players.values()))
    return len(graph) < 2 or bool(nx.is_connected(graph))


# ---------------------------------------------------------------------- the model
def fit_ratings(matches: Sequence[Match]) -> Json:
    """Return {"players": [{"player", "rating", "low", "high", "n", "wins"}], "sides": [{"side", "strength", ...}]}.

    Points, 400 to odds of ten to one; both kinds have mean 0, best first, with 95 % intervals from the curvature of the
    likelihood. Each player is given one drawn game against an average one, and the sides one between equals that any of
    them could win, so that what has won every game has a finite number. `n` are the player's games with
    others, `wins` those its side won; games with itself alone tell of the sides.
    """
    import numpy as np

    players = sorted({player for match in matches for player in match.players.values()})
    sides = sorted({side for match in matches for side in match.players})
    if not matches:
        return {"players": [], "sides": []}
    strength, spread = _fit(matches, players, sides)
    place = {name: at for at, name in enumerate(players)}
    kinds = [np.arange(len(players)), len(players) + np.arange(len(sides))]
    found: list[list[tuple[float, float]]] = []
    for kind in kinds:
        centred = np.eye(len(kind)) - 1 / len(kind)
        errors = np.sqrt(np.clip(np.diag(centred @ spread[np.ix_(kind, kind)] @ centred.T), 0, None))
        found.append(list(zip(POINTS * (centred @ strength[kind]), Z95 * POINTS * errors, strict=True)))
    rows: list[dict[str, Any]] = []
    for name in players:
        held = [match for match in matches if {name} < set(match.players.values())]
        value, error = found[0][place[name]]
        wins = sum(match.players[match.winner] == name for match in held)
        rows.append({"player": name, **_points("rating", value, error), "n": len(held), "wins": wins})
    rows.sort(key=lambda row: (-row["rating"], row["player"]))
    if len(rows) == 1:  # nobody to be better than
        rows[0] |= dict.fromkeys(("rating", "low", "high"))
    of_sides: list[dict[str, Any]] = [
        {"side": side, **_points("strength", value, error)}
        for side, (value, error) in zip(sides, found[1], strict=True)
    ]
    return {"players": rows, "sides": sorted(of_sides, key=lambda row: (-row["strength"], row["side"]))}


def _points(name: str, value: float, error: float) -> dict[str, Any]:
    return {name: float(value), "low": float(value - error), "high": float(value + error)}


def _fit(matches: Sequence[Match], players: Sequence[str], sides: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the strengths of players and sides (log odds) that make the results likeliest, and their covariance."""
    import numpy as np

    at = {name: number for number, name in enumerate(players)}
    counts = Counter((tuple(sorted(match.players.items())), match.winner) for match in matches)
    cases: list[tuple[np.ndarray, np.ndarray, int]] = []
    for (held, winner), times in sorted(counts.items()):
        rows = np.zeros((len(held), len(players) + len(sides)))
        for row, (side, player) in enumerate(held):
            rows[row, at[player]] = rows[row, len(players) + sides.index(side)] = 1
        cases.append((rows, np.array([float(side == winner) for side, _ in held]), times))
    among = np.hstack([np.zeros((len(sides), len(players))), np.eye(len(sides))])
    cases.append((among, np.full(len(sides), 1 / len(sides)), 1))
    strength = np.zeros(len(players) + len(sides))
    for _ in range(100):
        drawn = 1 / (1 + np.exp(-strength[: len(players)]))
        slope = np.concatenate([0.5 - drawn, np.zeros(len(sides))])
        curve = np.diag(np.concatenate([drawn * (1 - drawn), np.zeros(len(sides))]))
        for rows, target, times in cases:
            chance = np.exp(rows @ strength - np.max(rows @ strength))
            chance /= chance.sum()
            slope += times * (target - chance) @ rows
            curve += times * rows.T @ (np.diag(chance) - np.outer(chance, chance)) @ rows
        step = np.linalg.pinv(curve, rcond=1e-10, hermitian=True) @ slope  # the common level of the sides is free
        strength += step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < 1e-10:
            break
    return strength, np.linalg.pinv(curve, rcond=1e-10, hermitian=True)
