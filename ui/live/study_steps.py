"""What each step of a participation shows, and what is done with the answers to it."""

from __future__ import annotations

from typing import Any

from engine.core.events import Json
from engine.storage.study_records import OPEN_GAMES, Participation, StudyRecords
from engine.studies.pages import consent_page, describe_page
from engine.studies.study_file import Study
from engine.studies.version import StudyVersion, StudyVersions
from ui.live.context import ServerContext
from ui.live.refusal import Refusal
from ui.live.study_games import FAULT_REASON, StudyGames, practice_position

HIDDEN_ENDINGS = {"taken over": "counts", FAULT_REASON: "partner left"}
"""What participants are told of a game where who sits opposite is hidden: the same of a person and a program."""


class StudySteps:
    """The steps of all participations. Call it with the study's lock held."""

    def __init__(
        self, context: ServerContext, records: StudyRecords, versions: StudyVersions, games: StudyGames
    ) -> None:
        self._context, self._records, self._versions, self._games = context, records, versions, games

    def current_step(self, participation: Participation, version: StudyVersion) -> str:
        """Return the id of the step at which somebody is; before it, a consent that was changed is asked again."""
        present = self._versions.present_file(participation.study).consent_version
        if participation.consent not in (None, present):
            return f"consent-{present}"
        return version.steps[participation.step]

    async def show(self, participation: Participation) -> Json:
        """Return what the page of a participation shows. Raises `Refusal`."""
        version = self._versions.get_version(participation.study, participation.version)
        study, steps = version.study, version.steps
        shown_step: Json | None = None
        if not participation.is_over:
            step_name = self.current_step(participation, version)
            shown_step = {"id": step_name, **await self._describe_step(step_name, participation, version)}
            participation = self._records.require_participation(participation.id)  # without a game left it has gone on
        if participation.is_over:
            shown_step = {"id": "end", "kind": "end", **self._ending_page(participation, study)}
        viewport = {} if participation.is_over else {"minimum_viewport": study.minimum_viewport}
        return {
            "title": study.title,
            "contact": study.contact,
            **(viewport if participation.consent is None and study.minimum_viewport else {}),
            "progress": participation.step / (len(steps) - 1),
            "is_over": participation.is_over,
            "step": shown_step,
        }

    async def _describe_step(self, step: str, participation: Participation, version: StudyVersion) -> Json:
        step_kind = step.partition("-")[0]
        if step.startswith("consent-"):
            return {**consent_page(self._versions.present_file(participation.study)), "again": True}
        if (page := describe_page(step, version, self._context.registry)) is not None:
            if step_kind == "debriefing" and version.study.hidden_partner:
                return {**page, "partners": self._games.partners(participation)}
            if step_kind != "rules":
                return page
            used_attempts = self._records.count_attempts(participation.id, step)
            return {**page, "attempt": used_attempts + 1, "attempts_left": version.study.rules.attempts - used_attempts}
        if step_kind == "practice":
            return await self._describe_practice(int(step.partition("-")[2]), participation, version)
        return await self._describe_game(int(step.partition("-")[2]), participation, version)

    def _ending_page(self, participation: Participation, study: Study) -> Json:
        state = (
            participation.reason
            if participation.state == "turned_away" and participation.reason
            else participation.state
        )
        return {"state": state, "code": getattr(study.ends, state, "")}

    async def _describe_practice(
        self, practice_number: int, participation: Participation, version: StudyVersion
    ) -> Json:
        game_json: Json = {"number": practice_number, "of": version.study.games.practice, "practice": True}
        game = self._games.game_at(participation, practice_position(practice_number))
        if game is None:
            if not await self._games.open_practice(practice_number, participation, version):
                await self._context.write(
                    lambda: self._records.update_participation(participation.id, step=version.steps.index("game-1"))
                )
                return await self._next_step(participation)
            game = self._games.game_at(participation, practice_position(practice_number))
        assert game is not None and game.episode is not None
        if game.state in OPEN_GAMES:
            game = await self._games.settle_game(game)
        if game.state in OPEN_GAMES and game.episode:
            link = self._context.links.seats(game.episode)[game.seat]
            return {"kind": "game", **game_json, "url": f"/table?seat={link.seat_id}"}
        return {"kind": "result", **game_json, "counts": True}

    async def take_answers(
        self, step: str, answers: Json, participation: Participation, version: StudyVersion, attempt: int | None
    ) -> None:
        """Take what somebody answered at a step. Raises `Refusal`."""
        step_kind = step.partition("-")[0]
        if step == "consent":
            await self._take_consent(answers, participation, version.study)
        elif step_kind == "consent":
            await self._take_changed_consent(answers, participation)
        elif step_kind == "survey":
            checked_answers = _check_answers(version.questions(step), answers)
            await self._advance_participation(participation, version, step, checked_answers)
        elif step_kind == "rules":
            await self._take_rules(answers, participation, version, attempt)
        elif step_kind == "debriefing":
            await self._advance_participation(participation, version, step, {})
        else:
            game_number = int(step.partition("-")[2])
            position = practice_position(game_number) if step_kind == "practice" else game_number
            game = self._games.game_at(participation, position)
            if game is None and step_kind == "game":
                await self._games.pairs.press_ready(participation, version)
            elif game is not None and game.state not in OPEN_GAMES:
                await self._finish_game(step, participation, version)

    async def _finish_game(self, step: str, participation: Participation, version: StudyVersion) -> None:
        if self._games.keeps_failing(participation):
            await self._context.write(self._records.end, participation.id, "turned_away", "technical_fault")
        else:
            await self._advance_participation(participation, version, step, {})

    async def _take_consent(self, answers: Json, participation: Participation, study: Study) -> None:
        write = self._context.write
        if answers.get("too_small") is True and study.minimum_viewport:
            await write(self._records.end, participation.id, "turned_away", "wrong_device")
        elif answers.get("agree") is True:
            consent_facts = {"version": study.consent_version, "agree": True}
            new_values = {"consent": study.consent_version, "step": participation.step + 1}
            await write(lambda: self._records.add_answer(participation.id, "consent", 1, consent_facts, **new_values))
        elif answers.get("agree") is False:
            await write(self._records.end, participation.id, "declined")
        else:
            raise Refusal(422, "Please agree or decline.")

    async def _take_changed_consent(self, answers: Json, participation: Participation) -> None:
        """Go on under the present consent, or withdraw; what was played until then stays."""
        if answers.get("agree") is True:
            consent_version = self._versions.present_file(participation.study).consent_version
            attempt = 1 + self._records.count_attempts(participation.id, "consent")
            consent_facts = {"version": consent_version, "agree": True}
            await self._context.write(
                lambda: self._records.add_answer(
                    participation.id, "consent", attempt, consent_facts, consent=consent_version
                )
            )
        elif answers.get("agree") is False:
            await self._games.abandon(participation, "withdrawn")
            await self._context.write(self._records.withdraw_participation, participation.id)
        else:
            raise Refusal(422, "Please agree or decline.")

    async def _take_rules(
        self, answers: Json, participation: Participation, version: StudyVersion, attempt: int | None
    ) -> None:
        questions = version.study.rules.questions
        checked_answers = _check_answers(questions, answers)
        failed_questions = [question for question in questions if question.is_failed(checked_answers[question.name])]
        if not failed_questions:
            await self._advance_participation(participation, version, "rules", checked_answers)
            return
        write, used_attempts = self._context.write, self._records.count_attempts(participation.id, "rules")
        if attempt is None or attempt > used_attempts:  # otherwise it came before, and the reply was lost
            used_attempts += 1
            await write(self._records.add_answer, participation.id, "rules", used_attempts, checked_answers)
        if used_attempts >= version.study.rules.attempts:
            await write(self._records.end, participation.id, "screened_out", "rules not understood")
            return
        raise Refusal(
            422,
            "Not all answers are right. Please read the rules again.",
            " ".join(f"“{question.text}”" for question in failed_questions),
        )

    async def _advance_participation(
        self, participation: Participation, version: StudyVersion, step: str, answers: Json
    ) -> None:
        """Store the answers of a step and go to the next one; the last step ends the participation."""
        steps = version.steps
        next_step = participation.step + 1
        if step.startswith("game-") and self._games.is_shortened(participation, version):
            next_step = version.step_after_games
        attempt = 1 + self._records.count_attempts(participation.id, step)

        def store_step() -> None:
            self._records.add_answer(participation.id, step, attempt, answers, step=next_step)
            if steps[next_step] == "end":
                self._records.end(participation.id, "completed")

        await self._context.write(store_step)

    async def _describe_game(self, game_number: int, participation: Participation, version: StudyVersion) -> Json:
        game = self._games.game_at(participation, game_number)
        if game is None:
            game = await self._games.deal(game_number, participation, version)
        game_json: Json = {"number": game_number, "of": version.study.games.count}
        if game is None:
            if not self._games.candidates(version, participation):
                await self._context.write(self._games.pairs.queue.leave_queue, participation.id)
                await self._skip_games(participation, version)
                return await self._next_step(participation)
            if ready_step := self._games.pairs.describe(participation):
                return ready_step | game_json
            is_alone = participation.id in self._games.pairs.lone_games
            if not is_alone and self._games.has_waited_enough(participation, game_number, version.study):
                return await self._stop_waiting(game_number, participation, version)
            is_hidden, max_wait_seconds = version.study.hidden_partner, version.study.waiting.seconds
            waited_ms = (
                self._games.pairs.waiting_time(participation, game_number) if is_hidden else participation.waited
            )
            return {"kind": "waiting", **game_json, "seconds": waited_ms // 1000, "limit": max_wait_seconds}
        if game.state in OPEN_GAMES:
            game = await self._games.settle_game(game)
        if game.state in OPEN_GAMES and game.episode:
            link = self._context.links.seats(game.episode)[game.seat]
            return {"kind": "game", **game_json, "url": f"/table?seat={link.seat_id}"}
        ending = HIDDEN_ENDINGS.get(game.state, game.state) if version.study.hidden_partner else game.state
        return {
            "kind": "result",
            **game_json,
            "counts": ending == "counts",
            "ending": ending,
            **self._games.feedback(game, version.study),
        }

    async def _next_step(self, participation: Participation) -> Json:
        step: Json = (await self.show(self._records.require_participation(participation.id)))["step"]
        return step

    async def _skip_games(self, participation: Participation, version: StudyVersion) -> None:
        """Go on after the games where there is none left for this person; without any game the study is full."""
        steps = version.steps
        if not self._records.list_games(participation.id):
            await self._context.write(self._records.end, participation.id, "turned_away", "full")
            return
        next_step = version.step_after_games

        def store_step() -> None:
            self._records.note(participation.study, participation.id, "shortened", {"step": steps[participation.step]})
            self._records.update_participation(participation.id, step=next_step)
            if steps[next_step] == "end":
                self._records.end(participation.id, "completed")

        await self._context.write(store_step)

    async def _stop_waiting(self, game_number: int, participation: Participation, version: StudyVersion) -> Json:
        """Seat the program of the study file opposite a person who has waited long enough, or end the participation."""
        if not await self._games.open_with_program(game_number, participation, version):
            games = self._records.list_games(participation.id)
            reason = "partner_left" if games and games[-1].state == "partner left" else "no_partner"
            await self._context.write(self._records.end, participation.id, "turned_away", reason)
            await self._context.write(self._games.pairs.queue.leave_queue, participation.id)
            return await self._next_step(participation)
        return await self._describe_game(game_number, self._records.require_participation(participation.id), version)


def _check_answers(questions: Any, answers: Json) -> Json:
    """Return checked answers by the names of the questions. Raises `Refusal` naming the first that is missing."""
    checked_answers = {}
    for question in questions:
        try:
            checked_answers[question.name] = question.check_answer(answers.get(question.name))
        except ValueError as error:
            raise Refusal(422, str(error), question.text) from None
    return checked_answers
