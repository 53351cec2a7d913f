"""Export `clembench`: MODELS/GAME/EXPERIMENT/episode_N with instance, interactions, requests and scores.

Every event becomes an action that is marked with the event's number `n`, so `engine/formats/clembench/episodes.py`
reads back the same log. What the layout has no place for (the start of the episode) is under "ludens" in instance.json.
Where clembench writes a bare NaN, these files have null: they are valid JSON.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from engine.core.clembench_mapping import ClembenchMapping
from engine.core.content import parts_to_text
from engine.core.event_views import AskEvent, ParsedEvent, ReplyEvent, TellEvent, ViolationEvent
from engine.core.events import Event, Json, Kind
from engine.core.game import Game
from engine.core.patterns import compile_linear_pattern
from engine.core.player import Address
from engine.core.start import EpisodeStart
from engine.core.views import Message
from engine.formats.clembench.episodes import CLEMBENCH_PREFIX, EXPORT_KEY, convert_scores, list_turn_scores
from engine.formats.writer import MAX_TIME_MS, ExportedEpisode, ExportFolder, ExportOptions, filter_numbers
from engine.results.clemscore import split_variant

GAME_MASTER = "GM"
ACTION_TYPE_BY_EVENT_KIND = {
    Kind.TELL: "send message",
    Kind.ASK: "send message",
    Kind.REPLY: "get message",
    Kind.PARSED: "parse",
    Kind.VIOLATION: "invalid format",
}
"""The action type of an event; other kinds keep their name."""
COMMON_SCORES = ("played", "success", "lose", "requests", "parsed_requests", "violated_requests", "main_score")
"""Scores written under clembench's names. There is no "Played": clembench's evaluation computes it."""


class ClembenchWriter:
    """Writes one folder per episode."""

    skip_reason = "no outcome yet, or of a game that is not here"

    def __init__(self, root: Path, options: ExportOptions) -> None:
        self.counts: Counter[str] = Counter()
        self._folder = ExportFolder(root)
        self._has_benchmark_folders = options.has_benchmark_folders
        self._episode_counts: Counter[str] = Counter()

    def add(self, episode: ExportedEpisode) -> bool:
        """Write an episode that has an outcome; the layout has no other."""
        if not episode.row.outcome or episode.game is None:
            return False
        start, mapping = episode.log.start, episode.game.clembench()
        player_names = {seat: f"Player {player_number}" for player_number, seat in enumerate(start.seats, 1)}
        models_name = "--".join(_name_model(player) for player in _list_both_players(list(start.seats.values())))
        game_name = _find_game_name(start, mapping)
        experiment = start.experiment.removeprefix(f"{CLEMBENCH_PREFIX}-")
        benchmark_folder = f"{_find_benchmark_name(episode.game, start)}/" if self._has_benchmark_folders else ""
        parent = f"{benchmark_folder}{models_name}/{game_name}/{_make_safe_name(experiment)}"
        episode_number, self._episode_counts[parent] = (self._episode_counts[parent], self._episode_counts[parent] + 1)
        if episode_number == 0:
            self._folder.write_json(f"{parent}/experiment.json", _make_experiment(episode, game_name, experiment))
        turns = self._list_turns(episode, player_names)
        interactions_meta = {
            "game_name": game_name,
            "experiment_name": experiment,
            "game_id": _find_game_id(start),
            "results_folder": models_name,
            "dialogue_pair": models_name,
            "round_count": len(turns),
            "completed": True,
        }
        players = {GAME_MASTER: f"Game master for {game_name}"}
        players |= {player_names[seat]: f"{seat}, {player}" for seat, player in start.seats.items()}
        episode_path = f"{parent}/episode_{episode_number}"
        self._folder.write_json(f"{episode_path}/instance.json", _make_instance(episode))
        self._folder.write_json(
            f"{episode_path}/interactions.json", {"players": players, "turns": turns, "meta": interactions_meta}
        )
        self._folder.write_json(f"{episode_path}/requests.json", list(_list_requests(episode)))
        self._folder.write_json(f"{episode_path}/scores.json", _make_scores(episode, mapping))
        self.counts["episodes"] += 1
        return True

    def close(self, metadata: Json) -> None:
        """Write the metadata."""
        self._folder.close()
        self._folder.write_json("metadata.json", metadata)

    # ------------------------------------------------------------------ interactions
    def _list_turns(self, episode: ExportedEpisode, player_names: Mapping[str, str]) -> list[list[Json]]:
        """Return the actions by round. A round begins when the first seat is asked again after the others replied."""
        turns: list[list[Json]] = [[]]
        first_seat = last_seat = ""
        for event in episode.log[1:]:
            seat = event.seat or ""
            if event.kind is Kind.ASK:
                first_seat = first_seat or seat
                if seat == first_seat and last_seat and (last_seat != seat or len(player_names) == 1):
                    turns.append([])
            turns[-1] += self._make_actions(episode, event, player_names.get(seat, GAME_MASTER))
            if event.kind is Kind.REPLY:
                last_seat = seat
        return turns

    def _make_actions(self, episode: ExportedEpisode, event: Event, player: str) -> Iterator[Json]:
        action: Json = {"type": ACTION_TYPE_BY_EVENT_KIND.get(event.kind, str(event.kind)), "content": "", "n": event.n}
        sender = recipient = GAME_MASTER
        reminder = None
        if event.kind in (Kind.ASK, Kind.TELL):
            view = AskEvent.from_event(event) if event.kind is Kind.ASK else TellEvent.from_event(event)
            recipient = player
            action["content"] = _find_message_text(view)
            if images := list(filter(None, (self._write_picture(episode, picture["id"]) for picture in view.pictures))):
                action["image"] = images
        elif event.kind is Kind.REPLY:
            reply = ReplyEvent.from_event(event)
            sender = player
            action |= {"content": reply.text, "ask": reply.ask, "meta": reply.meta}
        elif event.kind is Kind.PARSED:
            parsed_value = ParsedEvent.from_event(event).value
            action["content"] = parsed_value if isinstance(parsed_value, str) else json.dumps(parsed_value)
        elif event.kind is Kind.VIOLATION:
            violation = ViolationEvent.from_event(event)
            action |= {"content": violation.why, "fault": violation.fault}
            reminder = violation.reminder
        else:
            action |= {"content": json.dumps(event.data), "seat": event.seat, "data": event.data}
        yield _make_action(event, sender, recipient, action)
        if reminder:
            yield _make_action(event, GAME_MASTER, player, {"type": "send message (reprompt)", "content": reminder})

    def _write_picture(self, episode: ExportedEpisode, asset: str) -> str | None:
        try:
            return self._folder.write_picture(episode.load_picture(asset))[0]
        except KeyError:
            self.counts["missing pictures"] += 1
            return None


def _make_action(event: Event, sender: str, recipient: str, action: Json) -> Json:
    return {"from": sender, "to": recipient, "timestamp": _format_time(event.time, "microseconds"), "action": action}


def _format_time(time_ms: int, timespec: str = "auto") -> str:
    return (
        datetime.fromtimestamp(min(time_ms, MAX_TIME_MS) / 1000, UTC).replace(tzinfo=None).isoformat(timespec=timespec)
    )


def _find_message_text(message_view: AskEvent | TellEvent) -> str:
    if isinstance(message_view, AskEvent):
        return Message("user", list(message_view.parts), message_view.words).text()
    return parts_to_text(message_view.parts)


# ---------------------------------------------------------------------- the other files
def _find_imported_instance(start_data: EpisodeStart) -> Json | None:
    """Return the clembench instance that an imported episode is played with."""
    instance: Json | None = start_data.instance.get("theirs")
    return instance


def _find_game_name(start_data: EpisodeStart, mapping: ClembenchMapping | None) -> str:
    """Return clembench's name of an imported game, otherwise a name made from ours."""
    imported_instance = _find_imported_instance(start_data)
    clembench_name = mapping.find_game_name(imported_instance) if mapping and imported_instance else None
    return clembench_name or f"{start_data.game}_{start_data.variant}".replace("-", "_")


