"""The clemscore: percentage played times quality, averaged over games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.core.events import Ending, Json, canonical
from engine.results.exclusion import exclusion_reason
from engine.results.statistics import mean
from engine.storage.episode_result import EpisodeResult

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, slots=True)
class GameMeans:
    """What one game contributes to a clemscore: % played and quality over all its episodes, None when none was."""

    game: str
    played: float
    quality: float | None


def clemscore(parts: Sequence[GameMeans]) -> Json:
    """Return {"played", "quality", "clemscore", "unplayed"}: (avg % played / 100) · avg quality, over games.

    A game with no played episode counts 0 in % played and drops out of quality; it is named in `unplayed`
    (multimodal-games-paper, Table 1). Raises ValueError without a game.
    """
    played = mean([part.played for part in parts])
    qualities = [part.quality for part in parts if part.quality is not None]
    quality = mean(qualities) if qualities else None
    return {
        "played": played,
        "quality": quality,
        "clemscore": played * (quality or 0.0) / 100,
        "unplayed": [part.game for part in parts if part.quality is None],
    }


def task_of(game: str, variant: str) -> tuple[str, str]:
    """Return what a variant counts as in a clemscore: its game (family, with the task if there are several), modality.

    `matchit/text` is ("matchit", "text"), `mapworld/ee-gr-picture` is ("mapworld/ee-gr", "picture"); a variant that
    names no modality is text.
    """
    task, _, modality = variant.rpartition("-")
    if modality not in ("text", "picture"):
        return game, "text"
    return (f"{game}/{task}" if task else game), modality


def seating_label(seats: Mapping[str, str]) -> str:
    """Return who plays in a few words: one player's name where all seats have the same one, else "A + B" in order."""
    players = list(dict.fromkeys(seats.values()))
    return players[0] if len(players) == 1 else " + ".join(seats.values())


def clemscores(
    results: Iterable[EpisodeResult], *, leave_out: Iterable[str] = (), informed: bool = False
) -> list[dict[str, Any]]:
    """Return a clemscore per seating, modality and reprompt, over all counted episodes of each game.

    `leave_out` names the games that never enter (adversarial ones, Ask-Guess). Each has `players`, `modality`,
    `reprompt`, the numbers of `clemscore`, `games` (those it covers, with n) and `mixed_settings` (games whose episodes
    were played with more than one setting, game version or prompt set).
    """
    without = set(leave_out)
    by_condition: dict[str, list[EpisodeResult]] = {}
    for result in results:
        if not (exclusion_reason(result, informed) or result.sides or result.ending == Ending.DECIDED):
            by_condition.setdefault(result.condition.id, []).append(result)
    pools: dict[tuple[str, str, int], dict[str, list[EpisodeResult]]] = {}
    for found in by_condition.values():
        condition = found[0].condition
        if condition.game not in without:
            game, modality = task_of(condition.game, condition.variant)
            pool = pools.setdefault((seating_label(condition.seats), modality, condition.reprompt), {})
            pool.setdefault(game, []).extend(found)
    made = []
    for (players, modality, reprompt), games in sorted(pools.items()):
        parts, mixed = [], []
        for game in sorted(games):
            episodes = games[game]
            scores = [result.main for result in episodes if result.ending != Ending.ABORTED and result.main is not None]
            hits = sum(result.ending != Ending.ABORTED for result in episodes)
            parts.append(GameMeans(game, 100 * hits / len(episodes), mean(scores) if scores else None))
            conditions = {result.condition.id: result.condition for result in episodes}.values()
            if len({canonical([one.settings, one.game_version, one.prompts]) for one in conditions}) > 1:
                mixed.append(game)
        made.append(
            {
                "players": players,
                "modality": modality,
                "reprompt": reprompt,
                **clemscore(parts),
                "games": {game: len(games[game]) for game in sorted(games)},
                "mixed_settings": mixed,
            }
        )
    return made
