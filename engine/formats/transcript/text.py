"""An episode to read: its dialogue line by line, as plain text or as Markdown.

The terminal, `ludens transcript` and the episode's page show the same; `page.py` is the one that opens in a browser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.events import Event, Kind
from engine.core.views import Transcript
from engine.formats.transcript.printable import printable


def transcript_text(log: Sequence[Event]) -> str:
    """Return an episode's dialogue as plain text."""
    return "\n".join(printable(line) for _, line in dialogue_lines(log))


def transcript_markdown(episode: str, log: Sequence[Event]) -> str:
    """Return an episode's dialogue as Markdown: whatever was written stands in a block that it cannot end."""
    made = [f"# Episode {episode}\n"]
    for seat, line in dialogue_lines(log):
        head, _, rest = printable(line).strip().partition(": ")
        block = _fenced(re.sub(r"\n      ", "\n", rest))
        made.append(f"**{head}**\n\n{block}\n" if seat else f"{head}:\n\n{block}\n")
    return "\n".join(made)


def _fenced(words: str) -> str:
    longest = max((len(run) for run in re.findall("`+", words)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{words}\n{fence}"


def dialogue_lines(log: Sequence[Event]) -> Iterator[tuple[str | None, str]]:
    """Yield (seat, text) line by line; seat is None for the table."""
    transcript = Transcript()
    told: dict[str, Any] = {}
    """What was told last, and to whom: the same words to many are one line."""
    for event in log:
        lines = transcript.apply(event)
        if event.kind is Kind.TELL and not event.data["pictures"]:
            if told and told["said"] == event.data["said"]:
                told["seats"].append(event.seat)
            else:
                yield from _told(told, len(transcript.players))
                told = {"said": event.data["said"], "seats": [event.seat]}
            continue
        yield from _told(told, len(transcript.players))
        told = {}
        if event.kind is Kind.START:
            yield None, _head(event)
        for line in lines:
            seat = line["seat"]
            for part in line["parts"] or ():
                yield seat, f"  GM to {seat}: {_indented(_said(part))}"
            if line["parts"] is None:
                who = f"{seat} ({transcript.players[seat][-1]})" if seat else "Table"
                label = f" {line['label']}:" if line["label"] else ":"
                yield seat, f"{who}{label} {_indented(line['text'])}"
        if event.kind in (Kind.ASK, Kind.TELL):
            for shown in event.data["pictures"]:
                yield event.seat, f"  GM to {event.seat}: [picture {shown['title']!r}: {shown['id']}]"
    yield from _told(told, len(transcript.players))


def _told(told: dict[str, Any], everybody: int) -> Iterator[tuple[str | None, str]]:
    if told:
        seats = told["seats"]
        whom = "all" if len(seats) == everybody > 1 else ", ".join(seats)
        for part in told["said"]:
            yield seats[0], f"  GM to {whom}: {_indented(_said(part))}"


def _head(event: Event) -> str:
    data = event.data
    seats = ", ".join(f"{seat} = {player}" for seat, player in data["seats"].items())
    settings = ", ".join(f"{name} = {value}" for name, value in data["settings"].items())
    return f"{data['instance_id']}: {seats} ({settings}, reprompt = {data['reprompt']}, seed {data['seed'][:12]})"


def _said(part: dict[str, Any]) -> str:
    if "quote" in part:
        whose = part["label"] if str(part["by"]) in part["label"].split() else f"{part['label']} of {part['by']}"
        return f"{whose}: {part['quote']}"
    if "exhibit" in part:
        return f"{part['title']}\n{part['exhibit']}"
    return str(part["text"])


def _indented(text: str) -> str:
    return text.replace("\n", "\n      ")
