"""A person at a page in a browser: what they do at a table, found by the words written there."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect


class PagePlayer:
    """A person who plays at a page, finding everything by its words and roles."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.form = page.locator("form.ask:visible")
        self.turn = page.locator(".turn")
        self.over = page.get_by_role("heading", name="The score")

    def wait_for_ask(self) -> str:
        """Wait until something is asked and return what; "" when the game is over."""
        expect(self.form.or_(self.over).first).to_be_visible()
        return "" if self.over.is_visible() else self.turn.inner_text().removeprefix("Your turn: ")

    def reply(self, text: str = "Is there a line?", choice: int = 0) -> str:
        """Answer what is asked now and wait until that is no longer asked; return what it was."""
        title = self.wait_for_ask()
        form = self.form.element_handle()
        box = self.form.get_by_role("textbox")
        if box.count():
            box.fill(text)
            self.form.locator("button.send").click()
        else:
            self.form.get_by_role("button").nth(choice).click()
        form.wait_for_element_state("hidden")
        return title

    def finish(self, text: str = "Is there a line?", choice: int = 0) -> list[str]:
        """Play to the end; return all that was asked."""
        titles = []
        while self.wait_for_ask():
            titles.append(self.reply(text, choice))
        return titles


@pytest.fixture
def player_at() -> Callable[[Page], PagePlayer]:
    """Return a person who plays at a page: player_at(page).reply("a ring")."""
    return PagePlayer
