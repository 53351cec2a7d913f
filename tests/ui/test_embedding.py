"""The web app in other hands: mounted in another ASGI app, and started as `python app.py`."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from tests.conftest import START_LIMIT

ROOT = Path(__file__).resolve().parents[2]
OUTER = """
import contextlib, sys
import uvicorn
from fastapi import FastAPI
from app import create_app

ludens = create_app()
outer = FastAPI(lifespan=ludens.lifespan, docs_url=None, redoc_url=None, openapi_url=None)

@outer.get("/hello")
def hello():
    return "from outside"

outer.mount("/", ludens)
print(ludens.admin_path, flush=True)
with contextlib.suppress(KeyboardInterrupt):
    uvicorn.run(outer, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
"""


WITHOUT_LIFESPAN = """
from fastapi import FastAPI
from fastapi.testclient import TestClient
from app import create_app

outer = FastAPI()
outer.mount("/", create_app())
with TestClient(outer, base_url="http://127.0.0.1") as client:
    client.get("/healthz")
"""


class Program:
    """A server in a process of its own, started and waited for."""

    def __init__(self, folder: Path, command: list[str], port: int, **environment: str):
        self.url, self.log = f"http://127.0.0.1:{port}", folder / "program.log"
        kept = {name: text for name, text in os.environ.items() if not name.startswith(("LUDENS_", "GRADIO_"))}
        (folder / "gradio").mkdir()
        environment |= {"LUDENS_DB": str(folder / "log.db"), "GRADIO_TEMP_DIR": str(folder / "gradio")}
        with self.log.open("wb") as out:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=kept | environment, stdout=out, stderr=subprocess.STDOUT
            )
        until = time.monotonic() + START_LIMIT
        while time.monotonic() < until:
            assert self.process.poll() is None, self.log.read_text()
            try:
                if httpx.get(f"{self.url}/healthz", timeout=5).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.05)
        raise TimeoutError(self.log.read_text())

    def stop(self) -> int:
        """End it as a person would, and return its exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(60)


@pytest.fixture
def start(tmp_path):
    """Return a function that starts a program; it is ended after the test."""
    programs: list[Program] = []

    def start_program(command: list[str], port: int, **environment: str) -> Program:
        programs.append(Program(tmp_path, command, port, **environment))
        return programs[-1]

    yield start_program
    for program in programs:
        program.process.kill()
        program.process.wait()


def test_the_app_can_be_mounted_at_the_root_of_another_one(start, free_port, tmp_path):
    """Games are played in it, sockets open, and what was played is stored when the outer app ends."""
    program = start([sys.executable, "-c", OUTER, str(free_port)], free_port)
    with httpx.Client(base_url=program.url, headers={"Origin": program.url}) as client:
        assert client.get("/hello").json() == "from outside"
        assert "gradio" in client.get("/").text
        assert client.get("/web/core/dom.js").status_code == 200
        admin_path = program.log.read_text().splitlines()[0]
        assert client.get(admin_path, follow_redirects=True).status_code == 200
        seats = {"A": "random", "B": "random"}
        table = client.post("/api/tables", json={"game": "matchit", "variant": "text", "seats": seats})
        assert table.status_code == 200, table.text
        with connect(f"ws{program.url.removeprefix('http')}/ws/lobby", origin=program.url) as socket:
            assert isinstance(json.loads(socket.recv(30)), dict)
    assert program.stop() == 0, program.log.read_text()
    command = [
        sys.executable,
        "-c",
        "from cli.main import main; main()",
        "db",
        "check",
        "--db",
        str(tmp_path / "log.db"),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "Traceback" not in program.log.read_text(), done.stderr


def test_app_py_serves_with_the_settings_of_a_space(start, free_port):
    """A Hugging Face Space sets the address as for every Gradio app, and names its public host."""
    named = {"GRADIO_SERVER_NAME": "127.0.0.1", "GRADIO_SERVER_PORT": str(free_port), "SPACE_HOST": "a-b.hf.space"}
    program = start([sys.executable, "app.py"], free_port, **named)
    assert httpx.get(f"{program.url}/", headers={"Host": "a-b.hf.space"}).status_code == 200
    assert httpx.get(f"{program.url}/", headers={"Host": "elsewhere.org"}).status_code == 421
    assert "Ludens is at https://a-b.hf.space" in program.log.read_text()
    assert program.stop() == 0


def test_our_own_variables_come_first_and_errors_are_named():
    environment = {**os.environ, "GRADIO_SERVER_PORT": "7000", "LUDENS_PORT": "many"}
    done = subprocess.run([sys.executable, "app.py"], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 2 and "port = 'many'" in done.stderr


def test_an_app_whose_lifespan_nothing_runs_says_so(tmp_path):
    environment = {**os.environ, "LUDENS_DB": str(tmp_path / "ludens.db")}
    command = [sys.executable, "-c", WITHOUT_LIFESPAN]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "has to run its `lifespan`" in done.stderr
