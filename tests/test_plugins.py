"""Games and providers outside the checkout: named in settings, or installed as a package into a fresh environment.

Each test runs commands in processes of their own: what a process has imported cannot be taken back.
"""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from engine.play.plugins import BadPlugin, find_games, find_providers
from tests.test_guide import FIRST_COMMAND, ROOT, files_after

GAME = {path.removeprefix("games/mygame/"): text for path, text in files_after(FIRST_COMMAND).items()}
ECHO = """
from engine.core.player import Player, Provider, Reply

class Echo(Player):
    async def reply(self, view):
        return Reply(view.ask.format.sample(view.random), {"model": "echo"})

class EchoProvider(Provider):
    summary = "samples, as a provider from outside"
    makes_programs = True

    def make_player(self, address, seat, context):
        return Echo()

PROVIDER = EchoProvider()
"""
LUDENS = "import sys; from cli.main import main; sys.argv[0] = 'ludens'; main()"


def write_game(folder: Path, **files: str) -> Path:
    """Write the smallest game of the guide into a folder."""
    folder.mkdir(parents=True)
    for name, text in (GAME | files).items():
        (folder / name).write_text(text)
    return folder


def ludens(*words: str, python: str = sys.executable, **environment: str) -> str:
    """Run a command with further variables in its environment; return its output. Raises on an exit code but 0."""
    command = [python, "-c", LUDENS, *words]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def refusal(*words: str, **environment: str) -> str:
    """Return what a command says that ends with exit code 2."""
    command = [sys.executable, "-c", LUDENS, *words]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=300)
    assert done.returncode == 2, done.stdout + done.stderr
    return done.stderr


def test_a_game_and_a_provider_in_folders_of_the_users_play(tmp_path):
    write_game(tmp_path / "mine" / "outside")
    (tmp_path / "echo.py").write_text(ECHO)
    named = {"LUDENS_GAMES": str(tmp_path / "mine"), "LUDENS_PLAYERS": str(tmp_path / "echo.py")}
    games = json.loads(ludens("games", "--format", "json", **named))
    assert {"matchit", "outside"} <= {game["game"] for game in games}
    assert "echo" in ludens("players", "outside", **named)
    assert "2 instances" in ludens("instances", "check", str(tmp_path / "mine/outside/instances.json"), **named)
    assert "FAIL" not in ludens("games", "contract", "outside", **named)
    assert "FAIL" not in ludens("players", "contract", "echo", "--game", "outside", **named)
    log = ("--db", str(tmp_path / "log.db"))
    run = ("run", "outside", "--seat", "speaker=random", "--seat", "listener=echo", *log)
    assert "2 of 2 episodes over" in ludens(*run, "--yes", **named)
    assert "No episode" in ludens("results", "--models", *log, **named), "its players are programs"


def test_worker_processes_find_a_game_outside(tmp_path):
    """A registry arrives in another process before the plan's other parts, and makes the game importable there."""
    write_game(tmp_path / "outside")
    program = """
import multiprocessing, pickle, sys
from pathlib import Path
from engine.play.plans import Plan
from engine.play.registry import Registry

def count(data):
    plan = pickle.loads(data)
    start = plan.plan_episode(0).start
    return len(plan), type(plan.registry.game(start.game)).__module__

if __name__ == "__main__":
    registry = Registry(Path(sys.argv[1]), game_folders=[Path(sys.argv[2])])
    plan = Plan.from_selections(registry, ["outside"], [{"all": "random"}])
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.apply(count, (pickle.dumps(plan),)))
"""
    (tmp_path / "program.py").write_text(program)
    command = [sys.executable, str(tmp_path / "program.py"), str(ROOT), str(tmp_path / "outside")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=300)
    assert done.stdout.strip() == "(2, 'games.outside.rules')", done.stdout + done.stderr


def test_a_package_installed_into_a_fresh_environment_brings_a_game_and_a_provider(tmp_path):
    package = tmp_path / "wordpack"
    write_game(package / "wordpack" / "nouns")
    (package / "wordpack" / "__init__.py").touch()
    (package / "wordpack" / "echo.py").write_text(ECHO)
    (package / "pyproject.toml").write_text("""
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[project]
name = "wordpack"
version = "1.0"
[project.entry-points."ludens.games"]
nouns = "wordpack.nouns.rules:GAME"
[project.entry-points."ludens.players"]
echo = "wordpack.echo"
[tool.setuptools]
packages = ["wordpack", "wordpack.nouns"]
[tool.setuptools.package-data]
"*" = ["*.json"]
""")
    fresh = tmp_path / "fresh"
    venv.create(fresh, symlinks=True)
    python = str(fresh / "bin" / "python")
    [library] = fresh.glob("lib/*/site-packages")
    # Ludens and what it needs are installed there, as far as Python can tell
    paths = [path for path in sys.path if path.endswith("site-packages")]
    (library / "ludens.pth").write_text("\n".join([*paths, str(ROOT)]))
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "-q")
    subprocess.run([python, "-m", "pip", "install", *options, str(package)], check=True, timeout=300)
    games = json.loads(ludens("games", "--format", "json", python=python))
    nouns = next(game for game in games if game["game"] == "nouns")
    assert "echo" in nouns["players"] and nouns["variants"][0]["experiments"][0]["instances"] == 2
    run = ("run", "nouns", "--seat", "all=echo", "--yes", "--db", str(tmp_path / "log.db"))
    assert "2 of 2 episodes over" in ludens(*run, python=python)
    assert not [path for path in ROOT.glob("games/*") if path.name == "nouns"]


