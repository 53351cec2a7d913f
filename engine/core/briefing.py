"""Briefings: what people are told about a game before they play, and the questions that test whether it is clear.

A game keeps its briefings in `games/FAMILY/briefing.toml`: a diagram, three lines of rules, where it helps a table of
roles, and 3 to 5 questions about the rules. What differs for a variant or a seat is in `[[differences]]`, later ones
first. A briefing says nothing about single instances: no secret, and no name of an experiment.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from engine.core.validation import list_field_errors

BRIEFING_FILE = "briefing.toml"
SVG_NAMESPACE = "http://www.w3.org/2000/svg"
LINE_COUNT, MIN_QUESTIONS, MAX_QUESTIONS = 3, 3, 5
FORBIDDEN_ELEMENTS = frozenset({"script", "style", "foreignObject", "image", "use", "a", "animate", "set"})
"""Parts of an SVG that could run, load or leak into the page that a diagram is drawn into."""


class BadBriefing(ValueError):
    """A briefing cannot be used; the message names the file and what is wrong."""


class _FileSection(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class _ConditionalSection(_FileSection):
    """Something that holds for some variants and seats; for all where none are named."""

    variants: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()

    def applies_to(self, variant: str, seat: str | None) -> bool:
        """Return whether this holds for a variant and a seat; for no seat, only what holds for all seats."""
        return (not self.variants or variant in self.variants) and (not self.seats or seat in self.seats)


class RuleQuestion(_ConditionalSection):
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


class Role(_FileSection):
    """One row of a table of roles: who, what they must do, and when they win."""

    role: str
    must: str
    wins_if: str


class Diagram(_FileSection):
    """A drawing: its SVG source, and what it shows in words."""

    svg: str
    text: str


class Briefing(_FileSection):
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


class _Difference(_ConditionalSection):
    """What is different for some variants or seats; what is not named stays as it is."""

    lines: tuple[str, ...] | None = None
    diagram: str | None = None
    diagram_text: str | None = None


class _BriefingFile(_FileSection):
    """The content of a file `briefing.toml`. `diagram` is the name of an SVG file next to it."""

    lines: tuple[str, ...]
    diagram: str
    diagram_text: str
    roles: tuple[Role, ...] = ()
    questions: tuple[RuleQuestion, ...]
    differences: tuple[_Difference, ...] = ()


@dataclass(frozen=True)
class Briefings:
    """The briefings of a game, read from its folder when one is asked for first."""

    folder: Path

    @cached_property
    def _content(self) -> _BriefingFile:
        path = self.folder / BRIEFING_FILE
        try:
            return _BriefingFile.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise BadBriefing(f"{path}: {_describe_error(error)}") from error

    @cached_property
    def mentioned_names(self) -> tuple[frozenset[str], frozenset[str]]:
        """The variants and the seats that the file names, which must exist."""
        file_sections: Sequence[_ConditionalSection] = [*self._content.questions, *self._content.differences]
        variants = frozenset(variant_name for file_section in file_sections for variant_name in file_section.variants)
        return variants, frozenset(seat_name for file_section in file_sections for seat_name in file_section.seats)

    def select_briefing(self, variant: str, seat: str | None = None) -> Briefing:
        """Return the briefing of a variant, at a seat if one is given. Raises `BadBriefing` for a file with faults."""
        briefing_content = self._content
        lines, diagram, diagram_text = briefing_content.lines, briefing_content.diagram, briefing_content.diagram_text
        for difference in briefing_content.differences:
            if difference.applies_to(variant, seat):
                lines = difference.lines or lines
                diagram, diagram_text = difference.diagram or diagram, difference.diagram_text or diagram_text
        return Briefing(
            lines=lines,
            diagram=Diagram(svg=read_svg(self.folder / diagram), text=diagram_text),
            roles=briefing_content.roles,
            questions=tuple(question for question in briefing_content.questions if question.applies_to(variant, seat)),
        )


@cache
def read_svg(path: Path) -> str:
    """Return a drawing as text. Raises `BadBriefing` for a file that is missing or that could do more than be seen."""
    from xml.etree import ElementTree  # late: playing needs no drawings

    try:
        svg_text = path.read_text(encoding="utf-8")
        svg_root = ElementTree.fromstring(svg_text)
    except (OSError, ElementTree.ParseError) as error:
        raise BadBriefing(f"{path}: {error}") from error
    if svg_root.tag != f"{{{SVG_NAMESPACE}}}svg" or "viewBox" not in svg_root.attrib:
        raise BadBriefing(f"{path}: it must be an SVG with a viewBox")
    for svg_element in svg_root.iter():
        element_name = str(svg_element.tag).removeprefix(f"{{{SVG_NAMESPACE}}}")
        if element_name in FORBIDDEN_ELEMENTS:
            raise BadBriefing(f"{path}: a diagram has no element <{element_name}>")
        for attribute_name, attribute_value in svg_element.attrib.items():
            if attribute_name.startswith("on") or attribute_name.endswith("href") or "url(" in attribute_value:
                raise BadBriefing(f"{path}: a diagram has no attribute {attribute_name}={attribute_value!r}")
    return svg_text


def read_svg_words(svg: str) -> list[str]:
    """Return the texts that are written in a drawing."""
    from xml.etree import ElementTree

    return [svg_text.strip() for svg_text in ElementTree.fromstring(svg).itertext() if svg_text.strip()]


def _describe_error(error: Exception) -> str:
    """Return what is wrong with a file: the first complaint with its field, where the content is meant."""
    if not isinstance(error, ValidationError):
        return str(error)
    field_error = list_field_errors(error)[0]
    return f"{'.'.join(map(str, field_error.path))}: {field_error.message}"
