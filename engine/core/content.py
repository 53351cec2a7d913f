"""What is said and shown at a table: text, relayed messages, grids, who sits where, pictures, progress."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.core.events import Json


@dataclass(slots=True)  # not frozen, though nobody changes one: freezing takes 0.2 µs a field, a run makes one a reply
class RelayedMessage:
    """The words of another seat: a model reads `label: text`, a person sees a speech bubble of the seat `by`."""

    label: str
    text: str
    by: str | None = None


@dataclass(frozen=True, slots=True)
class TextExhibit:
    """A preformatted text such as a grid: a model reads it below its title, a person's page pins it."""

    text: str
    title: str
    marked: str = ""
    """How a page frames it: "target", "right", "wrong", or not at all. Models read the title only."""


@dataclass(frozen=True, slots=True)
class SeatStatus:
    """One seat in a `SeatOverview`: `state` is "in" or "out"; `note` says what the reader may know, such as a role."""

    seat: str
    state: str = "in"
    note: str = ""


@dataclass(frozen=True, slots=True)
class SeatOverview:
    """Who is at the table, in order, as the reader may know it: a model reads `text`, a person's page draws it."""

    text: str
    places: tuple[SeatStatus, ...]


ContentPart = str | RelayedMessage | TextExhibit | SeatOverview

Content = ContentPart | Sequence[ContentPart]


_PART_TYPES = (str, RelayedMessage, TextExhibit, SeatOverview)
"""As a tuple, because the union would be made again at every check."""


def content_to_json(said_content: Content) -> list[Json]:
    """Return content as JSON parts.

    {"text", "company"?} | {"quote", "label", "by"} | {"exhibit", "title", "marked"?}.
    """
    content_parts: Iterable[ContentPart] = (said_content,) if isinstance(said_content, _PART_TYPES) else said_content
    json_parts: list[Json] = []
    for content_part in content_parts:
        if isinstance(content_part, str):
            json_parts.append({"text": content_part})
        elif isinstance(content_part, RelayedMessage):
            json_parts.append({"quote": content_part.text, "label": content_part.label, "by": content_part.by})
        elif isinstance(content_part, SeatOverview):
            place_rows = [
                {"seat": seat_status.seat, "state": seat_status.state, "note": seat_status.note}
                for seat_status in content_part.places
            ]
            json_parts.append({"text": content_part.text, "company": place_rows})
        else:
            json_parts.append(
                {"exhibit": content_part.text, "title": content_part.title} | _frame_as_json(content_part.marked)
            )
    return json_parts


def parse_content(json_parts: Iterable[Json]) -> list[ContentPart]:
    """Return the content that JSON parts describe; the inverse of `content_to_json`."""
    parsed_content: list[ContentPart] = []
    for content_part in json_parts:
        match content_part:
            case {"quote": part_text, "label": quote_label, "by": seat}:
                parsed_content.append(RelayedMessage(quote_label, part_text, seat))
            case {"exhibit": part_text, "title": exhibit_title}:
                parsed_content.append(TextExhibit(part_text, exhibit_title, content_part.get("marked", "")))
            case {"company": seats, "text": part_text}:
                statuses = tuple(SeatStatus(**seat) for seat in seats)
                parsed_content.append(SeatOverview(part_text, statuses))
            case _:
                parsed_content.append(content_part["text"])
    return parsed_content


def parts_to_text(json_parts: Iterable[Json]) -> str:
    """Return JSON parts as a model reads them, joined by line breaks."""
    text_lines = []
    for content_part in json_parts:
        if "quote" in content_part:
            text_lines.append(f"{content_part['label']}: {content_part['quote']}")
        elif "exhibit" in content_part:
            text_lines.append(f"{content_part['title']}:\n{content_part['exhibit']}")
        else:
            text_lines.append(content_part["text"])
    return "\n".join(text_lines)


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture shown with an ask or a tell, by asset id. `keep=False` drops it from the seat's later prompts."""

    id: str
    title: str = "Your picture"
    keep: bool = True
    marked: str = ""
    """How a page frames it: "target", "right", "wrong", or not at all."""

    def as_json(self) -> Json:
        """Return the picture as an event stores it."""
        return {"id": self.id, "title": self.title, "keep": self.keep} | _frame_as_json(self.marked)


def _frame_as_json(marked_text: str) -> Json:
    return {"marked": marked_text} if marked_text else {}


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: encoded bytes without metadata, its size, what is on it (for scripted players), whom to credit."""

    data: bytes
    media_type: str
    width: int
    height: int
    description: Json = field(default_factory=dict)
    credit: str = ""
    """A line shown under the picture wherever it is played ("Visual Genome, CC BY 4.0"); empty for our own."""


@dataclass(slots=True)  # not frozen, as `RelayedMessage`
class Progress:
    """What is left, for a person's page: "You may ask 2 more questions", of 3. Models are not told.

    `verb` is what a person does with a `counted_unit`, a plural: Progress("clues", 2, 2, verb="give").
    """

    counted_unit: str
    remaining_count: int
    total_count: int
    verb: str = "ask"

    def as_json(self) -> Json:
        """Return the progress as an event stores it."""
        progress_json = {"what": self.counted_unit, "left": self.remaining_count, "of": self.total_count}
        return progress_json if self.verb == "ask" else {**progress_json, "verb": self.verb}
