"""A server on loopback that answers what a test tells it, and keeps what it was asked.

For what llm-katan cannot be made to say: Retry-After, a refused parameter, reasoning, odd bodies. It speaks HTTP only;
the bodies are those of the wires. When it was told nothing more, it replies `text`.
"""

import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]


@dataclass
class Asked:
    """One request as it came in."""

    path: str
    headers: Json
    body: Json
    at: float


@dataclass
class Teller:
    """One server, from `with` to its end. `tell` and `say` queue answers, `asked` are the requests so far."""

    asked: list[Asked] = field(default_factory=list)
    text: str = "hello"
    _told: list[tuple[int, Any, Json]] = field(default_factory=list)

    def tell(self, status: int, body: Any = None, **headers: str) -> "Teller":
        """Answer one request so, after those told before; `retry_after="1"` is the header Retry-After.

        An event as the body is waited for before the usual answer is given.
        """
        self._told.append((status, body, {name.replace("_", "-"): value for name, value in headers.items()}))
        return self

    def say(self, text: str) -> "Teller":
        """Answer one request with a reply, after those told before."""
        return self.tell(200, text)

    def __enter__(self) -> "Teller":
        teller = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                at = time.monotonic()
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                teller.asked.append(Asked(self.path, {k.lower(): v for k, v in self.headers.items()}, body, at))
                status, said, headers = teller._told.pop(0) if teller._told else (200, None, {})
                if isinstance(said, threading.Event):
                    said = said.wait() and None
                if said is None and status == 200:
                    said = teller.text
                if isinstance(said, str):
                    said = messages(said) if self.path.endswith("/messages") else completion(said)
                data = said if isinstance(said, bytes) else json.dumps(said).encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
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
    """Return an answer of Chat Completions."""
    return {
        "model": "m-2026",
        "choices": [{"message": {"role": "assistant", "content": text, **message}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 100},
    }


def messages(text: str, *blocks: Json) -> Json:
    """Return an answer of Messages."""
    return {
        "model": "m-2026",
        "type": "message",
        "role": "assistant",
        "content": [*blocks, {"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 1000, "output_tokens": 100},
    }


def unsupported(parameter: str, instead: str = "") -> Json:
    """Return OpenAI's body for a parameter that a model does not take."""
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
