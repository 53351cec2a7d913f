"""The screenshots of the site: all are shown there, none is large, and the script that draws them still does."""

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.conftest import ROOT

PICTURES = ROOT / "docs" / "pictures"


def sizes(folder: Path) -> dict[str, tuple[int, int]]:
    """Width and height of the pictures in a folder."""
    found = {}
    for file in folder.glob("*.png"):
        with Image.open(file) as picture:
            found[file.name] = picture.size
    return found


def test_all_pictures_are_shown_and_small():
    files = sorted(PICTURES.glob("*.png"))
    text = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))
    assert files and all(f"pictures/{file.name}" in text for file in files)
    assert sum(file.stat().st_size for file in files) < 2_000_000


@pytest.mark.browser
@pytest.mark.slow
def test_they_can_be_drawn_anew(tmp_path):
    command = [sys.executable, PICTURES / "draw.py", tmp_path, "game", "walk"]  # all of them take minutes
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    drawn = sizes(tmp_path)
    assert len(drawn) >= 4 and drawn.items() <= sizes(PICTURES).items()
