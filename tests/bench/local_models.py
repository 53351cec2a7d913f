"""Bench: one local model for many tables: prompts generated together against one by one.

On a CPU the tiny random model that sees, 16 tables, one thread, through the real child process. On a CUDA GPU (or with
`--mid-size`) a random model that sees of 1.9 billion weights: calls/s and the share of time the GPU computes. What the
models say is noise: a reply has all its tokens or ends by chance, the same way in both runs. Last comes `transformers
serve --continuous-batching` with the same model and prompts: what a ready-made local server gives in our place.

    .venv/bin/python -m tests.bench.local_models [--mid-size] [--tables 16] [--tokens 40]
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx

from tests.bench._figures import figure, heading, median

ROOT = Path(__file__).resolve().parents[2]

from players.local.host import LocalModel  # noqa: E402
from players.local.messages import ModelSpec, Prompt, PromptTurn  # noqa: E402
from tests.conftest import pick_port  # noqa: E402
from tests.players import random_models  # noqa: E402

ROUNDS = 3


def prompts(tables: int, tokens: int, mid_size: bool) -> list[Prompt]:
    """Return what so many tables ask at one moment: conversations of different length, with one to three pictures."""
    from PIL import Image

    made = []
    for table in range(tables):
        pictures = []
        for number in range(1 + table % 3):
            data = io.BytesIO()
            Image.effect_noise((480 if mid_size else 60, 360 if mid_size else 45), 20.0 * (1 + number)).convert(
                "RGB"
            ).save(data, "PNG")
            pictures.append(data.getvalue())
        words = "Describe what you see to a partner who sees another picture. " * (2 + table % 5)
        turns = [
            PromptTurn("user", words, tuple(pictures)),
            PromptTurn("assistant", "DESCRIPTION: a room."),
            PromptTurn("user", "Go on."),
        ]
        made.append(Prompt(tuple(turns), max_tokens=tokens, temperature=1.0, seed=table))
    return made


class Busy:
    """The share of time a GPU computes, as nvidia-smi says, sampled while this is open; None where there is no GPU."""

    def __init__(self) -> None:
        self._samples: list[float] = []
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Busy:
        if shutil.which("nvidia-smi"):
            words = ["nvidia-smi", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits", "-lms", "100"]
            self._process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
            threading.Thread(target=self._listen, args=(self._process,), daemon=True).start()
        return self

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout
        for line in process.stdout:
            if line.strip().isdigit():
                self._samples.append(float(line))

    def __exit__(self, *_: object) -> None:
        if self._process:
            self._process.terminate()
            self._process.wait()

    @property
    def share(self) -> float | None:
        """Percent."""
        return sum(self._samples) / len(self._samples) if self._samples else None


def rate(model: LocalModel, asked: Sequence[Prompt], *, together: bool) -> float:
    """Return calls a second."""
    started = time.perf_counter()
    if together:
        for future in [model.queue_prompt(one) for one in asked]:
            future.result()
    else:
        for one in asked:
            model.queue_prompt(one).result()
    return len(asked) / (time.perf_counter() - started)


@contextlib.contextmanager
def transformers_server(model: Path) -> Iterator[str]:
    """Start `transformers serve` with continuous batching; yield its address."""
    port = pick_port()
    program = [str(Path(sys.executable).parent / "transformers"), "serve", model.name, "--continuous-batching"]
    process = subprocess.Popen(
        [*program, "--host", "127.0.0.1", "--port", str(port)],
        cwd=model.parent,  # it answers to no other name
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        while True:
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"{url}/health").is_success:
                    break
            assert process.poll() is None, "transformers serve has ended"
            time.sleep(0.1)
        yield url
    finally:
        process.kill()
        process.wait()


def chat_request(model: str, prompt: Prompt) -> dict[str, Any]:
    """Return a prompt as a request of OpenAI's protocol."""
    messages = []
    for turn in prompt.turns:
        parts: list[dict[str, Any]] = [{"type": "text", "text": turn.text}]
        for picture in turn.pictures:
            url = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
            parts.append({"type": "image_url", "image_url": {"url": url}})
        messages.append({"role": turn.role, "content": parts})
    return {"model": model, "messages": messages, "max_tokens": prompt.max_tokens, "temperature": 1.0}


def rate_of_server(url: str, model: str, asked: Sequence[Prompt]) -> float:
    """Return calls a second of a server that gets all requests at once."""

    def ask(prompt: Prompt) -> None:
        response = httpx.post(f"{url}/v1/chat/completions", json=chat_request(model, prompt), timeout=600)
        response.raise_for_status()

    started = time.perf_counter()
    with ThreadPoolExecutor(len(asked)) as threads:
        list(threads.map(ask, asked))
    return len(asked) / (time.perf_counter() - started)


def main() -> None:
    """Print the figures."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--mid-size", action="store_true")
    words.add_argument("--tables", type=int, default=16)
    words.add_argument("--tokens", type=int, default=40)
    given = words.parse_args()
    import torch

    mid_size = given.mid_size or torch.cuda.is_available()
    heading(f"a local model for {given.tables} tables, {given.tokens} tokens a reply, pictures in every prompt")
    with tempfile.TemporaryDirectory() as folder:
        random_models.vision(Path(folder), mid_size=mid_size)
        asked = prompts(given.tables, given.tokens, mid_size)
        if not mid_size:
            os.environ["OMP_NUM_THREADS"] = "1"  # for so tiny a model threads only wait for each other
        model = LocalModel(ModelSpec(folder, batch=given.tables))
        started = time.perf_counter()
        model.queue_prompt(asked[0]).result()
        figure("seconds until the first answer, loading included", time.perf_counter() - started, "s")
        rate(model, asked, together=True)  # warm
        rates = {}
        for together, what in ((False, "one by one"), (True, "together")):
            with Busy() as busy:
                rates[together] = median([rate(model, asked, together=together) for _ in range(ROUNDS)])
            figure(f"calls/s, {what} (median of {ROUNDS})", rates[together], "calls/s")
            if busy.share is not None:
                figure("  share of the time the GPU computes", busy.share, "%")
        figure("together against one by one", rates[True] / rates[False], "times", least=2)
        assert model.info
        print(f"{model.info.device}, {model.info.dtype}, {'mid-size' if mid_size else 'tiny'} model")
        model.close()
        with transformers_server(Path(folder)) as url:
            rate_of_server(url, Path(folder).name, asked[:1])  # loads it
            served = median([rate_of_server(url, Path(folder).name, asked) for _ in range(ROUNDS)])
        figure(f"calls/s, transformers serve, all at once (median of {ROUNDS})", served, "calls/s")
        figure("together against transformers serve", rates[True] / served, "times")


if __name__ == "__main__":
    main()
