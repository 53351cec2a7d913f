"""Read the result folders and instance files of clembench: its episodes as logs, its entries as instances.

A recorded episode is played again through our GameMaster with its recorded replies. It becomes a log like any other,
with the original messages, the recorded times, and our scores. What the files of a game mean is defined in
`games/FAMILY/clembench.py`; docs/formats.md documents the layout.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.core.clembench_mapping import ClembenchMapping, read_score
from engine.core.event_views import AskEvent, FaultEvent
from engine.core.events import PRESENCE_KINDS, Event, Json, Kind, Outcome
from engine.core.game import Game
from engine.core.log import Log
from engine.core.master import RULEBOOK_FAULT_PREFIX, GameMaster, build_start_event
from engine.core.patterns import compile_linear_pattern, escape
from engine.core.scores import score_episode
from engine.core.start import EpisodeStart
from engine.core.views import Message
from engine.formats.clembench.files import (
    DAMAGED_FILE_ERRORS,
    NotAnInstanceFile,
    UnreadableFile,
    describe_error,
    read_json,
)
from engine.formats.clembench.names import (
    EPISODE_ID_PATTERN,
    ORIGIN_PATTERN,
    PLAN_KEY_PATTERN,
    BadName,
    check_address,
    check_experiment,
    check_ids,
    check_start_names,
)
from engine.formats.writer import MAX_TIME_MS

if TYPE_CHECKING:
    from engine.play.registry import Registry

CLEMBENCH_PREFIX = "clembench"
"""Begins the names of imported experiments and the addresses of players of imported episodes."""
_RUN_FOLDER = compile_linear_pattern(r"(?:episode|instance)_\d+", reason="literals, then digits to the end")
_NUMBER_PREFIX = compile_linear_pattern(r"^\d+_", reason="digits at the start only")
EXPORT_KEY = "ludens"
"""The key under which our own exports keep what the layout has no place for."""
MIN_TIME_MS = round(datetime(1, 1, 1, tzinfo=UTC).timestamp() * 1000)
"""The first UTC millisecond that exports can write; `MAX_TIME_MS` is the last."""
SCORE_TOLERANCE = 1e-6
"""Relative difference up to which scores count as equal."""
ROUNDING_TOLERANCE = 0.51
"""Largest difference of a rounded score from the exact one, in units of its last decimal; upstream rounds twice."""


def find_game_and_mapping(registry: Registry, instance_entry: Json) -> tuple[Game, ClembenchMapping, str]:
    """Return the game of a clembench instance, its mapping, and clembench's name of it. Raises `UnreadableFile`."""
    for game_name in registry.names:
        mapping = registry.game(game_name).clembench()
        if mapping and (clembench_name := mapping.find_game_name(instance_entry)):
            return registry.game(game_name), mapping, clembench_name
    entry_keys = ", ".join(list(instance_entry)[:8]) or "none"
    raise UnreadableFile(f"an instance of none of our games (its keys: {entry_keys}): leave it out")


# ---------------------------------------------------------------------- instance files
@dataclass(frozen=True)
class InstanceEntry:
    """One entry of an instance file: its experiment, its number there from 1, its JSON with what they share."""

    experiment: str
    entry_number: int
    entry_json: Json


def read_entries(file_path: Path, registry: Registry) -> tuple[list[InstanceEntry], list[UnreadableFile]]:
    """Return the entries of an instance file, and what in it cannot be read.

    Raises `UnreadableFile` if nothing can be read, `NotAnInstanceFile` for a file of something else.
    """
    file_entries = read_json(file_path)
    experiments = file_entries.get("experiments") if isinstance(file_entries, dict) else None
    if not isinstance(experiments, list):
        raise NotAnInstanceFile(f"{file_path}: not an instance file of clembench: it has no list of experiments")
    instance_entries: list[InstanceEntry] = []
    unreadable_files: list[UnreadableFile] = []
    for experiment_number, experiment in enumerate(experiments, 1):
        try:
            for instance_entry in _read_experiment_entries(file_path, registry, experiment, unreadable_files):
                instance_entries.append(instance_entry)
        except ValueError as error:
            unreadable_files.append(UnreadableFile(f"{file_path}: experiment {experiment_number}: {error}"))
    if not instance_entries:
        raise unreadable_files[0] if unreadable_files else UnreadableFile(f"{file_path}: it has no entries")
    return instance_entries, unreadable_files


