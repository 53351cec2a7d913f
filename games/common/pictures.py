"""The pictures there are to play with: those Ludens drew, in `assets/`, and data sets of the user's, in `imported/`.

`LIBRARY` finds them by id ("rooms/bedroom-1", "visual-genome/2315353"): what is on a picture, its bytes for play, its
set with licence and citation. Sets are read when first needed; one that is missing or broken is named and stops no
other. `labels`, `jaccard`, `most_similar` and `of_category` choose pictures; nothing here draws or registers any.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine.core.content import Picture
from games.common.playable import MAX_BYTES, BadPicture, PlayablePicture, make_playable

ROOT = Path(__file__).resolve().parents[2]
VERSION = 1
"""Of the files manifest.json and set.json."""

T = TypeVar("T")
PictureKind = Literal["room", "objects", "scene", "photo"]
Box = tuple[int, int, int, int]


class UnknownPicture(KeyError):
    """A picture that is not here; the message names it and says what to do."""

    def __str__(self) -> str:
        return str(self.args[0])


class BadSet(ValueError):
    """A set of pictures that cannot be read; the message names file and fault."""


class PictureObject(BaseModel):
    """An object on a picture: plain English name, attributes, box [x, y, width, height] in pixels if it is known."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    name: str
    attributes: tuple[str, ...] = ()
    box: Box | None = None
    visible: float = 1


class Description(BaseModel):
    """What is on a picture, as its generator or its data set says. Relations are (subject, word, object) by ids."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    kind: PictureKind
    category: str | None = None
    width: int = Field(ge=1)
    height: int = Field(ge=1)
    objects: tuple[PictureObject, ...] = ()
    relations: tuple[tuple[str, str, str], ...] = ()
    captions: tuple[str, ...] = ()
    family: str | None = None
    """Drawn pictures of one place that differ in little; `change` says in what one differs from the family's first."""
    change: dict[str, str] | None = None


@dataclass(frozen=True, slots=True)
class PictureSet:
    """Where pictures come from and on which terms."""

    name: str
    title: str
    licence: str
    citation: str | None = None
    url: str | None = None

    @property
    def credit(self) -> str:
        """The line shown under a picture of the set; empty for our own."""
        return f"{self.title}, {self.licence}" if self.citation else ""


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """What a set's list says of one picture. `at` is where its description stands."""

    file: str
    sha256: str
    kind: str
    category: str | None
    at: Any


@dataclass
class LoadedSet:
    """One set that has been read: its terms, the folder its files stand in, and its pictures by id."""

    about: PictureSet
    root: Path
    entries: dict[str, ManifestEntry]
    describe: Callable[[ManifestEntry], Description]
    again: str
    """What to do when a picture of it is missing or not what it was."""


