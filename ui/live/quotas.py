"""How much one browser, one address and everybody together may have open.

A check and what it reserves are one step without a pause in between, so that requests at the same time cannot pass a
limit together. Cookies are free, so addresses are counted too: in memory only, never stored or logged, and with room
for a hundred participants behind one address. The owner and the participants of studies have shares of their own,
which no visitor can use up.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from engine.storage.ids import now_ms
from engine.storage.seat_links import SeatLinks
from ui.live.refusal import Refusal

HOUR_SECONDS = 3600.0
QUOTA_RETRY_AFTER_SECONDS = 60
"""Seconds after which somebody may ask again when too much is open."""


class QuotaGroup(StrEnum):
    """Whose part of the server's tables somebody uses."""

    VISITORS = "visitors"
    OWNER = "owner"
    PARTICIPANTS = "participants"


@dataclass(frozen=True, slots=True)
class Limits:
    """How many tables may be open: of one browser, from one address (None: not counted), and of each share.

    `address_burst` tables may be opened from an address at once, `max_address_tables_an_hour` in the long run.
    `max_self_play_tables` counts the tables of programs only, in each share. `max_players` counts the seats of people
    in open games, of all shares.
    """

    max_open_tables: int = 200
    max_tables_an_hour: int = 1000
    max_address_tables: int | None = None
    address_burst: int = 300
    max_address_tables_an_hour: int = 1500
    max_self_play_tables: int = 30
    max_visitor_tables: int = 5000
    max_owner_tables: int = 200
    max_participant_tables: int = 1000
    max_players: int | None = None


PUBLIC_LIMITS = Limits(max_open_tables=30, max_tables_an_hour=120, max_address_tables=500)
"""Limits of a server that others can reach."""


class OpenTable(Protocol):
    """What limits need to know of a table in memory."""

    has_people: bool
    is_foreign: bool

    @property
    def seat_links(self) -> Mapping[str, object]:
        """The seats of people."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether there is an outcome."""
        ...


@dataclass(frozen=True, slots=True)
class Applicant:
    """Who wants to open a table: browser, the address as limits count it (None if unknown), and the share."""

    browser: str
    address: str | None
    quota_group: QuotaGroup


