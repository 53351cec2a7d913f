"""Map World: maps, walking, stated maps, scores and walkers, against brute force and published episodes."""

import asyncio
import itertools
import json
import random
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.content import parts_to_text
from engine.core.events import Ending, Kind
from engine.core.log import Log
from engine.core.master import GameMaster, build_start_event
from engine.core.player import Player, Reply
from engine.core.replies import NotInFormat, build_format
from engine.play.episode import Episode, NullSink
from engine.play.plans import build_item_start
from engine.play.registry import Registry
from engine.storage.ids import make_id
from games.common.pictures import LIBRARY
from games.mapworld import clembench, instances, room_pictures
from games.mapworld.edit_distance import compute_edit_distance
from games.mapworld.maps import DIRECTIONS, Map, generate_map
from games.mapworld.replies import LenientJsonObject, MapSketch, Move
from games.mapworld.scores import scale_to_similarity, score
from games.mapworld.walking import Walk, find_first_directions, measure_shortest_walk

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT.parent / "shared" / "published"
REGISTRY = Registry(ROOT)
GAME = REGISTRY.game("mapworld")
VARIANTS = tuple(variant.name for variant in GAME.variants)


def a_map(size=6, cycle=False, seed=0, target=None, start=0):
    places, doors = generate_map(size, cycle, random.Random(seed))
    rooms = [{"x": x, "y": y, "name": f"room {chr(97 + n)}"} for n, (x, y) in enumerate(places)]
    return Map(rooms=rooms, doors=doors, start=start, target=target)


def begin(instance, variant="ee-text", **rest):
    start = build_start_event(
        GAME,
        ludens="test",
        variant=variant,
        experiment="small",
        instance=instance.model_dump(mode="json"),
        instance_id="test",
        seats={"walker": "recorded/test"},
        **rest,
    )
    return GameMaster.begin_episode(GAME, start)


def walk(instance, replies, variant="ee-text"):
    """Return GameMaster and log after these replies."""
    master, log = begin(instance, variant)
    for text in replies:
        log += master.reply(min(master.open), text)
    return master, log


class AfterFirstReply(Player):
    """A player whose first reply somebody else has given."""

    instant = True

    def __init__(self, player, first_reply):
        self.player, self.first_reply = player, first_reply

    async def reply(self, view):
        is_first = len(view.messages) == 1
        return Reply(self.first_reply) if is_first else await self.player.reply(view)


def play(item, player, first_reply=None, **options):
    async def go():
        start = build_item_start(GAME, item, {"walker": player}, **options)
        walker = REGISTRY.player(player, "mapworld", "walker", None)
        players = {"walker": AfterFirstReply(walker, first_reply) if first_reply else walker}
        episode = await Episode.begin_episode(make_id(), GAME, start, players, NullSink())
        await episode.play()
        assert not episode.stall_cause, episode.stall_cause
        return episode.log

    return asyncio.run(go())


# Maps


@given(st.sampled_from([(4, False), (6, False), (8, False), (6, True), (8, True)]), st.integers(0, 2**32))
@settings(max_examples=200, deadline=None)
def test_grown_maps_are_connected_sized_on_the_grid_and_have_the_loops_asked_for(shape, seed):
    size, cycle = shape
    places, doors = generate_map(size, cycle, random.Random(seed))
    assert len(set(places)) == size and all(0 <= x < 4 and 0 <= y < 4 for x, y in places)
    graph = nx.Graph(doors)
    assert nx.is_connected(graph) and len(graph) == size
    assert len(nx.cycle_basis(graph)) == cycle
    for a, b in doors:
        assert (places[b][0] - places[a][0], places[b][1] - places[a][1]) in DIRECTIONS.values()


