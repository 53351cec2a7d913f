"""The server of a rehearsal: a process of `ludens serve` that can be killed and started again on the same file."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from cli.output import CommandFailed
from engine.play.project import VARIABLE_PREFIX

if TYPE_CHECKING:
    from cli.settings import AppSettings

START_TIMEOUT_SECONDS, STOP_TIMEOUT_SECONDS = 120.0, 60.0
COPIED_SETTINGS = ("instances", "games", "players", "imported", "busy_seconds", "scripted_seconds")
"""Settings that a rehearsal shares with the real server; the others (backups, limits, addresses) are the real one's."""
SERVER_PROGRAM = "from cli.main import main; main()"


class RehearsalServer:
    """One `ludens serve` on a free port. `kill_count` counts how often it was killed; `folder` is for its own files."""

    def __init__(self, db: Path, folder: Path, settings: AppSettings) -> None:
        self._folder, self._log = folder, folder / "server.log"
        self._db = db.absolute()
        self._port = _pick_port()
        self.url = f"http://127.0.0.1:{self._port}"
        self.kill_count = 0
        self.is_running = False
        self._process: subprocess.Popen[bytes] | None = None
        (folder / "ludens.toml").write_text(_format_settings_file(settings), encoding="utf-8")

    async def start(self) -> None:
        """Start it and return when it answers. Raises `CommandFailed` with the end of its output if it does not."""
        with self._log.open("ab") as log_file:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", SERVER_PROGRAM, "serve", *self._list_options()],
                cwd=self._folder,
                env=_build_environment(self._folder),
                stdin=subprocess.DEVNULL,
                stdout=log_file,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C ends the rehearsal, which then ends its server
            )
        start_deadline = time.monotonic() + START_TIMEOUT_SECONDS
        async with httpx.AsyncClient(trust_env=False) as http_client:
            while not await self._is_answering(http_client):
                if self._process.poll() is not None or time.monotonic() > start_deadline:
                    self.kill_process()
                    raise CommandFailed(f"the server of the rehearsal did not start:\n{self._read_output()[-3000:]}")
                await asyncio.sleep(0.05)
        self.is_running = True

    def _list_options(self) -> list[str]:
        return ["--port", str(self._port), "--db", str(self._db), "--public-url", self.url, "--log-format", "json"]

    async def _is_answering(self, http_client: httpx.AsyncClient) -> bool:
        try:
            return (await http_client.get(f"{self.url}/healthz", timeout=5)).status_code == 200
        except httpx.TransportError:
            return False

    @property
    def run_number(self) -> int | None:
        """Which life of the server this is; None while it is down."""
        return self.kill_count if self.is_running else None

    def was_cut_off(self, run_number: int | None) -> bool:
        """Return whether something begun in a life of the server may have been cut off by a crash."""
        return run_number is None or self.run_number != run_number

    async def restart(self) -> None:
        """Kill it as a crash would, so that nothing is flushed, and start it again."""
        self.kill_count += 1
        self.is_running = False
        if self._process:
            self._process.kill()
            await asyncio.to_thread(self._process.wait)
        await self.start()

    async def stop(self) -> None:
        """End it in good order."""
        self.is_running = False
        if self._process:
            self._process.terminate()
            try:
                await asyncio.to_thread(self._process.wait, STOP_TIMEOUT_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill_process()
                raise CommandFailed(
                    f"the server of the rehearsal did not end within {STOP_TIMEOUT_SECONDS:.0f} s"
                ) from None

    def kill_process(self) -> None:
        """Kill it if it runs."""
        self.is_running = False
        if self._process and self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def list_errors(self) -> list[str]:
        """Return the errors in its log, one line each."""
        log_lines = self._read_output().splitlines()
        error_lines = []
        for line_number, log_line in enumerate(log_lines):
            if log_line.startswith("Traceback"):  # of a process of the server: the first line without indent says what
                later_lines = (later_line for later_line in log_lines[line_number + 1 :] if later_line[:1] != " ")
                error_lines.append(next(later_lines, log_line))
            elif _is_error_line(log_line):
                error_lines.append(log_line)
        return error_lines

    def _read_output(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace") if self._log.exists() else ""


def _is_error_line(log_line: str) -> bool:
    try:
        return json.loads(log_line).get("level") in ("error", "critical")
    except (ValueError, AttributeError):
        return False


def _format_settings_file(settings: AppSettings) -> str:
    """Return a `ludens.toml` for the server: JSON texts, numbers and lists are TOML, too."""
    setting_values = settings.model_dump(mode="json", include=set(COPIED_SETTINGS), exclude_none=True)
    for setting_name in ("instances", "games", "players", "imported"):
        if setting_paths := setting_values.get(setting_name):
            if isinstance(setting_paths, list):
                setting_values[setting_name] = [str(Path(setting_path).absolute()) for setting_path in setting_paths]
            else:
                setting_values[setting_name] = str(Path(setting_paths).absolute())
    return "".join(
        f"{setting_name} = {json.dumps(setting_value, ensure_ascii=False)}\n"
        for setting_name, setting_value in setting_values.items()
    )


def _build_environment(folder: Path) -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(VARIABLE_PREFIX)}
    return environment | {"GRADIO_TEMP_DIR": str(folder / "gradio")}


def _pick_port() -> int:
    with closing(socket.socket()) as probe_socket:
        probe_socket.bind(("127.0.0.1", 0))
        return int(probe_socket.getsockname()[1])
