"""Studies on this server: what each participant is shown next, and the games they are dealt.

A participation goes through the steps of its version of the study, one at a time. Its state is in the database, so a
reload, a restart or another browser leads back to the same step. Time in which the server is down counts for nobody.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime

from engine.core.events import Json
from engine.storage.database import StoreError
from engine.storage.ids import now_ms
from engine.storage.study_records import (
    OPEN_GAME_STATES,
    IdentifierStore,
    Participation,
    StudyRecords,
    make_identifier_path,
    make_participation_id,
)
from engine.studies.study_file import BadStudy, Study
from engine.studies.version import StudyVersion, StudyVersions, make_link_key
from ui.live.context import ServerContext
from ui.live.facts import log_fact
from ui.live.refusal import Refusal
from ui.live.study_games import StudyGames
from ui.live.study_messages import StudyMessages
from ui.live.study_steps import StudySteps
from ui.live.tables import Tables

logger = logging.getLogger("ludens.live")

RemoveEpisodes = Callable[[Sequence[str]], Awaitable[object]]
"""Removes whole games from the log."""
STUDY_MAINTENANCE_INTERVAL_SECONDS = 5.0
LAST_SEEN_INTERVAL_MS = 5_000
"""Milliseconds after which it is stored again that somebody is there."""


class Studies:
    """All studies of one server."""

    def __init__(
        self, context: ServerContext, tables: Tables, *, remove_episodes: RemoveEpisodes, ludens_version: str
    ) -> None:
        self._context, self._tables = context, tables
        self._remove_episodes = remove_episodes
        self.records = StudyRecords(context.reader, context.writer)
        self.versions = StudyVersions(self.records, context.registry)
        self.games = StudyGames(context, tables, self.records, self.versions, ludens_version)
        self.messages = StudyMessages(context, self.records)
        self.steps = StudySteps(context, self.records, self.versions, self.games)
        context.study_pages = self._describe_seat_pages
        self._locks: dict[str, asyncio.Lock] = {}
        self._identifiers: IdentifierStore | None = None
        self._has_begun = False

    @property
    def identifiers(self) -> IdentifierStore:
        """The file of identifiers, opened when first needed."""
        if self._identifiers is None:
            self._identifiers = IdentifierStore(self._context.reader.path)
        return self._identifiers

    def close(self) -> None:
        """Close the file of identifiers."""
        if self._identifiers:
            self._identifiers.close()

    def start(self) -> None:
        """Begin to look after participations; everybody counts as there at this moment."""
        self._context.run_every(STUDY_MAINTENANCE_INTERVAL_SECONDS, self._maintain_studies)

    def accepts_unsigned_labels(self, study_name: str) -> bool:
        """Return whether a study takes unsigned labels of participants. Raises `Refusal` without such a study."""
        try:
            return self.versions.get_version(study_name).study.open_labels
        except StoreError:
            raise Refusal(404, "There is no such study.") from None

    def make_link_key(self, study_name: str, label: str) -> str:
        """Return what signs the personal link of a label."""
        return make_link_key(self._read_secret(), study_name, label)

    def _read_secret(self) -> str:
        return self._context.writer.read_secret("studies")

    # ------------------------------------------------------------------ arriving
    async def begin_or_continue_participation(
        self, study_name: str, browser: str, identifier: tuple[str, str] | None, arrival_details: Json
    ) -> str:
        """Return the id of the participation of a browser, or of the person with an identifier (kind, value).

        A person who comes again continues, in this browser from now on. Raises `Refusal`.
        """
        try:
            study_row, study_version = self.records.read_study(study_name), self.versions.get_version(study_name)
        except StoreError:
            raise Refusal(404, "There is no such study.") from None
        except BadStudy as error:
            logger.warning("study %s: %s", study_name, error)
            raise Refusal(503, "This study cannot be used at the moment.") from None
        async with self.get_lock(study_name):
            if identifier and self.identifiers.was_person_deleted(study_name, *identifier, self._read_secret()):
                raise _make_deletion_refusal(study_version.study)
            known_participation = self._find_known_participation(study_name, browser, identifier)
            is_recruiting = study_row.state not in ("draft", "paused", "closed")
            if known_participation is None and not is_recruiting:
                raise Refusal(403, "This study is not open at the moment.", "Please return your submission.")
            run_write = self._context.write
            person_id = known_participation.id if known_participation else make_participation_id()
            if identifier and is_recruiting:  # first: a crash in between loses nothing, the person comes again
                await run_write(self.identifiers.add_identifier, study_name, *identifier, person_id, arrival_details)
                person_id = self.identifiers.find_participation(study_name, *identifier) or person_id
            if known_participation is not None:
                await self._continue_participation(known_participation, browser)
                return person_id
            begin_participation, is_pilot = self.records.begin_participation, study_row.state == "pilot"
            await run_write(
                lambda: begin_participation(person_id, study_name, study_row.version, browser, is_pilot=is_pilot)
            )
            if not self.games.list_candidates(study_version, None):
                await run_write(self.records.end, person_id, "turned_away", "full")
        log_fact("participant arrived", study=study_name)
        return person_id

    def _find_known_participation(
        self, study_name: str, browser: str, identifier: tuple[str, str] | None
    ) -> Participation | None:
        """Return the participation of an identifier, or of a browser in which nobody has been named yet."""
        if identifier and (participation_id := self.identifiers.find_participation(study_name, *identifier)):
            return self.records.find_participation(participation_id)
        participation = self.records.find_browser_participation(browser, study_name)
        if identifier and participation:
            is_open = not participation.is_over and not self.identifiers.list_identifiers(participation.id)
            return participation if is_open else None
        return participation

    async def _continue_participation(self, participation: Participation, browser: str) -> None:
        """Let a participation go on in a browser; the browser that had it before shows that it is elsewhere."""
        if participation.browser != browser:
            await self._context.write(self._move_participation, participation, browser)
            for game in self.records.list_games(participation.id):
                if game.episode and (table := self._tables.table_by_episode.get(game.episode)):
                    table.pages.disconnect_seat(game.seat)

    def _move_participation(self, participation: Participation, browser: str) -> None:
        with self._context.writer.transaction():  # a crash in between would leave the seat to the other browser
            self.records.update_participation(participation.id, browser=browser)
            self.records.record_action(participation.study, participation.id, "moved", {})
            for game in self.records.list_games(participation.id):
                if game.episode and game.state in OPEN_GAME_STATES:
                    if link := self._context.links.seats(game.episode).get(game.seat):  # else a program has taken it
                        self._context.links.move_seat(link.seat_id, browser)

    def require_own_participation(self, participation_id: str, browser: str | None) -> Participation:
        """Return a participation of a browser. Raises `Refusal`."""
        participation = self.records.find_participation(participation_id)
        if participation is None:
            raise Refusal(404, "There is no such participation.")
        if participation.browser != browser:
            raise Refusal(403, "This study is continued in another window.", "Open its link again to go on here.")
        if participation.is_deleted:
            raise _make_deletion_refusal(self.versions.get_version(participation.study, participation.version).study)
        return participation

    # ------------------------------------------------------------------ what a page shows
    async def show_page(self, participation_id: str, browser: str | None) -> Json:
        """Return what the page of a participation shows now. Raises `Refusal`."""
        participation = self.require_own_participation(participation_id, browser)
        async with self.get_lock(participation.study):
            participation = await self._record_presence(self.require_own_participation(participation_id, browser))
            return await self.steps.show_page(participation)

    async def answer_step(
        self, participation_id: str, browser: str | None, step_name: str, answers: Json, attempt: int | None = None
    ) -> Json:
        """Take what a participant answered at a step; return what the page shows next. Raises `Refusal`.

        An answer to a step that is not the present one changes nothing: it was sent twice. Nor does an `attempt` that
        was made before.
        """
        participation = self.require_own_participation(participation_id, browser)
        async with self.get_lock(participation.study):
            participation = await self._record_presence(self.require_own_participation(participation_id, browser))
            study_version = self.versions.get_version(participation.study, participation.version)
            if not participation.is_over and self.steps.find_current_step(participation, study_version) == step_name:
                await self.steps.store_answers(step_name, answers, participation, study_version, attempt)
            return await self.steps.show_page(self.require_own_participation(participation_id, browser))

    # ------------------------------------------------------------------ messages of the researcher
    def list_unread_messages(self, participation_id: str, browser: str | None) -> list[Json]:
        """Return the messages that a participant has not read, as {"id", "text"}. Raises `Refusal`."""
        return self.messages.list_unread_messages(self.require_own_participation(participation_id, browser).id)

    async def mark_read(self, participation_id: str, browser: str | None, message_id: int) -> None:
        """Note that a participant has read a message. Raises `Refusal`."""
        await self.messages.mark_read(self.require_own_participation(participation_id, browser), message_id)
        await self.update_tables(participation_id)

    async def update_tables(self, participation_id: str) -> None:
        """Show at the table of a participation's open game what has changed of the study around it."""
        for game in self.records.list_games(participation_id):
            if (
                game.state in OPEN_GAME_STATES
                and game.episode
                and (table := self._tables.table_by_episode.get(game.episode))
            ):
                table.study = self._describe_seat_pages(game.episode)
                table.pages.update_pages()

    # ------------------------------------------------------------------ leaving
    async def leave_game(self, episode: str, seat: str) -> bool:
        """Let a participant leave a game as the study says; return False for a game of no study."""
        games = self.records.list_episode_games(episode)
        if not games:
            return False
        async with self.get_lock(self.records.require_participation(games[0].participation).study):
            return await self.games.leave_game(episode, seat)

    async def withdraw_participation(self, participation_id: str, browser: str | None, *, deletes_games: bool) -> Json:
        """End a participation at the wish of the participant; return the last page. Raises `Refusal`.

        Finished games are kept, the open one is abandoned; with `deletes_games` all games and answers are removed.
        """
        participation = self.require_own_participation(participation_id, browser)
        async with self.get_lock(participation.study):
            await self.games.abandon_games(participation, "withdrawn")
            if not participation.is_over or participation.state == "completed":
                await self._context.write(self.records.withdraw_participation, participation_id)
            if deletes_games:
                await self._remove_games(participation)
        log_fact("participant withdrew", study=participation.study)
        return await self.show_page(participation_id, browser)

    async def _remove_games(self, participation: Participation) -> None:
        episodes = [game.episode for game in self.records.list_games(participation.id) if game.episode]
        await self._remove_episodes(episodes)
        await self._context.write(self.records.delete_words, participation.id)

    async def _record_presence(self, participation: Participation) -> Participation:
        """Store that somebody is there; one who had left is back, with another game."""
        if participation.is_over and participation.last_seen:
            return participation
        if participation.state == "left":
            resume_hours = self._find_version(participation).study.resume_hours
            if now_ms() - participation.last_seen > resume_hours * 3_600_000:
                raise Refusal(403, "This participation ended because you were away for too long.")
            await self._context.write(
                lambda: self.records.update_participation(participation.id, state="playing", last_seen=now_ms())
            )
        elif now_ms() - participation.last_seen > LAST_SEEN_INTERVAL_MS:
            await self._context.write(lambda: self.records.update_participation(participation.id, last_seen=now_ms()))
        return self.records.require_participation(participation.id)

    async def _maintain_studies(self) -> None:
        """Note finished games, free the seats of those away for too long, delete identifiers whose time is over."""
        if not self._has_begun:  # nobody is away for too long because the server was down
            await self._context.write(self.records.mark_participations_seen)
            self._has_begun = True
        for study_name in self.records.list_names():
            try:
                await self._enforce_retention(study_name)
                await self._check_participants(study_name)
            except BadStudy as error:  # a game or player of it is not installed any more: the others go on
                logger.warning("study %s: %s", study_name, error)

    async def _check_participants(self, study_name: str) -> None:
        async with self.get_lock(study_name):
            await self.games.pairs.resolve_expired_pairs(study_name, self._find_version)
        for participation in self.records.list_participations(study_name, include_tests=True):
            if participation.state == "playing":
                async with self.get_lock(study_name):
                    await self._check_presence(self.records.require_participation(participation.id))

    def _find_version(self, participation: Participation) -> StudyVersion:
        return self.versions.get_version(participation.study, participation.version)

    async def _enforce_retention(self, study_name: str) -> None:
        """Delete the identifiers of a study after the date that its consent names."""
        if not make_identifier_path(self._context.reader.path).exists():
            return
        retention = self.versions.read_current_file(study_name).retention
        if datetime.now(UTC).date() > retention and self.identifiers.has_identifiers(study_name):
            await self._context.write(self.identifiers.delete_identifiers, study_name)
            await self._context.write(self.records.anonymise_study, study_name, {"retention": retention.isoformat()})

    async def _check_presence(self, participation: Participation) -> None:
        is_present = False
        for game in self.records.list_games(participation.id):
            if game.state in OPEN_GAME_STATES and game.episode:
                table = self._tables.table_by_episode.get(game.episode)
                is_present |= table is not None and table.presence.is_present(game.seat)
                await self.games.record_game_end(game)
        if is_present:
            await self._record_presence(participation)
            return
        seat_hold_ms = self._find_version(participation).study.hold_minutes * 60_000
        if participation.state == "playing" and now_ms() - participation.last_seen > seat_hold_ms:
            await self.games.abandon_games(participation, "left")
            await self._context.write(lambda: self.records.update_participation(participation.id, state="left"))
            log_fact("participant left", study=participation.study)

    # ------------------------------------------------------------------ what others may see
    def _describe_seat_pages(self, episode: str) -> dict[str, Json]:
        """Return what the page of each participant's seat says of the study: where it goes on, which game this is."""
        page_by_seat: dict[str, Json] = {}
        for game in self.records.list_episode_games(episode):
            participation = self.records.require_participation(game.participation)
            study = self._find_version(participation).study
            page_by_seat[game.seat] = {
                "url": f"/participate?id={participation.id}",
                "title": study.title,
                "number": max(0, game.position),
                "of": study.games.count,
                "debriefing": study.games.feedback == "full",
                "messages": self.messages.list_unread_messages(participation.id),
            }
        return page_by_seat

    def find_reading_refusal_reason(self, browser: str | None, episode: str) -> str | None:
        """Return why a browser may not see both sides of a game, as far as studies forbid it; None if they do not."""
        page_by_seat = self._describe_seat_pages(episode)
        is_debriefed = all(seat_page["debriefing"] for seat_page in page_by_seat.values())
        if page_by_seat and not is_debriefed and not self._context.links.is_admin(browser):
            return "This game belongs to a study."
        participation = self.find_current_participation(browser)
        if participation and all(game.episode != episode for game in self.records.list_games(participation.id)):
            return "You are taking part in a study."
        return None

    def find_current_participation(self, browser: str | None) -> Participation | None:
        """Return the participation that a browser is in the middle of, if any."""
        participation = self.records.find_browser_participation(browser)
        return participation if participation and not participation.is_over else None

    def get_lock(self, study_name: str) -> asyncio.Lock:
        """Return what is held while something of a study changes."""
        return self._locks.setdefault(study_name, asyncio.Lock())


def _make_deletion_refusal(study: Study) -> Refusal:
    """Return what somebody whose data were deleted is told, by the study's link and on its pages."""
    next_step = f"To take part again, or if you did not ask for this, write to {study.contact}."
    return Refusal(410, "Your data in this study were deleted.", next_step)
