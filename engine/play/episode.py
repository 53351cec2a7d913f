"""Let players play an episode: ask them, feed the GameMaster, store the events, notify listeners.

An `Episode` asks players, passes their replies to the GameMaster, numbers and stamps the events, stores
them in one transaction, and only then notifies listeners. Pages, runs, notebooks and tests all play through it. The
clock is not read in `engine/core`.

Where partners are hidden, a person's reply is released when it is stored, and that of a program is held for as long as
a person might have taken (`engine.play.human_pace`): what follows from it is stored when it is released.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from engine.core.condition import is_person
from engine.core.content import Picture
from engine.core.event_views import ReplyEvent
from engine.core.events import PRESENCE_KINDS, Aborted, EmptyReplyRule, Event, Json, Kind, LongContextRule, Outcome
from engine.core.game import Game
from engine.core.log import Log
from engine.core.master import AskNotOpen, GameMaster
from engine.core.player import ExternalPlayer, FaultCode, Player, PlayerFault, Reply
from engine.core.start import EpisodeStart
from engine.core.usage import FinishKind, MetaKey, classify_finish
from engine.core.views import Conversation
from engine.play.human_pace import count_typed_characters, sample_reply_delay_seconds
from engine.storage.database import DatabaseUnavailable, StoreError
from engine.storage.episode_row import Status
from engine.storage.ids import now_ms
from engine.storage.store import EpisodeUpdate, LostLease, Store

CONTEXT_EXCEEDED_CAUSE = "context"
"""Why an episode is aborted whose conversation has become too long for a model."""
EMPTY_REPLY_REASONS = {
    FinishKind.TRUNCATED: "its limit of tokens was reached before it wrote any; raise max_tokens",
    FinishKind.FILTERED: "a filter of its provider stopped it",
    FinishKind.REFUSED: "its provider refused to answer",
}

THOUGHT_KEYS = {MetaKey.REASONING, MetaKey.REASONING_ITEMS}


class EventSink(Protocol):
    """Where an episode's updates go; awaiting `append` returns when they are durable."""

    def append(self, episode_update: EpisodeUpdate) -> Awaitable[None]:
        """Store one update."""
        ...


class NullSink:
    """A sink that stores nothing, for tests and for notebooks without a file."""

    async def append(self, episode_update: EpisodeUpdate) -> None:
        """Forget the update."""


