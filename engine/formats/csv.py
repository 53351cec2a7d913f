"""Export `csv`: episodes, turns and replies as tables with documented columns, one row each.

`TABLE_COLUMNS` is the data dictionary; docs/formats.md shows it. `PARTICIPANT_COLUMNS` follow where browsers held
seats, `OPTIONAL_COLUMNS` in replies if any reply of the export has a value there, and `ANALYSIS_COLUMNS` come last.
Times are ISO 8601 in UTC, durations in seconds, scores from 0 to 100; an empty cell means that there is no value. Texts
that a spreadsheet would run as formulas have a leading apostrophe, unless raw cells are wanted.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from engine.core.client_report import CLIENT_REPORT_FIELDS, extract_report
from engine.core.content import parts_to_text
from engine.core.event_views import AskEvent, ParsedEvent, ReplyEvent, TellEvent, ViolationEvent
from engine.core.events import Json, Kind, to_json
from engine.core.spreadsheet import escape_formulas
from engine.core.usage import MetaKey
from engine.formats.spoken import WordingMeasures, find_public_text, find_reply_format
from engine.formats.writer import ExportedEpisode, ExportFolder, ExportOptions, format_iso_time

TABLE_COLUMNS: dict[str, dict[str, str]] = {
    "episodes": {
        "episode": "id of the episode; sorts by time",
        "game": "family of the game",
        "variant": "variant of the game",
        "experiment": "the set of instances to which the instance belongs",
        "instance": "name of the instance: GAME/VARIANT/EXPERIMENT/INDEX",
        "instance_hash": "SHA-256 of the instance's canonical JSON",
        "status": "open, stalled (waiting because of a fault) or over",
        "outcome": "success, lose, decided, aborted or abandoned",
        "reason": "why it was aborted or abandoned",
        "outcome_seat": "the seat that broke the rules or left",
        "winner": "winning side of an adversarial game",
        "played": "1 if played to the end, 0 if aborted, empty if abandoned or not over",
        "success": "1 for success, else 0; empty in adversarial games and if played is empty",
        "lose": "1 for lose, else 0; empty as success is",
        "main_score": "main score of the game, 0 to 100; empty if not played to the end, and in adversarial games",
        "side_scores": "JSON of side to 100 or 0, adversarial games only",
        "requests": "replies received, those after a reminder included",
        "parsed_requests": "replies accepted",
        "violated_requests": "replies refused",
        "seats": "JSON of seat to player",
        "people": "1 if a person played a seat",
        "mixed": "1 if another player took over a seat",
        "informed": "1 if a person had chosen the experiment or the instance",
        "practice": "1 for a practice round",
        "both_seats": "1 if one browser played two seats",
        "settings": "JSON of the settings of the game",
        "reprompt": "reminders allowed per ask",
        "seed": "seed of the episode",
        "run_seed": "seed of the run",
        "repetition": "number of the repetition, from 0",
        "prompts": "name and version of the prompt set",
        "game_version": "version of the rules",
        "ludens": "version of Ludens at the start",
        "origin": "run (command line), table (browser), or where it was imported from",
        "started": "time of the first event",
        "ended": "time of the last event",
        "seconds": "from the first to the last event",
        "scores": "JSON of all scores, the game's own included",
    },
    "turns": {
        "episode": "id of the episode",
        "turn": "number of the turn in the episode, from 1: one ask to one seat",
        "ask": "number of the ask in the episode",
        "seat": "the seat that was asked",
        "player": "the player of that seat",
        "asked": "time of the ask",
        "answered": "time of the last reply",
        "seconds": "from ask to last reply",
        "replies": "replies to this ask, late ones not counted",
        "accepted": "1 when a reply was accepted",
        "fault": "why the last refused reply was refused: format, not allowed or ambiguous",
        "said": "what the seat was told with this ask, as a model reads it, without the explanation of the format",
        "words": "the explanation of the format, as a model reads it",
        "value": "the accepted value: text, or JSON of an object",
    },
    "replies": {
        "episode": "id of the episode",
        "n": "number of the event in the episode",
        "ask": "number of the ask",
        "seat": "the seat that replied",
        "player": "the player of that seat",
        "time": "time of the reply",
        "text": "the reply word for word",
        "characters": "length of the reply in characters",
        "accepted": "1 when accepted",
        "fault": "why it was refused: format, not allowed or ambiguous",
        "why": "the reason that the player was given",
        "late": "1 if the reply came after the ask was closed",
        "model": "the model, as its server names it",
        "seconds": "time the player took",
        "tokens_in": "tokens of the prompt",
        "tokens_out": "tokens of the reply",
        "cost": "price in US dollars",
        "finish": "why the model stopped, as its server says",
        "attempts": "attempts it took to get a reply",
        "cached": "1 when the reply came from a cache",
    },
}
PARTICIPANT_COLUMNS: dict[str, dict[str, str]] = {
    "episodes": {"participants": "JSON of seat to the key of the person there, the same in all games of this export"},
    "turns": {"participant": "key of the person who was asked"},
    "replies": {"participant": "key of the person who replied"},
}
"""Columns of each table in exports of databases in which a browser has held a seat."""
CLIENT_COLUMNS = {
    f"client_{name}": f"reported by the browser: {field.meaning}" for name, field in CLIENT_REPORT_FIELDS.items()
}
"""Columns of `replies` in exports with reports of browsers."""
REQUEST_COLUMNS = {
    "sent": "JSON of the fields that the request had besides model and messages",
    "dropped": "JSON of the parameters that were asked for and not sent, because the server or model refuses them",
    "waited": "seconds of waiting between and before attempts",
    "waits": "JSON of the cause of waiting to [times, seconds]; limits are those of the server",
}
"""Columns of `replies` in exports with models at servers that say what was sent."""
OPTIONAL_COLUMNS = (CLIENT_COLUMNS, REQUEST_COLUMNS)
"""Groups of columns that `replies` only has if any reply has a value in them."""
ANALYSIS_COLUMNS: dict[str, dict[str, str]] = {
    "episodes": {
        "error": "why it failed: invalid response (aborted for the form of a reply), turn limit, early "
        "stop (DONE before the goal) or wrong result; empty if it did not",
    },
    "turns": {},
    "replies": {
        "word_count": "words of an accepted reply without tags and private thoughts, split at white space",
        "negation": '1 if it says what is absent ("the one without cars"), else 0',
        "repeated_words": "share (0 to 1) of its content words that somebody used before in the episode",
        "new_question": "of a reply with a question mark: 1 if it has a content word that nobody used before, else 0",
    },
}
"""The last columns of each table (`engine.core.language`, `engine.results.papers.analyses`)."""
REPLY_TABLE = "replies"
"""The table that may have optional columns."""
MAX_CELL_LENGTH = 2**31 - 1
"""Characters: Python refuses to read cells above 131,072 unless it is told."""


def list_table_columns(
    options: ExportOptions, optional_columns: Mapping[str, str] = MappingProxyType({})
) -> dict[str, dict[str, str]]:
    """Return the columns of each table with their meanings, those of replies with `optional_columns`."""
    return {
        table_name: columns
        | (PARTICIPANT_COLUMNS[table_name] if options.participants else {})
        | (dict(optional_columns) if table_name == REPLY_TABLE else {})
        | ANALYSIS_COLUMNS[table_name]
        for table_name, columns in TABLE_COLUMNS.items()
    }


class CsvWriter:
    """Writes the three tables."""

    skip_reason = ""

    def __init__(self, root: Path, options: ExportOptions) -> None:
        self.counts: Counter[str] = Counter()
        self._folder = ExportFolder(root)
        self._options = options
        self._meaning_by_column: Json = {name: meaning for group in OPTIONAL_COLUMNS for name, meaning in group.items()}
        self._used_columns: set[str] = set()
        """Optional columns in which any reply so far has a value."""
        self._writers = {
            table_name: self._open_table(self.make_file_name(table_name), columns)
            for table_name, columns in list_table_columns(options).items()
            if table_name != REPLY_TABLE
        }
        # Which columns later replies need is not known yet: replies are first written with all of them.
        self._unfiltered_file_name = self.make_file_name(REPLY_TABLE) + ".part"
        self._writers[REPLY_TABLE] = self._open_table(
            self._unfiltered_file_name, list_table_columns(options, self._meaning_by_column)[REPLY_TABLE]
        )

    def _open_table(self, table_name: str, columns: Iterable[str]) -> csv.DictWriter[str]:
        table_writer = csv.DictWriter(
            self._folder.open(table_name), list(columns), lineterminator="\n", extrasaction="ignore"
        )
        table_writer.writeheader()
        return table_writer

    def make_file_name(self, table_name: str) -> str:
        """Return the file of a table."""
        return f"{table_name}.csv"

    def add(self, episode: ExportedEpisode) -> bool:
        """Write an episode's rows."""
        rows_by_table = (
            ("episodes", [_make_episode_row(episode)]),
            ("turns", _make_turn_rows(episode)),
            ("replies", make_reply_rows(episode)),
        )
        for table_name, table_rows in rows_by_table:
            for table_row in table_rows:
                row_cells = escape_formulas(
                    {name: _convert_cell(value) for name, value in table_row.items()}, is_raw=self._options.raw_cells
                )
                if table_name == REPLY_TABLE:
                    self._used_columns |= row_cells.keys() & self._meaning_by_column.keys()
                self._writers[table_name].writerow(row_cells)
                self.counts[table_name] += 1
        return True

    @property
    def columns(self) -> dict[str, dict[str, str]]:
        """The columns of this export with their meanings, by table."""
        used_groups = [group for group in OPTIONAL_COLUMNS if not self._used_columns.isdisjoint(group)]
        return list_table_columns(
            self._options, {name: meaning for group in used_groups for name, meaning in group.items()}
        )

    def close_tables(self) -> None:
        """Close the tables; replies keep the columns that any of them needs."""
        self._folder.close()
        table_writer = self._open_table(self.make_file_name(REPLY_TABLE), self.columns[REPLY_TABLE])
        csv.field_size_limit(MAX_CELL_LENGTH)
        with (self._folder.root / self._unfiltered_file_name).open(encoding="utf-8", newline="") as wide_file:
            table_writer.writerows(csv.DictReader(wide_file))
        self._folder.close()
        self._folder.remove(self._unfiltered_file_name)

    def close(self, metadata: Json) -> None:
        """Write the data dictionary and the metadata."""
        self.close_tables()
        self._folder.write("dictionary.csv", format_data_dictionary(self.columns))
        self._folder.write_json("metadata.json", metadata)


