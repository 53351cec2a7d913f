"""The guard of the web app: a pure ASGI wrapper that admits known paths and refuses the rest.

It checks every request before anything else does: Host (against DNS rebinding), Origin (against other sites using a
visitor's browser, sockets included), path and method (most of what Gradio serves is closed), size of the body. On the
way out it sets security headers and caching. What is open is data, `ALLOWED_ROUTES`; it knows no game, seat or cookie.

Refusals: 421 for a Host that is not ours · 403 for a foreign Origin, whatever the path · 404 for a path not in the
table · 405 for another method on a known path · 400 for a malformed request · 413 for a body over the limit, declared
or not · 503 for a request that is under way when the server stops.
"""

import asyncio
import ipaddress
import logging
import socket
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.server.error_page import render_error_page

logger = logging.getLogger("ludens.guard")

MAX_BODY_BYTES = (
    2_000_000  # bytes of a body or of a socket message; a reply of 200,000 characters fits however it is escaped
)
MAX_DRAINED_BYTES = (
    32_000_000  # bytes of a refused body that are read and thrown away, so that the refusal itself arrives
)

# How long a browser may keep what it got
PRIVATE_CACHING = "private, no-store"  # pages and data of one visitor; validators are removed too
PICTURE_CACHING = "private, max-age=3600"  # a seat's pictures have unguessable names; no validators, nothing to compare
REVALIDATE_CACHING = "no-cache"  # files whose address says nothing of their content: kept, but asked about each time
IMMUTABLE_CACHING = "public, max-age=31536000, immutable"  # a hash of the content is part of the address

READ_ONLY_METHODS = ("GET", "HEAD")
SOCKET_METHODS = ("WEBSOCKET",)


@dataclass(frozen=True, slots=True)
class AllowedRoute:
    """A path that is open. `/web/*` means everything below /web/; any other path means itself."""

    path: str
    cache_policy: str = PRIVATE_CACHING
    methods: tuple[str, ...] = READ_ONLY_METHODS

    def matches_path(self, path: str) -> bool:
        """Return whether this route is the one for a path."""
        return path.startswith(self.path[:-1]) and path != self.path[:-1] if self.path[-1] == "*" else path == self.path


# The researcher's desk: its page, and of Gradio what pages with events request. `StudyDeskAccess` lets only the owner
# in.
STUDY_DESK_ROUTES = (
    AllowedRoute("/desk"),
    AllowedRoute("/desk/"),
    AllowedRoute("/desk/config"),
    AllowedRoute("/desk/theme.css", REVALIDATE_CACHING),
    AllowedRoute("/desk/assets/*", IMMUTABLE_CACHING),
    AllowedRoute("/desk/static/*", REVALIDATE_CACHING),
    AllowedRoute("/desk/export/*"),
    AllowedRoute("/desk/gradio_api/startup-events"),
    AllowedRoute("/desk/gradio_api/run/predict", methods=("POST",)),
    AllowedRoute("/desk/gradio_api/queue/join", methods=("POST",)),
    AllowedRoute("/desk/gradio_api/queue/data"),
    AllowedRoute("/desk/gradio_api/heartbeat/*"),
    AllowedRoute("/desk/gradio_api/file=*"),
)

# Our paths, and the five that a mounted Gradio page without events may request (observed in Chromium, gradio 6.31).
ALLOWED_ROUTES: tuple[AllowedRoute, ...] = (
    AllowedRoute("/"),
    AllowedRoute("/table"),
    AllowedRoute("/watch"),
    AllowedRoute("/episode"),
    AllowedRoute("/rules"),
    AllowedRoute("/profile"),
    AllowedRoute("/results"),
    AllowedRoute("/participate"),
    AllowedRoute("/study/*"),
    *STUDY_DESK_ROUTES,
    AllowedRoute("/s/*"),
    AllowedRoute("/w/*"),
    AllowedRoute("/a/*"),
    AllowedRoute("/e/*"),
    AllowedRoute("/p/*", PICTURE_CACHING),
    AllowedRoute("/api/*", methods=(*READ_ONLY_METHODS, "POST")),
    AllowedRoute("/ws/*", methods=SOCKET_METHODS),
    AllowedRoute("/web/v/*", IMMUTABLE_CACHING),
    AllowedRoute("/web/*", REVALIDATE_CACHING),
    AllowedRoute("/healthz"),
    AllowedRoute("/metrics"),
    AllowedRoute("/assets/*", IMMUTABLE_CACHING),
    AllowedRoute("/static/*", REVALIDATE_CACHING),
    AllowedRoute("/theme.css", IMMUTABLE_CACHING),
    AllowedRoute("/favicon.ico", REVALIDATE_CACHING),
    AllowedRoute("/robots.txt", REVALIDATE_CACHING),
)

