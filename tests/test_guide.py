"""The guide to a new game works as written: its files are written, its commands run step by step, its contract is kept.

This happens in a separate folder, with copies of what is there before a game is added.
"""

import ast
import asyncio
import itertools
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

import engine
from engine import Ending, Game, Lose, Player, Reply, Success, Tagged
from engine.core.replies import FORMAT_BY_KIND, build_format

ROOT = Path(__file__).resolve().parent.parent
GUIDE = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
MORE = (ROOT / "docs" / "extend-a-game.md").read_text(encoding="utf-8")
"""What only some games need: a reply format and widgets of its own."""
LUDENS = ["-c", "from cli.main import main; main()"]


@dataclass(frozen=True)
class Step:
    """One thing that the guide says to do: write a file, add to a file, or run a command."""

    verb: str
    path: str
    text: str


def read_steps() -> Iterator[Step]:
    """The steps of the guide in its order; a block of commands is one step per command."""
    heading = r"^### (?P<verb>Add to )?`(?P<path>games/[^`]+)`\n(?:(?!#|```).*\n)*```\w+\n(?P<text>[\s\S]*?)^```$"
    commands = r"^```sh\n(?P<commands>[\s\S]*?)^```$"
    for match in re.finditer(f"{heading}|{commands}", GUIDE, re.MULTILINE):
        if match["commands"]:
            yield from (Step("run", "", line.partition("#")[0].strip()) for line in match["commands"].splitlines())
        else:
            yield Step("add" if match["verb"] else "write", match["path"], match["text"])


def add_to_source(source: str, addition: str) -> str:
    """Add imports, definitions and members of classes to a module."""
    new_lines, lines = addition.splitlines(), source.splitlines()
    for node in ast.parse(addition).body:
        body = ast.parse("\n".join(lines)).body
        place, nodes = len(lines), [node]
        if isinstance(node, ast.Import | ast.ImportFrom):
            place = max(each.end_lineno for each in body if isinstance(each, ast.Import | ast.ImportFrom))
        elif isinstance(node, ast.ClassDef):
            place = next(each.end_lineno for each in body if isinstance(each, ast.ClassDef) and each.name == node.name)
            nodes = node.body
        lines[place:place] = [line for each in nodes for line in ("", *new_lines[each.lineno - 1 : each.end_lineno])]
    return "\n".join(lines) + "\n"


STEPS = list(read_steps())


def files_after(number: int | None = None) -> dict[str, str]:
    """The files of the game by their paths after the first steps, or after all."""
    files: dict[str, str] = {}
    for step in STEPS[:number]:
        if step.verb == "write":
            files[step.path] = step.text
        elif step.verb == "add":
            files[step.path] = add_to_source(files[step.path], step.text)
    return files


FILES = files_after()
FIRST_COMMAND = next(number for number, step in enumerate(STEPS) if step.verb == "run")


@pytest.fixture(scope="module")
def empty_checkout(tmp_path_factory) -> Path:
    """A checkout without games."""
    folder = tmp_path_factory.mktemp("checkout")
    for package in ("engine", "players", "cli", "games/common"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "games/__init__.py", folder / "games")
    return folder


@pytest.fixture(scope="module")
def smallest(empty_checkout) -> Path:
    """That checkout with the smallest game of the guide, after the commands that follow it."""
    write(empty_checkout, files_after(FIRST_COMMAND))
    for step in itertools.takewhile(lambda step: step.verb == "run", STEPS[FIRST_COMMAND:]):
        python(empty_checkout, *LUDENS, *step.text.split()[1:])  # the contract is one of them
    return empty_checkout


@pytest.fixture(scope="module")
def checkout(smallest) -> Path:
    """That checkout after all steps of the guide, each of them run."""
    for number, step in enumerate(STEPS):
        if number < FIRST_COMMAND:
            continue
        if step.verb == "run":
            python(smallest, *LUDENS, *step.text.split()[1:])
        else:
            write(smallest, {step.path: files_after(number + 1)[step.path]})
    return smallest


