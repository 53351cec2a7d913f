"""`ludens instances`: make instance files from seeds or from pictures, pick among candidates, and check any of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.words import Failed, Wrong, say

if TYPE_CHECKING:
    from rich.progress import Progress

    from engine.core.game import Game, InstanceMaker
    from engine.play.registry import Registry

app = typer.Typer(help="Make and check files of instances.", no_args_is_help=True)


@app.command()
def make(
    selection: Annotated[list[str] | None, typer.Argument(help="GAME or GAME/VARIANT; all when left out.")] = None,
    seed: Annotated[int, typer.Option(help="Another seed gives another set.")] = 0,
    to: Annotated[Path | None, typer.Option(help="Folder to write to.  [default: instances]")] = None,
    pictures: Annotated[
        str | None, typer.Option(help="Make further experiments from a set of `ludens assets`.")
    ] = None,
    clip: Annotated[Path | None, typer.Option(help="The folder of a CLIP model that judges likeness.")] = None,
    each: Annotated[int | None, typer.Option(min=1, help="Pairs per experiment.  [default: 10]")] = None,
    candidates: Annotated[int | None, typer.Option(min=1, help="Make so many, for `instances pick`.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Look at no more pictures of the set.")] = None,
) -> None:
    """Make instance files from their seed; the shipped ones come out byte for byte.

    With --pictures SET, make experiments with the pictures of that set, chosen by the procedure of the paper.
    """
    from cli.settings import ROOT
    from engine.play.registry import Registry

    registry = Registry(ROOT, to)
    if pictures is not None:
        _make_from_pictures(registry, selection, pictures, seed, clip, each or 10, candidates, limit)
        return
    for option, value in (("clip", clip), ("each", each), ("candidates", candidates), ("limit", limit)):
        if value is not None:
            raise Wrong(f"--{option} goes with --pictures SET; the shipped sets need it not")
    for game, variant in _chosen(registry, selection):
        path = registry.file(game, variant)
        try:
            text = _maker(registry.game(game)).make_file(variant, seed).encode()
        except ValueError as error:  # too few pictures to choose from
            raise Failed(f"{path}: {error}") from None
        before = path.read_bytes() if path.exists() else None
        if before == text:
            say(f"{path}: unchanged")
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
        say(f"{path}: {'written' if before is None else 'changed'}")


def _maker(game: Game) -> InstanceMaker:
    maker = game.instance_maker()
    if maker is None:
        raise Wrong(f"the instances of {game.name} are written by hand: there is nothing to make")
    return maker


def _make_from_pictures(
    registry: Registry,
    selection: list[str] | None,
    name: str,
    seed: int,
    clip: Path | None,
    each: int,
    candidates: int | None,
    limit: int | None,
) -> None:
    from cli.settings import load
    from games.common import pairs
    from games.common.datasets.source import spread_evenly
    from games.common.pictures import LIBRARY, import_hint
    from games.common.similarity import ClipSimilarity, HashSimilarity, Similarity, UnusableClipModel

    games = {one.strip("/").partition("/")[0] for one in selection or ()}
    if len(games) != 1:
        raise Wrong("--pictures makes instances of one game: ludens instances make matchit --pictures SET")
    game = games.pop()
    maker = registry.game(game).picture_pair_maker()
    if maker is None:
        raise Wrong(f"{game} makes no instances from pictures; matchit does")
    load()
    sets = {one.name: one for one in LIBRARY.sets()}
    if name not in sets:
        why = LIBRARY.broken.get(name) or f"there are: {', '.join(sets) or 'none'}; {import_hint(name)}"
        raise Wrong(f"no set of pictures {name!r}: {why}")
    with progress_bar() as bar:
        task = bar.add_task("pictures", total=None)
        try:
            similarity: Similarity = ClipSimilarity(LIBRARY, clip) if clip else HashSimilarity(LIBRARY)
            ids = spread_evenly(LIBRARY.ids(set=name), limit)
            bar.update(task, total=len(ids))
            known = pairs.LabelIndex(LIBRARY, ids, lambda done: bar.update(task, completed=done))
            bar.update(task, description="pairs", total=min(len(known.ids), pairs.TRIED))
            found = pairs.choose_pairs(
                known,
                similarity,
                seed,
                max(each, candidates or 0),
                least=each if candidates else None,
                progress=lambda done: bar.update(task, completed=done),
            )
        except UnusableClipModel as error:
            raise Wrong(str(error)) from None
        except pairs.TooFewPairs as error:
            raise Failed(f"too few pictures of {name}: {error}") from None
        except KeyError as error:  # UnknownPicture
            raise Failed(str(error)) from None
    path = registry.file(game, maker.VARIANT).with_name(f"{maker.VARIANT}.{name}.json")
    if candidates:
        path = path.parent / "candidates" / path.name
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, maker.text_of(maker.content(sets[name], similarity.name, seed, found)))
    counts = ", ".join(f"{len(made)} {relation}" for relation, made in found.items())
    say(f"{path}: {counts}; similarity by {similarity.name}")
    if candidates:
        say(f"`ludens instances pick {path}` lets you accept or reject them")


def progress_bar() -> Progress:
    """Return a progress bar on standard error that is silent where nobody watches."""
    import sys

    from rich.console import Console
    from rich.progress import Progress

    return Progress(console=Console(stderr=True, quiet=not sys.stderr.isatty()), transient=True)


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there as a whole or as it was before."""
    import os

    aside = path.with_name(f".{path.name}.{os.getpid()}")
    aside.write_text(text, encoding="utf-8")
    aside.replace(path)


