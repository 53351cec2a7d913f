"""The tables of the papers: numbers of small logs worked out by hand, the papers' layout, and what is missing."""

import json
from pathlib import Path

import pytest

from engine.core.events import Ending, Outcome, digest
from engine.play.registry import Registry
from engine.results.papers.analyses import find_error_kind
from engine.results.papers.cells import SCORE_ALL_MEASURE, make_cell
from engine.results.papers.drawing import draw_table
from engine.results.papers.entries import PAPER_ENTRIES, UnknownPaperTable, find_entry, list_documents
from engine.results.papers.filling import PaperTable, fill_table
from engine.results.papers.gaps import find_people_game_shortfalls
from engine.results.papers.layouts import Sources
from engine.results.pooling import pool_studies
from engine.results.published import read_published_rows
from engine.results.two_way import Clusters
from tests.engine.counted import counted

REGISTRY = Registry(Path(__file__).resolve().parents[2])
NAMES = [entry.name for entry in PAPER_ENTRIES]


def episode(place: str, player: str | dict, score: float | None = None, *, n: int = 0, **more):
    """Return an episode played with the defaults of its game; the score None is an aborted one."""
    game, variant, experiment = place.split("/")
    rules = REGISTRY.game(game)
    seats = player if isinstance(player, dict) else dict.fromkeys(rules.seats, player)
    settings = rules.settings.defaults() | more.pop("settings", {})
    scores = more.pop("scores", {})
    prompts = f"{rules.prompts.name} {rules.prompts.version}"
    ending = more.pop("ending", "aborted" if score is None else "success" if score == 100 else "lose")
    return counted(
        game=game, variant=variant, experiment=experiment, seats=seats, settings=settings, game_version=rules.version,
        prompts=prompts, ending=ending, main_score=score, instance_hash=f"{experiment}{n}",
        **({"scores_json": json.dumps(scores)} if scores else {}), **more,
    )  # fmt: skip


def sources(results, *, published: bool = True, scores=None, outcomes=None) -> Sources:
    """Return what tables are filled from."""
    rows = read_published_rows(REGISTRY) if published else []
    return Sources(
        results, rows, REGISTRY, lambda name, key: (scores or {}).get(name, {}).get(key), (outcomes or {}).get
    )


def values(table: PaperTable, block: int = 0) -> dict[str, list[float | None]]:
    """Return the rounded numbers of our rows of a block by label."""
    return {
        row.label: [cell and cell.estimate.value is not None and round(cell.estimate.value, 2) for cell in row.cells]
        for row in table.blocks[block].rows
        if not row.is_published
    }


def heads(table: PaperTable, block: int = 0) -> list[str]:
    return [heading.text for heading in table.blocks[block].headings]


# ---------------------------------------------------------------------- the multimodal games
def multimodal_log() -> list:
    """Return MatchIt 3 of 4 played, 2 of these won; the reference game 1 of 2 won; map tasks 80, 60 and none played."""
    results = [episode("matchit/picture/photos-same", "m", score, n=n) for n, score in enumerate((100, 100, 0, None))]
    results += [episode("reference/picture/rows", "m", score, n=n) for n, score in enumerate((100, 0))]
    results += [episode("mapworld/ee-picture/small", "m", 80), episode("mapworld/ee-gr-picture/small", "m", 60)]
    return [*results, episode("mapworld/g2x-picture/on", "m", None)]


def test_table_1_is_the_clemscore_with_played_and_quality_per_game():
    table = fill_table("multimodal/table-1", sources(multimodal_log()))
    assert heads(table)[0] == "clemscore" and heads(table)[-1] == "Map Game avg ql"
    # % played: (75 + 100 + 100 + 100 + 0) / 5; quality over the games that were played: (66.67 + 50 + 80 + 60) / 4
    assert values(table)["m"] == [48.12, 75, 64.17, 75, 66.67, 100, 50, 66.67, 70]
    claude = next(row for row in table.blocks[0].rows if row.label == "Claude-3.5")
    assert claude.is_published and [cell.estimate.value for cell in claude.cells] == [
        80.77, 95.33, 84.73, 100.0, 85.0, 100.0, 81.03, 92.22, 85.88,
    ]  # fmt: skip
    assert sum(row.is_published for row in table.blocks[0].rows) == 18


