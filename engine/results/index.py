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
from engine.core.start import Start
from engine.results import leaderboard
from engine.results.planned import condition_of_start
from engine.results.table import MissingEpisodes, ResultRow, result_rows
from engine.storage.database import StoreError
from engine.storage.episode_result import EpisodeResult
from engine.storage.participants import participant_keys

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
        self._scored_by_row: dict[int, EpisodeResult] = {}
        self._other_results: list[EpisodeResult] = []
        self._outdated: dict[str, EpisodeResult] = {}
        """What counts in place of rows of older rules that could not be replaced, by episode."""
        self._last_sequence = 0
        self._data_version: int | None = None
        self._cached_rows: dict[tuple[str, bool], list[ResultRow]] = {}
        self.by_condition: dict[str, list[EpisodeResult]] = {}
        """Episodes by the id of their condition."""
        self.missing: Mapping[str, MissingEpisodes] = {}
        """How many episodes were planned and not begun, by the id of their condition."""
        self.sides: Mapping[str, Sequence[str]] = {}
        """The sides of each adversarial game in the log."""
        self.summaries: Mapping[str, Summary] = {}
        """The summaries of the games in the log; no other game is loaded."""

    @property
    def episodes(self) -> list[EpisodeResult]:
        """All episodes."""
        return [result for results in self.by_condition.values() for result in results]

    def episodes_of(self, matches: Callable[[Condition], bool]) -> list[EpisodeResult]:
        """Return the episodes of the conditions that match."""
        conditions = filter(matches, self.conditions)
        return [result for condition in conditions for result in self.by_condition.get(condition.id, ())]

    @property
    def conditions(self) -> list[Condition]:
        """All conditions with a played or planned episode, in the order of rows."""
        conditions = {id_: results[0].condition for id_, results in self.by_condition.items()}
        conditions |= {id_: missing_episodes.condition for id_, missing_episodes in self.missing.items()}
        return sorted(conditions.values(), key=lambda condition: condition.key)

    def rows(
        self,
        matches: Callable[[Condition], bool] | None = None,
        *,
        include_informed: bool = False,
        hidden_episodes: Collection[str] = frozenset(),
    ) -> list[ResultRow]:
        """Return the result rows of the conditions that match, without the `hidden_episodes` (ids)."""
        matching_conditions = self.conditions if matches is None else filter(matches, self.conditions)
        return [row for c in matching_conditions for row in self._rows_of(c, include_informed, hidden_episodes)]

    def _rows_of(
        self, condition: Condition, include_informed: bool, hidden_episodes: Collection[str]
    ) -> list[ResultRow]:
        results = self.by_condition.get(condition.id, [])
        visible_results = (
            [result for result in results if result.episode not in hidden_episodes] if hidden_episodes else results
        )
        is_complete = len(visible_results) == len(results)
        include_informed = include_informed and condition.people  # only people can be informed
        cache_key = (condition.id, include_informed)
        if is_complete and cache_key in self._cached_rows:
            return self._cached_rows[cache_key]
        missing_episodes = {condition.id: self.missing[condition.id]} if condition.id in self.missing else {}
        condition_rows = result_rows(
            visible_results,
            sides=self.sides,
            summaries=self.summaries,
            include_informed=include_informed,
            missing=missing_episodes,
        )
        if is_complete:
            self._cached_rows[cache_key] = condition_rows
        return condition_rows

    # ------------------------------------------------------------------ reading
    def refresh(self) -> bool:
        """Read what other connections have changed since the last call; return whether anything counted differs."""
        data_version = self._store.data_version()
        if data_version == self._data_version:
            return False
        is_first = self._data_version is None
        unscorable_by_episode = {result.episode: result for result in self._score_unscored(replace_outdated=is_first)}
        self._data_version = data_version
        changed_conditions = {result.condition.id for result in self._other_results} | set(self.missing)
        state_before = self._state_key()
        changed_conditions |= self._read_results()
        if is_first:
            scored_episodes = {result.episode for result in self._scored_by_row.values()}
            self._outdated = {
                episode: unscorable_by_episode.pop(episode)
                for episode in scored_episodes & unscorable_by_episode.keys()
            }
        self._other_results = [*self._unfinished_results(), *unscorable_by_episode.values(), *self._outdated.values()]
        self._add_participants(self._other_results)
        planned_counts = self._result_table.planned_counts()
        self.missing = {c.id: MissingEpisodes(c, planned_count) for c, planned_count in planned_counts.items()}
        by_condition: dict[str, list[EpisodeResult]] = {}
        scored_results = (result for result in self._scored_by_row.values() if result.episode not in self._outdated)
        for result in (*scored_results, *self._other_results):
            by_condition.setdefault(result.condition.id, []).append(result)
        self.by_condition = by_condition
        self._add_usage()
        games = {condition.game for condition in self.conditions}
        self.sides = leaderboard.sides_by_game(self._registry, games)
        self.summaries = leaderboard.summaries_by_game(self._registry, games)
        changed_conditions |= {result.condition.id for result in self._other_results} | set(self.missing)
        self._cached_rows = {
            cache_key: rows for cache_key, rows in self._cached_rows.items() if cache_key[0] not in changed_conditions
        }
        return self._state_key() != state_before

    def _state_key(self) -> tuple[object, ...]:
        """Return what differs when anything counted has changed. A server writes its heartbeat every few seconds."""
        other_results = [(r.episode, r.ending, r.stalled, r.mixed) for r in self._other_results]
        missing_counts = {id_: missing_numbers.number for id_, missing_numbers in self.missing.items()}
        return self._last_sequence, len(self._scored_by_row), other_results, missing_counts

    def _score_unscored(self, *, replace_outdated: bool) -> list[EpisodeResult]:
        """Score the episodes that are over and have no result row, or with `replace_outdated` an outdated one.

        Returns the results of those that cannot be scored: the game is missing, or its scoring fails.
        """
        games = self._result_table.played_games()
        versions = {game: self._registry.scores_version(game) for game in games if self._registry.has(game)}
        pending_episodes = self._result_table.unscored_episodes()
        if replace_outdated:
            outdated_episodes = self._result_table.outdated_episodes(versions.values())
            pending_episodes += [episode for episode in outdated_episodes if episode.game in versions]
        unscorable_results: list[EpisodeResult] = []
        episodes = [episode for episode, game in pending_episodes if game in versions]
        for batch_start in range(0, len(episodes), EPISODES_PER_BATCH):
            unscorable_results += self._score_batch(episodes[batch_start : batch_start + EPISODES_PER_BATCH], versions)
        episode_rows = [self._store.episode(episode) for episode, game in pending_episodes if game not in versions]
        return unscorable_results + [
            EpisodeResult.of(e, e.scores, event_marks=self._store.event_marks(e), is_unscored=not e.scores)
            for e in episode_rows
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
                    scored_rows += rescore(self._store, self._registry, [episode])
            except StoreError:  # removed a moment ago
                continue
            except Exception as error:  # a game's bug must not hide the results of others
                logger.warning("episode %s cannot be scored: %s: %s", episode, type(error).__name__, error)
                unscorable_results.append(EpisodeResult.of(self._store.episode(episode), None, is_unscored=True))
        try:
            self._store.set_scores(scored_rows)
        except sqlite3.OperationalError:  # a read-only file: scored again next time
            for episode, _, scores in scored_rows:
                row = self._store.episode(episode)
                unscorable_results.append(EpisodeResult.of(row, scores, event_marks=self._store.event_marks(row)))
        return unscorable_results

    def _read_results(self) -> set[str]:
        """Read the new result rows; return the ids of the conditions that gained or lost an episode."""
        changed_conditions = set()
        read_results = []
        for sequence_number, row_number, result in self._result_table.written_after(self._last_sequence):
            read_results.append(result)
            changed_conditions.add(result.condition.id)
            if previous_result := self._scored_by_row.get(row_number):
                changed_conditions.add(previous_result.condition.id)
            self._scored_by_row[row_number] = result
            self._outdated.pop(result.episode, None)
            self._last_sequence = sequence_number
        if len(self._scored_by_row) != self._result_table.count_rows():
            changed_conditions = set(self.by_condition)  # episodes were removed: read all rows again
            self._scored_by_row = {s.row: s.result for s in self._result_table.written_after(0)}
            read_results = list(self._scored_by_row.values())
            episodes = {result.episode for result in self._scored_by_row.values()}
            self._outdated = {episode: result for episode, result in self._outdated.items() if episode in episodes}
            changed_conditions |= {result.condition.id for result in self._scored_by_row.values()}
        self._add_participants(read_results)
        return changed_conditions

    def _add_usage(self) -> None:
        """Read what models were sent and took from the events of scored episodes with whose scores it is not stored.

        Only what was dropped or is not complete counts there, so that their rows stay as they were otherwise.
        """
        older_results = [
            result
            for condition in self.conditions
            if "model" in {self._registry.player_kind(player, condition.game) for player in condition.seats.values()}
            for result in self.by_condition.get(condition.id, ())
            if result.ending is not None and result.older_usage is None and not result.has_stored_usage
        ]
        usages = self._store.usages([result.episode for result in older_results])
        for result in older_results:
            episode_usages = usages.get(result.episode, {})
            result.older_usage = {player: usage for player, usage in episode_usages.items() if usage.is_noteworthy}

    def _add_participants(self, results: Iterable[EpisodeResult]) -> None:
        """Note in results with people who they are."""
        with_people = {result.episode: result for result in results if result.condition.people}
        if not with_people:
            return
        keys_by_episode: dict[str, dict[str, str]] = {}
        for (episode, seat), key in participant_keys(self._store, with_people).items():
            keys_by_episode.setdefault(episode, {})[seat] = key
        for episode in with_people.keys() & keys_by_episode.keys():
            with_people[episode].participants = tuple(sorted(set(keys_by_episode[episode].values())))
            with_people[episode].participant_by_seat = keys_by_episode[episode]

    def _unfinished_results(self) -> list[EpisodeResult]:
        results = []
        for episode_row in self._store.unfinished_episodes():
            result = EpisodeResult.of(episode_row, None)
            if self._registry.has(episode_row.game):
                with suppress(ValueError):  # the present rules cannot load its instance
                    result.condition = condition_of_start(Start.model_validate(episode_row.start), self._registry)
            results.append(result)
        return results


def rescore(store: Store, registry: Registry, episodes: Iterable[str]) -> list[tuple[str, str, Json]]:
    """Compute the scores of stored episodes from their events: (episode id, scores version, scores)."""
    return [(episode, *registry.scores_of(store.events(episode))) for episode in episodes]
