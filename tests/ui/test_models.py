"""Models at a table: waited for in sight, asked once, replaced when they fail, offered to those who may pay for them.

The model is a real server of Chat Completions on loopback (`model_server.py`), spoken to by the player that ships.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from engine.core.events import Kind
from engine.storage.store import Store
from tests.conftest import Server
from tests.ui.guests import Guest
from tests.ui.lobby import open_options
from tests.ui.model_server import ECHO, THOUGHT, ModelServer

Json = dict[str, Any]
Make = Callable[..., Server]

ROSTER = """
[servers.here]
api = "openai"
base_url = "{url}"
attempts = 1

[servers.shut]
api = "openai"
base_url = "{url}"
key_env = "A_KEY_THAT_IS_NOT_SET"

[players.friend]
model = "here/friend"
summary = "a friend on this machine that reads text only"
pictures = 0
max_tokens = 300

[players.dear]
model = "here/dear"
price = [2.5, 10]

[players.locked]
model = "shut/locked"

[players.rehearsal]
model = "lines/say.txt"
"""
VERSUS = {"A": "person", "B": "friend"}


@pytest.fixture(scope="module")
def running() -> Iterator[ModelServer]:
    """The machine that all models run on."""
    with ModelServer() as made:
        yield made


@pytest.fixture
def machine(running: ModelServer) -> ModelServer:
    """The machine as a test finds it: quick, well, asked nothing yet."""
    running.latency, running.status, running.requests, running.steps = 0.0, 200, [], None
    return running


@pytest.fixture(scope="module")
def roster(running: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A players.toml with the models of `ROSTER`."""
    path = tmp_path_factory.mktemp("roster") / "players.toml"
    path.write_text(ROSTER.format(url=running.url))
    return str(path)


@pytest.fixture(scope="module")
def house(module_server: Make, roster: str) -> Server:
    """A server that the tests of this file share."""
    return module_server(None, None, "--players", roster)


@pytest.fixture
def public_server(server: Make, roster: str) -> Callable[[], Server]:
    """Make a server that others can reach."""
    return lambda: server(None, None, "--players", roster, "--host", "0.0.0.0")


def log_of(house: Server, episode: str) -> list[Any]:
    """The log of an episode."""
    with Store(house.db) as store:
        return list(store.events(episode))


def names(guest: Guest) -> set[str]:
    """The models that the lobby offers to somebody."""
    return {model["name"] for model in guest.http.get("/api/lobby").json()["models"]}


# ---------------------------------------------------------------------- waiting
@pytest.mark.slow
@pytest.mark.browser
def test_a_person_waits_for_a_slow_model_and_a_reload_asks_it_no_second_time(house, machine, new_page, player_at):
    machine.latency = 3.0
    page = new_page(house.url)
    card = open_options(page)
    card.get_by_label("Seat B").select_option("friend")
    expect(card.get_by_text("a friend on this machine")).to_be_visible()
    card.get_by_role("button", name="Start game").click()
    me = player_at(page)
    me.reply("A ring")
    thinks = page.get_by_text("Your partner is thinking")
    expect(thinks).to_be_visible()
    expect(page.locator(".clock")).to_have_text(re.compile(r"^\d+ s$"))
    page.reload()
    expect(thinks).to_be_visible()
    expect(page.get_by_text("A ring")).to_be_visible()
    me.wait_for_ask()
    expect(page.locator(".clock")).to_be_empty()
    expect(page.get_by_text("reply 1 of the model")).to_be_visible()
    with Store(house.db) as store:
        log = store.events(store.episodes(max_episodes=1)[0].id)
    assert len(machine.requests) == sum(event.kind is Kind.ASK and event.seat == "B" for event in log)
    assert machine.requests[0]["model"] == "friend"


# ---------------------------------------------------------------------- after a fault
@pytest.fixture
def stalled_table(house, machine) -> Iterator[tuple[Server, Guest, Guest, Json, str]]:
    """A table of two people's browsers and a model that fails: (server, opener, other, table, the opener's seat)."""
    machine.status = 500
    with Guest(house.url) as opener, Guest(house.url) as other:
        table = opener.open(VERSUS, variant="text")
        pid = opener.take(table["go"])
        with opener.seat(pid) as seat:
            seat.reply("A ring")
            seat.until(lambda state: state["stalled"])
        yield house, opener, other, table, pid


