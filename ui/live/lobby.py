"""What the lobby lists: the games there are, a browser's own open games, what is running, what is over.

Read from the index of the log, also for episodes of other processes; nothing here touches a live table.
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
        self._db = tables.reader.conn
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
        rows = self._db.execute(
            "SELECT pid, seat.seat, episode.row, game, variant, episode.created, status FROM holder"
            " JOIN seat USING (pid) JOIN episode ON episode.id = seat.episode"
            " WHERE browser = ? AND status != 'over' ORDER BY episode.row DESC LIMIT ?",
            (browser, 5 * SHOWN),
        ).fetchall()
        return [
            {
                "id": pid,
                "seat": seat,
                **self._named(game, variant),
                "turn": "you" if self._asked(row, seat) else "other",
                "started": created,
                "stalled": status == "stalled",
            }
            for pid, seat, row, game, variant, created, status in rows
        ]

    def opened(self, browser: str | None) -> list[Json]:
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
            (browser, 5 * SHOWN),
        ).fetchall()
        return [
            {
                "episode": episode,
                **self._named(game, variant),
                "seats": json.loads(seats),
                "free": self._free(episode),
                "started": created,
                "stalled": status == "stalled",
            }
            for episode, game, variant, seats, created, status in rows
        ]

    def _free(self, episode: str) -> list[str]:
        """Return the seats for people that no browser holds yet."""
        rows = self._db.execute(
            "SELECT seat FROM seat WHERE episode = ? AND NOT EXISTS"
            " (SELECT 1 FROM holder WHERE holder.pid = seat.pid) ORDER BY seat",
            (episode,),
        ).fetchall()
        return [seat for (seat,) in rows]

    def _asked(self, row: int, seat: str) -> bool:
        """Whether a seat has an open ask: the last thing about asks there is one, or a reminder of one."""
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
            (5 * SHOWN,),
        ).fetchall()
        living = [row for row in rows if is_alive(row[7], row[8], row[9])][:SHOWN]
        return [
            {
                "episode": episode,
                **self._named(game, variant),
                "seats": json.loads(seats),
                "asks": self._asks(row),
                "started": created,
                "by": origin,
            }
            for row, episode, origin, game, variant, seats, created, *_ in living
        ]

    def _asks(self, row: int) -> int:
        found = self._db.execute("SELECT COUNT(*) FROM event WHERE episode = ? AND kind = 'parsed'", (row,)).fetchone()
        return int(found[0])

    def finished(self, browser: str | None) -> list[Json]:
        """Return finished games, newest first: those a browser sat at or opened, and those between programs.

        Its own come before a run's in number, so that a run does not push them out.
        """
        over = (
            "SELECT row, id, game, variant, seats, outcome, created, updated, mixed FROM episode WHERE status = 'over'"
        )
        own = self._db.execute(
            f"{over} AND (id IN (SELECT episode FROM ({HELD}) WHERE browser = ?)"
            " OR id IN (SELECT episode FROM opened WHERE browser = ?)) ORDER BY row DESC LIMIT ?",
            (browser, browser, SHOWN // 2),
        ).fetchall()
        others = self._db.execute(
            f"{over} AND origin IN ('run', 'table') AND NOT people AND NOT EXISTS"
            " (SELECT 1 FROM opened WHERE opened.episode = episode.id AND people) ORDER BY row DESC LIMIT ?",
            (SHOWN,),
        ).fetchall()
        known = {row[0] for row in own}
        rows = [*own, *(row for row in others if row[0] not in known)][:SHOWN]
        rows.sort(key=lambda row: row[7], reverse=True)
        return [
            {
                "episode": episode,
                **self._named(game, variant),
                "seats": json.loads(seats),
                "outcome": json.loads(outcome) if outcome else None,
                "started": created,
                "ended": updated,
                "mixed": bool(mixed),
            }
            for _, episode, game, variant, seats, outcome, created, updated, mixed in rows
        ]

    def _named(self, game: str, variant: str) -> Json:
        try:
            known = self._tables.registry.game(game)
            titles = {"title": known.title, "variant_title": known.variant(variant).title}
        except LookupError:
            titles = {"title": game, "variant_title": variant}
        return {"game": game, "variant": variant, **titles}

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