@dataclass
class Library:
    """All pictures below two folders, found by id. Reads a set when it is first needed and remembers it."""

    assets: Path
    folder: Path | None = None
    """Where imported sets are registered; None: where LUDENS_IMPORTED says, else imported/ of the project."""
    broken: dict[str, str] = field(default_factory=dict)
    """The sets that cannot be read, each with the reason. Filled by reading."""
    _shelves: dict[str, LoadedSet | None] = field(default_factory=dict)

    @property
    def imported(self) -> Path:
        """The folder in which imported sets are registered."""
        return self.folder or Path(os.environ.get("LUDENS_IMPORTED") or ROOT / "imported")

    def _read(self, name: str) -> LoadedSet | None:
        """Read a set by name, once; None where there is none or it is broken."""
        if name not in self._shelves:
            own = name == "ludens"
            path = self.assets / "manifest.json" if own else self.imported / name / "set.json"
            try:
                self._shelves[name] = (read_drawn_set if own else read_registered_set)(path) if path.exists() else None
            except (OSError, ValueError) as error:
                self.broken[name] = f"{path}: {_said(error)}"
                self._shelves[name] = None
        return self._shelves[name]

    def _all(self, set: str | None = None) -> dict[str, LoadedSet]:
        """Read one set or all there are, our own first."""
        names = [set] if set else ["ludens", *sorted(IMPORTABLE)]
        return {name: shelf for name in names if (shelf := self._read(name))}

    def sets(self) -> tuple[PictureSet, ...]:
        """Return all sets that can be read, our own first."""
        return tuple(shelf.about for shelf in self._all().values())

    def ids(self, set: str | None = None, kind: str | None = None, category: str | None = None) -> tuple[str, ...]:
        """Return the ids of all pictures of a set, kind and category, sorted."""
        return tuple(
            sorted(
                id
                for shelf in self._all(set).values()
                for id, entry in shelf.entries.items()
                if kind in (None, entry.kind) and category in (None, entry.category)
            )
        )

    def categories(self, set: str | None = None, kind: str | None = None) -> tuple[str, ...]:
        """Return the categories that pictures of a set and kind have, sorted."""
        entries = [
            entry for shelf in self._all(set).values() for entry in shelf.entries.values() if kind in (None, entry.kind)
        ]
        return tuple(sorted({entry.category for entry in entries if entry.category}))

    def __contains__(self, id: str) -> bool:
        shelf = self._read(self._set_name(id))
        return shelf is not None and id in shelf.entries

    def set_of(self, id: str) -> PictureSet:
        """Return the set that a picture is of. Raises `UnknownPicture`."""
        return self._shelf(id).about

    def description(self, id: str) -> Description:
        """Return what is on a picture. Raises `UnknownPicture` naming the id and what to do."""
        shelf = self._shelf(id)
        try:
            return shelf.describe(shelf.entries[id])
        except (OSError, ValueError) as error:
            raise UnknownPicture(f"the description of {id!r} cannot be read: {_said(error)}; {shelf.again}") from None

    def path(self, id: str) -> Path:
        """Return where the file of a picture stands. Raises `UnknownPicture`; the file itself may be missing."""
        shelf = self._shelf(id)
        try:
            return resolve_within(shelf.root, shelf.entries[id].file)
        except ValueError as error:
            raise UnknownPicture(f"the picture {id!r}: {error}; {shelf.again}") from None

    def picture(self, id: str) -> Picture:
        """Return a picture as it is played: plain bytes, a description that tells neither which it is nor of others.

        Raises `UnknownPicture` when it is missing, broken or not the one that was registered.
        """
        shelf, description = self._shelf(id), self.description(id)
        made = self.playable(id)
        if (made.width, made.height) != (description.width, description.height):
            raise UnknownPicture(
                f"the picture {id!r} is {made.width} × {made.height} as it is played, not {description.width} × "
                f"{description.height} as described; {shelf.again}"
            )
        told = description.model_dump(mode="json", exclude={"id", "family", "change"})
        return Picture(made.data, made.media_type, made.width, made.height, told, shelf.about.credit)

    def playable(self, id: str) -> PlayablePicture:
        """Return the bytes of a picture as they are played. Raises `UnknownPicture` as `picture` does."""
        return self._of_file(id, _plain_file)

    def verify(self, id: str) -> None:
        """Raise `UnknownPicture` where a picture or its description is not here as registered; decodes nothing."""
        self.description(id)
        self._of_file(id, _registered)

    def _of_file(self, id: str, read: Callable[[Path, str], T]) -> T:
        shelf, path = self._shelf(id), self.path(id)
        try:
            return read(path, shelf.entries[id].sha256)
        except FileNotFoundError:
            raise UnknownPicture(f"the picture {id!r} is missing: there is no {path}; {shelf.again}") from None
        except (OSError, ValueError) as error:
            raise UnknownPicture(f"the picture {id!r}, {path}: {_said(error)}; {shelf.again}") from None

    def _set_name(self, id: str) -> str:
        """The name of an imported set begins the ids of its pictures; all others are ours."""
        name = id.partition("/")[0]
        return name if name in IMPORTABLE else "ludens"

    def _shelf(self, id: str) -> LoadedSet:
        name = self._set_name(id)
        shelf = self._read(name)
        if shelf and id in shelf.entries:
            return shelf
        why = f": its set cannot be read: {self.broken[name]}" if name in self.broken else ""
        if id.startswith("..") or "://" in id:  # an imported instance whose pictures were not at hand
            raise UnknownPicture(f"the picture {id!r} is not here; {import_hint(CLEMBENCH_SET)}")
        if name == "ludens":
            raise UnknownPicture(f"no picture {id!r} in {self.assets}{why}; `ludens assets` lists the sets there are")
        raise UnknownPicture(f"no picture {id!r}{why}; {import_hint(name)}")


