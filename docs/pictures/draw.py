"""Take the site's screenshots again: `.venv/bin/python docs/pictures/draw.py [FOLDER [SCENE…]]` (after `make setup`).

It starts a server of its own on a fresh database and plays one game of text grids and the beginning of one with
pictures against the scripted partner, in a real browser; then it walks through a map of pictures, draws one by hand,
paints a grid and asks for a word. Last it runs a small benchmark and shows what came out.
The instances, the person's descriptions and questions are fixed; what the partner says varies a little, so the person's
answers are made by a second scripted talker.
"""

import io
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # before a `tests` that some library installs

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from engine.play.registry import Registry
from engine.storage.store import Store
from games.common.grids import EMPTY_MARK
from games.imagegame.follower import GridDrawer
from games.mapworld import instances as maps
from games.mapworld.maps import Map
from games.mapworld.walking import Walk
from games.matchit import board, instances
from games.matchit.talkers.talk import make_talker
from games.matchit.talkers.utterances import Talker
from tests.conftest import LUDENS, ROOT, Server

HERE = Path(__file__).resolve().parent
GRIDS, PHOTOS = "matchit/text/similar-edit-2/1", "matchit/picture/photos-similar/0"
THREE = "reference/picture/rooms/0"
SPIES, ME = "spyfall/words/given/0", "Tom"
PATTERN, WORD = "imagegame/grid/random/3", "askguess/undescribed/cifar/5"
QUESTIONS = ("Is it an animal?", "Where does it live?", "What colour is it?", "Does it have fur?")
BENCHMARK = (
    ("matchit", "reference", "--cross", "scripted", "random", "--limit", "3"),
    ("mapworld", "--cross", "scripted", "random", "--limit", "5"),
)
"""What the results show beside the person's games."""
ROOMS, HOUSE = "mapworld/ee-picture/medium/0", "mapworld/ee-gr-text/medium/0"
GRID = "▢ X X X ▢\nX ▢ ▢ X X\nX X X X X\nX ▢ ▢ ▢ X\nX ▢ X ▢ X"
"""What `GRIDS` shows seat A. The words below are about it."""
WORDS = (
    "It looks like a letter A with two more cells: one beside its right leg in row 2, one in the middle of row 5.",
    "In row 2, is the fourth cell filled?",
    "Which cells are filled in the last row?",
    "Is the centre cell filled?",
)
WIDE = {"viewport": {"width": 1200, "height": 760}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}


def save(page: Page, file: Path) -> None:
    """Keep what the window shows, with the few colours it has."""
    page.mouse.move(2, 2)
    page.wait_for_timeout(600)  # bubbles have come to rest
    shown = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    shown.quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)


def eyes(instance_id: str) -> Talker:
    """Return a talker that sees what seat A of this instance sees."""
    [item] = Registry(ROOT).select_instances(instance_id)
    instance = instances.load(item.instance)
    return make_talker(instance.text("A") or board.make_picture(instance, "A").description, Random(0))


def sit(host: Page, page: Page, instance_id: str, seat: str = "A", **others: str) -> None:
    """Let `host` open a table with this instance and `page` take a seat: whoever plays has not chosen the instance."""
    game, variant, experiment, index = instance_id.split("/")
    table = {"game": game, "variant": variant, "experiment": experiment, "instance": int(index)}
    body = {**table, "seats": {seat: "invite", **others}}
    url = host.url.rstrip("/")
    made = host.request.post(f"{url}/api/tables", data=body, headers={"origin": url}).json()
    page.goto(url + made["invitations"][seat])


def write(page: Page, text: str) -> None:
    """Write a reply without sending it."""
    box = page.locator("form.ask textarea:not([readonly])")
    expect(box).to_have_value("")
    box.fill(text)


def send(page: Page) -> None:
    """Send what is written and wait until it stands in the conversation."""
    before = page.locator(".bubble.you").count()
    page.locator("button.send").click()
    expect(page.locator(".bubble.you")).to_have_count(before + 1)


def asked(page: Page) -> str:
    """Wait for the partner's next question and return it."""
    expect(page.locator(".turn")).to_have_text("Your turn: answer your partner's question")
    return page.locator(".bubble.partner .said").last.inner_text()