# Gradio's start-up script is inline, and templates of gr.HTML are compiled in the browser: both 'unsafe-' words are
# Gradio's. The policy therefore limits where anything can be loaded from or sent to, which is: here.
CONTENT_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "media-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "object-src 'none'",
        "frame-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
# same-origin, not no-referrer: under no-referrer a beacon (the draft sent when a page closes) has the Origin "null"
SECURITY_HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", CONTENT_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
)

MISSING_REASON = "The address may be mistyped, or the page may have moved."
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "[::1]")
ANY_ADDRESS = "<any address>"


def list_allowed_hosts(host: str = "127.0.0.1", public_url: str | None = None) -> frozenset[str]:
    """Return the names a server bound to `host` answers for: loopback, the host itself, the host of the public URL.

    Bound to all interfaces (0.0.0.0, ::) it is reached by addresses we cannot know: then any literal address is
    allowed, because rebinding needs a name, and so is this machine's own name.
    """
    host_names = set(LOOPBACK_HOSTS)
    if host in ("0.0.0.0", "::", ""):
        machine_name = socket.gethostname().lower()
        host_names |= {ANY_ADDRESS, machine_name, f"{machine_name}.local"}
    else:
        host_names.add(f"[{host.lower()}]" if ":" in host else host.lower())
    if public_url:
        host_names.add(_read_host_name(read_host_and_port(public_url)))
    return frozenset(host_names)


def list_allowed_origins(public_url: str | None = None) -> frozenset[str]:
    """Return the origins that are ours whatever Host a proxy passes on."""
    return frozenset({read_host_and_port(public_url)} if public_url else ())


