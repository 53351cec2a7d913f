"""The debriefing of Map World: the map with the walk, one shortest walk, each move judged, the score as it grew."""

from __future__ import annotations

from pathlib import Path

from engine.core.debriefing import Curve, Debriefing, JudgedStep, LabelledNumber, ScoreExplanation
from engine.core.events import Json
from engine.core.log import Log
from engine.core.views import describe_outcome
from engine.results.published import as_table, matching_rows
from games.mapworld import board, instances
from games.mapworld.maps import Map
from games.mapworld.scores import actions, walked
from games.mapworld.walking import Step, Walk, lengths, shortest_walk

FOLDER = Path(__file__).parent


def debrief(log: Log, scores: Json) -> Debriefing:
    """Return what a finished episode's page shows."""
    start = log.start
    instance = instances.load(start.instance)
    task, _ = instances.split(start.variant)
    outcome = log.outcome.as_json() if log.outcome else {}
    walk = walked(log)
    sketch = next((stated for _, stated in reversed(list(actions(log))) if stated), None)
    drawn = sketch and sketch["nodes"]
    sketches = [{"title": "The map as it was drawn last", "graph": board.drawn(sketch)}] if sketch and drawn else []
    judged = [] if task == "g2x" else list(enumerate(walk.steps, 1))
    return Debriefing(
        _headline(outcome, task, walk),
        ScoreExplanation(
            scores["main_score"], _how(outcome, task, scores), _numbers(task, scores), curves=_curves(task, scores)
        ),
        [
            {"title": "The map, and the walk in numbered steps", "graph": board.graph(walk, everything=True)},
            *sketches,
            {"title": _best_title(task), "graph": board.graph(_best(instance, task), everything=True)},
        ],
        steps=(
            "Your moves, one by one",
            [JudgedStep(_judged(walk, number, step), step.good) for number, step in judged],
        ),
        published=as_table(matching_rows(FOLDER, start.variant, None, "score_all")),
    )


def _headline(outcome: Json, task: str, walk: Walk) -> str:
    if outcome["kind"] == "abandoned":
        return "The walk was left before its end."
    if outcome["kind"] == "aborted":
        if outcome["reason"] == "turn limit":
            return (
                f"The walk ended after {len(walk.steps)} moves without Done: that is the limit, and it gives no score."
            )
        return "The walk was aborted: a reply broke the rules of form."
    rooms, visited = len(walk.map.rooms), len(walk.visited)
    if task == "g2x":
        name = walk.map.rooms[walk.at].name
        return f"You found the {name}." if outcome["kind"] == "success" else f"You stopped in the {name}: not the one."
    if outcome["kind"] == "success":
        return f"You visited all {rooms} rooms, in {len(walk.steps)} moves."
    return f"You visited {visited} of {rooms} rooms."


def _best_title(task: str) -> str:
    return "A shortest way" if task == "g2x" else "One shortest walk through all rooms"


def _best(instance: Map, task: str) -> Walk:
    """Return a walk that nobody could beat who knew the map."""
    if task == "g2x":
        distance = {target: lengths(instance.exits, instance.start, [target]) or 0 for target in instance.targets}
        goal = [min(sorted(distance), key=lambda target: distance[target])] if distance else []
    else:
        goal = list(range(len(instance.rooms)))
    walk = Walk(instance)
    for room in shortest_walk(instance.exits, instance.start, goal)[1:]:
        walk.go(next(way for way, other in instance.exits[walk.at].items() if other == room))
    return walk


def _judged(walk: Walk, number: int, step: Step) -> str:
    """Say of a move whether it was good, and if not, why."""
    rooms = walk.map.rooms
    what = f"{number}. {step.way}: "
    if step.good:
        return f"{what}good, to the {rooms[step.to].name}"
    if not step.unvisited:
        return f"{what}not good: everything in sight had been visited"
    before = Walk(walk.map)
    for earlier in walk.steps[: number - 1]:
        before.go(earlier.way)
    away = {room: lengths(before.known, step.at, [room]) or 0 for room in step.unvisited}
    nearest = min(step.unvisited, key=lambda room: away[room])
    moves = "next door" if away[nearest] == 1 else f"{away[nearest]} moves away"
    why = "there was no door" if not step.moved else f"to the {rooms[step.to].name}"
    better = " or ".join(step.better)
    return f"{what}not good, {why}: the {rooms[nearest].name} was still unseen, {moves}; better {better}"


def _how(outcome: Json, task: str, scores: Json) -> list[str]:
    if scores["main_score"] is None:
        return [f"No score: the episode ended {describe_outcome(outcome)}."]
    if task == "g2x":
        said = ["The main score is 100 when you stop in the room to find, else 0."]
        if scores["efficiency"] is not None:
            said.append(f"It was {scores['distance']} moves away; you made {scores['moves']}.")
        return said
    return [
        "The main score is the harmonic mean of efficiency and exploration.",
        f"Efficiency: {scores['good_moves']} of {scores['moves']} moves were good. A move is good when it begins a "
        "shortest walk to all that you had seen through doors and not yet visited.",
        f"Exploration: {scores['visited']} of {scores['rooms']} rooms visited.",
        *_drawn(scores),
    ]


def _drawn(scores: Json) -> list[str]:
    """Say how well a map was drawn, where one was asked for; it does not enter the main score."""
    whole, visited = scores.get("graph_similarity"), scores.get("graph_similarity_visited")
    if whole is None or visited is None:
        return []
    return [
        f"The map drawn last: {visited:.0f} of 100 beside what was visited, {whole:.0f} beside the whole map. "
        "That does not enter the main score."
    ]


def _numbers(task: str, scores: Json) -> list[LabelledNumber]:
    names = [("efficiency", "efficiency"), ("exploration", "exploration"), ("moves", "moves")]
    names += [("refused_moves", "moves against closed doors"), ("loops", "moves back while something was unvisited")]
    if task == "ee-gr":
        names += [
            ("graph_similarity", "your map, compared with the whole map"),
            ("graph_similarity_visited", "your map, compared with what you visited"),
        ]
    shown = [(label, scores[key]) for key, label in names if scores.get(key) is not None]
    return [LabelledNumber(label, round(value, 1) if isinstance(value, float) else value) for label, value in shown]


def _curves(task: str, scores: Json) -> list[Curve]:
    if task == "g2x" or not scores["turns"]:
        return []
    labels = (("efficiency", "efficiency"), ("exploration", "exploration"), ("main_score", "main score"))
    return [Curve(label, [round(turn[key], 2) for turn in scores["turns"]]) for key, label in labels]
