"""What a person's browser reports with a reply: how it was written, and on what screen. Pure; nobody can check it.

A report is the value of `client` in the meta of a reply event. `read_report` accepts any JSON and keeps what it knows,
so a report that is malformed, forged or of a later version never costs a person their reply. `CLIENT_REPORT_FIELDS` is
the dictionary of all that is kept; exports and their documentation read it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.core.events import Event, Json, Kind

META_KEY = "client"
"""Where a reply's meta holds the report."""
YEAR_SECONDS = 366 * 24 * 3600
"""Seconds: the longest time that is kept."""
MAX_CLIENT_COUNT = 1_000_000_000
MAX_SIDE_PIXELS = 100_000
"""CSS pixels."""
MAX_REPORTED_PICTURES = 20


@dataclass(frozen=True)
class ReportField:
    """One field of a report. `read` returns the value to keep, or None where JSON is no such value."""

    meaning: str
    read: Callable[[object], Any]


def _read_number(reported_value: object, lower_bound: float, upper_bound: float) -> int | float | None:
    """Return a number within bounds; None for anything else, also for NaN and for true and false."""
    if isinstance(reported_value, bool) or not isinstance(reported_value, int | float):
        return None
    return reported_value if lower_bound <= reported_value <= upper_bound else None  # NaN compares false


def _make_integer_reader(upper_bound: int) -> Callable[[object], int | None]:
    """Return a reader of whole numbers from 0 to `most`."""

    def read_integer(reported_value: object) -> int | None:
        bounded_number = _read_number(reported_value, 0, upper_bound)
        return (
            int(bounded_number) if bounded_number is not None and bounded_number == math.floor(bounded_number) else None
        )

    return read_integer


def _make_decimal_reader(lower_bound: float, upper_bound: float) -> Callable[[object], float | None]:
    """Return a reader of numbers within bounds, rounded to three decimals."""

    def read_decimal(reported_value: object) -> float | None:
        bounded_number = _read_number(reported_value, lower_bound, upper_bound)
        return None if bounded_number is None else round(float(bounded_number), 3)

    return read_decimal


def _make_word_reader(*allowed_words: str) -> Callable[[object], str | None]:
    """Return a reader of one of these words."""
    return lambda reported_value: (
        reported_value if isinstance(reported_value, str) and reported_value in allowed_words else None
    )


def _read_sizes(reported_value: object) -> list[list[float]] | None:
    """Return a list of [width, height]; None where it is longer than any form, empty, or not all of it is sizes."""
    if not isinstance(reported_value, list) or not 0 < len(reported_value) <= MAX_REPORTED_PICTURES:
        return None
    read_side_length = _make_decimal_reader(0, MAX_SIDE_PIXELS)
    picture_sizes = [
        [read_side_length(side_length) for side_length in size_pair]
        for size_pair in reported_value
        if isinstance(size_pair, list) and len(size_pair) == 2
    ]
    known_sizes = [[width, height] for width, height in picture_sizes if width is not None and height is not None]
    return known_sizes if len(known_sizes) == len(reported_value) else None


CLIENT_REPORT_FIELDS: dict[str, ReportField] = {
    "first_key_ms": ReportField(
        "milliseconds from the ask to the first key pressed in the form", _make_integer_reader(YEAR_SECONDS * 1000)
    ),
    "keystrokes": ReportField(
        "keys pressed in the form, without Shift and the like", _make_integer_reader(MAX_CLIENT_COUNT)
    ),
    "edits": ReportField("deletions and replacements in the boxes of the form", _make_integer_reader(MAX_CLIENT_COUNT)),
    "pastes": ReportField(
        "texts pasted or dropped into the form; attempts where pasting is blocked", _make_integer_reader(10**6)
    ),
    "pasted_characters": ReportField(
        "length of these texts in characters, together", _make_integer_reader(MAX_CLIENT_COUNT)
    ),
    "pasting": ReportField(
        "whether the page let texts be pasted: allowed or blocked", _make_word_reader("allowed", "blocked")
    ),
    "hidden_seconds": ReportField(
        "seconds during which the page was not visible", _make_decimal_reader(0, YEAR_SECONDS)
    ),
    "unfocused_seconds": ReportField(
        "seconds during which the page was visible and something else had the focus",
        _make_decimal_reader(0, YEAR_SECONDS),
    ),
    "viewport_width": ReportField("width of the window's content in CSS pixels", _make_integer_reader(MAX_SIDE_PIXELS)),
    "viewport_height": ReportField(
        "height of the window's content in CSS pixels", _make_integer_reader(MAX_SIDE_PIXELS)
    ),
    "pixel_ratio": ReportField(
        "device pixels per CSS pixel, which the zoom of the browser multiplies", _make_decimal_reader(0.01, 100)
    ),
    "zoom": ReportField(
        "pinch zoom, 1 for none; empty where the browser does not say", _make_decimal_reader(0.01, 100)
    ),
    "pointer": ReportField(
        "pointing device: fine (mouse), coarse (finger), none", _make_word_reader("fine", "coarse", "none")
    ),
    "pictures": ReportField(
        "JSON of [width, height] of each picture in front of the seat as drawn, in CSS pixels; [0, 0] if folded away",
        _read_sizes,
    ),
}


def read_report(sent_report: object) -> Json:
    """Return the valid fields of a report in the order of `CLIENT_REPORT_FIELDS`; {} if none are.

    `reported` is any JSON that a browser sent. Unknown fields, and values of the wrong type or size, are left out.
    """
    if not isinstance(sent_report, dict):
        return {}
    valid_values = {
        field_name: report_field.read(sent_report[field_name])
        for field_name, report_field in CLIENT_REPORT_FIELDS.items()
        if field_name in sent_report
    }
    return {field_name: field_value for field_name, field_value in valid_values.items() if field_value is not None}


def extract_report(reply_meta: Json) -> Json:
    """Return the report in a reply's meta; {} without one. Checked again, because logs are imported, too."""
    return read_report(reply_meta.get(META_KEY))


def remove_report(event: Event) -> Event:
    """Return an event without a report, as people other than the owner of a server may read it."""
    match event.kind, event.data:
        case Kind.REPLY, {"meta": dict(reply_meta)} if META_KEY in reply_meta:
            visible_meta = {name: meta_value for name, meta_value in reply_meta.items() if name != META_KEY}
            return Event(event.kind, event.seat, {**event.data, "meta": visible_meta}, event.n, event.time)
    return event
