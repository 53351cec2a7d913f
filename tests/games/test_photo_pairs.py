"""MatchIt's photo pairs: claims are checked, sets made by the paper's procedure, differences told, bytes plain.

What is made up here stands in a temporary library; the shipped set is looked at in test_shipped_photos.py.
"""

import json
import sys
from pathlib import Path
from random import Random

import pytest
from pydantic import ValidationError

sys.path.insert(0, str(Path(__file__).parent))
from made_pictures import STAND, changed, library, objects, room

from games.common import pairs, pictures
from games.matchit import board, experiments, instances, photo_pairs
from games.matchit.instances import PhotoPair

ROOT = Path(__file__).resolve().parents[2]
WEBP = {b"VP8 ", b"VP8L", b"ALPH"}
"""The chunks of a WebP that are pixels; VP8X, EXIF, XMP and ICCP would be more."""


def made() -> dict[str, dict]:
    """Rooms, everyday scenes in pairs and object scenes in families, as descriptions."""
    rng = Random(8)
    found: dict[str, dict] = {}
    for category in STAND:
        for n in range(6):
            found[f"rooms/{category.replace(' ', '-')}-{n}"] = room(category, rng)
    for name in [f"{category.replace(' ', '-')}-{n}" for category in STAND for n in range(3)]:
        twin, _ = changed(found[f"rooms/{name}"], rng)
        change = {"kind": "number", "object": "x 1", "words": "zebra"}
        found[f"rooms-similar/{name}"] = twin | {"family": f"rooms/{name}", "change": change}
    for n in range(16):
        base = room(rng.choice(list(STAND)), rng) | {"kind": "scene", "category": None}
        for letter, one in (("a", base), ("b", changed(base, rng)[0])):
            change = None if letter == "a" else {"kind": "number", "object": "x 1", "words": "zebra"}
            found[f"scenes/pair-{n:02}-{letter}"] = one | {"family": f"pair-{n:02}", "change": change}
    for n in range(10):
        base = objects(rng)
        for letter, one in (("a", base), ("b", changed(base, rng)[0])):
            found[f"objects/family-{n:02}-{letter}"] = one | {"family": f"family-{n:02}", "change": None}
    return found


@pytest.fixture(scope="module")
def made_library(tmp_path_factory):
    """A library of made pictures in place of the shipped one."""
    from _pytest.monkeypatch import MonkeyPatch

    there = library(tmp_path_factory.mktemp("assets"), made())
    with MonkeyPatch.context() as patch:
        patch.setattr(pictures, "LIBRARY", there)
        patch.setattr(pairs, "MAX_SIMILARITY", 2.0)  # these are noise, which looks alike
        patch.setattr("games.common.similarity.HashSimilarity.threshold", 0.0)
        _forget()
        yield there
    _forget()


def _forget():
    photo_pairs._group_families.cache_clear()
    instances._load_json.cache_clear()


def photo(relation, a, b):
    return {"kind": "photo", "relation": relation, "a": a, "b": b}


@pytest.mark.slow
def test_pairs_are_of_all_kinds_and_no_picture_is_used_twice(made_library):
    found = instances.make_experiments("picture", 0)
    assert {name: len(each) for name, each in found.items()} == dict.fromkeys(experiments.EXPERIMENTS["picture"], 10)
    photos = [pair for name, each in found.items() if name.startswith("photos-") for pair in each]
    used = [id for pair in photos for id in sorted({pair.a, pair.b})]
    assert len(used) == len(set(used)) == 50
    similar = found["photos-similar"]
    assert sum(pair.a.startswith("scenes/") for pair in similar) == 4
    assert [n for n, pair in enumerate(similar) if pair.a.startswith("rooms")] == list(photo_pairs.ROOM_PAIR_POSITIONS)
    twins = pictures.map_changed_rooms_to_originals()
    assert all(twins.get(pair.a) == pair.b or twins.get(pair.b) == pair.a for pair in similar if "room" in pair.a)
    assert not [pair for pair in photos if pair.relation != "similar" and {pair.a, pair.b} & set(twins)]
    assert {pair.a.partition("/")[0] for pair in found["photos-same"]} == {"rooms", "scenes", "objects"}
    for name, each in found.items():
        assert all(instances.check(name, pair) is None for pair in each)
    for pair in photos:
        shared = pictures.jaccard(*(pictures.labels(made_library.description(id)) for id in (pair.a, pair.b)))
        assert {"same": shared == 1, "similar": shared > 0.22, "different": shared <= 0.05}[pair.relation]


def test_the_file_depends_on_the_seed_alone(made_library):
    assert instances.make_file("picture", 1) == instances.make_file("picture", 1) != instances.make_file("picture", 2)


def test_rejected_pairs_are_not_used(made_library, monkeypatch):
    first = instances.make_experiments("picture", 0)
    bad = {name: first[name][0] for name in ("photos-similar", "photos-different")}
    refused = {frozenset((pair.a, pair.b)): "a test" for pair in bad.values()}
    monkeypatch.setattr(photo_pairs, "read_rejected_pairs", lambda: refused)
    again = instances.make_experiments("picture", 0)
    for name in bad:
        assert len(again[name]) == 10
        assert not any(frozenset((pair.a, pair.b)) in refused for pair in again[name])


