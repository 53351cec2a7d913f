"""Draw figures from their rows, with matplotlib. It computes nothing; `engine/results/figures.py` makes the rows.

Everything is placed in pixels of a page 900 wide, from the top left; the page grows downwards with what stands on it.
A player's kind is told by colour and by shape, so that neither eyes nor printers need to tell colours apart.
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
from typing import TYPE_CHECKING, Any

from engine.core.events import Json
from engine.results.exclusion import EXCLUSION_REASONS
from engine.results.figures import player_ranks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

    from engine.results.figures import Figure

WIDTH = 900
EDGE = 20
INCH = 96
"""CSS pixels an inch: an SVG of 9.375 inches is 900 px wide on a page."""
PNG_DPI = 2 * INCH
MOST = 65_000
"""Pixels that a PNG may be high; matplotlib draws no more."""

BIG, PLAIN, SMALL, TINY = 13.5, 9.0, 8.0, 7.0
"""Points. At a text width of 6.5 inches, seven tenths of that."""

SHAPES = {"person": "o", "model": "s", "program": "D"}

_lock = threading.Lock()
"""matplotlib's settings are one for all threads."""


@dataclass(frozen=True, slots=True)
class Look:
    """The colours of a page. Kinds: Okabe and Ito's blue and orange, and grey; 3:1 and more against the page."""

    page: str
    ink: str
    soft: str
    """Of what is said beside."""
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


