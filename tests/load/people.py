"""People on a server: players who answer what they are asked, spectators and open lobbies, all in one event loop."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import secrets
import time
from typing import Any

import aiohttp

from tests.load.client import PATIENCE, Measurements
from tests.ui.guests import fill

Json = dict[str, Any]


class Failed(Exception):
    """A server did not do what it should; the message says what, in words that can be counted."""


class Person:
    """One browser with its own cookie."""

    def __init__(self, session: aiohttp.ClientSession, url: str) -> None:
        self._session, self._url = session, url
        self._headers = {"cookie": f"browser={secrets.token_urlsafe(32)}", "origin": url}

    async def post(self, path: str, body: Json) -> Json:
        """Post JSON; return the JSON of the answer. Raises `Failed` unless it was accepted.

        As browsers do, it asks again on a fresh connection when the server has closed the kept one meanwhile: aiohttp
        finds it closed before it has sent anything.
        """
        try:
            return await self._post(path, body)
        except aiohttp.ClientConnectionResetError:
            return await self._post(path, body)

    async def _post(self, path: str, body: Json) -> Json:
        async with self._session.post(self._url + path, json=body, headers=self._headers) as response:
            if response.status != 200:
                raise Failed(f"{path}: {response.status}")
            answer: Json = await response.json()
            return answer

    async def follow(self, link: str) -> str:
        """Follow a link; return the value at the end of where it leads."""
        async with self._session.get(self._url + link, headers=self._headers, allow_redirects=False) as response:
            if response.status != 303:
                raise Failed(f"{link[:3]}…: {response.status}")
            return response.headers["location"].rpartition("=")[2]

    def socket(self, path: str) -> Any:
        """Open a socket, to be used in `async with`."""
        return self._session.ws_connect(
            self._url.replace("http", "ws", 1) + path, headers=self._headers, max_msg_size=0
        )


async def receive(socket: aiohttp.ClientWebSocketResponse) -> Json:
    """Return the next message of a socket. Raises `Failed` when it is closed."""
    message = await socket.receive(PATIENCE)
    if message.type is not aiohttp.WSMsgType.TEXT:
        raise Failed(f"socket: {message.type.name} {message.data}")
    answer: Json = json.loads(message.data)
    return answer


async def pause(socket: aiohttp.ClientWebSocketResponse, state: Json, seconds: float) -> None:
    """Receive into `state` for some seconds: aiohttp answers pings only meanwhile, and the server closes without."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while True:
                state |= await receive(socket)


class Crowd:
    """All people of one run. What goes wrong is counted in `measured`."""

    def __init__(self, session: aiohttp.ClientSession, url: str, measured: Measurements) -> None:
        self._session, self._url, self._measured = session, url, measured
        self.messages = {"lobby": 0, "spectator": 0}
        """How many messages these have received."""
        self.spectator_links: list[str] = []
        self._listening: list[asyncio.Task[None]] = []

    def person(self) -> Person:
        """Return somebody new."""
        return Person(self._session, self._url)

    async def open_table(self, person: Person) -> str:
        """Open a table against a scripted player and sit down; return the seat's id."""
        body = {"game": "matchit", "variant": "text", "seats": {"A": "person", "B": "scripted"}, "pace": 0}
        table = await person.post("/api/tables", body)
        self.spectator_links.append(table["spectators"])
        return await person.follow(table["go"])

    async def start_programs(self) -> None:
        """Open a table at which two scripted players play, unless the server has enough of them (429)."""
        try:
            body = {"game": "matchit", "variant": "text", "seats": {"A": "scripted", "B": "scripted"}, "pace": 0.5}
            await self.person().post("/api/tables", body)
        except (Failed, aiohttp.ClientError, TimeoutError, OSError) as error:
            if "429" not in str(error):
                self._measured.add_error(f"programs: {error or type(error).__name__}")

    async def play(self, person: Person, seat_id: str, moves: int, think: float) -> None:
        """Answer `moves` asks, at further tables when a game is over; `think` is the mean of pauses in seconds."""
        try:
            while moves > 0:
                moves = await self._play_game(person, seat_id, moves, think)
                if moves > 0:
                    seat_id = await self.open_table(person)
        except (Failed, aiohttp.ClientError, TimeoutError, OSError) as error:
            self._measured.add_error(f"player: {error or type(error).__name__}")

    async def _play_game(self, person: Person, seat_id: str, moves: int, think: float) -> int:
        """Play until the game is over or nothing is left of `moves`; return how many are left."""
        answered = 0
        async with person.socket(f"/ws/seat?seat={seat_id}") as socket:
            state = await receive(socket)
            while not state.get("outcome"):
                ask = state.get("ask")
                if ask and ask["id"] > answered:
                    await pause(socket, state, random.expovariate(1 / think) if think else 0)
                    body = {"seat": seat_id, "ask": ask["id"], "move": secrets.token_hex(16)}
                    begin = time.perf_counter()
                    await person.post("/api/move", body | {"values": fill(ask["form"], "Is it round?")})
                    self._measured.add("move", time.perf_counter() - begin)
                    answered, moves = ask["id"], moves - 1
                    if not moves:
                        return 0
                state |= await receive(socket)
        return moves

    async def listen(self, kind: str, number: int) -> None:
        """Open sockets of lobbies or of spectators, which listen until `leave`; return when all are open."""
        opened = [asyncio.get_running_loop().create_future() for _ in range(number)]
        slots = asyncio.Semaphore(50)  # arrive one after the other, not as one burst: arrivals are measured elsewhere
        self._listening += [
            asyncio.create_task(self._listen(kind, position, slots, future)) for position, future in enumerate(opened)
        ]
        await asyncio.gather(*opened)

    async def _listen(self, kind: str, position: int, slots: asyncio.Semaphore, opened: asyncio.Future[None]) -> None:
        person = self.person()
        try:
            async with slots:
                path = "/ws/lobby"
                if kind == "spectator":
                    episode = await person.follow(self.spectator_links[position % len(self.spectator_links)])
                    path = f"/ws/watch?episode={episode}"
                socket = await person.socket(path)
                await receive(socket)
            self.messages[kind] += 1
            opened.set_result(None)
            async for message in socket:
                if message.type is aiohttp.WSMsgType.TEXT:
                    self.messages[kind] += 1
            raise Failed(f"socket: closed with {socket.close_code}")
        except (Failed, aiohttp.ClientError, TimeoutError, OSError) as error:
            self._measured.add_error(f"{kind}: {error or type(error).__name__}")
            if not opened.done():
                opened.set_result(None)

    async def leave(self) -> None:
        """Close all sockets that listen."""
        for task in self._listening:
            task.cancel()
        await asyncio.gather(*self._listening, return_exceptions=True)
