"""A server under load: first visits with all page files, games, spectators, open lobbies, on a large log.

    make load                                      # everything, some minutes
    .venv/bin/python -m tests.load --episodes 1000 --arrivals 50 --games 10 --spectators 20 --lobbies 50

The server is a process of its own, the load comes from this one: both want a free core. Nothing here asserts seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
from playwright.async_api import async_playwright

from tests.conftest import Server
from tests.load.client import CONNECTIONS, Measurements, first_visit
from tests.load.database import write_database
from tests.load.people import Crowd

FOLDER = Path(__file__).resolve().parents[2] / ".venv" / "load"
"""Where logs are kept between runs."""
SPARE_FILES = 300


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How much load. `waves` are first visits at once on a quiet server; `arrivals` come while games are played."""

    episodes: int = 100_000
    waves: tuple[int, ...] = (100, 300)
    arrivals: int = 1000
    games: int = 200
    spectators: int = 1000
    lobbies: int = 2000
    programs: int = 40
    """Games between programs, which change the lists of all lobbies."""
    moves: int = 12
    """Moves of each player."""
    think: float = 4.0
    """Mean seconds before a move."""
    spread: float = 50.0
    """Seconds over which the arrivals are spread."""


@dataclass(slots=True)
class LoadReport:
    """What one run measured; memory is in MB."""

    waves: dict[int, Measurements] = field(default_factory=dict)
    together: Measurements = field(default_factory=Measurements)
    messages: dict[str, int] = field(default_factory=dict)
    page_files: int = 0
    memory: dict[str, float] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    """Processor time of the server by phase."""

    @property
    def errors(self) -> dict[str, int]:
        """All errors with how often they occurred."""
        total = Measurements()
        for measured in (*self.waves.values(), self.together):
            for error, count in measured.errors.items():
                total.errors[error] = total.errors.get(error, 0) + count
        return total.errors


