"""Reads ADE20K: scenes by category, with every object outlined. Three layouts of its publisher are known:

- ADE20K_2021_17_01: images/ADE/SPLIT/…/NAME.jpg with NAME.json beside it (its index is a pickle and is never opened);
- ADE20K_2016_07_26: images/SPLIT/LETTER/SCENE/NAME.jpg with NAME_atr.txt beside it;
- ADEChallengeData2016 (scene parsing): sceneCategories.txt, objectInfo150.txt, images/SPLIT and annotations/SPLIT.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
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
from games.common.pictures import PictureSet, read_picture_file, resolve_within
from games.common.playable import open_picture

SCENES, CLASSES = "sceneCategories.txt", "objectInfo150.txt"
WHERE = ("indoor", "outdoor", "interior", "exterior")


def read(root: Path, limit: int | None) -> AnnotationStream:
    """Read the annotations of an ADE20K folder in any of its layouts. Raises `WrongFolder`."""
    if (root / SCENES).is_file():
        return _scene_parsing(root, limit)
    if not (root / "images").is_dir():
        raise ADE20K.wrong(root, f"there is neither images/ nor {SCENES}")
    files = sorted(_annotations(root / "images"))
    if not files:
        raise ADE20K.wrong(root, "no picture below images/ has its annotation (.json or _atr.txt) beside it")
    chosen = spread_evenly(files, limit)
    return AnnotationStream(len(chosen), (_tried(root, path) for path in chosen))


def _annotations(folder: Path) -> Iterator[Path]:
    """Every annotation below a folder. The masks of a picture, in a folder of its name, are left out."""
    for at, folders, files in os.walk(folder):
        here = {name for name in files if name.endswith((".json", "_atr.txt"))}
        folders[:] = sorted(name for name in folders if f"{name}.json" not in here)
        yield from (Path(at, name) for name in here)


def _tried(root: Path, path: Path) -> AnnotatedPicture | RejectedFile:
    reader: Callable[[Path, Path], AnnotatedPicture] = _of_json if path.suffix == ".json" else _of_table
    try:
        return reader(root, path)
    except OSError as error:
        return RejectedFile(str(path), error.strerror or str(error))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        return RejectedFile(str(path), f"no annotation of ADE20K ({type(error).__name__}: {error})")


# ------------------------------------------------------------------ the full data set, 2021
def _of_json(root: Path, path: Path) -> AnnotatedPicture:
    data = json.loads(_text(path))["annotation"]
    height, width = (int(side) for side in data["imsize"][:2])
    return AnnotatedPicture(
        name=path.stem,
        file=path.with_name(str(data["filename"])).relative_to(root).as_posix(),
        category=category(_many(data.get("scene"))),
        size=(width, height),
        objects=[_seen(one) for one in _many(data["object"]) if not one["parts"]["part_level"]],
    )


def _text(path: Path) -> str:
    data = path.read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError:  # some raw names were written in Latin-1
        return data.decode("latin-1")


def _many(value: Any) -> list[Any]:
    """The files were written by MATLAB, which makes a list of one into the one itself."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _seen(one: dict[str, Any]) -> AnnotatedObject:
    x, y = _many(one["polygon"]["x"]), _many(one["polygon"]["y"])
    box = (min(x), min(y), max(x) - min(x) + 1, max(y) - min(y) + 1) if x and y else None
    attributes = [word for text in _many(one.get("attributes")) for word in _listed(text)]
    return AnnotatedObject(one["id"], _first(one["name"]), attributes, box)


def _first(names: str) -> str:
    """Of "car, auto, automobile" the first."""
    return plain_word(names.partition(",")[0])


def _listed(text: str) -> list[str]:
    return [plain_word(word) for word in text.strip().strip('"').split(",") if word.strip()]


def category(parts: list[str]) -> str | None:
    """Return a scene in plain words: ["urban", "street"] is a street, ["church", "indoor"] an indoor church."""
    words = [plain_word(part) for part in parts if part]
    if not words:
        return None
    if words[-1] in WHERE and len(words) > 1:
        return f"{words[-1]} {words[-2]}"
    return words[-1]


