"""Episodes with a model behind a network in a seat, to their outcome: with every api, with text and with pictures."""

import asyncio
import base64
import io
from pathlib import Path

import pytest
from PIL import Image

from engine.core.events import Ending, Kind
from engine.play.registry import Registry
from engine.play.runner import play
from tests.players.seats import PROVIDERS

pytestmark = pytest.mark.models

ROOT = Path(__file__).parents[2]
INSTANCES = (
    "matchit/text/same/0",
    "matchit/picture/photos-similar/0",
    "mapworld/ee-text/small/0",
    "mapworld/ee-gr-picture/small/0",
    "mapworld/g2x-picture/on/0",
)
EVERY = pytest.mark.parametrize(("instance", "api"), [(one, api) for one in INSTANCES for api in PROVIDERS])


@pytest.fixture
def seats(tmp_path, monkeypatch):
    """Play an instance with a model of a server at the first seat, and somebody else at the others."""
    monkeypatch.setenv("LAB_KEY", "sk-right")

    def go(instance, api, url, others="scripted", model="lab/m", **rest):
        base = f"{url}/v1" if api == "openai" else url
        table = f'[servers.lab]\napi = "{api}"\nbase_url = "{base}"\nkey_env = "LAB_KEY"\n'
        (tmp_path / "players.toml").write_text(table)
        registry = Registry(ROOT, players=tmp_path / "players.toml")
        name, _, selection = instance.partition("/")
        first, *_ = registry.game(name).seats

        async def episode():
            try:
                return await play(name, selection, {"all": others, first: model}, registry=registry, **rest)
            finally:
                await registry.close()

        return asyncio.run(episode())

    return go


@EVERY
@pytest.mark.parametrize("reprompt", [0, 2])
def test_an_echo_breaks_the_rules_and_is_told_so(instance, api, reprompt, katans, seats):
    episode = seats(instance, api, katans["plain"].url, reprompt=reprompt)
    assert episode.stall_cause is None and episode.outcome.kind is Ending.ABORTED and episode.outcome.reason == "format"
    first, *_ = episode.master.game.seats  # a partner may have been asked at the same time
    violations = [event.data for event in episode.log if event.kind is Kind.VIOLATION and event.seat == first]
    replies = [event.data for event in episode.log if event.kind is Kind.REPLY and event.seat == first]
    assert len(violations) == len(replies) == reprompt + 1
    assert [data["reminder"] is None for data in violations] == [False] * reprompt + [True]
    for reply in replies:
        assert reply["text"].startswith("[echo]") and reply["meta"]["attempts"] == 1
    if "picture" in instance:
        assert "[image:image/" in replies[0]["text"] and replies[0]["meta"]["pictures"]


@EVERY
def test_a_model_that_says_what_a_scripted_player_says_plays_the_same_game(instance, api, fake_server, seats):
    expected = seats(instance, api, fake_server.url, model="scripted")
    first = expected.master.game.seats[0]
    for event in expected.log:
        if event.kind is Kind.REPLY and event.seat == first:
            fake_server.reply(event.data["text"])
    episode = seats(instance, api, fake_server.url)
    assert episode.outcome == expected.outcome and episode.outcome.kind in (Ending.SUCCESS, Ending.LOSE)
    accepted, wanted = (  # the seed is made of who sits there, so the partner may say other things
        [event.data["value"] for event in one.log if event.kind is Kind.PARSED and event.seat == first]
        for one in (episode, expected)
    )
    assert accepted == wanted
    roles = [message["role"] for message in fake_server.requests[-1].body["messages"]]
    assert (
        roles == ["user", "assistant"] * (len(roles) // 2) + ["user"]
        and len(roles) == 2 * len(fake_server.requests) - 1
    )
    for data in _pictures(fake_server.requests[-1].body):
        with Image.open(io.BytesIO(base64.b64decode(data))) as image:
            assert image.format in ("PNG", "JPEG") and not image.getexif()
    assert bool(list(_pictures(fake_server.requests[-1].body))) == ("picture" in instance)


def _pictures(value):
    """Find the encoded pictures in a request of either api."""
    if isinstance(value, dict):
        if isinstance(value.get("data"), str):
            yield value["data"]
        elif isinstance(value.get("url"), str):
            yield value["url"].partition(",")[2]
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _pictures(one)


def test_a_model_that_fails_stalls_the_episode_and_goes_on_at_the_same_ask(fake_server, seats):
    fake_server.respond(401)
    episode = seats("matchit/text/same/0", "openai", fake_server.url)
    assert episode.outcome is None and "it answered 401" in episode.stall_cause
    asked = [event.data["ask"] for event in episode.log if event.kind is Kind.ASK]

    async def again():
        await episode.retry()
        await episode.play()
        await PROVIDERS["openai"].close()

    asyncio.run(again())
    assert episode.outcome and len(fake_server.requests) == 2
    replied = sorted(event.data["ask"] for event in episode.log if event.kind is Kind.REPLY)
    assert replied == asked  # the partner, asked at the same time, replies before the model does
