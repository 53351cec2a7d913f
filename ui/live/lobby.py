"""What the lobby lists: the games there are, a browser's own open games, what is running, what is over.

Read from the index of the log, also for episodes of other processes; nothing here touches a live table.
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
from ui.live.feeds import Listener
from ui.live.offers import FREE, RECORDED
from ui.live.tables import Tables

log = logging.getLogger("ludens.lobby")

SHOWN = 20
PAUSE = 0.7
"""Seconds between two messages to lobbies, however much happens."""


class Lobby:
    """The lobby's lists, and the sockets that hear when they change."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._listings = Listings(tables.reader)
        self._listening: dict[Listener, tuple[str | None, str]] = {}
        self._changed = asyncio.Event()

    # ------------------------------------------------------------------ lists
    def whole(self, browser: str | None) -> Json:
        """Return everything the lobby shows to a browser."""
        offers = self._tables.offers
        who = {"models": offers.models(browser), "addresses": offers.may_pay(browser)}
        return {"games": self.games(), **who, **self.lists(browser, self.running())}

    def lists(self, browser: str | None, running: list[Json]) -> Json:
        """Return the lists that change."""
        return {
            "mine": self.mine(browser),
            "opened": self.opened(browser),
            "running": self._shown(browser, running),
            "finished": self._shown(browser, self.finished(browser)),
        }

    def _shown(self, browser: str | None, games: list[Json]) -> list[Json]:
        """Return games between programs without those that play back what a browser may not see."""

        def shown(game: Json) -> bool:
            replays = any(player.startswith(f"{RECORDED}/") for player in game["seats"].values())
            return not replays or self._tables.may_watch(browser, game["episode"]) is None

        return [game for game in games if shown(game)]

    def games(self) -> list[Json]:
        """Return the games with their variants, seats, players and settings."""
        for why in self._tables.registry.broken.values():
            log.warning("a game cannot be loaded: %s", why)
        games = sorted(self._tables.registry.games.values(), key=lambda game: (not game.leads, game.name))
        return [self._game(game) for game in games]

    def _game(self, game: Game) -> Json:
        names = self._tables.registry.players_for(game.name)
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
        """Return what may be chosen instead of being dealt: experiments, and how many instances each has."""
        try:
            found = self._tables.registry.experiments(game.name, variant.name)
        except BadInstances as error:
            log.warning("%s", error)
            return []
        titles = self._tables.registry.titles(game.name, variant.name)
        return [
            {"name": name, "title": titles.get(name, name), "instances": len(instances)}
            for name, instances in found.items()
        ]

    def mine(self, browser: str | None) -> list[Json]:
        """Return a browser's open games, newest first."""
        if browser is None:
            return []
        return [
            {
                "id": open_seat.seat_id,
                "seat": open_seat.seat,
                **self._named(open_seat.episode),
                "turn": "you" if open_seat.is_asked else "other",
                "started": open_seat.episode.created,
                "stalled": open_seat.episode.status is Status.STALLED,
            }
            for open_seat in self._listings.open_seats(browser, 5 * SHOWN)
        ]

    def opened(self, browser: str | None) -> list[Json]:
        """Return the open tables with people that a browser opened without taking a seat, newest first."""
        if browser is None:
            return []
        return [
            {
                "episode": episode.id,
                **self._named(episode),
                "seats": episode.seats,
                "free": self._listings.free_seats(episode.id),
                "started": episode.created,
                "stalled": episode.status is Status.STALLED,
            }
            for episode in self._listings.open_tables(browser, 5 * SHOWN)
        ]

    def running(self) -> list[Json]:
        """Return the games between programs that a living process plays now, newest first."""
        return [
            {
                "episode": episode.id,
                **self._named(episode),
                "seats": episode.seats,
                "asks": self._listings.count_replies(episode),
                "started": episode.created,
                "by": episode.origin,
            }
            for episode in self._listings.running_between_programs(SHOWN)
        ]

    def finished(self, browser: str | None) -> list[Json]:
        """Return finished games, newest first: those a browser sat at or opened, and those between programs.

        Its own come before a run's in number, so that a run does not push them out.
        """
        return [
            {
                "episode": episode.id,
                **self._named(episode),
                "seats": episode.seats,
                "outcome": episode.outcome,
                "started": episode.created,
                "ended": episode.updated,
                "mixed": episode.mixed,
            }
            for episode in self._listings.finished(browser, SHOWN)
        ]

    def _named(self, episode: EpisodeSummary) -> Json:
        try:
            game = self._tables.registry.game(episode.game)
            titles = {"title": game.title, "variant_title": game.variant(episode.variant).title}
        except LookupError:
            titles = {"title": episode.game, "variant_title": episode.variant}
        return {"game": episode.game, "variant": episode.variant, **titles}

    # ------------------------------------------------------------------ live
    def notice(self) -> None:
        """Let lobbies hear, soon, that something may have changed."""
        self._changed.set()

    def attach(self, listener: Listener, browser: str | None) -> None:
        """Let a lobby hear: all lists first, then those that changed."""
        text = to_json(self.lists(browser, self.running()))
        listener.put(text)
        self._listening[listener] = (browser, text)

    def detach(self, listener: Listener) -> None:
        """Stop telling a lobby that is gone."""
        self._listening.pop(listener, None)

    async def tell(self) -> None:
        """Tell lobbies what changed, for ever; run it in the background."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            if self._listening:
                try:
                    await self._tell()
                except Exception:
                    log.exception("the lobby could not be told")
            await asyncio.sleep(PAUSE)

    async def _tell(self) -> None:
        running = self.running()
        made: dict[str | None, str] = {}
        for listener, (browser, before) in list(self._listening.items()):
            if browser not in made:
                made[browser] = to_json(self.lists(browser, running))
            if made[browser] != before and listener in self._listening:
                self._listening[listener] = (browser, made[browser])
                if not listener.put(made[browser]):
                    self.detach(listener)
            await asyncio.sleep(0)  # whoever plays is served in between


def _settings(game: Game) -> list[Json]:
    """Return a game's settings that have a closed list of values, as a form."""
    made: list[Json] = []
    for name, field in game.settings.model_fields.items():
        values: tuple[Any, ...] = ()
        if field.annotation is bool:
            values = (False, True)
        elif get_origin(field.annotation) is Literal:
            values = get_args(field.annotation)
        if values:
            options = [{"value": value, "label": _word(value)} for value in values]
            label = field.title or name.replace("_", " ").capitalize()
            made.append({"name": name, "label": label, "options": options, "value": field.default})
    return made


def _word(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
