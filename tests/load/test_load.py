"""The load test in small: everybody arrives, plays, watches and listens without an error. Nothing is timed."""

import pytest

from tests.load.__main__ import LoadOptions, read_options, run_load
from tests.load.database import write_database


@pytest.mark.slow
@pytest.mark.browser
def test_a_small_load_is_served_without_an_error(tmp_path):
    options = LoadOptions(
        episodes=300, waves=(4,), arrivals=6, games=3, spectators=7, lobbies=9, programs=2, moves=3, think=0, spread=0
    )
    write_database(tmp_path / "ludens.db", options.episodes)
    report = run_load(options, tmp_path / "ludens.db")
    assert report.errors == {}
    assert report.page_files > 5
    assert len(report.waves[4].seconds["arrival"]) == 4
    seconds = report.together.seconds
    assert len(seconds["arrival"]) == 6
    assert len(seconds["move"]) == 3 * 3
    assert report.messages["lobby"] >= 9
    assert report.messages["spectator"] > 7
    assert report.memory["together"] > 0


def test_a_run_may_be_smaller():
    options = read_options(["--arrivals", "10", "--waves", "5", "6", "--think", "0.5"])
    assert (options.arrivals, options.waves, options.think) == (10, (5, 6), 0.5)
    assert read_options([]) == LoadOptions()
