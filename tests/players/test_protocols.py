"""Both protocols against real servers: what is sent and recorded, what is tried again, and how a player fails."""

import asyncio
import base64
import gzip
import io
import itertools
import json
import re
from urllib.parse import parse_qsl

import pytest
from PIL import Image

from engine.core.player import Address, FaultCode, ModelInfo, PlayerFault, ProviderContext, Server, UnknownPlayer
from engine.core.replies import Text, json_object, one_of
from engine.core.views import Message
from players.common.trial import run_picture_trial, run_sentence_trial
from tests.cli.terminal import ludens
from tests.players.fake_server import FakeServer, completion, messages, unsupported
from tests.players.seats import PROVIDERS, ask_player, make_context, make_picture, make_player, make_view, user_message

pytestmark = pytest.mark.models

BOTH = pytest.mark.parametrize("api", PROVIDERS)
OPENAI, ANTHROPIC = "openai", "anthropic"
ANSWERS = {OPENAI: completion, ANTHROPIC: messages}


@pytest.fixture
def katan(katans):
    """The one that knows its key."""
    return katans["plain"]


# ---------------------------------------------------------------------- against llm-katan
@BOTH
def test_a_reply_says_what_was_sent_and_what_came_back(api, katan, right_key):
    home = make_context(api, katan.url, ModelInfo(pictures=2, price=(1.0, 10.0)), key_env="LAB_KEY")
    shown = {"p": make_picture("PNG"), "q": make_picture("WEBP")}
    (reply,) = ask_player(
        api,
        home,
        make_view(user_message("Look at Paris.", "p", "q"), pictures=shown),
        parameters="max_tokens=40&temperature=0",
    )
    assert "Paris" in reply.text and "[image:image/png]" in reply.text
    known = reply.meta
    assert known["model"] == "m" and known["attempts"] == 1 and known["seconds"] > 0
    assert known["finish"] == {OPENAI: "stop", ANTHROPIC: "end_turn"}[api]
    assert known["cost"] == pytest.approx((known["tokens_in"] + 10 * known["tokens_out"]) / 1e6)
    assert known["pictures"] == [[40, 30, "image/png"], [40, 30, "image/jpeg"]]
    assert re.fullmatch("[0-9a-f]{64}", known["prompt"])
    if api == OPENAI:
        assert known["sent"] == {"max_tokens": 40, "temperature": 0} and "dropped" not in known
        assert "max_tokens=40 temperature=0" in reply.text
    else:  # the protocol has no temperature
        assert known["sent"] == {"max_tokens": 40} and known["dropped"] == ["temperature"]


@BOTH
def test_a_wrong_key_is_told_without_telling_it(api, katan, monkeypatch):
    monkeypatch.setenv("LAB_KEY", "sk-planted-0123456789")
    before = katan.answered()
    with pytest.raises(PlayerFault, match=r"lab/m gave no answer: it answered 401.*check the key") as fault:
        ask_player(api, make_context(api, katan.url, key_env="LAB_KEY"))
    assert "planted" not in str(fault.value) and "\n" not in str(fault.value)
    assert katan.answered() == before


def test_what_goes_on_failing_ends_in_a_fault_that_says_so(katans, right_key, monkeypatch):
    monkeypatch.setattr("players.common.limits.MIN_BACKOFF", 0.01)
    first = make_context(OPENAI, katans["limited"].url, key_env="LAB_KEY")
    assert "hello" in ask_player(OPENAI, first, make_view(user_message("hello")))[0].text
    for api in PROVIDERS:
        for name, seconds, cause in (
            ("limited", 60, r"it answered 429: rate limit exceeded \(3 attempts\).*requests_per_minute"),
            ("slow", 0.2, r"no answer within 0.2 s \(3 attempts\)"),
        ):
            home = make_context(api, katans[name].url, key_env="LAB_KEY", attempts=3, timeout=seconds)
            with pytest.raises(PlayerFault, match=cause):
                ask_player(api, home)


@BOTH
def test_a_server_that_is_not_there(api, free_port, monkeypatch):
    monkeypatch.setattr("players.common.limits.MIN_BACKOFF", 0.01)
    with pytest.raises(PlayerFault, match=r"no connection.*\(2 attempts\).*base_url"):
        ask_player(api, make_context(api, f"http://127.0.0.1:{free_port}"))


