"""Gradio imported quickly is Gradio all the same."""

import subprocess
import sys

CHECK = """
import gc
from ui.server.shell import build_pages
import gradio as gr
assert gr.component_meta.create_or_modify_pyi.__name__ == "<lambda>", "this Gradio writes its stub files elsewhere"
assert gc.isenabled() and gc.get_freeze_count() > 1000
assert build_pages().get_config_file()["components"]
"""


def test_gradio_imported_quickly_writes_no_stubs_and_works():
    done = subprocess.run([sys.executable, "-c", CHECK], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
