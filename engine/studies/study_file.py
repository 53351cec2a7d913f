"""The study file: everything about a study with people, in one TOML file.

`load_study` reads and checks it alone; `engine/studies/cells.py` looks up what it deals. All fields are in
`docs/studies.md`.
"""

from __future__ import annotations

import datetime
import hashlib
import tomllib
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from engine.core.events import Json, to_json
from engine.core.patterns import compile_linear_pattern
from engine.core.validation import FieldError, list_field_errors
from engine.studies.survey_blocks import QUESTION_BLOCKS

PARTICIPANT_PLAYER = "participant"
"""What a cell's seat says where participants sit."""
NAME_PATTERN = compile_linear_pattern(r"[a-z0-9][a-z0-9-]{0,59}", reason="its length is limited")
HIDDEN_PARTNER_WORDS = "a person or a computer program"
"""What a consent text must say where participants are not told who sits opposite."""


Pixels = Annotated[int, Field(ge=200, le=4000)]


class BadStudy(Exception):
    """A study file cannot be used; the message names file, line, field and what to write."""


class StudyPart(BaseModel):
    """A table of the study file: unknown fields are mistakes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SurveyQuestion(StudyPart):
    """One question of a survey.

    `right` makes it an attention check: an answer that is not among these is marked, never a reason to end.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
    text: Annotated[str, Field(min_length=1)]
    kind: Literal["choice", "choices", "scale", "number", "text"] = "text"
    options: tuple[str, ...] = ()
    low: float = 1
    high: float = 7
    low_label: str = ""
    high_label: str = ""
    lines: Annotated[int, Field(ge=1, le=20)] = 3
    optional: bool = False
    right: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _check_kind(self) -> Self:
        if self.kind in ("choice", "choices") and len(self.options) < 2:
            raise ValueError(f'a {self.kind} needs "options" with at least two texts')
        if self.kind not in ("choice", "choices") and self.options:
            raise ValueError(f'only choice and choices have "options", not {self.kind}')
        if self.kind == "scale" and not (self.low == int(self.low) and 0 < self.high - self.low <= 20):
            raise ValueError('a scale needs whole numbers "low" and "high", at most 20 apart')
        return self

    def check_answer(self, answer_value: Any) -> Any:
        """Return an answer as it is stored: a text, a list of texts, a number, or None where it may be missing.

        Raises ValueError in words for the participant.
        """
        if answer_value in (None, "", []):
            if self.optional:
                return None
            raise ValueError("Please answer this question.")
        if self.kind == "choice" and answer_value in self.options:
            return answer_value
        if self.kind == "choices" and isinstance(answer_value, list) and set(answer_value) <= set(self.options):
            return [option for option in self.options if option in answer_value]
        if self.kind in ("scale", "number"):
            return self._check_number(answer_value)
        if self.kind == "text" and isinstance(answer_value, str) and len(answer_value) <= 20_000:
            return answer_value
        raise ValueError("Please choose one of the answers." if self.options else "Please write a shorter answer.")

    def _check_number(self, answer_value: Any) -> float | int:
        try:
            answer_number = float(answer_value)
        except (TypeError, ValueError):
            raise ValueError("Please write a number.") from None
        if self.kind == "scale" and not (self.low <= answer_number <= self.high and answer_number.is_integer()):
            raise ValueError("Please choose a point of the scale.")
        if not abs(answer_number) < 1e12:
            raise ValueError("Please write a number.")
        return int(answer_number) if answer_number.is_integer() else answer_number

    def is_failed(self, answer: Any) -> bool:
        """Return whether this is an attention check and the answer is not a right one."""
        return bool(self.right) and str(answer) not in self.right


class Survey(StudyPart):
    """Questions before or after all games, or after each game: own ones, a shipped block, or both."""

    title: str = "A few questions"
    when: Literal["before", "after", "after_game"] = "after"
    block: str | None = None
    questions: tuple[SurveyQuestion, ...] = ()

    @model_validator(mode="after")
    def _check_questions(self) -> Self:
        if self.block is not None and self.block not in QUESTION_BLOCKS:
            raise ValueError(f"there is no block {self.block!r}; there are {', '.join(QUESTION_BLOCKS)}")
        question_names = [question.name for question in self.all_questions]
        if not question_names:
            raise ValueError('a survey needs "block" or "questions"')
        if repeated_names := {name for name in question_names if question_names.count(name) > 1}:
            raise ValueError(f"two questions have the name {sorted(repeated_names)[0]!r}")
        return self

    @property
    def all_questions(self) -> list[SurveyQuestion]:
        """The questions of the block, then its own."""
        block_questions = (
            [SurveyQuestion.model_validate(question) for question in QUESTION_BLOCKS[self.block]] if self.block else []
        )
        return [*block_questions, *self.questions]


