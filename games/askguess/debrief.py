"""The debriefing of Ask-Guess: the word, the rounds, and how the game ended."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.core.debriefing import Debriefing, ScoreExplanation, describe_interruption, make_labelled_numbers
from engine.core.events import Json, Outcome
from engine.core.log import Log
from engine.results.published import find_matching_rows, make_published_table
from games.askguess import instances
from games.askguess.board import make_rounds_panel, make_word_panel
from games.askguess.judging import ANSWERER_SEAT, MAX_ROUNDS, QUESTIONER_SEAT
from games.askguess.scores import Scores
from games.common.words import find_mention

GAME_FOLDER = Path(__file__).parent


def debrief(log: Log, scores: Scores) -> Debriefing:
    """Return what the page of a finished episode shows."""
    instance, outcome = instances.load(log.start.instance), log.outcome
    assert outcome is not None, "only finished episodes are debriefed"
    score_numbers = make_labelled_numbers(
        {
            "rounds": scores.rounds,
            "words of a question, on average": scores.question_words,
            "words of an answer, on average": scores.answer_words,
            "words of the description": scores.description_words,
        }
    )
    return Debriefing(
        _write_page_headline(outcome, scores, instance.word),
        ScoreExplanation(
            scores.main_score, _explain_score(outcome, scores, _find_last_mention(log, instance.forms)), score_numbers
        ),
        [make_word_panel(log), make_rounds_panel(log, "The rounds")],
        published=_tabulate_published_scores(log.start.variant),
        headlines=_write_seat_headlines(scores, instance.word),
    )


def _write_page_headline(outcome: Outcome, scores: Scores, word: str) -> str:
    count_phrase = f"{scores.rounds} question{'s' * (scores.rounds != 1)}"
    headline_by_ending = {
        "ST": f"The word was found with {count_phrase}: {word}.",
        "EE": f"The game was ended too early or too late: the word was {word}.",
        "RLE": f"The word was not found in {MAX_ROUNDS} questions: {word}.",
        "AME": f"The answerer said the word: {word}.",
    }
    return headline_by_ending[scores.ending] if scores.ending else describe_interruption(outcome)


def _write_seat_headlines(scores: Scores, word: str) -> dict[str, str]:
    """Return how the game ended, said to each seat."""
    count_phrase = f"{scores.rounds} question{'s' * (scores.rounds != 1)}"
    match scores.ending:
        case "ST":
            questioner_headline = f"You won: you found the word “{word}” with {count_phrase}."
            return {
                QUESTIONER_SEAT: questioner_headline,
                ANSWERER_SEAT: f"You won: your partner found the word “{word}” with {count_phrase}.",
            }
        case "EE":
            loss_reason = "the game was ended when the word had not just been said"
        case "RLE":
            loss_reason = f"the word was not found in {MAX_ROUNDS} questions"
        case "AME":
            questioner_headline = f"You lost: your partner said the word “{word}”, which is not allowed."
            return {
                QUESTIONER_SEAT: questioner_headline,
                ANSWERER_SEAT: f"You lost: you said the word “{word}”, which is not allowed.",
            }
        case _:
            return {}
    return dict.fromkeys((QUESTIONER_SEAT, ANSWERER_SEAT), f"You lost: {loss_reason}. It was “{word}”.")


def _find_last_mention(log: Log, word_forms: Sequence[str]) -> str | None:
    """Return the form of the word in the answerer's last accepted reply, None when it has none."""
    answerer_replies = log.values(ANSWERER_SEAT)
    return find_mention(answerer_replies[-1], word_forms) if answerer_replies else None


def _explain_score(outcome: Outcome, scores: Scores, mentioned_form: str | None) -> list[str]:
    explanation_by_ending = {
        "ST": "100: the word was named in a question, and the answer to it was gameover.",
        "EE": "0: gameover was said, but the word did not stand in the question of that round.",
        "RLE": f"0: after {MAX_ROUNDS} questions the game is lost.",
        "AME": f"No score: “{mentioned_form}” is the word or a form of it, and the answerer must not say it.",
    }
    return [
        explanation_by_ending.get(scores.ending or "", f"No score: the episode ended {outcome.describe()}."),
        *(
            f"In round {round_number} the question named the word, and the answerer did not end the game."
            for round_number in scores.missed_guesses
        ),
    ]


def _tabulate_published_scores(variant: str) -> Json | None:
    published_rows = find_matching_rows(GAME_FOLDER, variant, None, "rounds")
    rounds = ", ".join(f"{published_row.model} {published_row.value}" for published_row in reversed(published_rows))
    table_caption = f"Published models: words found, in percent of all games. Mean rounds to success: {rounds}."
    return make_published_table(find_matching_rows(GAME_FOLDER, variant, None, "ST"), table_caption)
