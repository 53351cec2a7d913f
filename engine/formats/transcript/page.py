"""An episode as one HTML file that opens offline: every line, every picture, the scores; no script, no link outside.

Up to three seats have a column each. More seats share one column and are told apart by colour and name.
"""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.core.colours import SEAT_COLOURS
from engine.core.content import Picture
from engine.core.event_views import AskEvent, TellEvent
from engine.core.events import Event, Json, Kind
from engine.core.log import Log
from engine.core.scores import score_episode
from engine.core.start import EpisodeStart
from engine.core.views import Transcript
from engine.formats.transcript.printable import escape_text
from engine.storage.episode_row import EpisodeRow

if TYPE_CHECKING:
    from engine.play.registry import Registry

MAX_COLUMNS = 3
PAGE_STYLE = """
:root{color-scheme:light dark;--line:#8884}
body{font:16px/1.45 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.3rem}table{border-collapse:collapse;margin:.5rem 0}
th,td{text-align:left;padding:.15rem .8rem .15rem 0;vertical-align:top}
ol{list-style:none;padding:0;display:grid;gap:.5rem;grid-template-columns:repeat(var(--columns),minmax(0,1fr))}
li{border:1px solid var(--line);border-left:4px solid var(--seat,var(--line));border-radius:.4rem;padding:.4rem .7rem}
li.table,li.wide{grid-column:1/-1}li.gm{opacity:.86}li.private{border-style:dashed}
li{align-self:start}b{color:var(--seat,inherit);display:block}small{opacity:.7}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.2rem 0;font:inherit}
pre.grid{font-family:ui-monospace,monospace;line-height:1.2}
svg.shown{max-width:22rem;width:100%;height:auto;display:block}
details pre{max-height:24rem;overflow:auto}
@media(max-width:44rem){ol{grid-template-columns:minmax(0,1fr)}li{grid-column:1!important}}
"""


def render_episode_page(episode_row: EpisodeRow, events: Sequence[Event], registry: Registry) -> str:
    """Return the page of a stored episode, with scores and pictures if its game is installed."""
    log = Log(events)
    if not registry.has(episode_row.game):
        return render_transcript_page(episode_row.id, log, episode_row.scores, _raise_missing_picture)
    game = registry.game(episode_row.game)
    scores = score_episode(log, game) if episode_row.outcome else None
    try:
        instance = game.load(log.start.instance)
    except ValueError:  # its pictures are not on this machine
        return render_transcript_page(episode_row.id, log, scores, _raise_missing_picture)
    return render_transcript_page(episode_row.id, log, scores, lambda asset: game.picture(instance, asset))


def _raise_missing_picture(asset: str) -> Picture:
    raise KeyError(asset)


def render_transcript_page(
    episode: str,
    log: Log,
    scores: Mapping[str, Any] | None,
    load_picture: Callable[[str], Picture],
) -> str:
    """Return the page of an episode. `picture` returns a picture by its id, or raises KeyError if it is missing."""
    start_data = log.start
    pictures = _Pictures(load_picture)
    items_html = "\n".join(_DialogueItems(list(start_data.seats), pictures).render_items(log))
    title = f"{start_data.instance_id} · {episode}"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>{_as_html(title)}</title>
