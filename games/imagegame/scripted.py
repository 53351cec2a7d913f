"""The scripted players of the image game: the giver says its grid in few commands, the follower does what it is told.

Each reads its own conversation only. How the follower understands a person's commands is in `commands.py`; the giver's
are among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from engine.core.game import ScriptedPlayer
from engine.core.player import Player, Reply
from engine.core.views import Message, SeatView
from games.common.grids import ANTI_DIAGONAL, CELLS, MAIN_DIAGONAL, SIZE, Cell
from games.imagegame import grid
from games.imagegame.commands import LONGEST, Drawer, DrawerState
from games.imagegame.replies import DONE, Command, Drawing

_BY_LINES = (("Fill row", "Put # in row"), ("Fill column", "Put # in column"))


def plan(target: Mapping[Cell, str]) -> list[str]:
    """Return few commands that draw a grid: never more than rows or columns have the letter, for each letter."""
    commands: list[str] = []
    for letter in sorted({target[cell] for cell in grid.filled_cells(target)}):
        cells = frozenset(cell for cell in CELLS if target[cell] == letter)
        named = [(words, drawn) for words, drawn in _named(cells) if drawn <= cells]
        lines = [[option for option in named if option[0].startswith(begins)] for begins in _BY_LINES]
        plans = [_cover(cells, options) for options in (named, *lines)]
        commands += [words.replace("#", letter) for words in min(plans, key=len)]
    return commands


def _cover(cells: frozenset[Cell], named: Sequence[tuple[str, frozenset[Cell]]]) -> list[str]:
    """Return commands that together draw all cells: always the one that draws most of what is left."""
    chosen: list[str] = []
    left = set(cells)
    while left:
        words, drawn = max(named, key=lambda option: len(option[1] & left))
        chosen.append(words)
        left -= drawn
    return chosen


def _named(cells: frozenset[Cell]) -> Iterator[tuple[str, frozenset[Cell]]]:
    """Yield what can be said in one command, the simplest first; # stands for the letter."""
    yield "Fill the whole grid with #", frozenset(CELLS)
    yield "Fill the diagonal from the top left to the bottom right with #", frozenset(MAIN_DIAGONAL)
    yield "Fill the diagonal from the top right to the bottom left with #", frozenset(ANTI_DIAGONAL)
    for columns in sorted({tuple(at for row, at in sorted(cells) if row == line) for line in range(SIZE)} - {()}):
        lines = [row for row in range(SIZE) if all((row, column) in cells for column in columns)]
        block = frozenset((row, column) for row in lines for column in columns)
        yield _said("row", lines, "column", columns), block
    for rows in sorted({tuple(at for at, column in sorted(cells) if column == line) for line in range(SIZE)} - {()}):
        across = [column for column in range(SIZE) if all((row, column) in cells for row in rows)]
        block = frozenset((row, column) for row in rows for column in across)
        yield _said("column", across, "row", rows), block


def _said(noun: str, lines: Sequence[int], other: str, across: Sequence[int]) -> str:
    """Return the command for the cells where some rows meet some columns."""
    if len(across) == SIZE:
        return f"Fill {_listed(noun, lines)} with #"
    return f"Put # in {_listed(noun, lines)}, {_listed(other, across)}"


def _listed(noun: str, numbers: Sequence[int]) -> str:
    """Return "column 2", "columns 2 to 4" or "columns 1, 3 and 4" for numbers from 0."""
    said = [str(number + 1) for number in numbers]
    if len(said) == 1:
        return f"{noun} {said[0]}"
    if len(said) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{noun}s {said[0]} to {said[-1]}"
    return f"{noun}s {', '.join(said[:-1])} and {said[-1]}"


class Scripted(Player):
    """Says its grid in few commands, or draws what it understands."""

    instant = True

    def __init__(self, seat: str) -> None:
        self.seat = seat

    async def reply(self, view: SeatView) -> Reply:
        """Return a reply in the format asked for."""
        asked = view.ask.format
        if isinstance(asked, Command):
            said = sum(message.role == "assistant" for message in view.messages)
            commands = plan(grid.parse(_target(view)))
            return Reply(f"{asked.tag}: {commands[said] if said < len(commands) else DONE}")
        return Reply(grid.as_text(_drawer(view).drawn))


def _target(view: SeatView) -> str:
    for message in view.messages:
        for part in message.parts:
            if "exhibit" in part:
                return str(part["exhibit"])
    raise LookupError(f"seat {view.seat} was shown no grid")


def _drawer(view: SeatView) -> Drawer:
    """Carry out all commands heard, each on the grid as this seat drew it last, whoever did."""
    drawer = Drawer.begin()
    for message in view.messages:
        if message.role == "assistant":
            _keep(drawer, message)
        else:
            for part in message.parts:
                if "quote" in part:
                    drawer = _carry_out(drawer, part["quote"])
    return drawer


def _carry_out(drawer: Drawer, command: str) -> Drawer:
    """Return the drawer after a command. The same command is not read again at the next turn."""
    return Drawer.of(_state_after(drawer.state(), command[:LONGEST]))


@lru_cache(maxsize=4096)
def _state_after(state: DrawerState, command: str) -> DrawerState:
    drawer = Drawer.of(state)
    drawer.carry_out(command)
    return drawer.state()


def _keep(drawer: Drawer, message: Message) -> None:
    try:
        drawer.drawn = grid.parse(message.text())
    except ValueError:  # not accepted, and asked again
        pass


def fallback(view: SeatView) -> str | None:
    """Return the drawing as it was before the command; the giver reads nothing that others wrote."""
    return view.ask.format.before if isinstance(view.ask.format, Drawing) else None


PLAYERS: dict[str, ScriptedPlayer] = {
    "scripted": ScriptedPlayer("gives few commands; draws what it understands of yours", Scripted, fallback),
}
