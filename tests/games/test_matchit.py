"""The rules of MatchIt: the order of asks, valid replies, what each seat receives, and the scores."""

import asyncio
import random
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import play
from engine.core.content import parts_to_text
from engine.core.events import Ending, Kind, Success
from engine.core.log import Log
from engine.core.master import GameMaster
from engine.core.start import EpisodeStart
from engine.core.views import Conversation
from engine.play.plans import build_item_start
from engine.play.registry import Registry, SelectedInstance

ROOT = Path(__file__).parents[2]
REGISTRY = Registry(ROOT)
GAME = REGISTRY.game("matchit")
STOCK_REPLIES = {"DESCRIPTION": "it has corners", "QUESTION": "Is row {n} full?", "ANSWER": "It is not {n}."}


def begin(selection="matchit/text/same/0", seats=None, **settings):
    item = REGISTRY.select_instances(selection)[0]
    seats = seats or {"A": "random", "B": "random"}
    return GameMaster.begin_episode(GAME, build_item_start(GAME, item, seats, settings=settings, seed="fixed"))


def ask_of(master):
    number = min(master.open)
    request = master.open[number].request
    return number, request.seat, request.reply.declaration().get("tag", "either")


def fill(master, decisions, until=99):
    """Answer asks with stock texts, at most `until` of them. Return the order of asks and the events."""
    order, events = [], []
    while not master.outcome and len(order) < until:
        number, seat, tag = ask_of(master)
        order.append((seat, tag))
        text = decisions[seat] if tag == "DECISION" else STOCK_REPLIES[tag].format(n=number)
        events += master.reply(number, f"{tag}: {text}")
    return order, events


BOTH = {"A": "same grids", "B": "same grids"}


@pytest.mark.parametrize("questions", [1, 3, 5])
def test_the_order_of_asks_follows_the_protocol(questions):
    master, _ = begin(questions=questions)
    order, _ = fill(master, BOTH)
    turns = [("B", "QUESTION"), ("A", "ANSWER"), ("A", "QUESTION"), ("B", "ANSWER")] * questions
    ends = [("B", "DECISION"), ("A", "DECISION")]
    assert order == [("A", "DESCRIPTION"), ("B", "DESCRIPTION"), *turns, *ends]
    assert len(order) == 4 + 4 * questions  # 16 for three questions each


def test_both_describe_and_decide_at_the_same_time():
    master, _ = begin()
    assert [(ask.request.seat, ask.id) for ask in master.open.values()] == [("A", 1), ("B", 2)]
    assert not any(event.kind is Kind.ASK for event in master.reply(2, "DESCRIPTION: a ring"))
    (ask,) = (event for event in master.reply(1, "DESCRIPTION: a cross") if event.kind is Kind.ASK)
    assert ask.seat == "B" and "a cross" in str(ask.data)
    fill(master, BOTH, until=12)
    assert {ask.request.seat for ask in master.open.values()} == {"A", "B"}
    assert master.reply(max(master.open), "DECISION: same grids") and not master.outcome
    assert master.reply(min(master.open), "DECISION: same grids")[-1].data == Success().as_json()


def test_an_earlier_episode_goes_on_in_turn():
    data = dict(begin()[0].start.as_json)
    assert data.pop("simultaneous")
    master, log = GameMaster.begin_episode(GAME, EpisodeStart.model_validate(data))
    assert [ask.request.seat for ask in master.open.values()] == ["A"]
    log += master.reply(1, "DESCRIPTION: a cross")
    master = GameMaster.resume(GAME, log)
    assert [ask.request.seat for ask in master.open.values()] == ["B"]
    assert fill(master, BOTH)[0][-2:] == [("B", "DECISION"), ("A", "DECISION")]


def test_each_seat_receives_the_replies_of_its_partner_once():
    master, log = begin()
    log += fill(master, BOTH)[1]
    messages = {"A": [], "B": []}
    for event in log:
        if event.kind is Kind.ASK:
            messages[event.seat].append(
                [(part["label"], part["quote"]) for part in event.data["said"] if "quote" in part]
            )
    assert messages["A"][:4] == [
        [],
        [("Description", STOCK_REPLIES["DESCRIPTION"]), ("Question", "Is row 3 full?")],
        [],
        [("Answer", "It is not 6."), ("Question", "Is row 7 full?")],
    ]
    assert messages["B"][:4] == [
        [],
        [("Description", STOCK_REPLIES["DESCRIPTION"])],
        [("Answer", "It is not 4."), ("Question", "Is row 5 full?")],
        [],
    ]
    assert messages["A"][-1] == [("Answer", "It is not 14.")] and messages["B"][-1] == []


def test_neither_seat_learns_the_others_decision():
    for decisions in (BOTH, {"A": "same grids", "B": "different grids"}):
        master, log = begin()
        log += fill(master, decisions)[1]
        contents = [event.data["said"] for event in log if event.kind in (Kind.ASK, Kind.TELL)]
        assert not any("different grids" in str(content) or "same grids" in str(content) for content in contents)


