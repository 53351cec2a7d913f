"""The internal names that the snapshots of the public surface need: imported here and nowhere else.

A move of modules or a rename changes the imports of this file only. What the functions return is plain: built-in types,
or objects whose few attributes in use are part of what is held still.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import cli.main
import cli.settings
import engine.play.plan_file as plan_file
import engine.play.plans as plans
import engine.play.roster as roster
from engine.core.condition import Condition
from engine.core.events import PRESENCE_KINDS, Ending, Event, Kind, canonical_json, digest
from engine.core.game import Experiment, Game, Variant
from engine.core.log import Log
from engine.core.master import GameMaster
from engine.core.player import Address, Player, PlayerFault, Reply
from engine.core.prompts import Prompts
from engine.core.replies import FORMAT_BY_KIND, PickedAlternative, ReplyFormat, Violation, build_format
from engine.core.scores import score_episode
from engine.core.sides import draw_side_seats
from engine.core.start import EpisodeStart
from engine.core.views import USAGE_KEYS, Conversation
from engine.play.episode import Episode
from engine.play.registry import Registry
from engine.play.runner import play as play_for_notebook
from engine.results.exclusion import EXCLUSION_REASONS
from engine.storage.episode_result import RESULT_MARKS
from engine.storage.episode_row import Status
from engine.storage.removal import person_code
from engine.storage.reply_cache import ReplyCache
from engine.storage.seat_links import SeatLinks, hash_cookie
from engine.storage.store import Store
from games.imagegame import instances as imagegame_instances
from games.mapworld import maps as mapworld_maps
from games.matchit import instances as matchit_instances
from games.reference import instances as reference_instances

ROOT = Path(__file__).resolve().parents[2]
NO_PLAYERS = Path(__file__).resolve().parent / "surface" / "no_players.txt"
"""An empty players.toml in place of one that a developer may have in the project folder."""
WEB_PLAYERS = NO_PLAYERS.with_name("web_players.txt")
"""The players.toml of the web app."""
Json = dict[str, Any]


def load_registry() -> Registry:
    """Return the shipped games and players, without players of the user."""
    return Registry(ROOT, players=NO_PLAYERS)


def list_variants(registry: Registry) -> list[tuple[str, str]]:
    """List (game, variant) of all shipped games."""
    return [(name, variant.name) for name, game in registry.games.items() for variant in game.variants]


def list_scripts() -> list[Path]:
    """List the scripts that run in the browser: those of the pages and those that games bring."""
    return sorted([*(ROOT / "ui" / "static").rglob("*.js"), *(ROOT / "games").glob("*/web/**/*.js")])


# ---------------------------------------------------------------------- command line
def load_command() -> Any:
    """Return the command line as one tree of commands."""
    from typer.main import get_command

    return get_command(cli.main.app)


# ---------------------------------------------------------------------- replies
def _is_of_project(kind: type) -> bool:
    """Return whether a class is one of the project's own: tests and guides of the same process define more."""
    return kind.__module__.partition(".")[0] in ("engine", "games")


def load_reply_kinds() -> dict[str, type[ReplyFormat[Any]]]:
    """Return all registered kinds of reply format by name, those of the games included."""
    load_registry().games  # noqa: B018  loading a game registers its formats
    return {name: kind for name, kind in sorted(FORMAT_BY_KIND.items()) if _is_of_project(kind)}


def rebuild_format(declaration: Json) -> ReplyFormat[Any]:
    """Return the reply format that a stored declaration describes."""
    load_registry().games  # noqa: B018  loading a game registers its formats
    return build_format(declaration)


def parse_reply(reply_format: ReplyFormat[Any], text: str) -> Json:
    """Return the accepted value of a reply, or the fault and the message of its violation."""
    try:
        return {"value": plain_value(reply_format.parse(text))}
    except Violation as violation:
        return {"fault": violation.fault, "why": str(violation)}


def plain_value(value: Any) -> Any:
    """Return an accepted value as JSON data."""
    return {"picked": value.name, "value": plain_value(value.value)} if isinstance(value, PickedAlternative) else value


def list_faults() -> list[str]:
    """List the words that a violation is stored under."""
    load_registry().games  # noqa: B018  a game may define violations of its own
    kinds = [Violation]
    for kind in kinds:
        kinds += [child for child in kind.__subclasses__() if child not in kinds and _is_of_project(child)]
    return sorted({kind.fault for kind in kinds})


# ---------------------------------------------------------------------- episodes
def play_episode(registry: Registry, selection: str, player: str, **options: Any) -> Episode:
    """Play one instance with the same player at all seats."""
    game, _, rest = selection.partition("/")
    return asyncio.run(play_for_notebook(game, rest, {"all": player}, registry=registry, **options))


def begin_events(registry: Registry, planned: Any) -> list[Event]:
    """Return the numbered events of a planned episode up to its first asks."""
    _, events = GameMaster.begin_episode(registry.game(planned.start.game), planned.start)
    return [Event(event.kind, event.seat, event.data, n, 0) for n, event in enumerate(events)]


