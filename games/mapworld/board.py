"""What a spectator and a debriefing see of a walk: the map as a graph panel, drawn by the page.

A graph panel is {"nodes": [{"id", "x", "y", "label", "state"}], "edges": [[id, id, known]], "path": [ids]}: x goes
east, y north; state is "here", "visited", "seen" or "hidden"; an edge is known when the walker has seen it.
"""

from __future__ import annotations

from engine.core.debriefing import Panel, make_numbers_panel
from engine.core.events import Json
from engine.core.log import Log
from games.mapworld import instances
from games.mapworld.maps import DIRECTIONS, OPPOSITE_DIRECTIONS, StatedMap
from games.mapworld.scores import replay_walk
from games.mapworld.walking import Walk


def make_board_panels(log: Log) -> list[Panel]:
    """Return what spectators see next to the conversation after these events: the map, the room, the figures so far."""
    task, modality = instances.split_variant(log.start.variant)
    walk = replay_walk(log)
    room = walk.map.rooms[walk.room]
    panel_title = f"In the {room.name}" + (f", looking for the {walk.map.target}" if task == "g2x" else "")
    panels: list[Panel] = [{"title": panel_title, "graph": make_walk_graph(walk)}]
    if modality == "picture" and room.picture is not None:
        panels.append({"title": room.name, "picture": f"room-{walk.room}"})
    room_progress = f"{len(walk.visited_rooms)} of {len(walk.map.rooms)}"
    walk_numbers: dict[str, int | str] = {"moves": len(walk.steps), "rooms visited": room_progress}
    if task != "g2x":
        walk_numbers |= {"efficiency": round(walk.efficiency), "exploration": round(walk.exploration)}
    return [*panels, make_numbers_panel("So far", walk_numbers)]


def make_walk_graph(walk: Walk, *, reveal_all: bool = False) -> Json:
    """Return the map as a graph panel; `reveal_all` shows every edge as known.

    Its path has a room for each move, so that numbers are those of the moves: the same room again at a closed door.
    """
    visited_rooms, room_states = set(walk.path), walk.room_states
    nodes = [
        {"id": room_number, "x": room.x, "y": room.y, "label": room.name, "state": room_states[room_number]}
        for room_number, room in enumerate(walk.map.rooms)
    ]
    edges = [
        [room_a, room_b, reveal_all or room_a in visited_rooms or room_b in visited_rooms]
        for room_a, room_b in walk.map.doors
    ]
    path = [walk.map.start, *(step.next_room for step in walk.steps)]
    return {"nodes": nodes, "edges": edges, "path": path, "start": walk.map.start}


def make_stated_graph(stated_map: StatedMap) -> Json:
    """Return a stated map as a graph panel; rooms that are joined to none of the others lie in rows below."""
    doors = stated_map.doors
    two_way_doors = [
        *doors,
        *((other_room, OPPOSITE_DIRECTIONS[direction], room) for room, direction, other_room in doors),
    ]
    positions_by_room: dict[str, tuple[int, int]] = {}
    for room_name in stated_map.room_names:
        if room_name in positions_by_room:
            continue
        lowest_y = min((y for _, y in positions_by_room.values()), default=1) - 1
        positions_by_room[room_name] = (
            next(x for x in range(len(positions_by_room) + 1) if (x, lowest_y) not in positions_by_room.values()),
            lowest_y,
        )
        waiting_rooms = [room_name]
        while waiting_rooms:
            placed_room = waiting_rooms.pop(0)
            for room, direction, other_room in two_way_doors:
                if room == placed_room and other_room not in positions_by_room:
                    positions_by_room[other_room] = _find_free_position(
                        positions_by_room[room], direction, set(positions_by_room.values())
                    )
                    waiting_rooms.append(other_room)
    number_by_room = {room_name: room_number for room_number, room_name in enumerate(positions_by_room)}
    nodes = [
        {"id": number_by_room[room_name], "x": x, "y": y, "label": room_name, "state": "visited"}
        for room_name, (x, y) in positions_by_room.items()
    ]
    edges = [[number_by_room[room], number_by_room[other_room], True] for room, _, other_room in doors]
    return {"nodes": nodes, "edges": edges, "path": [], "start": None}


def _find_free_position(
    position: tuple[int, int], direction: str, taken_positions: set[tuple[int, int]]
) -> tuple[int, int]:
    """Return the next free position in a direction."""
    dx, dy = DIRECTIONS[direction]
    x, y = position[0] + dx, position[1] + dy
    while (x, y) in taken_positions:
        x, y = x + dx, y + dy
    return x, y
