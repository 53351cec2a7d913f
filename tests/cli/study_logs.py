"""Logs with a study: people whose games are those of programs, given to them, with every way to end a participation."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from cli.settings import load_settings
from engine.core.events import Event, Kind
from engine.core.start import EpisodeStart
from engine.play.project import build_registry
from engine.storage.ids import make_id
from engine.storage.store import Store
from engine.storage.study_records import IdentifierStore, StudyRecords, make_participation_id
from engine.studies.study_file import parse_study
from engine.studies.version import StudyVersion, load_version
from tests.cli.terminal import ludens

NAME = "walks"
ID = "5f3aPLANTED{:02d}e91c"
"""How Prolific ids of the log look."""
STUDY = """
name = "walks"
title = "Exploring a building"
controller = "Example University"
contact = "study@example.org"
legal_basis = "Consent, Article 6(1)(a) GDPR"
ethics = "Approved by the ethics committee of Example University, no. 2026-18"
retention = 2037-12-31
disclosure = ""
minutes = 15
population = "Adults in the United Kingdom"
pay_per_hour = ""

[consent]
text = \"\"\"
In this study you explore buildings that exist only as text, from room to room. What you choose is stored with a random
code, not with your name, and will be published for research. You may stop at any time.
\"\"\"

[games]
count = 4

[[games.deals]]
selection = "mapworld/ee-text/small"
seats = { walker = "participant" }
people = 40

[[surveys]]
block = "used_ai"

[[surveys.questions]]
name = "colour"
text = "Please choose red."
kind = "choice"
options = ["Red", "Blue"]
right = ["Red"]

[exclusions]
failed_checks = 1
min_minutes = 3

[pay]
currency = "GBP"
base = 2.50
per_point = 0.01
per_score = { 50 = 0.10, 90 = 0.25 }
cap = 4.00

