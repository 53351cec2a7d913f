"""A person at an imported instance: their words as they are, our form with a note, and never dealt blindly."""

import json
from collections.abc import Callable

import pytest

from engine.formats.clembench.patterns import IMPORTED_NOTE
from tests.ui.guests import Guest

THEIRS = {
    "game_id": 0,
    "grid_a": "X ▢ ▢ ▢ ▢\n▢ X ▢ ▢ ▢\n▢ ▢ X ▢ ▢\n▢ ▢ ▢ X ▢\n▢ ▢ ▢ ▢ X",
    "grid_b": "X ▢ ▢ ▢ ▢\n▢ X ▢ ▢ ▢\n▢ ▢ X ▢ ▢\n▢ ▢ ▢ X ▢\n▢ ▢ ▢ ▢ X",
    "decision_turn": 1,
    "initial_prompt": 'Here it is:\n$GRID$\nBegin with "DESCRIPTION:".',
    "q_reprompt": 'Begin with "QUESTION:".',
    "d_reprompt": 'Begin with "DECISION:".',
    "a_request": ' Begin with "ANSWER:".',
    "desc_intro": "I see ",
    "flags": {name: f"{name.upper()}:" for name in ("description", "question", "answer", "decision")},
}
PAIR = {"kind": "imported", "relation": "same", "thing": "grid", "a": THEIRS["grid_a"], "b": THEIRS["grid_b"]}


@pytest.fixture(scope="module")
def house(module_server: Callable, tmp_path_factory):
    """A server with one imported instance beside the shipped ones."""
    folder = tmp_path_factory.mktemp("instances") / "matchit"
    folder.mkdir()
    native = {"kind": "grid", "relation": "same", "a": THEIRS["grid_a"], "b": THEIRS["grid_a"]}
    for name, experiments in (
        ("text", {"same": [native]}),
        ("text.clembench", {"clembench-same_grid": [{**PAIR, "theirs": THEIRS}]}),
    ):
        data = {"game": "matchit", "variant": "text", "experiments": experiments}
        (folder / f"{name}.json").write_text(json.dumps(data))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDENS_INSTANCES", str(folder.parent))
        yield module_server()


def test_a_person_reads_their_words_and_replies_by_our_form(house):
    with Guest(house.url) as guest:
        pid = guest.sit({"A": "person", "B": "random"}, variant="text", experiment="clembench-same_grid")
        with guest.seat(pid) as live:
            first = live.wait_for_ask()
            assert live.state["lines"][0]["text"] == THEIRS["initial_prompt"].replace("$GRID$", THEIRS["grid_a"])
            assert first["form"]["title"].endswith(IMPORTED_NOTE)
            assert live.finish("a diagonal, is it?")["kind"] in ("success", "lose")
            told = [line["text"] for line in live.state["lines"] if line["who"] == "gm"]
            assert any(line.startswith("I see DESCRIPTION:") for line in told)


def test_an_imported_instance_is_not_dealt_and_not_played_by_scripted_players(house):
    with Guest(house.url) as guest:
        for _ in range(6):
            pid = guest.sit({"A": "person", "B": "random"}, variant="text")
            with guest.seat(pid) as live:
                assert "Here it is" not in json.dumps(live.state["lines"])
    with Guest(house.url) as guest:
        wanted = {"game": "matchit", "variant": "text", "experiment": "clembench-same_grid"}
        refused = guest.post("/api/tables", seats={"A": "person", "B": "scripted"}, **wanted)
        assert refused.status_code == 422 and "its own" in refused.text, refused.text


def test_nor_does_a_scripted_player_take_a_seat_over_there(house):
    with Guest(house.url) as guest:
        pid = guest.sit({"A": "person", "B": "random"}, variant="text", experiment="clembench-same_grid")
        for refused in (
            guest.post("/api/leave", seat=pid, player="scripted"),
            guest.post("/api/seat", seat=pid, which="B", player="scripted"),
        ):
            assert refused.status_code == 422 and "its own" in refused.text, refused.text
        assert guest.post("/api/leave", seat=pid, player="random").status_code == 200
