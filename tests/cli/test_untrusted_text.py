"""Names, ids and texts of others reach neither the terminal as commands nor a spreadsheet as formulas."""

import csv
import json
import os
import pty
import subprocess
import unicodedata
from pathlib import Path

import pytest

from engine.core.events import Event, Kind
from engine.core.start import EpisodeStart
from engine.formats.transcript.printable import BIDI_CHARACTERS, escape_json, escape_text
from engine.storage.store import Store
from tests.cli.terminal import LIMIT, LUDENS, ludens

TRAP = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egnp\u2066\r\x7f\x08"
FORMULA = '=HYPERLINK("http://example.org","x")'


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with a log in which an episode has traps wherever texts of others can stand."""
    folder = tmp_path_factory.mktemp("traps")
    ludens("run", "matchit/text", "--seat", "all=random", "--limit", 2, "--db", "log.db", folder=folder)
    with Store(folder / "log.db") as store:
        row = store.episodes()[0]
        log = store.events(row.id)
        poisoned = json.loads(json.dumps(row.start))
        poisoned["experiment"] = f"{FORMULA}{TRAP}"
        poisoned["instance_id"] = f"matchit/text/{FORMULA}{TRAP}/0"
        poisoned["seats"] = {seat: f"clembench/{TRAP}{seat}" for seat in poisoned["seats"]}
        poisoned["run_seed"] = 5
        replies = [event for event in log if event.kind is Kind.REPLY]
        for event, text in zip(replies, (FORMULA, "@SUM(1)", "-5", f"+{TRAP}", "\t=1", "\ud800"), strict=False):
            event.data["text"] = text
        log[0] = Event(Kind.START, None, poisoned, 0, log[0].time)
        episode, _ = store.import_episode(
            EpisodeStart.model_validate(poisoned), log, key=None, origin="clembench", episode=f"e{TRAP}"
        )
        poisoned["run_seed"] = 6
        [claim] = store.claim_episodes([(EpisodeStart.model_validate(poisoned), None)], origin="run")
        store.mark_stalled(claim.episode, f"the server said {TRAP}")
    assert episode == f"e{TRAP}"
    return folder


def raw_controls(text: str) -> set[str]:
    """Return what must not reach a terminal, as code points."""
    return {
        f"U+{ord(character):04X}"
        for character in text
        if character not in "\n\t"
        and (unicodedata.category(character) in ("Cc", "Cs") or character in "\u202e\u2066\u061c")
    }


@pytest.mark.parametrize("character", ["\x00", "\x1b", "\x7f", "\x9b", "\r", "\u202e", "\u061c", "\u2069", "\ud800"])
def test_one_function_escapes_control_characters(character):
    assert raw_controls(escape_text(f"a{character}b")) == set()
    assert json.loads(escape_json(f'"{character}"' if character >= "\x80" else '"x"')) in (character, "x")
    assert escape_text("plain ü 漢字 🙂\n\tx") == "plain ü 漢字 🙂\n\tx"
    assert "\u202a-\u202e" in BIDI_CHARACTERS


COMMANDS = [
    ("replay",),
    ("replay", "EPISODE"),
    ("replay", "EPISODE", "--plain"),
    ("transcript", "EPISODE"),
    ("transcript", "EPISODE", "--format", "text"),
    ("transcript", "EPISODE", "--format", "html"),
    ("results",),
    ("results", "--format", "csv"),
    ("results", "--format", "json"),
    ("results", "--format", "html"),
    ("compare", f"clembench/{TRAP}A".replace("\x00", ""), "random"),
    ("score",),
    ("db", "check", "--replay"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:3]).encode("ascii", "replace").decode())
def test_no_command_prints_what_others_wrote_as_commands_to_the_terminal(folder, words):
    words = [f"e{TRAP}" if word == "EPISODE" else word for word in words]
    done = subprocess.run(
        [LUDENS, *words, "--db", "log.db"],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=LIMIT,
        check=False,
    )
    assert raw_controls(done.stdout) == set()
    assert raw_controls(done.stderr) == set()
    assert done.stdout or done.stderr
    if "json" in words:  # escaped as JSON escapes: it means the same
        rows = json.loads(done.stdout)["rows"]
        assert any(TRAP in player for row in rows for player in row["seats"].values())


def test_a_coloured_terminal_shows_them_escaped_too(folder):
    screen, terminal = pty.openpty()
    with subprocess.Popen(
        [LUDENS, "replay", f"e{TRAP}", "--db", "log.db"],
        cwd=folder,
        stdout=terminal,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TERM": "xterm-256color"},
    ) as process:
        os.close(terminal)
        shown = b""
        while True:
            try:
                piece = os.read(screen, 65536)
            except OSError:
                break
            shown += piece
            if not piece:
                break
        process.wait(LIMIT)
    os.close(screen)
    text = shown.decode()
    assert "owned" in text
    assert "\x1b]0" not in text
    assert "\x1b[2J" not in text
    assert not {"\x9b", "\x07", "\u202e", "\x7f"} & {*text}
    assert "\x1b[" in text  # the colours are ours


def lines(file: Path) -> list[str]:
    with file.open(newline="", encoding="utf-8") as opened:
        return list(opened)


def is_formula(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    return False


@pytest.mark.parametrize("format", ["csv", "psych-ds"])
def test_exported_tables_have_no_formulas_unless_raw_cells_are_wanted(folder, format):
    ludens("export", f"neutral-{format}", "--format", format, "--db", "log.db", folder=folder)
    ludens("export", f"raw-{format}", "--format", format, "--raw-cells", "--db", "log.db", folder=folder)

    def cells(name: str) -> list[str]:
        files = sorted((folder / f"{name}-{format}").rglob("*.csv"))
        return [cell for file in files for row in csv.reader(lines(file)) for cell in row]

    neutral, raw = cells("neutral"), cells("raw")
    assert len(neutral) == len(raw)
    assert not any(map(is_formula, neutral))
    assert FORMULA in raw
    assert f"'{FORMULA}" in neutral
    assert "-5" in neutral  # a number stays a number
    assert [cell.removeprefix("'") for cell in neutral] == [cell.removeprefix("'") for cell in raw]
    metadata = json.loads((folder / f"raw-{format}" / "metadata.json").read_text())
    assert metadata["raw_cells"] is True


def test_result_tables_have_no_formulas(folder):
    neutral = ludens("results", "--format", "csv", "--db", "log.db", folder=folder).out
    raw = ludens("results", "--format", "csv", "--raw-cells", "--db", "log.db", folder=folder).out
    assert not any(is_formula(cell) for row in csv.reader(neutral.splitlines()) for cell in row)
    assert any(is_formula(cell) for row in csv.reader(raw.splitlines()) for cell in row)
    ludens("plot", "difficulty", "--out", "figure.csv", "--db", "log.db", folder=folder)
    assert not any(is_formula(cell) for row in csv.reader(lines(folder / "figure.csv")) for cell in row)


def test_the_page_of_a_transcript_runs_nothing(folder):
    with Store(folder / "log.db") as store:
        row = store.episodes()[0]
        log = store.events(row.id)
        start = {**row.start, "instance_id": "matchit/text/<img src=x onerror=alert(1)>/0", "run_seed": 9}
        start["seats"] = dict.fromkeys(start["seats"], '"><script>alert(1)</script>')
        next(event for event in log if event.kind is Kind.REPLY).data["text"] = "</pre><script>alert(2)</script>"
        log[0] = Event(Kind.START, None, start, 0, log[0].time)
        store.import_episode(EpisodeStart.model_validate(start), log, key=None, origin="clembench", episode="<b>x")
    page = ludens("transcript", "<b>x", "--format", "html", "--db", "log.db", folder=folder).out
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "<b>x" not in page
