"""`ludens paper` on a small cross of scripted and random players: every table against what the log says."""

import csv
import io
import statistics
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.play.registry import Registry
from engine.results.index import Results
from engine.results.papers.entries import PAPER_ENTRIES
from engine.results.papers.filling import fill_table as papers_fill
from engine.results.papers.filling import make_sources
from engine.storage.store import Store
from tests.cli.terminal import ludens
from tests.people import seated

GAMES = ("matchit", "reference", "mapworld", "imagegame", "askguess/described", "spyfall/words/given")
TRIO = ("scripted", "random", "random?copy=1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Return a folder whose log has one instance of each experiment in all pairs, and TofuKingdom's assignments."""
    user_folder = tmp_path_factory.mktemp("user")
    ludens("run", *GAMES, "--cross", "scripted", "random", "--limit", "1", "--db", "log.db", folder=user_folder)
    ludens("run", "tofukingdom", "--cross", *TRIO, "--limit", "2", "--db", "log.db", folder=user_folder)
    order = ("reference/picture/rooms", "--seat", "all=scripted", "--set", "target_at=third", "--limit", "1")
    ludens("run", *order, "--db", "log.db", folder=user_folder)
    return user_folder


def fill(folder: Path, name: str, *words: str) -> dict:
    """Return a table as JSON."""
    return ludens("paper", name, *words, "--format", "json", "--db", "log.db", folder=folder).json()


def numbers(table: dict, block: int = 0) -> dict[str, dict[str, float | None]]:
    """Return our numbers of a block by row and column."""
    shown = table["blocks"][block]
    heads = [f"{column['group']} {column['name']}".strip() for column in shown["columns"]]
    return {
        row["label"]: {head: cell and cell["value"] for head, cell in zip(heads, row["cells"], strict=True)}
        for row in shown["rows"]
        if not row["published"]
    }


def episodes(folder: Path, place: str, **seats: str) -> list:
    """Return the index rows of the episodes of a variant or experiment with these players, at the default settings."""
    game, variant, experiment = (*place.split("/"), None, None)[:3]
    with Store(folder / "log.db") as store:
        rows = store.episodes(game=game, variant=variant, experiment=experiment)
    rows = [row for row in rows if row.settings.get("target_at", "first") == "first"]
    return [row for row in rows if set(row.seats.values()) == set(seats.values())] if seats else rows


def mean(rows: list, value: Callable) -> float:
    return statistics.fmean(value(row) for row in rows)


def score_all(row) -> float:
    return row.scores["main_score"] or 0.0


def quality(rows: list) -> float:
    return statistics.fmean(row.scores["main_score"] for row in rows if row.scores["main_score"] is not None)


def test_table_1_has_the_clemscores_of_ludens_results(folder):
    ours = numbers(fill(folder, "multimodal/table-1"))
    results = ludens("results", "--format", "json", "--db", "log.db", folder=folder).json()
    pictures = {row["players"]: row for row in results["clemscores"] if row["modality"] == "picture"}
    assert ours["random"]["clemscore"] == pytest.approx(pictures["random"]["clemscore"])
    assert ours["random"]["all games avg ql"] == pytest.approx(pictures["random"]["quality"])
    tasks = [f"mapworld/{task}-picture" for task in ("ee", "ee-gr", "g2x")]
    by_task = [quality(episodes(folder, task, walker="random")) for task in tasks]
    assert ours["random"]["Map Game avg ql"] == pytest.approx(statistics.fmean(by_task))
    assert ours["random"]["MatchIt avg ql"] == pytest.approx(quality(episodes(folder, "matchit/picture", A="random")))


@pytest.mark.parametrize(
    ("name", "block", "column", "place", "value"),
    [
        ("table-4", 0, "Random", "reference/text/random", score_all),
        ("table-4", 1, "Pent.", "reference/picture/pentomino", score_all),
        ("table-5", 0, "DOCCI", "reference/picture/everyday-static", score_all),
        ("table-6", 1, "2", "matchit/picture/pentomino-different", lambda row: row.scores["main_score"]),
        ("table-7", 0, "1_2", "matchit/text/similar-edit-2", lambda row: row.scores["main_score"]),
        ("figure-14", 0, "0", "matchit/picture/photos-same", lambda row: row.scores["main_score"]),
        ("table-10", 0, "EE-gr", "mapworld/ee-gr-picture", score_all),
        ("table-11", 1, "Lrg+cyc", "mapworld/ee-picture/large-cycle", score_all),
        ("table-13", 0, "Steps", "mapworld/ee-gr-text", lambda row: row.scores["moves"] if row.scores["played"] else 0),
        ("expressions", 0, "Grids words", "reference/text", lambda row: row.scores["expression_words"]),
    ],
)
def test_cells_are_means_over_the_episodes_of_their_column(folder, name, block, column, place, value):
    ours = numbers(fill(folder, f"multimodal/{name}"), block)
    for player in ("random", "scripted"):
        rows = episodes(folder, place, all=player)
        assert ours[player][column] == pytest.approx(mean(rows, value))


def test_figure_5_is_the_difference_between_the_modalities(folder):
    ours = numbers(fill(folder, "multimodal/figure-5"))["random"]
    text, pictures = (
        mean(episodes(folder, f"reference/{variant}", A="random"), score_all) for variant in ("text", "picture")
    )
    assert ours["Reference"] == pytest.approx(text - pictures)


def test_figure_16_has_the_endings_of_the_walks(folder):
    ours = numbers(fill(folder, "multimodal/figure-16"))["random"]
    walks = episodes(folder, "mapworld/ee-text", walker="random")
    early = [row for row in walks if row.outcome["kind"] == "lose"]
    assert ours["EE Early stops"] == pytest.approx(100 * len(early) / len(walks))


def test_the_order_control_needs_the_setting_and_finds_the_scripted_speaker_unmoved(folder):
    ours = numbers(fill(folder, "multimodal/order-control"))["scripted"]
    assert (ours["Another order changed %"], ours["Another order word overlap %"]) == (0, 100)


def test_gameeval_counts_endings_spies_and_points(folder):
    endings = numbers(fill(folder, "gameeval/table-2"))["random"]
    assert sum(endings[f"Details {ending}"] for ending in ("ST", "EE", "RLE", "AME", "CE")) == 100
    spies = numbers(fill(folder, "gameeval/table-3"))
    [row] = [
        row for row in episodes(folder, "spyfall") if set(row.seats.values()) == {"random", "scripted"}
        and row.seats[row.scores["spy"]] == "random"
    ]  # fmt: skip
    assert spies["random"]["Villager scripted w"] == row.scores["spy_win"]
    assert spies["random"]["Villager scripted l"] == row.scores["spy_rounds"]
    points = numbers(fill(folder, "gameeval/table-4"))
    assert len(points) == 7
    won = dict.fromkeys(TRIO, 0)
    for row in episodes(folder, "tofukingdom"):
        [camp_name] = [camp_name for camp_name, is_won in row.scores["points"].items() if is_won]
        won[row.seats[row.scores["side_seats"][f"camp:{camp_name}"][0]]] += 1
    assert points["Total points"] == {f"Points {player}": number for player, number in won.items()}
    assert sum(won.values()) == 12


def test_every_table_has_our_rows(folder):
    registry = Registry(Path(__file__).resolve().parents[2])
    with Store(folder / "log.db") as store:
        results = Results(store, registry)
        results.refresh()
        sources = make_sources(results, results.episodes, store, registry, include_informed_players=False)
        for entry in PAPER_ENTRIES:
            lines = list(csv.DictReader(io.StringIO(papers_fill(entry.name, sources).as_csv())))
            ours = [line for line in lines if line["published"] == "0" and line["value"]]
            assert ours and all(int(line["n"]) >= 1 for line in ours), entry.name


def test_a_table_is_printed_and_drawn(folder):
    text = ludens("paper", "gameeval/figure-6", "--db", "log.db", folder=folder)
    assert "random" in text.out and "95 % interval" in text.err
    ludens("paper", "gameeval/figure-6", "--format", "svg", "-o", "drawn.svg", "--db", "log.db", folder=folder)
    assert "ipad &amp; iphone" in (folder / "drawn.svg").read_text()


def test_a_selection_leaves_out_the_rest(folder):
    table = fill(folder, "multimodal/table-4", "--from", "reference/text/rows", "--player", "scripted")
    assert set(numbers(table)) == {"scripted", "random + scripted", "scripted + random"}
    assert {name for name, value in numbers(table)["scripted"].items() if value is not None} == {"Row"}
    missing = [gap for gap in table["missing"] if gap["row"] == "scripted"]
    assert {gap["games_for_instances"] for gap in missing} == {29, 30}


def test_the_list_names_all_and_wrong_words_are_explained(folder):
    for words in (("paper",), ("paper", "LIST"), ("paper", "list")):
        listed = ludens(*words, folder=folder).out
        assert all(entry.name in listed for entry in PAPER_ENTRIES)
    assert "did you mean 'multimodal/table-1" in ludens("paper", "multimodal/table1", folder=folder, code=2).err
    assert "only printed" in ludens("paper", "list", "--format", "csv", folder=folder, code=2).err
    wrong = ("paper", "multimodal/table-1", "--db", "log.db")
    assert "no format 'pdf'" in ludens(*wrong, "--format", "pdf", folder=folder, code=2).err
    assert "does not exist" in ludens(*wrong, "--format", "csv", "-o", "no/x.csv", folder=folder, code=2).err
    assert "choose --format" in ludens(*wrong, "-o", "x.csv", folder=folder, code=2).err
    assert "no database" in ludens("paper", "multimodal/table-1", "--db", "none.db", folder=folder, code=1).err
    assert "no variant 'txt'" in ludens(*wrong, "--from", "matchit/txt", folder=folder, code=2).err


def test_an_empty_table_says_how_to_fill_it(folder):
    words = ("paper", "multimodal/table-7", "--player", "openai/x", "--db", "log.db")
    empty = ludens(*words, folder=folder)
    assert "`ludens run matchit/text --seat all=PLAYER`" in empty.err and "GPT-4o-mini" in empty.out


def test_people_are_rows_that_say_how_many_games_they_need(folder, tmp_path):
    ludens("run", "matchit/text/same", "--seat", "all=scripted", "--db", "log.db", folder=tmp_path)
    with Store(tmp_path / "log.db") as store:
        for at, row in enumerate(store.episodes(game="matchit")[:2], 1000):
            seated(store, row.id, at)
    table = ludens("paper", "multimodal/table-7", "--people", "--db", "log.db", folder=tmp_path)
    assert "person + scripted" in table.out and "matchit/text/similar-edit-2" in table.out
    # the two are not known by a browser: eight people and eight instances, of which two were played
    assert "Needed: 32 more games until each experiment has 8 people and 8 instances, 38 until" in table.err
    overview = ludens("paper", "--people", "--db", "log.db", folder=tmp_path)
    [line] = [line for line in overview.out.splitlines() if line.split()[:1] == ["multimodal/table-7"]]
    assert line.split()[-2:] == ["32", "38"]
    assert "gameeval/table-4" in overview.out
