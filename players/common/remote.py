"""A model behind a network: what is the same whichever protocol its server speaks.

A `Wire` says how a request is written and an answer read; `Remote` is the player: limits, attempts, timeouts, what a
server refused, the cache, and the record of what was really sent. The vendor's package is imported at the first
reply, in a thread. The package's own retries are off, so that every attempt is counted and limited here.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any, Protocol

from engine.core.events import Json, digest
from engine.core.player import (
    Address,
    ModelInfo,
    Player,
    PlayerFault,
    PlayerInfo,
    Provider,
    ProviderContext,
    Reply,
    UnknownPlayer,
)
from engine.core.replies import ReplyFormat
from engine.core.tokens import cost_of, estimate_tokens
from engine.core.views import SeatView
from engine.storage.reply_cache import Cache
from players.common import parameters
from players.common.chat import Turn, digest_of, draws, turns
from players.common.endpoint import Endpoint
from players.common.limits import PATIENCE, Limiter, PerLoop, backoff
from players.common.troubles import Garbled, Refused, TooMuch, Trouble, Unreachable, of_vendor

REPLY_TOKENS = 300
"""A guess, for the limit of tokens a minute, put right when the answer says."""

REFUSALS = 3
"""At least so many 429 in a row before those who wait are refused, too."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a request beside model and messages: where it stands (dotted), and the parameter it is there for."""

    place: str
    value: Any
    of: str
    words: tuple[str, ...] = ()
    """Other words by which a server may name it when it refuses it."""


COUNTS = ("tokens_in", "tokens_out", "tokens_reasoning", "tokens_cached")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered; None where it did not say."""

    text: str
    model: str | None = None
    finish: str | None = None
    reasoning: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_reasoning: int | None = None
    tokens_cached: int | None = None

    def __post_init__(self) -> None:
        for name in COUNTS:
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                object.__setattr__(self, name, None)  # a count in another form is none

    def known(self) -> Json:
        """Return what is known of the reply, by the names of `Reply.meta`."""
        names = ("model", "finish", "reasoning", *COUNTS)
        return {name: value for name in names if (value := getattr(self, name)) is not None}


class Wire(Protocol):
    """A protocol that servers speak."""

    package: str
    """The vendor's package that carries it, and the extra of ours that installs it."""
    path: str
    parameters: Mapping[str, parameters.Reader]

    def client(self, sdk: ModuleType, endpoint: Endpoint) -> tuple[Any, Json]:
        """Return a client of the package without retries, and the headers of each request."""
        ...

    def messages(self, said: Sequence[Turn]) -> list[Json]:
        """Return turns as the messages of a request."""
        ...

    def fields(self, values: Json, reply: ReplyFormat[Any], endpoint: Endpoint) -> list[Field]:
        """Return the fields that carry parameters. What has none in this protocol is left out."""
        ...

    def answer(self, data: Json) -> Answer:
        """Return what a response says. Raises `Garbled` for one of another protocol."""
        ...


# ---------------------------------------------------------------------- what a server takes
SWAPPED = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
"""Two names of one thing: some models take only the one, some servers only the other."""
NOT_TAKEN = re.compile(
    r"unsupported|not (currently |yet )?(support|allow|permit|accept|implement|recogni|available)|n't support"
    r"|unknown|unrecogni|unexpected|extra (inputs|fields)|deprecated|instead",
    re.IGNORECASE,
)


@dataclass
class Habits:
    """What one model at one server turned out to take."""

    refused: set[str] = field(default_factory=set)
    renamed: dict[str, str] = field(default_factory=dict)

    def taken(self, fields: Sequence[Field]) -> list[Field]:
        """Return the fields that are worth sending, under the names that are taken."""
        kept = [one for one in fields if one.place not in self.refused]
        return [replace(one, place=self.renamed.get(one.place, one.place)) for one in kept]

    def learn(self, refused: Refused, sent: Sequence[Field]) -> None:
        """Remember which of the sent fields a refusal names as not taken; a value that is out of range is not that."""
        if not NOT_TAKEN.search(f"{refused} {refused.code}"):
            return
        for one in sent:
            if not _names(refused, one):
                continue
            if one.place not in SWAPPED:
                self.refused.add(one.place)
            elif one.place not in self.renamed.values():  # else it takes neither name
                self.renamed[one.place] = SWAPPED[one.place]


def _names(refused: Refused, one: Field) -> bool:
    if refused.parameter:
        return refused.parameter == one.place or refused.parameter.startswith((f"{one.place}.", f"{one.place}["))
    words = "|".join(re.escape(word) for word in (one.place, *one.words))
    return bool(re.search(rf"(?<![\w.])(?:{words})(?!\w)", str(refused), re.IGNORECASE))


def placed(fields: Sequence[Field]) -> Json:
    """Return fields as nested JSON: `a.b` stands in the object `a`."""
    body: Json = {}
    for one in fields:
        *outer, last = one.place.split(".")
        inside = body
        for name in outer:
            inside = inside.setdefault(name, {})
        inside[last] = one.value
    return body


