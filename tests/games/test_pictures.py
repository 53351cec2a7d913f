"""The library of pictures: lookup by id, pictures without metadata, paths within the folder, broken sets."""

import hashlib
import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, PngImagePlugin

from games.common.pictures import (
    BadSet,
    Library,
    PictureDescription,
    PictureObject,
    UnknownPicture,
    description_line,
    find_most_similar,
    jaccard,
    labels,
    read_registered_set,
)
from games.common.playable import BadPicture, holds_only_pixels, make_playable_picture, open_picture


def encoded(kind: str = "JPEG", size: tuple[int, int] = (64, 48), colour: str = "teal", **options: Any) -> bytes:
    """Return the bytes of a picture of one colour with a stripe."""
    image = Image.new("RGB", size, colour)
    image.paste("white", (0, 0, size[0] // 4, size[1]))
    out = BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def exif(orientation: int = 1) -> Image.Exif:
    found = Image.Exif()
    found[0x0112] = orientation
    found[0x010E] = "taken in the cellar"
    return found


# ------------------------------------------------------------------ plain
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_picture_without_metadata_is_unchanged(kind: str) -> None:
    data = encoded(kind)
    assert holds_only_pixels(data, kind)
    assert make_playable_picture(data).data == data
    assert make_playable_picture(data)[1:] == (f"image/{kind.lower()}", 64, 48)


def text_chunk() -> PngImagePlugin.PngInfo:
    info = PngImagePlugin.PngInfo()
    info.add_text("Title", "bedroom-1")
    return info


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("JPEG", {"exif": exif()}),
        ("JPEG", {"comment": b"bedroom-1"}),
        ("JPEG", {"xmp": b"<x/>"}),
        ("JPEG", {"icc_profile": b"no profile"}),
        ("PNG", {"pnginfo": text_chunk()}),
        ("PNG", {"exif": exif()}),
        ("PNG", {"dpi": (300, 300)}),
        ("WEBP", {"exif": exif()}),
        ("WEBP", {"xmp": b"<x/>"}),
        ("WEBP", {"lossless": True, "icc_profile": b"no profile"}),
    ],
)
def test_metadata_is_removed(kind: str, options: dict[str, Any]) -> None:
    data = encoded(kind, **options)
    assert not holds_only_pixels(data, kind)
    playable = make_playable_picture(data)
    assert holds_only_pixels(playable.data, kind)
    assert b"bedroom" not in playable.data and b"cellar" not in playable.data
    assert not set(open_picture(playable.data).info) & {"exif", "xmp", "icc_profile", "comment", "Title", "dpi"}


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_trailing_bytes_are_removed(kind: str) -> None:
    playable = make_playable_picture(encoded(kind) + b"bedroom-1!")
    assert b"bedroom" not in playable.data
    assert holds_only_pixels(playable.data, kind)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_truncated_picture_is_refused(kind: str) -> None:
    data = encoded(kind)
    with pytest.raises(BadPicture):
        make_playable_picture(b"")
    for length in range(1, len(data) - 30, 7):  # the last bytes of a PNG are only checksums
        with pytest.raises(BadPicture):
            make_playable_picture(data[:length])


@given(st.binary(max_size=200))
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(BadPicture):
        make_playable_picture(data)


@given(st.sampled_from(["JPEG", "PNG", "WEBP"]), st.integers(0, 400), st.integers(0, 255))
def test_a_damaged_picture_is_refused_or_has_no_metadata(kind: str, at: int, byte: int) -> None:
    data = bytearray(encoded(kind))
    data[at % len(data)] = byte
    try:
        playable = make_playable_picture(bytes(data))
    except BadPicture:
        return
    assert holds_only_pixels(playable.data, kind)


@pytest.mark.parametrize("size", [(9000, 9000), (12000, 12000), (30000, 30000)])
def test_a_decompression_bomb_is_refused_by_its_size(size: tuple[int, int]) -> None:
    header = bytearray(encoded("PNG", (1, 1)))
    header[16:24] = size[0].to_bytes(4, "big") + size[1].to_bytes(4, "big")
    import zlib

    header[29:33] = zlib.crc32(bytes(header[12:29])).to_bytes(4, "big")
    with pytest.raises(BadPicture, match="pixels"):
        make_playable_picture(bytes(header))


def test_a_large_picture_is_scaled_down_and_rotated_as_its_exif_says() -> None:
    playable = make_playable_picture(encoded("JPEG", (3000, 1500), exif=exif(6)))
    assert (playable.width, playable.height) == (512, 1024)
    shown = open_picture(playable.data)
    assert shown.size == (512, 1024)
    assert min(shown.convert("RGB").getpixel((256, 5))) > 240, "the stripe was on the left and is now on top"


