"""A game that cannot be loaded is named with file and reason, and stops no other."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULES = """
from engine.core.game import Game, ScriptedPlayer
class Half(Game):
    name = "half"
    title = blurb = "Half a game"
    rules = seats = variants = ()
    version = 1
    prompts = None
    def load(self, data): ...
    def play(self, table, instance): ...
"""
SCORE = """
    def score(self, log):
        from games.half.scores import score
        return score(log)
"""
PLAYERS = """
    def scripted_players(self):
        from games.half.scripted import PLAYERS
        return PLAYERS
"""
WRONG = {
    "a wrong import": ({"rules.py": "from engine.core.game import Lose\n"}, "rules.py, line 1: ImportError"),
    "no game": ({"rules.py": "GAME = None\n"}, "rules.py: GAME must be a Game named 'half'"),
    "another name": (
        {"rules.py": f"{RULES}GAME = Half()\nGAME.name = 'whole'\n"},
        "rules.py: GAME must be a Game named 'half'",
    ),
    "missing parts": (
        {"rules.py": RULES.replace("seats = ", "").replace("play", "run") + "GAME = Half()\n"},
        "rules.py: Half does not define seats, play",
    ),
    "a missing file": ({"rules.py": f"{RULES}{SCORE}GAME = Half()\n"}, "No module named 'games.half.scores'"),
    "a broken file": (
        {"rules.py": f"{RULES}{SCORE}GAME = Half()\n", "scores.py": "from engine.core.log import Logs\n"},
        "scores.py, line 1: ImportError",
    ),
    "a missing constant": (
        {"rules.py": f"{RULES}{PLAYERS}GAME = Half()\n", "scripted.py": ""},
        "ImportError: cannot import name 'PLAYERS' from 'games.half.scripted'",
    ),
    "players in another form": (
        {"rules.py": f"{RULES}{PLAYERS}GAME = Half()\n", "scripted.py": "PLAYERS = {'quick': ('plays', len)}\n"},
        "scripted.py: player 'quick' must be a ScriptedPlayer, not ('plays', <built-in function len>)",
    ),
}


@pytest.fixture()
def checkout(tmp_path):
    """A separate checkout with one more game folder; everything else is linked or copied."""
    for name in ("engine", "players", "cli", "instances", "pyproject.toml"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "games", tmp_path / "games", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "games" / "half").mkdir()
    return tmp_path


@pytest.mark.parametrize("kind", WRONG)
def test_a_broken_game_is_named_and_the_others_are_there(checkout, kind):
    files, why = WRONG[kind]
    for name, text in files.items():
        (checkout / "games" / "half" / name).write_text(text)
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\nfrom engine.play.registry import Registry\n"
        "registry = Registry(Path(sys.argv[1])); print(registry.broken_games); print(registry.names)\n"
        "print(len(registry.select_instances('matchit/text')))\n"
        "try: registry.game('half')\nexcept LookupError as error: print('refused:', error)\n"
    )
    command = [sys.executable, "-P", "-c", program, str(checkout)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=checkout, check=True)
    others = tuple(sorted(path.parent.name for path in (ROOT / "games").glob("*/rules.py")))
    assert f"{others}\n" in done.stdout and "\n40\n" in done.stdout
    assert "refused: the game 'half' cannot be loaded" in done.stdout and why in done.stdout, done.stdout


def test_a_game_whose_scores_cannot_be_imported_is_refused_before_it_is_played(checkout):
    for name, text in WRONG["a broken file"][0].items():
        (checkout / "games" / "half" / name).write_text(text)
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\nfrom engine.play.registry import Registry\n"
        "registry = Registry(Path(sys.argv[1])); print(registry.game('half').name)\n"
        "try: registry.load_playable_game('half')\nexcept LookupError as error: print('refused:', error)\n"
    )
    command = [sys.executable, "-P", "-c", program, str(checkout)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=checkout, check=True)
    assert (
        done.stdout.startswith("half\nrefused: the game 'half' cannot be loaded") and "scores.py, line 1" in done.stdout
    )
