"""A game whose scripted player does as its partner says: answer, raise or hang."""

from pydantic import BaseModel

from engine.core.content import RelayedMessage
from engine.core.events import Success
from engine.core.game import Experiment, Game, ScriptedPlayer, Variant
from engine.core.player import Player, Reply
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

    def load(self, data):
        return Instance.model_validate(data)

    def prompts_for(self, prompts, variant, settings, instance):
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
