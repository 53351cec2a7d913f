"""Exports as other programs meet them: every file against a schema, and nothing in it that must not leave."""

import asyncio
import csv
import io
import json
import re
import tracemalloc
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.events import Event, Kind, Outcome, to_json
from engine.core.master import GameMaster
from engine.core.replies import NotInFormat, Tagged, Text, format_of
from engine.formats.clembench import episodes as clembench
from engine.formats.clembench import patterns
from engine.formats.csv import COLUMNS
from engine.formats.export import FORMATS, export_episodes
from engine.formats.writer import ExportOptions
from engine.play.plans import build_item_start, ludens_version
from engine.play.registry import Registry
from engine.play.runner import play
from engine.storage.store import Store

ROOT = Path(__file__).resolve().parents[2]
REGISTRY = Registry(ROOT)
SCHEMAS = Path(__file__).parent / "schemas"
ODD = 'ANSWER: =1+1, \ud800 and \x00 <b>&amp;</b>\n"quoted"'
NAME = "person?name=Zebedee"


def strict(text: str):
    """Read JSON as the standard has it: no NaN."""

    def refused(constant):
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refused)


def valid(name: str, data) -> None:
    jsonschema.validate(data, strict((SCHEMAS / f"{name}.json").read_text()))


def by_hand(seats, replies, *, reprompt=0, end=None, instance="matchit/text/same/0") -> list[Event]:
    """Return the log of a MatchIt episode with these (text, meta), numbered and timed."""
    game, [item] = REGISTRY.game("matchit"), REGISTRY.select(instance)
    master, log = GameMaster.begin(game, build_item_start(game, item, seats, reprompt=reprompt))
    for text, meta in replies:
        log += master.reply(next(iter(master.open)), text, meta)
    if end:
        log += master.end(end)
    log.insert(2, Event(Kind.PRESENT, "A", {}))
    return [Event(event.kind, event.seat, event.data, n, 1_700_000_000_000 + 250 * n) for n, event in enumerate(log)]


def won(text="ANSWER: yes"):
    described = [("DESCRIPTION: a cross", {"model": "m", "reasoning": "a secret thought", "seconds": 1.5})] * 2
    turns = [("QUESTION: is it red?", {"seconds": 0.1}), (text, {})] * 6
    return [*described, *turns, ("DECISION: same grids", {}), ("DECISION: same grids", {})]


@pytest.fixture(scope="module")
def db(tmp_path_factory) -> Path:
    """A log of what there can be: games of one to six seats, pictures, refusals, people, a late start, an odd reply."""
    path = tmp_path_factory.mktemp("log") / "log.db"
    with Store(path) as store:
        for selection in ("matchit/picture/pentomino-same/0", "mapworld/g2x-picture/on/0", "spyfall/words"):
            chosen = REGISTRY.select("/".join(selection.split("/")[:2]))[0]
            episode = asyncio.run(play(chosen.game, chosen, {"all": "scripted"}))
            store.import_episode(episode.master.start, episode.log, key=None, origin="run")
        for key, seats, replies, rest in (
            ("won", {"A": "openai/gpt?temperature=0", "B": "scripted"}, won(ODD), {}),
            ("refused", {"A": "random", "B": "random"}, [("nonsense", {}), *won()], {"reprompt": 1}),
            ("aborted", {"A": "random", "B": "random"}, [("nonsense", {})], {}),
            ("left", {"A": NAME, "B": "random"}, [], {"end": Outcome.from_json({"kind": "abandoned", "seat": "A"})}),
            ("person", {"A": NAME, "B": "random"}, won(), {}),
        ):
            log = by_hand(seats, replies, **rest)
            store.import_episode(start_in(log), log, key=key, origin="table")
    return path


def start_in(log):
    from engine.core.start import Start

    return Start.model_validate(log[0].data)


def export(db: Path, folder: Path, format: str, **options):
    folder.mkdir()
    with Store(db) as store:
        metadata = export_episodes(store, REGISTRY, folder, format, ExportOptions(**options), ludens_version())
    written = strict((folder / "metadata.json").read_text())
    valid("metadata", written)
    assert written["episodes"] == metadata["episodes"]
    return written


def lines(path: Path):
    return [strict(line) for line in path.read_text(encoding="utf-8").splitlines()]


def rows(path: Path):
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))