def test_tables_4_5_10_11_and_12_count_aborted_games_as_0_and_6_and_7_leave_them_out():
    results = [
        *(episode("reference/text/rows", "m", score, n=n) for n, score in enumerate((100, None))),
        *(episode("reference/picture/rooms-static", "m", score, n=n) for n, score in enumerate((100, None, 0, 100))),
        *(episode("matchit/text/similar-edit-2", "m", score, n=n) for n, score in enumerate((100, None))),
        *(episode("matchit/picture/pentomino-similar", "m", score, n=n) for n, score in enumerate((100, 0, None))),
        *(episode("mapworld/ee-text/small", "m", score, n=n) for n, score in enumerate((90, None))),
        episode("mapworld/ee-text/large-cycle", "m", 30),
    ]
    given = sources(results)
    assert values(fill_table("multimodal/table-4", given)) == {"m": [50, None, None, None, None, None]}
    assert values(fill_table("multimodal/table-5", given)) == {"m": [50, None, None]}
    assert values(fill_table("multimodal/table-6", given), 1) == {"m": [None, 50, None]}
    assert values(fill_table("multimodal/table-7", given)) == {"m": [None, None, 100, None]}
    assert values(fill_table("multimodal/table-10", given), 1) == {"m": [40, None, None]}
    assert values(fill_table("multimodal/table-11", given)) == {"m": [45, None, None, None, 30]}
    # Table 12 has the maps that both tasks share, without cycles
    assert values(fill_table("multimodal/table-12", given)) == {"m": [None, None, 45, None]}
    for name in ("table-6", "table-7"):
        figure = fill_table(f"multimodal/figure-{14 if name == 'table-6' else 15}", given)
        assert figure.blocks == fill_table(f"multimodal/{name}", given).blocks


def test_figure_5_is_text_minus_pictures_with_equal_weight_for_the_tasks_of_the_map_game():
    results = [
        *(episode("matchit/text/same", "m", score, n=n) for n, score in enumerate((100, 0))),
        episode("matchit/picture/photos-same", "m", 0),
        *(episode("mapworld/ee-text/small", "m", 80, n=n) for n in range(3)),
        episode("mapworld/g2x-text/on", "m", 100), episode("mapworld/ee-picture/small", "m", 30),
    ]  # fmt: skip
    assert values(fill_table("multimodal/figure-5", sources(results))) == {"m": [50, None, 60]}


def test_table_13_counts_aborted_walks_as_0_in_all_columns():
    scores = {"efficiency": 50.0, "exploration": 80.0, "graph_similarity": 40.0, "moves": 6}
    results = [
        episode("mapworld/ee-gr-text/small", "m", 70, scores=scores),
        episode("mapworld/ee-gr-text/small", "m", None, n=1, scores={**scores, "efficiency": None}),
    ]
    table = fill_table("multimodal/table-13", sources(results))
    assert values(table) == {"m": [25, 40, 20, 3]}


def test_table_14_has_a_row_per_distance_and_a_block_over_all_models():
    results = [
        *(episode("mapworld/g2x-text/on", f"lab/{name}", score, n=0) for name, score in (("a", 100), ("b", None))),
        *(episode("mapworld/g2x-picture/far", "lab/a", score, n=n) for n, score in enumerate((100, 0, 0, None))),
    ]
    table = fill_table("multimodal/table-14", sources(results))
    assert [block.title for block in table.blocks] == ["all models", "lab/a", "lab/b", "all models †"]
    assert heads(table) == ["Text-only % Played", "Text-only Success", "Multimodal % Played", "Multimodal Success"]
    assert values(table, 0) == {
        "0 (on)": [50, 50, None, None],
        "1-2 (close)": [None] * 4,
        "3-4 (far)": [None, None, 75, 25],
    }
    published = [[cell.estimate.value for cell in row.cells] for row in table.blocks[-1].rows]
    assert published == [[73.1, 73.1, 56.3, 46.3], [50.6, 49.4, 55.6, 40.0], [40.0, 37.5, 55.0, 24.4]]


