"""The central claim: a person and a model with the same replies play the same game, event by event and score by score.

The person enters each reply into the form that the server sends and plays over HTTP and sockets. The model sits in a
`ludens run`, which asks it through the OpenAI protocol on a local server. Both play the courses of `courses.py` on the
same instance, at the first seat and then at all others, where `recorded/EPISODE` plays the rest. Every variant of every
game is played; a new one needs a golden log and nothing here.
"""

from __future__ import annotations

import itertools
import json
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from engine.core.events import PRESENCE_KINDS, Event, Json, Kind, to_json
from engine.core.log import Log
from engine.play.plans import build_item_start
from engine.storage.episode_row import EpisodeRow
from engine.storage.seat_links import SeatLinks
from engine.storage.store import Store
from tests.conftest import LUDENS, Server
from tests.golden.episodes import REGISTRY
from tests.players.fake_server import completion
from tests.ui.courses import Course, Prompt, course_names, missing_courses, prompts_to, read_course, with_refused
from tests.ui.guests import Guest, LivePage
from tests.ui.model_server import ModelServer

Seats = tuple[str, ...]
PLAYERS_FILE = '[servers.lab]\nwire = "openai"\nbase_url = "{url}"\nattempts = 1\n'
REFUSED = {"words-reminded": 1, "words-aborted": 0}
"""Courses of SpyFall in which the first player says their own word, which the rules forbid: name to reminders."""
REPLIES = {Kind.REPLY, Kind.PARSED, Kind.VIOLATION}
MAY_DIFFER = {Kind.START: {"seats", "seed", "run_seed", "people"}, Kind.REPLY: {"meta"}}
"""What depends on who plays, by kind of event: keys of the data. Times may differ, too."""


def seatings(game: str) -> list[Seats]:
    """Return the seats that are compared at once: a recorded player at one of the others brings instance and seed."""
    first, *others = REGISTRY.game(game).seats
    return [(first,), tuple(others)] if others else [(first,)]


NAMES = [*course_names(), *(("spyfall", name) for name in REFUSED)]
SEATINGS = [(f"{game}/{name}", seats) for game, name in NAMES for seats in seatings(game)]
EACH = pytest.mark.parametrize(("name", "seats"), SEATINGS, ids=lambda part: part if isinstance(part, str) else part[0])


class ModelServer(ModelServer):
    """A server of models that send what their script says: reply n to a conversation with n replies of theirs."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts: dict[str, list[str]] = {}

    def answer(self, body: Json) -> tuple[int, Json]:
        """Return the next reply of the model's script; 400 where the conversation has other replies."""
        script = self.scripts[body["model"]]
        replies = [message["content"] for message in body["messages"] if message["role"] == "assistant"]
        if replies != script[: len(replies)] or len(replies) == len(script):
            return 400, {"error": {"message": f"after {len(replies)} replies, which are not the first of the script"}}
        return 200, completion(script[len(replies)])

    def requests_to(self, model: str) -> list[Json]:
        """Return the last message of each request to a model, in order."""
        requests = [body["messages"] for body in self.requests if body["model"] == model]
        return [messages[-1] for messages in sorted(requests, key=len)]


