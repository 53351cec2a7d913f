"""The lobby: what there is to play, and the open lobbies, which are sent the lists of games when they change.

Nothing here touches a live table: the lists are read from the log (`ui/live/lobby_lists.py`).
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterable
from typing import Any, Literal, get_args, get_origin

from engine.core.events import Json, to_json
from engine.core.game import Game, Variant
from engine.play.registry import BadInstances
from ui.live.feeds import RESTART_CLOSE_CODE, Listener
from ui.live.lobby_lists import ListReader, LobbyLists
from ui.live.offers import COST_FREE_PLAYERS
from ui.live.profile import describe_titles
from ui.live.server import LiveServer
from ui.live.tiles import find_tiles, make_tile_address

logger = logging.getLogger("ludens.lobby")

LOBBY_UPDATE_INTERVAL_SECONDS = 0.7
"""Seconds between two messages to lobbies, however much happens."""
LOBBY_UPDATE_PAUSE_FACTOR = 3
"""How many times as long as sending took the pause after it is at least: players go before crowded lobbies."""


class Lobby:
    """The lobby's lists, and the open lobbies that get them when they change."""

    def __init__(self, server: LiveServer) -> None:
        self._server, self._registry = server, server.registry
        self._list_reader = ListReader(server.reader.path, server.registry)
        self._tiles = find_tiles(server.registry.folders)
        self._listeners: dict[Listener, tuple[str | None, LobbyLists]] = {}
        """Open lobbies with their browser and the lists they were sent last."""
        self._round_count = 0
        """How often changes have been sent."""
        self._change_signal = asyncio.Event()

    # ------------------------------------------------------------------ what a lobby shows
    async def read_full_state(self, browser: str | None) -> Json:
        """Return everything the lobby shows to a browser."""
        offers = self._server.offers
        player_options = {
            "admin": self._server.links.is_admin(browser),
            "models": offers.list_models(browser),
            "addresses": offers.may_use_paid_players(browser),
            "choose": offers.may_choose(browser),
        }
        browser_lists = (await self._read_lobby_lists([browser]))[browser]
        return {"games": self.describe_games(), **player_options, **json.loads(browser_lists.make_message())}

    async def _read_lobby_lists(self, browsers: Iterable[str | None]) -> dict[str | None, LobbyLists]:
        """Return the lists of browsers; those of administrators with the browsers that wait for a seat."""
        lists_by_browser = await self._list_reader.read_lists(browsers)
        if seat_offers := self._list_free_seats():
            all_offers = to_json([offer for _, offer in seat_offers])
            hosts = {host_browser for host_browser, _ in seat_offers}
            for browser in lists_by_browser:  # nobody is offered a seat of their own
                other_offers = [offer for host_browser, offer in seat_offers if host_browser != browser]
                lists_by_browser[browser] = lists_by_browser[browser]._replace(
                    free=to_json(other_offers) if browser in hosts else all_offers
                )
        if join_requests := self._list_join_requests():
            requests_json, is_admin = to_json(join_requests), self._server.links.is_admin
            lists_by_browser |= {
                browser: lists_by_browser[browser]._replace(asking=requests_json)
                for browser in lists_by_browser
                if is_admin(browser)
            }
        return lists_by_browser

    def _list_free_seats(self) -> list[tuple[str, Json]]:
        """Return the seats that are offered to everybody, each with the browser that offers it; the queue first."""
        queue_offers = [
            (player.browser, {**self._describe_titles(player.game, player.variant), "since": player.waiting_since_ms})
            for player in self._server.queue.list_players()
        ]
        table_offers = [
            (
                host_browser,
                {
                    **self._describe_titles(table.row.game, table.row.variant),
                    "id": link.seat_id,
                    "seat": link.seat,
                    "since": table.row.created,
                },
            )
            for host_browser, table, link in self._server.seating.list_free_seats()
        ]
        return [*queue_offers, *table_offers]

    def _describe_titles(self, game_name: str, variant: str) -> Json:
        game = self._registry.game(game_name)
        return {
            "game": game_name,
            "variant": variant,
            "title": game.title,
            "variant_title": game.variant(variant).title,
        }

    def _list_join_requests(self) -> list[Json]:
        """Return the browsers that wait for a seat, oldest first: an administrator may admit them."""
        request_rows = [
            {
                "id": table.seat_links[seat].seat_id,
                "request": request_id,
                "seat": seat,
                **describe_titles(self._registry, table.row),
                "since": join_request.waiting_since_ms,
            }
            for table in self._server.tables.table_by_episode.values()
            for seat, request_id, join_request in table.join_requests
        ]
        return sorted(request_rows, key=lambda join_request: join_request["since"])

    def describe_games(self) -> list[Json]:
        """Return the games with their variants, seats, players and settings."""
        for reason in self._registry.broken_games.values():
            logger.warning("a game cannot be loaded: %s", reason)
        games = sorted(self._registry.games.values(), key=lambda game: (not game.leads, game.name))
        return [self._describe_game(game) for game in games]

    def _describe_game(self, game: Game) -> Json:
        player_names = self._registry.describe_players(game.name)
        cost_free_players = [
            "person",
            *sorted((player for player in player_names if player in COST_FREE_PLAYERS), key=COST_FREE_PLAYERS.index),
        ]
        tile_path = self._tiles.get(game.name)
        variants = [
            {
                "name": variant.name,
                "title": variant.title,
                "seats": list(game.seats),
                "players": cost_free_players,
                "pictures": variant.pictures,
                "experiments": self._describe_experiments(game, variant),
            }
            for variant in game.variants
        ]
        return {
            "name": game.name,
            "title": game.title,
            "blurb": game.blurb,
            "tagline": game.tagline,
            "rules": list(game.rules),
            "tile": make_tile_address(game.name, tile_path) if tile_path else None,
            "minutes": game.minutes,
            "start": {"variant": _choose_default_variant(game).name, "seat": _choose_default_seat(game)},
            "variants": variants,
            "settings": _describe_settings(game),
        }

    def _describe_experiments(self, game: Game, variant: Variant) -> list[Json]:
        """Return the experiments that may be chosen, and how many instances each has."""
        try:
            experiments = self._registry.experiments(game.name, variant.name)
        except BadInstances as error:
            logger.warning("%s", error)
            return []
        experiment_titles = self._registry.titles(game.name, variant.name)
        return [
            {"name": name, "title": experiment_titles.get(name, name), "instances": len(instances)}
            for name, instances in experiments.items()
        ]

    # ------------------------------------------------------------------ live
    def notice_change(self) -> None:
        """Have lobbies updated soon: something may have changed."""
        self._change_signal.set()

    async def attach_listener(self, listener: Listener, browser: str | None) -> None:
        """Send a lobby all lists now, and again when they change."""
        round_count = self._round_count
        browser_lists = (await self._read_lobby_lists([browser]))[browser]
        listener.enqueue(browser_lists.make_message())
        self._listeners[listener] = (browser, browser_lists)
        if round_count != self._round_count:  # others were sent a change that these lists may lack
            self.notice_change()

    def detach_listener(self, listener: Listener) -> None:
        """Send nothing more to a lobby."""
        self._listeners.pop(listener, None)

    def close(self) -> None:
        """Close all lobbies: the server stops."""
        self._list_reader.close()
        for listener in self._listeners:
            listener.close(RESTART_CLOSE_CODE)

    async def send_changes(self) -> None:
        """Send lobbies what changes, without end; run it in the background."""
        loop_time = asyncio.get_running_loop().time
        while True:
            await self._change_signal.wait()
            self._change_signal.clear()
            start_time = loop_time()
            if self._listeners:
                try:
                    await self._send_lists()
                except Exception:
                    logger.exception("the lists could not be sent")
            await asyncio.sleep(
                max(LOBBY_UPDATE_INTERVAL_SECONDS, LOBBY_UPDATE_PAUSE_FACTOR * (loop_time() - start_time))
            )

    async def _send_lists(self) -> None:
        """Send all lobbies what has changed in their lists; the same message is composed once."""
        self._round_count += 1
        listeners = list(self._listeners.items())
        lists_by_browser = await self._read_lobby_lists(browser for _, (browser, _) in listeners)
        message_by_change: dict[tuple[LobbyLists, LobbyLists], str] = {}
        for listener, (browser, sent_lobby_lists) in listeners:
            current_lobby_lists = lists_by_browser.get(browser, sent_lobby_lists)
            if current_lobby_lists == sent_lobby_lists or listener not in self._listeners:
                continue
            if (sent_lobby_lists, current_lobby_lists) not in message_by_change:
                message_by_change[sent_lobby_lists, current_lobby_lists] = current_lobby_lists.make_message(
                    sent_lobby_lists
                )
            self._listeners[listener] = (browser, current_lobby_lists)
            if not listener.enqueue(message_by_change[sent_lobby_lists, current_lobby_lists]):
                self.detach_listener(listener)
            await asyncio.sleep(0)  # players are served in between


