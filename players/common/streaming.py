"""Replies that arrive in parts, as spectators see them: a stream of events, put together to what would come at once.

Each protocol has a `ReplyStream` that knows its events. The result is read, checked and recorded like any response.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, ClassVar

import orjson

from engine.core.events import Json
from players.common.request_errors import IncompleteResponse, InvalidResponse, make_one_line

STREAM_END = "[DONE]"
"""The data of the last event of many servers, which is no JSON."""


class ReplyStream(ABC):
    """Puts the events of one stream together."""

    fields: ClassVar[Mapping[str, Any]] = {"stream": True}
    """The fields of a request for a stream that also counts its tokens."""

    def __init__(self) -> None:
        self.response: Json = {}
        """The response that would have come at once."""
        self.is_complete = False

    @abstractmethod
    def add(self, event: Json) -> str:
        """Take in an event; return the text that it adds to the reply."""


async def read_json_body(response: Any) -> Any:
    """Return the JSON of an `aiohttp.ClientResponse`. Raises `IncompleteResponse` or `InvalidResponse`."""
    return read_json(await response.read())


async def read_stream(response: Any, stream: ReplyStream, show_partial_reply: Callable[[str], None]) -> Any:
    """Return the JSON of an `aiohttp.ClientResponse`, as a stream or, from servers that cannot, as a whole.

    Raises `IncompleteResponse` and `InvalidResponse`.
    """
    from aiohttp import ClientError
    from httpx2 import EventSource, Request, Response

    content_type = response.headers.get("content-type", "")
    if "text/event-stream" not in content_type:
        return await read_json_body(response)
    partial_text, error_text = "", ""
    try:
        # the events are read by httpx2, which the vendors' packages bring
        headers, stream_request = {"content-type": content_type}, Request("POST", str(response.url))
        rebuilt_response = Response(200, headers=headers, content=response.content.iter_any(), request=stream_request)
        async for event in EventSource(rebuilt_response):
            if event.data.startswith(STREAM_END):
                stream.is_complete = True
                break
            event_json = read_json(event.data.encode("utf-8", "replace"))
            if not isinstance(event_json, dict):
                raise InvalidResponse(f"an event of its answer is no JSON object: {str(event_json)[:60]!r}")
            if event_json.get("error"):
                return event_json
            if new_text := _add_event(stream, event_json):
                partial_text += new_text
                show_partial_reply(partial_text)
    except (ClientError, OSError) as error:
        error_text = f": {make_one_line(error)}"
    if error_text or not (stream.is_complete and stream.response):
        raise IncompleteResponse(f"its answer broke off{error_text}")
    return stream.response


def _add_event(stream: ReplyStream, event: Json) -> str:
    """Take in an event. Raises `InvalidResponse` for one that the protocol does not have."""
    try:
        return stream.add(event)
    except (LookupError, TypeError, AttributeError, ValueError):
        pass  # raised below, without the other error as context
    raise InvalidResponse(f"its answer has an event of another protocol: {str(event)[:60]!r}")


def read_json(json_bytes: bytes) -> Any:
    """Return the JSON of a body of any content type. Raises `IncompleteResponse` or `InvalidResponse`."""
    with suppress(ValueError):
        return orjson.loads(json_bytes)
    with suppress(ValueError, RecursionError):  # NaN, other encodings
        return json.loads(json_bytes)
    content_start = json_bytes[:240].decode("utf-8", "replace").strip()
    if not content_start:
        raise IncompleteResponse("its answer is empty")
    if content_start[0] in "{[":
        raise IncompleteResponse(f"its answer is no complete JSON: {content_start[:60]!r}")
    raise InvalidResponse(f"it answered with something that is no JSON object: {content_start[:60]!r}")