class PlayedCourses:
    """All courses in one database, played by models and, one by one, by people."""

    def __init__(self, store: Store, machine: ModelServer) -> None:
        self.store, self.machine = store, machine
        self.courses = {f"{game}/{name}": read_course(game, name) for game, name in course_names()}
        for course in refused_courses(self.courses["spyfall/words-scripted"]):
            self.courses[course.name] = course
        self.recorded = {
            name: store.import_episode(course.start, course.log.events, key=None, origin="run")[0]
            for name, course in self.courses.items()
        }
        self.guests: list[Guest] = []

    def occupants(self, name: str, seats: Seats, occupant: Callable[[str], str]) -> dict[str, str]:
        """Return who sits where: `occupant` at these seats, the recorded players of the course at the others."""
        recorded = f"recorded/{self.recorded[name]}"
        return {seat: occupant(seat) if seat in seats else recorded for seat in self.courses[name].start.seats}

    # ------------------------------------------------------------------ models
    def play_as_models(self, folder: Path, players: Path) -> None:
        """Play all courses with models; `folder` takes the plan file, `players` names their server."""
        parts = []
        for name, seats in SEATINGS:
            course = self.courses[name]
            self.machine.scripts |= {f"{name}/{seat}": course.texts(seat) for seat in seats}
            seating = self.occupants(name, seats, lambda seat, name=name: f"lab/{name}/{seat}")
            fields = {"select": [course.start.instance_id], "seats": seating, "settings": course.start.settings}
            parts += ["[[part]]", *(f"{field} = {as_toml(value)}" for field, value in fields.items())]
        plan = folder / "plan.toml"
        plan.write_text("\n".join(parts))
        command = [LUDENS, "run", "--plan", plan, "--players", players, "--db", self.store.path]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    def row_of_model(self, name: str, seats: Seats) -> EpisodeRow:
        """Return the episode of a course that a model played at these seats."""
        seating = self.occupants(name, seats, lambda seat: f"lab/{name}/{seat}")
        [row] = [row for row in self.store.episodes(game=self.courses[name].start.game) if row.seats == seating]
        return row

    # ------------------------------------------------------------------ people
    def play_as_people(self, name: str, seats: Seats) -> Log:
        """Play a course with a person at each of these seats; return the log."""
        course = self.courses[name]
        if course.start.reprompt:
            episode, links = self.write_table(name, seats)
        else:
            episode, links = self.open_table(name, seats)
        with ExitStack() as stack:
            people: dict[str, LivePage] = {}
            for seat in seats:
                guest = self.guests[len(people)]
                people[seat] = stack.enter_context(guest.seat(guest.take(links[seat])))
            enter_replies(course, people)
        return Log(self.store.events(episode))

    def open_table(self, name: str, seats: Seats) -> tuple[str, Mapping[str, str]]:
        """Open a table as the lobby does; return the episode and the link of each person's seat."""
        start = self.courses[name].start
        seating = self.occupants(name, seats, lambda seat: "person" if seat == seats[0] else "invite")
        wish: Json = {"game": start.game, "variant": start.variant, "pace": 0}
        if set(seats) == set(start.seats):  # nobody is recorded: the person chooses the instance
            index = int(start.instance_id.rpartition("/")[2])
            wish |= {"experiment": start.experiment, "instance": index, "settings": start.settings}
        table = self.guests[0].open(seating, **wish)
        return table["episode"], {seats[0]: table["go"], **table["invitations"]}

    def write_table(self, name: str, seats: Seats) -> tuple[str, Mapping[str, str]]:
        """Write a table with reminders into the database, because the lobby opens none; return as `open_table` does."""
        course = self.courses[name].start
        seating = self.occupants(name, seats, lambda seat: "person")
        game = REGISTRY.game(course.game)
        start = build_item_start(
            game, course, seating, settings=course.settings, reprompt=course.reprompt, seed=course.seed
        )
        links = SeatLinks(self.store, self.store)
        [claim] = self.store.claim_episodes([(start, None)], origin="table")
        pids = links.open_table(claim.episode, "nobody", seats, None, 0.0, start.instance_hash)
        self.store.release_lease(claim.episode)
        return claim.episode, {seat: links.make_seat_path(pid) for seat, pid in pids.items()}


def as_toml(value: Json | list[str] | str | bool | int) -> str:
    """Return a value as TOML on one line."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{json.dumps(key)} = {as_toml(entry)}' for key, entry in value.items())} }}"
    return json.dumps(value)


def refused_courses(course: Course) -> Iterator[Course]:
    """Yield the courses of `REFUSED`, made from another one."""
    first = course.replies[0]
    [deal] = course.log.notes("deal")
    word = course.start.instance["spy" if deal["spy"] == first.seat else "common"]["word"]
    text = json.dumps({"thought": "", "speak": f"It is a {word}."})
    for name, reprompt in REFUSED.items():
        yield with_refused(course, name, reprompt, {first.ask: text})


# ---------------------------------------------------------------------- what a person does and reads
def enter_replies(course: Course, people: Mapping[str, LivePage]) -> None:
    """Enter the replies of the course at the seats of people, checking what each reads before, until the end."""
    prompts = {seat: prompts_to(course.log, seat) for seat in people}
    for reply in course.replies:
        if reply.seat in people:
            live = people[reply.seat]
            prompt = next(prompts[reply.seat])
            state = live.until(lambda state, reply=reply, prompt=prompt: is_waiting(state, reply.ask, prompt))
            assert not state["stalled"] and not state["outcome"], (reply, state["stalled"], state["outcome"])
            check_page(live, prompt)
            answer = live.guest.move(live.name, reply.ask, reply.values, client={"keystrokes": len(reply.text)})
            assert answer.status_code == 200, (reply, answer.text)
    for live in people.values():
        live.until(lambda state: state["outcome"])


def is_waiting(state: Json, ask: int, prompt: Prompt) -> bool:
    """Return whether a page shows the form of an ask (with a reminder, where the prompt is one), or never will."""
    asked = state["ask"]
    is_open = asked and asked["id"] == ask and bool(asked["reminders"]) == (not prompt.words)
    return bool(is_open or state["stalled"] or state["outcome"])


def check_page(live: LivePage, prompt: Prompt) -> None:
    """Check that a person's page has all that the seat was told, and its pictures."""
    shown = {line["text"] for line in live.state["lines"]} | {pin.get("grid") for pin in live.state["pinned"]}
    assert [text for text in prompt.texts if text not in shown] == []
    pictures = {pin["title"]: pin["picture"] for pin in live.state["pinned"] if "picture" in pin}
    for title in prompt.pictures:
        image = live.guest.http.get(pictures[title])
        assert image.status_code == 200 and image.headers["content-type"].startswith("image/")


