"""How scripted partners take natural lines: `python -m tests.games.partner_figures [--list | --table]` prints figures.

`--list` adds the tuned lines that were not right; `--table` prints only the table of docs/partners.md.

The lines in `utterances/` were written by looking at pictures, grids and words, without sight of descriptions or code.
Nobody tuned a partner on those that are `held_out`. A share has its 95 % Wilson interval.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

from games.askguess.answering import Answerer
from games.common import pictures
from games.common.grids import EMPTY_MARK, GRID_SIZE
from games.imagegame import grid
from games.imagegame.follower import GridDrawer
from games.matchit.talkers.talk import make_talker
from games.matchit.talkers.utterances import Talker, Utterance
from games.reference.talkers.sight import find_best_sight, make_sight

FOLDER = Path(__file__).parent / "utterances"
DIGITS = "zero one two three four five six seven eight nine ten eleven twelve".split()
RIGHT, FALSE, UNKNOWN = "right", "false", "unknown"
LEANINGS = {"More or less.": "yes", "It can be.": "yes", "Hardly.": "no", "It can be, but rarely.": "no"}
Row = Mapping[str, Any]


def lines(name: str, held_out: bool | None = None) -> list[dict[str, Any]]:
    """Return the lines of a file: all, or only those that were held out or tuned on."""
    rows = [json.loads(row) for row in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if held_out in (None, row["held_out"])]


def shown(row: Row, key: str = "picture") -> str | dict[str, Any]:
    """Return what a line is about: a grid as text, or the description of a board or picture."""
    item = row["shown"] if key == "picture" and "shown" in row else row[key]
    if isinstance(item, dict):
        return {"kind": "pentomino", **item}
    if item in pictures.LIBRARY:
        return pictures.LIBRARY.description(item).model_dump(mode="json", exclude={"id", "family", "change"})
    return str(item)


def partner(item: str | dict[str, Any]) -> Talker:
    return make_talker(item, Random(1))


# ---------------------------------------------------------------------- judging one line
def judge_answer(answer: str, right: list[str], wrong: list[str]) -> str:
    """Return the verdict on an answer: what comes first in it counts; a denial needs to be right itself."""
    text = re.sub(r"[a-z]+", lambda word: str(DIGITS.index(word[0])) if word[0] in DIGITS else word[0], answer.lower())
    text = re.sub(r"\b(?:rows?|columns?|lines?) [1-5]\b", "", text)
    if "not sure" in text or "did not understand" in text:
        return UNKNOWN
    opening = re.split(r"\W", text, maxsplit=1)[0]
    if opening in ("yes", "no"):
        if opening in right:
            return RIGHT
        if opening in wrong or (opening == "no" and "0" not in right):
            return FALSE
    places = [
        (match.start(), verdict)
        for verdict, words in ((RIGHT, right), (FALSE, wrong))
        for word in words
        if (match := re.search(rf"(?<!\w){re.escape(word.lower())}s?(?!\w)", text))
    ]
    return min(places)[1] if places else UNKNOWN


def judge_question(row: Row) -> str:
    """Judge the answer to a question about the partner's own picture, board or grid."""
    return judge_answer(partner(shown(row)).answer(row["ask"]), row["right"], row["wrong"])


def decide(text: str, item: str | dict[str, Any]) -> str:
    """Return what a partner decides who is only told this."""
    return partner(item).decide([Utterance("partner", "description", text)])


def judge_description(row: Row) -> str:
    """Judge the decision after a true description of the partner's own picture."""
    return RIGHT if decide(row["say"], shown(row)) == "same" else FALSE


def judge_twin(row: Row) -> str:
    """Judge the decision after a description that names how the picture differs from the partner's."""
    return RIGHT if decide(row["say"], shown(row, "partner" if "partner" in row else "twin")) == "different" else FALSE


def judge_expression(row: Row) -> str:
    """Judge four choices of a listener: all right, some by chance (unknown), or none."""
    sights = [make_sight(shown({"picture": item})) for item in (row["target"], *row["distractors"])]
    hits = [find_best_sight(row["say"], sights, Random(seed)) == 0 for seed in range(4)]
    return RIGHT if all(hits) else UNKNOWN if any(hits) else FALSE


def judge_commands(row: Row) -> str:
    """Judge the drawing after some commands."""
    grid_drawer = GridDrawer.start_empty()
    for command in row["say"]:
        grid_drawer.apply_command(command)
    drawn = grid.format_grid(grid_drawer.drawing).replace(" ", "").split("\n")
    return RIGHT if drawn == row["grid"] else UNKNOWN if drawn == [EMPTY_MARK * GRID_SIZE] * GRID_SIZE else FALSE


def judge_word(row: Row) -> str:
    """Judge the answer to a question about a secret word."""
    answer = Answerer(row["word"], False).answer_question(row["ask"])
    if answer.startswith(("I am not sure", "I did not understand")):
        return UNKNOWN
    leaning = LEANINGS.get(answer, answer.partition(",")[0].rstrip(".").lower())
    return RIGHT if row["right"] in (leaning, "depends") else FALSE


