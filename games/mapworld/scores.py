"""The scores of Map World, computed from events alone: the walk is walked again on the instance's map.

Formulas after the multimodal games paper, §4.3 and appendix D; `graph_similarity` compares with the whole map as the
source does, `graph_similarity_visited` with what the walker could know. Nothing is drawn here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from engine.core.events import Ending, Event, Json, Kind
from games.mapworld import instances
from games.mapworld.maps import Map
from games.mapworld.walking import Walk, harmonic

if TYPE_CHECKING:
    import networkx as nx

MAX_NODES = 10
MAX_STEPS = 200_000
"""A graph edit distance beyond these is not computed: it is exponential, and a score must not depend on the machine."""


def actions(log: Sequence[Event]) -> Iterator[tuple[str, Mapping[str, Any] | None]]:
    """Yield each accepted reply: a direction or "done", and the map stated with it, None where none is asked for."""
    for event in log:
        if event.kind is Kind.PARSED:
            value = event.data["value"]
            if isinstance(value, str):
                yield value, None
            else:
                yield value["action"], value.get("graph")


def walked(log: Sequence[Event]) -> Walk:
    """Return the walk that a log tells of, on its instance's map."""
    walk = Walk(instances.load(log[0].data["instance"]))
    for action, _ in actions(log):
        if action != "done":
            walk.go(action)
    return walk


def score(log: Sequence[Event]) -> Json:
    """Return main_score, efficiency, exploration (0..100, None when aborted), counts, and the same after each turn."""
    start = log[0].data
    instance = instances.load(start["instance"])
    task, modality = instances.split(start["variant"])
    walk, turns = Walk(instance), []
    sketch: Mapping[str, Any] | None = None
    done = False
    for action, stated in actions(log):
        sketch = stated if stated is not None else sketch
        similar = _similarity(sketch, walk.map, None) if stated is not None else None
        if action == "done":
            done = True
            turns.append(_turn(walk, similar) | {"done": True})
            break
        step = walk.go(action)
        turns.append(
            _turn(walk, similar)
            | {"way": action, "moved": step.moved, "good": step.good, "better": list(step.better), "done": False}
        )
    over = [event.data["kind"] for event in log if event.kind is Kind.OUTCOME]
    played = bool(over) and over[-1] in (Ending.SUCCESS, Ending.LOSE)
    found = done and walk.at in instance.targets
    numbers = _sought(walk, found, played) if task == "g2x" else _explored(walk, played)
    if task == "ee-gr":
        named = modality == "text"
        numbers["graph_similarity"] = _similarity(sketch, instance, None) if played else None
        numbers["graph_similarity_visited"] = _similarity(sketch, instance, walk, named) if played else None
    return {
        **numbers,
        "moves": len(walk.steps),
        "valid_moves": sum(step.moved for step in walk.steps),
        "refused_moves": sum(not step.moved for step in walk.steps),
        "good_moves": sum(step.good for step in walk.steps),
        "loops": sum(step.revisit for step in walk.steps),
        "rooms": len(instance.rooms),
        "visited": len(walk.visited),
        "seen": len(walk.seen),
        "stopped": done,
        "turns": turns,
    }


def _explored(walk: Walk, played: bool) -> Json:
    if not played:
        return {"main_score": None, "efficiency": None, "exploration": None}
    main = harmonic(walk.efficiency, walk.exploration)
    return {"main_score": main, "efficiency": walk.efficiency, "exploration": walk.exploration}


def _sought(walk: Walk, found: bool, played: bool) -> Json:
    """`efficiency` when found: 100 · distance / moves made, refused and surplus included; None when not found."""
    distance = walk.map.distance(walk.map.start)
    if not played:
        return {"main_score": None, "efficiency": None, "exploration": None, "distance": distance}
    efficiency: float | None = None
    if found and distance is not None:
        moves = len(walk.steps)
        efficiency = (100.0 if moves == 0 else 0.0) if distance == 0 else 100.0 * distance / moves
    return {
        "main_score": 100.0 if found else 0.0,
        "efficiency": efficiency,
        "exploration": walk.exploration,
        "distance": distance,
    }


def _turn(walk: Walk, similar: float | None) -> Json:
    efficiency, exploration = walk.efficiency, walk.exploration
    return {
        "room": walk.at,
        "visited": len(walk.visited),
        "seen": len(walk.seen),
        "efficiency": efficiency,
        "exploration": exploration,
        "main_score": harmonic(efficiency, exploration),
        "graph_similarity": similar,
    }


# Stated maps


def similarity(distance: float) -> float:
    """Return 100 · (1 - 2 · (sigmoid(distance / 2) - 1/2)): 0 gives 100, 1 75.5, 2 53.8, 3 36.5, 4 23.8."""
    return 100 * (1 - 2 * (1 / (1 + math.exp(-0.5 * distance)) - 0.5))


