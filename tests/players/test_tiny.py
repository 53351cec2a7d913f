"""The embedded model: SmolLM2-135M served by our own child process. Most of it runs in `make test-extras`."""

import asyncio
import importlib.util
import os
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from engine.core.events import Kind
from engine.core.player import Address, PlayerFault, ProviderContext, UnknownPlayer
from engine.core.replies import EitherFormat, Tagged, Text, json_object, one_of
from engine.play.runner import play
from players import tiny
from players.local.gguf import GgufModel, GgufServer, choose_threads
from tests.players.seats import ask_player, make_context, make_view, user_message

ROOT = Path(__file__).resolve().parents[2]
INSTALLED = all(importlib.util.find_spec(package) for package in tiny.REQUIRED_PACKAGES)
installed = pytest.mark.skipif(not INSTALLED, reason="the embedded model is not installed: make test-extras")
LIMIT = 120  # seconds for what takes one or two; nothing is asserted about time


def nobody(episode: str):
    raise LookupError(episode)


HOUSE = ProviderContext(nobody)


def seat(parameters: str = "max_tokens=12"):
    return tiny.PROVIDER.make_player(Address.parse(f"tiny?{parameters}"), "A", HOUSE)


@asynccontextmanager
async def closing():
    """Give the child back at the end."""
    try:
        yield
    finally:
        await tiny.PROVIDER.close()


def until(holds: Callable[[], object]) -> None:
    """Wait for something to hold."""
    end = time.monotonic() + LIMIT
    while not holds():
        assert time.monotonic() < end, f"not within {LIMIT} s"
        time.sleep(0.02)


def answers(address: str) -> bool:
    """Whether somebody listens there."""
    parts = urlsplit(address)
    try:
        socket.create_connection((parts.hostname, parts.port), 5).close()
    except OSError:
        return False
    return True


def test_it_says_whether_it_is_installed_and_what_it_is():
    known = tiny.PROVIDER.info(Address("tiny"), HOUSE)
    assert known.unusable_reason == (None if INSTALLED else "not installed: ludens players install tiny")
    assert known.is_local and not known.is_paid and known.max_pictures == 0 and known.is_weak_opponent


def test_it_is_one_model_with_parameters():
    with pytest.raises(UnknownPlayer, match="has no names below it"):
        tiny.PROVIDER.make_player(Address.parse("tiny/big"), "A", HOUSE)
    with pytest.raises(UnknownPlayer, match="did you mean 'temperature'"):
        seat("temprature=1")


def test_where_it_is_missing_the_fault_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(tiny, "REQUIRED_PACKAGES", ("missing_weights",))
    with pytest.raises(PlayerFault, match="ludens players install tiny"):
        asyncio.run(seat().reply(make_view()))


# ---------------------------------------------------------------------- games
def played(selection: str, *seats: str, parameters: str):
    """Play an episode with it at these seats and return the episode and what it was held to."""

    async def go():
        async with closing():
            return await play(selection.partition("/")[0], selection, dict.fromkeys(seats, f"tiny?{parameters}"))

    episode = asyncio.run(go())
    replies = [event.data for event in episode.log if event.kind is Kind.REPLY]
    assert replies and all(one["meta"]["model"] == tiny.MODEL_NAME and one["meta"]["tokens_out"] for one in replies)
    return episode, {one["meta"].get("constrained") for one in replies}


@installed
@pytest.mark.parametrize(
    ("selection", "seats"), [("matchit/text/same/0", "AB"), ("mapworld/ee-text/small/0", ["walker"])]
)
def test_left_to_itself_its_noise_is_a_documented_violation(selection, seats):
    episode, held = played(selection, *seats, parameters="max_tokens=12")
    violation = next(event for event in episode.log if event.kind is Kind.VIOLATION)
    assert violation.data["fault"] == "format" and episode.outcome.reason == "format" and held == {None}


@installed
@pytest.mark.parametrize(
    ("selection", "seats", "kinds"),
    [
        ("matchit/text/same/0", "AB", {"pattern", "list"}),
        ("mapworld/ee-text/small/0", ["walker"], {"list"}),
        ("mapworld/g2x-text/on/0", ["walker"], {"list"}),
    ],
)
def test_held_to_the_format_it_plays_to_a_regular_end(selection, seats, kinds):
    episode, held = played(selection, *seats, parameters="constrain=true&max_tokens=12")
    assert episode.outcome.kind.value in ("success", "lose") and held == kinds
    assert not [event for event in episode.log if event.kind is Kind.VIOLATION]


FORMATS = {
    "list": one_of("ja", 'das "eine" / andere', "größer"),
    "pattern": Tagged("MOVE (A/B)", Text(lines=1)),
    "either": EitherFormat((("go", Tagged("GO", one_of("north", "south"))), ("done", one_of("DONE")))),
    "schema": json_object(move=one_of("left", "right"), reason=one_of("because", "why not")),
}


@installed
@pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS)
def test_every_kind_of_format_is_held(format):
    async def go():
        async with closing():
            return await seat("constrain=true&max_tokens=40&temperature=1.5").reply(
                make_view(user_message("Hi."), form=format)
            )

    format.parse(asyncio.run(go()).text)


# ---------------------------------------------------------------------- the child
@installed
def test_a_killed_child_is_a_fault_and_the_next_ask_starts_another():
    def connected(port: str) -> bool:
        lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
        return any(words[1] == f"0100007F:{port}" and words[3] == "01" for words in map(str.split, lines))

    async def go():
        async with closing():
            served = await asyncio.to_thread(tiny._make_tiny_server().ensure_running)
            os.kill(served.process.pid, signal.SIGSTOP)  # so that it cannot answer before it is killed
            asking = asyncio.create_task(seat().reply(make_view()))
            await asyncio.to_thread(until, lambda: connected(f"{urlsplit(served.address).port:04X}"))
            os.kill(served.process.pid, signal.SIGKILL)
            with pytest.raises(PlayerFault, match=r"its process ended with -9 .* try again") as fault:
                await asking
            assert served.key not in repr((fault.value, served))
            again = await seat().reply(make_view())
            return again, served, await asyncio.to_thread(tiny._make_tiny_server().ensure_running)

    again, before, after = asyncio.run(go())
    assert again.text and before.key != after.key and not answers(after.address)


