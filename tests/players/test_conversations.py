"""How a conversation is written into requests: system messages, pictures, what servers keep and want back, prices."""

import asyncio
import json

import pytest

from engine.core.player import FaultCode, ModelInfo, PlayerFault
from engine.core.replies import Text, json_object
from engine.core.usage import FinishKind, classify_finish
from engine.core.views import Message
from engine.play.registry import Registry
from tests.players.fake_server import completion, messages, response
from tests.players.seats import (
    ALL_PROVIDERS,
    ask_player,
    make_context,
    make_picture,
    make_player,
    make_view,
    user_message,
)
from tests.players.test_seated_models import ROOT

pytestmark = pytest.mark.models

OPENAI, ANTHROPIC, RESPONSES = "openai", "anthropic", "responses"
ALL = pytest.mark.parametrize("api", ALL_PROVIDERS)
REPLIES = {OPENAI: completion, ANTHROPIC: messages, RESPONSES: response}


def own_reply(text, ask):
    """Return a message in which the seat has replied."""
    return Message("assistant", [{"text": text}], request_number=ask)


def request_messages(body):
    """Return the messages of a request of any api."""
    return body.get("messages") or body["input"]


# ---------------------------------------------------------------------- the system message
@ALL
def test_the_rules_may_be_a_system_message(api, fake_server):
    first = Message("user", [{"text": "These are the rules."}], "Reply in one word.", ["p"], 1)
    conversation = (first, own_reply("yes", 1), user_message("Go on."))
    shown = {"p": make_picture("PNG")}
    view = make_view(*conversation, pictures=shown)
    (system,) = ask_player(api, make_context(api, fake_server.url), view, parameters="rules=system")
    (user,) = ask_player(api, make_context(api, fake_server.url), view)
    body, plain_body = (request.body for request in fake_server.requests)
    sent = request_messages(body)
    if api == ANTHROPIC:
        assert body["system"] == "These are the rules."
    else:
        assert sent.pop(0) == {"role": "system", "content": "These are the rules."}
    assert [message["role"] for message in sent] == ["user", "assistant", "user"]
    assert "Reply in one word." in json.dumps(sent[0]) and "rules" not in json.dumps(sent)
    assert "image" in json.dumps(sent[0])
    assert "These are the rules." in json.dumps(request_messages(plain_body)[0]) and "system" not in plain_body
    assert system.meta["sent"]["rules"] == "system" and "rules" not in user.meta["sent"]
    assert "dropped" not in system.meta and system.meta["prompt"] != user.meta["prompt"]


@ALL
def test_a_user_message_stays_where_the_rules_are_all_there_is(api, fake_server):
    ask_player(api, make_context(api, fake_server.url), parameters="rules=system")
    sent = [each for each in request_messages(fake_server.requests[0].body) if each["role"] != "system"]
    assert [each["role"] for each in sent] == ["user"] and "Begin." in json.dumps(sent)


@pytest.mark.parametrize("api", [OPENAI, RESPONSES])
def test_pictures_have_the_detail_that_was_asked_for(api, fake_server):
    shown = {"p": make_picture("PNG")}
    view = make_view(user_message("Look.", "p"), pictures=shown)
    (low,) = ask_player(api, make_context(api, fake_server.url), view, parameters="detail=low")
    ask_player(api, make_context(api, fake_server.url), view)
    low_request, usual_request = (json.dumps(request.body) for request in fake_server.requests)
    assert '"detail": "low"' in low_request and "detail" not in usual_request
    assert low.meta["sent"]["detail"] == "low" and "dropped" not in low.meta


# ---------------------------------------------------------------------- caching and prices
LONG = (user_message("word " * 1000), own_reply("yes", 1), user_message("Go on."))


def test_anthropic_keeps_long_conversations_from_the_second_request_on(fake_server):
    context = make_context(ANTHROPIC, fake_server.url)
    short = make_view(user_message("a"), own_reply("yes", 1), user_message("b"))
    views = (make_view(LONG[0]), make_view(*LONG), short)
    replies = ask_player(ANTHROPIC, context, *views)
    bodies = [request.body for request in fake_server.requests]
    assert [body.get("cache_control") for body in bodies] == [None, {"type": "ephemeral"}, None]
    assert "cache_control" not in json.dumps([reply.meta for reply in replies])
    (without,) = ask_player(ANTHROPIC, context, make_view(*LONG), parameters="cache=false")
    assert "cache_control" not in fake_server.requests[-1].body
    assert without.meta["prompt"] == replies[1].meta["prompt"]


