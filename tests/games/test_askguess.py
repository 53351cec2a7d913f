"""Ask-Guess: how games end, what counts as saying the word, and players that know 100 words."""

import asyncio
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))
from partner_figures import lines

from engine.core.events import Ending, Kind, to_json
from engine.core.log import Log
from engine.core.master import GameMaster, build_start_event
from engine.core.replies import AmbiguousReply, NotInFormat
from engine.core.scores import score_episode
from engine.core.views import Conversation
from engine.play.registry import Registry
from games.askguess import instances
from games.askguess.answering import Answerer
from games.askguess.board import make_board_panels
from games.askguess.judging import ANSWERER_SEAT, QUESTIONER_SEAT
from games.askguess.listening import read_degree
from games.askguess.replies import QUESTION_FORMAT, make_answer_format, make_verdict_format
from games.askguess.scores import find_ending_code, score, summarise
from games.askguess.scripted import Scripted, WordSearch
from games.askguess.vocabulary import read_attributes, read_facts, read_words
from games.common.language.facts import Degree
from games.common.language.predicates import read_question
from games.common.words import find_mention, list_word_forms

ROOT = Path(__file__).parents[2]
UTTERANCES = Path(__file__).parent / "utterances"
REGISTRY = Registry(ROOT)
GAME = REGISTRY.game("askguess")
ANSWER, VERDICT = make_answer_format(GAME.prompts), make_verdict_format(GAME.prompts)
SEA_LION = {"word": "sea lion", "forms": list_word_forms("sea lion")}


def instance(word):
    return SEA_LION if word == "sea lion" else {"word": word, "forms": read_words()[word].forms}


def begin(word, variant="undescribed"):
    start = build_start_event(
        GAME,
        ludens="test",
        variant=variant,
        experiment="cifar",
        instance=instance(word),
        instance_id="test",
        seats=dict.fromkeys(GAME.seats, "recorded/test"),
    )
    return GameMaster.begin_episode(GAME, start)


def play(word, replies, variant="undescribed"):
    master, log = begin(word, variant)
    for text in replies:
        log += master.reply(min(master.open), text)
    return master, log


# How games end


Q = "Is it alive?"
ENDINGS = [
    # word, variant, replies, ending, rounds
    ("lion", "undescribed", ["Is it a lion?", "Gameover!"], "ST", 1),
    ("lion", "undescribed", ["Is it a lion?", "Yes, game over."], "ST", 1),
    ("lion", "undescribed", ["LIONS, perhaps", "That is right: GAME-OVER"], "ST", 1),
    ("lion", "undescribed", [Q, "Yes.", "A lion's mane?", "gameover"], "ST", 2),
    ("lion", "undescribed", [Q, "gameover"], "EE", 1),
    ("lion", "undescribed", ["Is it a lion?", "Yes.", "So it is?", "Gameover!"], "EE", 2),
    ("lion", "undescribed", ["Is it a lion?", "Yes.", "Then it is a lion?", "Gameover!"], "ST", 2),
    ("lion", "undescribed", ["Is it a sealion?", "gameover"], "EE", 1),
    ("lion", "undescribed", [Q, "Lions are, yes."], "AME", 1),
    ("lion", "undescribed", [Q, "Yes: the king, the lion"], "AME", 1),
    ("lion", "undescribed", [Q, "It is a Lion."], "AME", 1),
    ("lion", "undescribed", ["Is it a lion?", "Yes, a lion, gameover"], "ST", 1),
    ("lion", "undescribed", [Q, "A lion, gameover"], "EE", 1),
    ("mouse", "undescribed", [Q, "Yes, mice are small."], "AME", 1),
    ("mouse", "undescribed", ["Are they mice?", "Gameover."], "ST", 1),
    ("wolf", "undescribed", [Q, "Wolves live in packs."], "AME", 1),
    ("woman", "undescribed", ["Do women count?", "gameover"], "ST", 1),
    ("sea lion", "undescribed", ["A sea lion?", "gameover"], "ST", 1),
    ("sea lion", "undescribed", ["A sealion?", "gameover"], "ST", 1),
    ("sea lion", "undescribed", ["A sea_lion?", "gameover"], "ST", 1),
    ("sea lion", "undescribed", ["A sea-lion?", "gameover"], "ST", 1),
    ("sea lion", "undescribed", ["A lion from the sea?", "gameover"], "EE", 1),
    ("sea lion", "undescribed", [Q, "Sea lions are."], "AME", 1),
    ("maple tree", "undescribed", ["Is it a maple?", "gameover"], "EE", 1),
    ("maple tree", "undescribed", ["Is it a maple tree?", "gameover"], "ST", 1),
    ("tin can", "undescribed", [Q, "You can open it.", "Is it a can?", "gameover"], "ST", 2),
    ("tin can", "undescribed", [Q, "Open the can."], "AME", 1),
    ("tin can", "undescribed", ["Can I eat it?", "gameover"], "EE", 1),
    ("tin can", "undescribed", ["Do cans rust?", "gameover"], "ST", 1),
    ("pickup truck", "undescribed", ["Is it a pick-up truck?", "gameover"], "ST", 1),
    ("lion", "undescribed", [Q, "Yes."] * 30, "RLE", 30),
    ("lion", "undescribed", [Q, "Yes."] * 29 + ["A lion?", "gameover"], "ST", 30),
    ("lion", "described", ["It roars. Gameover!"], "EE", 0),
    ("lion", "described", ["Lion: it roars. Gameover!"], "EE", 0),
    ("lion", "described", ["The lion roars."], "AME", 0),
    ("lion", "described", ["It roars.", "A lion?", "gameover"], "ST", 1),
    ("lion", "described", ["It roars.", "A tiger?", "gameover"], "EE", 1),
    ("lion", "yes-no", ["A lion?", "gameover!"], "ST", 1),
    ("lion", "yes-no", ["A lion?", "Yes.", "Really?", "GAMEOVER"], "EE", 2),
    ("lion", "yes-no", [Q, "no"] * 30, "RLE", 30),
]


