"""SpyFall: votes, ties and endings by hand, words that must not be said, chance level, sides, scripted players."""

import asyncio
import json
import math
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.condition import Condition
from engine.core.events import Ending, Kind
from engine.core.log import Log
from engine.core.master import GameMaster
from engine.core.player import Player, Reply
from engine.core.replies import NotAllowed, NotInFormat
from engine.core.scores import score_episode
from engine.core.sides import draw_side_seats
from engine.core.views import Conversation, SeatView
from engine.play.plan_checks import BadPlan
from engine.play.plans import Plan, build_item_start, compute_plan_key
from engine.play.registry import Registry
from engine.play.runner import play
from engine.storage.store import Store
from games.common.words import find_mention, list_word_forms
from games.spyfall import instances, knowledge
from games.spyfall.log_views import VoteResult, find_spy_assignment
from games.spyfall.rules import GAME, SEAT_NAMES
from games.spyfall.scores import CHANCE_BY_PLAYERS, average_by_pair, score

REGISTRY = Registry(Path(__file__).parents[2])
ITEM = REGISTRY.select_instances("spyfall/words/given")[1]  # lute and guitar


class Game:
    """One game played by hand: everybody describes alike, votes are given as {voter: name}."""

    def __init__(self, seed="seed", item=ITEM, **settings):
        start = build_item_start(GAME, item, dict.fromkeys(SEAT_NAMES, "scripted"), settings=settings, seed=seed)
        self.master, self.log = GameMaster.begin_episode(GAME, start)
        deal = find_spy_assignment(Log(self.log))
        self.spy, self.order = deal.spy, deal.order

    @property
    def asked(self):
        return {ask.request.seat: ask for ask in self.master.open.values()}

    def say(self, speak="It is known to many.", **more):
        """Let whoever is asked first say something."""
        ask = next(iter(self.master.open.values()))
        self.log += self.master.reply(ask.id, json.dumps({"thought": "", "speak": speak, **more}))
        return ask.request.seat

    def describe(self):
        while self.master.open and not self.voting():
            self.say()

    def voting(self):
        """Who may be named in the vote that is open, nobody otherwise."""
        form = next(iter(self.master.open.values())).request.reply.describe_form()
        return [option["value"] for field in form["fields"] for option in field.get("options", ())]

    def vote(self, votes):
        for _ in range(len(self.asked) if len(self.asked) > 1 else len(votes)):
            self.say(name=votes[next(iter(self.asked))])

    def round(self, votes):
        self.describe()
        self.vote(votes)

    def all_for(self, name):
        """Votes of all who are in for one; the one votes for whoever comes first."""
        out = {result.out for result in VoteResult.read(Log(self.log))}
        living = [other for other in self.order if other not in out]
        return {voter: name if voter != name else next(o for o in living if o != name) for voter in living}

    @property
    def villagers(self):
        return [name for name in self.order if name != self.spy]

    @property
    def outcome(self):
        return self.master.outcome


def test_the_villagers_win_when_the_spy_is_voted_out():
    game = Game()
    game.round(game.all_for(game.spy))
    assert (game.outcome.kind, game.outcome.winner) == (Ending.DECIDED, "villagers")
    scores = score_episode(Log(game.log), GAME)
    assert (scores["spy_win"], scores["spy_rounds"], scores["main_score"]) == (0, 1, None)
    assert scores["side_scores"] == {"spy": 0, "villagers": 100}
    assert scores["side_seats"]["side:spy"] == [game.spy]


@pytest.mark.parametrize(("settings", "rounds"), [({}, 4), ({"spy_wins_at": 3}, 3)])
def test_the_spy_wins_when_too_few_are_left(settings, rounds):
    game = Game(**settings)
    for name in game.villagers[:rounds]:
        assert game.outcome is None
        game.round(game.all_for(name))
    assert game.outcome.winner == "spy"
    assert (score(Log(game.log)).spy_win, score(Log(game.log)).spy_rounds) == (1, rounds)


def tied(game):
    """Votes that leave two villagers tied, three each; the first of the order votes for the second."""
    a, b = game.order[1], game.order[2]
    votes = {name: (a, b)[place % 2] for place, name in enumerate(game.order)}
    return votes | {a: b, b: a}, {a, b}


