"""The panels of the Results page as HTML: what `ui/routes/results.py` computes, drawn by the templates of this page.

Jinja2 escapes everything. A link is an address of the page, which alone says what is shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from engine.core.events import Json
from engine.core.wording import plural
from engine.formats.writer import format_iso_time
from engine.results.plots import format_number
from engine.storage.search_index import MAX_COUNTED_MATCHES

TEMPLATE_FOLDER = Path(__file__).resolve().parents[1] / "templates" / "results"
SEARCH_SCOPE = ("game", "variant", "experiment", "player", "kind")
"""Filters that narrow a search."""
PART_LABELS = {
    "counted": "counted",
    "played": "played to the end",
    "aborted": "aborted",
    "summed": "in the game’s own numbers",
    "faults": "left out: fault",
    "open": "left out: still open",
    "unscored": "left out: cannot be scored",
    "abandoned": "left out: abandoned",
    "mixed": "left out: mixed",
    "both_seats": "left out: one browser played both seats",
    "practice": "left out: practice",
    "informed": "left out: informed",
    "shared": "left out: a side shared by several players",
    "sides": "left out: of a game of sides",
    "watched": "left out: watched live by somebody",
    "repeated": "left out: not a first exposure",
    "conditions": "left out: the other met the instance under other conditions only",
    "unpaired": "left out: the other did not meet the instance",
    "decided": "decided",
    "won": "won",
    "repeated-instances": "on instances played more than once",
}
PAIR_LABELS = {
    "pairs": "",
    "better": " in which the first was better",
    "equal": " with equal scores",
    "worse": " in which the first was worse",
}
ORDER_TITLES = {"new": "newest first", "low": "lowest score first", "high": "highest score first"}
SYMBOL_BY_CONTROL_CODE = {code: 0x2400 + code for code in range(0x20) if code not in (0x09, 0x0A)} | {0x7F: 0x2421}


class PageAddress:
    """The address of the Results page that a panel is drawn for, as (name, value) pairs."""

    def __init__(self, query_pairs: Iterable[tuple[str, str]]) -> None:
        self.pairs = [(field, value) for field, value in query_pairs if value and field not in ("part", "start")]

    def get(self, field_name: str) -> str:
        """Return the value of a parameter, "" without one."""
        return next((pair_value for parameter_name, pair_value in self.pairs if parameter_name == field_name), "")

    def all_values(self, field_name: str) -> list[str]:
        """Return all values of a parameter."""
        return [parameter_value for parameter_name, parameter_value in self.pairs if parameter_name == field_name]

    def link(self, **new_filters: str | Sequence[str] | None) -> str:
        """Return this address with some parameters changed; None takes one away, a list gives several values."""
        return results_link(**{field_name: self.all_values(field_name) for field_name, _ in self.pairs} | new_filters)

    def make_link_without(self, field_names: Iterable[str]) -> str:
        """Return this address without some parameters."""
        return self.link(**dict.fromkeys(field_names))

    def query(self, field_names: Iterable[str]) -> str:
        """Return the given parameters as "?…", "" without any."""
        return _build_url("", {field_name: self.all_values(field_name) for field_name in field_names})

    def path(self) -> str:
        """Return the part of a game that is filtered: "GAME/VARIANT/EXPERIMENT" as far as it is given."""
        return "/".join(filter(None, map(self.get, ("game", "variant", "experiment"))))


def results_link(**filters: Any) -> str:
    """Return an address of the Results page; a list gives a parameter several values, None and "" leave it out."""
    return _build_url("/results", filters)


def _build_url(url_path: str, filters: Mapping[str, Any]) -> str:
    query_pairs = [
        (field_name, single_value)
        for field_name, field_value in filters.items()
        for single_value in (field_value if isinstance(field_value, list | tuple) else [field_value])
        if single_value not in (None, "")
    ]
    return f"{url_path}?{urlencode(query_pairs)}" if query_pairs else url_path


# ---------------------------------------------------------------------- words and numbers
def format_signed(number: float, digits: int = 0) -> str:
    """Return a number with its sign, 0 without one."""
    signed_text = format_number(number, f"+z.{digits}f")
    return signed_text if signed_text.strip("+0.") else signed_text.removeprefix("+")


def label_seat(seat: str) -> str:
    """Return what a seat or a side ("side:spy") is called."""
    return seat.partition(":")[2] or seat


def describe_seats(seats: Mapping[str, str]) -> str:
    """Return who played where as text: one name where one player sat everywhere."""
    if len(set(seats.values())) == 1:
        return next(iter(seats.values()))
    return ", ".join(f"{label_seat(seat)} {player}" for seat, player in seats.items())


def label_episode(row: Json) -> str:
    """Return an episode's instance, with the part of the game that it is of."""
    instance_label = row["instance"] or row["episode"]
    if instance_label.startswith(f"{row['game']}/"):
        return str(instance_label)
    return "/".join(filter(None, (row["game"], row["variant"], row.get("experiment")))) + f" · {instance_label}"


