"""Draw figures from their rows, with matplotlib. `engine/results/figures.py` makes the rows; nothing is computed here.

Everything is placed in pixels from the top left of a page 900 wide, which grows downwards with its content. The kind of
a player is shown by colour and by shape, so that nobody has to tell colours apart.
"""

from __future__ import annotations

import io
import math
import re
import textwrap
import threading
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

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
    from matplotlib.figure import Figure as Canvas

WIDTH = 900
MARGIN = 20
INCH = 96
"""CSS pixels per inch: an SVG of 9.375 inches is 900 px wide on a page."""
PNG_DPI = 2 * INCH
MAX_PNG_HEIGHT = 65_000
"""Pixels; matplotlib draws no more."""

BIG, PLAIN, SMALL, TINY = 13.5, 9.0, 8.0, 7.0
"""Font sizes in points; at a text width of 6.5 inches they appear at 70 %."""

SHAPES = {"person": "o", "model": "s", "program": "D"}

_lock = threading.Lock()
"""matplotlib's settings are shared by all threads."""


@dataclass(frozen=True, slots=True)
class Look:
    """The colours of a page. Kinds are Okabe and Ito's orange and blue, and grey, with a contrast of 3:1 or more."""

    page: str
    ink: str
    soft: str
    """Of secondary text."""
    line: str
    band: str
    kinds: Mapping[str, str]
    text: str
    picture: str
    heat: tuple[str, ...]
    """From 0 to 100, each darker (on a dark page lighter) than the one before."""


LIGHT = Look(
    "#ffffff", "#24201c", "#62574a", "#ddd6c9", "#f6f2ea",
    {"person": "#d55e00", "model": "#0072b2", "program": "#7d766b"}, "#00785a", "#a8488a",
    ("#f4efe5", "#bcd4e2", "#5a9fc4", "#146a9c", "#0a3d5e"),
)  # fmt: skip
DARK = Look(
    "#24201c", "#f4efe5", "#b9ad9a", "#4a4238", "#2b2722",
    {"person": "#f0a04b", "model": "#56b4e9", "program": "#a99c87"}, "#3fc49a", "#e39acb",
    ("#332d27", "#274a5e", "#2f7ba3", "#63b1dc", "#c4e6f8"),
)  # fmt: skip


