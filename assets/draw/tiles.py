"""Draws the tile of each game for the lobby, `games/FAMILY/tile.svg`: `.venv/bin/python assets/draw/tiles.py [GAME…]`.

A tile shows what playing looks like and tells nothing of an instance: a photo stands alone, never with its twin. Photos
of `assets/` are embedded, as an SVG that is shown as a picture loads nothing.
"""

from __future__ import annotations

import base64
import io
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PIL import Image

from engine.core.colours import BAIZE_SHADES, BRASS_SHADES, PAPER_SHADES

ROOT = Path(__file__).resolve().parents[2]
WIDTH, HEIGHT = 320, 144
"""Of a tile. Narrow screens show the middle third only: what matters stands there."""
SCALE = 0.8
"""Of what is drawn below, on 320 by 180."""
SHADOW = '<filter id="s" x="-20%" y="-20%" width="140%" height="150%"><feDropShadow dx="0" dy="3" stdDeviation="4" flood-opacity=".35"/></filter>'
SANS, SERIF = "Segoe UI,Roboto,Noto Sans,Liberation Sans,sans-serif", "Palatino,Georgia,Liberation Serif,serif"


def photo(name: str, width: int, height: int, shift: float = 0.5) -> str:
    """Return a picture of `assets/` as an address, cut to a shape; `shift` (0 to 1) says what is kept of its width."""
    image = Image.open(ROOT / "assets" / f"{name}.webp").convert("RGB")
    scale = max(2 * width / image.width, 2 * height / image.height)
    image = image.resize((round(image.width * scale), round(image.height * scale)), Image.Resampling.LANCZOS)
    left, top = round((image.width - 2 * width) * shift), (image.height - 2 * height) // 2
    data = io.BytesIO()
    image.crop((left, top, left + 2 * width, top + 2 * height)).save(data, "webp", quality=68, method=6)
    return f"data:image/webp;base64,{base64.b64encode(data.getvalue()).decode()}"


def framed(name: str, x: float, y: float, width: int, height: int, frame: str = "#fffdf9", turn: float = 0) -> str:
    """Return a photo as a print with a white rim."""
    middle = f"{x + width / 2} {y + height / 2}"
    return (
        f'<g transform="rotate({turn} {middle})"><rect x="{x - 5}" y="{y - 5}" width="{width + 10}" height="{height + 10}"'
        f' rx="5" fill="{frame}" filter="url(#s)"/><image x="{x}" y="{y}" width="{width}" height="{height}"'
        f' href="{photo(name, width, height)}"/></g>'
    )


def text(x: float, y: float, words: str, size: int, fill: str, family: str = SANS, weight: int = 600) -> str:
    """Return a centred text."""
    return (
        f'<text x="{x}" y="{y}" font-family="{family}" font-size="{size}" font-weight="{weight}" fill="{fill}"'
        f' text-anchor="middle">{words}</text>'
    )


def backdrop(fill: str) -> str:
    """Return a plain background, wider than what is drawn on it."""
    return f'<rect x="-60" y="-20" width="440" height="220" fill="{fill}"/>'


def bubble(x: float, y: float, width: float, words: str, fill: str, ink: str, is_left: bool) -> str:
    """Return a speech bubble with a tail at the left or the right."""
    tail = x + 18 if is_left else x + width - 18
    tip = tail - 12 if is_left else tail + 12
    return (
        f'<path d="M{tail - 8} {y + 30}L{tip} {y + 46}L{tail + 8} {y + 30}z" fill="{fill}"/>'
        f'<rect x="{x}" y="{y}" width="{width}" height="34" rx="17" fill="{fill}"/>{text(x + width / 2, y + 22, words, 15, ink)}'
    )


def face(x: float, y: float, radius: float, skin: str, ink: str, is_smiling: bool = True) -> str:
    """Return a round face."""
    bend = 0.35 if is_smiling else 0.05
    eyes = "".join(
        f'<circle cx="{x + side * radius * 0.34}" cy="{y - radius * 0.12}" r="{radius * 0.11}" fill="{ink}"/>'
        for side in (-1, 1)
    )
    mouth = f"M{x - radius * 0.35} {y + radius * 0.32}q{radius * 0.35} {radius * bend} {radius * 0.7} 0"
    return (
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{skin}"/>{eyes}'
        f'<path d="{mouth}" fill="none" stroke="{ink}" stroke-width="2.4" stroke-linecap="round"/>'
    )


