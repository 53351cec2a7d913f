"""Registers the pictures of imported instances, from a folder that the user names.

An imported set names pictures by address: a path in somebody's checkout, or a URL. The longest end of an address that
is a file in the folder is used, so the folder may be the checkout itself or the one with the pictures.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from games.common.datasets.register import register
from games.common.datasets.source import AnnotatedPicture, AnnotationStream, DataSet, RejectedFile
from games.common.pictures import CLEMBENCH_SET, PictureSet, read_picture_file, read_registered_set

CLEMBENCH_PICTURES = PictureSet(
    name=CLEMBENCH_SET, title="pictures of sets imported from clembench", licence="as their publishers say"
)


def find_picture_file(address: str, folder: Path) -> Path | None:
    """Return the file of an address in a folder, None if there is none."""
    path = unquote(urlsplit(address).path) if "://" in address else address
    path_parts = [
        path_part for path_part in PurePosixPath(path.replace("\\", "/")).parts if path_part not in ("/", "..", ".")
    ]
    for start in range(len(path_parts)):
        file = folder.joinpath(*path_parts[start:])
        if file.is_file():
            return file.resolve()
    return None


def register_pictures(files: Mapping[str, Path], imported_folder: Path) -> tuple[dict[str, str], list[RejectedFile]]:
    """Register files by address, in addition to those registered before. Return ids by address, and rejected files.

    An id is a hash of the content of a file, so the same picture always has the same id.
    """
    names = {}
    for address, path in files.items():
        try:
            names[address] = hashlib.sha256(read_picture_file(path)).hexdigest()[:24]
        except (OSError, ValueError):  # `register` reports what is wrong with it
            names[address] = hashlib.sha256(address.encode()).hexdigest()[:24]
    earlier_files = {
        name: file for name, file in _read_registered_files(imported_folder).items() if Path("/", file).is_file()
    }
    pictures = earlier_files | {
        name: files[address].absolute().as_posix().lstrip("/") for address, name in names.items()
    }

    def read_annotations(_: Path, __: int | None) -> AnnotationStream:
        return AnnotationStream(
            len(pictures), iter([AnnotatedPicture(name, file) for name, file in sorted(pictures.items())])
        )

    registration = register(DataSet(CLEMBENCH_PICTURES, (), read_annotations), Path("/"), imported_folder)
    registered_files = _read_registered_files(imported_folder)
    ids = {address: f"{CLEMBENCH_SET}/{name}" for address, name in names.items() if name in registered_files}
    paths = {str(path) for path in files.values()}
    return ids, [rejected_file for rejected_file in registration.rejected_files if rejected_file.file in paths]


def _read_registered_files(imported_folder: Path) -> dict[str, str]:
    """Return the files of the registered pictures by name."""
    path = imported_folder / CLEMBENCH_SET / "set.json"
    manifest_entries = read_registered_set(path).manifest_entries if path.is_file() else {}
    return {id.partition("/")[2]: manifest_entry.file for id, manifest_entry in manifest_entries.items()}


def missing_addresses(addresses: Iterable[str], ids: Mapping[str, str]) -> list[str]:
    """Return the addresses without a picture id, each once, in order."""
    return [address for address in dict.fromkeys(addresses) if address not in ids]