@BOTH
def test_a_player_is_tried_with_a_sentence_and_a_picture(api, katan, right_key):
    async def go():
        player = make_player(api, make_context(api, katan.url, ModelInfo(price=(1, 1)), key_env="LAB_KEY"))
        tried = [await run_sentence_trial(player), await run_picture_trial(player)]
        await PROVIDERS[api].close()
        return tried

    for trial, marks in zip(asyncio.run(go()), (("games",), ("[image:image/png]", "colours")), strict=True):
        assert all(mark in trial.reply.text for mark in marks) and trial.prompt
        assert {"seconds", "tokens_in", "tokens_out", "cost"} <= trial.reply.meta.keys()


# ---------------------------------------------------------------------- keys and headers
@BOTH
def test_without_its_key_a_model_is_unusable_and_nothing_is_asked(api, fake_server):
    home = make_context(api, fake_server.url, key_env="LAB_KEY")
    assert "set LAB_KEY" in PROVIDERS[api].info(Address.parse("lab/m"), home).unusable_reason
    with pytest.raises(PlayerFault, match="set LAB_KEY"):
        ask_player(api, home)
    assert not fake_server.requests


@BOTH
def test_the_keys_of_others_in_the_environment_are_not_sent(api, fake_server, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_ORG_ID"):
        monkeypatch.setenv(name, "sk-of-another")
    for name in ("OPENAI_CUSTOM_HEADERS", "ANTHROPIC_CUSTOM_HEADERS"):
        monkeypatch.setenv(name, "X-Mine: sk-of-another")
    ask_player(api, make_context(api, fake_server.url, headers={"X-Team": "blue"}))
    assert fake_server.requests[0].headers["x-team"] == "blue"
    assert "sk-of-another" not in json.dumps(fake_server.requests[0].headers)
    assert "authorization" not in fake_server.requests[0].headers and "x-api-key" not in fake_server.requests[0].headers


@BOTH
def test_a_base_url_of_the_address_gets_a_key_only_by_name(api, fake_server, monkeypatch):
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "MINE"):
        monkeypatch.setenv(name, f"sk-{name}")
    known = {name: Server(name, name, key_env=f"{name.upper()}_API_KEY") for name in PROVIDERS}
    url = f"{fake_server.url}/v1"

    async def go(address):
        await (
            PROVIDERS[api]
            .make_player(Address.parse(address), "A", ProviderContext(LookupError, known))
            .reply(make_view())
        )
        await PROVIDERS[api].close()

    asyncio.run(go(f"{api}/m?base_url={url}"))
    asyncio.run(go(f"{api}/m?base_url={url}&key_env=MINE"))
    without, named = (one.headers for one in fake_server.requests)
    assert "sk-" not in json.dumps(without)
    assert named["authorization"] == "Bearer sk-MINE"
    for wrong in ("http://me:secret@host/v1", "http://host/v1?key=secret"):
        with pytest.raises(UnknownPlayer, match="key_env") as fault:
            asyncio.run(go(Address(api, "m", {"base_url": wrong}).__str__()))
        assert "secret" not in str(fault.value)


@BOTH
def test_all_requests_have_the_head_that_the_package_wrote(api, fake_server, monkeypatch):
    monkeypatch.setenv("MINE", "sk-mine")
    home = make_context(api, fake_server.url, key_env="MINE", headers={"X-Team": "blue"})
    ask_player(api, home, make_view(), make_view(user_message("Something longer.")))
    first, second = ({**each.headers, "content-length": ""} for each in fake_server.requests)
    assert first == second and first["x-team"] == "blue" and "sk-mine" in first["authorization"]
    assert first["content-type"] == "application/json" and api in first["user-agent"].lower()


@BOTH
def test_a_compressed_answer_is_read(api, fake_server):
    fake_server.respond(200, gzip.compress(json.dumps(ANSWERS[api]("squeezed")).encode()), Content_Encoding="gzip")
    assert ask_player(api, make_context(api, fake_server.url))[0].text == "squeezed"


@BOTH
def test_the_proxy_of_the_environment_is_used_except_where_it_says_not_to(api, fake_server, monkeypatch):
    monkeypatch.setenv("http_proxy", fake_server.url)
    assert ask_player(api, make_context(api, "http://models.invalid"))[0].text == "hello"
    assert fake_server.requests[0].path.startswith("http://models.invalid/v1/")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    ask_player(api, make_context(api, fake_server.url))
    assert fake_server.requests[1].path.startswith("/v1/")


@BOTH
def test_what_json_cannot_hold_is_named_and_not_sent(api, fake_server):
    with pytest.raises(PlayerFault, match="cannot be sent") as fault:
        ask_player(api, make_context(api, fake_server.url), parameters=f"stop={chr(0xD800)}")
    assert fault.value.code == FaultCode.INVALID_REQUEST and not fake_server.requests


