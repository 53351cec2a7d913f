"""The rulebook of MatchIt: two seats with a picture or grid each find out by talking whether the two are the same.

Protocol and replies follow the multimodal games paper, §4.2 and appendix C. With q questions each there are 2
descriptions, 2q questions, 2q answers and 2 decisions. Neither seat learns the other's decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from engine.core.briefing import Briefings
from engine.core.content import ContentPart, Picture, Progress, RelayedMessage, ShownPicture
from engine.core.events import Json, Lose, Outcome, Success, digest
from engine.core.game import Experiment, Game, InstanceMaker, PicturePairMaker, ScriptedPlayer, Variant
from engine.core.prompts import Prompts
from engine.core.replies import PickedAlternative
from engine.core.table import Ask, Asking, Table, setting_off_by_default
from engine.core.table import Settings as BaseSettings
from games.matchit import clembench, experiments
from games.matchit.imported import ImportedPrompts
from games.matchit.native import NativePrompts, Noun

if TYPE_CHECKING:
    from engine.core.clembench_mapping import ClembenchMapping
    from engine.core.debriefing import Debriefing
    from engine.core.log import Log
    from games.matchit.instances import Instance

PARTNER_BY_SEAT = {"A": "B", "B": "A"}

PICTURES_NOTE = (
    "A picture shows a room, an everyday scene, a few solid objects, or a board with coloured pieces. Click or tap "
    "your picture to enlarge it. Say what is there, how many, what colour and where. Similar pictures differ in only "
    "one or two such details.",
    "A board has a few pieces of five squares each. Each piece is named after the capital letter that it looks most "
    "like, even when it is turned or mirrored: F, I, L, N, P, T, U, V, W, X, Y or Z. The scripted partner uses these "
    "names, but it also understands colours and positions.",
)


class Settings(BaseSettings):
    """`tell_limit` tells the players how many questions they have. `early_decision` allows a decision as a question.

    `example` puts an example of a dialogue into the first prompt.
    """

    questions: Literal[1, 3, 5] = Field(3, title="Questions per player")
    tell_limit: bool = Field(False, title="Players know the number of questions")
    early_decision: bool = Field(False, title="Players can decide early")
    example: bool = setting_off_by_default("Prompt includes an example game")


class MatchIt(Game):
    """A game for two: find out by talking whether both have the same picture or grid."""

    name = "matchit"
    title = "MatchIt"
    blurb = "Two players each have a picture or grid. Are the two the same? Find out by talking."
    tagline = "Are your two pictures the same? Find out by talking."
    rules = (
        "You and your partner each have a picture or a grid. You cannot see each other's. The two may be the same, "
        "similar or very different.",
        "First, you each describe what you have, without reading the other description. Then you take turns asking and "
        "answering questions.",
        "When there are no questions left, you each decide alone: the same or different? You win together, and only if "
        "both decisions are right.",
    )
    briefings = Briefings(Path(__file__).parent)
    minutes = 4
    version = 1
    leads = True
    simultaneous_moves = True
    experiment_is_answer = True
    seats = ("A", "B")
    settings = Settings
    prompts = Prompts.load(Path(__file__).parent / "prompts")
    variants = tuple(
        Variant(
            variant_name,
            variant_title,
            tuple(
                Experiment(experiment, experiments.TITLE_BY_EXPERIMENT[experiment])
                for experiment in experiments.EXPERIMENTS[variant_name]
            ),
            pictures=variant_name == "picture",
            rules=PICTURES_NOTE if variant_name == "picture" else (),
        )
        for variant_name, variant_title in (("text", "Text grids"), ("picture", "Pictures"))
    )

    def load(self, data: Json) -> Instance:
        """Return an instance. Raises pydantic's ValidationError with the field."""
        from games.matchit.instances import load  # late, as all that playing alone takes

        return load(data)

    def play(self, table: Table, instance: Instance) -> Asking[Outcome]:
        """Let both seats describe, ask and answer in turn, and decide."""
        decisions = yield from MatchDialogue(table, instance).play()
        is_correct = [decision.startswith(f"{instance.expected_decision} ") for decision in decisions.values()]
        return Success() if all(is_correct) else Lose()

    def stimuli(self, instance: Json) -> Iterable[str]:
        return {digest(content) for field_name, content in instance.items() if field_name in ("a", "b")}

    def settings_of(self, instance: Json) -> Json:
        """Return the settings that an imported instance is played with."""
        return clembench.settings(instance["theirs"]) if instance.get("theirs") else {}

    def picture(self, instance: Instance, asset: str) -> Picture:
        """Return the picture of seat A or B (asset "A" or "B")."""
        if asset not in self.seats:
            raise KeyError(asset)
        from games.matchit.board import make_picture

        return make_picture(instance, asset)

    def prompts_for(self, prompts: Prompts, variant: str, settings: Settings, instance: Instance) -> NativePrompts:
        """Return our prompts and reply formats, or those of an imported instance."""
        noun: Noun = "picture" if instance.text("A") is None else "grid"
        if instance.kind == "imported" and instance.clembench_instance:
            return ImportedPrompts(prompts, noun, instance.clembench_instance)
        stated_limit = settings.questions if settings.tell_limit else None
        return NativePrompts(prompts, noun, stated_limit, has_example=settings.example)

    def unsupported_reason(self, instance: Instance) -> str | None:
        """Return which picture of an instance is missing on this machine, None if all are here."""
        from games.matchit.board import find_missing_picture

        return find_missing_picture(instance)

    def score(self, log: Log) -> Json:
        from games.matchit.scores import score

        return score(log).as_json()

    def debrief(self, log: Log, scores: Json) -> Debriefing:
        from games.matchit.debrief import debrief
        from games.matchit.scores import Scores

        return debrief(log, Scores.from_json(scores))

    def scripted_players(self) -> Mapping[str, ScriptedPlayer]:
        return {
            "scripted": ScriptedPlayer.from_module(
                "games.matchit.scripted", "plays sensibly; pictures by their description"
            ),
        }

    def instance_maker(self) -> InstanceMaker:
        from games.matchit import instances

        return instances

    def picture_pair_maker(self) -> PicturePairMaker:
        from games.matchit import picture_sets

        return picture_sets

    def clembench(self) -> ClembenchMapping:
        return clembench


