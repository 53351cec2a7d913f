"""`ludens study check`: say what a study file means, and prove that its games can be dealt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.output import UsageError, print_data, print_message
from engine.core.wording import plural

if TYPE_CHECKING:
    from engine.studies.version import StudyVersion

StudyFile = Annotated[Path, typer.Argument(help="The study file (TOML).")]


def check_study(file: StudyFile) -> None:
    """Check a study file: what it means, how many participants it needs, and whether their games can be dealt.

    Every mistake is named with file, line and field.
    """
    study_version, _ = load_study_file(file)
    print_data("\n".join(describe_study(study_version)))


def load_study_file(study_path: Path) -> tuple[StudyVersion, str]:
    """Return a checked study with its cells, and the text of its file. Raises `UsageError` or `BadStudy`."""
    from cli.log_access import build_registry
    from cli.settings import load_settings
    from engine.studies.cells import build_cells
    from engine.studies.study_file import BadStudy, load_study
    from engine.studies.version import StudyVersion

    study, study_text = load_study(study_path)
    registry = build_registry(load_settings())
    try:
        study_version = StudyVersion(study, tuple(build_cells(study, registry)))
    except BadStudy as error:
        raise UsageError(f"{study_path}: {error}") from None
    paid_players = sorted(
        {
            player
            for cell in study_version.cells
            for seat, player in cell.seats.items()
            if seat != cell.seat
            and player != "participant"
            and registry.player_info(player, cell.instance.game).is_paid
        }
    )
    if paid_players and not study.disclosure:
        raise UsageError(
            f"{study_path}: disclosure: {', '.join(paid_players)} gets what participants write: say in "
            "`disclosure` and in "
            "the consent who that is"
        )
    return study_version, study_text


def describe_study(study_version: StudyVersion) -> list[str]:
    """Return what a study means, as lines. Raises `BadStudy` where its games cannot be dealt."""
    from engine.studies.cells import list_single_game_experiments, plan_dealing

    study = study_version.study
    deal_plan = plan_dealing(study, study_version.cells)
    instance_ids = {cell.instance.instance_id for cell in study_version.cells}
    total_hours = deal_plan.participant_count * study.minutes / 60
    study_lines = [
        f"{study.title} ({study.name}, version {study.version})",
        f"cells:        {len(study_version.cells)} ({plural(len(instance_ids), 'instance')} × seats for participants)",
        f"games wanted: {deal_plan.seat_count} by participants, {study.games.count} each",
        f"participants: {deal_plan.participant_count}; of these {deal_plan.complete_count} get all their games",
        f"time:         about {study.minutes:g} minutes each, {total_hours:.1f} hours in all",
        f"steps:        {', '.join(_list_step_names(study_version))}",
        *_describe_partner(study_version),
        f"identifiers:  deleted by {study.retention}",
    ]
    if study.games.count > 1:
        study_lines += [
            f"note:         nobody plays two games of {experiment}: all its instances have a picture or a map in common"
            for experiment in list_single_game_experiments(study_version.cells)
        ]
    if deal_plan.unfilled_seats:
        study_lines.append(
            f"note:         {plural(deal_plan.unfilled_seats, 'game')} would need further participants: instances "
            "that share a "
            "picture or a map are kept apart"
        )
    return study_lines


def _describe_partner(study_version: StudyVersion) -> list[str]:
    """Return what a study with hidden partners means, as lines; none for other studies."""
    study = study_version.study
    if not study.hidden_partner:
        return []
    program_names = {
        player
        for cell in study_version.cells
        for seat, player in cell.seats.items()
        if seat != cell.seat and player != "participant"
    }
    people_names = ["another participant"] if any(cell.partner_seat for cell in study_version.cells) else []
    approval_note = f"approval: {study.deception_approval}" if study.deception_approval else "the consent says so"
    partners_text = " or ".join([*people_names, *sorted(program_names)])
    return [f"partner:      not shown until the debriefing ({approval_note}); {partners_text}"]


def _list_step_names(study_version: StudyVersion) -> list[str]:
    step_names = study_version.steps
    game_surveys = dict.fromkeys(
        f"{step_name.rpartition('-')[0]} after each" for step_name in step_names if "after_game" in step_name
    )
    other_steps = [step_name for step_name in step_names if "game-" not in step_name]
    games_index = other_steps.index("rules") + 1 + study_version.study.games.practice
    other_steps[games_index:games_index] = [plural(study_version.study.games.count, "game"), *game_surveys]
    return other_steps


def add_study(
    file: StudyFile,
    db: Annotated[Path | None, typer.Option(help="The log file.  [default: logs/ludens.db]")] = None,
) -> None:
    """Put a study on the server, as a draft; a changed file becomes the new version of the study.

    Participants who have begun keep the version with which they began.
    """
    from cli.log_access import check_writable
    from cli.settings import load_settings
    from engine.storage.store import Store
    from engine.storage.study_records import StudyRecords
    from engine.studies.cells import plan_dealing

    version, study_text = load_study_file(file)
    plan_dealing(version.study, version.cells)
    settings = load_settings(db=db)
    check_writable(settings.db)
    with Store(settings.db) as store:
        study_records = StudyRecords(store, store)
        study_name = version.study.name
        is_new = study_name not in study_records.list_names()
        study_records.add_study(study_name, version.study.version, study_text)
        study_state = study_records.read_study(study_name).state
    print_message(f"{'Added' if is_new else 'Updated'} {study_name}, version {version.study.version}, {study_state}.")
    print_message(f"Participants' link: /study/{study_name} on your server. `ludens study open {study_name}` opens it.")
