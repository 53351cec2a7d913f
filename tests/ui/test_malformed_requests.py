"""Requests that no browser sends: each is refused with a status and a line, none with a traceback."""

import json
import socket

import httpx
import pytest

from tests.ui.guests import Guest

LONE_SURROGATE = "\ud800"
POSTS = {
    "/api/move": {"seat": LONE_SURROGATE, "ask": 1, "move": "m" * 10, "values": {}},
    "/api/draft": {"seat": LONE_SURROGATE, "ask": 1, "values": {}},
    "/api/leave": {"seat": LONE_SURROGATE},
    "/api/end": {"seat": LONE_SURROGATE},
    "/api/retry": {"episode": LONE_SURROGATE},
    "/api/seat": {"seat": LONE_SURROGATE, "player": "random"},
    "/api/publish": {"seat": LONE_SURROGATE, "published": True},
    "/api/tables": {"game": "matchit", "seats": {"A": "person", "B": f"recorded/{LONE_SURROGATE}"}},
}


@pytest.fixture(scope="module")
def house(module_server):
    return module_server()


def status_line(port: int, *lines: bytes) -> bytes:
    """Send a request head as it is; return the first line of the answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(b"\r\n".join(lines) + b"\r\n\r\n")
        return connection.makefile("rb").readline().strip()


@pytest.mark.parametrize("path", POSTS)
def test_a_lone_surrogate_is_a_bad_request(house, path):
    with Guest(house.url) as guest:
        guest.http.get("/")
        body = json.dumps(POSTS[path])
        answer = guest.http.post(path, content=body, headers={"content-type": "application/json"})
        assert answer.status_code == 400 and "Unicode" in answer.json()["error"], answer.text
    assert "Traceback" not in house.output()


@pytest.mark.parametrize("depth", [300, 900, 990, 100_000])
def test_deeply_nested_json_is_refused(house, depth):
    with Guest(house.url) as guest:
        guest.http.get("/")
        body = '{"seat": "x", "settings": ' + "[" * depth + "]" * depth + "}"
        answer = guest.http.post("/api/tables", content=body, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 422), answer.text
    assert "Traceback" not in house.output()


def test_a_reply_keeps_a_lone_surrogate(house):
    """What a person writes is taken word for word; only names of things cannot hold one."""
    with Guest(house.url) as guest, guest.seat(guest.sit()) as seat:
        ask = seat.state["ask"]["id"]
        assert guest.move(seat.name, ask, {"text": f"a ring {LONE_SURROGATE}"}).status_code == 200


@pytest.mark.parametrize("target", [b"healthz", b"*", b"?x", b"table/..", b"a:b"])
def test_a_target_without_a_slash_is_a_bad_request(house, target):
    assert status_line(house.port, b"GET " + target + b" HTTP/1.1", b"Host: 127.0.0.1").split()[1] == b"400"
    upgrade = (b"Upgrade: websocket", b"Connection: Upgrade", b"Sec-WebSocket-Version: 13")
    key = b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
    line = status_line(house.port, b"GET " + target + b" HTTP/1.1", b"Host: 127.0.0.1", *upgrade, key)
    assert line.split()[1] == b"400"
    assert "Traceback" not in house.output()


@pytest.mark.parametrize("host", ["[::", "a b", "é", "localhost:x", "/", "evil.example/path", "a,[::", "@"])
@pytest.mark.parametrize("name", ["x-forwarded-host", "x-gradio-server", "forwarded"])
def test_a_malformed_forwarded_host_is_a_bad_request(house, name, host):
    answer = httpx.get(house.url, headers={name: host.encode()})
    assert answer.status_code == (400 if name == "x-forwarded-host" else 200)
    assert "Traceback" not in house.output()


@pytest.mark.parametrize("name", ["x-forwarded-host", "x-gradio-server", "x-forwarded-proto", "forwarded"])
def test_forwarded_headers_of_strangers_change_no_page(house, name):
    value = {"x-forwarded-proto": "https", "forwarded": "host=evil.example;proto=https"}.get(name, "evil.example")
    page = httpx.get(house.url, headers={name: value}).text
    assert "evil.example" not in page and f"https://127.0.0.1:{house.port}" not in page