class RequestGuard:
    """Wrap an ASGI app: `RequestGuard(app, (*ALLOWED_ROUTES, AllowedRoute("/results")), list_allowed_hosts(host))`."""

    def __init__(
        self,
        app: ASGIApp,
        allowed_routes: Sequence[AllowedRoute] = ALLOWED_ROUTES,
        host_names: Iterable[str] = LOOPBACK_HOSTS,
        origins: Iterable[str] = (),
        max_body_bytes: int = MAX_BODY_BYTES,
    ):
        self.app, self.paths, self.body_limit = app, tuple(allowed_routes), max_body_bytes
        self.hosts, self.origins = frozenset(host_names), frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request or pass it on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        allowed_route = next(
            (allowed_route for allowed_route in self.paths if allowed_route.matches_path(scope["path"])), None
        )
        if refusal := self._find_refusal(scope, allowed_route):
            status, reason = refusal
            logger.info(
                "%s for %s: %s", status, allowed_route.path if allowed_route else "a path that is not open", reason
            )
            if scope["type"] == "http":
                await discard_body(receive)
            await send_refusal(scope, send, status, reason)
        elif scope["type"] == "websocket":
            await self._pass_socket(scope, receive, send)
        else:
            await self._pass_request(
                scope, receive, send, allowed_route.cache_policy if allowed_route else PRIVATE_CACHING
            )

    def _find_refusal(self, scope: Scope, allowed_route: AllowedRoute | None) -> tuple[int, str] | None:
        """Return the status and the reason with which this request is refused, or None."""
        headers: dict[bytes, list[str]] = {}
        for header_name, header_value in scope["headers"]:
            headers.setdefault(header_name.lower(), []).append(header_value.decode("latin-1").strip())
        hosts, origins = headers.get(b"host", []), headers.get(b"origin", [])
        content_lengths = headers.get(b"content-length", [])
        method = "WEBSOCKET" if scope["type"] == "websocket" else scope["method"]
        host = hosts[0].lower() if len(hosts) == 1 else ""
        # Origin before Host and path: a foreign page gets the same answer whatever it requests, and learns nothing
        if not all(self._is_our_origin(origin, host) for origin in origins):
            return 403, "this origin may not talk to Ludens"
        if not self._is_our_host(host):
            return 421, f"Ludens does not answer for host {host[:200]!r}; name it with --host or as public_url"
        url_path = scope["path"]
        if not url_path.startswith("/"):
            return 400, "the request target does not begin with a slash"
        if allowed_route is None or "\\" in url_path or "\0" in url_path or {"..", "."} & set(url_path.split("/")):
            return 404, "no such page"
        if method not in allowed_route.methods:
            return (
                (404, "no such page") if "WEBSOCKET" in (method, *allowed_route.methods) else (405, f"not by {method}")
            )
        if len(content_lengths) > 1 or any(not (length.isascii() and length.isdigit()) for length in content_lengths):
            return 400, "Content-Length is not a number"
        if content_lengths and (len(content_lengths[0]) > 18 or int(content_lengths[0]) > self.body_limit):
            return 413, f"longer than {self.body_limit:,} bytes"
        return None

    def _is_our_host(self, host: str) -> bool:
        host_name = _read_host_name(host)
        return host_name in self.hosts or (ANY_ADDRESS in self.hosts and _is_address(host_name))

    def _is_our_origin(self, origin: str, host: str) -> bool:
        """Return whether an Origin is this server as the browser addressed it, port included."""
        url_scheme = origin.partition("://")[0].lower()
        if url_scheme not in ("http", "https"):  # "null", a file, an extension
            return False
        try:
            authority = read_host_and_port(origin)
        except ValueError:
            return False
        addressed_host = host.removesuffix(":80" if url_scheme == "http" else ":443")
        return authority in self.origins or (bool(host) and authority == addressed_host and self._is_our_host(host))

    async def _pass_request(self, scope: Scope, receive: Receive, send: Send, cache_policy: str) -> None:
        """Pass a request on; refuse a body over the limit; set the headers of the response."""
        received_bytes, has_started, is_too_long = 0, False, False

        async def receive_within_size_limit() -> Message:
            nonlocal received_bytes, is_too_long
            message = await receive()
            received_bytes += len(message.get("body", b""))
            if message["type"] != "http.request" or received_bytes <= self.body_limit:
                return message
            is_too_long = True
            if message.get("more_body"):
                await discard_body(receive)
            if not has_started:
                await send_refusal(scope, send, 413, f"longer than {self.body_limit:,} bytes")
            return {"type": "http.disconnect"}

        async def send_with_headers(message: Message) -> None:
            nonlocal has_started
            if is_too_long:  # the refusal is on its way; what the app answers to its lost client is of no interest
                return
            if message["type"] == "http.response.start":
                has_started = True
                headers = _set_headers(message.get("headers", ()), message["status"], cache_policy)
                message = {**message, "headers": headers}
            await send(message)

        try:
            await self.app(scope, receive_within_size_limit, send_with_headers)
        except asyncio.CancelledError:  # the server stops and does not wait any longer
            if has_started:
                raise
            await send_refusal(scope, send, 503, "the server is stopping; try again in a moment")
        except Exception:
            if not is_too_long:
                raise

    async def _pass_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a socket on; close it when a message is over the limit."""
        is_too_long = False

        async def receive_within_size_limit() -> Message:
            nonlocal is_too_long
            message = await receive()
            # characters, not encoded bytes: some upper bound is the point, and the server has one in bytes
            message_length = max(len(message.get("text") or ""), len(message.get("bytes") or b""))
            if message["type"] != "websocket.receive" or message_length <= self.body_limit:
                return message
            is_too_long = True
            await send({"type": "websocket.close", "code": 1009, "reason": "message too long"})
            return {"type": "websocket.disconnect", "code": 1009}

        async def send_unless_closed(message: Message) -> None:
            if not is_too_long:
                await send(message)

        await self.app(scope, receive_within_size_limit, send_unless_closed)


def _set_headers(headers: Iterable[tuple[bytes, bytes]], status: int, cache_policy: str) -> list[tuple[bytes, bytes]]:
    """Return headers of a response with those that every response has; ours replace what the app set."""
    headers = list(headers)
    cache_control = (
        cache_policy if status in (200, 206, 304) else PRIVATE_CACHING
    )  # errors and redirects are never cached
    hides_referrer = (
        b"referrer-policy",
        b"no-referrer",
    ) in headers  # the address says who comes: a redirect away from it
    security_headers = [
        (header, b"no-referrer" if hides_referrer and header == b"referrer-policy" else value)
        for header, value in SECURITY_HEADERS
    ]
    own_headers = (*security_headers, (b"cache-control", cache_control.encode()))
    replaced_names = {header for header, _ in own_headers}
    if cache_policy in (PRIVATE_CACHING, PICTURE_CACHING):
        replaced_names |= {b"etag", b"last-modified"}
    return [(header, value) for header, value in headers if header.lower() not in replaced_names] + list(own_headers)


async def discard_body(receive: Receive) -> None:
    """Read a refused body and throw it away: a browser that cannot finish sending reports a broken connection."""
    received_bytes = 0
    while received_bytes <= MAX_DRAINED_BYTES:
        message = await receive()
        received_bytes += len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body"):
            return


async def send_refusal(scope: Scope, send: Send, status: int, reason: str) -> None:
    """Answer a request or a socket's handshake with a status and a line of plain text."""
    type_prefix = "http"
    if scope["type"] == "websocket":
        if status == 403 or "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008, "reason": reason[:100]})  # the server makes it a 403
            return
        type_prefix = "websocket.http"
    media_type, refusal_text = "text/plain", f"{reason}\n"
    if status == 404 and type_prefix == "http" and _is_person_looking(scope):
        media_type, refusal_text = "text/html", render_error_page(404, "This page does not exist", MISSING_REASON)
    refusal_body = refusal_text.encode()
    headers = [
        (b"content-type", f"{media_type}; charset=utf-8".encode()),
        (b"content-length", str(len(refusal_body)).encode()),
    ]
    if status == 503:
        headers.append((b"retry-after", b"2"))
    start_message = {
        "type": f"{type_prefix}.response.start",
        "status": status,
        "headers": _set_headers(headers, status, PRIVATE_CACHING),
    }
    await send(start_message)
    await send({"type": f"{type_prefix}.response.body", "body": b"" if scope.get("method") == "HEAD" else refusal_body})


