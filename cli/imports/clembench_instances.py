"""Writes the instances of clembench's instance files as further experiments of our games."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.files import write_atomically

if TYPE_CHECKING:
    from engine.formats.clembench.episodes import InstanceEntry
    from engine.play.registry import Registry


@dataclass(frozen=True)
class Unreadable:
    """A file, folder or entry that could not be read."""

    source: str
    why: str

    @property
    def sentence(self) -> str:
        """The reason with its source in front."""
        return self.why if self.why.startswith(self.source) else f"{self.source}: {self.why}"


@dataclass(frozen=True)
class ImportedExperiments:
    """The experiments of one variant that were written from one file: name to number of instances."""

    source: str
    file: str
    game: str
    variant: str
    experiments: dict[str, int]
    missing_pictures: list[str]


@dataclass(frozen=True)
class _TargetVariant:
    """The variant of ours that instances go to, and clembench's name of their game."""

    game: str
    variant: str
    clembench_game: str


def import_entries(
    registry: Registry,
    file: Path,
    entries: Sequence[InstanceEntry],
    pictures: Path | None,
    imported_folder: Path,
    unreadable_files: list[Unreadable],
) -> list[ImportedExperiments]:
    """Write the entries of a file as further experiments, and return what was written for each variant."""
    from games.common.datasets.clembench_pictures import missing_addresses

    addresses = {id(entry): _picture_addresses(registry, entry) for entry in entries}
    every_address = [address for addresses_of_file in addresses.values() for address in addresses_of_file]
    picture_ids = _register_pictures(every_address, pictures, imported_folder, unreadable_files)
    experiments: dict[_TargetVariant, dict[str, list[Any]]] = {}
    used_addresses: dict[_TargetVariant, list[str]] = {}
    for entry in entries:
        if converted_entry := _convert_entry(registry, file, entry, picture_ids, unreadable_files):
            target_variant, experiment, instance = converted_entry
            experiments.setdefault(target_variant, {}).setdefault(experiment, []).append(instance)
            used_addresses.setdefault(target_variant, []).extend(addresses[id(entry)])
    return [
        ImportedExperiments(
            source=str(file),
            file=str(_write_experiments(registry, file, target_variant, instances_by_experiment)),
            game=target_variant.game,
            variant=target_variant.variant,
            experiments={name: len(instances) for name, instances in instances_by_experiment.items()},
            missing_pictures=missing_addresses(used_addresses[target_variant], picture_ids),
        )
        for target_variant, instances_by_experiment in experiments.items()
    ]


def _convert_entry(
    registry: Registry,
    file: Path,
    entry: InstanceEntry,
    picture_ids: dict[str, str],
    unreadable_files: list[Unreadable],
) -> tuple[_TargetVariant, str, dict[str, Any]] | None:
    """Return the target, the experiment and the instance of ours for an entry; None for a damaged one."""
    from pydantic import ValidationError

    from engine.formats.clembench import episodes as formats
    from engine.formats.clembench import files
    from engine.play.plan_checks import validation_messages

    game, mapping, clembench_game = formats.find_family(registry, entry.data)
    try:
        instance = {**mapping.instance(entry.data, picture_ids), "theirs": mapping.as_played(entry.data)}
        game.load(instance)
    except files.DAMAGED_FILE_ERRORS as error:
        faults = validation_messages(error) if isinstance(error, ValidationError) else [files.describe_error(error)]
        fault_text = "; ".join(faults)
        unreadable_files.append(
            Unreadable(str(file), f"{file}: {entry.experiment}, entry {entry.number}: {fault_text}")
        )
        return None
    file_label = _file_label(file, clembench_game)
    experiment = "-".join(filter(None, (formats.CLEMBENCH_PREFIX, file_label, entry.experiment)))
    return _TargetVariant(game.name, mapping.VARIANTS[clembench_game], clembench_game), experiment, instance


def _write_experiments(
    registry: Registry, file: Path, target_variant: _TargetVariant, experiments: dict[str, list[Any]]
) -> Path:
    """Write experiments beside the variant's own instance file, and return the path."""
    from engine.formats.clembench.episodes import CLEMBENCH_PREFIX

    file_label = _file_label(file, target_variant.clembench_game)
    file_stem = "-".join(filter(None, (f"{target_variant.variant}.{CLEMBENCH_PREFIX}", file_label)))
    experiments_path = registry.file(target_variant.game, target_variant.variant).with_name(f"{file_stem}.json")
    titles = {
        experiment: f"{experiment.removeprefix(CLEMBENCH_PREFIX + '-')} of clembench's {target_variant.clembench_game}"
        for experiment in experiments
    }
    file_data = {
        "game": target_variant.game,
        "variant": target_variant.variant,
        "version": 1,
        "source": {"format": CLEMBENCH_PREFIX, "game": target_variant.clembench_game, "file": file.name},
        "titles": titles,
        "experiments": experiments,
    }
    experiments_path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(experiments_path, json.dumps(file_data, ensure_ascii=False, indent=1) + "\n")
    return experiments_path


def _picture_addresses(registry: Registry, entry: InstanceEntry) -> list[str]:
    """Return the addresses of an entry's pictures; none for a damaged entry, which is reported later."""
    from engine.formats.clembench import episodes as formats
    from engine.formats.clembench import files

    try:
        return formats.find_family(registry, entry.data)[1].pictures(entry.data)
    except files.DAMAGED_FILE_ERRORS:
        return []


def _file_label(file: Path, game_name: str) -> str:
    """Return what distinguishes the files of a game: "" for instances.json, "v1.6" for instances_v1.6.json."""
    file_label = re.sub(rf"^(?:instances|{re.escape(game_name)})(?:_|$)", "", file.stem)
    return re.sub(r"[^A-Za-z0-9.]+", "_", file_label).strip("_.")


def _register_pictures(
    addresses: Sequence[str], folder: Path | None, imported_folder: Path, unreadable_files: list[Unreadable]
) -> dict[str, str]:
    """Register the pictures that the folder has, and return their ids by address."""
    from games.common.datasets.clembench_pictures import find_picture_file, register_pictures

    if folder is None or not addresses:
        return {}
    picture_files = {
        address: file
        for address in dict.fromkeys(addresses)
        if (file := find_picture_file(address, folder)) is not None
    }
    if not picture_files:
        return {}
    picture_ids, rejected_files = register_pictures(picture_files, imported_folder)
    unreadable_files += [Unreadable(rejected_file.file, rejected_file.reason) for rejected_file in rejected_files]
    return picture_ids
