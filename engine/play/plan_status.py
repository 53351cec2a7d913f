"""How far a plan has been played, by group of episodes."""

from __future__ import annotations

from dataclasses import dataclass

from engine.play.plans import Plan, PlanGroup
from engine.storage.episode_row import Status
from engine.storage.store import Store

KEYS_PER_QUERY = 500
"""Keys per database query."""


@dataclass
class PlanStatus:
    """How many planned episodes of a group are in the log, by status."""

    planned_count: int = 0
    finished_count: int = 0
    aborted_count: int = 0
    """Included in `finished_count`."""
    stalled_count: int = 0
    open_episode_count: int = 0

    @property
    def missing_count(self) -> int:
        """Episodes that have not begun."""
        return self.planned_count - self.finished_count - self.stalled_count - self.open_episode_count


def read_plan_status(plan: Plan, store: Store | None) -> dict[PlanGroup, PlanStatus]:
    """Return the status of each group of a plan in a log; without a log, nothing has begun."""
    statuses: dict[PlanGroup, PlanStatus] = {}
    for batch_start in range(0, len(plan), KEYS_PER_QUERY):
        batch_positions = range(batch_start, min(batch_start + KEYS_PER_QUERY, len(plan)))
        key_by_position = {position: plan.plan_episode(position).key for position in batch_positions} if store else {}
        state_by_key = store.read_planned_states(list(key_by_position.values())) if store else {}
        for position in batch_positions:
            status_of_group = statuses.setdefault(plan.group_at(position), PlanStatus())
            status_of_group.planned_count += 1
            if episode_state := state_by_key.get(key_by_position.get(position, "")):
                status_of_group.finished_count += episode_state.status is Status.OVER
                status_of_group.stalled_count += episode_state.status is Status.STALLED
                status_of_group.open_episode_count += episode_state.status is Status.OPEN
                status_of_group.aborted_count += episode_state.ending == "aborted"
    return statuses
