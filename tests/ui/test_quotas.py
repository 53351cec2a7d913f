"""Limits on open tables: for requests at the same time, for many cookies of one address, and whose share it is."""

import contextlib
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import httpx
import pytest

from tests.ui.guests import Guest
from ui.live.quotas import PUBLIC_LIMITS, Applicant, Limits, QuotaGroup, Quotas
from ui.live.refusal import Refusal

PROXIED = ("--host", "0.0.0.0", "--trusted-proxy", "127.0.0.1")
PERSON = {"game": "matchit", "seats": {"A": "person", "B": "scripted"}}


# ---------------------------------------------------------------------- the counting alone
@dataclass
class Table:
    """A table in memory."""

    has_people: bool = True
    is_foreign: bool = False
    is_over: bool = False
    seat_links: dict = field(default_factory=lambda: {"A": None})


class Links:
    """Browsers that are the owner's; nobody's tables are stored."""

    def is_admin(self, browser):
        return browser == "owner"

    def count_opened_tables(self, browser, since):
        return 0

    def count_unfinished_tables(self, browser):
        return 0


class Desk:
    """Opens tables with `Quotas`, one after the other or at once."""

    def __init__(self, limits: Limits):
        self.live, self.now = {}, 1000.0
        self.quotas = Quotas(limits, Links(), self.live, lambda: self.now)

    def open(self, browser="b", address="a", people=1) -> str | None:
        """Open a table; return the refusal."""
        try:
            with self.quotas.reserve_table(
                self.quotas.identify_applicant(browser, address), people
            ) as record_opened_table:
                episode = str(len(self.live))
                record_opened_table(episode)
                self.live[episode] = Table(bool(people), seat_links=dict.fromkeys(range(people)))
        except Refusal as refusal:
            assert refusal.retry_after and refusal.retry_after > 0
            return refusal.error
        return None


@pytest.mark.parametrize(
    ("limits", "people"),
    [
        (Limits(max_open_tables=3), 1),
        (Limits(max_tables_an_hour=3), 0),
        (Limits(max_self_play_tables=3), 0),
        (Limits(max_visitor_tables=3), 1),
        (Limits(max_players=3), 1),
        (Limits(max_address_tables=3), 1),
        (Limits(max_address_tables=100, address_burst=3), 1),
    ],
)
def test_what_is_being_opened_counts(limits, people):
    quotas = Desk(limits).quotas
    with contextlib.ExitStack() as opening:
        for _ in range(3):
            opening.enter_context(quotas.reserve_table(Applicant("b", "a", QuotaGroup.VISITORS), people))
        with pytest.raises(Refusal):
            opening.enter_context(quotas.reserve_table(Applicant("b", "a", QuotaGroup.VISITORS), people))
    with quotas.reserve_table(Applicant("b", "a", QuotaGroup.VISITORS), people):
        pass  # nothing of that was opened


def test_a_hundred_participants_of_one_university_pass():
    desk = Desk(PUBLIC_LIMITS)
    for game in range(3):  # they arrive together, and play three games each in an hour
        for participant in range(100):
            assert desk.open(f"{game}-{participant}") is None
        for table in desk.live.values():
            table.is_over = True
        desk.now += 1200


def test_one_address_cannot_use_up_the_tables_of_all():
    desk = Desk(PUBLIC_LIMITS)
    refused = [desk.open(f"cookie {number}") for number in range(1000)]
    assert 100 < refused.count(None) <= PUBLIC_LIMITS.address_burst and "your network" in refused[-1]
    assert desk.open("somebody else", "another address") is None
    desk.now += 3600
    assert desk.open("later") is None
    assert desk.open("unknown address", None) is None


def test_the_owner_and_participants_have_their_share():
    desk = Desk(Limits(max_visitor_tables=2, max_owner_tables=1, max_participant_tables=1))
    desk.quotas.is_participant = lambda browser: browser == "participant"
    assert [desk.open(f"b{number}", f"a{number}") is None for number in range(3)] == [True, True, False]
    assert desk.open("owner") is None and desk.open("owner")
    assert desk.open("participant") is None and desk.open("participant")
    desk.live["0"].is_over = True
    del desk.live["0"]
    assert desk.open("b4") is None and desk.open("b5")


def test_tables_of_before_a_restart_count_as_those_of_visitors():
    desk = Desk(Limits(max_visitor_tables=2))
    desk.live |= {"x": Table(), "y": Table()}
    assert desk.open() and desk.open("owner") is None


# ---------------------------------------------------------------------- from outside
def open_as(url: str, address: str) -> httpx.Response:
    """Open a table with a new cookie from an address, through the trusted proxy."""
    with httpx.Client(base_url=url, headers={"origin": url, "x-forwarded-for": address}, timeout=60) as http:
        http.get("/api/tables")  # gives the cookie
        return http.post("/api/tables", json=PERSON)


@pytest.fixture(scope="module")
def house(module_server):
    return module_server(None, None, *PROXIED)


def test_parallel_requests_do_not_pass_a_limit_together(house):
    with Guest(house.url) as guest, ThreadPoolExecutor(40) as pool:
        guest.http.headers["x-forwarded-for"] = "203.0.113.1"
        guest.http.get("/")
        answers = list(pool.map(lambda _: guest.http.post("/api/tables", json=PERSON).status_code, range(120)))
        assert set(answers) == {200, 429} and answers.count(200) <= PUBLIC_LIMITS.max_open_tables
        more = 0
        while (answer := guest.http.post("/api/tables", json=PERSON)).status_code == 200:
            more += 1
        assert answers.count(200) + more == PUBLIC_LIMITS.max_open_tables
        assert int(answer.headers["retry-after"]) > 0 and "open games" in answer.json()["error"]


@pytest.mark.slow
def test_free_cookies_do_not_help_one_address(house):
    began = time.monotonic()
    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(lambda _: open_as(house.url, "203.0.113.2").status_code, range(340)))
        minutes = (time.monotonic() - began) / 60  # meanwhile some more are allowed
        most = PUBLIC_LIMITS.address_burst + PUBLIC_LIMITS.max_address_tables_an_hour / 60 * minutes + 1
        assert set(statuses) <= {200, 429} and statuses.count(200) <= most
        assert statuses.count(200) >= 100, "a hundred participants of one university"
        others = list(pool.map(lambda number: open_as(house.url, f"198.51.100.{number}").status_code, range(20)))
        assert set(others) == {200}
    assert open_as(house.url, "2001:db8::1").status_code == 200
    admin = house.output().split("/a/")[1].split()[0]
    with Guest(house.url) as owner:
        owner.http.headers["x-forwarded-for"] = "203.0.113.2"
        owner.http.get(f"/a/{admin}")
        assert owner.post("/api/tables", **PERSON).status_code == 200
    stored = house.db.read_bytes() + house.db.with_name(f"{house.db.name}-wal").read_bytes()
    assert b"203.0.113" not in stored and "203.0.113" not in house.output()


def test_a_full_server_says_so(server):
    house = server(None, None, "--max-players", "2")
    with Guest(house.url) as guest:
        pid = guest.sit()
        second = guest.open({"A": "person", "B": "scripted"})
        full = guest.post("/api/tables", **PERSON)
        assert full.status_code == 503 and int(full.headers["retry-after"]) > 0 and "2 people" in full.json()["why"]
        refused = guest.post("/api/seat", episode=second["episode"], which="B", player="person")
        assert refused.status_code == 503
        assert guest.open({"A": "scripted", "B": "random"}), "a game between programs takes nobody's seat"
        assert guest.post("/api/leave", seat=pid).status_code == 200
        assert guest.sit()