def draw_game(host: Page, page: Page, folder: Path) -> None:
    """Play a whole game of text grids: the table, the debriefing, the replay."""
    look = eyes(GRIDS)
    sit(host, page, GRIDS, B="scripted")
    description, *questions = WORDS
    write(page, description)
    send(page)
    for number, question in enumerate(questions):
        write(page, look.answer(asked(page)))
        send(page)
        write(page, question)
        if number == 0:
            save(page, folder / "table.png")
        send(page)
    page.get_by_role("button", name="Different grids").click()
    expect(page.get_by_role("heading", name="Who decided what")).to_be_visible()
    save(page, folder / "debriefing.png")
    page.get_by_role("link", name="Watch it step by step").click()
    slider = page.get_by_role("slider", name="Step")
    slider.focus()
    for _ in range(12):
        slider.press("ArrowRight")
    slider.blur()
    save(page, folder / "watch.png")


def draw_phone(host: Page, page: Page, folder: Path) -> None:
    """Begin a game with pictures on a phone, in the dark."""
    look = eyes(PHOTOS)
    sit(host, page, PHOTOS, B="scripted")
    write(page, look.describe())
    send(page)
    write(page, look.answer(asked(page)))
    save(page, folder / "phone.png")


def house(instance_id: str) -> Map:
    """Return the map of an instance of Map World."""
    [item] = Registry(ROOT).select_instances(instance_id)
    return maps.load(item.instance)


def draw_walk(host: Page, page: Page, folder: Path) -> None:
    """Walk through rooms of pictures, the second step back and again: the page on the way, and the debriefing."""
    whole = house(ROOMS)
    sit(host, page, ROOMS, "walker")
    best = Walk(whole).shortest_tour
    path = [*best[:2], best[0], *best[1:]]
    for number, (here, there) in enumerate(itertools.pairwise(path)):
        way = next(way for way, other in whole.exits[here].items() if other == there)
        write(page, f"This is a {whole.rooms[here].name}.")
        if number == 3:
            save(page, folder / "walk.png")
        walk(page, way)
    write(page, f"This is a {whole.rooms[path[-1]].name}.")
    page.locator("button.done").click()
    page.get_by_role("button", name="Yes, done").click()
    heading = page.locator(".debrief svg.graph").first
    expect(heading).to_be_visible()
    page.locator(".debrief").evaluate("node => node.scrollIntoView()")
    save(page, folder / "walked.png")


def draw_map(host: Page, page: Page, folder: Path) -> None:
    """Draw a map by hand on a phone."""
    whole = house(HOUSE)
    sit(host, page, HOUSE, "walker")
    best = Walk(whole).shortest_tour
    for here, there in itertools.pairwise(best[:4]):
        add(page)
        walk(page, next(way for way, other in whole.exits[here].items() if other == there))
    add(page)
    page.locator(".mapboard").evaluate("node => node.scrollIntoView({block: 'center'})")
    save(page, folder / "walk-phone.png")


def draw_painting(host: Page, page: Page, folder: Path) -> None:
    """Follow two commands of the image game on a phone and half of a third."""
    sit(host, page, PATTERN, "follower", giver="scripted")
    commands = page.locator(".bubble.partner .said")
    for number in range(2):
        expect(commands).to_have_count(number + 1)
        paint(page, GridDrawer.start_empty().apply_command(commands.last.inner_text()))
        if number == 0:
            send(page)
    page.locator("table.paintable").evaluate("node => node.scrollIntoView({block: 'center'})")
    save(page, folder / "painting-phone.png")


def paint(page: Page, letters: dict[tuple[int, int], str]) -> None:
    """Tap the cells that get a letter."""
    for (row, column), letter in letters.items():
        if letter != EMPTY_MARK:
            page.get_by_role("button", name=f"row {row + 1}, column {column + 1}:").tap()


def draw_asking(host: Page, page: Page, folder: Path) -> None:
    """Ask for a word in one's own words."""
    sit(host, page, WORD, "questioner", answerer="scripted")
    for question in QUESTIONS:
        page.get_by_label("Your question or guess").fill(question)
        send(page)
        expect(page.locator("form.ask input:not([readonly])")).to_have_value("")
    page.get_by_label("Your question or guess").fill("Is it bigger than a breadbox?")
    save(page, folder / "asking.png")


