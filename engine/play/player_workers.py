"""Scripted players that reply in worker processes, for a server: no text that somebody sends can stop its event loop.

A scripted player reads what others wrote, much of it with regular expressions, and `re` holds the interpreter's lock
while it searches; threads do not help. A worker limits its own processor time with a timer whose signal ends it, also
when the server is gone. It gets one request at a time on its standard input: what the seat sees, never the log. Runs
and notebooks do not use workers; there, players reply in the process that plays.
"""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from engine.core.content import Picture
from engine.core.events import Json
from engine.core.game import ScriptedPlayer
from engine.core.player import FaultCode, Player, PlayerFault, Reply
from engine.core.replies import build_format
from engine.core.views import Message, OpenAskView, SeatView
from engine.play.registry import Registry

DEFAULT_WORKER_COUNT = 2
PROCESSOR_SECONDS_PER_REPLY = 2.0
"""Processor time for one reply. A usual reply takes milliseconds."""
START_TIMEOUT_SECONDS = 10.0
"""How many times as long, by the clock, the server waits for a worker that is starting or gets no processor time."""
MAX_TIMEOUTS = 3
"""After so many time-outs a player always falls back: its conversation contains something that it cannot read."""
WORKER_NICENESS = 5
"""Workers yield to the server: pages and moves go first."""
MAX_ANSWER_BYTES = 2**22
"""Bytes of a worker's answer."""
CODE_ROOT = Path(__file__).resolve().parents[2]
WORKER_CODE = f"import sys; from {__name__} import main; main(sys.argv[1:])"


class ReplyTimeout(Exception):
    """A scripted player needed more time for a reply than it may take."""


@dataclass(frozen=True, slots=True)
class Request:
    """A reply that a worker is asked for: the player's name in its game, and what the seat sees as plain data."""

    game: str
    player: str
    seat: str
    variant: str
    settings: Json
    messages: tuple[Message, ...]
    ask: OpenAskView
    format: Json
    seed: str | int
    descriptions: Mapping[str, Json]
    """The description of each picture that the seat sees, by asset id. A worker gets no pixels."""
    instance: Json | None

    @classmethod
    def from_view(cls, player: str, view: SeatView) -> Request:
        """Return the request for a reply to the view's open ask."""
        return cls(
            view.game,
            player,
            view.seat,
            view.variant,
            view.settings,
            tuple(view.messages),
            replace(view.ask, format=None),  # type: ignore[arg-type]  # `view` sets it again
            json.loads(json.dumps(view.ask.format.declaration())),
            view.seed,
            {asset: view.picture(asset).description for message in view.messages for asset in message.pictures},
            view.instance,
        )

    def make_view(self) -> SeatView:
        """Return what the player sees. The game must have been loaded, because it registers its reply formats."""
        return SeatView(
            self.seat,
            self.game,
            self.variant,
            self.settings,
            self.messages,
            replace(self.ask, format=build_format(self.format)),
            self.seed,
            lambda asset: Picture(b"", "", 0, 0, self.descriptions[asset]),
            self.instance,
        )


# ---------------------------------------------------------------------- in the server
class PlayerWorkers:
    """At most `worker_count` worker processes, started when they are needed. A worker that was too slow is replaced.

    `seconds` is the processor time for one reply; starting a worker and loading a game do not count. Use it in one
    event loop.
    """

    def __init__(
        self,
        project_root: Path,
        game_folders: Sequence[Path] = (),
        *,
        seconds: float = PROCESSOR_SECONDS_PER_REPLY,
        worker_count: int = DEFAULT_WORKER_COUNT,
    ) -> None:
        self._folders, self.seconds = [str(folder.absolute()) for folder in (project_root, *game_folders)], seconds
        self._free_slots = asyncio.Semaphore(worker_count)
        self._idle_workers: list[asyncio.subprocess.Process] = []
        self._busy_workers: set[asyncio.subprocess.Process] = set()
        self._is_closed = False

    @property
    def process_ids(self) -> list[int]:
        """The process ids of the workers."""
        return [worker.pid for worker in (*self._idle_workers, *self._busy_workers)]

    async def reply(self, player_name: str, view: SeatView) -> Reply:
        """Return the reply of a scripted player of the view's game.

        Raises `ReplyTimeout` if it takes too long, `PlayerFault` if it fails or if its worker ends.
        """
        async with self._free_slots:
            worker = await self._take_worker()
            self._busy_workers.add(worker)
            try:
                answer = await self._ask_worker(worker, pickle.dumps(Request.from_view(player_name, view)))
                self._idle_workers.append(worker)
            except BaseException:  # also when cancelled: its answer would be taken for that to the next request
                _kill_process(worker)
                raise
            finally:
                self._busy_workers.discard(worker)
        match answer:
            case {"text": reply_text, "meta": reply_meta}:
                return Reply(reply_text, reply_meta)
            case {"fault": fault_cause, "code": fault_code}:
                raise PlayerFault(fault_cause, FaultCode(fault_code))
        raise PlayerFault("the worker process failed: its answer cannot be read", FaultCode.CRASHED)

    async def _take_worker(self) -> asyncio.subprocess.Process:
        """Return an idle worker, or a new one."""
        while self._idle_workers:
            worker = self._idle_workers.pop()
            if worker.returncode is None:  # else somebody else ended it: the machine was out of memory
                return worker
        if self._is_closed:
            raise PlayerFault("the server is stopping")
        return await asyncio.create_subprocess_exec(  # starts a new program, never a copy of this one with its threads
            *(sys.executable, "-c", WORKER_CODE, str(self.seconds), *self._folders),
            cwd=CODE_ROOT,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=MAX_ANSWER_BYTES,
        )

    async def _ask_worker(self, worker: asyncio.subprocess.Process, pickled_request: bytes) -> Json:
        assert worker.stdin and worker.stdout
        try:
            async with asyncio.timeout(max(START_TIMEOUT_SECONDS, START_TIMEOUT_SECONDS * self.seconds)):
                worker.stdin.write(pickled_request)
                await worker.stdin.drain()
                if answer_line := await worker.stdout.readline():
                    answer: Json = json.loads(answer_line)
                    return answer
                exit_code = await worker.wait()
        except TimeoutError:
            raise ReplyTimeout from None
        except (OSError, ValueError) as error:
            raise PlayerFault(f"the worker process failed: {error}", FaultCode.CRASHED) from None
        if exit_code == -signal.SIGPROF:
            raise ReplyTimeout
        raise PlayerFault(f"the worker process ended with {exit_code}", FaultCode.CRASHED)

    async def close(self) -> None:
        """End all workers; requests under way fail."""
        self._is_closed = True
        all_workers = [*self._idle_workers, *self._busy_workers]
        self._idle_workers.clear()
        for worker in all_workers:
            _kill_process(worker)
        for worker in all_workers:
            await worker.wait()


