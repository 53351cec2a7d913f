"""What clembench's files of its two reference games mean: their instances as ours, to check our rules by theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.events import Json

VARIANTS = {"referencegame": "text", "multimodal_referencegame": "picture"}
SHARED: tuple[str, ...] = ()
"""Keys of an experiment that its entries are played with."""
SPEAKERS = {
    "grid": ("player_1_target_grid", "player_1_second_grid", "player_1_third_grid"),
    "picture": ("player_1_first_image", "player_1_second_image", "player_1_third_image"),
}


def game_of(theirs: Json) -> str | None:
    """Return which of their games an entry is of, None when it is of none of these."""
    if "player_1_target_grid" in theirs:
        return "referencegame"
    return "multimodal_referencegame" if "player_1_first_image" in theirs else None


def instance(theirs: Json, pictures: Mapping[str, str] | None = None) -> Json:
    """Return an instance of `referencegame` or `multimodal_referencegame` as the data of an `ImportedTriple`.

    `pictures` gives the ids of those that are here by their addresses; others keep their address.
    In their pictures the target may stand anywhere in the speaker's list; where, its place at the listener's tells.
    """
    thing = "grid" if "player_1_target_grid" in theirs else "picture"
    noun = "grid" if thing == "grid" else "image"
    heard = [theirs[f"player_2_{place}_{noun}"] for place in ("first", "second", "third")]
    answer = {"first": 0, "second": 1, "third": 2}[theirs[f"target_{noun}_name"][0]]
    target = heard[answer]
    others = [theirs[name] for name in SPEAKERS[thing] if theirs[name] != target]
    listener = [[target, *others].index(one) for one in heard]
    target, *others = ((pictures or {}).get(one, one) for one in (target, *others))
    return {"kind": "imported", "thing": thing, "target": target, "distractors": others, "listener": listener}


def settings(theirs: Json) -> Json:
    """Return the settings an instance was played with: where the target stands in the speaker's list."""
    thing = "grid" if "player_1_target_grid" in theirs else "picture"
    noun = "grid" if thing == "grid" else "image"
    target = theirs[f"player_2_{theirs[f'target_{noun}_name'][0]}_{noun}"]
    place = [theirs[name] for name in SPEAKERS[thing]].index(target)
    return {"target_at": ("first", "second", "third")[place]}


def pictures(theirs: Json) -> list[str]:
    """Return the addresses of the pictures that an entry shows."""
    return [theirs[name] for name in SPEAKERS["picture"]] if "player_1_first_image" in theirs else []


def scores(ours: Json) -> Json:
    """Return our scores under their names."""
    return {
        "Generated Expression Length": ours["expression_characters"],
        "Generated Expression Number of Tokens": ours["expression_words"],
        "Aborted at Player 1": int(ours["aborted_at"] == "speaker"),
        "Aborted at Player 2": int(ours["aborted_at"] == "listener"),
        "Main Score": ours["main_score"],
    }


def explain(name: str, theirs: Json, ours: Json, game: str) -> str | None:
    """Say why a published score differs from ours, None where no reason is known."""
    if name == "Lose" and theirs.get("Aborted"):
        return "an aborted episode is published with Lose 1; ours is neither won nor lost"
    if name == "Generated Expression Number of Tokens":
        return "published counts what single blanks part, ours what any white space parts"
    return None


def turn_differences(theirs: Json, ours: Json) -> list[Json]:
    """Return nothing: clembench has no scores of single turns that differ from ours."""
    return []


def fit(theirs: Json, said: Mapping[str, Sequence[str]], replied: Mapping[str, Sequence[str]]) -> Json:
    """Return an entry whose prompts are those that were said in a run."""
    fitted = dict(theirs)
    speaker, listener, expression = said.get("speaker", ()), said.get("listener", ()), replied.get("speaker", ())
    if speaker:
        fitted["player_1_prompt_header"] = speaker[0]
    if listener and expression and expression[0] in listener[0]:
        fitted["player_2_prompt_header"] = listener[0].replace(expression[0], "TARGET_EXPRESSION")
    return fitted
