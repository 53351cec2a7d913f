"""What all executors of a run share: progress, budget, and the protocol."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from engine.core.usage import UsageByPlayer, add_usages

DEFAULT_CONCURRENCY = 64
"""Episodes in play at the same time. Free players answer immediately: more would only enlarge transactions."""


TALLY_COUNT_NAMES = (
    "previously_finished_count",
    "played_count",
    "aborted_count",
    "finished_elsewhere_count",
    "playing_count",
    "waiting_count",
    "call_count",
    "token_count",
    "cost",
)
"""The fields of a tally that are added up."""


@dataclass
class Tally:
    """How far a run is. A planned episode is already over, played, played elsewhere, stalled, or still to come."""

    planned_count: int = 0
    previously_finished_count: int = 0
    """Already over when this run reached them."""
    played_count: int = 0
    """Played to an outcome by this run, `aborted` ones among them."""
    aborted_count: int = 0
    finished_elsewhere_count: int = 0
    """Played to an outcome by another process meanwhile."""
    playing_count: int = 0
    waiting_count: int = 0
    """Being played by another process now."""
    call_count: int = 0
    token_count: int = 0
    """Input and output tokens of models; cached replies do not count."""
    cost: float = 0.0
    """In USD, for models with a known price."""
    usage: UsageByPlayer = field(default_factory=dict)
    """What models were sent and took, by address."""
    cause_by_stalled_episode: dict[str, str] = field(default_factory=dict)
    """Cause by episode id."""
    cause_by_unscored_episode: dict[str, str] = field(default_factory=dict)
    """Episodes whose game failed to score them: cause by episode id."""

    @property
    def finished_count(self) -> int:
        """How many planned episodes have an outcome, also from other runs."""
        return self.previously_finished_count + self.played_count + self.finished_elsewhere_count

    def __add__(self, other_tally: Tally) -> Tally:
        """Return the sum of two processes that share a plan."""
        combined_tally = Tally(
            self.planned_count,
            cause_by_stalled_episode=self.cause_by_stalled_episode | other_tally.cause_by_stalled_episode,
            cause_by_unscored_episode=self.cause_by_unscored_episode | other_tally.cause_by_unscored_episode,
        )
        for count_name in TALLY_COUNT_NAMES:
            setattr(combined_tally, count_name, getattr(self, count_name) + getattr(other_tally, count_name))
        for player_usage in (self.usage, other_tally.usage):
            add_usages(combined_tally.usage, player_usage)
        return combined_tally

    @property
    def is_complete(self) -> bool:
        """Whether every planned episode has an outcome."""
        return self.finished_count == self.planned_count


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a run: USD, input plus output tokens, and seconds for one episode; None is no limit.

    A reached limit of cost or tokens stops the run cleanly: calls under way are waited for and recorded, no new call is
    made. An episode that takes too long stalls, without waiting for calls under way.
    """

    cost: float | None = None
    tokens: int | None = None
    episode_seconds: float | None = None

    def find_reached_limit(self, run_tally: Tally) -> str | None:
        """Return which limit a run has reached, None while it has reached none."""
        if self.cost is not None and run_tally.cost >= self.cost:
            return f"${run_tally.cost:.6g} of ${self.cost:.6g} are spent"
        if self.tokens is not None and run_tally.token_count >= self.tokens:
            return f"{run_tally.token_count:,} of {self.tokens:,} tokens are used"
        return None


class Executor(Protocol):
    """Carries out a plan: in this process (`LocalExecutor`), in a worker pool, or on a Ray cluster.

    Cancelling `play_plan` at any time loses nothing that was stored.
    """

    @property
    def tally(self) -> Tally:
        """How far the run is."""
        ...

    @property
    def limit_reached(self) -> str | None:
        """Which limit of the budget is reached, None while none is."""
        ...

    async def play_plan(self) -> Tally:
        """Play what the plan lacks and return the tally; episodes of other processes are waited for."""
        ...
