"""The page of one episode: all of it for those who may see it, nothing for whoever still plays, files of the CLI."""

import json
import subprocess

import pytest
from playwright.sync_api import expect

from engine.core.events import Kind
from engine.core.start import EpisodeStart
from engine.storage.ids import make_id
from engine.storage.store import Store
from tests.conftest import LUDENS
from tests.ui.guests import Guest

WORDS = "pomegranate canary"


@pytest.fixture(scope="module")
def house(module_server):
    """A server for all of this file."""
    return module_server()


def over(guest, seats=None, **rest):
    """Let programs play an episode to its end and return its id."""
    episode = guest.open(seats or {"A": "scripted", "B": "random"}, pace=0, **rest)["episode"]
    with guest.watch(episode) as live:
        live.until(lambda state: state["outcome"])
    return episode


def play_episode(guest, **rest):
    """Play an episode as a person and return its id and one's seat."""
    pid = guest.sit({"A": "person", "B": "scripted"}, **rest)
    with guest.seat(pid) as live:
        live.finish(WORDS)
        return live.until(lambda state: state["episode"])["episode"], pid


def page(guest, episode):
    """What the page of an episode is told."""
    answer = guest.http.get("/api/episode", params={"id": episode})
    assert answer.status_code == 200, answer.text
    return answer.json()


def addresses(episode):
    """Every address that has something of an episode, but those of pictures."""
    at = "/api/episode"
    yield from (f"{at}?id={episode}", f"{at}/events?id={episode}", f"{at}/events?id={episode}&start=3")
    yield from (f"{at}/file?id={episode}&format={format}" for format in ("jsonl", "html", "markdown"))
    yield f"/api/download?episode={episode}"


def import_changed(house, guest, episode, change):
    """Store an episode once more with its events changed, as if it had been imported, and return the new id."""
    with Store(house.db) as store:
        log = store.events(episode)
        for event in log:
            change(event)
        return store.import_episode(
            EpisodeStart.model_validate(log[0].data), log, key=None, origin="elsewhere", episode=make_id()
        )[0]


# ---------------------------------------------------------------------- what it says
def test_everything_of_an_episode_is_there(house):
    with Guest(house.url) as guest:
        episode = over(guest, variant="text")
        there = guest.http.get(f"/e/{episode}")
        assert (there.status_code, there.headers["location"]) == (303, f"/episode?id={episode}")
        said = page(guest, episode)
        assert [seat["players"] for seat in said["seats"]] == [["scripted"], ["random"]]
        assert said["outcome"]["kind"] in ("success", "lose") and said["scores"]["requests"] == 16
        shown = [part for line in said["lines"] for part in line["parts"] or () if "exhibit" in part]
        assert [part["title"] for part in shown] == ["Your grid", "Your grid"]
        assert all(line["words"] for line in said["lines"] if line["kind"] == "ask")
        events = guest.http.get("/api/episode/events", params={"id": episode}).json()
        record = guest.http.get(f"/api/episode/file?id={episode}&format=jsonl").text.splitlines()
        assert events["total"] == len(record) == said["events"] < 100
        assert [{"episode": episode, **event} for event in events["events"]] == [json.loads(line) for line in record]
        rest = guest.http.get("/api/episode/events", params={"id": episode, "start": 5}).json()
        assert rest["events"] == events["events"][5:]
        assert guest.http.get("/api/episode", params={"id": "nowhere"}).status_code == 404


def test_transcripts_are_those_of_the_command_line(house):
    with Guest(house.url) as guest:
        episode = over(guest, {"A": "scripted", "B": "scripted"}, variant="picture", experiment="pentomino-same")
        for format in ("html", "markdown"):
            at = f"/api/episode/file?id={episode}&format={format}"
            command = [LUDENS, "transcript", episode, "--format", format, "--db", house.db]
            assert guest.http.get(at).content == subprocess.run(command, capture_output=True, check=True).stdout
        assert guest.http.get(f"/api/episode/file?id={episode}&format=pdf").status_code == 422


def test_pictures_stand_in_the_dialogue_and_those_that_are_gone_are_said_to_be(house):
    def gone(event):
        for shown in event.data.get("pictures", ()):
            shown["id"] = "nowhere"

    with Guest(house.url) as guest:
        episode = over(guest, variant="picture", experiment="pentomino-same")
        drawn = []
        for seen in (episode, import_changed(house, guest, episode, gone)):
            shown = [one for line in page(guest, seen)["lines"] for one in line.get("pictures", ())]
            assert [one["title"] for one in shown] == ["Your picture", "Your picture"]
            found = [guest.http.get(one["picture"]) for one in shown]
            assert [answer.status_code for answer in found] == [200, 200]
            assert guest.http.get("/api/record", params={"episode": seen}).status_code == 200
            drawn.append(found[0].content)
        assert drawn[0] != drawn[1]


def test_many_seats_stand_with_their_sides_and_thoughts(house):
    with Guest(house.url) as guest:
        names = ("Nancy", "Tom", "Cindy", "Jack", "Rose", "Edward")
        said = page(guest, over(guest, dict.fromkeys(names, "scripted"), game="spyfall"))
        assert sorted(seat["side"] for seat in said["seats"]) == ["spy", *["villagers"] * 5]
        assert {line["seat"] for line in said["lines"] if line["private"]} == set(names)
        assert set(said["play"]["seats"]) == set(names)


