"""What clembench's files of its six map games mean: their instances as ours, our scores under their names."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.events import Json
from games.mapworld.walking import harmonic

VARIANTS = {
    "mm_mapworld": "ee-picture",
    "mm_mapworld_graphs": "ee-gr-picture",
    "mm_mapworld_specificroom": "g2x-picture",
    "textmapworld": "ee-text",
    "textmapworld_graphreasoning": "ee-gr-text",
    "textmapworld_specificroom": "g2x-text",
}
SHARED: tuple[str, ...] = ()
"""Keys of an experiment that its entries are played with."""
GOOD = (
    "upstream steps back only from rooms without fresh neighbours and looks at the whole graph; ours follows the "
    "paper: the first step of some shortest walk over what was seen"
)


def game_of(theirs: Json) -> str | None:
    """Return which of their games an entry is of, None when it is of none of these."""
    if "Graph_Nodes" in theirs:
        if "Specific_Room" in theirs:
            return "textmapworld_specificroom"
        return "textmapworld_graphreasoning" if "Response_Construction" in theirs else "textmapworld"
    if "nodes" in theirs and "cats" in theirs:
        if "target_cat" in theirs:
            return "mm_mapworld_specificroom"
        return "mm_mapworld_graphs" if '"graph"' in theirs.get("response_regex", "") else "mm_mapworld"
    return None


def instance(theirs: Json, pictures: Mapping[str, str] | None = None) -> Json:
    """Return an entry of any of the six games as the data of a `Map` of kind "imported".

    Picture games name rooms by position and give a category beside; text games name them by category. `pictures` gives
    the ids of those that are here by their addresses.
    """
    shown: dict[tuple[int, int], str | None] = {}
    if "Graph_Nodes" in theirs:
        at = {name: place for place, name in _literal(theirs["Mapping"]).items()}
        names = {at[name]: name for name in _literal(theirs["Graph_Nodes"])}
        pairs = [(at[a], at[b]) for a, b in _literal(theirs["Graph_Edges"])]
        start, target = at[theirs["Current_Position"]], theirs.get("Specific_Room")
    else:
        places = [_place(node) for node in _literal(theirs["nodes"])]
        categories = {_place(node): name for node, name in _literal(theirs["cats"]).items()}
        names = {place: categories[place].replace("_", " ") for place in places}
        pairs = [(_place(a), _place(b)) for a, b in map(_literal, _literal(theirs["edges"]))]
        start = _place(theirs["start"])
        target = theirs["target_cat"].replace("_", " ") if "target_cat" in theirs else None
        shown = {_place(node): (pictures or {}).get(address) for node, address in _literal(theirs["imgs"]).items()}
    number = {place: index for index, place in enumerate(names)}
    doors = dict.fromkeys((min(number[a], number[b]), max(number[a], number[b])) for a, b in pairs)
    rooms = [{"x": x, "y": y, "name": name, "picture": shown.get((x, y))} for (x, y), name in names.items()]
    return {
        "kind": "imported",
        "rooms": rooms,
        "doors": list(map(list, doors)),
        "start": number[start],
        "target": target,
    }


def settings(theirs: Json) -> Json:
    """Return the settings an entry is played with: Map World has none."""
    return {}


def pictures(theirs: Json) -> list[str]:
    """Return the addresses of the pictures that an entry shows."""
    return list(_literal(theirs["imgs"]).values()) if "imgs" in theirs else []


def scores(ours: Json) -> Json:
    """Return our scores under their names. `effieciency` is how the picture games spell it."""
    played = ours["main_score"] is not None
    found: Json = {
        name: ours[key] if played else None
        for name, key in (
            ("moves", "moves"),
            ("valid_moves", "valid_moves"),
            ("invalid_moves", "refused_moves"),
            ("stopped", "stopped"),
            ("loops", "loops"),
            ("visited", "visited"),
            ("number_visited", "visited"),
            ("seen", "seen"),
            ("efficiency", "efficiency"),
            ("effieciency", "efficiency"),
            ("exploration", "exploration"),
        )
    }
    if "graph_similarity" in ours:
        found["graph_similarity"] = ours["graph_similarity"]
    return {**found, "stopped": int(ours["stopped"]) if played else None, "Main Score": ours["main_score"]}


def explain(name: str, theirs: Json, ours: Json, game: str) -> str | None:
    """Say why a published score `name` differs from ours, None where no reason is known.

    `theirs` are the published episode scores, `ours` our own.
    """
    counted = theirs.get("moves")
    once_more = ours["stopped"] and counted == ours["moves"] + 1
    if once_more and name in ("moves", "valid_moves"):
        return f"{counted} moves are published, {ours['moves']} were made: the last one was logged once more on DONE"
    if once_more and name in ("efficiency", "effieciency", "Main Score"):
        efficiency = 100 * ours["good_moves"] / counted
        wanted = harmonic(efficiency, ours["exploration"]) if name == "Main Score" else efficiency
        if abs(wanted - theirs[name]) < 1e-6:
            return (
                f"{counted} moves are published, {ours['moves']} were made (the last was logged once more on DONE): "
                f"{ours['good_moves']} good ones of {counted} give the published score"
            )
    if name == "graph_similarity":
        return _similarity(theirs[name], ours[name])
    if name in ("efficiency", "effieciency") and game.endswith("specificroom"):
        return (
            "published as 100/max(1, rooms on the path − distance), also when lost; ours is 100 · distance / moves, "
            "when found"
        )
    if name == "loops":
        return "counted by another rule: ours are moves into a visited room while something seen was unvisited"
    return None


def _similarity(published: float, ours: float | None) -> str | None:
    """Say by which of the two formulas in use a similarity was published."""
    share = published / 100 if published > 1 else published
    if ours is not None and abs(100 * share - ours) < 1e-6:
        return "published between 0 and 1; ours is the same from 0 to 100"
    if ours is not None and abs(200 * share - ours) < 1e-6:
        return (
            "published by 1 − σ(distance/2), at most a half; ours is the source's 100 · (1 − 2 · (σ(distance/2) − 0.5))"
        )
    return None


def turn_differences(theirs: Json, ours: Json) -> list[Json]:
    """Return the turns of which published and recomputed scores say otherwise whether the move was good."""
    found = []
    walked = [turn for turn in ours["turns"] if not turn["done"]]
    for number, turn in enumerate(walked):
        published = theirs.get(str(number), {}).get("effiencient_move")
        if published is not None and bool(published) != turn["good"]:
            name = f"turn {number}: effiencient_move"
            found.append({"name": name, "published": int(published), "ours": int(turn["good"]), "why": GOOD})
    return found


def fit(theirs: Json, said: Mapping[str, Sequence[str]], replied: Mapping[str, Sequence[str]]) -> Json:
    """Return an entry whose prompts are those that were said in a run: files were reworded after some runs.

    `said` are the messages to the walker, in order. What does not fit is left as it is.
    """
    fitted = dict(theirs)
    first = "initial_prompt" if "nodes" in theirs else "Prompt"
    told = said.get("walker", ("",))[0]
    for word, other in (("command", "instruction"), ("instruction", "command")):
        old, new = f"next {word}?", f"next {other}?"
        if new in told and old not in told:
            for key in (first, "Player2_positive_answer", "Player2_negative_answer"):
                if key in fitted:
                    fitted[key] = fitted[key].replace(old, new)
    return fitted


def _literal(data: Any) -> Any:
    return ast.literal_eval(data) if isinstance(data, str) else data


def _place(node: Any) -> tuple[int, int]:
    x, y = _literal(node)
    return int(x), int(y)
