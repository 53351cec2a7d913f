"""What the web app declares and sends: routes with parameters, paths, cookies, keys of storage, structure of messages.

Collected in a process of its own (`python -m tests.golden.surface_web FILE`): the app loads Gradio, and what it starts
must not stay in the process of other tests. The app answers in memory, over no network. Of messages only their
structure is kept: a line for every place in the JSON, with the types of values that stand there.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.golden import surface_loaders as loaders
from tests.golden.surface_static import fill, plain_schema, read_log, shipped_variants, stored_episodes, to_text

Json = dict[str, Any]
HOST = "127.0.0.1"
LIMIT = 120
"""Seconds after which the collecting process counts as hanging; it takes about ten."""
STORED = re.compile(r"(localStorage|sessionStorage)\.\w+Item\(\s*(.+?)\s*(?:,|\)[;),\s])")
OWN_NAMES = re.compile(r"(LUDENS|OPENAI|ANTHROPIC|HF|GRADIO|RAY)_|(https?|all|no)_proxy$", re.IGNORECASE)
ENUMERATED = {"kind", "who", "status", "state", "flag", "turn", "verb", "marked", "outcome", "ending", "side"}
"""Keys whose values are words that our scripts tell apart: these are kept, too."""
HEADERS_OF_CHANCE = {"date", "server", "content-length", "etag", "last-modified", "set-cookie", "x-request-id"}


# ---------------------------------------------------------------------- structure of JSON
class Structure:
    """The places in some JSON messages, each with the types that stand there and how often it was there."""

    def __init__(self) -> None:
        self.types: defaultdict[str, set[str]] = defaultdict(set)
        self.objects: Counter[str] = Counter()
        self.members: Counter[str] = Counter()
        self.parents: dict[str, str] = {}
        self.words: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, value: Any, place: str = "$") -> None:
        """Take in a value that stands at a place."""
        if isinstance(value, dict):
            self.types[place].add("object")
            self.objects[place] += 1
            for name, member in value.items():
                inner = f"{place}.{name}"
                self.members[inner] += 1
                self.parents[inner] = place
                self.add(member, inner)
        elif isinstance(value, list):
            self.types[place].add("array")
            for item in value:
                self.add(item, f"{place}[]")
        else:
            self.types[place].add(type_name(value))
            if isinstance(value, str) and place.rpartition(".")[2] in ENUMERATED:
                self.words[place].add(value)

    def text(self) -> str:
        """Return a line for every place, sorted; a key that some of its objects lack is optional."""
        lines = []
        for place, types in sorted(self.types.items()):
            parent = self.parents.get(place)
            optional = parent is not None and self.members[place] < self.objects[parent]
            words = f" = {' | '.join(sorted(self.words[place]))}" if place in self.words else ""
            lines.append(f"{place}: {' | '.join(sorted(types))}{words}{' (optional)' if optional else ''}\n")
        return "".join(lines)


def type_name(value: object) -> str:
    """Return what JSON calls the type of a single value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return "number" if isinstance(value, int | float) else "string"


# ---------------------------------------------------------------------- routes
def _routes(app: Any) -> Iterator[tuple[str, Any]]:
    """Yield (path, route) of our own routes, those of included routers too."""
    for route in app.routes:
        if hasattr(route, "effective_route_contexts"):
            for context in route.effective_route_contexts():
                effective = context.starlette_route or context.original_route
                yield effective.path, effective
        elif hasattr(route, "dependant"):
            yield route.path, route
        elif getattr(route, "path", ""):
            yield f"{route.path}/*", route


def _parameters(dependant: Any) -> Json:
    """Return the parameters of a route by where they stand in a request."""
    from pydantic import TypeAdapter

    declared: Json = {}
    for needed in dependant.dependencies:
        for place, fields in _parameters(needed).items():
            declared.setdefault(place, {}).update(fields)
    for place in ("path", "query", "header", "cookie", "body"):
        for field in getattr(dependant, f"{place}_params"):
            info = field.field_info
            adapter: TypeAdapter[Any] = TypeAdapter(info.annotation)
            declared.setdefault(place, {})[field.alias] = {
                "required": info.is_required(),
                "default": None if info.is_required() else info.get_default(call_default_factory=True),
                "schema": plain_schema(adapter.json_schema()),
                "limits": sorted(str(limit) for limit in info.metadata),
            }
    return declared


