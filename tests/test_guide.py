"""The guide to a new game works as written: its files are extracted, its commands run, its contract is kept.

This happens in a separate folder, with copies of what is there before a game is added.
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
    """A checkout whose only game is the one of the guide."""
    folder = tmp_path_factory.mktemp("checkout")
    for package in ("engine", "players", "cli", "games/common"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    for path in ("games/__init__.py", "tests/games/test_contract.py"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, folder / path)
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    for command in COMMANDS:
        python(folder, *LUDENS, *command)
    return folder


def python(folder: Path, *arguments: str) -> str:
    """Run Python in the folder, which comes first on the import path; return all output."""
    command = [sys.executable, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


def test_the_guide_has_every_file_of_a_game():
    names = ("__init__", "instances", "rules", "scores", "scripted", "debrief")
    assert set(FILES) == {*(f"games/mygame/{name}.py" for name in names), "games/mygame/prompts/native.toml"}
    assert [words[0] for words in COMMANDS] == ["instances", "instances", "run", "results"]


def test_its_commands_make_check_and_play_the_game(checkout):
    assert "unchanged" in python(checkout, *LUDENS, "instances", "make", "mygame")
    assert "10 instances in 1 file" in python(checkout, *LUDENS, "instances", "check")
    assert "Nothing to do: all 10" in python(checkout, *LUDENS, "run", "mygame", "--seat", "all=scripted")
    results = python(checkout, *LUDENS, "results", "mygame", "--format", "csv")
    assert "mygame" in results and ",100" in results, "scripted players always find the target"
    assert "db" in python(checkout, *LUDENS, "db", "check", "--replay")
    assert "mygame" in python(checkout, *LUDENS, "games")


def test_the_game_keeps_the_contract(checkout):
    options = ("-q", "-c", os.devnull, "--rootdir", ".", "-p", "no:cacheprovider", "--import-mode=importlib")
    output = python(checkout, "-m", "pytest", *options, "tests/games/test_contract.py")
    assert "passed" in output and "failed" not in output


def test_its_files_pass_lint_and_format(checkout):
    config = ("--no-cache", "--config", str(ROOT / "pyproject.toml"))
    python(checkout, "-m", "ruff", "check", *config, "games/mygame")
    python(checkout, "-m", "ruff", "format", "--check", *config, "games/mygame")


def test_the_example_for_a_notebook_runs():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    example = next(code for code in re.findall(r"^```python\n([^`]*)^```$", readme, re.MULTILINE) if "await" in code)
    imports, _, rest = example.partition("episode = ")
    body = textwrap.indent(f"episode = {rest}print(repr(episode))\n", "    ")
    output = python(ROOT, "-c", f"{imports}\nimport asyncio\nasync def go():\n{body}\nasyncio.run(go())")
    assert "SUCCESS" in output and "'main_score': 100.0" in output
    assert re.search(r"^A: ", output, re.MULTILINE)
    assert re.search(r"<Episode \w+ matchit/text/same/0 \(A=scripted, B=scripted\): success>$", output.strip())
