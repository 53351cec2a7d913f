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
from typing import TYPE_CHECKING

from pydantic import ValidationError

from engine.core.validation import list_field_errors

if TYPE_CHECKING:
    from engine.core.briefing_file import Briefing, BriefingFile, ConditionalSection

BRIEFING_FILE = "briefing.toml"
SVG_NAMESPACE = "http://www.w3.org/2000/svg"
LINE_COUNT, MIN_QUESTIONS, MAX_QUESTIONS = 3, 3, 5
FORBIDDEN_ELEMENTS = frozenset({"script", "style", "foreignObject", "image", "use", "a", "animate", "set"})
"""Parts of an SVG that could run, load or leak into the page that a diagram is drawn into."""


class BadBriefing(ValueError):
    """A briefing cannot be used; the message names the file and what is wrong."""


@dataclass(frozen=True)
class Briefings:
    """The briefings of a game, read from its folder when one is asked for first."""

    folder: Path

    @cached_property
    def _content(self) -> BriefingFile:
        from engine.core.briefing_file import BriefingFile  # late: lists of games and runs read no briefings

        path = self.folder / BRIEFING_FILE
        try:
            return BriefingFile.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise BadBriefing(f"{path}: {_describe_error(error)}") from error

    @cached_property
    def mentioned_names(self) -> tuple[frozenset[str], frozenset[str]]:
        """The variants and the seats that the file names, which must exist."""
        file_sections: Sequence[ConditionalSection] = [*self._content.questions, *self._content.differences]
        variants = frozenset(variant_name for file_section in file_sections for variant_name in file_section.variants)
        return variants, frozenset(seat_name for file_section in file_sections for seat_name in file_section.seats)

    def select_briefing(self, variant: str, seat: str | None = None) -> Briefing:
        """Return the briefing of a variant, at a seat if one is given. Raises `BadBriefing` for a file with faults."""
        from engine.core.briefing_file import Briefing, Diagram

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


def _describe_error(error: Exception) -> str:
    """Return what is wrong with a file: the first complaint with its field, where the content is meant."""
    if not isinstance(error, ValidationError):
        return str(error)
    field_error = list_field_errors(error)[0]
    return f"{'.'.join(map(str, field_error.path))}: {field_error.message}"
