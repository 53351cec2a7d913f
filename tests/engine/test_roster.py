"""players.toml: what it may say, what it is told when it says something else, and what names come to."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.player import Address, ModelInfo, ProviderContext, Server, UnknownPlayer
from engine.core.tokens import SPECIAL_PRICES
from engine.play.registry import Registry
from engine.play.roster import BadRoster, Roster

ROOT = Path(__file__).resolve().parents[2]
APIS = ("anthropic", "hf", "openai")
LAB = """
[servers.lab]
api = "openai"
base_url = "http://10.0.0.5:8000/v1"
key_env = "LAB_KEY"
requests_per_minute = 600
concurrency = 32

[players.qwen]
model = "lab/Qwen/Qwen3-VL-8B"
summary = "ours"
pictures = 8
price = [0.1, 0.4]
temperature = 0
max_tokens = 400
constrain = true
"""


def read(folder: Path, *texts: str) -> Roster:
    paths = [folder / f"{number}.toml" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return Roster.read(paths, APIS, ["scripted"])


def test_a_name_stands_for_a_model_with_its_parameters(tmp_path):
    roster = read(tmp_path, LAB)
    full = "lab/Qwen/Qwen3-VL-8B?constrain=true&max_tokens=400&temperature=0"
    assert roster.resolve("qwen") == full
    assert roster.resolve("qwen?temperature=1") == full.replace("temperature=0", "temperature=1")
    assert roster.resolve("scripted") == "scripted" and roster.resolve("nobody/x?b=1&a=2") == "nobody/x?b=1&a=2"
    assert roster.models["lab/Qwen/Qwen3-VL-8B"] == ModelInfo(8, (0.1, 0.4), "ours")
    assert roster.servers["lab"] == Server(
        "lab", "openai", "http://10.0.0.5:8000/v1", "LAB_KEY", requests_per_minute=600, concurrency=32
    )


def test_the_former_name_of_api_still_works(tmp_path):
    assert read(tmp_path, LAB.replace("api =", "wire =")).servers == read(tmp_path, LAB).servers


def test_equal_players_have_one_address(tmp_path):
    roster = read(tmp_path, LAB)
    assert roster.resolve("openai/m?top_p=0.5&temperature=0") == roster.resolve("openai/m?temperature=0&top_p=0.5")
    assert read(tmp_path, LAB.replace("temperature = 0", "temperature = 0.0")).resolve("qwen") == roster.resolve("qwen")


def test_a_later_file_goes_over_an_earlier(tmp_path):
    mine = '[servers.lab]\nbase_url = "http://localhost:1/v1"\n[servers.openai]\nconcurrency = 2\n'
    roster = read(tmp_path, LAB, mine)
    assert roster.servers["lab"].base_url == "http://localhost:1/v1" and roster.servers["lab"].key_env == "LAB_KEY"
    assert roster.servers["openai"].concurrency == 2 and roster.servers["openai"].key_env == "OPENAI_API_KEY"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[servers.lab]\napi = 'carrier pigeon'", "api = 'carrier pigeon': use one of anthropic, hf, openai"),
        ("[servers.lab]\nbase_url = 'http://x/v1'", "[servers.lab]: api: Field required"),
        ("[servers.lab]\napi = 'openai'\nbase_url = 'ftp://x'", "base_url = 'ftp://x'"),
        ("[servers.lab]\napi = 'openai'\nconcurency = 3", "did you mean 'concurrency'?"),
        ("[servers.lab]\napi = 'openai'\nconcurrency = 0", "concurrency = 0"),
        ("[servers.lab]\napi = 'openai'\nquery = {api-version = 1}", "query"),
        ("[servers.lab]\napi = 'openai'\nquery = {Key = 'secret'}", "query: Key looks like a key"),
        ("[players.x]\nmodel = 'lab/x'", "no server 'lab'; write a table [servers.lab]"),
        ("[servers.lab]\napi = 'openai'\nwire = 'openai'", "api and wire mean the same"),
        ("[players.x]\nmodel = 'openai/x?temperature=0'", "write parameters as fields of their own"),
        ("[players.x]\nsummary = 'x'", "[players.x]: model: Field required"),
        ("[players.x]\nmodel = 'openai/x'\nprice = [1]", "price"),
        ("[players.x]\nmodel = 'openai/x'\npictures = -1", "pictures = -1"),
        ("[players.x]\nmodel = 'openai/x'\nstop = ['a']", "stop"),
        ("[players.scripted]\nmodel = 'openai/x'", "'scripted' cannot be a player's name"),
        ("[players.all]\nmodel = 'openai/x'", "'all' cannot be a player's name"),
        ("[gpt]\nmodel = 'openai/x'", "'gpt': only tables [servers.NAME] and [players.NAME] are allowed"),
        ("players = 3", "'players'"),
        ("[players.x", "cannot be read"),
        (
            "[players.a]\nmodel = 'openai/x'\nprice = [1, 2]\n[players.b]\nmodel = 'openai/x'\nprice = [1, 3]",
            "another player of this model says (1.0, 2.0)",
        ),
    ],
)
def test_what_is_wrong_is_named(tmp_path, text, said):
    with pytest.raises(BadRoster) as error:
        read(tmp_path, text)
    assert said in str(error.value) and "0.toml" in str(error.value) and "secret" not in str(error.value)


@given(
    st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.text(st.characters(exclude_categories=["Cs"]))
    ),
    st.text("abc/-.:_0", min_size=1),
)
def test_an_address_is_written_as_it_is_read(parameters, name):
    address = Address("openai", name, parameters)
    assert Address.parse(str(address)) == address
    assert str(Address("openai", name, dict(reversed(parameters.items())))) == str(address)


# ------------------------------------------------------------------ what a server is given
def test_a_key_is_sent_only_where_it_belongs(tmp_path):
    house = ProviderContext(lambda episode: [], read(tmp_path, LAB).servers)
    assert house.server(Address.parse("openai/m")).key_env == "OPENAI_API_KEY"
    there = house.server(Address.parse("openai/m?base_url=http://127.0.0.1:9/v1"))
    assert (there.api, there.base_url, there.key_env) == ("openai", "http://127.0.0.1:9/v1", None)
    assert house.server(Address.parse("openai/m?base_url=http://x/v1&key_env=MINE")).key_env == "MINE"
    for bad in ("http://user:secret@x/v1", "x", "file:///etc/passwd", "http://["):
        with pytest.raises(UnknownPlayer) as error:
            house.server(Address.parse(f"openai/m?base_url={bad}"))
        assert "secret" not in str(error.value)


def test_the_base_url_of_the_environment_is_honoured(tmp_path, monkeypatch):
    monkeypatch.setitem(os.environ, "OPENAI_BASE_URL", "http://127.0.0.1:7/v1")
    assert read(tmp_path).servers["openai"].base_url == "http://127.0.0.1:7/v1"


# ------------------------------------------------------------------ who may sit where
@pytest.mark.models
def test_who_cannot_see_is_not_seated_at_pictures(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    (tmp_path / "mine.toml").write_text('[players.blind]\nmodel = "openai/b"\npictures = 0\n', encoding="utf-8")
    registry = Registry(ROOT, players=tmp_path / "mine.toml")
    game = registry.game("matchit")
    assert "cannot see" in (registry.find_refusal("blind", game, game.variant("picture")) or "")
    with pytest.raises(UnknownPlayer, match=r"'blnd'.*did you mean 'blind'"):
        registry.player_info("blnd", "matchit")


def test_a_roster_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadRoster, match=r"nowhere\.toml does not exist"):
        _ = Registry(ROOT, players=tmp_path / "nowhere.toml").roster


def test_the_example_of_the_documentation_shows_every_field(tmp_path):
    page = (ROOT / "docs" / "players-toml.md").read_text(encoding="utf-8")
    shown = next(code for code in re.findall(r"```toml\n(.*?)```\n", page, re.DOTALL) if "[servers.lab]" in code)
    roster = read(tmp_path, shown)
    assert roster.resolve("qwen?temperature=1") == "lab/Qwen/Qwen3-VL-8B-Instruct?max_tokens=400&temperature=1"
    tables = tomllib.loads(shown)
    facts = {field.name for field in fields(Server)} - {"name"}
    assert tables["servers"]["lab"].keys() == facts
    facts = {field.name for field in fields(ModelInfo)} - {"special_prices"} | {
        f"price_{kind}" for kind in SPECIAL_PRICES
    }
    assert tables["players"]["qwen"].keys() >= {"model", *facts}
