"""Export episodes: which ones, what must not leave, one at a time, and the metadata of the whole.

`metadata.json` is written last: an export without it is not complete.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from engine.core.events import Event, Json, Kind
from engine.core.log import Log
from engine.core.player import Address
from engine.core.scores import score_episode
from engine.formats.clembench.results import ClembenchWriter
from engine.formats.convokit import ConvokitWriter
from engine.formats.csv import CsvWriter
from engine.formats.gameeval import GameEvalWriter
from engine.formats.hub import HubWriter
from engine.formats.inspect_logs import InspectWriter
from engine.formats.jsonl import JsonlWriter
from engine.formats.psych_ds import PsychDsWriter
from engine.formats.sft import FineTuningWriter
from engine.formats.writer import ExportedEpisode, ExportOptions, Writer
from engine.storage.database import StoreError
from engine.storage.episode_row import EpisodeRow
from engine.storage.participants import read_participant_keys
from engine.storage.store import Store

if TYPE_CHECKING:
    from engine.play.registry import Registry

WRITER_BY_FORMAT: Mapping[str, Callable[[Path, ExportOptions], Writer]] = {
    "clembench": ClembenchWriter,
    "jsonl": JsonlWriter,
    "csv": CsvWriter,
    "sft": FineTuningWriter,
    "convokit": ConvokitWriter,
    "psych-ds": PsychDsWriter,
    "hf": HubWriter,
    "inspect": InspectWriter,
    "gameeval": GameEvalWriter,
}
"""The writer of each format, made with the folder to write into."""
EXPORT_VERSION = 1
"""Raised when a file or column of an export changes its meaning."""
REASONING_META_KEYS = ("reasoning", "reasoning_items")
"""What of a model's reply is exported only with `ExportOptions.reasoning`."""


@dataclass
class _Summary:
    """What the metadata says of the episodes, gathered one by one."""

    episode_count: int = 0
    left_out_counts: Counter[str] = field(default_factory=Counter)
    versions_by_game: dict[str, Json] = field(default_factory=dict)
    settings_by_game: dict[str, list[Json]] = field(default_factory=dict)
    id_by_instance: dict[str, str] = field(default_factory=dict)
    player_counts: Counter[str] = field(default_factory=Counter)

    def add_episode(self, episode: ExportedEpisode, scores_version: str | None) -> None:
        """Count an episode that was written."""
        start = episode.log.start
        self.episode_count += 1
        self.id_by_instance[start.instance_hash] = start.instance_id
        self.player_counts.update(start.seats.values())
        all_settings = self.settings_by_game.setdefault(start.game, [])
        if (settings := {**start.settings, "reprompt": start.reprompt}) not in all_settings:
            all_settings.append(settings)
        game = self.versions_by_game.setdefault(start.game, {"versions": [], "prompts": [], "scores": scores_version})
        if start.game_version not in game["versions"]:
            game["versions"].append(start.game_version)
        if (prompts := f"{start.prompts} {start.prompts_version}") not in game["prompts"]:
            game["prompts"].append(prompts)


