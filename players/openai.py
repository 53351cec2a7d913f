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
from players.common.constraint import constraint_of
from players.common.endpoint import Endpoint
from players.common.parameters import Reader, boolean, choice, json_object, number, strings, whole_number
from players.common.remote import DETAIL_PARAMETER, ModelResponse, RemoteProvider, RequestField, json_schema
from players.common.request_errors import InvalidResponse
from players.common.server_constraints import SERVER_FIELDS
from players.common.streaming import ReplyStream

PARAMETERS: dict[str, Reader] = {
    "temperature": number(0, 2),
    "top_p": number(0, 1),
    "max_tokens": whole_number(1),
    "stop": strings,
    "seed": whole_number(0),
    "presence_penalty": number(-2, 2),
    "frequency_penalty": number(-2, 2),
    "reasoning_effort": choice("none", "minimal", "low", "medium", "high", "xhigh"),
    "constrain": boolean,
    "extra_body": json_object,
    "rules": choice("user", "system"),
    "detail": choice("low", "high", "auto"),
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
    parameters: Mapping[str, Reader] = PARAMETERS

    def client(self, sdk: ModuleType, endpoint: Endpoint, http_client: Any) -> tuple[Any, Json]:
        """Return a client, and the headers of each request. Other servers receive no headers of the environment."""
        server = endpoint.server
        client = sdk.AsyncOpenAI(
            api_key=endpoint.key() or "none",
            base_url=server.base_url or "https://api.openai.com/v1",
            max_retries=0,
            timeout=server.timeout,
            default_headers=dict(server.headers),
            default_query=dict(server.query),
            http_client=http_client,
        )
        configured_headers = {name.lower() for name in server.headers}
        headers = {}
        if server.name not in ("openai", "responses"):
            lines = os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")
            environment_headers = [*ENVIRONMENT_HEADERS, *(line.partition(":")[0].strip() for line in lines)]
            headers = {
                name: sdk.Omit() for name in environment_headers if name and name.lower() not in configured_headers
            }
        if not endpoint.key() and "authorization" not in configured_headers:
            headers["Authorization"] = sdk.Omit()
        return client, headers

    def check(self, values: Json) -> None:
        """Accept all parameters together."""

    def conversation(self, turns: Sequence[Turn], values: Json) -> Json:
        """Return turns as messages. A turn without pictures is plain text, which every server accepts."""
        messages: list[Json] = []
        detail_level = {name: values[name] for name in (DETAIL_PARAMETER,) if name in values}
        for turn in turns:
            content: str | list[Json] = turn.text
            if turn.pictures:
                urls = [f"data:{picture.media_type};base64,{encode_base64(picture.data)}" for picture in turn.pictures]
                pictures = [{"type": "image_url", "image_url": {"url": url, **detail_level}} for url in urls]
                content = [*pictures, {"type": "text", "text": turn.text}]
            messages.append({"role": turn.role, "content": content})
        return {"messages": messages}

    def cache_fields(self) -> list[RequestField]:
        """Return nothing: these servers keep conversations by themselves."""
        return []

    def fields(self, values: Json, reply_format: ReplyFormat[Any], endpoint: Endpoint) -> list[RequestField]:
        """Return the fields of parameters. All models at OpenAI accept max_completion_tokens, few elsewhere."""
        fields = [
            RequestField(name, values[name], name, FIELD_ALIASES.get(name, ()))
            for name in SAME_NAME_FIELDS
            if name in values
        ]
        if "max_tokens" in values:
            path = "max_tokens" if endpoint.server.base_url else "max_completion_tokens"
            fields.append(RequestField(path, values["max_tokens"], "max_tokens"))
        if values.get("constrain") and (schema := json_schema(reply_format)):
            constraint = {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema, "strict": True}}
            fields.append(RequestField("response_format", constraint, "constrain", SCHEMA_ALIASES))
        elif values.get("constrain"):
            fields += server_constraint_fields(endpoint, reply_format)
        fields += [RequestField(name, value, "extra_body") for name, value in values.get("extra_body", {}).items()]
        return fields

    def read_response(self, data: Json) -> ModelResponse:
        """Return the contents of a response; a refusal is a reply like any other."""
        try:
            first_choice = data["choices"][0]
            message = first_choice["message"]
            text, thoughts = _split_content(message.get("content"))
        except (LookupError, TypeError, AttributeError):
            raise InvalidResponse(f"its answer has no choices[0].message: {str(data)[:80]!r}") from None
        reasoning = message.get("reasoning_content") or message.get("reasoning") or thoughts
        usage = _object_or_empty(data.get("usage"))
        refusal = "" if text else str(message.get("refusal") or "")
        return ModelResponse(
            text=text or refusal,
            model=data.get("model"),
            finish=first_choice.get("finish_reason"),
            reasoning=reasoning if isinstance(reasoning, str) and reasoning else None,
            tokens_in=usage.get("prompt_tokens"),
            tokens_out=usage.get("completion_tokens"),
            tokens_reasoning=_object_or_empty(usage.get("completion_tokens_details")).get("reasoning_tokens"),
            tokens_cached=_object_or_empty(usage.get("prompt_tokens_details")).get("cached_tokens"),
            tokens_cache_write=_object_or_empty(usage.get("prompt_tokens_details")).get("cache_write_tokens"),
            refused=bool(refusal),
        )

    def new_stream(self) -> ReplyStream:
        """Return what puts a streamed completion together."""
        return CompletionStream()


