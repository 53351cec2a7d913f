"""What all exports share: which episodes, what must not leave, one at a time, and what is said about the whole.

An export is written by a `Writer` that is handed episodes one by one and keeps none, so a hundred thousand need no more
memory than one. `metadata.json` is written last: an export without it is not complete.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from engine.core.content import Picture
from engine.core.events import Event, Json, Kind
from engine.core.game import Game
from engine.core.log import Log
from engine.core.player import Address
from engine.core.scores import score_episode
from engine.core.views import Conversation
from engine.storage.database import StoreError
from engine.storage.episode_row import EpisodeRow
from engine.storage.store import Store

if TYPE_CHECKING:
    from engine.play.registry import Registry

VERSION = 1
"""Raised when a file or column of an export changes its meaning."""
HELD_BACK = ("reasoning",)
"""What of a model's reply is exported only when asked for."""


@dataclass(frozen=True)
class ExportOptions:
    """What is exported: (game, variant, experiment) with None for any, all without one.

    `people` lets out all episodes with people, not only the `published` ones (by id), `reasoning` what models thought;
    `least` is the score that chats for training must have reached.
    """

    selections: Sequence[tuple[str, str | None, str | None]] = ()
    people: bool = False
    reasoning: bool = False
    least: float = 100.0
    published: Container[str] = frozenset()


@dataclass
class ExportedEpisode:
    """One episode on its way out."""

    row: EpisodeRow
    log: Sequence[Event]
    scores: Json | None
    """None while there is no outcome, and for games that are not here."""
    game: Game | None

    @cached_property
    def start(self) -> Json:
        """The data of the start event."""
        return self.log[0].data

    @cached_property
    def instance(self) -> Any:
        """The instance as the game reads it."""
        assert self.game is not None
        return self.game.load(self.start["instance"])

    def picture(self, asset: str) -> Picture:
        """Return a picture that was shown. Raises KeyError where it is not on this machine."""
        if self.game is None:
            raise KeyError(asset)
        return self.game.picture(self.instance, asset)

    def conversation(self, seat: str) -> Conversation:
        """Return what one seat was told and said."""
        folded = Conversation(seat)
        for event in self.log:
            folded.apply(event)
        return folded

    def players(self) -> Iterator[tuple[Event, str]]:
        """Yield each event with the address of who sits at its seat then, "" for the table."""
        sitting = dict(self.start["seats"])
        for event in self.log:
            if event.kind is Kind.SEAT:
                sitting[str(event.seat)] = event.data["player"]
            yield event, sitting.get(event.seat or "", "")


class Writer(Protocol):
    """One format. It is made with the folder it writes into."""

    counts: Counter[str]
    """What was written (rows, files) and what was left out, for the metadata."""
    skips: str
    """Why an episode is skipped, in words."""

    def add(self, one: ExportedEpisode) -> bool:
        """Write one episode; False when it does not belong into this format."""
        ...

    def close(self, about: Json) -> None:
        """Finish, knowing what is said about the whole."""
        ...


