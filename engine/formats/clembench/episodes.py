"""Read the result folders and instance files of clembench: episodes as ours, entries as instances of ours.

An episode of theirs is played again through our GameMaster with the replies it records, so it becomes a log like any
other, with the words that were said, the recorded times, and our scores. What their files of a game mean is said in
`games/FAMILY/clembench.py`; the layout is documented in docs/formats.md.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.core.clembench_mapping import ClembenchMapping
from engine.core.events import PRESENCE, Event, Json, Kind, Outcome
from engine.core.game import Game
from engine.core.log import Log
from engine.core.master import GameMaster, build_start
from engine.core.scores import score_episode
from engine.core.start import Start

if TYPE_CHECKING:
    from engine.play.registry import Registry

PREFIX = "clembench"
"""Begins the names of imported experiments and the addresses of players who played elsewhere."""
KEY = "ludens"
"""The key under which our own exports keep what the layout has no place for."""
SAME = 1e-6
DAMAGED = (LookupError, ValueError, TypeError, SyntaxError, AttributeError, RecursionError, AssertionError)
"""What reading a damaged file of others can raise, deep in what a game says of it."""


class UnreadableFile(ValueError):
    """A file or folder that cannot be read as clembench's; the message names it and what is wrong."""


def family_of(registry: Registry, theirs: Json) -> tuple[Game, ClembenchMapping, str]:
    """Return the game, what it says of their files, and their name of the game. Raises `UnreadableFile`."""
    for name in registry.names:
        family: ClembenchMapping | None = registry.game(name).clembench()
        if family and (found := family.game_of(theirs)):
            return registry.game(name), family, found
    raise UnreadableFile(f"an instance of none of our games: it has the keys {', '.join(list(theirs)[:8])}")


# ---------------------------------------------------------------------- files
def episode_folders(root: Path) -> list[Path]:
    """Return the folders at or below `root` that hold an episode, sorted."""
    return sorted(path.parent for path in root.rglob("interactions.json"))


def instance_files(root: Path) -> list[Path]:
    """Return the files at or below `root` that may hold experiments: all .json outside folders of episodes."""
    if root.is_file():
        return [root]
    taken = {"instance.json", "interactions.json", "scores.json", "requests.json", "experiment.json", "metadata.json"}
    return sorted(path for path in root.rglob("*.json") if path.name not in taken and not _of_a_run(path))


def _of_a_run(path: Path) -> bool:
    return path.name.startswith("experiment_") or path.name.endswith(".requests.json") or path.name == "run.json"


