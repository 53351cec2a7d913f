"""What the researcher does at the desk: reads how a study stands, and acts on studies and participants.

Reading has its own connection and thread, so that players do not wait for it. Every action is an event of the study.
The caller has checked that the owner of the server asks.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from engine.core.events import Json
from engine.play.registry import Registry
from engine.storage.ids import now_ms
from engine.storage.seat_links import OWNER_KEY
from engine.storage.store import Store
from engine.storage.study_listing import StudyEvent, StudyListing
from engine.storage.study_records import (
    ENDED_STATES,
    OPEN_GAME_STATES,
    Participation,
    StudyGame,
    StudyRecords,
    make_participation_id,
)
from engine.studies.overview import Overview, OverviewReader
from ui.live.context import ServerContext
from ui.live.facts import log_fact
from ui.live.offers import PlayerOffers
from ui.live.refusal import Refusal
from ui.live.seating import Seating
from ui.live.studies import Studies
from ui.live.tables import Tables

OVERVIEW_CACHE_SECONDS = 0.7
"""Seconds for which an overview is not read again: several desks may be open."""
STUDY_STATES = ("pilot", "open", "paused", "closed")
"""States that the desk sets."""
MAX_REASON_LENGTH = 200
"""Characters of the reason of an exclusion."""


class StudyManager:
    """Reads how the studies of one server stand, and acts on them, for the desk."""

    def __init__(
        self,
        context: ServerContext,
        tables: Tables,
        seating: Seating,
        offers: PlayerOffers,
        studies: Studies,
        ludens_version: str,
    ) -> None:
        self._context, self._tables, self._ludens_version = context, tables, ludens_version
        self._seating, self._offers, self._studies = seating, offers, studies
        self._records = studies.records
        self._overviews = _OverviewThread(context.reader.path, context.registry)

    def close(self) -> None:
        """Close the connection for reading."""
        self._overviews.close()

    # ------------------------------------------------------------------ reading
    def list_study_names(self) -> list[str]:
        """Return the names of all studies."""
        return self._records.list_names()

    async def read_overview(self, study_name: str) -> Overview:
        """Return how a study stands now. Raises `StoreError`, `BadStudy`."""
        return await self._overviews.read_overview(study_name)

    def make_spectator_path(self, episode: str) -> str:
        """Return the link with which the owner's browser watches a game of a study."""
        return self._context.links.make_spectator_path(episode)

    def programs(self) -> list[str]:
        """Return the players that can take a participant's seat."""
        return ["scripted", *(offer["name"] for offer in self._offers.list_models(OWNER_KEY) if not offer["unusable"])]

    # ------------------------------------------------------------------ a whole study
    async def set_study_state(self, study_name: str, study_state: str) -> None:
        """Set the state of a study, one of `STUDY_STATES`."""
        if study_state not in STUDY_STATES:
            raise Refusal(422, f"no state {study_state!r}; there are {', '.join(STUDY_STATES)}")
        await self._context.write(self._records.set_state, study_name, study_state)
        log_fact("study state set", study=study_name, state=study_state)

    async def resume_study(self, study_name: str) -> str:
        """Open a study again, as a pilot where it was one before; return the state."""
        earlier_states = [
            data["state"] for _, action, data, _ in self._records.list_actions(study_name) if action == "state"
        ]
        state = next((state for state in reversed(earlier_states) if state in ("pilot", "open")), "open")
        await self.set_study_state(study_name, state)
        return state

    async def start_test(self, study_name: str, browser: str) -> str:
        """Begin a participation that never counts, in the owner's browser; return the address of its page.

        A test does not wait for a partner: the program for waiting plays, where the study has one.
        """
        study_row = self._records.read_study(study_name)
        self._studies.versions.get_version(study_name)

        participation_id = make_participation_id()

        def begin_test() -> None:
            self._records.begin_participation(
                participation_id, study_name, study_row.version, browser, is_pilot=False, is_test=True
            )
            self._records.update_participation(participation_id, waited=10**9)
            self._records.record_action(study_name, participation_id, "test", {})

        await self._context.write(begin_test)
        return f"/participate?id={participation_id}"

    async def export_study(self, study_name: str, folder: Path) -> Path:
        """Write the export of a study as a zip file into a folder; return its path. Raises `StoreError`."""
        self._records.read_study(study_name)
        write_files = partial(
            _write_export, self._context.reader.path, self._context.registry, study_name, folder, self._ludens_version
        )
        zip_path = await asyncio.to_thread(write_files)
        await self._context.write(self._records.record_action, study_name, None, "export", {})
        return zip_path

    # ------------------------------------------------------------------ one participant
    async def send_message(self, participation_id: str, message_text: str) -> None:
        """Show a participant a message. Raises `Refusal`."""
        participation = self._records.require_participation(participation_id)
        if participation.is_over:
            raise Refusal(409, "This participation is over: nobody would read the message.")
        await self._studies.messages.send_message(participation, message_text)
        await self._studies.update_tables(participation_id)

    async def assign_program_to_seat(self, participation_id: str, player: str) -> None:
        """Let a program play on at the seat of a participant, whose game then does not count. Raises `Refusal`."""
        participation, game = self._require_game(participation_id)
        async with self._studies.get_lock(participation.study):
            table = await self._tables.get_table(str(game.episode))
            if table is None:
                raise Refusal(404, "This game is not in the database any more.")
            await self._seating.hand_over_seat(table, game.seat, player, OWNER_KEY)
            event_data = {"position": game.position, "episode": game.episode, "seat": game.seat, "player": player}

            def store_change() -> None:
                self._records.end_game(participation_id, game.position, "replaced")
                self._records.record_action(participation.study, participation_id, "program", event_data)

            await self._context.write(store_change)

    async def end_participation(self, participation_id: str, ending_name: str, code_by_end: Json) -> None:
        """End a participation with one of the ends of its study file. Raises `Refusal`."""
        if ending_name not in code_by_end:
            raise Refusal(422, f"no end {ending_name!r}; there are {', '.join(code_by_end)}")
        participation = self._records.require_participation(participation_id)
        if participation.is_over:
            raise Refusal(409, "This participation is over already.")
        end_state, reason = (ending_name, "") if ending_name in ENDED_STATES else ("turned_away", ending_name)
        async with self._studies.get_lock(participation.study):
            await self._studies.games.abandon_games(participation, "ended by the researcher")

            def store_ending() -> None:
                self._records.end(participation_id, end_state, reason)
                self._records.record_action(
                    participation.study, participation_id, "end", {"end": ending_name, "before": participation.state}
                )

            await self._context.write(store_ending)

    async def release_cell(self, participation_id: str) -> None:
        """Free the cell of a participant's open game, which ends; they are dealt another one. Raises `Refusal`."""
        participation, game = self._require_game(participation_id)
        async with self._studies.get_lock(participation.study):
            await self._studies.games.abandon_games(participation, "released")
            event_data = {"position": game.position, "cell": game.cell, "episode": game.episode}
            await self._context.write(
                self._records.record_action, participation.study, participation_id, "release", event_data
            )

    async def exclude_person(self, participation_id: str, reason: str) -> None:
        """Exclude a participation for a reason. Raises `Refusal`."""
        reason = reason.strip()
        if not 0 < len(reason) <= MAX_REASON_LENGTH:
            raise Refusal(422, f"Give a reason of 1 to {MAX_REASON_LENGTH} characters.")
        await self._context.write(self._records.exclude_participation, participation_id, reason)

    def find_undoable_event(self, participation_id: str) -> StudyEvent | None:
        """Return the last action on a participant, if it can be undone."""
        events = StudyListing(self._context.reader).list_participation_events(participation_id)
        referenced_event_ids = {
            event.data[key] for event in events for key in ("event", "message") if key in event.data
        }
        is_included = self._records.require_participation(participation_id).excluded is None
        undoable_events = [
            event
            for event in events
            if event.id not in referenced_event_ids
            and event.action in UNDOABLE_ACTIONS
            and not (event.action == "excluded" and is_included)
        ]
        return undoable_events[-1] if undoable_events else None

    async def undo_action(self, person_id: str) -> str:
        """Undo the last action on a participant; return its name. Raises `Refusal` where that is impossible."""
        event, participation = self.find_undoable_event(person_id), self._records.require_participation(person_id)
        if event is None:
            raise Refusal(409, "There is nothing to undo.")
        async with self._studies.get_lock(participation.study):
            await self._undo_event(event, participation)
            event_data = {"event": event.id, "action": event.action}
            await self._context.write(self._records.record_action, participation.study, person_id, "undo", event_data)
        await self._studies.update_tables(person_id)
        return event.action

    async def _undo_event(self, event: StudyEvent, participation: Participation) -> None:
        participation_id, run_write = participation.id, self._context.write
        if event.action == "message":
            self._studies.messages.retract_message(participation_id, event.id)
        elif event.action == "end":
            earlier_state = event.data["before"]
            state_change = {"state": earlier_state, "reason": None, "ended": None, "last_seen": now_ms()}
            await run_write(lambda: self._records.update_participation(participation_id, **state_change))
        else:
            study_version = self._studies.versions.get_version(participation.study, participation.version)
            wanted_games_by_cell = {cell.cell_key: cell.wanted_games for cell in study_version.cells}
            await run_write(self._records.exclude_participation, participation_id, None)
            await run_write(self._records.mark_surplus_games, participation_id, wanted_games_by_cell)

    def _require_game(self, participation_id: str) -> tuple[Participation, StudyGame]:
        participation = self._records.require_participation(participation_id)
        game = next(
            (game for game in self._records.list_games(participation_id) if game.state in OPEN_GAME_STATES), None
        )
        if game is None:
            raise Refusal(409, "This participant has no game in play.")
        return participation, game