# ---------------------------------------------------------------------- what is compared
def comparable(log: Log) -> list[str]:
    """Return the events of a log without what may differ: who sits there, seeds, times, and who looked on.

    Replies to requests that are open together are put in the order of the requests.
    """
    events = [event for event in log if event.kind not in PRESENCE_KINDS]
    ordered: list[Event] = []
    for is_reply, group in itertools.groupby(events, lambda event: event.kind in REPLIES):
        ordered += sorted(group, key=lambda event: event.data["ask"] if is_reply else 0)
    return [comparable_event(event) for event in ordered]


def comparable_event(event: Event) -> str:
    """Return an event as text, without what may differ."""
    data = {key: value for key, value in event.data.items() if key not in MAY_DIFFER.get(event.kind, ())}
    return to_json([event.kind, event.seat, data])


def texts(log: Log) -> list[tuple[int, str]]:
    """Return the text of each reply with the number of its ask."""
    return sorted(((reply.ask, reply.text) for reply in log.replies()), key=lambda pair: pair[0])


# ---------------------------------------------------------------------- fixtures
@pytest.fixture(scope="module")
def played_courses(
    tmp_path_factory: pytest.TempPathFactory, module_server: Callable[..., Server]
) -> Iterator[PlayedCourses]:
    """All courses, played by models; and a server with as many browsers as people can sit at a table."""
    folder = tmp_path_factory.mktemp("played")
    with ModelServer() as machine, Store(folder / "ludens.db") as store, ExitStack() as stack:
        players = folder / "players.toml"
        players.write_text(PLAYERS_FILE.format(url=machine.url))
        courses = PlayedCourses(store, machine)
        courses.play_as_models(folder, players)
        server = module_server(folder / "ludens.db", None, "--players", str(players))
        most = max(len(seats) for _, seats in SEATINGS)
        courses.guests = [stack.enter_context(Guest(server.url)) for _ in range(most)]
        for guest in courses.guests:
            guest.http.get("/")  # a link alone gives a cookie, too
        yield courses


# ---------------------------------------------------------------------- tests
def test_every_variant_has_a_course():
    assert not missing_courses()


@EACH
def test_a_person_and_a_model_with_the_same_replies_play_the_same_game(name, seats, played_courses):
    course = played_courses.courses[name]
    row = played_courses.row_of_model(name, seats)
    by_model, by_person = Log(played_courses.store.events(row.id)), played_courses.play_as_people(name, seats)
    for who, log in (("model", by_model), ("person", by_person)):
        assert texts(log) == texts(course.log), f"{name}: the texts stored of the {who} are not those that models send"
        assert comparable(log) == comparable(course.log), f"{name}: the {who} played another game"
    assert comparable(by_person) == comparable(by_model)
    version, scores = REGISTRY.compute_scores(by_model)
    assert REGISTRY.compute_scores(by_person) == (version, scores)
    assert row.scores == json.loads(to_json(scores))


@EACH
def test_a_model_is_sent_what_a_person_reads_and_the_words_for_the_form(name, seats, played_courses):
    course = played_courses.courses[name]
    for seat in seats:
        messages = played_courses.machine.requests_to(f"{name}/{seat}")
        prompts = list(prompts_to(course.log, seat))
        assert len(messages) == len(prompts)
        for message, prompt in zip(messages, prompts, strict=True):
            text, pictures = split(message["content"])
            assert text.endswith(prompt.words), f"{text[-300:]!r} does not end with {prompt.words!r}"
            assert [part for part in prompt.texts if part not in text] == []
            assert pictures == len(prompt.pictures)


def split(content: str | Sequence[Json]) -> tuple[str, int]:
    """Return the text of a message and how many pictures it has."""
    if isinstance(content, str):
        return content, 0
    [text] = [part["text"] for part in content if part["type"] == "text"]
    return text, len(content) - 1


def test_the_courses_have_reminders_endings_by_the_rules_pictures_and_requests_to_several_seats_at_once(played_courses):
    logs = [course.log for course in played_courses.courses.values()]
    assert {log.start.game for log in logs} == set(REGISTRY.names)
    violations = [event for log in logs for event in log if event.kind is Kind.VIOLATION]
    assert {bool(event.data["reminder"]) for event in violations} == {True, False}
    assert any(ask.pictures for log in logs for ask in log.request_events)
    assert any(first.kind is second.kind is Kind.ASK for log in logs for first, second in itertools.pairwise(log))
