"""Rows (or columns) of a grid told one by one: `Row 1: X X . . X. Row 2: only the first and the last. Row 3 is empty.`

A text is cut at its heads (`row 2`, `the second row`); what follows a head is taken only when all of it is understood,
everything else is handed back for `grid_talk` to read as ordinary sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from games.matchit.words import number, ordinal

SIZE = 5
_Head = tuple[int, int, tuple[int, ...], str]
Line = dict[int, int]
"""What is known of one line: place (from 0) -> 1 for filled, 0 for empty."""

_ENDS = (".", ";", "!", "?")
_JOINTS = (",", "and", "&", "/", "(", ")", "-")
_VERBS = (":", "-", "is", "has", "with", "in", "there", ",", "(", ")")
_FILLED, _THINGS = ("x", "filled"), ("x", "filled", "empty")
_LOOKS_BACK = ("same", "like", "identical", "equal", "to", "of", "than", "between", "from", "with")
_SMALL = ("cell", "column", "row", "in", "at", "on", "of", "number", "position", ",", "and", "&", "/", "(", ")", "is")


@dataclass
class LineReading:
    """What a text tells line by line: `lines` by index, all rows or all columns, and the words left over."""

    line: str = ""
    lines: dict[int, Line] = field(default_factory=dict)
    rest: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Chunk:
    start: int
    body: int
    end: int
    indices: tuple[int, ...]
    after: int


def told(words: list[str], line: str = "", asked: tuple[int, ...] = ()) -> LineReading:
    """Read what is told line by line. `line` and `asked` name the rows or columns that were asked for, if any were."""
    heads = list(_heads(words))
    if line and line not in words:
        return _told_of(words, line, asked)
    if not heads or (len(heads) < 2 and not line):
        return LineReading(rest=words)
    line = heads[0][3]
    chunks = list(_chunks(words, heads))
    bodies = [_trimmed(words[chunk.body : chunk.end]) for chunk in chunks]
    if not all(bodies):
        return LineReading(rest=words)
    bare = any(_bare_list(body) for body in bodies)
    whole = bool(asked) or len({i for chunk in chunks for i in chunk.indices}) >= 3
    made = LineReading(line)
    at = 0
    for chunk, body in zip(chunks, bodies, strict=True):
        one = _body(body, made.lines, whole, bare)
        if one is None:
            continue
        for i in chunk.indices:
            made.lines.setdefault(i, {}).update(one)
        made.rest += [*words[at : chunk.start], "."]
        at = chunk.after
    made.rest += words[at:]
    return made


def _told_of(words: list[str], line: str, asked: tuple[int, ...]) -> LineReading:
    """Read an answer that does not name the lines it tells: one line, or the marks of each."""
    body = words
    while body and body[-1] in _ENDS:
        body = body[:-1]
    marks = [token for token in body if token.startswith("<")]
    if len(asked) == len(marks) > 1 and all(token in marks or token in (*_JOINTS, *_ENDS) for token in body):
        rows = [{i: int(mark) for i, mark in enumerate(token[1:-1])} for token in marks]
        return LineReading(line, dict(zip(asked, rows, strict=True)), [])
    one = None if len(asked) != 1 or set(_ENDS) & set(body) else _body(body, {}, True, True)
    return LineReading(line, {asked[0]: one}, []) if one is not None else LineReading(rest=words)


def _chunks(words: list[str], heads: Sequence[_Head]) -> Iterator[_Chunk]:
    """What is said of each head: the words after it, or before it in `1 and 4 in row 1, 5 in row 2`."""
    last = heads[-1]
    if heads[0][0] > 0 and all(word in _ENDS for word in words[last[1] :]):
        at = 0
        for start, body, indices, _ in heads:
            yield _Chunk(at, at, start, indices, body)
            at = body
        return
    for (start, body, indices, _), following in zip(heads, [*heads[1:], None], strict=True):
        limit = following[0] if following else len(words)
        end = next((i for i in range(body, limit) if words[i] in _ENDS), limit)
        yield _Chunk(start, body, end, indices, end)


def _heads(words: list[str]) -> Iterator[_Head]:
    """Where lines begin: (first token, first token after the head, the lines meant from 0, `row` or `column`)."""
    kind = ""
    i = 0
    while i < len(words):
        before = words[i - 1] if i else "."
        found = _head(words, i)
        free = before in (*_ENDS, ",", "and", "but", "in", "on", "for", ":") or before.startswith("<")
        if found and before not in _LOOKS_BACK and (not kind or found[2] == kind):
            after = words[found[0]] if found[0] < len(words) else ""
            if free or after in (":", "is", "has", "-"):
                kind = found[2]
                yield i - (before in ("in", "on", "for")), *found
                i = found[0]
                continue
        i += 1


def _head(words: list[str], i: int) -> tuple[int, tuple[int, ...], str] | None:
    """`row 2`, `rows 1 and 3 :`, `second row`, `last row`, `top row` from here on."""
    pair = words[i : i + 2]
    if len(pair) < 2:
        return None
    if pair[0] in ("row", "column"):
        first = number(pair[1])
        if first is None or not 1 <= first <= SIZE:
            return None
        indices, end = [first], i + 2
        while words[end : end + 1] and words[end] in (",", "and", "&") and end + 1 < len(words):
            n = number(words[end + 1])
            if n is None or not 1 <= n <= SIZE:
                break
            indices.append(n)
            end += 2
        if len(indices) > 1 and words[end : end + 1] not in ([":"], ["is"], ["has"]):
            indices, end = [first], i + 2
        return end, tuple(n - 1 for n in indices), pair[0]
    if pair[1] in ("row", "column"):
        first_side, last_side = ("top", "bottom") if pair[1] == "row" else ("left", "right")
        nth = ordinal(pair[0])
        sides = {first_side: 1, "middle": 3, last_side: SIZE, "last": SIZE}
        nth = nth if nth is not None else sides.get(pair[0])
        follows = words[i + 2 : i + 4]
        if nth is None or not 1 <= nth <= SIZE or follows == ["from", "bottom"] or follows == ["from", "right"]:
            return None
        return i + 2, (nth - 1,), pair[1]
    return None


def _trimmed(body: list[str]) -> list[str]:
    while body and body[0] in _VERBS:
        body = body[1:]
    while body and body[-1] in (",", "and", "but", ":", "-", "(", ")", "in", "on", "has", "is"):
        body = body[:-1]
    return body


def _bare_list(body: list[str]) -> bool:
    """`1, 3 and 5`, `1-4`: places by number alone."""
    numbers = [number(token) for token in body if token not in (*_JOINTS, "to")]
    found = [n for n in numbers if n is not None]
    return 2 <= len(found) == len(numbers) and found == sorted(set(found)) and found[-1] <= SIZE


def _body(body: list[str], before: dict[int, Line], whole: bool, bare: bool) -> Line | None:
    """What is said of one line; None unless all of it is understood.

    `whole` takes the places named for all that are filled; `bare` takes a lone number for a place, not for a count.
    """
    body = _trimmed(body)
    if not body:
        return None
    if len(body) == 1 and body[0].startswith("<"):
        return {i: int(mark) for i, mark in enumerate(body[0][1:-1])}
    run = _runs(body)
    if run is not None:
        return run
    if body[0] in ("same", "like", "identical", "equal") or body[:1] == ["again"]:
        return _same_as(body[1:], before)
    plain = [token for token in body if token not in ("cell", "is", "has", "there", "all", "in", "x", "it", "filled")]
    said = set(body)
    if plain == ["full"] or (not plain and said & {"all"} and "there" not in said) or body == ["filled"]:
        return dict.fromkeys(range(SIZE), 1)
    if plain in (["empty"], ["full", "empty"], ["not"], ["not", "any"]) and not said & {"some"}:
        if plain[0] != "not" or "all" not in said:
            return dict.fromkeys(range(SIZE), 0)
    return _all_but(body) or _places_said(body, whole, bare)


def _same_as(body: list[str], before: dict[int, Line]) -> Line | None:
    """`same as row 2`, `like the first one`: a line told before."""
    left = [token for token in body if token not in ("as", "to", "in", "row", "column", "like", "#1" * (len(body) > 2))]
    if len(left) != 1:
        return None
    n = number(left[0]) or ordinal(left[0])
    return dict(before[n - 1]) if n and n - 1 in before else None


def _runs(body: list[str]) -> Line | None:
    """`filled, three empty, filled`: five cells from one end to the other."""
    cells: list[int] = []
    runs = numbered = 0
    n = 1
    for i, token in enumerate(body):
        count = number(token)
        if count is not None and body[i + 1 : i + 2] and body[i + 1] in _THINGS:
            n = count
            numbered += 1
        elif token in _THINGS and not 0 < len(cells) + n <= SIZE:
            return None
        elif token in _THINGS:
            cells += [int(token != "empty")] * n
            runs, n = runs + 1, 1
        elif token not in (",", "and", "cell", "&", "-", "followed", "by", "one", "#1"):
            return None
    sequence = runs > 2 or (runs == 2 and numbered < 2)
    return dict(enumerate(cells)) if len(cells) == SIZE and sequence else None


def _all_but(body: list[str]) -> Line | None:
    """`full except the last`, `all but the first and the last`, `empty except for the middle`."""
    at = next((i for i, token in enumerate(body) if token in ("except", "but", "besides", "apart")), 0)
    head = [token for token in body[:at] if token not in ("cell", "is", "are", "has")]
    if not head or not set(head) <= {"all", "full", "filled", "x", "empty", "not"}:
        return None
    tail = [token for token in body[at + 1 :] if token not in ("for", "from")]
    while tail and tail[-1] in ("empty", "filled", "is", "cell", "x"):
        tail = tail[:-1]
    places = _places(tail, True)
    if not places:
        return None
    rest = 0 if {"empty", "not"} & set(head) else 1
    return {i: 1 - rest if i in places else rest for i in range(SIZE)}


def _places_said(body: list[str], whole: bool, bare: bool) -> Line | None:
    """`only cells 1 and 5`, `the first and last are filled, the rest is empty`, `cell 3 is empty`."""
    only = "only" in body
    at = next((i for i, token in enumerate(body) if token == "other"), len(body))
    rest, body = body[at:], [token for token in body[:at] if token not in ("only", "there", "has")]
    rest_is = [token for token in rest[1:] if token not in ("cell", "is", "in", "row", "column", "all", "of")]
    if rest and rest_is not in (["empty"], ["not"], ["filled"], ["x"]):
        return None
    things = [token for token in body if token in _THINGS]
    if len(things) > 1 and len(set(things)) > 1:
        return None
    where = [token for token in body if token not in _THINGS]
    counts = len([token for token in where if number(token) is not None])
    nth = any(ordinal(token) or token in _SIDES for token in where)
    first = next((i for i, token in enumerate(body) if number(token) is not None), len(body))
    named = bool({"cell", "column", "row"} & set(body[:first]))
    if counts == 1 and not nth and not named and (not bare or body[first + 1 : first + 2] != []):
        return None  # `2 filled` counts, and so may a lone `2`
    places = _places(where, bare or counts > 1 or named)
    if not places:
        return None
    value = 0 if things and things[0] == "empty" else 1
    made = dict.fromkeys(sorted(places), value)
    if only or rest or (whole and value):
        made |= {i: 1 - value for i in range(SIZE) if i not in places}
    return made


_SIDES = {"left": 1, "right": SIZE, "top": 1, "bottom": SIZE, "middle": 3, "center": 3, "last": SIZE}


def _places(words: list[str], numbers: bool) -> set[int]:
    """The places (from 0) of a list such as `1, 3 and 5`, `2 to 4`, `first and last`, `both ends`; empty if unclear."""
    found: set[int] = set()
    i = 0
    while i < len(words):
        token, following = words[i], words[i + 1] if i + 1 < len(words) else ""
        n, nth = number(token), ordinal(token)
        count = number(following)
        i += 1
        if n is not None:
            last = number(words[i + 1]) if following in ("to", "-", "through") and i + 1 < len(words) else None
            if not numbers or not 1 <= n <= SIZE or (last is not None and not n < last <= SIZE):
                return set()
            found |= set(range(n - 1, last or n))
            i += 2 if last else 0
        elif nth == 2 and following in ("last", "to"):
            found.add(SIZE - 2)
            i += 1 if following == "last" else 2
        elif nth is not None or token in _SIDES:
            at = nth or _SIDES.get(token, 0)
            many = count if count and count > 1 and (at == 1 or at == SIZE or (at, count) == (3, 3)) else 1
            low = at if at == 1 else 2 if (at, many) == (3, 3) else at - many + 1
            if not 1 <= low <= low + many - 1 <= SIZE:
                return set()
            found |= set(range(low - 1, low + many - 1))
            i += 1 if count == many else 0
        elif token in ("both", "end"):
            found |= {0, SIZE - 1}
        elif token not in _SMALL:
            return set()
    return found
