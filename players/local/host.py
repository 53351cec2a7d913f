"""The parent's side of local models: who is loaded, what waits for it, and when its memory is given back.

`model(spec)` returns the one `LocalModel` of this process for that spec; its `ask` starts the child at the first prompt
and returns a future that any event loop can wait for. All pipes are served by threads, so nothing here blocks. A child
that dies fails what waits for it, with the cause; the next prompt starts a new one.
"""

from __future__ import annotations

import atexit
import itertools
import os
import queue
import re
import signal
import subprocess
import threading
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from players.local.process import ended, started
from players.local.wire import Answer, Prompt, Ready, Refused, Spec, Stage, receive, send

IDLE_SECONDS = 300.0
"""After so long without a prompt a model's memory is given back."""
_BAR = re.compile(r"^(?P<what>[^\d:|]{3,40}?):\s+(?P<share>\d{1,3})%\|")


class ModelFailed(Exception):
    """A local model gave no answer; the message is the cause in one line."""


@dataclass(frozen=True, slots=True)
class State:
    """Where a local model is, for pages and progress lines."""

    spec: Spec
    stage: str
    """ "loading weights 40 %", "ready", "not loaded" …"""
    loading: float | None = None
    """The share that is loaded, 0 to 1, while it is being loaded."""
    waiting: int = 0
    """Prompts without an answer."""


class LocalModel:
    """One model, in a child process while it is used; thread-safe."""

    def __init__(self, spec: Spec, idle_seconds: float | None = None) -> None:
        self.spec = spec
        self.ready: Ready | None = None
        """What is known of the model since it was loaded for the first time."""
        self.idle_seconds = IDLE_SECONDS if idle_seconds is None else idle_seconds
        self._lock = threading.RLock()
        self._child: _Child | None = None
        self._idle: threading.Timer | None = None

    @property
    def state(self) -> State:
        """Where the model is now."""
        with self._lock:
            child = self._child
            if child is None:
                return State(self.spec, "not loaded")
            return State(self.spec, child.stage, None if child.is_ready else child.share, len(child.waiting))

    @property
    def process(self) -> subprocess.Popen[bytes] | None:
        """The child process while there is one."""
        return self._child.process if self._child else None

    def ask(self, prompt: Prompt) -> Future[Answer]:
        """Have a prompt answered. The future raises `ModelFailed`; cancelling it gives the prompt up."""
        with self._lock:
            self._stop_timer()
            if self._child is None:
                self._child = _Child(self)
            return self._child.ask(prompt)

    def close(self) -> None:
        """Give the memory back; what waits fails. The next prompt loads the model again."""
        with self._lock:
            self._stop_timer()
            child, self._child = self._child, None
        if child:
            child.end()

    def gone(self, child: _Child) -> None:
        """Hear from a child that it is no more."""
        with self._lock:
            if self._child is child:
                self._stop_timer()
                self._child = None

    def answered(self, child: _Child) -> None:
        """Hear from a child that nothing waits for it: count down to giving its memory back."""
        with self._lock:
            if self._child is not child or child.waiting:
                return
            self._stop_timer()
            self._idle = threading.Timer(self.idle_seconds, self._unload, [child])
            self._idle.daemon = True
            self._idle.start()

    def _unload(self, child: _Child) -> None:
        with self._lock:
            if self._child is not child or child.waiting:
                return
            self._child = None
        child.end()

    def _stop_timer(self) -> None:
        if self._idle:
            self._idle.cancel()
            self._idle = None


