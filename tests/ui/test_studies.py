"""Tests of studies from outside: participants who come by a link, step by step, and what the researcher reads."""

import contextlib
import csv
import io
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from websockets.exceptions import InvalidStatus

from engine.formats.study import STUDY_COLUMNS
from engine.storage.participants import read_participant_keys
from engine.storage.store import Store
from engine.storage.study_records import IdentifierStore, StudyRecords, make_participation_id
from engine.studies.pages import DATA_DELETED_TEXT, DATA_KEPT_TEXT
from engine.studies.study_file import parse_study
from tests.conftest import Server
from tests.serving import run_command
from tests.ui.participants import EXAMPLES, SHORT, Participant, add, ludens, participant_maker, status

Json = dict[str, Any]


@pytest.fixture(scope="module")
def house(module_server: Callable) -> Server:
    return module_server()


@pytest.fixture
def people(house: Server) -> Iterator[Callable[[], Participant]]:
    with participant_maker() as make:
        yield partial(make, house)


# ---------------------------------------------------------------------- from link to code
def test_a_participant_goes_from_the_link_to_the_code(house, people, tmp_path):
    changes = (
        ("count = 10", "count = 2"),
        ("matchit/picture", "matchit/picture/photos-same"),
        ("people = 2", "people = 1"),
    )
    name = add(house, tmp_path, "matchit-model", *changes)
    person = people()
    person.arrive(name)
    kinds = []
    page = person.page()
    while not page["is_over"]:
        kinds.append(page["step"]["kind"])
        page = person.go_on(page, {"see_partner": "No", "both_decide": "When both decide correctly"})
    games = ["game", "result"] * 2
    assert kinds == ["consent", "survey", "rules", *games, "survey", "debriefing"]
    assert page["step"] == {"id": "end", "kind": "end", "state": "completed", "code": "COMPLETED1"}
    person.arrive(name)  # the same link shows the same end
    assert person.page()["step"]["code"] == "COMPLETED1"
    counts = status(house, name)
    assert counts["arrived"] == counts["completed"] == 1
    assert sum(cell["done"] for cell in counts["cells"]) == 2
    assert len({cell["instance"] for cell in counts["cells"] if cell["done"]}) == 2


def test_a_reload_and_another_browser_lead_to_the_same_step(house, people, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT, ("[consent]", "open_labels = true\n\n[consent]"))
    person, other = people(), people()
    first = person.arrive(name, "?participant=anna")
    page = person.go_on(person.page())
    assert person.page() == page and page["step"]["kind"] == "rules"
    page = person.go_on(page)
    assert page["step"]["kind"] == "game"
    assert other.arrive(name, "?participant=anna") == first
    assert other.page()["step"] == page["step"]
    refused = person.http.get("/api/participation", params={"id": first})
    assert refused.status_code == 403 and "another window" in refused.json()["error"]
    assert other.finish()["step"]["state"] == "completed"
    with pytest.raises(Exception, match="403"), person.seat(page["step"]["url"].removeprefix("/table?seat=")):
        pass


def test_a_server_that_was_killed_goes_on_at_the_same_step(server, tmp_path):
    house = server()
    name = add(house, tmp_path, "mapworld-alone", *SHORT)
    with Participant(house.url) as person:
        person.arrive(name)
        page = person.page()
        while not page["is_over"]:
            house.restart()
            assert person.page()["step"]["id"] == page["step"]["id"]
            page = person.go_on(page)
    counts = status(house, name)
    assert counts["completed"] == 1 and sum(cell["done"] for cell in counts["cells"]) == 2


# ---------------------------------------------------------------------- pairs
def take_part_together(pair: list[Participant], name: str) -> None:
    """Let two people take part in a study at the same time, to its end."""
    ends: list[Json] = []
    errors: list[BaseException] = []

    def take_part(person: Participant) -> None:
        try:
            person.arrive(name)
            ends.append(person.finish())
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=take_part, args=(person,)) for person in pair]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not errors and [end["step"]["state"] for end in ends] == ["completed"] * 2


def test_pairs_play_an_experiment_to_its_end_before_the_next(house, people, tmp_path):
    seats = 'seats = { speaker = "participant", listener = "participant" }'
    more = "".join(
        f'[[games.deals]]\nselection = "reference/picture/{name}"\n{seats}\n\n'
        for name in ("rooms", "objects", "pentomino")
    )
    changes = (("feedback = ", 'order = "blocks"\nfeedback = '), ("[[games.deals]]", f"{more}[[games.deals]]"))
    name = add(house, tmp_path, "reference-pairs", *changes)
    with Store(house.db) as store:
        earlier_episodes = {row.id for row in store.episodes()}
        take_part_together([people(), people()], name)
        experiments = [row.experiment for row in store.episodes() if row.id not in earlier_episodes]
    assert len(experiments) == 4 and len(set(experiments)) == 1, experiments


