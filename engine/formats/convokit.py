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
from engine.formats.spoken import find_public_text, find_reply_format
from engine.formats.writer import ExportedEpisode, ExportFolder, ExportOptions, filter_numbers

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
        self._utterance_file = self._folder.open("utterances.jsonl")
        self._dialogue_file = self._folder.open("conversations.json")
        self._speaker_file = self._folder.open("speakers.json")
        self._speaker_names: set[str] = set()
        self._has_reports = False

    def add(self, episode: ExportedEpisode) -> bool:
        """Write an episode that has an outcome and at least one reply."""
        utterances = self._make_utterances(episode) if episode.row.outcome else []
        if not utterances:
            return False
        for utterance in utterances:
            self._has_reports = self._has_reports or META_KEY in utterance["meta"]
            self._utterance_file.write(to_json(utterance) + "\n")
        start_data = episode.log.start
        conversation_meta = {
            "game": start_data.game,
            "variant": start_data.variant,
            "experiment": start_data.experiment,
            "instance_hash": start_data.instance_hash,
            "settings": start_data.settings,
            "seats": start_data.seats,
            "instance": start_data.instance_id,
            "outcome": episode.row.outcome,
            "scores": filter_numbers(episode.scores or {}),
        }
        _write_member(
            self._dialogue_file, self.counts["conversations"], episode.id, {"meta": conversation_meta, "vectors": []}
        )
        self.counts["conversations"] += 1
        self.counts["utterances"] += len(utterances)
        return True

    def _make_utterances(self, episode: ExportedEpisode) -> list[Json]:
        reply_formats: dict[int, ReplyFormat[Any]] = {}
        utterances: list[Json] = []
        for event, player in episode.list_events_with_players():
            if event.kind is Kind.ASK:
                request_event = AskEvent.from_event(event)
                reply_formats[request_event.ask] = find_reply_format(request_event)
            elif event.kind is Kind.REPLY:
                reply = ReplyEvent.from_event(event)
                if not reply.discarded:
                    speaker_name = self._write_speaker(episode, reply, player)
                    parent = utterances[-1]["id"] if utterances else None
                    utterances.append(_make_utterance(episode, reply, reply_formats[reply.ask], speaker_name, parent))
            elif event.kind is Kind.PARSED and utterances:
                utterances[-1]["meta"]["accepted"] = True
        return utterances

    def _write_speaker(self, episode: ExportedEpisode, reply: ReplyEvent, player: str) -> str:
        is_person = player.partition("?")[0] == "person"
        person_name = episode.find_participant(reply.seat, reply.n) or f"person-{episode.id}-{reply.seat}"
        speaker_name = person_name if is_person else player
        if speaker_name not in self._speaker_names:
            self._speaker_names.add(speaker_name)
            kind_meta = {"kind": "person" if is_person else "program"}
            _write_member(self._speaker_file, self.counts["speakers"], speaker_name, {"meta": kind_meta, "vectors": []})
            self.counts["speakers"] += 1
        return speaker_name

    def close(self, metadata: Json) -> None:
        """Close the open JSON objects; write the index and the metadata."""
        for json_file, object_name in ((self._dialogue_file, "conversations"), (self._speaker_file, "speakers")):
            json_file.write("\n}\n" if self.counts[object_name] else "{}\n")
        self._folder.close()
        utterance_types = UTTERANCE_TYPES | (REPORT_TYPES if self._has_reports else {})
        self._folder.write_json("corpus.json", {"name": "Ludens episodes", "ludens": metadata})
        self._folder.write_json(
            "index.json",
            {
                "utterances-index": {name: [kind] for name, kind in utterance_types.items()},
                "speakers-index": {name: [kind] for name, kind in SPEAKER_TYPES.items()},
                "conversations-index": {name: [kind] for name, kind in CONVERSATION_TYPES.items()},
                "overall-index": {"name": ["<class 'str'>"], "ludens": ["<class 'dict'>"]},
                "version": 1,
                "vectors": [],
            },
        )
        self._folder.write_json("metadata.json", metadata)


def _make_utterance(
    episode: ExportedEpisode,
    reply: ReplyEvent,
    answer_format: ReplyFormat[Any],
    speaker_name: str,
    parent_id: str | None,
) -> Json:
    utterance_meta = {"seat": reply.seat, "game": episode.log.start.game, "ask": reply.ask, "reply": reply.text}
    report = extract_report(reply.meta)
    return {
        "id": f"{episode.id}-{reply.n}",
        "conversation_id": episode.id,
        "text": find_public_text(answer_format, reply.text),
        "speaker": speaker_name,
        "meta": {**utterance_meta, "accepted": False, "time": reply.time} | ({META_KEY: report} if report else {}),
        "reply-to": parent_id,
        "timestamp": reply.time // 1000,
        "vectors": [],
    }


def _write_member(json_file: IO[str], member_number: int, member_key: str, member_value: Json) -> None:
    """Write one more member of a JSON object that is never in memory as a whole."""
    json_file.write(("{\n" if member_number == 0 else ",\n") + to_json(member_key) + ": " + to_json(member_value))
