"""The one place that imports sqlite-utils: without pandas and numpy, plug-ins, and changes of a connection's settings.

Import this module inside the functions that need it. sqlite-utils imports pandas and numpy if they are installed, only
to store their values, which nobody does here; without both its import takes a quarter of the time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from sqlite3 import Connection

__all__ = ["sqlite_utils", "wrap_connection"]


@contextmanager
def _hide_modules(*modules: str) -> Iterator[None]:
    """Let imports of these modules fail as if they were not installed, unless they are loaded already."""
    hidden_modules = [module for module in modules if module not in sys.modules]
    sys.modules |= dict.fromkeys(hidden_modules)  # type: ignore[arg-type]  # None is how Python marks what must not be imported
    try:
        yield
    finally:
        for module in hidden_modules:
            del sys.modules[module]


with _hide_modules("pandas", "numpy"):
    import sqlite_utils


def wrap_connection(db: Connection) -> sqlite_utils.Database:
    """Return a connection as sqlite-utils uses it.

    Plug-ins that happen to be installed are not run, and recursive triggers stay as they are (sqlite-utils switches
    them on by default).
    """
    return sqlite_utils.Database(db, execute_plugins=False, recursive_triggers=False)
