"""Test that rights to a seat belong to the browser that plays it, not to whoever has the link.

A link seats one browser once. Another browser asks, and is let in by a browser of the seat or by the owner. Playing
both seats has to be confirmed and is recorded. A browser that plays blind can look at no other game of the same kind.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from websockets.exceptions import InvalidStatus

from engine.core.events import Event, Kind
from engine.results.exclusion import exclusion_reason
from engine.storage.seat_links import SeatLinks
from engine.storage.store import Store
from tests.cli.terminal import ludens
from tests.ui.guests import Guest, LivePage, play_on

TEXT = {"game": "matchit", "variant": "text"}
PRIVATE_WORDS = "the words of the person who played"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PAIR = {"A": "person", "B": "invite"}


@pytest.fixture(scope="module")
def house(module_server: Callable) -> Any:
    """A server shared by the tests of this file."""
    return module_server()


@pytest.fixture
def person(house: Any) -> Iterator[Callable[[], Guest]]:
    """Return a function that gives each person their own browser."""
    guests: list[Guest] = []

    def open_browser() -> Guest:
        guests.append(Guest(house.url))
        guests[-1].http.get("/")
        return guests[-1]

    yield open_browser
    for guest in guests:
        guest.http.close()


@pytest.fixture
def owner(house: Any, person: Callable[[], Guest]) -> Guest:
    """Return the browser that opened the admin link."""
    guest = person()
    [printed] = re.findall(r"http://\S+/a/\S+", house.output())
    guest.http.get(printed)
    return guest


def log_of(house: Any, episode: str) -> list[Event]:
    """Return what the log holds of an episode now."""
    with Store(house.db) as store:
        return store.events(episode)


def marks_of(house: Any, episode: str) -> list[tuple[Kind, str | None]]:
    """Return the marks that an episode's events carry."""
    return [(e.kind, e.seat) for e in log_of(house, episode) if e.kind in (Kind.BOTH_SEATS, Kind.SEEN_BEFORE)]


def state_of(page: LivePage, *states: str) -> str:
    """Wait until a waiting page is told one of these states; return it."""
    state: str = page.until(lambda now: now["state"] in states)["state"]
    return state


def answer(guest: Guest, pid: str, request: str, *, admit: bool) -> int:
    """Answer a request for a seat; return the status."""
    return guest.post("/api/admit", seat=pid, request=request, admit=admit).status_code


def join_status(guest: Guest, pid: str) -> int:
    """Return the status with which a browser is kept from waiting for a seat."""
    with pytest.raises(InvalidStatus) as error:
        guest.socket(f"/ws/join?seat={pid}").close()
    return error.value.response.status_code


def own_routes(pid: str) -> tuple[str, ...]:
    """Return everything that shows what a seat saw."""
    return tuple(f"/api/{name}?seat={pid}" for name in ("access", "debrief", "download", "publish", "invitations"))


# ---------------------------------------------------------------------- one browser, once
def test_another_browser_gets_nothing_of_a_seat_before_it_is_let_in(person, house):
    one, friend, third = person(), person(), person()
    table = one.open(PAIR, variant="text")
    a, b = one.take(table["go"]), friend.take(table["invitations"]["B"])
    with one.seat(a) as mine, friend.seat(b) as theirs:
        mine.reply(PRIVATE_WORDS)
        theirs.wait_for_ask()
        grid = theirs.state["pinned"][0]["grid"]
        assert third.follow(table["invitations"]["B"]) == (b, "waiting")
        with third.join(b) as waiting:
            theirs.until(lambda state: state["requests"])
            assert "requests" not in mine.messages[-1], "the other seat is not told"
            for path in own_routes(b):
                assert third.http.get(path).status_code == 403, path
            assert third.move(b, theirs.state["ask"]["id"], {"text": "me"}).status_code == 403
            assert third.post("/api/leave", seat=b).status_code == 403
            assert third.post("/api/publish", seat=b, published=True).status_code == 403
            with pytest.raises(InvalidStatus):
                third.socket(f"/ws/seat?seat={b}").close()
            assert waiting.messages == [{"state": "waiting"}]
            assert table["episode"] not in third.http.get("/api/lobby").text
            assert third.http.get("/api/me").json()["games"] == 0
            assert "grid" not in json.dumps(waiting.messages) and grid not in json.dumps(waiting.messages)
            one.post("/api/leave", seat=a)
            assert state_of(waiting, "over") == "over"
    assert friend.follow(table["invitations"]["B"]) == (b, "seated"), "its own browser is led back"


