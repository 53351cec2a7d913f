"""Tests of hidden partners from outside: nothing that reaches a participant tells a person from a program."""

import csv
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.core.events import PRESENCE_KINDS, Event, Kind
from engine.core.master import GameMaster
from engine.play.registry import Registry
from engine.storage.seat_links import SeatLinks
from engine.storage.store import Store
from engine.storage.study_records import StudyRecords
from engine.studies.cells import build_cells
from engine.studies.pages import describe_page, render_pages
from engine.studies.study_file import BadStudy, parse_study
from engine.studies.version import StudyVersion
from tests.conftest import ROOT, Server
from tests.serving import run_command
from tests.ui.model_server import ModelServer
from tests.ui.participants import Participant, ludens, participant_maker, status
from tests.ui.test_models import ROSTER

Json = dict[str, Any]
PARTICIPANT, SCRIPTED, MODEL = "participant", "scripted", "friend"
STUDY = """
name = "{name}"
title = "Describe and find"
controller = "Example University"
contact = "study@example.org"
legal_basis = "Consent"
ethics = "no. 1"
retention = 2027-12-31
disclosure = "a model on this machine"
minutes = 15
hidden_partner = true
[consent]
text = \"\"\"
In this study you play a short game with a partner, who is
a person or a computer program. Who it is you are told at the end. You may stop at any time.
\"\"\"
[games]
count = 1
feedback = "score"
reprompt = 1
turn_seconds = {turn_seconds}
turn_rule = "program"
{deals}
[[surveys]]
when = "after_game"
block = "person_or_machine"
[waiting]
seconds = {waiting}
ready_seconds = 20
program = "scripted"
partner_left = "program"
"""
DEAL = """
[[games.deals]]
selection = "{selection}"
seats = {{ speaker = "{speaker}", listener = "{listener}" }}
people = {people}
"""
TEXT, ROWS_2 = "reference/text/rows/0", "reference/text/rows/1"


class Describer(ModelServer):
    """A model that describes a grid, with a first reply that is refused where `refused` says so."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words, self.refused = words, 0

    def answer(self, body: Json) -> tuple[int, Json]:
        if self.status != 200:
            return super().answer(body)
        text = f"EXPRESSION: {self.words}" if len(self.requests) > self.refused else "no tag at all"
        message = {"role": "assistant", "content": text}
        return 200, {"id": "1", "object": "chat.completion", "created": 0, "model": "friend", "choices": [
            {"index": 0, "message": message, "finish_reason": "stop"}
        ]}  # fmt: skip


@pytest.fixture(scope="module")
def machine() -> Iterator[Describer]:
    with Describer("the one with a full top row") as machine:
        yield machine


@pytest.fixture(scope="module")
def roster(machine: Describer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    file = tmp_path_factory.mktemp("roster") / "players.toml"
    file.write_text(ROSTER.format(url=machine.url))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDENS_PLAYERS", str(file))  # for the commands, too
        yield


@pytest.fixture(scope="module")
def house(module_server: Callable, roster: None) -> Server:
    return module_server()


@pytest.fixture
def people() -> Iterator[Callable[[Server], Participant]]:
    with participant_maker() as make:
        yield make


def add(house: Server, folder: Path, *deals: str, turn_seconds: float = 10, waiting: float = 8) -> str:
    """Put a study with these deals on the server and open it; return its name."""
    name = folder.name.replace("_", "-").lower().rstrip("-")
    file = folder / "study.toml"
    text = STUDY.format(name=name, deals="".join(deals), turn_seconds=turn_seconds, waiting=waiting)
    file.write_text(text, encoding="utf-8")
    ludens(house, "study", "add", str(file))
    ludens(house, "study", "open", name)
    return name


def deal(speaker: str, listener: str, selection: str = TEXT, people: int = 1) -> str:
    return DEAL.format(selection=selection, speaker=speaker, listener=listener, people=people)


def play_on(person: Participant, pages: list[Json], *kinds: str) -> Json:
    """Take part until a step of one of these kinds; return its page. All pages are appended to `pages`."""
    page = person.page()
    while page["step"]["kind"] not in kinds:
        pages.append(page)
        assert not page["is_over"], page
        if page["step"]["kind"] == "waiting" or page["step"].get("pressed"):
            time.sleep(0.2)
            page = person.page()
        else:
            page = person.go_on(page)
    pages.append(page)
    return page


def both(*works: Callable[[], object]) -> None:
    """Do several things at once."""
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()


def events_of(house: Server, person: Participant) -> list[Event]:
    """Return the events of a participant's game."""
    with Store(house.db) as store:
        [game] = StudyRecords(store, store).list_games(person.id)
        return [event for event in store.events(str(game.episode)) if event.kind not in PRESENCE_KINDS]