<style>{PAGE_STYLE}</style>
</head>
<body style="--columns:{_count_columns(start_data)}">
<h1>{_as_html(start_data.instance_id)}</h1>
<p><small>Episode {_as_html(episode)}</small></p>
{_render_facts(start_data)}
{pictures.render_definitions()}
<ol>
{items_html}
</ol>
{_render_scores(scores)}
</body>
</html>"""


def _as_html(shown_value: object) -> str:
    return html.escape(escape_text(str(shown_value)))


def _count_columns(start_data: EpisodeStart) -> int:
    return len(start_data.seats) if 1 < len(start_data.seats) <= MAX_COLUMNS else 1


def _render_facts(start: EpisodeStart) -> str:
    seats = list(start.seats)
    fact_rows = [
        f"<tr><th style='color:{_find_seat_colour(seats, seat)}'>{_as_html(seat)}</th><td>{_as_html(player)}</td></tr>"
        for seat, player in start.seats.items()
    ]
    fact_texts = {
        "settings": ", ".join(f"{name} = {value}" for name, value in start.settings.items()) or "none",
        "reminders": start.reprompt,
        "rules, prompts": f"{start.game} {start.game_version}, {start.prompts} {start.prompts_version}",
        "instance": start.instance_hash,
        "seed": start.seed,
        "Ludens": start.ludens,
    }
    fact_rows += [f"<tr><th>{_as_html(name)}</th><td>{_as_html(value)}</td></tr>" for name, value in fact_texts.items()]
    return f"<table>{''.join(fact_rows)}</table>"


def _find_seat_colour(seats: Sequence[str], seat: str) -> str:
    return SEAT_COLOURS[seats.index(seat) % len(SEAT_COLOURS)]


class _Pictures:
    """The pictures that were shown, each once in the file."""

    def __init__(self, load_picture: Callable[[str], Picture]) -> None:
        self._load_picture = load_picture
        self._loaded_pictures: dict[str, tuple[int, Picture] | None] = {}

    def render_reference(self, asset: str, title: str) -> str:
        """Return a picture at its place in the dialogue, or a note that it is missing."""
        if asset not in self._loaded_pictures:
            try:
                self._loaded_pictures[asset] = (len(self._loaded_pictures), self._load_picture(asset))
            except KeyError:
                self._loaded_pictures[asset] = None
        asset_number = self._loaded_pictures[asset]
        if asset_number is None:
            return f"<p><small>[{_as_html(title)}: this picture is not on this machine]</small></p>"
        picture_number, picture = asset_number
        credit_html = f"<small>{_as_html(picture.credit)}</small>" if picture.credit else ""
        view_box = f"0 0 {picture.width} {picture.height}"
        return (
            f'<svg class="shown" viewBox="{view_box}" role="img" aria-label="{_as_html(title)}">'
            f'<use href="#picture-{picture_number}"/></svg>{credit_html}'
        )

    def render_definitions(self) -> str:
        """Return the pictures themselves. Call it after all references."""
        picture_tags = []
        for picture_number, picture in filter(None, self._loaded_pictures.values()):
            base64_picture = base64.b64encode(picture.data).decode()
            picture_tags.append(
                f'<image id="picture-{picture_number}" width="{picture.width}" height="{picture.height}" '
                f'href="data:{picture.media_type};base64,{base64_picture}"/>'
            )
        if not picture_tags:
            return ""
        hidden_svg = '<svg width="0" height="0" style="position:absolute" aria-hidden="true">'
        return f"{hidden_svg}<defs>{''.join(picture_tags)}</defs></svg>"


class _DialogueItems:
    """Makes the items of the dialogue's list."""

    def __init__(self, seats: Sequence[str], pictures: _Pictures) -> None:
        self._seats, self._pictures = seats, pictures
        self._has_columns = 1 < len(seats) <= MAX_COLUMNS

    def render_items(self, log: Log) -> Iterator[str]:
        """Yield the items of an episode."""
        transcript = Transcript()
        for event in log:
            for dialogue_line in transcript.apply(event):
                seat = dialogue_line["seat"]
                if dialogue_line["parts"] is not None:
                    yield self._render_item(f"Game master to {seat}", self._render_message(event), seat, "gm")
                    continue
                speaker = f"{seat} · {transcript.players[seat][-1]}" if seat else "Table"
                heading = f"{speaker}: {dialogue_line['label']}" if dialogue_line["label"] else speaker
                if dialogue_line["private"]:
                    heading += " (private)"
                is_table_line = seat is None or event.kind is Kind.OUTCOME
                style_class = "private" if dialogue_line["private"] else "table" if is_table_line else ""
                yield self._render_item(heading, _render_line(dialogue_line), seat, style_class)

    def _render_item(self, heading: str, body_html: str, seat: str | None, style_class: str) -> str:
        style_text = f"--seat:{_find_seat_colour(self._seats, seat)}" if seat else ""
        if seat and self._has_columns:
            style_text += f";grid-column:{self._seats.index(seat) + 1}"
        return f'<li class="{style_class}" style="{style_text}"><b>{_as_html(heading)}</b>{body_html}</li>'

    def _render_message(self, event: Event) -> str:
        """Return a message of the GameMaster: its parts, its pictures, and the words about the reply format."""
        view = AskEvent.from_event(event) if event.kind is Kind.ASK else TellEvent.from_event(event)
        parts_html = "".join(map(_render_content_part, view.parts))
        pictures = "".join(self._pictures.render_reference(asset["id"], asset["title"]) for asset in view.pictures)
        reply_words = view.words if isinstance(view, AskEvent) else ""
        return (
            parts_html
            + pictures
            + (_render_details("what models are told about the format", reply_words) if reply_words else "")
        )


def _render_line(dialogue_line: Json) -> str:
    if dialogue_line["kind"] == "reasoning":
        body_html = _render_details("what it thought", dialogue_line["text"])
    else:
        body_html = f"<pre>{_as_html(dialogue_line['text'])}</pre>"
    if usage := dialogue_line.get("used"):
        body_html += f"<small>{_as_html(', '.join(f'{name} {value}' for name, value in usage.items()))}</small>"
    return body_html


def _render_details(summary: str, details_text: str) -> str:
    return f"<details><summary>{summary}</summary><pre>{_as_html(details_text)}</pre></details>"


def _render_content_part(content_part: Json) -> str:
    if "quote" in content_part:
        speaker = f" of {content_part['by']}" if content_part["by"] else ""
        return f"<pre>{_as_html(content_part['label'])}{_as_html(speaker)}: {_as_html(content_part['quote'])}</pre>"
    if "exhibit" in content_part:
        title, grid = _as_html(content_part["title"]), _as_html(content_part["exhibit"])
        return f'<small>{title}</small><pre class="grid">{grid}</pre>'
    return f"<pre>{_as_html(content_part['text'])}</pre>"


def _render_scores(scores: Mapping[str, Any] | None) -> str:
    if not scores:
        return ""
    scalar_scores = {name: value for name, value in scores.items() if not isinstance(value, dict | list)}
    score_rows = "".join(
        f"<tr><th>{_as_html(name.replace('_', ' '))}</th><td>{_as_html('–' if value is None else value)}</td></tr>"
        for name, value in scalar_scores.items()
    )
    nested_scores = {name: value for name, value in scores.items() if name not in scalar_scores}
    details_html = _render_details("more", json.dumps(nested_scores, indent=1)) if nested_scores else ""
    return f"<h2>Scores</h2><table>{score_rows}</table>{details_html}"
