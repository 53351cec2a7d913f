"""The pictures in assets/: all that the manifest names is there, as it was recorded, described, and small enough."""

import hashlib
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).parents[1]
ASSETS = ROOT / "assets"
MANIFEST = json.loads((ASSETS / "manifest.json").read_text(encoding="utf-8"))
PICTURES = MANIFEST["pictures"]
BY_KIND = {
    kind: [id for id, entry in PICTURES.items() if entry["kind"] == kind] for kind in ("room", "objects", "scene")
}
DESCRIPTIONS = {id: json.loads((ASSETS / f"{id}.json").read_text(encoding="utf-8")) for id in PICTURES}
COLOURS = {
    "red",
    "orange",
    "yellow",
    "green",
    "blue",
    "purple",
    "pink",
    "brown",
    "black",
    "white",
    "grey",
    "beige",
    "cyan",
}


def test_files_and_manifest_agree():
    stored = {str(path.relative_to(ASSETS).with_suffix("")) for path in ASSETS.glob("*/*.webp")}
    assert stored == set(PICTURES)
    described = {str(path.relative_to(ASSETS).with_suffix("")) for path in ASSETS.glob("*/*.json")}
    assert described == stored
    for id, entry in PICTURES.items():
        data = (ASSETS / entry["file"]).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (entry["bytes"], entry["sha256"]), id


def test_the_page_of_all_pictures_counts_them():
    """`python assets/draw/sheet.py` writes it again."""
    page = (ASSETS.parent / "docs" / "assets.md").read_text(encoding="utf-8")
    size = sum(entry["bytes"] for entry in PICTURES.values()) / 1e6
    assert f"{len(PICTURES)} pictures ({size:.1f} MB)" in page
    sections = [int(count) for count in re.findall(r"^## .* (\d+) pictures$", page, re.MULTILINE)]
    assert sum(sections) == len(PICTURES)


def test_all_of_assets_stays_small():
    assert sum(path.stat().st_size for path in ASSETS.rglob("*") if path.is_file()) < 25_000_000


def test_there_is_enough_of_everything():
    takes = Counter(PICTURES[id]["category"] for id in BY_KIND["room"])
    assert len(takes) >= 24 and min(takes.values()) >= 6, takes
    assert len(BY_KIND["objects"]) >= 150
    assert len(BY_KIND["scene"]) >= 40


@pytest.mark.parametrize("id", PICTURES)
def test_a_picture_is_as_described(id):
    entry, told = PICTURES[id], DESCRIPTIONS[id]
    with Image.open(ASSETS / entry["file"]) as image:
        assert image.size == (entry["width"], entry["height"]) == (told["width"], told["height"])
        assert image.format == "WEBP" and min(image.width / 480, image.height / 360) >= 1
        assert not image.getexif() and not {"exif", "xmp", "icc_profile"} & set(image.info)
        assert max(band[1] - band[0] for band in image.convert("RGB").getextrema()) > 100, "hardly anything to see"
    assert (told["id"], told["kind"], told["category"]) == (id, entry["kind"], entry["category"])
    ids = [thing["id"] for thing in told["objects"]]
    assert len(ids) >= 3 and len(set(ids)) == len(ids)
    for thing in told["objects"]:
        x, y, width, height = thing["box"]
        assert 0 <= x < x + width <= told["width"] and 0 <= y < y + height <= told["height"], thing
        assert 0 <= thing["visible"] <= 1
        assert re.fullmatch(r"[A-Za-z][A-Za-z' -]*", thing["name"]), thing["name"]
    for subject, word, other in told["relations"]:
        assert word in ("on", "left of", "in front of") and {subject, other} <= set(ids) and subject != other


def test_object_scenes_are_in_the_manner_of_clevr():
    colours = Counter()
    for id in BY_KIND["objects"]:
        things = DESCRIPTIONS[id]["objects"]
        assert 3 <= len(things) <= 10, id
        for thing in things:
            size, colour, material = thing["attributes"]
            assert size in ("small", "medium", "large") and material in ("metal", "rubber")
            colours[colour] += 1
    assert set(colours) <= COLOURS and len(colours) == 8


