"""The reference game: instances, replies, scripted speaker and listener, scores, and what a listener must not see."""

import asyncio
import io
import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from engine.core.events import Ending
from engine.core.log import Log
from engine.core.master import GameMaster, build_start_event
from engine.core.replies import AmbiguousReply, NotInFormat
from engine.core.views import Conversation
from engine.play.episode import Episode, NullSink
from engine.play.plans import build_item_start
from engine.play.registry import Registry
from engine.results.published import find_matching_rows
from engine.storage.ids import make_id
from games.common import grids, pentomino
from games.common.pictures import LIBRARY
from games.reference import board, clembench, experiments, instances
from games.reference.debrief import GAME_FOLDER, debrief
from games.reference.layout import PLACES, SPEAKER_ASSETS
from games.reference.native import NativeFormats
from games.reference.scores import score
from games.reference.talkers.board_sight import BoardSight
from games.reference.talkers.grid_sight import GridSight
from games.reference.talkers.photo_sight import PhotoSight
from games.reference.talkers.sight import describe_target, find_best_sight, make_sight

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT.parent / "shared" / "published"
REGISTRY = Registry(ROOT)
GAME = REGISTRY.game("reference")
SHIPPED = {variant: REGISTRY.experiments("reference", variant) for variant in ("text", "picture")}


def begin(data, variant="text", **rest):
    start = build_start_event(
        GAME,
        ludens="test",
        variant=variant,
        experiment="rows",
        instance=data,
        instance_id="test",
        seats=dict.fromkeys(GAME.seats, "recorded/test"),
        **rest,
    )
    return GameMaster.begin_episode(GAME, start)


def play(data, *replies, variant="text", **rest):
    """Return the GameMaster and the log after these replies."""
    master, log = begin(data, variant, **rest)
    for text in replies:
        log += master.reply(min(master.open), text)
    return master, log


def view(log, seat):
    seen = Conversation(seat)
    for event in log:
        seen.apply(event)
    return seen


# Instances


@pytest.mark.parametrize("variant", ["text", "picture"])
def test_every_experiment_has_thirty_instances_with_the_target_ten_times_at_each_place(variant):
    assert list(SHIPPED[variant]) == list(experiments.EXPERIMENTS[variant])
    for name, found in SHIPPED[variant].items():
        made = [instances.load(data) for data in found]
        assert Counter(instance.answer for instance in made) == dict.fromkeys(PLACES, 10)
        assert not [why for instance in made if (why := instances.check(name, instance))]
        triples = {(str(one.items[0]), frozenset(map(str, one.items))) for one in made}
        assert len(triples) == 30
        assert (len({str(one.items[0]) for one in made}) == 1) == name.endswith("-static")


def test_a_grid_and_its_picture_are_the_same_grid():
    assert {name: SHIPPED["picture"][name] for name in experiments.GRID_EXPERIMENTS} == SHIPPED["text"]
    for data in (found[7] for found in SHIPPED["text"].values()):
        instance = instances.load(data)
        for place, number in zip(PLACES, instance.listener, strict=True):
            drawn = board.make_picture(instance, place)
            pixels = Image.open(io.BytesIO(drawn.data)).convert("L")
            middle = board.GRID_MARGIN + board.CELL_PIXELS // 2
            dark = [
                (row, column)
                for row, column in grids.GRID_CELLS
                if pixels.getpixel((middle + column * board.CELL_PIXELS, middle + row * board.CELL_PIXELS)) < 128
            ]
            assert grids.format_grid(grids.grid_of(dark)) == instance.texts[number] == drawn.description["grid"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"listener": [0, 1, 1]}, "each of 0, 1 and 2"),
        ({"target": "X X\nX X"}, "5 lines"),
        ({"distractors": ["▢ ▢ ▢ ▢ ▢\n" * 4 + "▢ ▢ ▢ ▢ ▢"] * 2}, "must differ"),
        ({"kind": "photo", "target": "rooms/nowhere-1"}, "rooms/nowhere-1"),
    ],
)
def test_a_broken_instance_is_refused_with_the_field_named(change, said):
    with pytest.raises(ValueError, match=said):
        instances.load(SHIPPED["text"]["rows"][0] | change)


# Replies

ANSWERS = [
    ("Answer: first", "first"),
    ("answer:second", "second"),
    ("ANSWER: Third.", "third"),
    ("Answer: 1", "first"),
    ("Answer: 2nd", "second"),
    ("  Answer: 3rd grid .  ", "third"),
    ("Answer: first image", "first"),
    ("Answer: 2 picture.", "second"),
    ("Answer: 1st Picture", "first"),
]


