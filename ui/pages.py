"""The web app's pages, assembled: `build()` gives the Blocks, `shell()` what mounting them needs.

The pages are shells. Gradio brings theme, routing and navigation; what lives (conversation, form, pictures, lists) is
drawn by the modules in `web/`, which talk to our own sockets and /api. No event, no state and no timer runs in Python.
"""

from pathlib import Path
from typing import Any

import gradio as gr

from ui import lobby, table, watch
from ui.theme import theme

WEB = Path(__file__).parent / "web"
"""The files served below /web/."""


def build() -> gr.Blocks:
    """Make the app's pages: / (lobby), /table?seat=ID and /watch?episode=ID."""
    with gr.Blocks(title="Ludens", analytics_enabled=False) as demo:
        lobby.page()
    with demo.route("Table", "/table", show_in_navbar=False):
        table.page()
    with demo.route("Watch", "/watch", show_in_navbar=False):
        watch.page()
    return demo


def shell() -> dict[str, Any]:
    """Return what `gr.mount_gradio_app` takes besides app, Blocks and path: our theme, none of Gradio's own extras."""
    return {
        "theme": theme(),
        "favicon_path": str(WEB / "icon.svg"),
        "footer_links": [],
        "run_history": False,
        "show_error": False,
        "enable_monitoring": False,
        "ssr_mode": False,
    }
