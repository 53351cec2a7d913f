"""How a process that holds a model is started, and ends with us however we end.

It reads from its standard input and leaves when that ends: when we close it, or are gone. What it needs to know comes
that way too, so that nothing secret stands on a command line that others can read.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[2]
END_WITHIN = 5.0


def started(module: str, errors: int | IO[bytes]) -> subprocess.Popen[bytes]:
    """Start a module of ours as a process with pipes to its standard input and output. Raises OSError."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env={**os.environ, "PYTHONPATH": path, "TOKENIZERS_PARALLELISM": "false"},
        start_new_session=True,  # Ctrl-C goes to us; the child ends when we close its input, or are gone
    )


def ended(process: subprocess.Popen[bytes]) -> int:
    """Wait for a process whose standard input was closed, kill it if that does not do, and return its exit code."""
    try:
        return process.wait(END_WITHIN)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()
