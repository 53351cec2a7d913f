"""Published episodes of clembench as external judge: their replies through our GameMaster give their outcome."""

import json
from pathlib import Path

import pytest

from engine.core.events import Kind
from engine.core.log import Log
from engine.core.master import GameMaster, build_start_event
from engine.play.registry import Registry
from games.matchit import clembench

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT.parent / "shared" / "published"
SEATS = {"Player 1": "A", "Player 2": "B"}


def episodes() -> list[dict]:
    index = PUBLISHED / "INDEX.jsonl"
    if not index.exists():
        return []
    rows = map(json.loads, index.read_text().splitlines())
    return [row for row in rows if row["game"] in ("matchit", "matchit_ascii")]


def test_the_published_episodes_are_there():
    if not PUBLISHED.exists():
        pytest.skip(f"{PUBLISHED} is not beside this checkout")
    assert len(episodes()) == 5


@pytest.mark.parametrize("row", episodes(), ids=lambda row: row["dir"])
def test_published_matchit_episode_has_the_published_outcome(row):
    folder = PUBLISHED / row["dir"]
    theirs = json.loads((folder / "instance.json").read_text())
    turns = json.loads((folder / "interactions.json").read_text())["turns"]
    game = Registry(ROOT).game("matchit")
    start = build_start_event(
        game,
        ludens="test",
        variant="text" if "grid_a" in theirs else "picture",
        experiment="imported",
        instance=clembench.instance(theirs),
        instance_id=row["dir"],
        seats={"A": "recorded/published", "B": "recorded/published"},
        settings=clembench.settings(theirs),
    )
    master, log = GameMaster.begin_episode(game, start)
    for said in (event for turn in turns for event in turn):
        if said["action"]["type"] == "get message":
            ask = next(n for n, ask in master.open.items() if ask.request.seat == SEATS[said["from"]])
            log += master.reply(ask, said["action"]["content"])
    assert master.outcome is not None, "all their replies were taken and we still ask"
    kind, _, reason = row["outcome"].partition("-")
    assert (master.outcome.kind, master.outcome.reason) == (kind, reason or None)
    assert game.score(Log(log))["main_score"] == {"success": 100, "lose": 0, "aborted": None}[kind]
    if kind == "success":
        assert sum(event.kind is Kind.PARSED for event in log) == 16
