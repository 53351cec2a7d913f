"""The turn clocks of open tables in the database: how long each reply may still take.

Stored is what is left and not when it ends, so that time in which no server runs counts for nobody.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from engine.core.events import to_json
from engine.storage.store import Store

Remaining = Mapping[str, int]
"""Milliseconds left, by the turn they are for."""


class TurnClocks:
    """What is stored of turn clocks. The table is one of `SeatLinks`, which a server opens first."""

    def __init__(self, reader: Store, writer: Store) -> None:
        self._reader, self._writer = reader.conn, writer.conn
        self._transaction = writer.transaction

    def add(self, episode: str) -> None:
        """Store that replies at a table are timed."""
        with self._transaction():
            self._writer.execute("INSERT INTO turn_clock (episode, remaining) VALUES (?, '{}')", (episode,))

    def remaining(self, episode: str) -> Remaining:
        """Return what was left of a table's turns when that was stored last."""
        row = self._reader.execute("SELECT remaining FROM turn_clock WHERE episode = ?", (episode,)).fetchone()
        return json.loads(row[0]) if row else {}

    def store(self, remaining: Mapping[str, Remaining]) -> None:
        """Store what is left of the turns of tables, by episode."""
        with self._transaction():
            self._writer.executemany(
                "UPDATE turn_clock SET remaining = ? WHERE episode = ?",
                [(to_json(turns), episode) for episode, turns in remaining.items()],
            )

    def open_episodes(self) -> list[str]:
        """Return the unfinished episodes whose replies are timed."""
        rows = self._reader.execute(
            "SELECT turn_clock.episode FROM turn_clock JOIN episode ON id = turn_clock.episode WHERE status != 'over'"
        )
        return [episode for (episode,) in rows]

    def remove(self, episode: str) -> None:
        """Forget the clock of a table whose game is over."""
        with self._transaction():
            self._writer.execute("DELETE FROM turn_clock WHERE episode = ?", (episode,))
