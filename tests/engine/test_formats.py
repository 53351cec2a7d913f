"""Exports as other programs read them: every file against a schema, and nothing in it that must not leave."""

import asyncio
import csv
import io
import json
import re
import tracemalloc
import zipfile
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.client_report import CLIENT_REPORT_FIELDS
from engine.core.events import Event, Kind, Outcome, to_json
from engine.core.master import GameMaster
from engine.core.patterns import BadPattern
from engine.core.replies import NotInFormat, Tagged, Text, build_format
from engine.core.start import EpisodeStart
from engine.formats.clembench import episodes as clembench
from engine.formats.clembench import patterns
from engine.formats.clembench.files import find_files
from engine.formats.csv import ANALYSIS_COLUMNS, CLIENT_COLUMNS, PARTICIPANT_COLUMNS, TABLE_COLUMNS
from engine.formats.export import WRITER_BY_FORMAT, export_episodes
from engine.formats.writer import ExportOptions
from engine.play.plans import build_item_start, read_ludens_version
from engine.play.registry import Registry
from engine.play.runner import play
from engine.storage.participants import read_participant_keys
from engine.storage.seat_links import SeatLinks, hash_cookie, make_cookie
from engine.storage.store import Store

ROOT = Path(__file__).resolve().parents[2]
REGISTRY = Registry(ROOT)
SCHEMAS = Path(__file__).parent / "schemas"
ODD_REPLY = 'ANSWER: =1+1, \ud800 and \x00 <b>&amp;</b>\n"quoted"'
PERSON = "person?name=Zebedee"


def parse_json(text: str):
    """Return JSON, without NaN, which the standard does not allow."""

    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)


def validate(name: str, data) -> None:
    jsonschema.validate(data, parse_json((SCHEMAS / f"{name}.json").read_text()))


def matchit_log(seats, replies, *, reprompt=0, end=None) -> list[Event]:
    """Return the log of a MatchIt episode with these replies (text, meta), numbered and timed."""
    game, [item] = REGISTRY.game("matchit"), REGISTRY.select_instances("matchit/text/same/0")
    master, log = GameMaster.begin_episode(game, build_item_start(game, item, seats, reprompt=reprompt))
    for text, meta in replies:
        log += master.reply(next(iter(master.open)), text, meta)
    if end:
        log += master.end(end)
    log.insert(2, Event(Kind.PRESENT, "A", {}))
    return [Event(event.kind, event.seat, event.data, n, 1_700_000_000_000 + 250 * n) for n, event in enumerate(log)]


def winning_replies(answer="ANSWER: yes"):
    descriptions = [("DESCRIPTION: a cross", {"model": "m", "reasoning": "a secret thought", "seconds": 1.5})] * 2
    turns = [("QUESTION: is it red?", {"seconds": 0.1}), (answer, {})] * 6
    return [*descriptions, *turns, ("DECISION: same grids", {}), ("DECISION: same grids", {})]


@pytest.fixture(scope="module")
def db(tmp_path_factory) -> Path:
    """A log of varied episodes: one to six seats, pictures, refusals, people, presence, an odd reply."""
    path = tmp_path_factory.mktemp("log") / "log.db"
    with Store(path) as store:
        for selection in ("matchit/picture", "mapworld/g2x-picture", "spyfall/words"):
            item = REGISTRY.select_instances(selection)[0]
            episode = asyncio.run(play(item.game, item, {"all": "scripted"}))
            store.import_episode(episode.master.start, episode.log, key=None, origin="run")
        for key, seats, replies, options in (
            ("won", {"A": "openai/gpt?temperature=0", "B": "scripted"}, winning_replies(ODD_REPLY), {}),
            ("refused", {"A": "random", "B": "random"}, [("nonsense", {}), *winning_replies()], {"reprompt": 1}),
            ("aborted", {"A": "random", "B": "random"}, [("nonsense", {})], {}),
            ("left", {"A": PERSON, "B": "random"}, [], {"end": Outcome.from_json({"kind": "abandoned", "seat": "A"})}),
            ("person", {"A": PERSON, "B": "random"}, winning_replies(), {}),
        ):
            log = matchit_log(seats, replies, **options)
            store.import_episode(start_of(log), log, key=key, origin="table")
    return path


def start_of(log) -> EpisodeStart:
    return EpisodeStart.model_validate(log[0].data)


