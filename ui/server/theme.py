"""How Ludens looks: paper, ink, green baize and brass.

One Gradio theme; its CSS variables are also what `static/core/core.css` builds on, so a colour is written once, here.
Fonts are those of the reader's system: nothing is fetched. Every text colour keeps 4.5:1 against its background in
light and in dark.
"""

import gradio as gr
from gradio.themes import Color

BAIZE = Color(
    c50="#eff6f1", c100="#dbece2", c200="#b7d8c5", c300="#89bd9f", c400="#5aa07c", c500="#377f5d",
    c600="#25664a", c700="#1d523c", c800="#184231", c900="#133428", c950="#0a1f18", name="baize",
)  # fmt: skip
BRASS = Color(
    c50="#fbf6ea", c100="#f5e8cb", c200="#ead097", c300="#dcb25f", c400="#c99538", c500="#a97521",
    c600="#87591a", c700="#6d4718", c800="#573817", c900="#432c13", c950="#261808", name="brass",
)  # fmt: skip
PAPER = Color(
    c50="#fbf8f2", c100="#f4efe5", c200="#e7dfd0", c300="#d3c8b4", c400="#a99c87", c500="#7b6f5d",
    c600="#62574a", c700="#4a4238", c800="#322d27", c900="#24201c", c950="#191613", name="paper",
)  # fmt: skip

SANS = ("Segoe UI", "Roboto", "Noto Sans", "Liberation Sans", "system-ui", "sans-serif")
MONO = ("ui-monospace", "Cascadia Mono", "Menlo", "Consolas", "Liberation Mono", "monospace")


def theme() -> gr.themes.Base:
    """Make the theme: light and dark, system fonts only."""
    return gr.themes.Base(
        primary_hue=BAIZE,
        secondary_hue=BRASS,
        neutral_hue=PAPER,
        radius_size=gr.themes.sizes.radius_md,
        font=SANS,
        font_mono=MONO,
    ).set(
        body_background_fill="*neutral_50",
        body_background_fill_dark="*neutral_950",
        body_text_color="*neutral_900",
        body_text_color_dark="*neutral_100",
        body_text_color_subdued="*neutral_600",
        body_text_color_subdued_dark="*neutral_400",
        background_fill_primary="#fffdf9",
        background_fill_primary_dark="*neutral_900",
        background_fill_secondary="*neutral_100",
        background_fill_secondary_dark="*neutral_800",
        block_background_fill="#fffdf9",
        block_background_fill_dark="*neutral_900",
        border_color_primary="*neutral_200",
        border_color_primary_dark="*neutral_700",
        border_color_accent="*primary_600",
        border_color_accent_dark="*primary_400",
        color_accent="*primary_600",
        color_accent_soft="*primary_50",
        color_accent_soft_dark="*primary_900",
        link_text_color="*primary_700",
        link_text_color_dark="*primary_300",
        link_text_color_hover="*primary_800",
        link_text_color_hover_dark="*primary_200",
        link_text_color_visited="*primary_700",
        link_text_color_visited_dark="*primary_300",
        input_background_fill="#fffdf9",
        input_background_fill_dark="*neutral_950",
        input_border_color="*neutral_500",
        input_border_color_dark="*neutral_500",
        input_placeholder_color="*neutral_500",
        input_placeholder_color_dark="*neutral_400",
        button_primary_background_fill="*primary_600",
        button_primary_background_fill_dark="*primary_300",
        button_primary_background_fill_hover="*primary_700",
        button_primary_background_fill_hover_dark="*primary_200",
        button_primary_text_color="#fffdf9",
        button_primary_text_color_dark="*primary_950",
        button_secondary_background_fill="*neutral_100",
        button_secondary_background_fill_dark="*neutral_800",
        button_secondary_background_fill_hover="*neutral_200",
        button_secondary_background_fill_hover_dark="*neutral_700",
        button_secondary_border_color="*neutral_300",
        button_secondary_border_color_dark="*neutral_600",
        button_secondary_text_color="*neutral_900",
        button_secondary_text_color_dark="*neutral_100",
        error_background_fill="#fdf0ec",
        error_background_fill_dark="#35201a",
        error_border_color="#b3402a",
        error_border_color_dark="#d9765f",
        error_text_color="#93301d",
        error_text_color_dark="#f2a894",
        block_shadow="none",
        block_border_width="0px",
        layout_gap="0px",
    )
