"""The files of clembench's layout: find them below a folder and read them, and name what cannot be read.

Every message is a sentence with the file, the place in it, and what to do. Nothing here knows a game.
"""

from __future__ import annotations

import json
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from engine.core.events import Json
from engine.core.validation import list_field_errors

INDEX_FILE = "INDEX.jsonl"
INDEX_KEYS = ("dir", "source_path", "experiment", "models")
"""The keys of an index line that are read."""
DAMAGED_FILE_ERRORS = (
    LookupError,
    ValueError,
    TypeError,
    SyntaxError,
    AttributeError,
    RecursionError,
    AssertionError,
    ArithmeticError,
)
"""What reading a damaged file can raise, deep inside a game's mapping."""
OTHER_FILES = frozenset(
    ("instance.json", "interactions.json", "scores.json", "requests.json", "experiment.json", "metadata.json")
)
"""JSON files of result folders, which hold no experiments."""
_RAW_MESSAGES = (
    "could not convert",
    "invalid literal",
    "malformed node",
    "not enough values",
    "too many values",
    "is not in list",
    "is not in tuple",
    "cannot convert",
    "dictionary update sequence",
)
"""Parts of messages of Python's own ValueError, which say nothing about the file."""


class UnreadableFile(ValueError):
    """A file or folder cannot be read as clembench's; the message names it and what is wrong."""


class NotAnInstanceFile(UnreadableFile):
    """A JSON file has no list of experiments."""


@dataclass
class ImportableFiles:
    """What is below a folder: folders of episodes, files that may hold experiments, and what cannot be read."""

    episode_folders: list[Path] = field(default_factory=list)
    instance_files: list[Path] = field(default_factory=list)
    unreadable_files: list[UnreadableFile] = field(default_factory=list)


def find_files(root: Path) -> ImportableFiles:
    """Return what can be imported at or below `root`, sorted. Links to folders are named, not followed."""
    importable_files = ImportableFiles()
    if root.is_file():
        return ImportableFiles(instance_files=[root])
    if not root.is_dir():
        message = f"{root}: neither a regular file nor a folder: name one of these"
        return ImportableFiles(unreadable_files=[UnreadableFile(message)])
    for folder, folder_names, file_names in os.walk(
        root, onerror=lambda error: _add_unreadable_folder(importable_files, error)
    ):
        folder_names.sort()
        for name in folder_names:
            if (path := Path(folder, name)).is_symlink() and not path.resolve().is_relative_to(root.resolve()):
                message = f"{path}: a link to the folder {path.resolve()}, which is not followed: import that folder"
                importable_files.unreadable_files.append(UnreadableFile(message))
        for name in sorted(file_names):
            path = Path(folder, name)
            if path.is_symlink() and not path.exists():
                message = f"{path}: a link to {os.readlink(path)}, which does not exist: correct or delete the link"
                importable_files.unreadable_files.append(UnreadableFile(message))
            elif name == "interactions.json":
                importable_files.episode_folders.append(path.parent)
            elif path.suffix == ".json" and name not in OTHER_FILES and not _is_run_file(name):
                importable_files.instance_files.append(path)
    importable_files.episode_folders.sort()
    importable_files.instance_files.sort()
    return importable_files


def _add_unreadable_folder(importable_files: ImportableFiles, error: OSError) -> None:
    message = f"{error.filename}: the folder cannot be read ({error.strerror}): allow reading it, and import it again"
    importable_files.unreadable_files.append(UnreadableFile(message))


def _is_run_file(file_name: str) -> bool:
    return file_name.startswith("experiment_") or file_name.endswith(".requests.json") or file_name == "run.json"


def read_text(path: Path) -> str:
    """Return the text of a regular file in UTF-8; a pipe or device is never opened. Raises `UnreadableFile`."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise UnreadableFile(f"{path}: not a regular file: replace it by a file")
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UnreadableFile(f"{path}: the file is missing: add it, or remove its folder") from None
    except OSError as error:
        raise UnreadableFile(f"{path}: the file cannot be read ({error.strerror or error})") from None
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"{path}: it is not text in UTF-8 (byte {error.start}): fetch the file again") from None


def read_json(path: Path) -> Any:
    """Return the content of a JSON file, which may contain a bare NaN. Raises `UnreadableFile`."""
    json_text = read_text(path)
    try:
        return json.loads(json_text)
    except json.JSONDecodeError as error:
        error_position = f"line {error.lineno}, column {error.colno}"
        raise UnreadableFile(f"{path}: {error_position}: it is not JSON ({error.msg}): fetch the file again") from None
    except RecursionError:
        raise UnreadableFile(f"{path}: its lists and objects are nested too deeply") from None
    except ValueError:
        raise UnreadableFile(f"{path}: a whole number in it is too long to be read: correct the number") from None


def read_index(root_path: Path) -> tuple[dict[str, Json], list[UnreadableFile]]:
    """Return the INDEX.jsonl of a collection: path below `root` to its line, and the lines that cannot be read.

    An episode without a readable line is taken to come from its own folder.
    """
    path = root_path / INDEX_FILE
    if not path.exists():
        return {}, []
    try:
        index_text = read_text(path)
    except UnreadableFile as error:
        return {}, [error]
    entry_by_id: dict[str, Json] = {}
    damaged_lines = []
    for line_number, index_line in enumerate(index_text.splitlines(), 1):
        try:
            index_entry = json.loads(index_line) if index_line.strip() else None
        except (ValueError, RecursionError):
            index_entry = index_line
        if index_fault := _find_index_fault(index_entry):
            message = f"{path}: line {line_number}: {index_fault}: the line is not used; correct it"
            damaged_lines.append(UnreadableFile(message))
        elif index_entry is not None:
            entry_by_id[index_entry["dir"]] = index_entry
    return entry_by_id, damaged_lines


def _find_index_fault(index_entry: Any) -> str | None:
    """Return what is wrong with a line of an index; None if nothing is."""
    if index_entry is None:
        return None
    if not isinstance(index_entry, dict):
        return "it is not a JSON object"
    if "dir" not in index_entry:
        return 'the key "dir" is missing'
    faults = (
        f"{key} is {index_entry[key]!r:.80}, where a text was expected"
        for key in INDEX_KEYS
        if _lacks_text(index_entry, key)
    )
    return next(faults, None)


def _lacks_text(index_entry: Json, entry_key: str) -> bool:
    return not isinstance(index_entry.get(entry_key), str) and (
        entry_key == "dir" or index_entry.get(entry_key) is not None
    )


def describe_error(error: Exception) -> str:
    """Return what an error from deep inside a damaged file says about the file, as one line."""
    if isinstance(error, ValidationError):
        faults = [
            (".".join(map(str, field_fault.path)), field_fault.message) for field_fault in list_field_errors(error)
        ]
        return "; ".join(f"{field_path}: {message}" if field_path else message for field_path, message in faults)
    if isinstance(error, KeyError):
        return f"the key {str(error.args[0])!r:.80} is missing" if error.args else "a key is missing"
    if isinstance(error, RecursionError):
        return "its lists and objects are nested too deeply"
    error_text = " ".join(str(error).split())
    if "not JSON compliant" in error_text:
        return "a number in it is infinite or NaN, which a log cannot hold"
    is_raw = not error_text or any(raw_message in error_text for raw_message in _RAW_MESSAGES)
    if isinstance(error, ValueError | LookupError) and not isinstance(error, IndexError) and not is_raw:
        return error_text[:200]
    return "a value has another type or form than clembench writes: compare the file with one that can be imported"
