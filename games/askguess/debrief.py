"""The debriefing of Ask-Guess: the word, the rounds, and how the game ended."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.core.debriefing import Debriefing, ScoreExplanation, interrupted_headline, labelled_numbers
from engine.core.events import Json, Outcome
from engine.core.log import Log
from engine.results.published import as_table, matching_rows
from games.askguess import instances
from games.askguess.board import rounds_panel, word_panel
from games.askguess.judging import ANSWERER, MAX_ROUNDS, QUESTIONER_SEAT
from games.askguess.scores import Scores
from games.common.words import find_mention

FOLDER = Path(__file__).parent


def debrief(log: Log, scores: Scores) -> Debriefing:
    """Return what the page of a finished episode shows."""
    instance, outcome = instances.load(log.start.instance), log.outcome
    assert outcome is not None, "only finished episodes are debriefed"
    numbers = labelled_numbers(
        {
            "rounds": scores.rounds,
            "words of a question, on average": scores.question_words,
            "words of an answer, on average": scores.answer_words,
            "words of the description": scores.description_words,
        }
    )
    return Debriefing(
        _page_headline(outcome, scores, instance.word),
        ScoreExplanation(
            scores.main_score, _explain_score(outcome, scores, _last_mention(log, instance.forms)), numbers
        ),
        [word_panel(log), rounds_panel(log, "The rounds")],
        published=_published_table(log.start.variant),
        headlines=_seat_headlines(scores, instance.word),
    )


def _page_headline(outcome: Outcome, scores: Scores, word: str) -> str:
    questions = f"{scores.rounds} question{'s' * (scores.rounds != 1)}"
    headlines = {
        "ST": f"The word was found with {questions}: {word}.",
        "EE": f"The game was ended too early or too late: the word was {word}.",
        "RLE": f"The word was not found in {MAX_ROUNDS} questions: {word}.",
        "AME": f"The answerer said the word: {word}.",
    }
    return headlines[scores.ending] if scores.ending else interrupted_headline(outcome)


def _seat_headlines(scores: Scores, word: str) -> dict[str, str]:
    """Return how the game ended, said to each seat."""
    questions = f"{scores.rounds} question{'s' * (scores.rounds != 1)}"
    match scores.ending:
        case "ST":
            headline = f"You won: you found the word “{word}” with {questions}."
            return {
                QUESTIONER_SEAT: headline,
                ANSWERER: f"You won: your partner found the word “{word}” with {questions}.",
            }
        case "EE":
            reason = "the game was ended when the word had not just been said"
        case "RLE":
            reason = f"the word was not found in {MAX_ROUNDS} questions"
        case "AME":
            headline = f"You lost: your partner said the word “{word}”, which is not allowed."
            return {
                QUESTIONER_SEAT: headline,
                ANSWERER: f"You lost: you said the word “{word}”, which is not allowed.",
            }
        case _:
            return {}
    return dict.fromkeys((QUESTIONER_SEAT, ANSWERER), f"You lost: {reason}. It was “{word}”.")


def _last_mention(log: Log, forms: Sequence[str]) -> str | None:
    """Return the form of the word in the answerer's last accepted reply, None when it has none."""
    replies = log.values(ANSWERER)
    return find_mention(replies[-1], forms) if replies else None


def _explain_score(outcome: Outcome, scores: Scores, mention: str | None) -> list[str]:
    explanations = {
        "ST": "100: the word was named in a question, and the answer to it was gameover.",
        "EE": "0: gameover was said, but the word did not stand in the question of that round.",
        "RLE": f"0: after {MAX_ROUNDS} questions the game is lost.",
        "AME": f"No score: “{mention}” is the word or a form of it, and the answerer must not say it.",
    }
    return [
        explanations.get(scores.ending or "", f"No score: the episode ended {outcome.describe()}."),
        *(
            f"In round {round_number} the question named the word, and the answerer did not end the game."
            for round_number in scores.missed_guesses
        ),
    ]


def _published_table(variant: str) -> Json | None:
    published = matching_rows(FOLDER, variant, None, "rounds")
    rounds = ", ".join(f"{published_row.model} {published_row.value}" for published_row in reversed(published))
    caption = f"Published models: words found, in percent of all games. Mean rounds to success: {rounds}."
    return as_table(matching_rows(FOLDER, variant, None, "ST"), caption)
