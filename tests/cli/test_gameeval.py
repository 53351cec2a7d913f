"""The result files of the GameEval paper's code beside the events that they are made from."""

import json
import re
from pathlib import Path

from tests.cli.terminal import ludens

ERRORS = {
    ("success", None): "SuccessfulTrial",
    ("lose", "round limit"): "RoundLimitError",
    ("lose", "ending error"): "EndingError",
    ("aborted", "answer mentioned"): "AnswerMentionedError",
    ("aborted", "format"): "ChatError",
}


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def run(folder: Path, selection: str, *seats: str, limit: int = 3) -> None:
    words = [word for seat in seats for word in ("--seat", seat)]
    ludens("run", selection, *words, "--limit", limit, "--db", "log.db", folder=folder)


def export(folder: Path) -> list[list[dict]]:
    """Export as GameEval's files into "out"; return the events of each episode as our own export has them."""
    ludens("export", "--format", "gameeval", "out", "--db", "log.db", folder=folder)
    ludens("export", "--format", "jsonl", "own", "--db", "log.db", folder=folder)
    episodes: dict[str, list[dict]] = {}
    for event in lines(folder / "own" / "events.jsonl"):
        episodes.setdefault(event["episode"], []).append(event)
    return list(episodes.values())


def folder_of(models: dict[str, str]) -> str:
    return "_".join(re.sub("[/?]", "-", models[camp_name]) for camp_name in ("prince", "queen", "spy"))


def test_ask_guess_has_a_line_for_each_trial(tmp_path):
    (tmp_path / "say.txt").write_text("It is in the kitchen.\nYes.\nno\ngameover\n", encoding="utf-8")
    run(tmp_path, "askguess/described", "all=scripted")
    run(tmp_path, "askguess/yes-no", "all=scripted")
    run(tmp_path, "askguess/described", "questioner=random", "answerer=lines/say.txt", limit=1)
    episodes = export(tmp_path)
    out = tmp_path / "out" / "askguess"
    results = [
        *lines(out / "guess_result_easy_scripted.json"),
        *lines(out / "guess_result_hard_scripted.json"),
        *lines(next(out.glob("guess_result_easy_random--lines-say.txt-sha256=*.json"))),
    ]
    expected = []
    for events in episodes:
        start, outcome = events[0]["data"], events[-1]["data"]
        questions = sum(event["kind"] == "parsed" and event["seat"] == "questioner" for event in events)
        rounds = questions - (start["variant"] == "yes-no")  # as the paper's code counts them
        error = ERRORS[outcome["kind"], outcome["reason"]]
        expected.append((start["instance"]["word"], rounds if error == "SuccessfulTrial" else -1, error))
    assert [(line["object"], line["round"], line["error_type"]) for line in results] == expected
    assert results[-1]["error_type"] == "EndingError"
    log = out / "logs_easy_scripted" / results[0]["object"].replace(" ", "_") / results[0]["log"]
    assert log.read_text(encoding="utf-8").startswith("answerer: ")


def test_spyfall_names_the_spy_and_who_won(tmp_path):
    run(tmp_path, "spyfall/words/given", "all=scripted")
    (events, *_) = episodes = export(tmp_path)
    files = sorted((tmp_path / "out" / "spyfall" / "logs" / "scripted_scripted").glob("*/res.json"))
    assert len(files) == len(episodes) == 3
    instance, outcome = events[0]["data"]["instance"], events[-1]["data"]
    names = [instance[side]["word"].replace(" ", "_") for side in ("spy", "common")]
    [line] = lines(next(file for file in files if file.parent.name == "&".join(names)))
    assert line["winer"] == {"spy": "spy", "villagers": "villager"}[outcome["winner"]]
    assert [line["players"][line["spy_index"] - 1]] == outcome["sides"]["spy"]
    assert len(set(line["players"])) == 6 and line["llms"] == ["scripted"] * 6
    assert line["round"] == sum(event["kind"] == "note" and event["data"]["note"] == "out" for event in events)


def test_tofukingdom_names_the_role_or_the_error(tmp_path):
    run(tmp_path, "tofukingdom", "all=scripted")
    (tmp_path / "say.txt").write_text("nothing in the right form\n", encoding="utf-8")
    run(tmp_path, "tofukingdom", "prince=lines/say.txt", "all=scripted", limit=1)
    episodes = export(tmp_path)
    results = lines(tmp_path / "out" / "tofukingdom" / "result.json")
    roles = [events[0]["data"]["instance"]["roles"] for events in episodes]
    named = [
        next((event["data"]["name"] for event in events if event["data"].get("note") == "chosen"), None)
        for events in episodes
    ]
    expected = [of[name] if name else None for of, name in zip(roles, named, strict=True)]
    assert [line.get("winner") for line in results] == expected and expected[-1] is None
    for line in results:
        log = tmp_path / "out" / "tofukingdom" / "logs" / folder_of(line["models"]) / line["log"]
        assert "thought" not in log.read_text(encoding="utf-8")
    assert results[-1]["error"] == "aborted (format, seat prince)"


def test_other_games_are_left_out_with_the_reason(tmp_path):
    run(tmp_path, "matchit/text/same", "all=scripted", limit=1)
    export(tmp_path)
    metadata = json.loads((tmp_path / "out" / "metadata.json").read_text())
    assert metadata["left_out"] == {"no game of GameEval, or not over": 1}


def test_benchmarks_are_of_clembench_alone(tmp_path):
    run(tmp_path, "matchit/text/same", "all=scripted", limit=1)
    words = ("export", "--format", "gameeval", "out", "--by-benchmark", "--db", "log.db")
    assert "--by-benchmark is for --format clembench" in ludens(*words, folder=tmp_path, code=2).err
    assert not (tmp_path / "out").exists()
