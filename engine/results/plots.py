"""Draw figures from their rows, with matplotlib. `engine/results/figures.py` makes the rows; nothing is computed here.

A figure is 900 pixels wide: title, caption, blocks below each other, and what is left out. matplotlib's constrained
layout places everything in it. The kind of a player is shown by colour and by shape, so that nobody has to tell colours
apart.
"""

from __future__ import annotations

import io
import math
import textwrap
import threading
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal

from engine.core.colours import DARK_PALETTE, LIGHT_PALETTE, FigurePalette
from engine.core.patterns import compile_pattern
from engine.results.figures import (
    DistanceRow,
    ExperimentRow,
    FigureRow,
    LeaderboardRow,
    ModalityRow,
    count_excluded_episodes,
    find_figure,
    rank_players,
)
from engine.results.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import FigureBase
    from matplotlib.lines import Line2D

FIGURE_WIDTH = 900
PIXELS_PER_INCH = 96
"""CSS pixels per inch: an SVG of 9.375 inches is 900 px wide on a page."""
PNG_DPI = 2 * PIXELS_PER_INCH
MAX_PNG_HEIGHT = 65_000
"""Pixels; matplotlib draws no more."""
PAGE_MARGIN, PAGE_HEADER_HEIGHT, LINE_HEIGHT = 18, 74, 16
"""Pixels: around the figure; title, caption and what is left out; a line of small text."""

BIG_FONT, HEADING_FONT, PLAIN_FONT, SMALL_FONT, TINY_FONT = 13.5, 10.5, 9.0, 8.0, 7.0
"""Font sizes in points; at a text width of 6.5 inches they appear at 70 %."""

SHAPE_BY_KIND = {"person": "o", "model": "s", "program": "D", "published": "x"}
MAX_PLAYER_NAME_LENGTH = 34
"""Letters of a player's name."""
BAR_HEIGHT, LABEL_HEIGHT, PLOT_HEIGHT = 20, 19, 430
CELL_WIDTH, CELL_HEIGHT = 48, 35
MAX_CELLS_PER_BAND = 12
"""Cells side by side in a heat map."""
MAX_EXPERIMENT_NAME_LENGTH = 27
"""Letters of an experiment's name in a heat map."""
DIGIT_WIDTH_SPACE = "\N{FIGURE SPACE}"
"""As wide as a digit."""
INTERVALS_NOTE = (
    "95 % intervals (bootstrap over instances, Wilson if all have the same mean; of 8 or more people, over people and "
    "instances)."
)

