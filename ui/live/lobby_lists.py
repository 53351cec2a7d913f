"""The lists of the lobby: a browser's own open games, its open tables, running games, finished games.

They are read from the index of the log, also for episodes of other processes, through a connection and in a thread of
their own. What is the same for everybody is computed once per change of the log, however many lobbies are open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from engine.core.events import Json, to_json
from engine.play.registry import Registry
from engine.storage.episode_row import EpisodeSummary, Status
from engine.storage.listings import Listings
from engine.storage.seat_links import SeatLinks
from engine.storage.store import Store
from engine.storage.visibility import Visibility
from ui.live.offers import RECORDED_PROVIDER
from ui.live.profile import describe_titles, played_games

MAX_LISTED_GAMES = 20
BROWSERS_PER_BATCH = 50
"""Browsers whose lists are read before a newcomer's get their turn."""


class LobbyLists(NamedTuple):
    """The lists that one browser sees, each as JSON text."""

    mine: str
    opened: str
    running: str
    finished: str
    played: str = "[]"
    """The browser's own last finished games, as their player sees them."""
    free: str = "[]"
    """Seats that are offered to everybody now; the log does not know them."""
    asking: str = "[]"
    """Browsers that wait for a seat; the log does not know them."""

    def make_message(self, previous_lists: LobbyLists | None = None) -> str:
        """Return a message with the lists that differ from those of before."""
        changed_names = [
            list_name
            for list_name in self._fields
            if previous_lists is None or getattr(self, list_name) != getattr(previous_lists, list_name)
        ]
        return "{" + ",".join(f"{to_json(list_name)}:{getattr(self, list_name)}" for list_name in changed_names) + "}"


@dataclass(frozen=True, slots=True)
class SharedLobbyLists:
    """What is the same for everybody, as of one version of the log, and what newcomers see of it."""

    data_version: int
    running_games: list[Json]
    finished_episodes: list[EpisodeSummary]
    newcomer_lists: LobbyLists


