"""How scripted partners take natural lines: our own, and the shared ones where they are here.

Lines that are held out are for figures (`make partners`): nobody looks at them to make a test pass.
"""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from partner_figures import FALSE, JUDGES, RIGHT, TITLES, UNKNOWN, count_verdicts, held_out_table, lines, others_noticed

from games.common import pictures

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared/utterances"
INSTANCES = ROOT / "instances"
KINDS = ("matchit_picture", "boards", "grids")


def shared(name: str) -> list[dict[str, Any]]:
    """Return the shared lines about drawn pictures, each with its picture or pictures."""
    if not SHARED.exists():
        pytest.skip(f"the shared lines are not here: {SHARED}")
    rows = []
    for row in map(json.loads, (SHARED / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()):
        game, variant, experiment, index = row["instance"].split("/")
        data = json.loads((INSTANCES / game / f"{variant}.json").read_text(encoding="utf-8"))
        item = data["experiments"][experiment][int(index)]
        if item.get("kind") == "photo":
            about = {"picture": item[row["seat"].lower()]} if "seat" in row else item
            rows.append(row | about)
    return [row for row in rows if row.get("picture", row.get("target")) in pictures.LIBRARY]


@pytest.mark.parametrize("kind", [*KINDS, "shared"])
def test_answers_about_the_own_picture_are_true(kind):
    """At most 1 of 150 is false, 80 % of what is answered is right, and at most 55 % is unknown."""
    name = "matchit_picture_questions" if kind == "shared" else f"{kind}_questions"
    rows = shared("matchit_questions") if kind == "shared" else lines(name, held_out=False)
    count = count_verdicts(name, rows)
    assert count[FALSE] <= len(rows) / 150
    assert count[RIGHT] >= 0.8 * (len(rows) - count[UNKNOWN])
    assert count[UNKNOWN] <= 0.55 * len(rows)


@pytest.mark.parametrize("kind", [*KINDS, "shared"])
def test_a_true_description_does_not_end_in_different(kind):
    name = "matchit_picture_descriptions" if kind == "shared" else f"{kind}_descriptions"
    rows = shared("matchit_descriptions") if kind == "shared" else lines(name, held_out=False)
    assert count_verdicts(name, rows)[FALSE] <= len(rows) / 40


def test_a_description_of_another_picture_ends_in_different():
    """At least 80 % of all; of the grids, of which many descriptions name a shape alone, at least 75 %."""
    counts = [others_noticed(f"{kind}_descriptions", held_out=False, others=3) for kind in KINDS]
    assert all(noticed >= 0.75 * n for noticed, n in counts)
    noticed, n = map(sum, zip(*counts, strict=True))
    assert noticed >= 0.8 * n


@pytest.mark.parametrize("kind", KINDS)
def test_a_difference_between_near_twins_is_noticed(kind):
    rows = lines(f"{kind}_twins", held_out=False)
    assert count_verdicts(f"{kind}_twins", rows)[RIGHT] >= 0.7 * len(rows)


@pytest.mark.parametrize("kind", ["reference_pictures", "reference_grids", "shared"])
def test_the_listener_picks_what_people_mean(kind):
    name = "reference_pictures" if kind == "shared" else kind
    rows = shared("reference") if kind == "shared" else lines(name, held_out=False)
    rows = [row for row in rows if row.get("clear", True)]
    count = count_verdicts(name, rows)
    assert count[RIGHT] >= 0.8 * len(rows)
    assert count[FALSE] <= 0.05 * len(rows)


def test_commands_are_drawn_as_people_mean_them():
    rows = lines("imagegame", held_out=False)
    assert count_verdicts("imagegame", rows)[RIGHT] >= 0.85 * len(rows)


def test_natural_questions_about_a_word_are_answered_truly():
    rows = lines("askguess", held_out=False)
    count = count_verdicts("askguess", rows)
    assert len(rows) >= 200 and count[FALSE] <= len(rows) / 100
    assert count[UNKNOWN] <= 0.08 * len(rows)


def test_the_figures_of_the_documentation_are_those_of_the_held_out_lines():
    assert set(TITLES) == set(JUDGES)
    page = (ROOT / "docs" / "partners.md").read_text(encoding="utf-8")
    assert held_out_table() in page, "`.venv/bin/python -m tests.games.partner_figures --table` prints the rows"
