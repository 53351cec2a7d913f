"""Test the commands for people's games: removing a person without a trace, exporting published games."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.condition import Condition
from engine.core.events import Kind
from engine.core.start import EpisodeStart
from engine.storage.ids import make_id
from engine.storage.seat_links import SeatLinks, hash_cookie, make_cookie
from engine.storage.store import Store
from tests.cli.terminal import ludens, query

HERS, HIS = "a cassowary behind the reeds", "an avocet on the mud"
HALF = "half a hoatzin"


class People:
    """A log with games of Ada and Bob, one of them together, and one between programs."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.db = folder, folder / "log.db"
        ludens("run", "matchit/text/same/0", *self.seats("random", "random"), folder=folder)
        self.ada, self.bob = (str(hash_cookie(make_cookie())) for _ in range(2))
        with Store(self.db) as store:
            links = SeatLinks(store, store)
            [self.programs] = [row.id for row in store.episodes()]
            self.alone, self.pids = self._played(store, links, {self.ada: HERS})
            self.together, _ = self._played(store, links, {self.ada: HERS, self.bob: HIS})
            self.bobs, _ = self._played(store, links, {self.bob: HIS})
            self.public, _ = self._played(store, links, {self.bob: HIS})
            links.publish_episode(self.bob, self.public, True)
            for ask in range(50):
                links.save_draft(self.pids["A"], ask, json.dumps({"text": HALF * 40}))
            links.delete_draft(self.pids["A"], 40)
        ludens("run", "matchit/text/same/0", *self.seats(f"recorded/{self.alone[:20]}", "random"), folder=folder)

    def seats(self, a: str, b: str) -> list[str]:
        return ["--seat", f"A={a}", "--seat", f"B={b}", "--db", str(self.db), "--yes"]

    def _played(self, store: Store, links: SeatLinks, words: dict[str, str]) -> tuple[str, dict[str, str]]:
        said = dict(zip("AB", words.values(), strict=False))
        start, *log = store.events(self.programs)
        data = {**start.data, "seats": start.data["seats"] | dict.fromkeys(said, "person")}
        events = [replace(start, data=data)] + [
            replace(event, data={**event.data, "text": f"{event.data['text']} {said[event.seat]}"})
            if event.kind is Kind.REPLY and event.seat in said
            else event
            for event in log
        ]
        episode, _ = store.import_episode(
            EpisodeStart.model_validate(data), events, key=None, origin="table", episode=make_id()
        )
        mine, *others = words
        pids = links.open_table(episode, mine, said, "A", 0.0, start.data["instance_hash"])
        for other, seat in zip(others, "B", strict=False):
            links.hold_seat(other, pids[seat], start.data["instance_hash"])
        return episode, pids

    def left(self) -> set[str]:
        return {episode for (episode,) in query(self.db, "SELECT id FROM episode")}

    def holds(self, words: str) -> bool:
        files = [*self.folder.glob("log.db*"), *self.folder.glob("log.search.db*")]
        return any(words.encode() in file.read_bytes() for file in files)


@pytest.fixture(scope="module")
def people(tmp_path_factory) -> People:
    return People(tmp_path_factory.mktemp("people"))


def search(people: People, words: str) -> str:
    return ludens("search", words, "--format", "json", "--db", people.db, folder=people.folder).out


def test_published_games_are_exported_and_people_exports_all(people):
    def exported(to: str, *words: str) -> tuple[int, dict[str, int]]:
        ludens("export", to, *words, "--db", people.db, folder=people.folder)
        about = json.loads((people.folder / to / "metadata.json").read_text())
        return about["episodes"], about["left_out"]

    assert exported("some") == (2, {"people": 4})  # one of them plays back what is not published
    written = (people.folder / "some" / "events.jsonl").read_text()
    assert HIS in written and HERS not in written
    assert exported("all", "--people") == (6, {})


def test_a_person_is_removed_only_after_confirmation_and_by_an_unambiguous_code(people):
    def forget(*words: str, code: int = 2) -> str:
        done = ludens("db", "forget", *words, "--db", people.db, folder=people.folder, code=code)
        return done.out + done.err

    before = people.left()
    listed = forget(code=0)
    assert f"{people.ada[:8]}    2 games" in listed and f"{people.bob[:8]}    3 games" in listed
    asked = forget(people.ada[:8])
    assert "3 games" in asked and people.alone in asked and "1 of them with other people" in asked and "--yes" in asked
    assert "no person" in forget("00000000", "--yes")
    assert people.ada[:8] in (both := forget(people.together, "--yes")) and people.bob[:8] in both
    assert "programs" in forget(people.programs, "--yes")
    assert people.left() == before and people.holds(HERS)


def test_a_removed_person_leaves_no_word_in_the_file(people):
    replayed = people.left() - {people.programs, people.alone, people.together, people.bobs, people.public}
    assert len(replayed) == 1 and people.holds(HERS) and people.holds(HALF)
    ludens("results", "--db", people.db, folder=people.folder)  # stores what a replay was played with: its source
    with Store(people.db) as store:
        planned = Condition("matchit", "text", "same", {"A": f"recorded/{people.alone}", "B": "random"}, {}, 1)
        store.results.add_planned_episodes([("a replay that has not begun", planned)])
    assert len(query(people.db, "SELECT id FROM condition WHERE instr(what, ?)", (people.alone,))) == 2
    assert json.loads(search(people, HERS))["texts"] > 0 < json.loads(search(people, HIS))["texts"]
    index = people.folder / "log.search.db"
    assert b"cassowary" in index.read_bytes()
    done = ludens("db", "forget", people.alone, "--yes", "--db", people.db, folder=people.folder)
    assert "3 games removed" in done.err
    assert not people.holds(HERS) and not people.holds(HALF) and not people.holds(people.ada)
    for word in ("cassowary", "reeds"):  # the index has words one by one
        assert not people.holds(word)
    for episode in (people.alone, people.together, *replayed):
        assert not people.holds(episode)
    assert b"avocet" in index.read_bytes()
    assert json.loads(search(people, "cassowary"))["texts"] == 0 < json.loads(search(people, "avocet"))["texts"]
    assert people.left() == {people.programs, people.bobs, people.public} and people.holds(HIS)
    listed = ludens("db", "forget", "--db", people.db, folder=people.folder).out
    assert people.ada[:8] not in listed and f"{people.bob[:8]}    2 games" in listed
    ludens("db", "check", "--db", people.db, folder=people.folder)
    ludens("results", "--db", people.db, folder=people.folder)
