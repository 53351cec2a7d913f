"""The games of studies: which one a participant is dealt next, who plays it with them, and how it ended."""

from __future__ import annotations

import random
import secrets
import time
from dataclasses import replace
from typing import Any

from engine.core.events import Ending, Json, digest
from engine.core.start import STUDY
from engine.play.plans import build_item_start
from engine.play.registry import Registry
from engine.storage.database import StoreError
from engine.storage.episode_row import EpisodeRow, Status
from engine.storage.seat_links import OWNER
from engine.storage.study_records import OPEN_GAMES, TEST, CellTaken, Participation, StudyGame, StudyRecords
from engine.studies.cells import Cell, CellCounts, choose_cell, latin_square, open_cells
from engine.studies.study_file import PARTICIPANT, Study
from engine.studies.version import StudyVersion, StudyVersions
from ui.live.context import ServerContext
from ui.live.facts import log_fact
from ui.live.offers import PERSON
from ui.live.tables import Tables

PRACTICE_GAMES = 5
"""The most practice games that a study has."""
LISTENING = 6.0
"""Seconds after its last request for which a waiting page counts as there; a page asks every two."""


class StudyGames:
    """Deals the games of all studies. Call it with the study's lock held; `ludens` is the version of this program."""

    def __init__(
        self, context: ServerContext, tables: Tables, records: StudyRecords, versions: StudyVersions, ludens: str
    ) -> None:
        self._context, self._tables, self._records, self._versions = context, tables, records, versions
        self._ludens = ludens
        self._waiting: dict[str, dict[str, float]] = {}
        """By study: waiting participations, in the order in which they came, each with its latest request."""

    @property
    def _registry(self) -> Registry:
        return self._context.registry

    def game_at(self, participation: Participation, number: int) -> StudyGame | None:
        return next((game for game in self._records.games(participation.id) if game.position == number), None)

    def _counts(self, study: str) -> dict[str, CellCounts]:
        return {cell: CellCounts(*counts) for cell, counts in self._records.cell_counts(study).items()}

    def candidates(self, version: StudyVersion, participation: Participation | None) -> list[Cell]:
        """Return the cells that a person may be dealt now."""
        met = self._met(participation, version) if participation else set()
        is_test = participation is not None and participation.pilot == TEST
        return open_cells(version.cells, {} if is_test else self._counts(version.study.name), met)

    def _met(self, participation: Participation, version: StudyVersion) -> set[str]:
        """Return what a person has met: in this study, and of whole instances in any game of this browser."""
        is_test = participation.pilot == TEST  # a researcher tries the same games again and again
        met = set() if is_test else set(self._context.links.exposures(participation.browser))
        for game in self._records.games(participation.id):
            if cell := version.cell(game.cell):
                met |= cell.stimuli
        return met

    def is_shortened(self, participation: Participation, version: StudyVersion) -> bool:
        """Return whether there is no further game for a person who has not played all."""
        dealt_count = sum(game.position > 0 for game in self._records.games(participation.id))
        return dealt_count < version.study.games.count and not self.candidates(version, participation)

    def feedback(self, game: StudyGame, study: Study) -> Json:
        if study.games.feedback == "none" or game.episode is None:
            return {}
        row = self._context.reader.episode(game.episode)
        score = (row.scores or {}).get("main_score") if game.state == "counts" else None
        link = self._context.links.seats(game.episode).get(game.seat)
        is_full = study.games.feedback == "full" and link is not None
        return {"score": score, "url": f"/table?seat={link.seat_id}" if is_full and link else None}

    async def deal(self, number: int, participation: Participation, version: StudyVersion) -> StudyGame | None:
        """Deal the next game; None while a partner is awaited or nothing is left."""
        candidates = self.candidates(version, participation)
        games = self._records.games(participation.id)
        dealt = [cell for game in games if (cell := version.cell(game.cell))]
        draw = random.Random(f"{version.study.seed}/{participation.seed}/{number}")
        counts = self._counts(participation.study)
        order = await self._experiment_order(participation, version)
        alone = [c for c in candidates if c.partner_seat is None]
        cell = choose_cell(alone, counts, version.study, draw, dealt, order)
        if cell is not None:
            await self._open([(participation, number, cell)], cell.seats)
            return self.game_at(participation, number)
        if any(c.partner_seat for c in candidates):
            await self._pair(number, participation, version, candidates, draw)
        return self.game_at(participation, number)

    async def _pair(
        self,
        number: int,
        participation: Participation,
        version: StudyVersion,
        candidates: list[Cell],
        draw: random.Random,
    ) -> None:
        """Wait for a partner, or begin a game with whoever has waited longest and knows none of it."""
        queue = self._waiting.setdefault(participation.study, {})
        now = time.monotonic()
        for id_ in [id_ for id_, asked_at in queue.items() if now - asked_at > LISTENING]:
            del queue[id_]
        for id_ in queue:
            partner = self._records.participation(id_)
            if (
                id_ == participation.id
                or partner is None
                or (partner.version, partner.pilot) != (participation.version, participation.pilot)
                or partner.browser == participation.browser
                or partner.is_over
            ):
                continue
            partner_step = version.steps[partner.step]
            allowed = {c.key: c for c in self.candidates(version, partner)}
            pairs = [
                (cell, other)
                for cell in candidates
                if cell.partner_seat
                for other in allowed.values()
                if other.item.instance_id == cell.item.instance_id and other.seat == cell.partner_seat
            ]
            if pairs and partner_step.startswith("game-"):
                counts = self._counts(participation.study)
                cell = choose_cell([cell for cell, _ in pairs], counts, version.study, draw, [])
                other = next(o for c, o in pairs if cell and c.key == cell.key)
                assert cell is not None
                seats = [(participation, number, cell), (partner, int(partner_step.partition("-")[2]), other)]
                await self._open(seats, cell.seats)
                queue.pop(id_)
                queue.pop(participation.id, None)
                return
        waited = min(now - queue.get(participation.id, now), LISTENING)
        queue[participation.id] = now
        if waited:
            total = participation.waited + int(waited * 1000)
            await self._context.write(lambda: self._records.update(participation.id, waited=total))

    async def _experiment_order(self, participation: Participation, version: StudyVersion) -> list[str]:
        """Return the order of experiments for a person in a Latin square, drawn when it is first asked for."""
        if version.study.games.order != "latin_square":
            return []
        order: list[str] | None = self._records.experiment_order(participation.id)
        if order is None:
            rows = latin_square(len(version.experiments))
            row = rows[self._records.order_count(participation.study) % len(rows)]
            order = [version.experiments[number] for number in row]
            data = {"experiments": order}
            await self._context.write(self._records.note, participation.study, participation.id, "order", data)
        return order

    async def open_practice(self, number: int, participation: Participation, version: StudyVersion) -> bool:
        """Open practice game `number`; return False where none of the study's games has that many.

        It is played as the study's games are, with a scripted partner where another participant would sit.
        """
        pairs = dict.fromkeys((cell.item.game, cell.item.variant) for cell in version.cells)
        items = [item for game, variant in pairs for item in self._registry.practice_instances(game, variant)]
        if number > len(items):
            return False
        item = items[number - 1]
        like = next(cell for cell in version.cells if (cell.item.game, cell.item.variant) == (item.game, item.variant))
        program = version.study.waiting.program or "scripted"
        seats = dict(like.seats) | ({like.partner_seat: self._registry.resolve(program)} if like.partner_seat else {})
        cell = replace(like, key=f"practice-{number}", item=item, stimuli=frozenset())
        await self._open([(participation, practice_position(number), cell)], seats, fills=False, is_practice=True)
        return True

    async def open_with_program(self, number: int, participation: Participation, version: StudyVersion) -> bool:
        """Open a game of two with the study's program for waiting; return False where the study has none.

        The game fills no cell: the study wants two people in it.
        """
        self._waiting.get(participation.study, {}).pop(participation.id, None)
        program = version.study.waiting.program
        if program is None:
            return False
        cell = random.Random(f"{participation.seed}/{number}").choice(self.candidates(version, participation))
        seats = dict(cell.seats) | {str(cell.partner_seat): self._registry.resolve(program)}
        await self._open([(participation, number, cell)], seats, fills=False)
        return True

    async def _open(
        self,
        people: list[tuple[Participation, int, Cell]],
        seats: Any,
        *,
        fills: bool = True,
        is_practice: bool = False,
    ) -> None:
        """Open the table of a game for one or two participants, with their seats; all of it is stored or nothing.

        With `fills` false the game fills no cell: another player than the study wants sits there. A test fills none.
        """
        is_test = people[0][0].pilot == TEST
        fills = fills and not is_test
        first = people[0][2]
        context, item = self._context, first.item
        game = self._registry.game(item.game)
        study = people[0][0].study
        pastes = self._versions.get(study, people[0][0].version).study.pastes
        by_seat = {cell.seat: participation for participation, _, cell in people}
        start = build_item_start(
            game,
            item,
            {seat: PERSON if player == PARTICIPANT else player for seat, player in seats.items()},
            settings=first.settings,
            run_seed=secrets.randbits(48),
            people={
                seat: {
                    "informed": False,
                    "seen_before": bool(context.links.exposures(participation.browser).get(digest(item.instance))),
                    "practice": is_practice or is_test,
                    STUDY: f"{study}@{participation.version}",
                    "participant": participation.pseudonym,
                    **({"pastes": "blocked"} if pastes == "blocked" else {}),
                }
                for seat, participation in by_seat.items()
            },
            ludens=self._ludens,
        )
        wanted_games = {cell.key: cell.games_wanted for _, _, cell in people}

        def store() -> str:
            with context.writer.transaction():
                games = [(p.id, number, cell.key, cell.seat) for p, number, cell in people]
                if fills:
                    self._records.reserve(games, wanted_games, study)
                else:
                    self._records.deal_outside(games)
                [claim] = context.writer.claim([(start, None)], origin="table")
                pids = context.links.open_table(
                    claim.episode, OWNER, list(by_seat), None, 0.0, start.instance_hash, is_chosen=True
                )
                for participation, number, cell in people:
                    context.links.hold(participation.browser, pids[cell.seat], start.instance_hash)
                    context.links.mark_arrived(participation.browser, pids[cell.seat])
                    self._records.start_game(participation.id, number, claim.episode)
            return claim.episode

        try:
            episode = await context.write(store)
        except CellTaken:
            return  # another process dealt it: the page asks again
        await self._tables.get(episode)
        log_fact("study game opened", study=study, game=start.game, people=len(people))

    async def settle(self, game: StudyGame) -> StudyGame:
        """Note how a game ended, if it has."""
        if game.episode is None:
            return game
        try:
            row = self._context.reader.episode(game.episode)
        except StoreError:
            state = "removed"
        else:
            if row.status != Status.OVER:
                return game
            state = _standing(row, is_practice=game.position < 1)
        await self._context.write(self._records.end_game, game.participation, game.position, state)
        return next(g for g in self._records.games(game.participation) if g.position == game.position)

    async def abandon(self, participation: Participation, reason: str) -> None:
        """End the open game of a participation, which then does not count."""
        for game in self._records.games(participation.id):
            if game.state in OPEN_GAMES:
                table = await self._tables.get(game.episode) if game.episode else None
                if table is not None and not table.is_over:
                    await table.end(reason, game.seat)
                await self._context.write(self._records.end_game, participation.id, game.position, reason)


def practice_position(number: int) -> int:
    """Return what `StudyGame.position` says of a practice game: they come before game 1, in their order."""
    return number - PRACTICE_GAMES - 1


def _standing(row: EpisodeRow, *, is_practice: bool) -> str:
    """Return "counts" for a game that fills its cell, else why it does not."""
    outcome = row.outcome or {}
    if is_practice:
        return "practice"
    if outcome.get("kind") == Ending.ABANDONED:
        return "abandoned"
    return "taken over" if row.mixed else "counts"
