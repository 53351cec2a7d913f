"""Tests of the desk: what the owner of a server sees of a study and does to it, and that nobody else gets in."""

import csv
import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from engine.storage.store import Store
from engine.storage.study_records import StudyRecords
from tests.conftest import Server
from tests.ui.guests import Guest
from tests.ui.participants import SHORT, Participant, add, ludens, participant_maker, status

Json = dict[str, Any]


@pytest.fixture(scope="module")
def house(module_server: Callable) -> Server:
    return module_server()


@pytest.fixture
def people(house: Server) -> Iterator[Callable[[], Participant]]:
    with participant_maker() as make:
        yield partial(make, house)


def admin_path(house: Server) -> str:
    return "/a/" + house.output().split("/a/")[1].split()[0]


@pytest.fixture
def owner(house: Server) -> Iterator[Guest]:
    with Guest(house.url) as guest:
        assert guest.http.get(admin_path(house)).status_code == 303
        yield guest


class StudyDeskPage:
    """The desk in the owner's browser."""

    def __init__(self, page: Page, study: str) -> None:
        self.page = page
        page.get_by_label("Study", exact=True).click()
        page.get_by_role("option", name=study, exact=True).click()
        expect(page.get_by_label("Study", exact=True)).to_have_value(study)
        self.said = page.locator("#desk-said p")

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name, exact=True).click()

    def expect_figure(self, label: str, count: int) -> None:
        figure = self.page.locator(".figures div", has=self.page.get_by_text(label, exact=True))
        expect(figure.locator("dd")).to_have_text(str(count))

    def cell(self, text: str) -> Locator:
        """The first cell with a text in the table of the open tab."""
        return self.page.get_by_role("gridcell").filter(has_text=text).first

    def choose(self, pseudonym: str) -> None:
        self.tab("Participants")
        self.cell(pseudonym).click()
        expect(self.page.get_by_label("Participant", exact=True)).to_have_value(pseudonym)

    def act(self, action: str, button: str, text: str = "", choice: str = "") -> str:
        """Do something to the chosen participant; return what the page says."""
        self.page.get_by_role("radio", name=action, exact=True).check()
        perform = self.page.get_by_role("button", name=button, exact=True)
        expect(perform).to_be_enabled()
        if text:
            self.page.get_by_role("textbox", name=re.compile("Message|Reason")).fill(text)
        if choice:
            self.page.get_by_label("Choose", exact=True).click()
            self.page.get_by_role("option", name=re.compile(choice)).click()
        before = self.said.inner_text() if self.said.count() else ""
        perform.click()
        expect(self.said).not_to_have_text(before or "…")
        return self.said.inner_text()


@pytest.fixture
def open_desk(house: Server, new_page: Callable) -> Callable[[str], StudyDeskPage]:
    def open_at(study: str) -> StudyDeskPage:
        # Gradio's plot measures itself when its page is gone already
        new_page.allow("Vega", "status of 40", "reading 'offsetWidth'")  # type: ignore[attr-defined]
        page = new_page(house.url + admin_path(house))
        page.goto(f"{house.url}/desk")
        return StudyDeskPage(page, study)

    return open_at


def records_of(house: Server, name: str) -> list[Any]:
    with Store(house.db) as store:
        return StudyRecords(store, store).list_participations(name)


def actions(house: Server, name: str) -> list[tuple[str, Json]]:
    with Store(house.db) as store:
        return [(action, data) for _, action, data, _ in StudyRecords(store, store).list_actions(name)]


def in_game(person: Participant, name: str) -> Json:
    """Take part until a game is open; return the page."""
    person.arrive(name)
    page = person.page()
    while page["step"]["kind"] != "game":
        page = person.go_on(page)
    return page


# ---------------------------------------------------------------------- who gets in
LIST_ROUTES = """
import json, gradio as gr
from gradio.routes import App
with gr.Blocks() as blocks:
    gr.Markdown("anything")
rows = []
for route in App.create_app(blocks).routes:
    for inner in getattr(getattr(route, "original_router", None), "routes", None) or [route]:
        rows += [(method, inner.path) for method in getattr(inner, "methods", None) or ["GET"]]
print(json.dumps(rows))
"""


