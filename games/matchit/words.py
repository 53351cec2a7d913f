"""English in, plain tokens out: what the scripted partner does with a text before it tries to understand it.

Only the first READ characters are read. Number words become `#3`, ordinals `o3`, negations `not`; spellings of one
thing become one word, single typing slips are mended against the words the partner knows, fillers are dropped.
"""

from __future__ import annotations

import re
from functools import lru_cache

READ = 2000
"""Characters of one text that are read; the rest is ignored, and the partner says so."""

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty twentyone twentytwo twentythree twentyfour twentyfive"
)
_NUMBERS = {word: i for i, word in enumerate(_SMALL.split())} | {"single": 1, "once": 1, "twice": 2}
_ORDINALS = {
    w: i
    for i, w in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), start=1
    )
}

_SAME: dict[str, str] = {
    "middle": "center centre central mid middel midle centered centred",
    "top": "upper topmost uppermost highest",
    "bottom": "lower bottommost lowest lowermost botom buttom",
    "left": "leftmost lefthand leftside",
    "right": "rightmost righthand rightside",
    "column": "col colum collumn coloumn colunm",
    "row": "raw",
    "cell": "square box tile spot field position space slot pixel block",
    "x": "xs exes xes mark crosses ex",
    "filled": "black marked coloured colored occupied dark shaded checked taken fill",
    "empty": "blank white unfilled free clear vacant unmarked emtpy emty unshaded light",
    "full": "complete completely entirely fully whole entire totally",
    "border": "edge perimeter frame rim boundary outline",
    "outer": "outside outermost",
    "inner": "inside interior",
    "diagonal": "diagonally diag diagonals",
    "total": "altogether overall",
    "all": "every each",
    "only": "solely",
    "any": "anything something anywhere somewhere",
    "except": "excluding excepting exept",
    "other": "others rest remaining else everything",
    "not": "no isnt arent dont doesnt hasnt havent without neither nor never cannot cant none nothing wasnt "
    "nope nah nobody",
    "is": "are be being was were",
    "has": "have having contain contains containing got include includes had",
    "yes": "yeah yep yup yea ja correct affirmative indeed sure true yess",
    "which": "wich whch",
    "and": "&",
    "but": "while whereas however although though",
    "piece": "tile pieces shape figure pentomino object thing item form block",
    "red": "crimson scarlet",
    "blue": "navy azure",
    "purple": "violet lilac",
    "pink": "rose rosa magenta",
    "yellow": "gold golden",
    "grey": "gray",
    "upright": "vertical vertically standing stands stand tall",
    "lying": "horizontal horizontally lies lie flat sideways laying lays level",
    "mirrored": "flipped reflected mirror mirroring flip",
    "turned": "rotated rotation turn rotate orientation oriented orientated",
    "pointing": "points point facing faces pointed directed",
    "up": "upward upwards",
    "down": "downward downwards",
    "above": "over atop",
    "below": "under beneath underneath",
    "group": "cluster island component section chunk blob",
    "symmetric": "symmetrical symmetry symmetries",
}
_DROP = frozenset(
    "the a an my your our its it his her their mine yours very really quite just exactly own hand far "
    "also too well please ok okay actually again this that these those here so then do does did you i me we can could "
    "would tell say describe as be kind sort maybe think see got they them s hi hello".split()
)
_KNOWN = frozenset(_ORDINALS) | frozenset(word for word in _NUMBERS if len(word) > 3)
_KNOWN |= frozenset(
    "row column cell filled empty full border inner outer diagonal corner middle top bottom left right only other "
    "not is has yes which and but how many where what letter symmetric connected above below next between "
    "mirrored turned upright lying pointing up down open first second third fourth fifth last number look like "
    "grid board piece red yellow green blue purple pink black grey total all both half line shape pattern "
    "stem steps arm hook foot tail bump orange brown white same different opposite colour color picture read end "
    "cross plus any some group separate touch stairs staircase bar stick order".split()
)

_COMMON = frozenset(
    "from there their where were here form into over some same more most many make like line than that then "
    "this what when will with your side size both part about shape small large great still those these them "
    "they just back best long think thing tree see seem seen hole home sole sign star start store least less "
    "list late last true sure well while white write round around along right light night might sight would "
    "could should place plane plan pack picture points count course cover color leave level live love move "
    "model whole point print pixel pieces piece between before behind below bottom button black block blank "
    "front road read real ready reach rest few file fill fine find fact fold food foot form four hour your "
    "our own owl ring king line lines link pink wink rice nice mice".split()
)
"""Words that are one slip away from a word the partner knows, and meant as they stand."""

