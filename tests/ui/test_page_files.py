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

from ui.server.assets import MAX_CACHED_PAGES, AssetCache, StaticFileStore
from ui.server.bundles import BadModule, find_shared_modules, list_page_modules, make_bundles
from ui.server.guard import IMMUTABLE_CACHING, RequestGuard

STATIC = Path(__file__).resolve().parents[2] / "ui" / "static"
SCRIPT = "// a comment that compresses well, a comment that compresses well\n" * 40


@pytest.fixture(scope="module")
def url(module_server):
    return module_server().url


def page_files(url: str, page: str = "/") -> list[str]:
    """Return the addresses of our script and our style sheet that a page names."""
    return re.findall(r'rel="(?:modulepreload|stylesheet)" href="(/web/[^"]+)"', httpx.get(url + page).text)


def import_map(url: str, page: str = "/") -> dict[str, str]:
    found = re.search(r'<script type="importmap">(.*?)</script>', httpx.get(url + page).text)
    assert found
    imports: dict[str, str] = json.loads(found[1])["imports"]
    return imports


def test_a_page_has_one_script_and_one_style_sheet_and_both_are_kept_for_good(url):
    for page, name in (("/", "lobby"), ("/table", "table"), ("/results", "results"), ("/profile", "profile")):
        script, style = page_files(url, page)
        assert (script.split("/", 4)[4], style.split("/", 4)[4]) == (f"pages/{name}.js", f"pages/{name}.css")
        imports = import_map(url, page)
        assert imports[f"/web/{name}/{name}.js"] == imports["/web/core/dom.js"] == script
        assert imports["/web/"] == script.removesuffix(f"pages/{name}.js")
        for address, kind in ((script, "text/javascript"), (style, "text/css")):
            response = httpx.get(url + address, headers={"accept-encoding": "br"})
            assert response.headers["cache-control"] == IMMUTABLE_CACHING
            assert response.headers["content-type"].startswith(kind)
        assert (STATIC / "core" / "core.css").read_bytes() in response.content


MODULES = {
    "core/start.js": b"import { el } from '/web/core/dom.js';\nexport async function start() {}\n",
    "core/dom.js": b"export const el = 1;\nexport function api() {}\n",
    "lobby/lobby.js": b"import {\n  el as make,\n} from '/web/core/dom.js';\nexport const mount = () => make;\n",
}


def test_modules_are_bundled_after_those_that_they_need():
    assert list_page_modules(MODULES, "lobby") == ["core/dom.js", "core/start.js", "lobby/lobby.js"]
    bundle = make_bundles(MODULES, ["lobby"])["pages/lobby.js"].decode()
    assert "import" not in bundle
    assert [line for line in bundle.splitlines() if line.startswith("export")] == [
        "export const { el, api } = module0;",
        "export const { start } = module1;",
        "export const { mount } = module2;",
    ]
    assert "el: make" in bundle


@pytest.mark.parametrize(
    ("module", "complaint"),
    [
        (b"export default 1;\n", "cannot be bundled"),
        (b"import * as all from '/web/core/dom.js';\n", "cannot be bundled"),
        (b"import { x } from '/web/core/none.js';\n", "no module /web/core/none.js"),
        (b"import { start } from '/web/core/start.js';\n", "imports itself"),
    ],
)
def test_a_module_that_cannot_be_bundled_is_named(module, complaint):
    dom = {"core/dom.js": module}
    with pytest.raises(BadModule, match=f"core/dom.js|start.js.*|{complaint}") as error:
        make_bundles(MODULES | dom, ["lobby"])
    assert complaint in str(error.value)


def test_modules_that_export_the_same_name_are_bundled_but_not_shared():
    fields = {
        "table/one.js": b"export const field = 1;\n",
        "lobby/lobby.js": b"import { field } from '/web/table/one.js';\nimport { field as b } from '/web/two.js';\n",
        "two.js": b"export const field = 2;\n",
    }
    files = MODULES | fields
    assert "field" not in "".join(
        re.findall("^export.*$", make_bundles(files, ["lobby"])["pages/lobby.js"].decode(), re.M)
    )
    assert not {"table/one.js", "two.js"} & find_shared_modules(files, list_page_modules(files, "lobby")).keys()