def seat_of(page: Json) -> str:
    return str(page["step"]["url"]).removeprefix("/table?seat=")


def shape(value: Any) -> Any:
    """Return the keys and types of JSON without its numbers and texts."""
    if isinstance(value, dict):
        return {name: shape(part) for name, part in value.items()}
    if isinstance(value, list):
        return [shape(part) for part in value]
    return type(value).__name__


def shapes_of(messages: list[Json]) -> list[Any]:
    """Return what may not differ in messages: kinds, keys and their order, and whatever words and marks there are."""
    said = [
        [message.get(part) for part in ("others", "stalled", "silent", "elsewhere", "outcome")]
        + [(message.get("turn") or {}).get(part) for part in ("who", "text", "clock", "loading")]
        + [[(line["who"], line["text"]) for line in message.get("lines", ())]]
        for message in messages
    ]
    return [(list(message), shape(message), words) for message, words in zip(messages, said, strict=True)]


def observe(person: Participant, page: Json, opened: threading.Event | None = None) -> list[Json]:
    """Play the listener's seat to the end of the game; return all messages of its socket; set `opened` at the first."""
    with person.seat(seat_of(page)) as seat:
        if opened:
            opened.set()
        seat.finish()
        return seat.messages


def describe(person: Participant, page: Json, words: str, *, refused: bool = False) -> None:
    """Play the speaker's seat with these words, if need be after a reply that is refused."""
    with person.seat(seat_of(page)) as seat:
        ask = seat.wait_for_ask()
        [field] = [field["name"] for field in ask["form"]["fields"]]
        if refused:
            assert person.move(seat.name, ask["id"], {field: "two\nlines"}).status_code == 422
        assert person.move(seat.name, ask["id"], {field: words}).status_code == 200
        seat.until(lambda state: state["outcome"])


def with_program(house: Server, people: Callable, name: str) -> tuple[list[Json], list[Json], list[Event]]:
    """Let somebody play with a program; return the pages, the messages at the table, and the events."""
    person, pages = people(house), list[Json]()
    person.arrive(name)
    messages = observe(person, play_on(person, pages, "game"))
    play_on(person, pages, "end")
    return pages, messages, events_of(house, person)


def with_person(
    house: Server, people: Callable, name: str, speak: Callable[[Participant, Json], object]
) -> tuple[list[Json], list[Json], list[Event]]:
    """Let two participants play with each other; return what `with_program` returns, of the listener."""
    pair = [people(house), people(house)]
    pages: list[list[Json]] = [[], []]
    for person in pair:
        person.arrive(name)
    works = [lambda n=n: play_on(pair[n], pages[n], "game") for n in (0, 1)]
    both(*works)
    with Store(house.db) as store:
        seats = [StudyRecords(store, store).list_games(person.id)[0].seat for person in pair]
    listening = seats.index("listener")
    result: list[list[Json]] = []
    opened = threading.Event()  # who speaks before the listener's page is open leaves it a message less

    def speak_when_opened() -> None:
        assert opened.wait(60)
        speak(pair[1 - listening], pages[1 - listening][-1])

    both(lambda: result.append(observe(pair[listening], pages[listening][-1], opened)), speak_when_opened)
    play_on(pair[listening], pages[listening], "end")
    return pages[listening], result[0], events_of(house, pair[listening])


def steps_of(pages: list[Json]) -> list[Json]:
    """Return the steps of pages without what counts time, each once; the truth only as far as its form."""
    steps = []
    for page in pages:
        step = {**page["step"], "seconds": None, "url": None, "score": None}
        if step["kind"] == "debriefing":
            step["partners"] = shape(step["partners"])
        if step.get("pressed"):
            continue  # who presses first waits for the other, whoever it is
        if not steps or steps[-1] != step:
            steps.append(step)
    return steps


