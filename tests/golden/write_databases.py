"""Write the golden databases: `python -m tests.golden.write_databases [runs] [open] [served] [older] [continued]`.

Golden files are rewritten only when a version changes (of a game, its scores, its prompts, or of the tables), never
because a test fails. What plays here is the present code; what it stores, prints and answers is what later code must
read, continue and give again. Needs Chromium for `served`. `continued`, never done by default, leaves the databases as
they are and writes how their open episodes go on: for scripted players that reply otherwise than before.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect, sync_playwright

from tests.conftest import Server
from tests.golden.database_files import (
    CONTINUED,
    GOLDEN,
    Friend,
    Json,
    Rambler,
    answers,
    as_json,
    as_lines,
    command,
    dump,
    endings,
    finish,
    finish_runs,
    friend,
    lengths_of,
    load,
    logs,
    neutral,
    query,
    read_json,
    refusals,
    results,
    run_plan,
    schema,
    tails,
)
from tests.ui.conftest import PagePlayer
from tests.ui.lobby import START, open_options, start_text_grids

ROOT = Path(__file__).resolve().parents[2]
OLDER = [{"ludens.log": log, "ludens.web": web} for log in (1, 2) for web in (0, 1, 2)]
OLDER.append({"ludens.log": 2, "ludens.web": 3})
"""How many migrations of each set the older databases have."""


def save(name: str, text: str) -> None:
    """Write a golden file."""
    path = GOLDEN / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.replace(socket.gethostname(), "golden-host"), encoding="utf-8")
    print(f"{path.relative_to(ROOT)}: {len(text):,}")  # noqa: T201  a script says what it has written


def dump_of_the_dead(db: Path) -> str:
    """Return a database whose processes are gone: their last heartbeats are hours old, as when somebody comes back."""
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute("UPDATE owner SET beat = beat - 10000000")
    return dump(db)


def migrations() -> dict[str, Any]:
    """Return the sets of migrations of the present code, by name."""
    from engine.storage import schema

    return {group.name: group for group in (schema.LOG_MIGRATIONS, schema.WEB_MIGRATIONS)}


# ---------------------------------------------------------------------- killed runs
def play_until_killed(db: Path, plan: Path, events: int, concurrency: int) -> None:
    """Play a plan and die as by kill -9 once the log has so many events; called in a process of its own."""
    from engine.play.executors.local import LocalExecutor
    from engine.play.plan_file import read_plan
    from engine.play.registry import Registry
    from engine.results.planned import record_plan
    from engine.storage.store import Store

    async def go() -> None:
        task = asyncio.create_task(LocalExecutor(planned, store, concurrency=concurrency).play_plan())
        while store.sqlite_db.execute("SELECT COUNT(*) FROM event").fetchone()[0] < events and not task.done():
            await asyncio.sleep(0)
        os.kill(os.getpid(), signal.SIGKILL)

    store = Store(db, purpose="run")
    planned = read_plan(plan, Registry(ROOT), store=store)
    record_plan(store, planned)
    asyncio.run(go())


def kill(db: Path, plan: Path, events: int, concurrency: int = 64) -> None:
    """Play a plan in another process, which is killed once the log has so many events."""
    words = ["killed", str(db), str(plan), str(events), str(concurrency)]
    done = subprocess.run([sys.executable, "-m", __spec__.name, *words], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL


@contextmanager
def folder() -> Iterator[Path]:
    """Give a folder that is gone afterwards."""
    path = Path(tempfile.mkdtemp())
    yield path
    shutil.rmtree(path)


# ---------------------------------------------------------------------- the files
def write_runs() -> None:
    """Write runs.sql: finished episodes of every game, aborted and recorded ones, a run that was interrupted."""
    with folder() as place:
        db = place / "runs.db"
        run_plan(db, "runs.toml")
        with friend(place, Rambler()) as (players, _):
            command(db, "run", "--plan", GOLDEN / "rambling.toml", "--players", players, "--yes")
        [(episode,)] = query(db, "SELECT id FROM episode WHERE instance_id = 'matchit/text/same/3'")
        command(db, "run", "matchit/text", "--seat", f"A=recorded/{episode}", "--seat", "B=scripted", "--jobs", 1)
        [(events,)] = query(db, "SELECT COUNT(*) FROM event")
        kill(db, GOLDEN / "interrupted.toml", events + 90, concurrency=1)
        assert query(db, "SELECT COUNT(*) FROM planned") > [(2,)], "more must be left to play"
        save("runs.sql", dump_of_the_dead(db))
        save("runs.results.json", results(db))
        save("runs.models.json", results(db, "--models"))
        save("runs.endings.json", as_json(endings(db)))
        [(episode,)] = query(db, "SELECT id FROM episode WHERE instance_id = 'tofukingdom/roles/roles/0'")
        save("runs.transcript.md", command(db, "transcript", episode).out)
        continue_runs(db)


def continue_runs(db: Path) -> None:
    """Continue the interrupted run and write what is added."""
    before = lengths_of(db)
    run_plan(db, "interrupted.toml")
    save("runs.continued.jsonl", as_lines(added_by_key(db, before)))
    save("runs.continued.results.json", results(db))


def added_by_key(db: Path, before: dict[str, int]) -> list[Json]:
    """Return the events added since, under the keys of the plan: episodes begun later have other ids."""
    from tests.golden.database_files import by_plan_key

    return by_plan_key(db, tails(db, before))


def write_open() -> None:
    """Write open.sql: episodes of every game killed in the middle, one with a fault, one under other rules."""
    with folder() as place:
        calm, db = place / "calm.db", place / "open.db"
        run_plan(calm, "open.toml")
        undisturbed = {row["plan_key"]: row for row in endings(calm)}
        whole = logs(calm)
        text = (GOLDEN / "open.toml").read_text()
        for number, part in enumerate(text.split("[[part]]")[1:]):
            plan = place / f"{number}.toml"
            plan.write_text(f"[[part]]{part}")
            [(before,)] = query(db, "SELECT COUNT(*) FROM event") if db.exists() else [(0,)]
            [name] = re.findall(r'select = \["(.*)"\]', part)
            [(length,)] = query(
                calm,
                "SELECT COUNT(*) FROM event JOIN episode ON row = episode WHERE instance_id = ?",
                name,
            )
            kill(db, plan, before + length // 2)
        with friend(place, Friend(good=2)) as (players, _):
            command(db, "run", "--plan", GOLDEN / "fault.toml", "--players", players, "--yes", code=1)
        kill(db, GOLDEN / "changed.toml", query(db, "SELECT COUNT(*) FROM event")[0][0] + 8)
        changed = "(SELECT row FROM episode WHERE instance_id = 'mapworld/ee-text/small/2')"
        with closing(sqlite3.connect(db)) as connection, connection:
            done = connection.execute(
                f"UPDATE event SET data = replace(data, 'room', 'chamber') WHERE n = 1 AND episode = {changed}"
            )
            assert done.rowcount == 1
        command(db, "run", "--plan", GOLDEN / "changed.toml", code=1)
        statuses = query(db, "SELECT status, COUNT(*) FROM episode GROUP BY status ORDER BY status")
        assert statuses == [("open", len(undisturbed)), ("stalled", 2)], statuses
        save("open.sql", dump_of_the_dead(db))
        save("open.results.json", results(db))
        save("open.check.txt", neutral(command(db, "db", "check", "--replay", code=1).err, db))
        continue_open(db)
        for row in endings(db):
            if row["plan_key"] in undisturbed:
                calm_row = undisturbed[row["plan_key"]]
                assert {**row, "episode": ""} == {**calm_row, "episode": ""}
                assert events_without_meta(logs(db)[row["episode"]]) == events_without_meta(whole[calm_row["episode"]])


def continue_open(db: Path) -> None:
    """Continue the open episodes and write what is added."""
    before = lengths_of(db)
    url = finish_runs(db)
    save("open.continued.jsonl", as_lines(tails(db, before, url)))
    save("open.continued.endings.json", as_json(endings(db)))
    save("open.continued.results.json", results(db))


def events_without_meta(log: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return a log without times and without what is known about replies."""
    return [
        (n, kind, seat, {name: value for name, value in json.loads(data).items() if name != "meta"})
        for n, _, kind, seat, data in log
    ]


