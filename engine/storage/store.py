"""The log of events in one SQLite file, which many processes share: claim episodes, append events, read.

Events are only ever appended. One process at a time writes to an episode: it has a lease, and because (episode, n) is
unique, a second writer fails instead of mixing logs. The `episode` table is an index derived from the events, for
listings; the events are the truth. All methods block; `GroupCommit` in `engine/play/episode.py` is the asynchronous
way in.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, groupby, starmap
from json.encoder import encode_basestring_ascii
from operator import itemgetter
from pathlib import Path
from typing import Literal

import orjson

from engine.core.events import Event, Json, Kind, to_json
from engine.core.log import Log
from engine.core.player import Address
from engine.core.start import EpisodeStart
from engine.core.usage import UsageByPlayer, usage_by_player
from engine.storage.database import Database, DatabaseUnavailable, StoreError
from engine.storage.episode_result import EpisodeResult
from engine.storage.episode_row import EpisodeRow, Status
from engine.storage.ids import make_id, now_ms
from engine.storage.leases import LeaseOwner, Leases
from engine.storage.result_rows import ResultTable
from engine.storage.schema import HAS_RECORDED_PLAYER_CONDITION, LOG_MIGRATIONS

ROWS_PER_PAGE = 200
"""Episodes that `iterate` has in memory at a time."""
PLAIN_JSON_OPTIONS = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME
INSERT_EVENTS_PREFIX = "INSERT INTO event (episode, n, time, kind, seat, data) VALUES "
EVENTS_PER_INSERT = 32
"""Events that one statement inserts at most: SQLite writes the counter of `seq` once per statement and not per row."""
DELETE_EPISODE_STATEMENTS = (
    "DELETE FROM event WHERE episode = ?",
    "DELETE FROM lease WHERE episode = ?",
    "DELETE FROM result WHERE episode = ?",
    "DELETE FROM episode WHERE row = ?",
)
EPISODE_OF_EVENT_QUERY = (
    "SELECT id FROM event JOIN episode ON episode.row = event.episode WHERE event.episode = ? AND n = ?"
)
MODEL_EVENTS_QUERY = (
    "SELECT episode.id, seats, kind, seat, data FROM episode CROSS JOIN event ON event.episode = episode.row"
    " WHERE id IN (SELECT value FROM json_each(?)) AND (kind = 'seat' OR kind = 'fault'"
    """ OR (kind = 'reply' AND (instr(data, '"sent":') OR instr(data, '"finish":')))) ORDER BY episode.row, n"""
)
"""CROSS: from the episodes to their events, never through all events."""
REPLAYS_FROM_START_QUERY = (
    f"SELECT episode.id, value FROM episode, json_each(seats) WHERE {HAS_RECORDED_PLAYER_CONDITION}"
)
REPLAYS_BY_HAND_OVER_QUERY = (  # CROSS: from the few mixed episodes to their events, never the other way round
    "SELECT episode.id, data ->> '$.player' FROM episode CROSS JOIN event ON event.episode = episode.row"
    " WHERE mixed AND kind = 'seat'"
)


class LostLease(StoreError):
    """Another process has written to this episode since this one last read it."""


@dataclass(slots=True)
class EpisodeUpdate:
    """What one append adds to one episode: numbered, stamped events, and the status if it changes.

    `extra_write_callback` writes what belongs to these events elsewhere in the file, in the same transaction. It is
    called again if the transaction is.
    """

    episode: str
    events: Sequence[Event]
    status: Status | None = None
    cause: str | None = None
    extra_write_callback: Callable[[], object] | None = None


@dataclass(frozen=True, slots=True)
class EpisodeClaim:
    """The answer to a claim: "new" or "resume" (leased to this process), "over", or "busy" (another one plays it)."""

    state: Literal["new", "resume", "over", "busy"]
    episode: str


@dataclass(frozen=True, slots=True)
class EpisodeState:
    """Where a planned episode stands; `ending` is the kind of its outcome, None until it is over."""

    status: Status
    ending: str | None


@dataclass(frozen=True, slots=True)
class Replay:
    """An episode in which a player (`recorded/EPISODE`) repeats the replies of another episode, its source."""

    episode: str
    source: str


class Store(Database):
    """One connection to a log, which is created if missing. Use it from one thread at a time.

    `purpose` tells other processes in a word what this one does. Raises `NewerDatabase` for a file of a newer Ludens,
    `StoreError` for a path that cannot be opened.
    """

    def __init__(self, path: Path | str, *, purpose: str = "reader") -> None:
        super().__init__(path)
        self.results = ResultTable(self)
        self._leases = Leases(self.sqlite_db, purpose)
        self._row_numbers: dict[str, int] = {}
        self._removal_count = 0
        self.migrate(LOG_MIGRATIONS)
        if purpose == "run":
            self.sync_rarely()

    def close(self) -> None:
        """Give back this process's leases and close the connection.

        Where the file cannot be written now, others see that this process is gone.
        """
        if self._leases.owner:
            with suppress(DatabaseUnavailable), self.transaction():
                self._leases.release_all_leases()
        super().close()

    # ------------------------------------------------------------------ claims and leases
    def claim_episodes(self, episodes: Sequence[tuple[EpisodeStart, str | None]], *, origin: str) -> list[EpisodeClaim]:
        """EpisodeClaim planned episodes in one transaction, creating those that are missing (without events).

        The second of each pair is the plan key; None always creates a new episode. A claimed episode is leased to this
        process until it is over, until its lease is released, or until the process ends.
        """
        claims: list[EpisodeClaim] = []
        with self.transaction():
            owner = self._leases.record_heartbeat()
            for episode_start, plan_key in episodes:
                existing_row = self.sqlite_db.execute(
                    "SELECT row, id, status FROM episode WHERE plan_key = ?", (plan_key,)
                ).fetchone()
                if existing_row is None:  # which is always so without a key
                    episode = make_id()
                    self._leases.assign_lease(
                        self._insert_episode(episode, episode_start, plan_key, origin, now_ms()), owner
                    )
                    claims.append(EpisodeClaim("new", episode))
                    continue
                row_number, episode, status = existing_row
                if status == Status.OVER:
                    claims.append(EpisodeClaim("over", episode))
                else:
                    claims.append(
                        EpisodeClaim("resume" if self._leases.acquire(row_number, owner) else "busy", episode)
                    )
        return claims

    def _insert_episode(
        self, episode: str, start: EpisodeStart, plan_key: str | None, origin: str, created_at: int
    ) -> int:
        has_people = any(player.partition("?")[0] == "person" for player in start.seats.values())
        insert_cursor = self.sqlite_db.execute(
            "INSERT INTO episode (id, plan_key, origin, game, variant, experiment, instance_id, instance_hash, seats,"
            " settings, reprompt, people, start, created, updated) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                episode,
                plan_key,
                origin,
                start.game,
                start.variant,
                start.experiment,
                start.instance_id,
                start.instance_hash,
                to_json(start.seats),
                to_json(start.settings),
                start.reprompt,
                has_people,
                _encode_json(start.as_json),
                created_at,
                created_at,
            ),
        )
        row_number = self._row_numbers[episode] = int(insert_cursor.lastrowid or 0)
        if plan_key is not None:
            self.sqlite_db.execute("DELETE FROM planned WHERE key = ?", (plan_key,))
        return row_number

    def import_episode(
        self, start: EpisodeStart, log: Sequence[Event], *, key: str | None, origin: str, episode: str | None = None
    ) -> tuple[str, bool]:
        """Store a whole episode that was played elsewhere; return its id and whether it is new.

        An episode with the same plan key or id that is already in the log stays as it is.
        """
        with self.transaction():
            existing_row = self.sqlite_db.execute(
                "SELECT id FROM episode WHERE (plan_key IS NOT NULL AND plan_key = ?) OR id = ?", (key, episode)
            ).fetchone()
            if existing_row:
                return str(existing_row[0]), False
            episode = episode or make_id()
            row_number = self._insert_episode(episode, start, key, origin, log[0].time or now_ms())
            self._insert_events(
                [(row_number, event.n, event.time, str(event.kind), event.seat, to_json(event.data)) for event in log]
            )
            self._update_index(row_number, EpisodeUpdate(episode, log))
        return episode, True

    def acquire_lease(self, episode: str) -> bool:
        """Lease an existing episode to this process; return False while another living process has it."""
        with self.transaction():
            return self._leases.acquire(self._find_row_number(episode), self._leases.record_heartbeat())

    def release_lease(self, episode: str) -> None:
        """Give an episode's lease back, if this process has it."""
        if self._leases.owner:
            with self.transaction():
                self._leases.release_lease(episode)

    def record_heartbeat(self) -> None:
        """Record that this process is alive; call it every few seconds while it has leases."""
        with self.transaction():
            self._leases.record_heartbeat()

    def release_everything(self) -> None:
        """Forget all owners and leases, of every process: for a copy that nobody uses."""
        with self.transaction():
            self._leases.release_everything()

    def list_running_processes(self) -> list[LeaseOwner]:
        """Return the processes that write to this file now."""
        return self._leases.list_running_processes()

    # ------------------------------------------------------------------ writing
    def append(self, episode_updates: Sequence[EpisodeUpdate]) -> None:
        """Append several updates in one transaction; after the return they survive kill -9.

        Raises `LostLease` naming the first episode whose next number is taken or that was removed. Then nothing of the
        batch is written.
        """
        json_by_update = [
            [_encode_json(event.data) for event in episode_update.events] for episode_update in episode_updates
        ]  # before the transaction, because other processes wait for it
        with self.transaction():
            try:
                row_numbers = [self._find_row_number(episode_update.episode) for episode_update in episode_updates]
            except StoreError as error:
                raise LostLease(f"{error}: it was removed while it was in play") from error
            self._insert_events(
                [
                    (row_number, event.n, event.time, str(event.kind), event.seat, event_json)
                    for row_number, episode_update, json_texts in zip(
                        row_numbers, episode_updates, json_by_update, strict=True
                    )
                    for event, event_json in zip(episode_update.events, json_texts, strict=True)
                ]
            )
            for row_number, episode_update in zip(row_numbers, episode_updates, strict=True):
                self._update_index(row_number, episode_update)
                if episode_update.extra_write_callback:
                    episode_update.extra_write_callback()

    def _insert_events(self, event_rows: Sequence[tuple[object, ...]]) -> None:
        """Insert events. Raises `LostLease` naming the first episode whose next number is taken."""
        for first_index in range(0, len(event_rows), EVENTS_PER_INSERT):
            inserted_rows = event_rows[first_index : first_index + EVENTS_PER_INSERT]
            statement = INSERT_EVENTS_PREFIX + ",".join(["(?,?,?,?,?,?)"] * len(inserted_rows))
            try:
                self.sqlite_db.execute(statement, [*chain.from_iterable(inserted_rows)])
            except sqlite3.IntegrityError as error:
                for event_row in inserted_rows:
                    for (episode,) in self.sqlite_db.execute(EPISODE_OF_EVENT_QUERY, event_row[:2]):
                        raise LostLease(
                            f"another process wrote to episode {episode}; it is continued from the log"
                        ) from error
                raise

    def _update_index(self, row_number: int, episode_update: EpisodeUpdate) -> None:
        event_kinds = [event.kind for event in episode_update.events]
        outcome = None
        if Kind.OUTCOME in event_kinds:  # in an imported log, late replies can follow it
            outcome = to_json(episode_update.events[event_kinds.index(Kind.OUTCOME)].data)
        status = Status.OVER if outcome else episode_update.status
        # a vendor's message may hold what SQLite's text cannot; the event has it unchanged
        cause = episode_update.cause and _make_storable(episode_update.cause)
        if status:
            self.sqlite_db.execute(
                "UPDATE episode SET status = ?, cause = ?, outcome = ?, updated = ? WHERE row = ?",
                (status.value, cause, outcome, episode_update.events[-1].time, row_number),
            )
        if outcome:
            self._leases.delete_lease(row_number)
        if Kind.SEAT in event_kinds:
            self.sqlite_db.execute("UPDATE episode SET mixed = 1 WHERE row = ?", (row_number,))

    def mark_stalled(self, episode: str, cause: str) -> None:
        """Mark an episode as stalled with a cause that is not in its log, such as changed rules."""
        with self.transaction():
            self.sqlite_db.execute(
                "UPDATE episode SET status = ?, cause = ?, updated = ? WHERE row = ? AND status != ?",
                (Status.STALLED, _make_storable(cause), now_ms(), self._find_row_number(episode), Status.OVER),
            )

    def read_secret(self, secret_name: str) -> str:
        """Return this database's random secret of that name (32 bytes in hexadecimal), creating it at first use."""
        secret_query = "SELECT value FROM secret WHERE name = ?"
        secret_row = self.sqlite_db.execute(secret_query, (secret_name,)).fetchone()
        if secret_row is None:  # not at every call: reading must not wait for another process that writes
            with self.transaction():
                insert_statement = "INSERT OR IGNORE INTO secret (name, value) VALUES (?, ?)"
                self.sqlite_db.execute(insert_statement, (secret_name, secrets.token_hex(32)))
                secret_row = self.sqlite_db.execute(secret_query, (secret_name,)).fetchone()
        return str(secret_row[0])

    def delete_episodes(self, episodes: Collection[str]) -> None:
        """Delete episodes for good, with their events, leases and results, and the planned replays of them.

        Another process that plays one of them learns of it at its next `append`.
        """
        with self.transaction():
            self.sqlite_db.execute(f"PRAGMA user_version = {self.count_removals() + 1}")
            for episode in episodes:
                row_number = self._find_row_number(episode)
                for statement in DELETE_EPISODE_STATEMENTS:
                    self.sqlite_db.execute(statement, (row_number,))
                self._row_numbers.pop(episode, None)
            self.results.delete_planned_replays(episodes)

    def count_removals(self) -> int:
        """Return how often any process has deleted episodes from this file."""
        return int(self.sqlite_db.execute("PRAGMA user_version").fetchone()[0])

    def _on_transaction_begin(self) -> None:
        self._drop_stale_row_numbers()

    def _drop_stale_row_numbers(self) -> None:
        """Forget the row numbers of episodes after a removal: SQLite may have given one of them to another episode."""
        if (removal_count := self.count_removals()) != self._removal_count:
            self._row_numbers.clear()
            self._removal_count = removal_count

    # ------------------------------------------------------------------ results and plans
    def set_scores(
        self, scored_episodes: Iterable[tuple[str, str, Json]], log_by_episode: Mapping[str, Log] | None = None
    ) -> None:
        """Keep computed scores with their episodes: (episode id, scores version, scores), in one transaction.

        They are a cache: scores can always be computed again from the events. Those of an episode that was removed
        meanwhile are dropped. `logs` are whole logs by id: what is in memory need not be read again.
        """
        log_by_episode = log_by_episode or {}
        new_results: list[tuple[int, EpisodeResult, str]] = []
        with self.transaction():
            for episode, version, scores in scored_episodes:
                try:
                    row_number = self._find_row_number(episode)
                except StoreError:
                    continue
                self.sqlite_db.execute(
                    "UPDATE episode SET scores = ?, scores_version = ? WHERE row = ?",
                    (_encode_json(scores), version, row_number),
                )
                log = log_by_episode.get(episode)
                episode_result = (
                    self._make_log_result(row_number, log, scores) if log else self._make_result(row_number, scores)
                )
                if episode_result.ending is not None:
                    new_results.append((row_number, episode_result, version))
            self.results.write_results(new_results)

    def _make_result(self, row_number: int, scores: Json) -> EpisodeResult:
        [index_row] = EpisodeRow.select_rows(self.sqlite_db, "row = ?", (row_number,))
        usage = self.read_usage([index_row.id]).get(index_row.id)
        return EpisodeResult.from_row(index_row, scores, event_flags=self.read_event_flags(index_row), usages=usage)

    def _make_log_result(self, row_number: int, log: Log, scores: Json) -> EpisodeResult:
        episode_query = "SELECT id, created, mixed FROM episode WHERE row = ?"
        episode, created_at, has_changed_players = self.sqlite_db.execute(episode_query, (row_number,)).fetchone()
        return EpisodeResult.from_log(episode, created_at, has_changed_players, log, scores)

    def read_planned_states(self, plan_keys: Sequence[str]) -> dict[str, EpisodeState]:
        """Return the states of the planned episodes that have begun, by plan key."""
        state_rows = self.sqlite_db.execute(
            "SELECT plan_key, status, outcome ->> '$.kind' FROM episode"
            " WHERE plan_key IN (SELECT value FROM json_each(?))",
            (json.dumps(plan_keys),),
        )
        return {plan_key: EpisodeState(Status(status), outcome_kind) for plan_key, status, outcome_kind in state_rows}

    # ------------------------------------------------------------------ reading
    def _find_row_number(self, episode: str) -> int:
        row_number = self._row_numbers.get(episode)
        if row_number is None:
            number_row = self.sqlite_db.execute("SELECT row FROM episode WHERE id = ?", (episode,)).fetchone()
            if number_row is None:
                raise StoreError(f"no episode {episode!r} in {self.path}")
            row_number = self._row_numbers[episode] = int(number_row[0])
        return row_number

    def events(self, episode: str, after_number: int = -1) -> list[Event]:
        """Return an episode's events with n > `after`, in order. Raises `StoreError` if the log does not have it."""
        self._drop_stale_row_numbers()
        event_rows = self.sqlite_db.execute(
            "SELECT kind, seat, data, n, time FROM event WHERE episode = ? AND n > ? ORDER BY n",
            (self._find_row_number(episode), after_number),
        )
        return [
            Event(Kind(event_kind), seat, json.loads(event_json), event_number, event_time)
            for event_kind, seat, event_json, event_number, event_time in event_rows
        ]

    def status(self, episode: str) -> Status | None:
        """Return the status of an episode by its full id; None if the log does not have it."""
        status_row = self.sqlite_db.execute("SELECT status FROM episode WHERE id = ?", (episode,)).fetchone()
        return Status(status_row[0]) if status_row else None

    def episode(self, episode: str) -> EpisodeRow:
        """Return the index row of an episode; its id may be shortened to an unambiguous beginning or end.

        Raises `StoreError` if none or several match.
        """
        if not episode:
            raise StoreError("an episode's id is missing")
        if rows_with_full_id := list(EpisodeRow.select_rows(self.sqlite_db, "id = ?", (episode,))):
            return rows_with_full_id[
                0
            ]  # by the index: the search below looks at all ids, which takes 0.5 s for 100,000
        escaped_text = episode.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        id_condition = "id LIKE ? ESCAPE '\\' OR id LIKE ? ESCAPE '\\' LIMIT 2"
        episode_rows = list(
            EpisodeRow.select_rows(self.sqlite_db, id_condition, (escaped_text + "%", "%" + escaped_text))
        )
        if len(episode_rows) != 1:
            raise StoreError(f"{'several episodes' if episode_rows else 'no episode'} {episode!r} in {self.path}")
        return episode_rows[0]

    def episodes(
        self,
        *,
        game: str | None = None,
        variant: str | None = None,
        experiment: str | None = None,
        status: Status | None = None,
        people: bool | None = None,
        max_episodes: int | None = None,
    ) -> list[EpisodeRow]:
        """Return the episodes with these values in the index, oldest first, or the `newest` ones, newest first."""
        filter_values: Mapping[str, object | None] = {
            "game": game,
            "variant": variant,
            "experiment": experiment,
            "status": status,
            "people": people,
        }
        value_by_column = {
            column_name: filter_value for column_name, filter_value in filter_values.items() if filter_value is not None
        }
        condition = " AND ".join(f"{column_name} = ?" for column_name in value_by_column) or "1"
        order_clause = " ORDER BY row" if max_episodes is None else f" ORDER BY row DESC LIMIT {int(max_episodes)}"
        return list(EpisodeRow.select_rows(self.sqlite_db, condition + order_clause, tuple(value_by_column.values())))

    def iterate_episodes(self, game_parts: Sequence[tuple[str, str | None, str | None]] = ()) -> Iterator[EpisodeRow]:
        """Yield episodes oldest first: all, or those of any of (game, variant or None, experiment or None).

        One page of them is in memory at a time, and other processes may write between pages.
        """
        condition, parameters = _make_condition(game_parts)
        page_query = f"SELECT row FROM episode WHERE row > ? AND ({condition}) ORDER BY row LIMIT {ROWS_PER_PAGE}"
        last_row = 0
        while episode_rows := list(
            EpisodeRow.select_rows(self.sqlite_db, f"row IN ({page_query}) ORDER BY row", (last_row, *parameters))
        ):
            last_row = episode_rows[-1].row
            self._row_numbers.clear()  # or they would grow with the log
            yield from episode_rows

    def list_episode_ids(self, game_parts: Sequence[tuple[str, str | None, str | None]]) -> set[str]:
        """Return the ids of the episodes of any of (game, variant or None, experiment or None)."""
        condition, parameters = _make_condition(game_parts)
        return {
            episode for (episode,) in self.sqlite_db.execute(f"SELECT id FROM episode WHERE {condition}", parameters)
        }

    def list_unfinished_episodes(self) -> list[EpisodeRow]:
        """Return the episodes that are open or stalled, oldest first."""
        return list(EpisodeRow.select_rows(self.sqlite_db, "status IN ('open', 'stalled') ORDER BY row", ()))

    def list_abandoned_tables(self, before_time: int) -> list[str]:
        """Return the unfinished episodes of tables without any move or message since a time in UTC milliseconds."""
        table_rows = self.sqlite_db.execute(
            "SELECT episode.id FROM episode WHERE origin = 'table' AND status IN ('open', 'stalled') AND created < ?"
            " AND NOT EXISTS (SELECT 1 FROM event WHERE event.episode = episode.row AND time >= ?"
            " AND kind NOT IN ('present', 'away', 'watched', 'seen_before', 'both_seats', 'fault'))",
            (before_time, before_time),
        )
        return [episode for (episode,) in table_rows]

    def list_replays(self, episode: str | None = None) -> list[Replay]:
        """Return the replays of one episode, or of all episodes in the order of their ids, oldest first."""
        episode_filter, parameters = (" AND episode.id = ?", (episode,)) if episode else ("", ())
        replay_rows = [
            *self.sqlite_db.execute(REPLAYS_FROM_START_QUERY + episode_filter, parameters).fetchall(),
            *self.sqlite_db.execute(REPLAYS_BY_HAND_OVER_QUERY + episode_filter, parameters).fetchall(),
        ]
        replays = []
        for replaying_episode, address in sorted(replay_rows):
            if address.startswith("recorded/"):
                with suppress(StoreError):  # its source was removed, or never was in this log
                    replays.append(Replay(replaying_episode, self.episode(Address.parse(address).name).id))
        return replays

    def read_event_flags(self, episode_row: EpisodeRow) -> set[str]:
        """Return the marks that the events of an episode with people add to its start: "seen_before", "both_seats"."""
        event_flags_query = (
            "SELECT DISTINCT kind FROM event WHERE episode = ? AND kind IN ('seen_before', 'both_seats')"
        )
        return (
            {event_flag for (event_flag,) in self.sqlite_db.execute(event_flags_query, (episode_row.row,))}
            if episode_row.people
            else set()
        )

    def read_usage(self, episodes: Collection[str]) -> dict[str, UsageByPlayer]:
        """Return what the models of episodes were sent and took, from their events, by episode.

        Episodes whose models were sent nothing, that have no models or that were removed are not in it.
        """
        event_rows = self.sqlite_db.execute(
            MODEL_EVENTS_QUERY, (json.dumps(list(episodes)),)
        )  # at once: results ask for thousands
        return {
            episode: player_usage
            for (episode, seats), episode_rows in groupby(event_rows, itemgetter(0, 1))
            if (player_usage := usage_by_player(json.loads(seats), starmap(_decode_event, episode_rows)))
        }

    def list_watched(self) -> set[str]:
        """Return the episodes with people in which somebody saw both sides before the end."""
        watched_rows = self.sqlite_db.execute(
            "SELECT id FROM episode WHERE people AND EXISTS"
            " (SELECT 1 FROM event WHERE event.episode = episode.row AND event.kind = 'watched')"
        )
        return {episode for (episode,) in watched_rows}