def export(db: Path, folder: Path, format: str, **options):
    folder.mkdir()
    with Store(db) as store:
        metadata = export_episodes(store, REGISTRY, folder, format, ExportOptions(**options), read_ludens_version())
    written = parse_json((folder / "metadata.json").read_text())
    validate("metadata", written)
    assert written["episodes"] == metadata["episodes"]
    return written


def read_lines(path: Path):
    return [parse_json(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read_csv(path: Path):
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))


# ------------------------------------------------------------------ every format
def test_jsonl_has_every_event(db, tmp_path):
    metadata = export(db, tmp_path / "x", "jsonl", people=True)
    events = read_lines(tmp_path / "x" / "events.jsonl")
    for line in events:
        validate("jsonl.events", line)
    with Store(db) as store:
        number = sum(len(store.events(row.id)) for row in store.iterate_episodes())
    assert (metadata["episodes"], len(events)) == (8, number) and metadata["written"]["events"] == number
    assert any(line["data"].get("text") == ODD_REPLY for line in events), "any code point survives"


def test_tables_have_the_documented_columns_with_their_meanings_and_one_row_per_episode_turn_and_reply(db, tmp_path):
    metadata = export(db, tmp_path / "x", "csv")
    tables = {name: read_csv(tmp_path / "x" / f"{name}.csv") for name in TABLE_COLUMNS}
    for name, rows in tables.items():
        assert (
            list(rows[0]) == [*TABLE_COLUMNS[name], *ANALYSIS_COLUMNS[name]] and len(rows) == metadata["written"][name]
        )
    page = (ROOT / "docs" / "formats.md").read_text()
    tables_text = page.partition("### `episodes.csv`")[2].partition("## `sft`")[0]
    documented = re.findall(r"^\| `(\w+)` \| ([^`]*) \|$", tables_text, re.MULTILINE)
    assert documented == [
        column
        for name in TABLE_COLUMNS
        for column in (TABLE_COLUMNS[name] | PARTICIPANT_COLUMNS[name] | ANALYSIS_COLUMNS[name]).items()
    ]
    episodes = {row["episode"]: row for row in tables["episodes"]}
    assert len(episodes) == 6
    [aborted] = [row for row in episodes.values() if row["outcome"] == "aborted"]
    assert [aborted[name] for name in ("main_score", "success", "played", "outcome_seat")] == ["", "0", "0", "A"]
    assert json.loads(aborted["scores"])["main_score"] is None
    refused = [row for row in tables["replies"] if row["text"] == "nonsense" and row["episode"] != aborted["episode"]]
    assert [(row["accepted"], row["fault"]) for row in refused] == [("0", "format")]
    assert sum(row["replies"] == "2" for row in tables["turns"]) == 1
    answered = [row for row in tables["turns"] if row["replies"] != "0"]  # the aborted game cancelled another ask
    assert len(answered) == len(tables["turns"]) - 1 and all(float(row["seconds"]) >= 0 for row in answered)