class Consent(StudyPart):
    """What participants agree to. `text` is plain text with blank lines between paragraphs."""

    text: Annotated[str, Field(min_length=100)]
    agree: str = "I have read this and I agree to take part"


class RulesCheck(StudyPart):
    """Questions about the rules after reading them; who never gets all right within the attempts does not play."""

    questions: tuple[SurveyQuestion, ...] = ()
    attempts: Annotated[int, Field(ge=1, le=10)] = 3

    @model_validator(mode="after")
    def _check_right_answers(self) -> Self:
        for question in self.questions:
            if question.kind != "choice" or len(question.right) != 1 or question.right[0] not in question.options:
                raise ValueError(f"{question.name}: a question about the rules is a choice with one right option")
        return self


class CellPlan(StudyPart):
    """Cells of a study: every instance of a selection, with the seats as given, for a number of people each."""

    selection: str
    seats: dict[str, str]
    settings: dict[str, Any] = {}
    people: Annotated[int, Field(ge=1, le=10_000)] = 1

    @model_validator(mode="after")
    def _check_seats(self) -> Self:
        participant_seats = sum(player == PARTICIPANT_PLAYER for player in self.seats.values())
        if not 1 <= participant_seats <= 2:
            raise ValueError(f'one or two seats must be "{PARTICIPANT_PLAYER}", here {participant_seats} are')
        if other_people := [
            player for player in self.seats.values() if player.partition("?")[0] in ("person", "invite")
        ]:
            raise ValueError(f'write "{PARTICIPANT_PLAYER}" for people, not {other_people[0]!r}')
        return self

    @property
    def people_seats(self) -> list[str]:
        """The seats of participants."""
        return [seat for seat, player in self.seats.items() if player == PARTICIPANT_PLAYER]


class Games(StudyPart):
    """How many games each participant plays, how they are dealt, and how long replies may take.

    A reply that is refused is asked again up to `reprompt` times; after that the game ends. Practice games come first
    and never count. Who has not replied within `turn_seconds`, or a program that has not within `model_timeout` twice,
    is replaced by `turn_program` (`turn_rule` "program"), or the game ends ("abandon").
    """

    count: Annotated[int, Field(ge=1, le=200)]
    practice: Annotated[int, Field(ge=0, le=5)] = 0
    order: Literal["random", "blocks", "latin_square"] = "random"
    feedback: Literal["none", "score", "full"] = "score"
    reprompt: Annotated[int, Field(ge=0, le=10)] = 0
    turn_seconds: Annotated[float, Field(ge=5, le=86_400)] | None = None
    turn_rule: Literal["program", "abandon"] = "abandon"
    turn_program: str = "scripted"
    model_timeout: Annotated[float, Field(ge=1, le=3600)] = 60
    deals: Annotated[tuple[CellPlan, ...], Field(min_length=1)]


class WaitingRules(StudyPart):
    """What happens to participants who wait for a partner: seconds, then a program at the other seat, or the end.

    Two who are paired have `ready_seconds` to say that they are there. When one of them leaves the game, the program
    takes the seat (`partner_left` "program"), or the game ends ("end").
    """

    seconds: Annotated[float, Field(ge=5, le=3600)] = 300
    program: str | None = None
    ready_seconds: Annotated[float, Field(ge=5, le=600)] = 30
    partner_left: Literal["program", "end"] = "end"

    @model_validator(mode="after")
    def _check_program(self) -> Self:
        if self.partner_left == "program" and self.program is None:
            raise ValueError('partner_left = "program" needs "program", the player that takes the seat')
        return self


