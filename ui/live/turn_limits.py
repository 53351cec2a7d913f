"""What a server does when a reply has not come in time: a program takes the seat, or the game ends.

A program that is silent is asked again once; then the same happens as with a person.
"""

from __future__ import annotations

import asyncio
import logging

from engine.core.event_views import FaultEvent
from engine.core.events import Kind
from engine.core.master import AskNotOpen
from engine.storage.turn_clocks import TurnClocks
from ui.live.context import ServerContext
from ui.live.facts import log_fact
from ui.live.refusal import Refusal
from ui.live.table import LiveTable
from ui.live.tables import Tables
from ui.live.turn_clock import NO_REPLY_REASON, TimedTurn

logger = logging.getLogger("ludens.live")

TURN_CHECK_INTERVAL_SECONDS = 0.5
STORE_INTERVAL_SECONDS = 3.0
"""Seconds between two times that what is left is stored: a crash gives people so much back at most."""
CLEANUP_INTERVAL_SECONDS = 600.0
MAX_REPLY_ATTEMPTS = 2
"""How often a program is asked before its seat counts as silent."""


class TurnLimits:
    """Watches the turn clocks of all tables of one server."""

    def __init__(self, context: ServerContext, tables: Tables) -> None:
        self._context, self._tables = context, tables
        self._turn_clocks: TurnClocks = context.turn_clocks
        self._stored_at = 0.0

    def start(self) -> None:
        """Begin to watch. Clocks of tables that nobody has opened since the server started run, too."""
        self._context.run_every(TURN_CHECK_INTERVAL_SECONDS, self._check_turns)
        self._context.run_every(CLEANUP_INTERVAL_SECONDS, self._remove_finished_clocks)

    async def _check_turns(self) -> None:
        for table in list(self._tables.table_by_episode.values()):
            if table.clock and table.episode and not table.is_over:
                if table.model_load_progress is not None:
                    table.clock.restart_programs()
                for turn in table.clock.list_overdue_turns(table.episode.fault_causes):
                    await self._handle_overdue_turn(table, turn)
        if asyncio.get_running_loop().time() - self._stored_at > STORE_INTERVAL_SECONDS:
            self._stored_at = asyncio.get_running_loop().time()
            await self._store_clocks()

    async def _remove_finished_clocks(self) -> None:
        await self._context.write(self._turn_clocks.remove_finished)

    async def _store_clocks(self) -> None:
        """Store what is left at all tables, and load those whose clocks stand still because nobody has opened them."""
        remaining_ms = {
            table.id: table.clock.measure_remaining_ms()
            for table in self._tables.table_by_episode.values()
            if table.clock and table.clock.limit.seconds is not None and table.episode and not table.is_over
        }
        if remaining_ms:
            await self._context.write(self._turn_clocks.store_remaining_ms, remaining_ms)
        for episode in self._turn_clocks.open_episodes():
            if episode not in self._tables.table_by_episode:
                await self._tables.get_table(episode)

    async def _handle_overdue_turn(self, table: LiveTable, turn: TimedTurn) -> None:
        assert table.clock
        try:
            if turn.is_person or await self._has_used_all_tries(table, turn):
                await self._replace_player(table, turn)
        except AskNotOpen:
            pass  # the reply came while this was being stored
        except Refusal as refusal:
            logger.warning("episode %s: seat %s is still awaited: %s", table.id, turn.seat, refusal)

    async def _has_used_all_tries(self, table: LiveTable, turn: TimedTurn) -> bool:
        """Record that a program is silent, and ask it again unless that was done; return whether it was."""
        assert table.clock and table.episode
        turn_clock = table.clock
        if turn.request_number not in table.episode.fault_causes:
            seconds_text = f"{turn_clock.limit.model_seconds:g}"
            await table.time_out_program(
                turn.request_number, f"no answer within {seconds_text} s", lambda: turn_clock.is_overdue(turn)
            )
        failure_count = 0
        for event in table.record.log:
            if event.seat == turn.seat and event.kind is Kind.SEAT:
                failure_count = 0
            elif event.kind is Kind.FAULT and FaultEvent.from_event(event).ask == turn.request_number:
                failure_count += 1
        if failure_count < MAX_REPLY_ATTEMPTS:
            await table.retry_players()
            return False
        return True

    async def _replace_player(self, table: LiveTable, turn: TimedTurn) -> None:
        assert table.clock
        turn_clock, seat = table.clock, turn.seat

        def is_still_silent() -> bool:
            return turn_clock.is_overdue(turn) if turn.is_person else table.is_silent(seat)

        program_address = turn_clock.limit.program if turn_clock.limit.rule == "program" else None
        if program_address is None or table.player(seat) == program_address:
            await table.end_game(NO_REPLY_REASON, seat, may_proceed=is_still_silent)
        else:
            await self._tables.assign_program_to_seat(
                table, seat, program_address, NO_REPLY_REASON, may_proceed=is_still_silent
            )
        log_fact("turn over", episode=table.id, game=table.row.game, rule=turn_clock.limit.rule)
