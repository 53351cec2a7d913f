"""Who the others at a table were: the truth that a study with hidden partners keeps to itself until its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from engine.core.events import Event
from engine.core.log import Log
from engine.core.player import Address

PartnerNature = Literal["person", "program", "both"]


def partner_nature(events: Sequence[Event], seat: str) -> PartnerNature | None:
    """Return what played the seats other than `seat`, with all who took one over; None where there is no other."""
    log = Log(events)
    players = [player for other_seat, player in log.start.seats.items() if other_seat != seat]
    players += [hand_over_event.player for hand_over_event in log.list_hand_overs() if hand_over_event.seat != seat]
    player_natures: set[PartnerNature] = {
        "person" if Address.parse(player).provider == "person" else "program" for player in players
    }
    return "both" if len(player_natures) > 1 else next(iter(player_natures), None)
