"""Draw the figures of a study's report as SVG, in the style of `engine.results.plots`. Nothing is computed here."""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.core.colours import DARK_PALETTE, LIGHT_PALETTE, FigurePalette
from engine.results.plots import PIXELS_PER_INCH, SHAPE_BY_KIND, SMALL_FONT, TINY_FONT, shorten_names, use_drawing_style
from engine.results.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FIGURE_WIDTH = 760
ROW_HEIGHT, PAGE_HEADER_HEIGHT = 26, 62
"""Pixels."""
MAX_PLAYER_NAME_LENGTH = 30
PERSON_KIND = "person"
"""The kind of people, as `SHAPE_BY_KIND` and the colours name it."""
DOT_HEIGHT, MAX_DOTS_HEIGHT = 12, 260
"""Pixels: of a dot, and of the highest stack of them."""
BIN_WIDTH_POINTS = 5
"""Points: means of people that are as close are stacked."""


@dataclass(frozen=True, slots=True)
class PlayerEstimates:
    """A row of the figure: a player with its kind ("person", "model", "program"), its mean, and people minus it."""

    player: str
    player_kind: str
    mean_estimate: Estimate
    difference_estimate: Estimate | None = None


def draw_means(rows: Sequence[PlayerEstimates], *, is_dark: bool = False) -> bytes:
    """Return people and models with their means, and next to them people minus model, as SVG."""
    palette = DARK_PALETTE if is_dark else LIGHT_PALETTE
    has_differences = any(row.difference_estimate is not None for row in rows)
    names = shorten_names([row.player for row in rows], MAX_PLAYER_NAME_LENGTH)
    with use_drawing_style(palette):
        canvas = _make_canvas(PAGE_HEADER_HEIGHT + ROW_HEIGHT * len(rows))
        panels: Any = canvas.subplots(1, 2, sharey=True, squeeze=False)[0] if has_differences else [canvas.subplots()]
        mean_axes = panels[0]
        mean_axes.set_title("Mean score")
        mean_axes.set(xlim=(0, 100), ylim=(len(rows) - 0.5, -0.5), xticks=(0, 25, 50, 75, 100))
        mean_axes.set_yticks(range(len(rows)), [names[row.player] for row in rows], size=SMALL_FONT)
        mean_axes.tick_params(axis="y", pad=6, labelcolor=palette.ink)
        _draw_points(mean_axes, palette, [(row.player_kind, row.mean_estimate) for row in rows])
        if has_differences:
            axis_limit = _find_axis_limit([row.difference_estimate for row in rows if row.difference_estimate])
            panels[1].set_title("People minus model, same instances")
            panels[1].set(xlim=(-axis_limit, axis_limit), xlabel="← model better\N{EM SPACE}people better →")
            panels[1].axvline(0, color=palette.secondary_ink, linewidth=0.9, zorder=1.5)
            panels[1].tick_params(axis="y", labelleft=False)
            _draw_points(panels[1], palette, [(row.player_kind, row.difference_estimate or Estimate()) for row in rows])
        return _write_svg(canvas, "Means of people and models")


def draw_people(person_means: Sequence[float], models: Sequence[PlayerEstimates], *, is_dark: bool = False) -> bytes:
    """Return a dot for the mean score of each person, with the means of models as lines, as SVG."""
    palette = DARK_PALETTE if is_dark else LIGHT_PALETTE
    names = shorten_names([row.player for row in models], MAX_PLAYER_NAME_LENGTH)
    dot_counts = Counter(int(min(person_mean, 99.99) // BIN_WIDTH_POINTS) for person_mean in person_means)
    max_dot_count = max(dot_counts.values(), default=1)
    with use_drawing_style(palette):
        dots_height = min(max(70, DOT_HEIGHT * max_dot_count), MAX_DOTS_HEIGHT)
        canvas = _make_canvas(PAGE_HEADER_HEIGHT + dots_height)
        dot_size = min(6.0, 0.6 * dots_height / max_dot_count)
        axes = canvas.subplots()
        stack_heights: Counter[int] = Counter()
        x_positions, y_positions = [], []
        for value in person_means:
            bin_number = int(min(value, 99.99) // BIN_WIDTH_POINTS)
            stack_heights[bin_number] += 1
            x_positions.append((bin_number + 0.5) * BIN_WIDTH_POINTS)
            y_positions.append(float(stack_heights[bin_number]))
        axes.plot(
            x_positions,
            y_positions,
            SHAPE_BY_KIND[PERSON_KIND],
            color=palette.kinds[PERSON_KIND],
            markersize=dot_size,
            label="a person",
        )
        for bin_number, row in enumerate(models):
            if row.mean_estimate.value is not None:
                colour, dashes = palette.kinds[row.player_kind], ("-", "--", "-.", ":")[bin_number % 4]
                axes.axvline(
                    row.mean_estimate.value, color=colour, linewidth=1.6, linestyle=dashes, label=names[row.player]
                )
        axes.set(xlim=(0, 100), ylim=(0, max_dot_count + 1), yticks=())
        axes.set_xticks(range(0, 101, 20))
        axes.tick_params(axis="x", labelsize=TINY_FONT)
        axes.axhline(0, color=palette.secondary_ink, linewidth=0.9)
        axes.set_title("Mean score of each person")
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=3)
        return _write_svg(canvas, "Mean scores of people")


def _make_canvas(height: float) -> Figure:
    from matplotlib.figure import Figure as Canvas
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    layout_engine = ConstrainedLayoutEngine(wspace=0.08)
    return Canvas(figsize=(FIGURE_WIDTH / PIXELS_PER_INCH, height / PIXELS_PER_INCH), dpi=72, layout=layout_engine)


def _find_axis_limit(estimates: Sequence[Estimate]) -> int:
    interval_ends = [abs(end) for gap in estimates for end in (gap.value, gap.low, gap.high) if end is not None]
    return min(100, 10 * math.ceil(max([*interval_ends, 5]) / 10))


def _draw_points(axes: Axes, palette: FigurePalette, kinds_and_estimates: Sequence[tuple[str, Estimate]]) -> None:
    """Draw a mark with its interval on each row; without an interval, the mark is hollow."""
    axes.grid(axis="x")
    for row_index, (player_kind, estimate) in enumerate(kinds_and_estimates):
        if row_index % 2 == 0:
            axes.axhspan(row_index - 0.5, row_index + 0.5, color=palette.row_shade, zorder=0)
        if estimate.value is None:
            continue
        colour, has_interval = palette.kinds[player_kind], estimate.low is not None and estimate.high is not None
        if has_interval:
            axes.hlines(row_index, estimate.low or 0, estimate.high or 0, color=colour, linewidth=2)
        face_colour = colour if has_interval else palette.page
        axes.plot(
            estimate.value,
            row_index,
            SHAPE_BY_KIND[player_kind],
            color=colour,
            markerfacecolor=face_colour,
            markersize=7,
            clip_on=False,
        )
    axes.tick_params(axis="x", labelsize=TINY_FONT)


def _write_svg(canvas: Figure, title: str) -> bytes:
    svg_file = io.BytesIO()
    canvas.savefig(svg_file, format="svg", metadata={"Title": title, "Date": None, "Creator": "Ludens"})
    return svg_file.getvalue()
