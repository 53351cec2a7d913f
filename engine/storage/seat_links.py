"""Seat links and browsers: which browser holds which seat, may watch which episode, and has seen which instance.

A browser is known by the hash of a random cookie. A seat link (`/s/TOKEN`) seats one browser: the first that comes to
the seat holds it, and with it all rights to what is played there. Another browser that opens the link has asked for the
seat, and holds it once it is admitted (`hold`). A spectator link (`/w/TOKEN`) lets a browser watch that episode, and
the admin link (`/a/TOKEN`) makes it an administrator. Tokens are derived from the database's secret, so that links can
be shown again; the tables keep only their hashes. Methods that write must run where the log is written
(`GroupCommit.call`); all others only read.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.events import Json, to_json
from engine.core.patterns import compile_linear_pattern
from engine.storage.ids import now_ms
from engine.storage.schema import WEB_MIGRATIONS
from engine.storage.store import Store

COOKIE_PATTERN = compile_linear_pattern(r"[A-Za-z0-9_-]{43}", reason="its length is fixed")
MAX_IDLE_HOURS = 24
"""After so many hours without an event an unfinished game is one that nobody plays now."""
OWNER_KEY = "owner"
"""In place of a browser: the owner of the server, who opened a table through a study file."""
SEAT_HISTORY_QUERY = (
    "SELECT seat.episode, pid, holder.browser, holder.since FROM holder JOIN seat USING (pid)"
    " UNION ALL SELECT episode, pid, browser, since FROM sat"
)
"""Selects (episode, pid, browser, since) of all seats that a browser holds or has held."""
IS_PUBLISHED_CONDITION = (
    f"(pid = '' OR NOT EXISTS (SELECT 1 FROM ({SEAT_HISTORY_QUERY}) held"
    " WHERE held.episode = p.episode AND held.pid NOT IN (SELECT pid FROM published q WHERE q.episode = p.episode)))"
)
"""Condition on a row p of `published`: an administrator, or everybody who held a seat, has published the episode."""
PLAYED_BLIND_CLAUSE = (
    "FROM holder JOIN seat USING (pid) JOIN episode ON episode.id = seat.episode"
    " WHERE holder.browser = ? AND episode.status = 'open'"
    " AND NOT COALESCE(json_extract(episode.start, '$.people.\"' || seat.seat || '\".informed'), 0)"
)
"""Tables and condition of the open episodes in which a browser (parameter) holds a seat without having chosen them."""
FORGET_EPISODE_STATEMENTS = (
    "DELETE FROM draft WHERE pid IN (SELECT pid FROM seat WHERE episode = ?)",
    "DELETE FROM holder WHERE pid IN (SELECT pid FROM seat WHERE episode = ?)",
    "DELETE FROM seat_request WHERE pid IN (SELECT pid FROM seat WHERE episode = ?)",
    "DELETE FROM seat WHERE episode = ?",
    "DELETE FROM sat WHERE episode = ?",
    "DELETE FROM watcher WHERE episode = ?",
    "DELETE FROM published WHERE episode = ?",
    "DELETE FROM opened WHERE episode = ?",
)
FORGET_BROWSER_STATEMENTS = (
    "DELETE FROM holder WHERE browser = ?",
    "DELETE FROM seat_request WHERE browser = ?",
    "DELETE FROM sat WHERE browser = ?",
    "DELETE FROM watcher WHERE browser = ?",
    "DELETE FROM seen WHERE browser = ?",
    "UPDATE opened SET browser = '' WHERE browser = ?",
    "DELETE FROM browser WHERE id = ? AND id NOT IN (SELECT browser FROM admin)",
)


def make_cookie() -> str:
    """Return a fresh value for the browser cookie."""
    return secrets.token_urlsafe(32)


def hash_cookie(cookie: str | None) -> str | None:
    """Return the id of the browser that sent this cookie, the value's hash; None for a missing or malformed one."""
    return _hash_token(cookie) if cookie and COOKIE_PATTERN.fullmatch(cookie) else None