@pytest.mark.parametrize("encoding", ["br", "gzip"])
def test_files_are_sent_in_the_encoding_that_a_browser_accepts(url, encoding):
    module = page_files(url)[0]
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
    address = page_files(url)[0]
    whole = httpx.get(url + address, headers={"accept-encoding": "br"})
    head = httpx.head(url + address, headers={"accept-encoding": "br"})
    assert head.content == b""
    assert head.headers["content-length"] == whole.headers["content-length"]
    assert head.headers["etag"] == whole.headers["etag"]
    again = httpx.get(url + address, headers={"accept-encoding": "br", "if-none-match": whole.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["cache-control"] == IMMUTABLE_CACHING
    # an entity tag stands for one encoding
    other = httpx.get(url + address, headers={"accept-encoding": "gzip", "if-none-match": whole.headers["etag"]})
    assert other.status_code == 200
    ranged = httpx.get(url + address, headers={"range": "bytes=3-9", "accept-encoding": "br"})
    assert (ranged.status_code, ranged.content) == (200, whole.content)
    module = f"{url}{import_map(url)['/web/']}core/dom.js"
    content = (STATIC / "core" / "dom.js").read_bytes()
    part = httpx.get(module, headers={"range": "bytes=3-9", "accept-encoding": "br"})
    assert (part.status_code, part.content) == (206, content[3:10])
    assert part.headers["content-range"] == f"bytes 3-9/{len(content)}"
    assert httpx.get(module, headers={"range": "bytes=9999999-"}).status_code == 416


def test_a_page_of_an_earlier_version_is_led_to_the_present_file(url):
    prefix = import_map(url)["/web/"]
    response = httpx.get(f"{url}/web/v/0123456789abcdef/core/dom.js")
    assert (response.status_code, response.headers["location"]) == (307, f"{prefix}core/dom.js")
    assert response.headers["cache-control"] == "private, no-store"
    split = httpx.get(f"{url}/web/v/0123456789abcdef/a%0d%0aset-cookie: b")
    assert (split.status_code, split.headers["location"]) == (307, f"{prefix}a%0D%0Aset-cookie%3A%20b")
    assert httpx.get(f"{url}/web/v/0123456789abcdef/core/dom.js", follow_redirects=True).status_code == 200


def test_what_does_not_exist_below_a_version_is_not_there(url):
    prefix = page_files(url)[0].removesuffix("pages/lobby.js")
    for name in ("nothing.js", "", "%2e%2e/app.py", "core"):
        response = httpx.get(f"{url}{prefix}{name}")
        assert response.status_code == 404, name
        assert "immutable" not in response.headers["cache-control"]


def test_the_address_changes_with_the_content(tmp_path):
    script = tmp_path / "core" / "start.js"
    script.parent.mkdir()
    script.write_text(SCRIPT)
    first = StaticFileStore({"": tmp_path})
    assert StaticFileStore({"": tmp_path}).prefix == first.prefix
    script.write_text(SCRIPT + "const changed = true;")
    second = StaticFileStore({"": tmp_path})
    assert second.prefix != first.prefix
    assert StaticFileStore({"": tmp_path}, {"widgets.json": b"{}"}).prefix != second.prefix
    # what was read at the start is what the address names, whatever happens to the file
    before = first.load_file(f"{first.prefix}core/start.js")
    assert before
    assert before.body_by_encoding[""] == SCRIPT.encode()


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
    cache = AssetCache(app, StaticFileStore({"": tmp_path}), {"/": "lobby"})
    client = TestClient(RequestGuard(cache, host_names=("testserver", "other")))
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
    for number in range(2 * MAX_CACHED_PAGES):
        client.get("/", headers={"x-forwarded-host": f"host{number}"})
    assert len([key for key in cache._file_by_cache_key if key.origin]) == MAX_CACHED_PAGES


@pytest.mark.browser
def test_a_second_visit_asks_for_no_file_again(url, new_page):
    def our_files() -> list[Any]:
        page.get_by_role("button", name=re.compile("^Play")).first.wait_for()
        # a picture of a tile that is still on its way when the page is loaded again is not in the cache yet
        page.wait_for_load_state("networkidle")
        page.wait_for_function("Array.from(document.images).every((image) => image.complete)")
        entries = json.loads(page.evaluate("JSON.stringify(performance.getEntriesByType('resource'))"))
        return [entry for entry in entries if entry["name"].startswith(f"{url}/web/")]

    page = new_page(url)
    page.goto(url)
    addresses = [entry["name"] for entry in our_files()]
    assert addresses
    assert all(address.startswith(f"{url}/web/v/") for address in addresses), addresses
    page.reload()
    assert not [entry["name"] for entry in our_files() if entry["transferSize"]]
