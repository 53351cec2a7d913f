"""Golden logs: where they are stored, how they are fed to the GameMaster again, and all that is derived from them.

A golden log is a whole event log of an episode in `episodes/GAME/`: `NAME.jsonl` (one event per line),
`NAME.next.jsonl` (only for an episode that was stopped in the middle: the events that follow), `NAME.txt` (the
transcript) and `NAME.views.jsonl` (one line per item: scores, debriefing, messages, digests).
`exports.jsonl` of a game (and of all games together) has one line per exported file, `summary.jsonl` has what the game
says of all its logs together, `foreign.jsonl` has what comes of logs that are imported as records of clembench.
The folder is not called `logs` because git ignores folders of that name here. `write_logs.py` writes all of these
files, `test_logs.py` compares.

Every name of Ludens that the golden logs depend on is imported at the top of this module.
"""

import base64
import functools
import hashlib
import io
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import typer
from PIL import Image

from cli.main import app
from engine.core.events import PRESENCE_KINDS, Event, Json, Kind, Outcome, to_json
from engine.core.log import Log
from engine.core.master import GameMaster
from engine.core.scores import score_episode
from engine.core.start import EpisodeStart
from engine.core.views import Conversation, Transcript
from engine.play.registry import Registry
from engine.storage.episode_row import Status
from engine.storage.store import EpisodeUpdate, Store

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).parent / "episodes"
ENTRIES = Path(__file__).parent / "clembench"
"""Instance files of our own in the layout of clembench."""
COMMAND = ".venv/bin/python -m tests.golden.write_logs"
REGISTRY = Registry(ROOT)
TEXT_LIMIT = 1_000
"""An exported file of at most so many characters is stored as text, a longer one as its SHA-256."""


# ---------------------------------------------------------------------- what is stored
@dataclass
class GoldenLog:
    """One stored episode; `coming` are the events that follow the end of a log that was stopped in the middle."""

    game: str
    name: str
    events: list[Event]
    coming: list[Event] = field(default_factory=list)

    @property
    def episode(self) -> str:
        """The id that the episode has in a store: it depends on the name only."""
        return f"{self.events[0].time:011x}{sha256(f'{self.game}/{self.name}')[:20]}"

    @property
    def start(self) -> Json:
        """The data of its start event."""
        return self.events[0].data

    def path(self, suffix: str) -> Path:
        """Return the file of this log with that suffix."""
        return FOLDER / self.game / f"{self.name}{suffix}"

    def lines(self, suffix: str) -> list[str]:
        """Return the stored lines of one of its files."""
        return self.path(suffix).read_text(encoding="utf-8").splitlines()


def log_names() -> list[tuple[str, str]]:
    """Return (game, name) of every stored log, sorted."""
    return sorted((path.parent.name, path.name.removesuffix(".views.jsonl")) for path in FOLDER.glob("*/*.views.jsonl"))


@functools.cache
def read_log(game: str, name: str) -> GoldenLog:
    """Read a stored log."""
    log = GoldenLog(game, name, _read_events(FOLDER / game / f"{name}.jsonl"))
    following = log.path(".next.jsonl")
    if following.exists():
        log.coming = _read_events(following)
    return log


def _read_events(path: Path) -> list[Event]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [Event(Kind(row["kind"]), row["seat"], row["data"], row["n"], row["time"]) for row in rows]


def line_of(event: Event) -> str:
    """Return an event as the line it is stored as; data keeps the order of its keys."""
    row = {"n": event.n, "time": event.time, "kind": str(event.kind), "seat": event.seat, "data": event.data}
    return to_json(row)


def sha256(data: str | bytes) -> str:
    """Return the SHA-256 of a text or of bytes as hexadecimal digits."""
    return hashlib.sha256(data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data).hexdigest()


# ---------------------------------------------------------------------- feeding a log again
def feed_from_start(log: Sequence[Event]) -> tuple[GameMaster, list[Event]]:
    """Begin an episode as the log began and take in everything that came from outside; return all events.

    Events get the time of the logged event with the same number.
    """
    master, first = GameMaster.begin_episode(
        REGISTRY.game(log[0].data["game"]), EpisodeStart.model_validate(log[0].data)
    )
    events = _stamped(first, log, 0)
    return master, events + feed(master, log, len(events))


