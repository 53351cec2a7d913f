"""An episode as one HTML file that opens offline: every line, every picture, the scores; no script, nothing outside.

Up to three seats have a column each; of more, all stand in one column, told apart by colour and name.
"""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.core.content import Picture
from engine.core.events import Event, Kind
from engine.core.log import Log
from engine.core.scores import score_episode
from engine.core.views import Transcript
from engine.formats.transcript.printable import printable
from engine.storage.episode_row import EpisodeRow

if TYPE_CHECKING:
    from engine.play.registry import Registry

COLOURS = ("#0b6e99", "#8a3ffc", "#1a7f37", "#9a6700", "#c2255c", "#475569", "#0f766e", "#7c2d12")
COLUMNS = 3
STYLE = """
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


def episode_page(row: EpisodeRow, log: Sequence[Event], registry: Registry) -> str:
    """Return the page of a stored episode, with scores and pictures as far as its game is here."""
    if not registry.has(row.game):
        return transcript_page(row.id, log, row.scores, _nothing)
    game = registry.game(row.game)
    scores = score_episode(Log(log), game) if row.outcome else None
    try:
        instance = game.load(log[0].data["instance"])
    except ValueError:  # its pictures have gone
        return transcript_page(row.id, log, scores, _nothing)
    return transcript_page(row.id, log, scores, lambda asset: game.picture(instance, asset))


def _nothing(asset: str) -> Picture:
    raise KeyError(asset)


def transcript_page(
    episode: str,
    log: Sequence[Event],
    scores: Mapping[str, Any] | None,
    picture: Callable[[str], Picture],
) -> str:
    """Return the page of an episode. `picture` gives what was shown by its id and raises KeyError for what is gone."""
    start = log[0].data
    seats = list(start["seats"])
    columns = len(seats) if 1 < len(seats) <= COLUMNS else 1
    pictures = _Pictures(picture)
    lines = "\n".join(_lines(log, seats, columns, pictures))
    title = f"{start['instance_id']} · {episode}"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>{_text(title)}</title>
<style>{STYLE}</style>
</head>
<body style="--columns:{columns}">
<h1>{_text(start["instance_id"])}</h1>
<p><small>Episode {_text(episode)}</small></p>
{_facts(start, seats)}
{pictures.drawn()}
<ol>
{lines}
</ol>
{_scores(scores)}
</body>
</html>"""


def _text(value: object) -> str:
    return html.escape(printable(str(value)))


def _facts(start: Mapping[str, Any], seats: Sequence[str]) -> str:
    rows = [
        f"<tr><th style='color:{_colour(seats, seat)}'>{_text(seat)}</th><td>{_text(player)}</td></tr>"
        for seat, player in start["seats"].items()
    ]
    said = {
        "settings": ", ".join(f"{name} = {value}" for name, value in start["settings"].items()) or "none",
        "reminders": start["reprompt"],
        "rules, prompts": f"{start['game']} {start['game_version']}, {start['prompts']} {start['prompts_version']}",
        "instance": start["instance_hash"],
        "seed": start["seed"],
        "Ludens": start["ludens"],
    }
    rows += [f"<tr><th>{_text(name)}</th><td>{_text(value)}</td></tr>" for name, value in said.items()]
    return f"<table>{''.join(rows)}</table>"


def _colour(seats: Sequence[str], seat: str) -> str:
    return COLOURS[seats.index(seat) % len(COLOURS)]


