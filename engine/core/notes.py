"""What rulebooks note in the log for spectators and scores, as dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from engine.core.events import Json

if TYPE_CHECKING:
    from engine.core.log import Log


@dataclass(frozen=True)
class GameNote:
    """Base of the notes of a game: a derived dataclass names its `kind`, and its fields are noted by their names."""

    kind: ClassVar[str]

    def as_json(self) -> Json:
        """Return the data for `Table.note`."""
        return dict(vars(self))

    @classmethod
    def read(cls, log: Log) -> list[Self]:
        """Return the notes of this kind in a log."""
        field_names = cls.__dataclass_fields__
        return [cls(**{n: v for n, v in note_data.items() if n in field_names}) for note_data in log.notes(cls.kind)]
