"""Replies that a limit or a filter has emptied, and conversations that are too long, from the server to the results."""

import csv
import io
import json

import pytest

from engine.core.player import FaultCode, PlayerFault
from players.common.request_errors import ContextExceeded, InvalidRequest, map_status_to_error
from tests.cli.terminal import ludens, query
from tests.players.fake_server import completion, messages
from tests.players.seats import PROVIDERS, ask_player, make_context

pytestmark = pytest.mark.models

OPENAI, ANTHROPIC = "openai", "anthropic"
SELECTION = "mapworld/ee-text/small"
FILTERED_400 = {"error": {"message": "The response was filtered", "code": "content_filter"}}
TOO_LONG = {
    "error": {"message": "This model's maximum context length is 40960 tokens.", "code": "context_length_exceeded"}
}


def finished(text, finish, api=OPENAI):
    """Return a response that ended for a reason."""
    if api == ANTHROPIC:
        return messages(text) | {"stop_reason": finish}
    body = completion(text)
    body["choices"][0]["finish_reason"] = finish
    return body


@pytest.fixture
def folder(tmp_path, fake_server):
    """A folder with a players.toml that names both protocols of the fake server."""
    (tmp_path / "players.toml").write_text(
        f'[servers.o]\napi = "openai"\nbase_url = "{fake_server.url}/v1"\nattempts = 1\n'
        f'[servers.a]\napi = "anthropic"\nbase_url = "{fake_server.url}"\nattempts = 1\n'
        '[players.dear]\nmodel = "o/dear"\nprice = [100, 100]\n'
    )
    return tmp_path


def run(folder, *words, player="o/m", limit=1, code=0):
    """Run the first games of Map World with a model at its seat; return what was printed."""
    command = ("run", SELECTION, "--seat", f"all={player}", "--limit", limit, "--concurrency", 1, "--yes")
    return ludens(
        *command, "--players", folder / "players.toml", "--db", folder / "log.db", *words, folder=folder, code=code
    ).err


def rows(folder):
    """Return the rows of `ludens results --format csv`."""
    printed = ludens("results", "--db", folder / "log.db", "--format", "csv", folder=folder).out
    return list(csv.DictReader(io.StringIO(printed)))


def events(folder, kind):
    """Return the data of all events of a kind."""
    return [json.loads(data) for (data,) in query(folder / "log.db", f"SELECT data FROM event WHERE kind = '{kind}'")]


EMPTY = [
    (OPENAI, (200, finished(None, "length")), "its limit of tokens was reached before it wrote any; raise max_tokens"),
    (OPENAI, (200, finished("", "content_filter")), "a filter of its provider stopped it"),
    (OPENAI, (400, FILTERED_400), "it answered 400: The response was filtered"),
    (ANTHROPIC, (200, finished("", "max_tokens", ANTHROPIC)), "raise max_tokens"),
    (ANTHROPIC, (200, finished(" ", "refusal", ANTHROPIC)), "its provider refused to answer"),
]


@pytest.mark.parametrize(("api", "response", "reason"), EMPTY)
def test_an_emptied_reply_is_a_fault_unless_the_plan_calls_it_a_violation(api, response, reason, folder, fake_server):
    player = f"{api[0]}/m"
    fake_server.respond(*response)
    stalled = run(folder, player=player, code=1)
    assert f"{player} sent no text: " in stalled and reason in stalled
    [fault] = events(folder, "fault")
    assert fault["code"] == "empty_reply" and not events(folder, "violation")
    fake_server.respond(*response)
    run(folder, "--on-empty", "violation", player=player)
    [outcome] = events(folder, "outcome")
    assert (outcome["kind"], outcome["reason"], outcome["seat"]) == ("aborted", "format", "walker")
    played = [row for row in rows(folder) if row["n"] == "1"]
    assert json.loads(played[0]["rules_for_models"]) == {"on_empty": "violation"}
    assert json.loads(played[0]["finish"])[player]["empty"] == 1


def test_a_stalled_episode_of_an_emptied_reply_goes_on(folder, fake_server):
    fake_server.respond(200, finished("", "length"))
    run(folder, code=1)
    assert "1 of 1 episodes over" in run(folder)
    assert len(fake_server.requests) == 2


def test_an_emptied_reply_is_paid_for_and_counts_in_the_budget(folder, fake_server):
    fake_server.respond(200, finished("", "length"))
    said = run(folder, "--max-cost", 0.1, player="dear", limit=2, code=1)
    assert "Stopped, because $0.11 of $0.1 are spent" in said and len(fake_server.requests) == 1


def test_what_a_model_thought_before_it_was_cut_is_in_no_fault(folder, fake_server):
    body = finished(None, "length")
    body["choices"][0]["message"]["reasoning_content"] = "secret thought"
    fake_server.respond(200, body)
    run(folder, code=1)
    assert "secret thought" not in json.dumps(events(folder, "fault"))


