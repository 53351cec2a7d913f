"""How quick and how large the server is: start, a move to the next view, spectators, memory, restart.

    .venv/bin/python -m tests.bench.server [start moves browser spectators memory]

The load comes from this process, the server is one of its own. Budgets are those of the design, for two free cores.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import aiohttp
from playwright.async_api import async_playwright

from tests.conftest import Server
from tests.ui.guests import fill

Json = dict[str, Any]
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")


def figure(what: str, measured: float, budget: float | None, unit: str) -> None:
    """Print one figure and how it stands to its budget."""
    ratio = f"{measured / budget:6.2f} of {budget:g} {unit}" if budget else ""
    print(f"{what:<66} {measured:9.1f} {unit:<3} {ratio}", flush=True)


def share(values: Sequence[float], part: float) -> float:
    """Return a quantile."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def resident(server: Server) -> float:
    """Return the server's resident memory in MB."""
    assert server.process
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def busy(server: Server) -> float:
    """Return the processor time the server has used so far, in ms: solid also where the machine is not ours alone."""
    assert server.process
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def started() -> Server:
    """Start a server on an empty database."""
    return Server(Path(tempfile.mkdtemp(prefix="ludens-bench-"))).start()


# ---------------------------------------------------------------------- players
class Player:
    """One browser with one seat: replies after a while of thinking, and measures."""

    def __init__(self, server: Server) -> None:
        self.url = server.url
        self.http = aiohttp.ClientSession(
            server.url, cookie_jar=aiohttp.CookieJar(unsafe=True), connector=aiohttp.TCPConnector(limit=2)
        )
        self.took: list[float] = []
        self.pid = ""

    async def open(self, seats: Json | None = None, **rest: Any) -> Json:
        """Open a table and take a seat."""
        body = {"game": "matchit", "seats": seats or {"A": "person", "B": "scripted"}, **rest}
        async with self.http.post("/api/tables", json=body) as answer:
            made: Json = await answer.json()
        if made["go"].startswith("/s/"):
            async with self.http.get(made["go"], allow_redirects=False) as answer:
                self.pid = answer.headers["location"].partition("=")[2]
        return made

    async def play(self, think: Callable[[], float], until: float) -> None:
        """Play game after game until the time comes."""
        while time.monotonic() < until:
            if not self.pid:
                await self.open()
            async with self.http.ws_connect(f"/ws/seat?seat={self.pid}", max_msg_size=0) as socket:
                await self._game(socket, think, until)
            self.pid = ""

    async def _game(self, socket: aiohttp.ClientWebSocketResponse, think: Callable[[], float], until: float) -> None:
        sent, answered = 0.0, 0
        async for message in socket:
            heard = json.loads(message.data)
            asked = heard.get("ask")
            if heard.get("outcome") or (asked and asked["id"] != answered):
                if sent:
                    self.took.append(1000 * (time.monotonic() - sent))
                if heard.get("outcome") or time.monotonic() > until:
                    return
                await asyncio.sleep(think())
                answered, sent = asked["id"], time.monotonic()
                values = fill(asked["form"], "How many cells are filled in the first row?")
                body = {"seat": self.pid, "ask": answered, "move": str(uuid.uuid4()), "values": values}
                async with self.http.post("/api/move", json=body) as answer:
                    assert answer.status == 200, await answer.text()


async def crowd(server: Server, players: int, seconds: float) -> list[float]:
    """Let many play at their own tables, a move a second each; return how long their next views took."""
    rng = random.Random(0)
    seated = [Player(server) for _ in range(players)]
    for player in seated:
        await player.open()
    until = time.monotonic() + seconds
    await asyncio.gather(*(player.play(lambda: rng.uniform(0.5, 1.5), until) for player in seated))
    for player in seated:
        await player.http.close()
    return [took for player in seated for took in player.took]


# ---------------------------------------------------------------------- what is measured
async def start() -> None:
    """From nothing to an answer, to a lobby on screen, and back after kill -9."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        answers, screens, again = [], [], []
        for _ in range(3):
            server = Server(Path(tempfile.mkdtemp(prefix="ludens-bench-")))
            began = time.monotonic()
            server.start()
            answers.append(time.monotonic() - began)
            page = await browser.new_page()
            await page.goto(server.url)
            await page.get_by_role("button", name="Play MatchIt").first.wait_for()
            screens.append(time.monotonic() - began)
            player = Player(server)
            await player.open()
            server.kill()
            began = time.monotonic()
            server.start()
            async with player.http.ws_connect(f"/ws/seat?seat={player.pid}") as socket:
                assert (await socket.receive_json())["ask"]
            again.append(time.monotonic() - began)
            await player.http.close()
            await page.close()
            server.stop()
        await browser.close()
    figure("server start to first answer, median of 3", statistics.median(answers), None, "s")
    figure("server start to the lobby in Chromium, median of 3", statistics.median(screens), 6, "s")
    figure("kill -9, start, a person's game playable again, median of 3", statistics.median(again), 8, "s")


async def moves() -> None:
    """A person's move to their next view, scripted opponent, over HTTP and socket."""
    server = started()
    await crowd(server, 1, 3)  # warm
    for players, seconds in ((1, 20), (50, 30)):
        before = busy(server)
        took = await crowd(server, players, seconds)
        spent = (busy(server) - before) / len(took)
        what = f"move to next view, {players} table{'s' * (players > 1)}, {len(took)} moves"
        figure(f"{what}: median", statistics.median(took), 150, "ms")
        figure(f"{what}: p95", share(took, 0.95), 400, "ms")
        figure(f"{what}: processor time of the server a move", spent, None, "ms")
    server.stop()


