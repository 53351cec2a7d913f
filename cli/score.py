"""`ludens score`: compute the scores of stored episodes again, from their events."""

from __future__ import annotations

from cli.options import Db, Selection
from cli.words import say


def score(
    selection: Selection = None,
    db: Db = None,
) -> None:
    """Compute scores again from the events."""
    from cli.settings import load
    from cli.stored import chosen, opened, registry_of
    from engine.results.index import rescore

    settings = load(db=db)
    registry = registry_of(settings)
    with opened(settings.db) as store:
        rows = [row for row in chosen(store, selection, registry) if row.outcome and registry.has(row.game)]
        changed = 0
        for at in range(0, len(rows), 500):
            some = rows[at : at + 500]
            made = rescore(store, registry, [row.id for row in some])
            new = [
                one for row, one in zip(some, made, strict=True) if (row.scores, row.scores_version) != (one[2], one[1])
            ]
            store.set_scores(new)
            changed += len(new)
        say(f"{len(rows)} episodes scored, {changed} with another result than before")
