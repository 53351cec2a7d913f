"""The recorded player: sends again, word for word, what its seat sent in a stored episode.

`recorded/EPISODE` replays the same seat of that episode. With the same instance, seed and partner the episode comes
out equal, whoever sat there: that is how "people and models are scored identically" is tested.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.core.events import Event, Kind
from engine.core.player import Address, FaultCode, Player, PlayerFault, Provider, ProviderContext, Reply, UnknownPlayer
from engine.core.views import SeatView


class Recorded(Player):
    """Sends the recorded replies to this seat's asks in their order."""

    instant = True

    def __init__(self, replies: Mapping[int, tuple[str, ...]], episode: str) -> None:
        self._replies, self._episode = replies, episode
        self._sent: dict[int, int] = {}

    @classmethod
    def of(cls, events: Iterable[Event], seat: str, episode: str) -> Recorded:
        """Return the player of a seat of a stored episode; late (discarded) replies are left out."""
        own: dict[int, list[str]] = {}
        for event in events:
            if event.kind is Kind.REPLY and event.seat == seat and not event.data.get("discarded"):
                own.setdefault(event.data["ask"], []).append(event.data["text"])
        ordered = sorted(own)
        return cls({place + 1: tuple(own[ask]) for place, ask in enumerate(ordered)}, episode)

    async def reply(self, view: SeatView) -> Reply:
        """Return the next recorded reply to this ask. Raises `PlayerFault` when the recording has none."""
        own = view.ask.own_number
        sent = self._sent.get(own, 0)
        replies = self._replies.get(own, ())
        if sent >= len(replies):
            cause = f"episode {self._episode} has no reply {sent + 1} to ask {own} of seat {view.seat}"
            raise PlayerFault(cause, FaultCode.NO_RECORDED_REPLY)
        self._sent[own] = sent + 1
        return Reply(replies[sent])


class RecordedProvider(Provider):
    """Makes players that replay a seat of a stored episode."""

    summary = "the replies of a stored episode: recorded/EPISODE"

    def make(self, address: Address, seat: str, context: ProviderContext) -> Player:
        """Return the recorded player of `recorded/EPISODE` for a seat. Raises `UnknownPlayer` without an episode."""
        if not address.name:
            raise UnknownPlayer("which episode? write recorded/EPISODE; `ludens replay` shows one")
        return Recorded.of(context.load_episode(address.name), seat, address.name)


PROVIDER = RecordedProvider()
