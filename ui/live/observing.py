"""Where a server's parts say what happens, for figures: an `Observer` that does nothing, and the sink that tells it."""

from __future__ import annotations

import time
from collections.abc import Sequence

from engine.core.events import Event
from engine.play.episode import GroupCommit
from engine.storage.store import EpisodeUpdate, Store


class Observer:
    """Learns what happens; this one forgets it. Methods must be quick and may be called from any thread."""

    def record_events(self, events: Sequence[Event]) -> None:
        """Learn of stored events of a game that is played here."""

    def record_commit(self, commit_duration_seconds: float, stored_update_count: int) -> None:
        """Learn how long storing so many updates took, successful or not."""


class ObservedCommit(GroupCommit):
    """A threaded `GroupCommit` that tells an observer how long each transaction took."""

    def __init__(self, store: Store, observer: Observer) -> None:
        super().__init__(store, use_thread=True)
        self._observer = observer

    def _write_batch(self, episode_updates: list[EpisodeUpdate]) -> list[Exception | None]:
        start_time = time.perf_counter()
        try:
            return super()._write_batch(episode_updates)
        finally:
            self._observer.record_commit(time.perf_counter() - start_time, len(episode_updates))