def test_a_server_that_keeps_nothing_is_asked_without(fake_server):
    error = {"message": "cache_control: Extra inputs are not permitted", "type": "invalid_request_error"}
    fake_server.respond(400, {"error": error})
    (reply,) = ask_player(ANTHROPIC, make_context(ANTHROPIC, fake_server.url), make_view(*LONG))
    assert reply.text == "hello" and "dropped" not in reply.meta


def test_cached_written_and_reasoning_tokens_have_their_own_prices(fake_server):
    prices = {"cached": 0.1, "cache_write": 1.25, "reasoning": 20.0}
    model = ModelInfo(price=(1.0, 10.0), special_prices=prices)
    claude = messages("x")
    claude["usage"] |= {"cache_read_input_tokens": 800, "cache_creation_input_tokens": 200}
    fake_server.respond(200, claude)
    (reply,) = ask_player(ANTHROPIC, make_context(ANTHROPIC, fake_server.url, model))
    assert reply.meta["tokens_cached"] == 800 and reply.meta["tokens_cache_write"] == 200
    assert reply.meta["cost"] == pytest.approx((1000 * 1 + 800 * 0.1 + 200 * 1.25 + 100 * 10) / 1e6)
    gpt = completion("x")
    details = {"completion_tokens_details": {"reasoning_tokens": 60}, "prompt_tokens_details": {"cached_tokens": 900}}
    gpt["usage"] |= details
    for info, cost in (
        (model, 100 * 1 + 900 * 0.1 + 40 * 10 + 60 * 20),
        (ModelInfo(price=(1.0, 10.0)), 1000 * 1 + 100 * 10),
    ):
        fake_server.respond(200, gpt)
        (reply,) = ask_player(OPENAI, make_context(OPENAI, fake_server.url, info))
        assert reply.meta["cost"] == pytest.approx(cost / 1e6)


def test_players_toml_has_prices_of_kinds_of_tokens(tmp_path):
    table = '[players.a]\nmodel = "openai/a"\nprice = [1, 10]\nprice_cached = 0.1\nprice_reasoning = 20\n'
    (tmp_path / "players.toml").write_text(table)
    registry = Registry(ROOT, players=tmp_path / "players.toml")
    assert registry.roster.models["openai/a"].special_prices == {"cached": 0.1, "reasoning": 20}
    (tmp_path / "players.toml").write_text('[players.a]\nmodel = "openai/a"\nprice_cached = 0.1\n')
    with pytest.raises(ValueError, match="price_cached needs price"):
        _ = Registry(ROOT, players=tmp_path / "players.toml").roster


# ---------------------------------------------------------------------- the Responses API
THOUGHT = {
    "type": "reasoning",
    "id": "rs_1",
    "status": "completed",
    "summary": [{"type": "summary_text", "text": "Cats are easy."}],
    "encrypted_content": "gAAA",
}


def test_reasoning_goes_back_with_the_reply_that_it_led_to_and_is_recorded_apart(fake_server):
    usage = {
        "input_tokens": 1000,
        "output_tokens": 100,
        "input_tokens_details": {"cached_tokens": 900},
        "output_tokens_details": {"reasoning_tokens": 60},
    }
    fake_server.respond(200, response("CLUE: cat", THOUGHT, usage=usage))
    first, second = ask_player(
        RESPONSES,
        make_context(RESPONSES, fake_server.url),
        make_view(user_message("One.")),
        make_view(user_message("One."), own_reply("CLUE: cat", 1), user_message("Two.")),
        parameters="reasoning_effort=low&reasoning_summary=auto&max_tokens=500",
    )
    assert [request.path for request in fake_server.requests] == ["/v1/responses"] * 2
    body = fake_server.requests[0].body
    assert body["store"] is False and body["include"] == ["reasoning.encrypted_content"]
    assert body["reasoning"] == {"effort": "low", "summary": "auto"} and body["max_output_tokens"] == 500
    assert (first.text, first.meta["reasoning"]) == ("CLUE: cat", "Cats are easy.")
    thought_as_sent = {name: value for name, value in THOUGHT.items() if name != "status"}
    assert first.meta["tokens_cached"] == 900 and first.meta["tokens_reasoning"] == 60
    assert first.meta["reasoning_items"] == [thought_as_sent] and first.meta["model"] == "m-2026"
    user, thought, own, again = fake_server.requests[1].body["input"]
    assert thought == thought_as_sent
    assert (user["content"], own["content"], again["content"]) == ("One.", "CLUE: cat", "Two.")
    assert second.meta["reasoning_resent"] == 1 and "reasoning_resent" not in first.meta


