"""Reads Visual Genome: photos with objects, attributes and relations.

Layout (version 1.4, unpacked from the publisher's archives): image_data.json, objects.json, attributes.json,
relationships.json, and the pictures in VG_100K and VG_100K_2. Each JSON file is one array with an element for every
picture; they are read element by element. A photo is looked for in both folders: the addresses in the files disagree.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from games.common.datasets.source import (
    AnnotatedObject,
    AnnotatedPicture,
    AnnotationStream,
    BadAnnotations,
    DataSet,
    RejectedFile,
    plain_word,
    read_array,
    spread_evenly,
)
from games.common.pictures import PictureSet

FOLDERS = ("VG_100K", "VG_100K_2")
FILES = ("image_data.json", "objects.json", "attributes.json")
RELATIONS = "relationships.json"

Attributes = dict[int, tuple[str, ...]]
Relations = dict[int, list[tuple[object, str, object]]]

ON = {"on", "on top of", "sitting on", "standing on", "lying on", "laying on", "parked on", "on a", "on the", "atop"}
IN_FRONT = {"in front of", "front of", "in front"}
LEFT = {"left of", "to left of", "to the left of", "on the left of"}
RIGHT = {"right of", "to right of", "to the right of", "on the right of"}


def read(root: Path, limit: int | None) -> AnnotationStream:
    """Read the annotations of a Visual Genome folder. Raises `WrongFolder`, `BadAnnotations`."""
    for name in FILES:
        if not (root / name).is_file():
            raise VISUAL_GENOME.wrong(root, f"there is no {name}")
    if not any((root / name).is_dir() for name in FOLDERS):
        raise VISUAL_GENOME.wrong(root, f"there is neither {' nor '.join(FOLDERS)}")
    sizes: dict[int, tuple[int, int]] = {}
    faults: list[RejectedFile] = []
    for n, image in enumerate(read_array(root / "image_data.json")):
        try:
            sizes[int(image["image_id"])] = int(image["width"]), int(image["height"])
        except (KeyError, TypeError, ValueError) as error:
            faults.append(RejectedFile(f"{root / 'image_data.json'}, element {n}", f"no picture ({error!r})"))
    wanted = {id: sizes[id] for id in spread_evenly(sorted(sizes), limit)}
    return AnnotationStream(len(wanted) + len(faults), _items(root, wanted, faults))


def _items(
    root: Path, sizes: dict[int, tuple[int, int]], faults: list[RejectedFile]
) -> Iterator[AnnotatedPicture | RejectedFile]:
    yield from faults
    attributes = _attributes(root, sizes)
    relations = _relations(root, sizes)
    left = dict(sizes)
    for n, image in enumerate(read_array(root / "objects.json")):
        try:
            id = int(image["image_id"])
            if id not in sizes:
                continue
            left.pop(id, None)
            objects = [_seen(one, attributes) for one in image["objects"] if one["names"]]
        except (KeyError, TypeError, ValueError, IndexError) as error:
            yield RejectedFile(f"{root / 'objects.json'}, element {n}", f"no objects of a picture ({error!r})")
            continue
        yield AnnotatedPicture(
            name=str(id),
            file=_file(root, id),
            size=sizes[id],
            objects=objects,
            relations=relations.get(id, []),
        )
    for id in left:
        yield RejectedFile(_file(root, id), f"picture {id} of image_data.json is not in objects.json")


def _file(root: Path, id: int) -> str:
    for folder in FOLDERS:
        if (root / folder / f"{id}.jpg").is_file():
            return f"{folder}/{id}.jpg"
    return f"{FOLDERS[0]}/{id}.jpg"


def _seen(one: dict[str, Any], attributes: Attributes) -> AnnotatedObject:
    # version 1.4 merges objects annotated twice; attributes.json still has the older numbers
    keys = [one["object_id"], *one.get("merged_object_ids", ())]
    words = dict.fromkeys(word for key in keys for word in attributes.get(int(key), ()))
    box = float(one["x"]), float(one["y"]), float(one["w"]), float(one["h"])
    return AnnotatedObject(int(one["object_id"]), plain_word(one["names"][0]), list(words), box)


def _attributes(root: Path, sizes: dict[int, tuple[int, int]]) -> Attributes:
    found: Attributes = {}
    known: dict[tuple[str, ...], tuple[str, ...]] = {}  # the same few words a million times
    for one in _parts(root / "attributes.json", "attributes", sizes):
        words = tuple(dict.fromkeys(plain_word(word) for word in one.get("attributes") or ()))
        if words and isinstance(one.get("object_id"), int):
            found[one["object_id"]] = known.setdefault(words, words)
    return found


def _parts(path: Path, key: str, sizes: dict[int, tuple[int, int]]) -> Iterator[dict[str, Any]]:
    """What an annotation file lists below `key` for each wanted picture, with the picture's id among it."""
    for image in read_array(path):
        id = image.get("image_id") if isinstance(image, dict) else None
        if id not in sizes:
            continue
        parts = image.get(key) or ()
        if not isinstance(parts, list | tuple) or not all(isinstance(one, dict) for one in parts):
            raise BadAnnotations(f"{path}: the {key} of picture {id} are no list of objects")
        yield from ({**one, "image_id": id} for one in parts)


def _relations(root: Path, sizes: dict[int, tuple[int, int]]) -> Relations:
    found: Relations = {}
    if not (root / RELATIONS).is_file():
        return found
    for one in _parts(root / RELATIONS, "relationships", sizes):
        relation = _relation(one)
        if relation:
            found.setdefault(one["image_id"], []).append(relation)
    return found


def _relation(one: dict[str, Any]) -> tuple[object, str, object] | None:
    """Bring a free predicate to one of our three words; None for what is none of them."""
    said = plain_word(one.get("predicate", ""))
    subject, object = (_object_id(one.get(side)) for side in ("subject", "object"))
    if said in ON:
        return subject, "on", object
    if said in IN_FRONT:
        return subject, "in front of", object
    if said == "behind":
        return object, "in front of", subject
    if said in LEFT:
        return subject, "left of", object
    if said in RIGHT:
        return object, "left of", subject
    return None


def _object_id(one: Any) -> object:
    return one.get("object_id") if isinstance(one, dict) else None


VISUAL_GENOME = DataSet(
    PictureSet(
        "visual-genome",
        "Visual Genome",
        "CC BY 4.0",
        "Krishna, R., Zhu, Y., Groth, O., Johnson, J., Hata, K., Kravitz, J., … & Fei-Fei, L. (2017). Visual Genome: "
        "Connecting language and vision using crowdsourced dense image annotations. IJCV, 123(1), 32–73.",
        "https://homes.cs.washington.edu/~ranjay/visualgenome/",
    ),
    (
        "image_data.json, objects.json and attributes.json (and relationships.json, if you have it)",
        "VG_100K/ and VG_100K_2/ (from images.zip and images2.zip)",
    ),
    read,
)