def format_data_dictionary(table_columns: Mapping[str, Mapping[str, str]]) -> str:
    """Return the data dictionary of tables as CSV: table, column, meaning."""
    csv_file = io.StringIO()
    csv_writer = csv.writer(csv_file, lineterminator="\n")
    csv_writer.writerow(["table", "column", "meaning"])
    csv_writer.writerows(
        [table_name, column_name, column_meaning]
        for table_name, columns in table_columns.items()
        for column_name, column_meaning in columns.items()
    )
    return csv_file.getvalue()


def _convert_cell(cell_value: Any) -> Any:
    if isinstance(cell_value, bool):
        return int(cell_value)
    return to_json(cell_value) if isinstance(cell_value, dict | list) else cell_value


def _make_episode_row(episode: ExportedEpisode) -> Json:
    start_data, episode_row, log, scores = episode.log.start, episode.row, episode.log, episode.scores or {}
    outcome = episode_row.outcome or {}
    score_columns = ("played", "success", "lose", "main_score", "side_scores")
    request_columns = ("requests", "parsed_requests", "violated_requests")
    return {
        "episode": episode_row.id,
        "game": start_data.game,
        "variant": start_data.variant,
        "experiment": start_data.experiment,
        "instance": start_data.instance_id,
        "instance_hash": start_data.instance_hash,
        "status": str(episode_row.status),
        "outcome": outcome.get("kind"),
        "reason": outcome.get("reason"),
        "outcome_seat": outcome.get("seat"),
        "winner": outcome.get("winner"),
        **{score_name: scores.get(score_name) for score_name in (*score_columns, *request_columns)},
        "seats": start_data.seats,
        "people": episode_row.people,
        "mixed": episode_row.mixed,
        "informed": any(person_flags.get("informed") for person_flags in start_data.people.values()),
        "practice": any(person_flags.get("practice") for person_flags in start_data.people.values()),
        "both_seats": any(event.kind is Kind.BOTH_SEATS for event in log),
        "settings": start_data.settings,
        "reprompt": start_data.reprompt,
        "seed": start_data.seed,
        "run_seed": start_data.run_seed,
        "repetition": start_data.repetition,
        "prompts": f"{start_data.prompts} {start_data.prompts_version}",
        "game_version": start_data.game_version,
        "ludens": start_data.ludens,
        "origin": episode_row.origin,
        "started": format_iso_time(log[0].time),
        "ended": format_iso_time(log[-1].time),
        "seconds": (log[-1].time - log[0].time) / 1000,
        "scores": episode.scores,
        "participants": episode.first_participants or None,
        "error": episode.error,
    }


