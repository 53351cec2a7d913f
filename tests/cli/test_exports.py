"""Import of published episodes and instance files of clembench, and export in six formats and as a page."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image

from tests.cli.terminal import ludens, query

SHARED = Path(__file__).resolve().parents[3] / "shared"
PUBLISHED, FILES = SHARED / "published", SHARED / "clembench_instances"
published = pytest.mark.skipif(not PUBLISHED.exists(), reason=f"{PUBLISHED} is missing")


def entry(number: int, a: str, b: str) -> dict:
    return {
        "game_id": number,
        "image_a": f"../else/where/{a}",
        "image_b": f"https://example.org/x/{b}",
        "decision_turn": 1,
    }


MATCHIT = {
    "experiments": [
        {
            "name": "twins",
            "game_instances": [entry(0, "one.png", "one.png"), entry(1, "one.png", "gone.png")],
            "initial_prompt": "Say what you see after DESCRIPTION:",
            "q_reprompt": "Ask after QUESTION:",
            "d_reprompt": "Decide after DECISION:",
            "a_request": " Answer after ANSWER:",
            "desc_intro": "I have a ",
            "flags": {name: f"{name.upper()}:" for name in ("description", "question", "answer", "decision")},
            "solution": "same image",
            "wrong_solution": "different images",
        }
    ]
}


@published
def test_published_episodes_are_imported_once_and_scored(tmp_path):
    words = ("import", "clembench", PUBLISHED, "--db", "log.db", "--format", "json")
    imported = ludens(*words, folder=tmp_path).json()["episodes"]
    assert len(imported) == 28 and all(episode["new"] for episode in imported)
    assert Counter(episode["main_score_matches"] for episode in imported) == {True: 20, False: 1, None: 7}
    [different] = [episode for episode in imported if episode["main_score_matches"] is False]
    assert (
        different["source"].startswith("textmapworld_graphreasoning/01")
        and "once more on DONE" in different["explained"]
    )
    assert all(difference["why"] for episode in imported for difference in episode["differences"])
    assert not any(episode["reworded_messages"] or episode["surplus_replies"] for episode in imported)
    index = {row["dir"]: row for row in map(json.loads, (PUBLISHED / "INDEX.jsonl").read_text().splitlines())}
    for episode in imported:
        assert index[episode["source"]]["outcome"].partition("-")[0] == episode["outcome"]
    second_import = ludens(*words, folder=tmp_path).json()["episodes"]
    assert [episode["episode"] for episode in second_import] == [episode["episode"] for episode in imported]
    assert not any(episode["new"] for episode in second_import)
    assert "28 episodes" in ludens("db", "check", "--replay", "--db", "log.db", folder=tmp_path).err
    ludens("export", "--format", "clembench", "out", "--db", "log.db", folder=tmp_path)
    ludens("import", "clembench", "out", "--db", "back.db", folder=tmp_path)
    events = "SELECT id, n, time, kind, seat, data FROM event JOIN episode ON row = episode ORDER BY id, n"
    assert query(tmp_path / "back.db", events) == query(tmp_path / "log.db", events)


@published
def test_every_instance_file_becomes_experiments_that_can_be_played(tmp_path):
    report = ludens("import", "clembench", FILES, "--to", "own", "--format", "json", folder=tmp_path).json()
    assert len(report["instances"]) == 19 and not report["unreadable"]
    assert sum(sum(file["experiments"].values()) for file in report["instances"]) == 1319
    missing = {Path(file["source"]).stem: len(file["missing_pictures"]) for file in report["instances"]}
    assert missing["matchit"] == 50 and missing["mm_mapworld"] == 132 and missing["textmapworld"] == 0
    games = ("matchit/text", "reference/text", "imagegame/grid", "mapworld/ee-gr-text", "mapworld/g2x-text")
    words = ("run", *games, "--seat", "all=random", "--limit", 1, "--db", "log.db")
    ludens(*words, folder=tmp_path, LUDENS_INSTANCES="own")
    assert query(tmp_path / "log.db", "SELECT DISTINCT json_extract(start, '$.prompts') FROM episode") == [
        ("imported",)
    ]
    endings = dict(
        query(tmp_path / "log.db", "SELECT json_extract(outcome, '$.kind'), count(*) FROM episode GROUP BY 1")
    )
    assert endings.get("aborted", 0) < sum(endings.values()) / 4, "random replies match the imported patterns"


def test_pictures_are_found_in_a_folder_and_missing_ones_are_named(tmp_path):
    (tmp_path / "pictures" / "x").mkdir(parents=True)
    Image.new("RGB", (64, 48), "teal").save(tmp_path / "pictures" / "x" / "one.png")
    Image.new("RGB", (64, 48), "teal").save(tmp_path / "pictures" / "one.png")
    (tmp_path / "instances_own.json").write_text(json.dumps(MATCHIT))
    words = ("import", "clembench", "instances_own.json", "--pictures", "pictures", "--to", "own", "--format", "json")
    environment = {"LUDENS_IMPORTED": "registered", "LUDENS_INSTANCES": "own"}
    [report] = ludens(*words, folder=tmp_path, **environment).json()["instances"]
    assert report["experiments"] == {"clembench-own-twins": 2}
    assert report["missing_pictures"] == ["https://example.org/x/gone.png"]
    assert Path(report["file"]).name == "picture.clembench-own.json"
    play = ("run", "matchit/picture", "--seat", "all=random", "--db", "log.db")
    ludens(*play, folder=tmp_path, **environment)
    assert query(tmp_path / "log.db", "SELECT instance_id FROM episode") == [("matchit/picture/clembench-own-twins/0",)]
    selected = ("run", "matchit/picture/clembench-own-twins", "--seat")
    assert "gone.png" in ludens(*selected, "all=random", folder=tmp_path, code=2, **environment).err
    message = ludens(*selected, "all=scripted", folder=tmp_path, code=2, **environment).err
    assert "scripted" in message or "gone.png" in message
    [(ask,)] = query(tmp_path / "log.db", "SELECT data FROM event WHERE kind = 'ask' ORDER BY seq LIMIT 1")
    assert json.loads(ask)["said"] == [{"text": "Say what you see after DESCRIPTION:"}]
    assert not json.loads(ask)["words"]
    [(episode,)] = query(tmp_path / "log.db", "SELECT id FROM episode")
    page = ludens("transcript", episode, "--format", "html", "--db", "log.db", folder=tmp_path, **environment).out
    assert page.count("data:image/") == 2 and page.count("<use ") == 2
    assert "<script" not in page and not re.search(r"https?://(?!example)", page)


def test_a_page_of_six_players_shows_the_speaker_of_each_line(tmp_path):
    ludens("run", "spyfall", "--seat", "all=scripted", "--limit", 1, "--db", "log.db", folder=tmp_path)
    [(episode, seats), *_] = query(tmp_path / "log.db", "SELECT id, seats FROM episode")
    page = ludens("transcript", episode, "--format", "html", "--db", "log.db", folder=tmp_path).out
    for seat in json.loads(seats):
        assert f"Game master to {seat}" in page and f"{seat} · scripted" in page
    assert "default-src 'none'" in page


def test_error_messages_name_the_next_step(tmp_path):
    ludens("run", "imagegame", "--seat", "all=random", "--limit", 1, "--db", "log.db", folder=tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "kept").touch()
    message = ludens("export", "full", "--db", "log.db", folder=tmp_path, code=2).err
    assert "full" in message and "new folder" in message
    assert "psych-ds" in ludens("export", "x", "--format", "xml", "--db", "log.db", folder=tmp_path, code=2).err
    assert "imagegame" in ludens("export", "x", "imagegam", "--db", "log.db", folder=tmp_path, code=2).err
    assert "log.db" in ludens("export", "x", "--db", "no/log.db", folder=tmp_path, code=1).err
    (tmp_path / "bad" / "episode_1").mkdir(parents=True)
    (tmp_path / "bad" / "episode_1" / "interactions.json").write_text("{")
    message = ludens("import", "clembench", "bad", "--db", "log.db", folder=tmp_path, code=1).err
    assert "episode_1" in message and "not JSON" in message
    (tmp_path / "bad" / "episode_1" / "interactions.json").write_text(json.dumps({"players": {}, "turns": []}))
    (tmp_path / "bad" / "episode_1" / "instance.json").write_text(json.dumps(entry(0, "a", "b") | {"image_a": None}))
    message = ludens("import", "clembench", "bad", "--db", "log.db", folder=tmp_path, code=1).err
    assert "episode_1" in message and "everything else is imported" in message
    assert "nowhere" in ludens("import", "clembench", "nowhere", folder=tmp_path, code=2).err
