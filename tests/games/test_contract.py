"""The contract every game keeps, run over every game in the folder `games`; and that it finds what is wrong."""

import asyncio
from pathlib import Path

import pytest

from engine.core.events import Ending, digest
from engine.core.game import ScriptedPlayer
from engine.core.player import Player, Reply
from engine.play import runner
from engine.play.contract import game_checks
from engine.play.registry import Registry
from games.common.playable import is_bare

REGISTRY = Registry(Path(__file__).parents[2])
CHECKS = [
    pytest.param(check, id=f"{check.name} [{check.subject}]")
    for name in REGISTRY.games
    for check in game_checks(REGISTRY, name, is_bare)
]


def test_every_game_folder_can_be_loaded():
    assert REGISTRY.broken == {}


@pytest.mark.parametrize("check", CHECKS)
def test_a_game_keeps_the_contract(check):
    check.run()


class Fallback(Player):
    """A scripted player that always takes too long: it sends its fallback, or its own reply where there is none."""

    def __init__(self, scripted: ScriptedPlayer, seat: str) -> None:
        self.inner, self.fallback = scripted.make(seat), scripted.fallback
        self.sent = 0

    async def reply(self, view):
        text = self.fallback(view) if self.fallback else None
        self.sent += text is not None
        return await self.inner.reply(view) if text is None else Reply(text)


VARIANTS = [(name, variant.name) for name, game in REGISTRY.games.items() for variant in game.variants]


@pytest.mark.parametrize(("name", "variant"), VARIANTS, ids=str)
def test_the_fallbacks_of_scripted_players_are_in_the_format_and_allowed(name, variant):
    for item in [item for item in REGISTRY.select(f"{name}/{variant}") if item.index == 0]:
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
    failures = [failure for check in game_checks(registry, name, is_bare) if (failure := check.failure())]
    assert any(reason in failure for failure in failures), failures


def test_equal_data_has_equal_digests():
    assert digest({"a": 1, "b": [2]}) == digest({"b": [2], "a": 1}) != digest({"a": 1, "b": [3]})