def _find_benchmark_name(game: Game, start_data: EpisodeStart) -> str:
    """Return the benchmark of an episode: clembench's evaluation averages over all games of a folder."""
    if game.adversarial or not game.clemscore:
        return "gameeval"
    return "multimodal" if split_variant(game.name, start_data.variant)[1] == "picture" else "text"


def _find_game_id(start_data: EpisodeStart) -> int:
    index_text = start_data.instance_id.rpartition("/")[2]
    return int(index_text) if index_text.isdecimal() else 0


def _make_instance(episode: ExportedEpisode) -> Json:
    start, episode_row = episode.log.start, episode.row
    export_record = {
        "episode": episode_row.id,
        "origin": episode_row.origin,
        "plan_key": episode_row.plan_key,
        "began": episode.log[0].time,
        "start": episode.log[0].data,
    }
    return {"game_id": _find_game_id(start), **(_find_imported_instance(start) or {}), EXPORT_KEY: export_record}


def _make_experiment(episode: ExportedEpisode, game: str, experiment: str) -> Json:
    start_data = episode.log.start
    return {
        "name": experiment,
        "game_name": game,
        "timestamp": _format_time(episode.log[0].time),
        "player_models": {
            str(n): {"model_name": _name_model(player)} for n, player in enumerate(start_data.seats.values())
        },
        "settings": start_data.settings,
        "ludens": start_data.ludens,
    }


