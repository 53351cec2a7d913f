"""How clembench's files of its six map games are read and written: its instances as ours, our scores by its names."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.clembench_mapping import read_score
from engine.core.events import Json
from games.mapworld.walking import compute_harmonic_mean

VARIANTS = {
    "mm_mapworld": "ee-picture",
    "mm_mapworld_graphs": "ee-gr-picture",
    "mm_mapworld_specificroom": "g2x-picture",
    "textmapworld": "ee-text",
    "textmapworld_graphreasoning": "ee-gr-text",
    "textmapworld_specificroom": "g2x-text",
}
SHARED_FIELDS: tuple[str, ...] = ()
"""Fields of an experiment that its instances are played with."""
DECIMALS: Mapping[str, int] = {}
"""To how many decimals clembench rounds a score: none is rounded."""
GOOD_MOVE_RULE = (
    "upstream steps back only from rooms without fresh neighbours and looks at the whole graph; ours follows the "
    "paper: the first step of some shortest walk over what was seen"
)
ONE_PATH_RULE = (
    "upstream accepts only the first step of the one shortest path that its breadth-first search finds, and the paper "
    "the first step of any shortest walk"
)


_LUDENS_SCORE_NAMES = {
    "moves": "moves",
    "valid_moves": "valid_moves",
    "invalid_moves": "refused_moves",
    "stopped": "stopped",
    "loops": "loops",
    "visited": "visited",
    "number_visited": "visited",
    "seen": "seen",
    "efficiency": "efficiency",
    "effieciency": "efficiency",
    "exploration": "exploration",
}
"""Clembench's name of a score to ours. `effieciency` is how the picture games spell it."""


def find_game_name(clembench_instance: Json) -> str | None:
    """Return clembench's name of the game that an instance belongs to, None for another family's."""
    if "Graph_Nodes" in clembench_instance:
        if "Specific_Room" in clembench_instance:
            return "textmapworld_specificroom"
        return "textmapworld_graphreasoning" if "Response_Construction" in clembench_instance else "textmapworld"
    if "nodes" in clembench_instance and "cats" in clembench_instance:
        if "target_cat" in clembench_instance:
            return "mm_mapworld_specificroom"
        return "mm_mapworld_graphs" if '"graph"' in clembench_instance.get("response_regex", "") else "mm_mapworld"
    return None


def instance(clembench_instance: Json, pictures: Mapping[str, str] | None = None) -> Json:
    """Return an instance of any of the six games as the data of a `Map` of kind "imported".

    Picture games name rooms by position and give each a category; text games name them by category. `pictures` maps the
    addresses of the pictures that are on this machine to asset ids.
    """
    picture_ids: dict[tuple[int, int], str | None] = {}
    if "Graph_Nodes" in clembench_instance:
        positions = {name: position for position, name in _parse_literal(clembench_instance["Mapping"]).items()}
        names = {positions[name]: name for name in _parse_literal(clembench_instance["Graph_Nodes"])}
        edges = [
            (positions[room_a], positions[room_b])
            for room_a, room_b in _parse_literal(clembench_instance["Graph_Edges"])
        ]
        start, target = (positions[clembench_instance["Current_Position"]], clembench_instance.get("Specific_Room"))
    else:
        room_positions = [_parse_position(node) for node in _parse_literal(clembench_instance["nodes"])]
        categories = {_parse_position(node): name for node, name in _parse_literal(clembench_instance["cats"]).items()}
        names = {position: categories[position].replace("_", " ") for position in room_positions}
        edges = [
            (_parse_position(room_a), _parse_position(room_b))
            for room_a, room_b in map(_parse_literal, _parse_literal(clembench_instance["edges"]))
        ]
        start = _parse_position(clembench_instance["start"])
        target_category = clembench_instance.get("target_cat")
        target = None if target_category is None else target_category.replace("_", " ")
        address_by_position = {
            _parse_position(node): address for node, address in _parse_literal(clembench_instance["imgs"]).items()
        }
        picture_ids = {position: (pictures or {}).get(address) for position, address in address_by_position.items()}
    numbers = {position: room_number for room_number, position in enumerate(names)}
    doors = dict.fromkeys(
        (min(numbers[room_a], numbers[room_b]), max(numbers[room_a], numbers[room_b])) for room_a, room_b in edges
    )
    rooms = [{"x": x, "y": y, "name": name, "picture": picture_ids.get((x, y))} for (x, y), name in names.items()]
    return {
        "kind": "imported",
        "rooms": rooms,
        "doors": list(map(list, doors)),
        "start": numbers[start],
        "target": target,
    }


