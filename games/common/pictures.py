"""The library of pictures: those that Ludens drew, in `assets/`, and the user's data sets, registered in `imported/`.

`LIBRARY` looks pictures up by id ("rooms/bedroom-1", "visual-genome/2315353") and returns their description, the bytes
that are played, and their set with licence and citation. A set is read when it is first needed; a broken one does not
affect the others. `labels`, `jaccard` and `find_most_similar` select pictures. This module neither draws nor registers
pictures.
"""

from __future__ import annotations

import hashlib
import json
import operator
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine.core.content import Picture
from games.common.playable import MAX_FILE_BYTES, BadPicture, PlayablePicture, make_playable_picture

PROJECT_ROOT = Path(__file__).resolve().parents[2]
FORMAT_VERSION = 1
"""The version of manifest.json and set.json that is read and written."""
LUDENS_SET = "ludens"
"""The set that Ludens drew."""
CLEMBENCH_SET = "clembench"
"""The set of all pictures of imported instances (`ludens import clembench --pictures`)."""
IMPORTABLE_SETS = ("ade20k", CLEMBENCH_SET, "clevr", "docci", "visual-genome")
"""The data sets that can be registered."""

ResultT = TypeVar("ResultT")
PictureKind = Literal["room", "objects", "scene", "photo"]
Box = tuple[int, int, int, int]


class UnknownPicture(KeyError):
    """A picture that is not available. The message names it and says what to do."""

    def __str__(self) -> str:
        return str(self.args[0])


class BadSet(ValueError):
    """A set of pictures that cannot be read. The message names the file and the error."""


class PictureObject(BaseModel):
    """An object on a picture: English name, attributes, and its box [x, y, width, height] in pixels if known.

    `visible` is the share of it that other objects do not hide.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    id: str
    name: str
    attributes: tuple[str, ...] = ()
    box: Box | None = None
    visible: float = 1
    writing: str = Field("", exclude_if=operator.not_)
    """What can be read on it, one text per line from the top; "…" stands for what cannot. Empty if nothing is known."""
    details: tuple[str, ...] = Field((), exclude_if=operator.not_)
    """What else is seen of it: its parts ("with a red seat", "with 3 drawers") and states ("open").

    Instances are not made from them, nor do players mention them.
    """


class BackgroundSurface(BaseModel):
    """A wall, floor, ceiling or what else is no object of its own, with its colours and materials."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    name: str
    attributes: tuple[str, ...] = ()


class PictureDescription(BaseModel):
    """What is on a picture, according to its generator or data set. Relations are (subject id, word, object id)."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    id: str
    kind: PictureKind
    category: str | None = None
    width: int = Field(ge=1)
    height: int = Field(ge=1)
    objects: tuple[PictureObject, ...] = ()
    relations: tuple[tuple[str, str, str], ...] = ()
    captions: tuple[str, ...] = ()
    surfaces: tuple[BackgroundSurface, ...] = ()
    family: str | None = None
    """Drawn pictures of one place that differ slightly. `change` is the difference from the first of the family."""
    change: dict[str, str] | None = None


class PictureSet(BaseModel):
    """A set of pictures and its terms of use."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    name: str
    title: str
    licence: str
    citation: str | None = None
    url: str | None = None

    @property
    def credit_line(self) -> str:
        """The line shown below a picture of the set, empty for our own."""
        return f"{self.title}, {self.licence}" if self.citation else ""


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """One picture in the list of its set. `file` is relative to the folder of the set."""

    file: str
    sha256: str
    kind: str
    category: str | None


class _Manifest(BaseModel):
    """The content of manifest.json: the set that Ludens drew."""

    model_config = ConfigDict(defer_build=True)

    version: Literal[1]
    set: PictureSet
    pictures: dict[str, ManifestEntry]


class _PictureSetFile(PictureSet):
    """The content of set.json: a registered set and the folder of its files."""

    version: Literal[1]
    root: Path


@dataclass(frozen=True)
class LoadedPictureSet:
    """A set that has been read: its terms, the folder of its files, and its pictures by id.

    `describe` reads the description of a picture by id. `repair_hint` says how to restore a missing or changed picture.
    """

    picture_set: PictureSet
    root: Path
    manifest_entries: Mapping[str, ManifestEntry]
    read_description: Callable[[str], PictureDescription]
    repair_hint: str


