"""Maps: rooms on a grid of integer positions, doors between neighbours, one room to start in.

North is y + 1 and up in every drawing. `Map` is the content of an instance; `generate_map` makes random ones;
`StatedMap` is what a walker states. What a walker has seen is in `walking.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, Field, model_validator

if TYPE_CHECKING:
    import networkx as nx

DIRECTIONS: dict[str, tuple[int, int]] = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
OPPOSITE_DIRECTIONS = {"north": "south", "east": "west", "south": "north", "west": "east"}
GRID_SIZE = 4
"""Native maps lie on a grid of this many by this many positions, as in the source."""

Exits = Mapping[int, Mapping[str, int]]
"""For each room by number: direction to the room it leads to."""


class Room(BaseModel, frozen=True, extra="forbid", defer_build=True):
    """A room at a position of the grid: what a walker would call it, and in picture variants its picture's id."""

    x: int
    y: int
    name: str
    picture: str | None = None


class Map(BaseModel, frozen=True, extra="forbid", defer_build=True, serialize_by_alias=True):
    """Rooms, doors between them as pairs of room numbers, the room to start in; `target` names the one to find.

    `clembench_instance` (`theirs` in files) is an imported instance as it came, with its own prompts and patterns.
    """

    kind: Literal["native", "imported"] = "native"
    rooms: tuple[Room, ...]
    doors: tuple[tuple[int, int], ...]
    start: int
    target: str | None = None
    clembench_instance: dict[str, Any] | None = Field(None, alias="theirs")

    @model_validator(mode="after")
    def _check_map(self) -> Map:
        room_positions = [(room.x, room.y) for room in self.rooms]
        if len(room_positions) < 2:
            raise ValueError(f"field rooms: a map has at least two rooms, not {len(room_positions)}")
        if len(set(room_positions)) < len(room_positions):
            raise ValueError("field rooms: two rooms at the same position")
        for room_a, room_b in self.doors:
            if not (0 <= room_a < len(room_positions) and 0 <= room_b < len(room_positions)):
                raise ValueError(
                    f"field doors: [{room_a}, {room_b}]: rooms are numbered 0 to {len(room_positions) - 1}"
                )
            if (
                room_positions[room_b][0] - room_positions[room_a][0],
                room_positions[room_b][1] - room_positions[room_a][1],
            ) not in DIRECTIONS.values():
                raise ValueError(f"field doors: [{room_a}, {room_b}]: a door joins neighbours on the grid")
        if len({frozenset(room_pair) for room_pair in self.doors}) < len(self.doors):
            raise ValueError("field doors: a door is given twice")
        if not 0 <= self.start < len(room_positions):
            raise ValueError(f"field start: {self.start}: rooms are numbered 0 to {len(room_positions) - 1}")
        import networkx as nx

        if not nx.is_connected(self.graph):
            raise ValueError("field doors: not every room can be reached")
        if self.target is not None and not self.target_rooms:
            raise ValueError(f"field target: no room is called {self.target!r}")
        return self

    @cached_property
    def graph(self) -> nx.Graph:
        """The map as an undirected graph of room numbers."""
        import networkx as nx  # late: importing it takes as long as importing all games

        graph = nx.Graph()
        graph.add_nodes_from(range(len(self.rooms)))
        graph.add_edges_from(self.doors)
        return graph

    @cached_property
    def exits(self) -> dict[int, dict[str, int]]:
        """For each room: direction to the room it leads to, in the order north, east, south, west."""
        number_by_position = {(room.x, room.y): room_number for room_number, room in enumerate(self.rooms)}
        exits: dict[int, dict[str, int]] = {}
        for room_number, room in enumerate(self.rooms):
            exits[room_number] = {}
            for direction, (dx, dy) in DIRECTIONS.items():
                neighbour = number_by_position.get((room.x + dx, room.y + dy))
                if neighbour is not None and self.graph.has_edge(room_number, neighbour):
                    exits[room_number][direction] = neighbour
        return exits

    @cached_property
    def target_rooms(self) -> frozenset[int]:
        """The rooms of the category to find."""
        category = self.target.casefold() if self.target is not None else None
        return frozenset(room_number for room_number, room in enumerate(self.rooms) if room.name.casefold() == category)

    def measure_target_distance(self, start_room: int) -> int | None:
        """Return how many moves away the nearest target is; None without a target."""
        import networkx as nx

        distances: dict[int, int] = nx.single_source_shortest_path_length(self.graph, start_room)
        return min((distances[target_room] for target_room in self.target_rooms), default=None)

    @property
    def shape(self) -> str:
        """The rooms' places, doors and start as text, the same for a map that is moved, turned or mirrored."""
        shape_texts = []
        for x_sign in (1, -1):
            positions = [(room.x * x_sign, room.y) for room in self.rooms]
            for _ in range(4):
                positions = [(-y, x) for x, y in positions]
                min_x, min_y = min(x for x, _ in positions), min(y for _, y in positions)
                moved_positions = [(x - min_x, y - min_y) for x, y in positions]
                doors = sorted(
                    tuple(sorted((moved_positions[room_a], moved_positions[room_b]))) for room_a, room_b in self.doors
                )
                shape_texts.append(f"{doors} from {moved_positions[self.start]}")
        return min(shape_texts)

    @property
    def cycle_count(self) -> int:
        """How many independent closed loops the map has: 0 for a tree."""
        return len(self.doors) - len(self.rooms) + 1


