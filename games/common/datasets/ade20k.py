"""Reads ADE20K: scenes by category, with every object outlined. It reads three layouts of the publisher:

- ADE20K_2021_17_01: images/ADE/SPLIT/…/NAME.jpg with NAME.json next to it (the index is a pickle and is never opened);
- ADE20K_2016_07_26: images/SPLIT/LETTER/SCENE/NAME.jpg with NAME_atr.txt next to it;
- ADEChallengeData2016 (scene parsing): sceneCategories.txt, objectInfo150.txt, images/SPLIT and annotations/SPLIT.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ValidationError

from games.common.datasets.source import (
    AnnotatedObject,
    AnnotatedPicture,
    AnnotationStream,
    DataSet,
    RejectedFile,
    normalise_label,
    select_evenly_spaced,
)
from games.common.pictures import PictureSet, describe_error, read_picture_file, resolve_path_within
from games.common.playable import open_picture

SCENES_FILE, CLASSES_FILE = "sceneCategories.txt", "objectInfo150.txt"
SCENE_SETTINGS = ("indoor", "outdoor", "interior", "exterior")

ElementT = TypeVar("ElementT")


def read_annotations(root: Path, max_pictures: int | None) -> AnnotationStream:
    """Read the annotations of an ADE20K folder in any of its layouts. Raises `WrongFolder`."""
    if (root / SCENES_FILE).is_file():
        return _read_scene_parsing(root, max_pictures)
    if not (root / "images").is_dir():
        raise ADE20K.make_folder_error(root, f"there is neither images/ nor {SCENES_FILE}")
    files = sorted(_find_annotation_files(root / "images"))
    if not files:
        raise ADE20K.make_folder_error(
            root, "no picture below images/ has its annotation (.json or _atr.txt) beside it"
        )
    selected_files = select_evenly_spaced(files, max_pictures)
    return AnnotationStream(len(selected_files), (_read_annotation(root, path) for path in selected_files))


def _find_annotation_files(folder: Path) -> Iterator[Path]:
    """Yield all annotation files below a folder, but not the masks of a picture, which are in a folder of its name."""
    for parent_folder, folders, files in os.walk(folder):
        annotations = {file_name for file_name in files if file_name.endswith((".json", "_atr.txt"))}
        folders[:] = sorted(folder_name for folder_name in folders if f"{folder_name}.json" not in annotations)
        yield from (Path(parent_folder, file_name) for file_name in annotations)


def _read_annotation(root: Path, path: Path) -> AnnotatedPicture | RejectedFile:
    read_file: Callable[[Path, Path], AnnotatedPicture] = _read_json if path.suffix == ".json" else _read_table
    try:
        return read_file(root, path)
    except OSError as error:
        return RejectedFile(str(path), describe_error(error))
    except (KeyError, TypeError, ValueError, IndexError) as error:
        reason = describe_error(error) if isinstance(error, ValidationError) else f"{type(error).__name__}: {error}"
        return RejectedFile(str(path), f"no annotation of ADE20K ({reason})")


# ------------------------------------------------------------------ the full data set, 2021
def _as_list(annotation: Any) -> list[Any]:
    """Return a value as a list: MATLAB wrote the files, and it writes a list of one element as the element itself."""
    if annotation is None:
        return []
    return annotation if isinstance(annotation, list) else [annotation]


OneOrMany = Annotated[list[ElementT], BeforeValidator(_as_list)]


class _Polygon(BaseModel):
    x: OneOrMany[float]
    y: OneOrMany[float]


class _ObjectRecord(BaseModel):
    id: int
    name: str
    attributes: OneOrMany[str] = []
    polygon: _Polygon


class _Annotation(BaseModel):
    filename: str
    imsize: list[int]
    scene: OneOrMany[Any] = []
    object: OneOrMany[dict[str, Any]]


class _AnnotationFile(BaseModel):
    annotation: _Annotation


def _read_json(root: Path, path: Path) -> AnnotatedPicture:
    annotation = _AnnotationFile.model_validate_json(_read_text(path)).annotation
    height, width = annotation.imsize[:2]
    objects = [object for object in annotation.object if not object["parts"]["part_level"]]
    return AnnotatedPicture(
        name=path.stem,
        file=path.with_name(annotation.filename).relative_to(root).as_posix(),
        category=category(annotation.scene),
        size=(width, height),
        objects=[_annotated_object(_ObjectRecord.model_validate(object)) for object in objects],
    )


def _read_text(path: Path) -> str:
    file_bytes = path.read_bytes()
    try:
        return file_bytes.decode()
    except UnicodeDecodeError:  # some raw names were written in Latin-1
        return file_bytes.decode("latin-1")


def _annotated_object(object: _ObjectRecord) -> AnnotatedObject:
    x, y = object.polygon.x, object.polygon.y
    box = (min(x), min(y), max(x) - min(x) + 1, max(y) - min(y) + 1) if x and y else None
    attributes = [attribute for text in object.attributes for attribute in _split_attributes(text)]
    return AnnotatedObject(object.id, _first_name(object.name), attributes, box)


def _first_name(names: str) -> str:
    """Return the first of several names: "car" of "car, auto, automobile"."""
    return normalise_label(names.partition(",")[0])


def _split_attributes(text: str) -> list[str]:
    return [normalise_label(word) for word in text.strip().strip('"').split(",") if word.strip()]


def category(name_parts: list[Any]) -> str | None:
    """Return a scene in plain words: "street" for ["urban", "street"], "indoor church" for ["church", "indoor"]."""
    words = [normalise_label(name_part) for name_part in name_parts if name_part]
    if not words:
        return None
    if words[-1] in SCENE_SETTINGS and len(words) > 1:
        return f"{words[-1]} {words[-2]}"
    return words[-1]


# ------------------------------------------------------------------ the full data set, 2016
def _read_table(root: Path, path: Path) -> AnnotatedPicture:
    """Read lines of: instance # level of parts # occluded # names # raw name # "attributes"."""
    objects = []
    for line_number, line in enumerate(_read_text(path).splitlines(), 1):
        cells = [cell.strip() for cell in line.split("#")]
        if cells == [""]:
            continue
        if len(cells) < 6:
            raise ValueError(f"line {line_number} has {len(cells)} columns, not 6")
        if int(cells[1]) == 0:
            objects.append(AnnotatedObject(int(cells[0]), _first_name(cells[3]), _split_attributes(cells[5])))
    picture_name = path.name.removesuffix("_atr.txt")
    folders = path.parent.relative_to(root / "images").parts[2:]  # after the split and the letter
    return AnnotatedPicture(
        name=picture_name,
        file=path.with_name(f"{picture_name}.jpg").relative_to(root).as_posix(),
        category=category(list(folders)),
        objects=objects,
    )


