"""Guests without a screen: what a browser does over HTTP and sockets, for tests that need no page."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

Json = dict[str, Any]
WAIT = 30  # seconds; nothing here takes one, a loaded machine may


class Guest:
    """One browser: its cookie, and what it may do with it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.Client(base_url=url, timeout=WAIT, headers={"origin": url})

    def __enter__(self) -> Guest:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def post(self, path: str, **body: Any) -> httpx.Response:
        """Post JSON."""
        return self.http.post(path, json=body)

    def open(self, seats: Json | None = None, **rest: Any) -> Json:
        """Open a table of MatchIt and return what the server says of it."""
        body = {"game": "matchit", "seats": seats or {"A": "person", "B": "scripted"}, **rest}
        answer = self.http.post("/api/tables", json=body)
        assert answer.status_code == 200, answer.text
        table: Json = answer.json()
        return table

    def follow(self, path: str) -> tuple[str, str]:
        """Follow a seat link; return the seat's public id, and how this browser stands with the seat."""
        answer = self.http.get(path)
        assert answer.status_code == 303, answer.text
        pid, _, state = answer.headers["location"].removeprefix("/table?seat=").partition("&join=")
        return pid, state or "seated"

    def take(self, path: str, *, both_seats: bool = False) -> str:
        """Follow a seat link, and confirm to play two seats if need be; return the seat's public id."""
        pid, state = self.follow(path)
        if both_seats:
            assert state == "both_seats"
            with self.join(pid) as page:
                page.socket.send(json.dumps({"both": True}))
                state = page.until(lambda now: now["state"] != "both_seats")["state"]
        assert state == "seated", state
        return pid

    def sit(self, seats: Json | None = None, **rest: Any) -> str:
        """Open a table and take a seat at it; return the seat's public id."""
        return self.take(self.open(seats, **rest)["go"])

    def cookies(self) -> str:
        """Return the cookie header."""
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())

    def socket(self, path: str) -> ClientConnection:
        """Open a socket."""
        return connect(
            self.url.replace("http", "ws", 1) + path,
            additional_headers={"cookie": self.cookies()},
            origin=self.url,  # type: ignore[arg-type]
            open_timeout=WAIT,
            max_size=None,
            max_queue=None,  # what a test does not read for a while must not make it a slow reader
            ping_interval=None,
        )

    @contextmanager
    def seat(self, pid: str) -> Iterator[LivePage]:
        """Listen at a seat."""
        with self.socket(f"/ws/seat?seat={pid}") as socket:
            yield LivePage(socket, self, pid)

    @contextmanager
    def join(self, pid: str) -> Iterator[LivePage]:
        """Wait for a seat whose link this browser has opened."""
        with self.socket(f"/ws/join?seat={pid}") as socket:
            yield LivePage(socket, self, pid)

    @contextmanager
    def watch(self, episode: str) -> Iterator[LivePage]:
        """Watch a table."""
        with self.socket(f"/ws/watch?episode={episode}") as socket:
            yield LivePage(socket, self, episode)

    def move(self, pid: str, ask: int, values: Any, move: str | None = None, **more: Any) -> httpx.Response:
        """Send a reply; `client` in `more` is what the browser reports."""
        body = {"seat": pid, "ask": ask, "move": move or str(uuid.uuid4()), "values": values, **more}
        try:  # as browsers do: escaped only where it has to be
            content = json.dumps(body, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            content = json.dumps(body).encode()
        return self.http.post("/api/move", content=content, headers={"content-type": "application/json"})


class LivePage:
    """A page's socket: the state as the page would have it, message by message."""

    def __init__(self, socket: ClientConnection, guest: Guest, name: str) -> None:
        self.socket, self.guest, self.name = socket, guest, name
        self.state: Json = {"lines": []}
        self.messages: list[Json] = []
        self.receive()

    def receive(self, wait: float = WAIT) -> Json:
        """Take in the next message; raise TimeoutError when none comes."""
        message: Json = json.loads(self.socket.recv(wait))
        self.messages.append(message)
        lines = self.state["lines"]
        if "lines" in message:
            lines = lines[: message["from"]] + message["lines"]
        self.state = {**self.state, **message, "lines": lines}
        return message

    def until(self, condition: Callable[[Json], Any]) -> Json:
        """Wait until a condition on the state holds; return the state."""
        while not condition(self.state):
            self.receive()
        return self.state

    def wait_for_ask(self, after: int = 0) -> Json:
        """Wait until something later than `after` is asked; return the ask."""
        ask: Json = self.until(lambda state: state["ask"] and state["ask"]["id"] > after)["ask"]
        return ask

    def reply(self, text: str = "Is it round?", choice: int = 0) -> Json:
        """Answer what is asked now; return the ask that was answered."""
        ask = self.wait_for_ask()
        answer = self.guest.move(self.name, ask["id"], fill(ask["form"], text, choice))
        assert answer.status_code == 200, answer.text
        self.until(lambda state: not state["ask"] or state["ask"]["id"] != ask["id"])
        return ask

    def finish(self, text: str = "Is it round?") -> Json:
        """Play to the end; return the outcome."""
        while not self.until(lambda state: state["ask"] or state["outcome"])["outcome"]:
            self.reply(text)
        outcome: Json = self.state["outcome"]
        return outcome


def play_on(*seats: LivePage) -> None:
    """Let several seats answer whatever they are asked, until the game is over for all."""
    while not all(seat.state["outcome"] for seat in seats):
        for seat in seats:
            if seat.state["ask"]:
                seat.reply()
            elif not seat.state["outcome"]:
                with suppress(TimeoutError):
                    seat.receive(0.05)


def fill(form: Json, text: str, choice: int = 0) -> dict[str, str]:
    """Fill a form in: text wherever there is a text field, the given choice wherever there is one."""
    if "either" in form:
        return {"form": form["either"][0]["name"], **fill(form["either"][0], text, choice)}
    return {
        field["name"]: field["options"][choice]["value"] if "options" in field else text for field in form["fields"]
    }
