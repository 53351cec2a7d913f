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
from engine.core.events import PRESENCE_KINDS, Aborted, Event, Json, Kind, OnContext, OnEmpty, Outcome
from engine.core.game import Game
from engine.core.log import Log
from engine.core.master import GameMaster, NotOpen
from engine.core.player import ExternalPlayer, FaultCode, Player, PlayerFault, Reply
from engine.core.start import Start
from engine.core.usage import FinishKind, MetaKey, finish_kind
from engine.core.views import Conversation
from engine.play.human_pace import human_seconds, typed_characters
from engine.storage.database import DatabaseUnavailable, StoreError
from engine.storage.episode_row import Status
from engine.storage.ids import now_ms
from engine.storage.store import Advance, LostLease, Store

CONTEXT_CAUSE = "context"
"""Why an episode is aborted whose conversation has become too long for a model."""
EMPTY_REASONS = {
    FinishKind.CUT: "its limit of tokens was reached before it wrote any; raise max_tokens",
    FinishKind.FILTERED: "a filter of its provider stopped it",
    FinishKind.REFUSED: "its provider refused to answer",
}

THOUGHT_KEYS = {MetaKey.REASONING, MetaKey.REASONING_ITEMS}


class Sink(Protocol):
    """Where an episode's advances go; awaiting `append` returns when they are durable."""

    def append(self, advance: Advance) -> Awaitable[None]:
        """Store one advance."""
        ...


class Nowhere:
    """A sink that stores nothing, for tests and for notebooks without a file."""

    async def append(self, advance: Advance) -> None:
        """Forget the advance."""


class GroupCommit:
    """Stores the advances of many episodes in few transactions.

    Advances that arrive while a transaction is pending go into the next one. Between two there is a pause of `pause`
    seconds, so that other processes can write. With `threaded` the transaction runs in a writer thread (a server must
    stay responsive), otherwise in the event loop (faster for a run).
    """

    def __init__(self, store: Store, *, threaded: bool = False, pause: float = 0.001) -> None:
        self._store, self._pause = store, pause
        self._thread = ThreadPoolExecutor(1, "ludens-writer") if threaded else None
        self._pending: list[tuple[Advance, asyncio.Future[None]]] = []
        self._scheduled = self._busy = False
        self._last = 0.0

    def append(self, advance: Advance) -> Awaitable[None]:
        """Add to the next transaction; the result is done when it is committed. Cancelling does not undo it."""
        stored = asyncio.get_running_loop().create_future()
        self._pending.append((advance, stored))
        if not self._scheduled and not self._busy:
            self._schedule_flush()
        return stored

    def _schedule_flush(self) -> None:
        self._scheduled = True
        loop = asyncio.get_running_loop()
        wait = self._last + self._pause - loop.time()
        if wait > 0:
            loop.call_later(wait, self._flush_batch)
        else:
            loop.call_soon(self._flush_batch)

    def _flush_batch(self) -> None:
        batch, self._pending = self._pending, []
        self._scheduled, self._busy = False, True
        advances = [advance for advance, _ in batch]
        if self._thread is None:
            self._finish(batch, self._write(advances))
            return
        written = asyncio.get_running_loop().run_in_executor(self._thread, self._write, advances)
        written.add_done_callback(lambda future: self._finish(batch, future.result()))

    def _write(self, advances: list[Advance]) -> dict[str, Exception]:
        """Store a batch; return the error of each episode that could not be stored."""
        try:
            self._store.append(advances)
        except DatabaseUnavailable as error:
            return {advance.episode: error for advance in advances}
        except Exception as error:
            if len(advances) == 1:
                return {advances[0].episode: error}
            failed: dict[str, Exception] = {}  # one lost lease must not take the other episodes' advances with it
            for advance in advances:
                failed |= self._write([advance])
            return failed
        return {}

    def _finish(self, batch: list[tuple[Advance, asyncio.Future[None]]], failed: dict[str, Exception]) -> None:
        self._last, self._busy = asyncio.get_running_loop().time(), False
        for advance, stored in batch:
            if not stored.done():
                if error := failed.get(advance.episode):
                    stored.set_exception(error)
                else:
                    stored.set_result(None)
        if self._pending and not self._scheduled:
            self._schedule_flush()

    async def call(self, function: Callable[..., Any], *args: Any) -> Any:
        """Run a store function where this sink writes, so that the connection is used by one thread at a time."""
        if self._thread is None:
            return function(*args)
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *args)

    async def close(self) -> None:
        """Wait until everything appended is stored."""
        while self._pending or self._busy:
            await asyncio.sleep(0.001)
        if self._thread:
            self._thread.shutdown(wait=True)