class MatchDialogue:
    """One episode in progress: the messages that a seat has not received yet, and the questions it has left."""

    def __init__(self, table: Table, instance: Instance) -> None:
        self.table, self.instance = table, instance
        self.prompts: NativePrompts = table.prompts
        self.reply_formats = self.prompts.reply_formats
        self.settings: Settings = table.settings
        self.questions_left = dict.fromkeys("AB", self.settings.questions)
        self.pending_content: dict[str, list[ContentPart]] = {"A": [], "B": []}

    def play(self) -> Asking[dict[str, str]]:
        """Return the decision of each seat."""
        for seats in self.group_seats("AB"):
            yield from self.collect_descriptions(seats)
        decisions: dict[str, str] = {}
        asker = "B"
        while any(self.questions_left.values()):
            reply_value = yield from self.ask_question(asker)
            if isinstance(reply_value, PickedAlternative):
                decisions[asker] = reply_value.value
                self.pending_content[PARTNER_BY_SEAT[asker]].append(self.prompts.fill_prompt("lapsed"))
                break
            yield from self.relay_answer(PARTNER_BY_SEAT[asker])
            asker = PARTNER_BY_SEAT[asker]
        for seats in self.group_seats([seat for seat in "BA" if seat not in decisions]):
            decisions |= yield from self.collect_decisions(seats)
        return decisions

    def group_seats(self, seats: Sequence[str]) -> Iterable[Sequence[str]]:
        """Return seats whose moves do not depend on each other in groups that are asked at the same time."""
        return (seats,) if self.table.simultaneous else seats

    def collect_descriptions(self, seats: Sequence[str]) -> Asking[None]:
        """Show each of these seats its grid or picture and relay its description."""
        description_requests = []
        for seat in seats:
            grid_text = self.instance.text(seat)
            pictures = () if grid_text is not None else (ShownPicture(seat, self.prompts.title),)
            description_requests.append(
                Ask(
                    seat,
                    self.prompts.write_first_prompt(grid_text),
                    self.reply_formats.description,
                    pictures=pictures,
                    progress=self.make_question_progress(seat),
                )
            )
        descriptions = yield from self.table.together(description_requests)
        for seat, description in zip(seats, descriptions, strict=True):
            self.relay_reply(seat, "Description", description)

    def ask_question(self, seat: str) -> Asking[str | PickedAlternative[Any]]:
        """Relay a seat's question and return it, or return its decision where it may decide early."""
        progress = self.make_question_progress(seat)
        self.questions_left[seat] -= 1
        if self.settings.early_decision:
            content = self.write_next_prompt(seat, "question_or_decision")
            picked_reply: PickedAlternative[Any] = yield from self.table.ask(
                seat, content, self.reply_formats.question_or_decision, progress=progress
            )
            if picked_reply.name == "decision":
                return picked_reply
            question_text = str(picked_reply.value)
        else:
            content = self.write_next_prompt(seat, "question")
            question_text = yield from self.table.ask(seat, content, self.reply_formats.question, progress=progress)
        self.relay_reply(seat, "Question", question_text)
        return question_text

    def relay_answer(self, seat: str) -> Asking[None]:
        """Relay a seat's answer to the question that its partner has just asked."""
        content = self.write_next_prompt(seat, "answer")
        text = yield from self.table.ask(
            seat, content, self.reply_formats.answer, progress=self.make_question_progress(seat)
        )
        self.relay_reply(seat, "Answer", text)

    def collect_decisions(self, seats: Sequence[str]) -> Asking[dict[str, str]]:
        """Return the decision of each of these seats."""
        decisions = yield from self.table.together(
            [
                Ask(
                    seat,
                    self.write_next_prompt(seat, "decide"),
                    self.reply_formats.decision,
                    progress=self.make_question_progress(seat),
                )
                for seat in seats
            ]
        )
        return dict(zip(seats, decisions, strict=True))

    def relay_reply(self, seat: str, label: str, reply_text: str) -> None:
        """Add a seat's reply to what its partner will be told next."""
        self.pending_content[PARTNER_BY_SEAT[seat]].append(RelayedMessage(label, reply_text, seat))

    def write_next_prompt(self, seat: str, request_key: str) -> list[ContentPart]:
        """Return the pending messages of a seat and the request that follows."""
        messages, self.pending_content[seat] = self.pending_content[seat], []
        return self.prompts.write_next_prompt(messages, request_key)

    def make_question_progress(self, seat: str) -> Progress:
        """Return how many questions the seat has left."""
        return Progress("questions", self.questions_left[seat], self.settings.questions)


GAME = MatchIt()
