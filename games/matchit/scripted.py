"""The scripted player of MatchIt: replies with what a talker (`talk.py`) says.

It reads only its own seat's conversation and its own grid or the description of its own picture. This folder's README
explains how it understands people.
"""

from __future__ import annotations

from engine.core.content import RelayedMessage, TextExhibit
from engine.core.player import Reply
from engine.core.replies import Either, OneOf, ReplyFormat, Tagged
from engine.core.views import Message, SeatView
from games.common.scripted_seat import ScriptedSeat
from games.matchit.talkers.talk import talker
from games.matchit.talkers.utterances import Utterance, UtteranceKind

KINDS: dict[str, UtteranceKind] = {"Description": "description", "Question": "question", "Answer": "answer"}


class Scripted(ScriptedSeat):
    """Describes, asks, answers and decides by reading its own conversation."""

    async def reply(self, view: SeatView) -> Reply:
        """Return a reply in the format asked for."""
        own_talker = talker(_own_picture(view), view.random)
        history = [utterance for message in view.messages for utterance in _utterances(message)]
        reply_format = _tagged_format(view.ask.format)
        match reply_format.tag:
            case "DESCRIPTION":
                text = own_talker.describe()
            case "ANSWER":
                questions = [entry.text for entry in history if (entry.speaker, entry.kind) == ("partner", "question")]
                text = own_talker.answer(questions[-1])
            case "QUESTION":
                text = own_talker.ask(history)
            case _:
                decision = own_talker.decide(history)
                assert isinstance(reply_format.inner, OneOf)
                text = next(option for option in reply_format.inner.options if option.startswith(f"{decision} "))
        return Reply(f"{reply_format.tag}: {text}")


def _own_picture(view: SeatView) -> str | dict[str, object]:
    """Return the seat's grid as text, or the description of its picture."""
    texts = (exhibit.text for message in view.messages for exhibit in message.content_parts(TextExhibit))
    descriptions = (view.picture(asset).description for message in view.messages for asset in message.pictures)
    return next(texts, None) or next(descriptions)


def _utterances(message: Message) -> list[Utterance]:
    """Return the utterances in one message: the partner's, which were relayed, or the own reply."""
    if message.role == "user":
        relayed_messages = [part for part in message.content_parts(RelayedMessage) if part.label in KINDS]
        return [Utterance("partner", KINDS[part.label], part.text) for part in relayed_messages]
    tag, _, text = message.text().strip().partition(":")
    return [Utterance("me", KINDS[tag.title()], text.strip())] if tag.title() in KINDS else []


def _tagged_format(reply_format: ReplyFormat[object]) -> Tagged[object]:
    """Return the format of the ask; of a question or a decision that of the question: one more answer never hurts."""
    if isinstance(reply_format, Either):
        reply_format = reply_format.alternatives[0][1]
    assert isinstance(reply_format, Tagged)
    return reply_format


def fallback(view: SeatView) -> str | None:
    """Return a reply that does not depend on the partner's messages; None for a description, which never does."""
    match _tagged_format(view.ask.format).tag:
        case "DESCRIPTION":
            return None
        case "ANSWER":
            return "ANSWER: I did not understand that."
        case "QUESTION":
            return "QUESTION: What else can you tell me?"
    return view.ask.format.sample(view.random)
