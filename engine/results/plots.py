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

from engine.core.colours import DARK_LOOK, LIGHT_LOOK, Look
from engine.core.patterns import compile_pattern
from engine.results.figures import (
    DistanceRow,
    ExperimentRow,
    FigureRow,
    LeaderboardRow,
    ModalityRow,
    count_left_out,
    find_figure,
    player_ranks,
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
PAGE_MARGIN, HEAD, LINE = 18, 74, 16
"""Pixels: around the figure; title, caption and what is left out; a line of small text."""

BIG_FONT, HEADING, PLAIN, SMALL, TINY = 13.5, 10.5, 9.0, 8.0, 7.0
"""Font sizes in points; at a text width of 6.5 inches they appear at 70 %."""

SHAPE_BY_KIND = {"person": "o", "model": "s", "program": "D", "published": "x"}
MAX_NAME = 34
"""Letters of a player's name."""
BAR_HEIGHT, LABEL_HEIGHT, PLOT_HEIGHT = 20, 19, 430
CELL_WIDTH, CELL_HEIGHT = 48, 35
BAND_CELLS = 12
"""Cells side by side in a heat map."""
MAX_LETTERS = 27
"""Letters of an experiment's name in a heat map."""
DIGIT_SPACE = "\N{FIGURE SPACE}"
"""As wide as a digit."""
INTERVALS_NOTE = (
    "95 % intervals (bootstrap over instances, Wilson if all have the same mean; of 8 or more people, over people and "
    "instances)."
)

_lock = threading.Lock()
"""matplotlib's settings are shared by all threads."""


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a figure: its height in pixels, and what draws it."""

    height: float
    draw: Callable[[FigureBase], None]


@dataclass(frozen=True, slots=True)
class FigurePage:
    """A figure as it is drawn: title, caption, blocks below each other, and a last line."""

    title: str
    caption: str
    footer: str
    blocks: Sequence[Block]


Players = Mapping[str, str]
"""Players with their kinds, in the order of their rows."""
Drawing = tuple[str, list[Block]]
"""What the caption of a figure adds, and its parts."""


def draw_figure(
    name: str, rows: Sequence[FigureRow], *, format: Literal["svg", "png"] = "svg", is_dark: bool = False
) -> bytes:
    """Return the figure of `figures.figure_rows`: SVG 900 px wide with text as text, or PNG with twice as many pixels.

    The same rows give the same bytes with the same release of matplotlib. `is_dark` is for a dark page.
    """
    figure = find_figure(name)
    palette = DARK_LOOK if is_dark else LIGHT_LOOK
    left_out = ", ".join(f"{count:,} {reason}" for reason, count in count_left_out(rows).items())
    with drawing_style(palette):
        note, blocks = DRAWING_BY_FIGURE[name](rows, palette)
        page = FigurePage(figure.title, f"{figure.caption}\n{note}", f"Left out: {left_out or 'nothing'}.", blocks)
        kinds = [kind for kind in SHAPE_BY_KIND if any(row.kind == kind for row in rows)]
        return draw_page(page, kinds, palette, format)


def draw_page(page: FigurePage, kinds: Sequence[str], palette: Look, format: Literal["svg", "png"]) -> bytes:
    """Return a page with a legend of these kinds of players. Call it within `drawing_style`."""
    from matplotlib.figure import Figure as Canvas
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    if format not in ("svg", "png"):
        raise ValueError(f"no format {format!r}; there are: svg, png")
    caption, footer = _wrap_text(page.caption), _wrap_text(page.footer)
    heights = [block.height for block in page.blocks]
    height = sum(heights) + HEAD + LINE * (1 + caption.count("\n") + footer.count("\n"))
    dpi = min(PNG_DPI, MAX_PNG_HEIGHT * PIXELS_PER_INCH / (height + 2 * PAGE_MARGIN)) if format == "png" else 72
    layout = ConstrainedLayoutEngine(h_pad=0.06)
    canvas = Canvas(
        figsize=((FIGURE_WIDTH - 2 * PAGE_MARGIN) / PIXELS_PER_INCH, height / PIXELS_PER_INCH), dpi=dpi, layout=layout
    )
    canvas.suptitle(page.title, x=0, ha="left", size=BIG_FONT, weight="bold")
    canvas.supxlabel(footer, x=0, ha="left", size=SMALL, color=palette.soft)
    corner: dict[str, Any] = {"loc": "upper right", "bbox_to_anchor": (1, 1), "bbox_transform": canvas.transFigure}
    canvas.legend(
        [_legend_mark(palette, kind) for kind in kinds], kinds, ncols=len(SHAPE_BY_KIND), borderaxespad=0, **corner
    )
    body: Any = canvas.subfigures()
    body.suptitle(caption, x=0, ha="left", size=SMALL, color=palette.soft, linespacing=1.4)
    parts = body.subfigures(len(page.blocks), squeeze=False, height_ratios=heights)
    for block, part in zip(page.blocks, parts, strict=True):
        block.draw(part[0])
    layout.execute(canvas)
    canvas.set_layout_engine(None)  # or savefig would draw everything once more to lay it out
    file = io.BytesIO()
    software = {"Date": None, "Creator": "Ludens"} if format == "svg" else {"Software": "Ludens"}
    outline = canvas.bbox_inches.padded(PAGE_MARGIN / PIXELS_PER_INCH)
    canvas.savefig(file, format=format, bbox_inches=outline, metadata={"Title": page.title} | software)
    return file.getvalue()


@contextmanager
def drawing_style(palette: Look) -> Iterator[None]:
    """Draw in the style of figures: one thread at a time, without matplotlib's warnings of missing glyphs."""
    from matplotlib import style

    with _lock, style.context(["default", _plot_style(palette)]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")  # the viewer of an SVG may have it
        yield


def _plot_style(palette: Look) -> dict[str, Any]:
    """Return matplotlib's settings: no frames, a pale grid behind the data, colours of the page."""
    ticks = {"major.size": 0, "labelsize": TINY, "labelcolor": palette.soft}
    return {
        "svg.fonttype": "none",
        "svg.hashsalt": "ludens",
        "text.parse_math": False,
        "text.color": palette.ink,
        "font.size": PLAIN,
        "figure.facecolor": palette.page,
        "savefig.dpi": "figure",
        "axes.facecolor": "none",
        "axes.labelcolor": palette.soft,
        "axes.labelsize": TINY,
        "axes.titlelocation": "left",
        "axes.titlesize": SMALL,
        "axes.titleweight": "bold",
        "axes.axisbelow": True,
        **{f"axes.spines.{side}": False for side in ("left", "right", "top", "bottom")},
        "grid.color": palette.line,
        "grid.linewidth": 0.7,
        **{f"{axis}tick.{key}": value for axis in "xy" for key, value in ticks.items()},
        "errorbar.capsize": 2.2,
        "legend.frameon": False,
        "legend.fontsize": SMALL,
        "legend.handletextpad": 0.3,
        "legend.columnspacing": 1.6,
    }


def _wrap_text(text: str) -> str:
    """Return small text in lines as wide as the figure."""
    return "\n".join(textwrap.fill(line, 155) for line in text.splitlines())


def _legend_mark(palette: Look, kind: str) -> Line2D:
    """Return the mark of a kind of player, for a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], color=palette.kinds[kind], marker=SHAPE_BY_KIND[kind], markersize=6, linestyle="none")


def _add_players(axes: Axes, palette: Look, players: Players, middle: float = 0.0) -> None:
    """Name players at the left of their rows, each with the mark of its kind, people in bold."""
    ticks = [index + middle for index in range(len(players))]
    axes.set_yticks(ticks, list(short(players, MAX_NAME).values()), size=SMALL)
    axes.spines.left.set_position(("outward", 6))
    axes.tick_params(axis="y", pad=7)
    for tick, kind in zip(axes.yaxis.get_major_ticks(), players.values(), strict=True):
        tick.tick1line.set(
            color=palette.kinds[kind], markeredgecolor=palette.kinds[kind], marker=SHAPE_BY_KIND[kind], markersize=6
        )
        tick.label1.set(color=palette.ink, weight=_font_weight(kind))


def _font_weight(kind: str) -> str:
    return "bold" if kind == "person" else "normal"


# ---------------------------------------------------------------------- names and numbers
def short(names: Iterable[str], width: int) -> dict[str, str]:
    """Return a different short name of at most `width` characters for each name.

    Dropped first are parameters (if the rest tells names apart), then what stands between provider and model, then the
    provider, then the middle.
    """
    unique_names = list(dict.fromkeys(names))
    bare_names = {name: compile_pattern(r"\?[^ ]*").substitute("", name) for name in unique_names}
    frequencies = Counter(bare_names.values())
    shortened_names: dict[str, str] = {}
    for name in unique_names:
        fitted_name = _fit_name(bare_names[name] if frequencies[bare_names[name]] == 1 else name, width)
        candidate, number = fitted_name, 2
        while candidate in shortened_names.values():
            candidate, number = f"{fitted_name[: width - 4]} ({number})", number + 1
        shortened_names[name] = candidate
    return shortened_names


def _fit_name(name: str, width: int) -> str:
    for pattern, replacement in ((r"/[^ ?]+/", "/…/"), (r"[^ ?]+/", "")):
        if len(name) > width:
            name = compile_pattern(pattern).substitute(replacement, name)
    if len(name) <= width:
        return name
    start = name.rfind(" (") if name.endswith(")") else -1
    is_plain = start >= 0 and not {"(", ")"} & set(name[start + 2 : -1])
    remark = name[start:] if is_plain and len(name) - start <= width // 2 else ""
    name, width = name.removesuffix(remark), width - len(remark)
    half_width = (width - 1) // 2
    return (name if len(name) <= width else f"{name[: width - 1 - half_width]}…{name[-half_width:]}") + remark


def format_value(value: float | None, form: str = "z.1f", width: int = 0) -> str:
    """Return a number as text; one of fewer than `width` digits begins with spaces."""
    text = "–" if value is None else f"{value:{form}}".replace("-", "−").replace("+0.0", "0.0")
    return text.rjust(width, DIGIT_SPACE)


def _players_by_rank(values: Iterable[tuple[FigureRow, float | None]]) -> Players:
    """Return the players of rows with their kinds, those with the best mean value first."""
    pairs = list(values)
    kinds = {row.player: row.kind for row, _ in pairs}
    rank = player_ranks((row.player, value) for row, value in pairs)
    return {player: kinds[player] for player in sorted(kinds, key=rank.__getitem__)}


def _format_counts(counts: Iterable[int]) -> str:
    """Return a number of episodes, or the range of several, as text."""
    ordered = sorted(counts)
    n = str(ordered[0]) if ordered[0] == ordered[-1] else f"{ordered[0]} to {ordered[-1]}"
    return f"n = {n} {'episode' if n == '1' else 'episodes'}"


def _has_aborted(played_share: Estimate) -> bool:
    return played_share.value not in (None, 100.0)


def _error_lengths(estimates: Iterable[Estimate]) -> Any:
    """Return how far intervals reach below and above their values: an array of two rows, for error bars."""
    import numpy as np

    value, low, high = np.array([(each.value, each.low, each.high) for each in estimates], float).reshape(-1, 3).T
    return np.maximum([value - low, high - value], 0)


# ---------------------------------------------------------------------- bars: one row per player, panels side by side
@dataclass(frozen=True, slots=True)
class PanelBar:
    """A bar with its interval, and what stands at its right."""

    estimate: Estimate
    label: str
    second_value: float | None = None
    """A second number, marked by a short line."""


Panels = dict[str, dict[str, PanelBar]]
"""Bars by the title of their panel and by player."""


def panels_block(
    palette: Look, players: Players, panels: Panels, limits: tuple[float, float], heading: str = "", remark: str = ""
) -> Block:
    """Return panels with a bar for each player, as many side by side as are legible."""
    players = {player: kind for player, kind in players.items() if any(player in bars for bars in panels.values())}
    max_columns = 5 if all(" " not in bar.label for bars in panels.values() for bar in bars.values()) else 4
    rows = math.ceil(len(panels) / max_columns)
    columns = math.ceil(len(panels) / rows)
    titles = short(panels, 90 // columns)
    height = 34 * bool(heading) + rows * (BAR_HEIGHT * len(players) + (44 if limits[0] == 0 else 58))

    def draw(part: FigureBase) -> None:
        if heading:
            part.suptitle(heading, x=0, ha="left", size=HEADING, weight="bold")
            part.text(1, 1 - 9 / height, remark, ha="right", va="top", size=SMALL, color=palette.soft)
        grid = part.subplots(rows, columns, squeeze=False)
        for axes in grid.flat[len(panels) :]:
            axes.remove()
        for number, (axes, (title, bars)) in enumerate(zip(grid.flat, panels.items(), strict=False)):
            axes.set_title(titles[title])
            _draw_bars(axes, palette, players, bars, limits)
            _add_players(axes, palette, players if number % columns == 0 else {})

    return Block(height, draw)


def _draw_bars(
    axes: Axes, palette: Look, players: Players, bars: Mapping[str, PanelBar], limits: tuple[float, float]
) -> None:
    low, high = limits
    ticks = (low, (low + high) / 2, high)
    axes.set(xlim=limits, ylim=(len(players) - 0.5, -0.5), xlabel="← pictures   text →" if low else "")
    axes.set_xticks(ticks, [format_value(tick, "g") for tick in ticks])
    axes.grid(axis="x")
    axes.axvline(0, color=palette.soft, linewidth=0.9, zorder=1.5)
    axes.hlines(range(0, len(players), 2), low, high, color=palette.band, linewidth=14, zorder=0)
    widest = max((bar.label for bar in bars.values()), key=len)
    for index, label in enumerate(bars[player].label if player in bars else "" for player in players):
        axes.text(high, index, DIGIT_SPACE + label, size=SMALL, va="center_baseline", in_layout=label == widest)
    valued = [
        (index, palette.kinds[kind], bars[player])
        for index, (player, kind) in enumerate(players.items())
        if player in bars and bars[player].estimate.value is not None
    ]
    if not valued:
        return
    indices, colours = [index for index, _, _ in valued], [colour for _, colour, _ in valued]
    values: list[Any] = [bar.estimate.value for _, _, bar in valued]
    axes.hlines(indices, 0, values, color=colours, linewidth=9, alpha=0.55)
    errors = _error_lengths(bar.estimate for _, _, bar in valued)
    axes.errorbar(values, indices, xerr=errors, fmt="none", ecolor=palette.ink, elinewidth=1, clip_on=False)
    seconds: list[Any] = [math.nan if bar.second_value is None else bar.second_value for _, _, bar in valued]
    axes.plot(seconds, indices, "|", color=palette.ink, markersize=12, markeredgewidth=1.8, clip_on=False)


def _draw_difficulty(rows: Sequence[ExperimentRow], palette: Look) -> Drawing:
    players = _players_by_rank((row, row.result.score_all.value) for row in rows)
    by_variant: dict[str, list[ExperimentRow]] = {}
    for row in rows:
        condition = row.result.condition
        by_variant.setdefault(f"{condition.game} / {condition.variant}", []).append(row)
    blocks = []
    for variant, variant_rows in by_variant.items():
        counts = [row.result.n for row in variant_rows]
        panels: Panels = {}
        for row in variant_rows:
            bar = _experiment_bar(row, has_remark=len(set(counts)) > 1)
            panels.setdefault(row.result.condition.experiment, {})[row.player] = bar
        blocks.append(panels_block(palette, players, panels, (0, 100), variant, f"{_format_counts(counts)} each"))
    has_aborted = any(_has_aborted(row.result.played) for row in rows)
    return f"Thin lines: {INTERVALS_NOTE}{' Thick stroke: with aborted episodes as 0.' * has_aborted}", blocks


def _experiment_bar(row: ExperimentRow, has_remark: bool) -> PanelBar:
    result = row.result
    label = "none played" if result.played.value == 0 else format_value(result.quality.value, width=5)
    second_value = result.score_all.value if _has_aborted(result.played) else None
    return PanelBar(result.quality, label + f"  n {result.n}" * has_remark, second_value)


def _draw_modality(rows: Sequence[ModalityRow], palette: Look) -> Drawing:
    ends = [abs(end or 0) for row in rows for end in (row.difference.low, row.difference.high)]
    limit = min(100, 25 * math.ceil(max(*ends, 1) / 25))
    panels: Panels = {}
    for row in rows:
        label = f"{format_value(row.difference.value, '+z.1f', 5)}  {row.text.n}+{row.picture.n}"
        panels.setdefault(row.game, {})[row.player] = PanelBar(row.difference, label)
    players = _players_by_rank((row, row.difference.value) for row in rows)
    note = (
        "To the right of 0: better in text. To the left: better in pictures. Thin lines: 95 % intervals. "
        "n: episodes in text + in pictures."
    )
    return note, [panels_block(palette, players, panels, (-limit, limit))]


# ---------------------------------------------------------------------- distance
def _draw_distance(rows: Sequence[DistanceRow], palette: Look) -> Drawing:
    by_player: dict[str, list[DistanceRow]] = {}
    for row in rows:
        by_player.setdefault(row.player, []).append(row)
    names = short(by_player, 27)
    distances = sorted({row.distance for row in rows})
    columns = max(2, min(4, len(by_player)))
    lines = math.ceil(len(by_player) / columns)

    def draw(part: FigureBase) -> None:
        curves: dict[str, Any] = {}
        grid = part.subplots(lines, columns, sharey=True, squeeze=False)
        for axes in grid.flat[len(by_player) :]:
            axes.remove()
        for axes, (player, player_rows) in zip(grid.flat, by_player.items(), strict=False):
            mark = _legend_mark(palette, player_rows[0].kind)
            font = {"size": SMALL, "weight": _font_weight(player_rows[0].kind)}
            axes.legend([mark], [names[player]], loc="lower left", bbox_to_anchor=(-0.08, 1), prop=font)
            axes.set_xlabel(f"{_format_counts(row.result.n for row in player_rows)} per point")
            axes.set_xticks(range(len(distances)), [f"{distance} moves" for distance in distances])
            axes.set(xlim=(-0.35, len(distances) - 0.65), ylim=(-4, 104), yticks=(0, 50, 100))
            axes.grid(axis="y")
            curves |= _draw_curves(axes, palette, player_rows, distances)
        part.legend(curves.values(), curves, loc="outside upper left", ncols=4, handlelength=3, handletextpad=0.8)

    return f"Vertical lines: of success, {INTERVALS_NOTE}", [Block(30 + 215 * lines, draw)]


def _draw_curves(axes: Axes, palette: Look, rows: Sequence[DistanceRow], distances: Sequence[str]) -> dict[str, Any]:
    """Draw success and % played in text and in pictures, and return the curves by their labels."""
    curves: dict[str, Any] = {}
    for modality, marker, shift in (("text", "o", -0.06), ("picture", "^", 0.06)):
        colour = palette.modalities[modality]
        points = [row for row in rows if row.modality == modality and row.result.n]
        if not points:
            continue
        xs = [distances.index(row.distance) + shift for row in points]
        success: list[Any] = [row.result.score_all.value for row in points]
        played: list[Any] = [row.result.played.value for row in points]
        pen: dict[str, Any] = {"color": colour, "marker": marker, "clip_on": False}
        errors = _error_lengths(row.result.score_all for row in points)
        curve = axes.errorbar(xs, success, yerr=errors, linewidth=2, markersize=6, elinewidth=1, zorder=3, **pen)
        pen |= {"linestyle": (0, (3, 2.4)), "markerfacecolor": palette.page}
        (dashed,) = axes.plot(xs, played, linewidth=1.1, markersize=4.5, **pen)
        curves |= {f"{modality}: found the room": curve, f"{modality}: not aborted": dashed}
    return curves


# ---------------------------------------------------------------------- heat map
Column = tuple[float, str, str]
"""Where a column of a band begins, in cells; its variant; its experiment."""
Cells = dict[tuple[str, str, str], ExperimentRow]
"""Rows by player, variant and experiment."""


def _draw_heatmap(rows: Sequence[ExperimentRow], palette: Look) -> Drawing:
    cells: Cells = {}
    experiments: dict[str, dict[str, None]] = {}
    for row in rows:
        condition = row.result.condition
        variant = f"{condition.game} / {condition.variant}"
        experiments.setdefault(variant, {})[condition.experiment] = None
        cells[row.player, variant, condition.experiment] = row
    ranked = _players_by_rank((row, row.result.score_all.value) for row in rows)
    bands = [
        (band, {name: kind for name, kind in ranked.items() if any((name, *column[1:]) in cells for column in band)})
        for band in _split_bands(experiments)
    ]

    def draw(part: FigureBase) -> None:
        heights = [len(players) for _, players in bands]
        grid = part.subplots(len(bands), squeeze=False, height_ratios=heights)
        for axes, (band, players) in zip(grid.flat, bands, strict=True):
            _draw_band(axes, palette, band, players, cells)

    letters = [min(MAX_LETTERS, max(len(experiment) for _, _, experiment in band)) for band, _ in bands]
    height = sum(CELL_HEIGHT * len(players) for _, players in bands) + sum(48 + 3.9 * most for most in letters)
    has_aborted = any(_has_aborted(row.result.played) for row in rows)
    note = (
        f"{'Darker' if palette is LIGHT_LOOK else 'Brighter'} is better. "
        f"{_format_counts(row.result.n for row in rows)} per "
        f"cell. {'%: played to the end, if some were aborted. ' * has_aborted}"
        "Line in a cell: 95 % interval, from 0 (left) to 100 (right)."
    )
    return note, [Block(height, draw)]


def _split_bands(experiments: Mapping[str, Iterable[str]]) -> list[list[Column]]:
    """Return the columns of variants in bands that fit the figure; a variant wider than the figure is cut."""
    bands: list[list[Column]] = []
    end: float = BAND_CELLS
    for variant, names in experiments.items():
        ordered = list(names)
        for part in (ordered[first : first + BAND_CELLS] for first in range(0, len(ordered), BAND_CELLS)):
            width = max(len(part), 7.2 * len(variant) / CELL_WIDTH)  # the heading is above the cells
            if end + width > BAND_CELLS:
                bands.append([])
                end = 0
            bands[-1] += [(end + number, variant, experiment) for number, experiment in enumerate(part)]
            end += width + 0.25
    return bands


def _draw_band(axes: Axes, palette: Look, band: Sequence[Column], players: Players, cells: Cells) -> None:
    import numpy as np
    from matplotlib.collections import PatchCollection
    from matplotlib.colors import LinearSegmentedColormap, to_hex
    from matplotlib.patches import Rectangle

    heat = LinearSegmentedColormap.from_list("heat", palette.heat, bad=palette.page)
    axes.set(xlim=(0, BAND_CELLS), ylim=(len(players), 0))
    _add_players(axes, palette, players, middle=0.5)
    labels = [_fit_name(experiment, MAX_LETTERS) for _, _, experiment in band]
    axes.set_xticks([x + 0.6 for x, _, _ in band], labels, size=SMALL, color=palette.ink)
    axes.tick_params(axis="x", labelrotation=40, labelrotation_mode="xtick")
    for variant, x in {variant: x for x, variant, _ in reversed(band)}.items():
        axes.text(x + 0.04, -0.15, variant, size=SMALL, weight="bold")
    placed = [
        (x, y, cells[player, variant, experiment].result)
        for x, variant, experiment in band
        for y, player in enumerate(players)
        if (player, variant, experiment) in cells
    ]
    xs, ys = np.array([x for x, _, _ in placed]), np.array([y for _, y, _ in placed])
    quality = np.array(
        [(result.quality.value, result.quality.low, result.quality.high) for _, _, result in placed], float
    )
    outlines = np.where(np.isnan(quality[:, 0]), 0.8, 0)
    colours = [to_hex(colour) for colour in heat(quality[:, 0] / 100)]
    inks = [_ink_on(colour) for colour in colours]
    boxes = [Rectangle((x + 0.025, y + 0.03), 0.95, 0.94) for x, y, _ in placed]
    axes.add_collection(PatchCollection(boxes, facecolors=colours, edgecolors=palette.line, linewidths=outlines))
    left, right = xs + 0.1 + 0.8 * quality[:, 1:].T / 100
    axes.hlines(ys + 0.87, left, np.maximum(right, left + 0.04), color=inks, linewidth=1.2)
    for (x, y, result), ink in zip(placed, inks, strict=True):
        style = {"ha": "center", "va": "center_baseline", "color": ink, "in_layout": False}
        has_aborted = _has_aborted(result.played)
        axes.text(x + 0.5, y + (0.31 if has_aborted else 0.4), format_value(result.quality.value, ".0f"), style)
        if has_aborted:
            axes.text(x + 0.5, y + 0.6, f"{result.played.value:.0f} %", style, size=TINY - 0.5)


def _ink_on(colour: Any) -> str:
    """Return black or white, whichever has more contrast on a colour (WCAG's relative luminance)."""
    from matplotlib.colors import to_rgb

    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#14110e" if luminance > 0.179 else "#ffffff"


# ---------------------------------------------------------------------- leaderboard
def _draw_leaderboard(rows: Sequence[LeaderboardRow], palette: Look) -> Drawing:
    boards: dict[str, list[LeaderboardRow]] = {}
    for row in rows:
        if row.n:
            boards.setdefault(row.board, []).append(row)
    note = (
        "Crosses: 95 % intervals. n: episodes. Hollow: the player lacks games that others on the board have, "
        "so its means are over fewer games."
    )
    return note, [_board_block(palette, board, rows) for board, rows in boards.items()]


def _board_block(palette: Look, board: str, rows: Sequence[LeaderboardRow]) -> Block:
    games = _wrap_text(f"Games: {', '.join(sorted({game for row in rows for game in (*row.games, *row.lacking)}))}")
    mixed = [f"{row.player} ({', '.join(row.mixed_settings)})" for row in rows if row.mixed_settings]
    remark = _wrap_text(f"Episodes of different settings or versions together: {'; '.join(mixed)}.") if mixed else ""
    height = max(PLOT_HEIGHT, LABEL_HEIGHT * len(rows) + 30)

    def draw(part: FigureBase) -> None:
        part.suptitle(board, x=0, ha="left", size=HEADING, weight="bold")
        part.supxlabel(remark, x=0, ha="left", size=SMALL, color=palette.soft)
        plot, names = part.subplots(1, 2, sharey=True, width_ratios=(47, 40), gridspec_kw={"wspace": 0})
        plot.set_title(games, color=palette.soft, weight="normal")
        _draw_points(plot, palette, rows)
        _draw_names(names, plot, palette, rows, 100 * LABEL_HEIGHT / height)

    return Block(height + 90 + LINE * (games.count("\n") + remark.count("\n") + bool(remark)), draw)


def _draw_points(axes: Axes, palette: Look, rows: Sequence[LeaderboardRow]) -> None:
    import numpy as np

    axes.set(xlim=(0, 100), ylim=(0, 100), xlabel="% played", ylabel="quality")
    axes.grid()
    scale = np.linspace(0, 100, 51)
    style: dict[str, Any] = {"colors": palette.soft, "linewidths": 0.7, "linestyles": "dotted"}
    lines = axes.contour(scale, scale, np.outer(scale, scale) / 100, (20, 40, 60, 80), **style)
    axes.clabel(lines, fontsize=TINY)
    for row in rows:
        colour = palette.kinds[row.kind]
        x, y = row.played.value or 0.0, row.quality.value or 0.0
        axes.hlines(y, x, 100, color=palette.line, linewidth=0.8)
        axes.errorbar(
            x, y, xerr=_error_lengths([row.played]), yerr=_error_lengths([row.quality]),
            color=colour, fmt=SHAPE_BY_KIND[row.kind], markersize=7, markeredgewidth=1.4, elinewidth=1.1, capsize=0,
            markerfacecolor=palette.page if row.lacking else colour, clip_on=False,
        )  # fmt: skip


def _draw_names(axes: Axes, plot: Axes, palette: Look, rows: Sequence[LeaderboardRow], distance: float) -> None:
    """Write the names at the right of the plot, each as close to the height of its point as the others allow."""
    from matplotlib.patches import ConnectionPatch

    axes.set(xlim=(0, 1))
    axes.axis("off")
    axes.set_title("clemscore · episodes", loc="right", size=TINY, weight="normal", color=palette.soft)
    ordered = sorted(rows, key=lambda row: (row.quality.value or 0.0, row.player))
    names = short([row.player for row in ordered], 36)
    heights = [row.quality.value or 0.0 for row in ordered]
    for row, height, y in zip(ordered, heights, spread(heights, distance, 0, 100), strict=True):
        line = ConnectionPatch(
            (100, height), (0.04, y), plot.transData, axes.transData, color=palette.line, linewidth=0.8
        )
        line.set_in_layout(False)
        axes.add_artist(line)
        axes.plot(0.065, y, SHAPE_BY_KIND[row.kind], color=palette.kinds[row.kind], markersize=6, clip_on=False)
        axes.text(0.09, y, names[row.player], size=SMALL, va="center_baseline", weight=_font_weight(row.kind))
        coverage = f" · {len(row.games)} of {len(row.games) + len(row.lacking)} games" if row.lacking else ""
        score = f"{format_value(row.clemscore)} · {row.n:,}{coverage}"
        axes.text(1, y, score, size=TINY, ha="right", va="center_baseline", color=palette.soft)


def spread(positions: Sequence[float], distance: float, lower_limit: float, upper_limit: float) -> list[float]:
    """Return positions near these (ascending), at least `distance` apart, within limits that can hold them all.

    Neighbours that would overlap are moved as far up as down.
    """
    top = upper_limit - distance * (len(positions) - 1)
    bottoms = [min(max(wish - distance * index, lower_limit), top) for index, wish in enumerate(positions)]
    highest, lowest = accumulate(bottoms, max), reversed([*accumulate(reversed(bottoms), min)])
    return [(a + b) / 2 + distance * index for index, (a, b) in enumerate(zip(highest, lowest, strict=True))]


DRAWING_BY_FIGURE: dict[str, Callable[[Sequence[Any], Look], Drawing]] = {
    "difficulty": _draw_difficulty,
    "modality": _draw_modality,
    "distance": _draw_distance,
    "heatmap": _draw_heatmap,
    "leaderboard": _draw_leaderboard,
}
