"""The error with which the live server refuses a request; routes turn it into an HTTP answer."""

from __future__ import annotations

from engine.core.events import Json


class Refusal(Exception):
    """A request that cannot be granted. `status` is that of HTTP; the person reads `error` and, if given, `why`."""

    def __init__(self, status: int, error: str, why: str | None = None) -> None:
        self.status, self.error, self.why = status, error, why
        super().__init__(error)

    def as_json(self) -> Json:
        """Return the refusal as the body of an answer."""
        return {"ok": False, "error": self.error} | ({"why": self.why} if self.why else {})
