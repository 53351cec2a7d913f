"""What clembench's files of MatchIt mean: their instances as ours, our scores under their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.events import Json

VARIANTS = {"matchit": "picture", "matchit_ascii": "text"}
SHARED = (
    "initial_prompt",
    "q_reprompt",
    "d_reprompt",
    "a_request",
    "desc_intro",
    "flags",
    "solution",
    "wrong_solution",
)
"""Keys of an experiment that its entries are played with."""
FLAGS = {name: f"{name.upper()}:" for name in ("description", "question", "answer", "decision")}


def game_of(theirs: Json) -> str | None:
    """Return which of their games an entry is of, None when it is of none of these."""
    if "grid_a" in theirs:
        return "matchit_ascii"
    return "matchit" if "image_a" in theirs else None


def instance(theirs: Json, pictures: Mapping[str, str] | None = None) -> Json:
    """Return an entry of `matchit` or `matchit_ascii` as the data of an `ImportedPair`.

    `pictures` gives the ids of those that are here by their addresses; others keep their address.
    """
    thing, a, b = ("grid", "grid_a", "grid_b") if "grid_a" in theirs else ("picture", "image_a", "image_b")
    relation = "same" if theirs[a] == theirs[b] else "different"
    seen = [(pictures or {}).get(theirs[side], theirs[side]) for side in (a, b)]
    return {"kind": "imported", "relation": relation, "thing": thing, "a": seen[0], "b": seen[1]}


def settings(theirs: Json) -> Json:
    """Return the settings an instance was played with: `decision_turn` is the number of questions each."""
    return {"questions": theirs["decision_turn"]}


def pictures(theirs: Json) -> list[str]:
    """Return the addresses of the pictures that an entry shows."""
    return [theirs["image_a"], theirs["image_b"]] if "image_a" in theirs else []


def scores(ours: Json) -> Json:
    """Return our scores under their names."""
    return {"Player Score": ours["player_score"], "Main Score": ours["main_score"]}


def explain(name: str, theirs: Json, ours: Json, game: str) -> str | None:
    """Say why a published score differs from ours, None where no reason is known."""
    return None


def turn_differences(theirs: Json, ours: Json) -> list[Json]:
    """Return nothing: clembench has no scores of single turns that differ from ours."""
    return []


def fit(theirs: Json, said: Mapping[str, Sequence[str]], replied: Mapping[str, Sequence[str]]) -> Json:
    """Return an entry with the prompts of its experiment, read from what was said in a run where the file lacks them.

    `said` are the messages to each of our seats, `replied` those from it, in order.
    """
    fitted = dict(theirs)
    a, b = said.get("A", ()), said.get("B", ())
    if a:
        grid = theirs.get("grid_a")
        fitted["initial_prompt"] = a[0].replace(grid, "$GRID$") if grid else a[0]
    fitted.setdefault("flags", dict(FLAGS))
    described = replied.get("A", ("",))[0]
    if len(b) > 1 and described in b[1]:
        fitted["desc_intro"], _, rest = b[1].partition(described)
        fitted["q_reprompt"] = rest.removeprefix("\n")
    if len(a) > 1 and len(replied["B"]) > 1 and replied["B"][1] in a[1]:
        fitted["a_request"] = a[1].rpartition(replied["B"][1])[2]
    number = 2 + 2 * int(theirs["decision_turn"])  # messages to B before the one that asks for its decision
    if len(b) == number:
        fitted["d_reprompt"] = b[number - 1]
    for key in ("q_reprompt", "a_request", "desc_intro", "d_reprompt"):
        fitted.setdefault(key, "")
    return fitted
