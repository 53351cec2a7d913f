"""Chooses MatchIt's photo pairs from the pictures that Ludens drew, by the paper's procedure (games/common/pairs.py).

Similar pairs are siblings of a family, everyday scenes and a few object scenes; different ones share next to no label.
No picture comes twice, nor two pairs of one family. Pairs that somebody has looked at and found bad stand in
`rejected.json` with the reason, and are passed over.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import combinations, islice
from pathlib import Path
from random import Random

from games.common import pictures
from games.common.pairs import SIMILAR as LABELS
from games.common.pairs import TWINS, LabelIndex, PicturePair, TooFewPairs, different_pairs, similar_pairs
from games.common.pictures import jaccard, labels
from games.common.similarity import HashSimilarity

SIMILAR = (("scene", 8), ("objects", 2))
"""How many similar pairs there are of a kind: everyday scenes are drawn in pairs for it."""
SAME = (("room", 5), ("scene", 3), ("objects", 2))
DIFFERENT_OBJECTS = 12
"""Object scenes among which a different pair may be found: beside a room they are different at first sight."""


@cache
def rejected() -> dict[frozenset[str], str]:
    """Pairs found bad by looking at them, with the reason."""
    data = json.loads((Path(__file__).parent / "rejected.json").read_text(encoding="utf-8"))
    return {frozenset((entry["a"], entry["b"])): entry["why"] for entry in data}


def drawn(kind: str) -> list[str]:
    """The ids of the drawn pictures of a kind, without those rejected as they are."""
    return [id for id in pictures.LIBRARY.ids(set="ludens", kind=kind) if frozenset((id,)) not in rejected()]


def similar(rng: Random, used: set[str]) -> list[PicturePair]:
    """Choose similar pairs, siblings first; `used` grows by their families. Raises `TooFewPairs`."""
    similarity = HashSimilarity(pictures.LIBRARY)
    found: list[PicturePair] = []
    for kind, number in SIMILAR:
        chosen = list(islice(_siblings(kind, similarity, rng), number))
        taken = used | used_families(chosen)
        known = LabelIndex(pictures.LIBRARY, drawn(kind)) if len(chosen) < number else None
        while known and len(chosen) < number:
            (pair,) = similar_pairs(known, similarity, rng, 1, taken)
            if frozenset((pair.a, pair.b)) not in rejected():
                chosen.append(pair)
                taken |= family(pair.a) | family(pair.b)
        used |= used_families(chosen)
        found += chosen
    return found


def _siblings(kind: str, similarity: HashSimilarity, rng: Random) -> Iterator[PicturePair]:
    """One pair of every family of a kind that keeps the thresholds, in random order; visibly different ones first."""
    free = set(drawn(kind))
    families = sorted({tuple(sorted(family(id) & free)) for id in free})
    rng.shuffle(families)
    for members in families:
        pairs: list[PicturePair] = []
        for a, b in combinations(members, 2):
            shared = jaccard(*(labels(pictures.LIBRARY.description(id)) for id in (a, b)))
            if (
                shared > LABELS
                and frozenset((a, b)) not in rejected()
                and (alike := similarity(a, b)) > similarity.threshold
            ):
                pairs.append(PicturePair(a, b, round(shared, 4), round(alike, 4)))
        visible = [pair for pair in pairs if (pair.similarity or 1) < TWINS] or pairs
        if visible:
            pair = rng.choice(visible)
            yield pair if rng.random() < 0.5 else PicturePair(pair.b, pair.a, pair.jaccard, pair.similarity)


def different(rng: Random, used: set[str], number: int) -> list[PicturePair]:
    """Choose different pairs. Raises `TooFewPairs`."""
    objects = drawn("objects")
    ids = [*drawn("room"), *drawn("scene"), *rng.sample(objects, min(DIFFERENT_OBJECTS, len(objects)))]
    chosen: list[PicturePair] = []
    known = LabelIndex(pictures.LIBRARY, ids)
    while len(chosen) < number:
        for pair in different_pairs(known, rng, number - len(chosen), used):
            if frozenset((pair.a, pair.b)) not in rejected() and not {pair.a, pair.b} & used_families(chosen):
                chosen.append(pair)
        for pair in chosen:
            used |= family(pair.a) | family(pair.b)
    return chosen


def used_families(pairs: list[PicturePair]) -> set[str]:
    """The pictures of the families that pairs are of."""
    return {id for pair in pairs for side in (pair.a, pair.b) for id in family(side)}


def same(rng: Random, used: set[str]) -> list[PicturePair]:
    """Choose pictures of all kinds, each as a pair with itself; in each category one. Raises `TooFewPairs`."""
    found: list[PicturePair] = []
    for kind, number in SAME:
        free = [id for id in drawn(kind) if id not in used]
        rng.shuffle(free)
        chosen: list[str] = []
        categories: set[str | None] = set()
        for id in free:
            category = pictures.LIBRARY.description(id).category
            if len(chosen) < number and id not in used and (category is None or category not in categories):
                chosen.append(id)
                categories.add(category)
                used |= family(id)
        if len(chosen) < number:
            raise TooFewPairs(f"same: {len(chosen)} of {number} drawn pictures of kind {kind!r} are left", [])
        found += [PicturePair(id, id, 1.0) for id in chosen]
    rng.shuffle(found)
    return found


@cache
def _families(ids: tuple[str, ...]) -> dict[str, frozenset[str]]:
    named = {id: pictures.LIBRARY.description(id).family or id for id in ids}
    every: dict[str, set[str]] = {}
    for id, name in named.items():
        every.setdefault(name, set()).add(id)
    return {id: frozenset(every[name]) for id, name in named.items()}


def family(id: str) -> frozenset[str]:
    """The pictures of the same place as one, itself among them."""
    return _families(pictures.LIBRARY.ids(set="ludens")).get(id, frozenset((id,)))
