"""A walk: where the walker is, what it has visited and seen, and which of its moves were good.

Seen are the visited rooms and all rooms next to one. A move is good when something seen is unvisited before it, the
walker really moves, and the move is the first step of some shortest walk (revisits allowed, along doors of visited
rooms) that visits all that is seen and unvisited, judged on what was seen before the move (multimodal games paper,
§4.3, prose; Algorithm 1 asks for covering all that is seen, which the text does not mean).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from games.mapworld.maps import Exits, Map

P = TypeVar("P", bound=Hashable)
"""A room, by number or by position. Doors are given for each: direction to the room it leads to."""


def lengths(exits: Mapping[P, Mapping[str, P]], start: P, wanted: Collection[P]) -> int | None:
    """Return the number of moves of a shortest walk from `start` that visits all `wanted`; None if there is none.

    Breadth first over (room, what is still wanted): exact, and small on maps of a dozen rooms.
    """
    goal = frozenset(wanted) - {start}
    if not goal:
        return 0
    seen = {(start, goal)}
    queue = deque([(start, goal, 0)])
    while queue:
        room, left, moves = queue.popleft()
        for other in exits.get(room, {}).values():
            rest = left - {other}
            if not rest:
                return moves + 1
            if (other, rest) not in seen:
                seen.add((other, rest))
                queue.append((other, rest, moves + 1))
    return None


def first_steps(exits: Mapping[P, Mapping[str, P]], start: P, wanted: Collection[P]) -> list[str]:
    """Return the directions from `start` that begin some shortest walk visiting all `wanted`, in compass order."""
    goal = frozenset(wanted) - {start}
    if not goal:
        return []
    after = {way: lengths(exits, other, goal) for way, other in exits.get(start, {}).items()}
    reached = [moves for moves in after.values() if moves is not None]
    return [way for way, moves in after.items() if moves is not None and moves == min(reached)]


def shortest_walk(exits: Mapping[P, Mapping[str, P]], start: P, wanted: Iterable[P]) -> list[P]:
    """Return one shortest walk from `start` that visits all `wanted`, as room numbers, `start` first."""
    walk = [start]
    left = frozenset(wanted) - {start}
    while left:
        way = first_steps(exits, walk[-1], left)[0]
        walk.append(exits[walk[-1]][way])
        left -= {walk[-1]}
    return walk


@dataclass(frozen=True, slots=True)
class Step:
    """One move: from where, which way, whether the walker moved, whether it was good, and what was so before it."""

    at: int
    way: str
    to: int
    good: bool
    unvisited: tuple[int, ...]
    """Seen and unvisited before the move."""
    better: tuple[str, ...]
    """The ways that would have been good."""
    revisit: bool
    """A real move into a visited room while something seen was unvisited."""

    @property
    def moved(self) -> bool:
        """Whether the direction was open."""
        return self.to != self.at


@dataclass
class Walk:
    """A walker on a map. `go` takes a direction, open or not."""

    map: Map
    steps: list[Step] = field(default_factory=list)
    path: list[int] = field(init=False)
    """The rooms walked through, the first one included, refused moves not."""

    def __post_init__(self) -> None:
        self.path = [self.map.start]

    @property
    def at(self) -> int:
        """The room the walker is in."""
        return self.path[-1]

    @property
    def visited(self) -> list[int]:
        """The rooms visited, each once, in order."""
        return list(dict.fromkeys(self.path))

    @property
    def seen(self) -> list[int]:
        """The rooms visited and those next to them, each once, in the order they came into sight."""
        return list(dict.fromkeys(room for one in self.visited for room in (one, *self.map.exits[one].values())))

    @property
    def unvisited(self) -> list[int]:
        """The rooms seen and not visited, in the order they came into sight."""
        visited = set(self.path)
        return [room for room in self.seen if room not in visited]

    @property
    def states(self) -> list[str]:
        """For each room "here", "visited", "seen" or "hidden", as a picture of the walk shows it."""
        states = ["hidden"] * len(self.map.rooms)
        for rooms, state in ((self.seen, "seen"), (self.path, "visited"), ([self.at], "here")):
            for room in rooms:
                states[room] = state
        return states

    @property
    def known(self) -> dict[int, dict[str, int]]:
        """The doors the walker knows of: those that touch a visited room, from both sides."""
        return known_doors(self.map.exits, self.path)

    def go(self, way: str) -> Step:
        """Move, or stay where the direction is not open; return the step with its judgement."""
        here, unvisited = self.at, self.unvisited
        to = self.map.exits[here].get(way, here)
        better = first_steps(self.known, here, unvisited) if unvisited else []
        revisit = bool(unvisited) and to != here and to in self.path
        step = Step(here, way, to, way in better, tuple(unvisited), tuple(better), revisit)
        self.steps.append(step)
        if step.moved:
            self.path.append(to)
        return step

    @property
    def efficiency(self) -> float:
        """100 · good moves / moves; 0 when nothing was moved."""
        return 100.0 * sum(step.good for step in self.steps) / max(1, len(self.steps))

    @property
    def exploration(self) -> float:
        """100 · rooms visited / rooms."""
        return 100.0 * len(set(self.path)) / len(self.map.rooms)

    @cached_property
    def best(self) -> list[int]:
        """One shortest walk over the whole map, known only afterwards."""
        return shortest_walk(self.map.exits, self.map.start, range(len(self.map.rooms)))


def known_doors(exits: Exits, visited: Iterable[int]) -> dict[int, dict[str, int]]:
    """Return the doors that touch a visited room, from both sides."""
    been = set(visited)
    return {
        room: {way: other for way, other in ways.items() if room in been or other in been}
        for room, ways in exits.items()
    }


def harmonic(efficiency: float, exploration: float) -> float:
    """Return the harmonic mean of two percentages, 0 if both are 0 (paper §4.3: the main score)."""
    whole = efficiency + exploration
    return 2 * efficiency * exploration / whole if whole else 0.0
