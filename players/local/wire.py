"""What the two processes of a local model say to each other: length-prefixed pickles over two pipes.

Only our own child is ever spoken to, over pipes that nobody else holds, so pickles are safe here.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from typing import IO, Any

from players.local.constraint import Constraint


@dataclass(frozen=True, slots=True)
class Spec:
    """Which model is loaded, and how: equal ones share one process."""

    name: str
    """A folder, or ORG/NAME on the Hugging Face hub."""
    device: str = "auto"
    dtype: str = "auto"
    quantize: str = "none"
    batch: int = field(default=16, compare=False)
    """The most prompts generated together; whoever names the model first decides."""


@dataclass(frozen=True, slots=True)
class Said:
    """One turn of a conversation; pictures are encoded (PNG or JPEG) and come before the text."""

    role: str
    text: str
    pictures: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """One conversation to be continued, with how to choose the words. Temperature 0 is greedy."""

    turns: tuple[Said, ...]
    max_tokens: int = 400
    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    """0: no limit."""
    seed: int = 0
    stop: tuple[str, ...] = ()
    thinking: bool | None = None
    """Handed to the chat template as `enable_thinking`; None: the template's own default."""
    constraint: Constraint | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a prompt was answered with. `together` is how many prompts were generated in the same batch."""

    text: str
    reasoning: str
    tokens_in: int
    tokens_out: int
    finish: str
    """ "stop" or "length"."""
    constrained: str | None
    together: int


@dataclass(frozen=True, slots=True)
class Ready:
    """A loaded model: its id with the revision where one is known, and what it is and runs on."""

    model: str
    device: str
    dtype: str
    sees: bool
    context: int | None
    """The most tokens of prompt and reply together, where the model says."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Where loading is."""

    stage: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A prompt (by its number), or the loading of the model (None), that failed, with the cause in one line."""

    number: int | None
    cause: str


def send(pipe: IO[bytes], message: Any) -> None:
    """Write one message. Raises OSError when nobody reads any more."""
    data = pickle.dumps(message, protocol=5)
    pipe.write(len(data).to_bytes(8, "little") + data)
    pipe.flush()


def receive(pipe: IO[bytes]) -> Any:
    """Read one message. Raises EOFError when nobody writes any more."""
    size = pipe.read(8)
    data = pipe.read(int.from_bytes(size, "little")) if len(size) == 8 else b""
    if not data:
        raise EOFError
    return pickle.loads(data)
