"""Exports `csv` and `psych-ds`: episodes, turns and replies as tables, one row each, with documented columns.

`COLUMNS` is the data dictionary; docs/formats.md shows it. Times are ISO 8601 in UTC, durations in seconds, scores from
0 to 100; an empty cell means that there is no value.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.core.events import Json, Kind, to_json
from engine.formats.exporting import ExportedEpisode, ExportFolder, ExportOptions, iso_time

COLUMNS: dict[str, dict[str, str]] = {
    "episodes": {
        "episode": "id of the episode; sorts by time",
        "game": "family of the game",
        "variant": "variant of the game",
        "experiment": "set of instances that the instance is of",
        "instance": "name of the instance: GAME/VARIANT/EXPERIMENT/INDEX",
        "instance_hash": "SHA-256 of the instance's canonical JSON",
        "status": "open, stalled (waiting because of a fault) or over",
        "outcome": "success, lose, decided, aborted or abandoned",
        "reason": "why it was aborted or abandoned",
        "outcome_seat": "who broke the rules or left",
        "winner": "winning side of an adversarial game",
        "played": "1 unless aborted",
        "success": "1 for success, empty in adversarial games",
        "lose": "1 for lose, empty in adversarial games",
        "main_score": "main score of the game, 0 to 100; empty when aborted and in adversarial games",
        "side_scores": "JSON of side to 100 or 0, adversarial games only",
        "requests": "replies received, those after a reminder included",
        "parsed_requests": "replies accepted",
        "violated_requests": "replies refused",
        "seats": "JSON of seat to player",
        "people": "1 where a person sat at a seat",
        "mixed": "1 where a seat had more than one player",
        "informed": "1 where a person had chosen experiment or instance",
        "practice": "1 for a practice round",
        "settings": "JSON of the settings of the game",
        "reprompt": "reminders allowed per ask",
        "seed": "seed of the episode",
        "run_seed": "seed of the run",
        "repetition": "number of the repetition, from 0",
        "prompts": "name and version of the prompt set",
        "game_version": "version of the rules",
        "ludens": "version of Ludens that began it",
        "origin": "how it came about: run, table, or where it was imported from",
        "started": "time of the first event",
        "ended": "time of the last event",
        "seconds": "from the first to the last event",
        "scores": "JSON of all scores, the game's own included",
    },
    "turns": {
        "episode": "id of the episode",
        "turn": "number of the turn in the episode, from 1: one ask to one seat",
        "ask": "number of the ask in the episode",
        "seat": "who was asked",
        "player": "who sat there",
        "asked": "time of the ask",
        "answered": "time of the last reply",
        "seconds": "from ask to last reply",
        "replies": "replies to this ask, late ones not counted",
        "accepted": "1 when a reply was accepted",
        "fault": "what the last refused reply was: format, not allowed, ambiguous",
        "said": "what was said to the seat with this ask, as a model reads it without the words about the format",
        "words": "the words about the format, as models get them",
        "value": "the accepted value: text, or JSON of an object",
    },
    "replies": {
        "episode": "id of the episode",
        "n": "number of the event in the episode",
        "ask": "number of the ask",
        "seat": "who replied",
        "player": "who sat there",
        "time": "time of the reply",
        "text": "the reply word for word",
        "characters": "length of the reply in characters",
        "accepted": "1 when accepted",
        "fault": "why it was refused: format, not allowed, ambiguous",
        "why": "the same in words",
        "late": "1 when the ask was closed already",
        "model": "model as the server named it",
        "seconds": "time the player took",
        "tokens_in": "tokens of the prompt",
        "tokens_out": "tokens of the reply",
        "cost": "USD",
        "finish": "why the model stopped",
        "attempts": "attempts it took to get a reply",
        "cached": "1 when the reply came from a cache",
    },
}


class CsvWriter:
    """Writes the three tables; `name` says into which files."""

    skips = ""

    def __init__(self, root: Path, wanted: ExportOptions) -> None:
        self.counts: Counter[str] = Counter()
        self._folder = ExportFolder(root)
        self._writers = {}
        for table, columns in COLUMNS.items():
            writer = csv.DictWriter(self._folder.file(self.name(table)), list(columns), lineterminator="\n")
            writer.writeheader()
            self._writers[table] = writer

    def name(self, table: str) -> str:
        """Return the file of a table."""
        return f"{table}.csv"

    def add(self, one: ExportedEpisode) -> bool:
        """Write an episode's rows."""
        for table, rows in (("episodes", [_episode(one)]), ("turns", _turns(one)), ("replies", _replies(one))):
            for row in rows:
                self._writers[table].writerow({name: _cell(value) for name, value in row.items()})
                self.counts[table] += 1
        return True

    def close(self, about: Json) -> None:
        """Write the data dictionary and what is said about the whole."""
        self._folder.close()
        self._folder.put("dictionary.csv", dictionary())
        self._folder.json("metadata.json", about)


class PsychDsWriter(CsvWriter):
    """The same tables as a data set after Psych-DS: data/, dataset_description.json, README.md."""

    def name(self, table: str) -> str:
        """Return the file of a table."""
        return f"data/study-ludens_description-{table}_data.csv"

    def close(self, about: Json) -> None:
        """Write the description of the data set, in which the data dictionary stands."""
        self._folder.close()
        self._folder.put("documentation/dictionary.csv", dictionary())
        self._folder.json("metadata.json", about)
        self._folder.put("README.md", _readme(about))
        self._folder.json("dataset_description.json", _description(about))


