"""The scores of Map World, computed from events alone: the walk is walked again on the instance's map.

Formulas follow the multimodal games paper, §4.3 and appendix D. `graph_similarity` compares with the whole map as the
source does, `graph_similarity_visited` with what the walker could know. Nothing is drawn here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

from engine.core.events import Ending, Json
from engine.core.log import Log
from engine.core.scores import GameScores
from games.mapworld import instances
from games.mapworld.edit_distance import compute_edit_distance
from games.mapworld.maps import Map, StatedMap
from games.mapworld.replies import DONE_VALUE
from games.mapworld.walking import Walk, compute_harmonic_mean


@dataclass(frozen=True, slots=True)
class Action:
    """What an accepted reply says: a direction or DONE, and the map stated with it, None where none is asked for."""

    direction: str
    stated_map: StatedMap | None


@dataclass(frozen=True, kw_only=True)
class TurnScores:
    """The scores after one turn; `room` is where the walker then is."""

    room: int
    visited: int
    seen: int
    efficiency: float
    exploration: float
    main_score: float
    graph_similarity: float | None

    @classmethod
    def from_walk(cls, walk: Walk, graph_similarity: float | None, **move_fields: Any) -> Self:
        """Return the scores of a walk as it is now; `move_fields` are those that a subclass adds."""
        efficiency, exploration = walk.efficiency, walk.exploration
        return cls(
            room=walk.room,
            visited=len(walk.visited_rooms),
            seen=len(walk.seen_rooms),
            efficiency=efficiency,
            exploration=exploration,
            main_score=compute_harmonic_mean(efficiency, exploration),
            graph_similarity=graph_similarity,
            **move_fields,
        )


@dataclass(frozen=True, kw_only=True)
class MoveScores(TurnScores):
    """The scores after a move; `better` are the ways that would have been good."""

    way: str
    moved: bool
    good: bool
    better: list[str]
    done: Literal[False] = False


@dataclass(frozen=True, kw_only=True)
class FinalTurnScores(TurnScores):
    """The scores after DONE."""

    done: Literal[True] = True


@dataclass(frozen=True, kw_only=True)
class Scores(GameScores):
    """Efficiency and exploration are 0 to 100; they and `main_score` are None unless the walk was played to its end."""

    efficiency: float | None
    exploration: float | None
    distance: int | None = None
    """Moves from the start to the nearest target. Only in `g2x`."""
    graph_similarity: float | None = None
    """The map stated last against the whole map, 0 to 100. Only in `ee-gr`, with the next."""
    graph_similarity_visited: float | None = None
    moves: int
    valid_moves: int
    refused_moves: int
    good_moves: int
    loops: int
    """Moves into a visited room while a seen one was unvisited."""
    rooms: int
    visited: int
    seen: int
    stopped: bool
    """Whether the walker said DONE."""
    turns: list[MoveScores | FinalTurnScores]

    omitted_fields: ClassVar[frozenset[str]] = frozenset({"distance", "graph_similarity", "graph_similarity_visited"})
    """Fields that the task does not have; they are not stored."""

    def as_json(self) -> Json:
        """Return the scores as they are stored."""
        return {name: value for name, value in super().as_json().items() if name not in self.omitted_fields}


class SearchScores(Scores):
    """The scores of a walk that looks for a room.

    `efficiency` is 100 · distance / moves, refused and surplus ones included, when the room was found; else None.
    """

    omitted_fields = Scores.omitted_fields - {"distance"}


class SketchScores(Scores):
    """The scores of a walk with a map to draw."""

    omitted_fields = frozenset({"distance"})


SCORES_BY_TASK: dict[str, type[Scores]] = {"ee": Scores, "ee-gr": SketchScores, "g2x": SearchScores}
"""The scores of each task."""


def list_actions(log: Log) -> list[Action]:
    """Return what the accepted replies say."""
    return [
        Action(action, None)
        if isinstance(action, str)
        else Action(action["action"], StatedMap.from_json(action["graph"]) if "graph" in action else None)
        for action in log.values()
    ]


def replay_walk(log: Log) -> Walk:
    """Return the walk that a log records, on its instance's map."""
    walk = Walk(instances.load(log.start.instance))
    for action in list_actions(log):
        if action.direction != DONE_VALUE:
            walk.take_step(action.direction)
    return walk


