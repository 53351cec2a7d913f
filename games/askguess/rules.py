"""The rulebook of Ask-Guess: the answerer holds a word, the questioner finds it out in at most 30 questions.

Protocol after the GameEval paper, §3. What ends a game, and how, is in `judging.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.core.content import ContentPart, Progress, RelayedMessage, TextExhibit
from engine.core.debriefing import Debriefing, Panel
from engine.core.events import Json, Outcome
from engine.core.game import Experiment, Game, InstanceMaker, ScriptedPlayer, Variant
from engine.core.log import Log
from engine.core.prompts import Prompts
from engine.core.replies import ReplyFormat
from engine.core.table import Asking, Table
from games.askguess import instances
from games.askguess.instances import Instance
from games.askguess.judging import OUTCOMES, ROUNDS, answering, describing
from games.askguess.replies import ANSWER, DESCRIPTION, QUESTION, VERDICT
from games.common.words import find_mention

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
        holder: list[ContentPart] = [say("answerer"), TextExhibit(instance.word, WORD)]
        seeker: list[ContentPart] = [say("questioner", rounds=ROUNDS)]
        if table.variant == "described":
            text = yield from table.ask(ANSWERER, [*holder, say("describe")], DESCRIPTION)
            if ending := describing(text, instance.forms):
                return OUTCOMES[ending]
            holder = []
            seeker += [say("described"), RelayedMessage("Description", text, ANSWERER)]
        else:
            seeker.append(say("first"))
        reply: ReplyFormat[Any] = VERDICT if terse else ANSWER
        for number in range(1, ROUNDS + 1):
            left = Progress("questions", ROUNDS - number + 1, ROUNDS)
            question = yield from table.ask(QUESTIONER, seeker, QUESTION, progress=left)
            heard = [
                *holder,
                say("answer_yes_no" if terse else "answer"),
                RelayedMessage("Question", question, QUESTIONER),
            ]
            answer = yield from table.ask(ANSWERER, heard, reply)
            if ending := answering(number, question, answer, instance.forms):
                return OUTCOMES[ending]
            if find_mention(question, instance.forms):
                table.note("missed guess", {"round": number})
            holder, seeker = [], [RelayedMessage("Answer", answer, ANSWERER), say("next")]
        raise AssertionError("the last round always ends the game")

    def score(self, log: Log) -> Json:
        from games.askguess.scores import score

        return score(log)

    def summarise(self, scores: Sequence[Json | None]) -> Json:
        from games.askguess.scores import summary

        return summary(scores)

    def debrief(self, log: Log, scores: Json) -> Debriefing:
        from games.askguess.debrief import debrief

        return debrief(log, scores)

    def board(self, log: Log) -> list[Panel]:
        from games.askguess.board import watch

        return watch(log)

    def scripted_players(self) -> Mapping[str, ScriptedPlayer]:
        from games.askguess.scripted import PLAYERS

        return PLAYERS

    def instance_maker(self) -> InstanceMaker:
        from games.askguess import instances

        return instances


GAME = AskGuess()