def test_a_tie_is_voted_on_once_more_by_all_among_the_tied_only():
    game = Game()
    votes, pair = tied(game)
    game.round(votes)
    second = [event for event in game.log if event.kind is Kind.NOTE and event.data["note"] == "out"]
    assert not second and set(game.voting()) == pair - set(game.asked)
    first = game.asked[game.order[0]]
    other = next(name for name in game.order if name not in {*pair, game.order[0]})
    with pytest.raises(NotAllowed, match="cannot be chosen now"):
        first.request.reply.parse(json.dumps({"thought": "", "speak": "x", "name": other}))
    winner = sorted(pair)[0]
    game.vote({name: winner if name != winner else (pair - {winner}).pop() for name in game.order})
    [result] = VoteResult.read(Log(game.log))
    assert (result.out, result.lots, result.round) == (winner, False, 1)
    assert result.votes == votes and list(result.again) == game.order


@pytest.mark.parametrize("secret_votes", [False, True])
def test_the_prompt_of_a_second_vote_names_one_player_or_several(secret_votes):
    game = Game(secret_votes=secret_votes)
    votes, pair = tied(game)
    game.round(votes)
    texts = {}
    for _ in game.order:
        [name, *_] = game.voting()
        ask = next(iter(game.asked.values()))
        texts[ask.request.seat] = ask.request.content
        game.say(name=name)
    for seat, text in texts.items():
        others = [name for name in game.order if name in pair and name != seat]
        if len(others) == 1:
            assert f"the only player you can name is {others[0]}." in text and "Who is" not in text
        else:
            assert f"Who is the spy? Name one of these players: {others[0]} and {others[1]}." in text
    assert sum("only player" in text for text in texts.values()) == 2


def test_a_second_tie_is_decided_by_the_seed_among_the_still_tied():
    drawn = set()
    for seed in range(12):
        game = Game(str(seed))
        votes, pair = tied(game)
        game.round(votes)
        game.vote(votes)
        [result] = VoteResult.read(Log(game.log))
        assert result.lots and result.out in pair
        drawn.add(game.order.index(result.out))
    assert drawn == {1, 2}


def test_tie_first_has_no_second_vote_and_takes_who_was_named_first():
    game = Game(tie="first")
    votes, _ = tied(game)
    game.round(votes)
    [result] = VoteResult.read(Log(game.log))
    assert (result.out, result.again, result.lots) == (votes[game.order[0]], None, False)


def test_secret_votes_are_asked_at_once_and_read_out_in_order():
    game = Game(secret_votes=True)
    game.describe()
    assert list(game.asked) == game.order
    before = len(game.log)
    for name in reversed(game.order):  # whatever the order of arrival
        ask = game.asked[name]
        value = {"thought": "", "speak": f"says {name}", "name": game.all_for(game.spy)[name]}
        game.log += game.master.reply(ask.id, json.dumps(value))
    said = [
        part["quote"]
        for event in game.log[before:]
        if event.kind is Kind.TELL
        for part in event.data["said"][:1]
        if "quote" in part
    ]
    assert list(dict.fromkeys(said)) == [f"says {name}" for name in game.order]


def test_who_is_out_hears_on_but_is_neither_asked_nor_votable():
    game = Game()
    gone = game.villagers[0]
    game.round(game.all_for(gone))
    game.describe()
    assert gone not in game.voting()
    view = Conversation(gone)
    for event in game.log:
        view.apply(event)
    assert view.open_ask is None and view.lines[-1]["who"] == "partner"
    assert {place["seat"]: place["state"] for place in view.seat_states}[gone] == "out"
    ask = next(iter(game.master.open.values()))
    game.log += game.master.reply(ask.id, json.dumps({"thought": "", "speak": "x", "name": gone.upper()}))
    assert (game.outcome.kind, game.outcome.reason) == (Ending.ABORTED, "not allowed")


BAD = [
    ("It is known.", NotInFormat),
    (json.dumps({"speak": "It is known."}), NotInFormat),
    (json.dumps({"thought": "", "speak": ""}), NotInFormat),
    (json.dumps({"thought": "", "speak": "x", "name": "Tom"}), NotInFormat),
    ('```json\n{"thought": "", "speak": "x"}\n```', NotInFormat),
]


@pytest.mark.parametrize(("text", "fault"), BAD)
def test_a_bad_reply_aborts_and_names_the_player(text, fault):
    game = Game()
    ask = next(iter(game.master.open.values()))
    with pytest.raises(fault):
        ask.request.reply.parse(text)
    game.log += game.master.reply(ask.id, text)
    assert (game.outcome.kind, game.outcome.seat) == (Ending.ABORTED, ask.request.seat)
    scores = score_episode(Log(game.log), GAME)
    assert scores["spy_win"] is None and GAME.debrief(Log(game.log), scores).headline