def _similarity(
    sketch: Mapping[str, Any] | None, instance: Map, walk: Walk | None, named: bool = False
) -> float | None:
    """Compare a stated map with the whole map, or with what a walk has visited; None beyond the bound or for no map."""
    if sketch is None:
        return None
    nodes, edges = stated(sketch)
    rooms = range(len(instance.rooms)) if walk is None else sorted(walk.visited)
    doors = [(a, b) for a, b in instance.doors if a in rooms and b in rooms]
    if named:
        return similarity(_named_distance(nodes, edges, instance, rooms, doors))
    index = {name: number for number, name in enumerate(nodes)}
    drawn = tuple(sorted((index[a], index[b]) for a, b in edges))
    place = {room: number for number, room in enumerate(rooms)}
    distance = edit_distance(len(nodes), drawn, len(place), tuple(sorted((place[a], place[b]) for a, b in doors)))
    return None if distance is None else similarity(distance)


def stated(sketch: Mapping[str, Any]) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the rooms and doors of a stated map, names folded: an undirected simple graph."""
    nodes = list(dict.fromkeys(name.casefold() for name in sketch["nodes"]))
    edges = {
        tuple(sorted((a.casefold(), b.casefold())))
        for pairs in sketch["edges"].values()
        for a, b in pairs
        if a.casefold() != b.casefold()
    }
    return nodes, sorted((a, b) for a, b in edges)


def _named_distance(
    nodes: Sequence[str],
    edges: Sequence[tuple[str, str]],
    instance: Map,
    rooms: Sequence[int],
    doors: Sequence[tuple[int, int]],
) -> int:
    """Return how many rooms and doors are too many or missing: with names compared nothing needs a search."""
    name = {room: instance.rooms[room].name.casefold() for room in rooms}
    real = {tuple(sorted((name[a], name[b]))) for a, b in doors}
    return len(set(nodes) ^ set(name.values())) + len(set(edges) ^ real)


@lru_cache(maxsize=4096)  # turns and episodes state the same shapes again and again
def edit_distance(
    size: int, edges: tuple[tuple[int, int], ...], other: int, others: tuple[tuple[int, int], ...]
) -> int | None:
    """Return the graph edit distance of two shapes (numbers of nodes, edges); None beyond MAX_NODES or MAX_STEPS.

    Every insertion or deletion of a node or an edge costs 1, as in the source. Counted in search steps, never in time.
    """
    if max(size, other) > MAX_NODES:
        return None
    import networkx as nx

    one, two = nx.Graph(edges), nx.Graph(others)
    one.add_nodes_from(range(size))
    two.add_nodes_from(range(other))
    if nx.faster_could_be_isomorphic(one, two) and nx.is_isomorphic(one, two):
        return 0
    return _search(one, two)


def _search(one: nx.Graph, two: nx.Graph) -> int | None:
    """Branch and bound over assignments of nodes to nodes; the smaller graph's nodes are assigned in order of degree.

    With unit costs and equal labels there is an optimal assignment that maps every node of the smaller graph: deleting
    a node and inserting another never costs less than mapping it. So the node part is the difference in size.
    """
    if len(one) > len(two):
        one, two = two, one
    order = _connected_order(one)
    base = len(two) - len(one)
    best = base + one.number_of_edges() + two.number_of_edges()
    taken: dict[Any, Any] = {}
    steps = 0

    def place(depth: int, kept: int) -> bool:
        """Assign the rest; False when the bound of steps is reached. `kept` are edges that coincide."""
        nonlocal best, steps
        steps += 1
        if steps > MAX_STEPS:
            return False
        total = one.number_of_edges() + two.number_of_edges()
        if depth == len(order):
            best = min(best, base + total - 2 * kept)
            return True
        open_edges = sum(1 for a, b in one.edges if a not in taken or b not in taken)
        if base + total - 2 * (kept + open_edges) >= best:
            return True
        node = order[depth]
        back = [taken[other] for other in one.neighbors(node) if other in taken]
        used = set(taken.values())
        options = [(sum(two.has_edge(new, other) for other in back), new) for new in two.nodes if new not in used]
        for gained, new in sorted(options, key=lambda option: (-option[0], option[1])):
            taken[node] = new
            fine = place(depth + 1, kept + gained)
            del taken[node]
            if not fine:
                return False
        return True

    return best if place(0, 0) else None


def _connected_order(graph: nx.Graph) -> list[Any]:
    """Return the nodes so that each comes after neighbours where possible: edges are decided early."""
    order: list[Any] = []
    left = set(graph.nodes)
    while left:
        node = min(left, key=lambda n: (-sum(o in order for o in graph.neighbors(n)), -graph.degree(n), n))
        order.append(node)
        left.remove(node)
    return order
