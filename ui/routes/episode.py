"""One episode whole, for whoever may see it: what its page says, its raw events, its transcripts to take along.

Permission is that of watching (`Tables.may_watch`), and whoever looks has seen both sides (`Tables.watches`). The words
of an event are given as they are; the page shows them and runs none.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from urllib.parse import quote

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from engine.core.events import Event, Json, Kind, digest
from engine.core.log import Log
from engine.core.scores import score_episode
from engine.core.views import usage_of
from engine.formats.jsonl import line_of
from engine.formats.transcript import text as dialogue
from engine.formats.transcript.page import episode_page
from engine.play.registry import BadInstances, SelectedInstance, UnknownSelection
from engine.storage.database import StoreError
from engine.storage.episode_row import EpisodeRow, EpisodeSummary
from engine.storage.listings import Listings
from ui.live.dealing import item_of
from ui.live.offers import PERSON, Refused
from ui.live.tables import Table, Tables, log
from ui.routes.table import Ascii, Browser, TablesIn, watchable

EVENTS = 100
"""Events that are given at once."""
OTHERS = 30
"""Other episodes of an instance that are listed; so many times ten are looked through for visible ones."""
FORMATS = {
    "jsonl": ("application/x-ndjson", "jsonl"),
    "html": ("text/html", "html"),
    "markdown": ("text/markdown", "md"),
}
"""Files to take along: media type and file ending."""
NATIVE = ("run", "table")
SUMS = ("seconds", "tokens_in", "tokens_out", "cost")

router = APIRouter(default_response_class=Ascii)


@router.get("/e/{episode}")
async def permanent(episode: str) -> Response:
    """Go to an episode's page, which says what there is to see."""
    return RedirectResponse(f"/episode?id={quote(episode, safe='')}", 303)


@router.get("/api/episode")
async def episode(id: str, tables: TablesIn, browser: Browser) -> Response:
    """Return all that an episode's page shows but raw events and the debriefing."""
    table = await _seen(tables, browser, id)
    row = _row(tables, table)
    made = _about(tables, table, row)
    made["scores"] = await _scores(tables, table, row)
    made["lines"] = await _lines(table)
    made["others"] = _others(tables, browser, row)
    made["play"] = _play(tables, table)
    return Ascii(made)


@router.get("/api/episode/events")
async def events(id: str, tables: TablesIn, browser: Browser, start: int = 0) -> Response:
    """Return the raw events from number `start` on, `EVENTS` at a time."""
    table = await _seen(tables, browser, id)
    start = max(0, start)
    found = [
        {"n": e.n, "time": e.time, "kind": str(e.kind), "seat": e.seat, "data": e.data}
        for e in table.log[start : start + EVENTS]
    ]
    return Ascii({"events": found, "total": len(table.log)})


@router.get("/api/episode/file")
async def file(id: str, format: str, tables: TablesIn, browser: Browser) -> Response:
    """Return the events as JSON lines, or the transcript that `ludens transcript` writes."""
    if format not in FORMATS:
        raise Refused(422, f"no format {format!r}; there are: {', '.join(FORMATS)}")
    table = await _seen(tables, browser, id)
    row, logged = _row(tables, table), list(table.log)
    if format == "jsonl":
        made = await tables.think(lambda: "".join(line_of(row.id, event) for event in logged))
    elif format == "html":
        made = await tables.think(episode_page, row, logged, tables.registry) + "\n"
    else:
        made = await tables.think(dialogue.transcript_markdown, row.id, logged) + "\n"
    kind, ending = FORMATS[format]
    headers = {"content-disposition": f'attachment; filename="ludens-{row.game}-{row.id}.{ending}"'}
    return Response(made, media_type=kind, headers=headers)


async def _seen(tables: Tables, browser: str | None, episode: str) -> Table:
    """Return a table that a browser may see both sides of, and note that it has."""
    table = await watchable(tables, browser, episode)
    await tables.watches(table, browser)
    return table


def _row(tables: Tables, table: Table) -> EpisodeRow:
    """Return what the index says of an episode now: scores and much else come after a table was read."""
    try:
        return tables.reader.episode(table.id)
    except StoreError:  # removed a moment ago
        raise Refused(404, "there is no such game") from None