def _kill_process(worker: asyncio.subprocess.Process) -> None:
    if worker.returncode is None:
        try:
            worker.kill()
        except ProcessLookupError:  # it ended by itself
            pass


class WorkerPlayer(Player):
    """A scripted player that replies in a worker process. `inner` is the same player, as a run would use it.

    If it takes too long, it sends the fallback that its game declares for the reply format, marked `timed_out` in the
    reply's meta; without a fallback it cannot answer.
    """

    def __init__(
        self, player_name: str, scripted_player: ScriptedPlayer, inner_player: Player, player_workers: PlayerWorkers
    ) -> None:
        self._player_name, self._fallback, self._workers = player_name, scripted_player.fallback, player_workers
        self.omniscient, self.longest_message = inner_player.omniscient, inner_player.longest_message
        self._timeout_count = 0

    async def reply(self, view: SeatView) -> Reply:
        """Return the player's reply or its fallback. Raises `PlayerFault` without a fallback."""
        if self._timeout_count < MAX_TIMEOUTS:
            try:
                return await self._workers.reply(self._player_name, view)
            except ReplyTimeout:
                self._timeout_count += 1
        fallback_text = self._fallback(view) if self._fallback else None
        if fallback_text is None:
            cause = f"{self._player_name} needed more than {self._workers.seconds:g} s of processor time for a reply"
            raise PlayerFault(cause, FaultCode.TIMED_OUT)
        return Reply(fallback_text, {"timed_out": True})


# ---------------------------------------------------------------------- in a worker
def serve_requests(request_stream: BinaryIO, answer_stream: BinaryIO, registry: Registry, reply_seconds: float) -> None:
    """Answer pickled requests, one JSON line each, until there are no more: then the server has ended."""
    with asyncio.Runner() as async_runner:
        while True:
            try:
                request: Request = pickle.load(request_stream)
            except EOFError:
                return
            answer = _answer_request(registry, request, reply_seconds, async_runner)
            answer_stream.write(json.dumps(answer).encode() + b"\n")
            answer_stream.flush()


def _answer_request(registry: Registry, request: Request, reply_seconds: float, async_runner: asyncio.Runner) -> Json:
    try:
        player = registry.game(request.game).scripted_players()[request.player].make_player(request.seat)
        signal.setitimer(signal.ITIMER_PROF, reply_seconds)
        player_reply = async_runner.run(player.reply(request.make_view()))
    except PlayerFault as fault:
        return {"fault": str(fault), "code": fault.code}
    except Exception as error:
        return {"fault": f"{type(error).__name__}: {error}", "code": FaultCode.OTHER}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return {"text": player_reply.text, "meta": player_reply.meta}


def main(arguments: list[str]) -> None:
    """Run a worker. `arguments`: the seconds of processor time for a reply, the project's root, folders of games."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all processes of a terminal; the server ends workers
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    os.nice(WORKER_NICENESS)
    answer_stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a player prints must not be taken for an answer
    reply_seconds, project_root, *game_folders = arguments
    registry = Registry(Path(project_root), game_folders=list(map(Path, game_folders)))
    try:
        serve_requests(sys.stdin.buffer, answer_stream, registry, float(reply_seconds))
    except BrokenPipeError:
        os._exit(0)  # the server was killed: nobody waits for the reply, and flushing it again would fail as well


if __name__ == "__main__":
    main(sys.argv[1:])