def _read_experiment_entries(
    file_path: Path, registry: Registry, experiment: Any, unreadable_files: list[UnreadableFile]
) -> Iterator[InstanceEntry]:
    """Yield the entries of an experiment; append what cannot be read. Raises ValueError for a damaged experiment."""
    if not isinstance(experiment, dict) or not isinstance(experiment.get("game_instances"), list):
        raise ValueError("an object with game_instances was expected")
    experiment_name = check_experiment(str(experiment.get("name", "unnamed")).replace("/", "-"))
    for entry_number, instance_entry in enumerate(experiment["game_instances"], 1):
        try:
            yield InstanceEntry(experiment_name, entry_number, _add_shared_fields(registry, instance_entry, experiment))
        except DAMAGED_FILE_ERRORS as error:
            game_id = (
                f" (game_id {instance_entry['game_id']!r:.40})"
                if isinstance(instance_entry, dict) and "game_id" in instance_entry
                else ""
            )
            entry_location = f"{file_path}: {experiment_name}, entry {entry_number}{game_id}"
            unreadable_files.append(UnreadableFile(f"{entry_location}: {describe_error(error)}"))


def _add_shared_fields(registry: Registry, instance_entry: Json, experiment: Json) -> Json:
    """Return an entry with those fields of its experiment that it is played with."""
    if not isinstance(instance_entry, dict):
        raise UnreadableFile(f"an object was expected, not {instance_entry!r:.80}")
    _, mapping, _ = find_game_and_mapping(registry, instance_entry)
    return {**{key: experiment[key] for key in mapping.SHARED_FIELDS if key in experiment}, **instance_entry}


# ---------------------------------------------------------------------- episodes
@dataclass(frozen=True)
class RecordedMessage:
    """One action of a clembench record: sender and recipient, type, text, time (UTC ms), and the whole action."""

    sender: str
    recipient: str
    action_type: str
    text: str
    time_ms: int
    action_json: Json


@dataclass(frozen=True)
class RecordedEpisode:
    """An episode as a clembench folder holds it."""

    source: str
    instance: Json
    players: Mapping[str, str]
    """The players that are models or people: name ("Player 1") to description."""
    messages: Sequence[RecordedMessage]
    scores: Json | None
    experiment: str
    models_folder: str
    """The name of the models folder, if known: it includes the temperature."""
    episode_key: str
    """The same for the same episode in any folder."""


def read_episode(folder: Path, root: Path, instance_index: Mapping[str, Json], registry: Registry) -> RecordedEpisode:
    """Read a folder with interactions.json and instance.json. Raises `UnreadableFile`.

    `instance_index` says where folders below `root` come from (the INDEX.jsonl of a collection); empty without one.
    """
    interactions, instance = read_json(folder / "interactions.json"), read_json(folder / "instance.json")
    scores = read_json(folder / "scores.json") if (folder / "scores.json").exists() else None
    source = folder.relative_to(root).as_posix() if folder != root else folder.name
    index_entry = instance_index.get(source, {})
    original_path = Path(index_entry.get("source_path") or folder.absolute())
    record_path = folder / "interactions.json"
    try:
        all_players = {
            _replace_underscores(name): _describe_player(player)
            for name, player in interactions["players"].items()
            if name != "GM"
        }
        turns = list(interactions["turns"])
    except DAMAGED_FILE_ERRORS as error:
        raise UnreadableFile(f"{record_path}: not a record of clembench: {describe_error(error)}") from None
    players = {name: player for name, player in all_players.items() if "programmatic" not in player}
    messages = [message for n, turn in enumerate(turns, 1) for message in _read_messages(record_path, n, turn, players)]
    if not isinstance(instance, dict):
        raise UnreadableFile(f"{folder / 'instance.json'}: an object was expected")
    if EXPORT_KEY not in instance:
        instance = _add_shared_fields(registry, instance, _read_experiment(folder))
    is_run_folder = _RUN_FOLDER.fullmatch(original_path.name) is not None
    parent_name = _NUMBER_PREFIX.sub("", original_path.parent.name)
    models_folder = (
        original_path.parents[2].name
        if is_run_folder and len(original_path.parents) > 2
        else index_entry.get("models", "")
    )
    content_json = json.dumps([all_players, interactions["turns"], instance], sort_keys=True)
    return RecordedEpisode(
        source,
        instance,
        players,
        messages,
        scores,
        str(parent_name if is_run_folder else index_entry.get("experiment", "unnamed")),
        str(models_folder),
        hashlib.sha256(content_json.encode()).hexdigest(),
    )


