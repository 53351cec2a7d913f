"""What a spectator and a debriefing see of a walk: the map as a graph panel, drawn by the page.

A graph panel is {"nodes": [{"id", "x", "y", "label", "state"}], "edges": [[id, id, known]], "path": [ids]}: x goes
east, y north; state is "here", "visited", "seen" or "hidden"; an edge is known when the walker has seen it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.events import Event, Json
from games.mapworld import instances
from games.mapworld.maps import DIRECTIONS, OPPOSITE
from games.mapworld.scores import walked
from games.mapworld.walking import Walk


def watch(log: Sequence[Event]) -> list[Json]:
    """Return what spectators see beside the conversation after these events: the map, the room, the figures so far."""
    task, modality = instances.split(log[0].data["variant"])
    walk = walked(log)
    name = walk.map.rooms[walk.at].name
    where = f"In the {name}" + (f", looking for the {walk.map.target}" if task == "g2x" else "")
    panels: list[Json] = [{"title": where, "graph": graph(walk)}]
    if modality == "picture" and walk.map.rooms[walk.at].picture is not None:
        panels.append({"title": name, "picture": f"room-{walk.at}"})
    numbers = [("moves", len(walk.steps)), ("rooms visited", f"{len(walk.visited)} of {len(walk.map.rooms)}")]
    if task != "g2x":
        numbers += [("efficiency", round(walk.efficiency)), ("exploration", round(walk.exploration))]
    panels.append({"title": "So far", "numbers": [{"label": label, "value": value} for label, value in numbers]})
    return panels


def graph(walk: Walk, everything: bool = False) -> Json:
    """Return the map as a graph panel; `everything` names all rooms and calls none hidden."""
    visited, states = set(walk.path), walk.states
    nodes = [
        {"id": number, "x": room.x, "y": room.y, "label": room.name, "state": states[number]}
        for number, room in enumerate(walk.map.rooms)
    ]
    edges = [[a, b, everything or a in visited or b in visited] for a, b in walk.map.doors]
    return {"nodes": nodes, "edges": edges, "path": list(walk.path), "start": walk.map.start}


def drawn(sketch: Mapping[str, Any]) -> Json:
    """Return a stated map as a graph panel: each room beside the one it is joined to, the rest in a row below."""
    doors = [(a, b, way) for way, pairs in sketch["edges"].items() for a, b in pairs]
    places: dict[str, tuple[int, int]] = {}
    for name in sketch["nodes"]:
        if name in places:
            continue
        low = min((y for _, y in places.values()), default=1) - 1
        places[name] = (next(x for x in range(len(places) + 1) if (x, low) not in places.values()), low)
        waiting = [name]
        while waiting:
            here = waiting.pop(0)
            for a, b, way in [*doors, *((b, a, OPPOSITE[way]) for a, b, way in doors)]:
                if a == here and b not in places:
                    places[b] = _beside(places[a], way, set(places.values()))
                    waiting.append(b)
    number = {name: index for index, name in enumerate(places)}
    nodes = [{"id": number[name], "x": x, "y": y, "label": name, "state": "visited"} for name, (x, y) in places.items()]
    edges = [[number[a], number[b], True] for a, b, _ in doors]
    return {"nodes": nodes, "edges": edges, "path": [], "start": None}


def _beside(place: tuple[int, int], way: str, taken: set[tuple[int, int]]) -> tuple[int, int]:
    """Return the next free position in a direction."""
    dx, dy = DIRECTIONS[way]
    x, y = place[0] + dx, place[1] + dy
    while (x, y) in taken:
        x, y = x + dx, y + dy
    return x, y
