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
from games.common.pairs import (
    MAX_SIMILARITY,
    LabelIndex,
    PicturePair,
    TooFewPairs,
    find_different_pairs,
    find_similar_pairs,
)
from games.common.pairs import MIN_JACCARD as MIN_LABEL_OVERLAP
from games.common.pictures import jaccard, labels
from games.common.similarity import HashSimilarity

SIMILAR_PAIR_COUNTS = (("scene", 8), ("objects", 2))
"""The number of similar pairs of each kind. Everyday scenes are drawn in pairs for this purpose."""
ROOM_PAIR_POSITIONS = (1, 2, 5, 6)
"""Positions at which a pair of rooms replaces a pair of scenes; the other pairs are those of version 1 of the set."""
SAME_PAIR_COUNTS = (("room", 5), ("scene", 3), ("objects", 2))
MAX_OBJECT_SCENES = 12
"""The number of object scenes among the candidates for different pairs: next to a room, they differ at first sight."""


class Rejection(NamedTuple):
    """A pair of pictures that a person has rejected; `a` and `b` are the same for a single picture."""

    a: str
    b: str
    why: str


@cache
def read_rejected_pairs() -> dict[frozenset[str], str]:
    """Return the pairs that a person has rejected, with the reason."""
    rejection_rows = json.loads((Path(__file__).parent / "rejected.json").read_text(encoding="utf-8"))
    rejections = [Rejection(**rejection_row) for rejection_row in rejection_rows]
    return {frozenset((rejection.a, rejection.b)): rejection.why for rejection in rejections}


def list_drawn_pictures(picture_kind: str) -> list[str]:
    """Return the ids of the drawn pictures of a kind, without rejected ones."""
    return [id for id in pictures.list_ludens_pictures(picture_kind) if frozenset((id,)) not in read_rejected_pairs()]


def choose_similar_pairs(rng: Random, used_ids: set[str]) -> list[PicturePair]:
    """Return similar pairs, siblings first, and add their families to `used_ids`. Raises `TooFewPairs`."""
    similarity = HashSimilarity(pictures.LIBRARY)
    all_pairs: list[PicturePair] = []
    for kind, pair_count in SIMILAR_PAIR_COUNTS:
        chosen_pairs = list(islice(_generate_sibling_pairs(kind, similarity, rng), pair_count))
        excluded_ids = used_ids | collect_families(chosen_pairs)
        index = LabelIndex(pictures.LIBRARY, list_drawn_pictures(kind)) if len(chosen_pairs) < pair_count else None
        while index and len(chosen_pairs) < pair_count:
            (pair,) = find_similar_pairs(index, similarity, rng, 1, excluded_ids)
            if frozenset((pair.a, pair.b)) not in read_rejected_pairs():
                chosen_pairs.append(pair)
                excluded_ids |= find_picture_family(pair.a) | find_picture_family(pair.b)
        used_ids |= collect_families(chosen_pairs)
        all_pairs += chosen_pairs
    return all_pairs


def choose_similar_rooms(rng: Random, used_ids: set[str], pair_count: int) -> list[PicturePair]:
    """Return rooms with their twins, of different categories, and add them to `used_ids`. Raises `TooFewPairs`."""
    similarity = HashSimilarity(pictures.LIBRARY)
    changed_room_pairs = [
        (original_room_id, changed_room_id)
        for changed_room_id, original_room_id in sorted(pictures.map_changed_rooms_to_originals().items())
        if original_room_id not in used_ids
        and not {frozenset((changed_room_id,)), frozenset((original_room_id, changed_room_id))}
        & set(read_rejected_pairs())
    ]
    pairs: list[PicturePair] = []
    categories: set[str | None] = set()
    for original_room_id, changed_room_id in rng.sample(changed_room_pairs, len(changed_room_pairs)):
        category = pictures.LIBRARY.description(original_room_id).category
        if len(pairs) < pair_count and category not in categories:
            categories.add(category)
            id_a, id_b = (
                (original_room_id, changed_room_id) if rng.random() < 0.5 else (changed_room_id, original_room_id)
            )
            label_overlap = jaccard(*(labels(pictures.LIBRARY.description(id)) for id in (id_a, id_b)))
            pairs.append(PicturePair(id_a, id_b, round(label_overlap, 4), round(similarity(id_a, id_b), 4)))
    if len(pairs) < pair_count:
        raise TooFewPairs(f"similar: {len(pairs)} of {pair_count} drawn rooms with a twin are left", pairs)
    used_ids |= collect_families(pairs)
    return pairs


