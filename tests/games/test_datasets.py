"""Data sets in the layouts of their publishers: what is read, what is rejected, and that earlier sets are kept."""

import json
import os
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.common.datasets import register as registering
from games.common.datasets.register import DATASET_BY_NAME, register, remove_set
from games.common.datasets.source import BadAnnotations, WrongFolder, read_array, select_evenly_spaced
from games.common.pictures import Library, labels
from tests.games.data_sets import (
    ade20k,
    ade20k_2016,
    ade_object,
    clevr,
    docci,
    photo,
    scene_parsing,
    visual_genome,
    write,
)

MAKERS: dict[str, Callable[[Path], Path]] = {
    "clevr": clevr,
    "docci": docci,
    "visual-genome": visual_genome,
    "ade20k": ade20k,
}


def imported(name: str, root: Path, to: Path, limit: int | None = None) -> tuple[Library, list[str]]:
    """Register a data set. Return a library with it, and the rejected files in words."""
    report = register(DATASET_BY_NAME[name], root, to, max_pictures=limit)
    return Library(to / "none", to), [str(rejected) for rejected in report.rejected_files]


# ------------------------------------------------------------------ what is read
def test_clevr_gives_its_scene_graph(tmp_path: Path) -> None:
    library, faults = imported("clevr", clevr(clevr(tmp_path / "CLEVR_v1.0"), 2, "train"), tmp_path / "to")
    assert not faults
    assert len(library.ids()) == 5
    found = library.description("clevr/CLEVR_val_000000")
    assert (found.kind, found.category, found.width, found.height) == ("photo", None, 80, 60)
    assert [(one.id, one.attributes) for one in found.objects] == [
        ("cube 1", ("large", "red", "rubber")),
        ("sphere 1", ("small", "grey", "metal")),
    ]
    assert found.relations == (("cube 1", "left of", "sphere 1"), ("cube 1", "in front of", "sphere 1"))


def test_docci_gives_descriptions_and_concepts(tmp_path: Path) -> None:
    library, faults = imported("docci", docci(tmp_path / "docci"), tmp_path / "to")
    assert not faults
    found = library.description("docci/test_00002")
    assert found.captions == ("A photo of 2 mugs on a table.",)
    assert labels(found) == {"tableware", "coffee cup"}


def test_docci_without_metadata_has_a_remark(tmp_path: Path) -> None:
    root = docci(tmp_path / "docci")
    (root / "docci_metadata.jsonlines").unlink()
    report = register(DATASET_BY_NAME["docci"], root, tmp_path / "to")
    assert report.picture_count == 3 and "docci_metadata.jsonlines" in report.remark


def test_visual_genome_gives_objects_attributes_and_relations(tmp_path: Path) -> None:
    library, faults = imported("visual-genome", visual_genome(tmp_path / "vg"), tmp_path / "to")
    assert not faults
    assert library.ids() == ("visual-genome/1", "visual-genome/2", "visual-genome/2315353")
    found = library.description("visual-genome/1")
    assert labels(found) == {"sofa", "blue sofa", "lamp"}
    assert found.objects[1].box == (10, 5, 20, 30)
    assert found.relations == (("sofa 1", "on", "lamp 1"), ("lamp 1", "in front of", "sofa 1"))
    assert labels(library.description("visual-genome/2")) == {"dog", "brown dog", "grey dog"}


def test_ade20k_gives_scenes_and_objects_but_no_parts(tmp_path: Path) -> None:
    library, faults = imported("ade20k", ade20k(tmp_path / "ADE20K_2021_17_01"), tmp_path / "to")
    assert not faults
    street = library.description("ade20k/ADE_train_00016869")
    assert street.category == "street"
    assert labels(street) == {"car", "person", "standing person"}
    assert street.objects[0].box == (10, 5, 21, 21)
    church = library.description("ade20k/ADE_val_00000005")
    assert church.category == "indoor church" and labels(church) == {"pew"}


def test_the_older_ade20k_is_read_too(tmp_path: Path) -> None:
    library, faults = imported("ade20k", ade20k_2016(tmp_path / "ADE20K_2016_07_26"), tmp_path / "to")
    assert not faults
    found = library.description("ade20k/ADE_train_00000001")
    assert found.category == "outdoor church"
    assert labels(found) == {"sky", "door", "wooden door", "open door"}


