"""The table as a rulebook sees it: ask, together, tell, note."""

from __future__ import annotations

import json
import operator
import random
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from engine.core.content import Content, Progress, ShownPicture, content_to_json
from engine.core.events import Event, Json, Kind, to_json
from engine.core.replies import ReplyFormat

Random = random.Random
"""The type of `table.random`, for annotations: a rulebook imports no generator of its own."""

T = TypeVar("T")

R = TypeVar("R")


@dataclass(slots=True)  # not frozen, though nobody changes one: a run makes one for each reply
class Ask(Generic[T]):
    """A request to one seat: what is said and the reply format; `allow` returns why a value is not allowed now."""

    seat: str
    content: Content
    reply: ReplyFormat[T]
    pictures: Sequence[ShownPicture] = ()
    allow: Callable[[T], str | None] | None = None
    progress: Progress | None = None


Asking = Generator[Sequence[Ask[Any]], Sequence[Any], R]
"""The type of a rulebook and of its sub-procedures; `R` is what `yield from` gives."""


class Settings(BaseModel):
    """The settings of an episode; a game derives its own. Unknown names are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    @classmethod
    def defaults(cls) -> Json:
        """Return the default of every setting, also of those that are stored only when they are on."""
        return {field_name: field_info.default for field_name, field_info in cls.model_fields.items()}


def setting_off_by_default(title: str) -> Any:
    """Return a setting, off by default, for a game that has been played already.

    In the settings of the game: `hint: bool = setting_off_by_default("Hint")`.

    Episodes store it only when it is on. Plans and results of earlier episodes, which do not have it, still match.
    """
    return Field(False, title=title, exclude_if=operator.not_)


@dataclass
class Table:
    """The table as a rulebook sees it: seats, settings, seeded random numbers, and ways to ask, tell and note."""

    seats: tuple[str, ...]
    variant: str
    settings: Any
    seed: str
    """What `random` is seeded with."""
    prompts: Any
    """What `Game.prompts_for` returned."""
    simultaneous: bool = False
    """Whether seats are asked at the same time where their moves do not depend on each other (see `Game`)."""
    effects: list[Event] = field(default_factory=list)
    """Tells and notes since the GameMaster last took them."""
    unsent_asks: list[str] = field(default_factory=list)
    """The seats of asks that were made and not sent yet: a rulebook that forgets `yield from` sends none."""

    @cached_property
    def random(self) -> Random:
        """The seeded random generator of the episode. It is made when it is used: most rulebooks draw nothing."""
        return Random(self.seed)

    def ask(
        self,
        seat: str,
        content: Content,
        reply: ReplyFormat[T],
        *,
        pictures: Sequence[ShownPicture] = (),
        allow: Callable[[T], str | None] | None = None,
        progress: Progress | None = None,
    ) -> Asking[T]:
        """Ask one seat; `yield from` gives its accepted value."""
        self.unsent_asks.append(seat)
        return self._send_ask(Ask(seat, content, reply, pictures, allow, progress))

    def _send_ask(self, request: Ask[T]) -> Asking[T]:
        self.unsent_asks.remove(request.seat)
        parsed_values = yield (request,)
        accepted_value: T = parsed_values[0]
        return accepted_value

    def together(self, requests: Sequence[Ask[T]]) -> Asking[list[T]]:
        """Ask several seats at once; returns their accepted values in the order of the asks, not of arrival."""
        if len({request.seat for request in requests}) != len(requests):
            raise ValueError("together asks a seat at most once")
        if not requests:
            return []
        parsed_values = yield requests
        return list(parsed_values)

    def tell(self, seats: str | Iterable[str], content: Content, *, pictures: Sequence[ShownPicture] = ()) -> None:
        """Add to the conversations of one seat (a name) or several without asking."""
        for seat in (seats,) if isinstance(seats, str) else seats:
            event_data = {"said": content_to_json(content), "pictures": [picture.as_json() for picture in pictures]}
            self.effects.append(Event(Kind.TELL, self._check_seat(seat), event_data))

    def record_note(self, kind: str, data: Json) -> None:
        """Record data that only spectators and scores see. It is copied; raises TypeError if it is not JSON."""
        self.effects.append(Event(Kind.NOTE, None, json.loads(to_json({"note": kind, **data}))))

    def _check_seat(self, seat: str) -> str:
        if seat not in self.seats:
            raise ValueError(f"no seat {seat!r}; there are {', '.join(self.seats)}")
        return seat
