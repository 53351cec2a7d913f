"""Export `inspect`: logs of Inspect (`inspect view`), one `.eval` file per variant and seating.

A sample is one seat of an episode: its messages as a model reads them, with pictures, and its scores. An `.eval` file
is a ZIP archive of JSON (https://inspect.aisi.org.uk/eval-logs.html), so Inspect is not needed to write it.
"""

from __future__ import annotations

import base64
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.core.condition import Condition
from engine.core.events import Json, digest, to_json
from engine.core.patterns import compile_pattern
from engine.core.views import Message
from engine.formats.spoken import escape_surrogates
from engine.formats.writer import ExportedEpisode, ExportFolder, ExportOptions, format_iso_time
from engine.results.clemscore import describe_seating
from engine.results.leaderboard import format_seats
from engine.results.statistics import average

LOG_VERSION = 2
"""The version of Inspect's log format."""
USER_ROLE, ASSISTANT_ROLE = "user", "assistant"
MAX_NAME_LENGTH = 100
UNSAFE_NAME_CHARACTERS = compile_pattern("[^A-Za-z0-9.-]+")


@dataclass
class _Log:
    """One `.eval` file while it is written: what is known of its samples, and when they were played."""

    path: Path
    eval_spec: Json
    start_time: int
    end_time: int
    settings: Json
    sample_summaries: list[Json] = field(default_factory=list)
    scores_by_name: dict[str, list[float]] = field(default_factory=dict)


class InspectWriter:
    """Writes one `.eval` file per variant, seating and settings."""

    skip_reason = "no outcome yet, or a picture missing"

    def __init__(self, root: Path, _: ExportOptions) -> None:
        self.counts: Counter[str] = Counter()
        self._root_path, self._folder = root, ExportFolder(root)
        self._log_by_key: dict[str, _Log] = {}

    def add(self, episode: ExportedEpisode) -> bool:
        """Write the seats of an episode that has an outcome."""
        if not episode.row.outcome:
            return False
        try:
            seat_samples = [escape_surrogates(_make_sample(episode, seat)) for seat in episode.log.start.seats]
        except KeyError:
            return False
        seat_samples = [seat_sample for seat_sample in seat_samples if seat_sample["messages"]]
        log = self._find_log(episode)
        log.start_time, log.end_time = min(log.start_time, episode.log[0].time), max(log.end_time, episode.log[-1].time)
        with zipfile.ZipFile(log.path, "a", zipfile.ZIP_DEFLATED) as log_archive:
            for seat_sample in seat_samples:
                log_archive.writestr(f"samples/{seat_sample['id']}_epoch_1.json", to_json(seat_sample))
                log.sample_summaries.append(_summarise_sample(seat_sample))
                for score_name, score_json in seat_sample["scores"].items():
                    log.scores_by_name.setdefault(score_name, []).append(score_json["value"])
        self.counts["samples"] += len(seat_samples)
        return True

    def _find_log(self, episode: ExportedEpisode) -> _Log:
        start_data = episode.log.start
        condition = Condition.from_start(start_data, (episode.scores or {}).get("side_seats"))
        task_name, model_name = f"{start_data.game}/{start_data.variant}", describe_seating(condition.seats)
        settings = {**start_data.settings, "reprompt": start_data.reprompt, "prompts": condition.prompts}
        log_key = digest([task_name, condition.seats, settings, start_data.game_version])
        if log_key not in self._log_by_key:
            log_name = UNSAFE_NAME_CHARACTERS.replace_matches("_", f"{task_name}_{model_name}")
            log_path = self._root_path / f"{log_name[:MAX_NAME_LENGTH]}_{log_key[:8]}.eval"
            eval_spec = {
                "eval_id": log_key[:22],
                "run_id": log_key[:22],
                "created": format_iso_time(episode.log[0].time),
                "task": task_name,
                "task_id": log_key[:22],
                "task_version": start_data.game_version,
                "model": model_name,
                "model_args": {},
                "config": {},
                "packages": {"ludens": start_data.ludens},
                "metadata": {"seats": format_seats(condition.seats), "settings": settings},
            }
            log = _Log(log_path, eval_spec, episode.log[0].time, episode.log[-1].time, settings)
            self._log_by_key[log_key] = log
            self.counts["files"] += 1
        return self._log_by_key[log_key]

    def close(self, metadata: Json) -> None:
        """Write the headers and summaries, and the metadata."""
        for log in self._log_by_key.values():
            log_header = _make_header(log)
            with zipfile.ZipFile(log.path, "a", zipfile.ZIP_DEFLATED) as log_archive:
                start_json = {"version": LOG_VERSION, "eval": log_header["eval"], "plan": log_header["plan"]}
                log_archive.writestr("_journal/start.json", to_json(start_json))
                log_archive.writestr("summaries.json", to_json(log.sample_summaries))
                log_archive.writestr("header.json", to_json(log_header))
        self._folder.write_json("metadata.json", metadata)