def test_what_a_reader_has_to_know_before_they_count_it(house):
    used = {"model": "m-1", "seconds": 1.5, "tokens_in": 10, "tokens_out": 4, "cached": True, "reasoning": WORDS}

    def change(event):
        if event.kind is Kind.REPLY:
            event.data["meta"] = used

    with Guest(house.url) as guest:
        native = over(guest, variant="text")
        said = page(guest, import_changed(house, guest, native, change))
        assert [flag["flag"] for flag in said["flags"]] == ["imported", "cached"]
        assert said["seats"][0]["used"] == {"seconds": 12.0, "tokens_in": 80, "tokens_out": 32}
        assert [line["text"] for line in said["lines"] if line["kind"] == "reasoning"] == [WORDS] * 16
        assert native in [other["episode"] for other in said["others"]]

        pid = guest.sit({"A": "person", "B": "scripted"}, practice=True, experiment="same", variant="text")
        guest.post("/api/leave", seat=pid)
        with guest.seat(pid) as live:
            left = page(guest, live.until(lambda state: state["episode"])["episode"])
        assert [flag["flag"] for flag in left["flags"]] == ["practice", "informed"]
        assert left["outcome"]["kind"] == "abandoned" and left["outcome"]["seat"] == "A"


def test_one_plays_the_same_instance_and_it_is_recorded_as_informed(house):
    with Guest(house.url) as guest, Guest(house.url) as stranger:
        seen = page(guest, over(guest, variant="text"))
        made = guest.http.post("/api/tables", json=seen["play"]["seats"]["B"]).json()
        assert stranger.http.get("/").status_code == 200
        with guest.seat(guest.take(made["go"])) as live:
            assert live.state["seat"] == "B" and live.state["informed"]
            assert made["episode"] not in [other["episode"] for other in page(guest, seen["episode"])["others"]]
            live.finish()
        mine = page(guest, made["episode"])
        assert mine["instance"] == seen["instance"]
        assert [flag["flag"] for flag in mine["flags"]] == ["informed", "seen before"]
        for who, lists in ((guest, True), (stranger, False)):
            others = [other["episode"] for other in page(who, seen["episode"])["others"]]
            assert (made["episode"] in others) == lists


# ---------------------------------------------------------------------- what stays at the server
def test_whoever_plays_sees_none_of_it_before_the_end(house):
    with Guest(house.url) as guest, Guest(house.url) as stranger:
        table = guest.open({"A": "person", "B": "scripted"})
        pid, episode = guest.take(table["go"]), table["episode"]
        guest.http.get(table["spectators"])  # the spectator link opens nothing to a player
        stranger.http.get("/")
        shells = [who.http.get(f"/e/{episode}", follow_redirects=True) for who in (guest, stranger)]
        assert shells[0].content == shells[1].content
        with guest.seat(pid) as live:
            live.reply(WORDS)
            for who in (guest, stranger):
                for address in addresses(episode):
                    assert who.http.get(address).status_code == 403, address
            live.finish(WORDS)
        for address in addresses(episode):
            assert guest.http.get(address).status_code == 200, address
            assert stranger.http.get(address).status_code == 403, address


def test_a_game_under_way_is_seen_as_far_as_it_is_and_by_nobody_who_then_plays(house):
    with Guest(house.url) as host, Guest(house.url) as friend:
        table = host.open({"A": "invite", "B": "scripted"})
        said = page(host, table["episode"])
        assert said["outcome"] is None and said["scores"] is None and said["status"] == "open"
        assert host.http.get(table["invitations"]["A"]).status_code == 403
        friend.take(table["invitations"]["A"])


# ---------------------------------------------------------------------- in a browser
@pytest.mark.slow
def test_it_reads_well(house, new_page):
    from axe_playwright_python.sync_playwright import Axe

    with Guest(house.url) as guest:
        episode = over(guest, variant="text")
    wide = new_page(f"{house.url}/e/{episode}")
    expect(wide.get_by_role("heading", name="MatchIt")).to_be_visible()
    expect(wide.get_by_role("heading", name="Who decided what")).to_be_visible()
    lines = wide.locator(".lines > li")
    assert lines.count() > 30 and lines.locator("table.grid").count() == 2
    wide.get_by_role("button", name="Seat B").click()
    expect(lines.locator("table.grid")).to_have_count(1)
    expect(lines.locator(".reply .who", has_text="A ·")).to_have_count(0)
    expect(lines.locator("blockquote", has_text="A · Description")).to_be_visible()
    expect(lines.locator(".used").first).to_be_hidden()
    wide.get_by_label("Time and tokens").check()
    expect(lines.locator(".used").first).to_be_visible()
    wide.get_by_text("events as they are stored").click()
    wide.get_by_text("0 · start").click()
    expect(wide.locator(".raw pre")).to_contain_text('"instance_id": "matchit/text/')
    narrow = new_page(f"{house.url}/e/{episode}", color_scheme="dark", viewport={"width": 390, "height": 844})
    expect(narrow.get_by_role("heading", name="Who decided what")).to_be_visible()
    assert narrow.evaluate("document.documentElement.scrollWidth") == 390
    for seen in (wide, narrow):
        found = Axe().run(seen).response["violations"]
        assert not [each["id"] for each in found if each["impact"] in ("serious", "critical")]
    narrow.get_by_text("Play this instance yourself").click()
    narrow.get_by_role("button", name="Play as A").click()
    expect(narrow.locator("form.ask")).to_be_visible()


def test_who_may_not_see_it_reads_why(house, new_page):
    with Guest(house.url) as guest:
        episode = guest.open({"A": "person", "B": "scripted"})["episode"]
    page = new_page()
    new_page.allow("status of 403")
    page.goto(f"{house.url}/e/{episode}")
    expect(page.get_by_text("can be watched only by its spectator link")).to_be_visible()