def _choose_default_variant(game: Game) -> Variant:
    """Return the variant that one click starts: the first with pictures, which newcomers like best, else the first."""
    return next((variant for variant in game.variants if variant.pictures), game.variants[0])


def _choose_default_seat(game: Game) -> str | None:
    """Return the seat of the person who starts a game with one click; None for any seat."""
    return game.newcomer_seat or (game.seats[0] if len(game.seats) <= 2 else None)


def _describe_settings(game: Game) -> list[Json]:
    """Return a game's settings that have a closed list of values, as a form."""
    setting_forms: list[Json] = []
    for setting_name, field_info in game.settings.model_fields.items():
        values: tuple[Any, ...] = ()
        if field_info.annotation is bool:
            values = (False, True)
        elif get_origin(field_info.annotation) is Literal:
            values = get_args(field_info.annotation)
        if values:
            choices = [
                {"value": allowed_value, "label": _describe_setting_value(allowed_value)} for allowed_value in values
            ]
            setting_label = field_info.title or setting_name.replace("_", " ").capitalize()
            setting_forms.append(
                {"name": setting_name, "label": setting_label, "options": choices, "value": field_info.default}
            )
    return setting_forms


def _describe_setting_value(setting_value: object) -> str:
    return ("yes" if setting_value else "no") if isinstance(setting_value, bool) else str(setting_value)
