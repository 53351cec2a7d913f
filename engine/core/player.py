"""Players, the addresses that name them, and the providers that make them.

The GameMaster asks every player through `Player.reply` and cannot tell API models, local models, scripted and recorded
players apart. People are `ExternalPlayer`s: their replies arrive through `Episode.submit`. A player that cannot answer
(API down, out of memory) raises `PlayerFault`; the episode then stalls with that cause and resumes at the same ask.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

if TYPE_CHECKING:
    from engine.core.events import Event
    from engine.core.views import SeatView

EpisodeLoader = Callable[[str], "Sequence[Event]"]
"""Returns the log of a stored episode by its id. Raises LookupError or `StoreError` if the episode does not exist."""


def refuse_episode_loading(episode: str) -> Sequence[Event]:
    """Raise LookupError: the `EpisodeLoader` where no database is open."""
    raise LookupError(f"no episode {episode!r} without a database")


class FaultCode(StrEnum):
    """Why a player could not answer, for programs; the message of the `PlayerFault` is for people."""

    AUTHENTICATION = "authentication"
    CRASHED = "crashed"
    EMPTY_REPLY = "empty_reply"
    INVALID_REQUEST = "invalid_request"
    INVALID_RESPONSE = "invalid_response"
    NO_LINES_LEFT = "no_lines_left"
    NO_RECORDED_REPLY = "no_recorded_reply"
    NOT_FOUND = "not_found"
    NOT_INSTALLED = "not_installed"
    OTHER = "other"
    OUT_OF_MEMORY = "out_of_memory"
    PROMPT_TOO_LONG = "prompt_too_long"
    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    TIMED_OUT = "timed_out"
    TOO_MANY_PICTURES = "too_many_pictures"
    UNREACHABLE = "unreachable"


class PlayerFault(Exception):
    """A player could not answer. The message is the cause, as recorded and shown; `code` classifies it.

    `meta` is what is known about the attempts, by the names of `Reply.meta`.
    """

    def __init__(self, cause: str, code: FaultCode = FaultCode.OTHER, meta: Mapping[str, Any] | None = None) -> None:
        super().__init__(cause)
        self.code, self.meta = code, dict(meta or {})


class UnknownPlayer(LookupError):
    """An address that names no player, or one that cannot sit here; the message says what can."""


@dataclass(slots=True)  # not frozen, though nobody changes one: that takes 0.2 µs a field, and a run makes two a reply
class Reply:
    """A reply, word for word, with what is known about it (tokens, seconds, model id)."""

    text: str
    meta: dict[str, Any] = field(default_factory=dict)


class Player(ABC):
    """The occupant of a seat."""

    instant: bool = False
    """Whether it replies without waiting for anything but this processor, so that it needs no task of its own."""
    omniscient: bool = False
    """Whether its view includes the whole instance with the answer: an upper bound in tables of results."""
    longest_message: int | None = None
    """How many characters it reads of what another seat said; its view is cut to that. None: it sees all."""
    streams: bool = False
    """Whether it can show a reply while it is generated: it then calls `view.show_partial_reply` if that is set."""

    @property
    def load_progress(self) -> float | None:
        """The share of its model that is loaded, 0 to 1; None while nothing is being loaded."""
        return None

    def recall(self, replies: Sequence[Reply]) -> None:  # noqa: B027
        """Take in what this player replied before its episode was resumed, in order.

        Replies of players that held its seat earlier have no meta.
        """

    @abstractmethod
    async def reply(self, view: SeatView) -> Reply:
        """Return the reply to the view's open ask without blocking the event loop.

        Raises `PlayerFault` if the player cannot answer.
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
    @lru_cache(maxsize=1024)  # of the few addresses of a run, every episode needs all
    def parse(cls, address_text: str) -> Address:
        """Return the parts of an address. Raises `UnknownPlayer` for an empty one."""
        path, _, query_text = address_text.strip().partition("?")
        provider, _, player_name = path.partition("/")
        if not provider:
            raise UnknownPlayer("a player's name is missing; `ludens players` lists all")
        return cls(provider, player_name, dict(parse_qsl(query_text, keep_blank_values=True)) if query_text else {})

    @property
    def model(self) -> str:
        """The address without parameters, under which players.toml stores what is known of a model."""
        return f"{self.provider}/{self.name}" if self.name else self.provider

    def covers_address(self, other_address: Address) -> bool:
        """Return whether `other_address` is this player; an address without parameters covers all parameters."""
        return self.model == other_address.model and (
            not self.parameters or dict(self.parameters) == dict(other_address.parameters)
        )

    def __str__(self) -> str:
        """Write the address in its one canonical form, parameters sorted."""
        query_text = urlencode(sorted(self.parameters.items()), safe="/:,")
        return f"{self.model}?{query_text}" if query_text else self.model


