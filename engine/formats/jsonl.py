"""Export `jsonl`: every event of every episode, one a line, as the log has them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from engine.core.events import Event, Json, to_json
from engine.formats.exporting import ExportedEpisode, ExportFolder, ExportOptions


def line_of(episode: str, event: Event) -> str:
    """Return an event as a line: `episode`, `n`, `time` (UTC ms), `kind`, `seat` or null, `data`."""
    data = {"episode": episode, "n": event.n, "time": event.time, "kind": str(event.kind), "seat": event.seat}
    return to_json({**data, "data": event.data}) + "\n"


class JsonlWriter:
    """Writes events.jsonl."""

    skips = ""

    def __init__(self, root: Path, wanted: ExportOptions) -> None:
        self.counts: Counter[str] = Counter()
        self._folder = ExportFolder(root)
        self._events = self._folder.file("events.jsonl")

    def add(self, one: ExportedEpisode) -> bool:
        """Write an episode's events."""
        for event in one.log:
            self._events.write(line_of(one.row.id, event))
            self.counts["events"] += 1
        return True

    def close(self, about: Json) -> None:
        """Write what is said about the whole."""
        self._folder.close()
        self._folder.json("metadata.json", about)