def test_a_person_goes_from_the_laptop_to_the_phone_and_keeps_both(person):
    laptop, phone, partner = person(), person(), person()
    table = laptop.open(PAIR, variant="text")
    a = laptop.take(table["go"])
    partner.take(table["invitations"]["B"])
    assert phone.follow(table["go"]) == (a, "waiting")
    with laptop.seat(a) as at_desk, phone.join(a) as waiting:
        [request] = at_desk.until(lambda state: state["requests"])["requests"]
        assert answer(partner, a, request, admit=True) == 403, "the partner has no say"
        assert answer(phone, a, request, admit=True) == 403, "nor has the browser that asks"
        assert answer(laptop, a, "none", admit=True) == 409
        assert answer(laptop, a, request, admit=True) == 200
        assert state_of(waiting, "seated") == "seated"
        assert at_desk.until(lambda state: not state["requests"])
        with phone.seat(a) as in_hand:
            in_hand.reply("said on the phone")
            at_desk.until(lambda state: any(line["text"] == "said on the phone" for line in state["lines"]))
    assert phone.follow(table["go"]) == laptop.follow(table["go"]) == (a, "seated")
    laptop.post("/api/leave", seat=a)
    assert phone.post("/api/publish", seat=a, published=True).json()["missing"] == 1
    assert laptop.post("/api/publish", seat=a, published=False).json()["missing"] == 2


def test_a_no_is_heard_and_asking_has_an_end(person):
    one, stranger = person(), person()
    table = one.open({"A": "person", "B": "scripted"}, variant="text")
    a = one.take(table["go"])
    with one.seat(a) as mine:
        for _ in range(3):
            stranger.follow(table["go"])
            with stranger.join(a) as waiting:
                [request] = mine.until(lambda state: state["requests"])["requests"]
                assert answer(one, a, request, admit=False) == 200
                assert state_of(waiting, "refused") == "refused"
                mine.until(lambda state: not state["requests"])
        stranger.follow(table["go"])
        with stranger.join(a) as waiting:
            assert state_of(waiting, "refused") == "refused" and not mine.state["requests"]
        mine.reply()


def test_the_owner_lets_a_browser_in_where_the_first_one_is_gone(person, owner):
    gone, again, other = person(), person(), person()
    table = gone.open({"A": "person", "B": "scripted"}, variant="text")
    a = gone.take(table["go"])
    again.follow(table["go"])
    with again.join(a) as waiting, owner.socket("/ws/lobby") as lobby:
        asking: list[dict[str, Any]] = []
        while not asking:
            asking = [each for each in json.loads(lobby.recv(30))["asking"] if each["id"] == a]
        assert other.http.get("/api/lobby").json()["asking"] == []
        [request] = asking
        assert (request["seat"], request["game"]) == ("A", "matchit") and set(request) == {
            *("id", "request", "seat", "game", "variant", "title", "variant_title", "since")
        }
        assert answer(owner, a, request["request"], admit=True) == 200
        assert state_of(waiting, "seated") == "seated"
    with again.seat(a) as seat:
        seat.reply()


def test_a_preview_of_a_link_does_not_take_the_seat(person):
    one, preview, friend = person(), person(), person()
    table = one.open(PAIR, variant="text")
    one.take(table["go"])
    assert preview.follow(table["invitations"]["B"])[1] == "seated"  # as a messenger does: no page is ever run
    b = friend.take(table["invitations"]["B"])
    with friend.seat(b) as seat:
        assert seat.state["seat"] == "B"
    assert preview.http.get(f"/api/access?seat={b}").status_code == 403
    assert preview.follow(table["invitations"]["B"])[1] == "waiting"


def test_nobody_waits_for_a_seat_whose_link_they_have_not_opened(person):
    one, stranger = person(), person()
    a = one.sit()
    assert join_status(stranger, a) == join_status(stranger, "none") == 403
    assert stranger.post("/api/admit", seat=a, request="x", admit=True).status_code == 403


def test_a_hand_over_replaces_the_link_and_ends_waiting(person):
    one, friend, third = person(), person(), person()
    table = one.open(PAIR, variant="text")
    a, b = one.take(table["go"]), friend.take(table["invitations"]["B"])
    with friend.seat(b):
        third.follow(table["invitations"]["B"])
        with third.join(b) as waiting:
            link = one.post("/api/seat", seat=a, which="B", player="invite").json()["invitation"]
            assert state_of(waiting, "replaced") == "replaced"
    assert third.http.get(table["invitations"]["B"]).status_code == 404
    assert third.follow(link)[1] == "seated"


