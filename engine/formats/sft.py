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


class SftWriter:
    """Writes text.jsonl, pictures.jsonl and the pictures."""

    skip_reason = "below the score, or a picture missing"

    def __init__(self, root: Path, options: ExportOptions) -> None:
        self.counts: Counter[str] = Counter()
        self._options = options
        self._folder = ExportFolder(root)
        self._text_chats = self._folder.open("text.jsonl")
        self._picture_chats = self._folder.open("pictures.jsonl")

    def add(self, episode: ExportedEpisode) -> bool:
        """Write the chats of the seats that reached the score; return False if there are none."""
        seats = [seat for seat in episode.log.start.seats if self._reached_score(episode, seat)]
        written_rows = [self._write_chat(episode, seat) for seat in seats]
        return any(written_rows)

    def _reached_score(self, episode: ExportedEpisode, seat: str) -> bool:
        score = (episode.scores or {}).get("main_score")
        score = episode.side_score(seat) if score is None else score
        return score is not None and score >= self._options.least

    def _write_chat(self, episode: ExportedEpisode, seat: str) -> bool:
        messages = episode.log.conversation(seat).messages
        if messages and messages[-1].role == "user":  # asked, and never answered
            messages = messages[:-1]
        if not messages:
            return False
        try:
            images = [self._write_picture(episode, asset) for message in messages for asset in message.pictures]
        except KeyError:
            self.counts["left out, a picture is missing"] += 1
            return False
        chat_lines = _messages_json(
            episode.log, seat, messages, as_content_parts=bool(images), reasoning=self._options.reasoning
        )
        start = episode.log.start
        chat: Json = {"messages": chat_lines} | ({"images": images} if images else {})
        chat["metadata"] = {
            "episode": episode.id,
            "seat": seat,
            "player": start.seats[seat],
            "game": start.game,
            "variant": start.variant,
            "experiment": start.experiment,
            "instance_id": start.instance_id,
            "instance_hash": start.instance_hash,
            "main_score": (episode.scores or {}).get("main_score"),
        }
        if participant := episode.participant(seat):
            chat["metadata"]["participant"] = participant
        reports = [extract_report(reply.meta) or None for reply in episode.log.replies(seat)]
        if any(reports):
            chat["metadata"][META_KEY] = reports
        (self._picture_chats if images else self._text_chats).write(to_json(chat) + "\n")
        self.counts["chats with pictures" if images else "chats"] += 1
        return True

    def _write_picture(self, episode: ExportedEpisode, asset: str) -> str:
        file_name, is_new = self._folder.write_picture(episode.picture(asset))
        if is_new:
            self.counts["pictures"] += 1
        return file_name

    def close(self, metadata: Json) -> None:
        """Write the metadata."""
        self._folder.close()
        self._folder.write_json("metadata.json", {**metadata, "least_score": self._options.least})


def _messages_json(
    log: Log, seat: str, messages: list[Message], *, as_content_parts: bool, reasoning: bool
) -> list[Json]:
    refused_replies = _refusals(log, seat)
    thoughts = [str(reply.meta.get("reasoning") or "") for reply in log.replies(seat)] if reasoning else []
    chat_lines = []
    replies = 0
    for message in messages:
        chat_line: Json = {"role": message.role, "content": _chat_content(message, as_content_parts=as_content_parts)}
        if message.role == "assistant":
            chat_line["weight"] = 0 if replies < len(refused_replies) and refused_replies[replies] else 1
            if replies < len(thoughts) and thoughts[replies]:
                chat_line["reasoning"] = thoughts[replies]
            replies += 1
        chat_lines.append(chat_line)
    return chat_lines


def _chat_content(message: Message, *, as_content_parts: bool) -> str | list[Json]:
    message_text = message.text()
    if not as_content_parts:
        return message_text
    return [*({"type": "image"} for _ in message.pictures), {"type": "text", "text": message_text}]


def _refusals(log: Log, seat: str) -> list[bool]:
    """Return for each reply of a seat that was in time whether it was refused."""
    is_refused: list[bool] = []
    for event in log:
        if event.seat == seat and event.kind is Kind.REPLY and not event.data.get("discarded"):
            is_refused.append(False)
        elif event.seat == seat and event.kind is Kind.VIOLATION:
            is_refused[-1] = True
    return is_refused
