"""Maps clembench's files of MatchIt: their instances to ours, our scores to their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.events import Json

VARIANTS = {"matchit": "picture", "matchit_ascii": "text"}
SHARED_FIELDS = (
    "initial_prompt",
    "q_reprompt",
    "d_reprompt",
    "a_request",
    "desc_intro",
    "flags",
    "solution",
    "wrong_solution",
)
"""The fields of an experiment that its instances are played with."""
DECIMALS: Mapping[str, int] = {}
"""To how many decimals clembench rounds a score: none is rounded."""
DEFAULT_FLAGS = {name: f"{name.upper()}:" for name in ("description", "question", "answer", "decision")}


def find_game_name(clembench_instance: Json) -> str | None:
    """Return their name of the game of an instance, None if it is another game."""
    if "grid_a" in clembench_instance:
        return "matchit_ascii"
    return "matchit" if "image_a" in clembench_instance else None


def instance(clembench_instance: Json, pictures: Mapping[str, str] | None = None) -> Json:
    """Return an instance of `matchit` or `matchit_ascii` as the data of an `ImportedPair`.

    `pictures` are the ids of available pictures by their addresses; other pictures keep their address.
    """
    noun, field_a, field_b = (
        ("grid", "grid_a", "grid_b") if "grid_a" in clembench_instance else ("picture", "image_a", "image_b")
    )
    relation = "same" if clembench_instance[field_a] == clembench_instance[field_b] else "different"
    sides = [(pictures or {}).get(clembench_instance[side], clembench_instance[side]) for side in (field_a, field_b)]
    return {"kind": "imported", "relation": relation, "thing": noun, "a": sides[0], "b": sides[1]}


def reword_for_players(clembench_instance: Json) -> Json:
    """Return an instance with the words that players read: as it is."""
    return clembench_instance


def settings(clembench_instance: Json) -> Json:
    """Return the settings that an instance was played with. `decision_turn` is the number of questions per seat."""
    return {"questions": clembench_instance["decision_turn"]}


def pictures(clembench_instance: Json) -> list[str]:
    """Return the addresses of the pictures of an instance."""
    return [clembench_instance["image_a"], clembench_instance["image_b"]] if "image_a" in clembench_instance else []


def scores(ludens_scores: Json) -> Json:
    """Return their scores of an episode from ours."""
    return {"Player Score": ludens_scores["player_score"], "Main Score": ludens_scores["main_score"]}


def explain(score_name: str, published_scores: Json, ludens_scores: Json, game: str) -> str | None:
    """Return why a published score differs from ours, None if no reason is known."""
    return None


def turn_differences(published_scores: Json, ludens_scores: Json, game: str) -> list[Json]:
    """Return nothing: clembench has no scores of single turns that differ from ours."""
    return []


def fit(clembench_instance: Json, messages: Mapping[str, Sequence[str]], replies: Mapping[str, Sequence[str]]) -> Json:
    """Return an instance with the prompts of its experiment. Those that the file lacks are taken from an episode.

    `messages` are the messages to each of our seats in that episode, `replies` those from it, in order.
    """
    fitted_instance = dict(clembench_instance)
    messages_a, messages_b = messages.get("A", ()), messages.get("B", ())
    if messages_a:
        grid_text = clembench_instance.get("grid_a")
        fitted_instance["initial_prompt"] = messages_a[0].replace(grid_text, "$GRID$") if grid_text else messages_a[0]
    fitted_instance.setdefault("flags", dict(DEFAULT_FLAGS))
    first_description = replies.get("A", ("",))[0]
    if len(messages_b) > 1 and first_description in messages_b[1]:
        fitted_instance["desc_intro"], _, following_text = messages_b[1].partition(first_description)
        fitted_instance["q_reprompt"] = following_text.removeprefix("\n")
    if len(messages_a) > 1 and len(replies["B"]) > 1 and replies["B"][1] in messages_a[1]:
        fitted_instance["a_request"] = messages_a[1].rpartition(replies["B"][1])[2]
    message_count = 2 + 2 * int(clembench_instance["decision_turn"])  # messages to B up to the request for its decision
    if len(messages_b) == message_count:
        fitted_instance["d_reprompt"] = messages_b[-1]
    for prompt_key in ("q_reprompt", "a_request", "desc_intro", "d_reprompt"):
        fitted_instance.setdefault(prompt_key, "")
    return fitted_instance