def test_too_few_pictures_are_reported(made_library, monkeypatch):
    monkeypatch.setattr(photo_pairs, "SAME_PAIR_COUNTS", (("room", 999),))
    with pytest.raises(pairs.TooFewPairs, match="of 999 drawn pictures of kind 'room'"):
        instances.make_experiments("picture", 0)


def test_without_drawn_pictures_there_are_only_boards(tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "LIBRARY", pictures.Library(tmp_path, tmp_path))
    assert list(instances.make_experiments("picture", 0)) == [
        "pentomino-same",
        "pentomino-similar",
        "pentomino-different",
    ]


@pytest.mark.parametrize(
    ("relation", "a", "b", "why"),
    [
        ("same", "rooms/kitchen-1", "rooms/kitchen-2", "field b: same pictures are one"),
        ("similar", "rooms/kitchen-1", "rooms/kitchen-1", "field b: similar pictures are two"),
        ("different", "rooms/kitchen-1", "rooms/kitchen-1", "field b: different pictures are two"),
        ("similar", "rooms/kitchen-1", "rooms/garage-2", "above 0.22, these 0.000"),
        ("different", "scenes/pair-00-a", "scenes/pair-00-b", "at most 0.05"),
        ("same", "rooms/palace-1", "rooms/palace-1", "field a: no picture 'rooms/palace-1'"),
        ("different", "rooms/kitchen-1", "visual-genome/5", "field b: .*ludens assets import visual-genome"),
        ("same", "../../etc/passwd", "../../etc/passwd", "field a: the picture '../../etc/passwd' is not here"),
    ],
)
def test_a_wrong_relation_is_reported_with_its_field(made_library, relation, a, b, why):
    with pytest.raises(ValidationError, match=why):
        instances.load(photo(relation, a, b))


def test_the_correct_decision_does_not_need_the_pictures():
    gone = photo("similar", "visual-genome/1", "visual-genome/2")
    assert instances.find_expected_decision(gone) == "different"
    assert instances.find_expected_decision(photo("same", "x/1", "x/1")) == "same"


def test_served_pictures_reveal_nothing_about_the_other_side(made_library):
    pair = PhotoPair(relation="similar", a="scenes/pair-01-a", b="scenes/pair-01-b")
    for side in "AB":
        served = board.make_picture(pair, side)
        assert (served.media_type, served.width, served.height) == ("image/webp", 480, 360)
        assert set(chunks(served.data)) <= WEBP
        assert served.credit == ""
        told = json.dumps(served.description)
        assert not [word for word in ("pair-01", "scenes", "zebra", "family", "change") if word in told]


def chunks(data: bytes) -> list[bytes]:
    """The names of the chunks of a WebP; fails for trailing bytes."""
    assert data[:4] == b"RIFF" and data[8:12] == b"WEBP" and int.from_bytes(data[4:8], "little") + 8 == len(data)
    found, at = [], 12
    while at < len(data):
        found.append(data[at : at + 4])
        length = int.from_bytes(data[at + 4 : at + 8], "little")
        at += 8 + length + length % 2
    return found


def pair_of(*changes, base=None):
    """Two descriptions: LIVING, and LIVING changed; of one family."""
    from test_photo_partner import LIVING

    base = base or LIVING
    other = json.loads(json.dumps(base))
    for change in changes:
        change(other)
    return [
        pictures.PictureDescription.model_validate(one | {"id": id, "family": "f"})
        for one, id in ((base, "a"), (other, "b"))
    ]


def attributes(number, words):
    return lambda one: one["objects"][number].update(attributes=words)


def moved(number, x):
    return lambda one: one["objects"][number]["box"].__setitem__(0, x)


def gone(number):
    return lambda one: one["objects"].pop(number)


def on(id, support):
    return lambda one: one["relations"].append([id, "on", support]) or one["relations"].remove([id, "on", "sofa 1"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (attributes(0, ["red"]), "the sofa is blue for A, red for B"),
        (attributes(8, ["white"]), "the floor lamp is lit for A, not lit for B"),
        (gone(4), "only A has a grey cat, on the sofa"),
        (gone(3), "A has three cushions, B has two"),
        (moved(8, 10), "the floor lamp is right of the sofa on A's picture, left of it on B's"),
        (on("cat 1", "rug 1"), "the cat is on the sofa for A, on the rug for B"),
    ],
)
def test_differences_are_described_and_marked(change, words):
    from games.matchit.photo_differences import find_differences

    a, b = pair_of(change)
    said, boxes = find_differences(a, b, is_related_pair=True)
    assert said == [words]
    assert boxes["A"] and (boxes["B"] or "only A" in words or "two" in words)
    assert all(x >= 0 and x + w <= 480 and y >= 0 and y + h <= 360 for x, y, w, h in boxes["A"] + boxes["B"])
    assert find_differences(a, a, is_related_pair=True) == ([], {"A": [], "B": []})


def test_different_pictures_are_described_side_by_side():
    from made_pictures import scene, thing

    from games.matchit.photo_differences import find_differences

    bath = scene("room", "bathroom", [thing("bathtub 1", "bathtub", ["white"], [20, 100, 200, 90])], [])
    a = pair_of()[0]
    said, boxes = find_differences(
        a, pictures.PictureDescription.model_validate(bath | {"id": "b"}), is_related_pair=False
    )
    assert said[0] == "A sees a living room, B a bathroom" and said[2] == "B has a white bathtub"
    assert boxes == {"A": [], "B": []}


# ---------------------------------------------------------------------- the shipped set
