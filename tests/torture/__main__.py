"""Torture: clients play while their server is killed, stopped, starved of disk and locked out of its file.

    .venv/bin/python -m tests.torture --seconds 600 --seed 7

At the end the last games are played out in peace, and the log is compared with what the server has answered: every
accepted move is there once and unchanged, no refused one is, every log equals its replay, every status is true. Prints
counts; exits with 1 if any of this is not so. A seed gives the same troubles and moves, not the same course of events.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import secrets
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import aiohttp

from tests.torture.clients import ANSWER_LIMIT, CALM_LIMIT, Client
from tests.torture.history import History
from tests.torture.trouble import Disk, House
from tests.torture.verdict import list_violations

CLIENTS = 12


async def torture(house: House, history: History, seconds: float, seed: str) -> None:
    """Let clients play for some seconds of trouble, and then to the end of their games."""
    calm = asyncio.Event()
    choice = random.Random(f"{seed}/trouble")
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=ANSWER_LIMIT, sock_read=ANSWER_LIMIT)
    await house.start()
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0), cookie_jar=aiohttp.DummyCookieJar(), timeout=timeout
    ) as session:
        clients = [Client(number, seed, session, house.url, history, calm) for number in range(CLIENTS)]
        tasks = [asyncio.create_task(client.run()) for client in clients]
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            await asyncio.sleep(choice.uniform(0.1, 2.0))
            await house.trouble(choice)
        calm.set()
        await asyncio.wait(tasks, timeout=CALM_LIMIT)
        for client, task in zip(clients, tasks, strict=True):
            if not task.done():
                history.violations.append(f"after {CALM_LIMIT} s of peace a client still {client.now}")
                task.cancel()
            elif error := task.exception():
                history.violations.append(f"a client failed: {error!r}")
    await house.end(signal.SIGTERM)
    if house.process.returncode not in (0, -signal.SIGTERM):  # uvicorn ends itself with the signal it was sent
        history.violations.append(f"in peace the server ended with {house.process.returncode}")


def report(house: House, history: History, broken: list[str], seconds: float) -> None:
    """Print what was done and what came of it."""
    trouble = ", ".join(f"{what} {count}" for what, count in sorted(house.counts.items()))
    statuses = [sent.status for sent in history.moves.values()]
    changes = sum(change.is_granted for change in history.changes)
    requests = ", ".join(f"{count} {what}" for what, count in sorted(history.counts.items()) if what != "games")
    print(f"{seconds:.0f} s of trouble; disk: {house.disk}")
    print(f"trouble: {trouble}; {len(house.starts)} starts, the slowest {max(house.starts):.1f} s")
    print(f"moves: {len(statuses)} sent, {statuses.count(200)} accepted, {statuses.count(409)} came too late")
    print(
        f"games: {history.counts['games']} begun, {len(history.finished)} played to the end; {changes} changes granted"
    )
    print(f"requests: {requests}")
    for line in broken[:50]:
        print(f"BROKEN: {line}")
    print(f"{len(broken)} promises broken")


def main() -> int:
    """Run the torture; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=600, help="how long the trouble lasts (600)")
    parser.add_argument("--seed", default=secrets.token_hex(3), help="of the troubles and moves")
    parser.add_argument("--keep", type=Path, help="a folder for the database and the server's log")
    options = parser.parse_args()
    print(f"torture with seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="torture-") as name:
        disk = Disk(Path(name), 64 + int(options.seconds / 3))
        try:
            house, history = House(Path(name), disk), History()
            try:
                asyncio.run(torture(house, history, options.seconds, options.seed))
            finally:
                if house.process.poll() is None:
                    house.process.kill()
                    house.process.wait()
            broken = [*house.violations, *history.violations, *list_violations(history, house.db, house.process.pid)]
            report(house, history, broken, options.seconds)
        finally:
            if options.keep:
                shutil.copytree(name, options.keep, dirs_exist_ok=True)
            disk.close()
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
