"""The scripted players of the reference game: a speaker that describes the target, a listener that picks the best fit.

They read their own seat's conversation: grids as text, and the descriptions of their three pictures, never pixels.
This folder's README explains how they understand people.
"""

from __future__ import annotations

from engine.core.content import RelayedMessage, TextExhibit
from engine.core.player import Reply
from engine.core.views import SeatView
from games.common.scripted_seat import ScriptedSeat
from games.reference.layout import PLACES, SPEAKER_ASSETS
from games.reference.native import EXPRESSION_TAG
from games.reference.talkers.facts import Sight
from games.reference.talkers.sight import describe_target, find_best_sight, make_sight


class Scripted(ScriptedSeat):
    """Describes the target as the speaker, picks as the listener."""

    async def reply(self, view: SeatView) -> Reply:
        """Return a reply in the format asked for."""
        candidates, target_number = _find_sights_and_target(view)
        if self.seat == "speaker":
            distractors = [sight for sight_number, sight in enumerate(candidates) if sight_number != target_number]
            return Reply(f"{EXPRESSION_TAG}: {describe_target(candidates[target_number], distractors)}")
        relayed_messages = view.messages[-1].content_parts(RelayedMessage)
        expression = next(message.text for message in relayed_messages if message.label == EXPRESSION_TAG)
        return Reply(f"Answer: {PLACES[find_best_sight(expression, candidates, view.random)]}")


def _find_sights_and_target(view: SeatView) -> tuple[list[Sight], int]:
    """Return a seat's three grids or pictures in order, and the number of the marked one (0 if none is marked)."""
    message = view.messages[0]
    text_exhibits = message.content_parts(TextExhibit)
    if text_exhibits:
        target_number = next(
            (exhibit_number for exhibit_number, exhibit in enumerate(text_exhibits) if exhibit.marked), 0
        )
        return [make_sight(exhibit.text) for exhibit in text_exhibits], target_number
    candidates = [make_sight(view.picture(asset).description) for asset in message.pictures]
    return candidates, message.pictures.index(SPEAKER_ASSETS[0]) if SPEAKER_ASSETS[0] in message.pictures else 0


def fallback(view: SeatView) -> str | None:
    """Return a random pick for the listener, None for the speaker, who reads nothing that others wrote."""
    return None if view.seat == "speaker" else view.ask.format.sample(view.random)