Listener = Callable[["Episode", Sequence[Event]], None]


class Episode:
    """An episode in play.

    `log` holds all events so far, `views` one conversation per seat; listeners are called after each stored advance.
    """

    def __init__(self, id: str, master: GameMaster, log: list[Event], players: dict[str, Player], sink: Sink) -> None:
        self.id, self.master, self.players = id, master, players
        self.log: list[Event] = []
        self.listeners: list[Listener] = []
        self.show_reply: Callable[[str], Callable[[str], None] | None] = lambda seat: None
        """Returns what takes the text so far of a seat's next reply, None where nobody may or wants to see it."""
        self.faulted: dict[int, str] = {}
        self.views = {seat: Conversation(seat) for seat in master.game.seats}
        self._sink = sink
        self._tasks: dict[int, asyncio.Task[Reply]] = {}
        self._asked_at: dict[int, float] = {}
        """When external players were asked (`time.monotonic`), by number of the ask."""
        self._turns_begun: dict[int, float] = {}
        """When the player at the seat was first asked (time of the event loop), by number of the ask."""
        self._due: dict[int, float] = {}
        """When replies that are held are due (time of the event loop), by number of the ask."""
        self._releases: dict[int, asyncio.Task[None]] = {}
        self.failure: Exception | None = None
        """Why memory and log may differ: something could not be stored. Nothing more is done here; resume the log."""
        self._answered: set[int] = set()
        self._external = _external_seats(players)
        self._order = asyncio.Lock()
        self._changed: asyncio.Future[None] | None = None
        """Done when something has changed that `play` waits for."""
        self._drawn: dict[str, Picture] = {}
        self._status: Status | None = None
        self._attempts = dict.fromkeys(master.open, 1) if log else {}  # asked before the process that asked was gone
        self._show_advance(log)
        for ask in master.open if log else ():
            self._note_asked(ask)

    @classmethod
    async def begin(cls, id: str, game: Game, start: Start, players: dict[str, Player], sink: Sink) -> Episode:
        """Begin an episode: its start and first asks are durable on return."""
        master, events = GameMaster.begin(game, start)
        episode = cls(id, master, [], players, sink)
        await episode._commit_events(events)
        return episode

    @classmethod
    def resume(cls, id: str, game: Game, log: list[Event], players: dict[str, Player], sink: Sink) -> Episode:
        """Continue where a log ends. Raises `RulesChanged` if the present rules would not have written it."""
        episode = cls(id, GameMaster.resume(game, log), log, players, sink)
        for seat, player in players.items():
            player.recall(_own_replies(log, seat))
        return episode

    def __repr__(self) -> str:
        seats = ", ".join(f"{seat}={player}" for seat, player in self.master.start.seats.items())
        state = self.outcome.kind if self.outcome else f"stalled: {self.stalled}" if self.stalled else None
        ask_count = sum(event.kind is Kind.ASK for event in self.log)
        return f"<Episode {self.id} {self.master.start.instance_id} ({seats}): {state or f'in play, {ask_count} asks'}>"

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, None while the episode is in play."""
        return self.master.outcome

    @property
    def stalled(self) -> str | None:
        """The cause if every open ask waits because of a fault, else None."""
        return self._stall_cause(self.faulted)

    def _stall_cause(self, faulted: dict[int, str]) -> str | None:
        if self.master.failure_cause:
            return self.master.failure_cause
        if faulted and self.master.open and all(ask in faulted for ask in self.master.open):
            return next(iter(faulted.values()))
        return None

    def picture(self, asset: str) -> Picture:
        """Return a picture of this episode's instance, drawn once."""
        if asset not in self._drawn:
            self._drawn[asset] = self.master.game.picture(self.master.instance, asset)
        return self._drawn[asset]

    # ------------------------------------------------------------------ playing
    async def play(self, until: Callable[[], bool] | None = None) -> Outcome | None:
        """Let the players answer until the outcome; None when the episode stalls, or when `until` says to stop.

        Once it does, no further player is asked; replies under way are awaited. Cancel `play` to stop at once.
        External players are never asked: `submit` brings their replies.
        """
        try:
            while True:
                if self._order.locked():  # what is being stored must not be acted upon yet
                    async with self._order:
                        pass
                if self.master.outcome or self.stalled or self.failure:
                    break
                enough = until is not None and until()
                if enough and not self._tasks:
                    break
                self._await_releases()
                waiting = [] if enough else self._asks_of_players()
                if waiting and not self._tasks and self._player_of_ask(waiting[0]).instant:
                    await self._take(waiting[0], self._ask_player(waiting[0]))
                    continue
                for ask in waiting:
                    if ask not in self._tasks:
                        self._tasks[ask] = asyncio.create_task(self._ask_player(ask))
                await self._next_reply()
        finally:
            self._drop_tasks()
        if self.failure:
            raise self.failure
        return self.master.outcome

    def _asks_of_players(self) -> list[int]:
        """Return the open asks that wait for players that answer by themselves."""
        return [
            ask
            for ask, waiting in self.master.open.items()
            if ask not in self.faulted
            and ask not in self.master.held_advances
            and waiting.request.seat not in self._external
        ]

    def _player_of_ask(self, ask: int) -> Player:
        """Return the player at the seat of an open ask."""
        return self.players[self.master.open[ask].request.seat]

    async def _ask_player(self, ask: int) -> Reply:
        seat = self.master.open[ask].request.seat
        player = self.players[seat]
        self._attempts[ask] = self._attempts.get(ask, 0) + 1
        started = time.monotonic()
        if self.master.holds_replies:
            self._turns_begun.setdefault(ask, asyncio.get_running_loop().time())
        view = self.views[seat].view(self.picture, player.longest_message, when_read=player.instant)
        if player.omniscient:
            view.instance = self.log[0].data["instance"]
        if player.streams:
            view.show_partial = self.show_reply(seat)
        reply = await player.reply(view)
        meta: Json = {"seconds": round(time.monotonic() - started, 6), **reply.meta}
        before = self._attempts.pop(ask, 1) - 1  # after a reminder the counting begins anew
        if before:
            meta["attempts"] = before + reply.meta.get("attempts", 1)
        return Reply(reply.text, meta)

    async def _next_reply(self) -> None:
        self._changed = asyncio.get_running_loop().create_future()
        waiting: list[asyncio.Future[Any]] = [*self._tasks.values(), *self._releases.values(), self._changed]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for ask, task in list(self._tasks.items()):
            if task.done() and self._tasks.pop(ask, None) is task:  # else its seat changed hands meanwhile
                await self._take(ask, task)
        for ask in [ask for ask in self._tasks if ask not in self.master.open]:
            self._tasks.pop(ask).cancel()
        for ask in [ask for ask, task in self._releases.items() if task.done() or ask not in self.master.held_advances]:
            self._releases.pop(ask).cancel()
            await self._release_reply(ask)

    def _wake_play(self) -> None:
        """Let `play` look again at what it waits for."""
        if self._changed and not self._changed.done():
            self._changed.set_result(None)

    def _await_releases(self) -> None:
        """Start to wait for the time at which each held reply is due; a reply of an earlier process waits anew."""
        for ask in self.master.held_advances:
            if ask not in self._releases:
                now = asyncio.get_running_loop().time()
                due = self._due.setdefault(ask, now + self._holding_seconds(ask))
                self._releases[ask] = asyncio.create_task(asyncio.sleep(due - now))

    def _holding_seconds(self, ask: int) -> float:
        """Return how long a reply is to be held from now on, by what was drawn and how long its player took."""
        start, request = self.master.start, self.master.open[ask].request
        reply = [reply for reply in Log(self.log).replies(request.seat) if reply.ask == ask][-1]
        characters = typed_characters(request.reply, reply.text)
        drawn = human_seconds(start.seed, request.seat, ask, characters, start.turn_seconds)
        begun, taken = self._turns_begun.pop(ask, None), 0.0
        match begun, reply.meta:
            case float(), _:
                taken = asyncio.get_running_loop().time() - begun
            case None, {"seconds": float(seconds)}:  # an earlier process has awaited it
                taken = seconds
        return max(0.0, drawn - taken)

    async def _release_reply(self, ask: int) -> None:
        """Store what follows from a reply that was held, unless the game has ended meanwhile."""
        async with self._order:
            self._due.pop(ask, None)
            if self.failure is None and ask in self.master.held_advances:
                await self._store(self.master.release(ask))

    async def _take(self, ask: int, coming: Awaitable[Reply]) -> None:
        """Pass one reply to the GameMaster, or record the fault."""
        player = self._player_of_ask(ask) if ask in self.master.open else None
        try:
            reply = await coming
        except PlayerFault as fault:
            await self._record_fault(ask, player, fault)
            return
        except asyncio.CancelledError:
            if isinstance(coming, asyncio.Task) and coming.cancelled() and not _is_cancelling():
                return
            raise
        except Exception as error:
            await self._record_fault(ask, player, PlayerFault(f"{type(error).__name__}: {error}"))
            return
        if empty_reply_fault := self._empty_reply_fault(ask, reply):
            await self._record_fault(ask, player, empty_reply_fault)
            return
        async with self._order:
            if self.failure:  # `play` raises it
                return
            if (
                ask not in self.master.open or self._player_of_ask(ask) is player
            ):  # else its seat was handed over meanwhile
                await self._store(self.master.reply(ask, reply.text, reply.meta))

    def _empty_reply_fault(self, ask: int, reply: Reply) -> PlayerFault | None:
        """Return the fault that a reply without text stands for if a limit or a filter has emptied it, else None."""
        kind = None if reply.text.strip() else finish_kind(reply.meta)
        if kind is None or self.master.start.on_empty != OnEmpty.FAULT or ask not in self.master.open:
            return None
        address = Log(self.log).players[self.master.open[ask].request.seat]
        reason = reply.meta.get(MetaKey.ERROR) or EMPTY_REASONS[kind]
        # faults are shown to seats as well: what a model thought is not for them
        meta = {name: value for name, value in reply.meta.items() if name not in THOUGHT_KEYS}
        return PlayerFault(f"{address} sent no text: {reason}", FaultCode.EMPTY_REPLY, meta)

    async def _record_fault(self, ask: int, player: Player | None, fault: PlayerFault) -> None:
        """Record that a player could not answer, unless its seat was handed over meanwhile.

        If the conversation has become too long for the player, that ends the episode.
        """
        async with self._order:
            if self.failure is None and ask in self.master.open and self._player_of_ask(ask) is player:
                code = None if fault.code is FaultCode.OTHER else str(fault.code)
                events = self.master.fault(ask, str(fault), code, fault.meta)
                if fault.code is FaultCode.PROMPT_TOO_LONG and self._ends_on_context:
                    seat = self.master.open[ask].request.seat
                    await self._store([*events, *self.master.end(Aborted(CONTEXT_CAUSE, seat))])
                else:
                    await self._store(events, faulted={**self.faulted, ask: str(fault)}, is_ahead=False)

    @property
    def _ends_on_context(self) -> bool:
        """Whether the episode ends when a conversation is too long: with people another player can take the seat."""
        start = self.master.start
        return start.on_context == OnContext.ABORTED and not any(map(is_person, start.seats.values()))

    async def submit(self, seat: str, ask: int, text: str, meta: Json | None = None) -> None:
        """Take the reply of an external player; it is stored on return. Do not cancel it while it stores.

        Raises `NotOpen` when the ask is not open at that seat, was answered already, or the seat's player is not
        external; `NotInFormat` or `Ambiguous` when the reply does not have the form asked for: nothing is recorded.
        """
        player, was_open = self.players.get(seat), self._is_open_at(seat, ask)
        if not isinstance(player, ExternalPlayer):
            raise NotOpen(f"ask {ask} is not open at seat {seat}")
        try:
            async with self._order:  # meanwhile another reply to the ask may have been stored, refused or lost
                self._check_usable()
                if self.players[seat] is not player:
                    raise NotOpen(f"ask {ask} went to another player")
                if ask in self._answered or ask in self.master.held_advances:
                    raise NotOpen(f"ask {ask} was answered already")
                if not was_open and not self._is_open_at(seat, ask):
                    raise NotOpen(f"ask {ask} is not open at seat {seat}")
                seconds = round(time.monotonic() - self._asked_at[ask], 6)
                events = self.master.reply(ask, text, {"seconds": seconds, **(meta or {})}, refuse_malformed=True)
                if ask in self.master.held_advances:
                    events += self.master.release(ask)

                def act() -> None:
                    if ask not in self.master.open:
                        self._answered.add(ask)
                    self._attempts.pop(ask, None)
                    del self._asked_at[ask]

                await self._store(events, act)
        finally:
            self._wake_play()

    def _is_open_at(self, seat: str, ask: int) -> bool:
        waiting = self.master.open.get(ask)
        return waiting is not None and waiting.request.seat == seat

    # ------------------------------------------------------------------ what else can happen
    async def retry(self) -> None:
        """Forget faults, so that `play` asks the open asks again. Raises why the episode cannot continue in memory."""
        self._check_usable()
        self.faulted = {}
        self._wake_play()

    async def hand_over(
        self,
        seat: str,
        address: str,
        player: Player,
        write_too: Callable[[], object] | None = None,
        *,
        reason: str | None = None,
        only_if: Callable[[], bool] | None = None,
    ) -> None:
        """Seat another player, who gets the seat's whole conversation; the present player's reply is cancelled.

        `write_too` writes to the store in the same transaction. Without storing nothing changes. Raises `NotOpen`, also
        where `only_if`, asked when everything before is stored, says that the reason is gone.
        """
        try:
            async with self._order:
                self._check_usable()
                _check_condition(only_if)
                events = self.master.hand_over(seat, address, reason)
                open_asks = [ask for ask, waiting in self.master.open.items() if waiting.request.seat == seat]

                def act() -> None:
                    self.players[seat] = player
                    self._external = _external_seats(self.players)
                    for ask in open_asks:
                        if task := self._tasks.pop(ask, None):
                            task.cancel()
                        self._turns_begun.pop(ask, None)  # the new player takes a time of its own
                        self._note_asked(ask)

                faulted = {ask: cause for ask, cause in self.faulted.items() if ask not in open_asks}
                await self._store(events, act, faulted=faulted, is_ahead=False, write_too=write_too)
        finally:
            self._wake_play()

    async def time_out(self, ask: int, cause: str, only_if: Callable[[], bool] | None = None) -> None:
        """Record that the player of an open ask has not replied in time; the reply is not awaited any more.

        The ask is then like that of any player that could not answer. Raises `NotOpen` as `hand_over` does.
        """
        try:
            async with self._order:
                self._check_usable()
                _check_condition(only_if)
                events = self.master.fault(ask, cause, str(FaultCode.TIMED_OUT))

                def act() -> None:
                    if task := self._tasks.pop(ask, None):
                        task.cancel()

                await self._store(events, act, faulted={**self.faulted, ask: cause}, is_ahead=False)
        finally:
            self._wake_play()

    async def end(self, outcome: Outcome, only_if: Callable[[], bool] | None = None) -> None:
        """End the episode from outside (abandoned). Raises `NotOpen` where `only_if` says that the reason is gone."""
        try:
            async with self._order:
                self._check_usable()
                _check_condition(only_if)
                if not self.master.outcome:
                    await self._store(self.master.end(outcome))
        finally:
            self._wake_play()

    async def presence(self, kind: Kind, seat: str | None, write_too: Callable[[], object] | None = None) -> None:
        """Record that a visitor came, left or watches; after the outcome nothing is recorded.

        `write_too` writes to the store in the same transaction.
        """
        assert kind in PRESENCE_KINDS
        async with self._order:
            self._check_usable()
            if not self.master.outcome:
                await self._store([Event(kind, seat, {})], is_ahead=False, write_too=write_too)

    # ------------------------------------------------------------------ writing down
    def _check_usable(self) -> None:
        if self.failure:
            raise self.failure

    async def _commit_events(self, events: list[Event]) -> None:
        async with self._order:
            await self._store(events)

    async def _store(
        self,
        events: list[Event],
        act: Callable[[], None] | None = None,
        *,
        faulted: dict[int, str] | None = None,
        is_ahead: bool = True,
        write_too: Callable[[], object] | None = None,
    ) -> None:
        """Number and stamp events, store them, and only then act and show them.

        `faulted` are the faulted asks afterwards, None for no change. `is_ahead` says that the GameMaster has taken
        these events in: if they cannot be stored, this episode cannot continue in memory.
        """
        at, n = now_ms(), len(self.log)
        for place, event in enumerate(events):  # in place: a second object takes 1 µs each
            event.n, event.time = n + place, at
        if faulted is None:
            faulted = self.faulted
        cause = self._stall_cause(faulted)
        status = Status.OVER if self.outcome else Status.STALLED if cause else Status.OPEN
        try:
            await self._sink.append(
                Advance(self.id, events, status if status is not self._status else None, cause, write_too)
            )
        except BaseException as error:
            if is_ahead or isinstance(error, LostLease):
                self.failure = error if isinstance(error, Exception) else _interruption_error(self.id)
            elif not isinstance(error, Exception):  # cancelled: it may still be stored
                self.failure = _interruption_error(self.id)
            raise
        self.faulted, self._status = faulted, status
        if act:
            act()
        if self._external:
            for event in events:
                if event.kind in (Kind.ASK, Kind.VIOLATION) and event.data["ask"] in self.master.open:
                    self._note_asked(event.data["ask"])
        self._show_advance(events)

    def _note_asked(self, ask: int) -> None:
        """Note when an external player was asked; the ask counts as tried if another player takes the seat."""
        if self.master.open[ask].request.seat in self._external:
            self._asked_at[ask] = time.monotonic()
            self._attempts[ask] = self._attempts.get(ask, 0) + 1

    def _show_advance(self, logged: Sequence[Event]) -> None:
        self.log += logged
        for event in logged:
            if event.seat is None:
                for view in self.views.values():
                    view.apply(event)
            else:
                self.views[event.seat].apply(event)
        for listener in list(self.listeners):
            listener(self, logged)

    def _drop_tasks(self) -> None:
        for task in (*self._tasks.values(), *self._releases.values()):
            task.cancel()
        self._tasks.clear()
        self._releases.clear()


def _own_replies(log: Sequence[Event], seat: str) -> list[Reply]:
    """Return the replies of a seat, those of its present player with their meta."""
    replies: list[Reply] = []
    for event in log:
        if event.seat == seat and event.kind is Kind.SEAT:
            replies = [Reply(earlier.text) for earlier in replies]
        elif event.seat == seat and event.kind is Kind.REPLY and not (reply := ReplyEvent.of(event)).discarded:
            replies.append(Reply(reply.text, reply.meta))
    return replies


def _check_condition(only_if: Callable[[], bool] | None) -> None:
    if only_if is not None and not only_if():
        raise NotOpen("it was answered meanwhile")


def _interruption_error(episode: str) -> StoreError:
    return StoreError(f"episode {episode} was interrupted while it was stored; it is continued from the log")


def _external_seats(players: dict[str, Player]) -> set[str]:
    return {seat for seat, player in players.items() if isinstance(player, ExternalPlayer)}


def _is_cancelling() -> bool:
    task = asyncio.current_task()
    return bool(task and task.cancelling())
