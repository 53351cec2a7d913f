"""The process of one local model: `python -m players.local.child`, started by `host`, never by hand.

Prompts arrive on standard input and replies go out on standard output (see `messages`). What libraries print goes to
standard error, which the parent reads for progress and for the cause of a crash. The process ends when its standard
input is closed, so it never outlives its parent.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable
from typing import BinaryIO

from engine.core.player import FaultCode
from players.local.loaded import GenerationError, GenerationResult, LoadedModel, LoadError, describe_error_in_one_line
from players.local.messages import Failure, LoadingStage, ModelSpec, PartialReply, Prompt, receive_message, send
from players.local.process import detach_standard_input

BATCH_WAIT_SECONDS = 0.01
"""Seconds without a new prompt after which a batch begins: tables that play in step ask at nearly the same time."""

PARENT_CHECK_SECONDS = 2.0
CHILD_NICENESS = 5
"""A server on the same machine, with people playing, has priority."""


class PromptQueue:
    """The waiting prompts, and the numbers of cancelled_numbers ones."""

    def __init__(self) -> None:
        self._incoming_prompts: queue.SimpleQueue[tuple[int, Prompt]] = queue.SimpleQueue()
        self._waiting_prompts: dict[int, Prompt] = {}
        self.cancelled_numbers: set[int] = set()

    def enqueue_prompt(self, prompt_number: int, prompt: Prompt | None) -> None:
        """Queue a prompt; None cancels the prompt of that number."""
        if prompt is None:
            self.cancelled_numbers.add(prompt_number)
        else:
            self._incoming_prompts.put((prompt_number, prompt))

    def take_prompts(self, max_prompts: int) -> dict[int, Prompt]:
        """Wait for at least one prompt, and return it with up to `max_prompts` that arrive at nearly the same time."""
        if not self._waiting_prompts:
            self._waiting_prompts.update([self._incoming_prompts.get()])
        while len(self._waiting_prompts) < max_prompts:
            try:
                self._waiting_prompts.update([self._incoming_prompts.get(timeout=BATCH_WAIT_SECONDS)])
            except queue.Empty:
                break
        prompt_batch = dict(list(self._waiting_prompts.items())[:max_prompts])
        for prompt_number in prompt_batch:
            del self._waiting_prompts[prompt_number]
        return prompt_batch


def main() -> None:
    """Load the model, then answer prompts until the parent closes the pipe."""
    if hasattr(os, "nice"):
        os.nice(CHILD_NICENESS)
    prompts, replies = detach_standard_input(), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print must not mix with the replies
    model_spec: ModelSpec = receive_message(prompts)
    prompt_queue = PromptQueue()
    threading.Thread(target=_receive_prompts, args=(prompts, prompt_queue.enqueue_prompt), daemon=True).start()
    threading.Thread(target=_watch_parent, args=(os.getppid(),), daemon=True).start()
    try:
        model = LoadedModel.load(model_spec, lambda loading_stage: send(replies, LoadingStage(loading_stage)))
    except LoadError as error:
        send(replies, Failure(None, str(error), error.code))
        return
    model.show_partial_reply = lambda prompt_number, partial_text: send(
        replies, PartialReply(prompt_number, partial_text)
    )
    send(replies, model.info)

    def deliver_result(prompt_number: int, prompt_result: GenerationResult) -> None:
        if isinstance(prompt_result, GenerationError):
            send(replies, Failure(prompt_number, str(prompt_result), prompt_result.code))
        else:
            send(replies, (prompt_number, prompt_result))

    while True:
        prompt_batch = prompt_queue.take_prompts(model_spec.batch)
        try:
            model.answer(prompt_batch, deliver_result, prompt_queue.cancelled_numbers)
        except Exception as error:  # the device is lost: a new process may get it back
            send(replies, Failure(None, describe_error_in_one_line(error), FaultCode.CRASHED))
            raise
        prompt_queue.cancelled_numbers.difference_update(prompt_batch)


def _receive_prompts(prompts: BinaryIO, queue_prompt: Callable[[int, Prompt | None], None]) -> None:
    """Queue the parent's prompts; end the process when the parent closes the pipe or is gone."""
    try:
        while True:
            queue_prompt(*receive_message(prompts))
    except (EOFError, OSError):
        os._exit(0)


def _watch_parent(parent_id: int) -> None:
    """End the process when the parent is gone but a fork of it still holds its end of the pipe open."""
    while os.getppid() == parent_id:
        time.sleep(PARENT_CHECK_SECONDS)
    os._exit(0)


if __name__ == "__main__":
    main()
