"""Plans of many episodes, played to their end: concurrency, claims, resume. And `play`, one episode for a notebook.

A plan is items × seatings × repetitions. Each planned episode has a key made of everything that decides it, under which
the store keeps it once: the same plan again plays nothing twice, a killed one goes on where its log stops, and two
processes share it. Progress is counted in `Run.tally`; who shows it is somebody else's business.
"""

from __future__ import annotations

import asyncio
import difflib
import itertools
import json
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from engine.catalogue import Catalogue, Item, UnknownSelection
from engine.episode import Episode, GroupCommit, Nowhere, Sink
from engine.events import Ending, Event, Json, Kind, digest
from engine.game import Game
from engine.master import RulesChanged, Start, start_of
from engine.player import About, Address, Player, UnknownPlayer
from engine.scoring import score_episode, version_of
from engine.seating import candidates, players_of, seed_of, side_keys, unseated
from engine.store import Claim, LostLease, Store, new_id

CONCURRENCY = 64
"""Episodes in play at once. Free players answer at once: more would only make the groups of a commit larger."""
BEAT_SECONDS = 5.0
BUSY_SECONDS = 0.2
"""Between two looks at episodes that another process plays."""
SCORES_AT_ONCE = 64


class BadPlan(ValueError):
    """A run that cannot be planned as asked; the message names what is wrong and what there is."""


@cache
def ludens_version() -> str:
    """Return the version of Ludens, as episodes record it."""
    from importlib.metadata import version

    return version("ludens")


# ---------------------------------------------------------------------- plans
@dataclass(frozen=True, slots=True)
class Planned:
    """One episode to play: its start, and the key under which it is played once."""

    start: Start
    key: str


def plan_key(start: Start) -> str:
    """Return the digest of what makes two planned episodes the same one (design §4)."""
    return digest(
        [
            [start.game, start.game_version, start.variant, start.experiment, start.instance_hash],
            [start.prompts, start.prompts_version, start.settings, start.reprompt],
            [[seat, _canonical_address(start.seats[seat])] for seat in sorted(start.seats)],
            [start.run_seed, start.repetition, start.seed],
        ]
    )


def _canonical_address(address: str) -> list[Any]:
    parsed = Address.parse(address)
    return [parsed.provider, parsed.name, sorted(parsed.parameters.items())]