@pytest.mark.parametrize("variant", VARIANTS)
def test_shipped_sets_have_ten_maps_each_of_unlike_rooms(variant):
    experiments = REGISTRY.experiments("mapworld", variant)
    task, modality = instances.split_variant(variant)
    assert {name: len(found) for name, found in experiments.items()} == dict.fromkeys(
        instances.EXPERIMENTS_BY_TASK[task], 10
    )
    for name, found in experiments.items():
        for data in found:
            instance = instances.load(data)
            assert instances.check(name, instance) is None
            assert all((room.picture is not None) == (modality == "picture") for room in instance.rooms)
    if task == "ee-gr":
        ee = REGISTRY.experiments("mapworld", f"ee-{modality}")
        assert all(experiments[name] == ee[name] for name in experiments)


def relative_doors(instance, symmetry=lambda x, y: (x, y)):
    """Return the doors by positions relative to the start, after turning or mirroring the map."""
    places = [symmetry(room.x, room.y) for room in instance.rooms]
    x, y = places[instance.start]
    return frozenset(frozenset((places[n][0] - x, places[n][1] - y) for n in door) for door in instance.doors)


@pytest.mark.parametrize("task", instances.EXPERIMENTS_BY_TASK)
def test_both_modalities_have_the_same_mazes_turned_or_mirrored(task):
    symmetries = (lambda x, y: (x, y), *instances.GRID_SYMMETRIES)
    for experiment in instances.EXPERIMENTS_BY_TASK[task]:
        texts, pictures = (
            [instances.load(data) for data in REGISTRY.experiments("mapworld", f"{task}-{modality}")[experiment]]
            for modality in ("text", "picture")
        )
        left = list(texts)
        for picture_map in pictures:
            source = next(
                text_map
                for text_map in left
                if relative_doors(picture_map) in {relative_doors(text_map, symmetry) for symmetry in symmetries}
                and text_map.measure_target_distance(text_map.start)
                == picture_map.measure_target_distance(picture_map.start)
            )
            left.remove(source)
        same_place = [relative_doors(a) == relative_doors(b) for a, b in zip(texts, pictures, strict=True)]
        assert sum(same_place) <= 2, "a number of an instance does not say how the map in pictures goes"
        assert len({relative_doors(picture_map) for picture_map in pictures}) == len(pictures)
        targets = [picture_map.target for picture_map in pictures if picture_map.target]
        assert len(set(targets)) == len(targets)


@pytest.mark.parametrize("variant", [name for name in VARIANTS if name.endswith("picture")])
def test_pictures_show_whole_rooms_and_the_room_to_find_looks_like_no_other(variant):
    maps = [
        instances.load(data) for experiment in REGISTRY.experiments("mapworld", variant).values() for data in experiment
    ]
    for instance in maps:
        assert {LIBRARY.description(room.picture).kind for room in instance.rooms} == {"room"}
        names = [room.name for room in instance.rooms]
        for number in instance.target_rooms:
            assert not room_pictures.find_look_alikes(names[number], names)
            assert instance.rooms[number].picture not in room_pictures.UNUSUAL_PICTURES
    assert (
        len({room.name for instance in maps for room in instance.rooms}) == len(room_pictures.list_categories()) >= 30
    )


def test_a_room_to_find_that_is_easy_to_mistake_is_refused():
    [data] = REGISTRY.experiments("mapworld", "g2x-picture")["on"][:1]
    start = data["start"]
    bad_rooms = {
        "no picture": ("kitchen", "scenes/kitchen-sink-a"),
        "not easy to tell": ("balcony", "rooms/balcony-4"),
    }
    for message, (name, picture) in bad_rooms.items():
        rooms = [dict(room) for room in data["rooms"]]
        rooms[start] |= {"name": name, "picture": picture}
        changed = instances.load({**data, "rooms": rooms, "target": name})
        assert message in instances.check("on", changed)
    rooms = [dict(room) for room in data["rooms"]]
    rooms[start] |= {"name": "bedroom", "picture": "rooms/bedroom-1"}
    rooms[start - 1] |= {"name": "nursery", "picture": "rooms/nursery-1"}
    changed = instances.load({**data, "rooms": rooms, "target": "bedroom"})
    assert "looks like another room of the map: nursery" in instances.check("on", changed)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"doors": [[0, 1], [0, 1]]}, "given twice"),
        ({"doors": [[0, 2]]}, "joins neighbours"),
        ({"doors": [[0, 1]]}, "can be reached"),
        ({"doors": [[0, 7]]}, "numbered 0 to 2"),
        ({"start": 3}, "field start"),
        ({"target": "attic"}, "no room is called 'attic'"),
        ({"rooms": [{"x": 0, "y": 0, "name": "a"}] * 3}, "same position"),
    ],
)
def test_a_broken_map_is_refused_with_the_field_named(change, said):
    good = {
        "rooms": [{"x": 0, "y": y, "name": name} for y, name in enumerate(("hall", "kitchen", "bar"))],
        "doors": [[0, 1], [1, 2]],
        "start": 0,
    }
    assert instances.load(good).exits[1] == {"north": 2, "south": 0}
    with pytest.raises(ValueError, match=said):
        instances.load(good | change)


