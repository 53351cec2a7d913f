"""A place on a Gradio page that one of our own modules in `web/` fills."""

import gradio as gr


def mount(page: str) -> gr.HTML:
    """Put an empty element on the page and let `web/PAGE.js` draw into it (through `web/start.js`)."""
    return gr.HTML(
        "",
        elem_id=page,
        js_on_load=f"import('/web/start.js').then((module) => module.start('{page}', element))",
        apply_default_css=False,
    )
