"""What seats are told while a game waits for a player, in words that give nothing away.

The cause of a fault may quote what another seat was sent (servers like to echo), so a seat reads one of a few sentences
of ours; spectators and the server's log get the cause itself.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.patterns import compile_pattern
from engine.core.player import FaultCode, Player

CAUSE_WORDS = (
    (r"answered (401|402|403)\b", "its key is missing or is not accepted"),
    (r"answered (429|503|529)\b", "its server is too busy"),
    (r"answered 404\b", "its server does not know the model"),
    (r"answered (408|409|425|5\d\d)\b", "its server failed"),
    (r"answered 4\d\d\b", "its server does not take what it was sent"),
    (r"timed out|no answer within", "its server took too long"),
    (r"no connection", "its server cannot be reached"),
    (r"\bneeds a key\b", "its key is missing or is not accepted"),
    (r"\bmemory\b", "there is not enough memory for it"),
    (r"not installed", "it is not installed here"),
)
"""Patterns of our own players' causes, with what a seat may read in their place; the first match counts."""


WORDS_BY_CODE = {
    FaultCode.AUTHENTICATION: "its key is missing or is not accepted",
    FaultCode.RATE_LIMITED: "its server is too busy",
    FaultCode.NOT_FOUND: "its server does not know the model",
    FaultCode.SERVER_ERROR: "its server failed",
    FaultCode.INVALID_REQUEST: "its server does not take what it was sent",
    FaultCode.UNREACHABLE: "its server cannot be reached",
    FaultCode.OUT_OF_MEMORY: "there is not enough memory for it",
    FaultCode.NOT_INSTALLED: "it is not installed here",
    FaultCode.TIMED_OUT: "it took too long",
    FaultCode.EMPTY_REPLY: "its reply was empty",
    FaultCode.PROMPT_TOO_LONG: "the game has become too long for it",
}
"""What a seat may read for the code of a fault; logs of earlier versions have none."""


def describe_cause(cause: str, code: str | None = None) -> str | None:
    """Return why a player cannot answer in words that quote nothing; None for an unknown cause."""
    patterns = ((compile_pattern(pattern, ignore_case=True), words) for pattern, words in CAUSE_WORDS)
    words = next((words for pattern, words in patterns if pattern.search(cause) is not None), None)
    return words or next((words for fault_code, words in WORDS_BY_CODE.items() if fault_code == code), None)


def describe_stalled_game(cause: str, player_phrase: str, fault_code: str | None = None) -> str:
    """Return what a seat reads when the player of another seat cannot answer; `player_phrase` names that player."""
    cause_text = describe_cause(cause, fault_code)
    return f"{player_phrase} cannot answer at the moment{f': {cause_text}' if cause_text else ''}."


def measure_loading(players: Iterable[Player]) -> float | None:
    """Return how much is loaded of the model that is furthest behind, 0 to 1; None when none is being loaded."""
    load_progress_values = [
        model_load_progress for player in players if (model_load_progress := player.load_progress) is not None
    ]
    return round(min(load_progress_values), 2) if load_progress_values else None