# Walking


def brute_force_length(exits, start, wanted):
    """Shortest covering walk by trying every order of what is wanted, over shortest paths."""
    graph = nx.Graph([(a, b) for a, ways in exits.items() for b in ways.values()])
    away = dict(nx.all_pairs_shortest_path_length(graph)) if graph else {}
    best = None
    for order in itertools.permutations(wanted):
        stops = [start, *order]
        try:
            whole = sum(away[a][b] for a, b in itertools.pairwise(stops))
        except KeyError:
            continue
        best = whole if best is None else min(best, whole)
    return best


@pytest.mark.slow
def test_good_moves_and_efficiency_agree_with_brute_force_on_a_thousand_random_walks():
    rng = random.Random(4)
    for number in range(1000):
        size = rng.randint(3, 8)
        instance = a_map(size, size > 3 and rng.random() < 0.4, number, start=rng.randrange(size))
        walker, good = Walk(instance), 0
        for _ in range(rng.randint(1, 10)):
            known, here, left = walker.known_exits, walker.room, walker.unvisited_rooms
            way = rng.choice(list(DIRECTIONS))
            step = walker.take_step(way)
            before = brute_force_length(known, here, left)
            expected = False
            if left and here != walker.room:
                expected = 1 + brute_force_length(known, walker.room, set(left) - {walker.room}) == before
            assert step.is_good == expected, (number, step)
            good += expected
        assert walker.efficiency == 100 * good / len(walker.steps)


@given(st.integers(0, 10_000), st.lists(st.sampled_from(list(DIRECTIONS)), max_size=25), st.booleans())
@settings(max_examples=200, deadline=None)
def test_percentages_stay_within_a_hundred_and_exploration_never_falls(seed, ways, cycle):
    walker = Walk(a_map(8, cycle, seed))
    before = walker.exploration
    for way in ways:
        walker.take_step(way)
        assert 0 <= walker.efficiency <= 100 and before <= walker.exploration <= 100
        before = walker.exploration
        assert set(walker.visited_rooms) <= set(walker.seen_rooms)


@given(st.integers(0, 10_000), st.booleans())
@settings(max_examples=60, deadline=None)
def test_no_walk_through_all_rooms_is_shorter_than_the_best(seed, cycle):
    instance = a_map(7, cycle, seed)
    best = len(Walk(instance).shortest_tour) - 1
    assert best == brute_force_length(instance.exits, 0, range(1, 7))
    assert measure_shortest_walk(instance.exits, 0, range(7)) == best
    assert find_first_directions(instance.exits, 0, range(7))


def test_the_walk_of_figure_17_gives_its_scores():
    rooms = [{"x": 0, "y": y, "name": name} for y, name in ((3, "a"), (2, "b"), (1, "c"), (0, "d"))]
    line = Map(rooms=rooms, doors=[(0, 1), (1, 2), (2, 3)], start=0)
    master, log = walk(line, ["GO: south", "go:SOUTH", "done"])
    scores = score(Log(log))
    assert (scores.moves, scores.good_moves, scores.efficiency, scores.exploration) == (2, 2, 100, 75)
    assert round(scores.main_score, 2) == 85.71 and master.outcome.kind is Ending.LOSE