def collect_routes(app: Any) -> dict[str, str]:
    """Return the table of routes with parameters, and the paths of pages."""
    table = []
    for path, route in _routes(app):
        dependant = getattr(route, "dependant", None)
        methods = sorted(getattr(route, "methods", None) or [])
        kind = "socket" if "WebSocket" in type(route).__name__ else "route" if methods else "folder"
        parameters = _parameters(dependant) if dependant else {}
        table.append({"path": path, "kind": kind, "methods": methods, "parameters": parameters})
    [gradio] = [route.app for route in app.routes if hasattr(getattr(route, "app", None), "blocks")]
    pages = [{"path": f"/{path}", "in the navigation": shown} for path, _, shown in gradio.blocks.pages]
    return {
        "web/routes.json": to_text(sorted(table, key=lambda row: (row["path"], row["methods"]))),
        "web/pages.json": to_text(pages),
        "web/open_paths.json": to_text(loaders.list_open_paths()),
        "web/close_codes.json": to_text(loaders.list_close_codes()),
    }


def collect_storage_keys() -> dict[str, str]:
    """Return the keys under which our scripts store things in browsers, as written in their source."""
    keys = set()
    for path in loaders.list_scripts():
        source = path.read_text(encoding="utf-8")
        for storage, argument in re.findall(
            r"(localStorage|sessionStorage)\.\w+Item\(\s*(.+?)\s*(?:,|\)[;),\s])", source
        ):
            keys.add(f"{storage} {_literal(argument.strip(), source)}")
    return {"web/storage_keys.txt": "".join(f"{key}\n" for key in sorted(keys))}


def _literal(argument: str, source: str) -> str:
    """Return the text that an argument stands for: itself, or what a constant of the file says."""
    if argument[0] in "'\"`":
        return argument.strip("'\"`")
    name = re.match(r"\w+", argument)
    assert name, argument
    constant = re.search(rf"const {name[0]} = (?:\([^)]*\) => )?(['\"`])(.+?)\1", source)
    assert constant, f"no constant {name[0]}"
    return re.sub(r"\$\{[^}]*\}", "${…}", constant[2])


# ---------------------------------------------------------------------- visitors
class Visitor:
    """One browser that talks to the app in memory."""

    def __init__(self, app: Any, portal: Any) -> None:
        from starlette.testclient import TestClient

        self.http = TestClient(
            app, base_url=f"http://{HOST}", headers={"origin": f"http://{HOST}"}, follow_redirects=False
        )
        self.http.portal = portal
        self.cookie_header = self.http.get("/api/tables").headers.get("set-cookie")

    def get(self, path: str, **query: Any) -> Any:
        """Return the JSON of an answer."""
        return self.http.get(path, params=query).json()

    def post(self, path: str, **body: Any) -> Any:
        """Return the JSON of an answer to a JSON body."""
        return self.http.post(path, json=body).json()

    def follow(self, path: str) -> str:
        """Follow a link; return the value at the end of where it leads."""
        answer = self.http.get(path)
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"]).rpartition("=")[2]

    @contextmanager
    def socket(self, path: str) -> Iterator[Any]:
        """Open a socket."""
        with suppress(CancelledError), self.http.websocket_connect(f"ws://{HOST}{path}") as socket:
            yield socket  # at its end the client cancels the handler, which is how a browser leaves here

    def first(self, path: str) -> Any:
        """Return the first message of a socket: the whole state of a page."""
        with self.socket(path) as socket:
            return socket.receive_json()


