"""Keeps the process small: one setting of the C library's allocator, which Python takes large blocks from."""

from __future__ import annotations

import ctypes
import sys

ARENA_MAX = -8
"""`M_ARENA_MAX` of glibc's malloc.h."""
ARENAS = 2


def limit_arenas(count: int = ARENAS) -> bool:
    """Let threads share `count` heaps instead of one each; return whether the C library knows such a limit.

    Memory freed in a heap stays with it, so that many heaps make a burst of requests permanent. Call it before threads
    start; it does what MALLOC_ARENA_MAX does, which would have to be set before the process starts.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        return bool(ctypes.CDLL(None).mallopt(ARENA_MAX, count))
    except (OSError, AttributeError):  # another C library, such as musl
        return False