@pytest.mark.parametrize(("text", "place"), ANSWERS)
def test_accepted_spellings_of_an_answer(text, place):
    assert all(NativeFormats(GAME.prompts, noun).answer_format.parse(text) == place for noun in ("grid", "picture"))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("first", NotInFormat),
        ("Answer: fourth", NotInFormat),
        ("Answer: 11", NotInFormat),
        ("Answer: The first.", NotInFormat),
        ("Answer: first\nbecause it is red", NotInFormat),
        ("Answer: first or second", AmbiguousReply),
    ],
)
def test_invalid_answers_are_refused(text, fault):
    with pytest.raises(fault):
        NativeFormats(GAME.prompts, "picture").answer_format.parse(text)


def test_an_expression_is_one_line_and_relayed_without_its_tag():
    data = SHIPPED["text"]["rows"][0]
    for bad in ("the red one", "Expression:", "Expression: one\ntwo"):
        master, log = play(data, bad)
        assert (master.outcome.kind, master.outcome.seat) == (Ending.ABORTED, "speaker")
        found = score(Log(log)).as_json()
        assert (found["main_score"], found["aborted_at"], found["expression_words"]) == (None, "speaker", None)
    _, log = play(data, "EXPRESSION:  not the dark one ")
    assert "Expression: not the dark one\n" in view(log, "listener").messages[0].text()


# What a listener sees


@pytest.mark.parametrize(("variant", "name"), [("text", "shapes"), ("picture", "pentomino"), ("picture", "rooms")])
def test_what_a_listener_sees_does_not_depend_on_the_target(variant, name):
    data = SHIPPED[variant][name][0]
    one, other = data["distractors"]
    heard = [instances.load(data).items[number] for number in data["listener"]]
    swapped = {**data, "target": one, "distractors": [data["target"], other]}
    swapped["listener"] = [{0: 1, 1: 0}.get(number, number) for number in data["listener"]]
    assert [instances.load(swapped).items[number] for number in swapped["listener"]] == heard
    logs = [play(each, "Expression: this one", variant=variant)[1] for each in (data, swapped)]
    views = [view(log, "listener") for log in logs]
    for part in ("messages", "open_ask", "pinned_exhibits", "lines"):
        assert getattr(views[0], part) == getattr(views[1], part)
    assert "target" not in json.dumps(views[0].pinned_exhibits)
    drawn = [[board.make_picture(instances.load(each), place) for place in PLACES] for each in (data, swapped)]
    assert drawn[0] == drawn[1]
    speaker = [pin for pin in view(logs[0], "speaker").pinned_exhibits if pin.get("marked")]
    assert len(speaker) == 1 and "target" in speaker[0]["title"]


# The scripted players


