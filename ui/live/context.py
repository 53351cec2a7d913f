"""What all parts of the live server share: games, the log, links, and the ways to run work without blocking.

Reading happens in the event loop through `reader`; everything that writes runs in the one thread that writes the log.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from engine.core.events import Json
from engine.play.episode import GroupCommit
from engine.play.player_workers import PROCESSOR_SECONDS_PER_REPLY, PlayerWorkers
from engine.play.registry import Registry
from engine.storage.database import DatabaseUnavailable
from engine.storage.listed_tables import ListedTables
from engine.storage.seat_links import SeatLinks
from engine.storage.store import LostLease, Store
from engine.storage.turn_clocks import TurnClocks
from engine.storage.visibility import Visibility
from ui.live.observing import ObservedCommit, Observer
from ui.live.refusal import Refusal, make_storage_refusal

logger = logging.getLogger("ludens.live")
ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class PictureAddress:
    """Which picture of which episode a public picture name stands for, and who may see it: "seat/A" or "watch"."""

    episode: str
    audience: str
    asset: str


class ServerContext:
    """The registry, stores and executors of one server. `start_writing` is called in the event loop that serves."""

    def __init__(
        self,
        registry: Registry,
        reader: Store,
        writer: Store,
        seconds_per_scripted_reply: float = PROCESSOR_SECONDS_PER_REPLY,
    ) -> None:
        self.registry, self.reader, self.writer = registry, reader, writer
        self.workers = PlayerWorkers(registry.project_root, registry.game_folders, seconds=seconds_per_scripted_reply)
        self.links = SeatLinks(reader, writer)
        self.turn_clocks = TurnClocks(reader, writer)
        self.listed_tables = ListedTables(reader, writer)
        self.visibility = Visibility(reader, self.links)
        self.group_commit: GroupCommit
        self.is_started = False
        self.observer = Observer()
        """Learns what happens, for figures; set it before `start_writing`."""
        self.pictures: dict[str, PictureAddress] = {}
        """The public names of all pictures that pages have been sent."""
        self.study_pages: Callable[[str], dict[str, Json]] = lambda episode: {}
        """Returns what pages of seats say of the study that an episode belongs to; set by `Studies`."""
        self._background_tasks: set[asyncio.Task[Any]] = set()
        self._thread_pool = ThreadPoolExecutor(2, "ludens-thinking")

    async def start_writing(self) -> None:
        """Start the thread that writes, and say that this process is alive."""
        self.group_commit = ObservedCommit(self.writer, self.observer)
        self.is_started = True
        await self.write(self.writer.record_heartbeat)

    async def close(self) -> None:
        """Cancel all tasks, wait until everything appended is stored, and close the stores."""
        for task in list(self._background_tasks):
            task.cancel()
        await asyncio.gather(*self._background_tasks, return_exceptions=True)
        await self.workers.close()
        await self.group_commit.close()
        self._thread_pool.shutdown(wait=False, cancel_futures=True)
        await self.registry.close()
        self.writer.close()
        self.reader.close()

    # ------------------------------------------------------------------ tasks
    def start_task(self, coroutine: Coroutine[Any, Any, ResultT]) -> asyncio.Task[ResultT]:
        """Start a task that ends with the server at the latest; the caller handles its errors."""
        task = asyncio.create_task(coroutine)
        self._background_tasks.add(task)
        task.add_done_callback(self._background_tasks.discard)
        return task

    def run_in_background(self, awaitable: Awaitable[object]) -> asyncio.Task[None]:
        """Run something that nobody waits for; its errors are logged."""

        async def run() -> None:
            try:
                await awaitable
            except (LostLease, Refusal) as error:
                logger.warning("in the background: %s", error)
            except Exception:
                logger.exception("in the background")

        return self.start_task(run())

    def run_every(self, pause_seconds: float, action: Callable[[], Awaitable[None]]) -> None:
        """Run something again and again, with a pause after each time; its errors are logged."""

        async def repeat_action() -> None:
            while True:
                try:
                    await action()
                except Refusal as refusal:
                    logger.warning("in the background: %s", refusal)
                except Exception:
                    logger.exception("in the background")
                await asyncio.sleep(pause_seconds)

        self.run_in_background(repeat_action())

    # ------------------------------------------------------------------ threads
    async def write(self, function: Callable[..., ResultT], *args: Any) -> ResultT:
        """Run a function of `links` or of the writing store in the thread that writes; return its result.

        Raises `Refusal` (503) where the file cannot be written at the moment: then nothing was written.
        """
        try:
            result: ResultT = await self.group_commit.run_function(function, *args)
        except DatabaseUnavailable as error:
            logger.warning("the log cannot be written: %s", error)
            raise make_storage_refusal(error) from error
        return result

    def run_write_later(self, function: Callable[..., Any], *args: Any) -> None:
        """Run a function in the thread that writes, without waiting for it."""
        self.run_in_background(self.write(function, *args))

    async def run_in_thread(self, function: Callable[..., ResultT], *args: Any) -> ResultT:
        """Run something slow in a worker thread; return its result."""
        return await asyncio.get_running_loop().run_in_executor(self._thread_pool, function, *args)
