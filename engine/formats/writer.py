"""What the writers of export formats share: the protocol, the options, an episode as it leaves, and the files.

A writer is handed episodes one by one and keeps none, so the number of episodes does not change the memory it needs.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import IO, Any, Protocol

from engine.core.content import Picture
from engine.core.event_views import HandOver
from engine.core.events import Event, Json, Kind
from engine.core.game import Game
from engine.core.log import Log
from engine.results.papers.analyses import find_error_kind
from engine.storage.episode_row import EpisodeRow

MAX_TIME_MS = 253_402_300_799_999
"""The last UTC millisecond of the year 9999, the last one that can be written; logs may have one later."""
EXTENSION_BY_TYPE = {"image/png": "png", "image/webp": "webp", "image/jpeg": "jpg"}


@dataclass(frozen=True)
class ExportOptions:
    """What is exported: (game, variant, experiment) with None for any; everything without a selection.

    `people` exports all episodes with people, not only the `published_episodes` (ids), `reasoning` what models thought;
    `least_score` is the score that chats for training must have reached. `raw_cells` leaves texts in CSV files alone,
    even those that a spreadsheet reads as formulas. `participants` are the keys of people by (episode id, seat), which
    `export_episodes` fills in where others are not given (`engine.storage.participants`). `episodes` are the only ones
    to export (ids), None all.
    `has_benchmark_folders` parts result folders of clembench into one folder per benchmark.
    """

    selections: Sequence[tuple[str, str | None, str | None]] = ()
    people: bool = False
    reasoning: bool = False
    least_score: float = 100.0
    published_episodes: Container[str] = frozenset()
    raw_cells: bool = False
    participants: Mapping[tuple[str, str], str] = field(default_factory=dict)
    episodes: Container[str] | None = None
    has_benchmark_folders: bool = False


@dataclass
class ExportedEpisode:
    """One episode without what must not leave (names of people, hidden reasoning)."""

    row: EpisodeRow
    log: Log
    scores: Json | None
    """None while there is no outcome, and for games that are not installed."""
    game: Game | None
    participants: Mapping[str, str] = field(default_factory=dict)
    """The keys of the people who sat at the end, by seat."""

    @property
    def id(self) -> str:
        """The episode's id."""
        return self.row.id

    @property
    def error(self) -> str | None:
        """Why it failed, None if it did not (`engine.results.papers.analyses.find_error_kind`)."""
        return find_error_kind(self.log.outcome, has_stopped=bool((self.scores or {}).get("stopped")))

    def find_side_score(self, seat: str) -> float | None:
        """Return the score of the side of a seat, 100 or 0; None in games without sides and without an outcome."""
        scores, outcome = (self.scores or {}).get("side_scores"), self.log.outcome
        if not scores or outcome is None:
            return None
        scoring_side = next((side_name for side_name, seats in outcome.sides if seat in seats), None)
        return None if scoring_side is None else float(scores.get(scoring_side, 0))

    @cached_property
    def instance(self) -> Any:
        """The instance as the game reads it."""
        assert self.game is not None
        return self.game.load(self.log.start.instance)

    def load_picture(self, asset: str) -> Picture:
        """Return a picture that was shown. Raises KeyError if it is not on this machine."""
        if self.game is None:
            raise KeyError(asset)
        return self.game.picture(self.instance, asset)

    def find_participant(self, seat: str | None, event_number: int = 0) -> str | None:
        """Return the key of the person at a seat when event `n` was written, the first by default; None if unknown."""
        return self.participants.get(seat or "") if event_number >= self._last_hand_overs.get(seat, 0) else None

    @property
    def first_participants(self) -> dict[str, str]:
        """The keys of the people with whom the episode began, by seat; without those who are not known."""
        return {seat: key for seat in self.log.start.seats if (key := self.find_participant(seat))}

    @cached_property
    def _last_hand_overs(self) -> dict[str | None, int]:
        return {hand_over_event.seat: hand_over_event.n for hand_over_event in self.log.list_hand_overs()}

    def list_events_with_players(self) -> Iterator[tuple[Event, str]]:
        """Yield each event with the address of the player at its seat at that time, "" for events of the table."""
        players = dict(self.log.start.seats)
        for event in self.log:
            if event.kind is Kind.SEAT:
                players[str(event.seat)] = HandOver.from_event(event).player
            yield event, players.get(event.seat or "", "")


class Writer(Protocol):
    """Writes one format into a folder."""

    counts: Counter[str]
    """What was written (rows, files) and what was left out, for the metadata."""
    skip_reason: str
    """Why an episode is skipped, in words."""

    def add(self, episode: ExportedEpisode) -> bool:
        """Write one episode; return False if the format cannot hold it."""
        ...

    def close(self, metadata: Json) -> None:
        """Write what comes last, metadata included."""
        ...


class ExportFolder:
    """The files of an export: text in UTF-8, JSON in ASCII. Characters that UTF-8 cannot encode become escapes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._open_files: list[IO[str]] = []

    def open(self, file_name: str) -> IO[str]:
        """Open a file for writing; `close` closes it."""
        file_path = self.root / file_name
        file_path.parent.mkdir(parents=True, exist_ok=True)
        text_file = file_path.open("w", encoding="utf-8", errors="backslashreplace", newline="")
        self._open_files.append(text_file)
        return text_file

    def write(self, file_name: str, content: bytes | str) -> None:
        """Write a whole file."""
        file_path = self.root / file_name
        file_path.parent.mkdir(parents=True, exist_ok=True)
        file_path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace"))

    def write_json(self, file_name: str, json_value: Any) -> None:
        """Write a whole file of JSON."""
        self.write(file_name, json.dumps(json_value, indent=1, allow_nan=False) + "\n")

    def write_picture(self, picture: Picture) -> tuple[str, bool]:
        """Write a picture under a name made from its content; return the name and whether the file is new."""
        extension = EXTENSION_BY_TYPE.get(picture.media_type, "bin")
        file_name = f"pictures/{hashlib.sha256(picture.data).hexdigest()[:24]}.{extension}"
        is_new = not (self.root / file_name).exists()
        if is_new:
            self.write(file_name, picture.data)
        return file_name, is_new

    def remove(self, file_name: str) -> None:
        """Remove a closed file."""
        (self.root / file_name).unlink()

    def close(self) -> None:
        """Close the open files."""
        for open_file in self._open_files:
            open_file.close()


def format_iso_time(time_ms: int) -> str:
    """Return a time in UTC milliseconds as ISO 8601."""
    return datetime.fromtimestamp(min(time_ms, MAX_TIME_MS) / 1000, UTC).isoformat(timespec="milliseconds")


def filter_numbers(score_values: Mapping[str, Any]) -> Json:
    """Return the values that are numbers or None, true and false as 1 and 0."""
    return {
        score_name: int(score_value) if isinstance(score_value, bool) else score_value
        for score_name, score_value in score_values.items()
        if score_value is None or isinstance(score_value, bool | int | float)
    }