def _generate_sibling_pairs(picture_kind: str, similarity: HashSimilarity, rng: Random) -> Iterator[PicturePair]:
    """Yield a pair above the thresholds from each family of a kind, in random order, visibly different if possible."""
    free_ids = set(list_drawn_pictures(picture_kind))
    picture_families = sorted({tuple(sorted(find_picture_family(id) & free_ids)) for id in free_ids})
    rng.shuffle(picture_families)
    for family_members in picture_families:
        family_pairs: list[PicturePair] = []
        for id_a, id_b in combinations(family_members, 2):
            label_overlap = jaccard(*(labels(pictures.LIBRARY.description(id)) for id in (id_a, id_b)))
            if (
                label_overlap > MIN_LABEL_OVERLAP
                and frozenset((id_a, id_b)) not in read_rejected_pairs()
                and (similarity_score := similarity(id_a, id_b)) > similarity.threshold
            ):
                family_pairs.append(PicturePair(id_a, id_b, round(label_overlap, 4), round(similarity_score, 4)))
        distinct_pairs = [pair for pair in family_pairs if (pair.similarity or 1) < MAX_SIMILARITY] or family_pairs
        if distinct_pairs:
            pair = rng.choice(distinct_pairs)
            yield pair if rng.random() < 0.5 else PicturePair(pair.b, pair.a, pair.jaccard, pair.similarity)


def choose_different_pairs(rng: Random, used_ids: set[str], pair_count: int) -> list[PicturePair]:
    """Return different pairs, and add their families to `used_ids`. Raises `TooFewPairs`."""
    object_ids = list_drawn_pictures("objects")
    object_ids = rng.sample(object_ids, min(MAX_OBJECT_SCENES, len(object_ids)))
    candidate_ids = [*list_drawn_pictures("room"), *list_drawn_pictures("scene"), *object_ids]
    chosen_pairs: list[PicturePair] = []
    label_index = LabelIndex(pictures.LIBRARY, candidate_ids)
    while len(chosen_pairs) < pair_count:
        for pair in find_different_pairs(label_index, rng, pair_count - len(chosen_pairs), used_ids):
            if frozenset((pair.a, pair.b)) not in read_rejected_pairs() and not {pair.a, pair.b} & collect_families(
                chosen_pairs
            ):
                chosen_pairs.append(pair)
        for pair in chosen_pairs:
            used_ids |= find_picture_family(pair.a) | find_picture_family(pair.b)
    return chosen_pairs


def collect_families(pairs: list[PicturePair]) -> set[str]:
    """Return all pictures of the families of some pairs."""
    return {id for pair in pairs for picture_id in (pair.a, pair.b) for id in find_picture_family(picture_id)}


def choose_identical_pairs(rng: Random, used_ids: set[str]) -> list[PicturePair]:
    """Return pictures of all kinds and different categories, each paired with itself. Raises `TooFewPairs`."""
    identical_pairs: list[PicturePair] = []
    for kind, pair_count in SAME_PAIR_COUNTS:
        free_ids = [id for id in list_drawn_pictures(kind) if id not in used_ids]
        rng.shuffle(free_ids)
        chosen_ids: list[str] = []
        categories: set[str | None] = set()
        for id in free_ids:
            category = pictures.LIBRARY.description(id).category
            if len(chosen_ids) < pair_count and id not in used_ids and (category is None or category not in categories):
                chosen_ids.append(id)
                categories.add(category)
                used_ids |= find_picture_family(id)
        if len(chosen_ids) < pair_count:
            raise TooFewPairs(f"same: {len(chosen_ids)} of {pair_count} drawn pictures of kind {kind!r} are left", [])
        identical_pairs += [PicturePair(id, id, 1.0) for id in chosen_ids]
    rng.shuffle(identical_pairs)
    return identical_pairs


@cache
def _group_families(ids: tuple[str, ...]) -> dict[str, frozenset[str]]:
    family_by_id = {id: pictures.LIBRARY.description(id).family or id for id in ids}
    ids_by_family: dict[str, set[str]] = {}
    for id, picture_family in family_by_id.items():
        ids_by_family.setdefault(picture_family, set()).add(id)
    return {id: frozenset(ids_by_family[picture_family]) for id, picture_family in family_by_id.items()}


def find_picture_family(id: str) -> frozenset[str]:
    """Return all pictures of the same place as one picture."""
    return _group_families(pictures.LIBRARY.ids(set_name="ludens")).get(id, frozenset((id,)))
