"""Reads DOCCI: photos with long descriptions written by people.

Layout (https://google.github.io/docci/): docci_descriptions.jsonlines, a picture a line (example_id, split,
image_file, description), images/ with the files, and docci_metadata.jsonlines with the concepts of each picture
(cloud_vision_api_responses.labelAnnotations: description, score).
"""

from __future__ import annotations

import json
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
    spread_evenly,
)
from games.common.pictures import PictureSet

DESCRIPTIONS, METADATA = "docci_descriptions.jsonlines", "docci_metadata.jsonlines"
SURE = 0.8
"""Concepts with a lower score are left out."""


def read(root: Path, limit: int | None) -> AnnotationStream:
    """Read the descriptions and concepts of a DOCCI folder. Raises `WrongFolder`."""
    path = root / DESCRIPTIONS
    if not path.is_file():
        raise DOCCI.wrong(root, f"there is no {DESCRIPTIONS}")
    with path.open("rb") as stream:
        number = sum(1 for _ in stream)
    wanted = set(spread_evenly(range(number), limit))
    concepts: dict[str, list[str]] = {}
    faults: list[RejectedFile] = []
    remark = f"without {METADATA} the pictures have no concepts, and no pairs can be chosen by their labels"
    if (root / METADATA).is_file():
        concepts, faults = _concepts(root / METADATA)
        remark = ""
    return AnnotationStream(len(wanted) + len(faults), _items(path, wanted, concepts, faults), remark)


def _lines(path: Path) -> Iterator[dict[str, Any] | RejectedFile]:
    with path.open("rb") as stream:
        for n, line in enumerate(stream):
            try:
                data = json.loads(line)
                if not isinstance(data, dict) or not isinstance(data.get("example_id"), str):
                    raise ValueError("field example_id is missing")
                yield data
            except ValueError as error:
                yield RejectedFile(f"{path}, line {n + 1}", f"no annotation ({error})")


def _concepts(path: Path) -> tuple[dict[str, list[str]], list[RejectedFile]]:
    found: dict[str, list[str]] = {}
    faults = []
    for data in _lines(path):
        if isinstance(data, RejectedFile):
            faults.append(data)
            continue
        try:
            labels = (data.get("cloud_vision_api_responses") or {}).get("labelAnnotations") or []
            found[data["example_id"]] = [plain_word(one["description"]) for one in labels if one["score"] >= SURE]
        except (KeyError, TypeError, AttributeError) as error:
            faults.append(
                RejectedFile(f"{path}, {data['example_id']}", f"no concepts ({type(error).__name__}: {error})")
            )
    return found, faults


def _items(
    path: Path, wanted: set[int], concepts: dict[str, list[str]], faults: list[RejectedFile]
) -> Iterator[AnnotatedPicture | RejectedFile]:
    yield from faults
    for n, data in enumerate(_lines(path)):
        if n not in wanted:
            continue
        if isinstance(data, RejectedFile):
            yield data
            continue
        file, text = data.get("image_file"), data.get("description")
        if not isinstance(file, str) or not isinstance(text, str):
            yield RejectedFile(f"{path}, line {n + 1}", "image_file and description must be texts")
            continue
        names = concepts.get(data["example_id"], [])
        yield AnnotatedPicture(
            name=data["example_id"],
            file=f"images/{file}",
            objects=[AnnotatedObject(i, name) for i, name in enumerate(names)],
            captions=[text.strip()],
        )


DOCCI = DataSet(
    PictureSet(
        "docci",
        "DOCCI",
        "CC BY 4.0",
        "Onoe, Y., Rane, S., Berger, Z., Bitton, Y., Cho, J., Garg, R., … & Baldridge, J. (2024). DOCCI: Descriptions "
        "of connected and contrasting images. ECCV.",
        "https://google.github.io/docci/",
    ),
    (f"{DESCRIPTIONS}", "images/ (from docci_images.tar.gz)", f"{METADATA} (for the concepts)"),
    read,
)
