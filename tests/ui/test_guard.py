"""The door of the web app, knocked at with plain ASGI calls: no server, no socket, every answer looked at."""

import asyncio
import re
from collections.abc import AsyncIterator

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from ui.server.guard import (
    ALLOWED_ROUTES,
    ANY_ADDRESS,
    MAX_BODY_BYTES,
    SECURITY_HEADERS,
    AllowedRoute,
    RequestGuard,
    list_allowed_hosts,
    list_allowed_origins,
)

HOME = "http://127.0.0.1:7860"
CLOSED = [
    "/gradio_api/info",
    "/gradio_api/upload",
    "/gradio_api/openapi.json",
    "/gradio_api/file=/etc/passwd",
    "/gradio_api/call/submit",
    "/gradio_api/queue/join",
    "/gradio_api/run/predict",
    "/gradio_api/heartbeat/x",
    "/gradio_api/startup-events",
    "/gradio_api/app_id",
    "/gradio_api/dev/reload",
    "/gradio_api/runs",
    "/gradio_api/deep_link",
    "/gradio_api/monitoring/summary",
    "/config",
    "/login",
    "/logout",
    "/docs",
    "/openapi.json",
    "/manifest.json",
    "/svelte/x.js",
    "/nowhere",
    "/table/",
    "/table/more",
    "/assets",
    "/assets/",
    "/s",
    "/api",
    "//",
    "/web/../config",
    "/assets/../gradio_api/info",
    "/web/..\\config",
    "/web/a\0b",
    "/TABLE",
]


async def answer(request: Request) -> Response:
    """Say what arrived, with the validators and caching an app may set."""
    size = len(await request.body())
    return PlainTextResponse(
        str(size),
        status_code=int(request.query_params.get("status", 200)),
        headers={"etag": '"x"', "last-modified": "yesterday", "cache-control": "public", "x-frame-options": "ALLOWALL"},
    )


async def echo(socket: WebSocket) -> None:
    await socket.accept()
    try:
        while True:
            await socket.send_text(await socket.receive_text())
    except WebSocketDisconnect:
        pass


APP = Starlette(
    routes=[
        Route("/{rest:path}", answer, methods=["GET", "HEAD", "POST", "PUT", "OPTIONS"]),
        WebSocketRoute("/{rest:path}", echo),
    ]
)


def ask(method: str, path: str, guard: RequestGuard | None = None, home: str = HOME, **more) -> httpx.Response:
    """Make one request through the guard. A path goes out as it stands, dots included."""

    async def go() -> httpx.Response:
        transport = httpx.ASGITransport(app=raw_path(guard or RequestGuard(APP), path))
        async with httpx.AsyncClient(transport=transport, base_url=home) as client:
            return await client.request(method, "/", **more)

    return asyncio.run(go())


def raw_path(app, path: str):
    """Put the path into the scope as a server would hand it on; an HTTP client would tidy it up first."""

    async def app_with_path(scope, receive, send):
        path_only, _, query = path.partition("?")
        await app({**scope, "path": path_only, "query_string": query.encode()}, receive, send)

    return app_with_path


def talk(path: str, said=(), guard: RequestGuard | None = None, denial: bool = True, **headers: str) -> list[dict]:
    """Open a socket through the guard, say something, and give everything the guard sent."""
    sent: list[dict] = []
    waiting = [{"type": "websocket.connect"}, *({"type": "websocket.receive", "text": text} for text in said)]

    async def receive():
        return waiting.pop(0) if waiting else {"type": "websocket.disconnect", "code": 1000}

    async def send(message):
        sent.append(message)

    names = {"host": "127.0.0.1:7860", **headers}
    scope = {
        "type": "websocket",
        "path": path,
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in names.items()],
        "subprotocols": [],
        "extensions": {"websocket.http.response": {}} if denial else {},
    }
    asyncio.run((guard or RequestGuard(APP))(scope, receive, send))
    return sent


def closed(sent: list[dict]) -> bool:
    """Say whether a socket was closed before it opened, which a server answers with 403."""
    return [message["type"] for message in sent] == ["websocket.close"]


def test_known_paths_are_let_in():
    for path in (
        "/",
        "/table",
        "/watch",
        "/healthz",
        "/s/abc",
        "/w/abc",
        "/p/abc",
        "/api/lobby",
        "/web/table/table.js",
    ):
        assert ask("GET", path).status_code == 200, path
        assert ask("HEAD", path).status_code == 200, path
    assert ask("POST", "/api/move", content=b"12345").text == "5"


