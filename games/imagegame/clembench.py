"""What clembench's files of its image game mean: their instances as ours, our scores under their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.events import Json

VARIANTS = {"imagegame": "grid"}
SHARED: tuple[str, ...] = ()
"""Keys of an experiment that its entries are played with."""
TURNS = 50


def game_of(theirs: Json) -> str | None:
    """Return which of their games an entry is of, None when it is not of this one."""
    return "imagegame" if "player_1_question" in theirs and "target_grid" in theirs else None


def instance(theirs: Json, pictures: Mapping[str, str] | None = None) -> Json:
    """Return an instance of clembench's `imagegame`. Its question says by what word a command begins."""
    tag = "Instruction" if "instruction" in theirs["player_1_question"] else "Command"
    return {"kind": "imported", "target": theirs["target_grid"].strip(), "tag": tag}


def settings(theirs: Json) -> Json:
    """Return the settings an instance was played with."""
    return {"turns": TURNS}


def pictures(theirs: Json) -> list[str]:
    """Return the addresses of the pictures that an entry shows: none."""
    return []


def scores(ours: Json) -> Json:
    """Return our scores under their names, rounded as they are: P and R to 4 places, F1 from them, then to percents."""
    if ours["main_score"] is None:
        names = ("Precision", "Recall", "F1", "Main Score", "Average Changed Cell Count")
        return dict.fromkeys(names)
    precision, recall = round(ours["precision"] / 100, 4), round(ours["recall"] / 100, 4)
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return {
        "Precision": float(round(100 * precision)),
        "Recall": float(round(100 * recall)),
        "F1": float(round(100 * f1)),
        "Main Score": float(round(100 * f1)),
        "Average Changed Cell Count": ours["changed_cells"],
    }


def explain(name: str, theirs: Json, ours: Json, game: str) -> str | None:
    """Say why a published score differs from ours, None where no reason is known."""
    if name in ("Request Count", "Parsed Request Count") and ours["requests"] == theirs[name] + 1:
        return "the reply DONE is not counted as a request in published scores"
    return None


def turn_differences(theirs: Json, ours: Json) -> list[Json]:
    """Return nothing: clembench has no scores of single turns that differ from ours."""
    return []


def fit(theirs: Json, said: Mapping[str, Sequence[str]], replied: Mapping[str, Sequence[str]]) -> Json:
    """Return an entry whose prompts are those that were said in a run: the files were reworded after the runs."""
    fitted = dict(theirs)
    giver, follower = said.get("giver", ()), said.get("follower", ())
    if giver:
        header, _, question = giver[0].rpartition(f"\n{theirs['target_grid']}\n")
        if header:
            fitted["player_1_prompt_header"], fitted["player_1_question"] = header, question.removesuffix("\n")
    if follower and replied.get("giver") and follower[0].endswith(f"\n{replied['giver'][0]}"):
        fitted["player_2_prompt_header"] = follower[0].removesuffix(f"\n{replied['giver'][0]}")
    return fitted
