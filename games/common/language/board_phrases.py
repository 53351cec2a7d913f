"""The words of a text about a pentomino board as signs, those of a phrase as one: "does not touch the top edge".

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
from games.common.language.signs import OPPOSITE_SIDES, Sign
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
END = Sign("stop")


def words_for(meaning: str) -> frozenset[str]:
    """Return the small words of a meaning."""
    return SMALL_WORDS[meaning]


def read_words(text: str) -> list[Sign]:
    """Return the words of a text, those of a phrase that the tables have as one."""
    tokens = tokenize(text)
    word_texts = [KNOWN_WORDS.correct_word(token.text) for token in tokens]
    signs: list[Sign] = []
    i = 0
    while i < len(tokens):
        phrase_texts = {phrase_length: " ".join(word_texts[i : i + phrase_length]) for phrase_length in (3, 2)}
        phrase_length = next((phrase_length for phrase_length, phrase in phrase_texts.items() if phrase in MEANINGS), 1)
        phrase = phrase_texts.get(phrase_length, word_texts[i])
        signs.append(_read_word(tokens[i], phrase, signs[-1] if signs else END, " ".join(word_texts[i + 1 : i + 2])))
        i += phrase_length
    return signs


def _read_word(token: Token, word_text: str, sign_before: Sign, next_word: str) -> Sign:
    if letter := _find_letter(token, sign_before, next_word):
        return Sign("shape", SHAPES_BY_LETTER[letter], text=letter)
    if word_text[:-1].isdecimal() and word_text.endswith("x"):
        return Sign("number", word_text[:-1], text=word_text)  # "2x red"
    if token.number is not None and token.text != "one" and next_word not in words_for("article"):
        return Sign("number", str(token.number), text=word_text)  # not in "above the two a red T"
    word_text = word_text.removesuffix("'s")
    word_forms = (word_text, word_text.removesuffix("s"), word_text.removesuffix("es"))
    unread_meaning = ("unread" if token.is_word else "stop", "")
    kind, meaning = next((MEANINGS[word_form] for word_form in word_forms if word_form in MEANINGS), unread_meaning)
    return Sign(kind, meaning, text=word_text)


def _find_letter(token: Token, sign_before: Sign, next_word: str) -> str:
    """Return the letter of a shape that a token names ("T", "Ts", "t-shaped"), "" if it names none."""
    raw = token.raw.replace("'", "").replace("’", "")
    letter = (raw[0] if raw[1:] == "s" and raw not in ("Is", "is", "us") else raw).upper()
    is_shape = next_word.startswith("shape") or next_word in ("piece", "pieces") or (raw[:1].isupper() and raw != "I")
    is_led = sign_before.kind == "colour" or sign_before.text in words_for("before_letter")
    is_led &= raw != "I" or next_word not in words_for("verb")
    return letter if letter in SHAPES_BY_LETTER and (is_shape or (is_led and raw not in "as")) else ""


def join_phrases(words: Sequence[Sign]) -> list[Sign]:
    """Return words with those that together name a place, a relation or how a piece lies as one."""
    return rewrite(words, PHRASE_RULES)


# ---------------------------------------------------------------------- phrases
def _read_place(phrase: PhraseMatch) -> Sign | list[Sign]:
    """Read "in the top left corner", and "its stem to the left" as a part and its direction."""
    words = [sign for sign_before, sign in pairwise([END, *phrase.group("sides")]) if sign_before.text != "halfway"]
    sides = [sign.sense for sign in words if sign.kind == "side"]
    frame_words = {sign.text for sign in phrase.group("frame")}
    if phrase.group("very") or frame_words & words_for("edge"):
        part_signs = [_make_part(sign) for sign in phrase.group("part")]  # "with a bump at the right edge"
        return [*part_signs, Sign("place", " ".join(f"{side}-rim" for side in sides))]
    if phrase.group("part"):
        return _make_part(phrase.sign("part"), words)
    if frame_words & words_for("corner") and len(sides) % 2 == 0:
        corner_sides = zip(sides[::2], sides[1::2], strict=True)
        return Sign("place", " ".join(f"{first_side}-{second_side}-corner" for first_side, second_side in corner_sides))
    return Sign("place", f"{sides[0]}-half" if "half" in frame_words and len(sides) == 1 else " ".join(sides))


def _read_touch(phrase: PhraseMatch) -> list[Sign]:
    """Read "touches the top edge", "touching no edge" and "reaches the bottom but not the left side"."""
    signs = [
        Sign("place", f"{sign.sense}-edge") if sign.kind == "side" else Sign("not", "not")
        for sign in phrase.signs
        if sign.kind in ("side", "not", "number")
    ]
    clause = takewhile(lambda sign: sign.kind not in ("comma", "stop"), [*reversed(phrase.output)])
    is_denied = any(sign.kind == "not" or sign.sense == "0" for sign in [*clause, *signs])
    is_alternative = not is_denied and any(sign.text == "or" for sign in phrase.signs)
    places = [] if any(sign.kind == "place" for sign in signs) else [Sign("place", "any-edge")]
    return [*signs, *places, *[Sign("doubt")] * is_alternative]


def _read_extreme(phrase: PhraseMatch) -> Sign:
    """Read "the lowest" and "furthest to the left"."""
    return Sign("place", f"{phrase.sign('side').sense}-end")


def _read_adverb(phrase: PhraseMatch) -> Sign | None:
    """Read "right under it" and "right side up", but not "on the right under it" and "on its right side up there"."""
    is_side = phrase.sign_before().kind == "side" or phrase.sign_before().text in words_for("before_side")
    return None if is_side else Sign("feature", "turned bottom") if phrase.signs[1:] else Sign("filler")


def _read_direction(phrase: PhraseMatch) -> Sign:
    """Read the slope of stairs in "climbing to the right" and "from the top left to the bottom right"."""
    start_sides, sides = (
        [sign.sense for sign in phrase.group(part_name) if sign.kind == "side"] for part_name in ("start", "end")
    )
    heights = [side for side in [phrase.sign("motion").sense, *sides] if side in ("top", "bottom")]
    end_side = sides[-1] if sides else ""
    if not heights or end_side not in ("left", "right") or (len(start_sides) == 1 and not phrase.group("motion")):
        return Sign("filler")
    is_rising = (heights[-1] == "top") == (end_side == "right")
    return Sign("feature", "slope rising" if is_rising else "slope falling")


def _read_synonyms(phrase: PhraseMatch) -> list[Sign] | None:
    """Read "an S or Z"."""
    return phrase.group("first") if phrase.sign("first").sense == phrase.sign("second").sense else None


def _read_ellipsis(phrase: PhraseMatch) -> list[Sign] | None:
    """Read "the red T points left, the blue one right": it may be a place, or how it lies as the one before."""
    clause = list(takewhile(lambda sign: sign.kind != "stop", reversed(phrase.output)))
    is_lie = any(sign.kind == "feature" and sign.sense.split()[-1] in OPPOSITE_SIDES for sign in clause)
    if not is_lie or any(sign.kind == "place" for sign in clause):
        return None
    sides = " ".join(sign.sense for sign in phrase.group("sides"))
    return [*phrase.group("head"), Sign("place", sides), Sign("doubt")]


def _read_own_part(phrase: PhraseMatch) -> Sign | None:
    """Read "a red T, bar at the top" as how it lies; after another shape, or in "the bar at the top is red", not."""
    shape = next((sign.sense for sign in reversed(phrase.output) if sign.kind == "shape"), "")
    texts = {phrase.sign_before().kind, *(sign.text for sign in phrase.signs)}
    clause = takewhile(lambda sign: sign.kind not in ("comma", "stop"), phrase.context.signs[phrase.end :])
    is_subject = any(sign.kind == "colour" or sign.text in words_for("verb") for sign in clause)
    is_own = (
        _name_part(phrase.sign("part")) in PARTS.get(shape, {}) and bool(texts & words_for("owning")) and not is_subject
    )
    return _make_part(phrase.sign("part"), phrase.group("sides")) if is_own else None


def _read_colours(phrase: PhraseMatch) -> list[Sign] | None:
    """Read "no red or blue T" as "no red T, no blue T", and so "red and blue are missing"; "no red, a blue T" not."""
    colours = [sign for sign in phrase.group("colours") if sign.kind == "colour"]
    joints = {sign.text for sign in phrase.group("colours") if sign.kind != "colour"}
    is_end = phrase.group("denial") or (not phrase.group("head") and phrase.signs_after(1)[0].kind == "stop")
    if joints and "or" not in joints and not is_end:
        return None
    return [sign for colour in colours for sign in (Sign("number", "0"), colour, *phrase.group("head"))]


def _read_part_of(phrase: PhraseMatch) -> list[Sign]:
    """Read "the corner of the black V is at the top left" as "the black V with its corner at the top left"."""
    return [*phrase.group("colour"), *phrase.group("shape"), _make_part(phrase.sign("part"), phrase.group("sides"))]


def _make_part(sign: Sign, side_signs: Iterable[Sign] = ()) -> Sign:
    """Return a part of a piece with its direction, if it has one."""
    sides = [side.sense for side in side_signs if side.kind == "side" and side.sense != "middle"]
    return Sign("feature", " ".join([_name_part(sign), *sides]))


def _name_part(sign: Sign) -> str:
    return PARTS_BY_SHAPE.get(sign.sense, sign.sense)


PHRASE_RULES = make_rules(CHUNK_RULE_ROWS, globals())