@pytest.mark.parametrize(("word", "variant", "replies", "ending", "rounds"), ENDINGS)
def test_how_a_game_ends(word, variant, replies, ending, rounds):
    master, log = play(word, replies, variant)
    scores = score_episode(Log(log), GAME)
    kinds = {"ST": Ending.SUCCESS, "EE": Ending.LOSE, "RLE": Ending.LOSE, "AME": Ending.ABORTED}
    assert (scores["ending"], scores["rounds"], master.outcome.kind) == (ending, rounds, kinds[ending])
    assert scores["main_score"] == {"ST": 100, "EE": 0, "RLE": 0, "AME": None}[ending]


def test_a_guess_that_does_not_end_the_game_is_recorded():
    _, log = play("lion", ["A lion?", "Yes.", Q, "Yes.", "The lion?", "No.", "Lion!", "gameover"])
    assert score(Log(log)).missed_guesses == [1, 3]
    assert [event.data["round"] for event in log if event.kind is Kind.NOTE] == [1, 3]


def test_open_games_and_faults_of_form_have_no_ending():
    _, log = play("lion", [Q])
    assert find_ending_code(Log(log)) is None
    _, aborted = play("lion", [Q, "maybe"], "yes-no")
    assert find_ending_code(Log(aborted)) is None and score(Log(aborted)).main_score is None


def test_shares_are_of_all_episodes_and_rounds_of_successful_ones():
    ended = [{"ending": "ST", "rounds": 3}, {"ending": "ST", "rounds": 4}, {"ending": "EE", "rounds": 30}]
    shares = summarise([*ended, {"ending": "AME", "rounds": 1}, None])
    assert shares == {"ST %": 40, "EE %": 20, "RLE %": 0, "AME %": 20, "CE %": 20, "rounds to ST": 3.5}
    assert set(summarise([]).values()) == {None}


# Replies


@pytest.mark.parametrize("text", ["yes", "No", "GAMEOVER", "yes.", "no!", "Gameover!", " yes \n"])
def test_terse_answers(text):
    assert VERDICT.parse(text) == text.strip(" .!\n").casefold()


@pytest.mark.parametrize("text", ["Yes, it is", "yes!.", "game over", "y", "", "yes?", "It is."])
def test_what_is_no_terse_answer(text):
    with pytest.raises(NotInFormat):
        VERDICT.parse(text)


def test_yes_and_no_at_once_is_ambiguous():
    with pytest.raises(AmbiguousReply):
        VERDICT.parse("yes and no")


def test_a_reply_is_one_paragraph():
    assert ANSWER.parse("Yes.\nIt is.") == "Yes.\nIt is."
    for text in ("Yes.\n\nIt is.", "Yes.\n \nIt is.", "", "?!"):
        with pytest.raises(NotInFormat):
            ANSWER.parse(text)
    with pytest.raises(NotInFormat):
        QUESTION_FORMAT.parse("Is it big?\nOr small?")