def resume(log: Sequence[Event]) -> GameMaster:
    """Return a GameMaster where a log ends; raises what the GameMaster raises when its rules differ."""
    return GameMaster.resume(REGISTRY.game(log[0].data["game"]), log)


def feed(master: GameMaster, log: Sequence[Event], after: int) -> list[Event]:
    """Take in what came from outside after the first `after` events of a log; return the events that follow."""
    events: list[Event] = []
    while after + len(events) < len(log):
        number = after + len(events)
        events += _stamped(_take_in(master, log[number], log), log, number)
    return events


def _take_in(master: GameMaster, event: Event, log: Sequence[Event]) -> list[Event]:
    data = event.data
    if event.kind in PRESENCE_KINDS:
        return [Event(event.kind, event.seat, data)]
    if event.kind is Kind.REPLY:
        return master.reply(data["ask"], data["text"], data["meta"])
    if event.kind is Kind.RELEASED:
        return master.release(data["ask"])
    if event.kind is Kind.FAULT and data["ask"] is not None:
        return master.fault(data["ask"], data["cause"])
    if event.kind is Kind.SEAT:
        return master.hand_over_seat(str(event.seat), data["player"])
    if event.kind in (Kind.CANCEL, Kind.OUTCOME):  # an ending from outside begins with these
        return master.end(Outcome.from_json(next(other.data for other in log if other.kind is Kind.OUTCOME)))
    raise AssertionError(f"event {event.n} of the log ({event.kind}) did not follow from what came before it")


def _stamped(events: Sequence[Event], log: Sequence[Event], number: int) -> list[Event]:
    times = [event.time for event in log]
    return [
        Event(event.kind, event.seat, event.data, n, times[n] if n < len(times) else 0)
        for n, event in enumerate(events, number)
    ]


def open_asks(master: GameMaster) -> list[Json]:
    """Return what a GameMaster waits for: number, seat, reminders sent and what is asked."""
    return [
        {
            "ask": waiting.id,
            "seat": waiting.request.seat,
            "reminders": waiting.reminders,
            "format": waiting.request.reply.declaration(),
            "words": waiting.request.reply.words(),
        }
        for waiting in master.open.values()
    ]


# ---------------------------------------------------------------------- what is derived from a log
def views_of(log: GoldenLog, database: Path) -> list[str]:
    """Return everything that is derived from a log and compared, one item per line: [what, value].

    Texts that can be long (the page, the Markdown) are stored as their SHA-256; the transcript has a file of its own.
    """
    return [to_json(item) for item in _views(log, database)]


def _views(log: GoldenLog, database: Path) -> Iterator[list[Any]]:
    game, events = REGISTRY.game(log.game), log.events
    whole = Log(events)
    yield ["version of scores", f"{log.game}-{game.scores_version}"]
    scores = score_episode(whole, game)
    yield from (["score", name, value] for name, value in scores.items())
    if any(event.kind is Kind.OUTCOME for event in events):
        debriefing = game.debrief(whole, scores).as_json(whole, REGISTRY.find_experiment_title(whole.start))
        yield from (["debriefing", name, value] for name, value in debriefing.items())
    else:
        yield ["open asks", open_asks(resume(events))]
    if game.has_board:
        yield ["board sha256", sha256(to_json(game.board(whole)))]
    yield ["markdown sha256", sha256(run_ludens("transcript", log.episode, "--db", database))]
    page = run_ludens("transcript", log.episode, "--format", "html", "--db", database)
    yield ["page sha256", sha256(_EMBEDDED_PICTURE.sub(_embedded_digest, page))]
    transcript = Transcript.from_events(events)
    yield ["transcript lines sha256", sha256(to_json(transcript.lines))]
    yield ["players", transcript.players]
    for seat in log.start["seats"]:
        yield from _conversation(log, seat)


