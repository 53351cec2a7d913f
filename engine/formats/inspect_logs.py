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
from engine.formats.spoken import encodable
from engine.formats.writer import ExportedEpisode, ExportFolder, ExportOptions, iso_time
from engine.results.clemscore import describe_seating
from engine.results.leaderboard import format_seats
from engine.results.statistics import average

LOG_VERSION = 2
"""The version of Inspect's log format."""
USER_ROLE, ASSISTANT = "user", "assistant"
MAX_NAME = 100
NOT_IN_NAMES = compile_pattern("[^A-Za-z0-9.-]+")


@dataclass
class _Log:
    """One `.eval` file while it is written: what is known of its samples, and when they were played."""

    path: Path
    spec: Json
    started: int
    ended: int
    settings: Json
    summaries: list[Json] = field(default_factory=list)
    scores: dict[str, list[float]] = field(default_factory=dict)


class InspectWriter:
    """Writes one `.eval` file per variant, seating and settings."""

    skip_reason = "no outcome yet, or a picture missing"

    def __init__(self, root: Path, _: ExportOptions) -> None:
        self.counts: Counter[str] = Counter()
        self._root, self._folder = root, ExportFolder(root)
        self._logs: dict[str, _Log] = {}

    def add(self, episode: ExportedEpisode) -> bool:
        """Write the seats of an episode that has an outcome."""
        if not episode.row.outcome:
            return False
        try:
            seat_samples = [encodable(_seat_sample(episode, seat)) for seat in episode.log.start.seats]
        except KeyError:
            return False
        seat_samples = [seat_sample for seat_sample in seat_samples if seat_sample["messages"]]
        log = self._find_log(episode)
        log.started, log.ended = min(log.started, episode.log[0].time), max(log.ended, episode.log[-1].time)
        with zipfile.ZipFile(log.path, "a", zipfile.ZIP_DEFLATED) as archive:
            for seat_sample in seat_samples:
                archive.writestr(f"samples/{seat_sample['id']}_epoch_1.json", to_json(seat_sample))
                log.summaries.append(_sample_summary(seat_sample))
                for score_name, score in seat_sample["scores"].items():
                    log.scores.setdefault(score_name, []).append(score["value"])
        self.counts["samples"] += len(seat_samples)
        return True

    def _find_log(self, episode: ExportedEpisode) -> _Log:
        start = episode.log.start
        condition = Condition.of(start, (episode.scores or {}).get("side_seats"))
        task, model = f"{start.game}/{start.variant}", describe_seating(condition.seats)
        settings = {**start.settings, "reprompt": start.reprompt, "prompts": condition.prompts}
        log_key = digest([task, condition.seats, settings, start.game_version])
        if log_key not in self._logs:
            log_name = NOT_IN_NAMES.substitute("_", f"{task}_{model}")
            path = self._root / f"{log_name[:MAX_NAME]}_{log_key[:8]}.eval"
            eval_spec = {
                "eval_id": log_key[:22],
                "run_id": log_key[:22],
                "created": iso_time(episode.log[0].time),
                "task": task,
                "task_id": log_key[:22],
                "task_version": start.game_version,
                "model": model,
                "model_args": {},
                "config": {},
                "packages": {"ludens": start.ludens},
                "metadata": {"seats": format_seats(condition.seats), "settings": settings},
            }
            log = _Log(path, eval_spec, episode.log[0].time, episode.log[-1].time, settings)
            self._logs[log_key] = log
            self.counts["files"] += 1
        return self._logs[log_key]

    def close(self, metadata: Json) -> None:
        """Write the headers and summaries, and the metadata."""
        for log in self._logs.values():
            header = _log_header(log)
            with zipfile.ZipFile(log.path, "a", zipfile.ZIP_DEFLATED) as archive:
                log_start = {"version": LOG_VERSION, "eval": header["eval"], "plan": header["plan"]}
                archive.writestr("_journal/start.json", to_json(log_start))
                archive.writestr("summaries.json", to_json(log.summaries))
                archive.writestr("header.json", to_json(header))
        self._folder.write_json("metadata.json", metadata)


