"""Gradio's pages as the server writes them, without Gradio's client.

That client is 33 files, and draws what it is told by a configuration in the page. Where that names only navigation and
HTML, the server writes the same elements, with Gradio's own theme and style sheet, and a visitor sees the page at once.
A page with any other component, or with an event, stays as it is: Gradio's client draws it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import Any

from engine.core.patterns import compile_linear

Config = Mapping[str, Any]

CONFIG_SCRIPT = "window.gradio_config = "
"""Stands before the configuration in a page of Gradio."""
STYLE_SHEET = compile_linear(r'<link rel="stylesheet" crossorigin href="\./([^"]+)">', why="one class, up to a quote")
CHOOSE_THEME = (
    "document.body.classList.toggle('dark', (localStorage.getItem('ludens.theme') ?? "
    "(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark')"
)
"""Applies light or dark before anything is painted; `static/core/start.js` does it again whenever that changes."""


def write_page(gradio_page: str, head_html: str) -> str | None:
    """Return a page of Gradio that needs no client, given what stands first in its head; None if it needs one."""
    config_start = gradio_page.find(CONFIG_SCRIPT)
    if config_start < 0:
        return None
    config: Config = json.JSONDecoder().raw_decode(gradio_page, config_start + len(CONFIG_SCRIPT))[0]
    if config["dependencies"] or not all(map(_is_static, config["components"])):
        return None
    gradio_styles = [*STYLE_SHEET.findall(gradio_page), f"theme.css?v={config['theme_hash']}"]
    style_links = "".join(f'<link rel="stylesheet" href="/{path}">' for path in gradio_styles)
    scope = f"gradio-container-{config['version'].replace('.', '-')}"  # of every rule in Gradio's style sheet
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(config['title'])}</title>{style_links}{head_html}</head><body><script>{CHOOSE_THEME}</script>"
        f'<div class="gradio-container {scope}">{"".join(_navigation_parts(config))}<main class="main app">'
        f"{''.join(_component_html(component) for component in config['components'])}</main></div></body></html>\n"
    )


def _is_static(component: Config) -> bool:
    """Return whether a component is the same for every visitor and drawn from its properties alone."""
    match component:
        case {"type": "navbar"}:
            return True
        case {"type": "html", "props": {"html_template": "${value}", "css_template": "", "buttons": buttons}}:
            return not buttons
    return False


def _navigation_parts(config: Config) -> list[str]:
    """Return the navigation bar in parts; none if the page has no bar."""
    for component in config["components"]:
        match component:
            case {"type": "navbar", "props": {"main_page_name": first_name}}:
                page_links = [
                    _link(path, page_name if path else first_name, is_active=path == config["current_page"])
                    for path, page_name, is_in_menu in config["pages"]
                    if is_in_menu
                ]
                return ['<div class="nav-holder"><nav aria-label="Site">', *page_links, "</nav></div>"]
    return []


def _link(path: str, page_name: str, *, is_active: bool) -> str:
    active = ' class="active" aria-current="page"' if is_active else ""
    return f'<a href="/{escape(path)}"{active}>{escape(page_name)}</a>'


def _component_html(component: Config) -> str:
    """Return an HTML component and the script that runs when it is there; nothing for other components."""
    match component:
        case {"type": "html", "props": {"elem_id": name, "value": html, "js_on_load": script}}:
            run = f"((element) => {{ {script} }})(document.getElementById({json.dumps(name)}))"
            return f'<div id="{escape(name)}">{html}</div><script type="module">{run}</script>'
    return ""
