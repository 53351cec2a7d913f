"""A rematch: after a game, one person asks the others at the table for another one, and takes along those who agree.

Nothing of it is stored. When all people of the table have agreed, a new table is opened in the name of the one who
asked, and the page of each seat learns the link of its own new seat, and no other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from engine.core.events import Json
from ui.live.dealing import TableRequest
from ui.live.offers import INVITE_PROVIDER, PERSON_PROVIDER
from ui.live.refusal import Refusal
from ui.live.seating import Seating
from ui.live.table import LiveTable

RematchAnswer = Literal["ask", "ask_swapped", "yes", "no", "cancel"]


@dataclass
class Rematch:
    """A rematch that a seat has asked for, or with `links` the new table."""

    asking_seat: str
    browser: str
    address: str | None
    """That of the browser that asked, as limits count it."""
    is_swapped: bool
    agreed_seats: set[str]
    declining_seat: str | None = None
    links: Mapping[str, str] = field(default_factory=dict)
    """The secret link to the new seat of each old seat."""

    def as_json(self, seat: str, *, has_two_seats: bool) -> Json:
        """Return what the page of a seat shows of it."""
        rematch_json: Json = {
            "asked_by": self.asking_seat,
            "is_mine": self.asking_seat == seat,
            "swapped": self.is_swapped,
            "has_agreed": seat in self.agreed_seats,
            "declined_by": self.declining_seat,
            "pair": has_two_seats,
        }
        return rematch_json | ({"go": self.links[seat]} if seat in self.links else {})


def find_swapped_seat(table: LiveTable, seat: str) -> str:
    """Return the seat that a player gets when the seats are swapped: the one before, the last for the first."""
    seats = list(table.row.seats)
    return seats[seats.index(seat) - 1]


async def answer_rematch(
    seating: Seating, table: LiveTable, seat: str, browser: str, answer: RematchAnswer, address: str | None
) -> None:
    """Ask for a rematch, or agree, decline or withdraw. Raises `Refusal`."""
    people_seats = {seat_name for seat_name in table.row.seats if table.player(seat_name) == PERSON_PROVIDER}
    if not table.is_over or table.study or seat not in people_seats:
        raise Refusal(409, "a rematch is asked for when a game outside studies is over")
    rematch = table.rematch
    if rematch and rematch.links:
        raise Refusal(409, "the rematch has begun already")
    if answer == "cancel":
        table.rematch = None
    elif answer == "no":
        if rematch:
            rematch.declining_seat = seat
    elif rematch is None or rematch.declining_seat:
        if answer == "yes":
            raise Refusal(409, "nobody asks for a rematch any more")
        table.rematch = Rematch(seat, browser, address, answer == "ask_swapped", {seat})
    else:
        rematch.agreed_seats.add(seat)
        if rematch.agreed_seats >= people_seats:
            await _open_rematch(seating, table, rematch)
    table.pages.update_pages()


async def _open_rematch(seating: Seating, table: LiveTable, rematch: Rematch) -> None:
    """Open the new table in the name of the browser that asked."""
    start_data = table.start
    new_seats = {seat: find_swapped_seat(table, seat) if rematch.is_swapped else seat for seat in table.row.seats}
    player_by_seat = {new_seats[seat]: table.player(seat) for seat in table.row.seats}
    address_by_seat = {
        seat: INVITE_PROVIDER if player == PERSON_PROVIDER else player for seat, player in player_by_seat.items()
    }
    address_by_seat[new_seats[rematch.asking_seat]] = PERSON_PROVIDER
    seat_players = {seat: address_by_seat[seat] for seat in table.row.seats}
    request = TableRequest(start_data["game"], seat_players, start_data["variant"], settings=start_data["settings"])
    table_json = await seating.open_table(request, rematch.browser, rematch.address)
    link_by_seat = {seat: table_json["invitations"].get(new_seats[seat]) for seat in rematch.agreed_seats}
    link_by_seat[rematch.asking_seat] = table_json["go"]
    rematch.links = {seat: link_path for seat, link_path in link_by_seat.items() if link_path}
