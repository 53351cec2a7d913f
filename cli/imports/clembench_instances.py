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
class UnreadableSource:
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
    instance_file: Path,
    instance_entries: Sequence[InstanceEntry],
    pictures_folder: Path | None,
    imported_folder: Path,
    unreadable_files: list[UnreadableSource],
) -> list[ImportedExperiments]:
    """Write the entries of a file as further experiments, and return what was written for each variant."""
    from games.common.datasets.clembench_pictures import missing_addresses

    addresses_by_entry = {id(entry): _find_picture_addresses(registry, entry) for entry in instance_entries}
    all_addresses = [address for entry_addresses in addresses_by_entry.values() for address in entry_addresses]
    picture_ids = _register_pictures(all_addresses, pictures_folder, imported_folder, unreadable_files)
    experiments_by_variant: dict[_TargetVariant, dict[str, list[Any]]] = {}
    used_addresses: dict[_TargetVariant, list[str]] = {}
    for entry in instance_entries:
        if converted_entry := _convert_entry(registry, instance_file, entry, picture_ids, unreadable_files):
            target_variant, experiment, instance = converted_entry
            experiments_by_variant.setdefault(target_variant, {}).setdefault(experiment, []).append(instance)
            used_addresses.setdefault(target_variant, []).extend(addresses_by_entry[id(entry)])
    return [
        ImportedExperiments(
            source=str(instance_file),
            file=str(_write_experiments(registry, instance_file, target_variant, instances_by_experiment)),
            game=target_variant.game,
            variant=target_variant.variant,
            experiments={experiment: len(instances) for experiment, instances in instances_by_experiment.items()},
            missing_pictures=missing_addresses(used_addresses[target_variant], picture_ids),
        )
        for target_variant, instances_by_experiment in experiments_by_variant.items()
    ]


def _convert_entry(
    registry: Registry,
    instance_file: Path,
    entry: InstanceEntry,
    picture_ids: dict[str, str],
    unreadable_files: list[UnreadableSource],
) -> tuple[_TargetVariant, str, dict[str, Any]] | None:
    """Return the target, the experiment and the instance of ours for an entry; None for a damaged one."""
    from pydantic import ValidationError

    from engine.formats.clembench import episodes as formats
    from engine.formats.clembench import files
    from engine.play.plan_checks import list_messages

    game, mapping, clembench_game = formats.find_game_and_mapping(registry, entry.entry_json)
    try:
        instance = {
            **mapping.instance(entry.entry_json, picture_ids),
            "theirs": mapping.reword_for_players(entry.entry_json),
        }
        game.load(instance)
    except files.DAMAGED_FILE_ERRORS as error:
        faults = list_messages(error) if isinstance(error, ValidationError) else [files.describe_error(error)]
        fault_text = "; ".join(faults)
        unreadable_files.append(
            UnreadableSource(
                str(instance_file), f"{instance_file}: {entry.experiment}, entry {entry.entry_number}: {fault_text}"
            )
        )
        return None
    file_label = _make_file_label(instance_file, clembench_game)
    experiment = "-".join(filter(None, (formats.CLEMBENCH_PREFIX, file_label, entry.experiment)))
    return _TargetVariant(game.name, mapping.VARIANTS[clembench_game], clembench_game), experiment, instance


def _write_experiments(
    registry: Registry, source_file: Path, target_variant: _TargetVariant, instances_by_experiment: dict[str, list[Any]]
) -> Path:
    """Write experiments beside the variant's own instance file, and return the path."""
    from engine.formats.clembench.episodes import CLEMBENCH_PREFIX

    file_label = _make_file_label(source_file, target_variant.clembench_game)
    file_stem = "-".join(filter(None, (f"{target_variant.variant}.{CLEMBENCH_PREFIX}", file_label)))
    experiments_path = registry.file(target_variant.game, target_variant.variant).with_name(f"{file_stem}.json")
    experiment_titles = {
        experiment: f"{experiment.removeprefix(CLEMBENCH_PREFIX + '-')} of clembench's {target_variant.clembench_game}"
        for experiment in instances_by_experiment
    }
    file_data = {
        "game": target_variant.game,
        "variant": target_variant.variant,
        "version": 1,
        "source": {"format": CLEMBENCH_PREFIX, "game": target_variant.clembench_game, "file": source_file.name},
        "titles": experiment_titles,
        "experiments": instances_by_experiment,
    }
    experiments_path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(experiments_path, json.dumps(file_data, ensure_ascii=False, indent=1) + "\n")
    return experiments_path


def _find_picture_addresses(registry: Registry, instance_entry: InstanceEntry) -> list[str]:
    """Return the addresses of an entry's pictures; none for a damaged entry, which is reported later."""
    from engine.formats.clembench import episodes as formats
    from engine.formats.clembench import files

    try:
        return formats.find_game_and_mapping(registry, instance_entry.entry_json)[1].pictures(instance_entry.entry_json)
    except files.DAMAGED_FILE_ERRORS:
        return []


def _make_file_label(instance_file: Path, game_name: str) -> str:
    """Return what distinguishes the files of a game: "" for instances.json, "v1.6" for instances_v1.6.json."""
    file_label = re.sub(rf"^(?:instances|{re.escape(game_name)})(?:_|$)", "", instance_file.stem)
    return re.sub(r"[^A-Za-z0-9.]+", "_", file_label).strip("_.")


def _register_pictures(
    picture_addresses: Sequence[str],
    pictures_folder: Path | None,
    imported_folder: Path,
    unreadable_files: list[UnreadableSource],
) -> dict[str, str]:
    """Register the pictures that the folder has, and return their ids by address."""
    from games.common.datasets.clembench_pictures import find_picture_file, register_pictures

    if pictures_folder is None or not picture_addresses:
        return {}
    picture_files = {
        picture_address: picture_file
        for picture_address in dict.fromkeys(picture_addresses)
        if (picture_file := find_picture_file(picture_address, pictures_folder)) is not None
    }
    if not picture_files:
        return {}
    picture_ids, rejected_files = register_pictures(picture_files, imported_folder)
    unreadable_files += [UnreadableSource(rejected_file.file, rejected_file.reason) for rejected_file in rejected_files]
    return picture_ids
