"""Where two photo-like pictures differ, for a debriefing: in words, and as the boxes of what differs.

Things are paired by id within a family of drawn pictures (objects keep their ids there), else by name and closeness.
Pictures that have next to nothing in common are told side by side instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from games.common.pictures import PictureDescription
from games.matchit.talkers import photo_words as vocabulary
from games.matchit.talkers.photo_scene import SIZEABLE, Scene, Thing, scene_of
from games.matchit.talkers.photo_talk import SIDES, grouped
from games.matchit.words import count_word, listed

SHOWN = 8
"""So many differences are put in words; more are said to be there."""
MOVED = 0.12
"""A thing whose middle is this share of the picture further left or right, or up or down, has been moved."""

Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class PhotoDifference:
    """One difference: in words, how much of the picture it takes, and the thing on either side, None if not there."""

    words: str
    size: float
    a: Thing | None = None
    b: Thing | None = None


def differences(a: PictureDescription, b: PictureDescription, related: bool) -> tuple[list[str], dict[str, list[Box]]]:
    """Say what differs and where, per side; `related` pictures are compared thing by thing."""
    one, other = (scene_of(description.model_dump(mode="json")) for description in (a, b))
    if a.id == b.id:
        return [], {"A": [], "B": []}
    if not related:
        return _side_by_side(one, other), {"A": [], "B": []}
    by_id = a.family is not None and a.family == b.family
    found = sorted(_compared(one, other, by_id), key=lambda difference: -difference.size)
    words = [difference.words for difference in found[:SHOWN]]
    if len(found) > SHOWN:
        words.append(f"and {count_word(len(found) - SHOWN)} smaller {'one' if len(found) == SHOWN + 1 else 'ones'}")
    size = (a.width, a.height), (b.width, b.height)
    boxes = {
        "A": _boxes((difference.a for difference in found[:SHOWN]), *size[0]),
        "B": _boxes((difference.b for difference in found[:SHOWN]), *size[1]),
    }
    return (words or ["they differ in small things only"]), boxes


def _boxes(things: Iterable[Thing | None], width: int, height: int) -> list[Box]:
    """The boxes of some things in pixels, each once."""
    return list(dict.fromkeys(_pixels(thing, width, height) for thing in things if thing and thing.box))


def _pixels(thing: Thing, width: int, height: int) -> Box:
    assert thing.box
    left, top, right, bottom = thing.box
    return round(left * width), round(top * height), round((right - left) * width), round((bottom - top) * height)


def _side_by_side(a: Scene, b: Scene) -> list[str]:
    words = []
    if a.category and b.category and a.category != b.category:
        words.append(f"A sees {vocabulary.article(a.category)}, B {vocabulary.article(b.category)}")
    for seat, scene in (("A", a), ("B", b)):
        things = sorted((thing for thing in scene.front if thing.clear), key=lambda thing: -thing.size)
        if things:
            words.append(f"{seat} has {listed(grouped(things)[:5])}")
    return words


def _compared(a: Scene, b: Scene, by_id: bool) -> Iterator[PhotoDifference]:
    if a.category != b.category and a.category and b.category:
        yield PhotoDifference(f"A sees {vocabulary.article(a.category)}, B {vocabulary.article(b.category)}", 1.0)
    pairs, left, right = _paired(a, b, by_id)
    gone = {thing.name for thing in left} | {thing.name for thing in right}
    for name in sorted(gone):
        yield from _number(a, b, name, left, right)
    for mine, theirs in pairs:
        yield from _changes(a, b, mine, theirs)


def _number(a: Scene, b: Scene, name: str, left: list[Thing], right: list[Thing]) -> Iterator[PhotoDifference]:
    """Things of a name that one side has more of."""
    more = [(thing, "A") for thing in left if thing.name == name] + [
        (thing, "B") for thing in right if thing.name == name
    ]
    count = {seat: sum(t.name == name and t.clear for t in scene.front) for seat, scene in (("A", a), ("B", b))}
    for i, (thing, seat) in enumerate(more):
        size = thing.size + (0.05 if thing.id in (a if seat == "A" else b).supports else 0.0)
        sides = {"a": thing} if seat == "A" else {"b": thing}
        if min(count.values()) and count["A"] != count["B"]:
            words = f"A has {count_word(count['A'])} {_plural(thing, count['A'])}, B has {count_word(count['B'])}"
            if i:  # said already: only marked
                continue
        else:
            words = f"only {seat} has {vocabulary.article(thing.phrase)}{_place(a if seat == 'A' else b, thing)}"
        yield PhotoDifference(words, size, **sides)


def _plural(thing: Thing, n: int) -> str:
    return thing.said if n == 1 else vocabulary.plural(thing.said)


def _place(scene: Scene, thing: Thing) -> str:
    support = scene.by_id.get(scene.supports.get(thing.id, ""))
    if support:
        return f", on the {support.said}"
    return f", {SIDES[min(2, int(thing.x * 3))]}" if thing.box else ""


def _paired(a: Scene, b: Scene, by_id: bool) -> tuple[list[tuple[Thing, Thing]], list[Thing], list[Thing]]:
    """Things of both sides that are the same one, and those that only A or only B has."""
    pairs: list[tuple[Thing, Thing]] = []
    free = list(b.front)
    alone: list[Thing] = []
    for mine in sorted(a.front, key=lambda thing: -thing.size):
        if by_id:
            options = [thing for thing in free if thing.id == mine.id]
        else:
            options = [thing for thing in free if thing.name == mine.name]
        best = min(options, key=lambda thing: _cost(mine, thing), default=None)
        if best is None:
            alone.append(mine)
        else:
            pairs.append((mine, best))
            free.remove(best)
    return pairs, [thing for thing in alone if thing.clear], [thing for thing in free if thing.clear]


def _cost(a: Thing, b: Thing) -> float:
    return abs(a.x - b.x) + abs(a.y - b.y) + 0.3 * len(set(a.words) ^ set(b.words))


def _changes(a: Scene, b: Scene, mine: Thing, theirs: Thing) -> Iterator[PhotoDifference]:
    """What became of one thing: another name, look, support or place."""
    if not (mine.clear or theirs.clear):
        return
    size = max(mine.size, theirs.size)
    name = mine.said if sum(one.name == mine.name for one in a.front) == 1 else _told_apart(a, mine)
    lost = [word for word in mine.words if word not in theirs.words]
    new = [word for word in theirs.words if word not in mine.words]
    if mine.name != theirs.name:
        words = f"{vocabulary.article(mine.phrase)} for A is {vocabulary.article(theirs.phrase)} for B"
        yield PhotoDifference(words, size, mine, theirs)
    elif lost or new:
        was, now = (listed(words) or f"not {listed(others)}" for words, others in ((lost, new), (new, lost)))
        yield PhotoDifference(f"the {name} is {was} for A, {now} for B", size, mine, theirs)
    one, other = (scene.by_id.get(scene.supports.get(thing.id, "")) for scene, thing in ((a, mine), (b, theirs)))
    if one and other and one.name != other.name:
        yield PhotoDifference(f"the {name} is on the {one.said} for A, on the {other.said} for B", size, mine, theirs)
    elif max(abs(mine.x - theirs.x), abs(mine.y - theirs.y)) > MOVED and (mine.clear and theirs.clear):
        yield PhotoDifference(f"the {name} is {_moved(a, b, mine, theirs)}", size, mine, theirs)


def _told_apart(scene: Scene, thing: Thing) -> str:
    """The name with its colour, where that tells it from others of the name; else with its side."""
    same = [one for one in scene.front if one.name == thing.name]
    if thing.words and sum(one.words == thing.words for one in same) == 1:
        return thing.phrase
    return f"{thing.said} {SIDES[min(2, int(thing.x * 3))]}"


def _moved(a: Scene, b: Scene, mine: Thing, theirs: Thing) -> str:
    """`left of the sofa on A's picture, right of it on B's`, or by thirds, or by how far."""
    for big in sorted(a.front, key=lambda thing: -thing.size):
        there = b.by_id.get(big.id)
        if big.id == mine.id or there is None or there.name != big.name or big.size < SIZEABLE:
            continue
        before, after = mine.x - big.x, theirs.x - there.x
        if before * after < 0 and min(abs(before), abs(after)) > 0.04 and abs(big.x - there.x) < MOVED / 2:
            sides = ("left of", "right of") if before < 0 else ("right of", "left of")
            return f"{sides[0]} the {big.said} on A's picture, {sides[1]} it on B's"
    one, other = (SIDES[min(2, int(thing.x * 3))] for thing in (mine, theirs))
    if one != other:
        return f"{one} for A, {other} for B"
    if abs(mine.y - theirs.y) > abs(mine.x - theirs.x):
        return "higher up or further back for A than for B" if mine.y < theirs.y else "lower or nearer for A than for B"
    return "further left for A than for B" if mine.x < theirs.x else "further right for A than for B"
