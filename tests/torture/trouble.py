"""The server, and everything that is done to it: killed, stopped, ended, starved of disk, locked out of its file."""

from __future__ import annotations

import asyncio
import os
import random
import resource
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path

import aiohttp

from tests.conftest import LUDENS, pick_port

START_LIMIT, END_LIMIT = 120.0, 60.0
BUSY_SECONDS = "0.5"
"""How long the server waits for a locked file: less than it is locked."""
MEGABYTE = 1 << 20


class Disk:
    """The disk of the database: a small tmpfs that can be filled; where none can be mounted, a limit on file sizes."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        self.folder = folder / "disk"
        self.folder.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(self.folder)]
        self.is_mounted = subprocess.run(mount, capture_output=True).returncode == 0

    def __str__(self) -> str:
        return "a small tmpfs is filled" if self.is_mounted else "RLIMIT_FSIZE: no file can grow (no tmpfs here)"

    def fill(self, process: subprocess.Popen[bytes]) -> None:
        """Leave no space."""
        if self.is_mounted:
            with suppress(OSError), (self.folder / "filler").open("ab", buffering=0) as filler:
                for size in (MEGABYTE, 4096, 1):
                    with suppress(OSError):
                        while filler.write(bytes(size)):
                            pass
        else:
            largest = max((file.stat().st_size for file in self.folder.iterdir()), default=0)
            with suppress(ProcessLookupError):
                resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))

    def free(self, process: subprocess.Popen[bytes]) -> None:
        """Give the space back."""
        if self.is_mounted:
            (self.folder / "filler").unlink(missing_ok=True)
        else:
            with suppress(ProcessLookupError):
                resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)

    def close(self) -> None:
        """Unmount it."""
        if self.is_mounted:
            subprocess.run(["umount", str(self.folder)], check=False)


class House:
    """One server on one file. `counts` says how often what was done, `violations` what it did not survive."""

    def __init__(self, folder: Path, disk: Disk) -> None:
        self.folder, self.disk, self.db = folder, disk, disk.folder / "ludens.db"
        self.port = pick_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes]
        self.counts: Counter[str] = Counter()
        self.violations: list[str] = []
        self.starts: list[float] = []

    async def start(self) -> None:
        """Start the server and wait until it answers; it may refuse to start while it is in trouble."""
        began = time.monotonic()
        while True:
            self._spawn()
            while self.process.poll() is None:
                if time.monotonic() - began > START_LIMIT:
                    raise TimeoutError(f"the server does not answer within {START_LIMIT} s")
                if await self._answers():
                    self.starts.append(time.monotonic() - began)
                    return
                await asyncio.sleep(0.1)
            self.counts["refused to start"] += 1
            await asyncio.sleep(0.2)

    def _spawn(self) -> None:
        environment = os.environ | {
            "GRADIO_TEMP_DIR": str(self.folder / "gradio"),
            "LUDENS_BUSY_SECONDS": BUSY_SECONDS,
        }
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [LUDENS, "serve", "--port", str(self.port), "--db", self.db],
                env=environment,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    async def _answers(self) -> bool:
        try:
            async with (
                aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=2)) as session,
                session.get(f"{self.url}/healthz") as response,
            ):
                return response.status == 200
        except (aiohttp.ClientError, TimeoutError, OSError):
            return False

    async def end(self, how: signal.Signals) -> None:
        """End the server with a signal; SIGTERM must end it in good time."""
        self.process.send_signal(how)
        try:
            await asyncio.to_thread(self.process.wait, END_LIMIT)
        except subprocess.TimeoutExpired:
            self.violations.append(f"the server did not end within {END_LIMIT} s of {how.name}")
            self.process.kill()
            self.process.wait()

    # ------------------------------------------------------------------ trouble
    async def trouble(self, choice: random.Random) -> None:
        """Do one thing to the server, wait, and undo it; sometimes it is killed or ended meanwhile."""
        what = choice.choices(("kill", "end", "stop", "lock", "fill"), (3, 1, 2, 3, 3))[0]
        seconds = choice.uniform(0.2, 3.0)
        ending = choice.choice((None, None, None, signal.SIGKILL, signal.SIGTERM))
        self.counts[what] += 1
        if what in ("kill", "end"):
            await self.end(signal.SIGKILL if what == "kill" else signal.SIGTERM)
            await self.start()
        elif what == "stop":
            await self._stop(seconds, kills=ending is signal.SIGKILL)
        elif what == "lock":
            with closing(sqlite3.connect(self.db, isolation_level=None, timeout=30, check_same_thread=False)) as conn:
                await asyncio.to_thread(conn.execute, "BEGIN IMMEDIATE")
                await self._wait(seconds, ending)
                conn.execute("ROLLBACK")
            await self._start_again()
        else:
            self.disk.fill(self.process)
            try:
                await self._wait(seconds, ending)
            finally:
                self.disk.free(self.process)
            await self._start_again()

    async def _stop(self, seconds: float, *, kills: bool) -> None:
        self.process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        if kills:
            self.counts["killed in trouble"] += 1
            await self.end(signal.SIGKILL)
            await self.start()
        else:
            self.process.send_signal(signal.SIGCONT)

    async def _wait(self, seconds: float, ending: signal.Signals | None) -> None:
        """Wait, and end the server meanwhile if an ending is given."""
        await asyncio.sleep(seconds / 2)
        if ending:
            self.counts["killed in trouble" if ending is signal.SIGKILL else "ended in trouble"] += 1
            await self.end(ending)
        await asyncio.sleep(seconds / 2)

    async def _start_again(self) -> None:
        if (code := self.process.poll()) is not None:
            if code not in (0, -signal.SIGKILL, -signal.SIGTERM):
                self.counts[f"ended with {code}"] += 1
            await self.start()