class EndTexts(StudyPart):
    """What a participant reads and gets at each end: a code, or an address such as Prolific's completion address.

    `completed`, `declined`, `screened_out` and `withdrawn` are states of participations; the others are reasons for
    which a participation is turned away. `no_partner`, `partner_left` and `technical_fault` are not the participant's
    doing, and are meant to be paid.
    """

    completed: str = ""
    declined: str = ""
    screened_out: str = ""
    full: str = ""
    wrong_device: str = ""
    no_partner: str = ""
    partner_left: str = ""
    technical_fault: str = ""
    withdrawn: str = ""


class Exclusions(StudyPart):
    """Who is left out of the analysis; fixed before the data are seen. Results without exclusions are reported, too."""

    failed_checks: Annotated[int, Field(ge=1)] | None = None
    """Leave out who failed at least this number of attention checks."""
    min_minutes: Annotated[float, Field(gt=0)] | None = None
    """Leave out who completed the study in less time, waiting not counted."""
    min_games: Annotated[int, Field(ge=1)] | None = None
    """Leave out who played fewer games that count."""
    answers: dict[str, tuple[str, ...]] = {}
    """Leave out who gave one of these answers to a question: {name of the question: answers}."""


class Pay(StudyPart):
    """What participants are paid: a base by the platform, and a bonus per game. Amounts are in units of the currency.

    A game is paid `per_point` times its score (0 to 100), and the amount of the highest threshold of `per_score` that
    its score reaches.
    """

    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    base: Annotated[Decimal, Field(ge=0)] = Decimal(0)
    per_point: Annotated[Decimal, Field(ge=0)] = Decimal(0)
    per_score: dict[Annotated[int, Field(ge=0, le=100)], Annotated[Decimal, Field(ge=0)]] = {}
    cap: Annotated[Decimal, Field(ge=0)] | None = None
    """The most that one person can get as bonus."""

    def compute_amount(self, score: float) -> Decimal:
        """Return what a game with this score is paid, not rounded."""
        reached_thresholds = [threshold for threshold in self.per_score if score >= threshold]
        return self.per_point * Decimal(str(score)) + (
            self.per_score[max(reached_thresholds)] if reached_thresholds else Decimal(0)
        )


class Study(StudyPart):
    """A whole study file."""

    name: str
    title: Annotated[str, Field(min_length=3)]
    controller: Annotated[str, Field(min_length=3)]
    contact: Annotated[str, Field(min_length=3)]
    legal_basis: Annotated[str, Field(min_length=3)]
    ethics: Annotated[str, Field(min_length=2)]
    retention: datetime.date
    disclosure: str
    minutes: Annotated[float, Field(gt=0, le=600)]
    consent: Consent
    games: Games
    rules: RulesCheck = RulesCheck()
    surveys: tuple[Survey, ...] = ()
    debriefing: str = ""
    waiting: WaitingRules = WaitingRules()
    ends: EndTexts = EndTexts()
    exclusions: Exclusions = Exclusions()
    pay: Pay | None = None
    open_labels: bool = False
    hold_minutes: Annotated[float, Field(gt=0, le=1440)] = 10
    resume_hours: Annotated[float, Field(gt=0, le=720)] = 24
    pastes: Literal["allowed", "blocked"] = "allowed"
    hidden_partner: bool = False
    deception_approval: str = ""
    seed: int = 0
    population: str = ""
    recruitment: str = ""
    inclusion: str = ""
    dates: str = ""
    pay_per_hour: str = ""
    preregistration: str = ""
    devices: str = ""
    minimum_viewport: tuple[Pixels, Pixels] | None = None
    """The least width and height of a participant's window, in CSS pixels."""

    @model_validator(mode="after")
    def _check_consistency(self) -> Self:
        if not NAME_PATTERN.fullmatch(self.name):
            raise ValueError("name: use small letters, digits and hyphens; it stands in the address of the study")
        self._check_hidden_partner()
        if self.deception_approval and not self.debriefing:
            raise ValueError("deception_approval: a debriefing that says so and offers withdrawal is needed")
        question_names = [(survey.when, question.name) for survey in self.surveys for question in survey.all_questions]
        if repeated_names := {name for name in question_names if question_names.count(name) > 1}:
            raise ValueError(
                f"surveys: two questions {sorted(repeated_names)[0][0]} have the name {sorted(repeated_names)[0][1]!r}"
            )
        questions = {question.name for survey in self.surveys for question in survey.all_questions}
        if unknown_answers := sorted(self.exclusions.answers.keys() - questions):
            raise ValueError(f"exclusions.answers: no survey has a question {unknown_answers[0]!r}")
        return self

    def _check_hidden_partner(self) -> None:
        if not self.hidden_partner:
            return
        consent_words = " ".join(self.consent.text.split())  # the words may stand on two lines
        if HIDDEN_PARTNER_WORDS not in consent_words and not self.deception_approval:
            raise ValueError(
                f'hidden_partner: the consent has to say "{HIDDEN_PARTNER_WORDS}", or set deception_approval'
            )
        if self.games.feedback == "full":
            raise ValueError(
                'hidden_partner: games.feedback = "full" shows who played at all seats: use "score" or "none"'
            )
        if lone_deal := next((cell_plan for cell_plan in self.games.deals if len(cell_plan.seats) < 2), None):
            raise ValueError(f"hidden_partner: nobody sits opposite in {lone_deal.selection}: leave it out")

    @property
    def version(self) -> str:
        """The version: a digest of everything in the file that is not a default, so new fields change no version."""
        stored_fields = self.model_dump(mode="json", exclude_defaults=True)
        return hashlib.sha256(to_json(stored_fields).encode()).hexdigest()[:12]

    @property
    def consent_version(self) -> str:
        """The version of the consent: who agreed to another one is asked again."""
        return hashlib.sha256(to_json(self.consent.model_dump(mode="json")).encode()).hexdigest()[:12]

    def list_surveys(self, survey_time: str) -> list[Survey]:
        """Return the surveys "before" or "after" the games, or "after_game"."""
        return [survey for survey in self.surveys if survey.when == survey_time]


