"""What is said at a table of MatchIt, and what a talker decides: the types that all talkers share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Speaker = Literal["me", "partner"]
UtteranceKind = Literal["description", "question", "answer"]
Decision = Literal["same", "different"]


@dataclass(frozen=True)
class Utterance:
    """One description, question or answer: who said it, and its text without the tag."""

    speaker: Speaker
    kind: UtteranceKind
    text: str
