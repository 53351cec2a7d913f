"""`ludens import`: episodes and instances of other programs, made ours.

`clembench DIR` takes result folders into the log, replayed and scored beside the published numbers, and instance files
into the folder of instances, as further experiments. What is here already stays as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.options import Db
from cli.words import Failed, Wrong, out, say

if TYPE_CHECKING:
    from engine.formats.clembench.episodes import InstanceEntry
    from engine.play.registry import Registry
    from engine.storage.store import Store

app = typer.Typer(help="Read episodes and instances of other programs.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    pass


@app.command()
def clembench(
    path: Annotated[Path, typer.Argument(help="A folder of results or of instance files, or one such file.")],
    pictures: Annotated[
        Path | None, typer.Option(help="The folder in which the pictures of instance files are looked for.")
    ] = None,
    to: Annotated[Path | None, typer.Option(help="Folder of instances to write to.  [default: instances]")] = None,
    format: Annotated[str, typer.Option("--format", help="text or json")] = "text",
    db: Db = None,
) -> None:
    """Import result folders (into the log) and instance files (as further experiments) of clembench."""
    from cli.settings import load
    from cli.stored import registry_of, writable
    from engine.formats.clembench import episodes as theirs

    if format not in ("text", "json"):
        raise Wrong(f"no format {format!r}; there are: text, json")
    for given in (path, pictures):
        if given is not None and not given.exists():
            raise Wrong(f"{given} is not there")
    settings = load(db=db)
    registry = registry_of(settings)
    registry.instances = to or registry.instances
    unreadable: list[dict[str, str]] = []
    episodes: list[dict[str, Any]] = []
    sets: list[dict[str, Any]] = []
    folders = theirs.episode_folders(path) if path.is_dir() else []
    if folders:
        from engine.storage.store import Store

        writable(settings.db)
        with Store(settings.db, purpose="import") as store:
            episodes = _episodes(store, registry, path, folders, unreadable)
    for file in theirs.instance_files(path):
        try:
            found = theirs.read_entries(file, registry)
        except theirs.UnreadableFile as error:
            if path.is_file() or not isinstance(error, theirs.NotAnInstanceFile):
                unreadable.append({"source": str(file), "why": str(error)})
            continue
        sets += _instances(registry, file, found, pictures, settings.imported, unreadable)
    if not (episodes or sets or unreadable):
        raise Failed(f"{path}: neither interactions.json nor a file of instances is in it")
    if format == "json":
        report = {"episodes": episodes, "instances": sets, "unreadable": unreadable}
        out(json.dumps(report, ensure_ascii=False, indent=1, allow_nan=False))
    else:
        _tell(episodes, sets)
    for one in unreadable:
        say(f"{one['source']}: {one['why']}")
    if unreadable:
        raise Failed(f"{len(unreadable)} could not be read; everything else is imported")


# ---------------------------------------------------------------------- episodes
def _episodes(
    store: Store, registry: Registry, root: Path, folders: Sequence[Path], unreadable: list[dict[str, str]]
) -> list[dict[str, Any]]:
    from cli.instances import progress_bar
    from engine.formats.clembench import episodes as theirs

    index = theirs.read_index(root)
    made = []
    with progress_bar() as bar:
        for folder in bar.track(folders, description="episodes"):
            try:
                made.append(_episode(store, registry, root, folder, index))
            except theirs.UnreadableFile as error:
                unreadable.append({"source": str(folder), "why": str(error)})
    return made


def _episode(store: Store, registry: Registry, root: Path, folder: Path, index: Any) -> dict[str, Any]:
    from engine.formats.clembench import episodes as theirs
    from engine.play.plans import ludens_version

    recorded = theirs.read_episode(folder, root, index, registry)
    replayed = theirs.replay(recorded, registry, ludens_version())
    try:
        scores, compared = theirs.compare(recorded, replayed, registry)
    except theirs.DAMAGED as error:
        raise theirs.UnreadableFile(f"its scores.json cannot be used: {theirs.short_error(error)}") from None
    key = replayed.plan_key or (None if replayed.episode else f"{theirs.PREFIX}:{recorded.key}")
    episode, new = store.import_episode(
        replayed.start, replayed.log, key=key, origin=replayed.origin, episode=replayed.episode
    )
    if new:
        store.set_scores([(episode, registry.scores_version(replayed.start.game), scores)])
    return {
        "source": recorded.source,
        "episode": episode,
        "new": new,
        "instance": replayed.start.instance_id,
        "outcome": replayed.log[-1].data["kind"],
        "published_main_score": compared.published,
        "main_score": compared.ours,
        "main_score_matches": compared.matches,
        "explained": compared.explanation,
        "differences": compared.differences,
        "reworded_messages": replayed.reworded,
        "surplus_replies": replayed.surplus,
    }


# ---------------------------------------------------------------------- instances
def _instances(
    registry: Registry,
    file: Path,
    found: Sequence[InstanceEntry],
    pictures: Path | None,
    imported: Path,
    unreadable: list[dict[str, str]],
) -> list[dict[str, Any]]:
    """Write the entries of a file as further experiments; return what was written, a line per variant."""
    from pydantic import ValidationError

    from cli.instances import write_whole
    from engine.formats.clembench import episodes as theirs
    from engine.play.plan_checks import validation_messages
    from games.common.datasets import clembench_pictures

    experiments: dict[tuple[str, str, str], dict[str, list[Any]]] = {}
    wanted: dict[tuple[str, str, str], list[str]] = {}
    shown = {id(entry): _addresses(registry, entry) for entry in found}
    ids = _pictures([one for each in shown.values() for one in each], pictures, imported, unreadable)
    for entry in found:
        game, family, named = theirs.family_of(registry, entry.data)
        place = (game.name, family.VARIANTS[named], named)
        label = _label(file, named)
        experiment = "-".join(filter(None, (theirs.PREFIX, label, entry.experiment.replace("/", "-"))))
        try:
            data = {**family.instance(entry.data, ids), "theirs": entry.data}
            game.load(data)
        except theirs.DAMAGED as error:
            why = (
                "; ".join(validation_messages(error))
                if isinstance(error, ValidationError)
                else theirs.short_error(error)
            )
            where = f"{file}: {entry.experiment}/{entry.data.get('game_id')}"
            unreadable.append({"source": where, "why": why})
            continue
        experiments.setdefault(place, {}).setdefault(experiment, []).append(data)
        wanted.setdefault(place, []).extend(shown[id(entry)])
    made = []
    for (name, variant, named), sets in experiments.items():
        target = registry.file(name, variant)
        target = target.with_name("-".join(filter(None, (f"{variant}.{theirs.PREFIX}", _label(file, named)))) + ".json")
        data = {
            "game": name,
            "variant": variant,
            "version": 1,
            "source": {"format": theirs.PREFIX, "game": named, "file": file.name},
            "titles": {one: f"{one.removeprefix(theirs.PREFIX + '-')} of clembench's {named}" for one in sets},
            "experiments": sets,
        }
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, json.dumps(data, ensure_ascii=False, indent=1) + "\n")
        made.append(
            {
                "source": str(file),
                "file": str(target),
                "game": name,
                "variant": variant,
                "experiments": {one: len(instances) for one, instances in sets.items()},
                "missing_pictures": clembench_pictures.missing_addresses(wanted[name, variant, named], ids),
            }
        )
    return made


def _addresses(registry: Registry, entry: InstanceEntry) -> list[str]:
    """Return the addresses of an entry's pictures; of a damaged one none, it is named later."""
    from engine.formats.clembench import episodes as theirs

    try:
        return theirs.family_of(registry, entry.data)[1].pictures(entry.data)
    except theirs.DAMAGED:
        return []


