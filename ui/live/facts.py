"""Facts for the server's log: one structured line each. No words of players, no addresses, no tokens, no cookies."""

from __future__ import annotations

import logging

_logger = logging.getLogger("ludens.facts")


def log_fact(message: str, **fact_fields: str | int | float | bool | None) -> None:
    """Log that something happened, e.g. `log_fact("table opened", episode=id, game="matchit")`."""
    _logger.info(message, extra={"fields": fact_fields})
