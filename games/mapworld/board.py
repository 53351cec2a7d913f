"""What a spectator and a debriefing see of a walk: the map as a graph panel, drawn by the page.

A graph panel is {"nodes": [{"id", "x", "y", "label", "state"}], "edges": [[id, id, known]], "path": [ids]}: x goes
east, y north; state is "here", "visited", "seen" or "hidden"; an edge is known when the walker has seen it.
"""

from __future__ import annotations

from engine.events import Json
from games.mapworld.walking import Walk


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
