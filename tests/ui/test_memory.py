"""The allocator's limit holds for threads that start after it was set."""

import subprocess
import sys

import pytest

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
