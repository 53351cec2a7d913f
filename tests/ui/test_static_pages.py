"""Pages of Gradio are written by the server where they need no client, and left to the client where they do."""

import json
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from ui.server.static_pages import write_page

# Gradio starts event loops and sockets that it never closes, so it runs in a process of its own.
LAY_OUT = """
import json, sys, warnings
import gradio as gr
from fastapi import FastAPI
from starlette.testclient import TestClient

warnings.simplefilter("ignore")
ADDITIONS = {
    "nothing": lambda: None,
    "a button": lambda: gr.Button("Press"),
    "a style": lambda: gr.HTML("x", css_template="b { color: red }"),
    "an event": lambda: gr.on(None, lambda: None),
}
for name, add in ADDITIONS.items():
    with gr.Blocks(title="A & B", analytics_enabled=False) as demo:
        gr.Navbar(main_page_name="Start")
        gr.HTML("<b>text</b>", elem_id="place", js_on_load="run(element)", apply_default_css=False)
        add()
    with demo.route("Hidden", "/hidden", show_in_navbar=False):
        gr.HTML("", elem_id="hidden", js_on_load="run(element)", apply_default_css=False)
    with demo.route("More <", "/more"):
        gr.Navbar(main_page_name="Start")
    client = TestClient(gr.mount_gradio_app(FastAPI(), demo, path="/", ssr_mode=False))
    print(json.dumps({"name": name, "first": client.get("/").text, "second": client.get("/hidden").text}))
"""


@pytest.fixture(scope="module")
def pages() -> dict[str, dict[str, str]]:
    """Gradio's own first and second page, by what the first has besides navigation and HTML."""
    done = subprocess.run([sys.executable, "-c", LAY_OUT], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return {page["name"]: page for page in map(json.loads, done.stdout.splitlines())}


def test_a_page_with_html_only_is_written_without_gradios_client(pages):
    page = write_page(pages["nothing"]["first"], "<link first>")
    assert page
    assert "<title>A &amp; B</title>" in page
    assert '<a href="/" class="active" aria-current="page">Start</a><a href="/more">More &lt;</a></nav>' in page
    assert '<div id="place"><b>text</b></div>' in page
    assert '((element) => { run(element) })(document.getElementById("place"))' in page
    assert "<link first></head>" in page
    assert "gradio-app" not in page and "/assets/index-" in page and ".js" not in page
    hidden = write_page(pages["nothing"]["second"], "")
    assert hidden
    assert "<nav" not in hidden


@pytest.mark.parametrize("addition", ["a button", "a style", "an event"])
def test_a_page_with_anything_else_is_left_to_gradios_client(pages, addition):
    assert write_page(pages[addition]["first"], "") is None
    assert write_page(pages[addition]["second"], "")


def test_what_is_not_gradios_page_is_left_alone():
    assert write_page("<html><head></head></html>", "") is None


@pytest.mark.browser
def test_dark_is_chosen_before_our_script_runs(module_server, new_page):
    url = module_server().url
    page = new_page(color_scheme="light")
    page.goto(url)
    page.get_by_role("button", name="Switch to dark colours").click()
    page.context.route("**/pages/*.js", lambda route: route.abort())
    new_page.allow("Failed to")
    page.reload(wait_until="domcontentloaded")
    expect(page.locator("body")).to_have_class("dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(25, 22, 19)"