# ---------------------------------------------------------------------- the server and its people
def seat_of(page: Page) -> str:
    """Return the public id of the seat whose page this is."""
    page.wait_for_url("**/table?seat=*")
    return parse_qs(urlsplit(page.url).query)["seat"][0]


def wait_until(true: Callable[[], Any], page: Page) -> None:
    """Wait until something is so; the pages live on meanwhile."""
    until = time.monotonic() + 60
    while not true():
        assert time.monotonic() < until, "it does not come"
        page.wait_for_timeout(50)


class Visitors:
    """The people of served.sql at one server, each with a browser of their own."""

    def __init__(self, server: Server, browser: Any) -> None:
        self.server = server
        self.pages: dict[str, Page] = {}
        self.facts: Json = {"cookies": {}, "episodes": {}, "seats": {}}
        for name in ("alice", "bob", "carol", "dave", "owner"):
            page = self.pages[name] = browser.new_context().new_page()
            page.goto(server.url)
            [cookie] = [cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "browser"]
            self.facts["cookies"][name] = cookie

    def open(self, person: str, **body: Any) -> Json:
        """Open a table, go to the seat that was taken, if any."""
        table: Json = self.post(person, "tables", **{"game": "matchit", **body})
        self.pages[person].goto(self.server.url + table["go"])
        return table

    def post(self, person: str, door: str, **body: Any) -> Json:
        """Post what a page would."""
        answer = self.pages[person].request.post(f"{self.server.url}/api/{door}", data=body)
        assert answer.ok, answer.text()
        content: Json = answer.json()
        return content

    def note(self, name: str, **pages: Page) -> str:
        """Remember a game by the seats of people; return its episode."""
        seats = {person: seat_of(page) for person, page in pages.items()}
        self.facts["seats"][name] = seats
        [(episode,)] = self.query("SELECT episode FROM seat WHERE pid = ?", next(iter(seats.values())))
        self.facts["episodes"][name] = episode
        return str(episode)

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Ask the server's database."""
        return query(self.server.db, sql, *values)

    def wait_for_scores(self, episode: str, page: Page) -> None:
        """Wait until a game that is over has its scores."""
        wait_until(lambda: self.query("SELECT 1 FROM result WHERE id = ?", episode), page)