def _read_experiment(folder: Path) -> Json:
    """Return the experiment's own fields, if its file is above the episode."""
    experiment_files = [folder.parent / "experiment.json", *sorted(folder.parent.glob("experiment_*.json"))]
    experiments = [read_json(path) for path in experiment_files if path.exists()]
    return experiments[0] if experiments and isinstance(experiments[0], dict) else {}


def _replace_underscores(experiment_name: str) -> str:
    return experiment_name.replace("_", " ")


def _describe_player(player: Any) -> str:
    return str(player["model_name"]) if isinstance(player, dict) else str(player)


def _read_messages(
    record_path: Path, turn_number: int, turn_actions: Any, players: Container[str]
) -> Iterator[RecordedMessage]:
    """Yield the messages of one turn. Raises `UnreadableFile`, which names the action."""
    if not isinstance(turn_actions, list):
        raise UnreadableFile(f"{record_path}: turn {turn_number}: a list of actions was expected")
    for event_number, event in enumerate(turn_actions, 1):
        try:
            yield _read_message(event, players)
        except DAMAGED_FILE_ERRORS as error:
            record_location = f"{record_path}: turn {turn_number}, action {event_number}"
            raise UnreadableFile(
                f"{record_location}: {describe_error(error)}: correct it, or fetch the file again"
            ) from None


def _read_message(event: Json, players: Container[str]) -> RecordedMessage:
    """Return an action as a message. Raises ValueError or another of `DAMAGED_FILE_ERRORS`."""
    if not isinstance(event, dict) or not isinstance(event.get("action", {}), dict):
        raise ValueError("an object with from, to, timestamp and action was expected")
    action = event["action"]
    action_content = action.get("content")
    for player_field in ("from", "to"):
        if not isinstance(event[player_field], str):
            raise ValueError(
                f"{player_field} is {event[player_field]!r:.80}, where the name of a player or GM was expected"
            )
    if isinstance(action_content, dict) and "content" in action_content:  # older multimodal games log the whole message
        action_content = action_content["content"]
    sender, recipient = _replace_underscores(event["from"]), _replace_underscores(event["to"])
    if sender in players and not isinstance(action_content, str):
        raise ValueError(
            f"the reply of {sender} has the content {json.dumps(action_content):.80}, where a text was expected"
        )
    message_text = action_content if isinstance(action_content, str) else json.dumps(action_content, ensure_ascii=False)
    return RecordedMessage(
        sender, recipient, str(action["type"]), message_text, _parse_milliseconds(event["timestamp"]), action
    )


def _parse_milliseconds(timestamp: Any) -> int:
    """Return a time in UTC milliseconds, without a zone read as UTC. Raises ValueError for one that is not readable."""
    try:
        parsed_time = datetime.fromisoformat(timestamp)
        parsed_time = parsed_time.replace(tzinfo=UTC) if parsed_time.tzinfo is None else parsed_time.astimezone(UTC)
    except (ValueError, TypeError, OverflowError):
        raise ValueError(
            f"the timestamp is {timestamp!r:.80}, where a time as in 2024-06-01T12:00:00 was expected"
        ) from None
    return min(round(parsed_time.timestamp() * 1000), MAX_TIME_MS)


# ---------------------------------------------------------------------- playing it again
@dataclass
class ReplayedEpisode:
    """A recorded episode as our log, and what of the record is not in it."""

    start: EpisodeStart
    log: list[Event]
    is_over: bool
    episode: str | None = None
    """Its id when Ludens exported it."""
    plan_key: str | None = None
    origin: str = CLEMBENCH_PREFIX
    surplus_replies: int = 0
    """Recorded replies after the end by our rules."""
    reworded_messages: int = 0
    """Messages to players that differ from the recorded ones."""


def replay_episode(recorded_episode: RecordedEpisode, registry: Registry, ludens_version: str) -> ReplayedEpisode:
    """Play a recorded episode again. Raises `UnreadableFile` for a damaged or incomplete one, or an unknown game."""
    try:
        if EXPORT_KEY in recorded_episode.instance:
            replayed_episode = _replay_own_export(recorded_episode, registry)
        else:
            replayed_episode = _replay_record(recorded_episode, registry, ludens_version)
    except UnreadableFile:
        raise
    except BadName as error:
        raise UnreadableFile(f"{error}: correct it in instance.json") from None
    except DAMAGED_FILE_ERRORS as error:
        raise UnreadableFile(f"its instance.json cannot be played: {describe_error(error)}") from None
    if not replayed_episode.is_over:
        last_event = replayed_episode.log[-1]
        is_fault = last_event.kind is Kind.FAULT
        if is_fault and FaultEvent.from_event(last_event).cause.startswith(RULEBOOK_FAULT_PREFIX):
            raise UnreadableFile("its instance.json cannot be played: a part of it is missing or of another type")
        raise UnreadableFile(
            FaultEvent.from_event(last_event).cause
            if is_fault
            else "the replies in its interactions.json end before the game does: fetch the complete record"
        )
    return replayed_episode


