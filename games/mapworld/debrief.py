"""The debriefing of Map World: the map with the walk, one shortest walk, each move judged, the score as it grew."""

from __future__ import annotations

from pathlib import Path

from engine.core.debriefing import (
    Curve,
    Debriefing,
    JudgedStep,
    LabelledNumber,
    ScoreExplanation,
    make_labelled_numbers,
)
from engine.core.events import Ending, Outcome
from engine.core.log import Log
from engine.results.published import find_matching_rows, make_published_table
from games.mapworld import instances
from games.mapworld.board import make_stated_graph, make_walk_graph
from games.mapworld.maps import Map
from games.mapworld.scores import Scores, list_actions, replay_walk
from games.mapworld.walking import Walk, find_shortest_walk, measure_shortest_walk

GAME_FOLDER = Path(__file__).parent


def debrief(log: Log, scores: Scores) -> Debriefing:
    """Return what the page of a finished episode shows."""
    start_data, outcome, walk = log.start, log.outcome, replay_walk(log)
    assert outcome is not None, "only finished episodes are debriefed"
    task, _ = instances.split_variant(start_data.variant)
    stated_maps = [action.stated_map for action in list_actions(log) if action.stated_map is not None]
    panels = [{"title": "The map, and the walk in numbered steps", "graph": make_walk_graph(walk, reveal_all=True)}]
    if stated_maps and stated_maps[-1].room_names:
        panels.append({"title": "The map as it was drawn last", "graph": make_stated_graph(stated_maps[-1])})
    panel_title = "A shortest way" if task == "g2x" else "One shortest walk through all rooms"
    panels.append({"title": panel_title, "graph": make_walk_graph(_find_optimal_walk(walk.map, task), reveal_all=True)})
    return Debriefing(
        _write_page_headline(outcome, task, walk),
        ScoreExplanation(
            scores.main_score,
            _explain_score(outcome, task, scores),
            _list_score_numbers(scores),
            curves=_make_score_curves(task, scores),
        ),
        panels,
        steps=("Your moves, one by one", [] if task == "g2x" else _judge_steps(walk)),
        published=make_published_table(find_matching_rows(GAME_FOLDER, start_data.variant, None, "score_all")),
        headlines=_write_walker_headlines(outcome, task, walk),
    )


def _write_page_headline(outcome: Outcome, task: str, walk: Walk) -> str:
    rooms, move_count = walk.map.rooms, len(walk.steps)
    is_won = outcome.kind is Ending.SUCCESS
    if outcome.kind is Ending.ABANDONED:
        return "The walk was left before its end."
    if outcome.kind is Ending.ABORTED:
        if outcome.reason == "turn limit":
            return f"The walk ended after {move_count} moves without Done: that is the limit, and it gives no score."
        return "The walk was aborted: a reply broke the rules of form."
    if task == "g2x":
        room_name = rooms[walk.room].name
        if is_won:
            return f"You found the {room_name}, in {move_count} moves."
        return f"You were to find the {walk.map.target}, and you stopped in the {room_name}."
    if is_won:
        return f"You visited all {len(rooms)} rooms, in {move_count} moves."
    return f"You visited {len(walk.visited_rooms)} of {len(rooms)} rooms."


def _write_walker_headlines(outcome: Outcome, task: str, walk: Walk) -> dict[str, str]:
    """Return how the walk ended, said to the walker."""
    if outcome.kind not in (Ending.SUCCESS, Ending.LOSE):
        return {}
    headline = _write_page_headline(outcome, task, walk)
    result_phrase = "You won" if outcome.kind is Ending.SUCCESS else "You lost"
    return {"walker": f"{result_phrase}: {headline[0].lower()}{headline[1:]}"}


def _find_optimal_walk(instance: Map, task: str) -> Walk:
    """Return a walk that nobody who knew the map could beat."""
    if task == "g2x":
        length_by_target = {
            room: measure_shortest_walk(instance.exits, instance.start, [room]) for room in instance.target_rooms
        }
        goals = [min(sorted(length_by_target), key=lambda room: length_by_target[room])] if length_by_target else []
    else:
        goals = list(range(len(instance.rooms)))
    walk = Walk(instance)
    for room in find_shortest_walk(instance.exits, instance.start, goals)[1:]:
        walk.take_step(
            next(direction for direction, other_room in instance.exits[walk.room].items() if other_room == room)
        )
    return walk


