"""The web app's pages: `build()` gives the Blocks, `shell()` what mounting them needs, `WEB` the files of /web/.

The pages are shells. Gradio brings theme, routing and navigation; what lives (conversation, form, pictures, lists) is
drawn by one module per page, `static/NAME/NAME.js`, which talks to our own sockets and /api. No event, state or timer
runs in Python.
"""

from pathlib import Path
from typing import Any

import gradio as gr

from ui.server.theme import theme

WEB = Path(__file__).resolve().parents[1] / "static"


def build() -> gr.Blocks:
    """Make the app's pages: / (lobby), /table?seat=ID, /watch?episode=ID, /episode?id=ID and /results."""
    demo = gr.Blocks(title="Ludens", analytics_enabled=False)
    with demo:
        page("lobby")
    with demo.route("Table", "/table", show_in_navbar=False):
        page("table")
    with demo.route("Watch", "/watch", show_in_navbar=False):
        page("watch")
    with demo.route("Episode", "/episode", show_in_navbar=False):
        page("episode")
    with demo.route("Results", "/results"):
        page("results")
    return demo


def page(name: str) -> None:
    """Lay out one page inside the present Blocks: the navigation, and a place that `static/NAME/NAME.js` draws into."""
    gr.Navbar(main_page_name="Lobby")
    gr.HTML(
        "",
        elem_id=name,
        js_on_load=f"import('/web/core/start.js').then((module) => module.start('{name}', element))",
        apply_default_css=False,
    )


def shell() -> dict[str, Any]:
    """Return what `gr.mount_gradio_app` takes besides app, Blocks and path: our theme, none of Gradio's own extras."""
    return {
        "theme": theme(),
        "favicon_path": str(WEB / "core" / "icon.svg"),
        "footer_links": [],
        "run_history": False,
        "show_error": False,
        "enable_monitoring": False,
        "ssr_mode": False,
    }
