"""What plans are to play, stored so that results count what is missing.

Apart from the results, because every run records its plan and none reads tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.condition import Condition
from engine.core.sides import draw_side_seats, list_side_keys, make_side_key
from engine.core.start import EpisodeStart

if TYPE_CHECKING:
    from engine.play.plans import Plan
    from engine.play.registry import Registry
    from engine.storage.store import Store

EPISODES_PER_BATCH = 500
"""Planned episodes that are stored in one transaction."""


def record_plan(store: Store, plan: Plan) -> None:
    """Store what a plan is to play, so that results can count what is missing."""
    for batch_start in range(
        0, len(plan), EPISODES_PER_BATCH
    ):  # in batches, so that other processes can write in between
        planned_episodes = [
            plan.plan_episode(number) for number in range(batch_start, min(batch_start + EPISODES_PER_BATCH, len(plan)))
        ]
        store.results.add_planned_episodes(
            [
                (planned_episode.key, make_condition(planned_episode.start, plan.registry))
                for planned_episode in planned_episodes
            ]
        )


def make_condition(start_data: EpisodeStart, registry: Registry) -> Condition:
    """Return the condition that an episode will have once it is scored."""
    game = registry.game(start_data.game)
    seats_by_side_name = (
        draw_side_seats(game, game.load(start_data.instance), start_data.seed) if list_side_keys(game) else {}
    )
    seats_by_side = {make_side_key(game, side): seats for side, seats in seats_by_side_name.items()}
    return Condition.from_start(start_data, seats_by_side)
