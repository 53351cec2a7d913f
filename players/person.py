"""A person: a player whose replies are handed in from a form.

`reply` waits until `hand_in` is called for the same ask. Nothing here is lost with the process: an ask that is open in
the log is asked again after a restart, and the page's draft is kept by the server.
"""

from __future__ import annotations

import asyncio

from engine.core.player import Address, Player, ProviderContext, Reply
from engine.core.views import SeatView

SUMMARY = "a person at a browser"


class Person:
    """Somebody at a browser."""

    def __init__(self) -> None:
        self._waiting: dict[int, asyncio.Future[Reply]] = {}

    async def reply(self, view: SeatView) -> Reply:
        """Wait for the person to answer the view's ask."""
        waiting = self._waiting.get(view.ask.id)
        if waiting is None or waiting.cancelled():
            waiting = self._waiting[view.ask.id] = asyncio.get_running_loop().create_future()
        try:
            return await waiting
        finally:
            self._waiting.pop(view.ask.id, None)

    def hand_in(self, ask: int, reply: Reply) -> None:
        """Answer an ask. Raises LookupError when it is not waited for or answered already."""
        waiting = self._waiting.get(ask)
        if waiting is None or waiting.done():
            raise LookupError(f"ask {ask} is not waited for")
        waiting.set_result(reply)


def make(address: Address, seat: str, house: ProviderContext) -> Player:
    """Return a person for a seat."""
    return Person()
