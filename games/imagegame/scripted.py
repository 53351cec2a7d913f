"""The scripted players of the image game: the giver describes its grid in few commands, the follower carries them out.

Each reads its own conversation only. `follower.py` reads the commands, those of people and those of the giver.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.core.content import RelayedMessage, TextExhibit
from engine.core.player import Reply
from engine.core.views import Message, SeatView
from games.common.grids import ANTI_DIAGONAL, GRID_CELLS, GRID_SIZE, MAIN_DIAGONAL, Cell
from games.common.scripted_seat import ScriptedSeat
from games.imagegame import grid
from games.imagegame.follower import GridDrawer
from games.imagegame.replies import DONE_VALUE, Command, Drawing

_LINE_COMMAND_OPENINGS = (("Fill row", "Put # in row"), ("Fill column", "Put # in column"))


def plan_commands(target_grid: Mapping[Cell, str]) -> list[str]:
    """Return few commands that draw a grid: never more than rows or columns have the letter, for each letter."""
    commands: list[str] = []
    for letter in sorted({target_grid[cell] for cell in grid.list_filled_cells(target_grid)}):
        cells = frozenset(cell for cell in GRID_CELLS if target_grid[cell] == letter)
        command_options = [(words, drawn) for words, drawn in _list_possible_commands(cells) if drawn <= cells]
        line_options = [
            [option for option in command_options if option[0].startswith(prefix)] for prefix in _LINE_COMMAND_OPENINGS
        ]
        command_plans = [_cover_cells(cells, plan_options) for plan_options in (command_options, *line_options)]
        commands += [words.replace("#", letter) for words in min(command_plans, key=len)]
    return commands


def _cover_cells(cells: frozenset[Cell], command_options: Sequence[tuple[str, frozenset[Cell]]]) -> list[str]:
    """Return commands that together draw all cells, each time the one that draws most of the cells that are left."""
    commands: list[str] = []
    remaining_cells = set(cells)
    while remaining_cells:
        command_text, drawn_cells = max(
            command_options, key=lambda command_option: len(command_option[1] & remaining_cells)
        )
        commands.append(command_text)
        remaining_cells -= drawn_cells
    return commands


def _list_possible_commands(cells: frozenset[Cell]) -> Iterator[tuple[str, frozenset[Cell]]]:
    """Yield single commands with the cells that they draw, the simplest first; # stands for the letter."""
    yield "Fill the whole grid with #", frozenset(GRID_CELLS)
    yield "Fill the diagonal from the top left to the bottom right with #", frozenset(MAIN_DIAGONAL)
    yield "Fill the diagonal from the top right to the bottom left with #", frozenset(ANTI_DIAGONAL)
    for axis, axis_name, other_axis_noun in ((0, "row", "column"), (1, "column", "row")):
        spans = {tuple(cell[1 - axis] for cell in sorted(cells) if cell[axis] == line) for line in range(GRID_SIZE)}
        for offsets in sorted(spans - {()}):
            line_strips = [
                {cell for cell in GRID_CELLS if cell[axis] == line and cell[1 - axis] in offsets}
                for line in range(GRID_SIZE)
            ]
            line_numbers = [line for line, line_strip in enumerate(line_strips) if line_strip <= cells]
            block_cells = frozenset(cell for line in line_numbers for cell in line_strips[line])
            yield _write_lines_command(axis_name, line_numbers, other_axis_noun, offsets), block_cells


def _write_lines_command(
    axis_name: str, lines: Sequence[int], other_axis_noun: str, other_axis_positions: Sequence[int]
) -> str:
    """Return the command for the cells where some rows meet some columns."""
    if len(other_axis_positions) == GRID_SIZE:
        return f"Fill {_write_line_numbers(axis_name, lines)} with #"
    position_text = _write_line_numbers(other_axis_noun, other_axis_positions)
    return f"Put # in {_write_line_numbers(axis_name, lines)}, {position_text}"


def _write_line_numbers(axis_name: str, line_numbers: Sequence[int]) -> str:
    """Return "column 2", "columns 2 to 4" or "columns 1, 3 and 4" for numbers from 0."""
    number_words = [str(line_number + 1) for line_number in line_numbers]
    if len(number_words) == 1:
        return f"{axis_name} {number_words[0]}"
    if len(number_words) > 2 and line_numbers[-1] - line_numbers[0] == len(line_numbers) - 1:
        return f"{axis_name}s {number_words[0]} to {number_words[-1]}"
    return f"{axis_name}s {', '.join(number_words[:-1])} and {number_words[-1]}"


class Scripted(ScriptedSeat):
    """Describes its grid in few commands, or draws what it understands."""

    async def reply(self, view: SeatView) -> Reply:
        """Return a reply in the format asked for."""
        reply_format = view.ask.format
        if isinstance(reply_format, Command):
            command_count = sum(message.role == "assistant" for message in view.messages)
            commands = plan_commands(grid.parse_grid(_find_target(view)))
            return Reply(
                f"{reply_format.tag}: {commands[command_count] if command_count < len(commands) else DONE_VALUE}"
            )
        return Reply(grid.format_grid(_replay_drawer(view).drawing))


def _find_target(view: SeatView) -> str:
    for message in view.messages:
        for exhibit in message.content_parts(TextExhibit):
            return exhibit.text
    raise LookupError(f"seat {view.seat} was shown no grid")


def _replay_drawer(view: SeatView) -> GridDrawer:
    """Return the drawer after all commands; each is carried out on the drawing that this seat sent last."""
    grid_drawer = GridDrawer.start_empty()
    for message in view.messages:
        if message.role == "assistant":
            _keep_drawing(grid_drawer, message)
        else:
            for command in message.content_parts(RelayedMessage):
                grid_drawer.apply_command(command.text)
    return grid_drawer


def _keep_drawing(grid_drawer: GridDrawer, message: Message) -> None:
    try:
        grid_drawer.drawing = grid.parse_grid(message.text())
    except ValueError:  # not accepted, and asked again
        pass


def fallback(view: SeatView) -> str | None:
    """Return the drawing as it was before the command; the giver reads nothing that others wrote."""
    return view.ask.format.before if isinstance(view.ask.format, Drawing) else None
