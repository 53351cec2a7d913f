"""Chooses MatchIt's photo pairs from the pictures that Ludens drew, by the procedure of games/common/pairs.py.

Similar pairs are siblings of a family: everyday scenes, a few scenes of objects, and rooms with their twins. Different
pairs have hardly any label in common. No picture is used twice, and no family for two pairs. Pairs that a person has
rejected are listed with the reason in `rejected.json` and are not used.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import combinations, islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from games.common import pictures
from games.common.pairs import MAX_SIMILARITY, LabelIndex, PicturePair, TooFewPairs, different_pairs, similar_pairs
from games.common.pairs import MIN_JACCARD as LABELS
from games.common.pictures import jaccard, labels
from games.common.similarity import HashSimilarity

SIMILAR_COUNTS = (("scene", 8), ("objects", 2))
"""The number of similar pairs of each kind. Everyday scenes are drawn in pairs for this purpose."""
ROOM_PLACES = (1, 2, 5, 6)
"""Positions at which a pair of rooms replaces a pair of scenes; the other pairs are those of version 1 of the set."""
SAME_COUNTS = (("room", 5), ("scene", 3), ("objects", 2))
DIFFERENT_OBJECTS = 12
"""The number of object scenes among the candidates for different pairs: next to a room, they differ at first sight."""


class Rejection(NamedTuple):
    """A pair of pictures that a person has rejected; `a` and `b` are the same for a single picture."""

    a: str
    b: str
    why: str


@cache
def rejected_pairs() -> dict[frozenset[str], str]:
    """Return the pairs that a person has rejected, with the reason."""
    records = json.loads((Path(__file__).parent / "rejected.json").read_text(encoding="utf-8"))
    rejections = [Rejection(**record) for record in records]
    return {frozenset((rejection.a, rejection.b)): rejection.why for rejection in rejections}


def drawn_pictures(kind: str) -> list[str]:
    """Return the ids of the drawn pictures of a kind, without rejected ones."""
    return [id for id in pictures.drawn_pictures(kind) if frozenset((id,)) not in rejected_pairs()]


def choose_similar(rng: Random, used_ids: set[str]) -> list[PicturePair]:
    """Return similar pairs, siblings first, and add their families to `used_ids`. Raises `TooFewPairs`."""
    similarity = HashSimilarity(pictures.LIBRARY)
    pairs: list[PicturePair] = []
    for kind, pair_count in SIMILAR_COUNTS:
        chosen = list(islice(_sibling_pairs(kind, similarity, rng), pair_count))
        excluded_ids = used_ids | used_families(chosen)
        index = LabelIndex(pictures.LIBRARY, drawn_pictures(kind)) if len(chosen) < pair_count else None
        while index and len(chosen) < pair_count:
            (pair,) = similar_pairs(index, similarity, rng, 1, excluded_ids)
            if frozenset((pair.a, pair.b)) not in rejected_pairs():
                chosen.append(pair)
                excluded_ids |= family(pair.a) | family(pair.b)
        used_ids |= used_families(chosen)
        pairs += chosen
    return pairs


def choose_similar_rooms(rng: Random, used_ids: set[str], pair_count: int) -> list[PicturePair]:
    """Return rooms with their twins, of different categories, and add them to `used_ids`. Raises `TooFewPairs`."""
    similarity = HashSimilarity(pictures.LIBRARY)
    twins = [
        (room, twin)
        for twin, room in sorted(pictures.drawn_twins().items())
        if room not in used_ids and not {frozenset((twin,)), frozenset((room, twin))} & set(rejected_pairs())
    ]
    chosen: list[PicturePair] = []
    categories: set[str | None] = set()
    for room, twin in rng.sample(twins, len(twins)):
        category = pictures.LIBRARY.description(room).category
        if len(chosen) < pair_count and category not in categories:
            categories.add(category)
            a, b = (room, twin) if rng.random() < 0.5 else (twin, room)
            label_overlap = jaccard(*(labels(pictures.LIBRARY.description(id)) for id in (a, b)))
            chosen.append(PicturePair(a, b, round(label_overlap, 4), round(similarity(a, b), 4)))
    if len(chosen) < pair_count:
        raise TooFewPairs(f"similar: {len(chosen)} of {pair_count} drawn rooms with a twin are left", chosen)
    used_ids |= used_families(chosen)
    return chosen


def _sibling_pairs(kind: str, similarity: HashSimilarity, rng: Random) -> Iterator[PicturePair]:
    """Yield a pair above the thresholds from each family of a kind, in random order, visibly different if possible."""
    free_ids = set(drawn_pictures(kind))
    families = sorted({tuple(sorted(family(id) & free_ids)) for id in free_ids})
    rng.shuffle(families)
    for family_members in families:
        pairs: list[PicturePair] = []
        for a, b in combinations(family_members, 2):
            label_overlap = jaccard(*(labels(pictures.LIBRARY.description(id)) for id in (a, b)))
            if (
                label_overlap > LABELS
                and frozenset((a, b)) not in rejected_pairs()
                and (score := similarity(a, b)) > similarity.threshold
            ):
                pairs.append(PicturePair(a, b, round(label_overlap, 4), round(score, 4)))
        distinct_pairs = [pair for pair in pairs if (pair.similarity or 1) < MAX_SIMILARITY] or pairs
        if distinct_pairs:
            pair = rng.choice(distinct_pairs)
            yield pair if rng.random() < 0.5 else PicturePair(pair.b, pair.a, pair.jaccard, pair.similarity)


def choose_different(rng: Random, used_ids: set[str], pair_count: int) -> list[PicturePair]:
    """Return different pairs, and add their families to `used_ids`. Raises `TooFewPairs`."""
    objects = drawn_pictures("objects")
    objects = rng.sample(objects, min(DIFFERENT_OBJECTS, len(objects)))
    ids = [*drawn_pictures("room"), *drawn_pictures("scene"), *objects]
    chosen: list[PicturePair] = []
    index = LabelIndex(pictures.LIBRARY, ids)
    while len(chosen) < pair_count:
        for pair in different_pairs(index, rng, pair_count - len(chosen), used_ids):
            if frozenset((pair.a, pair.b)) not in rejected_pairs() and not {pair.a, pair.b} & used_families(chosen):
                chosen.append(pair)
        for pair in chosen:
            used_ids |= family(pair.a) | family(pair.b)
    return chosen


def used_families(pairs: list[PicturePair]) -> set[str]:
    """Return all pictures of the families of some pairs."""
    return {id for pair in pairs for side in (pair.a, pair.b) for id in family(side)}


def choose_same(rng: Random, used_ids: set[str]) -> list[PicturePair]:
    """Return pictures of all kinds and different categories, each paired with itself. Raises `TooFewPairs`."""
    pairs: list[PicturePair] = []
    for kind, pair_count in SAME_COUNTS:
        free_ids = [id for id in drawn_pictures(kind) if id not in used_ids]
        rng.shuffle(free_ids)
        chosen: list[str] = []
        categories: set[str | None] = set()
        for id in free_ids:
            category = pictures.LIBRARY.description(id).category
            if len(chosen) < pair_count and id not in used_ids and (category is None or category not in categories):
                chosen.append(id)
                categories.add(category)
                used_ids |= family(id)
        if len(chosen) < pair_count:
            raise TooFewPairs(f"same: {len(chosen)} of {pair_count} drawn pictures of kind {kind!r} are left", [])
        pairs += [PicturePair(id, id, 1.0) for id in chosen]
    rng.shuffle(pairs)
    return pairs


@cache
def _families(ids: tuple[str, ...]) -> dict[str, frozenset[str]]:
    family_of = {id: pictures.LIBRARY.description(id).family or id for id in ids}
    ids_by_family: dict[str, set[str]] = {}
    for id, family_name in family_of.items():
        ids_by_family.setdefault(family_name, set()).add(id)
    return {id: frozenset(ids_by_family[family_name]) for id, family_name in family_of.items()}


def family(id: str) -> frozenset[str]:
    """Return all pictures of the same place as one picture."""
    return _families(pictures.LIBRARY.ids(set_name="ludens")).get(id, frozenset((id,)))
