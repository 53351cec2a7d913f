"""The door of the web app: a pure ASGI wrapper that lets in known paths and turns the rest away.

It looks at every request before anything else does: Host (against DNS rebinding), Origin (against other sites using a
visitor's browser, sockets included), path and method (most of what Gradio serves is closed), size of the body. On the
way out it sets security headers and caching. What is open is data, `PATHS`; it knows no game, no seat and no cookie.

Answers: 421 a Host we do not answer for · 403 a foreign Origin, whatever the path · 404 a path not in the table ·
405 a known path, another method · 400 a malformed request · 413 a body over the limit, declared or not.
"""

import ipaddress
import logging
import socket
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger("ludens.guard")

LIMIT = 2_000_000  # bytes of a body or of a socket message; a reply of 200,000 characters fits however it is escaped
DRAIN = 32_000_000  # bytes of a refused body that are read and thrown away, so that the refusal itself arrives

# How long a browser may keep what it got
PRIVATE = "private, no-store"  # pages and data of one visitor; validators are removed too
PICTURE = "private, max-age=3600"  # a seat's pictures have unguessable names; no validators, nothing to compare
REVALIDATE = "no-cache"  # our own scripts and styles: kept, but asked about each time
IMMUTABLE = "public, max-age=31536000, immutable"  # a hash of the content is part of the address

READ = ("GET", "HEAD")
SOCKET = ("WEBSOCKET",)


@dataclass(frozen=True, slots=True)
class Door:
    """A path that is let in. `/web/*` means everything below /web/; any other path means itself."""

    path: str
    caching: str = PRIVATE
    methods: tuple[str, ...] = READ

    def opens(self, path: str) -> bool:
        """Say whether this door is the one for a path."""
        return path.startswith(self.path[:-1]) and path != self.path[:-1] if self.path[-1] == "*" else path == self.path


# Ours, and the five things that a mounted Gradio page without events asks for (watched in Chromium, gradio 6.31).
PATHS: tuple[Door, ...] = (
    Door("/"),
    Door("/table"),
    Door("/watch"),
    Door("/episode"),
    Door("/results"),
    Door("/s/*"),
    Door("/w/*"),
    Door("/a/*"),
    Door("/e/*"),
    Door("/p/*", PICTURE),
    Door("/api/*", methods=(*READ, "POST")),
    Door("/ws/*", methods=SOCKET),
    Door("/web/*", REVALIDATE),
    Door("/healthz"),
    Door("/assets/*", IMMUTABLE),
    Door("/static/*", REVALIDATE),
    Door("/theme.css", IMMUTABLE),
    Door("/favicon.ico", REVALIDATE),
    Door("/robots.txt", REVALIDATE),
)

# Gradio's start-up script is inline, and templates of gr.HTML are compiled in the browser: both 'unsafe-' words are
# Gradio's. The policy therefore limits where anything can be loaded from or sent to, which is: here.
POLICY = "; ".join(
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
HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
)

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
ANY_ADDRESS = "<any address>"


def allowed_hosts(host: str = "127.0.0.1", public_url: str | None = None) -> frozenset[str]:
    """List the names a server bound to `host` answers for: loopback, the host itself, the host of the public URL.

    Bound to all interfaces (0.0.0.0, ::) it is reached by addresses we cannot know: any literal address will do then,
    because rebinding needs a name, and so will this machine's own name.
    """
    names = set(LOOPBACK)
    if host in ("0.0.0.0", "::", ""):
        mine = socket.gethostname().lower()
        names |= {ANY_ADDRESS, mine, f"{mine}.local"}
    else:
        names.add(f"[{host.lower()}]" if ":" in host else host.lower())
    if public_url:
        names.add(_name(_authority(public_url)))
    return frozenset(names)


def allowed_origins(public_url: str | None = None) -> frozenset[str]:
    """List the origins that are ours whatever Host a proxy passes on."""
    return frozenset({_authority(public_url)} if public_url else ())


