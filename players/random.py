"""The random player: well-formed, uninformed. The floor of every table, for every game and seat."""

from __future__ import annotations

from engine.core.player import Address, Player, Provider, ProviderContext, Reply
from engine.core.views import SeatView


class Random(Player):
    """Sends a random well-formed reply to whatever it is asked."""

    instant = True

    async def reply(self, view: SeatView) -> Reply:
        """Return a sample of the format asked for, drawn with the view's own generator."""
        return Reply(view.ask.format.sample(view.random))


class RandomProvider(Provider):
    """Makes random players."""

    summary = "well-formed random replies: the floor"

    def make(self, address: Address, seat: str, context: ProviderContext) -> Player:
        """Return a random player for a seat."""
        return Random()


PROVIDER = RandomProvider()
