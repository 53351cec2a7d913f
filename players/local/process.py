"""Starts a process that holds a model, and ends it together with its parent, however the parent ends.

The process reads the pipe that was its standard input and exits when that is closed: by its parent, or because its
parent is gone. Its settings also come this way, so that no secret stands on a command line that others can read.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import IO, BinaryIO

PROJECT_ROOT = Path(__file__).resolve().parents[2]
EXIT_SECONDS = 5.0


def start_process(module: str, errors: int | IO[bytes]) -> subprocess.Popen[bytes]:
    """Start a module of ours as a process with pipes to its standard input and output. Raises OSError."""
    path = os.pathsep.join(filter(None, [str(PROJECT_ROOT), os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env={**os.environ, "PYTHONPATH": path, "TOKENIZERS_PARALLELISM": "false"},
        start_new_session=True,  # Ctrl-C reaches the parent only; the child ends when its input is closed
    )


def detach_standard_input() -> BinaryIO:
    """Return the pipe of the parent and leave /dev/null as standard input, for the child before anything is read.

    Otherwise a library that asks a question there would take our messages as its answer, or wait for ever.
    """
    pipe = os.fdopen(os.dup(0), "rb")
    with open(os.devnull, "rb") as null_device:
        os.dup2(null_device.fileno(), 0)
    return pipe


def wait_or_kill(child_process: subprocess.Popen[bytes]) -> int:
    """Wait for a process whose standard input was closed, kill it if it does not end, and return its exit code."""
    try:
        return child_process.wait(EXIT_SECONDS)
    except subprocess.TimeoutExpired:
        child_process.kill()
        return child_process.wait()
