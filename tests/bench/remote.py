"""Bench: player calls a second through `ludens run` against a real local server that takes 200 ms for each.

100 episodes in play at once give 500 calls a second at best; the figure is the share of that. llm-katan runs in a
process of its own beside it: on two cores the server takes what the players leave, so its own share at the same load,
asked by the barest client there is, is printed too.
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
import time
from pathlib import Path

from tests.bench._figures import figure, heading, median

ROOT = Path(__file__).resolve().parents[2]

LATENCY, AT_ONCE = 0.2, 100
IDEAL = AT_ONCE / LATENCY
AIM = 0.95
ROUNDS = 40


def through_a_run(folder: Path, url: str, wire: str) -> tuple[float, float]:
    """Play matchit/text with an echoing model at both seats; return calls a second and CPU milliseconds a call."""
    from cli.run import reduce_garbage_collection
    from engine.play.executors.local import LocalExecutor
    from engine.play.plans import Plan
    from engine.play.registry import Registry
    from engine.storage.store import Store

    (folder / "players.toml").write_text(
        f'[servers.bench]\napi = "{wire}"\nbase_url = "{url}{"/v1" if wire == "openai" else ""}"\nkey_env = "BENCH"\n'
    )
    os.environ["BENCH"] = "sk-bench"
    registry = Registry(ROOT, players=folder / "players.toml")
    each = len(registry.select_instances("matchit/text"))
    repeat = max(1, round(AT_ONCE * ROUNDS / 2 / each))  # an echo breaks the rules twice: one reminder, two calls
    plan = Plan.from_selections(registry, ["matchit/text"], [{"all": "bench/echo"}], repeat=repeat, reprompt=1)

    async def go(run: LocalExecutor) -> None:
        await run.play_plan()
        await registry.close()

    with Store(folder / f"{time.monotonic_ns()}.db", purpose="run") as store:
        run = LocalExecutor(plan, store, concurrency=AT_ONCE)
        reduce_garbage_collection()
        started, used = time.perf_counter(), time.process_time()
        asyncio.run(go(run))
        seconds, cpu = time.perf_counter() - started, time.process_time() - used
    assert run.tally.is_complete, run.tally.cause_by_stalled_episode
    return run.tally.call_count / seconds, cpu / run.tally.call_count * 1000


async def barely(port: int) -> float:
    """Ask the same of the server with bare sockets; return calls a second."""
    body = json.dumps({"model": "echo", "messages": [{"role": "user", "content": "word " * 300}]}).encode()
    head = ["POST /v1/chat/completions HTTP/1.1", "Host: x", "Authorization: Bearer k", f"Content-Length: {len(body)}"]
    request, todo = "\r\n".join([*head, "", ""]).encode() + body, iter(range(AT_ONCE * ROUNDS))

    async def one() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in todo:
            writer.write(request)
            told = (await reader.readuntil(b"\r\n\r\n")).lower()
            await reader.readexactly(int(told.partition(b"content-length:")[2].split(b"\r\n")[0]))
        writer.close()

    started = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(AT_ONCE)))
    return AT_ONCE * ROUNDS / (time.perf_counter() - started)


def main() -> None:
    """Print the figures."""
    from tests.katan import Katan

    heading(f"models at a server of {LATENCY * 1000:.0f} ms, {AT_ONCE} episodes at once, ideal {IDEAL:.0f} calls/s")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Katan(folder, "--latency-ms", str(round(LATENCY * 1000)), "--log-level", "ERROR") as katan:
            asyncio.run(barely(katan.port))
            bare = median([asyncio.run(barely(katan.port)) for _ in range(3)])
            figure("the server itself, bare sockets (median of 3)", bare / IDEAL * 100, "% ideal")
            for wire in ("openai", "anthropic"):
                through_a_run(folder, katan.url, wire)
                pairs = [(*through_a_run(folder, katan.url, wire), asyncio.run(barely(katan.port))) for _ in range(3)]
                calls, cpu, bare_calls = zip(*pairs, strict=True)
                share = median([run / sockets for run, sockets in zip(calls, bare_calls, strict=True)])
                figure(f"run over the wire of {wire} (median of 3)", median(calls) / IDEAL * 100, "% ideal")
                figure("  of what bare sockets reach in turns with it", share * 100, "%", least=AIM * 100)
                figure("  processor time of a call, rules and log included", median(cpu), "ms", most=0.8)


if __name__ == "__main__":
    main()