@pytest.mark.parametrize("path", CLOSED)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_everything_else_is_not_found(method, path):
    assert ask(method, path).status_code == 404
    assert talk(path)[0]["status"] == 404


def test_a_known_path_by_another_method():
    for method, path in (
        ("POST", "/"),
        ("POST", "/s/abc"),
        ("PUT", "/api/move"),
        ("DELETE", "/api/x"),
        ("OPTIONS", "/"),
    ):
        assert ask(method, path).status_code == 405, (method, path)
    assert ask("GET", "/ws/seat").status_code == 404
    assert talk("/api/lobby")[0]["status"] == 404


@pytest.mark.parametrize("path", ["/", "/api/move", "/ws/seat", "/assets/x.js", "/healthz", *CLOSED])
@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://127.0.0.1:8888",  # another program on this machine
        "http://127.0.0.1",
        "http://localhost:7860",  # the same server, but not as the browser addressed it
        "http://127.0.0.1:7860.evil.example",
        "http://evil.example@127.0.0.1:7860",
        "null",
        "",
        "file://",
        "chrome-extension://abc",
        "http://[",
        "http://127.0.0.1:x",
    ],
)
def test_a_foreign_origin_is_forbidden_everywhere(origin, path):
    for method in ("GET", "POST", "OPTIONS"):
        assert ask(method, path, headers={"origin": origin}).status_code == 403
    assert closed(talk(path, origin=origin))


def test_a_foreign_origin_beside_our_own_is_forbidden():
    headers = [("origin", HOME), ("origin", "https://evil.example")]
    assert ask("GET", "/", headers=headers).status_code == 403


def test_a_socket_is_refused_also_where_the_server_cannot_send_a_status():
    assert closed(talk("/nowhere", denial=False))
    assert closed(talk("/ws/seat", denial=False, host="evil.example"))


