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
from engine.core.start import Start
from engine.core.usage import META_KEY, add_event, count_paid_tokens, has_only_reply_time, read_paid_cost
from engine.play.episode import GroupCommit
from engine.play.executors.executor import DEFAULT_CONCURRENCY, Budget, Tally
from engine.play.plan_checks import BadPlan
from engine.play.plans import Plan, PlannedEpisode
from engine.play.runner import PlayResult, play_on
from engine.storage.store import EpisodeClaim, LostLease, Store

BEAT_SECONDS = 5.0

BUSY_SECONDS = 0.2
"""Seconds between two checks of episodes that another process plays."""

SCORES_AT_ONCE = 64

Source = Callable[[int], Sequence[PlannedEpisode]]
"""Returns up to this number of planned episodes that no other executor got; an empty list at the end."""


class LocalExecutor:
    """Plays a plan into a store. `tally` has the progress; cancelling `play_plan` is safe at any time.

    The store is used from the event loop's thread only, by this run alone. `next_planned` provides the episodes if
    several executors share a plan.
    """

    def __init__(
        self,
        plan: Plan,
        store: Store,
        *,
        concurrency: int = DEFAULT_CONCURRENCY,
        budget: Budget | None = None,
        next_planned: Source | None = None,
    ) -> None:
        if concurrency < 1:
            raise BadPlan(f"concurrency is at least 1, not {concurrency}")
        self.plan, self.store, self.concurrency = plan, store, concurrency
        self._budget = budget or Budget()
        self.tally = Tally(len(plan))
        self._registry = plan.registry
        self._sink = GroupCommit(store)
        self._next_planned = next_planned or _make_source(plan)
        self._ready_claims: deque[tuple[PlannedEpisode, EpisodeClaim]] = deque()
        self._busy_episodes: list[PlannedEpisode] = []
        self._unstored_scores: list[tuple[str, str, Json]] = []
        self._unstored_logs: dict[str, Log] = {}
        """The logs of the episodes whose scores are not stored yet."""
        self._seats_in_play: dict[str, Mapping[str, str]] = {}
        """The players of the episodes in play, by episode and seat."""
        self._is_second_pass = False

    async def play_plan(self) -> Tally:
        """Play what the plan lacks and return the tally; episodes of other processes are waited for."""
        heartbeat_task = asyncio.create_task(self._beat_regularly())
        try:
            await self._run_workers()
            while self._busy_episodes:
                self.tally.waiting = len(self._busy_episodes)
                await asyncio.sleep(BUSY_SECONDS)
                self._is_second_pass, busy_episodes, self._busy_episodes = True, self._busy_episodes, []
                self._next_planned = _make_source(busy_episodes)
                await self._run_workers()
            self.tally.waiting = 0
        finally:
            heartbeat_task.cancel()
            await self._sink.close()
            self._store_scores(at_least=1)
        return self.tally

    async def _beat_regularly(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            try:
                self.store.record_heartbeat()
            except sqlite3.OperationalError:  # another process writes for long; the next beat is soon enough
                continue

    async def _run_workers(self) -> None:
        async with asyncio.TaskGroup() as worker_group:
            for _ in range(min(self.concurrency, len(self.plan))):
                worker_group.create_task(self._run_worker())

    async def _run_worker(self) -> None:
        while (next_episode := self._claim_next()) is not None:
            planned_episode, claim = next_episode
            self.tally.playing += 1
            try:
                await self._play_claim(planned_episode, claim)
            except LostLease:  # we were taken for dead; whoever took over goes on
                self._busy_episodes.append(planned_episode)
            finally:
                self.tally.playing -= 1

    def _claim_next(self) -> tuple[PlannedEpisode, EpisodeClaim] | None:
        """Return the next claimed episode; a few are claimed at a time, so that processes can share a plan."""
        while not self._ready_claims and not self.limit_reached:
            next_episodes = self._next_planned(min(self.concurrency, 64))
            if not next_episodes:
                return None
            claims = self.store.claim(
                [(planned_episode.start, planned_episode.key) for planned_episode in next_episodes], origin="run"
            )
            for planned_episode, claim in zip(next_episodes, claims, strict=True):
                if claim.state == "over" and self._is_second_pass:
                    self.tally.elsewhere += 1
                elif claim.state == "over":
                    self.tally.before += 1
                elif claim.state == "busy":
                    self._busy_episodes.append(planned_episode)
                else:
                    self._ready_claims.append((planned_episode, claim))
        return None if self.limit_reached else self._ready_claims.popleft()

    @property
    def limit_reached(self) -> str | None:
        """Which limit of the budget is reached, None while none is."""
        return self._budget.find_reached_limit(self.tally)

    async def _play_claim(self, planned_episode: PlannedEpisode, claim: EpisodeClaim) -> None:
        """Play a claimed episode as far as possible and count the result."""
        self._seats_in_play[claim.episode] = planned_episode.start.seats
        try:
            play_result = await self._play_in_time(planned_episode, claim)
        finally:
            del self._seats_in_play[claim.episode]
        if play_result.cause is not None:
            self.tally.stalled[claim.episode] = play_result.cause
            if not play_result.is_logged:
                self.store.mark_stalled(claim.episode, play_result.cause)
        if play_result.outcome is None:
            self.store.release_lease(claim.episode)  # where nothing more may be spent, it goes on another time
            return
        self.tally.done += 1
        self.tally.aborted += play_result.outcome.kind is Ending.ABORTED
        self.tally.stalled.pop(claim.episode, None)
        if play_result.unscored_reason is not None:
            self.tally.unscored[claim.episode] = play_result.unscored_reason
        elif play_result.scores is not None and play_result.log is not None:
            self._unstored_scores.append((claim.episode, *play_result.scores))
            self._unstored_logs[claim.episode] = play_result.log
            self._store_scores(at_least=SCORES_AT_ONCE)

    async def _play_in_time(self, planned_episode: PlannedEpisode, claim: EpisodeClaim) -> PlayResult:
        """Play a claimed episode for as long as one may take; replies that are not there by then are lost."""
        try:
            async with asyncio.timeout(self._budget.episode_seconds) as time_limit:
                return await self._play_episode(planned_episode, claim)
        except TimeoutError:
            if not time_limit.expired():
                raise
        return PlayResult(
            cause=f"it was not over after {self._budget.episode_seconds:g} s (--time-limit)", is_logged=False
        )

    async def _play_episode(self, planned_episode: PlannedEpisode, claim: EpisodeClaim) -> PlayResult:
        episode_start, log = self._start_and_log(planned_episode, claim)
        return await play_on(
            claim.episode,
            episode_start,
            log,
            self._registry,
            self._sink,
            load_episode=self.store.events,
            is_stopped=lambda: self.limit_reached is not None,
            on_advance=lambda episode, events: self._count_advance(episode.id, events),
        )

    def _start_and_log(self, planned_episode: PlannedEpisode, claim: EpisodeClaim) -> tuple[Start, list[Event]]:
        """Return the start of a claimed episode and its log, which is empty for a new one."""
        if claim.state == "new":
            return planned_episode.start, []
        return Start.model_validate(self.store.episode(claim.episode).start), self.store.events(claim.episode)

    def _count_advance(self, episode_id: str, events: Sequence[Event]) -> None:
        """Count the calls, tokens and cost of one stored advance, also of a paid reply that could not be used."""
        first_event = events[0]
        if first_event.kind is Kind.REPLY:
            self.tally.calls += 1
        elif first_event.kind is not Kind.FAULT:
            return
        if has_only_reply_time(first_event):
            return
        add_event(self.tally.usage, self._seats_in_play[episode_id].get(first_event.seat or "", ""), first_event)
        if reply_meta := first_event.data.get(META_KEY):
            tokens = count_paid_tokens(reply_meta)
            self.tally.tokens += sum(tokens.get(token_kind, 0) for token_kind in ("tokens_in", "tokens_out"))
            self.tally.cost += read_paid_cost(reply_meta)

    def _store_scores(self, *, at_least: int) -> None:
        """Store computed scores in one transaction. Results compute missing scores, so none is lost for good."""
        if len(self._unstored_scores) >= at_least:
            scores, self._unstored_scores = self._unstored_scores, []
            unstored_logs, self._unstored_logs = self._unstored_logs, {}
            self.store.set_scores(scores, unstored_logs)


def _make_source(planned_episodes: Iterable[PlannedEpisode]) -> Source:
    remaining_episodes = iter(planned_episodes)
    return lambda count: list(itertools.islice(remaining_episodes, count))