# ---------------------------------------------------------------------- what is said of an episode
def _about(tables: Tables, table: Table, row: EpisodeRow) -> Json:
    start, seen = table.start, table.transcript
    return {
        "episode": table.id,
        "game": table.about(),
        "experiment": row.experiment,
        "experiment_title": _title(tables, row),
        "instance": row.instance_id,
        "status": table.status,
        "outcome": seen.outcome,
        "stalled": None if table.over else table.stalled,
        "started": table.log[0].time if table.log else row.created,
        "ended": table.log[-1].time if table.over else None,
        "seats": [_seat(table, seat) for seat in row.seats],
        "people": table.people,
        "flags": list(_flags(table, row)),
        "events": len(table.log),
        "settings": row.settings,
        "versions": {
            "Reminders per ask": row.reprompt,
            "Rules": f"{row.game} {start['game_version']}",
            "Prompts": f"{start['prompts']} {start['prompts_version']}",
            "Scores": row.scores_version,
            "Ludens": start["ludens"],
            "Instance, SHA-256": row.instance_hash,
            "Seed": start["seed"],
            "Seed of the run": start["run_seed"],
            "Repetition": start["repetition"],
            "Comes from": row.origin,
        },
    }


def _title(tables: Tables, row: EpisodeRow) -> str:
    try:
        return tables.registry.titles(row.game, row.variant).get(row.experiment, row.experiment)
    except (LookupError, BadInstances):
        return row.experiment


def _seat(table: Table, seat: str) -> Json:
    """Return who sat at a seat, and what their replies took as far as that is known."""
    replies = [event for event in table.log if event.kind is Kind.REPLY and event.seat == seat]
    used = [usage_of(event.data["meta"]) for event in replies]
    sums = {name: sum(each[name] for each in used if each.get(name) is not None) for name in SUMS}
    sides = (table.transcript.outcome or {}).get("sides") or {}
    return {
        "seat": seat,
        "players": table.transcript.players.get(seat, [table.row.seats[seat]]),
        "side": next((side for side, seats in sides.items() if seat in seats), None),
        "replies": len(replies),
        "refused": sum(event.kind is Kind.VIOLATION and event.seat == seat for event in table.log),
        "used": {name: sums[name] for name in SUMS if any(each.get(name) is not None for each in used)},
    }


def _flags(table: Table, row: EpisodeRow) -> Iterator[Json]:
    """Yield what a reader has to know before they count this episode: a word, and a sentence."""
    people: dict[str, Json] = table.start.get("people") or {}
    replies = [event.data["meta"] for event in table.log if event.kind is Kind.REPLY]
    causes = [event.data["cause"] for event in table.log if event.kind is Kind.FAULT]
    if row.origin not in NATIVE:
        yield _flag("imported", f"It was played elsewhere and imported from {row.origin}.")
    if any(about.get("practice") for about in people.values()):
        yield _flag("practice", "A round to get to know the game: it is in no average.")
    if chose := [seat for seat, about in people.items() if about.get("informed")]:
        yield _flag("informed", f"Whoever sat at {_and(chose)} had chosen what was played: left out of averages.")
    if before := [seat for seat, about in people.items() if about.get("seen_before")]:
        yield _flag("seen before", f"Whoever sat at {_and(before)} had met this instance before.")
    if any(event.kind is Kind.WATCHED for event in table.log):
        yield _flag("watched", "Somebody saw both sides before it was over.")
    if row.mixed:
        yield _flag("mixed", "More than one player sat at a seat: it is left out of averages.")
    if cached := sum(bool(meta.get("cached")) for meta in replies):
        yield _flag("cached", f"{cached} of {len(replies)} replies came from the cache: they are no new sample.")
    if causes and table.over:
        yield _flag("faults", f"A player could not answer {len(causes)} times; the last time: {causes[-1]}")


def _flag(flag: str, words: str) -> Json:
    return {"flag": flag, "words": words}