ACCEPTED = [
    ("DESCRIPTION", "DESCRIPTION:x"),
    ("DESCRIPTION", "  DESCRIPTION: two\nlines  \n"),
    ("DESCRIPTION", "DESCRIPTION: a city.\n\nQUESTION: is it?"),
    ("DECISION", "DECISION: same grids"),
    ("DECISION", "DECISION:Same Grid."),
    ("DECISION", " DECISION: DIFFERENT GRIDS "),
    ("DECISION", "DECISION: different grid"),
]
REFUSED = [
    ("DESCRIPTION", "", "format"),
    ("DESCRIPTION", "DESCRIPTION:", "format"),
    ("DESCRIPTION", "DESCRIPTION: ...", "format"),
    ("DESCRIPTION", "Description: x", "format"),
    ("DESCRIPTION", "Sure! DESCRIPTION: x", "format"),
    ("DESCRIPTION", "QUESTION: is it?", "format"),
    ("DESCRIPTION", "x", "format"),
    ("DECISION", "DECISION: same", "format"),
    ("DECISION", "DECISION: same images", "format"),
    ("DECISION", "DECISION: same grids!", "format"),
    ("DECISION", "DECISION: I think same grids", "format"),
    ("DECISION", "decision: same grids", "format"),
    ("DECISION", "DECISION: same grids or different grids", "ambiguous"),
]


def at(tag):
    master, _ = begin()
    while ask_of(master)[2] != tag:
        fill(master, BOTH, until=1)
    return master


@pytest.mark.parametrize(("tag", "text"), ACCEPTED)
def test_accepted_replies(tag, text):
    master = at(tag)
    number, seat, _ = ask_of(master)
    assert master.reply(number, text)[1].kind is Kind.PARSED
    assert master.outcome is None and seat


@pytest.mark.parametrize(("tag", "text", "fault"), REFUSED)
def test_refused_replies_abort(tag, text, fault):
    master = at(tag)
    number, seat, _ = ask_of(master)
    violation = master.reply(number, text)[1]
    assert (violation.kind, violation.data["fault"]) == (Kind.VIOLATION, fault)
    assert master.outcome.as_json() | {"sides": None, "winner": None} == {
        "kind": "aborted", "reason": fault, "seat": seat, "winner": None, "sides": None,
    }  # fmt: skip


def test_pictures_are_images_in_the_decision_and_shown_with_the_description():
    master, log = begin("matchit/picture/pentomino-same/0")
    assert [shown["id"] for shown in log[1].data["pictures"]] == ["A"]
    order, _ = fill(master, {"A": "same image", "B": "same images"})
    assert master.outcome.kind is Ending.SUCCESS and len(order) == 16


@pytest.mark.parametrize(
    ("selection", "a", "b", "main", "player"),
    [
        ("matchit/text/same/0", "same", "same", 100, 100),
        ("matchit/text/same/0", "same", "different", 0, 50),
        ("matchit/text/same/0", "different", "different", 0, 0),
        ("matchit/text/different/0", "different", "different", 100, 100),
        ("matchit/text/similar-edit-2/0", "same", "different", 0, 50),
    ],
)
def test_scores_of_decisions(selection, a, b, main, player):
    master, log = begin(selection)
    log += fill(master, {"A": f"{a} grids", "B": f"{b} grids"})[1]
    scores = GAME.score(Log(log))
    assert (scores["main_score"], scores["player_score"]) == (main, player)
    assert (master.outcome.kind is Ending.SUCCESS) == (main == 100)


def test_lengths_and_novelty_of_replies():
    master, log = begin(questions=3)
    said = iter(["the red row", "a blue row", "Is it a red row?", "no", "Is it a row?", "yes", "A column?", "no"])
    for _ in range(8):
        number, _, tag = ask_of(master)
        log += master.reply(number, f"{tag}: {next(said)}")
    log += fill(master, BOTH)[1]
    seats = GAME.score(Log(log))["seats"]
    assert seats["A"]["description_words"] == 3 and seats["A"]["description_characters"] == len("the red row")
    assert seats["A"]["questions"] == seats["B"]["questions"] == seats["A"]["answers"] == 3
    # B: "red row" known; "column" new; "is row 11 full" new ("11", "full"). A: "row" known; then two with a new number.
    assert seats["B"]["question_novelty"] == pytest.approx(2 / 3)
    assert seats["A"]["question_novelty"] == pytest.approx(2 / 3)


def test_an_aborted_episode_has_no_scores():
    master, log = begin()
    log += master.reply(1, "nonsense")
    scores = GAME.score(Log(log))
    assert scores["main_score"] is None and scores["player_score"] is None


