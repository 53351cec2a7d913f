"""What a server does when a reply has not come in time: a program takes the seat, or the game ends.

A program that is silent is asked again once; then the same happens as with a person.
"""

from __future__ import annotations

import asyncio
import logging

from engine.core.event_views import FaultEvent
from engine.core.events import Kind
from engine.core.master import NotOpen
from engine.storage.turn_clocks import TurnClocks
from ui.live.context import ServerContext
from ui.live.facts import log_fact
from ui.live.refusal import Refusal
from ui.live.table import LiveTable
from ui.live.tables import Tables
from ui.live.turn_clock import NO_REPLY, TimedTurn

log = logging.getLogger("ludens.live")

TICK_SECONDS = 0.5
STORE_SECONDS = 3.0
"""Seconds between two times that what is left is stored: a crash gives people so much back at most."""
TIDY_SECONDS = 600.0
MAX_TRIES = 2
"""How often a program is asked before its seat counts as silent."""


class TurnLimits:
    """Watches the turn clocks of all tables of one server."""

    def __init__(self, context: ServerContext, tables: Tables) -> None:
        self._context, self._tables = context, tables
        self._turn_clocks: TurnClocks = context.turn_clocks
        self._stored_at = 0.0

    def start(self) -> None:
        """Begin to watch. Clocks of tables that nobody has opened since the server started run, too."""
        self._context.run_every(TICK_SECONDS, self._tick_regularly)
        self._context.run_every(TIDY_SECONDS, self._tidy_regularly)

    async def _tick_regularly(self) -> None:
        for table in list(self._tables.live.values()):
            if table.clock and table.episode and not table.is_over:
                if table.loaded_share is not None:
                    table.clock.restart_programs()
                for turn in table.clock.overdue_turns(table.episode.fault_causes):
                    await self._give_up(table, turn)
        if asyncio.get_running_loop().time() - self._stored_at > STORE_SECONDS:
            self._stored_at = asyncio.get_running_loop().time()
            await self._store_clocks()

    async def _tidy_regularly(self) -> None:
        await self._context.write(self._turn_clocks.remove_finished)

    async def _store_clocks(self) -> None:
        """Store what is left at all tables, and load those whose clocks stand still because nobody has opened them."""
        remaining_ms = {
            table.id: table.clock.remaining_ms()
            for table in self._tables.live.values()
            if table.clock and table.clock.limit.seconds is not None and table.episode and not table.is_over
        }
        if remaining_ms:
            await self._context.write(self._turn_clocks.store_remaining, remaining_ms)
        for episode in self._turn_clocks.open_episodes():
            if episode not in self._tables.live:
                await self._tables.get(episode)

    async def _give_up(self, table: LiveTable, turn: TimedTurn) -> None:
        assert table.clock
        try:
            if turn.is_person or await self._has_tried_enough(table, turn):
                await self._replace_player(table, turn)
        except NotOpen:
            pass  # the reply came while this was being stored
        except Refusal as refusal:
            log.warning("episode %s: seat %s is still awaited: %s", table.id, turn.seat, refusal)

    async def _has_tried_enough(self, table: LiveTable, turn: TimedTurn) -> bool:
        """Record that a program is silent, and ask it again unless that was done; return whether it was."""
        assert table.clock and table.episode
        clock = table.clock
        if turn.ask not in table.episode.fault_causes:
            seconds = f"{clock.limit.model_seconds:g}"
            await table.time_out(turn.ask, f"no answer within {seconds} s", lambda: clock.is_overdue(turn))
        failures = 0
        for event in table.record.log:
            if event.seat == turn.seat and event.kind is Kind.SEAT:
                failures = 0
            elif event.kind is Kind.FAULT and FaultEvent.of(event).ask == turn.ask:
                failures += 1
        if failures < MAX_TRIES:
            await table.retry()
            return False
        return True

    async def _replace_player(self, table: LiveTable, turn: TimedTurn) -> None:
        assert table.clock
        clock, seat = table.clock, turn.seat

        def is_still_silent() -> bool:
            return clock.is_overdue(turn) if turn.is_person else table.is_silent(seat)

        program = clock.limit.program if clock.limit.rule == "program" else None
        if program is None or table.player(seat) == program:
            await table.end_game(NO_REPLY, seat, only_if=is_still_silent)
        else:
            await self._tables.seat_program(table, seat, program, NO_REPLY, only_if=is_still_silent)
        log_fact("turn over", episode=table.id, game=table.row.game, rule=clock.limit.rule)
