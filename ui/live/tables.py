"""Live tables: episodes in play on this server, whoever sits at them. No web framework, no page, no rulebook in here.

`Tables` finds, opens, loads on demand, follows, sweeps and forgets; a `Table` plays one episode (or follows one that
another process plays, or shows a finished one), takes moves, keeps track of who is there and feeds pages. Everything
can be rebuilt from the log: a killed server loses nothing, a `Table` is dropped from memory whenever nobody needs it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from pydantic import ValidationError

from engine.core.content import Picture
from engine.core.events import PRESENCE, Ending, Event, Json, Kind, Outcome
from engine.core.game import Game
from engine.core.log import Log
from engine.core.master import NotOpen, RulesChanged
from engine.core.player import ExternalPlayer, Player
from engine.core.replies import MAX_REPLY, Violation
from engine.core.scores import score_episode
from engine.core.start import Start
from engine.core.views import Conversation, Transcript, describe_outcome
from engine.play.episode import Episode, GroupCommit
from engine.play.registry import Registry
from engine.storage.database import StoreError
from engine.storage.episode_row import EpisodeRow, Status
from engine.storage.ids import now_ms
from engine.storage.removal import Removal, removal_of, remove_games
from engine.storage.seat_links import OpenedTable, SeatLink, SeatLinks
from engine.storage.store import LostLease, Store
from engine.storage.visibility import Visibility
from ui.live.dealing import Absent, Dealer, Limits, Wanted, item_of
from ui.live.feeds import GONE, NOT_YOURS, RESTART, Feed, Listener, Soon
from ui.live.missing import missing_picture
from ui.live.offers import INVITE, PERSON, Offers, Refused
from ui.live.waiting import loading_of, stalled_words

log = logging.getLogger("ludens.tables")
T = TypeVar("T")

GRACE = 15.0
"""Seconds after which somebody without an open page counts as away: a reload or a lost line is not leaving."""
LOOK = 1.0
"""Seconds between looks at models that are loading."""
FOLLOW = 0.3
"""Seconds between looks for what other processes wrote."""
BEAT = 10.0
SWEEP = 600.0
IDLE = 600.0
"""Seconds an open table stays in memory without a page; a finished one `IDLE_OVER`."""
IDLE_OVER = 60.0
WATCHABLE = 0.8
"""Seconds before a program's move at a table opened to be watched, or where more than two sit: so one can follow."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a move: the same for the same move, however often it arrives."""

    status: int
    body: Json