def _replay_record(recorded_episode: RecordedEpisode, registry: Registry, ludens_version: str) -> ReplayedEpisode:
    game, mapping, clembench_name = find_game_and_mapping(registry, recorded_episode.instance)
    seats = dict(zip(sorted(recorded_episode.players), game.seats, strict=False))
    if len(seats) != len(game.seats):
        raise UnreadableFile(
            f"{clembench_name} needs {len(game.seats)} players that are models or people, and its interactions.json "
            f"names {len(seats)}: complete the record"
        )
    messages = recorded_episode.messages
    prompts_by_seat = {
        seat: [message.text for message in messages if message.recipient == name] for name, seat in seats.items()
    }
    replies_by_seat = {
        seat: [message.text for message in messages if message.sender == name] for name, seat in seats.items()
    }
    fitted_instance = mapping.fit(recorded_episode.instance, prompts_by_seat, replies_by_seat)
    experiment = f"{CLEMBENCH_PREFIX}-{recorded_episode.experiment}"
    variant = mapping.VARIANTS[clembench_name]
    start = build_start_event(
        game,
        ludens=ludens_version,
        variant=variant,
        experiment=experiment,
        instance={**mapping.instance(fitted_instance), "theirs": fitted_instance},
        instance_id=f"{game.name}/{variant}/{experiment}/{fitted_instance.get('game_id', 0)}",
        seats={
            seat: _make_player_address(recorded_episode.players[name], recorded_episode.models_folder)
            for name, seat in seats.items()
        },
        is_simultaneous=False,
    )
    check_start_names(start)
    return _Replay(game, start, recorded_episode, seats).replay_record()


def _make_player_address(player: str, models_folder: str) -> str:
    """Return the address of a player: "PathWalker, gpt-4o" in a folder "gpt-4o-t0.0--…" is clembench/gpt-4o?…"""
    model = player.rpartition(", ")[2].strip() or "unknown"
    pattern = rf"(?:^|--){escape(model)}-t(\d+(?:\.\d+)?)(?:--|$)"
    temperature = compile_linear_pattern(pattern, reason="literals and digits; a folder's name is short").search(
        models_folder
    )
    return f"{CLEMBENCH_PREFIX}/{model}" + (f"?temperature={temperature[1]}" if temperature else "")


class _Replay:
    """A record that is being played: the GameMaster, the log so far, and the recorded times."""

    def __init__(
        self, game: Game, start: EpisodeStart, recorded_episode: RecordedEpisode, seats: Mapping[str, str]
    ) -> None:
        self.recorded_episode, self.seats = recorded_episode, seats
        self.prompts_by_seat = {
            seat: iter([message for message in recorded_episode.messages if message.recipient == player_name])
            for player_name, seat in seats.items()
        }
        self.ask_time_by_seat: dict[str, int] = {}
        start_time = recorded_episode.messages[0].time_ms if recorded_episode.messages else 0
        self.master, first_events = GameMaster.begin_episode(game, start)
        self.replayed_episode = ReplayedEpisode(start, [], is_over=False)
        self._add_events(first_events, start_time)

    def replay_record(self) -> ReplayedEpisode:
        for message in self.recorded_episode.messages:
            seat = self.seats.get(message.sender)
            if seat is None:
                continue
            request_number = next(
                (open_ask.id for open_ask in self.master.open.values() if open_ask.request.seat == seat), None
            )
            if request_number is None:
                self.replayed_episode.surplus_replies += 1
                continue
            seconds = max(0, message.time_ms - self.ask_time_by_seat.get(seat, message.time_ms)) / 1000
            model = self.replayed_episode.start.seats[seat].partition("/")[2].partition("?")[0]
            self._add_events(
                self.master.reply(request_number, message.text, {"model": model, "seconds": seconds}), message.time_ms
            )
        self.replayed_episode.is_over = self.master.outcome is not None
        return self.replayed_episode

    def _add_events(self, events: Iterable[Event], event_time: int) -> None:
        for event in events:
            seat = str(event.seat)
            if event.kind is Kind.ASK and (prompt := next(self.prompts_by_seat[seat], None)):
                event_time = max(event_time, prompt.time_ms)
                self.ask_time_by_seat[seat] = prompt.time_ms
                request_event = AskEvent.from_event(event)
                self.replayed_episode.reworded_messages += (
                    prompt.text != Message("user", list(request_event.parts), request_event.words).text()
                )
            event.n, event.time = len(self.replayed_episode.log), event_time
            self.replayed_episode.log.append(event)


