"""The Gradio shell of the web app: quick import, pages, theme.

The pages are shells. Gradio brings theme, routing and navigation; what lives (conversation, form, pictures, lists) is
drawn by one module per page, `static/NAME/NAME.js`, which talks to our own sockets and /api. No event, state or timer
runs in Python, so visitors get the pages without Gradio's client (`static_pages.py`).

Importing this module imports Gradio in half the time: 1.1 s of processor time instead of 2.2 (measured, gradio 6.31).
Each of Gradio's component classes otherwise parses its own source at every start to write a stub file for editors, and
the garbage collector walks over what an import makes, which is never garbage.
"""

from __future__ import annotations

import contextlib
import gc
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from fastapi import FastAPI
from starlette.routing import Mount

from engine.core.colours import BAIZE_SHADES, BRASS_SHADES, PAPER_SHADES


# ---------------------------------------------------------------------- importing Gradio
class StubBlocker(MetaPathFinder):
    """Finds the module of Gradio that writes stub files, and lets it write none; a changed Gradio stays as it is."""

    module = "gradio.component_meta"

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to import that module; None for every other."""
        module_spec = PathFinder.find_spec(fullname, path, target) if fullname == self.module else None
        if module_spec is None or module_spec.loader is None:
            return None
        execute_module = module_spec.loader.exec_module

        def execute_without_stubs(module: ModuleType) -> None:
            execute_module(module)
            if "create_or_modify_pyi" in vars(module):
                vars(module)["create_or_modify_pyi"] = lambda *_: None

        module_spec.loader.exec_module = execute_without_stubs  # type: ignore[method-assign]
        return module_spec


@contextlib.contextmanager
def import_without_stubs() -> Iterator[None]:
    """Import without stub files and garbage collection."""
    stub_import_blocker = StubBlocker()
    sys.meta_path.insert(0, stub_import_blocker)
    gc.disable()
    try:
        yield
    finally:
        sys.meta_path.remove(stub_import_blocker)
        gc.enable()
    gc.freeze()


with import_without_stubs():
    import gradio as gr
    from gradio.routes import App
    from gradio.themes import Color

STATIC_FOLDER = Path(__file__).resolve().parents[1] / "static"
PAGE_BY_PATH = {
    "/": "lobby",
    "/table": "table",
    "/watch": "watch",
    "/episode": "episode",
    "/rules": "rules",
    "/profile": "profile",
    "/results": "results",
    "/participate": "participate",
}
"""The pages' addresses, each with its name."""


# ---------------------------------------------------------------------- pages
def build_pages() -> gr.Blocks:
    """Return the app's pages: those of `PAGE_BY_PATH`; some take ?seat=ID, ?episode=ID, ?id=ID or ?game=NAME."""
    pages = gr.Blocks(title="Ludens", analytics_enabled=False)
    with pages:
        add_page("lobby")
    with pages.route("Table", "/table", show_in_navbar=False):
        add_page("table")
    with pages.route("Watch", "/watch", show_in_navbar=False):
        add_page("watch")
    with pages.route("Episode", "/episode", show_in_navbar=False):
        add_page("episode")
    with pages.route("Study", "/participate", show_in_navbar=False):
        add_page("participate")
    with pages.route("Rules", "/rules", show_in_navbar=False):
        add_page("rules")
    with pages.route("Results", "/results"):
        add_page("results")
    with pages.route("My games", "/profile"):
        add_page("profile")
    return pages


def add_page(page_name: str) -> None:
    """Lay out one page inside the present Blocks: the navigation, and a place that `static/NAME/NAME.js` draws into."""
    gr.Navbar(main_page_name="Lobby")
    gr.HTML(
        "",
        elem_id=page_name,
        js_on_load=f"import('/web/core/start.js').then((module) => module.start('{page_name}', element))",
        apply_default_css=False,
    )


def shell() -> dict[str, Any]:
    """Return what `gr.mount_gradio_app` takes besides app, Blocks and path: our theme, none of Gradio's own extras."""
    return {
        "theme": make_theme(),
        "favicon_path": str(STATIC_FOLDER / "core" / "icon.svg"),
        "footer_links": [],
        "run_history": False,
        "show_error": False,
        "enable_monitoring": False,
        "ssr_mode": False,
    }


@contextlib.contextmanager
def suppress_app_building() -> Iterator[None]:
    """Keep Gradio from building a FastAPI app after each page and for the queue: only the one that is mounted counts.

    Each of these seven apps takes 0.1 s of processor time (measured, gradio 6.31).
    """
    create_app = App.create_app
    App.create_app = staticmethod(lambda *_, **__: None)  # type: ignore[assignment]
    try:
        yield
    finally:
        App.create_app = create_app  # type: ignore[method-assign]


