"""Who sat where, as results and exports may know it: a key per person, which leads back to nobody.

Outside studies a participant is a browser. The key is computed from the browser's id with the database's secret (HMAC),
so that it is the same in all games and exports of one database, and another one in every other database. Nothing here
writes.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Collection

from engine.core.events import to_json
from engine.storage.store import Store

KEY_DIGITS = 12
"""Hexadecimal digits of a key: of 10,000 people, two share one with a chance of 1 in 5 million."""
MAX_LISTED_EPISODES = 500
"""Up to this number of episodes are looked up one by one; for more, the whole table is read."""
FIRST_STUDY_BROWSER_QUERY = (
    "SELECT first.browser FROM study_game game JOIN study_game played USING (participation)"
    " JOIN seat place ON place.episode = played.episode AND place.seat = played.seat JOIN holder first USING (pid)"
    " WHERE game.episode = seat.episode AND game.seat = seat.seat ORDER BY played.position, first.since LIMIT 1"
)
"""The browser in which the participant of a study whose game this `seat` is played the first game."""


def read_participant_keys(store: Store, episodes: Collection[str] | None = None) -> dict[tuple[str, str], str]:
    """Return the key of the person at each seat that a browser holds: (episode id, seat) to "p" and 12 digits.

    Of all `episodes` (ids), or of those named. A seat without a key was never held by a browser (imported games, games
    in a terminal), or was given to a program. After a hand-over to another person, the key is that of the last. A seat
    that several browsers hold, such as two devices of one person, has the key of the first; so have all games of one
    participation in a study, which may go on in another browser.
    """
    secret = _read_secret(store)
    if secret is None or not store.has_table("holder"):
        return {}  # no server has opened this log
    browser_column = (
        f"COALESCE(({FIRST_STUDY_BROWSER_QUERY}), holder.browser)" if store.has_table("study_game") else "browser"
    )
    seat_holder_query = f"SELECT seat.episode, seat.seat, {browser_column} FROM seat JOIN holder USING (pid)"
    order_clause = " ORDER BY holder.since DESC, holder.browser"
    if episodes is not None and len(episodes) <= MAX_LISTED_EPISODES:
        seat_holder_query += " WHERE seat.episode IN (SELECT value FROM json_each(?))"
        seat_holder_rows = store.sqlite_db.execute(seat_holder_query + order_clause, (json.dumps(list(episodes)),))
    else:
        seat_holder_rows = store.sqlite_db.execute(seat_holder_query + order_clause)
    key_by_browser: dict[str, str] = {}
    participants = {}
    for episode, seat, browser in seat_holder_rows:  # the first holder comes last
        if browser not in key_by_browser:
            key_by_browser[browser] = _make_browser_key(secret, browser)
        participants[episode, seat] = key_by_browser[browser]
    return participants


def compute_participant_key(store: Store, browser: str) -> str | None:
    """Return the key of the person with a browser (id), None if no server has opened this log."""
    secret = _read_secret(store)
    return None if secret is None else _make_browser_key(secret, browser)


def _read_secret(store: Store) -> str | None:
    secret_row = store.sqlite_db.execute("SELECT value FROM secret WHERE name = 'links'").fetchone()
    return None if secret_row is None else str(secret_row[0])


def _make_browser_key(secret: str, browser: str) -> str:
    """Return a browser's key. It begins with a letter: spreadsheets take digits alone for a number."""
    signed_message = to_json(("participant", browser)).encode()
    return "p" + hmac.new(bytes.fromhex(secret), signed_message, hashlib.sha256).hexdigest()[:KEY_DIGITS]