def play_served(visitors: Visitors) -> None:
    """Let people play at pages what served.sql is to hold."""
    facts, server, pages = visitors.facts, visitors.server, visitors.pages
    alice, bob, carol, dave, owner = (pages[name] for name in ("alice", "bob", "carol", "dave", "owner"))
    [admin] = re.findall(r"(/a/\S+)", server.output())
    facts["admin"] = admin
    owner.goto(server.url + admin)

    start_text_grids(alice)
    finished = visitors.note("finished", alice=alice)
    PagePlayer(alice).finish("A ring of cells, with a line below it")
    visitors.wait_for_scores(finished, alice)

    bob.goto(server.url)
    card = open_options(bob)
    card.get_by_label("Seat A").select_option("scripted")
    card.get_by_label("Seat B").select_option("person")
    card.get_by_label("Practice round, not counted").check()
    card.get_by_role("button", name=START).click()
    practice = visitors.note("practice", bob=bob)
    PagePlayer(bob).finish("Is the first row full?", 1)
    visitors.wait_for_scores(practice, bob)

    visitors.open("bob", variant="text", seats={"A": "person", "B": "random"}, experiment="different")
    informed = visitors.note("informed", bob=bob)
    PagePlayer(bob).finish('Ünïcode, "quotes" and a lone \\ backslash', 1)
    visitors.wait_for_scores(informed, bob)

    visitors.open("bob", variant="text", seats={"A": "person", "B": "scripted"}, settings={"questions": 1})
    published = visitors.note("published", bob=bob)
    PagePlayer(bob).finish("Is there an L?")
    visitors.wait_for_scores(published, bob)
    bob.get_by_role("button", name="Publish this game").click()
    bob.get_by_role("dialog").get_by_role("button", name="Publish it").click()
    expect(bob.locator(".publishing")).to_contain_text("Published")

    visitors.open("alice", variant="text", seats={"A": "scripted", "B": "person"})
    visitors.note("abandoned", alice=alice)
    PagePlayer(alice).reply("Only this much")
    alice.get_by_role("button", name="Leave the game").click()
    alice.get_by_role("dialog").get_by_role("button", name="Leave the game").click()
    expect(alice.get_by_role("heading", name="The score").or_(alice.locator(".debrief")).first).to_be_visible()

    table = visitors.open("alice", variant="text", seats={"A": "person", "B": "invite"})
    carol.goto(server.url + table["invitations"]["B"])
    handed = visitors.note("handed over", alice=alice, carol=carol)
    PagePlayer(alice).reply("A frame around nothing")
    PagePlayer(carol).reply("A cross in the middle")
    visitors.post("carol", "leave", seat=seat_of(carol), player="scripted")
    PagePlayer(alice).finish("Is yours a cross?")
    visitors.wait_for_scores(handed, alice)

    programs = visitors.post(
        "owner", "tables", game="matchit", variant="text", pace=0, seats={"A": "scripted", "B": "random"}
    )["episode"]
    facts["episodes"]["programs"] = programs
    visitors.wait_for_scores(programs, owner)

    visitors.open("alice", variant="picture", seats={"A": "person", "B": "scripted"})
    alone = visitors.note("alone", alice=alice)
    PagePlayer(alice).reply("I see a room with a bed")
    PagePlayer(alice).reply("Do you see a lamp?")
    PagePlayer(alice).wait_for_ask()
    facts["picture"] = alice.locator(".pins img").get_attribute("src")
    alice.locator("form.ask:visible").get_by_role("textbox").fill("Half a quest")
    wait_until(lambda: visitors.query("SELECT 1 FROM draft WHERE given LIKE '%Half a quest%'"), alice)
    assert alone

    beside = alice.context.new_page()
    table = visitors.post("alice", "tables", game="matchit", variant="text", seats={"A": "person", "B": "invite"})
    beside.goto(server.url + table["go"])
    carol.goto(server.url + table["invitations"]["B"])
    visitors.note("together", alice=beside, carol=carol)
    facts["links"] = {"alice": table["go"], "carol": table["invitations"]["B"], "watch": table["spectators"]}
    dave.goto(server.url + table["spectators"])
    dave.wait_for_url("**/watch?episode=*")
    PagePlayer(beside).reply("Three rows are full")
    PagePlayer(carol).reply("Nothing but a corner")
    forms = {page: PagePlayer(page).form for page in (beside, carol)}
    wait_until(lambda: any(form.is_visible() for form in forms.values()), beside)
    asker = next(page for page, form in forms.items() if form.is_visible())
    PagePlayer(asker).reply("Is the corner at the top?")
    PagePlayer(carol if asker is beside else beside).wait_for_ask()
    wait_until(lambda: visitors.query("SELECT 1 FROM event WHERE kind = 'watched'"), dave)

    visitors.open("bob", game="mapworld", variant="ee-text", seats={"walker": "person"})
    visitors.note("walk", bob=bob)
    PagePlayer(bob).wait_for_ask()