def json_schema(reply: ReplyFormat[Any]) -> Json | None:
    """Return the schema a reply can be held to, None where it is no JSON object: a word in quotes is another reply."""
    schema = reply.schema()
    return schema if schema and schema.get("type") == "object" else None


# ---------------------------------------------------------------------- the player
_CLIENTS: defaultdict[str, PerLoop[tuple[Any, Json, ModuleType]]] = defaultdict(PerLoop)
"""Clients by package."""
_LIMITERS: PerLoop[Limiter] = PerLoop()
_LOADING: PerLoop[asyncio.Lock] = PerLoop()
_HABITS: dict[tuple[Any, ...], Habits] = {}


class Remote(Player):
    """A model at a server. `values` are the address's parameters of play."""

    def __init__(
        self, wire: Wire, endpoint: Endpoint, address: Address, about: ModelInfo, values: Json, cache: Cache | None
    ) -> None:
        self._wire, self._endpoint, self._about, self._cache = wire, endpoint, about, cache
        self._name, self._model, self._values = address.model, address.name, values
        self._habits = _HABITS.setdefault((*endpoint.id, address.name), Habits())

    async def reply(self, view: SeatView) -> Reply:
        """Ask the model. Raises `PlayerFault` with the cause and the next step."""
        try:
            said = await asyncio.to_thread(turns, view, self._about.pictures) if draws(view) else turns(view)
        except PlayerFault as fault:
            raise PlayerFault(f"{self._name}: {fault}") from None
        fields = self._wire.fields(self._values, view.ask.format, self._endpoint)
        if not self._cache:
            return await self._ask(said, fields)
        key = digest([self._prompt(said, fields), sorted(self._endpoint.server.headers.items())])
        reply = await asyncio.to_thread(self._cache.find, key)
        if reply is None:
            reply = await self._ask(said, fields)
            await asyncio.to_thread(self._cache.keep, key, reply)
        return reply

    async def _ask(self, said: Sequence[Turn], fields: Sequence[Field]) -> Reply:
        """Send the request until it is answered or given up."""
        server, loop = self._endpoint.server, asyncio.get_running_loop()
        limiter = _limiter(self._endpoint)
        messages, tokens = self._wire.messages(said), self._guess(said)
        attempts = failures = 0
        while True:
            sent = self._habits.taken(fields)
            body = {"model": self._model, "messages": messages, **placed(sent)}
            trouble: Trouble
            try:
                async with limiter.visit(tokens) as visit:
                    client, headers, sdk = await self._connected()
                    attempts, started = attempts + 1, loop.time()
                    try:
                        answer = await self._send(client, headers, sdk, body)
                        visit.answered((answer.tokens_in or 0) + (answer.tokens_out or 0) or None)
                        return Reply(answer.text, self._record(said, fields, sent, answer, attempts, started))
                    except TooMuch as refusal:
                        visit.refused(refusal, max(server.attempts, REFUSALS))
                        raise
            except Trouble as happened:
                trouble = happened
                trouble.args = (self._endpoint.hidden(str(trouble)),)  # some servers say the key they were sent
            if isinstance(trouble, Refused):
                self._habits.learn(trouble, sent)
                if self._habits.taken(fields) != sent:
                    continue
            failures += 1
            wait = trouble.retry_after or 0.0
            if not trouble.passing or failures >= server.attempts or wait > PATIENCE or not attempts:
                raise self._fault(trouble, attempts, wait)
            if not isinstance(trouble, TooMuch):  # for that, the limiter waits, and everybody with it
                await asyncio.sleep(max(backoff(failures), wait))

    async def _send(self, client: Any, headers: Json, sdk: ModuleType, body: Json) -> Answer:
        """Send one request. Raises a `Trouble`."""
        seconds = self._endpoint.server.timeout
        options = {"headers": headers, "max_retries": 0, "timeout": seconds}
        data: Any = None
        trouble: Trouble | None = None
        try:
            async with asyncio.timeout(seconds):
                data = await client.post(self._wire.path, body=body, cast_to=object, options=options)
        except TimeoutError:
            trouble = Unreachable(f"no answer within {seconds:g} s")
        except Exception as error:
            trouble = of_vendor(error, sdk)
        if trouble:  # raised here, so that the package's error, which holds the request, is not carried along
            raise trouble
        if not isinstance(data, dict):
            raise Garbled(f"it answered with something that is no JSON object: {str(data)[:60]!r}")
        return self._wire.answer(data)

    async def _connected(self) -> tuple[Any, Json, ModuleType]:
        """Return a client shared by all who play at this server, the headers to send, and the vendor's package."""
        package, clients = self._wire.package, _CLIENTS[self._wire.package]
        if kept := clients.find(self._endpoint.id):
            return kept
        if why := uninstalled(self._wire) or self._endpoint.lacks():
            raise PlayerFault(f"{self._name}: {why}")
        async with _LOADING.get(package, asyncio.Lock):
            sdk = await asyncio.to_thread(importlib.import_module, package)
        return clients.get(self._endpoint.id, lambda: (*self._wire.client(sdk, self._endpoint), sdk))

    def _record(
        self,
        said: Sequence[Turn],
        asked: Sequence[Field],
        sent: Sequence[Field],
        answer: Answer,
        attempts: int,
        started: float,
    ) -> Json:
        """Return what is known about a reply (`engine.core.player.Reply`)."""
        carried = {one.of for one in sent}
        wanted = {name for name, value in self._values.items() if value is not False}
        shown = [[one.width, one.height, one.media_type] for turn in said for one in turn.pictures]
        meta = answer.known() | {
            "sent": {one.place: one.value for one in sent if one.of != "constrain"},
            "prompt": self._prompt(said, sent),
            "attempts": attempts,
            "seconds": round(asyncio.get_running_loop().time() - started, 6),
        }
        if dropped := sorted(wanted - carried | {one.of for one in asked} - carried):
            meta["dropped"] = dropped
        if shown:
            meta["pictures"] = shown
        if "constrain" in carried:
            meta["constrained"] = "schema"
        if answer.tokens_in is None or answer.tokens_out is None:  # a budget must hold with such servers, too
            meta |= {"tokens_in": round(self._read(said)), "tokens_out": round(estimate_tokens(len(answer.text)))}
            meta["estimated"] = True
        if self._about.price:
            meta["cost"] = round(cost_of(meta["tokens_in"], meta["tokens_out"], self._about.price), 9)
        return meta

    def _prompt(self, said: Sequence[Turn], fields: Sequence[Field]) -> str:
        """Return the digest of everything that is sent with these fields, keys and headers apart."""
        conversation = [[turn.role, turn.text, [digest_of(one.data) for one in turn.pictures]] for turn in said]
        return digest([self._wire.package, self._endpoint.server.base_url, self._model, conversation, placed(fields)])

    def _guess(self, said: Sequence[Turn]) -> float:
        """Return about how many tokens a request takes."""
        reply: int = min(self._values.get("max_tokens", REPLY_TOKENS), REPLY_TOKENS)
        return self._read(said) + reply

    @staticmethod
    def _read(said: Sequence[Turn]) -> float:
        """Return about how many tokens a prompt has."""
        return estimate_tokens(sum(len(turn.text) for turn in said), sum(len(turn.pictures) for turn in said))

    def _fault(self, trouble: Trouble, attempts: int, wait: float) -> PlayerFault:
        tried = f" ({attempts} attempts)" if attempts > 1 else ""
        asks = f"; it asks to wait {wait:,.0f} s" if wait > PATIENCE else ""
        step = f"; {trouble.next_step}" if trouble.next_step else ""
        return PlayerFault(f"{self._name} gave no answer: {trouble}{tried}{asks}{step}")


