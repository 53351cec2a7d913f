"""How long a person would take for a reply: drawn, so that a program whose nature is hidden is not faster.

A draw depends on the seed of the episode, the seat, the ask and the length of what is written, and on nothing else: it
can be made again after a crash. It is a plausible time, no model of what a certain person does.
"""

from __future__ import annotations

import math
import random
from typing import Any

from engine.core.events import Json
from engine.core.replies import ReplyFormat

TYPING_MEAN_WPM, TYPING_SD_WPM = 51.56, 20.20
"""Words per minute when copying a text, over 168,000 people (Dhakal, Feit, Kristensson and Oulasvirta 2018,
"Observations on typing from 136 million keystrokes", CHI, https://doi.org/10.1145/3173574.3174220)."""
SECONDS_PER_CHARACTER = 19.0 / 32.5
"""Speed of composing a text in that of copying one (Karat, Halverson, Horn and Karat 1999, CHI)."""
SLOWEST_PACE_WPM, FASTEST_PACE_WPM = 10.0, 120.0
CHARACTERS_PER_WORD = 5
"""What a word is in words per minute."""
THINKING_MEDIAN_SECONDS, THINKING_SIGMA = 5.0, 0.5
"""Seconds of reading and thinking before a reply, and the standard deviation of their logarithm: our assumption."""
MAX_WAIT_SECONDS = 120.0
"""No reply is held for longer, in seconds; a person with less time for a reply has to be faster as well."""


def sample_reply_delay_seconds(
    seed: str, seat: str, request_number: int, character_count: int, turn_seconds: float | None = None
) -> float:
    """Return seconds from ask to reply as a person might take them, for a reply of so many typed characters.

    Each seat types at a speed of its own. `turn_seconds` is the time that people at the table have for a reply.
    """
    typing_random_source = random.Random(f"{seed}/{seat}/typing")
    log_deviation = math.sqrt(math.log1p((TYPING_SD_WPM / TYPING_MEAN_WPM) ** 2))
    words_per_minute = typing_random_source.lognormvariate(
        math.log(TYPING_MEAN_WPM) - log_deviation**2 / 2, log_deviation
    )
    speed = (
        min(max(words_per_minute, SLOWEST_PACE_WPM), FASTEST_PACE_WPM)
        * SECONDS_PER_CHARACTER
        * CHARACTERS_PER_WORD
        / 60
    )
    thinking_seconds = random.Random(f"{seed}/{seat}/{request_number}/thinking").lognormvariate(
        math.log(THINKING_MEDIAN_SECONDS), THINKING_SIGMA
    )
    return min(thinking_seconds + character_count / speed, MAX_WAIT_SECONDS, turn_seconds or MAX_WAIT_SECONDS)


def count_typed_characters(reply_format: ReplyFormat[Any], reply_text: str) -> int:
    """Return how many characters of a reply a person would type: none where they only choose from options."""
    if all("options" in form_field for form_field in _list_form_fields(reply_format.describe_form())):
        return 0
    return sum(len(reply_segment.text) for reply_segment in reply_format.show(reply_text))


def _list_form_fields(reply_form: Json) -> list[Json]:
    match reply_form:
        case {"either": list(alternative_forms)}:
            return [
                form_field
                for alternative_form in alternative_forms
                for form_field in _list_form_fields(alternative_form)
            ]
        case {"fields": list(form_fields)}:
            return form_fields
    return []