# ------------------------------------------------------------------ the full data set, 2016
def _of_table(root: Path, path: Path) -> AnnotatedPicture:
    """Every line: instance # level of parts # occluded # names # raw name # "attributes"."""
    objects = []
    for n, line in enumerate(_text(path).splitlines()):
        cells = [cell.strip() for cell in line.split("#")]
        if cells == [""]:
            continue
        if len(cells) < 6:
            raise ValueError(f"line {n + 1} has {len(cells)} columns, not 6")
        if int(cells[1]) == 0:
            objects.append(AnnotatedObject(int(cells[0]), _first(cells[3]), _listed(cells[5])))
    name = path.name.removesuffix("_atr.txt")
    folders = path.parent.relative_to(root / "images").parts[2:]  # after the split and the letter
    return AnnotatedPicture(
        name=name,
        file=path.with_name(f"{name}.jpg").relative_to(root).as_posix(),
        category=category(list(folders)),
        objects=objects,
    )


# ------------------------------------------------------------------ scene parsing
def _scene_parsing(root: Path, limit: int | None) -> AnnotationStream:
    path = root / CLASSES
    if not path.is_file():
        raise ADE20K.wrong(root, f"there is no {CLASSES}")
    classes: dict[int, str] = {}
    for line in _text(path).splitlines()[1:]:
        cells = line.split("\t")
        if len(cells) >= 6 and cells[0].strip().isdecimal():
            classes[int(cells[0])] = _first(cells[5])
    if not classes:
        raise ADE20K.wrong(root, f"{CLASSES} lists no classes")
    scenes = [line.split() for line in _text(root / SCENES).splitlines() if line.strip()]
    chosen = spread_evenly(scenes, limit)
    return AnnotationStream(len(chosen), (_parsed(root, line, classes) for line in chosen))


def _parsed(root: Path, line: list[str], classes: dict[int, str]) -> AnnotatedPicture | RejectedFile:
    if len(line) != 2:
        return RejectedFile(str(root / SCENES), f"{' '.join(line)!r} is not a picture and its category")
    name, scene = line
    split = "training" if "_train_" in name else "validation"
    mask = f"annotations/{split}/{name}.png"
    try:
        seen = open_picture(read_picture_file(resolve_within(root, mask)))
        if seen.mode not in ("L", "P"):
            raise ValueError(f"no mask of classes but a picture in {seen.mode}")
        numbers = sorted(number for number, count in enumerate(seen.histogram()) if count and number in classes)
    except (OSError, ValueError) as error:
        return RejectedFile(str(root / mask), str(error))
    return AnnotatedPicture(
        name=name,
        file=f"images/{split}/{name}.jpg",
        category=None if scene == "misc" else category(_place(scene)),
        size=seen.size,
        objects=[AnnotatedObject(number, classes[number]) for number in numbers],
    )


def _place(scene: str) -> list[str]:
    """ "bank_indoor" is a bank, indoor; "living_room" a living room."""
    before, _, last = scene.rpartition("_")
    return [before, last] if before and last in WHERE else [scene]


ADE20K = DataSet(
    PictureSet(
        "ade20k",
        "ADE20K",
        "images for non-commercial research and education only (terms of ADE20K)",
        "Zhou, B., Zhao, H., Puig, X., Xiao, T., Fidler, S., Barriuso, A., & Torralba, A. (2019). Semantic "
        "understanding of scenes through the ADE20K dataset. IJCV, 127(3), 302–321.",
        "https://groups.csail.mit.edu/vision/datasets/ADE20K/terms",
    ),
    (
        "ADE20K_2021_17_01: images/ADE/training/…/ADE_train_00000001.jpg with ADE_train_00000001.json beside it",
        "or ADE20K_2016_07_26: images/training/a/abbey/ADE_train_00000001.jpg with ADE_train_00000001_atr.txt",
        f"or ADEChallengeData2016: {SCENES}, {CLASSES}, images/training/ and annotations/training/",
    ),
    read,
)
