"""Watching, `/watch?episode=ID`: both sides live or step by step, then the debriefing. Drawn by web/watch.js."""

import gradio as gr

from ui.mounting import mount


def page() -> None:
    """Lay out the page inside the present Blocks."""
    gr.Navbar(main_page_name="Lobby")
    mount("watch")
