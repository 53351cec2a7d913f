"""Experiments from a user's pictures, from import to play: made, picked by hand on a real page, checked and played."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from random import Random

import httpx
import pytest
from PIL import Image, ImageEnhance
from playwright.sync_api import expect

from tests.cli.terminal import ludens, start_command
from tests.games.data_sets import visual_genome, write

TWINS = 8
"""Families of two pictures that share their objects and look alike."""


def picture(family: int, member: int) -> bytes:
    """A random pattern of a family; its second member a little darker."""
    rng = Random(family)
    image = Image.new("L", (9, 8))
    image.putdata([rng.randrange(256) for _ in range(72)])
    image = image.resize((144, 128), Image.Resampling.BICUBIC).convert("RGB")
    if member:
        image = ImageEnhance.Brightness(image.rotate(2)).enhance(0.85)
    out = BytesIO()
    image.save(out, "JPEG")
    return out.getvalue()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the user's with an imported Visual Genome and instances made from it, 4 candidates each."""
    folder = tmp_path_factory.mktemp("user")
    things: dict[int, dict[str, list[str]]] = {}
    for family in range(TWINS):
        for member in (0, 1):
            names = {f"thing {family} {n}": ["red"] for n in range(3)}
            things[10 * family + member + 1] = names | {f"other {family} {member}": []}
    for i in range(20):
        things[500 + i] = {f"single {i} {n}": [] for n in range(4)}
    root = visual_genome(folder / "vg", things, (144, 128))
    for family in range(TWINS):
        for member in (0, 1):
            id = 10 * family + member + 1
            write(next(root.glob(f"VG_100K*/{id}.jpg")), picture(family, member))
    here = environment(folder)
    ludens("assets", "import", "visual-genome", root, folder=folder, **here)
    make = ("instances", "make", "matchit", "--pictures", "visual-genome", "--to", "instances", "--seed", 3)
    ludens(*make, "--each", 3, "--candidates", 4, folder=folder, **here)
    return folder


def environment(folder: Path) -> dict[str, str]:
    return {"LUDENS_IMPORTED": str(folder / "imported")}


def candidates(place: Path) -> Path:
    return place / "instances" / "matchit" / "candidates" / "picture.visual-genome.json"


