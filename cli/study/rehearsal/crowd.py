"""The participants of a rehearsal: what each of them means to do, when they arrive, and when the server is killed."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

from cli.output import print_message
from cli.study.rehearsal.browser import CannotContinue, SimulatedBrowser
from cli.study.rehearsal.figures import Figures
from cli.study.rehearsal.participant import PACE_BY_NAME, Intention, Participant, ParticipantPlan
from cli.study.rehearsal.server import RehearsalServer
from engine.studies.study_file import Study

SHARE_BY_INTENTION = {
    Intention.DECLINE: 0.03,
    Intention.MISUNDERSTAND: 0.03,
    Intention.LEAVE: 0.05,
    Intention.WITHDRAW: 0.03,
    Intention.DELETE: 0.03,
}
"""How many participants do not finish; of ten or more at least one each."""
MIN_SIZE_FOR_ALL_INTENTIONS = 10
MISTAKE_SHARE, BROWSER_SWITCH_SHARE, RELOAD_PROBABILITY = 0.25, 0.1, 0.1
LAST_ARRIVALS_SHARE = 0.1
"""The share of participants who arrive when everybody who leaves has left: they fill the cells that are open again."""
REPORT_INTERVAL_SECONDS = 10.0


@dataclass(slots=True)
class SimulatedParticipants:
    """All participants of a rehearsal. `wait_until_departures_noted` returns when the server has noted all who left."""

    server: RehearsalServer
    study: Study
    pace_name: str
    size: int
    simultaneous_arrival_count: int
    kill_count: int
    random_generator: random.Random
    wait_until_departures_noted: Callable[[int], Awaitable[None]]
    figures: Figures = field(default_factory=Figures)
    participants: list[Participant] = field(default_factory=list)
    is_full: bool = False
    """Whether somebody of the last arrivals was turned away."""

    async def run_participants(self) -> None:
        """Let everybody take part, `simultaneous_arrival_count` at a time: the next arrive as others are through."""
        for plan_number, participant_plan in enumerate(self._draw_participant_plans()):
            self.participants.append(
                Participant(
                    f"REHEARSAL{plan_number:06}{self.random_generator.randrange(16**8):08x}",
                    participant_plan,
                    self.study,
                    PACE_BY_NAME[self.pace_name],
                    lambda: SimulatedBrowser(self.server, self.figures),
                    self.figures,
                    random.Random(self.random_generator.random()),
                )
            )
        progress_task = asyncio.create_task(self._report_progress())
        try:
            async with asyncio.TaskGroup() as task_group:
                task_group.create_task(self._kill_server())
                task_group.create_task(self._admit_participants())
        except ExceptionGroup as error:
            raise error.exceptions[0] from None  # the server could not be started again
        finally:
            progress_task.cancel()
            await asyncio.gather(progress_task, return_exceptions=True)

    async def _admit_participants(self) -> None:
        """Let everybody arrive, the last arrivals when all who left are noted."""
        last_arrival_count = max(1, int(LAST_ARRIVALS_SHARE * self.size))
        await self._admit_group(self.participants[:-last_arrival_count])
        await self.wait_until_departures_noted(sum(person.ending == "left" for person in self.participants))
        await self._admit_group(self.participants[-last_arrival_count:])
        self.is_full = any(person.ending == "full" for person in self.participants[-last_arrival_count:])

    def _draw_participant_plans(self) -> Iterator[ParticipantPlan]:
        """Yield what each participant does; those of the last arrivals take part to the end."""
        early_arrival_count = self.size - max(1, int(LAST_ARRIVALS_SHARE * self.size))
        min_count = int(self.size >= MIN_SIZE_FOR_ALL_INTENTIONS)
        other_intentions = [
            special_intention
            for special_intention, intention_share in SHARE_BY_INTENTION.items()
            for _ in range(max(min_count, round(intention_share * self.size)))
        ][:early_arrival_count]
        intentions = [*other_intentions, *[Intention.FINISH] * (early_arrival_count - len(other_intentions))]
        self.random_generator.shuffle(intentions)
        for intention in [*intentions, *[Intention.FINISH] * (self.size - early_arrival_count)]:
            yield ParticipantPlan(
                intention,
                last_game=self.random_generator.randint(1, self.study.games.count),
                moves_before_leaving=self.random_generator.randint(0, 2),
                makes_mistakes=self.random_generator.random() < MISTAKE_SHARE,
                switching_game=self.random_generator.randint(1, self.study.games.count)
                if self.random_generator.random() < BROWSER_SWITCH_SHARE
                else None,
                reload_probability=RELOAD_PROBABILITY,
            )

    async def _admit_group(self, participants: list[Participant]) -> None:
        waiting_participants = iter(participants)

        async def take_turns() -> None:
            for participant in waiting_participants:
                await self._run_participant(participant)

        async with asyncio.TaskGroup() as task_group:
            for _ in range(min(self.simultaneous_arrival_count, len(participants))):
                task_group.create_task(take_turns())

    async def _run_participant(self, participant: Participant) -> None:
        try:
            await participant.take_part_in_study()
        except CannotContinue as error:
            participant.ending = "stuck"
            self.figures.error_counts[f"a participant {participant.place}: {error}"] += 1
        finally:
            await participant.close()
        self._count_unexpected_ending(participant)

    def _count_unexpected_ending(self, participant: Participant) -> None:
        """Count an ending that does not follow from what the participant did; the study may run out of games."""
        usual_endings = {"completed", "full", "no_partner"}
        intention = participant.plan.intention
        endings = {
            Intention.DECLINE: {"declined", "full"},
            Intention.MISUNDERSTAND: {"screened_out", "full"} if self.study.rules.questions else usual_endings,
            Intention.LEAVE: {"left", *usual_endings},
            Intention.WITHDRAW: {"withdrawn", *usual_endings},
            Intention.DELETE: {"withdrawn", *usual_endings},
        }.get(intention, usual_endings)
        if participant.ending not in {*endings, "stuck"}:
            self.figures.error_counts[f"a participant who meant to {intention} was {participant.ending}"] += 1

    # ------------------------------------------------------------------ meanwhile
    def _measure_progress(self) -> float:
        """Return how much of all is done, as a share of 1."""
        return sum(1.0 if participant.ending else participant.progress for participant in self.participants) / self.size

    async def _kill_server(self) -> None:
        """Kill the server at random moments, spread over the whole of the rehearsal."""
        for kill_number in range(self.kill_count):
            kill_progress = (kill_number + self.random_generator.random()) / self.kill_count * 0.9
            while self._measure_progress() < kill_progress:
                await asyncio.sleep(0.05)
            await asyncio.sleep(self.random_generator.random())
            await self.server.restart()
            print_message(f"  server killed and started again ({kill_number + 1} of {self.kill_count})")

    async def _report_progress(self) -> None:
        started_at = time.monotonic()
        while True:
            await asyncio.sleep(REPORT_INTERVAL_SECONDS)
            endings = Counter(person.ending for person in self.participants if person.ending)
            ending_text = (
                ", ".join(f"{count} {ending_state}" for ending_state, count in sorted(endings.items())) or "nobody yet"
            )
            print_message(
                f"  {time.monotonic() - started_at:.0f} s: {sum(endings.values())} of {self.size} through: "
                f"{ending_text}"
            )
