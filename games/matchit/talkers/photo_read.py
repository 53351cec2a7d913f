"""English about photo-like pictures in, claims and questions out.

`read` finds the things a sentence mentions, with colours, numbers, places and what they stand next to; `heard` makes
claims of a text, with the question it answers, if it answers one; `queries` says what a text asks. What is not
understood is no claim.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from games.matchit.talkers import photo_words as vocabulary
from games.matchit.talkers.photo_scene import NOWHERE, Place, ThingMention
from games.matchit.talkers.photo_words import BACKGROUND, MANY, Lexicon, Word

WHOLE = frozenset("picture image photo photograph scene view shot frame room screen render".split())
"""What the whole picture is called."""
THINGS = frozenset(
    "object objects thing things item items shape shapes solid solids one ones something anything".split()
)
_DETERMINERS = frozenset(
    "a an the my your this that these those another other others some any no each every both several many few all "
    "only just exactly about roughly around more also its their his her our few lot lots".split()
)
_FILLERS = frozenset("very quite rather really fairly light dark bright and , coloured colored nice old new".split())
_AMBIGUOUS = frozenset("glass glasses orange iron brick stone".split())
_BE = frozenset("is are was were be being looks look has have stands sits lies hangs stand sit lie hang".split())
_OPENERS = frozenset("is are there , i you we stands sits lies hangs stand sit lie hang was were has : one".split())

_RELATIONS: tuple[tuple[str, str], ...] = (
    ("to the left side of", "left"),
    ("to the right side of", "right"),
    ("on the left side of", "left"),
    ("on the right side of", "right"),
    ("on the left hand side of", "left"),
    ("on the right hand side of", "right"),
    ("to the left of", "left"),
    ("to the right of", "right"),
    ("on the left of", "left"),
    ("on the right of", "right"),
    ("at the left of", "left"),
    ("at the right of", "right"),
    ("to left of", "left"),
    ("to right of", "right"),
    ("left from", "left"),
    ("right from", "right"),
    ("left of", "left"),
    ("right of", "right"),
    ("in front of", "before"),
    ("on top of", "on"),
    ("in back of", "behind"),
    ("next to", "near"),
    ("close to", "near"),
    ("near to", "near"),
    ("behind", "behind"),
    ("beside", "near"),
    ("near", "near"),
    ("by", "near"),
    ("against", "near"),
    ("alongside", "near"),
    ("above", "above"),
    ("over", "above"),
    ("under", "under"),
    ("underneath", "under"),
    ("below", "under"),
    ("beneath", "under"),
    ("upon", "on"),
    ("onto", "on"),
    ("on", "on"),
    ("inside", "in"),
    ("in", "in"),
    ("within", "in"),
    ("at", "near"),
    ("between", "between"),
    ("among", "between"),
    ("with", "with"),
)
_LINKS = sorted(((tuple(words.split()), name) for words, name in _RELATIONS), key=lambda pair: -len(pair[0]))
_COLUMNS = {"left": 0, "right": 2, "middle": 1, "center": 1, "centre": 1, "central": 1, "lefthand": 0, "righthand": 2}
_COLUMNS |= {"leftmost": 0, "rightmost": 2, "centered": 1, "centred": 1}
_ROWS = {"top": 0, "upper": 0, "bottom": 2, "lower": 2, "background": 0, "foreground": 2, "back": 0, "rear": 0}
_ROWS |= {"front": 2, "distance": 0}
_UPPER = {"upper": "upper", "top": "upper", "lower": "lower", "bottom": "lower"}
_PARTS = frozenset("side part half corner hand edge area end section third of - most far".split())
_MAYBE = frozenset("maybe perhaps probably think guess seems seem might possibly could appears likely unsure".split())
_NOT = frozenset("not without nor neither never nothing none nobody".split())


@dataclass
class Said:
    """What one sentence says."""

    mentions: list[ThingMention] = field(default_factory=list)
    others: list[ThingMention] = field(default_factory=list)
    """Things named only to say where others are."""
    rooms: list[tuple[str, bool]] = field(default_factory=list)
    """Kinds of rooms, and whether it is said to be one."""
    place: Place = NOWHERE
    relation: str = ""
    number: int | None = None
    colours: tuple[tuple[str, str], ...] = ()
    attributes: frozenset[str] = frozenset()
    ordered: bool = False
    raw: tuple[str, ...] = ()


def split(found: Sequence[Word]) -> list[tuple[list[Word], str]]:
    """Split words into sentences, each with the sign it ends in."""
    parts: list[tuple[list[Word], str]] = []
    now: list[Word] = []
    for word in found:
        if word.raw in (".", "!", "?", ";", "\n"):
            if now:
                parts.append((now, word.raw))
            now = []
        else:
            now.append(word)
    return [*parts, (now, ".")] if now else parts


class Reader:
    """Reads one sentence from left to right; `subject` is what `it` and a lone `red` speak of."""

    def __init__(self, found: Sequence[Word], known: Lexicon, subject: ThingMention | None = None) -> None:
        self.words = list(found)
        self.known = known
        self.subject = subject
        self.said = Said(raw=tuple(word.raw for word in found))
        self.at = 0
        self.fresh = True
        """Whether a clause has just begun."""
        self.leading = NOWHERE
        self.link: tuple[str, ThingMention] | None = None
        """The relation that leads the clause: `on the sofa there is …`."""
        self.denied = False
        self.none = False
        self.placed = False
        self.last: ThingMention | None = None
        """The mention that what follows is said of, if it stands in this sentence."""
        self.hedged = bool(_MAYBE & set(self.said.raw)) or ("looks", "like") in pairwise(self.said.raw)

    def word(self, ahead: int = 0) -> Word:
        """The word so many places ahead."""
        i = self.at + ahead
        return self.words[i] if 0 <= i < len(self.words) else Word("word", "", "")

    def read(self) -> Said:
        """Read to the end."""
        raw = " ".join(self.said.raw)
        self.said.ordered = "left to right" in raw
        while self.at < len(self.words):
            start = self.at
            if not self._step() or self.at == start:
                self.at = max(self.at, start + 1)
        if self.hedged:
            self.said.mentions = [replace(one, hedged=True) for one in self.said.mentions]
        return self.said

    # ------------------------------------------------------------------ steps
    def _step(self) -> bool:
        word = self.word()
        skip = 1 if word.raw == "from" else 0
        if [self.word(skip + i).raw for i in range(3)] in (["left", "to", "right"], ["right", "to", "left"]):
            self.at += skip + 3
            return True
        if word.raw in (",", ":", "(", ")", "and", "but", "while", "whereas", "plus", "or"):
            if word.raw == "or" and self._alternative():
                return True
            self.fresh = True
            self.placed = False
            if word.raw in (",", "but", ":", "while", "whereas"):
                self.none = self.none and word.raw == ","
                self.denied = False
            self.at += 1
            return True
        if word.raw in ("it", "they", "its", "this", "that") and self.fresh and self.word(1).raw in ("is", "are"):
            self.at += 2
            self.last = None
            self.denied = self.word().raw == "not"
            return True
        if word.raw in _NOT:
            after = self.last is not None and self.word(-1).raw in ("is", "are", "do", "does") and not self.fresh
            self.denied, self.none = (True, self.none) if after else (self.denied, True)
            self.at += 1
            return True
        return self._relate() or self._place() or self._room() or self._thing() or self._quality() or self._small()

    def _small(self) -> bool:
        word = self.word()
        if word.kind == "number" and self.said.number is None:
            self.said.number = int(word.value)
        if word.raw in _BE or word.raw in ("there", "i", "you", "we", "see", "with"):
            self.at += 1
            return True
        self.at += 1
        return True

    def _alternative(self) -> bool:
        """`a chair or a stool`: one mention with two names; `red or blue`: with two colours."""
        start, last = self.at, self.last
        self.at += 1
        found = self._noun()
        if found and last and last is self._newest() and found.names and last.names and not self.none:
            self._revise(replace(last, names=(*last.names, *found.names), low=min(last.low, found.low)))
            return True
        self.at = start
        return False

    def _newest(self) -> ThingMention | None:
        return self.said.mentions[-1] if self.said.mentions else None

    def _revise(self, made: ThingMention) -> None:
        self.said.mentions[-1] = self.last = made

    # ------------------------------------------------------------------ things
    def _thing(self) -> bool:
        start = self.at
        found = self._noun()
        if found is None:
            self.at = start
            return False
        if self.none and found.high:
            found = replace(found, low=0, high=0)
        if self.leading and not found.place:
            found = replace(found, place=self.leading)
        if self.link and not found.relation:
            found = replace(found, relation=self.link[0], other=self.link[1])
        self._add(found)
        return True

    def _add(self, found: ThingMention) -> None:
        self.said.mentions.append(found)
        self.last, self.fresh, self.placed, self.denied = found, False, bool(found.place), False

    def _noun(self) -> ThingMention | None:
        """`three large red metal cubes`, `no lamp`, `the left window`, `one blue` (of what was just named)."""
        low, high, exact, determined, only = 1, MANY, False, False, False
        colours: list[tuple[str, str]] = []
        attributes: set[str] = set()
        which = ""
        none = single = False
        while True:
            word, following = self.word(), self.word(1)
            if word.kind == "number" and not exact:
                low = high = int(word.value)
                exact = True
                if following.raw == "of" and self.word(2).raw in ("the", "my", "them", "these"):
                    self.at += 1
                self.at += 1
                if self.word().raw == "of":
                    self.at += 1
            elif word.raw in _DETERMINERS:
                determined = True
                none = none or word.raw == "no"
                single = single or word.raw in ("a", "an")
                only = only or word.raw in ("only", "just", "exactly")
                if word.raw in ("several", "many", "lot", "lots"):
                    low = max(low, 2)
                self.at += 1
                if word.raw in ("lot", "lots") and self.word().raw == "of":
                    self.at += 1
            elif word.kind == "colour" and not (word.raw in _AMBIGUOUS and determined and self._ends_here(1)):
                colours.append(self._colour(word.value))
                self.at += 1
            elif word.kind == "attribute" and not (word.raw in _AMBIGUOUS and self._ends_here(1)):
                attributes.add(word.value)
                self.at += 1
            elif word.kind == "room" and (following.kind == "name" or following.raw in WHOLE):
                if following.raw in WHOLE:
                    return None
                self.at += 1  # `a kitchen table`
            elif word.raw in _FILLERS and (word.raw not in ("and", ",") or self._modifies(1, bool(colours))):
                self.at += 1
            elif word.raw in _COLUMNS and following.kind in ("name", "colour", "attribute") and determined:
                which = {0: "left", 2: "right"}.get(_COLUMNS[word.raw], "")
                self.at += 1
            elif word.raw in _UPPER and following.kind in ("name", "colour", "attribute") and determined:
                which = _UPPER[word.raw]
                self.at += 1
            elif word.raw in ("set", "group", "row", "stack", "pile", "bunch", "lots", "number") and (
                following.raw == "of"
            ):
                low = max(low, 2)
                self.at += 2
            else:
                break
        named = self._named(low, high, exact or only, none, only, tuple(colours), frozenset(attributes))
        return replace(named, which=which, single=single and named.low == 1) if named else None

    def _named(
        self,
        low: int,
        high: int,
        exact: bool,
        none: bool,
        only: bool,
        colours: tuple[tuple[str, str], ...],
        attributes: frozenset[str],
    ) -> ThingMention | None:
        word = self.word()
        described = bool(colours or attributes)
        names: tuple[str, ...] = ()
        if word.kind == "name" or (word.raw in _AMBIGUOUS and word.kind != "word"):
            if self._is_whole(word):
                self.at += 1
                if self.word().raw == "of":
                    self.at += 1
                return None
            names = (self._name_of(word),)
            self.at += 1
            while self.word().kind == "name" and not self.word(-1).plural:  # `tea table`: the last word names it
                names = (self.word().value,)
                word = self.word()
                self.at += 1
            if word.plural and not exact and not none:
                low = max(low, 2)
        elif word.raw in THINGS:
            if word.raw in ("one", "ones"):
                names = self._of_what()
            if not (described or exact or none or names):
                return None
            self.at += 1
        elif (exact or self.word(-1).raw in ("other", "another")) and self._of_what():
            if not (described or self.word().raw in _BE | {"of", "on", "in"}):
                return None
            names = self._of_what()
            if low == 1:
                low, high, exact = 1, MANY, False
        else:
            return None
        if none:
            low, high = 0, 0
        elif only and high == MANY:
            high = max(low, 1)
        return ThingMention(names, colours, attributes, low, high, exact=exact)

    def _is_whole(self, word: Word) -> bool:
        """Whether `picture` means the one that is talked about."""
        if word.raw not in WHOLE:
            return False
        before = self.word(-1).raw
        if self.word(1).raw == "of" and not self.said.mentions:
            return True
        shows = self.word(1).raw in ("shows", "show", "contains", "has", "depicts", "is", "")
        return before in ("the", "my", "your", "this", "whole", "entire", "our") and (shows or self.word(-2).raw in (
            "in", "of", "on", "to"))  # fmt: skip

    def _name_of(self, word: Word) -> str:
        if word.kind == "name":
            return word.value
        return "orange fruit" if word.raw.startswith("orange") else word.value

    def _of_what(self) -> tuple[str, ...]:
        """The names of what was last mentioned."""
        newest = self._newest()
        if newest and newest.names:
            return newest.names
        return self.subject.names if self.subject else ()

    def _ends_here(self, ahead: int) -> bool:
        """Whether no name follows that an ambiguous word such as `glass` could describe."""
        following = self.word(ahead)
        return following.kind not in ("name", "colour", "attribute") and following.raw not in THINGS

    def _modifies(self, ahead: int, described: bool) -> bool:
        """Whether `and` joins two colours of one thing: `red and blue cushions`, not `red and a blue one`."""
        word, following = self.word(ahead), self.word(ahead + 1)
        return described and word.kind in ("colour", "attribute") and following.kind in ("name", "attribute", "colour")

    def _colour(self, value: str) -> tuple[str, str]:
        return vocabulary.colour(value) or ("", value)

    # ------------------------------------------------------------------ qualities said afterwards
    def _quality(self) -> bool:
        """`(the sofa is) red`, `(a table) made of glass`: said of the last mention, or of `it`."""
        word = self.word()
        if word.kind not in ("colour", "attribute"):
            return False
        hues = (self._colour(word.value),) if word.kind == "colour" else ()
        quality = frozenset({word.value}) if word.kind == "attribute" else frozenset()
        self.at += 1
        self.said.colours += hues
        self.said.attributes |= quality
        target = self._target()
        if target is None:
            return True
        if self.denied:
            self.said.mentions.append(
                replace(target, colours=hues, attributes=quality, low=0, high=0, exact=False, relation="", other=None)
            )
            return True
        self._revise(replace(target, colours=(*target.colours, *hues), attributes=target.attributes | quality))
        return True

    def _target(self) -> ThingMention | None:
        """The mention that a quality or place is said of; `it` becomes one."""
        if self.last is not None and self.last is self._newest():
            return self.last
        if self.last is None and self.subject and self.subject.names:
            made = replace(self.subject, low=1, high=MANY, exact=False, relation="", other=None, place=NOWHERE)
            self.said.mentions.append(made)
            self.last = made
            return made
        return None

    # ------------------------------------------------------------------ places
    def _place(self) -> bool:
        found = self._place_here()
        if not found:
            return False
        self.said.place = self.said.place or found
        listing = bool(self.said.mentions) and self.word().raw in (",", "and", "")
        if (self.fresh and not listing and self._names_follow()) or (
            not self.said.mentions and not self._speaks_of_subject()
        ):
            self.leading, self.link, self.last = found, None, None
            self.fresh = False
            return True
        target = self._target()
        if target is not None and not self.placed:
            if self.denied:
                self.said.mentions.append(replace(target, place=found, low=0, high=0, relation="", other=None))
            else:
                both = Place(target.place.columns | found.columns, target.place.rows | found.rows)
                self._revise(replace(target, place=both))
            self.placed = True
        return True

    def _speaks_of_subject(self) -> bool:
        """Whether nothing but the place is said: `on the left`, which then is where `it` is."""
        return self.subject is not None and not any(word.kind == "name" for word in self.words[self.at :])

    def _place_here(self) -> Place:
        """`on the left`, `in the top right corner`, `at the back`: the thirds; nothing if none here."""
        step = 0
        prepositions = ("on", "in", "at", "to", "towards", "toward", "near", "from", "of", "by", "around")
        start = self.word().raw in prepositions
        if start:
            step = 1
        while self.word(step).raw in ("the", "my", "your", "very", "far", "its", "more", "slightly", "a", "bit"):
            step += 1
        columns: set[int] = set()
        rows: set[int] = set()
        found = 0
        while True:
            raw = self.word(step).raw
            if raw in _COLUMNS and not columns and not self._is_adverb(step):
                columns.add(_COLUMNS[raw])
            elif raw in _ROWS and not rows and not (raw == "top" and self.word(step + 1).raw == "of"):
                rows.add(_ROWS[raw])
            elif (raw in _PARTS and (found or raw in ("corner", "far")) and not self._goes_to_thing(step)) or (
                raw in ("in", "at", "on", "the", "to") and found and self.word(step + 1).raw in _COLUMNS | _ROWS
            ):
                pass
            else:
                break
            step += 1
            found += bool(columns or rows)
        if not columns and not rows:
            return NOWHERE
        if self.word(step).kind == "name" and self.word(step).value in BACKGROUND:
            step += 1  # `on the left wall`
        elif self.word(step).kind in ("name", "colour", "attribute") and (
            not start or self.word(step - 1).raw in _COLUMNS | _UPPER
        ):
            return NOWHERE  # `the left lamp`, `on the left table`: part of the name
        if self.word(step).raw == "of":
            whole = next((i for i in range(1, 4) if self.word(step + i).raw in WHOLE), 0)
            if not whole and self.word(step + 1).raw:
                return NOWHERE  # `in the middle of the table`
            step += whole + 1 if whole else 1
        self.at += step
        return Place(frozenset(columns), frozenset(rows))

    def _is_adverb(self, step: int) -> bool:
        """Whether `right` only strengthens what follows: `right next to`."""
        follows = self.word(step + 1).raw
        return self.word(step).raw == "right" and follows in (
            "next", "behind", "above", "below", "under", "beside", "by", "near", "on", "at",
        ) and self.word(step - 1).raw not in ("the", "top", "bottom", "back", "front")  # fmt: skip

    def _goes_to_thing(self, step: int) -> bool:
        """Whether `of` leads to a thing: `left of the sofa`."""
        return self.word(step).raw == "of"

    def _names_follow(self) -> bool:
        """Whether a thing is named right after a leading place: `on the left there is a sofa`."""
        for i in range(7):
            word = self.word(i)
            if word.kind in ("name", "number", "colour", "attribute") or word.raw in THINGS:
                return True
            if word.raw not in _OPENERS | _DETERMINERS | {"see", "can", "of", "side", "it", "no", "not", "nothing"}:
                return False
            if word.raw == "," and self.word(i + 1).raw in ("and", "on", "in", "at"):
                return False
        return False

    # ------------------------------------------------------------------ relations
    def _relation_here(self) -> tuple[str, int]:
        step = 0
        while self.word(step).raw in ("directly", "right", "just", "immediately", "slightly", "partly") and step < 2:
            if self.word(step).raw == "right" and self.word(step + 1).raw in ("of", "from"):
                break
            step += 1
        raws = tuple(self.word(step + i).raw for i in range(6))
        for link, name in _LINKS:
            if raws[: len(link)] == link:
                return name, step + len(link)
        return "", 0

    def _relate(self) -> bool:
        """`(a cat) on the sofa`, `on the sofa there is (a cat)`."""
        start, fresh = self.at, self.fresh
        name, length = self._relation_here()
        if not name:
            return False
        if name in ("on", "in", "near") and length == 1 and self._place_here():
            self.at = start
            return False
        self.at = start + length
        if name in ("left", "right") and any(self.word(i).raw in WHOLE for i in range(2)):
            self.at = start
            return self._whole_side(name, length)
        newest, none = self.last, self.none
        if name == "with":
            self.fresh = False
            return True
        other = self._noun()
        if other is None:
            if self.word().kind == "room":
                self._room()
                return True
            if name != "between" and self.word().raw in ("it", "them") and self.subject:
                other = replace(self.subject, low=1, high=MANY, exact=False)
                self.at += 1
            else:
                self.at = start
                if self.said.relation == "":
                    self.said.relation = name
                return False
        if name == "between" and self.word().raw in ("and", ","):
            self.at += 1
            second = self._noun()
            if second:
                self.said.others.append(second)
        self.said.relation = name
        self.last = newest
        self.said.others.append(other)
        if name == "between" or any(one in BACKGROUND for one in other.names):
            return True
        plain = replace(other, low=1, high=MANY)
        if fresh and self.word().raw in _OPENERS and (newest is None or self._names_follow()):
            self.link, self.leading, self.last = (name, plain), NOWHERE, None
            self.fresh = False
            return True
        target = self._target()
        if target is None:
            self.link, self.leading = (name, plain), NOWHERE
        elif self.denied:
            self.said.mentions.append(replace(target, relation=name, other=plain, low=0, high=0, exact=False))
        elif not target.relation or self.link:
            self._revise(replace(target, relation=name, other=plain))
            self.none = none
        return True

    def _whole_side(self, name: str, length: int) -> bool:
        """`left of the picture` is a place."""
        self.at += length
        while self.word().raw in ("the", "my", "your") or self.word().raw in WHOLE:
            self.at += 1
        place = Place(columns=frozenset({0 if name == "left" else 2}))
        self.said.place = place
        target = self._target()
        if target is not None and not (self.fresh and self._names_follow()):
            self._revise(replace(target, place=place))
        else:
            self.leading, self.link, self.last = place, None, None
        return True

    def _room(self) -> bool:
        word, following = self.word(), self.word(1)
        if word.kind != "room" or following.kind == "name":
            return False
        if following.kind in ("colour", "attribute") and self.word(2).kind == "name":
            return False
        self.said.rooms.append((word.value, not (self.none or self.denied)))
        self.at += 1
        self.none = self.denied = False
        return True


# ---------------------------------------------------------------------- claims
@dataclass(frozen=True)
class PhotoQuery:
    """What a question asks: its kind, the things and the place it names."""

    kind: str
    mentions: tuple[ThingMention, ...] = ()
    place: Place = NOWHERE
    relation: str = ""
    word: str = ""
    rooms: tuple[str, ...] = ()
    said: Said = field(default_factory=Said)


@dataclass(frozen=True)
class Claims:
    """Everything a text claims: things, kinds of rooms, things in order from the left, and lists said to be whole."""

    mentions: tuple[ThingMention, ...] = ()
    rooms: tuple[tuple[str, bool, bool], ...] = ()
    """Kind of room, whether it is one, whether that was said with a maybe."""
    order: tuple[tuple[ThingMention, ...], ...] = ()
    whole: tuple[tuple[PhotoQuery, tuple[ThingMention, ...]], ...] = ()
    together: tuple[tuple[ThingMention, ...], ...] = ()
    """Things of one name that were told apart: `one red, one blue`."""

    def __add__(self, other: Claims) -> Claims:
        return Claims(
            self.mentions + other.mentions,
            self.rooms + other.rooms,
            self.order + other.order,
            self.whole + other.whole,
            self.together + other.together,
        )


_YES = frozenset("yes yeah yep yup yea correct indeed sure true right exactly".split())
_NO = frozenset("no nope nah negative".split())
_AFTER_YES = frozenset(", it there i the they a my but only none not two three four five".split())
_UNSURE = frozenset("know idea sure clue tell certain understand".split())


def heard(text: str, known: Lexicon, query: PhotoQuery | None = None) -> Claims:
    """Everything a text claims about the picture it speaks of. `query` is the question it answers."""
    mentions: list[ThingMention] = []
    rooms: list[tuple[str, bool, bool]] = []
    order: list[tuple[ThingMention, ...]] = []
    together: list[tuple[ThingMention, ...]] = []
    asked = query.mentions[0] if query and query.mentions else None
    subject = replace(asked, low=1, high=MANY, exact=False) if asked else None
    if query and query.kind in ("colour", "check", "where") and subject:
        subject = replace(subject, colours=() if query.kind == "colour" else subject.colours)
        if query.kind != "check":
            subject = replace(subject, place=NOWHERE if query.kind == "where" else subject.place)
    first = True
    answers: list[ThingMention] = []
    nothing = False
    for sentence, sign in split(vocabulary.words(text, known)):
        raw = [word.raw for word in sentence]
        if sign == "?" or raw[:1] in (["what"], ["where"], ["how"], ["which"]) or _excuse(raw):
            first = False
            continue
        said_yes = None
        if first and query and raw[0] in _YES | _NO and (len(raw) < 3 or raw[1] in _AFTER_YES):
            said_yes = raw[0] in _YES
            sentence = sentence[1:]
            if query.kind in ("check", "room"):
                found, place = _yes_or_no(query, said_yes)
                mentions += found
                rooms += place
        said = Reader(sentence, known, subject).read()
        if first and query and query.kind == "count" and asked and not any(m.names for m in said.mentions):
            number = 0 if raw[0] in ("none", "zero", "no", "nothing") else said.number
            number = next((one.low for one in said.mentions if one.exact), number)
            if number is not None:
                mentions.append(replace(asked, low=number, high=number, exact=True))
                said.mentions = []
        if first and query and query.kind == "count" and asked and said.mentions[:1]:
            said.mentions = _counted(asked, said.mentions)
        nothing = nothing or "nothing" in raw
        mentions += said.mentions + [replace(other, low=min(other.low, 1), high=MANY) for other in said.others]
        answers += said.mentions
        rooms += [(room, positive, _hedged(raw)) for room, positive in said.rooms]
        if said.ordered and len(said.mentions) > 1:
            order.append(tuple(said.mentions))
        named = [one for one in said.mentions if one.names]
        together += _told_apart(named)
        if named:
            subject = replace(named[-1], low=1, high=MANY, exact=False)
        first = False
    whole: list[tuple[PhotoQuery, tuple[ThingMention, ...]]] = []
    if query and query.kind == "list" and (query.mentions or query.place):
        given = tuple(one for one in answers if one.low and one.names)
        mentions = [_put(one, query, given) if one in given else one for one in mentions]
        more = {"more", "etc", "others", "stuff", "things"} & {word.raw for word in vocabulary.words(text, known)}
        if (given or nothing) and not more:
            whole.append((query, given))
    every = Counter(one.names for one in mentions)
    mentions = [replace(one, single=one.single and every[one.names] == 1) for one in mentions]
    return Claims(
        tuple(one for one in mentions if not one.empty), tuple(rooms), tuple(order), tuple(whole), tuple(together)
    )


def _counted(asked: ThingMention, told: list[ThingMention]) -> list[ThingMention]:
    """`There are two lamps, on the left` in answer to how many lamps there are: two in all."""
    first = told[0]
    if not first.exact or first.names != asked.names or first.colours:
        return told
    return [
        replace(asked, low=first.low, high=first.low, exact=True),
        replace(first, low=1, high=MANY, exact=False),
        *told[1:],
    ]


def _told_apart(named: Sequence[ThingMention]) -> list[tuple[ThingMention, ...]]:
    """The things of each name that a sentence tells apart by colour, one by one."""
    found = []
    for names in dict.fromkeys(one.names for one in named):
        each = [one for one in named if one.names == names and one.colours and one.low]
        some = [replace(one, low=1, high=MANY) for one in each for _ in range(one.low)]
        if len(each) > 1 and len(some) <= 5:
            found.append(tuple(some))
    return found


def _excuse(raw: list[str]) -> bool:
    """`I do not know`, `not sure what you mean`: no answer."""
    return bool({"not", "no"} & set(raw) and _UNSURE & set(raw)) or "cannot" in raw


def _hedged(raw: list[str]) -> bool:
    return bool(_MAYBE & set(raw)) or ("looks", "like") in pairwise(raw)


def _yes_or_no(query: PhotoQuery, yes: bool) -> tuple[list[ThingMention], list[tuple[str, bool, bool]]]:
    """What yes or no claims about a question whether there is, or is so, something."""
    if query.kind == "room":
        return [], [(room, yes, False) for room in query.rooms[:1]]
    if not query.mentions or not query.mentions[0].high:
        return [], []
    asked = query.mentions[0]
    if yes:
        return [replace(asked, single=False)], []
    if asked.low > 1 or asked.exact:
        return [], []
    return [replace(asked, low=0, high=0)], []


def _put(mention: ThingMention, query: PhotoQuery, given: Sequence[ThingMention]) -> ThingMention:
    """Complete an answer to `what is on the table` by the table, to `what is on the left` by the left.

    In such a list `a vase` is one vase, unless another is named.
    """
    alone = sum(one.names == mention.names for one in given) == 1 and query.relation in ("on", "in")
    if alone and mention.low == 1 and mention.high == MANY and not mention.hedged:
        mention = replace(mention, high=1)
    if query.mentions and query.relation and not mention.relation:
        return replace(mention, relation=query.relation, other=replace(query.mentions[0], low=1, high=MANY))
    return replace(mention, place=query.place) if query.place and not mention.place else mention


# ---------------------------------------------------------------------- questions
def queries(text: str, known: Lexicon) -> list[PhotoQuery]:
    """What a text asks, up to three questions of it; one of kind `unknown` where that cannot be told."""
    found: list[PhotoQuery] = []
    subject: ThingMention | None = None
    for sentence, sign in split(vocabulary.words(text, known)):
        for part in _parted(sentence):
            query = _asked(part, sign, known, subject)
            subject = query.mentions[0] if query.mentions else subject
            found.append(query)
    understood = [query for query in found if query.kind not in ("unknown", "told")]
    return (understood or [query for query in found if query.kind == "unknown"] or [PhotoQuery("unknown")])[:3]


def _parted(sentence: list[Word]) -> Iterator[list[Word]]:
    """Cut `… and how many …` into questions of their own."""
    part: list[Word] = []
    for i, word in enumerate(sentence):
        after = sentence[i + 1].raw if i + 1 < len(sentence) else ""
        joint = word.raw in ("and", ",", "or") and after in ("is", "are", "how", "which", "what", "where", "do", "does")
        if joint and part:
            yield part
            part = []
        else:
            part.append(word)
    if part:
        yield part


_ASKS = frozenset("is are do does can could has have any was were got".split())
_LIST = frozenset("what which anything something who whats list describe tell name happening".split())
_MOST = {
    "biggest": "big", "largest": "big", "smallest": "tiny", "tallest": "big",
    "leftmost": "left", "rightmost": "right", "closest": "front", "nearest": "front", "farthest": "back",
    "furthest": "back",
}  # fmt: skip


def _asked(part: list[Word], sign: str, known: Lexicon, subject: ThingMention | None) -> PhotoQuery:
    raw = [word.raw for word in part]
    said = Reader(part, known, subject).read()
    all_said = said.mentions + [one for one in said.others if one not in said.mentions]
    mentions = tuple(said.mentions)
    words = set(raw)
    joined = " ".join(raw)

    def query(kind: str, things: Sequence[ThingMention] = (), word: str = "") -> PhotoQuery:
        return PhotoQuery(kind, tuple(things), said.place, said.relation, word, tuple(r for r, _ in said.rooms), said)

    if {"same", "identical", "different", "mine", "match"} & words and not mentions:
        return query("mine")
    if "how many" in joined or "number of" in joined or "amount of" in joined:
        return query("count", mentions[:1] or _unknown(part))
    if {"colour", "color", "colours", "colors", "coloured", "colored"} & words:
        things = [one for one in all_said if one.names or one.attributes]
        return query("colour", things) if things else query("colours")
    if "material" in words or "materials" in words or ("made" in words and raw[0] not in _ASKS):
        return query("material", all_said[:2])
    most = next((_MOST[word] for word in raw if word in _MOST), "")
    if most and not said.rooms:
        return query("most", mentions[:1], most)
    if {"where", "position", "located"} & words and {"where", "what", "which", "position"} & words and all_said:
        return query("where", mentions[:2] or all_said[:1])
    if "which side" in joined and mentions:
        return query("where", mentions[:1])
    if _asks_room(joined, words) and not (said.rooms and raw[0] in _ASKS):
        return query("room")
    if said.rooms and (raw[0] in _ASKS or sign == "?") and not mentions:
        return query("is room")
    if "size" in words or "how big" in joined or "how large" in joined or "how tall" in joined:
        return query("size", all_said[:1])
    return _open_or_closed(part, raw, sign, said, query)


def _asks_room(joined: str, words: set[str]) -> bool:
    kinds = ("what room", "which room", "kind of room", "type of room", "sort of room", "kind of place", "what place",
             "what kind of scene", "type of place", "where was", "where is this", "where are we", "kind of setting",
             "what setting", "what location", "which place", "type of scene", "room is it", "room is this",
             "kind of picture", "kind of photo", "picture of", "photo of", "what scene")  # fmt: skip
    outside = {"indoors", "outdoors", "inside", "outside", "indoor", "outdoor"} & words
    return any(kind in joined for kind in kinds) or bool(outside)


def _open_or_closed(
    part: list[Word], raw: list[str], sign: str, said: Said, make: Callable[..., PhotoQuery]
) -> PhotoQuery:
    """Tell questions for a list or a description from those for yes or no."""
    words = set(raw)
    mentions = said.mentions
    if "or" in words and raw[0] in _ASKS and len(said.colours) + len(mentions[0].colours if mentions else ()) > 1:
        return make("colour", [replace(mentions[0], colours=())]) if mentions else make("unknown")
    if "or" in words and raw[0] in _ASKS and mentions and {"left", "right"} <= words:
        return make("where", [replace(mentions[0], place=NOWHERE)])
    opens = next((word for word in raw[:4] if word in _LIST), "")
    anything = "anything" in words or "something" in words or "nothing" in words
    if opens or anything:
        there = said.others[:1] if said.relation else []
        if said.relation and there:
            return make("list", there)
        if said.place:
            return make("list", [one for one in mentions if one.names][:0])
        named = [one for one in mentions if one.names]
        if named and opens in ("describe", "tell", "what", "which", "list", "name"):
            return make("describe", named[:2])
        return make("more")
    if mentions:
        return make("check" if sign == "?" or raw[0] in _ASKS or len(raw) < 6 else "told", mentions)
    if said.others:
        return make("list" if said.relation else "check", said.others[:1])
    if said.place and (len(raw) < 7 or raw[0] in ("and", "how")):
        return make("list")
    unknown = _unknown(part)
    if unknown and (raw[0] in _ASKS) and ("there" in words or "see" in words or "have" in words or "any" in words):
        return make("check", unknown)
    if {"else", "more", "special", "unusual", "describe", "detail", "details"} & words:
        return make("more")
    return make("unknown")


def _unknown(part: list[Word]) -> list[ThingMention]:
    """The thing asked for by a word that is not known: the noun after `a`, `any` or `many`."""
    for i, word in enumerate(part[:-1]):
        if word.raw in ("a", "an", "any", "many", "no"):
            after = [one for one in part[i + 1 : i + 4] if one.kind == "word" and one.raw.isalpha()]
            if after and after[0].raw not in vocabulary._STOP:
                return [ThingMention((after[0].raw,))]
    return []