SEA_LION = instances.load(REGISTRY.select_instances("spyfall/words/given")[5].instance).spy.forms


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It is a SEA_LION.", True),
        ("sea-lions, of course", True),
        ("Sealion!", True),
        ("s e a lion", False),
        ("A lion of the sea.", False),
        ("It lives in the sea", False),
        ("The sea\nlion's den", True),
        ("sea\u00adlion", True),
    ],
)
def test_whole_words_count_in_any_spelling(text, said):
    assert (find_mention(text, SEA_LION) is not None) is said


def test_irregular_forms_and_parts_of_compounds():
    assert find_mention("Three mice!", list_word_forms("mouse", "mice")) and find_mention(
        "wolves", list_word_forms("wolf", "wolves")
    )
    assert find_mention("A maple.", list_word_forms("maple tree")) is None and find_mention(
        "foxes", list_word_forms("fox")
    )


@pytest.mark.parametrize("stage", ["describe", "vote"])
def test_saying_ones_own_word_aborts_in_either_stage(stage):
    game = Game()
    if stage == "vote":
        game.describe()
    speaker = next(iter(game.asked))
    own = GAME.load(ITEM.instance)
    word = (own.spy if speaker == game.spy else own.common).word
    other = (own.common if speaker == game.spy else own.spy).word
    more = {"name": game.voting()[0]} if stage == "vote" else {}
    game.say(f"It is no {other}.", **more)
    assert game.outcome is None  # another word may be said
    game.describe() if stage == "describe" else None
    game = Game()
    if stage == "vote":
        game.describe()
    game.say(f"It is like two {word}s.", **more)
    assert (game.outcome.kind, game.outcome.reason, game.outcome.seat) == (Ending.ABORTED, "not allowed", speaker)


def test_nobody_is_told_who_the_spy_is_and_thoughts_stay_private():
    game = Game()
    ask = next(iter(game.master.open.values()))
    canary = json.dumps({"thought": "canary-thought", "speak": "It is known."})
    game.log += game.master.reply(ask.id, canary)
    game.describe()
    game.vote(game.all_for(game.villagers[0]))
    told = {}
    for seat in SEAT_NAMES:
        view = Conversation(seat)
        for event in game.log:
            view.apply(event)
        told[seat] = json.dumps(
            [[message.text() for message in view.messages], view.lines, view.pinned_exhibits, view.seat_states]
        )
        assert ("canary-thought" in told[seat]) is (seat == ask.request.seat)
        own = GAME.load(ITEM.instance)
        assert ((own.spy.word in told[seat]), (own.common.word in told[seat])) == (seat == game.spy, seat != game.spy)
    plain = [told[seat].replace(own.spy.word, "W").replace(own.common.word, "W").count("spy") for seat in SEAT_NAMES]
    assert len(set(plain)) <= 2  # what is said of the spy is the same for all, but for the own ask and reply


def test_players_are_told_to_reason_only_with_the_setting_and_what_they_reason_stays_private():
    for reasoning in (False, True):
        game = Game(reasoning=reasoning)
        words = []
        for vote in (False, True):
            ask = next(iter(game.master.open.values()))
            words.append(ask.request.reply.words())
            assert ('Write "thought" first.' in words[-1]) is reasoning
            assert ("it may be empty" in words[-1]) is not reasoning
            more = {"name": game.voting()[0]} if vote else {}
            reply = {"thought": "canary-thought", "speak": "It is known.", **more}
            game.log += game.master.reply(ask.id, json.dumps(reply))
            told = [event.seat for event in game.log if event.kind is not Kind.REPLY and "canary" in str(event.data)]
            assert set(told) <= {ask.request.seat}
            game.describe()  # the others may leave the thought empty
        assert game.outcome is None and words[0] != words[1]


def test_the_setting_reasoning_makes_another_condition_only_when_it_is_on():
    seats = dict.fromkeys(SEAT_NAMES, "scripted")
    settings = ({}, {"reasoning": False}, {"reasoning": True})
    unset, off, on = (build_item_start(GAME, ITEM, seats, settings=chosen) for chosen in settings)
    assert compute_plan_key(unset) == compute_plan_key(off) != compute_plan_key(on)
    assert Condition.from_start(unset).id == Condition.from_start(off).id != Condition.from_start(on).id
    assert "reasoning" not in unset.settings  # as in episodes that were played before there was such a setting


