"""SpyFall in the result files of the GameEval paper's code."""

from __future__ import annotations

from engine.core.events import Ending
from engine.core.gameeval import GameEvalResult, file_name
from engine.core.log import Log
from games.spyfall import instances
from games.spyfall.log_views import VoteResult, deal_of


def gameeval_result(log: Log) -> GameEvalResult | None:
    """Return the line of an episode, None before the deal. `winer` is how the paper's code spells it."""
    deal, outcome = deal_of(log), log.outcome
    if deal is None or outcome is None:
        return None
    instance, seats, is_decided = instances.load(log.start.instance), log.start.seats, outcome.kind is Ending.DECIDED
    winners = dict(outcome.sides).get(str(outcome.winner), ())
    villagers = dict.fromkeys(seats[player] for player in deal.order if player != deal.spy)
    models = f"{file_name(seats[deal.spy])}_{file_name('--'.join(villagers))}"
    words = "&".join(file_name(word.word.replace(" ", "_")) for word in (instance.spy, instance.common))
    line = {
        "winer": ("spy" if deal.spy in winners else "villager") if is_decided else "exit",
        "players": list(deal.order),
        "llms": [seats[player] for player in deal.order],
        "spy_index": 1 + list(deal.order).index(deal.spy),
        "round": len(list(VoteResult.read(log))) if is_decided else -1,
    }
    folder = f"spyfall/logs/{models}/{words}"
    return GameEvalResult(f"{folder}/res.json", folder, line)