def dictionary() -> str:
    """Return the data dictionary as CSV: table, column, what it means."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["table", "column", "meaning"])
    writer.writerows([table, name, meaning] for table, columns in COLUMNS.items() for name, meaning in columns.items())
    return text.getvalue()


def _description(about: Json) -> Json:
    meanings: dict[str, list[str]] = {}
    for table, columns in COLUMNS.items():
        for name, meaning in columns.items():
            meanings.setdefault(name, []).append(f"{table}: {meaning}")
    return {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": "Ludens episodes",
        "description": f"{about['episodes']} episodes of dialogue games, exported by Ludens {about['ludens']}.",
        "schemaVersion": "Psych-DS 0.4.0",
        "dateCreated": about["exported"],
        "version": about["commit"] or about["ludens"],
        "keywords": ["dialogue games", *about["games"]],
        "variableMeasured": [
            {"@type": "PropertyValue", "name": name, "description": "; ".join(said)} for name, said in meanings.items()
        ],
    }


def _readme(about: Json) -> str:
    games = ", ".join(about["games"]) or "none"
    people = "with all" if about["people"] else "without unpublished"
    return (
        f"# Ludens episodes\n\n{about['episodes']} episodes of: {games}; {people} episodes of people. Three tables in\n"
        "`data/`: a row per episode, per turn and per reply. What each column means stands in\n"
        "`dataset_description.json` and `documentation/dictionary.csv`; versions, settings and hashes of instances in\n"
        "`metadata.json`.\n"
    )


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    return to_json(value) if isinstance(value, dict | list) else value


def _episode(one: ExportedEpisode) -> Json:
    start, row, scores = one.start, one.row, one.scores or {}
    outcome = row.outcome or {}
    notes = list((start.get("people") or {}).values())
    names = ("played", "success", "lose", "main_score", "side_scores")
    counts = ("requests", "parsed_requests", "violated_requests")
    return {
        "episode": row.id,
        **{name: start[name] for name in ("game", "variant", "experiment")},
        "instance": start["instance_id"],
        "instance_hash": start["instance_hash"],
        "status": str(row.status),
        "outcome": outcome.get("kind"),
        "reason": outcome.get("reason"),
        "outcome_seat": outcome.get("seat"),
        "winner": outcome.get("winner"),
        **{name: scores.get(name) for name in (*names, *counts)},
        "seats": start["seats"],
        "people": row.people,
        "mixed": row.mixed,
        "informed": any(note.get("informed") for note in notes),
        "practice": any(note.get("practice") for note in notes),
        **{name: start[name] for name in ("settings", "reprompt", "seed", "run_seed", "repetition")},
        "prompts": f"{start['prompts']} {start['prompts_version']}",
        "game_version": start["game_version"],
        "ludens": start["ludens"],
        "origin": row.origin,
        "started": iso_time(one.log[0].time),
        "ended": iso_time(one.log[-1].time),
        "seconds": (one.log[-1].time - one.log[0].time) / 1000,
        "scores": one.scores,
    }


def _turns(one: ExportedEpisode) -> Iterator[Json]:
    """Yield the turns in the order of their asks. What was told before an ask belongs to it."""
    from engine.core.content import text_of

    turns: dict[int, Json] = {}
    told: dict[str, list[Json]] = {}
    for event, player in one.players():
        data, seat = event.data, event.seat or ""
        if event.kind is Kind.TELL:
            told.setdefault(seat, []).extend(data["said"])
        elif event.kind is Kind.ASK:
            said = text_of([*told.pop(seat, []), *data["said"]])
            turns[data["ask"]] = {
                "episode": one.row.id,
                "turn": len(turns) + 1,
                "ask": data["ask"],
                "seat": seat,
                "player": player,
                "asked": event.time,
                "replies": 0,
                "accepted": False,
                "said": said,
                "words": data["words"],
            }
        elif event.kind is Kind.REPLY and not data.get("discarded"):
            turns[data["ask"]] |= {"answered": event.time, "replies": turns[data["ask"]]["replies"] + 1}
        elif event.kind is Kind.PARSED:
            turns[data["ask"]] |= {"accepted": True, "value": data["value"]}
        elif event.kind is Kind.VIOLATION:
            turns[data["ask"]]["fault"] = data["fault"]
    for turn in turns.values():
        asked, answered = turn["asked"], turn.get("answered")
        turn["asked"] = iso_time(asked)
        if answered is not None:
            turn |= {"answered": iso_time(answered), "seconds": (answered - asked) / 1000}
        yield turn


USED = ("model", "seconds", "tokens_in", "tokens_out", "cost", "finish", "attempts", "cached")


def _replies(one: ExportedEpisode) -> Iterator[Json]:
    last: Json = {}
    for event, player in one.players():
        data = event.data
        if event.kind is Kind.REPLY:
            if last:
                yield last
            late = bool(data.get("discarded"))
            last = {
                "episode": one.row.id,
                "n": event.n,
                "ask": data["ask"],
                "seat": event.seat,
                "player": player,
                "time": iso_time(event.time),
                "text": data["text"],
                "characters": len(data["text"]),
                "accepted": False,
                "late": late,
                **{name: data["meta"][name] for name in USED if name in data["meta"]},
            }
        elif event.kind is Kind.PARSED and last:
            last["accepted"] = True
        elif event.kind is Kind.VIOLATION and last:
            last |= {"fault": data["fault"], "why": data["why"]}
    if last:
        yield last
