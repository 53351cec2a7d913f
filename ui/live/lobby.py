"""What the lobby lists: the games there are, a browser's own open games, running games, finished games.

All of it is read from the index of the log, also for episodes of other processes; nothing here touches a live table.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Literal, get_args, get_origin

from engine.core.events import Json, to_json
from engine.core.game import Game, Variant
from engine.play.registry import BadInstances
from engine.storage.episode_row import EpisodeSummary, Status
from engine.storage.listings import Listings
from ui.live.feeds import RESTART, Listener
from ui.live.offers import FREE, RECORDED
from ui.live.server import LiveServer

log = logging.getLogger("ludens.lobby")

LIST_LENGTH = 20
PAUSE = 0.7
"""Seconds between two messages to lobbies, however much happens."""


class Lobby:
    """The lobby's lists, and the open lobbies that get them when they change."""

    def __init__(self, server: LiveServer) -> None:
        self._server, self._registry = server, server.registry
        self._listings = Listings(server.reader)
        self._listeners: dict[Listener, tuple[str | None, str]] = {}
        """Open lobbies with their browser and the lists they were sent last."""
        self._changed = asyncio.Event()

    # ------------------------------------------------------------------ lists
    def whole(self, browser: str | None) -> Json:
        """Return everything the lobby shows to a browser."""
        offers = self._server.offers
        players = {"models": offers.models(browser), "addresses": offers.may_pay(browser)}
        return {"games": self.games(), **players, **self.lists(browser, self.running())}

    def lists(self, browser: str | None, running: list[Json]) -> Json:
        """Return the lists that change."""
        return {
            "mine": self.own_games(browser),
            "opened": self.opened_tables(browser),
            "running": self._visible(browser, running),
            "finished": self._visible(browser, self.finished_games(browser)),
        }

    def _visible(self, browser: str | None, games: list[Json]) -> list[Json]:
        """Return games between programs without those that replay what a browser may not see."""

        def is_visible(game: Json) -> bool:
            is_replay = any(player.startswith(f"{RECORDED}/") for player in game["seats"].values())
            return not is_replay or self._server.visibility.refusal(browser, game["episode"]) is None

        return [game for game in games if is_visible(game)]

    def games(self) -> list[Json]:
        """Return the games with their variants, seats, players and settings."""
        for reason in self._registry.broken.values():
            log.warning("a game cannot be loaded: %s", reason)
        games = sorted(self._registry.games.values(), key=lambda game: (not game.leads, game.name))
        return [self._game(game) for game in games]

    def _game(self, game: Game) -> Json:
        names = self._registry.players_for(game.name)
        offered = ["person", *sorted((name for name in names if name in FREE), key=FREE.index)]
        variants = [
            {
                "name": variant.name,
                "title": variant.title,
                "seats": list(game.seats),
                "players": offered,
                "pictures": variant.pictures,
                "experiments": self._experiments(game, variant),
            }
            for variant in game.variants
        ]
        return {
            "name": game.name,
            "title": game.title,
            "blurb": game.blurb,
            "rules": list(game.rules),
            "variants": variants,
            "settings": _settings(game),
        }

    def _experiments(self, game: Game, variant: Variant) -> list[Json]:
        """Return the experiments that may be chosen, and how many instances each has."""
        try:
            experiments = self._registry.experiments(game.name, variant.name)
        except BadInstances as error:
            log.warning("%s", error)
            return []
        titles = self._registry.titles(game.name, variant.name)
        return [
            {"name": name, "title": titles.get(name, name), "instances": len(instances)}
            for name, instances in experiments.items()
        ]

    def own_games(self, browser: str | None) -> list[Json]:
        """Return a browser's open games, newest first."""
        if browser is None:
            return []
        return [
            {
                "id": open_seat.seat_id,
                "seat": open_seat.seat,
                **self._names(open_seat.episode),
                "turn": "you" if open_seat.is_asked else "other",
                "started": open_seat.episode.created,
                "stalled": open_seat.episode.status is Status.STALLED,
            }
            for open_seat in self._listings.open_seats(browser, 5 * LIST_LENGTH)
        ]

    def opened_tables(self, browser: str | None) -> list[Json]:
        """Return the open tables with people that a browser opened without taking a seat, newest first."""
        if browser is None:
            return []
        return [
            {
                "episode": episode.id,
                **self._names(episode),
                "seats": episode.seats,
                "free": self._listings.free_seats(episode.id),
                "started": episode.created,
                "stalled": episode.status is Status.STALLED,
            }
            for episode in self._listings.open_tables(browser, 5 * LIST_LENGTH)
        ]

    def running(self) -> list[Json]:
        """Return the games between programs that a living process plays now, newest first."""
        return [
            {
                "episode": episode.id,
                **self._names(episode),
                "seats": episode.seats,
                "asks": self._listings.count_replies(episode),
                "started": episode.created,
                "by": episode.origin,
            }
            for episode in self._listings.running_without_people(LIST_LENGTH)
        ]

    def finished_games(self, browser: str | None) -> list[Json]:
        """Return finished games, newest first: those a browser played or opened, and those between programs.

        Half the list is for the browser's own games, so that a run does not push them out.
        """
        return [
            {
                "episode": episode.id,
                **self._names(episode),
                "seats": episode.seats,
                "outcome": episode.outcome,
                "started": episode.created,
                "ended": episode.updated,
                "mixed": episode.mixed,
            }
            for episode in self._listings.finished_episodes(browser, LIST_LENGTH)
        ]

    def _names(self, episode: EpisodeSummary) -> Json:
        """Return the names and titles of a game and a variant; a game that is gone goes by its bare name."""
        try:
            game = self._registry.game(episode.game)
            titles = {"title": game.title, "variant_title": game.variant(episode.variant).title}
        except LookupError:
            titles = {"title": episode.game, "variant_title": episode.variant}
        return {"game": episode.game, "variant": episode.variant, **titles}

    # ------------------------------------------------------------------ live
    def notice_change(self) -> None:
        """Have lobbies updated soon: something may have changed."""
        self._changed.set()

    def attach(self, listener: Listener, browser: str | None) -> None:
        """Send a lobby all lists now, and again when they change."""
        text = to_json(self.lists(browser, self.running()))
        listener.put(text)
        self._listeners[listener] = (browser, text)

    def detach(self, listener: Listener) -> None:
        """Send nothing more to a lobby."""
        self._listeners.pop(listener, None)

    def close(self) -> None:
        """Close all lobbies: the server stops."""
        for listener in self._listeners:
            listener.end(RESTART)

    async def send_changes(self) -> None:
        """Send lobbies what changes, without end; run it in the background."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            if self._listeners:
                try:
                    await self._send()
                except Exception:
                    log.exception("the lists could not be sent")
            await asyncio.sleep(PAUSE)

    async def _send(self) -> None:
        running = self.running()
        texts: dict[str | None, str] = {}
        for listener, (browser, before) in list(self._listeners.items()):
            if browser not in texts:
                texts[browser] = to_json(self.lists(browser, running))
            if texts[browser] != before and listener in self._listeners:
                self._listeners[listener] = (browser, texts[browser])
                if not listener.put(texts[browser]):
                    self.detach(listener)
            await asyncio.sleep(0)  # players are served in between


def _settings(game: Game) -> list[Json]:
    """Return a game's settings that have a closed list of values, as a form."""
    settings: list[Json] = []
    for name, field in game.settings.model_fields.items():
        values: tuple[Any, ...] = ()
        if field.annotation is bool:
            values = (False, True)
        elif get_origin(field.annotation) is Literal:
            values = get_args(field.annotation)
        if values:
            options = [{"value": value, "label": _word(value)} for value in values]
            label = field.title or name.replace("_", " ").capitalize()
            settings.append({"name": name, "label": label, "options": options, "value": field.default})
    return settings


def _word(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