def matchit() -> str:
    """Two prints, and the question whether they are the same."""
    return (
        backdrop(BAIZE_SHADES[700])
        + framed("rooms/living-room-1", 22, 36, 136, 102, turn=-3)
        + framed("rooms/study-1", 162, 40, 136, 102, turn=3)
        + f'<circle cx="160" cy="92" r="25" fill="{BRASS_SHADES[400]}" stroke="#fffdf9" stroke-width="3" filter="url(#s)"/>'
        + text(160, 102, "=?", 27, BRASS_SHADES[950], SERIF, 700)
    )


def mapworld() -> str:
    """A room, the directions one can go, and a piece of the map."""
    arrows = "".join(
        f'<g transform="rotate({turn} 160 132)"><path d="M160 96l11 15h-22z" fill="{fill}"/></g>'
        for turn, fill in ((0, "#fffdf9"), (90, "#fffdf9"), (180, "#ffffff55"), (270, BRASS_SHADES[300]))
    )
    rooms = "".join(
        f'<rect x="{x}" y="{y}" width="22" height="16" rx="3" fill="{fill}" stroke="#fffdf9" stroke-width="1.6"/>'
        for x, y, fill in (
            (-12, 24, BAIZE_SHADES[300]),
            (20, 24, BAIZE_SHADES[300]),
            (52, 24, BRASS_SHADES[300]),
            (20, 50, "none"),
        )
    )
    return (
        f'<image x="-40" width="400" height="180" href="{photo("rooms/library-1", 400, 180)}"/>'
        f'<rect x="-24" y="12" width="110" height="66" rx="9" fill="{PAPER_SHADES[950]}" fill-opacity=".78"/>'
        f'<path d="M10 32h10M42 32h10M31 40v10" stroke="#fffdf9" stroke-width="2"/>{rooms}'
        f'<circle cx="160" cy="132" r="42" fill="{PAPER_SHADES[950]}" fill-opacity=".78"/>{arrows}'
        f'<circle cx="160" cy="132" r="6" fill="{BRASS_SHADES[400]}"/>'
    )


def reference() -> str:
    """Three pictures, one of them meant."""
    return (
        backdrop(BRASS_SHADES[200])
        + framed("scenes/picnic-a", 16, 62, 84, 84)
        + framed("scenes/birthday-a", 118, 62, 84, 84, frame=BAIZE_SHADES[600])
        + framed("scenes/fireplace-a", 220, 62, 84, 84)
        + bubble(72, 10, 176, "The one with the cake", "#fffdf9", PAPER_SHADES[900], is_left=False)
        + f'<circle cx="206" cy="150" r="13" fill="{BAIZE_SHADES[600]}" stroke="#fffdf9" stroke-width="2.5"/>'
        + '<path d="M200 150l4.500 5 8-9" fill="none" stroke="#fffdf9" stroke-width="2.600" stroke-linecap="round"/>'
    )


def imagegame() -> str:
    """A grid of letters that is being drawn from a command."""
    cells = ("XX..X", ".A..X", ".AA.X", "....?", "BBB..")
    drawn = ""
    for row, letters in enumerate(cells):
        for column, letter in enumerate(letters):
            x, y = 91 + column * 28, 20 + row * 28
            fill = {"X": BAIZE_SHADES[600], "A": BRASS_SHADES[400], "B": "#0b6e99"}.get(letter, "#fffdf9")
            drawn += f'<rect x="{x}" y="{y}" width="26" height="26" rx="3" fill="{fill}"/>'
            if letter.isalpha():
                drawn += text(x + 13, y + 19, letter, 16, BRASS_SHADES[950] if letter == "A" else "#fffdf9", weight=700)
    pencil = (
        f'<g transform="translate(213 112) rotate(-42)"><path d="M0 0l11-5v10z" fill="{BRASS_SHADES[100]}"/>'
        f'<rect x="11" y="-5" width="42" height="10" fill="{BRASS_SHADES[500]}"/><rect x="53" y="-5" width="8" height="10" fill="#c2255c"/></g>'
    )
    return (
        backdrop(PAPER_SHADES[200])
        + drawn
        + pencil
        + bubble(-30, 26, 104, "X on top …", BAIZE_SHADES[700], "#fffdf9", is_left=True)
        + bubble(246, 100, 104, "three Bs", BAIZE_SHADES[700], "#fffdf9", is_left=False)
    )


