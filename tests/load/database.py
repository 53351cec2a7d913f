"""A log of any number of finished episodes, made in seconds: stored games are imported, scored, and then copied."""

from __future__ import annotations

from pathlib import Path

from engine.core.events import Kind, to_json
from engine.core.start import EpisodeStart
from engine.storage.schema import WEB_MIGRATIONS
from engine.storage.store import Store
from tests.golden.episodes import REGISTRY, log_names, read_log

LARGEST = 5_000
"""Bytes of the largest stored game that is copied, to keep the file below 1 GB."""
COPY = (
    "INSERT INTO episode SELECT row + :shift, printf('%011x', created + :later) || lower(hex(randomblob(10))), NULL,"
    " origin, game, variant, experiment, instance_id, instance_hash, seats, settings, reprompt, people, mixed, start,"
    " status, cause, outcome, created + :later, updated + :later, scores, scores_version"
    " FROM episode WHERE row <= :originals",
    "INSERT INTO event (episode, n, time, kind, seat, data)"
    " SELECT episode + :shift, n, time + :later, kind, seat, data FROM event WHERE episode <= :originals",
    "INSERT INTO result (episode, id, condition, instance, ending, main, sides, numbers, marks, created, version)"
    " SELECT episode + :shift, (SELECT id FROM episode WHERE row = result.episode + :shift), condition, instance,"
    " ending, main, sides, numbers, marks, created + :later, version FROM result WHERE episode <= :originals",
)


def write_database(path: Path, episodes: int) -> None:
    """Write a log of at least so many finished episodes, with scores and the tables of a server."""
    with Store(path) as store:
        store.migrate(WEB_MIGRATIONS)
        _import_games(store)
        originals = len(store.episodes())
        store.sqlite_db.execute("PRAGMA synchronous = OFF")
        with store.transaction():
            for copy in range(1, -(-episodes // originals)):
                values = {"shift": copy * originals, "later": copy * 1000, "originals": originals}
                for statement in COPY:
                    store.sqlite_db.execute(statement, values)


def _import_games(store: Store) -> None:
    for game, name in log_names():
        events = read_log(game, name).events
        size = sum(len(to_json(event.data)) for event in events)
        if events[-1].kind is not Kind.OUTCOME or size > LARGEST:
            continue
        start = EpisodeStart.model_validate(events[0].data)
        episode, _ = store.import_episode(start, events, key=None, origin="run")
        store.set_scores([(episode, *REGISTRY.compute_scores(events))])
