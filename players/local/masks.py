"""Which tokens may come next in a reply that is constrained to a format. In the child process; see `constraint`.

Closed lists use our own comparison of tokens; patterns and schemas use llguidance (a 3 MB wheel without dependencies;
xgrammar would bring Triton and TVM). Free text inside a format has no natural end for a weak model, so when only enough
tokens remain to end the reply, only tokens that end it are allowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from players.common.constraint import Constraint

Mask = NDArray[np.bool_]


class ConstrainedReply(Protocol):
    """One reply in the making, constrained to a format."""

    @property
    def is_complete(self) -> bool:
        """Whether the reply is complete and nothing can follow."""
        ...

    def allowed_tokens(self, remaining_tokens: int) -> Mask:
        """Return which tokens may come next if at most `remaining_tokens` more are generated."""
        ...

    def append(self, token: int) -> None:
        """Add the token that was chosen."""
        ...


class TokenMasks:
    """Makes the masks of one loaded model; `width` is the number of its logits, `ends` its end-of-turn tokens."""

    def __init__(self, tokenizer: Any, width: int, end_tokens: Sequence[int]) -> None:
        self.tokenizer, self.width, self.end_tokens = tokenizer, width, tuple(end_tokens)
        self._grammars: dict[Constraint, str] = {}

    def begin_reply(self, constraint: Constraint) -> ConstrainedReply:
        """Begin a reply. Raises ValueError if llguidance cannot read the pattern or schema, or is not installed."""
        if constraint.kind == "list":
            return _ListReply(self, constraint.rules)
        return _GrammarReply(self, constraint)

    def make_grammar(self, constraint: Constraint) -> str:
        """Return the constraint as a grammar of llguidance."""
        import llguidance

        if constraint not in self._grammars:
            if constraint.kind == "pattern":
                llguidance_grammar = llguidance.LLMatcher.grammar_from_regex(constraint.rules[0])
            else:  # with free white space a weak model would never end its reply
                llguidance_grammar = llguidance.LLMatcher.grammar_from_json_schema(
                    constraint.rules[0],
                    overrides={"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "},
                )
            self._grammars[constraint] = llguidance_grammar
        return self._grammars[constraint]

    @cached_property
    def vocabulary(self) -> Any:
        """The tokenizer in the form of llguidance (takes about a second for a large one)."""
        import llguidance.hf

        return llguidance.hf.from_tokenizer(self.tokenizer, n_vocab=self.width, eos_token=list(self.end_tokens))

    @cached_property
    def _texts(self) -> list[bytes]:
        return [self.vocabulary.decode_bytes([token]) for token in range(self.width)]

    @cached_property
    def quote_tokens(self) -> Mask:
        """The tokens that close a string, and possibly the objects and lists around it."""
        return np.array([token_bytes[:1] == b'"' and not token_bytes.strip(b'"]}') for token_bytes in self._texts])

    @cached_property
    def bracket_tokens(self) -> Mask:
        """The tokens that close a list or an object."""
        return np.array([bool(token_bytes) and not token_bytes.strip(b"]}") for token_bytes in self._texts])

    @cached_property
    def plain_tokens(self) -> Mask:
        """The tokens of ASCII letters and digits alone."""
        return np.array([token_bytes.isalnum() for token_bytes in self._texts])

    def make_ending_mask(self) -> Mask:
        """The end-of-turn tokens alone."""
        token_mask = np.zeros(self.width, dtype=bool)
        token_mask[list(self.end_tokens)] = True
        return token_mask


class _ListReply:
    """One of a closed list of replies, each in its usual tokens, then the end."""

    def __init__(self, token_masks: TokenMasks, replies: Sequence[str]) -> None:
        self._masks = token_masks
        self._candidates = [tuple(token_masks.tokenizer.encode(reply, add_special_tokens=False)) for reply in replies]
        self._reply_position = 0

    @property
    def is_complete(self) -> bool:
        return all(len(candidate) == self._reply_position for candidate in self._candidates)

    def allowed_tokens(self, remaining_tokens: int) -> Mask:
        token_mask = np.zeros(self._masks.width, dtype=bool)
        for reply in self._candidates:
            token_mask[
                reply[self._reply_position] if self._reply_position < len(reply) else list(self._masks.end_tokens)
            ] = True
        return token_mask

    def append(self, token: int) -> None:
        self._candidates = [
            candidate
            for candidate in self._candidates
            if self._reply_position < len(candidate) and candidate[self._reply_position] == token
        ]
        self._reply_position += 1


class _GrammarReply:
    """A reply that a pattern or a schema matches."""

    def __init__(self, masks: TokenMasks, constraint: Constraint) -> None:
        try:
            import llguidance
        except ImportError:
            raise ValueError("llguidance is not installed: pip install 'ludens[local]'") from None
        self._masks, self._constraint = masks, constraint
        self._grammar_matcher = llguidance.LLMatcher(masks.vocabulary, masks.make_grammar(constraint), log_level=0)
        self._check_matcher()

    def _check_matcher(self) -> None:
        if self._grammar_matcher.is_error():
            raise ValueError(str(self._grammar_matcher.get_error()).partition("\n")[0])

    @property
    def is_complete(self) -> bool:
        return bool(self._grammar_matcher.is_stopped())

    def allowed_tokens(self, remaining_tokens: int) -> Mask:
        mask_bytes = np.frombuffer(self._grammar_matcher.compute_bitmask(), dtype=np.uint8)
        token_mask: Mask = np.unpackbits(mask_bytes, bitorder="little")[: self._masks.width].astype(bool)
        self._check_matcher()
        return (
            token_mask
            if remaining_tokens > self._constraint.reserved_tokens
            else self._select_ending_tokens(token_mask)
        )

    def _select_ending_tokens(self, token_mask: Mask) -> Mask:
        """Return the allowed tokens that end the reply soonest."""
        if self._grammar_matcher.is_accepting():
            return self._masks.make_ending_mask()
        preferred_groups = [self._masks.plain_tokens]
        if self._constraint.kind == "schema":
            inside_string = (token_mask & self._masks.plain_tokens).any()
            preferred_groups = (
                [self._masks.quote_tokens, self._masks.plain_tokens] if inside_string else [self._masks.bracket_tokens]
            )
        for preferred_tokens in preferred_groups:
            if (token_mask & preferred_tokens).any():
                return token_mask & preferred_tokens
        return token_mask

    def append(self, token: int) -> None:
        self._grammar_matcher.consume_token(token)
        self._check_matcher()
