"""`ludens study report`, `payments` and `exclude`: from a log with people who ended in every way, to files."""

import csv
import io
import json
import re
import stat
from html.parser import HTMLParser
from pathlib import Path

import pytest

from engine.storage.store import Store
from tests.cli.study_logs import ID, NAME, STUDY, StudyLog, add_everybody
from tests.cli.terminal import CommandResult, ludens

Tables = dict[str, list[list[str]]]


class PageReader(HTMLParser):
    """Reads the tables of a page by their captions or labels, and all addresses in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tables: Tables = {}
        self.addresses: list[str] = []
        self._label = ""
        self._cell: list[str] | None = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.addresses += [values[name] for name in ("src", "href", "srcset", "action") if values.get(name)]
        self._label = values.get("aria-label", self._label) if values.get("role") == "region" else self._label
        if tag == "tr":
            self.tables.setdefault(self._label, []).append([])
        if tag in ("td", "th"):
            self._cell = []

    def handle_endtag(self, tag):
        if tag in ("td", "th") and self._cell is not None:
            self.tables[self._label][-1].append(" ".join("".join(self._cell).split()))
            self._cell = None

    def handle_data(self, data):
        if self._cell is not None:
            self._cell.append(data)


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """A log with everybody, by whom its special people are called."""
    log = StudyLog(tmp_path_factory.mktemp("study"))
    names = add_everybody(log)
    log.close()
    return log.folder, names


def command(folder: Path, *words: object, code: int = 0) -> CommandResult:
    return ludens("study", *words, "--db", "log.db", folder=folder, code=code)


def report(folder: Path, *words: str) -> tuple[PageReader, str]:
    file = folder / f"report{''.join(words)}.html"
    if not file.exists():  # the log of a test does not change between two reports, unless the test removes the first
        command(folder, "report", NAME, "--out", file.name, *words)
    text = file.read_text(encoding="utf-8")
    return PageReader(text), " ".join(re.sub(r"<style>.*?</style>|<[^>]*>", " ", text, flags=re.S).split())


# ---------------------------------------------------------------------- the report
def test_a_report_counts_everybody_who_arrived(study):
    _, text = report(study[0])
    flow = text[text.index("19 arrived") : text.index("Answers")]
    assert "19 arrived 1 declined 1 screened out: rules not understood 1 turned away: the study was full" in flow
    assert "16 began to play 1 technical fault 1 withdrew 1 went away" in flow
    assert "13 completed the study 2 excluded from the analysis" in flow
    assert "14 in the analysis: 11 who completed the study and 3 who did not" in flow
    assert "Without 1 participation of the pilot." in text


def test_a_report_has_means_with_and_without_exclusions(study):
    page, text = report(study[0])
    rows = {row[0]: row[1:] for row in page.tables["Mean scores of people, mapworld / ee-text"]}
    mean, *numbers = rows["without excluded people"]
    assert numbers == ["14", "10", "45"] and re.fullmatch(r"[0-9.]+ \[[0-9.]+, [0-9.]+\]", mean)
    assert rows["with excluded people"][1:] == ["16", "10", "53"]
    assert rows["first game of each person only"][1] == rows["first game of each person only"][3] == "14"
    exclusions = {row[0]: row[1:] for row in page.tables["Exclusions with their reasons"]}
    assert exclusions["failed attention checks: 1 or more"] == ["1", "4"]
    assert exclusions["completed in less than 3 minutes"] == ["1", "4"]
    assert "8 (a person in it is excluded), 2 (the participant went away), 1 (ended by another" in text


def test_people_are_compared_with_models_on_the_same_instances(study):
    page, _ = report(study[0])
    heads, *rows = page.tables["People against models, mapworld / ee-text"]
    models = {row[0]: dict(zip(heads, row, strict=True)) for row in rows}
    assert set(models) == {"random", "scripted"}
    assert models["scripted"]["Model"] == "100.0" and models["scripted"]["The model beats"].startswith(
        "14 of 14 people"
    )
    people, difference = float(models["scripted"]["People"]), models["scripted"]["People minus model"]
    assert difference.startswith(f"−{100 - people:.1f} [−")
    page, _ = report(study[0], "--model", "scripted")
    assert [row[0] for row in page.tables["People against models, mapworld / ee-text"]] == ["Model", "scripted"]
    refused = command(study[0], "report", NAME, "--model", "optimal", code=2)
    assert "--model optimal" in refused.err


def test_dropout_counts_as_zero_where_the_report_says_so(study):
    page, _ = report(study[0])
    _, row = page.tables["Dropout by seat, mapworld / ee-text"]
    assert row[:6] == ["walker", "14", "2", "48", "2", "1"]
    mean, with_dropouts = (float(cell.partition(" ")[0]) for cell in row[6:])
    assert with_dropouts < mean


def test_a_report_has_the_differences_in_method_and_the_checklist(study):
    page, text = report(study[0])
    methods = {row[0]: row[1:] for row in page.tables["Differences in method"]}
    assert {"Rules", "Counters", "Practice", "Feedback after a game", "Refused replies", "Time"} <= set(methods)
    assert methods["Feedback after a game"] == ["the score of the game", "none"]
    items = [row for label, rows in page.tables.items() if label.startswith("Checklist: ") for row in rows[1:]]
    answers = {row[0].partition(" ")[0]: row[1] for row in items}
    assert {"1.1", "1.9", "2.1", "2.2", "3.2", "4.2", "5.2"} <= set(answers)
    assert answers["1.9"] == "Approved by the ethics committee of Example University, no. 2026-18"
    assert answers["2.1"] == "Adults in the United Kingdom" and answers["2.2"] == "not stated"
    assert "They were paid 2.50 GBP each and a bonus of" in text
    pay = re.search(r"\(bonuses of ([\d.]+) GBP in all; with the base, ([\d.]+) GBP for (\d+) people\)", text)
    assert pay and float(pay[2]) == pytest.approx(float(pay[1]) + 2.5 * int(pay[3]))
    assert answers["2.7"] == "2.50 GBP for each person" and answers["2.7.3"].startswith("No: the base is, the bonus")


def test_a_report_needs_no_other_host_and_names_nobody(study):
    page, _ = report(study[0])
    assert [address for address in page.addresses if not address.startswith(("#", "data:image/svg+xml;base64,"))] == []
    page_text = (study[0] / "report.html").read_text(encoding="utf-8")
    assert "PLANTED" not in page_text and "<script" not in page_text and "@import" not in page_text
    assert not [name for name in study[1].values() if name in page_text]


def test_texts_of_a_study_file_are_escaped(tmp_path):
    log = StudyLog(tmp_path, STUDY.replace('title = "Exploring', 'title = "<script>alert(1)</script>Exploring'))
    log.close()
    command(tmp_path, "report", NAME)
    text = (tmp_path / f"{NAME}-report.html").read_text(encoding="utf-8")
    assert "<script" not in text and "There is no finished game yet." in text


def test_few_people_have_points_without_intervals(tmp_path):
    log = StudyLog(tmp_path)
    for _ in range(3):
        log.add_person()
    log.close()
    page, _ = report(tmp_path)
    rows = {row[0]: row[1] for row in page.tables["Mean scores of people, mapworld / ee-text"]}
    assert re.fullmatch(r"[0-9.]+ ?no interval: 3 people, [0-9]+ instances", rows["without excluded people"])
    for row in page.tables["People against models, mapworld / ee-text"][1:]:
        assert "[" not in "".join(row)


def test_pilot_participants_are_included_on_request(study):
    _, text = report(study[0], "--pilot")
    assert "20 arrived" in text and "With 1 participation of the pilot." in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nowhere",), "no study 'nowhere'"),
        ((NAME, "--out", "report.pdf"), ".html"),
        ((NAME, "--out", "a/b.html"), "a"),
    ],
)
def test_what_cannot_be_reported_is_named(study, words, message):
    refused = ludens("study", "report", *words, "--db", "log.db", folder=study[0], code=1 if len(words) == 1 else 2)
    assert message in refused.err


def test_guesses_of_the_partner_are_counted_against_what_it_was(tmp_path):
    guess = '[[surveys]]\nwhen = "after_game"\nblock = "person_or_machine"\n\n[exclusions]'
    pairs = STUDY.replace("[exclusions]", guess, 1).replace("mapworld/ee-text/small", "matchit/text/same")
    text = pairs.replace('{ walker = "participant" }', '{ A = "participant", B = "scripted" }')
    log = StudyLog(tmp_path, text, selection="matchit/text/same", seat="A", others={"B": "scripted"})
    for number in range(4):
        log.add_person(guess="A person" if number == 0 else "A computer program")
    log.close()
    page, words = report(tmp_path)
    _, machine, person = page.tables["Guesses of the partner's nature"]
    assert machine[:3] == ["a machine", "3", "1"] and person[:3] == ["a person", "0", "0"]
    assert "Balanced accuracy: not defined" in words
    assert re.search(r"last choices (−?[0-9.]+|–)", words)
    _, guesses, certainty = page.tables["Answers after each game"]
    assert guesses[1:4] == ["4", "16", "A person: 4, A computer program: 12"]
    assert certainty[1:] == ["4", "16", "median 3, from 3 to 3", "–"], "nobody differs, so there is no agreement"


def test_agreement_of_answers_after_games_is_that_of_the_same_instances(tmp_path):
    rating = """[[surveys]]
