"""Ratings of adversarial games: how often each player won on each side, and Bradley-Terry ratings with intervals.

P(a side wins) is its share of exp(rating of its player + strength of the side) among the sides of the episode. With two
sides (SpyFall) this is the logistic regression of Bradley and Terry, with more (TofuKingdom) the conditional logit. It
is fitted with numpy by Newton's method, which takes a few lines because the likelihood is concave.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.core.condition import Condition
from engine.core.events import Ending, Json, canonical_json, digest
from engine.results.exclusion import exclusion_reason
from engine.results.statistics import NORMAL_QUANTILE_975, compute_wilson_interval
from engine.storage.episode_result import EpisodeResult

if TYPE_CHECKING:
    import numpy as np

POINTS_PER_LOG_ODDS = 400 / math.log(10)
"""Rating points per unit of log odds: 400 points are odds of ten to one, as in chess."""
TIE_DIGITS = 6
"""Decimals of a rating that decide the order; what is left is rounding error, which differs between processors."""


@dataclass(frozen=True, slots=True)
class Match:
    """One decided episode: the player of each side, and the side that won."""

    players: Mapping[str, str]
    winner: str


@dataclass(frozen=True, slots=True)
class SideRecord:
    """A player's games on one side: how many, how many won, and the share won in % with its Wilson interval."""

    n: int
    wins: int
    rate: float
    rate_low: float
    rate_high: float


@dataclass(frozen=True, slots=True)
class PlayerRating:
    """A player's rating in points with a 95 % interval, None for the only player of a table.

    `n` counts the player's games with others, `wins` those that its side won; `won` has a record per side.
    """

    player: str
    rating: float | None
    low: float | None
    high: float | None
    n: int
    wins: int
    won: Mapping[str, SideRecord]


@dataclass(frozen=True, slots=True)
class SideStrength:
    """How much a side favours whoever plays it, in points with a 95 % interval."""

    side: str
    strength: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class RatingTable:
    """The ratings of an adversarial game under equal conditions; players and sides best first. `asdict` gives the JSON.

    `connected` is False if the players fall into groups that never met: their ratings cannot be compared. `left_out`
    counts episodes by reason: an exclusion reason, `aborted`, or `shared` if one side had several players.
    """

    id: str
    game: str
    variant: str
    settings: Json
    reprompt: int
    game_version: int
    prompts: str
    n: int
    players: Sequence[PlayerRating]
    sides: Sequence[SideStrength]
    connected: bool
    left_out: Mapping[str, int]


def make_rating_tables(
    results: Iterable[EpisodeResult], adversarial_games: Container[str], *, include_informed_players: bool = False
) -> list[RatingTable]:
    """Return a table per adversarial game (one of `games`), variant and conditions of play."""
    results_by_table: dict[str, list[EpisodeResult]] = {}
    key_by_condition: dict[str, str] = {}
    for result in results:
        if result.game in adversarial_games:
            condition = result.condition
            if condition.id not in key_by_condition:
                key_by_condition[condition.id] = _make_table_key(condition)
            results_by_table.setdefault(key_by_condition[condition.id], []).append(result)
    return [
        _make_rating_table(results_by_table[table_key], include_informed_players)
        for table_key in sorted(results_by_table)
    ]


def _make_table_key(condition: Condition) -> str:
    versions = (condition.settings, condition.reprompt, condition.game_version, condition.prompts)
    return canonical_json([condition.game, condition.variant, *versions])


def make_rating_table_id(condition: Condition) -> str:
    """Return the id of the rating table that episodes of a condition belong to: 12 hexadecimal digits."""
    return digest(_make_table_key(condition))[:12]


def find_match_or_exclusion(result: EpisodeResult, include_informed_players: bool = False) -> Match | str:
    """Return who played each side and who won, or the reason why an episode is left out of ratings."""
    if reason := exclusion_reason(result, include_informed_players):
        return reason
    if result.ending == Ending.ABORTED:
        return "aborted"
    return find_match(result) or "shared"


def _make_rating_table(results: Sequence[EpisodeResult], include_informed_players: bool) -> RatingTable:
    excluded_counts: Counter[str] = Counter()
    matches: list[Match] = []
    for result in results:
        match = find_match_or_exclusion(result, include_informed_players)
        if isinstance(match, str):
            excluded_counts[match] += 1
        else:
            matches.append(match)
    condition = results[0].condition
    ratings, side_strengths = fit_ratings(matches)
    matches_by_player = _group_matches_by_player(matches)
    return RatingTable(
        make_rating_table_id(condition),
        condition.game,
        condition.variant,
        condition.settings,
        condition.reprompt,
        condition.game_version,
        condition.prompts,
        len(matches),
        [replace(rating, won=record_wins(matches_by_player[rating.player], rating.player)) for rating in ratings],
        side_strengths,
        are_players_connected(matches),
        dict(sorted(excluded_counts.items())),
    )


def _group_matches_by_player(matches: Iterable[Match]) -> dict[str, list[Match]]:
    matches_by_player: dict[str, list[Match]] = {}
    for match in matches:
        for player in set(match.players.values()):
            matches_by_player.setdefault(player, []).append(match)
    return matches_by_player


def find_match(result: EpisodeResult) -> Match | None:
    """Return who played each side and who won; None if a side had several players or no side won."""
    sides = result.side_scores or {}
    winning_sides = [side for side, score in sides.items() if score]
    if len(winning_sides) != 1:
        return None
    if len(set(result.seats.values())) == 1:
        return Match(dict.fromkeys(sides, next(iter(result.seats.values()))), winning_sides[0])
    players = {seat_name.partition(":")[2]: player for seat_name, player in result.seats.items()}
    return Match(players, winning_sides[0]) if players.keys() == sides.keys() else None


