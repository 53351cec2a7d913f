"""TofuKingdom in the result files of the GameEval paper's code."""

from __future__ import annotations

from engine.core.gameeval import GameEvalResult, file_name
from engine.core.log import Log
from games.tofukingdom.instances import CAMPS, PRINCE_SEAT, find_camp
from games.tofukingdom.log_views import find_choice, read_roles


def make_gameeval_result(log: Log) -> GameEvalResult:
    """Return the line of an episode: the role of whom the Prince named, or an error."""
    choice, role_by_name = find_choice(log), read_roles(log)
    players_by_camp: dict[str, dict[str, None]] = {camp_name: {} for camp_name in CAMPS}
    for seat, player in log.start.seats.items():
        players_by_camp["prince" if seat == PRINCE_SEAT else find_camp(role_by_name[seat])][player] = None
    model_names = {camp_name: "--".join(players_by_camp[camp_name]) for camp_name in ("prince", "queen", "spy")}
    error_text = log.outcome.describe() if log.outcome else "not over"
    result_line = {"models": model_names, **({"winner": choice.role} if choice else {"error": error_text})}
    return GameEvalResult(
        "tofukingdom/result.json", f"tofukingdom/logs/{'_'.join(map(file_name, model_names.values()))}", result_line
    )
