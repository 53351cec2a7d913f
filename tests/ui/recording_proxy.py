"""A proxy between a browser and a server that records every byte the browser receives, and parses it afterwards.

Plain TCP on both sides: tests compare what really went over the network, headers, images and socket frames included.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

NO_BODY = (204, 304)
Headers = tuple[tuple[str, str], ...]


@dataclass
class ProxiedConnection:
    """The bytes of one connection, in both directions."""

    to_server: bytearray = field(default_factory=bytearray)
    to_browser: bytearray = field(default_factory=bytearray)


@dataclass(frozen=True)
class ReceivedAnswer:
    """One answer to a request, or (`status` 0) one frame of a socket."""

    method: str
    path: str
    status: int
    headers: Headers
    body: bytes


class RecordingProxy:
    """Listens on a port of its own and passes everything on; `url` is where the browser finds the server."""

    def __init__(self, port: int) -> None:
        self._server_port = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._connections: list[ProxiedConnection] = []
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._start_thread(self._accept)

    def __enter__(self) -> RecordingProxy:
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

    def answers(self) -> list[ReceivedAnswer]:
        """Return everything received so far: answers and frames, connection by connection."""
        return [
            answer
            for connection in list(self._connections)
            for answer in parse(bytes(connection.to_server), bytes(connection.to_browser))
        ]

    def _start_thread(self, work: object, *args: object) -> None:
        thread = threading.Thread(target=work, args=args)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                browser, _ = self._listening.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._server_port))
            for end in (browser, server):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection = ProxiedConnection()
            self._connections.append(connection)
            self._sockets += [browser, server]
            self._start_thread(self._pass_on, browser, server, connection.to_server)
            self._start_thread(self._pass_on, server, browser, connection.to_browser)

    @staticmethod
    def _pass_on(source: socket.socket, target: socket.socket, recorded: bytearray) -> None:
        try:
            while data := source.recv(65536):
                recorded += data
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            return


def parse(requests: bytes, answers: bytes) -> Iterator[ReceivedAnswer]:
    """Yield the answers that one connection carried; what broke off in the middle is left out."""
    while requests:
        head, separator, requests = requests.partition(b"\r\n\r\n")
        if not separator:
            return
        request_line, headers = _parse_head(head)
        method, path = request_line.split()[:2]
        requests = requests[int(dict(headers).get("content-length", 0)) :]
        head, separator, answers = answers.partition(b"\r\n\r\n")
        if not separator:
            return
        status_line, headers = _parse_head(head)
        status = int(status_line.split()[1])
        if status == 101:
            yield ReceivedAnswer(method, path, status, headers, b"")
            for frame in _frames(answers):
                yield ReceivedAnswer(method, path, 0, (), frame)
            return
        has_body = status not in NO_BODY and method != "HEAD"
        body, answers = _split_body(dict(headers), answers) if has_body else (b"", answers)
        if body is None:
            return
        yield ReceivedAnswer(method, path, status, headers, body)


def _parse_head(head: bytes) -> tuple[str, Headers]:
    first, *lines = head.decode("latin-1").split("\r\n")
    pairs = [line.partition(":") for line in lines]
    return first, tuple((name.strip().lower(), value.strip()) for name, _, value in pairs)


def _split_body(headers: dict[str, str], data: bytes) -> tuple[bytes | None, bytes]:
    """Return the body at the start of the data, None where it is incomplete, and what follows it."""
    if headers.get("transfer-encoding") != "chunked":
        length = int(headers.get("content-length", 0))
        return (data[:length], data[length:]) if len(data) >= length else (None, b"")
    body = b""
    while True:
        size, separator, data = data.partition(b"\r\n")
        if not separator:
            return None, b""
        length = int(size, 16)
        body, data = body + data[:length], data[length + 2 :]
        if length == 0:
            return body, data


def _frames(data: bytes) -> Iterator[bytes]:
    """Yield the messages of a socket; the server sends each in one frame, unmasked."""
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
