"""Chooses pairs of pictures by the procedure of the paper (appendix C): different ones by their labels alone, similar
ones by their labels and by how they look.

The same library, ids, similarity and random numbers give the same pairs. A hundred thousand pictures are not compared
with each other: an inverted index over labels brings candidates, and chance decides whose.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from random import Random

from games.common.pictures import Library, UnknownPicture, labels
from games.common.similarity import ClipSimilarity, Similarity

DIFFERENT = 0.05
"""Different pictures have at most this Jaccard index of their labels (paper, appendix C)."""
SIMILAR = 0.22
"""Similar pictures have more than this, and look alike."""
TWINS = 0.98
"""Pictures that look more alike than this are one picture twice."""
FEW_LABELS = 3
"""Pictures with fewer labels are left out: hardly annotated ones have nothing in common with any other."""
COMMON = 2_000
"""Labels of more pictures than this say too little to look for partners by."""
TRIED = 5_000
"""Pictures for which a partner is looked for before giving up."""
DRAWN = 100_000
"""Pairs drawn by chance, of which those that share least are different; all there are, of up to 400 pictures."""
LOOKED_AT = 20
"""Candidates of each picture, those of the highest Jaccard index, whose similarity is computed."""


@dataclass(frozen=True, slots=True)
class PicturePair:
    """Two pictures by id, the Jaccard index of their labels, and how alike they look where that was asked."""

    a: str
    b: str
    jaccard: float
    similarity: float | None = None


class TooFewPairs(ValueError):
    """Fewer pairs than wanted; `pairs` are those there are, and the message says what to change."""

    def __init__(self, message: str, pairs: list[PicturePair]) -> None:
        super().__init__(message)
        self.pairs = pairs


class LabelIndex:
    """The labels of many pictures as numbers, and the pictures of every label."""

    def __init__(
        self, library: Library, ids: Iterable[str], progress: Callable[[int], None] = lambda done: None
    ) -> None:
        """Read what is on the pictures; those with hardly any label are left out."""
        self.ids: list[str] = []
        self._of: list[array[int]] = []
        self._with: dict[int, array[int]] = {}
        numbers: dict[str, int] = {}
        for done, id in enumerate(sorted(ids)):
            progress(done)
            words = labels(library.description(id))
            if len(words) < FEW_LABELS:
                continue
            mine = array("i", (numbers.setdefault(word, len(numbers)) for word in sorted(words)))
            for label in mine:
                self._with.setdefault(label, array("i")).append(len(self.ids))
            self.ids.append(id)
            self._of.append(mine)

    def jaccard(self, i: int, j: int) -> float:
        """Return the Jaccard index of two pictures, by place in `ids`."""
        one, other = {*self._of[i]}, {*self._of[j]}
        shared = len(one & other)
        return shared / (len(one) + len(other) - shared)

    def near(self, i: int) -> list[tuple[float, int]]:
        """Return the pictures that share most labels with one, as (Jaccard index, place), highest first."""
        shared: Counter[int] = Counter()
        for label in self._of[i]:
            if len(self._with[label]) <= max(COMMON, len(self.ids) // 50):
                shared.update(self._with[label])
        shared.pop(i, None)
        # by shared labels first: an index of every one of thousands would be slow
        likely = sorted(shared, key=lambda j: (-shared[j], j))[: 10 * LOOKED_AT]
        return sorted(((self.jaccard(i, j), j) for j in likely), key=lambda one: (-one[0], one[1]))[:LOOKED_AT]


def different_pairs(known: LabelIndex, rng: Random, number: int, used: set[str] | None = None) -> list[PicturePair]:
    """Return pairs with the lowest Jaccard indices, at most DIFFERENT; each picture once, none of `used`, which grows.

    Raises `TooFewPairs`.
    """
    used = set() if used is None else used
    free = [i for i, id in enumerate(known.ids) if id not in used]
    low = sorted(
        (jaccard, n, i, j)
        for n, (i, j) in enumerate(islice(_random_pairs(free, rng), DRAWN))
        if (jaccard := known.jaccard(i, j)) <= DIFFERENT
    )
    found: list[PicturePair] = []
    for jaccard, _, i, j in low:
        a, b = known.ids[i], known.ids[j]
        if len(found) < number and not {a, b} & used:
            found.append(PicturePair(a, b, round(jaccard, 4)))
            used |= {a, b}
    if len(found) < number:
        raise TooFewPairs(
            f"different: {len(found)} of {number} pairs found among {len(free):,} pictures with at least {FEW_LABELS} "
            f"labels (Jaccard index at most {DIFFERENT}). Import more pictures, or ask for fewer: --each {len(found)}",
            found,
        )
    return found


def _random_pairs(free: Sequence[int], rng: Random) -> Iterator[tuple[int, int]]:
    """All pairs in random order where they are few, else random ones."""
    if len(free) < 2:
        return
    if len(free) <= 400:
        every = list(combinations(free, 2))
        rng.shuffle(every)
        yield from every
        return
    while True:
        i, j = rng.sample(range(len(free)), 2)
        yield free[i], free[j]


def similar_pairs(
    known: LabelIndex,
    similarity: Similarity,
    rng: Random,
    number: int,
    used: set[str] | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> list[PicturePair]:
    """Return pairs with a Jaccard index above SIMILAR that look alike; each picture once, none of `used`, which grows.

    Raises `TooFewPairs`.
    """
    used = set() if used is None else used
    order = list(range(len(known.ids)))
    rng.shuffle(order)
    found: list[PicturePair] = []
    labelled = 0
    for tried, i in enumerate(order[:TRIED]):
        if len(found) == number:
            break
        progress(tried)
        if known.ids[i] in used:
            continue
        near = [(jaccard, j) for jaccard, j in known.near(i) if jaccard > SIMILAR and known.ids[j] not in used]
        labelled += bool(near)
        for jaccard, j in near:
            try:
                alike = similarity(known.ids[i], known.ids[j])
            except UnknownPicture:  # its file has gone since it was registered
                continue
            if similarity.threshold < alike < TWINS:
                a, b = (known.ids[i], known.ids[j]) if rng.random() < 0.5 else (known.ids[j], known.ids[i])
                found.append(PicturePair(a, b, round(jaccard, 4), round(alike, 4)))
                used |= {a, b}
                break
    if len(found) < number:
        by = "" if isinstance(similarity, ClipSimilarity) else " or a model (--clip FOLDER)"
        looked_at = min(len(order), TRIED)
        raise TooFewPairs(
            f"similar: {len(found)} of {number} pairs found. Of {looked_at:,} pictures {labelled:,} have a "
            f"partner with a Jaccard index above {SIMILAR}; the others look too unlike (at most "
            f"{similarity.threshold}) by {similarity.name}. Import more pictures, ask for fewer "
            f"(--each {len(found)}), or try another --seed{by}",
            found,
        )
    return found


def same_pictures(known: LabelIndex, rng: Random, number: int, used: set[str] | None = None) -> list[PicturePair]:
    """Return pictures by chance, each as a pair with itself; none of `used`, which grows. Raises `TooFewPairs`."""
    used = set() if used is None else used
    free = [id for id in known.ids if id not in used]
    found = [PicturePair(id, id, 1.0) for id in rng.sample(free, min(number, len(free)))]
    used |= {pair.a for pair in found}
    if len(found) < number:
        raise TooFewPairs(f"same: {len(found)} of {number} pictures are left. Import more pictures", found)
    return found


def choose_pairs(
    known: LabelIndex,
    similarity: Similarity,
    seed: int,
    number: int,
    *,
    least: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, list[PicturePair]]:
    """Return `number` pairs for each of same, similar and different, at least `least`; no picture comes twice.

    Raises `TooFewPairs`.
    """
    used: set[str] = set()

    def enough(relation: str, look: Callable[[Random], list[PicturePair]]) -> list[PicturePair]:
        rng = Random(int.from_bytes(hashlib.sha256(f"pairs/{relation}/{seed}".encode()).digest(), "big"))
        try:
            return look(rng)
        except TooFewPairs as error:
            if least is None or len(error.pairs) < least:
                raise
            return error.pairs

    # the scarcest first
    similar = enough("similar", lambda rng: similar_pairs(known, similarity, rng, number, used, progress))
    different = enough("different", lambda rng: different_pairs(known, rng, number, used))
    same = enough("same", lambda rng: same_pictures(known, rng, number, used))
    return {"same": same, "similar": similar, "different": different}