# ---------------------------------------------------------------------- providers
@dataclass(frozen=True, slots=True)
class Server:
    """An account or a machine that answers; its limits apply to all players who use it together.

    `api` names the file in players/ that speaks its protocol. `key_env` names the environment variable that holds its
    key; with None no key is sent. `requests_per_minute` and `tokens_per_minute` are None if only the server itself
    limits requests. `timeout` is in seconds, for one attempt.
    """

    name: str
    api: str
    base_url: str | None = None
    key_env: str | None = None
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    concurrency: int | None = None
    timeout: float = 600.0
    attempts: int = 6
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Sent with every request. Not part of the representation, because a header may hold a key."""
    query: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The query of the URL of every request, such as Azure's `api-version`."""
    constrain: str | None = None
    """The kind of server whose way of constraining replies that are not JSON it has: vllm, sglang or llamacpp."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What players.toml says about a model.

    `pictures` is the maximum per prompt (0: the model cannot see, None: unknown). `price` is in USD per million tokens,
    in and out.
    """

    pictures: int | None = None
    price: tuple[float, float] | None = None
    summary: str = ""
    special_prices: Mapping[str, float] = field(default_factory=dict)
    """USD per million tokens of kinds with a price of their own (`engine.core.tokens.SPECIAL_PRICES`)."""


@dataclass(frozen=True, slots=True)
class ProviderContext:
    """What a provider may use to make a player."""

    load_episode: EpisodeLoader
    servers: Mapping[str, Server] = field(default_factory=dict)
    models: Mapping[str, ModelInfo] = field(default_factory=dict)
    """By address without parameters."""
    cache: Path | None = None
    """The file in which replies are kept and looked up; None: every reply is requested."""

    def server(self, address: Address) -> Server:
        """Return the server of an address: one of players.toml, or the one at the address's own `base_url`.

        Raises `UnknownPlayer`. The address's own base URL receives a key only if `key_env` names it.
        """
        base_url = address.parameters.get("base_url")
        if base_url is None:
            return self.servers[address.provider]
        configured_server = self.servers.get(address.provider)
        try:
            parsed_url = urlsplit(base_url)
            credentials = parsed_url.username or parsed_url.password
        except ValueError as error:
            raise UnknownPlayer(f"base_url={base_url!r} is not a valid URL: {error}") from None
        if parsed_url.scheme not in ("http", "https") or not parsed_url.hostname:
            raise UnknownPlayer(f"base_url={base_url!r} is not a URL such as http://127.0.0.1:8000/v1")
        if credentials:
            raise UnknownPlayer("base_url must not contain a key: name the variable that holds it, key_env=MY_KEY")
        api = configured_server.api if configured_server else address.provider
        return Server(base_url, api, base_url, address.parameters.get("key_env"))

    def model(self, address: Address) -> ModelInfo:
        """Return what players.toml says about an address's model; nothing if it does not name the model."""
        return self.models.get(address.model, ModelInfo())


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """What is known about a player before it plays: for lists, plans and refusals."""

    summary: str
    unusable_reason: str | None = None
    """Why it cannot play here, with the next step; None if it can."""
    max_pictures: int | None = None
    """The most pictures one prompt may hold; 0: it cannot see; None: no limit is known."""
    is_paid: bool = False
    """Whether it costs money."""
    is_local: bool = False
    """Whether it loads a model into this machine's memory."""
    is_weak_opponent: bool = False
    """Whether it is too weak to be a serious opponent."""
    price: tuple[float, float] | None = None
    """USD per million tokens, in and out."""
    reply_seconds: float | None = None
    """About how long a reply takes here; None if that is not known, or not worth a word."""


class Provider(ABC):
    """A kind of player: each file `players/NAME.py` defines one and exposes an instance as `PROVIDER`.

    A provider overrides `make_player`, and the other methods only if their defaults do not fit.
    """

    summary: str
    """One line for lists of players."""
    is_for_browsers: bool = True
    """Whether a browser may seat its players: not if they read files of the server."""
    makes_programs: bool = False
    """Whether its players are programs by rules, not language models: results and a public server tell them apart."""

    @abstractmethod
    def make_player(self, address: Address, seat: str, context: ProviderContext) -> Player:
        """Return the player of an address for a seat. Raises `UnknownPlayer`. Sends nothing and loads nothing yet."""

    def info(self, address: Address, context: ProviderContext) -> PlayerInfo:
        """Return what is known about an address before it plays. By default the player is free and usable."""
        return PlayerInfo(self.summary)

    def pin_address(self, address: Address) -> Address:
        """Return the address as plans and logs hold it, with what its replies depend on. Raises `UnknownPlayer`."""
        return address

    def list_loading_models(self) -> list[str]:
        """Return a line for each model that is being loaded into this machine's memory: its name and the progress."""
        return []

    async def close(self) -> None:
        """Release connections and loaded models. The provider can be used again afterwards."""
        return