def test_our_own_origin_is_welcome():
    for home in (HOME, "http://localhost:7860", "http://[::1]:7860", "http://localhost"):
        assert ask("POST", "/api/move", home=home, headers={"origin": home}).status_code == 200, home
    assert ask("GET", "/", headers={"origin": HOME.upper()}).status_code == 200
    assert ask("GET", "/", headers={"origin": "http://localhost:80", "host": "localhost"}).status_code == 200
    assert ask("GET", "/", headers={"origin": "http://localhost", "host": "localhost:80"}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:7860", "127.0.0.1.evil.example", "", "192.168.1.7:7860", "localhost:x", "[::1", "@"],
)
def test_another_host_is_misdirected(host):
    assert ask("GET", "/", headers={"host": host}).status_code == 421
    assert talk("/ws/seat", host=host)[0]["status"] == 421
    # a page of that host, as in DNS rebinding, is foreign whatever it calls itself
    assert ask("POST", "/api/move", headers={"host": host, "origin": f"http://{host}"}).status_code == 403


def test_two_hosts_are_none():
    assert ask("GET", "/", headers=[("host", "localhost"), ("host", "evil.example")]).status_code == 421


def test_hosts_come_from_the_address_bound_to_and_the_public_url():
    here = RequestGuard(APP, host_names=list_allowed_hosts("10.0.0.5", "https://Play.example:8443/x"))
    for host in ("10.0.0.5:7860", "play.example:8443", "PLAY.EXAMPLE.", "localhost:1"):
        assert ask("GET", "/", here, headers={"host": host}).status_code == 200, host
    for host in ("10.0.0.6", "evil.example"):
        assert ask("GET", "/", here, headers={"host": host}).status_code == 421, host


def test_bound_to_all_interfaces_any_address_will_do_but_not_any_name():
    everywhere = RequestGuard(APP, host_names=list_allowed_hosts("0.0.0.0"))
    assert ANY_ADDRESS in list_allowed_hosts("::")
    for host in ("192.168.1.7:7860", "[fe80::1]:7860"):
        assert ask("GET", "/", everywhere, headers={"host": host}).status_code == 200, host
    assert ask("GET", "/", everywhere, headers={"host": "evil.example"}).status_code == 421


def test_the_public_origin_is_ours_behind_a_proxy_that_hides_the_host():
    url = "https://play.example"
    guard = RequestGuard(APP, host_names=list_allowed_hosts(public_url=url), origins=list_allowed_origins(url))
    assert ask("POST", "/api/move", guard, headers={"origin": url}).status_code == 200
    assert ask("POST", "/api/move", guard, headers={"origin": url, "host": "play.example"}).status_code == 200
    assert ask("POST", "/api/move", guard, headers={"origin": "https://play.example:444"}).status_code == 403


def test_a_body_over_the_limit_is_refused_when_declared():
    assert ask("POST", "/api/move", content=b"x" * MAX_BODY_BYTES).text == str(MAX_BODY_BYTES)
    assert ask("POST", "/api/move", content=b"x" * (MAX_BODY_BYTES + 1)).status_code == 413
    for length in ("-1", "x", "", "1e9", "٣"):
        sent = [(b"host", b"localhost"), (b"content-length", length.encode())]
        assert ask("POST", "/api/move", headers=sent).status_code == 400, length
    assert ask("POST", "/api/move", headers={"content-length": "9" * 5000}).status_code == 413


def test_a_body_over_the_limit_is_refused_in_chunks():
    async def chunks(count: int) -> AsyncIterator[bytes]:
        for _ in range(count):
            yield b"x" * 100_000

    assert ask("POST", "/api/move", content=chunks(20)).text == str(MAX_BODY_BYTES)
    refused = ask("POST", "/api/move", content=chunks(21))
    assert refused.status_code == 413
    assert refused.headers["x-content-type-options"] == "nosniff"
    assert ask("POST", "/api/move", content=chunks(500)).status_code == 413


def test_a_long_body_that_lies_about_its_length_is_refused():
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(30):
            yield b"x" * 100_000

    assert ask("POST", "/api/move", content=chunks(), headers={"content-length": "5"}).status_code == 413


def test_an_app_that_answered_before_the_body_ended_is_left_at_its_answer():
    async def hasty(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.body", "body": b"late"})

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(30):
            yield b"x" * 100_000

    with pytest.raises(AssertionError):  # httpx: the response was never completed, so nobody takes it for whole
        ask("POST", "/api/move", RequestGuard(hasty), content=chunks())


def test_an_error_of_the_app_is_not_swallowed():
    async def broken(scope, receive, send):
        raise LookupError("as it is")

    with pytest.raises(LookupError, match="as it is"):
        ask("GET", "/", RequestGuard(broken))


def test_a_socket_speaks_and_its_message_over_the_limit_ends_it():
    accepted, *rest = talk("/ws/seat", ["a", "b"], origin=HOME)
    assert accepted["type"] == "websocket.accept"
    assert [m.get("text") for m in rest] == ["a", "b"]
    _, *rest = talk("/ws/seat", ["a", "x" * (MAX_BODY_BYTES + 1), "b"])
    assert [(m["type"], m.get("text") or m.get("code")) for m in rest] == [
        ("websocket.send", "a"),
        ("websocket.close", 1009),
    ]


def test_every_answer_carries_the_security_headers():
    answers = [
        ask("GET", "/"),
        ask("GET", "/assets/x.js"),
        ask("GET", "/nowhere"),
        ask("GET", "/", headers={"origin": "https://evil.example"}),
        ask("GET", "/api/x?status=500"),
    ]
    for got in answers:
        for name, value in SECURITY_HEADERS:
            assert got.headers.get_list(name.decode()) == [value.decode()]
    policy = answers[0].headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert not re.search(r"https?:|\*", policy)


@pytest.mark.parametrize("path", ["/", "/table", "/watch", "/api/lobby", "/s/abc", "/w/abc", "/p/abc", "/healthz"])
def test_what_is_one_visitors_carries_nothing_to_compare(path):
    got = ask("GET", path).headers
    assert got.get_list("cache-control")[0].startswith("private")
    assert "etag" not in got
    assert "last-modified" not in got


def test_caching_by_door():
    assert "immutable" in ask("GET", "/assets/x.js").headers["cache-control"]
    assert "immutable" not in ask("GET", "/assets/x.js?status=404").headers["cache-control"]
    own = ask("GET", "/web/table/table.js").headers
    assert (own["cache-control"], own["etag"]) == ("no-cache", '"x"')
    assert "no-store" in ask("GET", "/p/abc?status=404").headers["cache-control"]


def test_paths_are_data():
    guard = RequestGuard(APP, allowed_routes=(*ALLOWED_ROUTES, AllowedRoute("/atlas"), AllowedRoute("/study/*")))
    assert ask("GET", "/atlas", guard).status_code == 200
    assert ask("GET", "/study/1", guard).status_code == 200
    assert ask("GET", "/atlas").status_code == 404


def test_a_refusal_of_head_has_no_body():
    assert ask("HEAD", "/nowhere").content == b""
    assert ask("GET", "/nowhere").text == "no such page\n"
