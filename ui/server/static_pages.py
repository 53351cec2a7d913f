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

from engine.core.patterns import compile_linear_pattern

GradioConfig = Mapping[str, Any]

CONFIG_SCRIPT = "window.gradio_config = "
"""Stands before the configuration in a page of Gradio."""
STYLE_SHEET = compile_linear_pattern(
    r'<link rel="stylesheet" crossorigin href="\./([^"]+)">', reason="one class, up to a quote"
)
CHOOSE_THEME_SCRIPT = (
    "document.body.classList.toggle('dark', (localStorage.getItem('ludens.theme') ?? "
    "(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark')"
)
"""Applies light or dark before anything is painted; `static/core/start.js` does it again whenever that changes."""


def write_page(gradio_page: str, head_html: str) -> str | None:
    """Return a page of Gradio that needs no client, given what stands first in its head; None if it needs one."""
    config_start = gradio_page.find(CONFIG_SCRIPT)
    if config_start < 0:
        return None
    config: GradioConfig = json.JSONDecoder().raw_decode(gradio_page, config_start + len(CONFIG_SCRIPT))[0]
    if config["dependencies"] or not all(map(_is_static, config["components"])):
        return None
    gradio_styles = [*STYLE_SHEET.findall(gradio_page), f"theme.css?v={config['theme_hash']}"]
    style_links = "".join(f'<link rel="stylesheet" href="/{style_path}">' for style_path in gradio_styles)
    scope_class = f"gradio-container-{config['version'].replace('.', '-')}"  # of every rule in Gradio's style sheet
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(config['title'])}</title>{style_links}{head_html}</head><body><script>{CHOOSE_THEME_SCRIPT}</script>"
        f'<div class="gradio-container {scope_class}">{"".join(_build_navigation(config))}<main class="main app">'
        f"{''.join(_build_component(component) for component in config['components'])}</main></div></body></html>\n"
    )


def _is_static(component: GradioConfig) -> bool:
    """Return whether a component is the same for every visitor and drawn from its properties alone."""
    match component:
        case {"type": "navbar"}:
            return True
        case {"type": "html", "props": {"html_template": "${value}", "css_template": "", "buttons": buttons}}:
            return not buttons
    return False


def _build_navigation(config: GradioConfig) -> list[str]:
    """Return the navigation bar in parts; none if the page has no bar."""
    for component in config["components"]:
        match component:
            case {"type": "navbar", "props": {"main_page_name": first_name}}:
                page_links = [
                    _build_link(path, page_name if path else first_name, is_active=path == config["current_page"])
                    for path, page_name, is_in_menu in config["pages"]
                    if is_in_menu
                ]
                return ['<div class="nav-holder"><nav aria-label="Site">', *page_links, "</nav></div>"]
    return []


def _build_link(page_path: str, page_name: str, *, is_active: bool) -> str:
    active_attributes = ' class="active" aria-current="page"' if is_active else ""
    return f'<a href="/{escape(page_path)}"{active_attributes}>{escape(page_name)}</a>'


def _build_component(component: GradioConfig) -> str:
    """Return an HTML component and the script that runs when it is there; nothing for other components."""
    match component:
        case {"type": "html", "props": {"elem_id": element_id, "value": component_html, "js_on_load": start_script}}:
            run_script = f"((element) => {{ {start_script} }})(document.getElementById({json.dumps(element_id)}))"
            return f'<div id="{escape(element_id)}">{component_html}</div><script type="module">{run_script}</script>'
    return ""
