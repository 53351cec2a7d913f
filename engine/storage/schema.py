"""The tables of a log file, in the order in which its migrations create them. Names here are stored: never change them.

The set "ludens.log" has what every log has, "ludens.web" what a server adds. Tables of the log refer to an episode by
its row number, tables of the server by its id; a browser is the hash of a cookie, a `pid` the public id of a seat.
Times are UTC milliseconds.
"""

from __future__ import annotations

import sqlite3

from engine.storage.migrations import Migrations

LOG_MIGRATIONS = Migrations("ludens.log")


@LOG_MIGRATIONS.step
def m001_events(db: sqlite3.Connection) -> None:
    """Create the log, its index of episodes, and leases."""
    db.execute(
        "CREATE TABLE event (seq INTEGER PRIMARY KEY AUTOINCREMENT, episode INTEGER NOT NULL, n INTEGER NOT NULL,"
        " time INTEGER NOT NULL, kind TEXT NOT NULL, seat TEXT, data TEXT NOT NULL, UNIQUE (episode, n))"
    )
    db.execute(
        "CREATE TABLE episode (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, plan_key TEXT UNIQUE,"
        " origin TEXT NOT NULL, game TEXT NOT NULL, variant TEXT NOT NULL, experiment TEXT NOT NULL,"
        " instance_id TEXT NOT NULL, instance_hash TEXT NOT NULL, seats TEXT NOT NULL, settings TEXT NOT NULL,"
        " reprompt INTEGER NOT NULL, people INTEGER NOT NULL, mixed INTEGER NOT NULL DEFAULT 0, start TEXT NOT NULL,"
        " status TEXT NOT NULL DEFAULT 'open', cause TEXT, outcome TEXT, created INTEGER NOT NULL,"
        " updated INTEGER NOT NULL, scores TEXT, scores_version TEXT)"
    )
    db.execute("CREATE INDEX episode_by_game ON episode (game, variant, experiment)")
    db.execute("CREATE INDEX episode_by_status ON episode (status, created)")
    db.execute(
        "CREATE TABLE owner (id TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, what TEXT NOT NULL,"
        " beat INTEGER NOT NULL)"
    )
    db.execute("CREATE TABLE lease (episode INTEGER PRIMARY KEY, owner TEXT NOT NULL)")
    db.execute("CREATE TABLE secret (name TEXT PRIMARY KEY, value TEXT NOT NULL)")


@LOG_MIGRATIONS.step
def m002_results(db: sqlite3.Connection) -> None:
    """Create a narrow row per scored episode, for results of many episodes, and the planned episodes not begun."""
    db.execute("CREATE TABLE condition (id TEXT PRIMARY KEY, what TEXT NOT NULL) WITHOUT ROWID")
    db.execute(
        "CREATE TABLE result (seq INTEGER PRIMARY KEY AUTOINCREMENT, episode INTEGER NOT NULL UNIQUE, id TEXT NOT NULL,"
        " condition TEXT NOT NULL, instance TEXT NOT NULL, ending TEXT NOT NULL, main REAL, sides TEXT,"
        " numbers TEXT NOT NULL, marks INTEGER NOT NULL, created INTEGER NOT NULL, version TEXT NOT NULL)"
    )
    db.execute("CREATE TABLE planned (key TEXT PRIMARY KEY, condition TEXT NOT NULL) WITHOUT ROWID")


WEB_MIGRATIONS = Migrations("ludens.web")
HAS_RECORDED_PLAYER_CONDITION = "instr(seats, '\"recorded/')"
"""Condition on an episode: it began with a player that repeats the replies of another episode."""

FINISHED_GAMES_OF_PROGRAMS_CONDITION = "status = 'over' AND people = 0 AND origin IN ('run', 'table')"
"""Condition on an episode: it is over, began without people, and was played here, not imported."""