def test_the_answer_form_offers_phrases_in_front_of_other_words():
    field = ANSWER.describe_form()["fields"][0]
    assert [(phrase["value"], phrase["label"]) for phrase in field["phrases"]] == [
        ("Yes.", "Yes"),
        ("No.", "No"),
        ("Gameover!", "Correct, that is the word"),
    ]
    [choice] = VERDICT.describe_form()["fields"]
    assert choice["options"][-1] == {"value": "gameover", "label": "Correct, that is the word"}
    assert all(phrase["joins"] for phrase in field["phrases"])
    assert QUESTION_FORMAT.describe_form()["fields"][0]["kind"] == "text"


# What each side sees


def test_the_questioner_is_never_told_the_word():
    for variant in ("described", "undescribed", "yes-no"):
        first = ["An animal with a mane."] if variant == "described" else []
        _, log = play("porcupine", [*first, Q, "Yes", *[Q, "no"] * 3], variant)
        seen = Conversation(QUESTIONER_SEAT)
        for event in log:
            seen.apply(event)
        assert "porcupine" not in to_json(
            [seen.lines, seen.pinned_exhibits, [message.parts for message in seen.messages]]
        )
        assert "porcupine" in to_json([event.data for event in log if event.seat == ANSWERER_SEAT])
        word_panel, rounds_panel = make_board_panels(Log(log))
        assert word_panel["grid"] == "porcupine"
        assert [1, Q, "Yes"] in rounds_panel["listing"]["rows"] or variant == "yes-no"


def test_the_questioner_is_told_to_use_few_questions_and_not_what_kind_of_thing_the_word_is():
    _, log = begin("porcupine")
    task = next(event.data["said"][0]["text"] for event in log if event.seat == QUESTIONER_SEAT)
    assert "as few questions as possible" in task
    assert not any(kind in task for kind in ("thing", "living", "animal", "nature"))


# The words


def test_the_hundred_words_ship_in_all_variants():
    names = {data["word"] for data in REGISTRY.experiments("askguess", "yes-no")["cifar"]}
    assert len(names) == 100 and names == set(read_words())
    for variant in ("described", "undescribed", "yes-no"):
        found = REGISTRY.experiments("askguess", variant)["cifar"]
        assert json.loads(instances.make_file(variant))["experiments"]["cifar"] == found
        assert all(instances.check("cifar", instances.load(data)) is None for data in found)


def test_no_word_is_a_mention_of_another():
    for one, two in itertools.permutations(read_words().values(), 2):
        assert find_mention(one.name, two.forms) is None


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({"word": "lion", "forms": ["tiger"]}, "itself is missing"),
        ({"word": "lion", "forms": ["Lion"]}, "small letters"),
        ({"word": "lion"}, "required"),
    ],
)
def test_an_instance_that_cannot_be_played_is_named(data, why):
    with pytest.raises(ValueError, match=why):
        instances.load(data)


# Players


def test_every_two_words_differ_in_something_clear():
    for pair in itertools.combinations(read_words(), 2):
        truths = [{attribute.truth_of(word) for word in pair} for attribute in read_attributes().values()]
        assert {Degree.YES, Degree.NO} in truths, pair


def test_no_scripted_reply_says_the_word():
    for name, word in read_words().items():
        holder = Answerer(name, False)
        said = [
            holder.describe_word(),
            *(holder.answer_question(attribute.question) for attribute in read_attributes().values()),
        ]
        said += [
            holder.answer_question(question)
            for question in ("What is it?", "Where does it live?", "What colour is it?")
        ]
        for text in said:
            assert find_mention(text, word.forms) is None or text == "Gameover!", (name, text)


@pytest.mark.parametrize("variant", ["described", "undescribed", "yes-no"])
def test_the_scripted_players_find_every_word(variant):
    rounds = []
    for name in read_words():
        master, log = begin(name, variant)
        views = {seat: Conversation(seat) for seat in GAME.seats}
        told = 0
        while master.open:
            for event in log[told:]:
                for view in views.values():
                    view.apply(event)
            told = len(log)
            [(ask, waiting)] = master.open.items()
            seat = waiting.request.seat
            reply = asyncio.run(Scripted(seat).reply(views[seat].view(lambda asset: None)))
            log += master.reply(ask, reply.text)
        scores = score(Log(log))
        assert scores.ending == "ST", name
        rounds.append(scores.rounds)
    assert sum(rounds) / 100 < (3 if variant == "described" else 9)