# ---------------------------------------------------------------------- the study file
def study_text(*changes: tuple[str, str], deals: str | None = None) -> str:
    """Return a study file with these changes of its text."""
    text = STUDY.format(name="hidden", deals=deals or deal(SCRIPTED, PARTICIPANT), turn_seconds=600, waiting=60)
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


CERTAIN = ("a person or a computer program", "another participant")
APPROVED = ("[consent]", 'deception_approval = "no. 5"\n[consent]')
DEBRIEFED = ("[consent]", 'debriefing = "It may have been a program."\n[consent]')


@pytest.mark.parametrize(
    ("changes", "deals", "words"),
    [
        ([CERTAIN], None, 'the consent has to say "a person or a computer program"'),
        ([CERTAIN, APPROVED], None, "deception_approval: a debriefing"),
        ([('feedback = "score"', 'feedback = "full"')], None, "games.feedback"),
        ([], '[[games.deals]]\nselection = "mapworld/ee-text"\nseats = { walker = "participant" }\n', "mapworld"),
    ],
)
def test_what_a_study_with_hidden_partners_lacks_is_named(changes, deals, words):
    with pytest.raises(BadStudy, match=re.escape(words)):
        parse_study(study_text(*changes, deals=deals), "study.toml")


def test_a_study_may_hide_the_partner_where_the_consent_says_so_or_deception_is_approved(tmp_path):
    file = tmp_path / "study.toml"
    for changes, told in (((), "the consent says so"), ((CERTAIN, APPROVED, DEBRIEFED), "approval: no. 5")):
        file.write_text(study_text(*changes, deals=deal(SCRIPTED, PARTICIPANT) + deal(*2 * [PARTICIPANT], ROWS_2)))
        done = run_command("study", "check", file)
        assert done.returncode == 0, done.stderr
        assert f"not shown until the debriefing ({told}); another participant or scripted" in done.stdout


def test_an_approved_deception_offers_withdrawal_again():
    study = parse_study(study_text(CERTAIN, APPROVED, DEBRIEFED), "study.toml")
    registry = Registry(ROOT)
    version = StudyVersion(study, tuple(build_cells(study, registry)))
    page = describe_page("debriefing", version, registry)
    assert page and "withdraw now" in page["withdrawal"]
    rules = describe_page("rules", version, registry)
    assert rules and "not be shown who plays with you." in rules["partner"] and "computer" not in rules["partner"]
    assert "withdraw now" in render_pages(version, registry)["debriefing"]
    honest = StudyVersion(parse_study(study_text(), "study.toml"), version.cells)
    assert "withdrawal" not in (describe_page("debriefing", honest, registry) or {})


def test_games_of_a_study_that_shows_the_partner_fill_no_cell_of_one_that_does_not():
    hidden, shown = study_text(), study_text(("hidden_partner = true\n", ""))
    keys = [{cell.cell_key for cell in build_cells(parse_study(text, "s"), Registry(ROOT))} for text in (hidden, shown)]
    assert not keys[0] & keys[1]


# ---------------------------------------------------------------------- a person and a program are alike
@pytest.mark.parametrize("refused", [False, True])
def test_the_same_replies_of_a_person_and_of_a_program_give_the_same_messages(
    house, people, machine, tmp_path, refused
):
    folders = [tmp_path / f"hidden-{part}-{refused}" for part in ("program", "person")]
    for folder in folders:
        folder.mkdir()
    machine.requests.clear()
    machine.refused = int(refused)
    pages, messages, events = with_program(house, people, add(house, folders[0], deal(MODEL, PARTICIPANT)))
    speak = lambda person, page: describe(person, page, machine.words, refused=refused)  # noqa: E731
    name = add(house, folders[1], deal(PARTICIPANT, PARTICIPANT), turn_seconds=20)
    other_pages, other_messages, other_events = with_person(house, people, name, speak)
    assert shapes_of(messages) == shapes_of(other_messages)
    assert len(messages) == 3, "one message when the page opens, one for each reply: none for what was refused"
    assert steps_of(pages) == steps_of(other_pages)
    assert [kind_of(event) for event in other_events] == [kind_of(event) for event in events if not is_refusal(event)]
    assert any(event.kind is Kind.VIOLATION for event in events) is refused
    player_natures = [
        page["step"]["partners"] for page in (pages + other_pages) if page["step"]["kind"] == "debriefing"
    ]
    assert [[partner["partner"] for partner in game] for game in player_natures] == [["program"], ["person"]]


