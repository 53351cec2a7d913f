"""Courses of games: all replies of a golden log, each as the text a model sends and as the values a person enters.

The texts come from the golden logs, not from the reply formats of today, so a form that composes another text is found.
A reply typed into a text box has spaces around it: what people and models send must be stored word for word.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.core.events import Json, Kind
from engine.core.log import Log
from engine.core.master import GameMaster
from engine.core.replies import PickedAlternative, ReplyFormat, Violation
from engine.core.start import EpisodeStart
from engine.play.plans import build_item_start
from tests.golden.episodes import COMMAND, REGISTRY, GoldenLog, log_names, players_of, read_log

ADD = f"`{COMMAND} --missing` stores it"


@dataclass(frozen=True)
class CourseReply:
    """One reply of a course; `values` are those of the form's fields by name."""

    ask: int
    seat: str
    text: str
    values: dict[str, str]


@dataclass(frozen=True)
class Course:
    """A finished game: its log, and how each seat's replies are entered. `name` is "matchit/text-scripted"."""

    name: str
    log: Log
    replies: tuple[CourseReply, ...]

    @property
    def start(self) -> EpisodeStart:
        """What the game began with."""
        return self.log.start

    def texts(self, seat: str) -> list[str]:
        """Return the texts that a seat sends."""
        return [reply.text for reply in self.replies if reply.seat == seat]


@dataclass
class Prompt:
    """What a seat is told before one of its replies: texts, titles of pictures, and the words models get besides."""

    texts: list[str] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    words: str = ""


def course_names() -> list[tuple[str, str]]:
    """Return (game, name) of the golden logs that are courses.

    These are the games that every player of a game plays, and those with other settings. No seat changes hands there,
    and every reply has the form asked for: a page refuses other ones before they reach the GameMaster.
    """
    logs = [(game, name) for game, name in log_names() if game in REGISTRY.names]
    return [(game, name) for game, name in logs if name.startswith("setting-") or name in _needed_names(game)]


def missing_courses() -> list[str]:
    """Say which courses are missing and how they are added."""
    stored = course_names()
    needed = [(game, name) for game in REGISTRY.names for name in _needed_names(game)]
    return [f"no golden log {game}/{name}: {ADD}" for game, name in needed if (game, name) not in stored]


@functools.cache
def _needed_names(game: str) -> list[str]:
    """Return the names of the golden logs of all variants of a game, played by each of its players."""
    return [f"{variant.name}-{player}" for variant in REGISTRY.game(game).variants for player in players_of(game)]


# ---------------------------------------------------------------------- making a course
def read_course(game: str, name: str) -> Course:
    """Return the course of a golden log."""
    return _build(f"{game}/{name}", read_log(game, name), 0, {})


def with_refused(course: Course, name: str, reprompt: int, refused_texts: Mapping[int, str]) -> Course:
    """Return a course in which texts that the rules refuse are sent first: number of the ask to text.

    `reprompt` is how many reminders each ask has; without any, the course ends there.
    """
    golden = GoldenLog(course.start.game, name, list(course.log))
    return _build(f"{golden.game}/{name}", golden, reprompt, refused_texts)


def _build(name: str, golden: GoldenLog, reprompt: int, refused_texts: Mapping[int, str]) -> Course:
    log = Log(golden.events)
    start = _present_start(golden, reprompt)
    formats = {ask.ask: ask.reply_format for ask in log.request_events}
    master, events = GameMaster.begin_episode(REGISTRY.game(start.game), start)
    replies = []
    for reply in log.replies():
        assert reply.seat
        for text in (refused_texts.get(reply.ask), reply.text):
            if text is not None and not master.outcome:
                try:
                    values, sent_text = _enter(formats[reply.ask], text)
                except Violation as violation:
                    raise AssertionError(f"{name}: a page refuses {text!r}: {violation}") from None
                replies.append(CourseReply(reply.ask, reply.seat, sent_text, values))
                events += master.reply(reply.ask, sent_text)
    assert master.outcome, f"{name} does not end: {master.failure_cause}"
    time = golden.events[0].time
    return Course(name, Log([replace(event, n=n, time=time) for n, event in enumerate(events)]), tuple(replies))


def _present_start(golden: GoldenLog, reprompt: int) -> EpisodeStart:
    """Return the start of a golden log as the game begins today: present instance, prompts, version and settings."""
    start = EpisodeStart.model_validate(golden.start)
    shipped = REGISTRY.select_instances(start.instance_id) if start.instance.get("theirs") is None else []
    return build_item_start(
        REGISTRY.game(start.game),
        shipped[0] if shipped else start,
        start.seats,
        settings=start.settings,
        reprompt=reprompt,
        run_seed=start.run_seed,
        repetition=start.repetition,
        seed=start.seed,
        people=start.people,
    )


def _enter(reply_format: ReplyFormat[Any], text: str) -> tuple[dict[str, str], str]:
    """Return the values by which a person sends a text, and the text; both with spaces where a text box takes them."""
    form, value = reply_format.describe_form(), reply_format.parse(text)
    values = fill_in(form, value)
    part = next((part for part in form.get("either", ()) if part["name"] == values["form"]), form)
    boxes = [box["name"] for box in part["fields"] if box["kind"] == "text" and values[box["name"]]]
    spaced = {name: f"  {values[name]} \t" for name in boxes}
    if text.startswith("{"):
        text = json.dumps(json.loads(text), ensure_ascii=False)  # a form writes no escapes
        spaced_text = json.dumps({**json.loads(text), **spaced}, ensure_ascii=False)
    elif boxes and text.endswith(values[boxes[0]]):
        spaced_text = text.removesuffix(values[boxes[0]]) + spaced[boxes[0]]
    else:
        return values, text
    try:
        is_same = reply_format.parse(spaced_text) == value
    except Violation:
        is_same = False
    return (values | spaced, spaced_text) if is_same else (values, text)


def fill_in(form: Json, value: Any) -> dict[str, str]:
    """Return the values of a form's fields by which a person sends an accepted value."""
    if isinstance(value, PickedAlternative):
        [part] = [part for part in form["either"] if part["name"] == value.name]
        return {"form": value.name, **fill_in(part, value.value)}
    names = [entry["name"] for entry in form["fields"]]
    members = value if isinstance(value, dict) and set(value) == set(names) else dict.fromkeys(names, value)
    return {name: member if isinstance(member := members[name], str) else json.dumps(member) for name in names}


# ---------------------------------------------------------------------- reading a log
def prompts_to(log: Log, seat: str) -> Iterator[Prompt]:
    """Yield what a seat is told before each of its replies."""
    prompt = Prompt()
    for event in log:
        if event.seat != seat:
            continue
        if event.kind in (Kind.TELL, Kind.ASK):
            prompt.texts += map(_text_of_part, event.data["said"])
            prompt.pictures += [picture["title"] for picture in event.data["pictures"]]
        elif event.kind is Kind.VIOLATION and event.data["reminder"]:
            prompt.texts.append(event.data["reminder"])
        else:
            continue
        if event.kind is not Kind.TELL:
            prompt.words = event.data.get("words", "")
            yield prompt
            prompt = Prompt()


def _text_of_part(part: Json) -> str:
    return str(next(part[key] for key in ("text", "quote", "exhibit") if key in part))
