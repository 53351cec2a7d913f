"""`ludens study simulate`: rehearse a study with simulated participants on a real server."""

from __future__ import annotations

import random
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.options import check_format
from cli.output import CommandFailed, UsageError, print_data, print_json, print_message
from cli.study.check import StudyFile
from engine.core.wording import plural

if TYPE_CHECKING:
    from cli.study.rehearsal.crowd import SimulatedParticipants
    from engine.play.registry import Registry
    from engine.storage.store import Store
    from engine.storage.study_records import StudyRecords
    from engine.studies.version import StudyVersion

OUTPUT_FORMATS = ("table", "json")
PACE_NAMES = ("fast", "human")
DEPARTURE_TIMEOUT_SECONDS = 90.0
"""How long the server may take to note who has left, on top of the study's `hold_minutes`."""


def rehearse_study(
    file: StudyFile,
    participants: Annotated[int, typer.Option(min=1, max=10_000, help="How many simulated participants.")] = 20,
    pace: Annotated[str, typer.Option(metavar="fast|human", help="fast: no thinking; human: thinking times.")] = "fast",
    arrivals: Annotated[
        int | None,
        typer.Option(min=1, help="How many take part at once; the next arrive as others end.  [default: up to 100]"),
    ] = None,
    kills: Annotated[
        int, typer.Option(min=0, max=100, help="Kill the server (-9) so often, at random moments, and start it again.")
    ] = 0,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of who does what.  [default: random]")] = None,
    format: Annotated[str, typer.Option("--format", help="table or json.")] = "table",
    db: Annotated[
        Path | None, typer.Option(help="A log file to keep, without participants.  [default: a temporary one]")
    ] = None,
) -> None:
    """Rehearse a study: simulated participants go through it on a real server, over HTTP and sockets.

    They consent, answer, make mistakes, play, reload, go on in another browser, decline, leave and withdraw. Models are
    replaced by programs, so that nothing is paid. Exit code 1 if there were errors or the cells are not exact.
    """
    import asyncio
    import tempfile

    check_format(format, OUTPUT_FORMATS)
    if pace not in PACE_NAMES:
        raise UsageError(f"no pace {pace!r}; there are: {', '.join(PACE_NAMES)}")
    seed = random.SystemRandom().randrange(10**6) if seed is None else seed
    arrival_count = min(arrivals or 100, participants)
    signal.signal(signal.SIGTERM, _raise_interrupt)
    with tempfile.TemporaryDirectory(prefix="ludens-rehearsal-", ignore_cleanup_errors=True) as folder:
        study_rehearsal = _StudyRehearsal(
            file, db or Path(folder) / "ludens.db", Path(folder), arrival_count, is_fast=pace == "fast"
        )
        try:
            simulated_participants = asyncio.run(
                study_rehearsal.run_simulated_participants(participants, pace, kills, seed)
            )
            rehearsal_report = study_rehearsal.build_report(simulated_participants)
        finally:
            study_rehearsal.close()
    if format == "json":
        print_json(rehearsal_report)
    else:
        _print_report(rehearsal_report)
    if rehearsal_report["errors"] or not rehearsal_report["cells_exact"]:
        raise typer.Exit(1)


def _raise_interrupt(*_: object) -> None:
    raise KeyboardInterrupt  # as Ctrl-C: the server ends, too