# The rules


def test_refused_moves_count_and_are_no_violation_and_done_at_once_scores_nothing():
    rooms = [{"x": 0, "y": y, "name": name} for y, name in ((1, "hall"), (0, "attic"))]
    pair = Map(rooms=rooms, doors=[(0, 1)], start=0)
    master, log = walk(pair, ["GO: north", "GO: south", "DONE"])
    scores = score(Log(log))
    assert master.outcome.kind is Ending.SUCCESS
    assert (scores.moves, scores.refused_moves, scores.efficiency, scores.exploration) == (2, 1, 50, 100)
    told = [part["text"] for event in log if event.kind is Kind.ASK for part in event.data["said"]]
    assert "There is no door to the north. You are still in a hall." in told
    assert "You go south and enter an attic." in told
    [graph, *_] = GAME.debrief(Log(log), score(Log(log)).as_json()).panels
    assert graph["graph"]["path"] == [0, 0, 1], "the step into the attic has the number of the move: 2"

    master, log = walk(pair, ["DONE"])
    scores = score(Log(log))
    assert (scores.main_score, scores.efficiency, scores.exploration) == (0, 0, 50)
    assert master.outcome.kind is Ending.LOSE


def test_the_twentieth_reply_may_be_done_and_a_twentieth_move_aborts():
    rooms = [{"x": 0, "y": y, "name": name} for y, name in ((1, "hall"), (0, "attic"))]
    pair = Map(rooms=rooms, doors=[(0, 1)], start=0)
    back_and_forth = ["GO: south", "GO: north"] * 10
    master, log = walk(pair, [*back_and_forth[:19], "DONE"])
    assert master.outcome.kind is Ending.SUCCESS
    master, log = walk(pair, back_and_forth)
    assert (master.outcome.kind, master.outcome.reason) == (Ending.ABORTED, "turn limit")
    scores = score(Log(log))
    assert scores.main_score is scores.efficiency is scores.exploration is None and scores.moves == 20


def test_finding_a_room_counts_every_move():
    rooms = [{"x": x, "y": 0, "name": name} for x, name in enumerate(("hall", "bar", "attic", "gym"))]
    line = Map(rooms=rooms, doors=[(0, 1), (1, 2), (2, 3)], start=0, target="attic")
    cases = [
        (["GO: east", "GO: east", "DONE"], 100, 100),
        (["GO: north", "GO: east", "GO: east", "DONE"], 100, 200 / 3),
        (["GO: east", "DONE"], 0, None),
    ]
    for replies, main, efficiency in cases:
        scores = score(Log(walk(line, replies, "g2x-text")[1]))
        assert (scores.main_score, scores.efficiency) == (main, efficiency)
    here = line.model_copy(update={"target": "hall"})
    assert score(Log(walk(Map(**here.model_dump()), ["DONE"], "g2x-text")[1])).efficiency == 100
    surplus = walk(Map(**here.model_dump()), ["GO: east", "GO: west", "DONE"], "g2x-text")[1]
    assert score(Log(surplus)).efficiency == 0


def test_two_maps_that_differ_only_in_what_is_unseen_give_the_same_traffic_so_far():
    one = a_map(8, False, 5)
    walker = Walk(one)
    ways = []
    for _ in range(3):
        ways.append(next(iter(one.exits[walker.room])))
        walker.take_step(ways[-1])
    unseen = [n for n in range(8) if n not in walker.path]
    rooms = [room.model_dump() | ({"name": f"canary {n}"} if n in unseen else {}) for n, room in enumerate(one.rooms)]
    other = Map(**(one.model_dump() | {"rooms": rooms}))
    logs = [walk(m, [f"GO: {way}" for way in ways])[1][1:] for m in (one, other)]
    assert [event.data for event in logs[0]] == [event.data for event in logs[1]]


# Replies


@pytest.mark.parametrize("text", ["GO: north", "go:north", "Go:   NORTH", "DONE", "done", " Done\n"])
def test_moves_are_read_in_any_case(text):
    assert Move(("north",)).parse(text) in ("north", "done")


