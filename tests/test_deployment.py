"""The files for running a server: read by the tools that they are for, and run for real where those are here."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
import yaml

from tests.conftest import ROOT, START_LIMIT, pick_port
from tests.ui.guests import Guest

UNIT = ROOT / "deploy" / "ludens.service"


def needs(tool: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(tool) is None, reason=f"{tool} is not installed here")


def unit_lines(name: str) -> list[str]:
    """The values of a key of the unit, in order."""
    return re.findall(rf"^{name}=(.*)$", UNIT.read_text(), re.MULTILINE)


def wait_for(url: str, process: subprocess.Popen, **options) -> httpx.Response:
    """Wait until an address answers; fail if the process ends before."""
    until = time.monotonic() + START_LIMIT
    while time.monotonic() < until:
        assert process.poll() is None, f"ended with {process.returncode}"
        try:
            answer = httpx.get(url, timeout=5, **options)
            if answer.status_code == 200:
                return answer
        except httpx.TransportError:
            time.sleep(0.05)
    raise TimeoutError(url)


def can_run(command: list[str]) -> bool:
    """Return whether a command runs here."""
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


# fails as another user if Python is in /root
START_CHILD = "import subprocess, sys; subprocess.run([sys.executable, '-c', ''], check=True)"


# ---------------------------------------------------------------------- read
def test_the_image_runs_as_nobody_special_and_copies_what_is_there():
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    stages = [number for number, line in enumerate(lines) if line.startswith("FROM ")]
    last = lines[stages[-1] :]
    assert any(line.startswith("HEALTHCHECK") for line in last) and "VOLUME /data" in last
    [user] = [line.split()[1] for line in last if line.startswith("USER ")]
    assert user not in ("root", "0") and last.index(f"USER {user}") > max(
        number for number, line in enumerate(last) if line.startswith(("RUN", "COPY"))
    )
    assert not [line for line in lines if line.startswith("ADD ") or "sudo" in line]


def test_the_image_takes_no_secrets_and_no_logs_along():
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".git", ".env", "*.db", "logs", "imported", ".venv"} <= set(ignored)
    for name in ("ludens.toml", "players.toml"):  # settings and keys of this machine
        assert "*.toml" in ignored and f"!{name}" not in ignored
    assert "!pyproject.toml" in ignored


def test_compose_gives_the_server_one_place_to_write_to():
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text())
    server, proxy = compose["services"]["ludens"], compose["services"]["caddy"]
    assert server["read_only"] and server["volumes"] == ["data:/data"] and server["cap_drop"] == ["ALL"]
    assert "ports" not in server, "only the proxy is reached from outside"
    subnet = compose["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    assert server["environment"]["LUDENS_TRUSTED_PROXY"] == subnet
    for volume in (*server["volumes"], *proxy["volumes"]):
        source = volume.split(":")[0]
        assert (ROOT / source).exists() if source.startswith("./") else source in compose["volumes"], volume
    yaml.safe_load((ROOT / "deploy" / "litestream.yml").read_text())


def test_all_settings_named_there_are_settings():
    from cli.settings import AppSettings

    for name in ("Dockerfile", "compose.yaml", "deploy/ludens.service", "docs/operating.md"):
        text = (ROOT / name).read_text()
        for setting in set(re.findall(r"\bLUDENS_([A-Z_]+)", text)) - {"SITE", "UPSTREAM"}:
            assert setting.lower() in AppSettings.model_fields, (name, setting)


@needs("systemd-analyze")
def test_systemd_accepts_the_unit_and_finds_it_confined(tmp_path):
    unit = tmp_path / "ludens.service"
    unit.write_text(UNIT.read_text().replace("/opt/ludens/.venv/bin/ludens", "/bin/true"))
    verified = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert verified.returncode == 0 and not verified.stderr, verified.stderr
    checked = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--threshold=20", unit], capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout[-300:]


# ---------------------------------------------------------------------- run
def test_the_units_command_runs_and_writes_to_its_folder_only(tmp_path):
    """As another user where that can be: then it cannot write to the project, as under ProtectSystem."""
    state, port = tmp_path / "state", pick_port()
    state.mkdir()
    values = dict(pair.split("=", 1) for line in unit_lines("Environment") for pair in shlex.split(line))
    moved = {name: value.replace("/var/lib/ludens", str(state)) for name, value in values.items()}
    moved |= {"GRADIO_TEMP_DIR": str(state / "gradio"), "MPLCONFIGDIR": str(state / "matplotlib")}
    [command] = unit_lines("ExecStart")
    program = [str(Path(sys.executable).parent / "ludens"), *command.split()[1:]]
    other_user = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    if os.getuid() == 0 and can_run([*other_user, sys.executable, "-c", START_CHILD]):
        os.chown(state, 65534, 65534)
        for folder in (tmp_path, *tmp_path.parents):
            if folder.is_relative_to("/tmp") and folder != Path("/tmp"):
                folder.chmod(0o755)
        program = [*other_user, *program]
    environment = {"PATH": os.environ["PATH"], "LUDENS_PORT": str(port), **moved}
    running = subprocess.Popen(program, env=environment, cwd=state, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        url = f"http://127.0.0.1:{port}"
        wait_for(f"{url}/healthz", running)
        with Guest(url) as guest, guest.seat(guest.sit()) as seat:
            seat.reply("a ring")
        assert httpx.get(f"{url}/api/results").status_code == 200
    finally:
        running.terminate()
        _, log = running.communicate(timeout=60)
    assert b"Traceback" not in log and b"Permission" not in log and b"Read-only" not in log, log
    assert (state / "ludens.db").exists() and list((state / "backups").glob("*.db"))


@pytest.fixture
def proxied(server, tmp_path) -> Iterator[Callable[[list, dict, int], str]]:
    """Start a proxy in front of a server: proxied(command, environment, port) returns its address."""
    running: list[subprocess.Popen] = []

    def start(command: list, environment: dict, port: int) -> str:
        with (tmp_path / "proxy.log").open("wb") as log:
            running.append(subprocess.Popen(command, env={**os.environ, **environment}, stdout=log, stderr=log))
        url = f"http://127.0.0.1:{port}"
        wait_for(f"{url}/healthz", running[-1])
        return url

    yield start
    for process in running:
        process.terminate()
        process.wait(30)


def check_proxy(url: str, house) -> None:
    """Play through a proxy; headers of visitors change nothing, and the figures are not for them."""
    with Guest(url) as guest:
        with guest.seat(guest.sit()) as seat:
            assert seat.reply("a ring")
        forged = {"x-forwarded-for": "203.0.113.1", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https"}
        page = guest.http.get("/", headers=forged)
        assert page.status_code == 200 and "evil.example" not in page.text and "<title>Ludens" in page.text
        assert len(page.headers["x-request-id"]) >= 32, "the proxy's own"
        assert guest.http.get("/metrics").status_code == 404
        assert guest.http.post("/api/move", content=b"x" * 3_000_000).status_code == 413
    assert "Traceback" not in house.output()


@needs("caddy")
def test_people_play_behind_caddy(server, proxied, tmp_path):
    port = pick_port()
    house = server(None, None, "--public-url", f"http://127.0.0.1:{port}", "--trusted-proxy", "127.0.0.1")
    environment = {"LUDENS_SITE": f"http://127.0.0.1:{port}", "LUDENS_UPSTREAM": f"127.0.0.1:{house.port}"}
    environment |= {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    config = tmp_path / "Caddyfile"
    config.write_text("{\n\tadmin off\n}\n" + (ROOT / "deploy" / "Caddyfile").read_text())
    command = ["caddy", "run", "--config", str(config), "--adapter", "caddyfile"]
    check_proxy(proxied(command, environment, port), house)


@needs("nginx")
def test_people_play_behind_nginx(server, proxied, tmp_path):
    port = pick_port()
    house = server(None, None, "--public-url", f"http://127.0.0.1:{port}", "--trusted-proxy", "127.0.0.1")
    recipe = (ROOT / "deploy" / "nginx.conf").read_text()
    recipe = recipe.replace("listen 80;", f"listen 127.0.0.1:{port};").replace("games.example.org", "127.0.0.1")
    recipe = recipe.replace("127.0.0.1:7860", f"127.0.0.1:{house.port}").replace("Host $host", f"Host 127.0.0.1:{port}")
    folders = "".join(
        f"{name}_temp_path {tmp_path}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = tmp_path / "nginx.conf"
    config.write_text(
        f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/error.log;\nevents {{}}\n"
        f"http {{ access_log off; {folders}\n{recipe}\n}}\n"
    )
    check_proxy(proxied(["nginx", "-c", str(config), "-p", str(tmp_path)], {}, port), house)


def test_the_port_of_the_image_is_the_one_that_proxies_ask():
    for name in (
        "Dockerfile",
        "deploy/Caddyfile",
        "deploy/nginx.conf",
        "compose.yaml",
        "deploy/hugging-face/README.md",
    ):
        assert "7860" in (ROOT / name).read_text(), name
