"""Reads CLEVR v1.0: rendered scenes of cubes, spheres and cylinders, each with its scene graph.

Layout (https://cs.stanford.edu/people/jcjohns/clevr/): images/SPLIT/CLEVR_SPLIT_000000.png and
scenes/CLEVR_SPLIT_scenes.json for the splits train and val; the test split has no scene graphs and is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from games.common.datasets.source import (
    AnnotatedObject,
    AnnotatedPicture,
    AnnotationStream,
    DataSet,
    RejectedFile,
    plain_word,
    read_array,
    spread_evenly,
)
from games.common.pictures import PictureSet

SPLITS = ("train", "val")


def read(root: Path, limit: int | None) -> AnnotationStream:
    """Read the scene graphs of a CLEVR folder. Raises `WrongFolder`, `BadAnnotations`."""
    files = [path for split in SPLITS if (path := root / "scenes" / f"CLEVR_{split}_scenes.json").is_file()]
    if not files:
        raise CLEVR.wrong(root, "there is no scenes/CLEVR_val_scenes.json")
    number = sum(1 for path in files for _ in read_array(path, "scenes"))
    wanted = None if limit is None else set(spread_evenly(range(number), limit))
    return AnnotationStream(number if wanted is None else len(wanted), _items(files, wanted))


def _items(files: list[Path], wanted: set[int] | None) -> Iterator[AnnotatedPicture | RejectedFile]:
    i = -1
    for path in files:
        for n, scene in enumerate(read_array(path, "scenes")):
            i += 1
            if wanted is not None and i not in wanted:
                continue
            try:
                yield _found(scene)
            except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
                yield RejectedFile(f"{path}, scene {n}", f"no scene graph ({type(error).__name__}: {error})")


def _found(scene: dict[str, Any]) -> AnnotatedPicture:
    file = str(scene["image_filename"])
    objects = [
        AnnotatedObject(i, plain_word(one["shape"]), [plain_word(one[what]) for what in ("size", "color", "material")])
        for i, one in enumerate(scene["objects"])
    ]
    # relationships["left"][i] lists the objects that stand left of object i
    relations = [
        (subject, word, i)
        for ours, word in (("left", "left of"), ("front", "in front of"))
        for i, subjects in enumerate(scene["relationships"][ours])
        for subject in subjects
    ]
    return AnnotatedPicture(
        name=Path(file).stem,
        file=f"images/{scene['split']}/{file}",
        objects=objects,
        relations=relations,
    )


CLEVR = DataSet(
    PictureSet(
        "clevr",
        "CLEVR",
        "CC BY 4.0",
        "Johnson, J., Hariharan, B., van der Maaten, L., Fei-Fei, L., Zitnick, C. L., & Girshick, R. (2017). CLEVR: A "
        "diagnostic dataset for compositional language and elementary visual reasoning. CVPR.",
        "https://cs.stanford.edu/people/jcjohns/clevr/",
    ),
    ("scenes/CLEVR_val_scenes.json and images/val/CLEVR_val_000000.png …", "the same with train in place of val"),
    read,
)