@pytest.mark.parametrize(
    "text", ["north", "GO north", "GO: up", "GO: north.", "DONE!", "GO: north DONE", "", "I go: east"]
)
def test_whatever_else_is_said_is_no_move(text):
    with pytest.raises(NotInFormat):
        Move().parse(text)


def test_a_stated_map_is_read_as_a_simple_graph_and_its_faults_are_named():
    sketch = MapSketch()
    edges = {"north": [["Hall", "Bar"]], "south": [["Bar", "Hall"]]}
    read = sketch.read({"nodes": ["Hall", "Bar", "Hall"], "edges": edges})
    assert read["nodes"] == ["Hall", "Bar"] and read["edges"]["east"] == []
    for value, said in [
        ([], "exactly the keys"),
        ({"nodes": "Hall", "edges": {}}, "list of names"),
        ({"nodes": [], "edges": {"up": []}}, "edges"),
        ({"nodes": ["Hall"], "edges": {"north": [["Hall", "Bar"]]}}, '"Bar" is in an edge'),
        ({"nodes": ["Hall"], "edges": {"north": [["Hall", "Hall"]]}}, "joined to itself"),
        ({"nodes": ["Hall"], "edges": {"north": [["Hall"]]}}, "no pair"),
        ({"nodes": ["Hall"], "edges": {"north": "Hall"}}, "list of pairs"),
    ]:
        with pytest.raises(NotInFormat, match=said):
            sketch.read(value)


def test_the_loose_object_reads_python_pairs_and_nothing_that_runs():
    loose = LenientJsonObject((("action", Move()), ("graph", MapSketch())))
    text = '{"action": "GO: east", "graph": {"nodes": ["A", "B"], "edges": {"east": [("A", "B")]}}}'
    assert loose.parse(text)["graph"]["edges"]["east"] == [["A", "B"]]
    for bad in ("__import__('os').getcwd()", "{'action': DONE}", "(" * 5000):
        with pytest.raises(NotInFormat):
            loose.parse(bad)


def test_the_form_composes_what_a_model_would_send():
    _, log = begin(a_map(4, False, 1), "ee-gr-text")
    asked = build_format(json.loads(json.dumps(log[-1].data["format"])))
    sketch = {"nodes": ["Hall"], "edges": {way: [] for way in DIRECTIONS}}
    sent = asked.compose_reply({"action": "done", "graph": json.dumps(sketch)})
    assert asked.parse(sent) == {"action": "done", "graph": sketch}
    assert [field["kind"] for field in asked.describe_form()["fields"]] == ["map", "compass"]
    with pytest.raises(NotInFormat):
        asked.compose_reply({"action": "done", "graph": "{"})


# Stated maps


@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 5))
@settings(max_examples=60, deadline=None)
def test_edit_distance_agrees_with_networkx(seed, one, two):
    rng = random.Random(seed)
    graphs = []
    for size in (one, two):
        pairs = list(itertools.combinations(range(size), 2))
        graphs.append((size, tuple(sorted(rng.sample(pairs, rng.randint(0, len(pairs)))))))
    (a, a_edges), (b, b_edges) = graphs
    left, right = nx.Graph(list(a_edges)), nx.Graph(list(b_edges))
    left.add_nodes_from(range(a))
    right.add_nodes_from(range(b))
    assert compute_edit_distance(a, a_edges, b, b_edges) == nx.graph_edit_distance(left, right)


def test_similarity_has_the_published_values_and_large_maps_are_left_out():
    assert [round(scale_to_similarity(distance), 1) for distance in range(5)] == [100, 75.5, 53.8, 36.5, 23.8]
    assert compute_edit_distance(11, (), 4, ()) is None


# Walkers


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_scripted_walker_makes_only_good_moves_and_draws_the_map_rightly(variant):
    task, _ = instances.split_variant(variant)
    for item in REGISTRY.select_instances(f"mapworld/{variant}"):
        scores = score(Log(play(item, "scripted")))
        assert scores.main_score == 100, (item.instance_id, scores)
        if task != "g2x":
            assert scores.efficiency == 100 and scores.visited == scores.rooms
        if task == "ee-gr":
            assert scores.graph_similarity == scores.graph_similarity_visited == 100


