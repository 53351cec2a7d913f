"""The contract every game keeps, run over every game found: a new game is tested without a line here."""

import asyncio
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from engine.core.content import Picture
from engine.core.events import Ending, Kind, digest, to_json
from engine.core.log import Log
from engine.core.master import GameMaster
from engine.core.player import no_episodes
from engine.core.replies import Violation, format_of
from engine.core.scores import common_scores, score_episode
from engine.core.views import Conversation, Transcript
from engine.play.episode import Episode, Nowhere
from engine.play.plans import build_item_start
from engine.play.registry import Registry
from engine.storage.ids import new_id
from games.common.playable import is_bare

ROOT = Path(__file__).parents[2]
REGISTRY = Registry(ROOT)
VARIANTS = [(name, variant.name) for name, game in REGISTRY.games.items() for variant in game.variants]
EACH = pytest.mark.parametrize(("name", "variant"), VARIANTS, ids=str)


def items(name, variant, per_experiment=2):
    taken = [item for item in REGISTRY.select(f"{name}/{variant}") if item.index < per_experiment]
    assert taken, f"{name}/{variant} ships no instances"
    return taken


def start(item, player="random", **rest):
    game = REGISTRY.game(item.game)
    return build_item_start(game, item, dict.fromkeys(game.seats, player), **rest)


def play(item, player, **rest):
    """Play one instance with `player` in all seats and return the episode."""

    async def go():
        game = REGISTRY.game(item.game)
        players = {seat: REGISTRY.player(player, item.game, seat, no_episodes) for seat in game.seats}
        episode = await Episode.begin(new_id(), game, start(item, player, **rest), players, Nowhere())
        await episode.play()
        return episode

    return asyncio.run(go())


def facts(log):
    """Return what two logs of the same episode agree in: all but times and what is known about a reply."""
    return [
        (event.n, event.kind, event.seat, {key: value for key, value in event.data.items() if key != "meta"})
        for event in log
    ]


def test_every_game_folder_can_be_loaded():
    assert REGISTRY.broken == {}


@EACH
@pytest.mark.parametrize("player", ["random", "scripted"])
def test_self_play_ends_with_an_outcome_of_the_rules(name, variant, player):
    for item in items(name, variant):
        episode = play(item, player)
        assert episode.outcome and episode.outcome.kind is not Ending.ABANDONED, episode.stalled
        if player == "scripted":
            assert episode.outcome.kind is not Ending.ABORTED


@EACH
@pytest.mark.parametrize("player", ["random", "scripted"])
def test_replaying_the_log_gives_the_same_events_and_scores(name, variant, player):
    game = REGISTRY.game(name)
    assert name in REGISTRY.scores_version(name)
    for item in items(name, variant):
        log = play(item, player).log
        assert facts(play(item, player).log) == facts(log)
        again = GameMaster.resume(game, log)
        assert again.outcome
        scores = score_episode(Log(log), game)
        stored = [type(event)(event.kind, event.seat, json.loads(to_json(event.data)), event.n) for event in log]
        assert json.loads(to_json(score_episode(Log(stored), game))) == json.loads(to_json(scores))
        assert (scores["main_score"] is None) == (game.adversarial or again.outcome.kind is Ending.ABORTED)
        if game.adversarial:
            assert set(scores["side_scores"]) == set(game.sides)


DIGESTS = """
import sys; sys.path[:0] = sys.argv[1:3]
import test_contract as contract
print(contract.digest([contract.facts(contract.play(item, player).log)
      for name, variant in contract.VARIANTS for item in contract.items(name, variant, 1)
      for player in ("random", "scripted")]))
"""


def test_episodes_do_not_depend_on_the_hash_seed():
    found = set()
    for seed in ("1", "2"):
        command = [sys.executable, "-c", DIGESTS, str(ROOT), str(Path(__file__).parent)]
        done = subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        found.add(done.stdout.strip())
    assert len(found) == 1


MALFORMED = (
    "",
    "   \n\t ",
    "hello",
    "I think it is fine.",
    "```\nhello\n```",
    "{}",
    '{"a": 1',
    "NULL: \x00",
    "\ud800",
    "🙂",
    "<b>x</b>",
    "‮אבג",
    "x" * 100_000,
)


