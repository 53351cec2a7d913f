"""Participants of studies as programs: they open a study's link, answer what it asks, and play."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.conftest import ROOT, Server
from tests.serving import run_command
from tests.ui.guests import Guest

Json = dict[str, Any]
EXAMPLES = ROOT / "docs" / "studies"


def ludens(house: Server, *arguments: str) -> str:
    """Run a command on the server's database; return what it prints."""
    done = run_command(*arguments, "--db", house.db)
    assert done.returncode == 0, done.stderr
    return done.stdout


def status(house: Server, name: str) -> Json:
    return json.loads(ludens(house, "study", "status", name, "--format", "json"))


class Participant(Guest):
    """A participant with a browser: answers whatever a step asks."""

    def arrive(self, name: str, query: str = "") -> str:
        """Open the link of a study; return the id of the participation."""
        answer = self.http.get(f"/study/{name}{query}")
        assert answer.status_code == 303, answer.text
        self.id = answer.headers["location"].removeprefix("/participate?id=")
        return self.id

    def page(self) -> Json:
        """Return what the page shows."""
        answer = self.http.get("/api/participation", params={"id": self.id})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def send(self, page: Json, answers: Json) -> Json:
        """Answer a step; return what the page shows then."""
        answer = self.post("/api/participation", id=self.id, step=page["step"]["id"], answers=answers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def go_on(self, page: Json, right: Json | None = None) -> Json:
        """Do what a step asks; return what the page shows then."""
        step = page["step"]
        if step["kind"] == "consent":
            return self.send(page, {"agree": True})
        if step["kind"] in ("survey", "rules"):
            answers = {question["name"]: reply_to(question) for question in step["questions"]}
            return self.send(page, answers | (right or {}))
        if step["kind"] == "game":
            with self.seat(step["url"].removeprefix("/table?seat=")) as seat:
                seat.finish("done" if "mapworld" in str(seat.state["game"]["name"]) else "Is it round?")
            return self.page()
        if step["kind"] == "waiting":
            time.sleep(0.3)
            return self.page()
        return self.send(page, {})

    def finish(self, right: Json | None = None) -> Json:
        """Take part to the end; return the last page."""
        page = self.page()
        while not page["is_over"]:
            page = self.go_on(page, right)
        return page


def reply_to(question: Json) -> Any:
    if question["kind"] == "choice":
        return question["options"][0]
    if question["kind"] == "choices":
        return question["options"][:1]
    return {"scale": question["low"], "number": 30, "text": "nothing"}[question["kind"]]


def add(house: Server, folder: Path, example: str, *changes: tuple[str, str], state: str = "open") -> str:
    """Add an example under a name of its own, with changes of its text; return the name."""
    text = (EXAMPLES / f"{example}.toml").read_text(encoding="utf-8")
    name = f"{example}-{folder.name.replace('_', '-').lower()}"[:60].rstrip("-")
    for old, new in ((f'name = "{example}"', f'name = "{name}"'), *changes):
        assert old in text, old
        text = text.replace(old, new, 1)
    file = folder / "study.toml"
    file.write_text(text, encoding="utf-8")
    ludens(house, "study", "add", str(file))
    if state != "draft":
        ludens(house, "study", state, name)
    return name


SHORT = (("count = 5", "count = 2"), ("mapworld/ee-text", "mapworld/ee-text/small"))


@contextmanager
def participant_maker() -> Iterator[Callable[[Server], Participant]]:
    """Make participants with a browser each, which are closed at the end."""
    everybody: list[Participant] = []

    def make(house: Server) -> Participant:
        everybody.append(Participant(house.url))
        return everybody[-1]

    yield make
    for person in everybody:
        person.http.close()
