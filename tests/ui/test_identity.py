"""People and programs play the same game: what a person sent through a form, sent again by a program, is the same.

A whole episode is played in Chromium; then the command line plays the same instance with the person's recorded replies.
Both logs must be equal but for ids, times, what is known about replies, who was looking, and who sat there.
"""

import json
from collections.abc import Callable
from itertools import chain, groupby
from typing import Any

import pytest

from engine.core.events import PRESENCE_KINDS, Event, Kind
from engine.storage.episode_row import EpisodeRow
from engine.storage.store import Store
from tests.serving import run_command

pytestmark = pytest.mark.browser

SEATED = ("seats", "people", "run_seed", "repetition")
"""What a start says of who sat there and on whose account."""
TEXTS = [
    "Five cells in a row, then nothing.\nAnd a second line, with a colon: QUESTION: no",
    "  blanks around, 'quotes' and \"more\"  ",
    "Is it like this? 👀 <b>or</b> that",
    "No.",
]


@pytest.fixture(scope="module")
def house(module_server: Callable) -> Any:
    """A server shared by the tests of this file."""
    return module_server()


def comparable_events(log: list[Event]) -> list[tuple]:
    """An episode without ids, times, metadata, presence and who sat there.

    Replies of those who are asked at the same time come in the order of their asks, not of arrival.
    """
    made: list[tuple] = []
    events = [event for event in log if event.kind not in PRESENCE_KINDS]
    steps = groupby(events, lambda event: event.kind in (Kind.REPLY, Kind.PARSED, Kind.VIOLATION))
    for event in chain.from_iterable(
        sorted(step, key=lambda event: event.data["ask"]) if of_replies else step for of_replies, step in steps
    ):
        data = dict(event.data)
        if event.kind is Kind.START:
            data = {name: value for name, value in data.items() if name not in SEATED}
        if event.kind is Kind.REPLY:
            data.pop("meta")
        made.append((event.kind, event.seat, data))
    return made


def newest(house: Any) -> tuple[EpisodeRow, list[Event]]:
    with Store(house.db) as store:
        row = store.episodes(max_episodes=1)[0]
        return row, store.events(row.id)


@pytest.mark.parametrize(
    ("variant", "seat", "other", "settings"),
    [
        ("text", "A", "scripted", {}),
        ("picture", "B", "scripted", {}),
        ("text", "B", "random", {"questions": 1, "tell_limit": True}),
        ("text", "A", "scripted", {"early_decision": True}),
    ],
)
def test_an_episode_is_the_same_whoever_sends_the_replies(house, new_page, player_at, variant, seat, other, settings):
    partner = "B" if seat == "A" else "A"
    page = new_page(house.url)
    body = {"game": "matchit", "variant": variant, "seats": {seat: "person", partner: other}, "settings": settings}
    table = page.request.post(f"{house.url}/api/tables", data=body).json()
    page.goto(house.url + table["go"])
    me = player_at(page)
    number = 0
    while me.wait_for_ask():
        me.reply(TEXTS[number % len(TEXTS)], choice=number % 2)
        number += 1
    with page.expect_response("**/api/debrief*") as shown:
        page.reload()
    mine, log = newest(house)
    assert mine.id == table["episode"] and len(log) > 20

    seats = ("--seat", f"{seat}=recorded/{mine.id}", "--seat", f"{partner}={other}")
    run = run_command("run", f"matchit/{variant}", *seats, "--db", house.db, "--yes")
    assert run.returncode == 0, run.stderr
    again, log_again = newest(house)
    assert again.id != mine.id and again.origin == "run"
    assert comparable_events(log_again) == comparable_events(log)
    with Store(house.db) as store:
        scores = store.episode(mine.id).scores
    assert scores and scores == again.scores and mine.scores_version == again.scores_version
    assert shown.value.json()["score"]["main"] == scores["main_score"]
    assert json.loads(json.dumps(mine.outcome)) == again.outcome
