"""Files of pages: compressed once, kept by browsers for good, under addresses that change with their content."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import brotli
import httpx
import pytest
from starlette.testclient import TestClient

from ui.server.assets import MAX_PAGES, AssetCache, OwnFiles
from ui.server.guard import IMMUTABLE, Guard

STATIC = Path(__file__).resolve().parents[2] / "ui" / "static"
SCRIPT = "// a comment that compresses well, a comment that compresses well\n" * 40


@pytest.fixture(scope="module")
def url(module_server):
    return module_server().url


def page_modules(url: str, page: str = "/") -> list[str]:
    return re.findall(r'rel="modulepreload" href="([^"]+)"', httpx.get(url + page).text)


def test_a_page_names_every_module_it_needs_and_all_are_kept_for_good(url):
    modules = page_modules(url)
    names = {address.split("/", 4)[4] for address in modules}
    assert {"core/start.js", "lobby/lobby.js", "core/dom.js", "core/words.js"} <= names
    assert not [name for name in names if name.startswith(("table/", "results/"))]
    for address in modules:
        response = httpx.get(url + address, headers={"accept-encoding": "br"})
        assert response.headers["cache-control"] == IMMUTABLE
        assert response.headers["content-type"].startswith("text/javascript")
        assert response.content == (STATIC / address.split("/", 4)[4]).read_bytes()


@pytest.mark.parametrize("encoding", ["br", "gzip"])
def test_files_are_sent_in_the_encoding_that_a_browser_accepts(url, encoding):
    module = page_modules(url)[0]
    theme = re.search(r"/assets/index-[^\"]+\.css", httpx.get(url).text)
    assert theme
    for address in (module, theme[0], "/"):
        with httpx.stream("GET", url + address, headers={"accept-encoding": f"{encoding}, other;q=0.5"}) as response:
            body = b"".join(response.iter_raw())
        assert response.headers["content-encoding"] == encoding
        assert "accept-encoding" in response.headers["vary"].lower()
        plain = brotli.decompress(body) if encoding == "br" else gzip.decompress(body)
        uncompressed = httpx.get(url + address, headers={"accept-encoding": f"{encoding};q=0"})
        assert "content-encoding" not in uncompressed.headers
        assert uncompressed.content == plain
        assert len(plain) > len(body) == int(response.headers["content-length"])


def test_head_conditional_and_range_requests(url):
    address = page_modules(url)[0]
    whole = httpx.get(url + address, headers={"accept-encoding": "br"})
    head = httpx.head(url + address, headers={"accept-encoding": "br"})
    assert head.content == b""
    assert head.headers["content-length"] == whole.headers["content-length"]
    assert head.headers["etag"] == whole.headers["etag"]
    again = httpx.get(url + address, headers={"accept-encoding": "br", "if-none-match": whole.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["cache-control"] == IMMUTABLE
    # an entity tag stands for one encoding
    other = httpx.get(url + address, headers={"accept-encoding": "gzip", "if-none-match": whole.headers["etag"]})
    assert other.status_code == 200
    part = httpx.get(url + address, headers={"range": "bytes=3-9", "accept-encoding": "br"})
    assert (part.status_code, part.content) == (206, whole.content[3:10])
    assert part.headers["content-range"] == f"bytes 3-9/{len(whole.content)}"
    assert httpx.get(url + address, headers={"range": "bytes=9999999-"}).status_code == 416


def test_a_page_of_an_earlier_version_is_led_to_the_present_file(url):
    response = httpx.get(f"{url}/web/v/0123456789abcdef/core/dom.js")
    assert (response.status_code, response.headers["location"]) == (307, "/web/core/dom.js")
    assert response.headers["cache-control"] == "private, no-store"
    split = httpx.get(f"{url}/web/v/0123456789abcdef/a%0d%0aset-cookie: b")
    assert (split.status_code, split.headers["location"]) == (307, "/web/a%0D%0Aset-cookie%3A%20b")
    assert httpx.get(f"{url}/web/v/0123456789abcdef/core/dom.js", follow_redirects=True).status_code == 200


def test_what_does_not_exist_below_a_version_is_not_there(url):
    prefix = page_modules(url)[0].removesuffix("core/start.js")
    for name in ("nothing.js", "", "%2e%2e/app.py", "core"):
        response = httpx.get(f"{url}{prefix}{name}")
        assert response.status_code == 404, name
        assert "immutable" not in response.headers["cache-control"]


def test_the_address_changes_with_the_content(tmp_path):
    script = tmp_path / "core" / "start.js"
    script.parent.mkdir()
    script.write_text(SCRIPT)
    first = OwnFiles({"": tmp_path})
    assert OwnFiles({"": tmp_path}).prefix == first.prefix
    script.write_text(SCRIPT + "const changed = true;")
    second = OwnFiles({"": tmp_path})
    assert second.prefix != first.prefix
    assert OwnFiles({"": tmp_path}, {"widgets.json": b"{}"}).prefix != second.prefix
    # what was read at the start is what the address names, whatever happens to the file
    before = first.load(f"{first.prefix}core/start.js")
    assert before
    assert before.bodies[""] == SCRIPT.encode()


class CountingApp:
    """Answers everything with its own path, uncompressed, and counts the requests."""

    def __init__(self) -> None:
        self.requests: list[str] = []

    async def __call__(self, scope, receive, send) -> None:
        assert not [name for name, _ in scope["headers"] if name == b"accept-encoding"]
        self.requests.append(scope["path"])
        status = 404 if "missing" in scope["path"] else 200
        headers = [(b"content-type", b"text/html")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"<html><head>" + SCRIPT.encode(), "more_body": True})
        await send({"type": "http.response.body", "body": scope["path"].encode()})


def test_gradio_answers_once_for_each_file_and_for_each_host_of_a_page(tmp_path):
    app = CountingApp()
    cache = AssetCache(app, OwnFiles({"": tmp_path}), {"/": "lobby"})
    client = TestClient(Guard(cache, hosts=("testserver", "other")))
    for _ in range(3):
        for path in ("/assets/a.js", "/theme.css?v=1", "/?seat=1"):
            response = client.get(path, headers={"accept-encoding": "br", "cookie": "browser=mine"})
            assert response.status_code == 200
            assert response.headers["content-encoding"] == "br"
    assert sorted(app.requests) == ["/", "/assets/a.js", "/theme.css"]
    assert "importmap" in client.get("/").text
    client.get("/", headers={"host": "other"})
    assert app.requests.count("/") == 2
    for _ in range(2):
        assert client.get("/assets/missing.js").status_code == 404
    assert app.requests.count("/assets/missing.js") == 4  # nothing is kept of what is not there
    for number in range(2 * MAX_PAGES):
        client.get("/", headers={"x-forwarded-host": f"host{number}"})
    assert len([key for key in cache._cached if key.origin]) == MAX_PAGES


@pytest.mark.browser
def test_a_second_visit_asks_for_no_file_again(url, new_page):
    def our_files() -> list[Any]:
        page.get_by_role("button", name=re.compile("^Play")).first.wait_for()
        entries = json.loads(page.evaluate("JSON.stringify(performance.getEntriesByType('resource'))"))
        return [entry for entry in entries if entry["name"].startswith(f"{url}/web/")]

    page = new_page(url)
    page.goto(url)
    addresses = [entry["name"] for entry in our_files()]
    assert addresses
    assert all(address.startswith(f"{url}/web/v/") for address in addresses), addresses
    page.reload()
    assert not [entry["name"] for entry in our_files() if entry["transferSize"]]
