"""The board of a game as it was after each line of the transcript, for spectators of games that draw one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.core.events import Json
from engine.core.game import Game
from engine.core.log import Log
from ui.live.record import EpisodeRecord


class Boards:
    """Renders each line's board once and joins boards to lines. `record` is that of an episode of `game`."""

    def __init__(self, game: Game | None, record: EpisodeRecord) -> None:
        self._game = game if game and game.has_board else None
        self._record = record
        self._boards: dict[int, list[Json]] = {}
        """Index of a line to the board from that line on."""
        self._rendered_count = 0
        """How many lines have been rendered."""
        self._lines: list[Json] = []

    @property
    def has_unrendered_lines(self) -> bool:
        """Whether there are lines whose boards have not been rendered."""
        return self._rendered_count < len(self._record.transcript.lines)

    def render_boards(self) -> None:
        """Render the boards of all new lines."""
        lines = self._record.transcript.lines
        latest_board = next(reversed(self._boards.values()), None)
        while self._rendered_count < len(lines):
            line_index, self._rendered_count = self._rendered_count, self._rendered_count + 1
            if self._game is None:
                continue
            if self._rendered_count < len(lines) and lines[self._rendered_count]["n"] == lines[line_index]["n"]:
                continue  # the last line of an event shows what the event changed
            board = self._game.board(Log([event for event in self._record.log if event.n <= lines[line_index]["n"]]))
            if board != latest_board:
                self._boards[line_index] = latest_board = board

    def list_panels(self) -> Iterator[Json]:
        """Yield the panels of all boards."""
        for board in self._boards.values():
            yield from board

    def list_linked_lines(self, link_panel: Callable[[Json], Json]) -> list[Json]:
        """Return the rendered lines, with the board where it changes; `link_panel` makes panels ready to be sent."""
        for line_index in range(len(self._lines), self._rendered_count):  # later lines come with their own boards
            rendered_line = self._record.transcript.lines[line_index]
            if line_index in self._boards:
                rendered_line = {**rendered_line, "board": [link_panel(panel) for panel in self._boards[line_index]]}
            self._lines.append(rendered_line)
        return self._lines
