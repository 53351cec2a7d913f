"""Who goes first when the server is asked too much: players and the owner, before what newcomers look at."""

import asyncio
import contextlib
import json

import httpx
import pytest
from starlette.responses import PlainTextResponse

from ui.server.backpressure import OVERLOAD_LAG_SECONDS, Backpressure, RequestLimiter, _classify_request
from ui.server.traffic import ServerLoadMonitor


class Shed:
    """Counts what was refused."""

    def __init__(self):
        self.kinds = []

    def count_shed_request(self, kind):
        self.kinds.append(kind)


class House:
    """An app behind `Backpressure`; what newcomers look at waits until it is released."""

    def __init__(self, is_crowded=False, waiting=4000):
        self.load_monitor, self.shed, self.release, self.running, self.most = (
            ServerLoadMonitor(),
            Shed(),
            asyncio.Event(),
            0,
            0,
        )
        self.gated = Backpressure(
            self.answer,
            self.load_monitor,
            self.shed,
            is_owner=lambda browser: browser == "owner",
            is_crowded=lambda: is_crowded,
        )
        self.gated._visitor_limiter = RequestLimiter(8, waiting, 20)

    async def answer(self, scope, receive, send):
        if scope["state"]["browser"] == "newcomer" and scope["path"] == "/api/lobby":
            self.running += 1
            self.most = max(self.most, self.running)
            await self.release.wait()
            self.running -= 1
        await PlainTextResponse("here you are")(scope, receive, send)

    async def ask(self, path: str, browser: str, method: str = "GET", accept: str = "*/*") -> httpx.Response:
        async def app(scope, receive, send):
            await self.gated({**scope, "state": {"browser": browser}}, receive, send)

        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://a") as client:
            return await client.request(method, path, headers={"accept": accept})


def test_players_and_the_owner_pass_a_crowd_of_newcomers():
    async def go():
        house = House()
        house.load_monitor.record_move("player")
        crowd = [asyncio.create_task(house.ask("/api/lobby", "newcomer")) for _ in range(300)]
        while house.running < 8:
            await asyncio.sleep(0)
        for path, browser in (("/api/lobby", "player"), ("/api/lobby", "owner"), ("/api/move", "stranger")):
            assert (await house.ask(path, browser)).status_code == 200
        house.release.set()
        assert {answer.status_code for answer in await asyncio.gather(*crowd)} == {200}
        assert house.most == 8 and not house.shed.kinds

    asyncio.run(asyncio.wait_for(go(), 60))


def test_a_full_queue_says_when_to_come_again():
    async def go():
        house = House(waiting=10)
        crowd = [asyncio.create_task(house.ask("/api/lobby", "newcomer")) for _ in range(50)]
        while len(house.shed.kinds) < 32:
            await asyncio.sleep(0)
        house.release.set()
        answers = [answer for answer in await asyncio.gather(*crowd) if answer.status_code == 503]
        assert len(answers) == 32
        for answer in answers:
            assert int(answer.headers["retry-after"]) > 0 and "busy" in answer.json()["error"]
        assert (await house.ask("/api/lobby", "newcomer")).status_code == 200, "every turn was given back"

    asyncio.run(asyncio.wait_for(go(), 60))


@pytest.mark.parametrize("cause", ["lag", "connections"])
def test_an_overloaded_server_refuses_newcomers_what_costs_most(cause):
    async def go():
        house = House(is_crowded=cause == "connections")
        house.release.set()
        if cause == "lag":
            house.load_monitor.event_loop_lag_seconds = 2 * OVERLOAD_LAG_SECONDS
        house.load_monitor.record_move("player")
        for path, method in (("/api/results", "GET"), ("/api/episode?id=x", "GET"), ("/api/tables", "POST")):
            assert (await house.ask(path, "newcomer", method)).status_code == 503, path
            assert (await house.ask(path, "player", method)).status_code == 200, path
            assert (await house.ask(path, "owner", method)).status_code == 200, path
        for path in ("/", "/table", "/healthz", "/api/move", "/web/core/dom.js", "/s/token"):
            assert (await house.ask(path, "newcomer")).status_code == 200, path

    asyncio.run(go())


def test_a_newcomers_socket_is_refused_under_load():
    async def go():
        house, sent = House(is_crowded=True), []

        async def send(message):
            sent.append(message)

        scope = {"type": "websocket", "path": "/ws/lobby", "headers": [], "state": {"browser": None}}
        await house.gated({**scope, "extensions": {"websocket.http.response": {}}}, None, send)
        assert sent[0]["status"] == 503 and b"retry-after" in dict(sent[0]["headers"])
        assert json.loads(sent[1]["body"])["ok"] is False

    asyncio.run(go())


def test_a_person_reads_a_page():
    async def go():
        house = House(waiting=0)
        crowd = [asyncio.create_task(house.ask("/api/lobby", "newcomer")) for _ in range(8)]
        while house.running < 8:
            await asyncio.sleep(0)
        page = await house.ask("/", "newcomer", accept="text/html,application/xhtml+xml")
        assert page.status_code == 503 and page.headers["content-type"].startswith("text/html")
        assert "busy" in page.text and 'http-equiv="refresh"' in page.text
        house.release.set()
        await asyncio.gather(*crowd)

    asyncio.run(asyncio.wait_for(go(), 60))


def test_a_turn_that_takes_too_long_is_given_up():
    async def go():
        gate = RequestLimiter(max_running_requests=1, max_waiting_requests=5, max_wait_seconds=0.01)
        assert await gate.acquire_slot()
        assert not await gate.acquire_slot()
        gate.release_slot()
        assert await gate.acquire_slot() and gate.is_busy
        waiting = asyncio.create_task(RequestLimiter.acquire_slot(gate))
        await asyncio.sleep(0)
        waiting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await waiting
        gate.release_slot()
        assert not gate.is_busy

    asyncio.run(go())


def test_moves_and_seats_pass_no_gate():
    for path in ("/api/move", "/api/draft", "/api/leave", "/ws/seat", "/table", "/s/x", "/web/core/dom.js", "/healthz"):
        scope_type = "websocket" if path.startswith("/ws") else "http"
        method = "POST" if path in ("/api/move", "/api/draft", "/api/leave") else "GET"
        assert _classify_request({"type": scope_type, "path": path, "method": method}) is None, path


def test_a_browser_is_a_player_while_its_seat_is_open_and_some_time_after_a_move():
    now = [0.0]
    load_monitor = ServerLoadMonitor(lambda: now[0])
    close_first, close_second = load_monitor.open_socket("seat", "b"), load_monitor.open_socket("seat", "b")
    assert load_monitor.is_player("b") and load_monitor.seated_browser_count == 1
    close_first()
    assert load_monitor.is_player("b")
    close_second()
    assert (
        not load_monitor.is_player("b") and load_monitor.seated_browser_count == 0 and not load_monitor.is_player(None)
    )
    load_monitor.record_move("b")
    assert load_monitor.is_player("b")
    now[0] += 3600
    assert not load_monitor.is_player("b")
