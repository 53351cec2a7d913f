"""How people, programs and models did on the very instance of a finished game, as far as a browser may know it.

Counted are finished games that results would count and that the browser may see: neither private games nor games in
play are in any number here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.core.events import Ending, Json
from engine.storage.database import StoreError
from engine.storage.episode_row import EpisodeSummary, Status
from engine.storage.listings import Listings
from ui.live.offers import PERSON_PROVIDER
from ui.live.server import LiveServer
from ui.live.table import LiveTable

MAX_EPISODES = 300
"""How many games of an instance are looked at, the newest."""
MAX_LINKED_EPISODES = 3
"""How many games of a row are linked."""
EXCLUDED_EPISODE_MARKS = frozenset({"mixed", "practice", "informed", "both_seats"})
PLAYER_TITLES = {
    PERSON_PROVIDER: "people",
    "scripted": "scripted players",
    "random": "random players",
    "optimal": "optimal players",
}


def compare_same_instance(server: LiveServer, browser: str | None, table: LiveTable) -> Json | None:
    """Return the figures of other games of a table's instance; None where a browser may not compare now.

    That is a table of a study, and a browser that plays the same game elsewhere.
    """
    if table.study or table.row.game in server.visibility.list_games_played(browser):
        return None
    try:
        episode_row = server.reader.episode(table.id)
    except StoreError:  # removed a moment ago
        return None
    other_episodes = Listings(server.reader).list_instance_episodes(episode_row, MAX_EPISODES)
    hidden_ids = server.visibility.list_hidden_episodes(browser)
    readable_episodes = [
        episode for episode in other_episodes if episode.id not in hidden_ids and episode.status is Status.OVER
    ]
    compared_episodes = list(_find_comparable_episodes(server, browser, readable_episodes))
    episodes_by_title: dict[str, list[EpisodeSummary]] = {}
    for episode in compared_episodes:
        episodes_by_title.setdefault(_name_players(episode.seats.values()), []).append(episode)
    return {
        "rows": [_make_comparison_row(title, episodes) for title, episodes in sorted(episodes_by_title.items())],
        "sides": _count_side_wins(compared_episodes),
        "hidden": len(other_episodes) - len(readable_episodes),
    }


def _find_comparable_episodes(
    server: LiveServer, browser: str | None, episodes: Sequence[EpisodeSummary]
) -> Iterator[EpisodeSummary]:
    marks_by_episode = server.reader.results.read_marks([episode.id for episode in episodes])
    for episode in episodes:
        is_abandoned = (episode.outcome or {}).get("kind") == Ending.ABANDONED
        if is_abandoned or episode.mixed or marks_by_episode.get(episode.id, set()) & EXCLUDED_EPISODE_MARKS:
            continue
        if server.studies.find_reading_refusal_reason(browser, episode.id) is None:
            yield episode


def _name_players(players: Iterable[str]) -> str:
    """Return who played, in words: "People with scripted players", "openai/gpt-5"."""
    distinct_players = dict.fromkeys(sorted(players, key=lambda player: (player != PERSON_PROVIDER, player)))
    players_text = " with ".join(PLAYER_TITLES.get(player, player) for player in distinct_players)
    return players_text if "/" in players_text.split(" ")[0] else f"{players_text[:1].upper()}{players_text[1:]}"


def _make_comparison_row(players_title: str, episodes: Sequence[EpisodeSummary]) -> Json:
    endings = [(episode.outcome or {}).get("kind") for episode in episodes]
    scores = [score for episode in episodes if (score := (episode.scores or {}).get("main_score")) is not None]
    return {
        "title": players_title,
        "games": len(episodes),
        "won": None if Ending.DECIDED in endings else endings.count(Ending.SUCCESS),
        "mean": sum(scores) / len(scores) if scores else None,
        "episodes": [episode.id for episode in episodes[:MAX_LINKED_EPISODES]],
    }


def _count_side_wins(episodes: Iterable[EpisodeSummary]) -> list[Json]:
    """Return how often each side of a game against each other has won."""
    outcomes = [outcome for episode in episodes if (outcome := episode.outcome) and outcome.get("sides")]
    side_names = dict.fromkeys(side for outcome in outcomes for side in outcome["sides"])
    return [
        {
            "side": side,
            "won": sum(outcome.get("winner") == side for outcome in outcomes),
            "games": sum(side in outcome["sides"] for outcome in outcomes),
        }
        for side in side_names
    ]