def score(log: Log) -> Scores:
    """Return the game's own scores of an episode with an outcome."""
    instance = instances.load(log.start.instance)
    task, modality = instances.split_variant(log.start.variant)
    walk = Walk(instance)
    turns: list[MoveScores | FinalTurnScores] = []
    stated_map: StatedMap | None = None
    for action in list_actions(log):
        similarity = None
        if action.stated_map is not None:
            stated_map = action.stated_map
            similarity = measure_map_similarity(stated_map, instance, range(len(instance.rooms)))
        if action.direction == DONE_VALUE:
            turns.append(FinalTurnScores.from_walk(walk, similarity))
            break
        step = walk.take_step(action.direction)
        move_fields = {
            "way": action.direction,
            "moved": step.has_moved,
            "good": step.is_good,
            "better": list(step.good_directions),
        }
        turns.append(MoveScores.from_walk(walk, similarity, **move_fields))
    is_stopped = bool(turns) and turns[-1].done
    main_scores: dict[str, Any] = {"main_score": None, "efficiency": None, "exploration": None}
    if log.outcome is not None and log.outcome.kind in (Ending.SUCCESS, Ending.LOSE):
        has_found_target = is_stopped and walk.room in instance.target_rooms
        main_scores = _sum_up_search(walk, has_found_target) if task == "g2x" else _sum_up_exploration(walk)
        if task == "ee-gr" and stated_map is not None:
            visited_rooms = sorted(walk.visited_rooms)
            main_scores["graph_similarity"] = measure_map_similarity(stated_map, instance, range(len(instance.rooms)))
            main_scores["graph_similarity_visited"] = measure_map_similarity(
                stated_map, instance, visited_rooms, modality == "text"
            )
    return SCORES_BY_TASK[task](
        **main_scores,
        distance=instance.measure_target_distance(instance.start) if task == "g2x" else None,
        moves=len(walk.steps),
        valid_moves=sum(step.has_moved for step in walk.steps),
        refused_moves=sum(not step.has_moved for step in walk.steps),
        good_moves=sum(step.is_good for step in walk.steps),
        loops=sum(step.is_revisit for step in walk.steps),
        rooms=len(instance.rooms),
        visited=len(walk.visited_rooms),
        seen=len(walk.seen_rooms),
        stopped=is_stopped,
        turns=turns,
    )


def _sum_up_exploration(walk: Walk) -> dict[str, Any]:
    main_score = compute_harmonic_mean(walk.efficiency, walk.exploration)
    return {"main_score": main_score, "efficiency": walk.efficiency, "exploration": walk.exploration}


def _sum_up_search(walk: Walk, has_found_target: bool) -> dict[str, Any]:
    distance, move_count = walk.map.measure_target_distance(walk.map.start), len(walk.steps)
    efficiency: float | None = None
    if has_found_target and distance is not None:
        efficiency = (100.0 if move_count == 0 else 0.0) if distance == 0 else 100.0 * distance / move_count
    return {"main_score": 100.0 if has_found_target else 0.0, "efficiency": efficiency, "exploration": walk.exploration}


def scale_to_similarity(map_distance: float) -> float:
    """Return 100 · (1 - 2 · (sigmoid(distance / 2) - 1/2)): 0 gives 100, 1 75.5, 2 53.8, 3 36.5, 4 23.8."""
    return 100 * (1 - 2 * (1 / (1 + math.exp(-0.5 * map_distance)) - 0.5))


def measure_map_similarity(
    stated_map: StatedMap, instance: Map, rooms: Sequence[int], compare_names: bool = False
) -> float | None:
    """Return how similar a stated map is to some rooms of the real one, 0 to 100; None beyond the limit of the search.

    `compare_names` compares names too; otherwise the best assignment of rooms to rooms counts.
    """
    stated_names, edges = stated_map.make_simple_graph()
    doors = [(room_a, room_b) for room_a, room_b in instance.doors if room_a in rooms and room_b in rooms]
    if compare_names:
        return scale_to_similarity(_measure_named_distance(stated_names, edges, instance, rooms, doors))
    stated_edges = _renumber_edges(edges, stated_names)
    map_distance = compute_edit_distance(len(stated_names), stated_edges, len(rooms), _renumber_edges(doors, rooms))
    return None if map_distance is None else scale_to_similarity(map_distance)


def _renumber_edges(edges: Iterable[tuple[Any, Any]], nodes: Sequence[Any]) -> tuple[tuple[int, int], ...]:
    """Return edges between the positions of their nodes, sorted."""
    number_by_node = {node: node_number for node_number, node in enumerate(nodes)}
    return tuple(sorted((number_by_node[room_a], number_by_node[room_b]) for room_a, room_b in edges))


def _measure_named_distance(
    room_names: Sequence[str],
    edges: Sequence[tuple[str, str]],
    instance: Map,
    rooms: Sequence[int],
    doors: Sequence[tuple[int, int]],
) -> int:
    """Return how many rooms and doors are surplus or missing: where names are compared, nothing needs a search."""
    actual_room_names = {room: instance.rooms[room].name.casefold() for room in rooms}
    actual_edges = {tuple(sorted((actual_room_names[room_a], actual_room_names[room_b]))) for room_a, room_b in doors}
    return len(set(room_names) ^ set(actual_room_names.values())) + len(set(edges) ^ actual_edges)