@dataclass
class Library:
    """All pictures of our own set and of the imported sets, by id. Reads each set once, when it is first needed."""

    assets: Path
    folder: Path | None = None
    """The folder of the imported sets. None: the folder in LUDENS_IMPORTED, or else imported/ of the project."""
    errors_by_set: dict[str, str] = field(default_factory=dict)
    """The sets that could not be read, each with the error."""
    _loaded_picture_sets: dict[str, LoadedPictureSet | None] = field(default_factory=dict)

    @property
    def imported_folder(self) -> Path:
        """The folder in which imported sets are registered."""
        return self.folder or Path(os.environ.get("LUDENS_IMPORTED") or PROJECT_ROOT / "imported")

    def _load_picture_set(self, set_name: str) -> LoadedPictureSet | None:
        """Return a set by name, None if it is missing or broken."""
        if set_name not in self._loaded_picture_sets:
            is_ludens_set = set_name == LUDENS_SET
            path = self.assets / "manifest.json" if is_ludens_set else self.imported_folder / set_name / "set.json"
            try:
                self._loaded_picture_sets[set_name] = (
                    (read_ludens_set if is_ludens_set else read_registered_set)(path) if path.exists() else None
                )
            except (OSError, ValueError) as error:
                self.errors_by_set[set_name] = f"{path}: {describe_error(error)}"
                self._loaded_picture_sets[set_name] = None
        return self._loaded_picture_sets[set_name]

    def _load_picture_sets(self, set_name: str | None = None) -> list[LoadedPictureSet]:
        """Return one set, or all sets with our own first."""
        picture_set_names = [set_name] if set_name else [LUDENS_SET, *sorted(IMPORTABLE_SETS)]
        return [
            loaded_picture_set for name in picture_set_names if (loaded_picture_set := self._load_picture_set(name))
        ]

    def list_picture_sets(self) -> tuple[PictureSet, ...]:
        """Return all sets that can be read, our own first."""
        return tuple(loaded_picture_set.picture_set for loaded_picture_set in self._load_picture_sets())

    def ids(self, set_name: str | None = None, kind: str | None = None, category: str | None = None) -> tuple[str, ...]:
        """Return the ids of all pictures of a set, kind and category, sorted."""
        return tuple(
            sorted(
                id
                for loaded_picture_set in self._load_picture_sets(set_name)
                for id, manifest_entry in loaded_picture_set.manifest_entries.items()
                if kind in (None, manifest_entry.kind) and category in (None, manifest_entry.category)
            )
        )

    def categories(self, set_name: str | None = None, kind: str | None = None) -> tuple[str, ...]:
        """Return the categories of the pictures of a set and kind, sorted."""
        manifest_entries = (
            manifest_entry
            for loaded_picture_set in self._load_picture_sets(set_name)
            for manifest_entry in loaded_picture_set.manifest_entries.values()
        )
        return tuple(
            sorted(
                {
                    manifest_entry.category
                    for manifest_entry in manifest_entries
                    if manifest_entry.category and kind in (None, manifest_entry.kind)
                }
            )
        )

    def __contains__(self, id: str) -> bool:
        loaded_picture_set = self._load_picture_set(self._set_name(id))
        return loaded_picture_set is not None and id in loaded_picture_set.manifest_entries

    def picture_set(self, id: str) -> PictureSet:
        """Return the set of a picture. Raises `UnknownPicture`."""
        return self._require_picture_set(id).picture_set

    def description(self, id: str) -> PictureDescription:
        """Return what is on a picture. Raises `UnknownPicture` with the id and what to do."""
        loaded_picture_set = self._require_picture_set(id)
        try:
            return loaded_picture_set.read_description(id)
        except (OSError, ValueError) as error:
            raise UnknownPicture(
                f"the description of {id!r} cannot be read: {describe_error(error)}; {loaded_picture_set.repair_hint}"
            ) from None

    def path(self, id: str) -> Path:
        """Return the path of a picture's file, which may be missing. Raises `UnknownPicture`."""
        loaded_picture_set = self._require_picture_set(id)
        try:
            return resolve_path_within(loaded_picture_set.root, loaded_picture_set.manifest_entries[id].file)
        except ValueError as error:
            raise UnknownPicture(f"the picture {id!r}: {error}; {loaded_picture_set.repair_hint}") from None

    def picture(self, id: str) -> Picture:
        """Return a picture as it is played. Its description reveals neither its id nor other pictures of its family.

        Raises `UnknownPicture` if the picture is missing, broken or not the registered one.
        """
        loaded_picture_set, description = self._require_picture_set(id), self.description(id)
        playable_picture = self.read_playable_picture(id)
        if (playable_picture.width, playable_picture.height) != (description.width, description.height):
            raise UnknownPicture(
                f"the picture {id!r} is {playable_picture.width} × {playable_picture.height} as it is played, not "
                f"{description.width} × {description.height} as described; {loaded_picture_set.repair_hint}"
            )
        public_description = description.model_dump(mode="json", exclude={"id", "family", "change"})
        return Picture(*playable_picture, public_description, loaded_picture_set.picture_set.credit_line)

    def read_playable_picture(self, id: str) -> PlayablePicture:
        """Return the bytes of a picture as they are played. Raises `UnknownPicture` as `picture` does."""
        return self._read_file(id, _read_playable_picture)

    def verify_picture(self, id: str) -> None:
        """Raise `UnknownPicture` if a picture or its description is not here as registered. Decodes nothing."""
        self.description(id)
        self._read_file(id, _read_verified_file)

    def _read_file(self, id: str, read_picture: Callable[[Path, str], ResultT]) -> ResultT:
        loaded_picture_set, path = self._require_picture_set(id), self.path(id)
        try:
            return read_picture(path, loaded_picture_set.manifest_entries[id].sha256)
        except FileNotFoundError:
            raise UnknownPicture(
                f"the picture {id!r} is missing: there is no {path}; {loaded_picture_set.repair_hint}"
            ) from None
        except (OSError, ValueError) as error:
            raise UnknownPicture(
                f"the picture {id!r}, {path}: {describe_error(error)}; {loaded_picture_set.repair_hint}"
            ) from None

    def _set_name(self, id: str) -> str:
        """Return the name of a picture's set. Ids of imported pictures begin with it; all others are our own."""
        set_name = id.partition("/")[0]
        return set_name if set_name in IMPORTABLE_SETS else LUDENS_SET

    def _require_picture_set(self, id: str) -> LoadedPictureSet:
        set_name = self._set_name(id)
        loaded_picture_set = self._load_picture_set(set_name)
        if loaded_picture_set and id in loaded_picture_set.manifest_entries:
            return loaded_picture_set
        reason = f": its set cannot be read: {self.errors_by_set[set_name]}" if set_name in self.errors_by_set else ""
        if id.startswith("..") or "://" in id:  # an imported instance whose pictures were not at hand
            raise UnknownPicture(f"the picture {id!r} is not here; {make_import_hint(CLEMBENCH_SET)}")
        if set_name == LUDENS_SET:
            raise UnknownPicture(
                f"no picture {id!r} in {self.assets}{reason}; `ludens assets` lists the sets there are"
            )
        raise UnknownPicture(f"no picture {id!r}{reason}; {make_import_hint(set_name)}")


