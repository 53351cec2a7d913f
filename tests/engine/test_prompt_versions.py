"""Versions of prompts: an open episode goes on with the texts it began with, new ones have the present texts."""

import re
from pathlib import Path

import pytest

from engine.core.content import parts_to_text
from engine.core.events import Kind, Success
from engine.core.game import Game
from engine.core.master import GameMaster, RulesChanged, build_start_event
from engine.core.prompts import Prompts
from engine.core.replies import Text
from engine.play.plan_checks import BadPlan, check_prompts
from engine.play.plans import Plan, build_item_start, compute_plan_key
from engine.play.registry import Registry
from tests.engine.small_games import begin, log_of

ROOT = Path(__file__).resolve().parents[2]


def write_prompts(folder: Path, name: str, version: int, word: str) -> None:
    text = f'version = {version}\n[texts]\nask = "{word} $place."\nmore = "{word} more."\nlabel = "{word} it"\n'
    (folder / name).write_text(text, encoding="utf-8")


def build_game(folder: Path) -> Game:
    """Return a game that asks twice, with texts and labels from a folder of prompts."""

    class Asker(Game):
        seats = ("one",)
        prompts = Prompts.load(folder)

        def play(self, table, instance):
            for key in ("ask", "more"):
                yield from table.ask("one", table.prompts(key, place="here"), Text(label=table.prompts("label")))
            return Success()

    return Asker()


def read_open_asks(master: GameMaster) -> list[tuple[str, str]]:
    """Return what the open asks say, with the labels of their forms."""
    return [(waiting.request.content, waiting.request.reply.label) for waiting in master.open.values()]


def test_an_open_episode_goes_on_with_the_texts_of_its_version(tmp_path):
    write_prompts(tmp_path, "native.toml", 1, "Say")
    master, log = begin(build_game(tmp_path))
    assert read_open_asks(master) == [("Say here.", "Say it")]
    write_prompts(tmp_path, "native.1.toml", 1, "Say")
    write_prompts(tmp_path, "native.toml", 2, "Write")
    game = build_game(tmp_path)
    resumed = GameMaster.resume(game, log)
    assert read_open_asks(resumed) == [("Say here.", "Say it")]
    log = log_of(resumed.reply(1, "well"), log)
    assert read_open_asks(resumed) == [("Say more.", "Say it")]
    resumed.reply(2, "done")
    assert resumed.outcome == Success()
    new, log = begin(game)
    assert log[0].data["prompts_version"] == 2
    assert read_open_asks(new) == [("Write here.", "Write it")]


def test_an_episode_whose_texts_are_not_kept_is_not_continued_in_other_words(tmp_path):
    write_prompts(tmp_path, "native.toml", 1, "Say")
    _, log = begin(build_game(tmp_path))
    write_prompts(tmp_path, "native.toml", 2, "Write")
    with pytest.raises(RulesChanged):
        GameMaster.resume(build_game(tmp_path), log)


@pytest.mark.parametrize(("name", "version"), [("native.1.toml", 2), ("native.3.toml", 3), ("native.2.toml", 1)])
def test_a_file_of_an_earlier_version_says_which_version_it_is(name, version, tmp_path):
    write_prompts(tmp_path, "native.toml", 2, "Write")
    write_prompts(tmp_path, name, version, "Say")
    with pytest.raises(ValueError, match=name):
        Prompts.load(tmp_path)


def test_a_plan_can_ask_for_an_earlier_version(tmp_path):
    write_prompts(tmp_path, "native.toml", 2, "Write")
    write_prompts(tmp_path, "native.1.toml", 1, "Say")
    game = build_game(tmp_path)
    check_prompts(game, 1)
    with pytest.raises(BadPlan, match="no version 3 of its prompts; there are: 1, 2"):
        check_prompts(game, 3)
    start = {"ludens": "0", "variant": "text", "experiment": "e", "instance": {}, "instance_id": "free"}
    now, before = (build_start_event(game, **start, seats={"one": "x"}, prompts=version) for version in (None, 1))
    assert (now.prompts_version, before.prompts_version) == (2, 1)
    assert compute_plan_key(now) != compute_plan_key(before)
    master, _ = GameMaster.begin_episode(game, before)
    assert read_open_asks(master) == [("Say here.", "Say it")]


def test_every_kept_version_of_every_game_has_the_texts_that_its_rulebook_uses():
    """A version that lacks a text would break an open game in the middle."""
    for game in Registry(ROOT).games.values():
        for version in game.prompts.versions:
            assert game.prompts.select_version(version).version == version
            assert set(game.prompts.select_version(version).texts) == set(game.prompts.texts), (game.name, version)


PLAIN_WORDS = {
    "mapworld/ee-text/small/0": ("stop when there is no room left", "no more rooms to visit", "Walk on"),
    "matchit/text/same/0": ("and you can only find out by talking", "only by talking to each other", "Describe what"),
    "reference/text/rows/0": ("the same three grids before you", "each see the same three grids", "Describe the"),
}
"""By instance: words of the first request in version 1 and in version 2, and the start of version 1's title."""


@pytest.mark.parametrize("selection", PLAIN_WORDS)
def test_an_open_game_of_version_1_goes_on_in_its_words_and_a_new_one_has_those_of_version_2(selection):
    earlier_words, present_words, earlier_title = PLAIN_WORDS[selection]
    registry = Registry(ROOT)
    game, [item] = registry.game(selection.partition("/")[0]), registry.select_instances(selection)
    forms = {}
    for version, expected, unexpected in ((1, earlier_words, present_words), (2, present_words, earlier_words)):
        start = build_item_start(game, item, dict.fromkeys(game.seats, "random"), prompts=version)
        _, log = GameMaster.begin_episode(game, start)
        waiting, *_ = GameMaster.resume(game, log).open.values()
        asked = parts_to_text(next(event.data["said"] for event in log if event.kind is Kind.ASK))
        assert expected in asked and unexpected not in asked
        forms[version] = waiting.request.reply.describe_form()
    assert forms[1]["title"].startswith(earlier_title)
    assert forms[1] != forms[2]
    assert log[0].data["prompts_version"] == game.prompts.version == 2


def test_a_run_of_an_unknown_version_is_refused():
    with pytest.raises(BadPlan, match="matchit has no version 99"):
        Plan.from_selections(Registry(ROOT), ["matchit/text/same/0"], [{"all": "random"}], prompts=99)


def test_a_wrong_prompt_or_value_names_the_file(tmp_path):
    write_prompts(tmp_path, "native.toml", 1, "Say")
    prompts, path = Prompts.load(tmp_path), re.escape(str(tmp_path / "native.toml"))
    with pytest.raises(
        KeyError, match=rf"{path} has no prompt 'aks' \(did you mean 'ask'\?\); it has: ask, more, label"
    ):
        prompts("aks")
    with pytest.raises(KeyError, match=rf"{path}: the prompt 'ask' needs a value for \$place"):
        prompts("ask")


@pytest.mark.parametrize("text", ["version = 1", "[texts]"])
def test_a_file_without_version_or_texts_says_what_is_missing(text, tmp_path):
    (tmp_path / "native.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(f"{tmp_path / 'native.toml'} needs `version = 1`")):
        Prompts.load(tmp_path)
