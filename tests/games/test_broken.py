"""A game that cannot be loaded is named with file and reason, and stops no other."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULES = """
from engine.game import Game
class Half(Game):
    name = "half"
GAME = Half()
"""
WRONG = {
    "a wrong import": ({"rules.py": "from engine.core.game import Lose\n"}, "rules.py, line 1: ImportError"),
    "no game": ({"rules.py": "GAME = None\n"}, "GAME must be a Game named 'half'"),
    "a missing file": ({"rules.py": RULES}, "No module named 'games.half.scores'"),
    "a missing function": ({"rules.py": RULES, "scores.py": "VERSION = 1\n"}, "scores.py does not define score"),
    "players in another form": (
        {
            "rules.py": RULES,
            "scores.py": "VERSION = 1\nscore = len\n",
            "instances.py": "make_file = load = check = len\n",
            "debrief.py": "debrief = len\n",
            "scripted.py": "PLAYERS = {'scripted': len}\n",
        },
        "PLAYERS['scripted'] must be",
    ),
}


@pytest.fixture()
def house(tmp_path):
    """A checkout of its own with one more game folder, as links to everything that is not changed."""
    for name in ("engine", "players", "cli", "instances", "pyproject.toml"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "games", tmp_path / "games", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "games" / "half").mkdir()
    return tmp_path


@pytest.mark.parametrize("kind", WRONG)
def test_a_broken_game_is_named_and_the_others_are_there(house, kind):
    files, why = WRONG[kind]
    for name, text in files.items():
        (house / "games" / "half" / name).write_text(text)
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\nfrom engine.play.registry import Registry\n"
        "found = Registry(Path(sys.argv[1])); print(found.names); print(found.broken)\n"
        "print(len(found.select('matchit/text')))\n"
        "try: found.game('half')\nexcept LookupError as error: print('refused:', error)\n"
    )
    command = [sys.executable, "-P", "-c", program, str(house)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=house, check=True)
    others = tuple(sorted(path.parent.name for path in (ROOT / "games").glob("*/rules.py")))
    assert f"{others}\n" in done.stdout and "\n40\n" in done.stdout
    assert "refused: the game 'half' cannot be loaded" in done.stdout and why in done.stdout, done.stdout