def raise_file_limit(options: LoadOptions) -> str | None:
    """Allow this process and its children the files they need; return what cannot be done."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    at_once = max([*options.waves, options.arrivals // 5, 0])
    needed = options.lobbies + options.spectators + 3 * options.games + CONNECTIONS * at_once + SPARE_FILES
    if hard == resource.RLIM_INFINITY or needed <= hard:
        return None
    return f"about {needed} open files are needed and {hard} are allowed: expect errors (ulimit -Hn, limits.conf)"


async def list_page_files(url: str) -> list[str]:
    """Return the addresses of all files that a browser with an empty cache loads for the lobby."""
    requested: list[str] = []
    executable = os.environ.get("CHROMIUM") or shutil.which("chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        page = await browser.new_page()
        page.on("request", lambda request: requested.append(request.url.removeprefix(url)))
        await page.goto(url)
        await page.get_by_role("button", name="Play").first.wait_for()
        await page.wait_for_load_state("networkidle")
        await browser.close()
    return [path for path in dict.fromkeys(requested) if path != "/" and not path.startswith("/api/")]


def read_memory(server: Server) -> float:
    """Return the resident memory of the server in MB."""
    assert server.process
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def read_processor_time(server: Server) -> float:
    """Return the processor time that the server has used, in seconds."""
    assert server.process
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class LoadRun:
    """One run against one started server."""

    def __init__(self, server: Server, options: LoadOptions) -> None:
        self._server, self._options = server, options
        self._port = urlsplit(server.url).port or 80
        self._files: Sequence[str] = ()
        self.report = LoadReport()

    async def run(self) -> LoadReport:
        """Do everything; return what was measured."""
        report = self.report
        self._files = await list_page_files(self._server.url)
        report.page_files = len(self._files)
        self._note("start", read_processor_time(self._server))
        for number in self._options.waves:
            report.waves[number] = Measurements()
            before = read_processor_time(self._server)
            await asyncio.gather(*(self._arrive(0, report.waves[number]) for _ in range(number)))
            self._note(f"{number} at once", before)
        before = read_processor_time(self._server)
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=120, sock_read=120)
        # the server closes idle connections after five seconds; unlike a browser, this client does not send again
        connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=1)
        jar = aiohttp.DummyCookieJar()
        async with aiohttp.ClientSession(connector=connector, timeout=timeout, cookie_jar=jar) as session:
            await self._play_together(Crowd(session, self._server.url, report.together))
        self._note("together", before)
        return report

    async def _arrive(self, after: float, measured: Measurements) -> None:
        await asyncio.sleep(after)
        await first_visit("127.0.0.1", self._port, self._files, measured)

    async def _watch_programs(self, crowd: Crowd, position: int) -> None:
        await asyncio.sleep(position * self._options.spread / self._options.programs)
        await crowd.start_programs()

    async def _play_together(self, crowd: Crowd) -> None:
        options, measured = self._options, self.report.together
        players = [crowd.person() for _ in range(options.games)]
        seats = [await crowd.open_table(player) for player in players]
        await crowd.listen("lobby", options.lobbies)
        await crowd.listen("spectator", options.spectators if seats else 0)
        pause = options.spread / max(1, options.arrivals)
        await asyncio.gather(
            *(crowd.play(*seated, options.moves, options.think) for seated in zip(players, seats, strict=True)),
            *(self._arrive(position * pause, measured) for position in range(options.arrivals)),
            *(self._watch_programs(crowd, position) for position in range(options.programs)),
        )
        self.report.messages = dict(crowd.messages)
        self.report.memory["with all sockets"] = read_memory(self._server)
        await crowd.leave()

    def _note(self, phase: str, before: float) -> None:
        self.report.seconds[phase] = read_processor_time(self._server) - before
        self.report.memory[phase] = read_memory(self._server)


def print_report(options: LoadOptions, report: LoadReport) -> None:
    """Print the figures, and the aims behind those that have one."""

    def spread(measured: Measurements, name: str) -> str:
        numbers = (measured.quantile(name, part) for part in (0.5, 0.95, 1))
        return "p50 {:.0f}, p95 {:.0f}, longest {:.0f} ms".format(*numbers)

    print(f"{options.episodes} episodes, {report.page_files} files on a first visit to the lobby")
    for number, measured in report.waves.items():
        aim = {100: " (aim: longest 2000)", 300: " (aim: longest 6000)"}.get(number, "")
        print(
            f"{number} first visits at once: {spread(measured, 'arrival')}{aim}; errors {sum(measured.errors.values())}"
        )
    together = report.together
    moves, arrivals = (len(together.seconds.get(name, ())) for name in ("move", "arrival"))
    print(f"together: {options.games} games, {options.spectators} spectators, {options.lobbies} lobbies")
    print(f"  {moves} moves: {spread(together, 'move')} (aim: p95 150)")
    print(f"  {arrivals} of {options.arrivals} arrivals: {spread(together, 'arrival')}")
    print(f"  messages received: {report.messages}")
    print("server's memory: " + ", ".join(f"{name} {size:.0f} MB" for name, size in report.memory.items()))
    print("server's processor time: " + ", ".join(f"{name} {used:.1f} s" for name, used in report.seconds.items()))
    print(f"memory after: {report.memory['together']:.0f} MB (aim: 500)")
    print(f"errors: {sum(report.errors.values())} (aim: 0) {report.errors or ''}")


def copy_database(episodes: int, folder: Path) -> Path:
    """Return a copy of a log of so many episodes, which is written once."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    original = FOLDER / f"{episodes}.db"
    if not original.exists():
        print(f"Writing a log of {episodes} episodes to {original}", flush=True)
        partial = original.with_suffix(".partial")
        partial.unlink(missing_ok=True)
        write_database(partial, episodes)
        partial.rename(original)
    copy = Path(shutil.copy(original, folder / "ludens.db"))
    with copy.open("rb+") as file:
        os.fsync(file)  # else the server's first checkpoint waits until the whole copy is on the disk
    return copy


def read_options(arguments: Sequence[str]) -> LoadOptions:
    """Return the options of a command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=(__doc__ or "").partition("\n")[0])
    defaults = LoadOptions()
    for name in ("episodes", "arrivals", "games", "spectators", "lobbies", "programs", "moves"):
        parser.add_argument(f"--{name}", type=int, default=getattr(defaults, name))
    for name in ("think", "spread"):
        parser.add_argument(f"--{name}", type=float, default=getattr(defaults, name))
    parser.add_argument("--waves", type=int, nargs="*", default=defaults.waves, help="first visits at once")
    values = vars(parser.parse_args(arguments))
    return LoadOptions(**values | {"waves": tuple(values["waves"])})


def run_load(options: LoadOptions, database: Path) -> LoadReport:
    """Start a server on a log, put it under load, stop it; return what was measured."""
    server = Server(database.parent, database)
    try:
        server.start()
        return asyncio.run(LoadRun(server, options).run())
    finally:
        if server.process:
            server.stop()


def main() -> None:
    """Run it and print the figures; exit with 1 after errors."""
    options = read_options(sys.argv[1:])
    problem = raise_file_limit(options)
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        report = run_load(options, copy_database(options.episodes, Path(folder)))
        print_report(options, report)
        print(f"{time.monotonic() - begin:.0f} s, load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    if problem:
        print(f"Could not be done: {problem}")
    sys.exit(bool(report.errors))


if __name__ == "__main__":
    main()