@BOTH
def test_the_query_of_a_server_is_sent_with_every_request(api, fake_server, tmp_path):
    (tmp_path / "players.toml").write_text(
        f'[servers.azure]\napi = "{api}"\nbase_url = "{fake_server.url}/openai/deployments/d"\n'
        'query = { api-version = "2024-10-21", "x y" = "a&b" }\n'
    )
    test = ludens("players", "test", "azure/m", "--players", tmp_path / "players.toml", folder=tmp_path)
    assert "hello" in test.out
    path, _, query = fake_server.requests[0].path.partition("?")
    assert path == f"/openai/deployments/d{'/chat/completions' if api == OPENAI else '/v1/messages'}"
    assert dict(parse_qsl(query)) == {"api-version": "2024-10-21", "x y": "a&b"}


@BOTH
def test_another_query_is_another_request_to_the_cache(api, fake_server, tmp_path):
    for version, number_of_requests in (("1", 1), ("2", 2), ("1", 2)):
        context = make_context(api, fake_server.url, cache=tmp_path / "replies.db", query={"api-version": version})
        ask_player(api, context)
        assert len(fake_server.requests) == number_of_requests


@BOTH
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(api, status, fake_server, monkeypatch):
    monkeypatch.setenv("LAB_KEY", "sk-planted-0123")
    context = make_context(api, fake_server.url, key_env="LAB_KEY", headers={"X-Secret": "planted-header"})
    path = {OPENAI: "/v1/chat/completions", ANTHROPIC: "/v1/messages"}[api]
    with FakeServer() as other_server:
        other_url = other_server.url.replace("127.0.0.1", "localhost")
        target = f"{other_url.replace('//', '//me:sk-planted-0123@')}{path}?key=planted-header"
        fake_server.respond(status, b"", Location=target)
        with pytest.raises(PlayerFault, match=f"{status}: it redirects to {other_url}/v1; .* set base_url") as fault:
            ask_player(api, context)
        fake_server.respond(status, b"", Location=f"/lab{path}")
        with pytest.raises(PlayerFault, match=f"it redirects to {fake_server.url}/lab/v1; "):
            ask_player(api, context)
    assert not other_server.requests and len(fake_server.requests) == 2
    assert fault.value.code is FaultCode.NOT_FOUND and "planted" not in str(fault.value)


# ---------------------------------------------------------------------- trying again
@BOTH
def test_errors_are_tried_again_and_counted_and_retry_after_is_obeyed(api, fake_server, monkeypatch):
    monkeypatch.setattr("players.common.limits.MIN_BACKOFF", 0.01)
    fake_server.respond(500).respond(429, {}, retry_after="1").respond(503, {}, retry_after_ms="300").respond(
        529
    ).respond(408)
    (reply,) = ask_player(api, make_context(api, fake_server.url, attempts=6))
    assert reply.text == "hello" and reply.meta["attempts"] == len(fake_server.requests) == 6
    gaps = [later.at - one.at for one, later in itertools.pairwise(fake_server.requests)]
    assert gaps[1] >= 1 and gaps[2] >= 0.3


@BOTH
@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("retry_after", ["0", "Wed, 21 Oct 2015 07:28:00 GMT"])
def test_a_retry_after_of_no_time_still_waits_the_backoff(api, status, retry_after, fake_server, monkeypatch):
    monkeypatch.setattr("players.common.limits.MIN_BACKOFF", 0.2)
    for _ in range(2):
        fake_server.respond(status, {}, retry_after=retry_after)
    assert ask_player(api, make_context(api, fake_server.url, attempts=3))[0].meta["attempts"] == 3
    gaps = [later.at - earlier.at for earlier, later in itertools.pairwise(fake_server.requests)]
    assert gaps[0] >= 0.14 and gaps[1] >= 0.29


@BOTH
@pytest.mark.parametrize("body", [b"<html>it works</html>", [1], {"choices": []}, {"content": "x"}], ids=str)
def test_an_answer_of_another_kind_is_a_fault(api, fake_server, body):
    fake_server.respond(200, body)
    with pytest.raises(PlayerFault, match="base_url right"):
        ask_player(api, make_context(api, fake_server.url))
    assert len(fake_server.requests) == 1


