"""A person at a browser. The server submits their replies (`Episode.submit`) and stores their drafts."""

from engine.core.player import Address, ExternalPlayer, Player, Provider, ProviderContext


class PersonProvider(Provider):
    """Makes players whose replies arrive from a browser."""

    summary = "a person at a browser"

    def make_player(self, address: Address, seat: str, context: ProviderContext) -> Player:
        """Return a person for a seat."""
        return ExternalPlayer()


PROVIDER = PersonProvider()
