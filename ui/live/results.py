"""The results of the log as browsers may see them, read in a thread of their own.

Episodes of people that a browser may not see are in no number it gets, nor is any game that people are still playing:
its experiment may be the answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from engine.core.condition import Condition
from engine.core.events import Json
from engine.play.registry import Registry
from engine.results import leaderboard
from engine.results.ability import MIN_GAMES_FOR_RATING, AbilityTables
from engine.results.index import Results
from engine.results.rating_board import rate_person
from engine.storage.episode_result import EpisodeResult
from engine.storage.participants import compute_participant_key
from engine.storage.seat_links import SeatLinks, count_repeat_exposures
from engine.storage.store import Store
from engine.storage.visibility import Visibility

ResultT = TypeVar("ResultT")
MAX_CACHED_ANSWERS = 32
"""How many answers are kept until the log changes."""


@dataclass(frozen=True, slots=True)
class VisibleResults:
    """The results that one browser may see; used in the thread of the `ResultsReader` alone."""

    results: Results
    store: Store
    hidden_episodes: frozenset[str]
    cached_answers: dict[Hashable, Any]
    variant_rows: leaderboard.VariantRows
    ability_tables: AbilityTables

    def conditions(self) -> list[Condition]:
        """Return the conditions that are planned or have a visible episode: others must not become known."""
        results_by_condition = self.results.results_by_condition
        return [
            condition
            for condition in self.results.conditions
            if condition.id not in results_by_condition
            or not all(result.episode in self.hidden_episodes for result in results_by_condition[condition.id])
        ]

    def list_episodes(self, matches: Callable[[Condition], bool] | None = None) -> Iterator[EpisodeResult]:
        """Yield the visible episodes of the conditions that `matches` accepts."""
        for condition in self.results.conditions:
            if matches is None or matches(condition):
                yield from self.list_condition_episodes(condition.id)

    def list_condition_episodes(self, condition_id: str) -> Iterator[EpisodeResult]:
        """Yield the visible episodes of a condition, named by its id."""
        condition_results = self.results.results_by_condition.get(condition_id, ())
        return (result for result in condition_results if result.episode not in self.hidden_episodes)

    def find_repeat_episodes(self) -> set[str]:
        """Return the episodes with a person who had seen the instance before (ids)."""
        return self.cache_answer("repeats", lambda: count_repeat_exposures(self.store))

    def cache_answer(self, cache_key: Hashable, compute_answer: Callable[[], ResultT]) -> ResultT:
        """Return what `compute_answer` returns, kept until the log changes, or `MAX_CACHED_ANSWERS` more were used."""
        full_key = (cache_key, self.hidden_episodes)
        answer: ResultT = self.cached_answers.pop(full_key) if full_key in self.cached_answers else compute_answer()
        while len(self.cached_answers) >= MAX_CACHED_ANSWERS:
            del self.cached_answers[next(iter(self.cached_answers))]
        self.cached_answers[full_key] = answer
        return answer


class ResultsReader:
    """Reads results for all browsers, with its own connection, opened at first use, and its own thread.

    The threads that games are played with are neither waited for nor blocked.
    """

    def __init__(self, db_path: Path, registry: Registry) -> None:
        self._database, self._registry = db_path, registry
        self._thread = ThreadPoolExecutor(1, "ludens-results")
        self._store: Store | None = None
        self._results: Results | None = None
        self._visibility: Visibility | None = None
        self._cached_answers: dict[Hashable, Any] = {}
        self._variants = leaderboard.VariantRows()
        self._abilities = AbilityTables()

    async def read_results(self, browser: str | None, compute_answer: Callable[[VisibleResults], ResultT]) -> ResultT:
        """Run `compute_answer` on the results that a browser may see, in the reader's thread; return its result."""
        return await asyncio.get_running_loop().run_in_executor(
            self._thread, self._read_results_in_thread, browser, compute_answer
        )

    async def find_readable_episodes(self, browser: str | None, matches: Callable[[Condition], bool]) -> frozenset[str]:
        """Return the finished episodes of conditions that match and whose texts a browser may read now.

        While it plays a game, that is no episode of this game but its own: others could show what the other side has.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._readable_episodes, browser, matches)

    async def read_ratings(self, browser: str | None) -> list[Json]:
        """Return a person's ratings outside studies as JSON rows; none below `MIN_GAMES_FOR_RATING` games.

        A row has `table` (the id of the table of ratings), `game`, `variant`, `role` (empty in a game with sides),
        `rating`, `low`, `high`, `n`, `connected` and `prior_only`. They are of the games that the browser may see, and
        nobody else gets them: others see people as a whole.
        """
        return await self.read_results(browser, partial(_rate_own_games, browser=browser))

    def _readable_episodes(self, browser: str | None, matches: Callable[[Condition], bool]) -> frozenset[str]:
        finished_results = self._read_results_in_thread(
            browser,
            lambda visible_results: [
                result for result in visible_results.list_episodes(matches) if result.ending is not None
            ],
        )
        assert self._visibility is not None  # `_read_results_in_thread` has opened it
        games_in_play = self._visibility.list_games_played(browser)  # last: a game that began meanwhile counts, too
        own_episodes = self._visibility.list_own_episodes(browser)
        return frozenset(
            result.episode
            for result in finished_results
            if result.game not in games_in_play or result.episode in own_episodes
        )

    def _read_results_in_thread(
        self, browser: str | None, compute_answer: Callable[[VisibleResults], ResultT]
    ) -> ResultT:
        if self._results is None or self._store is None or self._visibility is None:
            self._store = Store(self._database, purpose="results")
            self._results = Results(self._store, self._registry)
            self._visibility = Visibility(self._store, SeatLinks(self._store, self._store))
        if self._results.refresh():
            self._cached_answers.clear()
        # hidden episodes after the results: a game that began meanwhile is hidden, too
        hidden_episodes = self._visibility.list_hidden_episodes(browser)
        return compute_answer(
            VisibleResults(
                self._results, self._store, hidden_episodes, self._cached_answers, self._variants, self._abilities
            )
        )

    def close(self) -> None:
        """Close the connection once the present computation is done."""
        self._thread.shutdown(cancel_futures=True)
        if self._store:
            self._store.close()


def _rate_own_games(visible_results: VisibleResults, browser: str | None) -> list[Json]:
    person_key = compute_participant_key(visible_results.store, browser) if browser else None
    game_counts: dict[tuple[str, str], int] = {}
    lobby_results = [
        result for result in visible_results.list_episodes() if not result.study
    ]  # a study says what its people are told
    for result in lobby_results:
        if person_key in result.participants:
            game_variant = result.game, result.variant
            game_counts[game_variant] = game_counts.get(game_variant, 0) + 1
    rated_games = {
        game_variant for game_variant, game_count in game_counts.items() if game_count >= MIN_GAMES_FOR_RATING
    }
    if person_key is None or not rated_games:
        return []
    return visible_results.cache_answer(
        ("own ratings", person_key),
        lambda: rate_person(
            [result for result in lobby_results if (result.game, result.variant) in rated_games],
            person_key,
            visible_results.results.sides_by_game,
            visible_results.find_repeat_episodes(),
        ),
    )
