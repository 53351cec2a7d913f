"""The games of studies: which one a participant is dealt next, who plays it with them, and how it ended."""

from __future__ import annotations

import logging
import random
import secrets
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.core.event_views import HandOver
from engine.core.events import Ending, Json, Kind, digest
from engine.core.partner import partner_nature
from engine.core.start import HIDDEN_PARTNER_KEY, STUDY_KEY
from engine.play.plans import build_item_start
from engine.play.registry import Registry
from engine.storage.database import StoreError
from engine.storage.episode_row import EpisodeRow, Status
from engine.storage.seat_links import OWNER_KEY
from engine.storage.study_queue import is_single_participant
from engine.storage.study_records import (
    FIRST_GAME_POSITION,
    OPEN_GAME_STATES,
    RESEARCHER_TEST,
    CellTakenError,
    Participation,
    StudyGame,
    StudyRecords,
)
from engine.studies.cells import (
    Cell,
    CellCounts,
    choose_cell,
    find_open_cells,
    make_latin_square,
    select_open_experiment_cells,
)
from engine.studies.study_file import PARTICIPANT_PLAYER, Study
from engine.studies.version import StudyVersion, StudyVersions
from ui.live.context import ServerContext
from ui.live.facts import log_fact
from ui.live.offers import PERSON_PROVIDER
from ui.live.refusal import Refusal
from ui.live.study_pairs import SeatedPair, SoloGame, StudyPairs
from ui.live.table import LiveTable
from ui.live.tables import Tables
from ui.live.turn_clock import NO_REPLY_REASON, TurnLimit

logger = logging.getLogger("ludens.live")

DEPARTED_STATE = "left"
"""The reason in the log and the state of a game whose participant is gone."""
FAULT_REASON = "technical fault"
PRACTICE_GAMES = 5
"""The most practice games that a study has."""


