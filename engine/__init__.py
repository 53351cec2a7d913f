"""The engine: play dialogue games, keep their logs, and read results. It knows no game, no vendor and no screen.

What a game author or a notebook needs is imported from here, at first use:

    from engine import Log, play, results, score

    episode = await play("matchit", "text/same/0", {"all": "scripted"})
    print(episode.outcome, score(episode.log), Log(episode.log).values("A"))
    print(results("logs/ludens.db"))
    print(read_log("logs/ludens.db", "EPISODE").outcome)

`play` and `results` are packages that can be called: `engine.play.runner.play` and `engine.notebook.read_results`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.core.content import (
        Content,
        ContentPart,
        Picture,
        Progress,
        RelayedMessage,
        SeatOverview,
        SeatStatus,
        ShownPicture,
        TextExhibit,
    )
    from engine.core.debriefing import Debriefing, Decision, LabelledNumber, ScoreExplanation
    from engine.core.events import Aborted, Decided, Ending, Json, Lose, Outcome, Success
    from engine.core.game import Experiment, Game, InstanceMaker, ScriptedPlayer, Variant
    from engine.core.log import Log
    from engine.core.player import Player, PlayerFault, Reply
    from engine.core.prompts import Prompts
    from engine.core.replies import OneOf, OneShown, Tagged, Text, either, json_object, one_of, register, thought
    from engine.core.scores import GameScores
    from engine.core.table import Ask, Asking, Settings, Table
    from engine.core.views import SeatView
    from engine.notebook import read_log, score
    from engine.notebook import read_results as results
    from engine.play.runner import play

_NAMES_BY_MODULE = {
    "engine.core.content": (
        "Content ContentPart Picture Progress RelayedMessage SeatOverview SeatStatus ShownPicture TextExhibit"
    ),
    "engine.core.debriefing": "Debriefing Decision LabelledNumber ScoreExplanation",
    "engine.core.events": "Aborted Decided Ending Json Lose Outcome Success",
    "engine.core.game": "Experiment Game InstanceMaker ScriptedPlayer Variant",
    "engine.core.log": "Log",
    "engine.core.player": "Player PlayerFault Reply",
    "engine.core.prompts": "Prompts",
    "engine.core.replies": "OneOf OneShown Tagged Text either json_object one_of register thought",
    "engine.core.scores": "GameScores",
    "engine.notebook": "read_log score",
    "engine.core.table": "Ask Asking Settings Table",
    "engine.core.views": "SeatView",
}
_MODULE_BY_EXPORTED_NAME = {name: module for module, names in _NAMES_BY_MODULE.items() for name in names.split()}

__all__ = [
    "Aborted",
    "Ask",
    "Asking",
    "Content",
    "ContentPart",
    "Debriefing",
    "Decided",
    "Decision",
    "Ending",
    "Experiment",
    "Game",
    "GameScores",
    "InstanceMaker",
    "Json",
    "LabelledNumber",
    "Log",
    "Lose",
    "OneOf",
    "OneShown",
    "Outcome",
    "Picture",
    "Player",
    "PlayerFault",
    "Progress",
    "Prompts",
    "RelayedMessage",
    "Reply",
    "ScoreExplanation",
    "ScriptedPlayer",
    "SeatOverview",
    "SeatStatus",
    "SeatView",
    "Settings",
    "ShownPicture",
    "Success",
    "Table",
    "Tagged",
    "Text",
    "TextExhibit",
    "Variant",
    "either",
    "json_object",
    "one_of",
    "play",
    "read_log",
    "register",
    "results",
    "score",
    "thought",
]


def __getattr__(name: str) -> object:
    if name in ("play", "results"):
        return import_module(f"engine.{name}")
    if name not in _MODULE_BY_EXPORTED_NAME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULE_BY_EXPORTED_NAME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
