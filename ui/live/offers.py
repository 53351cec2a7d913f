"""Who may be seated, and by whom: what the lobby offers, and what is refused however it is asked for.

Scripted and random players, people and recordings are for everybody. A model of players.toml is offered where it can
play and, where pictures are shown, sees. Off loopback a player that costs money or loads a model is for those alone who
opened the admin link, unless `paid_players` says otherwise; so is any address that somebody types.
"""

from __future__ import annotations

from engine.core.events import Json
from engine.core.game import Game, Variant
from engine.core.player import Address, PlayerInfo, UnknownPlayer, no_episodes
from engine.play.registry import Registry
from engine.storage.seat_links import SeatLinks

PERSON, INVITE, RECORDED = "person", "invite", "recorded"
FREE = ("scripted", "optimal", "random")
"""Players that cost nothing and load nothing, in the order in which they are offered."""
CLOSED = frozenset({"base_url", "key_env", "extra_body"})
"""Parameters that are never taken from a browser: they say where our keys and prompts are sent, or how to."""


class Refused(Exception):
    """What was asked for cannot be done; `status` as in HTTP, the message is said to the person."""

    def __init__(self, status: int, error: str, why: str | None = None) -> None:
        self.status, self.error, self.why = status, error, why
        super().__init__(error)

    def as_json(self) -> Json:
        """Return the refusal as a page gets it."""
        return {"ok": False, "error": self.error} | ({"why": self.why} if self.why else {})


class Offers:
    """Says who may seat whom. `everybody` opens players that cost something to all who reach the server."""

    def __init__(self, registry: Registry, links: SeatLinks, *, everybody: bool) -> None:
        self._registry, self._links, self._everybody = registry, links, everybody

    def may_pay(self, browser: str | None) -> bool:
        """Return whether a browser may seat players that cost money or load a model, and type addresses."""
        return self._everybody or self._links.is_admin(browser)

    # ------------------------------------------------------------------ what is refused
    def seated(self, game: Game, variant: Variant, address: str, browser: str | None) -> str:
        """Return the full address of a player that a browser may seat there. Raises `Refused` saying why not."""
        try:
            full = self._registry.resolve(address)
            self.allow(game, full, browser)
            why = self._registry.refusal(address, game, variant)
        except UnknownPlayer as error:
            raise Refused(422, str(error)) from None
        if why:
            raise Refused(422, why)
        return full

    def allow(self, game: Game, address: str, browser: str | None) -> None:
        """Raise `Refused` where a full address is not for this browser."""
        given = Address.parse(address)
        if given.provider in (PERSON, INVITE):
            if address != PERSON:
                raise Refused(422, f"no player {address!r}; write {PERSON!r} or {INVITE!r}")
            return
        listed = address in self._registry.roster.players.values()
        if not listed and (closed := sorted(CLOSED & given.parameters.keys())):
            table = "write a table [servers.NAME] into players.toml"
            raise Refused(422, f"{closed[0]} cannot be given in a browser: {table}")
        if given.provider in (RECORDED, *FREE) or self.may_pay(browser):
            return
        if not (listed and _is_free(self._registry.about(address, game.name))):
            raise Refused(403, f"{given.provider} players are not for everybody on this server", ADMIN_ONLY)

    # ------------------------------------------------------------------ what is offered
    def models(self, browser: str | None) -> list[Json]:
        """Return the models a browser may seat, those that cannot play here too, each with the reason."""
        if not self._registry.names:
            return []
        pays = self.may_pay(browser)
        found = [self._offer(name) for name in self._registry.roster.players]
        found += [self._offer(name) for name in self._alone()]
        return [each for each in found if pays or not (each["costs"] or each["loads"] or each["unusable"])]

    def at(self, variant: Variant, browser: str | None) -> list[Json]:
        """Return the models a browser may seat at a variant now."""
        return [
            each
            for each in self.models(browser)
            if not each["unusable"] and not (variant.pictures and each["sees"] is False)
        ]

    def _alone(self) -> list[str]:
        """Return the providers that are a player by themselves: they need no server and no model's name."""
        servers = self._registry.roster.servers
        named = {PERSON, RECORDED, *FREE, *servers, *(server.api for server in servers.values())}
        return [name for name in self._registry.providers if name not in named and self._complete(name)]

    def _complete(self, name: str) -> bool:
        game = self._registry.game(self._registry.names[0])
        try:
            self._registry.player(name, game.name, game.seats[0], no_episodes)
        except UnknownPlayer:  # it wants more: hf/ORG/NAME
            return False
        return True

    def _offer(self, name: str) -> Json:
        try:
            about = self._registry.about(name, self._registry.names[0])
        except UnknownPlayer as error:
            about = PlayerInfo("", unusable_reason=str(error))
        sees = None if about.max_pictures is None else about.max_pictures > 0
        return {
            "name": name,
            "summary": about.summary,
            "costs": about.is_paid,
            "loads": about.is_local,
            "weak": about.is_weak,
            "sees": sees,
            "unusable": about.unusable_reason,
        }


ADMIN_ONLY = (
    "It costs money or loads a model. Whoever runs the server opens the admin link printed at its start in this "
    "browser, or sets paid_players = true in ludens.toml."
)


def _is_free(about: PlayerInfo) -> bool:
    return not (about.is_paid or about.is_local)
