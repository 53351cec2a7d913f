"""Reads questions about what is written in a picture: "what does the sign say", "what number is on the door".

Writing is stated text by text; "…" stands for what nobody can read. Only writing that is known completely denies that
a thing says something.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from games.common.language.tokens import NUMBER_WORDS, QUOTES, make_token

UNREAD = "…"
MOST_TEXTS = 12
"""The most texts of a thing that an answer quotes."""
NOUNS = r"writing|text|words?|letters?|letterings?|numbers?|figures?|prices?|sums?|titles?|headings?|calculations?"
NUMBER_NOUNS = frozenset(("number", "figure", "price", "cost"))
_SAYS = r"(?:says?|reads?|spells?|displays?)"
_SIGNS = r"signs?|boards?|blackboards?|whiteboards?|posters?|labels?|flip ?charts?|(?:price )?tags?"
_PLACE = r"(?P<target>(?:on|at|in|above|over|by|next to|under|below|along)\b.*)"
_TEXT_PLACE = rf"(?: {_PLACE.replace('target', 'more')})?"
_ANY = r"(?:any|an|a|the|some|your)?"
_OPEN = (
    rf"(?:what|which) (?:do|does|did|is) (?P<target>.+?) {_SAYS}(?:,.*|(?P<more> .*))?",
    rf"(?:what|which) (?:is|are) (?:written|printed|spelt|spelled) ?{_PLACE}?",
    rf"(?:what|which) (?:is |are )?(?:the )?(?:(?P<edge>first|last|top|bottom) )?(?P<noun>{NOUNS})"
    rf"(?: (?:is|are|do you see))?(?: (?:written|shown|printed))? {_PLACE}",
    rf"(?:what|which) (?P<noun>{NOUNS}|time) (?:do|does) (?P<target>.+?) (?:show|say|have|display)(?:on (?:it|them))?",
    rf"what is (?P<target>on (?:the|your) (?:\w+ )*(?:{_SIGNS}))",
    r"how much (?:do|does|is|are) (?P<price>.+?)(?: cost)?",
    r"what (?:do|does) (?P<price>.+?) cost",
    r"what (?:is|are) the (?:price|cost) of (?P<price>.+)",
    rf"(?:the |house |door |room )*(?P<noun>{NOUNS}) {_PLACE}",
    rf"(?P<target>(?!do|is|are|what|which|how|where|can).+?) {_SAYS}",
)
_CLOSED = (
    rf"(?:is|are) there (?:an? )?(?P<text>\d+(?:[.,]\d+)?) {_PLACE}",
    rf"(?:do|does|did) (?P<target>it) say (?P<text>.+?){_TEXT_PLACE}",
    rf"(?:do|does|did) (?!you)(?P<target>.+?) (?:say|read|spell) (?P<text>.+?){_TEXT_PLACE}",
    rf"(?:is|are) (?P<text>(?!there|anything|something).+?) (?:written|printed) {_PLACE}",
    r"(?:is there|are there|do you (?:see|have)|have you got) (?P<target>.+?) (?:that |which )?"
    rf"(?:says?|reads?|saying|reading|with the words?) (?P<text>.+?){_TEXT_PLACE}",
    rf"(?:is|are) the (?:{NOUNS}) (?P<target>on .+?) (?:a |an )?(?P<text>\w+)",
)
_EXISTING = (
    rf"(?:(?:is|are) there|do you (?:see|have)|can you see) {_ANY} ?(?:{NOUNS}) {_PLACE}",
    rf"(?:is |are )?(?:there )?(?:anything|something) (?:written|printed) {_PLACE}",
    rf"(?:do|does) (?P<target>.+?) have {_ANY} ?(?:{NOUNS})(?: on (?:it|them))?",
)
_SHORT_IS = re.compile(r"\b(what(?='?s)|\w+(?='s (?:on|the|written)))'?s\b", re.IGNORECASE)
_LINE = re.compile(
    r"\b(?:at|on|along) the (?:very )?(top|bottom)\b(?! shelf| right| left)(?: of(?= the))?", re.IGNORECASE
)
_SIDE = re.compile(r"\b(?:(?:furthest|farthest|nearest|closest)(?: to)?|far) (?:the )?(left|right)\b", re.IGNORECASE)
_EDGES = {"top": 0, "first": 0, "bottom": -1, "last": -1}


@dataclass(frozen=True)
class WritingQuestion:
    """A question about writing. `target` is what it is on or near, in words; `text` is that of a closed question."""

    target: str = ""
    noun: str = ""
    """What is asked for: text, number, price, …; "any" for whether there is writing."""
    text: str = ""
    line: int | None = None
    """0 for the first of several texts, -1 for the last."""
    side: str = ""
    """The side of "the bookcase furthest to the left"."""


def read_writing_question(sentence: str) -> WritingQuestion | None:
    """Return a question about writing, None if a sentence asks something else."""
    words = _SHORT_IS.sub(r"\1 is", sentence.translate(QUOTES))
    words = " ".join(re.sub(r"[?\"]", " ", words).split()).strip(" .,!")
    for patterns in (_OPEN, _CLOSED, _EXISTING):
        for pattern in patterns:
            if match := re.fullmatch(pattern, words, re.IGNORECASE):
                question = _make_question(**match.groupdict(default=""))
                return replace(question, noun="any") if patterns is _EXISTING else question
    return None


def _make_question(
    target: str = "", noun: str = "", text: str = "", price: str = "", more: str = "", edge: str = ""
) -> WritingQuestion:
    """Return the question that the parts of a sentence make."""
    target = " ".join(part.strip() for part in (price, target, more) if part.lower() not in ("", "it", "there"))
    line, side = _LINE.search(target), _SIDE.search(target)
    target = _SIDE.sub("", _LINE.sub(" ", target)) if line or side else target
    edge = edge or (line[1] if line else "")
    noun = "price" if price else (noun or "text").lower().rstrip("s")
    return WritingQuestion(target, noun, text, _EDGES.get(edge.lower()), side[1].lower() if side else "")


def words_in(text: str) -> list[str]:
    """Return the words and numbers of a text as they compare: lower case, no accents, numbers in digits."""
    tokens = [make_token(part, part, 0) for part in re.findall(r"\w+(?:[.,:]\d+)?", text.translate(QUOTES))]
    return [str(token.number) if token.text in NUMBER_WORDS else token.text for token in tokens]


def says(writing: str, text: str) -> bool | None:
    """Return whether writing has the words of a text in this order, None if it is not known completely."""
    parts, words = words_in(text), words_in(writing.replace(UNREAD, " "))
    if parts and any(words[at : at + len(parts)] == parts for at in range(len(words))):
        return True
    return None if UNREAD in writing or not parts or set(parts) <= set(words) else False


def quote(writing: str, line: int | None = None) -> str:
    """Return writing in quotation marks, or its first or last text; "" if that text cannot be read."""
    texts = writing.split("\n")
    texts = [texts[line]] if line is not None else [text for text in texts if text != UNREAD][:MOST_TEXTS]
    return ", ".join(f"“{text}”" for text in texts if text != UNREAD)


def has_number(writing: str) -> bool:
    """Return whether writing has a digit."""
    return any(character.isdigit() for character in writing)
