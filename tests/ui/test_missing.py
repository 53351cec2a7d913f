"""Pictures of a user's data set at the table: credited while they are there, and what happens when they go."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from games.common.datasets.register import DATASET_BY_NAME, register
from tests.conftest import Server
from tests.games.data_sets import visual_genome, write
from tests.ui.guests import Guest


@pytest.fixture
def app(
    tmp_path: Path, server: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Server, Path]]:
    """A server with one instance of a Visual Genome picture, and the file of that picture."""
    root = visual_genome(tmp_path / "vg")
    register(DATASET_BY_NAME["visual-genome"], root, tmp_path / "imported")
    pair = {"kind": "photo", "relation": "same", "a": "visual-genome/1", "b": "visual-genome/1"}
    data = {"game": "matchit", "variant": "picture", "experiments": {"visual-genome-same": [pair]}, "titles": {}}
    write(tmp_path / "mine" / "matchit" / "picture.visual-genome.json", data)
    monkeypatch.setenv("LUDENS_IMPORTED", str(tmp_path / "imported"))
    monkeypatch.setenv("LUDENS_INSTANCES", str(tmp_path / "mine"))
    yield server(), root / "VG_100K_2" / "1.jpg"


def test_a_picture_that_goes_is_named_in_the_log_and_breaks_nothing(app: tuple[Server, Path]) -> None:
    running, file = app
    with Guest(running.url) as guest:
        lobby = json.dumps(guest.http.get("/api/lobby").json())
        assert "visual-genome-same" in lobby
        pid = guest.sit({"A": "person", "B": "invite"}, variant="picture")
        with guest.seat(pid) as seat:
            seat.wait_for_ask()
            (pinned,) = seat.state["pinned"]
            assert pinned["credit"] == "Visual Genome, CC BY 4.0"
            assert guest.http.get(pinned["picture"]).headers["content-type"] == "image/jpeg"
        file.unlink()
        running.restart()
        with guest.seat(pid) as seat:
            seat.wait_for_ask()
            (pinned,) = seat.state["pinned"]
            shown = guest.http.get(pinned["picture"])
            assert shown.status_code == 200 and shown.headers["content-type"] == "image/png"
            seat.reply("A sofa.")
        body = {"game": "matchit", "variant": "picture", "seats": {"A": "person", "B": "random"}}
        refused = guest.http.post("/api/tables", json=body)
        assert refused.status_code == 422 and "`ludens assets import visual-genome FOLDER`" in refused.text
        assert guest.http.get("/api/lobby").status_code == 200
    assert "visual-genome/1" in running.output() and "`ludens assets import visual-genome FOLDER`" in running.output()