class Quotas:
    """Counts what is open and what is about to be; `live_tables` are the tables in memory, by episode.

    `is_participant` says which browsers are participants of a study.
    """

    def __init__(
        self,
        limits: Limits,
        links: SeatLinks,
        live_tables: Mapping[str, OpenTable],
        read_clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limits, self._links, self._table_by_episode, self._clock = limits, links, live_tables, read_clock
        self.is_participant: Callable[[str], bool] = lambda browser: False
        self._applicants: dict[str, Applicant] = {}
        """Who opened the tables in memory, by episode; tables of before a restart count as the visitors'."""
        self._reservations: list[tuple[Applicant, int]] = []
        """Tables that are being opened, with their seats for people."""
        self._quota_used_until: dict[str, float] = {}
        """Until when each address has used up what it may open in the long run (by the clock)."""

    def identify_applicant(self, browser: str, address: str | None) -> Applicant:
        """Return as whom a browser opens tables."""
        if self._links.is_admin(browser):
            return Applicant(browser, address, QuotaGroup.OWNER)
        quota_group = QuotaGroup.PARTICIPANTS if self.is_participant(browser) else QuotaGroup.VISITORS
        return Applicant(browser, address, quota_group)

    @contextlib.contextmanager
    def reserve_table(self, applicant: Applicant, people_count: int) -> Iterator[Callable[[str], None]]:
        """Reserve a table with so many seats for people while it is opened; call the result with its episode.

        Raises `Refusal` (429, or 503 where the server is full). What is not opened after all counts for nothing.
        """
        self._remove_closed_tables()
        self._check_limits(applicant, people_count)
        reservation = (applicant, people_count)
        self._reservations.append(reservation)
        self._count_against_quota(applicant, 1)
        is_opened = False

        def record_opened_table(episode: str) -> None:
            nonlocal is_opened
            is_opened = True
            self._applicants[episode] = applicant

        try:
            yield record_opened_table
        finally:
            self._reservations.remove(reservation)
            if not is_opened:
                self._count_against_quota(applicant, -1)

    def check_player(self) -> None:
        """Raise `Refusal` where the server has no seat for one more person."""
        self._check_players(1)

    def count_people_seats(self) -> int:
        """Return the seats of people in open games, also in those that are being opened."""
        open_seat_count = sum(len(table.seat_links) for table in self._table_by_episode.values() if not table.is_over)
        return open_seat_count + sum(people_count for _, people_count in self._reservations)

    # ------------------------------------------------------------------ checks
    def _check_limits(self, applicant: Applicant, people_count: int) -> None:
        self._check_players(people_count)
        if applicant.quota_group is QuotaGroup.VISITORS:
            self._check_browser(applicant.browser, bool(people_count))
            self._check_address(applicant.address)
        capacities = {
            QuotaGroup.VISITORS: self.limits.max_visitor_tables,
            QuotaGroup.OWNER: self.limits.max_owner_tables,
            QuotaGroup.PARTICIPANTS: self.limits.max_participant_tables,
        }
        is_full = self._count_tables()[applicant.quota_group] >= capacities[applicant.quota_group]
        if is_full or (
            not people_count and self._count_self_play(applicant.quota_group) >= self.limits.max_self_play_tables
        ):
            raise Refusal(
                429, "too many tables are open on this server at the moment", retry_after=QUOTA_RETRY_AFTER_SECONDS
            )

    def _check_browser(self, browser: str, has_people: bool) -> None:
        limits = self.limits
        pending_people_counts = [
            people_count for applicant, people_count in self._reservations if applicant.browser == browser
        ]
        opened_count = self._links.count_opened_tables(browser, now_ms() - int(HOUR_SECONDS * 1000))
        if opened_count + len(pending_people_counts) >= limits.max_tables_an_hour:
            refusal_text = f"one browser may open {limits.max_tables_an_hour} tables an hour; wait a bit"
            raise Refusal(429, refusal_text, retry_after=QUOTA_RETRY_AFTER_SECONDS)
        if (
            has_people
            and self._links.count_unfinished_tables(browser) + sum(map(bool, pending_people_counts))
            >= limits.max_open_tables
        ):
            refusal_text = f"this browser has {limits.max_open_tables} open games; finish or leave one first"
            raise Refusal(429, refusal_text, retry_after=QUOTA_RETRY_AFTER_SECONDS)

    def _check_address(self, address: str | None) -> None:
        limits = self.limits
        if address is None or limits.max_address_tables is None:
            return
        opened_count = sum(applicant.address == address for applicant in self._applicants.values())
        pending_count = sum(applicant.address == address for applicant, _ in self._reservations)
        if opened_count + pending_count >= limits.max_address_tables:
            refusal_text = f"{limits.max_address_tables} games are open from your network; finish or leave one first"
            raise Refusal(429, refusal_text, retry_after=QUOTA_RETRY_AFTER_SECONDS)
        table_interval = HOUR_SECONDS / limits.max_address_tables_an_hour
        wait_seconds = (
            self._quota_used_until.get(address, 0.0) - self._clock() - (limits.address_burst - 1) * table_interval
        )
        if wait_seconds > 0:
            refusal_text = "many games were opened from your network in the last hour; wait a bit"
            raise Refusal(429, refusal_text, retry_after=math.ceil(wait_seconds))

    def _check_players(self, people_count: int) -> None:
        max_players = self.limits.max_players
        if max_players is not None and people_count and self.count_people_seats() + people_count > max_players:
            reason = f"It has seats for {max_players} people, and they are taken. A seat is free when a game ends."
            raise Refusal(503, "this server is full at the moment", reason, retry_after=QUOTA_RETRY_AFTER_SECONDS)

    # ------------------------------------------------------------------ counts
    def _count_against_quota(self, applicant: Applicant, table_count: int) -> None:
        """Count tables of an address; of those that were not opened, a negative number."""
        if applicant.address is not None and self.limits.max_address_tables is not None:
            quota_start_time = max(self._quota_used_until.get(applicant.address, 0.0), self._clock())
            self._quota_used_until[applicant.address] = (
                quota_start_time + table_count * HOUR_SECONDS / self.limits.max_address_tables_an_hour
            )

    def _count_tables(self) -> Counter[QuotaGroup]:
        """Return the tables in memory and those that are being opened, by share."""
        table_counts = Counter(applicant.quota_group for applicant in self._applicants.values())
        unknown_count = len(self._table_by_episode) - sum(
            episode in self._table_by_episode for episode in self._applicants
        )
        return (
            table_counts
            + Counter({QuotaGroup.VISITORS: unknown_count})
            + Counter(applicant.quota_group for applicant, _ in self._reservations)
        )

    def _count_self_play(self, quota_group: QuotaGroup) -> int:
        playing_count = 0
        for episode, table in self._table_by_episode.items():
            if not (table.has_people or table.is_over or table.is_foreign):
                applicant = self._applicants.get(episode)
                playing_count += (applicant.quota_group if applicant else QuotaGroup.VISITORS) is quota_group
        return playing_count + sum(
            applicant.quota_group is quota_group and not people for applicant, people in self._reservations
        )

    def _remove_closed_tables(self) -> None:
        """Forget the tables that are over or no longer in memory, and the addresses that may open anything again."""
        for episode in [episode for episode in self._applicants if self._is_closed(episode)]:
            del self._applicants[episode]
        clock_time = self._clock()
        for address in [
            address for address, quota_end_time in self._quota_used_until.items() if quota_end_time <= clock_time
        ]:
            del self._quota_used_until[address]

    def _is_closed(self, episode: str) -> bool:
        table = self._table_by_episode.get(episode)
        return table is None or table.is_over