class GroupCommit:
    """Stores the updates of many episodes in few transactions.

    Updates that arrive while a transaction is pending go into the next one. Between two there is a pause of
    `flush_pause` seconds, so that other processes can write. With `use_thread` the transaction runs in a writer thread
    (a server must stay responsive), otherwise in the event loop (faster for a run).
    """

    def __init__(self, store: Store, *, use_thread: bool = False, flush_pause: float = 0.001) -> None:
        self._store, self._flush_pause = store, flush_pause
        self._writer_thread = ThreadPoolExecutor(1, "ludens-writer") if use_thread else None
        self._pending_updates: list[tuple[EpisodeUpdate, asyncio.Future[None]]] = []
        self._is_scheduled = self._is_writing = False
        self._last_flush = 0.0

    def append(self, episode_update: EpisodeUpdate) -> Awaitable[None]:
        """Add to the next transaction; the result is done when it is committed. Cancelling does not undo it."""
        stored_future = asyncio.get_running_loop().create_future()
        self._pending_updates.append((episode_update, stored_future))
        if not self._is_scheduled and not self._is_writing:
            self._schedule_flush()
        return stored_future

    def _schedule_flush(self) -> None:
        self._is_scheduled = True
        event_loop = asyncio.get_running_loop()
        wait_seconds = self._last_flush + self._flush_pause - event_loop.time()
        if wait_seconds > 0:
            event_loop.call_later(wait_seconds, self._flush_batch)
        else:
            event_loop.call_soon(self._flush_batch)

    def _flush_batch(self) -> None:
        write_batch, self._pending_updates = self._pending_updates, []
        self._is_scheduled, self._is_writing = False, True
        episode_updates = [episode_update for episode_update, _ in write_batch]
        if self._writer_thread is None:
            self._finish_batch(write_batch, self._write_batch(episode_updates))
            return
        write_future = asyncio.get_running_loop().run_in_executor(
            self._writer_thread, self._write_batch, episode_updates
        )
        write_future.add_done_callback(lambda future: self._finish_batch(write_batch, future.result()))

    def _write_batch(self, episode_updates: list[EpisodeUpdate]) -> list[Exception | None]:
        """Store a batch; return for each update why it could not be stored, None if it was."""
        try:
            self._store.append(episode_updates)
        except DatabaseUnavailable as error:
            return [error] * len(episode_updates)
        except Exception as error:
            if len(episode_updates) == 1:
                return [error]
            # one lost lease must not take the other updates with it
            return [self._write_batch([episode_update])[0] for episode_update in episode_updates]
        return [None] * len(episode_updates)

    def _finish_batch(
        self, write_batch: list[tuple[EpisodeUpdate, asyncio.Future[None]]], errors: list[Exception | None]
    ) -> None:
        self._last_flush, self._is_writing = asyncio.get_running_loop().time(), False
        for (_, commit_future), error in zip(write_batch, errors, strict=True):
            if not commit_future.done():
                if error:
                    commit_future.set_exception(error)
                else:
                    commit_future.set_result(None)
        if self._pending_updates and not self._is_scheduled:
            self._schedule_flush()

    async def run_function(self, store_function: Callable[..., Any], *args: Any) -> Any:
        """Run a store function where this sink writes, so that the connection is used by one thread at a time."""
        if self._writer_thread is None:
            return store_function(*args)
        return await asyncio.get_running_loop().run_in_executor(self._writer_thread, store_function, *args)

    async def close(self) -> None:
        """Wait until everything appended is stored."""
        while self._pending_updates or self._is_writing:
            await asyncio.sleep(0.001)
        if self._writer_thread:
            self._writer_thread.shutdown(wait=True)


Listener = Callable[["Episode", Sequence[Event]], None]