def player_numbers(events: Sequence[Event], seat: str) -> list[float]:
    """Return the first random numbers that the player of a seat gets for its open ask."""
    conversation = Conversation(seat)
    for event in events:
        conversation.apply(event)
    generator = conversation.view(_no_picture).random
    return [generator.random() for _ in range(3)]


def _no_picture(asset: str) -> Any:
    raise KeyError(asset)


def event_of(data: Json) -> Event:
    """Return the event that a line of a stored log describes."""
    return Event(Kind(data["kind"]), data["seat"], data["data"], data["n"], data["time"])


def score_log(registry: Registry, game: str, log: Sequence[Event]) -> Json:
    """Return the scores of a log."""
    return score_episode(Log(log), registry.game(game))


def store_episode(path: Path, episode: str, log: Sequence[Event], *, origin: str = "run") -> None:
    """Add a finished episode to a database."""
    with Store(path) as store:
        store.import_episode(EpisodeStart.model_validate(log[0].data), log, key=None, origin=origin, episode=episode)


def seed_sides(registry: Registry, selection: str, seed: str) -> dict[str, list[str]]:
    """Return the seats of each side that an instance has with a seed."""
    item = registry.select_instances(selection)[0]
    game = registry.game(item.game)
    return {side: list(seats) for side, seats in draw_side_seats(game, game.load(item.instance), seed).items()}


def make_plan(registry: Registry, selection: str, seats: Mapping[str, str], **options: Any) -> Iterable[Any]:
    """Return the planned episodes (`.start`, `.key`) of a selection."""
    return plans.Plan.from_selections(registry, [selection], [seats], **options)


def condition_of(start: Any, sides: Mapping[str, Sequence[str]] | None = None) -> Condition:
    """Return the condition that results count an episode under (`.id`, `.as_json()`)."""
    return Condition.from_start(start, sides)


class CustomPlayer(Player):
    """A player object as a notebook may hand it to a game: it raises what it is given, or samples a reply."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error

    async def reply(self, view: Any) -> Reply:
        """Raise the error, or reply."""
        if self.error:
            raise self.error
        return Reply(view.ask.format.sample(view.random))


class BrokenGame(Game):
    """A game whose rulebook fails at once."""

    name = "broken"
    title = blurb = "a game that fails"
    rules = ("none",)
    version = 1
    seats = ("A",)
    variants = (Variant("only", "only", (Experiment("e", "e"),)),)
    prompts = Prompts("native", 1, {})

    def load(self, data: Json) -> Any:
        """Return the data."""
        return data

    def play(self, table: Any, instance: Any) -> Any:
        """Fail."""
        raise ValueError("boom")
        yield


def stall_with(registry: Registry, error: Exception) -> tuple[str | None, Json]:
    """Return the stored cause of an episode whose player raises an error, and who was stored at the seats."""
    episode = asyncio.run(play_for_notebook("matchit", "text/same/0", {"all": CustomPlayer(error)}, registry=registry))
    return episode.stall_cause, episode.log[0].data["seats"]


def stall_by_rulebook(registry: Registry) -> str | None:
    """Return the stored cause of an episode whose rulebook fails."""
    return asyncio.run(play_for_notebook(BrokenGame(), {}, {"all": CustomPlayer()}, registry=registry)).stall_cause


def player_fault(cause: str) -> Exception:
    """Return the error of a player that cannot answer."""
    return PlayerFault(cause)


# ---------------------------------------------------------------------- players of models
def list_parameters() -> dict[str, dict[str, Callable[[str], Any]]]:
    """Return the parameters that addresses of each provider take, with the functions that read their values."""
    from players import anthropic, hf, openai, responses, tiny

    return {
        "openai": dict(openai.PARAMETER_READERS),
        "responses": dict(responses.Responses.parameters),
        "anthropic": dict(anthropic.PARAMETER_READERS),
        "tiny": dict(tiny.TINY_MODEL_PARAMETERS),
        "hf": {**hf.LOADING_PARAMETERS, **hf.REPLY_PARAMETERS},
    }


def list_connection_parameters() -> list[str]:
    """List the parameters of addresses that say where a model answers."""
    from players.common import parameters

    return list(parameters.CONNECTION_PARAMETERS)


def describe_status(status: int, body: Json, headers: Json) -> Json:
    """Return what an HTTP status of a model's server means: the message and the next step are stored as a cause."""
    from players.common import request_errors

    error = request_errors.map_status_to_error(status, body, headers)
    return {
        "message": str(error),
        "retryable": error.retryable,
        "next step": error.next_step,
        "wait": error.retry_after,
    }


def describe_segment(segment: Any) -> Json:
    """Return a part of a shown reply as it was written down when such parts were dictionaries."""
    return {"label": segment.label, "text": segment.text, "private": segment.private}


# ---------------------------------------------------------------------- files
def load_settings(folder: Path) -> Json:
    """Return the settings that the environment and the ludens.toml of a folder make, as texts."""
    return {name: str(value) for name, value in cli.settings.load_settings(folder).model_dump().items()}


