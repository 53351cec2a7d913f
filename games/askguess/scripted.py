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
from games.askguess.answering import UNKNOWN, Answers
from games.askguess.instances import WORD_TITLE
from games.askguess.listening import VALUES, attribute_of, plain_words, statements, truth_said
from games.askguess.replies import DESCRIPTION, NO
from games.askguess.vocabulary import Attribute, attributes, words
from games.common.language.facts import Degree, Fact
from games.common.language.wording import add_article
from games.common.scripted_seat import ScriptedSeat

ASKS_FOR_THE_END = 2
"""So often a guess that was confirmed is named again, before the confirmation counts as a mistake."""


class Hunt:
    """What is left of the 100 words after what was said, and the next question."""

    def __init__(self) -> None:
        self.wrong = dict.fromkeys(words(), 0.0)
        """How much of what was said does not fit a word."""
        self.past_questions: set[str] = set()
        self.guessed: list[str] = []
        self.again: str | None = None
        """A guess that was confirmed without gameover."""

    def describe(self, text: str) -> None:
        """Take in a description, or what an answer says beside yes and no: less sure than an answer."""
        for attribute, truth in statements(text):
            self.weigh(attribute, truth, 0.6)

    def hear(self, question: str, answer: str) -> None:
        """Take in the answer to a question of one's own."""
        truth = truth_said(answer)
        guess = next((name for name in words() if plain_words(question).endswith(f"is it {naming(name)}")), None)
        self.again = None
        if guess:
            self.guessed.append(guess)
            if truth is not None and truth.leans and self.guessed.count(guess) <= ASKS_FOR_THE_END:
                self.again = guess
            else:  # also where it was confirmed again and again without an end: that "yes" was a mistake
                self.wrong[guess] += 1 if truth is None else 100
            return
        if attribute := attribute_of(question):
            self.past_questions.add(attribute.name)
            if truth is not None:
                self.weigh(attribute, truth, 1.0)
        self.describe(answer.partition(",")[2])

    def weigh(self, fact: Attribute | Fact, truth: Degree, weight: float) -> None:
        """Count against every word how far it is from what was said; next to it counts nothing."""
        for word in self.wrong:
            if own_truth := fact.truth_of(word):
                self.wrong[word] += weight * max(0.0, abs(VALUES[own_truth] - VALUES[truth]) - 0.25) / 0.75

    @property
    def left(self) -> list[str]:
        """Return the words that fit best."""
        least = min(self.wrong.values())
        return [word for word, wrong in self.wrong.items() if wrong < least + 0.3]

    def question(self, rng: Random) -> str:
        """Return the next question: the one that halves what is left best, or a guess when few are left."""
        left = self.left
        if self.again:
            return f"Then please end the game: is it {naming(self.again)}?"
        if len(left) <= 2:
            return f"Is it {naming(left[0])}?"
        best = halving(tuple(left), frozenset(self.past_questions))
        return attributes()[rng.choice(best)].question if best else f"Is it {naming(rng.choice(left))}?"


@lru_cache(maxsize=4096)
def halving(left: tuple[str, ...], past: frozenset[str]) -> tuple[str, ...]:
    """Return the attributes not asked yet that halve the words best; none where all words agree in all."""
    worth = {item.name: _halves(item, left) for item in attributes().values() if item.name not in past}
    best = max(worth.values(), default=0.0)
    return tuple(name for name, value in worth.items() if value >= best - 0.01) if best > 0 else ()


def _halves(attribute: Attribute, left: Sequence[str]) -> float:
    """Return how well an attribute halves words, 0.5 at best; those of which it is neither true nor false spoil it."""
    truths = [attribute.truth_of(word) for word in left]
    yes, no = truths.count(Degree.YES) / len(left), truths.count(Degree.NO) / len(left)
    plainly = 0.05 if attribute.topic in ("kind", "size") else 0.0  # what people ask first, where it halves as well
    return min(yes, no) - 0.2 * (1 - yes - no) + (plainly if min(yes, no) else 0.0)


def naming(word: str) -> str:
    """Return a word with its article."""
    return {"cattle": "cattle", "sea": "the sea"}.get(word) or add_article(word)


class Scripted(ScriptedSeat):
    """Asks or answers by the table."""

    async def reply(self, view: SeatView) -> Reply:
        """Return a reply in the format asked for."""
        hunt, question, word, last_question = Hunt(), "", "", ""
        for message in view.messages:
            question = message.text() if message.role == "assistant" else question
            for exhibit in message.content_parts(TextExhibit):
                word = exhibit.text if exhibit.title == WORD_TITLE else word
            for relayed in message.content_parts(RelayedMessage):
                if relayed.label == "Description":
                    hunt.describe(relayed.text)
                elif relayed.label == "Answer":
                    hunt.hear(question, relayed.text)
                else:
                    last_question = relayed.text
        if self.seat == "questioner":
            return Reply(hunt.question(view.random))
        holder = Answers(word, isinstance(view.ask.format, OneOf))
        return Reply(holder.answer(last_question) if last_question else holder.describe())


def fallback(view: SeatView) -> str | None:
    """Return a question from the table, or an answer that says nothing; a description reads nothing of others."""
    if view.seat == "questioner":
        questions = [attribute.question for attribute in attributes().values()]
        return questions[view.ask.own_number % len(questions)]
    if view.ask.format == DESCRIPTION:
        return None
    return NO if isinstance(view.ask.format, OneOf) else UNKNOWN
