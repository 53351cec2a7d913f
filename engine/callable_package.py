"""Let a package be called like one of its functions: `from engine import play` gives the package `engine.play`.

A submodule's name always wins in its parent, so the package of that name has to be callable itself.
"""

import inspect
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any


def make_callable(package: str, module: str, function_name: str) -> None:
    """Make a package callable as `module.function`, which is imported at the first call."""

    def load_function() -> Callable[..., Any]:
        target_function: Callable[..., Any] = getattr(import_module(module), function_name)
        return target_function

    class CallablePackage(ModuleType):
        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            return load_function()(*args, **kwargs)

        @property
        def __signature__(self) -> inspect.Signature:
            return inspect.signature(load_function())

    sys.modules[package].__class__ = CallablePackage
