"""`ludens score`: compute the scores of stored episodes again, from their events."""

from __future__ import annotations

from cli.options import DbOption, SelectionArgument
from cli.output import print_message

EPISODES_PER_BATCH = 500


def score(
    selection: SelectionArgument = None,
    db: DbOption = None,
) -> None:
    """Compute scores again, from the events."""
    from cli.log_access import build_registry, open_store, select_episodes
    from cli.settings import load_settings
    from engine.results.index import rescore_episodes

    settings = load_settings(db=db)
    registry = build_registry(settings)
    with open_store(settings.db) as store:
        log_rows = [
            log_row
            for log_row in select_episodes(store, selection, registry)
            if log_row.outcome and registry.has(log_row.game)
        ]
        changed_count = 0
        for batch_start in range(0, len(log_rows), EPISODES_PER_BATCH):
            row_batch = log_rows[batch_start : batch_start + EPISODES_PER_BATCH]
            rescored_rows = zip(
                row_batch, rescore_episodes(store, registry, [log_row.id for log_row in row_batch]), strict=True
            )
            changed_rows = [
                (episode, scores_version, scores)
                for log_row, (episode, scores_version, scores) in rescored_rows
                if (log_row.scores, log_row.scores_version) != (scores, scores_version)
            ]
            store.set_scores(changed_rows)
            changed_count += len(changed_rows)
        print_message(f"{len(log_rows)} episodes scored, {changed_count} with another result than before")
