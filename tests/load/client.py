"""A light HTTP client and a visitor's first visit, for thousands of requests from one process.

It speaks as much HTTP/1.1 as this server answers: bodies with a length or in chunks, connections that stay open.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

CONNECTIONS = 6
"""Connections that a browser opens to one host."""
PATIENCE = 120
"""Seconds after which a request counts as lost."""


class LostRequest(Exception):
    """A connection was refused or ended before the whole response had arrived."""


@dataclass(slots=True)
class Measurements:
    """Durations in seconds by what was done, and every error with how often it occurred."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)
    received_bytes: int = 0

    def add(self, name: str, seconds: float) -> None:
        """Add one duration."""
        self.seconds.setdefault(name, []).append(seconds)

    def add_error(self, error: str) -> None:
        """Count an error."""
        self.errors[error] = self.errors.get(error, 0) + 1

    def quantile(self, name: str, part: float) -> float:
        """Return a quantile of the durations of one kind, in milliseconds; not a number without any."""
        values = sorted(self.seconds.get(name, ()))
        return 1000 * values[min(len(values) - 1, int(part * len(values)))] if values else float("nan")


class Connection:
    """One kept connection to the server."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def get(self, path: str, headers: str = "") -> tuple[int, bytes, bytes]:
        """Return the status, head and encoded body of a response. Raises `LostRequest`.

        As browsers do, it asks again on a fresh connection when the server has closed a kept one meanwhile.
        """
        is_kept = self._writer is not None
        try:
            return await asyncio.wait_for(self._get(path, headers), PATIENCE)
        except (OSError, EOFError, TimeoutError) as error:
            if is_kept and not isinstance(error, TimeoutError):
                self.close()
                return await self.get(path, headers)
            raise LostRequest(type(error).__name__) from error

    async def _get(self, path: str, headers: str) -> tuple[int, bytes, bytes]:
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(self._host, self._port, limit=2**20)
        assert self._reader
        request = (
            f"GET {path} HTTP/1.1\r\nHost: {self._host}:{self._port}\r\nAccept-Encoding: gzip, br\r\n{headers}\r\n"
        )
        self._writer.write(request.encode())
        head = await self._reader.readuntil(b"\r\n\r\n")
        status = int(head[9:12])
        lower = head.lower()
        if status == 304:
            return status, head, b""
        if b"\r\ntransfer-encoding: chunked" in lower:
            return status, head, await self._read_chunks(self._reader)
        length = int(lower.partition(b"\r\ncontent-length:")[2].partition(b"\r\n")[0] or 0)
        return status, head, await self._reader.readexactly(length)

    async def _read_chunks(self, reader: asyncio.StreamReader) -> bytes:
        body = b""
        while size := int(await reader.readline(), 16):
            body += await reader.readexactly(size)
            await reader.readexactly(2)
        await reader.readexactly(2)
        return body

    def close(self) -> None:
        """Close the connection."""
        if self._writer:
            with contextlib.suppress(OSError):
                self._writer.close()
        self._writer = None


async def first_visit(host: str, port: int, files: Sequence[str], measured: Measurements) -> str | None:
    """Load the lobby with all its files and its data like a browser with an empty cache; return the cookie it is given.

    Returns None after an error, which is counted.
    """
    connections = [Connection(host, port) for _ in range(CONNECTIONS)]
    remaining = iter(files)
    begin = time.perf_counter()

    async def fetch_remaining(connection: Connection) -> None:
        for path in remaining:
            status, _, body = await connection.get(path)
            measured.received_bytes += len(body)
            if status != 200:
                raise LostRequest(f"{path}: {status}")

    try:
        status, head, _ = await connections[0].get("/")
        if status != 200:
            raise LostRequest(f"/: {status}")
        measured.add("page", time.perf_counter() - begin)
        cookie = (
            head.lower().partition(b"set-cookie: ")[2] and head.partition(b"browser=")[2].partition(b";")[0].decode()
        )
        await asyncio.gather(*(fetch_remaining(connection) for connection in connections))
        status, _, _ = await connections[0].get("/api/lobby", f"Cookie: browser={cookie}\r\n")
        if status != 200:
            raise LostRequest(f"/api/lobby: {status}")
        measured.add("arrival", time.perf_counter() - begin)
        return cookie
    except LostRequest as error:
        measured.add_error(f"arrival: {error}")
        return None
    finally:
        for connection in connections:
            connection.close()
