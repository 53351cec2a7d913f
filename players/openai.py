"""Models at OpenAI, and at any server that speaks its Chat Completions: openai/MODEL, SERVER/MODEL of players.toml.

Only what such servers have in common is relied on: text, pictures as data URLs, a finish reason, usage. Whatever else
is asked for is sent and, where the server refuses it, left out and recorded as dropped.
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
from players.common.parameters import Reader, choice, flag, number, table, texts, whole
from players.common.remote import Answer, Field, RemoteProvider
from players.common.troubles import Garbled, of_status

PARAMETERS: dict[str, Reader] = {
    "temperature": number(0, 2),
    "top_p": number(0, 1),
    "max_tokens": whole(1),
    "stop": texts,
    "seed": whole(0),
    "presence_penalty": number(-2, 2),
    "frequency_penalty": number(-2, 2),
    "reasoning_effort": choice("none", "minimal", "low", "medium", "high", "xhigh"),
    "constrain": flag,
    "extra_body": table,
}
"""`constrain` holds replies to the format's JSON schema; `extra_body` is a JSON object of a server's own fields."""
PLAIN = ("temperature", "top_p", "stop", "seed", "presence_penalty", "frequency_penalty", "reasoning_effort")
SCHEMA_WORDS = ("json_schema", "structured output", "structured outputs", "grammar", "guided")
AMBIENT = ("OpenAI-Organization", "OpenAI-Project")
"""Headers that the package takes from the environment; they go to OpenAI and nowhere else."""


class ChatCompletions:
    """The Chat Completions protocol."""

    package = "openai"
    path = "/chat/completions"
    parameters: Mapping[str, Reader] = PARAMETERS

    def client(self, sdk: ModuleType, endpoint: Endpoint) -> tuple[Any, Json]:
        """Return a client, and the headers of each request: none of the environment's where somebody else answers."""
        server = endpoint.server
        client = sdk.AsyncOpenAI(
            api_key=endpoint.key() or "none",
            base_url=server.base_url or "https://api.openai.com/v1",
            max_retries=0,
            timeout=server.timeout,
            default_headers=dict(server.headers),
            http_client=sdk.DefaultAioHttpClient(timeout=server.timeout),  # httpx looks at all connections each time
        )
        headers = {}
        if server.name != "openai":
            ours = {name.lower() for name in server.headers}
            named = [line.partition(":")[0].strip() for line in os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")]
            headers = {name: sdk.Omit() for name in (*AMBIENT, *named) if name and name.lower() not in ours}
        if not endpoint.key() and "authorization" not in map(str.lower, server.headers):
            headers["Authorization"] = sdk.Omit()
        return client, headers

    def messages(self, said: Sequence[Turn]) -> list[Json]:
        """Return turns as messages; plain text where there is no picture, which every server takes."""
        made: list[Json] = []
        for turn in said:
            content: Any = turn.text
            if turn.pictures:
                urls = [f"data:{one.media_type};base64,{base64_of(one.data)}" for one in turn.pictures]
                shown = [{"type": "image_url", "image_url": {"url": url}} for url in urls]
                content = [*shown, {"type": "text", "text": turn.text}]
            made.append({"role": turn.role, "content": content})
        return made

    def fields(self, values: Json, reply: ReplyFormat[Any], endpoint: Endpoint) -> list[Field]:
        """Return the fields of parameters; all models at OpenAI take max_completion_tokens, few elsewhere."""
        made = [Field(name, values[name], name) for name in PLAIN if name in values]
        if "max_tokens" in values:
            place = "max_tokens" if endpoint.server.base_url else "max_completion_tokens"
            made.append(Field(place, values["max_tokens"], "max_tokens"))
        if values.get("constrain") and (schema := remote.json_schema(reply)):
            wanted = {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema, "strict": True}}
            made.append(Field("response_format", wanted, "constrain", SCHEMA_WORDS))
        made += [Field(name, value, "extra_body") for name, value in values.get("extra_body", {}).items()]
        return made

    def answer(self, data: Json) -> Answer:
        """Return what a response says; a refusal is a reply like any other."""
        if data.get("error"):  # some routers answer 200 and tell the error inside
            inner = data["error"]
            code = inner.get("code") if isinstance(inner, dict) else None
            raise of_status(code if isinstance(code, int) and code >= 400 else 500, data)
        try:
            first = data["choices"][0]
            message = first["message"]
            text, thoughts = _content(message.get("content"))
        except (LookupError, TypeError, AttributeError):
            raise Garbled(f"its answer has no choices[0].message: {str(data)[:80]!r}") from None
        reasoning = message.get("reasoning_content") or message.get("reasoning") or thoughts
        usage = _table(data.get("usage"))
        return Answer(
            text=text or str(message.get("refusal") or ""),
            model=data.get("model"),
            finish=first.get("finish_reason"),
            reasoning=reasoning if isinstance(reasoning, str) and reasoning else None,
            tokens_in=usage.get("prompt_tokens"),
            tokens_out=usage.get("completion_tokens"),
            tokens_reasoning=_table(usage.get("completion_tokens_details")).get("reasoning_tokens"),
            tokens_cached=_table(usage.get("prompt_tokens_details")).get("cached_tokens"),
        )


def _content(content: Any) -> tuple[str, str]:
    """Return the text of a message's content and what was thought in it; some servers answer in parts."""
    if content is None or isinstance(content, str):
        return content or "", ""
    said = [part.get("text") or "" for part in content if part.get("type") == "text"]
    thought = [part.get("thinking") for part in content if part.get("type") == "thinking"]
    return "".join(said), "\n".join(one for one in thought if isinstance(one, str))


def _table(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


PROVIDER = RemoteProvider(
    "a model at OpenAI, or at any server that speaks its protocol: openai/MODEL", ChatCompletions()
)
