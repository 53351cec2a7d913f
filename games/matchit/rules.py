"""The rulebook of MatchIt: two seats, one picture or grid each; same or different? They may only talk.

Protocol and replies after the multimodal games paper, §4.2 and appendix C. With q questions each the asks are:
2 descriptions, 2q questions, 2q answers and 2 decisions. A never sees B's decision, nor B A's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from engine.core.clembench_mapping import ClembenchMapping
from engine.core.content import ContentPart, Picture, Progress, RelayedMessage, ShownPicture, TextExhibit
from engine.core.debriefing import Debriefing
from engine.core.events import Json, Lose, Outcome, Success
from engine.core.game import Experiment, Game, InstanceMaker, PicturePairMaker, ScriptedPlayer, Variant
from engine.core.log import Log
from engine.core.prompts import Prompts
from engine.core.replies import OneOf, Picked, Tagged, Text, either
from engine.core.table import Asking, Table
from engine.core.table import Settings as BaseSettings
from games.matchit import board, clembench, imported, instances, picture_sets
from games.matchit.instances import Instance

OTHER = {"A": "B", "B": "A"}

PICTURES = (
    "The pictures are a room, an everyday scene, a few solid objects, or a board with coloured pieces. Click or tap "
    "yours to see it large. Say what is there, how many, of what colour and where: near twins differ in one or two "
    "such things.",
    "A board has a few pieces of five squares each. A piece is named for short by the capital letter "
    "it looks most like, however it is turned or mirrored: F, I, L, N, P, T, U, V, W, X, Y or Z. The scripted partner "
    "uses these names, but understands colours and places as well.",
)


class Settings(BaseSettings):
    """`questions` each; `tell_limit` tells players how many; `early_decision` allows one in place of a question."""

    questions: Literal[1, 3, 5] = Field(3, title="Questions each")
    tell_limit: bool = Field(False, title="Players are told how many questions they have")
    early_decision: bool = Field(False, title="A decision may come instead of a question")


class Words:
    """How one modality is spoken of: what a seat has, and the reply formats that name it."""

    def __init__(self, thing: str, reply: str, shown: str) -> None:
        self.thing, self.things = thing, f"{thing}s"
        self.title = f"Your {thing}"
        self.description = Tagged(
            "DESCRIPTION",
            Text(label=f"Describe your {thing}", title="Describe what you have", submit="Send description"),
        )
        self.question = Tagged(
            "QUESTION",
            Text(label="Your question", lines=2, title="Ask your partner a question", submit="Send question"),
        )
        self.answer = Tagged(
            "ANSWER",
            Text(label="Your answer", lines=2, title="Answer your partner's question", submit="Send answer"),
        )
        self.decision = Tagged(
            "DECISION",
            OneOf(
                (f"same {reply}s", f"different {reply}s"),
                aliases=((f"same {reply}", f"same {reply}s"), (f"different {reply}", f"different {reply}s")),
                labels=(f"The same {shown}", f"Different {shown}s"),
                label=f"Are your {shown} and your partner's the same?",
                title="Decide",
            ),
        )
        self.question_or_decision = either(question=self.question, decision=self.decision)


WORDS = {"grid": Words("grid", "grid", "grid"), "picture": Words("picture", "image", "picture")}


class MatchIt(Game):
    """Same or different? Two players find out by talking."""

    name = "matchit"
    title = "MatchIt"
    blurb = "Two players, a picture or grid each. Same or different? Find out by talking."
    rules = (
        "You have a picture or a grid. So does your partner. You cannot see each other's, and the two may be the same, "
        "nearly the same or quite different.",
        "First each of you describes what you have, without having heard the other. Then you take turns: one asks a "
        "question, the other answers.",
        "When the questions are used up, each of you decides alone: the same, or different? You win together, and only "
        "if both decisions are right.",
    )
    version = 1
    leads = True
    seats = ("A", "B")
    settings = Settings
    prompts = Prompts.load(Path(__file__).parent / "prompts")
    variants = tuple(
        Variant(
            name,
            title,
            tuple(Experiment(experiment, instances.TITLES[experiment]) for experiment in instances.EXPERIMENTS[name]),
            pictures=name == "picture",
            rules=PICTURES if name == "picture" else (),
        )
        for name, title in (("text", "Text grids"), ("picture", "Pictures"))
    )

    def load(self, data: Json) -> Instance:
        """Return the instance; raises pydantic's ValidationError that names the field."""
        return instances.load(data)

    def play(self, table: Table, instance: Instance) -> Asking[Outcome]:
        """Describe, ask and answer in turn, decide."""
        decisions = yield from Round(table, instance).play()
        right = f"{instance.truth} "
        return Success() if all(decision.startswith(right) for decision in decisions.values()) else Lose()

    def settings_of(self, instance: Json) -> Json:
        """Return the settings that an imported instance is played with."""
        return clembench.settings(instance["theirs"]) if instance.get("theirs") else {}

    def picture(self, instance: Instance, asset: str) -> Picture:
        """Draw side A's or B's picture (asset "A" or "B")."""
        if asset not in self.seats:
            raise KeyError(asset)
        return board.picture(instance, asset)

    def unsupported_reason(self, instance: Instance) -> str | None:
        """Say which picture of an instance is not on this machine."""
        return picture_sets.lacks(instance)

    def score(self, log: Log) -> Json:
        from games.matchit.scores import score

        return score(log)

    def debrief(self, log: Log, scores: Json) -> Debriefing:
        from games.matchit.debrief import debrief

        return debrief(log, scores)

    def scripted_players(self) -> Mapping[str, ScriptedPlayer]:
        from games.matchit.scripted import PLAYERS

        return PLAYERS

    def instance_maker(self) -> InstanceMaker:
        from games.matchit import instances

        return instances

    def picture_pair_maker(self) -> PicturePairMaker:
        from games.matchit import picture_sets

        return picture_sets

    def clembench(self) -> ClembenchMapping:
        from games.matchit import clembench

        return clembench