# ---------------------------------------------------------------------- messages
class Collector:
    """Brings a server into known states and notes the structure of what it sends."""

    def __init__(self, app: Any, portal: Any, admin: str) -> None:
        self.app, self.portal, self.admin = app, portal, admin
        self.structures: defaultdict[str, Structure] = defaultdict(Structure)
        self.texts: dict[str, str] = {}
        self.moves = 0

    def visitor(self) -> Visitor:
        """Return another browser."""
        return Visitor(self.app, self.portal)

    def note(self, name: str, value: Any) -> Any:
        """Take a message into the structure of a golden file, and return it."""
        self.structures[name].add(_without_chance(value))
        return value

    def collect(self) -> dict[str, str]:
        """Visit everything; return the structures."""
        owner = self.visitor()
        cookie = re.sub(r"=[\w-]{43};", "=<value>;", owner.cookie_header or "")
        self.texts["web/cookie.txt"] = f"{cookie}\n"
        owner.get("/api/results")  # scores all episodes, which their pages then say
        self.small_answers(owner)
        self.finished_episodes(owner)
        self.results(owner)
        for game, variant in shipped_variants():
            self.people_at_a_table(game, variant)
        self.tables(owner)
        self.stalled_table(owner)
        self.refusals(owner)
        owner.follow(self.admin)
        self.note("lobby_of_owner", owner.get("/api/lobby"))
        self.own_games(owner)
        return self.texts | {f"pages/{name}.txt": structure.text() for name, structure in self.structures.items()}

    def small_answers(self, visitor: Visitor) -> None:
        """Visit what does not depend on games."""
        self.note("healthz", visitor.get("/healthz"))
        self.note("lobby_of_newcomer", visitor.get("/api/lobby"))
        self.note("me_of_newcomer", visitor.get("/api/me"))
        paths = {
            "/healthz": "healthz",
            "/api/lobby": "api_lobby",
            "/web/core/start.js": "web_start.js",
            "/none": "none",
        }
        for path, name in paths.items():
            headers = visitor.http.get(path).headers.items()
            lines = sorted(f"{header}: {value}\n" for header, value in headers if header not in HEADERS_OF_CHANCE)
            self.texts[f"web/headers_{name}.txt"] = "".join(lines)

    def finished_episodes(self, visitor: Visitor) -> None:
        """Visit every page of finished episodes between programs."""
        for path in stored_episodes():
            episode = episode_id(path)
            game = "-".join(path.stem.split("-")[:1])
            self.note(f"record_{game}", visitor.get("/api/record", episode=episode))
            self.note(f"watch_over_{game}", visitor.first(f"/ws/watch?episode={episode}"))
            self.note(f"debrief_{game}", visitor.get("/api/debrief", episode=episode))
            self.note(f"episode_{game}", visitor.get("/api/episode", id=episode))
            self.note("episode_events", _without_data(visitor.get("/api/episode/events", id=episode)))
            self.note("access", visitor.get("/api/access", episode=episode))
            self.note("publish_of_programs", visitor.get("/api/publish", episode=episode))
            for line in visitor.http.get("/api/download", params={"episode": episode}).text.splitlines():
                self.note("download", {**json.loads(line), "data": {}})
            for line in visitor.http.get("/api/episode/file?format=jsonl", params={"id": episode}).text.splitlines():
                self.note("episode_file_jsonl", {**json.loads(line), "data": {}})

    def results(self, visitor: Visitor) -> None:
        """Visit the Results page: tables, episodes behind numbers, comparisons."""
        table = self.note("results", visitor.get("/api/results"))
        assert isinstance(table, dict) and table["values"], table
        self.texts["web/results_columns.txt"] = "".join(f"{name}\n" for name in table["columns"])
        self.note("results_published", visitor.get("/api/results", published=True, per="variant"))
        self.note("results_table", visitor.get("/api/results/table.json", published=True))
        csv = visitor.http.get("/api/results/table.csv").text
        self.texts["web/results_csv_header.txt"] = csv.splitlines()[0] + "\n"
        rows = table["codes"]["id"]
        self.note("results_episodes_of_rows", visitor.get("/api/results/episodes", row=rows))
        for row in table["clemscores"]:
            query = {"clemscore": row["players"], "modality": row["modality"], "reprompt": row["reprompt"]}
            listed = self.note("results_episodes_of_clemscore", visitor.get("/api/results/episodes", **query))
            assert listed["episodes"], query
        for rating in _ratings(table["ratings"]):
            self.note("results_episodes_of_rating", visitor.get("/api/results/episodes", rating=rating))
        pair = {"first": "scripted", "second": "random", "game": "matchit"}
        self.note("results_compare", visitor.get("/api/results/compare", **pair))
        self.note("results_pairs", visitor.get("/api/results/pairs", **pair))
        self.note("results_pairs_left_out", visitor.get("/api/results/pairs", which="mixed", **pair))

    def people_at_a_table(self, game: str, variant: str) -> None:
        """Visit the pages of a game that only people play, at its first asks and after two moves."""
        lobby = self.visitor()
        [seats] = [
            each["seats"]
            for named in lobby.get("/api/lobby")["games"]
            if named["name"] == game
            for each in named["variants"]
            if each["name"] == variant
        ]
        experiment = first_experiment(game, variant)
        places = {seat: "person" if number == 0 else "invite" for number, seat in enumerate(seats)}
        body = {"game": game, "variant": variant, "experiment": experiment, "instance": 0, "seats": places}
        opened = self.note("tables_opened", lobby.post("/api/tables", **body))
        guests = {seat: self.visitor() for seat in opened["invitations"]} | {seats[0]: lobby}
        links = {**opened["invitations"], seats[0]: opened["go"]}
        pids = {seat: guests[seat].follow(links[seat]) for seat in seats}
        watcher = self.visitor()
        watcher.follow(opened["spectators"])
        for _ in range(3):
            for seat in seats:
                state = guests[seat].first(f"/ws/seat?seat={pids[seat]}")
                self.note(f"seat_{game}-{variant}", state)
                if state["ask"]:
                    self.moves += 1
                    move = {"seat": pids[seat], "ask": state["ask"]["id"], "move": f"golden-{self.moves:08}"}
                    self.note("move", guests[seat].post("/api/move", **move, values=fill(state["ask"]["form"])))
            self.note(f"watch_{game}", watcher.first(f"/ws/watch?episode={opened['episode']}"))

    def tables(self, owner: Visitor) -> None:
        """Visit a table with a program: opened, played, handed over, left; lists of the lobby meanwhile."""
        body = {"game": "matchit", "variant": "text", "experiment": "same", "instance": 0}
        waiting = owner.post("/api/tables", **body, seats={"A": "scripted", "B": "person"}, pace=10)
        pid = owner.follow(waiting["go"])
        self.note("seat_waiting_for_program", owner.first(f"/ws/seat?seat={pid}"))
        self.note("invitations", owner.get("/api/invitations", seat=pid))
        self.note("seat_another_invited", owner.post("/api/seat", seat=pid, which="A", player="invite"))
        opened = owner.post("/api/tables", **body, seats={"A": "invite", "B": "invite"})
        self.note("invitations", owner.get("/api/invitations", episode=opened["episode"]))
        programs = owner.post("/api/tables", **body, seats={"A": "scripted", "B": "scripted"}, pace=10)
        self.note("tables_opened_for_programs", programs)
        self.note("watch_programs", owner.first(f"/ws/watch?episode={programs['episode']}"))
        self.note("lobby_socket", owner.first("/ws/lobby"))
        self.note("lobby", owner.get("/api/lobby"))
        self.note("invitations_of_others", self.guest_of(opened))
        self.note("end", owner.post("/api/end", episode=opened["episode"]))
        self.note("leave", owner.post("/api/leave", seat=pid))
        self.note("seat_over", owner.first(f"/ws/seat?seat={pid}"))
        self.note("debrief_of_seat", owner.get("/api/debrief", seat=pid))
        self.note("publish", owner.get("/api/publish", seat=pid))
        self.note("publish", owner.post("/api/publish", seat=pid, published=True))
        own = self.note("episode_of_person", owner.get("/api/episode", id=waiting["episode"]))
        assert own["status"] == "over"
        self.moves += 1
        ask = {"seat": pid, "ask": 1, "move": f"golden-{self.moves:08}", "values": {"text": "hello"}}
        self.note("move_refused", owner.post("/api/move", **ask))

    def stalled_table(self, owner: Visitor) -> None:
        """Visit a table whose model does not answer; ask it again, and seat a program in its place."""
        body = {"game": "matchit", "variant": "text", "experiment": "same", "instance": 0}
        opened = owner.post("/api/tables", **body, seats={"A": "silent", "B": "person"})
        pid = owner.follow(opened["go"])
        self.wait_for(owner, pid, "stalled")
        self.note("seat_stalled", owner.first(f"/ws/seat?seat={pid}"))
        self.note("invitations_of_stalled", owner.get("/api/invitations", seat=pid))
        self.note("lobby", owner.get("/api/lobby"))
        self.note("retry", owner.post("/api/retry", seat=pid))
        self.wait_for(owner, pid, "stalled")
        self.note("seat_another", owner.post("/api/seat", seat=pid, player="scripted"))
        self.wait_for(owner, pid, "ask")
        self.note("end", owner.post("/api/end", seat=pid))
        self.note("watch_handed_over", owner.first(f"/ws/watch?episode={opened['episode']}"))
        self.note("episode_handed_over", owner.get("/api/episode", id=opened["episode"]))

    def wait_for(self, visitor: Visitor, pid: str, part: str) -> None:
        """Listen at a seat until a part of its page says something: why the game waits, or what is asked."""
        with visitor.socket(f"/ws/seat?seat={pid}") as socket:
            while not socket.receive_json().get(part):
                pass

    def guest_of(self, opened: Json) -> Any:
        """Let somebody else sit at a seat of a table; return what they hear about invitations, and note a draft."""
        guest = self.visitor()
        pid = guest.follow(opened["invitations"]["A"])
        draft = {"seat": pid, "ask": 1, "values": {"text": "half-written"}}
        self.note("draft", guest.post("/api/draft", **draft))
        self.note("seat_with_draft", guest.first(f"/ws/seat?seat={pid}"))
        return guest.get("/api/invitations", seat=pid)

    def refusals(self, visitor: Visitor) -> None:
        """Visit what is refused."""
        answers = {
            "no such game": visitor.http.get("/api/record?episode=none"),
            "not your seat": visitor.http.get("/api/access?seat=none"),
            "missing parameter": visitor.http.get("/api/record"),
            "unknown field": visitor.http.post("/api/end", json={"table": 1}),
            "nothing named": visitor.http.get("/api/debrief"),
            "no such figure": visitor.http.get("/api/plot/none.svg"),
            "unknown player": visitor.http.post(
                "/api/tables", json={"game": "mapworld", "seats": {"walker": "nobody"}}
            ),
            "paid player": visitor.http.post("/api/tables", json={"game": "mapworld", "seats": {"walker": "openai/x"}}),
            "no such page": visitor.http.get("/none"),
            "no such link": visitor.http.get("/s/none"),
        }
        lines = [f"{name}: {answer.status_code} {answer.headers['content-type']}\n" for name, answer in answers.items()]
        self.texts["web/statuses_of_refusals.txt"] = "".join(lines)
        for answer in answers.values():
            if answer.headers["content-type"] == "application/json":
                self.note("refused", answer.json())

    def own_games(self, owner: Visitor) -> None:
        """Visit a browser's own games, and let it remove them."""
        own = self.note("me", owner.get("/api/me"))
        self.note("forget", owner.post("/api/forget", games=own["games"]))


