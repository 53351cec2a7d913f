"""Replies that arrive in parts: what they come to, what is sent and recorded, and what a broken stream leads to."""

import json
from dataclasses import replace
from typing import Any

import pytest

from engine.core.player import FaultCode, PlayerFault
from tests.players.fake_server import make_stream
from tests.players.seats import ALL_PROVIDERS, ask_player, make_context, make_view

pytestmark = pytest.mark.models

ALL = pytest.mark.parametrize("api", ALL_PROVIDERS)
EVENTS = {"Content_Type": "text/event-stream; charset=utf-8"}


def watched(partials: list[str]) -> Any:
    """Return a view of which somebody watches the reply."""
    return replace(make_view(), show_partial_reply=partials.append)


@ALL
def test_a_streamed_reply_is_shown_as_it_grows_and_recorded_as_if_it_had_come_at_once(api, fake_server):
    context, partials = make_context(api, fake_server.url), []
    fake_server.reply("one two three").respond(200, make_stream(api, "one ", "two ", "three"), **EVENTS)
    at_once, in_parts = ask_player(api, context, make_view(), watched(partials))
    assert partials == ["one ", "one two ", "one two three"]
    assert in_parts.text == at_once.text == "one two three"
    assert in_parts.meta["tokens_in"] == 1000 and in_parts.meta["tokens_out"] == 100
    timed = {"seconds", "waits"}
    recorded = [{name: reply.meta[name] for name in reply.meta.keys() - timed} for reply in (at_once, in_parts)]
    assert recorded[0] == recorded[1] and "estimated" not in recorded[1]
    first, second = (request.body for request in fake_server.requests)
    assert "stream" not in first and second["stream"] is True
    assert second.get("stream_options") == ({"include_usage": True} if api == "openai" else None)


@ALL
@pytest.mark.parametrize("is_closed", [True, False], ids=["closed connection", "no last event"])
def test_a_stream_that_breaks_is_tried_again_from_its_beginning(api, is_closed, fake_server, monkeypatch):
    monkeypatch.setattr("players.common.limits.MIN_BACKOFF", 0.01)
    whole = make_stream(api, "one ", "two")
    broken = whole[: whole.index(b"two")].rpartition(b"\n\n")[0] + b"\n\n"
    headers = EVENTS | ({"Content_Length": str(len(whole))} if is_closed else {})
    context, partials = make_context(api, fake_server.url), []
    fake_server.respond(200, broken, **headers).respond(200, whole, **EVENTS)
    (reply,) = ask_player(api, context, watched(partials))
    assert partials == ["one ", "", "one ", "one two"]
    assert reply.text == "one two" and reply.meta["attempts"] == 2
    fake_server.respond(200, broken, **headers).respond(200, broken, **headers)
    with pytest.raises(PlayerFault, match=r"broke off.*\(2 attempts\)") as fault:
        ask_player(api, context, watched(partials))
    assert fault.value.code is FaultCode.INVALID_RESPONSE and partials[-1] == ""


@ALL
def test_an_error_within_a_stream_is_that_error(api, fake_server, monkeypatch):
    monkeypatch.setattr("players.common.limits.MIN_BACKOFF", 0.01)
    error: Any = {"type": "error", "error": {"type": "overloaded_error", "message": "too busy"}}
    if api == "responses":
        error = {"type": "error", "code": "server_error", "message": "too busy"}
    begun = make_stream(api, "one ", "two").partition(b"two")[0].rpartition(b"\n\n")[0]
    fake_server.respond(200, begun + f"\n\ndata: {json.dumps(error)}\n\n".encode(), **EVENTS)
    fake_server.respond(200, make_stream(api, "done"), **EVENTS)
    (reply,) = ask_player(api, make_context(api, fake_server.url), watched([]))
    assert reply.text == "done" and reply.meta["attempts"] == 2


@ALL
@pytest.mark.parametrize("events", [b"data: [1]\n\n", b"data: <html>\n\n"], ids=["list", "page"])
def test_events_of_another_kind_are_a_fault(api, events, fake_server):
    fake_server.respond(200, events, **EVENTS)
    with pytest.raises(PlayerFault, match="base_url right"):
        ask_player(api, make_context(api, fake_server.url), watched([]))
    assert len(fake_server.requests) == 1


@pytest.mark.parametrize("name", ["stream", "stream_options"])
def test_a_server_that_refuses_streams_is_asked_for_whole_replies_from_then_on(name, fake_server):
    partials: list[str] = []
    fake_server.respond(400, {"error": {"message": f"Unsupported parameter: '{name}'", "param": name}})
    replies = ask_player("openai", make_context("openai", fake_server.url), watched(partials), watched(partials))
    assert [reply.text for reply in replies] == ["hello", "hello"] and partials == []
    assert ["stream" in request.body for request in fake_server.requests] == [True, False, False]
    assert not any("stream_options" in request.body for request in fake_server.requests[1:])
    assert all("dropped" not in reply.meta and "stream" not in reply.meta["sent"] for reply in replies)


def test_a_server_that_does_not_count_streamed_tokens_streams_only_once(fake_server):
    partials: list[str] = []
    events = [line for line in make_stream("openai", "one").split(b"\n\n") if b"prompt_tokens" not in line]
    fake_server.respond(200, b"\n\n".join(events), **EVENTS)
    views = watched(partials), watched(partials)
    streamed, whole = ask_player("openai", make_context("openai", fake_server.url), *views)
    assert streamed.meta["estimated"] and "estimated" not in whole.meta
    assert ["stream" in request.body for request in fake_server.requests] == [True, False]


def test_a_server_that_answers_a_stream_as_a_whole_is_read(fake_server):
    partials: list[str] = []
    (reply,) = ask_player("openai", make_context("openai", fake_server.url), watched(partials))
    assert reply.text == "hello" and fake_server.requests[0].body["stream"] is True and partials == []


def test_thoughts_and_refusals_are_streamed_apart(fake_server):
    partials: list[str] = []
    deltas = [{"reasoning_content": "let me "}, {"reasoning_content": "think"}, {"content": "yes"}]
    events = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    events += [{"choices": [{"index": 0, "delta": {}, "finish_reason": "length"}]}]
    refusal = [{"choices": [{"index": 0, "delta": {"refusal": "I will not"}, "finish_reason": "stop"}]}]
    for each in (events, refusal):
        body = "".join(f"data: {json.dumps(event)}\n\n" for event in each)
        fake_server.respond(200, f": a comment\n\n{body}data: [DONE]\n\n".encode(), **EVENTS)
    context = make_context("openai", fake_server.url)
    (thoughtful,) = ask_player("openai", context, watched(partials))
    assert (thoughtful.text, thoughtful.meta["reasoning"], thoughtful.meta["finish"]) == (
        "yes",
        "let me think",
        "length",
    )
    (refused,) = ask_player("openai", make_context("openai", f"{fake_server.url}/other"), watched(partials))
    assert refused.text == "I will not" and refused.meta["refused"] is True
    assert partials == ["yes"]


@pytest.mark.parametrize("api", ["openai", "anthropic"])
def test_a_real_server_streams(api, katans, right_key):
    partials: list[str] = []
    (reply,) = ask_player(api, make_context(api, katans["plain"].url, key_env="LAB_KEY"), watched(partials))
    assert len(partials) > 1 and partials[-1] == reply.text
    assert reply.meta["tokens_out"] > 0 and "estimated" not in reply.meta