@installed
def test_the_child_ends_with_its_parent_however_that_goes():
    code = (
        "import time; from players import tiny; "
        "print(tiny._make_tiny_server().ensure_running().address, flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        address = parent.stdout.readline().strip()
        assert answers(address)
        parent.kill()
    until(lambda: not answers(address))


@installed
def test_it_leaves_memory_while_nobody_asks_and_comes_back(monkeypatch):
    def memory(pid: int) -> int:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1])

    serving = GgufServer(
        GgufModel(str(tiny._find_weights_folder() / tiny.WEIGHTS_FILE), tiny.MODEL_NAME, 2048, idle_seconds=1)
    )
    try:
        served = serving.ensure_running()
        auth = {"Authorization": f"Bearer {served.key}"}

        def asleep() -> bool:
            return bool(httpx.get(f"{served.address}/props", headers=auth).json()["is_sleeping"])

        monkeypatch.setenv("LAB_KEY", served.key)
        home = make_context("openai", served.address, key_env="LAB_KEY")
        awake = memory(served.process.pid)
        until(asleep)
        assert memory(served.process.pid) < awake / 2
        (reply,) = ask_player("openai", home, parameters="max_tokens=5")
        assert reply.text
    finally:
        serving.end_child()
    assert served.exit_code() is not None


@installed
def test_a_file_that_is_no_model_is_a_fault_with_the_reason(tmp_path, monkeypatch):
    (tmp_path / tiny.WEIGHTS_FILE).write_bytes(b"GGUF, or so it says")
    monkeypatch.setattr(tiny, "_find_weights_folder", lambda: tmp_path)
    tiny._make_tiny_server.cache_clear()
    try:
        with pytest.raises(PlayerFault, match=f"{tiny.MODEL_NAME} cannot be served: .*"):
            asyncio.run(seat().reply(make_view()))
    finally:
        tiny._make_tiny_server.cache_clear()


# ---------------------------------------------------------------------- both protocols
@pytest.fixture(scope="module")
def served():
    """SmolLM2 at a server of its own."""
    serving = GgufServer(GgufModel(str(tiny._find_weights_folder() / tiny.WEIGHTS_FILE), tiny.MODEL_NAME, 2048))
    yield serving.ensure_running()
    serving.end_child()


@installed
@pytest.mark.parametrize("api", ["openai", "anthropic"])
def test_it_speaks_both_wires(api, served, monkeypatch):
    monkeypatch.setenv("LAB_KEY", served.key)
    (reply,) = ask_player(
        api,
        make_context(api, served.address, key_env="LAB_KEY"),
        make_view(user_message("What is the capital of France? Answer in one word.")),
        parameters="max_tokens=20",
    )
    known = reply.meta
    assert (
        reply.text
        and known["model"] == tiny.MODEL_NAME
        and known["finish"] in ("stop", "length", "end_turn", "max_tokens")
    )
    assert known["tokens_in"] > 10 and 0 < known["tokens_out"] <= 20 and known["attempts"] == 1

    monkeypatch.setenv("LAB_KEY", "wrong")
    with pytest.raises(PlayerFault, match="401"):
        ask_player(api, make_context(api, served.address, key_env="LAB_KEY"))


@installed
def test_it_holds_json_to_the_schema_that_any_server_is_sent(served, monkeypatch):
    monkeypatch.setenv("LAB_KEY", served.key)
    form = FORMATS["schema"]
    (reply,) = ask_player(
        "openai",
        make_context("openai", served.address, key_env="LAB_KEY"),
        make_view(user_message("Left or right?"), form=form),
        parameters="constrain=true&max_tokens=60",
    )
    assert form.parse(reply.text)["move"] in ("left", "right") and reply.meta["constrained"] == "schema"


@installed
@pytest.mark.parametrize("form", [each for name, each in FORMATS.items() if name != "schema"])
def test_it_is_constrained_by_the_grammar_that_any_llama_cpp_is_sent(form, served, monkeypatch):
    monkeypatch.setenv("LAB_KEY", served.key)
    (reply,) = ask_player(
        "openai",
        make_context("openai", served.address, key_env="LAB_KEY", constrain="llamacpp"),
        make_view(user_message("Left or right?"), form=form),
        parameters="constrain=true&max_tokens=60",
    )
    assert reply.meta["constrained"] in ("list", "pattern")
    assert reply.meta["finish"] == "length" or form.parse(reply.text)


@pytest.mark.parametrize(
    ("processors", "load", "threads"), [(2, 0.1, 2), (2, 1.6, 1), (8, 0, 8), (8, 3, 5), (64, 0, 8)]
)
def test_it_uses_the_processors_that_are_free(processors, load, threads, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(processors)), raising=False)
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0, 0))
    assert choose_threads() == threads
    monkeypatch.setattr(tiny, "_REPLY_SECONDS", deque())
    assert tiny.PROVIDER.info(Address("tiny"), HOUSE).reply_seconds == round(
        max(1, tiny.REPLY_CORE_SECONDS / threads), 1
    )
    tiny._REPLY_SECONDS.extend([3.0, 4.0, 11.0])
    assert tiny.PROVIDER.info(Address("tiny"), HOUSE).reply_seconds == 4.0