@pytest.mark.parametrize("kind", ["objects", "scene"])
def test_families_differ_in_one_thing_that_is_named(kind):
    families = {}
    for id in BY_KIND[kind]:
        families.setdefault(DESCRIPTIONS[id]["family"], []).append(id)
    for family, ids in families.items():
        assert len(ids) >= 2, family
        changes = [DESCRIPTIONS[id]["change"] for id in ids]
        assert [id for id, change in zip(ids, changes, strict=True) if change is None] == [ids[0]], family
        assert all(change["words"] for change in changes[1:])
        assert len({json.dumps(DESCRIPTIONS[id]["objects"]) for id in ids}) == len(ids), family


@pytest.mark.parametrize(
    ("id", "name", "count", "words"),
    [
        ("rooms/swimming-pool-1", "lane rope", 4, ["red", "white"]),
        ("rooms/bathroom-1", "shower curtain", 1, ["red", "white", "striped"]),
        ("rooms/bathroom-3", "washbasin", 2, ["white"]),
        ("rooms/bathroom-6", "cup", 1, ["white", "with 2 toothbrushes"]),
        ("rooms/garage-3", "bulb", 2, ["lit"]),
        ("rooms/cafe-5", "candle", 4, ["white", "lit"]),
        ("rooms/workshop-1", "screwdriver", 2, ["yellow"]),
        ("rooms/shop-3", "cake", 8, []),
        ("rooms/kitchen-2", "microwave", 1, []),
        ("rooms/living-room-3", "floor lamp", 1, ["white"]),
        ("scenes/balcony-a", "parasol", 1, ["red", "white"]),
        ("scenes/worktop-a", "mug", 7, []),
        ("scenes/worktop-a", "stack of plates", 3, []),
        ("scenes/breakfast-c", "bread", 1, []),
        ("scenes/breakfast-c", "knife", 1, []),
        ("scenes/fruit-still-life-a", "apple", 4, []),
        ("scenes/window-sill-c", "cat", 1, ["black", "white"]),
    ],
)
def test_things_are_described_as_they_are_seen(id, name, count, words):
    things = [thing for thing in DESCRIPTIONS[id]["objects"] if thing["name"] == name]
    assert len(things) == count
    assert all({*words} <= {*thing["attributes"]} for thing in things)


@pytest.mark.parametrize(
    ("id", "name", "details"),
    [
        ("rooms/bathroom-5", "bathtub", ["with golden metal feet"]),
        ("rooms/church-3", "pew", ["with red cushion"]),
        ("rooms/cinema-5", "screen", ["showing 3 fish and seaweed under water"]),
        ("rooms/staircase-4", "cat", ["lying"]),
        ("scenes/balcony-a", "chair", ["with light blue seat"]),
        ("scenes/desk-b", "desk", ["with 3 brown wooden drawers"]),
        ("scenes/workbench-a", "workbench", ["with light brown wooden legs", "with 3 light brown wooden drawers"]),
    ],
)
def test_parts_and_states_are_described_as_they_are_seen(id, name, details):
    assert details in [thing.get("details") for thing in DESCRIPTIONS[id]["objects"] if thing["name"] == name]


@pytest.mark.parametrize(
    ("id", "name", "colour"),
    [
        ("scenes/breakfast-a", "chair", "green"),  # its cushion is hidden by the table
        ("rooms/study-4", "book", "red"),  # only white pages show
        ("rooms/wine-cellar-3", "bar stool", "black"),
    ],
)
def test_a_colour_that_does_not_show_is_not_described(id, name, colour):
    things = [thing for thing in DESCRIPTIONS[id]["objects"] if thing["name"] == name]
    assert things and not any(colour in thing["attributes"] for thing in things)


@pytest.mark.parametrize(
    ("id", "colour", "other"),
    [
        ("rooms/art-gallery-4", "red", "orange"),
        ("rooms/art-gallery-6", "dark grey", "brown"),
        ("rooms/cafe-3", "dark green", "cyan"),
        ("rooms/cafe-6", "yellow", "cyan"),
        ("rooms/living-room-3", "purple", "blue"),
        ("rooms/nursery-6", "light purple", "white"),
        ("rooms/staircase-3", "yellow", "red"),
        ("rooms/study-1", "light green", "brown"),
        ("rooms-similar/nursery-6", "light purple", "white"),
        ("scenes/fireplace-a", "dark green", "cyan"),
    ],
)
def test_walls_have_the_colour_that_a_viewer_would_name(id, colour, other):
    walls = [surface for surface in DESCRIPTIONS[id]["surfaces"] if surface["name"] == "wall"]
    assert walls and colour in walls[0]["attributes"] and other not in walls[0]["attributes"]