@BOTH
@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"", {}),
        (b" \n", {}),
        (b"", {"Content_Type": "text/html"}),
        (b'{"choices": [{"message": {"con', {}),
        (b'\n\n[{"err', {"Content_Type": "text/plain"}),
        (b'{"choices": [{"message": {"con', {"Content_Length": "2000"}),
        (b"[" * 100_000, {}),
    ],
    ids=["empty", "blank", "empty page", "cut", "cut list", "closed connection", "deep"],
)
def test_an_empty_or_cut_answer_is_asked_for_again(api, fake_server, body, headers, monkeypatch):
    monkeypatch.setattr("players.common.limits.MIN_BACKOFF", 0.01)
    fake_server.respond(200, body, **headers)
    (reply,) = ask_player(api, make_context(api, fake_server.url))
    assert reply.text == "hello" and reply.meta["attempts"] == 2
    fake_server.respond(200, body, **headers).respond(200, body, **headers)
    with pytest.raises(PlayerFault, match=r"\(2 attempts\)"):
        ask_player(api, make_context(api, fake_server.url))


@BOTH
@pytest.mark.parametrize("kind", ["text/plain", "text/html; charset=utf-8", "application/octet-stream"])
def test_json_is_read_whatever_its_content_type(api, fake_server, kind):
    fake_server.respond(200, "hello", Content_Type=kind)
    assert ask_player(api, make_context(api, fake_server.url))[0].text == "hello"
    assert len(fake_server.requests) == 1


@BOTH
@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (200, {"choices": []}, FaultCode.INVALID_RESPONSE),
        (400, {}, FaultCode.INVALID_REQUEST),
        (401, {}, FaultCode.AUTHENTICATION),
        (404, {}, FaultCode.NOT_FOUND),
        (429, {}, FaultCode.RATE_LIMITED),
        (500, {}, FaultCode.SERVER_ERROR),
    ],
)
def test_a_fault_has_the_code_of_its_cause(api, fake_server, status, body, code):
    fake_server.respond(status, body)
    with pytest.raises(PlayerFault) as fault:
        ask_player(api, make_context(api, fake_server.url, attempts=1))
    assert fault.value.code is code


@BOTH
def test_a_server_that_is_not_there_is_unreachable(api, free_port):
    with pytest.raises(PlayerFault) as fault:
        ask_player(api, make_context(api, f"http://127.0.0.1:{free_port}", attempts=1))
    assert fault.value.code is FaultCode.UNREACHABLE


@BOTH
def test_what_no_further_attempt_can_help_is_not_tried_again(api, fake_server):
    tell = {"error": {"message": "You have no credit left.", "code": "insufficient_quota"}}
    fake_server.respond(429, tell).respond(404, {"error": {"message": "no model m"}}).respond(
        429, {}, retry_after="86400"
    )
    for cause in ("check the key and its account", "no model m.*check the model's name", "asks to wait 86,400 s"):
        with pytest.raises(PlayerFault, match=cause):
            ask_player(api, make_context(api, fake_server.url, attempts=6))
    assert len(fake_server.requests) == 3


@BOTH
@pytest.mark.parametrize(
    ("error", "cause"),
    [
        ({"message": "upstream down", "code": 502}, "it answered 502: upstream down"),
        ({"type": "overloaded_error", "message": "Overloaded"}, "it answered 200 with overloaded_error: Overloaded"),
        ({"type": "api_error", "message": "Internal"}, "it answered 200 with api_error: Internal"),
        ({"type": "rate_limit_error", "message": "Slow down"}, "it answered 200 with rate_limit_error: Slow down"),
        ({"message": "no idea"}, "it answered 200 with an error: no idea"),
        ("no idea", "it answered 200 with an error: no idea"),
    ],
    ids=str,
)
def test_a_passing_error_in_a_success_is_tried_again(api, error, cause, fake_server, monkeypatch):
    monkeypatch.setattr("players.common.limits.MIN_BACKOFF", 0.01)
    body = {"type": "error", "error": error, "request_id": "r"}
    fake_server.respond(200, body, retry_after="1")
    assert ask_player(api, make_context(api, fake_server.url))[0].meta["attempts"] == 2
    first, second = fake_server.requests
    assert second.at - first.at >= 1
    fake_server.respond(200, body).respond(200, body)
    with pytest.raises(PlayerFault, match=rf"{cause} \(2 attempts\)"):
        ask_player(api, make_context(api, fake_server.url))


