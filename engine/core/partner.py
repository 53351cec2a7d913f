"""Who the others at a table were: the truth that a study with hidden partners keeps to itself until its end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from engine.core.events import Event, Kind
from engine.core.player import Address

PartnerNature = Literal["person", "program", "both"]


def partner_nature(events: Iterable[Event], seat: str) -> PartnerNature | None:
    """Return what played the seats other than `seat`, with all who took one over; None where there is no other."""
    players: list[str] = []
    for event in events:
        if event.kind is Kind.START:
            players += [player for other, player in event.data["seats"].items() if other != seat]
        elif event.kind is Kind.SEAT and event.seat != seat:
            players.append(event.data["player"])
    natures: set[PartnerNature] = {
        "person" if Address.parse(player).provider == "person" else "program" for player in players
    }
    return "both" if len(natures) > 1 else next(iter(natures), None)
