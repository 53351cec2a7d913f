"""The rulebook of TofuKingdom: the Prince questions seven people, one of them twice, and names the Princess.

The protocol follows the GameEval paper, §3: the player to whom the extra question is put answers it; whether answers
are the truth or the lie that their camp owes is recorded, not enforced.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.core.briefing import Briefings
from engine.core.content import ContentPart, Progress, RelayedMessage, SeatOverview, SeatStatus, TextExhibit
from engine.core.events import Decided, Json, Outcome
from engine.core.game import Experiment, Game, InstanceMaker, ScriptedPlayer, Variant
from engine.core.prompts import Prompts
from engine.core.replies import JsonObject, Text, json_object, one_of
from engine.core.table import Asking, Random, Table, setting_off_by_default
from engine.core.table import Settings as BaseSettings
from games.common.reasoning import make_thought_format
from games.tofukingdom import instances
from games.tofukingdom.instances import CAMPS, PRINCE_ROLE, PRINCE_SEAT, ROLES, SEAT_NAMES, Instance, find_camp
from games.tofukingdom.log_views import Choice, RolesNote
from games.tofukingdom.reading import OTHER_KIND, OWN_KIND, PRINCESS_KIND, Question, parse_question
from games.tofukingdom.replies import QuestionFormat

if TYPE_CHECKING:
    from engine.core.debriefing import Debriefing, Panel
    from engine.core.gameeval import GameEvalResult
    from engine.core.log import Log

EXPERIMENTS = tuple(Experiment(name, title) for name, title in instances.EXPERIMENTS.items())
DUTY_BY_CAMP = {"prince": "truth", "queen": "lie", "spy": "free"}
"""What a camp owes the Prince; the prompts that say so have the same names."""
REMINDER_BY_DUTY = {
    "truth": "You must tell the truth.",
    "lie": "You must lie.",
    "free": "You may tell the truth or lie.",
}

ReplyObject = dict[str, str]
"""An accepted JSON object by its keys."""


class Settings(BaseSettings):
    """Whether models must reason before they ask, answer and choose."""

    reasoning: bool = setting_off_by_default("Models are told to reason before they speak")


class TofuKingdom(Game):
    """Who is the Princess? Some people must tell the truth, others must lie."""

    name = "tofukingdom"
    title = "TofuKingdom"
    blurb = "The Prince asks seven people who the Princess is. Two tell the truth, three lie, and two may do either."
    tagline = "Find the Princess, although some answers are lies."
    rules = (
        "Seven people stand before the Prince: the Princess, the Chef, the Queen, the Minister, the Guard, the Spy and "
        "the Maid. All seven know who is who. The Prince does not.",
        "The Princess and the Chef must tell the truth. The Queen, the Minister and the Guard must lie. The Spy and "
        "the Maid may tell the truth or lie. An answer that breaks this rule is accepted, but recorded.",
        "The Prince asks each of the seven one of three questions, and everyone hears the answers. Then he asks one of "
        "them a second question, and names the Princess.",
        "If he names the Princess, the Prince, the Princess and the Chef win. If he names the Queen, the Queen, the "
        "Minister and the Guard win. If he names anyone else, the Spy and the Maid win.",
    )
    briefings = Briefings(Path(__file__).parent)
    minutes = 4
    version = 1
    seats = (PRINCE_SEAT, *SEAT_NAMES)
    adversarial = True
    sides = tuple(CAMPS)
    side_word = "camp"
    open_turns = True
    settings = Settings
    prompts = Prompts.load(Path(__file__).parent / "prompts")
    variants = (Variant("roles", "Roles", EXPERIMENTS),)

    def load(self, data: Json) -> Instance:
        """Return the instance; raises pydantic's ValidationError that names the field."""
        return instances.load(data)

    def draw_sides(self, instance: Any, rng: Random) -> Mapping[str, Sequence[str]]:
        """Return the seats of the camps, as the instance has them."""
        return {
            camp_name: [seat for seat in self.seats if _find_role(instance, seat) in CAMPS[camp_name]]
            for camp_name in CAMPS
        }

    def play(self, table: Table, instance: Instance) -> Asking[Outcome]:
        """Question the seven, one of them twice, and name the Princess."""
        return (yield from PrinceDialogue(table, instance, self.draw_sides(instance, table.random)).play())

    def score(self, log: Log) -> Json:
        from games.tofukingdom.scores import score

        return score(log).as_json()

    def summarise(self, scores: Sequence[Json | None]) -> Json:
        from games.tofukingdom.scores import summarise

        return summarise(scores)

    def debrief(self, log: Log, scores: Json) -> Debriefing:
        from games.tofukingdom.debrief import debrief
        from games.tofukingdom.scores import Scores

        return debrief(log, Scores.from_json(scores))

    def board(self, log: Log) -> list[Panel]:
        from games.tofukingdom.board import make_board_panels

        return make_board_panels(log)

    def make_gameeval_result(self, log: Log) -> GameEvalResult:
        from games.tofukingdom.gameeval import make_gameeval_result

        return make_gameeval_result(log)

    def scripted_players(self) -> Mapping[str, ScriptedPlayer]:
        return {
            "scripted": ScriptedPlayer.from_module(
                "games.tofukingdom.scripted", "keeps the camp's rule; the Prince weighs what was said"
            ),
        }

    def instance_maker(self) -> InstanceMaker:
        return instances


