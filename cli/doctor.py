"""`ludens doctor`: what is installed and usable, what is missing, and how to get it."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import DbOption
from cli.output import CommandFailed, print_data
from engine.core.wording import plural

if TYPE_CHECKING:
    from cli.settings import AppSettings
    from engine.play.registry import Registry

REINSTALL_HINT = "run `make play` again, or .venv/bin/python -m pip install -c constraints.txt -e ."


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    severity: str
    """ "ok", "note" or "FAULT"; only a fault keeps Ludens from working."""
    checked_part: str
    message: str


def doctor(
    db: DbOption = None,
    port: Annotated[int | None, typer.Option(help="The port to check.  [default: 7860]")] = None,
) -> None:
    """Find out what is missing, and how to get it.

    Checks Python, packages and extras, database, instances, players, browser and port. Exit code 1 if something keeps
    Ludens from working.
    """
    from cli.settings import load_settings

    fault_count = 0
    for finding in _check_installation(load_settings(db=db, port=port)):
        fault_count += finding.severity == "FAULT"
        print_data(f"{finding.severity:5} {finding.checked_part:10} {finding.message}")
    if fault_count:
        raise CommandFailed(f"{plural(fault_count, 'fault')}; each line above says what to do")


def _check_installation(settings: AppSettings) -> Iterator[Finding]:
    from cli.log_access import build_registry

    registry = build_registry(settings)
    yield Finding("ok", "python", f"{'.'.join(map(str, sys.version_info[:3]))} at {sys.executable}")
    yield _check_settings_file()
    yield from _check_packages()
    yield _check_database(settings.db)
    for reason in registry.broken_games.values():
        yield Finding("FAULT", "games", reason)
    for reason in registry.broken_providers.values():
        yield Finding("FAULT", "players", reason)
    yield _check_instances(registry)
    yield _check_players(registry)
    yield _check_browser()
    yield _check_port(settings.host, settings.port)


def _check_settings_file() -> Finding:
    from engine.play.project import find_file

    path = find_file()
    return Finding("ok", "settings", str(path) if path.exists() else f"no {path.name}: environment and defaults")


def _check_packages() -> Iterator[Finding]:
    from importlib.metadata import PackageNotFoundError, requires

    try:
        requirements = requires("ludens") or []
    except PackageNotFoundError:
        yield Finding("FAULT", "packages", f"Ludens itself is not installed here: {REINSTALL_HINT}")
        return
    packages_by_extra: dict[str, list[str]] = {}
    for requirement in requirements:
        package = re.split(r"[\s<>=!~;\[(]", requirement, maxsplit=1)[0]
        extra_match = re.search(r"extra\s*==\s*['\"](\w+)", requirement)
        packages_by_extra.setdefault(extra_match[1] if extra_match else "", []).append(package)
    for pip_extra, packages in packages_by_extra.items():
        missing_packages = [package for package in dict.fromkeys(packages) if not _is_installed(package)]
        if not pip_extra:
            package_summary = f"all {len(set(packages))} of the core"
            packages_text = (
                f"missing: {', '.join(missing_packages)}; {REINSTALL_HINT}" if missing_packages else package_summary
            )
            yield Finding("FAULT" if missing_packages else "ok", "packages", packages_text)
        elif missing_packages:
            command = f".venv/bin/python -m pip install -c constraints.txt -e '.[{pip_extra}]'"
            yield Finding(
                "note", f"[{pip_extra}]", f"not installed: {', '.join(missing_packages)}; to install: {command}"
            )
        else:
            yield Finding("ok", f"[{pip_extra}]", ", ".join(dict.fromkeys(packages)))


def _is_installed(package: str) -> bool:
    from importlib.metadata import PackageNotFoundError, version

    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


def _check_database(db_path: Path) -> Finding:
    import sqlite3

    from cli.log_access import can_create_files

    if db_path.is_dir():
        fault_text = f"{db_path} is a folder: name a file in it, such as --db {db_path / 'ludens.db'}"
        return Finding("FAULT", "database", fault_text)
    if not db_path.exists():
        folder = next(parent_folder for parent_folder in db_path.absolute().parents if parent_folder.exists())
        if not (folder.is_dir() and can_create_files(folder)):
            fault_text = f"{db_path} does not exist and {folder} cannot be written: choose another file with --db"
            return Finding("FAULT", "database", fault_text)
        return Finding("ok", "database", f"{db_path} does not exist yet; the first game creates it")

    from engine.storage.database import StoreError
    from engine.storage.episode_row import Status
    from engine.storage.store import Store

    try:
        with Store(db_path) as store:
            store.record_heartbeat()  # writes
            log_owners = [
                f"{owner.purpose} (process {owner.pid} on {owner.host})"
                for owner in store.list_running_processes()
                if owner.pid != os.getpid()
            ]
            status_counts = {status: len(store.episodes(status=status)) for status in Status}
    except (StoreError, sqlite3.Error) as error:
        return Finding("FAULT", "database", f"{error}")
    episodes_text = ", ".join(f"{count} {status}" for status, count in status_counts.items() if count) or "no episodes"
    return Finding("ok", "database", f"{db_path}: {episodes_text}; in use by {', '.join(log_owners) or 'nobody else'}")


def _check_instances(registry: Registry) -> Finding:
    from cli.instances.check import check_file

    instance_count = 0
    faults: list[str] = []
    for game_name, game in registry.games.items():
        for variant in game.variants:
            instances_in_file, faults_in_file = check_file(registry, registry.file(game_name, variant.name))
            instance_count, faults = instance_count + instances_in_file, faults + faults_in_file
    if faults:
        more_faults = f" and {len(faults) - 1} more: `ludens instances check`" if len(faults) > 1 else ""
        fault_text = f"{faults[0]}{more_faults}; `ludens instances make` writes the shipped ones again"
        return Finding("FAULT", "instances", fault_text)
    return Finding("ok", "instances", f"{instance_count} in {', '.join(registry.names)}")


def _check_players(registry: Registry) -> Finding:
    from engine.play.roster import BadRoster

    try:
        players = {player for game_name in registry.names for player in registry.describe_players(game_name)}
    except BadRoster as error:
        return Finding("FAULT", "players", str(error))
    return Finding("ok", "players", ", ".join(sorted(players)))


def _check_browser() -> Finding:
    browser_path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if browser_path and Path(browser_path).exists():
        return Finding("ok", "chromium", f"{browser_path} (only the tests use it)")
    missing_text = "not found; only the tests need it: apt-get install chromium, or CHROMIUM=/path/to/chrome"
    return Finding("note", "chromium", missing_text)


def _check_port(host: str, port: int) -> Finding:
    import socket

    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe_socket:
        probe_socket.settimeout(2)
        if probe_socket.connect_ex((host if host != "0.0.0.0" else "127.0.0.1", port)) != 0:
            return Finding("ok", "port", f"{port} is free")
    server_text = "it looks like a running Ludens" if _is_ludens_server(host, port) else "not Ludens"
    return Finding("note", "port", f"{host} port {port} is in use ({server_text}); `ludens serve --port` takes another")


def _is_ludens_server(host: str, port: int) -> bool:
    import httpx

    try:
        return httpx.get(f"http://{host}:{port}/healthz", timeout=5).status_code == 200
    except httpx.HTTPError:
        return False
