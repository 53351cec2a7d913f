"""The rulebook of Ask-Guess: the answerer holds a word, the questioner finds it out in at most 30 questions.

Protocol after the GameEval paper, §3. What ends a game, and how, is in `judging.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.core.events import Json, Outcome
from engine.core.game import Asking, Exhibit, Experiment, Game, Part, Progress, Prompts, Quote, Table, Variant
from engine.core.replies import ReplyFormat
from games.askguess import instances
from games.askguess.instances import Instance
from games.askguess.judging import OUTCOMES, ROUNDS, answering, describing
from games.askguess.replies import ANSWER, DESCRIPTION, QUESTION, VERDICT
from games.common.words import mention

QUESTIONER, ANSWERER = "questioner", "answerer"
WORD = "Your word"
VARIANTS = {
    "described": (
        "With a description",
        "First the answerer describes the word in a sentence or two, without saying it.",
    ),
    "undescribed": ("Without a description", "The questioner begins without knowing anything."),
    "yes-no": ("Yes or no", "The questioner begins without knowing anything, and every answer is yes, no or gameover."),
}


class AskGuess(Game):
    """Guess a word by asking."""

    name = "askguess"
    title = "Ask-Guess"
    blurb = "One has a secret word, the other finds it out with questions."
    rules = (
        "The answerer has a secret word: an animal, a thing, a plant, a place or a person. The questioner asks one "
        "question after another, and the answerer answers truthfully.",
        "When the questioner names the word in a question, the answerer says gameover, and you win together. You lose "
        "when the word is not found in 30 questions, or when gameover is said at any other time.",
        "The answerer never says the word, in no form, singular or plural: that ends the game without a score. "
        "The page does not watch over this.",
    )
    version = 1
    clemscore = False
    seats = (QUESTIONER, ANSWERER)
    prompts = Prompts.load(Path(__file__).parent / "prompts")
    variants = tuple(
        Variant(name, title, tuple(Experiment(*named) for named in instances.EXPERIMENTS.items()), rules=(rule,))
        for name, (title, rule) in VARIANTS.items()
    )

    def load(self, data: Json) -> Instance:
        """Return the instance; raises pydantic's ValidationError that names the field."""
        return instances.load(data)

    def play(self, table: Table, instance: Instance) -> Asking[Outcome]:
        """Describe where the variant says so, then ask and answer until the game ends."""
        say, terse = table.prompts, table.variant == "yes-no"
        holder: list[Part] = [say("answerer"), Exhibit(instance.word, WORD)]
        seeker: list[Part] = [say("questioner", rounds=ROUNDS)]
        if table.variant == "described":
            text = yield from table.ask(ANSWERER, [*holder, say("describe")], DESCRIPTION)
            if ending := describing(text, instance.forms):
                return OUTCOMES[ending]
            holder = []
            seeker += [say("described"), Quote("Description", text, ANSWERER)]
        else:
            seeker.append(say("first"))
        reply: ReplyFormat[Any] = VERDICT if terse else ANSWER
        for number in range(1, ROUNDS + 1):
            left = Progress("questions", ROUNDS - number + 1, ROUNDS)
            question = yield from table.ask(QUESTIONER, seeker, QUESTION, progress=left)
            heard = [*holder, say("answer_yes_no" if terse else "answer"), Quote("Question", question, QUESTIONER)]
            answer = yield from table.ask(ANSWERER, heard, reply)
            if ending := answering(number, question, answer, instance.forms):
                return OUTCOMES[ending]
            if mention(question, instance.forms):
                table.note("missed guess", {"round": number})
            holder, seeker = [], [Quote("Answer", answer, ANSWERER), say("next")]
        raise AssertionError("the last round always ends the game")


GAME = AskGuess()
