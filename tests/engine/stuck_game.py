"""A project folder with one more game, whose scripted player does as its partner says: answer, raise or hang."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

RULES = """
from typing import ClassVar

from pydantic import BaseModel

from engine.core.content import RelayedMessage
from engine.core.events import Success
from engine.core.game import Experiment, Game, ScriptedPlayer, Variant
from engine.core.player import Player, Reply
from engine.core.prompts import Prompts
from engine.core.replies import Text


class Instance(BaseModel):
    rounds: int


class Scripted(Player):
    def __init__(self, seat):
        self.seat = seat

    async def reply(self, view):
        heard = [part["quote"] for message in view.messages for part in message.parts if "quote" in part]
        text = heard[-1] if heard else ""
        if "raise" in text:
            raise ZeroDivisionError("on request")
        while "hang" in text:
            pass
        return Reply(f"I heard {text[:3000]}")


def fallback(view):
    texts = [message.text() for message in view.messages if message.role == "user"]
    return None if "no fallback" in texts[-1] else "fallback"


class Stuck(Game):
    name = "stuck"
    title = "Stuck"
    blurb = "One talks, one answers."
    rules = ("One talks, one answers.",)
    version = 1
    seats = ("talker", "listener")
    variants = (Variant("text", "Text", (Experiment("only", "Only"),)),)
    prompts: ClassVar = None

    def load(self, data):
        return Instance.model_validate(data)

    def prompts_for(self, variant, settings, instance):
        return None

    def prompt_set(self, instance):
        return "stuck", 1

    def play(self, table, instance):
        for _ in range(instance.rounds):
            said = yield from table.ask("talker", "Say something.", Text())
            yield from table.ask("listener", [RelayedMessage("Said", said, "talker")], Text())
        return Success()

    def scripted_players(self):
        return {"scripted": ScriptedPlayer("does as it is told", Scripted, fallback)}


GAME = Stuck()
"""


def stuck_root(folder: Path) -> Path:
    """Make `folder` a project folder with our games and players, and the game `stuck`; return it."""
    games = folder / "games"
    games.mkdir()
    for path in (ROOT / "games").iterdir():
        (games / path.name).symlink_to(path)
    (games / "stuck").mkdir()
    (games / "stuck" / "__init__.py").write_text('"""One more game."""\n')
    (games / "stuck" / "rules.py").write_text(RULES)
    for name in ("players", "assets"):
        (folder / name).symlink_to(ROOT / name)
    instances = folder / "instances"
    instances.mkdir()
    for path in (ROOT / "instances").iterdir():
        (instances / path.name).symlink_to(path)
    (instances / "stuck").mkdir()
    (instances / "stuck" / "text.json").write_text('{"experiments": {"only": [{"rounds": 12}]}}')
    return folder