def _and(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


async def _scores(tables: Tables, table: Table, row: EpisodeRow) -> Json | None:
    """Return an episode's scores, computed where the log has none of the present version; None without an outcome."""
    if not table.over or table.game is None:
        return row.scores
    if row.scores is not None and row.scores_version == tables.registry.scores_version(row.game):
        return row.scores
    logged, game = Log(list(table.log)), table.game
    try:
        return await tables.think(lambda: score_episode(logged, game))
    except Exception:  # a game's bug must not take the rest of the page
        log.exception("the scores of episode %s failed", table.id)
        return None


# ---------------------------------------------------------------------- the dialogue
async def _lines(table: Table) -> list[Json]:
    """Return the transcript's lines with what belongs to them: pictures, words about the format, reminders, times."""
    logged = {event.n: event for event in table.log}
    asked = {event.data["ask"]: event.time for event in table.log if event.kind is Kind.ASK}
    return [{**line, **await _more(table, line, logged[line["n"]], asked)} for line in table.transcript.lines]


async def _more(table: Table, line: Json, event: Event, asked: dict[int, int]) -> Json:
    if event.kind in (Kind.ASK, Kind.TELL):
        pictures = [await _picture(table, shown) for shown in event.data["pictures"]]
        return {"pictures": pictures, "words": event.data.get("words") or ""}
    if event.kind is Kind.VIOLATION:
        return {"reminder": event.data["reminder"]}
    if line["kind"] == "reply" and table.player(str(event.seat)) == PERSON:
        return {"took": (event.time - asked.get(event.data["ask"], event.time)) / 1000}
    return {}


async def _picture(table: Table, shown: Json) -> Json:
    drawn = await table.picture(shown["id"])
    return {
        "title": shown["title"],
        "picture": table.picture_path("watch", shown["id"]),
        "alt": shown["title"],
        "width": drawn.width,
        "height": drawn.height,
        "credit": drawn.credit,
    } | ({"marked": shown["marked"]} if "marked" in shown else {})


# ---------------------------------------------------------------------- other games of the same instance
def _others(tables: Tables, browser: str | None, row: EpisodeRow) -> list[Json]:
    """Return other episodes of the same instance that a browser may see, newest first."""
    others = Listings(tables.reader).same_instance(row, 10 * OTHERS)
    visible = (other for other in others if tables.may_watch(browser, other.id) is None)
    return [_other(other) for other in islice(visible, OTHERS)]


def _other(episode: EpisodeSummary) -> Json:
    outcome, scores = episode.outcome or {}, episode.scores or {}
    return {
        "episode": episode.id,
        "seats": episode.seats,
        "outcome": outcome.get("kind") or episode.status.value,
        "winner": outcome.get("winner"),
        "main": scores.get("main_score"),
        "updated": episode.updated,
        "mixed": episode.mixed,
    }


def _play(tables: Tables, table: Table) -> Json | None:
    """Return what to post for playing this very instance from each seat; None where it is not here."""
    item = _dealt_here(tables, item_of(table.start), table.row.instance_hash)
    if item is None or table.game is None:
        return None
    mates = tables.registry.players_for(item.game)
    fits = "scripted" in mates and not tables.registry.unreadable_prompts_reason("scripted", item)
    mate = "scripted" if fits else "random"
    seats = list(table.row.seats)
    body = {
        "game": item.game,
        "variant": item.variant,
        "experiment": item.experiment,
        "instance": item.index,
        "settings": table.row.settings,
    }
    bodies = {me: {**body, "seats": {seat: PERSON if seat == me else mate for seat in seats}} for me in seats}
    return {"mate": mate, "seats": bodies}


def _dealt_here(tables: Tables, played: SelectedInstance, instance_hash: str) -> SelectedInstance | None:
    """Return the instance of this name among those here, if it is the same and can be played on this machine."""
    try:
        found = tables.registry.select(f"{played.game}/{played.variant}/{played.experiment}/{played.index}")
    except (UnknownSelection, BadInstances):
        return None
    same = [item for item in found if digest(item.instance) == instance_hash]
    return same[0] if same and tables.registry.unsupported_reason(same[0]) is None else None
