"""Plans played to their end: concurrency, claims, resume. And `play`, one episode for a notebook.

Each planned episode has a key under which the store keeps it once: the same plan again plays nothing twice, a killed
one goes on where its log stops, and two processes share it. Progress is counted in `Run.tally`; who shows it is
somebody else's business.
"""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from engine.core.events import Ending, Event, Json, Kind, Outcome
from engine.core.game import Game
from engine.core.master import RulesChanged
from engine.core.player import EpisodeLoader, Player, no_episodes
from engine.core.start import Start
from engine.play.episode import Episode, GroupCommit, Listener, Nowhere, Sink
from engine.play.plans import (
    BadPlan,
    Plan,
    PlannedEpisode,
    build_item_start,
    check_seats,
    check_settings,
    validation_messages,
)
from engine.play.registry import Registry, SelectedInstance, UnknownSelection
from engine.play.seating import players_of, side_seating_seed
from engine.storage.store import Claim, LostLease, Store, new_id

CONCURRENCY = 64
"""Episodes in play at once. Free players answer at once: more would only make the groups of a commit larger."""
BEAT_SECONDS = 5.0
BUSY_SECONDS = 0.2
"""Between two looks at episodes that another process plays."""
SCORES_AT_ONCE = 64


# ---------------------------------------------------------------------- runs
@dataclass
class Tally:
    """How far a run is. A planned episode is one of before, done, elsewhere, stalled, or still to come."""

    planned: int = 0
    before: int = 0
    """Over when this run came to them."""
    done: int = 0
    """Played to an outcome by this run, `aborted` ones among them."""
    aborted: int = 0
    elsewhere: int = 0
    """Played to an outcome by another process meanwhile."""
    playing: int = 0
    waiting: int = 0
    """Being played by another process now."""
    calls: int = 0
    tokens: int = 0
    """Tokens of models, in and out; replies from a cache count nothing."""
    cost: float = 0.0
    """USD, of the models whose price is known."""
    stalled: dict[str, str] = field(default_factory=dict)
    """Episode id to the cause."""
    unscored: dict[str, str] = field(default_factory=dict)
    """Episodes that are over but whose game failed to score them: id to the cause."""

    @property
    def over(self) -> int:
        """How many planned episodes have an outcome, by whomever."""
        return self.before + self.done + self.elsewhere

    def __add__(self, other: Tally) -> Tally:
        """Return what two processes that share a plan did together."""
        both = Tally(self.planned, stalled=self.stalled | other.stalled, unscored=self.unscored | other.unscored)
        for name in ("before", "done", "aborted", "elsewhere", "playing", "waiting", "calls", "tokens", "cost"):
            setattr(both, name, getattr(self, name) + getattr(other, name))
        return both

    @property
    def complete(self) -> bool:
        """Whether every planned episode has an outcome."""
        return self.over == self.planned


@dataclass(frozen=True, slots=True)
class Budget:
    """What a run may spend: USD, and tokens in and out together; None: as much as it takes.

    What is reached stops the run cleanly: calls under way (as many as episodes are in play) are waited for and
    recorded, no other is made.
    """

    cost: float | None = None
    tokens: int | None = None

    def spent(self, tally: Tally) -> str | None:
        """Say which limit a run has reached, None while there is none."""
        if self.cost is not None and tally.cost >= self.cost:
            return f"${tally.cost:.6g} of ${self.cost:.6g} are spent"
        if self.tokens is not None and tally.tokens >= self.tokens:
            return f"{tally.tokens:,} of {self.tokens:,} tokens are used"
        return None


Source = Callable[[int], Sequence[PlannedEpisode]]
"""Gives up to so many planned episodes that nobody else was given; none when there are no more."""


