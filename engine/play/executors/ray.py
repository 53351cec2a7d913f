"""Plays a plan on a Ray cluster: its machines play the episodes, this one hands them out and keeps the log.

An `Outpost` is a process on one of those machines. It plays whole episodes without a database: what happens in them
comes back as batches of advances, and it goes on with an episode once this process has them in the log. So a machine
may vanish at any time, and its episodes go on elsewhere where their logs stop; claims, budgets and resuming are those
of every `Run`. Ray is imported when a cluster is joined, never before.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import os
import secrets
import socket
import tempfile
import textwrap
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from engine.core.events import Event, Kind
from engine.core.player import Address
from engine.core.start import Start
from engine.play.plans import Plan, PlannedEpisode
from engine.play.registry import Registry
from engine.play.roster import Roster
from engine.play.runner import CONCURRENCY, Budget, PlayResult, Run, Tally, play_on
from engine.storage.store import Advance, Claim, LostLease, Store

ROOT = Path(__file__).resolve().parents[3]
LOOK_EVERY = 2.0
"""Seconds between two looks at which machines there are."""
PATIENCE = 15
"""Looks without a single outpost until that is said."""
DEATHS = 3
"""So many processes in a row may die on a machine, or under an episode, without anything coming of it."""
ANSWER_WITHIN = 5.0
CLOSE_WITHIN = 10.0
"""Seconds that outposts have to give back connections and models."""
OBJECTS = 100 * 2**20
"""Bytes of shared memory for a Ray of our own: batches are small, and its own choice is a third of the machine."""


HOW = "README, 'On several machines', says how to start one"


class NoCluster(Exception):
    """There is no cluster to play on; the message says why and what to do."""


@cache
def code_here() -> str:
    """Return a digest of the code and the words that decide how an episode goes on this machine."""
    made = hashlib.sha256()
    for folder in ("engine", "games", "players"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".toml"):
                made.update(f"{path.relative_to(ROOT).as_posix()}\0".encode() + path.read_bytes())
    return made.hexdigest()


# ---------------------------------------------------------------------- joining
@contextmanager
def joined(address: str | None) -> Iterator[None]:
    """Join the Ray cluster at an address ("auto": the one this machine belongs to); None: start one here meanwhile.

    One of our own listens like every Ray, so it asks for a token that only its own processes have; its files stand in
    a folder that goes with it. Raises `NoCluster`.
    """
    if importlib.util.find_spec("ray") is None:
        raise NoCluster("Ray is not installed here: .venv/bin/pip install -c constraints.txt -e '.[cluster]'")
    if address and address.startswith("ray://"):
        raise NoCluster(
            f"{address} is the address of Ray Client, which Ludens does not use: run on a machine of the cluster, "
            "with --ray-address auto"
        )
    if address not in (None, "auto"):
        _check_listening(str(address))
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    with _own() if address is None else nullcontext({"address": address}) as how:
        import ray

        try:
            ray.init(**how, logging_level="error", log_to_driver=False)
        except Exception as error:  # whatever it is: what Ray says of it is all that can be known
            where = f"no Ray cluster at {address}" if address else "Ray does not start here"
            said = str(error).strip() or type(error).__name__
            raise NoCluster(f"{where}: {said.splitlines()[0].rstrip('.')}. {HOW}") from error
        try:
            yield
        finally:
            ray.shutdown()


@contextmanager
def _own() -> Iterator[dict[str, Any]]:
    """Give what a Ray of our own is started with."""
    os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    short = "/tmp" if os.access("/tmp", os.W_OK) else None  # names of sockets in it have 100 letters at most
    with tempfile.TemporaryDirectory(prefix="ludens-ray-", dir=short, ignore_cleanup_errors=True) as folder:
        yield {"address": "local", "include_dashboard": False, "object_store_memory": OBJECTS, "_temp_dir": folder}


def _check_listening(address: str) -> None:
    """Raise `NoCluster` where nothing listens: Ray itself would try for many minutes."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise NoCluster(f"{address!r} is not HOST:PORT of a cluster's first machine, such as 10.0.0.5:6379, or auto")
    try:
        socket.create_connection((host.strip("[]"), int(port)), ANSWER_WITHIN).close()
    except (OSError, OverflowError) as error:
        raise NoCluster(f"no Ray cluster at {address}: {error}. {HOW}") from None


