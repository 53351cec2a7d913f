"""The rulebook of Ask-Guess: the answerer has a word, the questioner finds it in at most 30 questions.

The protocol follows the GameEval paper, §3. `judging.py` says what ends a game, and how.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.core.briefing import Briefings
from engine.core.content import ContentPart, Progress, RelayedMessage, TextExhibit
from engine.core.events import Json, Outcome
from engine.core.game import Experiment, Game, InstanceMaker, ScriptedPlayer, Variant
from engine.core.prompts import Prompts
from engine.core.replies import ReplyFormat
from engine.core.table import Asking, Table
from games.askguess import instances
from games.askguess.instances import WORD_TITLE, Instance
from games.askguess.judging import (
    ANSWERER_SEAT,
    MAX_ROUNDS,
    OUTCOME_BY_ENDING,
    QUESTIONER_SEAT,
    find_description_ending,
    find_round_ending,
)
from games.askguess.replies import DESCRIPTION_FORMAT, QUESTION_FORMAT, make_answer_format, make_verdict_format
from games.common.words import find_mention

if TYPE_CHECKING:
    from engine.core.debriefing import Debriefing, Panel
    from engine.core.gameeval import GameEvalResult
    from engine.core.log import Log

EXPERIMENTS = tuple(Experiment(name, title) for name, title in instances.EXPERIMENTS.items())
VARIANT_TEXTS = {
    "described": (
        "With a description",
        "First the answerer describes the word in one or two sentences, without saying it.",
    ),
    "undescribed": ("Without a description", "The questioner starts without any information."),
    "yes-no": ("Yes or no", "The questioner starts without any information, and every answer is yes, no or gameover."),
}


class AskGuess(Game):
    """Find a secret word by asking questions."""

    name = "askguess"
    title = "Ask-Guess"
    blurb = "One player has a secret word, and the other finds it by asking questions."
    tagline = "Find the secret word by asking questions."
    rules = (
        "The answerer has a secret word. The questioner asks one question after another, with as few questions as "
        "possible, and the answerer answers truthfully.",
        "When the questioner says the word in a question, the answerer says gameover, and you win together. The button "
        "“Correct, that is the word” does this. You lose if the questioner does not find the word in 30 questions, or "
        "if the answerer says gameover at any other time.",
        "The answerer must never say the word, in any form, singular or plural: that ends the game without a score. "
        "The page does not stop you.",
    )
    briefings = Briefings(Path(__file__).parent)
    minutes = 3
    version = 1
    clemscore = False
    seats = (QUESTIONER_SEAT, ANSWERER_SEAT)
    prompts = Prompts.load(Path(__file__).parent / "prompts")
    variants = tuple(Variant(name, title, EXPERIMENTS, rules=(rule,)) for name, (title, rule) in VARIANT_TEXTS.items())

    def load(self, data: Json) -> Instance:
        """Return the instance; raises pydantic's ValidationError that names the field."""
        return instances.load(data)

    def play(self, table: Table, instance: Instance) -> Asking[Outcome]:
        """Describe where the variant says so, then ask and answer until the game ends."""
        prompt, is_yes_no = table.prompts, table.variant == "yes-no"
        answerer_parts: list[ContentPart] = [prompt("answerer"), TextExhibit(instance.word, WORD_TITLE)]
        questioner_parts: list[ContentPart] = [prompt("questioner", rounds=MAX_ROUNDS)]
        if table.variant == "described":
            description = yield from table.ask(ANSWERER_SEAT, [*answerer_parts, prompt("describe")], DESCRIPTION_FORMAT)
            if ending_code := find_description_ending(description, instance.forms):
                return OUTCOME_BY_ENDING[ending_code]
            answerer_parts = []
            questioner_parts += [prompt("described"), RelayedMessage("Description", description, ANSWERER_SEAT)]
        else:
            questioner_parts.append(prompt("first"))
        reply_format: ReplyFormat[str] = make_verdict_format(prompt) if is_yes_no else make_answer_format(prompt)
        for round_number in range(1, MAX_ROUNDS + 1):
            questions_left = Progress("questions", MAX_ROUNDS - round_number + 1, MAX_ROUNDS)
            question = yield from table.ask(QUESTIONER_SEAT, questioner_parts, QUESTION_FORMAT, progress=questions_left)
            answerer_parts += [
                prompt("answer_yes_no" if is_yes_no else "answer"),
                RelayedMessage("Question", question, QUESTIONER_SEAT),
            ]
            answer = yield from table.ask(ANSWERER_SEAT, answerer_parts, reply_format)
            if ending_code := find_round_ending(round_number, question, answer, instance.forms):
                return OUTCOME_BY_ENDING[ending_code]
            if find_mention(question, instance.forms):
                table.record_note("missed guess", {"round": round_number})
            answerer_parts, questioner_parts = [], [RelayedMessage("Answer", answer, ANSWERER_SEAT), prompt("next")]
        raise AssertionError("the last round always ends the game")

    def score(self, log: Log) -> Json:
        from games.askguess.scores import score

        return score(log).as_json()

    def summarise(self, scores: Sequence[Json | None]) -> Json:
        from games.askguess.scores import summarise

        return summarise(scores)

    def debrief(self, log: Log, scores: Json) -> Debriefing:
        from games.askguess.debrief import debrief
        from games.askguess.scores import Scores

        return debrief(log, Scores.from_json(scores))

    def board(self, log: Log) -> list[Panel]:
        from games.askguess.board import make_board_panels

        return make_board_panels(log)

    def make_gameeval_result(self, log: Log) -> GameEvalResult:
        from games.askguess.gameeval import make_gameeval_result

        return make_gameeval_result(log)

    def scripted_players(self) -> Mapping[str, ScriptedPlayer]:
        return {
            "scripted": ScriptedPlayer.from_module(
                "games.askguess.scripted", "halves what is left; answers what it understands"
            ),
        }

    def instance_maker(self) -> InstanceMaker:
        return instances


GAME = AskGuess()
