"""The games of one browser as its player sees them: how each ended for them, and counts per game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.core.events import Ending, Json
from engine.play.registry import Registry
from engine.storage.episode_row import EpisodeSummary
from engine.storage.listings import Listings
from engine.storage.seat_links import SeatLinks
from ui.live.offers import PERSON_PROVIDER

MAX_HISTORY_GAMES = 200
"""Games of a profile's history, and those that its counts are of."""


def describe_ending(outcome: Json | None, seat: str | None) -> str:
    """Return how a finished game ended for a seat: "won", "lost", "aborted", "abandoned"; "over" for no seat."""
    outcome_kind = (outcome or {}).get("kind")
    if outcome_kind in (Ending.ABORTED, Ending.ABANDONED):
        return str(outcome_kind)
    if seat is None or outcome is None:
        return "over"
    if outcome_kind == Ending.DECIDED:
        winners: list[str] = (outcome.get("sides") or {}).get(outcome.get("winner"), [])
        return "won" if seat in winners else "lost"
    return "won" if outcome_kind == Ending.SUCCESS else "lost"


def describe_played_game(episode: EpisodeSummary, seat: str | None, has_left: bool, registry: Registry) -> Json:
    """Return a finished game as a line of its player's list.

    `seat` is None where the browser holds none at the end; `has_left` says that it has held one before.
    """
    players = [player for other_seat, player in episode.seats.items() if other_seat != seat]
    partners = "people" if PERSON_PROVIDER in players else "programs" if players[1:] else "program" if players else None
    if seat is None and (has_left or players.count(PERSON_PROVIDER) == 1):  # one of them sits at the browser's own seat
        partners = None
    return {
        "episode": episode.id,
        **describe_titles(registry, episode),
        "seat": seat,
        "result": "left" if has_left else describe_ending(episode.outcome, seat),
        "removable": has_left or seat is not None,
        "with": partners,
        "score": (episode.scores or {}).get("main_score"),
        "ended": episode.updated,
    }


def played_games(browser: str, episodes: Sequence[EpisodeSummary], links: SeatLinks, registry: Registry) -> list[Json]:
    """Return those of a browser's finished games that people played, as lines of its player's list."""
    episode_ids = [episode.id for episode in episodes]
    seats = {episode: link.seat for episode, link in links.list_browser_seats(browser, episode_ids).items()}
    former_episodes = links.list_played_episodes(browser, episode_ids) - seats.keys()
    return [
        describe_played_game(episode, seats.get(episode.id), episode.id in former_episodes, registry)
        for episode in episodes
        if episode.id in seats or episode.id in former_episodes or PERSON_PROVIDER in episode.seats.values()
    ]


def describe_profile(browser: str, listings: Listings, links: SeatLinks, registry: Registry) -> Json:
    """Return the games of a browser: counts per game, and the history, newest first."""
    episodes = listings.list_finished_games(browser, MAX_HISTORY_GAMES)
    game_history = played_games(browser, episodes, links, registry)
    return {"games": count_results(game_history), "history": game_history}


def count_results(game_history: Sequence[Json]) -> list[Json]:
    """Return for each game how many were played and how they ended, the most played first."""
    title_by_game = {game["game"]: game["title"] for game in game_history}
    results = Counter((game["game"], game["result"]) for game in game_history if game["seat"] is not None)
    played_counts = Counter(game["game"] for game in game_history if game["seat"] is not None)
    return [
        {
            "game": game_name,
            "title": title_by_game[game_name],
            "played": game_count,
            **{result_kind: results[game_name, result_kind] for result_kind in ("won", "lost", "aborted", "abandoned")},
        }
        for game_name, game_count in played_counts.most_common()
    ]


def describe_titles(registry: Registry, episode: EpisodeSummary) -> Json:
    """Return the names and titles of a game and a variant; a game that is gone goes by its bare name."""
    try:
        game = registry.game(episode.game)
        title_fields = {"title": game.title, "variant_title": game.variant(episode.variant).title}
    except LookupError:
        title_fields = {"title": episode.game, "variant_title": episode.variant}
    return {"game": episode.game, "variant": episode.variant, **title_fields}