def test_two_people_are_paired_and_play_every_game_together(house, people, tmp_path):
    name = add(house, tmp_path, "reference-pairs", ("count = 4", "count = 2"))
    take_part_together([people(), people()], name)
    cells = [cell for cell in status(house, name)["cells"] if cell["done"]]
    assert sorted(cell["seat"] for cell in cells) == ["listener"] * 2 + ["speaker"] * 2
    assert len({cell["instance"] for cell in cells}) == 2
    report = tmp_path / "report.html"
    ludens(house, "study", "report", name, "--out", str(report))
    text = " ".join(re.sub(r"<style>.*?</style>|<[^>]*>", " ", report.read_text("utf-8"), flags=re.S).split())
    assert "2 arrived 2 began to play 2 completed the study 2 in the analysis" in text
    assert "no interval: 2 people, 2 instances 2 2 2" in text, "two games of two people"
    assert "Person or machine?" in text and "a person 0 2" in text, "each person's first guess"


def test_a_program_takes_the_seat_when_nobody_comes(house, people, tmp_path):
    changes = (("count = 4", "count = 1"), ("seconds = 120", "seconds = 5"))
    name = add(house, tmp_path, "reference-pairs", *changes)
    person = people()
    person.arrive(name)
    assert person.finish()["step"]["state"] == "completed"
    counts = status(house, name)
    assert not sum(cell["done"] for cell in counts["cells"]), "a game with a program fills no cell of pairs"
    with Store(house.db) as store:
        games = StudyRecords(store, store).list_games(person.id)
    assert [game.state for game in games] == ["counts"] and games[0].cell, "what it showed counts as met"


def test_who_waits_in_vain_is_told_so_where_no_program_is_named(house, people, tmp_path):
    changes = (("seconds = 120", "seconds = 5"), ('program = "scripted"\n', ""), ("NOPARTNER3", "NOBODY"))
    name = add(house, tmp_path, "reference-pairs", *changes)
    person = people()
    person.arrive(name)
    assert person.finish()["step"] == {"id": "end", "kind": "end", "state": "no_partner", "code": "NOBODY"}
    assert status(house, name)["turned_away"] == 1


# ---------------------------------------------------------------------- other ends
def test_who_declines_or_does_not_understand_the_rules_does_not_play(house, people, tmp_path):
    name = add(house, tmp_path, "matchit-model")
    declining, failing = people(), people()
    declining.arrive(name)
    page = declining.send(declining.page(), {"agree": False})
    assert page["step"]["state"] == "declined" and page["step"]["code"] == "DECLINED1"
    failing.arrive(name)
    page = failing.go_on(failing.go_on(failing.page()))
    answers = {"see_partner": "Yes", "both_decide": "When both decide correctly"}
    refused = failing.post("/api/participation", id=failing.id, step="rules", answers=answers)
    assert refused.status_code == 422 and "Can you see" in refused.json()["why"]
    assert failing.page()["step"]["attempts_left"] == 1
    page = failing.send(page, answers)
    assert page["step"]["state"] == "screened_out" and page["step"]["code"] == "SCREENED1"
    counts = status(house, name)
    assert (counts["declined"], counts["screened_out"], counts["arrived"]) == (1, 1, 2)


def test_a_full_study_turns_people_away_and_a_draft_is_closed(house, people, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT, ("people = 3", "people = 1"), ("count = 2", "count = 10"))
    first, second, early = people(), people(), people()
    first.arrive(name)
    assert first.finish()["step"]["state"] == "completed"
    counts = status(house, name)
    assert all(cell["done"] <= cell["wanted"] for cell in counts["cells"])
    rest = sum(cell["wanted"] - cell["done"] for cell in counts["cells"])
    for _ in range(rest):  # small mazes of the same shape are for different people
        other = people()
        other.arrive(name)
        other.finish()
    second.arrive(name)
    assert second.page()["step"]["state"] == "full"
    draft = tmp_path / "draft"
    draft.mkdir()
    closed = add(house, draft, "mapworld-alone", state="draft")
    assert early.http.get(f"/study/{closed}").status_code == 403
    assert early.http.get("/study/nothing-of-this-name").status_code == 404


