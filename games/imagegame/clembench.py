"""How clembench's files of its image game are read and written: its instances as ours, our scores by its names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.events import Json

VARIANTS = {"imagegame": "grid"}
SHARED_FIELDS: tuple[str, ...] = ()
"""Fields of an experiment that its instances are played with."""
MAX_TURNS = 50
DECIMALS = {"Precision": 0, "Recall": 0, "F1": 0, "Main Score": 0, "Average Changed Cell Count": 4}
"""To how many decimals clembench rounds its scores."""


def find_game_name(clembench_instance: Json) -> str | None:
    """Return clembench's name of the game that an instance belongs to, None for another family's."""
    is_image_game = "player_1_question" in clembench_instance and "target_grid" in clembench_instance
    return "imagegame" if is_image_game else None


def instance(clembench_instance: Json, pictures: Mapping[str, str] | None = None) -> Json:
    """Return our instance. The question in clembench's says by which word a command begins."""
    tag = "Instruction" if "instruction" in clembench_instance["player_1_question"] else "Command"
    return {"kind": "imported", "target": clembench_instance["target_grid"].strip(), "tag": tag}


def reword_for_players(clembench_instance: Json) -> Json:
    """Return an instance with the words that players read: as it is."""
    return clembench_instance


def settings(clembench_instance: Json) -> Json:
    """Return the settings that an instance is played with."""
    return {"turns": MAX_TURNS}


def pictures(clembench_instance: Json) -> list[str]:
    """Return the picture files that an instance names: none."""
    return []


def scores(ludens_scores: Json) -> Json:
    """Return clembench's scores of an episode from ours, unrounded."""
    return {
        "Precision": ludens_scores["precision"],
        "Recall": ludens_scores["recall"],
        "F1": ludens_scores["main_score"],
        "Main Score": ludens_scores["main_score"],
        "Average Changed Cell Count": None if ludens_scores["main_score"] is None else ludens_scores["changed_cells"],
    }


def explain(name: str, published_scores: Json, ludens_scores: Json, game: str) -> str | None:
    """Return why a published score differs from ours, None where no reason is known."""
    if name in ("Request Count", "Parsed Request Count") and ludens_scores["requests"] == published_scores[name] + 1:
        return "the reply DONE is not counted as a request in published scores"
    return None


def turn_differences(published_scores: Json, ludens_scores: Json, game: str) -> list[Json]:
    """Return no differences: clembench has no scores of single turns that differ from ours."""
    return []


def fit(clembench_instance: Json, messages: Mapping[str, Sequence[str]], replies: Mapping[str, Sequence[str]]) -> Json:
    """Return an instance with the prompts that were used in a run: the files were reworded after the runs."""
    fitted_instance = dict(clembench_instance)
    giver_messages, follower_messages = messages.get("giver", ()), messages.get("follower", ())
    if giver_messages:
        prompt_header, _, question = giver_messages[0].rpartition(f"\n{clembench_instance['target_grid']}\n")
        if prompt_header:
            fitted_instance["player_1_prompt_header"], fitted_instance["player_1_question"] = (
                prompt_header,
                question.removesuffix("\n"),
            )
    if follower_messages and replies.get("giver") and follower_messages[0].endswith(f"\n{replies['giver'][0]}"):
        fitted_instance["player_2_prompt_header"] = follower_messages[0].removesuffix(f"\n{replies['giver'][0]}")
    return fitted_instance
