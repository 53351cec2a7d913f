"""How the process looks after its memory: the C library's allocator and Python's garbage collector."""

from __future__ import annotations

import ctypes
import gc
import sys

ARENA_MAX_PARAMETER = -8
"""`M_ARENA_MAX` of glibc's malloc.h."""
MALLOC_ARENA_COUNT = 1
GC_THRESHOLDS = (2_000, 10, 20)
"""For `gc.set_threshold`: new objects before a collection of the young, and how many of these before that of older."""


def limit_arenas(arena_count: int = MALLOC_ARENA_COUNT) -> bool:
    """Let threads share `arena_count` heaps instead of one each; return whether the C library knows such a limit.

    Memory freed in a heap stays with it, so that many heaps make a burst of requests permanent. Call it before threads
    start; it does what MALLOC_ARENA_MAX does, which would have to be set before the process starts.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        return bool(ctypes.CDLL(None).mallopt(ARENA_MAX_PARAMETER, arena_count))
    except (OSError, AttributeError):  # another C library, such as musl
        return False


def reduce_garbage_collection() -> None:
    """Collect garbage less often than Python does by default.

    With 3,000 open sockets a whole collection takes up to half a second, in which nobody's move is answered. With the
    default thresholds `make load` met thirty of them, and moves had a 95th percentile of 126 to 216 ms; with these, of
    92 ms. Still rarer collections make moves faster (35 to 84 ms) and the process 5 to 10 MB larger.
    """
    gc.set_threshold(*GC_THRESHOLDS)
