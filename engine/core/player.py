"""The base class of all players, and the addresses that name players.

API models, local models, scripted and recorded players are all asked through `Player.reply`; callers cannot tell them
apart. People are `ExternalPlayer`s: their replies come in through `Episode.submit`. A player that cannot answer (API
down, out of memory) raises `PlayerFault`: the episode is stalled with that cause and continues at the open ask later.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from engine.core.events import Event
from engine.core.views import SeatView

Episodes = Callable[[str], Sequence[Event]]
"""Gives the log of a stored episode by its id; raises LookupError or `StoreError` where there is none."""


def no_episodes(episode: str) -> Sequence[Event]:
    """Raise LookupError: the `Episodes` of whoever makes players without a log."""
    raise LookupError(f"no episode {episode!r} without a database")


class PlayerFault(Exception):
    """A player could not answer. The message is the cause, as recorded and shown."""


class UnknownPlayer(LookupError):
    """An address that names no player, or one that cannot sit here; the message says what can."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, word for word, with what is known about it (tokens, seconds, model id; see design §4)."""

    text: str
    meta: dict[str, Any] = field(default_factory=dict)


class Player(ABC):
    """The occupant of a seat."""

    instant: bool = False
    """Whether it replies without waiting for anything but this processor, so that it needs no task of its own."""
    omniscient: bool = False
    """Whether its view includes the whole instance with the answer: a ceiling for tables of results."""

    @property
    def loading(self) -> float | None:
        """How much of its model is loaded, 0 to 1; None when nothing is being loaded."""
        return None

    @abstractmethod
    async def reply(self, view: SeatView) -> Reply:
        """Return the reply to the view's open ask without blocking the event loop.

        Raises `PlayerFault` when the player cannot answer.
        """


class ExternalPlayer(Player):
    """A player that is never asked: its replies come from outside through `Episode.submit` (a person at a form)."""

    async def reply(self, view: SeatView) -> Reply:
        """Raise `PlayerFault`."""
        raise PlayerFault("replies of this player are submitted from outside")


@dataclass(frozen=True, slots=True)
class Address:
    """A player's name as given: `scripted`, `recorded/EPISODE`, `openai/NAME?temperature=0&max_tokens=300`."""

    provider: str
    name: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Address:
        """Return the parts of an address. Raises `UnknownPlayer` for an empty one."""
        path, _, query = text.strip().partition("?")
        provider, _, name = path.partition("/")
        if not provider:
            raise UnknownPlayer("a player's name is missing; `ludens players` lists all")
        return cls(provider, name, dict(parse_qsl(query, keep_blank_values=True)))

    @property
    def model(self) -> str:
        """The address without parameters: what facts of players.toml are kept under."""
        return f"{self.provider}/{self.name}" if self.name else self.provider

    def covers(self, other: Address) -> bool:
        """Return whether `other` is this player; without parameters here, whatever its parameters are."""
        return self.model == other.model and (not self.parameters or dict(self.parameters) == dict(other.parameters))

    def __str__(self) -> str:
        """Write the address in its one canonical form, parameters sorted."""
        query = urlencode(sorted(self.parameters.items()), safe="/:,")
        return f"{self.model}?{query}" if query else self.model


# ---------------------------------------------------------------------- what providers are told, and tell
@dataclass(frozen=True, slots=True)
class Server:
    """An account or a machine that answers; its limits hold for everybody who plays there.

    `wire` names the file in players/ that speaks to it, `key_env` the environment variable that holds its key (None: no
    key is sent). `requests_per_minute` and `tokens_per_minute` are None where the server itself says when it is too
    much; `timeout` is in seconds, for one attempt.
    """

    name: str
    wire: str
    base_url: str | None = None
    key_env: str | None = None
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    concurrency: int | None = None
    timeout: float = 600.0
    attempts: int = 6
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Sent with every request; not shown, for one may hold a key."""


@dataclass(frozen=True, slots=True)
class Model:
    """What players.toml says of a model.

    `pictures` is how many one prompt may hold (0: it cannot see, None: not known), `price` USD per million tokens, in
    and out.
    """

    pictures: int | None = None
    price: tuple[float, float] | None = None
    summary: str = ""


@dataclass(frozen=True, slots=True)
class ProviderContext:
    """What a provider may use to make a player."""

    episodes: Episodes
    servers: Mapping[str, Server] = field(default_factory=dict)
    models: Mapping[str, Model] = field(default_factory=dict)
    """By address without parameters."""
    cache: Path | None = None
    """Where replies are kept and looked up; None: every reply is asked for."""

    def server(self, address: Address) -> Server:
        """Return the server of an address: one of players.toml, or that of its own `base_url`.

        Raises `UnknownPlayer`. A key is sent to an address's own base URL only where `key_env` names it.
        """
        base_url = address.parameters.get("base_url")
        if base_url is None:
            return self.servers[address.provider]
        known = self.servers.get(address.provider)
        try:
            parts = urlsplit(base_url)
            credentials = parts.username or parts.password
        except ValueError as error:
            raise UnknownPlayer(f"base_url={base_url!r} is no address: {error}") from None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UnknownPlayer(f"base_url={base_url!r} is no address; one is http://127.0.0.1:8000/v1")
        if credentials:
            raise UnknownPlayer("a key does not belong into base_url: name the variable that holds it, key_env=MY_KEY")
        wire = known.wire if known else address.provider
        return Server(base_url, wire, base_url, address.parameters.get("key_env"))

    def model(self, address: Address) -> Model:
        """Return what is known of an address's model; nothing where players.toml does not name it."""
        return self.models.get(address.model, Model())


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """What is known of a player before it plays: for lists, plans and refusals."""

    summary: str
    unusable: str | None = None
    """Why it cannot play here, with the next step; None when it can."""
    pictures: int | None = None
    """The most pictures one prompt may hold; 0: it cannot see; None: no limit is known."""
    costs: bool = False
    """Whether it costs money."""
    loads: bool = False
    """Whether it loads a model into this machine's memory."""
    price: tuple[float, float] | None = None
    """USD per million tokens, in and out."""
