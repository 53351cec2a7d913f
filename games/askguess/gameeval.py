"""Ask-Guess in the result files of the GameEval paper's code."""

from __future__ import annotations

from engine.core.gameeval import GameEvalResult, file_name
from engine.core.log import Log
from games.askguess import instances
from games.askguess.judging import ANSWERER_SEAT, QUESTIONER_SEAT
from games.askguess.scores import score

ERROR_TYPE_BY_ENDING = {
    "ST": "SuccessfulTrial",
    "EE": "EndingError",
    "RLE": "RoundLimitError",
    "AME": "AnswerMentionedError",
}
MODE_BY_VARIANT = {"described": "easy", "yes-no": "hard"}
"""Its names of variants; its code restricts answers without a description. One that it lacks keeps its own."""


def make_gameeval_result(log: Log) -> GameEvalResult:
    """Return the line of an episode. The paper's code counts the description as a round, and subtracts 1 without it."""
    word, scores = instances.load(log.start.instance).word, score(log)
    difficulty_mode, seats = MODE_BY_VARIANT.get(log.start.variant, log.start.variant), log.start.seats
    model_names = file_name("--".join(dict.fromkeys((seats[QUESTIONER_SEAT], seats[ANSWERER_SEAT]))))
    round_count = scores.rounds if difficulty_mode == "easy" else scores.rounds - 1
    result_line = {
        "object": word,
        "round": round_count if scores.ending == "ST" else -1,
        "error_type": ERROR_TYPE_BY_ENDING.get(scores.ending or "", "ChatError"),
    }
    log_folder = f"askguess/logs_{difficulty_mode}_{model_names}/{file_name(word.replace(' ', '_'))}"
    return GameEvalResult(f"askguess/guess_result_{difficulty_mode}_{model_names}.json", log_folder, result_line)
