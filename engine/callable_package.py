"""Let a package be called like one of its functions: `from engine import play` gives the package `engine.play`.

A submodule's name always wins in its parent, so the package of that name has to be callable itself.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any


def make_callable(package: str, module: str, function: str) -> None:
    """Make a package callable as `module.function`, which is imported at the first call."""

    class CallablePackage(ModuleType):
        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            target: Callable[..., Any] = getattr(import_module(module), function)
            return target(*args, **kwargs)

    sys.modules[package].__class__ = CallablePackage
