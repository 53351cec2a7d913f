"""What a command imports: what people wait for before it does anything, and what every test of a command pays for."""

import subprocess
import sys
from pathlib import Path

from tests.cli.terminal import LUDENS

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {"pandas", "gradio", "torch", "transformers", "openai", "anthropic", "matplotlib", "networkx", "scipy"}


def imported(folder: Path, *words: str) -> set[str]:
    """The modules that a command has imported when it ends."""
    command = [sys.executable, "-X", "importtime", LUDENS, *words, "--db", "log.db"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}


def test_commands_load_their_own_game_and_nothing_heavy(tmp_path):
    others = {f"games.{path.parent.name}" for path in (ROOT / "games").glob("*/rules.py")}
    assert len(others) > 1
    run = ("run", "matchit/text/same", "--limit", "2", "--seat", "all=random")
    for words in (run, ("results",), ("replay",)):
        found = imported(tmp_path, *words)
        assert found & {"engine.storage.store"}, "nothing was measured"
        assert not found & HEAVY, words
        assert {name for name in found if name in others} <= {"games.matchit"}, words
    assert "numpy" not in imported(tmp_path, *run)


def test_the_list_of_games_imports_no_provider_of_players_and_nothing_that_only_play_takes(tmp_path):
    command = [sys.executable, "-X", "importtime", LUDENS, "games"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    found = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert "games.matchit.native" in found, "nothing was measured"
    assert not found & {"engine.core.log", "engine.core.scores", "games.common.pictures"}
    assert not {name for name in found if name.endswith((".scores", ".board", ".debrief", ".scripted"))}
    assert not {name for name in found if name.startswith("players.")} and "rich.console" not in found
    players = next(line for line in done.stdout.splitlines() if line.startswith("  players"))
    assert {"anthropic,", "openai,", "person,", "scripted,"} <= set(players.split())


def test_sqlite_utils_is_imported_to_migrate_a_file_and_not_to_open_one_that_is_up_to_date(tmp_path):
    run = ("run", "matchit/text/same", "--limit", "2", "--seat", "all=random")
    first = imported(tmp_path, *run)
    assert "sqlite_utils.migrations" in first and not first & {"pandas", "numpy"}
    for words in (run, ("results",), ("replay",), ("db", "check"), ("export", "exported")):
        assert not {name for name in imported(tmp_path, *words) if name.startswith("sqlite_utils")}, words
