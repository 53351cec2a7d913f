"""TofuKingdom: the course by hand, what can be read of an answer, camps, scripted players and their Prince."""

import asyncio
import json
from pathlib import Path

import pytest

from engine.core.condition import assign_sides
from engine.core.events import Ending, Kind
from engine.core.log import Log
from engine.core.master import GameMaster
from engine.core.replies import NotInFormat
from engine.core.scores import score_episode
from engine.core.views import Conversation
from engine.play.plan_checks import BadPlan
from engine.play.plans import Plan, build_item_start
from engine.play.registry import Registry
from engine.play.runner import play
from games.tofukingdom.board import make_board_panels
from games.tofukingdom.instances import CAMPS, PRINCE_ROLE, PRINCE_SEAT, SEAT_NAMES
from games.tofukingdom.reading import (
    OTHER_KIND,
    OWN_KIND,
    PRINCESS_KIND,
    Question,
    find_question,
    is_truthful,
)
from games.tofukingdom.rules import GAME
from games.tofukingdom.scores import score
from games.tofukingdom.scripted import compute_princess_probabilities

REGISTRY = Registry(Path(__file__).parents[2])
ITEM = REGISTRY.select_instances("tofukingdom/roles/roles")[0]
ROLES = ITEM.instance["roles"]
NAME = {role: name for name, role in ROLES.items()}


class Game:
    """One game played by hand."""

    def __init__(self, seed="seed", **more):
        start = build_item_start(GAME, ITEM, dict.fromkeys(GAME.seats, "scripted"), seed=seed, **more)
        self.master, self.log = GameMaster.begin_episode(GAME, start)

    @property
    def asked(self):
        [ask] = self.master.open.values()
        return ask.request.seat

    def say(self, **value):
        [ask] = self.master.open.values()
        self.log += self.master.reply(ask.id, json.dumps({"thought": "canary-thought", **value}))

    def question_all(self, question="Who is the Princess?", answer="I do as I like."):
        for _ in SEAT_NAMES:
            self.say(question=question)
            self.say(answer=answer)

    @property
    def outcome(self):
        return self.master.outcome


def test_seven_are_asked_in_order_one_again_and_the_one_asked_answers():
    game = Game()
    answered = []
    for _ in SEAT_NAMES:
        assert game.asked == PRINCE_SEAT
        game.say(question="What is your identity?")
        answered.append(game.asked)
        game.say(answer="My identity is Chef.")
    order = next(event.data["order"] for event in game.log if event.kind is Kind.NOTE)
    assert answered == order and sorted(order) == sorted(SEAT_NAMES)
    game.say(name=order[2].lower(), question=f"what is the identity of {order[5].upper()}")
    assert game.asked == order[2]  # not the last one, as in the public implementation
    game.say(answer=f"The identity of {order[5]} is Spy.")
    assert game.asked == PRINCE_SEAT
    game.say(name=NAME["Princess"])
    assert (game.outcome.kind, game.outcome.winner) == (Ending.DECIDED, "prince")


@pytest.mark.parametrize("role", [role for roles in CAMPS.values() for role in roles if role != PRINCE_ROLE])
def test_whom_the_prince_names_decides_which_camp_wins(role):
    game = Game()
    game.question_all()
    game.say(name=SEAT_NAMES[0], question="Who is the Princess?")
    game.say(answer="x")
    game.say(name=NAME[role])
    winner = {"Princess": "prince", "Queen": "queen"}.get(role, "spy")
    scores = score_episode(Log(game.log), GAME)
    assert game.outcome.winner == winner and scores["chosen_role"] == role
    assert scores["side_scores"] == {camp_name: 100 * (camp_name == winner) for camp_name in CAMPS}
    assert scores["points"] == {camp_name: int(camp_name == winner) for camp_name in CAMPS}
    assert dict(game.outcome.sides)["prince"] == (
        PRINCE_SEAT,
        *(n for n in SEAT_NAMES if ROLES[n] in ("Princess", "Chef")),
    )
    assert GAME.debrief(Log(game.log), scores).headline


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Who is the Princess?", Question(PRINCESS_KIND)),
        ("who is the princess", Question(PRINCESS_KIND)),
        ("WHAT IS YOUR IDENTITY ?", Question(OWN_KIND)),
        ("What is the identity of Ada?", Question(OTHER_KIND, "Ada")),
        ("what is the identity of gustav", Question(OTHER_KIND, "Gustav")),
        ("What is the identity of the Prince?", None),
        ("What is the identity of Ada and Boris?", None),
        ("Who is the Queen?", None),
        ("Ada, who is the Princess?", None),
        ("", None),
    ],
)
def test_only_three_questions_are_questions(text, meant):
    assert find_question(text) == meant