# ------------------------------------------------------------------ every format
def test_jsonl_has_every_event(db, tmp_path):
    about = export(db, tmp_path / "x", "jsonl", people=True)
    found = lines(tmp_path / "x" / "events.jsonl")
    for line in found:
        valid("jsonl.events", line)
    with Store(db) as store:
        number = sum(len(store.events(row.id)) for row in store.iterate())
    assert (about["episodes"], len(found)) == (8, number) and about["written"]["events"] == number
    assert any(line["data"].get("text") == ODD for line in found), "any code point survives"


def test_tables_have_the_documented_columns_and_a_row_each(db, tmp_path):
    about = export(db, tmp_path / "x", "csv")
    tables = {name: rows(tmp_path / "x" / f"{name}.csv") for name in COLUMNS}
    for name, found in tables.items():
        assert list(found[0]) == list(COLUMNS[name]) and len(found) == about["written"][name]
    page = (ROOT / "docs" / "formats.md").read_text()
    documented = re.findall(r"^\| `(\w+)` \| [^`]*\|$", page.partition("## `sft`")[0], re.MULTILINE)
    assert documented == [column for columns in COLUMNS.values() for column in columns]
    episodes = {row["episode"]: row for row in tables["episodes"]}
    assert len(episodes) == 6
    [aborted] = [row for row in episodes.values() if row["outcome"] == "aborted"]
    assert [aborted[name] for name in ("main_score", "success", "played", "outcome_seat")] == ["", "0", "0", "A"]
    assert json.loads(aborted["scores"])["main_score"] is None
    refused = [row for row in tables["replies"] if row["text"] == "nonsense" and row["episode"] != aborted["episode"]]
    assert [(row["accepted"], row["fault"]) for row in refused] == [("0", "format")]
    assert sum(row["replies"] == "2" for row in tables["turns"]) == 1
    assert all(float(row["seconds"]) >= 0 for row in tables["turns"])


