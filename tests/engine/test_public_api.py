"""What notebooks and game authors import from `engine`."""

import asyncio
import inspect

import pytest

import engine
from engine import Log, play, read_log, results, score
from engine.storage.database import StoreError
from engine.storage.store import EpisodeUpdate, Store


def test_every_public_name_can_be_imported_and_is_listed():
    """Completion in a notebook asks `dir`."""
    assert set(engine.__all__) <= set(dir(engine))
    for name in engine.__all__:
        assert getattr(engine, name) is not None
    assert "instance" in inspect.signature(play).parameters
    assert "database" in inspect.signature(results).parameters


def test_a_stored_episode_is_read_back_as_a_log(tmp_path):
    """An episode is named by the beginning of its id."""
    episode = asyncio.run(play("matchit", "text/same/0", {"all": "random"}))
    with Store(tmp_path / "log.db", purpose="test") as store:
        [claim] = store.claim_episodes([(Log(episode.log).start, None)], origin="table")
        store.append([EpisodeUpdate(claim.episode, list(episode.log), None, None)])
    log = read_log(tmp_path / "log.db", claim.episode[:12])
    assert (log.outcome, score(log)) == (episode.outcome, score(episode.log))


def test_reading_a_file_that_does_not_exist_is_an_error_and_makes_none(tmp_path):
    """A mistyped path must not look like a log without games."""
    for read in (results, lambda path: read_log(path, "any")):
        with pytest.raises(StoreError, match="does not exist"):
            read(tmp_path / "nothing.db")
    assert not list(tmp_path.iterdir())
