"""The parent's side of local models: which are loaded, which prompts wait, and when memory is freed.

`find_or_add_model(spec)` returns this process's one `LocalModel` of a spec. Its `ask` starts the child at the first
prompt and returns a future that any event loop can wait for. Threads serve all pipes, so nothing here blocks. If a
child dies, its waiting prompts fail with the cause; the next prompt starts a new child.
"""

from __future__ import annotations

import atexit
import itertools
import os
import queue
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from engine.core.patterns import compile_linear_pattern
from engine.core.player import FaultCode
from players.local.messages import (
    Failure,
    GeneratedReply,
    LoadedModelDescription,
    LoadingStage,
    ModelSpec,
    PartialReply,
    Prompt,
    receive_message,
    send,
)
from players.local.process import start_process, wait_or_kill

MODEL_IDLE_SECONDS = 300.0
"""A model's memory is freed after this long without a prompt."""
_PROGRESS_BAR = compile_linear_pattern(
    r"^(?P<label>[^\d:|]{3,40}?):\s+(?P<percent>\d{1,3})%\|", reason="one start, one end for each part"
)


class ModelFailed(Exception):
    """A local model gave no reply; the message is the cause in one line."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.cause)
        self.code = failure.code


@dataclass(frozen=True, slots=True)
class ModelState:
    """How far a local model is, for pages and progress lines."""

    spec: ModelSpec
    loading_stage: str
    """ "loading weights 40 %", "ready", "not loaded" …"""
    progress: float | None = None
    """The share that is loaded, 0 to 1, while it is being loaded."""


class LocalModel:
    """One model, in a child process while it is used; thread-safe."""

    def __init__(self, model_spec: ModelSpec, idle_seconds: float | None = None) -> None:
        self.spec = model_spec
        self.info: LoadedModelDescription | None = None
        """What is known about the model, once it has been loaded for the first time."""
        self.idle_seconds = MODEL_IDLE_SECONDS if idle_seconds is None else idle_seconds
        self._lock = threading.RLock()
        self._child: _ModelProcess | None = None
        self._idle_timer: threading.Timer | None = None

    @property
    def state(self) -> ModelState:
        """How far the model is now."""
        with self._lock:
            model_process = self._child
            if model_process is None:
                return ModelState(self.spec, "not loaded")
            return ModelState(
                self.spec, model_process.loading_stage, None if model_process.is_ready else model_process.progress
            )

    @property
    def process(self) -> subprocess.Popen[bytes] | None:
        """The child process while there is one."""
        return self._child.process if self._child else None

    def queue_prompt(
        self, prompt: Prompt, show_partial_reply: Callable[[str], None] | None = None
    ) -> Future[GeneratedReply]:
        """Queue a prompt. The future raises `ModelFailed`; cancelling it cancels the prompt.

        If the prompt streams, `show_partial_reply` is called in another thread with the text so far.
        """
        with self._lock:
            self._stop_timer()
            if self._child is None:
                self._child = _ModelProcess(self)
            return self._child.queue_prompt(prompt, show_partial_reply)

    def close(self) -> None:
        """Free the memory; waiting prompts fail. The next prompt loads the model again."""
        with self._lock:
            self._stop_timer()
            model_process, self._child = self._child, None
        if model_process:
            model_process.end_process()

    def on_child_ended(self, model_process: _ModelProcess) -> None:
        """Forget a child that has ended."""
        with self._lock:
            if self._child is model_process:
                self._stop_timer()
                self._child = None

    def on_prompt_done(self, model_process: _ModelProcess) -> None:
        """Start the idle timer if no prompt waits for the child."""
        with self._lock:
            if self._child is not model_process or model_process.future_by_number:
                return
            self._stop_timer()
            self._idle_timer = threading.Timer(self.idle_seconds, self._unload_model, [model_process])
            self._idle_timer.daemon = True
            self._idle_timer.start()

    def _unload_model(self, model_process: _ModelProcess) -> None:
        with self._lock:
            if self._child is not model_process or model_process.future_by_number:
                return
            self._child = None
        model_process.end_process()

    def _stop_timer(self) -> None:
        if self._idle_timer:
            self._idle_timer.cancel()
            self._idle_timer = None


class _ModelProcess:
    """A running child process, the prompts that wait for it, and the threads that serve its pipes."""

    def __init__(self, model: LocalModel) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.future_by_number: dict[int, Future[GeneratedReply]] = {}
        self._partial_reply_callbacks: dict[int, Callable[[str], None]] = {}
        self.is_ready, self.loading_stage, self.progress = False, "starting", 0.0
        self._model = model
        self._prompt_numbers = itertools.count(1)
        self._outgoing_queue: queue.SimpleQueue[tuple[int, Prompt | None] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._start_attempted = threading.Event()
        self._failure: Failure | None = None
        """Why it ended; None while it runs."""
        self._announced_failure: Failure | None = None
        """Why it is about to end, as the child says or because we end it."""
        self._last_lines: deque[str] = deque(maxlen=20)
        threading.Thread(target=self._write_messages, name="ludens-local-write", daemon=True).start()

    def queue_prompt(self, prompt: Prompt, show_partial_reply: Callable[[str], None] | None) -> Future[GeneratedReply]:
        reply_future: Future[GeneratedReply] = Future()
        with self._lock:
            if self._failure is not None:
                reply_future.set_exception(ModelFailed(self._failure))
                return reply_future
            prompt_number = next(self._prompt_numbers)
            self.future_by_number[prompt_number] = reply_future
            if show_partial_reply:
                self._partial_reply_callbacks[prompt_number] = show_partial_reply
                reply_future.add_done_callback(lambda _: self._partial_reply_callbacks.pop(prompt_number, None))
        reply_future.add_done_callback(
            lambda finished_future: self._cancel_prompt(prompt_number) if finished_future.cancelled() else None
        )
        self._outgoing_queue.put((prompt_number, prompt))
        return reply_future

    def end_process(self) -> None:
        """End the process by closing its standard input; kill it if that is not enough."""
        self._announced_failure = Failure(None, "the model was unloaded", FaultCode.OTHER)
        self._outgoing_queue.put(None)
        self._start_attempted.wait()
        if self.process:
            wait_or_kill(self.process)

    def _cancel_prompt(self, prompt_number: int) -> None:
        with self._lock:
            self.future_by_number.pop(prompt_number, None)
        self._outgoing_queue.put((prompt_number, None))
        self._model.on_prompt_done(self)

    # ------------------------------------------------------------------ threads
    def _write_messages(self) -> None:
        """Start the process, then write the messages of the outbox until None."""
        try:
            self.process = start_process("players.local.child", subprocess.PIPE)
        except OSError as error:
            failure_cause = f"the process of the model could not be started: {error}"
            self._fail_waiting_prompts(Failure(None, failure_cause, FaultCode.CRASHED))
            return
        finally:
            self._start_attempted.set()
        threading.Thread(
            target=self._read_messages, args=(self.process,), name="ludens-local-read", daemon=True
        ).start()
        threading.Thread(target=self._watch_errors, args=(self.process,), name="ludens-local-hear", daemon=True).start()
        pipe = self.process.stdin
        assert pipe
        try:
            send(pipe, self._model.spec)
            while (outgoing_message := self._outgoing_queue.get()) is not None:
                send(pipe, outgoing_message)
        except OSError:  # it died; `_read` reports it
            pass
        finally:
            try:
                pipe.close()
            except OSError:
                pass

    def _read_messages(self, child_process: subprocess.Popen[bytes]) -> None:
        """Process the child's messages until it ends."""
        assert child_process.stdout
        try:
            while True:
                self._process_message(receive_message(child_process.stdout))
        except (EOFError, OSError):
            pass
        exit_code = child_process.wait()
        child_process.stdout.close()
        self._fail_waiting_prompts(self._announced_failure or self._make_exit_failure(exit_code))

    def _process_message(self, child_message: Any) -> None:
        if isinstance(child_message, LoadingStage):
            self.loading_stage = child_message.loading_stage
        elif isinstance(child_message, LoadedModelDescription):
            self._model.info, self.is_ready = child_message, True
            self.loading_stage = "ready"
        elif isinstance(child_message, PartialReply):
            if show_partial_reply := self._partial_reply_callbacks.get(child_message.number):
                with suppress(RuntimeError):  # the event loop that asked has ended
                    show_partial_reply(child_message.text)
        elif isinstance(child_message, Failure) and child_message.number is None:
            self._announced_failure = self._announced_failure or child_message
        elif isinstance(child_message, Failure):
            self._resolve_prompt(child_message.number or 0, child_message)
        else:
            self._resolve_prompt(*child_message)

    def _resolve_prompt(self, prompt_number: int, prompt_result: GeneratedReply | Failure) -> None:
        with self._lock:
            reply_future = self.future_by_number.pop(prompt_number, None)
        if reply_future and reply_future.set_running_or_notify_cancel():
            if isinstance(prompt_result, Failure):
                reply_future.set_exception(ModelFailed(prompt_result))
            else:
                reply_future.set_result(prompt_result)
        self._model.on_prompt_done(self)

    def _watch_errors(self, child_process: subprocess.Popen[bytes]) -> None:
        """Read what libraries print: progress bars, and the last lines before a crash."""
        assert child_process.stderr
        partial_line = ""
        while error_bytes := os.read(child_process.stderr.fileno(), 65536):
            chunk_text = partial_line + error_bytes.decode("utf-8", "replace")
            *error_lines, partial_line = chunk_text.replace("\r", "\n").split("\n")
            for error_line in [*error_lines, partial_line]:
                if progress_match := _PROGRESS_BAR.match(error_line.strip()):
                    if not self.is_ready:
                        self.loading_stage = f"{progress_match['label'].lower()} {progress_match['percent']} %"
                        self.progress = int(progress_match["percent"]) / 100
            self._last_lines += [
                error_line.strip()
                for error_line in error_lines
                if error_line.strip() and not _PROGRESS_BAR.match(error_line.strip())
            ]
        child_process.stderr.close()

    def _make_exit_failure(self, exit_code: int) -> Failure:
        """Return why the process ended by itself."""
        if exit_code < 0:
            signal_name = signal.Signals(-exit_code).name
            is_killed = signal_name == "SIGKILL"
            memory_hint = " (the machine may be out of memory)" if is_killed else ""
            failure_cause = (
                f"the process of the model was ended by {signal_name}{memory_hint}; the next try starts it again"
            )
            return Failure(None, failure_cause, FaultCode.OUT_OF_MEMORY if is_killed else FaultCode.CRASHED)
        last_line = f": {self._last_lines[-1][:200]}" if self._last_lines else ""
        failure_cause = f"the process of the model ended with {exit_code}{last_line}; the next try starts it again"
        return Failure(None, failure_cause, FaultCode.CRASHED)

    def _fail_waiting_prompts(self, failure: Failure) -> None:
        """Fail all waiting prompts, and those to come."""
        with self._lock:
            self._failure = failure
            waiting_futures, self.future_by_number = list(self.future_by_number.values()), {}
        self._model.on_child_ended(self)
        for reply_future in waiting_futures:
            if reply_future.set_running_or_notify_cancel():
                reply_future.set_exception(ModelFailed(failure))


# ---------------------------------------------------------------------- all models of this process
_MODEL_BY_SPEC: dict[ModelSpec, LocalModel] = {}
_MODELS_LOCK = threading.Lock()


def find_or_add_model(model_spec: ModelSpec) -> LocalModel:
    """Return this process's model of a spec; it is loaded at its first prompt."""
    with _MODELS_LOCK:
        return _MODEL_BY_SPEC.setdefault(model_spec, LocalModel(model_spec))


def list_model_states() -> tuple[ModelState, ...]:
    """Return how far the models are that have been named so far."""
    with _MODELS_LOCK:
        models = list(_MODEL_BY_SPEC.values())
    return tuple(model.state for model in models)


def close_all() -> None:
    """Free all memory and wait until it is free. Safe to call twice."""
    with _MODELS_LOCK:
        models = list(_MODEL_BY_SPEC.values())
    for model in models:
        model.close()


atexit.register(close_all)