def _replay_own_export(recorded_episode: RecordedEpisode, registry: Registry) -> ReplayedEpisode:
    """Read back an episode that Ludens exported: the same log, number by number. Raises `UnreadableFile`."""
    export_record = recorded_episode.instance[EXPORT_KEY]
    try:
        start = EpisodeStart.model_validate(export_record["start"])
        check_start_names(start)
        check_ids(
            {
                "episode's id": (str(export_record["episode"]), EPISODE_ID_PATTERN),
                "plan key": (export_record.get("plan_key"), PLAN_KEY_PATTERN),
                "origin": (str(export_record["origin"]), ORIGIN_PATTERN),
            }
        )
        if not isinstance(export_record["began"], int) or not MIN_TIME_MS <= export_record["began"] <= MAX_TIME_MS:
            raise ValueError(
                f"its start time, began, is {export_record['began']!r:.80}, where UTC milliseconds were expected"
            )
        message_by_number = {
            message.action_json["n"]: message for message in recorded_episode.messages if "n" in message.action_json
        }
        message_numbers = sorted(message_by_number)
        master, log = GameMaster.begin_episode(registry.game(start.game), start)
        for event_number in message_numbers:
            log += _replay_action(master, message_by_number[event_number])
        for event_number in message_numbers:
            if message_by_number[event_number].action_type in PRESENCE_KINDS:
                action = message_by_number[event_number].action_json
                log.insert(
                    event_number,
                    Event(Kind(message_by_number[event_number].action_type), action.get("seat"), action["data"]),
                )
        for event_number, event in enumerate(log):
            event.n, event.time = (
                event_number,
                message_by_number[event_number].time_ms
                if event_number in message_by_number
                else export_record["began"],
            )
    except BadName:
        raise
    except DAMAGED_FILE_ERRORS as error:
        raise UnreadableFile(
            f"exported by Ludens, but not readable here: {describe_error(error)}: export the episode again"
        ) from None
    is_over = any(event.kind is Kind.OUTCOME for event in log)
    return ReplayedEpisode(
        start, log, is_over, export_record["episode"], export_record.get("plan_key"), export_record["origin"]
    )


def _replay_action(master: GameMaster, message: RecordedMessage) -> list[Event]:
    """Return the events that follow from an action from outside: a reply, a fault, another player, an end."""
    action_json = message.action_json
    if message.action_type == "get message":
        return master.reply(action_json["ask"], message.text, action_json.get("meta"))
    if message.action_type == Kind.RELEASED:
        return master.release(action_json["data"]["ask"])
    if message.action_type == "fault" and action_json["data"]["ask"] is not None:
        return master.fault(action_json["data"]["ask"], action_json["data"]["cause"], action_json["data"].get("code"))
    if message.action_type == "seat":
        check_address(str(action_json["data"]["player"]))
        return master.hand_over_seat(
            action_json["seat"], action_json["data"]["player"], action_json["data"].get("reason")
        )
    if message.action_type == "outcome" and not master.outcome:
        return master.end(Outcome.from_json(action_json["data"]))
    return []


# ---------------------------------------------------------------------- comparing
@dataclass
class ScoreComparison:
    """The published main score of an episode compared with ours, None where there is none."""

    published_score: float | None
    own_score: float | None
    matches: bool | None
    explanation: str | None = None
    differences: list[Json] = field(default_factory=list)