JUDGES: dict[str, Callable[[Row], str]] = {
    "matchit_picture_questions": judge_question,
    "matchit_picture_descriptions": judge_description,
    "matchit_picture_twins": judge_twin,
    "boards_questions": judge_question,
    "boards_descriptions": judge_description,
    "boards_twins": judge_twin,
    "grids_questions": judge_question,
    "grids_descriptions": judge_description,
    "grids_twins": judge_twin,
    "reference_pictures": judge_expression,
    "reference_grids": judge_expression,
    "imagegame": judge_commands,
    "askguess": judge_word,
}


def others_noticed(name: str, held_out: bool | None = None, others: int = 3) -> tuple[int, int]:
    """Return how often a description ends in "different" with some other pictures, and of how many."""
    rows, rng = lines(name, held_out), Random(3)
    items = {json.dumps(shown(row)): shown(row) for row in lines(name)}
    pairs = []
    for row in rows:
        own = json.dumps(shown(row))
        pairs += [(row["say"], items[key]) for key in rng.sample([key for key in items if key != own], others)]
    return sum(decide(text, item) == "different" for text, item in pairs), len(pairs)


# ---------------------------------------------------------------------- figures
def count_verdicts(name: str, rows: Iterable[Row]) -> Counter[str]:
    """Count the verdicts on lines of a file."""
    return Counter(JUDGES[name](row) for row in rows if row.get("clear", True))


def wilson(successes: int, n: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a share."""
    z = 1.96
    share, base = successes / n, 1 + z * z / n
    middle = (share + z * z / (2 * n)) / base
    reach = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / base
    return max(0.0, middle - reach), min(1.0, middle + reach)


def percent(successes: int, n: int) -> str:
    low, high = wilson(successes, n)
    return f"{100 * successes / n:.0f} % ({100 * low:.0f}–{100 * high:.0f})"


TITLES = {
    "matchit_picture_questions": "questions about a picture",
    "grids_questions": "… about a grid",
    "boards_questions": "… about a pentomino board",
    "askguess": "… about a word (Ask-Guess)",
    "matchit_picture_descriptions": "a true description of the partner's own picture does not end in “different”",
    "grids_descriptions": "… of its own grid",
    "boards_descriptions": "… of its own board",
    "matchit_picture_twins": "a description that names how a similar picture differs ends in “different”",
    "grids_twins": "… a similar grid",
    "boards_twins": "… a similar board",
    "reference_pictures": "expressions for a picture (reference game)",
    "reference_grids": "… for a grid",
    "imagegame": "drawing commands (image game)",
}
"""What the lines of each file are, for readers."""


def held_out_table() -> str:
    """Return the figures of lines that were held out, as the rows of a Markdown table."""
    rows = []
    for name, title in TITLES.items():
        judged = [row for row in lines(name, held_out=True) if row.get("clear", True)]
        count, n = count_verdicts(name, judged), len(judged)
        unknown = f"{100 * count[UNKNOWN] / n:.0f} %"
        rows.append(f"| {title} | {n} | {percent(count[RIGHT], n)} | {percent(count[FALSE], n)} | {unknown} |")
    noticed = [others_noticed(name, held_out=True) for name in TITLES if name.endswith("descriptions")]
    successes, n = (sum(numbers) for numbers in zip(*noticed, strict=True))
    title = "a description of another picture, grid or board ends in “different”"
    rows.append(f"| {title} | {n} | {percent(successes, n)} | {percent(n - successes, n)} | 0 % |")
    return "\n".join(rows)


def main() -> None:
    """Print the figures of all files; with --list also the tuned lines that were not right."""
    if "--table" in sys.argv:
        print(held_out_table())
        return
    print(f"{'lines':30} {'':9} {'n':>4}  {'right':17} {'false':17} unknown")
    chosen = [word for word in sys.argv[1:] if not word.startswith("-")]
    for name, judge in JUDGES.items():
        if chosen and not any(part in name for part in chosen):
            continue
        for kind, held_out in (("tuned", False), ("held out", True))[: 1 if "--tuned" in sys.argv else 2]:
            rows = [row for row in lines(name, held_out) if row.get("clear", True)]
            count, n = count_verdicts(name, rows), len(rows)
            shares = f"{percent(count[RIGHT], n):17} {percent(count[FALSE], n):17} {100 * count[UNKNOWN] / n:.0f} %"
            print(f"{name:30} {kind:9} {n:4}  {shares}")
            if "--list" in sys.argv and not held_out:
                for row in rows:
                    if (verdict := judge(row)) != RIGHT:
                        about = row.get("picture") or row.get("target") or row.get("word") or row.get("instance", "")
                        print(f"    {verdict:8} {str(about)[:40]!r} {row.get('say') or row['ask']}")
            if name.endswith("descriptions"):
                print(f"{'  … of another one: different':30} {kind:9}       {percent(*others_noticed(name, held_out))}")


if __name__ == "__main__":
    main()