def test_an_empty_reply_that_is_complete_and_a_cut_text_stay_replies(folder, fake_server):
    fake_server.respond(200, finished("", "stop")).respond(200, finished("DESCRIP", "length"))
    run(folder, limit=2)
    assert [violation["fault"] for violation in events(folder, "violation")] == ["format"] * 2


def test_replies_that_are_not_complete_are_counted_apart_and_warned_about(folder, fake_server):
    fake_server.respond(200, finished("a", "length")).respond(200, finished("b", "content_filter"))
    fake_server.respond(200, completion(None, refusal="I will not."))
    summary = run(folder, limit=4)
    assert "o/m: 4 replies (1 cut, 1 filtered, 1 refused)" in summary
    assert "WARNING: o/m: 25% of its replies were cut at the limit of tokens: raise max_tokens" in summary
    printed = ludens("results", "--db", folder / "log.db", folder=folder)
    assert "1 cut, 1 filtered, 1 refused" in printed.out and "25% of its replies were cut" in printed.err
    [row] = rows(folder)
    counts = {"replies": 4, "cut": 1, "filtered": 1, "refused": 1, "empty": 0, "context": 0}
    assert json.loads(row["finish"]) == {"o/m": counts}
    ludens("export", "--format", "csv", folder / "tables", "--db", folder / "log.db", folder=folder)
    replies = csv.DictReader(io.StringIO((folder / "tables" / "replies.csv").read_text(encoding="utf-8")))
    assert [reply["finish"] for reply in replies] == ["length", "content_filter", "stop", "stop"]


def test_few_cut_replies_are_counted_without_a_warning(folder, fake_server):
    fake_server.respond(200, finished("a", "length"))
    said = run(folder, "--repeat", 20)
    assert "20 replies (1 cut)" in said and "WARNING" not in said


# ---------------------------------------------------------------------- the context
CONTEXT_ERRORS = [
    TOO_LONG["error"],
    {"message": "prompt is too long: 210000 tokens > 200000 maximum", "type": "invalid_request_error"},
    {"message": "the request exceeds the available context size", "type": "exceed_context_size_error", "code": 400},
]
CONTEXT_MESSAGES = {
    "vllm": "This model's maximum context length is 20480 tokens. However, you sent 21000 tokens.",
    "vllm-decoder": "The decoder prompt (length 17772) is longer than the maximum model length of 16384.",
    "vllm-pictures": "The prompt (total length 25938) is too long to fit into the model (context length 4096).",
    "vllm-reply": "'max_tokens' or 'max_completion_tokens' is too large: 8000. This model's maximum context length is "
    "8192 tokens and your request has 1210 input tokens (8000 > 8192 - 1210).",
    "sglang": "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
    "sglang-reply": "Requested token count exceeds the model's maximum context length of 4096 tokens.",
    "llama.cpp": "request (14429 tokens) exceeds the available context size (8192 tokens), try increasing it",
    "llama-cpp-python": "Requested tokens (2285) exceed context window of 2048",
    "ollama": "the input length exceeds the context length",
    "ollama-chat": "prompt too long; exceeded max context length by 312 tokens",
    "lmstudio": "Trying to keep the first 5016 tokens when context the overflows.",
    "lmstudio-keep": "The number of tokens to keep from the initial prompt is greater than the context length.",
    "tgi": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 and 20",
    "tgi-prompt": "Input validation error: `inputs` must have less than 1024 tokens. Given: 2104",
    "xai": "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    "moonshot": "Invalid request: Your request exceeded model token limit: 131072",
    "alibaba": "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]",
    "github": "prompt token count of 140210 exceeds the limit of 128000",
    "siliconflow": "length of prompt_tokens (163280) must be less than max_seq_len (32768).",
    "cohere-limit": "too many tokens: size limit exceeded by 4120 tokens. The limit for this model is 128000 tokens.",
    "azure": "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 tokens.",
    "openai-responses": "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "anthropic": "input length and `max_tokens` exceed context limit: 174167 + 64000 > 200000, decrease input length",
    "gemini": "The input token count (3475108) exceeds the maximum number of tokens allowed (1048576).",
    "mistral": "Prompt contains 35868 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    "cohere": "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000",
    "bedrock": "Input is too long for requested model.",
    "groq": "Please reduce the length of the messages or completion.",
    "openrouter": "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens",
}


@pytest.mark.parametrize("message", CONTEXT_MESSAGES.values(), ids=CONTEXT_MESSAGES)
def test_what_servers_say_of_a_prompt_that_is_too_long_is_understood(message):
    for body in (
        {"error": {"message": message, "code": 400}},
        {"error": message},
        {"object": "error", "message": message},
    ):
        assert isinstance(map_status_to_error(400, body), ContextExceeded)