def asset_description() -> Any:
    """Return the model of the description that stands beside a picture."""
    from games.common.pictures import PictureDescription

    return PictureDescription


def list_models(registry: Registry) -> Iterator[tuple[str, Any]]:
    """Yield the name of a golden file and the pydantic model or type adapter whose JSON schema it holds."""
    yield "start", EpisodeStart
    for name, game in registry.games.items():
        yield f"settings-{name}", game.settings
    yield "asset-description", asset_description()
    yield "ludens.toml", cli.settings.AppSettings
    yield "plan.toml", plan_file._PlanFile
    yield "players.toml-server", roster._ServerTable
    yield "players.toml-player", roster._PlayerTable
    yield "instance-matchit", matchit_instances.INSTANCE_ADAPTER
    yield "instance-reference", reference_instances.INSTANCE_ADAPTER
    yield "instance-mapworld", mapworld_maps.Map
    yield "instance-imagegame", imagegame_instances.Instance
    for name in ("askguess", "spyfall", "tofukingdom"):
        yield f"instance-{name}", importlib.import_module(f"games.{name}.instances").Instance


def game_folder(game: Any) -> Path:
    """Return the folder of a game's source."""
    return Path(inspect.getfile(type(game))).parent


# ---------------------------------------------------------------------- databases
def make_databases(folder: Path) -> dict[str, Path]:
    """Make one fresh database of each kind: a log that a server opened, and a cache of replies."""
    log, cache = folder / "log.db", folder / "replies.db"
    with Store(log) as reader, Store(log, purpose="serve") as writer:
        SeatLinks(reader, writer)
    ReplyCache(cache).add_reply("key", Reply("text", {}))
    return {"log": log, "replies": cache}


def derive_links(folder: Path) -> Json:
    """Return links and names that are derived from a fixed secret of a database, and from a fixed cookie."""
    path = folder / "links.db"
    with Store(path) as reader, Store(path) as writer:
        writer.sqlite_db.execute("INSERT INTO secret (name, value) VALUES ('links', ?)", ("01" * 32,))
        links = SeatLinks(reader, writer)
        browser = hash_cookie("A" * 43)
        assert browser
        return {
            "seat link": links.make_seat_path("seat-public-id"),
            "spectator link": links.make_spectator_path("episode-id"),
            "admin link": links.make_admin_path(),
            "picture of a seat": links.derive_picture_id("episode-id", "seat/A", "grid"),
            "picture for spectators": links.derive_picture_id("episode-id", "watch", "grid"),
            "browser of a cookie": browser,
            "code of a browser": person_code(browser),
            "browser of a malformed cookie": hash_cookie("short"),
        }


def list_vocabularies() -> Json:
    """Return the closed lists of words that stand in databases."""
    return {
        "endings": [str(word) for word in Ending],
        "event kinds": [str(word) for word in Kind],
        "presence": sorted(map(str, PRESENCE_KINDS)),
        "episode status": [str(word) for word in Status],
        "exclusion reasons, in order": list(EXCLUSION_REASONS),
        "marks, the lowest bit first": list(RESULT_MARKS),
        "faults of violations": list_faults(),
        "what a model's reply took": list(USAGE_KEYS),
    }


def canonical_address(address: str) -> str:
    """Return an address in its one canonical form."""
    return str(Address.parse(address))


def encode_canonical_json(data: Any) -> str:
    """Return JSON as digests are made of it."""
    return canonical_json(data)


def digest_json(data: Any) -> str:
    """Return the digest of JSON data."""
    return digest(data)


# ---------------------------------------------------------------------- web app
def create_web_app(database: Path) -> tuple[Any, Any, str]:
    """Return the whole guarded web app, its FastAPI part, and the path of the admin link."""
    from app import create_server
    from ui.server.app import create_app

    settings = cli.settings.load_settings(ROOT / "tests" / "golden", db=database, players=WEB_PLAYERS)
    server = create_server(settings)
    guarded = create_app(settings, server)
    return guarded, guarded.pages, server.links.make_admin_path()


def list_open_paths() -> list[Json]:
    """List the paths that the guard lets in."""
    from ui.server.guard import ALLOWED_ROUTES

    return [
        {"path": door.path, "methods": sorted(door.methods), "caching": door.cache_policy} for door in ALLOWED_ROUTES
    ]


def list_close_codes() -> dict[str, int]:
    """Return the codes with which the server closes sockets; our scripts tell them apart."""
    from ui.live import feeds

    return {
        "restart": feeds.RESTART_CLOSE_CODE,
        "busy": feeds.BUSY_CLOSE_CODE,
        "not yours": feeds.FORBIDDEN_CLOSE_CODE,
        "gone": feeds.GONE_CLOSE_CODE,
    }


def fix_seeds_of_tables() -> None:
    """Let every table that is opened on this server have the same seed of its run."""
    sys.modules["secrets"].randbits = lambda bits: 1  # type: ignore[attr-defined]