class ExportFolder:
    """The files of an export: text in UTF-8, JSON in ASCII. What UTF-8 cannot hold is written as an escape."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._open: list[IO[str]] = []

    def file(self, name: str) -> IO[str]:
        """Open a file for writing; it is closed with the folder."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = path.open("w", encoding="utf-8", errors="backslashreplace", newline="")
        self._open.append(stream)
        return stream

    def put(self, name: str, data: bytes | str) -> None:
        """Write a whole file."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8", "backslashreplace"))

    def json(self, name: str, data: Any) -> None:
        """Write a whole file of JSON."""
        self.put(name, json.dumps(data, indent=1, allow_nan=False) + "\n")

    def close(self) -> None:
        """Close what is open."""
        for stream in self._open:
            stream.close()


@dataclass
class ExportSummary:
    """What is said about the whole, gathered as episodes go by."""

    episodes: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    games: dict[str, Json] = field(default_factory=dict)
    settings: dict[str, list[Json]] = field(default_factory=dict)
    instances: dict[str, str] = field(default_factory=dict)
    players: Counter[str] = field(default_factory=Counter)

    def add(self, one: ExportedEpisode, scores_version: str | None) -> None:
        """Count an episode that was written."""
        start = one.start
        self.episodes += 1
        self.instances[start["instance_hash"]] = start["instance_id"]
        self.players.update(start["seats"].values())
        known = self.settings.setdefault(start["game"], [])
        if (given := {**start["settings"], "reprompt": start["reprompt"]}) not in known:
            known.append(given)
        game = self.games.setdefault(start["game"], {"versions": [], "prompts": [], "scores": scores_version})
        for name, value in (
            ("versions", start["game_version"]),
            ("prompts", f"{start['prompts']} {start['prompts_version']}"),
        ):
            if value not in game[name]:
                game[name].append(value)


def export_episodes(
    store: Store, registry: Registry, writer: Writer, wanted: ExportOptions, format: str, ludens: str
) -> Json:
    """Write every episode that is wanted, one at a time; return the metadata (also handed to the writer)."""
    about = ExportSummary()
    for row in store.iterate(wanted.selections):
        one = _exported(row, store, registry, wanted)
        if isinstance(one, str):
            about.left_out[one] += 1
        elif writer.add(one):
            about.add(one, _scores_version(registry, row.game))
        else:
            about.left_out[writer.skips] += 1
    made: Json = {
        "format": format,
        "format_version": VERSION,
        "ludens": ludens,
        "commit": _commit(registry.root),
        "exported": datetime.now(UTC).isoformat(timespec="seconds"),
        "selection": ["/".join(filter(None, one)) for one in wanted.selections],
        "people": wanted.people,
        "reasoning": wanted.reasoning,
        "episodes": about.episodes,
        "left_out": dict(about.left_out),
        "written": dict(writer.counts),
        "games": about.games,
        "settings": about.settings,
        "players": dict(sorted(about.players.items())),
        "instances": about.instances,
    }
    writer.close(made)
    return made


def _exported(row: EpisodeRow, store: Store, registry: Registry, wanted: ExportOptions) -> ExportedEpisode | str:
    """Return an episode as it may leave, or why it does not."""
    log = store.events(row.id)
    if not log:
        return "not begun"
    if not wanted.people and _private(row, log, store, wanted):
        return "people"
    game = registry.game(row.game) if registry.has(row.game) else None
    scores = row.scores
    if row.outcome and game and row.scores_version != _scores_version(registry, row.game):
        scores = score_episode(Log(log), game)
    return ExportedEpisode(row, [_cleared(event, wanted) for event in log], scores, game)


def _scores_version(registry: Registry, game: str) -> str | None:
    return registry.scores_version(game) if registry.has(game) else None


def _private(row: EpisodeRow, log: Sequence[Event], store: Store, wanted: ExportOptions) -> bool:
    """Return whether people whose words are in an episode, also as a recording, have not published them."""
    later = (event.data["player"] for event in log if event.kind is Kind.SEAT)
    players = [*row.seats.values(), *later]
    if row.people or any(map(_is_person, players)):
        return row.id not in wanted.published
    for address in map(Address.parse, players):
        if address.provider == "recorded":
            with suppress(StoreError):  # gone, or never here
                source = store.episode(address.name)
                if _private(source, store.events(source.id), store, wanted):
                    return True
    return False


def _is_person(address: str) -> bool:
    return Address.parse(address).provider == "person"


def _cleared(event: Event, wanted: ExportOptions) -> Event:
    """Return an event without what must not leave: names of people, and thoughts unless they are asked for."""
    data = event.data
    if event.kind is Kind.START:
        data = {**data, "seats": {seat: _nameless(who) for seat, who in data["seats"].items()}}
    elif event.kind is Kind.SEAT:
        data = {**data, "player": _nameless(data["player"])}
    elif event.kind is Kind.REPLY and not wanted.reasoning and any(name in data["meta"] for name in HELD_BACK):
        meta = {name: value for name, value in data["meta"].items() if name not in HELD_BACK}
        data = {**data, "meta": meta}
    return Event(event.kind, event.seat, data, event.n, event.time)


def _nameless(address: str) -> str:
    return "person" if _is_person(address) else address


def _commit(root: Path) -> str | None:
    """Return the commit of the code, with "-dirty" where files were changed since; None outside a checkout."""
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"],
            cwd=root,
            capture_output=True,
            text=True,
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None


def iso_time(ms: int) -> str:
    """Return a time as ISO 8601 in UTC, with milliseconds."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds")


def numeric_values(values: Mapping[str, Any]) -> Json:
    """Return those values that are numbers, true or false as 1 or 0; None stays None."""
    return {
        name: int(value) if isinstance(value, bool) else value
        for name, value in values.items()
        if value is None or isinstance(value, bool | int | float)
    }