@pytest.mark.slow
@pytest.mark.parametrize("spy_wins_at", [2, 3])
def test_uniformly_random_voters_reach_chance_level(spy_wins_at, tmp_path):
    """500 seeded games: win rate and mean rounds lie within a 99.9 % interval of the exact values."""
    n = 500
    wins = rounds = squares = 0
    for seed in range(n):
        game = Game(f"chance/{spy_wins_at}/{seed}", spy_wins_at=spy_wins_at)
        rng = Random(f"votes/{spy_wins_at}/{seed}")
        while game.master.open:
            ask = next(iter(game.master.open.values()))
            game.log += game.master.reply(ask.id, ask.request.reply.sample(rng))
        scores = score(Log(game.log))
        assert game.outcome.kind is Ending.DECIDED
        wins, rounds = wins + scores.spy_win, rounds + scores.spy_rounds
        squares += scores.spy_rounds**2
    rate, length = CHANCE_BY_PLAYERS[spy_wins_at]
    z = 3.2905
    spread = math.sqrt(squares / n - (rounds / n) ** 2)
    assert abs(wins / n - rate) < z * math.sqrt(rate * (1 - rate) / n)
    assert abs(rounds / n - length) < z * spread / math.sqrt(n)


def test_a_player_can_be_seated_at_a_whole_side(tmp_path):
    plan = Plan.from_selections(
        REGISTRY, ["spyfall/words"], [{"side:spy": "scripted", "side:villagers": "random"}], repeat=2
    )
    spies = []
    for planned in plan:
        sides = draw_side_seats(GAME, GAME.load(planned.start.instance), planned.start.seed)
        assert {planned.start.seats[seat] for seat in sides["spy"]} == {"scripted"}
        assert {planned.start.seats[seat] for seat in sides["villagers"]} == {"random"}
        spies += sides["spy"]
    assert len(plan) == 44 and set(spies) == set(SEAT_NAMES)
    assert len({planned.key for planned in plan}) == 44
    episode = asyncio.run(play("spyfall", "words/given/0", {"side:spy": "scripted", "all": "random"}))
    assert episode.master.start.seats[score(Log(episode.log)).spy] == "scripted"


def test_results_know_sides_and_pairs(tmp_path):
    from typer.testing import CliRunner

    from cli.main import app

    db = str(tmp_path / "log.db")
    run = ["run", "spyfall/words/given", "--seat", "side:spy=scripted", "--seat", "side:villagers=random", "--db", db]
    assert CliRunner().invoke(app, run).exit_code == 0
    made = CliRunner().invoke(app, ["results", "--format", "json", "--db", db]).stdout
    rows = json.loads(made)["rows"]
    assert [row["side"] for row in rows] == ["spy", "villagers"] and {row["n"] for row in rows} == {11}
    assert rows[0]["seats"] == {"side:spy": "scripted", "side:villagers": "random"}
    wrong = CliRunner().invoke(app, [*run[:2], "--seat", "side:spy=random", "--db", db])
    assert isinstance(wrong.exception, BadPlan) and "add --seat side:villagers=PLAYER" in str(wrong.exception)
    with Store(db) as store:
        found = [(row.seats, row.instance_id, score(Log(store.events(row.id)))) for row in store.episodes()]
    [pair] = average_by_pair(found)
    assert (pair["spy"], pair["villagers"], pair["n"], len(pair["instances"])) == ("scripted", "random", 11, 11)
    assert 0 <= pair["w"] <= 1 and 1 <= pair["l"] <= 4


def test_scripted_players_know_every_word_and_never_say_their_own():
    for pair in REGISTRY.experiments("spyfall", "words")["given"]:
        for word in (pair["spy"], pair["common"]):
            known = knowledge.look_up_knowledge(word["word"])
            assert len(known.vague_sentences) >= 6 and len(known.telling_sentences) >= 5
            for text in (*known.vague_sentences, *known.telling_sentences):
                assert find_mention(text, word["forms"]) is None, (word["word"], text)
                assert knowledge.judge_description(word["word"], text).weight >= 0, (word["word"], text)