@WEB_MIGRATIONS.step
def m001_links(db: sqlite3.Connection) -> None:
    """Create browsers, the tables they opened, seats with their holders, watchers, drafts, and seen instances."""
    for statement in (
        "CREATE TABLE browser (id TEXT PRIMARY KEY, created INTEGER NOT NULL)",
        "CREATE TABLE opened (episode TEXT PRIMARY KEY, browser TEXT NOT NULL, created INTEGER NOT NULL,"
        " people INTEGER NOT NULL, pace REAL NOT NULL, token TEXT NOT NULL UNIQUE)",
        "CREATE INDEX opened_by_browser ON opened (browser, created)",
        "CREATE TABLE seat (pid TEXT PRIMARY KEY, episode TEXT NOT NULL, seat TEXT NOT NULL,"
        " token TEXT NOT NULL UNIQUE, UNIQUE (episode, seat))",
        "CREATE TABLE holder (browser TEXT NOT NULL, pid TEXT NOT NULL, since INTEGER NOT NULL,"
        " PRIMARY KEY (browser, pid)) WITHOUT ROWID",
        "CREATE INDEX holder_by_pid ON holder (pid)",
        "CREATE TABLE watcher (browser TEXT NOT NULL, episode TEXT NOT NULL, granted INTEGER NOT NULL DEFAULT 0,"
        " watched INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (browser, episode)) WITHOUT ROWID",
        "CREATE TABLE draft (pid TEXT PRIMARY KEY, ask INTEGER NOT NULL, given TEXT NOT NULL, time INTEGER NOT NULL)",
        "CREATE TABLE seen (browser TEXT NOT NULL, instance_hash TEXT NOT NULL, times INTEGER NOT NULL,"
        " PRIMARY KEY (browser, instance_hash)) WITHOUT ROWID",
    ):
        db.execute(statement)


@WEB_MIGRATIONS.step
def m002_admins(db: sqlite3.Connection) -> None:
    """Create the browsers that opened the admin link."""
    db.execute("CREATE TABLE admin (browser TEXT PRIMARY KEY, since INTEGER NOT NULL) WITHOUT ROWID")


@WEB_MIGRATIONS.step
def m003_published(db: sqlite3.Connection) -> None:
    """Create what is published, by seat ('' for all of them), and former holders of seats that were handed over.

    The indexes find episodes with people, replays and mixed episodes without reading all episodes.
    """
    for statement in (
        "CREATE TABLE published (episode TEXT NOT NULL, pid TEXT NOT NULL, since INTEGER NOT NULL,"
        " PRIMARY KEY (episode, pid)) WITHOUT ROWID",
        "CREATE TABLE sat (browser TEXT NOT NULL, episode TEXT NOT NULL, pid TEXT NOT NULL, since INTEGER NOT NULL,"
        " PRIMARY KEY (browser, pid)) WITHOUT ROWID",
        "CREATE INDEX sat_by_episode ON sat (episode)",
        "CREATE INDEX episode_with_people ON episode (people, id, status) WHERE people",
        f"CREATE INDEX episode_replaying ON episode (id, seats) WHERE {HAS_RECORDED_PLAYER_CONDITION}",
        "CREATE INDEX episode_mixed ON episode (id) WHERE mixed",
    ):
        db.execute(statement)


@WEB_MIGRATIONS.step
def m004_rights(db: sqlite3.Connection) -> None:
    """Create the browsers that opened the link of a seat; note who came to a seat, and which tables were chosen.

    Browsers that already hold a seat keep it: they count as arrived. Earlier tables may play a chosen instance.
    """
    for statement in (
        "CREATE TABLE seat_request (browser TEXT NOT NULL, pid TEXT NOT NULL, since INTEGER NOT NULL,"
        " PRIMARY KEY (browser, pid)) WITHOUT ROWID",
        "ALTER TABLE holder ADD COLUMN arrived INTEGER NOT NULL DEFAULT 1",
        "ALTER TABLE opened ADD COLUMN chosen INTEGER NOT NULL DEFAULT 1",
    ):
        db.execute(statement)


@WEB_MIGRATIONS.step
def m005_lobby(db: sqlite3.Connection) -> None:
    """Create the index from which the lobby reads the last finished episodes between programs."""
    db.execute(
        f"CREATE INDEX episode_finished_of_programs ON episode (updated) WHERE {FINISHED_GAMES_OF_PROGRAMS_CONDITION}"
    )