def make_import_hint(set_name: str) -> str:
    """Return how to register the pictures of a set."""
    if set_name == CLEMBENCH_SET:
        return "`ludens import clembench FILE --pictures FOLDER` registers the pictures of an imported set"
    return f"`ludens assets import {set_name} FOLDER` registers the set {set_name!r}"


LIBRARY = Library(PROJECT_ROOT / "assets")


# ------------------------------------------------------------------ reading sets
def read_ludens_set(path: Path) -> LoadedPictureSet:
    """Read the set that Ludens drew from its manifest.json. Descriptions are files beside the pictures.

    Raises ValueError and OSError.
    """
    manifest = _Manifest.model_validate_json(path.read_bytes())
    root = path.parent

    @cache  # there are hundreds, and a choice among them reads them all
    def read_description(id: str) -> PictureDescription:
        file = Path(manifest.pictures[id].file).with_suffix(".json")
        return PictureDescription.model_validate_json(resolve_path_within(root, str(file)).read_bytes())

    return LoadedPictureSet(
        manifest.set, root, manifest.pictures, read_description, "a fresh checkout of Ludens has it"
    )


LINE_START = re.compile(
    rb'\{"file": "([^"\\]*)", "sha256": "([0-9a-f]{64})", '
    rb'"id": "([^"\\]*)", "kind": "(\w+)", "category": (null|"[^"\\]*"), '
)
"""The start of every line of pictures.jsonl. It lists 100,000 pictures without parsing their descriptions."""


def read_registered_set(path: Path) -> LoadedPictureSet:
    """Read a set that `ludens assets import` registered: its set.json, and pictures.jsonl with one picture per line.

    Raises `BadSet`, other ValueErrors and OSError.
    """
    picture_set_file = _PictureSetFile.model_validate_json(path.read_bytes())
    hint = make_import_hint(path.parent.name)
    lines = path.with_name("pictures.jsonl")
    manifest_entries: dict[str, ManifestEntry] = {}
    line_spans: dict[str, tuple[int, int]] = {}
    with lines.open("rb") as stream:
        offset = 0
        for line in stream:
            start = LINE_START.match(line)
            if start is None:
                raise BadSet(f"{lines.name}, byte {offset}: no picture; {hint}")
            file, sha256, id, kind, category = (matched_bytes.decode() for matched_bytes in start.groups())
            manifest_entries[id] = ManifestEntry(file, sha256, kind, json.loads(category))
            line_spans[id] = offset, len(line)
            offset += len(line)

    def read_description(id: str) -> PictureDescription:
        offset, line_length = line_spans[id]
        with lines.open("rb") as stream:
            stream.seek(offset)
            record = json.loads(stream.read(line_length))
        return PictureDescription.model_validate(
            {key: entry for key, entry in record.items() if key not in ("file", "sha256")}
        )

    return LoadedPictureSet(picture_set_file, picture_set_file.root, manifest_entries, read_description, hint)


