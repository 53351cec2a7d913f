"""Models at OpenAI through its Responses API: responses/MODEL, and servers with api = "responses" in players.toml.

It differs from Chat Completions in one thing that matters here: a model gets back what it thought before its earlier
replies, encrypted, so that it need not think again. Nothing is stored at the server. Summaries of what a model thought
(`reasoning_summary`) are recorded apart from the reply, as all reasoning is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.events import Json
from engine.core.replies import ReplyFormat
from players.common.chat import Turn, encode_base64
from players.common.endpoint import Endpoint
from players.common.parameters import Reader, make_choice_reader
from players.common.remote import DETAIL_PARAMETER, ModelResponse, RemoteProvider, RequestField, make_json_schema
from players.common.request_errors import InvalidResponse
from players.common.streaming import ReplyStream
from players.openai import PARAMETER_READERS, SCHEMA_ALIASES, ChatCompletions

SAME_NAME_FIELDS = ("temperature", "top_p")
UNSUPPORTED_PARAMETERS = ("stop", "seed", "presence_penalty", "frequency_penalty")
"""Parameters of Chat Completions that this protocol does not have."""


class Responses(ChatCompletions):
    """The Responses protocol."""

    path = "/responses"
    parameters: Mapping[str, Reader] = {
        **{name: reader for name, reader in PARAMETER_READERS.items() if name not in UNSUPPORTED_PARAMETERS},
        "reasoning_summary": make_choice_reader("auto", "concise", "detailed"),
    }

    def conversation(self, turns: Sequence[Turn], parameter_values: Json) -> Json:
        """Return turns as input items; reasoning stands before the reply that it led to."""
        input_items: list[Json] = []
        detail_level = {key: parameter_values[key] for key in (DETAIL_PARAMETER,) if key in parameter_values}
        for turn in turns:
            turn_content: str | list[Json] = turn.text
            if turn.pictures:
                urls = [f"data:{picture.media_type};base64,{encode_base64(picture.data)}" for picture in turn.pictures]
                pictures = [{"type": "input_image", "image_url": url, **detail_level} for url in urls]
                turn_content = [*pictures, {"type": "input_text", "text": turn.text}]
            input_items += [*map(dict, turn.reasoning_items), {"role": turn.role, "content": turn_content}]
        return {"input": input_items}

    def fields(self, values: Json, reply_format: ReplyFormat[Any], endpoint: Endpoint) -> list[RequestField]:
        """Return the fields of parameters, and those with which the server stores nothing and returns reasoning."""
        request_fields = [
            RequestField("store", False, "store"),
            RequestField("include", ["reasoning.encrypted_content"], "include"),
        ]
        request_fields += [RequestField(key, values[key], key) for key in SAME_NAME_FIELDS if key in values]
        for field_path, key in (
            ("max_output_tokens", "max_tokens"),
            ("reasoning.effort", "reasoning_effort"),
            ("reasoning.summary", "reasoning_summary"),
        ):
            if key in values:
                request_fields.append(RequestField(field_path, values[key], key))
        if values.get("constrain") and (reply_schema := make_json_schema(reply_format)):
            constraint = {"type": "json_schema", "name": "reply", "schema": reply_schema, "strict": True}
            request_fields.append(RequestField("text.format", constraint, "constrain", SCHEMA_ALIASES))
        request_fields += [
            RequestField(key, field_value, "extra_body") for key, field_value in values.get("extra_body", {}).items()
        ]
        return request_fields

    def read_response(self, response: Json) -> ModelResponse:
        """Return the contents of a response: the text, what the model thought, and what it wants back."""
        output_items = response.get("output")
        if not isinstance(output_items, list) or not all(isinstance(item, dict) for item in output_items):
            raise InvalidResponse(f"its answer has no output: {str(response)[:80]!r}")
        content_parts = [
            content_part
            for item in output_items
            if item.get("type") == "message"
            for content_part in _list_output_parts(item, "content")
        ]
        text = "".join(
            str(content_part.get("text") or "")
            for content_part in content_parts
            if content_part.get("type") == "output_text"
        )
        refusal_text = "" if text else "".join(str(content_part.get("refusal") or "") for content_part in content_parts)
        reasoning_items = [item for item in output_items if item.get("type") == "reasoning"]  # with encrypted_content
        thoughts = [
            str(content_part.get("text") or "")
            for item in reasoning_items
            for content_part in _list_output_parts(item, "summary") or _list_output_parts(item, "content")
        ]
        match response:
            case {"status": "incomplete", "incomplete_details": {"reason": str(incomplete_reason)}}:
                finish_reason: Any = incomplete_reason
            case _:
                finish_reason = response.get("status")
        return ModelResponse(
            text=text or refusal_text,
            model=response.get("model"),
            finish=finish_reason,
            reasoning="\n".join(filter(None, thoughts)) or None,
            is_refusal=bool(refusal_text),
            reasoning_items=tuple(
                {field_name: field_value for field_name, field_value in item.items() if field_name != "status"}
                for item in reasoning_items
            ),
            **_read_token_counts(response.get("usage")),
        )

    def new_stream(self) -> ReplyStream:
        """Return what puts a streamed response together."""
        return ResponseStream()


class ResponseStream(ReplyStream):
    """The events of a streamed response; the last one holds it whole."""

    def add(self, event: Json) -> str:
        """Take in an event; return the text that it adds to the reply."""
        match event:
            case {"type": "response.output_text.delta", "delta": str(added_text)}:
                return added_text
            case {"type": "response.completed" | "response.incomplete" | "response.failed", "response": response}:
                self.response, self.is_complete = response, True
            case {"type": "error"}:
                self.response, self.is_complete = {"error": event}, True
        return ""


def _list_output_parts(output_item: Json, field_name: str) -> list[Json]:
    output_parts = output_item.get(field_name)
    return (
        [output_part for output_part in output_parts if isinstance(output_part, dict)]
        if isinstance(output_parts, list)
        else []
    )


def _drop_status(output_item: Json) -> Json:
    """Return an item as a request may contain it."""
    return {field_name: field_value for field_name, field_value in output_item.items() if field_name != "status"}


def _read_token_counts(token_usage: Any) -> dict[str, Any]:
    """Return the counts of tokens by the fields of a response, None where the server says nothing."""
    path_by_count = {
        "tokens_in": ("input_tokens",),
        "tokens_out": ("output_tokens",),
        "tokens_cached": ("input_tokens_details", "cached_tokens"),
        "tokens_cache_write": ("input_tokens_details", "cache_write_tokens"),
        "tokens_reasoning": ("output_tokens_details", "reasoning_tokens"),
    }
    counts: dict[str, Any] = dict.fromkeys(path_by_count, token_usage)
    for count_name, field_path in path_by_count.items():
        for path_part in field_path:
            counts[count_name] = counts[count_name].get(path_part) if isinstance(counts[count_name], dict) else None
    return counts


PROVIDER = RemoteProvider("a model at OpenAI through its Responses API: responses/MODEL", Responses())