def test_figure_16_separates_loops_early_stops_and_invalid_replies():
    ends = [
        (Outcome(Ending.ABORTED, "turn limit", "walker"), None, {"stopped": False}),
        (Outcome(Ending.ABORTED, "format", "walker"), None, {"stopped": False}),
        (Outcome(Ending.ABORTED, "not allowed", "walker"), None, {"stopped": False}),
        (Outcome(Ending.LOSE), 40, {"stopped": True}),
        (Outcome(Ending.SUCCESS), 100, {"stopped": True}),
    ]
    results = [
        episode("mapworld/ee-text/small", "m", score, n=n, scores=scores, episode=str(n))
        for n, (_, score, scores) in enumerate(ends)
    ]
    table = fill_table(
        "multimodal/figure-16", sources(results, outcomes={str(n): end[0] for n, end in enumerate(ends)})
    )
    assert heads(table)[:3] == ["EE Loops", "EE Early stops", "EE Invalid"]
    assert values(table)["m"][:3] == [20, 20, 40]
    assert find_error_kind(Outcome(Ending.LOSE)) == "wrong result"
    assert (
        find_error_kind(None)
        is find_error_kind(Outcome(Ending.SUCCESS))
        is find_error_kind(Outcome(Ending.ABANDONED, "left"))
        is None
    )


def test_expressions_have_their_length_and_the_share_with_negation():
    expressions = [(20, 4, False), (40, 8, True)]
    results = [
        episode(
            "reference/picture/rooms", "m", 100, n=n,
            scores={"expression_characters": characters, "expression_words": words, "negation": negation},
        )
        for n, (characters, words, negation) in enumerate(expressions)
    ]  # fmt: skip
    table = fill_table("multimodal/expressions", sources(results))
    assert heads(table)[3:6] == ["Photos characters", "Photos words", "Photos negation %"]
    assert values(table)["m"][3:6] == [30, 6, 50]


def test_the_order_control_compares_expressions_of_the_same_target():
    def expression(n: int, place: str, text: str, experiment: str = "rooms", score: int = 100, **more):
        return episode(
            f"reference/picture/{experiment}", "m", score, n=n, settings={"target_at": place},
            scores={"expression": text}, episode=f"{experiment}{n}{place}{text}", **more,
        )  # fmt: skip

    results = [
        expression(0, "first", "A red sofa"),
        expression(0, "third", "a red  sofa", score=0),  # the same but for case and blanks
        expression(1, "first", "a red sofa"),
        expression(1, "third", "a green sofa"),  # one of three content words in common
        expression(2, "first", "a bed", "rooms-static"),
        expression(3, "first", "a bed", "rooms-static"),  # the same target among others
    ]
    table = fill_table("multimodal/order-control", sources(results))
    assert values(table)["m"] == [50, 66.67, None, None, 0, 100]
    assert values(table, 1)["m"] == [100, None, 50]
    assert [row.label for row in table.blocks[0].rows] == ["m"], "the order is no setting that parts rows here"


def test_questions_have_the_mean_novelty_of_both_seats():
    seat = {"questions": 2, "question_words": 10, "answers": 1, "answer_words": 4, "descriptions": 1}
    stored = {
        "x": {"seats": {
            "A": {**seat, "description_words": 12, "question_novelty": 1.0},
            "B": {**seat, "description_words": 8, "question_novelty": 0.5},
        }}
    }  # fmt: skip
    table = fill_table(
        "multimodal/questions", sources([episode("matchit/text/same", "m", 100, episode="x")], scores=stored)
    )
    assert values(table) == {"m": [75, 5, 4, 10]}