@contextmanager
def picking(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The page of `ludens instances pick`, and its address."""
    monkeypatch.setenv("LUDENS_IMPORTED", str(place / "imported"))
    process = start_command("instances", "pick", candidates(place), "--no-open", folder=place)
    try:
        assert process.stderr
        said = ""
        while not (found := re.search(r"http://127\.0\.0\.1:\d+/\S+/", said)):
            line = process.stderr.readline()
            assert line, said
            said += line
        yield found.group()
    finally:
        process.terminate()
        process.communicate(timeout=60)


# ------------------------------------------------------------------ make
def test_a_set_is_made_the_same_again_and_says_what_it_was_made_by(place: Path) -> None:
    here = environment(place)
    make = ("instances", "make", "matchit/picture", "--pictures", "visual-genome", "--each", 3, "--seed", 3)
    said = ludens(*make, "--to", "one", folder=place, **here).err
    assert "3 same, 3 similar, 3 different" in said and "not CLIP" in said
    ludens(*make, "--to", "two", folder=place, **here)
    one, two = (place / name / "matchit" / "picture.visual-genome.json" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    data = json.loads(one.read_text())
    assert data["likeness"].startswith("perceptual hashes")
    assert data["pictures"]["licence"] == "CC BY 4.0" and "Krishna" in data["pictures"]["citation"]
    assert [len(made) for made in data["experiments"].values()] == [3, 3, 3]
    assert all(measure["jaccard"] > 0.22 for measure in data["measures"]["visual-genome-similar"])
    assert "9 instances in 1 file: no faults" in ludens("instances", "check", one, folder=place, **here).err


@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        (("matchit", "--pictures", "visual-genome", "--each", "30"), 1, "similar: 8 of 30 pairs found"),
        (("matchit", "--pictures", "docci"), 2, "`ludens assets import docci FOLDER`"),
        (("--pictures", "visual-genome"), 2, "make matchit --pictures SET"),
        (("matchit", "--pictures", "visual-genome", "--clip", "."), 2, "there is no config.json"),
        (("matchit", "--each", "3"), 2, "--each needs --pictures SET"),
    ],
)
def test_what_cannot_be_made_is_said(place: Path, words: tuple[str, ...], code: int, expected: str) -> None:
    done = ludens("instances", "make", *words, "--to", "none", code=code, folder=place, **environment(place))
    assert expected in done.err
    assert not (place / "none").exists()


# ------------------------------------------------------------------ pick
def test_judgements_are_kept_at_once_and_the_accepted_are_written(place: Path, monkeypatch) -> None:
    with picking(place, monkeypatch) as address:
        origin, word, _ = re.match(r"(http://[^/]+)/([^/]+)(/)", address).groups()  # type: ignore[union-attr]
        with httpx.Client(base_url=address) as page:
            pairs = page.get("pairs").json()
            assert [one["experiment"].rpartition("-")[2] for one in pairs] == ["similar"] * 4 + ["different"] * 4 + [
                "same"
            ] * 4
            assert page.get("").headers["content-security-policy"].startswith("default-src 'none'")
            for side in "ab":
                shown = page.get(f"picture/0/{side}")
                assert shown.headers["content-type"] == "image/jpeg"
                assert Image.open(BytesIO(shown.content)).size == (144, 128)
            assert page.post("done", json={}).status_code == 422
            for i in (0, 1, 5, 9):
                assert page.post("judge", json={"place": i, "verdict": True}).json() == {"saved": True}
            page.post("judge", json={"place": 2, "verdict": False})
            page.post("judge", json={"place": 1, "verdict": None})
            judged = json.loads(candidates(place).read_text())["judged"]
            assert judged["visual-genome-similar"] == {"0": True, "2": False}
            for path in ("picture/99/a", "picture/0/c", "picture/0/..%2f..%2fetc"):
                assert page.get(path).status_code == 404
            assert page.post("judge", json={"place": 99, "verdict": True}).status_code == 404
            assert page.post("judge", json={"place": "x"}).status_code == 422
            assert page.post("judge", content=b'{"place": 0}', headers={"Content-Type": "text/plain"}).is_client_error
            strange = {"Sec-Fetch-Site": "cross-site"}
            assert page.post("judge", json={"place": 0}, headers=strange).status_code == 403
            assert page.get("pairs", headers={"Host": "evil.example"}).status_code == 400
            assert httpx.get(f"{origin}/pairs").status_code == httpx.get(f"{origin}/x{word}/").status_code == 404
            said = page.post("done", json={}).json()["said"]
            assert "1 of visual-genome-similar" in said
    with picking(place, monkeypatch) as address:
        assert [one["verdict"] for one in httpx.get(f"{address}pairs").json()][:3] == [True, None, False]
    made = json.loads((place / "instances" / "matchit" / "picture.visual-genome.json").read_text())
    assert {name: len(pairs) for name, pairs in made["experiments"].items()} == {
        f"visual-genome-{relation}": 1 for relation in ("same", "similar", "different")
    }
    assert made["picked"] == "by hand" and "judged" not in made
    file = place / "instances" / "matchit" / "picture.visual-genome.json"
    assert (
        "3 instances in 1 file: no faults" in ludens("instances", "check", file, folder=place, **environment(place)).err
    )


@pytest.mark.browser
def test_pairs_are_judged_with_the_keyboard(place: Path, monkeypatch, new_page) -> None:
    before = candidates(place).read_bytes()
    try:
        with picking(place, monkeypatch) as address:
            for i in range(12):
                httpx.post(f"{address}judge", json={"place": i, "verdict": None})
            page = new_page(address)
            expect(page.get_by_role("heading")).to_have_text("visual-genome-similar, 1 of 4")
            expect(page.get_by_alt_text("The first picture")).to_have_js_property("naturalWidth", 144)
            page.keyboard.press("y")
            expect(page.get_by_role("heading")).to_have_text("visual-genome-similar, 2 of 4")
            page.keyboard.press("n")
            expect(page.get_by_role("heading")).to_have_text("visual-genome-similar, 3 of 4")
            page.keyboard.press("ArrowLeft")
            expect(page.get_by_role("button", name="Reject")).to_have_attribute("aria-pressed", "true")
            expect(page.get_by_text("visual-genome-similar: 1 accepted, 2 to judge")).to_be_visible()
            page.get_by_role("button", name="Done").click()
            expect(page.get_by_role("status")).to_contain_text("Written: ")
        assert json.loads(candidates(place).read_text())["judged"]["visual-genome-similar"] == {"0": True, "1": False}
    finally:
        candidates(place).write_bytes(before)


# ------------------------------------------------------------------ play
def test_they_are_played_like_the_shipped_and_a_missing_picture_is_named(place: Path, tmp_path: Path) -> None:
    here = environment(place) | {"LUDENS_INSTANCES": str(tmp_path / "mine"), "LUDENS_DB": str(tmp_path / "log.db")}
    make = ("instances", "make", "matchit", "--pictures", "visual-genome", "--each", 2, "--to", tmp_path / "mine")
    ludens(*make, folder=tmp_path, **here)
    assert "equal photos of Visual Genome" in ludens("games", folder=tmp_path, **here).out
    run = ("run", "matchit/picture", "--seat", "all=random", "--yes")
    ludens(*run, folder=tmp_path, **here)
    assert "visual-genome-similar" in ludens("results", folder=tmp_path, **here).out

    file = tmp_path / "mine" / "matchit" / "picture.visual-genome.json"
    id = json.loads(file.read_text())["experiments"]["visual-genome-same"][0]["a"]
    path = next((place / "vg").glob(f"VG_100K*/{id.partition('/')[2]}.jpg"))
    kept = path.read_bytes()
    path.unlink()
    try:
        again = "`ludens assets import visual-genome FOLDER`"
        said = ludens(*run, "--seed", 2, code=2, folder=tmp_path, **here).err
        assert "matchit/picture/visual-genome-same/0 cannot be played here" in said and again in said and id in said
        said = ludens("instances", "check", file, code=1, folder=tmp_path, **here).err
        assert "visual-genome-same/0" in said and again in said and "1 fault in" in said
        other = ("run", "matchit/picture/visual-genome-different", "--seat", "all=random", "--seed", 2, "--yes")
        ludens(*other, folder=tmp_path, **here)
        ludens(
            "assets", "remove", "visual-genome", folder=tmp_path, **(here | {"LUDENS_IMPORTED": str(tmp_path)}), code=2
        )
        said = ludens(*other, "--seed", 3, code=2, folder=tmp_path, **(here | {"LUDENS_IMPORTED": str(tmp_path)})).err
        assert again in said
        ludens("replay", "--help", folder=tmp_path, **here)
    finally:
        path.write_bytes(kept)


def test_a_broken_file_of_further_experiments_stops_no_other(place: Path, tmp_path: Path) -> None:
    here = environment(place) | {"LUDENS_INSTANCES": str(tmp_path / "mine")}
    make = ("instances", "make", "matchit", "--pictures", "visual-genome", "--each", 2, "--to", tmp_path / "mine")
    ludens(*make, folder=tmp_path, **here)
    folder = tmp_path / "mine" / "matchit"
    names = ("photos-same", "visual-genome-same")
    (folder / "picture.aaa.json").write_text("{")
    (folder / "picture.bbb.json").write_text(json.dumps({"experiments": {names[0]: []}}))
    (folder / "picture.zzz.json").write_text(json.dumps({"experiments": {names[1]: []}}))
    done = ludens("games", folder=tmp_path, **here)
    assert "matchit/picture/visual-genome-similar" in done.out
    for name in ("aaa", "bbb", "zzz"):
        assert f"picture.{name}.json is not a file of further experiments" in done.err


@pytest.mark.parametrize(
    "text", ["{", "[]", "{}", '{"experiments": {"x": [3]}}', '{"experiments": {}, "game": "a", "variant": "b"}']
)
def test_what_is_no_file_of_candidates_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    done = ludens("instances", "pick", "a.json", code=1, folder=tmp_path)
    assert "a.json" in done.err
    assert "b.json" in ludens("instances", "pick", "b.json", code=1, folder=tmp_path).err