def _conversation(log: GoldenLog, seat: str) -> Iterator[list[Any]]:
    """Yield the messages of a seat, and digests of each prompt a player got and of what a person's page shows."""
    game, conversation = REGISTRY.game(log.game), Conversation(seat)
    instance = game.load(log.start["instance"])
    prompts, forms = [], []
    for event in log.events:
        conversation.apply(event)
        if conversation.open_ask and event.seat == seat and event.kind in (Kind.ASK, Kind.VIOLATION):
            view = conversation.view(lambda asset: game.picture(instance, asset))
            messages = [[message.role, message.text(), message.pictures] for message in view.messages]
            # the first random number says that a player's own generator is seeded as before
            prompts.append(
                [messages, view.ask.own_request_number, view.ask.reminders, view.ask.progress, view.random.random()]
            )
            reply = view.ask.format
            forms.append([reply.describe_form(), reply.words(), reply.pattern(), reply.schema()])
    for message in conversation.messages:
        yield ["message", seat, message.role, message.text(), message.pictures, message.request_number]
    yield ["prompts sha256", seat, len(prompts), sha256(to_json(prompts))]
    yield ["forms sha256", seat, len(forms), sha256(to_json(forms))]
    page = [
        conversation.lines,
        conversation.pinned_exhibits,
        conversation.seat_states,
        conversation.stall_cause,
        conversation.outcome,
    ]
    yield ["page of a person sha256", seat, sha256(to_json(page))]


def transcript_of(log: GoldenLog, database: Path) -> str:
    """Return what `ludens transcript --format text` writes."""
    return run_ludens("transcript", log.episode, "--format", "text", "--db", database)


# ---------------------------------------------------------------------- a database with all logs
def build_database(path: Path, logs: Sequence[GoldenLog]) -> None:
    """Write logs into a new database, in the order of their names, with fixed ids, plan keys and times."""
    with Store(path) as store:
        for log in sorted(logs, key=lambda log: (log.game, log.name)):
            start, events = EpisodeStart.model_validate(log.start), log.events
            stalled = events[-1].kind is Kind.FAULT
            first = events[:-1] if stalled else events
            key = sha256(f"plan of {log.game}/{log.name}")
            store.import_episode(start, first, key=key, origin="run", episode=log.episode)
            if stalled:
                cause = events[-1].data["cause"]
                store.append([EpisodeUpdate(log.episode, events[-1:], Status.STALLED, cause)])


def run_ludens(*words: object) -> str:
    """Run a command of the command line in this process and return what it prints on standard output."""
    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(io.StringIO()):
        _command()([str(word) for word in words], standalone_mode=False)
    return printed.getvalue()


@functools.cache
def _command() -> Any:
    return typer.main.get_command(app)


# ---------------------------------------------------------------------- exports
EXPORTS = {
    "clembench": ("--format", "clembench", "--people", "--reasoning"),
    "jsonl": ("--format", "jsonl", "--people", "--reasoning"),
    "jsonl-public": ("--format", "jsonl"),
    "csv": ("--format", "csv", "--people"),
    "sft": ("--format", "sft", "--people", "--reasoning", "--min-score", "0"),
    "sft-best": ("--format", "sft"),
    "convokit": ("--format", "convokit", "--people"),
    "psych-ds": ("--format", "psych-ds", "--people"),
}
"""The exports of each game: name to the options of `ludens export`."""
EXPORTS_OF_ALL = {"csv-public": ("--format", "csv")}
"""The exports of all games together, likewise."""


def shared_path(game: str | None, name: str) -> Path:
    """Return the stored file about all logs of a game, or of all games together."""
    return FOLDER / (game or "") / f"{name}.jsonl"


def exported_lines(database: Path, game: str | None, folder: Path) -> list[str]:
    """Export the logs of a game (or of all together) below `folder`; return per file [export, file, text or digest].

    Files are left in `folder` as they are compared, so that two commits can be compared with `diff -r`.
    """
    lines = []
    selection = [game] if game else []
    for name, options in (EXPORTS if game else EXPORTS_OF_ALL).items():
        run_ludens("export", folder / name, *selection, *options, "--db", database)
        _normalise(folder / name)
        for path in sorted(path for path in (folder / name).rglob("*") if path.is_file()):
            data, place = path.read_bytes(), path.relative_to(folder / name).as_posix()
            short = len(data) <= TEXT_LIMIT and not place.startswith("pictures/")
            lines.append(to_json([name, place, data.decode() if short else f"sha256 {sha256(data)}"]))
    return lines