def _label(file: Path, game: str) -> str:
    """Return what tells a file of a game from its others: "" of instances.json, "v1.6" of instances_v1.6.json."""
    rest = re.sub(rf"^(?:instances|{re.escape(game)})(?:_|$)", "", file.stem)
    return re.sub(r"[^A-Za-z0-9.]+", "_", rest).strip("_.")


def _pictures(
    addresses: Sequence[str], folder: Path | None, imported: Path, unreadable: list[dict[str, str]]
) -> dict[str, str]:
    """Register the pictures that are in the folder; return their ids by address."""
    from games.common.datasets import clembench_pictures

    if folder is None or not addresses:
        return {}
    files = {
        address: file
        for address in dict.fromkeys(addresses)
        if (file := clembench_pictures.find_picture_file(address, folder))
    }
    if not files:
        return {}
    ids, faults = clembench_pictures.register_pictures(files, imported)
    unreadable += [{"source": fault.file, "why": fault.reason} for fault in faults]
    return ids


def _tell(episodes: Sequence[dict[str, Any]], sets: Sequence[dict[str, Any]]) -> None:
    for one in episodes:
        score = "–" if one["main_score"] is None else f"{one['main_score']:.2f}"
        published = "–" if one["published_main_score"] is None else f"{one['published_main_score']:.2f}"
        state = {True: "equal", False: "different", None: "none published"}[one["main_score_matches"]]
        out(f"{one['source']}: {one['outcome']}, main score {score}, published {published}: {state}")
        for line in [one["explained"]] if one["explained"] else []:
            out(f"    {line}")
        for difference in one["differences"]:
            if difference["name"] != "Main Score":
                why = difference["why"] or "no reason known"
                out(f"    {difference['name']}: {difference['published']} published, {difference['ours']} ours: {why}")
    for one in sets:
        number = sum(one["experiments"].values())
        out(f"{one['source']}: {number} instances of {one['game']}/{one['variant']} in {one['file']}")
        if one["missing_pictures"]:
            out(f"    {len(one['missing_pictures'])} pictures are missing; --pictures FOLDER says where they are:")
            for address in one["missing_pictures"]:
                out(f"      {address}")
    if episodes:
        new = sum(one["new"] for one in episodes)
        say(f"{len(episodes)} episodes, {new} of them new. `ludens replay EPISODE` shows one")
