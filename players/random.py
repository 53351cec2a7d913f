"""The random player: its replies are well-formed but uninformed. A lower bound for every game and seat."""

from __future__ import annotations

from engine.core.player import Address, Player, Provider, ProviderContext, Reply
from engine.core.views import SeatView


class RandomPlayer(Player):
    """Replies to every ask with a random well-formed text."""

    instant = True

    async def reply(self, view: SeatView) -> Reply:
        """Return a sample of the ask's reply format, drawn with the view's own generator."""
        return Reply(view.ask.format.sample(view.random))


class RandomProvider(Provider):
    """Makes random players."""

    summary = "well-formed random replies: the floor"
    makes_programs = True

    def make(self, address: Address, seat: str, context: ProviderContext) -> Player:
        """Return a random player for a seat."""
        return RandomPlayer()


PROVIDER = RandomProvider()