class Episode:
    """An episode in play.

    `log` holds all events so far, `views` one conversation per seat; listeners are called after each stored update.
    """

    def __init__(
        self, id: str, master: GameMaster, log: list[Event], players: dict[str, Player], sink: EventSink
    ) -> None:
        self.id, self.master, self.players = id, master, players
        self.log: list[Event] = []
        self.listeners: list[Listener] = []
        self.show_reply: Callable[[str], Callable[[str], None] | None] = lambda seat: None
        """Returns what takes the text so far of a seat's next reply, None where nobody may or wants to see it."""
        self.fault_causes: dict[int, str] = {}
        self.views = {seat: Conversation(seat) for seat in master.game.seats}
        self._sink = sink
        self._reply_tasks: dict[int, asyncio.Task[Reply]] = {}
        self._request_time_by_number: dict[int, float] = {}
        """When external players were asked (`time.monotonic`), by number of the ask."""
        self._turn_starts: dict[int, float] = {}
        """When the player at the seat was first asked (time of the event loop), by number of the ask."""
        self._release_times: dict[int, float] = {}
        """When replies that are held are due (time of the event loop), by number of the ask."""
        self._release_tasks: dict[int, asyncio.Task[None]] = {}
        self.storage_failure: Exception | None = None
        """Why memory and log may differ: something could not be stored. Nothing more is done here; resume the log."""
        self._answered_requests: set[int] = set()
        self._external_seats = _list_external_seats(players)
        self._storing_lock = asyncio.Lock()
        self._next_change_future: asyncio.Future[None] | None = None
        """Done when something has changed that `play` waits for."""
        self._drawn_pictures: dict[str, Picture] = {}
        self._stored_status: Status | None = None if log else Status.OPEN
        self._attempts = dict.fromkeys(master.open, 1) if log else {}  # asked before the process that asked was gone
        self._show_events(log)
        for request_number in master.open if log else ():
            self._note_request_time(request_number)

    @classmethod
    async def begin_episode(
        cls, id: str, game: Game, episode_start: EpisodeStart, players: dict[str, Player], sink: EventSink
    ) -> Episode:
        """Begin an episode: its start and first asks are durable on return."""
        master, events = GameMaster.begin_episode(game, episode_start)
        episode = cls(id, master, [], players, sink)
        await episode._commit_events(events)
        return episode

    @classmethod
    def resume(cls, id: str, game: Game, log: list[Event], players: dict[str, Player], sink: EventSink) -> Episode:
        """Continue where a log ends. Raises `RulesChanged` if the present rules would not have written it."""
        episode = cls(id, GameMaster.resume(game, log), log, players, sink)
        for seat, player in players.items():
            player.recall(_list_own_replies(log, seat))
        return episode

    def __repr__(self) -> str:
        seats = ", ".join(f"{seat}={player}" for seat, player in self.master.start.seats.items())
        state = self.outcome.kind if self.outcome else f"stalled: {self.stall_cause}" if self.stall_cause else None
        request_count = sum(event.kind is Kind.ASK for event in self.log)
        state_text = state or f"in play, {request_count} asks"
        return f"<Episode {self.id} {self.master.start.instance_id} ({seats}): {state_text}>"

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, None while the episode is in play."""
        return self.master.outcome

    @property
    def stall_cause(self) -> str | None:
        """The cause if every open ask waits because of a fault, else None."""
        return self._find_stall_cause(self.fault_causes)

    def _find_stall_cause(self, fault_causes: dict[int, str]) -> str | None:
        if self.master.failure_cause:
            return self.master.failure_cause
        if (
            fault_causes
            and self.master.open
            and all(request_number in fault_causes for request_number in self.master.open)
        ):
            return next(iter(fault_causes.values()))
        return None

    def picture(self, asset: str) -> Picture:
        """Return a picture of this episode's instance, drawn once."""
        if asset not in self._drawn_pictures:
            self._drawn_pictures[asset] = self.master.game.picture(self.master.instance, asset)
        return self._drawn_pictures[asset]

    # ------------------------------------------------------------------ playing
    async def play(self, is_stopped: Callable[[], bool] | None = None) -> Outcome | None:
        """Let the players answer until the outcome; None when the episode stalls, or when `is_stopped` says to stop.

        Once it does, no further player is asked; replies under way are awaited. Cancel `play` to stop at once.
        External players are never asked: `submit` brings their replies.
        """
        try:
            while True:
                if self._storing_lock.locked():  # what is being stored must not be acted upon yet
                    async with self._storing_lock:
                        pass
                if self.master.outcome or self.stall_cause or self.storage_failure:
                    break
                was_stopped = is_stopped is not None and is_stopped()
                if was_stopped and not self._reply_tasks:
                    break
                self._await_releases()
                waiting_request_numbers = [] if was_stopped else self._list_player_asks()
                if (
                    waiting_request_numbers
                    and not self._reply_tasks
                    and self._find_player(waiting_request_numbers[0]).instant
                ):
                    await self._take_reply(waiting_request_numbers[0], self._ask_player(waiting_request_numbers[0]))
                    continue
                for request_number in waiting_request_numbers:
                    if request_number not in self._reply_tasks:
                        self._reply_tasks[request_number] = asyncio.create_task(self._ask_player(request_number))
                        self._reply_tasks[request_number].add_done_callback(self._signal_change)
                await self._await_reply()
        finally:
            self._drop_tasks()
        if self.storage_failure:
            raise self.storage_failure
        return self.master.outcome

    def _list_player_asks(self) -> list[int]:
        """Return the open asks that wait for players that answer by themselves."""
        return [
            request_number
            for request_number, open_ask in self.master.open.items()
            if request_number not in self.fault_causes
            and request_number not in self.master.held_continuations
            and open_ask.request.seat not in self._external_seats
        ]

    def _find_player(self, request_number: int) -> Player:
        """Return the player at the seat of an open ask."""
        return self.players[self.master.open[request_number].request.seat]

    async def _ask_player(self, request_number: int) -> Reply:
        seat = self.master.open[request_number].request.seat
        player = self.players[seat]
        self._attempts[request_number] = self._attempts.get(request_number, 0) + 1
        start_time = time.monotonic()
        if self.master.holds_replies:
            self._turn_starts.setdefault(request_number, asyncio.get_running_loop().time())
        view = self.views[seat].view(self.picture, player.longest_message, is_lazy=player.instant)
        if player.omniscient:
            view.instance = self.log[0].data["instance"]
        if player.streams:
            view.show_partial_reply = self.show_reply(seat)
        reply = await player.reply(view)
        reply_meta: Json = {"seconds": int((time.monotonic() - start_time) * 1e6) / 1e6, **reply.meta}
        earlier_attempts = self._attempts.pop(request_number, 1) - 1  # after a reminder the counting begins anew
        if earlier_attempts:
            reply_meta["attempts"] = earlier_attempts + reply.meta.get("attempts", 1)
        return Reply(reply.text, reply_meta)

    async def _await_reply(self) -> None:
        if not any(task.done() for task in (*self._reply_tasks.values(), *self._release_tasks.values())):
            self._next_change_future = asyncio.get_running_loop().create_future()
            await self._next_change_future
        for request_number, task in list(self._reply_tasks.items()):
            if (
                task.done() and self._reply_tasks.pop(request_number, None) is task
            ):  # else its seat changed hands meanwhile
                await self._take_reply(request_number, task)
        for request_number in [
            request_number for request_number in self._reply_tasks if request_number not in self.master.open
        ]:
            self._reply_tasks.pop(request_number).cancel()
        for request_number in [
            request_number
            for request_number, task in self._release_tasks.items()
            if task.done() or request_number not in self.master.held_continuations
        ]:
            self._release_tasks.pop(request_number).cancel()
            await self._release_reply(request_number)

    def _signal_change(self, _: object = None) -> None:
        """Let `play` look again at what it waits for: also called with each task that is done."""
        if self._next_change_future and not self._next_change_future.done():
            self._next_change_future.set_result(None)

    def _await_releases(self) -> None:
        """Start to wait for the time at which each held reply is due; a reply of an earlier process waits anew."""
        for request_number in self.master.held_continuations:
            if request_number not in self._release_tasks:
                loop_time = asyncio.get_running_loop().time()
                release_time = self._release_times.setdefault(
                    request_number, loop_time + self._compute_hold_seconds(request_number)
                )
                self._release_tasks[request_number] = asyncio.create_task(asyncio.sleep(release_time - loop_time))
                self._release_tasks[request_number].add_done_callback(self._signal_change)

    def _compute_hold_seconds(self, request_number: int) -> float:
        """Return how long a reply is to be held from now on, by what was drawn and how long its player took."""
        start, reply_request = self.master.start, self.master.open[request_number].request
        reply = [reply for reply in Log(self.log).replies(reply_request.seat) if reply.ask == request_number][-1]
        character_count = count_typed_characters(reply_request.reply, reply.text)
        sampled_seconds = sample_reply_delay_seconds(
            start.seed, reply_request.seat, request_number, character_count, start.turn_seconds
        )
        begin_time, elapsed_seconds = self._turn_starts.pop(request_number, None), 0.0
        match begin_time, reply.meta:
            case float(), _:
                elapsed_seconds = asyncio.get_running_loop().time() - begin_time
            case None, {"seconds": float(seconds)}:  # an earlier process has awaited it
                elapsed_seconds = seconds
        return max(0.0, sampled_seconds - elapsed_seconds)

    async def _release_reply(self, request_number: int) -> None:
        """Store what follows from a reply that was held, unless the game has ended meanwhile."""
        async with self._storing_lock:
            self._release_times.pop(request_number, None)
            if self.storage_failure is None and request_number in self.master.held_continuations:
                await self._store(self.master.release(request_number))

    async def _take_reply(self, request_number: int, awaited_reply: Awaitable[Reply]) -> None:
        """Pass one reply to the GameMaster, or record the fault."""
        player = self._find_player(request_number) if request_number in self.master.open else None
        try:
            reply = await awaited_reply
        except PlayerFault as fault:
            await self._record_fault(request_number, player, fault)
            return
        except asyncio.CancelledError:
            if isinstance(awaited_reply, asyncio.Task) and awaited_reply.cancelled() and not _is_cancelling():
                return
            raise
        except Exception as error:
            await self._record_fault(request_number, player, PlayerFault(f"{type(error).__name__}: {error}"))
            return
        if not reply.text.strip() and (empty_reply_fault := self._find_empty_fault(request_number, reply)):
            await self._record_fault(request_number, player, empty_reply_fault)
            return
        async with self._storing_lock:
            if self.storage_failure:  # `play` raises it
                return
            if (
                request_number not in self.master.open or self._find_player(request_number) is player
            ):  # else its seat was handed over meanwhile
                await self._store(self.master.reply(request_number, reply.text, reply.meta))

    def _find_empty_fault(self, request_number: int, reply: Reply) -> PlayerFault | None:
        """Return the fault that this reply without text stands for if a limit or a filter emptied it, else None."""
        finish_label = classify_finish(reply.meta)
        if (
            finish_label is None
            or self.master.start.on_empty != EmptyReplyRule.FAULT
            or request_number not in self.master.open
        ):
            return None
        address = Log(self.log).players[self.master.open[request_number].request.seat]
        fault_reason = reply.meta.get(MetaKey.ERROR) or EMPTY_REPLY_REASONS[finish_label]
        # faults are shown to seats as well: what a model thought is not for them
        meta = {meta_name: meta_value for meta_name, meta_value in reply.meta.items() if meta_name not in THOUGHT_KEYS}
        return PlayerFault(f"{address} sent no text: {fault_reason}", FaultCode.EMPTY_REPLY, meta)

    async def _record_fault(self, request_number: int, player: Player | None, fault: PlayerFault) -> None:
        """Record that a player could not answer, unless its seat was handed over meanwhile.

        If the conversation has become too long for the player, that ends the episode.
        """
        async with self._storing_lock:
            if (
                self.storage_failure is None
                and request_number in self.master.open
                and self._find_player(request_number) is player
            ):
                fault_code = None if fault.code is FaultCode.OTHER else str(fault.code)
                events = self.master.fault(request_number, str(fault), fault_code, fault.meta)
                if fault.code is FaultCode.PROMPT_TOO_LONG and self._ends_at_context_limit:
                    seat = self.master.open[request_number].request.seat
                    await self._store([*events, *self.master.end(Aborted(CONTEXT_EXCEEDED_CAUSE, seat))])
                else:
                    await self._store(
                        events, causes={**self.fault_causes, request_number: str(fault)}, is_master_ahead=False
                    )

    @property
    def _ends_at_context_limit(self) -> bool:
        """Whether the episode ends when a conversation is too long: with people another player can take the seat."""
        episode_start = self.master.start
        return episode_start.on_context == LongContextRule.ABORTED and not any(
            map(is_person, episode_start.seats.values())
        )

    async def submit(self, seat: str, request_number: int, reply_text: str, reply_meta: Json | None = None) -> None:
        """Take the reply of an external player; it is stored on return. Do not cancel it while it stores.

        Raises `AskNotOpen` when the ask is not open at that seat, was answered already, or the seat's player is not
        external; `NotInFormat` or `AmbiguousReply` when the reply does not have the form asked for: nothing is
        recorded.
        """
        player, was_open = self.players.get(seat), self._is_open_at(seat, request_number)
        if not isinstance(player, ExternalPlayer):
            raise AskNotOpen(f"ask {request_number} is not open at seat {seat}")
        try:
            async with self._storing_lock:  # meanwhile another reply to the ask may have been stored, refused or lost
                self._check_usable()
                if self.players[seat] is not player:
                    raise AskNotOpen(f"ask {request_number} went to another player")
                if request_number in self._answered_requests or request_number in self.master.held_continuations:
                    raise AskNotOpen(f"ask {request_number} was answered already")
                if not was_open and not self._is_open_at(seat, request_number):
                    raise AskNotOpen(f"ask {request_number} is not open at seat {seat}")
                seconds = round(time.monotonic() - self._request_time_by_number[request_number], 6)
                events = self.master.reply(
                    request_number, reply_text, {"seconds": seconds, **(reply_meta or {})}, refuse_malformed=True
                )
                if request_number in self.master.held_continuations:
                    events += self.master.release(request_number)

                def apply_reply() -> None:
                    if request_number not in self.master.open:
                        self._answered_requests.add(request_number)
                    self._attempts.pop(request_number, None)
                    del self._request_time_by_number[request_number]

                await self._store(events, apply_reply)
        finally:
            self._signal_change()

    def _is_open_at(self, seat: str, request_number: int) -> bool:
        open_ask = self.master.open.get(request_number)
        return open_ask is not None and open_ask.request.seat == seat

    # ------------------------------------------------------------------ what else can happen
    async def retry(self) -> None:
        """Forget faults, so that `play` asks the open asks again. Raises why the episode cannot continue in memory."""
        self._check_usable()
        self.fault_causes = {}
        self._signal_change()

    async def hand_over_seat(
        self,
        seat: str,
        address: str,
        player: Player,
        extra_write_callback: Callable[[], object] | None = None,
        *,
        reason: str | None = None,
        is_reason_still_valid: Callable[[], bool] | None = None,
    ) -> None:
        """Seat another player, who gets the seat's whole conversation; the present player's reply is cancelled.

        `extra_write_callback` writes to the store in the same transaction. Without storing nothing changes. Raises
        `AskNotOpen`, also where `is_reason_still_valid`, asked when everything before is stored, says that the reason
        is gone.
        """
        try:
            async with self._storing_lock:
                self._check_usable()
                _check_reason_still_valid(is_reason_still_valid)
                events = self.master.hand_over_seat(seat, address, reason)
                open_request_numbers = [
                    request_number
                    for request_number, open_ask in self.master.open.items()
                    if open_ask.request.seat == seat
                ]

                def seat_player() -> None:
                    self.players[seat] = player
                    self._external_seats = _list_external_seats(self.players)
                    for request_number in open_request_numbers:
                        if task := self._reply_tasks.pop(request_number, None):
                            task.cancel()
                        self._turn_starts.pop(request_number, None)  # the new player takes a time of its own
                        self._note_request_time(request_number)

                other_causes = {
                    request_number: cause
                    for request_number, cause in self.fault_causes.items()
                    if request_number not in open_request_numbers
                }
                await self._store(
                    events,
                    seat_player,
                    causes=other_causes,
                    is_master_ahead=False,
                    extra_write_callback=extra_write_callback,
                )
        finally:
            self._signal_change()

    async def time_out(
        self, request_number: int, fault_cause: str, is_reason_still_valid: Callable[[], bool] | None = None
    ) -> None:
        """Record that the player of an open ask has not replied in time; the reply is not awaited any more.

        The ask is then like that of any player that could not answer. Raises `AskNotOpen` as `hand_over_seat` does.
        """
        try:
            async with self._storing_lock:
                self._check_usable()
                _check_reason_still_valid(is_reason_still_valid)
                events = self.master.fault(request_number, fault_cause, str(FaultCode.TIMED_OUT))

                def cancel_task() -> None:
                    if task := self._reply_tasks.pop(request_number, None):
                        task.cancel()

                await self._store(
                    events,
                    cancel_task,
                    causes={**self.fault_causes, request_number: fault_cause},
                    is_master_ahead=False,
                )
        finally:
            self._signal_change()

    async def end(self, outcome: Outcome, is_reason_still_valid: Callable[[], bool] | None = None) -> None:
        """End the episode from outside (abandoned). Raises `AskNotOpen` where `is_reason_still_valid` says no."""
        try:
            async with self._storing_lock:
                self._check_usable()
                _check_reason_still_valid(is_reason_still_valid)
                if not self.master.outcome:
                    await self._store(self.master.end(outcome))
        finally:
            self._signal_change()

    async def record_presence(
        self, event_kind: Kind, seat: str | None, extra_write_callback: Callable[[], object] | None = None
    ) -> None:
        """Record that a visitor came, left or watches; after the outcome nothing is recorded.

        `extra_write_callback` writes to the store in the same transaction.
        """
        assert event_kind in PRESENCE_KINDS
        async with self._storing_lock:
            self._check_usable()
            if not self.master.outcome:
                await self._store(
                    [Event(event_kind, seat, {})], is_master_ahead=False, extra_write_callback=extra_write_callback
                )

    # ------------------------------------------------------------------ writing down
    def _check_usable(self) -> None:
        if self.storage_failure:
            raise self.storage_failure

    async def _commit_events(self, events: list[Event]) -> None:
        async with self._storing_lock:
            await self._store(events)

    async def _store(
        self,
        events: list[Event],
        apply_change: Callable[[], None] | None = None,
        *,
        causes: dict[int, str] | None = None,
        is_master_ahead: bool = True,
        extra_write_callback: Callable[[], object] | None = None,
    ) -> None:
        """Number and stamp events, store them, and only then act and show them.

        `causes` are those of faulted asks afterwards, None for no change. `is_master_ahead` says that the GameMaster
        has taken these events in: if they cannot be stored, this episode cannot continue in memory.
        """
        stamp_ms, event_count = now_ms(), len(self.log)
        for event_offset, event in enumerate(events):  # in place: a second object takes 1 µs each
            event.n, event.time = event_count + event_offset, stamp_ms
        if causes is None:
            causes = self.fault_causes
        cause = self._find_stall_cause(causes)
        status = Status.OVER if self.master.outcome else Status.STALLED if cause else Status.OPEN
        try:
            await self._sink.append(
                EpisodeUpdate(
                    self.id, events, status if status is not self._stored_status else None, cause, extra_write_callback
                )
            )
        except BaseException as error:
            if is_master_ahead or isinstance(error, LostLease):
                self.storage_failure = error if isinstance(error, Exception) else _make_interruption_error(self.id)
            elif not isinstance(error, Exception):  # cancelled: it may still be stored
                self.storage_failure = _make_interruption_error(self.id)
            raise
        self.fault_causes, self._stored_status = causes, status
        if apply_change:
            apply_change()
        if self._external_seats:
            for event in events:
                if event.kind in (Kind.ASK, Kind.VIOLATION) and event.data["ask"] in self.master.open:
                    self._note_request_time(event.data["ask"])
        self._show_events(events)

    def _note_request_time(self, request_number: int) -> None:
        """Note when an external player was asked; the ask counts as tried if another player takes the seat."""
        if self.master.open[request_number].request.seat in self._external_seats:
            self._request_time_by_number[request_number] = time.monotonic()
            self._attempts[request_number] = self._attempts.get(request_number, 0) + 1

    def _show_events(self, events: Sequence[Event]) -> None:
        self.log += events
        for event in events:
            if event.seat is None:
                for view in self.views.values():
                    view.apply(event)
            else:
                self.views[event.seat].apply(event)
        for listener in list(self.listeners):
            listener(self, events)

    def _drop_tasks(self) -> None:
        for task in (*self._reply_tasks.values(), *self._release_tasks.values()):
            task.cancel()
        self._reply_tasks.clear()
        self._release_tasks.clear()


def _list_own_replies(log: Sequence[Event], seat: str) -> list[Reply]:
    """Return the replies of a seat, those of its present player with their meta."""
    replies: list[Reply] = []
    for event in log:
        if event.seat == seat and event.kind is Kind.SEAT:
            replies = [Reply(earlier_reply.text) for earlier_reply in replies]
        elif event.seat == seat and event.kind is Kind.REPLY and not (reply := ReplyEvent.from_event(event)).discarded:
            replies.append(Reply(reply.text, reply.meta))
    return replies


def _check_reason_still_valid(is_reason_still_valid: Callable[[], bool] | None) -> None:
    if is_reason_still_valid is not None and not is_reason_still_valid():
        raise AskNotOpen("it was answered meanwhile")


def _make_interruption_error(episode_id: str) -> StoreError:
    return StoreError(f"episode {episode_id} was interrupted while it was stored; it is continued from the log")


def _list_external_seats(players: dict[str, Player]) -> set[str]:
    return {seat for seat, player in players.items() if isinstance(player, ExternalPlayer)}


def _is_cancelling() -> bool:
    task = asyncio.current_task()
    return bool(task and task.cancelling())
