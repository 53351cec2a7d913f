"""What a reader of a data set gives: pictures with what is on them, faults, and where the data set comes from.

A reader knows one publisher's layout and nothing else; it opens no picture. `games/common/datasets/register.py` checks
the pictures and registers them. Sizes and boxes are those of the publisher's file, in pixels.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from games.common.pictures import PictureSet

T = TypeVar("T")


class WrongFolder(ValueError):
    """A folder that does not hold the data set; the message says which files were expected."""


class BadAnnotations(ValueError):
    """A file on which all pictures depend and that cannot be read; the message names it."""


@dataclass(frozen=True, slots=True)
class AnnotatedObject:
    """An object as a data set annotates it: its key in the annotation, name, attributes, box in pixels if given."""

    key: object
    name: str
    attributes: Sequence[str] = ()
    box: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class AnnotatedPicture:
    """An annotated picture: its name within the set, its file below the root, and what the annotation says."""

    name: str
    file: str
    category: str | None = None
    size: tuple[int, int] | None = None
    objects: Sequence[AnnotatedObject] = ()
    relations: Sequence[tuple[object, str, object]] = ()
    captions: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class RejectedFile:
    """Something that is not registered: which file, and why."""

    file: str
    why: str

    def __str__(self) -> str:
        return f"{self.file}: {self.why}"


@dataclass(frozen=True, slots=True)
class AnnotationStream:
    """A data set being read: how many annotations there are, and each of them or why it cannot be used."""

    total: int
    items: Iterator[AnnotatedPicture | RejectedFile]
    remark: str = ""


@dataclass(frozen=True, slots=True)
class DataSet:
    """One data set that can be read: its terms, the files that make it one, and its reader (root, limit)."""

    about: PictureSet
    layout: Sequence[str]
    read: Callable[[Path, int | None], AnnotationStream]

    def wrong(self, root: Path, missing: str) -> WrongFolder:
        """Return the error for a folder that does not hold the data set."""
        wanted = "\n".join(f"  {line}" for line in self.layout)
        return WrongFolder(f"{root} does not hold {self.about.title}: {missing}. Expected in the folder:\n{wanted}")


def spread_evenly(names: Sequence[T], limit: int | None) -> list[T]:
    """Return at most `limit` of them, evenly spread: data sets are sorted by scene, and the first are all alike."""
    if limit is None or limit >= len(names):
        return list(names)
    return [names[i * len(names) // limit] for i in range(limit)]


def read_array(path: Path, key: str | None = None, *, chunk: int = 1 << 20) -> Iterator[Any]:
    """Read a JSON array element by element (or that below a key), so that gigabytes need not fit in memory.

    Raises `BadAnnotations` naming file and place for what is no such array or is cut short.
    """
    decoder = json.JSONDecoder()
    start = re.compile(r"\s*\[" if key is None else rf'"{re.escape(key)}"\s*:\s*\[')
    with path.open(encoding="utf-8") as stream:
        text, begun, at, ended = "", False, 0, False
        while True:
            try:
                more = stream.read(chunk)
            except UnicodeDecodeError as error:
                raise BadAnnotations(f"{path}: no UTF-8 text ({error.reason} after {stream.tell()} bytes)") from None
            ended = not more
            text, at = text[at:] + more, 0
            if not begun:
                head = start.match(text) if key is None else start.search(text)
                if head is None and ended:
                    raise BadAnnotations(f"{path}: no array of annotations")
                if head is None:
                    continue
                begun, at = True, head.end()
            while True:
                at = _after(text, at)
                if text[at : at + 1] == "]":
                    return
                try:
                    value, end = decoder.raw_decode(text, at)
                except json.JSONDecodeError:
                    break
                if text[end : end + 1] not in DELIMITERS:  # a number may go on in what is not read yet
                    break
                yield value
                at = end
            if ended:
                raise BadAnnotations(f"{path}: broken or cut short near {text[at : at + 40]!r}")


DELIMITERS = {*",] \t\r\n"}
BETWEEN = re.compile(r"[\s,]*")


def _after(text: str, at: int) -> int:
    found = BETWEEN.match(text, at)
    return found.end() if found else at


def plain_word(text: object) -> str:
    """Return a name or attribute as we write it: small letters, single blanks, British grey."""
    word = " ".join(str(text).replace("_", " ").split()).lower()
    return re.sub(r"\bgray\b", "grey", word)
