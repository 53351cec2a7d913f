"""List the episodes each aggregate is computed from, using the same filters.

Each function returns lists of episodes under the names of the parts they count in ("counted", "aborted", "faults"); the
lengths of these lists are the numbers of a row. Nothing here reads a log: the caller passes in the episodes that the
reader may see.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from itertools import chain

from engine.core.condition import Condition
from engine.core.events import Ending
from engine.results.ability import RatedUnit, collect_team_games
from engine.results.clemscore import describe_seating, split_variant
from engine.results.comparison import ExperimentPath, PairedEpisodes
from engine.results.exclusion import EXCLUSION_REASONS, exclusion_reason
from engine.results.leaderboard import format_seats
from engine.results.rating import Match, find_match_or_exclusion
from engine.storage.episode_result import EpisodeResult

EpisodeParts = dict[str, list[EpisodeResult]]
"""The episodes of each part of an aggregate; an episode may be in several parts."""


def list_row_episodes(results: Iterable[EpisodeResult], *, include_informed_players: bool = False) -> EpisodeParts:
    """Return the episodes of result rows: "counted" (n), "played", "aborted", and one part per exclusion reason.

    "summed" are the episodes that the game's summary is of: those counted and those stalled by a fault.
    """
    included_results: list[EpisodeResult] = []
    played_results: list[EpisodeResult] = []
    aborted_results: list[EpisodeResult] = []
    summed_results: list[EpisodeResult] = []
    excluded_results: EpisodeParts = {reason: [] for reason in EXCLUSION_REASONS}
    for result in results:
        reason = exclusion_reason(result, include_informed_players)
        if reason in (None, "faults"):
            summed_results.append(result)
        if reason:
            excluded_results[reason].append(result)
        else:
            included_results.append(result)
            (aborted_results if result.ending == Ending.ABORTED else played_results).append(result)
    return {
        "counted": included_results,
        "played": played_results,
        "aborted": aborted_results,
        "summed": summed_results,
        **excluded_results,
    }


def counts_toward_clemscore(
    condition: Condition, players: str, modality: str, reprompt: int, leave_out: Container[str], task: str | None = None
) -> bool:
    """Return whether episodes of a condition enter a row of `compute_clemscores`, or its mean of one game (`task`)."""
    if describe_seating(condition.seats) != players or condition.reprompt != reprompt or condition.game in leave_out:
        return False
    condition_task, condition_modality = split_variant(condition.game, condition.variant)
    return condition_modality == modality and task in (None, condition_task)


def list_clemscore_episodes(
    results: Iterable[EpisodeResult], *, include_informed_players: bool = False
) -> EpisodeParts:
    """Return the episodes of a clemscore in the parts of `list_row_episodes`. `results` are those of its conditions."""
    return list_row_episodes(
        (result for result in results if not result.side_scores and result.ending != Ending.DECIDED),
        include_informed_players=include_informed_players,
    )


def list_rating_episodes(
    results: Iterable[EpisodeResult],
    *,
    player: str | None = None,
    side: str | None = None,
    include_informed_players: bool = False,
) -> EpisodeParts:
    """Return the episodes of a table of ratings: "decided", "won", and one part per reason of being left out.

    With a player, return the player's games with others, as the table counts them; with a side too, all games in which
    the player had that side. Without a player, "won" are the games that the side won, or all.
    """
    decided_results: list[EpisodeResult] = []
    won_results: list[EpisodeResult] = []
    excluded_results: EpisodeParts = {}
    for result in results:
        match = find_match_or_exclusion(result, include_informed_players)
        if isinstance(match, str):
            if player is None:
                excluded_results.setdefault(match, []).append(result)
        elif _involves_team(match, player, side):
            decided_results.append(result)
            if match.winner == side if side else player in (None, match.players[match.winner]):
                won_results.append(result)
    return {"decided": decided_results, "won": won_results, **excluded_results}


def list_ability_episodes(
    results: Iterable[EpisodeResult],
    *,
    repeated_episode_ids: Container[str],
    role: str | None = None,
    player: str | None = None,
    study: str = "",
    include_informed_players: bool = False,
) -> EpisodeParts:
    """Return the episodes of a table of a cooperative game: "counted", and one part per reason of being left out.

    With a player, return those counted in which the player had the role; without a role, `player` is the seating of a
    team (`format_seats`). People are those of the `study`, empty for the lobby.
    """
    scored_games, excluded_results = collect_team_games(results, repeated_episode_ids, include_informed_players)
    if player is None:
        return {"counted": [result for result, _ in scored_games], **excluded_results}
    if role is None:
        included_results = [r for r, _ in scored_games if format_seats(r.seats) == player and r.study == study]
    else:
        rated_unit = RatedUnit(role, player, study)
        included_results = [
            result for result, game in scored_games if rated_unit in {member.group for member in game.team}
        ]
    return {"counted": included_results}


def _involves_team(match: Match, player: str | None, side: str | None) -> bool:
    if player is None:
        return side is None or side in match.players
    if side is not None:
        return match.players.get(side) == player
    return {player} < set(match.players.values())


EpisodePair = tuple[list[EpisodeResult], list[EpisodeResult]]
"""The episodes of the first and of the second player on one instance."""
SIGN_TESTS: Mapping[str, Callable[[float], bool]] = {
    "better": lambda difference: difference > 0,
    "equal": lambda difference: difference == 0,
    "worse": lambda difference: difference < 0,
}


def list_scored_pairs(
    paired_episodes: PairedEpisodes, path: ExperimentPath | None, measure: str, sign: str | None = None
) -> list[EpisodePair]:
    """Return the pairs that a measure ("quality", "score_all") of a comparison counts; with a sign, those of it."""
    episode_pairs: list[EpisodePair] = []
    for instance in paired_episodes.list_pairs(path):
        scores = instance.average_scores(measure) if instance.is_paired else None
        if scores and (sign is None or SIGN_TESTS[sign](scores[0] - scores[1])):
            episode_pairs.append((list(instance.first_episodes), list(instance.second_episodes)))
    return episode_pairs


def find_repeats(paired_episodes: PairedEpisodes, path: ExperimentPath | None, player: int) -> list[EpisodeResult]:
    """Return the episodes on instances that the first (0) or second (1) player played more than once."""
    episode_lists = [(pair.first_episodes, pair.second_episodes)[player] for pair in paired_episodes.list_pairs(path)]
    return list(chain.from_iterable(episodes for episodes in episode_lists if len(episodes) > 1))
