"""What a game author sees: Game, Table, ask, together, tell, note.

A game is a rulebook: a generator that asks seats and gets accepted values back, from top to bottom, in the order a
person would explain the rules. No I/O, no clock, no turn counters. The GameMaster (`engine/core/master.py`) drives it.
"""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from string import Template
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from engine.core.events import Event, Json, Kind, Outcome, to_json
from engine.core.replies import ReplyFormat

Random = random.Random
"""The type of `table.random`, for annotations: a rulebook imports no generator of its own."""
T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Quote:
    """Another seat's words, relayed: a model reads `label: text`, a person sees a bubble of the seat `by`."""

    label: str
    text: str
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A preformatted text such as a grid: a model reads it below its title, a person's page pins it."""

    text: str
    title: str
    marked: str = ""
    """How a page frames it: "target", "right", "wrong", or not at all. Models read the title only."""


@dataclass(frozen=True, slots=True)
class Place:
    """One seat in a `Company`: `state` is "in" or "out"; `note` is what the reader may know of it, such as a role."""

    seat: str
    state: str = "in"
    note: str = ""


@dataclass(frozen=True, slots=True)
class Company:
    """Who is at the table, in order, as the reader may know it: a model reads `text`, a person's page draws it."""

    text: str
    places: tuple[Place, ...]


Part = str | Quote | Exhibit | Company
Said = Part | Sequence[Part]


def parts_of(said: Said) -> list[Json]:
    """Return what is said as JSON parts.

    {"text", "company"?} | {"quote", "label", "by"} | {"exhibit", "title", "marked"?}.
    """
    parts: Iterable[Part] = (said,) if isinstance(said, str | Quote | Exhibit | Company) else said
    made: list[Json] = []
    for part in parts:
        if isinstance(part, str):
            made.append({"text": part})
        elif isinstance(part, Quote):
            made.append({"quote": part.text, "label": part.label, "by": part.by})
        elif isinstance(part, Company):
            places = [{"seat": place.seat, "state": place.state, "note": place.note} for place in part.places]
            made.append({"text": part.text, "company": places})
        else:
            made.append({"exhibit": part.text, "title": part.title} | _framed(part.marked))
    return made


def text_of(parts: Iterable[Json]) -> str:
    """Return JSON parts as a model reads them, joined by line breaks."""
    lines = []
    for part in parts:
        if "quote" in part:
            lines.append(f"{part['label']}: {part['quote']}")
        elif "exhibit" in part:
            lines.append(f"{part['title']}:\n{part['exhibit']}")
        else:
            lines.append(part["text"])
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture shown with an ask or a tell, by asset id. `keep=False` drops it from the seat's later prompts."""

    id: str
    title: str = "Your picture"
    keep: bool = True
    marked: str = ""
    """How a page frames it: "target", "right", "wrong", or not at all."""

    def as_json(self) -> Json:
        """Return the picture as it stands in an event."""
        return {"id": self.id, "title": self.title, "keep": self.keep} | _framed(self.marked)


def _framed(marked: str) -> Json:
    return {"marked": marked} if marked else {}


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: encoded bytes without metadata, its size, what is on it (for scripted players), whom to credit."""

    data: bytes
    media_type: str
    width: int
    height: int
    description: Json = field(default_factory=dict)
    credit: str = ""
    """A line shown under the picture wherever it is played ("Visual Genome, CC BY 4.0"); empty for our own."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What a person's page shows as left: "you may ask 2 more questions" of 3. It is not said to models."""

    what: str
    left: int
    of: int
    verb: str = "ask"

    def as_json(self) -> Json:
        """Return the progress as it stands in an event."""
        said = {"what": self.what, "left": self.left, "of": self.of}
        return said if self.verb == "ask" else {**said, "verb": self.verb}


@dataclass(frozen=True)
class Ask(Generic[T]):
    """A request to one seat: what is said and the reply format; `allow` returns why a value is not allowed now."""

    seat: str
    said: Said
    reply: ReplyFormat[T]
    pictures: Sequence[Shown] = ()
    allow: Callable[[T], str | None] | None = None
    progress: Progress | None = None


Asking = Generator[Sequence[Ask[Any]], Sequence[Any], R]
"""The type of a rulebook and of its sub-procedures; `R` is what `yield from` gives."""


