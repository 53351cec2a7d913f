"""What a game need not say: the defaults of `Game`, and instances in the folder of the game."""

import asyncio
import json
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

import engine
from engine import Asking, Game, Json, Log, Outcome, Player, Reply, Success, Table, Tagged, one_of
from engine.core.master import GameMaster
from engine.play.plans import build_item_start
from engine.play.registry import BadInstances, Registry

ROOT = Path(__file__).parents[2]
RULES = """
from engine import *
class Coin(Game):
    seats = ("caller",)
    def play(self, table, instance):
        call = yield from table.ask("caller", "Call it.", Tagged("CALL", one_of("heads", "tails")))
        return Success() if call == instance["side"] else Lose()
GAME = Coin()
"""


class HeadsOrTails(Game):
    """Call the coin
    in the air.

    Nobody reads this in the lobby."""

    seats = ("caller",)

    def play(self, table: Table, instance: Json) -> Asking[Outcome]:
        instance["side"] = "changed"
        yield from table.ask("caller", "Call it.", Tagged("CALL", one_of("heads", "tails")))
        return Success()


class Checked(HeadsOrTails):
    class Instance(BaseModel):
        side: str


def registry_of(folder: Path, files: dict[str, str]) -> Registry:
    """A registry whose only game is "coin", with these files."""
    for name, text in {"games/coin/rules.py": RULES, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return Registry(folder)


@pytest.fixture
def coin(tmp_path, monkeypatch):
    """Return a function that makes a registry; its `games.coin` is that of this test."""
    import sys

    import games

    monkeypatch.setattr(games, "__path__", [str(tmp_path / "games"), *games.__path__])
    yield lambda files: registry_of(tmp_path, files)
    for name in [name for name in sys.modules if name.startswith("games.coin")]:
        del sys.modules[name]


def test_what_follows_from_the_class():
    game = HeadsOrTails()
    assert (game.name, game.title) == ("headsortails", "Headsortails")
    assert game.blurb == "Call the coin in the air." and game.rules == ()
    assert [variant.name for variant in game.variants] == ["text"] and game.version == game.scores_version == 1


@pytest.mark.parametrize(("side", "headline"), [("heads", "solved"), ("tails", "not solved")])
def test_the_page_of_a_game_without_a_debriefing_says_how_it_ended(coin, side, headline):
    game = coin({"games/coin/instances.json": "[]"}).game("coin")
    player = type("Heads", (Player,), {"reply": lambda self, view: asyncio.sleep(0, Reply("CALL: heads"))})()
    log = Log(asyncio.run(engine.play(game, {"side": side}, {"caller": player})).log)
    assert game.debrief(log, game.score(log)).headline == f"The task was {headline}."


def test_the_docstring_of_a_base_class_is_no_blurb_of_another_game():
    assert type("Silent", (Game,), {}).blurb == ""


def test_a_rulebook_cannot_change_the_instance_that_the_log_holds():
    from engine.play.registry import SelectedInstance

    item = SelectedInstance("headsortails", "text", "all", 0, {"side": "heads"})
    _, log = GameMaster.begin_episode(HeadsOrTails(), build_item_start(HeadsOrTails(), item, {"caller": "random"}))
    assert item.instance == {"side": "heads"} and log[0].data["instance"] == {"side": "heads"}


def test_a_model_in_the_class_checks_the_instances():
    assert Checked().load({"side": "heads"}).side == "heads"
    with pytest.raises(ValidationError, match="side"):
        Checked().load({})


def test_a_list_of_instances_is_one_experiment(coin):
    registry = coin({"games/coin/instances.json": '[{"side": "heads"}, {"side": "tails"}]'})
    assert registry.broken_games == {} and registry.game("coin").name == "coin"
    assert [item.instance_id for item in registry.select_instances("coin")] == ["coin/text/all/0", "coin/text/all/1"]


def test_experiments_of_the_file_have_the_titles_that_it_gives(coin):
    data = {"experiments": {"easy": [{"side": "heads"}], "hard": []}, "titles": {"easy": "Fair coins"}}
    registry = coin({"games/coin/instances.json": json.dumps(data)})
    assert registry.titles("coin", "text") == {"easy": "Fair coins", "hard": "hard"}
    [item] = registry.select_instances("coin/text/easy")
    start = build_item_start(registry.game("coin"), item, {"caller": "random"})
    assert registry.find_experiment_title(start) == "Fair coins"


def test_a_folder_of_instances_comes_before_the_file_in_the_game(coin, tmp_path):
    files = {"games/coin/instances.json": "[]", "mine/coin/text.json": '{"experiments": {"own": [{"side": "heads"}]}}'}
    registry = coin(files)
    registry.instances = tmp_path / "mine"
    assert list(registry.experiments("coin", "text")) == ["own"]
    registry = Registry(tmp_path, tmp_path / "elsewhere")
    assert registry.file("coin", "text") == tmp_path / "games" / "coin" / "instances.json"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "Expecting property name"),
        ("1", "a list of instances, or an object with the field experiments"),
        ('["heads"]', "all/0: an instance is an object, not 'heads'"),
        ('{"experiments": {"a/b": []}}', "field experiments.a/b: not an experiment"),
    ],
)
def test_a_file_that_is_wrong_is_named_with_the_reason(coin, text, why):
    registry = coin({"games/coin/instances.json": text})
    with pytest.raises(BadInstances) as error:
        registry.select_instances("coin")
    assert "coin/instances.json" in str(error.value) and why in str(error.value)


def test_missing_instances_are_named_with_what_to_do(coin):
    with pytest.raises(BadInstances, match=r"coin/text\.json is missing: write the instances into it"):
        coin({}).select_instances("coin")
