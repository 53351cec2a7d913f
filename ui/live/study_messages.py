"""Messages from the researcher to participants: shown on their page until they have read them.

Each one is an event of the study. The unread ones are in memory, read once from the log: pages ask for them often.
"""

from __future__ import annotations

from engine.core.events import Json
from engine.storage.study_listing import StudyListing
from engine.storage.study_records import Participation, StudyRecords
from ui.live.context import ServerContext
from ui.live.refusal import Refusal

MAX_MESSAGE_LENGTH = 500
"""Characters of a message."""


class StudyMessages:
    """The unread messages of all participations."""

    def __init__(self, context: ServerContext, records: StudyRecords) -> None:
        self._context, self._records = context, records
        self._unread_messages_by_person: dict[str, dict[int, str]] | None = None

    def list_unread_messages(self, participation_id: str) -> list[Json]:
        """Return the messages that a participant has not read, oldest first, each as {"id", "text"}."""
        text_by_id = self._load_messages().get(participation_id, {})
        return [{"id": message_id, "text": message_text} for message_id, message_text in text_by_id.items()]

    async def send_message(self, participation: Participation, message_text: str) -> None:
        """Store a message for a participant. Raises `Refusal` where it is empty or too long."""
        message_text = message_text.strip()
        if not 0 < len(message_text) <= MAX_MESSAGE_LENGTH:
            raise Refusal(422, f"A message has 1 to {MAX_MESSAGE_LENGTH} characters; this one has {len(message_text)}.")
        texts_by_person = self._load_messages()
        message_id = await self._context.write(
            self._records.record_action, participation.study, participation.id, "message", {"text": message_text}
        )
        texts_by_person.setdefault(participation.id, {})[message_id] = message_text

    async def mark_read(self, participation: Participation, message_id: int) -> None:
        """Store that a participant has read a message."""
        if message_id in self._load_messages().get(participation.id, {}):
            data = {"message": message_id}
            self._remove_message(participation.id, message_id)
            await self._context.write(
                self._records.record_action, participation.study, participation.id, "message_read", data
            )

    def retract_message(self, participation_id: str, message_id: int) -> None:
        """Show a message no longer. Raises `Refusal` where it has been read."""
        if message_id not in self._load_messages().get(participation_id, {}):
            raise Refusal(409, "The participant has read this message already.")
        self._remove_message(participation_id, message_id)

    def _remove_message(self, participation_id: str, message_id: int) -> None:
        del self._load_messages()[participation_id][message_id]

    def _load_messages(self) -> dict[str, dict[int, str]]:
        if self._unread_messages_by_person is None:
            self._unread_messages_by_person = {}
            for event in StudyListing(self._context.reader).list_messages():
                text_by_id = self._unread_messages_by_person.setdefault(str(event.participation), {})
                if event.action == "message":
                    text_by_id[event.id] = event.data["text"]
                else:
                    text_by_id.pop(int(event.data.get("message") or event.data["event"]), None)
        return self._unread_messages_by_person