@pytest.mark.parametrize("variant", ["ee-text", "g2x-text", "ee-picture", "ee-gr-picture"])
def test_the_optimal_walker_needs_the_fewest_moves(variant):
    for item in REGISTRY.select_instances(f"mapworld/{variant}"):
        best, honest = score(Log(play(item, "optimal"))), score(Log(play(item, "scripted")))
        assert best.moves <= honest.moves and best.stopped
        if best.distance is None:
            instance = instances.load(item.instance)
            assert best.moves == len(Walk(instance).shortest_tour) - 1
        else:
            assert best.moves == best.distance and best.main_score == 100


def example_of(variant, version=None):
    """Return what is asked first with the setting `example`, and its format."""
    start = build_item_start(
        GAME,
        REGISTRY.select_instances(f"mapworld/{variant}")[0],
        {"walker": "random"},
        settings={"example": True},
        prompts=version,
    )
    _, log = GameMaster.begin_episode(GAME, start)
    return parts_to_text(log[1].data["said"]), build_format(log[1].data["format"])


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("version", [1, 2])
def test_every_reply_of_the_example_walk_is_in_the_format_asked_for(variant, version):
    text, reply_format = example_of(variant, version)
    replies = [line for line in text.splitlines() if line.startswith(("GO", "DONE", "{"))]
    values = [reply_format.parse(reply) for reply in replies]
    actions = [value["action"] if isinstance(value, dict) else value for value in values]
    assert actions == ["east", "north", "done"]
    assert ("find a pantry" in text) == variant.startswith("g2x")
    if variant.startswith("ee-gr"):
        assert values[-1]["graph"]["edges"] == {
            "north": [["Hall", "Pantry"]],
            "east": [["Porch", "Hall"]],
            "south": [],
            "west": [],
        }
    if variant.endswith("picture"):
        assert "hall." not in text and "leaves the pictures out" in text


def test_without_the_setting_there_is_no_example_and_the_start_is_stored_as_before():
    _, log = begin(a_map())
    assert "example" not in parts_to_text(log[1].data["said"]) and log[0].data["settings"] == {}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("version", [1, 2])
def test_an_example_walk_does_not_confuse_the_scripted_walker(variant, version):
    for item in REGISTRY.select_instances(f"mapworld/{variant}")[::4]:
        settings = {"example": True}
        scores = score(Log(play(item, "scripted", settings=settings, prompts=version)))
        assert scores.main_score == 100, (item.instance_id, scores)


def test_a_closed_door_tried_before_does_not_confuse_the_scripted_walker():
    for variant, version in itertools.product(("ee-gr-text", "ee-gr-picture"), (1, 2)):
        item = REGISTRY.select_instances(f"mapworld/{variant}/small")[0]
        instance = instances.load(item.instance)
        closed = next(way for way in DIRECTIONS if way not in instance.exits[instance.start])
        sketch = {"nodes": [], "edges": {way: [] for way in DIRECTIONS}}
        reply = {"graph": sketch, "action": f"GO: {closed}"}
        if variant == "ee-gr-picture":
            reply["description"] = "A place."
        log = play(item, "scripted", first_reply=json.dumps(reply), prompts=version)
        scores = score(Log(log))
        assert (scores.refused_moves, scores.visited, scores.graph_similarity) == (1, scores.rooms, 100)


# Published episodes


def published():
    index = PUBLISHED / "INDEX.jsonl"
    if not index.exists():
        return []
    rows = map(json.loads, index.read_text().splitlines())
    return [row for row in rows if row["game"] in clembench.VARIANTS]


def test_the_published_episodes_are_there():
    if not PUBLISHED.exists():
        pytest.skip(f"{PUBLISHED} is not beside this checkout")
    assert len(published()) == 16


