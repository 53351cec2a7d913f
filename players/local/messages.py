"""The messages between the two processes of a local model: length-prefixed pickles over two pipes.

The other process is always our own child and nobody else holds the pipes, so pickles are safe here.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from typing import IO, Any

from engine.core.player import FaultCode
from players.common.constraint import Constraint


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """Which model is loaded, and how; players with equal specs share one process."""

    name: str
    """A folder, or ORG/NAME on the Hugging Face hub."""
    device: str = "auto"
    dtype: str = "auto"
    quantize: str = "none"
    trust_remote_code: bool = False
    """Whether Python code that comes with the model may run."""
    batch: int = field(default=16, compare=False)
    """The most prompts that are generated together; the player that names the model first decides."""


@dataclass(frozen=True, slots=True)
class PromptTurn:
    """One turn of a conversation; pictures are encoded (PNG or JPEG) and come before the text."""

    role: str
    text: str
    pictures: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """A conversation to continue, with the sampling parameters. Temperature 0 is greedy."""

    turns: tuple[PromptTurn, ...]
    max_tokens: int = 400
    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    """0: no limit."""
    seed: int = 0
    stop: tuple[str, ...] = ()
    thinking: bool | None = None
    """Passed to the chat template as `enable_thinking`; None: the template's own default."""
    constraint: Constraint | None = None
    streams: bool = False
    """Whether the reply is sent in parts as well, for somebody who watches."""


@dataclass(frozen=True, slots=True)
class GeneratedReply:
    """The reply to a prompt. `batch_size` is the number of prompts that were generated in the same batch."""

    text: str
    reasoning: str
    tokens_in: int
    tokens_out: int
    finish_reason: str
    """ "stop" or "length"."""
    constraint_kind: str | None
    batch_size: int


@dataclass(frozen=True, slots=True)
class PartialReply:
    """The text so far of the reply to a prompt."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class LoadedModelDescription:
    """A loaded model: its id, with the revision if known, what it is and what it runs on."""

    model: str
    device: str
    dtype: str
    sees_pictures: bool
    context: int | None
    """The most tokens of prompt and reply together, if the model has a limit."""


@dataclass(frozen=True, slots=True)
class LoadingStage:
    """How far loading is."""

    loading_stage: str


@dataclass(frozen=True, slots=True)
class Failure:
    """A prompt (by its number) or the model itself (None) failed, with the cause in one line."""

    number: int | None
    cause: str
    code: FaultCode


def send(message_pipe: IO[bytes], sent_message: Any) -> None:
    """Write one message. Raises OSError if nobody reads any more."""
    pickled_message = pickle.dumps(sent_message, protocol=5)
    message_pipe.write(len(pickled_message).to_bytes(8, "little") + pickled_message)
    message_pipe.flush()


def receive_message(pipe: IO[bytes]) -> Any:
    """Read one message. Raises EOFError if nobody writes any more."""
    size_header = pipe.read(8)
    pickled_message = pipe.read(int.from_bytes(size_header, "little")) if len(size_header) == 8 else b""
    if not pickled_message:
        raise EOFError
    return pickle.loads(pickled_message)
