"""What the others hear of a reply: its text without tags and private thoughts, and how it is worded."""

from __future__ import annotations

from typing import Any

from engine.core.event_views import AskEvent
from engine.core.events import Json
from engine.core.language import asks_something_new, compute_repeated_share, content_words, has_negation
from engine.core.replies import ReplyFormat, Text

QUESTION_MARK = "?"


def find_reply_format(request_event: AskEvent) -> ReplyFormat[Any]:
    """Return the format of the reply to an ask; that of free text if its game is not installed."""
    try:
        return request_event.reply_format
    except KeyError:
        return Text()


def find_public_text(answer_format: ReplyFormat[Any], reply_text: str) -> str:
    """Return a reply without tags and private thoughts."""
    return "\n".join(segment.text for segment in answer_format.show(reply_text) if not segment.private)


def escape_surrogates(json_value: Any) -> Any:
    """Return JSON with escapes in place of characters that UTF-8 cannot encode, also in members and keys."""
    if isinstance(json_value, str):
        return json_value.encode("utf-8", "backslashreplace").decode()
    if isinstance(json_value, dict):
        return {escape_surrogates(member_key): escape_surrogates(member) for member_key, member in json_value.items()}
    return [escape_surrogates(member) for member in json_value] if isinstance(json_value, list) else json_value


class WordingMeasures:
    """Measures the accepted replies of one episode in order (`engine.core.language`)."""

    def __init__(self) -> None:
        self._earlier_words: set[str] = set()

    def measure_text(self, spoken_text: str) -> Json:
        """Return words, negation, repeated words and novelty of the next text."""
        repeated_words_share = compute_repeated_share(spoken_text, self._earlier_words)
        is_new_question = asks_something_new(spoken_text, self._earlier_words) if QUESTION_MARK in spoken_text else None
        self._earlier_words |= content_words(spoken_text)
        return {
            "word_count": len(spoken_text.split()),
            "negation": has_negation(spoken_text),
            "repeated_words": repeated_words_share,
            "new_question": is_new_question,
        }
