"""`ludens db unplan`: forget planned episodes that have not begun."""

from __future__ import annotations

from cli.options import DbOption, SelectionArgument
from cli.output import print_message
from engine.core.wording import plural


def delete_planned_episodes(
    selection: SelectionArgument = None,
    db: DbOption = None,
) -> None:
    """Forget planned episodes that have not begun.

    Results then no longer count them as missing.
    """
    from cli.log_access import build_filter, build_registry, open_store
    from cli.settings import load_settings

    settings = load_settings(db=db)
    registry = build_registry(settings)
    episode_filter = build_filter(registry, selection)
    with open_store(settings.db, purpose="unplan") as store:
        conditions = list(filter(episode_filter.has_game_part, store.results.count_planned_episodes()))
        if not conditions:
            for selection_part in selection or ():
                registry.select_instances(selection_part)  # raises if a part is unknown
        deleted_episode_count = store.results.delete_planned_episodes(condition.id for condition in conditions)
        print_message(f"{plural(deleted_episode_count, 'planned episode')} forgotten; episodes that have begun stay")
