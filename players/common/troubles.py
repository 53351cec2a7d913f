"""What can go wrong with a request, whoever the vendor: one tree, into which every vendor's errors are mapped.

A trouble that is `passing` is tried again; the others end in a `PlayerFault` at once. None carries the request: a
key must not come out in a traceback.
"""

from __future__ import annotations

import email.utils
import math
import time
from collections.abc import Mapping
from types import ModuleType
from typing import Any, ClassVar

MAX_MESSAGE = 300


class Trouble(Exception):
    """A request without an answer. The message says what happened, in one line."""

    passing: ClassVar[bool] = False
    next_step: ClassVar[str] = ""

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds after which the server wants to be asked again."""


class Unreachable(Trouble):
    """No connection, or no answer in time."""

    passing = True
    next_step = "is the server running, and is its base_url right?"


class Faltering(Trouble):
    """The server failed at a request that may be right."""

    passing = True
    next_step = "try again later"


class TooMuch(Trouble):
    """The server wants to be asked less often."""

    passing = True
    next_step = "try again later, or set requests_per_minute and concurrency of the server in players.toml"


class NoAccess(Trouble):
    """The key is missing or wrong, may not do this, or has no credit."""

    next_step = "check the key and its account"


class NotThere(Trouble):
    """The server has no such model, or nothing at this address."""

    next_step = "check the model's name and the server's base_url (most end in /v1)"


class Refused(Trouble):
    """The server does not take this request. `parameter` is the field it named, `code` its word for the reason."""

    next_step = "change what it names in the player's parameters"

    def __init__(self, message: str, *, parameter: str | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.parameter, self.code = parameter, code


class Garbled(Trouble):
    """The answer is none of this protocol."""

    next_step = "is the server's base_url right (most end in /v1), and its wire?"


def of_vendor(error: Exception, sdk: ModuleType) -> Trouble:
    """Return our trouble for an error of the `openai` or `anthropic` package; their errors have the same shape."""
    if isinstance(error, sdk.APIConnectionError):
        return Unreachable(f"no connection: {line(error.__cause__ or error)}")
    if isinstance(error, sdk.APIStatusError):
        return of_status(error.status_code, error.body, error.response.headers)
    return Garbled(f"{type(error).__name__}: {line(error)}")


def of_status(status: int, body: Any, headers: Mapping[str, str] | None = None) -> Trouble:
    """Return the trouble that an HTTP status with its JSON body means."""
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    told = inner if isinstance(inner, Mapping) else {}
    said = told.get("message") or told.get("detail") or (inner if isinstance(inner, str) else "")
    code = str(told.get("code") or told.get("type") or "")
    message = f"it answered {status}" + (f": {line(said)}" if said else "")
    wait = retry_after(headers or {})
    if status in (401, 402, 403) or code in ("insufficient_quota", "billing_error"):
        # what a server says of a key may quote it
        return NoAccess(f"it answered {status}" + (f" ({line(code)})" if code and not code.isdecimal() else ""))
    if status in (429, 503, 529):
        return TooMuch(message, retry_after=wait)
    if status in (408, 409, 425) or status >= 500:
        return Faltering(message, retry_after=wait)
    if status == 404:
        return NotThere(message)
    parameter = told.get("param")
    return Refused(message, parameter=parameter if isinstance(parameter, str) else None, code=code)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a response asks to wait: Retry-After in seconds or as a date, or in milliseconds."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        if math.isfinite(seconds):
            return max(0.0, seconds)
    try:
        until = email.utils.parsedate_to_datetime(headers.get("retry-after", ""))
    except (TypeError, ValueError):
        return None
    return max(0.0, until.timestamp() - time.time())


def line(said: object) -> str:
    """Return what somebody said as one line of bounded length."""
    text = " ".join(str(said).split())
    return text if len(text) <= MAX_MESSAGE else text[: MAX_MESSAGE - 1] + "…"