def test_a_transparent_picture_gets_a_white_background() -> None:
    out = BytesIO()
    Image.new("RGBA", (8, 8), (0, 0, 0, 0)).save(out, "PNG", dpi=(72, 72))
    assert open_picture(make_playable_picture(out.getvalue()).data).convert("RGB").getpixel((0, 0)) == (255, 255, 255)


# ------------------------------------------------------------------ library
def described(id: str, category: str | None = None, names: str = "sofa", **more: Any) -> PictureDescription:
    things = tuple(PictureObject(id=f"{name} 1", name=name, attributes=("blue",)) for name in names.split())
    return PictureDescription(id=id, kind="photo", category=category, width=64, height=48, objects=things, **more)


def registered_set(folder: Path, name: str, pictures: dict[str, PictureDescription], root: Path | None = None) -> Path:
    """Write a set as `ludens assets import` registers it, with a picture for each description. Return its root."""
    root = root or folder.parent / f"{name}-files"
    root.mkdir(exist_ok=True)
    lines = []
    for file, description in sorted(pictures.items()):
        data = encoded(colour="navy")
        (root / file).write_bytes(data)
        lines.append(description_line(description, file, hashlib.sha256(data).hexdigest()))
    place = folder / name
    place.mkdir(parents=True)
    about = {"version": 1, "name": name, "title": "Clever", "licence": "CC BY 4.0", "citation": "Somebody 2017"}
    (place / "set.json").write_text(json.dumps({**about, "url": None, "root": str(root)}))
    (place / "pictures.jsonl").write_text("".join(lines))
    return root


def drawn_set(folder: Path, *pictures: PictureDescription) -> None:
    """Write pictures as in assets/."""
    entries = {}
    for description in pictures:
        data = encoded("WEBP")
        file = folder / f"{description.id}.webp"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        file.with_suffix(".json").write_text(description.model_dump_json())
        sha = hashlib.sha256(data).hexdigest()
        entry = {"file": f"{description.id}.webp", "kind": "room", "category": description.category, "sha256": sha}
        entries[description.id] = entry
    about = {"name": "ludens", "title": "Drawn by Ludens", "licence": "MIT", "citation": None, "url": None}
    (folder / "manifest.json").write_text(json.dumps({"version": 1, "set": about, "pictures": entries}))


@pytest.fixture
def library(tmp_path: Path) -> Library:
    drawn_set(tmp_path / "assets", described("rooms/bar-1", "bar"), described("rooms/bar-2", "bar", "sofa lamp"))
    registered_set(
        tmp_path / "imported", "clevr", {"1.jpg": described("clevr/1", names="cube"), "2.jpg": described("clevr/2")}
    )
    return Library(tmp_path / "assets", tmp_path / "imported")


def test_ids_by_set_kind_and_category(library: Library) -> None:
    assert [found.name for found in library.list_picture_sets()] == ["ludens", "clevr"]
    assert library.ids() == ("clevr/1", "clevr/2", "rooms/bar-1", "rooms/bar-2")
    assert library.ids(set_name="clevr") == library.ids(kind="photo") == ("clevr/1", "clevr/2")
    assert library.ids(category="bar") == library.ids(set_name="ludens") == ("rooms/bar-1", "rooms/bar-2")
    assert library.categories() == ("bar",)
    assert "clevr/1" in library and "clevr/3" not in library


def test_a_played_picture_has_its_credit_but_not_its_id(library: Library) -> None:
    ours, theirs = library.picture("rooms/bar-1"), library.picture("clevr/1")
    assert (ours.media_type, theirs.media_type) == ("image/webp", "image/jpeg")
    assert (ours.credit, theirs.credit) == ("", "Clever, CC BY 4.0")
    assert theirs.description["objects"][0]["name"] == "cube"
    assert "id" not in theirs.description
    assert library.description("clevr/1").id == "clevr/1"


def test_an_unknown_picture_is_reported_with_what_to_do(library: Library) -> None:
    for id, words in {
        "clevr/9": "`ludens assets import clevr FOLDER`",
        "visual-genome/1": "`ludens assets import visual-genome FOLDER`",
        "rooms/none": "`ludens assets` lists",
    }.items():
        for ask in (library.picture, library.description, library.picture_set):
            with pytest.raises(UnknownPicture) as caught:
                ask(id)
            assert repr(id) in str(caught.value) and words in str(caught.value)


