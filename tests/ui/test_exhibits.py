"""Pictures on the table: the credit line of sets that ask for one, and the picture enlarged with its marks."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

CREDIT = "Visual Genome, CC BY 4.0"
SHOW = """async ({picture, credit}) => {
  const { drawExhibit } = await import('/web/core/exhibits.js');
  const { loadStyle } = await import('/web/core/styles.js');
  await loadStyle('/web/core/game.css');
  const item = { title: 'Your picture', alt: 'Your picture', picture, width: 640, height: 480, boxes: [[9, 9, 9, 9]] };
  document.body.replaceChildren();
  const place = document.createElement('main');
  place.className = 'ludens';
  place.append(drawExhibit({ ...item, credit }), drawExhibit({ ...item, credit: '', title: 'Another' }));
  document.body.append(place);
}"""


def test_a_picture_is_credited_where_it_is_shown_and_can_be_seen_closely(server, new_page):
    page = new_page(server().url, viewport={"width": 1500, "height": 900})
    page.evaluate(SHOW, {"picture": "/web/core/icon.svg", "credit": CREDIT})
    figure, other = page.locator("figure.exhibit").all()
    expect(figure.get_by_text(CREDIT)).to_be_visible()
    expect(other.locator(".credit")).to_have_count(0)
    small = figure.get_by_role("button", name="Enlarge: Your picture")
    small.click()
    dialog = page.get_by_role("dialog", name="Your picture")
    expect(dialog.get_by_text(CREDIT)).to_be_visible()
    expect(dialog.locator(".box")).to_have_count(1)
    sheet = dialog.locator(".sheet")
    before = sheet.bounding_box()["width"]
    sheet.click()
    expect(dialog.get_by_text("200 %")).to_be_visible()
    assert sheet.bounding_box()["width"] == pytest.approx(2 * before, rel=0.01)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")  # only the view scrolls
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
