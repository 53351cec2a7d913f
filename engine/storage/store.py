"""The log in one SQLite file: append, read, claim, follow.

Append-only and shared by many processes: short `BEGIN IMMEDIATE` transactions in WAL mode, a busy timeout, one writer
per episode (a lease; the unique (episode, n) makes a second writer fail instead of mixing logs). What `append` has
returned from survives kill -9. The `episode` table is an index derived from events, for listings; events are the truth.
Everything here blocks; `GroupCommit` in `engine/play/episode.py` is the asynchronous way in.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from operator import length_hint
from pathlib import Path
from typing import Any, Self

from engine.core.condition import Condition
from engine.core.events import Event, Json, Kind, to_json
from engine.core.start import Start
from engine.storage.episode_result import EpisodeResult
from engine.storage.migrations import Migrations

BUSY_MS = 10_000
OWNER_STALE_MS = 60_000
"""A process whose last heartbeat is older than this has lost its leases, even if its pid seems alive."""

PAGE = 200
"""Episodes that are read at once where all are gone through."""

MIGRATIONS = Migrations("ludens.log")


class StoreError(Exception):
    """The database cannot be used as asked; the message says what to do."""


class NewerDatabase(StoreError):
    """The file was written by a newer Ludens."""


class LostLease(StoreError):
    """Another process has written to this episode since we last read it."""


class Status(StrEnum):
    """Where an episode stands: being played, waiting because of a fault, or ended with an outcome."""

    OPEN = "open"
    STALLED = "stalled"
    OVER = "over"


@MIGRATIONS.step
def m001_events(conn: sqlite3.Connection) -> None:
    """Create the log, its index of episodes, and leases."""
    conn.execute(
        "CREATE TABLE event (seq INTEGER PRIMARY KEY AUTOINCREMENT, episode INTEGER NOT NULL, n INTEGER NOT NULL,"
        " time INTEGER NOT NULL, kind TEXT NOT NULL, seat TEXT, data TEXT NOT NULL, UNIQUE (episode, n))"
    )
    conn.execute(
        "CREATE TABLE episode (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, plan_key TEXT UNIQUE,"
        " origin TEXT NOT NULL, game TEXT NOT NULL, variant TEXT NOT NULL, experiment TEXT NOT NULL,"
        " instance_id TEXT NOT NULL, instance_hash TEXT NOT NULL, seats TEXT NOT NULL, settings TEXT NOT NULL,"
        " reprompt INTEGER NOT NULL, people INTEGER NOT NULL, mixed INTEGER NOT NULL DEFAULT 0, start TEXT NOT NULL,"
        " status TEXT NOT NULL DEFAULT 'open', cause TEXT, outcome TEXT, created INTEGER NOT NULL,"
        " updated INTEGER NOT NULL, scores TEXT, scores_version TEXT)"
    )
    conn.execute("CREATE INDEX episode_by_game ON episode (game, variant, experiment)")
    conn.execute("CREATE INDEX episode_by_status ON episode (status, created)")
    conn.execute(
        "CREATE TABLE owner (id TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, what TEXT NOT NULL,"
        " beat INTEGER NOT NULL)"
    )
    conn.execute("CREATE TABLE lease (episode INTEGER PRIMARY KEY, owner TEXT NOT NULL)")
    conn.execute("CREATE TABLE secret (name TEXT PRIMARY KEY, value TEXT NOT NULL)")


@MIGRATIONS.step
def m002_results(conn: sqlite3.Connection) -> None:
    """Keep a narrow line beside every scored episode, for results of many, and what is planned and not begun."""
    conn.execute("CREATE TABLE condition (id TEXT PRIMARY KEY, what TEXT NOT NULL) WITHOUT ROWID")
    conn.execute(
        "CREATE TABLE result (seq INTEGER PRIMARY KEY AUTOINCREMENT, episode INTEGER NOT NULL UNIQUE, id TEXT NOT NULL,"
        " condition TEXT NOT NULL, instance TEXT NOT NULL, ending TEXT NOT NULL, main REAL, sides TEXT,"
        " numbers TEXT NOT NULL, marks INTEGER NOT NULL, created INTEGER NOT NULL, version TEXT NOT NULL)"
    )
    conn.execute("CREATE TABLE planned (key TEXT PRIMARY KEY, condition TEXT NOT NULL) WITHOUT ROWID")


MARKS = ("mixed", "practice", "informed", "seen_before")
"""What `result.marks` says of an episode, a bit each, the first the lowest."""


def now_ms() -> int:
    """Return the time as UTC milliseconds."""
    return time.time_ns() // 1_000_000


def new_id(at: int | None = None) -> str:
    """Return an id that sorts by time and cannot be guessed: 11 hexadecimal digits of UTC ms, 20 random ones."""
    return f"{now_ms() if at is None else at:011x}{secrets.token_hex(10)}"


@dataclass(frozen=True, slots=True)
class EpisodeRow:
    """What the index says of an episode. `start` is the data of its start event, `outcome` of its outcome event."""

    id: str
    origin: str
    game: str
    variant: str
    experiment: str
    instance_id: str
    instance_hash: str
    seats: dict[str, str]
    settings: Json
    reprompt: int
    people: bool
    mixed: bool
    start: Json
    status: Status
    cause: str | None
    outcome: Json | None
    created: int
    updated: int
    plan_key: str | None
    scores: Json | None
    scores_version: str | None


@dataclass(slots=True)
class Advance:
    """What one append adds to one episode: numbered, stamped events, and the status if it changes."""

    episode: str
    events: Sequence[Event]
    status: Status | None = None
    cause: str | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """The answer to a claim: `state` is "new", "resume" (both ours now), "over" or "busy" (somebody else plays it)."""

    state: str
    episode: str


class Store:
    """One connection to a log file. Use a store from one thread at a time.

    Raises `NewerDatabase` for a file of a newer Ludens, `StoreError` for a path that cannot be opened.
    """

    def __init__(self, path: Path | str, *, what: str = "reader") -> None:
        self.path = Path(path)
        self.what = what
        self._owner: str | None = None
        self._rows: dict[str, int] = {}
        self._removals = 0
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.conn = sqlite3.connect(
                self.path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False
            )
            _use_wal(self.conn)
            self.conn.execute("PRAGMA synchronous=NORMAL")
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"cannot open the database {self.path}: {error}") from error
        self.migrate(MIGRATIONS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give back this process's leases and close the connection."""
        if self._owner:
            with self._write():
                self.conn.execute("DELETE FROM lease WHERE owner = ?", (self._owner,))
                self.conn.execute("DELETE FROM owner WHERE id = ?", (self._owner,))
            self._owner = None
        self.conn.close()

    def migrate(self, migrations: Migrations) -> None:
        """Apply a numbered set of migrations; refuse a file that has some this Ludens does not know."""
        unknown = [name for name in migrations.applied(self.conn) if name not in migrations.steps]
        if unknown:
            raise NewerDatabase(
                f"{self.path} was written by a newer Ludens (it has {', '.join(unknown)}): update Ludens, "
                "or choose another file with --db"
            )
        if migrations.pending(self.conn):
            with self._write():  # pending is asked again inside: another process may have been quicker
                migrations.apply(self.conn)

    def integrity_faults(self) -> list[str]:
        """Return what SQLite's integrity check reports, nothing for an intact file."""
        messages = [message for (message,) in self.conn.execute("PRAGMA integrity_check")]
        return [message for message in messages if message != "ok"]

    def copy_to(self, path: Path) -> None:
        """Copy the file to another one while it is in use."""
        with closing(sqlite3.connect(path)) as copy:
            self.conn.backup(copy)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Make one transaction of all that is written within."""
        with self._write():
            yield

    @contextmanager
    def _write(self) -> Iterator[None]:
        if self.conn.in_transaction:  # within `together`
            yield
            return
        self.conn.execute("BEGIN IMMEDIATE")
        try:
            self._recall()
            yield
        except BaseException:
            self.conn.execute("ROLLBACK")
            raise
        self.conn.execute("COMMIT")

    # ------------------------------------------------------------------ writing
    def claim(self, wanted: Sequence[tuple[Start, str | None]], *, origin: str) -> list[Claim]:
        """Claim planned episodes in one transaction, making those that are not there yet (without events).

        The second of each pair is the plan key; None makes a new episode always. A claimed episode is leased to this
        process until it is over, `release`d or the process is gone.
        """
        made: list[Claim] = []
        with self._write():
            owner = self._beat()
            for start, key in wanted:
                found = None
                if key is not None:
                    found = self.conn.execute(
                        "SELECT row, id, status FROM episode WHERE plan_key = ?", (key,)
                    ).fetchone()
                if found is None:
                    made.append(Claim("new", self._insert(start, key, origin, owner)))
                elif found[2] == Status.OVER:
                    made.append(Claim("over", found[1]))
                else:
                    made.append(Claim("resume" if self._lease(found[0], owner) else "busy", found[1]))
        return made

    def _insert(
        self,
        start: Start,
        key: str | None,
        origin: str,
        owner: str | None,
        *,
        episode: str | None = None,
        at: int | None = None,
    ) -> str:
        at = at or now_ms()
        episode = episode or new_id()
        people = any(player.partition("?")[0] == "person" for player in start.seats.values())
        cursor = self.conn.execute(
            "INSERT INTO episode (id, plan_key, origin, game, variant, experiment, instance_id, instance_hash, seats,"
            " settings, reprompt, people, start, created, updated) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                episode,
                key,
                origin,
                start.game,
                start.variant,
                start.experiment,
                start.instance_id,
                start.instance_hash,
                to_json(start.seats),
                to_json(start.settings),
                start.reprompt,
                people,
                to_json(start.model_dump(mode="json")),
                at,
                at,
            ),
        )
        row = int(cursor.lastrowid or 0)
        self._rows[episode] = row
        if key is not None:
            self.conn.execute("DELETE FROM planned WHERE key = ?", (key,))
        if owner:
            self.conn.execute("INSERT INTO lease (episode, owner) VALUES (?, ?)", (row, owner))
        return episode

    def adopt(
        self, start: Start, log: Sequence[Event], *, key: str | None, origin: str, episode: str | None = None
    ) -> tuple[str, bool]:
        """Take in a whole episode that was played elsewhere, in one transaction; return its id and whether it is new.

        One of the same key or id that is here already stays as it is.
        """
        with self._write():
            found = self.conn.execute(
                "SELECT id FROM episode WHERE (plan_key IS NOT NULL AND plan_key = ?) OR id = ?", (key, episode)
            ).fetchone()
            if found:
                return str(found[0]), False
            made = self._insert(start, key, origin, None, episode=episode, at=log[0].time)
            values = [(self._row(made), e.n, e.time, str(e.kind), e.seat, to_json(e.data)) for e in log]
            self.conn.executemany(
                "INSERT INTO event (episode, n, time, kind, seat, data) VALUES (?, ?, ?, ?, ?, ?)", values
            )
            self._index(self._row(made), Advance(made, log))
        return made, True

    def take(self, episode: str) -> bool:
        """Lease an existing episode to this process; False while another living process has it."""
        with self._write():
            return self._lease(self._row(episode), self._beat())

    def states(self, keys: Sequence[str]) -> dict[str, tuple[str, str | None]]:
        """Return (status, how it ended) of the planned episodes that are there, by plan key."""
        marks = ",".join("?" * len(keys))
        rows = self.conn.execute(
            f"SELECT plan_key, status, outcome ->> '$.kind' FROM episode WHERE plan_key IN ({marks})", list(keys)
        )
        return {key: (status, ending) for key, status, ending in rows}

    def release(self, episode: str) -> None:
        """Give an episode's lease back."""
        if self._owner:
            with self._write():
                self.conn.execute(
                    "DELETE FROM lease WHERE owner = ? AND episode = (SELECT row FROM episode WHERE id = ?)",
                    (self._owner, episode),
                )

    def beat(self) -> None:
        """Say that this process is alive; call it every few seconds while it holds leases."""
        with self._write():
            self._beat()

    def _beat(self) -> str:
        if self._owner is None:
            self._owner = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
        self.conn.execute(
            "INSERT INTO owner (id, host, pid, what, beat) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET beat = excluded.beat",
            (self._owner, socket.gethostname(), os.getpid(), self.what, now_ms()),
        )
        return self._owner

    def _lease(self, row: int, owner: str) -> bool:
        held = self.conn.execute(
            "SELECT owner.id, owner.host, owner.pid, owner.beat FROM lease LEFT JOIN owner ON owner.id = lease.owner"
            " WHERE lease.episode = ?",
            (row,),
        ).fetchone()
        if held and held[0] is not None and held[0] != owner and is_alive(*held[1:]):
            return False
        self.conn.execute("INSERT OR REPLACE INTO lease (episode, owner) VALUES (?, ?)", (row, owner))
        return True

    def append(self, batch: Sequence[Advance]) -> None:
        """Append several advances as one transaction; on return they survive kill -9.

        Raises `LostLease` naming the first episode whose next number is taken, or one that was removed (nothing of the
        batch is written).
        """
        told = [
            (advance.episode, e.n, e.time, str(e.kind), e.seat, to_json(e.data))
            for advance in batch
            for e in advance.events
        ]
        with self._write():
            try:
                values = [(self._row(episode), *rest) for episode, *rest in told]
            except StoreError as error:
                raise LostLease(f"{error}: it was removed while it was in play") from error
            coming = iter(values)
            try:  # one statement for the whole batch: half the time of one an advance
                self.conn.executemany(
                    "INSERT INTO event (episode, n, time, kind, seat, data) VALUES (?, ?, ?, ?, ?, ?)", coming
                )
            except sqlite3.IntegrityError as error:
                row = values[len(values) - length_hint(coming) - 1][0]
                episode = next(advance.episode for advance in batch if self._row(advance.episode) == row)
                raise LostLease(f"another process wrote to episode {episode}; it is continued from the log") from error
            for advance in batch:
                self._index(self._row(advance.episode), advance)

    def _index(self, row: int, advance: Advance) -> None:
        last = advance.events[-1]
        outcome = to_json(last.data) if last.kind is Kind.OUTCOME else None
        status = Status.OVER if outcome else advance.status
        # a vendor's words may hold what SQLite's text cannot; the event has them as they were
        cause = advance.cause and _storable(advance.cause)
        if status:
            self.conn.execute(
                "UPDATE episode SET status = ?, cause = ?, outcome = ?, updated = ? WHERE row = ?",
                (status.value, cause, outcome, last.time, row),
            )
        if outcome:
            self.conn.execute("DELETE FROM lease WHERE episode = ?", (row,))
        for event in advance.events:
            if event.kind is Kind.SEAT:
                self.conn.execute("UPDATE episode SET mixed = 1 WHERE row = ?", (row,))

    def set_scores(self, scored: Iterable[tuple[str, str, Json]]) -> None:
        """Keep computed scores beside their episodes: (episode id, scores version, scores), in one transaction.

        They are a cache: scores can always be computed from the events again. Those of an episode that was removed
        meanwhile are dropped.
        """
        with self._write():
            for episode, version, scores in scored:
                try:
                    row = self._row(episode)
                except StoreError:
                    continue
                self.conn.execute(
                    "UPDATE episode SET scores = ?, scores_version = ? WHERE row = ?", (to_json(scores), version, row)
                )
                result = EpisodeResult.of(next(self._select("row = ?", (row,))), scores)
                if result.ending is not None:
                    self._keep_result(row, result, version)

    def _keep_result(self, row: int, result: EpisodeResult, version: str) -> None:
        """Write the narrow line of a scored episode; one that was there gets a new number, so that readers see it."""
        marks = sum(getattr(result, mark) << bit for bit, mark in enumerate(MARKS))
        sides = None if result.sides is None else to_json(result.sides)
        self._keep_condition(result.condition)
        self.conn.execute(
            "INSERT OR REPLACE INTO result (episode, id, condition, instance, ending, main, sides, numbers, marks,"
            " created, version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                row,
                result.episode,
                result.condition.id,
                result.instance,
                result.ending,
                result.main,
                sides,
                result.numbers,
                marks,
                result.created,
                version,
            ),
        )

    def _keep_condition(self, condition: Condition) -> None:
        self.conn.execute(
            "INSERT OR IGNORE INTO condition (id, what) VALUES (?, ?)", (condition.id, to_json(condition.as_json()))
        )

    def plan(self, planned: Iterable[tuple[str, Condition]]) -> None:
        """Write down what is to be played: (plan key, condition). What was begun before is left out."""
        with self._write():
            for key, condition in planned:
                added = self.conn.execute(
                    "INSERT OR IGNORE INTO planned (key, condition) SELECT ?, ?"
                    " WHERE NOT EXISTS (SELECT 1 FROM episode WHERE plan_key = ?)",
                    (key, condition.id, key),
                )
                if added.rowcount:
                    self._keep_condition(condition)

    def planned(self) -> dict[Condition, int]:
        """Return how many episodes were planned and not begun, by condition."""
        found = self.conn.execute(
            "SELECT what, COUNT(*) FROM planned JOIN condition ON condition.id = planned.condition GROUP BY id"
        )
        return {Condition(**json.loads(what)): n for what, n in found}

    def unplan(self, conditions: Iterable[str]) -> int:
        """Forget what was planned and not begun under these conditions (ids); return how many episodes that was."""
        with self._write():
            return sum(
                self.conn.execute("DELETE FROM planned WHERE condition = ?", (condition,)).rowcount
                for condition in conditions
            )

    def remove(self, episodes: Iterable[str]) -> None:
        """Take episodes out of the log with everything this module keeps of them; nothing of it can be had back.

        Another process that plays one of them finds that out at its next `append`.
        """
        with self._write():
            self.conn.execute(f"PRAGMA user_version = {self.removals() + 1}")
            for episode in episodes:
                row = self._row(episode)
                for table in ("event", "lease", "result"):
                    self.conn.execute(f"DELETE FROM {table} WHERE episode = ?", (row,))
                self.conn.execute("DELETE FROM episode WHERE row = ?", (row,))
                self._rows.pop(episode, None)

    def removals(self) -> int:
        """Return how often something was removed from this file, by anybody."""
        return int(self.conn.execute("PRAGMA user_version").fetchone()[0])

    def _recall(self) -> None:
        """Forget the numbers of episodes once some were removed: the number of one that is gone may be another's."""
        if (removals := self.removals()) != self._removals:
            self._rows.clear()
            self._removals = removals

    def stall(self, episode: str, cause: str) -> None:
        """Mark an episode stalled with a cause that is not in its log (the rules changed), leaving the log as it is."""
        with self._write():
            self.conn.execute(
                "UPDATE episode SET status = ?, cause = ?, updated = ? WHERE row = ? AND status != ?",
                (Status.STALLED, _storable(cause), now_ms(), self._row(episode), Status.OVER),
            )

    def secret(self, name: str) -> str:
        """Return this database's random secret of that name (32 bytes as hexadecimal), making it at first use."""
        with self._write():
            self.conn.execute("INSERT OR IGNORE INTO secret (name, value) VALUES (?, ?)", (name, secrets.token_hex(32)))
            value: str = self.conn.execute("SELECT value FROM secret WHERE name = ?", (name,)).fetchone()[0]
            return value

    # ------------------------------------------------------------------ reading
    def _row(self, episode: str) -> int:
        row = self._rows.get(episode)
        if row is None:
            found = self.conn.execute("SELECT row FROM episode WHERE id = ?", (episode,)).fetchone()
            if found is None:
                raise StoreError(f"no episode {episode!r} in {self.path}")
            row = self._rows[episode] = int(found[0])
        return row

    def events(self, episode: str, after: int = -1) -> list[Event]:
        """Return an episode's events with n > `after`, in order. Raises `StoreError` for one that is not there."""
        self._recall()
        rows = self.conn.execute(
            "SELECT n, time, kind, seat, data FROM event WHERE episode = ? AND n > ? ORDER BY n",
            (self._row(episode), after),
        )
        return [_event(*row) for row in rows]

    def episode(self, episode: str) -> EpisodeRow:
        """Return the index row of an episode; its id may be shortened to an unambiguous beginning or end.

        Raises `StoreError` for none or several.
        """
        if not episode:
            raise StoreError("an episode's id is missing")
        if exact := list(self._select("id = ?", (episode,))):
            return exact[0]  # by its index: what follows looks at every episode, half a second among 100,000
        escaped = episode.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        like = "id LIKE ? ESCAPE '\\' OR id LIKE ? ESCAPE '\\' LIMIT 2"
        found = list(self._select(like, (escaped + "%", "%" + escaped)))
        if len(found) != 1:
            raise StoreError(f"{'several episodes' if found else 'no episode'} {episode!r} in {self.path}")
        return found[0]

    def episodes(
        self,
        *,
        game: str | None = None,
        variant: str | None = None,
        experiment: str | None = None,
        status: Status | None = None,
        people: bool | None = None,
        newest: int | None = None,
    ) -> list[EpisodeRow]:
        """Return episodes by what the index says of them, oldest first, or the `newest` ones, newest first."""
        wanted: Mapping[str, object | None] = {
            "game": game,
            "variant": variant,
            "experiment": experiment,
            "status": status,
            "people": people,
        }
        given = {name: value for name, value in wanted.items() if value is not None}
        where = " AND ".join(f"{name} = ?" for name in given) or "1"
        order = " ORDER BY row" if newest is None else f" ORDER BY row DESC LIMIT {int(newest)}"
        return list(self._select(where + order, tuple(given.values())))

    def each(self, parts: Sequence[tuple[str, str | None, str | None]] = ()) -> Iterator[EpisodeRow]:
        """Yield episodes oldest first, of any of (game, variant or None, experiment or None), all without one.

        A page of them is in memory at a time, and the file is free for others in between.
        """
        wanted = [list(zip(("game", "variant", "experiment"), part, strict=True)) for part in parts]
        given = [[(name, value) for name, value in pairs if value is not None] for pairs in wanted]
        where = " OR ".join("(" + " AND ".join(f"{name} = ?" for name, _ in pairs) + ")" for pairs in given) or "1"
        values = [value for pairs in given for _, value in pairs]
        last = 0
        while rows := self.conn.execute(
            f"SELECT row FROM episode WHERE row > ? AND ({where}) ORDER BY row LIMIT {PAGE}", (last, *values)
        ).fetchall():
            last = rows[-1][0]
            self._rows.clear()  # known numbers of episodes that are gone by
            yield from list(self._select(f"row IN ({','.join(str(row) for (row,) in rows)}) ORDER BY row", ()))

    def status(self, episode: str) -> Status | None:
        """Return the status of an episode by its full id; None if the log does not have it."""
        row = self.conn.execute("SELECT status FROM episode WHERE id = ?", (episode,)).fetchone()
        return Status(row[0]) if row else None

    def abandoned_tables(self, before: int) -> list[str]:
        """Return the unfinished episodes of tables without any move or message since a time in UTC milliseconds."""
        rows = self.conn.execute(
            "SELECT episode.id FROM episode WHERE origin = 'table' AND status != 'over' AND created < ?"
            " AND NOT EXISTS (SELECT 1 FROM event WHERE event.episode = episode.row AND time >= ?"
            " AND kind NOT IN ('present', 'away', 'watched', 'fault'))",
            (before, before),
        )
        return [episode for (episode,) in rows]

    def unfinished(self) -> list[EpisodeRow]:
        """Return the episodes that are open or stalled, oldest first."""
        return list(self._select("status IN ('open', 'stalled') ORDER BY row", ()))

    def _select(self, where: str, values: Sequence[Any]) -> Iterator[EpisodeRow]:
        columns = (
            "id, origin, game, variant, experiment, instance_id, instance_hash, seats, settings, reprompt, people, "
            "mixed, start, status, cause, outcome, created, updated, plan_key, scores, scores_version"
        )
        for row in self.conn.execute(f"SELECT {columns} FROM episode WHERE {where}", values):
            given = list(row)
            for place in (7, 8, 12, 15, 19):
                given[place] = None if given[place] is None else json.loads(given[place])
            given[10], given[11], given[13] = bool(given[10]), bool(given[11]), Status(given[13])
            yield EpisodeRow(*given)

    def watched(self) -> set[str]:
        """Return the episodes with people in which somebody saw both sides before the end."""
        rows = self.conn.execute(
            "SELECT id FROM episode WHERE people AND EXISTS"
            " (SELECT 1 FROM event WHERE event.episode = episode.row AND event.kind = 'watched')"
        )
        return {episode for (episode,) in rows}

    def data_version(self) -> int:
        """Return a number that changes when another connection has written."""
        return int(self.conn.execute("PRAGMA data_version").fetchone()[0])

    def last_seq(self) -> int:
        """Return the number of the newest event of the whole log, 0 when it is empty."""
        return int(self.conn.execute("SELECT COALESCE(MAX(seq), 0) FROM event").fetchone()[0])

    def changes(self, after: int, limit: int = 5000) -> list[tuple[int, str, Event]]:
        """Return (seq, episode id, event) of what was appended after `after` by anybody, in commit order."""
        rows = self.conn.execute(
            "SELECT seq, episode.id, n, time, kind, seat, data FROM event JOIN episode ON episode.row = event.episode"
            " WHERE seq > ? ORDER BY seq LIMIT ?",
            (after, limit),
        )
        return [(row[0], row[1], _event(*row[2:])) for row in rows]

    def living_owners(self) -> Iterable[tuple[str, int, str]]:
        """Yield (host, pid, what) of the processes that write to this file now."""
        for host, pid, beat, what in self.conn.execute("SELECT host, pid, beat, what FROM owner"):
            if is_alive(host, pid, beat):
                yield host, pid, what


def _use_wal(conn: sqlite3.Connection) -> None:
    """Switch to the write-ahead log; for this alone SQLite does not wait for others, so a new file may be busy."""
    until = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            conn.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)


def _storable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def _event(n: int, time_: int, kind: str, seat: str | None, data: str) -> Event:
    return Event(Kind(kind), seat, json.loads(data), n, time_)


def is_alive(host: str, pid: int, beat: int) -> bool:
    """Return whether the owner of a lease still runs, from its host, process and last heartbeat (UTC ms)."""
    if now_ms() - beat > OWNER_STALE_MS:
        return False
    if host != socket.gethostname():
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
