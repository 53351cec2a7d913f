"""A person at a browser. The server submits their replies (`Episode.submit`); drafts are stored by the server."""

from engine.core.player import Address, ExternalPlayer, Player, ProviderContext

SUMMARY = "a person at a browser"


class Person(ExternalPlayer):
    """Somebody at a browser."""


def make(address: Address, seat: str, house: ProviderContext) -> Player:
    """Return a person for a seat."""
    return Person()
