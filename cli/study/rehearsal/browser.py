"""A simulated browser: its cookie, pages and moves over HTTP, the socket of a seat; retries as pages do.

It knows no study and no game. A request that the server's crash cut off is sent again, a move with its same id.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
import uuid
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from cli.study.rehearsal.figures import Figures
from cli.study.rehearsal.server import RehearsalServer
from engine.core.events import Json

REQUEST_TIMEOUT_SECONDS = 20.0
FIRST_PAUSE, LONGEST_PAUSE, PAUSE_GROWTH = 0.25, 5.0, 1.7
"""Seconds between attempts, as in `ui/static/table/delivery.js`."""
RETRY_LIMIT_SECONDS = 180.0
CONNECTION_IDLE_SECONDS = 2.0
"""How long an unused connection is kept: less than the server keeps it."""


class CannotContinue(Exception):
    """A participant cannot go on; the message says where, in words that can be counted."""


class SimulatedBrowser:
    """One browser at the server of a rehearsal, with connections of its own. Close it."""

    def __init__(self, server: RehearsalServer, figures: Figures) -> None:
        self.server, self._figures = server, figures
        self._http = httpx.AsyncClient(
            base_url=server.url,
            headers={"origin": server.url},
            timeout=REQUEST_TIMEOUT_SECONDS,
            limits=httpx.Limits(keepalive_expiry=CONNECTION_IDLE_SECONDS),
            verify=False,  # no certificates are loaded: the server is on this machine, without TLS
            trust_env=False,
        )

    async def close(self) -> None:
        """Close its connections."""
        await self._http.aclose()

    async def get_path(self, url_path: str, measure_name: str | None = "page") -> httpx.Response:
        """Get a page or data, again until it is answered; `measure_name` names its timing. Raises `CannotContinue`."""
        return await self._send_request("GET", url_path, None, measure_name)

    async def post_json(self, url_path: str, request_json: Json, measure_name: str | None = "page") -> httpx.Response:
        """Post JSON, again until it is answered. Raises `CannotContinue` after many attempts."""
        return await self._send_request("POST", url_path, request_json, measure_name)

    async def send_move(self, seat: str, request_number: int, form_values: dict[str, str]) -> httpx.Response:
        """Send a reply, with the same move id until it is answered."""
        request_body = {"seat": seat, "ask": request_number, "move": str(uuid.uuid4()), "values": form_values}
        return await self._send_request("POST", "/api/move", request_body, "move")

    async def _send_request(
        self, http_method: str, url_path: str, request_json: Json | None, measure: str | None
    ) -> httpx.Response:
        plain_path = url_path.partition("?")[0]
        pause_seconds, deadline = FIRST_PAUSE, time.monotonic() + RETRY_LIMIT_SECONDS
        while time.monotonic() < deadline:
            server_run_number, start_time = self.server.run_number, time.perf_counter()
            try:
                response = await self._http.request(http_method, url_path, json=request_json)
            except httpx.TransportError as error:
                if not self.server.was_cut_off(server_run_number):
                    self._figures.error_counts[f"{plain_path}: {type(error).__name__}"] += 1
            else:
                if response.status_code < 500:
                    # a request to a server that was down also waited until it was up again
                    if measure and server_run_number is not None:
                        self._figures.seconds_by_measure[measure].append(time.perf_counter() - start_time)
                    return response
                if response.status_code != 503:  # with it, the server asks for another attempt
                    self._figures.error_counts[f"{plain_path}: {response.status_code}"] += 1
            await asyncio.sleep(pause_seconds * random.uniform(0.8, 1.2))
            pause_seconds = min(pause_seconds * PAUSE_GROWTH, LONGEST_PAUSE)
        raise CannotContinue(f"{plain_path} was not answered for {RETRY_LIMIT_SECONDS:.0f} s")

    def open_seat_socket(self, seat: str) -> connect:
        """Return the socket of a seat, to be used in `async with`."""
        cookies = "; ".join(f"{cookie_name}={cookie_value}" for cookie_name, cookie_value in self._http.cookies.items())
        return connect(
            f"{self.server.url.replace('http', 'ws', 1)}/ws/seat?seat={seat}",
            origin=Origin(self.server.url),
            additional_headers={"cookie": cookies},
            open_timeout=REQUEST_TIMEOUT_SECONDS,
            max_size=None,
            compression=None,
            proxy=None,
        )


async def receive_message(socket: ClientConnection, table_state: dict[str, Any], timeout_seconds: float) -> None:
    """Take the next message into what the page knows. Raises `CannotContinue` when none comes."""
    try:
        async with asyncio.timeout(timeout_seconds):
            message = json.loads(await socket.recv())
    except TimeoutError:
        raise CannotContinue(f"a game said nothing for {timeout_seconds:.0f} s") from None
    message.pop("lines", None)  # what was said does not matter here
    table_state |= message
