"""The colours of pages and figures, written once: from here they go to Gradio's theme, transcripts and figures.

Every text colour keeps a contrast of 4.5:1 with its background, every mark 3:1, in light and in dark.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

PAPER_SHADES = {
    50: "#fbf8f2", 100: "#f4efe5", 200: "#e7dfd0", 300: "#d3c8b4", 400: "#a99c87", 500: "#7b6f5d",
    600: "#62574a", 700: "#4a4238", 800: "#322d27", 900: "#24201c", 950: "#191613",
}  # fmt: skip
BAIZE_SHADES = {
    50: "#eff6f1", 100: "#dbece2", 200: "#b7d8c5", 300: "#89bd9f", 400: "#5aa07c", 500: "#377f5d",
    600: "#25664a", 700: "#1d523c", 800: "#184231", 900: "#133428", 950: "#0a1f18",
}  # fmt: skip
BRASS_SHADES = {
    50: "#fbf6ea", 100: "#f5e8cb", 200: "#ead097", 300: "#dcb25f", 400: "#c99538", 500: "#a97521",
    600: "#87591a", 700: "#6d4718", 800: "#573817", 900: "#432c13", 950: "#261808",
}  # fmt: skip
"""Shades by number, light to dark."""

SEAT_COLOURS = ("#0b6e99", "#8a3ffc", "#1a7f37", "#9a6700", "#c2255c", "#475569", "#0f766e", "#7c2d12")
"""Of the seats of a transcript, in their order."""


@dataclass(frozen=True, slots=True)
class FigurePalette:
    """The colours of a figure. Those that carry meaning differ for the colour-blind too (Okabe and Ito 2008)."""

    page: str
    ink: str
    secondary_ink: str
    """Of secondary text."""
    line: str
    row_shade: str
    kinds: Mapping[str, str]
    """Of a person, a model, a program, and of what a paper printed."""
    modalities: Mapping[str, str]
    heat_map_shades: tuple[str, ...]
    """From 0 to 100, each darker (on a dark page lighter) than the one before."""


LIGHT_PALETTE = FigurePalette(
    "#ffffff", PAPER_SHADES[900], PAPER_SHADES[600], "#ddd6c9", "#f6f2ea",
    {"person": "#d55e00", "model": "#0072b2", "program": "#7d766b", "published": "#6b5b95"},
    {"text": "#00785a", "picture": "#a8488a"},
    (PAPER_SHADES[100], "#bcd4e2", "#5a9fc4", "#146a9c", "#0a3d5e"),
)  # fmt: skip
DARK_PALETTE = FigurePalette(
    PAPER_SHADES[900], PAPER_SHADES[100], "#b9ad9a", PAPER_SHADES[700], "#2b2722",
    {"person": "#f0a04b", "model": "#56b4e9", "program": PAPER_SHADES[400], "published": "#b5a7dc"},
    {"text": "#3fc49a", "picture": "#e39acb"},
    ("#332d27", "#274a5e", "#2f7ba3", "#63b1dc", "#c4e6f8"),
)  # fmt: skip