def reword_for_players(clembench_instance: Json) -> Json:
    """Return an instance as players read it: a target of two words, "waiting_room", is named "waiting room"."""
    target_category = clembench_instance.get("target_cat")
    if not isinstance(target_category, str) or "_" not in target_category:
        return clembench_instance
    prompt_text = clembench_instance["initial_prompt"].replace("$GOAL$", target_category.replace("_", " "))
    return {**clembench_instance, "initial_prompt": prompt_text}


def settings(clembench_instance: Json) -> Json:
    """Return the settings that an instance is played with: Map World has none."""
    return {}


def pictures(clembench_instance: Json) -> list[str]:
    """Return the picture files that an instance names."""
    return list(_parse_literal(clembench_instance["imgs"]).values()) if "imgs" in clembench_instance else []


def scores(ludens_scores: Json) -> Json:
    """Return clembench's scores of an episode from ours."""
    is_played = ludens_scores["main_score"] is not None
    clembench_scores: Json = {
        name: ludens_scores[key] if is_played else None for name, key in _LUDENS_SCORE_NAMES.items()
    }
    if "graph_similarity" in ludens_scores:
        clembench_scores["graph_similarity"] = ludens_scores["graph_similarity"]
    stop_score = int(ludens_scores["stopped"]) if is_played else None
    return {**clembench_scores, "stopped": stop_score, "Main Score": ludens_scores["main_score"]}


def explain(score_name: str, published_scores: Json, ludens_scores: Json, game: str) -> str | None:
    """Return why a published score differs from ours, None where no reason is known."""
    if score_name in ("Success", "Lose") and read_score(score_name, published_scores[score_name]) is None:
        return "an aborted episode is published with NaN; ours is 0: neither won nor lost"
    move_count, reasons = _count_published_moves(published_scores, ludens_scores, game)
    if score_name == "invalid_moves" and (published_scores[score_name] != 0 or not _is_text_game(game)):
        return None
    if score_name in ("moves", "valid_moves", "invalid_moves") and reasons:
        return f"{move_count} moves are published, {ludens_scores['moves']} were made: {' and '.join(reasons)}"
    if score_name in ("efficiency", "effieciency", "Main Score") and not game.endswith("specificroom"):
        return _explain_efficiency(score_name, published_scores, ludens_scores, game)
    if score_name == "graph_similarity":
        return _explain_similarity(published_scores[score_name], ludens_scores[score_name])
    if score_name in ("efficiency", "effieciency"):
        return (
            "published as 100/max(1, rooms on the path − distance), also when lost; ours is 100 · distance / moves, "
            "when found"
        )
    if score_name == "loops":
        return "counted by another rule: ours are moves into a visited room while something seen was unvisited"
    return None


def _count_published_moves(published_scores: Json, ludens_scores: Json, game: str) -> tuple[int, list[str]]:
    """Return the number of moves that upstream counted, and why it is not ours; ours without a known reason."""
    moves, reasons = ludens_scores["moves"], []
    if refused_moves := ludens_scores["refused_moves"] if _is_text_game(game) else 0:
        moves -= refused_moves
        verb_phrase = "move was" if refused_moves == 1 else "moves were"
        reasons.append(f"{refused_moves} {verb_phrase} refused, which upstream's text games never log")
    if ludens_scores["stopped"] and published_scores.get("moves") == moves + 1:
        moves += 1
        reasons.append("the last one was logged once more on DONE")
    return (moves, reasons) if reasons and published_scores.get("moves") == moves else (ludens_scores["moves"], [])


