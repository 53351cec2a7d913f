"""The child process that serves a GGUF file by llama.cpp (xllamacpp), and how its parent starts and ends it.

It listens on loopback, at a port the system chooses, and answers nobody without the random key that its parent hands
it. The model leaves memory while nobody asks (llama.cpp's own sleep) and comes back with the next request.
"""

from __future__ import annotations

import atexit
import json
import os
import secrets
import subprocess
import sys
import tempfile
import threading
from dataclasses import asdict, dataclass, field
from typing import IO

from players.local.process import ended, started


class NotServed(Exception):
    """The file could not be served; the message says why, in one line."""


@dataclass(frozen=True, slots=True)
class Weights:
    """A file to serve. `name` is what answers give as their model; `idle` seconds without a request unload it."""

    path: str
    name: str
    context: int
    """Tokens of the conversations that are continued at once, together."""
    at_once: int = 2
    idle: int = 300
    threads: int = field(default_factory=lambda: max(1, min(8, (os.cpu_count() or 2) // 2)))
    """Half of the processors: llama.cpp's threads wait for each other by spinning, and somebody else works here."""


@dataclass(frozen=True, slots=True)
class Served:
    """A running child: where it listens and what it wants as a key."""

    address: str
    key: str = field(repr=False)
    process: subprocess.Popen[bytes] = field(repr=False)

    def ended(self, seconds: float = 0.0) -> int | None:
        """Return the exit code of a process that is gone within so many seconds, None while it runs."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None


class Serving:
    """One file, served by one child for all who ask; a child that has gone is replaced at the next `here`.

    Threads may share it. It knows no event loop, so one child outlives them.
    """

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._served: Served | None = None
        self._lock = threading.Lock()
        atexit.register(self.end)

    def here(self) -> Served:
        """Return the running child, started where there is none (seconds). Raises `NotServed`."""
        with self._lock:
            if self._served is None or self._served.ended() is not None:
                self._end()
                self._served = _start(self._weights)
            return self._served

    def end(self) -> None:
        """End the child and give its memory back; safe to call twice."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        served, self._served = self._served, None
        if served:
            _close(served.process)


def _start(weights: Weights) -> Served:
    """Start a child and wait until it listens."""
    key = secrets.token_urlsafe(32)
    with tempfile.TemporaryFile() as errors:
        try:
            process = started(__name__, errors)
        except OSError as error:
            raise NotServed(f"the process of {weights.name} could not be started: {error}") from None
        assert process.stdin and process.stdout
        address = ""
        try:
            process.stdin.write(json.dumps(asdict(weights) | {"key": key}).encode() + b"\n")
            process.stdin.flush()
            address = process.stdout.readline().decode().strip()
        except OSError:  # it has gone already; what it said last follows
            pass
        finally:
            if not address:
                code = _close(process)
        if not address:
            raise NotServed(
                f"{weights.name} cannot be served: {_last_line(errors) or f'its process ended with {code}'}"
            )
    return Served(address, key, process)


def _close(process: subprocess.Popen[bytes]) -> int:
    """Close the pipes of a child and return its exit code."""
    for pipe in (process.stdin, process.stdout):
        try:
            if pipe:
                pipe.close()
        except OSError:  # it left before it had read everything
            pass
    return ended(process)


def _last_line(errors: IO[bytes]) -> str:
    errors.seek(0)
    lines = [line.strip() for line in errors.read().decode("utf-8", "replace").splitlines()]
    return next((line[:300] for line in reversed(lines) if line), "")


def serve() -> None:
    """Be the child: read the settings, serve, say where, and end with standard input."""
    import xllamacpp

    said = json.loads(sys.stdin.readline())
    params = xllamacpp.CommonParams()
    params.model.path = said["path"]
    params.model_alias = {said["name"]}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [said["key"]]
    params.n_parallel = said["at_once"]
    params.n_ctx = said["context"]
    params.kv_unified = True  # shared by who is asked at once: few conversations are long
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = said["threads"]
    params.sleep_idle_seconds = said["idle"]
    params.cache_ram_mib = 256  # two seats in turn lose each other's half-read prompts without; 8 GB by itself
    params.ui = params.endpoint_slots = False
    params.offline = True
    params.verbosity = 0
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()
    os._exit(0)  # without waiting for what nobody will read


if __name__ == "__main__":
    serve()
