"""The episodes behind a number: each function lists what one kind of number counts, by the very rules that count it.

A list comes apart into named parts ("counted", "aborted", "faults"): their lengths are the numbers of a row. Nothing
here reads a log; which episodes are asked about, and which a reader may not see, is the caller's choice.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from itertools import chain

from engine.core.condition import Condition
from engine.core.events import Ending
from engine.results.clemscore import seating_label, task_of
from engine.results.comparison import ExperimentPath, PairedEpisodes
from engine.results.exclusion import EXCLUSION_REASONS, exclusion_reason
from engine.results.rating import Match, match_or_reason
from engine.storage.episode_result import EpisodeResult

EpisodeParts = dict[str, list[EpisodeResult]]
"""Episodes by what they are to a number; an episode may be in several parts."""


def row_episodes(results: Iterable[EpisodeResult], *, informed: bool = False) -> EpisodeParts:
    """Return the parts of what rows count: "counted" (n), "played", "aborted", and one per exclusion reason.

    "summed" is what a game's own numbers are of: those counted and those stalled by a fault.
    """
    parts: EpisodeParts = {name: [] for name in ("counted", "played", "aborted", "summed", *EXCLUSION_REASONS)}
    for result in results:
        if reason := exclusion_reason(result, informed):
            parts[reason].append(result)
            if reason == "faults":
                parts["summed"].append(result)
            continue
        parts["counted"].append(result)
        parts["summed"].append(result)
        parts["aborted" if result.ending == Ending.ABORTED else "played"].append(result)
    return parts


def enters_clemscore(
    one: Condition, players: str, modality: str, reprompt: int, leave_out: Container[str], task: str | None = None
) -> bool:
    """Return whether a clemscore (`scoring.clemscores`), or what it takes from one game (`task`), is of a condition."""
    if seating_label(one.seats) != players or one.reprompt != reprompt or one.game in leave_out:
        return False
    of, shown = task_of(one.game, one.variant)
    return shown == modality and task in (None, of)


def clemscore_episodes(results: Iterable[EpisodeResult], *, informed: bool = False) -> EpisodeParts:
    """Return the parts of what a clemscore is of, from the episodes of its conditions: those of `row_episodes`."""
    return row_episodes(
        (result for result in results if not result.sides and result.ending != Ending.DECIDED), informed=informed
    )


def rating_episodes(
    results: Iterable[EpisodeResult], *, player: str | None = None, side: str | None = None, informed: bool = False
) -> EpisodeParts:
    """Return the parts of a table of ratings, from its episodes: "decided", "won", and the reasons of being left out.

    With a player its games with others, as the table counts them; with a side, too, all in which it played that side.
    Without a player "won" are those that the side won, or all.
    """
    parts: EpisodeParts = {"decided": [], "won": []}
    for result in results:
        match = match_or_reason(result, informed)
        if isinstance(match, str):
            if player is None:
                parts.setdefault(match, []).append(result)
        elif _meant(match, player, side):
            parts["decided"].append(result)
            winner = match.winner == side if side else player in (None, match.players[match.winner])
            parts["won"] += [result] if winner else []
    return parts


def _meant(match: Match, player: str | None, side: str | None) -> bool:
    if player is None:
        return side is None or side in match.players
    if side is not None:
        return match.players.get(side) == player
    return {player} < set(match.players.values())


EpisodePair = tuple[list[EpisodeResult], list[EpisodeResult]]
"""What either player did on one instance."""
SIGNS: Mapping[str, Callable[[float], bool]] = {
    "better": lambda apart: apart > 0,
    "equal": lambda apart: apart == 0,
    "worse": lambda apart: apart < 0,
}


def counted_pairs(
    found: PairedEpisodes, place: ExperimentPath | None, measure: str, sign: str | None = None
) -> list[EpisodePair]:
    """Return the pairs that a measure ("quality", "score_all") of a comparison counts; all, or those of a sign."""
    made: list[EpisodePair] = []
    for one in found.at(place):
        scores = one.scores(measure) if one.paired else None
        if scores and (sign is None or SIGNS[sign](scores[0] - scores[1])):
            made.append((list(one.first), list(one.second)))
    return made


def repeated_episodes(found: PairedEpisodes, place: ExperimentPath | None, which: int) -> list[EpisodeResult]:
    """Return the episodes on instances that the first (0) or second (1) player played more than once."""
    own = [(one.first, one.second)[which] for one in found.at(place)]
    return list(chain.from_iterable(each for each in own if len(each) > 1))