def test_the_settings_file_names_them_relative_to_its_folder(tmp_path):
    from cli.settings import load_settings

    (tmp_path / "echo.py").touch()
    (tmp_path / "ludens.toml").write_text('games = ["mine"]\nplayers = ["echo.py", "players.toml"]\n')
    settings = load_settings(tmp_path)
    assert settings.games == [tmp_path / "mine"]
    assert settings.players == [tmp_path / "echo.py", tmp_path / "players.toml"]
    other = load_settings(tmp_path, players=Path("other.toml"))
    assert other.players == [Path("other.toml"), tmp_path / "echo.py"], "providers stay"


def test_the_environment_separates_several_with_colons(tmp_path, monkeypatch):
    from cli.settings import load_settings

    monkeypatch.setenv("LUDENS_GAMES", f"a{os.pathsep}b")
    monkeypatch.setenv("LUDENS_PLAYERS", "mine.toml")
    settings = load_settings(tmp_path)
    assert settings.games == [Path("a"), Path("b")] and settings.players == Path("mine.toml")
    monkeypatch.setenv("LUDENS_PLAYERS", f"mine.toml{os.pathsep}echo.py")
    assert load_settings(tmp_path).players == [Path("mine.toml"), Path("echo.py")]


def test_two_games_of_one_name_are_named_with_both_places(tmp_path):
    for folder in ("a", "b"):
        write_game(tmp_path / folder / "outside")
    with pytest.raises(BadPlugin) as error:
        find_games(ROOT, [tmp_path / "a", tmp_path / "b"])
    assert str(tmp_path / "a" / "outside") in str(error.value) and str(tmp_path / "b" / "outside") in str(error.value)
    folder = write_game(tmp_path / "matchit")
    message = refusal("games", LUDENS_GAMES=str(folder))
    assert str(folder) in message and str(ROOT / "games" / "matchit") in message
    with pytest.raises(BadPlugin, match="games/common and of"):
        find_games(ROOT, [write_game(tmp_path / "common")])


def test_a_provider_with_the_name_of_ours_is_named_with_both_places(tmp_path):
    (tmp_path / "random.py").write_text(ECHO)
    with pytest.raises(BadPlugin) as error:
        find_providers(ROOT, [tmp_path])
    assert str(tmp_path / "random.py") in str(error.value) and str(ROOT / "players/random.py") in str(error.value)


def test_a_game_that_is_named_twice_is_there_once(tmp_path):
    write_game(tmp_path / "outside")
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    games = find_games(ROOT, [tmp_path, tmp_path / "outside", tmp_path / "link" / ".." / tmp_path.name])
    assert games["outside"].path == tmp_path / "outside"


@pytest.mark.parametrize("path", ["", "nowhere"])
def test_a_folder_without_games_is_named(tmp_path, path):
    with pytest.raises(BadPlugin, match=r"games: .*(rules\.py|no such folder)"):
        find_games(ROOT, [tmp_path / path])
    with pytest.raises(BadPlugin, match=r"players: .*(NAME\.py|no such file)"):
        find_providers(ROOT, [tmp_path / path])


def test_a_broken_provider_stops_no_other_and_is_named(tmp_path):
    (tmp_path / "broken.py").write_text("import nothing_of_that_name")
    named = {"LUDENS_PLAYERS": str(tmp_path / "broken.py")}
    assert "random" in ludens("players", "matchit", **named)
    log = ("--db", str(tmp_path / "log.db"))
    message = refusal("run", "matchit/text/same/0", "--seat", "all=broken", *log, **named)
    assert "broken.py, line 1" in message and "nothing_of_that_name" in message


def test_a_notebook_finds_what_the_environment_names(tmp_path):
    write_game(tmp_path / "outside")
    program = """
import asyncio
from engine import Log, play, score
episode = asyncio.run(play("outside", "text/all/0", {"all": "random"}))
print(episode.outcome.kind, score(episode.log)["main_score"] in (0.0, 100.0))
"""
    environment = {**os.environ, "LUDENS_GAMES": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=300)
    assert done.stdout.split()[1:] == ["True"], done.stderr
