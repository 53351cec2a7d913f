"""Models at OpenAI, and at any server that speaks its Chat Completions: openai/MODEL, SERVER/MODEL of players.toml.

Only what such servers have in common is relied on: text, pictures as data URLs, a finish reason, usage. Everything else
is sent if asked for; fields that the server rejects are left out and recorded as dropped.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, ClassVar

from engine.core.events import Json
from engine.core.replies import ReplyFormat
from players.common.chat import Turn, encode_base64
from players.common.constraint import make_constraint
from players.common.endpoint import Endpoint
from players.common.parameters import (
    Reader,
    make_choice_reader,
    make_integer_reader,
    make_number_reader,
    read_boolean,
    read_json_object,
    read_strings,
)
from players.common.remote import DETAIL_PARAMETER, ModelResponse, RemoteProvider, RequestField, make_json_schema
from players.common.request_errors import InvalidResponse
from players.common.server_constraints import SERVER_FIELDS
from players.common.streaming import ReplyStream

PARAMETER_READERS: dict[str, Reader] = {
    "temperature": make_number_reader(0, 2),
    "top_p": make_number_reader(0, 1),
    "max_tokens": make_integer_reader(1),
    "stop": read_strings,
    "seed": make_integer_reader(0),
    "presence_penalty": make_number_reader(-2, 2),
    "frequency_penalty": make_number_reader(-2, 2),
    "reasoning_effort": make_choice_reader("none", "minimal", "low", "medium", "high", "xhigh"),
    "constrain": read_boolean,
    "extra_body": read_json_object,
    "rules": make_choice_reader("user", "system"),
    "detail": make_choice_reader("low", "high", "auto"),
}
"""`constrain` restricts replies to the format's JSON schema; `extra_body` is a JSON object of a server's own fields;
`rules` says whose message the first one is; `detail` is how finely pictures are read."""
SAME_NAME_FIELDS = (
    "temperature",
    "top_p",
    "stop",
    "seed",
    "presence_penalty",
    "frequency_penalty",
    "reasoning_effort",
)
"""Parameters that are sent as a field of the same name."""
FIELD_ALIASES = {"presence_penalty": ("penalty",), "frequency_penalty": ("penalty",)}
"""Gemini: "Penalty is not enabled for this model"."""
SCHEMA_ALIASES = ("json_schema", "structured output", "structured outputs", "grammar", "guided")
ENVIRONMENT_HEADERS = ("OpenAI-Organization", "OpenAI-Project")
"""Headers that the package takes from the environment; only OpenAI itself receives them."""


class ChatCompletions:
    """The Chat Completions protocol."""

    package = "openai"
    path = "/chat/completions"
    parameters: Mapping[str, Reader] = PARAMETER_READERS

    def client(self, sdk: ModuleType, endpoint: Endpoint, http_client: Any) -> tuple[Any, Json]:
        """Return a client, and the headers of each request. Other servers receive no headers of the environment."""
        server = endpoint.server
        client = sdk.AsyncOpenAI(
            api_key=endpoint.read_key() or "none",
            base_url=server.base_url or "https://api.openai.com/v1",
            max_retries=0,
            timeout=server.timeout,
            default_headers=dict(server.headers),
            default_query=dict(server.query),
            http_client=http_client,
        )
        configured_headers = {header_name.lower() for header_name in server.headers}
        omitted_headers = {}
        if server.name not in ("openai", "responses"):
            header_lines = os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")
            environment_headers = [*ENVIRONMENT_HEADERS, *(line.partition(":")[0].strip() for line in header_lines)]
            omitted_headers = {
                header_name: sdk.Omit()
                for header_name in environment_headers
                if header_name and header_name.lower() not in configured_headers
            }
        if not endpoint.read_key() and "authorization" not in configured_headers:
            omitted_headers["Authorization"] = sdk.Omit()
        return client, omitted_headers

    def check(self, parameter_values: Json) -> None:
        """Accept all parameters together."""

    def conversation(self, turns: Sequence[Turn], parameter_values: Json) -> Json:
        """Return turns as messages. A turn without pictures is plain text, which every server accepts."""
        messages: list[Json] = []
        detail_level = {key: parameter_values[key] for key in (DETAIL_PARAMETER,) if key in parameter_values}
        for turn in turns:
            turn_content: str | list[Json] = turn.text
            if turn.pictures:
                urls = [f"data:{picture.media_type};base64,{encode_base64(picture.data)}" for picture in turn.pictures]
                pictures = [{"type": "image_url", "image_url": {"url": url, **detail_level}} for url in urls]
                turn_content = [*pictures, {"type": "text", "text": turn.text}]
            messages.append({"role": turn.role, "content": turn_content})
        return {"messages": messages}

    def make_cache_fields(self) -> list[RequestField]:
        """Return nothing: these servers keep conversations by themselves."""
        return []

    def fields(self, values: Json, reply_format: ReplyFormat[Any], endpoint: Endpoint) -> list[RequestField]:
        """Return the fields of parameters. All models at OpenAI accept max_completion_tokens, few elsewhere."""
        request_fields = [
            RequestField(key, values[key], key, FIELD_ALIASES.get(key, ())) for key in SAME_NAME_FIELDS if key in values
        ]
        if "max_tokens" in values:
            field_path = "max_tokens" if endpoint.server.base_url else "max_completion_tokens"
            request_fields.append(RequestField(field_path, values["max_tokens"], "max_tokens"))
        if values.get("constrain") and (schema := make_json_schema(reply_format)):
            constraint = {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema, "strict": True}}
            request_fields.append(RequestField("response_format", constraint, "constrain", SCHEMA_ALIASES))
        elif values.get("constrain"):
            request_fields += list_constraint_fields(endpoint, reply_format)
        request_fields += [
            RequestField(key, field_value, "extra_body") for key, field_value in values.get("extra_body", {}).items()
        ]
        return request_fields

    def read_response(self, response: Json) -> ModelResponse:
        """Return the contents of a response; a refusal is a reply like any other."""
        try:
            first_choice = response["choices"][0]
            reply_message = first_choice["message"]
            reply_text, thoughts = _split_content(reply_message.get("content"))
        except (LookupError, TypeError, AttributeError):
            raise InvalidResponse(f"its answer has no choices[0].message: {str(response)[:80]!r}") from None
        reasoning_text = reply_message.get("reasoning_content") or reply_message.get("reasoning") or thoughts
        token_usage = _dict_or_empty(response.get("usage"))
        refusal_text = "" if reply_text else str(reply_message.get("refusal") or "")
        return ModelResponse(
            text=reply_text or refusal_text,
            model=response.get("model"),
            finish=first_choice.get("finish_reason"),
            reasoning=reasoning_text if isinstance(reasoning_text, str) and reasoning_text else None,
            tokens_in=token_usage.get("prompt_tokens"),
            tokens_out=token_usage.get("completion_tokens"),
            tokens_reasoning=_dict_or_empty(token_usage.get("completion_tokens_details")).get("reasoning_tokens"),
            tokens_cached=_dict_or_empty(token_usage.get("prompt_tokens_details")).get("cached_tokens"),
            tokens_cache_write=_dict_or_empty(token_usage.get("prompt_tokens_details")).get("cache_write_tokens"),
            is_refusal=bool(refusal_text),
        )

    def new_stream(self) -> ReplyStream:
        """Return what puts a streamed completion together."""
        return CompletionStream()


class CompletionStream(ReplyStream):
    """The chunks of a streamed completion; the last one counts the tokens."""

    fields: ClassVar[Mapping[str, Any]] = {"stream": True, "stream_options": {"include_usage": True}}

    def add(self, event: Json) -> str:
        """Take in a chunk; return the text that it adds to the reply."""
        self.response |= {field_name: event[field_name] for field_name in ("model", "usage") if event.get(field_name)}
        choices = [event_choice for event_choice in event.get("choices") or () if not event_choice.get("index")]
        if not choices:
            return ""
        [first_choice] = self.response.setdefault("choices", [{"message": {}}])
        if finish_reason := choices[0].get("finish_reason"):
            first_choice["finish_reason"], self.is_complete = finish_reason, True
        delta = choices[0].get("delta") or {}
        new_text, thought_text = _split_content(delta.get("content"))
        reasoning_text = delta.get("reasoning_content") or delta.get("reasoning") or thought_text
        for field_name, delta_text in (
            ("content", new_text),
            ("reasoning_content", reasoning_text),
            ("refusal", delta.get("refusal")),
        ):
            if delta_text:
                first_choice["message"][field_name] = first_choice["message"].get(field_name, "") + delta_text
        return new_text


def list_constraint_fields(endpoint: Endpoint, reply_format: ReplyFormat[Any]) -> list[RequestField]:
    """Return the field with which a server constrains replies that are not JSON, nothing if it is not known how."""
    constraint_name, constraint = endpoint.server.constrain, make_constraint(reply_format)
    if constraint_name is None or constraint is None:
        return []
    field_path, field_value = SERVER_FIELDS[constraint_name](constraint)
    return [RequestField(field_path, field_value, "constrain", SCHEMA_ALIASES, constraint.kind)]


def _split_content(content: Any) -> tuple[str, str]:
    """Return the text and the reasoning of a message's content, which some servers send in parts."""
    if content is None or isinstance(content, str):
        return content or "", ""
    text_blocks = [content_block.get("text") or "" for content_block in content if content_block.get("type") == "text"]
    thoughts = [content_block.get("thinking") for content_block in content if content_block.get("type") == "thinking"]
    return "".join(text_blocks), "\n".join(thought_text for thought_text in thoughts if isinstance(thought_text, str))


def _dict_or_empty(json_value: Any) -> Json:
    return json_value if isinstance(json_value, dict) else {}


PROVIDER = RemoteProvider(
    "a model at OpenAI, or at any server that speaks its protocol: openai/MODEL", ChatCompletions()
)