def _limiter(endpoint: Endpoint) -> Limiter:
    server = endpoint.server

    def make() -> Limiter:
        return Limiter(
            requests_per_minute=server.requests_per_minute,
            tokens_per_minute=server.tokens_per_minute,
            most=server.concurrency,
        )

    return _LIMITERS.get(endpoint.id, make)


# ---------------------------------------------------------------------- the provider
def uninstalled(wire: Wire) -> str | None:
    """Say what is to be installed, None when nothing is."""
    if importlib.util.find_spec(wire.package):
        return None
    return (
        f"the package {wire.package} is not installed: .venv/bin/pip install -c constraints.txt -e '.[{wire.package}]'"
    )


async def disconnect(wire: Wire) -> None:
    """Close the clients of a wire in the running loop; the next reply makes new ones."""
    for client, _, _ in _CLIENTS[wire.package].take():
        await client.close()


class RemoteProvider(Provider):
    """Makes players of models at servers that speak one protocol."""

    def __init__(self, summary: str, wire: Wire) -> None:
        self.summary, self.wire = summary, wire

    def make(self, address: Address, seat: str, context: ProviderContext) -> Player:
        """Return the player of an address. Raises `UnknownPlayer`; nothing is imported or requested yet."""
        if not address.name:
            raise UnknownPlayer(f"which model? write {address.provider}/MODEL")
        endpoint = Endpoint.of(address, context)
        values = parameters.read(address, self.wire.parameters, besides=parameters.CONNECTION)
        cache = Cache(context.cache) if context.cache else None
        return Remote(self.wire, endpoint, address, context.model(address), values, cache)

    def info(self, address: Address, context: ProviderContext) -> PlayerInfo:
        """Return what is known about an address before it plays.

        A model without a price counts as paid, unless its server runs on this machine and needs no key.
        """
        model = context.model(address)
        endpoint = Endpoint.of(address, context)
        is_free = endpoint.is_here and not endpoint.server.key_env
        return PlayerInfo(
            model.summary or self.summary,
            unusable_reason=uninstalled(self.wire) or endpoint.lacks(),
            max_pictures=model.pictures,
            is_paid=any(model.price) if model.price else not is_free,
            price=model.price,
        )

    async def close(self) -> None:
        """Close the connections of this event loop."""
        await disconnect(self.wire)
