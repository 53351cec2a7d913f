"""What clembench's files of its map games mean: their instances as ours, to check our rules against published ones."""

from __future__ import annotations

import ast
from typing import Any

from engine.events import Json

VARIANTS = {
    "mm_mapworld": "ee-picture",
    "mm_mapworld_graphs": "ee-gr-picture",
    "mm_mapworld_specificroom": "g2x-picture",
    "textmapworld": "ee-text",
    "textmapworld_graphreasoning": "ee-gr-text",
    "textmapworld_specificroom": "g2x-text",
}


def instance(theirs: Json) -> Json:
    """Return an instance of any of the six games as the data of a `Map` of kind "imported".

    Picture games name rooms by position and give a category beside; text games name them by category.
    """
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
    number = {place: index for index, place in enumerate(names)}
    doors = dict.fromkeys((min(number[a], number[b]), max(number[a], number[b])) for a, b in pairs)
    rooms = [{"x": x, "y": y, "name": name, "picture": None} for (x, y), name in names.items()]
    return {"kind": "imported", "rooms": rooms, "doors": list(doors), "start": number[start], "target": target}


def _literal(data: Any) -> Any:
    return ast.literal_eval(data) if isinstance(data, str) else data


def _place(node: Any) -> tuple[int, int]:
    x, y = _literal(node)
    return int(x), int(y)
