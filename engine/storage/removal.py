"""Taking a person out of the log: who there is, which games go with them, and that their words leave the file.

A person is a browser, known by a code: the first digits of the hash of its cookie, from which nobody gets back to the
cookie. With a person go all games in which they held a seat, whole, and games that play these back. The tables of
`Links` are there: whoever calls this has made one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.storage.database import StoreError
from engine.storage.episode_row import Status
from engine.storage.links import HELD, Links, replays
from engine.storage.store import Store

DIGITS = 8
"""Of a browser's id, as its code."""
LEAST = 4
"""Digits of a code that must be given."""


class Unknown(LookupError):
    """Nobody, or more than one, is called so; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who held a seat: their code, their games, when something last happened in one (UTC ms)."""

    code: str
    games: int
    last: int


@dataclass(frozen=True, slots=True)
class Removal:
    """What goes: the browsers, all episodes, and of these those with other people, in play, and played back."""

    browsers: tuple[str, ...]
    episodes: tuple[str, ...]
    shared: int = 0
    running: int = 0
    replays: int = 0


def code_of(browser: str) -> str:
    """Return the code of a browser, by its id."""
    return browser[:DIGITS]


def people(store: Store) -> list[Person]:
    """Return everybody who held a seat of a game that is in the log, whoever was last here first."""
    rows = store.conn.execute(
        f"SELECT browser, COUNT(DISTINCT episode.id), MAX(updated) AS last FROM ({HELD}) held"
        " JOIN episode ON episode.id = held.episode GROUP BY browser ORDER BY last DESC, browser"
    )
    return [Person(code_of(browser), games, last) for browser, games, last in rows]


def removal(store: Store, person: str) -> Removal:
    """Return what goes with a person: a code, or an episode that they alone played. Raises `Unknown`."""
    given = person.strip().lower()
    known = f"SELECT id FROM browser UNION SELECT browser FROM ({HELD})"
    found = [id_ for (id_,) in store.conn.execute(known) if len(given) >= LEAST and id_.startswith(given)]
    if len(found) > 1:
        raise Unknown(f"several people have a code that begins with {person!r}: give more of its digits")
    return removal_of(store, found) if found else _removal_by_episode(store, given, person)


def _removal_by_episode(store: Store, episode: str, person: str) -> Removal:
    try:
        row = store.episode(episode)
    except StoreError:
        raise Unknown(
            f"no person and no one episode {person!r}: `ludens db forget` lists people by their codes"
        ) from None
    query = f"SELECT DISTINCT browser FROM ({HELD}) WHERE episode = ?"
    browsers = [browser for (browser,) in store.conn.execute(query, (row.id,))]
    if len(browsers) > 1:
        codes = ", ".join(map(code_of, browsers))
        raise Unknown(f"{len(browsers)} people played episode {row.id}: {codes}. Name one by the code")
    if not browsers and not row.people:
        raise Unknown(f"nobody but programs played episode {row.id}")
    return removal_of(store, browsers, [row.id])


def removal_of(store: Store, browsers: Sequence[str], also: Iterable[str] = ()) -> Removal:
    """Return what goes with these browsers (full ids) and with these episodes, where they are there."""
    sat = sorted(_held(store, browsers) | {episode for episode in also if store.status(episode)})
    again = sorted(_replays(store, set(sat)))
    marks = ",".join("?" * len(browsers))
    shared = sum(
        store.conn.execute(
            f"SELECT EXISTS (SELECT 1 FROM ({HELD}) WHERE episode = ? AND browser NOT IN ({marks}))",
            (episode, *browsers),
        ).fetchone()[0]
        for episode in sat
    )
    running = sum(store.status(episode) != Status.OVER for episode in sat)
    return Removal(tuple(browsers), (*sat, *again), shared, running, len(again))


def _held(store: Store, browsers: Sequence[str]) -> set[str]:
    """Return the episodes in the log in which any of these browsers holds or held a seat."""
    marks = ",".join("?" * len(browsers))
    rows = store.conn.execute(
        f"SELECT episode.id FROM ({HELD}) held JOIN episode ON episode.id = held.episode WHERE browser IN ({marks})",
        list(browsers),
    )
    return {episode for (episode,) in rows}


def _replays(store: Store, gone: set[str]) -> set[str]:
    """Return the further episodes in which a seat plays one of these back, or plays back such a one."""
    found: set[str] = set()
    for episode, source in replays(store) if gone else ():  # what is played back is older
        if source in gone | found and episode not in gone:
            found.add(episode)
    return found


def remove(store: Store, links: Links, going: Removal) -> bool:
    """Take a removal's games and links out, through the connection that writes; return whether the file is clean.

    What these people have begun to play since the removal was made goes too. Not clean: somebody reads the file for
    long, and old pages wait in its write-ahead log until they have done.
    """
    store.overwrite_deleted()
    with store.transaction():
        now = removal_of(store, going.browsers, going.episodes)
        store.delete_episodes(now.episodes)
        links.forget(now.browsers, now.episodes)
    return store.empty_write_ahead_log()