@pytest.mark.parametrize(
    "message",
    [
        "max_tokens: 90000 > 8192, which is the maximum allowed number of output tokens",
        "Invalid value for 'temperature': 3 exceeds the maximum of 2",
        "`stop` must have less than 4 elements",
        "Range of max_tokens should be [1, 8192]",
        "max_tokens is too large: 200000. This model supports at most 16384 completion tokens",
    ],
)
def test_a_parameter_out_of_range_is_no_prompt_that_is_too_long(message):
    assert isinstance(map_status_to_error(400, {"error": {"message": message}}), InvalidRequest)


def test_a_prompt_that_is_too_long_is_not_sent_again_whatever_the_status():
    error = {"code": 500, "message": "the request exceeds the available context", "type": "exceed_context_size_error"}
    assert isinstance(map_status_to_error(500, {"error": error}), ContextExceeded)


@pytest.mark.parametrize("api", PROVIDERS)
@pytest.mark.parametrize("error", CONTEXT_ERRORS)
def test_a_prompt_that_is_too_long_has_a_code_of_its_own(api, error, fake_server):
    fake_server.respond(400, {"error": error})
    with pytest.raises(PlayerFault, match="longer context") as fault:
        ask_player(api, make_context(api, fake_server.url))
    assert fault.value.code is FaultCode.PROMPT_TOO_LONG and len(fake_server.requests) == 1


def test_room_for_the_reply_that_is_larger_than_the_context_is_a_mistake_in_the_parameters(fake_server):
    fake_server.respond(400, TOO_LONG)
    with pytest.raises(PlayerFault) as fault:
        ask_player(OPENAI, make_context(OPENAI, fake_server.url), parameters="max_tokens=40960")
    assert fault.value.code is FaultCode.INVALID_REQUEST


def test_a_full_context_of_anthropic_is_too_long(fake_server):
    fake_server.respond(200, finished("", "model_context_window_exceeded", ANTHROPIC))
    with pytest.raises(PlayerFault) as fault:
        ask_player(ANTHROPIC, make_context(ANTHROPIC, fake_server.url))
    assert fault.value.code is FaultCode.PROMPT_TOO_LONG


def test_a_conversation_that_is_too_long_aborts_the_episode_and_counts(folder, fake_server):
    fake_server.respond(400, TOO_LONG)
    summary = run(folder, limit=2)
    assert "2 of 2 episodes over" in summary and "2 of them aborted" in summary and "1 context" in summary
    assert [outcome["reason"] for outcome in events(folder, "outcome")] == ["context", "format"]
    [row] = rows(folder)
    assert row["n"] == "2" and row["played"] == "0.0" and row["score_all"] == "0.0" and row["faults"] == "0"
    assert json.loads(row["finish"])["o/m"]["context"] == 1
    ludens("db", "check", "--replay", "--db", folder / "log.db", folder=folder)
    assert "Nothing to do" in run(folder, limit=2)


def test_a_plan_may_leave_a_conversation_that_is_too_long_out_of_the_score(folder, fake_server):
    fake_server.respond(400, TOO_LONG)
    assert "1 stalled" in run(folder, "--on-context", "fault", code=1)
    assert not events(folder, "outcome") and events(folder, "fault")[0]["code"] == "prompt_too_long"
    [row] = rows(folder)
    assert row["n"] == "0" and row["faults"] == "1"


def test_plans_say_what_counts_as_what(folder, fake_server):
    plan = folder / "plan.toml"
    plan.write_text(
        f'on_empty = "violation"\n[[part]]\nselect = ["{SELECTION}/0"]\nseats = {{ all = "o/m" }}\n'
        f'[[part]]\nselect = ["{SELECTION}/1"]\nseats = {{ all = "o/m" }}\non_empty = "fault"\non_context = "fault"\n'
    )
    for _ in range(2):
        fake_server.respond(200, finished("", "length"))
    command = ("run", "--plan", plan, "--players", folder / "players.toml", "--db", folder / "log.db", "--yes")
    ludens(*command, "--concurrency", 1, folder=folder, code=1)
    starts = {data["instance_id"][-1]: data for data in events(folder, "start")}
    assert starts["0"]["on_empty"] == "violation" and "on_context" not in starts["0"]
    assert "on_empty" not in starts["1"] and starts["1"]["on_context"] == "fault"
    assert len(events(folder, "violation")) == len(events(folder, "fault")) == 1
    plan.write_text(plan.read_text().replace('"violation"', '"ignored"'))
    assert "on_empty" in ludens(*command, folder=folder, code=2).err


def test_a_start_without_such_rules_is_written_as_before(folder):
    run(folder)
    [start] = events(folder, "start")
    assert not start.keys() & {"on_empty", "on_context"}
