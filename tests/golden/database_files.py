"""Golden databases as text: written from SQLite files, loaded into them again, and what is compared of them.

Nothing of Ludens is imported here. The databases are read with SQL, because their tables are stored data, and Ludens is
used through its command line and over HTTP, because these are what users have. So a move of modules changes nothing
here. `write_databases.py` writes the files, `test_databases.py` compares with them.
"""

from __future__ import annotations

import io
import json
import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from tests.conftest import pick_port
from tests.ui.guests import WAIT, Guest, fill
from tests.ui.model_server import ModelServer

Json = dict[str, Any]
GOLDEN = Path(__file__).resolve().parent / "databases"
PRESENCE = ("present", "away", "watched")
MODEL = "lab/friend"
"""A model of a server whose address stands in a players.toml, so that a test can start that server at any port."""


# ---------------------------------------------------------------------- files
def dump(db: Path) -> str:
    """Return a database as SQL, a row per line: tables by name, rows by key, PRAGMA user_version at the end."""
    with closing(sqlite3.connect(db)) as connection:
        schema = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        tables = sorted((name, sql) for kind, name, sql in schema if kind == "table" and name != "sqlite_sequence")
        lines = [f"{sql};" for _, sql in tables]
        for table, _ in tables:
            lines += _insertions(connection, table)
        if any(name == "sqlite_sequence" for _, name, _ in schema):
            lines += ["DELETE FROM sqlite_sequence;", *_insertions(connection, "sqlite_sequence", order="name")]
        lines += [f"{sql};" for _, sql in sorted((name, sql) for kind, name, sql in schema if kind == "index")]
        [(version,)] = connection.execute("PRAGMA user_version")
    return "\n".join([*lines, f"PRAGMA user_version = {version};", ""])


def _insertions(connection: sqlite3.Connection, table: str, order: str | None = None) -> list[str]:
    columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
    keys = [name for _, name, *_, place in sorted(columns, key=lambda column: column[5]) if place]
    values = " || ', ' || ".join(f"quote({name})" for _, name, *_ in columns)
    rows = connection.execute(f"SELECT {values} FROM {table} ORDER BY {order or ', '.join(keys) or 'rowid'}")
    return [f"INSERT INTO {table} VALUES ({text});" for (text,) in rows]


def load(name: str, db: Path) -> Path:
    """Make a database file of a golden one and return its path."""
    with closing(sqlite3.connect(db)) as connection:
        connection.executescript(f"BEGIN;\n{read(name)}\nCOMMIT;")
    return db


def read(name: str) -> str:
    """Return a golden file."""
    return (GOLDEN / name).read_text(encoding="utf-8")


def read_json(name: str) -> Any:
    """Return what a golden file of JSON holds."""
    return json.loads(read(name))