def gradio_routes() -> list[tuple[str, str]]:
    """Return (method, path) of every route of a Gradio app, with parameters filled in."""
    listed = subprocess.run([sys.executable, "-c", LIST_ROUTES], capture_output=True, text=True, check=True)
    rows = json.loads(listed.stdout.splitlines()[-1])
    return sorted({(method, re.sub(r"\{[^}]*\}", "x", path)) for method, path in rows})


@pytest.mark.slow
def test_every_route_of_gradio_is_closed_to_everybody_but_the_owner(house, people, owner, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT)
    person = people()
    person.arrive(name)
    config = owner.http.get("/desk/config")
    assert config.status_code == 200 and owner.http.get("/desk/").status_code == 200
    run = {"fn_index": 0, "data": [name, None], "session_hash": "ownersession"}
    assert owner.post("/desk/gradio_api/run/predict", **run).status_code == 200
    paths = {path for _, path in gradio_routes()}
    known = ("/gradio_api/queue/join", "/gradio_api/queue/data", "/gradio_api/upload", "/config", "/assets/x")
    known += ("/gradio_api/call/x", "/gradio_api/file=x", "/gradio_api/heartbeat/x", "/gradio_api/run/x")
    assert paths >= set(known), "this version of Gradio names its routes otherwise"
    requests = {
        *gradio_routes(),
        ("POST", "/gradio_api/run/predict"),
        ("POST", "/gradio_api/call/_update"),
        ("GET", "/gradio_api/queue/data?session_hash=ownersession"),
        ("GET", "/gradio_api/heartbeat/ownersession"),
        ("GET", "/"),
    }
    stranger = httpx.Client(base_url=house.url, headers={"origin": house.url})
    with stranger:
        for client in (person.http, stranger):
            for method, path in sorted(requests):
                body = {"json": run} if method == "POST" else {}
                answer = client.request(method, f"/desk{path}", **body)
                assert answer.status_code in (403, 404), (method, path, answer.status_code)
                assert name not in answer.text
            for method, path in sorted(requests):
                if path.startswith(("/gradio_api", "/config", "/login", "/monitoring", "/svelte", "/logout", "/pwa")):
                    body = {"json": run} if method == "POST" else {}
                    assert client.request(method, path, **body).status_code in (403, 404), (method, path)
            for path in ("/desk", f"/desk/export/{name}", f"/desk/export/{name}?x=/desk"):
                assert client.get(path).status_code == 403
        forged = stranger.get("/desk/config", headers={"cookie": "browser=" + "a" * 43})
        assert forged.status_code == 403
        foreign = owner.http.post("/desk/gradio_api/run/predict", json=run, headers={"origin": "https://evil.example"})
        assert foreign.status_code == 403
    for method, path in (("POST", "/gradio_api/upload"), ("GET", "/gradio_api/info"), ("POST", "/gradio_api/call/x")):
        assert owner.http.request(method, f"/desk{path}").status_code == 404, "the desk needs it no more than others"


def test_a_server_answers_before_and_without_a_desk(server):
    house = server()
    with Guest(house.url) as guest:
        assert guest.http.get("/desk").status_code == 403
        guest.http.get(admin_path(house))
        assert guest.http.get("/desk").headers["location"].endswith("/desk/")
        answer = guest.post("/desk/gradio_api/run/predict", fn_index=0, data=[None, None], session_hash="a")
        assert answer.status_code == 200 and "There is no study on this server yet" in answer.text