def _make_turn_rows(episode: ExportedEpisode) -> Iterator[Json]:
    """Yield the turns in the order of their asks. What a seat was told before an ask belongs to the turn."""
    row_by_ask: dict[int, Json] = {}
    time_by_ask: dict[int, int] = {}
    parts_by_seat: dict[str | None, list[Json]] = {}
    for event, player in episode.list_events_with_players():
        if event.kind is Kind.TELL:
            parts_by_seat.setdefault(event.seat, []).extend(TellEvent.from_event(event).parts)
        elif event.kind is Kind.ASK:
            request_event = AskEvent.from_event(event)
            time_by_ask[request_event.ask] = request_event.time
            row_by_ask[request_event.ask] = {
                "episode": episode.id,
                "turn": len(row_by_ask) + 1,
                "ask": request_event.ask,
                "seat": request_event.seat,
                "player": player,
                "asked": format_iso_time(request_event.time),
                "replies": 0,
                "accepted": False,
                "said": parts_to_text([*parts_by_seat.pop(request_event.seat, []), *request_event.parts]),
                "words": request_event.words,
                "participant": episode.find_participant(request_event.seat, request_event.n),
            }
        elif event.kind is Kind.REPLY:
            reply = ReplyEvent.from_event(event)
            if not reply.discarded:
                turn_row, seconds = row_by_ask[reply.ask], (reply.time - time_by_ask[reply.ask]) / 1000
                turn_row |= {
                    "answered": format_iso_time(reply.time),
                    "seconds": seconds,
                    "replies": turn_row["replies"] + 1,
                }
        elif event.kind is Kind.PARSED:
            parsed_event = ParsedEvent.from_event(event)
            row_by_ask[parsed_event.ask] |= {"accepted": True, "value": parsed_event.value}
        elif event.kind is Kind.VIOLATION:
            violation_event = ViolationEvent.from_event(event)
            row_by_ask[violation_event.ask]["fault"] = violation_event.fault
    yield from row_by_ask.values()


