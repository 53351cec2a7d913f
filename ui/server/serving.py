"""The server's process: its settings, where it listens, how it runs and ends. It knows no game and no page."""

import contextlib
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from starlette.types import ASGIApp

from engine.play.plans import read_ludens_version
from ui.live.facts import log_fact
from ui.server.connections import BACKLOG, Connections, ConnectionServer, choose_limits, make_protocol, raise_file_limit
from ui.server.forwarded import Network
from ui.server.logs import LogFormat

SOCKET_BACKLOG = 2048


class ServerSettings(Protocol):
    """The settings that serving needs.

    Forwarded headers are believed from the addresses of `trusted_proxy`. `instances` is a folder of instance files in
    place of the shipped ones; `games` and `players` are those outside the project (`engine/play/project.py`);
    `paid_players` says that all who reach the server may seat players that cost money or load a model,
    `choose_instances` who may choose experiments and instances: "all" or the "owner". `scripted_seconds` limits the
    processor time of a scripted player's reply.
    """

    host: str
    port: int
    db: Path
    open: bool
    public_url: str | None
    trusted_proxy: list[Network]
    instances: Path | None
    games: list[Path]
    players: Path | list[Path] | None
    paid_players: bool
    abandon_days: float
    max_players: int | None
    backup_every: float | None
    backup_to: Path | None
    backup_keep: int
    log_format: LogFormat
    scripted_seconds: float

    @property
    def choose_instances(self) -> str:
        """ "all" or "owner"."""


class CannotServe(Exception):
    """The server cannot start; the message says what to do."""


def listen_at(host: str, port: int) -> socket.socket:
    """Take the address before anything slow is loaded. Raises `CannotServe`."""
    try:
        address_family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening_socket = socket.create_server((host, port), family=address_family, backlog=SOCKET_BACKLOG)
        # asyncio sees to this for sockets it makes itself; without it every answer in two pieces waits 40 ms (Nagle)
        listening_socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listening_socket
    except OSError as error:
        error_text = (error.strerror or str(error)).partition(" (while")[0]
        hint_text = " (a running Ludens is there)" if _is_ludens_server(host, port) else ""
        other_port = port + 1 if port < 65535 else port - 1
        raise CannotServe(
            f"cannot listen on {host} port {port}: {error_text}{hint_text}. "
            f"Choose another: LUDENS_PORT={other_port} make play, or .venv/bin/ludens serve --port {other_port}"
        ) from error


def _is_ludens_server(host: str, port: int) -> bool:
    """Return whether the program that has the port answers as Ludens does."""
    import httpx

    health_url = f"http://{_find_reachable_host(host)}:{port}/healthz"
    try:
        return httpx.get(health_url, timeout=2, trust_env=False).status_code == 200
    except (httpx.HTTPError, httpx.InvalidURL):
        return False


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a server bound to `host`."""
    return host in ("localhost", "::1") or host.startswith("127.")


def is_private(settings: ServerSettings) -> bool:
    """Return whether only people at this machine reach the server: no other host, no proxy in front of it."""
    public_host = urlsplit(settings.public_url).hostname if settings.public_url else None
    return is_loopback(settings.host) and (public_host is None or is_loopback(public_host))


def create_connections(settings: ServerSettings) -> Connections:
    """Return the book of connections, after raising the limit of open files as far as it may be."""
    return Connections(choose_limits(raise_file_limit(), is_private=is_private(settings)), settings.trusted_proxy)


def run_app(
    app: ASGIApp, listening_socket: socket.socket, settings: ServerSettings, connections: Connections, admin_path: str
) -> None:
    """Serve until stopped (Ctrl-C, SIGTERM). Prints the address, and the link that makes a browser an admin's.

    With `settings.open` the link is opened in the browser of this machine.
    """
    import uvicorn

    server_config = uvicorn.Config(
        app,
        loop="asyncio",  # not what happens to be installed: the test tools bring uvloop and httptools
        http=make_protocol(connections),
        backlog=BACKLOG,  # the real one is set by `ConnectionServer`
        log_config=None,  # `ui.server.logs` did that
        log_level="warning",
        access_log=False,  # addresses of seats are secrets, and visits are not our business
        server_header=False,
        proxy_headers=False,  # `ForwardedHeaders` reads them
        timeout_graceful_shutdown=3,
        ws_max_size=2_000_000,
        ws_per_message_deflate=False,
    )
    server_url = (settings.public_url or "").rstrip(
        "/"
    ) or f"http://{_find_reachable_host(settings.host)}:{settings.port}"
    sys.stdout.write(f"Ludens is at {server_url}  (Ctrl-C ends it)\n")
    sys.stdout.write(
        f"Admin link (open it once in your own browser, and keep it to yourself): {server_url}{admin_path}\n"
        f"That browser sees all finished games and may publish them{_describe_paid_players(settings)}.\n"
    )
    sys.stdout.flush()
    log_fact("server started", version=read_ludens_version(), connections=connections.limits.max_connections)
    if settings.open:
        threading.Timer(0.5, webbrowser.open, [server_url + admin_path]).start()
    with contextlib.suppress(KeyboardInterrupt):
        ConnectionServer(server_config, connections, backlog=SOCKET_BACKLOG).run(sockets=[listening_socket])


def _describe_paid_players(settings: ServerSettings) -> str:
    """Return what else the admin link allows, or who needs none for that."""
    if is_private(settings):
        return ""
    if settings.paid_players:
        return "; players that cost money or load a model are open to all (paid_players = true)"
    return ", and seats players that cost money or load a model"


def _find_reachable_host(host: str) -> str:
    """Return the host at which a browser on this machine reaches a server bound to `host`."""
    if host in ("0.0.0.0", "::"):
        return "127.0.0.1" if host == "0.0.0.0" else "[::1]"
    return f"[{host}]" if ":" in host else host
