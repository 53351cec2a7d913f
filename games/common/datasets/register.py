"""Registers the pictures of a user's data set where they are: checks every file, describes it, copies nothing.

`imported/SET/set.json` and `pictures.jsonl` are written to a temporary folder and moved into place at the end, so an
interrupted import changes nothing. Bad files are reported as `RejectedFile`, and the import continues.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from games.common.datasets.ade20k import ADE20K
from games.common.datasets.clevr import CLEVR
from games.common.datasets.docci import DOCCI
from games.common.datasets.source import AnnotatedObject, AnnotatedPicture, DataSet, RejectedFile
from games.common.datasets.visual_genome import VISUAL_GENOME
from games.common.pictures import (
    FORMAT_VERSION,
    Box,
    PictureDescription,
    PictureObject,
    description_line,
    read_picture_file,
    resolve_path_within,
)
from games.common.playable import BadPicture, measure_picture

DATASET_BY_NAME: dict[str, DataSet] = {
    dataset.picture_set.name: dataset for dataset in (ADE20K, VISUAL_GENOME, DOCCI, CLEVR)
}
MIN_SIDE_PIXELS = 32
"""Pixels: a smaller picture is a thumbnail or a tracking pixel."""
PICTURES_PER_BATCH = 256

Size = tuple[int, int]


@dataclass
class RegistrationReport:
    """The result of an import: how many pictures were registered, the rejected files, and whether anything changed."""

    folder: Path
    picture_count: int = 0
    rejected_files: list[RejectedFile] = field(default_factory=list)
    has_changed: bool = True
    remark: str = ""


class _PictureLine(NamedTuple):
    """A picture's line of pictures.jsonl."""

    id: str
    line: bytes


def register(
    dataset: DataSet,
    root: Path,
    imported_folder: Path,
    *,
    max_pictures: int | None = None,
    progress: Callable[[int, int], None] = lambda done_count, total: None,
    on_rejected: Callable[[RejectedFile], None] = lambda rejected_file: None,
) -> RegistrationReport:
    """Register the pictures below a folder in `imported/SET`, calling `progress` and `on_rejected` on the way.

    Raises `WrongFolder`, `BadAnnotations`, OSError. If no picture can be registered, nothing is written.
    """
    root = root.resolve()
    set_name = dataset.picture_set.name
    annotations = dataset.read_annotations(root, max_pictures)
    registration = RegistrationReport(imported_folder / set_name, remark=annotations.remark)
    imported_folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{set_name}-", dir=imported_folder) as temporary_folder:
        line_spans: dict[str, tuple[int, int]] = {}
        with (Path(temporary_folder) / "lines").open("w+b") as stream:
            for done_count, picture_or_rejection in enumerate(_check_pictures(set_name, root, annotations.items), 1):
                if isinstance(picture_or_rejection, _PictureLine) and picture_or_rejection.id in line_spans:
                    picture_or_rejection = RejectedFile(
                        picture_or_rejection.id, "a second annotation of the same picture"
                    )
                if isinstance(picture_or_rejection, RejectedFile):
                    registration.rejected_files.append(picture_or_rejection)
                    on_rejected(picture_or_rejection)
                else:
                    line_spans[picture_or_rejection.id] = stream.tell(), len(picture_or_rejection.line)
                    stream.write(picture_or_rejection.line)
                progress(done_count, annotations.picture_count)
            registration.picture_count = len(line_spans)
            new_folder = Path(temporary_folder) / set_name
            new_folder.mkdir()
            with (new_folder / "pictures.jsonl").open("wb") as sorted_lines:
                for id in sorted(line_spans):
                    offset, line_length = line_spans[id]
                    stream.seek(offset)
                    sorted_lines.write(stream.read(line_length))
        (new_folder / "set.json").write_text(_set_file(dataset, root, registration), encoding="utf-8")
        registration.has_changed = not _has_equal_files(new_folder, registration.folder)
        if registration.picture_count and registration.has_changed:
            _replace_folder(registration.folder, new_folder, Path(temporary_folder) / "before")
    return registration


def remove_set(set_name: str, imported_folder: Path) -> bool:
    """Forget a set, without touching the user's pictures. Return whether there was one."""
    folder = imported_folder / set_name
    if not (folder / "set.json").is_file() and not (folder / "pictures.jsonl").is_file():
        return False
    shutil.rmtree(folder)
    return True


def _check_pictures(
    set_name: str, root: Path, pictures: Iterator[AnnotatedPicture | RejectedFile]
) -> Iterator[_PictureLine | RejectedFile]:
    """Check pictures in order, several in parallel: decoding holds no lock."""

    def check_picture(picture_or_rejection: AnnotatedPicture | RejectedFile) -> _PictureLine | RejectedFile:
        return (
            picture_or_rejection
            if isinstance(picture_or_rejection, RejectedFile)
            else _check_picture(set_name, root, picture_or_rejection)
        )

    with ThreadPoolExecutor(max_workers=min(8, os.cpu_count() or 1)) as thread_pool:
        while picture_batch := list(islice(pictures, PICTURES_PER_BATCH)):
            yield from thread_pool.map(check_picture, picture_batch)