def read_json(path: Path) -> Any:
    """Return what a JSON file holds; bare NaN is read. Raises `UnreadableFile`."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableFile(f"{path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(f"{path}: it is not JSON ({error})") from None


@dataclass(frozen=True)
class InstanceEntry:
    """One entry of an instance file: experiment and number there, and the entry with what its experiment shares."""

    experiment: str
    theirs: Json


def read_entries(path: Path, registry: Registry) -> list[InstanceEntry]:
    """Return the entries of an instance file. Raises `UnreadableFile`, also for a file of something else."""
    data = read_json(path)
    experiments = data.get("experiments") if isinstance(data, dict) else None
    if not isinstance(experiments, list):
        raise UnreadableFile(f"{path}: no instance file of clembench: it has no list of experiments")
    found: list[InstanceEntry] = []
    for experiment in experiments:
        if not isinstance(experiment, dict) or not isinstance(experiment.get("game_instances"), list):
            raise UnreadableFile(f"{path}: an experiment without game_instances")
        for theirs in experiment["game_instances"]:
            found.append(InstanceEntry(str(experiment.get("name", "unnamed")), _shared(registry, theirs, experiment)))
    if not found:
        raise UnreadableFile(f"{path}: there is no entry in it")
    return found


def _shared(registry: Registry, theirs: Json, experiment: Json) -> Json:
    """Return an entry with those keys of its experiment that it is played with."""
    if not isinstance(theirs, dict):
        raise UnreadableFile(f"an object was expected for an entry, not {type(theirs).__name__}")
    _, family, _ = family_of(registry, theirs)
    return {**{name: experiment[name] for name in family.SHARED if name in experiment}, **theirs}


# ---------------------------------------------------------------------- episodes
@dataclass(frozen=True)
class RecordedMessage:
    """One line of their record: from whom to whom, of what type, the words, when (UTC ms), and the whole action."""

    sender: str
    to: str
    type: str
    text: str
    at: int
    action: Json


@dataclass(frozen=True)
class RecordedEpisode:
    """An episode as it stands in a folder of theirs."""

    source: str
    theirs: Json
    players: Mapping[str, str]
    """The players who are models or people, by their names ("Player 1") to what is said of them."""
    said: Sequence[RecordedMessage]
    scores: Json | None
    experiment: str
    models: str
    """The name of the folder of models, where it is known: it holds the temperature."""
    key: str
    """The same for the same episode, wherever it lies."""


def read_episode(folder: Path, root: Path, index: Mapping[str, Json], registry: Registry) -> RecordedEpisode:
    """Read a folder with interactions.json and instance.json. Raises `UnreadableFile`.

    `index` says of folders below `root` where they come from (the INDEX.jsonl of a collection), empty where none does.
    """
    interactions, theirs = read_json(folder / "interactions.json"), read_json(folder / "instance.json")
    scores = read_json(folder / "scores.json") if (folder / "scores.json").exists() else None
    source = folder.relative_to(root).as_posix() if folder != root else folder.name
    known = index.get(source, {})
    place = Path(known.get("source_path") or folder.absolute())
    try:
        players = {_spelt(name): _told(what) for name, what in interactions["players"].items() if name != "GM"}
        said = [_said(event) for turn in interactions["turns"] for event in turn]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnreadableFile(f"{folder / 'interactions.json'}: not a record of clembench: {error!r}") from None
    if not isinstance(theirs, dict):
        raise UnreadableFile(f"{folder / 'instance.json'}: an object was expected")
    if KEY not in theirs:
        theirs = _shared(registry, theirs, _experiment_of(folder))
    ours = re.fullmatch(r"(?:episode|instance)_\d+", place.name) is not None
    experiment = re.sub(r"^\d+_", "", place.parent.name) if ours else known.get("experiment", "unnamed")
    return RecordedEpisode(
        source,
        theirs,
        {name: what for name, what in players.items() if "programmatic" not in what},
        said,
        scores,
        str(experiment),
        place.parents[2].name if ours and len(place.parents) > 2 else str(known.get("models", "")),
        hashlib.sha256(json.dumps([players, interactions["turns"], theirs], sort_keys=True).encode()).hexdigest(),
    )


def read_index(root: Path) -> dict[str, Json]:
    """Return what INDEX.jsonl of a collection says of its folders: path below `root` to its line; nothing without."""
    path = root / "INDEX.jsonl"
    if not path.is_file():
        return {}
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        return {line["dir"]: line for line in lines}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UnreadableFile(f"{path}: cannot be read: {error}") from None


def _experiment_of(folder: Path) -> Json:
    """Return the experiment's own keys, where its file stands above the episode."""
    files = [folder.parent / "experiment.json", *folder.parent.glob("experiment_*.json")]
    found = [read_json(path) for path in files if path.is_file()]
    return found[0] if found and isinstance(found[0], dict) else {}


def _spelt(name: str) -> str:
    return name.replace("_", " ")


def _told(player: Any) -> str:
    return str(player["model_name"]) if isinstance(player, dict) else str(player)


def _said(event: Json) -> RecordedMessage:
    action = event["action"]
    content = action.get("content")
    if isinstance(content, dict) and "content" in content:  # older multimodal games log the whole message
        content = content["content"]
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    at = datetime.fromisoformat(event["timestamp"])
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return RecordedMessage(_spelt(event["from"]), _spelt(event["to"]), str(action["type"]), text, _ms(at), action)


def _ms(at: datetime) -> int:
    return round(at.timestamp() * 1000)


# ---------------------------------------------------------------------- playing it again
@dataclass
class ReplayedEpisode:
    """What came of an episode of theirs: a log of ours, and what of their record found no place in it."""

    start: Start
    log: list[Event]
    over: bool
    episode: str | None = None
    """The id it had, when it was exported by Ludens."""
    plan_key: str | None = None
    origin: str = PREFIX
    surplus: int = 0
    """Replies that were recorded after the end by our rules."""
    reworded: int = 0
    """Messages to players that our record words otherwise than theirs."""


