"""An episode's dialogue line by line, as plain text or as Markdown.

`ludens transcript` and the page of an episode offer both; `page.py` makes the HTML file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from engine.core.event_views import AskEvent, TellEvent
from engine.core.events import Event, Json, Kind
from engine.core.start import EpisodeStart
from engine.core.views import Transcript
from engine.formats.transcript.printable import escape_text


def format_text(log: Sequence[Event]) -> str:
    """Return an episode's dialogue as plain text."""
    return "\n".join(escape_text(dialogue_line) for _, dialogue_line in list_dialogue_lines(log))


def format_markdown(episode: str, log: Sequence[Event]) -> str:
    """Return an episode's dialogue as Markdown; players' texts are in code blocks that they cannot end."""
    markdown_blocks = [f"# Episode {episode}\n"]
    for seat, dialogue_line in list_dialogue_lines(log):
        heading, _, line_text = escape_text(dialogue_line).strip().partition(": ")
        code_block = _make_code_block(line_text.replace("\n      ", "\n"))
        markdown_blocks.append(f"**{heading}**\n\n{code_block}\n" if seat else f"{heading}:\n\n{code_block}\n")
    return "\n".join(markdown_blocks)


def _make_code_block(code_text: str) -> str:
    backtick_counts = (sum(1 for _ in backticks) for character, backticks in groupby(code_text) if character == "`")
    code_fence = "`" * max(3, max(backtick_counts, default=0) + 1)
    return f"{code_fence}text\n{code_text}\n{code_fence}"


def list_dialogue_lines(log: Sequence[Event]) -> Iterator[tuple[str | None, str]]:
    """Yield (seat, text) line by line; seat is None for the table. The same words to several seats are one line."""
    transcript = Transcript()
    content_parts: Sequence[Json] = ()
    """What was told last and is not yielded yet, with the seats that were told."""
    seats: list[str] = []
    for event in log:
        new_lines = transcript.apply(event)
        if event.kind is Kind.TELL and not (tell_event := TellEvent.from_event(event)).pictures:
            if tell_event.parts != content_parts:
                yield from _list_content_lines(content_parts, seats, transcript)
                content_parts, seats = tell_event.parts, []
            seats.append(str(event.seat))
            continue
        yield from _list_content_lines(content_parts, seats, transcript)
        content_parts, seats = (), []
        if event.kind is Kind.START:
            yield None, _format_episode_header(EpisodeStart.model_validate(event.data))
        for dialogue_line in new_lines:
            seat = dialogue_line["seat"]
            for content_part in dialogue_line["parts"] or ():
                yield seat, f"  GM to {seat}: {_indent_text(_format_part(content_part))}"
            if dialogue_line["parts"] is None:
                speaker = f"{seat} ({transcript.players[seat][-1]})" if seat else "Table"
                line_label = f" {dialogue_line['label']}:" if dialogue_line["label"] else ":"
                yield seat, f"{speaker}{line_label} {_indent_text(dialogue_line['text'])}"
        if event.kind in (Kind.ASK, Kind.TELL):
            message_view = AskEvent.from_event(event) if event.kind is Kind.ASK else TellEvent.from_event(event)
            for picture in message_view.pictures:
                yield event.seat, f"  GM to {event.seat}: [picture {picture['title']!r}: {picture['id']}]"
    yield from _list_content_lines(content_parts, seats, transcript)


def _list_content_lines(
    content_parts: Sequence[Json], seats: Sequence[str], transcript: Transcript
) -> Iterator[tuple[str | None, str]]:
    recipients = "all" if len(seats) == len(transcript.players) > 1 else ", ".join(seats)
    for content_part in content_parts:
        yield seats[0], f"  GM to {recipients}: {_indent_text(_format_part(content_part))}"


def _format_episode_header(start: EpisodeStart) -> str:
    seats = ", ".join(f"{seat} = {player}" for seat, player in start.seats.items())
    settings = ", ".join(f"{name} = {value}" for name, value in start.settings.items())
    return f"{start.instance_id}: {seats} ({settings}, reprompt = {start.reprompt}, seed {start.seed[:12]})"


def _format_part(content_part: Json) -> str:
    if "quote" in content_part:
        names_speaker = str(content_part["by"]) in content_part["label"].split()
        quote_label = content_part["label"] if names_speaker else f"{content_part['label']} of {content_part['by']}"
        return f"{quote_label}: {content_part['quote']}"
    if "exhibit" in content_part:
        return f"{content_part['title']}\n{content_part['exhibit']}"
    return str(content_part["text"])


def _indent_text(raw_text: str) -> str:
    return raw_text.replace("\n", "\n      ")
