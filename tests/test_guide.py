"""The guide to a new game is followed to the letter: its files are cut out of it, its commands run, its contract kept.

That happens in a folder of its own, with copies of what stands there before a game is added.
"""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
GUIDE = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
SECTIONS = [section.partition("`\n") for section in re.split(r"^### `", GUIDE, flags=re.MULTILINE)[1:]]
FILES = {path: re.split(r"^```\w*\n", text, maxsplit=2, flags=re.MULTILINE)[1] for path, _, text in SECTIONS}
COMMANDS = [
    line.removeprefix("ludens ").split()
    for block in re.findall(r"^```sh\n([^`]*)^```$", GUIDE, re.MULTILINE)
    for line in block.splitlines()
]
LUDENS = ["-c", "from cli.main import main; main()"]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Path:
    """A checkout without any game but the one of the guide."""
    made = tmp_path_factory.mktemp("checkout")
    for folder in ("engine", "players", "cli", "games/common"):
        shutil.copytree(ROOT / folder, made / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in ("games/__init__.py", "tests/games/test_contract.py"):
        (made / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, made / path)
    for path, text in FILES.items():
        (made / path).parent.mkdir(parents=True, exist_ok=True)
        (made / path).write_text(text, encoding="utf-8")
    for words in COMMANDS:
        python(made, *LUDENS, *words)
    return made


def python(folder: Path, *words: str) -> str:
    """Run Python in the folder, importing from there before anything else; return all it printed."""
    command = [sys.executable, *words]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


def test_the_guide_has_every_file_of_a_game():
    names = ("__init__", "instances", "rules", "scores", "scripted", "debrief")
    assert set(FILES) == {*(f"games/mygame/{name}.py" for name in names), "games/mygame/prompts/native.toml"}
    assert [words[0] for words in COMMANDS] == ["instances", "instances", "run", "results"]


def test_its_commands_make_check_and_play_the_game(checkout):
    assert "unchanged" in python(checkout, *LUDENS, "instances", "make", "mygame")
    assert "10 instances in 1 file" in python(checkout, *LUDENS, "instances", "check")
    assert "Nothing to do: all 10" in python(checkout, *LUDENS, "run", "mygame", "--seat", "all=scripted")
    found = python(checkout, *LUDENS, "results", "mygame", "--format", "csv")
    assert "mygame" in found and ",100" in found, "scripted players always find it"
    assert "db" in python(checkout, *LUDENS, "db", "check", "--replay")
    assert "mygame" in python(checkout, *LUDENS, "games")


def test_the_game_keeps_the_contract(checkout):
    words = ("-q", "-c", os.devnull, "--rootdir", ".", "-p", "no:cacheprovider", "--import-mode=importlib")
    said = python(checkout, "-m", "pytest", *words, "tests/games/test_contract.py")
    assert "passed" in said and "failed" not in said


def test_its_files_are_laid_out_as_the_house_wants_them(checkout):
    config = ("--no-cache", "--config", str(ROOT / "pyproject.toml"))
    python(checkout, "-m", "ruff", "check", *config, "games/mygame")
    python(checkout, "-m", "ruff", "format", "--check", *config, "games/mygame")


def test_the_example_for_a_notebook_runs():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    example = next(code for code in re.findall(r"^```python\n([^`]*)^```$", readme, re.MULTILINE) if "await" in code)
    imports, _, rest = example.partition("episode = ")
    body = textwrap.indent(f"episode = {rest}print(repr(episode))\n", "    ")
    said = python(ROOT, "-c", f"{imports}\nimport asyncio\nasync def go():\n{body}\nasyncio.run(go())")
    assert "SUCCESS" in said and "'main_score': 100.0" in said
    assert re.search(r"^A: ", said, re.MULTILINE)
    assert re.search(r"<Episode \w+ matchit/text/same/0 \(A=scripted, B=scripted\): success>$", said.strip())