def test_an_answer_that_is_missing_is_asked_for_and_loses_nothing(house, people, tmp_path):
    name = add(house, tmp_path, "matchit-model")
    person = people()
    person.arrive(name)
    page = person.go_on(person.page())
    refused = person.post("/api/participation", id=person.id, step=page["step"]["id"], answers={"age": "old"})
    assert refused.status_code == 422 and refused.json()["why"] == "How old are you, in years?"
    assert person.page() == page
    again = person.post("/api/participation", id=person.id, step="consent", answers={"agree": False})
    assert again.json()["step"] == page["step"], "an answer to an earlier step changes nothing"


def test_withdrawing_keeps_or_deletes(house, people, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT)
    keeping, deleting = people(), people()
    for person, delete in ((keeping, False), (deleting, True)):
        person.arrive(name)
        page = person.page()
        while page["step"]["id"] != "game-2" or page["step"]["kind"] != "game":
            page = person.go_on(page)
        answer = person.post("/api/participation/withdraw", id=person.id, delete=delete)
        step = answer.json()["step"]
        assert step["state"] == "withdrawn" and person.page()["step"] == step
        assert (DATA_DELETED_TEXT if delete else DATA_KEPT_TEXT) in step["text"] and "2027-12-31" in step["text"]
    counts = status(house, name)
    assert counts["withdrawn"] == 2 and sum(cell["done"] for cell in counts["cells"]) == 1
    assert not sum(cell["in_play"] for cell in counts["cells"])


# ---------------------------------------------------------------------- what nobody else sees
def test_a_browser_that_takes_part_gets_study_pages_only(house, people, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT)
    person = people()
    person.arrive(name)
    for path in ("/", "/results", "/watch?episode=x", "/episode?id=x"):
        answer = person.http.get(path)
        assert answer.status_code == 303 and answer.headers["location"] == f"/participate?id={person.id}", path
    assert person.http.get("/api/lobby").status_code == 403
    assert person.post("/api/tables", game="mapworld", seats={"walker": "person"}).status_code == 403
    for path in ("/ws/lobby", "/ws/queue?game=matchit", "/ws/watch?episode=x"):
        with pytest.raises(InvalidStatus, match="403"):
            person.socket(path)
    person.finish()
    assert person.http.get("/api/lobby").status_code == 200


def test_games_of_a_study_are_shown_to_nobody_else(house, people, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT)
    person, stranger = people(), people()
    person.arrive(name)
    person.finish()
    with Store(house.db) as store:
        [episode, *_] = [row.id for row in store.episodes() if name in json.dumps(row.start["people"])]
    stranger.http.get("/")
    for guest in (person, stranger):
        for path in (f"/api/debrief?episode={episode}", f"/api/access?episode={episode}"):
            assert guest.http.get(path).status_code == 403, path
        assert episode not in guest.http.get("/api/lobby").text


def test_identifiers_of_people_are_in_their_own_file_only(house, people, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT)
    person = people()
    planted = "5f3aPLANTEDe91c"
    answer = person.http.get(f"/study/{name}?PROLIFIC_PID={planted}&STUDY_ID=st-PLANTED&SESSION_ID=se-PLANTED")
    assert "PLANTED" not in answer.headers["location"] and answer.headers["referrer-policy"] == "no-referrer"
    person.id = answer.headers["location"].removeprefix("/participate?id=")
    pages = [person.page()]
    while not pages[-1]["is_over"]:
        pages.append(person.go_on(pages[-1]))
    assert "PLANTED" not in json.dumps(pages)
    files = [file for file in house.db.parent.rglob("*") if file.is_file()]
    holding = {file.name for file in files if b"PLANTED" in file.read_bytes()}
    assert {name.removesuffix("-wal") for name in holding} == {"studies-identifiers.db"}
    assert planted in ludens(house, "study", "person", name, planted, "--export")
    ludens(house, "study", "anonymise", name, "--yes")
    holding = {file.name for file in files if file.exists() and b"PLANTED" in file.read_bytes()}
    assert holding <= {"studies-identifiers.db-wal"}
    again = people().http.get(f"/study/{name}?PROLIFIC_PID={planted}")
    assert again.status_code == 403, "they would have a second pseudonym"


def test_the_link_of_a_deleted_person_says_so_and_begins_nothing(house, people, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT)
    person, link = people(), "?PROLIFIC_PID=5f3aFORGOTTEN"
    person.arrive(name, link)
    person.finish()
    ludens(house, "study", "person", name, "5f3aFORGOTTEN", "--delete", "--yes")
    for guest in (person, people()):
        refused = guest.http.get(f"/study/{name}{link}", headers={"accept": "text/html"})
        assert refused.status_code == 410
        assert "Your data in this study were deleted." in refused.text and "study@example.org" in refused.text
    assert status(house, name)["arrived"] == 1
    files = [file for file in house.db.parent.rglob("*") if file.is_file() and not file.name.endswith("-wal")]
    assert not [file.name for file in files if b"FORGOTTEN" in file.read_bytes()]
    people().arrive(name, "?PROLIFIC_PID=5f3aSOMEBODY")