def compare_scores(
    recorded_episode: RecordedEpisode, replayed_episode: ReplayedEpisode, registry: Registry
) -> tuple[Json, ScoreComparison]:
    """Return our scores of an episode, and a comparison with the published ones; NaN and null count as equal."""
    game = registry.game(replayed_episode.start.game)
    scores = score_episode(Log(replayed_episode.log), game)
    published_scores, turn_scores = _read_published_scores(recorded_episode.scores)
    if "Main Score" not in published_scores:
        return scores, ScoreComparison(None, scores["main_score"], None)
    mapping = game.clembench()
    is_own_export = EXPORT_KEY in recorded_episode.instance
    is_imported = bool(replayed_episode.start.instance.get("theirs"))
    converted_scores = convert_scores(scores, mapping if is_imported or not is_own_export else None)
    decimals = mapping.DECIMALS if mapping else {}
    score_pairs = {
        name: (read_score(name, published_value), read_score(name, converted_scores[name]))
        for name, published_value in published_scores.items()
        if name in converted_scores
    }
    is_equal_by_name = {
        name: _are_equal_scores(*score_pair, decimals.get(name)) for name, score_pair in score_pairs.items()
    }
    comparison = ScoreComparison(score_pairs["Main Score"][0], scores["main_score"], is_equal_by_name["Main Score"])
    if mapping is None or is_own_export:
        return scores, comparison
    clembench_name = mapping.find_game_name(recorded_episode.instance) or ""
    second_parsing = _explain_second_parsing(recorded_episode, published_scores, scores)
    for name in (name for name, is_equal in is_equal_by_name.items() if not is_equal):
        published_score, own_score = score_pairs[name]
        explanation = second_parsing or mapping.explain(name, published_scores, scores, clembench_name)
        comparison.differences.append(
            {"name": name, "published": published_score, "ours": own_score, "why": explanation}
        )
        if name == "Main Score":
            comparison.explanation = explanation
    comparison.differences += mapping.turn_differences(turn_scores, scores, clembench_name)
    return scores, comparison


def _read_published_scores(scores: Any) -> tuple[Json, Json]:
    """Return the published scores of an episode and of its turns. Raises ValueError if they are not objects."""
    score_tables = []
    for score_kind in ("episode scores", "turn scores"):
        score_table = scores.get(score_kind) if isinstance(scores, dict) else scores
        if score_table is not None and not isinstance(score_table, dict):
            raise ValueError(f'"{score_kind}" is {score_table!r:.80}, where an object was expected')
        score_tables.append(score_table or {})
    for turn_number, turn in score_tables[1].items():
        if not isinstance(turn, dict):
            raise ValueError(f"the score of turn {turn_number!s:.80} is {turn!r:.80}, where an object was expected")
    return score_tables[0], score_tables[1]


def _explain_second_parsing(recorded_episode: RecordedEpisode, published_scores: Json, scores: Json) -> str | None:
    """Return why an episode that was aborted in its own record, and is here, has published scores of a played one."""
    if scores["played"] != 0 or published_scores.get("Aborted") != 0:
        return None
    rejections = [message for message in recorded_episode.messages if message.action_type == "invalid format"]
    if not rejections:
        return None
    return (
        f"the run's own game master rejected the last reply ({rejections[-1].text[:80]!r}), as ours does; "
        "upstream's scorer parsed the reply again, more liberally"
    )


def convert_scores(scores: Json, mapping: ClembenchMapping | None) -> Json:
    """Return our scores of an episode under clembench's names: those every game has, then those of the game."""
    success_ratio = scores["request_success_ratio"]
    game_scores = mapping.scores(scores) if mapping else {"Main Score": scores["main_score"]}
    common_scores = {
        "Aborted": None if scores["played"] is None else 1 - scores["played"],
        "Success": scores["success"],
        "Lose": scores["lose"],
        "Request Count": scores["requests"],
        "Parsed Request Count": scores["parsed_requests"],
        "Violated Request Count": scores["violated_requests"],
        "Request Success Ratio": None if success_ratio is None else round(success_ratio, 4),
    }
    return {**common_scores, **game_scores}


def list_turn_scores(scores: Json) -> Iterator[tuple[str, Json]]:
    """Yield the number of each turn, as text from "0", with its scores, for games that score turns."""
    for turn_number, turn_scores in enumerate(scores.get("turns") or ()):
        yield str(turn_number), turn_scores


def _are_equal_scores(published_score: float | None, own_score: float | None, decimals: int | None) -> bool:
    """Return whether two scores are equal: at the published precision, if upstream rounds to `decimals`."""
    if published_score is None or own_score is None:
        return published_score is own_score
    score_difference = abs(published_score - own_score)
    rounding_error = 0 if decimals is None else ROUNDING_TOLERANCE * 10.0**-decimals
    return score_difference <= max(rounding_error, SCORE_TOLERANCE * max(1.0, abs(published_score)))
