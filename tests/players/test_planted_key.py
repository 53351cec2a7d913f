"""A key never comes out: not in the log, its exports, what commands print, faults, tracebacks or debug messages.

The planted ones are known to the process as a user's would be: in the environment and in a header of players.toml.
"""

import asyncio
import logging
import traceback

import pytest

from engine.core.player import PlayerFault, Server
from players.common.endpoint import Endpoint
from players.common.request_errors import map_status_to_error
from tests.cli.terminal import ludens
from tests.players.fake_server import FakeServer
from tests.players.seats import PROVIDERS, make_context, make_player, make_view

pytestmark = pytest.mark.models

KEY, HEADER = "sk-planted-3f9a77c2e1", "planted-header-5b1d"
PLANTED = ("sk-planted", "planted-header")
ECHOING = {"error": {"message": f"Incorrect API key provided: {KEY} ({HEADER})", "code": "invalid_api_key"}}


def test_a_run_leaves_no_key_behind(tmp_path):
    with FakeServer() as fake_server:
        (tmp_path / "players.toml").write_text(
            "\n".join(
                f'[servers.{api}lab]\napi = "{api}"\nbase_url = "{fake_server.url}{"/v1" if api == "openai" else ""}"\n'
                f'key_env = "PLANTED"\nattempts = 2\n[servers.{api}lab.headers]\nX-Secret = "{HEADER}"\n'
                for api in PROVIDERS
            )
        )

        def run(*words, code=0):
            given = ("--players", tmp_path / "players.toml", "--db", tmp_path / "log.db", "--yes", "--cache")
            more = {"PLANTED": KEY, "OPENAI_LOG": "debug", "ANTHROPIC_LOG": "debug"}
            return ludens(
                "run", "matchit/text/same/0", "matchit/text/same/1", *words, *given, folder=tmp_path, code=code, **more
            )

        seats = ("--seat", "A=openailab/m", "--seat", "B=anthropiclab/m")
        for _ in PROVIDERS:  # both seats of both games: they stall, and are played next time
            fake_server.respond(401, ECHOING).respond(400, ECHOING)
        said = [run(*seats, code=1)]
        fake_server.respond(500, ECHOING)
        said.append(run(*seats))
        assert {KEY, HEADER} <= {value.removeprefix("Bearer ") for value in fake_server.requests[-1].headers.values()}
    episode = ludens("results", "--format", "json", "--db", tmp_path / "log.db", folder=tmp_path)
    said += [
        episode,
        ludens("export", "--format", "jsonl", tmp_path / "out", "--db", tmp_path / "log.db", folder=tmp_path),
    ]
    files = [path for path in tmp_path.rglob("*") if path.is_file() and path.name != "players.toml"]
    assert {"log.db", "out"} <= {part for path in files for part in path.relative_to(tmp_path).parts}
    for secret in PLANTED:
        assert not [path.name for path in files if secret.encode() in path.read_bytes()], secret
        assert not [done for done in said if secret in done.out + done.err], secret


@pytest.mark.parametrize("api", PROVIDERS)
@pytest.mark.parametrize("status", [200, 400, 401, 500, 0])
def test_no_trace_of_a_failed_request_has_the_key(api, status, monkeypatch, caplog, free_port):
    monkeypatch.setenv("MINE", KEY)
    monkeypatch.setattr("players.common.limits.MIN_BACKOFF", 0.01)
    told = []

    async def go(url):
        player = make_player(api, make_context(api, url, key_env="MINE", headers={"X-Secret": HEADER}))
        told.append(repr(player))
        try:
            told.append(repr(await player.reply(make_view())))
        except PlayerFault as fault:
            told.extend(traceback.TracebackException.from_exception(fault, capture_locals=True).format())
            told.append(repr(fault.__context__))
        await PROVIDERS[api].close()

    with caplog.at_level(logging.DEBUG):
        with FakeServer() as fake_server:
            if status > 200:
                fake_server.respond(status, ECHOING).respond(status, ECHOING)
            asyncio.run(go(fake_server.url if status else f"http://127.0.0.1:{free_port}"))
    shown = "\n".join([*told, caplog.text])
    assert "lab/m gave no answer" in shown or status == 200
    for secret in PLANTED:
        assert secret not in shown


@pytest.mark.parametrize("said", [270, 285, 290])
def test_a_key_that_an_echo_is_cut_off_in_is_hidden_too(said, monkeypatch):
    monkeypatch.setenv("MINE", KEY)
    endpoint = Endpoint(Server("lab", "openai", key_env="MINE"))
    cut = str(map_status_to_error(400, {"error": {"message": f"{'x' * said} {KEY} {'y' * 50}"}}))
    assert "sk-p" in cut and "sk-p" not in endpoint.redact(cut)
    assert "sk-p" not in endpoint.redact(f"an answer {cut[:-9]!r}")
