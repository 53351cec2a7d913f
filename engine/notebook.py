"""Short ways in for notebooks and scripts, over the packages of the engine."""

from __future__ import annotations

from pathlib import Path

from engine.core.events import Event, Json
from engine.core.log import Log
from engine.core.scores import score_episode
from engine.play.registry import Registry
from engine.results.index import Results
from engine.storage.store import Store

PROJECT = Path(__file__).resolve().parents[1]


def score(events: Log | list[Event]) -> Json:
    """Return the scores of an episode, the common ones and the game's own, from its events alone."""
    log = Log(events)
    return score_episode(log, Registry(PROJECT).game(log.start.game))


def read_results(database: Path | str = "logs/ludens.db", *, game: str | None = None) -> list[Json]:
    """Return the result rows of a log file, of all games or of one, as `ludens results --format json` has them.

    Raises `StoreError` for a file that cannot be read.
    """
    with Store(database) as store:
        results = Results(store, Registry(PROJECT))
        results.refresh()
        return [row.as_json() for row in results.rows(lambda condition: game in (None, condition.game))]