_ALIAS = {old: new for new, olds in _SAME.items() for old in olds.split()}
_TOKEN = re.compile(r"\d+|[^\W\d_]+|[.,;:!?()/&\-\n]|<[01]+>")
_MARKS_FULL, _MARKS_EMPTY = "Xx#■█⬛✗✕✖×*@▣●▇", "▢□☐◻⬜.oO_-○◯·"
_RUN = re.compile(
    rf"(?<![\w{re.escape('#.-')}])(?:[{re.escape(_MARKS_FULL + _MARKS_EMPTY)}01][ \t,|]{{0,2}}){{5}}(?!\w)"
)


def marks(text: str) -> str:
    """Replace every row of five cell marks (`X ▢ ▢ X X`, `#..##`, `1 0 0 1 1`) by a token such as `<10011>`."""

    def token(found: re.Match[str]) -> str:
        cells = [mark for mark in found.group() if mark not in " \t,|"]
        digits = all(mark in "01" for mark in cells)
        if any(mark in "01" for mark in cells) and not digits and "1" in cells:
            return found.group()
        if (set(cells) <= set(".-_") and " " not in found.group().strip()) or (digits and "," in found.group()):
            return found.group()
        return f" <{''.join('1' if mark in _MARKS_FULL + '1' else '0' for mark in cells)}> "

    return _RUN.sub(token, text)


def tokens(text: str, boards: bool = False) -> list[str]:
    """Split a text into the tokens described above. `boards` keeps the words that mean colours and pieces there."""
    text = text[:READ].replace("’", "'").replace("`", "'")
    if not boards:
        text = marks(text)
    text = re.sub(r"(?<=[A-Za-z])'(?=[A-Za-z])", "", text).casefold()
    text = re.sub(r"\b(\d+)(st|nd|rd|th)\b", r" ord\1 ", text)
    text = re.sub(r"\br(\d)c(\d)\b", r" row \1 , column \2 ", text)
    text = re.sub(r"\bord(\d+)\b", lambda m: f" ordinal{'i' * min(12, int(m[1][:3]))} ", text)
    found = []
    for word in _TOKEN.findall(text):
        token = _token(word, boards)
        if token:
            found.append(token)
    return found


@lru_cache(maxsize=4096)
def _token(word: str, boards: bool) -> str:
    if word.isdecimal():
        return f"#{min(int(word[:4]), 9999)}"
    if word.startswith("ordinali"):
        return f"o{len(word) - len('ordinal')}"
    if word == "\n":
        return "."
    if not word.isalpha():
        return word
    if word in _NUMBERS:
        return f"#{_NUMBERS[word]}"
    if word in _ORDINALS:
        return f"o{_ORDINALS[word]}"
    if word in _DROP:
        return ""
    return _mended(word, boards)


_BOARD_WORDS = frozenset(
    "centre center central black white square box block cross crosses plus stick bar line corner tile shape "
    "figure solid single outline".split()
)


def _mended(word: str, boards: bool) -> str:
    """One word for one thing: as it stands, its singular, or the known word one slip away."""
    for candidate in (word, word.removesuffix("s"), word.removesuffix("es")):
        if boards and candidate in _BOARD_WORDS:
            return candidate
        if candidate in _KNOWN or candidate in _SAME:
            return candidate
        if candidate in _ALIAS:
            return _ALIAS[candidate]
    if len(word) >= 4 and word not in _COMMON:
        for known in sorted(_KNOWN | set(_ALIAS)):
            if len(known) >= 4 and known[0] == word[0] and one_slip(word, known):
                return _token(known, boards)
    return word


def one_slip(a: str, b: str) -> bool:
    """Whether one letter added, dropped, changed, or two neighbours swapped make b out of a."""
    if abs(len(a) - len(b)) > 1 or a == b:
        return False
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    x, y = a[start:], b[start:]
    return x[1:] == y[1:] or x[1:] == y or x == y[1:] or (len(x) > 1 and x[:2] == y[1::-1] and x[2:] == y[2:])


def number(token: str) -> int | None:
    """The number a token stands for, None for any other token."""
    return int(token[1:]) if token.startswith("#") and token[1:].isdecimal() else None


def ordinal(token: str) -> int | None:
    """The ordinal a token stands for, None for any other token."""
    return int(token[1:]) if token.startswith("o") and token[1:].isdecimal() else None


def sentences(found: list[str]) -> list[list[str]]:
    """Split tokens at full stops, question marks and the like."""
    parts: list[list[str]] = [[]]
    for token in found:
        if token in (".", "!", "?", ";"):
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


COUNT_WORDS = "no one two three four five six seven eight nine ten".split()


def count_word(n: int) -> str:
    """A small number as a word."""
    return COUNT_WORDS[n] if n < len(COUNT_WORDS) else str(n)


def counted(n: int, noun: str) -> str:
    """`three filled cells`, `one filled cell`, `no filled cells`."""
    return f"{count_word(n)} {noun}" if n == 1 else f"{count_word(n)} {noun}s"


def listed(parts: list[str], joint: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {joint} {parts[-1]}" if parts else ""
