"""The reply formats of the image game: a command or DONE, and the whole grid as it was drawn.

Their form fields serve any game: "phrases" is a text box next to set phrases, "paint" a board of cells to paint on.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from engine.core.events import Json
from engine.core.replies import NotInFormat, ReplyFormat, ReplySegment, Tagged, Text, register
from games.common.grids import EMPTY_MARK, GRID_CELLS, GRID_SIZE
from games.imagegame import grid

GIVER_SEAT, FOLLOWER_SEAT = "giver", "follower"
DONE_VALUE = "DONE"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@register
@dataclass(frozen=True)
class Command(ReplyFormat[str]):
    """`TAG: …` in one line, or DONE with or without the tag; any case, a full stop after DONE allowed.

    The value is the command without its tag, or DONE.
    """

    tag: str = "Command"
    label: str = "Your command"
    title: str = "Give a command"
    submit: str = "Send command"
    kind: ClassVar[str] = "command"

    @cached_property
    def _tagged_line(self) -> Tagged[str]:
        return Tagged(self.tag, Text(lines=1), any_case=True)

    @cached_property
    def _done_pattern(self) -> re.Pattern[str]:
        return re.compile(rf"(?:{re.escape(self.tag)}:\s*)?done\.?", re.IGNORECASE)

    def parse(self, text: str) -> str:
        return DONE_VALUE if self._done_pattern.fullmatch(text.strip()) else self._tagged_line.parse(text)

    def words(self) -> str:
        return (
            f'Reply with one line that starts with "{self.tag}:", such as "{self.tag}: put an X in the second row, '
            f'third column", or with "{self.tag}: {DONE_VALUE}" when nothing is left to draw. Write nothing else.'
        )

    def describe_form(self) -> Json:
        return {"title": self.title, "fields": [self.field("command")], "submit": self.submit}

    def field(self, name: str) -> Json:
        return {
            "name": name,
            "kind": "phrases",
            "label": self.label,
            "lines": 1,
            "hint": "One command may fill one cell or many: “put an X in row 2, column 3”, “fill row 5 with X”.",
            "submit": self.submit,
            "phrases": [
                {"value": DONE_VALUE, "label": "Done", "confirm": "The game ends, and the drawing counts as it is now."}
            ],
        }

    def compose_reply(self, values: Mapping[str, str]) -> str:
        return f"{self.tag}: {values.get('command', '').strip()}"

    def sample(self, rng: random.Random) -> str:
        if rng.random() < 0.1:
            return f"{self.tag}: {DONE_VALUE}"
        row, column = rng.choice(GRID_CELLS)
        return f"{self.tag}: put {rng.choice(LETTERS)} in row {row + 1}, column {column + 1}"

    def pattern(self) -> str | None:
        return rf"(?:{self._tagged_line.pattern()}|{DONE_VALUE})"

    def show(self, text: str) -> list[ReplySegment]:
        if self._done_pattern.fullmatch(text.strip()):
            return [ReplySegment("Done.")]
        return self._tagged_line.show(text)


@register
@dataclass(frozen=True)
class Drawing(ReplyFormat[str]):
    """The whole grid and nothing else; blanks at line ends and blank lines around it do not matter.

    `before` is the grid that a form starts from, `letters` those that it offers first. The value is the grid as text.
    """

    before: str = grid.BLANK_GRID
    letters: tuple[str, ...] = ()
    label: str = "Your drawing"
    title: str = "Draw what the command says"
    submit: str = "Send drawing"
    kind: ClassVar[str] = "drawing"

    def parse(self, text: str) -> str:
        try:
            return grid.format_grid(grid.parse_grid(text))
        except ValueError as error:
            raise NotInFormat(f"{error}.") from None

    def words(self) -> str:
        return (
            f"Reply with the whole grid as it is after this command and nothing else: {GRID_SIZE} lines of {GRID_SIZE} "
            f"cells with blanks between them; a cell is {EMPTY_MARK} when it is empty, else one capital letter."
        )

    def describe_form(self) -> Json:
        return {"title": self.title, "fields": [self.field("grid")], "submit": self.submit}

    def field(self, name: str) -> Json:
        return {
            "name": name,
            "kind": "paint",
            "label": self.label,
            "before": self.before,
            "empty": EMPTY_MARK,
            "signs": list(LETTERS),
            "offered": list(self.letters),
        }

    def compose_reply(self, values: Mapping[str, str]) -> str:
        return values.get("grid", "")

    def sample(self, rng: random.Random) -> str:
        letter = rng.choice(LETTERS)
        return grid.format_grid(grid.paint_cells((cell for cell in GRID_CELLS if rng.random() < 0.3), letter))

    def pattern(self) -> str | None:
        row_regex = f"[A-Z{EMPTY_MARK}](?: [A-Z{EMPTY_MARK}]){{{GRID_SIZE - 1}}}"
        return rf"{row_regex}(?:\n{row_regex}){{{GRID_SIZE - 1}}}"