def test_waiting_goes_on_after_a_restart(server, person):
    house = server()
    with Guest(house.url) as one, Guest(house.url) as two:
        table = one.open({"A": "person", "B": "scripted"}, variant="text")
        a = one.take(table["go"])
        two.follow(table["go"])
        house.restart()
        with two.join(a) as waiting, one.seat(a) as mine:
            assert waiting.state["state"] == "waiting"
            [request] = mine.until(lambda state: state["requests"])["requests"]
            assert answer(one, a, request, admit=True) == 200 and state_of(waiting, "seated")
        house.restart()
        with two.seat(a) as seat:
            assert seat.state["ask"]


# ---------------------------------------------------------------------- rows 4 and 5: after the end
def test_the_opener_cannot_publish_for_the_friend_with_the_invitation(person):
    opener, friend, stranger = person(), person(), person()
    table = opener.open(PAIR, variant="text")
    a, b = opener.take(table["go"]), friend.take(table["invitations"]["B"])
    with opener.seat(a) as one, friend.seat(b) as two:
        one.reply("words of the opener")
        two.reply(PRIVATE_WORDS)
        play_on(one, two)
    assert opener.post("/api/publish", seat=a, published=True).json()["published"] is False
    assert opener.follow(table["invitations"]["B"]) == (b, "over")
    assert opener.post("/api/publish", seat=b, published=True).status_code == 403
    assert opener.post("/api/publish", episode=table["episode"], published=True).json()["published"] is False
    record = f"/api/record?episode={table['episode']}"
    assert stranger.http.get(record).status_code == 403
    assert friend.post("/api/publish", seat=b, published=True).json()["published"] is True
    assert PRIVATE_WORDS in stranger.http.get(record).text


def test_a_link_opened_after_the_end_gives_nothing(person):
    player, late = person(), person()
    table = player.open({"A": "person", "B": "scripted"}, variant="text")
    a = player.take(table["go"])
    with player.seat(a) as seat:
        seat.finish(PRIVATE_WORDS)
    before = player.http.get("/api/me").json()["games"]
    assert late.follow(table["go"]) == (a, "over")
    for path in (*own_routes(a), f"/api/record?episode={table['episode']}", f"/api/episode?id={table['episode']}"):
        assert late.http.get(path).status_code == 403, path
    assert join_status(late, a) == 403
    assert late.post("/api/publish", seat=a, published=True).status_code == 403
    assert late.http.get("/api/me").json()["games"] == 0
    assert late.post("/api/forget", games=0).json()["games"] == 0
    assert player.http.get("/api/me").json()["games"] == before
    assert PRIVATE_WORDS in player.http.get(f"/api/download?seat={a}").text


# ---------------------------------------------------------------------- row 7: both seats
def test_both_seats_need_a_confirmation_and_the_game_does_not_count(person, house):
    one = person()
    table = one.open(PAIR, variant="text")
    a = one.take(table["go"])
    b, state = one.follow(table["invitations"]["B"])
    assert state == "both_seats" and one.http.get(f"/api/access?seat={b}").status_code == 403
    with one.join(b) as asked:
        assert asked.messages == [{"state": "both_seats", "held": ["A"]}]
    assert marks_of(house, table["episode"]) == []
    assert one.take(table["invitations"]["B"], both_seats=True) == b
    assert marks_of(house, table["episode"]) == [(Kind.BOTH_SEATS, "B")]
    with one.seat(a) as mine, one.seat(b) as theirs:
        play_on(mine, theirs)
    page = one.http.get(f"/api/episode?id={table['episode']}").json()
    assert [flag["flag"] for flag in page["flags"]] == ["both seats"]
    one.post("/api/publish", episode=table["episode"], published=True)
    done = ludens("results", "matchit/text", "--format", "json", "--db", house.db, folder=house.folder)
    rows = [row for row in json.loads(done.out)["rows"] if row["seats"] == {"A": "person", "B": "person"}]
    assert sum(row["both_seats"] for row in rows) == 1
    with Store(house.db) as store:
        [result] = [result for *_, result in store.results.read_results_after(0) if result.episode == table["episode"]]
    assert exclusion_reason(result) == "both_seats"