def _hash_token(token_text: str) -> str:
    return hashlib.sha256(token_text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class SeatLink:
    """A seat for a person. Its id stands in addresses and gives no rights; `seat` is its name in the game."""

    seat_id: str
    episode: str
    seat: str


@dataclass(frozen=True, slots=True)
class OpenedTable:
    """A table that was opened on this server, not by a run."""

    episode: str
    browser: str
    """The browser that opened it."""
    created: int
    """UTC milliseconds."""
    people: bool
    """Whether any seat is or was for a person."""
    pace: float
    """Seconds between moves of programs."""


def list_published_episodes(store: Store) -> set[str]:
    """Return the published episodes with people."""
    if not store.has_table("published"):
        return set()  # no server of this version has opened this log
    return {
        episode
        for (episode,) in store.sqlite_db.execute(f"SELECT episode FROM published p WHERE {IS_PUBLISHED_CONDITION}")
    }


def count_repeat_exposures(store: Store) -> set[str]:
    """Return the episodes with a person who had seen the instance before: in a seat of another episode, or watching.

    Watching counts only for an episode that began earlier, as its time is not stored, and only if the start of the
    later episode does not say whether the person had seen the instance, which a seat link leaves open.
    """
    if not store.has_table("holder"):
        return set()  # no server has opened this log
    earlier_seat_query = (
        "SELECT here.id FROM holder h JOIN seat s USING (pid) JOIN episode here ON here.id = s.episode WHERE EXISTS"
        " (SELECT 1 FROM holder o JOIN seat t USING (pid) JOIN episode there ON there.id = t.episode"
        " WHERE o.browser = h.browser AND there.instance_hash = here.instance_hash AND there.id <> here.id"
        " AND o.since < h.since)"
    )
    earlier_watching_query = (
        "SELECT here.id FROM holder h JOIN seat s USING (pid) JOIN episode here ON here.id = s.episode"
        " JOIN watcher w ON w.browser = h.browser AND w.watched JOIN episode there ON there.id = w.episode"
        " WHERE there.instance_hash = here.instance_hash AND there.created < here.created"
        " AND json_extract(here.start, '$.people.\"' || s.seat || '\".seen_before') IS NULL"
    )
    return {episode for (episode,) in store.sqlite_db.execute(f"{earlier_seat_query} UNION {earlier_watching_query}")}


class SeatLinks:
    """Links, and what browsers did with them. Reads through one connection, writes through another."""

    def __init__(self, reader: Store, writer: Store) -> None:
        writer.migrate(WEB_MIGRATIONS)
        writer.enable_secure_delete()  # deleted drafts must leave no trace in the file
        self._reader, self._writer = reader.sqlite_db, writer.sqlite_db
        self._transaction = writer.transaction
        self._secret = bytes.fromhex(writer.read_secret("links"))

    # ------------------------------------------------------------------ links
    def _derive_token(self, *token_parts: str, token_length: int = 32) -> str:
        token_digest = hmac.new(self._secret, to_json(token_parts).encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(token_digest).decode()[:token_length]

    def make_seat_path(self, seat_id: str) -> str:
        """Return the secret link to a seat."""
        return "/s/" + self._derive_token("seat", seat_id)

    def make_spectator_path(self, episode: str) -> str:
        """Return the secret link for spectators of an episode."""
        return "/w/" + self._derive_token("watch", episode)

    def make_admin_path(self) -> str:
        """Return the secret link that makes a browser an administrator, who may also use players that cost money."""
        return "/a/" + self._derive_token("admin")

    def derive_picture_id(self, episode: str, audience_id: str, asset: str) -> str:
        """Return a picture's name for one audience, which is always the same and reveals nothing."""
        return self._derive_token("picture", episode, audience_id, asset, token_length=27)

    def is_admin_token(self, token: str) -> bool:
        """Return whether a token is that of the admin link."""
        return hmac.compare_digest(_hash_token(token), _hash_token(self._derive_token("admin")))

    def find_seat(self, token: str) -> SeatLink | None:
        """Return the seat that a link leads to."""
        return self._select_seat("SELECT pid, episode, seat FROM seat WHERE token = ?", _hash_token(token))

    def find_episode(self, token: str) -> str | None:
        """Return the episode that a spectator link leads to."""
        episode: str | None = self._select_first_value("SELECT episode FROM opened WHERE token = ?", _hash_token(token))
        return episode

    # ------------------------------------------------------------------ reading
    def seat(self, seat_id: str) -> SeatLink | None:
        """Return the seat with this id."""
        return self._select_seat("SELECT pid, episode, seat FROM seat WHERE pid = ?", seat_id)

    def seats(self, episode: str) -> dict[str, SeatLink]:
        """Return an episode's seats for people, by name."""
        seat_rows = self._reader.execute(
            "SELECT pid, episode, seat FROM seat WHERE episode = ? ORDER BY seat", (episode,)
        )
        return {seat_link.seat: seat_link for seat_link in (SeatLink(*seat_row) for seat_row in seat_rows)}

    def is_admin(self, browser: str | None) -> bool:
        """Return whether a browser has opened the admin link."""
        return self._has_row("SELECT 1 FROM admin WHERE browser = ?", browser)

    def holds_seat(self, browser: str | None, seat_id: str) -> bool:
        """Return whether a browser holds a seat."""
        return self._has_row("SELECT 1 FROM holder WHERE browser = ? AND pid = ?", browser, seat_id)

    def has_arrived(self, browser: str | None, seat_id: str) -> bool:
        """Return whether a browser holds a seat and has come to its page."""
        return self._has_row("SELECT 1 FROM holder WHERE browser = ? AND pid = ? AND arrived", browser, seat_id)

    def find_earlier_episode(self, browser: str | None, seat_id: str) -> str | None:
        """Return the episode of a seat that a browser played at until another player got it; None for other seats."""
        episode_row = self._reader.execute(
            "SELECT episode FROM sat WHERE browser = ? AND pid = ?", (browser, seat_id)
        ).fetchone()
        return episode_row[0] if episode_row else None

    def is_seat_taken(self, seat_id: str) -> bool:
        """Return whether any browser has come to a seat and holds it."""
        return self._has_row("SELECT 1 FROM holder WHERE pid = ? AND arrived", seat_id)

    def has_requested(self, browser: str | None, seat_id: str) -> bool:
        """Return whether a browser has opened the link of a seat that it may not simply take."""
        return self._has_row("SELECT 1 FROM seat_request WHERE browser = ? AND pid = ?", browser, seat_id)

    def list_held_seats(self, browser: str | None, episode: str) -> list[str]:
        """Return the names of the seats that a browser holds in an episode."""
        seat_rows = self._reader.execute(
            "SELECT seat FROM seat JOIN holder USING (pid) WHERE episode = ? AND browser = ? ORDER BY seat",
            (episode, browser),
        )
        return [seat for (seat,) in seat_rows]

    def list_browser_seats(self, browser: str, episodes: Iterable[str]) -> dict[str, SeatLink]:
        """Return the seat that a browser holds in each of these episodes, by episode; one where it holds several."""
        seat_rows = self._reader.execute(
            "SELECT pid, episode, seat FROM holder JOIN seat USING (pid) WHERE browser = ?"
            " AND episode IN (SELECT value FROM json_each(?)) ORDER BY seat DESC",
            (browser, json.dumps(list(episodes))),
        )
        return {seat_link.episode: seat_link for seat_link in (SeatLink(*seat_row) for seat_row in seat_rows)}

    def list_unfinished_seats(self, browser: str | None, instance_hash: str) -> list[SeatLink]:
        """Return the seats that a browser holds in unfinished episodes of an instance."""
        seat_rows = self._reader.execute(
            "SELECT pid, seat.episode, seat FROM holder JOIN seat USING (pid) JOIN episode ON id = seat.episode"
            " WHERE browser = ? AND status != 'over' AND instance_hash = ?",
            (browser, instance_hash),
        )
        return [SeatLink(*seat_row) for seat_row in seat_rows]

    def list_instances_played(self) -> set[str]:
        """Return the hashes of the instances that people play now: unfinished, and used within `MAX_IDLE_HOURS`."""
        hash_rows = self._reader.execute(
            "SELECT DISTINCT instance_hash FROM episode WHERE people AND status != 'over' AND updated > ?",
            (now_ms() - MAX_IDLE_HOURS * 3_600_000,),
        )
        return {instance_hash for (instance_hash,) in hash_rows}

    def list_blind_instances(self, browser: str) -> set[str]:
        """Return the hashes of the instances that a browser plays now and was dealt blind."""
        hash_rows = self._reader.execute(f"SELECT instance_hash {PLAYED_BLIND_CLAUSE}", (browser,))
        return {instance_hash for (instance_hash,) in hash_rows}

    def sits_at_table(self, browser: str | None, episode: str) -> bool:
        """Return whether a browser holds any seat of an episode."""
        return self._has_row(
            "SELECT 1 FROM seat JOIN holder USING (pid) WHERE episode = ? AND browser = ?", episode, browser
        )

    def has_played(self, browser: str | None, episode: str) -> bool:
        """Return whether a browser holds or has held a seat of an episode."""
        return bool(self.list_played_episodes(browser, [episode]))

    def list_played_episodes(self, browser: str | None, episodes: Iterable[str]) -> set[str]:
        """Return those of these episodes in which a browser holds or has held a seat."""
        episode_rows = self._reader.execute(
            f"SELECT episode FROM ({SEAT_HISTORY_QUERY}) WHERE browser = ?"
            " AND episode IN (SELECT value FROM json_each(?))",
            (browser, json.dumps(list(episodes))),
        )
        return {episode for (episode,) in episode_rows}

    def took_part(self, browser: str | None, episode: str) -> bool:
        """Return whether a browser holds or has held a seat of an episode, or opened the table."""
        return self.has_played(browser, episode) or self._has_row(
            "SELECT 1 FROM opened WHERE episode = ? AND browser = ?", episode, browser
        )

    def has_people(self, episode: str) -> bool:
        """Return whether any seat of an episode is or was a person's."""
        return self._has_row("SELECT 1 FROM episode WHERE id = ? AND people", episode) or self._has_row(
            "SELECT 1 FROM opened WHERE episode = ? AND people", episode
        )

    def is_published(self, episode: str) -> bool:
        """Return whether an administrator, or everybody who held a seat, has published an episode."""
        return self._has_row(f"SELECT 1 FROM published p WHERE episode = ? AND {IS_PUBLISHED_CONDITION}", episode)

    def may_spectate(self, browser: str | None, episode: str) -> bool:
        """Return whether a browser has opened an episode's spectator link, or the table itself."""
        return self._has_row("SELECT 1 FROM watcher WHERE browser = ? AND episode = ? AND granted", browser, episode)

    def has_watched(self, browser: str | None, episode: str) -> bool:
        """Return whether a browser has seen both sides of an episode."""
        return self._has_row("SELECT 1 FROM watcher WHERE browser = ? AND episode = ? AND watched", browser, episode)

    def read_opened_table(self, episode: str) -> OpenedTable | None:
        """Return the table at which an episode is played; None for an episode of a run."""
        table_row = self._reader.execute(
            "SELECT episode, browser, created, people, pace FROM opened WHERE episode = ?", (episode,)
        ).fetchone()
        return (
            OpenedTable(table_row[0], table_row[1], table_row[2], bool(table_row[3]), table_row[4])
            if table_row
            else None
        )

    def count_opened_tables(self, browser: str, since_ms: int) -> int:
        """Return how many tables a browser has opened since a time in UTC milliseconds."""
        return int(
            self._select_first_value(
                "SELECT COUNT(*) FROM opened WHERE browser = ? AND created >= ?", browser, since_ms
            )
        )

    def count_unfinished_tables(self, browser: str) -> int:
        """Return how many of the tables that a browser has opened are not over."""
        count_query = "SELECT COUNT(*) FROM opened JOIN episode ON id = episode WHERE browser = ? AND status != 'over'"
        return int(self._select_first_value(count_query, browser))

    def read_draft(self, seat_id: str, request_number: int) -> Json | None:
        """Return the half-written values of an ask."""
        draft_json = self._select_first_value(
            "SELECT given FROM draft WHERE pid = ? AND ask = ?", seat_id, request_number
        )
        return json.loads(draft_json) if draft_json else None

    def count_exposures(self, browser: str | None) -> Mapping[str, int]:
        """Return how often a browser has been dealt or shown each instance, by the instance's hash."""
        exposure_rows = self._reader.execute("SELECT instance_hash, times FROM seen WHERE browser = ?", (browser,))
        return dict(exposure_rows.fetchall())

    def _select_seat(self, seat_query: str, parameter: str) -> SeatLink | None:
        seat_row = self._reader.execute(seat_query, (parameter,)).fetchone()
        return SeatLink(*seat_row) if seat_row else None

    def _has_row(self, row_query: str, *parameters: Any) -> bool:
        return self._reader.execute(row_query, parameters).fetchone() is not None

    def _select_first_value(self, single_value_query: str, *parameters: Any) -> Any:
        first_row = self._reader.execute(single_value_query, parameters).fetchone()
        return first_row[0] if first_row else None

    # ------------------------------------------------------------------ writing
    def open_table(
        self,
        episode: str,
        browser: str,
        person_seats: Iterable[str],
        own_seat: str | None,
        reply_pace: float,
        instance_hash: str,
        was_chosen: bool = False,
    ) -> dict[str, str]:
        """Record a new table. Returns the ids of its seats for people, by name.

        The browser that opens it holds `own_seat`; without one it may watch.
        `is_chosen` says whether its experiment or instance was chosen and not dealt blind.
        """
        with self._transaction():
            seat_ids = {seat: self._add_seat(episode, seat) for seat in person_seats}
            self._writer.execute(
                "INSERT INTO opened (episode, browser, created, people, pace, token, chosen)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    *(episode, browser, now_ms(), bool(seat_ids), reply_pace),
                    *(_hash_token(self._derive_token("watch", episode)), was_chosen),
                ),
            )
            if own_seat is not None:
                self.hold_seat(browser, seat_ids[own_seat], instance_hash)
                self.mark_arrived(browser, seat_ids[own_seat])
            else:
                self.allow_spectator(browser, episode)
        return seat_ids

    def _add_seat(self, episode: str, seat: str) -> str:
        seat_id = secrets.token_urlsafe(12)
        self._writer.execute(
            "INSERT INTO seat (pid, episode, seat, token) VALUES (?, ?, ?, ?)",
            (seat_id, episode, seat, _hash_token(self._derive_token("seat", seat_id))),
        )
        return seat_id

    def replace_seat(self, episode: str, seat: str, is_for_person: bool) -> str | None:
        """End a seat's link and its holders. For another person add a new link; return its seat id."""
        with self._transaction():
            old_seat = self._writer.execute(
                "SELECT pid FROM seat WHERE episode = ? AND seat = ?", (episode, seat)
            ).fetchone()
            if old_seat:
                self._writer.execute(
                    "INSERT OR IGNORE INTO sat (browser, episode, pid, since)"
                    " SELECT browser, ?, pid, since FROM holder WHERE pid = ? AND arrived",
                    (episode, *old_seat),
                )
                self._writer.execute("DELETE FROM seat_request WHERE pid = ?", old_seat)
                self._writer.execute("DELETE FROM holder WHERE pid = ?", old_seat)
                self._writer.execute("DELETE FROM draft WHERE pid = ?", old_seat)
                self._writer.execute("DELETE FROM seat WHERE pid = ?", old_seat)
            if not is_for_person:
                return None
            self._writer.execute("UPDATE opened SET people = 1 WHERE episode = ?", (episode,))
            return self._add_seat(episode, seat)

    def claim_seat(self, browser: str, seat_id: str, instance_hash: str) -> bool:
        """Let a browser hold a seat that no other browser has come to; return whether it holds the seat now.

        A holder that has never come, such as a messenger's preview of the link, loses the seat.
        """
        with self._transaction():
            other_holders = "FROM holder WHERE pid = ? AND browser != ?"
            if self._writer.execute(f"SELECT 1 {other_holders} AND arrived", (seat_id, browser)).fetchone():
                return (
                    self._writer.execute(
                        "SELECT 1 FROM holder WHERE pid = ? AND browser = ?", (seat_id, browser)
                    ).fetchone()
                    is not None
                )
            self._writer.execute(f"DELETE {other_holders}", (seat_id, browser))
            self.hold_seat(browser, seat_id, instance_hash)
            return True

    def hold_seat(self, browser: str, seat_id: str, instance_hash: str) -> None:
        """Let a browser hold a seat, and count that it has been dealt the instance."""
        with self._transaction():
            self._add_browser(browser)
            insert_cursor = self._writer.execute(
                "INSERT OR IGNORE INTO holder (browser, pid, since, arrived) VALUES (?, ?, ?, 0)",
                (browser, seat_id, now_ms()),
            )
            self._writer.execute("DELETE FROM seat_request WHERE browser = ? AND pid = ?", (browser, seat_id))
            if insert_cursor.rowcount:
                self._count_exposure(browser, instance_hash)

    def move_seat(self, seat_id: str, browser: str) -> None:
        """Let one browser hold a seat in place of all that held it: its person goes on there."""
        with self._transaction():
            self._add_browser(browser)
            self._writer.execute("DELETE FROM holder WHERE pid = ?", (seat_id,))
            self._writer.execute(
                "INSERT INTO holder (browser, pid, since, arrived) VALUES (?, ?, ?, 1)", (browser, seat_id, now_ms())
            )

    def mark_arrived(self, browser: str, seat_id: str) -> None:
        """Record that a browser has come to a seat that it holds."""
        with self._transaction():
            self._writer.execute("UPDATE holder SET arrived = 1 WHERE browser = ? AND pid = ?", (browser, seat_id))

    def add_request(self, browser: str, seat_id: str) -> None:
        """Record that a browser has opened the link of a seat that it may not simply take."""
        with self._transaction():
            self._add_browser(browser)
            self._writer.execute(
                "INSERT OR IGNORE INTO seat_request (browser, pid, since) VALUES (?, ?, ?)",
                (browser, seat_id, now_ms()),
            )

    def allow_spectator(self, browser: str, episode: str) -> None:
        """Let a browser watch an episode."""
        with self._transaction():
            self._add_browser(browser)
            self._writer.execute(
                "INSERT INTO watcher (browser, episode, granted) VALUES (?, ?, 1)"
                " ON CONFLICT (browser, episode) DO UPDATE SET granted = 1",
                (browser, episode),
            )

    def mark_watched(self, browser: str, episode: str, instance_hash: str) -> bool:
        """Record that a browser sees both sides of an episode; return whether it is the first time."""
        with self._transaction():
            self._add_browser(browser)
            watcher_row = self._writer.execute(
                "SELECT watched FROM watcher WHERE browser = ? AND episode = ?", (browser, episode)
            ).fetchone()
            if watcher_row and watcher_row[0]:
                return False
            self._writer.execute(
                "INSERT INTO watcher (browser, episode, watched) VALUES (?, ?, 1)"
                " ON CONFLICT (browser, episode) DO UPDATE SET watched = 1",
                (browser, episode),
            )
            self._count_exposure(browser, instance_hash)
            return True

    def mark_all_watched(self, browser: str, episodes: Iterable[str]) -> None:
        """Record that a browser sees texts of these episodes; those that were removed meanwhile are left out."""
        with self._transaction():
            for episode in episodes:
                hash_query = "SELECT instance_hash FROM episode WHERE id = ?"
                if hash_row := self._writer.execute(hash_query, (episode,)).fetchone():
                    self.mark_watched(browser, episode, hash_row[0])

    def make_admin(self, browser: str) -> None:
        """Record that a browser has opened the admin link."""
        with self._transaction():
            self._add_browser(browser)
            self._writer.execute("INSERT OR IGNORE INTO admin (browser, since) VALUES (?, ?)", (browser, now_ms()))

    def publish_episode(self, browser: str, episode: str, is_published: bool) -> None:
        """Publish an episode or take that back, for the seats a browser holds or held; an administrator for all."""
        with self._transaction():
            seats = f"SELECT DISTINCT pid FROM ({SEAT_HISTORY_QUERY}) WHERE episode = ? AND browser = ?"
            seat_ids = [seat_id for (seat_id,) in self._writer.execute(seats, (episode, browser))]
            if self._writer.execute("SELECT 1 FROM admin WHERE browser = ?", (browser,)).fetchone():
                seat_ids.append("")
            for seat_id in seat_ids:
                if is_published:
                    self._writer.execute(
                        "INSERT OR IGNORE INTO published (episode, pid, since) VALUES (?, ?, ?)",
                        (episode, seat_id, now_ms()),
                    )
                else:
                    self._writer.execute("DELETE FROM published WHERE episode = ? AND pid = ?", (episode, seat_id))

    def save_draft(self, seat_id: str, request_number: int, draft_values: str) -> None:
        """Keep the half-written values (JSON) of a seat's ask."""
        with self._transaction():
            self._writer.execute(
                "INSERT OR REPLACE INTO draft (pid, ask, given, time) VALUES (?, ?, ?, ?)",
                (seat_id, request_number, draft_values, now_ms()),
            )

    def delete_draft(self, seat_id: str, last_ask_number: int) -> None:
        """Delete a seat's draft if its ask is this one or an earlier one."""
        with self._transaction():
            self._writer.execute("DELETE FROM draft WHERE pid = ? AND ask <= ?", (seat_id, last_ask_number))

    def delete_links(self, browsers: Iterable[str], episodes: Iterable[str]) -> None:
        """Delete all links of these episodes and everything known about these browsers, except who is administrator.

        Tables that they opened and at which others play stay, without the browser that opened them.
        """
        with self._transaction():
            for episode in episodes:
                for statement in FORGET_EPISODE_STATEMENTS:
                    self._writer.execute(statement, (episode,))
            for browser in browsers:
                for statement in FORGET_BROWSER_STATEMENTS:
                    self._writer.execute(statement, (browser,))

    def _add_browser(self, browser: str) -> None:
        self._writer.execute("INSERT OR IGNORE INTO browser (id, created) VALUES (?, ?)", (browser, now_ms()))

    def _count_exposure(self, browser: str, instance_hash: str) -> None:
        self._writer.execute(
            "INSERT INTO seen (browser, instance_hash, times) VALUES (?, ?, 1)"
            " ON CONFLICT (browser, instance_hash) DO UPDATE SET times = times + 1",
            (browser, instance_hash),
        )