def _chosen(registry: Registry, selection: list[str] | None) -> list[tuple[str, str]]:
    found = []
    for name in selection or registry.names:
        game, _, variant = name.strip("/").partition("/")
        there = [one.name for one in registry.game(game).variants]
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
    from engine.play.registry import Registry

    registry = Registry(ROOT)
    chosen = _chosen(registry, None)
    shipped = [file for one in chosen for file in (registry.file(*one), *registry.further_files(*one))]
    checked = 0
    wrong: list[str] = []
    for path in files or shipped:
        number, faults = check_file(registry, path)
        checked += number
        wrong += faults
    for fault in wrong:
        say(fault)
    if wrong:
        raise Failed(f"{_number(len(wrong), 'fault')} in {_number(len(files or shipped), 'file')}")
    say(f"{_number(checked, 'instance')} in {_number(len(files or shipped), 'file')} are well")


def _number(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def check_file(registry: Registry, path: Path) -> tuple[int, list[str]]:
    """Return how many instances a file has, and a line for each fault: file, instance, field, what is wrong."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        return 0, [f"{path}: cannot be read: {error.strerror or error}"]
    except ValueError as error:
        return 0, [f"{path}: cannot be read: it is not JSON of instances ({error})"]
    try:
        game, variant, experiments = _parts(registry, data)
    except ValueError as error:
        return 0, [f"{path}: {error}"]
    like = data.get("like") if isinstance(data.get("like"), dict) else {}  # experiments made from a set of pictures
    known: dict[str, str | None] = {experiment.name: experiment.name for experiment in variant.experiments}
    known |= {name: str(other) for name, other in like.items() if other in known}
    maker = _maker(game)
    if isinstance(data.get("source"), dict):  # imported: played as it is, and only has to be readable
        known = dict.fromkeys(experiments)
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
            faults += [f"{where}/{index}: {fault}" for fault in _faults(maker, game, known.get(experiment), instance)]
    return number, faults


def _parts(registry: Registry, data: Any) -> tuple[Any, Any, dict[str, Any]]:
    from engine.play.registry import UnknownSelection

    if not isinstance(data, dict):
        raise ValueError(f"an object was expected, not {type(data).__name__}")
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


def _faults(maker: Any, game: Any, experiment: str | None, data: Any) -> list[str]:
    from pydantic import ValidationError

    from engine.play.plan_checks import validation_messages

    try:
        instance = maker.load(data)
    except ValidationError as error:
        return [fault if fault.startswith("field ") else f"field {fault}" for fault in validation_messages(error, data)]
    fault = (maker.check(experiment, instance) if experiment else None) or game.unsupported_reason(instance)
    return [fault] if fault else []
