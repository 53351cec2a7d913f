"""What a reader of a data set returns: annotated pictures, rejected files, and the terms of the data set.

A reader knows the layout of one publisher and opens no picture. `games/common/datasets/register.py` checks the pictures
and registers them. Sizes and boxes are in pixels of the publisher's file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from games.common.pictures import PictureSet

ElementT = TypeVar("ElementT")


class WrongFolder(ValueError):
    """A folder that does not hold the data set. The message lists the expected files."""


class BadAnnotations(ValueError):
    """An unreadable file that all pictures depend on. The message names it."""


@dataclass(frozen=True, slots=True)
class AnnotatedObject:
    """An object as a data set annotates it: its key in the annotation, name, attributes, and box in pixels if known."""

    key: object
    name: str
    attributes: Sequence[str] = ()
    box: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class AnnotatedPicture:
    """A picture with its annotation: its name within the set and its file below the root folder.

    Relations are (subject key, word, object key).
    """

    name: str
    file: str
    category: str | None = None
    size: tuple[int, int] | None = None
    objects: Sequence[AnnotatedObject] = ()
    relations: Sequence[tuple[object, str, object]] = ()
    captions: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class RejectedFile:
    """A file, or a line or element of one, that cannot be registered, and the reason."""

    file: str
    reason: str

    def __str__(self) -> str:
        return f"{self.file}: {self.reason}"


@dataclass(frozen=True, slots=True)
class AnnotationStream:
    """The annotations of a data set, read one by one, and how many there will be."""

    picture_count: int
    items: Iterator[AnnotatedPicture | RejectedFile]
    remark: str = ""


@dataclass(frozen=True, slots=True)
class DataSet:
    """A data set that can be imported: its terms, a description of its files, and its reader (root, limit)."""

    picture_set: PictureSet
    folder_layout: Sequence[str]
    read_annotations: Callable[[Path, int | None], AnnotationStream]

    def make_folder_error(self, root: Path, missing_path: str) -> WrongFolder:
        """Return the error for a folder that does not hold the data set."""
        layout_text = "\n".join(f"  {line}" for line in self.folder_layout)
        return WrongFolder(
            f"{root} does not hold {self.picture_set.title}: {missing_path}. Expected in the folder:\n{layout_text}"
        )


def select_evenly_spaced(elements: Sequence[ElementT], max_count: int | None) -> list[ElementT]:
    """Return at most `max_count` elements, evenly spread. Data sets are sorted by scene: the first are all similar."""
    if max_count is None or max_count >= len(elements):
        return list(elements)
    return [elements[i * len(elements) // max_count] for i in range(max_count)]


def read_array(path: Path, array_key: str | None = None, *, chunk_size: int = 1 << 20) -> Iterator[Any]:
    """Yield the elements of a JSON array, or of the array at a key, without loading the whole file into memory.

    Raises `BadAnnotations` with file and place if there is no such array or if it is truncated.
    """
    decoder = json.JSONDecoder()
    opening_pattern = re.compile(r"\s*\[" if array_key is None else rf'"{re.escape(array_key)}"\s*:\s*\[')
    with path.open(encoding="utf-8") as stream:
        text, is_in_array, position, is_at_end = "", False, 0, False
        while True:
            try:
                new_text = stream.read(chunk_size)
            except UnicodeDecodeError as error:
                raise BadAnnotations(f"{path}: no UTF-8 text ({error.reason} after {stream.tell()} bytes)") from None
            is_at_end = not new_text
            text, position = text[position:] + new_text, 0
            if not is_in_array:
                start = opening_pattern.match(text) if array_key is None else opening_pattern.search(text)
                if start is None and is_at_end:
                    raise BadAnnotations(f"{path}: no array of annotations")
                if start is None:
                    continue
                is_in_array, position = True, start.end()
            while True:
                position = _skip_separators(text, position)
                if text[position : position + 1] == "]":
                    return
                try:
                    array_entry, end_position = decoder.raw_decode(text, position)
                except json.JSONDecodeError:
                    break
                if (
                    text[end_position : end_position + 1] not in JSON_DELIMITERS
                ):  # a number may continue in the part not read yet
                    break
                yield array_entry
                position = end_position
            if is_at_end:
                raise BadAnnotations(f"{path}: broken or cut short near {text[position : position + 40]!r}")


JSON_DELIMITERS = {*",] \t\r\n"}
SEPARATORS_PATTERN = re.compile(r"[\s,]*")


def _skip_separators(text: str, position: int) -> int:
    separators = SEPARATORS_PATTERN.match(text, position)
    return separators.end() if separators else position


def normalise_label(text: object) -> str:
    """Return a name or attribute in our spelling: lower case, single spaces, British "grey"."""
    label = " ".join(str(text).replace("_", " ").split()).lower()
    return re.sub(r"\bgray\b", "grey", label)
