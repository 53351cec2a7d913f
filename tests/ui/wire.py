"""A wire between a browser and a server that keeps every byte the browser receives, and reads it afterwards.

Plain TCP on both sides: what is compared is what really went over the line, headers, images and socket frames included.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

NO_BODY = (204, 304)


@dataclass
class Line:
    """One connection: what was asked, what was answered."""

    asked: bytearray = field(default_factory=bytearray)
    answered: bytearray = field(default_factory=bytearray)


@dataclass(frozen=True)
class Answer:
    """One answer to a request, or (`status` 0) one frame of a socket."""

    method: str
    path: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Wire:
    """Listens on a port of its own and passes on what comes; `url` is where the browser finds the server."""

    def __init__(self, port: int) -> None:
        self._server = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._lines: list[Line] = []
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for end in self._sockets:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        for thread in self._threads:
            thread.join()
        for end in self._sockets:
            end.close()

    def _start(self, work: object, *args: object) -> None:
        thread = threading.Thread(target=work, args=args)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                browser, _ = self._listening.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._server))
            for end in (browser, server):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            line = Line()
            self._lines.append(line)
            self._sockets += [browser, server]
            self._start(self._pass, browser, server, line.asked)
            self._start(self._pass, server, browser, line.answered)

    @staticmethod
    def _pass(source: socket.socket, target: socket.socket, kept: bytearray) -> None:
        try:
            while data := source.recv(65536):
                kept += data
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            return

    def received(self) -> list[Answer]:
        """Everything received so far: answers and frames, connection by connection."""
        return [answer for line in list(self._lines) for answer in read(bytes(line.asked), bytes(line.answered))]


def read(asked: bytes, answered: bytes) -> Iterator[Answer]:
    """Read what one connection carried. What broke off in the middle is left out."""
    while asked:
        head, found, asked = asked.partition(b"\r\n\r\n")
        if not found:
            return
        request, headers = _head(head)
        method, path = request.split()[:2]
        asked = asked[int(dict(headers).get("content-length", 0)) :]
        head, found, answered = answered.partition(b"\r\n\r\n")
        if not found:
            return
        status_line, headers = _head(head)
        status = int(status_line.split()[1])
        if status == 101:
            yield Answer(method, path, status, headers, b"")
            for frame in _frames(answered):
                yield Answer(method, path, 0, (), frame)
            return
        body, answered = (b"", answered) if status in NO_BODY or method == "HEAD" else _body(dict(headers), answered)
        if body is None:
            return
        yield Answer(method, path, status, headers, body)


def _head(head: bytes) -> tuple[str, tuple[tuple[str, str], ...]]:
    first, *rest = head.decode("latin-1").split("\r\n")
    pairs = [line.partition(":") for line in rest]
    return first, tuple((name.strip().lower(), value.strip()) for name, _, value in pairs)


def _body(headers: dict[str, str], data: bytes) -> tuple[bytes | None, bytes]:
    if headers.get("transfer-encoding") != "chunked":
        length = int(headers.get("content-length", 0))
        return (data[:length], data[length:]) if len(data) >= length else (None, b"")
    made = b""
    while True:
        size, found, data = data.partition(b"\r\n")
        if not found:
            return None, b""
        length = int(size, 16)
        made, data = made + data[:length], data[length + 2 :]
        if length == 0:
            return made, data


def _frames(data: bytes) -> Iterator[bytes]:
    """The messages of a socket; the server sends each in one frame, unmasked."""
    while len(data) >= 2:
        kind, length, start = data[0] & 15, data[1] & 127, 2
        if length > 125:
            start = 4 if length == 126 else 10
            length = int.from_bytes(data[2:start], "big")
        if len(data) < start + length:
            return
        if kind in (1, 2):
            yield data[start : start + length]
        data = data[start + length :]