def test_players_know_the_number_of_questions_only_with_the_setting():
    without, with_limit = begin()[1], begin(tell_limit=True, questions=1)[1]
    assert "You can each ask" not in str(without[1].data["said"])
    assert "You can each ask 1 question." in str(with_limit[1].data["said"])
    assert without[1].data["progress"] == {"what": "questions", "left": 3, "of": 3}


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("selection", ["matchit/text/same/0", "matchit/picture/pentomino-same/0"])
def test_every_reply_of_the_example_is_in_the_format_of_its_tag(selection, version):
    [item] = REGISTRY.select_instances(selection)
    formats = GAME.prompts_for(
        GAME.prompts.select_version(version), item.variant, GAME.settings(), GAME.load(item.instance)
    ).reply_formats
    start = build_item_start(GAME, item, {"A": "x", "B": "y"}, settings={"example": True}, prompts=version)
    lines = parts_to_text(GameMaster.begin_episode(GAME, start)[1][1].data["said"]).splitlines()
    tags = ("DESCRIPTION", "ANSWER", "QUESTION", "DECISION")
    replies = [line for line in lines if line.startswith(tags)]
    assert [reply.partition(":")[0] for reply in replies] == list(tags)
    for reply in replies:
        getattr(formats, reply.partition(":")[0].lower()).parse(reply)


def test_without_the_setting_there_is_no_example_and_the_start_is_stored_as_before():
    _, log = begin()
    assert "example" not in parts_to_text(log[1].data["said"])
    assert log[0].data["settings"] == {"questions": 3, "tell_limit": False, "early_decision": False}


@pytest.mark.parametrize("version", [1, 2])
def test_an_example_does_not_confuse_the_scripted_partner(version):
    for selection in ("matchit/text/similar-edit-2/0", "matchit/picture/pentomino-different/0"):
        [item] = REGISTRY.select_instances(selection)
        instance = GAME.load(item.instance)
        start = build_item_start(
            GAME, item, dict.fromkeys("AB", "scripted"), settings={"example": True}, prompts=version, seed="fixed"
        )
        master, log = GameMaster.begin_episode(GAME, start)
        while master.open:
            number, seat, _ = ask_of(master)
            conversation = Conversation(seat)
            for event in log:
                conversation.apply(event)
            view = conversation.view(partial(GAME.picture, instance))
            reply = asyncio.run(REGISTRY.player("scripted", "matchit", seat, None).reply(view))
            log += master.reply(number, reply.text)
        assert master.outcome == Success()


def test_an_early_decision_is_final_and_the_partner_still_decides():
    master, log = begin(early_decision=True)
    for text in ("DESCRIPTION: a", "DESCRIPTION: b", "QUESTION: c?", "ANSWER: d"):
        log += master.reply(ask_of(master)[0], text)
    number, seat, tag = ask_of(master)
    assert (seat, tag) == ("A", "either")
    advance = master.reply(number, "DECISION: same grids")
    number, seat, tag = ask_of(master)
    assert (seat, tag) == ("B", "DECISION")
    said = advance[-1].data["said"]
    assert {"text": "There will be no more questions."} in said and "same grid" not in str(said)
    master.reply(number, "DECISION: same grids")
    assert master.outcome.kind is Ending.SUCCESS


PAIRS = [(a, b) for a in ("same", "similar-edit-2", "different") for b in ("similar-transformed", "different")]


@given(pair=st.sampled_from(PAIRS), index=st.integers(0, 9), seed=st.integers(0, 2**32))
def test_a_seats_conversation_does_not_depend_on_the_other_side(pair, index, seed):
    """Noninterference: with the same side and the same replies, a seat has the same conversation."""
    conversations = []
    own = REGISTRY.select_instances(f"matchit/text/{pair[0]}/{index}")[0].instance
    for other in (own, REGISTRY.select_instances(f"matchit/text/{pair[1]}/{index}")[0].instance):
        instance = {"kind": "imported", "thing": "grid", "a": own["a"], "b": other["b"]}
        instance["relation"] = "same" if instance["a"] == instance["b"] else "different"
        item = SelectedInstance("matchit", "text", "x", 0, instance)
        start = build_item_start(GAME, item, {"A": "person", "B": "random"}, seed="fixed")
        master, log = GameMaster.begin_episode(GAME, start)
        rng = random.Random(seed)
        while not master.outcome:
            number = min(master.open)
            log += master.reply(number, master.open[number].request.reply.sample(rng))
        view = Conversation("A")
        for event in log[:-1]:  # the outcome itself may tell, afterwards
            view.apply(event)
        conversations.append((view.messages, view.lines, view.pinned_exhibits))
    assert conversations[0] == conversations[1]


@pytest.mark.parametrize("where", ["text/similar-edit-2/1", "picture/pentomino-similar/3", "picture/photos-similar/2"])
def test_the_debriefing_says_what_a_scripted_partner_understood_and_what_decided(where):
    """One line for each scripted seat: the claims that it read, what spoke for "different", and the sum."""
    episode = asyncio.run(play("matchit", where, {"all": "scripted"}, seed=1))
    log = Log(episode.log)
    reasons = GAME.debrief(log, GAME.score(log)).reasons
    assert [seat for seat, _ in reasons] == ["A", "B"]
    for _, line in reasons:
        assert "Understood: “" in line and "” does not fit" in line and "” fits" in line
        assert "What spoke most for “different”: “" in line and "Evidence: -" in line
    other = asyncio.run(play("matchit", where, {"A": "scripted", "B": "random"}, seed=1))
    log = Log(other.log)
    assert [seat for seat, _ in GAME.debrief(log, GAME.score(log)).reasons] == ["A"]