def draw(name: str, figure: Figure, made: Sequence[Json], format: str, dark: bool) -> bytes:
    """Return a figure of its rows as SVG or PNG, the same bytes for the same rows."""
    from matplotlib import style

    if format not in ("svg", "png"):
        raise ValueError(f"no format {format!r}; there are: svg, png")
    look = DARK if dark else LIGHT
    ours: dict[str, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": "ludens",
        "text.parse_math": False,
        "axes.unicode_minus": True,
        "font.size": PLAIN,
        "text.color": look.ink,
    }
    with _lock, style.context(["default", ours]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")  # an SVG's reader may have it
        sheet = _Sheet(look)
        sheet.head(figure.title, figure.says, sorted({row["kind"] for row in made}, key=list(SHAPES).index))
        DRAWN[name](sheet, made)
        sheet.foot(made)
        return sheet.bytes(figure.title, format)


# ---------------------------------------------------------------------- the page
@dataclass
class _Page:
    """A canvas on which things are placed in pixels from the top left."""

    canvas: Canvas
    height: float
    look: Look

    def axes(self, x: float, y: float, width: float, height: float) -> Axes:
        """Return bare axes at a place: no frame, no ticks."""
        place = (x / WIDTH, 1 - (y + height) / self.height, width / WIDTH, height / self.height)
        made = self.canvas.add_axes(place)
        made.set_facecolor("none")
        made.tick_params(length=0, pad=3, labelsize=TINY, labelcolor=self.look.soft)
        for spine in made.spines.values():
            spine.set_visible(False)
        return made

    def text(self, x: float, y: float, said: str, **how: Any) -> None:
        """Write a line; `y` is its middle unless `va` says otherwise."""
        given: dict[str, Any] = {"va": "center_baseline", "size": PLAIN, "color": self.look.ink, **how}
        self.canvas.text(x / WIDTH, 1 - y / self.height, said, **given)

    def mark(self, x: float, y: float, kind: str, size: float = 6.0) -> None:
        """Place the mark of a kind of player."""
        how = {"color": self.look.kinds[kind], "linestyle": "none", "markeredgewidth": 0}
        self.stroke([x], [y], marker=SHAPES[kind], markersize=size, **how)

    def player(self, x: float, y: float, said: str, kind: str) -> None:
        """Write a player's name behind the mark of its kind; people stand out."""
        self.mark(x + 3, y, kind)
        self.text(x + 13, y, said, size=SMALL, weight="bold" if kind == "person" else "normal")

    def box(self, x: float, y: float, width: float, height: float, colour: str, edge: str = "none") -> None:
        """Lay a filled box behind what stands there."""
        from matplotlib.patches import Rectangle

        corner = (x / WIDTH, 1 - (y + height) / self.height)
        size = (width / WIDTH, height / self.height)
        where = self.canvas.transFigure
        self.canvas.add_artist(
            Rectangle(corner, *size, facecolor=colour, edgecolor=edge, linewidth=0.8, zorder=-5, transform=where)
        )

    def stroke(self, xs: Sequence[float], ys: Sequence[float], **how: Any) -> None:
        """Draw a line through places."""
        from matplotlib.lines import Line2D

        across, down = [x / WIDTH for x in xs], [1 - y / self.height for y in ys]
        self.canvas.add_artist(Line2D(across, down, transform=self.canvas.transFigure, **how))


Put = Callable[[_Page, float], None]
"""Places something, with its top at so many pixels."""


@dataclass
class _Sheet:
    """What is to stand on the page, one under the other; only then is its height known."""

    look: Look
    parts: list[tuple[float, Put]] = field(default_factory=list)

    def add(self, height: float, put: Put) -> None:
        """Add what takes so many pixels."""
        self.parts.append((height, put))

    def space(self, height: float) -> None:
        """Leave room."""
        self.add(height, lambda page, y: None)

    def head(self, title: str, says: str, kinds: Sequence[str]) -> None:
        """Add title, sentence and the marks of the kinds of players."""

        def put(page: _Page, y: float) -> None:
            page.text(EDGE, y + 24, title, size=BIG, weight="bold")
            x = WIDTH - EDGE
            for kind in reversed(kinds):
                x -= 7 * len(kind)
                page.text(x, y + 24, kind, size=SMALL, color=self.look.soft)
                page.mark(x - 9, y + 24, kind)
                x -= 28

        self.add(42, put)
        self.lines(says)

    def lines(self, said: str, size: float = SMALL) -> None:
        """Add a paragraph of small print."""

        def put(page: _Page, y: float, line: str) -> None:
            page.text(EDGE, y + 8, line, size=size, color=self.look.soft)

        for line in textwrap.wrap(said, int(WIDTH * 1.42 / size)):
            self.add(16, partial(put, line=line))

    def foot(self, made: Sequence[Json]) -> None:
        """Say what was left out."""
        left = {reason: sum(row.get(reason, 0) for row in made) for reason in (*EXCLUSION_REASONS, "missing")}
        told = ", ".join(f"{n:,} {reason}" for reason, n in left.items() if n)
        self.space(8)
        self.lines(f"Left out: {told or 'nothing'}.")
        self.space(10)

    def bytes(self, title: str, format: str) -> bytes:
        """Draw it all."""
        from matplotlib.figure import Figure as Canvas

        height = math.ceil(sum(tall for tall, _ in self.parts))
        canvas = Canvas(figsize=(WIDTH / INCH, height / INCH), facecolor=self.look.page)
        page = _Page(canvas, height, self.look)
        y = 0.0
        for tall, put in self.parts:
            put(page, y)
            y += tall
        file = io.BytesIO()
        told = {"Title": title} | ({"Date": None, "Creator": "Ludens"} if format == "svg" else {"Software": "Ludens"})
        dpi = min(PNG_DPI, MOST * INCH / height) if format == "png" else 72
        canvas.savefig(file, format=format, dpi=dpi, metadata=told)
        return file.getvalue()


# ---------------------------------------------------------------------- names
def short(names: Iterable[str], width: int) -> dict[str, str]:
    """Return names of at most `width` characters, still different.

    What goes first are parameters (where the rest tells names apart), then what stands between provider and model, then
    the provider, then the middle.
    """
    wanted = list(dict.fromkeys(names))
    bare = {name: re.sub(r"\?[^ ]*", "", name) for name in wanted}
    often = Counter(bare.values())
    made: dict[str, str] = {}
    for name in wanted:
        plain = _fitted(bare[name] if often[bare[name]] == 1 else name, width)
        said, number = plain, 2
        while said in made.values():
            said, number = f"{plain[: width - 4]} ({number})", number + 1
        made[name] = said
    return made


def _fitted(name: str, width: int) -> str:
    for pattern, instead in ((r"(?<=/)[^ ?]+(?=/)", "…"), (r"[^ ?]+/", "")):
        if len(name) > width:
            name = re.sub(pattern, instead, name)
    if len(name) <= width:
        return name
    found = re.search(r" \([^()]*\)$", name)
    remark = found[0] if found and len(found[0]) <= width // 2 else ""
    name, width = name.removesuffix(remark), width - len(remark)
    half = (width - 1) // 2
    return (name if len(name) <= width else f"{name[: width - 1 - half]}…{name[-half:]}") + remark


def _number(value: float | None, sign: str = "") -> str:
    if value is None:
        return "–"
    said = f"{value:{sign}.1f}"
    return {"100.0": "100", "-0.0": "0.0", "+0.0": "0.0"}.get(said, said).replace("-", "−")


def _players(made: Sequence[Json], number: str | None = None) -> dict[str, str]:
    """Return the players of rows with their kinds, by their rank in a number; in the order of the rows without one."""
    kinds = {row["player"]: row["kind"] for row in made}
    rank = player_ranks(made, number) if number else {}
    return {player: kinds[player] for player in sorted(kinds, key=rank.__getitem__)} if number else kinds


def _episodes(values: Iterable[int]) -> str:
    """Say how many episodes, or from how many to how many."""
    found = sorted(values)
    n = str(found[0]) if found[0] == found[-1] else f"{found[0]} to {found[-1]}"
    return f"n = {n} {'episode' if n == '1' else 'episodes'}"


# ---------------------------------------------------------------------- bars: a row a player, panels side by side
@dataclass(frozen=True, slots=True)
class _Bar:
    value: float | None
    low: Any
    high: Any
    kind: str
    said: str
    beside: str = ""
    also: float | None = None
    """A second number, marked by a short line."""


@dataclass(frozen=True, slots=True)
class _Panel:
    title: str
    bars: Mapping[str, _Bar]
    """By player."""


NAMES = 236
"""Pixels for the names of players."""
ROW = 20


def _panels(
    sheet: _Sheet,
    players: Mapping[str, str],
    panels: Sequence[_Panel],
    limits: tuple[float, float],
    ticks: Sequence[float],
    beside: bool,
    below: str = "",
) -> None:
    """Add panels with a bar for each player, as many side by side as can be read."""
    most = 4 if beside else 5
    across = math.ceil(len(panels) / math.ceil(len(panels) / most))
    pitch = (WIDTH - 2 * EDGE - NAMES) / across
    said = short(players, 34)
    titles = short((panel.title for panel in panels), int(pitch / 7))

    def put(page: _Page, y: float, row: Sequence[_Panel], here: Mapping[str, str]) -> None:
        tall = ROW * len(here)
        for place, (player, kind) in enumerate(here.items()):
            middle = y + 22 + ROW * (place + 0.5)
            if place % 2 == 0:
                page.box(EDGE - 8, middle - ROW / 2, NAMES + 8 + pitch * len(row), ROW, page.look.band)
            page.player(EDGE, middle, said[player], kind)
        for number, panel in enumerate(row):
            x = EDGE + NAMES + number * pitch
            page.text(x, y + 12, titles[panel.title], size=SMALL, weight="bold")
            wide = pitch - (100 if beside else 58)
            _bars(page, page.axes(x, y + 22, wide, tall), list(here), panel.bars, limits, ticks)
            for place, player in enumerate(here):
                if bar := panel.bars.get(player):
                    middle = y + 22 + ROW * (place + 0.5)
                    page.text(x + wide + 42, middle, bar.said, size=SMALL, ha="right")
                    if beside:
                        page.text(x + wide + 49, middle, bar.beside, size=TINY, color=page.look.soft)
            page.text(x + wide / 2, y + 22 + tall + 24, below, size=TINY, ha="center", color=page.look.soft)

    for at in range(0, len(panels), across):
        row = panels[at : at + across]
        here = {player: kind for player, kind in players.items() if any(player in panel.bars for panel in row)}
        sheet.add(22 + ROW * len(here) + 28 + (14 if below else 0), partial(put, row=row, here=here))


def _bars(
    page: _Page,
    axes: Axes,
    players: Sequence[str],
    bars: Mapping[str, _Bar],
    limits: tuple[float, float],
    ticks: Sequence[float],
) -> None:
    look = page.look
    axes.set_xlim(*limits)
    axes.set_ylim(len(players) - 0.5, -0.5)
    axes.set_yticks([])
    axes.set_xticks(ticks, [_whole(tick) for tick in ticks])
    axes.grid(axis="x", color=look.line, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.axvline(0, color=look.soft, linewidth=0.9, zorder=1.5)
    drawn = [(place, bars[player]) for place, player in enumerate(players) if player in bars]
    valued = [(place, bar, bar.value) for place, bar in drawn if bar.value is not None]
    colours = [look.kinds[bar.kind] for _, bar, _ in valued]
    places = [place for place, *_ in valued]
    axes.barh(places, [value for *_, value in valued], height=0.6, color=colours, alpha=0.55, linewidth=0)
    lows, highs = [bar.low for _, bar, _ in valued], [bar.high for _, bar, _ in valued]
    axes.hlines(places, lows, highs, color=look.ink, linewidth=1.0)
    for ends in (lows, highs):
        axes.plot(ends, places, **CAP, color=look.ink)
    also = [(place, bar.also) for place, bar, _ in valued if bar.also is not None]
    tops, bottoms = ([place + half for place, _ in also] for half in (-0.42, 0.42))
    axes.vlines([at for _, at in also], tops, bottoms, color=look.ink, linewidth=1.8)


CAP: dict[str, Any] = {"marker": "|", "markersize": 4.5, "linestyle": "none", "markeredgewidth": 1.0, "clip_on": False}


def _whole(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}".replace("-", "−")


def _heading(sheet: _Sheet, said: str, beside: str = "") -> None:
    def put(page: _Page, y: float) -> None:
        page.text(EDGE, y + 20, said, size=PLAIN + 1.5, weight="bold")
        if beside:
            page.text(WIDTH - EDGE, y + 20, beside, size=SMALL, ha="right", color=page.look.soft)

    sheet.add(32, put)


# ---------------------------------------------------------------------- difficulty
def _difficulty(sheet: _Sheet, made: Sequence[Json]) -> None:
    aborted = any(row["played"] not in (None, 100) for row in made)
    sheet.lines(
        "Thin lines: 95 % intervals (bootstrap over instances; Wilson where all are alike)."
        + (" Thick stroke: with aborted episodes as 0." if aborted else "")
    )
    places: dict[tuple[str, str], list[Json]] = {}
    for row in made:
        places.setdefault((row["game"], row["variant"]), []).append(row)
    for (game, variant), found in places.items():
        by_experiment: dict[str, dict[str, _Bar]] = {}
        for row in found:
            also = row["score_all"] if row["played"] not in (None, 100.0) else None
            by_experiment.setdefault(row["experiment"], {})[row["player"]] = _Bar(
                row["quality"], row["quality_low"], row["quality_high"], row["kind"],
                "none played" if row["played"] == 0 else _number(row["quality"]), f"n {row['n']}", also,
            )  # fmt: skip
        panels = [_Panel(experiment, bars) for experiment, bars in by_experiment.items()]
        _heading(sheet, f"{game} / {variant}", f"{_episodes(row['n'] for row in found)} each")
        _panels(
            sheet, _players(made, "score_all"), panels, (0, 100), (0, 50, 100), len({row["n"] for row in found}) > 1
        )


# ---------------------------------------------------------------------- modality
def _modality(sheet: _Sheet, made: Sequence[Json]) -> None:
    sheet.lines(
        "To the right of 0: better in text. To the left: better in pictures. Thin lines: 95 % intervals. "
        "n: episodes in text + in pictures."
    )
    reach = max(abs(row[end] or 0) for row in made for end in ("difference_low", "difference_high"))
    limit = min(100, 25 * math.ceil(max(reach, 1) / 25))
    games: dict[str, dict[str, _Bar]] = {}
    for row in made:
        games.setdefault(row["game"], {})[row["player"]] = _Bar(
            row["difference"], row["difference_low"], row["difference_high"], row["kind"],
            _number(row["difference"], "+"), f"{row['text_n']}+{row['picture_n']}",
        )  # fmt: skip
    panels = [_Panel(game, bars) for game, bars in games.items()]
    sheet.space(8)
    _panels(
        sheet, _players(made, "difference"), panels, (-limit, limit), (-limit, 0, limit), True, "← pictures   text →"
    )


# ---------------------------------------------------------------------- distance
def _distance(sheet: _Sheet, made: Sequence[Json]) -> None:
    sheet.lines(
        "Vertical lines: 95 % intervals of those who found it (bootstrap over instances; Wilson where all are alike)."
    )
    players = _players(made)
    said = short(players, 27)
    sheet.add(26, partial(_distance_key, modalities=sorted({row["modality"] for row in made}, reverse=True)))
    across = max(2, min(4, len(players)))
    pitch = (WIDTH - 2 * EDGE) / across
    names = list(players)
    distances = sorted({row["distance"] for row in made})

    def put(page: _Page, y: float, row: Sequence[str]) -> None:
        for number, player in enumerate(row):
            found = [one for one in made if one["player"] == player]
            x = EDGE + number * pitch
            page.player(x, y + 12, said[player], players[player])
            n = _episodes(one["n"] for one in found)
            page.text(x + 13, y + 27, f"{n} a point", size=TINY, color=page.look.soft)
            _curves(page, page.axes(x + 28, y + 42, pitch - 48, 140), found, distances)

    for at in range(0, len(names), across):
        sheet.add(42 + 140 + 36, partial(put, row=names[at : at + across]))


def _distance_key(page: _Page, y: float, modalities: Sequence[str]) -> None:
    x = float(EDGE)
    for modality in modalities:
        for what, dashed in (("found the room", False), ("not aborted", True)):
            page.stroke([x, x + 15, x + 30], [y + 14] * 3, markevery=[1], **_pen(page.look, modality, dashed))
            said = f"{modality}: {what}"
            page.text(x + 38, y + 14, said, size=SMALL, color=page.look.soft)
            x += 38 + 6.2 * len(said) + 18


def _pen(look: Look, modality: str, dashed: bool) -> dict[str, Any]:
    colour = look.text if modality == "text" else look.picture
    return {
        "color": colour,
        "linewidth": 1.1 if dashed else 2.0,
        "linestyle": (0, (3, 2.4)) if dashed else "-",
        "marker": "o" if modality == "text" else "^",
        "markersize": 4.5 if dashed else 6,
        "markerfacecolor": look.page if dashed else colour,
        "markeredgewidth": 1.0,
    }


def _curves(page: _Page, axes: Axes, found: Sequence[Json], distances: Sequence[str]) -> None:
    look = page.look
    axes.set_xlim(-0.35, len(distances) - 0.65)
    axes.set_ylim(-4, 104)
    axes.set_yticks((0, 50, 100))
    axes.set_xticks(range(len(distances)), [f"{distance} moves" for distance in distances])
    axes.grid(axis="y", color=look.line, linewidth=0.7)
    axes.set_axisbelow(True)
    for modality, shift in (("text", -0.06), ("picture", 0.06)):
        rows = [row for row in found if row["modality"] == modality and row["n"]]
        places = [distances.index(row["distance"]) + shift for row in rows]
        solid, dashed = (_pen(look, modality, also) for also in (False, True))
        axes.plot(places, [row["played"] for row in rows], zorder=2, clip_on=False, **dashed)
        axes.plot(places, [row["success"] for row in rows], zorder=3, clip_on=False, **solid)
        lows, highs = ([row[f"success_{end}"] for row in rows] for end in ("low", "high"))
        axes.vlines(places, lows, highs, color=solid["color"], linewidth=1, clip_on=False)
        for ends in (lows, highs):
            axes.plot(places, ends, color=solid["color"], **CAP | {"marker": "_"})


# ---------------------------------------------------------------------- heat map
CELL = 48
TALL = 35
BAND = (WIDTH - 2 * EDGE - NAMES) // CELL
LETTERS = 27
GAP = 0.25
"""Between variants, in cells."""


def _heatmap(sheet: _Sheet, made: Sequence[Json]) -> None:
    n = _episodes(row["n"] for row in made)
    aborted = any(row["played"] not in (None, 100.0) for row in made)
    sheet.lines(
        f"{'Darker' if sheet.look is LIGHT else 'Brighter'} is better. "
        + f"{n} a cell. "
        + ("%: played to the end, where some were aborted. " if aborted else "")
        + "Line in a cell: 95 % interval, from 0 (left) to 100 (right)."
    )
    places: dict[tuple[str, str], list[str]] = {}
    for row in made:
        experiments = places.setdefault((row["game"], row["variant"]), [])
        if row["experiment"] not in experiments:
            experiments.append(row["experiment"])
    cells = {(row["player"], row["game"], row["variant"], row["experiment"]): row for row in made}
    players = _players(made, "score_all")
    for band in _banded(places):
        columns = [(*key, experiment) for key, experiments in band for experiment in experiments]
        here = {name: kind for name, kind in players.items() if any((name, *column) in cells for column in columns)}
        head = 44 + 3.9 * min(LETTERS, max(len(column[2]) for column in columns))
        sheet.add(head + TALL * len(here) + 6, partial(_cells, players=here, band=band, cells=cells, head=head))


Band = list[tuple[tuple[str, str], list[str]]]


def _banded(places: Mapping[tuple[str, str], Sequence[str]]) -> list[Band]:
    """Return variants with their experiments in bands that fit the page; a variant that fits in none is cut."""
    bands: list[Band] = []
    room = 0.0
    for key, experiments in places.items():
        for at in range(0, len(experiments), BAND):
            part = list(experiments[at : at + BAND])
            if _slot(key, part) > room:
                bands.append([])
                room = BAND
            bands[-1].append((key, part))
            room -= _slot(key, part) + GAP
    return bands


def _slot(key: tuple[str, str], part: Sequence[str]) -> float:
    """Return how many cells a variant takes: those of its experiments, or what its heading needs."""
    return max(len(part), min(BAND, 7.2 * len(" / ".join(key)) / CELL))


def _cells(
    page: _Page,
    y: float,
    players: Mapping[str, str],
    band: Band,
    cells: Mapping[tuple[str, str, str, str], Json],
    head: float,
) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    heat = LinearSegmentedColormap.from_list("heat", page.look.heat)
    said = short(players, 34)
    top = y + head
    for place, (player, kind) in enumerate(players.items()):
        middle = top + TALL * (place + 0.5)
        page.player(EDGE, middle, said[player], kind)
    x = float(EDGE + NAMES)
    for key, experiments in band:
        page.text(x + 2, y + 18, " / ".join(key), size=SMALL, weight="bold")
        for number, experiment in enumerate(experiments):
            left = x + CELL * number
            room = (WIDTH - left - CELL / 2) / 4.8  # letters, written at an angle
            how = {"rotation": 40, "rotation_mode": "anchor", "va": "baseline"}
            page.text(left + CELL / 2 - 3, top - 7, _fitted(experiment, min(LETTERS, int(room))), size=SMALL, **how)
            for place, player in enumerate(players):
                if row := cells.get((player, *key, experiment)):
                    _cell(page, left, top + TALL * place, row, heat)
        x += CELL * (_slot(key, experiments) + GAP)


def _cell(page: _Page, x: float, y: float, row: Json, heat: Any) -> None:
    from matplotlib.colors import to_hex

    value = row["quality"]
    colour = "none" if value is None else to_hex(heat(value / 100))
    page.box(x + 1, y + 1, CELL - 2, TALL - 2, colour, page.look.line if value is None else "none")
    ink = page.look.soft if value is None else _ink_on(colour)
    aborted = row["played"] not in (None, 100.0)
    page.text(x + CELL / 2, y + (11 if aborted else 14), _whole(value), ha="center", color=ink)
    if aborted:
        page.text(x + CELL / 2, y + 21, f"{row['played']:.0f} %", size=TINY - 0.5, ha="center", color=ink)
    if value is not None:
        left, right = (x + 5 + (CELL - 10) * row[f"quality_{end}"] / 100 for end in ("low", "high"))
        page.stroke([left, max(right, left + 2)], [y + TALL - 4.5] * 2, color=ink, linewidth=1.2, solid_capstyle="butt")


def _ink_on(colour: str) -> str:
    """Return black or white, whichever stands out more on a colour (WCAG's relative luminance)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#14110e" if light > 0.179 else "#ffffff"


# ---------------------------------------------------------------------- leaderboard
PLOT = 430
LABEL = 19


def _leaderboard(sheet: _Sheet, made: Sequence[Json]) -> None:
    sheet.lines(
        "Crosses: 95 % intervals. n: episodes. Hollow: the player lacks games that others of the board have, "
        "so that its means are not over the same."
    )
    boards: dict[str, list[Json]] = {}
    for row in made:
        boards.setdefault(row["board"], []).append(row)
    for board, found in boards.items():
        games = sorted({game for row in found for game in (*row["games"], *row["lacks"])})
        placed = [row for row in found if row["n"]]
        if not placed:
            continue
        _heading(sheet, board)
        sheet.lines(f"Games: {', '.join(games)}")
        tall = max(PLOT, LABEL * len(placed) + 30)
        sheet.add(tall + 62, partial(_board, found=placed, tall=tall))
        mixed = [f"{row['player']} ({', '.join(row['mixed_settings'])})" for row in placed if row["mixed_settings"]]
        if mixed:
            sheet.lines(f"Episodes of different settings or versions together: {'; '.join(mixed)}.")


def _board(page: _Page, y: float, found: Sequence[Json], tall: float) -> None:
    look = page.look
    axes = page.axes(EDGE + 34, y + 12, PLOT, tall)
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
    for row in found:
        _point(axes, row, look)
    _labels(page, axes, found, y + 12, tall)


def _point(axes: Axes, row: Json, look: Look) -> None:
    colour = look.kinds[row["kind"]]
    x, y = row["played"], row["quality"] or 0.0
    whisker: dict[str, Any] = {"color": colour, "linewidth": 1.1, "alpha": 0.75, "zorder": 3, "clip_on": False}
    axes.plot([row["played_low"], row["played_high"]], [y, y], **whisker)
    if row["quality_low"] is not None:
        axes.plot([x, x], [row["quality_low"], row["quality_high"]], **whisker)
    axes.plot(
        x, y, marker=SHAPES[row["kind"]], markersize=7, color=colour, zorder=4, clip_on=False, markeredgewidth=1.4,
        markerfacecolor=look.page if row["lacks"] else colour, markeredgecolor=colour,
    )  # fmt: skip


def _labels(page: _Page, axes: Axes, found: Sequence[Json], top: float, tall: float) -> None:
    """Write the names to the right of the plot, each as near the height of its point as the others let it."""
    said = short([row["player"] for row in found], 36)
    order = sorted(found, key=lambda row: (-(row["quality"] or 0.0), row["player"]))
    wanted = [top + tall * (1 - (row["quality"] or 0.0) / 100) for row in order]
    right = EDGE + 34 + PLOT
    page.text(WIDTH - EDGE, top - 16, "clemscore · episodes", size=TINY, ha="right", color=page.look.soft)
    for row, wish, at in zip(order, wanted, spread(wanted, LABEL, top, top + tall), strict=True):
        point = EDGE + 34 + PLOT * row["played"] / 100
        page.stroke(
            [point + 6, right + 12, right + 30], [wish, wish, at], color=page.look.line, linewidth=0.8, zorder=-1
        )
        page.player(right + 34, at, said[row["player"]], row["kind"])
        lacks = f" · {len(row['games'])} of {len(row['games']) + len(row['lacks'])} games" if row["lacks"] else ""
        score = f"{_number(row['clemscore'])} · {row['n']:,}{lacks}"
        page.text(WIDTH - EDGE, at, score, size=TINY, ha="right", color=page.look.soft)


def spread(wanted: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """Return places near those wanted (ascending), at least so far apart, within bounds that hold them all.

    Neighbours that would overlap are moved together about the middle of their wishes.
    """
    groups: list[list[float]] = []
    for wish in wanted:
        groups.append([wish])
        while len(groups) > 1 and _start(groups[-2], apart, low, high) + len(groups[-2]) * apart > _start(
            groups[-1], apart, low, high
        ):
            last = groups.pop()
            groups[-1] += last
    return [_start(group, apart, low, high) + number * apart for group in groups for number in range(len(group))]


def _start(group: Sequence[float], apart: float, low: float, high: float) -> float:
    middle = sum(group) / len(group)
    start = middle - apart * (len(group) - 1) / 2
    return max(low, min(start, high - apart * (len(group) - 1)))


DRAWN: dict[str, Callable[[_Sheet, Sequence[Json]], None]] = {
    "difficulty": _difficulty,
    "modality": _modality,
    "distance": _distance,
    "heatmap": _heatmap,
    "leaderboard": _leaderboard,
}
