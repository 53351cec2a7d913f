"""What every test may lean on: a scrubbed environment, a free port, a real server, a real browser.

A server is `ludens serve` in its own process, so it can be killed the hard way and started again on the same database.
A person is a browser context of its own. A page that raises, loads a missing file, breaks the content policy or calls
an outside host fails the test that opened it, unless that test named the complaint beforehand.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import ThreadingHTTPServer
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import hypothesis
import pytest

from tests.serving import LUDENS as INSTALLED
from tests.serving import start_serving

if TYPE_CHECKING:  # the fast lane has no Playwright
    from playwright.sync_api import Browser, ConsoleMessage, Page

ROOT = Path(__file__).resolve().parent.parent
ARTEFACTS = ROOT / "test-artefacts"
LUDENS = INSTALLED
START_LIMIT = 120  # seconds; a start takes 5, on a loaded machine several times that

# Nothing of the developer's own settings, keys or network reaches a test. Done at import, before anything reads it.
for _name in list(os.environ):
    if re.match(r"(LUDENS|OPENAI|ANTHROPIC|HF|GRADIO|RAY)_|.*_API_KEY$|(https?|all|no)_proxy$", _name, re.IGNORECASE):
        del os.environ[_name]
os.environ |= {"GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1", "PYTHONUTF8": "1"}
# Loopback needs no certificates, and every client of httpx reads all of the system's: 28 ms of processor time each.
os.environ.pop("SSL_CERT_FILE", None)
os.environ["SSL_CERT_DIR"] = os.devnull

# What a shell starts in the background ignores Ctrl-C and hands that down; tests interrupt commands.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

hypothesis.settings.register_profile("ludens", deadline=None, derandomize=True)  # no clock decides, no luck either
hypothesis.settings.load_profile("ludens")
hypothesis.configuration.set_hypothesis_home_dir(ROOT / ".venv" / ".hypothesis")


LONG_FIRST = ("tests", "ui", "cli", "players", "engine", "games")
"""Folders in the order in which their files are handed to processes: a run must not end with one long file."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files with long tests first; within a folder the order stays."""
    place = {name: number for number, name in enumerate(LONG_FIRST)}
    items.sort(key=lambda item: place.get(item.path.parent.name, len(place)))


def pick_port() -> int:
    """Name a port that nothing listens on."""
    with closing(socket.socket()) as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@pytest.fixture
def free_port() -> int:
    """A port that nothing listens on."""
    return pick_port()


class HttpServer(ThreadingHTTPServer):
    """An HTTP server for a test that plays a model's server, a thread for each connection."""

    request_queue_size = 128
    """Connections that wait to be accepted. Of more than Python's five, some are reset on a busy machine."""


class Server:
    """One `ludens serve`: start it, kill it, start it again on the same port and database."""

    def __init__(self, folder: Path, db: Path | None = None, port: int | None = None, options: tuple[str, ...] = ()):
        self.folder, self.options = folder, options
        self.port = port or pick_port()
        self.db = db or folder / "ludens.db"
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / f"server-{self.port}.log"
        self.process: BaseProcess | None = None

    def start(self) -> Server:
        """Start and wait until it answers /healthz."""
        assert self.process is None, "already running"
        temp = self.folder / "gradio"
        temp.mkdir(exist_ok=True)
        options = ["--port", str(self.port), "--db", str(self.db), *self.options]
        environment = os.environ | {"GRADIO_TEMP_DIR": str(temp)}
        is_other = LUDENS != INSTALLED or "PYTHONPATH" in environment
        self.process = start_serving(options, self.folder, self.log, environment, LUDENS if is_other else None)
        until = time.monotonic() + START_LIMIT
        while time.monotonic() < until:
            assert self.process.is_alive(), f"the server ended with {self.process.exitcode}:\n{self.output()}"
            try:
                if httpx.get(f"{self.url}/healthz", timeout=5).status_code == 200:
                    return self
            except httpx.TransportError:
                time.sleep(0.05)
        raise TimeoutError(f"no /healthz within {START_LIMIT} s:\n{self.output()}")

    def kill(self) -> None:
        """End it as a crash would: no handler runs, nothing is flushed."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it as a person would, and insist that it ends."""
        self._end(signal.SIGTERM)

    def restart(self) -> Server:
        """Kill it the hard way and start it again."""
        self.kill()
        return self.start()

    def output(self) -> str:
        """Return what it has printed so far."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def _end(self, how: signal.Signals) -> None:
        process, self.process = self.process, None
        if process is None:
            return
        assert process.pid
        if process.is_alive():
            os.kill(process.pid, how)
        process.join(30)
        if process.is_alive():
            process.kill()
            process.join()
            raise AssertionError(f"the server did not end on {how.name}:\n{self.output()}")


def _servers(folder: Callable[[], Path]) -> Iterator[Callable[..., Server]]:
    servers: list[Server] = []

    def make(db: Path | None = None, port: int | None = None, *options: str) -> Server:
        server = Server(folder(), db, port, options)
        servers.append(server)
        return server.start()

    yield make
    for server in servers:
        print(f"--- {server.url} said:\n{server.output()}")  # shown by pytest beside a failure only
        server.stop()


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Server]]:
    """Make servers: server(), server(db, port, "--option", ...). Each with its own folder; all end with the test."""
    yield from _servers(lambda: tmp_path_factory.mktemp("server"))


@pytest.fixture(scope="module")
def module_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Server]]:
    """The same for tests of one file that can share a server."""
    yield from _servers(lambda: tmp_path_factory.mktemp("server"))


# For every person's window the full Chromium loads two pages of its own, the lists below its address bar, which took
# more of the processor than our pages do. The last list of unwanted features holds: the others are Playwright's own.
UNWANTED = """
    WebUIOmniboxPopup WebUIOmniboxAimPopup
    AimEnabled AvoidCorsURLLoaderRestartOnRedirect AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose
    HttpsFirstBalancedModeAutoEnable HttpsUpgrades LensOverlay MediaRouter NetworkTimeServiceQuerying OptimizationHints
    PaintHolding PreconnectToSearch TcpPortRandomizationWin ThirdPartyStoragePartitioning
