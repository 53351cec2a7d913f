"""Golden logs: stored episodes give the same events, scores, texts and exports as when they were stored.

Players are never run here: their stored replies are given to the GameMaster again. When one of these tests fails, a
change has altered what stored episodes mean. The files are written again only where a version is raised on purpose
(see `write_logs.py`).
"""

import json

import pytest

from tests.golden.episodes import (
    COMMAND,
    EVERY_GAME,
    FOLDER,
    REGISTRY,
    SOME_GAME,
    Kind,
    build_database,
    cases_of,
    exported_lines,
    feed,
    feed_from_start,
    foreign_lines,
    line_of,
    log_names,
    open_asks,
    players_of,
    read_events,
    read_log,
    reimport,
    resume,
    shared_path,
    summary_lines,
    transcript_of,
    views_of,
)
from tests.golden.write_logs import cases_of_game, import_entries

NAMES = log_names()
EACH_LOG = pytest.mark.parametrize(("game", "name"), NAMES, ids=lambda part: part)
STOPPED = [(game, name) for game, name in NAMES if (FOLDER / game / f"{name}.next.jsonl").exists()]
ADD = f"`{COMMAND} --missing` writes what is missing"
CHANGED = (
    "Stored episodes give something else than before. If that is meant, raise the version of the game, of its prompts"
    f" or scores, or of the exports, and then write the logs again: `{COMMAND} GAME`"
)


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    """A database that holds all golden logs."""
    path = tmp_path_factory.mktemp("golden") / "logs.db"
    build_database(path, [read_log(*name) for name in NAMES])
    return path


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    """A registry of the instances that are imported from our files in the layout of clembench."""
    return import_entries(tmp_path_factory.mktemp("imported"))


# ---------------------------------------------------------------------- events
@EACH_LOG
def test_the_same_replies_give_the_same_events(game, name):
    log = read_log(game, name)
    _, events = feed_from_start(log.events)
    assert [line_of(event) for event in events] == log.lines(".jsonl"), CHANGED


@EACH_LOG
def test_a_stored_log_can_be_resumed(game, name):
    log = read_log(game, name)
    fed, _ = feed_from_start(log.events)
    resumed = resume(log.events)
    assert resumed.outcome == fed.outcome
    assert resumed.failure_cause is None
    assert open_asks(resumed) == open_asks(fed)
    assert bool(resumed.open) == all(event.kind is not Kind.OUTCOME for event in log.events)


@pytest.mark.parametrize(("game", "name"), STOPPED, ids=lambda part: part)
def test_an_episode_stopped_in_the_middle_continues_as_before(game, name):
    log = read_log(game, name)
    following = feed(resume(log.events), [*log.events, *log.coming], len(log.events))
    assert [line_of(event) for event in following] == log.lines(".next.jsonl"), CHANGED


# ---------------------------------------------------------------------- what is derived from events
@EACH_LOG
def test_scores_debriefing_and_messages_are_the_same(game, name, database):
    log = read_log(game, name)
    assert views_of(log, database) == log.lines(".views.jsonl"), CHANGED


@EACH_LOG
def test_the_transcript_is_the_same(game, name, database):
    log = read_log(game, name)
    transcript = transcript_of(log, database).encode("utf-8", "backslashreplace")
    assert transcript == log.path(".txt").read_bytes(), CHANGED


@pytest.mark.parametrize("game", [None, *REGISTRY.names])
def test_exports_are_the_same(game, database, tmp_path):
    assert shared_path(game, "exports").exists(), f"there are no golden exports of {game}: {ADD}"
    stored = shared_path(game, "exports").read_text(encoding="utf-8").splitlines()
    changed = set(stored) ^ set(exported_lines(database, game, tmp_path))
    files = sorted({"/".join(json.loads(line)[:2]) for line in changed})
    assert not files, f"`{COMMAND} --exports DIR` on both commits and `diff -r` show what changed"