def test_scene_parsing_is_read_too(tmp_path: Path) -> None:
    library, faults = imported("ade20k", scene_parsing(tmp_path / "ADEChallengeData2016"), tmp_path / "to")
    assert not faults
    assert library.categories() == ("indoor bank", "living room")
    assert labels(library.description("ade20k/ADE_train_00000001")) == {"wall", "bed"}
    assert library.description("ade20k/ADE_val_00000001").category is None


@pytest.mark.parametrize("name", MAKERS)
def test_every_set_has_its_terms_and_playable_pictures(name: str, tmp_path: Path) -> None:
    library, _ = imported(name, MAKERS[name](tmp_path / "set"), tmp_path / "to")
    (about,) = library.list_picture_sets()
    assert about.licence and about.citation and about.url
    for id in library.ids():
        assert library.picture(id).credit == f"{about.title}, {about.licence}"
    stored = json.loads((tmp_path / "to" / name / "set.json").read_text())
    assert (stored["imported"], stored["faults"], stored["root"]) == (len(library.ids()), 0, str(tmp_path / "set"))


# ------------------------------------------------------------------ again, fewer, none
@pytest.mark.parametrize("name", MAKERS)
def test_importing_again_changes_nothing(name: str, tmp_path: Path) -> None:
    root = MAKERS[name](tmp_path / "set")
    assert register(DATASET_BY_NAME[name], root, tmp_path / "to").has_changed
    before = {path.name: (path.read_bytes(), path.stat().st_ino) for path in (tmp_path / "to" / name).iterdir()}
    assert not register(DATASET_BY_NAME[name], root, tmp_path / "to").has_changed
    assert {path.name: (path.read_bytes(), path.stat().st_ino) for path in (tmp_path / "to" / name).iterdir()} == before
    assert [path.name for path in (tmp_path / "to").iterdir()] == [name]


def test_a_limit_selects_pictures_evenly(tmp_path: Path) -> None:
    root = clevr(tmp_path / "set", 6)
    library, _ = imported("clevr", root, tmp_path / "to", limit=3)
    assert library.ids() == tuple(f"clevr/CLEVR_val_{i:06}" for i in (0, 2, 4))
    for name, maker in MAKERS.items():
        library, _ = imported(name, maker(tmp_path / name), tmp_path / f"to-{name}", limit=1)
        assert len(library.ids()) == 1
    assert select_evenly_spaced(range(10), 4) == [0, 2, 5, 7]


@pytest.mark.parametrize("name", MAKERS)
def test_a_wrong_folder_is_reported_with_the_expected_files(name: str, tmp_path: Path) -> None:
    write(tmp_path / "holiday" / "1.jpg", photo())
    with pytest.raises(WrongFolder) as caught:
        register(DATASET_BY_NAME[name], tmp_path / "holiday", tmp_path / "to")
    assert str(tmp_path / "holiday") in str(caught.value)
    assert all(line in str(caught.value) for line in DATASET_BY_NAME[name].folder_layout)
    assert not (tmp_path / "to" / name).exists()


@pytest.mark.parametrize("missing", ["image_data.json", "objects.json", "attributes.json", "pictures"])
def test_an_incomplete_visual_genome_is_reported(missing: str, tmp_path: Path) -> None:
    root = visual_genome(tmp_path / "vg")
    if missing == "pictures":
        for folder in ("VG_100K", "VG_100K_2"):
            (root / folder).rename(tmp_path / folder)
        missing = "VG_100K"
    else:
        (root / missing).unlink()
    with pytest.raises(WrongFolder, match=missing):
        register(DATASET_BY_NAME["visual-genome"], root, tmp_path / "to")


