"""The process of one local model: `python -m players.local.child`, started by `host`, never by hand.

Prompts come in on standard input and answers go out on standard output (see `wire`); what libraries print goes to
standard error, which the parent reads for progress and for the cause of a crash. The process ends when its standard
input does, so it never outlives its parent.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from typing import BinaryIO

from players.local.loaded import Loaded, Outcome, Unanswerable, Unloadable, one_line
from players.local.wire import Prompt, Refused, Spec, Stage, receive, send

GATHER = 0.01
"""Seconds without a new prompt after which a batch begins: tables that play in step ask at nearly the same time."""

WATCH = 2.0
NICENESS = 5
"""A server on the same machine, at which people play, comes first."""


class Queue:
    """The prompts that wait, and the numbers of those nobody waits for any more."""

    def __init__(self) -> None:
        self._coming: queue.SimpleQueue[tuple[int, Prompt]] = queue.SimpleQueue()
        self._waiting: dict[int, Prompt] = {}
        self.given_up: set[int] = set()

    def put(self, number: int, prompt: Prompt | None) -> None:
        """Let a prompt wait; None gives the one of that number up."""
        if prompt is None:
            self.given_up.add(number)
        else:
            self._coming.put((number, prompt))

    def take(self, most: int) -> dict[int, Prompt]:
        """Return up to `most` prompts that wait, at least one; others are gathered for a moment."""
        if not self._waiting:
            self._waiting.update([self._coming.get()])
        while len(self._waiting) < most:
            try:
                self._waiting.update([self._coming.get(timeout=GATHER)])
            except queue.Empty:
                break
        taken = dict(list(self._waiting.items())[:most])
        for number in taken:
            del self._waiting[number]
        return taken


def main() -> None:
    """Load the model that is asked for, then answer until nobody asks any more."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    prompts, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not come between the answers
    spec: Spec = receive(prompts)
    waiting = Queue()
    threading.Thread(target=_listen, args=(prompts, waiting.put), daemon=True).start()
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()
    try:
        loaded = Loaded.load(spec, lambda stage: send(answers, Stage(stage)))
    except Unloadable as error:
        send(answers, Refused(None, str(error)))
        return
    send(answers, loaded.ready)

    def deliver(number: int, outcome: Outcome) -> None:
        failed = isinstance(outcome, Unanswerable)
        send(answers, Refused(number, str(outcome)) if failed else (number, outcome))

    while True:
        together = waiting.take(spec.batch)
        try:
            loaded.answer(together, deliver, waiting.given_up)
        except Exception as error:  # the device is lost: a new process may have it again
            send(answers, Refused(None, one_line(error)))
            raise
        waiting.given_up.difference_update(together)


def _listen(prompts: BinaryIO, put: Callable[[int, Prompt | None], None]) -> None:
    """Take in what the parent asks; end the process when the parent closes the pipe or is gone."""
    try:
        while True:
            put(*receive(prompts))
    except (EOFError, OSError):
        os._exit(0)


def _watch(parent: int) -> None:
    """End the process when the parent is gone though somebody else holds its end of the pipe open (a fork of it)."""
    while os.getppid() == parent:
        time.sleep(WATCH)
    os._exit(0)


if __name__ == "__main__":
    main()
