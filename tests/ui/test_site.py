"""The documentation site, built anew: it builds without a warning, asks no other host for anything, can be searched.

`make docs` installs MkDocs; without it there is nothing to test here. CI installs it.
"""

import functools
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytest.importorskip("mkdocs", reason="`make docs` installs MkDocs")
pytest.importorskip("mkdocstrings_handlers.python", reason="`make docs` installs mkdocstrings")
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line per request."""

    def log_message(self, *_: object) -> None:
        """Write nothing."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def site(built: Path) -> Iterator[str]:
    """The address of the site."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(built))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_every_page_is_whole_and_asks_no_other_host(built, site, new_page):
    page = new_page()
    failed = []
    page.on("response", lambda response: failed.append(response.url) if response.status >= 400 else None)
    pages = sorted(str(file.relative_to(built)) for file in built.rglob("*.html") if file.name != "404.html")
    assert {"index.html", "commands.html", "games/matchit.html", "changelog.html"} <= set(pages)
    for name in pages:
        page.goto(f"{site}/{name}", wait_until="load")
        expect(page.locator("article h1").first).to_be_visible()
        broken = "images => images.filter(image => !image.complete || !image.naturalWidth).map(image => image.src)"
        assert not page.locator("article img").evaluate_all(broken), name
    assert not failed


def test_a_search_leads_first_to_the_page_that_explains_a_word(site, new_page):
    page = new_page(f"{site}/index.html")
    page.get_by_role("textbox", name="Search").click()
    expect(page.locator(".md-search-result__meta")).to_have_text("Type to start searching")  # the index is loaded
    page.get_by_role("textbox", name="Search").press_sequentially("clemscore")
    page.locator(".md-search-result__link").first.click()
    expect(page.locator("article h1")).to_contain_text("Read results")


def test_no_page_is_wider_than_a_phone(site, new_page):
    page = new_page(viewport={"width": 390, "height": 844})
    for name in ("index", "operating", "commands", "api-games", "architecture", "games/matchit"):
        page.goto(f"{site}/{name}.html")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