# ---------------------------------------------------------------------- on a machine of the cluster
@dataclass(frozen=True, slots=True)
class Order:
    """An episode to play: its log so far, empty for a new one, and the logs that its `recorded` players repeat."""

    episode: str
    start: Start
    log: list[Event]
    recorded: Mapping[str, Sequence[Event]]


class Outpost:
    """A process of the cluster that plays episodes and hands over what happens in them; a Ray actor.

    `roster` is that of the machine that keeps the log, with this outpost's share of every limit. Keys and pictures are
    those of the machine it runs on.
    """

    def __init__(self, roster: Roster) -> None:
        self._registry = Registry(ROOT)
        self._registry.roster = roster
        self._told: list[tuple[Advance, asyncio.Future[None]]] = []
        self._waiting: list[tuple[Advance, asyncio.Future[None]]] = []
        self._there = asyncio.Event()
        self._spent = False

    async def code(self) -> str:
        """Return `code_here` of its machine."""
        return code_here()

    async def play(self, order: Order) -> PlayResult:
        """Play an episode as far as it goes. Raises `LostLease` where another process has it now."""
        return await play_on(
            order.episode,
            order.start,
            order.log,
            self._registry,
            self,
            episodes=order.recorded.__getitem__,
            until=lambda: self._spent,
        )

    def append(self, advance: Advance) -> Awaitable[None]:
        """Hand an advance over; the result is awaited until it is in the log."""
        stored = asyncio.get_running_loop().create_future()
        self._waiting.append((advance, stored))
        self._there.set()
        return stored

    async def advances(self, lost: Mapping[int, str], spent: bool) -> list[Advance]:
        """Take note that the last batch is in the log, but for the places in `lost`, and return the next.

        `spent`: nothing more may be spent. Waits until something has happened.
        """
        self._spent = spent
        for place, (_, stored) in enumerate(self._told):
            if stored.done():
                continue
            if place in lost:
                stored.set_exception(LostLease(lost[place]))
            else:
                stored.set_result(None)
        self._told = []
        await self._there.wait()
        self._there.clear()
        self._told, self._waiting = self._waiting, []
        return [advance for advance, _ in self._told]

    async def close(self) -> None:
        """Give back connections and loaded models."""
        await self._registry.close()


# ---------------------------------------------------------------------- on the machine that keeps the log
@dataclass
class _Machine:
    """A machine of the cluster as the run knows it."""

    id: str
    name: str
    processors: int
    accelerators: float
    posts: int = 0
    """Outposts there, or on their way."""
    deaths: int = 0
    """Of outposts, since one of them last told something."""
    refused: str | None = None

    @classmethod
    def of(cls, node: Mapping[str, Any]) -> _Machine:
        """Return the machine that Ray describes."""
        has, id = node["Resources"], node["NodeID"]
        name = f"{node['NodeManagerAddress']} (node {id[:6]})"  # several nodes may be on one machine
        return cls(id, name, int(has["CPU"]), has.get("GPU", 0.0))


@dataclass
class _Post:
    """An outpost as the run knows it."""

    actor: Any
    machine: _Machine
    playing: int = 0
    gone: asyncio.Event = field(default_factory=asyncio.Event)