when = "after_game"
questions = [{ name = "hard", text = "How hard was it?", kind = "scale", low = 1, high = 7 }]

[exclusions]"""
    log = StudyLog(tmp_path, STUDY.replace("[exclusions]", rating, 1))
    instances: dict[str, int] = {}
    for _ in range(6):
        log.add_person()
    for person in log.records.list_participations(NAME):
        for game in log.records.list_games(person.id):
            if game.position > 0:  # everybody finds the same instances as hard
                hardness = instances.setdefault(game.cell, 1 + len(instances) % 7)
                log.records.add_answer(person.id, f"survey-after_game-0-{game.position}", 1, {"hard": hardness})
    log.close()
    page, _ = report(tmp_path)
    [_, hard] = page.tables["Answers after each game"]
    assert hard[0] == "How hard was it?" and hard[1:3] == ["6", "24"] and hard[-1] == "1.00"


# ---------------------------------------------------------------------- leaving people out by hand
def test_a_participant_is_left_out_by_hand_and_taken_back(tmp_path):
    log = StudyLog(tmp_path)
    pseudonym = log.add_person()
    log.close()
    assert pseudonym in command(tmp_path, "exclude", NAME, pseudonym, "--reason", "wrote the same words").err
    page, _ = report(tmp_path)
    assert ["by hand: wrote the same words", "1", "4"] in page.tables["Exclusions with their reasons"]
    assert command(tmp_path, "payments", NAME).out.count(pseudonym) == 1  # paid all the same
    command(tmp_path, "exclude", NAME, pseudonym, "--undo")
    (tmp_path / "report.html").unlink()
    assert "Exclusions with their reasons" not in report(tmp_path)[0].tables
    assert "--reason" in command(tmp_path, "exclude", NAME, pseudonym, code=2).err
    assert "p-0" in command(tmp_path, "exclude", NAME, "p-0", "--reason", "x", code=2).err


# ---------------------------------------------------------------------- payments
def rows_of(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))


def bonuses_of(folder: Path) -> dict[str, float]:
    """Return the bonuses of the file for Prolific, by the number of the participant."""
    lines = (folder / "bonuses-prolific.csv").read_text(encoding="utf-8").splitlines()
    return {line.partition(",")[0]: float(line.partition(",")[2]) for line in lines}


def test_bonuses_are_written_as_prolific_takes_them(study, tmp_path):
    folder, names = study
    done = command(folder, "payments", NAME, "--out", tmp_path / "pay")
    assert "PLANTED" not in done.out + done.err
    paid = bonuses_of(tmp_path / "pay")
    assert set(paid) == {ID.format(number) for number in (*range(12), 15, 17, 18, 19)}
    assert all(0 < amount <= 4 for amount in paid.values())
    rows = {line.split()[0]: line.split() for line in done.out.splitlines() if line.startswith(" p-")}
    assert rows[names["fault"]][1:4] == ["technical_fault", "1", "1"]  # the game that a fault ended has the mean of one
    assert rows[names["shortened"]][1:4] == ["completed", "2", "2"]
    assert paid[ID.format(18)] == float(rows[names["shortened"]][4])
    assert not {names["left"], names["declined"], names["full"]} & set(rows)
    for file in (tmp_path / "pay").iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "not empty" in command(folder, "payments", NAME, "--out", tmp_path / "pay", code=2).err


def test_a_game_that_others_ended_counts_the_mean_of_the_person(tmp_path):
    amounts = []
    for states in (("counts",), ("counts", "abandoned")):
        folder = tmp_path / str(len(states))
        folder.mkdir()
        log = StudyLog(folder)
        for _ in range(2):
            log.add_person("technical_fault", states)
        log.close()
        command(folder, "payments", NAME, "--out", "pay")
        amounts.append(bonuses_of(folder / "pay")[ID.format(1)])
    assert amounts[0] > 0 and amounts[1] == pytest.approx(2 * amounts[0], abs=0.01)


HEADS = "Submission id,Participant id,Status,Custom study tncs accepted at,Started at,Completion code,Age"
DONE = "DONE1"


def test_the_log_and_the_submissions_of_prolific_are_compared_both_ways(study, tmp_path):
    folder, names = study
    statuses = {
        0: ("APPROVED", DONE),
        1: ("AWAITING REVIEW", DONE),
        2: ("RETURNED", ""),
        3: ("TIMED-OUT", ""),
        4: ("AWAITING REVIEW", "NOCODE"),
        5: ("AWAITING REVIEW", "WITHDREW1"),
        6: ("AWAITING REVIEW", "ELSEWHERE"),
        7: ("REJECTED", DONE),
        12: ("RETURNED", ""),
        16: ("AWAITING REVIEW", "NOCODE"),
    }
    lines = [f"s{number},{ID.format(number)},{status},,,{code},30" for number, (status, code) in statuses.items()]
    lines += ["s90,STRANGER1,RETURNED,,,,41", "s91,STRANGER2,AWAITING REVIEW,,,NOCODE,42"]
    (tmp_path / "prolific.csv").write_text("\n".join([HEADS, *lines]) + "\n", encoding="utf-8")
    done = command(folder, "payments", NAME, "--submissions", tmp_path / "prolific.csv", "--out", tmp_path / "pay")
    assert "PLANTED" not in done.out + done.err and "STRANGER" not in done.out + done.err
    rows = rows_of(tmp_path / "pay" / "submissions.csv")
    found = {row["participant_id"]: row["finding"] for row in rows}
    expected = {
        ID.format(2): "returned on Prolific, but completed here",
        ID.format(3): "timed out on Prolific, but completed here",
        ID.format(4): "submitted without a code (NOCODE), but completed here",
        ID.format(5): "the code is that of another end than the log has",
        ID.format(6): "the code is none of this study",
        ID.format(7): "rejected on Prolific, but the end here is paid",
        ID.format(12): "returned or timed out, not finished here",
        ID.format(16): "submitted without a code, and not finished here",
        "STRANGER1": "returned or timed out on Prolific, never arrived here",
        "STRANGER2": "submitted on Prolific, never arrived here",
        ID.format(13): "arrived here with a Prolific id that the export does not have",
    }
    assert {id_: found.get(id_) for id_ in expected} == expected
    assert ID.format(0) not in found and ID.format(1) not in found
    assert sum("the export does not have" in finding for finding in found.values()) == 20 - len(statuses)
    assert stat.S_IMODE((tmp_path / "pay" / "submissions.csv").stat().st_mode) == 0o600
    for words in ("2 status and code agree", "approve by hand", names["left"]):
        assert words in " ".join(done.out.split()), words


def test_a_file_that_is_no_list_of_submissions_is_refused(study, tmp_path):
    (tmp_path / "other.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    refused = command(study[0], "payments", NAME, "--submissions", tmp_path / "other.csv", code=2)
    assert "no column 'participant id'" in refused.err


def test_workers_of_mturk_are_paid_with_their_assignment(tmp_path):
    log = StudyLog(tmp_path)
    log.add_person()
    [(_, _, id_, _)] = log.identifiers.list_study_identifiers(NAME)
    log.identifiers.delete_identifiers(NAME)
    log.identifiers.add_identifier(NAME, "mturk", "WORKER1", id_, {"assignmentId": "ASSIGNMENT1"})
    log.close()
    command(tmp_path, "payments", NAME, "--out", "pay")
    [row] = rows_of(tmp_path / "pay" / "bonuses-mturk.csv")
    assert (row["WorkerId"], row["AssignmentId"]) == ("WORKER1", "ASSIGNMENT1") and float(row["BonusAmount"]) > 0


@pytest.mark.parametrize(("kind", "file_name"), [("mturk", "bonuses-mturk.csv"), ("label", "bonuses-links.csv")])
def test_nobody_without_a_bonus_is_in_a_file_of_bonuses(tmp_path, kind, file_name):
    log = StudyLog(tmp_path)
    log.add_person()
    log.add_person("withdrawn", ("removed",))
    people = [id_ for _, _, id_, _ in log.identifiers.list_study_identifiers(NAME)]
    log.identifiers.delete_identifiers(NAME)
    for label, id_ in zip(("paid", "unpaid"), people, strict=True):
        log.identifiers.add_identifier(NAME, kind, label, id_, {})
    log.close()
    command(tmp_path, "payments", NAME, "--out", "pay")
    text = (tmp_path / "pay" / file_name).read_text(encoding="utf-8")
    assert "\npaid," in text and "unpaid" not in text


# ---------------------------------------------------------------------- what a person asks for, and a study of one
def test_one_person_is_no_people(tmp_path):
    log = StudyLog(tmp_path)
    log.add_person()
    log.close()
    _, text = report(tmp_path)
    assert "1 of 1 person who arrived" in text and "no interval: 1 person, 4 instances" in text
    assert not re.search(r"(?<![\d.,])1 (people|games|instances|questions)\b", text)
    done = command(tmp_path, "export", NAME, "out")
    assert "1 participant, " in done.err
    assert (tmp_path / "out" / "review.txt").read_text(encoding="utf-8").startswith("Nothing here looks like")


def test_a_missing_log_is_that_of_a_study_to_add(tmp_path):
    assert "`ludens study add FILE` creates it" in command(tmp_path, "open", NAME, code=1).err


def test_a_person_is_deleted_once_and_only_when_that_is_confirmed(tmp_path):
    log = StudyLog(tmp_path)
    pseudonym = log.add_person("completed", ("counts", "counts"))
    games = log.store.episodes()
    log.close()
    delete = ("person", NAME, pseudonym, "--delete")
    assert "--yes" in command(tmp_path, *delete, code=2).err
    assert json.loads(command(tmp_path, "person", NAME, pseudonym, "--export").out)["identifiers"]
    deleted = command(tmp_path, *delete, "--yes").err
    assert f"Deleted: 3 games, the answers at 1 step and 1 identifier of {pseudonym}." in deleted
    left = json.loads(command(tmp_path, "person", NAME, pseudonym, "--export").out)
    assert not left["identifiers"] and not left["answers"] and not left["games"]
    with Store(log.db) as store:
        assert len(games) - len(store.episodes()) == 3  # one was for practice
    again = command(tmp_path, *delete).err
    assert "Deleted" not in again and f"{pseudonym} has no games, answers or identifiers" in again


# ---------------------------------------------------------------------- in a browser
@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_fits_and_is_accessible(study, new_page, width, scheme):
    from axe_playwright_python.sync_playwright import Axe

    report(study[0])
    new_page.allow("file:///.*/report.html")
    page = new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto((study[0] / "report.html").as_uri())
    page.get_by_role("heading", name="Exploring a building").wait_for()
    assert not Axe().run(page).response["violations"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    pictures = page.evaluate("[...document.images].map((image) => image.naturalWidth)")
    assert len(pictures) == 2 and all(pictures)
    assert not [url for url in requests if not url.startswith(("file:", "data:"))]