class Run:
    """Plays a plan into a store. `tally` says how far it is at any time; cancelling `go` is safe at any time.

    The store is used from the event loop's thread only, by this run alone. `source` gives the episodes in place of the
    whole plan, where several runs share it.
    """

    def __init__(
        self,
        plan: Plan,
        store: Store,
        *,
        concurrency: int = CONCURRENCY,
        budget: Budget | None = None,
        source: Source | None = None,
    ) -> None:
        if concurrency < 1:
            raise BadPlan(f"concurrency is at least 1, not {concurrency}")
        self.plan, self.store, self.concurrency = plan, store, concurrency
        self._budget = budget or Budget()
        self.tally = Tally(len(plan))
        self._registry = plan.registry
        self._sink = GroupCommit(store)
        self._source = source or _source(plan)
        self._ready: deque[tuple[PlannedEpisode, Claim]] = deque()
        self._busy: list[PlannedEpisode] = []
        self._scores: list[tuple[str, str, Json]] = []
        self._looking_again = False

    async def go(self) -> Tally:
        """Play what the plan still lacks and return the tally; episodes of other processes are waited for."""
        beating = asyncio.create_task(self._beat())
        try:
            await self._work()
            while self._busy:
                self.tally.waiting = len(self._busy)
                await asyncio.sleep(BUSY_SECONDS)
                self._looking_again, again, self._busy = True, self._busy, []
                self._source = _source(again)
                await self._work()
            self.tally.waiting = 0
        finally:
            beating.cancel()
            await self._sink.close()
            self._keep_scores(at_least=1)
        return self.tally

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            try:
                self.store.beat()
            except sqlite3.OperationalError:  # another process writes for long; the next beat is soon enough
                continue

    async def _work(self) -> None:
        async with asyncio.TaskGroup() as workers:
            for _ in range(min(self.concurrency, len(self.plan))):
                workers.create_task(self._worker())

    async def _worker(self) -> None:
        while (found := self._next()) is not None:
            planned, claim = found
            self.tally.playing += 1
            try:
                await self._play(planned, claim)
            except LostLease:  # we were taken for dead; whoever took over goes on
                self._busy.append(planned)
            finally:
                self.tally.playing -= 1

    def _next(self) -> tuple[PlannedEpisode, Claim] | None:
        """Return the next episode that is ours to play, claiming a few at a time so that processes can share a plan."""
        while not self._ready and not self.spent:
            chunk = self._source(min(self.concurrency, 64))
            if not chunk:
                return None
            claims = self.store.claim([(planned.start, planned.key) for planned in chunk], origin="run")
            for planned, claim in zip(chunk, claims, strict=True):
                if claim.state == "over" and self._looking_again:
                    self.tally.elsewhere += 1
                elif claim.state == "over":
                    self.tally.before += 1
                elif claim.state == "busy":
                    self._busy.append(planned)
                else:
                    self._ready.append((planned, claim))
        return None if self.spent else self._ready.popleft()

    @property
    def spent(self) -> str | None:
        """Which limit of the budget is reached, None while there is none."""
        return self._budget.spent(self.tally)

    async def _play(self, planned: PlannedEpisode, claim: Claim) -> None:
        """Play a claimed episode as far as it goes, and keep what came of it."""
        end = await self._played(planned, claim)
        if end.cause is not None:
            self.tally.stalled[claim.episode] = end.cause
            if not end.noted:
                self.store.stall(claim.episode, end.cause)
        if end.outcome is None:
            self.store.release(claim.episode)  # where nothing more may be spent, it goes on another time
            return
        self.tally.done += 1
        self.tally.aborted += end.outcome.kind is Ending.ABORTED
        self.tally.stalled.pop(claim.episode, None)
        if end.unscored is not None:
            self.tally.unscored[claim.episode] = end.unscored
        elif end.scores is not None:
            self._scores.append((claim.episode, *end.scores))
            self._keep_scores(at_least=SCORES_AT_ONCE)

    async def _played(self, planned: PlannedEpisode, claim: Claim) -> PlayResult:
        start, log = self._begun(planned, claim)
        return await play_on(
            claim.episode,
            start,
            log,
            self._registry,
            self._sink,
            episodes=self.store.events,
            until=lambda: self.spent is not None,
            heard=lambda _, events: self._count(events),
        )

    def _begun(self, planned: PlannedEpisode, claim: Claim) -> tuple[Start, list[Event]]:
        """Return the start of a claimed episode and its log, empty where it is new."""
        if claim.state == "new":
            return planned.start, []
        return Start.model_validate(self.store.episode(claim.episode).start), self.store.events(claim.episode)

    def _count(self, events: Sequence[Event]) -> None:
        """Count what one stored advance took."""
        if events[0].kind is Kind.REPLY:
            self.tally.calls += 1
            used = events[0].data["meta"]
            if not used.get("cached"):
                self.tally.tokens += used.get("tokens_in", 0) + used.get("tokens_out", 0)
                self.tally.cost += used.get("cost", 0.0)

    def _keep_scores(self, *, at_least: int) -> None:
        """Store computed scores together. Lost ones are no loss: results compute what is missing."""
        if len(self._scores) >= at_least:
            scores, self._scores = self._scores, []
            self.store.set_scores(scores)


def _source(planned: Iterable[PlannedEpisode]) -> Source:
    coming = iter(planned)
    return lambda number: list(itertools.islice(coming, number))


@dataclass(frozen=True, slots=True)
class PlayResult:
    """How far an episode was played: to its outcome, to a fault, or, without either, while anything may be spent."""

    outcome: Outcome | None = None
    cause: str | None = None
    """Why it waits."""
    noted: bool = True
    """Whether its log says so itself."""
    scores: tuple[str, Json] | None = None
    """The version they are kept under, and the scores of an episode that is over."""
    unscored: str | None = None
    """Why its game failed to score it."""


