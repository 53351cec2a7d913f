"""What a file `briefing.toml` holds, and the briefing that a person reads."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, model_validator


class FileSection(BaseModel):
    """A part of the file; unknown names are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class ConditionalSection(FileSection):
    """Something that holds for some variants and seats; for all where none are named."""

    variants: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()

    def applies_to(self, variant: str, seat: str | None) -> bool:
        """Return whether this holds for a variant and a seat; for no seat, only what holds for all seats."""
        return (not self.variants or variant in self.variants) and (not self.seats or seat in self.seats)


class RuleQuestion(ConditionalSection):
    """A question about the rules, with one right choice among several, and what to say after an answer."""

    question: str = Field(min_length=1)
    choices: tuple[str, ...] = Field(min_length=2)
    right: str
    feedback: str = Field(min_length=1)

    @model_validator(mode="after")
    def _has_one_right_choice(self) -> RuleQuestion:
        if self.choices.count(self.right) != 1:
            raise ValueError(f"field right: {self.right!r} must be exactly one of the choices")
        if len(set(self.choices)) < len(self.choices):
            raise ValueError("field choices: two of them are the same")
        return self

    def is_correct_choice(self, choice_index: int) -> bool:
        """Return whether the choice of this index, from 0, is right. Raises IndexError without such a choice."""
        if choice_index < 0:
            raise IndexError(choice_index)
        return self.choices[choice_index] == self.right


class Role(FileSection):
    """One row of a table of roles: who, what they must do, and when they win."""

    role: str
    must: str
    wins_if: str


class Diagram(FileSection):
    """A drawing: its SVG source, and what it shows in words."""

    svg: str
    text: str


class Briefing(FileSection):
    """What a person is told about a variant, at a seat or before there is one."""

    lines: tuple[str, ...]
    """Three lines of rules in plain words; of a game without a briefing of its own, all of its rules."""
    diagram: Diagram | None = None
    roles: tuple[Role, ...] = ()
    questions: tuple[RuleQuestion, ...] = ()

    def list_texts(self) -> list[str]:
        """Return everything that a person reads in it."""
        all_texts = [*self.lines]
        for role in self.roles:
            all_texts += [role.role, role.must, role.wins_if]
        for question in self.questions:
            all_texts += [question.question, *question.choices, question.feedback]
        return [*all_texts, self.diagram.text, *read_svg_words(self.diagram.svg)] if self.diagram else all_texts


class BriefingDifference(ConditionalSection):
    """What is different for some variants or seats; what is not named stays as it is."""

    lines: tuple[str, ...] | None = None
    diagram: str | None = None
    diagram_text: str | None = None


class BriefingFile(FileSection):
    """The content of a file `briefing.toml`. `diagram` is the name of an SVG file next to it."""

    lines: tuple[str, ...]
    diagram: str
    diagram_text: str
    roles: tuple[Role, ...] = ()
    questions: tuple[RuleQuestion, ...]
    differences: tuple[BriefingDifference, ...] = ()


def read_svg_words(svg: str) -> list[str]:
    """Return the texts that are written in a drawing."""
    from xml.etree import ElementTree

    return [svg_text.strip() for svg_text in ElementTree.fromstring(svg).itertext() if svg_text.strip()]