@pytest.mark.parametrize("link", ["", "?PROLIFIC_PID=5f3aONE"])
def test_the_page_of_a_deleted_person_says_the_same_as_their_link(house, people, tmp_path, link):
    name = add(house, tmp_path, "mapworld-alone", *SHORT)
    person = people()
    person.arrive(name, link)
    person.finish()
    with Store(house.db) as store:
        pseudonym = StudyRecords(store, store).require_participation(person.id).pseudonym
    ludens(house, "study", "person", name, pseudonym, "--delete", "--yes")
    for path in ("/api/participation", "/api/participation/messages"):
        refused = person.http.get(path, params={"id": person.id})
        assert refused.status_code == 410, refused.text
        assert refused.json()["error"] == "Your data in this study were deleted."
        assert "study@example.org" in refused.json()["why"]


def test_identifiers_are_deleted_after_the_date_of_the_consent(house, people, tmp_path):
    changes = (*SHORT, ("retention = 2027-12-31", "retention = 2020-01-01"))
    name = add(house, tmp_path, "mapworld-alone", *changes)
    people().arrive(name, "?PROLIFIC_PID=EXPIRED55")
    files = house.db.parent.glob("studies-identifiers.db*")
    paths, until = list(files), time.monotonic() + 60
    while any(b"EXPIRED55" in path.read_bytes() for path in paths if path.exists()) and time.monotonic() < until:
        time.sleep(0.5)
    assert not [path for path in paths if path.exists() and b"EXPIRED55" in path.read_bytes()]


def test_a_study_that_cannot_be_dealt_any_more_holds_up_no_other_and_keeps_its_date(house, people, tmp_path):
    expired = ("retention = 2027-12-31", "retention = 2020-01-01")
    name = add(house, tmp_path, "mapworld-alone", *SHORT, expired)
    broken = f"0-{name}"[:60].rstrip("-")  # the server looks after it first
    text = (tmp_path / "study.toml").read_text(encoding="utf-8").replace(f'name = "{name}"', f'name = "{broken}"')
    text = text.replace("mapworld/ee-text/small", "mapworld/ee-text/not-installed")
    with Store(house.db) as store, contextlib.closing(IdentifierStore(house.db)) as identifiers:
        records = StudyRecords(store, store)
        records.add_study(broken, parse_study(text, "study.toml").version, text)
        id_ = make_participation_id()
        records.begin_participation(id_, broken, records.read_study(broken).version, "browser", is_pilot=False)
        records.update_participation(id_, last_seen=1)
        identifiers.add_identifier(broken, "prolific", "EXPIRED66", id_, {})
    people().arrive(name, "?PROLIFIC_PID=EXPIRED77")
    until = time.monotonic() + 60
    with contextlib.closing(IdentifierStore(house.db)) as identifiers:
        while (identifiers.has_identifiers(broken) or identifiers.has_identifiers(name)) and time.monotonic() < until:
            time.sleep(0.5)
        assert not identifiers.has_identifiers(broken) and not identifiers.has_identifiers(name)


def test_a_personal_link_is_for_the_label_that_it_names(house, people, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT)
    labels = tmp_path / "labels.txt"
    labels.write_text("anna\nbert\n", encoding="utf-8")
    lines = ludens(house, "study", "links", name, str(labels), "--url", house.url).splitlines()
    paths = [line.partition("\t")[2].removeprefix(f"{house.url}/study/{name}") for line in lines]
    one, two = people(), people()
    assert one.arrive(name, paths[0]) != two.arrive(name, paths[1])
    forged = paths[0].replace("anna", "carl")
    assert people().http.get(f"/study/{name}{forged}").status_code == 403
    assert people().http.get(f"/study/{name}?participant=carl").status_code == 403