def kind_of(event: Event) -> tuple[str, str | None]:
    return str(event.kind), event.seat


def is_refusal(event: Event) -> bool:
    """Return whether an event is of the first reply, which was refused; a person's form refuses without an event."""
    return event.kind is Kind.VIOLATION or (event.kind is Kind.REPLY and "no tag" in event.data["text"])


def test_after_a_takeover_nobody_is_told_and_the_truth_is_both(house, people, machine, tmp_path):
    machine.refused = 0
    folders = [tmp_path / "hidden-taken", tmp_path / "hidden-kept"]
    for folder in folders:
        folder.mkdir()

    def stay_silent(person: Participant, page: Json) -> None:
        """Open the page of the table and write nothing."""
        with person.seat(seat_of(page)) as seat, pytest.raises(Exception, match="4403"):
            seat.until(lambda _: False)

    name = add(house, folders[0], deal(PARTICIPANT, PARTICIPANT), turn_seconds=10)
    pages, messages, events = with_person(house, people, name, stay_silent)
    assert [event.data["reason"] for event in events if event.kind is Kind.SEAT] == ["no reply in time"]
    name = add(house, folders[1], deal(PARTICIPANT, PARTICIPANT), turn_seconds=20)
    speak = lambda person, page: describe(person, page, words_of(events))  # noqa: E731
    other_pages, other_messages, _ = with_person(house, people, name, speak)
    assert shapes_of(messages) == shapes_of(other_messages)
    assert steps_of(pages) == steps_of(other_pages), "the game that a program played on is a game like any other"
    partners = [page["step"]["partners"] for page in pages if page["step"]["kind"] == "debriefing"]
    assert partners == [[{"game": 1, "partner": "both"}]]
    replay(events)


def words_of(events: list[Event]) -> str:
    """Return what the speaker wrote, as the form takes it."""
    [value] = [event.data["value"] for event in events if event.kind is Kind.PARSED and event.seat == "speaker"]
    return str(value)


def replay(events: list[Event]) -> None:
    """Play a log again by the rules; raise where they give other events."""
    GameMaster.resume(Registry(ROOT).game(events[0].data["game"]), events)


def test_a_model_that_fails_is_replaced_and_nobody_reads_of_it(house, people, machine, tmp_path, monkeypatch):
    folder = tmp_path / "hidden-failing"
    folder.mkdir()
    monkeypatch.setattr(machine, "status", 500)
    pages, messages, events = with_program(house, people, add(house, folder, deal(MODEL, PARTICIPANT)))
    assert [event.kind for event in events if event.kind in (Kind.FAULT, Kind.SEAT)] == [Kind.FAULT] * 2 + [Kind.SEAT]
    assert len(messages) == 3 and not any(message.get("stalled") or message.get("silent") for message in messages)
    [result] = [page["step"] for page in pages if page["step"]["kind"] == "result"]
    assert (result["ending"], result["counts"]) == ("counts", True)


# ---------------------------------------------------------------------- a server that is killed
def test_a_reply_that_was_held_is_released_after_a_crash_and_asked_for_once(
    server, people, machine, roster, tmp_path, monkeypatch
):
    house = server()
    machine.refused = 0
    machine.requests.clear()
    folder = tmp_path / "hidden-killed"
    folder.mkdir()
    monkeypatch.setattr(machine, "words", "the one with a full top row, and nothing at all in the other rows, " * 4)
    person = people(house)
    person.arrive(add(house, folder, deal(MODEL, PARTICIPANT)))
    page = play_on(person, [], "game")
    with person.seat(seat_of(page)) as seat:
        until = time.monotonic() + 60
        while not any(event.kind is Kind.REPLY for event in events_of(house, person)):
            assert time.monotonic() < until
            time.sleep(0.05)
        house.kill()
        assert events_of(house, person)[-1].kind is Kind.REPLY, "it is stored, and nothing follows from it yet"
        assert machine.words.strip() not in json.dumps(seat.messages)
    house.start()
    messages = observe(person, play_on(person, [], "game"))
    assert machine.words.strip() in json.dumps(messages)
    events = events_of(house, person)
    assert [event.kind for event in events].count(Kind.RELEASED) == 2
    assert len(machine.requests) == 1
    replay(events)


