"""The servers that tests of players ask."""

from contextlib import ExitStack

import pytest

from tests.katan import Katan
from tests.players.fake_server import FakeServer


@pytest.fixture(scope="session")
def katans(tmp_path_factory):
    """One that knows its key, one that has had enough after one request, one that takes its time."""
    options = {
        "plain": ("--validate-keys", "--api-keys", "openai=sk-right,anthropic=sk-right"),
        "limited": ("--rate-limit-after", "1"),
        "slow": ("--latency-ms", "2000"),
    }
    started = {name: Katan(tmp_path_factory.mktemp(name), *more) for name, more in options.items()}
    with ExitStack() as stack:
        yield {name: stack.enter_context(katan) for name, katan in started.items()}


@pytest.fixture
def fake_server():
    """A server that says what it is told."""
    with FakeServer() as server:
        yield server


@pytest.fixture
def right_key(monkeypatch):
    """The key that katan takes."""
    monkeypatch.setenv("LAB_KEY", "sk-right")