@dataclass(frozen=True)
class Plan:
    """What to play. Iterating makes the planned episodes one by one, in order; `len` counts them.

    `limit` takes the first so many instances of each experiment. `settings` and `reprompt` are None where nothing was
    asked for (the game's own settings, no reminders). A seat of `recorded/EPISODE` takes instance, settings, reprompt
    and seed from that episode: the plan is then that one instance.
    """

    catalogue: Catalogue
    items: tuple[Item, ...]
    seatings: tuple[Mapping[str, str], ...]
    settings: Json | None = None
    reprompt: int | None = None
    seed: int = 0
    repeat: int = 1
    recorded: Start | None = None

    @classmethod
    def of(
        cls,
        catalogue: Catalogue,
        selections: Sequence[str],
        seatings: Sequence[Mapping[str, str]],
        *,
        settings: Json | None = None,
        reprompt: int | None = None,
        seed: int = 0,
        repeat: int = 1,
        limit: int | None = None,
        store: Store | None = None,
    ) -> Plan:
        """Plan selections for seatings ({seat: player}, or {"all": player}), checked before anything is played.

        `store` is where `recorded/EPISODE` is looked up. Raises `UnknownSelection`, `UnknownPlayer`, or `BadPlan`
        naming the seats, the setting or the number that is wrong.
        """
        if not selections:
            raise BadPlan(f"what is to be played? Name a game: {', '.join(catalogue.names)}")
        for name, number, least in (("repeat", repeat, 1), ("limit", limit, 1), ("reprompt", reprompt, 0)):
            if number is not None and number < least:
                raise BadPlan(f"{name} is at least {least}, not {number}")
        items = list(dict.fromkeys(_Once(item) for selection in selections for item in catalogue.select(selection)))
        chosen = tuple(once.item for once in items if limit is None or once.item.index < limit)
        games = {name: catalogue.game(name) for name in dict.fromkeys(item.game for item in chosen)}
        for game in games.values():
            _check_settings(game, settings)
        for item in chosen:
            if why := catalogue.lack(item):
                raise BadPlan(f"{item.instance_id} cannot be played here: {why}")
        seated = tuple(_in_full(catalogue, seating, store) for seating in seatings)
        for seating in seated:
            _check_seats(games, seating)
            for game in games.values():
                for seat, address in candidates(game, seating):
                    if Address.parse(address).provider != "recorded":  # looked at below, with its episode
                        catalogue.player(address, game.name, seat, _no_episodes)
                        _check_abilities(catalogue, address, game, chosen)
        recorded = _recorded_start(seated, chosen, settings, reprompt, store)
        return cls(catalogue, chosen, seated, settings, reprompt, seed, repeat, recorded)

    def __len__(self) -> int:
        return (1 if self.recorded else len(self.items)) * len(self.seatings) * self.repeat

    def __iter__(self) -> Iterator[Planned]:
        return map(self.at, range(len(self)))

    def at(self, place: int) -> Planned:
        """Return the planned episode at a place: all items for the first seating, then for the next, then repeated."""
        rest, item = divmod(place, 1 if self.recorded else len(self.items))
        repetition, seating = divmod(rest, len(self.seatings))
        if self.recorded:
            return self._again(self.recorded, self.seatings[seating], repetition)
        return self._planned(self.items[item], self.seatings[seating], repetition)

    @property
    def paid(self) -> dict[str, About]:
        """The players of the plan that cost money: address to what is known of them."""
        found: dict[str, About] = {}
        for name in dict.fromkeys(item.game for item in self.items):
            for seating in self.seatings:
                for address in dict.fromkeys(who for _, who in candidates(self.catalogue.game(name), seating)):
                    about = self.catalogue.about(address, name)
                    if about.costs:
                        found[address] = about
        return found

    @property
    def instant(self) -> bool:
        """Whether all its players answer without waiting for anything but this machine's processor."""
        if self.recorded:
            return False
        games = [self.catalogue.game(name) for name in dict.fromkeys(item.game for item in self.items)]
        return all(
            getattr(self.catalogue.player(address, game.name, seat, _no_episodes), "instant", False)
            for seating in self.seatings
            for game in games
            for seat, address in candidates(game, seating)
        )

    def _planned(self, item: Item, seating: Mapping[str, str], repetition: int) -> Planned:
        game = self.catalogue.game(item.game)
        seed = seed_of(game, item, seating, self.seed, repetition)
        start = start_of(
            game,
            ludens=ludens_version(),
            variant=item.variant,
            experiment=item.experiment,
            instance=item.instance,
            instance_id=item.instance_id,
            seats=players_of(game, item.instance, seating, seed),
            settings=self.settings,
            reprompt=self.reprompt or 0,
            run_seed=self.seed,
            repetition=repetition,
            seed=seed,
        )
        return Planned(start, plan_key(start))

    def _again(self, recorded: Start, seating: Mapping[str, str], repetition: int) -> Planned:
        """Return a recorded start under the present rules with other players, but the same seed."""
        game = self.catalogue.game(recorded.game)
        start = start_of(
            game,
            ludens=ludens_version(),
            variant=recorded.variant,
            experiment=recorded.experiment,
            instance=recorded.instance,
            instance_id=recorded.instance_id,
            seats=players_of(game, recorded.instance, seating, recorded.seed),
            settings=recorded.settings,
            reprompt=recorded.reprompt,
            run_seed=recorded.run_seed,
            repetition=recorded.repetition + repetition,
            seed=recorded.seed,
        )
        return Planned(start, plan_key(start))


@dataclass(frozen=True)
class _Once:
    """An item that equals another of the same name: overlapping selections name it once."""

    item: Item = field(compare=False)
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.item.instance_id)


