"""`ludens study power`: from standard deviations, and from games of people in a log."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.start import EpisodeStart
from engine.storage.ids import make_id
from engine.storage.seat_links import SeatLinks, hash_cookie, make_cookie
from engine.storage.store import Store
from tests.cli.terminal import ludens

SPREAD = ("--sd-person", "8", "--sd-instance", "10", "--sd-residual", "20")
SAME = "matchit/text/same"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder whose log has ten instances played by `random` and by ten people, each of whom misses another one."""
    user_folder = tmp_path_factory.mktemp("user")
    ludens("run", SAME, "--seat", "A=random", "--seat", "B=scripted", "--db", "log.db", "--yes", folder=user_folder)
    with Store(user_folder / "log.db") as store:
        links = SeatLinks(store, store)
        episodes = store.episodes()
        browsers = [str(hash_cookie(make_cookie())) for _ in range(10)]
        for at, row in enumerate(episodes):
            start, *log = store.events(row.id)
            data = {**start.data, "seats": {**start.data["seats"], "A": "person"}}
            for number, browser in enumerate(browsers):
                if number == at:
                    continue
                episode, _ = store.import_episode(
                    EpisodeStart.model_validate(data), [replace(start, data=data), *log], key=None, origin="table",
                    episode=make_id(),
                )  # fmt: skip
                links.open_table(episode, browser, ["A"], "A", 0.0, row.instance_hash)
    return user_folder


def power(folder, *words, code=0):
    return ludens("study", "power", "--difference", "15", *words, "--db", "log.db", folder=folder, code=code)


def test_power_is_a_table_of_people(folder):
    words = ("--people", "10:30:10", "--games", "10", "--instances", "20", *SPREAD)
    study = power(folder, *words, "--format", "json").json()
    assert (study["difference"], study["instances"], study["simulations"], study["from"]) == (15, 20, 2000, None)
    assert study["sd"] == {"person": 8, "instance": 10, "residual": 20}
    assert [row["people"] for row in study["rows"]] == [10, 20, 30]
    powers = [row["power"] for row in study["rows"]]
    assert 0.6 < powers[0] < powers[1] < powers[2] <= 1
    table = power(folder, *words)
    assert f"{100 * powers[0]:.1f} %" in table.out and "80 % power: " in table.err
    assert power(folder, *words, "--format", "json").json() == study  # the same seed
    few = power(folder, "--people", "4:5", "--games", "10", *SPREAD)
    assert "none" in few.out and "not reached with 5 people" in few.err


def test_the_spread_of_scores_is_taken_from_games_of_people(folder):
    words = ("--people", "20", "--games", "5", "--from", SAME, "--format", "json")
    study = power(folder, *words).json()
    assert study["instances"] == 10 and study["from"] == {"games": 90, "people": 10}
    assert study["sd"]["person"] == pytest.approx(0, abs=1e-6)  # everybody replied as `random` did
    against = power(folder, *words, "--model", "random").json()
    assert against["sd"] == {"person": 0, "instance": 0, "residual": 0} and against["rows"][0]["power"] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--people", "x", "--games", "9"), "--people 'x'"),
        (("--people", "50:10", "--games", "9"), "the smaller first"),
        (("--people", "10", "--games", "9"), "--from SELECTION"),
        (("--people", "10", "--games", "9", *SPREAD[:4]), "--sd-residual"),
        (("--people", "10", "--games", "9", "--from", SAME, *SPREAD), "either with --from or with"),
        (("--people", "10", "--games", "9", "--model", "random", *SPREAD), "--model needs --from"),
        (("--people", "10", "--games", "5", *SPREAD), "at least 8"),
        (("--people", "10", "--games", "11", "--from", SAME), "--instances"),
        (("--people", "10", "--games", "9", "--from", SAME, "--model", "openai/x"), "no episode with 'openai/x'"),
    ],
)
def test_mistakes_are_named_with_the_next_step(folder, words, message):
    assert message in power(folder, *words, code=2).err


# ---------------------------------------------------------------------- studies are part of how people played
@pytest.fixture
def two_studies(tmp_path) -> Path:
    """A folder whose log has one game of a person in the lobby, one in each of two studies, and one of `random`."""
    ludens("run", f"{SAME}/0", "--seat", "A=random", "--seat", "B=scripted", "--db", "log.db", "--yes", folder=tmp_path)
    with Store(tmp_path / "log.db") as store:
        [row] = store.episodes()
        start, *log = store.events(row.id)
        for study in ({}, {"study": "first@aaa"}, {"study": "second@bbb"}):
            seats = {**start.data["seats"], "A": "person"}
            data = {**start.data, "seats": seats, "people": {"A": {"informed": False, **study}}}
            store.import_episode(
                EpisodeStart.model_validate(data), [replace(start, data=data), *log], key=None, origin="table",
                episode=make_id(),
            )  # fmt: skip
    return tmp_path


def test_studies_and_the_lobby_are_pooled_only_on_request(two_studies):
    def people_rows(*words: str) -> list[tuple[str, int]]:
        answer = ludens("results", "--format", "json", "--db", "log.db", *words, folder=two_studies).json()
        return sorted((row.get("study", ""), row["n"]) for row in answer["rows"] if row["people"])

    assert people_rows() == [("", 1), ("first@aaa", 1), ("second@bbb", 1)]
    assert people_rows("--study", "first") == people_rows("--study", "first@aaa") == [("first@aaa", 1)]
    assert people_rows("--study", "lobby") == [("", 1)]
    assert people_rows("--pool-studies") == [("first@aaa + lobby + second@bbb", 3)]
    assert ",study," in ludens("results", "--format", "csv", "--db", "log.db", folder=two_studies).out
    table = ludens("results", "--pool-studies", "--db", "log.db", folder=two_studies)
    assert "[study first@aaa + lobby + second@bbb]" in table.out and "pooled" in table.err


def test_people_of_several_studies_are_compared_only_on_request(two_studies):
    words = ("compare", "person", "random", "--db", "log.db")
    refused = ludens(*words, folder=two_studies, code=2)
    assert "first@aaa, lobby, second@bbb" in refused.err and "--pool-studies" in refused.err
    alone = ludens(*words, "--study", "first", "--format", "json", folder=two_studies).json()
    assert alone["studies"] == ["first@aaa"] and alone["rows"][0]["quality"]["games"] == 1
    pooled = ludens(*words, "--pool-studies", "--format", "json", folder=two_studies).json()
    assert pooled["rows"][0]["quality"]["games"] == 3


def test_a_figure_labels_people_with_their_study(two_studies):
    words = ("plot", "difficulty", "--people", "--out", "figure.csv", "--db", "log.db")
    ludens(*words, folder=two_studies)
    separate = (two_studies / "figure.csv").read_text()
    assert "study=first@aaa" in separate and "study=second@bbb" in separate
    ludens(*words, "--pool-studies", folder=two_studies)
    assert len((two_studies / "figure.csv").read_text().splitlines()) == 2
