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
from engine.storage.study_queue import QueuePlace, is_alone
from engine.storage.study_records import Participation, StudyRecords
from engine.studies.cells import Cell, pair_cells
from engine.studies.version import StudyVersion
from ui.live.context import ServerContext

LISTENING_SECONDS = 6.0
"""Seconds after its last request for which a waiting page counts as there; a page asks every two."""

SeatedPair = list[tuple[Participation, int, Cell]]
"""Two participants, each with the number of the game and the cell; one who plays with programs."""
WAITING_MEDIAN, WAITING_SIGMA = 8.0, 0.5
"""Seconds of waiting for a program, and the standard deviation of their logarithm: our assumption."""
PRESSING_MEDIAN, PRESSING_SIGMA = 3.0, 0.5
"""Seconds after which a program is ready, and the standard deviation of their logarithm: our assumption."""


@dataclass(frozen=True, slots=True)
class LoneGame:
    """A game with programs for one participant who is not to know that. `fills_cell` says whether it fills its cell."""

    number: int
    cell: Cell
    seats: Mapping[str, str]
    fills_cell: bool = True


class StudyPairs:
    """The queues of all studies. Call it with the study's lock held.

    `candidates` returns the cells that a participation may be dealt; `choose_cell` one of some cells for two people.
    """

    def __init__(
        self,
        context: ServerContext,
        records: StudyRecords,
        candidates: Callable[[StudyVersion, Participation], list[Cell]],
        choose_cell: Callable[[Sequence[Participation], Sequence[Cell], StudyVersion, random.Random], Cell | None],
        open_game: Callable[[SeatedPair], Awaitable[bool]],
        open_alone: Callable[[Participation, LoneGame], Awaitable[bool]],
    ) -> None:
        self._context, self._records = context, records
        self._candidates, self._choose_cell, self._open_game, self._open_alone = (
            candidates,
            choose_cell,
            open_game,
            open_alone,
        )
        self.lone_games: dict[str, LoneGame] = {}
        """The games with programs that are dealt to participants who wait as if for a person."""
        self._waited_before: dict[tuple[str, int], int] = {}
        self.queue = records.queue
        self._latest_request: dict[str, float] = {}
        self._deadline_by_pair: dict[str, float] = {}
        """By pair: when the time to be ready ends (`time.monotonic`)."""

    async def wait(self, participation: Participation, version: StudyVersion) -> None:
        """Let a participation wait, ask it whether it is ready, or open its game, whatever is due."""
        id_ = participation.id
        now = time.monotonic()
        waited_seconds = min(now - self._latest_request.get(id_, now), LISTENING_SECONDS)
        self._latest_request[id_] = now
        place = self.queue.find_place(id_)
        if place is None:
            await self._context.write(self.queue.join_queue, id_, participation.study)
        elif place.pair:
            await self._settle_pair(place.pair, version)
            return
        elif place.state == "missed":
            return
        if not await self._find_anybody(participation, version) and waited_seconds:
            total_ms = participation.waited + int(waited_seconds * 1000)
            await self._context.write(lambda: self._records.update_participation(id_, waited=total_ms))

    def waiting_time(self, participation: Participation, game_number: int) -> int:
        """Return the milliseconds that a participant has waited for one game, as far as this process knows."""
        waited_before = self._waited_before.setdefault((participation.id, game_number), participation.waited)
        return participation.waited - waited_before

    def other_lone_games(self, participation: Participation) -> list[LoneGame]:
        """Return the games that fill cells and for which others in the study are waiting at this moment."""
        other_games = {
            id_: game for id_, game in self.lone_games.items() if id_ != participation.id and game.fills_cell
        }
        return [
            game
            for id_, game in other_games.items()
            if self._is_listening(id_) and self._records.require_participation(id_).study == participation.study
        ]

    async def _find_anybody(self, participation: Participation, version: StudyVersion) -> bool:
        """Ask a participant and a partner whether they are ready, or one who plays with programs when it is time."""
        game = self.lone_games.get(participation.id)
        if (game is None or game.fills_cell) and not self._has_waited_as_drawn(participation, version):
            return False
        if game is None:
            return await self._find_partner(participation, version)
        milliseconds = int(version.study.waiting.ready_seconds * 1000)
        await self._context.write(self.queue.ask_readiness, [participation.id], milliseconds)
        return True

    def _has_waited_as_drawn(self, participation: Participation, version: StudyVersion) -> bool:
        """Return whether somebody has waited for as long as was drawn, where a partner who comes sooner would tell."""
        study = version.study
        if not study.hidden_partner:
            return True
        game_number = int(version.steps[participation.step].rpartition("-")[2])
        rng = random.Random(f"{study.seed}/{participation.seed}/{game_number}/waiting")
        seconds = min(rng.lognormvariate(math.log(WAITING_MEDIAN), WAITING_SIGMA), study.waiting.seconds / 2)
        return self.waiting_time(participation, game_number) >= seconds * 1000

    async def _find_partner(self, participation: Participation, version: StudyVersion) -> bool:
        """Ask the first in the queue who can play with a participation, and itself; return whether there is one."""
        for place in self.queue.list_places(participation.study):
            partner = self._records.find_participation(place.participation)
            if partner is None or place.state != "waiting" or partner.id == participation.id:
                continue
            if partner.id in self.lone_games:
                continue
            can_pair = self._is_listening(partner.id) and self._possible_pairs(participation, partner, version)
            if can_pair and self._has_waited_as_drawn(partner, version):
                milliseconds = int(version.study.waiting.ready_seconds * 1000)
                await self._context.write(self.queue.ask_readiness, [partner.id, participation.id], milliseconds)
                return True
        return False

    def _is_listening(self, participation: str) -> bool:
        asked_at = self._latest_request.get(participation)
        return asked_at is not None and time.monotonic() - asked_at <= LISTENING_SECONDS

    def _possible_pairs(
        self, first: Participation, second: Participation, version: StudyVersion
    ) -> list[tuple[Cell, Cell]]:
        """Return the cells that two may be dealt together: the same instance, each at the other's partner seat."""
        if (first.version, first.pilot) != (second.version, second.pilot) or first.browser == second.browser:
            return []
        if first.is_over or second.is_over:
            return []
        if not all(version.steps[person.step].startswith("game-") for person in (first, second)):
            return []
        return pair_cells(self._candidates(version, first), self._candidates(version, second))

    async def press_ready(self, participation: Participation, version: StudyVersion) -> None:
        """Take the button of somebody who waits: they are ready, or wait again after they have missed a partner."""
        place = self.queue.find_place(participation.id)
        if place is None or place.state == "missed":
            await self._context.write(self.queue.join_queue, participation.id, participation.study)
        elif place.pair:
            if self._seconds_left(place) > 0:
                await self._context.write(self.queue.set_ready, participation.id)
            await self._settle_pair(place.pair, version)

    async def settle_all(self, study: str, version_of: Callable[[Participation], StudyVersion]) -> None:
        """Settle all pairs of a study whose time is over, also where no page asks."""
        for pair in {place.pair for place in self.queue.list_places(study)} - {None}:
            assert pair is not None
            if places := self.queue.list_pair(pair):
                await self._settle_pair(pair, version_of(self._records.require_participation(places[0].participation)))

    async def _settle_pair(self, pair: str, version: StudyVersion) -> None:
        """Open the game of a pair that is ready, and end the waiting of one whose time is over."""
        places = self.queue.list_pair(pair)
        if is_alone(pair):
            await self._settle_alone(places[0], version)
            return
        people = [self._records.require_participation(place.participation) for place in places]
        seconds_left = self._seconds_left(places[0])
        if len(places) == 2 and all(place.state == "ready" for place in places):
            seated_people = self._seat(people, version)
            if seated_people is None or not await self._open_game(seated_people):
                await self._context.write(lambda: self.queue.dissolve_pair(pair, keep_all=True))
        elif seconds_left <= 0 or len(places) < 2 or any(person.is_over for person in people):
            is_partner_gone = len(places) < 2 or any(person.is_over for person in people)
            await self._context.write(lambda: self.queue.dissolve_pair(pair, keep_all=is_partner_gone))
        else:
            await self._context.write(self.queue.set_remaining, pair, int(seconds_left * 1000))
            return
        self._deadline_by_pair.pop(pair, None)

    async def _settle_alone(self, place: QueuePlace, version: StudyVersion) -> None:
        """Open the game of somebody who plays with programs, when both are ready; else as with a partner."""
        participation, pair = self._records.require_participation(place.participation), str(place.pair)
        game, seconds_left = self.lone_games.get(participation.id), self._seconds_left(place)
        rng = random.Random(f"{version.study.seed}/{participation.seed}/{game.number if game else 0}/pressing")
        seconds = min(
            rng.lognormvariate(math.log(PRESSING_MEDIAN), PRESSING_SIGMA), version.study.waiting.ready_seconds
        )
        if participation.is_over:
            await self._context.write(self.queue.leave_queue, participation.id)
        elif place.state == "ready" and seconds_left <= version.study.waiting.ready_seconds - seconds:
            if game is None:  # a server was killed meanwhile: the page's next request deals the game again
                return
            if not await self._open_alone(participation, game):
                await self._context.write(lambda: self.queue.dissolve_pair(pair, keep_all=True))
            self.lone_games.pop(participation.id, None)
        elif seconds_left <= 0:
            await self._context.write(lambda: self.queue.dissolve_pair(pair))
        else:
            await self._context.write(self.queue.set_remaining, pair, int(seconds_left * 1000))
            return
        self._deadline_by_pair.pop(pair, None)

    def _seat(self, people: list[Participation], version: StudyVersion) -> SeatedPair | None:
        """Return the game of two who are ready; None where there is none for them any more."""
        person_a, person_b = people
        game_numbers = [int(version.steps[person.step].rpartition("-")[2]) for person in people]
        cell_pairs = self._possible_pairs(person_a, person_b, version)
        rng = random.Random(f"{version.study.seed}/{person_a.seed}/{game_numbers[0]}")
        cell = self._choose_cell(people, [cell for cell, _ in cell_pairs], version, rng)
        if cell is None:
            return None
        other_cell = next(cell_b for cell_a, cell_b in cell_pairs if cell_a.key == cell.key)
        return [(person_a, game_numbers[0], cell), (person_b, game_numbers[1], other_cell)]

    def _seconds_left(self, place: QueuePlace) -> float:
        """Return the seconds that a pair has left."""
        assert place.pair is not None
        deadline = self._deadline_by_pair.setdefault(place.pair, time.monotonic() + place.remaining / 1000)
        return deadline - time.monotonic()

    def describe(self, participation: Participation) -> Json | None:
        """Return what the page of somebody who waits shows instead of waiting, if anything."""
        place = self.queue.find_place(participation.id)
        if place is not None and place.pair:
            return {
                "kind": "ready",
                "pressed": place.state == "ready",
                "seconds": max(0, round(self._seconds_left(place))),
            }
        if place is not None and place.state == "missed":
            return {"kind": "missed"}
        return None