class _StudyRehearsal:
    """A study put into a database of its own, and what the log says when everybody has gone."""

    def __init__(
        self, study_path: Path, db: Path, folder: Path, simultaneous_arrival_count: int, *, is_fast: bool
    ) -> None:
        from cli.log_access import build_registry, check_writable
        from cli.settings import load_settings
        from cli.study.rehearsal.server import RehearsalServer
        from cli.study.rehearsal.study_copy import copy_study
        from engine.storage.store import Store
        from engine.storage.study_records import StudyRecords
        from engine.studies.cells import build_cells
        from engine.studies.study_file import parse_study
        from engine.studies.version import StudyVersion

        settings = load_settings(db=db)
        self._registry: Registry = build_registry(settings)
        study_text, self._changes = copy_study(
            study_path, self._registry, arrivals=simultaneous_arrival_count, is_fast=is_fast
        )
        study = parse_study(study_text, str(study_path))
        self._version: StudyVersion = StudyVersion(study, tuple(build_cells(study, self._registry)))
        self._arrivals = simultaneous_arrival_count
        check_writable(db)
        self._store: Store = Store(db)
        self._records: StudyRecords = StudyRecords(self._store, self._store)
        for study_name in self._records.list_names():
            if self._records.list_participations(study_name):
                self._store.close()
                raise UsageError(
                    f"{db} has participants of {study_name}: a rehearsal never mixes with them; name another file"
                )
        if not self._records.list_names() and self._store.episodes():
            self._store.close()
            raise UsageError(f"{db} has games: a rehearsal takes a file of its own; name another one, or none")
        self._records.add_study(study.name, study.version, study_text)
        self._records.set_state(study.name, "open")
        self._server = RehearsalServer(db, folder, settings)

    async def run_simulated_participants(
        self, participant_count: int, pace_name: str, kill_count: int, seed: int
    ) -> SimulatedParticipants:
        """Let simulated participants take part; return them."""
        from cli.study.rehearsal.crowd import SimulatedParticipants

        study = self._version.study
        for change_text in self._changes:
            print_message(f"rehearsal: {change_text}")
        print_message(f"rehearsal: {plural(participant_count, 'participant')}, {self._arrivals} at once, seed {seed}")
        await self._server.start()
        simulated_participants = SimulatedParticipants(
            self._server,
            study,
            pace_name,
            participant_count,
            self._arrivals,
            kill_count,
            random.Random(seed),
            self._wait_until_departures_noted,
        )
        await simulated_participants.run_participants()
        await self._server.stop()
        return simulated_participants

    async def _wait_until_departures_noted(self, leaver_count: int) -> None:
        """Wait until the server has noted that so many participants have left, so that their games are dealt again."""
        import asyncio

        deadline = time.monotonic() + self._version.study.hold_minutes * 60 + DEPARTURE_TIMEOUT_SECONDS
        while leaver_count and time.monotonic() < deadline:
            participations = self._records.list_participations(self._version.study.name)
            if sum(person.state == "left" for person in participations) >= leaver_count:
                return
            await asyncio.sleep(0.5)

    def build_report(self, simulated_participants: SimulatedParticipants) -> dict[str, Any]:
        """Return what came of it, as `--format json` prints it."""
        from cli.study.rehearsal.cell_audit import find_cell_faults
        from engine.studies.version import describe_status

        status_counts = describe_status(self._records, self._version)
        cells = status_counts.pop("cells")
        error_counts = simulated_participants.figures.error_counts.copy()
        error_counts.update(f"the server: {error_line[:300]}" for error_line in self._server.list_errors())
        if status_counts["playing"]:
            error_counts[f"{status_counts['playing']} participations are still open"] += 1
        if status_counts["arrived"] != simulated_participants.size:
            error_counts[
                f"{status_counts['arrived']} participations of {simulated_participants.size} participants"
            ] += 1
        cell_faults = find_cell_faults(
            self._store, self._records, self._version, is_full=simulated_participants.is_full
        )
        self._records.set_state(self._version.study.name, "closed")
        quantile_by_name = {
            f"{measure_name}_p{percent}_ms": simulated_participants.figures.get_quantile_ms(measure_name, percent / 100)
            for measure_name in ("page", "move")
            for percent in (50, 95)
        }
        return {
            "participants": simulated_participants.size,
            "states": {state: occurrences for state, occurrences in status_counts.items() if state != "arrived"},
            "errors": error_counts.total(),
            "messages": [f"{occurrences} × {error}" for error, occurrences in error_counts.most_common()],
            **quantile_by_name,
            "pages": len(simulated_participants.figures.seconds_by_measure["page"]),
            "moves": len(simulated_participants.figures.seconds_by_measure["move"]),
            "kills": self._server.kill_count,
            "games_wanted": sum(cell["wanted"] for cell in cells),
            "games_done": sum(cell["done"] for cell in cells),
            "is_full": simulated_participants.is_full,
            "cells_exact": not cell_faults,
            "cell_faults": cell_faults,
            "changes": self._changes,
        }

    def close(self) -> None:
        """End the server if it still runs, and close the database."""
        with suppress(CommandFailed):
            self._server.kill_process()
        self._store.close()


def _print_report(report: dict[str, Any]) -> None:
    states_text = ", ".join(f"{state_count} {state}" for state, state_count in report["states"].items() if state_count)
    print_data(f"participants: {report['participants']}: {states_text}")
    print_data(f"errors:       {report['errors']}")
    for fault_text in report["messages"]:
        print_data(f"  {fault_text}")
    for measure_name in ("page", "move"):
        median_ms, p95_ms = (report[f"{measure_name}_p{percent}_ms"] for percent in (50, 95))
        print_data(f"{measure_name}s:        {report[f'{measure_name}s']}, p50 {median_ms} ms, p95 {p95_ms} ms")
    if report["kills"]:
        print_data(f"kills:        {report['kills']}")
    print_data(f"games:        {report['games_done']} of {report['games_wanted']} wanted are done")
    print_data(f"recruiting:   {'full' if report['is_full'] else 'not full: more participants can take part'}")
    print_data(f"cells exact:  {'yes' if report['cells_exact'] else 'no'}")
    for fault_text in report["cell_faults"]:
        print_data(f"  {fault_text}")
