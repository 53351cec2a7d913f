"""The queue of the lobby: who wants to play a game with somebody now waits here, for a person or, soon, a program.

Two browsers that wait for the same variant are seated together at random seats; a person who has waited
`MAX_PARTNER_WAIT_SECONDS` gets the scripted partner. Programs take all further seats. A place in the queue lives as
long as the page's socket.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from engine.core.events import Json, to_json
from engine.core.game import Game
from engine.play.registry import Registry
from engine.storage.ids import now_ms
from ui.live.context import ServerContext
from ui.live.dealing import TableRequest
from ui.live.feeds import Listener
from ui.live.joining import JoinState
from ui.live.offers import INVITE_PROVIDER, PERSON_PROVIDER
from ui.live.refusal import Refusal
from ui.live.seating import Seating

logger = logging.getLogger("ludens.live")

MAX_PARTNER_WAIT_SECONDS = 20.0
"""Seconds that somebody waits for another person before a program plays."""
REPLY_LIMIT_SECONDS = 300.0
"""Seconds for each reply of two strangers; then a program takes the seat of the one who is silent."""
SUBSTITUTE_PLAYER = "scripted"


@dataclass(eq=False, slots=True)
class WaitingPlayer:
    """A page that waits for a partner. `waiting_since_ms` is in UTC milliseconds; `address` is what limits count."""

    listener: Listener
    browser: str
    address: str | None
    game: str
    variant: str
    waiting_since_ms: int
    program_timer: asyncio.TimerHandle | None = None

    def send_message(self, **message: object) -> None:
        """Send the page how it stands."""
        self.listener.enqueue(to_json(message))


class MatchQueue:
    """Everybody who waits for a partner on one server."""

    def __init__(self, context: ServerContext, seating: Seating, registry: Registry) -> None:
        self._context, self._seating, self._registry = context, seating, registry
        self._waiting_players: list[WaitingPlayer] = []
        self.change_listeners: list[Callable[[], None]] = []
        """Called when somebody begins or ceases to wait: lobbies list them."""

    def join(self, listener: Listener, browser: str, address: str | None, game_name: str, variant: str | None) -> None:
        """Let a page wait for a partner, or seat it with one who waits. Raises `Refusal` for an unknown game."""
        try:
            game = self._registry.game(game_name)
            variant = game.variant(variant).name if variant else game.variants[0].name
        except LookupError as error:
            raise Refusal(404, str(error.args[0])) from None
        if len(game.seats) < 2:
            raise Refusal(422, f"{game.title} is played alone")
        player = WaitingPlayer(listener, browser, address, game.name, variant, now_ms())
        partner = next((candidate for candidate in self._waiting_players if self._can_pair(candidate, player)), None)
        if partner:
            self._remove_player(partner)
            self._context.run_in_background(self._seat_players(game, partner, player))
        else:
            self._waiting_players.append(player)
            self._start_partner_wait(game, player)
        self._call_change_listeners()

    def remove_listener(self, listener: Listener) -> None:
        """Forget a page that is closed."""
        for player in [player for player in self._waiting_players if player.listener is listener]:
            self._remove_player(player)
            self._call_change_listeners()

    def list_players(self) -> list[WaitingPlayer]:
        """Return who waits, the longest first."""
        return list(self._waiting_players)

    # ------------------------------------------------------------------ waiting
    def _can_pair(self, candidate: WaitingPlayer, player: WaitingPlayer) -> bool:
        is_same_game = (candidate.game, candidate.variant) == (player.game, player.variant)
        return is_same_game and candidate.browser != player.browser

    def _start_partner_wait(self, game: Game, player: WaitingPlayer) -> None:
        """Tell a page that it waits, and give it a program when its patience is over."""

        def seat_with_program() -> None:
            if player in self._waiting_players:
                self._remove_player(player)
                self._call_change_listeners()
                self._context.run_in_background(self._seat_players(game, player))

        player.program_timer = asyncio.get_running_loop().call_later(MAX_PARTNER_WAIT_SECONDS, seat_with_program)
        player.send_message(state="waiting", seconds=MAX_PARTNER_WAIT_SECONDS)

    def _remove_player(self, player: WaitingPlayer) -> None:
        self._waiting_players.remove(player)
        if player.program_timer:
            player.program_timer.cancel()

    def _call_change_listeners(self) -> None:
        for listener in self.change_listeners:
            listener()

    # ------------------------------------------------------------------ seating
    async def _seat_players(
        self, game: Game, first_player: WaitingPlayer, second_player: WaitingPlayer | None = None
    ) -> None:
        """Open a table for one or two people and tell their pages where it is."""
        players = [player for player in (first_player, second_player) if player]
        try:
            table_paths = await self._open_table(game, players)
        except Refusal as refusal:
            for player in players:
                player.send_message(state="refused", error=refusal.error, why=refusal.explanation)
            return
        for player, table_path in zip(players, table_paths, strict=True):
            player.send_message(state="seated", go=table_path, partner="person" if second_player else "program")

    async def _open_table(self, game: Game, players: list[WaitingPlayer]) -> list[str]:
        """Open a table; return where each player's page goes. Raises `Refusal`."""
        chosen_seats = secrets.SystemRandom().sample(game.seats, len(players))
        seats = dict.fromkeys(game.seats, SUBSTITUTE_PLAYER) | dict(
            zip(chosen_seats, (PERSON_PROVIDER, INVITE_PROVIDER), strict=False)
        )
        limit_json: Json = {
            "turn_seconds": REPLY_LIMIT_SECONDS,
            "turn_rule": "program",
            "turn_program": SUBSTITUTE_PLAYER,
        }
        partners = tuple(player.browser for player in players[1:])
        table_request = TableRequest(
            game.name, seats, players[0].variant, partners=partners, **(limit_json if len(players) > 1 else {})
        )
        table_json = await self._seating.open_table(table_request, players[0].browser, players[0].address)
        table_paths = [str(table_json["go"])]
        for player, seat in zip(players[1:], chosen_seats[1:], strict=True):
            seat_link = self._context.links.seats(table_json["episode"])[seat]
            if await self._seating.claim_seat(seat_link, player.browser) is not JoinState.SEATED:
                raise Refusal(409, "this seat was taken in the meantime")
            table_paths.append(f"/table?seat={seat_link.seat_id}")
        return table_paths
