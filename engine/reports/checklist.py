"""The checklist for human baselines of Wei et al. (2025, https://arxiv.org/abs/2506.13776), filled for a study.

The numbers and titles are those of the checklist; the questions are shortened. What neither the log nor the study file
says is None, and the report shows it as "not stated".
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.wording import count_people, plural
from engine.reports.study_data import StudyData
from engine.results.statistics import average
from engine.results.two_way import MIN_CLUSTERS
from engine.studies.exclusions import describe_rules

ANSWER_BY_ORDER = {
    "random": "Yes",
    "blocks": "Partial: experiments in blocks, instances in them at random",
    "latin_square": "Yes: experiments by a Latin square, instances in them at random",
}
"""What the orders of a study file mean."""


@dataclass(frozen=True, slots=True)
class ChecklistItem:
    """One item: its number in the checklist, its title, the question, and the answer, None where it is not known."""

    number: str
    title: str
    question: str
    answer: str | None


def fill_checklist(study_data: StudyData, interval_description: str) -> list[ChecklistItem]:
    """Return the items of parts 1 to 5; those of part 0 describe a publication. Text from the study file is quoted."""
    item_fields = [
        *_design_items(study_data),
        *_list_recruitment_items(study_data),
        *_list_execution_items(study_data),
        *_list_analysis_items(study_data, interval_description),
        *_list_documentation_items(study_data),
    ]
    return [ChecklistItem(*item) for item in item_fields]


Item = tuple[str, str, str, str | None]


def _stated_text(study_text: str) -> str | None:
    return study_text.strip() or None


def _design_items(study_data: StudyData) -> list[Item]:
    study, counted_plays = study_data.study, [play for play in study_data.plays if play.state == "counts"]
    excluded_people = set(study_data.exclusions_by_pseudonym)
    people = {play.person for play in counted_plays} - excluded_people
    games_by_instance: dict[str, int] = {}
    games_by_person: dict[str, int] = {}
    for play in counted_plays:
        if play.person in people:
            games_by_instance[play.result.instance_hash] = games_by_instance.get(play.result.instance_hash, 0) + 1
            games_by_person[play.person] = games_by_person.get(play.person, 0) + 1
    people_per_item = (
        f"{average([*map(float, games_by_instance.values())]):.1f} on average" if games_by_instance else None
    )
    items_per_person = f"{average([*map(float, games_by_person.values())]):.1f} on average" if games_by_person else None
    selections = ", ".join(cell_plan.selection for cell_plan in study.games.deals)
    return [
        ("1.1", "Number of baseliners", "How many people were there?", f"{len(people)} with games that count"),
        (
            "1.2",
            "Baseline test set size",
            "How many items did people answer?",
            plural(len(games_by_instance), "instance"),
        ),
        (
            "1.2.1",
            "Sampling of the test set",
            "How were the items selected?",
            f"all instances of {selections}; each person gets those played least so far, drawn by lot among equals",
        ),
        ("1.3", "Samples per item", "How many responses of people are there for each item?", people_per_item),
        ("1.4", "Items per baseliner", "How many items did each person respond to?", items_per_person),
        (
            "1.5",
            "Human/AI adjustment",
            "Do instructions and items account for people and models?",
            "Yes: the same rules, formats and scores; differences are listed in this report",
        ),
        (
            "1.6",
            "Iterative design",
            "Was the setup tested, such as in a pilot?",
            f"Yes: a pilot with {plural(study_data.pilots, 'participation')}" if study_data.pilots else None,
        ),
        (
            "1.7",
            "Amount of effort",
            "Is the effort of people and models controlled?",
            "Partial: minutes and pay, tokens and cost are reported; neither is limited by the study",
        ),
        ("1.8", "Power analysis", "Was the number of people determined by a power analysis?", None),
        ("1.9", "Ethics review", "Was there an ethics review?", _stated_text(study.ethics)),
        ("1.10", "Preregistration", "Was the design registered in advance?", _stated_text(study.preregistration)),
    ]


def _list_recruitment_items(study_data: StudyData) -> list[Item]:
    study = study_data.study
    screened_count = sum(person.participation.state == "screened_out" for person in study_data.people)
    inclusion_criteria_text = _stated_text(study.inclusion)
    criteria = "; ".join(
        filter(
            None,
            [inclusion_criteria_text, "questions about the rules answered right" if study.rules.questions else None],
        )
    )
    pay = study.pay
    bonus = equal_pay_text = None
    if pay is not None:
        pay_rules = [f"{pay.per_point} {pay.currency} per point"] if pay.per_point else []
        pay_rules += [
            f"{amount:.2f} {pay.currency} from {score} points" for score, amount in sorted(pay.per_score.items())
        ]
        bonus = "; ".join(pay_rules) + " of each game" if pay_rules else "No"
        equal_pay_text = "No: the base is, the bonus depends on the score" if pay_rules else "Yes"
    amount = _stated_text(study.pay_per_hour) or (f"{pay.base:.2f} {pay.currency} for each person" if pay else None)
    return [
        (
            "2.1",
            "Population of interest",
            "For which people may the results be valid?",
            _stated_text(study.population),
        ),
        ("2.2", "Sampling strategy", "How were people recruited?", _stated_text(study.recruitment)),
        (
            "2.3",
            "Quality control in recruitment",
            "Were people pre-qualified or excluded?",
            f"Yes: {criteria}; {screened_count} screened out" if criteria else None,
        ),
        ("2.4", "Author baseliners", "Did members of the research team take part?", None),
        (
            "2.5",
            "Train/test contamination",
            "Were people excluded who knew the items?",
            "Yes: nobody is dealt an instance, picture or map that they have met on this server",
        ),
        (
            "2.6",
            "Training",
            "Were people trained before?",
            "Partial: the rules with a diagram"
            + (f", {plural(len(study.rules.questions), 'question')} about them" if study.rules.questions else "")
            + (f", practice games: {study.games.practice}" if study.games.practice else ""),
        ),
        ("2.7", "Compensation", "Were people paid, and how much?", amount),
        ("2.7.2", "Performance bonus", "Was there a bonus, and how was it determined?", bonus),
        ("2.7.3", "Compensation structure", "Was pay the same for everybody?", equal_pay_text),
    ]


def _list_execution_items(study_data: StudyData) -> list[Item]:
    study = study_data.study
    exclusion_rules = describe_rules(study)
    questions = [question.name for survey in study.surveys for question in survey.all_questions]
    checks = sum(bool(question.right) for survey in study.surveys for question in survey.all_questions)
    control_text = "; ".join([*exclusion_rules, *([f"attention checks: {checks}"] if checks else [])])
    asks_ai = "used_ai" in questions
    return [
        (
            "3.1",
            "Instrument length",
            "How many items are there in one sitting?",
            f"up to {plural(study.games.count, 'game')}",
        ),
        (
            "3.1.1",
            "Item randomisation",
            "Was the order random?",
            ANSWER_BY_ORDER[study.games.order],
        ),
        (
            "3.2",
            "Quality control in execution",
            "Were data checked or left out?",
            f"Yes: {control_text}" if control_text else "No rules in the study file; by hand where this report says so",
        ),
        (
            "3.2.2",
            "Execution exclusion rate",
            "How many were left out?",
            count_people(len(study_data.exclusions_by_pseudonym)),
        ),
        (
            "3.3",
            "UI equivalence",
            "Did people and models have the same interface?",
            "No: people used pages with forms, models got text and pictures; forms write the text that models write",
        ),
        (
            "3.4",
            "Instruction equivalence",
            "Did people and models get the same instructions?",
            "Partial: the same prompts in the game; people also read the rules before it",
        ),
        (
            "3.5",
            "Tool access equivalence",
            "Did people and models have the same tools?",
            "Partial: neither was given tools; people were "
            + ("asked whether they used an AI" if asks_ai else "not asked whether they used any"),
        ),
        (
            "3.5.1",
            "Tool access enforcement",
            "How was the use of tools prevented?",
            "Partial: pasting is blocked" if study.pastes == "blocked" else "No: pasting is recorded, not blocked",
        ),
        (
            "3.6",
            "Explanations",
            "Did people explain their responses?",
            "Yes: asked how they decided" if "how_decided" in questions else "No",
        ),
    ]


def _list_analysis_items(study_data: StudyData, interval_description: str) -> list[Item]:
    has_interval = any(summary.mean.estimate.low is not None for summary in study_data.summaries)
    return [
        (
            "4.1",
            "Statistical significance",
            "Were differences tested?",
            "Yes: 95 % intervals of people minus model; no p-value"
            if any(summary.models for summary in study_data.summaries)
            else None,
        ),
        (
            "4.2",
            "Uncertainty estimate",
            "Is there a measure of uncertainty?",
            f"Yes: {interval_description}"
            if has_interval
            else f"No: fewer than {MIN_CLUSTERS} people or instances have no interval",
        ),
        ("4.3", "Metric equivalence", "Was the same metric used for people and models?", "Yes: the game's main score"),
        ("4.4", "Scoring criteria", "Was the same rubric used?", "Yes: computed from the log by the same code"),
        ("4.5", "Scoring method", "Was the same method used?", "Yes: by program, no judge"),
        (
            "4.6",
            "Robustness",
            "Do the results depend on exclusions?",
            "Results with and without exclusions, of first games alone, and with dropouts as 0 are in this report",
        ),
    ]


def _list_documentation_items(study_data: StudyData) -> list[Item]:
    has_demographics = any(summary.question.name in ("age", "gender", "education") for summary in study_data.answers)
    return [
        (
            "5.1.1",
            "Sample demographics",
            "Are demographics of the sample reported?",
            "Yes: in this report" if has_demographics else None,
        ),
        (
            "5.1.2",
            "Instructions",
            "Are the instructions reported?",
            "Yes: in the study file and the rules of the games",
        ),
        ("5.1.3", "Time to completion", "Is the time reported?", "Yes: in this report"),
        ("5.1.4", "AI tool versions", "Which AI tools did people have?", None),
        ("5.1.5", "Completion rate", "How many did not complete the study?", "Yes: in the participant flow"),
        ("5.2", "Data availability", "Are the data of people public?", None),
        (
            "5.3",
            "Materials availability",
            "Are the materials public?",
            "Partial: the study file is in every export, the games are part of Ludens",
        ),
        ("5.4", "Code availability", "Is the analysis code public?", "Yes: it is part of Ludens"),
    ]
