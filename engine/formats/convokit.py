"""Export `convokit`: a ConvoKit corpus in which an episode is a conversation and a reply an utterance.

The text of an utterance is the reply without tags; the reply word for word is in its meta. Programs and models are
speakers by address, people by their participant key: one speaker per person. People without a key, who never sat at a
browser of this database, are speakers by episode and seat.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import IO, Any

from engine.core.client_report import META_KEY, extract_report
from engine.core.event_views import AskEvent, ReplyEvent
from engine.core.events import Json, Kind, to_json
from engine.core.replies import ReplyFormat
from engine.formats.spoken import public_text, reply_format
from engine.formats.writer import ExportedEpisode, ExportFolder, ExportOptions, numeric_values

UTTERANCE_TYPES = {
    "seat": "<class 'str'>",
    "game": "<class 'str'>",
    "ask": "<class 'int'>",
    "reply": "<class 'str'>",
    "accepted": "<class 'bool'>",
    "time": "<class 'int'>",
}
CONVERSATION_TYPES = {
    "game": "<class 'str'>",
    "variant": "<class 'str'>",
    "experiment": "<class 'str'>",
    "instance": "<class 'str'>",
    "instance_hash": "<class 'str'>",
    "settings": "<class 'dict'>",
    "seats": "<class 'dict'>",
    "outcome": "<class 'dict'>",
    "scores": "<class 'dict'>",
}
REPORT_TYPES = {META_KEY: "<class 'dict'>"}
"""Meta of utterances in corpora with reports of browsers."""
SPEAKER_TYPES = {"kind": "<class 'str'>"}


class ConvokitWriter:
    """Writes utterances.jsonl, conversations.json and speakers.json episode by episode, the rest at the end."""

    skip_reason = "no outcome yet, or no reply"

    def __init__(self, root: Path, options: ExportOptions) -> None:
        self.counts: Counter[str] = Counter()
        self._folder = ExportFolder(root)
        self._utterances = self._folder.open("utterances.jsonl")
        self._conversations = self._folder.open("conversations.json")
        self._speakers = self._folder.open("speakers.json")
        self._speaker_names: set[str] = set()
        self._has_reports = False

    def add(self, episode: ExportedEpisode) -> bool:
        """Write an episode that has an outcome and at least one reply."""
        utterances = self._make_utterances(episode) if episode.row.outcome else []
        if not utterances:
            return False
        for utterance in utterances:
            self._has_reports = self._has_reports or META_KEY in utterance["meta"]
            self._utterances.write(to_json(utterance) + "\n")
        start = episode.log.start
        conversation_meta = {
            "game": start.game,
            "variant": start.variant,
            "experiment": start.experiment,
            "instance_hash": start.instance_hash,
            "settings": start.settings,
            "seats": start.seats,
            "instance": start.instance_id,
            "outcome": episode.row.outcome,
            "scores": numeric_values(episode.scores or {}),
        }
        _write_member(
            self._conversations, self.counts["conversations"], episode.id, {"meta": conversation_meta, "vectors": []}
        )
        self.counts["conversations"] += 1
        self.counts["utterances"] += len(utterances)
        return True

    def _make_utterances(self, episode: ExportedEpisode) -> list[Json]:
        reply_formats: dict[int, ReplyFormat[Any]] = {}
        utterances: list[Json] = []
        for event, player in episode.events_with_players():
            if event.kind is Kind.ASK:
                ask = AskEvent.of(event)
                reply_formats[ask.ask] = reply_format(ask)
            elif event.kind is Kind.REPLY:
                reply = ReplyEvent.of(event)
                if not reply.discarded:
                    speaker = self._speaker_id(episode, reply, player)
                    parent = utterances[-1]["id"] if utterances else None
                    utterances.append(_utterance_json(episode, reply, reply_formats[reply.ask], speaker, parent))
            elif event.kind is Kind.PARSED and utterances:
                utterances[-1]["meta"]["accepted"] = True
        return utterances

    def _speaker_id(self, episode: ExportedEpisode, reply: ReplyEvent, player: str) -> str:
        is_person = player.partition("?")[0] == "person"
        person = episode.participant(reply.seat, reply.n) or f"person-{episode.id}-{reply.seat}"
        speaker_name = person if is_person else player
        if speaker_name not in self._speaker_names:
            self._speaker_names.add(speaker_name)
            speaker_meta = {"kind": "person" if is_person else "program"}
            _write_member(self._speakers, self.counts["speakers"], speaker_name, {"meta": speaker_meta, "vectors": []})
            self.counts["speakers"] += 1
        return speaker_name

    def close(self, metadata: Json) -> None:
        """Close the open JSON objects; write the index and the metadata."""
        for part_file, name in ((self._conversations, "conversations"), (self._speakers, "speakers")):
            part_file.write("\n}\n" if self.counts[name] else "{}\n")
        self._folder.close()
        utterance_types = UTTERANCE_TYPES | (REPORT_TYPES if self._has_reports else {})
        self._folder.write_json("corpus.json", {"name": "Ludens episodes", "ludens": metadata})
        self._folder.write_json(
            "index.json",
            {
                "utterances-index": {name: [type] for name, type in utterance_types.items()},
                "speakers-index": {name: [type] for name, type in SPEAKER_TYPES.items()},
                "conversations-index": {name: [type] for name, type in CONVERSATION_TYPES.items()},
                "overall-index": {"name": ["<class 'str'>"], "ludens": ["<class 'dict'>"]},
                "version": 1,
                "vectors": [],
            },
        )
        self._folder.write_json("metadata.json", metadata)


def _utterance_json(
    episode: ExportedEpisode, reply: ReplyEvent, format: ReplyFormat[Any], speaker: str, parent: str | None
) -> Json:
    utterance_meta = {"seat": reply.seat, "game": episode.log.start.game, "ask": reply.ask, "reply": reply.text}
    report = extract_report(reply.meta)
    return {
        "id": f"{episode.id}-{reply.n}",
        "conversation_id": episode.id,
        "text": public_text(format, reply.text),
        "speaker": speaker,
        "meta": {**utterance_meta, "accepted": False, "time": reply.time} | ({META_KEY: report} if report else {}),
        "reply-to": parent,
        "timestamp": reply.time // 1000,
        "vectors": [],
    }


def _write_member(json_file: IO[str], member_number: int, member_key: str, member_value: Json) -> None:
    """Write one more member of a JSON object that is never in memory as a whole."""
    json_file.write(("{\n" if member_number == 0 else ",\n") + to_json(member_key) + ": " + to_json(member_value))
