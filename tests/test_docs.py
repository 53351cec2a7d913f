"""The documentation is true: its commands and examples run, its links lead somewhere, its figures are what comes out.

In README, docs/ and the READMEs of games, commands in `sh` blocks are run in the order of the page; those in `bash`
blocks are parsed only, because they need a key, the network, another machine or a person.
"""

import ast
import asyncio
import csv
import functools
import importlib
import inspect
import io
import os
import re
import runpy
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import engine
from cli.settings import AppSettings
from engine import Ending, Player, Reply
from engine.play.plan_file import read_plan
from engine.play.project import build_project_registry
from engine.play.registry import Registry
from tests.cli.terminal import ludens

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
GUIDE = DOCS / "add-a-game.md"
"""Its blocks build one game step by step: tests/test_guide.py follows them."""
OTHERS = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")]
GAMES = sorted(ROOT.glob("games/*/README.md"))
DOCUMENTS = [*OTHERS, *PAGES, *GAMES]
HOOKS = runpy.run_path(str(DOCS / "hooks.py"))
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, *languages: str) -> list[str]:
    """Return the code blocks of a page in these languages."""
    return [code for _, language, code in BLOCK.findall(page.read_text(encoding="utf-8")) if language in languages]


def commands(page: Path, *languages: str) -> Iterator[list[str]]:
    """Return the words of each `ludens` command in the blocks of a page, without variables before it."""
    for block in blocks(page, *languages):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
                words = words[1:]
            if words and words[0] == "ludens":
                yield words[1 : words.index(">") if ">" in words else None]


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@functools.cache
def build_command_line() -> Any:
    """Return `ludens` with all its commands, as Typer builds it from their functions."""
    from typer.main import get_command

    return get_command(importlib.import_module("cli.main").app)


def parse(words: list[str]) -> dict[str, object]:
    """Parse a command as Typer does, without running it; return its parameters. Raises for an unknown one."""
    command, arguments, parent = build_command_line(), words, None
    while True:
        context = command.make_context("ludens", list(arguments), parent=parent)
        rest = [*context._protected_args, *context.args]
        if not hasattr(command, "commands") or not rest:
            return context.params
        _, command, arguments = command.resolve_command(context, rest)
        parent = context


# ---------------------------------------------------------------------- commands
@pytest.fixture(scope="module")
def registry() -> Registry:
    return build_project_registry()


@pytest.mark.parametrize("page", [page for page in DOCUMENTS if any(commands(page, "sh", "bash"))], ids=name)
def test_commands_are_those_of_the_command_line(page, registry):
    for words in commands(page, "sh", "bash"):
        parameters = parse(words)
        for selection in parameters.get("selection") or ():
            family = str(selection).partition("/")[0]
            if family != "mygame" and "visual-genome" not in str(selection):
                assert family in registry.games, words
                if words[0] == "run":
                    assert registry.select_instances(str(selection)), words


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [page for page in (*PAGES, ROOT / "README.md") if page != GUIDE and any(commands(page, "sh"))], ids=name
)
def test_commands_of_a_page_run_in_its_order(page, tmp_path):
    for words in commands(page, "sh"):
        ludens(*words, folder=tmp_path, LUDENS_DB=str(tmp_path / "ludens.db"))


def test_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for page in DOCUMENTS:
        for target in re.findall(r"(?:^|`)make ([a-z-]+)", "\n".join(blocks(page, "sh", "bash"))):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"{name(page)}: make {target}"


# ---------------------------------------------------------------------- Python, TOML, settings
def run_examples(page: Path, namespace: dict) -> dict:
    """Run the Python examples of a page in one namespace, with `await` at the top level as in a notebook."""

    async def run() -> None:
        for number, code in enumerate(blocks(page, "python")):
            flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            result = eval(compile(code, f"{page.name}:{number}", "exec", flags), namespace)
            if inspect.iscoroutine(result):
                await result

    asyncio.run(run())
    return namespace


