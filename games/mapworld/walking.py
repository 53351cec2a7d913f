"""A walk: where the walker is, what it has visited and seen, and which of its moves were good.

A room is seen when it is visited or next to a visited one. A move is good when a seen room is unvisited before it, the
walker really moves, and the move is the first step of some shortest walk (revisits allowed, along doors of visited
rooms) that visits all seen and unvisited rooms, judged by what was seen before the move (multimodal games paper, §4.3,
prose; Algorithm 1 asks for covering everything seen, which the text does not mean).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from games.mapworld.maps import Map

RoomT = TypeVar("RoomT", bound=Hashable)
"""A room, by number or by position. Exits of each room: direction to the room it leads to."""


def find_shortest_walk(
    exits: Mapping[RoomT, Mapping[str, RoomT]], start_room: RoomT, goal_rooms: Iterable[RoomT]
) -> tuple[RoomT, ...]:
    """Return the rooms of one shortest walk from a start that visits all goals, the start first; () if there is none.

    Breadth first over (room, goals left): exact, and small on maps of a dozen rooms.
    """
    unvisited_goals = frozenset(goal_rooms) - {start_room}
    if not unvisited_goals:
        return (start_room,)
    queue: deque[tuple[tuple[RoomT, ...], frozenset[RoomT]]] = deque([((start_room,), unvisited_goals)])
    reached_states = {(start_room, unvisited_goals)}
    while queue:
        rooms, unvisited_goals = queue.popleft()
        for room in exits.get(rooms[-1], {}).values():
            goals_left = unvisited_goals - {room}
            if not goals_left:
                return (*rooms, room)
            if (room, goals_left) not in reached_states:
                reached_states.add((room, goals_left))
                queue.append(((*rooms, room), goals_left))
    return ()


def measure_shortest_walk(
    exits: Mapping[RoomT, Mapping[str, RoomT]], start_room: RoomT, goal_rooms: Iterable[RoomT]
) -> int:
    """Return the number of moves of a shortest walk from a start that visits all goals; -1 if there is none."""
    return len(find_shortest_walk(exits, start_room, goal_rooms)) - 1


def find_first_directions(
    exits: Mapping[RoomT, Mapping[str, RoomT]], start: RoomT, goal_rooms: Iterable[RoomT]
) -> list[str]:
    """Return the directions from a start that begin some shortest walk visiting all goals, in compass order."""
    unvisited_goals = frozenset(goal_rooms) - {start}
    walk_by_direction = {
        direction: find_shortest_walk(exits, room, unvisited_goals) for direction, room in exits.get(start, {}).items()
    }
    shortest_walk_length = min(
        (len(walk) for walk in walk_by_direction.values() if walk and unvisited_goals), default=0
    )
    return [direction for direction, walk in walk_by_direction.items() if walk and len(walk) == shortest_walk_length]


@dataclass(frozen=True, slots=True)
class Step:
    """One move: from which room, which way, to which room, whether it was good, and what was so before it."""

    room: int
    direction: str
    next_room: int
    is_good: bool
    unvisited_rooms: tuple[int, ...]
    """Seen and unvisited before the move."""
    good_directions: tuple[str, ...]
    """The ways that would have been good."""
    is_revisit: bool
    """A real move into a visited room while a seen one was unvisited."""

    @property
    def has_moved(self) -> bool:
        """Whether the direction was open."""
        return self.next_room != self.room


@dataclass
class Walk:
    """A walker on a map. `take_step` takes a direction, open or not."""

    map: Map
    steps: list[Step] = field(default_factory=list, init=False)
    path: list[int] = field(init=False)
    """The rooms walked through, the first one included, refused moves not."""

    def __post_init__(self) -> None:
        self.path = [self.map.start]

    @property
    def room(self) -> int:
        """The room the walker is in."""
        return self.path[-1]

    @property
    def visited_rooms(self) -> list[int]:
        """The rooms visited, each once, in order."""
        return list(dict.fromkeys(self.path))

    @property
    def seen_rooms(self) -> list[int]:
        """The rooms visited and those next to them, each once, in the order they came into sight."""
        return list(
            dict.fromkeys(other for room in self.visited_rooms for other in (room, *self.map.exits[room].values()))
        )

    @property
    def unvisited_rooms(self) -> list[int]:
        """The rooms seen and not visited, in the order they came into sight."""
        visited_rooms = set(self.path)
        return [room for room in self.seen_rooms if room not in visited_rooms]

    @property
    def room_states(self) -> list[str]:
        """For each room "here", "visited", "seen" or "hidden", as a picture of the walk shows it."""
        states = dict.fromkeys(range(len(self.map.rooms)), "hidden")
        states |= dict.fromkeys(self.seen_rooms, "seen") | dict.fromkeys(self.path, "visited") | {self.room: "here"}
        return list(states.values())

    @property
    def known_exits(self) -> dict[int, dict[str, int]]:
        """The exits the walker knows: through doors that touch a visited room, from both sides."""
        visited_rooms = set(self.path)
        return {
            room: {direction: neighbour for direction, neighbour in exits.items() if visited_rooms & {room, neighbour}}
            for room, exits in self.map.exits.items()
        }

    def take_step(self, direction: str) -> Step:
        """Move, or stay where the direction is not open; return the step with its judgement."""
        room, rooms_left = self.room, self.unvisited_rooms
        next_room = self.map.exits[room].get(direction, room)
        good_ways = find_first_directions(self.known_exits, room, rooms_left)
        is_revisit = bool(rooms_left) and next_room != room and next_room in self.path
        step = Step(room, direction, next_room, direction in good_ways, tuple(rooms_left), tuple(good_ways), is_revisit)
        self.steps.append(step)
        if step.has_moved:
            self.path.append(next_room)
        return step

    @property
    def efficiency(self) -> float:
        """100 · good moves / moves; 0 without a move."""
        return 100.0 * sum(step.is_good for step in self.steps) / max(1, len(self.steps))

    @property
    def exploration(self) -> float:
        """100 · rooms visited / rooms."""
        return 100.0 * len(self.visited_rooms) / len(self.map.rooms)

    @cached_property
    def shortest_tour(self) -> tuple[int, ...]:
        """The rooms of one shortest walk over the whole map, known only afterwards."""
        return find_shortest_walk(self.map.exits, self.map.start, range(len(self.map.rooms)))


def compute_harmonic_mean(efficiency: float, exploration: float) -> float:
    """Return the harmonic mean of two percentages, 0 if both are 0 (paper §4.3: the main score)."""
    score_sum = efficiency + exploration
    return 2 * efficiency * exploration / score_sum if score_sum else 0.0