def generate_map(room_count: int, has_cycle: bool, rng: Random) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return positions and doors of a random map on the grid: a tree, or with exactly one closed loop.

    A tree grows from a random position by random free neighbours; one more door between two rooms that are neighbours
    already closes a loop.
    """
    while True:
        positions = [(rng.randrange(GRID_SIZE), rng.randrange(GRID_SIZE))]
        doors: list[tuple[int, int]] = []
        while len(positions) < room_count:
            room = rng.randrange(len(positions))
            dx, dy = rng.choice(list(DIRECTIONS.values()))
            position = (positions[room][0] + dx, positions[room][1] + dy)
            if position not in positions and 0 <= position[0] < GRID_SIZE and 0 <= position[1] < GRID_SIZE:
                doors.append((room, len(positions)))
                positions.append(position)
        if not has_cycle:
            return positions, doors
        cycle_doors = [
            (room_a, room_b)
            for room_a in range(room_count)
            for room_b in range(room_a + 1, room_count)
            if (positions[room_b][0] - positions[room_a][0], positions[room_b][1] - positions[room_a][1])
            in DIRECTIONS.values()
            and (room_a, room_b) not in doors
        ]
        if cycle_doors:
            return positions, [*doors, rng.choice(cycle_doors)]


@dataclass(frozen=True, slots=True)
class StatedMap:
    """A map as a walker stated it: names of rooms, and doors as (room, direction, room it leads to)."""

    room_names: tuple[str, ...]
    doors: tuple[tuple[str, str, str], ...]

    @classmethod
    def from_json(cls, sketch: Mapping[str, Any]) -> StatedMap:
        """Return the map that an accepted value {"nodes": [names], "edges": {direction: [[from, to], …]}} states."""
        doors = tuple(
            (room, direction, other_room) for direction, pairs in sketch["edges"].items() for room, other_room in pairs
        )
        return cls(tuple(sketch["nodes"]), doors)

    def make_simple_graph(self) -> tuple[list[str], list[tuple[str, str]]]:
        """Return names and pairs of an undirected graph without loops; case does not matter."""
        casefolded_doors = ((room.casefold(), other_room.casefold()) for room, _, other_room in self.doors)
        edges = {
            (min(stated_door), max(stated_door)) for stated_door in casefolded_doors if stated_door[0] != stated_door[1]
        }
        return list(dict.fromkeys(room_name.casefold() for room_name in self.room_names)), sorted(edges)