def test_an_opener_who_already_plays_asks_the_friend_before_it_gets_their_seat(person, house):
    opener, friend = person(), person()
    table = opener.open(PAIR, variant="text")
    opener.take(table["go"])
    b = friend.take(table["invitations"]["B"])
    with friend.seat(b) as theirs:
        assert opener.follow(table["invitations"]["B"]) == (b, "both_seats")
        with opener.join(b) as asked:
            asked.socket.send(json.dumps({"both": True}))
            assert state_of(asked, "waiting") == "waiting" and not marks_of(house, table["episode"])
            [request] = theirs.until(lambda state: state["requests"])["requests"]
            assert answer(friend, b, request, admit=True) == 200
            assert state_of(asked, "seated") == "seated"
    assert marks_of(house, table["episode"]) == [(Kind.BOTH_SEATS, "B")]


# ---------------------------------------------------------------------- row 6: looking up
def looks(episode: str) -> tuple[str, ...]:
    """Return every address that shows an episode."""
    return (
        *(f"/api/{name}?episode={episode}" for name in ("access", "record", "debrief", "download")),
        *(f"/api/episode?id={episode}", f"/api/episode/events?id={episode}"),
        *(f"/api/episode/file?id={episode}&format={kind}" for kind in ("jsonl", "html", "markdown")),
    )


def instance_of(house: Any, episode: str) -> tuple[str, int]:
    """Return the experiment and the number of an episode's instance."""
    with Store(house.db) as store:
        row = store.episode(episode)
    return row.experiment, int(row.instance_id.rpartition("/")[2])


@pytest.mark.parametrize("variant", ["text", "picture"])
def test_who_plays_blind_can_look_nothing_up(person, house, variant):
    player, other = person(), person()
    table = player.open({"A": "person", "B": "scripted"}, variant=variant)
    pid = player.take(table["go"])
    experiment, index = instance_of(house, table["episode"])
    chosen = {"variant": variant, "experiment": experiment, "instance": index}
    programs = {"A": "random", "B": "random"}
    refusal = player.post("/api/tables", game="matchit", seats=programs, **chosen)
    assert refusal.status_code == 403 and "not over" in refusal.json()["error"]
    assert (
        player.post("/api/tables", game="matchit", seats=programs, variant=variant, experiment=experiment).status_code
        == 403
    )
    assert player.post("/api/tables", game="matchit", seats={"A": "invite", "B": "invite"}, **chosen).status_code == 403
    same, unlike = other.open(programs, **chosen, pace=0), other.open(programs, variant=variant, pace=0)
    with other.watch(same["episode"]) as view:
        whole = view.until(lambda state: state["outcome"] and all(state["pinned"].values()))
    with other.watch(unlike["episode"]) as view:
        view.until(lambda state: state["outcome"])
    for episode in (same["episode"], unlike["episode"]):  # alike: the refusal must not tell which instance one plays
        refused = {player.http.get(path).text for path in looks(episode)}
        assert {player.http.get(path).status_code for path in looks(episode)} == {403}
        assert len(refused) == 1 and "Finish or leave your game" in refused.pop()
        with pytest.raises(InvalidStatus):
            player.socket(f"/ws/watch?episode={episode}").close()
        seats = {"A": f"recorded/{episode}", "B": "scripted"}
        assert player.post("/api/tables", game="matchit", variant=variant, seats=seats).status_code == 403
    if variant == "picture":
        for pins in whole["pinned"].values():
            assert other.http.get(pins[0]["picture"]).status_code == 200
            assert player.http.get(pins[0]["picture"]).status_code == 403
    with player.seat(pid) as seat:
        seat.finish()
    assert {player.http.get(path).status_code for path in looks(same["episode"])} == {200}
    assert marks_of(house, table["episode"]) == []


def test_drill_downs_show_nothing_of_an_instance(person, house):
    other, player = person(), person()
    table = player.open({"A": "person", "B": "scripted"}, variant="text")
    player.take(table["go"])
    experiment, index = instance_of(house, table["episode"])
    programs = other.open(
        {"A": "random", "B": "scripted"}, variant="text", experiment=experiment, instance=index, pace=0
    )
    with other.watch(programs["episode"]) as view:
        state = view.until(lambda now: now["outcome"])
    rows = player.http.get("/api/results").json()["codes"]["id"]
    listed = player.http.get("/api/results/episodes", params={"row": rows})
    assert listed.status_code == 200
    for pins in state["pinned"].values():
        assert json.dumps(pins[0]["grid"])[1:-1] not in listed.text


