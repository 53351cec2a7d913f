"""An episode of notes: what tests of the store write, here and in other processes, which import no more than this."""

from engine.core.events import Event, Kind
from engine.storage.store import Store
from tests.engine.small_games import Guess, start

START = start(Guess(), {"word": "x"})


def claim_episode(store: Store, key: str | None = None) -> str:
    return store.claim_episodes([(START, key)], origin="test")[0].episode


def note(n: int, **data) -> Event:
    return Event(Kind.NOTE, None, {"note": "n", **data}, n, 1_000 + n)
