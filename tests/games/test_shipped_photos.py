"""The shipped photo pairs of MatchIt: their number, thresholds, metadata and differences."""

import json
import re
from itertools import permutations
from pathlib import Path

from games.common import pictures
from games.matchit import board, instances, photo_pairs

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = json.loads((ROOT / "instances" / "matchit" / "picture.json").read_text(encoding="utf-8"))["experiments"]
PHOTOS = [(name, entry) for name in SHIPPED if name.startswith("photos-") for entry in SHIPPED[name]]
WEBP = {b"VP8 ", b"VP8L", b"ALPH"}
"""The chunks of a WebP that are pixels; VP8X, EXIF, XMP and ICCP would be more."""


def chunks(data: bytes) -> list[bytes]:
    """The names of the chunks of a WebP; fails for trailing bytes."""
    assert data[:4] == b"RIFF" and data[8:12] == b"WEBP" and int.from_bytes(data[4:8], "little") + 8 == len(data)
    found, at = [], 12
    while at < len(data):
        found.append(data[at : at + 4])
        length = int.from_bytes(data[at + 4 : at + 8], "little")
        at += 8 + length + length % 2
    return found


def test_there_are_ten_pairs_of_each_relation_within_the_thresholds():
    assert [len(SHIPPED[f"photos-{name}"]) for name in ("same", "similar", "different")] == [10, 10, 10]
    used = []
    for _, entry in PHOTOS:
        pair = instances.load(entry)
        used += sorted({pair.a, pair.b})
        shared = pictures.jaccard(*(pictures.labels(pictures.LIBRARY.description(id)) for id in (pair.a, pair.b)))
        assert {"same": shared == 1, "similar": shared > 0.22, "different": shared <= 0.05}[pair.relation]
    assert len(used) == len(set(used))


def test_served_photos_have_no_metadata():
    for _, entry in PHOTOS:
        pair = instances.load(entry)
        for side in "AB":
            served = board.make_picture(pair, side)
            assert served.media_type == "image/webp" and set(chunks(served.data)) <= WEBP
            told = json.dumps(served.description)
            assert pair.a not in told and pair.b not in told and "family" not in told


def test_similar_and_different_photos_have_described_differences():
    for name, entry in PHOTOS:
        found = board.find_side_differences(instances.load(entry))
        assert bool(found.sentences) == (name != "photos-same")
        assert name != "photos-similar" or found.boxes["A"] or found.boxes["B"]


RECOLOURED = re.compile(r"the (.+) is (.+) for A, (.+) for B")
"""How a debriefing says that a thing looks different on the two sides."""


def find_contradictions(a: str, b: str) -> list[str]:
    """Return the stated differences in look for which there are as many such things on the other side, too."""
    sides = [pictures.LIBRARY.description(id).objects for id in (a, b)]
    known_words = {word for things in sides for thing in things for word in thing.attributes}
    wrong = []
    for words in board.find_side_differences(
        instances.PhotoPair.model_construct(relation="similar", a=a, b=b)
    ).sentences:
        if match := RECOLOURED.fullmatch(words):
            names = {thing.name for things in sides for thing in things if match[1].endswith(thing.name)}
            other_words = set(match[1].split()) & known_words - {match[2], match[3]}
            for look, here, there in ((match[2], *sides), (match[3], *reversed(sides))):
                looks = {look, *other_words}
                count, other_count = (
                    sum(thing.name in names and looks <= set(thing.attributes) for thing in things)
                    for things in (here, there)
                )
                if count and count <= other_count:
                    wrong.append(f"{a}, {b}: {words}")
    return wrong


def test_a_stated_difference_is_not_contradicted_by_another_object():
    """A cushion that was added must not make a yellow one, which is on both sides, seem to be white on one."""
    families: dict[str, list[str]] = {}
    for id in pictures.LIBRARY.ids(set_name="ludens"):
        families.setdefault(pictures.LIBRARY.description(id).family or id, []).append(id)
    related = [pair for ids in families.values() for pair in permutations(ids, 2)]
    assert len(related) > 500
    assert [wrong for a, b in related for wrong in find_contradictions(a, b)] == []


def test_every_shipped_similar_pair_of_rooms_differs_as_it_says():
    """Compare the stated differences with the words that the drawing script recorded."""
    rooms = [entry for name, entry in PHOTOS if name == "photos-similar" and "rooms" in entry["a"]]
    assert len(rooms) == len(photo_pairs.ROOM_PAIR_POSITIONS)
    for entry in rooms:
        [change] = filter(None, (pictures.LIBRARY.description(entry[side]).change for side in "ab"))
        found = board.find_side_differences(instances.load(entry)).sentences
        assert len(found) == len(change["words"].split(" and ")), found
