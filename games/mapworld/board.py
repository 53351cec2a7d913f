"""What a spectator and a debriefing see of a walk: the map as a graph panel, drawn by the page.

A graph panel is {"nodes": [{"id", "x", "y", "label", "state"}], "edges": [[id, id, known]], "path": [ids]}: x goes
east, y north; state is "here", "visited", "seen" or "hidden"; an edge is known when the walker has seen it.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.events import Event, Json
from games.mapworld import instances
from games.mapworld.scores import actions
from games.mapworld.walking import Walk


def watch(log: Sequence[Event]) -> list[Json]:
    """Return what spectators see beside the conversation after these events: the map, the room, the figures so far."""
    start = log[0].data
    task, modality = instances.split(start["variant"])
    walk = Walk(instances.load(start["instance"]))
    for action, _ in actions(log):
        if action != "done":
            walk.go(action)
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
    visited, seen = set(walk.path), set(walk.seen)
    nodes = []
    for number, room in enumerate(walk.map.rooms):
        state = (
            "here" if number == walk.at else "visited" if number in visited else "seen" if number in seen else "hidden"
        )
        nodes.append({"id": number, "x": room.x, "y": room.y, "label": room.name, "state": state})
    edges = [[a, b, everything or a in visited or b in visited] for a, b in walk.map.doors]
    return {"nodes": nodes, "edges": edges, "path": list(walk.path), "start": walk.map.start}
