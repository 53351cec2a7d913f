"""The debriefing of a finished table: a bug in the game does not take it away, and pictures are credited."""

import asyncio
import copy
from types import SimpleNamespace

from engine.core.content import Picture
from engine.core.views import Transcript
from engine.play.registry import Registry
from engine.play.runner import play
from tests.conftest import ROOT
from ui.live.debriefing import debrief_table
from ui.live.pictures import EpisodePictures


class BrokenRegistry(Registry):
    """A registry whose games fail to debrief."""

    def game(self, name):
        game = copy.copy(super().game(name))
        game.debrief = lambda log, scores: game.no_such_attribute
        return game


def context(registry):
    """Return what a debriefing needs of a server, without its threads."""

    async def run_in_thread(function, *args):
        return function(*args)

    links = SimpleNamespace(derive_picture_id=lambda episode, audience, asset: asset)
    return SimpleNamespace(registry=registry, run_in_thread=run_in_thread, links=links, pictures={})


async def finished_table(instance, context, game=None):
    """Play an instance between programs; return its table."""
    episode = await play("matchit", instance, {"all": "scripted"})
    record = SimpleNamespace(log=episode.log, transcript=Transcript.from_events(episode.log))
    pictures = EpisodePictures(context, episode.id, game, episode.log[0].data["instance"])
    return SimpleNamespace(id=episode.id, record=record, pictures=pictures)


def test_a_failed_debriefing_still_says_how_the_game_ended(caplog):
    async def main(kind):
        server = context(kind(ROOT))
        return await debrief_table(server, await finished_table("text/same/0", server))

    whole, plain = asyncio.run(main(Registry)), asyncio.run(main(BrokenRegistry))
    assert whole["panels"] and whole["outcome"] == plain["outcome"]
    assert plain["headline"] == "The game is over: success." and "panels" not in plain
    assert "no_such_attribute" in caplog.text


def test_panels_name_the_source_of_their_pictures():
    def picture(instance, asset):
        return Picture(b"", "image/webp", 640, 480, {}, f"Set of {asset}, CC BY 4.0")

    async def main():
        server = context(Registry(ROOT))
        game = SimpleNamespace(load=lambda data: data, picture=picture)
        return await debrief_table(server, await finished_table("picture/pentomino-similar/0", server, game))

    panels = asyncio.run(main())["panels"]
    assert [panel["credit"] for panel in panels] == ["Set of A, CC BY 4.0", "Set of B, CC BY 4.0"]
    assert [panel["alt"] for panel in panels] == ["Picture of seat A", "Picture of seat B"]
    assert [panel["picture"] for panel in panels] == ["/p/A", "/p/B"]