# ---------------------------------------------------------------------- GameEval
def test_table_2_of_gameeval_has_rounds_of_successes_and_all_endings_with_faults():
    endings = [("ST", 2, 100), ("ST", 4, 100), ("EE", 1, 0), ("RLE", 30, 0)]
    results = [
        episode("askguess/described/cifar", "m", score, n=n, scores={"ending": ending, "rounds": rounds})
        for n, (ending, rounds, score) in enumerate(endings)
    ]
    results.append(episode("askguess/described/cifar", "m", None, n=9, ending=None, is_stalled=True))
    table = fill_table("gameeval/table-2", sources(results))
    assert values(table) == {"m": [3, 40, 20, 20, 0, 20]}
    assert [row.label for row in table.blocks[0].rows if row.is_published] == ["GPT-4", "ChatGPT", "TD003"]


def spy_episode(spy: str, villagers: str, won: int, rounds: int, n: int = 0, **more):
    return episode(
        "spyfall/words/given", {"side:spy": spy, "side:villagers": villagers}, None, n=n, ending="decided",
        side_scores={"spy": 100 * won, "villagers": 100 * (1 - won)}, scores={"spy_win": won, "spy_rounds": rounds},
        **more,
    )  # fmt: skip


def test_table_3_of_gameeval_is_a_matrix_of_spies_and_villagers():
    results = [
        spy_episode("a", "b", won, rounds, n) for n, (won, rounds) in enumerate(((1, 4), (0, 2), (1, 4), (0, 1)))
    ]
    results += [spy_episode("b", "a", 0, 1), spy_episode("b", "a", 1, 4, settings={"spy_wins_at": 3})]
    table = fill_table("gameeval/table-3", sources(results))
    ours = {label: dict(zip(heads(table), row, strict=True)) for label, row in values(table).items()}
    assert (ours["a"]["Villager b w"], ours["a"]["Villager b l"]) == (0.5, 2.75)
    assert (ours["b"]["Villager a w"], ours["b"]["Villager a l"]) == (0, 1), "other settings are another row"
    assert ours["b (spy_wins_at=3)"]["Villager a (spy_wins_at=3) w"] == 1
    published = table.blocks[1]
    gpt = next(row for row in published.rows if row.label == "GPT-4")
    by_heading = dict(zip((heading.text for heading in published.headings), gpt.cells, strict=True))
    assert by_heading["Villager TD003 w"].estimate.value == 0.7 and by_heading["Villager GPT-4 w"] is None


def test_table_4_of_gameeval_adds_up_the_points_of_the_six_assignments():
    def game(prince: str, spy: str, queen: str, winner: str, n: int = 0):
        return episode(
            "tofukingdom/roles/roles", {"camp:prince": prince, "camp:spy": spy, "camp:queen": queen}, None, n=n,
            ending="decided", side_scores={side: 100 * (side == winner) for side in ("prince", "spy", "queen")},
        )  # fmt: skip

    results = [game("a", "b", "c", "spy"), game("a", "b", "c", "prince", 1), game("c", "a", "b", "queen")]
    results.append(game("a", "a", "b", "spy"))  # a player in two camps is in no assignment of the paper
    table = fill_table("gameeval/table-4", sources(results))
    assert heads(table) == ["Points a", "Points b", "Points c"]
    ours = values(table)
    assert (ours["a, b, c"], ours["c, a, b"], ours["Total points"]) == ([1, 1, 0], [0, 1, 0], [1, 2, 0])
    assert ours["b, a, c"] == [None] * 3 and len(ours) == 7
    published = {row.label: [cell.estimate.value for cell in row.cells] for row in table.blocks[1].rows}
    assert published["TD003, GPT-4, ChatGPT"] == [7, 9, 4] and published["Total points"] == [39, 51, 30]