def draw_figure(
    name: str, rows: Sequence[FigureRow], *, format: Literal["svg", "png"] = "svg", dark: bool = False
) -> bytes:
    """Return the figure of `figures.figure_rows`: SVG 900 px wide with text as text, or PNG with twice as many pixels.

    The same rows give the same bytes with the same release of matplotlib. `dark` is for a dark page.
    """
    from matplotlib import style

    if format not in ("svg", "png"):
        raise ValueError(f"no format {format!r}; there are: svg, png")
    figure = find_figure(name)
    look = DARK if dark else LIGHT
    parameters: dict[str, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": "ludens",
        "text.parse_math": False,
        "axes.unicode_minus": True,
        "font.size": PLAIN,
        "text.color": look.ink,
    }
    with _lock, style.context(["default", parameters]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")  # the viewer of an SVG may have it
        sheet = _Sheet(look)
        kinds = sorted({row.kind for row in rows}, key=list(SHAPES).index)
        sheet.add_head(figure.title, figure.caption, kinds)
        DRAWINGS[name](sheet, rows)
        sheet.add_foot(rows)
        return sheet.render(figure.title, format)


# ---------------------------------------------------------------------- the page
@dataclass
class _Page:
    """A canvas on which things are placed in pixels from the top left."""

    canvas: Canvas
    height: float
    look: Look

    def add_axes(self, x: float, y: float, width: float, height: float) -> Axes:
        """Return bare axes at a position: no frame, no ticks."""
        bounds = (x / WIDTH, 1 - (y + height) / self.height, width / WIDTH, height / self.height)
        axes = self.canvas.add_axes(bounds)
        axes.set_facecolor("none")
        axes.tick_params(length=0, pad=3, labelsize=TINY, labelcolor=self.look.soft)
        for spine in axes.spines.values():
            spine.set_visible(False)
        return axes

    def write(self, x: float, y: float, text: str, **style: Any) -> None:
        """Write a line; `y` is its middle unless `va` says otherwise."""
        options: dict[str, Any] = {"va": "center_baseline", "size": PLAIN, "color": self.look.ink, **style}
        self.canvas.text(x / WIDTH, 1 - y / self.height, text, **options)

    def mark(self, x: float, y: float, kind: str, size: float = 6.0) -> None:
        """Draw the mark of a kind of player."""
        style = {"color": self.look.kinds[kind], "linestyle": "none", "markeredgewidth": 0}
        self.stroke([x], [y], marker=SHAPES[kind], markersize=size, **style)

    def write_player(self, x: float, y: float, name: str, kind: str) -> None:
        """Write a player's name after the mark of its kind, people in bold."""
        self.mark(x + 3, y, kind)
        self.write(x + 13, y, name, size=SMALL, weight="bold" if kind == "person" else "normal")

    def box(self, x: float, y: float, width: float, height: float, colour: str, edge: str = "none") -> None:
        """Draw a filled box behind everything else."""
        from matplotlib.patches import Rectangle

        corner = (x / WIDTH, 1 - (y + height) / self.height)
        size = (width / WIDTH, height / self.height)
        transform = self.canvas.transFigure
        self.canvas.add_artist(
            Rectangle(corner, *size, facecolor=colour, edgecolor=edge, linewidth=0.8, zorder=-5, transform=transform)
        )

    def stroke(self, xs: Sequence[float], ys: Sequence[float], **style: Any) -> None:
        """Draw a line through points."""
        from matplotlib.lines import Line2D

        across, down = [x / WIDTH for x in xs], [1 - y / self.height for y in ys]
        self.canvas.add_artist(Line2D(across, down, transform=self.canvas.transFigure, **style))


Drawer = Callable[[_Page, float], None]
"""Draws something with its top at a number of pixels."""


@dataclass
class _Sheet:
    """The blocks of a page from top to bottom. The height of the page is known once all are added."""

    look: Look
    blocks: list[tuple[float, Drawer]] = field(default_factory=list)

    def add(self, height: float, draw: Drawer) -> None:
        """Add a block of a height in pixels."""
        self.blocks.append((height, draw))

    def add_space(self, height: float) -> None:
        """Leave room."""
        self.add(height, lambda page, y: None)

    def add_head(self, title: str, caption: str, kinds: Sequence[str]) -> None:
        """Add title, caption and the marks of the kinds of players."""

        def draw(page: _Page, y: float) -> None:
            page.write(MARGIN, y + 24, title, size=BIG, weight="bold")
            x = WIDTH - MARGIN
            for kind in reversed(kinds):
                x -= 7 * len(kind)
                page.write(x, y + 24, kind, size=SMALL, color=self.look.soft)
                page.mark(x - 9, y + 24, kind)
                x -= 28

        self.add(42, draw)
        self.add_text(caption)

    def add_text(self, text: str, size: float = SMALL) -> None:
        """Add a paragraph of small print."""

        def draw(page: _Page, y: float, line: str) -> None:
            page.write(MARGIN, y + 8, line, size=size, color=self.look.soft)

        for line in textwrap.wrap(text, int(WIDTH * 1.42 / size)):
            self.add(16, partial(draw, line=line))

    def add_heading(self, text: str, remark: str = "") -> None:
        """Add a heading with a remark at the right."""

        def draw(page: _Page, y: float) -> None:
            page.write(MARGIN, y + 20, text, size=PLAIN + 1.5, weight="bold")
            if remark:
                page.write(WIDTH - MARGIN, y + 20, remark, size=SMALL, ha="right", color=page.look.soft)

        self.add(32, draw)

    def add_foot(self, rows: Sequence[FigureRow]) -> None:
        """Add what is left out."""
        counts = ", ".join(f"{count:,} {reason}" for reason, count in count_left_out(rows).items())
        self.add_space(8)
        self.add_text(f"Left out: {counts or 'nothing'}.")
        self.add_space(10)

    def render(self, title: str, format: str) -> bytes:
        """Return the page as a file."""
        from matplotlib.figure import Figure as Canvas

        height = math.ceil(sum(block_height for block_height, _ in self.blocks))
        canvas = Canvas(figsize=(WIDTH / INCH, height / INCH), facecolor=self.look.page)
        page = _Page(canvas, height, self.look)
        y = 0.0
        for block_height, draw in self.blocks:
            draw(page, y)
            y += block_height
        file = io.BytesIO()
        software = {"Date": None, "Creator": "Ludens"} if format == "svg" else {"Software": "Ludens"}
        dpi = min(PNG_DPI, MAX_PNG_HEIGHT * INCH / height) if format == "png" else 72
        canvas.savefig(file, format=format, dpi=dpi, metadata={"Title": title} | software)
        return file.getvalue()


# ---------------------------------------------------------------------- names and numbers
def short(names: Iterable[str], width: int) -> dict[str, str]:
    """Return a different short name of at most `width` characters for each name.

    Dropped first are parameters (if the rest tells names apart), then what stands between provider and model, then the
    provider, then the middle.
    """
    unique = list(dict.fromkeys(names))
    bare = {name: re.sub(r"\?[^ ]*", "", name) for name in unique}
    frequencies = Counter(bare.values())
    shortened: dict[str, str] = {}
    for name in unique:
        fitted = _fit_name(bare[name] if frequencies[bare[name]] == 1 else name, width)
        candidate, number = fitted, 2
        while candidate in shortened.values():
            candidate, number = f"{fitted[: width - 4]} ({number})", number + 1
        shortened[name] = candidate
    return shortened


def _fit_name(name: str, width: int) -> str:
    for pattern, replacement in ((r"(?<=/)[^ ?]+(?=/)", "…"), (r"[^ ?]+/", "")):
        if len(name) > width:
            name = re.sub(pattern, replacement, name)
    if len(name) <= width:
        return name
    match = re.search(r" \([^()]*\)$", name)
    remark = match[0] if match and len(match[0]) <= width // 2 else ""
    name, width = name.removesuffix(remark), width - len(remark)
    half = (width - 1) // 2
    return (name if len(name) <= width else f"{name[: width - 1 - half]}…{name[-half:]}") + remark


def _format_number(value: float | None, sign: str = "") -> str:
    if value is None:
        return "–"
    text = f"{value:{sign}.1f}"
    return {"100.0": "100", "-0.0": "0.0", "+0.0": "0.0"}.get(text, text).replace("-", "−")


def _format_whole(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}".replace("-", "−")


def _players_by_rank(values: Iterable[tuple[FigureRow, float | None]]) -> dict[str, str]:
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


def _has_aborted(played: Estimate) -> bool:
    return played.value not in (None, 100.0)


# ---------------------------------------------------------------------- bars: one row per player, panels side by side
@dataclass(frozen=True, slots=True)
class _Bar:
    estimate: Estimate
    kind: str
    label: str
    remark: str = ""
    second_value: float | None = None
    """A second number, marked by a short line."""


@dataclass(frozen=True, slots=True)
class _Panel:
    title: str
    bars: Mapping[str, _Bar]
    """By player."""


@dataclass(frozen=True, slots=True)
class _Scale:
    limits: tuple[float, float]
    ticks: Sequence[float]
    legend: str = ""


NAME_WIDTH = 236
"""Pixels for the names of players."""
BAR_HEIGHT = 20


def _add_panels(
    sheet: _Sheet, players: Mapping[str, str], panels: Sequence[_Panel], scale: _Scale, *, has_remarks: bool
) -> None:
    """Add panels with a bar for each player, as many side by side as are legible."""
    max_columns = 4 if has_remarks else 5
    columns = math.ceil(len(panels) / math.ceil(len(panels) / max_columns))
    pitch = (WIDTH - 2 * MARGIN - NAME_WIDTH) / columns
    names = short(players, 34)
    titles = short((panel.title for panel in panels), int(pitch / 7))

    def draw(page: _Page, y: float, panel_row: Sequence[_Panel], row_players: Mapping[str, str]) -> None:
        for index, (player, kind) in enumerate(row_players.items()):
            middle = y + 22 + BAR_HEIGHT * (index + 0.5)
            if index % 2 == 0:
                width = NAME_WIDTH + 8 + pitch * len(panel_row)
                page.box(MARGIN - 8, middle - BAR_HEIGHT / 2, width, BAR_HEIGHT, page.look.band)
            page.write_player(MARGIN, middle, names[player], kind)
        for number, panel in enumerate(panel_row):
            x = MARGIN + NAME_WIDTH + number * pitch
            page.write(x, y + 12, titles[panel.title], size=SMALL, weight="bold")
            _draw_panel(page, x, y + 22, pitch - (100 if has_remarks else 58), panel, list(row_players), scale)

    for first in range(0, len(panels), columns):
        panel_row = panels[first : first + columns]
        row_players = {
            player: kind for player, kind in players.items() if any(player in panel.bars for panel in panel_row)
        }
        height = 22 + BAR_HEIGHT * len(row_players) + 28 + (14 if scale.legend else 0)
        sheet.add(height, partial(draw, panel_row=panel_row, row_players=row_players))


def _draw_panel(
    page: _Page, x: float, y: float, width: float, panel: _Panel, players: Sequence[str], scale: _Scale
) -> None:
    height = BAR_HEIGHT * len(players)
    _draw_bars(page.look, page.add_axes(x, y, width, height), players, panel.bars, scale)
    for index, player in enumerate(players):
        if bar := panel.bars.get(player):
            middle = y + BAR_HEIGHT * (index + 0.5)
            page.write(x + width + 42, middle, bar.label, size=SMALL, ha="right")
            if bar.remark:
                page.write(x + width + 49, middle, bar.remark, size=TINY, color=page.look.soft)
    page.write(x + width / 2, y + height + 24, scale.legend, size=TINY, ha="center", color=page.look.soft)


def _draw_bars(look: Look, axes: Axes, players: Sequence[str], bars: Mapping[str, _Bar], scale: _Scale) -> None:
    axes.set_xlim(*scale.limits)
    axes.set_ylim(len(players) - 0.5, -0.5)
    axes.set_yticks([])
    axes.set_xticks(scale.ticks, [_format_whole(tick) for tick in scale.ticks])
    axes.grid(axis="x", color=look.line, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.axvline(0, color=look.soft, linewidth=0.9, zorder=1.5)
    placed = [(index, bars[player]) for index, player in enumerate(players) if player in bars]
    valued = [(index, bar) for index, bar in placed if bar.estimate.value is not None]
    colours = [look.kinds[bar.kind] for _, bar in valued]
    indices = [index for index, _ in valued]
    values: list[Any] = [bar.estimate.value for _, bar in valued]
    axes.barh(indices, values, height=0.6, color=colours, alpha=0.55, linewidth=0)
    lows: list[Any] = [bar.estimate.low for _, bar in valued]
    highs: list[Any] = [bar.estimate.high for _, bar in valued]
    axes.hlines(indices, lows, highs, color=look.ink, linewidth=1.0)
    for ends in (lows, highs):
        axes.plot(ends, indices, **CAP, color=look.ink)
    seconds = [(index, bar.second_value) for index, bar in valued if bar.second_value is not None]
    tops, bottoms = ([index + half for index, _ in seconds] for half in (-0.42, 0.42))
    axes.vlines([value for _, value in seconds], tops, bottoms, color=look.ink, linewidth=1.8)


CAP: dict[str, Any] = {"marker": "|", "markersize": 4.5, "linestyle": "none", "markeredgewidth": 1.0, "clip_on": False}


# ---------------------------------------------------------------------- difficulty
def _draw_difficulty(sheet: _Sheet, rows: Sequence[ExperimentRow]) -> None:
    has_aborted = any(_has_aborted(row.result.played) for row in rows)
    sheet.add_text(
        "Thin lines: 95 % intervals (bootstrap over instances; Wilson if all instances have the same mean)."
        + (" Thick stroke: with aborted episodes as 0." if has_aborted else "")
    )
    players = _players_by_rank((row, row.result.score_all.value) for row in rows)
    by_variant: dict[tuple[str, str], list[ExperimentRow]] = {}
    for row in rows:
        by_variant.setdefault((row.result.condition.game, row.result.condition.variant), []).append(row)
    for (game, variant), variant_rows in by_variant.items():
        counts = [row.result.n for row in variant_rows]
        has_remarks = len(set(counts)) > 1
        by_experiment: dict[str, dict[str, _Bar]] = {}
        for row in variant_rows:
            experiment_bars = by_experiment.setdefault(row.result.condition.experiment, {})
            experiment_bars[row.player] = _experiment_bar(row, has_remarks)
        panels = [_Panel(experiment, bars) for experiment, bars in by_experiment.items()]
        sheet.add_heading(f"{game} / {variant}", f"{_format_counts(counts)} each")
        _add_panels(sheet, players, panels, _Scale((0, 100), (0, 50, 100)), has_remarks=has_remarks)


def _experiment_bar(row: ExperimentRow, has_remark: bool) -> _Bar:
    result = row.result
    label = "none played" if result.played.value == 0 else _format_number(result.quality.value)
    second_value = result.score_all.value if _has_aborted(result.played) else None
    return _Bar(result.quality, row.kind, label, f"n {result.n}" if has_remark else "", second_value)


# ---------------------------------------------------------------------- modality
def _draw_modality(sheet: _Sheet, rows: Sequence[ModalityRow]) -> None:
    sheet.add_text(
        "To the right of 0: better in text. To the left: better in pictures. Thin lines: 95 % intervals. "
        "n: episodes in text + in pictures."
    )
    ends = [end for row in rows for end in (row.difference.low, row.difference.high)]
    limit = min(100, 25 * math.ceil(max(*(abs(end or 0) for end in ends), 1) / 25))
    games: dict[str, dict[str, _Bar]] = {}
    for row in rows:
        label, counts = _format_number(row.difference.value, "+"), f"{row.text.n}+{row.picture.n}"
        games.setdefault(row.game, {})[row.player] = _Bar(row.difference, row.kind, label, counts)
    panels = [_Panel(game, bars) for game, bars in games.items()]
    players = _players_by_rank((row, row.difference.value) for row in rows)
    scale = _Scale((-limit, limit), (-limit, 0, limit), "← pictures   text →")
    sheet.add_space(8)
    _add_panels(sheet, players, panels, scale, has_remarks=True)


# ---------------------------------------------------------------------- distance
def _draw_distance(sheet: _Sheet, rows: Sequence[DistanceRow]) -> None:
    sheet.add_text(
        "Vertical lines: 95 % intervals of success (bootstrap over instances; Wilson if all instances have the same "
        "mean)."
    )
    kinds = {row.player: row.kind for row in rows}
    labels = short(kinds, 27)
    modalities = sorted({row.modality for row in rows}, reverse=True)
    sheet.add(26, partial(_draw_distance_legend, modalities=modalities))
    columns = max(2, min(4, len(kinds)))
    pitch = (WIDTH - 2 * MARGIN) / columns
    players = list(kinds)
    distances = sorted({row.distance for row in rows})

    def draw(page: _Page, y: float, row_players: Sequence[str]) -> None:
        for number, player in enumerate(row_players):
            player_rows = [row for row in rows if row.player == player]
            x = MARGIN + number * pitch
            page.write_player(x, y + 12, labels[player], kinds[player])
            counts = _format_counts(row.result.n for row in player_rows)
            page.write(x + 13, y + 27, f"{counts} per point", size=TINY, color=page.look.soft)
            _draw_curves(page.look, page.add_axes(x + 28, y + 42, pitch - 48, 140), player_rows, distances)

    for first in range(0, len(players), columns):
        sheet.add(42 + 140 + 36, partial(draw, row_players=players[first : first + columns]))


def _draw_distance_legend(page: _Page, y: float, modalities: Sequence[str]) -> None:
    x = float(MARGIN)
    for modality in modalities:
        for measure, dashed in (("found the room", False), ("not aborted", True)):
            pen = _pen(page.look, modality, dashed=dashed)
            page.stroke([x, x + 15, x + 30], [y + 14] * 3, markevery=[1], **pen)
            label = f"{modality}: {measure}"
            page.write(x + 38, y + 14, label, size=SMALL, color=page.look.soft)
            x += 38 + 6.2 * len(label) + 18


def _modality_colour(look: Look, modality: str) -> str:
    return look.text if modality == "text" else look.picture


def _pen(look: Look, modality: str, *, dashed: bool) -> dict[str, Any]:
    colour = _modality_colour(look, modality)
    return {
        "color": colour,
        "linewidth": 1.1 if dashed else 2.0,
        "linestyle": (0, (3, 2.4)) if dashed else "-",
        "marker": "o" if modality == "text" else "^",
        "markersize": 4.5 if dashed else 6,
        "markerfacecolor": look.page if dashed else colour,
        "markeredgewidth": 1.0,
    }


def _draw_curves(look: Look, axes: Axes, rows: Sequence[DistanceRow], distances: Sequence[str]) -> None:
    axes.set_xlim(-0.35, len(distances) - 0.65)
    axes.set_ylim(-4, 104)
    axes.set_yticks((0, 50, 100))
    axes.set_xticks(range(len(distances)), [f"{distance} moves" for distance in distances])
    axes.grid(axis="y", color=look.line, linewidth=0.7)
    axes.set_axisbelow(True)
    for modality, shift in (("text", -0.06), ("picture", 0.06)):
        points = [row for row in rows if row.modality == modality and row.result.n]
        xs = [distances.index(row.distance) + shift for row in points]
        success: list[Any] = [row.result.score_all for row in points]
        played: list[Any] = [row.result.played.value for row in points]
        axes.plot(xs, played, zorder=2, clip_on=False, **_pen(look, modality, dashed=True))
        axes.plot(xs, [each.value for each in success], zorder=3, clip_on=False, **_pen(look, modality, dashed=False))
        colour = _modality_colour(look, modality)
        lows, highs = [each.low for each in success], [each.high for each in success]
        axes.vlines(xs, lows, highs, color=colour, linewidth=1, clip_on=False)
        for ends in (lows, highs):
            axes.plot(xs, ends, color=colour, **CAP | {"marker": "_"})


# ---------------------------------------------------------------------- heat map
CELL_WIDTH = 48
CELL_HEIGHT = 35
BAND_CELLS = (WIDTH - 2 * MARGIN - NAME_WIDTH) // CELL_WIDTH
MAX_LETTERS = 27
GAP = 0.25
"""Between variants, in cells."""

VariantKey = tuple[str, str]
"""Game and variant."""
Band = list[tuple[VariantKey, list[str]]]
"""Variants side by side, each with its experiments."""


def _draw_heatmap(sheet: _Sheet, rows: Sequence[ExperimentRow]) -> None:
    counts = _format_counts(row.result.n for row in rows)
    has_aborted = any(_has_aborted(row.result.played) for row in rows)
    sheet.add_text(
        f"{'Darker' if sheet.look is LIGHT else 'Brighter'} is better. {counts} per cell. "
        + ("%: played to the end, if some were aborted. " if has_aborted else "")
        + "Line in a cell: 95 % interval, from 0 (left) to 100 (right)."
    )
    experiments: dict[VariantKey, list[str]] = {}
    cells: dict[tuple[str, str, str, str], ExperimentRow] = {}
    for row in rows:
        condition = row.result.condition
        variant_experiments = experiments.setdefault((condition.game, condition.variant), [])
        if condition.experiment not in variant_experiments:
            variant_experiments.append(condition.experiment)
        cells[row.player, condition.game, condition.variant, condition.experiment] = row
    players = _players_by_rank((row, row.result.score_all.value) for row in rows)
    for band in _split_bands(experiments):
        columns = [(*key, experiment) for key, names in band for experiment in names]
        band_players = {
            player: kind for player, kind in players.items() if any((player, *column) in cells for column in columns)
        }
        head_height = 44 + 3.9 * min(MAX_LETTERS, max(len(column[2]) for column in columns))
        height = head_height + CELL_HEIGHT * len(band_players) + 6
        sheet.add(height, partial(_draw_band, players=band_players, band=band, cells=cells, head_height=head_height))


def _split_bands(experiments: Mapping[VariantKey, Sequence[str]]) -> list[Band]:
    """Return variants with their experiments in bands that fit the page; a variant wider than the page is cut."""
    bands: list[Band] = []
    free_cells = 0.0
    for key, names in experiments.items():
        for first in range(0, len(names), BAND_CELLS):
            part = list(names[first : first + BAND_CELLS])
            if _cells_needed(key, part) > free_cells:
                bands.append([])
                free_cells = BAND_CELLS
            bands[-1].append((key, part))
            free_cells -= _cells_needed(key, part) + GAP
    return bands


def _cells_needed(key: VariantKey, experiments: Sequence[str]) -> float:
    """Return how many cells a variant takes: one per experiment, or what its heading needs."""
    return max(len(experiments), min(BAND_CELLS, 7.2 * len(" / ".join(key)) / CELL_WIDTH))


def _draw_band(
    page: _Page,
    y: float,
    players: Mapping[str, str],
    band: Band,
    cells: Mapping[tuple[str, str, str, str], ExperimentRow],
    head_height: float,
) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    heat = LinearSegmentedColormap.from_list("heat", page.look.heat)
    names = short(players, 34)
    top = y + head_height
    for index, (player, kind) in enumerate(players.items()):
        page.write_player(MARGIN, top + CELL_HEIGHT * (index + 0.5), names[player], kind)
    x = float(MARGIN + NAME_WIDTH)
    for key, experiments in band:
        page.write(x + 2, y + 18, " / ".join(key), size=SMALL, weight="bold")
        for number, experiment in enumerate(experiments):
            left = x + CELL_WIDTH * number
            max_letters = (WIDTH - left - CELL_WIDTH / 2) / 4.8  # written at an angle
            style = {"rotation": 40, "rotation_mode": "anchor", "va": "baseline"}
            label = _fit_name(experiment, min(MAX_LETTERS, int(max_letters)))
            page.write(left + CELL_WIDTH / 2 - 3, top - 7, label, size=SMALL, **style)
            for index, player in enumerate(players):
                if row := cells.get((player, *key, experiment)):
                    _draw_cell(page, left, top + CELL_HEIGHT * index, row, heat)
        x += CELL_WIDTH * (_cells_needed(key, experiments) + GAP)


def _draw_cell(page: _Page, x: float, y: float, row: ExperimentRow, heat: Any) -> None:
    from matplotlib.colors import to_hex

    quality, played = row.result.quality, row.result.played
    colour = "none" if quality.value is None else to_hex(heat(quality.value / 100))
    edge = page.look.line if quality.value is None else "none"
    page.box(x + 1, y + 1, CELL_WIDTH - 2, CELL_HEIGHT - 2, colour, edge)
    ink = page.look.soft if quality.value is None else _ink_on(colour)
    has_aborted = _has_aborted(played)
    middle = x + CELL_WIDTH / 2
    page.write(middle, y + (11 if has_aborted else 14), _format_whole(quality.value), ha="center", color=ink)
    if has_aborted:
        page.write(middle, y + 21, f"{played.value:.0f} %", size=TINY - 0.5, ha="center", color=ink)
    if quality.low is not None and quality.high is not None:
        left, right = (x + 5 + (CELL_WIDTH - 10) * end / 100 for end in (quality.low, quality.high))
        ys = [y + CELL_HEIGHT - 4.5] * 2
        page.stroke([left, max(right, left + 2)], ys, color=ink, linewidth=1.2, solid_capstyle="butt")


def _ink_on(colour: str) -> str:
    """Return black or white, whichever has more contrast on a colour (WCAG's relative luminance)."""
    parts = [int(colour[first : first + 2], 16) / 255 for first in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#14110e" if luminance > 0.179 else "#ffffff"


# ---------------------------------------------------------------------- leaderboard
PLOT_WIDTH = 430
PLOT_LEFT = MARGIN + 34
LABEL_HEIGHT = 19


def _draw_leaderboard(sheet: _Sheet, rows: Sequence[LeaderboardRow]) -> None:
    sheet.add_text(
        "Crosses: 95 % intervals. n: episodes. Hollow: the player lacks games that others on the board have, "
        "so its means are over fewer games."
    )
    boards: dict[str, list[LeaderboardRow]] = {}
    for row in rows:
        boards.setdefault(row.board, []).append(row)
    for board, board_rows in boards.items():
        games = sorted({game for row in board_rows for game in (*row.games, *row.lacking)})
        placed = [row for row in board_rows if row.n]
        if not placed:
            continue
        sheet.add_heading(board)
        sheet.add_text(f"Games: {', '.join(games)}")
        height = max(PLOT_WIDTH, LABEL_HEIGHT * len(placed) + 30)
        sheet.add(height + 62, partial(_draw_board, rows=placed, height=height))
        mixed = [f"{row.player} ({', '.join(row.mixed_settings)})" for row in placed if row.mixed_settings]
        if mixed:
            sheet.add_text(f"Episodes of different settings or versions together: {'; '.join(mixed)}.")


def _draw_board(page: _Page, y: float, rows: Sequence[LeaderboardRow], height: float) -> None:
    look = page.look
    axes = page.add_axes(PLOT_LEFT, y + 12, PLOT_WIDTH, height)
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 100)
    axes.set_xticks(range(0, 101, 20))
    axes.set_yticks(range(0, 101, 20))
    axes.grid(color=look.line, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("% played", color=look.soft, size=SMALL)
    axes.set_ylabel("quality", color=look.soft, size=SMALL)
    for level in (20, 40, 60, 80):
        xs = [level + step * (100 - level) / 60 for step in range(61)]
        axes.plot(xs, [100 * level / x for x in xs], color=look.soft, linewidth=0.7, linestyle=(0, (1, 2)), zorder=1)
        axes.text(level + 0.6, 98.6, str(level), size=TINY, color=look.soft, va="top")
    for row in rows:
        _draw_point(axes, row, look)
    _draw_labels(page, rows, y + 12, height)


def _draw_point(axes: Axes, row: LeaderboardRow, look: Look) -> None:
    colour = look.kinds[row.kind]
    played: Any = row.played
    x, y = played.value, row.quality.value or 0.0
    whisker: dict[str, Any] = {"color": colour, "linewidth": 1.1, "alpha": 0.75, "zorder": 3, "clip_on": False}
    axes.plot([played.low, played.high], [y, y], **whisker)
    if row.quality.low is not None and row.quality.high is not None:
        axes.plot([x, x], [row.quality.low, row.quality.high], **whisker)
    axes.plot(
        x, y, marker=SHAPES[row.kind], markersize=7, color=colour, zorder=4, clip_on=False, markeredgewidth=1.4,
        markerfacecolor=look.page if row.lacking else colour, markeredgecolor=colour,
    )  # fmt: skip


def _draw_labels(page: _Page, rows: Sequence[LeaderboardRow], top: float, height: float) -> None:
    """Write the names to the right of the plot, each as close to the height of its point as the others allow."""
    names = short([row.player for row in rows], 36)
    ordered = sorted(rows, key=lambda row: (-(row.quality.value or 0.0), row.player))
    heights = [top + height * (1 - (row.quality.value or 0.0) / 100) for row in ordered]
    right = PLOT_LEFT + PLOT_WIDTH
    page.write(WIDTH - MARGIN, top - 16, "clemscore · episodes", size=TINY, ha="right", color=page.look.soft)
    for row, wish, y in zip(ordered, heights, spread(heights, LABEL_HEIGHT, top, top + height), strict=True):
        point = PLOT_LEFT + PLOT_WIDTH * (row.played.value or 0.0) / 100
        page.stroke(
            [point + 6, right + 12, right + 30], [wish, wish, y], color=page.look.line, linewidth=0.8, zorder=-1
        )
        page.write_player(right + 34, y, names[row.player], row.kind)
        coverage = f" · {len(row.games)} of {len(row.games) + len(row.lacking)} games" if row.lacking else ""
        score = f"{_format_number(row.clemscore)} · {row.n:,}{coverage}"
        page.write(WIDTH - MARGIN, y, score, size=TINY, ha="right", color=page.look.soft)


def spread(wishes: Sequence[float], distance: float, low: float, high: float) -> list[float]:
    """Return positions near the wishes (ascending), at least `distance` apart, within bounds that can hold them all.

    Neighbours that would overlap are moved together around the middle of their wishes.
    """
    groups: list[list[float]] = []
    for wish in wishes:
        groups.append([wish])
        while len(groups) > 1:
            end = _group_start(groups[-2], distance, low, high) + len(groups[-2]) * distance
            if end <= _group_start(groups[-1], distance, low, high):
                break
            last = groups.pop()
            groups[-1] += last
    return [
        _group_start(group, distance, low, high) + number * distance for group in groups for number in range(len(group))
    ]


def _group_start(wishes: Sequence[float], distance: float, low: float, high: float) -> float:
    middle = sum(wishes) / len(wishes)
    start = middle - distance * (len(wishes) - 1) / 2
    return max(low, min(start, high - distance * (len(wishes) - 1)))


DRAWINGS: dict[str, Callable[[_Sheet, Sequence[Any]], None]] = {
    "difficulty": _draw_difficulty,
    "modality": _draw_modality,
    "distance": _draw_distance,
    "heatmap": _draw_heatmap,
    "leaderboard": _draw_leaderboard,
}
