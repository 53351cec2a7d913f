"""Patterns over what others wrote: RE2 finds what Python's engines find, and nothing takes for ever."""

import re

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from engine.core.patterns import BadPattern, compile_imported_pattern, compile_linear_pattern, compile_pattern

IMPORTED = (
    r"^answer:\s*(?P<content>.+)\n*(?P<remainder>.*)",
    r"^(?P<tag>expression|instruction):\s(?P<content>[\s\S]+)$",
    r"^\n*([A-Z▢]\s){4}[A-Z▢](\n([A-Z▢]\s){4}[A-Z▢]){4}\s*\Z",
    r'^\{\s*"action":\s*"(?P<content>[^{]*?)"\s*\}$',
    r"(?P<response>[\w'-]+)[^\w]*(?P<remainder>\D*)",
    r"go:\s*(?P<way>north|east|\w\w+)(?P<remainder>[\d\S ]?)",
)
SIGNS = st.text(alphabet="aAbB1２ :\n\t\x0b\u2028 \"{}[]▢é́ſKœ-_'", max_size=40)
STARTS = st.sampled_from(["", "answer: ", "expression:\n", "A ▢ ▢ B C", '{"action": "', "go: "])


@given(st.sampled_from(IMPORTED), STARTS, SIGNS)
def test_an_imported_pattern_matches_what_pythons_engine_matches(pattern, start, rest):
    text = (start + rest).strip()  # as reply formats search it
    compiled = compile_imported_pattern(pattern)
    if pattern != IMPORTED[-1]:
        assert compiled.is_linear
    expected = regex.search(pattern, text, regex.IGNORECASE)
    groups = compiled.search(text, 10)
    assert (groups is None) == (expected is None)
    assert groups is None or groups == expected.groupdict()


UNKNOWN_TO_RE2 = (r"(?=a)a", r"(?<!x)a", r"(a)\1", r"\ba\b", r"a{2000}", r"[\W]", r"[]a]+", r"(?>a)")


@pytest.mark.parametrize("pattern", UNKNOWN_TO_RE2)
def test_what_re2_does_not_know_is_searched_with_a_limit(pattern):
    compiled = compile_imported_pattern(pattern)
    assert not compiled.is_linear
    assert (compiled.search("xa!" * 50, 5) is None) == (regex.search(pattern, "xa!" * 50) is None)
    with pytest.raises(TimeoutError):
        compile_imported_pattern(r"(?=a)(a|aa)+$").search("a" * 4000 + "!", 0.05)


def test_a_pattern_that_is_none_is_named():
    for compiler in (compile_pattern, compile_imported_pattern):
        with pytest.raises(BadPattern, match=r"\(oh"):
            compiler("(oh")


@given(SIGNS | st.text(alphabet="a\ud800/b", max_size=20))
def test_searches_give_back_the_text_as_it_was_written(text):
    groups = compile_pattern(r"(?P<rest>(?s:.*))").search(text)
    assert groups == {"rest": text}
    assert compile_pattern("a").replace_matches(r"\1", text) == text.replace("a", r"\1")


def test_catastrophic_patterns_are_linear_with_re2():
    assert compile_pattern(r"^(a|aa)+$").search("a" * 200_000 + "!") is None
    assert compile_pattern(r"(\s*(,|and)\s*)*x$").search(" , " * 60_000) is None


def test_the_hatch_asks_for_a_reason():
    assert isinstance(compile_linear_pattern("a(?=b)", reason="one literal"), re.Pattern)
    with pytest.raises(TypeError):
        compile_linear_pattern("a(?=b)")