def test_figure_1_of_gameeval_divides_the_worse_by_the_better_score():
    results = [spy_episode("a", "b", 1, 4), spy_episode("b", "a", 1, 4), spy_episode("b", "a", 0, 1, 1)]
    for n, ending in enumerate(("ST", "ST", "ST", "EE")):
        results.append(episode("askguess/described/cifar", "a", 100, n=n, scores={"ending": ending}))
        results.append(episode("askguess/described/cifar", "b", 100, n=n, scores={"ending": "ST"}))
    table = fill_table("gameeval/figure-1", sources(results))
    assert table.blocks[0].title == "b / a", "a is better in the mean: 75 and 100 against 100 and 50"
    assert values(table) == {"Ask-Guess, description": [100, 75, 1.33], "SpyFall (w)": [50, 100, 0.5]}
    slopes = [round(row.cells[2].estimate.value, 2) for row in table.blocks[1].rows]
    assert slopes == [0.55, 0.44, 0.21, 0.76]


def test_figure_6_of_gameeval_has_the_word_pairs_of_the_instances():
    won = spy_episode("a", "b", 1, 4)
    won.instance_hash = digest(REGISTRY.select_instances("spyfall/words/given/0")[0].instance)
    table = fill_table("gameeval/figure-6", sources([won]))
    assert [row.label for row in table.blocks[0].rows][:2] == ["ipad & iphone", "guitar & lute"]
    assert len(table.blocks[0].rows) == 11
    assert values(table)["ipad & iphone"] == [1, None] and values(table)["guitar & lute"] == [None, None]


# ---------------------------------------------------------------------- the image game
def test_the_image_game_has_its_measures_per_kind_of_grid_and_turn_by_turn():
    numbers = {"precision": 50.0, "recall": 100.0, "f1": 66.0, "changed_cells": 5.5, "command_length": 30.0}
    turns = {"x": {"turns": [{"f1": 40.0, "changed_cells": 7}, {"f1": 66.0, "changed_cells": 4}]}}
    played = episode("imagegame/grid/compact", "m", 66, scores={**numbers, "command_tokens": 6.0}, episode="x")
    given = sources([played], scores=turns)
    assert values(fill_table("imagegame/scores", given))["m"][:7] == [100, 50, 100, 66, 5.5, 30, 6]
    table = fill_table("imagegame/turns", given)
    assert heads(table) == ["Turn 1", "Turn 2"]
    assert values(table) == {"m": [40, 66]} and values(table, 1) == {"m": [7, 4]}


# ---------------------------------------------------------------------- rows
def test_other_settings_reminders_and_studies_are_rows_of_their_own():
    results = [
        episode("matchit/text/same", "m", 100),
        episode("matchit/text/same", "m", 0, settings={"questions": 5}),
        episode("matchit/text/same", "m", 0, reprompt=1),
        episode("matchit/text/same", "person", 0, study="s@1"),
    ]
    rows = values(fill_table("multimodal/table-7", sources(results)))
    assert rows == {
        "m": [100, None, None, None],
        "m (questions=5)": [0, None, None, None],
        "m (reprompt=1)": [0, None, None, None],
        "person (study=s@1)": [0, None, None, None],
    }


def test_rows_with_people_have_two_way_intervals_and_their_number():
    games = [(person, instance, 100 * ((person + instance) % 3 > 0)) for person in range(9) for instance in range(8)]
    results = [
        episode("matchit/text/same", {"A": "person", "B": "scripted"}, score, n=instance, participants=(f"p{person}",))
        for person, instance, score in games
    ]
    [row] = fill_table("multimodal/table-7", sources(results, published=False)).blocks[0].rows
    cell = row.cells[0]
    clusters = Clusters.with_equal_weights(
        [score for _, _, score in games], [(f"p{person}",) for person, _, _ in games], [str(i) for _, i, _ in games]
    )
    assert cell.estimate == clusters.mean().estimate and cell.estimate.low is not None
    assert (cell.n, cell.people, row.kind) == (72, 9, "person")
    assert make_cell(results[:8], SCORE_ALL_MEASURE).estimate.low is None, "one person has no interval"


