"""Who may see what: browsers, seats, links and grants, kept beside the log in the same database.

A browser is known by the hash of a random cookie. A seat link (`/s/TOKEN`) adds a row (browser, seat), a spectator link
(`/w/TOKEN`) a grant (browser, episode), the admin link (`/a/TOKEN`) the browser itself. Tokens are derived from the
database's secret, so links can be shown again and are stored, if at all, as hashes. Methods that write run where the
log is written (`GroupCommit.call`); the others read.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from engine.core.events import Json, to_json
from engine.core.player import Address
from engine.storage.database import StoreError
from engine.storage.ids import now_ms
from engine.storage.schema import REPLAYING, WEB_MIGRATIONS
from engine.storage.store import Store

COOKIE = re.compile(r"[A-Za-z0-9_-]{43}")


HELD = (
    "SELECT seat.episode, pid, holder.browser, holder.since FROM holder JOIN seat USING (pid)"
    " UNION ALL SELECT episode, pid, browser, since FROM sat"
)
"""(episode, pid, browser, since) of every seat that a browser holds or once held."""
AGREED = (
    f"(pid = '' OR NOT EXISTS (SELECT 1 FROM ({HELD}) held"
    " WHERE held.episode = p.episode AND held.pid NOT IN (SELECT pid FROM published q WHERE q.episode = p.episode)))"
)
"""Of a row p of `published`: whether the owner, or everybody who held a seat there, has published its episode."""


def new_cookie() -> str:
    """Return a fresh value for the browser cookie."""
    return secrets.token_urlsafe(32)


def browser_id(cookie: str | None) -> str | None:
    """Return the id of the browser that sent this cookie: the value's hash; None for no or a malformed one."""
    return _hash(cookie) if cookie and COOKIE.fullmatch(cookie) else None


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class SeatLink:
    """A seat held by people: its public id (in addresses, no authority), its episode and its name there."""

    pid: str
    episode: str
    seat: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A table opened in a browser here: by whom, whether people sit at it, seconds between moves of programs."""

    episode: str
    browser: str
    created: int
    people: bool
    pace: float


def seen_before(store: Store) -> set[str]:
    """Return the episodes in which somebody had a seat after an earlier one, in any episode, at the same instance.

    Where it was not known at the start whether a browser had seen the instance (it came by a link), having watched an
    episode with it that began earlier counts too: when it watched is not written down.
    """
    if not store.conn.execute("SELECT 1 FROM sqlite_master WHERE name = 'holder'").fetchone():
        return set()  # nobody has opened a page on this log
    earlier = (
        "SELECT here.id FROM holder h JOIN seat s USING (pid) JOIN episode here ON here.id = s.episode WHERE EXISTS"
        " (SELECT 1 FROM holder o JOIN seat t USING (pid) JOIN episode there ON there.id = t.episode"
        " WHERE o.browser = h.browser AND there.instance_hash = here.instance_hash AND there.id <> here.id"
        " AND o.since < h.since)"
    )
    watched = (
        "SELECT here.id FROM holder h JOIN seat s USING (pid) JOIN episode here ON here.id = s.episode"
        " JOIN watcher w ON w.browser = h.browser AND w.watched JOIN episode there ON there.id = w.episode"
        " WHERE there.instance_hash = here.instance_hash AND there.created < here.created"
        " AND json_extract(here.start, '$.people.\"' || s.seat || '\".seen_before') IS NULL"
    )
    return {episode for (episode,) in store.conn.execute(f"{earlier} UNION {watched}")}


def published(store: Store) -> set[str]:
    """Return the published episodes with people."""
    if not store.conn.execute("SELECT 1 FROM sqlite_master WHERE name = 'published'").fetchone():
        return set()  # no server of this version has opened this log
    return {episode for (episode,) in store.conn.execute(f"SELECT episode FROM published p WHERE {AGREED}")}


def replays(store: Store, episode: str | None = None) -> list[tuple[str, str]]:
    """Return (episode, the one that a player there plays back) of all episodes that do so, or of one, oldest first."""
    one, values = ("AND episode.id = ?", (episode,)) if episode else ("", ())
    rows: list[tuple[str, str]] = []
    for query in (
        f"SELECT episode.id, value FROM episode, json_each(seats) WHERE {REPLAYING} {one}",
        # CROSS: from the few mixed episodes to their events, never the other way round
        "SELECT episode.id, data ->> '$.player' FROM episode CROSS JOIN event ON event.episode = episode.row"
        f" WHERE mixed AND kind = 'seat' {one}",
    ):
        rows += store.conn.execute(query, values).fetchall()
    found = []
    for id_, address in sorted(rows):
        if address.startswith("recorded/"):
            with suppress(StoreError):  # gone, or never here
                found.append((id_, store.episode(Address.parse(address).name).id))
    return found


class Links:
    """The tables of this module, read through one connection and written through another."""

    def __init__(self, reader: Store, writer: Store) -> None:
        writer.migrate(WEB_MIGRATIONS)
        self._read, self._writer = reader.conn, writer
        writer.overwrite_deleted()  # deleted drafts must leave no trace in the file
        self._secret = bytes.fromhex(writer.secret("links"))

    # ------------------------------------------------------------------ derived secrets
    def _derived(self, *parts: str, length: int = 32) -> str:
        made = hmac.new(self._secret, to_json(parts).encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(made).decode()[:length]

    def seat_path(self, pid: str) -> str:
        """Return the secret link to a seat."""
        return "/s/" + self._derived("seat", pid)

    def watch_path(self, episode: str) -> str:
        """Return the secret link for spectators of an episode."""
        return "/w/" + self._derived("watch", episode)

    def admin_path(self) -> str:
        """Return the secret link that gives a browser the right to seat players that cost something."""
        return "/a/" + self._derived("admin")

    def picture_id(self, episode: str, audience: str, asset: str) -> str:
        """Return the name a picture has for one audience: random to look at, always the same."""
        return self._derived("picture", episode, audience, asset, length=27)

    # ------------------------------------------------------------------ reading
    def seat(self, pid: str) -> SeatLink | None:
        """Return the seat with this public id."""
        return self._seat("pid = ?", pid)

    def seat_by_token(self, token: str) -> SeatLink | None:
        """Return the seat that a link leads to."""
        return self._seat("token = ?", _hash(token))

    def _seat(self, where: str, value: str) -> SeatLink | None:
        found = self._read.execute(f"SELECT pid, episode, seat FROM seat WHERE {where}", (value,)).fetchone()
        return SeatLink(*found) if found else None

    def episode_by_token(self, token: str) -> str | None:
        """Return the episode that a spectator link leads to."""
        found: str | None = self._one("SELECT episode FROM opened WHERE token = ?", _hash(token))
        return found

    def is_admin_token(self, token: str) -> bool:
        """Return whether a token is that of the admin link."""
        return hmac.compare_digest(_hash(token), _hash(self._derived("admin")))

    def is_admin(self, browser: str | None) -> bool:
        """Return whether a browser has opened the admin link."""
        return self._there("SELECT 1 FROM admin WHERE browser = ?", browser)

    def seats(self, episode: str) -> dict[str, SeatLink]:
        """Return an episode's seats for people, by name."""
        rows = self._read.execute("SELECT pid, episode, seat FROM seat WHERE episode = ? ORDER BY seat", (episode,))
        return {row[2]: SeatLink(*row) for row in rows}

    def holds(self, browser: str | None, pid: str) -> bool:
        """Return whether a browser holds a seat."""
        return self._there("SELECT 1 FROM holder WHERE browser = ? AND pid = ?", browser, pid)

    def sits_at(self, browser: str | None, episode: str) -> bool:
        """Return whether a browser holds any seat of an episode."""
        return self._there(
            "SELECT 1 FROM seat JOIN holder USING (pid) WHERE episode = ? AND browser = ?", episode, browser
        )

    def has_people(self, episode: str) -> bool:
        """Return whether any seat of an episode is or was a person's."""
        started = "SELECT 1 FROM episode WHERE id = ? AND people"
        return self._there(started, episode) or self._there(
            "SELECT 1 FROM opened WHERE episode = ? AND people", episode
        )

    def took_part(self, browser: str | None, episode: str) -> bool:
        """Return whether a browser holds or once held a seat of an episode, or opened the table."""
        return self._there(
            f"SELECT 1 FROM ({HELD}) WHERE episode = ? AND browser = ?", episode, browser
        ) or self._there("SELECT 1 FROM opened WHERE episode = ? AND browser = ?", episode, browser)

    def is_published(self, episode: str) -> bool:
        """Return whether the owner, or everybody who held a seat, has published an episode."""
        return self._there(f"SELECT 1 FROM published p WHERE episode = ? AND {AGREED}", episode)

    def granted(self, browser: str | None, episode: str) -> bool:
        """Return whether a browser has opened an episode's spectator link, or the table itself."""
        return self._there("SELECT 1 FROM watcher WHERE browser = ? AND episode = ? AND granted", browser, episode)

    def has_watched(self, browser: str | None, episode: str) -> bool:
        """Return whether a browser has seen both sides of an episode."""
        return self._there("SELECT 1 FROM watcher WHERE browser = ? AND episode = ? AND watched", browser, episode)

    def opened(self, episode: str) -> Opened | None:
        """Return who opened a table here; None for episodes of runs."""
        row = self._read.execute(
            "SELECT episode, browser, created, people, pace FROM opened WHERE episode = ?", (episode,)
        ).fetchone()
        return Opened(row[0], row[1], row[2], bool(row[3]), row[4]) if row else None

    def opened_since(self, browser: str, since: int) -> int:
        """Return how many tables a browser has opened since then."""
        return int(self._one("SELECT COUNT(*) FROM opened WHERE browser = ? AND created >= ?", browser, since) or 0)

    def open_tables(self, browser: str) -> int:
        """Return how many of a browser's tables are still in play."""
        query = "SELECT COUNT(*) FROM opened JOIN episode ON id = episode WHERE browser = ? AND status != 'over'"
        return int(self._one(query, browser) or 0)

    def draft(self, pid: str, ask: int) -> Json | None:
        """Return the half-written values of an ask."""
        found = self._one("SELECT given FROM draft WHERE pid = ? AND ask = ?", pid, ask)
        return json.loads(found) if found else None

    def times_seen(self, browser: str | None) -> Mapping[str, int]:
        """Return how often a browser has been dealt or shown each instance, by its hash."""
        rows = self._read.execute("SELECT instance_hash, times FROM seen WHERE browser = ?", (browser,))
        return dict(rows.fetchall())

    def _there(self, query: str, *values: Any) -> bool:
        return self._read.execute(query, values).fetchone() is not None

    def _one(self, query: str, *values: Any) -> Any:
        found = self._read.execute(query, values).fetchone()
        return found[0] if found else None

    # ------------------------------------------------------------------ writing
    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._writer.transaction():
            yield self._writer.conn

    def open_table(
        self, episode: str, browser: str, people: Iterable[str], mine: str | None, pace: float, instance_hash: str
    ) -> dict[str, str]:
        """Write down a new table: its seats for `people` (one of them `mine`). Returns seat to public id."""
        pids: dict[str, str] = {}
        with self._writing() as db:
            self._known(db, browser)
            for seat in people:
                pids[seat] = self._new_seat(db, episode, seat)
            token = _hash(self._derived("watch", episode))
            db.execute(
                "INSERT INTO opened (episode, browser, created, people, pace, token) VALUES (?, ?, ?, ?, ?, ?)",
                (episode, browser, now_ms(), bool(pids), pace, token),
            )
            if mine is not None:
                self._hold(db, browser, pids[mine])
                self._saw(db, browser, instance_hash)
            else:
                self._grant(db, browser, episode)
        return pids

    def replace_seat(self, episode: str, seat: str, person: bool) -> str | None:
        """Forget who held a seat; for another person make it anew. Returns its new public id."""
        with self._writing() as db:
            old = db.execute("SELECT pid FROM seat WHERE episode = ? AND seat = ?", (episode, seat)).fetchone()
            if old:
                db.execute(
                    "INSERT OR IGNORE INTO sat (browser, episode, pid, since)"
                    " SELECT browser, ?, pid, since FROM holder WHERE pid = ?",
                    (episode, *old),
                )
                db.execute("DELETE FROM holder WHERE pid = ?", old)
                db.execute("DELETE FROM draft WHERE pid = ?", old)
                db.execute("DELETE FROM seat WHERE pid = ?", old)
            if not person:
                return None
            db.execute("UPDATE opened SET people = 1 WHERE episode = ?", (episode,))
            return self._new_seat(db, episode, seat)

    def _new_seat(self, db: sqlite3.Connection, episode: str, seat: str) -> str:
        pid = secrets.token_urlsafe(12)
        token = _hash(self._derived("seat", pid))
        db.execute("INSERT INTO seat (pid, episode, seat, token) VALUES (?, ?, ?, ?)", (pid, episode, seat, token))
        return pid

    def hold(self, browser: str, pid: str, instance_hash: str) -> None:
        """Let a browser hold a seat."""
        with self._writing() as db:
            self._known(db, browser)
            if self._hold(db, browser, pid):
                self._saw(db, browser, instance_hash)

    def grant(self, browser: str, episode: str) -> None:
        """Let a browser watch an episode."""
        with self._writing() as db:
            self._known(db, browser)
            self._grant(db, browser, episode)

    def make_admin(self, browser: str) -> None:
        """Note that a browser has opened the admin link."""
        with self._writing() as db:
            self._known(db, browser)
            db.execute("INSERT OR IGNORE INTO admin (browser, since) VALUES (?, ?)", (browser, now_ms()))

    def publish(self, browser: str, episode: str, published: bool) -> None:
        """Publish an episode, or take that back: for the seats that a browser holds or held, as owner for all."""
        with self._writing() as db:
            held = f"SELECT DISTINCT pid FROM ({HELD}) WHERE episode = ? AND browser = ?"
            pids = [pid for (pid,) in db.execute(held, (episode, browser))]
            if db.execute("SELECT 1 FROM admin WHERE browser = ?", (browser,)).fetchone():
                pids.append("")
            for pid in pids:
                if published:
                    db.execute(
                        "INSERT OR IGNORE INTO published (episode, pid, since) VALUES (?, ?, ?)",
                        (episode, pid, now_ms()),
                    )
                else:
                    db.execute("DELETE FROM published WHERE episode = ? AND pid = ?", (episode, pid))

    def forget(self, browsers: Iterable[str], episodes: Iterable[str]) -> None:
        """Forget all links of these episodes and all that is known of these browsers, but not who is the owner.

        Tables that they opened and others play at stay, opened by nobody.
        """
        with self._writing() as db:
            for episode in episodes:
                db.execute("DELETE FROM draft WHERE pid IN (SELECT pid FROM seat WHERE episode = ?)", (episode,))
                db.execute("DELETE FROM holder WHERE pid IN (SELECT pid FROM seat WHERE episode = ?)", (episode,))
                for table in ("seat", "sat", "watcher", "published", "opened"):
                    db.execute(f"DELETE FROM {table} WHERE episode = ?", (episode,))
            for browser in browsers:
                for table in ("holder", "sat", "watcher", "seen"):
                    db.execute(f"DELETE FROM {table} WHERE browser = ?", (browser,))
                db.execute("UPDATE opened SET browser = '' WHERE browser = ?", (browser,))
                db.execute("DELETE FROM browser WHERE id = ? AND id NOT IN (SELECT browser FROM admin)", (browser,))

    def watched(self, browser: str, episode: str, instance_hash: str) -> bool:
        """Write down that a browser sees both sides of an episode; return whether that is new."""
        with self._writing() as db:
            self._known(db, browser)
            before = db.execute(
                "SELECT watched FROM watcher WHERE browser = ? AND episode = ?", (browser, episode)
            ).fetchone()
            if before and before[0]:
                return False
            db.execute(
                "INSERT INTO watcher (browser, episode, watched) VALUES (?, ?, 1)"
                " ON CONFLICT (browser, episode) DO UPDATE SET watched = 1",
                (browser, episode),
            )
            self._saw(db, browser, instance_hash)
            return True

    def keep_draft(self, pid: str, ask: int, given: str) -> None:
        """Keep the half-written values (JSON) of a seat's ask."""
        with self._writing() as db:
            db.execute(
                "INSERT OR REPLACE INTO draft (pid, ask, given, time) VALUES (?, ?, ?, ?)", (pid, ask, given, now_ms())
            )

    def drop_draft(self, pid: str, up_to: int) -> None:
        """Forget what was half-written for asks up to this one."""
        with self._writing() as db:
            db.execute("DELETE FROM draft WHERE pid = ? AND ask <= ?", (pid, up_to))

    @staticmethod
    def _known(db: sqlite3.Connection, browser: str) -> None:
        db.execute("INSERT OR IGNORE INTO browser (id, created) VALUES (?, ?)", (browser, now_ms()))

    @staticmethod
    def _hold(db: sqlite3.Connection, browser: str, pid: str) -> bool:
        added = db.execute(
            "INSERT OR IGNORE INTO holder (browser, pid, since) VALUES (?, ?, ?)", (browser, pid, now_ms())
        )
        return added.rowcount > 0

    @staticmethod
    def _grant(db: sqlite3.Connection, browser: str, episode: str) -> None:
        db.execute(
            "INSERT INTO watcher (browser, episode, granted) VALUES (?, ?, 1)"
            " ON CONFLICT (browser, episode) DO UPDATE SET granted = 1",
            (browser, episode),
        )

    @staticmethod
    def _saw(db: sqlite3.Connection, browser: str, instance_hash: str) -> None:
        db.execute(
            "INSERT INTO seen (browser, instance_hash, times) VALUES (?, ?, 1)"
            " ON CONFLICT (browser, instance_hash) DO UPDATE SET times = times + 1",
            (browser, instance_hash),
        )