async def browser() -> None:
    """A click in Chromium to the next form on screen, while others play."""
    measure = """() => new Promise((done) => {
        const form = document.querySelector('form.ask:not([hidden])');
        const box = form.querySelector('textarea, input[type=text]');
        const button = form.querySelector('button.send') ?? form.querySelector('button');
        if (box) { box.value = 'Is the first row empty?'; box.dispatchEvent(new Event('input', {bubbles: true})); }
        const began = performance.now();
        const look = () => {
            const next = document.querySelector('form.ask:not([hidden])');
            const over = document.querySelector('.debrief');
            if ((next && next !== form && document.contains(next)) || over)
                requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
            else requestAnimationFrame(look);
        };
        button.click();
        look();
    })"""
    server = started()
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for players in (1, 50):
            others = asyncio.create_task(crowd(server, players - 1, 40)) if players > 1 else None
            took: list[float] = []
            until = time.monotonic() + (30 if others else 15)
            while time.monotonic() < until:
                page = await chromium.new_page()
                await page.goto(server.url)
                await page.get_by_role("button", name="Play MatchIt").first.click()
                await page.locator("form.ask").wait_for()
                for _ in range(8):
                    await asyncio.sleep(0.3)
                    took.append(await page.evaluate(measure))
                await page.close()
            what = f"click to next form in Chromium, {players} table{'s' * (players > 1)}, {len(took)} moves"
            figure(f"{what}: median", statistics.median(took), 150, "ms")
            figure(f"{what}: p95", share(took, 0.95), 400, "ms")
            if others:
                await others
        await chromium.close()
    server.stop()


async def spectators(number: int = 1000) -> None:
    """Many sockets on one table between people and a program; how late they hear, and what the player feels."""
    server = started()
    player = Player(server)
    before = resident(server)
    late: list[float] = []
    connected = asyncio.Event()
    ready = 0
    async with aiohttp.ClientSession(
        server.url,
        cookie_jar=aiohttp.CookieJar(unsafe=True),
        connector=aiohttp.TCPConnector(limit=0),
        timeout=aiohttp.ClientTimeout(total=None),
    ) as guests:

        async def watch(episode: str) -> None:
            nonlocal ready
            async with guests.ws_connect(f"/ws/watch?episode={episode}", max_msg_size=0) as socket:
                await socket.receive()
                ready += 1
                if ready == number:
                    connected.set()
                async for message in socket:
                    now = 1000 * time.time()
                    heard = json.loads(message.data)
                    if heard.get("lines"):
                        late.append(now - heard["lines"][0]["time"])
                    if heard.get("outcome"):
                        return

        table = await player.open()
        async with guests.get(table["spectators"], allow_redirects=False):
            pass
        began = time.monotonic()
        watching = [asyncio.create_task(watch(table["episode"])) for _ in range(number)]
        await connected.wait()
        figure(f"{number} spectators connected and served the whole", time.monotonic() - began, None, "s")
        figure("memory a spectator", (resident(server) - before) * 1024 / number, None, "KB")
        await player.play(lambda: 1.0, time.monotonic() + 7.5)
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
    figure(f"event to socket, {number} spectators, {len(late)} messages: median", statistics.median(late), None, "ms")
    figure(f"event to socket, {number} spectators: p95", share(late, 0.95), 400, "ms")
    figure("the player's move to next view meanwhile: median", statistics.median(player.took), 150, "ms")
    figure("the player's move to next view meanwhile: p95", share(player.took, 0.95), 400, "ms")
    await player.http.close()
    server.stop()


async def memory(number: int = 100) -> None:
    """Many open tables with a page each."""
    server = started()
    figure("memory of the server, just started", resident(server), None, "MB")
    before = busy(server)
    await asyncio.sleep(10)
    figure("processor of the server with nothing to do", (busy(server) - before) / 100, None, "%")
    seated = [Player(server) for _ in range(number)]
    sockets = []
    for place, player in enumerate(seated):
        await player.open(variant="picture" if place % 2 else "text")
        socket = await player.http.ws_connect(f"/ws/seat?seat={player.pid}")
        await socket.receive_json()
        sockets.append(socket)
    figure(f"memory with {number} open tables, half of them with pictures", resident(server), 400, "MB")
    for player, socket in zip(seated, sockets, strict=True):
        await socket.close()
        await player.http.close()
    server.stop()


def main(wanted: Sequence[str]) -> None:
    """Run the measurements asked for, or all."""
    every: dict[str, Callable[[], Awaitable[None]]] = {
        "start": start,
        "moves": moves,
        "browser": browser,
        "spectators": spectators,
        "memory": memory,
    }
    for name in wanted or every:

        async def run(measure: Callable[[], Awaitable[None]] = every[name]) -> None:
            await measure()

        asyncio.run(run())


if __name__ == "__main__":
    main(sys.argv[1:])
