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
    parallel_request_count: int = 2
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
        self._running_server: RunningServer | None = None
        self._lock = threading.Lock()
        atexit.register(self.end_child)

    def ensure_running(self) -> RunningServer:
        """Return the running child, starting it if necessary (seconds). Raises `ServerStartError`."""
        with self._lock:
            if self._running_server is None or self._running_server.exit_code() is not None:
                self._end_child()
                self._running_server = _start_child(self._model)
            return self._running_server

    def end_child(self) -> None:
        """End the child and free its memory; safe to call twice."""
        with self._lock:
            self._end_child()

    def _end_child(self) -> None:
        ended_server, self._running_server = self._running_server, None
        if ended_server:
            _close_pipes(ended_server.process)


def _start_child(model: GgufModel) -> RunningServer:
    """Start a child and wait until it listens."""
    api_key = secrets.token_urlsafe(32)
    with tempfile.TemporaryFile() as error_file:
        try:
            child_process = start_process(__name__, error_file)
        except OSError as error:
            raise ServerStartError(f"the process of {model.name} could not be started: {error}") from None
        assert child_process.stdin and child_process.stdout
        address = ""
        try:
            child_process.stdin.write(json.dumps(asdict(model) | {"key": api_key}).encode() + b"\n")
            child_process.stdin.flush()
            address = child_process.stdout.readline().decode().strip()
        except OSError:  # it has ended already; its last message follows
            pass
        finally:
            if not address:
                exit_code = _close_pipes(child_process)
        if not address:
            failure_cause = _read_last_line(error_file) or f"its process ended with {exit_code}"
            raise ServerStartError(f"{model.name} cannot be served: {failure_cause}")
    return RunningServer(address, api_key, child_process)


def _close_pipes(child_process: subprocess.Popen[bytes]) -> int:
    """Close the pipes of a child and return its exit code."""
    for pipe in (child_process.stdin, child_process.stdout):
        try:
            if pipe:
                pipe.close()
        except OSError:  # it ended before it had read everything
            pass
    return wait_or_kill(child_process)


def _read_last_line(error_file: IO[bytes]) -> str:
    error_file.seek(0)
    error_lines = [error_line.strip() for error_line in error_file.read().decode("utf-8", "replace").splitlines()]
    return next((error_line[:300] for error_line in reversed(error_lines) if error_line), "")


def serve_model() -> None:
    """Run as the child: read the settings, serve, print the address, and end with standard input."""
    import xllamacpp

    pipe = detach_standard_input()
    model_settings = json.loads(pipe.readline())
    server_params = xllamacpp.CommonParams()
    server_params.model.path = model_settings["path"]
    server_params.model_alias = {model_settings["name"]}
    server_params.hostnames = ["127.0.0.1"]
    server_params.port = 0
    server_params.api_keys = [model_settings["key"]]
    server_params.n_parallel = model_settings["parallel_request_count"]
    server_params.n_ctx = model_settings["context"]
    server_params.kv_unified = True  # the conversations share the context: few of them are long
    server_params.cpuparams.n_threads = server_params.cpuparams_batch.n_threads = model_settings["threads"]
    server_params.sleep_idle_seconds = model_settings["idle_seconds"]
    server_params.cache_ram_mib = 256  # without it, alternating seats evict each other's prompt; the default is 8 GB
    server_params.ui = server_params.endpoint_slots = False
    server_params.offline = True
    server_params.verbosity = 0
    server = xllamacpp.Server(server_params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    pipe.read()
    os._exit(0)  # without waiting for responses that nobody will read


if __name__ == "__main__":
    serve_model()
