"""The lobby, `/`: one click to play, tables set up seat by seat, what is open, running and over. Drawn by web/lobby.js."""

import gradio as gr

from ui.mounting import mount


def page() -> None:
    """Lay out the page inside the present Blocks."""
    gr.Navbar(main_page_name="Lobby")
    mount("lobby")