def _walk(player: str) -> Json:
    return {"game": "mapworld", "seats": {"walker": player}}


def _ratings(ratings: Any) -> Iterator[str]:
    """Yield the ids of tables of ratings."""
    for table in ratings if isinstance(ratings, list) else ratings.values():
        yield str(table.get("id") or table.get("table"))


def _without_chance(message: Any) -> Any:
    """Return a message without what depends on the machine: which models can play, and whether they see."""
    if not (isinstance(message, dict) and isinstance(message.get("models"), list)):
        return message
    models = [{**model, "unusable": None, "sees": None, "reply_seconds": None} for model in message["models"]]
    return {**message, "models": models}


def _without_data(answer: Json) -> Json:
    return {**answer, "events": [{**event, "data": {}} for event in answer["events"]]}


def episode_id(path: Path) -> str:
    """Return the id that a stored log gets in the database."""
    return f"{stored_episodes().index(path):031x}"


def first_experiment(game: str, variant: str) -> str:
    """Return the name of the first experiment of a variant."""
    [declared] = [each for each in loaders.load_registry().game(game).variants if each.name == variant]
    return str(declared.experiments[0].name)


# ---------------------------------------------------------------------- the process
def collect() -> dict[str, str]:
    """Collect everything in this process."""
    import anyio.from_thread

    loaders.fix_seeds_of_tables()
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "ludens.db"
        for path in stored_episodes():
            loaders.store_episode(database, episode_id(path), read_log(path))
        app, routed, admin = loaders.create_web_app(database)
        texts = collect_routes(routed) | collect_storage_keys()
        from starlette.testclient import TestClient

        with ExitStack() as stack:
            server = stack.enter_context(TestClient(app, base_url=f"http://{HOST}"))
            assert isinstance(server.portal, anyio.from_thread.BlockingPortal)
            return texts | Collector(app, server.portal, admin).collect()


def collect_in_process() -> dict[str, str]:
    """Collect everything in a fresh process."""
    environment = {name: value for name, value in os.environ.items() if not OWN_NAMES.match(name)}
    environment |= {"PYTHONUTF8": "1", "GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1"}
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "web.json"
        command = [sys.executable, "-m", "tests.golden.surface_web", str(target)]
        environment["GRADIO_TEMP_DIR"] = folder
        done = subprocess.run(
            command, cwd=loaders.ROOT, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False
        )
        assert done.returncode == 0, done.stderr[-5000:]
        texts: dict[str, str] = json.loads(target.read_text(encoding="utf-8"))
        return texts


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(collect()), encoding="utf-8")
