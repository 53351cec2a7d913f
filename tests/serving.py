"""Servers for tests: each is a process of its own, forked from one that has imported what a server imports.

A start costs one second of processor time instead of three to five, and the tests start more than a hundred servers.
The standard library's fork server does it; what the forked process runs is the command `ludens serve`.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path

RULES = [f"games.{file.parent.name}.rules" for file in Path(__file__).parents[1].glob("games/*/rules.py")]
IMPORTED = ["app", "cli.main", "cli.serve", "ui.server.app", "ui.server.shell", "networkx", *RULES]
_forking = multiprocessing.get_context("forkserver")
_forking.set_forkserver_preload(IMPORTED)


def start_serving(
    options: Sequence[str], folder: Path, log: Path, environment: Mapping[str, str], program: Path | None = None
) -> BaseProcess:
    """Start `ludens serve` with these options in a folder; what it prints is appended to a file.

    A `program` is run in place of what is imported already: another checkout's, or a script around it.
    """
    process = _forking.Process(target=_serve, args=(list(options), folder, log, dict(environment), program))
    process.start()
    return process


def _serve(options: list[str], folder: Path, log: Path, environment: dict[str, str], program: Path | None) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)  # files are found from the project, never from where somebody happens to stand
    _redirect(Path(os.devnull), os.O_RDONLY, 0)
    _redirect(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 1, 2)
    if program:
        os.execve(program, [str(program), "serve", *options], environment)
    from cli.main import main

    sys.argv = ["ludens", "serve", *options]
    main()


def _redirect(file: Path, flags: int, *streams: int) -> None:
    descriptor = os.open(file, flags, 0o644)
    for stream in streams:
        os.dup2(descriptor, stream)
    os.close(descriptor)