def _find_role(instance: Instance, seat: str) -> str:
    return instance.roles.get(seat, PRINCE_ROLE)


@dataclass
class PrinceDialogue:
    """One episode: in which order the seven stand, and what everybody is told."""

    table: Table
    instance: Instance
    sides: Mapping[str, Sequence[str]]
    name_order: list[str] = field(default_factory=list)

    def play(self) -> Asking[Outcome]:
        """Let the Prince question the seven and name the Princess."""
        self.name_order = self.table.random.sample(SEAT_NAMES, len(SEAT_NAMES))
        self.table.record_note("roles", RolesNote(self.instance.roles, self.name_order).as_json())
        self.welcome_players()
        question_count = len(SEAT_NAMES) + 1
        question_format = json_object(
            title="Ask a question",
            submit="Ask",
            thought=self.make_thought_format("reasoning_question"),
            question=QuestionFormat(),
        )
        for question_number, player in enumerate(self.name_order):
            questions_left = Progress("questions", question_count - question_number, question_count)
            prompt_text = self.fill_prompt("question", name=player)
            reply_object: ReplyObject = yield from self.table.ask(
                PRINCE_SEAT, prompt_text, question_format, progress=questions_left
            )
            yield from self.relay_answer(player, reply_object["question"])
        last_question = Progress("questions", 1, question_count)
        reply_object = yield from self.table.ask(
            PRINCE_SEAT, self.fill_prompt("extra"), self.make_extra_question_format(), progress=last_question
        )
        yield from self.relay_answer(reply_object["name"], reply_object["question"])
        no_questions_left = Progress("questions", 0, question_count)
        reply_object = yield from self.table.ask(
            PRINCE_SEAT, self.fill_prompt("choose"), self.make_choice_format(), progress=no_questions_left
        )
        return self.end_game(reply_object["name"])

    def fill_prompt(self, prompt_key: str, **placeholder_values: object) -> str:
        """Return a text of the GameMaster."""
        return str(self.table.prompts(prompt_key, **placeholder_values))

    def make_overview(self, overview_text: str, *, shows_roles: bool) -> SeatOverview:
        """Return a text with everybody at the table, with or without the roles of the seven."""
        seat_statuses = (
            SeatStatus(player, "in", self.instance.roles[player] if shows_roles else "") for player in self.name_order
        )
        return SeatOverview(overview_text, (SeatStatus(PRINCE_SEAT), *seat_statuses))

    def welcome_players(self) -> None:
        """Tell everybody who they are, and all but the Prince who everybody is."""
        names_text = ", ".join(self.name_order)
        prince_overview = self.make_overview(self.fill_prompt("prince", names=names_text), shows_roles=False)
        self.table.tell(
            PRINCE_SEAT,
            [
                prince_overview,
                self.fill_prompt("prince_camp"),
                TextExhibit("the Prince", self.fill_prompt("role_title")),
            ],
        )
        for player in self.name_order:
            role_name = self.instance.roles[player]
            content_parts: list[ContentPart] = [
                self.fill_prompt("player", names=names_text, name=player, role=role_name),
                self.make_overview(self.fill_prompt("known", roles=self.write_roles()), shows_roles=True),
                self.fill_prompt("camps"),
                self.fill_prompt(DUTY_BY_CAMP[find_camp(role_name)]),
                TextExhibit(f"{player}, the {role_name}", self.fill_prompt("secret_role_title")),
            ]
            self.table.tell(player, content_parts)

    def write_roles(self) -> str:
        """Return who is who: "Ada the Queen, Boris the Chef, …"."""
        return ", ".join(f"{player} the {self.instance.roles[player]}" for player in self.name_order)

    def relay_answer(self, player: str, question_text: str) -> Asking[None]:
        """Put a question to one of the seven; all hear it and the answer."""
        question = parse_question(question_text)
        self.table.tell(
            [other_name for other_name in self.name_order if other_name != player],
            RelayedMessage(self.fill_prompt("relayed_question", name=player), question_text, PRINCE_SEAT),
        )
        placeholder_values = {"name": question.name} if question.kind == OTHER_KIND else {}
        prompt_text = self.fill_prompt(f"answer_{question.kind}", question=question_text, **placeholder_values)
        reply: ReplyObject = yield from self.table.ask(player, prompt_text, self.make_answer_format(question, player))
        self.table.tell(
            [seat for seat in (PRINCE_SEAT, *self.name_order) if seat != player],
            RelayedMessage(player, reply["answer"], player),
        )

    def end_game(self, chosen_name: str) -> Outcome:
        """Tell everybody who was who, and return who won."""
        role_name = self.instance.roles[chosen_name]
        all_seats = (PRINCE_SEAT, *self.name_order)
        self.table.record_note("chosen", Choice(chosen_name, role_name).as_json())
        self.table.tell(all_seats, self.fill_prompt("chosen", name=chosen_name, role=role_name))
        self.table.tell(
            all_seats, self.make_overview(self.fill_prompt("revealed", roles=self.write_roles()), shows_roles=True)
        )
        winner_camp = {"Princess": "prince", "Queen": "queen"}.get(role_name, "spy")
        return Decided(winner_camp, {camp_name: list(seats) for camp_name, seats in self.sides.items()})

    def make_thought_format(self, prompt_key: str) -> Text:
        """Return the format of a private thought: with the setting `reasoning`, `prompt_key` asks to reason there."""
        instruction = self.fill_prompt(prompt_key) if self.table.settings.reasoning else None
        return make_thought_format(self.fill_prompt("reasoning_label"), instruction)

    def make_extra_question_format(self) -> JsonObject:
        """Return the format of the extra question."""
        return json_object(
            title=self.fill_prompt("ask_more_title"),
            submit="Ask",
            thought=self.make_thought_format("reasoning_question"),
            name=one_of(*SEAT_NAMES, full_stop=False, label=self.fill_prompt("ask_more_label")),
            question=QuestionFormat(),
        )

    def make_choice_format(self) -> JsonObject:
        """Return the format of the Prince's choice."""
        return json_object(
            title="Name the Princess",
            submit=self.fill_prompt("choose_submit"),
            thought=self.make_thought_format("reasoning_choose"),
            name=one_of(*SEAT_NAMES, full_stop=False, label="Who is the Princess?"),
        )

    def make_answer_format(self, question: Question, player: str) -> JsonObject:
        """Return the format of an answer; a person's form repeats the question and suggests sentences."""
        sentence_template = {PRINCESS_KIND: "{} is the Princess.", OWN_KIND: "My identity is {}."}.get(
            question.kind, f"The identity of {question.name} is {{}}."
        )
        answer_words = SEAT_NAMES if question.kind == PRINCESS_KIND else ROLES
        return json_object(
            title="Answer the Prince",
            submit="Answer",
            thought=self.make_thought_format("reasoning_answer"),
            answer=Text(
                label=question.text(),
                lines=1,
                hint=REMINDER_BY_DUTY[DUTY_BY_CAMP[find_camp(self.instance.roles[player])]],
                suggestions=tuple((answer_word, sentence_template.format(answer_word)) for answer_word in answer_words),
            ),
        )


GAME = TofuKingdom()
