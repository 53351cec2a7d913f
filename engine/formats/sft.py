"""Export `sft`: chats for training, one line per seat of an episode that reached a score.

`text.jsonl` has contents as text, `pictures.jsonl` as parts ({"type": "image"} in the place of each picture, the files
named in "images" in the same order), as common trainers read them. Refused replies have "weight" 0, so that no model
learns them; what models thought is left out unless asked for. What browsers reported with replies is in the metadata.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from engine.core.client_report import META_KEY, extract_report
from engine.core.events import Json, Kind, to_json
from engine.core.log import Log
from engine.core.views import Message
from engine.formats.writer import ExportedEpisode, ExportFolder, ExportOptions


class FineTuningWriter:
    """Writes text.jsonl, pictures.jsonl and the pictures."""

    skip_reason = "below the score, or a picture missing"

    def __init__(self, root: Path, options: ExportOptions) -> None:
        self.counts: Counter[str] = Counter()
        self._options = options
        self._folder = ExportFolder(root)
        self._text_file = self._folder.open("text.jsonl")
        self._picture_file = self._folder.open("pictures.jsonl")

    def add(self, episode: ExportedEpisode) -> bool:
        """Write the chats of the seats that reached the score; return False if there are none."""
        seats = [seat for seat in episode.log.start.seats if self._has_reached_score(episode, seat)]
        was_written = [self._write_chat(episode, seat) for seat in seats]
        return any(was_written)

    def _has_reached_score(self, episode: ExportedEpisode, seat: str) -> bool:
        score = (episode.scores or {}).get("main_score")
        score = episode.find_side_score(seat) if score is None else score
        return score is not None and score >= self._options.least_score

    def _write_chat(self, episode: ExportedEpisode, seat: str) -> bool:
        messages = episode.log.conversation(seat).messages
        if messages and messages[-1].role == "user":  # asked, and never answered
            messages = messages[:-1]
        if not messages:
            return False
        try:
            picture_files = [self._write_picture(episode, asset) for message in messages for asset in message.pictures]
        except KeyError:
            self.counts["left out, a picture is missing"] += 1
            return False
        chat_lines = _make_chat_lines(
            episode.log, seat, messages, has_content_parts=bool(picture_files), has_reasoning=self._options.reasoning
        )
        start_data = episode.log.start
        chat_json: Json = {"messages": chat_lines} | ({"images": picture_files} if picture_files else {})
        chat_json["metadata"] = {
            "episode": episode.id,
            "seat": seat,
            "player": start_data.seats[seat],
            "game": start_data.game,
            "variant": start_data.variant,
            "experiment": start_data.experiment,
            "instance_id": start_data.instance_id,
            "instance_hash": start_data.instance_hash,
            "main_score": (episode.scores or {}).get("main_score"),
        }
        if participant := episode.find_participant(seat):
            chat_json["metadata"]["participant"] = participant
        reports = [extract_report(reply.meta) or None for reply in episode.log.replies(seat)]
        if any(reports):
            chat_json["metadata"][META_KEY] = reports
        (self._picture_file if picture_files else self._text_file).write(to_json(chat_json) + "\n")
        self.counts["chats with pictures" if picture_files else "chats"] += 1
        return True

    def _write_picture(self, episode: ExportedEpisode, asset: str) -> str:
        file_name, is_new = self._folder.write_picture(episode.load_picture(asset))
        if is_new:
            self.counts["pictures"] += 1
        return file_name

    def close(self, metadata: Json) -> None:
        """Write the metadata."""
        self._folder.close()
        self._folder.write_json("metadata.json", {**metadata, "least_score": self._options.least_score})


def _make_chat_lines(
    log: Log, seat: str, messages: list[Message], *, has_content_parts: bool, has_reasoning: bool
) -> list[Json]:
    is_refused = _find_refusals(log, seat)
    thoughts = [str(reply.meta.get("reasoning") or "") for reply in log.replies(seat)] if has_reasoning else []
    chat_lines = []
    reply_count = 0
    for message in messages:
        chat_line: Json = {"role": message.role, "content": _make_content(message, has_content_parts=has_content_parts)}
        if message.role == "assistant":
            chat_line["weight"] = 0 if reply_count < len(is_refused) and is_refused[reply_count] else 1
            if reply_count < len(thoughts) and thoughts[reply_count]:
                chat_line["reasoning"] = thoughts[reply_count]
            reply_count += 1
        chat_lines.append(chat_line)
    return chat_lines


def _make_content(message: Message, *, has_content_parts: bool) -> str | list[Json]:
    message_text = message.text()
    if not has_content_parts:
        return message_text
    return [*({"type": "image"} for _ in message.pictures), {"type": "text", "text": message_text}]


def _find_refusals(log: Log, seat: str) -> list[bool]:
    """Return for each reply of a seat that was in time whether it was refused."""
    is_refused: list[bool] = []
    for event in log:
        if event.seat == seat and event.kind is Kind.REPLY and not event.data.get("discarded"):
            is_refused.append(False)
        elif event.seat == seat and event.kind is Kind.VIOLATION:
            is_refused[-1] = True
    return is_refused
