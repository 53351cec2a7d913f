"""`ludens assets` from outside: import, list, show and remove, with words and exit codes that say what happened."""

from pathlib import Path

import pytest

from tests.cli.terminal import ludens
from tests.games.data_sets import clevr, visual_genome


def test_a_data_set_is_imported_listed_shown_and_removed(tmp_path: Path) -> None:
    root = visual_genome(tmp_path / "vg")
    here = {"folder": tmp_path, "LUDENS_IMPORTED": str(tmp_path / "imported")}
    said = ludens("assets", "import", "visual-genome", root, **here).err
    assert "3 pictures; Visual Genome, CC BY 4.0" in said
    assert "unchanged" in ludens("assets", "import", "visual-genome", "vg", **here).err
    listed = ludens("assets", **here).out
    assert "visual-genome" in listed and "3 pictures" in listed and "CC BY 4.0" in listed and "Krishna" in listed
    shown = ludens("assets", "show", "visual-genome/1", **here).out
    for words in ("photo, 80 × 60", "sofa 1", "blue", "at 10, 5, 20 × 30", "sofa 1 on lamp 1", "VG_100K_2/1.jpg"):
        assert words in shown
    assert "is no longer registered" in ludens("assets", "remove", "visual-genome", **here).err
    assert "visual-genome" not in ludens("assets", **here).out
    assert (root / "VG_100K_2" / "1.jpg").exists()
    said = ludens("assets", "show", "visual-genome/1", code=2, **here).err
    assert "`ludens assets import visual-genome FOLDER`" in said
    assert "there are: none" in ludens("assets", "remove", "visual-genome", code=2, **here).err


def test_faults_are_named_counted_and_end_in_1_but_the_rest_is_registered(tmp_path: Path) -> None:
    root = clevr(tmp_path / "set")
    (root / "images" / "val" / "CLEVR_val_000001.png").unlink()
    done = ludens("assets", "import", "clevr", root, "--to", "pictures", folder=tmp_path, code=1)
    assert "CLEVR_val_000001.png: there is no such file" in done.err
    assert "2 pictures" in done.err and "1 could not be registered" in done.err
    assert (tmp_path / "pictures" / "clevr" / "pictures.jsonl").read_text().count("\n") == 2


@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        (("import", "imagenet", "."), 2, "no data set 'imagenet'; there are: ade20k, visual-genome, docci, clevr"),
        (("import", "clevr", "nowhere"), 2, "nowhere is not a folder"),
        (("import", "clevr", "."), 2, "scenes/CLEVR_val_scenes.json"),
        (("import", "clevr", ".", "--limit", "0"), 2, "limit"),
        (("show", "rooms/none"), 2, "no picture 'rooms/none'"),
        (("remove", "ludens"), 2, "no imported set 'ludens'"),
        (("remove", "../.."), 2, "no imported set '../..'"),
    ],
)
def test_wrong_usage_says_what_to_do(tmp_path: Path, words: tuple[str, ...], code: int, expected: str) -> None:
    here = {"folder": tmp_path, "LUDENS_IMPORTED": str(tmp_path / "imported")}
    assert expected in ludens("assets", *words, code=code, **here).err


def test_a_broken_set_is_named_and_the_others_are_listed(tmp_path: Path) -> None:
    here = {"folder": tmp_path, "LUDENS_IMPORTED": str(tmp_path / "imported")}
    ludens("assets", "import", "visual-genome", visual_genome(tmp_path / "vg"), **here)
    ludens("assets", "import", "clevr", clevr(tmp_path / "clevr"), **here)
    (tmp_path / "imported" / "clevr" / "set.json").write_text("{")
    done = ludens("assets", code=1, **here)
    assert "visual-genome" in done.out and "clevr cannot be read" in done.err


def test_the_folder_can_be_set_in_the_settings_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    from cli import settings
    from games.common.pictures import LIBRARY

    monkeypatch.setenv("LUDENS_IMPORTED", "")
    (tmp_path / "ludens.toml").write_text('imported = "elsewhere"\n')
    assert settings.load_settings(tmp_path).imported == tmp_path / "elsewhere"
    assert LIBRARY.imported_folder == tmp_path / "elsewhere" == Path(os.environ["LUDENS_IMPORTED"])
