"""The answers to moves of people: the same for the same move, however often it arrives, also after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from engine.core.events import Event, Json, Kind
from engine.core.replies import MAX_REPLY_CHARACTERS
from ui.live.context import ServerContext
from ui.live.refusal import Refusal

MAX_FIELDS = 100


@dataclass(frozen=True, slots=True)
class MoveAnswer:
    """The answer to a move, as HTTP."""

    status: int
    body: Json


ACCEPTED_MOVE = MoveAnswer(200, {"ok": True})


class Moves:
    """The moves of one table by seat and move id. A page that got no answer sends its move again."""

    def __init__(self, context: ServerContext) -> None:
        self._context = context
        self._answers: dict[tuple[str, str], asyncio.Future[MoveAnswer]] = {}

    def apply_event(self, event: Event) -> None:
        """Take in a stored event: the move of a stored reply was accepted."""
        if event.kind is Kind.REPLY and event.seat and "move" in event.data["meta"]:
            seat_and_move = event.seat, event.data["meta"]["move"]
            if seat_and_move not in self._answers:
                self._answers[seat_and_move] = asyncio.get_running_loop().create_future()
                self._answers[seat_and_move].set_result(ACCEPTED_MOVE)

    async def repeat_answer(self, move_id: str) -> MoveAnswer | None:
        """Return the answer to a move that came before, at any seat; None if none came. Raises `Refusal` (503)."""
        answers = (answer for (_, known_move_id), answer in self._answers.items() if known_move_id == move_id)
        answer = next(answers, None)
        return await asyncio.shield(answer) if answer else None

    async def answer(self, seat: str, move_id: str, submit_move: Callable[[], Coroutine[Any, Any, None]]) -> MoveAnswer:
        """Return the answer to a move, calling `submit_move` unless that was done for this move before.

        Raises `Refusal` (503) when it is not known now whether the move counts: the page tries again. A browser that
        disconnects does not interrupt the storing of its move.
        """
        seat_and_move = seat, move_id
        if seat_and_move not in self._answers:
            self._answers[seat_and_move] = self._context.start_task(self._submit_move_once(seat_and_move, submit_move))
        return await asyncio.shield(self._answers[seat_and_move])

    async def _submit_move_once(
        self, seat_and_move: tuple[str, str], submit_move: Callable[[], Coroutine[Any, Any, None]]
    ) -> MoveAnswer:
        try:
            await submit_move()
        except Refusal as refusal:
            if refusal.status < 500:
                return MoveAnswer(refusal.status, refusal.as_json())
            del self._answers[seat_and_move]
            raise
        except BaseException:
            del self._answers[seat_and_move]
            raise
        return ACCEPTED_MOVE


def check_values(form_values: object) -> dict[str, str]:
    """Return the values of a form, texts by name; raise `Refusal` for anything else or more than may be sent.

    Checked by hand: pydantic accepts no lone surrogates, and a person's text is taken word for word.
    """
    if not isinstance(form_values, dict) or len(form_values) > MAX_FIELDS:
        raise Refusal(422, "values must be an object of texts")
    for field_name, field_value in form_values.items():
        if not isinstance(field_value, str):
            raise Refusal(422, f"the value of {str(field_name)[:50]!r} is no text")
    if sum(map(len, form_values.values())) > MAX_REPLY_CHARACTERS:
        raise Refusal(413, f"longer than {MAX_REPLY_CHARACTERS:,} characters")
    return dict(form_values)