# ---------------------------------------------------------------------- what the owner sees and does
@pytest.mark.slow
def test_the_desk_follows_a_participant_and_acts_on_them(house, people, open_desk, tmp_path):
    ends = ("[ends]", '[ends]\nno_partner = "PAID-EARLY"')
    name = add(house, tmp_path, "mapworld-alone", *SHORT, ends)
    desk = open_desk(name)
    desk.expect_figure("arrived", 0)
    expect(desk.page.locator(".vega-embed")).not_to_be_visible()  # no axis without bars
    person = people()
    person.arrive(name)
    page = person.page()
    desk.expect_figure("arrived", 1)
    expect(desk.page.locator(".vega-embed")).to_be_visible()
    expect(desk.cell("Consent")).to_be_visible()
    while page["step"]["kind"] != "game":
        page = person.go_on(page)
    desk.expect_figure("in play", 1)
    [who] = records_of(house, name)
    desk.choose(who.pseudonym)

    assert "sees the message" in desk.act("Message", "Send message", text="Take your time <b>please</b>")
    [message] = person.http.get("/api/participation/messages", params={"id": person.id}).json()["messages"]
    assert message["text"] == "Take your time <b>please</b>"
    with person.seat(page["step"]["url"].removeprefix("/table?seat=")) as seat:
        assert seat.state["study"]["messages"] == [message]
    assert "Undone: message" in desk.act("Undo", "Undo the last action")
    assert person.http.get("/api/participation/messages", params={"id": person.id}).json() == {"messages": []}
    desk.act("Message", "Send message", text="Second")
    [message] = person.http.get("/api/participation/messages", params={"id": person.id}).json()["messages"]
    assert person.post("/api/participation/messages", id=person.id, message=message["id"]).json() == {"messages": []}

    assert "cell is open again" in desk.act("Release the cell", "Release the cell")
    desk.expect_figure("in play", 0)
    page = person.page()
    assert page["step"]["kind"] == "result" and page["step"]["counts"] is False
    assert person.go_on(page)["step"]["kind"] == "game"
    desk.expect_figure("in play", 1)

    assert "plays on at the seat" in desk.act("Program takes the seat", "Let the program play on", choice="scripted")
    page = person.page()
    assert page["step"]["kind"] == "result" and page["step"]["counts"] is False

    assert "is excluded" in desk.act("Exclude", "Exclude participant", text="used a phone")
    expect(desk.cell("excluded: used a phone")).to_be_visible()
    assert records_of(house, name)[0].excluded == "used a phone"
    assert "Undone: excluded" in desk.act("Undo", "Undo the last action")
    assert records_of(house, name)[0].excluded is None

    assert "has ended" in desk.act("End", "End participation", choice="no partner")
    assert person.page()["step"]["code"] == "PAID-EARLY"
    desk.expect_figure("turned away", 1)
    assert "Undone: end" in desk.act("Undo", "Undo the last action")
    assert not person.page()["is_over"]
    assert person.finish()["step"]["state"] == "completed"
    desk.expect_figure("completed", 1)
    assert "nothing to undo" in desk.act("Undo", "Undo the last action")

    done = [action for action, _ in actions(house, name)]
    for action in ("message", "message_read", "release", "program", "excluded", "included", "end"):
        assert action in done, action
    assert done.count("undo") == 3
    desk.tab("Actions")
    expect(desk.cell("used a phone")).to_be_visible()


def test_the_desk_pauses_resumes_and_closes_a_study(house, people, open_desk, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT, state="pilot")
    desk = open_desk(name)
    for button, state in (("Pause", "paused"), ("Resume", "pilot"), ("Close", "closed"), ("Resume", "pilot")):
        desk.page.get_by_role("button", name=button, exact=True).click()
        expect(desk.said).to_contain_text(f"{name} is {state}.")
        expect(desk.page.locator(".state")).to_have_text(state)
        assert people().http.get(f"/study/{name}").status_code == (303 if state == "pilot" else 403)
    states = [data["state"] for action, data in actions(house, name) if action == "state"]
    assert states == ["pilot", "paused", "pilot", "closed", "pilot"]


def test_the_owner_watches_a_game_of_a_study_and_nobody_else_does(house, people, open_desk, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT)
    person, stranger = people(), people()
    page = in_game(person, name)
    desk = open_desk(name)
    desk.tab("Games")
    link = desk.page.get_by_role("link", name="Watch", exact=True).first
    address = str(link.get_attribute("href"))
    desk.page.goto(house.url + address)
    expect(desk.page).to_have_url(re.compile("/watch"))
    expect(desk.page.get_by_role("heading", name=re.compile("Map World", re.IGNORECASE)).first).to_be_visible()
    stranger.http.get("/")
    watch = stranger.http.get(address)  # even with the link
    episode = desk.page.url.partition("episode=")[2]
    assert stranger.http.get(f"/api/record?episode={episode}").status_code == 403, watch.text
    with person.seat(page["step"]["url"].removeprefix("/table?seat=")) as seat:
        seat.finish("done")