async def play_on(
    id: str,
    start: Start,
    log: list[Event],
    registry: Registry,
    sink: Sink,
    *,
    episodes: EpisodeLoader,
    until: Callable[[], bool],
    heard: Listener | None = None,
) -> PlayResult:
    """Play a claimed episode from where its log stops, or from its start without one, and score it where it is over.

    `heard` is told of every advance once it is stored, but for the first of a new episode. Raises what `sink` raises.
    """
    try:
        episode = await _seated(id, start, log, registry, sink, episodes)
    except (RulesChanged, ValidationError, KeyError) as error:
        # Named and left as it is: a log that the present rules would not have written is never continued.
        return PlayResult(cause=_why(error), noted=False)
    if heard:
        episode.listeners.append(heard)
    outcome = await episode.play(until)
    if outcome is None:
        return PlayResult(cause=episode.stalled)
    try:
        return PlayResult(outcome, scores=registry.scores_of(episode.log))
    except Exception as error:  # a game's bug must not end the run: the log holds all, scores can be made later
        return PlayResult(outcome, unscored=f"{start.game}: {type(error).__name__}: {error}")


async def _seated(
    id: str, start: Start, log: list[Event], registry: Registry, sink: Sink, episodes: EpisodeLoader
) -> Episode:
    """Return an episode with its players, begun or where its log stops."""
    game = registry.game(start.game)
    seats = dict(start.seats)
    seats |= {event.seat: event.data["player"] for event in log if event.kind is Kind.SEAT and event.seat}
    players = {seat: registry.player(address, game.name, seat, episodes) for seat, address in seats.items()}
    if log:
        return Episode.resume(id, game, log, players, sink)
    return await Episode.begin(id, game, start, players, sink)


def _why(error: Exception) -> str:
    if isinstance(error, RulesChanged):
        return f"the rules have changed since this was played: {error}"
    if isinstance(error, ValidationError):
        return f"the instance cannot be used: {'; '.join(validation_messages(error))}"
    return f"{type(error).__name__}: {error}"


# ---------------------------------------------------------------------- one episode
async def play(
    game: Game | str,
    instance: SelectedInstance | Json | str,
    seats: Mapping[str, Player | str],
    *,
    registry: Registry | None = None,
    settings: Json | None = None,
    reprompt: int = 0,
    seed: int = 0,
    on_advance: Callable[[Episode, Sequence[Event]], None] | None = None,
    sink: Sink | None = None,
) -> Episode:
    """Play one episode and return it, for notebooks and scripts: `.outcome`, `.log`, `.stalled`.

    `game` is a name or a `Game`. `instance` is a selection below it ("text/same/0"), a `SelectedInstance`, or an
    instance's own data (the variant is then the game's first). `seats` gives each seat a player object or an address
    ("scripted"), with "all" for the seats not named. Nothing is written unless a `sink` is given.

        from engine.runs import play
        episode = await play("matchit", "text/same/0", {"A": "scripted", "B": "random"})
        print(episode.outcome, len(episode.log))

    Raises `UnknownSelection`, `UnknownPlayer` or `BadPlan` before anything is played. An episode that a player's fault
    has stalled comes back without an outcome.
    """
    registry = registry or Registry(Path(__file__).resolve().parents[2])
    game = registry.game(game) if isinstance(game, str) else game
    if isinstance(instance, str):
        inside = instance.strip("/").removeprefix(f"{game.name}/")
        found = registry.select(f"{game.name}/{inside}")
        if len(found) != 1:
            raise UnknownSelection(f"{instance!r} names {len(found)} instances; one is e.g. {found[0].instance_id!r}")
        instance = found[0]
    if not isinstance(instance, SelectedInstance):
        instance = SelectedInstance(game.name, game.variants[0].name, "custom", 0, instance)
    named = {
        seat: registry.resolve(who) if isinstance(who, str) else f"custom/{type(who).__name__}"
        for seat, who in seats.items()
    }
    check_seats({game.name: game}, named)
    check_settings(game, settings)
    drawn = side_seating_seed(game, instance, named, seed)
    players: dict[str, Player] = {}
    for seat, who in players_of(game, instance.instance, seats, drawn).items():
        players[seat] = registry.player(who, game.name, seat, no_episodes) if isinstance(who, str) else who
    start = build_item_start(
        game,
        instance,
        players_of(game, instance.instance, named, drawn),
        settings=settings,
        reprompt=reprompt,
        run_seed=seed,
        seed=drawn,
    )
    episode = await Episode.begin(new_id(), game, start, players, sink or Nowhere())
    if on_advance:
        episode.listeners.append(on_advance)
    await episode.play()
    return episode
