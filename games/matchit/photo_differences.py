"""Where two pictures differ, for a debriefing: in words, and as boxes around the things that differ.

Things of the same name are paired by look and place, equal ones first, so that an added cushion is not mistaken for
another cushion of a new colour. Pictures that have almost nothing in common are described side by side instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from games.common.language.scene_answers import SceneAnswerer
from games.common.language.scenes import Scene
from games.common.language.things import SceneThing
from games.common.language.wording import add_article, join_list, say_count, spell_out_number
from games.common.pictures import PictureDescription

MAX_DIFFERENCES = 8
"""The most differences that are put into words; the others are counted."""
MIN_MOVE_SHARE = 0.12
"""A thing has moved if its centre is further than this share of the picture to a side, up or down."""
MIN_VISIBLE_SHARE = 0.35
"""The least visible share of a thing at which its absence from the other picture is a difference."""

Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class PhotoDifference:
    """A difference in words, its share of the picture, and the thing on either side, None if it is absent."""

    sentence: str
    picture_share: float
    object_a: SceneThing | None = None
    object_b: SceneThing | None = None


def find_differences(
    a: PictureDescription, b: PictureDescription, is_related_pair: bool
) -> tuple[list[str], dict[str, list[Box]]]:
    """Return the differences, and their boxes per side; related pictures are compared thing by thing."""
    sides = [SceneAnswerer(Scene(description.model_dump(mode="json"))) for description in (a, b)]
    if a.id == b.id:
        return [], {"A": [], "B": []}
    if not is_related_pair:
        return _describe_both_pictures(*sides), {"A": [], "B": []}
    found_differences = sorted(Comparison(*sides).find_differences(), key=lambda difference: -difference.picture_share)
    sentences = [difference.sentence for difference in found_differences[:MAX_DIFFERENCES]]
    if unlisted_count := len(found_differences) - MAX_DIFFERENCES if len(found_differences) > MAX_DIFFERENCES else 0:
        sentences.append(f"and {spell_out_number(unlisted_count)} smaller {'one' if unlisted_count == 1 else 'ones'}")
    boxes_by_seat = {
        "A": _list_boxes(
            (difference.object_a for difference in found_differences[:MAX_DIFFERENCES]), a.width, a.height
        ),
        "B": _list_boxes(
            (difference.object_b for difference in found_differences[:MAX_DIFFERENCES]), b.width, b.height
        ),
    }
    return (sentences or ["they differ in small things only"]), boxes_by_seat


def _list_boxes(objects: Iterable[SceneThing | None], width: int, height: int) -> list[Box]:
    """Return the boxes of things in pixels, without duplicates."""
    return list(dict.fromkeys(_scale_to_pixels(item.box, width, height) for item in objects if item and item.box))


def _scale_to_pixels(box: tuple[float, float, float, float], picture_width: int, height: int) -> Box:
    x1, y1, x2, y2 = box
    return (round(x1 * picture_width), round(y1 * height), round((x2 - x1) * picture_width), round((y2 - y1) * height))


def _describe_both_pictures(answerer_a: SceneAnswerer, answerer_b: SceneAnswerer) -> list[str]:
    sentences = []
    category_a, category_b = answerer_a.scene.category, answerer_b.scene.category
    if category_a and category_b and category_a != category_b:
        sentences.append(f"A sees {add_article(category_a)}, B {add_article(category_b)}")
    for seat, side in (("A", answerer_a), ("B", answerer_b)):
        objects = sorted((item for item in side.scene.things if item.is_prominent), key=lambda item: -item.size)
        if objects:
            names = {item.name: None for item in objects}
            group_phrases = [side.group([item for item in objects if item.name == name]) for name in list(names)[:5]]
            sentences.append(f"{seat} has {join_list(group_phrases)}")
    return sentences


class Comparison:
    """Compares two related pictures thing by thing."""

    def __init__(self, answerer_a: SceneAnswerer, answerer_b: SceneAnswerer) -> None:
        self.answerer_a, self.answerer_b = answerer_a, answerer_b

    def find_differences(self) -> Iterator[PhotoDifference]:
        """Yield the differences in no particular order."""
        names = dict.fromkeys(item.name for side in (self.answerer_a, self.answerer_b) for item in side.scene.things)
        for name in names:
            objects_a, objects_b = (
                [item for item in side.scene.things if item.name == name] for side in (self.answerer_a, self.answerer_b)
            )
            object_pairs, unpaired_objects_a, unpaired_objects_b = pair_objects(objects_a, objects_b)
            for object_a, object_b in object_pairs:
                yield from self._compare_objects(object_a, object_b)
            yield from self._report_unpaired_objects(
                name, unpaired_objects_a, unpaired_objects_b, (len(objects_a), len(objects_b))
            )

    def _report_unpaired_objects(
        self,
        object_name: str,
        unpaired_objects_a: Sequence[SceneThing],
        unpaired_objects_b: Sequence[SceneThing],
        object_counts: tuple[int, int],
    ) -> Iterator[PhotoDifference]:
        """Yield the things that only one side has."""
        seat_objects = [*(("A", item) for item in unpaired_objects_a), *(("B", item) for item in unpaired_objects_b)]
        for object_index, (seat, item) in enumerate(
            (seat, item) for seat, item in seat_objects if item.visible >= MIN_VISIBLE_SHARE
        ):
            object_by_field = {"object_a": item} if seat == "A" else {"object_b": item}
            answerer = self.answerer_a if seat == "A" else self.answerer_b
            if min(object_counts):
                if object_index:  # the first difference states the numbers already
                    continue
                sentence = (
                    f"A has {say_count(object_counts[0], object_name)}, B has {spell_out_number(object_counts[1])}"
                )
            else:
                place_phrase = answerer.describe_place(item, is_short=item.support not in answerer.scene.by_id)
                sentence = f"only {seat} has {add_article(answerer.describe_thing(item))}"
                sentence += f", {place_phrase}" if place_phrase else ""
            yield PhotoDifference(sentence, item.size + 0.05, **object_by_field)

    def _compare_objects(self, object_a: SceneThing, object_b: SceneThing) -> Iterator[PhotoDifference]:
        """Yield the changes of a thing: its look, its support or its place."""
        if min(object_a.visible, object_b.visible) < MIN_VISIBLE_SHARE or not (
            object_a.is_prominent or object_b.is_prominent
        ):
            return
        size, name = max(object_a.size, object_b.size), self._make_distinct_name(object_a)
        extra_words_a = [word for word in object_a.words if word not in object_b.words]
        extra_words_b = [word for word in object_b.words if word not in object_a.words]
        if extra_words_a or extra_words_b:
            appearance_words_a = join_list(extra_words_a) or f"not {join_list(extra_words_b)}"
            appearance_words_b = join_list(extra_words_b) or f"not {join_list(extra_words_a)}"
            yield PhotoDifference(
                f"the {name} is {appearance_words_a} for A, {appearance_words_b} for B", size, object_a, object_b
            )
        object_below_a, object_below_b = (
            self.answerer_a.scene.by_id.get(object_a.support),
            self.answerer_b.scene.by_id.get(object_b.support),
        )
        if object_below_a and object_below_b and object_below_a.name != object_below_b.name:
            sentence = f"the {name} is on the {object_below_a.name} for A, on the {object_below_b.name} for B"
            yield PhotoDifference(sentence, size, object_a, object_b)
        elif max(abs(object_a.x - object_b.x), abs(object_a.y - object_b.y)) > MIN_MOVE_SHARE:
            yield PhotoDifference(f"the {name} is {self._describe_move(object_a, object_b)}", size, object_a, object_b)

    def _make_distinct_name(self, scene_object: SceneThing) -> str:
        """Return the name, with the look or the side if A has several."""
        same_name_objects = [
            same_name_object
            for same_name_object in self.answerer_a.scene.things
            if same_name_object.name == scene_object.name
        ]
        if len(same_name_objects) == 1:
            return scene_object.name
        if (
            sum(same_name_object.words == scene_object.words for same_name_object in same_name_objects) == 1
            and scene_object.words
        ):
            return self.answerer_a.describe_thing(scene_object)
        return f"{scene_object.name} {self.answerer_a.side(scene_object)}"

    def _describe_move(self, object_a: SceneThing, object_b: SceneThing) -> str:
        """Return "left of the sofa on A's picture, right of it on B's", or by sides, or by how far."""
        for landmark in sorted(self.answerer_a.scene.things, key=lambda scene_object: -scene_object.size):
            landmark_b = self.answerer_b.scene.by_id.get(landmark.id)
            if landmark.name == object_a.name or landmark_b is None or landmark_b.name != landmark.name:
                continue
            offset_a, offset_b = object_a.x - landmark.x, object_b.x - landmark_b.x
            is_landmark_fixed = abs(landmark.x - landmark_b.x) < MIN_MOVE_SHARE / 2
            if offset_a * offset_b < 0 and min(abs(offset_a), abs(offset_b)) > 0.04 and is_landmark_fixed:
                direction_a, direction_b = ("left of", "right of") if offset_a < 0 else ("right of", "left of")
                return f"{direction_a} the {landmark.name} on A's picture, {direction_b} it on B's"
        if self.answerer_a.side(object_a) != self.answerer_a.side(object_b):
            return f"{self.answerer_a.side(object_a)} for A, {self.answerer_a.side(object_b)} for B"
        if abs(object_a.y - object_b.y) > abs(object_a.x - object_b.x):
            is_object_a_higher = object_a.y < object_b.y
            return f"{'higher up or further back' if is_object_a_higher else 'lower or nearer'} for A than for B"
        return f"further {'left' if object_a.x < object_b.x else 'right'} for A than for B"


def pair_objects(
    a: Sequence[SceneThing], b: Sequence[SceneThing]
) -> tuple[list[tuple[SceneThing, SceneThing]], list[SceneThing], list[SceneThing]]:
    """Pair things of one name: return the pairs, then the things that only A has and those that only B has."""
    ranked_costs = sorted(
        (_measure_difference(object_a, object_b), i, j) for i, object_a in enumerate(a) for j, object_b in enumerate(b)
    )
    paired_indices_a: set[int] = set()
    paired_indices_b: set[int] = set()
    object_pairs = []
    for _, i, j in ranked_costs:
        if i not in paired_indices_a and j not in paired_indices_b:
            paired_indices_a.add(i)
            paired_indices_b.add(j)
            object_pairs.append((a[i], b[j]))
    unpaired_objects_a = [scene_object for i, scene_object in enumerate(a) if i not in paired_indices_a]
    return (
        object_pairs,
        unpaired_objects_a,
        [scene_object for j, scene_object in enumerate(b) if j not in paired_indices_b],
    )


def _measure_difference(object_a: SceneThing, object_b: SceneThing) -> float:
    """Return how much two things differ in place and in look; each different word counts like 0.3 of the picture."""
    place_distance = abs(object_a.x - object_b.x) + abs(object_a.y - object_b.y)
    return place_distance + 0.3 * len(set(object_a.words) ^ set(object_b.words))