def _is_person_looking(scope: Scope) -> bool:
    """Return whether a browser asks for a page."""
    accept_header = b"".join(header_value for header, header_value in scope["headers"] if header.lower() == b"accept")
    return (
        scope["method"] in READ_ONLY_METHODS and not scope["path"].startswith("/api/") and b"text/html" in accept_header
    )


def read_host_and_port(url: str) -> str:
    """Return the host and port of a URL or origin, without the port that its scheme implies."""
    url_parts = urlsplit(url.lower())
    if not url_parts.hostname or url_parts.username is not None:
        raise ValueError(f"{url!r} names no host")
    host_name = f"[{url_parts.hostname}]" if ":" in url_parts.hostname else url_parts.hostname
    default_port = {"http": 80, "https": 443}.get(url_parts.scheme)
    return host_name if url_parts.port in (None, default_port) else f"{host_name}:{url_parts.port}"


def _read_host_name(authority: str) -> str:
    """Return the host of an authority, without its port and the dot of a full domain name."""
    host_end = authority.find("]") + 1 if authority.startswith("[") else authority.find(":")
    host_name, port_part = (authority, "") if host_end < 0 else (authority[:host_end], authority[host_end:])
    return host_name.rstrip(".") if not port_part or (port_part[1:].isascii() and port_part[1:].isdigit()) else ""


def _is_address(host_name: str) -> bool:
    try:
        ipaddress.ip_address(host_name.strip("[]"))
    except ValueError:
        return False
    return True