class CompletionStream(ReplyStream):
    """The chunks of a streamed completion; the last one counts the tokens."""

    fields: ClassVar[Mapping[str, Any]] = {"stream": True, "stream_options": {"include_usage": True}}

    def add(self, event: Json) -> str:
        """Take in a chunk; return the text that it adds to the reply."""
        self.response |= {name: event[name] for name in ("model", "usage") if event.get(name)}
        choices = [choice for choice in event.get("choices") or () if not choice.get("index")]
        if not choices:
            return ""
        [first_choice] = self.response.setdefault("choices", [{"message": {}}])
        if reason := choices[0].get("finish_reason"):
            first_choice["finish_reason"], self.is_complete = reason, True
        delta = choices[0].get("delta") or {}
        text, thought = _split_content(delta.get("content"))
        reasoning = delta.get("reasoning_content") or delta.get("reasoning") or thought
        for name, delta_text in (
            ("content", text),
            ("reasoning_content", reasoning),
            ("refusal", delta.get("refusal")),
        ):
            if delta_text:
                first_choice["message"][name] = first_choice["message"].get(name, "") + delta_text
        return text


def server_constraint_fields(endpoint: Endpoint, reply_format: ReplyFormat[Any]) -> list[RequestField]:
    """Return the field with which a server constrains replies that are not JSON, nothing if it is not known how."""
    name, constraint = endpoint.server.constrain, constraint_of(reply_format)
    if name is None or constraint is None:
        return []
    path, value = SERVER_FIELDS[name](constraint)
    return [RequestField(path, value, "constrain", SCHEMA_ALIASES, constraint.kind)]


def _split_content(content: Any) -> tuple[str, str]:
    """Return the text and the reasoning of a message's content, which some servers send in parts."""
    if content is None or isinstance(content, str):
        return content or "", ""
    texts = [content_block.get("text") or "" for content_block in content if content_block.get("type") == "text"]
    thoughts = [content_block.get("thinking") for content_block in content if content_block.get("type") == "thinking"]
    return "".join(texts), "\n".join(thought for thought in thoughts if isinstance(thought, str))


def _object_or_empty(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


PROVIDER = RemoteProvider(
    "a model at OpenAI, or at any server that speaks its protocol: openai/MODEL", ChatCompletions()
)