def as_json(data: Any) -> str:
    """Return JSON as golden files have it: sorted keys, an item per line."""
    return json.dumps(data, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def as_lines(items: Iterable[Json]) -> str:
    """Return items as JSON lines with sorted keys."""
    return "".join(json.dumps(item, ensure_ascii=True, sort_keys=True) + "\n" for item in items)


def query(db: Path, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """Return the rows that a query gives."""
    with closing(sqlite3.connect(db, timeout=30)) as connection:
        return connection.execute(sql, values).fetchall()


def execute(db: Path, *statements: str) -> None:
    """Change a database, as no user would."""
    with closing(sqlite3.connect(db)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


# ---------------------------------------------------------------------- what is compared
EVENTS = (
    "SELECT episode.id, n, event.time, kind, seat, data FROM event JOIN episode ON episode.row = event.episode"
    " ORDER BY episode.row, n"
)
STORED = {
    "events": EVENTS,
    # `usage` is read from the events again; logs of before the Ludens that stores it have none
    "results": "SELECT id, condition, instance, ending, main, sides, json_remove(numbers, '$.usage'), marks, created,"
    " version FROM result ORDER BY id",
    "conditions": "SELECT id, what FROM condition ORDER BY id",
    "planned": "SELECT key, condition FROM planned ORDER BY key",
    "episodes": "SELECT id, plan_key, origin, game, variant, experiment, instance_id, instance_hash, seats, settings,"
    " reprompt, people, mixed, start, status, cause, outcome, created, updated, scores, scores_version FROM episode"
    " ORDER BY id",
}


def stored(db: Path, name: str) -> list[tuple[Any, ...]]:
    """Return rows of a database, word for word, by one of the names in `STORED`."""
    return query(db, STORED[name])


def logs(db: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return the events of every episode as they are stored: (n, time, kind, seat, data)."""
    by_episode: dict[str, list[tuple[Any, ...]]] = {}
    for episode, *event in stored(db, "events"):
        by_episode.setdefault(episode, []).append(tuple(event))
    return by_episode


def schema(db: Path) -> str:
    """Return all CREATE statements of a database, ordered by name, with the names of its migrations."""
    rows = query(db, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name != 'sqlite_sequence' ORDER BY name")
    migrations = query(db, "SELECT migration_set, name FROM _sqlite_migrations ORDER BY migration_set, name")
    return "".join(f"{sql};\n" for (sql,) in rows) + "".join(f"-- {group}: {name}\n" for group, name in migrations)


def tails(db: Path, lengths: dict[str, int], place: str | None = None) -> list[Json]:
    """Return the events that were added to episodes of these lengths, without times, durations and presence.

    `place` is the address of a model's server, which differs from run to run.
    """
    added = []
    for episode, events in sorted(logs(db).items()):
        for _, _, kind, seat, data in events[lengths.get(episode, 0) :]:
            if kind in PRESENCE:
                continue
            text = data.replace(place, "PLACE") if place else data
            added.append({"episode": episode, "kind": kind, "seat": seat, "data": without_times(json.loads(text))})
    return added


def without_times(data: Json) -> Json:
    """Return an event's data without durations, and without the digest of a request, which knows the server's port."""
    if "meta" not in data:
        return data
    return data | {"meta": {name: value for name, value in data["meta"].items() if name not in ("seconds", "prompt")}}


def by_plan_key(db: Path, events: Iterable[Json]) -> list[Json]:
    """Return events under the plan keys of their episodes, ordered: an episode begun anew has another id each time."""
    keys = dict(query(db, "SELECT id, plan_key FROM episode"))
    return sorted(
        ({**event, "episode": keys[event["episode"]]} for event in events), key=lambda event: event["episode"]
    )


def lengths_of(db: Path) -> dict[str, int]:
    """Return how many events each episode has."""
    return {episode: len(events) for episode, events in logs(db).items()}


def endings(db: Path) -> list[Json]:
    """Return how each episode stands: its plan key, status, cause, outcome and scores."""
    rows = query(
        db, "SELECT id, plan_key, instance_id, status, cause, outcome, scores, scores_version FROM episode ORDER BY id"
    )
    names = ("episode", "plan_key", "instance", "status", "cause", "outcome", "scores", "scores_version")
    return [
        {
            name: json.loads(value) if name in ("outcome", "scores") and value else value
            for name, value in zip(names, row, strict=True)
        }
        for row in rows
    ]


# ---------------------------------------------------------------------- the command line
IN_PROCESS = ("results", "score", "db", "transcript")
"""Commands that only read and compute: half a second is saved where they need no process of their own."""


LUDENS = Path(sys.executable).parent / "ludens"


@dataclass(frozen=True)
class Output:
    """What a command printed on standard output and standard error."""

    out: str
    err: str


def command(db: Path, *words: object, code: int = 0) -> Output:
    """Run a command of Ludens on a database, in its folder, and insist on its exit code."""
    arguments = [*map(str, words), "--db", str(db)]
    exit_code, output = _call(arguments) if arguments[0] in IN_PROCESS else _start(arguments, db.parent)
    assert exit_code == code, f"{words} exited {exit_code}:\n{output.out}\n{output.err}"
    assert "Traceback" not in output.err
    return output


INSTANCES = GOLDEN / "instances"
"""The instances that the stored runs began with: some of those that are shipped today are others."""


def _start(arguments: list[str], folder: Path) -> tuple[int, Output]:
    done = subprocess.run(
        [LUDENS, *arguments],
        cwd=folder,
        env={**os.environ, "LUDENS_INSTANCES": str(INSTANCES)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, Output(done.stdout, done.stderr)


def _call(arguments: list[str]) -> tuple[int, Output]:
    """Run a command in this process, by the entry point that its script has."""
    [script] = entry_points(group="console_scripts", name="ludens")
    out, err, before = io.StringIO(), io.StringIO(), sys.argv
    sys.argv = ["ludens", *arguments]
    exit_code = 0
    try:
        with redirect_stdout(out), redirect_stderr(err):
            script.load()()
    except SystemExit as error:
        exit_code = int(error.code or 0)
    finally:
        sys.argv = before
    return exit_code, Output(out.getvalue(), err.getvalue())


def results(db: Path, *words: str) -> str:
    """Return what `ludens results --format json` prints, its long fractions rounded."""
    return rounded(command(db, "results", "--format", "json", *words).out)


def rounded(text: str) -> str:
    """Round long fractions to 8 digits: in the last ones, linear algebra differs from processor to processor."""
    return re.sub(r"-?\d+\.\d{9,}(e[+-]\d+)?", lambda number: f"{float(number[0]):.8g}", text)


def run_plan(db: Path, plan: str, *words: object, code: int = 0) -> Output:
    """Run a plan that stands beside the golden databases, in one process."""
    return command(db, "run", "--plan", GOLDEN / plan, "--jobs", 1, *words, code=code)


NEWER = ("ludens.log", "ludens.web")


def refusals(db: Path) -> str:
    """Return what Ludens says of databases that have a migration it does not know: by command and set."""
    texts = []
    for group in NEWER:
        newer = db.with_name(f"newer-{group}.db")
        newer.write_bytes(db.read_bytes())
        with closing(sqlite3.connect(newer)) as connection, connection:
            connection.execute(
                "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES (?, ?, ?)",
                (group, "m099_invented", "2030-01-01 00:00:00+00:00"),
            )
        content = dump(newer)
        commands = [("db", "forget"), ("serve", "--port", pick_port())]
        commands += [("results",), ("db", "check")] if group == "ludens.log" else []
        for words in commands:
            refusal = command(newer, *words, code=1)
            assert not refusal.out
            texts.append(f"{group}: {words[0]}: {neutral(refusal.err, newer)}")
        assert dump(newer) == content, "what was refused is left as it is"
    return "".join(texts)


# ---------------------------------------------------------------------- a model
class Friend(ModelServer):
    """A model's server that answers MatchIt `good` times, then fails."""

    def __init__(self, good: int | None = None) -> None:
        super().__init__()
        self._good = good

    def answer(self, body: Json) -> tuple[int, Json]:
        """Return status and body of the answer to a request."""
        if self._good is not None and len(self.requests) > self._good:
            self.status = 500
        return super().answer(body)


class Rambler(ModelServer):
    """A model's server that never keeps to a format."""

    def answer(self, body: Json) -> tuple[int, Json]:
        """Return status and body of the answer to a request."""
        status, answer = super().answer({"messages": [{"content": "ANSWER"}]})
        answer["choices"][0]["message"]["content"] = "I would rather talk about the weather."
        return status, answer


@contextmanager
def friend(folder: Path, server: ModelServer | None = None) -> Iterator[tuple[Path, str]]:
    """Start a model's server; yield a players.toml that names it, and its address."""
    with server or Friend() as machine:
        players = folder / "players.toml"
        players.write_text(
            f'[servers.lab]\nwire = "openai"\nbase_url = "{machine.url}"\nattempts = 1\n\n'
            f'[players.friend]\nmodel = "{MODEL}"\nprice = [0, 0]\n'
        )
        yield players, machine.url


def finish_runs(db: Path) -> str:
    """Play the plans of `open.sql` to their end; return the address of the model's server. One log must not go on."""
    run_plan(db, "open.toml")
    with friend(db.parent) as (players, url):
        command(db, "run", "--plan", GOLDEN / "fault.toml", "--players", players, "--yes")
    refusal = command(db, "run", "--plan", GOLDEN / "changed.toml", code=1)
    assert "the rules have changed since this was played" in refusal.err
    return url


# ---------------------------------------------------------------------- the server
READS = ("access", "record", "debrief", "download", "publish")


def visit(url: str, cookie: str | None) -> Guest:
    """Return a browser with a cookie of before."""
    guest = Guest(url)
    if cookie:
        guest.http.cookies.set("browser", cookie)
    return guest


def answers(url: str, facts: Json) -> Json:
    """Return what a server answers to the people of `served.sql`, in which nothing changes what is stored of games.

    Of the socket of a seat it is the state in which a page begins.
    """
    people: dict[str, str | None] = {**facts["cookies"], "stranger": None}
    episodes: dict[str, str] = facts["episodes"]
    snapshot: Json = {"sees": {}, "me": {}, "lobby": {}}
    for person, cookie in people.items():
        with visit(url, cookie) as guest:
            snapshot["sees"][person] = {
                name: ", ".join(f"{door} {guest.http.get(f'/api/{door}?episode={id_}').status_code}" for door in READS)
                for name, id_ in episodes.items()
            }
            if cookie:
                snapshot["me"][person] = guest.http.get("/api/me").json()
            lobby = guest.http.get("/api/lobby").json()
            snapshot["lobby"][person] = {name: lobby[name] for name in ("mine", "finished") if name in lobby}
    for person in ("alice", "carol"):
        with visit(url, facts["cookies"][person]) as guest:
            snapshot[f"link of {person}"] = guest.http.get(facts["links"][person]).headers["location"]
    with visit(url, facts["cookies"]["dave"]) as dave:
        snapshot["link to watch of dave"] = dave.http.get(facts["links"]["watch"]).headers["location"]
    with visit(url, facts["cookies"]["alice"]) as alice:
        for name in ("finished", "handed over", "abandoned"):
            snapshot[f"debrief of {name}"] = alice.http.get(f"/api/debrief?seat={facts['seats'][name]['alice']}").json()
        page = alice.http.get(f"/api/episode?id={episodes['finished']}").json()
        snapshot["page of finished"] = {key: value for key, value in page.items() if key != "lines"}
        invitations = alice.http.get(f"/api/invitations?seat={facts['seats']['together']['alice']}").json()
        offered = [model for model in invitations["models"] if not model["loads"]]  # others: if they are installed here
        snapshot["invitations"] = {**invitations, "models": offered}
        for name in ("alone", "together"):
            with alice.seat(facts["seats"][name]["alice"]) as seat:
                snapshot[f"seat of {name}"] = {key: value for key, value in seat.state.items() if key not in FLEETING}
                if name == "alone":
                    with visit(url, facts["cookies"]["bob"]) as bob:
                        pictures = [guest.http.get(facts["picture"]) for guest in (alice, bob)]
                    snapshot["picture of alice, for bob"] = [picture.status_code for picture in pictures]
    return snapshot


FLEETING = ("others", "now", "elsewhere")
"""Of the state of a seat: who happens to look, and when."""


CONTINUED = ("alone", "together", "walk")
"""The open games of `served.sql` that are played to their end."""
OPEN_ASKS = (
    "SELECT json_extract(data, '$.ask'), seat FROM event ask JOIN episode ON row = episode WHERE id = ?"
    " AND kind = 'ask' AND status = 'open' AND NOT EXISTS (SELECT 1 FROM event answer WHERE answer.episode = row"
    " AND answer.kind = 'parsed' AND json_extract(answer.data, '$.ask') = json_extract(ask.data, '$.ask')) ORDER BY n"
)


def finish(url: str, db: Path, facts: Json, name: str) -> None:
    """Play an open game of `served.sql` to its end, all its people with fixed words and moves.

    What is asked of several at once is answered in the order of the asks, by programs first, so that the order of
    events is always the same.
    """
    episode = facts["episodes"][name]
    with ExitStack() as stack:
        seats: dict[str, tuple[str, Guest, Any]] = {}
        for person, pid in facts["seats"][name].items():
            [(seat,)] = query(db, "SELECT seat FROM seat WHERE pid = ?", pid)
            guest = stack.enter_context(visit(url, facts["cookies"][person]))
            seats[seat] = person, guest, stack.enter_context(guest.seat(pid))
        until = time.monotonic() + WAIT
        while query(db, "SELECT status FROM episode WHERE id = ?", episode) == [("open",)]:
            assert time.monotonic() < until, f"{name} does not end"
            asks = query(db, OPEN_ASKS, episode)
            if not asks or not {seat for _, seat in asks} <= set(seats):
                with suppress(TimeoutError):
                    next(iter(seats.values()))[2].receive(0.05)
                continue
            ask, seat = asks[0]
            person, guest, page = seats[seat]
            form = page.wait_for_ask(after=ask - 1)["form"]
            answer = guest.move(page.name, ask, _fill(form, ask, person), f"move-{person}-{ask}")
            assert answer.status_code == 200, answer.text


def _fill(form: Json, ask: int, person: str) -> dict[str, str]:
    """Fill a form in: with a question, the first choice, or five steps through doors and no more."""
    [field, *_] = form.get("fields", [{}])
    if field.get("kind") == "compass":
        return {field["name"]: field["open"][ask % len(field["open"])] if ask <= 5 else "done"}
    return fill(form, f"Is there a line, {person}?")


def as_download(episode: str, n: int, at: int, kind: str, seat: str | None, data: str) -> str:
    """Return the line of a download that an event gives."""
    head = json.dumps({"episode": episode, "n": n, "time": at, "kind": kind, "seat": seat}, separators=(",", ":"))
    return f'{head[:-1]},"data":{data}}}'


def neutral(text: str, db: Path) -> str:
    """Return what a command says, without where the database is and without durations."""
    text = text.replace(str(db), "DB").replace(str(db.parent), "FOLDER")
    return re.sub(r"in [\d.]+ s \([\d,]+/s\)", "in SECONDS", text)
