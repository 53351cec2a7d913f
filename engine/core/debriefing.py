"""The debriefing of a finished game, as its page shows it: what happened, the truth, and how the score came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.core.events import Ending, Json, Outcome
from engine.core.log import Log

Panel = Json
"""One panel of a page: {"title", "seat"?} with what it shows under a key of its own ("grid", "picture", "numbers",
"curves", "graph", "arrows", "sayings", "listing", or one that the game's own web files draw)."""


@dataclass(frozen=True, slots=True)
class LabelledNumber:
    """A number with what it counts, in words. `value` is None where the game was not played to its end."""

    label: str
    value: float | int | str | None


@dataclass(frozen=True, slots=True)
class Curve:
    """How a number grew, one value per turn."""

    label: str
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class JudgedStep:
    """One step of a game in words; `good` is None where it was neither good nor bad."""

    text: str
    good: bool | None


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat decided; `correct` is None where that cannot be said."""

    seat: str
    text: str | None
    correct: bool | None


@dataclass(frozen=True, slots=True)
class SideScore:
    """What a side of an adversarial game scored, 0 to 100, None without an end."""

    side: str
    value: float | None
    seats: Sequence[str]


@dataclass(frozen=True, slots=True)
class ScoreExplanation:
    """The score and how it came about. `main` is the main score, 0 to 100, None without one.

    `sides` replaces it in adversarial games. `curves` is None in games that have none.
    """

    main: float | None
    explanation: Sequence[str]
    numbers: Sequence[LabelledNumber] = ()
    curves: Sequence[Curve] | None = None
    sides: Sequence[SideScore] | None = None

    def as_json(self) -> Json:
        """Return it as a page reads it."""
        side_scores = None if self.sides is None else [_encode_fields(side_score) for side_score in self.sides]
        score_json: Json = {"main": self.main, "name": "main score" if side_scores is None else ""}
        if side_scores is not None:
            score_json["sides"] = side_scores
        score_json |= {"how": list(self.explanation), "numbers": [_encode_fields(number) for number in self.numbers]}
        if self.curves is not None:
            score_json["curves"] = [_encode_fields(curve) for curve in self.curves]
        return score_json


@dataclass(frozen=True, slots=True)
class Debriefing:
    """What a game says when it is over. `truth` is what the seats could not know, in words.

    `headlines` says the headline to a seat, in the second person. `differences` says in words what differs between the
    seats; `steps` are (title, steps); `reasons` are (seat, why its program decided as it did); `published` are rows of
    papers (`engine.results.published.make_published_table`). None leaves a section out.
    """

    headline: str
    score: ScoreExplanation
    panels: Sequence[Panel] = ()
    truth: str | None = None
    differences: Sequence[str] | None = None
    steps: tuple[str, Sequence[JudgedStep]] | None = None
    decisions: Sequence[Decision] = ()
    published: Json | None = None
    has_published: bool = True
    """Whether papers report on the game at all."""
    headlines: Mapping[str, str] = field(default_factory=dict)
    reasons: Sequence[tuple[str, str]] = ()

    def as_json(self, log: Log, experiment_title: str) -> Json:
        """Return the debriefing of this log as a page reads it."""
        start_data, outcome = log.start, log.outcome
        debriefing_json: Json = {
            "headline": self.headline,
            "outcome": outcome.as_json() if outcome else None,
            "experiment": start_data.experiment,
            "experiment_title": experiment_title,
            "instance": start_data.instance_id,
            "truth": self.truth,
            "panels": list(self.panels),
        }
        if self.differences is not None:
            debriefing_json["differences"] = list(self.differences)
        if self.steps is not None:
            steps_title, judged_steps = self.steps
            debriefing_json["steps"] = {
                "title": steps_title,
                "items": [_encode_fields(judged_step) for judged_step in judged_steps],
            }
        debriefing_json |= {
            "decisions": [_encode_fields(decision) for decision in self.decisions],
            "score": self.score.as_json(),
        }
        if self.headlines:
            debriefing_json["headlines"] = dict(self.headlines)
        if self.reasons:
            debriefing_json["reasons"] = [{"seat": seat, "text": reason_text} for seat, reason_text in self.reasons]
        if self.has_published:
            debriefing_json["published"] = self.published
        return debriefing_json


def make_numbers_panel(title: str, number_by_label: Mapping[str, float | int | str]) -> Panel:
    """Return a panel of numbers by their labels."""
    return {"title": title, "numbers": [{"label": label, "value": number} for label, number in number_by_label.items()]}


def make_labelled_numbers(number_by_label: Mapping[str, float | int | str | None]) -> list[LabelledNumber]:
    """Return numbers given by their labels, without those that are None."""
    return [LabelledNumber(label, number) for label, number in number_by_label.items() if number is not None]


def describe_interruption(outcome: Outcome) -> str:
    """Return the headline of a game between named roles that was left or aborted."""
    if outcome.kind is Ending.ABANDONED:
        return "The game was left before its end."
    return f"The game was aborted: the {outcome.seat} broke the rules of form."


def _encode_fields(debriefing_part: LabelledNumber | Curve | JudgedStep | Decision | SideScore) -> Json:
    return {field_name: getattr(debriefing_part, field_name) for field_name in debriefing_part.__dataclass_fields__}
