"""What a seat is told while its partner is a model: that it is loaded, that it thinks, why it does not answer."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from engine.core.player import Player, PlayerInfo, Reply
from engine.play.registry import Registry
from engine.storage.store import Store
from ui.live.dealing import TableRequest
from ui.live.feeds import Listener
from ui.live.quotas import Limits
from ui.live.server import LiveServer
from ui.live.waiting import describe_stalled_game

ROOT = Path(__file__).parents[2]


class SlowModel(Player):
    """A model that is being loaded, and then thinks for ever."""

    load_progress: float | None = 0.25

    async def reply(self, view: Any) -> Reply:
        """Think."""
        await asyncio.Event().wait()
        raise AssertionError


class RegistryWithSlowModel(Registry):
    """The registry with one more player, `slow`."""

    slow = SlowModel()

    def player_info(self, address, game):
        return PlayerInfo("slow") if address == "slow" else super().player_info(address, game)

    def player(self, address, game, seat, episodes):
        return self.slow if address == "slow" else super().player(address, game, seat, episodes)


def test_a_seat_is_told_how_far_its_partners_model_is_loaded(tmp_path):
    async def main() -> list[dict[str, Any]]:
        registry, db = RegistryWithSlowModel(ROOT), tmp_path / "ludens.db"
        server = LiveServer(
            registry, Store(db), Store(db), ludens_version="test", limits=Limits(), abandon_days=7, paid_players=True
        )
        await server.start()
        request = TableRequest("matchit", {"A": "person", "B": "slow"}, "text")
        opened = await server.seating.open_table(request, "browser")
        table = await server.tables.get_table(opened["episode"])
        assert table
        page, turns = Listener(), []
        await table.pages.attach_seat("A", page)

        async def until(text: str, loading: float | None = None) -> None:
            while not turns or (turns[-1]["text"], turns[-1].get("loading")) != (text, loading):
                message = json.loads(await page.await_message() or "{}")
                turns.extend([message["turn"]] if "turn" in message else [])

        await until("Your turn: describe your grid")
        await table.submit_move("A", 1, "a move of mine", {"text": "A ring"})
        await until("Your partner’s model is being loaded", 0.25)
        registry.slow.load_progress = 0.5
        await until("Your partner’s model is being loaded", 0.5)
        registry.slow.load_progress = None
        await until("Your partner is thinking")
        await server.close()
        return turns

    turns = asyncio.run(main())
    assert all(turn["clock"] and turn["since"] for turn in turns if turn["who"] == "other")


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        ("m gave no answer: it answered 401 (invalid_api_key); check the key and its account", "key is missing or"),
        ("m gave no answer: it answered 429: slow down; try again later", "its server is too busy"),
        ("m gave no answer: it answered 500: SECRET 401 key; try again later", "its server failed"),
        ("m gave no answer: no connection: refused; is the server running?", "its server cannot be reached"),
        ("m gave no answer: the connection timed out; is the server running?", "its server took too long"),
        ("m gave no answer: no answer within 600 s (6 attempts); is the server running?", "its server took too long"),
        ("openai needs a key: set OPENAI_API_KEY", "its key is missing or"),
        ("the process of the model was ended by SIGKILL (the machine may be out of memory)", "not enough memory"),
        ("TypeError: SECRET", "cannot answer at the moment."),
    ],
)
def test_a_seat_is_told_why_in_words_that_quote_nothing(cause, words):
    sentence = describe_stalled_game(cause, "Your partner")
    assert words in sentence and "SECRET" not in sentence