def test_a_test_participation_counts_nowhere(house, people, owner, open_desk, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT, ("people = 3", "people = 1"))
    desk = open_desk(name)
    desk.page.get_by_role("button", name="Test participation").click()
    link = desk.page.get_by_role("link", name="Take part in the test")
    address = str(link.get_attribute("href"))
    tester = people()
    tester.id = address.partition("id=")[2]
    cookies = desk.page.context.cookies(house.url)
    tester.http.cookies.set("browser", next(str(c["value"]) for c in cookies if c["name"] == "browser"))
    assert tester.finish()["step"]["state"] == "completed"
    assert tester.http.get("/").status_code == 200, "the owner's browser is not kept in the study"
    counts = status(house, name)
    assert counts["arrived"] == counts["completed"] == 0
    assert not sum(cell["done"] + cell["in_play"] for cell in counts["cells"])
    desk.expect_figure("arrived", 0)
    person = people()
    person.arrive(name)
    person.finish()
    ludens(house, "study", "export", name, str(tmp_path / "export"))
    exported = zip_texts(owner.http.get(f"/desk/export/{name}").content)
    files = {path.name: path.read_text() for path in (tmp_path / "export").rglob("*") if path.is_file()}
    for texts in (exported, files):
        assert not [file for file, text in texts.items() if tester.id in text]
        [table] = [text for file, text in texts.items() if re.search(r"participants.*\.csv$", file)]
        assert len(list(csv.DictReader(io.StringIO(table)))) == 1
    with Store(house.db) as store:
        [game, *_] = StudyRecords(store, store).list_games(tester.id)
        assert store.episode(str(game.episode)).start["people"]["walker"]["practice"] is True
    assert all(str(game.episode) not in text for text in exported.values())


def zip_texts(content: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name).decode(errors="replace") for name in archive.namelist()}


def test_the_download_holds_no_identifiers_and_is_an_event(house, people, owner, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT)
    person = people()
    answer = person.http.get(f"/study/{name}?PROLIFIC_PID=5f3aPLANTEDe91c")
    person.id = answer.headers["location"].removeprefix("/participate?id=")
    person.finish()
    answer = owner.http.get(f"/desk/export/{name}")
    assert answer.status_code == 200 and answer.headers["content-type"] == "application/zip"
    texts = zip_texts(answer.content)
    assert any(file.endswith("metadata.json") for file in texts)
    assert not [file for file, text in texts.items() if "PLANTED" in text]
    assert "export" in [action for action, _ in actions(house, name)]
    desk = owner.post("/desk/gradio_api/run/predict", fn_index=0, data=[name, None], session_hash="b").text
    assert "PLANTED" not in desk and person.id not in json.dumps(desk)
    assert owner.http.get("/desk/export/no-such-study").status_code == 404


# ---------------------------------------------------------------------- messages in the participant's browser
@pytest.mark.slow
def test_a_participant_reads_a_message_at_the_table(house, people, open_desk, new_page, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT)
    player = new_page(f"{house.url}/study/{name}")
    desk = open_desk(name)
    desk.expect_figure("arrived", 1)
    [who] = records_of(house, name)
    desk.choose(who.pseudonym)
    desk.act("Message", "Send message", text="The server restarts at noon.")
    notice = player.get_by_text("The server restarts at noon.")
    expect(notice).to_be_visible()
    player.get_by_role("button", name="OK, read").click()
    expect(notice).to_have_count(0)
    player.get_by_label("I have read this").check()
    player.get_by_role("button", name="Continue").click()
    player.get_by_role("button", name="Continue").click()
    player.get_by_role("link", name="Play game 1").click()
    expect(player.locator("form.ask:visible")).to_be_visible()
    desk.act("Message", "Send message", text="Are you stuck?")
    notice = player.get_by_text("Are you stuck?")
    expect(notice).to_be_visible()
    player.get_by_role("button", name="OK, read").click()
    expect(notice).to_have_count(0)
    desk.act("Program takes the seat", "Let the program play on", choice="scripted")
    player.get_by_role("link", name="Continue with the study").click()
    expect(player.get_by_text("This game ended early")).to_be_visible()
