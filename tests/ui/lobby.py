"""What a person does in the lobby, for tests in the browser."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page

START = re.compile("^(Start game|Open the table|Watch them play)$")
"""What the button of the options says, depending on who plays."""


def open_options(page: Page, game: str = "MatchIt", variant: str | None = None) -> Locator:
    """Return the dialog in which a table of a game is set up; open it, with a variant, unless it is open."""
    dialog = page.get_by_role("dialog", name=game, exact=True)
    if not dialog.is_visible():
        page.get_by_role("button", name=f"Options for {game}", exact=True).click()
        if variant is None and game == "MatchIt":
            variant = "Text grids"
        if variant:
            dialog.get_by_role("radio", name=variant).first.check()
    return dialog


def start_text_grids(page: Page) -> None:
    """Start a game of MatchIt with text grids against the scripted partner."""
    open_options(page).get_by_role("button", name=START).click()