# ---------------------------------------------------------------------- what the researcher gets
def test_an_export_has_everything_and_no_identifier(house, people, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT)
    person = people()
    person.arrive(name, "?PROLIFIC_PID=PLANTED77")
    page = person.page()
    while not page["is_over"]:
        answers = {"how_decided": "=1+1, or write to me@example.org"} if page["step"]["kind"] == "survey" else None
        page = person.send(page, answers) if answers else person.go_on(page)
    folder = tmp_path / "export"
    tables = export_tables(house, name, folder)
    [participant] = tables["participants"]
    assert participant["state"] == "completed" and participant["participant"].startswith("p-")
    assert [row["game_state"] for row in tables["games"]] == ["counts", "counts"]
    assert {row["episode"] for row in tables["games"]} == {row["episode"] for row in tables["episodes"]}
    [answer] = [row["answer"] for row in tables["answers"] if row["question"] == "how_decided"]
    assert answer.startswith("'=1+1")
    description = json.loads((folder / "dataset_description.json").read_text(encoding="utf-8"))
    columns = {column for rows in tables.values() if rows for column in rows[0]}
    assert columns <= {variable["name"] for variable in description["variableMeasured"]}
    assert "me@example.org" in (folder / "review.txt").read_text(encoding="utf-8")
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert readme.startswith(f"# Ludens study {name}\n") and description["name"] == f"Ludens study {name}"
    assert all(table in readme for table in STUDY_COLUMNS) and "Three tables" not in readme
    assert list((folder / "materials").glob("study-*.toml"))
    pages = {path.stem: path.read_text("utf-8") for path in (folder / "materials").glob("pages-*/*.html")}
    assert set(pages) == {"consent", "rules", "survey-after-0", "debriefing"}
    assert "Consent, Article 6(1)(a) GDPR" in pages["consent"]
    assert "<svg" in pages["rules"] and "Visit all rooms" in pages["rules"], "the diagram of the rules"
    assert "<textarea" in pages["survey-after-0"] and "<script" not in "".join(pages.values())
    assert not [path for path in folder.rglob("*") if path.is_file() and b"PLANTED77" in path.read_bytes()]


def export_tables(house: Server, name: str, folder: Path) -> dict[str, list[dict[str, str]]]:
    """Export a study; return the rows of each table."""
    ludens(house, "study", "export", name, str(folder))
    return {
        path.name.split("-")[2].partition("_")[0]: list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))
        for path in (folder / "data").glob("*.csv")
    }


def test_one_person_has_one_pseudonym_in_all_tables_of_an_export(house, people, tmp_path):
    """They arrive without a name, come again by a personal link, and play the second game in another browser."""
    name = add(house, tmp_path, "mapworld-alone", *SHORT)
    laptop, phone = people(), people()
    by_browser = laptop.arrive(name)
    page = laptop.page()
    while page["step"]["id"] != "game-2":
        page = laptop.go_on(page)
    assert laptop.arrive(name, "?PROLIFIC_PID=TWICE88") == by_browser
    assert phone.arrive(name, "?PROLIFIC_PID=TWICE88") == by_browser
    phone.finish()
    tables = export_tables(house, name, tmp_path / "export")
    [pseudonym] = [row["participant"] for row in tables["participants"]]
    assert [json.loads(row["participants"]) for row in tables["episodes"]] == [{"walker": pseudonym}] * 2
    for table in ("turns", "replies", "answers", "games"):
        assert {row["participant"] for row in tables[table]} == {pseudonym}, table
    with Store(house.db) as store:
        assert len({read_participant_keys(store)[row["episode"], row["seat"]] for row in tables["games"]}) == 1


def test_the_documentation_has_every_column_of_a_study():
    page = (EXAMPLES.parent / "formats.md").read_text(encoding="utf-8")
    for table, columns in STUDY_COLUMNS.items():
        [row] = re.findall(rf"^\| `{table}` \|.*`participant`.*$", page, flags=re.M)
        assert all(f"`{column}`" in row for column in columns), table


# ---------------------------------------------------------------------- in a browser
def test_the_last_page_says_what_a_withdrawal_deleted(house, new_page, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT)
    page = new_page()
    page.goto(f"{house.url}/study/{name}")
    page.get_by_role("button", name="Withdraw from the study …").click()
    page.get_by_role("button", name="Withdraw, delete games and answers").click()
    page.get_by_role("heading", name="You have withdrawn").wait_for()
    page.get_by_text(DATA_DELETED_TEXT).wait_for()


def test_an_open_page_says_that_the_data_were_deleted(house, new_page, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT)
    new_page.allow("410")
    page = new_page()
    page.clock.install()
    page.goto(f"{house.url}/study/{name}?PROLIFIC_PID=5f3aOPEN")
    page.get_by_role("button", name="Withdraw from the study …").click()
    page.get_by_role("button", name="Withdraw, keep finished games").click()
    expect(page.get_by_text("stored apart so that nobody takes part twice")).to_be_visible()
    ludens(house, "study", "person", name, "5f3aOPEN", "--delete", "--yes")
    page.clock.fast_forward(11_000)
    expect(page.get_by_role("heading", name="Your data in this study were deleted.")).to_be_visible()
    expect(page.get_by_text("write to study@example.org")).to_be_visible()
    expect(page.get_by_text("stored apart")).to_have_count(0)