_ABOUT = ("metadata.json", "corpus.json", "dataset_description.json")
"""The files of an export that say by what and when it was written."""
_CHANGING = re.compile(rb'"(ludens|commit|exported|dateCreated|version)": (?:"[^"]*"|null)')
_VERSION_IN_WORDS = re.compile(rb"exported by Ludens [^\s\"]+\.")
_PNG = b"\x89PNG"


def _normalise(folder: Path) -> None:
    """Replace in an export what may legitimately differ between two runs of the same code.

    These are the version and the commit of Ludens and the date of the export (psych-ds repeats them under other names),
    and the compressed bytes of drawn PNG pictures, which depend on Pillow's zlib: such a picture, named for its bytes
    in the export, is renamed for its pixels, and its pixels stand in its place. Shipped photos go out byte for byte and
    stay as they are.
    """
    renamed: dict[bytes, bytes] = {}
    for path in sorted(folder.glob("pictures/*")):
        data = path.read_bytes()
        if data.startswith(_PNG):
            pixels = pixels_of(data)
            renamed[path.stem.encode()] = sha256(pixels)[:24].encode()
            path.unlink()
            path.with_name(f"{sha256(pixels)[:24]}.png").write_bytes(pixels)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if path.parent != folder / "pictures":
            data = path.read_bytes()
            if path.name in _ABOUT:
                data = _VERSION_IN_WORDS.sub(b"exported by Ludens.", _CHANGING.sub(rb'"\1": "changes"', data))
            if renamed:
                data = re.sub(rb"(?<=pictures/)[0-9a-f]{24}", lambda name: renamed.get(name[0], name[0]), data)
            path.write_bytes(data)


def pixels_of(data: bytes) -> bytes:
    """Return mode, size and decoded pixels of a picture."""
    with Image.open(io.BytesIO(data)) as picture:
        return f"{picture.mode} {picture.width}x{picture.height} ".encode() + picture.tobytes()


_EMBEDDED_PICTURE = re.compile(r"data:image/png;base64,([A-Za-z0-9+/=]*)")


def _embedded_digest(match: re.Match[str]) -> str:
    return f"pixels:{sha256(pixels_of(base64.b64decode(match[1])))}"


# ---------------------------------------------------------------------- several logs together
def summary_lines(game: str, logs: Sequence[GoldenLog]) -> list[str]:
    """Return what the game says of all its logs together and one that is stalled: a line per number."""
    rulebook = REGISTRY.game(game)
    finished = [log for log in logs if log.game == game and any(event.kind is Kind.OUTCOME for event in log.events)]
    scores = [score_episode(Log(log.events), rulebook) for log in finished]
    return [to_json([name, value]) for name, value in (rulebook.summarise([*scores, None]) or {}).items()]


def reimport(database: Path, folder: Path) -> None:
    """Export all finished logs in the layout of clembench and import the export into `folder/back.db`."""
    run_ludens("export", folder / "out", "--format", "clembench", "--people", "--reasoning", "--db", database)
    run_ludens("import", "clembench", folder / "out", "--db", folder / "back.db")