def test_one_may_watch_what_one_opened_oneself_and_play_more(person, house):
    player = person()
    player.sit({"A": "person", "B": "scripted"}, variant="text")
    own = player.open({"A": "scripted", "B": "scripted"}, variant="text", pace=0)
    with player.watch(own["episode"]) as view:
        view.until(lambda state: state["outcome"])
    with player.seat(player.sit({"A": "person", "B": "scripted"}, variant="text")) as second:
        second.finish()
        episode = second.state["episode"]
    assert {player.http.get(path).status_code for path in looks(episode)} == {200}, "what one played oneself"
    elsewhere = player.open({"walker": "random"}, game="mapworld", experiment=None)
    assert player.http.get(f"/api/record?episode={elsewhere['episode']}").status_code == 200


def test_who_chose_the_instance_looks_at_what_they_like(person):
    player, other = person(), person()
    watched = other.open({"A": "scripted", "B": "scripted"}, variant="text", pace=0)["episode"]
    player.sit({"A": "person", "B": "scripted"}, variant="text", experiment="same", instance=0)
    assert player.http.get(f"/api/access?episode={watched}").status_code == 200


def test_what_an_invited_person_had_seen_before_is_recorded(person, house):
    opener, friend = person(), person()
    chosen = {"variant": "text", "experiment": "same", "instance": 3}
    shown = opener.open({"A": "scripted", "B": "scripted"}, **chosen, pace=0)["episode"]
    assert friend.http.get(f"/api/record?episode={shown}").status_code == 200
    table = opener.open(PAIR, **chosen)
    a, b = opener.take(table["go"]), friend.take(table["invitations"]["B"])
    assert marks_of(house, table["episode"]) == [(Kind.SEEN_BEFORE, "B")]
    with opener.seat(a) as one, friend.seat(b) as two:
        play_on(one, two)
    flags = opener.http.get(f"/api/episode?id={table['episode']}").json()["flags"]
    assert {"flag": "seen before", "words": "The person at B had met this instance before."} in flags
    with Store(house.db) as store:
        [result] = [result for *_, result in store.results.read_results_after(0) if result.episode == table["episode"]]
    assert result.seen_before and not result.both_seats


def test_on_a_server_for_studies_only_the_owner_chooses_instances(server):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDENS_CHOOSE_INSTANCES", "owner")
        house = server()
    chosen = {"variant": "text", "experiment": "same", "instance": 0}
    with Guest(house.url) as owner, Guest(house.url) as visitor:
        [printed] = re.findall(r"http://\S+/a/\S+", house.output())
        owner.http.get(printed)
        visitor.http.get("/")
        episode = owner.open({"A": "scripted", "B": "scripted"}, **chosen, pace=0)["episode"]
        with owner.watch(episode) as view:
            view.until(lambda state: state["outcome"])
        for seats in ({"A": "random", "B": "random"}, {"A": "person", "B": "scripted"}):
            refused = visitor.post("/api/tables", game="matchit", seats=seats, **chosen)
            assert refused.status_code == 403 and "only its owner" in refused.json()["error"]
        replay = {"A": "person", "B": f"recorded/{episode}"}
        assert visitor.post("/api/tables", game="matchit", variant="text", seats=replay).status_code == 403
        assert visitor.http.get(f"/api/episode?id={episode}").json()["play"] is None
        assert owner.http.get(f"/api/episode?id={episode}").json()["play"]
        assert [guest.http.get("/api/lobby").json()["choose"] for guest in (owner, visitor)] == [True, False]
        assert visitor.open({"A": "person", "B": "scripted"}, variant="text")


# ---------------------------------------------------------------------- databases of before
def test_holders_of_before_keep_their_seats(tmp_path: Path):
    with Store(tmp_path / "log.db") as store:
        links = SeatLinks(store, store)
        [seat_id] = links.open_table("e1", "laptop", ["A"], None, 0.0, "hash").values()
        store.sqlite_db.execute(
            "INSERT INTO holder (browser, pid, since) VALUES ('laptop', ?, 1), ('phone', ?, 2)", (seat_id,) * 2
        )
        assert links.is_seat_taken(seat_id) and links.has_arrived("phone", seat_id)
        assert not links.claim_seat("stranger", seat_id, "hash") and not links.holds_seat("stranger", seat_id)
        assert links.claim_seat("phone", seat_id, "hash") and links.holds_seat("laptop", seat_id)


