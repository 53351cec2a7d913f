"""Registers the pictures that imported instances show, found in a folder that the user names.

An imported set gives addresses: a path in somebody's checkout, or a URL. Of each the longest end that is a file in the
folder counts, so the folder may be the checkout itself, or the one the pictures lie in.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from games.common.datasets.register import register
from games.common.datasets.source import AnnotatedPicture, AnnotationStream, DataSet, RejectedFile
from games.common.pictures import CLEMBENCH_SET, PictureSet, read_picture_file

ABOUT = PictureSet(CLEMBENCH_SET, "pictures of sets imported from clembench", "as their publishers say", None, None)


def find_picture_file(address: str, folder: Path) -> Path | None:
    """Return the file that an address means in a folder, None where there is none."""
    path = unquote(urlsplit(address).path) if "://" in address else address
    parts = [part for part in PurePosixPath(path.replace("\\", "/")).parts if part not in ("/", "..", ".")]
    for start in range(len(parts)):
        found = folder.joinpath(*parts[start:])
        if found.is_file():
            return found.resolve()
    return None


def register_pictures(files: Mapping[str, Path], to: Path) -> tuple[dict[str, str], list[RejectedFile]]:
    """Register files by address beside those registered before; return ids by address, and what is not well.

    An id is made from what a file holds, so the same picture has the same id wherever it lies.
    """
    names = {}
    for address, path in files.items():
        try:
            names[address] = hashlib.sha256(read_picture_file(path)).hexdigest()[:24]
        except (OSError, ValueError):  # `register` says what is wrong with it
            names[address] = hashlib.sha256(address.encode()).hexdigest()[:24]
    found = {name: _below_root(files[address]) for address, name in names.items()}
    kept = {name: file for name, file in _before(to) if Path("/", file).is_file()} | found

    def read(_: Path, __: int | None) -> AnnotationStream:
        return AnnotationStream(len(kept), iter([AnnotatedPicture(name, file) for name, file in sorted(kept.items())]))

    made = register(DataSet(ABOUT, (), read), Path("/"), to)
    well = {name for name, _ in _before(to)}
    ids = {address: f"{CLEMBENCH_SET}/{name}" for address, name in names.items() if name in well}
    wanted = {str(path) for path in files.values()}
    return ids, [fault for fault in made.faults if fault.file in wanted]


def _below_root(path: Path) -> str:
    return path.absolute().as_posix().lstrip("/")


def _before(to: Path) -> Iterator[tuple[str, str]]:
    """Yield name and file of the pictures that are registered."""
    lines = to / CLEMBENCH_SET / "pictures.jsonl"
    for line in lines.read_text(encoding="utf-8").splitlines() if lines.is_file() else ():
        known = json.loads(line)
        yield known["id"].partition("/")[2], known["file"]


def missing_addresses(addresses: Iterable[str], ids: Mapping[str, str]) -> list[str]:
    """Return the addresses of pictures that are not here, each once, in order."""
    return [address for address in dict.fromkeys(addresses) if address not in ids]
