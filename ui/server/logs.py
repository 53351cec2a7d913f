"""The log of a server on standard error: one line per fact, as text or JSON, with the id of the request it belongs to.

Warnings of one cause are counted, not repeated. Of exceptions the type and the places are logged; the message only if
it comes from the operating system or SQLite, because other messages can quote what a player wrote.
"""

from __future__ import annotations

import contextvars
import json
import logging
import sqlite3
import sys
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, TextIO

LogFormat = Literal["text", "json"]

request_id: contextvars.ContextVar[str | None] = contextvars.ContextVar("request_id", default=None)
"""The id of the request in whose task the present code runs."""

PROJECT_ROOT = Path(__file__).resolve().parents[2]
MAX_CAUSE_LINES = 10
"""Lines that one cause may write in `WINDOW_SECONDS` seconds; more are counted."""
WINDOW_SECONDS = 60.0
ERRORS_WITHOUT_PLAYER_TEXT = (OSError, sqlite3.Error)


class CauseCounter:
    """Decides which warnings are written: of each cause the first `MAX_CAUSE_LINES` in `WINDOW_SECONDS` seconds."""

    def __init__(self, read_clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = read_clock
        self._window_by_cause: dict[tuple[object, ...], tuple[float, int]] = {}
        """When the present window of each cause began, and how many lines it has had."""

    def admit_record(self, record: logging.LogRecord) -> bool:
        """Count a record and return whether it is written; facts always are."""
        if record.levelno < logging.WARNING:
            return True
        cause_key, clock_time = _make_cause_key(record), self._clock()
        window_start, line_count = self._window_by_cause.get(cause_key, (clock_time, 0))
        if clock_time - window_start > WINDOW_SECONDS:
            window_start, line_count = clock_time, 0
        self._window_by_cause[cause_key] = window_start, line_count + 1
        return line_count < MAX_CAUSE_LINES

    def pop_omitted_counts(self, *, includes_current_window: bool = False) -> list[tuple[str, str, int]]:
        """Return (logger, message, lines not written) of the causes whose window has ended, and forget them."""
        clock_time, omitted_counts = self._clock(), []
        for cause_key, (window_start, line_count) in list(self._window_by_cause.items()):
            if includes_current_window or clock_time - window_start > WINDOW_SECONDS:
                del self._window_by_cause[cause_key]
                if line_count > MAX_CAUSE_LINES:
                    omitted_counts.append((str(cause_key[0]), str(cause_key[2]), line_count - MAX_CAUSE_LINES))
        return omitted_counts


def _make_cause_key(record: logging.LogRecord) -> tuple[object, ...]:
    """Return what two records of one cause have in common: the message before its arguments, the place of an error."""
    error = record.exc_info[1] if record.exc_info else None
    frames = traceback.extract_tb(error.__traceback__)[-1:] if error else []
    error_location = (type(error).__name__, *((frame.filename, frame.lineno) for frame in frames)) if error else None
    return record.name, record.levelno, str(record.msg).partition("\n")[0][:200], error_location


class CountingHandler(logging.StreamHandler[TextIO]):
    """Writes records, and for repeated ones how often they came."""

    def __init__(self, stream: TextIO, cause_counter: CauseCounter | None = None) -> None:
        super().__init__(stream)
        self._cause_counter = cause_counter or CauseCounter()

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record unless its cause has had enough lines."""
        self.emit_counts()
        if self._cause_counter.admit_record(record):
            super().emit(record)

    def emit_counts(self, *, is_final: bool = False) -> None:
        """Write one line for each cause that had more lines than were written; at the end for all."""
        for logger_name, message, omitted_count in self._cause_counter.pop_omitted_counts(
            includes_current_window=is_final
        ):
            record_fields = {"fields": {"cause": message, "of": logger_name, "count": omitted_count}}
            attrs = {"name": "ludens.log", "msg": "not repeated", "levelno": logging.WARNING, "levelname": "WARNING"}
            super().emit(logging.makeLogRecord({**attrs, **record_fields}))


class TextFormatter(logging.Formatter):
    """One line: level, logger, message, fields, request."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, and those of an exception."""
        record_parts = _describe_record(record)
        fields_text = "".join(
            f" {field_name}={_quote_value(field_value)}" for field_name, field_value in record_parts["fields"].items()
        )
        request_text = f" request={record_parts['request']}" if record_parts["request"] else ""
        log_line = f"{record.levelname} {record.name}: {record_parts['message']}{fields_text}{request_text}"
        return "\n".join([log_line, *(f"  {error_line}" for error_line in record_parts.get("error", ()))])


class JsonFormatter(logging.Formatter):
    """One JSON object per line: time, level, logger, message, request, and the fields of a fact."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        record_parts = _describe_record(record)
        time_text = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        origin = {"time": time_text.replace("+00:00", "Z"), "level": record.levelname.lower(), "logger": record.name}
        request = {"request": record_parts["request"]} if record_parts["request"] else {}
        error_fields = {"error": record_parts["error"]} if "error" in record_parts else {}
        log_fields = {**origin, "message": record_parts["message"], **request, **record_parts["fields"], **error_fields}
        return json.dumps(log_fields, ensure_ascii=True, default=str)


def _describe_record(record: logging.LogRecord) -> dict[str, Any]:
    record_parts: dict[str, Any] = {
        "message": record.getMessage().strip(),
        "fields": getattr(record, "fields", {}),
        "request": request_id.get(),
    }
    if record.exc_info and record.exc_info[1]:
        record_parts["error"] = describe_error(record.exc_info[1], record.exc_info[1].__traceback__)
    return record_parts


def describe_error(error: BaseException, error_trace: TracebackType | None) -> list[str]:
    """Return the type of an exception and the places it went through, innermost first, without what it quotes."""
    error_text = f": {error}" if isinstance(error, ERRORS_WITHOUT_PLAYER_TEXT) else ""
    frames = reversed(traceback.extract_tb(error_trace))
    frame_locations = [f"{_shorten_path(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]
    cause = error.__cause__
    cause_lines = describe_error(cause, cause.__traceback__) if cause is not None else []
    return [f"{type(error).__name__}{error_text}", *frame_locations[:12], *cause_lines]


def _shorten_path(file_name: str) -> str:
    path = Path(file_name)
    return str(path.relative_to(PROJECT_ROOT)) if path.is_relative_to(PROJECT_ROOT) else "/".join(path.parts[-3:])


def _quote_value(field_value: object) -> str:
    value_text = str(field_value)
    return (
        json.dumps(value_text)
        if not value_text or any(character.isspace() or character in '"=' for character in value_text)
        else value_text
    )


def set_up_logging(log_format: LogFormat) -> None:
    """Send all logs to standard error in this format: warnings of everybody, facts of Ludens."""
    handler = CountingHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if log_format == "json" else TextFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("ludens.facts").setLevel(logging.INFO)


def write_counts(*, is_final: bool = False) -> None:
    """Write how often warnings were not repeated; call it every few seconds, and at the end."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, CountingHandler):
            handler.emit_counts(is_final=is_final)
