"""Reads Visual Genome: photos with objects, attributes and relations.

Layout (version 1.4, unpacked from the publisher's archives): image_data.json, objects.json, attributes.json,
relationships.json, and the pictures in VG_100K and VG_100K_2. Each JSON file is one array with one element per picture
and is read element by element. Both folders are searched for a photo, because the addresses in the files disagree.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from games.common.datasets.source import (
    AnnotatedObject,
    AnnotatedPicture,
    AnnotationStream,
    BadAnnotations,
    DataSet,
    RejectedFile,
    normalise_label,
    read_array,
    select_evenly_spaced,
)
from games.common.pictures import PictureSet, describe_error

IMAGE_FOLDERS = ("VG_100K", "VG_100K_2")
ANNOTATION_FILES = ("image_data.json", "objects.json", "attributes.json")
RELATIONS_FILE = "relationships.json"

SizeByImageId = dict[int, tuple[int, int]]
Attributes = dict[int, tuple[str, ...]]
Relation = tuple[object, str, object]
RecordT = TypeVar("RecordT")

SUPPORT_PHRASES = {
    "on",
    "on top of",
    "sitting on",
    "standing on",
    "lying on",
    "laying on",
    "parked on",
    "on a",
    "on the",
    "atop",
}
IN_FRONT_OF_PHRASES = {"in front of", "front of", "in front"}
LEFT_OF_PHRASES = {"left of", "to left of", "to the left of", "on the left of"}
RIGHT_OF_PHRASES = {"right of", "to right of", "to the right of", "on the right of"}


class _ImageSize(BaseModel):
    image_id: int
    width: int
    height: int


class _ObjectRecord(BaseModel):
    object_id: int
    names: list[str]
    merged_object_ids: list[int] = []
    x: float
    y: float
    w: float
    h: float


class _ImageObjects(BaseModel):
    image_id: int
    objects: list[_ObjectRecord]


class _ObjectAttributes(BaseModel):
    object_id: int | None = None
    attributes: list[Any] | None = None


class _ObjectReference(BaseModel):
    object_id: int | None = None


class _Relationship(BaseModel):
    predicate: str = ""
    subject: _ObjectReference | None = None
    object: _ObjectReference | None = None


def read_annotations(root: Path, max_pictures: int | None) -> AnnotationStream:
    """Read the annotations of a Visual Genome folder. Raises `WrongFolder`, `BadAnnotations`."""
    for file_name in ANNOTATION_FILES:
        if not (root / file_name).is_file():
            raise VISUAL_GENOME.make_folder_error(root, f"there is no {file_name}")
    if not any((root / file_name).is_dir() for file_name in IMAGE_FOLDERS):
        raise VISUAL_GENOME.make_folder_error(root, f"there is neither {' nor '.join(IMAGE_FOLDERS)}")
    sizes: SizeByImageId = {}
    rejected_files: list[RejectedFile] = []
    for image_number, image_json in enumerate(read_array(root / "image_data.json")):
        try:
            image = _ImageSize.model_validate(image_json)
            sizes[image.image_id] = image.width, image.height
        except ValidationError as error:
            location = f"{root / 'image_data.json'}, element {image_number}"
            rejected_files.append(RejectedFile(location, f"no picture ({describe_error(error)})"))
    selected_sizes = {id: sizes[id] for id in select_evenly_spaced(sorted(sizes), max_pictures)}
    return AnnotationStream(
        len(selected_sizes) + len(rejected_files), _read_pictures(root, selected_sizes, rejected_files)
    )


def _read_pictures(
    root: Path, sizes: SizeByImageId, rejected_files: list[RejectedFile]
) -> Iterator[AnnotatedPicture | RejectedFile]:
    yield from rejected_files
    attributes = _read_attributes(root, sizes)
    relations = _read_relations(root, sizes)
    missing_sizes = dict(sizes)
    for image_number, image_json in enumerate(read_array(root / "objects.json")):
        id = _read_image_id(image_json)
        if id is not None and id not in sizes:
            continue
        if id is not None:
            missing_sizes.pop(id, None)
        try:
            image = _ImageObjects.model_validate(image_json)
        except ValidationError as error:
            location = f"{root / 'objects.json'}, element {image_number}"
            yield RejectedFile(location, f"no objects of a picture ({describe_error(error)})")
            continue
        yield AnnotatedPicture(
            name=str(image.image_id),
            file=_find_picture_file(root, image.image_id),
            size=sizes[image.image_id],
            objects=[_annotated_object(object, attributes) for object in image.objects if object.names],
            relations=relations.get(image.image_id, []),
        )
    for id in missing_sizes:
        yield RejectedFile(_find_picture_file(root, id), f"picture {id} of image_data.json is not in objects.json")


def _read_image_id(image_json: Any) -> int | None:
    """Return the picture that an element is about, None if it does not say."""
    id = image_json.get("image_id") if isinstance(image_json, dict) else None
    return id if isinstance(id, int) else None


def _find_picture_file(root: Path, id: int) -> str:
    for folder in IMAGE_FOLDERS:
        if (root / folder / f"{id}.jpg").is_file():
            return f"{folder}/{id}.jpg"
    return f"{IMAGE_FOLDERS[0]}/{id}.jpg"


def _annotated_object(object: _ObjectRecord, attributes: Attributes) -> AnnotatedObject:
    # version 1.4 merges objects annotated twice; attributes.json still has the older numbers
    object_ids = (object.object_id, *object.merged_object_ids)
    words = dict.fromkeys(word for object_id in object_ids for word in attributes.get(object_id, ()))
    box = object.x, object.y, object.w, object.h
    return AnnotatedObject(object.object_id, normalise_label(object.names[0]), list(words), box)


def _read_attributes(root: Path, sizes: SizeByImageId) -> Attributes:
    attributes: Attributes = {}
    shared_names: dict[tuple[str, ...], tuple[str, ...]] = {}  # the same few words occur a million times
    record_adapter = TypeAdapter(list[_ObjectAttributes])
    for _, record in _read_records(root / "attributes.json", "attributes", record_adapter, sizes):
        words = tuple(dict.fromkeys(normalise_label(word) for word in record.attributes or ()))
        if words and record.object_id is not None:
            attributes[record.object_id] = shared_names.setdefault(words, words)
    return attributes


def _read_relations(root: Path, sizes: SizeByImageId) -> dict[int, list[Relation]]:
    relations: dict[int, list[Relation]] = {}
    if not (root / RELATIONS_FILE).is_file():
        return relations
    record_adapter = TypeAdapter(list[_Relationship])
    for id, record in _read_records(root / RELATIONS_FILE, "relationships", record_adapter, sizes):
        relation = _map_relation(record)
        if relation:
            relations.setdefault(id, []).append(relation)
    return relations


def _read_records(
    path: Path, records_key: str, record_adapter: TypeAdapter[list[RecordT]], sizes: SizeByImageId
) -> Iterator[tuple[int, RecordT]]:
    """Yield the records that a file lists at a key for the pictures in `sizes`, each with the id of its picture."""
    for image_json in read_array(path):
        id = _read_image_id(image_json)
        if id is None or id not in sizes:
            continue
        try:
            yield from ((id, record) for record in record_adapter.validate_python(image_json.get(records_key) or []))
        except ValidationError as error:
            raise BadAnnotations(f"{path}: the {records_key} of picture {id}: {describe_error(error)}") from None


def _map_relation(record: _Relationship) -> Relation | None:
    """Map a free predicate to one of our three words; None if it is not one of them."""
    predicate = normalise_label(record.predicate)
    subject_id = record.subject and record.subject.object_id
    object_id = record.object and record.object.object_id
    if predicate in SUPPORT_PHRASES:
        return subject_id, "on", object_id
    if predicate in IN_FRONT_OF_PHRASES:
        return subject_id, "in front of", object_id
    if predicate == "behind":
        return object_id, "in front of", subject_id
    if predicate in LEFT_OF_PHRASES:
        return subject_id, "left of", object_id
    if predicate in RIGHT_OF_PHRASES:
        return object_id, "left of", subject_id
    return None


VISUAL_GENOME = DataSet(
    PictureSet(
        name="visual-genome",
        title="Visual Genome",
        licence="CC BY 4.0",
        citation="Krishna, R., Zhu, Y., Groth, O., Johnson, J., Hata, K., Kravitz, J., … & Fei-Fei, L. (2017). Visual "
        "Genome: Connecting language and vision using crowdsourced dense image annotations. IJCV, 123(1), 32–73.",
        url="https://homes.cs.washington.edu/~ranjay/visualgenome/",
    ),
    (
        "image_data.json, objects.json and attributes.json (and relationships.json, if you have it)",
        "VG_100K/ and VG_100K_2/ (from images.zip and images2.zip)",
    ),
    read_annotations,
)
