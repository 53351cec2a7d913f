"""The doors of a running server, tried from outside: with a browser, with an HTTP client, and byte by byte."""

import re
import socket
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import expect

from ui.server.guard import ALLOWED_ROUTES, MAX_BODY_BYTES, SECURITY_HEADERS

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def url(module_server) -> str:
    return module_server().url


def gradio_routes() -> list[str]:
    """Every path that Gradio serves, its places filled with something."""
    import gradio as gr

    found: set[str] = set()
    for route in gr.routes.App.create_app(gr.Blocks()).routes:
        below = getattr(route, "original_router", None)  # everything below /gradio_api
        found |= {one.path for one in below.routes} if below else {route.path}
    return sorted(re.sub(r"\{[^}]*\}", "x", path) for path in found)


def raw(url: str, lines: list[bytes]) -> int:
    """Send bytes as they are and give the status of the answer."""
    where = urlsplit(url)
    with socket.create_connection((where.hostname, where.port), timeout=30) as connection:
        connection.sendall(b"\r\n".join(lines) + b"\r\n\r\n")
        return int(connection.makefile("rb").readline().split()[1])


def upgrade(path: bytes, *more: bytes, host: bytes = b"127.0.0.1") -> list[bytes]:
    return [
        b"GET " + path + b" HTTP/1.1",
        b"Host: " + host,
        b"Upgrade: websocket",
        b"Connection: Upgrade",
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        b"Sec-WebSocket-Version: 13",
        *more,
    ]


def test_pages_ask_for_nothing_that_is_closed_and_nothing_from_outside(url, new_page):
    page = new_page()  # which fails on any refused, missing or outside thing
    asked: set[str] = set()
    page.on("request", lambda request: asked.add(urlsplit(request.url).path))
    page.goto(url)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert any(path.startswith("/assets/") for path in asked)
    assert not [path for path in asked if not any(door.matches_path(path) for door in ALLOWED_ROUTES)]
    assert not [path for path in asked if path.startswith("/gradio_api")]


def test_what_gradio_serves_beyond_that_is_closed(url):
    routes = gradio_routes()
    assert len(routes) > 30
    opened = [path for path in routes if any(door.matches_path(path) for door in ALLOWED_ROUTES)]
    assert set(opened) <= {"/", "/assets/x", "/static/x", "/theme.css", "/favicon.ico", "/robots.txt"}
    with httpx.Client(base_url=url) as client:
        for path in routes:
            if path not in opened:
                assert client.get(path).status_code == client.post(path, json={}).status_code == 404, path


@pytest.mark.parametrize(
    "path", ["/", "/table", "/api/lobby", "/api/move", "/healthz", "/assets/x", "/config", "/no", "/s/x"]
)
def test_a_foreign_page_gets_403_from_every_path(url, path):
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1"):
        for method in ("GET", "POST", "OPTIONS"):
            assert httpx.request(method, url + path, headers={"origin": origin}).status_code == 403
        assert raw(url, upgrade(path.encode(), b"Origin: " + origin.encode())) == 403


def test_sockets_answer_for_themselves(url):
    assert raw(url, upgrade(b"/ws/lobby")) == 101
    assert raw(url, upgrade(b"/ws/lobby", host=b"evil.example")) == 421
    assert raw(url, upgrade(b"/ws/nowhere")) in (403, 404)
    assert raw(url, upgrade(b"/gradio_api/x")) == 404


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (b"GET /web/../config HTTP/1.1", 404),
        (b"GET /web/%2e%2e/config HTTP/1.1", 404),
        (b"GET /web/..%2f..%2fapp.py HTTP/1.1", 404),
        (b"GET /assets/%2e%2e/%2e%2e/%2e%2e/etc/passwd HTTP/1.1", 404),
        (b"GET //config HTTP/1.1", 404),
        (b"GET /%63onfig HTTP/1.1", 404),
        (b"GET /web/%00 HTTP/1.1", 404),
        (b"GET /web/nothing.js HTTP/1.1", 404),
        (b"GET /s/%F0%9F%99%82 HTTP/1.1", 404),
        (b"DELETE /api/move HTTP/1.1", 405),
    ],
)
def test_crooked_requests(url, line, status):
    assert raw(url, [line, b"Host: 127.0.0.1", b"Connection: close"]) == status


def test_another_host_is_misdirected(url):
    assert httpx.get(url, headers={"host": "evil.example"}).status_code == 421
    assert httpx.get(url, headers={"host": "localhost:9"}).status_code == 200


def test_bodies_over_the_limit_are_refused_with_an_answer(url):
    def chunks():
        for _ in range(60):
            yield b"x" * 100_000

    assert httpx.post(url + "/api/move", content=b"x" * (MAX_BODY_BYTES + 1), timeout=60).status_code == 413
    assert httpx.post(url + "/api/move", content=chunks(), timeout=60).status_code == 413
    assert httpx.post(url + "/api/move", content=b"x" * MAX_BODY_BYTES, timeout=60).status_code in (400, 403, 422)


def test_every_kind_of_answer_is_dressed(url):
    for path in ("/", "/api/lobby", "/web/core/dom.js", "/healthz", "/no", "/s/no", "/p/no", "/favicon.ico"):
        headers = httpx.get(url + path).headers
        for name, value in SECURITY_HEADERS:
            assert headers[name.decode()] == value.decode(), path
        assert "server" not in headers
        assert ("etag" in headers) == (path in ("/web/core/dom.js", "/favicon.ico")), path
        assert headers["cache-control"] == ("no-cache" if "etag" in headers else "private, no-store"), path