def mount_pages(app: FastAPI) -> FastAPI:
    """Mount the pages at / and return the app."""
    with suppress_app_building():
        pages = build_pages().queue(default_concurrency_limit=None, max_size=100)
    # our pages have no events to look for a thousand times a second (5 % of a core), nor progress, a hundred times
    pages._queue.sleep_when_free = pages._queue.progress_update_sleep_when_free = 1.0
    with warnings.catch_warnings(action="ignore"):  # it says that several pages mean no SSR, which we ask for anyway
        app = gr.mount_gradio_app(app, pages, path="/", max_file_size="1kb", **shell())
    pages.app = next(route.app for route in app.routes if isinstance(route, Mount) and isinstance(route.app, App))
    pages.has_launched = True  # a mounted app otherwise skips Gradio's check of file paths
    return app


# ---------------------------------------------------------------------- theme
# Paper, ink, green baize and brass, from `engine/core/colours.py`. The theme's CSS variables are also what
# `static/core/core.css` builds on. Fonts are those of the reader's system: nothing is fetched.
SANS_FONTS = ("Segoe UI", "Roboto", "Noto Sans", "Liberation Sans", "system-ui", "sans-serif")
MONO_FONTS = ("ui-monospace", "Cascadia Mono", "Menlo", "Consolas", "Liberation Mono", "monospace")


def _make_colour_scale(scale_name: str, shades: Mapping[int, str]) -> Color:
    return Color(**{f"c{shade_number}": colour_text for shade_number, colour_text in shades.items()}, name=scale_name)


THEME_COLOURS = {
    "body_background_fill": ("*neutral_50", "*neutral_950"),
    "body_text_color": ("*neutral_900", "*neutral_100"),
    "body_text_color_subdued": ("*neutral_600", "*neutral_400"),
    "background_fill_primary": ("#fffdf9", "*neutral_900"),
    "background_fill_secondary": ("*neutral_100", "*neutral_800"),
    "block_background_fill": ("#fffdf9", "*neutral_900"),
    "border_color_primary": ("*neutral_200", "*neutral_700"),
    "border_color_accent": ("*primary_600", "*primary_400"),
    "color_accent_soft": ("*primary_50", "*primary_900"),
    "link_text_color": ("*primary_700", "*primary_300"),
    "link_text_color_hover": ("*primary_800", "*primary_200"),
    "link_text_color_visited": ("*primary_700", "*primary_300"),
    "input_background_fill": ("#fffdf9", "*neutral_950"),
    "input_border_color": ("*neutral_500", "*neutral_500"),
    "input_placeholder_color": ("*neutral_500", "*neutral_400"),
    "button_primary_background_fill": ("*primary_600", "*primary_300"),
    "button_primary_background_fill_hover": ("*primary_700", "*primary_200"),
    "button_primary_text_color": ("#fffdf9", "*primary_950"),
    "button_secondary_background_fill": ("*neutral_100", "*neutral_800"),
    "button_secondary_background_fill_hover": ("*neutral_200", "*neutral_700"),
    "button_secondary_border_color": ("*neutral_300", "*neutral_600"),
    "button_secondary_text_color": ("*neutral_900", "*neutral_100"),
    "error_background_fill": ("#fdf0ec", "#35201a"),
    "error_border_color": ("#b3402a", "#d9765f"),
    "error_text_color": ("#93301d", "#f2a894"),
}
"""Names of Gradio's theme, each with its light and its dark colour."""


def make_theme() -> gr.themes.Base:
    """Return the theme: light and dark, system fonts only."""
    return gr.themes.Base(
        primary_hue=_make_colour_scale("baize", BAIZE_SHADES),
        secondary_hue=_make_colour_scale("brass", BRASS_SHADES),
        neutral_hue=_make_colour_scale("paper", PAPER_SHADES),
        radius_size=gr.themes.sizes.radius_md,
        font=SANS_FONTS,
        font_mono=MONO_FONTS,
    ).set(
        **{variable_name: light_value for variable_name, (light_value, _) in THEME_COLOURS.items()},
        **{f"{variable_name}_dark": dark_value for variable_name, (_, dark_value) in THEME_COLOURS.items()},
        color_accent="*primary_600",
        block_shadow="none",
        block_border_width="0px",
        layout_gap="0px",
    )
