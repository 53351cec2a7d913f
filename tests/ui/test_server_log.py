"""The log of a server: one line per fact, warnings of one cause counted, no words of players, no secrets."""

import io
import json
import logging
import sqlite3

import pytest

from tests.ui.guests import Guest
from ui.server.logs import MAX_CAUSE_LINES, CauseCounter, CountingHandler, JsonFormatter, TextFormatter, describe_error

SECRET = "Das Wort ist Regenschirm"


@pytest.fixture
def lines():
    """Log as a server does, with a clock of our own: returns (logger, clock, read lines)."""
    stream, now = io.StringIO(), [0.0]
    handler = CountingHandler(stream, CauseCounter(lambda: now[0]))
    handler.setFormatter(JsonFormatter())
    logger = logging.getLogger("ludens.test_server_log")
    logger.propagate = False
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    yield logger, now, lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    logger.removeHandler(handler)


def test_warnings_of_one_cause_are_counted(lines):
    logger, now, read = lines
    for number in range(5000):
        logger.warning("connection %d refused", number)
    logger.warning("something else")
    assert [line["message"] for line in read()[-2:]] == [f"connection {MAX_CAUSE_LINES - 1} refused", "something else"]
    now[0] += 61
    logger.info("later")
    counted = [line for line in read() if line["logger"] == "ludens.log"]
    assert [(line["cause"], line["count"]) for line in counted] == [("connection %d refused", 5000 - MAX_CAUSE_LINES)]
    logger.warning("connection %d refused", 1)
    assert read()[-1]["message"] == "connection 1 refused"


def test_facts_are_all_written(lines):
    logger, _, read = lines
    for _ in range(100):
        logger.info("table opened")
    assert len(read()) == 100


def test_errors_quote_nobody():
    try:
        try:
            raise ValueError(f"cannot read {SECRET!r}")
        except ValueError as error:
            raise RuntimeError(SECRET) from error
    except RuntimeError as error:
        described = describe_error(error, error.__traceback__)
        record = logging.getLogger("x").makeRecord("x", 40, "f", 1, "failed", (), (type(error), error, None))
    assert described[0] == "RuntimeError" and any("test_server_log.py" in place for place in described)
    for formatter in (JsonFormatter(), TextFormatter()):
        assert SECRET not in formatter.format(record) and "ValueError" in formatter.format(record)
    locked = sqlite3.OperationalError("database is locked")
    assert describe_error(locked, None) == ["OperationalError: database is locked"]


def test_a_server_writes_json_lines_without_words_and_secrets(server):
    house = server(None, None, "--log-format", "json")
    with Guest(house.url) as guest:
        pid = guest.sit()
        with guest.seat(pid) as seat:
            seat.reply(SECRET)
        guest.http.get("/s/" + "y" * 32)
        cookie = guest.http.cookies["browser"]
    house.stop()
    written = [line for line in house.output().splitlines() if line.startswith("{")]
    facts = [json.loads(line) for line in written]
    assert facts[0]["message"] == "server started" and facts[0]["time"].endswith("Z")
    assert facts[-1]["message"] == "server stopped"
    for secret in (SECRET, cookie, pid, "y" * 32, "127.0.0.1"):
        assert not any(secret in line for line in written), secret