def _make_header(log: _Log) -> Json:
    sample_ids = [summary["id"] for summary in log.sample_summaries]
    scores = [
        {
            "name": name,
            "scorer": name,
            "params": {},
            "metrics": {"mean": {"name": "mean", "value": average(score_values)}},
        }
        for name, score_values in log.scores_by_name.items()
    ]
    dataset = {"name": log.eval_spec["task"], "samples": len(sample_ids), "sample_ids": sample_ids}
    return {
        "version": LOG_VERSION,
        "status": "success",
        "eval": {**log.eval_spec, "dataset": dataset},
        "plan": {"name": "ludens", "steps": [], "config": {}},
        "results": {"total_samples": len(sample_ids), "completed_samples": len(sample_ids), "scores": scores},
        "stats": {
            "started_at": format_iso_time(log.start_time),
            "completed_at": format_iso_time(log.end_time),
            "model_usage": {},
        },
    }


def _make_sample(episode: ExportedEpisode, seat: str) -> Json:
    """Return one seat of an episode as a sample. Raises KeyError for a picture that is not on this machine."""
    start_data, scores = episode.log.start, episode.scores or {}
    outcome = episode.row.outcome or {}
    messages = [
        _make_message(episode, f"{episode.id}-{seat}-{message_number}", message)
        for message_number, message in enumerate(episode.log.conversation(seat).messages)
    ]
    metadata = {
        "episode": episode.id,
        "seat": seat,
        "player": start_data.seats[seat],
        "participant": episode.find_participant(seat),
        "experiment": start_data.experiment,
        "instance": start_data.instance_id,
        "instance_hash": start_data.instance_hash,
        "outcome": outcome.get("kind"),
        "reason": outcome.get("reason"),
        "error": episode.error,
        "scores": scores,
    }
    score_values = {name: scores.get(name) for name in ("main_score", "played")} | {
        "side_score": episode.find_side_score(seat)
    }
    return {
        "id": f"{episode.id}-{seat}",
        "epoch": 1,
        "input": _find_first_text(messages),
        "target": "",
        "messages": messages,
        "output": {"model": start_data.seats[seat], "choices": []},
        "scores": {name: {"value": value} for name, value in score_values.items() if value is not None},
        "metadata": metadata,
        "store": {},
        "events": [],
        "attachments": {},
    }


def _make_message(episode: ExportedEpisode, message_id: str, message: Message) -> Json:
    message_text = message.text()
    if message.role == ASSISTANT_ROLE:
        return {"id": message_id, "role": ASSISTANT_ROLE, "content": message_text, "source": "generate"}
    if not message.pictures:
        return {"id": message_id, "role": USER_ROLE, "content": message_text, "source": "input"}
    images = [{"type": "image", "image": _write_uri(episode, asset), "detail": "auto"} for asset in message.pictures]
    return {
        "id": message_id,
        "role": USER_ROLE,
        "content": [*images, {"type": "text", "text": message_text}],
        "source": "input",
    }


def _write_uri(episode: ExportedEpisode, asset: str) -> str:
    picture = episode.load_picture(asset)
    return f"data:{picture.media_type};base64,{base64.b64encode(picture.data).decode()}"


def _find_first_text(messages: list[Json]) -> str:
    if not messages:
        return ""
    message_content: Any = messages[0]["content"]
    return message_content if isinstance(message_content, str) else str(message_content[-1]["text"])


def _summarise_sample(sample: Json) -> Json:
    """Return what Inspect lists of a sample without reading it."""
    field_names = ("id", "epoch", "input", "target", "scores")
    summary_json = {name: sample[name] for name in field_names} | {"input": sample["input"][:200]}
    short_metadata = {name: value for name, value in sample["metadata"].items() if name != "scores"}
    return summary_json | {"metadata": short_metadata, "completed": True, "message_count": len(sample["messages"])}
