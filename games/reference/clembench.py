"""Maps clembench's files of its two reference games: their instances to ours, our scores to their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.events import Json
from games.reference.imported import EXPRESSION_PLACEHOLDER
from games.reference.layout import PLACES

VARIANTS = {"referencegame": "text", "multimodal_referencegame": "picture"}
SHARED_FIELDS: tuple[str, ...] = ()
"""The fields of an experiment that its instances are played with."""
DECIMALS: Mapping[str, int] = {}
"""To how many decimals clembench rounds a score: none is rounded."""
SPEAKER_FIELDS = {
    "grid": ("player_1_target_grid", "player_1_second_grid", "player_1_third_grid"),
    "image": ("player_1_first_image", "player_1_second_image", "player_1_third_image"),
}
"""The fields of the speaker's items, in the order of its list."""


def find_game_name(clembench_instance: Json) -> str | None:
    """Return their name of the game of an instance, None if it is another game."""
    if "player_1_target_grid" in clembench_instance:
        return "referencegame"
    return "multimodal_referencegame" if "player_1_first_image" in clembench_instance else None


def instance(clembench_instance: Json, pictures: Mapping[str, str] | None = None) -> Json:
    """Return an instance of `referencegame` or `multimodal_referencegame` as the data of an `ImportedTriple`.

    `pictures` are the ids of available pictures by their addresses; other pictures keep their address.
    In their pictures the target may be at any place of the speaker's list, so the listener's list identifies it.
    """
    noun = _find_stimulus_noun(clembench_instance)
    target = _find_target(clembench_instance)
    speaker_items = [clembench_instance[field_name] for field_name in SPEAKER_FIELDS[noun]]
    unique_items = [target, *(picture_or_grid for picture_or_grid in speaker_items if picture_or_grid != target)]
    listener = [unique_items.index(clembench_instance[f"player_2_{place_name}_{noun}"]) for place_name in PLACES]
    target, *distractors = ((pictures or {}).get(picture_or_grid, picture_or_grid) for picture_or_grid in unique_items)
    item_kind = "grid" if noun == "grid" else "picture"
    return {"kind": "imported", "thing": item_kind, "target": target, "distractors": distractors, "listener": listener}


def reword_for_players(clembench_instance: Json) -> Json:
    """Return an instance with the words that players read: as it is."""
    return clembench_instance


def settings(clembench_instance: Json) -> Json:
    """Return the settings that an instance was played with: the place of the target in the speaker's list."""
    speaker_items = [
        clembench_instance[field_name] for field_name in SPEAKER_FIELDS[_find_stimulus_noun(clembench_instance)]
    ]
    return {"target_at": PLACES[speaker_items.index(_find_target(clembench_instance))]}


def _find_stimulus_noun(clembench_instance: Json) -> str:
    """Return what their fields call an item."""
    return "grid" if "player_1_target_grid" in clembench_instance else "image"


def _find_target(clembench_instance: Json) -> Any:
    """Return the target: the item at its place in the listener's list."""
    noun = _find_stimulus_noun(clembench_instance)
    place_name = clembench_instance[f"target_{noun}_name"][0]
    return clembench_instance[f"player_2_{place_name}_{noun}"]


def pictures(clembench_instance: Json) -> list[str]:
    """Return the addresses of the pictures of an instance."""
    has_pictures = "player_1_first_image" in clembench_instance
    return [clembench_instance[field_name] for field_name in SPEAKER_FIELDS["image"]] if has_pictures else []


def scores(ludens_scores: Json) -> Json:
    """Return their scores of an episode from ours."""
    return {
        "Generated Expression Length": ludens_scores["expression_characters"],
        "Generated Expression Number of Tokens": ludens_scores["expression_words"],
        "Aborted at Player 1": int(ludens_scores["aborted_at"] == "speaker"),
        "Aborted at Player 2": int(ludens_scores["aborted_at"] == "listener"),
        "Main Score": ludens_scores["main_score"],
    }


def explain(score_name: str, published_scores: Json, ludens_scores: Json, game: str) -> str | None:
    """Return why a published score differs from ours, None if no reason is known."""
    if score_name == "Lose" and published_scores.get("Aborted"):
        return "an aborted episode is published with Lose 1; ours is neither won nor lost"
    if score_name == "Generated Expression Number of Tokens":
        return "published counts what single blanks part, ours what any white space parts"
    return None


def turn_differences(published_scores: Json, ludens_scores: Json, game: str) -> list[Json]:
    """Return nothing: clembench has no scores of single turns that differ from ours."""
    return []


def fit(clembench_instance: Json, messages: Mapping[str, Sequence[str]], replies: Mapping[str, Sequence[str]]) -> Json:
    """Return an instance with the prompts of an episode.

    `messages` are the messages to each of our seats in that episode, `replies` those from it, in order.
    """
    fitted_instance = dict(clembench_instance)
    speaker_messages, listener_messages = messages.get("speaker", ()), messages.get("listener", ())
    expressions = replies.get("speaker", ())
    if speaker_messages:
        fitted_instance["player_1_prompt_header"] = speaker_messages[0]
    if listener_messages and expressions and expressions[0] in listener_messages[0]:
        fitted_instance["player_2_prompt_header"] = listener_messages[0].replace(expressions[0], EXPRESSION_PLACEHOLDER)
    return fitted_instance
