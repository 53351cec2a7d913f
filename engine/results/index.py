"""The results of a log: all its episodes as result rows count them, read once and updated when the log changes.

The store keeps a narrow row for every scored episode (`Store.set_scores`), so that 100,000 episodes are read in a
second without touching events or instances. Open, stalled and unscorable episodes are read from the index each time.
Episodes that are over but have no scores, or scores of an older version, are scored first.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from engine.core.condition import Condition
from engine.core.events import Json
from engine.core.scores import Summary
from engine.core.start import EpisodeStart
from engine.results import leaderboard
from engine.results.planned import make_condition
from engine.results.table import MissingEpisodes, ResultRow, make_result_rows
from engine.storage.database import StoreError
from engine.storage.episode_result import EpisodeResult
from engine.storage.participants import read_participant_keys

if TYPE_CHECKING:
    from engine.play.registry import Registry
    from engine.storage.store import Store

logger = logging.getLogger("ludens.results")

EPISODES_PER_BATCH = 500
"""Episodes that are scored and stored in one transaction."""


class Results:
    """The results of one log. Only this object may read from the store given; use it from one thread at a time."""

    def __init__(self, store: Store, registry: Registry) -> None:
        self._store, self._registry = store, registry
        self._result_table = store.results
        self._result_by_row_number: dict[int, EpisodeResult] = {}
        self._other_results: list[EpisodeResult] = []
        self._fallbacks: dict[str, EpisodeResult] = {}
        """What counts in place of rows of older rules that could not be replaced, by episode."""
        self._last_sequence = 0
        self._data_version: int | None = None
        self._cached_rows: dict[tuple[str, bool], list[ResultRow]] = {}
        self.results_by_condition: dict[str, list[EpisodeResult]] = {}
        """Episodes by the id of their condition."""
        self.missing_episodes_by_condition: Mapping[str, MissingEpisodes] = {}
        """How many episodes were planned and not begun, by the id of their condition."""
        self.sides_by_game: Mapping[str, Sequence[str]] = {}
        """The sides of each adversarial game in the log."""
        self.summary_by_game: Mapping[str, Summary] = {}
        """The summaries of the games in the log; no other game is loaded."""

    @property
    def episodes(self) -> list[EpisodeResult]:
        """All episodes."""
        return [result for results in self.results_by_condition.values() for result in results]

    def list_episodes(self, matches_condition: Callable[[Condition], bool]) -> list[EpisodeResult]:
        """Return the episodes of the conditions that match."""
        conditions = filter(matches_condition, self.conditions)
        return [result for condition in conditions for result in self.results_by_condition.get(condition.id, ())]

    @property
    def conditions(self) -> list[Condition]:
        """All conditions with a played or planned episode, in the order of rows."""
        conditions = {condition_id: results[0].condition for condition_id, results in self.results_by_condition.items()}
        conditions |= {
            condition_id: missing_group.condition
            for condition_id, missing_group in self.missing_episodes_by_condition.items()
        }
        return sorted(conditions.values(), key=lambda condition: condition.key)

    def list_rows(
        self,
        matches_condition: Callable[[Condition], bool] | None = None,
        *,
        include_informed_players: bool = False,
        hidden_ids: Collection[str] = frozenset(),
    ) -> list[ResultRow]:
        """Return the result rows of the conditions that match, without the `hidden_episodes` (ids)."""
        conditions = self.conditions if matches_condition is None else filter(matches_condition, self.conditions)
        return [
            row for condition in conditions for row in self._list_rows(condition, include_informed_players, hidden_ids)
        ]

    def _list_rows(
        self, condition: Condition, include_informed_players: bool, hidden_ids: Collection[str]
    ) -> list[ResultRow]:
        results = self.results_by_condition.get(condition.id, [])
        visible_results = [result for result in results if result.episode not in hidden_ids] if hidden_ids else results
        is_complete = len(visible_results) == len(results)
        include_informed_players = include_informed_players and condition.people  # only people can be informed
        cache_key = (condition.id, include_informed_players)
        if is_complete and cache_key in self._cached_rows:
            return self._cached_rows[cache_key]
        missing_episodes = (
            {condition.id: self.missing_episodes_by_condition[condition.id]}
            if condition.id in self.missing_episodes_by_condition
            else {}
        )
        condition_rows = make_result_rows(
            visible_results,
            sides=self.sides_by_game,
            summaries=self.summary_by_game,
            include_informed_players=include_informed_players,
            missing_episodes_by_condition=missing_episodes,
        )
        if is_complete:
            self._cached_rows[cache_key] = condition_rows
        return condition_rows

    # ------------------------------------------------------------------ reading
    def refresh(self) -> bool:
        """Read what other connections have changed since the last call; return whether anything counted differs."""
        data_version = self._store.read_data_version()
        if data_version == self._data_version:
            return False
        is_first_player = self._data_version is None
        unscorable_result_by_episode = {
            result.episode: result for result in self._score_unscored_episodes(replace_outdated=is_first_player)
        }
        self._data_version = data_version
        changed_conditions = {result.condition.id for result in self._other_results} | set(
            self.missing_episodes_by_condition
        )
        previous_state = self._make_state_key()
        changed_conditions |= self._read_results()
        if is_first_player:
            self._fallbacks = {
                result.episode: unscorable_result_by_episode.pop(result.episode)
                for result in self._result_by_row_number.values()
                if result.episode in unscorable_result_by_episode
            }
        self._other_results = [
            *self._read_unfinished(),
            *unscorable_result_by_episode.values(),
            *self._fallbacks.values(),
        ]
        self._add_participants(self._other_results)
        planned_counts = self._result_table.count_planned_episodes()
        self.missing_episodes_by_condition = {
            condition.id: MissingEpisodes(condition, count) for condition, count in planned_counts.items()
        }
        results_by_condition: dict[str, list[EpisodeResult]] = {}
        scored_results = (
            result for result in self._result_by_row_number.values() if result.episode not in self._fallbacks
        )
        for result in (*scored_results, *self._other_results):
            results_by_condition.setdefault(result.condition.id, []).append(result)
        self.results_by_condition = results_by_condition
        self._add_usage()
        games = {condition.game for condition in self.conditions}
        self.sides_by_game = leaderboard.find_sides_by_game(self._registry, games)
        self.summary_by_game = leaderboard.find_summaries_by_game(self._registry, games)
        changed_conditions |= {result.condition.id for result in self._other_results} | set(
            self.missing_episodes_by_condition
        )
        self._cached_rows = {
            cache_key: rows for cache_key, rows in self._cached_rows.items() if cache_key[0] not in changed_conditions
        }
        return self._make_state_key() != previous_state

    def _make_state_key(self) -> tuple[object, ...]:
        """Return what differs when anything counted has changed. A server writes its heartbeat every few seconds."""
        other_results = [(game.episode, game.ending, game.is_stalled, game.mixed) for game in self._other_results]
        missing_count_by_condition = {
            condition_id: missing_group.number
            for condition_id, missing_group in self.missing_episodes_by_condition.items()
        }
        return self._last_sequence, len(self._result_by_row_number), other_results, missing_count_by_condition

    def _score_unscored_episodes(self, *, replace_outdated: bool) -> list[EpisodeResult]:
        """Score the episodes that are over and have no result row, or with `replace_outdated` an outdated one.

        Returns the results of those that cannot be scored: the game is missing, or its scoring fails.
        """
        games = self._result_table.list_played_games()
        versions = {game: self._registry.scores_version(game) for game in games if self._registry.has(game)}
        pending_episodes = self._result_table.list_unscored_episodes()
        if replace_outdated:
            outdated_episodes = self._result_table.list_outdated_episodes(versions.values())
            pending_episodes += [episode for episode in outdated_episodes if episode.game in versions]
        unscorable_results: list[EpisodeResult] = []
        episodes = [episode for episode, game in pending_episodes if game in versions]
        for batch_start in range(0, len(episodes), EPISODES_PER_BATCH):
            unscorable_results += self._score_batch(episodes[batch_start : batch_start + EPISODES_PER_BATCH], versions)
        episode_rows = [self._store.episode(episode) for episode, game in pending_episodes if game not in versions]
        return unscorable_results + [
            EpisodeResult.from_row(
                row, row.scores, event_flags=self._store.read_event_flags(row), is_unscored=not row.scores
            )
            for row in episode_rows
        ]

    def _score_batch(self, episodes: Sequence[str], versions: Mapping[str, str]) -> list[EpisodeResult]:
        scored_rows: list[tuple[str, str, Json]] = []
        unscorable_results = []
        for episode in episodes:
            try:
                row = self._store.episode(episode)
                if row.scores and row.scores_version == versions[row.game]:  # a log from before there were result rows
                    scored_rows.append((episode, row.scores_version, row.scores))
                else:
                    scored_rows += rescore_episodes(self._store, self._registry, [episode])
            except StoreError:  # removed a moment ago
                continue
            except Exception as error:  # a game's bug must not hide the results of others
                logger.warning("episode %s cannot be scored: %s: %s", episode, type(error).__name__, error)
                unscorable_results.append(EpisodeResult.from_row(self._store.episode(episode), None, is_unscored=True))
        try:
            self._store.set_scores(scored_rows)
        except sqlite3.OperationalError:  # a read-only file: scored again next time
            for episode, _, scores in scored_rows:
                row = self._store.episode(episode)
                unscorable_results.append(
                    EpisodeResult.from_row(row, scores, event_flags=self._store.read_event_flags(row))
                )
        return unscorable_results

    def _read_results(self) -> set[str]:
        """Read the new result rows; return the ids of the conditions that gained or lost an episode."""
        changed_conditions = set()
        new_results = []
        for sequence_number, row_number, result in self._result_table.read_results_after(self._last_sequence):
            new_results.append(result)
            changed_conditions.add(result.condition.id)
            if previous_result := self._result_by_row_number.get(row_number):
                changed_conditions.add(previous_result.condition.id)
            self._result_by_row_number[row_number] = result
            self._fallbacks.pop(result.episode, None)
            self._last_sequence = sequence_number
        if len(self._result_by_row_number) != self._result_table.count_rows():
            changed_conditions = set(self.results_by_condition)  # episodes were removed: read all rows again
            self._result_by_row_number = {row: result for _, row, result in self._result_table.read_results_after(0)}
            new_results = list(self._result_by_row_number.values())
            episodes = {result.episode for result in self._result_by_row_number.values()}
            self._fallbacks = {episode: result for episode, result in self._fallbacks.items() if episode in episodes}
            changed_conditions |= {result.condition.id for result in self._result_by_row_number.values()}
        self._add_participants(new_results)
        return changed_conditions

    def _add_usage(self) -> None:
        """Read what models were sent and took from the events of scored episodes with whose scores it is not stored.

        Only what was dropped or is not complete counts there, so that their rows stay as they were otherwise.
        """
        older_results = [
            result
            for condition in self.conditions
            if "model" in {self._registry.player_kind(player, condition.game) for player in condition.seats.values()}
            for result in self.results_by_condition.get(condition.id, ())
            if result.ending is not None and result.older_usage is None and not result.has_stored_usage
        ]
        usages_by_episode = self._store.read_usage([result.episode for result in older_results])
        for result in older_results:
            episode_usages = usages_by_episode.get(result.episode, {})
            result.older_usage = episode_usages and {
                player: usage for player, usage in episode_usages.items() if usage.is_noteworthy
            }

    def _add_participants(self, results: Iterable[EpisodeResult]) -> None:
        """Note in results with people who they are."""
        result_by_episode = {result.episode: result for result in results if result.condition.people}
        if not result_by_episode:
            return
        keys_by_episode: dict[str, dict[str, str]] = {}
        for (episode, seat), participant_key in read_participant_keys(self._store, result_by_episode).items():
            keys_by_episode.setdefault(episode, {})[seat] = participant_key
        for episode in result_by_episode.keys() & keys_by_episode.keys():
            result_by_episode[episode].participants = tuple(sorted(set(keys_by_episode[episode].values())))
            result_by_episode[episode].participant_by_seat = keys_by_episode[episode]

    def _read_unfinished(self) -> list[EpisodeResult]:
        unfinished_results = []
        for episode_row in self._store.list_unfinished_episodes():
            result = EpisodeResult.from_row(episode_row, None)
            if self._registry.has(episode_row.game):
                with suppress(ValueError):  # the present rules cannot load its instance
                    result.condition = make_condition(EpisodeStart.model_validate(episode_row.start), self._registry)
            unfinished_results.append(result)
        return unfinished_results


def rescore_episodes(store: Store, registry: Registry, episodes: Iterable[str]) -> list[tuple[str, str, Json]]:
    """Compute the scores of stored episodes from their events: (episode id, scores version, scores)."""
    return [(episode, *registry.compute_scores(store.events(episode))) for episode in episodes]