def test_python_examples_run(tmp_path, monkeypatch, capsys):
    (tmp_path / "logs").mkdir()
    monkeypatch.chdir(tmp_path)
    ludens(
        "run", "matchit/text/same", "--limit", "1", "--seat", "all=scripted", "--db", "logs/ludens.db", folder=tmp_path
    )
    names = run_examples(DOCS / "python.md", {"__name__": "example"})
    lines = capsys.readouterr().out.splitlines()
    assert "'main_score': 100.0" in lines[0] and any(line.startswith("A: ") for line in lines)
    assert lines[-1] == "matchit same 1 100.0"
    assert str(names["episode"].outcome)


def test_the_game_of_the_readme_is_played():
    class Chooser(Player):
        async def reply(self, view):
            return Reply(replies[view.seat])

    game = run_examples(ROOT / "README.md", {"__name__": "example"})["MyGame"]()
    instance = {"objects": ["ring", "cube"], "target": "cube"}
    for choice, ending in (("cube", Ending.SUCCESS), ("ring", Ending.LOSE), ("box", Ending.ABORTED)):
        replies = {"speaker": "CLUE: it has corners", "listener": f"CHOICE: {choice}"}
        episode = asyncio.run(engine.play(game, instance, {"all": Chooser()}))
        assert episode.outcome.kind is ending


def test_the_provider_of_the_guide_keeps_the_contract(tmp_path):
    [code] = blocks(DOCS / "add-a-provider.md", "python")
    (tmp_path / "echo.py").write_text(code, encoding="utf-8")
    checked = ludens("players", "contract", "echo", folder=tmp_path, LUDENS_PLAYERS=str(tmp_path / "echo.py"))
    assert checked.out.count("ok ") > 3 and "FAIL" not in checked.out


@pytest.mark.slow
def test_the_example_of_another_app_is_an_app(tmp_path):
    [code] = blocks(DOCS / "embedding.md", "python")
    environment = {**os.environ, "LUDENS_DB": str(tmp_path / "ludens.db")}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("/a/"), done.stderr


def test_toml_examples_can_be_read(tmp_path):
    for page in DOCUMENTS:
        for code in blocks(page, "toml"):
            tomllib.loads(code)
    [plan] = [code for code in blocks(DOCS / "plans.md", "toml") if "[[part]]" in code]
    (tmp_path / "benchmark.toml").write_text(plan, encoding="utf-8")
    assert len(read_plan(tmp_path / "benchmark.toml", Registry(ROOT)))


def test_all_settings_are_described():
    text = (DOCS / "settings.md").read_text(encoding="utf-8")
    described = {
        word
        for line in text.splitlines()
        if line.startswith("| `")
        for word in re.findall(r"`(\w+)`", line.split("|")[1])
    }
    assert described == set(AppSettings.model_fields)


def test_the_reference_has_every_public_name_of_the_engine():
    paths = re.findall(r"^::: (\S+)$", "".join(page.read_text() for page in DOCS.glob("api-*.md")), re.MULTILINE)
    documented = []
    for path in paths:
        module, _, attribute = path.rpartition(".")
        documented.append(getattr(importlib.import_module(module), attribute))
    by_call = {"play": "engine.play.runner.play", "results": "engine.notebook.read_results"}
    missing = [
        each
        for each in engine.__all__
        if (
            by_call[each] not in paths
            if each in by_call
            else not any(getattr(engine, each) is value for value in documented)
        )
    ]
    assert not missing


# ---------------------------------------------------------------------- links and pages made at build time
def anchor(heading: str) -> str:
    """Return the anchor of a heading, as Markdown makes it."""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


@pytest.mark.parametrize("page", DOCUMENTS, ids=name)
def test_links_lead_somewhere(page):
    made = {"commands.md": HOOKS["command_reference"], "modules.md": HOOKS["module_list"]}
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    for target in re.findall(r"(?<=\]\()[^)\s]+(?=\))", text) + re.findall(r'src="([^"]+)"', text):
        if "://" in target or target.startswith("mailto:"):
            continue
        file, _, fragment = target.partition("#")
        path = (page.parent / file).resolve() if file else page
        generated = made.get(file) if page.parent == DOCS else None
        assert generated or path.exists(), target
        if fragment:
            linked = generated() if generated else path.read_text(encoding="utf-8")
            headings = re.findall(r"^#+ (.*)$", BLOCK.sub("", linked), re.MULTILINE)
            assert fragment in [anchor(heading) for heading in headings], target


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_bytes()) <= 9_000