def test_people_of_several_studies_are_one_row_only_if_they_are_pooled():
    person = {"A": "person", "B": "scripted"}
    results = [
        episode("matchit/text/same", person, 100, participants=("p1",), study="one@1"),
        episode("matchit/text/same", person, 0, participants=("p2",), study="two@3"),
        episode("matchit/text/same", person, 0, n=1, participants=("p3",)),
    ]
    apart = values(fill_table("multimodal/table-7", sources(results)))
    assert {label: row[0] for label, row in apart.items()} == {
        "person + scripted": 0, "person + scripted (study=one@1)": 100, "person + scripted (study=two@3)": 0,
    }  # fmt: skip
    [row] = fill_table("multimodal/table-7", sources(pool_studies(results), published=False)).blocks[0].rows
    assert row.label == "person + scripted (study=lobby + one@1 + two@3)"
    # the mean over two instances: that of two people on the first (50), and 0 on the second
    assert (row.cells[0].estimate.value, row.cells[0].people) == (25, 3)


def test_gaps_say_which_instances_are_missing_and_how_many_games_with_people():
    person = {"A": "person", "B": "scripted"}
    results = [episode("matchit/text/same", person, 100, n=n, participants=("p1",)) for n in range(3)]
    given = sources([*results, episode("matchit/text/same", "m", 100)])
    shortfalls = {
        (shortfall.row, shortfall.selection): shortfall
        for shortfall in fill_table("multimodal/table-7", given).shortfalls
    }
    alone = shortfalls["m", "matchit/text/same"]
    assert (alone.instances, alone.available, alone.games_for_instances, alone.people) == (1, 10, 9, None)
    with_person = shortfalls["person + scripted", "matchit/text/same"]
    # seven more people need seven games, which may bring the five instances that are missing too
    assert (with_person.people, with_person.games_for_interval, with_person.games_for_instances) == (1, 7, 7)
    nobody = find_people_game_shortfalls(["matchit/text"], sources([]))
    assert [(shortfall.row, shortfall.games_for_interval, shortfall.games_for_instances) for shortfall in nobody] == [
        ("person", 8, 10)
    ] * 4
    two_people = [episode("matchit/text/same", "person", 100, n=n, participants=("p1", "p2")) for n in range(8)]
    [shortfall] = find_people_game_shortfalls(["matchit/text/same"], sources(two_people))
    assert (shortfall.people, shortfall.games_for_interval) == (2, 3), "each game brings two people"


# ---------------------------------------------------------------------- all entries
@pytest.mark.parametrize("name", NAMES)
def test_every_table_can_be_filled_from_nothing_written_and_drawn(name):
    entry = find_entry(name)
    assert all(REGISTRY.select_instances(selection) for selection in entry.games)
    empty = fill_table(name, sources([]))
    assert not empty.own_rows
    assert empty.as_csv().startswith("table,block,row,kind,group,column,value")
    assert empty.as_json()["blocks"] == [] or all(row["published"] for row in empty.as_json()["blocks"][0]["rows"])
    if empty.blocks:
        svg = draw_table(empty).decode()
        assert svg.startswith("<?xml") and entry.title.split(",")[0] in svg


def test_an_unknown_table_names_the_nearest():
    with pytest.raises(UnknownPaperTable, match=r"'multimodal/table-2' \(did you mean 'multimodal/table-"):
        find_entry("multimodal/table-2")


def test_every_published_table_is_listed():
    tables = {
        f"{'multimodal' if row.paper == 'hakimov' else row.paper}/table-{row.table}"
        for row in read_published_rows(REGISTRY)
    }
    assert tables <= set(NAMES) and list(list_documents()) == ["multimodal", "gameeval", "imagegame"]
