"""A walk: where the walker is, what it has visited and seen, and which of its moves were good.

A room is seen when it is visited or next to a visited one. A move is good when a seen room is unvisited before it, the
walker really moves, and the move is the first step of some shortest walk (revisits allowed, along doors of visited
rooms) that visits all seen and unvisited rooms, judged by what was seen before the move (multimodal games paper, §4.3,
prose; Algorithm 1 asks for covering everything seen, which the text does not mean).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from games.mapworld.maps import Exits, Map

P = TypeVar("P", bound=Hashable)
"""A room, by number or by position. Exits of each room: direction to the room it leads to."""


def shortest_length(exits: Mapping[P, Mapping[str, P]], start: P, goals: Collection[P]) -> int | None:
    """Return the number of moves of a shortest walk from `start` that visits all `goals`; None if there is none.

    Breadth first over (room, goals left): exact, and small on maps of a dozen rooms.
    """
    goals_left = frozenset(goals) - {start}
    if not goals_left:
        return 0
    reached_states = {(start, goals_left)}
    queue = deque([(start, goals_left, 0)])
    while queue:
        room, goals_left, moves = queue.popleft()
        for neighbour in exits.get(room, {}).values():
            remaining_goals = goals_left - {neighbour}
            if not remaining_goals:
                return moves + 1
            if (neighbour, remaining_goals) not in reached_states:
                reached_states.add((neighbour, remaining_goals))
                queue.append((neighbour, remaining_goals, moves + 1))
    return None


def first_steps(exits: Mapping[P, Mapping[str, P]], start: P, goals: Collection[P]) -> list[str]:
    """Return the directions from `start` that begin some shortest walk visiting all `goals`, in compass order."""
    goals_left = frozenset(goals) - {start}
    if not goals_left:
        return []
    lengths = {direction: shortest_length(exits, room, goals_left) for direction, room in exits.get(start, {}).items()}
    reachable_lengths = [length for length in lengths.values() if length is not None]
    return [
        direction for direction, length in lengths.items() if length is not None and length == min(reachable_lengths)
    ]


def shortest_walk(exits: Mapping[P, Mapping[str, P]], start: P, goals: Iterable[P]) -> list[P]:
    """Return the rooms of one shortest walk from `start` that visits all `goals`, `start` first."""
    rooms = [start]
    goals_left = frozenset(goals) - {start}
    while goals_left:
        direction = first_steps(exits, rooms[-1], goals_left)[0]
        rooms.append(exits[rooms[-1]][direction])
        goals_left -= {rooms[-1]}
    return rooms


@dataclass(frozen=True, slots=True)
class Step:
    """One move: from which room, which way, to which room, whether it was good, and what was so before it."""

    room: int
    way: str
    next_room: int
    good: bool
    unvisited: tuple[int, ...]
    """Seen and unvisited before the move."""
    good_ways: tuple[str, ...]
    """The ways that would have been good."""
    revisit: bool
    """A real move into a visited room while a seen one was unvisited."""

    @property
    def moved(self) -> bool:
        """Whether the direction was open."""
        return self.next_room != self.room


@dataclass
class Walk:
    """A walker on a map. `go` takes a direction, open or not."""

    map: Map
    steps: list[Step] = field(default_factory=list)
    path: list[int] = field(init=False)
    """The rooms walked through, the first one included, refused moves not."""
    _in_sight: dict[int, None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.path = []
        self._enter(self.map.start)

    def _enter(self, room: int) -> None:
        self.path.append(room)
        self._in_sight |= dict.fromkeys((room, *self.map.exits[room].values()))

    @property
    def room(self) -> int:
        """The room the walker is in."""
        return self.path[-1]

    @property
    def visited(self) -> list[int]:
        """The rooms visited, each once, in order."""
        return list(dict.fromkeys(self.path))

    @property
    def seen(self) -> list[int]:
        """The rooms visited and those next to them, each once, in the order they came into sight."""
        return list(self._in_sight)

    @property
    def unvisited(self) -> list[int]:
        """The rooms seen and not visited, in the order they came into sight."""
        visited_rooms = set(self.path)
        return [room for room in self._in_sight if room not in visited_rooms]

    @property
    def states(self) -> list[str]:
        """For each room "here", "visited", "seen" or "hidden", as a picture of the walk shows it."""
        states = ["hidden"] * len(self.map.rooms)
        for rooms, state in ((self.seen, "seen"), (self.path, "visited"), ([self.room], "here")):
            for room in rooms:
                states[room] = state
        return states

    @property
    def known_exits(self) -> dict[int, dict[str, int]]:
        """The exits the walker knows: through doors that touch a visited room, from both sides."""
        return exits_touching(self.map.exits, self.path)

    def go(self, direction: str) -> Step:
        """Move, or stay where the direction is not open; return the step with its judgement."""
        room, unvisited = self.room, self.unvisited
        next_room = self.map.exits[room].get(direction, room)
        good_ways = first_steps(self.known_exits, room, unvisited) if unvisited else []
        is_revisit = bool(unvisited) and next_room != room and next_room in self.path
        step = Step(room, direction, next_room, direction in good_ways, tuple(unvisited), tuple(good_ways), is_revisit)
        self.steps.append(step)
        if step.moved:
            self._enter(next_room)
        return step

    @property
    def efficiency(self) -> float:
        """100 · good moves / moves; 0 without a move."""
        return 100.0 * sum(step.good for step in self.steps) / max(1, len(self.steps))

    @property
    def exploration(self) -> float:
        """100 · rooms visited / rooms."""
        return 100.0 * len(set(self.path)) / len(self.map.rooms)

    @cached_property
    def shortest_tour(self) -> list[int]:
        """The rooms of one shortest walk over the whole map, known only afterwards."""
        return shortest_walk(self.map.exits, self.map.start, range(len(self.map.rooms)))


def exits_touching(exits: Exits, visited_rooms: Iterable[int]) -> dict[int, dict[str, int]]:
    """Return the exits through doors that touch a visited room, from both sides."""
    rooms = set(visited_rooms)
    return {
        room: {
            direction: other_room
            for direction, other_room in room_exits.items()
            if room in rooms or other_room in rooms
        }
        for room, room_exits in exits.items()
    }


def harmonic_mean(efficiency: float, exploration: float) -> float:
    """Return the harmonic mean of two percentages, 0 if both are 0 (paper §4.3: the main score)."""
    score_sum = efficiency + exploration
    return 2 * efficiency * exploration / score_sum if score_sum else 0.0
