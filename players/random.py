"""The random player: its replies are well-formed but uninformed. A lower bound for every game and seat."""

from __future__ import annotations

from random import Random

from engine.core.player import Address, Player, Provider, ProviderContext, Reply
from engine.core.views import SeatView

_GENERATOR = Random()
"""Seeded again for each reply, because a new generator takes longer; nothing else draws from it."""


class RandomPlayer(Player):
    """Replies to every ask with a random well-formed text."""

    instant = True

    async def reply(self, view: SeatView) -> Reply:
        """Return a sample of the ask's reply format, drawn as with the view's own generator."""
        _GENERATOR.seed(view.seed)
        return Reply(view.ask.format.sample(_GENERATOR))


class RandomProvider(Provider):
    """Makes random players."""

    summary = "well-formed random replies: the floor"
    makes_programs = True

    def make_player(self, address: Address, seat: str, context: ProviderContext) -> Player:
        """Return a random player for a seat."""
        return RandomPlayer()


PROVIDER = RandomProvider()
