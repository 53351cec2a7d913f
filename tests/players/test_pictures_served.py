"""Pictures over the OpenAI api to a server that looks at them: `transformers serve` with a tiny random model."""

import asyncio
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

import players.openai
from engine.core.events import Kind
from engine.core.player import ModelInfo
from engine.play.runner import play
from tests.conftest import START_LIMIT, pick_port
from tests.players import random_models
from tests.players.seats import ask_player, make_context, make_picture, make_view, user_message

TRANSFORMERS = Path(sys.executable).parent / "transformers"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.models,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
]


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    """The address of the server."""
    folder, port = tmp_path_factory.mktemp("served"), pick_port()
    model, log = random_models.vision(folder / "m").name, folder / "log.txt"  # it answers to no other name
    with log.open("wb") as out:
        command = [TRANSFORMERS, "serve", model, "--host", "127.0.0.1", "--port", str(port)]
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
    until = time.monotonic() + 2 * START_LIMIT
    try:
        while not _healthy(port):
            assert process.poll() is None and time.monotonic() < until, log.read_text(errors="replace")[-2000:]
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


def _healthy(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/health", timeout=5).is_success
    except httpx.TransportError:
        return False


def test_two_pictures_of_one_prompt_are_looked_at(url):
    shown = {"a": make_picture("PNG"), "b": make_picture("WEBP"), "c": make_picture("JPEG")}
    blind, first, again, other = ask_player(
        "openai",
        make_context("openai", url, ModelInfo(pictures=2)),
        make_view(user_message("Same or different?")),
        make_view(user_message("Same or different?", "a", "b"), pictures=shown),
        make_view(user_message("Same or different?", "a", "b"), pictures=shown),
        make_view(user_message("Same or different?", "b", "c"), pictures=shown),
        parameters="temperature=0&max_tokens=12",
    )
    assert [reply.meta.get("pictures") for reply in (blind, first)] == [
        None,
        [[40, 30, "image/png"], [40, 30, "image/jpeg"]],
    ]
    # each picture is 4 tokens and 3 around them
    assert first.meta["tokens_in"] - blind.meta["tokens_in"] == 14
    assert first.text == again.text != other.text


@pytest.mark.parametrize("seats", ["A", "B"])
def test_a_picture_episode_comes_to_an_outcome(url, seats):
    name = f"openai/m?base_url={url}/v1&max_tokens=12&temperature=0"

    async def go():
        try:
            return await play(
                "matchit",
                "matchit/picture/photos-same/0",
                {"A": "scripted", "B": "scripted"} | dict.fromkeys(seats, name),
            )
        finally:
            await players.openai.PROVIDER.close()

    episode = asyncio.run(go())
    (noise,) = [event for event in episode.log if event.kind is Kind.REPLY and event.seat in seats]
    assert noise.data["meta"]["pictures"] == [[640, 480, "image/jpeg"]] and noise.data["meta"]["tokens_out"] == 12
    violation = next(event for event in episode.log if event.kind is Kind.VIOLATION)
    assert violation.data["fault"] == "format" and violation.seat == seats == episode.outcome.seat