def _judge_steps(walk: Walk) -> list[JudgedStep]:
    return [
        JudgedStep(f"{step_number}. {step.direction}: {_judge_move(walk, step_number)}", step.is_good)
        for step_number, step in enumerate(walk.steps, 1)
    ]


def _judge_move(walk: Walk, step_number: int) -> str:
    """Return whether a move (from 1) was good, and if not, why."""
    rooms, step = walk.map.rooms, walk.steps[step_number - 1]
    if step.is_good:
        return f"good, to the {rooms[step.next_room].name}"
    if not step.unvisited_rooms:
        return "not good: everything in sight had been visited"
    walk_before_move = Walk(walk.map)
    for earlier_step in walk.steps[: step_number - 1]:
        walk_before_move.take_step(earlier_step.direction)
    length_by_room = {
        room: measure_shortest_walk(walk_before_move.known_exits, step.room, [room]) for room in step.unvisited_rooms
    }
    nearest_room = min(step.unvisited_rooms, key=lambda room: length_by_room[room])
    distance_text = "next door" if length_by_room[nearest_room] == 1 else f"{length_by_room[nearest_room]} moves away"
    effect_phrase = f"to the {rooms[step.next_room].name}" if step.has_moved else "there was no door"
    directions = " or ".join(step.good_directions)
    nearest_name = rooms[nearest_room].name
    return f"not good, {effect_phrase}: the {nearest_name} was still unseen, {distance_text}; better {directions}"


def _explain_score(outcome: Outcome, task: str, scores: Scores) -> list[str]:
    if scores.main_score is None:
        return [f"No score: the episode ended {outcome.describe()}."]
    if task == "g2x":
        explanation_lines = ["The main score is 100 when you stop in the room to find, else 0."]
        if scores.efficiency is not None:
            explanation_lines.append(f"It was {scores.distance} moves away; you made {scores.moves}.")
        return explanation_lines
    return [
        "The main score is the harmonic mean of efficiency and exploration.",
        f"Efficiency: {scores.good_moves} of {scores.moves} moves were good. A move is good when it begins a "
        "shortest walk to all that you had seen through doors and not yet visited.",
        f"Exploration: {scores.visited} of {scores.rooms} rooms visited.",
        *_explain_sketch(scores),
    ]


def _explain_sketch(scores: Scores) -> list[str]:
    """Return how well a map was drawn, if one was asked for; it does not enter the main score."""
    whole_similarity, visited_similarity = scores.graph_similarity, scores.graph_similarity_visited
    if whole_similarity is None or visited_similarity is None:
        return []
    return [
        f"The map drawn last: {visited_similarity:.0f} of 100 beside what was visited, "
        f"{whole_similarity:.0f} beside the whole map. "
        "That does not enter the main score."
    ]


def _list_score_numbers(scores: Scores) -> list[LabelledNumber]:
    number_by_label = {
        "efficiency": scores.efficiency,
        "exploration": scores.exploration,
        "moves": scores.moves,
        "moves against closed doors": scores.refused_moves,
        "moves back while something was unvisited": scores.loops,
        "your map, compared with the whole map": scores.graph_similarity,
        "your map, compared with what you visited": scores.graph_similarity_visited,
    }
    return make_labelled_numbers(
        {label: round(number, 1) if isinstance(number, float) else number for label, number in number_by_label.items()}
    )


def _make_score_curves(task: str, scores: Scores) -> list[Curve]:
    if task == "g2x" or not scores.turns:
        return []
    return [
        Curve("efficiency", [round(turn.efficiency, 2) for turn in scores.turns]),
        Curve("exploration", [round(turn.exploration, 2) for turn in scores.turns]),
        Curve("main score", [round(turn.main_score, 2) for turn in scores.turns]),
    ]
