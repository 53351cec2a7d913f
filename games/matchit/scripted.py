"""The scripted player of MatchIt: replies with what a talker (`talk.py`) says.

It reads only its own seat's conversation and its own grid or the description of its own picture. This folder's README
explains how it understands people.
"""

from __future__ import annotations

from engine.core.content import RelayedMessage, TextExhibit
from engine.core.player import Player, Reply
from engine.core.replies import Either, OneOf, ReplyFormat, Tagged
from engine.core.views import Message, SeatView
from games.matchit.talkers.talk import talker
from games.matchit.talkers.utterances import Utterance, UtteranceKind

TAGS: dict[str, UtteranceKind] = {"DESCRIPTION": "description", "QUESTION": "question", "ANSWER": "answer"}
LABELS: dict[str, UtteranceKind] = {"Description": "description", "Question": "question", "Answer": "answer"}


class Scripted(Player):
    """Describes, asks, answers and decides by reading its own conversation."""

    instant = True

    def __init__(self, seat: str) -> None:
        self.seat = seat

    async def reply(self, view: SeatView) -> Reply:
        """Return a reply in the format asked for."""
        own_talker = talker(_own_picture(view), view.random)
        history = [utterance for message in view.messages for utterance in _utterances(message)]
        match _tag(view.ask.format):
            case "DESCRIPTION":
                return Reply(f"DESCRIPTION: {own_talker.describe()}")
            case "ANSWER":
                questions = [entry.text for entry in history if (entry.speaker, entry.kind) == ("partner", "question")]
                return Reply(f"ANSWER: {own_talker.answer(questions[-1])}")
            case "QUESTION":
                return Reply(f"QUESTION: {own_talker.ask(history)}")
        return Reply(f"DECISION: {_decision(view.ask.format, own_talker.decide(history))}")


def _own_picture(view: SeatView) -> str | dict[str, object]:
    """Return the seat's grid as text, or the description of its picture."""
    for message in view.messages:
        for exhibit in message.content_parts(TextExhibit):
            return exhibit.text
        for asset in message.pictures:
            return view.picture(asset).description
    raise LookupError(f"seat {view.seat} was shown neither a grid nor a picture")


def _utterances(message: Message) -> list[Utterance]:
    """Return the utterances in one message: the partner's, which were relayed, or the own reply."""
    if message.role == "user":
        relayed_messages = [part for part in message.content_parts(RelayedMessage) if part.label in LABELS]
        return [Utterance("partner", LABELS[part.label], part.text) for part in relayed_messages]
    tag, _, text = message.text().strip().partition(":")
    return [Utterance("me", TAGS[tag], text.strip())] if tag in TAGS else []


def _tag(reply_format: ReplyFormat[object]) -> str:
    if isinstance(reply_format, Either):  # if it may decide early it still asks: one more answer never hurts
        reply_format = reply_format.alternatives[0][1]
    return reply_format.tag if isinstance(reply_format, Tagged) else ""


def _decision(reply_format: ReplyFormat[object], decision: str) -> str:
    assert isinstance(reply_format, Tagged) and isinstance(reply_format.inner, OneOf)
    return next(option for option in reply_format.inner.options if option.startswith(f"{decision} "))


def fallback(view: SeatView) -> str | None:
    """Return a reply that does not depend on the partner's messages; None for a description, which never does."""
    match _tag(view.ask.format):
        case "DESCRIPTION":
            return None
        case "ANSWER":
            return "ANSWER: I did not understand that."
        case "QUESTION":
            return "QUESTION: What else can you tell me?"
        case _:
            return view.ask.format.sample(view.random)