def description_line(description: PictureDescription, file: str, sha256: str) -> str:
    """Return the line of pictures.jsonl that `read_registered_set` reads."""
    record = {"file": file, "sha256": sha256, **description.model_dump(mode="json")}
    return json.dumps(record, ensure_ascii=False) + "\n"


def resolve_path_within(root: Path, file: str) -> Path:
    """Return the path of a file in a folder, with links resolved. Raises ValueError if it leads out of the folder."""
    path = (root / file).resolve()
    if not path.is_relative_to(root.resolve()):
        raise ValueError(f"{file} leads out of {root}")
    return path


def read_picture_file(path: Path) -> bytes:
    """Return the bytes of a picture file. Raises `BadPicture` if there are too many to read, and OSError."""
    if not path.is_file():
        raise FileNotFoundError(f"no file {path}")
    size = path.stat().st_size
    if size > MAX_FILE_BYTES:
        raise BadPicture(f"{size:,} bytes are more than a picture may have ({MAX_FILE_BYTES:,})")
    return path.read_bytes()


@lru_cache(maxsize=64)  # a table asks for the same two pictures again and again
def _read_playable_picture(path: Path, sha256: str) -> PlayablePicture:
    return make_playable_picture(_read_verified_file(path, sha256))


def _read_verified_file(path: Path, sha256: str) -> bytes:
    picture_bytes = read_picture_file(path)
    if hashlib.sha256(picture_bytes).hexdigest() != sha256:
        raise BadPicture("not the file that was registered")
    return picture_bytes


def describe_error(error: Exception) -> str:
    """Return an error in one line: of a ValidationError the first field, of an OSError the reason."""
    if isinstance(error, ValidationError):
        first_error = error.errors(include_url=False)[0]
        location, message = ".".join(map(str, first_error["loc"])), first_error["msg"]
        return f"field {location}: {message}" if location else message
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error)


# ------------------------------------------------------------------ selecting pictures
def labels(description: PictureDescription) -> frozenset[str]:
    """Return the labels of a picture: each object, and each attribute with its object ("sofa", "blue sofa")."""
    objects = description.objects
    object_names = {object.name for object in objects}
    return frozenset(
        object_names | {f"{attribute} {object.name}" for object in objects for attribute in object.attributes}
    )


def jaccard(labels_a: Collection[str], labels_b: Collection[str]) -> float:
    """Return the Jaccard index of two sets of labels, 0 to 1: shared labels divided by all labels; 0 without any."""
    all_labels = {*labels_a, *labels_b}
    return len({*labels_a} & {*labels_b}) / len(all_labels) if all_labels else 0.0


def list_ludens_pictures(kind: str, category: str | None = None) -> list[str]:
    """Return the ids of the pictures that Ludens drew, of a kind and category, sorted.

    A room that was drawn twice, with one or two things changed, is only there once: `map_changed_rooms_to_originals`
    has the other.
    """
    ids = LIBRARY.ids(set_name=LUDENS_SET, kind=kind, category=category)
    return [id for id in ids if kind != "room" or LIBRARY.description(id).change is None]


def map_changed_rooms_to_originals() -> dict[str, str]:
    """Return the rooms that differ in one or two things from another one: id of the twin to that of the room."""
    descriptions = [LIBRARY.description(id) for id in LIBRARY.ids(set_name=LUDENS_SET, kind="room")]
    return {
        changed_room_id.id: changed_room_id.family
        for changed_room_id in descriptions
        if changed_room_id.change and changed_room_id.family
    }


def find_most_similar(
    target: str, candidates: Iterable[str], n: int, *, library: Library | None = None
) -> tuple[str, ...]:
    """Return the n pictures of a pool whose descriptions are most similar to the target's, for use as distractors.

    Pictures of the target's category come first, then those with the highest Jaccard index of labels, then by id.
    """
    library = library or LIBRARY
    description = library.description(target)

    def sort_key(id: str) -> tuple[bool, float, str]:
        other_description = library.description(id)
        return (
            other_description.category != description.category,
            -jaccard(labels(description), labels(other_description)),
            id,
        )

    return tuple(sorted((id for id in {*candidates} if id != target), key=sort_key)[:n])