@pytest.mark.parametrize("row", published(), ids=lambda row: row["dir"])
def test_a_published_episode_has_the_published_scores(row):
    folder = PUBLISHED / row["dir"]
    theirs = json.loads((folder / "instance.json").read_text())
    turns = json.loads((folder / "interactions.json").read_text())["turns"]
    said = json.loads((folder / "scores.json").read_text())["episode scores"]
    master, log = begin(Map(**clembench.instance(theirs)), clembench.VARIANTS[row["game"]])
    walker = "Player 1" if row["game"].startswith("text") else "Player 2"
    for event in (event for turn in turns for event in turn):
        if event["from"] == walker and event["action"]["type"] == "get message" and master.open:
            log += master.reply(min(master.open), event["action"]["content"])
    kind, _, _ = row["outcome"].partition("-")
    assert master.outcome and str(master.outcome.kind) == kind
    scores = score(Log(log))
    if kind == "aborted":
        assert scores.main_score is None and said["Main Score"] != said["Main Score"]
        return
    if row["dir"].startswith("textmapworld_graphreasoning/01"):
        # on DONE the last move was logged once more there: 7 published moves, 6 real ones
        assert (scores.moves, scores.good_moves, said["moves"]) == (6, 3, 7)
        assert scores.exploration == said["exploration"]
        return
    assert scores.main_score == pytest.approx(said["Main Score"])
    assert (scores.moves, scores.valid_moves, scores.seen) == (said["moves"], said["valid_moves"], said["seen"])
    assert scores.visited == said.get("visited", said.get("number_visited"))
    if "exploration" in said:
        assert scores.exploration == pytest.approx(said["exploration"])
        assert scores.efficiency == pytest.approx(said.get("efficiency", said.get("effieciency")))


def test_scoring_and_playing_in_words_draw_nothing(monkeypatch):
    from PIL import Image, ImageDraw

    def never(*_, **__):
        raise AssertionError("scoring draws nothing")

    items = [REGISTRY.select_instances(f"mapworld/{variant}")[0] for variant in VARIANTS]
    logs = [play(item, "scripted") for item in items]
    for module, name in ((Image, "new"), (Image, "open"), (ImageDraw, "Draw")):
        monkeypatch.setattr(module, name, never)
    for log in logs:
        assert score(Log(log)).main_score == 100


@pytest.mark.parametrize("variant", ["ee-picture", "ee-gr-picture", "g2x-picture"])
def test_in_pictures_no_room_is_named(variant):
    for item in REGISTRY.select_instances(f"mapworld/{variant}"):
        instance = instances.load(item.instance)
        rooms = [room.model_dump() | {"name": f"canary{chr(97 + n)}"} for n, room in enumerate(instance.rooms)]
        target = None if instance.target is None else "canarya"
        secret = Map(**(instance.model_dump() | {"rooms": rooms, "target": target, "kind": "imported"}))
        walker = Walk(secret)
        sketch = {"nodes": [], "edges": {way: [] for way in DIRECTIONS}}
        master, log = begin(secret, variant)
        for room in walker.shortest_tour[1:]:
            way = next(way for way, other in secret.exits[walker.room].items() if other == room)
            walker.take_step(way)
            reply = {"description": "A place.", "action": f"GO: {way}"} | ({"graph": sketch} if "gr" in variant else {})
            log += master.reply(min(master.open), json.dumps(reply))
        told = json.dumps([event.data for event in log[1:] if event.kind is not Kind.NOTE])
        assert told.count("canary") == ("Find a canarya" in told)


def test_a_finished_walk_becomes_an_animated_picture_a_frame_a_turn():
    from io import BytesIO

    from PIL import Image

    from games.mapworld.animate import draw_gif

    for variant in ("ee-text", "g2x-picture"):
        log = play(REGISTRY.select_instances(f"mapworld/{variant}")[-1], "scripted")
        replies = sum(event.kind is Kind.REPLY for event in log)
        with Image.open(BytesIO(draw_gif(Log(log)))) as image:
            assert (image.format, image.n_frames) == ("GIF", replies + 1)
