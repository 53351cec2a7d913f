"""Messages from the researcher to participants: shown on their page until they have read them.

Each one is an event of the study. The unread ones are in memory, read once from the log: pages ask for them often.
"""

from __future__ import annotations

from engine.core.events import Json
from engine.storage.study_listing import StudyListing
from engine.storage.study_records import Participation, StudyRecords
from ui.live.context import ServerContext
from ui.live.refusal import Refusal

MAX_LENGTH = 500
"""Characters of a message."""


class StudyMessages:
    """The unread messages of all participations."""

    def __init__(self, context: ServerContext, records: StudyRecords) -> None:
        self._context, self._records = context, records
        self._unread_by_person: dict[str, dict[int, str]] | None = None

    def unread_messages(self, participation: str) -> list[Json]:
        """Return the messages that a participant has not read, oldest first, each as {"id", "text"}."""
        messages = self._load_messages().get(participation, {})
        return [{"id": id_, "text": message_text} for id_, message_text in messages.items()]

    async def send(self, participation: Participation, message_text: str) -> None:
        """Store a message for a participant. Raises `Refusal` where it is empty or too long."""
        message_text = message_text.strip()
        if not 0 < len(message_text) <= MAX_LENGTH:
            raise Refusal(422, f"A message has 1 to {MAX_LENGTH} characters; this one has {len(message_text)}.")
        unread_texts = self._load_messages()
        note_event = self._records.note
        id_ = await self._context.write(
            note_event, participation.study, participation.id, "message", {"text": message_text}
        )
        unread_texts.setdefault(participation.id, {})[id_] = message_text

    async def mark_read(self, participation: Participation, message: int) -> None:
        """Store that a participant has read a message."""
        if message in self._load_messages().get(participation.id, {}):
            data = {"message": message}
            self._remove_message(participation.id, message)
            await self._context.write(self._records.note, participation.study, participation.id, "message_read", data)

    def retract_message(self, participation: str, message: int) -> None:
        """Show a message no longer. Raises `Refusal` where it has been read."""
        if message not in self._load_messages().get(participation, {}):
            raise Refusal(409, "The participant has read this message already.")
        self._remove_message(participation, message)

    def _remove_message(self, participation: str, message: int) -> None:
        del self._load_messages()[participation][message]

    def _load_messages(self) -> dict[str, dict[int, str]]:
        if self._unread_by_person is None:
            self._unread_by_person = {}
            for event in StudyListing(self._context.reader).list_messages():
                messages = self._unread_by_person.setdefault(str(event.participation), {})
                if event.action == "message":
                    messages[event.id] = event.data["text"]
                else:
                    messages.pop(int(event.data.get("message") or event.data["event"]), None)
        return self._unread_by_person
