"""The lists of episodes on web pages, read from the index of the log. They also cover episodes of other processes.

Rows are narrow: an episode's start, which holds its whole instance, is never read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.storage.episode_row import EpisodeRow, EpisodeSummary
from engine.storage.leases import LeaseOwner
from engine.storage.schema import FINISHED_GAMES_OF_PROGRAMS_CONDITION
from engine.storage.seat_links import OWNER_KEY
from engine.storage.store import Store

SUMMARY_COLUMNS = EpisodeSummary.columns()
TABLE_WITH_PEOPLE_QUERY = "SELECT 1 FROM opened WHERE opened.episode = episode.id AND opened.people"
"""Finds the table of an episode if people were invited to it, even where none has a seat now."""
NOT_IN_STUDY_CONDITION = (
    f"NOT EXISTS (SELECT 1 FROM opened WHERE opened.episode = episode.id AND opened.browser = '{OWNER_KEY}')"
)
"""Condition on an episode: no study file opened its table."""
OPEN_SEATS_QUERY = (
    "SELECT seat.pid, seat.seat,"
    " COALESCE((SELECT kind FROM event WHERE event.episode = episode.row AND event.seat = seat.seat"
    " AND kind IN ('ask', 'violation', 'parsed', 'cancel') ORDER BY n DESC LIMIT 1), '') IN ('ask', 'violation'),"
    f" {SUMMARY_COLUMNS} FROM holder JOIN seat USING (pid) JOIN episode ON episode.id = seat.episode"
    f" WHERE browser = ? AND status != 'over' AND {NOT_IN_STUDY_CONDITION} ORDER BY episode.row DESC LIMIT ?"
)
OPEN_TABLES_QUERY = (
    f"SELECT {SUMMARY_COLUMNS} FROM opened JOIN episode ON episode.id = opened.episode"
    " WHERE browser = ? AND opened.people AND status != 'over' AND NOT EXISTS"
    " (SELECT 1 FROM holder JOIN seat USING (pid)"
    " WHERE holder.browser = opened.browser AND seat.episode = opened.episode)"
    " ORDER BY episode.row DESC LIMIT ?"
)
PROGRAM_LEASES_QUERY = (  # CROSS: from the few leases to their episodes, never the other way round
    f"SELECT {SUMMARY_COLUMNS}, owner.host, owner.pid, owner.beat, owner.what"
    " FROM lease CROSS JOIN episode ON episode.row = lease.episode JOIN owner ON owner.id = lease.owner"
    f" WHERE status != 'over' AND NOT people AND NOT EXISTS ({TABLE_WITH_PEOPLE_QUERY})"
    " ORDER BY episode.row DESC LIMIT ?"
)
FINISHED_GAMES_OF_BROWSER_CONDITION = (  # +: from the browser's few episodes, never from all that are over
    f"+status = 'over' AND {NOT_IN_STUDY_CONDITION} AND id IN"
    " (SELECT seat.episode FROM holder JOIN seat USING (pid) WHERE holder.browser = ?1"
    " UNION SELECT episode FROM sat WHERE browser = ?1 UNION SELECT episode FROM opened WHERE browser = ?1)"
)
FINISHED_GAMES_OF_BROWSER_QUERY = (
    f"SELECT {SUMMARY_COLUMNS} FROM episode WHERE {FINISHED_GAMES_OF_BROWSER_CONDITION}"
    " ORDER BY updated DESC, row DESC LIMIT ?2"
)
GAMES_OF_BROWSER_QUERY = f"SELECT DISTINCT game FROM episode WHERE {FINISHED_GAMES_OF_BROWSER_CONDITION}"
FINISHED_GAMES_OF_PROGRAMS_QUERY = (
    f"SELECT {SUMMARY_COLUMNS} FROM episode INDEXED BY episode_finished_of_programs"
    f" WHERE {FINISHED_GAMES_OF_PROGRAMS_CONDITION}"
    f" AND NOT EXISTS ({TABLE_WITH_PEOPLE_QUERY}) ORDER BY updated DESC, row DESC LIMIT ?"
)
KNOWN_BROWSERS_QUERY = "SELECT id FROM browser WHERE id IN (SELECT value FROM json_each(?))"
SAME_INSTANCE_QUERY = (
    f"SELECT {SUMMARY_COLUMNS} FROM episode WHERE game = ? AND variant = ? AND experiment = ? AND instance_hash = ?"
    " AND id != ? ORDER BY row DESC LIMIT ?"
)
SUMMARIES_BY_ID_QUERY = f"SELECT {SUMMARY_COLUMNS} FROM episode WHERE id IN (SELECT value FROM json_each(?))"


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """A seat that a browser holds in an episode that is not over."""

    seat_id: str
    seat: str
    is_asked: bool
    """Whether the seat has an open ask."""
    episode: EpisodeSummary


class Listings:
    """Lists of episodes, read through one connection. Lists are newest first; those of finished ones by their end."""

    def __init__(self, reader: Store) -> None:
        self._conn = reader.sqlite_db

    def list_open_seats(self, browser: str, max_seats: int) -> list[OpenSeat]:
        """Return the seats that a browser holds in episodes that are not over."""
        seat_rows = self._conn.execute(OPEN_SEATS_QUERY, (browser, max_seats)).fetchall()
        return [
            OpenSeat(process_id, seat, bool(is_asked), EpisodeSummary.from_columns(column_values))
            for process_id, seat, is_asked, *column_values in seat_rows
        ]

    def list_open_tables(self, browser: str, max_tables: int) -> list[EpisodeSummary]:
        """Return the unfinished episodes with people whose table a browser opened without holding a seat there."""
        return self._select_summaries(OPEN_TABLES_QUERY, browser, max_tables)

    def list_free_seats(self, episode: str) -> list[str]:
        """Return the seats for people that no browser holds yet, by name."""
        seat_rows = self._conn.execute(
            "SELECT seat FROM seat WHERE episode = ? AND NOT EXISTS"
            " (SELECT 1 FROM holder WHERE holder.pid = seat.pid) ORDER BY seat",
            (episode,),
        )
        return [seat for (seat,) in seat_rows]

    def list_unattended_games(self, max_games: int) -> list[EpisodeSummary]:
        """Return the episodes without people that a living process plays now."""
        lease_rows = self._conn.execute(PROGRAM_LEASES_QUERY, (5 * max_games,)).fetchall()
        running_games = [
            column_values
            for *column_values, host_name, process_id, heartbeat_ms, purpose in lease_rows
            if LeaseOwner(host_name, process_id, heartbeat_ms, purpose).is_alive()
        ]
        return [EpisodeSummary.from_columns(column_values) for column_values in running_games[:max_games]]

    def count_replies(self, episode: EpisodeSummary) -> int:
        """Return how many replies of an episode kept to their format."""
        count_query = "SELECT COUNT(*) FROM event WHERE episode = ? AND kind = 'parsed'"
        return int(self._conn.execute(count_query, (episode.row,)).fetchone()[0])

    def filter_known_browsers(self, browsers: Iterable[str | None]) -> set[str]:
        """Return those of these browsers that have ever opened a table, held a seat, watched or become an admin's.

        The others see the same as every newcomer.
        """
        browser_ids = [browser for browser in browsers if browser is not None]
        return {browser for (browser,) in self._conn.execute(KNOWN_BROWSERS_QUERY, (json.dumps(browser_ids),))}

    def list_finished_games(self, browser: str, max_games: int) -> list[EpisodeSummary]:
        """Return the last finished episodes in which a browser held a seat or whose table it opened."""
        return self._select_summaries(FINISHED_GAMES_OF_BROWSER_QUERY, browser, max_games)

    def list_browser_games(self, browser: str) -> set[str]:
        """Return the games of all finished episodes in which a browser held a seat or whose table it opened."""
        return {game for (game,) in self._conn.execute(GAMES_OF_BROWSER_QUERY, (browser,))}

    def list_program_games(self, max_games: int) -> list[EpisodeSummary]:
        """Return the last finished episodes between programs that were played here, not imported."""
        return self._select_summaries(FINISHED_GAMES_OF_PROGRAMS_QUERY, max_games)

    def list_instance_episodes(self, episode_row: EpisodeRow, max_episodes: int) -> list[EpisodeSummary]:
        """Return the other episodes of the same instance."""
        return self._select_summaries(
            SAME_INSTANCE_QUERY,
            episode_row.game,
            episode_row.variant,
            episode_row.experiment,
            episode_row.instance_hash,
            episode_row.id,
            max_episodes,
        )

    def select_summaries(self, episodes: Sequence[str]) -> dict[str, EpisodeSummary]:
        """Return the episodes with these ids that are in the log, by id."""
        return {summary.id: summary for summary in self._select_summaries(SUMMARIES_BY_ID_QUERY, json.dumps(episodes))}

    def _select_summaries(self, summary_query: str, *parameters: Any) -> list[EpisodeSummary]:
        return [
            EpisodeSummary.from_columns(columns) for columns in self._conn.execute(summary_query, parameters).fetchall()
        ]
