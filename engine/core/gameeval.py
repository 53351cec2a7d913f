"""What a game says of a finished episode in the result files of the GameEval paper's own code."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.events import Json
from engine.core.patterns import compile_pattern

_UNSAFE_NAME_CHARACTERS = compile_pattern(r"[^A-Za-z0-9.=_-]+")


@dataclass(frozen=True)
class GameEvalResult:
    """A line of a file of results, and where the log of the episode belongs.

    `file` is the path of the results and `folder` that of the logs; the line gets the name of its log last.
    """

    file: str
    folder: str
    line: Json


def file_name(raw_name: str) -> str:
    """Return a text as part of a file's name: "openai-gpt-4" for "openai/gpt-4"."""
    return _UNSAFE_NAME_CHARACTERS.replace_matches("-", raw_name)
