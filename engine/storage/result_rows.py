"""The stored results of a log: one narrow row per scored episode, their conditions, and planned episodes.

With it, results of many episodes are read without touching their events or starts.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from engine.core.condition import Condition
from engine.core.events import to_json
from engine.storage.database import Database
from engine.storage.episode_result import RESULT_MARKS, EpisodeResult


class GameEpisode(NamedTuple):
    """An episode (id) and its game."""

    episode: str
    game: str


class ResultTable:
    """The tables `result`, `condition` and `planned`. It keeps the conditions it has read: many rows share one."""

    def __init__(self, database: Database) -> None:
        self._database, self._conn = database, database.sqlite_db
        self._conditions: dict[str, Condition] = {}

    # ------------------------------------------------------------------ results
    def list_played_games(self) -> list[str]:
        """Return the games that have episodes in the log."""
        return [game for (game,) in self._conn.execute("SELECT DISTINCT game FROM episode")]

    def list_unscored_episodes(self) -> list[GameEpisode]:
        """Return the episodes that are over and have no result."""
        episode_rows = self._conn.execute(
            "SELECT id, game FROM episode WHERE status = 'over' AND row NOT IN (SELECT episode FROM result)"
        )
        return [GameEpisode(*episode_row) for episode_row in episode_rows]

    def list_outdated_episodes(self, versions: Collection[str]) -> list[GameEpisode]:
        """Return the episodes whose result has none of these versions of scores."""
        episode_rows = self._conn.execute(
            "SELECT result.id, game FROM result JOIN episode ON episode.row = result.episode"
            " WHERE result.version NOT IN (SELECT value FROM json_each(?))",
            (json.dumps(list(versions)),),
        )
        return [GameEpisode(*episode_row) for episode_row in episode_rows]

    def count_rows(self) -> int:
        """Return the number of results."""
        return int(self._conn.execute("SELECT COUNT(*) FROM result").fetchone()[0])

    def read_results_after(self, after_number: int) -> Iterator[tuple[int, int, EpisodeResult]]:
        """Yield the results that were written after the one with this number, in the order of writing.

        Each with its own number, which grows with every write, and the row number of its episode.
        """
        result_rows = self._conn.execute(
            "SELECT seq, episode, id, condition, instance, ending, main, sides, numbers, marks, created FROM result"
            " WHERE seq > ? ORDER BY seq",
            (after_number,),
        )
        for (
            sequence_number,
            episode_row,
            episode,
            condition,
            instance_hash,
            outcome_kind,
            main_score,
            side_scores,
            scores,
            mark_bit_mask,
            created_at,
        ) in result_rows:
            episode_result = EpisodeResult(
                self._conditions.get(condition) or self._read_condition(condition),
                sys.intern(instance_hash),
                outcome_kind,
                main_score,
                _read_side_scores(side_scores) if side_scores else None,
                scores_json=scores,
                episode=episode,
                created=created_at,
            )
            if mark_bit_mask:
                for bit_number, mark_name in enumerate(RESULT_MARKS):
                    setattr(episode_result, mark_name, bool(mark_bit_mask >> bit_number & 1))
            yield sequence_number, episode_row, episode_result

    def read_marks(self, episodes: Collection[str]) -> dict[str, set[str]]:
        """Return the marks of scored episodes by id."""
        marks_query = "SELECT id, marks FROM result WHERE id IN (SELECT value FROM json_each(?))"
        mark_rows = self._conn.execute(marks_query, (json.dumps(list(episodes)),))
        return {
            episode: {mark_name for bit_number, mark_name in enumerate(RESULT_MARKS) if mark_bit_mask >> bit_number & 1}
            for episode, mark_bit_mask in mark_rows
        }

    def write_results(self, results: Collection[tuple[int, EpisodeResult, str]]) -> None:
        """Store results of episodes: (row number, result, version of scores). A replaced one gets a new number."""
        for condition in {result.condition.id: result.condition for _, result, _ in results}.values():
            self._add_condition(condition)
        self._conn.executemany(
            "INSERT OR REPLACE INTO result (episode, id, condition, instance, ending, main, sides, numbers, marks,"
            " created, version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    episode_row,
                    result.episode,
                    result.condition.id,
                    result.instance_hash,
                    result.ending,
                    result.main_score,
                    None if result.side_scores is None else to_json(result.side_scores),
                    result.scores_json,
                    sum(getattr(result, mark_name) << bit_number for bit_number, mark_name in enumerate(RESULT_MARKS)),
                    result.created,
                    scores_version,
                )
                for episode_row, result, scores_version in results
            ],
        )

    def _read_condition(self, id_: str) -> Condition:
        (condition_text,) = self._conn.execute("SELECT what FROM condition WHERE id = ?", (id_,)).fetchone()
        condition = self._conditions[id_] = Condition(**json.loads(condition_text))
        return condition

    def _add_condition(self, condition: Condition) -> None:
        self._conn.execute(
            "INSERT OR IGNORE INTO condition (id, what) VALUES (?, ?)", (condition.id, to_json(condition.as_json()))
        )

    # ------------------------------------------------------------------ planned episodes
    def add_planned_episodes(self, planned_conditions: Iterable[tuple[str, Condition]]) -> None:
        """Record episodes that are to be played: (plan key, condition). Those that have begun are left out."""
        with self._database.transaction():
            for plan_key, condition in planned_conditions:
                added_rows = self._conn.execute(
                    "INSERT OR IGNORE INTO planned (key, condition) SELECT ?, ?"
                    " WHERE NOT EXISTS (SELECT 1 FROM episode WHERE plan_key = ?)",
                    (plan_key, condition.id, plan_key),
                )
                if added_rows.rowcount:
                    self._add_condition(condition)

    def count_planned_episodes(self) -> dict[Condition, int]:
        """Return how many episodes are planned and have not begun, by condition."""
        count_rows = self._conn.execute(
            "SELECT what, COUNT(*) FROM planned JOIN condition ON condition.id = planned.condition GROUP BY id"
        )
        return {Condition(**json.loads(condition)): episode_count for condition, episode_count in count_rows}

    def delete_planned_episodes(self, conditions: Iterable[str]) -> int:
        """Forget the planned episodes of these conditions (ids) that have not begun; return how many there were."""
        delete_statement = "DELETE FROM planned WHERE condition = ?"
        with self._database.transaction():
            return sum(self._conn.execute(delete_statement, (condition,)).rowcount for condition in conditions)

    # ------------------------------------------------------------------ removal
    def delete_planned_replays(self, episodes: Iterable[str]) -> None:
        """Delete planned replays of removed episodes (ids), and all conditions that nothing refers to any more.

        The seats of a replay's condition contain the id of the episode that it repeats.
        """
        with self._database.transaction():
            for episode in episodes:
                self._conn.execute(
                    "DELETE FROM planned WHERE condition IN (SELECT id FROM condition WHERE instr(what, ?))",
                    (f'"recorded/{episode}',),
                )
            self._conn.execute(
                "DELETE FROM condition WHERE id NOT IN"
                " (SELECT condition FROM result UNION SELECT condition FROM planned)"
            )


@cache
def _read_side_scores(scores_text: str) -> Mapping[str, float]:
    scores: Mapping[str, float] = json.loads(scores_text)
    return scores