# ------------------------------------------------------------------ faults
def bomb() -> bytes:
    """Return a PNG that claims 60,000 × 60,000 pixels."""
    header = bytearray(photo(kind="PNG"))
    header[16:24] = (60_000).to_bytes(4, "big") * 2
    header[29:33] = zlib.crc32(bytes(header[12:29])).to_bytes(4, "big")
    return bytes(header)


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (lambda path: path.unlink(), "an annotation (CLEVR_val_000001) without its picture"),
    "empty": (lambda path: path.write_bytes(b""), "the file is empty"),
    "no picture": (lambda path: path.write_text("<html>404</html>"), "no JPEG, PNG or WebP picture"),
    "cut short": (lambda path: path.write_bytes(path.read_bytes()[:150]), "broken or cut short"),
    "bomb": (lambda path: path.write_bytes(bomb()), "pixels"),
    "large file": (lambda path: os.truncate(path, 65 * 2**20), "bytes are more than a picture may have"),
    "tiny": (lambda path: path.write_bytes(photo(size=(1, 1), kind="PNG")), "too few to play with"),
    "folder": (lambda path: (path.unlink(), path.mkdir()), "without its picture"),
    "link out": (lambda path: (path.unlink(), path.symlink_to("/etc/hostname")), "leads out of"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_a_bad_picture_is_rejected_and_the_others_are_registered(kind: str, tmp_path: Path) -> None:
    root = clevr(tmp_path / "set")
    bad = root / "images" / "val" / "CLEVR_val_000001.png"
    spoil, words = FAULTS[kind]
    spoil(bad)
    library, faults = imported("clevr", root, tmp_path / "to")
    assert library.ids() == ("clevr/CLEVR_val_000000", "clevr/CLEVR_val_000002")
    (fault,) = faults
    assert str(bad) in fault and words in fault


@pytest.mark.parametrize("file", ["../../secret.png", "/etc/hostname", "a\nb.png", 'a"b.png'])
def test_an_annotation_cannot_lead_out_of_the_folder(file: str, tmp_path: Path) -> None:
    root = clevr(tmp_path / "set" / "CLEVR_v1.0", 2)
    write(tmp_path / "set" / "secret.png", photo(kind="PNG"))
    path = root / "scenes" / "CLEVR_val_scenes.json"
    data = json.loads(path.read_text())
    data["scenes"][1]["image_filename"] = file
    data["scenes"][1]["split"] = "."
    write(path, data)
    library, faults = imported("clevr", root, tmp_path / "to")
    assert library.ids() == ("clevr/CLEVR_val_000000",)
    assert len(faults) == 1


def test_the_same_picture_twice_is_registered_once(tmp_path: Path) -> None:
    root = docci(tmp_path / "set")
    path = root / "docci_descriptions.jsonlines"
    path.write_text(path.read_text() + path.read_text().splitlines()[0] + "\n")
    library, faults = imported("docci", root, tmp_path / "to")
    assert len(library.ids()) == 3
    assert faults == ["docci/test_00000: a second annotation of the same picture"]


def test_a_broken_line_is_reported_with_its_number(tmp_path: Path) -> None:
    root = docci(tmp_path / "set")
    lines = (root / "docci_descriptions.jsonlines").read_text().splitlines()
    write(
        root / "docci_descriptions.jsonlines", "\n".join([lines[0], lines[1][:20], '{"example_id": "x"}', "[]"]) + "\n"
    )
    write(root / "docci_metadata.jsonlines", '{"example_id": "test_00000", "cloud_vision_api_responses": 3}\n{')
    library, faults = imported("docci", root, tmp_path / "to")
    assert library.ids() == ("docci/test_00000",)
    words = ("test_00000", "line 2", "line 2", "line 3", "line 4")
    assert all(word in fault for word, fault in zip(words, faults, strict=True))


def test_a_broken_annotation_is_rejected_and_the_others_are_registered(tmp_path: Path) -> None:
    root = ade20k(tmp_path / "set")
    bad = root / "images" / "ADE" / "training" / "urban" / "street" / "ADE_train_00016869.json"
    for content in (bad.read_bytes()[:99], b"{}", b"[]", b'{"annotation": {"imsize": 3}}', b"\xff\xfe"):
        bad.write_bytes(content)
        library, faults = imported("ade20k", root, tmp_path / "to")
        assert library.ids() == ("ade20k/ADE_val_00000005",)
        assert len(faults) == 1 and str(bad) in faults[0]


def test_a_missing_or_wrong_mask_is_rejected(tmp_path: Path) -> None:
    root = scene_parsing(tmp_path / "set")
    (root / "annotations" / "training" / "ADE_train_00000001.png").unlink()
    write(root / "annotations" / "training" / "ADE_train_00000002.png", photo(kind="PNG"))
    path = root / "sceneCategories.txt"
    path.write_text(path.read_text() + "ADE_val_00000009\n../../x a_b\n")
    library, faults = imported("ade20k", root, tmp_path / "to")
    assert library.ids() == ("ade20k/ADE_val_00000001",)
    assert len(faults) == 4
    assert "ADE_train_00000001.png" in faults[0] and "no mask" in faults[1] and "ADE_val_00000009" in faults[2]


@pytest.mark.parametrize("name", ["image_data.json", "objects.json", "attributes.json", "relationships.json"])
def test_a_truncated_file_registers_nothing_and_keeps_the_earlier_set(name: str, tmp_path: Path) -> None:
    root = visual_genome(tmp_path / "set")
    library, _ = imported("visual-genome", root, tmp_path / "to")
    before = library.ids()
    (root / name).write_bytes((root / name).read_bytes()[:-40])
    with pytest.raises(BadAnnotations, match=name):
        register(DATASET_BY_NAME["visual-genome"], root, tmp_path / "to")
    assert Library(tmp_path / "none", tmp_path / "to").ids() == before
    assert [path.name for path in (tmp_path / "to").iterdir()] == ["visual-genome"]


@pytest.mark.parametrize(("name", "key"), [("attributes", "attributes"), ("relationships", "relationships")])
@pytest.mark.parametrize("value", [3, [3], "x", {"a": 1}])
def test_malformed_annotations_are_reported(name: str, key: str, value: object, tmp_path: Path) -> None:
    root = visual_genome(tmp_path / "set")
    data = json.loads((root / f"{name}.json").read_text())
    data[1][key] = value
    write(root / f"{name}.json", data)
    with pytest.raises(BadAnnotations, match=rf"{name}\.json: the {key} of picture 2"):
        register(DATASET_BY_NAME["visual-genome"], root, tmp_path / "to")


def test_a_picture_of_another_size_than_annotated_is_rejected(tmp_path: Path) -> None:
    root = visual_genome(tmp_path / "set")
    (root / "VG_100K" / "2.jpg").write_bytes(photo(2, (60, 80)))
    library, faults = imported("visual-genome", root, tmp_path / "to")
    assert len(library.ids()) == 2
    assert "2.jpg" in faults[0] and "80 × 60" in faults[0] and "60 × 80" in faults[0]


def test_without_a_good_picture_nothing_changes(tmp_path: Path) -> None:
    root = clevr(tmp_path / "set")
    register(DATASET_BY_NAME["clevr"], root, tmp_path / "to")
    for path in (root / "images" / "val").iterdir():
        path.unlink()
    report = register(DATASET_BY_NAME["clevr"], root, tmp_path / "to")
    assert (report.picture_count, len(report.rejected_files)) == (0, 3)
    assert len(Library(tmp_path / "none", tmp_path / "to").ids()) == 3


def test_an_interrupted_import_keeps_the_earlier_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = clevr(tmp_path / "set")
    register(DATASET_BY_NAME["clevr"], root, tmp_path / "to", max_pictures=2)

    def stop(done: int, of: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        register(DATASET_BY_NAME["clevr"], root, tmp_path / "to", progress=stop)
    assert len(Library(tmp_path / "none", tmp_path / "to").ids()) == 2
    assert [path.name for path in (tmp_path / "to").iterdir()] == ["clevr"]


def test_boxes_are_scaled_with_large_pictures(tmp_path: Path) -> None:
    root = visual_genome(tmp_path / "set", {1: {"sofa": [], "lamp": []}}, (3001, 1501))
    library, _ = imported("visual-genome", root, tmp_path / "to")
    found = library.description("visual-genome/1")
    assert max(found.width, found.height) == 1024
    assert found.objects[1].box == (3, 2, 7, 10)
    assert library.picture("visual-genome/1").width == 1024


def test_removing_a_set_keeps_its_pictures(tmp_path: Path) -> None:
    root = clevr(tmp_path / "set")
    register(DATASET_BY_NAME["clevr"], root, tmp_path / "to")
    assert remove_set("clevr", tmp_path / "to")
    assert not remove_set("clevr", tmp_path / "to")
    assert len(list((root / "images" / "val").iterdir())) == 3
    assert registering.DATASET_BY_NAME.keys() == MAKERS.keys()


# ------------------------------------------------------------------ reading JSON piece by piece
JSON = st.recursive(
    st.none() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(st.lists(JSON, max_size=6), st.integers(1, 40), st.sampled_from([None, 1]), st.booleans())
def test_an_array_is_the_same_when_read_in_chunks(
    tmp_path_factory: pytest.TempPathFactory, data: list[object], chunk: int, indent: int | None, below: bool
) -> None:
    path = tmp_path_factory.mktemp("json") / "a.json"
    write(path, json.dumps({"info": {}, "scenes": data} if below else data, indent=indent, ensure_ascii=False))
    assert list(read_array(path, "scenes" if below else None, chunk_size=chunk)) == data
    path.write_text(path.read_text()[: -2 if below else -1].rstrip("]"))
    with pytest.raises(BadAnnotations, match=r"a\.json"):
        list(read_array(path, "scenes" if below else None, chunk_size=chunk))


def test_an_ade_object_may_have_a_single_attribute_as_text() -> None:
    assert ade_object(1, "car, auto", "standing")["attributes"] == "standing"
