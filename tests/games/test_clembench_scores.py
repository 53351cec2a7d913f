"""Published scores of single turns, compared with ours: null and NaN, other values, and refused moves."""

import pytest

from games.mapworld import clembench


def turns(*moves: tuple[bool, bool]) -> dict:
    """Return our scores with moves: whether each moved, and whether it was good."""
    return {"turns": [{"done": False, "moved": moved, "good": good} for moved, good in moves]}


@pytest.mark.parametrize("value", [None, float("nan")])
def test_null_and_nan_are_the_same(value):
    published = {"0": {"effiencient_move": value}, "1": {"effiencient_move": False}}
    [difference] = clembench.turn_differences(published, turns((True, True), (True, True)), "mm_mapworld")
    assert difference["name"].startswith("turn 1")


@pytest.mark.parametrize("value", ["abc", float("inf"), 10**400, [1]])
def test_another_value_is_refused_in_a_sentence(value):
    with pytest.raises(ValueError, match="turn 0: effiencient_move"):
        clembench.turn_differences({"0": {"effiencient_move": value}}, turns((True, True)), "mm_mapworld")


def test_only_text_games_number_turns_without_refused_moves():
    published = {"0": {"effiencient_move": True}, "1": {"effiencient_move": True}}
    ours = turns((False, False), (True, True), (True, True))
    assert not clembench.turn_differences(published, ours, "textmapworld")
    [difference] = clembench.turn_differences(published, ours, "mm_mapworld")
    assert difference["published"] == 1 and difference["ours"] == 0


def test_a_target_of_two_words_is_told_with_a_space():
    entry = {"target_cat": "waiting_room", "initial_prompt": "Find a $GOAL$."}
    assert clembench.reword_for_players(entry) == {
        "target_cat": "waiting_room",
        "initial_prompt": "Find a waiting room.",
    }
    single_word = {"target_cat": "pantry", "initial_prompt": "Find a $GOAL$."}
    assert clembench.reword_for_players(single_word) == single_word


def test_a_record_decides_how_a_target_of_two_words_is_told():
    entry = {"nodes": [], "target_cat": "waiting_room", "initial_prompt": "Find a $GOAL$."}
    assert clembench.fit(entry, {"walker": ["Find a waiting_room."]}, {}) == entry
    assert clembench.fit(entry, {"walker": ["Find a waiting room."]}, {}) == clembench.reword_for_players(entry)
