"""Reads DOCCI: photos with long descriptions written by people.

Layout (https://google.github.io/docci/): docci_descriptions.jsonlines, one picture per line (example_id, split,
image_file, description), images/ with the files, and docci_metadata.jsonlines with the concepts of each picture
(cloud_vision_api_responses.labelAnnotations: description, score).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from games.common.datasets.source import (
    AnnotatedObject,
    AnnotatedPicture,
    AnnotationStream,
    DataSet,
    RejectedFile,
    normalise_label,
    select_evenly_spaced,
)
from games.common.pictures import PictureSet, describe_error

DESCRIPTIONS_FILE, METADATA_FILE = "docci_descriptions.jsonlines", "docci_metadata.jsonlines"
MIN_LABEL_SCORE = 0.8
"""Concepts with a lower score are ignored."""

RecordT = TypeVar("RecordT", bound=BaseModel)


class _Description(BaseModel):
    example_id: str
    image_file: str
    description: str


class _LabelAnnotation(BaseModel):
    description: str
    score: float


class _VisionResponses(BaseModel):
    labelAnnotations: list[_LabelAnnotation] | None = None  # noqa: N815  a key of the file


class _Metadata(BaseModel):
    example_id: str
    cloud_vision_api_responses: _VisionResponses | None = None


def read_annotations(root: Path, max_pictures: int | None) -> AnnotationStream:
    """Read the descriptions and concepts of a DOCCI folder. Raises `WrongFolder`."""
    path = root / DESCRIPTIONS_FILE
    if not path.is_file():
        raise DOCCI.make_folder_error(root, f"there is no {DESCRIPTIONS_FILE}")
    with path.open("rb") as stream:
        line_total = sum(1 for _ in stream)
    selected_indices = set(select_evenly_spaced(range(line_total), max_pictures))
    concepts_by_id: dict[str, list[str]] = {}
    rejected_files: list[RejectedFile] = []
    remark = f"without {METADATA_FILE} the pictures have no concepts, and no pairs can be chosen by their labels"
    if (root / METADATA_FILE).is_file():
        concepts_by_id, rejected_files = _read_concepts(root / METADATA_FILE)
        remark = ""
    return AnnotationStream(
        len(selected_indices) + len(rejected_files),
        _read_pictures(path, selected_indices, concepts_by_id, rejected_files),
        remark,
    )


def _read_records(path: Path, record_type: type[RecordT]) -> Iterator[RecordT | RejectedFile]:
    with path.open("rb") as stream:
        for line_number, line in enumerate(stream, 1):
            try:
                record_json = json.loads(line)
            except ValueError as error:
                yield RejectedFile(f"{path}, line {line_number}", f"no annotation ({error})")
                continue
            try:
                yield record_type.model_validate(record_json)
            except ValidationError as error:
                picture_note = f" ({record_json.get('example_id')})" if isinstance(record_json, dict) else ""
                yield RejectedFile(
                    f"{path}, line {line_number}{picture_note}", f"no annotation ({describe_error(error)})"
                )


def _read_concepts(path: Path) -> tuple[dict[str, list[str]], list[RejectedFile]]:
    concepts_by_id: dict[str, list[str]] = {}
    rejected_files = []
    for record in _read_records(path, _Metadata):
        if isinstance(record, RejectedFile):
            rejected_files.append(record)
            continue
        vision_responses = record.cloud_vision_api_responses or _VisionResponses()
        concepts_by_id[record.example_id] = [
            normalise_label(label_annotation.description)
            for label_annotation in vision_responses.labelAnnotations or ()
            if label_annotation.score >= MIN_LABEL_SCORE
        ]
    return concepts_by_id, rejected_files


def _read_pictures(
    path: Path, selected_indices: set[int], concepts_by_id: dict[str, list[str]], rejected_files: list[RejectedFile]
) -> Iterator[AnnotatedPicture | RejectedFile]:
    yield from rejected_files
    for record_index, record in enumerate(_read_records(path, _Description)):
        if record_index not in selected_indices:
            continue
        if isinstance(record, RejectedFile):
            yield record
            continue
        yield AnnotatedPicture(
            name=record.example_id,
            file=f"images/{record.image_file}",
            objects=[
                AnnotatedObject(i, concept) for i, concept in enumerate(concepts_by_id.get(record.example_id, []))
            ],
            captions=[record.description.strip()],
        )


DOCCI = DataSet(
    PictureSet(
        name="docci",
        title="DOCCI",
        licence="CC BY 4.0",
        citation="Onoe, Y., Rane, S., Berger, Z., Bitton, Y., Cho, J., Garg, R., … & Baldridge, J. (2024). DOCCI: "
        "Descriptions of connected and contrasting images. ECCV.",
        url="https://google.github.io/docci/",
    ),
    (f"{DESCRIPTIONS_FILE}", "images/ (from docci_images.tar.gz)", f"{METADATA_FILE} (for the concepts)"),
    read_annotations,
)
