"""The report of a study: one HTML page that needs no other file and asks no host for anything.

`render_report` puts what `read_study_data` returns into words, tables and figures; the page is `study_report.html`.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from engine.core.events import Json
from engine.core.patterns import compile_linear_pattern
from engine.core.wording import count_people, plural
from engine.reports.checklist import ChecklistItem, fill_checklist
from engine.reports.study_data import AnswerSummary, StudyData, StudyPerson
from engine.results.play_measures import SeatMeasures
from engine.results.statistics import Estimate
from engine.results.study_plots import PlayerEstimates, draw_means, draw_people
from engine.results.study_summary import ConditionSummary, find_exclusion_reason
from engine.results.two_way import MIN_CLUSTERS, ClusteredEstimate
from engine.studies.exclusions import describe_rules

MISSING_VALUE_TEXT, YES_ANSWER = "–", "Yes"
INTERVAL_NOTE = "95 % intervals over people and instances (two-way cluster variance, Student’s t)"
MINUS_PATTERN = compile_linear_pattern(r"(^|[\[, ±])-([0-9])", reason="two fixed characters")
LABEL_BY_ENDING_NAME = {
    "declined": "declined",
    "screened_out": "screened out: rules not understood",
    "full": "turned away: the study was full",
    "wrong_device": "turned away: wrong device",
    "no_partner": "no partner came",
    "partner_left": "the partner left",
    "technical_fault": "technical fault",
    "withdrawn": "withdrew",
    "left": "went away",
    "playing": "still taking part",
    "completed": "completed without a game",
}
"""Ends of participations in words."""
EXCLUSION_WORDS = {
    "left": "the participant went away",
    "not finished": "ended by another participant, a program or a fault",
    "excluded": "a person in it is excluded",
    "repeated": "a person had met the instance before",
    "abandoned": "abandoned",
    "sides": "has no main score: the game has sides",
    "mixed": "a seat changed hands",
    "faults": "stopped by a fault",
    "unscored": "cannot be scored",
}
"""Why games are in no mean, in words."""


@dataclass(frozen=True, slots=True)
class FlowBox:
    """A box of the participant flow: a number with words, and who left the flow after it."""

    count: int
    words: str
    departures: Sequence[tuple[int, str]] = ()


@dataclass(frozen=True, slots=True)
class ReportFigure:
    """A figure as data addresses of its light and its dark version, with a text for those who cannot see it."""

    light_address: str
    dark_address: str
    alt_text: str


def render_report(study_data: StudyData, *, name: str, state: str, ludens_version: str) -> str:
    """Return the report as one HTML page. `state` is that of the study, `ludens_version` that of this program."""
    import jinja2  # late: only the report needs it

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("engine.reports", ""),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {
        "estimate": format_estimate,
        "number": format_number,
        "people": count_people,
        "plural": plural,
    }
    template = environment.get_template("study_report.html")
    return template.render(
        study=study_data.study,
        name=name,
        state=state,
        ludens=ludens_version,
        made=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        data=study_data,
        flow=build_participant_flow(study_data),
        exclusions=_count_exclusions(study_data),
        rules=describe_rules(study_data.study),
        analysed=len(_analysed_people(study_data)),
        conditions=[_make_condition_json(summary, study_data) for summary in study_data.summaries],
        costs=_cost_rows(study_data),
        differences=_method_differences(study_data),
        answers=[_describe_answers(summary) for summary in study_data.answers],
        parts=_group_checklist_items(fill_checklist(study_data, INTERVAL_NOTE)),
        interval=INTERVAL_NOTE,
        min_clusters=MIN_CLUSTERS,
    )


# ---------------------------------------------------------------------- numbers as text
def format_number(shown_number: float | None, decimals: int = 1) -> str:
    """Return a number as text, with a true minus sign."""
    return MISSING_VALUE_TEXT if shown_number is None else MINUS_PATTERN.sub("\\1−\\2", f"{shown_number:z.{decimals}f}")


def format_estimate(estimate: Estimate, unit_suffix: str = "") -> str:
    """Return a value with its interval: "71.3 [64.0, 78.6]"."""
    if estimate.value is None:
        return MISSING_VALUE_TEXT
    value_text = f"{format_number(estimate.value)}{unit_suffix}"
    if estimate.low is None or estimate.high is None:
        return value_text
    return f"{value_text} [{format_number(estimate.low)}, {format_number(estimate.high)}]"


def _explain_missing_interval(clustered_estimate: ClusteredEstimate) -> str:
    """Return why there is no interval, or nothing."""
    if clustered_estimate.estimate.value is None or clustered_estimate.estimate.low is not None:
        return ""
    if clustered_estimate.people < MIN_CLUSTERS or clustered_estimate.instances < MIN_CLUSTERS:
        instances_text = plural(clustered_estimate.instances, "instance")
        return f"no interval: {count_people(clustered_estimate.people)}, {instances_text}"
    return "no interval: somebody is unknown"


def _median_text(measured_values: Sequence[float]) -> float | None:
    ordered_values = sorted(measured_values)
    if not ordered_values:
        return None
    middle_index = len(ordered_values) // 2
    return (
        ordered_values[middle_index]
        if len(ordered_values) % 2
        else (ordered_values[middle_index - 1] + ordered_values[middle_index]) / 2
    )


def _format_quartiles(measured_values: Sequence[float], decimals: int = 1) -> str:
    """Return median and quartiles as text: "12.5 (9.0 to 17.2)"."""
    if not measured_values:
        return MISSING_VALUE_TEXT
    import numpy as np

    lower_quartile, median_value, upper_quartile = (
        float(value) for value in np.percentile(list(measured_values), [25, 50, 75])
    )
    return f"{median_value:.{decimals}f} ({lower_quartile:.{decimals}f} to {upper_quartile:.{decimals}f})"


# ---------------------------------------------------------------------- participant flow and exclusions
def build_participant_flow(study_data: StudyData) -> list[FlowBox]:
    """Return the flow of participants: arrived, began to play, completed, in the analysis."""
    people_who_played = [person for person in study_data.people if person.has_played]
    completed_people = [person for person in people_who_played if person.end == "completed"]
    analysed_pseudonyms = _analysed_people(study_data)
    incomplete_analysed_count = sum(
        person.participation.pseudonym in analysed_pseudonyms
        for person in people_who_played
        if person.end != "completed"
    )
    excluded_count = sum(bool(person.exclusions) for person in completed_people)
    completed_analysed_count = len(analysed_pseudonyms) - incomplete_analysed_count
    without_games_count = len(completed_people) - excluded_count - completed_analysed_count
    losses = [(excluded_count, "excluded from the analysis"), (without_games_count, "no game that counts")]
    analysed_text = (
        f": {completed_analysed_count} who completed the study and {incomplete_analysed_count} who did not"
        if incomplete_analysed_count
        else ""
    )
    return [
        FlowBox(
            len(study_data.people), "arrived", _count_people_by_end(p for p in study_data.people if not p.has_played)
        ),
        FlowBox(
            len(people_who_played),
            "began to play",
            _count_people_by_end(person for person in people_who_played if person.end != "completed"),
        ),
        FlowBox(len(completed_people), "completed the study", [loss for loss in losses if loss[0]]),
        FlowBox(len(analysed_pseudonyms), f"in the analysis{analysed_text}"),
    ]


def _analysed_people(study_data: StudyData) -> set[str]:
    excluded_episodes = {
        play.result.episode for play in study_data.plays if play.person in study_data.exclusions_by_pseudonym
    }
    return {
        play.person
        for play in study_data.plays
        if find_exclusion_reason(play) is None and play.result.episode not in excluded_episodes
    }


def _count_people_by_end(people: Iterable[StudyPerson]) -> list[tuple[int, str]]:
    end_counts = Counter(person.end for person in people)
    ending_names = [*LABEL_BY_ENDING_NAME, *sorted(end_counts.keys() - LABEL_BY_ENDING_NAME.keys())]
    return [
        (end_counts[ending_name], LABEL_BY_ENDING_NAME.get(ending_name, ending_name))
        for ending_name in ending_names
        if end_counts[ending_name]
    ]


def _count_exclusions(study_data: StudyData) -> list[tuple[str, int, int]]:
    """Return each reason with the number of people and of their games that would count."""
    games = Counter(play.person for play in study_data.plays if play.state == "counts")
    people: dict[str, list[str]] = {}
    for person in study_data.people:
        for reason in person.exclusions:
            people.setdefault(reason, []).append(person.participation.pseudonym)
    return [(reason, len(names), sum(games[name] for name in names)) for reason, names in sorted(people.items())]


# ---------------------------------------------------------------------- main figures
def _make_condition_json(summary: ConditionSummary, study_data: StudyData) -> Json:
    """Return what the page shows of one set of conditions."""
    condition = summary.condition
    partners = {seat: player for seat, player in condition.seats.items() if seat not in summary.people_seats}
    rows = [PlayerEstimates("people", "person", summary.mean.estimate)]
    rows += [
        PlayerEstimates(model.player, study_data.kinds[model.player], model.model, model.difference.estimate)
        for model in summary.models
        if model.games
    ]
    label = f"{condition.game} / {condition.variant}"
    figures = [_report_figure(draw_means, (rows,), _make_means_alt_text(label, rows))]
    if summary.person_means:
        alt_text = (
            f"Mean scores of {count_people(len(summary.person_means))}: lowest {summary.person_means[0]:.0f}, "
            f"median {_median_text(summary.person_means):.0f}, highest {summary.person_means[-1]:.0f}."
        )
        figures.append(_report_figure(draw_people, (summary.person_means, rows[1:]), alt_text))
    return {
        "title": label,
        "seats": ", ".join(summary.people_seats),
        "partners": ", ".join(f"{seat}: {player}" for seat, player in partners.items()),
        "settings": ", ".join(f"{key} = {value}" for key, value in condition.settings.items()),
        "prompts": condition.prompts,
        "summary": summary,
        "means": [
            ("without excluded people", summary.mean, _explain_missing_interval(summary.mean), True),
            (
                "with excluded people",
                summary.mean_with_excluded,
                _explain_missing_interval(summary.mean_with_excluded),
                False,
            ),
            (
                "first game of each person only",
                summary.first_games,
                _explain_missing_interval(summary.first_games),
                False,
            ),
        ],
        "models": [(model, _explain_missing_interval(model.difference)) for model in summary.models if model.games],
        "elsewhere": [(model.player, model.other_conditions) for model in summary.models if not model.games],
        "attrition": summary.attrition,
        "left_out": [(e, EXCLUSION_WORDS.get(reason, reason)) for reason, e in sorted(summary.left_out.items())],
        "figures": figures,
        "blocks": study_data.study.games.order == "blocks",
    }


def _make_means_alt_text(label: str, estimate_rows: Sequence[PlayerEstimates]) -> str:
    mean_texts = [f"{row.player} {format_estimate(row.mean_estimate)}" for row in estimate_rows]
    return f"Mean scores in {label}: {'; '.join(mean_texts)}. The numbers are in the tables below."


def _report_figure(draw_figure: Any, arguments: Sequence[Any], alt_text: str) -> ReportFigure:
    light_svg, dark_svg = (
        "data:image/svg+xml;base64," + base64.b64encode(draw_figure(*arguments, is_dark=is_dark)).decode()
        for is_dark in (False, True)
    )
    return ReportFigure(light_svg, dark_svg, alt_text)


# ---------------------------------------------------------------------- minutes and pay, tokens and cost
def _cost_rows(study_data: StudyData) -> Json:
    """Return minutes and pay of people, and tokens and cost of the models they are compared with."""
    minutes = [p.minutes for p in study_data.people if p.end == "completed" and p.minutes is not None]
    pay, paid_amounts = study_data.study.pay, [bonus.amount for bonus in study_data.bonuses]
    hourly_pay_text = None
    if pay is not None and minutes:
        amount_by_person = {bonus.participation: bonus.amount for bonus in study_data.bonuses}
        hourly_pay_text = _format_quartiles(
            [
                float(pay.base + amount_by_person.get(person.participation.id, Decimal(0)))
                / max(person.minutes, 1 / 60)
                * 60
                for person in study_data.people
                if person.end == "completed" and person.minutes is not None
            ],
            2,
        )
    people_seats = [
        study_data.measures[play.result.episode].get(play.seat, SeatMeasures()) for play in study_data.plays
    ]
    cost_rows = [_compute_player_costs("people", people_seats)]
    for player in study_data.kinds:
        cost_rows.append(_compute_player_costs(player, _model_measures(study_data, player)))
    return {
        "minutes": _format_quartiles(minutes),
        "completed": len(minutes),
        "waiting": _format_quartiles(
            [person.participation.waited / 60_000 for person in study_data.people if person.participation.waited]
        ),
        "planned": study_data.study.minutes,
        "stated_pay": study_data.study.pay_per_hour,
        "currency": pay.currency if pay else "",
        "base": f"{pay.base:.2f}" if pay else None,
        "bonus": _format_quartiles([float(amount) for amount in paid_amounts], 2) if pay else None,
        "bonus_total": f"{sum(paid_amounts, Decimal(0)):.2f}" if pay else None,
        "paid_people": len(paid_amounts),
        "pay_total": f"{pay.base * len(paid_amounts) + sum(paid_amounts, Decimal(0)):.2f}" if pay else None,
        "hourly": hourly_pay_text,
        "rows": cost_rows,
    }


def _model_measures(study_data: StudyData, player: str) -> list[SeatMeasures]:
    return [
        measures
        for summary in study_data.summaries
        for model in summary.models
        if model.player == player
        for episode in model.episodes
        for seat, measures in study_data.measures[episode].items()
        if seat in summary.people_seats
    ]


def _compute_player_costs(player: str, seats: Sequence[SeatMeasures]) -> Json:
    replies, refused_count = (
        sum(seat_measures.reply_count for seat_measures in seats),
        sum(seat_measures.refusal_count for seat_measures in seats),
    )
    seconds = [reply_seconds for seat_measures in seats for reply_seconds in seat_measures.reply_seconds]
    costs = [seat_measures.cost for seat_measures in seats if seat_measures.cost is not None]
    games = len(seats)
    return {
        "player": player,
        "games": games,
        "replies": format_number(replies / games) if games else MISSING_VALUE_TEXT,
        "refused": f"{100 * refused_count / replies:.1f} %" if replies else MISSING_VALUE_TEXT,
        "seconds": format_number(_median_text(seconds)),
        "tokens": f"{sum(seat_measures.token_count for seat_measures in seats) / games:,.0f}"
        if any(seat_measures.token_count for seat_measures in seats)
        else MISSING_VALUE_TEXT,
        "cost": f"{sum(costs) / games:.4f}" if costs else MISSING_VALUE_TEXT,
    }


# ---------------------------------------------------------------------- methods
HIDDEN_PARTNER_DIFFERENCE = [
    (
        "Partner",
        "not shown whether it is a person or a program, whose replies are held for as long as a person might take",
        "what is written to them does not say who plays",
    )
]


def _method_differences(study_data: StudyData) -> list[tuple[str, str, str]]:
    """Return what people and models got: (what, people, models)."""
    study = study_data.study
    questions = f"{len(study.rules.questions)} questions about them with up to {study.rules.attempts} attempts"
    conditions = [summary.condition for summary in study_data.summaries]
    prompts = ", ".join(sorted({condition.prompts for condition in conditions})) or MISSING_VALUE_TEXT
    reprompts = (
        ", ".join(str(number) for number in sorted({condition.reprompt for condition in conditions}))
        or MISSING_VALUE_TEXT
    )
    turn_limit = study.games.turn_seconds
    reply_limit = f"{turn_limit:g} seconds for a reply" if turn_limit else "no limit for a reply"
    feedback = {"none": "none", "score": "the score of the game", "full": "the score, and the game with both sides"}
    return [
        (
            "Rules",
            "a page with the rules and a diagram before the games"
            + f", {questions if study.rules.questions else 'no questions'}",
            f"the rules as the prompts of the game state them (prompt set {prompts})",
        ),
        (
            "Messages in a game",
            "the same prompts as messages; forms in place of the words about the format of replies",
            "the prompts, with words about the format of replies",
        ),
        (
            "Counters",
            "the page shows how far the game is" if _has_progress(study_data) else "none beyond the messages",
            "only what the prompts say",
        ),
        (
            "Practice",
            f"practice games before the others: {study.games.practice}" if study.games.practice else "no practice game",
            "no practice game, no examples beyond the prompts",
        ),
        ("Feedback after a game", feedback[study.games.feedback], "none"),
        (
            "Memory",
            f"up to {study.games.count} games in one sitting; people remember and may learn",
            "every game begins without memory of others",
        ),
        (
            "Refused replies",
            f"forms make most faults impossible; reminders allowed: {reprompts}",
            f"any text can be sent; reminders allowed: {reprompts}",
        ),
        (
            "Time",
            f"{reply_limit}; who is away for {study.hold_minutes:g} minutes loses the game",
            "no limit but that of the provider",
        ),
        (
            "Tools and copying",
            f"no tools offered; pasting is {study.pastes}{_describe_reported_help(study_data)}",
            "no tools offered",
        ),
        (
            "Pictures",
            "shown in a browser, can be enlarged; window size and zoom are recorded",
            "sent as image files with the prompt",
        ),
        *(HIDDEN_PARTNER_DIFFERENCE if study.hidden_partner else ()),
        ("Cost", "paid for their time (see below)", "tokens (see below)"),
    ]


def _has_progress(study_data: StudyData) -> bool:
    """Return whether any game of a participant showed how far it is."""
    return any(
        measures.has_progress
        for play in study_data.plays
        for seat, measures in study_data.measures[play.result.episode].items()
        if seat == play.seat
    )


def _describe_reported_help(study_data: StudyData) -> str:
    """Return how many people say that they used an AI or help, "" where the study does not ask."""
    summary = next((summary for summary in study_data.answers if summary.question.name == "used_ai"), None)
    return (
        f"; {summary.counts.get(YES_ANSWER, 0)} of {summary.people} say that they used an AI or help" if summary else ""
    )


def _describe_answers(summary: AnswerSummary) -> Json:
    answer_numbers = summary.numbers
    summary_words = (
        f"median {_median_text(answer_numbers):g}, from {answer_numbers[0]:g} to {answer_numbers[-1]:g}"
        if answer_numbers
        else ""
    )
    return {
        "question": summary.question.text,
        "name": summary.question.name,
        "people": summary.people,
        "answers": summary.answers,
        "is_after_game": summary.is_after_game,
        "alpha": summary.alpha,
        "words": summary_words or ", ".join(f"{option}: {count}" for option, count in summary.counts.items()),
    }


def _group_checklist_items(checklist_items: Sequence[ChecklistItem]) -> list[tuple[str, list[ChecklistItem]]]:
    titles = {
        "1": "Design and implementation",
        "2": "Recruitment",
        "3": "Execution",
        "4": "Analysis",
        "5": "Documentation",
    }
    return [
        (title, [item for item in checklist_items if item.number.startswith(f"{part_number}.")])
        for part_number, title in titles.items()
    ]
