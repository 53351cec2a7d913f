"""The contract every game keeps, run over every game in the folder `games`; and that it finds what is wrong."""

import asyncio
import re
from pathlib import Path

import pytest

from engine.core.events import Ending, digest
from engine.core.game import ScriptedPlayer
from engine.core.player import Player, Reply
from engine.play import runner
from engine.play.contract import PAGE_FIELDS, list_game_checks
from engine.play.registry import Registry
from games.common.playable import holds_only_pixels

REGISTRY = Registry(Path(__file__).parents[2])
CHECKS = [
    pytest.param(
        check,
        id=f"{check.check_name} [{check.checked_target}]",
        marks=[pytest.mark.processes] if "hash seed" in check.check_name else [],
    )
    for name in REGISTRY.games
    for check in list_game_checks(REGISTRY, name, holds_only_pixels)
]


def test_every_game_folder_can_be_loaded():
    assert REGISTRY.broken_games == {}


@pytest.mark.parametrize("check", CHECKS)
def test_a_game_keeps_the_contract(check):
    check.run_check()


class Fallback(Player):
    """A scripted player that always takes too long: it sends its fallback, or its own reply where there is none."""

    def __init__(self, scripted: ScriptedPlayer, seat: str) -> None:
        self.inner, self.fallback = scripted.make_player(seat), scripted.fallback
        self.sent = 0

    async def reply(self, view):
        text = self.fallback(view) if self.fallback else None
        self.sent += text is not None
        return await self.inner.reply(view) if text is None else Reply(text)


VARIANTS = [(name, variant.name) for name, game in REGISTRY.games.items() for variant in game.variants]


@pytest.mark.parametrize(("name", "variant"), VARIANTS, ids=str)
def test_what_nobody_should_meet_twice_has_names(name, variant):
    for item in REGISTRY.select_instances(f"{name}/{variant}"):
        assert all(isinstance(stimulus, str) for stimulus in REGISTRY.game(name).stimuli(item.instance))


@pytest.mark.parametrize(("name", "variant"), VARIANTS, ids=str)
def test_the_fallbacks_of_scripted_players_are_in_the_format_and_allowed(name, variant):
    for item in [item for item in REGISTRY.select_instances(f"{name}/{variant}") if item.index == 0]:
        scripted = REGISTRY.game(name).scripted_players()["scripted"]
        players = {seat: Fallback(scripted, seat) for seat in REGISTRY.game(name).seats}
        episode = asyncio.run(runner.play(name, item, players, registry=REGISTRY))
        assert episode.outcome and episode.outcome.kind is not Ending.ABORTED, episode.outcome
        assert not scripted.fallback or any(player.sent for player in players.values())


RULES = """
from engine import *
class Faulty(Game):
    seats = ("guesser",)
    def play(self, table, instance):
        words = WORDS
        yield from table.ask("guesser", "Guess.", Tagged("GUESS", one_of(*words)))
        return Success()
    EXTRA
GAME = Faulty()
"""
FAULTS = {
    "an order that depends on the hash seed": (("WORDS", "set('abcdefgh')"), "the order of a set or of `hash`"),
    "a bug in a debriefing": (("EXTRA", "def debrief(self, log, scores): return 1 / 0"), "ZeroDivisionError"),
    "a score out of range": (("EXTRA", 'def score(self, log): return {"main_score": 101}'), "from 0 to 100, not 101"),
    "a board that is empty": (("EXTRA", "def board(self, log): return []"), "the board of a finished game is empty"),
    "a plain yield": (("yield from table.ask", "yield table.ask"), "write `yield from table.ask('guesser', …)`"),
    "a game that never ends": (
        ("return Success()", "return (yield from self.play(table, instance))"),
        "RecursionError",
    ),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_the_contract_finds_what_is_wrong(kind, tmp_path):
    name = f"faulty{list(FAULTS).index(kind)}"
    (change, reason) = FAULTS[kind]
    (tmp_path / name).mkdir()
    rules = RULES.replace(*change).replace("WORDS", "['a', 'b']").replace("EXTRA", "")
    (tmp_path / name / "rules.py").write_text(rules)
    (tmp_path / name / "instances.json").write_text("[{}]")
    registry = Registry(Path(__file__).parents[2], game_folders=[tmp_path])
    failures = [
        failure for check in list_game_checks(registry, name, holds_only_pixels) if (failure := check.find_failure())
    ]
    assert any(reason in failure for failure in failures), failures
    assert not any("KeyError" in failure for failure in failures)


DIAL = """
from engine.core.replies import OneOf
class Dialled(OneOf):
    def field(self, name):
        return super().field(name) | {"kind": "dial"}
"""


def test_a_field_that_no_page_can_draw_is_found(tmp_path):
    folder = tmp_path / "dialling"
    (folder / "web").mkdir(parents=True)
    rules = RULES.replace("one_of(*words)", "Dialled(tuple(words))").replace("WORDS", "['a', 'b']").replace("EXTRA", "")
    (folder / "rules.py").write_text(f"{DIAL}{rules}".replace("Faulty", "Dialling"))
    (folder / "instances.json").write_text("[{}]")
    (folder / "web" / "dial.js").touch()
    registry = Registry(Path(__file__).parents[2], game_folders=[folder])
    checks = list_game_checks(registry, "dialling", holds_only_pixels)
    [check] = [check for check in checks if check.check_name == "pages can draw every field of its forms"]
    failure = check.find_failure() or ""
    assert "the kind 'dial', which no page can draw: list its widget under \"fields\" in" in failure
    assert f"{folder}/web/widgets.json" in failure
    for manifest, reason in (
        ('{"exhibits": {"dial": "dial.js"}}', "the kind 'dial', which no page can draw"),
        ('{"fields": {"dial": "missing.js"}}', "widgets.json lists missing.js"),
        ("{", "widgets.json cannot be read"),
    ):
        (folder / "web" / "widgets.json").write_text(manifest)
        assert reason in (check.find_failure() or "")
    (folder / "web" / "widgets.json").write_text('{"fields": {"dial": "dial.js"}}')
    assert check.find_failure() is None


def test_the_kinds_that_the_pages_draw_are_those_of_their_form():
    script = (Path(__file__).parents[2] / "ui/static/table/form.js").read_text(encoding="utf-8")
    kinds = re.findall(r"^  (\w+): create", script.partition("const FIELDS = {")[2].partition("}")[0], re.MULTILINE)
    assert set(kinds) == PAGE_FIELDS


def test_equal_data_has_equal_digests():
    assert digest({"a": 1, "b": [2]}) == digest({"b": [2], "a": 1}) != digest({"a": 1, "b": [3]})
