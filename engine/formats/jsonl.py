"""Export `jsonl`: every event of every episode, one per line, as the log has them.

The line of a start also has `participants`, the keys of people by seat, where browsers held seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from engine.core.events import Event, Json, Kind, to_json
from engine.formats.writer import ExportedEpisode, ExportFolder, ExportOptions


def format_event(episode: str, event: Event, participants: Mapping[str, str] | None = None) -> str:
    """Return an event as a line: `episode`, `n`, `time` (UTC ms), `kind`, `seat` or null, `data`, `participants`."""
    event_json = {"episode": episode, "n": event.n, "time": event.time, "kind": str(event.kind), "seat": event.seat}
    participants_json = {"participants": participants} if participants else {}
    return to_json({**event_json, "data": event.data, **participants_json}) + "\n"


class JsonlWriter:
    """Writes events.jsonl."""

    skip_reason = ""

    def __init__(self, root: Path, options: ExportOptions) -> None:
        self.counts: Counter[str] = Counter()
        self._folder = ExportFolder(root)
        self._event_file = self._folder.open("events.jsonl")

    def add(self, episode: ExportedEpisode) -> bool:
        """Write an episode's events."""
        for event in episode.log:
            participants = episode.first_participants if event.kind is Kind.START else None
            self._event_file.write(format_event(episode.id, event, participants))
            self.counts["events"] += 1
        return True

    def close(self, metadata: Json) -> None:
        """Write the metadata."""
        self._folder.close()
        self._folder.write_json("metadata.json", metadata)