@EACH
def test_a_reply_not_in_the_format_aborts_and_names_the_seat(name, variant):
    item = items(name, variant, 1)[0]
    for ask in range(1, 4):
        for bad in MALFORMED:
            master, log = GameMaster.begin(REGISTRY.game(name), start(item))
            rng = random.Random(7)
            while master.open and min(master.open) < ask:
                number = min(master.open)
                log += master.reply(number, _acceptable(master, number, rng))
            if ask not in master.open:
                continue  # a short game, over before
            request = master.open[ask].request
            try:
                value = request.reply.parse(bad)
            except Violation as violation:
                log += master.reply(ask, bad)
                assert master.outcome and master.outcome.kind is Ending.ABORTED
                assert (master.outcome.reason, master.outcome.seat) == (violation.fault, request.seat)
                assert [event.data["text"] for event in log if event.kind is Kind.REPLY][-1] == bad
                assert not master.open
                counts = common_scores(log)
                assert (counts["played"], counts["violated_requests"], counts["requests"]) == (0, 1, ask)
            else:  # free text is free: it must pass, and be relayed word for word
                log += master.reply(ask, bad)
                allowed = request.allow is None or request.allow(value) is None
                assert (master.outcome is not None and master.outcome.kind is Ending.ABORTED) != allowed


def _acceptable(master, number, rng):
    """Return a reply that form and rules accept."""
    request = master.open[number].request
    for _ in range(1000):
        text = request.reply.sample(rng)
        if request.allow is None or request.allow(request.reply.parse(text)) is None:
            return text
    raise AssertionError(f"no allowed reply in 1,000 samples of {request.reply}")


@EACH
def test_reminders_are_counted_as_violated_requests(name, variant):
    item = items(name, variant, 1)[0]
    master, log = GameMaster.begin(REGISTRY.game(name), start(item, reprompt=2))
    seat = master.open[1].request.seat
    view = Conversation(seat)
    for _ in range(2):
        log += master.reply(1, "")
        assert master.outcome is None and 1 in master.open
    for event in log:
        view.apply(event)
    assert [message.role for message in view.messages] == ["user", "assistant"] * 2 + ["user"]
    assert view.ask and view.ask.reminder
    good = [*log, *master.reply(1, _acceptable(master, 1, random.Random(1)))]
    counts = common_scores(good)
    assert (counts["requests"], counts["parsed_requests"], counts["violated_requests"]) == (3, 1, 2)

    master, log = GameMaster.begin(REGISTRY.game(name), start(item, reprompt=2))
    for _ in range(3):
        log += master.reply(1, "")
    assert master.outcome and (master.outcome.kind, master.outcome.seat) == (Ending.ABORTED, seat)
    assert common_scores(log)["violated_requests"] == 3


@EACH
@pytest.mark.parametrize("player", ["random", "scripted"])
def test_a_seat_sees_its_own_conversation_and_roles_alternate(name, variant, player):
    item = items(name, variant, 1)[0]
    log = play(item, player).log
    for seat in REGISTRY.game(name).seats:
        view = Conversation(seat)
        own = Conversation(seat)
        for event in log:
            view.apply(event)
            if event.seat in (None, seat):
                own.apply(event)
        assert view == own, "another seat's events changed this seat's view"
        roles = [message.role for message in view.messages]
        assert roles == [("user", "assistant")[place % 2] for place in range(len(roles))]
        replies = [event.data["text"] for event in log if event.kind is Kind.REPLY and event.seat == seat]
        assert [message.text() for message in view.messages if message.role == "assistant"] == replies


@EACH
def test_every_ask_declares_a_format_that_survives_the_log(name, variant):
    for item in items(name, variant, 1):
        for event in play(item, "random").log:
            if event.kind is Kind.ASK:
                declared = json.loads(to_json(event.data["format"]))
                assert format_of(declared).words() == event.data["words"]
                assert format_of(declared).form()


@EACH
def test_pictures_can_be_drawn_and_carry_no_metadata(name, variant):
    game = REGISTRY.game(name)
    if not game.variant(variant).pictures:
        pytest.skip(f"{name}/{variant} shows no pictures")
    item = items(name, variant, 1)[0]
    episode = play(item, "random")
    shown = {asset["id"] for event in episode.log if event.kind is Kind.ASK for asset in event.data["pictures"]}
    assert shown
    for asset in shown:
        picture = episode.picture(asset)
        assert isinstance(picture, Picture) and picture.data == episode.picture(asset).data
        kind = {"image/png": "PNG", "image/webp": "WEBP", "image/jpeg": "JPEG"}[picture.media_type]
        assert is_bare(picture.data, kind)


@EACH
def test_transcript_debriefing_and_board_are_made_of_any_finished_episode(name, variant):
    game = REGISTRY.game(name)
    for player in ("random", "scripted"):
        for item in items(name, variant, 1):
            log = Log(play(item, player).log)
            transcript = Transcript.of(log)
            assert transcript.outcome and not transcript.open and transcript.lines
            debriefing = game.debrief(log, score_episode(log, game))
            assert debriefing.headline and debriefing.panels
            assert to_json(debriefing.as_json(log, REGISTRY.experiment_title(log.start)))
            assert bool(game.board(log)) == game.has_board
            assert to_json(game.board(log))


def test_equal_data_has_equal_digests():
    assert digest({"a": 1, "b": [2]}) == digest({"b": [2], "a": 1}) != digest({"a": 1, "b": [3]})
