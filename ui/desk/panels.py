"""The panels of the desk: tables and plots that show how a study stands. A panel more is a function more.

Each function of `PANEL_BY_TITLE` lays out Gradio components and returns them as views: a component, what it shows of an
`Overview`. The page calls that again and again while it is open, and sends to the browser what has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import gradio as gr
import pandas as pd  # type: ignore[import-untyped]

from engine.core.colours import BAIZE_SHADES, BRASS_SHADES
from engine.studies.overview import Overview
from ui.live.study_desk import StudyManager

PANEL_WIDTH = 1225
"""Pixels of a table on a wide screen; on a narrow one it is scrolled."""
CONTINUED_LABEL, HERE_NOW_LABEL, DEPARTED_LABEL = "went on or finished", "here now", "left here"


@dataclass(frozen=True)
class PanelView:
    """A component, and what it shows of a study."""

    component: gr.components.Component
    compute_value: Callable[[Overview], Any]


Panel = Callable[[StudyManager], Sequence[PanelView]]


def grid(
    column_headings: list[str], grid_label: str, column_widths: Sequence[int], **table_options: Any
) -> gr.Dataframe:
    """Return a table that only shows; its columns can be sorted and searched in the browser."""
    return gr.Dataframe(
        headers=column_headings,
        label=grid_label,
        show_label=False,
        type="array",
        interactive=False,
        wrap=True,
        column_widths=[f"{round(column_width * PANEL_WIDTH / sum(column_widths))}px" for column_width in column_widths],
        buttons=[],
        **table_options,
    )


# ---------------------------------------------------------------------- the funnel
def show_progress(_: StudyManager) -> list[PanelView]:
    """Show how many participants reached each step, where they are, where they left, and how long each step takes."""
    gr.Markdown("How far participants come, and where they leave.")
    funnel_plot = gr.BarPlot(
        x="step",
        y="participants",
        color="what became of them",
        color_map={CONTINUED_LABEL: BAIZE_SHADES[500], HERE_NOW_LABEL: BRASS_SHADES[300], DEPARTED_LABEL: "#b3402a"},
        x_title=" ",
        y_title="participants",
        x_label_angle=-30,
        height=320,
        show_label=False,
        buttons=[],
        tooltip="all",
    )
    column_headings = ["step", "reached", "here now", "left here", "how they left", "median minutes"]
    step_table = grid(column_headings, "The steps of the study", [240, 90, 95, 95, 260, 140])
    return [PanelView(funnel_plot, _make_funnel_bars), PanelView(step_table, _list_funnel_rows)]


def _make_funnel_bars(overview: Overview) -> Any:
    step_titles = [f"{step_number} {step.title}" for step_number, step in enumerate(overview.funnel_steps, 1)]
    bar_rows = [
        (step_title, bar_kind, people_count)
        for step_title, step in zip(step_titles, overview.funnel_steps, strict=True)
        for bar_kind, people_count in (
            (CONTINUED_LABEL, step.continued_count),
            (HERE_NOW_LABEL, step.present_count),
            (DEPARTED_LABEL, sum(step.left_counts.values())),
        )
    ]
    bar_data = pd.DataFrame(bar_rows, columns=["step", "what became of them", "participants"])
    return gr.update(value=bar_data, sort=step_titles, visible=bool(bar_data["participants"].any()))


def _list_funnel_rows(overview: Overview) -> list[list[Any]]:
    return [
        [
            step.title,
            step.participant_count,
            step.present_count,
            sum(step.left_counts.values()),
            ", ".join(
                f"{departure_count} {departure_state.replace('_', ' ')}"
                for departure_state, departure_count in step.left_counts.items()
            ),
            "" if step.median_minutes is None else round(step.median_minutes, 1),
        ]
        for step in overview.funnel_steps
    ]


# ---------------------------------------------------------------------- cells, games, events
def show_cells(_: StudyManager) -> list[PanelView]:
    """Show how full each cell is."""
    gr.Markdown("A cell is one instance, one seat and the other players. Excluded participants fill no cell.")
    column_headings = ["instance", "seat", "partner", "wanted", "done", "in play", "surplus"]
    columns = ["instance", "seat", "partner", "wanted", "done", "in_play", "surplus"]
    column_widths = [330, 100, 180, 85, 75, 80, 85]
    cell_table = grid(column_headings, "Cells", column_widths, max_height=560, show_search="search")
    return [PanelView(cell_table, lambda overview: [[cell[column] for column in columns] for cell in overview.cells])]


def show_games(study_manager: StudyManager) -> list[PanelView]:
    """Show the games in play and the latest others, each with a link to watch it."""
    gr.Markdown("Games in play first. Watching is recorded with the game; players do not see it.")
    column_headings = ["watch", "participant", "game", "instance", "seat", "state", "score", "began"]
    column_types = ["markdown", *["str"] * 7]
    column_widths = [80, 120, 75, 330, 90, 105, 75, 130]
    game_table = grid(
        column_headings, "Games", column_widths, datatype=column_types, max_height=560, show_search="search"
    )

    def list_games(overview: Overview) -> list[list[Any]]:
        return [
            [
                f"[Watch]({study_manager.make_spectator_path(game.episode)})",
                game.pseudonym,
                game.game_number if game.game_number > 0 else "practice",
                game.instance,
                game.seat,
                game.state,
                "" if game.score is None else round(game.score),
                format_clock_time(game.dealing_time),
            ]
            for game in overview.games
        ]

    return [PanelView(game_table, list_games)]


def show_events(_: StudyManager) -> list[PanelView]:
    """Show what was done to the study and its participants."""
    gr.Markdown("Everything that was done here or on the command line, latest first. The export has all of it.")
    event_table = grid(["when", "participant", "action", "details"], "Actions", [130, 120, 130, 500], max_height=560)

    def list_events(overview: Overview) -> list[list[Any]]:
        pseudonyms = {participant.id: participant.pseudonym for participant in overview.participants}
        return [
            [
                format_clock_time(event.time),
                pseudonyms.get(event.participation or "", ""),
                event.action.replace("_", " "),
                ", ".join(f"{field_name}: {entry}" for field_name, entry in event.data.items() if entry is not None),
            ]
            for event in overview.events
        ]

    return [PanelView(event_table, list_events)]


PANEL_BY_TITLE: dict[str, Panel] = {
    "Progress": show_progress,
    "Cells": show_cells,
    "Games": show_games,
    "Actions": show_events,
}
"""The tabs of the desk after "Participants", by title."""


def format_clock_time(milliseconds: int) -> str:
    """Return a time of the server's clock, with the date where it was not today."""
    local_time = datetime.fromtimestamp(milliseconds / 1000)
    return local_time.strftime("%H:%M:%S" if local_time.date() == datetime.now().date() else "%d %b %H:%M")
