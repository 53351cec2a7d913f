"""Pairing participants: in order of arrival two are asked whether they are ready, and then dealt a game.

Where partners are hidden, those who are to play with a program wait and are asked in the same way, for times that are
drawn.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.core.events import Json
from engine.storage.study_queue import QueuePlace, is_single_participant
from engine.storage.study_records import Participation, StudyRecords
from engine.studies.cells import Cell, pair_cells
from engine.studies.version import StudyVersion
from ui.live.context import ServerContext

QUEUE_PRESENCE_SECONDS = 6.0
"""Seconds after its last request for which a waiting page counts as there; a page asks every two."""

SeatedPair = list[tuple[Participation, int, Cell]]
"""Two participants, each with the number of the game and the cell; one who plays with programs."""
WAITING_MEDIAN_SECONDS, WAITING_LOG_SIGMA = 8.0, 0.5
"""Seconds of waiting for a program, and the standard deviation of their logarithm: our assumption."""
READY_DELAY_MEDIAN_SECONDS, READY_DELAY_LOG_SIGMA = 3.0, 0.5
"""Seconds after which a program is ready, and the standard deviation of their logarithm: our assumption."""


@dataclass(frozen=True, slots=True)
class SoloGame:
    """A game with programs for one participant who is not to know that. `fills_cell` says whether it fills its cell."""

    number: int
    cell: Cell
    seats: Mapping[str, str]
    fills_cell: bool = True


class StudyPairs:
    """The queues of all studies. Call it with the study's lock held.

    `list_candidates` returns the cells that a participation may be dealt, `choose_cell` one of some for two people.
    """

    def __init__(
        self,
        context: ServerContext,
        records: StudyRecords,
        list_candidates: Callable[[StudyVersion, Participation], list[Cell]],
        choose_cell: Callable[[Sequence[Participation], Sequence[Cell], StudyVersion, random.Random], Cell | None],
        open_game: Callable[[SeatedPair], Awaitable[bool]],
        open_solo_game: Callable[[Participation, SoloGame], Awaitable[bool]],
    ) -> None:
        self._context, self._records = context, records
        self._list_candidates, self._choose_cell, self._open_game, self._open_solo_game = (
            list_candidates,
            choose_cell,
            open_game,
            open_solo_game,
        )
        self.solo_games: dict[str, SoloGame] = {}
        """The games with programs that are dealt to participants who wait as if for a person."""
        self._earlier_wait_ms_by_game: dict[tuple[str, int], int] = {}
        self.queue = records.queue
        self._latest_request: dict[str, float] = {}
        self._deadline_by_pair: dict[str, float] = {}
        """By pair: when the time to be ready ends (`time.monotonic`)."""

    async def wait_in_queue(self, participation: Participation, study_version: StudyVersion) -> None:
        """Let a participation wait, ask it whether it is ready, or open its game, whatever is due."""
        participation_id = participation.id
        current_time = time.monotonic()
        waited_seconds = min(
            current_time - self._latest_request.get(participation_id, current_time), QUEUE_PRESENCE_SECONDS
        )
        self._latest_request[participation_id] = current_time
        queue_place = self.queue.find_queue_place(participation_id)
        if queue_place is None:
            await self._context.write(self.queue.join_queue, participation_id, participation.study)
        elif queue_place.pair:
            await self._resolve_pair(queue_place.pair, study_version)
            return
        elif queue_place.state == "missed":
            return
        if not await self._find_companions(participation, study_version) and waited_seconds:
            total_ms = participation.waited + int(waited_seconds * 1000)
            await self._context.write(lambda: self._records.update_participation(participation_id, waited=total_ms))

    def measure_waiting_ms(self, participation: Participation, game_number: int) -> int:
        """Return the milliseconds that a participant has waited for one game, as far as this process knows."""
        earlier_wait_ms = self._earlier_wait_ms_by_game.setdefault(
            (participation.id, game_number), participation.waited
        )
        return participation.waited - earlier_wait_ms

    def list_other_solo_games(self, participation: Participation) -> list[SoloGame]:
        """Return the games that fill cells and for which others in the study are waiting at this moment."""
        return [
            solo_game
            for participation_id, solo_game in self.solo_games.items()
            if (participation_id != participation.id and solo_game.fills_cell and self._is_listening(participation_id))
            and self._records.require_participation(participation_id).study == participation.study
        ]

    async def _find_companions(self, participation: Participation, study_version: StudyVersion) -> bool:
        """Ask a participant and a partner whether they are ready, or one who plays with programs when it is time."""
        solo_game = self.solo_games.get(participation.id)
        if (solo_game is None or solo_game.fills_cell) and not self._has_waited_sampled_time(
            participation, study_version
        ):
            return False
        if solo_game is None:
            return await self._find_partner(participation, study_version)
        ready_timeout_ms = int(study_version.study.waiting.ready_seconds * 1000)
        await self._context.write(self.queue.ask_readiness, [participation.id], ready_timeout_ms)
        return True

    def _has_waited_sampled_time(self, participation: Participation, study_version: StudyVersion) -> bool:
        """Return whether somebody has waited for as long as was drawn, where a partner who comes sooner would tell."""
        study = study_version.study
        if not study.hidden_partner:
            return True
        game_number = int(study_version.steps[participation.step].rpartition("-")[2])
        rng = random.Random(f"{study.seed}/{participation.seed}/{game_number}/waiting")
        sampled_seconds = min(
            rng.lognormvariate(math.log(WAITING_MEDIAN_SECONDS), WAITING_LOG_SIGMA), study.waiting.seconds / 2
        )
        return self.measure_waiting_ms(participation, game_number) >= sampled_seconds * 1000

    async def _find_partner(self, participation: Participation, study_version: StudyVersion) -> bool:
        """Ask the first in the queue who can play with a participation, and itself; return whether there is one."""
        for queue_place in self.queue.list_queue_places(participation.study):
            partner = self._records.find_participation(queue_place.participation)
            if partner is None or queue_place.state != "waiting" or partner.id == participation.id:
                continue
            if partner.id in self.solo_games:
                continue
            can_pair = self._is_listening(partner.id) and self._list_possible_pairs(
                participation, partner, study_version
            )
            if can_pair and self._has_waited_sampled_time(partner, study_version):
                ready_timeout_ms = int(study_version.study.waiting.ready_seconds * 1000)
                await self._context.write(self.queue.ask_readiness, [partner.id, participation.id], ready_timeout_ms)
                return True
        return False

    def _is_listening(self, participation_id: str) -> bool:
        asked_at = self._latest_request.get(participation_id)
        return asked_at is not None and time.monotonic() - asked_at <= QUEUE_PRESENCE_SECONDS

    def _list_possible_pairs(
        self, first_person: Participation, second_person: Participation, study_version: StudyVersion
    ) -> list[tuple[Cell, Cell]]:
        """Return the cells that two may be dealt together: the same instance, each at the other's partner seat."""
        if (first_person.version, first_person.pilot) != (second_person.version, second_person.pilot):
            return []
        if first_person.browser == second_person.browser or first_person.is_over or second_person.is_over:
            return []
        if not all(study_version.steps[person.step].startswith("game-") for person in (first_person, second_person)):
            return []
        return pair_cells(
            self._list_candidates(study_version, first_person), self._list_candidates(study_version, second_person)
        )

    async def press_ready_button(self, participation: Participation, study_version: StudyVersion) -> None:
        """Take the button of somebody who waits: they are ready, or wait again after they have missed a partner."""
        queue_place = self.queue.find_queue_place(participation.id)
        if queue_place is None or queue_place.state == "missed":
            await self._context.write(self.queue.join_queue, participation.id, participation.study)
        elif queue_place.pair:
            if self._count_seconds_left(queue_place) > 0:
                await self._context.write(self.queue.set_ready, participation.id)
            await self._resolve_pair(queue_place.pair, study_version)

    async def resolve_expired_pairs(
        self, study_name: str, find_version: Callable[[Participation], StudyVersion]
    ) -> None:
        """Settle all pairs of a study whose time is over, also where no page asks."""
        for pair_id in {queue_place.pair for queue_place in self.queue.list_queue_places(study_name)} - {None}:
            assert pair_id is not None
            if queue_places := self.queue.list_pair_queue_places(pair_id):
                await self._resolve_pair(
                    pair_id, find_version(self._records.require_participation(queue_places[0].participation))
                )

    async def _resolve_pair(self, pair_id: str, study_version: StudyVersion) -> None:
        """Open the game of a pair that is ready, and end the waiting of one whose time is over."""
        queue_places = self.queue.list_pair_queue_places(pair_id)
        if is_single_participant(pair_id):
            await self._resolve_solo_game(queue_places[0], study_version)
            return
        people = [self._records.require_participation(queue_place.participation) for queue_place in queue_places]
        seconds_left = self._count_seconds_left(queue_places[0])
        if len(queue_places) == 2 and all(queue_place.state == "ready" for queue_place in queue_places):
            seated_people = self._seat_pair(people, study_version)
            if seated_people is None or not await self._open_game(seated_people):
                await self._context.write(lambda: self.queue.dissolve_pair(pair_id, returns_both_players_to_queue=True))
        elif seconds_left <= 0 or len(queue_places) < 2 or any(person.is_over for person in people):
            is_partner_gone = len(queue_places) < 2 or any(person.is_over for person in people)
            await self._context.write(
                lambda: self.queue.dissolve_pair(pair_id, returns_both_players_to_queue=is_partner_gone)
            )
        else:
            await self._context.write(self.queue.set_remaining_ms, pair_id, int(seconds_left * 1000))
            return
        self._deadline_by_pair.pop(pair_id, None)

    async def _resolve_solo_game(self, queue_place: QueuePlace, study_version: StudyVersion) -> None:
        """Open the game of somebody who plays with programs, when both are ready; else as with a partner."""
        participation, pair_id = self._records.require_participation(queue_place.participation), str(queue_place.pair)
        solo_game, seconds_left = self.solo_games.get(participation.id), self._count_seconds_left(queue_place)
        random_source = random.Random(
            f"{study_version.study.seed}/{participation.seed}/{solo_game.number if solo_game else 0}/pressing"
        )
        ready_delay_seconds = min(
            random_source.lognormvariate(math.log(READY_DELAY_MEDIAN_SECONDS), READY_DELAY_LOG_SIGMA),
            study_version.study.waiting.ready_seconds,
        )
        if participation.is_over:
            await self._context.write(self.queue.leave_queue, participation.id)
        elif (
            queue_place.state == "ready"
            and seconds_left <= study_version.study.waiting.ready_seconds - ready_delay_seconds
        ):
            if solo_game is None:  # a server was killed meanwhile: the page's next request deals the game again
                return
            if not await self._open_solo_game(participation, solo_game):
                await self._context.write(lambda: self.queue.dissolve_pair(pair_id, returns_both_players_to_queue=True))
            self.solo_games.pop(participation.id, None)
        elif seconds_left <= 0:
            await self._context.write(lambda: self.queue.dissolve_pair(pair_id))
        else:
            await self._context.write(self.queue.set_remaining_ms, pair_id, int(seconds_left * 1000))
            return
        self._deadline_by_pair.pop(pair_id, None)

    def _seat_pair(self, people: list[Participation], study_version: StudyVersion) -> SeatedPair | None:
        """Return the game of two who are ready; None where there is none for them any more."""
        first_person, second_person = people
        game_numbers = [int(study_version.steps[person.step].rpartition("-")[2]) for person in people]
        cell_pairs = self._list_possible_pairs(first_person, second_person, study_version)
        random_source = random.Random(f"{study_version.study.seed}/{first_person.seed}/{game_numbers[0]}")
        cell = self._choose_cell(people, [cell for cell, _ in cell_pairs], study_version, random_source)
        if cell is None:
            return None
        other_cell = next(cell_b for cell_a, cell_b in cell_pairs if cell_a.cell_key == cell.cell_key)
        return [(first_person, game_numbers[0], cell), (second_person, game_numbers[1], other_cell)]

    def _count_seconds_left(self, queue_place: QueuePlace) -> float:
        """Return the seconds that a pair has left."""
        assert queue_place.pair is not None
        deadline = self._deadline_by_pair.setdefault(queue_place.pair, time.monotonic() + queue_place.remaining / 1000)
        return deadline - time.monotonic()

    def describe_ready_check(self, participation: Participation) -> Json | None:
        """Return what the page of somebody who waits shows instead of waiting, if anything."""
        queue_place = self.queue.find_queue_place(participation.id)
        if queue_place is not None and queue_place.pair:
            return {
                "kind": "ready",
                "pressed": queue_place.state == "ready",
                "seconds": max(0, round(self._count_seconds_left(queue_place))),
            }
        if queue_place is not None and queue_place.state == "missed":
            return {"kind": "missed"}
        return None