def write_served() -> None:
    """Write served.sql: games of people at pages of the real server, in Chromium, and what the server says of them."""
    os.environ["LUDENS_ABANDON_DAYS"] = "36500"
    with folder() as place, sync_playwright() as playwright:
        server = Server(place).start()
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM") or shutil.which("chromium"), args=["--no-sandbox"]
        )
        visitors = Visitors(server, browser)
        try:
            play_served(visitors)
        finally:
            server.kill()
            browser.close()
        facts = visitors.facts
        save("served.sql", dump_of_the_dead(server.db))
        save("served.json", as_json(facts))
    write_served_answers(facts)


def write_served_answers(facts: Json) -> None:
    """Write what Ludens says of served.sql, and how its open games go on."""
    os.environ["LUDENS_ABANDON_DAYS"] = "36500"
    with folder() as place:
        db = load("served.sql", place / "served.db")
        save("served.results.json", results(db))
        save("served.people.json", results(db, "--people", "--informed"))
        save("served.forget.txt", command(db, "db", "forget").out)
        save("served.endings.json", as_json(endings(db)))
        save("served.transcript.md", command(db, "transcript", facts["episodes"]["finished"]).out)
        server = Server(place, db).start()
        try:
            save("served.answers.json", as_json(answers(server.url, facts)))
            continue_served(server, facts)
        finally:
            server.stop()


