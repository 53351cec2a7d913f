"""`ludens study report`: what a study found, as one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options import DbOption
from cli.output import CommandFailed, UsageError, print_message
from cli.study.manage import StudyNameArgument, open_records
from engine.core.wording import plural


def write_report(
    name: StudyNameArgument,
    out: Annotated[Path | None, typer.Option(help="FILE.html  [default: NAME-report.html]")] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            help="Compare people with this player; can be repeated.  [default: all that played the instances]"
        ),
    ] = None,
    pilot: Annotated[bool, typer.Option("--pilot", help="Include the participants of the pilot.")] = False,
    db: DbOption = None,
) -> None:
    """Write the report of a study: one HTML file that loads nothing from elsewhere.

    It has the flow of participants, exclusions, means with intervals, people against models on the same instances,
    dropout, learning, time and cost, the differences in method, and the checklist for human baselines. Models are those
    in the same log that played the instances at the same seats, with the same partners, settings and prompts.
    """
    from cli.log_access import build_registry
    from cli.settings import load_settings
    from engine.play.plans import read_ludens_version
    from engine.reports.study_data import read_study_data
    from engine.reports.study_report import render_report
    from engine.results.leaderboard import make_matcher

    file = out or Path(f"{name}-report.html")
    if file.suffix.lower() != ".html":
        raise UsageError(f"--out {file}: name a file that ends in .html")
    if not file.parent.is_dir():
        raise UsageError(f"--out {file}: the folder {file.parent} does not exist; create it, or name another")
    registry = build_registry(load_settings(db=db))
    matchers = [make_matcher(registry.resolve(player)) for player in model or ()]
    with open_records(db) as (store, study_records):
        study_row = study_records.read_study(name)
        study_data = read_study_data(
            store,
            study_records,
            registry,
            name,
            include_pilot=pilot,
            is_compared=lambda player: not matchers or any(matches_player(player) for matches_player in matchers),
        )
    players = sorted(study_data.kinds)
    for player, matches_player in zip(model or (), matchers, strict=True):
        if not any(map(matches_player, players)):
            raise UsageError(
                f"--model {player}: no game on the instances of this study at the seats of its participants"
            )
    try:
        file.write_text(
            render_report(study_data, name=name, state=study_row.state, ludens_version=read_ludens_version()),
            encoding="utf-8",
        )
    except OSError as error:
        raise CommandFailed(f"{file} cannot be written: {error.strerror}; name another file") from None
    comparison_note = f", compared with {', '.join(players)}" if players else ""
    print_message(
        f"{file}: {plural(len(study_data.people), 'participation')}, "
        f"{plural(len(study_data.plays), 'game')}{comparison_note}."
    )
    if study_data.pilots and not pilot:
        print_message(f"{plural(study_data.pilots, 'participation')} of the pilot left out; --pilot includes them.")