@BOTH
@pytest.mark.parametrize(
    ("error", "code"),
    [
        ({"type": "invalid_request_error", "message": "x"}, FaultCode.INVALID_REQUEST),
        ({"type": "authentication_error", "message": "x"}, FaultCode.AUTHENTICATION),
        ({"type": "not_found_error", "message": "x"}, FaultCode.NOT_FOUND),
    ],
    ids=str,
)
def test_a_lasting_error_in_a_success_is_not_tried_again(api, error, code, fake_server):
    fake_server.respond(200, {"type": "error", "error": error})
    with pytest.raises(PlayerFault) as fault:
        ask_player(api, make_context(api, fake_server.url))
    assert fault.value.code is code and len(fake_server.requests) == 1


# ---------------------------------------------------------------------- parameters that are not taken
def test_a_refused_parameter_is_left_out_from_then_on_and_recorded(fake_server):
    fake_server.respond(400, unsupported("max_tokens", "max_completion_tokens"))
    fake_server.respond(
        400, {"error": {"message": "Unsupported value: 'temperature' does not support 0 with this model."}}
    )
    fake_server.respond(422, {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]})
    home = make_context(OPENAI, fake_server.url, attempts=1)
    replies = ask_player(
        OPENAI, home, make_view(), make_view(), parameters="max_tokens=9&temperature=0&seed=1&stop=END"
    )
    assert [reply.meta["attempts"] for reply in replies] == [4, 1]
    for reply in replies:
        assert reply.meta["sent"] == {"stop": ["END"], "max_completion_tokens": 9}
        assert reply.meta["dropped"] == ["seed", "temperature"]
    assert replies[0].meta["prompt"] == replies[1].meta["prompt"]
    assert {"max_tokens", "temperature", "seed"}.isdisjoint(fake_server.requests[-1].body)


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("Unsupported value: 'reasoning_effort' does not support 'xhigh' with this model.", "unsupported_value"),
        ("Invalid value: 'xhigh'. Supported values are: 'low', 'medium', and 'high'.", "invalid_value"),
        ("reasoning_effort: Input should be 'low', 'medium' or 'high'", None),
        ("'xhigh' is not one of ['low', 'medium', 'high'] - 'reasoning_effort'", None),
    ],
)
def test_a_value_that_a_model_does_not_take_is_left_out_however_it_is_refused(message, code, fake_server):
    param = None if "reasoning_effort" in message else "reasoning_effort"
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    fake_server.respond(400, {"error": error})
    context = make_context(OPENAI, fake_server.url, attempts=1)
    refused, again = ask_player(
        OPENAI, context, make_view(), make_view(), parameters="reasoning_effort=xhigh&temperature=0"
    )
    for reply in (refused, again):
        assert reply.meta["sent"] == {"temperature": 0} and reply.meta["dropped"] == ["reasoning_effort"]
    assert [refused.meta["attempts"], again.meta["attempts"]] == [2, 1]
    (another,) = ask_player(OPENAI, context, parameters="reasoning_effort=low")
    assert another.meta["sent"] == {"reasoning_effort": "low"}


def google_error(code, status, message, *details):
    """Return an error as Gemini's OpenAI-compatible endpoint sends it: in a list."""
    return [{"error": {"code": code, "status": status, "message": message, "details": list(details)}}]


def test_a_parameter_that_gemini_refuses_is_left_out_from_then_on(fake_server):
    unknown = 'Invalid JSON payload received. Unknown name "seed": Cannot find field.'
    bad_request = {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [{"description": unknown}]}
    named = {"fieldViolations": [{"field": "generation_config.top_p", "description": "not supported by this model"}]}
    fake_server.respond(400, google_error(400, "INVALID_ARGUMENT", unknown, bad_request))
    fake_server.respond(400, google_error(400, "INVALID_ARGUMENT", "A field is not supported.", named))
    fake_server.respond(400, google_error(400, "INVALID_ARGUMENT", "Penalty is not enabled for this model"))
    (reply,) = ask_player(
        OPENAI,
        make_context(OPENAI, fake_server.url, attempts=1),
        parameters="seed=1&top_p=0.5&presence_penalty=1&temperature=0",
    )
    assert reply.meta["sent"] == {"temperature": 0} and reply.meta["attempts"] == 4
    assert reply.meta["dropped"] == ["presence_penalty", "seed", "top_p"]


@BOTH
@pytest.mark.parametrize("status", [429, 503, 200])
def test_the_delay_that_gemini_asks_for_is_obeyed(api, status, fake_server, monkeypatch):
    monkeypatch.setattr("players.common.limits.MIN_BACKOFF", 0.01)
    delay = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1.25s"}
    fake_server.respond(status, google_error(status, "UNAVAILABLE", "The model is overloaded.", {"@type": "x"}, delay))
    assert ask_player(api, make_context(api, fake_server.url))[0].meta["attempts"] == 2
    first, second = fake_server.requests
    assert second.at - first.at >= 1.25


