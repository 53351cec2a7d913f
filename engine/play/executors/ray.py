"""Plays a plan on a Ray cluster: its machines play the episodes, this one hands them out and keeps the log.

A `RayWorker` is a process on one of those machines. It plays whole episodes without a database: what happens in them
comes back as batches of updates, and it goes on with an episode once this process has them in the log. So a machine
may vanish at any time, and its episodes go on elsewhere where their logs stop; claims, budgets and resuming are those
of every `LocalExecutor`. Ray is imported when a cluster is joined, never before.
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
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from engine.core.events import Event
from engine.core.log import Log
from engine.core.player import Address
from engine.core.start import EpisodeStart
from engine.play.executors.executor import DEFAULT_CONCURRENCY, Budget, Tally
from engine.play.executors.local import LocalExecutor
from engine.play.plans import Plan, PlannedEpisode
from engine.play.registry import Registry
from engine.play.roster import Roster
from engine.play.runner import PlayResult, play_or_resume
from engine.storage.store import EpisodeClaim, EpisodeUpdate, LostLease, Store

PROJECT_ROOT = Path(__file__).resolve().parents[3]
POLL_INTERVAL_SECONDS = 2.0
"""Seconds between two checks of the cluster's machines."""
START_TIMEOUT_SECONDS = 15
"""Checks without any worker until the user is told."""
MAX_WORKER_DEATHS = 3
"""Processes in a row that may die on a machine, or while playing one episode, before it is given up."""
ANSWER_TIMEOUT_SECONDS = 5.0
CLOSE_TIMEOUT_SECONDS = 10.0
"""Seconds that workers have to release connections and models."""
OBJECT_STORE_BYTES = 100 * 2**20
"""Bytes of shared memory for a Ray of our own: batches are small, and its own choice is a third of the machine."""


Arguments = ParamSpec("Arguments")
ReturnType = TypeVar("ReturnType")

CLUSTER_START_HINT = "docs/cluster.md says how to start one"


class ClusterUnavailable(Exception):
    """No cluster can be used; the message says why and what to do."""


