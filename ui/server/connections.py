"""The connections of a server: how many there may be, in all and from one address, and how long each may wait.

uvicorn waits for the head of a request as long as the client likes, so a few hundred silent connections used up the
process's files. Here a silent connection is closed after a while, at once when its place is needed: first those that
never asked for anything, then those between two requests, then lobbies and spectators. The seats of players stay.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ui.server.forwarded import Network, address_key

logger = logging.getLogger("ludens.connections")

MAX_OPEN_FILES = 65_536
"""How many open files the process asks for; more would only cost memory."""
RESERVED_FILE_COUNT = 200
"""Files kept for the database, static files, workers, and connections that are accepted but not yet counted."""
BACKLOG = 16
"""Connections accepted before other work gets its turn, for which asyncio takes the backlog. Some five times as many
are open before the first of them is counted or closed."""
PLAYER_SOCKET = "/ws/seat"
REFUSAL_BODY = b"This server has no free connection at the moment. Try again in a few seconds.\n"
BUSY_RESPONSE = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 5\r\n"
    b"connection: close\r\ncontent-length: %d\r\n\r\n%s" % (len(REFUSAL_BODY), REFUSAL_BODY)
)


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """How many connections there may be, and how many seconds one may take.

    `max_connections_per_address` is None where nobody is counted: on a server for this machine only.
    `request_head_timeout_seconds` is for a head, `transfer_pause_timeout_seconds` for the next piece of a body or of an
    answer being read, `request_body_timeout_seconds` for a whole body.
    """

    max_connections: int = 10_000
    max_connections_per_address: int | None = None
    request_head_timeout_seconds: float = 15.0
    transfer_pause_timeout_seconds: float = 30.0
    request_body_timeout_seconds: float = 120.0
    check_interval_seconds: float = 1.0


def raise_file_limit() -> int:
    """Raise this process's limit of open files as far as it may; return the limit."""
    try:
        import resource  # Unix only
    except ImportError:
        return 2048
    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted_limit = MAX_OPEN_FILES if hard_limit == resource.RLIM_INFINITY else min(hard_limit, MAX_OPEN_FILES)
    if soft_limit != resource.RLIM_INFINITY and soft_limit < wanted_limit:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted_limit, hard_limit))
            soft_limit = wanted_limit
        except (OSError, ValueError) as error:
            logger.warning("the limit of open files stays at %d: %s", soft_limit, error)
    return MAX_OPEN_FILES if soft_limit == resource.RLIM_INFINITY else soft_limit