def test_the_study_begins_when_the_window_is_large_enough(house, new_page, tmp_path):
    ends = ("[ends]", '[ends]\nwrong_device = "INCOMPATIBLE"')
    large = ("minutes = ", "minimum_viewport = [800, 500]\nminutes = ")
    name = add(house, tmp_path, "mapworld-alone", *SHORT, large, ends)
    page = new_page(viewport={"width": 390, "height": 844})
    page.goto(f"{house.url}/study/{name}")
    page.get_by_role("heading", name="This window is too small").wait_for()
    page.get_by_text("at least 800 × 500 pixels; this one has 390 × 844").wait_for()
    page.set_viewport_size({"width": 1000, "height": 700})
    page.get_by_role("heading", name="Exploring a building").wait_for()
    page.set_viewport_size({"width": 700, "height": 700})
    page.get_by_role("button", name="I cannot make it larger").click()
    page.get_by_role("heading", name="This device does not fit").wait_for()
    page.get_by_text("INCOMPATIBLE").wait_for()
    counts = status(house, name)
    assert (counts["arrived"], counts["turned_away"]) == (1, 1)


# ---------------------------------------------------------------------- the study file
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("count = 10", "count = 0"), r"study.toml:5\d: games.count: .*greater than or equal to 1"),
        (("contact = ", "contakt = "), r"contakt: there is no such field"),
        (('A = "participant"', 'A = "scripted"'), r"study.toml:\d+: games.deals.0: one or two seats"),
        (('"matchit/picture"', '"matchit/pictures"'), r"games.deals.0.selection: .*picture"),
        (('B = "scripted"', 'B = "nobody-of-this-name"'), r"games.deals.0.seats.B: "),
        (('block = "demographics"', 'block = "demografics"'), r"surveys.0: there is no block 'demografics'"),
        (("count = 10", "count = 200"), r"at most \d+"),
        (("seed = 7", "seed = 7\nhidden_partner = true"), r"a person or a computer program"),
    ],
)
def test_a_mistake_in_a_study_file_is_named(tmp_path, change, words):
    text = (EXAMPLES / "matchit-model.toml").read_text(encoding="utf-8")
    file = tmp_path / "study.toml"
    assert change[0] in text
    file.write_text(text.replace(*change, 1), encoding="utf-8")
    done = run_command("study", "check", file)
    assert done.returncode == 2 and re.search(words, done.stderr), done.stderr


def test_a_program_that_cannot_take_the_seat_of_a_partner_is_named(tmp_path):
    text = (EXAMPLES / "reference-pairs.toml").read_text(encoding="utf-8")
    file = tmp_path / "study.toml"
    file.write_text(text.replace('program = "scripted"', 'program = "nobody-of-this-name"'), encoding="utf-8")
    done = run_command("study", "check", file)
    assert done.returncode == 2 and "waiting.program: " in done.stderr, done.stderr


def test_a_mistake_in_an_entry_of_a_list_is_not_taken_for_a_list_without_entries(tmp_path):
    text = (EXAMPLES / "matchit-model.toml").read_text(encoding="utf-8")
    file = tmp_path / "study.toml"
    file.write_text(re.sub(r"^people = ", "peple = ", text, flags=re.M), encoding="utf-8")
    done = run_command("study", "check", file)
    assert done.returncode == 2 and "peple: there is no such field" in done.stderr and "at least" not in done.stderr
    file.write_text(text.partition("[[games.deals]]")[0].replace("[games]", "[games]\ndeals = []"), encoding="utf-8")
    assert "at least 1 item" in run_command("study", "check", file).stderr


def test_the_steps_have_the_surveys_after_each_game(tmp_path):
    text = (EXAMPLES / "matchit-model.toml").read_text(encoding="utf-8")
    file = tmp_path / "study.toml"
    survey = '[[surveys]]\nwhen = "after_game"\nblock = "how_decided"\n'
    file.write_text(text.replace("count = 10", "count = 10\npractice = 1") + survey, encoding="utf-8")
    steps = run_command("study", "check", file).stdout
    assert "rules, practice-1, 10 games, survey-after_game-0 after each, " in steps


@pytest.mark.parametrize(("count", "is_noted"), [(1, False), (2, True)])
def test_an_experiment_with_one_target_throughout_is_noted_where_participants_play_several_games(
    tmp_path, count, is_noted
):
    text = (EXAMPLES / "reference-pairs.toml").read_text(encoding="utf-8")
    file = tmp_path / "study.toml"
    file.write_text(text.replace("/everyday", "/rooms-static").replace("count = 4", f"count = {count}"), "utf-8")
    note = "nobody plays two games of reference/picture/rooms-static: all its instances have a picture"
    assert (note in run_command("study", "check", file).stdout) == is_noted


