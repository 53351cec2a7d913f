"""The server as pages meet it, over real HTTP and sockets: seats, moves, secrets, spectators, crashes. No browser."""

import contextlib
import json
import re
import socket
import sqlite3
import subprocess
import threading
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from engine.core.events import Kind
from engine.storage.store import Store
from tests import conftest
from tests.ui.guests import WAIT, Guest, fill, play_on

Json = dict


@pytest.fixture(scope="module")
def house(module_server: Callable) -> Iterator:
    """A server shared by the tests of this file."""
    return module_server()


@pytest.fixture
def guests() -> Iterator[Callable[[str], Guest]]:
    """Make guests of a server; their connections are closed with the test."""
    made: list[Guest] = []

    def make(url: str) -> Guest:
        made.append(Guest(url))
        return made[-1]

    yield make
    for guest in made:
        guest.http.close()


@pytest.fixture
def guest(house, guests) -> Guest:
    return guests(house.url)


@pytest.fixture
def other(house, guests) -> Guest:
    return guests(house.url)


def log_of(house, episode: str) -> list:
    with Store(house.db) as store:
        return store.events(episode)


def refused_status(guest: Guest, path: str) -> int:
    """The status with which a socket is refused."""
    with pytest.raises(InvalidStatus) as error:
        guest.socket(path).close()
    return error.value.response.status_code


# ---------------------------------------------------------------------- a whole game
@pytest.mark.parametrize("variant", ["text", "picture"])
def test_a_person_plays_a_scripted_partner_to_the_score(house, guest, variant):
    table = guest.open(variant=variant)
    pid = guest.take(table["go"])
    with guest.seat(pid) as seat:
        first = seat.state
        assert (
            first["game"]["rules"] and first["turn"]["who"] == "you" and first["turn"]["text"].startswith("Your turn")
        )
        assert first["left"] == {"what": "questions", "left": 3, "of": 3}
        assert "experiment" not in json.dumps(first)
        outcome = seat.finish()
        asked = [line["text"] for line in seat.state["lines"] if line["who"] == "you"]
    assert outcome["kind"] in ("success", "lose") and len(asked) == 8
    debrief = guest.http.get(f"/api/debrief?seat={pid}").json()
    assert {d["seat"]: d["who"] for d in debrief["decisions"]} == {"A": "you", "B": "scripted"}
    assert debrief["score"]["main"] in (0, 100) and len(debrief["panels"]) == 2 and debrief["experiment_title"]
    for panel in debrief["panels"]:
        if variant == "picture":
            assert guest.http.get(panel["picture"]).content.startswith((b"\x89PNG", b"RIFF"))  # a board, or a photo
    events = [json.loads(line) for line in guest.http.get(f"/api/download?seat={pid}").text.splitlines()]
    assert [e["n"] for e in events] == list(range(len(events))) and events[-1]["kind"] == "outcome"
    with Store(house.db) as store:
        row = store.episode(table["episode"])
    assert row.origin == "table" and row.status == "over"
    assert row.start["people"] == {"A": {"informed": False, "seen_before": False, "practice": False}}


def test_scores_are_stored_at_the_end(house, guest):
    table = guest.open()
    with guest.seat(guest.take(table["go"])) as seat, guest.socket("/ws/lobby") as lobby:
        seat.finish()
        while not any(e["episode"] == table["episode"] for e in json.loads(lobby.recv(WAIT)).get("finished", ())):
            pass
        with Store(house.db) as store:
            while store.episode(table["episode"]).scores is None:  # a moment after the outcome, another transaction
                pass
            assert store.episode(table["episode"]).scores["main_score"] in (0, 100)


def test_two_people_at_two_browsers_see_only_their_own(house, guest, other):
    table = guest.open({"A": "person", "B": "invite"}, experiment="different", instance=0)
    a, b = guest.take(table["go"]), other.take(table["invitations"]["B"])
    with guest.seat(a) as one, other.seat(b) as two:
        assert one.state["ask"] and two.state["ask"]  # neither description depends on the other
        one.until(lambda state: state["others"][0]["here"])
        one.reply("A cross in the middle")
        one.until(lambda state: state["turn"]["text"] == "Waiting for your partner")
        assert "cross" not in json.dumps(two.state)
        two.reply("An empty field")
        two.wait_for_ask(after=2)
        assert any(line["text"] == "A cross in the middle" and line["who"] == "partner" for line in two.state["lines"])
        assert one.state["pinned"][0]["grid"] not in json.dumps(two.messages, ensure_ascii=False)
        assert two.state["pinned"][0]["grid"] not in json.dumps(one.messages, ensure_ascii=False)
        play_on(one, two)
    people = log_of(house, table["episode"])[0].data["people"]
    assert people["A"]["informed"] and not people["B"]["informed"]


