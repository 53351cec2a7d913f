"""Forwarded headers: believed from trusted proxies only, and what the app behind sees of them."""

import asyncio
import ipaddress

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse

from tests.ui.guests import Guest
from ui.server.forwarded import PROXY_HEADERS, ForwardedHeaders

PUBLIC = "https://play.example"


async def describe(scope, receive, send) -> None:
    """Answer with what the app sees of a request."""
    request = Request(scope)
    body = {
        "client": scope["client"][0],
        "scheme": scope["scheme"],
        "host": request.headers["host"],
        "address": scope["state"]["address"],
        "is_proxied": scope["state"]["is_proxied"],
        "proxy_headers": sorted(PROXY_HEADERS & set(request.headers)),
    }
    await JSONResponse(body)(scope, receive, send)


def see(headers: dict, peer: str = "10.0.0.9", proxies=("10.0.0.0/8", "fd00::/8"), public_url=None) -> dict | int:
    """Return what the app sees of a request from a peer, or the status of the refusal."""
    networks = [ipaddress.ip_network(proxy) for proxy in proxies]

    async def go() -> httpx.Response:
        app = ForwardedHeaders(describe, proxy_networks=networks, public_url=public_url)
        transport = httpx.ASGITransport(app, client=(peer, 1234))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:7860") as client:
            return await client.get("/", headers=headers)

    answer = asyncio.run(go())
    return answer.json() if answer.status_code == 200 else answer.status_code


def test_a_trusted_proxy_names_visitor_and_scheme():
    seen = see({"x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https"})
    assert (seen["client"], seen["address"], seen["scheme"]) == ("203.0.113.7", "203.0.113.7", "https")
    assert seen["is_proxied"] and not seen["proxy_headers"]


def test_nobody_else_does():
    claims = {"x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https", "x-forwarded-host": "evil.example"}
    seen = see(claims, peer="198.51.100.1")
    assert (seen["client"], seen["address"], seen["scheme"]) == ("198.51.100.1", "198.51.100.1", "http")
    assert seen["host"] == "127.0.0.1:7860" and not seen["proxy_headers"]


def test_what_a_visitor_wrote_before_the_proxy_is_not_believed():
    assert see({"x-forwarded-for": "1.1.1.1, junk, 203.0.113.7, 10.0.0.3"})["address"] == "203.0.113.7"
    assert see({"x-forwarded-for": "203.0.113.7, junk"}) == 400


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ("203.0.113.7:4711", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"),
        ("unknown", None),
        ("10.0.0.1, 10.0.0.2", None),
        ("", None),
    ],
)
def test_an_address_counts_as_its_network(value, key):
    assert see({"x-forwarded-for": value} if value else {})["address"] == key


def test_a_forwarded_host_is_believed_only_with_a_public_url():
    assert see({"x-forwarded-host": "play.example"})["host"] == "127.0.0.1:7860"
    seen = see({"x-forwarded-host": "play.example"}, public_url=PUBLIC)
    assert (seen["host"], seen["scheme"]) == ("play.example", "https")  # the public URL says which scheme it is
    assert see({"x-forwarded-host": "[::"}) == see({"x-forwarded-host": "[::"}, peer="198.51.100.1") == 400


def test_an_undeclared_proxy_gives_nobody_an_address():
    """Otherwise all visitors would share the limits of the proxy's address."""
    assert see({}, peer="127.0.0.1", proxies=(), public_url=PUBLIC)["address"] is None
    assert see({}, peer="127.0.0.1", proxies=())["address"] == "127.0.0.1"


def test_pages_behind_a_trusted_proxy_do_not_have_the_inner_address(server):
    house = server(None, None, "--public-url", PUBLIC, "--trusted-proxy", "127.0.0.1")
    headers = {"x-forwarded-host": "play.example", "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.7"}
    page = httpx.get(house.url, headers=headers)
    assert page.status_code == 200 and "<title>Ludens" in page.text and f"127.0.0.1:{house.port}" not in page.text
    assert httpx.get(house.url, headers={**headers, "x-forwarded-host": "evil.example"}).status_code == 421
    with Guest(house.url) as guest:
        guest.http.headers.update(headers)
        guest.http.headers["origin"] = PUBLIC
        assert guest.open()["go"].startswith("/s/")


def test_a_network_that_is_none_is_a_usage_error(tmp_path):
    import subprocess

    from tests.conftest import LUDENS

    wrong = subprocess.run([LUDENS, "serve", "--trusted-proxy", "10.0.0.300"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "trusted_proxy" in wrong.stderr and "Traceback" not in wrong.stderr