# ------------------------------------------------------------------ scene parsing
def _read_scene_parsing(root: Path, max_pictures: int | None) -> AnnotationStream:
    path = root / CLASSES_FILE
    if not path.is_file():
        raise ADE20K.make_folder_error(root, f"there is no {CLASSES_FILE}")
    class_names: dict[int, str] = {}
    for line in _read_text(path).splitlines()[1:]:
        cells = line.split("\t")
        if len(cells) >= 6 and cells[0].strip().isdecimal():
            class_names[int(cells[0])] = _first_name(cells[5])
    if not class_names:
        raise ADE20K.make_folder_error(root, f"{CLASSES_FILE} lists no classes")
    scenes = [line.split() for line in _read_text(root / SCENES_FILE).splitlines() if line.strip()]
    selected_scenes = select_evenly_spaced(scenes, max_pictures)
    return AnnotationStream(len(selected_scenes), (_read_mask(root, line, class_names) for line in selected_scenes))


def _read_mask(root: Path, line: list[str], class_names: dict[int, str]) -> AnnotatedPicture | RejectedFile:
    if len(line) != 2:
        return RejectedFile(str(root / SCENES_FILE), f"{' '.join(line)!r} is not a picture and its category")
    picture_name, scene = line
    split_name = "training" if "_train_" in picture_name else "validation"
    file = f"annotations/{split_name}/{picture_name}.png"
    try:
        mask = open_picture(read_picture_file(resolve_path_within(root, file)))
        if mask.mode not in ("L", "P"):
            raise ValueError(f"no mask of classes but a picture in {mask.mode}")
        class_numbers = sorted(
            class_number
            for class_number, pixel_count in enumerate(mask.histogram())
            if pixel_count and class_number in class_names
        )
    except (OSError, ValueError) as error:
        return RejectedFile(str(root / file), str(error))
    return AnnotatedPicture(
        name=picture_name,
        file=f"images/{split_name}/{picture_name}.jpg",
        category=None if scene == "misc" else category(_split_scene(scene)),
        size=mask.size,
        objects=[AnnotatedObject(class_number, class_names[class_number]) for class_number in class_numbers],
    )


def _split_scene(scene: str) -> list[str]:
    """Return a scene and its setting: "bank_indoor" gives ["bank", "indoor"], "living_room" ["living_room"]."""
    scene_name, _, setting = scene.rpartition("_")
    return [scene_name, setting] if scene_name and setting in SCENE_SETTINGS else [scene]


ADE20K = DataSet(
    PictureSet(
        name="ade20k",
        title="ADE20K",
        licence="images for non-commercial research and education only (terms of ADE20K)",
        citation="Zhou, B., Zhao, H., Puig, X., Xiao, T., Fidler, S., Barriuso, A., & Torralba, A. (2019). Semantic "
        "understanding of scenes through the ADE20K dataset. IJCV, 127(3), 302–321.",
        url="https://groups.csail.mit.edu/vision/datasets/ADE20K/terms",
    ),
    (
        "ADE20K_2021_17_01: images/ADE/training/…/ADE_train_00000001.jpg with ADE_train_00000001.json beside it",
        "or ADE20K_2016_07_26: images/training/a/abbey/ADE_train_00000001.jpg with ADE_train_00000001_atr.txt",
        f"or ADEChallengeData2016: {SCENES_FILE}, {CLASSES_FILE}, images/training/ and annotations/training/",
    ),
    read_annotations,
)
