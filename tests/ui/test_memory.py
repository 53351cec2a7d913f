"""What the server keeps in memory: one heap for threads that start after the limit was set, and answers in use."""

import subprocess
import sys
from collections.abc import Hashable

import pytest

from ui.live.results import MAX_CACHED_ANSWERS, VisibleResults

COUNT_HEAPS = """
import ctypes, sys, threading
from ui.server.memory import limit_arenas
if sys.argv[1] == "limited" and not limit_arenas():
    sys.exit(7)
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
barrier = threading.Barrier(16)
def allocate():
    barrier.wait()
    libc.malloc(5000)
    barrier.wait()
threads = [threading.Thread(target=allocate) for _ in range(16)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
libc.malloc_info(0, ctypes.c_void_p.in_dll(libc, "stdout"))
libc.fflush(None)
"""


def test_threads_share_one_heap():
    def heaps(limit: str) -> int:
        done = subprocess.run([sys.executable, "-c", COUNT_HEAPS, limit], capture_output=True, text=True, timeout=60)
        if done.returncode == 7:
            pytest.skip("this C library has no such limit")
        assert done.returncode == 0, done.stderr
        return done.stdout.count("<heap nr=")

    assert heaps("limited") == 1


def test_answers_that_are_used_are_kept_among_many_others():
    visible = VisibleResults(None, None, frozenset(), {}, None, None)  # type: ignore[arg-type]
    computed: list[Hashable] = []

    def ask(key: Hashable) -> Hashable:
        return visible.cache_answer(key, lambda: computed.append(key) or key)

    for number in range(2 * MAX_CACHED_ANSWERS):
        assert ask("page") == "page" and ask(number) == number
    assert computed.count("page") == 1 and len(visible.cached_answers) == MAX_CACHED_ANSWERS
    ask(0)
    assert computed.count(0) == 2  # forgotten since