UNDERSTOOD = [
    ("whale", "does it live in the sea?", "Yes."),
    ("whale", "Is it bigger than an elephant?", "Yes."),
    ("whale", "is it a fish", "No."),
    ("lion", "Is it a big cat?", "Yes."),
    ("lion", "Does it live in Africa?", "Yes."),
    ("lion", "Is it a lion?", "Gameover!"),
    ("lion", "Is it a tiger?", "No."),
    ("lion", "Is it bigger than a mouse?", "Yes."),
    ("lion", "Does it start with an L?", "Yes."),
    ("lion", "Is it an animal or a plant?", "It is an animal."),
    ("tiger", "Is it orange?", "Yes."),
    ("orange", "Is it orange?", "Gameover!"),
    ("house", "Does it live in a house?", "No."),
    ("house", "Could it be a house?", "Gameover!"),
    ("sea", "Does it live in the sea?", "No."),
    ("couch", "Is it a sofa?", "Yes, but I know it by another name."),
    ("couch", "Can I sit on it?", "Yes."),
    ("couch", "Is it an animal or a plant?", "Neither."),
    ("clock", "Would it fit in a pocket?", "No."),
    ("cup", "Would I find it in the kitchen?", "Yes."),
    ("cup", "Can you drink from it?", "Yes."),
    ("cup", "Is it bigger than a car?", "No."),
    ("apple", "Can you eat it?", "Yes."),
    ("apple", "How big is it?", "About 8 centimetres."),
    ("bee", "How many legs does it have?", "It has more than four legs."),
    ("lamp", "Is it electric?", "Yes."),
    ("wardrobe", "Can you wear it?", "No."),
    ("maple tree", "Is it a maple?", "Yes, but I know it by another name."),
    ("bicycle", "Is it used by humans?", "Yes."),
    ("bicycle", "Is it a thing I could eat?", "No."),
    ("boy", "Is it a human?", "Yes."),
    ("boy", "Is it a boy or a girl?", "Gameover!"),
    ("oak tree", "Is it more than one word?", "Yes."),
    ("bee", "Is it an animal that flies?", "Yes."),
    ("lion", "Is it an animal that flies?", "No."),
    ("trout", "Who was its first president?", "I did not understand the question."),
    ("trout", "Blargh?", "I am not sure about “blargh”."),
    ("wolf", "Does it live in packs?", "Yes."),
    ("road", "Do cars drive on it?", "Yes."),
    ("road", "Do you drive it?", "No."),
    ("cup", "Do you drink it?", "No."),
    ("pear", "Is it green or yellow?", "Yes."),
    ("poppy", "Is it red or blue?", "Yes, it is red."),
    ("bottle", "Could it be made of plastic?", "It can be."),
    ("elephant", "Is it an animal without legs?", "No."),
    ("snake", "Is it an animal without legs?", "Yes."),
    ("bee", "Is it yellow and black?", "Yes."),
    ("castle", "Does it have towers and a moat?", "Yes."),
    ("castle", "Does it have towers and wheels?", "No."),
    ("shark", "Is it a hammer?", "No."),
    ("table", "Is it a violin?", "No."),
    ("table", "Does it have antlers?", "No."),
    ("wolf", "Does it have a keyboard?", "No."),
    ("wolf", "Does it like jazz?", "I am not sure about “like jazz”."),
    ("wolf", "Ok then, hmm, so does it live in packs, maybe?", "Yes."),
    ("tractor", "It has big wheels, right?", "Yes."),
    ("tractor", "It's loud, isn't it?", "Yes."),
    ("whale", "Is it longer than 3 metres?", "Yes."),
]


@pytest.mark.parametrize(("word", "question", "answer"), UNDERSTOOD)
def test_the_answerer_understands_a_person(word, question, answer):
    assert Answerer(word, False).answer_question(question) == answer
    terse = Answerer(word, True).answer_question(question)
    assert terse == {"Yes.": "yes", "No.": "no", "Gameover!": "gameover"}.get(answer, terse)
    assert VERDICT.parse(terse)


