"""One live table: an episode with its seats, played here, followed while another process plays it, or finished.

No HTTP, HTML or rulebook in here. Everything can be rebuilt from the log: a killed server loses nothing, and a
table is dropped from memory when nobody needs it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from engine.core.client_report import META_KEY
from engine.core.events import PRESENCE_KINDS, Ending, Event, Json, Kind, Outcome
from engine.core.game import Game
from engine.core.master import AskNotOpen
from engine.core.player import ExternalPlayer, Player
from engine.core.replies import Violation
from engine.core.start import hides_partner
from engine.play.episode import Episode
from engine.storage.database import DatabaseUnavailable
from engine.storage.episode_row import EpisodeRow
from engine.storage.ids import now_ms
from engine.storage.seat_links import SeatLink
from engine.storage.store import LostLease
from ui.live.context import ServerContext
from ui.live.debriefing import store_scores
from ui.live.facts import log_fact
from ui.live.joining import JoinRequests, JoinState
from ui.live.moves import MoveAnswer, Moves, check_values
from ui.live.offers import PERSON_PROVIDER
from ui.live.pages import TablePages
from ui.live.partial_replies import PartialReplies
from ui.live.pictures import EpisodePictures
from ui.live.presence import Presence
from ui.live.record import EpisodeRecord
from ui.live.refusal import Refusal, make_storage_refusal
from ui.live.turn_clock import TurnClock, TurnLimit
from ui.live.waiting import measure_loading
from ui.live.writing import Writers

if TYPE_CHECKING:
    from ui.live.rematch import Rematch

logger = logging.getLogger("ludens.live")

TABLE_IDLE_SECONDS = 600.0
"""Seconds an open table stays in memory without a page; a finished one stays `FINISHED_IDLE_SECONDS`."""
FINISHED_IDLE_SECONDS = 60.0


class LiveTable:
    """One episode as this server has it. `drop_table` is called with a table whose memory cannot be trusted."""

    def __init__(
        self, context: ServerContext, row: EpisodeRow, game: Game | None, drop_table: Callable[[LiveTable], None]
    ) -> None:
        self._context, self._drop_table = context, drop_table
        self.id, self.row, self.game = row.id, row, game
        self.record = EpisodeRecord(row.seats)
        self.episode: Episode | None = None
        self.blocked_reason: str | None = None
        """Why nobody can play here: other rules, a missing player, another process."""
        self.is_foreign = False
        """Whether this server only reads this episode: another process or a run plays it, or this table was closed."""
        self.is_closed = False
        self.seat_links: dict[str, SeatLink] = context.links.seats(row.id)
        self.has_people = context.links.has_people(row.id)
        self.study: dict[str, Json] = context.study_pages(row.id)
        """What pages of seats say of the study that the episode belongs to, by seat; empty for other episodes."""
        self.hides_partner = hides_partner(row.start)
        """Whether no page of a seat shows who plays the other seats."""
        self.asked_again_at = 0
        """UTC ms of the latest retry or hand-over."""
        self.model_load_progress: float | None = None
        """How much is loaded of the model that the game waits for, as pages show it."""
        self.pictures = EpisodePictures(context, row.id, game, row.start["instance"])
        self.pages = TablePages(self, context)
        self.join_requests = JoinRequests()
        self.writers = Writers(self.pages.update_pages)
        self.partial_replies = PartialReplies(self.pages.update_spectators)
        self.rematch: Rematch | None = None
        """The rematch that somebody has asked for after this game."""
        turn_limit = TurnLimit.from_start_event(row.start)
        stored_clocks = context.turn_clocks.read_remaining_ms(row.id) if turn_limit else {}
        self.drafting_seats = set(row.seats)
        """Seats for which a draft may be stored: any, as far as this process knows, until the first move."""
        self.clock = TurnClock(turn_limit, stored_clocks, waits_for_arrival=not self.study) if turn_limit else None
        """How long replies may take here; None where they may take as long as they want."""
        self.presence = Presence(
            self.pages.has_viewer, self.pages.has_page, self._record_presence, context.run_in_background
        )
        self.watching_lock = asyncio.Lock()
        """Held while it is recorded that a browser watches."""
        self._moves = Moves(context)
        self._play_task: asyncio.Task[None] | None = None
        self.record_last_use()

    # ------------------------------------------------------------------ state
    @property
    def start(self) -> Json:
        """The data of the start event."""
        return self.row.start

    @cached_property
    def goals(self) -> dict[str, str]:
        """What the page of each seat keeps in sight, as its first prompt names it."""
        if self.game is None:
            return {}
        try:
            instance = self.game.load(self.start["instance"])
        except ValueError:  # of other rules
            return {}
        goals = {seat: self.game.goal(self.row.variant, instance, seat) for seat in self.row.seats}
        return {seat: goal_text for seat, goal_text in goals.items() if goal_text}

    def show_writing(self, seat: str) -> None:
        """Show the other person of a pair for a moment that somebody is writing; participants of studies never."""
        if len(self.row.seats) == 2 and not self.study:
            self.writers.record_typing(seat)

    @property
    def is_over(self) -> bool:
        """Whether there is an outcome."""
        return self.record.transcript.outcome is not None

    @property
    def stalled_cause(self) -> str | None:
        """Why the game waits, as spectators and the owner may know it."""
        return self.blocked_reason or self.record.transcript.stall_cause

    @property
    def status(self) -> str:
        """Return "open", "over" or "stalled"."""
        return "over" if self.is_over else "stalled" if self.stalled_cause else "open"

    def player(self, seat: str) -> str:
        """Return the address of the player at a seat now."""
        player_addresses: list[str] = self.record.transcript.players.get(seat) or [self.row.seats[seat]]
        return player_addresses[-1]

    def list_free_seats(self) -> list[SeatLink]:
        """Return the seats for people that nobody has come to, as long as somebody is at the table."""
        if self.status != "open" or not self.pages.has_listeners:
            return []
        return [link for link in self.seat_links.values() if not self._context.links.is_seat_taken(link.seat_id)]

    def list_silent_seats(self) -> list[str]:
        """Return the seats whose players could not answer their open asks."""
        if self.episode is None:
            return []
        open_asks = self.episode.master.open
        return sorted(
            {
                open_asks[request_number].request.seat
                for request_number in self.episode.fault_causes
                if request_number in open_asks
            }
        )

    def is_silent(self, seat: str) -> bool:
        """Return whether a seat's player could not answer its open ask."""
        return seat in self.list_silent_seats()

    def record_last_use(self) -> None:
        """Note that somebody has just used this table."""
        self._last_used_at = asyncio.get_running_loop().time()

    def is_idle(self) -> bool:
        """Return whether nothing is lost by dropping this table from memory."""
        if (
            self.pages.has_listeners
            or any(self.join_requests)
            or (self.clock and self.episode and self.clock.is_running)
        ):
            return False
        unused_seconds = asyncio.get_running_loop().time() - self._last_used_at
        if self.is_over or self.episode is None:
            return unused_seconds > FINISHED_IDLE_SECONDS
        asked_seats = [open_ask.request.seat for open_ask in self.episode.master.open.values()]
        has_only_people = all(isinstance(self.episode.players[seat], ExternalPlayer) for seat in asked_seats)
        return unused_seconds > TABLE_IDLE_SECONDS and (has_only_people or bool(self.episode.stall_cause))

    # ------------------------------------------------------------------ events
    def adopt_episode(self, episode: Episode) -> None:
        """Play this episode here."""
        self.episode, self.is_foreign, self.blocked_reason = episode, False, None
        self.record.follow_episode(episode)
        self._apply_events(episode.log)
        self._update_clock(episode, episode.log)
        episode.show_reply = self._show_reply
        episode.listeners.append(self._on_advance)
        for seat in self.row.seats:
            if self.presence.is_present(seat) and self.player(seat) == PERSON_PROVIDER:
                self.presence.update_seat(seat)

    def append_events(self, events: Sequence[Event]) -> None:
        """Add events read from the log."""
        self.record.append_events(events)
        self._apply_events(events)
        self.pages.update_pages()

    def _show_reply(self, seat: str) -> Callable[[str], None] | None:
        """Return what shows spectators a seat's reply while it is generated; None where nobody may see it, or watches.

        Where partners are hidden, and in studies, nobody sees more of a game than its log has.
        """
        if self.hides_partner or self.study or not self.pages.has_spectators:
            return None
        return self.partial_replies.begin_reply(seat)

    def _on_advance(self, episode: Episode, events: Sequence[Event]) -> None:
        self.record.fold_events(events)
        self._apply_events(events)
        self._update_clock(episode, events)
        self._context.observer.record_events(events)
        self.partial_replies.apply_events(events)
        for event in events:
            if event.kind is Kind.SEAT and event.seat:
                self._handle_replacement(event.seat, event.data["player"])
            if event.kind is Kind.FAULT and event.seat:  # a seat's page cannot say more than that it waits
                player = self.player(event.seat)
                logger.warning("game %s: seat %s (%s): %s", self.id, event.seat, player, event.data["cause"])
        if events[-1].kind is Kind.OUTCOME:
            self.join_requests.answer_requests(JoinState.OVER)
            log_fact("game ended", episode=self.id, game=self.row.game, ending=events[-1].data["kind"])
            self._context.run_in_background(store_scores(self._context, self.id, list(self.record.log)))
        self.pages.update_pages()

    def _apply_events(self, events: Sequence[Event]) -> None:
        for event in events:
            if event.kind in PRESENCE_KINDS or event.kind is Kind.SEAT:
                self.presence.apply_event(event)
            else:
                self._moves.apply_event(event)

    def _update_clock(self, episode: Episode, events: Sequence[Event]) -> None:
        if self.clock:
            self.clock.apply_events(events)
            self.clock.update_turns(episode, {seat: self.player(seat) for seat in self.row.seats})

    def extend_turn(self, seat: str, request_number: int) -> None:
        """Give the person at a seat more time for the open ask, once, who says to be still there."""
        if self.clock and self.clock.extend_turn(seat, request_number):
            self.pages.update_pages()

    def _handle_replacement(self, seat: str, player_address: str) -> None:
        """Close the pages of a seat that another player has taken; those of spectators at the first person."""
        self.pages.disconnect_seat(seat)
        self.join_requests.answer_requests(JoinState.REPLACED, seat)
        if player_address == PERSON_PROVIDER and not self.has_people:
            self.pages.disconnect_spectators()
        links = self._context.links
        self.seat_links, self.has_people = links.seats(self.id), links.has_people(self.id)
        self.asked_again_at = now_ms()

    # ------------------------------------------------------------------ playing
    def start_playing(self) -> None:
        """Let the players play, unless they do already."""
        if self.episode and not self.is_over and (self._play_task is None or self._play_task.done()):
            self._play_task = asyncio.create_task(self._play_episode(self.episode))

    async def _play_episode(self, episode: Episode) -> None:
        try:
            await episode.play()
        except (LostLease, DatabaseUnavailable) as error:
            logger.warning("episode %s stopped: %s; it continues from the log", self.id, error)
            self._drop_table(self)
        except Exception:
            logger.exception("episode %s stopped; it continues from the log", self.id)
            self._drop_table(self)
        else:
            self.pages.update_pages()

    async def submit_move(
        self, seat: str, request_number: int, move_id: str, raw_values: object, client_report: Json | None = None
    ) -> MoveAnswer:
        """Take a person's move; the same move id gets the same answer, also after a restart.

        `client_report` is what the browser reports, as `read_report` returns it; it is stored with the reply.
        Raises `Refusal` (503) when it is not known now whether the move counts: the page tries again.
        """
        self.record_last_use()
        return await self._moves.answer(
            seat, move_id, partial(self._submit_reply, seat, request_number, move_id, raw_values, client_report)
        )

    async def repeat_answer(self, move_id: str) -> MoveAnswer | None:
        """Return the answer to a person's move that came before; None if none came. Raises `Refusal` (503)."""
        return await self._moves.repeat_answer(move_id)

    async def _submit_reply(
        self, seat: str, request_number: int, move_id: str, raw_values: object, client_report: Json | None
    ) -> None:
        """Compose the reply and give it to the GameMaster; it is stored on return. Raises `Refusal`."""
        form_values = check_values(raw_values)
        if self.is_over:
            raise Refusal(409, "no longer asked", "The game is over.")
        episode = self._require_episode()
        open_ask = self.record.conversations[seat].open_ask
        if open_ask is None or open_ask.id != request_number:
            raise Refusal(409, "no longer asked", "This was answered already, or something else is asked by now.")
        if episode.master.failure_cause:
            raise Refusal(503, "the game waits", self.record.conversations[seat].stall_cause)
        self.start_playing()
        try:
            reply_text = open_ask.format.compose_reply(form_values)
        except Violation as violation:
            raise Refusal(422, "That does not fit what is asked", str(violation)) from None
        try:
            reply_meta = {"move": move_id} | ({META_KEY: client_report} if client_report else {})
            await self._store_change(episode, episode.submit(seat, request_number, reply_text, reply_meta))
        except Violation as violation:
            raise Refusal(422, "That does not fit what is asked", str(violation)) from None
        except AskNotOpen as error:
            current_ask = self.record.conversations[seat].open_ask
            if current_ask is not None and current_ask.id == request_number:
                # another reply to it was taken, but is not stored
                raise Refusal(503, "the game is not ready for this reply", str(error)) from None
            raise Refusal(409, "no longer asked", "This was answered already.") from None
        self.writers.stop_typing(seat)
        if seat in self.drafting_seats:
            self.drafting_seats.remove(seat)
            self._context.run_write_later(
                self._context.links.delete_draft, self.seat_links[seat].seat_id, request_number
            )

    async def retry_players(self) -> None:
        """Ask the players again that could not answer."""
        episode = self._require_episode()
        await self._await_change(episode, episode.retry())
        self.asked_again_at = now_ms()
        self.record.transcript.faults.clear()
        self.start_playing()
        self.pages.update_pages()

    async def time_out_program(self, request_number: int, cause: str, may_proceed: Callable[[], bool]) -> None:
        """Record that a program has not replied in time. Raises `Refusal`, `AskNotOpen` where `may_proceed` says no."""
        episode = self._require_episode()
        await self._await_change(episode, episode.time_out(request_number, cause, may_proceed))

    async def hand_over_seat(
        self,
        seat: str,
        player_address: str,
        player: Player,
        extra_write_callback: Callable[[], object] | None = None,
        *,
        reason: str | None = None,
        may_proceed: Callable[[], bool] | None = None,
    ) -> None:
        """Seat another player, who gets the seat's whole conversation. `extra_write_callback` writes in the same
        transaction.

        `reason` is stored where nobody asked for it; `may_proceed` is asked when everything before is stored. Raises
        `Refusal`; then nothing has changed.
        """
        episode = self._require_episode()
        game_change = episode.hand_over_seat(
            seat, player_address, player, extra_write_callback, reason=reason, is_reason_still_valid=may_proceed
        )
        try:
            await self._await_change(episode, game_change)
        except AskNotOpen as error:
            raise Refusal(409, "the game is over", str(error)) from None
        self.start_playing()

    async def end_game(
        self, reason: str, seat: str | None = None, *, may_proceed: Callable[[], bool] | None = None
    ) -> None:
        """End the game as abandoned. Raises `Refusal`; the same request again is granted once it is stored.

        Raises `AskNotOpen` where `may_proceed`, asked when everything before is stored, says no.
        """
        outcome = Outcome(Ending.ABANDONED, reason, seat)
        if self.record.transcript.outcome != outcome.as_json():
            episode = self._require_episode()
            await self._await_change(episode, episode.end(outcome, may_proceed))

    async def _await_change(self, episode: Episode, game_change: Awaitable[None]) -> None:
        """Await a change as `_store_change` does. A browser that disconnects does not interrupt it."""
        await asyncio.shield(self._context.start_task(self._store_change(episode, game_change)))

    async def _store_change(self, episode: Episode, game_change: Awaitable[None]) -> None:
        """Await a change of the episode, which is stored on return; do not cancel it.

        Raises `Refusal` (503) where it is not stored. If the episode is ahead of the log then, this table is dropped.
        """
        try:
            await game_change
        except (Violation, AskNotOpen):
            raise
        except Exception as error:
            logger.warning("episode %s: a change could not be stored: %s: %s", self.id, type(error).__name__, error)
            if episode.storage_failure:
                self._drop_table(self)
            raise make_storage_refusal(error) from error

    def _require_episode(self) -> Episode:
        """Return the episode in play; raise `Refusal` where it is over or cannot be played here."""
        if self.is_over:
            raise Refusal(409, "the game is over")
        if self.episode is None:
            raise Refusal(503 if self.is_foreign else 409, "the game waits", self.blocked_reason)
        return self.episode

    def update_loaded_share(self) -> None:
        """Tell pages how much of a model is loaded, where that has changed."""
        model_load_progress = None
        if self.episode and not self.is_over:
            asked_seats = {open_ask.request.seat for open_ask in self.episode.master.open.values()}
            model_load_progress = measure_loading(self.episode.players[seat] for seat in asked_seats)
        if model_load_progress != self.model_load_progress:
            self.model_load_progress = model_load_progress
            self.pages.update_pages()

    # ------------------------------------------------------------------ presence
    def update_presence(self, seat: str) -> None:
        """Check again who is at a seat: somebody opened, closed, or turned to or away from a page."""
        self.record_last_use()
        if not self.is_closed:
            self.presence.update_seat(seat)

    async def record_seat_event_once(
        self, mark_kind: Kind, seat: str, extra_write_callback: Callable[[], bool] = lambda: True
    ) -> bool:
        """Store once that a seat's person had seen the instance before, or plays both seats.

        `extra_write_callback` writes in the same transaction; return what it returns. Raises `Refusal` where the game
        is over or not played here.
        """
        stored_flags: list[bool] = []
        episode = self._require_episode()
        if any(event.kind is mark_kind and event.seat == seat for event in self.record.log):
            return await self._context.write(extra_write_callback)
        await self._await_change(
            episode, episode.record_presence(mark_kind, seat, lambda: stored_flags.append(extra_write_callback()))
        )
        if not stored_flags:
            raise Refusal(409, "the game is over")
        return stored_flags[0]

    async def record_watching(self, extra_write_callback: Callable[[], object]) -> None:
        """Record that the spectator view was opened, with `extra_write_callback` in one step. Raises `Refusal`."""
        await self._record_presence(Kind.WATCHED, None, extra_write_callback)

    async def _record_presence(
        self, event_kind: Kind, seat: str | None, extra_write_callback: Callable[[], object] | None = None
    ) -> None:
        """Store who came, left or watches; of a game that is over or not played here only `extra_write_callback`."""
        if self.episode and not self.is_over and not self.is_closed:
            await self._await_change(self.episode, self.episode.record_presence(event_kind, seat, extra_write_callback))
        elif extra_write_callback:
            await self._context.write(extra_write_callback)
        self.pages.update_pages()

    # ------------------------------------------------------------------ the end
    async def close(self, close_code: int) -> None:
        """Stop playing here and close all pages; nothing is lost. The table is of no use afterwards."""
        self.is_closed = self.is_foreign = True
        remaining_ms = self.clock.measure_remaining_ms() if self.clock else {}
        episode, self.episode = self.episode, None
        self.presence.close()
        self.writers.stop_timers()
        self.partial_replies.stop_timer()
        self.pages.close(close_code)
        self.join_requests.close(close_code)
        if self._play_task and not self._play_task.done() and self._play_task is not asyncio.current_task():
            self._play_task.cancel()
            await asyncio.gather(self._play_task, return_exceptions=True)
        if episode and not self.is_over:
            if remaining_ms:
                await self._context.write(self._context.turn_clocks.store_remaining_ms, {self.id: remaining_ms})
            await self._context.write(self._context.writer.release_lease, self.id)
