"""TofuKingdom in the result files of the GameEval paper's code."""

from __future__ import annotations

from engine.core.gameeval import GameEvalResult, file_name
from engine.core.log import Log
from games.tofukingdom.instances import CAMPS, PRINCE_SEAT, camp_of
from games.tofukingdom.log_views import choice_of, roles_of


def gameeval_result(log: Log) -> GameEvalResult:
    """Return the line of an episode: the role of whom the Prince named, or an error."""
    choice, roles = choice_of(log), roles_of(log)
    players: dict[str, dict[str, None]] = {camp: {} for camp in CAMPS}
    for seat, player in log.start.seats.items():
        players["prince" if seat == PRINCE_SEAT else camp_of(roles[seat])][player] = None
    models = {camp: "--".join(players[camp]) for camp in ("prince", "queen", "spy")}
    reason = log.outcome.describe() if log.outcome else "not over"
    line = {"models": models, **({"winner": choice.role} if choice else {"error": reason})}
    return GameEvalResult(
        "tofukingdom/result.json", f"tofukingdom/logs/{'_'.join(map(file_name, models.values()))}", line
    )
