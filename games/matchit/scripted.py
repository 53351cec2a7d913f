"""The scripted player of MatchIt: seats a talker (`talk.py`) at a table.

It reads its own seat's conversation and its own grid or picture's description, nothing else. How it understands people
is told in this folder's README.
"""

from __future__ import annotations

from engine.core.game import ScriptedPlayer
from engine.core.player import Player, Reply
from engine.core.replies import Either, OneOf, ReplyFormat, Tagged
from engine.core.views import Message, SeatView
from games.matchit.talkers.talk import talker
from games.matchit.talkers.utterances import Utterance, UtteranceKind

TAGS: dict[str, UtteranceKind] = {"DESCRIPTION": "description", "QUESTION": "question", "ANSWER": "answer"}
QUOTES: dict[str, UtteranceKind] = {"Description": "description", "Question": "question", "Answer": "answer"}


class Scripted(Player):
    """Describes, asks, answers and decides by reading its own conversation."""

    instant = True

    def __init__(self, seat: str) -> None:
        self.seat = seat

    async def reply(self, view: SeatView) -> Reply:
        """Return a reply in the format asked for."""
        partner = talker(_own(view), view.random)
        history = [entry for message in view.messages for entry in _said(message)]
        asked = _tag(view.ask.format)
        if asked == "DESCRIPTION":
            return Reply(f"DESCRIPTION: {partner.describe()}")
        if asked == "ANSWER":
            heard = [entry.text for entry in history if (entry.speaker, entry.kind) == ("partner", "question")]
            return Reply(f"ANSWER: {partner.answer(heard[-1])}")
        if asked == "QUESTION":
            return Reply(f"QUESTION: {partner.ask(history)}")
        return Reply(f"DECISION: {_decision(view.ask.format, partner.decide(history))}")


def _own(view: SeatView) -> str | dict[str, object]:
    """Return the seat's grid as text, or what its picture's description says."""
    for message in view.messages:
        for part in message.parts:
            if "exhibit" in part:
                return str(part["exhibit"])
        for asset in message.pictures:
            return view.picture(asset).description
    raise LookupError(f"seat {view.seat} was shown neither a grid nor a picture")


def _said(message: Message) -> list[Utterance]:
    """Return what was said in one message: the partner's words relayed, or the own reply."""
    if message.role == "user":
        quotes = [part for part in message.parts if part.get("label") in QUOTES]
        return [Utterance("partner", QUOTES[part["label"]], part["quote"]) for part in quotes]
    tag, _, text = message.text().strip().partition(":")
    return [Utterance("me", TAGS[tag], text.strip())] if tag in TAGS else []


def _tag(asked: ReplyFormat[object]) -> str:
    if isinstance(asked, Either):  # where it may decide early it still asks: one more answer never hurts
        asked = asked.alternatives[0][1]
    return asked.tag if isinstance(asked, Tagged) else ""


def _decision(asked: ReplyFormat[object], decision: str) -> str:
    assert isinstance(asked, Tagged) and isinstance(asked.inner, OneOf)
    return next(option for option in asked.inner.options if option.startswith(f"{decision} "))


def fallback(view: SeatView) -> str | None:
    """Return a reply that needs nothing of what the partner said; a description never does."""
    match _tag(view.ask.format):
        case "DESCRIPTION":
            return None
        case "ANSWER":
            return "ANSWER: I did not understand that."
        case "QUESTION":
            return "QUESTION: What else can you tell me?"
        case _:
            return view.ask.format.sample(view.random)


PLAYERS: dict[str, ScriptedPlayer] = {
    "scripted": ScriptedPlayer("plays sensibly; pictures by their description", Scripted, fallback),
}
