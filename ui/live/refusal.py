"""The error with which the live server refuses a request; routes turn it into an HTTP answer."""

from __future__ import annotations

from engine.core.events import Json

REFUSAL_RETRY_SECONDS = 2
"""Seconds after which a page asks again what the server could not do at the moment (503)."""


class Refusal(Exception):
    """A request that cannot be granted. `status` is that of HTTP; the person reads `error` and `explanation`, if any.

    `retry_after` says in how many seconds it may be granted, if that is known. After a 503 nothing has changed.
    """

    def __init__(
        self, status: int, error: str, explanation: str | None = None, *, retry_after: int | None = None
    ) -> None:
        self.status, self.error, self.explanation, self.retry_after = status, error, explanation, retry_after
        super().__init__(error)

    @property
    def seconds_to_wait(self) -> int | None:
        """In how many seconds the request may be granted; None if asking again does not help."""
        return self.retry_after or (REFUSAL_RETRY_SECONDS if self.status in (429, 503) else None)

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the answer."""
        return {"retry-after": str(self.seconds_to_wait)} if self.seconds_to_wait else {}

    def as_json(self) -> Json:
        """Return the refusal as the body of an answer."""
        return {"ok": False, "error": self.error} | ({"why": self.explanation} if self.explanation else {})


def make_storage_refusal(error: Exception) -> Refusal:
    """Return the refusal for what could not be stored, or read from the log, at the moment."""
    return Refusal(503, "This cannot be stored at the moment. Please try again.", str(error))
