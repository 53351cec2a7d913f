"""`ludens instances check`: name file, instance and field of every fault in instance files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.instances.variants import select_variants
from cli.output import CommandFailed, print_message
from engine.core.wording import plural

if TYPE_CHECKING:
    from engine.core.game import Game, Variant
    from engine.play.registry import Registry


def check_instances(
    files: Annotated[list[Path] | None, typer.Argument(help="Instance files; those of all games if omitted.")] = None,
) -> None:
    """Check instance files.

    Names the file, instance and field of each fault.
    """
    from cli.log_access import build_registry
    from cli.settings import load_settings

    registry = build_registry(load_settings().model_copy(update={"instances": None}))
    if not files:
        variant_keys = select_variants(registry, None)
        files = [
            file_path
            for variant_key in variant_keys
            for file_path in (registry.file(*variant_key), *registry.list_further_files(*variant_key))
        ]
    checked_count = 0
    faults: list[str] = []
    for file_path in files:
        instances_in_file, faults_in_file = check_file(registry, file_path)
        checked_count += instances_in_file
        faults += faults_in_file
    for fault in faults:
        print_message(fault)
    if faults:
        raise CommandFailed(f"{plural(len(faults), 'fault')} in {plural(len(files), 'file')}")
    print_message(f"{plural(checked_count, 'instance')} in {plural(len(files), 'file')}: no faults")


def check_file(registry: Registry, file_path: Path) -> tuple[int, list[str]]:
    """Return the number of instances in a file, and a line for each fault: file, instance, field, what is wrong."""
    try:
        file_data = json.loads(file_path.read_text(encoding="utf-8"))
    except OSError as error:
        return 0, [f"{file_path}: cannot be read: {error.strerror or error}"]
    except ValueError as error:
        return 0, [f"{file_path}: cannot be read: not an instance file, because it is not JSON ({error})"]
    try:
        game, variant, experiments = _read_header(registry, file_data, _find_variant(registry, file_path))
    except ValueError as error:
        return 0, [f"{file_path}: {error}"]
    experiment_rules = _map_rules(variant, file_data, experiments)
    instance_count, faults = 0, []
    for experiment, instances in experiments.items():
        location = f"{file_path}: {game.name}/{variant.name}/{experiment}"
        if experiment not in experiment_rules:
            faults.append(f"{location}: no such experiment; there are: {', '.join(sorted(experiment_rules))}")
        if not isinstance(instances, list):
            faults.append(f"{location}: expected a list of instances, not {type(instances).__name__}")
            continue
        for index, instance in enumerate(instances):
            instance_count += 1
            experiment_rule = experiment_rules.get(experiment)
            faults += [
                f"{location}/{index}: {fault}" for fault in _find_instance_faults(game, experiment_rule, instance)
            ]
    return instance_count, faults


def _find_variant(registry: Registry, file_path: Path) -> dict[str, str]:
    """Return game and variant of an `instances.json` in the folder of a game, which need not name them."""
    if file_path.name != "instances.json":
        return {}
    for game_name, game in registry.games.items():
        for variant in game.variants:
            if registry.file(game_name, variant.name).resolve() == file_path.resolve():
                return {"game": game_name, "variant": variant.name}
    return {}


def _read_header(registry: Registry, file_data: Any, owner: dict[str, str]) -> tuple[Game, Variant, dict[str, Any]]:
    """Return game, variant and experiments of an instance file. Raises ValueError with the field that is wrong."""
    from engine.play.registry import UnknownSelection, parse_instances

    if owner:
        file_data = {
            **owner,
            **(file_data if isinstance(file_data, dict) else {}),
            "experiments": parse_instances(file_data)[0],
        }
    if not isinstance(file_data, dict):
        raise ValueError(f"expected an object, not {type(file_data).__name__}")
    for field_name, field_type in (("game", str), ("variant", str), ("experiments", dict)):
        if not isinstance(file_data.get(field_name), field_type):
            raise ValueError(
                f"field {field_name}: "
                f"{'missing' if field_name not in file_data else f'not {file_data[field_name]!r}'[:80]}"
            )
    try:
        game = registry.game(file_data["game"])
        variant = game.variant(file_data["variant"])
    except UnknownSelection as error:
        raise ValueError(f"field game: {error}") from None
    except KeyError as error:
        raise ValueError(f"field variant: {error.args[0]}") from None
    return game, variant, file_data["experiments"]


def _map_rules(variant: Variant, file_data: Any, experiments: dict[str, Any]) -> dict[str, str | None]:
    """Return the known experiments, each with the declared one whose rules its instances follow."""
    is_imported = isinstance(file_data, dict) and isinstance(file_data.get("source"), dict)
    if is_imported or not variant.experiments:  # played as they are, so they only must be readable
        return dict.fromkeys(experiments)
    rule_map: dict[str, str | None] = {experiment.name: experiment.name for experiment in variant.experiments}
    # in experiments made from a set of pictures, `like` names the declared ones whose rules they follow
    declared_name_by_experiment = file_data.get("like") if isinstance(file_data, dict) else None
    if isinstance(declared_name_by_experiment, dict):
        rule_map |= {
            experiment: str(declared_name)
            for experiment, declared_name in declared_name_by_experiment.items()
            if declared_name in rule_map
        }
    return rule_map


def _find_instance_faults(game: Game, experiment: str | None, instance_data: Any) -> list[str]:
    from pydantic import ValidationError

    from engine.play.plan_checks import list_messages

    instance_maker = game.instance_maker()
    try:
        instance = (instance_maker or game).load(instance_data)
    except ValidationError as error:
        return [
            fault if fault.startswith("field ") else f"field {fault}" for fault in list_messages(error, instance_data)
        ]
    fault = (
        instance_maker.check(experiment, instance) if instance_maker and experiment else None
    ) or game.unsupported_reason(instance)
    return [fault] if fault else []