def replay(recorded: RecordedEpisode, registry: Registry, ludens: str) -> ReplayedEpisode:
    """Play an episode of theirs again. Raises `UnreadableFile` for a damaged, incomplete or foreign one."""
    try:
        made = _own(recorded, registry) if KEY in recorded.theirs else _theirs(recorded, registry, ludens)
    except UnreadableFile:
        raise
    except DAMAGED as error:
        raise UnreadableFile(f"{recorded.source}: its instance cannot be used: {briefly(error)}") from None
    if not made.over:
        why = made.log[-1].data["cause"] if made.log[-1].kind is Kind.FAULT else "its replies end before the game does"
        raise UnreadableFile(f"{recorded.source}: {why}")
    return made


def briefly(error: Exception) -> str:
    """Return an error on one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"


def _theirs(recorded: RecordedEpisode, registry: Registry, ludens: str) -> ReplayedEpisode:
    game, family, named = family_of(registry, recorded.theirs)
    seats = dict(zip(sorted(recorded.players), game.seats, strict=False))
    if len(seats) != len(game.seats):
        raise UnreadableFile(f"{recorded.source}: {named} has {len(game.seats)} players of its own, not {len(seats)}")
    told = {seat: [one.text for one in recorded.said if one.to == name] for name, seat in seats.items()}
    replied = {seat: [one.text for one in recorded.said if one.sender == name] for name, seat in seats.items()}
    theirs = family.fit(recorded.theirs, told, replied)
    experiment = f"{PREFIX}-{recorded.experiment}"
    variant = family.VARIANTS[named]
    start = build_start(
        game,
        ludens=ludens,
        variant=variant,
        experiment=experiment,
        instance={**family.instance(theirs), "theirs": theirs},
        instance_id=f"{game.name}/{variant}/{experiment}/{theirs.get('game_id', 0)}",
        seats={seat: _address(recorded.players[name], recorded.models) for name, seat in seats.items()},
    )
    return _Replay(game, start, recorded, seats).play()


def _address(told: str, models: str) -> str:
    """Return the address of who played: "PathWalker, gpt-4o" of a folder "gpt-4o-t0.0--…" is clembench/gpt-4o?…"""
    model = told.rpartition(", ")[2].strip() or "unknown"
    heat = re.search(rf"(?:^|--){re.escape(model)}-t(\d+(?:\.\d+)?)(?:--|$)", models)
    return f"{PREFIX}/{model}" + (f"?temperature={heat[1]}" if heat else "")


class _Replay:
    """One record being played: the GameMaster, the log so far, and where the record's times go."""

    def __init__(self, game: Game, start: Start, recorded: RecordedEpisode, seats: Mapping[str, str]) -> None:
        self.recorded, self.seats = recorded, seats
        self.asked = {seat: iter([one for one in recorded.said if one.to == name]) for name, seat in seats.items()}
        self.since: dict[str, int] = {}
        first = recorded.said[0].at if recorded.said else 0
        self.master, events = GameMaster.begin(game, start)
        self.made = ReplayedEpisode(start, [], over=False)
        self._add(events, first)

    def play(self) -> ReplayedEpisode:
        for one in self.recorded.said:
            seat = self.seats.get(one.sender)
            if seat is None:
                continue
            ask = next((ask.id for ask in self.master.open.values() if ask.request.seat == seat), None)
            if ask is None:
                self.made.surplus += 1
                continue
            seconds = max(0, one.at - self.since.get(seat, one.at)) / 1000
            model = self.made.start.seats[seat].partition("/")[2].partition("?")[0]
            self._add(self.master.reply(ask, one.text, {"model": model, "seconds": seconds}), one.at)
        self.made.over = self.master.outcome is not None
        return self.made

    def _add(self, events: Iterable[Event], at: int) -> None:
        for event in events:
            if event.kind is Kind.ASK and (heard := next(self.asked[str(event.seat)], None)):
                at = max(at, heard.at)
                self.since[str(event.seat)] = heard.at
                self.made.reworded += heard.text != _words(event.data)
            event.n, event.time = len(self.made.log), at
            self.made.log.append(event)


def _words(data: Json) -> str:
    from engine.core.content import text_of

    said = text_of(data["said"])
    return f"{said}\n\n{data['words']}" if data["words"] else said


