"""Connections that ask for nothing: they cost nobody else theirs, and do not stay."""

import asyncio
import contextlib
import ipaddress
import resource
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn

from tests import conftest
from tests.ui.guests import Guest
from ui.server.connections import BACKLOG, ConnectionLimits, Connections, ConnectionServer, choose_limits, make_protocol

CROWD = 1100
SOFT, HARD = "-Sn 256", "-n 1024"


@pytest.fixture(scope="module", params=[SOFT, HARD], ids=["soft limit", "hard limit"])
def limited_server(request, module_server, tmp_path_factory):
    """A server under a limit of open files. It is not forked, because the limit has to hold from its start."""
    script = tmp_path_factory.mktemp("limited") / "ludens"
    script.write_text(f'#!/bin/sh\nulimit {request.param}\nexec {conftest.LUDENS} "$@"\n')
    script.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conftest, "LUDENS", script)
        return module_server()


@pytest.fixture
def many_files() -> Iterator[None]:
    """Let this process open enough connections."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, limits[1]), limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@pytest.mark.parametrize("head", [b"", b"GET /hea"], ids=["silent", "half a head"])
def test_silent_connections_keep_nobody_out(limited_server, many_files, head):
    with contextlib.ExitStack() as crowd, Guest(limited_server.url) as guest:
        for _ in range(CROWD):
            connection = crowd.enter_context(socket.create_connection(("127.0.0.1", limited_server.port), timeout=30))
            with contextlib.suppress(ConnectionError):  # it was closed already, to make room
                connection.sendall(head)
        with guest.seat(guest.sit()) as seat:
            assert seat.reply("a ring")
    assert len(limited_server.output()) < 20_000, "one line for all, not one for each"
    assert "Traceback" not in limited_server.output()


@pytest.mark.parametrize("limited_server", [SOFT], indirect=True, ids=["soft limit"])
def test_the_soft_limit_of_files_is_raised(limited_server):
    limits = Path(f"/proc/{limited_server.process.pid}/limits").read_text()
    [line] = [line for line in limits.splitlines() if line.startswith("Max open files")]
    assert int(line.split()[3]) > 256


# ---------------------------------------------------------------------- with short limits, in this process
async def answer(scope, receive, send) -> None:
    """Read the body, answer with as many bytes as the path says."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        await receive()
        return
    while (await receive()).get("more_body"):
        pass
    size = int(scope["path"].strip("/") or 2)
    headers = [(b"content-length", str(size).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for _ in range(0, size, 100_000):
        await send({"type": "http.response.body", "body": b"x" * min(size, 100_000), "more_body": size > 100_000})


@contextlib.asynccontextmanager
async def serving(limits: ConnectionLimits, proxies=()):
    """Serve `answer`; yield the port and the connections."""
    connections = Connections(limits, [ipaddress.ip_network(proxy) for proxy in proxies])
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        answer, http=make_protocol(connections), backlog=BACKLOG, lifespan="off", log_level="error", loop="asyncio"
    )
    uvicorn_server = ConnectionServer(config, connections, backlog=100)
    running = asyncio.create_task(uvicorn_server.serve(sockets=[listening]))
    try:
        while not uvicorn_server.started:
            await asyncio.sleep(0)
        yield listening.getsockname()[1], connections
    finally:
        uvicorn_server.should_exit = True
        await running


async def exchange(port: int, request: bytes, end: bool = False) -> bytes:
    """Send bytes and return all that comes until the server closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    try:
        return await asyncio.wait_for(reader.read(), 30)
    except ConnectionError:
        return b""
    finally:
        writer.close()


HEAD = b"GET /2 HTTP/1.1\r\nHost: a\r\n"


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"",
        b"GET /2 HTT",
        HEAD,
        HEAD + b"\r\n" + HEAD,
        b"POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf",
        b"POST /2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
    ],
    ids=["nothing", "part of a line", "part of a head", "part of a second head", "part of a body", "part of chunks"],
)
def test_what_stays_unfinished_is_closed(request_bytes):
    async def go() -> None:
        async with serving(
            ConnectionLimits(
                request_head_timeout_seconds=0.2, transfer_pause_timeout_seconds=0.2, check_interval_seconds=0.05
            )
        ) as (
            port,
            connections,
        ):
            received = await exchange(port, request_bytes)
            assert received.count(b"200 OK") == request_bytes.count(HEAD + b"\r\n")
            while len(connections):
                await asyncio.sleep(0)

    asyncio.run(go())


def test_a_body_in_drops_is_closed():
    async def go() -> None:
        async with serving(
            ConnectionLimits(
                transfer_pause_timeout_seconds=10, request_body_timeout_seconds=0.3, check_interval_seconds=0.05
            )
        ) as (port, _):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
            reading = asyncio.create_task(reader.read())
            while not reading.done():
                with contextlib.suppress(ConnectionError):
                    writer.write(b"x")
                    await writer.drain()
                await asyncio.sleep(0.02)
            writer.close()

    asyncio.run(asyncio.wait_for(go(), 60))


def test_an_answer_that_nobody_reads_is_closed():
    async def go() -> None:
        async with serving(ConnectionLimits(transfer_pause_timeout_seconds=0.2, check_interval_seconds=0.05)) as (
            port,
            connections,
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1000)
            writer.write(b"GET /100000000 HTTP/1.1\r\nHost: a\r\n\r\n")
            await reader.readline()
            while len(connections):
                await asyncio.sleep(0.01)
            writer.close()

    asyncio.run(asyncio.wait_for(go(), 60))


def test_the_oldest_silent_connection_makes_room():
    async def go() -> None:
        async with serving(ConnectionLimits(max_connections=3)) as (port, connections):
            crowd = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
            while len(connections) < 3:
                await asyncio.sleep(0)
            last = await exchange(port, HEAD + b"Connection: close\r\n\r\n")
            assert b"200 OK" in last and len(connections) == 2
            assert await crowd[0][0].read() == b""
            for _, writer in crowd:
                writer.close()

    asyncio.run(asyncio.wait_for(go(), 60))


def upgrade(path: bytes) -> bytes:
    key = b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    return b"GET " + path + b" HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + key


def test_a_spectator_makes_room_and_a_player_does_not():
    async def go() -> None:
        async with serving(ConnectionLimits(max_connections=2)) as (port, connections):
            player, player_writer = await asyncio.open_connection("127.0.0.1", port)
            player_writer.write(upgrade(b"/ws/seat"))
            assert b"101" in await player.readline()
            watcher, watcher_writer = await asyncio.open_connection("127.0.0.1", port)
            watcher_writer.write(upgrade(b"/ws/watch"))
            assert b"101" in await watcher.readline()
            another, another_writer = await asyncio.open_connection("127.0.0.1", port)
            another_writer.write(upgrade(b"/ws/seat"))
            assert b"101" in await another.readline()
            with contextlib.suppress(ConnectionError):
                await watcher.read()  # closed
            full = await exchange(port, HEAD + b"\r\n")
            assert full == b"" or (b" 503 " in full and b"retry-after: 5" in full)
            assert connections.refused_count == 1
            for writer in (player_writer, watcher_writer, another_writer):
                writer.close()
            while len(connections):
                await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(go(), 60))


@pytest.mark.parametrize("proxies", [(), ("127.0.0.0/8",)])
def test_one_address_has_so_many_connections_but_a_trusted_proxy_any_number(proxies):
    async def go() -> None:
        async with serving(ConnectionLimits(max_connections_per_address=2), proxies) as (port, connections):
            crowd = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
            while len(connections) + connections.refused_count < 3:
                await asyncio.sleep(0)
            assert connections.refused_count == (0 if proxies else 1)
            for _, writer in crowd:
                writer.close()

    asyncio.run(asyncio.wait_for(go(), 60))


def test_a_university_behind_one_address_is_let_in():
    """100 participants, each with the six connections of a browser and a socket."""
    limit = choose_limits(file_count=2048, is_private=False).max_connections_per_address
    assert limit and limit >= 100 * 7
    assert choose_limits(file_count=1024, is_private=True).max_connections_per_address is None