def _explain_efficiency(name: str, published_scores: Json, ludens_scores: Json, game: str) -> str | None:
    """Return why an efficiency, or the main score that follows from it, differs. The numbers must give the reason."""
    move_count, move_reasons = _count_published_moves(published_scores, ludens_scores, game)
    efficiency = published_scores.get("efficiency", published_scores.get("effieciency"))
    exploration = ludens_scores["exploration"]
    if not move_count or exploration is None or not isinstance(efficiency, int | float) or math.isnan(efficiency):
        return None
    good_moves = efficiency * move_count / 100
    if abs(good_moves - round(good_moves)) > 1e-6:
        return None
    if name == "Main Score" and abs(compute_harmonic_mean(efficiency, exploration) - published_scores[name]) > 1e-6:
        return None
    ludens_good_moves = ludens_scores["good_moves"]
    reasons = (
        [f"{move_count} moves are published, {ludens_scores['moves']} were made ({' and '.join(move_reasons)})"]
        if move_reasons
        else []
    )
    if round(good_moves) < ludens_good_moves and _is_text_game(game):
        reasons.append(
            f"upstream counts {round(good_moves)} good moves and we count {ludens_good_moves}, because {ONE_PATH_RULE}"
        )
    elif round(good_moves) != ludens_good_moves or not move_reasons:
        return None
    return "; ".join([*reasons, f"{round(good_moves)} good moves of {move_count} give the published score"])


def _is_text_game(game: str) -> bool:
    return game.startswith("textmapworld")


def _explain_similarity(published_similarity: float, ludens_similarity: float | None) -> str | None:
    """Return by which of the two formulas in use a similarity was published."""
    published_share = published_similarity / 100 if published_similarity > 1 else published_similarity
    if ludens_similarity is not None and abs(100 * published_share - ludens_similarity) < 1e-6:
        return "published between 0 and 1; ours is the same from 0 to 100"
    if ludens_similarity is not None and abs(200 * published_share - ludens_similarity) < 1e-6:
        return (
            "published by 1 − σ(distance/2), at most a half; ours is the source's 100 · (1 − 2 · (σ(distance/2) − 0.5))"
        )
    return None


def turn_differences(published_scores: Json, ludens_scores: Json, game: str) -> list[Json]:
    """Return the turns in which published and recomputed scores disagree whether the move was good.

    Upstream's text games log no refused moves, so their turns are numbered without these.
    """
    differences = []
    moves = [turn for turn in ludens_scores["turns"] if not turn["done"] and (turn["moved"] or not _is_text_game(game))]
    for turn_number, turn in enumerate(moves):
        score_name = f"turn {turn_number}: effiencient_move"
        published_value = read_score(score_name, published_scores.get(str(turn_number), {}).get("effiencient_move"))
        if published_value is not None and bool(published_value) != turn["good"]:
            rule = ONE_PATH_RULE if _is_text_game(game) and turn["good"] else GOOD_MOVE_RULE
            differences.append(
                {"name": score_name, "published": int(published_value), "ours": int(turn["good"]), "why": rule}
            )
    return differences


def fit(clembench_instance: Json, messages: Mapping[str, Sequence[str]], replies: Mapping[str, Sequence[str]]) -> Json:
    """Return an instance with the prompts that were used in a run: files were reworded after some runs."""
    fitted_instance = dict(clembench_instance)
    prompt_key = "initial_prompt" if "nodes" in clembench_instance else "Prompt"
    first_message = next(iter(messages.get("walker", ())), "")
    if str(clembench_instance.get("target_cat")) not in first_message:
        fitted_instance = dict(reword_for_players(clembench_instance))
    for question_word, other_word in (("command", "instruction"), ("instruction", "command")):
        old_question, new_question = f"next {question_word}?", f"next {other_word}?"
        if new_question in first_message and old_question not in first_message:
            for text_key in (prompt_key, "Player2_positive_answer", "Player2_negative_answer"):
                if text_key in fitted_instance:
                    fitted_instance[text_key] = fitted_instance[text_key].replace(old_question, new_question)
    return fitted_instance


def _parse_literal(literal_text: Any) -> Any:
    """Return what a Python literal in a string says; anything else as it is."""
    return ast.literal_eval(literal_text) if isinstance(literal_text, str) else literal_text


def _parse_position(node: Any) -> tuple[int, int]:
    x, y = _parse_literal(node)
    return int(x), int(y)
