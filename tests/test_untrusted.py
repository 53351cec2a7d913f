"""Every reader of what others wrote ends on texts of 200,000 characters that are known to make readers slow.

Each test runs in a child that the system ends after so much processor time; a usual run takes a tenth of it.
"""

from pathlib import Path

import pytest

from engine.play.registry import Registry
from tests.traps import run_limited

READERS = "tests.untrusted_readers"
GAMES = Registry(Path(__file__).parents[1]).games
VARIANTS = [(name, variant.name) for name, game in GAMES.items() for variant in game.variants]


@pytest.mark.slow
def test_reply_formats_end():
    run_limited(f"{READERS}:read_replies", seconds=120)


@pytest.mark.slow
def test_readers_of_files_and_names_end():
    run_limited(f"{READERS}:read_files", seconds=120)


def test_searches_end():
    run_limited(f"{READERS}:read_index", seconds=40)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_games_their_scripted_players_scores_and_exports_end(game, variant):
    run_limited(f"{READERS}:read_game", game, variant, seconds=400)
