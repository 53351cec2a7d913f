"""A game whose debriefing fails must not take the end of the game from those who played it."""

import asyncio
import copy
from pathlib import Path
from types import SimpleNamespace

from engine.core.content import Picture
from engine.core.views import Transcript
from engine.play.registry import Registry
from engine.play.runner import play
from ui.live.tables import Tables

ROOT = Path(__file__).parents[2]


class BrokenRegistry(Registry):
    """A registry of games that raise instead of giving a debriefing."""

    def game(self, name):
        game = copy.copy(super().game(name))
        game.debrief = lambda log: None  # takes no scores
        return game


class NoThreads(Tables):
    """Only what making a debriefing needs."""

    def __init__(self, registry):
        self.registry = registry

    async def think(self, function):
        return function()


def test_a_failed_debriefing_still_says_how_the_game_ended(caplog):
    async def main():
        episode = await play("matchit", "text/same/0", {"all": "scripted"})
        row = SimpleNamespace(game="matchit")
        table = SimpleNamespace(id=episode.id, row=row, log=episode.log, transcript=Transcript.of(episode.log))
        return [await NoThreads(kind(ROOT)).debrief(table) for kind in (Registry, BrokenRegistry)]

    whole, plain = asyncio.run(main())
    assert whole["panels"] and whole["outcome"] == plain["outcome"]
    assert plain["headline"] == "The game is over: success." and "panels" not in plain
    assert "takes 1 positional argument but 2 were given" in caplog.text


def test_panels_say_whom_to_credit():
    async def main():
        episode = await play("matchit", "picture/pentomino-similar/0", {"all": "scripted"})
        row = SimpleNamespace(game="matchit")

        async def picture(asset):
            return Picture(b"", "image/webp", 640, 480, {}, f"Set of {asset}, CC BY 4.0")

        table = SimpleNamespace(
            id=episode.id, row=row, log=episode.log, transcript=Transcript.of(episode.log),
            picture=picture, picture_path=lambda audience, asset: f"/p/{asset}",
        )  # fmt: skip
        return await NoThreads(Registry(ROOT)).debrief(table)

    panels = asyncio.run(main())["panels"]
    assert [panel["credit"] for panel in panels] == ["Set of A, CC BY 4.0", "Set of B, CC BY 4.0"]
    assert [panel["alt"] for panel in panels] == ["Picture of seat A", "Picture of seat B"]
