"""Models at Anthropic: anthropic/MODEL, and servers that speak its Messages protocol.

The current protocol has no temperature, top_p or seed: these parameters are recorded as dropped. So no player can rely
on temperature 0 with a Claude model.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from engine.core.events import Json
from engine.core.replies import ReplyFormat
from players.common.chat import Turn, encode_base64
from players.common.endpoint import Endpoint
from players.common.parameters import (
    Reader,
    make_choice_reader,
    make_integer_reader,
    make_number_reader,
    read_boolean,
    read_strings,
)
from players.common.remote import ModelResponse, RemoteProvider, RequestField, make_json_schema
from players.common.request_errors import ContextExceeded, InvalidResponse
from players.common.streaming import ReplyStream

MAX_TOKENS = 4096
"""Sent if the address has no limit: the protocol requires one. A budget for thinking is added to it."""
CONTEXT_FULL_STOP_REASON = "model_context_window_exceeded"
EMPTY_TURN_TEXT = "(nothing)"
"""Replaces a turn without text, such as an empty reply before a reminder: the protocol rejects empty turns."""


def read_thinking(parameter_text: str) -> Json:
    """Read how a model thinks: adaptive, disabled, or a budget of tokens."""
    if parameter_text == "disabled":
        return {"type": "disabled"}
    if parameter_text == "adaptive":
        return {"type": "adaptive", "display": "summarized"}
    if parameter_text.isdecimal() and int(parameter_text) >= 1024:
        return {"type": "enabled", "budget_tokens": int(parameter_text), "display": "summarized"}
    raise ValueError("must be adaptive, disabled, or a budget of at least 1024 tokens")


def _compute_thinking_budget(parameters: Json) -> int:
    """Return the tokens that may be spent on thinking, 0 without a budget."""
    budget: int = parameters.get("thinking", {}).get("budget_tokens", 0)
    return budget


PARAMETER_READERS: dict[str, Reader] = {
    "max_tokens": make_integer_reader(1),
    "stop": read_strings,
    "reasoning_effort": make_choice_reader("low", "medium", "high", "xhigh", "max"),
    "thinking": read_thinking,
    "constrain": read_boolean,
    "temperature": make_number_reader(0, 2),
    "top_p": make_number_reader(0, 1),
    "seed": make_integer_reader(0),
    "rules": make_choice_reader("user", "system"),
    "cache": read_boolean,
}
"""`rules` says whose message the first one is; `cache=false` keeps no conversation at the server."""
SCHEMA_ALIASES = ("json_schema", "structured output", "structured outputs")


class Messages:
    """The Messages protocol."""

    package = "anthropic"
    path = "/v1/messages"
    parameters: Mapping[str, Reader] = PARAMETER_READERS

    def client(self, sdk: ModuleType, endpoint: Endpoint, http_client: Any) -> tuple[Any, Json]:
        """Return a client, and the headers of each request. Other servers also receive the key as x-api-key."""
        server, is_foreign = endpoint.server, endpoint.server.base_url is not None
        configured_headers = {header.lower() for header in server.headers}
        sends_x_api_key = is_foreign and endpoint.read_key() and "x-api-key" not in configured_headers
        client = sdk.AsyncAnthropic(
            api_key=endpoint.read_key() or "none",
            base_url=(server.base_url or "https://api.anthropic.com").rstrip("/").removesuffix("/v1"),
            max_retries=0,
            timeout=server.timeout,
            default_headers={**({"x-api-key": endpoint.read_key()} if sends_x_api_key else {}), **server.headers},
            default_query=dict(server.query),
            http_client=http_client,
        )
        headers = {}
        if is_foreign:
            header_lines = os.environ.get("ANTHROPIC_CUSTOM_HEADERS", "").split("\n")
            header_names = [header for header_line in header_lines if (header := header_line.partition(":")[0].strip())]
            headers = {header: sdk.Omit() for header in header_names if header.lower() not in configured_headers}
        if not endpoint.read_key() and "authorization" not in configured_headers:
            headers["Authorization"] = sdk.Omit()
        return client, headers

    def conversation(self, turns: Sequence[Turn], parameters: Json) -> Json:
        """Return turns as messages of blocks, pictures first; the protocol has a field of its own for the system's."""
        messages: list[Json] = []
        system_field: Json = {}
        for turn in turns:
            if turn.role == "system":
                system_field = {"system": turn.text}
                continue
            image_sources = [
                {"type": "base64", "media_type": picture.media_type, "data": encode_base64(picture.data)}
                for picture in turn.pictures
            ]
            pictures = [{"type": "image", "source": image_source} for image_source in image_sources]
            turn_text = turn.text if turn.text.strip() else EMPTY_TURN_TEXT
            messages.append({"role": turn.role, "content": [*pictures, {"type": "text", "text": turn_text}]})
        return {**system_field, "messages": messages}

    def make_cache_fields(self) -> list[RequestField]:
        """Return the field with which the server keeps the conversation up to its last message, for five minutes."""
        return [RequestField("cache_control", {"type": "ephemeral"}, "cache")]

    def check(self, parameters: Json) -> None:
        """Raise ValueError if a reply has no room after the budget for thinking, which counts as part of the reply."""
        budget = _compute_thinking_budget(parameters)
        if budget and parameters.get("max_tokens", budget + 1) <= budget:
            raise ValueError(
                f"thinking={budget} needs max_tokens of more than {budget}, not {parameters['max_tokens']}: thinking "
                f"counts as part of the reply. Without max_tokens, {MAX_TOKENS} tokens are left for the rest"
            )

    def fields(self, parameters: Json, reply_format: ReplyFormat[Any], endpoint: Endpoint) -> list[RequestField]:
        """Return the fields of the parameters that the protocol has."""
        max_tokens = parameters.get("max_tokens", MAX_TOKENS + _compute_thinking_budget(parameters))
        fields = [RequestField("max_tokens", max_tokens, "max_tokens")]
        if "stop" in parameters:
            fields.append(RequestField("stop_sequences", parameters["stop"], "stop"))
        if "thinking" in parameters:
            fields.append(RequestField("thinking", parameters["thinking"], "thinking"))
        if "reasoning_effort" in parameters:
            reasoning_effort = parameters["reasoning_effort"]
            fields.append(RequestField("output_config.effort", reasoning_effort, "reasoning_effort", ("effort",)))
        if parameters.get("constrain") and (reply_schema := make_json_schema(reply_format)):
            constraint = {"type": "json_schema", "schema": reply_schema}
            fields.append(RequestField("output_config.format", constraint, "constrain", SCHEMA_ALIASES))
        return fields

    def read_response(self, response: Json) -> ModelResponse:
        """Return the contents of a response: its reasoning apart from the text. A refusal is a reply like any other."""
        content_blocks = response.get("content")
        if not isinstance(content_blocks, list) or not all(isinstance(block, dict) for block in content_blocks):
            raise InvalidResponse(f"its answer has no content: {str(response)[:80]!r}")
        thoughts = [block["thinking"] for block in content_blocks if block.get("thinking")]
        token_usage = response.get("usage")
        token_usage = token_usage if isinstance(token_usage, dict) else {}
        reply_text = "".join(block.get("text", "") for block in content_blocks if block.get("type") == "text")
        if response.get("stop_reason") == CONTEXT_FULL_STOP_REASON and not reply_text.strip():
            raise ContextExceeded(f"its context is full ({CONTEXT_FULL_STOP_REASON})")
        token_details = token_usage.get("output_tokens_details") or {}
        input_counts = [
            token_usage.get(field_name)
            for field_name in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        ]
        return ModelResponse(
            text=reply_text,
            model=response.get("model"),
            finish=response.get("stop_reason"),
            reasoning="\n".join(thoughts) or None,
            tokens_in=sum(token_count or 0 for token_count in input_counts) if input_counts[0] is not None else None,
            tokens_out=token_usage.get("output_tokens"),
            tokens_reasoning=token_details.get("thinking_tokens"),
            tokens_cached=token_usage.get("cache_read_input_tokens"),
            tokens_cache_write=token_usage.get("cache_creation_input_tokens"),
        )

    def new_stream(self) -> ReplyStream:
        """Return what puts a streamed message together."""
        return MessageStream()


class MessageStream(ReplyStream):
    """The events of a streamed message: its beginning, blocks with their deltas, and its end."""

    def add(self, event: Json) -> str:
        """Take in an event; return the text that it adds to the reply."""
        match event:
            case {"type": "message_start", "message": start_message}:
                self.response = {**start_message, "content": []}
            case {"type": "content_block_start", "content_block": block}:
                self.response["content"].append(dict(block))
                return str(block.get("text", ""))
            case {"type": "content_block_delta", "index": int(block_index), "delta": delta}:
                content_block = self.response["content"][block_index]
                content_block |= {
                    name: content_block.get(name, "") + delta[name] for name in ("text", "thinking") if name in delta
                }
                return str(delta.get("text", ""))
            case {"type": "message_delta", "delta": delta}:
                token_usage = {**(self.response.get("usage") or {}), **(event.get("usage") or {})}
                self.response |= {**delta, "usage": token_usage}
            case {"type": "message_stop"}:
                self.is_complete = True
        return ""


PROVIDER = RemoteProvider("a model at Anthropic: anthropic/MODEL", Messages())