UNDOABLE_ACTIONS = ("message", "end", "excluded")
"""Actions that can be undone: nothing of a game is lost by them."""


class _OverviewThread:
    """Reads overviews with its own connection, opened at first use, and its own thread."""

    def __init__(self, db_path: Path, registry: Registry) -> None:
        self._database, self._registry = db_path, registry
        self._thread = ThreadPoolExecutor(1, "ludens-desk")
        self._store: Store | None = None
        self._reader: OverviewReader
        self._latest_overviews: dict[str, tuple[float, Overview]] = {}

    async def read_overview(self, study_name: str) -> Overview:
        """Return the overview of a study, at most `OVERVIEW_CACHE_SECONDS` seconds old."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._read_overview_in_thread, study_name)

    def close(self) -> None:
        """Close the connection once the present reading is done."""
        self._thread.shutdown(cancel_futures=True)
        if self._store:
            self._store.close()

    def _read_overview_in_thread(self, study_name: str) -> Overview:
        read_at, overview = self._latest_overviews.get(study_name, (0.0, None))
        if overview and time.monotonic() - read_at < OVERVIEW_CACHE_SECONDS:
            return overview
        if self._store is None:
            self._store = Store(self._database, purpose="desk")
            self._reader = OverviewReader(self._store, self._registry)
        overview = self._reader.read_overview(study_name)
        self._latest_overviews[study_name] = time.monotonic(), overview
        return overview


def _write_export(db_path: Path, registry: Registry, study_name: str, target_folder: Path, ludens_version: str) -> Path:
    """Write the export of a study as a zip file; the unpacked files are removed."""
    from engine.formats.study import export_study  # not at the start of every server
    from engine.studies.pages import list_files
    from engine.studies.review import write_review

    with Store(db_path, purpose="desk") as store, tempfile.TemporaryDirectory(dir=target_folder) as temporary_folder:
        export_folder = Path(temporary_folder) / study_name
        export_folder.mkdir()
        study_records = StudyRecords(store, store)
        extra_files, _ = list_files(study_records, study_name, registry)
        export_study(store, study_records, registry, study_name, export_folder, ludens_version, extra_files)
        write_review(export_folder)
        return Path(shutil.make_archive(str(target_folder / study_name), "zip", temporary_folder, study_name))
