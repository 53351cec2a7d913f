"""What is kept of a browser's report: known fields with sane values, whatever the browser sent."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.client_report import (
    CLIENT_REPORT_FIELDS,
    MAX_REPORTED_PICTURES,
    extract_report,
    read_report,
    remove_report,
)
from engine.core.events import Event, Kind, to_json

FULL = {
    "first_key_ms": 812,
    "keystrokes": 24,
    "edits": 3,
    "pastes": 1,
    "pasted_characters": 11,
    "pasting": "allowed",
    "hidden_seconds": 2.5,
    "unfocused_seconds": 0.25,
    "viewport_width": 1280,
    "viewport_height": 500,
    "pixel_ratio": 1.5,
    "zoom": 1.0,
    "pointer": "fine",
    "pictures": [[336.0, 336.0], [0.0, 0.0]],
}
"""A report with every field."""

numbers = st.integers() | st.floats() | st.integers(-(10**400), 10**400)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | st.text() | st.sampled_from(["fine", "blocked"]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)
reports = st.dictionaries(st.sampled_from([*CLIENT_REPORT_FIELDS]) | st.text(), json_values | numbers, max_size=12)


def test_a_whole_report_is_kept_as_it_is():
    assert set(FULL) == set(CLIENT_REPORT_FIELDS)
    assert read_report(FULL) == FULL and list(read_report(dict(reversed(FULL.items())))) == list(CLIENT_REPORT_FIELDS)
    assert extract_report({"client": FULL, "seconds": 1.0}) == FULL and extract_report({"seconds": 1.0}) == {}


@given(json_values | reports)
def test_of_any_json_only_known_fields_with_small_values_are_kept(reported):
    report = read_report(reported)
    assert report.keys() <= CLIENT_REPORT_FIELDS.keys()
    assert len(to_json(report)) < 2000  # which refuses NaN and infinity
    assert read_report(json.loads(to_json(report))) == report, "what is stored is read back as it is"
    assert extract_report({"client": reported}) == report


@pytest.mark.parametrize(
    ("name", "values"),
    {
        "keystrokes": (True, -1, 1.5, 10**10, 10**400, "3", None, [3], math.nan, math.inf),
        "first_key_ms": (-1, 10**12, "1"),
        "hidden_seconds": (-0.1, 10**9, math.nan, "1", False),
        "pointer": ("mouse", "", 1, None, ["fine"]),
        "pasting": ("yes", True, {}),
        "zoom": (0, -1, 1000, math.inf),
        "pixel_ratio": (0, "1"),
        "viewport_width": (100_001, 1.5, -3),
        "pictures": (
            [],
            {},
            [[1]],
            [[1, 2, 3]],
            [1, 2],
            [[1, "2"]],
            [[1, -2]],
            [[1, 10**7]],
            [[1, 2]] * 21,
            "x" * 10**6,
        ),
    }.items(),
)
def test_a_field_of_the_wrong_kind_or_size_is_left_out_alone(name, values):
    others = {field: value for field, value in FULL.items() if field != name}
    for value in values:
        assert read_report({**FULL, name: value, "text": "secret"}) == others, value


def test_numbers_are_rounded_and_as_many_pictures_fit_as_any_form_has():
    assert read_report({"hidden_seconds": 1.23456, "keystrokes": 3.0}) == {"keystrokes": 3, "hidden_seconds": 1.235}
    sizes = [[10.0, 20.0]] * MAX_REPORTED_PICTURES
    assert read_report({"pictures": sizes}) == {"pictures": sizes}


def test_an_event_is_shown_without_its_report_and_otherwise_unchanged():
    reply = Event(Kind.REPLY, "A", {"ask": 1, "text": "x", "meta": {"move": "m", "client": FULL}}, 3, 5)
    shown = remove_report(reply)
    assert shown == Event(Kind.REPLY, "A", {"ask": 1, "text": "x", "meta": {"move": "m"}}, 3, 5)
    assert reply.data["meta"]["client"] == FULL
    others = [
        Event(Kind.REPLY, "A", {"ask": 1, "text": "x", "meta": {}}),
        Event(Kind.NOTE, None, {"meta": {"client": 1}}),
    ]
    assert all(remove_report(event) is event for event in others)
