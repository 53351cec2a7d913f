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

START_SECONDS, STOP_SECONDS = 120.0, 60.0
CARRIED_SETTINGS = ("instances", "games", "players", "imported", "busy_seconds", "scripted_seconds")
"""Settings that a rehearsal shares with the real server; the others (backups, limits, addresses) are the real one's."""
SERVE_CODE = "from cli.main import main; main()"


class RehearsalServer:
    """One `ludens serve` on a free port. `kills` counts how often it was killed; `folder` is for its own files."""

    def __init__(self, db: Path, folder: Path, settings: AppSettings) -> None:
        self._folder, self._log = folder, folder / "server.log"
        self._db = db.absolute()
        self._port = _pick_port()
        self.url = f"http://127.0.0.1:{self._port}"
        self.kills = 0
        self.is_up = False
        self._process: subprocess.Popen[bytes] | None = None
        (folder / "ludens.toml").write_text(_settings_file(settings), encoding="utf-8")

    async def start(self) -> None:
        """Start it and return when it answers. Raises `CommandFailed` with the end of its output if it does not."""
        with self._log.open("ab") as log_file:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", SERVE_CODE, "serve", *self._options()],
                cwd=self._folder,
                env=_server_environment(self._folder),
                stdin=subprocess.DEVNULL,
                stdout=log_file,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C ends the rehearsal, which then ends its server
            )
        start_deadline = time.monotonic() + START_SECONDS
        async with httpx.AsyncClient(trust_env=False) as client:
            while not await self._answers(client):
                if self._process.poll() is not None or time.monotonic() > start_deadline:
                    self.end()
                    raise CommandFailed(f"the server of the rehearsal did not start:\n{self._output()[-3000:]}")
                await asyncio.sleep(0.05)
        self.is_up = True

    def _options(self) -> list[str]:
        return ["--port", str(self._port), "--db", str(self._db), "--public-url", self.url, "--log-format", "json"]

    async def _answers(self, http_client: httpx.AsyncClient) -> bool:
        try:
            return (await http_client.get(f"{self.url}/healthz", timeout=5)).status_code == 200
        except httpx.TransportError:
            return False

    @property
    def life_number(self) -> int | None:
        """Which life of the server this is; None while it is down."""
        return self.kills if self.is_up else None

    def was_cut_off(self, life: int | None) -> bool:
        """Return whether something begun in a life of the server may have been cut off by a crash."""
        return life is None or self.life_number != life

    async def restart(self) -> None:
        """Kill it as a crash would, so that nothing is flushed, and start it again."""
        self.kills += 1
        self.is_up = False
        if self._process:
            self._process.kill()
            await asyncio.to_thread(self._process.wait)
        await self.start()

    async def stop(self) -> None:
        """End it in good order."""
        self.is_up = False
        if self._process:
            self._process.terminate()
            try:
                await asyncio.to_thread(self._process.wait, STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.end()
                raise CommandFailed(f"the server of the rehearsal did not end within {STOP_SECONDS:.0f} s") from None

    def end(self) -> None:
        """Kill it if it runs."""
        self.is_up = False
        if self._process and self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def errors(self) -> list[str]:
        """Return the errors in its log, one line each."""
        lines = self._output().splitlines()
        errors = []
        for number, line in enumerate(lines):
            if line.startswith("Traceback"):  # of a process of the server: the first line without indent says what
                errors.append(
                    next((last_line for last_line in lines[number + 1 :] if not last_line.startswith(" ")), line)
                )
            elif _is_error(line):
                errors.append(line)
        return errors

    def _output(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace") if self._log.exists() else ""


def _is_error(line: str) -> bool:
    try:
        return json.loads(line).get("level") in ("error", "critical")
    except (ValueError, AttributeError):
        return False


def _settings_file(settings: AppSettings) -> str:
    """Return a `ludens.toml` for the server: JSON texts, numbers and lists are TOML, too."""
    values = settings.model_dump(mode="json", include=set(CARRIED_SETTINGS), exclude_none=True)
    for setting in ("instances", "games", "players", "imported"):
        if paths := values.get(setting):
            is_list = isinstance(paths, list)
            values[setting] = (
                [str(Path(setting_path).absolute()) for setting_path in paths]
                if is_list
                else str(Path(paths).absolute())
            )
    return "".join(f"{setting} = {json.dumps(value, ensure_ascii=False)}\n" for setting, value in values.items())


def _server_environment(folder: Path) -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(VARIABLE_PREFIX)}
    return environment | {"GRADIO_TEMP_DIR": str(folder / "gradio")}


def _pick_port() -> int:
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