def draw_picking(host: Page, page: Page, folder: Path) -> None:
    """Pick one of three pictures that the scripted speaker describes."""
    sit(host, page, THREE, "listener", speaker="scripted")
    page.get_by_role("radio").nth(1).check(force=True)
    save(page, folder / "picking.png")


def draw_voting(host: Page, page: Page, folder: Path) -> None:
    """Describe a word among five scripted players, and be asked who the spy is."""
    others = [name for name in Registry(ROOT).game("spyfall").seats if name != ME]
    sit(host, page, SPIES, ME, **dict.fromkeys(others, "scripted"))
    page.get_by_label("Your description").fill("You can hold it in your hands.")
    send(page)
    expect(page.get_by_label("Why? Everyone will read this")).to_be_visible(timeout=60_000)
    save(page, folder / "voting.png")


def draw_results(server: Server, page: Page, folder: Path) -> None:
    """Play a small benchmark beside the games above, and show what came out to whoever runs the server."""
    for words in BENCHMARK:
        subprocess.run([LUDENS, "run", *words, "--db", server.db], check=True, capture_output=True)
    [link] = re.findall(r"http\S+/a/\S+", server.output())
    page.goto(link)
    page.goto(f"{server.url}/results?game=mapworld&variant=ee-picture&experiment=medium&published=1")
    heading = page.get_by_role("heading", name="By experiment")
    expect(heading).to_be_visible()
    heading.evaluate("node => node.scrollIntoView()")
    save(page, folder / "results.png")
    page.goto(f"{server.url}/results?view=heatmap")
    expect(page.get_by_role("heading", name="Players by experiment")).to_be_visible()
    save(page, folder / "heatmap.png")
    with Store(server.db) as store:
        walked = store.episodes(game="mapworld", variant="ee-picture", people=True)[0]
    page.goto(f"{server.url}/e/{walked.id}")
    expect(page.get_by_role("heading", name="Dialogue")).to_be_visible()
    save(page, folder / "episode.png")


def add(page: Page) -> None:
    """Put the room one is in on the map, unless it is there."""
    if page.locator(".mapboard .room.here").count() == 0:
        page.get_by_role("button", name="Add the room you are in").click()


def walk(page: Page, way: str) -> None:
    """Press a direction and wait for the next form."""
    form = page.locator("form.ask").element_handle()
    page.locator(f"button.way.{way}").click()
    page.wait_for_function("form => !form.isConnected && document.querySelector('form.ask')", arg=form)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless Chromium of the system."""
    with sync_playwright() as playwright:
        path = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


DRAWINGS: dict[str, tuple[Callable[[Page, Page, Path], None], dict[str, Any]]] = {
    "game": (draw_game, WIDE),
    "phone": (draw_phone, PHONE),
    "walk": (draw_walk, WIDE),
    "map": (draw_map, PHONE),
    "painting": (draw_painting, PHONE),
    "asking": (draw_asking, WIDE),
    "picking": (draw_picking, WIDE),
    "voting": (draw_voting, WIDE),
}
ALL = (*DRAWINGS, "results")


def main(folder: Path, names: Collection[str]) -> None:
    """Draw pictures into a folder: those of the scenes named, or all of them."""
    [item] = Registry(ROOT).select_instances(GRIDS)
    if instances.load(item.instance).text("A") != GRID:
        raise SystemExit(f"{GRIDS} shows another grid than the one that WORDS is about: change WORDS and GRID")
    expect.set_options(timeout=60_000)  # a partner may think for long where other programs run beside
    with tempfile.TemporaryDirectory() as place, chromium() as browser:
        server = Server(Path(place)).start()
        try:
            host = browser.new_page()
            host.goto(server.url)
            for name, (draw, screen) in DRAWINGS.items():
                if name in names:
                    draw(host, browser.new_page(**screen, device_scale_factor=2), folder)
            if "results" in names:
                draw_results(server, browser.new_page(**WIDE, device_scale_factor=2), folder)
        finally:
            server.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE, sys.argv[2:] or ALL)