def test_the_reference_has_every_command_and_option():
    from typer.main import get_command

    def options(command, path: str) -> Iterator[tuple[str, str]]:
        for parameter in command.params:
            yield from ((path, option) for option in parameter.opts if option.startswith("--"))
        for word, below in getattr(command, "commands", {}).items():
            yield from options(below, f"{path} {word}")

    sections = dict(
        re.findall(r"^#+ `(ludens[^`]*)`\n(.*?)(?=^#|\Z)", HOOKS["command_reference"](), re.MULTILINE | re.DOTALL)
    )
    below = [
        (path, option)
        for path, option in options(get_command(importlib.import_module("cli.main").app), "ludens")
        if path != "ludens"
    ]
    assert len(below) > 50
    assert not [(path, option) for path, option in below if option not in sections.get(path, "")]


def test_the_list_of_modules_has_every_module():
    listed = HOOKS["module_list"]()
    for package in ("engine", "games", "players", "ui", "cli"):
        for path in (ROOT / package).rglob("*.py"):
            assert path.name == "__init__.py" or f"| `{path.name}` | " in listed, path


def test_links_of_the_repository_become_links_of_the_site():
    relink = HOOKS["relink"]
    assert (
        relink("[a](docs/formats.md#in) [b](https://x.org/a.md)", "contributing.md")
        == "[a](formats.md#in) [b](https://x.org/a.md)"
    )
    assert relink("[a](../games/matchit/README.md)", "games.md") == "[a](games/matchit.md)"
    assert relink("[a](../../docs/formats.md)", "games/matchit.md") == "[a](../formats.md)"


def test_the_drawing_of_a_reply_is_the_one_that_its_script_draws():
    drawing = runpy.run_path(str(DOCS / "pictures" / "reply_path.py"))
    assert drawing["FILE"].read_text(encoding="utf-8") == drawing["draw"]()
    for box, (left, top, width, lines) in drawing["BOXES"].items():
        assert left + width <= drawing["WIDTH"] and top + drawing["height"](box) <= drawing["HEIGHT"]
        assert all(len(line) * 7.6 < width - 12 for line in lines), "the text fits into its box"


# ---------------------------------------------------------------------- figures
def play_and_read(tmp_path: Path, *words: str) -> list[dict[str, str]]:
    """Run a command that a README names and return the rows of its results."""
    assert "ludens " + " ".join(words) in " ".join(" ".join(page.read_text() for page in GAMES).split()), (
        "as the README has it"
    )
    ludens(*words, "--db", "figures.db", folder=tmp_path)
    text = ludens("results", words[1], "--db", "figures.db", "--format", "csv", folder=tmp_path).out
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.slow
def test_figures_of_scripted_players_are_what_their_commands_give(tmp_path):
    """As the READMEs of the games state them."""
    rows = play_and_read(tmp_path, "run", "matchit", "--seat", "all=scripted")
    assert {float(row["quality"]) for row in rows} == {100}
    rows = play_and_read(tmp_path, "run", "reference", "--seat", "all=scripted")
    assert sum(int(row["n"]) for row in rows) == 570
    assert round(sum(int(row["n"]) * float(row["quality"]) / 100 for row in rows)) == 568


@pytest.mark.slow
def test_figures_of_games_with_sides_are_what_their_commands_give(tmp_path):
    rows = play_and_read(tmp_path, "run", "spyfall", "--seat", "all=scripted", "--repeat", "10")
    spies = [row for row in rows if row["side"] == "spy"]
    assert round(sum(int(row["n"]) * float(row["quality"]) / 100 for row in spies)) == 31
    assert sum(int(row["n"]) for row in spies) == 220
    rows = play_and_read(tmp_path, "run", "tofukingdom", "--seat", "all=scripted", "--repeat", "10")
    assert sorted(float(row["quality"]) for row in rows) == [10.5, 36.5, 53] and {row["n"] for row in rows} == {"200"}
