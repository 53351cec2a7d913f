"""The clemscore: percentage played times quality, averaged over games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from engine.core.condition import Condition
from engine.core.events import Ending, Json, canonical_json
from engine.results.exclusion import exclusion_reason
from engine.results.statistics import average
from engine.storage.episode_result import EpisodeResult


@dataclass(frozen=True, slots=True)
class GameMeans:
    """What one game contributes to a clemscore: % played and quality over all its episodes, None if none was played."""

    game: str
    played_percent: float
    quality: float | None


@dataclass(frozen=True, slots=True)
class Clemscore:
    """A clemscore, 0 to 100: (mean % played / 100) × mean quality, over games. `unplayed` games have no quality."""

    played: float
    quality: float | None
    clemscore: float
    unplayed: list[str]


@dataclass(frozen=True, slots=True)
class ClemscoreRow:
    """The clemscore of a seating in one modality with a number of reminders."""

    players: str
    modality: str
    reprompt: int
    total: Clemscore
    episode_counts: Mapping[str, int]
    """Episodes of each game."""
    mixed_settings: list[str]
    """Games whose episodes were played with more than one setting, game version or prompt set."""

    def as_json(self) -> Json:
        """Return the row as `ludens results --format json` and the page show it."""
        return {
            "players": self.players,
            "modality": self.modality,
            "reprompt": self.reprompt,
            **asdict(self.total),
            "games": self.episode_counts,
            "mixed_settings": self.mixed_settings,
        }


def compute_clemscore(games: Sequence[GameMeans]) -> Clemscore:
    """Return the clemscore of these games.

    A game without a played episode counts 0 in % played and is left out of quality (multimodal-games-paper, Table 1).
    Raises ValueError without a game.
    """
    played_share = average([game.played_percent for game in games])
    quality_scores = [game.quality for game in games if game.quality is not None]
    quality = average(quality_scores) if quality_scores else None
    unplayed_games = [game.game for game in games if game.quality is None]
    return Clemscore(played_share, quality, played_share * (quality or 0.0) / 100, unplayed_games)


def split_variant(game: str, variant: str) -> tuple[str, str]:
    """Return the task and the modality of a variant. The task is the game, with the part of it if it has several.

    `matchit/text` is ("matchit", "text"), `mapworld/ee-gr-picture` is ("mapworld/ee-gr", "picture"). A variant that
    names no modality is text.
    """
    task, _, modality = variant.rpartition("-")
    if modality not in ("text", "picture"):
        return game, "text"
    return (f"{game}/{task}" if task else game), modality


def describe_seating(seats: Mapping[str, str]) -> str:
    """Return who plays as a short text: the player at all seats, or "A + B" in the order of the seats."""
    players = list(dict.fromkeys(seats.values()))
    return players[0] if len(players) == 1 else " + ".join(seats.values())


def has_mixed_settings(conditions: Iterable[Condition]) -> bool:
    """Return whether conditions differ in settings, game version or prompts."""
    return (
        len(
            {
                canonical_json([condition.settings, condition.game_version, condition.prompts])
                for condition in conditions
            }
        )
        > 1
    )


def compute_clemscores(
    results: Iterable[EpisodeResult], *, omitted_games: Iterable[str] = (), include_informed_players: bool = False
) -> list[ClemscoreRow]:
    """Return a row per seating, modality and reprompt, over all counted episodes of each game.

    `omitted_games` names the games that never enter (adversarial ones, Ask-Guess).
    """
    excluded_games, decided_ending = set(omitted_games), Ending.DECIDED
    results_by_condition: dict[str, list[EpisodeResult]] = {}
    for result in results:
        if not (
            result.side_scores or result.ending == decided_ending or exclusion_reason(result, include_informed_players)
        ):
            results_by_condition.setdefault(result.condition.id, []).append(result)
    results_by_seating: dict[tuple[str, str, int], dict[str, list[EpisodeResult]]] = {}
    for episodes in results_by_condition.values():
        condition = episodes[0].condition
        if condition.game not in excluded_games:
            game, modality = split_variant(condition.game, condition.variant)
            seating_results = results_by_seating.setdefault(
                (describe_seating(condition.seats), modality, condition.reprompt), {}
            )
            seating_results.setdefault(game, []).extend(episodes)
    score_rows = []
    for (players, modality, reprompt), results_by_game in sorted(results_by_seating.items()):
        game_names = sorted(results_by_game)
        total_clemscore = compute_clemscore([_compute_game_means(game, results_by_game[game]) for game in game_names])
        episode_counts = {game: len(results_by_game[game]) for game in game_names}
        games_with_mixed_settings = [
            game for game in game_names if has_mixed_settings(_list_conditions(results_by_game[game]))
        ]
        score_rows.append(
            ClemscoreRow(players, modality, reprompt, total_clemscore, episode_counts, games_with_mixed_settings)
        )
    return score_rows


def _list_conditions(results: Iterable[EpisodeResult]) -> Iterable[Condition]:
    return {result.condition.id: result.condition for result in results}.values()


def _compute_game_means(game: str, episodes: Sequence[EpisodeResult]) -> GameMeans:
    aborted_ending = Ending.ABORTED
    played_results = [result for result in episodes if result.ending != aborted_ending]
    scores = [result.main_score for result in played_results if result.main_score is not None]
    return GameMeans(game, 100 * len(played_results) / len(episodes), average(scores) if scores else None)