""".split()


# One file of tests, one Chromium. Not one a session: while Playwright runs, its event loop counts as running in this
# thread, and every asyncio.run of a later test would be refused.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A headless Chromium of the system (or the one CHROMIUM names).

    The headless shell is the same engine without windows: test_gallery takes 40 s of processor time instead of 55.
    """
    path = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    assert path, "the browser tests need Chromium: `make setup` says how to get it"
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-sync",
                "--disable-background-networking",
                "--disable-component-update",
                f"--disable-features={','.join(UNWANTED)}",
            ],
        )
        yield browser
        browser.close()


COMPLAINTS = re.compile(r"Content Security Policy|status of [45]\d\d|Mixed Content|Refused to ", re.IGNORECASE)
INSIDE = re.compile(r"(https?|wss?)://(127\.0\.0\.1|localhost|\[::1\])[:/]|(data|blob|about):")


class People:
    """Opens pages, one browser context a person, and remembers what their pages complained about."""

    def __init__(self, browser: Browser):
        self.browser = browser
        self.pages: list[Page] = []
        self.complaints: list[str] = []
        self.allowed: list[str] = []

    def __call__(self, url: str | None = None, *, beside: Page | None = None, **options: Any) -> Page:
        """Open a page for a new person, or another tab `beside` a page, and go to the url when one is given."""
        context = beside.context if beside else self.browser.new_context(**options)
        page = context.new_page()
        self.pages.append(page)
        page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        page.on("console", self._console)
        page.on("request", lambda r: INSIDE.match(r.url) or self.complaints.append(f"outside request: {r.url}"))
        if url:
            page.goto(url)
        return page

    def allow(self, *patterns: str) -> None:
        """Name complaints that this test brings about on purpose (regular expressions)."""
        self.allowed += patterns

    def unexpected(self) -> list[str]:
        """The complaints nobody named."""
        return [c for c in self.complaints if not any(re.search(p, c) for p in self.allowed)]

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and COMPLAINTS.search(message.text):
            self.complaints.append(f"console: {message.text} ({message.location.get('url')})")


@pytest.fixture
def new_page(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[People]:
    """Open pages: new_page(url), new_page(url, viewport={...}), new_page(url, beside=page), new_page.allow("404")."""
    people = People(chromium)
    yield people
    if request.node.stash.get(FAILED, False):
        ARTEFACTS.mkdir(exist_ok=True)
        name = re.sub(r"\W+", "-", request.node.name)
        for number, page in enumerate(people.pages):
            if not page.is_closed():
                page.screenshot(path=ARTEFACTS / f"{name}-{number}.png", full_page=True)
    for context in {id(p.context): p.context for p in people.pages}.values():
        context.close()
    assert not people.unexpected(), people.unexpected()


FAILED: pytest.StashKey[bool] = pytest.StashKey()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[Any]:
    """Tell the fixtures whether the test they served failed."""
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report
