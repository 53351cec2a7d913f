"""What the public surface declares without a server: commands, reply formats, schemas, tables, words stored as data.

Each function returns texts by the path of their golden file below tests/golden/surface/. Nothing is compared here.
"""

from __future__ import annotations

import dataclasses
import json
import os
import random
import re
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from tests.golden import surface_loaders as loaders

Json = dict[str, Any]
SURFACE = Path(__file__).resolve().parent / "surface"
WIDTH = 100
"""Columns of rendered help."""
FORMATS_PER_VARIANT = 24
"""At most this many reply formats are stored per variant, spread evenly over those that occur."""
SEEDS = (0, 1, 2)


def vary(text: str) -> list[str]:
    """Return texts near a well-formed reply; the fault and the message of a refusal stand in events."""
    return [
        "",
        "hello",
        f" {text}\n",
        f"{text}.",
        text.lower(),
        f"{text}\n{text}",
        f"I say {text}",
        text[: len(text) // 2],
    ]


def to_text(data: Any) -> str:
    """Return JSON data as a file that can be read and compared line by line."""
    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def hide_root(value: object) -> object:
    """Return a default without the folder of this checkout."""
    text = str(value)
    return text.replace(str(loaders.ROOT), "<project>") if str(loaders.ROOT) in text else value


# ---------------------------------------------------------------------- command line
def _commands(command: Any, context: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield (full name, command, context) of a command and of all below it."""
    yield context.command_path, command, context
    for name, child in getattr(command, "commands", {}).items():
        yield from _commands(child, _context(child, name, context))


def _context(command: Any, name: str, parent: Any = None) -> Any:
    settings = {**command.context_settings, "terminal_width": WIDTH, "max_content_width": WIDTH, "color": False}
    return command.context_class(command, info_name=name, parent=parent, **settings)


@cache
def _all_commands() -> list[tuple[str, Any, Any]]:
    root = loaders.load_command()
    return list(_commands(root, _context(root, "ludens")))


def _parameter(parameter: Any) -> Json:
    """Return what a script that calls the command relies on."""
    annotation = parameter.type_descriptor.annotation
    inner = next(iter(getattr(annotation, "__args__", ())), annotation)
    choices = isinstance(inner, type) and issubclass(inner, Enum)
    default = parameter.default() if callable(parameter.default) else parameter.default
    declared: Json = {
        "kind": parameter.param_type_name,
        "names": [*parameter.opts, *parameter.secondary_opts],
        "type": [str(member.value) for member in inner] if choices else getattr(inner, "__name__", str(inner)),
        "required": parameter.required,
        "default": default.value if isinstance(default, Enum) else hide_root(default),
        "several": parameter.multiple or parameter.nargs != 1,
        "count": parameter.nargs,
        "flag": getattr(parameter, "is_flag", False),
        "hidden": parameter.hidden,
        "environment": parameter.envvar,
        "least": parameter.min,
        "most": parameter.max,
    }
    if parameter.param_type_name == "argument":
        declared["names"] = [parameter.metavar or parameter.name]
    return declared


def command_declarations() -> dict[str, str]:
    """Return what commands accept: names, options, arguments, types, defaults."""
    declared = {}
    for path, command, context in _all_commands():
        declared[path] = {
            "parameters": [_parameter(parameter) for parameter in command.params],
            "commands": list(getattr(command, "commands", {})),
            "help options": list(context.help_option_names),
            "hidden": command.hidden,
        }
    return {"cli_declarations.json": to_text(declared)}


def command_helps() -> dict[str, str]:
    """Return the rendered help of every command."""
    return {
        f"help/{path.replace(' ', '_')}.txt": str(hide_root(command.get_help(context))).rstrip() + "\n"
        for path, command, context in _all_commands()
    }


# ---------------------------------------------------------------------- reply formats
def reply_kinds() -> dict[str, str]:
    """Return the fields of every kind of reply format, with defaults and what logs of earlier versions lack."""
    declared = {}
    for name, kind in loaders.load_reply_kinds().items():
        declared[name] = {
            "kind": kind.kind,
            "fields": [
                {
                    "name": field.name,
                    "required": _is_required(field),
                    "default": None if _is_required(field) else _default(field),
                    "metadata": dict(field.metadata),
                }
                for field in dataclasses.fields(kind)  # type: ignore[arg-type]
            ],
        }
    return {"reply_kinds.json": to_text(declared)}


def _is_required(field: Any) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _default(field: Any) -> Any:
    default = field.default_factory() if field.default is dataclasses.MISSING else field.default
    return default.declaration() if hasattr(default, "declaration") else default


def fill(form: Json, alternative: int = 0) -> dict[str, str]:
    """Fill a form in as a person's page does: one of its alternatives, the first of all options, a short text."""
    if "either" in form:
        chosen = form["either"][alternative]
        return {"form": chosen["name"], **fill(chosen)}
    return {field["name"]: fill_field(field) for field in form["fields"]}


def fill_field(field: Json) -> str:
    """Fill a field of a form in with the first thing that fits it."""
    match field["kind"]:
        case "choice" | "shown":
            return str(field["options"][0]["value"])
        case "paint":
            return "\n".join(["▢ ▢ A ▢ ▢"] * 5)
        case "map":
            return json.dumps({"nodes": [], "edges": {way: [] for way in ("north", "east", "south", "west")}})
        case "compass":
            return str(field["open"][0])
        case "sentence":
            return str(field["sentences"][0]["text"])
        case _:
            return "Is there a line?"


def describe_format(declaration: Json) -> Json:
    """Return everything that a reply format says of itself, rebuilt from its declaration."""
    rebuilt = loaders.rebuild_format(declaration)
    form = rebuilt.describe_form()
    samples = [rebuilt.sample(random.Random(seed)) for seed in SEEDS]
    return json.loads(
        json.dumps(
            {
                "declaration": rebuilt.declaration(),
                "words": rebuilt.words(),
                "form": form,
                "composed": [
                    rebuilt.compose_reply(fill(form, number)) for number in range(len(form.get("either", [form])))
                ],
                "schema": rebuilt.schema(),
                "pattern": rebuilt.pattern(),
                "samples": [
                    {
                        "text": text,
                        "shown": [loaders.describe_segment(segment) for segment in rebuilt.show(text)],
                        **loaders.parse_reply(rebuilt, text),
                    }
                    for text in samples
                ],
                "variations": [{"text": text, **loaders.parse_reply(rebuilt, text)} for text in vary(samples[0])],
            }
        )
    )


def stored_formats() -> list[Path]:
    """List the golden files of reply formats."""
    return sorted((SURFACE / "reply_formats").glob("*.json"))


def write_formats() -> dict[str, str]:
    """Play some instances of every variant and return the reply formats that occur. For the writer only."""
    registry = loaders.load_registry()
    texts = {}
    for game, variant in loaders.list_variants(registry):
        declarations: dict[str, Json] = {}
        for selection in first_instances(registry, game, variant):
            for player in ("random", "scripted"):
                for event in loaders.play_episode(registry, selection, player, reprompt=1).log:
                    if event.kind == "ask":
                        declaration = event.data["format"]
                        declarations.setdefault(json.dumps(declaration, sort_keys=True), declaration)
        distinct = list(declarations.values())
        step = max(1, -(-len(distinct) // FORMATS_PER_VARIANT))
        described = [describe_format(json.loads(json.dumps(each))) for each in distinct[::step]]
        texts[f"reply_formats/{game}-{variant}.json"] = to_text(described)
    return texts


def first_instances(registry: Any, game: str, variant: str, experiments: int = 2) -> list[str]:
    """List the first instance of the first experiments of a variant."""
    ids = [item.instance_id for item in registry.select_instances(f"{game}/{variant}") if item.index == 0]
    return ids[:experiments]


def shipped_variants() -> list[tuple[str, str]]:
    """List (game, variant) of all shipped games."""
    return loaders.list_variants(loaders.load_registry())


# ---------------------------------------------------------------------- schemas
def plain_schema(schema: Json) -> Json:
    """Return a JSON schema without names and docstrings of Python classes: references are written out."""
    return _plain(schema, schema.get("$defs", {}), ())


def _plain(schema: Any, definitions: Json, inside: tuple[str, ...]) -> Any:
    if isinstance(schema, list):
        return [_plain(each, definitions, inside) for each in schema]
    if not isinstance(schema, dict):
        return hide_root(schema) if isinstance(schema, str) else schema
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        if name in inside:
            return {"recursive": len(inside) - inside.index(name)}
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return _plain({**definitions[name], **rest}, definitions, (*inside, name))
    plain = {}
    for key, value in schema.items():
        if key in ("$defs", "title", "description"):
            continue
        if key == "properties":
            plain[key] = {name: _plain(each, definitions, inside) for name, each in value.items()}
        elif key == "discriminator":
            plain[key] = value["propertyName"]
        elif key in ("default", "enum", "const", "examples"):
            plain[key] = hide_root(value) if isinstance(value, str) else value
        else:
            plain[key] = _plain(value, definitions, inside)
    return plain


def schemas() -> dict[str, str]:
    """Return the JSON schemas of what files and events hold."""
    texts = {}
    for name, model in loaders.list_models(loaders.load_registry()):
        schema = model.model_json_schema() if hasattr(model, "model_json_schema") else model.json_schema()
        texts[f"schemas/{name}.json"] = to_text(plain_schema(schema))
    return texts


# ---------------------------------------------------------------------- databases
def databases() -> dict[str, str]:
    """Return the tables of fresh databases, and the migrations that they record."""
    texts = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, path in loaders.make_databases(Path(folder)).items():
            with closing(sqlite3.connect(path)) as connection:
                tables = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
                texts[f"databases/{name}.sql"] = "".join(f"{sql};\n" for sql in sorted(sql for (sql,) in tables))
                if name == "log":
                    texts["databases/log_contents.json"] = to_text(_contents(connection))
    return texts


def _contents(connection: sqlite3.Connection) -> Json:
    migrations = connection.execute("SELECT migration_set, name FROM _sqlite_migrations ORDER BY rowid").fetchall()
    secrets = connection.execute("SELECT name FROM secret ORDER BY name").fetchall()
    pragmas = ("journal_mode", "user_version", "application_id", "encoding", "auto_vacuum")
    return {
        "migrations": [list(row) for row in migrations],
        "secrets": [name for (name,) in secrets],
        "pragmas": {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in pragmas},
    }


# ---------------------------------------------------------------------- words and numbers stored as data
def vocabularies() -> dict[str, str]:
    """Return the closed lists of words that stand in databases, events, exports and addresses of pages."""
    registry = loaders.load_registry()
    declared: Json = {**loaders.list_vocabularies(), "games": {}, "reply kinds": list(loaders.load_reply_kinds())}
    for name, game in registry.games.items():
        source = "".join(path.read_text(encoding="utf-8") for path in sorted(loaders.game_folder(game).glob("*.py")))
        declared["games"][name] = {
            "notes": sorted(set(re.findall(r"\.record_note\(\s*\"([^\"]+)\"", source))),
            "seats": list(game.seats),
            "sides": list(game.sides),
            "word for a side": game.side_word,
            "versions": [game.version, game.prompts.name, game.prompts.version, f"{name}-{game.scores_version}"],
            "variants": {
                variant.name: {
                    "pictures": variant.pictures,
                    "experiments": [experiment.name for experiment in variant.experiments],
                }
                for variant in game.variants
            },
            "settings": {key: field.default for key, field in game.settings.model_fields.items()},
            "players": sorted(registry.describe_players(name)),
            "adversarial": game.adversarial,
            "in the clemscore": game.clemscore,
            "open turns": game.open_turns,
        }
    return {"vocabularies.json": to_text(declared)}


def causes() -> dict[str, str]:
    """Return how what went wrong is stored, and how a player object is named."""
    registry = loaders.load_registry()
    raised, seats = loaders.stall_with(registry, ValueError("boom"))
    declared = {
        "a player raises ValueError('boom')": raised,
        "a player cannot answer": loaders.stall_with(registry, loaders.player_fault("the server is down"))[0],
        "the rulebook raises ValueError('boom')": loaders.stall_by_rulebook(registry),
        "a player object of class CustomPlayer": seats["A"],
    }
    return {"causes.json": to_text(declared)}


ADDRESSES = (
    "scripted",
    "recorded/0123",
    "openai/gpt-x?temperature=0&max_tokens=300",
    "openai/gpt-x?max_tokens=300&temperature=0",
    "hf/org/name?device=cpu",
    "openai/m?base_url=http://127.0.0.1:8000/v1&stop=a,b",
    " anthropic/claude?thinking= ",
)


def derived_values() -> dict[str, str]:
    """Return values that are computed from fixed inputs and stand in databases and addresses."""
    registry = loaders.load_registry()
    plans: list[Json] = []
    for game, variant in loaders.list_variants(registry):
        for selection in first_instances(registry, game, variant):
            plans += _planned(registry, selection, {"all": "random"}, reprompt=2, seed=7)
        plans += _planned(registry, selection, {"all": "scripted"}, repeat=2)
    plans += _planned(registry, "matchit/text/same/0", {"A": "scripted", "B": "random"}, settings={"questions": 5})
    sides = {"side:spy": "random", "side:villagers": "scripted"}
    plans += _planned(registry, "spyfall/words", sides, limit=1, seed=3)
    camps = {"camp:prince": "scripted", "camp:queen": "random", "camp:spy": "random"}
    plans += _planned(registry, "tofukingdom/roles", camps, limit=1)
    drawn = {
        selection: {seed: loaders.seed_sides(registry, selection, seed) for seed in ("0", "golden", "ä/1")}
        for selection in ("spyfall/words", "tofukingdom/roles")
    }
    sample = {"b": [1, 2.5, None, True], "a": "ä ▢ \ud800", "c": {"y": 0.1, "x": 1e-7}}
    with tempfile.TemporaryDirectory() as folder:
        links = loaders.derive_links(Path(folder))
    return {
        "plan_keys.json": to_text(plans),
        "derived_values.json": to_text(
            {
                "addresses": {address: loaders.canonical_address(address) for address in ADDRESSES},
                "canonical JSON": loaders.encode_canonical_json(sample),
                "digest": loaders.digest_json(sample),
                "links": links,
                "sides": drawn,
            }
        ),
    }


def _planned(registry: Any, selection: str, seats: dict[str, str], **options: Any) -> Iterable[Json]:
    for planned in loaders.make_plan(registry, selection, seats, **options):
        start = planned.start
        condition = loaders.condition_of(start)
        events = loaders.begin_events(registry, planned)
        asked = [event.seat for event in events if event.kind == "ask"]
        yield {
            "selection": selection,
            "seats asked for": seats,
            "options": options,
            "key": planned.key,
            "seed": start.seed,
            "instance": start.instance_id,
            "instance hash": start.instance_hash,
            "seats": start.seats,
            "condition": condition.id,
            "condition as JSON": condition.as_json(),
            "numbers of players": {seat: loaders.player_numbers(events, seat) for seat in asked},
        }


# ---------------------------------------------------------------------- settings, and players of models
ENVIRONMENT = {
    "HOST": "0.0.0.0",
    "PORT": "7861",
    "DB": "/a/log.db",
    "OPEN": "true",
    "PUBLIC_URL": "https://games.example.org",
    "INSTANCES": "/a/instances",
    "IMPORTED": "/a/imported",
    "PLAYERS": "/a/players.toml",
    "PAID_PLAYERS": "1",
    "ABANDON_DAYS": "2.5",
    "CONCURRENCY": "8",
}


def settings() -> dict[str, str]:
    """Return what the defaults, a ludens.toml and the environment make of the settings."""
    kept = {name: value for name, value in os.environ.items() if name.startswith("LUDENS_")}
    declared = {}
    try:
        with tempfile.TemporaryDirectory() as folder:
            _set_environment({})
            declared["defaults"] = loaders.load_settings(Path(folder))
            file = 'db = "my/log.db"\nplayers = "/b/players.toml"\nport = 7862\npaid_players = true\n'
            (Path(folder) / "ludens.toml").write_text(file, encoding="utf-8")
            declared["of a file"] = loaders.load_settings(Path(folder))
            _set_environment({f"LUDENS_{name}": value for name, value in ENVIRONMENT.items()})
            declared["of a file and the environment"] = loaders.load_settings(Path(folder))
            text = to_text(declared).replace(folder, "<folder>").replace(str(loaders.ROOT), "<project>")
    finally:
        _set_environment(kept)
    return {"settings.json": text}


def _set_environment(values: dict[str, str]) -> None:
    """Let these be all variables of the environment that Ludens reads."""
    for name in [name for name in os.environ if name.startswith("LUDENS_")]:
        del os.environ[name]
    os.environ.update(values)


VALUES = ("0", "0.5", "1", "2", "-1", "2.5", "true", "none", "auto", "high", "", "END", '["A","B"]', '{"min_p":0.1}')
STATUSES = (400, 401, 402, 403, 404, 408, 409, 413, 422, 425, 429, 500, 502, 503, 529)


def models() -> dict[str, str]:
    """Return the parameters in addresses of models with the values they take, and the stored words for failures."""
    parameters: Json = {}
    for provider, readers in loaders.list_parameters().items():
        parameters[provider] = {name: _read_values(reader) for name, reader in sorted(readers.items())}
    parameters["where a model answers"] = loaders.list_connection_parameters()
    error = {"message": "no\nsuch thing", "type": "kind", "code": "word", "param": "field"}
    statuses = {
        str(status): loaders.describe_status(status, {"error": error}, {"retry-after": "2"}) for status in STATUSES
    }
    statuses["429 without credit"] = loaders.describe_status(429, {"error": {"code": "insufficient_quota"}}, {})
    statuses["500 with a text"] = loaders.describe_status(500, {"error": "down"}, {})
    return {"model_parameters.json": to_text(parameters), "model_failures.json": to_text(statuses)}


def _read_values(reader: Any) -> Json:
    accepted: Json = {}
    for text in VALUES:
        try:
            accepted[text] = reader(text)
        except ValueError:
            accepted[text] = "refused"
    return accepted


# ---------------------------------------------------------------------- stored episodes
def stored_episodes() -> list[Path]:
    """List the stored logs that scores and pages are computed from."""
    return sorted((SURFACE / "episodes").glob("*.jsonl"))


def write_episodes() -> dict[str, str]:
    """Play one episode of every variant, and some to compare, and return their logs. For the writer only."""
    registry = loaders.load_registry()
    texts = {}
    played = [(first_instances(registry, *pair, 1)[0], "scripted") for pair in loaders.list_variants(registry)]
    played += [("matchit/text/same/0", "random"), ("matchit/text/different/0", "random"), ("spyfall/words", "random")]
    played += [("matchit/text/different/0", "scripted")]
    for number, (selection, player) in enumerate(played):
        item = registry.select_instances(selection)[0]
        log = loaders.play_episode(registry, item.instance_id, player, reprompt=1).log
        lines = []
        for event in log:
            data = event.data
            if event.kind == "reply":
                data = {**data, "meta": {**data["meta"], "seconds": 0.25}}
            time = 1_750_000_000_000 + 60_000 * number + 100 * event.n
            line = {"n": event.n, "time": time, "kind": str(event.kind), "seat": event.seat, "data": data}
            lines.append(json.dumps(line, sort_keys=True))
        name = "-".join([item.game, item.variant, item.experiment, player])
        texts[f"episodes/{name}.jsonl"] = "".join(f"{line}\n" for line in lines)
    return texts


def read_log(path: Path) -> list[Any]:
    """Return the events of a stored log."""
    return [loaders.event_of(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def scores() -> dict[str, str]:
    """Return the scores of the stored logs: their names, types and values are stored and exported."""
    registry = loaders.load_registry()
    declared = {}
    for path in stored_episodes():
        log = read_log(path)
        declared[path.stem] = json.loads(json.dumps(loaders.score_log(registry, log[0].data["game"], log)))
    return {"scores.json": to_text(declared)}


STATIC = (
    command_declarations,
    command_helps,
    reply_kinds,
    schemas,
    databases,
    vocabularies,
    settings,
    models,
    causes,
    derived_values,
    scores,
)
"""What can be collected at any time. Reply formats are described again from their stored declarations."""
