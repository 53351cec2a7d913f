"""The child process that serves a GGUF file with llama.cpp (xllamacpp), and how its parent starts and ends it.

It listens on loopback, on a port that the system chooses, and answers only requests with the random key that its parent
hands it. The model leaves memory while there are no requests (llama.cpp's own sleep) and returns with the next one.
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

from players.local.process import detach_standard_input, start_process, wait_or_kill


class ServerStartError(Exception):
    """The file could not be served; the message is the cause in one line."""


MAX_THREADS = 8
"""More threads do not make a small model faster."""


def choose_threads() -> int:
    """Return how many threads generate: all processors where nothing else works, and at least half of them.

    llama.cpp's threads spin while they wait for each other: with more threads than free processors, a reply takes many
    times as long.
    """
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 2
    busy_processors = round(os.getloadavg()[0]) if hasattr(os, "getloadavg") else processors
    return max(1, min(MAX_THREADS, max(processors // 2, processors - busy_processors)))


@dataclass(frozen=True, slots=True)
class GgufModel:
    """A file to serve. `name` is what responses give as their model; after `idle_seconds` it leaves memory."""

    path: str
    name: str
    context: int
    """Tokens of all conversations together that are continued at once."""
    parallel: int = 2
    idle_seconds: int = 300
    threads: int = field(default_factory=lambda: choose_threads())


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A running child: where it listens and which key it requires."""

    address: str
    key: str = field(repr=False)
    process: subprocess.Popen[bytes] = field(repr=False)

    def exit_code(self, *, wait_seconds: float = 0.0) -> int | None:
        """Return the exit code of a process that ends within these seconds, None while it runs."""
        try:
            return self.process.wait(wait_seconds)
        except subprocess.TimeoutExpired:
            return None


class GgufServer:
    """One file, served by one child for all players; a child that has ended is replaced by the next `ensure_running`.

    It is thread-safe and independent of event loops, so that one child outlives them.
    """

    def __init__(self, model: GgufModel) -> None:
        self._model = model
        self._running: RunningServer | None = None
        self._lock = threading.Lock()
        atexit.register(self.end)

    def ensure_running(self) -> RunningServer:
        """Return the running child, starting it if necessary (seconds). Raises `ServerStartError`."""
        with self._lock:
            if self._running is None or self._running.exit_code() is not None:
                self._end_child()
                self._running = _start_child(self._model)
            return self._running

    def end(self) -> None:
        """End the child and free its memory; safe to call twice."""
        with self._lock:
            self._end_child()

    def _end_child(self) -> None:
        running_server, self._running = self._running, None
        if running_server:
            _close(running_server.process)


def _start_child(model: GgufModel) -> RunningServer:
    """Start a child and wait until it listens."""
    key = secrets.token_urlsafe(32)
    with tempfile.TemporaryFile() as errors:
        try:
            process = start_process(__name__, errors)
        except OSError as error:
            raise ServerStartError(f"the process of {model.name} could not be started: {error}") from None
        assert process.stdin and process.stdout
        address = ""
        try:
            process.stdin.write(json.dumps(asdict(model) | {"key": key}).encode() + b"\n")
            process.stdin.flush()
            address = process.stdout.readline().decode().strip()
        except OSError:  # it has ended already; its last message follows
            pass
        finally:
            if not address:
                exit_code = _close(process)
        if not address:
            cause = _last_line(errors) or f"its process ended with {exit_code}"
            raise ServerStartError(f"{model.name} cannot be served: {cause}")
    return RunningServer(address, key, process)


def _close(process: subprocess.Popen[bytes]) -> int:
    """Close the pipes of a child and return its exit code."""
    for pipe in (process.stdin, process.stdout):
        try:
            if pipe:
                pipe.close()
        except OSError:  # it ended before it had read everything
            pass
    return wait_or_kill(process)


def _last_line(errors: IO[bytes]) -> str:
    errors.seek(0)
    lines = [line.strip() for line in errors.read().decode("utf-8", "replace").splitlines()]
    return next((line[:300] for line in reversed(lines) if line), "")


def serve() -> None:
    """Run as the child: read the settings, serve, print the address, and end with standard input."""
    import xllamacpp

    pipe = detach_standard_input()
    settings = json.loads(pipe.readline())
    params = xllamacpp.CommonParams()
    params.model.path = settings["path"]
    params.model_alias = {settings["name"]}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [settings["key"]]
    params.n_parallel = settings["parallel"]
    params.n_ctx = settings["context"]
    params.kv_unified = True  # the conversations share the context: few of them are long
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings["threads"]
    params.sleep_idle_seconds = settings["idle_seconds"]
    params.cache_ram_mib = 256  # without it, alternating seats evict each other's prompt; the default is 8 GB
    params.ui = params.endpoint_slots = False
    params.offline = True
    params.verbosity = 0
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    pipe.read()
    os._exit(0)  # without waiting for responses that nobody will read


if __name__ == "__main__":
    serve()
