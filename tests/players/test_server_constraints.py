"""Replies that are not JSON, constrained as vLLM, SGLang and llama.cpp take it."""

import random

import pytest

from engine.core.patterns import compile_linear_pattern
from engine.core.replies import EitherFormat, Tagged, Text, one_of
from players.common.constraint import make_constraint
from players.common.server_constraints import make_regex, simplify_regex, translate_to_gbnf
from tests.players.fake_server import unsupported
from tests.players.seats import ask_player, make_context, make_view

CHOICE = one_of("same grids", "different grids")
DECISION = Tagged("DECISION", CHOICE)
QUESTION = Tagged("QUESTION", Text())
EITHER = EitherFormat((("question", QUESTION), ("decision", DECISION)))
LINE = Text(lines=1)
EVERY_CHARACTER = r"[^\x00]"


@pytest.mark.parametrize(
    ("server", "form", "path", "value"),
    [
        ("vllm", DECISION, "structured_outputs", {"choice": ["DECISION: same grids", "DECISION: different grids"]}),
        ("vllm", QUESTION, "structured_outputs", {"regex": r"QUESTION: [\s\S]*[A-Za-z0-9][\s\S]*"}),
        ("sglang", DECISION, "regex", "(?:DECISION: same grids|DECISION: different grids)"),
        ("llamacpp", one_of("a b", 'say "c"'), "grammar", None),
    ],
)
@pytest.mark.models
def test_each_server_is_sent_what_it_takes(server, form, path, value, fake_server):
    context = make_context("openai", fake_server.url, constrain=server)
    (reply,) = ask_player("openai", context, make_view(form=form), parameters="constrain=true")
    sent = fake_server.requests[0].body[path]
    assert sent == value or value is None
    assert reply.meta["constrained"] in ("list", "pattern") and "dropped" not in reply.meta
    assert "response_format" not in fake_server.requests[0].body
    fake_server.respond(400, unsupported(path))
    (refused,) = ask_player("openai", context, make_view(form=form), parameters="constrain=true")
    assert refused.meta["dropped"] == ["constrain"] and "constrained" not in refused.meta


@pytest.mark.parametrize(
    ("pattern", "rule"),
    [
        (r"(?:same\ grids|no)", '( "s" "a" "m" "e" " " "g" "r" "i" "d" "s" | "n" "o" )'),
        (r"[\s\S]*[A-Za-z0-9]", rf"{EVERY_CHARACTER}* [A-Za-z0-9]"),
        (r"[^\n\v\f\r\x1c-\x1e\x85\u2028]+", r"[^\n\x0b\x0c\r\x1c-\x1e\x85\u2028]+"),
        (r"[A-Z▢](?: [A-Z▢]){4}\n", '[A-Z▢] ( " " [A-Z▢] ){4} "\\n"'),
        (r'"\.\\', r'"\"" "." "\\"'),
    ],
)
def test_a_pattern_becomes_a_grammar(pattern, rule):
    assert translate_to_gbnf(pattern) == rule


def test_what_has_no_counterpart_is_refused():
    with pytest.raises(ValueError, match="no counterpart"):
        translate_to_gbnf("a.b$")


@pytest.mark.parametrize("form", [CHOICE, DECISION, QUESTION, EITHER, LINE])
def test_the_regular_expression_of_a_server_matches_what_the_format_accepts(form):
    constraint = make_constraint(form)
    pattern = compile_linear_pattern(simplify_regex(make_regex(constraint)), reason="of a test")
    assert r"\ " not in simplify_regex(make_regex(constraint))
    for seed in range(20):
        assert pattern.fullmatch(form.sample(random.Random(seed)))
    assert not pattern.fullmatch("")
