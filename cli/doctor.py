"""`ludens doctor`: what there is, what is missing and how to get it."""

from __future__ import annotations

import os
import re
import shutil
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import Db
from cli.words import Failed, out

if TYPE_CHECKING:
    from cli.settings import Settings

Finding = tuple[str, str, str]
"""("ok" | "note" | "FAULT", what, words). Only a FAULT keeps Ludens from working."""

PLEASE_INSTALL = "run `make play` again, or .venv/bin/python -m pip install -c constraints.txt -e ."


def doctor(
    db: Db = None,
    port: Annotated[int | None, typer.Option(help="The port to look at.  [default: 7860]")] = None,
) -> None:
    """Say what is missing and how to get it.

    Looks at Python, packages and extras, database, instances, players, browser and port. Exit code 1 when something
    keeps Ludens from working.
    """
    from cli.settings import load

    faults = 0
    settings = load(db=db, port=port)
    for state, what, words in _findings(settings):
        faults += state == "FAULT"
        out(f"{state:5} {what:10} {words}")
    if faults:
        raise Failed(f"{faults} fault{'s' * (faults != 1)}; what to do stands beside each")


def _findings(settings: Settings) -> Iterator[Finding]:
    yield _python()
    yield from _packages()
    yield _database(settings.db)
    yield from _games(settings)
    yield _instances(settings)
    yield _players(settings)
    yield _browser()
    yield _port(settings.host, settings.port)


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    return "ok", "python", f"{version} at {sys.executable}"


def _packages() -> Iterator[Finding]:
    from importlib.metadata import PackageNotFoundError, requires, version

    wanted: dict[str, dict[str, bool]] = {}
    try:
        requirements = requires("ludens") or []
    except PackageNotFoundError:
        yield "FAULT", "packages", f"Ludens itself is not installed here: {PLEASE_INSTALL}"
        return
    for requirement in requirements:
        name = re.split(r"[\s<>=!~;\[(]", requirement, maxsplit=1)[0]
        named = re.search(r"extra\s*==\s*['\"](\w+)", requirement)
        try:
            version(name)
            there = True
        except PackageNotFoundError:
            there = False
        wanted.setdefault(named[1] if named else "", {})[name] = there
    for extra, packages in wanted.items():
        missing = [name for name, there in packages.items() if not there]
        if not extra:
            words = (
                f"missing: {', '.join(missing)}; {PLEASE_INSTALL}" if missing else f"all {len(packages)} of the core"
            )
            yield "FAULT" if missing else "ok", "packages", words
        elif missing:
            how = f".venv/bin/python -m pip install -c constraints.txt -e '.[{extra}]'"
            yield "note", f"[{extra}]", f"not installed: {', '.join(missing)}; to get it: {how}"
        else:
            yield "ok", f"[{extra}]", ", ".join(packages)


def _database(path: Path) -> Finding:
    import sqlite3

    from cli.stored import can_hold

    if path.is_dir():
        return "FAULT", "database", f"{path} is a folder: name a file in it, such as --db {path / 'ludens.db'}"
    if not path.exists():
        folder = next(parent for parent in path.absolute().parents if parent.exists())
        if not (folder.is_dir() and can_hold(folder)):
            return "FAULT", "database", f"{path} is not there and {folder} cannot be written: choose another with --db"
        return "ok", "database", f"{path} is not there yet; it is made when something is played"

    from engine.storage.database import StoreError
    from engine.storage.episode_row import Status
    from engine.storage.store import Store

    try:
        with Store(path) as store:
            store.beat()  # writes
            others = [
                f"{owner.purpose} (process {owner.pid} on {owner.host})"
                for owner in store.living_owners()
                if owner.pid != os.getpid()
            ]
            counts = {status: len(store.episodes(status=status)) for status in Status}
    except (StoreError, sqlite3.Error) as error:
        return "FAULT", "database", f"{error}"
    episodes = ", ".join(f"{number} {status}" for status, number in counts.items() if number) or "no episodes"
    return "ok", "database", f"{path}: {episodes}; in use by {', '.join(others) or 'nobody else'}"


def _games(settings: Settings) -> Iterator[Finding]:
    """Say which game folders cannot be used; the others can be played all the same."""
    from cli.stored import registry_of

    for why in registry_of(settings).broken.values():
        yield "FAULT", "games", why


def _instances(settings: Settings) -> Finding:
    from cli.instances import check_file
    from cli.stored import registry_of

    registry = registry_of(settings)
    number = 0
    faults: list[str] = []
    for name, game in registry.games.items():
        for variant in game.variants:
            checked, wrong = check_file(registry, registry.file(name, variant.name))
            number, faults = number + checked, faults + wrong
    if faults:
        more = f" and {len(faults) - 1} more: `ludens instances check`" if len(faults) > 1 else ""
        return "FAULT", "instances", f"{faults[0]}{more}; `ludens instances make` makes the shipped ones again"
    return "ok", "instances", f"{number} in {', '.join(registry.names)}"


def _players(settings: Settings) -> Finding:
    from cli.stored import registry_of
    from engine.play.roster import BadRoster

    registry = registry_of(settings)
    try:
        everybody = {who for name in registry.names for who in registry.players_for(name)}
    except BadRoster as error:
        return "FAULT", "players", str(error)
    return "ok", "players", ", ".join(sorted(everybody))


def _browser() -> Finding:
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path and Path(path).exists():
        return "ok", "chromium", f"{path} (the tests drive it)"
    return (
        "note",
        "chromium",
        "not found; only the tests need it: apt-get install chromium, or CHROMIUM=/path/to/chrome",
    )


def _port(host: str, port: int) -> Finding:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.settimeout(2)
        if probe.connect_ex((host if host != "0.0.0.0" else "127.0.0.1", port)) != 0:
            return "ok", "port", f"{port} is free"
    return "note", "port", f"something answers at {host} port {port}: {_who(host, port)}"


def _who(host: str, port: int) -> str:
    import httpx

    try:
        answer = httpx.get(f"http://{host}:{port}/healthz", timeout=5)
        if answer.status_code == 200:
            return "it looks like a running Ludens"
    except httpx.HTTPError:
        pass
    return "not Ludens; `ludens serve --port` takes another"
