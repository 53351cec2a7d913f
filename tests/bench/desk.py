"""Bench: the desk of a study with hundreds of participants at once, and what an open desk costs those who play.

A rehearsal runs twice, without and with a desk open in Chromium on the same machine. An update of the desk is a request
that its page makes every second; what happened is on it after at most that second and the request. `--participants N`
takes another number than 300.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from cli.study.rehearsal.crowd import SimulatedParticipants
from cli.study.simulate import _StudyRehearsal
from tests.bench._figures import figure, heading

FILE = Path(__file__).parents[1] / "rehearsal" / "alone.toml"
UPDATE_SECONDS, MOVE_MS = 1.0, 150.0
SETTLING_SECONDS = 5.0


class Rehearsal(_StudyRehearsal):
    """A rehearsal that says where its server is."""

    async def open(self) -> str:
        """Start the server and return the admin link."""
        await self._server.start()
        for _ in range(100):
            if link := re.search(r"/a/[\w-]+", self._server._read_output()):
                return self._server.url + link[0]
            await asyncio.sleep(0.1)
        raise SystemExit("the server has printed no admin link")

    async def take_part(self, size: int) -> SimulatedParticipants:
        """Let everybody take part at once."""
        study, rng = self._version.study, random.Random(1)
        simulated_participants = SimulatedParticipants(
            self._server, study, "fast", size, size, 0, rng, self._wait_until_departures_noted
        )
        await simulated_participants.run_participants()
        return simulated_participants


async def watch_desk(admin_link: str, seconds: list[float]) -> None:
    """Keep the desk open until cancelled, and note how long each update took."""
    from playwright.async_api import Request, async_playwright

    async with async_playwright() as playwright:
        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = await browser.new_page()

        def note(request: Request) -> None:
            if "/gradio_api/" in request.url and request.method == "POST":
                seconds.append(request.timing["responseEnd"] / 1000)

        await page.goto(admin_link)
        page.on("requestfinished", note)
        await page.goto(admin_link.partition("/a/")[0] + "/desk")
        try:
            await asyncio.Event().wait()
        finally:
            await browser.close()


async def rehearse(rehearsal: Rehearsal, size: int, *, with_desk: bool) -> tuple[SimulatedParticipants, list[float]]:
    """Return the participants, and the seconds of each update of the desk."""
    admin_link = await rehearsal.open()
    updates: list[float] = []
    desk = asyncio.create_task(watch_desk(admin_link, updates)) if with_desk else None
    if desk:
        await asyncio.sleep(SETTLING_SECONDS)
        updates.clear()
    simulated_participants = await rehearsal.take_part(size)
    if desk:
        desk.cancel()
        with suppress(asyncio.CancelledError):
            await desk
    await rehearsal._server.stop()
    return simulated_participants, updates


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--participants", type=int, default=300)
    size = parser.parse_args().participants
    heading(f"a study with {size} participants at once")
    for with_desk in (False, True):
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            file = folder / "study.toml"
            text = FILE.read_text(encoding="utf-8")
            file.write_text(re.sub(r"people = (\d+)", lambda match: f"people = {2 * int(match[1])}", text))
            rehearsal = Rehearsal(file, folder / "log.db", folder, size, is_fast=True)
            try:
                simulated_participants, updates = asyncio.run(rehearse(rehearsal, size, with_desk=with_desk))
                report = rehearsal.build_report(simulated_participants)
            finally:
                rehearsal.close()
        open_text = "with" if with_desk else "without"
        for percent in (50, 95):
            what = f"a participant's move {open_text} a desk, p{percent}"
            figure(what, report[f"move_p{percent}_ms"], "ms", most=MOVE_MS if percent == 95 else None)
        figure(f"errors {open_text} a desk", report["errors"], "")
        if updates:
            updates.sort()
            figure(f"an update of the desk, p50 of {len(updates)}", updates[len(updates) // 2], "s")
            figure("an update of the desk, p95", updates[int(0.95 * len(updates))], "s", most=UPDATE_SECONDS)


if __name__ == "__main__":
    main()