@pytest.mark.parametrize(
    "value",
    [{"question": "Who are you?"}, {"name": "Ada", "question": "Who is the Princess?"}, {"answer": "x"}, {}],
)
def test_a_question_that_is_none_of_the_three_aborts(value):
    game = Game()
    with pytest.raises(NotInFormat):
        next(iter(game.master.open.values())).request.reply.parse(json.dumps({"thought": "", **value}))
    game.say(**value)
    assert (game.outcome.kind, game.outcome.seat) == (Ending.ABORTED, PRINCE_SEAT)
    assert score(Log(game.log)).side_seats["camp:prince"][0] == PRINCE_SEAT


@pytest.mark.parametrize("name", ["Prince", "Tom", "the Princess", "Ada or Boris", ""])
def test_naming_nobody_of_the_seven_aborts(name):
    game = Game()
    game.question_all()
    game.say(name="Ada", question="Who is the Princess?")
    game.say(answer="x")
    game.say(name=name)
    assert game.outcome.kind is Ending.ABORTED


PEOPLE = dict(zip(SEAT_NAMES, ("Princess", "Chef", "Queen", "Minister", "Guard", "Spy", "Maid"), strict=True))
WHO, MINE, OF_CLEO = Question(PRINCESS_KIND), Question(OWN_KIND), Question(OTHER_KIND, "Cleo")
READ = [  # who answers what to which question, and whether it is true: Ada is the Princess, Cleo the Queen
    ("Boris", WHO, "Ada is the Princess.", True),
    ("Boris", WHO, "ADA IS THE PRINCESS", True),
    ("Cleo", WHO, "Cleo is the Princess.", False),
    ("Cleo", WHO, "I am the Princess, of course!", False),
    ("Ada", WHO, "It's me.", True),
    ("Ada", WHO, "I'm the one: Ada.", True),
    ("Boris", WHO, "I am sure that Ada is the Princess.", None),
    ("Boris", WHO, "Ada or Cleo is the Princess.", None),
    ("Boris", WHO, "Cleo is not the Princess.", None),
    ("Boris", WHO, "Cleo isn’t the Princess.", None),
    ("Boris", WHO, "No, Ada is.", None),
    ("Boris", WHO, "She who sings.", None),
    ("Dora", MINE, "My identity is Minister.", True),
    ("Dora", MINE, "My identity is chef.", False),
    ("Dora", MINE, "I am the Chef or the Maid.", None),
    ("Dora", MINE, "I am nobody of importance, the Minister.", None),
    ("Dora", MINE, "I serve the Princess, I am the Minister.", None),
    ("Flora", OF_CLEO, "The identity of Cleo is Queen.", True),
    ("Flora", OF_CLEO, "The identity of Cleo is Princess.", False),
    ("Flora", OF_CLEO, "She's never been the Queen.", None),
    ("Flora", OF_CLEO, "Cleo is a good friend of mine.", None),
]


@pytest.mark.parametrize(("speaker", "question", "answer", "told"), READ)
def test_what_can_be_read_of_an_answer(speaker, question, answer, told):
    assert is_truthful(question, answer, speaker, PEOPLE) is told


def test_scripted_players_keep_their_camps_rule_and_the_record_says_so():
    for seed in range(3):
        for item in REGISTRY.select_instances("tofukingdom/roles/roles"):
            log = asyncio.run(play("tofukingdom", item, {"all": "scripted"}, seed=seed)).log
            scores = score(Log(log))
            assert scores.readable == len(scores.answers) == 8
            for seat, share in scores.camp_rule_kept.items():
                role = item.instance["roles"].get(seat, PRINCE_ROLE)
                owes = role in (*CAMPS["prince"][1:], *CAMPS["queen"])
                assert share == (1.0 if owes else None), (seat, role)


def test_answers_against_the_rule_are_noted_and_played_on():
    game = Game()
    for _ in SEAT_NAMES:
        game.say(question="Who is the Princess?")
        game.say(answer=f"{NAME['Princess']} is the Princess.")
    game.say(name=NAME["Queen"], question="What is your identity?")
    game.say(answer="I am not telling.")
    choice = game.master.reply(max(game.master.open), json.dumps({"thought": "", "name": "Ada"}))
    scores = score(Log(game.log + choice))
    assert {ROLES[seat]: share for seat, share in scores.camp_rule_kept.items() if share is not None} == {
        **dict.fromkeys(("Princess", "Chef"), 1.0),
        **dict.fromkeys(CAMPS["queen"], 0.0),
    }
    assert scores.readable == 7
    verdicts = [row["verdict"] for panel in make_board_panels(Log(game.log)) for row in panel.get("sayings", ())]
    assert {"true, as required", "true, against the rule", "true", "cannot be read"} == set(verdicts)