@BOTH
@pytest.mark.parametrize(
    ("status", "name", "code"),
    [
        (400, "INVALID_ARGUMENT", FaultCode.INVALID_REQUEST),
        (401, "UNAUTHENTICATED", FaultCode.AUTHENTICATION),
        (404, "NOT_FOUND", FaultCode.NOT_FOUND),
        (429, "RESOURCE_EXHAUSTED", FaultCode.RATE_LIMITED),
    ],
)
def test_an_error_in_a_list_has_its_message_and_code(api, status, name, code, fake_server):
    fake_server.respond(status, google_error(status, name, "because of this"))
    with pytest.raises(PlayerFault, match=name if status == 401 else f"it answered {status}: because of this") as fault:
        ask_player(api, make_context(api, fake_server.url, attempts=1))
    assert fault.value.code is code


def test_a_value_out_of_range_or_a_prompt_too_long_is_told_and_nothing_is_dropped(fake_server):
    for told in (
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (max_tokens=2000).",
        "temperature must be at most 1",
        "Invalid 'max_tokens': integer below minimum value. Expected a value >= 3000, but got 2000 instead.",
        "max_tokens is too large: 2000. This model supports at most 1000 completion tokens.",
        "Invalid value: 'temperature' must be between 0 and 1",
    ):
        param = "max_tokens" if "max_tokens is" in told else None
        fake_server.respond(400, {"error": {"message": told, "param": param, "code": param and "invalid_value"}})
        with pytest.raises(PlayerFault, match=re.escape(told.split(".")[0])):
            ask_player(OPENAI, make_context(OPENAI, fake_server.url), parameters="max_tokens=2000&temperature=2")
    (reply,) = ask_player(OPENAI, make_context(OPENAI, fake_server.url), parameters="temperature=2&max_tokens=2000")
    assert reply.meta["sent"] == {"temperature": 2, "max_tokens": 2000}


@pytest.mark.parametrize(("api", "place"), [(OPENAI, "response_format"), (ANTHROPIC, "output_config")])
def test_a_reply_is_held_to_the_schema_of_a_json_format_where_the_server_can(api, place, fake_server):
    form = json_object(word=Text(), sure=one_of("yes", "no"))
    home = make_context(api, fake_server.url)
    one, choice = ask_player(
        api, home, make_view(form=form), make_view(form=one_of("yes", "no")), parameters="constrain=true"
    )
    assert form.schema() in json.loads(json.dumps(_inside(fake_server.requests[0].body[place])))
    assert one.meta["constrained"] == "schema" and "dropped" not in one.meta
    assert place not in fake_server.requests[1].body and choice.meta["dropped"] == ["constrain"]
    fake_server.respond(400, {"error": {"message": "This model does not support json_schema."}})
    (refused,) = ask_player(api, home, make_view(form=form), parameters="constrain=true")
    assert refused.meta["dropped"] == ["constrain"] and "constrained" not in refused.meta


def _inside(value):
    """Return all objects inside a JSON value."""
    if not isinstance(value, dict):
        return []
    return [value, *(found for one in value.values() for found in _inside(one))]


@pytest.mark.parametrize(
    ("parameters", "max_tokens"),
    [
        ("thinking=8000", 12096),
        ("thinking=1024", 5120),
        ("thinking=8000&max_tokens=8001", 8001),
        ("thinking=adaptive", 4096),
        ("thinking=disabled", 4096),
        ("stop=END", 4096),
    ],
)
def test_a_budget_for_thinking_leaves_room_for_the_reply(parameters, max_tokens, fake_server):
    (reply,) = ask_player(ANTHROPIC, make_context(ANTHROPIC, fake_server.url), parameters=parameters)
    assert fake_server.requests[0].body["max_tokens"] == reply.meta["sent"]["max_tokens"] == max_tokens


def test_a_budget_for_thinking_above_max_tokens_is_refused_before_a_run(tmp_path):
    (tmp_path / "players.toml").write_text('[servers.lab]\napi = "anthropic"\nbase_url = "http://127.0.0.1:9"\n')
    for max_tokens in (4096, 8000):
        address = f"lab/m?thinking=8000&max_tokens={max_tokens}"
        with pytest.raises(UnknownPlayer, match=f"of more than 8000, not {max_tokens}: "):
            PROVIDERS[ANTHROPIC].make_player(Address.parse(address), "A", make_context(ANTHROPIC, "http://127.0.0.1:9"))
    options = ("--players", tmp_path / "players.toml", "--db", tmp_path / "log.db", "--yes")
    refused = ludens("run", "matchit/text/same/0", "--seat", f"all={address}", *options, folder=tmp_path, code=2)
    assert "thinking=8000 needs max_tokens" in refused.out + refused.err
    assert not (tmp_path / "log.db").exists()