def _make_condition(game_parts: Sequence[tuple[str, str | None, str | None]]) -> tuple[str, list[str]]:
    """Return the condition that an episode is of any of these parts of games, or of any game, with its parameters."""
    column_names = ("game", "variant", "experiment")
    filters = [
        {
            column: column_value
            for column, column_value in zip(column_names, column_values, strict=True)
            if column_value is not None
        }
        for column_values in game_parts
    ]
    condition = " OR ".join(
        "(" + " AND ".join(f"{column} = ?" for column in filter_values) + ")" for filter_values in filters
    )
    return condition or "1", [column_value for filter_values in filters for column_value in filter_values.values()]


def _decode_event(_episode: str, _seats: str, event_kind: str, seat: str | None, event_json: str) -> Event:
    return Event(Kind(event_kind), seat, json.loads(event_json))


def _encode_json(json_data: Json) -> str:
    """Return JSON as `to_json` does, but with shorter small and large numbers, in a fifth of the time.

    orjson writes what is not a number as null: where there are more nulls than values that are None, `to_json` raises
    for it. Data that orjson does not take is left to `to_json`, too.
    """
    try:
        json_text = orjson.dumps(json_data, option=PLAIN_JSON_OPTIONS).decode()
    except TypeError:
        return to_json(json_data)
    if "null" in json_text and json_text.count("null") > [*json_data.values()].count(None):
        return to_json(json_data)
    return json_text if json_text.isascii() else _escape_non_ascii(json_text)


@lru_cache(maxsize=512)  # the first prompts of an instance are said in each of its episodes
def _escape_non_ascii(json_text: str) -> str:
    r"""Return JSON with \u escapes for what is not ASCII: the text is escaped as a JSON string, the rest undone."""
    return encode_basestring_ascii(json_text)[1:-1].replace('\\"', '"').replace(r"\\", "\\")


def _make_storable(raw_text: str) -> str:
    return raw_text.encode("utf-8", "backslashreplace").decode()