def export_episodes(
    store: Store,
    registry: Registry,
    folder: Path,
    format_name: str,
    options: ExportOptions,
    ludens_version: str,
    make_writer: Callable[[Path, ExportOptions], Writer] | None = None,
) -> Json:
    """Write every selected episode in a format (of `WRITER_BY_FORMAT`), one at a time; return the metadata.

    `make_writer` makes the writer of a format that is not of `WRITER_BY_FORMAT`.
    """
    participant_keys = read_participant_keys(store)
    options = replace(
        options, participants={place: options.participants.get(place, key) for place, key in participant_keys.items()}
    )
    writer = (make_writer or WRITER_BY_FORMAT[format_name])(folder, options)
    summary = _Summary()
    for episode_row in store.iterate_episodes(options.selections):
        if options.episodes is not None and episode_row.id not in options.episodes:
            continue
        episode = _make_exported_episode(episode_row, store, registry, options)
        if isinstance(episode, str):
            summary.left_out_counts[episode] += 1
        elif writer.add(episode):
            summary.add_episode(episode, _find_scores_version(registry, episode_row.game))
        else:
            summary.left_out_counts[writer.skip_reason] += 1
    metadata: Json = {
        "format": format_name,
        "format_version": EXPORT_VERSION,
        "ludens": ludens_version,
        "commit": _describe_commit(registry.project_root),
        "exported": datetime.now(UTC).isoformat(timespec="seconds"),
        "selection": ["/".join(filter(None, selection)) for selection in options.selections],
        "people": options.people,
        "reasoning": options.reasoning,
        "episodes": summary.episode_count,
        "left_out": dict(summary.left_out_counts),
        "written": dict(writer.counts),
        "games": summary.versions_by_game,
        "settings": summary.settings_by_game,
        "players": dict(sorted(summary.player_counts.items())),
        "instances": summary.id_by_instance,
    }
    if options.raw_cells:
        metadata["raw_cells"] = True
    writer.close(metadata)
    return metadata


def _make_exported_episode(
    episode_row: EpisodeRow, store: Store, registry: Registry, options: ExportOptions
) -> ExportedEpisode | str:
    """Return an episode without what must not leave, or the reason why it is left out."""
    log = Log(store.events(episode_row.id))
    if not log:
        return "not begun"
    if not options.people and _is_private(episode_row, log, store, options):
        return "people"
    game = registry.game(episode_row.game) if registry.has(episode_row.game) else None
    scores = episode_row.scores
    if episode_row.outcome and game and episode_row.scores_version != _find_scores_version(registry, episode_row.game):
        scores = score_episode(log, game)
    participants = {
        seat: options.participants[episode_row.id, seat]
        for seat in log.start.seats
        if (episode_row.id, seat) in options.participants
    }
    return ExportedEpisode(episode_row, Log([_redact(event, options) for event in log]), scores, game, participants)


def _find_scores_version(registry: Registry, game: str) -> str | None:
    return registry.scores_version(game) if registry.has(game) else None


def _is_private(episode_row: EpisodeRow, log: Log, store: Store, options: ExportOptions) -> bool:
    """Return whether the episode holds words of people, also as a recording, that they have not published."""
    players = [*episode_row.seats.values(), *(hand_over_event.player for hand_over_event in log.list_hand_overs())]
    if episode_row.people or any(map(_is_person, players)):
        return episode_row.id not in options.published_episodes
    for address in map(Address.parse, players):
        if address.provider == "recorded":
            with suppress(StoreError):  # the recorded episode is not in this log
                source_row = store.episode(address.name)
                if _is_private(source_row, Log(store.events(source_row.id)), store, options):
                    return True
    return False


def _is_person(address: str) -> bool:
    return Address.parse(address).provider == "person"


def _redact(event: Event, options: ExportOptions) -> Event:
    """Return an event without names of people, and without reasoning unless it is asked for."""
    event_data = event.data
    if event.kind is Kind.START:
        event_data = {
            **event_data,
            "seats": {seat: _strip_name(player) for seat, player in event_data["seats"].items()},
        }
    elif event.kind is Kind.SEAT:
        event_data = {**event_data, "player": _strip_name(event_data["player"])}
    elif (
        event.kind is Kind.REPLY
        and not options.reasoning
        and any(key in event_data["meta"] for key in REASONING_META_KEYS)
    ):
        visible_meta = {key: value for key, value in event_data["meta"].items() if key not in REASONING_META_KEYS}
        event_data = {**event_data, "meta": visible_meta}
    return Event(event.kind, event.seat, event_data, event.n, event.time)


def _strip_name(address: str) -> str:
    return "person" if _is_person(address) else address


def _describe_commit(root_path: Path) -> str | None:
    """Return the commit of the code, with "-dirty" if files have changed since; None outside a checkout."""
    try:
        git_process = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"],
            cwd=root_path,
            capture_output=True,
            text=True,
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return git_process.stdout.strip() or None