def _check_picture(set_name: str, root: Path, picture: AnnotatedPicture) -> _PictureLine | RejectedFile:
    path = str(root / picture.file)
    id = f"{set_name}/{picture.name}"
    if not all(text.isprintable() and not {'"', "\\"} & {*text} for text in (picture.name, picture.file)):
        return RejectedFile(ascii(picture.file), "a name that cannot be registered; rename the file and its annotation")
    try:
        picture_bytes = read_picture_file(resolve_path_within(root, picture.file))
        size, playable_picture_size = measure_picture(picture_bytes)
    except FileNotFoundError:
        return RejectedFile(path, f"there is no such file: an annotation ({picture.name}) without its picture")
    except (BadPicture, OSError, ValueError) as error:
        return RejectedFile(path, str(error))
    if min(size) < MIN_SIDE_PIXELS:
        return RejectedFile(path, f"{size[0]} × {size[1]} pixels are too few to play with")
    if picture.size and picture.size != size:
        annotated_size = f"its annotation is of a picture of {picture.size[0]} × {picture.size[1]} pixels"
        return RejectedFile(path, f"{annotated_size}, this one has {size[0]} × {size[1]}")
    description = _describe_picture(id, picture, size, playable_picture_size)
    line = description_line(description, picture.file, hashlib.sha256(picture_bytes).hexdigest())
    return _PictureLine(id, line.encode())


def _describe_picture(
    id: str, picture: AnnotatedPicture, size: Size, playable_picture_size: Size
) -> PictureDescription:
    objects = []
    ids: dict[object, str] = {}
    name_counts: dict[str, int] = {}
    for annotated_object in picture.objects:
        object_name = annotated_object.name
        if not object_name:
            continue
        name_counts[object_name] = name_counts.get(object_name, 0) + 1
        ids[annotated_object.key] = f"{object_name} {name_counts[object_name]}"
        box = _scale_box(annotated_object, size, playable_picture_size)
        # `visible` stays 1: no data set annotates how much of an object is hidden
        attributes = tuple(annotated_object.attributes)
        objects.append(PictureObject(id=ids[annotated_object.key], name=object_name, attributes=attributes, box=box))
    relations = dict.fromkeys(
        (ids[subject_key], word, ids[object_key])
        for subject_key, word, object_key in picture.relations
        if subject_key in ids and object_key in ids and subject_key != object_key
    )
    return PictureDescription(
        id=id,
        kind="photo",
        category=picture.category,
        width=playable_picture_size[0],
        height=playable_picture_size[1],
        objects=tuple(objects),
        relations=tuple(relations),
        captions=tuple(picture.captions),
    )


def _scale_box(annotated_object: AnnotatedObject, size: Size, playable_picture_size: Size) -> Box | None:
    """Return an object's box in pixels of the played picture, clipped to it; None if nothing of it is left."""
    if annotated_object.box is None:
        return None
    x, y, width, height = annotated_object.box
    x_scale, y_scale = playable_picture_size[0] / size[0], playable_picture_size[1] / size[1]
    left_edge, top_edge = max(0, round(x * x_scale)), max(0, round(y * y_scale))
    right_edge, bottom_edge = (
        min(playable_picture_size[0], round((x + width) * x_scale)),
        min(playable_picture_size[1], round((y + height) * y_scale)),
    )
    return (
        (left_edge, top_edge, right_edge - left_edge, bottom_edge - top_edge)
        if right_edge > left_edge and bottom_edge > top_edge
        else None
    )


def _set_file(dataset: DataSet, root: Path, registration: RegistrationReport) -> str:
    content = {
        "version": FORMAT_VERSION,
        **dataset.picture_set.model_dump(),
        "root": str(root),
        "imported": registration.picture_count,
        "faults": len(registration.rejected_files),
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _has_equal_files(new_path: Path, old_path: Path) -> bool:
    def digest(path: Path) -> bytes:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").digest()

    file_names = ("set.json", "pictures.jsonl")
    return all(
        (old_path / file_name).is_file() and digest(new_path / file_name) == digest(old_path / file_name)
        for file_name in file_names
    )


def _replace_folder(folder: Path, new_folder: Path, backup: Path) -> None:
    """Move `new_folder` to `folder`. The old content goes to `backup`, in a temporary folder that is deleted later."""
    if folder.exists():
        folder.rename(backup)
    try:
        new_folder.rename(folder)
    except OSError:
        if backup.exists():
            backup.rename(folder)
        raise
