"""Models at Anthropic: anthropic/MODEL, and servers that speak its Messages protocol.

The present protocol takes no temperature, top_p or seed: asked for, they are recorded as dropped. "Temperature 0" is
therefore never promised for a Claude.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from engine.core.events import Json
from engine.core.replies import ReplyFormat
from players.common import remote
from players.common.chat import Turn, base64_of
from players.common.endpoint import Endpoint
from players.common.parameters import Reader, choice, flag, number, texts, whole
from players.common.remote import Answer, Field, RemoteProvider
from players.common.troubles import Garbled

MAX_TOKENS = 4096
"""Sent where nothing is asked for: the protocol wants a limit."""
EMPTY = "(nothing)"
"""Stands for a turn without text, such as an empty reply before a reminder: the protocol takes no empty one."""


def thinking(text: str) -> Json:
    """Read how a model is to think: adaptive, disabled, or a budget of tokens."""
    if text == "disabled":
        return {"type": "disabled"}
    if text == "adaptive":
        return {"type": "adaptive", "display": "summarized"}
    if text.isdecimal() and int(text) >= 1024:
        return {"type": "enabled", "budget_tokens": int(text), "display": "summarized"}
    raise ValueError("adaptive, disabled, or a budget of at least 1024 tokens is wanted")


PARAMETERS: dict[str, Reader] = {
    "max_tokens": whole(1),
    "stop": texts,
    "reasoning_effort": choice("low", "medium", "high", "xhigh", "max"),
    "thinking": thinking,
    "constrain": flag,
    "temperature": number(0, 2),
    "top_p": number(0, 1),
    "seed": whole(0),
}


class Messages:
    """The Messages protocol."""

    package = "anthropic"
    path = "/v1/messages"
    parameters: Mapping[str, Reader] = PARAMETERS

    def client(self, sdk: ModuleType, endpoint: Endpoint) -> tuple[Any, Json]:
        """Return a client, and the headers of each request. Servers of others get the key as x-api-key, too."""
        server, foreign = endpoint.server, endpoint.server.base_url is not None
        named = {name.lower() for name in server.headers}
        older = {"x-api-key": endpoint.key()} if foreign and endpoint.key() and "x-api-key" not in named else {}
        client = sdk.AsyncAnthropic(
            api_key=endpoint.key() or "none",
            base_url=(server.base_url or "https://api.anthropic.com").rstrip("/").removesuffix("/v1"),
            max_retries=0,
            timeout=server.timeout,
            default_headers={**older, **server.headers},
            http_client=sdk.DefaultAioHttpClient(timeout=server.timeout),  # httpx looks at all connections each time
        )
        headers = {}
        if foreign:
            lines = os.environ.get("ANTHROPIC_CUSTOM_HEADERS", "").split("\n")
            ambient = [name for line in lines if (name := line.partition(":")[0].strip())]
            headers = {name: sdk.Omit() for name in ambient if name.lower() not in named}
        if not endpoint.key() and "authorization" not in named:
            headers["Authorization"] = sdk.Omit()
        return client, headers

    def messages(self, said: Sequence[Turn]) -> list[Json]:
        """Return turns as messages of blocks, pictures first."""
        made: list[Json] = []
        for turn in said:
            sources = [
                {"type": "base64", "media_type": one.media_type, "data": base64_of(one.data)} for one in turn.pictures
            ]
            shown = [{"type": "image", "source": source} for source in sources]
            text = turn.text if turn.text.strip() else EMPTY
            made.append({"role": turn.role, "content": [*shown, {"type": "text", "text": text}]})
        return made

    def fields(self, values: Json, reply: ReplyFormat[Any], endpoint: Endpoint) -> list[Field]:
        """Return the fields of parameters that the protocol has."""
        made = [Field("max_tokens", values.get("max_tokens", MAX_TOKENS), "max_tokens")]
        if "stop" in values:
            made.append(Field("stop_sequences", values["stop"], "stop"))
        if "thinking" in values:
            made.append(Field("thinking", values["thinking"], "thinking"))
        if "reasoning_effort" in values:
            made.append(Field("output_config.effort", values["reasoning_effort"], "reasoning_effort", ("effort",)))
        if values.get("constrain") and (schema := remote.json_schema(reply)):
            wanted = {"type": "json_schema", "schema": schema}
            made.append(
                Field(
                    "output_config.format",
                    wanted,
                    "constrain",
                    ("json_schema", "structured output", "structured outputs"),
                )
            )
        return made

    def answer(self, data: Json) -> Answer:
        """Return what a response says; thinking is kept apart, a refusal is a reply like any other."""
        blocks = data.get("content")
        if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
            raise Garbled(f"its answer has no content: {str(data)[:80]!r}")
        thoughts = [block["thinking"] for block in blocks if block.get("thinking")]
        found = data.get("usage")
        usage = found if isinstance(found, dict) else {}
        details = usage.get("output_tokens_details") or {}
        into = [usage.get(name) for name in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")]
        return Answer(
            text="".join(block.get("text", "") for block in blocks if block.get("type") == "text"),
            model=data.get("model"),
            finish=data.get("stop_reason"),
            reasoning="\n".join(thoughts) or None,
            tokens_in=sum(number or 0 for number in into) if into[0] is not None else None,
            tokens_out=usage.get("output_tokens"),
            tokens_reasoning=details.get("thinking_tokens"),
            tokens_cached=usage.get("cache_read_input_tokens"),
        )


PROVIDER = RemoteProvider("a model at Anthropic: anthropic/MODEL", Messages())
