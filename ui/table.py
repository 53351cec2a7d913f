"""The table, `/table?seat=ID`: one seat's conversation, pictures and reply form. Drawn by web/table.js."""

import gradio as gr

from ui.mounting import mount


def page() -> None:
    """Lay out the page inside the present Blocks."""
    gr.Navbar(main_page_name="Lobby")
    mount("table")
