"""Import 34 further published episodes and compare them with what their README expects.

They are third-party data next to the checkout, read where they are; without them the tests are skipped.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.cli.terminal import ludens, query

EPISODES = Path(__file__).resolve().parents[3] / "shared" / "published_more"
pytestmark = pytest.mark.skipif(not EPISODES.exists(), reason=f"{EPISODES} is not beside this checkout")
EXPLAINED = {
    "textmapworld_graphreasoning/1_medium/episode_0": (84.21, 88.89, "logged once more on DONE"),
    "textmapworld/3_medium_cycle/episode_0": (77.78, 84.21, "one shortest path"),
    "textmapworld/0_small/episode_9": (88.89, 80.00, "1 move was refused, which upstream's text games never log"),
    "referencegame/2_diagonal_grids/episode_21": (0, None, "parsed the reply again, more liberally"),
    "referencegame/2_diagonal_grids/episode_24": (100, None, "parsed the reply again, more liberally"),
}
"""The end of an episode's path: the published main score, ours, and a part of the reason."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Return a folder with a log of all episodes and the report of their import."""
    target = tmp_path_factory.mktemp("more")
    report = ludens("import", "clembench", EPISODES, "--db", "log.db", "--format", "json", folder=target)
    (target / "report.json").write_text(report.out)
    return target


@pytest.fixture(scope="module")
def episodes(folder) -> dict[str, dict]:
    """Return the imported episodes by the path of their folder."""
    report = json.loads((folder / "report.json").read_text())
    assert not report["unreadable"]
    return {episode["source"]: episode for episode in report["episodes"]}


def end_of(episodes: dict[str, dict], path: str) -> dict:
    [episode] = [episode for source, episode in episodes.items() if source.endswith("/" + path)]
    return episode


def test_all_are_imported_and_main_scores_are_equal_or_explained(episodes):
    assert len(episodes) == 34
    index = {row["dir"]: row for row in map(json.loads, (EPISODES / "INDEX.jsonl").read_text().splitlines())}
    compared = [episode for source, episode in episodes.items() if index[source]["main_score"] is not None]
    assert len(compared) == 18
    assert Counter(episode["main_score_matches"] for episode in compared) == {True: 13, False: 5}


@pytest.mark.parametrize("path", EXPLAINED)
def test_another_main_score_has_its_reason(episodes, path):
    published, ours, reason = EXPLAINED[path]
    episode = end_of(episodes, path)
    assert episode["published_main_score"] == pytest.approx(published, abs=0.005)
    assert episode["main_score"] == (None if ours is None else pytest.approx(ours, abs=0.005))
    assert reason in episode["explained"]


def test_every_difference_has_a_reason(episodes):
    unexplained = [
        (source, difference["name"])
        for source, episode in episodes.items()
        for difference in episode["differences"]
        if not difference["why"]
    ]
    assert not unexplained


def test_turn_scores_of_nan_are_as_none_and_success_is_explained(episodes):
    episode = end_of(episodes, "mm_mapworld/0_small/episode_0")
    assert (episode["outcome"], episode["main_score_matches"]) == ("aborted", True)
    assert {difference["name"] for difference in episode["differences"]} == {"Success", "Lose"}
    assert all("NaN" in difference["why"] for difference in episode["differences"])


def test_a_refused_move_does_not_shift_the_turns_of_a_text_map(episodes):
    episode = end_of(episodes, "textmapworld/0_small/episode_9")
    assert not any(difference["name"].startswith("turn") for difference in episode["differences"])


def test_scores_are_compared_at_the_published_precision(episodes):
    episode = end_of(episodes, "imagegame/1_random_grids/episode_15")
    assert (episode["published_main_score"], episode["main_score"], episode["main_score_matches"]) == (12, 12.5, True)
    assert "Average Changed Cell Count" not in {difference["name"] for difference in episode["differences"]}


def test_an_export_has_full_precision_and_its_import_is_equal_again(folder):
    ludens("export", "--format", "clembench", "out", "--db", "log.db", folder=folder)
    scores = [
        json.loads(path.read_text())["episode scores"] for path in (folder / "out").rglob("imagegame/**/scores.json")
    ]
    assert sorted(round(score["Main Score"], 2) for score in scores)[:2] == [12.5, 84.62]
    words = ("import", "clembench", "out", "--db", "back.db", "--format", "json")
    again = ludens(*words, folder=folder).json()
    assert len(again["episodes"]) == 34 and not again["unreadable"]
    assert all(episode["main_score_matches"] for episode in again["episodes"])


def test_every_message_is_as_recorded_also_a_target_of_two_words(episodes, folder):
    assert not [source for source, episode in episodes.items() if episode["reworded_messages"]]
    asks = query(folder / "log.db", "SELECT data FROM event WHERE kind = 'ask' AND data LIKE '%waiting%room%'")
    assert any("waiting room" in data for (data,) in asks) and not any("waiting_room" in data for (data,) in asks)


def test_an_export_by_benchmark_keeps_text_pictures_and_gameeval_apart(folder):
    ludens("run", "spyfall", "--seat", "all=random", "--limit", 1, "--db", "log.db", folder=folder)
    ludens("export", "parts", "--format", "clembench", "--by-benchmark", "--db", "log.db", folder=folder)
    games = {
        benchmark.name: {path.parents[2].name for path in benchmark.rglob("interactions.json")}
        for benchmark in (folder / "parts").iterdir()
        if benchmark.name in ("text", "multimodal", "gameeval")
    }
    assert games["gameeval"] == {"spyfall_words"}
    assert {"imagegame", "referencegame", "matchit_ascii", "textmapworld"} <= games["text"]
    assert {"matchit", "mm_mapworld", "multimodal_referencegame"} <= games["multimodal"]
    assert not games["text"] & games["multimodal"]
    ludens("import", "clembench", "parts", "--db", "parts.db", folder=folder)
    count = "SELECT count(*) FROM episode WHERE origin = 'clembench'"
    assert query(folder / "parts.db", count) == [(34,)]