# ---------------------------------------------------------------------- what comes back
def test_reasoning_stands_apart_from_the_reply_and_is_counted(fake_server):
    thought = completion("CLUE: cat", reasoning_content="Cats are easy.")
    thought["usage"] |= {
        "completion_tokens_details": {"reasoning_tokens": 60},
        "prompt_tokens_details": {"cached_tokens": 900},
    }
    fake_server.respond(200, thought).respond(200, completion("x", reasoning="So."))
    replies = ask_player(OPENAI, make_context(OPENAI, fake_server.url), make_view(), make_view())
    block = {"type": "thinking", "thinking": "Cats are easy.", "signature": "s"}
    claude = messages("CLUE: cat", block)
    claude["usage"] |= {"output_tokens_details": {"thinking_tokens": 60}, "cache_read_input_tokens": 900}
    fake_server.respond(200, claude)
    replies += ask_player(ANTHROPIC, make_context(ANTHROPIC, fake_server.url), parameters="thinking=adaptive")
    assert [reply.text for reply in replies] == ["CLUE: cat", "x", "CLUE: cat"]
    assert [reply.meta["reasoning"] for reply in replies] == ["Cats are easy.", "So.", "Cats are easy."]
    for reply in (replies[0], replies[2]):
        assert reply.meta["tokens_reasoning"] == 60 and reply.meta["tokens_cached"] == 900
    assert replies[2].meta["tokens_in"] == 1900


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": "12", "completion_tokens": -1}])
def test_what_a_server_does_not_count_is_estimated_so_that_a_budget_holds(fake_server, usage):
    fake_server.respond(200, {**completion("hello there"), "usage": usage})
    home = make_context(OPENAI, fake_server.url, ModelInfo(price=(100.0, 100.0)))
    meta = ask_player(OPENAI, home, make_view(user_message("word " * 400)))[0].meta
    assert meta["estimated"] is True and meta["tokens_in"] > 400 and meta["tokens_out"] == 3
    assert meta["cost"] == pytest.approx((meta["tokens_in"] + 3) / 1e4)


def test_a_refusal_and_an_empty_and_a_cut_off_reply_are_replies(fake_server):
    cut = completion("CLUE: c")
    cut["choices"][0]["finish_reason"] = "length"
    empty = messages("")
    empty["stop_reason"] = "refusal"
    fake_server.respond(200, completion(None, refusal="I won't.")).respond(200, completion(None)).respond(
        200, cut
    ).respond(200, empty)
    replies = ask_player(OPENAI, make_context(OPENAI, fake_server.url), make_view(), make_view(), make_view())
    replies += ask_player(ANTHROPIC, make_context(ANTHROPIC, fake_server.url))
    assert [reply.text for reply in replies] == ["I won't.", "", "CLUE: c", ""]
    assert [reply.meta["finish"] for reply in replies] == ["stop", "stop", "length", "refusal"]


# ---------------------------------------------------------------------- what is sent
@BOTH
def test_any_text_can_be_sent(api, fake_server):
    told = (
        user_message("a \ud800 b"),
        Message("assistant", [{"text": ""}], request_number=1),
        user_message("NULL \x00, 🙂, ‮אבג"),
    )
    ask_player(api, make_context(api, fake_server.url), make_view(*told))
    sent = [message["content"] for message in fake_server.requests[0].body["messages"]]
    texts = [content if isinstance(content, str) else content[-1]["text"] for content in sent]
    assert texts == ["a � b", "" if api == OPENAI else "(nothing)", "NULL \x00, 🙂, ‮אבג"]


def test_pictures_are_sent_as_png_or_jpeg_and_with_nothing_but_the_picture(fake_server):
    shown = {
        "lossy": make_picture("WEBP", quality=80),
        "lossless": make_picture("WEBP", lossless=True),
        "gif": make_picture("GIF"),
        "jpeg": make_picture("JPEG"),
    }
    (reply,) = ask_player(
        OPENAI, make_context(OPENAI, fake_server.url), make_view(user_message("Look.", *shown), pictures=shown)
    )
    urls = [part["image_url"]["url"] for part in fake_server.requests[0].body["messages"][0]["content"][:-1]]
    kinds = [url[5:].partition(";")[0] for url in urls]
    assert kinds == ["image/jpeg", "image/png", "image/png", "image/jpeg"]
    assert reply.meta["pictures"] == [[40, 30, kind] for kind in kinds]
    for url in urls:
        with Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))) as image:
            assert image.size == (40, 30) and not {"exif", "comment", "icc_profile"} & set(image.info)
    with Image.open(io.BytesIO(shown["lossless"].data)) as before:
        with Image.open(io.BytesIO(base64.b64decode(urls[1].partition(",")[2]))) as after:
            assert before.convert("RGB").tobytes() == after.convert("RGB").tobytes()
    assert "the answer" not in json.dumps(fake_server.requests[0].body)


