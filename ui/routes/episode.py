"""The page of one episode: everything about it, its raw events, its files to download.

Permission is that of watching (`Visibility.find_refusal`), and every visitor has seen both sides
(`Seating.record_spectator`).
The words of an event are sent as they are; the page shows them and runs none.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from itertools import islice

from fastapi import APIRouter
from starlette.responses import Response

from engine.core.client_report import remove_report
from engine.core.events import Event, Json, Kind, digest
from engine.core.log import Log
from engine.core.scores import score_episode
from engine.core.views import extract_usage
from engine.formats.jsonl import format_event
from engine.formats.transcript import text as transcript_text
from engine.formats.transcript.page import render_episode_page
from engine.play.registry import BadInstances, SelectedInstance, UnknownSelection
from engine.storage.database import StoreError
from engine.storage.episode_row import EpisodeRow, EpisodeSummary
from engine.storage.listings import Listings
from ui.live.dealing import read_instance
from ui.live.messages import describe_game
from ui.live.offers import PERSON_PROVIDER
from ui.live.refusal import Refusal
from ui.live.server import LiveServer
from ui.live.table import LiveTable
from ui.routes.dependencies import AsciiJson, Browser, ServerDependency, watchable_table

logger = logging.getLogger("ludens.routes")

EVENTS_PER_PAGE = 100
"""How many events are sent at once."""
MAX_OTHER_EPISODES = 30
"""How many other episodes of an instance are listed; ten times as many are searched for visible ones."""
FILE_FORMATS = {
    "jsonl": ("application/x-ndjson", "jsonl"),
    "html": ("text/html", "html"),
    "markdown": ("text/markdown", "md"),
}
"""Files to download: media type and file ending."""
LOCAL_EPISODE_ORIGINS = ("run", "table")
SUMMED_USAGE = ("seconds", "tokens_in", "tokens_out", "cost")

router = APIRouter(default_response_class=AsciiJson)


@router.get("/api/episode")
async def send_episode(id: str, server: ServerDependency, browser: Browser) -> Response:
    """Return all that an episode's page shows but raw events and the debriefing."""
    table = await _watch_table(server, browser, id)
    index_row = _read_index_row(server, table)
    return AsciiJson(
        {
            **_describe_episode(server, table, index_row),
            "scores": await _read_scores(server, table, index_row),
            "lines": await _list_lines(table),
            "others": _list_other_episodes(server, browser, index_row),
            "play": _describe_replays(server, table) if server.offers.may_choose(browser) else None,
        }
    )


@router.get("/api/episode/events")
async def send_events(id: str, server: ServerDependency, browser: Browser, start: int = 0) -> Response:
    """Return the raw events from number `start` on, `EVENTS_PER_PAGE` at a time."""
    table = await _watch_table(server, browser, id)
    start = max(0, start)
    event_rows = [
        {"n": event.n, "time": event.time, "kind": str(event.kind), "seat": event.seat, "data": event.data}
        for event in _filter_events(server, browser, table.record.log[start : start + EVENTS_PER_PAGE])
    ]
    return AsciiJson({"events": event_rows, "total": len(table.record.log)})


@router.get("/api/episode/file")
async def send_file(id: str, format: str, server: ServerDependency, browser: Browser) -> Response:
    """Return the events as JSON lines, or the transcript that `ludens transcript` writes."""
    if format not in FILE_FORMATS:
        raise Refusal(422, f"no format {format!r}; there are: {', '.join(FILE_FORMATS)}")
    table = await _watch_table(server, browser, id)
    index_row, events = _read_index_row(server, table), _filter_events(server, browser, table.record.log)
    run_in_thread = server.context.run_in_thread
    if format == "jsonl":
        log_text = await run_in_thread(lambda: "".join(format_event(index_row.id, event) for event in events))
    elif format == "html":
        log_text = await run_in_thread(render_episode_page, index_row, events, server.registry) + "\n"
    else:
        log_text = await run_in_thread(transcript_text.format_markdown, index_row.id, events) + "\n"
    media_type, file_suffix = FILE_FORMATS[format]
    headers = {"content-disposition": f'attachment; filename="ludens-{index_row.game}-{index_row.id}.{file_suffix}"'}
    return Response(log_text, media_type=media_type, headers=headers)


async def _watch_table(server: LiveServer, browser: str | None, episode: str) -> LiveTable:
    """Return a table that a browser may see both sides of, and note that it has."""
    table = await watchable_table(server, browser, episode)
    await server.seating.record_spectator(table, browser)
    return table


def _filter_events(server: LiveServer, browser: str | None, events: Sequence[Event]) -> list[Event]:
    """Return events as a browser may read them: what browsers reported with replies is for the owner alone."""
    return list(events if server.links.is_admin(browser) else map(remove_report, events))


def _read_index_row(server: LiveServer, table: LiveTable) -> EpisodeRow:
    """Return what the index says of an episode now: scores and much else come after a table was loaded."""
    try:
        return server.reader.episode(table.id)
    except StoreError:  # removed a moment ago
        raise Refusal(404, "there is no such game") from None