def record_wins(matches: Sequence[Match], player: str) -> dict[str, SideRecord]:
    """Return a player's record on each side that it played."""
    record_by_side = {}
    for side in sorted({side for match in matches for side in match.players}):
        match_outcomes = [match.winner == side for match in matches if match.players.get(side) == player]
        if match_outcomes:
            n, win_count = len(match_outcomes), sum(match_outcomes)
            lower_bound, upper_bound = compute_wilson_interval(win_count / n, n)
            record_by_side[side] = SideRecord(n, win_count, 100 * (win_count / n), 100 * lower_bound, 100 * upper_bound)
    return record_by_side


def are_players_connected(matches: Sequence[Match]) -> bool:
    """Return whether every two players are linked through opponents that met."""
    player_groups: list[frozenset[str]] = []  # no graph: importing networkx takes a tenth of `ludens results`
    for players in {frozenset(match.players.values()) for match in matches}:
        linked_groups = [group for group in player_groups if group & players]
        player_groups = [group for group in player_groups if not group & players] + [players.union(*linked_groups)]
    return len(player_groups) < 2


# ---------------------------------------------------------------------- the model
def fit_ratings(matches: Sequence[Match]) -> tuple[list[PlayerRating], list[SideStrength]]:
    """Return the ratings of players, without their records, and the strengths of sides, each best first.

    Points, 400 for odds of ten to one. Ratings and strengths have mean 0 each; the 95 % intervals come from the
    curvature of the likelihood. Each player is given one drawn game against an average player, and the sides one game
    between equals that any of them could win: a player who won every game then has a finite rating. Games of a player
    with itself inform only the strengths of sides.
    """
    import numpy as np

    players = sorted({player for match in matches for player in match.players.values()})
    sides = sorted({side for match in matches for side in match.players})
    if not matches:
        return [], []
    strength, covariance = _fit_strengths(matches, players, sides)

    def compute_centred_points(indices: np.ndarray) -> list[tuple[float, float]]:
        """Return (centred value, half the width of its interval)."""
        centring_matrix = np.eye(len(indices)) - 1 / len(indices)
        variances = np.diag(centring_matrix @ covariance[np.ix_(indices, indices)] @ centring_matrix.T)
        margins = NORMAL_QUANTILE_975 * POINTS_PER_LOG_ODDS * np.sqrt(np.clip(variances, 0, None))
        return list(
            zip(
                map(float, POINTS_PER_LOG_ODDS * (centring_matrix @ strength[indices])),
                map(float, margins),
                strict=True,
            )
        )

    ratings, matches_by_player = [], _group_matches_by_player(matches)
    for player, (points, margin) in zip(players, compute_centred_points(np.arange(len(players))), strict=True):
        player_matches = [match for match in matches_by_player[player] if len(set(match.players.values())) > 1]
        win_count = sum(match.players[match.winner] == player for match in player_matches)
        ratings.append(
            PlayerRating(player, points, points - margin, points + margin, len(player_matches), win_count, {})
        )
    ratings.sort(key=lambda rating: (-round(rating.rating or 0.0, TIE_DIGITS), rating.player))
    if len(ratings) == 1:  # nobody to compare with
        ratings = [replace(ratings[0], rating=None, low=None, high=None)]
    side_strengths = [
        SideStrength(side, points, points - margin, points + margin)
        for side, (points, margin) in zip(
            sides, compute_centred_points(len(players) + np.arange(len(sides))), strict=True
        )
    ]
    side_strengths.sort(key=lambda side: (-round(side.strength, TIE_DIGITS), side.side))
    return ratings, side_strengths


def _fit_strengths(
    matches: Sequence[Match], players: Sequence[str], sides: Sequence[str]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the strengths of players, then sides (log odds) of the greatest likelihood, and their covariance."""
    import numpy as np

    player_index = {player: player_number for player_number, player in enumerate(players)}
    match_counts = Counter((tuple(sorted(match.players.items())), match.winner) for match in matches)
    likelihood_cases: list[tuple[np.ndarray, np.ndarray, int]] = []
    for (seating, winner), match_count in sorted(match_counts.items()):
        design = np.zeros((len(seating), len(players) + len(sides)))
        for row_number, (side, player) in enumerate(seating):
            design[row_number, player_index[player]] = design[row_number, len(players) + sides.index(side)] = 1
        likelihood_cases.append((design, np.array([float(side == winner) for side, _ in seating]), match_count))
    side_rows = np.hstack([np.zeros((len(sides), len(players))), np.eye(len(sides))])
    likelihood_cases.append((side_rows, np.full(len(sides), 1 / len(sides)), 1))
    strength_vector = np.zeros(len(players) + len(sides))
    for _ in range(100):
        expected_results = 1 / (1 + np.exp(-strength_vector[: len(players)]))
        slope = np.concatenate([0.5 - expected_results, np.zeros(len(sides))])
        curvature = np.diag(np.concatenate([expected_results * (1 - expected_results), np.zeros(len(sides))]))
        for design, target_probabilities, match_count in likelihood_cases:
            fitted_probabilities = np.exp(design @ strength_vector - np.max(design @ strength_vector))
            fitted_probabilities /= fitted_probabilities.sum()
            slope += match_count * (target_probabilities - fitted_probabilities) @ design
            curvature += (
                match_count
                * design.T
                @ (np.diag(fitted_probabilities) - np.outer(fitted_probabilities, fitted_probabilities))
                @ design
            )
        step = np.linalg.pinv(curvature, rcond=1e-10, hermitian=True) @ slope  # the common level of the sides is free
        strength_vector += step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < 1e-10:
            break
    return strength_vector, np.linalg.pinv(curvature, rcond=1e-10, hermitian=True)