def test_scripted_players_judge_what_people_say():
    """What is not so speaks against somebody, what is so for them, what is unknown for nothing."""
    weights = {
        "its fur has black stripes and it is from Asia": knowledge.MIN_WEIGHT,
        "A big cat with a great mane, king in Africa!": 1,
        "It has no stripes.": 0.5,
        "It has no mane.": -1,
        "My dad never let me see one.": 0,
        "Is it a lion perhaps?": knowledge.NAMED_WEIGHT,
        "Purple blargh": 0,
        "": 0,
    }
    assert {text: knowledge.judge_description("lion", text).weight for text in weights} == weights
    assert knowledge.judge_description("a word that is not in the table", "It has a mane.").weight == 0


def says(texts: list[str]) -> list[str]:
    """Return the replies of somebody who says these texts, and names one player after the other when they vote."""
    votes = [json.dumps({"thought": "", "speak": "A feeling.", "name": name}) for name in SEAT_NAMES * 2]
    return [line for text in texts for line in (json.dumps({"thought": "", "speak": text}), *votes)]


class Lines(Player):
    """Says lines in order."""

    instant = True

    def __init__(self, lines: list[str]) -> None:
        self._lines = list(lines)

    async def reply(self, view: SeatView) -> Reply:
        return Reply(self._lines.pop(0))


UTTERANCES = [
    json.loads(line)
    for line in (Path(__file__).parent / "utterances/spyfall.jsonl").read_text(encoding="utf-8").splitlines()
]


def play_with(role: str, seat: str, others: str, kind: str) -> list[tuple[str, Log]]:
    """Play games in which somebody says natural lines; return who the spy was, and the logs."""
    games = []
    for one in UTTERANCES:
        pairs = REGISTRY.experiments("spyfall", "words")
        where = next(
            f"words/{experiment}/{index}"
            for experiment, items in pairs.items()
            for index, item in enumerate(items)
            if item[role]["word"] == one["word"]
        )
        for seed in range(8):
            seats = {seat: Lines(says(one[kind])), others: "scripted"}
            log = asyncio.run(play("spyfall", where, seats, reprompt=40, seed=seed, registry=REGISTRY)).log
            games.append((score(Log(log)).spy, Log(log)))
    return games


def first_out(log: Log) -> str:
    """Return who is voted out first."""
    return str(log.notes("out")[0]["out"])


@pytest.mark.slow
def test_an_honest_villager_is_not_suspected_for_natural_words():
    """Somebody who describes the common word in their own words is out first in at most a quarter of the games."""
    games = [first_out(log) for spy, log in play_with("common", "Nancy", "all", "lines") if spy != "Nancy"]
    assert len(games) > 80 and games.count("Nancy") <= len(games) / 4


@pytest.mark.slow
def test_a_careful_spy_has_a_chance_and_a_plain_one_is_noticed():
    careful = [score(log).spy_win for _, log in play_with("spy", "side:spy", "side:villagers", "careful")]
    assert sum(careful) >= len(careful) / 4
    plain = [first_out(log) == spy for spy, log in play_with("spy", "side:spy", "side:villagers", "lines")]
    assert sum(plain) >= 0.35 * len(plain)


def test_scripted_villagers_find_who_describes_another_word():
    """Of games between scripted players, villagers win more than the two in three that random votes give them."""
    won = 0
    for index in range(11):
        for seed in range(4):
            episode = asyncio.run(play("spyfall", f"words/given/{index}", {"all": "scripted"}, seed=seed))
            won += 1 - score(Log(episode.log)).spy_win
    assert won > 44 * 2 / 3


def test_voters_give_reasons_of_their_own():
    """In one round no reason is heard twice, and none says the voter's word."""
    for seed in range(12):
        episode = asyncio.run(play("spyfall", "words/given/10", {"all": "scripted"}, seed=seed))
        rounds: list[list[str]] = [[]]
        for reply in Log(episode.log).replies():
            value = json.loads(reply.text)
            if "name" in value:
                rounds[-1].append(value["speak"])
            elif rounds[-1]:
                rounds.append([])
        assert all(len(set(reasons)) == len(reasons) for reasons in rounds), rounds
        assert len({reason for reasons in rounds for reason in reasons}) > 5


@given(st.text(max_size=300))
def test_any_description_is_judged(text):
    opinion = knowledge.judge_description("lion", text)
    assert knowledge.NAMED_WEIGHT <= opinion.weight <= knowledge.MAX_WEIGHT
