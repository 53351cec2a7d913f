"""What is dealt to whom: a wish for a table is checked, an instance chosen blindly, players found for its seats.

Blindly: a seated person never chooses the experiment (its name often is the answer) unless they say so, which is
recorded as `informed`. What a browser has seen before is dealt last.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from engine.core.events import Event, Json, digest
from engine.core.game import Game
from engine.core.player import Address, ExternalPlayer, Player, PlayerFault, Reply, UnknownPlayer
from engine.core.start import Start
from engine.core.views import SeatView
from engine.play.plans import build_item_start
from engine.play.registry import BadInstances, Registry, SelectedInstance, UnknownSelection
from engine.storage.database import StoreError
from engine.storage.ids import now_ms
from engine.storage.seat_links import SeatLinks
from engine.storage.store import Store
from ui.live.offers import INVITE, PERSON, RECORDED, Offers, Refused


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one browser, and everybody together, may have open."""

    open_tables: int = 200
    tables_an_hour: int = 1000
    self_play: int = 30
    all_tables: int = 5000


STRANGERS = Limits(open_tables=30, tables_an_hour=120)
"""For a server that others can reach."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A table as asked for. `seats` name to "person", "invite" or a player's address; None means any variant."""

    game: str
    seats: Mapping[str, str]
    variant: str | None = None
    experiment: str | None = None
    instance: int | None = None
    settings: Json | None = None
    practice: bool = False
    pace: float | None = None

    @property
    def people(self) -> list[str]:
        """The seats for people."""
        return [seat for seat, who in self.seats.items() if who in (PERSON, INVITE)]

    @property
    def mine(self) -> str | None:
        """The seat of whoever asks, if any."""
        return next((seat for seat, who in self.seats.items() if who == PERSON), None)


class Paced(Player):
    """A program that waits before each move, so that people can follow."""

    def __init__(self, inner: Player, pace: float) -> None:
        self._inner, self._pace = inner, pace
        self.omniscient = inner.omniscient

    @property
    def load_progress(self) -> float | None:
        """How much of its model is loaded, 0 to 1; None when nothing is being loaded."""
        return self._inner.load_progress

    async def reply(self, view: SeatView) -> Reply:
        """Wait, then reply."""
        await asyncio.sleep(self._pace)
        return await self._inner.reply(view)


class Absent(Player):
    """Stands where a player cannot be had at the moment: every ask is a fault with the reason, so the game waits."""

    def __init__(self, why: str) -> None:
        self._why = why

    async def reply(self, view: SeatView) -> Reply:
        """Raise `PlayerFault`."""
        raise PlayerFault(self._why)


def recorded_in(address: str) -> str | None:
    """Return the episode that an address would have played again, None for other players."""
    parsed = Address.parse(address)
    return parsed.name if parsed.provider == RECORDED else None


def item_of(start: Json) -> SelectedInstance:
    """Return the instance that an episode began with."""
    index = start["instance_id"].rpartition("/")[2]
    number = int(index) if index.isdecimal() else 0
    return SelectedInstance(start["game"], start["variant"], start["experiment"], number, start["instance"])