class Table:
    """One episode as this server has it: its log, its views, who looks on, and, if it is played here, the play."""

    def __init__(self, tables: Tables, row: EpisodeRow, game: Game | None) -> None:
        self._tables = tables
        self.id, self.row, self.game = row.id, row, game
        self.log: list[Event] = []
        self.transcript = Transcript()
        self.views = {seat: Conversation(seat) for seat in row.seats}
        self.episode: Episode | None = None
        self.waits: str | None = None
        """Why nobody can play here: other rules, a missing player, another process."""
        self.foreign = False
        """Whether another process plays this episode."""
        self.seats = {seat: Feed() for seat in row.seats}
        self.watching = Feed()
        self.links: dict[str, SeatLink] = {}
        self.people = False
        self.closed = False
        self.used = asyncio.get_running_loop().time()
        self._here: dict[str, bool] = {}
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        self._left: dict[str, Json] = {}
        self._since: dict[str, int] = {}
        self._moves: dict[tuple[str, str], asyncio.Future[Answer]] = {}
        self._pictures: dict[str, Picture] = {}
        self._boards: dict[int, list[Json]] = {}
        """For spectators of games that draw one: number of a line to the board as it is from that line on."""
        self._loading: float | None = None
        self._asked_again = 0
        """UTC ms of the last time that whoever could not answer was asked again."""
        self._looked = 0
        """So many lines were looked at for a board."""
        self._watched_lines: list[Json] = []
        self._instance: Any = None
        self._playing: asyncio.Task[None] | None = None
        self._telling_seats = Soon(self._tell_seats, tables.background)
        self._telling_watchers = Soon(self._tell_watchers, tables.background)

    # ------------------------------------------------------------------ what is known
    @property
    def over(self) -> bool:
        """Whether there is an outcome."""
        return self.transcript.outcome is not None

    @property
    def status(self) -> str:
        """Return "open", "over" or "stalled"."""
        return "over" if self.over else "stalled" if self.stalled else "open"

    @property
    def stalled(self) -> str | None:
        """Why the game waits, as spectators and the owner may know it."""
        return self.waits or self.transcript.stalled

    @property
    def start(self) -> Json:
        """The data of the start event."""
        return self.transcript.start or self.row.start

    def player(self, seat: str) -> str:
        """Return the address of whoever sits at a seat now."""
        sat: list[str] = self.transcript.players.get(seat) or [self.row.seats[seat]]
        return sat[-1]

    def idle(self) -> bool:
        """Return whether nothing is lost by forgetting this table."""
        if self.watching.listeners or any(feed.listeners for feed in self.seats.values()):
            return False
        rest = asyncio.get_running_loop().time() - self.used
        if self.over or self.episode is None:
            return rest > IDLE_OVER
        waiting = self.episode.master.open.values()
        only_people = all(isinstance(self.episode.players[ask.request.seat], ExternalPlayer) for ask in waiting)
        return rest > IDLE and (only_people or bool(self.episode.stalled))

    # ------------------------------------------------------------------ events
    def adopt(self, episode: Episode) -> None:
        """Play this episode here: its log is ours, and what it adds from now on."""
        self.episode, self.views, self.foreign, self.waits = episode, episode.views, False, None
        for event in episode.log:
            self._know(event)
        episode.listeners.append(self._advanced)
        for seat, here in self._here.items():
            if here and self.player(seat) == PERSON:
                self._look(seat)

    def take_in(self, events: Sequence[Event]) -> None:
        """Take in events that others wrote."""
        for event in events:
            for view in self.views.values():
                view.apply(event)
            self._know(event)
        self.changed()

    def _advanced(self, _: Episode, events: Sequence[Event]) -> None:
        for event in events:
            self._know(event)
            if event.kind is Kind.FAULT and event.seat:  # a seat's page cannot say more than that it waits
                who = self.player(event.seat)
                log.warning("game %s: seat %s (%s): %s", self.id, event.seat, who, event.data["cause"])
        if events[-1].kind is Kind.OUTCOME:
            self._tables.ended(self)
        self.changed()

    def _know(self, event: Event) -> None:
        self.log.append(event)
        self.transcript.apply(event)
        seat, data = event.seat, event.data
        if seat is None:
            return
        if event.kind in PRESENCE:
            self._here[seat] = event.kind is Kind.PRESENT
            return
        self._since[seat] = event.time
        if event.kind is Kind.ASK and data["progress"]:
            self._left[seat] = data["progress"]
        elif event.kind is Kind.REPLY and "move" in data["meta"]:
            self._answered((seat, data["meta"]["move"]), Answer(200, {"ok": True}))

    # ------------------------------------------------------------------ playing
    def play(self) -> None:
        """Let the players play, unless they do already."""
        if self.episode and not self.over and (self._playing is None or self._playing.done()):
            self._playing = asyncio.create_task(self._play(self.episode))

    async def _play(self, episode: Episode) -> None:
        try:
            await episode.play()
        except LostLease as error:
            log.warning("%s", error)
            self._tables.forget(self)
        except Exception:
            log.exception("episode %s stopped; it goes on from the log", self.id)
            self._tables.forget(self)
        else:
            self.changed()

    async def submit(self, seat: str, ask: int, move: str, values: object) -> Answer:
        """Take a person's move. The same move id gets the same answer, also after a restart.

        Raises `Refused` (503) when it cannot be said now whether the move is taken: the page tries again.
        """
        self.used = asyncio.get_running_loop().time()
        known = self._moves.get((seat, move))
        if known is not None:
            return await asyncio.shield(known)
        answer = self._moves[seat, move] = asyncio.get_running_loop().create_future()
        try:
            try:
                await self._take(seat, ask, move, values)
                self._answered((seat, move), Answer(200, {"ok": True}))
            except Refused as refused:
                if refused.status >= 500:
                    raise
                self._answered((seat, move), Answer(refused.status, refused.as_json()))
        except BaseException as error:
            self._moves.pop((seat, move), None)
            if not answer.done():
                answer.set_exception(error)
                answer.exception()  # whoever waits for it gets it; nobody may be waiting
            raise
        taken: Answer = answer.result()
        return taken

    def _answered(self, key: tuple[str, str], answer: Answer) -> None:
        known = self._moves.get(key)
        if known is None:
            known = self._moves[key] = asyncio.get_running_loop().create_future()
        if not known.done():
            known.set_result(answer)

    async def _take(self, seat: str, ask: int, move: str, values: object) -> None:
        given = checked_values(values)
        if self.over:
            raise Refused(409, "no longer asked", "The game is over.")
        if self.episode is None:
            raise Refused(503 if self.foreign else 409, "the game waits", self.waits)
        asked = self.views[seat].ask
        if asked is None or asked.id != ask:
            raise Refused(409, "no longer asked", "This was answered already, or something else is asked by now.")
        try:
            self.play()
            await self.episode.submit(seat, ask, asked.format.compose(given), {"move": move})
        except Violation as violation:
            raise Refused(422, "That does not fit what is asked", str(violation)) from None
        except NotOpen:
            raise Refused(409, "no longer asked", "This was answered already.") from None
        except Exception as error:
            raise Refused(503, "the reply could not be stored", str(error)) from error
        self._tables.soon(self._tables.links.delete_draft, self.links[seat].seat_id, ask)

    async def end(self, reason: str, seat: str | None = None) -> None:
        """End the game as abandoned."""
        episode = self._ours()
        await episode.end(Outcome(Ending.ABANDONED, reason, seat))

    async def retry(self) -> None:
        """Ask again whoever could not answer."""
        episode = self._ours()
        self._asked_again = now_ms()
        self.transcript.stalled = None
        await episode.retry()
        self.play()
        self.changed()

    def silent(self) -> list[str]:
        """Return the seats whose player could not answer what is open."""
        if self.episode is None:
            return []
        waiting = self.episode.master.open
        return sorted({waiting[ask].request.seat for ask in self.episode.faulted if ask in waiting})

    def look_at_loading(self) -> None:
        """Tell pages how far a model is loaded, where that has changed."""
        if (now := self._load_share()) != self._loading:
            self._loading = now
            self.changed()

    def _load_share(self) -> float | None:
        if self.episode is None or self.over:
            return None
        asked = {ask.request.seat for ask in self.episode.master.open.values()}
        return loading_of(self.episode.players[seat] for seat in asked)

    async def hand_over(self, seat: str, address: str, player: Player) -> None:
        """Seat another player, who gets the seat's whole conversation."""
        episode = self._ours()
        self.seats[seat].end(NOT_YOURS)
        if address == PERSON and not self.people:
            self.watching.end(NOT_YOURS)  # from now on by the spectator link only
        self._here.pop(seat, None)
        self._asked_again = now_ms()
        await episode.hand_over(seat, address, player)
        self.play()

    def _ours(self) -> Episode:
        if self.over:
            raise Refused(409, "the game is over")
        if self.episode is None:
            raise Refused(503 if self.foreign else 409, "the game waits", self.waits)
        return self.episode

    # ------------------------------------------------------------------ who is there
    def look(self, seat: str) -> None:
        """Note that somebody opened, closed or turned to or away from a page of a seat."""
        self.used = asyncio.get_running_loop().time()
        self._look(seat)

    def _look(self, seat: str) -> None:
        if self.closed:
            return
        if any(listener.here for listener in self.seats[seat].listeners):
            if timer := self._leaving.pop(seat, None):
                timer.cancel()
            if not self._here.get(seat):
                self._record(Kind.PRESENT, seat)
        elif self._here.get(seat) and seat not in self._leaving:
            self._leaving[seat] = asyncio.get_running_loop().call_later(GRACE, self._gone, seat)

    def _gone(self, seat: str) -> None:
        self._leaving.pop(seat, None)
        if self._here.get(seat) and not any(listener.here for listener in self.seats[seat].listeners):
            self._record(Kind.AWAY, seat)

    def watched(self) -> None:
        """Record that the spectator view was opened."""
        if self.people:
            self._record(Kind.WATCHED, None)

    def _record(self, kind: Kind, seat: str | None) -> None:
        if seat is not None:
            self._here[seat] = kind is Kind.PRESENT
        if self.episode and not self.over and not self.closed:
            self._tables.background(self.episode.presence(kind, seat))
        self.changed()

    # ------------------------------------------------------------------ pictures
    async def picture(self, asset: str) -> Picture:
        """Return a picture, drawn in a worker thread and kept; one that says so in place of a picture that is gone."""
        if asset not in self._pictures:
            try:
                if self.game is None:
                    raise KeyError(asset)
                if self._instance is None:
                    self._instance = self.game.load(self.start["instance"])
                self._pictures[asset] = await self._tables.think(self.game.picture, self._instance, asset)
            except (KeyError, ValidationError) as error:  # gone since it was dealt, or never imported
                log.warning("game %s: no picture: %s", self.id, error)
                self._pictures[asset] = missing_picture()
        return self._pictures[asset]

    def _undrawn(self) -> set[str]:
        pinned = [pin for seat in self.views.values() for pin in seat.pinned]
        shown = [*pinned, *(panel for board in self._boards.values() for panel in board)]
        return {pin["picture"] for pin in shown if "picture" in pin} - set(self._pictures)

    def _look_at_boards(self) -> None:
        """Find out how the game's board looks after each new line, where the game draws one."""
        lines = self.transcript.lines
        draw = self.game.board if self.game and self.game.has_board else None
        last = next(reversed(self._boards.values()), None)
        while self._looked < len(lines):
            number, self._looked = self._looked, self._looked + 1
            if draw is None:
                continue
            if self._looked < len(lines) and lines[self._looked]["n"] == lines[number]["n"]:
                continue  # the event's last line shows what it changed
            board = draw(Log([event for event in self.log if event.n <= lines[number]["n"]]))
            if board != last:
                self._boards[number] = last = board

    def _watch_lines(self) -> list[Json]:
        """Return the transcript's lines, each that changes the board with the board as it is then."""
        for number in range(len(self._watched_lines), self._looked):  # later ones come with their own boards
            line = self.transcript.lines[number]
            if number in self._boards:
                line = {**line, "board": [self._pin(panel, "watch") for panel in self._boards[number]]}
            self._watched_lines.append(line)
        return self._watched_lines

    def picture_path(self, audience: str, asset: str) -> str:
        """Return where an audience ("seat/A", "watch") finds a picture, and remember who may have it there."""
        name = self._tables.links.picture_id(self.id, audience, asset)
        self._tables.pictures[name] = (self.id, audience, asset)
        return f"/p/{name}"

    def _pin(self, pin: Json, audience: str) -> Json:
        if "picture" not in pin:
            return pin
        drawn = self._pictures[pin["picture"]]
        path = self.picture_path(audience, pin["picture"])
        return {
            **pin,
            "picture": path,
            "alt": pin["title"],
            "width": drawn.width,
            "height": drawn.height,
            "credit": drawn.credit,
        }

    # ------------------------------------------------------------------ pages
    def changed(self) -> None:
        """Tell all pages, soon."""
        self._telling_seats()
        self._telling_watchers()

    async def _drawn(self) -> None:
        """Draw all pictures that pages are about to be told of."""
        while missing := self._undrawn():
            for asset in missing:
                await self.picture(asset)

    async def _tell_seats(self) -> None:
        await self._drawn()
        for seat, feed in self.seats.items():
            if feed.listeners:
                feed.publish(self._seat_state(seat), self.views[seat].lines)

    async def _caught_up(self) -> None:
        """Draw all that spectators are about to be told of, also what happens meanwhile: boards keep up with lines."""
        while self._looked < len(self.transcript.lines) or self._undrawn():
            self._look_at_boards()
            await self._drawn()

    async def _tell_watchers(self) -> None:
        if self.watching.listeners:
            await self._caught_up()
            await self.watching.publish_to_many(self._watch_state(), self._watch_lines())

    async def attach(self, seat: str, listener: Listener) -> None:
        """Let a page of a seat hear: the whole first, then what is new."""
        await self._drawn()
        feed = self.seats[seat]
        feed.publish(self._seat_state(seat), self.views[seat].lines)
        asked = self._ask(seat)
        if asked:
            asked["draft"] = self._tables.links.draft(self.links[seat].seat_id, asked["id"])
        listener.put(feed.whole({"ask": asked, "now": now_ms()}))
        listener.here = True
        feed.listeners.add(listener)
        self.look(seat)
        if self._elsewhere(seat):
            self.changed()

    async def attach_watcher(self, listener: Listener, host: bool = False) -> None:
        """Let a spectator hear: the whole first, then what is new. `host` tells who opened the table that they did."""
        await self.record()
        listener.put(self.watching.whole({"now": now_ms()} | ({"host": True} if host else {})))
        self.watching.listeners.add(listener)

    async def record(self) -> str:
        """Return the whole spectators' message."""
        self.used = asyncio.get_running_loop().time()
        await self._caught_up()
        if not self.watching.listeners:  # else it is told to them first: a newcomer must not hear it twice
            self.watching.publish(self._watch_state(), self._watch_lines())
        return self.watching.whole()

    def detach(self, listener: Listener, seat: str | None) -> None:
        """Stop feeding a page that is gone."""
        if seat is None:
            self.watching.listeners.discard(listener)
            self.used = asyncio.get_running_loop().time()
        else:
            several = self._elsewhere(seat)
            self.seats[seat].listeners.discard(listener)
            self.look(seat)
            if several and not self.closed:
                self.changed()

    def about(self) -> Json:
        """Return what pages show of the game: name, variant, rules in plain words."""
        variant = self.row.variant
        if self.game is None:
            return {
                "name": self.row.game,
                "title": self.row.game,
                "variant": variant,
                "variant_title": variant,
                "rules": [],
            }
        known = next((one for one in self.game.variants if one.name == variant), None)  # an old log may have others
        return {
            "name": self.game.name,
            "title": self.game.title,
            "variant": variant,
            "variant_title": known.title if known else variant,
            "rules": [*self.game.rules, *(known.rules if known else ())],
        }

    def _seat_state(self, seat: str) -> Json:
        view = self.views[seat]
        about = self.start.get("people", {}).get(seat, {})
        asked = self._ask(seat)
        if self.over:
            turn = {"who": "over", "text": "The game is over", "since": self._since.get(seat)}
        elif asked:
            turn = {"who": "you", "text": _your_turn(asked["form"]), "since": view.ask.since if view.ask else None}
        else:
            turn = {"who": "other", **self._waiting(seat)}
        return {
            "game": self.about(),
            "seat": seat,
            "practice": bool(about.get("practice")),
            "informed": bool(about.get("informed")),
            "pinned": [self._pin(pin, f"seat/{seat}") for pin in view.pinned],
            "ask": asked,
            "turn": turn,
            "left": self._left.get(seat),
            "others": [self._other(other) for other in self.seats if other != seat],
            "company": view.company,
            "asked": self._awaited(seat),
            "elsewhere": self._elsewhere(seat),
            "stalled": self._stalled_for(seat),
            "silent": bool(self.silent()),
            "outcome": view.outcome,
            "episode": self.id if self.over else None,
        }

    def _other(self, seat: str) -> Json:
        """What a page knows of another seat: whether its person is here, and whether a program has taken it over."""
        handed = len(self.transcript.players.get(seat, ())) > 1 and self.player(seat) != PERSON
        return {"seat": seat, "here": self._is_here(seat), "handed": handed}

    def _waiting(self, seat: str) -> Json:
        """Say whom a seat waits for, and since when.

        Where it is not for everybody to know who is asked, the words and the clock are those of the seat's own last
        move. `clock` says whether seconds are shown: they would hurry people, programs do not mind.
        """
        awaited = self._awaited(seat)
        others = awaited or [other for other in self.seats if other != seat]
        asked = [ask["since"] for ask in self.transcript.open.values() if ask["seat"] in awaited]
        since = max(min(asked, default=self._since.get(seat, self.row.created)), self._asked_again)
        names = _listed(awaited) or ("your partner" if len(self.seats) == 2 else "the others")
        programs = [other for other in others if self.player(other) != PERSON]
        if not programs or self.stalled:
            return {"text": f"Waiting for {names}", "since": since}
        if self._loading is not None:
            text = f"{'Your partner’s' if len(self.seats) == 2 else 'A'} model is being loaded"
        elif programs == others:
            text = f"{names[:1].upper()}{names[1:]} {'is' if len(others) == 1 else 'are'} thinking"
        else:
            text = f"Waiting for {names}"
        return {"text": text, "since": since, "clock": True, "loading": self._loading}

    def _awaited(self, seat: str) -> list[str]:
        """The other seats that are asked now, where everybody may know that."""
        if self.over or self.game is None or not self.game.open_turns:
            return []
        return [str(ask["seat"]) for ask in self.transcript.open.values() if ask["seat"] != seat]

    def _ask(self, seat: str) -> Json | None:
        view = self.views[seat]
        if view.ask is None or self.over:
            return None
        reminders = sum(message.role == "user" and message.ask == view.ask.id for message in view.messages) - 1
        return {
            "id": view.ask.id,
            "form": view.ask.format.form(),
            "why": view.ask.reminder,
            "reminders": reminders,
            "draft": None,
        }

    def _stalled_for(self, seat: str) -> str | None:
        """Why the game waits, as this seat may know it: what happened to others stays with them."""
        if self.over:
            return None
        if self.waits or self.views[seat].stalled:
            return self.waits or self.views[seat].stalled
        if not self.transcript.stalled:
            return None
        named = [other for other in self._awaited(seat) if other in self.silent()]
        who = _listed(named) or ("Your partner" if len(self.seats) == 2 else "One of the others")
        return stalled_words(self.transcript.stalled, who)

    def _elsewhere(self, seat: str) -> bool:
        """Whether more than one browser has a page of this seat open."""
        return len({listener.browser for listener in self.seats[seat].listeners}) > 1

    def _is_here(self, seat: str) -> bool | None:
        return self._here.get(seat, False) if self.player(seat) == PERSON else None

    def _watch_state(self) -> Json:
        pinned = {seat: [self._pin(pin, "watch") for pin in view.pinned] for seat, view in self.views.items()}
        return {
            "episode": self.id,
            "game": self.about(),
            "seats": [{"seat": seat, "player": self.player(seat), "here": self._is_here(seat)} for seat in self.seats],
            "people": self.people,
            "pinned": pinned,
            "open": [self._open(ask) for ask in self.transcript.open.values()],
            "outcome": self.transcript.outcome,
            "status": self.status,
            "stalled": None if self.over else self.stalled,
            "silent": bool(self.silent()),
        }

    def _open(self, ask: Json) -> Json:
        """Return an open ask as spectators see it."""
        shown = {"seat": ask["seat"], "since": max(ask["since"], self._asked_again)}
        if self.player(ask["seat"]) == PERSON or self.stalled:
            return shown
        players = [self.episode.players[ask["seat"]]] if self.episode else []
        return {**shown, "clock": True, "loading": loading_of(players)}

    async def close(self, code: int) -> None:
        """Stop playing here and let all pages go; nothing is lost. The table is of no use afterwards."""
        self.closed = self.foreign = True
        episode, self.episode = self.episode, None
        for timer in self._leaving.values():
            timer.cancel()
        for feed in (*self.seats.values(), self.watching):
            feed.end(code)
        if self._playing and not self._playing.done() and self._playing is not asyncio.current_task():
            self._playing.cancel()
            await asyncio.gather(self._playing, return_exceptions=True)
        if episode and not self.over:
            await self._tables.write(self._tables.writer.release_lease, self.id)


