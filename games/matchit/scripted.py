"""The scripted player of MatchIt: replies with what a talker (`talk.py`) says.

It reads only its own seat's conversation and its own grid or the description of its own picture. This folder's README
explains how it understands people.
"""

from __future__ import annotations

from engine.core.content import RelayedMessage, TextExhibit
from engine.core.player import Reply
from engine.core.replies import EitherFormat, OneOf, ReplyFormat, Tagged
from engine.core.views import Message, SeatView
from games.common.scripted_seat import ScriptedSeat
from games.matchit.talkers.talk import make_talker
from games.matchit.talkers.utterances import Utterance, UtteranceKind

KIND_BY_LABEL: dict[str, UtteranceKind] = {"Description": "description", "Question": "question", "Answer": "answer"}


class Scripted(ScriptedSeat):
    """Describes, asks, answers and decides by reading its own conversation."""

    async def reply(self, view: SeatView) -> Reply:
        """Return a reply in the format asked for."""
        own_talker = make_talker(_find_own_picture(view), view.random)
        history = [entry for message in view.messages for entry in _list_utterances(message)]
        reply_format = _get_tagged_format(view.ask.format)
        match reply_format.tag:
            case "DESCRIPTION":
                reply_text = own_talker.describe()
            case "ANSWER":
                reply_text = own_talker.answer_last_question(history)
            case "QUESTION":
                reply_text = own_talker.ask(history)
            case _:
                decision = own_talker.decide(history)
                assert isinstance(reply_format.inner, OneOf)
                reply_text = next(option for option in reply_format.inner.options if option.startswith(f"{decision} "))
        return Reply(f"{reply_format.tag}: {reply_text}")


def _find_own_picture(view: SeatView) -> str | dict[str, object]:
    """Return the seat's grid as text, or the description of its picture."""
    grid_texts = (exhibit.text for message in view.messages for exhibit in message.content_parts(TextExhibit))
    descriptions = (view.picture(asset).description for message in view.messages for asset in message.pictures)
    return next(grid_texts, None) or next(descriptions)


def _list_utterances(message: Message) -> list[Utterance]:
    """Return the utterances in one message: the partner's, which were relayed, or the own reply."""
    if message.role == "user":
        relayed_messages = [part for part in message.content_parts(RelayedMessage) if part.label in KIND_BY_LABEL]
        return [Utterance("partner", KIND_BY_LABEL[part.label], part.text) for part in relayed_messages]
    reply_tag, _, reply_text = message.text().strip().partition(":")
    kind = KIND_BY_LABEL.get(reply_tag.title())
    return [Utterance("me", kind, reply_text.strip())] if kind else []


def _get_tagged_format(reply_format: ReplyFormat[object]) -> Tagged[object]:
    """Return the format of the ask; of a question or a decision that of the question: one more answer never hurts."""
    if isinstance(reply_format, EitherFormat):
        reply_format = reply_format.alternatives[0][1]
    assert isinstance(reply_format, Tagged)
    return reply_format


def fallback(view: SeatView) -> str | None:
    """Return a reply that does not depend on the partner's messages; None for a description, which never does."""
    match _get_tagged_format(view.ask.format).tag:
        case "DESCRIPTION":
            return None
        case "ANSWER":
            return "ANSWER: I did not understand that."
        case "QUESTION":
            return "QUESTION: What else can you tell me?"
    return view.ask.format.sample(view.random)