# ---------------------------------------------------------------------- the facts of an episode
def _describe_episode(server: LiveServer, table: LiveTable, index_row: EpisodeRow) -> Json:
    start_data, events = table.start, table.record.log
    return {
        "episode": table.id,
        "game": describe_game(table),
        "experiment": index_row.experiment,
        "experiment_title": _find_experiment_title(server, index_row),
        "instance": index_row.instance_id,
        "status": table.status,
        "outcome": table.record.transcript.outcome,
        "stalled": None if table.is_over else table.stalled_cause,
        "started": events[0].time if events else index_row.created,
        "ended": events[-1].time if table.is_over else None,
        "seats": [_describe_seat(table, seat) for seat in index_row.seats],
        "people": table.has_people,
        "flags": list(_list_flags(table, index_row)),
        "events": len(events),
        "settings": index_row.settings,
        "versions": {
            "Reminders per ask": index_row.reprompt,
            "Rules": f"{index_row.game} {start_data['game_version']}",
            "Prompts": f"{start_data['prompts']} {start_data['prompts_version']}",
            "Scores": index_row.scores_version,
            "Ludens": start_data["ludens"],
            "Instance, SHA-256": index_row.instance_hash,
            "Seed": start_data["seed"],
            "Seed of the run": start_data["run_seed"],
            "Repetition": start_data["repetition"],
            "Comes from": index_row.origin,
        },
    }


def _find_experiment_title(server: LiveServer, index_row: EpisodeRow) -> str:
    try:
        return server.registry.titles(index_row.game, index_row.variant).get(index_row.experiment, index_row.experiment)
    except (LookupError, BadInstances):
        return index_row.experiment


def _describe_seat(table: LiveTable, seat: str) -> Json:
    """Return who played at a seat, and what their replies used as far as that is known."""
    reply_events = [event for event in table.record.log if event.kind is Kind.REPLY and event.seat == seat]
    usages = [extract_usage(event.data["meta"]) for event in reply_events]
    usage_sums = {key: sum(usage[key] for usage in usages if usage.get(key) is not None) for key in SUMMED_USAGE}
    seats_by_side = (table.record.transcript.outcome or {}).get("sides") or {}
    return {
        "seat": seat,
        "players": table.record.transcript.players.get(seat, [table.row.seats[seat]]),
        "side": next((side for side, seats in seats_by_side.items() if seat in seats), None),
        "replies": len(reply_events),
        "refused": sum(event.kind is Kind.VIOLATION and event.seat == seat for event in table.record.log),
        "used": {key: usage_sums[key] for key in SUMMED_USAGE if any(usage.get(key) is not None for usage in usages)},
    }


def _list_flags(table: LiveTable, index_row: EpisodeRow) -> Iterator[Json]:
    """Yield what a reader must know before counting this episode: a word, and a sentence."""
    people: dict[str, Json] = table.start.get("people") or {}
    reply_metas = [event.data["meta"] for event in table.record.log if event.kind is Kind.REPLY]
    faults = [event.data["cause"] for event in table.record.log if event.kind is Kind.FAULT]
    if index_row.origin not in LOCAL_EPISODE_ORIGINS:
        yield _flag_json("imported", f"It was played elsewhere and imported from {index_row.origin}.")
    if any(person.get("practice") for person in people.values()):
        yield _flag_json("practice", "A practice game: it is left out of averages.")
    if informed_seats := [seat for seat, person in people.items() if person.get("informed")]:
        yield _flag_json(
            "informed", f"The person at {_join_names(informed_seats)} chose what was played: left out of averages."
        )
    kinds_and_seats = [(event.kind, event.seat) for event in table.record.log]
    if seats := [str(seat) for event_kind, seat in kinds_and_seats if event_kind is Kind.BOTH_SEATS]:
        yield _flag_json(
            "both seats",
            f"The person at {_join_names(seats)} also played another seat and saw both sides: left out of averages.",
        )
    seats_marked_late = {seat for event_kind, seat in kinds_and_seats if event_kind is Kind.SEEN_BEFORE}
    if experienced_seats := [
        seat for seat in table.row.seats if people.get(seat, {}).get("seen_before") or seat in seats_marked_late
    ]:
        yield _flag_json("seen before", f"The person at {_join_names(experienced_seats)} had met this instance before.")
    if any(event.kind is Kind.WATCHED for event in table.record.log):
        yield _flag_json("watched", "Somebody saw both sides before it was over.")
    if index_row.mixed:
        yield _flag_json("mixed", "More than one player played at a seat: it is left out of averages.")
    if cached_count := sum(bool(reply_meta.get("cached")) for reply_meta in reply_metas):
        yield _flag_json(
            "cached", f"{cached_count} of {len(reply_metas)} replies came from the cache: they are not a new sample."
        )
    if faults and table.is_over:
        yield _flag_json("faults", f"A player could not answer {len(faults)} times; the last time: {faults[-1]}")


