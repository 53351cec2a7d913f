"""A seat to ask from and a house to live in, for tests of players that need no game."""

import asyncio
import io
import random
from typing import Any

from PIL import Image

import players.anthropic
import players.openai
from engine.core.content import Picture
from engine.core.player import Address, ModelInfo, Player, Provider, ProviderContext, Reply, Server
from engine.core.replies import ReplyFormat, Text
from engine.core.views import Message, OpenAskView, SeatView

PROVIDERS: dict[str, Provider] = {"openai": players.openai.PROVIDER, "anthropic": players.anthropic.PROVIDER}


def said(text: str, *pictures: str) -> Message:
    """Return one message of the GameMaster's."""
    return Message("user", [{"text": text}], "", list(pictures), 1)


def picture(kind: str, **rest: Any) -> Picture:
    """Return a small picture of a kind that Pillow writes."""
    made = io.BytesIO()
    Image.effect_noise((40, 30), 60).convert("RGB").save(made, kind, **rest)
    return Picture(made.getvalue(), f"image/{kind.lower()}", 40, 30, {"secret": "the answer"})


def view(*messages: Message, form: ReplyFormat[Any] | None = None, shown: dict[str, Picture] | None = None) -> SeatView:
    """Return the view of a seat that was said these messages."""
    ask = OpenAskView(1, form or Text(), 1)
    told = messages or (said("Say something."),)
    return SeatView("A", "game", "variant", {}, tuple(told), ask, random.Random(0), (shown or {}).__getitem__)


def house(wire: str, url: str, model: ModelInfo | None = None, cache: Any = None, **server: Any) -> ProviderContext:
    """Return a house with one server `lab` and what is known of `lab/m`."""
    base = f"{url}/v1" if wire == "openai" else url
    lab = Server("lab", wire, base, **{"timeout": 60.0, "attempts": 2, **server})

    def nobody(episode: str) -> Any:
        raise LookupError(episode)

    return ProviderContext(nobody, {"lab": lab}, {"lab/m": model or ModelInfo()}, cache)


def seat(wire: str, home: ProviderContext, parameters: str = "") -> Player:
    """Return the player `lab/m` with parameters."""
    return PROVIDERS[wire].make(Address.parse(f"lab/m?{parameters}" if parameters else "lab/m"), "A", home)


def ask(wire: str, home: ProviderContext, *views: SeatView, parameters: str = "") -> list[Reply]:
    """Ask one player a view after the other, and close its connections."""

    async def go() -> list[Reply]:
        player = seat(wire, home, parameters)
        try:
            return [await player.reply(one) for one in views or (view(),)]
        finally:
            await PROVIDERS[wire].close()

    return asyncio.run(go())