class Settings(BaseModel):
    """The settings of an episode; a game derives its own. Unknown names are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass
class Table:
    """The table as a rulebook sees it: seats, settings, seeded random numbers, and ways to ask, tell and note."""

    seats: tuple[str, ...]
    variant: str
    settings: Any
    random: random.Random
    prompts: Prompts
    effects: list[Event] = field(default_factory=list)
    """Tells and notes since the GameMaster last took them."""

    def ask(
        self,
        seat: str,
        said: Said,
        reply: ReplyFormat[T],
        *,
        pictures: Sequence[Shown] = (),
        allow: Callable[[T], str | None] | None = None,
        progress: Progress | None = None,
    ) -> Asking[T]:
        """Ask one seat; `yield from` gives its accepted value."""
        values = yield (Ask(seat, said, reply, pictures, allow, progress),)
        accepted: T = values[0]
        return accepted

    def together(self, asks: Sequence[Ask[T]]) -> Asking[list[T]]:
        """Ask several seats at once; gives their accepted values in ask order, whatever the order of arrival."""
        if len({ask.seat for ask in asks}) != len(asks):
            raise ValueError("together asks a seat at most once")
        if not asks:
            return []
        values = yield asks
        return list(values)

    def tell(self, seats: str | Iterable[str], said: Said, *, pictures: Sequence[Shown] = ()) -> None:
        """Add to the conversations of one seat (a name) or several without asking."""
        for seat in (seats,) if isinstance(seats, str) else seats:
            data = {"said": parts_of(said), "pictures": [shown.as_json() for shown in pictures]}
            self.effects.append(Event(Kind.TELL, self._seat(seat), data))

    def note(self, kind: str, data: Json) -> None:
        """Record what only spectators and scorers see. The data is copied; raises TypeError for what is not JSON."""
        self.effects.append(Event(Kind.NOTE, None, json.loads(to_json({"note": kind, **data}))))

    def _seat(self, seat: str) -> str:
        if seat not in self.seats:
            raise ValueError(f"no seat {seat!r}; there are {', '.join(self.seats)}")
        return seat


@dataclass(frozen=True)
class Prompts:
    """A named, versioned set of prompt texts with `$name` places, read from `prompts/NAME.toml` of a game."""

    name: str
    version: int
    texts: Mapping[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """Return text `key` with its places filled. Raises KeyError for an unknown text or an unfilled place."""
        pieces = self._pieces[key].copy()
        pieces[1::2] = [str(values[name]) for name in pieces[1::2]]
        return "".join(pieces)

    @cached_property
    def _pieces(self) -> dict[str, list[str]]:
        """Every text cut at its places, once: text, name, text, name, …, text."""
        return {key: _cut(text) for key, text in self.texts.items()}

    @classmethod
    def load(cls, folder: Path, name: str = "native") -> Prompts:
        """Read `folder/NAME.toml`: an integer `version` and a table `[texts]`."""
        data = tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))
        return cls(name, data["version"], {key: text.strip() for key, text in data["texts"].items()})


def _cut(text: str) -> list[str]:
    pieces, end = [""], 0
    for found in Template.pattern.finditer(text):
        pieces[-1] += text[end : found.start()]
        end = found.end()
        if name := found["named"] or found["braced"]:
            pieces += [name, ""]
        elif found["escaped"]:
            pieces[-1] += "$"
        else:
            raise ValueError(f"a prompt has a lone $ before {text[end:][:20]!r}: write $$")
    pieces[-1] += text[end:]
    return pieces


@dataclass(frozen=True)
class Experiment:
    """A named set of instances of one variant. Its name may be the answer: a seated person never sees it."""

    name: str
    title: str
    distance: tuple[int, int] | None = None
    """Where it is about how far a goal is: the fewest and the most moves to it. Results then show what that does."""


@dataclass(frozen=True)
class Variant:
    """A rulebook with its settings and material: `text`, `picture`. `pictures` says whether seats are shown any."""

    name: str
    title: str
    experiments: tuple[Experiment, ...]
    pictures: bool = False
    rules: tuple[str, ...] = ()
    """More rules for people that only this variant needs, in plain words."""


class Game:
    """A rulebook with what belongs to it. One subclass a family, in `games/FAMILY/rules.py`, found by the registry."""

    name: ClassVar[str]
    title: ClassVar[str]
    blurb: ClassVar[str]
    """One sentence for the lobby."""
    rules: ClassVar[tuple[str, ...]]
    """The rules for people, in plain words, a paragraph each."""
    version: ClassVar[int]
    """Raised whenever the same instance, seed and replies would give other events."""
    seats: ClassVar[tuple[str, ...]]
    variants: ClassVar[tuple[Variant, ...]]
    settings: ClassVar[type[Settings]] = Settings
    prompts: ClassVar[Prompts]
    leads: ClassVar[bool] = False
    """Whether the lobby offers it first."""
    clemscore: ClassVar[bool] = True
    """Whether it enters the clemscore; adversarial games never do."""
    adversarial: ClassVar[bool] = False
    sides: ClassVar[tuple[str, ...]] = ()
    open_turns: ClassVar[bool] = False
    """Whether everybody may know who is asked at the moment, as at a real table; pages then say whose turn it is."""
    side_word: ClassVar[str] = "side"
    """What a side is called where players are seated: `--seat side:spy=P`, `--seat camp:queen=Q`."""

    def load(self, data: Json) -> Any:
        """Return the instance that JSON data describes; raises pydantic's ValidationError naming the field."""
        raise NotImplementedError

    def play(self, table: Table, instance: Any) -> Asking[Outcome]:
        """Play one instance: the rulebook."""
        raise NotImplementedError

    def draw_sides(self, instance: Any, rng: random.Random) -> Mapping[str, Sequence[str]]:
        """Return the seats of each of `sides`, for a game whose sides are drawn or given by the instance.

        Every seat is on one side. The rulebook begins by calling it with `table.random`, so that whoever knows an
        episode's seed can seat a player at a whole side (`engine/play/seating.py`).
        """
        raise NotImplementedError

    @property
    def draws_sides(self) -> bool:
        """Whether the game says which seats its sides are made of."""
        return type(self).draw_sides is not Game.draw_sides

    def picture(self, instance: Any, asset: str) -> Picture:
        """Draw a picture of the instance on demand. Raises KeyError for an asset the instance does not have."""
        raise KeyError(asset)

    def prompt_set(self, instance: Json) -> tuple[str, int]:
        """Return name and version of the prompts an instance (as data) is played with; imported ones bring theirs."""
        return ("imported", 1) if instance.get("theirs") else (self.prompts.name, self.prompts.version)

    def settings_of(self, instance: Json) -> Json:
        """Return the settings that an instance (as data) brings; what a run or a table asks for comes before them."""
        return {}

    def lacks(self, instance: Any) -> str | None:
        """Say why an instance cannot be played on this machine (a picture of the user's is gone), None when it can."""
        return None

    def variant(self, name: str) -> Variant:
        """Return the variant of that name; raises KeyError naming those there are."""
        for variant in self.variants:
            if variant.name == name:
                return variant
        names = ", ".join(variant.name for variant in self.variants)
        raise KeyError(f"{self.name} has no variant {name!r}; there are {names}")