def test_reasoning_goes_back_after_an_episode_was_resumed_or_a_reply_came_from_the_cache(fake_server, tmp_path):
    fake_server.respond(200, response("CLUE: cat", THOUGHT))
    home = make_context(RESPONSES, fake_server.url, cache=tmp_path / "cache.db")
    (first,) = ask_player(RESPONSES, home, make_view(user_message("One.")))
    later = make_view(user_message("One."), own_reply("CLUE: cat", 1), user_message("Two."))

    async def go(*views, replies=()):
        player = make_player(RESPONSES, home)
        player.recall(replies)
        for view in views:
            reply = await player.reply(view)
        await ALL_PROVIDERS[RESPONSES].close()
        return reply

    assert "reasoning_resent" not in asyncio.run(go(later)).meta
    assert asyncio.run(go(later, replies=[first])).meta["reasoning_resent"] == 1
    assert fake_server.requests[-1].body["input"][1]["encrypted_content"] == "gAAA"
    assert asyncio.run(go(make_view(user_message("One.")), later)).meta["reasoning_resent"] == 1


@pytest.mark.parametrize(
    ("members", "text", "kind"),
    [
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, "a", FinishKind.TRUNCATED),
        ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}, "a", FinishKind.FILTERED),
        ({"output": [{"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}]}, "No.", "refused"),
        ({}, "a", None),
    ],
)
def test_the_end_of_a_response_is_read(members, text, kind, fake_server):
    fake_server.respond(200, response("a", **members))
    (reply,) = ask_player(RESPONSES, make_context(RESPONSES, fake_server.url))
    assert reply.text == text and classify_finish(reply.meta) == kind


def test_a_failed_response_is_tried_again_and_another_protocol_is_a_fault(fake_server, monkeypatch):
    monkeypatch.setattr("players.common.limits.MIN_BACKOFF", 0.01)
    error = {"code": "server_error", "message": "The model failed."}
    fake_server.respond(200, response("", status="failed", error=error))
    (reply,) = ask_player(RESPONSES, make_context(RESPONSES, fake_server.url))
    assert reply.text == "hello" and reply.meta["attempts"] == 2
    fake_server.respond(200, completion("x"))
    with pytest.raises(PlayerFault, match="no output") as fault:
        ask_player(RESPONSES, make_context(RESPONSES, fake_server.url))
    assert fault.value.code is FaultCode.INVALID_RESPONSE


def test_replies_through_responses_may_be_constrained_to_a_schema(fake_server):
    form = json_object(word=Text())
    (reply,) = ask_player(
        RESPONSES, make_context(RESPONSES, fake_server.url), make_view(form=form), parameters="constrain=true"
    )
    text_format = fake_server.requests[0].body["text"]["format"]
    assert text_format["type"] == "json_schema" and text_format["schema"] == json.loads(json.dumps(form.schema()))
    assert reply.meta["constrained"] == "schema"


def test_a_server_may_speak_responses_by_its_table_and_openai_has_both(tmp_path):
    (tmp_path / "players.toml").write_text('[servers.openai]\napi = "responses"\n[servers.lab]\napi = "responses"\n')
    registry = Registry(ROOT, players=tmp_path / "players.toml")
    for address in ("openai/m?reasoning_summary=auto", "lab/m", "responses/m"):
        assert registry.find_provider(address, "matchit").summary == ALL_PROVIDERS[RESPONSES].summary
    assert Registry(ROOT).roster.servers["openai"].api == OPENAI
    assert Registry(ROOT).roster.servers["responses"].key_env == "OPENAI_API_KEY"
