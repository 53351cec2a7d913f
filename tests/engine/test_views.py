"""What a seat gets to see: one conversation, roles in turn, pictures that go, nothing of anybody else."""

import json
import random

import pytest

from engine.core.content import Picture
from engine.core.events import Event, Kind, to_json
from engine.core.views import Conversation, Transcript
from tests.engine.small_games import Council, Gallery, Guess, Whispers, begin, log_of, play_out


def conversation(log: list[Event], seat: str) -> Conversation:
    made = Conversation(seat)
    for event in log:
        made.apply(event)
    return made


def no_picture(asset: str) -> Picture:
    raise KeyError(asset)


def whisper(seat: str, ask: int, format: dict) -> str:
    if format["kind"] == "json-object":
        return json.dumps({"thought": f"secret of {seat}", "speak": f"word of {seat}"})
    return "NAME: wolf"


def test_what_is_told_without_an_ask_is_joined_and_roles_alternate():
    log = play_out(Guess(), lambda *_: "GUESS: oak", instance={"word": "tree"})
    messages = conversation(log, "A").messages
    assert [message.role for message in messages] == ["user", "assistant"] * 3
    first, _, second = messages[:3]
    words = first.words
    assert first.text() == f"Welcome.\nBe brief.\nBe right.\nGuess 1.\n\n{words}"
    assert second.text() == f"Not oak.\nGuess 2.\n\n{words}"
    assert "GUESS" in words


@pytest.mark.parametrize("reprompt", [0, 3])
def test_roles_alternate_also_with_reminders_and_after_the_end(reprompt):
    master, log = begin(Guess(), {"word": "tree"}, reprompt=reprompt)
    for _ in range(reprompt):
        log = log_of(master.reply(1, "no tag"), log)
    log = log_of(master.reply(1, "GUESS: oak"), log)
    seen = conversation(log, "A")
    assert [message.role for message in seen.messages] == ["user", "assistant"] * (reprompt + 1) + ["user"]
    assert seen.open_ask and (seen.open_ask.id, seen.open_ask.own_request_number) == (2, 2)


def test_a_reminder_says_what_was_wrong_and_belongs_to_the_same_ask():
    master, log = begin(Guess(), {"word": "tree"}, reprompt=1)
    log = log_of(master.reply(1, "GUESS: " + "x" * 20), log)
    seen = conversation(log, "A")
    assert seen.open_ask and seen.open_ask.id == 1
    assert "ten letters" in str(seen.open_ask.reminder)
    assert "ten letters" in seen.messages[-1].text()
    assert seen.view(no_picture).messages[-2].text() == "GUESS: " + "x" * 20


def test_pictures_not_kept_are_in_the_prompt_that_shows_them_and_in_no_later_one():
    master, log = begin(Gallery())
    prompts = []
    for ask in range(1, 6):
        view = conversation(log, "eye").view(lambda asset: Gallery().picture(None, asset))
        prompts.append([message.pictures for message in view.messages if message.role == "user"])
        assert view.picture("map").description == {"asset": "map"}
        log = log_of(master.reply(ask, "I see"), log)
    assert prompts == [
        [["map"]],
        [["map"], ["told", "flash"]],
        [["map"], [], ["other"]],
        [["map"], [], [], ["flash"]],  # the same picture again, this time to keep
        [["map"], [], [], ["flash"], ["last"]],
    ]
    pinned = {pin["title"]: pin for pin in conversation(log, "eye").pinned_exhibits}
    assert pinned["Your picture"]["picture"] == "last"
    assert pinned["Grid"]["grid"] == "X ▢"


def test_a_picture_stays_through_the_reminders_of_its_ask():
    master, log = begin(Gallery(), reprompt=1)
    log = log_of(master.reply(1, "I see"), log)
    log = log_of(master.reply(2, "?!"), log)
    view = conversation(log, "eye").view(no_picture)
    assert [message.pictures for message in view.messages] == [["map"], [], ["told", "flash"], [], []]


def test_a_seat_sees_its_own_conversation_and_nothing_else():
    log = play_out(Whispers(), whisper)
    for seat in Whispers.seats:
        seen = conversation(log, seat)
        everything = to_json([[message.text() for message in seen.messages], seen.lines, seen.pinned_exhibits])
        for other in Whispers.seats:
            assert (f"secret of {other}" in everything) == (other == seat)
        private = [line["text"] for line in seen.lines if line["private"]]
        assert private == [f"secret of {seat}"]
    assert f"word of {Whispers.seats[0]}" in to_json(conversation(log, "crow").lines)