CLEMBENCH_SET = "clembench"
"""The set of all pictures that imported instances show (`ludens import clembench --pictures`)."""
IMPORTABLE = ("ade20k", CLEMBENCH_SET, "clevr", "docci", "visual-genome")
"""The data sets that can be registered."""


def import_hint(name: str) -> str:
    """Say how the pictures of a set come to be here."""
    if name == CLEMBENCH_SET:
        return "`ludens import clembench FILE --pictures FOLDER` registers the pictures of an imported set"
    return f"`ludens assets import {name} FOLDER` registers the set {name!r}"


LIBRARY = Library(ROOT / "assets")


# ------------------------------------------------------------------ reading sets
def read_drawn_set(manifest: Path) -> LoadedSet:
    """Read the set that Ludens drew: manifest.json, and a description beside every picture. Raises `BadSet`."""
    data = _object(manifest)
    root = manifest.parent
    try:
        entries = {
            str(id): ManifestEntry(
                str(e["file"]), str(e["sha256"]), str(e["kind"]), e["category"], Path(e["file"]).with_suffix(".json")
            )
            for id, e in data["pictures"].items()
        }
    except (KeyError, TypeError, AttributeError) as error:
        raise BadSet(f"no list of drawn pictures: {_said(error)}") from None

    def describe(entry: ManifestEntry) -> Description:
        return Description.model_validate_json(resolve_within(root, str(entry.at)).read_bytes())

    return LoadedSet(_about(data["set"]), root, entries, describe, "a fresh checkout of Ludens has it")


HEAD = re.compile(
    rb'\{"file": "([^"\\]*)", "sha256": "([0-9a-f]{64})", '
    rb'"id": "([^"\\]*)", "kind": "(\w+)", "category": (null|"[^"\\]*"), '
)
"""How every line of pictures.jsonl begins, so that listing 100,000 pictures need not read what is on them."""


def read_registered_set(path: Path) -> LoadedSet:
    """Read a set that `ludens assets import` registered: set.json, and a line of pictures.jsonl for every picture."""
    data = _object(path)
    lines = path.with_name("pictures.jsonl")
    entries: dict[str, ManifestEntry] = {}
    with lines.open("rb") as stream:
        at = 0
        for line in stream:
            head = HEAD.match(line)
            if head is None:
                raise BadSet(f"{lines.name}, byte {at}: no picture; {import_hint(path.parent.name)}")
            file, sha256, id, kind, category = (part.decode() for part in head.groups())
            entries[id] = ManifestEntry(file, sha256, kind, json.loads(category), (at, len(line)))
            at += len(line)

    def describe(entry: ManifestEntry) -> Description:
        with lines.open("rb") as stream:
            stream.seek(entry.at[0])
            data = json.loads(stream.read(entry.at[1]))
        return Description.model_validate(
            {name: value for name, value in data.items() if name not in ("file", "sha256")}
        )

    if not isinstance(data.get("root"), str):
        raise BadSet("field root: no folder")
    return LoadedSet(_about(data), Path(data["root"]), entries, describe, import_hint(path.parent.name))


