"""Replies of models that spectators see as they are written, and nobody else: not the player, not the log."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from engine.core.events import Kind
from engine.storage.store import Store
from tests.conftest import Server
from tests.ui.guests import Guest
from tests.ui.model_server import ModelServer
from tests.ui.recording_proxy import RecordingProxy
from tests.ui.test_models import ROSTER, VERSUS

Json = dict[str, Any]


@pytest.fixture(scope="module")
def running() -> Iterator[ModelServer]:
    with ModelServer() as machine:
        yield machine


@pytest.fixture
def machine(running: ModelServer) -> Iterator[ModelServer]:
    """A model that writes the next word whenever a test lets it."""
    running.steps, running.requests = threading.Semaphore(0), []
    yield running
    running.steps.release(1000)


@pytest.fixture(scope="module")
def house(module_server: Callable[..., Server], running: ModelServer, tmp_path_factory: Any) -> Server:
    path = tmp_path_factory.mktemp("roster") / "players.toml"
    path.write_text(ROSTER.format(url=running.url))
    return module_server(None, None, "--players", str(path))


def partials(state: Json) -> list[str]:
    """What spectators see of unfinished replies."""
    return [part["text"] for ask in state["open"] for part in ask.get("partial", ())]


# ---------------------------------------------------------------------- at the server
def test_a_spectator_reads_along_and_neither_the_player_nor_the_log_has_any_of_it(house, machine):
    with Guest(house.url) as player, Guest(house.url) as spectator:
        table = player.open(VERSUS, variant="text")
        machine.await_request()  # its description, which nobody watches
        spectator.http.get(table["spectators"])
        with player.seat(player.take(table["go"])) as seat, spectator.watch(table["episode"]) as view:
            seat.reply("A ring")
            seen = []
            for words in ("reply", "reply 2", "reply 2 of"):
                machine.steps.release(1 if seen else 2)  # the first word is the tag, which readers are not shown
                view.until(lambda state, words=words: [text.strip() for text in partials(state)] == [words])
                seen += partials(view.state)
            assert not any("reply 2" in str(line.get("text")) for line in view.state["lines"])
            with pytest.raises(TimeoutError):
                while True:  # whatever has come to the seat meanwhile
                    seat.receive(0.5)
            assert "reply 2" not in str(seat.messages)
            with Store(house.db) as store:
                assert "reply 2" not in str(store.events(table["episode"]))
            machine.steps.release(100)
            seat.until(lambda state: any(line["text"] == "reply 2 of the model" for line in state["lines"]))
            view.until(lambda state: any(line["text"] == "reply 2 of the model" for line in state["lines"]))
            view.until(lambda state: not partials(state))
            assert "partial" not in str(seat.messages)
    with Store(house.db) as store:
        log = store.events(table["episode"])
    [reply] = [event for event in log if event.kind is Kind.REPLY and event.seat == "B"][1:2]
    assert reply.data["text"].endswith(": reply 2 of the model") and reply.data["meta"]["tokens_out"] == 34
    assert "stream" not in reply.data["meta"]["sent"] and machine.requests[1]["stream"] is True


def test_nothing_is_streamed_while_nobody_watches(house, machine):
    with Guest(house.url) as player:
        table = player.open(VERSUS, variant="text")
        with player.seat(player.take(table["go"])) as seat:
            seat.reply("A ring")
            seat.wait_for_ask(after=1)
    assert machine.requests and not any("stream" in request for request in machine.requests)


# ---------------------------------------------------------------------- in the browser
@pytest.mark.browser
def test_text_grows_on_the_page_of_a_spectator_and_never_reaches_that_of_the_player(
    house, machine, new_page, player_at
):
    with RecordingProxy(house.port) as proxy:
        page, spectator = new_page(proxy.url), new_page(house.url)
        body = {"game": "matchit", "variant": "text", "seats": VERSUS}
        table = page.request.post(f"{proxy.url}/api/tables", data=body).json()
        machine.await_request()
        spectator.goto(house.url + table["spectators"])
        page.goto(proxy.url + table["go"])
        player_at(page).reply("A ring")
        writing = spectator.locator(".writing")
        for number, words in enumerate(("reply", "reply 2", "reply 2 of")):
            machine.steps.release(1 if number else 2)
            expect(writing.get_by_text(words, exact=True)).to_be_visible()
        expect(spectator.get_by_text("is writing")).to_be_visible()
        expect(page.get_by_text("Your partner is thinking")).to_be_visible()
        page.context.close()
    received = b"".join(answer.body for answer in proxy.answers())
    assert b"A ring" in received and b"reply 2" not in received and b'"partial"' not in received
    machine.steps.release(100)
    expect(spectator.get_by_text("reply 1 of the model", exact=True)).to_be_visible()
    expect(writing.locator("li")).to_have_count(0)
