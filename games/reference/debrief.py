"""The debriefing of the reference game: the three with target and choice, the expression, how the score came about."""

from __future__ import annotations

from pathlib import Path

from engine.core.debriefing import Debriefing, Decision, LabelledNumber, ScoreExplanation
from engine.core.events import Json
from engine.core.log import Log
from engine.core.views import describe_outcome
from engine.results.published import as_table, matching_rows
from games.reference import board, instances

FOLDER = Path(__file__).parent
INSTEAD = {"rooms": "ADE20K", "everyday": "DOCCI", "objects": "CLEVR"}
"""The data set that the paper took where we have drawn pictures."""


def debrief(log: Log, scores: Json) -> Debriefing:
    """Return what a finished episode's page shows; pictures by asset id."""
    start = log.start
    instance = instances.load(start.instance)
    outcome = log.outcome.as_json() if log.outcome else {}
    as_text = start.variant == "text" and instance.texts is not None
    thing = "grid" if as_text else "picture"
    picked = scores["picked"]
    order = [instance.listener.index(number) for number in board.speaker_order(start.settings["target_at"])]
    return Debriefing(
        _headline(outcome, thing, scores),
        ScoreExplanation(
            scores["main_score"],
            _how(outcome, thing, scores, [instances.PLACES[place] for place in order]),
            _numbers(scores),
        ),
        board.panels(instance, as_text, picked),
        truth=f"the {scores['target']} {thing} of the listener's list was meant",
        decisions=[
            Decision("speaker", scores["expression"] or "said nothing", None),
            Decision(
                "listener",
                f"the {picked} {thing}" if picked else "picked none",
                picked == scores["target"] if picked else None,
            ),
        ],
        published=_published(start.variant, start.experiment),
    )


def _headline(outcome: Json, thing: str, scores: Json) -> str:
    if outcome["kind"] == "abandoned":
        return "The game was left before its end."
    if outcome["kind"] == "aborted":
        return f"The game was aborted: the {outcome['seat']} broke the rules of form."
    if outcome["kind"] == "success":
        return f"The listener picked the {thing} that was meant."
    return f"The listener picked the {scores['picked']} {thing}; the {scores['target']} was meant."


def _how(outcome: Json, thing: str, scores: Json, order: list[str]) -> list[str]:
    listed = f"The speaker had the three in the order {order[0]}, {order[1]}, {order[2]} of the listener's list."
    if scores["main_score"] is None:
        return [f"No score: the episode ended {describe_outcome(outcome)}.", listed]
    words, characters = scores["expression_words"], scores["expression_characters"]
    return [
        f"The main score is 100 when the listener picks the {thing} that is meant, else 0. Guessing gives 33.3.",
        f"The description has {words} word{'s' * (words != 1)} ({characters} characters). A good one is short and "
        "fits no other.",
        listed,
    ]


def _numbers(scores: Json) -> list[LabelledNumber]:
    numbers = [
        ("words of the description", scores["expression_words"]),
        ("characters of the description", scores["expression_characters"]),
        ("says what is not there", {True: "yes", False: "no", None: None}[scores["negation"]]),
    ]
    return [LabelledNumber(label, value) for label, value in numbers if value is not None]


def _published(variant: str, experiment: str) -> Json | None:
    found = matching_rows(FOLDER, variant, experiment, "score_all")
    theirs = INSTEAD.get(experiment.removesuffix(instances.STATIC))
    return as_table(found, f"Published models: {found[0].says} (pictures of {theirs})" if found and theirs else None)
