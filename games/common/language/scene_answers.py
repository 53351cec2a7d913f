"""Answers questions about a picture of a scene from its description: the kinds of questions, in the order of trial.

Every answer begins with what was asked. Where the description cannot tell, the answer says "I am not sure" and what is
known; it never denies what may only be missing from the description. What evaluates a kind of question is in the module
of its family: `claim_answers`, `comparison_answers`, `thing_answers`, `name_answers`, `seen_answers`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from games.common.language import claim_answers, comparison_answers, name_answers, seen_answers, thing_answers
from games.common.language.claims import Answer, Phrase, Question, Truth
from games.common.language.grammar import read_text
from games.common.language.scene_wording import SceneDescriber, unsure
from games.common.language.things import vocabulary
from games.common.language.tokens import MAX_LENGTH
from games.common.language.wording import capitalise
from games.common.language.writing_answers import answer_writing

NOT_UNDERSTOOD = "I did not understand the question"


def refuse_unread(speaker: SceneDescriber, question: Question) -> Answer | None:
    """Answer "what is the eye colour of the cat": a word that was not understood may decide."""
    if not question.claims and question.kind != "what":
        return unsure(NOT_UNDERSTOOD)
    if not question.unparsed_words:
        return None
    return speaker.unsure_of(question.claims[0].subject if question.claims else Phrase())


class QuestionType(NamedTuple):
    """A kind of question: how the grammar reads it, an example, and what answers it, or returns None for another."""

    forms: str
    example: str
    answer: Callable[[SceneDescriber, Question], Answer | None]


ALL = "polar choice number place what kind"
QUESTION_TYPES = (
    QuestionType("kind", "What shapes are there?", thing_answers.list_looks),
    QuestionType(ALL, "What is the eye colour of the cat?", refuse_unread),
    QuestionType(ALL, "Which cone is not yellow?", thing_answers.answer_others),
    QuestionType(ALL, "What is on the screen?", seen_answers.answer_shown),
    QuestionType(ALL, "Is the cat lying down?", seen_answers.answer_posture),
    QuestionType("polar choice number", "Are there more chairs than tables?", comparison_answers.compare_numbers),
    QuestionType("choice", "Are there two or three chairs?", comparison_answers.answer_offered_number),
    QuestionType("what", "What is nearest to the ring?", comparison_answers.name_nearest),
    QuestionType("what", "Which is further left, the mat or the ball?", comparison_answers.choose_extreme),
    QuestionType("polar", "Do you see the biggest toy?", comparison_answers.name_extreme),
    QuestionType("polar", "Is the orange cube the biggest object?", comparison_answers.answer_whether_extreme),
    QuestionType("polar", "Is the cushion the only thing on the sofa?", claim_answers.answer_whether_only),
    QuestionType("polar", "Do the chairs have the same colour?", comparison_answers.compare_looks),
    QuestionType("polar", "Is anybody watching?", claim_answers.deny_people),
    QuestionType("polar", "Is there a cat on the sofa?", claim_answers.answer_claims),
    QuestionType("choice", "Is the lamp on the left or on the right?", claim_answers.answer_choice),
    QuestionType("number", "How many chairs are red?", thing_answers.answer_number),
    QuestionType("place what kind", "What kind of room is it?", thing_answers.answer_whole_place),
    QuestionType("kind", "What shape is left of the cube?", name_answers.name_solid),
    QuestionType("kind", "What colour is the sofa?", thing_answers.answer_look),
    QuestionType("place", "Where is the cat?", thing_answers.answer_place),
    QuestionType("what", "On which shelf is the globe?", name_answers.name_support),
    QuestionType("what", "In what order are the balloons?", name_answers.name_in_order),
    QuestionType("what", "Which cube is the largest?", comparison_answers.name_extreme),
    QuestionType("what", "Who is on the bench?", name_answers.name_living),
    QuestionType("what", "What is on the table?", name_answers.name_related),
    QuestionType("what", "What are the purple things?", name_answers.describe_things),
    QuestionType("what more", "What can you see?", name_answers.name_largest),
)
"""The kinds of questions; the first that has an answer gives it."""


class SceneAnswerer(SceneDescriber):
    """Answers questions about one picture."""

    def reply_to(self, question_text: str) -> str:
        """Return the answer to what somebody asks, in words."""
        cut_note = f"I only read the first {MAX_LENGTH:,} characters. " if len(question_text) > MAX_LENGTH else ""
        sentences = re.split(r"(?<=[.!?\n])\s+", question_text[:MAX_LENGTH].strip())
        writing_answers = [answer_writing(self.scene, sentence) for sentence in sentences]
        if any(writing_answers):
            replies = [
                f"{capitalise(answer.text)}." if answer else self._answer_all(find_questions(sentence))
                for answer, sentence in zip(writing_answers, sentences, strict=True)
            ]
            return cut_note + " ".join(list(dict.fromkeys(filter(None, replies)))[:2])
        questions = find_questions(question_text) or find_questions(question_text, only_questions=True)
        return cut_note + (self._answer_all(questions) or "I did not understand that question.")

    def _answer_all(self, questions: Sequence[Question]) -> str:
        """Return the answers to the first two questions as sentences, "" without a question."""
        return " ".join(dict.fromkeys(f"{capitalise(self.answer(question).text)}." for question in questions[:2]))

    def answer(self, question: Question) -> Answer:
        """Return the answer to a question, to the open one where the answers that it offers may not be so."""
        if not question.unparsed_words and question.claims and seen_answers.is_only_placed(self, question):
            question = replace(question, action="")
        answers = (kind.answer(self, question) for kind in QUESTION_TYPES if question.kind in kind.forms.split())
        answer = next(filter(None, answers), unsure(NOT_UNDERSTOOD * (question.kind != "text")))
        open_question = question.open_question if answer.truth is Truth.UNKNOWN else None
        return self.answer(open_question) if open_question else answer


def find_questions(text: str, *, only_questions: bool = False) -> list[Question]:
    """Return the questions of a text that ask something; `only_questions`: whether all of it asks."""
    questions = read_text(text, vocabulary(), only_questions=only_questions).questions
    return [question for question in questions if question.claims or question.kind != "unknown"]