def sights(instance):
    return [
        make_sight(instance.texts[number] if instance.texts else board.make_picture(instance, name).description)
        for number, name in enumerate(SPEAKER_ASSETS)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", experiments.TITLE_BY_EXPERIMENT)
def test_the_scripted_player_does_far_better_than_chance_with_itself(name):
    found = SHIPPED["picture"][name]
    right = 0
    for number, data in enumerate(found):
        seen = sights(instances.load(data))
        said = describe_target(seen[0], seen[1:])
        order = data["listener"]
        right += order[find_best_sight(said, [seen[place] for place in order], Random(number))] == 0
    assert right >= 27


@pytest.mark.parametrize(("variant", "name"), [("text", "random"), ("picture", "objects")])
def test_the_scripted_speaker_ignores_the_place_of_the_target(variant, name):
    async def go(item, place):
        start = build_item_start(GAME, item, dict.fromkeys(GAME.seats, "scripted"), settings={"target_at": place})
        players = {seat: REGISTRY.player("scripted", "reference", seat, None) for seat in GAME.seats}
        episode = await Episode.begin_episode(make_id(), GAME, start, players, NullSink())
        await episode.play()
        return score(Log(episode.log)).as_json()

    for item in REGISTRY.select_instances(f"reference/{variant}/{name}")[:4]:
        played = [asyncio.run(go(item, place)) for place in PLACES]
        assert played[0]["main_score"] == 100
        assert len({each["expression"] for each in played}) == 1


def grid(*rows):
    return grids.format_grid(
        grids.grid_of({(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "X"})
    )


ROW = {"X": "XXXXX", ".": "....."}
ROWS = {name: grid(*(ROW[sign] for sign in name)) for name in (".X..X", ".XX.X", "XX.XX", ".XXXX", "X.XXX")}
LETTERS = {pattern.name[-1]: grids.format_grid(pattern.grid) for pattern in grids.patterns("letters")}
DOWN = grid("X....", ".X...", "..X..", "...X.", "....X")
UP = grid("....X", "...X.", "..X..", ".X...", "X....")


@pytest.mark.parametrize(
    ("said", "meant", "others"),
    [
        ("second row is empty", ROWS["X.XXX"], (ROWS["XX.XX"], ROWS[".XXXX"])),
        ("The grid with an X-filled top row, X-filled second row, empty third row.", ROWS["XX.XX"], (ROWS["X.XXX"],)),
        ("all rows are filled except the third", ROWS["XX.XX"], (ROWS["X.XXX"], ROWS[".XXXX"])),
        ("only the second and the last row are full", ROWS[".X..X"], (ROWS[".XX.X"], ROWS[".XXXX"])),
        ("rows 2 and 5 filled, the rest empty", ROWS[".X..X"], (ROWS[".XX.X"], ROWS[".XXXX"])),
        ("the top row is missing", ROWS[".XXXX"], (ROWS["X.XXX"], ROWS["XX.XX"])),
        ("the centre is empty", ROWS["XX.XX"], (ROWS["X.XXX"], ROWS[".XXXX"])),
        ("left column and bottom row filled", LETTERS["L"], (LETTERS["T"], LETTERS["J"])),
        ("it looks like an L", LETTERS["L"], (LETTERS["T"], LETTERS["J"])),
        ("like the letter p", LETTERS["P"], (LETTERS["R"], LETTERS["B"])),
        ("the big X", LETTERS["X"], (DOWN, UP)),
        ("one diagonal from top left to bottom right", DOWN, (LETTERS["X"], UP)),
        (
            "filled cells along the anti-diagonal from the top right corner to the bottom left, all other cells empty",
            UP,
            (LETTERS["X"], DOWN),
        ),
        ("X ▢ ▢ ▢ ▢ / ▢ X ▢ ▢ ▢ / ▢ ▢ X ▢ ▢ / ▢ ▢ ▢ X ▢ / ▢ ▢ ▢ ▢ X", DOWN, (LETTERS["X"], UP)),
        ("the fullest one", ROWS["XX.XX"], (ROWS[".X..X"], ROWS[".XX.X"])),
        ("the emptiest, just two lines", ROWS[".X..X"], (ROWS[".XX.X"], ROWS["XX.XX"])),
        ("the one with the fewest X's in the left column", LETTERS["T"], (LETTERS["L"], LETTERS["E"])),
        ("the thickest bar", grid(*["..XX."] * 5), (grid(*["..X.."] * 5), grid(*["X.X.X"] * 5))),
        ("the one with two stripes", ROWS[".X..X"], (grid(*["..X.."] * 5), ROWS["XX.XX"])),
        ("just one slanted line", DOWN, (LETTERS["X"], LETTERS["V"])),
        ("like a P but with an extra leg", LETTERS["R"], (LETTERS["P"], LETTERS["A"])),
        ("15 filled cells", ROWS[".XX.X"], (ROWS[".X..X"], ROWS[".XXXX"])),
    ],
)
def test_the_listener_understands_what_people_say_about_grids(said, meant, others):
    three = [GridSight(text) for text in (meant, *others)]
    fits = [one.rate_fit(said) for one in three]
    assert fits[0] > max(fits[1:])


def photo(*things, category="kitchen"):
    """Return a picture of things such as "red mug@20": attributes, name, and the middle in percent from the left."""
    objects = []
    for number, told in enumerate(things):
        words, _, at = told.partition("@")
        *attributes, name = words.split()
        x = 6 * int(at or 50) - 20
        thing = {"id": f"{name} {number}", "name": name.replace("_", " "), "attributes": attributes}
        objects.append(thing | {"box": [x, 100, 40, 40], "visible": 1.0})
    on = [(objects[0]["id"], "on", objects[1]["id"])] if len(objects) > 1 else []
    about = {"kind": "scene", "category": category, "width": 600, "height": 400}
    return PhotoSight(about | {"objects": objects, "relations": on})


@pytest.mark.parametrize(
    ("said", "meant", "others"),
    [
        ("the one with the blue mug", ["blue mug"], (["red mug"], ["mug"])),
        ("There is a couch.", ["sofa"], (["armchair"], ["bed"])),
        ("three chairs", ["chair"] * 3, (["chair"] * 2, ["chair"] * 4)),
        ("no cat on the sofa", ["sofa"], (["cat", "sofa"], ["grey cat", "sofa"])),
        ("without a dog", ["sofa"], (["dog", "sofa"], ["brown dog"])),
        ("lamp on the left", ["lamp@20"], (["lamp@80"], ["lamp@50"])),
        ("the lamp is left of the sofa", ["lamp@30", "sofa@60"], (["sofa@30", "lamp@60"],)),
        ("a cat on the table", ["cat", "table", "sofa"], (["cat", "sofa", "table"], ["table", "sofa"])),
        ("the small metal thing is a ball", ["small metal sphere"], (["small metal cube"], ["large metal sphere"])),
        ("the blue one", ["blue cube"], (["red cube"], ["green cube"])),
        ("It is the bedroom", ["bed"], (["bed", "mug"],)),
        ("the mug is blue", ["blue mug"], (["red mug"], ["mug"])),
        ("the red object is a ring", ["red ring"], (["red cube"], ["blue ring"])),
        ("the lamp isn't lit", ["lamp"], (["lit lamp"],)),
        ("the cat is missing", ["sofa"], (["cat", "sofa"],)),
        ("there is a glass of orange juice", ["glass"], (["orange mug"],)),
    ],
)
def test_the_listener_understands_what_people_say_about_photos(said, meant, others):
    three = [photo(*things, category="bedroom" if things is meant else "kitchen") for things in (meant, *others)]
    fits = [one.rate_fit(said) for one in three]
    assert fits[0] > max(fits[1:]), fits


def test_the_listener_understands_the_described_differences_within_families():
    """Check the sentences in assets/, such as "the towel is red", among pictures of a family. Ties count in part."""
    families = {}
    for id in (*LIBRARY.ids(kind="scene"), *LIBRARY.ids(kind="objects")):
        families.setdefault(LIBRARY.description(id).family, []).append(id)
    right, told = 0.0, 0
    for ids in families.values():
        for id in ids:
            if change := LIBRARY.description(id).change:
                said = change["words"].partition(" instead of")[0]
                others = [other for other in ids if other != id][:2]
                seen = [make_sight(LIBRARY.picture(one).description) for one in (id, *others)]
                fits = [round(one.rate_fit(said), 6) for one in seen]
                right += (fits[0] == max(fits)) / fits.count(max(fits))
                told += 1
    assert told > 150 and right / told > 0.96, right / told


def pieces(*told):
    """Return a board of pieces given as (colour, shape, row, column)."""
    made = [{"colour": c, "shape": s, "row": row, "column": column} for c, s, row, column in told]
    return BoardSight(pentomino.describe_board(pentomino.Board.model_validate({"pieces": made})))


@pytest.mark.parametrize(
    "said",
    [
        "the board with a red T",
        "red T at the top left",
        "it has a T in the upper left, red",
        "no red X",
        "A red t-shaped piece",
        "there are two red pieces",
    ],
)
def test_the_listener_understands_what_people_say_about_boards(said):
    meant = pieces(("red", "T", 0, 0), ("red", "I", 6, 6))
    others = (pieces(("red", "X", 0, 0), ("blue", "I", 6, 6)), pieces(("blue", "T", 8, 8), ("red", "X", 0, 4)))
    fits = [one.rate_fit(said) for one in (meant, *others)]
    assert fits[0] > max(fits[1:]), fits


WORDS_OF_PEOPLE = st.lists(
    st.sampled_from(
        "the a no two row rows column 3 first, and last filled empty except only red blue T X on left of mug cat"
        " ( 2 , ) without corner top bottom right diagonal from to letter L cells rest".split()
    )
).map(" ".join)


@given(st.one_of(st.text(max_size=200), WORDS_OF_PEOPLE), st.integers(0, 2**16))
@settings(max_examples=150)
def test_the_listener_picks_an_item_after_any_expression(said, seed):
    threes = [
        [GridSight(text) for text in (DOWN, UP, LETTERS["L"])],
        [photo("red mug@20", "table"), photo("blue mug", "cat"), photo()],
        [pieces(("red", "T", 0, 0)), pieces(("blue", "T", 0, 0)), pieces()],
    ]
    for three in threes:
        assert find_best_sight(said, three, Random(seed)) in (0, 1, 2)
        assert find_best_sight(said, three, Random(seed)) == find_best_sight(said, three, Random(seed))


def test_the_speaker_tells_similar_items_apart_as_people_would():
    for name, said in (("scenes/breakfast-b", "blue mug"), ("scenes/bicycle-c", "a cat")):
        family = name.rpartition("-")[0]
        others = [f"{family}-{letter}" for letter in "abc" if f"{family}-{letter}" != name]
        seen = [make_sight(LIBRARY.picture(id).description) for id in (name, *others)]
        assert said in describe_target(seen[0], seen[1:])
    same = GridSight(DOWN)
    assert describe_target(same, [same, same]).startswith("The grid with")


# Scores and debriefing


@pytest.mark.parametrize(
    ("said", "negation"),
    [
        ("the one without cars", True),
        ("there is no dog", True),
        ("the lamp isn't lit", True),
        ("neither red nor blue", True),
        ("a notable knot on a nose", False),
        ("the empty row", False),
    ],
)
def test_lengths_and_negation_of_an_expression(said, negation):
    data = SHIPPED["text"]["rows"][0]
    right = instances.load(data).answer
    master, log = play(data, f"Expression: {said}", f"Answer: {right}")
    found = score(Log(log)).as_json()
    assert master.outcome.kind is Ending.SUCCESS
    assert (found["main_score"], found["target"], found["picked"]) == (100, right, right)
    assert (found["expression_characters"], found["expression_words"]) == (len(said), len(said.split()))
    assert found["negation"] is negation


def test_a_lost_game_is_debriefed_with_target_and_choice():
    data = SHIPPED["picture"]["rooms"][3]
    right = instances.load(data).answer
    wrong = next(place for place in PLACES if place != right)
    master, log = play(data, "Expression: a room", f"Answer: {wrong}", variant="picture")
    scores = score(Log(log))
    debriefing = debrief(Log(log), scores)
    assert master.outcome.kind is Ending.LOSE and scores.main_score == 0
    marked = {panel["picture"]: panel.get("marked") for panel in debriefing.panels}
    assert (marked[right], marked[wrong]) == ("target", "wrong")
    assert [decision.correct for decision in debriefing.decisions] == [None, False]
    assert [panel.get("marked") for panel in board.make_spectator_panels(Log(log[:3]))].count("target") == 1


def test_every_experiment_has_published_results():
    found = {
        (variant, name): {row.model: row.value for row in find_matching_rows(GAME_FOLDER, variant, name, "score_all")}
        for variant, names in experiments.EXPERIMENTS.items()
        for name in names
    }
    assert all(len(rows) == 16 for rows in found.values())
    assert found["picture", "pentomino"]["Claude-3.5"] == 33.3
    assert found["text", "random"]["GPT-4o (Aug)"] == 86.7
    assert found["picture", "objects-static"]["InternVL2-26B"] == 0


# Published episodes


def episodes():
    index = PUBLISHED / "INDEX.jsonl"
    rows = map(json.loads, index.read_text().splitlines()) if index.exists() else ()
    return [row for row in rows if row["game"] in clembench.VARIANTS]


def test_the_published_episodes_are_there():
    if not PUBLISHED.exists():
        pytest.skip(f"{PUBLISHED} is not beside this checkout")
    assert len(episodes()) == 4


@pytest.mark.parametrize("row", episodes(), ids=lambda row: row["dir"])
@pytest.mark.parametrize("words", ["ours", "theirs"])
def test_a_published_episode_has_the_published_outcome_and_scores(row, words):
    folder = PUBLISHED / row["dir"]
    theirs = json.loads((folder / "instance.json").read_text())
    turns = json.loads((folder / "interactions.json").read_text())["turns"]
    replies = [e["action"]["content"] for turn in turns for e in turn if e["action"]["type"] == "get message"]
    data = clembench.instance(theirs) | ({"theirs": theirs} if words == "theirs" else {})
    settings = clembench.settings(theirs)
    master, log = play(data, *replies, variant=clembench.VARIANTS[row["game"]], settings=settings)
    kind, _, reason = row["outcome"].partition("-")
    assert master.outcome.kind == kind and (master.outcome.seat == "listener") == (kind == "aborted")
    if words == "theirs":
        assert (master.outcome.reason or "") == reason
    found = score(Log(log)).as_json()
    assert found["main_score"] == {"success": 100, "lose": 0, "aborted": None}[kind]
    if (folder / "scores.json").exists():
        published_scores = json.loads((folder / "scores.json").read_text())["episode scores"]
        assert found["expression_characters"] == published_scores["Generated Expression Length"]
        assert found["expression_words"] == published_scores["Generated Expression Number of Tokens"]
        assert (found["aborted_at"] == "listener") == bool(published_scores["Aborted at Player 2"])


def test_a_static_room_has_distractors_of_its_own_category():
    triples = [instances.load(data) for data in SHIPPED["picture"]["rooms-static"]]
    assert {LIBRARY.description(id).category for triple in triples for id in triple.items} == {"bedroom"}
    other = triples[0].model_copy(update={"distractors": ("rooms/bedroom-1", "rooms/balcony-4")})
    assert "rooms of one category, not of balcony, bedroom" in instances.check("rooms-static", other)