class Dealer:
    """Checks wishes, deals instances, finds players."""

    def __init__(
        self,
        registry: Registry,
        reader: Store,
        links: SeatLinks,
        offers: Offers,
        *,
        version: str,
        limits: Limits,
    ) -> None:
        self._registry, self._reader, self._links = registry, reader, links
        self._offers, self._version, self._limits = offers, version, limits
        self._hashes: dict[str, str] = {}

    def start(self, wanted: Wanted, browser: str) -> Start:
        """Return how the episode asked for begins. Raises `Refused` saying what is wrong with the wish."""
        game, variant = self._game(wanted)
        played = game.variant(variant)
        seats = {
            seat: PERSON if who in (PERSON, INVITE) else self._offers.seated(game, played, who, browser)
            for seat, who in wanted.seats.items()
        }
        item, seed, settings, informed = self._deal(wanted, game, variant, browser)
        seen = bool(self._links.exposures(browser).get(self._hash(item)))
        mine = wanted.mine
        about: dict[str, Json] = {
            seat: {
                "informed": informed and seat == mine,
                "seen_before": seen if seat == mine else None,
                "practice": wanted.practice,
            }
            for seat in wanted.people
        }
        for seat, who in seats.items():
            if why := self._registry.unreadable_prompts_reason(who, item):
                raise Refused(422, why)
            if self.player(game, seat, who).omniscient and about:
                raise Refused(422, f"{who} knows the answer: it plays where nobody else does, to be watched")
        try:
            return build_item_start(
                game,
                item,
                seats,
                settings=settings,
                run_seed=secrets.randbits(48),
                seed=seed,
                people=about,
                ludens=self._version,
            )
        except ValidationError as error:
            raise Refused(422, _first(error)) from None
        except ValueError as error:
            raise Refused(422, str(error)) from None

    def check_limits(self, browser: str, people: bool, live: int, self_play: int) -> None:
        """Raise `Refused` where this browser, or the server with `live` tables, has enough open."""
        limits = self._limits
        if self._links.count_opened_tables(browser, now_ms() - 3_600_000) >= limits.tables_an_hour:
            raise Refused(429, f"{limits.tables_an_hour} tables within an hour is all one browser may open; wait a bit")
        if people and self._links.count_unfinished_tables(browser) >= limits.open_tables:
            raise Refused(429, f"this browser has {limits.open_tables} open games; finish or leave one first")
        if live >= limits.all_tables or (not people and self_play >= limits.self_play):
            raise Refused(429, "too many tables are open on this server at the moment")

    def player(self, game: Game, seat: str, address: str, pace: float = 0.0) -> Player:
        """Return the player for a seat. Raises `Refused` for one there is not; `offers` knows who may seat it."""
        try:
            player = self._registry.player(address, game.name, seat, self._events)
        except (UnknownPlayer, StoreError) as error:
            raise Refused(422, str(error)) from None
        return Paced(player, pace) if pace and not isinstance(player, ExternalPlayer) else player

    def _events(self, episode: str) -> Sequence[Event]:
        return self._reader.events(self._reader.episode(episode).id)

    def _game(self, wanted: Wanted) -> tuple[Game, str]:
        try:
            game = self._registry.game(wanted.game)
            variant = game.variant(wanted.variant) if wanted.variant else game.variants[0]
        except LookupError as error:
            raise Refused(422, str(error.args[0])) from None
        if set(wanted.seats) != set(game.seats):
            given = ", ".join(wanted.seats) or "none"
            raise Refused(422, f"{game.name} has the seats {', '.join(game.seats)}; given: {given}")
        return game, variant.name

    def _deal(
        self, wanted: Wanted, game: Game, variant: str, browser: str
    ) -> tuple[SelectedInstance, str | None, Json | None, bool]:
        """Choose what is played: the instance asked for, that of a recorded episode, or one the browser has not seen.

        Returns the item, the seed if it is given, the settings, and whether somebody chose.
        """
        if wanted.experiment is None and wanted.instance is not None:
            raise Refused(422, "an instance is chosen within an experiment: name that too")
        recorded = next(filter(None, map(recorded_in, wanted.seats.values())), None)
        if recorded and wanted.experiment is None:
            return self._dealt_before(game, variant, recorded)
        parts = (game.name, variant, wanted.experiment, wanted.instance)
        selection = "/".join(str(part) for part in parts if part is not None)
        try:
            items = self._registry.select(selection)
        except (UnknownSelection, BadInstances) as error:
            raise Refused(422, str(error)) from None
        if not items:
            raise Refused(422, f"there is no instance of {selection}")
        if wanted.experiment is None:  # imported sets have words of their own, which no scripted partner knows
            items = [item for item in items if not item.instance.get("theirs")] or items
        seen = self._links.exposures(browser)
        secrets.SystemRandom().shuffle(items)
        lacking = ""
        for item in sorted(items, key=lambda item: seen.get(self._hash(item), 0)):  # those seen least first
            why = self._registry.unsupported_reason(item)
            if why is None:
                return item, None, wanted.settings, wanted.experiment is not None
            lacking = why
        raise Refused(422, lacking)

    def _dealt_before(
        self, game: Game, variant: str, episode: str
    ) -> tuple[SelectedInstance, str | None, Json | None, bool]:
        """Deal what a stored episode was dealt, with its seed and settings."""
        try:
            start = self._reader.episode(episode).start
        except StoreError as error:
            raise Refused(422, str(error)) from None
        if (start["game"], start["variant"]) != (game.name, variant):
            raise Refused(422, f"episode {episode} is of {start['game']}/{start['variant']}")
        return item_of(start), start["seed"], start["settings"], True

    def _hash(self, item: SelectedInstance) -> str:
        if item.instance_id not in self._hashes:
            self._hashes[item.instance_id] = digest(item.instance)
        return self._hashes[item.instance_id]


def _first(error: ValidationError) -> str:
    """Return the first complaint of a validation, with the place it is about."""
    found = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in found["loc"])
    return f"{place}: {found['msg']}" if place else str(found["msg"])