_matplotlib_lock = threading.Lock()
"""matplotlib's settings are shared by all threads."""


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a figure: its height in pixels, and what draws it."""

    height: float
    draw_block: Callable[[FigureBase], None]


@dataclass(frozen=True, slots=True)
class FigurePage:
    """A figure as it is drawn: title, caption, blocks below each other, and a last line."""

    title: str
    caption: str
    footer: str
    blocks: Sequence[Block]


Players = Mapping[str, str]
"""Players with their kinds, in the order of their rows."""
FigureDrawing = tuple[str, list[Block]]
"""What the caption of a figure adds, and its parts."""


def draw_figure(
    figure_name: str, plot_rows: Sequence[FigureRow], *, format: Literal["svg", "png"] = "svg", is_dark: bool = False
) -> bytes:
    """Return the figure of `figures.make_figure_rows`: SVG 900 px wide with text as text, or PNG of twice the pixels.

    The same rows give the same bytes with the same release of matplotlib. `is_dark` is for a dark page.
    """
    figure = find_figure(figure_name)
    palette = DARK_PALETTE if is_dark else LIGHT_PALETTE
    excluded_text = ", ".join(f"{count:,} {reason}" for reason, count in count_excluded_episodes(plot_rows).items())
    with use_drawing_style(palette):
        figure_note, blocks = DRAWING_BY_FIGURE[figure_name](plot_rows, palette)
        page = FigurePage(
            figure.title, f"{figure.caption}\n{figure_note}", f"Left out: {excluded_text or 'nothing'}.", blocks
        )
        kinds = [kind for kind in SHAPE_BY_KIND if any(plot_row.kind == kind for plot_row in plot_rows)]
        return draw_page(page, kinds, palette, format)


def draw_page(
    figure_page: FigurePage, kinds: Sequence[str], palette: FigurePalette, format: Literal["svg", "png"]
) -> bytes:
    """Return a page with a legend of these kinds of players. Call it within `use_drawing_style`."""
    from matplotlib.figure import Figure as Canvas
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    if format not in ("svg", "png"):
        raise ValueError(f"no format {format!r}; there are: svg, png")
    caption, footer = _wrap_text(figure_page.caption), _wrap_text(figure_page.footer)
    block_heights = [block.height for block in figure_page.blocks]
    height = sum(block_heights) + PAGE_HEADER_HEIGHT + LINE_HEIGHT * (1 + caption.count("\n") + footer.count("\n"))
    dpi = min(PNG_DPI, MAX_PNG_HEIGHT * PIXELS_PER_INCH / (height + 2 * PAGE_MARGIN)) if format == "png" else 72
    layout = ConstrainedLayoutEngine(h_pad=0.06)
    canvas = Canvas(
        figsize=((FIGURE_WIDTH - 2 * PAGE_MARGIN) / PIXELS_PER_INCH, height / PIXELS_PER_INCH),
        dpi=dpi,
        layout=layout,
    )
    canvas.suptitle(figure_page.title, x=0, ha="left", size=BIG_FONT, weight="bold")
    canvas.supxlabel(footer, x=0, ha="left", size=SMALL_FONT, color=palette.secondary_ink)
    position: dict[str, Any] = {
        "loc": "upper right",
        "bbox_to_anchor": (1, 1),
        "bbox_transform": canvas.transFigure,
    }
    legend_marks = [_make_legend_mark(palette, kind) for kind in kinds]
    canvas.legend(legend_marks, kinds, ncols=len(SHAPE_BY_KIND), borderaxespad=0, **position)
    page_body: Any = canvas.subfigures()
    page_body.suptitle(caption, x=0, ha="left", size=SMALL_FONT, color=palette.secondary_ink, linespacing=1.4)
    subfigures = page_body.subfigures(len(figure_page.blocks), squeeze=False, height_ratios=block_heights)
    for block, subfigure in zip(figure_page.blocks, subfigures, strict=True):
        block.draw_block(subfigure[0])
    layout.execute(canvas)
    canvas.set_layout_engine(None)  # or savefig would draw everything once more to lay it out
    image_file = io.BytesIO()
    software_metadata = {"Date": None, "Creator": "Ludens"} if format == "svg" else {"Software": "Ludens"}
    page_outline = canvas.bbox_inches.padded(PAGE_MARGIN / PIXELS_PER_INCH)
    canvas.savefig(
        image_file, format=format, bbox_inches=page_outline, metadata={"Title": figure_page.title} | software_metadata
    )
    return image_file.getvalue()


@contextmanager
def use_drawing_style(palette: FigurePalette) -> Iterator[None]:
    """Draw in the style of figures: one thread at a time, without matplotlib's warnings of missing glyphs."""
    from matplotlib import style

    with _matplotlib_lock, style.context(["default", _make_plot_style(palette)]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")  # the viewer of an SVG may have it
        yield


def _make_plot_style(palette: FigurePalette) -> dict[str, Any]:
    """Return matplotlib's settings: no frames, a pale grid behind the data, colours of the page."""
    tick_settings = {"major.size": 0, "labelsize": TINY_FONT, "labelcolor": palette.secondary_ink}
    return {
        "svg.fonttype": "none",
        "svg.hashsalt": "ludens",
        "text.parse_math": False,
        "text.color": palette.ink,
        "font.size": PLAIN_FONT,
        "figure.facecolor": palette.page,
        "savefig.dpi": "figure",
        "axes.facecolor": "none",
        "axes.labelcolor": palette.secondary_ink,
        "axes.labelsize": TINY_FONT,
        "axes.titlelocation": "left",
        "axes.titlesize": SMALL_FONT,
        "axes.titleweight": "bold",
        "axes.axisbelow": True,
        **{f"axes.spines.{spine}": False for spine in ("left", "right", "top", "bottom")},
        "grid.color": palette.line,
        "grid.linewidth": 0.7,
        **{f"{axis}tick.{name}": setting_value for axis in "xy" for name, setting_value in tick_settings.items()},
        "errorbar.capsize": 2.2,
        "legend.frameon": False,
        "legend.fontsize": SMALL_FONT,
        "legend.handletextpad": 0.3,
        "legend.columnspacing": 1.6,
    }


def _wrap_text(small_text: str) -> str:
    """Return small text in lines as wide as the figure."""
    return "\n".join(textwrap.fill(text_line, 155) for text_line in small_text.splitlines())


def _make_legend_mark(palette: FigurePalette, player_kind: str) -> Line2D:
    """Return the mark of a kind of player, for a legend."""
    from matplotlib.lines import Line2D

    return Line2D(
        [], [], color=palette.kinds[player_kind], marker=SHAPE_BY_KIND[player_kind], markersize=6, linestyle="none"
    )


def _add_players(axes: Axes, palette: FigurePalette, players: Players, tick_offset: float = 0.0) -> None:
    """Name players at the left of their rows, each with the mark of its kind, people in bold."""
    tick_positions = [player_index + tick_offset for player_index in range(len(players))]
    axes.set_yticks(tick_positions, list(shorten_names(players, MAX_PLAYER_NAME_LENGTH).values()), size=SMALL_FONT)
    axes.spines.left.set_position(("outward", 6))
    axes.tick_params(axis="y", pad=7)
    for tick, player_kind in zip(axes.yaxis.get_major_ticks(), players.values(), strict=True):
        tick.tick1line.set(
            color=palette.kinds[player_kind],
            markeredgecolor=palette.kinds[player_kind],
            marker=SHAPE_BY_KIND[player_kind],
            markersize=6,
        )
        tick.label1.set(color=palette.ink, weight=_find_font_weight(player_kind))


def _find_font_weight(player_kind: str) -> str:
    return "bold" if player_kind == "person" else "normal"


# ---------------------------------------------------------------------- names and numbers
def shorten_names(player_names: Iterable[str], width: int) -> dict[str, str]:
    """Return a different short name of at most `width` characters for each name.

    Dropped first are parameters (if the rest tells names apart), then what stands between provider and model, then the
    provider, then the middle.
    """
    unique_names = list(dict.fromkeys(player_names))
    bare_names = {full_name: compile_pattern(r"\?[^ ]*").replace_matches("", full_name) for full_name in unique_names}
    name_counts = Counter(bare_names.values())
    shortened_names: dict[str, str] = {}
    for full_name in unique_names:
        fitted_name = _fit_name(bare_names[full_name] if name_counts[bare_names[full_name]] == 1 else full_name, width)
        short_name, copy_number = fitted_name, 2
        while short_name in shortened_names.values():
            short_name, copy_number = f"{fitted_name[: width - 4]} ({copy_number})", copy_number + 1
        shortened_names[full_name] = short_name
    return shortened_names


def _fit_name(name: str, width: int) -> str:
    for pattern, replacement in ((r"/[^ ?]+/", "/…/"), (r"[^ ?]+/", "")):
        if len(name) > width:
            name = compile_pattern(pattern).replace_matches(replacement, name)
    if len(name) <= width:
        return name
    remark_start = name.rfind(" (") if name.endswith(")") else -1
    is_plain = remark_start >= 0 and not {"(", ")"} & set(name[remark_start + 2 : -1])
    remark = name[remark_start:] if is_plain and len(name) - remark_start <= width // 2 else ""
    name, width = name.removesuffix(remark), width - len(remark)
    half_width = (width - 1) // 2
    return (name if len(name) <= width else f"{name[: width - 1 - half_width]}…{name[-half_width:]}") + remark


def format_number(number: float | None, number_format: str = "z.1f", min_width: int = 0) -> str:
    """Return a number as text; one of fewer than `min_width` digits begins with spaces."""
    number_text = "–" if number is None else f"{number:{number_format}}".replace("-", "−").replace("+0.0", "0.0")
    return number_text.rjust(min_width, DIGIT_WIDTH_SPACE)


def _rank_players(rows_with_values: Iterable[tuple[FigureRow, float | None]]) -> Players:
    """Return the players of rows with their kinds, those with the best mean value first."""
    row_values = list(rows_with_values)
    kind_by_player = {row.player: row.kind for row, _ in row_values}
    rank_by_player = rank_players((row.player, value) for row, value in row_values)
    return {player: kind_by_player[player] for player in sorted(kind_by_player, key=rank_by_player.__getitem__)}


def _format_counts(episode_counts: Iterable[int]) -> str:
    """Return a number of episodes, or the range of several, as text."""
    counts = sorted(episode_counts)
    count_text = str(counts[0]) if counts[0] == counts[-1] else f"{counts[0]} to {counts[-1]}"
    return f"n = {count_text} {'episode' if count_text == '1' else 'episodes'}"


def _has_aborted_episodes(played_share: Estimate) -> bool:
    return played_share.value not in (None, 100.0)


def _measure_error_bars(estimates: Iterable[Estimate]) -> Any:
    """Return how far intervals reach below and above their values: an array of two rows, for error bars."""
    import numpy as np

    centres, lower_bounds, upper_bounds = (
        np.array([(mean.value, mean.low, mean.high) for mean in estimates], float).reshape(-1, 3).T
    )
    return np.maximum([centres - lower_bounds, upper_bounds - centres], 0)


# ---------------------------------------------------------------------- bars: one row per player, panels side by side
@dataclass(frozen=True, slots=True)
class PanelBar:
    """A bar with its interval, and what stands at its right."""

    estimate: Estimate
    label: str
    marker_value: float | None = None
    """A second number, marked by a short line."""


PanelBars = dict[str, dict[str, PanelBar]]
"""Bars by the title of their panel and by player."""


def make_panels_block(
    palette: FigurePalette,
    players: Players,
    panels: PanelBars,
    axis_limits: tuple[float, float],
    heading: str = "",
    remark: str = "",
) -> Block:
    """Return panels with a bar for each player, as many side by side as are legible."""
    players = {player: kind for player, kind in players.items() if any(player in bars for bars in panels.values())}
    max_columns = 5 if all(" " not in bar.label for bars in panels.values() for bar in bars.values()) else 4
    row_count = math.ceil(len(panels) / max_columns)
    column_count = math.ceil(len(panels) / row_count)
    short_titles = shorten_names(panels, 90 // column_count)
    block_height = 34 * bool(heading) + row_count * (BAR_HEIGHT * len(players) + (44 if axis_limits[0] == 0 else 58))

    def draw_panels(subfigure: FigureBase) -> None:
        if heading:
            subfigure.suptitle(heading, x=0, ha="left", size=HEADING_FONT, weight="bold")
            subfigure.text(
                1, 1 - 9 / block_height, remark, ha="right", va="top", size=SMALL_FONT, color=palette.secondary_ink
            )
        axes_grid = subfigure.subplots(row_count, column_count, squeeze=False)
        for axes in axes_grid.flat[len(panels) :]:
            axes.remove()
        for panel_index, (axes, (title, bars)) in enumerate(zip(axes_grid.flat, panels.items(), strict=False)):
            axes.set_title(short_titles[title])
            _draw_bars(axes, palette, players, bars, axis_limits)
            _add_players(axes, palette, players if panel_index % column_count == 0 else {})

    return Block(block_height, draw_panels)


def _draw_bars(
    axes: Axes, palette: FigurePalette, players: Players, bars: Mapping[str, PanelBar], axis_limits: tuple[float, float]
) -> None:
    axis_start, peak = axis_limits
    tick_positions = (axis_start, (axis_start + peak) / 2, peak)
    axes.set(xlim=axis_limits, ylim=(len(players) - 0.5, -0.5), xlabel="← pictures   text →" if axis_start else "")
    axes.set_xticks(tick_positions, [format_number(tick_position, "g") for tick_position in tick_positions])
    axes.grid(axis="x")
    axes.axvline(0, color=palette.secondary_ink, linewidth=0.9, zorder=1.5)
    axes.hlines(range(0, len(players), 2), axis_start, peak, color=palette.row_shade, linewidth=14, zorder=0)
    max_label = max((bar.label for bar in bars.values()), key=len)
    for index, label in enumerate(bars[player].label if player in bars else "" for player in players):
        axes.text(
            peak,
            index,
            DIGIT_WIDTH_SPACE + label,
            size=SMALL_FONT,
            va="center_baseline",
            in_layout=label == max_label,
        )
    bars_with_value = [
        (index, palette.kinds[player_kind], bars[player])
        for index, (player, player_kind) in enumerate(players.items())
        if player in bars and bars[player].estimate.value is not None
    ]
    if not bars_with_value:
        return
    row_indices, colours = [index for index, _, _ in bars_with_value], [colour for _, colour, _ in bars_with_value]
    bar_values: list[Any] = [bar.estimate.value for _, _, bar in bars_with_value]
    axes.hlines(row_indices, 0, bar_values, color=colours, linewidth=9, alpha=0.55)
    errors = _measure_error_bars(bar.estimate for _, _, bar in bars_with_value)
    axes.errorbar(bar_values, row_indices, xerr=errors, fmt="none", ecolor=palette.ink, elinewidth=1, clip_on=False)
    marked_values: list[Any] = [
        math.nan if bar.marker_value is None else bar.marker_value for _, _, bar in bars_with_value
    ]
    axes.plot(marked_values, row_indices, "|", color=palette.ink, markersize=12, markeredgewidth=1.8, clip_on=False)


def _draw_difficulty_blocks(plot_rows: Sequence[ExperimentRow], palette: FigurePalette) -> FigureDrawing:
    players = _rank_players((plot_row, plot_row.result_row.score_all.value) for plot_row in plot_rows)
    rows_by_variant: dict[str, list[ExperimentRow]] = {}
    for plot_row in plot_rows:
        condition = plot_row.result_row.condition
        rows_by_variant.setdefault(f"{condition.game} / {condition.variant}", []).append(plot_row)
    blocks = []
    for variant, variant_rows in rows_by_variant.items():
        counts = [plot_row.result_row.n for plot_row in variant_rows]
        panels: PanelBars = {}
        for plot_row in variant_rows:
            panel_bar = _make_experiment_bar(plot_row, has_remark=len(set(counts)) > 1)
            panels.setdefault(plot_row.result_row.condition.experiment, {})[plot_row.player] = panel_bar
        blocks.append(make_panels_block(palette, players, panels, (0, 100), variant, f"{_format_counts(counts)} each"))
    has_aborted_games = any(_has_aborted_episodes(plot_row.result_row.played) for plot_row in plot_rows)
    return f"Thin lines: {INTERVALS_NOTE}{' Thick stroke: with aborted episodes as 0.' * has_aborted_games}", blocks


def _make_experiment_bar(experiment_row: ExperimentRow, has_remark: bool) -> PanelBar:
    result_row = experiment_row.result_row
    label = "none played" if result_row.played.value == 0 else format_number(result_row.quality.value, min_width=5)
    marker_value = result_row.score_all.value if _has_aborted_episodes(result_row.played) else None
    return PanelBar(result_row.quality, label + f"  n {result_row.n}" * has_remark, marker_value)


def _draw_modality_blocks(plot_rows: Sequence[ModalityRow], palette: FigurePalette) -> FigureDrawing:
    interval_ends = [abs(bound or 0) for row in plot_rows for bound in (row.difference.low, row.difference.high)]
    axis_limit = min(100, 25 * math.ceil(max(*interval_ends, 1) / 25))
    panels: PanelBars = {}
    for row in plot_rows:
        label = f"{format_number(row.difference.value, '+z.1f', 5)}  {row.text_row.n}+{row.picture_row.n}"
        panels.setdefault(row.game, {})[row.player] = PanelBar(row.difference, label)
    players = _rank_players((row, row.difference.value) for row in plot_rows)
    caption_note = (
        "To the right of 0: better in text. To the left: better in pictures. Thin lines: 95 % intervals. "
        "n: episodes in text + in pictures."
    )
    return caption_note, [make_panels_block(palette, players, panels, (-axis_limit, axis_limit))]


# ---------------------------------------------------------------------- distance
def _draw_distance_blocks(plot_rows: Sequence[DistanceRow], palette: FigurePalette) -> FigureDrawing:
    rows_by_player: dict[str, list[DistanceRow]] = {}
    for plot_row in plot_rows:
        rows_by_player.setdefault(plot_row.player, []).append(plot_row)
    names = shorten_names(rows_by_player, 27)
    distances = sorted({plot_row.distance for plot_row in plot_rows})
    column_count = max(2, min(4, len(rows_by_player)))
    grid_row_count = math.ceil(len(rows_by_player) / column_count)

    def draw_curves(subfigure: FigureBase) -> None:
        curves: dict[str, Any] = {}
        axes_grid = subfigure.subplots(grid_row_count, column_count, sharey=True, squeeze=False)
        for axes in axes_grid.flat[len(rows_by_player) :]:
            axes.remove()
        for axes, (player, player_rows) in zip(axes_grid.flat, rows_by_player.items(), strict=False):
            legend_mark = _make_legend_mark(palette, player_rows[0].kind)
            label_font = {"size": SMALL_FONT, "weight": _find_font_weight(player_rows[0].kind)}
            axes.legend([legend_mark], [names[player]], loc="lower left", bbox_to_anchor=(-0.08, 1), prop=label_font)
            axes.set_xlabel(f"{_format_counts(plot_row.result_row.n for plot_row in player_rows)} per point")
            axes.set_xticks(range(len(distances)), [f"{distance} moves" for distance in distances])
            axes.set(xlim=(-0.35, len(distances) - 0.65), ylim=(-4, 104), yticks=(0, 50, 100))
            axes.grid(axis="y")
            curves |= _draw_curves(axes, palette, player_rows, distances)
        subfigure.legend(curves.values(), curves, loc="outside upper left", ncols=4, handlelength=3, handletextpad=0.8)

    return f"Vertical lines: of success, {INTERVALS_NOTE}", [Block(30 + 215 * grid_row_count, draw_curves)]


def _draw_curves(
    axes: Axes, palette: FigurePalette, rows: Sequence[DistanceRow], distances: Sequence[str]
) -> dict[str, Any]:
    """Draw success and % played in text and in pictures, and return the curves by their labels."""
    curves: dict[str, Any] = {}
    for modality, marker, x_offset in (("text", "o", -0.06), ("picture", "^", 0.06)):
        colour = palette.modalities[modality]
        modality_rows = [plot_row for plot_row in rows if plot_row.modality == modality and plot_row.result_row.n]
        if not modality_rows:
            continue
        x_positions = [distances.index(plot_row.distance) + x_offset for plot_row in modality_rows]
        success_values: list[Any] = [plot_row.result_row.score_all.value for plot_row in modality_rows]
        played_values: list[Any] = [plot_row.result_row.played.value for plot_row in modality_rows]
        curve_style: dict[str, Any] = {"color": colour, "marker": marker, "clip_on": False}
        errors = _measure_error_bars(plot_row.result_row.score_all for plot_row in modality_rows)
        curve = axes.errorbar(
            x_positions,
            success_values,
            yerr=errors,
            linewidth=2,
            markersize=6,
            elinewidth=1,
            zorder=3,
            **curve_style,
        )
        curve_style |= {"linestyle": (0, (3, 2.4)), "markerfacecolor": palette.page}
        (dashed_curve,) = axes.plot(x_positions, played_values, linewidth=1.1, markersize=4.5, **curve_style)
        curves |= {f"{modality}: found the room": curve, f"{modality}: not aborted": dashed_curve}
    return curves


# ---------------------------------------------------------------------- heat map
HeatMapColumn = tuple[float, str, str]
"""Where a column of a band begins, in cells; its variant; its experiment."""
RowByCell = dict[tuple[str, str, str], ExperimentRow]
"""Rows by player, variant and experiment."""


def _draw_heatmap_blocks(plot_rows: Sequence[ExperimentRow], palette: FigurePalette) -> FigureDrawing:
    row_by_cell: RowByCell = {}
    experiments_by_variant: dict[str, dict[str, None]] = {}
    for plot_row in plot_rows:
        condition = plot_row.result_row.condition
        variant = f"{condition.game} / {condition.variant}"
        experiments_by_variant.setdefault(variant, {})[condition.experiment] = None
        row_by_cell[plot_row.player, variant, condition.experiment] = plot_row
    ranking = _rank_players((plot_row, plot_row.result_row.score_all.value) for plot_row in plot_rows)
    column_bands = [
        (
            column_band,
            {
                player: kind
                for player, kind in ranking.items()
                if any((player, *cell[1:]) in row_by_cell for cell in column_band)
            },
        )
        for column_band in _split_column_bands(experiments_by_variant)
    ]

    def draw_column_bands(subfigure: FigureBase) -> None:
        band_heights = [len(players) for _, players in column_bands]
        axes_grid = subfigure.subplots(len(column_bands), squeeze=False, height_ratios=band_heights)
        for axes, (column_band, players) in zip(axes_grid.flat, column_bands, strict=True):
            _draw_column_band(axes, palette, column_band, players, row_by_cell)

    letter_counts = [
        min(MAX_EXPERIMENT_NAME_LENGTH, max(len(experiment) for _, _, experiment in column_band))
        for column_band, _ in column_bands
    ]
    height = sum(CELL_HEIGHT * len(players) for _, players in column_bands) + sum(
        48 + 3.9 * count for count in letter_counts
    )
    has_aborted_games = any(_has_aborted_episodes(plot_row.result_row.played) for plot_row in plot_rows)
    caption_note = (
        f"{'Darker' if palette is LIGHT_PALETTE else 'Brighter'} is better. "
        f"{_format_counts(plot_row.result_row.n for plot_row in plot_rows)} per "
        f"cell. {'%: played to the end, if some were aborted. ' * has_aborted_games}"
        "Line in a cell: 95 % interval, from 0 (left) to 100 (right)."
    )
    return caption_note, [Block(height, draw_column_bands)]


def _split_column_bands(experiments_by_variant: Mapping[str, Iterable[str]]) -> list[list[HeatMapColumn]]:
    """Return the columns of variants in bands that fit the figure; a variant wider than the figure is cut."""
    column_bands: list[list[HeatMapColumn]] = []
    band_end: float = MAX_CELLS_PER_BAND
    for variant, experiment_names in experiments_by_variant.items():
        ordered_names = list(experiment_names)
        for band_part in (
            ordered_names[i : i + MAX_CELLS_PER_BAND] for i in range(0, len(ordered_names), MAX_CELLS_PER_BAND)
        ):
            part_width = max(len(band_part), 7.2 * len(variant) / CELL_WIDTH)  # the heading is above the cells
            if band_end + part_width > MAX_CELLS_PER_BAND:
                column_bands.append([])
                band_end = 0
            column_bands[-1] += [(band_end + i, variant, experiment) for i, experiment in enumerate(band_part)]
            band_end += part_width + 0.25
    return column_bands


def _draw_column_band(
    axes: Axes, palette: FigurePalette, column_band: Sequence[HeatMapColumn], players: Players, row_by_cell: RowByCell
) -> None:
    import numpy as np
    from matplotlib.collections import PatchCollection
    from matplotlib.colors import LinearSegmentedColormap, to_hex
    from matplotlib.patches import Rectangle

    heat_map_colours = LinearSegmentedColormap.from_list("heat", palette.heat_map_shades, bad=palette.page)
    axes.set(xlim=(0, MAX_CELLS_PER_BAND), ylim=(len(players), 0))
    _add_players(axes, palette, players, tick_offset=0.5)
    experiment_labels = [_fit_name(experiment, MAX_EXPERIMENT_NAME_LENGTH) for _, _, experiment in column_band]
    axes.set_xticks([x + 0.6 for x, _, _ in column_band], experiment_labels, size=SMALL_FONT, color=palette.ink)
    axes.tick_params(axis="x", labelrotation=40, labelrotation_mode="xtick")
    for variant, x in {variant: x for x, variant, _ in reversed(column_band)}.items():
        axes.text(x + 0.04, -0.15, variant, size=SMALL_FONT, weight="bold")
    placed_rows = [
        (x, y, row_by_cell[player, variant, experiment].result_row)
        for x, variant, experiment in column_band
        for y, player in enumerate(players)
        if (player, variant, experiment) in row_by_cell
    ]
    x_positions, y_positions = np.array([x for x, _, _ in placed_rows]), np.array([y for _, y, _ in placed_rows])
    quality_values = np.array(
        [(row.quality.value, row.quality.low, row.quality.high) for _, _, row in placed_rows],
        float,
    )
    outlines = np.where(np.isnan(quality_values[:, 0]), 0.8, 0)
    colours = [to_hex(colour) for colour in heat_map_colours(quality_values[:, 0] / 100)]
    text_colours = [_choose_text_colour(colour) for colour in colours]
    cell_boxes = [Rectangle((x + 0.025, y + 0.03), 0.95, 0.94) for x, y, _ in placed_rows]
    axes.add_collection(PatchCollection(cell_boxes, facecolors=colours, edgecolors=palette.line, linewidths=outlines))
    interval_starts, interval_ends = x_positions + 0.1 + 0.8 * quality_values[:, 1:].T / 100
    axes.hlines(
        y_positions + 0.87,
        interval_starts,
        np.maximum(interval_ends, interval_starts + 0.04),
        color=text_colours,
        linewidth=1.2,
    )
    for (x, y, row), text_colour in zip(placed_rows, text_colours, strict=True):
        text_style = {"ha": "center", "va": "center_baseline", "color": text_colour, "in_layout": False}
        has_aborted = _has_aborted_episodes(row.played)
        axes.text(
            x + 0.5,
            y + (0.31 if has_aborted else 0.4),
            format_number(row.quality.value, ".0f"),
            text_style,
        )
        if has_aborted:
            axes.text(x + 0.5, y + 0.6, f"{row.played.value:.0f} %", text_style, size=TINY_FONT - 0.5)


def _choose_text_colour(colour: Any) -> str:
    """Return black or white, whichever has more contrast on a colour (WCAG's relative luminance)."""
    from matplotlib.colors import to_rgb

    channels = [level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4 for level in to_rgb(colour)]
    luminance = 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
    return "#14110e" if luminance > 0.179 else "#ffffff"


# ---------------------------------------------------------------------- leaderboard
def _draw_leaderboard_blocks(plot_rows: Sequence[LeaderboardRow], palette: FigurePalette) -> FigureDrawing:
    rows_by_board: dict[str, list[LeaderboardRow]] = {}
    for plot_row in plot_rows:
        if plot_row.n:
            rows_by_board.setdefault(plot_row.board, []).append(plot_row)
    caption_note = (
        "Crosses: 95 % intervals. n: episodes. Hollow: the player lacks games that others on the board have, "
        "so its means are over fewer games."
    )
    return caption_note, [_make_board_block(palette, board, plot_rows) for board, plot_rows in rows_by_board.items()]


def _make_board_block(palette: FigurePalette, board: str, board_rows: Sequence[LeaderboardRow]) -> Block:
    games_text = _wrap_text(
        f"Games: {', '.join(sorted({game for row in board_rows for game in (*row.games, *row.lacking)}))}"
    )
    names = [f"{row.player} ({', '.join(row.mixed_settings)})" for row in board_rows if row.mixed_settings]
    remark = _wrap_text(f"Episodes of different settings or versions together: {'; '.join(names)}.") if names else ""
    height = max(PLOT_HEIGHT, LABEL_HEIGHT * len(board_rows) + 30)

    def draw_board(subfigure: FigureBase) -> None:
        subfigure.suptitle(board, x=0, ha="left", size=HEADING_FONT, weight="bold")
        subfigure.supxlabel(remark, x=0, ha="left", size=SMALL_FONT, color=palette.secondary_ink)
        plot_axes, player_names_axes = subfigure.subplots(
            1, 2, sharey=True, width_ratios=(47, 40), gridspec_kw={"wspace": 0}
        )
        plot_axes.set_title(games_text, color=palette.secondary_ink, weight="normal")
        _draw_points(plot_axes, palette, board_rows)
        _draw_names(player_names_axes, plot_axes, palette, board_rows, 100 * LABEL_HEIGHT / height)

    return Block(height + 90 + LINE_HEIGHT * (games_text.count("\n") + remark.count("\n") + bool(remark)), draw_board)


def _draw_points(axes: Axes, palette: FigurePalette, board_rows: Sequence[LeaderboardRow]) -> None:
    import numpy as np

    axes.set(xlim=(0, 100), ylim=(0, 100), xlabel="% played", ylabel="quality")
    axes.grid()
    levels = np.linspace(0, 100, 51)
    contour_style: dict[str, Any] = {"colors": palette.secondary_ink, "linewidths": 0.7, "linestyles": "dotted"}
    contour_lines = axes.contour(levels, levels, np.outer(levels, levels) / 100, (20, 40, 60, 80), **contour_style)
    axes.clabel(contour_lines, fontsize=TINY_FONT)
    for board_row in board_rows:
        colour = palette.kinds[board_row.kind]
        x, y = board_row.played.value or 0.0, board_row.quality.value or 0.0
        axes.hlines(y, x, 100, color=palette.line, linewidth=0.8)
        axes.errorbar(
            x, y, xerr=_measure_error_bars([board_row.played]), yerr=_measure_error_bars([board_row.quality]),
            color=colour, fmt=SHAPE_BY_KIND[board_row.kind], markersize=7, markeredgewidth=1.4, elinewidth=1.1,
            capsize=0, markerfacecolor=palette.page if board_row.lacking else colour, clip_on=False,
        )  # fmt: skip


def _draw_names(
    axes: Axes, plot_axes: Axes, palette: FigurePalette, board_rows: Sequence[LeaderboardRow], gap: float
) -> None:
    """Write the names at the right of the plot, each as close to the height of its point as the others allow."""
    from matplotlib.patches import ConnectionPatch

    axes.set(xlim=(0, 1))
    axes.axis("off")
    axes.set_title("clemscore · episodes", loc="right", size=TINY_FONT, weight="normal", color=palette.secondary_ink)
    ordered_rows = sorted(board_rows, key=lambda board_row: (board_row.quality.value or 0.0, board_row.player))
    names = shorten_names([board_row.player for board_row in ordered_rows], 36)
    heights = [board_row.quality.value or 0.0 for board_row in ordered_rows]
    for board_row, height, y in zip(ordered_rows, heights, spread_positions(heights, gap, 0, 100), strict=True):
        connecting_line = ConnectionPatch(
            (100, height), (0.04, y), plot_axes.transData, axes.transData, color=palette.line, linewidth=0.8
        )
        connecting_line.set_in_layout(False)
        axes.add_artist(connecting_line)
        axes.plot(
            0.065,
            y,
            SHAPE_BY_KIND[board_row.kind],
            color=palette.kinds[board_row.kind],
            markersize=6,
            clip_on=False,
        )
        axes.text(
            0.09,
            y,
            names[board_row.player],
            size=SMALL_FONT,
            va="center_baseline",
            weight=_find_font_weight(board_row.kind),
        )
        coverage_text = (
            f" · {len(board_row.games)} of {len(board_row.games) + len(board_row.lacking)} games"
            if board_row.lacking
            else ""
        )
        score_text = f"{format_number(board_row.clemscore)} · {board_row.n:,}{coverage_text}"
        axes.text(1, y, score_text, size=TINY_FONT, ha="right", va="center_baseline", color=palette.secondary_ink)


def spread_positions(
    positions: Sequence[float], distance: float, lower_limit: float, upper_limit: float
) -> list[float]:
    """Return positions near these (ascending), at least `distance` apart, within limits that can hold them all.

    Neighbours that would overlap are moved as far up as down.
    """
    highest_start = upper_limit - distance * (len(positions) - 1)
    bottoms = [min(max(place - distance * index, lower_limit), highest_start) for index, place in enumerate(positions)]
    lowest_bases, highest_bases = (
        accumulate(bottoms, max),
        reversed([*accumulate(reversed(bottoms), min)]),
    )
    return [
        (top + base_position) / 2 + distance * index
        for index, (top, base_position) in enumerate(zip(lowest_bases, highest_bases, strict=True))
    ]


DRAWING_BY_FIGURE: dict[str, Callable[[Sequence[Any], FigurePalette], FigureDrawing]] = {
    "difficulty": _draw_difficulty_blocks,
    "modality": _draw_modality_blocks,
    "distance": _draw_distance_blocks,
    "heatmap": _draw_heatmap_blocks,
    "leaderboard": _draw_leaderboard_blocks,
}