def _check_seats(games: Mapping[str, Game], seating: Mapping[str, str]) -> None:
    known = {seat for game in games.values() for seat in (*game.seats, *side_keys(game))}
    unknown = [seat for seat in seating if seat not in known | {"all"}]
    no_seat = f"no seat {', '.join(map(repr, unknown))}; there are: {', '.join(sorted(known))}, and all"
    for game in games.values():
        if missing := unseated(game, seating):
            given = " ".join(f"--seat {seat}=PLAYER" for seat in missing)
            raise BadPlan(
                f"{game.name} has the seats {', '.join(game.seats)}; nobody sits at {', '.join(missing)}: "
                f"add {given}, or --seat all=PLAYER" + (f". Besides, {no_seat}" if unknown else "")
            )
    if unknown:
        raise BadPlan(no_seat)


def _check_settings(game: Game, settings: Json | None) -> None:
    fields = game.settings.model_fields
    known = ", ".join(f"{name} (default {json.dumps(info.default)})" for name, info in fields.items()) or "none"
    for name in settings or {}:
        if name not in fields:
            close = difflib.get_close_matches(name, fields, 1)
            meant = f" (did you mean {close[0]!r}?)" if close else ""
            raise BadPlan(f"{game.name} has no setting {name!r}{meant}; there are: {known}")
    try:
        game.settings.model_validate(settings or {})
    except ValidationError as error:
        raise BadPlan(f"{game.name}: setting {'; '.join(faults_of(error))}; settings are: {known}") from None


def faults_of(error: ValidationError, data: Any = None) -> list[str]:
    """Return what pydantic found wrong, each as `field: why (got value)`. `data` is what it was found in."""
    said = []
    for fault in error.errors(include_url=False):
        missing = fault["type"] == "missing"
        where = _path(data, fault["loc"], missing) if isinstance(data, dict) else list(map(str, fault["loc"]))
        why = str(fault["ctx"]["error"]) if fault["type"] == "value_error" else fault["msg"]
        got = "" if missing or fault["type"] == "value_error" else f" (got {fault['input']!r:.80})"
        said.append(f"{'.'.join(where)}: {why}{got}" if where else f"{why}{got}")
    return said


def _path(data: Any, place: Sequence[str | int], missing: bool) -> list[str]:
    """Return the steps of a place that data has, without the names of alternatives that pydantic puts between."""
    steps: list[str] = []
    for number, step in enumerate(place, 1):
        if isinstance(data, dict) and step not in data and not (missing and number == len(place)):
            continue
        steps.append(str(step))
        try:
            data = data[step]
        except (LookupError, TypeError):
            data = None
    return steps


def _check_abilities(catalogue: Catalogue, address: str, game: Game, items: Iterable[Item]) -> None:
    """Raise `BadPlan` where a player cannot play here, or cannot see what the items show."""
    for variant in dict.fromkeys(item.variant for item in items if item.game == game.name):
        if why := catalogue.refusal(address, game, game.variant(variant)):
            raise BadPlan(why)


def _no_episodes(episode: str) -> Sequence[Event]:
    raise LookupError(f"no episode {episode!r} without a database")


def _in_full(catalogue: Catalogue, seating: Mapping[str, str], store: Store | None) -> dict[str, str]:
    """Write out names of players.toml and shortened ids of recorded episodes, so that equal seatings are equal."""
    full = {}
    for seat, address in seating.items():
        parsed = Address.parse(address)
        if parsed.provider == "recorded" and parsed.name and store:
            address = f"recorded/{store.episode(parsed.name).id}"
        full[seat] = catalogue.resolve(address)
    return full