class _Pictures:
    """The pictures that were shown, each in the file once."""

    def __init__(self, picture: Callable[[str], Picture]) -> None:
        self._picture = picture
        self._known: dict[str, tuple[int, Picture] | None] = {}

    def shown(self, asset: str, title: str) -> str:
        """Return a picture in its place in the dialogue, or a word on why it is not there."""
        if asset not in self._known:
            try:
                self._known[asset] = (len(self._known), self._picture(asset))
            except KeyError:
                self._known[asset] = None
        known = self._known[asset]
        if known is None:
            return f"<p><small>[{_text(title)}: this picture is not on this machine]</small></p>"
        number, drawn = known
        credit = f"<small>{_text(drawn.credit)}</small>" if drawn.credit else ""
        return (
            f'<svg class="shown" viewBox="0 0 {drawn.width} {drawn.height}" role="img" aria-label="{_text(title)}">'
            f'<use href="#picture-{number}"/></svg>{credit}'
        )

    def drawn(self) -> str:
        """Return the pictures themselves; to be asked when all were shown."""
        images = []
        for known in self._known.values():
            if known:
                number, drawn = known
                data = base64.b64encode(drawn.data).decode()
                images.append(
                    f'<image id="picture-{number}" width="{drawn.width}" height="{drawn.height}" '
                    f'href="data:{drawn.media_type};base64,{data}"/>'
                )
        if not images:
            return ""
        hidden = '<svg width="0" height="0" style="position:absolute" aria-hidden="true">'
        return f"{hidden}<defs>{''.join(images)}</defs></svg>"


def _lines(log: Sequence[Event], seats: Sequence[str], columns: int, pictures: _Pictures) -> Iterator[str]:
    transcript = Transcript()
    for event in log:
        for line in transcript.apply(event):
            seat = line["seat"]
            if line["parts"] is not None:
                shown = "".join(pictures.shown(one["id"], one["title"]) for one in event.data["pictures"])
                body = "".join(_part(part) for part in line["parts"]) + shown + _words(event.data)
                yield _item(f"Game master to {seat}", body, seat, seats, columns, "gm")
                continue
            who = f"{seat} · {transcript.players[seat][-1]}" if seat else "Table"
            head = f"{who}: {line['label']}" if line["label"] else who
            body = f"<pre>{_text(line['text'])}</pre>"
            if line["kind"] == "reasoning":
                body = f"<details><summary>what it thought</summary>{body}</details>"
            if line.get("used"):
                used = ", ".join(f"{name} {value}" for name, value in line["used"].items())
                body += f"<small>{_text(used)}</small>"
            marked = "private" if line["private"] else "table" if seat is None or event.kind is Kind.OUTCOME else ""
            yield _item(head + (" (private)" if line["private"] else ""), body, seat, seats, columns, marked)


def _item(head: str, body: str, seat: str | None, seats: Sequence[str], columns: int, marked: str) -> str:
    style = f"--seat:{_colour(seats, seat)}" if seat else ""
    if seat and columns > 1:
        style += f";grid-column:{seats.index(seat) + 1}"
    return f'<li class="{marked}" style="{style}"><b>{_text(head)}</b>{body}</li>'


def _part(part: Mapping[str, Any]) -> str:
    if "quote" in part:
        by = f" of {part['by']}" if part["by"] else ""
        return f"<pre>{_text(part['label'])}{_text(by)}: {_text(part['quote'])}</pre>"
    if "exhibit" in part:
        return f'<small>{_text(part["title"])}</small><pre class="grid">{_text(part["exhibit"])}</pre>'
    return f"<pre>{_text(part['text'])}</pre>"


def _words(data: Mapping[str, Any]) -> str:
    if not data.get("words"):
        return ""
    said = f"<pre>{_text(data['words'])}</pre>"
    return f"<details><summary>what models are told about the format</summary>{said}</details>"


def _scores(scores: Mapping[str, Any] | None) -> str:
    if not scores:
        return ""
    plain = {name: value for name, value in scores.items() if not isinstance(value, dict | list)}
    rows = "".join(
        f"<tr><th>{_text(name.replace('_', ' '))}</th><td>{_text('–' if value is None else value)}</td></tr>"
        for name, value in plain.items()
    )
    rest = {name: value for name, value in scores.items() if name not in plain}
    more = f"<details><summary>more</summary><pre>{_text(json.dumps(rest, indent=1))}</pre></details>" if rest else ""
    return f"<h2>Scores</h2><table>{rows}</table>{more}"
