"""Short ways in for notebooks and scripts, over the packages of the engine."""

from __future__ import annotations

from pathlib import Path

from engine.core.events import Event, Json
from engine.core.log import Log
from engine.core.scores import score_episode
from engine.play.project import build_project_registry
from engine.results.index import Results
from engine.storage.database import StoreError
from engine.storage.store import Store


def score(events: Log | list[Event]) -> Json:
    """Return the scores of an episode, the common ones and the game's own, from its events alone."""
    log = Log(events)
    return score_episode(log, build_project_registry().game(log.start.game))


def read_log(database: Path | str, episode: str) -> Log:
    """Return the log of a stored episode, named by its id or an unambiguous beginning of it.

    Raises `StoreError` for a file that does not exist or cannot be read, and for an episode that is not in it.
    """
    if not Path(database).is_file():
        raise StoreError(f"{database} does not exist")
    with Store(database) as store:
        return Log(store.events(store.episode(episode).id))


def read_results(database: Path | str = "logs/ludens.db", *, game: str | None = None) -> list[Json]:
    """Return the result rows of a log file, of all games or of one, as `ludens results --format json` has them.

    Raises `StoreError` for a file that does not exist or cannot be read.
    """
    if not Path(database).is_file():
        raise StoreError(f"{database} does not exist")
    with Store(database) as store:
        results = Results(store, build_project_registry())
        results.refresh()
        return [row.as_json() for row in results.list_rows(lambda condition: game in (None, condition.game))]