def _list_requests(episode: ExportedEpisode) -> Iterator[Json]:
    """Yield what each player was sent and what it replied, in the order of replies."""
    log = episode.log
    messages = {seat: log.conversation(seat).messages for seat in log.start.seats}
    reply_counts: Counter[str] = Counter()
    for reply in log.replies():
        seat = str(reply.seat)
        prompt_messages = _list_messages_before(messages[seat], reply_counts[seat])
        reply_counts[seat] += 1
        yield {
            "timestamp": _format_time(reply.time),
            "manipulated_prompt_obj": [
                {"role": message.role, "content": message.text()} for message in prompt_messages
            ],
            "raw_response_obj": {"text": reply.text, **reply.meta},
        }


def _list_messages_before(messages: Sequence[Message], reply_number: int) -> Sequence[Message]:
    """Return the messages before a seat's reply with a number from 0."""
    reply_indices = [message_index for message_index, message in enumerate(messages) if message.role == "assistant"]
    return messages[: reply_indices[reply_number]]


def _make_scores(episode: ExportedEpisode, mapping: ClembenchMapping | None) -> Json:
    scores = episode.scores or {}
    is_imported = _find_imported_instance(episode.log.start) is not None
    own_scores = {name: value for name, value in filter_numbers(scores).items() if name not in COMMON_SCORES}
    episode_scores = convert_scores(scores, mapping if is_imported else None)
    turns = {turn_number: filter_numbers(turn_scores) for turn_number, turn_scores in list_turn_scores(scores)}
    return {"turn scores": turns, "episode scores": {**({} if is_imported else own_scores), **episode_scores}}


def _list_both_players(players: Sequence[str]) -> Sequence[str]:
    return [*players, *players] if len(players) == 1 else players


def _name_model(player: str) -> str:
    """Return a player's address as clembench names a model: its name, with the temperature if there is one."""
    address = Address.parse(player)
    model_name = address.name or address.provider
    if address.provider not in (CLEMBENCH_PREFIX, model_name):
        model_name = f"{address.provider}-{model_name}"
    temperature = address.parameters.get("temperature")
    return _make_safe_name(model_name) + (f"-t{temperature}" if temperature else "")


_UNSAFE_CHARACTERS = compile_linear_pattern(r"[^\w.+-]+", reason="one class, whose end is found in one way")


def _make_safe_name(raw_name: str) -> str:
    return _UNSAFE_CHARACTERS.sub("_", raw_name).strip(".") or "_"
