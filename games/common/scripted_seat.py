"""What the scripted players of games share: a player of one seat, and the JSON of its own earlier replies."""

from __future__ import annotations

import json

from engine.core.player import Player
from engine.core.views import Message


class ScriptedSeat(Player):
    """A player of one seat that replies at once."""

    instant = True

    def __init__(self, seat: str) -> None:
        self.seat = seat


def read_own_values(message: Message, *keys: str) -> list[str]:
    """Return what an own reply says under some keys of a JSON object, as text: "" for missing keys and other texts."""
    try:
        values = json.loads(message.text())
    except (ValueError, RecursionError):
        values = None
    return [str(values.get(key, "")) if isinstance(values, dict) else "" for key in keys]
