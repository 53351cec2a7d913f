"""A fake model server on loopback: it gives the responses that a test queues, and records the requests.

It covers what llm-katan cannot do: Retry-After, rejected parameters, reasoning, malformed bodies. It speaks HTTP only;
the bodies follow the protocols of the vendors. When no response is queued, it replies `text`.
"""

import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.conftest import HttpServer

Json = dict[str, Any]


@dataclass
class ReceivedRequest:
    """One request as it arrived."""

    path: str
    headers: Json
    body: Json
    at: float


@dataclass
class FakeServer:
    """A server that runs inside `with`. `respond` and `reply` queue responses, `requests` are those received so far."""

    requests: list[ReceivedRequest] = field(default_factory=list)
    text: str = "hello"
    _queue: list[tuple[int, Any, Json]] = field(default_factory=list)

    def respond(self, status: int, body: Any = None, **headers: str) -> "FakeServer":
        """Queue a response; `retry_after="1"` is the header Retry-After.

        A `Content_Length` greater than the body's closes the connection in the middle of the response.
        If the body is an event, the usual response is given once the event is set.
        """
        self._queue.append((status, body, {name.replace("_", "-"): value for name, value in headers.items()}))
        return self

    def reply(self, text: str) -> "FakeServer":
        """Queue a response with a reply."""
        return self.respond(200, text)

    def __enter__(self) -> "FakeServer":
        fake_server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                at = time.monotonic()
                received = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                lower = {name.lower(): value for name, value in self.headers.items()}
                fake_server.requests.append(ReceivedRequest(self.path, lower, received, at))
                status, body, headers = fake_server._queue.pop(0) if fake_server._queue else (200, None, {})
                if isinstance(body, threading.Event):
                    body = body.wait() and None
                if body is None and status == 200:
                    body = fake_server.text
                if isinstance(body, str):
                    body = RESPONSES.get(self.path.partition("?")[0].rpartition("/")[2], completion)(body)
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                usual = {"Content-Type": "application/json", "Content-Length": str(len(data))}
                for name, value in {**usual, **headers}.items():
                    self.send_header(name, value)
                self.close_connection = "Content-Length" in headers
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: Any) -> None:
                """Print nothing."""

        self._server = HttpServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def completion(text: str | None, **message: Any) -> Json:
    """Return a response of Chat Completions."""
    return {
        "model": "m-2026",
        "choices": [{"message": {"role": "assistant", "content": text, **message}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 100},
    }


def messages(text: str, *blocks: Json) -> Json:
    """Return a response of Messages."""
    return {
        "model": "m-2026",
        "type": "message",
        "role": "assistant",
        "content": [*blocks, {"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 1000, "output_tokens": 100},
    }


def response(text: str, *items: Json, **members: Any) -> Json:
    """Return a response of the Responses API; `items` stand before the message."""
    return {
        "id": "resp_1",
        "object": "response",
        "model": "m-2026",
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "output": [
            *items,
            {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
             "content": [{"type": "output_text", "text": text, "annotations": []}]},
        ],
        "usage": {"input_tokens": 1000, "output_tokens": 100},
        **members,
    }  # fmt: skip


RESPONSES = {"messages": messages, "responses": response}
"""How the usual reply is written, by the last part of the path; otherwise as Chat Completions."""


def make_stream(api: str, *parts: str) -> bytes:
    """Return the events of a reply that arrives in these parts, as the vendor of a protocol sends them."""
    return b"".join(b"data: " + event + b"\n\n" for event in _EVENTS[api](*parts))


def _chunks(*parts: str) -> list[bytes]:
    deltas = [{"role": "assistant", "content": ""}, *({"content": part} for part in parts)]
    choices = [[{"index": 0, "delta": delta, "finish_reason": None}] for delta in deltas]
    choices.append([{"index": 0, "delta": {}, "finish_reason": "stop"}])
    events: list[Json] = [{"model": "m-2026", "choices": choice, "usage": None} for choice in choices]
    events.append({"model": "m-2026", "choices": [], "usage": {"prompt_tokens": 1000, "completion_tokens": 100}})
    return [*(json.dumps(event).encode() for event in events), b"[DONE]"]


def _message_events(*parts: str) -> list[bytes]:
    deltas = [{"type": "text_delta", "text": part} for part in parts]
    events: list[Json] = [
        {"type": "message_start", "message": {**messages(""), "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "ping"},
        *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 100}},
        {"type": "message_stop"},
    ]
    return [json.dumps(event).encode() for event in events]


def _response_events(*parts: str) -> list[bytes]:
    deltas = [{"type": "response.output_text.delta", "delta": part} for part in parts]
    end = {"type": "response.completed", "response": response("".join(parts))}
    return [json.dumps(event).encode() for event in ({"type": "response.created"}, *deltas, end)]


_EVENTS = {"openai": _chunks, "anthropic": _message_events, "responses": _response_events}


def unsupported(parameter: str, instead: str = "") -> Json:
    """Return OpenAI's body for a parameter that a model does not support."""
    hint = f" Use '{instead}' instead." if instead else ""
    message = f"Unsupported parameter: '{parameter}' is not supported with this model.{hint}"
    return {
        "error": {
            "message": message,
            "type": "invalid_request_error",
            "param": parameter,
            "code": "unsupported_parameter",
        }
    }
