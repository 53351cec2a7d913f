"""The engine: play dialogue games, keep their logs, and read results. It knows no game, no vendor and no screen.

What a game author or a notebook needs is imported from here, at first use:

    from engine import Log, play, results, score

    episode = await play("matchit", "text/same/0", {"all": "scripted"})
    print(episode.outcome, score(episode.log), Log(episode.log).values("A"))
    print(results("logs/ludens.db"))

`play` and `results` are packages that can be called: `engine.play.runner.play` and `engine.notebook.read_results`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.core.content import (
        Content,
        Picture,
        Progress,
        RelayedMessage,
        SeatOverview,
        SeatStatus,
        ShownPicture,
        TextExhibit,
    )
    from engine.core.debriefing import Debriefing, ScoreExplanation
    from engine.core.events import Aborted, Decided, Lose, Outcome, Success
    from engine.core.game import Experiment, Game, ScriptedPlayer, Variant
    from engine.core.log import Log
    from engine.core.player import Player, PlayerFault, Reply
    from engine.core.prompts import Prompts
    from engine.core.replies import OneShown, Tagged, Text, either, json_object, one_of, thought
    from engine.core.table import Ask, Asking, Settings, Table
    from engine.core.views import SeatView
    from engine.notebook import read_results as results
    from engine.notebook import score
    from engine.play.runner import play

_MODULES = {
    "engine.core.content": ("Content Picture Progress RelayedMessage SeatOverview SeatStatus ShownPicture TextExhibit"),
    "engine.core.debriefing": "Debriefing ScoreExplanation",
    "engine.core.events": "Aborted Decided Lose Outcome Success",
    "engine.core.game": "Experiment Game ScriptedPlayer Variant",
    "engine.core.log": "Log",
    "engine.core.player": "Player PlayerFault Reply",
    "engine.core.prompts": "Prompts",
    "engine.core.replies": "OneShown Tagged Text either json_object one_of thought",
    "engine.notebook": "score",
    "engine.core.table": "Ask Asking Settings Table",
    "engine.core.views": "SeatView",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = [
    "Aborted",
    "Ask",
    "Asking",
    "Content",
    "Debriefing",
    "Decided",
    "Experiment",
    "Game",
    "Log",
    "Lose",
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
    "results",
    "score",
    "thought",
]


def __getattr__(name: str) -> object:
    if name in ("play", "results"):
        return import_module(f"engine.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
