"""The scripted players of the reference game: a speaker that says what tells the target apart, a listener that weighs.

They read their own seat's conversation: grids as text, of pictures the descriptions of the three before them, never
pixels. How they understand people is told in this folder's README.
"""

from __future__ import annotations

from engine.core.game import ScriptedPlayer
from engine.core.player import Player, Reply
from engine.core.views import SeatView
from games.reference.board import SPEAKER_ASSETS
from games.reference.instances import PLACES
from games.reference.native import EXPRESSION
from games.reference.talkers.sight import Sight, describe, fitting, sight


class Scripted(Player):
    """Describes or picks, whichever its seat is asked for."""

    instant = True

    def __init__(self, seat: str) -> None:
        self.seat = seat

    async def reply(self, view: SeatView) -> Reply:
        """Return a reply in the format asked for."""
        sights, target = _before(view)
        if self.seat == "speaker":
            others = [one for number, one in enumerate(sights) if number != target]
            return Reply(f"{EXPRESSION}: {describe(sights[target], others)}")
        said = next(part["quote"] for part in view.messages[-1].parts if part.get("label") == EXPRESSION)
        return Reply(f"Answer: {PLACES[fitting(said, sights, view.random)]}")


def _before(view: SeatView) -> tuple[list[Sight], int]:
    """Return the three before a seat in its order, and which of them is marked (0 where none is)."""
    message = view.messages[0]
    exhibits = [part for part in message.parts if "exhibit" in part]
    if exhibits:
        marked = [number for number, part in enumerate(exhibits) if part.get("marked")]
        return [sight(part["exhibit"]) for part in exhibits], marked[0] if marked else 0
    seen = [sight(view.picture(asset).description) for asset in message.pictures]
    return seen, message.pictures.index(SPEAKER_ASSETS[0]) if SPEAKER_ASSETS[0] in message.pictures else 0


def fallback(view: SeatView) -> str | None:
    """Return a guess for the listener; the speaker reads nothing that others wrote."""
    return None if view.seat == "speaker" else view.ask.format.sample(view.random)


PLAYERS: dict[str, ScriptedPlayer] = {
    "scripted": ScriptedPlayer(
        "says and weighs what tells the three apart; pictures by their descriptions", Scripted, fallback
    ),
}
