"""Registers the pictures of a user's data set where they are: checks every file, writes what is on it, copies none.

`imported/SET/set.json` and `pictures.jsonl` are written aside and put in place at once when all is done; whatever
happens before, what stood there still stands. What is not well is told as a `RejectedFile`, and the rest goes on.
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

from games.common.datasets.ade20k import ADE20K
from games.common.datasets.clevr import CLEVR
from games.common.datasets.docci import DOCCI
from games.common.datasets.source import AnnotatedObject, AnnotatedPicture, DataSet, RejectedFile
from games.common.datasets.visual_genome import VISUAL_GENOME
from games.common.pictures import (
    VERSION,
    Box,
    Description,
    PictureObject,
    description_line,
    read_picture_file,
    resolve_within,
)
from games.common.playable import BadPicture, measure

DATASETS: dict[str, DataSet] = {one.about.name: one for one in (ADE20K, VISUAL_GENOME, DOCCI, CLEVR)}
SMALLEST = 32
"""Pixels a side: less is a thumbnail or a tracker, and nothing to talk about."""
BATCH = 256


@dataclass
class RegistrationReport:
    """What came of it: pictures registered, faults in words, and whether anything changed."""

    folder: Path
    number: int = 0
    faults: list[RejectedFile] = field(default_factory=list)
    changed: bool = True
    remark: str = ""


def register(
    dataset: DataSet,
    root: Path,
    to: Path,
    *,
    limit: int | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
    fault: Callable[[RejectedFile], None] = lambda fault: None,
) -> RegistrationReport:
    """Register the pictures below a folder in `to/SET`; `progress` and `fault` are told as it goes.

    Raises `WrongFolder`, `BadAnnotations`, OSError. Where no picture is well, nothing is written.
    """
    root = root.resolve()
    name = dataset.about.name
    reading = dataset.read(root, limit)
    made = RegistrationReport(to / name, remark=reading.remark)
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=to) as aside:
        places: dict[str, tuple[int, int]] = {}
        done = 0
        with (Path(aside) / "lines").open("w+b") as stream:
            for result in _checked(name, root, reading.items):
                if not isinstance(result, RejectedFile) and result[0] in places:
                    result = RejectedFile(result[0], "a second annotation of the same picture")
                if isinstance(result, RejectedFile):
                    made.faults.append(result)
                    fault(result)
                else:
                    places[result[0]] = stream.tell(), len(result[1])
                    stream.write(result[1])
                done += 1
                progress(done, reading.total)
            made.number = len(places)
            new = Path(aside) / name
            new.mkdir()
            with (new / "pictures.jsonl").open("wb") as sorted_lines:
                for id in sorted(places):
                    stream.seek(places[id][0])
                    sorted_lines.write(stream.read(places[id][1]))
        (new / "set.json").write_text(_about(dataset, root, made), encoding="utf-8")
        made.changed = not _equal(new, made.folder)
        if made.number and made.changed:
            _put(new, made.folder, Path(aside) / "before")
    return made


def remove(name: str, to: Path) -> bool:
    """Forget a set; the user's own files stay where they are. Says whether there was one."""
    folder = to / name
    if not (folder / "set.json").is_file() and not (folder / "pictures.jsonl").is_file():
        return False
    shutil.rmtree(folder)
    return True


def _checked(
    set: str, root: Path, items: Iterator[AnnotatedPicture | RejectedFile]
) -> Iterator[tuple[str, bytes] | RejectedFile]:
    """Check pictures in order, several at once: decoding one holds no lock."""
    with ThreadPoolExecutor(max_workers=min(8, os.cpu_count() or 1)) as workers:
        while batch := list(islice(items, BATCH)):
            yield from workers.map(lambda one: one if isinstance(one, RejectedFile) else _line(set, root, one), batch)


def _line(set: str, root: Path, found: AnnotatedPicture) -> tuple[str, bytes] | RejectedFile:
    where = str(root / found.file)
    id = f"{set}/{found.name}"
    if not all(text.isprintable() and not {'"', "\\"} & {*text} for text in (found.name, found.file)):
        return RejectedFile(ascii(found.file), "a name that cannot be registered; rename the file and its annotation")
    try:
        data = read_picture_file(resolve_within(root, found.file))
        seen, played = measure(data)
    except FileNotFoundError:
        return RejectedFile(where, f"there is no such file: an annotation ({found.name}) without its picture")
    except (BadPicture, OSError, ValueError) as error:
        return RejectedFile(where, str(error))
    if min(seen) < SMALLEST:
        return RejectedFile(where, f"{seen[0]} × {seen[1]} pixels are too few to play with")
    if found.size and found.size != seen:
        said = f"its annotation is of a picture of {found.size[0]} × {found.size[1]} pixels"
        return RejectedFile(where, f"{said}, this one has {seen[0]} × {seen[1]}")
    description = _described(id, found, seen, played)
    return id, description_line(description, found.file, hashlib.sha256(data).hexdigest()).encode()


def _described(id: str, found: AnnotatedPicture, seen: tuple[int, int], played: tuple[int, int]) -> Description:
    things, names, numbers = [], {}, dict[str, int]()
    for one in found.objects:
        if not one.name:
            continue
        numbers[one.name] = numbers.get(one.name, 0) + 1
        names[one.key] = f"{one.name} {numbers[one.name]}"
        box = _box(one, seen, played)
        # `visible` stays 1: how much of a thing others hide is annotated by none of the sets
        thing = PictureObject(id=names[one.key], name=one.name, attributes=tuple(one.attributes), box=box)
        things.append(thing)
    relations = dict.fromkeys(
        (names[subject], word, names[object])
        for subject, word, object in found.relations
        if subject in names and object in names and subject != object
    )
    return Description(
        id=id,
        kind="photo",
        category=found.category,
        width=played[0],
        height=played[1],
        objects=tuple(things),
        relations=tuple(relations),
        captions=tuple(found.captions),
    )


def _box(one: AnnotatedObject, seen: tuple[int, int], played: tuple[int, int]) -> Box | None:
    """Bring a box to the size that is played, within the picture; None where nothing of it is left."""
    if one.box is None:
        return None
    x, y, width, height = one.box
    across, down = played[0] / seen[0], played[1] / seen[1]
    left, top = max(0, round(x * across)), max(0, round(y * down))
    right, bottom = min(played[0], round((x + width) * across)), min(played[1], round((y + height) * down))
    return (left, top, right - left, bottom - top) if right > left and bottom > top else None


def _about(dataset: DataSet, root: Path, made: RegistrationReport) -> str:
    about = dataset.about
    data = {
        "version": VERSION,
        "name": about.name,
        "title": about.title,
        "licence": about.licence,
        "citation": about.citation,
        "url": about.url,
        "root": str(root),
        "imported": made.number,
        "faults": len(made.faults),
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _equal(new: Path, old: Path) -> bool:
    def digest(path: Path) -> bytes:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").digest()

    names = ("set.json", "pictures.jsonl")
    return all((old / name).is_file() and digest(new / name) == digest(old / name) for name in names)


def _put(new: Path, place: Path, before: Path) -> None:
    """Swap folders; `before` is deleted with the temporary folder it lies in."""
    if place.exists():
        place.rename(before)
    try:
        new.rename(place)
    except OSError:
        if before.exists():
            before.rename(place)
        raise
