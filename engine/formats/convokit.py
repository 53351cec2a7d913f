"""Export `convokit`: a corpus of ConvoKit; an episode is a conversation, a reply an utterance.

An utterance's text is what was sent without its tags; the reply word for word stands in its meta. Programs and models
are speakers by their address, people by episode and seat, so that no two episodes of a person are joined.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from engine.core.events import Json, Kind, to_json
from engine.core.replies import ReplyFormat, Text, format_of
from engine.formats.exporting import ExportedEpisode, ExportFolder, ExportOptions, numeric_values

UTTERANCE = {
    "seat": "<class 'str'>",
    "game": "<class 'str'>",
    "ask": "<class 'int'>",
    "reply": "<class 'str'>",
    "accepted": "<class 'bool'>",
    "time": "<class 'int'>",
}
CONVERSATION = {
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
SPEAKER = {"kind": "<class 'str'>"}


class ConvokitWriter:
    """Writes utterances.jsonl and conversations.json as episodes come, the rest at the end."""

    skips = "no outcome yet, or no reply"

    def __init__(self, root: Path, wanted: ExportOptions) -> None:
        self.counts: Counter[str] = Counter()
        self._folder = ExportFolder(root)
        self._utterances = self._folder.file("utterances.jsonl")
        self._conversations = self._folder.file("conversations.json")
        self._speakers = self._folder.file("speakers.json")
        self._known: set[str] = set()

    def add(self, one: ExportedEpisode) -> bool:
        """Write an episode that has an outcome and at least one reply."""
        if not one.row.outcome:
            return False
        said = self._said(one)
        if not said:
            return False
        for utterance in said:
            self._utterances.write(to_json(utterance) + "\n")
        start = one.start
        meta = {name: start[name] for name in ("game", "variant", "experiment", "instance_hash", "settings", "seats")}
        meta |= {
            "instance": start["instance_id"],
            "outcome": one.row.outcome,
            "scores": numeric_values(one.scores or {}),
        }
        _next(self._conversations, self.counts["conversations"], one.row.id, {"meta": meta, "vectors": []})
        self.counts["conversations"] += 1
        self.counts["utterances"] += len(said)
        return True

    def _said(self, one: ExportedEpisode) -> list[Json]:
        formats: dict[int, ReplyFormat[Any]] = {}
        made: list[Json] = []
        for event, player in one.players():
            data = event.data
            if event.kind is Kind.ASK:
                formats[data["ask"]] = _format(data["format"])
            elif event.kind is Kind.REPLY and not data.get("discarded"):
                speaker = self._speaker(one, str(event.seat), player)
                shown = formats[data["ask"]].show(data["text"])
                meta = {"seat": event.seat, "game": one.start["game"], "ask": data["ask"], "reply": data["text"]}
                made.append(
                    {
                        "id": f"{one.row.id}-{event.n}",
                        "conversation_id": one.row.id,
                        "text": "\n".join(part["text"] for part in shown if not part["private"]),
                        "speaker": speaker,
                        "meta": {**meta, "accepted": False, "time": event.time},
                        "reply-to": made[-1]["id"] if made else None,
                        "timestamp": event.time // 1000,
                        "vectors": [],
                    }
                )
            elif event.kind is Kind.PARSED and made:
                made[-1]["meta"]["accepted"] = True
        return made

    def _speaker(self, one: ExportedEpisode, seat: str, player: str) -> str:
        person = player.partition("?")[0] == "person"
        name = f"person-{one.row.id}-{seat}" if person else player
        if name not in self._known:
            self._known.add(name)
            meta = {"kind": "person" if person else "program"}
            _next(self._speakers, self.counts["speakers"], name, {"meta": meta, "vectors": []})
            self.counts["speakers"] += 1
        return name

    def close(self, about: Json) -> None:
        """Close the objects that were begun, and write index and what is said about the whole."""
        for stream, name in ((self._conversations, "conversations"), (self._speakers, "speakers")):
            stream.write("\n}\n" if self.counts[name] else "{}\n")
        self._folder.close()
        self._folder.json("corpus.json", {"name": "Ludens episodes", "ludens": about})
        self._folder.json(
            "index.json",
            {
                "utterances-index": {name: [kind] for name, kind in UTTERANCE.items()},
                "speakers-index": {name: [kind] for name, kind in SPEAKER.items()},
                "conversations-index": {name: [kind] for name, kind in CONVERSATION.items()},
                "overall-index": {"name": ["<class 'str'>"], "ludens": ["<class 'dict'>"]},
                "version": 1,
                "vectors": [],
            },
        )
        self._folder.json("metadata.json", about)


def _next(stream: Any, number: int, key: str, value: Json) -> None:
    """Write one more member of a JSON object that never stands in memory as a whole."""
    stream.write(("{\n" if number == 0 else ",\n") + to_json(key) + ": " + to_json(value))


def _format(declaration: Json) -> ReplyFormat[Any]:
    try:
        return format_of(declaration)
    except KeyError:  # of a game that is not here
        return Text()