def _flag_json(flag_name: str, flag_text: str) -> Json:
    return {"flag": flag_name, "words": flag_text}


def _join_names(seat_names: Sequence[str]) -> str:
    """Return names in words: "A", "A and B", "A, B and C"."""
    return " and ".join(filter(None, (", ".join(seat_names[:-1]), seat_names[-1])))


async def _read_scores(server: LiveServer, table: LiveTable, index_row: EpisodeRow) -> Json | None:
    """Return an episode's scores, computed where the log has none of the present version; None without an outcome."""
    if not table.is_over or table.game is None:
        return index_row.scores
    if index_row.scores is not None and index_row.scores_version == server.registry.scores_version(index_row.game):
        return index_row.scores
    try:
        return await server.context.run_in_thread(score_episode, Log(list(table.record.log)), table.game)
    except Exception:  # a game's bug must not take the rest of the page
        logger.exception("the scores of episode %s failed", table.id)
        return None


# ---------------------------------------------------------------------- the dialogue
async def _list_lines(table: LiveTable) -> list[Json]:
    """Return the transcript's lines with pictures, words about the format, reminders and times."""
    events = {event.n: event for event in table.record.log}
    asked_at = {event.data["ask"]: event.time for event in table.record.log if event.kind is Kind.ASK}
    return [
        {**transcript_line, **await _describe_line(table, transcript_line, events[transcript_line["n"]], asked_at)}
        for transcript_line in table.record.transcript.lines
    ]


async def _describe_line(table: LiveTable, transcript_line: Json, event: Event, asked_at: dict[int, int]) -> Json:
    if event.kind in (Kind.ASK, Kind.TELL):
        pictures = [await _describe_picture(table, picture) for picture in event.data["pictures"]]
        return {"pictures": pictures, "words": event.data.get("words") or ""}
    if event.kind is Kind.VIOLATION:
        return {"reminder": event.data["reminder"]}
    if transcript_line["kind"] == "reply" and table.player(str(event.seat)) == PERSON_PROVIDER:
        return {"took": (event.time - asked_at.get(event.data["ask"], event.time)) / 1000}
    return {}


async def _describe_picture(table: LiveTable, picture: Json) -> Json:
    """Return a picture of an event as the page shows it."""
    await table.pictures.draw_asset(picture["id"])
    pinned_picture = {"title": picture["title"], "picture": picture["id"]}
    return table.pictures.link_picture(pinned_picture, "watch") | (
        {"marked": picture["marked"]} if "marked" in picture else {}
    )


# ---------------------------------------------------------------------- other games of the same instance
def _list_other_episodes(server: LiveServer, browser: str | None, index_row: EpisodeRow) -> list[Json]:
    """Return other episodes of the same instance that a browser may see, newest first."""
    episodes = Listings(server.reader).list_instance_episodes(index_row, 10 * MAX_OTHER_EPISODES)
    readable_episodes = (
        episode for episode in episodes if server.visibility.find_reading_refusal_reason(browser, episode.id) is None
    )
    return [_describe_other_episode(episode) for episode in islice(readable_episodes, MAX_OTHER_EPISODES)]


def _describe_other_episode(episode: EpisodeSummary) -> Json:
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


def _describe_replays(server: LiveServer, table: LiveTable) -> Json | None:
    """Return what to post for playing this very instance from each seat; None where it is not here."""
    instance = _find_available_instance(server, read_instance(table.start), table.row.instance_hash)
    if instance is None or table.game is None:
        return None
    has_scripted_player = "scripted" in server.registry.list_player_names(instance.game)
    partner = (
        "scripted"
        if has_scripted_player and not server.registry.find_unreadable_reason("scripted", instance)
        else "random"
    )
    seat_names = list(table.row.seats)
    table_json = {
        "game": instance.game,
        "variant": instance.variant,
        "experiment": instance.experiment,
        "instance": instance.index,
        "settings": table.row.settings,
    }
    seatings = {
        own_seat: {seat: PERSON_PROVIDER if seat == own_seat else partner for seat in seat_names}
        for own_seat in seat_names
    }
    return {"mate": partner, "seats": {seat: {**table_json, "seats": seating} for seat, seating in seatings.items()}}


def _find_available_instance(server: LiveServer, item: SelectedInstance, instance_hash: str) -> SelectedInstance | None:
    """Return the instance of this name among those here, if it is the same and can be played on this machine."""
    try:
        candidate_instances = server.registry.select_instances(
            f"{item.game}/{item.variant}/{item.experiment}/{item.index}"
        )
    except (UnknownSelection, BadInstances):
        return None
    matching_instances = [candidate for candidate in candidate_instances if digest(candidate.instance) == instance_hash]
    return (
        matching_instances[0]
        if matching_instances and server.registry.find_unsupported_reason(matching_instances[0]) is None
        else None
    )