def test_a_seat_hears_in_plain_words_why_a_model_fails_and_not_what_it_was_sent(stalled_table):
    house, opener, _, table, pid = stalled_table
    with opener.seat(pid) as seat:
        assert seat.state["stalled"] == "Your partner cannot answer at the moment: its server failed."
        assert seat.state["silent"] and ECHO not in str(seat.messages)
    [fault] = [event for event in log_of(house, table["episode"]) if event.kind is Kind.FAULT]
    assert ECHO in fault.data["cause"] and ECHO in house.output()  # spectators and the terminal have it all


def test_try_again_goes_on_at_the_open_ask(stalled_table, machine):
    _, opener, other, _, pid = stalled_table
    assert other.post("/api/retry", seat=pid).status_code == 403
    machine.status = 200
    with opener.seat(pid) as seat:
        assert opener.post("/api/retry", seat=pid).json() == {"ok": True}
        seat.until(lambda state: state["ask"] and not state["stalled"] and not state["silent"])
        assert any(line["text"].startswith("reply") for line in seat.state["lines"])


def test_the_silent_seat_is_handed_to_another_player_who_is_offered(stalled_table):
    house, opener, other, table, pid = stalled_table
    found = opener.http.get(f"/api/invitations?seat={pid}").json()
    assert {"friend", "dear"} <= {model["name"] for model in found["models"]} and found["addresses"]
    assert "locked" not in str(found)
    assert other.post("/api/seat", seat=pid, player="scripted").status_code == 403
    with opener.seat(pid) as seat:
        assert opener.post("/api/seat", seat=pid, player="scripted").json()["ok"]
        seat.until(lambda state: state["ask"] and not state["stalled"])
        answer = opener.post("/api/seat", seat=pid, player="scripted")
        assert answer.status_code == 409  # nobody is silent now
    players = [event.data["player"] for event in log_of(house, table["episode"]) if event.kind is Kind.SEAT]
    assert players == ["scripted"]


def test_the_game_is_ended_where_it_waits(stalled_table):
    _, opener, _, _, pid = stalled_table
    assert opener.post("/api/end", seat=pid).json() == {"ok": True}
    with opener.seat(pid) as seat:
        assert seat.state["outcome"]["kind"] == "abandoned"


@pytest.mark.browser
def test_the_ways_out_stand_where_the_game_waits(house, machine, new_page, player_at):
    machine.status = 500
    page, guest = new_page(house.url), new_page()
    page.goto(house.url)
    body: Json = {"game": "matchit", "variant": "text", "seats": VERSUS}
    page.goto(house.url + page.request.post(f"{house.url}/api/tables", data=body).json()["go"])
    me = player_at(page)
    me.reply("A ring")
    notice = page.locator(".stalled")
    expect(notice).to_contain_text("its server failed")
    notice.get_by_role("button", name="Try again").click()
    expect(notice.get_by_role("button", name="Try again")).to_be_enabled()
    expect(notice.get_by_role("button", name="End here")).to_be_visible()
    notice.get_by_role("button", name="Hand the seat to another player").click()
    notice.get_by_label("Who goes on at that seat?").select_option("scripted")
    notice.get_by_role("button", name="Seat", exact=True).click()
    me.wait_for_ask()
    expect(notice).to_be_hidden()

    body["seats"] = {"A": "invite", "B": "friend"}
    invited = page.request.post(f"{house.url}/api/tables", data=body).json()
    guest.goto(house.url + invited["invitations"]["A"])
    player_at(guest).reply("A square")
    expect(guest.locator(".stalled")).to_contain_text("Whoever opened the table can have it asked again")
    expect(guest.locator(".stalled").get_by_role("button")).to_have_count(0)
    page.goto(house.url + invited["go"])
    expect(page.locator(".stalled")).to_contain_text(ECHO)  # a spectator's page says what happened
    machine.status = 200
    page.locator(".stalled").get_by_role("button", name="Try again").click()
    player_at(guest).wait_for_ask()