class Guard:
    """Wrap an ASGI app: `Guard(app, paths=(*PATHS, Door("/results")), hosts=allowed_hosts(host, public_url))`."""

    def __init__(
        self,
        app: ASGIApp,
        paths: Sequence[Door] = PATHS,
        hosts: Iterable[str] = LOOPBACK,
        origins: Iterable[str] = (),
        limit: int = LIMIT,
    ):
        self.app, self.paths, self.limit = app, tuple(paths), limit
        self.hosts, self.origins = frozenset(hosts), frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Turn the request away or hand it on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        door = next((door for door in self.paths if door.opens(scope["path"])), None)
        if refusal := self._refusal(scope, door):
            status, words = refusal
            log.info("%s %s: %s", status, scope["path"].split("/")[1][:40], words)
            if scope["type"] == "http":
                await _drain(receive)
            await _refuse(scope, send, status, words)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._request(scope, receive, send, door.caching if door else PRIVATE)

    def _refusal(self, scope: Scope, door: Door | None) -> tuple[int, str] | None:
        """Say why this request is turned away, or None."""
        headers: dict[bytes, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value.decode("latin-1").strip())
        hosts, origins = headers.get(b"host", []), headers.get(b"origin", [])
        lengths = headers.get(b"content-length", [])
        method = "WEBSOCKET" if scope["type"] == "websocket" else scope["method"]
        host = hosts[0].lower() if len(hosts) == 1 else ""
        # Origin before Host and path: whatever a foreign page asks for, it hears the same, and learns nothing
        if not all(self._ours(origin, host) for origin in origins):
            return 403, "this origin may not talk to Ludens"
        if not self._known(host):
            return 421, f"Ludens does not answer for host {host[:200]!r}; name it with --host or as public_url"
        path = scope["path"]
        if door is None or "\\" in path or "\0" in path or {"..", "."} & set(path.split("/")):
            return 404, "no such page"
        if method not in door.methods:
            return (404, "no such page") if "WEBSOCKET" in (method, *door.methods) else (405, f"not by {method}")
        if len(lengths) > 1 or any(not (n.isascii() and n.isdigit()) for n in lengths):
            return 400, "Content-Length is not a number"
        if lengths and (len(lengths[0]) > 18 or int(lengths[0]) > self.limit):
            return 413, f"longer than {self.limit:,} bytes"
        return None

    def _known(self, host: str) -> bool:
        name = _name(host)
        return name in self.hosts or (ANY_ADDRESS in self.hosts and _is_address(name))

    def _ours(self, origin: str, host: str) -> bool:
        """Say whether an Origin is this very server as the browser addressed it, port included."""
        scheme = origin.partition("://")[0].lower()
        if scheme not in ("http", "https"):  # "null", a file, an extension
            return False
        try:
            authority = _authority(origin)
        except ValueError:
            return False
        own = host.removesuffix(":80" if scheme == "http" else ":443")
        return authority in self.origins or (bool(host) and authority == own and self._known(host))

    async def _request(self, scope: Scope, receive: Receive, send: Send, caching: str) -> None:
        """Hand a request on; count its body; dress its response."""
        taken, started, over = 0, False, False

        async def counted() -> Message:
            nonlocal taken, over
            message = await receive()
            taken += len(message.get("body", b""))
            if message["type"] != "http.request" or taken <= self.limit:
                return message
            over = True
            if message.get("more_body"):
                await _drain(receive)
            if not started:
                await _refuse(scope, send, 413, f"longer than {self.limit:,} bytes")
            return {"type": "http.disconnect"}

        async def dressed(message: Message) -> None:
            nonlocal started
            if over:  # the refusal is on its way; whatever the app makes of its lost client is of no interest
                return
            if message["type"] == "http.response.start":
                started = True
                message = {**message, "headers": _dress(message.get("headers", ()), message["status"], caching)}
            await send(message)

        try:
            await self.app(scope, counted, dressed)
        except Exception:
            if not over:
                raise

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a socket on; end it when one message is over the limit."""
        over = False

        async def counted() -> Message:
            nonlocal over
            message = await receive()
            # characters as they are, not encoded: an upper bound is the point, and the server has one in bytes
            size = max(len(message.get("text") or ""), len(message.get("bytes") or b""))
            if message["type"] != "websocket.receive" or size <= self.limit:
                return message
            over = True
            await send({"type": "websocket.close", "code": 1009, "reason": "message too long"})
            return {"type": "websocket.disconnect", "code": 1009}

        async def until_over(message: Message) -> None:
            if not over:
                await send(message)

        await self.app(scope, counted, until_over)


def _dress(headers: Iterable[tuple[bytes, bytes]], status: int, caching: str) -> list[tuple[bytes, bytes]]:
    """Add what every response carries; ours replaces what the app said about the same."""
    kept = caching if status in (200, 206, 304) else PRIVATE  # nobody keeps an error or a redirect
    ours = (*HEADERS, (b"cache-control", kept.encode()))
    dropped = {name for name, _ in ours}
    if caching in (PRIVATE, PICTURE):
        dropped |= {b"etag", b"last-modified"}
    return [(n, v) for n, v in headers if n.lower() not in dropped] + list(ours)


async def _drain(receive: Receive) -> None:
    """Read a refused body and throw it away: a browser that cannot finish sending reports a broken connection."""
    taken = 0
    while taken <= DRAIN:
        message = await receive()
        taken += len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body"):
            return


async def _refuse(scope: Scope, send: Send, status: int, words: str) -> None:
    """Answer a request or a socket's handshake with a status and a line of plain text."""
    prefix = "http"
    if scope["type"] == "websocket":
        if status == 403 or "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008, "reason": words[:100]})  # the server makes it a 403
            return
        prefix = "websocket.http"
    body = words.encode() + b"\n"
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    start = {"type": f"{prefix}.response.start", "status": status, "headers": _dress(headers, status, PRIVATE)}
    await send(start)
    await send({"type": f"{prefix}.response.body", "body": b"" if scope.get("method") == "HEAD" else body})


def _authority(url: str) -> str:
    """Give the host and port of a URL or origin, without the port that its scheme implies."""
    parts = urlsplit(url.lower())
    if not parts.hostname or parts.username is not None:
        raise ValueError(f"{url!r} names no host")
    name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    implied = {"http": 80, "https": 443}.get(parts.scheme)
    return name if parts.port in (None, implied) else f"{name}:{parts.port}"


def _name(authority: str) -> str:
    """Give the host of an authority, without its port and the dot of a full domain name."""
    end = authority.find("]") + 1 if authority.startswith("[") else authority.find(":")
    name, rest = (authority, "") if end < 0 else (authority[:end], authority[end:])
    return name.rstrip(".") if not rest or (rest[1:].isascii() and rest[1:].isdigit()) else ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
