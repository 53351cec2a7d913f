"""The page that a person sees in place of one that cannot be shown: what happened, and ways on. It loads nothing."""

from __future__ import annotations

from html import escape

from engine.core.colours import BAIZE_SHADES, BRASS_SHADES, PAPER_SHADES

LIGHT_COLOURS = (
    f"--paper:{PAPER_SHADES[50]};--ink:{PAPER_SHADES[900]};--soft:{PAPER_SHADES[600]};--line:{PAPER_SHADES[200]};"
    f"--link:{BAIZE_SHADES[700]};"
)
LIGHT_COLOURS += f"--fill:{BAIZE_SHADES[600]};--on-fill:#fffdf9"
DARK_COLOURS = (
    f"--paper:{PAPER_SHADES[950]};--ink:{PAPER_SHADES[100]};--soft:{PAPER_SHADES[400]};--line:{PAPER_SHADES[700]};"
    f"--link:{BAIZE_SHADES[300]};"
)
DARK_COLOURS += f"--fill:{BAIZE_SHADES[300]};--on-fill:{BAIZE_SHADES[950]}"
SERIF_FONTS = "'Iowan Old Style','Palatino Linotype',Palatino,Charter,Georgia,'Liberation Serif',serif"
PAGE_STYLE = (
    f":root{{{LIGHT_COLOURS}}}@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{{DARK_COLOURS}}}}}"
    f":root[data-theme=dark]{{{DARK_COLOURS}}}"
    "*{box-sizing:border-box}body{margin:0;min-height:100vh;color:var(--ink);background:var(--paper);"
    "font:1rem/1.55 'Segoe UI',Roboto,'Noto Sans','Liberation Sans',system-ui,sans-serif}"
    "nav{display:flex;gap:1.5rem;align-items:center;height:50px;padding:0 1rem;border-bottom:1px solid var(--line)}"
    f"nav a{{color:var(--ink);text-decoration:none}}nav .brand{{margin-right:auto;font:600 1.25rem {SERIF_FONTS}}}"
    "main{max-width:38rem;margin:12vh auto 3rem;padding:0 1.25rem}"
    f".status{{margin:0;color:{BRASS_SHADES[500]};font:600 3.5rem/1 {SERIF_FONTS}}}"
    f"h1{{margin:.5rem 0 1rem;font:600 1.65rem/1.2 {SERIF_FONTS}}}main p{{color:var(--soft)}}"
    ".ways{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:center;margin-top:1.5rem}"
    ".ways a{color:var(--link)}"
    ".ways .first{padding:.6rem 1.4rem;border-radius:10px;background:var(--fill);color:var(--on-fill);font-weight:600;"
    "text-decoration:none}a:focus-visible{outline:3px solid var(--ink);outline-offset:2px}"
)
THEME_SCRIPT = "try{const t=localStorage.getItem('ludens.theme');if(t)document.documentElement.dataset.theme=t}catch{}"
"""Uses light or dark as the reader chose on other pages."""


def render_error_page(status: int, page_title: str, reason: str | None = None, retry_after: int | None = None) -> str:
    """Return the page; it loads itself again after `retry_after` seconds, if that is given."""
    refresh_tag = f'<meta http-equiv="refresh" content="{retry_after}">' if retry_after else ""
    retry_note = f"<p>This page will try again in {retry_after} seconds.</p>" if retry_after else ""
    status_mark = f'<p class="status" aria-hidden="true">{status}</p>' if status in (403, 404) else ""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(page_title)} · Ludens</title>'
        f'{refresh_tag}<meta name="viewport" content="width=device-width,initial-scale=1"><style>{PAGE_STYLE}</style>'
        f'<script>{THEME_SCRIPT}</script></head><body><nav aria-label="Site"><a class="brand" href="/">Ludens</a>'
        '<a href="/">Lobby</a><a href="/results">Results</a><a href="/profile">My games</a></nav>'
        f"<main>{status_mark}<h1>{escape(page_title)}</h1>{f'<p>{escape(reason)}</p>' if reason else ''}{retry_note}"
        '<p class="ways"><a class="first" href="/">To the lobby</a><a href="/profile">My games</a></p>'
        "</main></body></html>\n"
    )