# ---------------------------------------------------------------------- who is told what
def test_spectators_see_what_a_model_thought_and_took_and_its_partner_does_not(house, machine):
    with Guest(house.url) as player, Guest(house.url) as spectator:
        table = player.open(VERSUS, variant="text")
        pid = player.take(table["go"])
        with player.seat(pid) as seat:
            seat.reply("A ring")
            seat.wait_for_ask(after=1)
            heard = str(seat.messages) + player.http.get("/api/lobby").text
            assert THOUGHT not in heard and "friend-2026" not in heard and "here/friend" not in heard
            assert player.http.get(f"/api/record?episode={table['episode']}").status_code == 403
        spectator.http.get(table["spectators"])
        with spectator.watch(table["episode"]) as view:
            thoughts = [line for line in view.state["lines"] if line["kind"] == "reasoning"]
            took = [line["used"] for line in view.state["lines"] if "used" in line]
    assert thoughts and all(line["text"] == THOUGHT and line["private"] for line in thoughts)
    assert took[0]["model"] == "friend-2026" and (took[0]["tokens_in"], took[0]["tokens_out"]) == (1200, 34)


@pytest.mark.browser
def test_results_say_what_models_were_sent_and_which_replies_were_cut(house, machine, new_page):
    machine.finish = "length"
    with Guest(house.url) as guest:
        table = guest.open({"A": "friend", "B": "scripted"}, variant="text", pace=0)
        with guest.watch(table["episode"]) as view:
            view.until(lambda state: state["outcome"])
    machine.finish = "stop"
    page = new_page(house.url)
    page.goto(f"{house.url}/results?game=matchit")
    row = page.locator("table.leaderboard").get_by_role("row", name=re.compile("friend"))
    expect(row).to_contain_text("sent max_tokens=300")
    expect(row).to_contain_text(re.compile(r"\d+ cut"))


# ---------------------------------------------------------------------- who may seat whom
def test_who_cannot_see_is_not_seated_where_pictures_are_shown(house):
    with Guest(house.url) as guest:
        answer = guest.post("/api/tables", game="matchit", variant="picture", seats=VERSUS)
        assert answer.status_code == 422 and "cannot see" in answer.json()["error"]
        answer = guest.post("/api/tables", game="matchit", variant="text", seats={"A": "person", "B": "locked"})
        assert answer.status_code == 422 and "A_KEY_THAT_IS_NOT_SET" in answer.json()["error"]
        locked = next(m for m in guest.http.get("/api/lobby").json()["models"] if m["name"] == "locked")
        assert "A_KEY_THAT_IS_NOT_SET" in locked["unusable"]  # listed, with the reason


@pytest.mark.parametrize(
    "who",
    [
        "here/friend?base_url=http://127.0.0.1:9/v1",
        "friend?key_env=HOME",
        "openai/x?base_url=x",
        "hf/x/y?trust_remote_code=true",
    ],
)
def test_a_browser_never_says_where_prompts_and_keys_go(house, machine, who):
    with Guest(house.url) as guest:
        answer = guest.post("/api/tables", game="matchit", variant="text", seats={"A": "person", "B": who})
        assert answer.status_code == 422 and "players.toml" in answer.json()["error"]
    assert not machine.requests


@pytest.mark.parametrize("is_admin", [False, True])
def test_no_browser_seats_a_player_that_reads_files_of_the_server(house, tmp_path, is_admin):
    secret = tmp_path / "secret.txt"
    secret.write_text("DESCRIPTION: the secret\n")
    with Guest(house.url) as guest:
        if is_admin:
            [printed] = re.findall(r"http://\S+/a/\S+", house.output())
            guest.http.get(printed)
        assert not {"lines", "rehearsal"} & names(guest)
        for address in ("rehearsal", f"lines/{secret}", f"lines/{secret}?sha256=0", "lines/no/such/file", "lines"):
            seats = {"A": address, "B": "scripted"}
            answer = guest.post("/api/tables", game="matchit", variant="text", seats=seats)
            assert answer.status_code == 403 and "ludens run" in answer.json()["error"], address
        table = guest.open({"A": "person", "B": "invite"}, variant="text")
        answer = guest.post("/api/seat", episode=table["episode"], which="B", player=f"lines/{secret}")
        assert answer.status_code == 403 and "ludens run" in answer.json()["error"]


DEAR = ("dear", "here/dear", "here/friend?temperature=1", "openai/gpt-x", "anthropic/x", "hf/some/model", "tiny")


