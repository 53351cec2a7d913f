"""Any course an episode may take: replies in any order, nonsense, late ones, faults, hand-overs, presence, an end.

Whatever happened, the log resumes to the same GameMaster, every seat's conversation is well formed, what is open in
the views is what is open at the table, and the counts add up.
"""

import random

from hypothesis import given
from hypothesis import strategies as st

from engine.core.events import Event, Kind, Outcome
from engine.core.master import AskNotOpen, GameMaster
from engine.core.scores import compute_common_scores
from engine.core.views import Conversation, Transcript
from tests.engine.small_games import Council, Gallery, Guess, Whispers, begin, log_of, of_kind

GAMES = (Council(), Whispers(), Gallery(), Guess())
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["good", "good", "good", "release", "release", "bad", "late", "fault", "seat", "present", "end"]
        ),
        st.integers(0, 40),
    ),
    max_size=30,
)


def step(master: GameMaster, what: str, number: int) -> list[Event]:
    """Let one thing happen, to the open ask or the seat that the number picks."""
    seats, opened = master.game.seats, list(master.open.values())
    if what == "present":
        return [Event((Kind.PRESENT, Kind.AWAY, Kind.WATCHED)[number % 3], seats[number % len(seats)], {})]
    if what == "seat":
        return master.hand_over_seat(seats[number % len(seats)], f"player/{number}")
    if what == "late":
        return master.reply(1 + number % 5, "whatever \ud800")
    if what == "end":
        return master.end(Outcome("abandoned", "left", seats[0])) if number == 0 else []
    if not opened:
        return []
    waiting = opened[number % len(opened)]
    if what == "release":
        return master.release(waiting.id) if waiting.id in master.held_continuations else []
    if what == "fault":
        return master.fault(waiting.id, "the line \0 is dead")
    good = waiting.request.reply.sample(random.Random(number))
    return master.reply(waiting.id, good if what == "good" else "?!", {"n": number})


@given(st.sampled_from(GAMES), st.integers(0, 2), STEPS, st.booleans())
def test_whatever_happens_the_log_tells_it_all(game, reprompt, steps, is_hidden):
    people = {game.seats[0]: {"hidden_partner": True}} if is_hidden else {}
    master, log = begin(game, {"word": "tree"}, reprompt=reprompt, people=people)
    for what, number in steps:
        try:
            log = log_of(step(master, what, number), log)
        except AskNotOpen:
            assert what in ("late", "seat", "end") and (what == "late" or master.outcome)

    again = GameMaster.resume(game, log)
    assert (again.outcome, again.failure_cause, list(again.open)) == (master.outcome, None, list(master.open))
    assert [w.reminders for w in again.open.values()] == [w.reminders for w in master.open.values()]
    assert list(again.held_continuations) == list(master.held_continuations) and set(master.held_continuations) <= set(
        master.open
    )
    assert is_hidden or not (master.held_continuations or of_kind(log, "released"))

    shown = Transcript.from_events(log)
    assert set(shown.open) == set(master.open)
    assert (shown.outcome is None) == (master.outcome is None)
    assert shown.request_count == len(of_kind(log, "ask"))
    for seat in game.seats:
        seen = Conversation(seat)
        for event in log:
            seen.apply(event)
        assert [m.role for m in seen.messages] == (["user", "assistant"] * len(seen.messages))[: len(seen.messages)]
        asked = [waiting.id for waiting in master.open.values() if waiting.request.seat == seat]
        assert [seen.open_ask.id] == asked if seen.open_ask else not asked
        if seen.open_ask and seen.open_ask.id not in master.held_continuations:
            assert seen.view(lambda asset: game.picture(None, asset)).messages[-1].role == "user"

    scores = compute_common_scores(log, is_adversarial=game.adversarial)
    unreleased = scores["requests"] - scores["parsed_requests"] - scores["violated_requests"]
    assert unreleased == len(master.held_continuations) or (is_hidden and of_kind(log, "cancel") and unreleased > 0)
    late = [event for event in of_kind(log, "reply") if event.data.get("discarded")]
    assert scores["requests"] + len(late) == len(of_kind(log, "reply"))
    ends = of_kind(log, "outcome")
    assert len(ends) == (master.outcome is not None)
    if ends:
        closed = {event.data["ask"] for event in of_kind(log, "parsed", "cancel")}
        closed |= {event.data["ask"] for event in of_kind(log, "violation") if event.data["reminder"] is None}
        assert closed == {event.data["ask"] for event in of_kind(log, "ask")}
        assert [
            e.kind
            for e in log
            if e.n > ends[0].n and e.kind != "reply" and e.kind not in ("present", "away", "watched")
        ] == []
