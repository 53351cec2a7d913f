"""Times and episode ids as the log stores them."""

from __future__ import annotations

import secrets
import time


def now_ms() -> int:
    """Return the time as UTC milliseconds."""
    return time.time_ns() // 1_000_000


def make_id(created_at: int | None = None) -> str:
    """Return an id that sorts by time and cannot be guessed: 11 hexadecimal digits of UTC ms, 20 random ones."""
    return f"{now_ms() if created_at is None else created_at:011x}{secrets.token_hex(10)}"
