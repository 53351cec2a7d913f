"""Clients that play one game after the other through whatever happens to the server, and remember each answer."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import uuid
from typing import Any

import aiohttp

from tests.torture.history import Change, History, Move
from tests.ui.guests import fill

Json = dict[str, Any]
ANSWER_LIMIT = 15.0
"""Seconds to wait for one answer; a stopped server gives none."""
CALM_LIMIT = 120.0
"""Seconds after the last trouble within which every request must have been answered and every game be over."""
LOST = (aiohttp.ClientError, TimeoutError, OSError)
"""What a request or a socket ends with when the server is gone."""


class Calm(Exception):
    """No more games are begun."""


class Browser:
    """One browser of a client: its cookie, and requests that are repeated until they are answered."""

    def __init__(self, session: aiohttp.ClientSession, url: str, history: History) -> None:
        self.session, self.url, self.history = session, url, history
        self.headers = {"cookie": f"browser={secrets.token_urlsafe(32)}", "origin": url}

    async def ask(self, method: str, path: str, body: Json | None = None) -> tuple[int, Json, str | None]:
        """Send a request until there is an answer below 500; return status, JSON, and where it redirects to."""
        while True:
            try:
                async with self.session.request(
                    method, self.url + path, json=body, headers=self.headers, allow_redirects=False
                ) as response:
                    text = await response.text()
                    self.history.counts[f"answers {response.status}"] += 1
                    if response.status < 500:
                        is_json = response.content_type == "application/json"
                        return response.status, json.loads(text) if is_json else {}, response.headers.get("location")
                    self._check_refusal(path, response, text)
            except LOST:
                self.history.counts["requests without an answer"] += 1
            await asyncio.sleep(random.uniform(0.05, 0.4))

    def _check_refusal(self, path: str, response: aiohttp.ClientResponse, text: str) -> None:
        if response.status != 503 or "retry-after" not in response.headers:
            self.history.violations.append(f"{path.partition('?')[0]}: {response.status} {text[:200]!r}")

    async def take(self, path: str) -> str:
        """Follow a seat link; return the seat's id."""
        status, _, location = await self.ask("GET", path)
        assert status == 303, (status, path)
        return str(location).removeprefix("/table?seat=")


class Client:
    """One client. It plays games with a program or with itself at a second browser, until `calm` is set."""

    def __init__(
        self, number: int, seed: str, session: aiohttp.ClientSession, url: str, history: History, calm: asyncio.Event
    ) -> None:
        self.random = random.Random(f"{seed}/client/{number}")
        self.session, self.url, self.history, self.calm = session, url, history, calm
        self.now = "begins"
        """What it waits for, if it never ends."""

    async def run(self) -> None:
        """Play until it is calm; the last game is played to its end."""
        while not self.calm.is_set():
            await self._play_game()

    async def _play_game(self) -> None:
        is_alone = self.random.random() < 0.6
        partner = self.random.choice(("scripted", "random")) if is_alone else "invite"
        me, other = (Browser(self.session, self.url, self.history) for _ in range(2))
        self.now = "opens a table"
        status, table, _ = await me.ask(
            "POST", "/api/tables", {"game": "matchit", "variant": "text", "seats": {"A": "person", "B": partner}}
        )
        if status != 200:
            self.history.violations.append(f"no table: {status} {table}")
            return
        self.history.counts["games"] += 1
        seats = [(me, await me.take(table["go"]))]
        if not is_alone:
            seats.append((other, await other.take(table["invitations"]["B"])))
        episode = table["episode"]
        plan = self.random.random()
        change = "leave" if plan < 0.1 else "seat" if plan < 0.25 else None
        await asyncio.gather(
            *(
                self._play_seat(browser, pid, episode, change if number == 0 else None)
                for number, (browser, pid) in enumerate(seats)
            )
        )
        self.history.finished.add(episode)

    async def _play_seat(self, browser: Browser, pid: str, episode: str, change: str | None) -> None:
        """Answer at one seat until the game is over, whatever happens to the socket."""
        answered, moves_before_change = 0, self.random.randrange(4)
        while True:
            self.now = f"listens at {episode}"
            try:
                async with browser.session.ws_connect(
                    f"{browser.url}/ws/seat?seat={pid}", headers=browser.headers, max_msg_size=0
                ) as socket:
                    async for message in socket:
                        state = json.loads(message.data)
                        if state.get("outcome"):
                            return
                        if (ask := state.get("ask")) and ask["id"] > answered:
                            if change and moves_before_change == 0:
                                await self._change(browser, pid, episode, change)
                                change = None
                            moves_before_change -= 1
                            await self._move(browser, pid, episode, ask)
                            answered = ask["id"]
            except LOST:
                pass
            self.history.counts["sockets lost"] += 1
            if await self._is_seat_gone(browser, pid):
                return
            await asyncio.sleep(self.random.uniform(0.05, 0.4))

    async def _is_seat_gone(self, browser: Browser, pid: str) -> bool:
        status, _, _ = await browser.ask("GET", f"/api/access?seat={pid}")
        return status in (403, 404)

    async def _move(self, browser: Browser, pid: str, episode: str, ask: Json) -> None:
        """Send one move until it is answered."""
        move = uuid.UUID(int=self.random.getrandbits(128)).hex
        values = fill(ask["form"], f"is it {move}?", self.random.randrange(2))
        self.history.moves[move] = sent = Move(episode, values)
        self.now = f"sends {move} to {episode}"
        body = {"seat": pid, "ask": ask["id"], "move": move, "values": values}
        status, answer, _ = await browser.ask("POST", "/api/move", body)
        if status == 403 and self.history.is_handed_over(episode):  # an earlier, unanswered try may have been stored
            return
        sent.status = status
        if status not in (200, 409):
            self.history.violations.append(f"a move was answered {status}: {answer}")
        if status == 200 and self.random.random() < 0.2:  # a late retry of a page gets the same answer
            status, answer, _ = await browser.ask("POST", "/api/move", body)
            if status != 200 and not (status == 403 and self.history.is_handed_over(episode)):
                self.history.violations.append(f"an accepted move was answered {status} when it came again: {answer}")

    async def _change(self, browser: Browser, pid: str, episode: str, what: str) -> None:
        """Leave, or seat another program at B."""
        change = Change(episode, what)
        self.history.changes.append(change)
        self.now = f"{what} at {episode}"
        path = "/api/leave" if what == "leave" else "/api/seat"
        body = {"seat": pid} if what == "leave" else {"seat": pid, "which": "B", "player": "random"}
        status, answer, _ = await browser.ask("POST", path, body)
        change.is_granted = status == 200
        if status not in (200, 409):
            self.history.violations.append(f"{what} was answered {status}: {answer}")
