"""What the lobby lists: the games there are, a browser's own open games, running games, finished games.

All of it is read from the index of the log, also for episodes of other processes; nothing here touches a live table.
"""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any, Literal, get_args, get_origin

from engine.core.events import Json, to_json
from engine.core.game import Game, Variant
from engine.play.registry import BadInstances
from engine.storage.links import HELD
from engine.storage.store import is_alive
from ui.live.feeds import RESTART, Listener
from ui.live.offers import FREE, RECORDED
from ui.live.server import LiveServer

log = logging.getLogger("ludens.lobby")

LIST_LENGTH = 20
PAUSE = 0.7
"""Seconds between two messages to lobbies, however much happens."""


class Lobby:
    """The lobby's lists, and the open lobbies that are told when they change."""

    def __init__(self, server: LiveServer) -> None:
        self._server, self._registry = server, server.registry
        self._db = server.reader.conn
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
            return not is_replay or self._server.visibility.may_see(browser, game["episode"]) is None

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
        rows = self._db.execute(
            "SELECT pid, seat.seat, episode.row, game, variant, episode.created, status FROM holder"
            " JOIN seat USING (pid) JOIN episode ON episode.id = seat.episode"
            " WHERE browser = ? AND status != 'over' ORDER BY episode.row DESC LIMIT ?",
            (browser, 5 * LIST_LENGTH),
        ).fetchall()
        return [
            {
                "id": pid,
                "seat": seat,
                **self._names(game, variant),
                "turn": "you" if self._is_asked(row, seat) else "other",
                "started": created,
                "stalled": status == "stalled",
            }
            for pid, seat, row, game, variant, created, status in rows
        ]

    def opened_tables(self, browser: str | None) -> list[Json]:
        """Return the open tables with people that a browser opened without taking a seat, newest first."""
        if browser is None:
            return []
        rows = self._db.execute(
            "SELECT id, game, variant, seats, episode.created, status FROM opened"
            " JOIN episode ON episode.id = opened.episode"
            " WHERE browser = ? AND opened.people AND status != 'over' AND NOT EXISTS"
            " (SELECT 1 FROM holder JOIN seat USING (pid)"
            " WHERE holder.browser = opened.browser AND seat.episode = opened.episode)"
            " ORDER BY episode.row DESC LIMIT ?",
            (browser, 5 * LIST_LENGTH),
        ).fetchall()
        return [
            {
                "episode": episode,
                **self._names(game, variant),
                "seats": json.loads(seats),
                "free": self._free_seats(episode),
                "started": created,
                "stalled": status == "stalled",
            }
            for episode, game, variant, seats, created, status in rows
        ]

    def _free_seats(self, episode: str) -> list[str]:
        """Return the seats for people that no browser holds yet."""
        rows = self._db.execute(
            "SELECT seat FROM seat WHERE episode = ? AND NOT EXISTS"
            " (SELECT 1 FROM holder WHERE holder.pid = seat.pid) ORDER BY seat",
            (episode,),
        ).fetchall()
        return [seat for (seat,) in rows]

    def _is_asked(self, row: int, seat: str) -> bool:
        """Return whether a seat has an open ask: the last event about its asks is one, or a reminder of one."""
        last = self._db.execute(
            "SELECT kind FROM event WHERE episode = ? AND seat = ? AND kind IN ('ask', 'violation', 'parsed', 'cancel')"
            " ORDER BY n DESC LIMIT 1",
            (row, seat),
        ).fetchone()
        return last is not None and last[0] in ("ask", "violation")

    def running(self) -> list[Json]:
        """Return the games between programs that a living process plays now, newest first."""
        rows = self._db.execute(
            "SELECT episode.row, episode.id, origin, game, variant, seats, created, owner.host, owner.pid, owner.beat"
            " FROM lease JOIN episode ON episode.row = lease.episode JOIN owner ON owner.id = lease.owner"
            " WHERE status != 'over' AND NOT people"
            " AND NOT EXISTS (SELECT 1 FROM opened WHERE opened.episode = episode.id AND opened.people)"
            " ORDER BY episode.row DESC LIMIT ?",
            (5 * LIST_LENGTH,),
        ).fetchall()
        living = [row for row in rows if is_alive(row[7], row[8], row[9])][:LIST_LENGTH]
        return [
            {
                "episode": episode,
                **self._names(game, variant),
                "seats": json.loads(seats),
                "asks": self._count_replies(row),
                "started": created,
                "by": origin,
            }
            for row, episode, origin, game, variant, seats, created, *_ in living
        ]

    def _count_replies(self, row: int) -> int:
        count = self._db.execute("SELECT COUNT(*) FROM event WHERE episode = ? AND kind = 'parsed'", (row,)).fetchone()
        return int(count[0])

    def finished_games(self, browser: str | None) -> list[Json]:
        """Return finished games, newest first: those a browser played or opened, and those between programs.

        Half the list is for the browser's own games, so that a run does not push them out.
        """
        over = (
            "SELECT row, id, game, variant, seats, outcome, created, updated, mixed FROM episode WHERE status = 'over'"
        )
        own_rows = self._db.execute(
            f"{over} AND (id IN (SELECT episode FROM ({HELD}) WHERE browser = ?)"
            " OR id IN (SELECT episode FROM opened WHERE browser = ?)) ORDER BY row DESC LIMIT ?",
            (browser, browser, LIST_LENGTH // 2),
        ).fetchall()
        other_rows = self._db.execute(
            f"{over} AND origin IN ('run', 'table') AND NOT people AND NOT EXISTS"
            " (SELECT 1 FROM opened WHERE opened.episode = episode.id AND people) ORDER BY row DESC LIMIT ?",
            (LIST_LENGTH,),
        ).fetchall()
        own_ids = {row[0] for row in own_rows}
        rows = [*own_rows, *(row for row in other_rows if row[0] not in own_ids)][:LIST_LENGTH]
        rows.sort(key=lambda row: row[7], reverse=True)
        return [
            {
                "episode": episode,
                **self._names(game, variant),
                "seats": json.loads(seats),
                "outcome": json.loads(outcome) if outcome else None,
                "started": created,
                "ended": updated,
                "mixed": bool(mixed),
            }
            for _, episode, game, variant, seats, outcome, created, updated, mixed in rows
        ]

    def _names(self, name: str, variant: str) -> Json:
        """Return the names and titles of a game and a variant; a game that is gone goes by its bare name."""
        try:
            game = self._registry.game(name)
            titles = {"title": game.title, "variant_title": game.variant(variant).title}
        except LookupError:
            titles = {"title": name, "variant_title": variant}
        return {"game": name, "variant": variant, **titles}

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
        """Send lobbies what changes, for ever; run it in the background."""
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
