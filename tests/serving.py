"""Servers and commands for tests: each is a process of its own, forked from one that has imported what they import.

A server starts with a third of a second of processor time instead of three to five, and a command takes a tenth or two
instead of half a second. The tests start more than a hundred servers and five hundred commands.
The standard library's fork server does it; what the forked process runs is the command `ludens`.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path

LIMIT = 300  # seconds until a command counts as hanging; they take one or two
LUDENS = Path(sys.executable).parent / "ludens"
ROOT = Path(__file__).parents[1]
MODULES = [
    ".".join(file.relative_to(ROOT).with_suffix("").parts)
    for folder in ("cli", "engine", "games", "players")
    for file in sorted((ROOT / folder).rglob("[!_]*.py"))
]
LATE = ["ui.server.app", "ui.server.shell", "networkx", "openai"]
"""What is imported only when it is needed. The fork server passes over what is not installed."""
_forking = multiprocessing.get_context("forkserver")
_forking.set_forkserver_preload(["app", *MODULES, *LATE])


def start_serving(
    options: Sequence[str], folder: Path, log: Path, environment: Mapping[str, str], program: Path | None = None
) -> BaseProcess:
    """Start `ludens serve` with these options in a folder; what it prints is appended to a file.

    A `program` is run in place of what is imported already: another checkout's, or a script around it.
    """
    return _start(["serve", *options], folder, log, log, environment, program)


def run_command(
    *words: object, folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `ludens` with these words to its end, without standard input; return its exit code and outputs."""
    environment = os.environ if environment is None else environment
    program = LUDENS if "PYTHONPATH" in environment else None
    arguments = [*map(str, words)]
    with tempfile.TemporaryDirectory() as outputs:
        out, err = Path(outputs) / "out", Path(outputs) / "err"
        process = _start(arguments, folder or Path.cwd(), out, err, environment, program)
        process.join(LIMIT)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise TimeoutError(f"{words} did not end within {LIMIT} s:\n{out.read_text()}\n{err.read_text()}")
        return subprocess.CompletedProcess(arguments, process.exitcode, _read(out), _read(err))


def _start(
    arguments: list[str], folder: Path, out: Path, err: Path, environment: Mapping[str, str], program: Path | None
) -> BaseProcess:
    process = _forking.Process(target=_run, args=(arguments, folder, out, err, dict(environment), program))
    process.start()
    return process


def _read(output: Path) -> str:
    return output.read_text(encoding="utf-8") if output.exists() else ""


def _run(
    arguments: list[str], folder: Path, out: Path, err: Path, environment: dict[str, str], program: Path | None
) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)  # files are found from the project, never from where somebody happens to stand
    _redirect(Path(os.devnull), os.O_RDONLY, 0)
    _redirect(out, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 1)
    _redirect(err, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 2)
    if program:
        os.execve(program, [str(program), *arguments], environment)
    from cli.main import main

    sys.argv = ["ludens", *arguments]
    main()


def _redirect(file: Path, flags: int, stream: int) -> None:
    descriptor = os.open(file, flags, 0o644)
    os.dup2(descriptor, stream)
    os.close(descriptor)
