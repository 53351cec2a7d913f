"""The pages of a study that are the same for all its participants: as data for the browser, and as HTML for readers."""

from __future__ import annotations

from pathlib import Path

from engine.core.events import Json
from engine.play.registry import Registry
from engine.storage.study_records import StudyRecords
from engine.studies.study_file import HIDDEN_PARTNER_WORDS, BadStudy, Study, describe_question
from engine.studies.version import StudyVersion, load_version

TEMPLATE_FILE = Path(__file__).with_name("page.html")
LATE_WITHDRAWAL_OFFER = (
    "You did not know all of this when you agreed to take part. You may withdraw now and have your games and answers "
    "deleted. You need not say why."
)
DATA_KEPT_TEXT = "The games that you finished and your answers are kept."
DATA_DELETED_TEXT = "None of your games and answers is stored any more."


def describe_withdrawal(study: Study, *, has_answers: bool) -> str:
    """Return what somebody who has withdrawn is told of what is stored. Whoever has agreed has an answer."""
    stored_words = DATA_KEPT_TEXT if has_answers else DATA_DELETED_TEXT
    return (
        f"Nothing more is asked of you. {stored_words} If your link named you to those who run the study, "
        "such as by a participant number, that is stored apart so that nobody takes part twice, until "
        f"{study.retention} at the latest. Ask them if you want it deleted earlier."
    )


def describe_page(step_name: str, version: StudyVersion, registry: Registry) -> Json | None:
    """Return what a step shows to everybody; None for steps that differ by participant, which are games and the end."""
    study = version.study
    page_kind = step_name.partition("-")[0]
    if page_kind == "consent":
        return describe_consent(study)
    if page_kind == "survey":
        _, survey_time, survey_index, *_ = step_name.split("-")
        survey = study.list_surveys(survey_time)[int(survey_index)]
        questions = [describe_question(question) for question in survey.all_questions]
        return {"kind": "survey", "title": survey.title, "questions": questions}
    if page_kind == "rules":
        questions = [describe_question(question) for question in study.rules.questions]
        game_rules = _describe_rules(version, registry)
        page_json = {"kind": "rules", "games": game_rules, "count": study.games.count, "questions": questions}
        return page_json | ({"partner": _write_partner_notice(study)} if study.hidden_partner else {})
    if page_kind == "debriefing":
        withdrawal_json = {"withdrawal": LATE_WITHDRAWAL_OFFER} if study.deception_approval else {}
        return {"kind": "debriefing", "text": study.debriefing} | withdrawal_json
    return None


def _write_partner_notice(study: Study) -> str:
    """Return what everybody is told beforehand where nobody is shown who sits opposite."""
    partner_text = "" if study.deception_approval else f": it is {HIDDEN_PARTNER_WORDS}"
    return f"You will not be shown who plays with you{partner_text}. Your partners are not shown who you are either."


def describe_consent(study: Study) -> Json:
    """Return what participants read before they agree."""
    consent_facts = {
        name: getattr(study, name) for name in ("controller", "legal_basis", "ethics", "disclosure", "minutes")
    }
    consent_json = {"text": study.consent.text, "agree": study.consent.agree, "until": study.retention.isoformat()}
    return {"kind": "consent", **consent_facts, **consent_json}


def _describe_rules(version: StudyVersion, registry: Registry) -> list[Json]:
    """Return the rules of every game and variant that this study deals."""
    rules_by_seat: dict[tuple[str, str], Json] = {}
    for cell in version.cells:
        game = registry.game(cell.instance.game)
        variant = game.variant(cell.instance.variant)
        rule_texts = [*game.rules, *variant.rules]
        rules_by_seat[game.name, variant.name] = {
            "game": game.name, "variant": variant.name, "title": game.title, "rules": rule_texts
        }  # fmt: skip
    return list(rules_by_seat.values())


def render_pages(version: StudyVersion, registry: Registry) -> dict[str, str]:
    """Return the pages of a version as HTML without scripts, by the names of their steps; each step once.

    They have the texts, diagrams and questions of the participant's pages in their order, and a similar layout.
    """
    from jinja2 import Environment, StrictUndefined

    template = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True).from_string(
        TEMPLATE_FILE.read_text(encoding="utf-8")
    )
    briefings = {
        (cell.instance.game, cell.instance.variant): registry.game(cell.instance.game).briefing(cell.instance.variant)
        for cell in version.cells
    }
    pages: dict[str, str] = {}
    for step_name in version.steps:
        page = describe_page(step_name, version, registry)
        page_name = step_name.rpartition("-")[0] if step_name.startswith("survey-after_game") else step_name
        if page is not None and page_name not in pages:
            pages[page_name] = template.render(study=version.study, page=page, step=page_name, briefings=briefings)
    return pages


def list_files(study_records: StudyRecords, study_name: str, registry: Registry) -> tuple[dict[str, str], list[str]]:
    """Return the study files and pages of all versions of a study by file name, and what had to be left out."""
    text_by_path, problem_texts = dict[str, str](), list[str]()
    for study_row in study_records.read_versions(study_name):
        text_by_path[f"study-{study_row.version}.toml"] = study_row.file
        try:
            pages = render_pages(load_version(study_row, registry), registry)
        except BadStudy as error:  # a game or player that this version dealt is no longer installed
            problem_texts.append(f"Pages of version {study_row.version} are left out: {error}")
        else:
            text_by_path |= {f"pages-{study_row.version}/{step_name}.html": page for step_name, page in pages.items()}
    return text_by_path, problem_texts
