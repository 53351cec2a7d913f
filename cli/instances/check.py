"""`ludens instances check`: name file, instance and field of every fault in instance files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.instances.variants import find_maker, select_variants
from cli.output import CommandFailed, plural, print_message

if TYPE_CHECKING:
    from engine.core.game import Game, InstanceMaker, Variant
    from engine.play.registry import Registry


def check(
    files: Annotated[list[Path] | None, typer.Argument(help="Instance files; the shipped ones if omitted.")] = None,
) -> None:
    """Check instance files.

    Names the file, instance and field of each fault.
    """
    from cli.settings import ROOT
    from engine.play.registry import Registry

    registry = Registry(ROOT)
    if not files:
        variants = select_variants(registry, None)
        files = [path for each in variants for path in (registry.file(*each), *registry.further_files(*each))]
    checked = 0
    faults: list[str] = []
    for path in files:
        count, faults_in_file = check_file(registry, path)
        checked += count
        faults += faults_in_file
    for fault in faults:
        print_message(fault)
    if faults:
        raise CommandFailed(f"{plural(len(faults), 'fault')} in {plural(len(files), 'file')}")
    print_message(f"{plural(checked, 'instance')} in {plural(len(files), 'file')}: no faults")


def check_file(registry: Registry, path: Path) -> tuple[int, list[str]]:
    """Return the number of instances in a file, and a line for each fault: file, instance, field, what is wrong."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        return 0, [f"{path}: cannot be read: {error.strerror or error}"]
    except ValueError as error:
        return 0, [f"{path}: cannot be read: not an instance file, because it is not JSON ({error})"]
    try:
        game, variant, experiments = _read_header(registry, data)
    except ValueError as error:
        return 0, [f"{path}: {error}"]
    rules = _experiment_rules(variant, data, experiments)
    maker = find_maker(game)
    count, faults = 0, []
    for experiment, instances in experiments.items():
        where = f"{path}: {game.name}/{variant.name}/{experiment}"
        if experiment not in rules:
            faults.append(f"{where}: no such experiment; there are: {', '.join(sorted(rules))}")
        if not isinstance(instances, list):
            faults.append(f"{where}: expected a list of instances, not {type(instances).__name__}")
            continue
        for index, instance in enumerate(instances):
            count += 1
            rule = rules.get(experiment)
            faults += [f"{where}/{index}: {fault}" for fault in _instance_faults(maker, game, rule, instance)]
    return count, faults


def _read_header(registry: Registry, data: Any) -> tuple[Game, Variant, dict[str, Any]]:
    """Return game, variant and experiments of an instance file. Raises ValueError with the field that is wrong."""
    from engine.play.registry import UnknownSelection

    if not isinstance(data, dict):
        raise ValueError(f"expected an object, not {type(data).__name__}")
    for field, kind in (("game", str), ("variant", str), ("experiments", dict)):
        if not isinstance(data.get(field), kind):
            raise ValueError(f"field {field}: {'missing' if field not in data else f'not {data[field]!r}'[:80]}")
    try:
        game = registry.game(data["game"])
        variant = game.variant(data["variant"])
    except UnknownSelection as error:
        raise ValueError(f"field game: {error}") from None
    except KeyError as error:
        raise ValueError(f"field variant: {error.args[0]}") from None
    return game, variant, data["experiments"]


def _experiment_rules(variant: Variant, data: dict[str, Any], experiments: dict[str, Any]) -> dict[str, str | None]:
    """Return the known experiments, each with the declared one whose rules its instances follow."""
    if isinstance(data.get("source"), dict):  # imported: played as they are, so they only must be readable
        return dict.fromkeys(experiments)
    rules: dict[str, str | None] = {experiment.name: experiment.name for experiment in variant.experiments}
    like = data.get("like")  # in experiments made from a set of pictures: the declared ones whose rules they follow
    if isinstance(like, dict):
        rules |= {name: str(other) for name, other in like.items() if other in rules}
    return rules


def _instance_faults(maker: InstanceMaker, game: Game, experiment: str | None, data: Any) -> list[str]:
    from pydantic import ValidationError

    from engine.play.plan_checks import validation_messages

    try:
        instance = maker.load(data)
    except ValidationError as error:
        return [fault if fault.startswith("field ") else f"field {fault}" for fault in validation_messages(error, data)]
    fault = (maker.check(experiment, instance) if experiment else None) or game.unsupported_reason(instance)
    return [fault] if fault else []