def test_off_loopback_only_the_admin_link_seats_players_that_cost_something(public_server, machine):
    house = public_server()
    [link] = re.findall(r"http://\S+(/a/\S+)", house.output())
    with Guest(house.url) as visitor, Guest(house.url) as admin:
        assert visitor.http.get("/a/" + "x" * 32).status_code == 404
        mine = visitor.open({"A": "person", "B": "invite"}, variant="text")
        assert visitor.http.get("/api/lobby").json()["addresses"] is False
        assert names(visitor) == {"friend"}  # it runs beside the server and costs nothing
        for who in DEAR:
            seats = {"A": "person", "B": who}
            answer = visitor.post("/api/tables", game="matchit", variant="text", seats=seats)
            assert answer.status_code == 403 and "admin link" in answer.json()["why"], who
            answer = visitor.post("/api/seat", episode=mine["episode"], which="B", player=who)
            assert answer.status_code == 403, who
        assert not machine.requests

        for _ in range(2):  # a GET consumes nothing
            assert admin.http.get(link).headers["location"] == "/"
        assert {"friend", "dear", "locked"} <= names(admin)
        table = admin.open({"A": "person", "B": "dear"}, variant="text")
        machine.status = 500
        with admin.seat(admin.take(table["go"])) as seat:
            seat.reply("A ring")
            seat.until(lambda state: state["stalled"])
        assert visitor.post("/api/retry", episode=table["episode"]).status_code == 403
        asked = len(machine.requests)

        # the right is lost with the file that gave it; neither a restart nor a retry asks for the visitor then
        with Store(house.db) as store:
            store.sqlite_db.execute("DELETE FROM admin")
            store.sqlite_db.commit()
        house.restart()
        pid = admin.take(table["go"])
        with admin.seat(pid) as seat:
            seat.until(lambda state: state["stalled"])
            for _ in range(100):  # until the player has been asked anew, there is nobody to be asked again
                if admin.post("/api/retry", seat=pid).status_code == 403:
                    break
                time.sleep(0.1)
            else:
                raise AssertionError("a visitor may have the player asked again")
        assert len(machine.requests) == asked
        machine.status = 200
        admin.http.get(link)
        with admin.seat(pid) as seat:
            assert admin.post("/api/retry", seat=pid).status_code == 200
            seat.until(lambda state: state["ask"])
    assert link not in "".join(str(event.data) for event in log_of(house, table["episode"]))


def test_paid_players_may_be_opened_to_everybody(public_server, machine, monkeypatch):
    monkeypatch.setenv("LUDENS_PAID_PLAYERS", "true")
    with Guest(public_server().url) as visitor:
        assert "dear" in names(visitor)
        assert visitor.open({"A": "person", "B": "dear"}, variant="text")["go"]


PARROT = """
from engine.core.player import Player, Provider, Reply

class Parrot(Player):
    def __init__(self, word):
        self.word = word

    async def reply(self, view):
        return Reply(self.word)

class ParrotProvider(Provider):
    summary = "always says the same"
    makes_programs = {makes_programs}

    def make_player(self, address, seat, context):
        return Parrot(address.name)

PROVIDER = ParrotProvider()
"""


@pytest.mark.parametrize("makes_programs", [True, False])
def test_everybody_may_seat_programs_of_a_provider_from_outside_but_not_its_models(server, tmp_path, makes_programs):
    provider = tmp_path / f"parrot{makes_programs:d}.py"
    provider.write_text(PARROT.format(makes_programs=makes_programs))
    house = server(None, None, "--players", str(provider), "--host", "0.0.0.0")
    with Guest(house.url) as visitor:
        seats = {"A": "person", "B": f"{provider.stem}/hello"}
        answer = visitor.http.post("/api/tables", json={"game": "matchit", "seats": seats})
    assert answer.status_code == (200 if makes_programs else 403)


def test_a_players_file_that_cannot_be_used_stops_the_server_with_the_reason(server, tmp_path):
    (tmp_path / "broken.toml").write_text("[players.x]\nmodel = 'nowhere/x'\n")
    with pytest.raises(AssertionError, match="no server 'nowhere'"):
        server(None, None, "--players", str(tmp_path / "broken.toml"))
