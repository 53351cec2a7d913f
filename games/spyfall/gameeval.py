"""SpyFall in the result files of the GameEval paper's code."""

from __future__ import annotations

from engine.core.events import Ending
from engine.core.gameeval import GameEvalResult, file_name
from engine.core.log import Log
from games.spyfall import instances
from games.spyfall.log_views import VoteResult, find_spy_assignment


def make_gameeval_result(log: Log) -> GameEvalResult | None:
    """Return the line of an episode, None before the deal. `winer` is how the paper's code spells it."""
    spy_assignment, outcome = find_spy_assignment(log), log.outcome
    if spy_assignment is None or outcome is None:
        return None
    instance, seats, is_decided = instances.load(log.start.instance), log.start.seats, outcome.kind is Ending.DECIDED
    winner_seats = dict(outcome.sides).get(str(outcome.winner), ())
    villager_models = dict.fromkeys(seats[player] for player in spy_assignment.order if player != spy_assignment.spy)
    model_names = f"{file_name(seats[spy_assignment.spy])}_{file_name('--'.join(villager_models))}"
    word_file_names = "&".join(file_name(word.word.replace(" ", "_")) for word in (instance.spy, instance.common))
    result_line = {
        "winer": ("spy" if spy_assignment.spy in winner_seats else "villager") if is_decided else "exit",
        "players": list(spy_assignment.order),
        "llms": [seats[player] for player in spy_assignment.order],
        "spy_index": 1 + list(spy_assignment.order).index(spy_assignment.spy),
        "round": len(list(VoteResult.read(log))) if is_decided else -1,
    }
    log_folder = f"spyfall/logs/{model_names}/{word_file_names}"
    return GameEvalResult(f"{log_folder}/res.json", log_folder, result_line)