USAGE_COLUMNS = ("model", "seconds", "tokens_in", "tokens_out", "cost", "finish", "attempts", "cached")


def _sum_waits(reply_meta: Json) -> Json:
    """Return how many seconds a reply waited, if it says so."""
    wait_by_cause = reply_meta.get(MetaKey.WAITS)
    return {"waited": round(sum(seconds for _, seconds in wait_by_cause.values()), 3)} if wait_by_cause else {}


def make_reply_rows(episode: ExportedEpisode) -> Iterator[Json]:
    """Yield the replies of an episode in the order in which they came, by column."""
    table_rows: list[Json] = []
    wording_measures = WordingMeasures()
    ask_event_by_number: dict[int, AskEvent] = {}
    for event, player in episode.list_events_with_players():
        if event.kind is Kind.ASK:
            request_event = AskEvent.from_event(event)
            ask_event_by_number[request_event.ask] = request_event
        elif event.kind is Kind.REPLY:
            reply = ReplyEvent.from_event(event)
            table_rows.append(
                {
                    "episode": episode.id,
                    "n": reply.n,
                    "ask": reply.ask,
                    "seat": reply.seat,
                    "player": player,
                    "time": format_iso_time(reply.time),
                    "text": reply.text,
                    "characters": len(reply.text),
                    "accepted": False,
                    "late": reply.discarded,
                    **{
                        column_name: reply.meta[column_name]
                        for column_name in (*USAGE_COLUMNS, *REQUEST_COLUMNS)
                        if column_name in reply.meta
                    },
                    **_sum_waits(reply.meta),
                    "participant": episode.find_participant(reply.seat, reply.n),
                    **{
                        f"client_{column_name}": report_value
                        for column_name, report_value in extract_report(reply.meta).items()
                    },
                }
            )
        elif event.kind is Kind.PARSED and table_rows:
            table_row = table_rows[-1]
            table_row |= {"accepted": True} | wording_measures.measure_text(
                find_public_text(find_reply_format(ask_event_by_number[table_row["ask"]]), table_row["text"])
            )
        elif event.kind is Kind.VIOLATION and table_rows:
            violation_event = ViolationEvent.from_event(event)
            table_rows[-1] |= {"fault": violation_event.fault, "why": violation_event.why}
    yield from table_rows