[ends]
completed = "https://app.prolific.com/submissions/complete?cc=DONE1"
declined = "NOCONSENT1"
screened_out = "SCREENED1"
technical_fault = "FAULT1"
withdrawn = "WITHDREW1"
"""


class StudyLog:
    """A log in a folder, with a study whose games can be given to people."""

    def __init__(
        self,
        folder: Path,
        text: str = STUDY,
        runs: int = 2,
        *,
        selection: str = "mapworld/ee-text/small",
        seat: str = "walker",
        others: Mapping[str, str] | None = None,
    ) -> None:
        self.folder, self.db, self._seat = folder, folder / "log.db", seat
        self.db.write_bytes(_played_log(selection, seat, tuple((others or {}).items()), runs))
        self.store = Store(self.db)
        self.records = StudyRecords(self.store, self.store)
        self.identifiers = IdentifierStore(self.db)
        self.records.add_study(NAME, parse_study(text, "study.toml").version, text)
        self.records.set_state(NAME, "open")
        row = self.records.read_study(NAME)
        self.version: StudyVersion = load_version(row, build_registry(load_settings(db=self.db)))
        self._sources = [row for row in self.store.episodes() if row.seats[seat] == "random"]
        self._people = 0

    def close(self) -> None:
        """Close the files."""
        self.store.close()
        self.identifiers.close()

    def add_person(
        self,
        end: str = "completed",
        states: Sequence[str] = ("counts",) * 4,
        *,
        minutes: float = 10,
        colour: str = "Red",
        is_pilot: bool = False,
        guess: str = "",
    ) -> str:
        """Add a participation with a game for each state, and its Prolific id; return its pseudonym."""
        number, records = self._people, self.records
        self._people += 1
        id_ = make_participation_id()
        records.begin_participation(id_, NAME, self.version.study.version, f"browser-{number}", is_pilot=is_pilot)
        records.update_participation(id_, last_seen=1)  # its page was shown
        self.identifiers.add_identifier(NAME, "prolific", ID.format(number), id_, {"STUDY_ID": "st"})
        if states:  # a practice game, which counts nowhere
            records.add_games_outside_cells([(id_, -5, "practice-1", self._seat)])
            records.start_game(id_, -5, self._give(self._sources[0].id, "counts", "practice"))
            records.end_game(id_, -5, "practice")
        for position, state in enumerate(states, 1):
            source = self._sources[(number * 7 + position * 3) % len(self._sources)]
            cell = next(cell for cell in self.version.cells if cell.instance.instance_id == source.instance_id)
            records.reserve_games([(id_, position, cell.cell_key, cell.seat)], {cell.cell_key: 10_000}, NAME)
            records.start_game(
                id_, position, self._give(source.id, state, records.require_participation(id_).pseudonym)
            )
            records.end_game(id_, position, state)
            if guess:
                answers = {"partner_guess": guess, "partner_guess_certainty": 3}
                records.add_answer(id_, f"survey-after_game-0-{position}", 1, answers)
        if states:
            answers = {"used_ai": "No", "colour": colour}
            records.add_answer(id_, "survey-after-0", 1, answers)
        if end in ("declined", "screened_out", "completed"):
            records.end(id_, end)
        elif end == "withdrawn":
            records.withdraw_participation(id_)
        elif end in ("left", "playing"):
            records.update_participation(id_, state=end)
        else:
            records.end(id_, "turned_away", end)
        participation = records.require_participation(id_)
        if participation.ended is not None:
            records.update_participation(id_, arrived=participation.ended - int(minutes * 60_000))
        return participation.pseudonym

    def _give(self, episode: str, state: str, pseudonym: str) -> str:
        """Store an episode again as the game of a person; one that does not count ends abandoned."""
        start, *log = self.store.events(episode)
        people = {self._seat: {"informed": False, "seen_before": False, "practice": False, "participant": pseudonym}}
        data = {**start.data, "seats": {**start.data["seats"], self._seat: "person"}, "people": people}
        if state != "counts":
            leaver = self._seat if state in ("left", "withdrawn") else None
            outcome = {"kind": "abandoned", "reason": "left", "seat": leaver, "winner": None, "sides": None}
            log = [*log[:1], Event(Kind.OUTCOME, None, outcome, log[1].n, log[1].time)]
        id_, _ = self.store.import_episode(
            EpisodeStart.model_validate(data),
            [replace(start, data=data), *log],
            key=None,
            origin="table",
            episode=make_id(),
        )
        return id_


@cache
def _played_log(selection: str, seat: str, others: tuple[tuple[str, str], ...], runs: int) -> bytes:
    """Return a log in which `random` and `scripted` played at a seat; kept while tests run."""
    folder = Path(tempfile.mkdtemp())
    for seed, player in enumerate(["random"] * runs + ["scripted"]):
        words = [word for name, who in ((seat, player), *others) for word in ("--seat", f"{name}={who}")]
        ludens("run", selection, *words, "--seed", seed, "--db", "runs.db", "--yes", folder=folder)
    log = (folder / "runs.db").read_bytes()
    shutil.rmtree(folder)
    return log


def add_everybody(log: StudyLog) -> dict[str, str]:
    """Add people with every end; return the pseudonyms of some by what is special about them."""
    for _ in range(10):
        log.add_person()
    special: dict[str, Callable[[], str]] = {
        "inattentive": lambda: log.add_person(colour="Blue"),
        "fast": lambda: log.add_person(minutes=1),
        "declined": lambda: log.add_person("declined", ()),
        "screened out": lambda: log.add_person("screened_out", ()),
        "full": lambda: log.add_person("full", ()),
        "withdrawn": lambda: log.add_person("withdrawn", ("counts", "withdrawn")),
        "left": lambda: log.add_person("left", ("counts", "left")),
        "fault": lambda: log.add_person("technical_fault", ("counts", "abandoned")),
        "shortened": lambda: log.add_person("completed", ("counts", "counts")),
        "pilot": lambda: log.add_person(is_pilot=True),
    }
    return {name: add() for name, add in special.items()}