@pytest.mark.parametrize("example", sorted(path.stem for path in EXAMPLES.glob("*.toml")))
def test_the_examples_can_be_dealt(example):
    done = run_command("study", "check", EXAMPLES / f"{example}.toml")
    assert done.returncode == 0, done.stderr
    [needed, complete] = map(int, re.search(r"participants: (\d+); of these (\d+)", done.stdout).groups())  # type: ignore[union-attr]
    assert needed == complete


# ---------------------------------------------------------------------- consent, practice, orders
def test_a_program_that_follows_the_link_has_not_arrived(house, people, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT)
    people().arrive(name)  # as what makes the preview of a message does
    assert status(house, name)["arrived"] == 0
    person = people()
    person.arrive(name)
    person.page()
    assert status(house, name)["arrived"] == 1


def test_a_changed_consent_is_asked_again_and_declining_it_withdraws(house, people, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT)
    agreeing, declining, newcomer = people(), people(), people()
    for person in (agreeing, declining):
        person.arrive(name)
        person.send(person.page(), {"agree": True})
    step = agreeing.page()["step"]["id"]
    text = (tmp_path / "study.toml").read_text(encoding="utf-8")
    (tmp_path / "study.toml").write_text(text.replace("You may stop", "Something is new. You may stop", 1), "utf-8")
    ludens(house, "study", "add", str(tmp_path / "study.toml"))

    asked = agreeing.page()["step"]
    assert asked["kind"] == "consent" and asked["again"] and "Something is new." in asked["text"]
    assert agreeing.post("/api/participation", id=agreeing.id, step=asked["id"], answers={}).status_code == 422
    assert agreeing.send({"step": asked}, {"agree": True})["step"]["id"] == step  # and nothing of it is asked twice
    assert agreeing.finish()["step"]["state"] == "completed"

    assert declining.send(declining.page(), {"agree": False})["step"]["state"] == "withdrawn"
    newcomer.arrive(name)
    consent = newcomer.page()["step"]
    assert "Something is new." in consent["text"] and "again" not in consent


def test_practice_games_come_first_and_count_nowhere(house, people, tmp_path):
    changes = (("count = 5", "count = 1\npractice = 2"), *SHORT[1:])
    name = add(house, tmp_path, "mapworld-alone", *changes)
    person = people()
    person.arrive(name)
    page, seen = person.page(), []
    while not page["is_over"]:
        if page["step"]["kind"] in ("game", "result"):
            seen.append((page["step"]["kind"], bool(page["step"].get("practice"))))
        page = person.go_on(page)
    practice = [("game", True), ("result", True)]
    assert seen[:-2] in ([*practice], [*practice, *practice]) and seen[-2:] == [("game", False), ("result", False)]
    counts = status(house, name)
    assert sum(cell["done"] for cell in counts["cells"]) == 1
    with Store(house.db) as store:
        records = StudyRecords(store, store)
        states = [game.state for game in records.list_games(person.id)]
        assert states.count("counts") == 1 and set(states) == {"practice", "counts"}


def test_a_pair_practises_with_a_program(house, people, tmp_path):
    name = add(house, tmp_path, "reference-pairs", ("count = 4", "count = 4\npractice = 1"))
    person = people()
    person.arrive(name)
    page = person.page()
    while page["step"]["kind"] not in ("game", "waiting"):
        page = person.go_on(page)
    assert page["step"]["practice"] and page["step"]["number"] == 1
    assert person.go_on(page)["step"]["kind"] == "result"


def test_a_latin_square_gives_each_participant_another_order(house, people, tmp_path):
    deals = '[[games.deals]]\nselection = "mapworld/ee-text/medium"\nseats = { walker = "participant" }\npeople = 2\n\n'
    name = add(
        house, tmp_path, "mapworld-alone",
        ("count = 5", 'count = 2\norder = "latin_square"'), SHORT[1], ("[[games.deals]]", deals + "[[games.deals]]"),
    )  # fmt: skip
    orders = []
    for _ in range(2):
        person = people()
        person.arrive(name)
        assert person.finish()["step"]["state"] == "completed"
        with Store(house.db) as store:
            games = StudyRecords(store, store).list_games(person.id)
            orders.append([store.episode(game.episode).start["experiment"] for game in games])
    assert sorted(orders) == [["medium", "small"], ["small", "medium"]]


# ---------------------------------------------------------------------- what rehearsals with crashes found
def play_game(person: Participant, page: Json) -> None:
    """Play the game of a page to its end, without a look at the study's page afterwards."""
    with person.seat(page["step"]["url"].removeprefix("/table?seat=")) as seat:
        seat.finish("done")