def foreign_lines(database: Path, folder: Path) -> list[str]:
    """Import the logs of imported instances as if clembench had written them; return a line per episode.

    They are exported in its layout without what only Ludens writes there, and every published score is altered by one,
    so that each difference has to be explained. A line has what `ludens import` reports and the digest of all events.
    """
    run_ludens("export", folder / "foreign", "--format", "clembench", "--people", "--reasoning", "--db", database)
    for path in list((folder / "foreign").rglob("instance.json")):
        instance = json.loads(path.read_text(encoding="utf-8"))
        if not instance.pop("ludens")["start"]["instance"].get("theirs"):
            shutil.rmtree(path.parent)
            continue
        path.write_text(json.dumps(instance), encoding="utf-8")
        scores = json.loads(path.with_name("scores.json").read_text(encoding="utf-8"))
        numbers = scores["episode scores"]
        numbers |= {name: value + 1 for name, value in numbers.items() if isinstance(value, int | float)}
        path.with_name("scores.json").write_text(json.dumps(scores), encoding="utf-8")
    words = ("--format", "json", "--db", folder / "foreign.db")
    report = json.loads(run_ludens("import", "clembench", folder / "foreign", *words))
    with Store(folder / "foreign.db") as store:
        for episode in report["episodes"]:
            events = store.events(episode.pop("episode"))
            events[0].data["ludens"] = ""  # the present version
            episode["events sha256"] = sha256("\n".join(map(line_of, events)))
    return [to_json(episode) for episode in sorted(report["episodes"], key=lambda episode: str(episode["source"]))]


def read_events(database: Path, episode: str) -> list[Event]:
    """Return the events of an episode in a database."""
    with Store(database) as store:
        return store.events(episode)


# ---------------------------------------------------------------------- what a log is an example of
def cases_of(log: GoldenLog) -> set[str]:
    """Return which of the cases a log is an example of, read from its events."""
    events, start = log.events, log.start
    kinds = [event.kind for event in events]
    outcome = next((event.data for event in events if event.kind is Kind.OUTCOME), None)
    violations = [event.data for event in events if event.kind is Kind.VIOLATION]
    accepted = {event.data["ask"] for event in events if event.kind is Kind.PARSED}
    people = list(start["people"].values())
    game = REGISTRY.game(log.game)
    played = game.settings.model_validate(start["settings"])
    defaults = game.settings.model_validate(game.settings_of(start["instance"]))
    after_fault = kinds[kinds.index(Kind.FAULT) :] if Kind.FAULT in kinds else []
    cases = {
        "a reply accepted after a reminder": any(data["reminder"] and data["ask"] in accepted for data in violations),
        "aborted after all reminders": bool(start["reprompt"]) and any(data["reminder"] is None for data in violations),
        "aborted without a reminder": not start["reprompt"] and bool(violations),
        "stalled by a fault": kinds[-1] is Kind.FAULT,
        "resumed after a fault": Kind.REPLY in after_fault,
        "a seat handed over": Kind.SEAT in kinds,
        "stopped in the middle": outcome is None and bool(log.coming),
        "practice": any(about.get("practice") for about in people),
        "informed": any(about.get("informed") for about in people),
        "seen before": any(about.get("seen_before") for about in people),
        "imported": bool(start["instance"].get("theirs")),
        "a late reply": any(event.kind is Kind.REPLY and event.data.get("discarded") for event in events),
        "presence": bool(PRESENCE_KINDS & set(kinds)),
        "reasoning of a model": any(event.kind is Kind.REPLY and "reasoning" in event.data["meta"] for event in events),
        f"outcome {outcome['kind'] if outcome else None}": True,
    }
    cases |= {
        f"setting {log.game}.{name}": getattr(played, name) != getattr(defaults, name)
        for name in game.settings.model_fields
    }
    return {case for case, is_example in cases.items() if is_example}


EVERY_GAME = {
    "stopped in the middle",
    "a reply accepted after a reminder",
    "aborted without a reminder",
    "resumed after a fault",
    "a seat handed over",
    "presence",
}
"""Cases of which every game has a log."""
SOME_GAME = {
    "aborted after all reminders",
    "stalled by a fault",
    "practice",
    "informed",
    "seen before",
    "a late reply",
    "reasoning of a model",
    "outcome success",
    "outcome lose",
    "outcome decided",
    "outcome aborted",
    "outcome abandoned",
}
"""Cases of which at least one game has a log."""


def players_of(game: str) -> list[str]:
    """Return the players that every variant has a log of: `random` and the players of the game itself."""
    others = {"recorded", "lines"}  # they repeat an episode or say the lines of a file
    return [
        name
        for name in REGISTRY.describe_players(game)
        if REGISTRY.player_kind(name, game) == "program" and name not in others
    ]
