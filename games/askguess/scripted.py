"""The scripted players of Ask-Guess: an answerer that knows the 100 words, and a questioner that halves what is left.

The answerer is in `answering.py`. The questioner takes what it can from answers and descriptions in anybody's words.
Each reads its own conversation only.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from engine.core.content import RelayedMessage, TextExhibit
from engine.core.player import Reply
from engine.core.replies import OneOf
from engine.core.views import SeatView
from games.askguess.answering import UNSURE_ANSWER, Answerer
from games.askguess.instances import WORD_TITLE
from games.askguess.listening import DEGREE_VALUES, find_attribute, read_degree, read_statements, simplify_text
from games.askguess.replies import DESCRIPTION_FORMAT, NO_WORD
from games.askguess.vocabulary import Attribute, read_attributes, read_words
from games.common.language.asking_back import asks_back
from games.common.language.facts import Degree, Fact
from games.common.language.wording import add_article
from games.common.scripted_seat import ScriptedSeat

MAX_END_REQUESTS = 2
"""So often a guess that was confirmed is named again, before the confirmation counts as a mistake."""


class WordSearch:
    """What is left of the 100 words after what was said, and the next question."""

    def __init__(self) -> None:
        self.penalty_by_word = dict.fromkeys(read_words(), 0.0)
        """How much of what was said does not fit a word."""
        self.past_questions: set[str] = set()
        self.guessed_words: list[str] = []
        self.confirmed_guess: str | None = None
        """A guess that was confirmed without gameover."""
        self.unclear_attribute: Attribute | None = None
        """What the last question asked for, if it was not understood."""

    def process_description(self, description: str) -> None:
        """Take in a description, or what an answer says beside yes and no: less sure than an answer."""
        for attribute, degree in read_statements(description):
            self.penalise_words(attribute, degree, 0.6)

    def process_answer(self, question: str, answer: str) -> None:
        """Take in the answer to a question of one's own."""
        degree = read_degree(answer)
        guessed_word = next(
            (name for name in read_words() if simplify_text(question).endswith(f"is it {name_word(name)}")), None
        )
        self.confirmed_guess = self.unclear_attribute = None
        if guessed_word:
            self.guessed_words.append(guessed_word)
            if asks_back(answer) and self.guessed_words.count(guessed_word) == 1:
                return  # nothing fits better still, so that it is asked again
            if degree is not None and degree.is_yes and self.guessed_words.count(guessed_word) <= MAX_END_REQUESTS:
                self.confirmed_guess = guessed_word
            else:  # also where it was confirmed again and again without an end: that "yes" was a mistake
                self.penalty_by_word[guessed_word] += 1 if degree is None else 100
            return
        if attribute := find_attribute(question):
            is_repeated = attribute.name in self.past_questions
            self.unclear_attribute = attribute if asks_back(answer) and not is_repeated else None
            self.past_questions.add(attribute.name)
            if degree is not None:
                self.penalise_words(attribute, degree, 1.0)
        self.process_description(answer.partition(",")[2])

    def penalise_words(self, fact: Attribute | Fact, degree: Degree, fact_weight: float) -> None:
        """Count against every word how far it is from what was said; next to it counts nothing."""
        for word in self.penalty_by_word:
            if word_degree := fact.truth_of(word):
                self.penalty_by_word[word] += (
                    fact_weight * max(0.0, abs(DEGREE_VALUES[word_degree] - DEGREE_VALUES[degree]) - 0.25) / 0.75
                )

    @property
    def words_left(self) -> list[str]:
        """Return the words that fit best."""
        least_penalty = min(self.penalty_by_word.values())
        return [word for word, penalty in self.penalty_by_word.items() if penalty < least_penalty + 0.3]

    def choose_question(self, rng: Random) -> str:
        """Return the next question: the one that halves what is left best, or a guess when few are left."""
        if self.unclear_attribute:
            return self.unclear_attribute.other_question
        words_left = self.words_left
        if self.confirmed_guess:
            return f"Then please end the game: is it {name_word(self.confirmed_guess)}?"
        if len(words_left) <= 2:
            return f"Is it {name_word(words_left[0])}?"
        names = find_halving_attributes(tuple(words_left), frozenset(self.past_questions))
        return read_attributes()[rng.choice(names)].question if names else f"Is it {name_word(rng.choice(words_left))}?"


@lru_cache(maxsize=4096)
def find_halving_attributes(words: tuple[str, ...], asked_attributes: frozenset[str]) -> tuple[str, ...]:
    """Return the attributes not asked yet that halve the words best; none where all words agree in all."""
    gain_by_attribute = {
        fact.name: _measure_halving(fact, words)
        for fact in read_attributes().values()
        if fact.name not in asked_attributes
    }
    best_gain = max(gain_by_attribute.values(), default=0.0)
    return tuple(name for name, gain in gain_by_attribute.items() if gain >= best_gain - 0.01) if best_gain > 0 else ()


def _measure_halving(attribute: Attribute, words_left: Sequence[str]) -> float:
    """Return how well an attribute halves words, 0.5 at best; those of which it is neither true nor false spoil it."""
    degrees = [attribute.truth_of(word) for word in words_left]
    yes_share, no_share = degrees.count(Degree.YES) / len(words_left), degrees.count(Degree.NO) / len(words_left)
    bonus = 0.05 if attribute.topic in ("kind", "size") else 0.0  # what people ask first, where it halves as well
    return min(yes_share, no_share) - 0.2 * (1 - yes_share - no_share) + (bonus if min(yes_share, no_share) else 0.0)


def name_word(word: str) -> str:
    """Return a word with its article."""
    return {"cattle": "cattle", "sea": "the sea"}.get(word) or add_article(word)


class Scripted(ScriptedSeat):
    """Asks or answers by the table."""

    async def reply(self, view: SeatView) -> Reply:
        """Return a reply in the format asked for."""
        word_search, question, secret_word, last_question = WordSearch(), "", "", ""
        for message in view.messages:
            question = message.text() if message.role == "assistant" else question
            for exhibit in message.content_parts(TextExhibit):
                secret_word = exhibit.text if exhibit.title == WORD_TITLE else secret_word
            for relayed_message in message.content_parts(RelayedMessage):
                if relayed_message.label == "Description":
                    word_search.process_description(relayed_message.text)
                elif relayed_message.label == "Answer":
                    word_search.process_answer(question, relayed_message.text)
                else:
                    last_question = relayed_message.text
        if self.seat == "questioner":
            return Reply(word_search.choose_question(view.random))
        answerer = Answerer(secret_word, isinstance(view.ask.format, OneOf))
        return Reply(answerer.answer_question(last_question) if last_question else answerer.describe_word())


def fallback(view: SeatView) -> str | None:
    """Return a question from the table, or an answer that says nothing; a description reads nothing of others."""
    if view.seat == "questioner":
        questions = [attribute.question for attribute in read_attributes().values()]
        return questions[view.ask.own_request_number % len(questions)]
    if view.ask.format == DESCRIPTION_FORMAT:
        return None
    return NO_WORD if isinstance(view.ask.format, OneOf) else UNSURE_ANSWER