def choose_limits(file_count: int, *, is_private: bool) -> ConnectionLimits:
    """Return the limits of a server that may open so many files; only one for this machine counts no addresses."""
    max_connections = max(file_count - max(RESERVED_FILE_COUNT, file_count // 8), 16)
    return ConnectionLimits(max_connections, None if is_private else min(1000, max(max_connections // 2, 8)))


class Connections:
    """All open connections of a server. Those from `proxy_networks` are of many people and not counted by address."""

    def __init__(self, connection_limits: ConnectionLimits, proxy_networks: Sequence[Network] = ()) -> None:
        self.limits, self._proxies = connection_limits, tuple(proxy_networks)
        self.refused_count = 0
        """How many connections were refused since the start."""
        self._addresses: dict[ConnectionLimitedProtocol, str | None] = {}
        self._address_counts: Counter[str] = Counter()
        self._connections_by_priority: tuple[dict[ConnectionLimitedProtocol, None], ...] = ({}, {}, {})
        """Connections that make room for others, oldest first: silent, idle, sockets of those who only watch."""

    def __len__(self) -> int:
        return len(self._addresses)

    @property
    def is_crowded(self) -> bool:
        """Whether nearly all connections are taken by somebody who asked for something and is not done."""
        silent_connections, idle_connections, _ = self._connections_by_priority
        return (
            len(self._addresses) - len(silent_connections) - len(idle_connections) > 0.9 * self.limits.max_connections
        )

    def admit_connection(self, connection: ConnectionLimitedProtocol) -> bool:
        """Count a new connection, closing another one where that is needed; return whether it may stay."""
        address = self._make_client_key(connection)
        max_connections_per_address = self.limits.max_connections_per_address
        if (
            address is not None
            and max_connections_per_address is not None
            and self._address_counts[address] >= max_connections_per_address
        ):
            self.refused_count += 1
            logger.warning("a connection was refused: its address has %d", max_connections_per_address)
            return False
        if len(self._addresses) >= self.limits.max_connections and not self._close_replaceable_connection():
            self.refused_count += 1
            logger.warning("a connection was refused: there are %d", self.limits.max_connections)
            return False
        self._addresses[connection] = address
        if address is not None:
            self._address_counts[address] += 1
        self.set_priority(connection, 0)
        return True

    def discard_connection(self, connection: ConnectionLimitedProtocol) -> None:
        """Forget a connection that is closed."""
        if connection not in self._addresses:
            return
        client_key = self._addresses.pop(connection)
        if client_key is not None:
            self._address_counts[client_key] -= 1
            if not self._address_counts[client_key]:
                del self._address_counts[client_key]
        self.set_priority(connection, None)

    def set_priority(self, connection: ConnectionLimitedProtocol, priority: int | None) -> None:
        """Say how replaceable a connection is: 0 silent, 1 idle, 2 watching, None not at all."""
        for connection_priority, connections in enumerate(self._connections_by_priority):
            if connection_priority == priority and connection in self._addresses:
                connections[connection] = None
            else:
                connections.pop(connection, None)

    def _close_replaceable_connection(self) -> bool:
        """Close the oldest replaceable connection, if there is one."""
        for connections in self._connections_by_priority:
            if connections:
                connection = next(iter(connections))
                self.discard_connection(connection)
                connection.transport.abort()
                logger.warning("all %d connections are taken: idle ones are closed", self.limits.max_connections)
                return True
        return False

    def _make_client_key(self, connection: ConnectionLimitedProtocol) -> str | None:
        if self.limits.max_connections_per_address is None or not connection.client:
            return None
        try:
            ip_address = ipaddress.ip_address(connection.client[0].partition("%")[0])
        except ValueError:
            return None
        if isinstance(ip_address, ipaddress.IPv6Address) and ip_address.ipv4_mapped:
            ip_address = ip_address.ipv4_mapped
        return None if any(ip_address in proxy_network for proxy_network in self._proxies) else address_key(ip_address)

    async def close_slow_connections(self) -> None:
        """Close connections that keep us waiting, without end; run it in the background."""
        event_loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(self.limits.check_interval_seconds)
            loop_time = event_loop.time()
            for connection in [
                connection for connection in self._addresses if connection.is_too_slow(loop_time, self.limits)
            ]:
                connection.transport.abort()


class ConnectionLimitedProtocol(H11Protocol):
    """uvicorn's HTTP/1.1 with `Connections`: counted from its beginning to its end, also after it became a socket."""

    connections_of_server: Connections

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._is_admitted = self._is_socket = False
        self._request_head_started_at: float | None = None
        self._request_started_at = self._data_received_at = self._last_write_at = 0.0
        self._unwritten_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place, or answer 503 and close."""
        super().connection_made(transport)
        self._request_head_started_at = self._data_received_at = self._last_write_at = self.loop.time()
        self._is_admitted = self.connections_of_server.admit_connection(self)
        if not self._is_admitted:
            transport.write(BUSY_RESPONSE)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self.connections_of_server.discard_connection(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Note the time, and whether a request has begun."""
        if not self._is_admitted:
            return
        self._data_received_at = self.loop.time()
        if self._request_head_started_at is None and self._awaits_head():
            self._request_head_started_at = self._data_received_at
        request_cycle = self.cycle
        super().data_received(data)
        if self.cycle is not request_cycle:
            self._request_head_started_at, self._request_started_at = None, self._data_received_at
            self.connections_of_server.set_priority(self, None)

    def on_response_complete(self) -> None:
        """Count as idle until the next request."""
        self.connections_of_server.set_priority(self, 1)
        super().on_response_complete()
        if not self._awaits_head():  # the next request had come already
            self._request_started_at = self.loop.time()
            self.connections_of_server.set_priority(self, None)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to uvicorn's socket, and still learn of its end."""
        self._is_socket = True
        connections, url_path = self.connections_of_server, self.scope["path"]
        connections.set_priority(self, None if url_path == PLAYER_SOCKET else 2)
        super().handle_websocket_upgrade(event)
        socket_protocol: Any = self.transport.get_protocol()
        original_connection_lost = socket_protocol.connection_lost

        def connection_lost(exc: Exception | None) -> None:
            connections.discard_connection(self)
            original_connection_lost(exc)

        socket_protocol.connection_lost = connection_lost

    def is_too_slow(self, now: float, limits: ConnectionLimits) -> bool:
        """Return whether a request's head, body or reader takes too long. Sockets have pings of their own."""
        if self._is_socket or self.transport.is_closing():
            return False
        unwritten_bytes = self.transport.get_write_buffer_size()
        if unwritten_bytes != self._unwritten_bytes or not unwritten_bytes:
            self._unwritten_bytes, self._last_write_at = unwritten_bytes, now
        if now - self._last_write_at > limits.transfer_pause_timeout_seconds:
            return True
        if self._awaits_head():
            return (
                self._request_head_started_at is not None
                and now - self._request_head_started_at > limits.request_head_timeout_seconds
            )
        if not self.cycle.more_body or self.flow.read_paused:
            return False
        return (
            now - self._data_received_at > limits.transfer_pause_timeout_seconds
            or now - self._request_started_at > limits.request_body_timeout_seconds
        )

    def _awaits_head(self) -> bool:
        return self.cycle is None or self.cycle.response_complete


def make_protocol(connections: Connections) -> type[ConnectionLimitedProtocol]:
    """Return the protocol class whose connections these are; uvicorn makes one object per connection."""
    return type("LudensProtocol", (ConnectionLimitedProtocol,), {"connections_of_server": connections})


class ConnectionServer(uvicorn.Server):
    """uvicorn's server, which accepts few connections at a time but lets many wait, and closes slow ones."""

    def __init__(self, config: uvicorn.Config, connections: Connections, *, backlog: int) -> None:
        super().__init__(config)
        self._connections, self._backlog = connections, backlog
        self._slow_connection_task: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[Any] | None = None) -> None:
        """Start, then lengthen the queue of the listening sockets, which asyncio has cut to `BACKLOG`."""
        await super().startup(sockets)
        for listening_socket in sockets or ():
            listening_socket.listen(self._backlog)
        self._slow_connection_task = asyncio.create_task(self._connections.close_slow_connections())

    async def shutdown(self, sockets: list[Any] | None = None) -> None:
        """Stop."""
        if self._slow_connection_task:
            self._slow_connection_task.cancel()
        await super().shutdown(sockets)
