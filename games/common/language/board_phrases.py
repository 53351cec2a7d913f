"""The words of a text about a pentomino board as terms, those of a phrase as one: "does not touch the top edge".

The words and the patterns of phrases are in `board_words.toml`; a function here reads what a pattern cannot say.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

from games.common.language.doubt import compile_clauses
from games.common.language.lexicon import Vocabulary
from games.common.language.phrases import PhraseMatch, make_rules, rewrite
from games.common.language.terms import OPPOSITE_SIDES, Term
from games.common.language.tokens import Token, tokenize
from games.common.pentomino import PIECE_SHAPES

WORD_TABLES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("board_words.toml").read_text("utf-8"))
CHUNK_RULE_ROWS = WORD_TABLES.pop("chunks")
PLAIN_CLAUSE = compile_clauses(WORD_TABLES.pop("plain"))
PARTS: dict[str, dict[str, str]] = WORD_TABLES.pop("parts")
CONFUSABLE_SHAPES: dict[str, str] = WORD_TABLES.pop("confusable")
SMALL_WORDS = {meaning: frozenset(words.split()) for meaning, words in WORD_TABLES.pop("words").items()}
MEANINGS = {
    word.replace("_", " "): (kind, meaning)
    for kind, table in reversed(WORD_TABLES.items())
    for meaning, words in table.items()
    for word in words.split()
}
SHAPES_BY_LETTER = {shape: shape for shape in PIECE_SHAPES} | {"C": "U", "J": "L", "S": "Z"}
KNOWN_WORDS = Vocabulary(word for word in MEANINGS if len(word) > 3)
PARTS_BY_SHAPE = {"V": "corner", "I": "bar"}
"""Parts of other shapes that have the name of a shape."""
END = Term("stop")


def words_for(meaning: str) -> frozenset[str]:
    """Return the small words of a meaning."""
    return SMALL_WORDS[meaning]


def read_words(text: str) -> list[Term]:
    """Return the words of a text, those of a phrase that the tables have as one."""
    tokens = tokenize(text)
    word_texts = [KNOWN_WORDS.correct_word(token.text) for token in tokens]
    terms: list[Term] = []
    i = 0
    while i < len(tokens):
        phrase_texts = {phrase_length: " ".join(word_texts[i : i + phrase_length]) for phrase_length in (3, 2)}
        phrase_length = next((phrase_length for phrase_length, phrase in phrase_texts.items() if phrase in MEANINGS), 1)
        phrase = phrase_texts.get(phrase_length, word_texts[i])
        terms.append(_read_word(tokens[i], phrase, terms[-1] if terms else END, " ".join(word_texts[i + 1 : i + 2])))
        i += phrase_length
    return terms


def _read_word(token: Token, word_text: str, term_before: Term, next_word: str) -> Term:
    if letter := _find_letter(token, term_before, next_word):
        return Term("shape", SHAPES_BY_LETTER[letter], text=letter)
    if word_text[:-1].isdecimal() and word_text.endswith("x"):
        return Term("number", word_text[:-1], text=word_text)  # "2x red"
    if token.number is not None and token.text != "one" and next_word not in words_for("article"):
        return Term("number", str(token.number), text=word_text)  # not in "above the two a red T"
    word_text = word_text.removesuffix("'s")
    word_forms = (word_text, word_text.removesuffix("s"), word_text.removesuffix("es"))
    unread_meaning = ("unread" if token.is_word else "stop", "")
    kind, meaning = next((MEANINGS[word_form] for word_form in word_forms if word_form in MEANINGS), unread_meaning)
    return Term(kind, meaning, text=word_text)


def _find_letter(token: Token, term_before: Term, next_word: str) -> str:
    """Return the letter of a shape that a token names ("T", "Ts", "t-shaped"), "" if it names none."""
    raw = token.raw.replace("'", "").replace("’", "")
    letter = (raw[0] if raw[1:] == "s" and raw not in ("Is", "is", "us") else raw).upper()
    is_shape = next_word.startswith("shape") or next_word in ("piece", "pieces") or (raw[:1].isupper() and raw != "I")
    is_led = term_before.kind == "colour" or term_before.text in words_for("before_letter")
    is_led &= raw != "I" or next_word not in words_for("verb")
    return letter if letter in SHAPES_BY_LETTER and (is_shape or (is_led and raw not in "as")) else ""


def join_phrases(words: Sequence[Term]) -> list[Term]:
    """Return words with those that together name a place, a relation or how a piece lies as one."""
    return rewrite(words, PHRASE_RULES)


# ---------------------------------------------------------------------- phrases
def _read_place(phrase: PhraseMatch) -> Term | list[Term]:
    """Read "in the top left corner", and "its stem to the left" as a part and its direction."""
    words = [term for term_before, term in pairwise([END, *phrase.group("sides")]) if term_before.text != "halfway"]
    sides = [term.sense for term in words if term.kind == "side"]
    frame_words = {term.text for term in phrase.group("frame")}
    if phrase.group("very") or frame_words & words_for("edge"):
        part_terms = [_make_part(term) for term in phrase.group("part")]  # "with a bump at the right edge"
        return [*part_terms, Term("place", " ".join(f"{side}-rim" for side in sides))]
    if phrase.group("part"):
        return _make_part(phrase.term("part"), words)
    if frame_words & words_for("corner") and len(sides) % 2 == 0:
        corner_sides = zip(sides[::2], sides[1::2], strict=True)
        return Term("place", " ".join(f"{first_side}-{second_side}-corner" for first_side, second_side in corner_sides))
    return Term("place", f"{sides[0]}-half" if "half" in frame_words and len(sides) == 1 else " ".join(sides))


def _read_touch(phrase: PhraseMatch) -> list[Term]:
    """Read "touches the top edge", "touching no edge" and "reaches the bottom but not the left side"."""
    terms = [
        Term("place", f"{term.sense}-edge") if term.kind == "side" else Term("not", "not")
        for term in phrase.terms
        if term.kind in ("side", "not", "number")
    ]
    clause = takewhile(lambda term: term.kind not in ("comma", "stop"), [*reversed(phrase.output)])
    is_denied = any(term.kind == "not" or term.sense == "0" for term in [*clause, *terms])
    is_alternative = not is_denied and any(term.text == "or" for term in phrase.terms)
    places = [] if any(term.kind == "place" for term in terms) else [Term("place", "any-edge")]
    return [*terms, *places, *[Term("doubt")] * is_alternative]


def _read_extreme(phrase: PhraseMatch) -> Term:
    """Read "the lowest" and "furthest to the left"."""
    return Term("place", f"{phrase.term('side').sense}-end")


def _read_place_on_board(phrase: PhraseMatch) -> Term | None:
    """Read "bottom right of my board" as a place, not as what is right of another piece."""
    place, _, last_word = " ".join(term.sense for term in phrase.group("sides")).rpartition(" ")
    return Term("place", place) if last_word == "of" else None


def _read_adverb(phrase: PhraseMatch) -> Term | None:
    """Read "right under it" and "right side up", but not "on the right under it" and "on its right side up there"."""
    is_side = phrase.term_before().kind == "side" or phrase.term_before().text in words_for("before_side")
    return None if is_side else Term("feature", "turned bottom") if phrase.terms[1:] else Term("filler")


def _read_direction(phrase: PhraseMatch) -> Term:
    """Read the slope of stairs in "climbing to the right" and "from the top left to the bottom right"."""
    start_sides, sides = (
        [term.sense for term in phrase.group(part_name) if term.kind == "side"] for part_name in ("start", "end")
    )
    heights = [side for side in [phrase.term("motion").sense, *sides] if side in ("top", "bottom")]
    end_side = sides[-1] if sides else ""
    if not heights or end_side not in ("left", "right") or (len(start_sides) == 1 and not phrase.group("motion")):
        return Term("filler")
    is_rising = (heights[-1] == "top") == (end_side == "right")
    return Term("feature", "slope rising" if is_rising else "slope falling")


def _read_synonyms(phrase: PhraseMatch) -> list[Term] | None:
    """Read "an S or Z"."""
    return phrase.group("first") if phrase.term("first").sense == phrase.term("second").sense else None


def _read_ellipsis(phrase: PhraseMatch) -> list[Term] | None:
    """Read "the red T points left, the blue one right": it may be a place, or how it lies as the one before."""
    clause = list(takewhile(lambda term: term.kind != "stop", reversed(phrase.output)))
    is_lie = any(term.kind == "feature" and term.sense.split()[-1] in OPPOSITE_SIDES for term in clause)
    if not is_lie or any(term.kind == "place" for term in clause):
        return None
    sides = " ".join(term.sense for term in phrase.group("sides"))
    return [*phrase.group("head"), Term("place", sides), Term("doubt")]


def _read_own_part(phrase: PhraseMatch) -> Term | None:
    """Read "a red T, bar at the top" as how it lies; after another shape, or in "the bar at the top is red", not."""
    shape = next((term.sense for term in reversed(phrase.output) if term.kind == "shape"), "")
    texts = {phrase.term_before().kind, *(term.text for term in phrase.terms)}
    clause = takewhile(lambda term: term.kind not in ("comma", "stop"), phrase.context.terms[phrase.end :])
    is_subject = any(term.kind == "colour" or term.text in words_for("verb") for term in clause)
    is_own = (
        _name_part(phrase.term("part")) in PARTS.get(shape, {}) and bool(texts & words_for("owning")) and not is_subject
    )
    return _make_part(phrase.term("part"), phrase.group("sides")) if is_own else None


def _read_colours(phrase: PhraseMatch) -> list[Term] | None:
    """Read "no red or blue T" as "no red T, no blue T", and so "red and blue are missing"; "no red, a blue T" not."""
    colours = [term for term in phrase.group("colours") if term.kind == "colour"]
    joints = {term.text for term in phrase.group("colours") if term.kind != "colour"}
    is_end = phrase.group("denial") or (not phrase.group("head") and phrase.terms_after(1)[0].kind == "stop")
    if joints and "or" not in joints and not is_end:
        return None
    return [term for colour in colours for term in (Term("number", "0"), colour, *phrase.group("head"))]


def _read_part_of(phrase: PhraseMatch) -> list[Term]:
    """Read "the corner of the black V is at the top left" as "the black V with its corner at the top left"."""
    return [*phrase.group("colour"), *phrase.group("shape"), _make_part(phrase.term("part"), phrase.group("sides"))]


def _make_part(term: Term, side_terms: Iterable[Term] = ()) -> Term:
    """Return a part of a piece with its direction, if it has one."""
    sides = [side.sense for side in side_terms if side.kind == "side" and side.sense != "middle"]
    return Term("feature", " ".join([_name_part(term), *sides]))


def _name_part(term: Term) -> str:
    return PARTS_BY_SHAPE.get(term.sense, term.sense)


PHRASE_RULES = make_rules(CHUNK_RULE_ROWS, globals())
