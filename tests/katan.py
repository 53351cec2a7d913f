"""llm-katan as tests use it: a real server on loopback that speaks the wires of OpenAI and Anthropic and echoes.

    with Katan(folder, "--latency-ms", "3000") as katan:
        ... katan.url + "/v1" for openai, katan.url for anthropic, katan.answered() replies so far

It wants some key; `--validate-keys --api-keys openai=…,anthropic=…` says which. It takes 100 requests at once.
"""

import re
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

import httpx

from tests.conftest import START_LIMIT, pick_port

COMMAND = Path(sys.executable).parent / "llm-katan"


class Katan:
    """One server: started at once, so that several start side by side; `with` waits until it answers, and ends it."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.port = pick_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / f"katan-{self.port}.log"
        self._command = [
            *(COMMAND, "--model", "echo", "--backend", "echo", "--host", "127.0.0.1", "--port", str(self.port)),
            *("--providers", "openai,anthropic", "--max-concurrent", "100", "--stats-file", ""),
            *("--disable-dashboard", "--device", "cpu", "--log-level", "WARNING", *options),
        ]

        with self.log.open("ab") as out:
            self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=out, stderr=out)

    def __enter__(self) -> "Katan":
        until = time.monotonic() + START_LIMIT
        while time.monotonic() < until and self._process.poll() is None:
            try:
                if httpx.get(f"{self.url}/health", timeout=5).is_success:
                    return self
            except httpx.TransportError:
                time.sleep(0.05)
        self.__exit__(None, None, None)
        raise AssertionError(f"llm-katan did not start:\n{self.log.read_text(errors='replace')[-2000:]}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def answered(self) -> int:
        """How many requests it has answered with a reply."""
        told = httpx.get(f"{self.url}/metrics", timeout=30).text
        return int(float(re.search(r"^llm_katan_requests_total\{.*\} (\S+)$", told, re.MULTILINE)[1]))
