"""Maps: rooms on a grid of integer positions, doors between neighbours, one room to start in.

North is y + 1 and up in every drawing. `Map` is what an instance holds; `grow` makes random ones. Nothing here knows
what a walker has seen: that is `walking.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, model_validator

if TYPE_CHECKING:
    import networkx as nx

DIRECTIONS: dict[str, tuple[int, int]] = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
OPPOSITE = {"north": "south", "east": "west", "south": "north", "west": "east"}
GRID = 4
"""Native maps lie on a grid of so many by so many positions, as the source's do."""

Exits = Mapping[int, Mapping[str, int]]
"""For each room by number: direction to the room it leads to."""


class Room(BaseModel, frozen=True, extra="forbid"):
    """A room at a position of the grid: what a walker would call it, and in picture variants its picture's id."""

    x: int
    y: int
    name: str
    picture: str | None = None


class Map(BaseModel, frozen=True, extra="forbid"):
    """Rooms, doors between them as pairs of room numbers, the room to start in; `target` names the one to find.

    `theirs` is the entry of an imported set as it came, with the prompts and patterns that it is played with.
    """

    kind: Literal["native", "imported"] = "native"
    rooms: tuple[Room, ...]
    doors: tuple[tuple[int, int], ...]
    start: int
    target: str | None = None
    theirs: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _is_a_map(self) -> Map:
        places = [(room.x, room.y) for room in self.rooms]
        if len(places) < 2:
            raise ValueError(f"field rooms: a map has at least two rooms, not {len(places)}")
        if len(set(places)) < len(places):
            raise ValueError("field rooms: two rooms at the same position")
        for a, b in self.doors:
            if not (0 <= a < len(places) and 0 <= b < len(places)):
                raise ValueError(f"field doors: [{a}, {b}]: rooms are numbered 0 to {len(places) - 1}")
            if (places[b][0] - places[a][0], places[b][1] - places[a][1]) not in DIRECTIONS.values():
                raise ValueError(f"field doors: [{a}, {b}]: a door joins neighbours on the grid")
        if len({frozenset(door) for door in self.doors}) < len(self.doors):
            raise ValueError("field doors: a door is given twice")
        if not 0 <= self.start < len(places):
            raise ValueError(f"field start: {self.start}: rooms are numbered 0 to {len(places) - 1}")
        import networkx as nx

        if not nx.is_connected(self.graph):
            raise ValueError("field doors: not every room can be reached")
        if self.target is not None and not self.targets:
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
        at = {(room.x, room.y): number for number, room in enumerate(self.rooms)}
        found: dict[int, dict[str, int]] = {}
        for number, room in enumerate(self.rooms):
            ways = {}
            for name, (dx, dy) in DIRECTIONS.items():
                other = at.get((room.x + dx, room.y + dy))
                if other is not None and self.graph.has_edge(number, other):
                    ways[name] = other
            found[number] = ways
        return found

    @cached_property
    def targets(self) -> frozenset[int]:
        """The rooms of the category to find."""
        wanted = self.target.casefold() if self.target is not None else None
        return frozenset(number for number, room in enumerate(self.rooms) if room.name.casefold() == wanted)

    def distance(self, start: int) -> int | None:
        """Return how many moves the nearest target is away; None where there is none to find."""
        import networkx as nx

        lengths: dict[int, int] = nx.single_source_shortest_path_length(self.graph, start)
        return min((lengths[target] for target in self.targets), default=None)

    @property
    def cycles(self) -> int:
        """How many independent closed loops the map has: 0 for a tree."""
        return len(self.doors) - len(self.rooms) + 1


def grow(size: int, cycle: bool, rng: Random) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return positions and doors of a random map of `size` rooms on the grid: a tree, or with exactly one closed loop.

    A tree grows from a random position by random free neighbours; a loop closes by one more door between two rooms
    that are neighbours already.
    """
    while True:
        places = [(rng.randrange(GRID), rng.randrange(GRID))]
        doors: list[tuple[int, int]] = []
        while len(places) < size:
            old = rng.randrange(len(places))
            dx, dy = rng.choice(list(DIRECTIONS.values()))
            new = (places[old][0] + dx, places[old][1] + dy)
            if new not in places and 0 <= new[0] < GRID and 0 <= new[1] < GRID:
                doors.append((old, len(places)))
                places.append(new)
        if not cycle:
            return places, doors
        closing = [
            (a, b)
            for a in range(size)
            for b in range(a + 1, size)
            if (places[b][0] - places[a][0], places[b][1] - places[a][1]) in DIRECTIONS.values() and (a, b) not in doors
        ]
        if closing:
            return places, [*doors, rng.choice(closing)]
