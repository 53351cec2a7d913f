"""Selects pairs of pictures by the procedure of the paper (appendix C): different pairs by their labels alone, similar
pairs by their labels and by visual similarity.

The same library, ids, similarity and seed give the same pairs. With up to a hundred thousand pictures, not all pairs
can be compared: an inverted index over labels proposes candidates for pictures in random order.
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

MAX_DIFFERENT_JACCARD = 0.05
"""Different pictures have at most this Jaccard index of their labels (paper, appendix C)."""
MIN_JACCARD = 0.22
"""Similar pictures have a higher Jaccard index than this, and look alike."""
MAX_SIMILARITY = 0.98
"""Pictures with a higher visual similarity than this are the same picture twice."""
MIN_LABEL_COUNT = 3
"""Pictures with fewer labels are ignored: they have nothing in common with any other because nobody annotated them."""
COMMON_LABEL_COUNT = 2_000
"""Labels of more pictures than this are not used to find candidates: they say too little."""
MAX_TRIED_PICTURES = 5_000
"""The number of pictures for which a similar one is sought."""
MAX_DRAWN_PAIRS = 100_000
"""The number of random pairs from which the most different are selected. With up to 400 pictures, all pairs are."""
MAX_CANDIDATES = 20
"""The number of candidates of each picture, those of the highest Jaccard index, whose similarity is computed."""

Progress = Callable[[int], None]


def _ignore_progress(done_count: int) -> None:
    pass


@dataclass(frozen=True, slots=True)
class PicturePair:
    """Two pictures by id, the Jaccard index of their labels, and their visual similarity where it was computed."""

    a: str
    b: str
    jaccard: float
    similarity: float | None = None


class TooFewPairs(ValueError):
    """Fewer pairs than requested. `pairs` are those that were found; the message says what to change."""

    def __init__(self, message: str, pairs: list[PicturePair]) -> None:
        super().__init__(message)
        self.pairs = pairs


class LabelIndex:
    """An inverted index: the labels of many pictures as numbers, and the pictures of every label."""

    def __init__(self, library: Library, ids: Iterable[str], progress: Progress = _ignore_progress) -> None:
        """Read the descriptions. Pictures with fewer than MIN_LABEL_COUNT labels are left out of `ids`."""
        self.ids: list[str] = []
        self._labels: list[array[int]] = []
        """The numbers of the labels of each picture in `ids`."""
        self._picture_indices_by_label: dict[int, array[int]] = {}
        """The places in `ids` of the pictures that have a label."""
        number_by_label: dict[str, int] = {}
        for picture_number, id in enumerate(sorted(ids)):
            progress(picture_number)
            words = labels(library.description(id))
            if len(words) < MIN_LABEL_COUNT:
                continue
            label_numbers = array(
                "i", (number_by_label.setdefault(word, len(number_by_label)) for word in sorted(words))
            )
            for label_number in label_numbers:
                self._picture_indices_by_label.setdefault(label_number, array("i")).append(len(self.ids))
            self.ids.append(id)
            self._labels.append(label_numbers)

    def jaccard(self, i: int, j: int) -> float:
        """Return the Jaccard index of two pictures, by place in `ids`."""
        labels_a, labels_b = {*self._labels[i]}, {*self._labels[j]}
        shared_count = len(labels_a & labels_b)
        return shared_count / (len(labels_a) + len(labels_b) - shared_count)

    def list_nearest_pictures(self, i: int) -> list[tuple[float, int]]:
        """Return the pictures that share most labels with one, as (Jaccard index, place), highest first."""
        shared_counts: Counter[int] = Counter()
        for label_number in self._labels[i]:
            if len(self._picture_indices_by_label[label_number]) <= max(COMMON_LABEL_COUNT, len(self.ids) // 50):
                shared_counts.update(self._picture_indices_by_label[label_number])
        shared_counts.pop(i, None)
        # preselect by shared labels: computing the index of thousands would be slow
        candidates = sorted(shared_counts, key=lambda j: (-shared_counts[j], j))[: 10 * MAX_CANDIDATES]
        return sorted(((self.jaccard(i, j), j) for j in candidates), key=lambda pair: (-pair[0], pair[1]))[
            :MAX_CANDIDATES
        ]


def find_different_pairs(
    index: LabelIndex, rng: Random, pair_count: int, used_pictures: set[str] | None = None
) -> list[PicturePair]:
    """Return the pairs with the lowest Jaccard indices, at most MAX_DIFFERENT_JACCARD.

    Each picture is in one pair at most, and not in `used_pictures`, to which it is added. Raises `TooFewPairs`.
    """
    used_pictures = set() if used_pictures is None else used_pictures
    unused_indices = [i for i, id in enumerate(index.ids) if id not in used_pictures]
    candidates = sorted(
        (jaccard, attempt, i, j)
        for attempt, (i, j) in enumerate(islice(_generate_random_pairs(unused_indices, rng), MAX_DRAWN_PAIRS))
        if (jaccard := index.jaccard(i, j)) <= MAX_DIFFERENT_JACCARD
    )
    pairs: list[PicturePair] = []
    for jaccard, _, i, j in candidates:
        first_picture, second_picture = index.ids[i], index.ids[j]
        if len(pairs) < pair_count and not {first_picture, second_picture} & used_pictures:
            pairs.append(PicturePair(first_picture, second_picture, round(jaccard, 4)))
            used_pictures |= {first_picture, second_picture}
    if len(pairs) < pair_count:
        raise TooFewPairs(
            f"different: {len(pairs)} of {pair_count} pairs found among {len(unused_indices):,} pictures "
            f"with at least {MIN_LABEL_COUNT} "
            f"labels (Jaccard index at most {MAX_DIFFERENT_JACCARD}). "
            f"Import more pictures, or ask for fewer: --each {len(pairs)}",
            pairs,
        )
    return pairs


def _generate_random_pairs(unused_indices: Sequence[int], rng: Random) -> Iterator[tuple[int, int]]:
    """Yield all pairs in random order if there are few, otherwise endless random pairs."""
    if len(unused_indices) < 2:
        return
    if len(unused_indices) <= 400:
        pairs = list(combinations(unused_indices, 2))
        rng.shuffle(pairs)
        yield from pairs
        return
    while True:
        i, j = rng.sample(range(len(unused_indices)), 2)
        yield unused_indices[i], unused_indices[j]


def find_similar_pairs(
    index: LabelIndex,
    similarity: Similarity,
    rng: Random,
    pair_count: int,
    used_pictures: set[str] | None = None,
    progress: Progress = _ignore_progress,
) -> list[PicturePair]:
    """Return pairs with a Jaccard index above SIMILAR and a visual similarity above the threshold of the measure.

    Each picture is in one pair at most, and not in `used_pictures`, to which it is added. Raises `TooFewPairs`.
    """
    used_pictures = set() if used_pictures is None else used_pictures
    order = list(range(len(index.ids)))
    rng.shuffle(order)
    pairs: list[PicturePair] = []
    matched_picture_count = 0
    for attempt, i in enumerate(order[:MAX_TRIED_PICTURES]):
        if len(pairs) == pair_count:
            break
        progress(attempt)
        if index.ids[i] in used_pictures:
            continue
        candidates = [
            (jaccard, j)
            for jaccard, j in index.list_nearest_pictures(i)
            if jaccard > MIN_JACCARD and index.ids[j] not in used_pictures
        ]
        matched_picture_count += bool(candidates)
        for jaccard, j in candidates:
            try:
                score = similarity(index.ids[i], index.ids[j])
            except UnknownPicture:  # its file has gone since it was registered
                continue
            if similarity.threshold < score < MAX_SIMILARITY:
                first_picture, second_picture = (
                    (index.ids[i], index.ids[j]) if rng.random() < 0.5 else (index.ids[j], index.ids[i])
                )
                pairs.append(PicturePair(first_picture, second_picture, round(jaccard, 4), round(score, 4)))
                used_pictures |= {first_picture, second_picture}
                break
    if len(pairs) < pair_count:
        model_hint = "" if isinstance(similarity, ClipSimilarity) else " or a model (--clip FOLDER)"
        raise TooFewPairs(
            f"similar: {len(pairs)} of {pair_count} pairs found. Of {min(len(order), MAX_TRIED_PICTURES):,} pictures "
            f"{matched_picture_count:,} have a partner with a Jaccard index above {MIN_JACCARD}; the others look too "
            f"unlike (at most {similarity.threshold}) by {similarity.name}. Import more pictures, ask for fewer "
            f"(--each {len(pairs)}), or try another --seed{model_hint}",
            pairs,
        )
    return pairs


def choose_same_pictures(
    index: LabelIndex, rng: Random, pair_count: int, used_pictures: set[str] | None = None
) -> list[PicturePair]:
    """Return random pictures outside `used_pictures`, each paired with itself, and add them. Raises `TooFewPairs`."""
    used_pictures = set() if used_pictures is None else used_pictures
    unused_ids = [id for id in index.ids if id not in used_pictures]
    pairs = [PicturePair(id, id, 1.0) for id in rng.sample(unused_ids, min(pair_count, len(unused_ids)))]
    used_pictures |= {pair.a for pair in pairs}
    if len(pairs) < pair_count:
        raise TooFewPairs(f"same: {len(pairs)} of {pair_count} pictures are left. Import more pictures", pairs)
    return pairs


def choose_pairs(
    index: LabelIndex,
    similarity: Similarity,
    seed: int,
    pair_count: int,
    *,
    min_pairs: int | None = None,
    progress: Progress = _ignore_progress,
) -> dict[str, list[PicturePair]]:
    """Return `pair_count` pairs, at least `min_pairs`, for each of same, similar and different. Uses no picture twice.

    Raises `TooFewPairs`.
    """
    used_pictures: set[str] = set()

    def select_pairs(relation: str, find_pairs: Callable[[Random], list[PicturePair]]) -> list[PicturePair]:
        rng = Random(int.from_bytes(hashlib.sha256(f"pairs/{relation}/{seed}".encode()).digest(), "big"))
        try:
            return find_pairs(rng)
        except TooFewPairs as error:
            if min_pairs is None or len(error.pairs) < min_pairs:
                raise
            return error.pairs

    # the scarcest first
    similar_picture_pairs = select_pairs(
        "similar", lambda rng: find_similar_pairs(index, similarity, rng, pair_count, used_pictures, progress)
    )
    different_picture_pairs = select_pairs(
        "different", lambda rng: find_different_pairs(index, rng, pair_count, used_pictures)
    )
    same_picture_pairs = select_pairs("same", lambda rng: choose_same_pictures(index, rng, pair_count, used_pictures))
    return {"same": same_picture_pairs, "similar": similar_picture_pairs, "different": different_picture_pairs}