def description_line(description: Description, file: str, sha256: str) -> str:
    """Return the line of pictures.jsonl that `read_registered_set` reads."""
    return (
        json.dumps({"file": file, "sha256": sha256, **description.model_dump(mode="json")}, ensure_ascii=False) + "\n"
    )


def _object(path: Path) -> dict[str, Any]:
    data = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(data, dict):
        raise BadSet("an object was expected")
    if data.get("version") != VERSION:
        raise BadSet(f"field version: {data.get('version')!r}, this Ludens reads {VERSION}")
    return data


def _about(data: dict[str, Any]) -> PictureSet:
    try:
        return PictureSet(data["name"], data["title"], data["licence"], data.get("citation"), data.get("url"))
    except (KeyError, TypeError) as error:
        raise BadSet(f"nothing about the set: {_said(error)}") from None


def resolve_within(root: Path, file: str) -> Path:
    """Return a file of a folder, links followed. Raises ValueError when it leads out of the folder."""
    path = (root / file).resolve()
    if not path.is_relative_to(root.resolve()):
        raise ValueError(f"{file} leads out of {root}")
    return path


def read_picture_file(path: Path) -> bytes:
    """Return what a picture file holds. Raises `BadPicture` for one that is too large to be read, OSError."""
    if not path.is_file():
        raise FileNotFoundError(f"no file {path}")
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise BadPicture(f"{size:,} bytes are more than a picture may have ({MAX_BYTES:,})")
    return path.read_bytes()


@lru_cache(maxsize=64)  # a table asks for the same two pictures again and again
def _plain_file(path: Path, sha256: str) -> PlayablePicture:
    return make_playable(_registered(path, sha256))


def _registered(path: Path, sha256: str) -> bytes:
    data = read_picture_file(path)
    if hashlib.sha256(data).hexdigest() != sha256:
        raise BadPicture("not the file that was registered")
    return data


def _said(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return f"field {'.'.join(map(str, first['loc']))}: {first['msg']}"
    if isinstance(error, KeyError):
        return f"field {error.args[0]} is missing"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error)


# ------------------------------------------------------------------ choosing pictures
def labels(description: Description) -> frozenset[str]:
    """Return the object and attribute labels of a picture: "sofa" and "blue sofa"."""
    found = {thing.name for thing in description.objects}
    found |= {f"{attribute} {thing.name}" for thing in description.objects for attribute in thing.attributes}
    return frozenset(found)


def jaccard(a: Collection[str], b: Collection[str]) -> float:
    """Return the Jaccard index of two sets of labels, 0 to 1: shared labels by all labels; 0 when there are none."""
    one, other = frozenset(a), frozenset(b)
    return len(one & other) / len(one | other) if one or other else 0.0


def of_category(category: str, *, set: str = "ludens", library: Library | None = None) -> tuple[str, ...]:
    """Return the pictures of a category in a set, sorted by id (Map World takes one of them by chance).

    Raises `UnknownPicture` when there is none, naming the categories there are.
    """
    library = library or LIBRARY
    found = library.ids(set=set, category=category)
    if not found:
        there = ", ".join(library.categories(set)) or "none"
        raise UnknownPicture(f"no picture of category {category!r} in the set {set!r}; there are: {there}")
    return found


def most_similar(target: str, pool: Iterable[str], n: int, *, library: Library | None = None) -> tuple[str, ...]:
    """Return the n pictures of a pool that are most like the target by what is on them (distractors).

    Those of the target's category come first, then those that share most of its labels (Jaccard), then by id.
    """
    library = library or LIBRARY
    wanted = library.description(target)

    def rank(id: str) -> tuple[bool, float, str]:
        other = library.description(id)
        return other.category != wanted.category, -jaccard(labels(wanted), labels(other)), id

    return tuple(sorted((id for id in {*pool} if id != target), key=rank)[:n])