def _own(recorded: RecordedEpisode, registry: Registry) -> ReplayedEpisode:
    """Read back an episode that Ludens exported: the same log, number by number. Raises `UnreadableFile`."""
    kept = recorded.theirs[KEY]
    try:
        start = Start.model_validate(kept["start"])
        at = {one.action["n"]: one for one in recorded.said if "n" in one.action}
        game = registry.game(start.game)
        master, log = GameMaster.begin(game, start)
        for one in sorted(at.values(), key=lambda one: one.action["n"]):
            log += _taken(master, one)
        for n in sorted(at):
            if at[n].type in PRESENCE:
                log.insert(n, Event(Kind(at[n].type), at[n].action.get("seat"), at[n].action["data"]))
        for n, event in enumerate(log):
            event.n, event.time = n, at[n].at if n in at else kept["began"]
    except DAMAGED as error:
        raise UnreadableFile(
            f"{recorded.source}: exported by Ludens, but not readable here: {briefly(error)}"
        ) from None
    over = any(event.kind is Kind.OUTCOME for event in log)
    return ReplayedEpisode(start, log, over, kept["episode"], kept.get("plan_key"), kept["origin"])


def _taken(master: GameMaster, one: RecordedMessage) -> list[Event]:
    """Take in again what came from outside: a reply, a fault, another player, an end."""
    action = one.action
    if one.type == "get message":
        return master.reply(action["ask"], one.text, action.get("meta"))
    if one.type == "fault" and action["data"]["ask"] is not None:
        return master.fault(action["data"]["ask"], action["data"]["cause"])
    if one.type == "seat":
        return master.hand_over(action["seat"], action["data"]["player"])
    if one.type == "outcome" and not master.outcome:
        return master.end(Outcome.from_json(action["data"]))
    return []


# ---------------------------------------------------------------------- comparing
@dataclass
class ScoreComparison:
    """Published scores beside ours."""

    published: float | None
    ours: float | None
    matches: bool | None
    explained: str | None = None
    differences: list[Json] = field(default_factory=list)


def compare(recorded: RecordedEpisode, replayed: ReplayedEpisode, registry: Registry) -> tuple[Json, ScoreComparison]:
    """Return our scores of an episode, and how the published ones stand to them; NaN and null count as equal."""
    game = registry.game(replayed.start.game)
    ours = score_episode(Log(replayed.log), game)
    published: Json = (recorded.scores or {}).get("episode scores") or {}
    if "Main Score" not in published:
        return ours, ScoreComparison(None, ours["main_score"], None)
    family = game.clembench()
    if family is None or KEY in recorded.theirs:
        main = _number(published["Main Score"])
        mapped = episode_scores(ours, family if replayed.start.instance.get("theirs") else None)
        return ours, ScoreComparison(main, ours["main_score"], _equal(main, _number(mapped["Main Score"])))
    named = family.game_of(recorded.theirs) or ""
    mapped = episode_scores(ours, family)
    found: list[Json] = []
    for name, value in published.items():
        if name in mapped and not _equal(_number(value), _number(mapped[name])):
            why = family.explain(name, published, ours, named)
            found.append({"name": name, "published": _number(value), "ours": _number(mapped[name]), "why": why})
    if family:
        found += family.turn_differences((recorded.scores or {}).get("turn scores") or {}, ours)
    main = _number(published["Main Score"])
    matches = _equal(main, _number(mapped["Main Score"]))
    why = None if matches else next((one["why"] for one in found if one["name"] == "Main Score"), None)
    return ours, ScoreComparison(main, ours["main_score"], matches, why, found)


def episode_scores(ours: Json, family: ClembenchMapping | None) -> Json:
    """Return our scores of an episode under clembench's names: those every game has, then the game's own."""
    aborted = None if ours["played"] is None else 1 - ours["played"]
    ratio = ours["request_success_ratio"]
    return {
        "Aborted": aborted,
        "Success": ours["success"],
        "Lose": ours["lose"],
        "Request Count": ours["requests"],
        "Parsed Request Count": ours["parsed_requests"],
        "Violated Request Count": ours["violated_requests"],
        "Request Success Ratio": None if ratio is None else round(ratio, 4),
        **(family.scores(ours) if family else {}),
        "Main Score": family.scores(ours)["Main Score"] if family else ours["main_score"],
    }


def _number(value: Any) -> float | None:
    if isinstance(value, bool | int | float) and math.isfinite(value):
        return float(value)
    return None


def _equal(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) <= SAME * max(1.0, abs(one))


def scored_turns(ours: Json) -> Iterator[tuple[str, Json]]:
    """Yield the numbers of each turn of a game that scores turns: ("0", {…})."""
    for number, turn in enumerate(ours.get("turns") or ()):
        yield str(number), turn
