"""The three examples of studies from the link to the code: by keyboard alone, on desktop and phone, checked by axe."""

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.conftest import Server
from tests.ui.participants import SHORT, Participant, add, participant_maker, status

Json = dict[str, Any]
EXAMPLES = {
    "mapworld-alone": (*SHORT, ("count = 2", "count = 1")),
    "matchit-model": (("count = 10", "count = 1"), ("matchit/picture", "matchit/picture/photos-same")),
    "reference-pairs": (("count = 4", "count = 2"),),
}
RIGHT = {"Can you see your partner’s picture?": "No", "When do the two of you win?": "When both decide correctly"}
SIZES = [(1280, 800), pytest.param(390, 844, marks=pytest.mark.slow)]


@pytest.fixture(scope="module")
def house(module_server: Callable) -> Server:
    return module_server()


@pytest.fixture
def people() -> Iterator[Callable[[Server], Participant]]:
    with participant_maker() as make:
        yield make


class KeyboardUser:
    """A participant in Chromium who only uses the keyboard, and whose every new page axe looks at."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.steps: list[str] = []

    def go_to(self, target: Any) -> None:
        """Press Tab until an element has the focus."""
        for _ in range(80):
            if target.evaluate("node => node === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{target} cannot be reached with Tab")

    def press(self, target: Any, key: str = "Enter") -> None:
        self.go_to(target)
        self.page.keyboard.press(key)

    def check(self, kind: str) -> None:
        """Let axe look at a kind of page for the first time that it is shown."""
        from axe_playwright_python.sync_playwright import Axe

        if kind not in self.steps:
            violations = Axe().run(self.page).response["violations"]
            assert not violations, json.dumps(violations, indent=1)[:3000]
        self.steps.append(kind)

    # ------------------------------------------------------------------ the pages of the study
    def take_part(self) -> str:
        """Take part to the end; return the last page's text."""
        step = self.page.locator(".step")
        while True:
            step.wait_for()
            kind = step.get_attribute("class").split()[-1]
            self.check(kind)
            if kind == "end":
                return step.inner_text()
            heading = step.locator("h1").element_handle()
            if kind == "game":
                self.press(step.get_by_role("link"))
                self.play()
                continue
            self.answer(step, kind)
            if kind != "waiting":
                self.page.wait_for_function("heading => !heading.isConnected", arg=heading)

    def answer(self, step: Any, kind: str) -> None:
        if kind == "waiting" or (kind == "ready" and not step.get_by_role("button").count()):
            self.page.wait_for_timeout(300)
            return
        for question in step.locator(".question").all():
            self.answer_question(question)
        if kind == "consent":
            self.press(step.get_by_role("checkbox"), "Space")
        self.press(step.locator("button[type=submit]"))

    def answer_question(self, question: Any) -> None:
        box = question.locator("input[type=text], textarea")
        if box.count():
            self.go_to(box)
            self.page.keyboard.type("30")
            return
        options = question.locator("input")
        right = RIGHT.get(question.locator("legend").inner_text())
        self.press(options.first, "Space")
        if right and options.first.get_attribute("value") != right:
            self.page.keyboard.press("ArrowDown")

    # ------------------------------------------------------------------ the table
    def play(self) -> None:
        """Play a game until it is over, and go on with the study."""
        page = self.page
        further = page.get_by_role("link", name="Continue with the study")
        send = page.locator("form button[type=submit]:enabled:visible")
        for _ in range(60):
            further.or_(send.first).first.wait_for()
            if further.count():
                self.check("game over")
                self.press(further)
                return
            self.check("table")
            self.reply(page.locator("form:visible").last)
            page.wait_for_timeout(300)
        raise AssertionError("the game does not end")

    def reply(self, form: Any) -> None:
        page = self.page
        done = form.get_by_role("button", name="Done")
        box, choices = (
            form.locator("textarea:visible, input[type=text]:visible"),
            form.locator("input[type=radio]:visible"),
        )
        if done.count():
            self.press(done)
            page.wait_for_timeout(300)
            if page.locator("dialog[open]").count():
                self.press(page.locator("dialog[open] button").last)
            return
        if box.count():
            self.go_to(box.first)
            page.keyboard.type("a green thing in the middle")
        elif choices.count() and not form.locator("input:checked").count():
            self.press(choices.first, "Space")
        self.press(form.locator("button[type=submit]").first)


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_is_taken_part_in_by_keyboard(house, people, new_page, tmp_path, example, width, height):
    name = add(house, tmp_path, example, *EXAMPLES[example])
    page = new_page(viewport={"width": width, "height": height})
    page.goto(f"{house.url}/study/{name}")
    partner = threading.Thread(target=take_part_beside, args=(people(house), name))
    if example == "reference-pairs":
        partner.start()
    user = KeyboardUser(page)
    end = user.take_part()
    assert "You have completed the study." in end and "COMPLETED" in end, end
    if example == "reference-pairs":
        partner.join(120)
        assert "ready" in user.steps
    assert {"consent", "rules", "game", "table", "game over", "result", "debriefing", "end"} <= set(user.steps)
    counts = status(house, name)
    assert counts["completed"] == counts["arrived"]
    assert sum(cell["done"] for cell in counts["cells"]) > 0


def take_part_beside(person: Participant, name: str) -> None:
    """Take part as a program, for the person opposite."""
    person.arrive(name)
    person.finish()