def continue_served(server: Server, facts: Json) -> None:
    """Finish the open games of people and write what is added."""
    before = lengths_of(server.db)
    for name in CONTINUED:
        finish(server.url, server.db, facts, name)
    server.stop()
    save("served.continued.jsonl", as_lines(tails(server.db, before)))
    save("served.continued.results.json", results(server.db))
    save("served.continued.endings.json", as_json(endings(server.db)))


def write_continued() -> None:
    """Write how the stored databases go on with the present scripted players; the databases stay as they are."""
    os.environ["LUDENS_ABANDON_DAYS"] = "36500"
    with folder() as place:
        continue_runs(load("runs.sql", place / "runs.db"))
        continue_open(load("open.sql", place / "open.db"))
        server = Server(place, load("served.sql", place / "served.db")).start()
        try:
            continue_served(server, read_json("served.json"))
        finally:
            server.stop()


# ---------------------------------------------------------------------- older tables
def write_older() -> None:
    """Write databases as they were after the first migrations, of rows that had a place there."""
    with folder() as place:
        now = load("served.sql", place / "now.db")
        for state in OLDER:
            name = "-".join(f"{group.removeprefix('ludens.')}{number}" for group, number in state.items())
            save(f"older/{name}.sql", dump(make_older(now, place / f"{name}.db", state)))
        fresh = place / "log.db"
        run_plan(fresh, "changed.toml")
        save("older/schema-log.sql", schema(fresh))
        command(now, "db", "forget")  # makes the tables of today
        save("older/schema.sql", schema(now))
        db = load("older/log1-web1.sql", place / "older.db")
        save("older/results.json", results(db))
        save("older/forget.txt", command(db, "db", "forget").out)
        db = load("older/log2-web3.sql", place / "web3.db")
        save("older/forget-web3.txt", command(db, "db", "forget").out)
        db = load("older/log1-web0.sql", place / "oldest.db")
        save("older/forget-log.txt", command(db, "db", "forget").err)
        save("older/results-web0.json", results(db))
        save("older/refused.txt", refusals(load("served.sql", place / "newer.db")))


def make_older(now: Path, db: Path, state: dict[str, int]) -> Path:
    """Make a database with the first migrations of each set, and of another one those rows that fit into its tables."""
    groups, episodes = migrations(), read_json("served.json")["episodes"]
    with closing(sqlite3.connect(db)) as connection:
        record = (
            "SELECT sql FROM sqlite_master WHERE tbl_name = '_sqlite_migrations' AND sql IS NOT NULL ORDER BY rowid"
        )
        for (statement,) in query(now, record):
            connection.execute(statement)
        connection.execute("ATTACH ? AS now", (str(now),))
        for group, number in state.items():
            for name in list(groups[group].steps)[:number]:
                groups[group].steps[name](connection)
                connection.execute(
                    "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES (?, ?, ?)",
                    (group, name, "2026-11-21 00:00:00+00:00"),
                )
        few = ", ".join(f"'{episodes[name]}'" for name in ("finished", "handed over", "programs"))
        rows = f"(SELECT row FROM now.episode WHERE id IN ({few}))"
        fitting = {"event": f"episode IN {rows}", "episode": f"id IN ({few})", "result": f"episode IN {rows}"}
        fitting |= dict.fromkeys(("seat", "opened", "watcher", "sat", "published"), f"episode IN ({few})")
        fitting |= dict.fromkeys(("lease", "owner"), "0")
        tables = [name for (name,) in connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")]
        for table in tables:
            if table not in ("_sqlite_migrations", "sqlite_sequence"):
                columns = ", ".join(name for _, name, *_ in connection.execute(f"PRAGMA main.table_info({table})"))
                where = fitting.get(table, "1")
                connection.execute(f"INSERT INTO main.{table} SELECT {columns} FROM now.{table} WHERE {where}")
        connection.commit()
    return db


WRITERS: dict[str, Callable[[], None]] = {
    "runs": write_runs,
    "open": write_open,
    "served": write_served,
    "older": write_older,
    "continued": write_continued,
}


def main(words: list[str]) -> None:
    """Write the named files, all without a name."""
    if words and words[0] == "killed":
        play_until_killed(Path(words[1]), Path(words[2]), int(words[3]), int(words[4]))
    for name in words or [name for name in WRITERS if name != "continued"]:
        WRITERS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
