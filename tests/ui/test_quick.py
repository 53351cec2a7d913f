"""Gradio imported quickly is Gradio all the same."""

import subprocess
import sys

CHECK = """
import gc
from ui.quick import load_gradio
gr = load_gradio()
assert gr.component_meta.create_or_modify_pyi.__name__ == "<lambda>", "this Gradio writes its stub files elsewhere"
assert gc.isenabled() and gc.get_freeze_count() > 1000
with gr.Blocks() as demo:
    gr.HTML("x", js_on_load="1")
assert demo.get_config_file()["components"]
"""


def test_gradio_imported_quickly_writes_no_stubs_and_works():
    done = subprocess.run([sys.executable, "-c", CHECK], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