def askguess() -> str:
    """Questions, answers, and a card with the secret word."""
    card = (
        f'<g transform="rotate(5 160 92)"><rect x="124" y="38" width="72" height="104" rx="8" fill="{BRASS_SHADES[300]}"'
        f' filter="url(#s)"/><rect x="131" y="45" width="58" height="90" rx="5" fill="none" stroke="{BRASS_SHADES[600]}"'
        f' stroke-width="2"/>{text(160, 106, "?", 48, BRASS_SHADES[800], SERIF, 700)}</g>'
    )
    return (
        backdrop(BAIZE_SHADES[800])
        + bubble(-22, 22, 122, "Is it alive?", "#fffdf9", PAPER_SHADES[900], is_left=True)
        + bubble(216, 48, 56, "No.", BAIZE_SHADES[300], BAIZE_SHADES[950], is_left=False)
        + bubble(-22, 82, 122, "Has it sails?", "#fffdf9", PAPER_SHADES[900], is_left=True)
        + bubble(216, 108, 56, "Yes!", BAIZE_SHADES[300], BAIZE_SHADES[950], is_left=False)
        + card
    )


def spyfall() -> str:
    """Six players around a table, one of them a spy."""
    skins = ("#f3c7a5", "#c98d63", "#f0d5b8", "#8a5a3c", "#e3b18c", "#f3c7a5")
    faces = "".join(
        face(62 + 98 * (number % 3), 52 + 76 * (number // 3), 27, skin, PAPER_SHADES[950], is_smiling=number != 4)
        for number, skin in enumerate(skins)
    )
    hat = (
        f'<path d="M126 112h68l-10-7c-2-14-10-20-24-20s-22 6-24 20z" fill="{PAPER_SHADES[950]}"/>'
        f'<path d="M137 102q23 7 46 0" fill="none" stroke="{BRASS_SHADES[400]}" stroke-width="4"/>'
        f'<rect x="143" y="118" width="15" height="11" rx="4" fill="{PAPER_SHADES[950]}"/>'
        f'<rect x="162" y="118" width="15" height="11" rx="4" fill="{PAPER_SHADES[950]}"/><path d="M156 121h8" stroke="{PAPER_SHADES[950]}" stroke-width="2.500"/>'
    )
    return backdrop("#274a5e") + '<ellipse cx="160" cy="92" rx="165" ry="78" fill="#3d6b85"/>' + faces + hat


def tofukingdom() -> str:
    """The prince, and blocks of tofu that tell the truth or lie."""
    blocks = ""
    for x, y, words, ink in ((110, 98, "It is her!", BAIZE_SHADES[700]), (216, 98, "No, her!", "#b3402a")):
        blocks += (
            f'<g filter="url(#s)"><path d="M{x} {y}l12-12h62l-12 12z" fill="#fffdf9"/><path d="M{x + 62} {y}l12-12v46l-12 12z" fill="{PAPER_SHADES[300]}"/>'
            f'<rect x="{x}" y="{y}" width="62" height="46" rx="2" fill="{PAPER_SHADES[100]}"/></g>'
            + "".join(
                f'<circle cx="{x + 31 + side * 11}" cy="{y + 20}" r="3.200" fill="{PAPER_SHADES[950]}"/>'
                for side in (-1, 1)
            )
            + f'<path d="M{x + 23} {y + 31}q8 6 16 0" fill="none" stroke="{PAPER_SHADES[950]}" stroke-width="2.400" stroke-linecap="round"/>'
            + bubble(x - 14, y - 66, 96, words, "#fffdf9", ink, is_left=x > 200)
        )
    crown = f'<path d="M26 74l-4-30 16 13 14-22 14 22 16-13-4 30z" fill="{BRASS_SHADES[300]}" stroke="{BRASS_SHADES[600]}" stroke-width="2"/>'
    return (
        backdrop("#5b3b63")
        + '<path d="M-60 146h440v60h-440z" fill="#472c4e"/>'
        + face(52, 104, 33, "#f3c7a5", PAPER_SHADES[950])
        + crown
        + blocks
    )


TILES: tuple[Callable[[], str], ...] = (matchit, mapworld, reference, imagegame, askguess, spyfall, tofukingdom)


def main(names: list[str]) -> None:
    """Write the tiles of the games named, or all of them."""
    for draw in TILES:
        if not names or draw.__name__ in names:
            svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"><defs>{SHADOW}</defs><g transform="translate({(1 - SCALE) / 2 * WIDTH}) scale({SCALE})">{draw()}</g></svg>\n'
            path = ROOT / "games" / draw.__name__ / "tile.svg"
            path.write_text(svg, encoding="utf-8")
            sys.stdout.write(f"{path.relative_to(ROOT)} {len(svg):,} bytes\n")


if __name__ == "__main__":
    main(sys.argv[1:])