def test_a_missing_or_changed_file_is_reported(library: Library, tmp_path: Path) -> None:
    root = tmp_path / "clevr-files"
    (root / "1.jpg").unlink()
    (root / "2.jpg").write_bytes(encoded(colour="red"))
    for id, words in {"clevr/1": "is missing", "clevr/2": "not the file that was registered"}.items():
        with pytest.raises(UnknownPicture, match=words) as caught:
            library.picture(id)
        assert str(root) in str(caught.value) and "ludens assets import clevr" in str(caught.value)
        with pytest.raises(UnknownPicture, match=words):
            library.verify_picture(id)
    library.verify_picture("rooms/bar-1")
    assert library.picture("rooms/bar-1").width == 64


def test_paths_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    outside = encoded()
    (tmp_path / "secret.jpg").write_bytes(outside)
    root = registered_set(tmp_path / "imported", "clevr", {"1.jpg": described("clevr/1")})
    (root / "link.jpg").symlink_to(tmp_path / "secret.jpg")
    sha = hashlib.sha256(outside).hexdigest()
    files = {"clevr/2": "../secret.jpg", "clevr/3": str(tmp_path / "secret.jpg"), "clevr/4": "link.jpg"}
    with (tmp_path / "imported" / "clevr" / "pictures.jsonl").open("a") as stream:
        stream.writelines(description_line(described(id), file, sha) for id, file in files.items())
    library = Library(tmp_path / "assets", tmp_path / "imported")
    assert library.picture("clevr/1")
    for id in files:
        with pytest.raises(UnknownPicture, match="leads out of"):
            library.picture(id)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("set.json", "{"),
        ("set.json", "[]"),
        ("set.json", '{"version": 2}'),
        ("set.json", '{"version": 1}'),
        ("set.json", '{"version": 1, "name": "clevr", "title": "C", "licence": "L"}'),
        ("pictures.jsonl", "half a li"),
        ("pictures.jsonl", '{"id": "clevr/1"}\n'),
    ],
)
def test_a_broken_set_does_not_affect_others(library: Library, tmp_path: Path, file: str, text: str) -> None:
    (tmp_path / "imported" / "clevr" / file).write_text(text)
    assert library.ids() == ("rooms/bar-1", "rooms/bar-2")
    assert "clevr" in library.errors_by_set
    with pytest.raises(UnknownPicture, match="cannot be read"):
        library.picture("clevr/1")
    if file == "pictures.jsonl":
        with pytest.raises(BadSet, match="byte 0"):
            read_registered_set(tmp_path / "imported" / "clevr" / "set.json")


def test_a_description_of_another_size_is_reported(tmp_path: Path) -> None:
    wrong = described("clevr/1").model_copy(update={"width": 65})
    registered_set(tmp_path / "imported", "clevr", {"1.jpg": wrong})
    with pytest.raises(UnknownPicture, match="64 × 48"):
        Library(tmp_path / "assets", tmp_path / "imported").picture("clevr/1")


def test_a_library_may_be_empty(tmp_path: Path) -> None:
    library = Library(tmp_path / "none", tmp_path / "nothing")
    assert library.ids() == () and library.list_picture_sets() == () and library.errors_by_set == {}


# ------------------------------------------------------------------ choosing
WORDS = st.frozensets(st.sampled_from(["sofa", "lamp", "bed", "cat", "blue sofa"]))


@given(WORDS, WORDS)
def test_jaccard_is_symmetric_and_between_0_and_1(a: frozenset[str], b: frozenset[str]) -> None:
    assert 0 <= jaccard(a, b) == jaccard(b, a) <= 1
    assert (jaccard(a, b) == 1) == (a == b and bool(a))


def test_labels_are_objects_and_attributes() -> None:
    assert labels(described("clevr/1", names="sofa lamp")) == {"sofa", "blue sofa", "lamp", "blue lamp"}


def test_most_similar_prefers_the_category_then_shared_labels(tmp_path: Path) -> None:
    drawn_set(
        tmp_path,
        described("a", "bar", "sofa lamp bed"),
        described("b", "bar", "cat"),
        described("c", "gym", "sofa lamp bed"),
        described("d", "bar", "sofa lamp"),
        described("e", "gym", "sofa"),
    )
    library = Library(tmp_path, tmp_path)
    assert find_most_similar("a", library.ids(), 9, library=library) == ("d", "b", "c", "e")
    assert find_most_similar("a", reversed(library.ids()), 2, library=library) == ("d", "b")
