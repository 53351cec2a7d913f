"""The contract of players: ours keep it, also against a server, and it finds what is wrong in a player."""

import asyncio
from pathlib import Path

import pytest

from engine.core.player import Address, Player, PlayerFault, PlayerInfo, Provider, ProviderContext, Reply
from engine.core.views import SeatView
from engine.play.contract import list_player_checks
from engine.play.registry import Registry
from tests.players.fake_server import FakeServer

ROOT = Path(__file__).resolve().parents[2]
PROVIDER = """
from tests.players.test_contract import FaultyProvider
PROVIDER = FaultyProvider(KIND)
"""


def failures(registry: Registry, address: str, game: str = "matchit") -> dict[str, str]:
    """The checks that fail, each with its reason."""
    return {
        check.check_name: reason
        for check in list_player_checks(registry, address, game)
        if (reason := check.find_failure())
    }


@pytest.mark.parametrize("address", ["random", "scripted"])
def test_our_players_keep_it(address):
    assert failures(Registry(ROOT), address) == {}


def test_an_omniscient_player_keeps_it():
    assert failures(Registry(ROOT), "optimal", "mapworld") == {}


@pytest.mark.models
@pytest.mark.parametrize("api", ["openai", "anthropic"])
def test_a_model_behind_a_server_keeps_it(api, tmp_path):
    """The server sees one request per ask, also of those at the same time, and none with a picture."""
    with FakeServer() as server:
        base = f"{server.url}/v1" if api == "openai" else server.url
        (tmp_path / "players.toml").write_text(
            f'[servers.lab]\napi = "{api}"\nbase_url = "{base}"\n[players.m]\nmodel = "lab/m"\npictures = 0\n'
        )
        registry = Registry(ROOT, players=tmp_path / "players.toml")
        checks = [check.check_name for check in list_player_checks(registry, "m", "matchit")]
        assert "a picture is refused by a PlayerFault" in checks and "a server out of reach is a PlayerFault" in checks
        assert failures(registry, "m") == {}
        assert len(server.requests) >= 7


class FaultyPlayer(Player):
    """A player that does not keep the contract in one way."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    async def reply(self, view: SeatView) -> Reply:
        match self._kind:
            case "raises":
                raise ValueError("the vendor's own error")
            case "cannot":
                raise PlayerFault("no more money")
            case "bytes":
                return Reply(b"text")  # type: ignore[arg-type]
            case "text":
                return "text"  # type: ignore[return-value]
            case "meta":
                return Reply("text", {"path": Path("a")})
            case "tokens":
                return Reply("text", {"tokens_in": "many"})
            case "cancelled":
                try:
                    await asyncio.sleep(0.01)
                except asyncio.CancelledError:
                    raise RuntimeError("the connection is gone") from None
        return Reply("text")


class FaultyProvider(Provider):
    """Makes such players."""

    summary = "does not keep the contract"

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def make_player(self, address: Address, seat: str, context: ProviderContext) -> Player:
        if self._kind == "parameter" and address.parameters:
            raise KeyError("no_such_parameter")
        return FaultyPlayer(self._kind)

    def info(self, address: Address, context: ProviderContext) -> PlayerInfo:
        return PlayerInfo("" if self._kind == "summary" else self.summary, max_pictures=0)


@pytest.mark.parametrize(
    ("kind", "name", "reason"),
    [
        ("raises", "a reply is a text with plain data about it", "it raises ValueError, not PlayerFault: the vendor"),
        ("cannot", "a reply is a text with plain data about it", "PlayerFault: no more money"),
        ("bytes", "a reply is a text with plain data about it", "the text is bytes"),
        ("text", "a reply is a text with plain data about it", "reply returns str, not Reply"),
        ("meta", "a reply is a text with plain data about it", "meta is not plain JSON"),
        ("tokens", "it answers several asks at once", "meta has tokens_in = 'many'"),
        ("cancelled", "a cancelled reply ends, and the next one is answered", "RuntimeError"),
        ("parameter", "an unknown parameter is refused or ignored", "KeyError"),
        ("summary", "what is known before it plays is well-formed", "the summary is not one line"),
        ("sees", "a picture is refused by a PlayerFault", "but it replies to a prompt with a picture"),
    ],
)
def test_the_contract_finds_what_is_wrong(kind, name, reason, tmp_path):
    path = tmp_path / f"faulty_{kind}.py"
    path.write_text(PROVIDER.replace("KIND", repr(kind)))
    found = failures(Registry(ROOT, players=[path]), f"faulty_{kind}")
    assert reason in found[name]