def _listed(names: Sequence[str]) -> str:
    """Return names as they are said: "Tom", "Tom and Rose", "Tom, Rose and 3 others"."""
    if len(names) < 3:
        return " and ".join(names)
    return f"{names[0]}, {names[1]} and {'one other' if len(names) == 3 else f'{len(names) - 2} others'}"


def _your_turn(form: Json) -> str:
    titles = [each["title"] for each in form.get("either", [form])]
    return "Your turn: " + " or ".join(title[:1].lower() + title[1:] for title in titles)


def checked_values(values: object) -> dict[str, str]:
    """Return a form's values as texts by name; raises `Refused` for anything else or more than may be sent.

    By hand, because pydantic takes no lone surrogates, and a person's text is taken word for word.
    """
    if not isinstance(values, dict) or len(values) > 100:
        raise Refused(422, "values must be an object of texts")
    for name, value in values.items():
        if not isinstance(value, str):
            raise Refused(422, f"the value of {str(name)[:50]!r} is no text")
    if sum(map(len, values.values())) > MAX_REPLY:
        raise Refused(413, f"longer than {MAX_REPLY:,} characters")
    return dict(values)


class Tables:
    """All tables this server has in memory, and the ways to open and find them.

    `paid_players` says whether everybody may seat players that cost money or load a model, or only admins.
    """

    def __init__(
        self,
        registry: Registry,
        reader: Store,
        writer: Store,
        *,
        version: str,
        limits: Limits,
        abandon_days: float,
        paid_players: bool,
    ) -> None:
        self.registry, self.reader, self.writer = registry, reader, writer
        self._abandon_ms = int(abandon_days * 86_400_000)
        self.links = SeatLinks(reader, writer)
        self.visibility = Visibility(reader, self.links)
        self.pictures: dict[str, tuple[str, str, str]] = {}
        """Picture name to (episode, audience, asset), for all tables in memory."""
        self.live: dict[str, Table] = {}
        self.noticed: list[Callable[[], None]] = []
        """Called when something was written by anybody: lists may have changed."""
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._threads = ThreadPoolExecutor(2, "ludens-thinking")
        self.offers = Offers(registry, self.links, everybody=paid_players)
        self.dealer = Dealer(registry, reader, self.links, self.offers, version=version, limits=limits)
        self._version_seen = -1
        self._removals_seen = reader.removals()
        self.sink: GroupCommit

    async def begin(self) -> None:
        """Start what runs in the background; call it in the event loop that serves."""
        self.sink = GroupCommit(self.writer, threaded=True)
        await self.sink.call(self.writer.beat)
        turns = (
            (self._follow, FOLLOW),
            (self._look_at_loading, LOOK),
            (self._beat, BEAT),
            (self._tidy, IDLE_OVER),
            (self._sweep, SWEEP),
        )
        for turn, pause in turns:
            self.background(self._every(turn, pause))
        self.background(self._go_on())

    async def end(self) -> None:
        """Stop everything; what was taken in is stored."""
        for table in list(self.live.values()):
            await table.close(RESTART)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.sink.close()
        self._threads.shutdown(wait=False, cancel_futures=True)
        await self.registry.close()
        self.writer.close()
        self.reader.close()

    # ------------------------------------------------------------------ hands
    def background(self, work: Awaitable[None]) -> asyncio.Task[None]:
        """Run something without waiting for it; what goes wrong is logged."""

        async def run() -> None:
            try:
                await work
            except LostLease as error:
                log.warning("%s", error)
            except Exception:
                log.exception("in the background")

        task = asyncio.create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def write(self, function: Callable[..., T], *args: Any) -> T:
        """Run a function of `links` or the writing store where the log is written."""
        result: T = await self.sink.call(function, *args)
        return result

    def soon(self, function: Callable[..., Any], *args: Any) -> None:
        """The same without waiting."""

        async def work() -> None:
            await self.sink.call(function, *args)

        self.background(work())

    async def think(self, function: Callable[..., T], *args: Any) -> T:
        """Run something slow in a worker thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *args)

    async def _every(self, turn: Callable[[], Awaitable[None]], pause: float) -> None:
        while True:
            try:
                await turn()
            except Exception:
                log.exception("in the background")
            await asyncio.sleep(pause)

    # ------------------------------------------------------------------ opening
    async def create(self, wanted: Wanted, browser: str) -> Json:
        """Open a table. Returns the contract's {"episode", "go", "invitations", "spectators"}."""
        playing = sum(not table.people and not table.over and not table.foreign for table in self.live.values())
        self.dealer.check_limits(browser, bool(wanted.people), len(self.live), playing)
        start = self.dealer.start(wanted, browser)
        people, mine = wanted.people, wanted.mine
        pace = wanted.pace if wanted.pace is not None else 0.0 if people and len(wanted.seats) <= 2 else WATCHABLE
        [claim] = await self.write(lambda: self.writer.claim([(start, None)], origin="table"))
        pids = await self.write(self.links.open_table, claim.episode, browser, people, mine, pace, start.instance_hash)
        table = await self.get(claim.episode)
        assert table is not None
        invited = {seat: self.links.seat_path(pid) for seat, pid in pids.items() if seat != mine}
        return {
            "episode": claim.episode,
            "go": self.links.seat_path(pids[mine]) if mine else f"/watch?episode={claim.episode}",
            "invitations": invited,
            "spectators": self.links.watch_path(claim.episode) if people else None,
        }

    # ------------------------------------------------------------------ finding
    async def get(self, episode: str) -> Table | None:
        """Return the table of an episode, from memory or from the log; None where there is no such episode."""
        async with self._lock(episode):
            table = self.live.get(episode)
            if table is None:
                table = await self._load(episode)
                if table is not None:
                    self.live[episode] = table
        if table is not None:
            table.used = asyncio.get_running_loop().time()
        return table

    def _lock(self, episode: str) -> asyncio.Lock:
        """Return the lock that whoever loads or drops an episode holds; it lives as long as somebody has it."""
        lock = self._locks.get(episode)
        if lock is None:
            lock = self._locks[episode] = asyncio.Lock()
        return lock

    async def _load(self, episode: str) -> Table | None:
        try:
            row = self.reader.episode(episode)
        except StoreError:
            return None
        if row.id != episode:
            return None
        try:
            game = self.registry.game(row.game)
        except LookupError:
            game = None
        table = Table(self, row, game)
        table.links, table.people = self.links.seats(episode), self.links.has_people(episode)
        if row.status is Status.OVER:
            table.take_in(self.reader.events(episode))
        elif row.origin != "table" or not await self.write(self.writer.acquire_lease, episode):
            table.foreign = True
            if row.origin == "table":
                table.waits = "Another Ludens server has this game open."
            table.take_in(self.reader.events(episode))
        else:
            await self._resume(table, game)
        return table

    async def _resume(self, table: Table, game: Game | None) -> None:
        """Go on with an episode whose lease is ours; where that cannot be, leave it readable and say why."""
        logged = self.reader.events(table.id)
        try:
            if game is None:
                raise LookupError(f"the game {table.row.game} is not here any more")
            opened = self.links.opened_table(table.id)
            addresses = dict(table.row.seats) | {
                str(event.seat): event.data["player"] for event in logged if event.kind is Kind.SEAT
            }
            players = {seat: self._seated(game, seat, who, opened) for seat, who in addresses.items()}
            if logged:
                table.adopt(Episode.resume(table.id, game, logged, players, self.sink))
            else:  # the server died between opening the table and its first event
                start = Start.model_validate(table.row.start)
                table.adopt(await Episode.begin(table.id, game, start, players, self.sink))
        except RulesChanged as error:
            log.warning("episode %s: %s", table.id, error)
            table.waits = "This game was begun under other rules. It can be read, but not continued."
        except (LookupError, ValueError, StoreError, Refused) as error:
            log.warning("episode %s: %s", table.id, error)
            table.waits = f"This game cannot go on: {error}"
        if table.waits:
            table.take_in(logged)
            await self.write(self.writer.mark_stalled, table.id, table.waits)
            await self.write(self.writer.release_lease, table.id)
        table.play()

    def _seated(self, game: Game, seat: str, address: str, opened: OpenedTable | None) -> Player:
        """Return the player of a seat of a table that goes on; one that cannot be had leaves the game waiting."""
        try:
            self.offers.allow(game, address, opened.browser if opened else None)
            return self.dealer.player(game, seat, address, opened.pace if opened else 0.0)
        except Refused as refused:
            return Absent(" ".join(filter(None, (refused.error, refused.why))))

    async def seat_table(self, link: SeatLink) -> Table:
        """Return the table of a seat."""
        table = await self.get(link.episode)
        if table is None:
            raise Refused(404, "this game is not in the database any more")
        return table

    def may_watch(self, browser: str | None, episode: str) -> str | None:
        """Return why a browser may not see both sides of an episode; None when it may.

        Raises `StoreError` where there is no such episode.
        """
        return self.visibility.refusal(browser, episode)

    async def took(self, seat: SeatLink, browser: str) -> None:
        """Let a browser hold a seat, unless it has seen both sides."""
        row = self.reader.episode(seat.episode)
        if row.status is not Status.OVER and self.links.has_watched(browser, seat.episode):
            raise Refused(403, "This browser has watched this game and seen both sides: it cannot take a seat there.")
        if not self.links.holds(browser, seat.seat_id):
            await self.write(self.links.hold, browser, seat.seat_id, row.instance_hash)

    async def watches(self, table: Table, browser: str | None) -> None:
        """Write down that a browser sees both sides."""
        if browser and not self.links.has_watched(browser, table.id):
            new = await self.write(self.links.mark_watched, browser, table.id, table.row.instance_hash)
            if new and not table.over:
                table.watched()

    async def retry(self, table: Table, browser: str) -> None:
        """Ask again whoever could not answer, where this browser may have them asked."""
        if table.episode is None and table.waits and not table.foreign and not table.over:
            self.forget(table)  # whatever was missing may be there now: the next look tries again
            return
        opened = self.links.opened_table(table.id)
        for seat in table.silent():
            assert table.episode and table.game
            self.offers.allow(table.game, table.player(seat), browser)
            if isinstance(table.episode.players[seat], Absent):
                table.episode.players[seat] = self._seated(table.game, seat, table.player(seat), opened)
        await table.retry()

    async def hand_over(self, table: Table, seat: str | None, address: str, browser: str) -> str | None:
        """Seat another player at a table, where no seat is named at the one that cannot answer.

        Returns the link for another person.
        """
        seat = seat or next(iter(table.silent()), None)
        if seat is None:
            raise Refused(409, "nobody has to be replaced: everybody who is asked may still answer")
        if seat not in table.seats or table.game is None:
            raise Refused(422, f"no seat {seat!r}; there are {', '.join(table.seats)}")
        person = address in (PERSON, INVITE)
        variant = table.game.variant(table.row.variant)
        address = PERSON if person else self.offers.seated(table.game, variant, address, browser)
        if why := self.registry.unreadable_prompts_reason(address, item_of(table.start)):
            raise Refused(422, why)
        player = self.dealer.player(table.game, seat, address)
        await table.hand_over(seat, address, player)
        pid = await self.write(self.links.replace_seat, table.id, seat, person)
        table.links, table.people = self.links.seats(table.id), table.people or person
        return self.links.seat_path(pid) if pid else None

    # ------------------------------------------------------------------ the end of a game
    def ended(self, table: Table) -> None:
        """Compute and keep the scores of a game that has just ended."""
        self.background(self._score(table))

    async def _score(self, table: Table) -> None:
        version, scores = await self.think(self.registry.scores_of, list(table.log))
        if scores["played"] is not None:
            await self.write(self.writer.set_scores, [(table.id, version, scores)])

    async def debrief(self, table: Table) -> Json:
        """Return the game's own debriefing of a finished table, pictures as paths; a plain one where it fails."""
        outcome = table.transcript.outcome or {}

        def compute() -> Json:
            log = Log(list(table.log))
            game = self.registry.game(table.row.game)
            title = self.registry.experiment_title(log.start)
            return game.debrief(log, score_episode(log, game)).as_json(log, title)

        try:
            made = await self.think(compute)
        except Exception:  # a game's bug must not take the end of the game from those who played it
            log.exception("the debriefing of episode %s failed", table.id)
            made = {"headline": f"The game is over: {describe_outcome(outcome)}.", "outcome": outcome}
        for panel in made.get("panels", ()):
            if "picture" in panel:
                drawn = await table.picture(panel["picture"])
                path = table.picture_path("watch", panel["picture"])
                panel |= {"picture": path, "alt": panel["title"], "width": drawn.width, "height": drawn.height}
                panel["credit"] = drawn.credit
        return made

    # ------------------------------------------------------------------ in the background
    def forget(self, table: Table) -> None:
        """Drop a table whose memory cannot be trusted; the next look reads it from the log."""
        if self.live.get(table.id) is table:
            del self.live[table.id]
        self.background(table.close(RESTART))

    async def _go_on(self) -> None:
        """Continue the games between programs that were under way when the server ended."""
        for row in self.reader.episodes(status=Status.OPEN, people=False):
            if row.origin == "table" and not self.links.has_people(row.id):
                await self.get(row.id)

    async def _follow(self) -> None:
        """Take in what other processes wrote; look whether a table of theirs has become free."""
        seen = self.reader.data_version()
        if seen == self._version_seen:
            return
        self._version_seen = seen
        await self._let_go()
        for table in [table for table in self.live.values() if table.foreign and not table.over]:
            if fresh := self.reader.events(table.id, after=len(table.log) - 1):
                table.take_in(fresh)
        for notice in self.noticed:
            notice()

    async def _let_go(self) -> None:
        """Part with the tables whose episodes were removed from the log."""
        if (removals := self.reader.removals()) == self._removals_seen:
            return
        self._removals_seen = removals
        await self._part_with([episode for episode in self.live if self.reader.status(episode) is None])

    async def _part_with(self, episodes: Iterable[str]) -> None:
        for episode in episodes:
            async with self._lock(episode):
                if table := self.live.pop(episode, None):
                    self._forget_pictures(episode)
                    await table.close(GONE)

    async def remove(self, browser: str) -> Removal:
        """Take all games in which a browser held a seat out of the log, for good; return what went."""
        going = removal_of(self.reader, [browser])
        await self._part_with(going.episodes)
        if not await self.write(remove_games, self.writer, self.links, going):
            log.warning("the log is being read for long: what was removed leaves the file's write-ahead log later")
        await self._let_go()
        for notice in self.noticed:
            notice()
        return going

    async def _look_at_loading(self) -> None:
        for table in list(self.live.values()):
            table.look_at_loading()

    async def _beat(self) -> None:
        await self.sink.call(self.writer.beat)
        for table in [table for table in self.live.values() if table.foreign and table.waits and not table.over]:
            if await self.write(self.writer.acquire_lease, table.id):
                self.forget(table)  # its server is gone: the next look plays it here

    async def _tidy(self) -> None:
        for table in list(self.live.values()):
            async with self._lock(table.id):
                if self.live.get(table.id) is table and table.idle():
                    del self.live[table.id]
                    self._forget_pictures(table.id)
                    await table.close(RESTART)

    def _forget_pictures(self, episode: str) -> None:
        for name in [name for name, found in self.pictures.items() if found[0] == episode]:
            del self.pictures[name]

    async def _sweep(self) -> None:
        """End the games that nobody has answered in for too long."""
        for episode in self.reader.abandoned_tables(now_ms() - self._abandon_ms):
            table = await self.get(episode)
            if table and table.episode and not table.over:
                await table.end("nobody answered")