@BOTH
@pytest.mark.parametrize(("most", "why"), [(1, "takes 1 "), (0, "cannot see")])
def test_more_pictures_than_a_model_takes_are_a_fault_before_anything_is_sent(api, most, why, fake_server):
    shown = {"p": make_picture("PNG")}
    asked = make_view(
        user_message("One.", "p"),
        Message("assistant", [{"text": "yes"}], request_number=1),
        user_message("Two.", "p"),
        pictures=shown,
    )
    with pytest.raises(PlayerFault, match=f"2 pictures: it {why}"):
        ask_player(api, make_context(api, fake_server.url, ModelInfo(pictures=most)), asked)
    assert not fake_server.requests


# ---------------------------------------------------------------------- the cache
@BOTH
def test_a_kept_reply_is_sent_again_only_for_the_same_request(api, fake_server, tmp_path):
    home = make_context(api, fake_server.url, ModelInfo(price=(1, 1)), cache=tmp_path / "replies.db")
    shown = {"p": make_picture("PNG")}
    first = ask_player(api, home, make_view(user_message("a", "p"), pictures=shown), parameters="max_tokens=9")[0]
    fake_server.text = "another"
    again = ask_player(api, home, make_view(user_message("a", "p"), pictures=shown), parameters="max_tokens=9")[0]
    assert again.text == first.text == "hello" and len(fake_server.requests) == 1
    assert again.meta["cached"] and again.meta["cost"] == 0 < first.meta["cost"] and "cached" not in first.meta
    assert again.meta["prompt"] == first.meta["prompt"]
    others = [
        ask_player(
            api,
            home,
            make_view(user_message("a", "p"), pictures={"p": make_picture("JPEG")}),
            parameters="max_tokens=9",
        ),
        ask_player(api, home, make_view(user_message("a", "p"), pictures=shown), parameters="max_tokens=8"),
        ask_player(
            api,
            make_context(api, fake_server.url, cache=home.cache, headers={"X-Team": "b"}),
            make_view(user_message("b")),
        ),
    ]
    assert {one[0].text for one in others} == {"another"}


# ---------------------------------------------------------------------- addresses
@BOTH
@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("lab", "write lab/MODEL"),
        ("lab/m?temprature=0", "did you mean 'temperature'.*there are .*base_url"),
        ("lab/m?temperature=hot", "temperature='hot': must be a number"),
        ("lab/m?temperature=nan", "a number"),
        ("lab/m?max_tokens=0", "at least 1"),
        ("lab/m?constrain=yes", "true or false"),
        ('lab/m?stop=["a",1]', "JSON list"),
    ],
)
def test_an_address_that_cannot_be_played_is_refused_when_it_is_made(api, address, why):
    with pytest.raises(UnknownPlayer, match=why):
        PROVIDERS[api].make_player(Address.parse(address), "A", make_context(api, "http://127.0.0.1:9"))


@BOTH
def test_what_a_model_costs_is_said_before_it_plays(api):
    def about(address="lab/m", **rest):
        return PROVIDERS[api].info(Address.parse(address), make_context(api, **{"url": "http://127.0.0.1:9", **rest}))

    assert not about().is_paid and about().unusable_reason is None and about().max_pictures is None
    assert about(url="https://far.example").is_paid and about(key_env="K").is_paid
    assert not about(url="https://far.example", model=ModelInfo(price=(0, 0))).is_paid
    assert about(model=ModelInfo(2, (1, 2))).price == (1, 2) and about(model=ModelInfo(2, (1, 2))).is_paid


@BOTH
def test_players_share_the_limits_of_their_server(api, fake_server):
    async def go():
        home = make_context(api, fake_server.url, concurrency=1)
        await asyncio.gather(*(make_player(api, home, f"max_tokens={n}").reply(make_view()) for n in range(1, 6)))
        await PROVIDERS[api].close()

    asyncio.run(go())
    assert len(fake_server.requests) == 5