class Cluster(Run):
    """Plays a plan on the cluster that was `joined`. Free players are given all processors, models a process a machine.

    `concurrency` counts the episodes in play on all machines together. `say` is told in words which machines play, and
    which have gone. `go` raises `NoCluster` where no machine can play.
    """

    def __init__(
        self,
        plan: Plan,
        store: Store,
        *,
        concurrency: int = CONCURRENCY,
        budget: Budget | None = None,
        say: Callable[[str], None] = lambda words: None,
    ) -> None:
        super().__init__(plan, store, concurrency=concurrency, budget=budget)
        self._say = say
        self._models = plan.models
        self._loads = any(
            plan.registry.about(address, game.name).is_local for part in plan.parts for game, _, address in part.players
        )
        self._machines: dict[str, _Machine] = {}
        self._posts: list[_Post] = []
        self._manned = asyncio.Event()
        self._serving: set[asyncio.Task[None]] = set()

    async def go(self) -> Tally:
        """Play what the plan still lacks and return the tally; episodes of other processes are waited for."""
        self._trouble: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        watching = asyncio.create_task(self._watch())
        watching.add_done_callback(self._ended)
        going = asyncio.create_task(super().go())
        ends: list[asyncio.Future[Any]] = [going, self._trouble]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if self._trouble.done():
                self._trouble.result()
            return await going
        finally:
            await _cancelled([watching, *self._serving])  # first, so that nothing is stored after the run has closed
            await _cancelled([going])
            await self._dismiss()

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Let the run end by what ended one of its tasks."""
        self._serving.discard(task)
        if not task.cancelled() and (error := task.exception()) and not self._trouble.done():
            self._trouble.set_exception(error)

    # ------------------------------------------------------------------ machines
    async def _watch(self) -> None:
        """Keep every machine of the cluster manned, those that join it later, too."""
        import ray

        looks = 0
        while True:
            nodes = [node for node in await asyncio.to_thread(ray.nodes) if node["Alive"]]
            there = [_Machine.of(node) for node in nodes if node["Resources"].get("CPU", 0) >= 1]
            self._machines = {new.id: self._machines.get(new.id, new) for new in there}
            for machine in self._machines.values():
                self._man(machine, len(there))
            self._check()
            looks += 1
            if looks == PATIENCE and not self._posts:
                self._say("No machine of the cluster has a free processor yet (`ray status` shows them). Waiting.")
            await asyncio.sleep(LOOK_EVERY)

    def _man(self, machine: _Machine, machines: int) -> None:
        """Start the outposts that a machine lacks."""
        wanted = min(machine.processors, 1 if self._models else self.concurrency)
        while machine.posts < wanted and machine.refused is None:
            machine.posts += 1
            task = asyncio.create_task(self._serve(machine, machines))
            self._serving.add(task)
            task.add_done_callback(self._ended)

    def _check(self) -> None:
        """Raise `NoCluster` where every machine that could play was refused."""
        refused = {machine.name: machine.refused for machine in self._machines.values() if machine.refused}
        if refused and not self._posts and not any(machine.posts for machine in self._machines.values()):
            why = "; ".join(f"{name}: {cause}" for name, cause in refused.items())
            raise NoCluster(f"no machine of the cluster can play. {why}")

    async def _serve(self, machine: _Machine, machines: int) -> None:
        """Have an outpost on a machine, and keep what it tells, until it is gone."""
        from ray.exceptions import RayError, RayTaskError

        post = _Post(self._actor(machine, machines), machine)
        try:
            if await post.actor.code.remote() != code_here():
                self._refuse(
                    machine, "it has other code of Ludens: bring it to the same commit and start Ray there again"
                )
                self._leave(post)
                return
            self._greet(post)
            lost: dict[int, str] = {}
            while True:
                batch = await post.actor.advances.remote(lost, self.spent is not None)
                machine.deaths = 0
                lost = await self._keep(batch)
        except RayTaskError:  # a bug of ours, raised there
            raise
        except RayError as error:
            self._mourn(post, error)
            self._leave(post)

    def _actor(self, machine: _Machine, machines: int) -> Any:
        """Start an outpost on a machine; with it all accelerators, where players load models there."""
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        outpost = ray.remote(
            num_cpus=1,
            num_gpus=machine.accelerators if self._loads else 0,
            max_restarts=0,
            max_concurrency=self.concurrency + 8,  # all episodes may come to be on one machine
            scheduling_strategy=NodeAffinitySchedulingStrategy(machine.id, soft=False),
        )(Outpost)
        return outpost.remote(_share(self._registry.roster, machines))

    def _greet(self, post: _Post) -> None:
        """Let an outpost play from now on."""
        if not post.machine.deaths and all(other.machine is not post.machine for other in self._posts):
            self._say(f"{post.machine.name} plays.")
        self._posts.append(post)
        self._manned.set()

    def _leave(self, post: _Post) -> None:
        """Let an outpost play no longer."""
        import ray

        ray.kill(post.actor)  # also where it is only out of reach: nobody listens to it any more
        post.machine.posts -= 1
        if post in self._posts:
            self._posts.remove(post)
        if not self._posts:
            self._manned.clear()
        post.gone.set()

    def _mourn(self, post: _Post, error: Exception) -> None:
        """Say that an outpost is gone; after several in a row its machine is left out."""
        machine, why = post.machine, _last_line(error)
        machine.deaths += 1
        if machine.refused is not None:
            return
        going_on = f"; its {post.playing} episodes go on elsewhere" if post.playing else ""
        self._say(f"A process on {machine.name} is gone ({why}){going_on}.")
        if machine.deaths >= DEATHS:
            self._refuse(machine, f"{DEATHS} processes in a row died there, the last one: {why}")

    def _refuse(self, machine: _Machine, why: str) -> None:
        """Let a machine play no longer."""
        if machine.refused is None:
            machine.refused = why
            self._say(f"{machine.name} is left out: {why}")

    async def _keep(self, batch: Sequence[Advance]) -> dict[int, str]:
        """Store what an outpost tells; return those that another process was quicker with, by place in the batch."""
        stored = await asyncio.gather(*map(self._sink.append, batch), return_exceptions=True)
        lost = {}
        for place, (advance, failure) in enumerate(zip(batch, stored, strict=True)):
            if isinstance(failure, LostLease):
                lost[place] = str(failure)
            elif failure is not None:
                raise failure
            else:
                self._count(advance.events)
        return lost

    async def _dismiss(self) -> None:
        """Let outposts give back what they hold, and end them."""
        closing = [asyncio.ensure_future(_closed(post.actor)) for post in self._posts]
        if closing:
            await asyncio.wait(closing, timeout=CLOSE_WITHIN)

    # ------------------------------------------------------------------ episodes
    async def _played(self, planned: PlannedEpisode, claim: Claim) -> PlayResult:
        """Have an episode played by an outpost, and by another one where that dies."""
        from ray.exceptions import RayActorError

        deaths, known = 0, -1
        while not self.spent:
            await self._manned.wait()
            post = min(self._posts, key=lambda post: post.playing)
            start, log = self._begun(planned, claim)
            deaths, known = (deaths + 1 if len(log) == known else 0), len(log)
            if deaths == DEATHS:
                return PlayResult(cause=f"{DEATHS} processes in a row died while they played it", noted=False)
            order = Order(claim.episode, start, log, self._recorded(start, log))
            post.playing += 1
            try:
                end: PlayResult = await post.actor.play.remote(order)
                return end
            except RayActorError:
                await post.gone.wait()  # what it told last is in the log then
                claim = replace(claim, state="resume")
            finally:
                post.playing -= 1
        return PlayResult()

    def _recorded(self, start: Start, log: Sequence[Event]) -> dict[str, Sequence[Event]]:
        """Return the logs that players of an episode repeat, by episode."""
        seated = [event.data["player"] for event in log if event.kind is Kind.SEAT and event.seat]
        addresses = [Address.parse(address) for address in (*start.seats.values(), *seated)]
        return {each.name: self.store.events(each.name) for each in addresses if each.provider == "recorded"}


def _share(roster: Roster, machines: int) -> Roster:
    """Return a roster in which every limit of a server is one machine's share of it."""

    def part(limit: float | None) -> float | None:
        return None if limit is None else limit / machines

    servers = {
        name: replace(
            server,
            requests_per_minute=part(server.requests_per_minute),
            tokens_per_minute=part(server.tokens_per_minute),
            concurrency=None if server.concurrency is None else max(1, server.concurrency // machines),
        )
        for name, server in roster.servers.items()
    }
    return replace(roster, servers=servers)


def _last_line(error: Exception) -> str:
    """Return what an error of Ray's says in its last line, where the cause is, without its advice."""
    return textwrap.shorten(str(error).strip().splitlines()[-1], 160, placeholder=" …").rstrip(".")


async def _closed(actor: Any) -> None:
    from ray.exceptions import RayActorError

    try:
        await actor.close.remote()
    except RayActorError:  # it is gone already
        pass


async def _cancelled(tasks: Sequence[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait for their ends."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