class _Child:
    """A running child process, what waits for it, and the threads that serve its pipes."""

    def __init__(self, model: LocalModel) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.waiting: dict[int, Future[Answer]] = {}
        self.is_ready, self.stage, self.share = False, "starting", 0.0
        self._model = model
        self._numbers = itertools.count(1)
        self._outbox: queue.SimpleQueue[tuple[int, Prompt | None] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._begun = threading.Event()
        self._over: str | None = None
        self._cause: str | None = None
        self._said: deque[str] = deque(maxlen=20)
        threading.Thread(target=self._write, name="ludens-local-write", daemon=True).start()

    def ask(self, prompt: Prompt) -> Future[Answer]:
        future: Future[Answer] = Future()
        with self._lock:
            if self._over is not None:
                future.set_exception(ModelFailed(self._over))
                return future
            number = next(self._numbers)
            self.waiting[number] = future
        future.add_done_callback(lambda done: self._give_up(number) if done.cancelled() else None)
        self._outbox.put((number, prompt))
        return future

    def end(self) -> None:
        """End the process: its standard input is closed, and it is killed if that does not do."""
        self._cause = "the model was unloaded"
        self._outbox.put(None)
        self._begun.wait()
        if self.process:
            ended(self.process)

    def _give_up(self, number: int) -> None:
        with self._lock:
            self.waiting.pop(number, None)
        self._outbox.put((number, None))
        self._model.answered(self)

    # ------------------------------------------------------------------ threads
    def _write(self) -> None:
        """Start the process, then write what is put into the outbox until None."""
        try:
            self.process = started("players.local.child", subprocess.PIPE)
        except OSError as error:
            self._finish(f"the process of the model could not be started: {error}")
            return
        finally:
            self._begun.set()
        threading.Thread(target=self._read, args=(self.process,), name="ludens-local-read", daemon=True).start()
        threading.Thread(target=self._hear, args=(self.process,), name="ludens-local-hear", daemon=True).start()
        pipe = self.process.stdin
        assert pipe
        try:
            send(pipe, self._model.spec)
            while (message := self._outbox.get()) is not None:
                send(pipe, message)
        except OSError:  # it died; `_read` says so
            pass
        finally:
            try:
                pipe.close()
            except OSError:
                pass

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """Take in what the child sends until it ends."""
        assert process.stdout
        try:
            while True:
                self._take(receive(process.stdout))
        except (EOFError, OSError):
            pass
        code = process.wait()
        process.stdout.close()
        self._finish(self._cause or self._last_words(code))

    def _take(self, message: Any) -> None:
        if isinstance(message, Stage):
            self.stage = message.stage
        elif isinstance(message, Ready):
            self._model.ready, self.is_ready = message, True
            self.stage = "ready"
        elif isinstance(message, Refused) and message.number is None:
            self._cause = self._cause or message.cause
        elif isinstance(message, Refused):
            self._resolve(message.number or 0, ModelFailed(message.cause))
        else:
            self._resolve(*message)

    def _resolve(self, number: int, outcome: Answer | ModelFailed) -> None:
        with self._lock:
            future = self.waiting.pop(number, None)
        if future and future.set_running_or_notify_cancel():
            if isinstance(outcome, ModelFailed):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)
        self._model.answered(self)

    def _hear(self, process: subprocess.Popen[bytes]) -> None:
        """Take in what libraries print: progress bars, and what was said last before a crash."""
        assert process.stderr
        left = ""
        while chunk := os.read(process.stderr.fileno(), 65536):
            *lines, left = re.split(r"[\r\n]", left + chunk.decode("utf-8", "replace"))
            for line in [*lines, left]:
                if bar := _BAR.match(line.strip()):
                    if not self.is_ready:
                        self.stage, self.share = f"{bar['what'].lower()} {bar['share']} %", int(bar["share"]) / 100
            self._said += [line.strip() for line in lines if line.strip() and not _BAR.match(line.strip())]
        process.stderr.close()

    def _last_words(self, code: int) -> str:
        said = self._said[-1][:200] if self._said else ""
        if code < 0:
            name = signal.Signals(-code).name
            why = " (the machine may be out of memory)" if name == "SIGKILL" else ""
            return f"the process of the model was ended by {name}{why}; the next try starts it again"
        return f"the process of the model ended with {code}{f': {said}' if said else ''}; the next try starts it again"

    def _finish(self, cause: str) -> None:
        """Fail everything that waits."""
        with self._lock:
            self._over = cause
            waiting, self.waiting = list(self.waiting.values()), {}
        self._model.gone(self)
        for future in waiting:
            if future.set_running_or_notify_cancel():
                future.set_exception(ModelFailed(cause))


# ---------------------------------------------------------------------- all models of this process
_MODELS: dict[Spec, LocalModel] = {}
_LOCK = threading.Lock()


def model(spec: Spec) -> LocalModel:
    """Return this process's model for a spec; it is loaded at its first prompt."""
    with _LOCK:
        return _MODELS.setdefault(spec, LocalModel(spec))


def states() -> tuple[State, ...]:
    """Return where the models are that were named so far."""
    with _LOCK:
        models = list(_MODELS.values())
    return tuple(one.state for one in models)


def close_all() -> None:
    """Give all memory back and wait until it is. Safe to call twice."""
    with _LOCK:
        models = list(_MODELS.values())
    for one in models:
        one.close()


atexit.register(close_all)
