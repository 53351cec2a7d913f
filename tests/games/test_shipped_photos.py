"""The shipped photo pairs of MatchIt: their number, thresholds, metadata and differences."""

import json
from pathlib import Path

from games.common import pictures
from games.matchit import board, instances

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
            served = board.picture(pair, side)
            assert served.media_type == "image/webp" and set(chunks(served.data)) <= WEBP
            told = json.dumps(served.description)
            assert pair.a not in told and pair.b not in told and "family" not in told


def test_similar_and_different_photos_have_described_differences():
    for name, entry in PHOTOS:
        found = board.side_differences(instances.load(entry))
        assert bool(found.words) == (name != "photos-same")
        assert name != "photos-similar" or found.boxes["A"] or found.boxes["B"]
