"""The scripted players of the image game: the giver describes its grid in few commands, the follower carries them out.

Each reads its own conversation only. `follower.py` reads the commands, those of people and those of the giver.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.core.content import RelayedMessage, TextExhibit
from engine.core.player import Reply
from engine.core.views import Message, SeatView
from games.common.grids import ANTI_DIAGONAL, CELLS, MAIN_DIAGONAL, SIZE, Cell
from games.common.scripted_seat import ScriptedSeat
from games.imagegame import grid
from games.imagegame.follower import Drawer
from games.imagegame.replies import DONE, Command, Drawing

_BY_LINES = (("Fill row", "Put # in row"), ("Fill column", "Put # in column"))


def plan(target: Mapping[Cell, str]) -> list[str]:
    """Return few commands that draw a grid: never more than rows or columns have the letter, for each letter."""
    commands: list[str] = []
    for letter in sorted({target[cell] for cell in grid.filled_cells(target)}):
        cells = frozenset(cell for cell in CELLS if target[cell] == letter)
        all_options = [(words, drawn) for words, drawn in _possible_commands(cells) if drawn <= cells]
        by_lines = [[option for option in all_options if option[0].startswith(begins)] for begins in _BY_LINES]
        plans = [_cover(cells, options) for options in (all_options, *by_lines)]
        commands += [words.replace("#", letter) for words in min(plans, key=len)]
    return commands


def _cover(cells: frozenset[Cell], options: Sequence[tuple[str, frozenset[Cell]]]) -> list[str]:
    """Return commands that together draw all cells, each time the one that draws most of the cells that are left."""
    commands: list[str] = []
    left = set(cells)
    while left:
        words, drawn = max(options, key=lambda option: len(option[1] & left))
        commands.append(words)
        left -= drawn
    return commands


def _possible_commands(cells: frozenset[Cell]) -> Iterator[tuple[str, frozenset[Cell]]]:
    """Yield single commands with the cells that they draw, the simplest first; # stands for the letter."""
    yield "Fill the whole grid with #", frozenset(CELLS)
    yield "Fill the diagonal from the top left to the bottom right with #", frozenset(MAIN_DIAGONAL)
    yield "Fill the diagonal from the top right to the bottom left with #", frozenset(ANTI_DIAGONAL)
    for axis, noun, other in ((0, "row", "column"), (1, "column", "row")):
        spans = {tuple(cell[1 - axis] for cell in sorted(cells) if cell[axis] == line) for line in range(SIZE)}
        for across in sorted(spans - {()}):
            strips = [
                {cell for cell in CELLS if cell[axis] == line and cell[1 - axis] in across} for line in range(SIZE)
            ]
            lines = [line for line, strip in enumerate(strips) if strip <= cells]
            block = frozenset(cell for line in lines for cell in strips[line])
            yield _lines_command(noun, lines, other, across), block


def _lines_command(noun: str, lines: Sequence[int], other: str, across: Sequence[int]) -> str:
    """Return the command for the cells where some rows meet some columns."""
    if len(across) == SIZE:
        return f"Fill {_number_words(noun, lines)} with #"
    return f"Put # in {_number_words(noun, lines)}, {_number_words(other, across)}"


def _number_words(noun: str, numbers: Sequence[int]) -> str:
    """Return "column 2", "columns 2 to 4" or "columns 1, 3 and 4" for numbers from 0."""
    words = [str(number + 1) for number in numbers]
    if len(words) == 1:
        return f"{noun} {words[0]}"
    if len(words) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{noun}s {words[0]} to {words[-1]}"
    return f"{noun}s {', '.join(words[:-1])} and {words[-1]}"


class Scripted(ScriptedSeat):
    """Describes its grid in few commands, or draws what it understands."""

    async def reply(self, view: SeatView) -> Reply:
        """Return a reply in the format asked for."""
        reply_format = view.ask.format
        if isinstance(reply_format, Command):
            command_count = sum(message.role == "assistant" for message in view.messages)
            commands = plan(grid.parse(_target(view)))
            return Reply(f"{reply_format.tag}: {commands[command_count] if command_count < len(commands) else DONE}")
        return Reply(grid.as_text(_drawer(view).drawn))


def _target(view: SeatView) -> str:
    for message in view.messages:
        for exhibit in message.content_parts(TextExhibit):
            return exhibit.text
    raise LookupError(f"seat {view.seat} was shown no grid")


def _drawer(view: SeatView) -> Drawer:
    """Return the drawer after all commands; each is carried out on the drawing that this seat sent last."""
    drawer = Drawer.begin()
    for message in view.messages:
        if message.role == "assistant":
            _keep_drawing(drawer, message)
        else:
            for command in message.content_parts(RelayedMessage):
                drawer.carry_out(command.text)
    return drawer


def _keep_drawing(drawer: Drawer, message: Message) -> None:
    try:
        drawer.drawn = grid.parse(message.text())
    except ValueError:  # not accepted, and asked again
        pass


def fallback(view: SeatView) -> str | None:
    """Return the drawing as it was before the command; the giver reads nothing that others wrote."""
    return view.ask.format.before if isinstance(view.ask.format, Drawing) else None