def write(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def python(folder: Path, *arguments: str) -> str:
    """Run Python in the folder, which comes first on the import path; return all output."""
    command = [sys.executable, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


def test_the_smallest_game_has_at_most_60_lines_and_is_formatted():
    files = files_after(FIRST_COMMAND)
    assert set(files) == {"games/mygame/rules.py", "games/mygame/instances.json"}
    instances = files["games/mygame/instances.json"]
    assert instances == json.dumps(json.loads(instances), indent=2) + "\n"
    assert sum(len(text.splitlines()) for text in files.values()) <= 60


def test_the_smallest_game_is_complete(smallest):
    """It is listed with what follows from its folder and its docstring; its instances are checked and played."""
    [game] = json.loads(python(smallest, *LUDENS, "games", "--format", "json"))
    assert (game["game"], game["title"], game["version"]) == ("mygame", "Mygame", 1)
    assert game["blurb"].startswith("The speaker knows") and game["players"]
    [variant] = game["variants"]
    assert variant["experiments"] == [{"selection": "mygame/text/all", "title": "All instances", "instances": 2}]
    assert "2 instances in 1 file" in python(smallest, *LUDENS, "instances", "check")
    assert "Nothing to do: all 2" in python(smallest, *LUDENS, "run", "mygame", "--seat", "all=random")
    assert "mygame" in python(smallest, *LUDENS, "results", "mygame", "--format", "csv")


def test_the_smallest_game_passes_lint(smallest):
    check_layout(smallest, "games/mygame")


def test_the_guide_has_every_file_of_a_game():
    names = ("instances", "rules", "scores", "scripted", "debrief")
    data = {"games/mygame/prompts/native.toml", "games/mygame/instances.json"}
    assert set(FILES) == {*(f"games/mygame/{name}.py" for name in names), *data}


@pytest.mark.slow
def test_its_commands_make_check_and_play_the_game(checkout):
    assert "unchanged" in python(checkout, *LUDENS, "instances", "make", "mygame")
    assert "10 instances in 1 file" in python(checkout, *LUDENS, "instances", "check")
    assert "Nothing to do: all 10" in python(checkout, *LUDENS, "run", "mygame", "--seat", "all=scripted")
    results = python(checkout, *LUDENS, "results", "mygame", "--format", "csv")
    assert "mygame" in results and ",100" in results, "scripted players always find the target"
    python(checkout, *LUDENS, "run", "mygame", "--seat", "all=scripted", "--db", "last.db")  # of these rules alone
    assert "last.db" in python(checkout, *LUDENS, "db", "check", "--replay", "--db", "last.db")
    assert "mygame" in python(checkout, *LUDENS, "games")


@pytest.mark.slow
def test_the_game_keeps_the_contract(checkout):
    lines = python(checkout, *LUDENS, "games", "contract", "mygame").splitlines()
    assert len(lines) > 10 and all(line.startswith("ok ") for line in lines)


def test_the_reply_format_of_the_guide_is_one(tmp_path, monkeypatch):
    """A game asks for it: players are told its words, persons fill in its form, and the log gives it back."""
    # other tests of this process list them
    monkeypatch.setattr("engine.core.replies.FORMAT_BY_KIND", dict(FORMAT_BY_KIND))
    [code] = re.findall(
        r"^```python\n([\s\S]*?)^```$", MORE.partition("## Write a reply format")[2].partition("\n## ")[0], re.M
    )
    write(tmp_path, {"number.py": code})
    check_layout(tmp_path, ".")
    number = Tagged("GUESS", runpy.run_path(str(tmp_path / "number.py"))["Number"](1, 20))

    class Guess(Game):
        """Guess the number."""

        seats = ("finder",)

        def play(self, table, instance):
            guess = yield from table.ask("finder", "Which number?", number)
            return Success() if guess == instance["target"] else Lose()

    class Sender(Player):
        async def reply(self, view):
            return Reply(replies.pop(0))

    form = number.describe_form()
    assert number.compose_reply({form["fields"][0]["name"]: "7"}) == "GUESS: 7"
    for reply, ending in (("GUESS: 7", Ending.SUCCESS), ("GUESS: 8", Ending.LOSE), ("GUESS: 21", Ending.ABORTED)):
        replies = [reply]
        episode = asyncio.run(engine.play(Guess(), {"target": 7}, {"finder": Sender()}))
        assert episode.outcome.kind is ending
        [ask] = [event for event in episode.log if event.kind == "ask"]
        assert (
            "from 1 to 20" in ask.data["words"] and build_format(json.loads(json.dumps(ask.data["format"]))) == number
        )
    for seed in range(50):
        sample = number.sample(Random(seed))
        assert 1 <= number.parse(sample) <= 20 and re.fullmatch(number.pattern(), sample)


def check_layout(folder: Path, *paths: str) -> None:
    config = ("--no-cache", "--config", str(ROOT / "pyproject.toml"))
    python(folder, "-m", "ruff", "check", *config, *paths)
    python(folder, "-m", "ruff", "format", "--check", *config, *paths)


def test_files_shown_in_full_pass_lint_and_format(tmp_path):
    """Files that grow are in the order in which they grew: without unused or missing names."""
    for number, step in enumerate(step for step in STEPS if step.verb == "write" and step.path.endswith(".py")):
        write(tmp_path, {f"{number}/{step.path}": step.text})
    check_layout(tmp_path, ".")
    write(tmp_path / "grown", FILES)
    python(tmp_path, "-m", "ruff", "check", "--no-cache", "--isolated", "--select", "F", "grown")