# ---------------------------------------------------------------------- what leaves the server besides
def test_a_participant_learns_from_no_page_who_sits_opposite(house, people, machine, tmp_path):
    machine.refused = 0
    folder = tmp_path / "hidden-pages"
    folder.mkdir()
    person = people(house)
    name = add(house, folder, deal(SCRIPTED, PARTICIPANT, people=2))
    person.arrive(name)
    pages: list[Json] = []
    page = play_on(person, pages, "game")
    [rules] = [page["step"] for page in pages if page["step"]["kind"] == "rules"]
    assert "a person or a computer program" in rules["partner"]
    with person.seat(seat_of(page)) as seat:
        assert seat.state["hidden_partner"] is True
        assert seat.state["turn"]["text"] == "Your partner is writing"
        seat.finish()
        said = json.dumps(seat.messages)
    query = {"seat": seat_of(page)}
    for path in ("/api/debrief", "/api/download", "/api/publish"):
        assert person.http.get(path, params=query).status_code == 403, path
    assert person.http.get("/api/me").status_code == 403, "it counts games with others"
    said += json.dumps(person.page()) + person.http.get("/table", params=query).text
    assert SCRIPTED not in said and MODEL not in said
    play_on(person, pages, "end")
    with Store(house.db) as store:
        [game] = StudyRecords(store, store).list_games(person.id)
        row = store.episode(str(game.episode))
        assert game.state == "counts" and row.start["people"]["listener"]["hidden_partner"] is True
    assert status(house, name)["completed"] == 1


def test_spectators_read_a_reply_when_it_is_released(house, people, machine, tmp_path):
    machine.requests, machine.refused, machine.latency = [], 1, 60.0
    folder = tmp_path / "hidden-watched"
    folder.mkdir()
    person = people(house)
    person.arrive(add(house, folder, deal(MODEL, PARTICIPANT)))
    page = play_on(person, [], "game")
    owner = people(house)
    admin = house.output().split("/a/")[1].split()[0]
    owner.http.get(f"/a/{admin}")
    with Store(house.db) as store:
        [game] = StudyRecords(store, store).list_games(person.id)
        path = SeatLinks(store, store).make_spectator_path(str(game.episode))
    assert owner.http.get(path).status_code == 303
    with owner.watch(str(game.episode)) as crowd, person.seat(seat_of(page)) as seat:
        assert machine.await_request() == 1
        machine.hurry()  # the model is asked again, while somebody watches
        crowd.until(lambda state: any(line["kind"] == "reply" for line in state["lines"]))
        assert len(machine.requests) == 2 and not any("stream" in request for request in machine.requests)
        assert not any("partial" in ask for message in crowd.messages for ask in message.get("open", ()))
        assert any(event.kind is Kind.RELEASED for event in events_of(house, person))
        seat.finish()


# ---------------------------------------------------------------------- people and programs in one study
def test_a_study_deals_people_and_programs_and_tells_the_researcher_who_it_was(house, people, tmp_path):
    folder = tmp_path / "hidden-mixed"
    folder.mkdir()
    name = add(house, folder, deal(SCRIPTED, PARTICIPANT), deal(PARTICIPANT, PARTICIPANT, ROWS_2), waiting=60)
    everybody = [people(house) for _ in range(3)]
    for person in everybody:
        person.arrive(name)
    pages: list[list[Json]] = [[], [], []]
    both(*(lambda n=n: play_on(everybody[n], pages[n], "end") for n in range(3)))
    assert [cell["done"] for cell in status(house, name)["cells"]] == [1, 1, 1]
    told = [p["step"]["partners"][0]["partner"] for ps in pages for p in ps if p["step"]["kind"] == "debriefing"]
    assert sorted(told) == ["person", "person", "program"]
    ludens(house, "study", "export", name, str(tmp_path / "export"))
    [file] = (tmp_path / "export" / "data").glob("*description-games_data.csv")
    with file.open(encoding="utf-8", newline="") as stream:
        assert sorted(row["partner"] for row in csv.DictReader(stream)) == sorted(told)
    ludens(house, "study", "report", name, "--out", str(tmp_path / "report.html"))
    report = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Person or machine?" in report and "not shown whether it is a person or a program" in report