def _log_header(log: _Log) -> Json:
    sample_ids = [summary["id"] for summary in log.summaries]
    scores = [
        {"name": n, "scorer": n, "params": {}, "metrics": {"mean": {"name": "mean", "value": average(score_values)}}}
        for n, score_values in log.scores.items()
    ]
    dataset = {"name": log.spec["task"], "samples": len(sample_ids), "sample_ids": sample_ids}
    return {
        "version": LOG_VERSION,
        "status": "success",
        "eval": {**log.spec, "dataset": dataset},
        "plan": {"name": "ludens", "steps": [], "config": {}},
        "results": {"total_samples": len(sample_ids), "completed_samples": len(sample_ids), "scores": scores},
        "stats": {"started_at": iso_time(log.started), "completed_at": iso_time(log.ended), "model_usage": {}},
    }


def _seat_sample(episode: ExportedEpisode, seat: str) -> Json:
    """Return one seat of an episode as a sample. Raises KeyError for a picture that is not on this machine."""
    start, scores = episode.log.start, episode.scores or {}
    outcome = episode.row.outcome or {}
    messages = [
        _message_json(episode, f"{episode.id}-{seat}-{message_number}", message)
        for message_number, message in enumerate(episode.log.conversation(seat).messages)
    ]
    metadata = {
        "episode": episode.id,
        "seat": seat,
        "player": start.seats[seat],
        "participant": episode.participant(seat),
        "experiment": start.experiment,
        "instance": start.instance_id,
        "instance_hash": start.instance_hash,
        "outcome": outcome.get("kind"),
        "reason": outcome.get("reason"),
        "error": episode.error,
        "scores": scores,
    }
    score_values = {name: scores.get(name) for name in ("main_score", "played")} | {
        "side_score": episode.side_score(seat)
    }
    return {
        "id": f"{episode.id}-{seat}",
        "epoch": 1,
        "input": _first_message_text(messages),
        "target": "",
        "messages": messages,
        "output": {"model": start.seats[seat], "choices": []},
        "scores": {name: {"value": value} for name, value in score_values.items() if value is not None},
        "metadata": metadata,
        "store": {},
        "events": [],
        "attachments": {},
    }


def _message_json(episode: ExportedEpisode, id_: str, message: Message) -> Json:
    message_text = message.text()
    if message.role == ASSISTANT:
        return {"id": id_, "role": ASSISTANT, "content": message_text, "source": "generate"}
    if not message.pictures:
        return {"id": id_, "role": USER_ROLE, "content": message_text, "source": "input"}
    images = [{"type": "image", "image": _data_uri(episode, asset), "detail": "auto"} for asset in message.pictures]
    return {
        "id": id_,
        "role": USER_ROLE,
        "content": [*images, {"type": "text", "text": message_text}],
        "source": "input",
    }


def _data_uri(episode: ExportedEpisode, asset: str) -> str:
    picture = episode.picture(asset)
    return f"data:{picture.media_type};base64,{base64.b64encode(picture.data).decode()}"


def _first_message_text(messages: list[Json]) -> str:
    if not messages:
        return ""
    message_content: Any = messages[0]["content"]
    return message_content if isinstance(message_content, str) else str(message_content[-1]["text"])


def _sample_summary(sample: Json) -> Json:
    """Return what Inspect lists of a sample without reading it."""
    field_names = ("id", "epoch", "input", "target", "scores")
    summary_json = {name: sample[name] for name in field_names} | {"input": sample["input"][:200]}
    short_metadata = {name: value for name, value in sample["metadata"].items() if name != "scores"}
    return summary_json | {"metadata": short_metadata, "completed": True, "message_count": len(sample["messages"])}
