"""Bench: how long the command line takes to start."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench._figures import figure, heading, median

LUDENS = Path(sys.executable).parent / "ludens"
ENVIRONMENT = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}
"""Commands start with bytecode, as for users: without it, `ludens games` takes 1.5 times as long."""


def seconds(*words: str) -> float:
    """Return the median time of seven runs of a command, after one to warm the disk."""
    taken = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(8):
            started = time.perf_counter()
            subprocess.run([LUDENS, *words], check=True, capture_output=True, cwd=folder, env=ENVIRONMENT)
            taken.append(time.perf_counter() - started)
    return median(taken[1:])


def main() -> None:
    """Print the figures."""
    heading("command line, start to exit (median of 7)")
    figure("ludens --help", seconds("--help"), "s", most=0.5)
    figure("ludens --version", seconds("--version"), "s", most=0.5)
    figure("ludens games", seconds("games"), "s")
    figure(
        "ludens run, one episode", seconds("run", "matchit/text/same/0", "--seat", "all=random", "--db", "x.db"), "s"
    )


if __name__ == "__main__":
    main()
