"""The comparison of `make bench-check`; nothing is measured here."""

import pytest

from tests.bench import _check
from tests.bench._check import MEASURES, Ratio, check, main, read_ratios

SPEED = Ratio("speed", 0.9, 0.1, "more", "python -m tests.bench.speed")
COST = Ratio("cost", 3.0, 0.1, "less", "python -m tests.bench.cost")
STORED = {"speed": SPEED, "cost": COST}


@pytest.mark.parametrize("measured", [{"speed": 0.82}, {"speed": 2.0}, {"cost": 3.29}, {"cost": 1.0}, {}])
def test_what_is_better_or_within_the_tolerance_is_no_complaint(measured):
    assert check(STORED, measured) == []


def test_each_ratio_that_is_worse_is_named_with_its_limit_and_a_command():
    slower, dearer = check(STORED, {"speed": 0.8, "cost": 3.4})
    assert slower == "speed: 0.8, at least 0.81 (0.9 stored); look at `python -m tests.bench.speed`"
    assert dearer.startswith("cost: 3.4, at most 3.3")


def test_every_measure_has_a_stored_ratio_and_a_command_that_exists():
    stored = read_ratios()
    assert stored.keys() == MEASURES.keys()
    for ratio in stored.values():
        script = ratio.command.rpartition(".")[2]
        assert (_check.STORED.parent / f"{script}.py").is_file()


def test_the_exit_code_says_whether_anything_is_worse(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(_check, "STORED", tmp_path / "ratios.json")
    _check.write_ratios([SPEED, COST])
    monkeypatch.setattr(_check, "MEASURES", {"speed": lambda: 0.5, "cost": lambda: 3.0})
    assert main(["cost"]) == 0 and "nothing is worse" in capsys.readouterr().out
    assert main([]) == 1 and "WORSE speed: 0.5" in capsys.readouterr().out
    assert main(["sped"]) == 2


def test_writing_stores_what_was_measured_and_keeps_the_rest(monkeypatch, tmp_path):
    monkeypatch.setattr(_check, "STORED", tmp_path / "ratios.json")
    monkeypatch.setattr(_check, "MEASURES", {"speed": lambda: 0.97, "cost": lambda: 9.0})
    _check.write_ratios([SPEED, COST])
    assert main(["--write", "speed"]) == 0
    assert {name: ratio.ratio for name, ratio in read_ratios().items()} == {"speed": 0.97, "cost": 3.0}