def _recorded_start(
    seatings: Sequence[Mapping[str, str]],
    items: Sequence[Item],
    settings: Json | None,
    reprompt: int | None,
    store: Store | None,
) -> Start | None:
    """Return the start that the recorded seats agree on, None without any."""
    found: dict[str, Start] = {}
    for address in (address for seating in seatings for address in seating.values()):
        parsed = Address.parse(address)
        if parsed.provider == "recorded":
            if not parsed.name or store is None:
                raise UnknownPlayer("which episode? write recorded/EPISODE; `ludens replay` shows one")
            found[parsed.name] = Start.model_validate(store.episode(parsed.name).start)
    if not found:
        return None
    starts = list(found.values())
    first, name = starts[0], next(iter(found))
    for other in starts[1:]:
        if (other.instance_hash, other.settings, other.seed) != (first.instance_hash, first.settings, first.seed):
            raise BadPlan(f"the recorded episodes {' and '.join(found)} differ in instance, settings or seed")
    if not any((item.game, item.variant) == (first.game, first.variant) for item in items):
        raise BadPlan(f"episode {name} was {first.instance_id}: select {first.game}/{first.variant}")
    for key, value in (settings or {}).items():
        if first.settings.get(key) != value:
            raise BadPlan(f"episode {name} was played with {key}={first.settings.get(key)}, not {value}")
    if reprompt not in (None, first.reprompt):
        raise BadPlan(f"episode {name} was played with reprompt {first.reprompt}, not {reprompt}")
    return first


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

    @property
    def over(self) -> int:
        """How many planned episodes have an outcome, by whomever."""
        return self.before + self.done + self.elsewhere

    def __add__(self, other: Tally) -> Tally:
        """Return what two processes that share a plan did together."""
        both = Tally(self.planned, stalled=self.stalled | other.stalled)
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

    What is reached stops the run cleanly: calls under way are waited for and recorded, no other is made.
    """

    cost: float | None = None
    tokens: int | None = None

    def spent(self, tally: Tally) -> str | None:
        """Say which limit a run has reached, None while there is none."""
        if self.cost is not None and tally.cost >= self.cost:
            return f"${tally.cost:.4f} of ${self.cost:.2f} are spent"
        if self.tokens is not None and tally.tokens >= self.tokens:
            return f"{tally.tokens:,} of {self.tokens:,} tokens are used"
        return None


Source = Callable[[int], Sequence[Planned]]
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
        self._catalogue = plan.catalogue
        self._sink = GroupCommit(store)
        self._source = source or _source(plan)
        self._ready: deque[tuple[Planned, Claim]] = deque()
        self._busy: list[Planned] = []
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

    def _next(self) -> tuple[Planned, Claim] | None:
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

    async def _play(self, planned: Planned, claim: Claim) -> None:
        try:
            episode = await self._seated(planned, claim)
        except (RulesChanged, ValidationError, KeyError) as error:
            # Named and left as it is: a log that the present rules would not have written is never continued.
            self._stall(claim.episode, _why(error))
            return
        episode.listeners.append(self._count)
        outcome = await episode.play(until=lambda: self.spent is not None)
        if outcome is None and not episode.stalled:
            self.store.release(episode.id)  # nothing more may be spent: it goes on another time
            return
        if outcome is None:
            self._stall(episode.id, episode.stalled or "no reply", noted=True)
            return
        self.tally.done += 1
        self.tally.aborted += outcome.kind is Ending.ABORTED
        self.tally.stalled.pop(episode.id, None)
        self._score(episode)

    async def _seated(self, planned: Planned, claim: Claim) -> Episode:
        """Return the claimed episode, begun or where its log stops."""
        start, log = planned.start, []
        if claim.state == "resume":
            start = Start.model_validate(self.store.episode(claim.episode).start)
            log = self.store.events(claim.episode)
        game = self._catalogue.game(start.game)
        players = {
            seat: self._catalogue.player(address, game.name, seat, self.store.events)
            for seat, address in start.seats.items()
        }
        if log:
            for event in log:
                if event.kind is Kind.SEAT and event.seat:
                    address = event.data["player"]
                    players[event.seat] = self._catalogue.player(address, game.name, event.seat, self.store.events)
            return Episode.resume(claim.episode, game, log, players, self._sink)
        return await Episode.begin(claim.episode, game, start, players, self._sink)

    def _count(self, episode: Episode, events: Sequence[Event]) -> None:
        if events[0].kind is Kind.REPLY:
            self.tally.calls += 1
            used = events[0].data["meta"]
            if not used.get("cached"):
                self.tally.tokens += used.get("tokens_in", 0) + used.get("tokens_out", 0)
                self.tally.cost += used.get("cost", 0.0)

    def _stall(self, episode: str, cause: str, *, noted: bool = False) -> None:
        """Count a stalled episode and let others have it; `noted` where its log says so already."""
        self.tally.stalled[episode] = cause
        if not noted:
            self.store.stall(episode, cause)
        self.store.release(episode)

    def _score(self, episode: Episode) -> None:
        game = episode.master.game
        version, scorer = self._catalogue.scorer(game.name)
        scores = score_episode(episode.log, scorer, adversarial=game.adversarial)
        self._scores.append((episode.id, version_of(version), scores))
        self._keep_scores(at_least=SCORES_AT_ONCE)

    def _keep_scores(self, *, at_least: int) -> None:
        """Store computed scores together. Lost ones are no loss: results compute what is missing."""
        if len(self._scores) >= at_least:
            scores, self._scores = self._scores, []
            self.store.set_scores(scores)


def _source(planned: Iterable[Planned]) -> Source:
    coming = iter(planned)
    return lambda number: list(itertools.islice(coming, number))


def _why(error: Exception) -> str:
    if isinstance(error, RulesChanged):
        return f"the rules have changed since this was played: {error}"
    if isinstance(error, ValidationError):
        return f"the instance cannot be used: {'; '.join(faults_of(error))}"
    return f"{type(error).__name__}: {error}"


# ---------------------------------------------------------------------- one episode
async def play(
    game: Game | str,
    instance: Item | Json | str,
    seats: Mapping[str, Player | str],
    *,
    catalogue: Catalogue | None = None,
    settings: Json | None = None,
    reprompt: int = 0,
    seed: int = 0,
    on_advance: Callable[[Episode, Sequence[Event]], None] | None = None,
    sink: Sink | None = None,
) -> Episode:
    """Play one episode and return it, for notebooks and scripts: `.outcome`, `.log`, `.stalled`.

    `game` is a name or a `Game`; `instance` a selection below it ("text/same/0"), an `Item`, or an instance's own data
    (its variant is then the game's first); `seats` gives every seat a player object or an address ("scripted"), with
    "all" for the seats not named. Nothing is written unless a `sink` is given.

        from engine.runs import play
        episode = await play("matchit", "text/same/0", {"A": "scripted", "B": "random"})
        print(episode.outcome, len(episode.log))

    Raises `UnknownSelection`, `UnknownPlayer` or `BadPlan` before anything is played. An episode that a player's fault
    has stalled comes back without an outcome.
    """
    catalogue = catalogue or Catalogue(Path(__file__).resolve().parent.parent)
    game = catalogue.game(game) if isinstance(game, str) else game
    if isinstance(instance, str):
        inside = instance.strip("/").removeprefix(f"{game.name}/")
        found = catalogue.select(f"{game.name}/{inside}")
        if len(found) != 1:
            raise UnknownSelection(f"{instance!r} names {len(found)} instances; one is e.g. {found[0].instance_id!r}")
        instance = found[0]
    if not isinstance(instance, Item):
        instance = Item(game.name, game.variants[0].name, "custom", 0, instance)
    named = {
        seat: catalogue.resolve(who) if isinstance(who, str) else f"custom/{type(who).__name__}"
        for seat, who in seats.items()
    }
    _check_seats({game.name: game}, named)
    _check_settings(game, settings)
    drawn = seed_of(game, instance, named, seed)
    players: dict[str, Player] = {}
    for seat, who in players_of(game, instance.instance, seats, drawn).items():
        players[seat] = catalogue.player(who, game.name, seat, _no_episodes) if isinstance(who, str) else who
    start = start_of(
        game,
        ludens=ludens_version(),
        variant=instance.variant,
        experiment=instance.experiment,
        instance=instance.instance,
        instance_id=instance.instance_id,
        seats=players_of(game, instance.instance, named, drawn),
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


def rescore(store: Store, catalogue: Catalogue, episodes: Iterable[str]) -> list[tuple[str, str, Json]]:
    """Compute the scores of stored episodes from their events: (episode id, scores version, scores)."""
    made = []
    for episode in episodes:
        log = store.events(episode)
        game = catalogue.game(log[0].data["game"])
        version, scorer = catalogue.scorer(game.name)
        made.append((episode, version_of(version), score_episode(log, scorer, adversarial=game.adversarial)))
    return made