# ---------------------------------------------------------------------- reading
def load_study(file_path: Path) -> tuple[Study, str]:
    """Return a study and the text of its file. Raises `BadStudy` naming each mistake with its line."""
    try:
        study_text = file_path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadStudy(f"{file_path}: cannot be read: {error}") from None
    return parse_study(study_text, str(file_path)), study_text


def parse_study(study_text: str, file_label: str) -> Study:
    """Return the study of a file's text; `file_label` is what messages call the file. Raises `BadStudy`."""
    try:
        study_data = tomllib.loads(study_text)
    except tomllib.TOMLDecodeError as error:
        raise BadStudy(f"{file_label}: not TOML: {error}") from None
    try:
        return Study.model_validate(study_data)
    except ValidationError as error:
        mistake_lines = [
            _describe_mistake(field_error, study_text, file_label) for field_error in list_field_errors(error)
        ]
        raise BadStudy("\n".join(mistake_lines)) from None


def _describe_mistake(field_error: FieldError, study_text: str, file_label: str) -> str:
    field_name = ".".join(str(path_part) for path_part in field_error.path)
    mistake_words = {
        "missing": "this field is required",
        "extra_forbidden": "there is no such field; is it misspelt, or in the wrong table?",
    }.get(field_error.kind, field_error.message)
    field_prefix = field_name + ": " if field_name else ""
    return f"{file_label}:{_find_line(field_error.path, study_text)}: {field_prefix}{mistake_words}"


def _find_line(location: Sequence[str | int], study_text: str) -> int:
    """Return the line (from 1) of a field, or of the last table on the way to it that is there."""
    lines = [line.strip() for line in study_text.splitlines()]
    line_index = 0
    table_names: list[str] = []
    for path_part in location:
        if isinstance(path_part, int):
            header = f"[[{'.'.join(table_names)}]]"
            header_lines = [line_number for line_number, line in enumerate(lines) if line == header]
            line_index = header_lines[path_part] if path_part < len(header_lines) else line_index
            continue
        table_names.append(path_part)
        table_name = ".".join(table_names)
        line_starts = (f"[{table_name}]", f"[[{table_name}]]", f"{path_part} =", f"{path_part}=")
        line_index = next((i for i in range(line_index, len(lines)) if lines[i].startswith(line_starts)), line_index)
    return line_index + 1


def describe_question(question: SurveyQuestion) -> Json:
    """Return a question as the participant's page gets it: without the right answers."""
    return question.model_dump(mode="json", exclude={"right"})
