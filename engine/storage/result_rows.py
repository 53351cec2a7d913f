"""Read the stored results of a log: one row per scored episode, and which episodes still have to be scored."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING

from engine.core.condition import Condition
from engine.storage.episode_result import EpisodeResult
from engine.storage.store import MARKS

if TYPE_CHECKING:
    from engine.storage.store import Store


class ResultTable:
    """The `result` table of a log. It keeps the conditions it has read, because many rows share one."""

    def __init__(self, store: Store) -> None:
        self._conn = store.conn
        self._conditions: dict[str, Condition] = {}

    def games(self) -> list[str]:
        """Return the games of the log."""
        return [game for (game,) in self._conn.execute("SELECT DISTINCT game FROM episode")]

    def unscored_episodes(self) -> list[tuple[str, str]]:
        """Return (episode id, game) of the episodes that are over and have no result row."""
        return self._conn.execute(
            "SELECT id, game FROM episode WHERE status = 'over' AND NOT EXISTS"
            " (SELECT 1 FROM result WHERE result.episode = episode.row)"
        ).fetchall()

    def outdated_episodes(self, versions: Collection[str]) -> list[tuple[str, str]]:
        """Return (episode id, game) of the episodes whose result row has none of these versions of scores."""
        return self._conn.execute(
            "SELECT result.id, game FROM result JOIN episode ON episode.row = result.episode"
            f" WHERE result.version NOT IN ({','.join('?' * len(versions))})",
            list(versions),
        ).fetchall()

    def count(self) -> int:
        """Return the number of result rows."""
        return int(self._conn.execute("SELECT COUNT(*) FROM result").fetchone()[0])

    def rows_after(self, sequence: int) -> list[tuple[int, int, EpisodeResult]]:
        """Return (sequence number, row of the episode, result) of the rows written after a sequence number."""
        rows = self._conn.execute(
            "SELECT seq, episode, id, condition, instance, ending, main, sides, numbers, marks, created FROM result"
            " WHERE seq > ? ORDER BY seq",
            (sequence,),
        )
        results = []
        for seq, row, episode, condition, instance, ending, main, sides, numbers, marks, created in rows:
            result = EpisodeResult(
                self._condition(condition),
                sys.intern(instance),
                ending,
                main,
                _side_scores(sides),
                numbers=numbers,
                episode=episode,
                created=created,
            )
            if marks:
                for bit, mark in enumerate(MARKS):
                    setattr(result, mark, bool(marks >> bit & 1))
            results.append((seq, row, result))
        return results

    def _condition(self, name: str) -> Condition:
        condition = self._conditions.get(name)
        if condition is None:
            (text,) = self._conn.execute("SELECT what FROM condition WHERE id = ?", (name,)).fetchone()
            condition = self._conditions[name] = Condition(**json.loads(text))
        return condition


@cache
def _side_scores(text: str | None) -> Mapping[str, float] | None:
    scores: Mapping[str, float] | None = json.loads(text) if text else None
    return scores
