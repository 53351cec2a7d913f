"""How a text is worded: content words, negation, overlap with earlier texts, whether a question asks anything new.

The papers speak of these without formulas; each function says what it computes and which passage it belongs to. All
take the text of a reply without its tag, in any case; they know English.
"""

from __future__ import annotations

from collections.abc import Set

from engine.core.patterns import IGNORECASE, compile_linear_pattern

NEGATION_PATTERN = compile_linear_pattern(
    r"\b(?:no|not|non|none|nothing|nobody|nowhere|never|neither|nor|without|cannot|lack(?:s|ing|ed)?|absent|except"
    r"|unlike|instead of|rather than|free of)\b|(?<=\w)n['’]t\b",
    IGNORECASE,
    reason="literals, with single characters around them",
)
STOP_WORDS = frozenset(
    "a an and any are as at be been but by can could did do does for from had has have how i in into is it its me my "
    "no not of on or other our out own same so some than that the their them then there these they this those to too "
    "was we were what when where which who why will with would yes you your yours".split()
)
WORD_PATTERN = compile_linear_pattern(r"\w+", reason="one repeated class")


def has_negation(spoken_text: str) -> bool:
    """Return whether a text says what is absent: "the one without cars" (multimodal-games paper, 5.3.2)."""
    return bool(NEGATION_PATTERN.search(spoken_text))


def list_words(spoken_text: str) -> list[str]:
    """Return the words of a text in order, case-folded."""
    folded_text = spoken_text.casefold()
    if folded_text.replace(" ", "").isalnum():  # the pattern takes four times as long
        return folded_text.split()
    return WORD_PATTERN.findall(folded_text)


def content_words(spoken_text: str) -> set[str]:
    """Return the different words of a text, case-folded, without stop words."""
    return set(list_words(spoken_text)) - STOP_WORDS


def compute_repeated_share(spoken_text: str, earlier_words: Set[str]) -> float | None:
    """Return the share (0 to 1) of a text's content words that are among earlier ones, None of a text without any.

    How far players take up each other's words (lexical entrainment, Brennan and Clark 1996, which the multimodal-games
    paper cites for its conversational grounding).
    """
    spoken_words = content_words(spoken_text)
    return len(spoken_words & earlier_words) / len(spoken_words) if spoken_words else None


def word_overlap(first_text: str, second_text: str) -> float | None:
    """Return the Jaccard index (0 to 1) of the content words of two texts, None if neither has any.

    For expressions of the same target in another order or among other distractors (multimodal-games paper, B.4).
    """
    first_words, second_words = content_words(first_text), content_words(second_text)
    all_words = first_words | second_words
    return len(first_words & second_words) / len(all_words) if all_words else None


def asks_something_new(question_text: str, earlier_words: Set[str]) -> bool:
    """Return whether a question has a content word that nobody used before.

    A frequent flaw of questions is asking for what was already said (multimodal-games paper, C.6).
    """
    return bool(content_words(question_text) - earlier_words)