def go_to_game(person: Participant) -> Json:
    page = person.page()
    while page["step"]["kind"] != "game":
        page = person.go_on(page)
    return page


def go_to_games(pair: list[Participant]) -> list[Json]:
    """Take turns until everybody is at a game, so that they wait for each other."""
    pages = [person.page() for person in pair]
    while any(page["step"]["kind"] != "game" for page in pages):
        pages = [
            page if page["step"]["kind"] == "game" else person.go_on(page)
            for person, page in zip(pair, pages, strict=True)
        ]
    return pages


def test_a_game_finished_just_before_withdrawing_counts(house, people, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT)
    person = people()
    person.arrive(name)
    play_game(person, go_to_game(person))
    person.post("/api/participation/withdraw", id=person.id, delete=False)
    assert sum(cell["done"] for cell in status(house, name)["cells"]) == 1


def test_a_game_that_a_partner_deleted_fills_no_cell_and_the_other_goes_on(house, people, tmp_path):
    name = add(
        house, tmp_path, "reference-pairs", ("count = 4", "count = 1"), ('feedback = "full"', 'feedback = "score"')
    )
    pair = [people(), people()]
    for person in pair:
        person.arrive(name)
    pages = go_to_games(pair)
    threads = [threading.Thread(target=play_game, args=pair_page) for pair_page in zip(pair, pages, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    keeping, deleting = pair
    assert keeping.page()["step"]["counts"]
    assert sum(cell["done"] + cell["in_play"] for cell in status(house, name)["cells"]) == 2  # with each other
    deleting.post("/api/participation/withdraw", id=deleting.id, delete=True)
    assert not sum(cell["done"] + cell["in_play"] for cell in status(house, name)["cells"])
    assert keeping.page()["step"]["kind"] == "result"
    assert keeping.finish()["step"]["state"] == "completed"


def test_an_attempt_at_the_rules_that_is_sent_again_is_the_same_attempt(house, people, tmp_path):
    name = add(house, tmp_path, "matchit-model")
    person = people()
    person.arrive(name)
    page = person.go_on(person.go_on(person.page()))
    assert (page["step"]["attempt"], page["step"]["attempts_left"]) == (1, 2)
    wrong = {"see_partner": "Yes", "both_decide": "When both decide correctly"}
    for _ in range(3):
        refused = person.post("/api/participation", id=person.id, step="rules", answers=wrong, attempt=1)
        assert refused.status_code == 422
    assert (person.page()["step"]["attempt"], person.page()["step"]["attempts_left"]) == (2, 1)
    last = person.post("/api/participation", id=person.id, step="rules", answers=wrong, attempt=2)
    assert last.json()["step"]["state"] == "screened_out"


def test_a_page_says_that_it_is_the_last_when_games_run_out(house, people, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT, ("people = 3", "people = 1"), ("count = 2", "count = 10"))
    early = people()
    early.arrive(name)
    page = early.page()
    while page["step"]["kind"] != "rules":
        page = early.go_on(page)
    while not page["is_over"] and any(c["wanted"] > c["done"] for c in status(house, name)["cells"]):
        other = people()
        other.arrive(name)
        other.finish()
    page = early.go_on(page)
    assert page["step"]["state"] == "full" and page["is_over"]


def test_an_arrival_that_a_crash_cut_off_is_not_stored_twice(house, people, tmp_path):
    name = add(house, tmp_path, "mapworld-alone", *SHORT)
    with IdentifierStore(house.db) as identifiers:  # as after a crash between the identifier and the participation
        identifiers.add_identifier(name, "prolific", "CUTOFF", "the-same-participation", {})
    assert people().arrive(name, "?PROLIFIC_PID=CUTOFF") == "the-same-participation"
    assert people().arrive(name, "?PROLIFIC_PID=CUTOFF") == "the-same-participation"


def test_nobody_is_away_because_the_server_was_down(server, tmp_path):
    house = server()
    name = add(house, tmp_path, "mapworld-alone", *SHORT, ("[consent]", "hold_minutes = 1\n\n[consent]"))
    with Participant(house.url) as person:
        person.arrive(name)
        page = go_to_game(person)
        house.kill()
        with Store(house.db) as store:
            StudyRecords(store, store).update_participation(person.id, last_seen=1)
        house.start()
        with Store(house.db) as store:
            records = StudyRecords(store, store)
            until = time.monotonic() + 60
            while records.require_participation(person.id).last_seen == 1 and time.monotonic() < until:
                time.sleep(0.1)
            assert records.require_participation(person.id).state == "playing"
            assert [game.state for game in records.list_games(person.id)] == ["playing"]
        assert person.page()["step"] == page["step"]