def compute_code_digest(registry: Registry) -> str:
    """Return a digest of all code and prompt files that decide how an episode is played on this machine.

    Games and providers outside the project are among them.
    """
    code_hash = hashlib.sha256()
    for folder in ("engine", "games", "players"):
        for path in sorted((PROJECT_ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".toml"):
                code_hash.update(f"{path.relative_to(PROJECT_ROOT).as_posix()}\0".encode() + path.read_bytes())
    for file_label, path in registry.list_code_files():
        code_hash.update(f"{file_label}\0".encode() + path.read_bytes())
    return code_hash.hexdigest()


# ---------------------------------------------------------------------- joining
@contextmanager
def open_ray_session(address: str | None) -> Iterator[None]:
    """Join the Ray cluster at an address ("auto": the one this machine belongs to); None: start one here meanwhile.

    One of our own listens like every Ray, so it asks for a token that only its own processes have; its files stand in
    a folder that goes with it. Raises `ClusterUnavailable`.
    """
    if importlib.util.find_spec("ray") is None:
        raise ClusterUnavailable("Ray is not installed here: .venv/bin/pip install -c constraints.txt -e '.[cluster]'")
    if address and address.startswith("ray://"):
        raise ClusterUnavailable(
            f"{address} is the address of Ray Client, which Ludens does not use: run on a machine of the cluster, "
            "with --ray-address auto"
        )
    if address not in (None, "auto"):
        _check_listening(str(address))
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    with _read_ray_options() if address is None else nullcontext({"address": address}) as ray_init_options:
        import ray

        try:
            ray.init(**ray_init_options, logging_level="error", log_to_driver=False)
        except Exception as error:  # whatever it is: what Ray says of it is all that can be known
            cluster_name = f"no Ray cluster at {address}" if address else "Ray does not start here"
            error_text = str(error).strip() or type(error).__name__
            raise ClusterUnavailable(
                f"{cluster_name}: {error_text.splitlines()[0].rstrip('.')}. {CLUSTER_START_HINT}"
            ) from error
        try:
            yield
        finally:
            ray.shutdown()


@contextmanager
def _read_ray_options() -> Iterator[dict[str, Any]]:
    """Yield the options that start a Ray cluster of our own."""
    os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    parent_folder = "/tmp" if os.access("/tmp", os.W_OK) else None  # names of sockets in it have 100 letters at most
    with tempfile.TemporaryDirectory(prefix="ludens-ray-", dir=parent_folder, ignore_cleanup_errors=True) as ray_folder:
        yield {
            "address": "local",
            "include_dashboard": False,
            "object_store_memory": OBJECT_STORE_BYTES,
            "_temp_dir": ray_folder,
        }


def _check_listening(address: str) -> None:
    """Raise `ClusterUnavailable` if nothing listens at the address; Ray itself would try for many minutes."""
    host_name, _, port_number = address.rpartition(":")
    if not host_name or not port_number.isdecimal():
        raise ClusterUnavailable(
            f"{address!r} is not HOST:PORT of a cluster's first machine, such as 10.0.0.5:6379, or auto"
        )
    try:
        socket.create_connection((host_name.strip("[]"), int(port_number)), ANSWER_TIMEOUT_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise ClusterUnavailable(f"no Ray cluster at {address}: {error}. {CLUSTER_START_HINT}") from None


# ---------------------------------------------------------------------- on a machine of the cluster
@dataclass(frozen=True, slots=True)
class EpisodeOrder:
    """An episode to play: its log so far, empty for a new one, and the logs that its `recorded` players repeat."""

    episode_id: str
    start: EpisodeStart
    log: list[Event]
    recorded_logs: Mapping[str, Sequence[Event]]


class RayWorker:
    """A Ray actor that plays episodes and returns their events.

    `roster` is that of the machine that keeps the log, with this worker's share of every limit; `players` and
    `game_folders` are its registry's, and name the same places on every machine. Keys and pictures are those of the
    machine it runs on.
    """

    def __init__(self, roster: Roster, players: Path | Sequence[Path] | None, game_folders: Sequence[Path]) -> None:
        self._registry = Registry(PROJECT_ROOT, players=players, game_folders=game_folders)
        self._registry.roster = roster
        self._sent_updates: list[tuple[EpisodeUpdate, asyncio.Future[None]]] = []
        self._waiting_updates: list[tuple[EpisodeUpdate, asyncio.Future[None]]] = []
        self._has_updates = asyncio.Event()
        self._is_budget_spent = False

    async def machine_code_digest(self) -> str:
        """Return `compute_code_digest` of its machine."""
        return compute_code_digest(self._registry)

    async def play(self, episode_order: EpisodeOrder) -> PlayResult:
        """Play an episode as far as it goes. Raises `LostLease` where another process has it now."""
        return await play_or_resume(
            episode_order.episode_id,
            episode_order.start,
            episode_order.log,
            self._registry,
            self,
            load_episode=episode_order.recorded_logs.__getitem__,
            is_stopped=lambda: self._is_budget_spent,
        )

    def append(self, episode_update: EpisodeUpdate) -> Awaitable[None]:
        """Queue an update for the log; the result is done once it is stored."""
        stored_future = asyncio.get_running_loop().create_future()
        self._waiting_updates.append((episode_update, stored_future))
        self._has_updates.set()
        return stored_future

    async def fetch_next_updates(
        self, lost_lease_cause_by_position: Mapping[int, str], is_budget_spent: bool
    ) -> list[EpisodeUpdate]:
        """Take note that the last batch is in the log, but for lost episodes, and return the next.

        `lost_lease_cause_by_position` says why an episode of the batch was lost, by its place there.
        `is_budget_spent`: nothing more may be spent. Waits until something has happened.
        """
        self._is_budget_spent = is_budget_spent
        for position, (_, stored_future) in enumerate(self._sent_updates):
            if stored_future.done():
                continue
            if position in lost_lease_cause_by_position:
                stored_future.set_exception(LostLease(lost_lease_cause_by_position[position]))
            else:
                stored_future.set_result(None)
        self._sent_updates = []
        await self._has_updates.wait()
        self._has_updates.clear()
        self._sent_updates, self._waiting_updates = self._waiting_updates, []
        return [episode_update for episode_update, _ in self._sent_updates]

    async def close(self) -> None:
        """Release connections and loaded models."""
        await self._registry.close()


# ---------------------------------------------------------------------- on the machine that keeps the log
@dataclass
class _Machine:
    """A machine of the cluster as the run sees it."""

    node_id: str
    label: str
    processor_count: int
    accelerator_count: float
    worker_count: int = 0
    """Running or starting."""
    death_count: int = 0
    """Of workers, since one of them last sent something."""
    refusal: str | None = None

    @classmethod
    def from_ray_node(cls, ray_node: Mapping[str, Any]) -> _Machine | None:
        """Return the machine that Ray describes, None if it is dead or has no free processor."""
        match ray_node:
            case {"Alive": True, "NodeID": id, "NodeManagerAddress": address, "Resources": {"CPU": cpus} as resources}:
                machine_label = f"{address} (node {id[:6]})"  # several nodes may be on one machine
                return cls(id, machine_label, int(cpus), resources.get("GPU", 0.0)) if cpus >= 1 else None
        return None


@dataclass
class _WorkerState:
    """A worker as the run sees it."""

    ray_actor: Any
    cluster_machine: _Machine
    playing_count: int = 0
    ended_event: asyncio.Event = field(default_factory=asyncio.Event)

    def call(
        self,
        method: Callable[Concatenate[RayWorker, Arguments], Awaitable[ReturnType]],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Awaitable[ReturnType]:
        """Call a method of `RayWorker` there. Ray's handle takes any name and any arguments, mypy checks these."""
        reply: Awaitable[ReturnType] = getattr(self.ray_actor, method.__name__).remote(*args, **kwargs)
        return reply


class RayExecutor(LocalExecutor):
    """Plays a plan on the cluster of the present `open_ray_session`: free players on all processors, models in one
    process per machine.

    `concurrency` counts the episodes in play on all machines together. `report_line` is told in words which machines
    play, and which have gone. `play_plan` raises `ClusterUnavailable` where no machine can play.
    """

    def __init__(
        self,
        plan: Plan,
        store: Store,
        *,
        concurrency: int = DEFAULT_CONCURRENCY,
        budget: Budget | None = None,
        report_line: Callable[[str], None] = lambda words: None,
    ) -> None:
        super().__init__(plan, store, concurrency=concurrency, budget=budget)
        self._report_line = report_line
        self._code_digest = compute_code_digest(plan.registry)
        self._has_models = plan.has_models
        self._loads_models = any(
            plan.registry.player_info(address, game.name).is_local
            for plan_part in plan.parts
            for game, _, address in plan_part.players
        )
        self._machines: dict[str, _Machine] = {}
        self._workers: list[_WorkerState] = []
        self._has_workers = asyncio.Event()
        self._serving_tasks: set[asyncio.Task[None]] = set()

    async def play_plan(self) -> Tally:
        """Play what the plan still lacks and return the tally; episodes of other processes are waited for."""
        self._failure_future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        watch_task = asyncio.create_task(self._watch_machines())
        watch_task.add_done_callback(self._propagate_failure)
        run_task = asyncio.create_task(super().play_plan())
        end_futures: list[asyncio.Future[Any]] = [run_task, self._failure_future]
        try:
            await asyncio.wait(end_futures, return_when=asyncio.FIRST_COMPLETED)
            if self._failure_future.done():
                self._failure_future.result()
            return await run_task
        finally:
            await _cancel_all(
                [watch_task, *self._serving_tasks]
            )  # first, so that nothing is stored after the run has closed
            await _cancel_all([run_task])
            await self._close_workers()

    def _propagate_failure(self, finished_task: asyncio.Task[None]) -> None:
        """End the run with the exception of one of its tasks."""
        self._serving_tasks.discard(finished_task)
        if not finished_task.cancelled() and (error := finished_task.exception()) and not self._failure_future.done():
            self._failure_future.set_exception(error)

    # ------------------------------------------------------------------ machines
    async def _watch_machines(self) -> None:
        """Start workers on every machine of the cluster, also on machines that join later."""
        import ray

        check_count = 0
        while True:
            ray_nodes = [_Machine.from_ray_node(ray_node) for ray_node in await asyncio.to_thread(ray.nodes)]
            self._machines = {n.node_id: self._machines.get(n.node_id, n) for n in ray_nodes if n is not None}
            for cluster_machine in self._machines.values():
                self._start_missing_workers(cluster_machine, len(self._machines))
            self._require_usable_machine()
            check_count += 1
            if check_count == START_TIMEOUT_SECONDS and not self._workers:
                self._report_line(
                    "No machine of the cluster has a free processor yet (`ray status` shows them). Waiting."
                )
            await asyncio.sleep(POLL_INTERVAL_SECONDS)

    def _start_missing_workers(self, cluster_machine: _Machine, machine_count: int) -> None:
        """Start the workers that a machine lacks."""
        worker_target = min(cluster_machine.processor_count, 1 if self._has_models else self.concurrency)
        while cluster_machine.worker_count < worker_target and cluster_machine.refusal is None:
            cluster_machine.worker_count += 1
            task = asyncio.create_task(self._serve_worker(cluster_machine, machine_count))
            self._serving_tasks.add(task)
            task.add_done_callback(self._propagate_failure)

    def _require_usable_machine(self) -> None:
        """Raise `ClusterUnavailable` where every machine that could play was refused."""
        refusal_by_machine = {
            cluster_machine.label: cluster_machine.refusal
            for cluster_machine in self._machines.values()
            if cluster_machine.refusal
        }
        if refusal_by_machine and not self._workers and not any(m.worker_count for m in self._machines.values()):
            refusal_reasons = "; ".join(
                f"{machine_label}: {refusal_reason}" for machine_label, refusal_reason in refusal_by_machine.items()
            )
            raise ClusterUnavailable(f"no machine of the cluster can play. {refusal_reasons}")

    async def _serve_worker(self, cluster_machine: _Machine, machine_count: int) -> None:
        """Run a worker on a machine and store what it plays, until it ends."""
        from ray.exceptions import RayError, RayTaskError

        worker = _WorkerState(self._start_actor(cluster_machine, machine_count), cluster_machine)
        try:
            if await worker.call(RayWorker.machine_code_digest) != self._code_digest:
                self._refuse_machine(
                    cluster_machine,
                    "it has other code of Ludens: bring it to the same commit and start Ray there again",
                )
                self._remove_worker(worker)
                return
            self._admit_worker(worker)
            lost_lease_cause_by_position: dict[int, str] = {}
            while True:
                update_batch = await worker.call(
                    RayWorker.fetch_next_updates, lost_lease_cause_by_position, self.limit_reached is not None
                )
                cluster_machine.death_count = 0
                lost_lease_cause_by_position = await self._store_batch(update_batch)
        except RayTaskError:  # a bug of ours, raised there
            raise
        except RayError as error:
            self._report_death(worker, error)
            self._remove_worker(worker)

    def _start_actor(self, cluster_machine: _Machine, machine_count: int) -> Any:
        """Start a worker on a machine, with all its accelerators if players load models."""
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        actor_class = ray.remote(
            num_cpus=1,
            num_gpus=cluster_machine.accelerator_count if self._loads_models else 0,
            max_restarts=0,
            max_concurrency=self.concurrency + 8,  # all episodes may come to be on one machine
            scheduling_strategy=NodeAffinitySchedulingStrategy(cluster_machine.node_id, soft=False),
        )(RayWorker)
        registry = self._registry
        return actor_class.remote(
            _share_limits(registry.roster, machine_count), registry.players, registry.game_folders
        )

    def _admit_worker(self, worker: _WorkerState) -> None:
        """Give episodes to a worker from now on."""
        if not worker.cluster_machine.death_count and all(
            other_worker.cluster_machine is not worker.cluster_machine for other_worker in self._workers
        ):
            self._report_line(f"{worker.cluster_machine.label} plays.")
        self._workers.append(worker)
        self._has_workers.set()

    def _remove_worker(self, worker: _WorkerState) -> None:
        """Give no more episodes to a worker and end it."""
        import ray

        ray.kill(worker.ray_actor)  # also where it is only out of reach: nobody listens to it any more
        worker.cluster_machine.worker_count -= 1
        if worker in self._workers:
            self._workers.remove(worker)
        if not self._workers:
            self._has_workers.clear()
        worker.ended_event.set()

    def _report_death(self, worker: _WorkerState, error: Exception) -> None:
        """Report that a worker has ended; after several in a row, exclude its machine."""
        cluster_machine, failure_reason = worker.cluster_machine, _extract_last_line(error)
        cluster_machine.death_count += 1
        if cluster_machine.refusal is not None:
            return
        moved_episodes = f"; its {worker.playing_count} episodes go on elsewhere" if worker.playing_count else ""
        self._report_line(f"A process on {cluster_machine.label} is gone ({failure_reason}){moved_episodes}.")
        if cluster_machine.death_count >= MAX_WORKER_DEATHS:
            self._refuse_machine(
                cluster_machine, f"{MAX_WORKER_DEATHS} processes in a row died there, the last one: {failure_reason}"
            )

    def _refuse_machine(self, cluster_machine: _Machine, failure_reason: str) -> None:
        """Exclude a machine."""
        if cluster_machine.refusal is None:
            cluster_machine.refusal = failure_reason
            self._report_line(f"{cluster_machine.label} is left out: {failure_reason}")

    async def _store_batch(self, update_batch: Sequence[EpisodeUpdate]) -> dict[int, str]:
        """Store a batch of a worker; return the updates of episodes that another process took over, by position."""
        store_failures = await asyncio.gather(*map(self._sink.append, update_batch), return_exceptions=True)
        lost_lease_cause_by_position = {}
        for batch_position, (episode_update, store_failure) in enumerate(
            zip(update_batch, store_failures, strict=True)
        ):
            if isinstance(store_failure, LostLease):
                lost_lease_cause_by_position[batch_position] = str(store_failure)
            elif store_failure is not None:
                raise store_failure
            else:
                self._count_update(episode_update.episode, episode_update.events)
        return lost_lease_cause_by_position

    async def _close_workers(self) -> None:
        """Let workers release connections and models, and end them."""
        closing_futures = [asyncio.ensure_future(_close_worker(worker)) for worker in self._workers]
        if closing_futures:
            await asyncio.wait(closing_futures, timeout=CLOSE_TIMEOUT_SECONDS)

    # ------------------------------------------------------------------ episodes
    async def _play_episode(self, planned_episode: PlannedEpisode, episode_claim: EpisodeClaim) -> PlayResult:
        """Let a worker play an episode, and another one if it dies."""
        from ray.exceptions import RayActorError

        death_count, events_before = 0, -1
        while not self.limit_reached:
            await self._has_workers.wait()
            worker = min(self._workers, key=lambda worker: worker.playing_count)
            episode_start, log = self._read_start_and_log(planned_episode, episode_claim)
            death_count, events_before = (death_count + 1 if len(log) == events_before else 0), len(log)
            if death_count == MAX_WORKER_DEATHS:
                return PlayResult(
                    cause=f"{MAX_WORKER_DEATHS} processes in a row died while they played it", is_logged=False
                )
            order = EpisodeOrder(
                episode_claim.episode, episode_start, log, self._read_recorded_logs(episode_start, log)
            )
            worker.playing_count += 1
            try:
                return await worker.call(RayWorker.play, order)
            except RayActorError:
                await worker.ended_event.wait()  # what it told last is in the log then
                episode_claim = replace(episode_claim, state="resume")
            finally:
                worker.playing_count -= 1
        return PlayResult()

    def _read_recorded_logs(self, episode_start: EpisodeStart, log: Sequence[Event]) -> dict[str, Sequence[Event]]:
        """Return the logs that the recorded players of an episode repeat, by episode id."""
        later_addresses = [event.player for event in Log(log).list_hand_overs()]
        player_addresses = [Address.parse(address) for address in (*episode_start.seats.values(), *later_addresses)]
        return {a.name: self.store.events(a.name) for a in player_addresses if a.provider == "recorded"}


def _share_limits(roster: Roster, machine_count: int) -> Roster:
    """Return a roster in which each limit of a server is divided by the number of machines."""

    def compute_machine_share(cluster_limit: float | None) -> float | None:
        return None if cluster_limit is None else cluster_limit / machine_count

    servers = {
        server_name: replace(
            server,
            requests_per_minute=compute_machine_share(server.requests_per_minute),
            tokens_per_minute=compute_machine_share(server.tokens_per_minute),
            concurrency=None if server.concurrency is None else max(1, server.concurrency // machine_count),
        )
        for server_name, server in roster.servers.items()
    }
    return replace(roster, servers=servers)


def _extract_last_line(error: Exception) -> str:
    """Return what an error of Ray's says in its last line, where the cause is, without its advice."""
    return textwrap.shorten(str(error).strip().splitlines()[-1], 160, placeholder=" …").rstrip(".")


async def _close_worker(worker: _WorkerState) -> None:
    from ray.exceptions import RayActorError

    try:
        await worker.call(RayWorker.close)
    except RayActorError:  # it is gone already
        pass


async def _cancel_all(tasks: Sequence[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait for their ends."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