@pytest.mark.parametrize(
    ("answer", "truth"),
    [
        ("Yes!", Degree.YES),
        ("yep", Degree.YES),
        ("It does.", Degree.YES),
        ("Of course, and no doubt about it", Degree.YES),
        ("No.", Degree.NO),
        ("It isn't", Degree.NO),
        ("it doesn’t", Degree.NO),
        ("Nope, it is a plant", Degree.NO),
        ("Not really", Degree.HARDLY),
        ("Sometimes.", Degree.RATHER),
        ("More or less.", Degree.RATHER),
        ("Hardly.", Degree.HARDLY),
        ("I cannot tell.", None),
        ("I don't know, maybe", None),
        ("I'm not sure.", None),
        ("I don't get the question", None),
        ("What do you mean?", None),
        ("hmm", None),
        ("Sorry, no.", Degree.NO),
        ("Purple", None),
    ],
)
def test_the_questioner_understands_answers(answer, truth):
    assert read_degree(answer) is truth


@pytest.mark.parametrize("line", ["I don't get the question", "hmm", "what do you mean?", "sorry?"])
def test_who_asks_back_is_asked_in_other_words(line):
    search, rng = WordSearch(), Random(1)
    first = search.choose_question(rng)
    search.process_answer(first, line)
    assert len(search.words_left) == 100, "it is no answer"
    second = search.choose_question(rng)
    assert first == "Is it an animal?" and second == "Is it right to say: “It is an animal.”?"
    assert Answerer("tiger", False).answer_question(second) == "Yes."
    answered, unanswered = WordSearch(), search
    for question, answer in ((first, line), (second, "yes")):
        answered.process_answer(question, answer)
    assert 1 < len(answered.words_left) < 50
    unanswered.process_answer(second, line)
    assert unanswered.choose_question(rng) not in (first, second)
    assert Answerer("tiger", False).answer_question(line).startswith("Ask me something about my word")


def test_the_questioner_forgives_one_wrong_answer_and_asks_again_for_the_end():
    word_search, holder, wrong = WordSearch(), Answerer("tiger", True), {2}
    for number in range(1, 30):
        question = word_search.choose_question(Random(number))
        if "tiger" in question:
            break
        answer = holder.answer_question(question)
        word_search.process_answer(question, {"yes": "no", "no": "yes"}[answer] if number in wrong else answer)
    assert "tiger" in question
    word_search.process_answer(question, "Yes!")
    for _ in range(2):
        assert word_search.choose_question(Random(1)) == "Then please end the game: is it a tiger?"
        word_search.process_answer(word_search.choose_question(Random(1)), "Yes!")
    assert "tiger" not in word_search.choose_question(
        Random(1)
    )  # somebody who never ends the game was mistaken about it


def test_the_questioner_makes_use_of_a_description():
    word_search = WordSearch()
    word_search.process_description("It is a big wild cat with stripes, and it does not live in Africa.")
    assert word_search.words_left == ["tiger"]


JUDGED = lines("askguess")


@pytest.mark.processes
def test_an_answer_does_not_depend_on_the_order_of_sets():
    """Another PYTHONHASHSEED gives the same answers."""
    code = (
        "import json,sys; from games.askguess.answering import Answerer\n"
        "for line in open(sys.argv[1]): "
        "one = json.loads(line); print(Answerer(one['word'], False).answer_question(one['ask']))"
    )
    command = [sys.executable, "-c", code, UTTERANCES / "askguess.jsonl"]
    outputs = {
        subprocess.run(
            command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(outputs) == 1 and outputs.pop().count("\n") == len(JUDGED)


def test_the_facts_contradict_no_attribute():
    """Where both tables know what a question asks, one never says yes where the other says no."""
    for attribute in read_attributes().values():
        options = read_question(attribute.question).options
        if len(options) == 1 and len(options[0]) == 1 and "mostly" not in attribute.question:
            if fact := read_facts().find(options[0][0].readings[0]):
                truths = {word: {attribute.truth_of(word), fact.truth_of(word)} for word in read_words()}
                wrong = [word for word, both in truths.items() if both == {Degree.YES, Degree.NO}]
                assert not wrong, (attribute.name, wrong)


@pytest.mark.parametrize("unit", ["or ", "is it ", "that can ", "eat or and ", "is it of ", "have to "])
def test_questions_that_say_nothing_are_answered(unit):
    for question in (f"is it {unit}", f"is it {unit * 9}", f"does it {unit * 9}?", unit):
        assert ANSWER.parse(Answerer("lion", False).answer_question(question))


@given(st.text(max_size=300), st.sampled_from(sorted(read_words())))
def test_whatever_is_asked_is_answered(question, word):
    assert VERDICT.parse(Answerer(word, True).answer_question(question))
    assert ANSWER.parse(Answerer(word, False).answer_question(question))
    word_search = WordSearch()
    word_search.process_description(question)
    word_search.process_answer("Is it an animal?", question)
    assert word_search.words_left