def label_outcome(episode_row: Json) -> str:
    """Return how an episode ended: "success", "spy won", "open"."""
    winner = next((side_name for side_name, side_score in (episode_row["sides"] or {}).items() if side_score), None)
    if winner:
        return f"{winner} won"
    outcome_kind = episode_row["ending"]
    return (
        "lost" if outcome_kind == "lose" else outcome_kind or ("fault" if episode_row["aside"] == "faults" else "open")
    )


def _format_share_css(shown_value: float, range_start: float, range_end: float) -> str:
    """Return where a value stands on a scale, as CSS."""
    return f"{100 * (min(max(shown_value, range_start), range_end) - range_start) / (range_end - range_start):.3g}%"


# ---------------------------------------------------------------------- drawing
@cache
def _build_environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATE_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "number": format_number,
        "signed": format_signed,
        "count": plural,
        "seat": label_seat,
        "seats": describe_seats,
        "episode": label_episode,
        "outcome": label_outcome,
        "iso_time": format_iso_time,
        "share": _format_share_css,
        "setting": lambda value: value if isinstance(value, str) else json.dumps(value),
        "titled": lambda choices: [(choice["name"], choice["title"]) for choice in choices],
        "visible": lambda text: text.replace("\r\n", "\n").replace("\r", "\n").translate(SYMBOL_BY_CONTROL_CODE),
        "path": lambda text: quote(text, safe=""),
    }
    environment.globals |= {"results_link": results_link}
    return environment


def render(template: str, **content: Any) -> str:
    """Return a template filled with what it names."""
    return _build_environment().get_template(template).render(content)


def render_episode_list(result: Json, address: PageAddress) -> str:
    """Return the episodes or the pairs behind a number, as the routes of `drilldown` list them."""
    end_index = result["start"] + len(result["pairs"] if "pairs" in result else result["episodes"])
    return render(
        "episodes.html",
        result=result,
        address=address,
        headline=_make_list_headline(result, address),
        part_labels=PART_LABELS,
        orders=ORDER_TITLES,
        more=_build_url(
            f"/api/results/{'pairs' if address.get('of') else 'episodes'}", _make_next_parameters(address, end_index)
        ),
        left=max(0, result["total"] - end_index),
    )


def _make_next_parameters(address: PageAddress, first_row: int, **extra_parameters: str) -> dict[str, Any]:
    """Return the parameters of a request for the next of a list."""
    return {field: address.all_values(field) for field, _ in address.pairs} | extra_parameters | {"start": first_row}


def make_part_url(address: PageAddress, part_name: str, first_row: int) -> str:
    """Return where a part of a view comes from, from one of its rows on."""
    return _build_url("/api/results", _make_next_parameters(address, first_row, part=part_name))


def _make_list_headline(episode_list: Json, address: PageAddress) -> str:
    """Return what is listed: "3 episodes, aborted"."""
    total_count, part_name = episode_list["total"], episode_list["which"]
    if "pairs" in episode_list:
        return plural(total_count, "pair") + PAIR_LABELS[part_name]
    if part_name == "won":
        return f"{total_count:,} won" + (f" as {address.get('side')}" if address.get("side") else "")
    return f"{plural(total_count, 'episode')}, {PART_LABELS.get(part_name, f'left out: {part_name}')}"


def draw_texts(search_result: Json, address: PageAddress) -> str:
    """Return the texts that a search found, or how far the index is."""
    if search_result["read"] < 1:
        return render("reading.html", share=int(100 * search_result["read"]))
    end_index = search_result["start"] + len(search_result["hits"])
    return render(
        "texts.html",
        result=search_result,
        address=address,
        episodes=[
            list(hits) for _, hits in groupby(search_result["hits"], key=lambda search_hit: search_hit["episode"])
        ],
        scope=SEARCH_SCOPE,
        limits=[*filter(None, [address.path()]), *address.all_values("player"), *address.all_values("kind")],
        has_several_words=len(address.get("words").split()) > 1,
        more=_build_url("/api/results/search", _make_next_parameters(address, end_index)),
        left=max(0, min(search_result["texts"], MAX_COUNTED_MATCHES) - end_index),
    )