def test_the_prince_is_told_no_roles_and_nobody_reads_thoughts_of_others():
    game = Game()
    game.say(question="Who is the Princess?")
    told = {}
    for seat in GAME.seats:
        view = Conversation(seat)
        for event in game.log:
            view.apply(event)
        told[seat] = json.dumps(
            [[message.text() for message in view.messages], view.lines, view.pinned_exhibits, view.seat_states]
        )
    assert [seat for seat, text in told.items() if "canary-thought" in text] == [PRINCE_SEAT]
    for name, role in ROLES.items():
        assert f"{name} the {role}" in told["Ada"] and f"{name} the {role}" not in told[PRINCE_SEAT]
    assert not any(place["note"] for place in json.loads(told[PRINCE_SEAT])[3])


@pytest.mark.parametrize("reasoning", [False, True])
def test_all_are_told_to_reason_only_with_the_setting_and_what_they_reason_stays_private(reasoning):
    game = Game(settings={"reasoning": reasoning})

    def say(**value):
        [ask] = game.master.open.values()
        words = ask.request.reply.words()
        assert ('Write "thought" first.' in words) is reasoning
        assert ("it may be empty" in words) is not reasoning
        game.log += game.master.reply(ask.id, json.dumps({"thought": "canary", **value}))
        told = {event.seat for event in game.log if event.kind is Kind.TELL and "canary" in str(event.data)}
        assert not told

    for _ in SEAT_NAMES:
        say(question="Who is the Princess?")
        say(answer="I do as I like.")
    say(name="Ada", question="What is your identity?")
    say(answer="My identity is Chef.")
    say(name="Ada")
    assert game.outcome.kind is Ending.DECIDED


def test_an_empty_thought_is_accepted_with_the_setting_too():
    game = Game(settings={"reasoning": True})
    game.say(thought="", question="Who is the Princess?")
    assert game.outcome is None and game.asked in SEAT_NAMES


def test_the_prince_sees_nothing_that_depends_on_the_roles_before_the_first_answer():
    seen = set()
    for item in REGISTRY.select_instances("tofukingdom/roles/roles")[:5]:
        _, log = GameMaster.begin_episode(
            GAME, build_item_start(GAME, item, dict.fromkeys(GAME.seats, "scripted"), seed="same")
        )
        seen.add(json.dumps([[event.kind, event.data] for event in log if event.seat == PRINCE_SEAT], default=str))
    assert len(seen) == 1


def test_the_prince_reasons_over_who_may_lie():
    even = compute_princess_probabilities([])
    assert all(abs(chance - 1 / 7) < 1e-9 for chance in even.values())
    other = compute_princess_probabilities([("Ada", WHO, "Boris"), ("Cleo", WHO, "Cleo")])
    assert abs(sum(other.values()) - 1) < 1e-9
    assert other["Ada"] == 0 and other["Cleo"] > 1 / 7  # the Princess would have named herself
    own = compute_princess_probabilities([("Ada", MINE, "Queen"), ("Boris", WHO, "Cleo")])
    assert own["Ada"] == 0  # the Princess would not call herself the Queen


def test_camps_are_seated_and_counted_as_a_whole():
    seating = {"camp:prince": "scripted", "camp:queen": "random", "camp:spy": "random"}
    plan = Plan.from_selections(REGISTRY, ["tofukingdom/roles"], [seating])
    assert len(plan) == 20
    for planned in plan:
        roles = planned.start.instance["roles"]
        truthful_ones = {PRINCE_SEAT, *(name for name in SEAT_NAMES if roles[name] in CAMPS["prince"])}
        assert {seat for seat, who in planned.start.seats.items() if who == "scripted"} == truthful_ones
    with pytest.raises(BadPlan, match="nobody sits at camp:spy"):
        Plan.from_selections(REGISTRY, ["tofukingdom/roles"], [{"camp:prince": "random", "camp:queen": "random"}])
    mine = Plan.from_selections(
        REGISTRY, ["tofukingdom/roles"], [{"prince": "random", "camp:prince": "scripted", "all": "random"}]
    )
    assert {planned.start.seats[PRINCE_SEAT] for planned in mine} == {"random"}  # a bare name is always a seat
    start = next(iter(plan)).start
    sides = score(Log(Game().log)).side_seats
    assert (
        assign_sides(
            dict(start.seats), {f"camp:{c}": s for c, s in GAME.draw_sides(GAME.load(start.instance), None).items()}
        )
        == seating
    )
    assert set(sides) == set(seating)
