"""`ludens import clembench`: result folders become episodes of the log, instance files become further experiments.

Episodes are replayed and scored, and their scores are compared with the published ones. Existing episodes stay
unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.imports.clembench_instances import ImportedExperiments, UnreadableSource, import_entries
from cli.options import DbOption, check_format
from cli.output import CommandFailed, UsageError, make_progress_bar, print_data, print_json, print_message

if TYPE_CHECKING:
    from engine.core.events import Json
    from engine.formats.clembench.files import UnreadableFile
    from engine.play.registry import Registry
    from engine.storage.store import Store

OUTPUT_FORMATS = ("text", "json")


@dataclass(frozen=True)
class ImportedEpisode:
    """An imported episode, with its scores and how they differ from the published ones."""

    source: str
    episode: str
    new: bool
    instance: str
    outcome: str
    published_main_score: float | None
    main_score: float | None
    main_score_matches: bool | None
    explained: str | None
    differences: list[Json]
    reworded_messages: int
    surplus_replies: int


def import_clembench(
    path: Annotated[Path, typer.Argument(help="A folder with results or instance files, or one instance file.")],
    pictures: Annotated[Path | None, typer.Option(help="The folder with the pictures of the instance files.")] = None,
    to: Annotated[Path | None, typer.Option(help="Folder to write instance files to.  [default: instances]")] = None,
    format: Annotated[str, typer.Option("--format", help="text or json")] = "text",
    db: DbOption = None,
) -> None:
    """Import results and instances of clembench.

    Adds the episodes of result folders to the log, and instance files as further experiments.
    """
    from cli.log_access import build_registry
    from cli.settings import load_settings
    from engine.formats.clembench.files import find_files

    check_format(format, OUTPUT_FORMATS)
    for input_path in (path, pictures):
        if input_path is not None and not input_path.exists():
            raise UsageError(f"{input_path} does not exist")
    settings = load_settings(db=db)
    registry = build_registry(settings)
    registry.instances = to or registry.instances
    source_files = find_files(path)
    unreadable_files = [_make_unreadable_source(error) for error in source_files.unreadable_files]
    episodes = _import_episodes(registry, settings.db, path, source_files.episode_folders, unreadable_files)
    experiments = _import_instance_files(
        registry, path, source_files.instance_files, pictures, settings.imported, unreadable_files
    )
    if not (episodes or experiments or unreadable_files):
        raise CommandFailed(f"{path} contains neither interactions.json nor an instance file")
    if format == "json":
        report_json = {
            "episodes": [asdict(episode) for episode in episodes],
            "instances": [asdict(written_experiment) for written_experiment in experiments],
            "unreadable": [asdict(unreadable_file) for unreadable_file in unreadable_files],
        }
        print_json(report_json, allow_nan=False)
    else:
        _print_report(episodes, experiments)
    for unreadable_file in unreadable_files:
        print_message(unreadable_file.sentence)
    if unreadable_files:
        raise CommandFailed(
            f"{len(unreadable_files)} could not be read; everything else is imported. "
            "Correct these and import again: what is in the log stays as it is"
        )


def _make_unreadable_source(error: UnreadableFile, source_path: Path | None = None) -> UnreadableSource:
    """Return what cannot be read; without a path the one that the message begins with."""
    return UnreadableSource(str(source_path or str(error).partition(": ")[0]), str(error))


# ---------------------------------------------------------------------- episodes
def _import_episodes(
    registry: Registry,
    db_path: Path,
    source_path: Path,
    episode_folders: Sequence[Path],
    unreadable_files: list[UnreadableSource],
) -> list[ImportedEpisode]:
    from cli.log_access import check_writable
    from engine.formats.clembench.files import UnreadableFile, read_index
    from engine.storage.store import Store

    if not episode_folders:
        return []
    check_writable(db_path)
    results_index, damaged_lines = read_index(source_path)
    unreadable_files += [_make_unreadable_source(error) for error in damaged_lines]
    imported_episodes = []
    with Store(db_path, purpose="import") as store, make_progress_bar() as progress:
        for episode_folder in progress.track(episode_folders, description="episodes"):
            try:
                imported_episodes.append(_import_episode(store, registry, source_path, episode_folder, results_index))
            except UnreadableFile as error:
                unreadable_files.append(_make_unreadable_source(error, episode_folder))
    return imported_episodes


def _import_episode(
    store: Store, registry: Registry, source_path: Path, episode_folder: Path, results_index: Any
) -> ImportedEpisode:
    from engine.formats.clembench import episodes as formats
    from engine.formats.clembench import files
    from engine.play.plans import read_ludens_version

    recorded_episode = formats.read_episode(episode_folder, source_path, results_index, registry)
    replayed_episode = formats.replay_episode(recorded_episode, registry, read_ludens_version())
    try:
        scores, comparison = formats.compare_scores(recorded_episode, replayed_episode, registry)
    except files.DAMAGED_FILE_ERRORS as error:
        raise files.UnreadableFile(
            f"{episode_folder / 'scores.json'}: {files.describe_error(error)}: correct the file, or delete it "
            "to import the "
            "episode without published scores"
        ) from None
    plan_key = replayed_episode.plan_key or (
        None if replayed_episode.episode else f"{formats.CLEMBENCH_PREFIX}:{recorded_episode.episode_key}"
    )
    episode, is_new = store.import_episode(
        replayed_episode.start,
        replayed_episode.log,
        key=plan_key,
        origin=replayed_episode.origin,
        episode=replayed_episode.episode,
    )
    if is_new:
        store.set_scores([(episode, registry.scores_version(replayed_episode.start.game), scores)])
    return ImportedEpisode(
        source=recorded_episode.source,
        episode=episode,
        new=is_new,
        instance=replayed_episode.start.instance_id,
        outcome=replayed_episode.log[-1].data["kind"],
        published_main_score=comparison.published_score,
        main_score=comparison.own_score,
        main_score_matches=comparison.matches,
        explained=comparison.explanation,
        differences=comparison.differences,
        reworded_messages=replayed_episode.reworded_messages,
        surplus_replies=replayed_episode.surplus_replies,
    )


# ---------------------------------------------------------------------- instances
def _import_instance_files(
    registry: Registry,
    source_path: Path,
    instance_files: Sequence[Path],
    pictures_folder: Path | None,
    imported_folder: Path,
    unreadable_files: list[UnreadableSource],
) -> list[ImportedExperiments]:
    from engine.formats.clembench.episodes import read_entries
    from engine.formats.clembench.files import NotAnInstanceFile, UnreadableFile

    experiments: list[ImportedExperiments] = []
    for instance_file in instance_files:
        try:
            instance_entries, unreadable_entries = read_entries(instance_file, registry)
        except UnreadableFile as error:
            if source_path.is_file() or not isinstance(error, NotAnInstanceFile):
                unreadable_files.append(_make_unreadable_source(error, instance_file))
            continue
        unreadable_files += [_make_unreadable_source(error, instance_file) for error in unreadable_entries]
        experiments += import_entries(
            registry, instance_file, instance_entries, pictures_folder, imported_folder, unreadable_files
        )
    return experiments


# ---------------------------------------------------------------------- printing
def _print_report(episodes: Sequence[ImportedEpisode], experiments: Sequence[ImportedExperiments]) -> None:
    for episode in episodes:
        _print_episode(episode)
    for experiment in experiments:
        instance_count = sum(experiment.experiments.values())
        print_data(
            f"{experiment.source}: {instance_count} instances of {experiment.game}/{experiment.variant} in "
            f"{experiment.file}"
        )
        if experiment.missing_pictures:
            print_data(
                f"    {len(experiment.missing_pictures)} pictures are missing; --pictures FOLDER names their folder:"
            )
            for address in experiment.missing_pictures:
                print_data(f"      {address}")
    if episodes:
        new_count = sum(episode.new for episode in episodes)
        print_message(f"{len(episodes)} episodes, {new_count} of them new. `ludens replay EPISODE` shows one")


def _print_episode(episode: ImportedEpisode) -> None:
    score_text = "–" if episode.main_score is None else f"{episode.main_score:.2f}"
    published_text = "–" if episode.published_main_score is None else f"{episode.published_main_score:.2f}"
    verdict = {True: "equal", False: "different", None: "none published"}[episode.main_score_matches]
    print_data(f"{episode.source}: {episode.outcome}, main score {score_text}, published {published_text}: {verdict}")
    if episode.explained:
        print_data(f"    {episode.explained}")
    for difference in episode.differences:
        if difference["name"] != "Main Score":
            values_text = f"{difference['published']} published, {difference['ours']} ours"
            print_data(f"    {difference['name']}: {values_text}: {difference['why'] or 'no reason known'}")
