"""Versions of the games' prompts: open episodes keep their texts, and scripted players understand every version."""

import asyncio
import json

import pytest

from engine.core.events import Ending, Kind
from engine.core.master import GameMaster
from engine.core.player import refuse_episode_loading
from engine.core.views import Conversation
from engine.play.plans import build_item_start
from tests.golden.episodes import REGISTRY, read_log

GAMES = [name for name, game in REGISTRY.games.items() if len(game.prompts.versions) > 1]
VARIANTS = [(name, variant.name) for name in GAMES for variant in REGISTRY.game(name).variants]


def play_scripted(name, item, version):
    """Return the events of an episode that scripted players play with a version of the prompts."""
    game = REGISTRY.game(name)
    start = build_item_start(game, item, dict.fromkeys(game.seats, "scripted"), seed="prompts", prompts=version)
    master, log = GameMaster.begin_episode(game, start)
    players = {seat: REGISTRY.player("scripted", name, seat, refuse_episode_loading) for seat in game.seats}
    conversations = {seat: Conversation(seat) for seat in game.seats}
    events = log
    while True:
        for event in events:
            for conversation in conversations.values():
                conversation.apply(event)
        if not master.open:
            return master, log
        waiting = next(iter(master.open.values()))
        seat = waiting.request.seat
        view = conversations[seat].view(lambda asset: game.picture(master.instance, asset))
        events = master.reply(waiting.id, asyncio.run(players[seat].reply(view)).text)
        log = log + events


def texts_of(events):
    """Return what asks and tells say, with the declarations of the formats."""
    return [
        json.dumps([event.data["said"], event.data.get("format"), event.data.get("words")])
        for event in events
        if event.kind in (Kind.ASK, Kind.TELL)
    ]


@pytest.mark.parametrize("name", GAMES)
def test_an_open_episode_of_version_1_goes_on_in_its_words_and_a_new_one_has_the_present_ones(name):
    game, log = REGISTRY.game(name), read_log(name, "open")
    resumed = GameMaster.resume(game, log.events)
    assert resumed.open and resumed.start.prompts_version == 1
    [old_ask] = [event for event in log.events if event.kind is Kind.ASK and event.data["ask"] in resumed.open]
    [waiting] = resumed.open.values()
    assert waiting.request.reply.declaration() == old_ask.data["format"]
    assert game.prompts.version > 1
    new = resumed.start.model_copy(update={"prompts_version": game.prompts.version})
    _, events = GameMaster.begin_episode(game, new)
    old_texts = texts_of(log.events)
    assert all(text not in old_texts for text in texts_of(events)[:1])
    before = new.model_copy(update={"prompts_version": 1})
    assert texts_of(GameMaster.begin_episode(game, before)[1]) == old_texts[: len(texts_of(events))]


@pytest.mark.parametrize(("name", "variant"), VARIANTS, ids=str)
def test_scripted_players_play_alike_with_every_version_of_the_prompts(name, variant):
    item = REGISTRY.select_instances(f"{name}/{variant}")[0]
    replies = []
    for version in REGISTRY.game(name).prompts.versions:
        master, log = play_scripted(name, item, version)
        assert master.outcome.kind is not Ending.ABORTED
        replies.append([event.data["text"] for event in log if event.kind is Kind.REPLY])
    assert all(other == replies[0] for other in replies)
