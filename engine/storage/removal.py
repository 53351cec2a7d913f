"""Removing people from the log: who there is, which games go with them, and deleting those without a trace.

A person is a browser. Its code is the first digits of the hash of its cookie; it does not lead back to the cookie. With
a person go all games in which they held a seat, as a whole, and games that play these back. These functions need the
tables of `SeatLinks`, so the caller must have made one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.storage.database import StoreError
from engine.storage.episode_row import Status
from engine.storage.seat_links import SEAT_HISTORY_QUERY, SeatLinks
from engine.storage.store import Store

CODE_DIGITS = 8
"""Digits of a browser's id that are its code."""
MIN_DIGITS = 4
"""Digits of a code that must be given."""


class UnknownPerson(LookupError):
    """No person, or more than one, fits; the message says what to do."""


@dataclass(frozen=True, slots=True)
class RemovablePerson:
    """Somebody who held a seat. `last_active` is when something last happened in one of their games (UTC ms)."""

    code: str
    games: int
    last_active: int


@dataclass(frozen=True, slots=True)
class Removal:
    """What a removal deletes: browsers and episodes (ids), with counts of episodes that need a warning."""

    browsers: tuple[str, ...]
    episodes: tuple[str, ...]
    shared_count: int = 0
    """Episodes with other people."""
    running_count: int = 0
    """Episodes that are not over."""
    replay_count: int = 0
    """Episodes that only play back one of the others."""


def person_code(browser: str) -> str:
    """Return the code of a browser (id)."""
    return browser[:CODE_DIGITS]


def list_people(store: Store) -> list[RemovablePerson]:
    """Return everybody who held a seat of a game in the log, the last active first."""
    people_rows = store.sqlite_db.execute(
        f"SELECT browser, COUNT(DISTINCT episode.id), MAX(updated) AS last FROM ({SEAT_HISTORY_QUERY}) held"
        " JOIN episode ON episode.id = held.episode GROUP BY browser ORDER BY last DESC, browser"
    )
    return [RemovablePerson(person_code(browser), games, last_active) for browser, games, last_active in people_rows]


def find_removal(store: Store, person_name: str) -> Removal:
    """Return what goes with a person, named by their code or by an episode that only they played.

    Raises `UnknownPerson`.
    """
    lowered_code = person_name.strip().lower()
    browser_rows = store.sqlite_db.execute(f"SELECT id FROM browser UNION SELECT browser FROM ({SEAT_HISTORY_QUERY})")
    browsers = [id_ for (id_,) in browser_rows if len(lowered_code) >= MIN_DIGITS and id_.startswith(lowered_code)]
    if len(browsers) > 1:
        raise UnknownPerson(f"several people have a code that begins with {person_name!r}: give more of its digits")
    return find_removable_episodes(store, browsers) if browsers else _find_by_episode(store, lowered_code, person_name)


def _find_by_episode(store: Store, episode: str, person_name: str) -> Removal:
    try:
        episode_row = store.episode(episode)
    except StoreError:
        raise UnknownPerson(
            f"no person and no single episode {person_name!r}: `ludens db forget` lists people by their codes"
        ) from None
    browsers_query = f"SELECT DISTINCT browser FROM ({SEAT_HISTORY_QUERY}) WHERE episode = ?"
    browsers = [browser for (browser,) in store.sqlite_db.execute(browsers_query, (episode_row.id,))]
    if len(browsers) > 1:
        codes = ", ".join(map(person_code, browsers))
        raise UnknownPerson(f"{len(browsers)} people played episode {episode_row.id}: {codes}. Name one by the code")
    if not browsers and not episode_row.people:
        raise UnknownPerson(f"only programs played episode {episode_row.id}")
    return find_removable_episodes(store, browsers, [episode_row.id])


def find_removable_episodes(store: Store, browsers: Sequence[str], episodes: Iterable[str] = ()) -> Removal:
    """Return what goes with these browsers and with these episodes (full ids), as far as the log has them."""
    parameter = json.dumps(browsers)
    episode_rows = store.sqlite_db.execute(
        f"SELECT DISTINCT episode.id FROM ({SEAT_HISTORY_QUERY}) held JOIN episode ON episode.id = held.episode"
        " WHERE browser IN (SELECT value FROM json_each(?))",
        (parameter,),
    )
    played_episodes = {game for (game,) in episode_rows} | {episode for episode in episodes if store.status(episode)}
    replay_episodes = _list_replays(store, played_episodes)
    shared_episodes = sum(
        store.sqlite_db.execute(
            f"SELECT EXISTS (SELECT 1 FROM ({SEAT_HISTORY_QUERY}) WHERE episode = ?"
            " AND browser NOT IN (SELECT value FROM json_each(?)))",
            (episode, parameter),
        ).fetchone()[0]
        for episode in played_episodes
    )
    running_count = sum(store.status(episode) is not Status.OVER for episode in played_episodes)
    return Removal(
        tuple(browsers),
        (*sorted(played_episodes), *sorted(replay_episodes)),
        shared_episodes,
        running_count,
        len(replay_episodes),
    )


def _list_replays(store: Store, episodes: set[str]) -> set[str]:
    """Return the other episodes that play one of these back, or that play back such a replay."""
    replay_episodes: set[str] = set()
    for replay in store.list_replays() if episodes else ():  # oldest first, and the source of a replay is older
        if replay.source in episodes | replay_episodes and replay.episode not in episodes:
            replay_episodes.add(replay.episode)
    return replay_episodes


def remove_games(store: Store, seat_links: SeatLinks, game_removal: Removal) -> bool:
    """Delete a removal's games and links through the writing connection; return whether no trace is left in the file.

    Games that these people have begun since the removal was made go too. Traces are left while another process keeps
    reading the file: old pages then stay in the write-ahead log.
    """
    store.enable_secure_delete()
    with store.transaction():
        current_removal = find_removable_episodes(store, game_removal.browsers, game_removal.episodes)
        store.delete_episodes(current_removal.episodes)
        seat_links.delete_links(current_removal.browsers, current_removal.episodes)
    return store.empty_write_ahead_log()