def test_nothing_of_one_seat_changes_what_another_is_shown():
    """Two games that differ only in what ada says to herself and when: bob's fold is the same, event by event."""

    def bob(thought: str, late: bool) -> str:
        master, log = begin(Whispers())
        if late:
            log = log_of([Event(Kind.AWAY, "wolf", {}), Event(Kind.WATCHED, None, {})], log)
            log = log_of(master.fault(1, "the line is dead"), log)
            log = log_of(master.hand_over_seat("wolf", "somebody/else"), log)
        log = log_of(
            master.reply(1, json.dumps({"thought": thought, "speak": "Hello."}), {"tokens": len(thought)}), log
        )
        seen = conversation(log, "goat")
        view = seen.view(no_picture)
        asked = to_json(seen.open_ask.format.declaration()) if seen.open_ask else ""
        return to_json([seen.lines, seen.pinned_exhibits, seen.stall_cause, [m.text() for m in view.messages], asked])

    assert bob("a", late=False) == bob("something else entirely", late=True)


def test_a_seat_that_changes_hands_brings_its_whole_conversation():
    master, log = begin(Guess(), {"word": "tree"})
    log = log_of(master.reply(1, "GUESS: oak"), log)
    before = conversation(log, "A").view(no_picture)
    log = log_of(master.fault(2, "out of memory"), log)
    assert conversation(log, "A").stall_cause == "out of memory"
    log = log_of(master.hand_over_seat("A", "other"), log)
    seen = conversation(log, "A")
    after = seen.view(no_picture)
    assert after.messages == before.messages
    assert (after.ask.id, after.ask.own_request_number) == (before.ask.id, before.ask.own_request_number)
    assert seen.stall_cause is None
    assert Transcript.from_events(log).players == {"A": ["test", "other"]}


def draw(log: list[Event], seat: str) -> float:
    """The first number that a seat's player draws for its open ask."""
    return conversation(log, seat).view(no_picture).random.random()


def test_a_fault_is_shown_until_its_own_ask_is_answered_or_its_seat_changes_hands():
    def stalled(*events):
        return Transcript.from_events(log_of(events, log)).stall_cause

    master, log = begin(Council())
    log = log_of([*master.fault(2, "out of memory"), *master.reply(1, "VOTE: bob")], log)
    assert stalled() == "out of memory"
    assert stalled(*master.hand_over_seat("ada", "other")) == "out of memory"
    assert stalled(*master.hand_over_seat("bob", "other")) is None
    assert stalled(*master.reply(2, "VOTE: ada")) is None


def test_a_players_generator_depends_on_the_episode_the_seat_and_its_own_ask_only():
    master, log = begin(Council())
    first = {seat: draw(log, seat) for seat in Council.seats}
    assert len(set(first.values())) == 4
    assert first == {seat: draw(log, seat) for seat in Council.seats}
    log = log_of(master.reply(1, "VOTE: bob"), log)
    assert draw(log, "cyd") == first["cyd"]  # ada was quicker, or not: no matter
    other = begin(Council(), run_seed=1)[1]
    assert draw(other, "ada") != first["ada"]


def test_whoever_draws_a_reply_draws_another_when_reminded():
    master, log = begin(Guess(), {"word": "tree"}, reprompt=2)
    drawn = [draw(log, "A")]
    for _ in range(2):
        log = log_of(master.reply(1, "GUESS: rhododendron"), log)
        drawn.append(draw(log, "A"))
    assert len(set(drawn)) == 3
    assert drawn[0] == random.Random(f"{master.start.seed}/A/1").random()  # as before there were reminders


def test_a_seat_that_is_not_asked_has_no_view():
    log = play_out(Guess(), lambda *_: "GUESS: tree", instance={"word": "tree"})
    with pytest.raises(LookupError):
        conversation(log, "A").view(no_picture)
    assert conversation(log, "A").outcome == log[-1].data


def test_the_transcript_has_it_all_and_marks_what_was_private():
    log = play_out(Whispers(), whisper)
    shown = Transcript.from_events(log)
    assert (shown.outcome, shown.open, shown.request_count) == (log[-1].data, {}, 5)
    thoughts = [line for line in shown.lines if "secret" in line["text"]]
    assert len(thoughts) == 4
    assert all(line["private"] for line in thoughts)
    # folding on gives the same as folding whole
    again, lines = Transcript(), []
    for event in log:
        lines += again.apply(event)
    assert lines == shown.lines == again.lines


def test_what_a_model_thought_is_for_spectators_only():
    master, log = begin(Whispers(), {})
    [asked] = [event for event in log if event.kind is Kind.ASK]
    meta = {"model": "m-1", "tokens_in": 9, "tokens_out": 2, "reasoning": "they must not know", "prompt": "0" * 64}
    text = json.dumps({"thought": "t", "speak": "word"})
    log = log_of(master.reply(asked.data["ask"], text, meta), log)
    lines = Transcript.from_events(log).lines
    [thought] = [line for line in lines if line["kind"] == "reasoning"]
    assert thought["text"] == "they must not know" and thought["private"] and thought["seat"] == asked.seat
    assert [line["used"] for line in lines if "used" in line] == [{"model": "m-1", "tokens_in": 9, "tokens_out": 2}]
    for seat in Whispers.seats:  # also not the seat's own next prompt
        seen = conversation(log, seat)
        shown = (seen.lines, seen.pinned_exhibits, [message.text() for message in seen.messages])
        assert "they must not know" not in str(shown)
