"""`ludens instances`: make the shipped instance files from their seeds, and check any of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.words import Failed, Wrong, say

if TYPE_CHECKING:
    from engine.catalogue import Catalogue

app = typer.Typer(help="Make and check files of instances.", no_args_is_help=True)


@app.command()
def make(
    selection: Annotated[list[str] | None, typer.Argument(help="GAME or GAME/VARIANT; all when left out.")] = None,
    seed: Annotated[int, typer.Option(help="Another seed gives another set.")] = 0,
    to: Annotated[Path | None, typer.Option(help="Folder to write to.  [default: instances]")] = None,
) -> None:
    """Make instance files from their seed; the shipped ones come out byte for byte."""
    from cli.settings import ROOT
    from engine.catalogue import Catalogue

    catalogue = Catalogue(ROOT, to)
    for game, variant in _chosen(catalogue, selection):
        path = catalogue.file(game, variant)
        text = catalogue.maker(game).make_file(variant, seed).encode()
        before = path.read_bytes() if path.exists() else None
        if before == text:
            say(f"{path}: unchanged")
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
        say(f"{path}: {'written' if before is None else 'changed'}")


def _chosen(catalogue: Catalogue, selection: list[str] | None) -> list[tuple[str, str]]:
    found = []
    for name in selection or catalogue.names:
        game, _, variant = name.strip("/").partition("/")
        there = [one.name for one in catalogue.game(game).variants]
        if variant and variant not in there:
            raise Wrong(f"{game} has no variant {variant!r}; there are: {', '.join(there)}")
        found += [(game, one) for one in there if variant in ("", one)]
    return found


@app.command()
def check(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Files of instances; the shipped ones when left out.")
    ] = None,
) -> None:
    """Check instances and name file, instance and field of whatever is wrong."""
    from cli.settings import ROOT
    from engine.catalogue import Catalogue

    catalogue = Catalogue(ROOT)
    shipped = [catalogue.file(game, variant) for game, variant in _chosen(catalogue, None)]
    checked = 0
    wrong: list[str] = []
    for path in files or shipped:
        number, faults = check_file(catalogue, path)
        checked += number
        wrong += faults
    for fault in wrong:
        say(fault)
    if wrong:
        raise Failed(f"{_number(len(wrong), 'fault')} in {_number(len(files or shipped), 'file')}")
    say(f"{_number(checked, 'instance')} in {_number(len(files or shipped), 'file')} are well")


def _number(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def check_file(catalogue: Catalogue, path: Path) -> tuple[int, list[str]]:
    """Return how many instances a file has, and a line for each fault: file, instance, field, what is wrong."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        return 0, [f"{path}: cannot be read: {error.strerror or error}"]
    except ValueError as error:
        return 0, [f"{path}: cannot be read: it is not JSON of instances ({error})"]
    try:
        game, variant, experiments = _parts(catalogue, data)
    except ValueError as error:
        return 0, [f"{path}: {error}"]
    known = {experiment.name for experiment in variant.experiments}
    maker = catalogue.maker(game.name)
    number, faults = 0, []
    for experiment, made in experiments.items():
        where = f"{path}: {game.name}/{variant.name}/{experiment}"
        if experiment not in known:
            faults.append(f"{where}: no such experiment; there are: {', '.join(sorted(known))}")
        if not isinstance(made, list):
            faults.append(f"{where}: a list of instances was expected, not {type(made).__name__}")
            continue
        for index, instance in enumerate(made):
            number += 1
            faults += [
                f"{where}/{index}: {fault}" for fault in _faults(maker, experiment, experiment in known, instance)
            ]
    return number, faults


def _parts(catalogue: Catalogue, data: Any) -> tuple[Any, Any, dict[str, Any]]:
    from engine.catalogue import UnknownSelection

    if not isinstance(data, dict):
        raise ValueError(f"an object was expected, not {type(data).__name__}")
    for field, kind in (("game", str), ("variant", str), ("experiments", dict)):
        if not isinstance(data.get(field), kind):
            raise ValueError(f"field {field}: {'missing' if field not in data else f'not {data[field]!r}'[:80]}")
    try:
        game = catalogue.game(data["game"])
        variant = game.variant(data["variant"])
    except UnknownSelection as error:
        raise ValueError(f"field game: {error}") from None
    except KeyError as error:
        raise ValueError(f"field variant: {error.args[0]}") from None
    return game, variant, data["experiments"]


def _faults(maker: Any, experiment: str, known: bool, data: Any) -> list[str]:
    from pydantic import ValidationError

    from engine.runs import faults_of

    try:
        instance = maker.load(data)
    except ValidationError as error:
        return [fault if fault.startswith("field ") else f"field {fault}" for fault in faults_of(error, data)]
    fault = maker.check(experiment, instance) if known else None
    return [fault] if fault else []
