"""Carry out a run in this process.

Each planned episode has a key under which it is stored once: the same plan again plays nothing twice, a killed run goes
on where its log stops, and two processes share a plan."""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence

from engine.core.events import Ending, Event, Json, Kind
from engine.core.log import Log
from engine.core.start import EpisodeStart
from engine.core.usage import META_KEY, add_event, count_paid_tokens, has_only_reply_time, read_paid_cost
from engine.play.episode import GroupCommit
from engine.play.executors.executor import DEFAULT_CONCURRENCY, Budget, Tally
from engine.play.plan_checks import BadPlan
from engine.play.plans import Plan, PlannedEpisode
from engine.play.runner import PlayResult, play_or_resume
from engine.storage.store import EpisodeClaim, LostLease, Store

HEARTBEAT_SECONDS = 5.0

BUSY_CHECK_SECONDS = 0.2
"""Seconds between two checks of episodes that another process plays."""

SCORE_BATCH_SIZE = 64

EpisodeSource = Callable[[int], Sequence[PlannedEpisode]]
"""Returns up to this number of planned episodes that no other executor got; an empty list at the end."""


class LocalExecutor:
    """Plays a plan into a store. `tally` has the progress; cancelling `play_plan` is safe at any time.

    The store is used from the event loop's thread only, by this run alone. `episode_source` provides the episodes if
    several executors share a plan.
    """

    def __init__(
        self,
        plan: Plan,
        store: Store,
        *,
        concurrency: int = DEFAULT_CONCURRENCY,
        budget: Budget | None = None,
        episode_source: EpisodeSource | None = None,
    ) -> None:
        if concurrency < 1:
            raise BadPlan(f"concurrency is at least 1, not {concurrency}")
        self.plan, self.store, self.concurrency = plan, store, concurrency
        self._budget = budget or Budget()
        self.tally = Tally(len(plan))
        self._registry = plan.registry
        self._sink = GroupCommit(store)
        self._episode_source = episode_source or _make_episode_source(plan)
        self._claimed_episodes: deque[tuple[PlannedEpisode, EpisodeClaim]] = deque()
        self._busy_episodes: list[PlannedEpisode] = []
        self._unstored_scores: list[tuple[str, str, Json]] = []
        self._unstored_logs: dict[str, Log] = {}
        """The logs of the episodes whose scores are not stored yet."""
        self._seats_in_play: dict[str, Mapping[str, str]] = {}
        """The players of the episodes in play, by episode and seat."""
        self._is_second_pass = False

    async def play_plan(self) -> Tally:
        """Play what the plan lacks and return the tally; episodes of other processes are waited for."""
        heartbeat_task = asyncio.create_task(self._record_heartbeats())
        try:
            await self._run_workers()
            while self._busy_episodes:
                self.tally.waiting_count = len(self._busy_episodes)
                await asyncio.sleep(BUSY_CHECK_SECONDS)
                self._is_second_pass, busy_episodes, self._busy_episodes = True, self._busy_episodes, []
                self._episode_source = _make_episode_source(busy_episodes)
                await self._run_workers()
            self.tally.waiting_count = 0
        finally:
            heartbeat_task.cancel()
            await self._sink.close()
            self._store_scores(min_count=1)
        return self.tally

    async def _record_heartbeats(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            try:
                self.store.record_heartbeat()
            except sqlite3.OperationalError:  # another process writes for long; the next beat is soon enough
                continue

    async def _run_workers(self) -> None:
        async with asyncio.TaskGroup() as worker_group:
            for _ in range(min(self.concurrency, len(self.plan))):
                worker_group.create_task(self._run_worker())

    async def _run_worker(self) -> None:
        while (next_episode := self._claim_next_episode()) is not None:
            planned_episode, episode_claim = next_episode
            self.tally.playing_count += 1
            try:
                await self._play_claim(planned_episode, episode_claim)
            except LostLease:  # we were taken for dead; whoever took over goes on
                self._busy_episodes.append(planned_episode)
            finally:
                self.tally.playing_count -= 1

    def _claim_next_episode(self) -> tuple[PlannedEpisode, EpisodeClaim] | None:
        """Return the next claimed episode; a few are claimed at a time, so that processes can share a plan."""
        while not self._claimed_episodes and not self.limit_reached:
            next_episodes = self._episode_source(min(self.concurrency, 64))
            if not next_episodes:
                return None
            claims = self.store.claim_episodes(
                [(planned_episode.start, planned_episode.key) for planned_episode in next_episodes], origin="run"
            )
            for planned_episode, episode_claim in zip(next_episodes, claims, strict=True):
                if episode_claim.state == "over" and self._is_second_pass:
                    self.tally.finished_elsewhere_count += 1
                elif episode_claim.state == "over":
                    self.tally.previously_finished_count += 1
                elif episode_claim.state == "busy":
                    self._busy_episodes.append(planned_episode)
                else:
                    self._claimed_episodes.append((planned_episode, episode_claim))
        return None if self.limit_reached else self._claimed_episodes.popleft()

    @property
    def limit_reached(self) -> str | None:
        """Which limit of the budget is reached, None while none is."""
        return self._budget.find_reached_limit(self.tally)

    async def _play_claim(self, planned_episode: PlannedEpisode, episode_claim: EpisodeClaim) -> None:
        """Play a claimed episode as far as possible and count the result."""
        self._seats_in_play[episode_claim.episode] = planned_episode.start.seats
        try:
            play_result = await self._play_within_time_limit(planned_episode, episode_claim)
        finally:
            del self._seats_in_play[episode_claim.episode]
        if play_result.cause is not None:
            self.tally.cause_by_stalled_episode[episode_claim.episode] = play_result.cause
            if not play_result.is_logged:
                self.store.mark_stalled(episode_claim.episode, play_result.cause)
        if play_result.outcome is None:
            self.store.release_lease(episode_claim.episode)  # where nothing more may be spent, it goes on another time
            return
        self.tally.played_count += 1
        self.tally.aborted_count += play_result.outcome.kind is Ending.ABORTED
        self.tally.cause_by_stalled_episode.pop(episode_claim.episode, None)
        if play_result.unscored_reason is not None:
            self.tally.cause_by_unscored_episode[episode_claim.episode] = play_result.unscored_reason
        elif play_result.scores is not None and play_result.log is not None:
            self._unstored_scores.append((episode_claim.episode, *play_result.scores))
            self._unstored_logs[episode_claim.episode] = play_result.log
            self._store_scores(min_count=SCORE_BATCH_SIZE)

    async def _play_within_time_limit(self, planned_episode: PlannedEpisode, episode_claim: EpisodeClaim) -> PlayResult:
        """Play a claimed episode for as long as one may take; replies that are not there by then are lost."""
        try:
            async with asyncio.timeout(self._budget.episode_seconds) as time_limit:
                return await self._play_episode(planned_episode, episode_claim)
        except TimeoutError:
            if not time_limit.expired():
                raise
        return PlayResult(
            cause=f"it was not over after {self._budget.episode_seconds:g} s (--time-limit)", is_logged=False
        )

    async def _play_episode(self, planned_episode: PlannedEpisode, episode_claim: EpisodeClaim) -> PlayResult:
        episode_start, log = self._read_start_and_log(planned_episode, episode_claim)
        return await play_or_resume(
            episode_claim.episode,
            episode_start,
            log,
            self._registry,
            self._sink,
            load_episode=self.store.events,
            is_stopped=lambda: self._budget.find_reached_limit(self.tally) is not None,
            on_update=lambda episode, events: self._count_update(episode.id, events),
        )

    def _read_start_and_log(
        self, planned_episode: PlannedEpisode, episode_claim: EpisodeClaim
    ) -> tuple[EpisodeStart, list[Event]]:
        """Return the start of a claimed episode and its log, which is empty for a new one."""
        if episode_claim.state == "new":
            return planned_episode.start, []
        return EpisodeStart.model_validate(self.store.episode(episode_claim.episode).start), self.store.events(
            episode_claim.episode
        )

    def _count_update(self, episode_id: str, events: Sequence[Event]) -> None:
        """Count the calls, tokens and cost of one stored update, also of a paid reply that could not be used."""
        first_event = events[0]
        if first_event.kind is Kind.REPLY:
            self.tally.call_count += 1
        elif first_event.kind is not Kind.FAULT:
            return
        if has_only_reply_time(first_event):
            return
        add_event(self.tally.usage, self._seats_in_play[episode_id].get(first_event.seat or "", ""), first_event)
        if reply_meta := first_event.data.get(META_KEY):
            tokens = count_paid_tokens(reply_meta)
            self.tally.token_count += sum(tokens.get(token_kind, 0) for token_kind in ("tokens_in", "tokens_out"))
            self.tally.cost += read_paid_cost(reply_meta)

    def _store_scores(self, *, min_count: int) -> None:
        """Store computed scores in one transaction. Results compute missing scores, so none is lost for good."""
        if len(self._unstored_scores) >= min_count:
            scores, self._unstored_scores = self._unstored_scores, []
            unstored_logs, self._unstored_logs = self._unstored_logs, {}
            self.store.set_scores(scores, unstored_logs)


def _make_episode_source(planned_episodes: Iterable[PlannedEpisode]) -> EpisodeSource:
    remaining_episodes = iter(planned_episodes)
    return lambda count: list(itertools.islice(remaining_episodes, count))