def test_two_seats_in_two_tabs_of_one_browser_do_not_mix(guest):
    table = guest.open({"A": "person", "B": "invite"}, experiment="different", instance=1)
    a, b = guest.take(table["go"]), guest.take(table["invitations"]["B"], both_seats=True)
    assert a != b
    with guest.seat(a) as one, guest.seat(b) as two:
        assert (one.state["seat"], two.state["seat"]) == ("A", "B")
        assert guest.move(b, one.state["ask"]["id"], {"text": "for A"}).status_code == 409
        one.reply("mine")
        assert two.wait_for_ask() and "mine" not in json.dumps(two.state)


# ---------------------------------------------------------------------- moves
def test_a_move_is_taken_once_however_often_it_arrives(house, guest):
    table = guest.open()
    pid = guest.take(table["go"])
    with guest.seat(pid) as seat:
        ask, move = seat.wait_for_ask(), str(uuid.uuid4())
        answers: list[httpx.Response] = []

        def send() -> None:
            answers.append(guest.move(pid, ask["id"], {"text": "once"}, move))

        threads = [threading.Thread(target=send) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {(a.status_code, a.text) for a in answers} == {(200, '{"ok":true}')}
        late = guest.move(pid, ask["id"], {"text": "twice"})
        assert late.status_code == 409 and late.json()["error"] == "no longer asked"
    replies = [e.data["text"] for e in log_of(house, table["episode"]) if e.kind is Kind.REPLY and e.seat == "A"]
    assert replies == ["DESCRIPTION: once"]


def test_of_two_moves_at_once_one_is_taken(house, guest):
    table = guest.open({"A": "person", "B": "invite"})
    pid = guest.take(table["go"])
    answers: list[int] = []

    def send(text: str) -> None:
        answers.append(guest.move(pid, 1, {"text": text}).status_code)

    threads = [threading.Thread(target=send, args=(f"number {n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200, 409, 409, 409, 409, 409]
    assert sum(e.kind is Kind.REPLY for e in log_of(house, table["episode"])) == 1


@pytest.mark.parametrize(
    ("values", "status", "words"),
    [
        ({"text": ""}, 422, "no word"),
        ({"text": "?!"}, 422, "no word"),
        ({"text": "x" * 200_001}, 413, "longer than 200,000 characters"),
        ({"text": 5}, 422, "no text"),
        ("text", 422, "object"),
        ({}, 422, "no word"),
    ],
)
def test_a_refused_reply_is_no_violation(house, guest, values, status, words):
    table = guest.open()
    pid = guest.take(table["go"])
    answer = guest.move(pid, 1, values)
    assert answer.status_code == status and words in answer.text and answer.json()["ok"] is False
    events = log_of(house, table["episode"])
    assert not [e for e in events if e.seat == "A" and e.kind in (Kind.REPLY, Kind.VIOLATION)]
    assert guest.move(pid, 1, {"text": "all right"}).status_code == 200


def test_a_move_needs_the_seat(guest, other):
    pid = guest.sit()
    assert other.move(pid, 1, {"text": "me"}).status_code == 403
    other.http.get("/")
    assert other.move(pid, 1, {"text": "me"}).status_code == 403
    assert other.move("nowhere", 1, {"text": "me"}).status_code == 403
    assert other.post("/api/draft", seat=pid, ask=1, values={"text": "me"}).status_code == 403
    assert other.post("/api/leave", seat=pid).status_code == 403
    assert refused_status(other, f"/ws/seat?seat={pid}") == 403
    assert refused_status(other, "/ws/seat?seat=nowhere") == 403
    assert other.http.get(f"/api/debrief?seat={pid}").status_code == 403
    assert other.http.get(f"/api/invitations?seat={pid}").status_code == 403
    assert guest.http.get(f"/api/debrief?seat={pid}").status_code == 409
    assert guest.http.get(f"/api/download?seat={pid}").status_code == 409


ODD = [
    "ZWJ 👩‍👩‍👧 and flags 🇦🇹, astral 𝔘𝔫𝔦",
    "שלום עולם and \u202eright to left\u202c, mixed مرحبا",
    "nul \x00 bell \x07 escape \x1b[31m delete \x7f \x85 \u2028 separators",
    "lone \ud800 surrogates \udfff and halves \ud83d here",
    "<script>alert(1)</script><img src=x onerror=alert(1)> &amp; ${7*7} {{value}} %s \\u0041 ' \" `",
    "combining z̸̡͎a̵l̴g̶o, tabs\tand\nnewlines\r\nof every\rkind",
    "x" * 100_000,
    "face " + "😀" * 50_000,
]


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_any_text_is_stored_and_relayed_word_for_word(house, guest, other, text):
    table = guest.open({"A": "person", "B": "invite"})
    a, b = guest.take(table["go"]), other.take(table["invitations"]["B"])
    with guest.seat(a) as one, other.seat(b) as two:
        ask = one.wait_for_ask()
        answer = guest.move(a, ask["id"], fill(ask["form"], text))
        assert answer.status_code == 200, answer.text
        one.until(lambda state: state["turn"]["who"] == "other")
        two.reply("B here")
        two.wait_for_ask(after=2)
        relayed = next(line["text"] for line in two.state["lines"] if line["who"] == "partner")
        assert relayed == text.strip()
        assert next(line["text"] for line in one.state["lines"] if line["who"] == "you") == text.strip()
    [reply] = [e for e in log_of(house, table["episode"]) if e.kind is Kind.REPLY and e.seat == "A"]
    assert reply.data["text"] == f"DESCRIPTION: {text}"
    guest.post("/api/leave", seat=a)
    downloaded = [json.loads(line) for line in guest.http.get(f"/api/download?seat={a}").text.splitlines()]
    assert f"DESCRIPTION: {text}" in [e["data"]["text"] for e in downloaded if e["kind"] == "reply"]


def test_a_draft_waits_for_its_ask(guest, other):
    pid = guest.sit()
    with guest.seat(pid) as seat:
        seat.socket.send(json.dumps({"draft": {"ask": 1, "values": {"text": "half \ud83d"}}}))
        assert guest.post("/api/draft", seat=pid, ask=7, values={"text": "for later"}).json() == {"ok": True}
        assert guest.post("/api/draft", seat=pid, ask=1, values={"text": "half a tho"}).json() == {"ok": True}
    with guest.seat(pid) as seat:
        assert seat.state["ask"]["draft"] == {"text": "half a tho"}
        seat.reply("a whole thought")
        assert seat.wait_for_ask(after=1)["draft"] is None
    with guest.seat(pid) as seat:
        assert seat.state["ask"]["draft"] is None


def test_the_draft_of_each_move_is_deleted_with_it(house, guest):
    table = guest.open()
    pid, query = guest.take(table["go"]), "SELECT ask FROM draft JOIN seat USING (pid) WHERE episode = ?"
    with guest.seat(pid) as seat:
        for _ in range(3):  # a draft is stored when those before have been deleted
            number = seat.state["ask"]["id"]
            assert guest.post("/api/draft", seat=pid, ask=number, values={"text": "half"}).json() == {"ok": True}
            with contextlib.closing(sqlite3.connect(house.db)) as database:
                assert database.execute(query, [table["episode"]]).fetchall() == [(number,)]
            seat.reply("Is the first row empty?")
            seat.wait_for_ask(after=number)


# ---------------------------------------------------------------------- spectators
def test_whoever_holds_a_seat_may_not_watch_until_the_end(house, guest, other):
    table = guest.open({"A": "person", "B": "invite"})
    episode, pid = table["episode"], guest.take(table["go"])
    assert guest.http.get(table["spectators"]).status_code == 403
    assert guest.http.get(f"/api/record?episode={episode}").status_code == 403
    assert guest.http.get(f"/api/debrief?episode={episode}").status_code == 403
    assert "seat" in guest.http.get(f"/api/access?episode={episode}").json()["error"]
    assert refused_status(guest, f"/ws/watch?episode={episode}") == 403
    # a table with people is not listed and not watched without its link
    assert episode not in other.http.get("/api/lobby").text
    assert other.http.get(f"/api/record?episode={episode}").status_code == 403
    assert refused_status(other, f"/ws/watch?episode={episode}") == 403
    assert other.http.get(table["spectators"]).headers["location"] == f"/watch?episode={episode}"
    with other.watch(episode) as view:
        assert view.state["people"] and set(view.state["pinned"]) == {"A", "B"}
        assert guest.move(pid, 1, {"text": "a ring"}).status_code == 200
        view.until(lambda state: any(line["text"] == "a ring" for line in state["lines"]))
    # having seen both sides, it cannot play
    denied = other.http.get(table["invitations"]["B"])
    assert denied.status_code == 403 and "watched" in denied.text
    assert sum(e.kind is Kind.WATCHED for e in log_of(house, episode)) == 1
    assert guest.post("/api/leave", seat=pid).json() == {"ok": True}
    assert guest.http.get(f"/api/record?episode={episode}").status_code == 200
    with guest.watch(episode) as view:
        assert view.state["outcome"]["kind"] == "abandoned"


def test_self_play_is_listed_and_watched_by_anyone(guest, other, guests):
    with other.socket("/ws/lobby") as lobby:
        table = guest.open({"A": "scripted", "B": "random"}, pace=0.05)
        assert table["go"] == f"/watch?episode={table['episode']}" and table["spectators"] is None
        running: list = []
        while not running:
            running = [e for e in json.loads(lobby.recv(WAIT)).get("running", ()) if e["episode"] == table["episode"]]
        assert running[0]["seats"] == {"A": "scripted", "B": "random"} and running[0]["by"] == "table"
        with guests(other.url).watch(table["episode"]) as view:  # no cookie at all
            assert not view.state["people"]
            view.until(lambda state: state["outcome"])
            kinds = [line["kind"] for line in view.state["lines"]]
            assert kinds.count("ask") == 16 and kinds[-1] == "outcome" and view.state["status"] == "over"
            whole = other.http.get(f"/api/record?episode={table['episode']}").json()
            assert whole["lines"] == view.state["lines"] and whole["from"] == 0
        assert other.http.get(f"/api/debrief?episode={table['episode']}").json()["again"]["next"]["seats"]
        finished: list = []
        while not finished:
            finished = [e for e in json.loads(lobby.recv(WAIT)).get("finished", ()) if e["episode"] == table["episode"]]


# ---------------------------------------------------------------------- pictures
def test_pictures_belong_to_their_seat(guest, other, guests):
    table = guest.open({"A": "person", "B": "invite"}, variant="picture", experiment="pentomino-different", instance=2)
    a, b = guest.take(table["go"]), other.take(table["invitations"]["B"])
    with guest.seat(a) as one, other.seat(b) as two:
        mine = one.state["pinned"][0]
        assert mine["title"] == mine["alt"] == "Your picture" and mine["width"] == 480
        found = guest.http.get(mine["picture"])
        assert found.status_code == 200 and found.headers["content-type"] == "image/png"
        assert found.headers["cache-control"].startswith("private")
        assert not {"etag", "last-modified"} & set(found.headers)
        assert chunks(found.content) <= {b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"}
        assert other.http.get(mine["picture"]).status_code == 403
        assert guests(guest.url).http.get(mine["picture"]).status_code == 403
        assert guest.http.get("/p/" + "x" * 27).status_code == 404
        one.reply("colourful")
        two.wait_for_ask()
        theirs = two.state["pinned"][0]
        assert theirs["picture"] != mine["picture"]
        assert guest.http.get(theirs["picture"]).status_code == 403
        assert other.http.get(theirs["picture"]).content != found.content
    third = guests(guest.url)
    third.http.get(table["spectators"])
    with third.watch(table["episode"]) as view:
        seen = view.state["pinned"]["A"][0]["picture"]
        assert seen != mine["picture"] and third.http.get(seen).content == found.content
        assert guest.http.get(seen).status_code == 403


def chunks(png: bytes) -> set[bytes]:
    found, place = set(), 8
    while place < len(png):
        length = int.from_bytes(png[place : place + 4], "big")
        found.add(png[place + 4 : place + 8])
        place += 12 + length
    return found


# ---------------------------------------------------------------------- dealing
def test_dealing_is_blind_and_prefers_what_was_not_seen(house, guest):
    dealt = []
    with Store(house.db) as store:
        for _ in range(40):
            table = guest.open()
            start = store.episode(table["episode"]).start
            dealt.append(start["instance_id"])
            assert start["people"]["A"] == {"informed": False, "seen_before": False, "practice": False}
            guest.post("/api/leave", seat=guest.take(table["go"]))
        assert len(set(dealt)) == 40
        table = guest.open(practice=True)
        assert store.episode(table["episode"]).start["people"]["A"] == {
            "informed": False,
            "seen_before": False,
            "practice": True,
        }
        assert store.episode(table["episode"]).start["experiment"] == "practice"
        assert not any("/practice/" in instance_id for instance_id in dealt)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"game": "chess", "seats": {"A": "person", "B": "scripted"}}, "no game 'chess'"),
        ({"game": "matchit", "seats": {"A": "person"}}, "seats A, B"),
        ({"game": "matchit", "seats": {"A": "person", "B": "scriptet"}}, "did you mean 'scripted'"),
        ({"game": "matchit", "variant": "photo", "seats": {"A": "person", "B": "scripted"}}, "no variant 'photo'"),
        ({"game": "matchit", "seats": {"A": "person", "B": "scripted"}, "experiment": "sam"}, "did you mean 'same'"),
        (
            {"game": "matchit", "seats": {"A": "person", "B": "scripted"}, "experiment": "same", "instance": 10},
            "0 to 9",
        ),
        ({"game": "matchit", "seats": {"A": "person", "B": "scripted"}, "settings": {"questions": 2}}, "questions"),
        ({"game": "matchit", "seats": {"A": "person", "B": "scripted"}, "colour": "red"}, "colour"),
        ({"seats": {}}, "game"),
        ({"game": "matchit", "seats": {"A": "person", "B": "recorded/xyz"}}, "no such game"),
        ({"game": "matchit", "seats": {"A": "person", "B": "person?quick=1"}}, "write 'person'"),
        ({"game": "matchit", "seats": {"A": "person", "B": ""}}, "name is missing"),
    ],
)
def test_a_table_that_cannot_be_is_refused_in_words(guest, body, words):
    answer = guest.http.post("/api/tables", json=body)
    assert answer.status_code in (404, 422) and words in answer.json()["error"]


# ---------------------------------------------------------------------- whoever opened the table
def test_invitations_are_shown_again_to_whoever_opened_the_table(guest, other):
    table = guest.open({"A": "person", "B": "invite"})
    a, b = guest.take(table["go"]), other.take(table["invitations"]["B"])
    links = guest.http.get(f"/api/invitations?seat={a}").json()
    assert (links["invitations"], links["spectators"]) == (table["invitations"], table["spectators"])
    own = table["invitations"]["B"]
    assert other.http.get(f"/api/invitations?seat={b}").json() == {"own": own, "invitations": {}, "spectators": None}
    assert links["own"] == table["go"]
    code = guest.http.get("/api/qr", params={"text": table["invitations"]["B"]})
    assert code.headers["content-type"] == "image/svg+xml" and b"<svg" in code.content
    assert guest.http.get("/api/qr", params={"text": "https://elsewhere.example/"}).status_code == 422


def test_a_seat_is_handed_to_another_player(house, guest, other):
    table = guest.open({"A": "person", "B": "invite"})
    a, b = guest.take(table["go"]), other.take(table["invitations"]["B"])
    with guest.seat(a) as one, other.seat(b) as two:
        one.reply("a ring")
        two.wait_for_ask()
        assert other.post("/api/seat", seat=b, which="A", player="scripted").status_code == 403
        made = guest.post("/api/seat", seat=a, which="B", player="scripted")
        assert made.json() == {"ok": True, "invitation": None}
        one.wait_for_ask(after=1)
        assert one.state["others"][0]["here"] is None
    assert refused_status(other, f"/ws/seat?seat={b}") == 403
    assert other.http.get(table["invitations"]["B"]).status_code == 404
    link = guest.post("/api/seat", seat=a, which="B", player="person").json()["invitation"]
    assert link != table["invitations"]["B"]
    with guest.seat(a) as one, other.seat(other.take(link)) as two:
        one.until(lambda state: state["others"][0]["here"])
        assert any(line["text"] == "a ring" for line in two.state["lines"])  # the seat's whole conversation
    assert guest.post("/api/end", seat=a).json() == {"ok": True}
    log = log_of(house, table["episode"])
    assert [e.data["player"] for e in log if e.kind is Kind.SEAT] == ["scripted", "person"]
    assert log[-1].data["kind"] == "abandoned"


def test_a_move_gets_its_answer_again_after_its_seat_was_given_to_another_player(server, guests):
    house = server()
    opener, friend, stranger = guests(house.url), guests(house.url), guests(house.url)
    table = opener.open({"A": "person", "B": "invite"})
    a, b = opener.take(table["go"]), friend.take(table["invitations"]["B"])
    move = uuid.uuid4().hex
    with opener.seat(a) as one, friend.seat(b) as two:
        one.reply("a ring")
        ask = two.wait_for_ask()
        values = fill(ask["form"], "a green ring")
        assert friend.move(b, ask["id"], values, move).status_code == 200
        assert opener.post("/api/seat", seat=a, which="B", player="scripted").json()["ok"]
    for is_restarted in (False, True):
        if is_restarted:
            house.restart()
        assert friend.move(b, ask["id"], values, move).json() == {"ok": True}
        assert friend.move(b, ask["id"], values, uuid.uuid4().hex).status_code == 403
        assert stranger.move(b, ask["id"], values, move).status_code == 403


def test_a_player_who_cannot_answer_is_asked_again(house, guest):
    left = guest.open({"A": "person", "B": "scripted"})
    pid = guest.take(left["go"])
    with guest.seat(pid) as seat:
        seat.reply()
        seat.reply()
    guest.post("/api/leave", seat=pid)
    # the recording ends before the game does
    table = guest.open({"A": "person", "B": f"recorded/{left['episode']}"})
    pid = guest.take(table["go"])
    with guest.seat(pid) as seat:
        while not seat.until(lambda state: state["ask"] or state["stalled"])["stalled"]:
            seat.reply()
        assert seat.state["stalled"] == "Your partner cannot answer at the moment."
        assert guest.post("/api/retry", seat=pid).json() == {"ok": True}
        assert guest.post("/api/seat", seat=pid, which="B", player="scripted").json()["ok"]
        seat.until(lambda state: state["ask"] and not state["stalled"])
        assert seat.finish()["kind"] in ("success", "lose", "aborted")


def test_nobody_replays_what_they_may_not_see(guest, other):
    private = guest.open({"A": "person", "B": "scripted"})
    pid = guest.take(private["go"])
    mine = other.open()
    other.take(mine["go"])
    for address in (f"recorded/{private['episode']}", f" recorded/{private['episode']}", "recorded/1", "recorded/"):
        answer = other.post("/api/tables", game="matchit", seats={"A": "person", "B": address})
        assert answer.status_code in (403, 404, 422), address
        answer = other.post("/api/seat", episode=mine["episode"], which="B", player=address)
        assert answer.status_code in (403, 404, 422), address
    # not even one's own, before it is over
    again = guest.post("/api/tables", game="matchit", seats={"A": "person", "B": f"recorded/{private['episode']}"})
    assert again.status_code == 403
    guest.post("/api/leave", seat=pid)
    assert guest.open({"A": f"recorded/{private['episode']}", "B": "scripted"})


def test_strangers_get_less(server, guests):
    house = server(None, None, "--host", "0.0.0.0")
    guest = guests(house.url)
    for _ in range(30):
        guest.open({"A": "invite", "B": "scripted"})
    more = guest.post("/api/tables", game="matchit", seats={"A": "invite", "B": "scripted"})
    assert more.status_code == 429 and "30 open games" in more.json()["error"]


# ---------------------------------------------------------------------- presence
def test_who_is_there_is_recorded_and_shown(house, guest, other):
    table = guest.open({"A": "person", "B": "invite"})
    a, b = guest.take(table["go"]), other.take(table["invitations"]["B"])
    with guest.seat(a) as one:
        assert one.state["others"][0]["here"] is False
        with other.seat(b):
            one.until(lambda state: state["others"][0]["here"])
        with other.seat(b):  # a reload is nothing to speak of
            pass
        one.until(lambda state: not state["others"][0]["here"])
        kinds = []
        while (Kind.AWAY, "B") not in kinds:  # a moment after it is shown, another transaction
            kinds = [(e.kind, e.seat) for e in log_of(house, table["episode"]) if e.kind in (Kind.PRESENT, Kind.AWAY)]
        assert kinds == [(Kind.PRESENT, "A"), (Kind.PRESENT, "B"), (Kind.AWAY, "B")]


# ---------------------------------------------------------------------- doors
def test_doors_that_are_closed(house, guest, guests):
    for path in ("/", "/healthz", "/api/lobby", "/web/table/table.js", "/nowhere"):
        assert httpx.get(house.url + path, headers={"origin": "https://elsewhere.example"}).status_code == 403
    for path in (
        "/gradio_api/info",
        "/gradio_api/upload",
        "/config",
        "/docs",
        "/openapi.json",
        "/nowhere",
        "/s",
        "/api",
    ):
        assert guest.http.get(path).status_code == 404, path
    assert guest.http.get("/s/" + "x" * 32).status_code == 404
    assert guest.http.get("/w/" + "x" * 32).status_code == 404
    assert guest.http.get("/api/nowhere").status_code == 404
    with pytest.raises(InvalidStatus) as error:
        connect(house.url.replace("http", "ws") + "/ws/lobby", origin="https://elsewhere.example")
    assert error.value.response.status_code == 403


def test_a_browser_is_known_by_one_cookie(house, guests):
    guest = guests(house.url)
    first = guest.http.get("/")
    cookie = first.headers["set-cookie"]
    assert re.fullmatch(r"browser=[\w-]{43}; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax", cookie)
    assert "set-cookie" not in guest.http.get("/").headers
    assert "set-cookie" not in guests(house.url).http.get("/web/table/table.js").headers


def test_links_never_stand_in_the_log(house, guest):
    table = guest.open({"A": "person", "B": "invite"})
    guest.take(table["go"])
    guest.http.get("/s/" + "y" * 32)
    secrets = [table["go"], *table["invitations"].values(), table["spectators"], guest.http.cookies["browser"]]
    stored = Path(house.db).read_bytes() + Path(f"{house.db}-wal").read_bytes()
    for secret in secrets:
        assert secret.rpartition("/")[2] not in house.output()
        assert secret.rpartition("/")[2].encode() not in stored


# ---------------------------------------------------------------------- crashes
def test_a_killed_server_loses_nothing(server, guests):
    house = server()
    guest, other, third = guests(house.url), guests(house.url), guests(house.url)
    table = guest.open({"A": "person", "B": "invite"}, variant="picture")
    a, b = guest.take(table["go"]), other.take(table["invitations"]["B"])
    third.http.get(table["spectators"])
    move = str(uuid.uuid4())
    with guest.seat(a) as one, other.seat(b) as two, third.watch(table["episode"]) as view:
        picture = one.state["pinned"][0]["picture"]
        seen = guest.http.get(picture).content
        assert guest.move(a, 1, {"text": "before"}, move).status_code == 200
        assert guest.post("/api/draft", seat=b, ask=1, values={}).status_code == 403
        two.wait_for_ask()
        assert other.post("/api/draft", seat=b, ask=2, values={"text": "half"}).json() == {"ok": True}
        view.until(lambda state: any(line["text"] == "before" for line in state["lines"]))
        one.until(lambda state: state["turn"]["who"] == "other")
        before = (one.state["lines"], two.state["lines"], view.state["lines"])
        house.kill()
    house.start()
    with guest.seat(a) as one, other.seat(b) as two, third.watch(table["episode"]) as view:
        assert (one.state["lines"], two.state["lines"], view.state["lines"]) == before
        assert two.state["ask"]["draft"] == {"text": "half"}
        assert one.state["pinned"][0]["picture"] == picture and guest.http.get(picture).content == seen
        again = guest.move(a, 1, {"text": "before"}, move)  # no answer had come: the page sends it again
        assert (again.status_code, again.text) == (200, '{"ok":true}')
        two.reply("after")
        view.until(lambda state: any(line["text"] == "after" for line in state["lines"]))
    log = log_of(house, table["episode"])
    assert [e.data["text"] for e in log if e.kind is Kind.REPLY] == ["DESCRIPTION: before", "DESCRIPTION: after"]


def test_a_server_says_which_games_a_damaged_write_ahead_log_has_lost(server, guests):
    house = server()
    guest = guests(house.url)
    episodes = [guest.open()["episode"] for _ in range(12)]
    house.kill()
    log = house.db.with_name(f"{house.db.name}-wal")
    data = bytearray(log.read_bytes())
    data[len(data) * 2 // 3] ^= 0xFF
    log.write_bytes(data)
    house.start()
    with Store(house.db) as store:
        lost = [episode for episode in episodes if store.status(episode) is None]
    assert lost
    assert "write-ahead log" in house.output()
    assert all(episode in house.output() for episode in lost)
    check = subprocess.run([conftest.LUDENS, "db", "check", "--db", house.db], capture_output=True, text=True)
    assert check.returncode == 1  # the restart has taken the log over, and kept a copy
    assert "wal.damaged" in check.stderr


def test_games_between_programs_go_on_after_a_crash(server, guests):
    house = server()
    guest = guests(house.url)
    table = guest.open({"A": "scripted", "B": "scripted"}, pace=0.3)
    with guest.watch(table["episode"]) as view:
        view.until(lambda state: len(state["lines"]) > 8)
        house.kill()
    house.start()
    with guest.watch(table["episode"]) as view:
        view.until(lambda state: state["outcome"])
        assert sum(line["kind"] == "ask" for line in view.state["lines"]) == 16


def test_a_game_under_other_rules_can_be_read_but_not_continued(server, guests):
    house = server()
    guest = guests(house.url)
    table = guest.open()
    pid = guest.take(table["go"])
    with guest.seat(pid) as seat:
        seat.reply("a ring")
    house.stop()
    with Store(house.db) as store:
        store.sqlite_db.execute("UPDATE event SET data = replace(data, 'Ask your partner', 'Query your partner')")
        store.sqlite_db.execute("UPDATE event SET data = replace(data, 'Describe your grid', 'Depict your grid')")
    house.start()
    with guest.seat(pid) as seat:
        assert "other rules" in seat.state["stalled"]
        assert any(line["text"] == "a ring" for line in seat.state["lines"])
        answer = guest.move(pid, 3, {"text": "x"})
        assert answer.status_code == 409
    with Store(house.db) as store:
        assert store.episode(table["episode"]).status == "stalled"


def test_what_nobody_answers_is_swept(server, monkeypatch, guests):
    house = server()
    guest = guests(house.url)
    table = guest.open()
    pid = guest.take(table["go"])
    house.kill()
    monkeypatch.setenv("LUDENS_ABANDON_DAYS", "1e-6")
    house.start()
    with guest.seat(pid) as seat:
        outcome = seat.until(lambda state: state["outcome"])["outcome"]
    assert (outcome["kind"], outcome["reason"]) == ("abandoned", "nobody answered")


def test_what_stops_a_server_is_said(server, tmp_path, free_port):
    house = server()
    busy = subprocess.run(
        [conftest.LUDENS, "serve", "--port", str(house.port), "--db", tmp_path / "x.db"], capture_output=True, text=True
    )
    assert busy.returncode == 1 and "cannot listen" in busy.stderr and "--port" in busy.stderr
    (tmp_path / "text.db").write_text("this is no database, it is a text " * 100)
    wrong = subprocess.run(
        [conftest.LUDENS, "serve", "--port", str(free_port), "--db", tmp_path / "text.db"],
        capture_output=True,
        text=True,
    )
    assert wrong.returncode == 1 and "text.db" in wrong.stderr and "Traceback" not in wrong.stderr


# ---------------------------------------------------------------------- other processes
@pytest.mark.slow
def test_a_run_on_the_same_file_is_shown_live(server, guests):
    house = server()
    guest = guests(house.url)
    command = [conftest.LUDENS, "run", "matchit/text", "--seat", "A=scripted", "--seat", "B=random"]
    command += ["--concurrency", "2", "--db", house.db, "--yes"]
    with guest.socket("/ws/lobby") as lobby:
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        running: list[Json] = []
        while not running:
            running = json.loads(lobby.recv(WAIT)).get("running", [])
        assert running[0]["by"] == "run" and running[0]["seats"] == {"A": "scripted", "B": "random"}
        with guest.watch(running[0]["episode"]) as view:  # live, by another process
            view.until(lambda state: state["outcome"])
            kinds = [line["kind"] for line in view.state["lines"]]
        assert kinds.count("ask") == 16 and kinds.count("outcome") == 1
        # meanwhile people play, undisturbed
        with guest.seat(guest.sit()) as seat:
            assert seat.finish()["kind"] in ("success", "lose")
        _, said = run.communicate(timeout=300)
        assert run.returncode == 0, said
        while json.loads(lobby.recv(WAIT)).get("running", True):
            pass
    with Store(house.db) as store:
        rows = store.episodes()
        assert len(rows) == 41 and {row.status for row in rows} == {"over"}
        assert all(event.n == n for row in rows[:20] for n, event in enumerate(store.events(row.id)))


def test_a_second_server_on_the_file_does_not_play_what_the_first_plays(server, guests):
    one = server()
    guest = guests(one.url)
    pid = guest.sit()
    two = server(one.db)
    there = guests(two.url)
    there.http.cookies = guest.http.cookies
    with guest.seat(pid) as seat, there.seat(pid) as shadow:
        assert "Another Ludens server" in shadow.state["stalled"]
        assert there.move(pid, 1, {"text": "here"}).status_code == 503
        seat.reply("a ring")
        shadow.until(lambda state: any(line["text"] == "a ring" for line in state["lines"]))
    one.kill()
    playing = False
    while not playing:  # once the first is gone, the second plays on: it lets its pages go, and they come again
        with there.seat(pid) as seat, contextlib.suppress(ConnectionClosed):
            seat.until(lambda state: not state["stalled"])
            playing = seat.finish()["kind"] in ("success", "lose")


# ---------------------------------------------------------------------- slow readers
def test_a_spectator_who_does_not_read_is_let_go(house, guest, other):
    table = guest.open({"A": "person", "B": "scripted"})
    pid = guest.take(table["go"])
    other.http.get(table["spectators"])
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", house.port))
        slow.sendall(
            f"GET /ws/watch?episode={table['episode']} HTTP/1.1\r\nHost: 127.0.0.1:{house.port}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {'A' * 22}==\r\nCookie: {other.cookies()}\r\n\r\n".encode()
        )
        with guest.seat(pid) as seat, other.watch(table["episode"]) as view:
            for _ in range(2):
                seat.reply("word " + "😀" * 199_000)  # 2.4 MB each, more than any buffer holds
            for n in range(120):  # each is told: somebody else sits down
                assert guest.post("/api/seat", seat=pid, which="B", player=("random", "scripted")[n % 2]).json()["ok"]
            seat.reply("still playing")
            view.until(lambda state: any(line["text"] == "still playing" for line in state["lines"]))
        slow.settimeout(WAIT)
        received = 0
        while data := slow.recv(1_000_000):
            received += len(data)
            if data.endswith(b"\x88\x02\x03\xf5"):  # close, 1013: come again later
                break
        else:
            raise AssertionError("the connection ended without a word")
    assert received < 10_000_000