def test_chats_are_of_episodes_with_the_score_and_without_reasoning(db, tmp_path):
    export(db, tmp_path / "x", "sft")
    text_chats, picture_chats = read_lines(tmp_path / "x" / "text.jsonl"), read_lines(tmp_path / "x" / "pictures.jsonl")
    for chat in text_chats + picture_chats:
        validate("sft.chat", chat)
        roles = [message["role"] for message in chat["messages"]]
        assert roles == ["user", "assistant"] * (len(roles) // 2)
    assert {chat["metadata"]["main_score"] for chat in text_chats + picture_chats} <= {100.0, None}
    assert "secret thought" not in to_json(text_chats + picture_chats)
    for chat in picture_chats:
        image_parts = [part for m in chat["messages"] for part in m["content"] if part["type"] == "image"]
        assert len(image_parts) == len(chat["images"])
        assert all((tmp_path / "x" / name).stat().st_size for name in chat["images"])
    refused = [m for chat in text_chats for m in chat["messages"] if m["content"] == "nonsense"]
    assert [message["weight"] for message in refused] == [0]
    export(db, tmp_path / "all", "sft", least_score=0.0, reasoning=True)
    all_chats = read_lines(tmp_path / "all" / "text.jsonl")
    assert len(all_chats) >= len(text_chats) and "secret thought" in to_json(all_chats)


def test_a_corpus_has_the_files_of_convokit(db, tmp_path):
    metadata = export(db, tmp_path / "x", "convokit", people=True)
    utterances = read_lines(tmp_path / "x" / "utterances.jsonl")
    for utterance in utterances:
        validate("convokit.utterance", utterance)
    names = ("conversations", "speakers", "index")
    files = {name: parse_json((tmp_path / "x" / f"{name}.json").read_text()) for name in names}
    for name, data in files.items():
        validate(f"convokit.{name}", data)
    ids = {utterance["id"] for utterance in utterances}
    assert all(utterance["reply-to"] in ids | {None} for utterance in utterances)
    assert {utterance["conversation_id"] for utterance in utterances} == set(files["conversations"])
    assert {utterance["speaker"] for utterance in utterances} == set(files["speakers"])
    assert metadata["written"]["utterances"] == len(utterances)
    people = [name for name, speaker in files["speakers"].items() if speaker["meta"]["kind"] == "person"]
    assert len(people) == 1 and people[0].startswith("person-")


def test_a_psych_ds_data_set_describes_every_column(db, tmp_path):
    export(db, tmp_path / "x", "psych-ds")
    description = parse_json((tmp_path / "x" / "dataset_description.json").read_text())
    validate("psych-ds.dataset_description", description)
    variables = {variable["name"] for variable in description["variableMeasured"]}
    files = list((tmp_path / "x" / "data").iterdir())
    assert len(files) == 3
    for path in files:
        assert re.fullmatch(r"([a-z]+-[A-Za-z0-9]+_)+data\.csv", path.name)
        assert set(read_csv(path)[0]) <= variables


def test_a_game_with_a_hidden_partner_and_a_takeover_reads_back_as_the_same_log(tmp_path):
    game, [item] = REGISTRY.game("matchit"), REGISTRY.select_instances("matchit/text/same/0")
    people = {"A": {"practice": False, "hidden_partner": True}}
    start = build_item_start(game, item, {"A": "person", "B": "person"}, people=people)
    master, events = GameMaster.begin_episode(game, start)
    for text, _ in winning_replies():
        ask = next(iter(master.open))
        events += [*master.reply(ask, text), *master.release(ask)]
        if ask == 3:
            events += master.hand_over_seat("B", "scripted", "no reply in time")
    log = [Event(e.kind, e.seat, e.data, n, 1_700_000_000_000 + 250 * n) for n, e in enumerate(events)]
    with Store(tmp_path / "log.db") as store:
        store.import_episode(start, log, key=None, origin="table")
    export(tmp_path / "log.db", tmp_path / "x", "clembench", people=True)
    [folder] = {path.parent for path in (tmp_path / "x").rglob("interactions.json")}
    recorded = clembench.read_episode(folder, tmp_path / "x", {}, REGISTRY)
    replayed = clembench.replay_episode(recorded, REGISTRY, "other").log
    assert (replayed[0].data, replayed[1:]) == (log[0].data, log[1:]), "but for the time of the start"
    assert sum(event.kind is Kind.RELEASED for event in log) == len(winning_replies())


def test_clembench_results_read_back_as_the_same_log(db, tmp_path):
    metadata = export(db, tmp_path / "x", "clembench", people=True, reasoning=True)
    folders = find_files(tmp_path / "x").episode_folders
    assert len(folders) == metadata["episodes"] == 8
    with Store(db) as store, Store(tmp_path / "back.db") as back:
        for folder in folders:
            for name in ("interactions", "instance", "scores", "requests"):
                validate(f"clembench.{name}", parse_json((folder / f"{name}.json").read_text()))
            validate("clembench.experiment", parse_json((folder.parent / "experiment.json").read_text()))
            recorded = clembench.read_episode(folder, tmp_path / "x", {}, REGISTRY)
            replayed = clembench.replay_episode(recorded, REGISTRY, "other")
            events, row = store.events(str(replayed.episode)), store.episode(str(replayed.episode))
            data_without_names = json.loads(to_json([event.data for event in events]).replace(PERSON, "person"))
            assert [(e.n, e.time, e.kind, e.seat) for e in replayed.log] == [
                (e.n, e.time, e.kind, e.seat) for e in events
            ]
            assert json.loads(to_json([event.data for event in replayed.log])) == data_without_names
            assert (replayed.plan_key, replayed.origin) == (row.plan_key, row.origin)
            assert clembench.compare_scores(recorded, replayed, REGISTRY)[1].matches
            for new in (True, False):
                imported = back.import_episode(
                    replayed.start, replayed.log, key=replayed.plan_key, origin="x", episode=replayed.episode
                )
                assert imported == (replayed.episode, new)
        assert len(list(back.iterate_episodes())) == 8


# ------------------------------------------------------------------ participants
@pytest.fixture(scope="module")
def seated(tmp_path_factory):
    """A log in which Ada plays twice, once with Bob, a third game has nobody's browser, and Bob takes a seat over."""
    path = tmp_path_factory.mktemp("seated") / "log.db"
    ada, bob = (str(hash_cookie(make_cookie())) for _ in range(2))
    games = {
        "alone": ({"A": "person", "B": "random"}, {"A": ada}),
        "together": ({"A": "person", "B": "person"}, {"A": ada, "B": bob}),
        "unknown": ({"A": "person", "B": "random"}, {}),
        "handed over": ({"A": "person", "B": "random"}, {"A": bob}),
    }
    episodes = {}
    with Store(path) as store:
        links = SeatLinks(store, store)
        for key, (seats, holders) in games.items():
            log = matchit_log(seats, winning_replies())
            if key == "handed over":
                replies = [event.n for event in log if event.kind is Kind.REPLY and event.seat == "A"]
                log.insert(replies[1], Event(Kind.SEAT, "A", {"player": "person"}))
                log = [Event(e.kind, e.seat, e.data, n, 1_700_000_000_000 + n) for n, e in enumerate(log)]
            episodes[key], _ = store.import_episode(start_of(log), log, key=key, origin="table")
            if holders:
                pids = links.open_table(episodes[key], ada, holders, None, 0.0, "hash")
                for seat, browser in holders.items():
                    links.hold_seat(browser, pids[seat], "hash")
        keys = read_participant_keys(store)
        assert read_participant_keys(store, [episodes["alone"]]) == {
            (episodes["alone"], "A"): keys[episodes["alone"], "A"]
        }
    assert len(keys) == 4 and ada[:8] not in str(keys) and bob[:8] not in str(keys)
    return path, episodes, keys[episodes["alone"], "A"], keys[episodes["together"], "B"]


def test_tables_name_one_participant_for_all_games_of_a_person(seated, tmp_path):
    path, episodes, ada, bob = seated
    assert ada != bob and re.fullmatch("p[0-9a-f]{12}", ada)
    export(path, tmp_path / "x", "csv", people=True)
    tables = {name: read_csv(tmp_path / "x" / f"{name}.csv") for name in TABLE_COLUMNS}
    for name, rows in tables.items():
        assert list(rows[0]) == [*TABLE_COLUMNS[name], *PARTICIPANT_COLUMNS[name], *ANALYSIS_COLUMNS[name]]
    by_episode = {row["episode"]: row["participants"] for row in tables["episodes"]}
    assert json.loads(by_episode[episodes["together"]]) == {"A": ada, "B": bob}
    assert json.loads(by_episode[episodes["alone"]]) == {"A": ada}
    assert by_episode[episodes["unknown"]] == by_episode[episodes["handed over"]] == ""
    for name in ("turns", "replies"):
        expected = {(episodes["alone"], "A"): {ada}, (episodes["together"], "B"): {bob}, (episodes["alone"], "B"): {""}}
        for (episode, seat), participants in expected.items():
            rows = [row for row in tables[name] if (row["episode"], row["seat"]) == (episode, seat)]
            assert {row["participant"] for row in rows} == participants
    handed = [row for row in tables["replies"] if (row["episode"], row["seat"]) == (episodes["handed over"], "A")]
    assert [row["participant"] for row in handed] == [""] + [bob] * (len(handed) - 1)
    dictionary = read_csv(tmp_path / "x" / "dictionary.csv")
    assert [row["column"] for row in dictionary if row["table"] == "turns"][-1] == "participant"
    export(path, tmp_path / "y", "psych-ds", people=True)
    variables = parse_json((tmp_path / "y" / "dataset_description.json").read_text())["variableMeasured"]
    assert {"participant", "participants"} <= {variable["name"] for variable in variables}


def test_a_person_is_one_speaker_of_a_corpus_and_is_named_in_chats_and_starts(seated, tmp_path):
    path, episodes, ada, bob = seated
    export(path, tmp_path / "x", "convokit", people=True)
    speakers = parse_json((tmp_path / "x" / "speakers.json").read_text())
    people = {name for name, speaker in speakers.items() if speaker["meta"]["kind"] == "person"}
    nameless = {f"person-{episodes[key]}-A" for key in ("unknown", "handed over")}
    assert people == {ada, bob} | nameless
    export(path, tmp_path / "y", "sft", people=True)
    chats = read_lines(tmp_path / "y" / "text.jsonl")
    for chat in chats:
        validate("sft.chat", chat)
    named = {
        (chat["metadata"]["episode"], chat["metadata"]["seat"]): chat["metadata"].get("participant") for chat in chats
    }
    assert named[episodes["together"], "B"] == bob and named[episodes["alone"], "B"] is None
    export(path, tmp_path / "z", "jsonl", people=True)
    events = read_lines(tmp_path / "z" / "events.jsonl")
    for event in events:
        validate("jsonl.events", event)
    assert {event["episode"]: event["participants"] for event in events if "participants" in event} == {
        episodes["alone"]: {"A": ada},
        episodes["together"]: {"A": ada, "B": bob},
    }


# ------------------------------------------------------------------ what browsers reported
REPORT = {"first_key_ms": 812, "keystrokes": 24, "pasting": "allowed", "pointer": "fine", "pictures": [[336.0, 336.0]]}


@pytest.fixture(scope="module")
def reported_db(tmp_path_factory) -> Path:
    """A log of two episodes; in the second a person's replies have reports, one with what no browser reports."""
    path = tmp_path_factory.mktemp("log") / "log.db"
    forged_report = {**REPORT, "keystrokes": "=1+1", "zoom": 10**400, "unknown": "a secret thought"}
    replies = [(text, {}) for text, _ in winning_replies()]
    with_reports = [(text, {"client": REPORT if n else forged_report}) for n, (text, _) in enumerate(replies)]
    with Store(path) as store:
        for key, sent in (("without", replies), ("with", with_reports)):
            log = matchit_log({"A": PERSON, "B": "random"}, sent)
            store.import_episode(start_of(log), log, key=key, origin="table")
    return path


def test_tables_have_what_browsers_reported(reported_db, tmp_path):
    for format, folder in (("csv", ""), ("psych-ds", "data/study-ludens_description-")):
        export(reported_db, tmp_path / format, format, people=True)
        ending = "_data" if folder else ""
        rows = read_csv(tmp_path / format / f"{folder}replies{ending}.csv")
        assert (
            list(rows[0]) == [*TABLE_COLUMNS["replies"], *CLIENT_COLUMNS, *ANALYSIS_COLUMNS["replies"]]
            and len(rows) == 32
        )
        assert {row[name] for row in rows[:16] for name in CLIENT_COLUMNS} == {""}
        assert (rows[16]["client_keystrokes"], rows[16]["client_zoom"]) == ("", "")
        reported = {name: rows[17][f"client_{name}"] for name in REPORT}
        assert reported == {**{name: str(value) for name, value in REPORT.items()}, "pictures": "[[336.0,336.0]]"}
        assert not list((tmp_path / format).rglob("*.part"))
        text = "\n".join(file.read_text() for file in (tmp_path / format).rglob("*") if file.is_file())
        assert "client_pasted_characters" in text and "secret thought" not in text
    description = parse_json((tmp_path / "psych-ds" / "dataset_description.json").read_text())
    assert set(CLIENT_COLUMNS) <= {variable["name"] for variable in description["variableMeasured"]}
    dictionary = read_csv(tmp_path / "csv" / "dictionary.csv")
    assert set(CLIENT_COLUMNS) <= {row["column"] for row in dictionary if row["table"] == "replies"}


def test_corpora_and_chats_have_what_browsers_reported(reported_db, tmp_path):
    export(reported_db, tmp_path / "corpus", "convokit", people=True)
    utterances = read_lines(tmp_path / "corpus" / "utterances.jsonl")
    for utterance in utterances:
        validate("convokit.utterance", utterance)
    assert [utterance["meta"].get("client") for utterance in utterances[17:]] == [REPORT] * 15
    assert not any("client" in utterance["meta"] for utterance in utterances[:16])
    index = parse_json((tmp_path / "corpus" / "index.json").read_text())
    assert index["utterances-index"]["client"] == ["<class 'dict'>"]
    export(reported_db, tmp_path / "chats", "sft", people=True)
    chats = read_lines(tmp_path / "chats" / "text.jsonl")
    for chat in chats:
        validate("sft.chat", chat)
        replies = sum(message["role"] == "assistant" for message in chat["messages"])
        assert len(chat["metadata"].get("client", range(replies))) == replies
    assert sum("client" in chat["metadata"] for chat in chats) == 2
    for format in ("jsonl", "clembench"):
        export(reported_db, tmp_path / format, format, people=True)
        names = ("events.jsonl", "interactions.json")
        text = "\n".join(file.read_text() for name in names for file in (tmp_path / format).rglob(name))
        assert text.count("first_key_ms") == 16, format


def test_every_field_of_a_report_is_documented():
    section = (ROOT / "docs" / "formats.md").read_text().partition("## What browsers report")[2]
    documented = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", section, re.MULTILINE))
    assert {name: documented.get(name) for name in CLIENT_REPORT_FIELDS} == {
        name: field.meaning for name, field in CLIENT_REPORT_FIELDS.items()
    }


# ------------------------------------------------------------------ what must not leave
def text_in(file: Path) -> str:
    """Return all text in an exported file, also in archives and tables."""
    if file.suffix == ".eval":
        with zipfile.ZipFile(file) as archive:
            return "\n".join(archive.read(name).decode() for name in archive.namelist())
    if file.suffix == ".parquet":
        parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow: make test-extras")
        return "\n".join(map(str, parquet.read_table(file).to_pylist()))
    return file.read_text(encoding="utf-8")


WITHOUT_PLAYERS = ("sft", "gameeval")
"""Chats name no players, and GameEval has none of the games that people play here."""


@pytest.mark.parametrize("format", WRITER_BY_FORMAT)
def test_people_are_exported_only_on_request_and_never_by_name(db, tmp_path, format):
    if format == "hf":
        pytest.importorskip("pyarrow", reason="needs pyarrow: make test-extras")
    without = export(db, tmp_path / "x", format, least_score=0.0)
    assert without["left_out"]["people"] == 2 and "person" not in without["players"]
    export(db, tmp_path / "y", format, least_score=0.0, people=True)
    for path in (tmp_path / "x", tmp_path / "y"):
        files = [file for file in path.rglob("*") if file.is_file() and file.parent.name != "pictures"]
        text = "\n".join(text_in(file) for file in files)
        assert "Zebedee" not in text and "secret thought" not in text
        assert re.search(r'[\\", \']person[-\\"\']', text) or path.name == "x" or format in WITHOUT_PLAYERS


@pytest.mark.slow
def test_an_export_needs_no_more_memory_for_more_episodes(tmp_path):
    log = matchit_log({"A": "random", "B": "random"}, winning_replies())
    peaks = []
    for number in (20, 240):
        with Store(tmp_path / f"{number}.db") as store:
            for _ in range(number):
                store.import_episode(start_of(log), log, key=None, origin="run")
        tracemalloc.start()
        export(tmp_path / f"{number}.db", tmp_path / f"x{number}", "csv")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 3 * peaks[0]


# ------------------------------------------------------------------ imported patterns
PATTERN = r"^answer:\s*(?P<content>.+)\n*(?P<remainder>.*)"
ANSWER_FORMAT = patterns.ImportedFormat((PATTERN,), Tagged("Answer", Text(), any_case=True))


@given(st.text())
@settings(deadline=None)
def test_a_reply_that_an_imported_pattern_accepts_is_read_by_our_format(text):
    try:
        value = ANSWER_FORMAT.parse(text)
    except NotInFormat:
        return
    assert text.strip().casefold().startswith("answer:") and value in text


def test_an_imported_format_survives_the_log_and_adds_no_words():
    strict_format = patterns.ImportedFormat(ANSWER_FORMAT.patterns, ANSWER_FORMAT.inner, "content", nothing="remainder")
    restored = build_format(json.loads(to_json(strict_format.declaration())))
    assert restored == strict_format and restored.words() == ""
    assert restored.parse("ANSWER: the first") == "the first"
    with pytest.raises(NotInFormat):
        restored.parse("answer: first\nor second")
    assert (
        patterns.IMPORTED_NOTE in restored.describe_form()["title"]
        and restored.compose_reply({"text": "x"}) == "Answer: x"
    )


def test_a_pattern_that_takes_too_long_raises_its_own_error(monkeypatch):
    monkeypatch.setattr(patterns, "MAX_SEARCH_SECONDS", 0.05)
    slow = patterns.ImportedFormat((r"^(?=a)(a|aa)+$",), Text())  # it looks ahead, which RE2 cannot
    with pytest.raises(patterns.PatternTooSlow):
        slow.parse("a" * 4000 + "!")
    with pytest.raises(NotInFormat):  # RE2 needs no limit
        patterns.ImportedFormat((r"^(a|aa)+$",), Text()).parse("a" * 4000 + "!")
    with pytest.raises(NotInFormat):
        ANSWER_FORMAT.parse("answer: " + "a" * patterns.MAX_REPLY_CHARACTERS)
    with pytest.raises(BadPattern):
        patterns.ImportedFormat(("(",), Text()).parse("x")