def test_chats_are_of_good_episodes_and_without_thoughts(db, tmp_path):
    export(db, tmp_path / "x", "sft")
    text, shown = lines(tmp_path / "x" / "text.jsonl"), lines(tmp_path / "x" / "pictures.jsonl")
    for chat in text + shown:
        valid("sft.chat", chat)
        roles = [message["role"] for message in chat["messages"]]
        assert roles == ["user", "assistant"] * (len(roles) // 2)
    assert {chat["metadata"]["main_score"] for chat in text + shown} <= {100.0, None}
    assert "secret thought" not in to_json(text + shown)
    for chat in shown:
        places = [part for m in chat["messages"] for part in m["content"] if part["type"] == "image"]
        assert len(places) == len(chat["images"])
        assert all((tmp_path / "x" / name).stat().st_size for name in chat["images"])
    refused = [m for chat in text for m in chat["messages"] if m["content"] == "nonsense"]
    assert [message["weight"] for message in refused] == [0]
    export(db, tmp_path / "all", "sft", least=0.0, reasoning=True)
    more = lines(tmp_path / "all" / "text.jsonl")
    assert len(more) >= len(text) and "secret thought" in to_json(more)


def test_a_corpus_reads_as_convokit_writes_it(db, tmp_path):
    about = export(db, tmp_path / "x", "convokit", people=True)
    utterances = lines(tmp_path / "x" / "utterances.jsonl")
    for utterance in utterances:
        valid("convokit.utterance", utterance)
    names = ("conversations", "speakers", "index")
    files = {name: strict((tmp_path / "x" / f"{name}.json").read_text()) for name in names}
    for name, data in files.items():
        valid(f"convokit.{name}", data)
    ids = {utterance["id"] for utterance in utterances}
    assert all(utterance["reply-to"] in ids | {None} for utterance in utterances)
    assert {utterance["conversation_id"] for utterance in utterances} == set(files["conversations"])
    assert {utterance["speaker"] for utterance in utterances} == set(files["speakers"])
    assert about["written"]["utterances"] == len(utterances)
    people = [name for name, speaker in files["speakers"].items() if speaker["meta"]["kind"] == "person"]
    assert len(people) == 1 and people[0].startswith("person-")


def test_a_psych_ds_data_set_describes_every_column(db, tmp_path):
    export(db, tmp_path / "x", "psych-ds")
    described = strict((tmp_path / "x" / "dataset_description.json").read_text())
    valid("psych-ds.dataset_description", described)
    named = {variable["name"] for variable in described["variableMeasured"]}
    files = list((tmp_path / "x" / "data").iterdir())
    assert len(files) == 3
    for path in files:
        assert re.fullmatch(r"([a-z]+-[A-Za-z0-9]+_)+data\.csv", path.name)
        assert set(rows(path)[0]) <= named


def test_clembench_results_read_back_as_the_same_log(db, tmp_path):
    about = export(db, tmp_path / "x", "clembench", people=True, reasoning=True)
    folders = clembench.episode_folders(tmp_path / "x")
    assert len(folders) == about["episodes"] == 8
    with Store(db) as store, Store(tmp_path / "back.db") as back:
        for folder in folders:
            for name in ("interactions", "instance", "scores", "requests"):
                valid(f"clembench.{name}", strict((folder / f"{name}.json").read_text()))
            valid("clembench.experiment", strict((folder.parent / "experiment.json").read_text()))
            recorded = clembench.read_episode(folder, tmp_path / "x", {}, REGISTRY)
            again = clembench.replay(recorded, REGISTRY, "other")
            theirs, was = store.events(str(again.episode)), store.episode(str(again.episode))
            nameless = json.loads(to_json([event.data for event in theirs]).replace(NAME, "person"))
            assert [(e.n, e.time, e.kind, e.seat) for e in again.log] == [(e.n, e.time, e.kind, e.seat) for e in theirs]
            assert json.loads(to_json([event.data for event in again.log])) == nameless
            assert (again.plan_key, again.origin) == (was.plan_key, was.origin)
            assert clembench.compare(recorded, again, REGISTRY)[1].matches
            for new in (True, False):
                took = back.import_episode(
                    again.start, again.log, key=again.plan_key, origin="x", episode=again.episode
                )
                assert took == (again.episode, new)
        assert len(list(back.iterate())) == 8


# ------------------------------------------------------------------ what must not leave
@pytest.mark.parametrize("format", FORMATS)
def test_people_leave_only_when_asked_for_and_never_by_name(db, tmp_path, format):
    without = export(db, tmp_path / "x", format, least=0.0)
    assert without["left_out"]["people"] == 2 and "person" not in without["players"]
    export(db, tmp_path / "y", format, least=0.0, people=True)
    for path in (tmp_path / "x", tmp_path / "y"):
        files = [file for file in path.rglob("*") if file.is_file() and file.parent.name != "pictures"]
        whole = "\n".join(file.read_text(encoding="utf-8") for file in files)
        assert "Zebedee" not in whole and "secret thought" not in whole
        assert re.search(r'[\\", ]person[-\\"]', whole) or path.name == "x" or format == "sft"


def test_an_export_needs_no_more_memory_for_more_episodes(tmp_path):
    log = by_hand({"A": "random", "B": "random"}, won())
    peaks = []
    for number in (20, 240):
        with Store(tmp_path / f"{number}.db") as store:
            for _ in range(number):
                store.import_episode(start_in(log), log, key=None, origin="run")
        tracemalloc.start()
        export(tmp_path / f"{number}.db", tmp_path / f"x{number}", "csv")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 3 * peaks[0]


# ------------------------------------------------------------------ imported patterns
PATTERN = r"^answer:\s*(?P<content>.+)\n*(?P<remainder>.*)"
BROUGHT = patterns.ImportedFormat((PATTERN,), Tagged("Answer", Text(), any_case=True))


@given(st.text())
@settings(deadline=None)
def test_what_a_brought_pattern_takes_ours_takes(text):
    try:
        value = BROUGHT.parse(text)
    except NotInFormat:
        return
    assert text.strip().casefold().startswith("answer:") and value in text


def test_a_brought_format_survives_the_log_and_adds_no_words():
    strict_one = patterns.ImportedFormat(BROUGHT.patterns, BROUGHT.inner, "content", nothing="remainder")
    again = format_of(json.loads(to_json(strict_one.declaration())))
    assert again == strict_one and again.words() == ""
    assert again.parse("ANSWER: the first") == "the first"
    with pytest.raises(NotInFormat):
        again.parse("answer: first\nor second")
    assert patterns.NOTE in again.form()["title"] and again.compose({"text": "x"}) == "Answer: x"


def test_a_pattern_that_takes_too_long_is_a_fault_of_the_set(monkeypatch):
    monkeypatch.setattr(patterns, "SECONDS", 0.05)
    slow = patterns.ImportedFormat((r"^(a|aa)+$",), Text())
    with pytest.raises(patterns.PatternTooSlow):
        slow.parse("a" * 4000 + "!")
    with pytest.raises(NotInFormat):
        BROUGHT.parse("answer: " + "a" * patterns.MAX_CHARACTERS)
    with pytest.raises(patterns.BadPattern):
        patterns.ImportedFormat(("(",), Text()).parse("x")
