"""Reads CLEVR v1.0: rendered scenes of cubes, spheres and cylinders, each with its scene graph.

Layout (https://cs.stanford.edu/people/jcjohns/clevr/): images/SPLIT/CLEVR_SPLIT_000000.png and
scenes/CLEVR_SPLIT_scenes.json for the splits train and val. The test split has no scene graphs and is not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ValidationError

from games.common.datasets.source import (
    AnnotatedObject,
    AnnotatedPicture,
    AnnotationStream,
    DataSet,
    RejectedFile,
    normalise_label,
    read_array,
    select_evenly_spaced,
)
from games.common.pictures import PictureSet, describe_error

SPLIT_NAMES = ("train", "val")


class _SceneObject(BaseModel):
    shape: str
    size: str
    color: str
    material: str


class _Relationships(BaseModel):
    """For each object of a scene, the objects that stand left of it and in front of it."""

    left: list[list[int]]
    front: list[list[int]]


class _Scene(BaseModel):
    image_filename: str
    split: str
    objects: list[_SceneObject]
    relationships: _Relationships


def read_annotations(root: Path, max_pictures: int | None) -> AnnotationStream:
    """Read the scene graphs of a CLEVR folder. Raises `WrongFolder`, `BadAnnotations`."""
    files = [
        path for split_name in SPLIT_NAMES if (path := root / "scenes" / f"CLEVR_{split_name}_scenes.json").is_file()
    ]
    if not files:
        raise CLEVR.make_folder_error(root, "there is no scenes/CLEVR_val_scenes.json")
    total_scenes = sum(1 for path in files for _ in read_array(path, "scenes"))
    selected_indices = set(select_evenly_spaced(range(total_scenes), max_pictures))
    return AnnotationStream(len(selected_indices), _read_scenes(files, selected_indices))


def _read_scenes(files: list[Path], selected_indices: set[int]) -> Iterator[AnnotatedPicture | RejectedFile]:
    scenes = (
        (path, scene_number, scene) for path in files for scene_number, scene in enumerate(read_array(path, "scenes"))
    )
    for place_number, (path, scene_number, scene) in enumerate(scenes):
        if place_number not in selected_indices:
            continue
        try:
            yield _annotated_picture(_Scene.model_validate(scene))
        except ValidationError as error:
            yield RejectedFile(f"{path}, scene {scene_number}", f"no scene graph ({describe_error(error)})")


def _annotated_picture(scene: _Scene) -> AnnotatedPicture:
    relationships = (("left of", scene.relationships.left), ("in front of", scene.relationships.front))
    return AnnotatedPicture(
        name=Path(scene.image_filename).stem,
        file=f"images/{scene.split}/{scene.image_filename}",
        objects=[
            AnnotatedObject(
                i,
                normalise_label(object.shape),
                [normalise_label(attribute) for attribute in (object.size, object.color, object.material)],
            )
            for i, object in enumerate(scene.objects)
        ],
        relations=[
            (subject_index, word, i)
            for word, subject_lists in relationships
            for i, subjects in enumerate(subject_lists)
            for subject_index in subjects
        ],
    )


CLEVR = DataSet(
    PictureSet(
        name="clevr",
        title="CLEVR",
        licence="CC BY 4.0",
        citation="Johnson, J., Hariharan, B., van der Maaten, L., Fei-Fei, L., Zitnick, C. L., & Girshick, R. (2017). "
        "CLEVR: A diagnostic dataset for compositional language and elementary visual reasoning. CVPR.",
        url="https://cs.stanford.edu/people/jcjohns/clevr/",
    ),
    ("scenes/CLEVR_val_scenes.json and images/val/CLEVR_val_000000.png …", "the same with train in place of val"),
    read_annotations,
)
