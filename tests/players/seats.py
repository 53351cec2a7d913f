"""Views and contexts for tests of players that need no game."""

import asyncio
import io
from typing import Any

from PIL import Image

import players.anthropic
import players.openai
import players.responses
from engine.core.content import Picture
from engine.core.player import Address, ModelInfo, Player, Provider, ProviderContext, Reply, Server
from engine.core.replies import ReplyFormat, Text
from engine.core.views import Message, OpenAskView, SeatView

PROVIDERS: dict[str, Provider] = {"openai": players.openai.PROVIDER, "anthropic": players.anthropic.PROVIDER}
ALL_PROVIDERS = {**PROVIDERS, "responses": players.responses.PROVIDER}
"""With the one that llm-katan does not speak."""


def user_message(text: str, *pictures: str) -> Message:
    """Return one message of the GameMaster."""
    return Message("user", [{"text": text}], "", list(pictures), 1)


def make_picture(kind: str, **rest: Any) -> Picture:
    """Return a small picture in a format of Pillow."""
    buffer = io.BytesIO()
    Image.effect_noise((40, 30), 60).convert("RGB").save(buffer, kind, **rest)
    return Picture(buffer.getvalue(), f"image/{kind.lower()}", 40, 30, {"secret": "the answer"})


def make_view(
    *messages: Message, form: ReplyFormat[Any] | None = None, pictures: dict[str, Picture] | None = None
) -> SeatView:
    """Return the view of a seat with these messages."""
    ask = OpenAskView(1, form or Text(), 1)
    messages = messages or (user_message("Say something."),)
    return SeatView("A", "game", "variant", {}, messages, ask, 0, (pictures or {}).__getitem__)


def make_context(
    api: str, url: str, model: ModelInfo | None = None, cache: Any = None, **server: Any
) -> ProviderContext:
    """Return a context with one server, `lab`, and what players.toml says about `lab/m`."""
    base = url if api == "anthropic" else f"{url}/v1"
    lab = Server("lab", api, base, **{"timeout": 60.0, "attempts": 2, **server})

    def nobody(episode: str) -> Any:
        raise LookupError(episode)

    return ProviderContext(nobody, {"lab": lab}, {"lab/m": model or ModelInfo()}, cache)


def make_player(api: str, context: ProviderContext, parameters: str = "") -> Player:
    """Return the player `lab/m` with parameters."""
    return ALL_PROVIDERS[api].make_player(Address.parse(f"lab/m?{parameters}" if parameters else "lab/m"), "A", context)


def ask_player(api: str, context: ProviderContext, *views: SeatView, parameters: str = "") -> list[Reply]:
    """Return the replies of one player to views, one after the other, and close its connections."""

    async def go() -> list[Reply]:
        player = make_player(api, context, parameters)
        try:
            return [await player.reply(each) for each in views or (make_view(),)]
        finally:
            await ALL_PROVIDERS[api].close()

    return asyncio.run(go())
