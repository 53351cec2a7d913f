"""`ludens instances make`: write instance files from their seeds, or from a set of pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.files import write_atomically
from cli.instances.variants import find_maker, select_variants
from cli.output import CommandFailed, UsageError, make_progress_bar, print_message

if TYPE_CHECKING:
    from engine.play.registry import Registry
    from games.common.pairs import PicturePair
    from games.common.pictures import PictureSet


def make_instances(
    selection: Annotated[list[str] | None, typer.Argument(help="GAME or GAME/VARIANT; all if omitted.")] = None,
    seed: Annotated[int, typer.Option(help="Another seed makes other instances.")] = 0,
    to: Annotated[Path | None, typer.Option(help="Folder to write to.  [default: instances]")] = None,
    pictures: Annotated[
        str | None, typer.Option(help="Make further experiments from a set of `ludens assets`.")
    ] = None,
    clip: Annotated[Path | None, typer.Option(help="The folder of a CLIP model that measures similarity.")] = None,
    each: Annotated[int | None, typer.Option(min=1, help="Pairs per experiment.  [default: 10]")] = None,
    candidates: Annotated[
        int | None, typer.Option(min=1, help="Make this many pairs per experiment, for `instances pick`.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Use at most this many pictures of the set.")] = None,
) -> None:
    """Make instance files from their seeds.

    The shipped files are reproduced byte for byte. With --pictures SET, make experiments from the pictures of that set,
    chosen by the procedure of the paper.
    """
    from cli.log_access import build_registry
    from cli.settings import load_settings

    registry = build_registry(load_settings().model_copy(update={"instances": to}))
    if pictures is not None:
        _make_instances_from_pictures(registry, selection, pictures, seed, clip, each or 10, candidates, limit)
        return
    for option_name, option_value in (("clip", clip), ("each", each), ("candidates", candidates), ("limit", limit)):
        if option_value is not None:
            raise UsageError(f"--{option_name} needs --pictures SET; the shipped sets do not use it")
    for game, variant in select_variants(registry, selection):
        if not selection and registry.game(game).instance_maker() is None:
            continue
        file_path = registry.file(game, variant)
        try:
            new_content = find_maker(registry.game(game)).make_file(variant, seed).encode()
        except ValueError as error:  # too few pictures to choose from
            raise CommandFailed(f"{file_path}: {error}") from None
        old_content = file_path.read_bytes() if file_path.exists() else None
        if old_content == new_content:
            print_message(f"{file_path}: unchanged")
            continue
        file_path.parent.mkdir(parents=True, exist_ok=True)
        file_path.write_bytes(new_content)
        print_message(f"{file_path}: {'written' if old_content is None else 'changed'}")


def _make_instances_from_pictures(
    registry: Registry,
    selection: list[str] | None,
    set_name: str,
    seed: int,
    clip_folder: Path | None,
    pairs_per_experiment: int,
    candidate_count: int | None,
    max_pictures: int | None,
) -> None:
    from cli.settings import load_settings
    from games.common.pictures import LIBRARY, make_import_hint

    game_names = {selected_part.strip("/").partition("/")[0] for selected_part in selection or ()}
    if len(game_names) != 1:
        raise UsageError("--pictures makes instances of one game: ludens instances make matchit --pictures SET")
    game = game_names.pop()
    pair_maker = registry.game(game).picture_pair_maker()
    if pair_maker is None:
        raise UsageError(f"{game} makes no instances from pictures; matchit does")
    load_settings()
    sets_by_name = {picture_set.name: picture_set for picture_set in LIBRARY.list_picture_sets()}
    if set_name not in sets_by_name:
        reason = (
            LIBRARY.errors_by_set.get(set_name)
            or f"there are: {', '.join(sets_by_name) or 'none'}; {make_import_hint(set_name)}"
        )
        raise UsageError(f"no set of pictures {set_name!r}: {reason}")
    pairs, similarity_name = _choose_pairs(
        sets_by_name[set_name], seed, clip_folder, pairs_per_experiment, candidate_count, max_pictures
    )
    file_path = registry.file(game, pair_maker.VARIANT).with_name(f"{pair_maker.VARIANT}.{set_name}.json")
    if candidate_count:
        file_path = file_path.parent / "candidates" / file_path.name
    file_path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(
        file_path, pair_maker.text_of(pair_maker.content(sets_by_name[set_name], similarity_name, seed, pairs))
    )
    counts_text = ", ".join(f"{len(chosen_pairs)} {relation}" for relation, chosen_pairs in pairs.items())
    print_message(f"{file_path}: {counts_text}; similarity by {similarity_name}")
    if candidate_count:
        print_message(f"Accept or reject them with `ludens instances pick {file_path}`")


def _choose_pairs(
    picture_set: PictureSet,
    seed: int,
    clip_folder: Path | None,
    pairs_per_experiment: int,
    candidate_count: int | None,
    max_pictures: int | None,
) -> tuple[dict[str, list[PicturePair]], str]:
    """Return pairs of a set by relation, and the name of the similarity they were chosen by."""
    from games.common import pairs
    from games.common.datasets.source import select_evenly_spaced
    from games.common.pictures import LIBRARY
    from games.common.similarity import ClipSimilarity, HashSimilarity, Similarity, UnusableClipModel

    with make_progress_bar() as progress:
        task_id = progress.add_task("pictures", total=None)
        try:
            similarity: Similarity = ClipSimilarity(LIBRARY, clip_folder) if clip_folder else HashSimilarity(LIBRARY)
            picture_ids = select_evenly_spaced(LIBRARY.ids(set_name=picture_set.name), max_pictures)
            progress.update(task_id, total=len(picture_ids))
            label_index = pairs.LabelIndex(
                LIBRARY, picture_ids, lambda done_count: progress.update(task_id, completed=done_count)
            )
            progress.update(task_id, description="pairs", total=min(len(label_index.ids), pairs.MAX_TRIED_PICTURES))
            chosen_pairs = pairs.choose_pairs(
                label_index,
                similarity,
                seed,
                max(pairs_per_experiment, candidate_count or 0),
                min_pairs=pairs_per_experiment if candidate_count else None,
                progress=lambda done_count: progress.update(task_id, completed=done_count),
            )
        except UnusableClipModel as error:
            raise UsageError(str(error)) from None
        except pairs.TooFewPairs as error:
            raise CommandFailed(f"too few pictures of {picture_set.name}: {error}") from None
        except KeyError as error:  # UnknownPicture
            raise CommandFailed(str(error)) from None
    return chosen_pairs, similarity.name
