"""Which tokens may come next where a reply is held to a format. In the child process; see `constraint`.

Closed lists go through an own tree of tokens; patterns and schemas through llguidance (a 3 MB wheel without
dependencies; xgrammar would bring Triton and TVM). Free text inside a format has no natural end for a weak model, so
when the tokens left are just enough to end the reply, only what ends it is allowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from players.local.constraint import Constraint

Mask = NDArray[np.bool_]


class Held(Protocol):
    """One reply being held to a format."""

    @property
    def over(self) -> bool:
        """Whether the reply is complete and nothing can follow."""
        ...

    def allowed(self, left: int) -> Mask:
        """Return which tokens may come next, where `left` more may come at most."""
        ...

    def take(self, token: int) -> None:
        """Take in the token that was chosen."""
        ...


class Masks:
    """Makes the masks of one loaded model; `width` is the number of its logits, `ends` its end-of-turn tokens."""

    def __init__(self, tokenizer: Any, width: int, ends: Sequence[int]) -> None:
        self.tokenizer, self.width, self.ends = tokenizer, width, tuple(ends)
        self._grammars: dict[Constraint, str] = {}

    def hold(self, constraint: Constraint) -> Held:
        """Begin a reply. Raises ValueError where llguidance cannot read the pattern or schema, or is not installed."""
        if constraint.kind == "list":
            return _Listed(self, constraint.said)
        return _Grammatical(self, constraint)

    def grammar(self, constraint: Constraint) -> str:
        """Return the constraint as llguidance reads it."""
        import llguidance

        if constraint not in self._grammars:
            if constraint.kind == "pattern":
                made = llguidance.LLMatcher.grammar_from_regex(constraint.said[0])
            else:  # free white space would be an endless reply of a weak model
                made = llguidance.LLMatcher.grammar_from_json_schema(
                    constraint.said[0],
                    overrides={"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "},
                )
            self._grammars[constraint] = made
        return self._grammars[constraint]

    @cached_property
    def vocabulary(self) -> Any:
        """The tokenizer as llguidance reads it (about a second for a large one)."""
        import llguidance.hf

        return llguidance.hf.from_tokenizer(self.tokenizer, n_vocab=self.width, eos_token=list(self.ends))

    @cached_property
    def _texts(self) -> list[bytes]:
        return [self.vocabulary.decode_bytes([token]) for token in range(self.width)]

    @cached_property
    def quotes(self) -> Mask:
        """The tokens that close a string, and perhaps what it stands in."""
        return np.array([text[:1] == b'"' and not text.strip(b'"]}') for text in self._texts])

    @cached_property
    def brackets(self) -> Mask:
        """The tokens that close a list or an object."""
        return np.array([bool(text) and not text.strip(b"]}") for text in self._texts])

    @cached_property
    def plain(self) -> Mask:
        """The tokens of ASCII letters and digits alone."""
        return np.array([text.isalnum() for text in self._texts])

    def ending(self) -> Mask:
        """The end-of-turn tokens alone."""
        mask = np.zeros(self.width, dtype=bool)
        mask[list(self.ends)] = True
        return mask


class _Listed:
    """One of a closed list of replies, each in its usual tokens, then the end."""

    def __init__(self, masks: Masks, replies: Sequence[str]) -> None:
        self._masks = masks
        self._open = [tuple(masks.tokenizer.encode(reply, add_special_tokens=False)) for reply in replies]
        self._at = 0

    @property
    def over(self) -> bool:
        return all(len(reply) == self._at for reply in self._open)

    def allowed(self, left: int) -> Mask:
        mask = np.zeros(self._masks.width, dtype=bool)
        for reply in self._open:
            mask[reply[self._at] if self._at < len(reply) else list(self._masks.ends)] = True
        return mask

    def take(self, token: int) -> None:
        self._open = [reply for reply in self._open if self._at < len(reply) and reply[self._at] == token]
        self._at += 1


class _Grammatical:
    """A reply that a pattern or a schema matches."""

    def __init__(self, masks: Masks, constraint: Constraint) -> None:
        try:
            import llguidance
        except ImportError:
            raise ValueError("llguidance is not installed: pip install 'ludens[local]'") from None
        self._masks, self._constraint = masks, constraint
        self._matcher = llguidance.LLMatcher(masks.vocabulary, masks.grammar(constraint), log_level=0)
        self._check()

    def _check(self) -> None:
        if self._matcher.is_error():
            raise ValueError(str(self._matcher.get_error()).partition("\n")[0])

    @property
    def over(self) -> bool:
        return bool(self._matcher.is_stopped())

    def allowed(self, left: int) -> Mask:
        bits = np.frombuffer(self._matcher.compute_bitmask(), dtype=np.uint8)
        mask: Mask = np.unpackbits(bits, bitorder="little")[: self._masks.width].astype(bool)
        self._check()
        return mask if left > self._constraint.reserve else self._hurried(mask)

    def _hurried(self, mask: Mask) -> Mask:
        """Return the allowed tokens that lead to the end soonest."""
        if self._matcher.is_accepting():
            return self._masks.ending()
        ways = [self._masks.plain]
        if self._constraint.kind == "schema":
            inside_string = (mask & self._masks.plain).any()
            ways = [self._masks.quotes, self._masks.plain] if inside_string else [self._masks.brackets]
        for way in ways:
            if (mask & way).any():
                return mask & way
        return mask

    def take(self, token: int) -> None:
        self._matcher.consume_token(token)
        self._check()