class ListReader:
    """Reads lists for all lobbies, with its own connection, opened at first use, and its own thread."""

    def __init__(self, db_path: Path, registry: Registry) -> None:
        self._database, self._registry = db_path, registry
        self._thread = ThreadPoolExecutor(1, "ludens-lobby")
        self._store: Store | None = None
        self._episode_listings: Listings
        self._links: SeatLinks
        self._visibility: Visibility
        self._shared_lobby_lists: SharedLobbyLists | None = None
        self._is_closed = False

    async def read_lists(self, browsers: Iterable[str | None]) -> dict[str | None, LobbyLists]:
        """Return the lists of browsers; None stands for a newcomer."""
        distinct_browsers = list(dict.fromkeys(browsers))
        lists_by_browser: dict[str | None, LobbyLists] = {}
        for batch_start in range(0, len(distinct_browsers), BROWSERS_PER_BATCH):
            if self._is_closed:
                break
            browser_batch = distinct_browsers[batch_start : batch_start + BROWSERS_PER_BATCH]
            lists_by_browser |= await asyncio.get_running_loop().run_in_executor(
                self._thread, self._read_lobby_lists, browser_batch
            )
        return lists_by_browser

    def close(self) -> None:
        """Close the connection once the present reading is done."""
        self._is_closed = True
        self._thread.shutdown(cancel_futures=True)
        if self._store:
            self._store.close()

    # ------------------------------------------------------------------ in the thread
    def _read_lobby_lists(self, browsers: Sequence[str | None]) -> dict[str | None, LobbyLists]:
        if self._store is None:
            self._store = Store(self._database, purpose="lobby")
            self._episode_listings = Listings(self._store)
            self._links = SeatLinks(self._store, self._store)
            self._visibility = Visibility(self._store, self._links)
        data_version = self._store.read_data_version()
        if self._shared_lobby_lists is None or self._shared_lobby_lists.data_version != data_version:
            self._shared_lobby_lists = self._read_shared_lobby_lists(data_version)
        shared_lobby_lists, known_browsers = (
            self._shared_lobby_lists,
            self._episode_listings.filter_known_browsers(browsers),
        )
        return {
            browser: self._read_browser_lists(browser, shared_lobby_lists)
            if browser in known_browsers and browser is not None
            else shared_lobby_lists.newcomer_lists
            for browser in browsers
        }

    def _read_shared_lobby_lists(self, data_version: int) -> SharedLobbyLists:
        running_games = [
            {
                "episode": episode.id,
                **self._describe_titles(episode),
                "seats": episode.seats,
                "asks": self._episode_listings.count_replies(episode),
                "started": episode.created,
                "by": episode.origin,
            }
            for episode in self._episode_listings.list_unattended_games(MAX_LISTED_GAMES)
        ]
        finished_episodes = self._episode_listings.list_program_games(MAX_LISTED_GAMES)
        finished_games = [self._describe_finished_game(episode) for episode in finished_episodes]
        newcomer_lists = LobbyLists(
            "[]",
            "[]",
            to_json(self._filter_visible_games(None, running_games)),
            to_json(self._filter_visible_games(None, finished_games)),
        )
        return SharedLobbyLists(data_version, running_games, finished_episodes, newcomer_lists)

    def _read_browser_lists(self, browser: str, shared_lobby_lists: SharedLobbyLists) -> LobbyLists:
        """Return the lists of a browser that is not new here.

        Half of the finished games may be its own, so that a run does not push them out.
        """
        own_episodes = self._episode_listings.list_finished_games(browser, MAX_LISTED_GAMES // 2)
        row_numbers = {episode.row for episode in own_episodes}
        program_episodes = [
            episode for episode in shared_lobby_lists.finished_episodes if episode.row not in row_numbers
        ]
        latest_episodes = sorted(
            [*own_episodes, *program_episodes][:MAX_LISTED_GAMES], key=lambda episode: episode.updated, reverse=True
        )
        finished_games = [self._describe_finished_game(episode) for episode in latest_episodes]
        own_games = played_games(browser, own_episodes, self._links, self._registry)
        return LobbyLists(
            to_json(self._list_own_games(browser)),
            to_json(self._list_opened_tables(browser)),
            to_json(self._filter_visible_games(browser, shared_lobby_lists.running_games)),
            to_json(self._filter_visible_games(browser, finished_games)),
            to_json(own_games),
        )

    def _filter_visible_games(self, browser: str | None, games: list[Json]) -> list[Json]:
        """Return games without those that replay what a browser may not see."""

        def is_visible(game: Json) -> bool:
            is_replay = any(player.startswith(f"{RECORDED_PROVIDER}/") for player in game["seats"].values())
            return not is_replay or self._visibility.find_refusal(browser, game["episode"]) is None

        return [game for game in games if is_visible(game)]

    def _list_own_games(self, browser: str) -> list[Json]:
        """Return a browser's open games, newest first."""
        return [
            {
                "id": open_seat.seat_id,
                "seat": open_seat.seat,
                **self._describe_titles(open_seat.episode),
                "turn": "you" if open_seat.is_asked else "other",
                "started": open_seat.episode.created,
                "stalled": open_seat.episode.status is Status.STALLED,
            }
            for open_seat in self._episode_listings.list_open_seats(browser, 5 * MAX_LISTED_GAMES)
        ]

    def _list_opened_tables(self, browser: str) -> list[Json]:
        """Return the open tables with people that a browser opened without taking a seat, newest first."""
        return [
            {
                "episode": episode.id,
                **self._describe_titles(episode),
                "seats": episode.seats,
                "free": self._episode_listings.list_free_seats(episode.id),
                "started": episode.created,
                "stalled": episode.status is Status.STALLED,
            }
            for episode in self._episode_listings.list_open_tables(browser, 5 * MAX_LISTED_GAMES)
        ]

    def _describe_finished_game(self, episode: EpisodeSummary) -> Json:
        return {
            "episode": episode.id,
            **self._describe_titles(episode),
            "seats": episode.seats,
            "outcome": episode.outcome,
            "started": episode.created,
            "ended": episode.updated,
            "mixed": episode.mixed,
        }

    def _describe_titles(self, episode: EpisodeSummary) -> Json:
        return describe_titles(self._registry, episode)
