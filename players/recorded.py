"""The recorded player: sends again, word for word, what its seat sent in a stored episode.

`recorded/EPISODE` replays the same seat of that episode. With the same instance, seed and partner the two episodes are
equal, no matter who played the first: this is how "people and models are scored identically" is tested.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.events import Event
from engine.core.log import Log
from engine.core.player import Address, FaultCode, Player, PlayerFault, Provider, ProviderContext, Reply, UnknownPlayer
from engine.core.views import SeatView


class RecordedPlayer(Player):
    """Sends the recorded replies to this seat's asks in their order."""

    instant = True

    def __init__(self, replies: Mapping[int, Sequence[str]], episode: str) -> None:
        """Take the replies by the number of the ask among those of the seat, from 1."""
        self._replies, self._episode = replies, episode
        self._sent_counts: dict[int, int] = {}

    @classmethod
    def from_events(cls, events: Sequence[Event], seat: str, episode: str) -> RecordedPlayer:
        """Return the player of a seat of a stored episode; late (discarded) replies are left out."""
        texts_by_ask: dict[int, list[str]] = {}
        for logged_reply in Log(events).replies(seat):
            texts_by_ask.setdefault(logged_reply.ask, []).append(logged_reply.text)
        return cls(
            {
                ask_index: texts_by_ask[request_number]
                for ask_index, request_number in enumerate(sorted(texts_by_ask), 1)
            },
            episode,
        )

    async def reply(self, view: SeatView) -> Reply:
        """Return the next recorded reply to this ask. Raises `PlayerFault` if the recording has none."""
        request_number = view.ask.own_request_number
        sent_count = self._sent_counts.get(request_number, 0)
        reply_texts = self._replies.get(request_number, ())
        if sent_count >= len(reply_texts):
            cause = f"episode {self._episode} has no reply {sent_count + 1} to ask {request_number} of seat {view.seat}"
            raise PlayerFault(cause, FaultCode.NO_RECORDED_REPLY)
        self._sent_counts[request_number] = sent_count + 1
        return Reply(reply_texts[sent_count])


class RecordedProvider(Provider):
    """Makes players that replay a seat of a stored episode."""

    summary = "the replies of a stored episode: recorded/EPISODE"
    makes_programs = True

    def make_player(self, address: Address, seat: str, context: ProviderContext) -> Player:
        """Return the recorded player of `recorded/EPISODE` for a seat. Raises `UnknownPlayer` without an episode."""
        if not address.name:
            raise UnknownPlayer("which episode? write recorded/EPISODE; `ludens replay` shows one")
        return RecordedPlayer.from_events(context.load_episode(address.name), seat, address.name)


PROVIDER = RecordedProvider()