class StudyGames:
    """Deals the games of all studies. Call it with the study's lock held."""

    def __init__(
        self,
        context: ServerContext,
        tables: Tables,
        records: StudyRecords,
        versions: StudyVersions,
        ludens_version: str,
    ) -> None:
        self._context, self._tables, self._records, self._versions = context, tables, records, versions
        self._ludens_version = ludens_version
        self._awaited_game_by_participation: dict[str, int] = {}
        """Where partners are hidden: the games for which participants await a person, by participation."""
        self.pairs = StudyPairs(
            context, records, self.list_candidates, self._choose_pair_cell, self._open_pair, self._open_solo_game
        )

    @property
    def _registry(self) -> Registry:
        return self._context.registry

    def find_game(self, participation: Participation, game_number: int) -> StudyGame | None:
        return next((game for game in self._records.list_games(participation.id) if game.position == game_number), None)

    def _read_cell_counts(self, study_name: str) -> dict[str, CellCounts]:
        return {cell: CellCounts(*cell_counts) for cell, cell_counts in self._records.count_cells(study_name).items()}

    def list_candidates(self, version: StudyVersion, participation: Participation | None) -> list[Cell]:
        """Return the cells that a person may be dealt now."""
        seen_instances = self._find_seen_instances(participation, version) if participation else set()
        is_test = participation is not None and participation.pilot == RESEARCHER_TEST
        return find_open_cells(
            version.cells, {} if is_test else self._read_cell_counts(version.study.name), seen_instances
        )

    def _find_seen_instances(self, participation: Participation, study_version: StudyVersion) -> set[str]:
        """Return what a person has met: in this study, and of whole instances in any game of this browser."""
        is_test = participation.pilot == RESEARCHER_TEST  # a researcher tries the same games again and again
        seen_instances = set() if is_test else set(self._context.links.count_exposures(participation.browser))
        for game in self._records.list_games(participation.id):
            if cell := study_version.find_cell(game.cell):
                seen_instances |= cell.stimuli
        return seen_instances

    def keeps_failing(self, participation: Participation) -> bool:
        """Return whether the last two games of a person ended because of a technical fault."""
        game_states = [game.state for game in self._records.list_games(participation.id)]
        return len(game_states) > 1 and game_states[-2:] == [FAULT_REASON, FAULT_REASON]

    def is_shortened(self, participation: Participation, study_version: StudyVersion) -> bool:
        """Return whether there is no further game for a person who has not played all."""
        dealt_game_count = sum(game.position > 0 for game in self._records.list_games(participation.id))
        return dealt_game_count < study_version.study.games.count and not self.list_candidates(
            study_version, participation
        )

    def make_feedback(self, game: StudyGame, study: Study) -> Json:
        if study.games.feedback == "none" or game.episode is None or game.state == "removed":
            return {}
        episode_row = self._context.reader.episode(game.episode)
        score = (episode_row.scores or {}).get("main_score") if game.state in ("counts", "taken over") else None
        link = self._context.links.seats(game.episode).get(game.seat)
        is_full_feedback = study.games.feedback == "full" and link is not None
        return {"score": score, "url": f"/table?seat={link.seat_id}" if is_full_feedback and link else None}

    def list_partners(self, participation: Participation) -> list[Json]:
        """Return what sat opposite in each game of a participation, each as {"game", "partner"} (`partner_nature`)."""
        games = [game for game in self._records.list_games(participation.id) if game.position >= FIRST_GAME_POSITION]
        reader, partner_kind_by_game = self._context.reader, {}
        for game in games:
            if game.episode and reader.status(game.episode) is not None:  # else it was removed
                partner_kind_by_game[game.position] = partner_nature(reader.events(game.episode), game.seat)
        return [
            {"game": game_number, "partner": partner_kind}
            for game_number, partner_kind in partner_kind_by_game.items()
            if partner_kind
        ]

    async def deal_game(
        self, game_number: int, participation: Participation, study_version: StudyVersion
    ) -> StudyGame | None:
        """Deal the next game; None while a partner is awaited or nothing is left."""
        candidates = self.list_candidates(study_version, participation)
        if study_version.study.hidden_partner:
            if candidates:
                await self._deal_with_hidden_partner(game_number, participation, study_version, candidates)
            return self.find_game(participation, game_number)
        dealt_cells = self._list_dealt_cells(participation, study_version)
        random_source = random.Random(f"{study_version.study.seed}/{participation.seed}/{game_number}")
        cell_counts = self._read_cell_counts(participation.study)
        experiment_order = await self._choose_experiment_order(participation, study_version)
        solo_cells = [candidate for candidate in candidates if candidate.partner_seat is None]
        cell = choose_cell(solo_cells, cell_counts, study_version.study, random_source, dealt_cells, experiment_order)
        if cell is not None:
            await self._open_game([(participation, game_number, cell)], cell.seats)
            return self.find_game(participation, game_number)
        if any(candidate.partner_seat for candidate in candidates):
            await self.pairs.wait_in_queue(participation, study_version)
        return self.find_game(participation, game_number)

    async def _deal_with_hidden_partner(
        self, game_number: int, participation: Participation, study_version: StudyVersion, candidates: list[Cell]
    ) -> None:
        """Let somebody wait for the next game in a way that does not tell whether a person or a program comes.

        Which of them it is stays as drawn, unless there is no such game any more or no person has come in time.
        """
        solo_games, id_ = self.pairs.solo_games, participation.id
        queue_place = self.pairs.queue.find_queue_place(id_)
        pair_id = queue_place.pair if queue_place else None
        has_waiting_time_left = not self.has_waited_enough(participation, game_number, study_version.study)
        if id_ in solo_games:
            cell_keys = {cell.cell_key for cell in candidates}
            is_partner_type_decided = (
                solo_games[id_].number == game_number and solo_games[id_].cell.cell_key in cell_keys
            )
        else:
            is_partner_type_decided = (
                self._awaited_game_by_participation.get(id_) == game_number
                and has_waiting_time_left
                and any(cell.partner_seat for cell in candidates)
            )
        if not is_partner_type_decided and (pair_id is None or is_single_participant(pair_id)):
            solo_games.pop(id_, None)
            self._awaited_game_by_participation[id_] = game_number
            cells_with_program = [cell for cell in candidates if cell.partner_seat is None]
            needs_program = pair_id is not None or not has_waiting_time_left
            cells = cells_with_program if needs_program and cells_with_program else candidates
            if game := await self._choose_solo_game(game_number, participation, study_version, cells, needs_program):
                solo_games[id_] = game
        await self.pairs.wait_in_queue(participation, study_version)

    async def _choose_solo_game(
        self,
        game_number: int,
        participation: Participation,
        study_version: StudyVersion,
        cells: list[Cell],
        needs_program: bool,
    ) -> SoloGame | None:
        """Draw the next game; return it where programs have all other seats, None where a person is to be awaited.

        With `needs_program` the program for waiting has the seat of a person, if the study has one.
        """
        study, cell_counts = study_version.study, self._read_cell_counts(participation.study)
        for solo_game in self.pairs.list_other_solo_games(participation):
            solo_cell_counts = cell_counts.get(solo_game.cell.cell_key, CellCounts())
            cell_counts[solo_game.cell.cell_key] = replace(
                solo_cell_counts, open_game_count=solo_cell_counts.open_game_count + 1
            )
        cells = find_open_cells(cells, cell_counts, ()) or cells
        dealt_cells = self._list_dealt_cells(participation, study_version)
        experiment_order = await self._choose_experiment_order(participation, study_version)
        random_source = random.Random(f"{study.seed}/{participation.seed}/{game_number}")
        cell = choose_cell(cells, cell_counts, study, random_source, dealt_cells, experiment_order)
        if cell is None or (cell.partner_seat and not (needs_program and study.waiting.program)):
            return None
        if cell.partner_seat is None:
            return SoloGame(game_number, cell, cell.seats, fills_cell=participation.pilot != RESEARCHER_TEST)
        seats = {**cell.seats, cell.partner_seat: self._registry.resolve(str(study.waiting.program))}
        return SoloGame(game_number, cell, seats, fills_cell=False)

    def has_waited_enough(self, participation: Participation, game_number: int, study: Study) -> bool:
        """Return whether nobody has come in the time that the study gives; where partners are hidden, to this game."""
        waited_ms = (
            self.pairs.measure_waiting_ms(participation, game_number) if study.hidden_partner else participation.waited
        )
        return waited_ms > study.waiting.seconds * 1000 or participation.pilot == RESEARCHER_TEST

    def _choose_pair_cell(
        self, people: Sequence[Participation], cells: Sequence[Cell], study_version: StudyVersion, rng: random.Random
    ) -> Cell | None:
        """Return the next cell of two who play together; with `blocks` both go on with their experiment if they can."""
        if study_version.study.games.order == "blocks":
            cells = select_open_experiment_cells(
                cells, [self._list_dealt_cells(person, study_version) for person in people]
            )
        return choose_cell(cells, self._read_cell_counts(study_version.study.name), study_version.study, rng, [])

    def _list_dealt_cells(self, participation: Participation, study_version: StudyVersion) -> list[Cell]:
        """Return what somebody has been dealt, oldest first."""
        return [
            cell for game in self._records.list_games(participation.id) if (cell := study_version.find_cell(game.cell))
        ]

    async def _open_pair(self, seated_pair: SeatedPair) -> bool:
        return await self._open_game(seated_pair, seated_pair[0][2].seats)

    async def _open_solo_game(self, participation: Participation, game: SoloGame) -> bool:
        return await self._open_game([(participation, game.number, game.cell)], game.seats, fills_cell=game.fills_cell)

    async def _choose_experiment_order(self, participation: Participation, study_version: StudyVersion) -> list[str]:
        """Return the order of experiments for a person in a Latin square, drawn when it is first asked for."""
        if study_version.study.games.order != "latin_square":
            return []
        experiment_order: list[str] | None = self._records.read_experiment_order(participation.id)
        if experiment_order is None:
            latin_square = make_latin_square(len(study_version.experiments))
            square_row = latin_square[self._records.count_orders(participation.study) % len(latin_square)]
            experiment_order = [study_version.experiments[experiment_index] for experiment_index in square_row]
            event_data = {"experiments": experiment_order}
            await self._context.write(
                self._records.record_action, participation.study, participation.id, "order", event_data
            )
        return experiment_order

    async def open_practice(self, game_number: int, participation: Participation, study_version: StudyVersion) -> bool:
        """Open practice game `game_number`; return False where none of the study's games has that many.

        It is played as the study's games are, with a scripted partner where another participant would sit.
        """
        game_variants = dict.fromkeys((cell.instance.game, cell.instance.variant) for cell in study_version.cells)
        items = [
            item for game, variant in game_variants for item in self._registry.read_practice_instances(game, variant)
        ]
        if game_number > len(items):
            return False
        item = items[game_number - 1]
        template_cell = next(
            cell
            for cell in study_version.cells
            if (cell.instance.game, cell.instance.variant) == (item.game, item.variant)
        )
        program_address = study_version.study.waiting.program or "scripted"
        seats = dict(template_cell.seats) | (
            {template_cell.partner_seat: self._registry.resolve(program_address)} if template_cell.partner_seat else {}
        )
        cell = replace(template_cell, cell_key=f"practice-{game_number}", instance=item, stimuli=frozenset())
        await self._open_game(
            [(participation, compute_practice_position(game_number), cell)], seats, fills_cell=False, is_practice=True
        )
        return True

    async def open_with_program(self, game_number: int, participation: Participation, version: StudyVersion) -> bool:
        """Open a game of two with the study's program for waiting; return False where the study has none.

        The game fills no cell: the study wants two people in it.
        """
        program_address = version.study.waiting.program
        if program_address is None:
            return False
        cell = random.Random(f"{participation.seed}/{game_number}").choice(self.list_candidates(version, participation))
        seats = dict(cell.seats) | {str(cell.partner_seat): self._registry.resolve(program_address)}
        await self._open_game([(participation, game_number, cell)], seats, fills_cell=False)
        return True

    def _make_turn_limit(self, study: Study, seats: dict[str, str]) -> TurnLimit | None:
        """Return how long replies may take in a game with these players; None where nobody is timed."""
        game_options = study.games
        if game_options.turn_seconds is None and all(player == PARTICIPANT_PLAYER for player in seats.values()):
            return None
        program = self._registry.resolve(game_options.turn_program) if game_options.turn_rule == "program" else None
        return TurnLimit(game_options.turn_seconds, game_options.model_timeout, game_options.turn_rule, program)

    async def _open_game(
        self, people: SeatedPair, seats: Any, *, fills_cell: bool = True, is_practice: bool = False
    ) -> bool:
        """Open the table of a game for one or two participants, with their seats; all of it is stored or nothing.

        Return False where another process has filled the cell meanwhile. Without `fills_cell` the game fills none:
        another player than the study wants sits there. A test fills none.
        """
        is_test = people[0][0].pilot == RESEARCHER_TEST
        fills_cell = fills_cell and not is_test
        first_cell = people[0][2]
        context, instance = self._context, first_cell.instance
        study_name = people[0][0].study
        study_file = self._versions.get_version(study_name, people[0][0].version).study
        turn_limit = self._make_turn_limit(study_file, seats)
        person_by_seat = {cell.seat: participation for participation, _, cell in people}
        start_data = build_item_start(
            self._registry.game(instance.game),
            instance,
            {seat: PERSON_PROVIDER if player == PARTICIPANT_PLAYER else player for seat, player in seats.items()},
            settings=first_cell.settings,
            run_seed=secrets.randbits(48),
            people={
                seat: self._describe_person(participation, study_file, digest(instance.instance), turn_limit)
                | {"practice": is_practice or is_test}
                | ({HIDDEN_PARTNER_KEY: True} if study_file.hidden_partner and not is_practice else {})
                for seat, participation in person_by_seat.items()
            },
            reprompt=study_file.games.reprompt,
            ludens=self._ludens_version,
        )
        wanted_games_by_cell = {cell.cell_key: cell.wanted_games for _, _, cell in people}

        def store_game() -> str:
            with context.writer.transaction():
                game_rows = [(person.id, game_number, cell.cell_key, cell.seat) for person, game_number, cell in people]
                if fills_cell:
                    self._records.reserve_games(game_rows, wanted_games_by_cell, study_name)
                else:
                    self._records.add_games_outside_cells(game_rows)
                [episode_claim] = context.writer.claim_episodes([(start_data, None)], origin="table")
                if turn_limit and turn_limit.seconds is not None:
                    context.turn_clocks.add_clock(episode_claim.episode)
                seat_ids = context.links.open_table(
                    episode_claim.episode,
                    OWNER_KEY,
                    list(person_by_seat),
                    None,
                    0.0,
                    start_data.instance_hash,
                    was_chosen=True,
                )
                for participation, game_number, cell in people:
                    context.links.hold_seat(participation.browser, seat_ids[cell.seat], start_data.instance_hash)
                    context.links.mark_arrived(participation.browser, seat_ids[cell.seat])
                    self._records.start_game(participation.id, game_number, episode_claim.episode)
                    self.pairs.queue.leave_queue(participation.id)
            return episode_claim.episode

        try:
            episode = await context.write(store_game)
        except CellTakenError:
            return False  # the page asks again
        await self._tables.get_table(episode)
        log_fact("study game opened", study=study_name, game=start_data.game, people=len(people))
        return True

    def _describe_person(
        self, participation: Participation, study: Study, instance_hash: str, turn_limit: TurnLimit | None
    ) -> Json:
        """Return what the start of a game says of a participant."""
        return {
            "informed": False,
            "seen_before": bool(self._context.links.count_exposures(participation.browser).get(instance_hash)),
            "practice": False,
            STUDY_KEY: f"{study.name}@{participation.version}",
            "participant": participation.pseudonym,
            **({"pastes": "blocked"} if study.pastes == "blocked" else {}),
            **({"turn_limit": turn_limit.as_json()} if turn_limit else {}),
        }

    async def record_game_end(self, game: StudyGame) -> StudyGame:
        """Note how a game ended, if it has."""
        if game.episode is None:
            return game
        try:
            episode_row = self._context.reader.episode(game.episode)
        except StoreError:
            game_state = "removed"
        else:
            has_seat = game.seat in self._context.links.seats(game.episode)
            if episode_row.status != Status.OVER and has_seat:
                return game
            game_state = self._determine_game_state(episode_row, game, has_seat=has_seat)
        await self._context.write(self._records.end_game, game.participation, game.position, game_state)
        return next(g for g in self._records.list_games(game.participation) if g.position == game.position)

    async def abandon_games(self, participation: Participation, reason: str) -> None:
        """End the open game of a participation, which then does not count; one that is over counts."""
        for game in self._records.list_games(participation.id):
            if game.state in OPEN_GAME_STATES:
                game = await self.record_game_end(game)
            if game.state in OPEN_GAME_STATES:
                table = await self._tables.get_table(game.episode) if game.episode else None
                if table is not None and not table.is_over and game.seat in table.seat_links:
                    await self._leave_table(table, game, participation, reason)
                await self._context.write(self._records.end_game, participation.id, game.position, reason)
        await self._context.write(self.pairs.queue.leave_queue, participation.id)

    async def _leave_table(self, table: LiveTable, game: StudyGame, participation: Participation, reason: str) -> None:
        """Let a program take the seat of somebody who is gone, where a partner goes on; else end the game."""
        waiting_rules = self._versions.get_version(participation.study, participation.version).study.waiting
        games = self._records.list_episode_games(table.id)
        has_partner = any(other_game.seat != game.seat and other_game.seat in table.seat_links for other_game in games)
        if has_partner and waiting_rules.partner_left == "program" and waiting_rules.program:
            try:
                await self._tables.assign_program_to_seat(
                    table, game.seat, self._registry.resolve(waiting_rules.program), DEPARTED_STATE
                )
            except Refusal as refusal:
                logger.warning("episode %s: no program takes the seat %s: %s", table.id, game.seat, refusal)
            else:
                return
        await table.end_game(reason, game.seat)

    async def leave_game(self, episode: str, seat: str) -> bool:
        """Let a participant leave a game; return False where the episode is not theirs."""
        for game in self._records.list_episode_games(episode):
            if game.seat == seat and game.state in OPEN_GAME_STATES:
                await self.abandon_games(self._records.require_participation(game.participation), DEPARTED_STATE)
                return True
        return False

    def _find_replacement_reason(self, episode: str, seat: str) -> str:
        """Return why another player has the seat of a participant now."""
        seat_events = [
            event for event in self._context.reader.events(episode) if event.kind is Kind.SEAT and event.seat == seat
        ]
        reason = HandOver.from_event(seat_events[-1]).reason if seat_events else None
        return reason or DEPARTED_STATE

    def _determine_game_state(self, episode_row: EpisodeRow, game: StudyGame, *, has_seat: bool) -> str:
        """Return "counts" for a game that fills its cell, else why it does not. It is over, or `has_seat` is false."""
        outcome = episode_row.outcome or {}
        if game.position < 1:  # games of tests are marked as practice, too
            return "practice"
        if not has_seat:
            return self._find_replacement_reason(episode_row.id, game.seat)
        if outcome.get("kind") != Ending.ABANDONED:
            return "taken over" if episode_row.mixed else "counts"
        faulty_seat, reason = outcome.get("seat"), outcome.get("reason")
        if faulty_seat == game.seat:
            return str(reason) if reason in (DEPARTED_STATE, NO_REPLY_REASON) else "abandoned"
        if faulty_seat is None:
            return "abandoned"
        is_person = any(
            episode_game.seat == faulty_seat for episode_game in self._records.list_episode_games(episode_row.id)
        )
        return "partner left" if is_person else FAULT_REASON


def compute_practice_position(practice_number: int) -> int:
    """Return what `StudyGame.position` says of a practice game: they come before game 1, in their order."""
    return practice_number - PRACTICE_GAMES - 1
