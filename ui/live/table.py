"""One live table: an episode with its seats, played here, followed while another process plays it, or finished.

No web framework, page or rulebook in here. Everything can be rebuilt from the log: a killed server loses nothing, and a
table is dropped from memory when nobody needs it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial

from engine.core.events import PRESENCE, Ending, Event, Json, Kind, Outcome
from engine.core.game import Game
from engine.core.master import NotOpen
from engine.core.player import ExternalPlayer, Player
from engine.core.replies import Violation
from engine.play.episode import Episode
from engine.storage.episode_row import EpisodeRow
from engine.storage.ids import now_ms
from engine.storage.seat_links import SeatLink
from engine.storage.store import LostLease
from ui.live.context import ServerContext
from ui.live.debriefing import store_scores
from ui.live.moves import MoveAnswer, Moves, check_values
from ui.live.offers import PERSON
from ui.live.pages import TablePages
from ui.live.pictures import TablePictures
from ui.live.presence import Presence
from ui.live.record import EpisodeRecord
from ui.live.refusal import Refusal
from ui.live.waiting import loading_share

log = logging.getLogger("ludens.live")

IDLE = 600.0
"""Seconds an open table stays in memory without a page; a finished one stays `IDLE_OVER`."""
IDLE_OVER = 60.0


class LiveTable:
    """One episode as this server has it. `drop` is called with a table whose memory cannot be trusted any more."""

    def __init__(
        self, context: ServerContext, row: EpisodeRow, game: Game | None, drop: Callable[[LiveTable], None]
    ) -> None:
        self._context, self._drop = context, drop
        self.id, self.row, self.game = row.id, row, game
        self.record = EpisodeRecord(row.seats)
        self.episode: Episode | None = None
        self.blocked: str | None = None
        """Why nobody can play here: other rules, a missing player, another process."""
        self.is_foreign = False
        """Whether another process plays this episode."""
        self.is_closed = False
        self.seat_links: dict[str, SeatLink] = context.links.seats(row.id)
        self.has_people = context.links.has_people(row.id)
        self.asked_again_at = 0
        """UTC ms of the latest retry or hand-over."""
        self.loading: float | None = None
        """How much is loaded of the model that the game waits for, as pages show it."""
        self.pictures = TablePictures(context, row.id, game, row.start["instance"])
        self.pages = TablePages(self, context)
        self.presence = Presence(self.pages.has_viewer, self._record_presence)
        self._moves = Moves(context)
        self._playing: asyncio.Task[None] | None = None
        self.touch()

    # ------------------------------------------------------------------ state
    @property
    def start(self) -> Json:
        """The data of the start event."""
        return self.row.start

    @property
    def is_over(self) -> bool:
        """Whether there is an outcome."""
        return self.record.transcript.outcome is not None

    @property
    def stalled(self) -> str | None:
        """Why the game waits, as spectators and the owner may know it."""
        return self.blocked or self.record.transcript.stalled

    @property
    def status(self) -> str:
        """Return "open", "over" or "stalled"."""
        return "over" if self.is_over else "stalled" if self.stalled else "open"

    def player(self, seat: str) -> str:
        """Return the address of the player at a seat now."""
        addresses: list[str] = self.record.transcript.players.get(seat) or [self.row.seats[seat]]
        return addresses[-1]

    def silent_seats(self) -> list[str]:
        """Return the seats whose players could not answer what is open."""
        if self.episode is None:
            return []
        open_asks = self.episode.master.open
        return sorted({open_asks[ask].request.seat for ask in self.episode.faulted if ask in open_asks})

    def touch(self) -> None:
        """Note that somebody has just used this table."""
        self._last_used = asyncio.get_running_loop().time()

    def is_idle(self) -> bool:
        """Return whether nothing is lost by dropping this table from memory."""
        if self.pages.has_listeners:
            return False
        unused = asyncio.get_running_loop().time() - self._last_used
        if self.is_over or self.episode is None:
            return unused > IDLE_OVER
        seats = [ask.request.seat for ask in self.episode.master.open.values()]
        only_people = all(isinstance(self.episode.players[seat], ExternalPlayer) for seat in seats)
        return unused > IDLE and (only_people or bool(self.episode.stalled))

    # ------------------------------------------------------------------ events
    def adopt(self, episode: Episode) -> None:
        """Play this episode here."""
        self.episode, self.is_foreign, self.blocked = episode, False, None
        self.record.share(episode)
        self._apply(episode.log)
        episode.listeners.append(self._on_advance)
        for seat in self.row.seats:
            if self.presence.is_present(seat) and self.player(seat) == PERSON:
                self.presence.update(seat)

    def append(self, events: Sequence[Event]) -> None:
        """Add events that another process wrote."""
        self.record.append(events)
        self._apply(events)
        self.pages.update()

    def _on_advance(self, _: Episode, events: Sequence[Event]) -> None:
        self.record.fold(events)
        self._apply(events)
        for event in events:
            if event.kind is Kind.FAULT and event.seat:  # a seat's page cannot say more than that it waits
                player = self.player(event.seat)
                log.warning("game %s: seat %s (%s): %s", self.id, event.seat, player, event.data["cause"])
        if events[-1].kind is Kind.OUTCOME:
            self._context.run_in_background(store_scores(self._context, self.id, list(self.record.log)))
        self.pages.update()

    def _apply(self, events: Sequence[Event]) -> None:
        for event in events:
            if event.kind in PRESENCE:
                self.presence.apply(event)
            else:
                self._moves.apply(event)

    # ------------------------------------------------------------------ playing
    def play(self) -> None:
        """Let the players play, unless they do already."""
        if self.episode and not self.is_over and (self._playing is None or self._playing.done()):
            self._playing = asyncio.create_task(self._play(self.episode))

    async def _play(self, episode: Episode) -> None:
        try:
            await episode.play()
        except LostLease as error:
            log.warning("%s", error)
            self._drop(self)
        except Exception:
            log.exception("episode %s stopped; it continues from the log", self.id)
            self._drop(self)
        else:
            self.pages.update()

    async def submit(self, seat: str, ask: int, move: str, values: object) -> MoveAnswer:
        """Take a person's move; the same move id gets the same answer, also after a restart.

        Raises `Refusal` (503) when it is not known now whether the move counts: the page tries again.
        """
        self.touch()
        return await self._moves.answer(seat, move, partial(self._submit, seat, ask, move, values))

    async def _submit(self, seat: str, ask: int, move: str, values: object) -> None:
        """Compose the reply and give it to the GameMaster; it is stored on return. Raises `Refusal`."""
        fields = check_values(values)
        if self.is_over:
            raise Refusal(409, "no longer asked", "The game is over.")
        episode = self._require_episode()
        open_ask = self.record.conversations[seat].ask
        if open_ask is None or open_ask.id != ask:
            raise Refusal(409, "no longer asked", "This was answered already, or something else is asked by now.")
        if episode.master.broken:
            raise Refusal(503, "the game waits", self.record.conversations[seat].stalled)
        self.play()
        try:
            text = open_ask.format.compose(fields)
        except Violation as violation:
            raise Refusal(422, "That does not fit what is asked", str(violation)) from None
        try:
            await episode.submit(seat, ask, text, {"move": move})
        except Violation as violation:
            raise Refusal(422, "That does not fit what is asked", str(violation)) from None
        except NotOpen as error:
            open_now = self.record.conversations[seat].ask
            if open_now is not None and open_now.id == ask:  # another reply to it was taken, but is not stored
                raise Refusal(503, "the game is not ready for this reply", str(error)) from None
            raise Refusal(409, "no longer asked", "This was answered already.") from None
        except Exception as error:
            log.exception("episode %s: a reply could not be stored", self.id)
            raise Refusal(503, "the reply could not be stored", str(error)) from error
        self._context.write_later(self._context.links.delete_draft, self.seat_links[seat].seat_id, ask)

    async def retry(self) -> None:
        """Ask the players again that could not answer."""
        episode = self._require_episode()
        self.asked_again_at = now_ms()
        self.record.transcript.stalled = None
        await episode.retry()
        self.play()
        self.pages.update()

    async def hand_over(self, seat: str, address: str, player: Player) -> None:
        """Seat another player, who gets the seat's whole conversation."""
        episode = self._require_episode()
        self.pages.disconnect_seat(seat)
        if address == PERSON and not self.has_people:
            self.pages.disconnect_spectators()
        self.presence.forget(seat)
        self.asked_again_at = now_ms()
        await episode.hand_over(seat, address, player)
        self.play()

    async def end(self, reason: str, seat: str | None = None) -> None:
        """End the game as abandoned."""
        await self._require_episode().end(Outcome(Ending.ABANDONED, reason, seat))

    def _require_episode(self) -> Episode:
        """Return the episode in play; raise `Refusal` where it is over or cannot be played here."""
        if self.is_over:
            raise Refusal(409, "the game is over")
        if self.episode is None:
            raise Refusal(503 if self.is_foreign else 409, "the game waits", self.blocked)
        return self.episode

    def update_loading(self) -> None:
        """Tell pages how much of a model is loaded, where that has changed."""
        loading = None
        if self.episode and not self.is_over:
            seats = {ask.request.seat for ask in self.episode.master.open.values()}
            loading = loading_share(self.episode.players[seat] for seat in seats)
        if loading != self.loading:
            self.loading = loading
            self.pages.update()

    # ------------------------------------------------------------------ presence
    def update_presence(self, seat: str) -> None:
        """Look again who is at a seat: somebody opened, closed, or turned to or away from a page."""
        self.touch()
        if not self.is_closed:
            self.presence.update(seat)

    def record_watching(self) -> None:
        """Record that the spectator view of a table with people was opened."""
        if self.has_people:
            self._record_presence(Kind.WATCHED, None)

    def _record_presence(self, kind: Kind, seat: str | None) -> None:
        if self.episode and not self.is_over and not self.is_closed:
            self._context.run_in_background(self.episode.presence(kind, seat))
        self.pages.update()

    # ------------------------------------------------------------------ the end
    async def close(self, code: int) -> None:
        """Stop playing here and close all pages; nothing is lost. The table is of no use afterwards."""
        self.is_closed = self.is_foreign = True
        episode, self.episode = self.episode, None
        self.presence.close()
        self.pages.close(code)
        if self._playing and not self._playing.done() and self._playing is not asyncio.current_task():
            self._playing.cancel()
            await asyncio.gather(self._playing, return_exceptions=True)
        if episode and not self.is_over:
            await self._context.write(self._context.writer.release_lease, self.id)
