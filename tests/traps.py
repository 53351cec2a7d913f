"""Texts that make careless readers slow, and a process with little time in which they are read."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from engine.core.player import Player, Reply
from engine.core.replies import MAX_REPLY_CHARACTERS, ReplyFormat, Violation
from engine.core.views import SeatView

ROOT = Path(__file__).resolve().parents[1]


def _fill(unit: str, start: str = "", end: str = "") -> str:
    """Return `start`, as many units as there is room for, and `end`: as long as a person's reply may be."""
    room = MAX_REPLY_CHARACTERS - len(start) - len(end)
    return start + (unit * (room // len(unit) + 1))[:room] + end


TRAPS: Mapping[str, str] = {
    "clauses": _fill("fill row 1 with A. "),
    "commas": _fill(" ,", "row 1", " are filled"),
    "forty commas": "row 1" + " ," * 40 + " are filled",
    "blanks": _fill(" ", "row1", "x"),
    "990 blanks": "row1" + " " * 990 + "x",
    "two runs of blanks": "row 1 " + " " * 99_000 + "is" + " " * 99_000 + ": x",
    "cells": _fill("A ▢ ", "row 1: "),
    "joined lines": _fill("row 1 and column 2 and "),
    "ordinals": _fill("second, third and 4th "),
    "numbers": _fill("1, 2 and "),
    "questions": _fill("is it bigger than a "),
    "frames": _fill("square frame outline " * 10 + "zork. "),
    "places": _fill("top left of the bottom right corner from "),
    "things": _fill("a red ball left of two big dogs and "),
    "letters": _fill("a", end="!"),
    "words": _fill("x "),
    "capitals": _fill("A "),
    "digits": _fill("1"),
    "lines": _fill("\n", "a", "b"),
    "short lines": _fill("a\n"),
    "carriage returns": _fill("\r\n", "a", "b"),
    "tabs": _fill("\t", "a", "b"),
    "brackets": _fill("["),
    "objects": _fill('{"a":'),
    "quotes": _fill('"'),
    "backslashes": _fill("\\"),
    "fences": _fill("`"),
    "tags": _fill("<b>&"),
    "labels": _fill("Answer: DESCRIPTION: "),
    "formulas": _fill("=+-@"),
    "zero width": _fill("a\u200b\u200d"),
    "combining": _fill("\u0301\u0316", "a"),
    "ligatures": _fill("\ufdfa"),
    "dotted": _fill("İß"),
    "right to left": _fill("\u202eא "),
    "halves": _fill("\ud800"),
    "dashes": _fill("- ", "--"),
    "apostrophes": _fill("n't '"),
    "semicolons": _fill("; ", "A"),
}


def run_limited(function: str, *arguments: str, seconds: int) -> None:
    """Call `function` ("module:name") with texts in a child that may use `seconds` of processor time.

    The child's last line of output says what it was reading when the time was over.
    """
    module, _, name = function.partition(":")
    code = f"import sys; from {module} import {name}; {name}(*sys.argv[1:])"

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))

    child = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        preexec_fn=limit,
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert child.returncode == 0, (
        f"ended with {child.returncode} while reading {child.stdout[-300:]}\n{child.stderr[-3000:]}"
    )


def trapped(asked: ReplyFormat[Any], trap: str, rng: Random) -> str | None:
    """Return a well-formed reply with the trap where the format takes free text, None if it takes none or not this."""
    form = asked.describe_form()
    values = {}
    for alternative in form.get("either", [form]):
        for field in alternative["fields"]:
            options = [option["value"] for option in field.get("options", ())]
            values[field["name"]] = rng.choice(options) if options else trap
    for fields in (values, {name: " ".join(value.split()) for name, value in values.items()}):
        try:
            reply = asked.compose_reply(fields)
            asked.parse(reply)
        except Violation:
            continue
        return reply if trap in values.values() else None
    return None


class Trapper(Player):
    """Says the next of `traps` (names) wherever it may say something, and adds its name to `said`."""

    def __init__(self, traps: Iterator[str], said: set[str]) -> None:
        self.traps, self.said = traps, said

    async def reply(self, view: SeatView) -> Reply:
        """Return a trap in the format asked for, or a random reply where there is no place for one."""
        if trapped(view.ask.format, "x 1", view.random):
            for name in self.traps:
                self.said.add(name)
                if reply := trapped(view.ask.format, TRAPS[name], view.random):
                    sys.stdout.write(f"{name} said by {view.seat} of {view.game}\n")
                    sys.stdout.flush()
                    return Reply(reply)
        return Reply(view.ask.format.sample(view.random))