# ---------------------------------------------------------------------- in a browser
def faults(page: Page) -> list[str]:
    """Return what readers with other means stumble over."""
    from axe_playwright_python.sync_playwright import Axe

    violations = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {node['html'][:200]}"
        for each in violations
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


def fits(page: Page) -> bool:
    """Return whether nothing sticks out to the right."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


QUESTION = "Another browser wants to play this seat. Let it in?"


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_the_phone_asks_and_the_laptop_lets_it_in(house, new_page, player_at, scheme):
    laptop, phone = new_page(color_scheme=scheme), new_page(color_scheme=scheme, **PHONE)
    laptop.goto(house.url)
    table = laptop.request.post(
        f"{house.url}/api/tables", data={**TEXT, "seats": {"A": "person", "B": "scripted"}}
    ).json()
    laptop.goto(house.url + table["go"])
    me = player_at(laptop)
    me.reply("a ring of cells")
    phone.goto(house.url + table["go"])
    expect(phone.get_by_role("heading", name="Somebody already plays this seat")).to_be_focused()
    assert fits(phone) and not faults(phone)
    expect(phone.get_by_text("a ring of cells")).to_have_count(0)
    expect(laptop.get_by_text(QUESTION)).to_be_visible()
    expect(laptop.get_by_role("alert").filter(has_text=QUESTION)).to_be_visible()
    assert not faults(laptop)
    phone.reload()
    expect(phone.get_by_role("heading", name="Somebody already plays this seat")).to_be_focused()  # it asks again
    expect(laptop.get_by_text(QUESTION)).to_be_visible()
    yes = laptop.get_by_role("button", name="Let it in")
    yes.focus()
    laptop.keyboard.press("Enter")
    expect(phone.get_by_text("a ring of cells")).to_be_visible()
    assert "join" not in phone.url
    expect(laptop.get_by_text(QUESTION)).to_have_count(0)
    expect(laptop.get_by_text("This seat is open in another browser too")).to_be_visible()
    player_at(phone).finish()
    expect(me.over).to_be_visible()
    phone.reload()
    expect(player_at(phone).over).to_be_visible()


@pytest.mark.browser
def test_a_no_a_game_that_is_over_and_both_seats_are_said_in_plain_words(house, new_page, player_at):
    new_page.allow("status of 403")
    one, other = new_page(house.url), new_page(**PHONE)
    table = one.request.post(f"{house.url}/api/tables", data={**TEXT, "seats": PAIR}).json()
    one.goto(house.url + table["go"])
    me = player_at(one)
    me.wait_for_ask()
    other.goto(house.url + table["go"])
    one.get_by_role("button", name="No", exact=True).click()
    expect(other.get_by_role("heading", name="You were not let in")).to_be_focused()
    assert fits(other) and not faults(other)

    both = new_page(house.url + table["invitations"]["B"], beside=one)
    expect(both.get_by_role("heading", name="You already play seat A")).to_be_visible()
    expect(both.get_by_text("Playing both seats shows you both sides; the game will not count.")).to_be_visible()
    assert not faults(both)
    both.get_by_role("button", name="Play both seats").click()
    expect(both.locator(".turn")).to_have_text("Your turn: describe your grid")
    one.request.post(f"{house.url}/api/leave", data={"seat": one.url.rpartition("=")[2]})
    other.goto(house.url + table["go"])
    expect(other.get_by_role("heading", name="This game is over")).to_be_visible()
    assert fits(other) and not faults(other)


@pytest.mark.browser
def test_the_owner_is_asked_in_the_lobby(house, new_page, player_at):
    [printed] = re.findall(r"http://\S+/a/\S+", house.output())
    owner, visitor, waiting = new_page(printed), new_page(house.url), new_page()
    table = visitor.request.post(
        f"{house.url}/api/tables", data={**TEXT, "seats": {"A": "person", "B": "scripted"}}
    ).json()
    visitor.context.close()  # with its cookies
    waiting.goto(house.url + table["go"])
    asking = owner.get_by_role("region", name="Somebody asks to come in")
    expect(asking).to_contain_text("MatchIt")
    assert not faults(owner)
    asking.get_by_role("button", name="Let it in").first.click()
    player_at(waiting).wait_for_ask()
    expect(asking).to_be_hidden()
