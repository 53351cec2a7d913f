"""Pictures keep their proportions in windows of every size, in every game that has pictures."""

import pytest
from playwright.sync_api import Page, expect

from tests.ui.guests import Guest

pytestmark = pytest.mark.browser

WINDOWS = {"short": (1280, 500), "phone": (390, 844), "phone on its side": (844, 390), "wide": (1280, 800)}
STRETCHED = """images => images.map((image) => {
    const { width, height } = image.getBoundingClientRect();
    return { width, height, natural: image.naturalWidth / image.naturalHeight };
}).filter(({ width, height, natural }) => width && Math.abs(width - natural * height) > 1.5)"""
"""The visible images whose sides differ by more than a pixel from the proportions of their files."""

FRAMES = """frames => frames.map((frame) => {
    const [outer, inner] = [frame, frame.querySelector('img')].map((node) => node.getBoundingClientRect());
    return [outer.width - inner.width, outer.height - inner.height];
}).filter((room) => Math.max(...room) > 3)"""
"""The frames with room beside their picture."""


@pytest.fixture(scope="module")
def house(module_server):
    """A server shared by the tests of this file."""
    return module_server()


def check_pictures(page: Page, number: int) -> None:
    """Check each visible picture at every size of the window; at least `number` are there."""
    page.wait_for_function(
        "number => [...document.images].filter((image) => image.complete).length >= number", arg=number
    )
    for name, (width, height) in WINDOWS.items():
        page.set_viewport_size({"width": width, "height": height})
        visible = page.locator("img:visible")
        expect(visible.first).to_be_visible()
        assert visible.evaluate_all(STRETCHED) == [], name
        assert page.locator("button.picture:visible").evaluate_all(FRAMES) == [], name
        sizes = [visible.nth(index).bounding_box() for index in range(visible.count())]
        assert all(size and min(size["width"], size["height"]) >= 40 for size in sizes), (name, sizes)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name


def open_seat(house, game: str, seats: dict[str, str], **chosen) -> tuple[str, str]:
    """Open a table; return the address of the seat for an invited person and that for spectators."""
    with Guest(house.url) as host:
        table = host.open(seats, game=game, pace=0, **chosen)
        [invitation] = table["invitations"].values()
        return house.url + invitation, house.url + (table["spectators"] or f"/watch?episode={table['episode']}")


@pytest.mark.parametrize("experiment", ["pentomino-different", "photos-different"])
def test_a_board_and_a_photo_of_matchit(house, new_page, player_at, experiment):
    seats = {"A": "invite", "B": "scripted"}
    seat, spectators = open_seat(house, "matchit", seats, variant="picture", experiment=experiment, instance=0)
    page = new_page(seat)
    me = player_at(page)
    me.wait_for_ask()
    check_pictures(page, 1)
    watching = new_page(spectators)
    check_pictures(watching, 1)
    while me.wait_for_ask():
        me.reply("Is there a line?")
    check_pictures(page, 2)
    page.get_by_role("button", name="Enlarge").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    check_pictures(page, 3)


@pytest.mark.parametrize("seat", ["speaker", "listener"])
def test_the_three_pictures_of_the_reference_game(house, new_page, player_at, seat):
    seats = {"speaker": "scripted", "listener": "scripted", seat: "invite"}
    address, _ = open_seat(house, "reference", seats, variant="picture", experiment="rows", instance=0)
    page = new_page(address)
    player_at(page).wait_for_ask()
    check_pictures(page, 3)
    if seat == "listener":
        page.set_viewport_size({"width": 390, "height": 844})
        page.locator(".tile img").nth(1).click()
        expect(page.locator(".large img")).to_be_visible()
        check_pictures(page, 4)


def test_the_rooms_of_map_world(house, new_page, player_at):
    address, _ = open_seat(house, "mapworld", {"walker": "invite"}, variant="ee-picture")
    page = new_page(address)
    player_at(page).wait_for_ask()
    check_pictures(page, 1)
