"""Constraints on replies as servers take them, beside the JSON schema that many servers of the OpenAI protocol accept.

vLLM takes lists and regular expressions, SGLang regular expressions, llama.cpp grammars (GBNF). A server's table in
players.toml says which it is (`constrain`). Patterns are those of reply formats: literals, classes of characters,
groups, alternatives, repetitions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping

from engine.core.events import Json
from players.common.constraint import Constraint

UNESCAPED_REGEX_CHARACTERS = " #&~-"
"""Characters that Python escapes, and other engines need not or must not see escaped."""
ANY_CHARACTER = "[\\s\\S]"
CLASS_ESCAPES = {"v": "\\x0b", "f": "\\x0c"}
"""Escapes that a class of GBNF does not have."""
CONTROL_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "v": "\v", "f": "\f"}


def make_vllm_field(constraint: Constraint) -> tuple[str, Json]:
    """Return the field of vLLM for a constraint."""
    if constraint.kind == "list":
        return "structured_outputs", {"choice": list(constraint.rules)}
    return "structured_outputs", {"regex": simplify_regex(constraint.rules[0])}


def make_sglang_field(constraint: Constraint) -> tuple[str, str]:
    """Return the field of SGLang for a constraint."""
    return "regex", simplify_regex(make_regex(constraint))


def make_llamacpp_field(constraint: Constraint) -> tuple[str, str]:
    """Return the field of llama.cpp for a constraint."""
    return "grammar", f"root ::= {translate_to_gbnf(make_regex(constraint))}"


SERVER_FIELDS: Mapping[str, Callable[[Constraint], tuple[str, Json | str]]] = {
    "vllm": make_vllm_field,
    "sglang": make_sglang_field,
    "llamacpp": make_llamacpp_field,
}
"""The field that constrains a reply that is not JSON, by the value of `constrain` in a server's table."""


def make_regex(constraint: Constraint) -> str:
    """Return a list or a pattern as a regular expression."""
    if constraint.kind != "list":
        return constraint.rules[0]
    escaped_replies = ("".join(map(_escape_gbnf, closed_reply)) for closed_reply in constraint.rules)
    return f"(?:{'|'.join(escaped_replies)})"


def _escape_gbnf(character: str) -> str:
    return f"\\{character}" if character in SPECIAL_SIGNS else character


SPECIAL_SIGNS = set("\\.^$*+?{}[]|()")


def simplify_regex(pattern: str) -> str:
    """Return a pattern without escapes that only Python writes."""
    return "".join(
        token[1] if len(token) == 2 and token[0] == "\\" and token[1] in UNESCAPED_REGEX_CHARACTERS else token
        for token in _split_pattern(pattern)
    )


def translate_to_gbnf(pattern: str) -> str:
    """Return a pattern as the right side of a rule of GBNF. Raises ValueError for what patterns of formats lack."""
    gbnf_parts: list[str] = []
    for token in _split_pattern(pattern):
        if token == "(?:":
            gbnf_parts.append("(")
        elif token in (")", "|"):
            gbnf_parts.append(token)
        elif token[0] in "*+?{":
            gbnf_parts[-1] += token
        elif token == ANY_CHARACTER:
            gbnf_parts.append("[^\\x00]")
        elif token[0] == "[":
            gbnf_parts.append(_translate_class(token))
        elif token[0] == "\\":
            gbnf_parts.append(json.dumps(CONTROL_ESCAPES.get(token[1], token[1]), ensure_ascii=False))
        elif token in (".", "^", "$", "("):
            raise ValueError(f"{token!r} has no counterpart in a grammar")
        else:
            gbnf_parts.append(json.dumps(token, ensure_ascii=False))
    return " ".join(gbnf_parts)


def _translate_class(token: str) -> str:
    """Return a class of characters with escapes that GBNF has."""
    characters = []
    for character in _split_pattern(token[1:-1]):
        characters.append(CLASS_ESCAPES.get(character[1:], character) if character[0] == "\\" else character)
    return f"[{''.join(characters)}]"


def _split_pattern(pattern: str) -> Iterator[str]:
    """Yield a pattern in pieces: a character, an escape, a class, a repetition, or the beginning of a group."""
    token_start = 0
    while token_start < len(pattern):
        token_end = token_start + 1
        if pattern[token_start] == "\\":
            token_end = token_start + 2
        elif pattern[token_start] == "[":
            token_end = _find_class_end(pattern, token_start)
        elif pattern[token_start] == "{":
            token_end = pattern.index("}", token_start) + 1
        elif pattern.startswith("(?:", token_start):
            token_end = token_start + 3
        yield pattern[token_start:token_end]
        token_start = token_end


def _find_class_end(pattern: str, class_start_position: int) -> int:
    pattern_position = class_start_position + 1
    while pattern[pattern_position] != "]":
        pattern_position += 2 if pattern[pattern_position] == "\\" else 1
    return pattern_position + 1
