"""Plans of several parts: crossed players, plan files, each episode once, where a plan stands, what it may take."""

import asyncio
from itertools import permutations, product
from pathlib import Path

import pytest

from engine.play.estimate import estimate_plan
from engine.play.executors.local import LocalExecutor
from engine.play.plan_checks import BadPlan
from engine.play.plan_file import read_plan
from engine.play.plan_status import read_plan_status
from engine.play.plans import Plan
from engine.play.registry import Registry
from engine.storage.store import Store

ROOT = Path(__file__).resolve().parents[2]
REGISTRY = Registry(ROOT)
FILE = """
limit = 2
seed = 7
[[part]]
select = ["matchit/text/same"]
seats = { A = "scripted", B = "random" }
settings = { questions = 1 }
[[part]]
select = ["matchit/text", "mapworld/ee-text/small"]
cross = ["scripted", "random"]
limit = 1
"""


def read(folder: Path, text: str, **how) -> Plan:
    path = folder / "plan.toml"
    path.write_text(text, encoding="utf-8")
    return read_plan(path, REGISTRY, **how)


def test_players_are_crossed_in_every_order_and_on_every_side():
    plan = Plan.from_player_combinations(
        REGISTRY, ["matchit/text/same", "mapworld/ee-text", "spyfall"], ["scripted", "random"], limit=1
    )
    seatings = {(kind.game, kind.seating) for kind in map(plan.group_at, range(len(plan)))}
    for a in ("scripted", "random"):
        assert ("mapworld", (("walker", a),)) in seatings
        for b in ("scripted", "random"):
            assert ("matchit", (("A", a), ("B", b))) in seatings
            assert ("spyfall", (("side:spy", a), ("side:villagers", b))) in seatings
    assert len(seatings) == 2 + 4 + 4 and len({planned.key for planned in plan}) == len(plan)


def test_three_players_are_put_on_three_sides_in_the_six_assignments_of_the_paper():
    players = ["scripted", "random", "random?copy=1"]

    def assignments(**how) -> list[tuple[str, ...]]:
        plan = Plan.from_player_combinations(REGISTRY, ["tofukingdom"], players, limit=1, **how)
        return [tuple(player for _, player in plan.group_at(n).seating) for n in range(len(plan))]

    assert sorted(assignments()) == sorted(permutations(players))
    assert sorted(assignments(all_seatings=True)) == sorted(product(players, repeat=3))
    two = Plan.from_player_combinations(REGISTRY, ["tofukingdom"], players[:2], limit=1)
    assert len(two) == 8, "with fewer players than sides, a player has several"


def test_a_file_plans_parts_with_what_they_share(tmp_path):
    plan = read(tmp_path, FILE)
    first = plan.plan_episode(0).start
    assert (first.settings["questions"], first.run_seed, first.seats) == (1, 7, {"A": "scripted", "B": "random"})
    experiments = len(REGISTRY.experiments("matchit", "text"))
    assert len(plan) == 2 + 4 * experiments + 2
    assert read(tmp_path, FILE, seed=8).plan_episode(0).start.run_seed == 8


def test_what_two_parts_name_is_played_once(tmp_path):
    part = '[[part]]\nselect = ["matchit/text/same"]\nseats = { all = "random" }\n'
    assert len(read(tmp_path, part + part.replace("/same", ""))) == len(read(tmp_path, part.replace("/same", "")))
    assert len(read(tmp_path, part + part + "seed = 1\n")) == 2 * len(read(tmp_path, part))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "part: Field required"),
        ("[[part]]\nselect = ['matchit']", "part 1: name either seats"),
        ("[[part]]\nselect = ['matchit']\nseats = {A = 'random'}\ncross = ['random']", "part 1: name either seats"),
        ("[[part]]\nselect = ['matchit']\nseats = {A = 'random'}", "part 1: matchit has the seats A, B"),
        ("[[part]]\nselect = ['machit']\nseats = {all = 'random'}", "did you mean 'matchit'?"),
        ("[[part]]\nselect = ['matchit']\nseats = {all = 'person'}", "a person cannot sit at A in a run"),
        (
            "[[part]]\nselect = ['matchit']\nseats = {all = 'random'}\nlimits = 3",
            "part.0: no field 'limits' (did you mean 'limit'?); there are",
        ),
        ("sed = 1\n[[part]]\nselect = ['matchit']\nseats = {all = 'random'}", "no field 'sed' (did you mean 'seed'?)"),
        ("repeat = 0\n[[part]]\nselect = ['matchit']\nseats = {all = 'random'}", "repeat"),
        ("[[part]", "cannot be read"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(tmp_path, text, said):
    with pytest.raises(BadPlan) as error:
        read(tmp_path, text)
    assert said in str(error.value) and "plan.toml" in str(error.value)


def test_where_a_plan_stands(tmp_path):
    plan = read(tmp_path, FILE)
    with Store(tmp_path / "log.db") as store:
        assert {row.missing_count for row in read_plan_status(plan, store).values()} == {
            row.planned_count for row in read_plan_status(plan, None).values()
        }
        part = Plan(REGISTRY, plan.parts[:1])
        asyncio.run(LocalExecutor(part, store).play_plan())
        found = read_plan_status(plan, store)
    done = found.pop(part.group_at(0))
    assert (done.finished_count, done.missing_count) == (
        2,
        done.planned_count - 2,
    )  # the second part has the same players at this game
    assert all(row.finished_count == 0 for row in found.values())


@pytest.mark.models
def test_what_a_plan_may_take_is_told_before(tmp_path):
    (tmp_path / "mine.toml").write_text(
        '[servers.lab]\napi = "openai"\nbase_url = "http://127.0.0.1:1/v1"\n'
        '[players.one]\nmodel = "lab/m"\nprice = [1, 1]\n[players.two]\nmodel = "lab/n"\nprice = [2, 2]\n',
        encoding="utf-8",
    )
    registry = Registry(ROOT, players=tmp_path / "mine.toml")
    plan = Plan.from_player_combinations(registry, ["matchit/text/same"], ["one", "two", "scripted"], limit=1)
    expected = {kind.seating: found for kind, found in estimate_plan(plan).items()}
    same = {who: expected[("A", f"lab/{who}"), ("B", f"lab/{who}")] for who in "mn"}
    assert same["m"].calls == same["n"].calls > 4 and same["m"].tokens == same["n"].tokens > 500
    assert same["m"].cost == pytest.approx(same["m"].tokens / 1e6) and same["n"].cost == pytest.approx(
        2 * same["m"].cost
    )
    free = expected[("A", "scripted"), ("B", "scripted")]
    assert (free.tokens, free.cost) == (0, 0) and free.calls == same["m"].calls
    mixed = [expected[("A", a), ("B", b)] for a, b in (("lab/m", "scripted"), ("scripted", "lab/m"))]
    assert sum(one.tokens for one in mixed) == pytest.approx(same["m"].tokens)