@pytest.mark.parametrize("game", REGISTRY.names)
def test_the_summary_of_all_logs_of_a_game_is_the_same(game):
    lines = summary_lines(game, [read_log(*name) for name in NAMES])
    assert lines == shared_path(game, "summary").read_text(encoding="utf-8").splitlines()


# ---------------------------------------------------------------------- imports
def test_an_export_in_the_layout_of_clembench_is_imported_as_the_same_episodes(database, tmp_path):
    reimport(database, tmp_path)
    finished = [log for log in (read_log(*name) for name in NAMES) if log.events[-1].kind is Kind.OUTCOME]
    for log in finished:
        assert [line_of(event) for event in read_events(tmp_path / "back.db", log.episode)] == log.lines(".jsonl")


def test_records_of_clembench_are_imported_as_before(database, tmp_path):
    stored = shared_path(None, "foreign").read_text(encoding="utf-8").splitlines()
    assert foreign_lines(database, tmp_path) == stored


def test_instances_of_clembench_are_imported_as_before(imported):
    logs = [log for log in (read_log(*name) for name in NAMES) if log.start["instance"].get("theirs")]
    assert logs
    for log in logs:
        [item] = imported.select_instances(log.start["instance_id"])
        stored = log.start["instance"]
        # earlier imports named a target of two words as programs do; their logs keep it
        stored = {**stored, "theirs": REGISTRY.game(log.start["game"]).clembench().reword_for_players(stored["theirs"])}
        assert json.dumps(item.instance) == json.dumps(stored)


# ---------------------------------------------------------------------- nothing is missing
def test_every_variant_has_a_golden_log_by_every_player_of_the_game():
    missing = [
        f"{game}/{variant.name} played by {player}"
        for game in REGISTRY.names
        for variant in REGISTRY.game(game).variants
        for player in players_of(game)
        if (game, f"{variant.name}-{player}") not in NAMES
    ]
    assert not missing, f"no golden log of {', '.join(missing)}: {ADD}"


def test_every_case_has_a_golden_log():
    cases = {game: set() for game in REGISTRY.names}
    for game, name in NAMES:
        cases[game] |= cases_of(read_log(game, name))
    missing = [f"{game}: {case}" for game in cases for case in sorted(EVERY_GAME - cases[game])]
    missing += sorted(SOME_GAME - set().union(*cases.values()))
    for game in REGISTRY.names:
        settings = {f"setting {game}.{setting}" for setting in REGISTRY.game(game).settings.model_fields}
        missing += sorted(settings - cases[game])
    assert not missing, f"no golden log of {', '.join(missing)}: {ADD}"


def test_every_variant_that_can_be_imported_has_an_imported_golden_log():
    variants = {
        (game, variant)
        for game in REGISTRY.names
        if (mapping := REGISTRY.game(game).clembench())
        for variant in mapping.VARIANTS.values()
    }
    logs = [read_log(*name) for name in NAMES]
    covered = {(log.game, log.start["variant"]) for log in logs if "imported" in cases_of(log)}
    missing = [f"{game}/{variant}" for game, variant in sorted(variants - covered)]
    assert not missing, (
        f"no imported golden log of {', '.join(missing)}: add a file to tests/golden/clembench, then {ADD}"
    )


def test_every_kind_of_event_is_in_a_golden_log():
    kinds = {event.kind for name in NAMES for event in read_log(*name).events}
    assert kinds == set(Kind), f"add a case to tests/golden/write_logs.py, then {ADD}"


def test_the_stored_files_are_those_that_the_writer_writes(imported):
    written = {(game, case.name) for game in REGISTRY.names for case in cases_of_game(game, imported)}
    assert not written - set(NAMES), ADD
    assert not set(NAMES) - written, f"logs of no case: delete them, or `{COMMAND}` writes all anew"
    suffixes = (".views.jsonl", ".next.jsonl", ".jsonl", ".txt")
    for path in FOLDER.glob("*/*"):
        name = next(path.name.removesuffix(suffix) for suffix in suffixes if path.name.endswith(suffix))
        assert name in ("exports", "summary") or (path.parent.name, name) in NAMES, f"{path} belongs to no log"