class Round:
    """One episode: who has said what that the other has not been told yet, and how many questions each has left."""

    def __init__(self, table: Table, instance: Instance) -> None:
        self.table, self.instance = table, instance
        self.words: Any = WORDS["picture" if instance.text("A") is None else "grid"]
        theirs = getattr(instance, "theirs", None)
        self.brought = imported.Words(theirs, self.words) if theirs else None
        self.words = self.brought or self.words
        self.settings: Settings = table.settings
        self.left = dict.fromkeys("AB", self.settings.questions)
        self.untold: dict[str, list[ContentPart]] = {"A": [], "B": []}

    def play(self) -> Asking[dict[str, str]]:
        """Return the decision of each seat."""
        for seat in "AB":
            yield from self.describe(seat)
        asker, decided = "B", {}
        while any(self.left.values()):
            said = yield from self.question(asker)
            if isinstance(said, Picked):
                decided[asker] = said.value
                self.untold[OTHER[asker]].append(self.say("lapsed"))
                break
            yield from self.answer(OTHER[asker])
            asker = OTHER[asker]
        for seat in "BA":
            if seat not in decided:
                decided[seat] = yield from self.decide(seat)
        return decided

    def describe(self, seat: str) -> Asking[None]:
        """Show a seat what it has and take its description."""
        said: list[ContentPart] = [self.say("intro")]
        if self.settings.tell_limit:
            count = self.settings.questions
            said.append(self.say("limit", questions=f"{count} question" + "s" * (count != 1)))
        shown: Sequence[ShownPicture] = ()
        grid = self.instance.text(seat)
        if grid is None:
            shown = (ShownPicture(seat, self.words.title),)
        else:
            said.append(TextExhibit(grid, self.words.title))
        said.append(self.say("describe"))
        if self.brought:
            said = [self.brought.begin(grid)]
        text = yield from self.table.ask(
            seat, said, self.words.description, pictures=shown, progress=self.progress(seat)
        )
        self.untold[OTHER[seat]].append(RelayedMessage("Description", text, seat))

    def question(self, seat: str) -> Asking[str | Picked[Any]]:
        """Take a seat's question, or its decision where it may decide early."""
        progress = self.progress(seat)
        self.left[seat] -= 1
        if self.settings.early_decision:
            said = self.told(seat, "question_or_decision")
            pick: Picked[Any] = yield from self.table.ask(
                seat, said, self.words.question_or_decision, progress=progress
            )
            if pick.name == "decision":
                return pick
            text = str(pick.value)
        else:
            text = yield from self.table.ask(seat, self.told(seat, "question"), self.words.question, progress=progress)
        self.untold[OTHER[seat]].append(RelayedMessage("Question", text, seat))
        return str(text)

    def answer(self, seat: str) -> Asking[None]:
        """Take a seat's answer to the question it has just been told."""
        said = self.told(seat, "answer")
        text = yield from self.table.ask(seat, said, self.words.answer, progress=self.progress(seat))
        self.untold[OTHER[seat]].append(RelayedMessage("Answer", text, seat))

    def decide(self, seat: str) -> Asking[str]:
        """Take a seat's decision."""
        said = self.told(seat, "decide")
        decision: str = yield from self.table.ask(seat, said, self.words.decision, progress=self.progress(seat))
        return decision

    def told(self, seat: str, key: str) -> list[ContentPart]:
        """Return what the seat has not been told yet, then the prompt."""
        untold, self.untold[seat] = self.untold[seat], []
        return [self.brought.told(untold, key)] if self.brought else [*untold, self.say(key)]

    def say(self, key: str, **places: object) -> str:
        """Return a prompt about grids or pictures."""
        return self.table.prompts(key, thing=self.words.thing, things=self.words.things, **places)

    def progress(self, seat: str) -> Progress:
        """Return how many questions the seat has left."""
        return Progress("questions", self.left[seat], self.settings.questions)


GAME = MatchIt()
