"""A model server for tests: a real server of Chat Completions on loopback, which records its requests.

It replies as MatchIt asks it to, after `latency` seconds, with a thought besides the reply; or with `status`, if set.
A reply that is asked for as a stream comes word by word, with `steps` each word after `steps.release()`.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.conftest import START_LIMIT, HttpServer

THOUGHT = "planted thought of the model"
ECHO = "planted echo of what the other seat was sent"


class ModelServer:
    """The server; `with ModelServer() as machine` runs it."""

    def __init__(self) -> None:
        self.latency = 0.0
        self.status = 200
        self.finish = "stop"
        self.steps: threading.Semaphore | None = None
        self.requests: list[dict[str, Any]] = []
        """The requests, in the order in which they came."""
        self._go = threading.Event()
        machine = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                machine.requests.append(body)
                machine._go.wait(machine.latency)
                status, answer = machine.answer(body)
                if body.get("stream") and status == 200:
                    self.send_events(machine.events(answer))
                else:
                    self.send_json(status, answer)

            def send_json(self, status: int, answer: dict[str, Any]) -> None:
                data = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def send_events(self, events: Iterator[str]) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("connection", "close")
                self.end_headers()
                for event in events:
                    self.wfile.write(f"data: {event}\n\n".encode())
                    self.wfile.flush()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = HttpServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> ModelServer:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._go.set()
        self._server.shutdown()
        self._server.server_close()

    def await_request(self) -> int:
        """Wait for the first request; return how many there are."""
        until = time.monotonic() + START_LIMIT
        while not self.requests and time.monotonic() < until:
            time.sleep(0.02)
        return len(self.requests)

    def hurry(self) -> None:
        """Answer what waits now, and from now on at once."""
        self.latency = 0.0
        self._go.set()
        self._go = threading.Event()

    def events(self, answer: dict[str, Any]) -> Iterator[str]:
        """Yield an answer as the events of a stream."""
        message = answer["choices"][0]["message"]
        words = re.findall(r"\S+\s*", message["content"])
        for delta in [{"reasoning_content": THOUGHT}, *({"content": word} for word in words)]:
            if "content" in delta and self.steps:
                self.steps.acquire()
            yield json.dumps({**answer, "choices": [{"index": 0, "delta": delta}], "usage": None})
        yield json.dumps({**answer, "choices": [{"index": 0, "delta": {}, "finish_reason": self.finish}]})
        yield "[DONE]"

    def answer(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Return status and body of the answer to a request."""
        if self.status != 200:
            return self.status, {"error": {"message": ECHO, "type": "server_error"}}
        prompt = body["messages"][-1]["content"]
        tag = re.findall(r"\b(DESCRIPTION|QUESTION|ANSWER|DECISION)\b", prompt)[-1]
        reply = "same grids" if tag == "DECISION" else f"reply {len(self.requests)} of the model"
        message = {"role": "assistant", "content": f"{tag}: {reply}", "reasoning_content": THOUGHT}
        usage = {"prompt_tokens": 1200, "completion_tokens": 34, "total_tokens": 1234}
        return 200, {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": "friend-2026",
            "choices": [{"index": 0, "message": message, "finish_reason": self.finish}],
            "usage": usage,
        }
