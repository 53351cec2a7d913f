"""What each step of a participation shows, and what is done with the answers to it."""

from __future__ import annotations

from typing import Any

from engine.core.events import Json
from engine.storage.study_records import OPEN_GAME_STATES, Participation, StudyRecords
from engine.studies.pages import describe_consent, describe_page, describe_withdrawal
from engine.studies.study_file import Study
from engine.studies.version import StudyVersion, StudyVersions
from ui.live.context import ServerContext
from ui.live.refusal import Refusal
from ui.live.study_games import FAULT_REASON, StudyGames, compute_practice_position

SHOWN_STATE_BY_GAME_STATE = {"taken over": "counts", FAULT_REASON: "partner left"}
"""What participants are told of a game where who sits opposite is hidden: the same of a person and a program."""


class StudySteps:
    """The steps of all participations. Call it with the study's lock held."""

    def __init__(
        self, context: ServerContext, study_records: StudyRecords, versions: StudyVersions, study_games: StudyGames
    ) -> None:
        self._context, self._records, self._versions, self._games = context, study_records, versions, study_games

    def find_current_step(self, participation: Participation, study_version: StudyVersion) -> str:
        """Return the id of the step at which somebody is; before it, a consent that was changed is asked again."""
        current_consent_version = self._versions.read_current_file(participation.study).consent_version
        if participation.consent not in (None, current_consent_version):
            return f"consent-{current_consent_version}"
        return study_version.steps[participation.step]

    async def show_page(self, participation: Participation) -> Json:
        """Return what the page of a participation shows. Raises `Refusal`."""
        study_version = self._versions.get_version(participation.study, participation.version)
        study, step_names = study_version.study, study_version.steps
        shown_step: Json | None = None
        if not participation.is_over:
            step_name = self.find_current_step(participation, study_version)
            shown_step = {"id": step_name, **await self._describe_step(step_name, participation, study_version)}
            participation = self._records.require_participation(participation.id)  # without a game left it has gone on
        if participation.is_over:
            shown_step = {"id": "end", "kind": "end", **self._describe_ending(participation, study)}
        viewport = {} if participation.is_over else {"minimum_viewport": study.minimum_viewport}
        return {
            "title": study.title,
            "contact": study.contact,
            **(viewport if participation.consent is None and study.minimum_viewport else {}),
            "progress": participation.step / (len(step_names) - 1),
            "is_over": participation.is_over,
            "step": shown_step,
        }

    async def _describe_step(self, step_name: str, participation: Participation, study_version: StudyVersion) -> Json:
        step_kind = step_name.partition("-")[0]
        if step_name.startswith("consent-"):
            return {**describe_consent(self._versions.read_current_file(participation.study)), "again": True}
        if (page_json := describe_page(step_name, study_version, self._context.registry)) is not None:
            if step_kind == "debriefing" and study_version.study.hidden_partner:
                return {**page_json, "partners": self._games.list_partners(participation)}
            if step_kind != "rules":
                return page_json
            used_attempts = self._records.count_attempts(participation.id, step_name)
            attempts_left = study_version.study.rules.attempts - used_attempts
            return {**page_json, "attempt": used_attempts + 1, "attempts_left": attempts_left}
        if step_kind == "practice":
            return await self._describe_practice(int(step_name.partition("-")[2]), participation, study_version)
        return await self._describe_game(int(step_name.partition("-")[2]), participation, study_version)

    def _describe_ending(self, participation: Participation, study: Study) -> Json:
        ending_state = (
            participation.reason
            if participation.state == "turned_away" and participation.reason
            else participation.state
        )
        end_json = {"state": ending_state, "code": getattr(study.ends, ending_state, "")}
        if ending_state == "withdrawn":
            has_answers = bool(self._records.list_answers(participation.id))
            end_json["text"] = describe_withdrawal(study, has_answers=has_answers)
        return end_json

    async def _describe_practice(
        self, practice_number: int, participation: Participation, version: StudyVersion
    ) -> Json:
        game_json: Json = {"number": practice_number, "of": version.study.games.practice, "practice": True}
        game = self._games.find_game(participation, compute_practice_position(practice_number))
        if game is None:
            if not await self._games.open_practice(practice_number, participation, version):
                await self._context.write(
                    lambda: self._records.update_participation(participation.id, step=version.steps.index("game-1"))
                )
                return await self._show_next_step(participation)
            game = self._games.find_game(participation, compute_practice_position(practice_number))
        assert game is not None and game.episode is not None
        if game.state in OPEN_GAME_STATES:
            game = await self._games.record_game_end(game)
        if game.state in OPEN_GAME_STATES and game.episode:
            seat_link = self._context.links.seats(game.episode)[game.seat]
            return {"kind": "game", **game_json, "url": f"/table?seat={seat_link.seat_id}"}
        return {"kind": "result", **game_json, "counts": True}

    async def store_answers(
        self, step_name: str, answers: Json, participation: Participation, version: StudyVersion, attempt: int | None
    ) -> None:
        """Take what somebody answered at a step. Raises `Refusal`."""
        step_kind = step_name.partition("-")[0]
        if step_name == "consent":
            await self._record_consent(answers, participation, version.study)
        elif step_kind == "consent":
            await self._record_changed_consent(answers, participation)
        elif step_kind == "survey":
            checked_answers = _check_answers(version.list_questions(step_name), answers)
            await self._advance_participation(participation, version, step_name, checked_answers)
        elif step_kind == "rules":
            await self._record_rules_answers(answers, participation, version, attempt)
        elif step_kind == "debriefing":
            await self._advance_participation(participation, version, step_name, {})
        else:
            game_number = int(step_name.partition("-")[2])
            game_position = compute_practice_position(game_number) if step_kind == "practice" else game_number
            game = self._games.find_game(participation, game_position)
            if game is None and step_kind == "game":
                await self._games.pairs.press_ready_button(participation, version)
            elif game is not None and game.state not in OPEN_GAME_STATES:
                await self._finish_game(step_name, participation, version)

    async def _finish_game(self, step_name: str, participation: Participation, study_version: StudyVersion) -> None:
        if self._games.keeps_failing(participation):
            await self._context.write(self._records.end, participation.id, "turned_away", "technical_fault")
        else:
            await self._advance_participation(participation, study_version, step_name, {})

    async def _record_consent(self, answers: Json, participation: Participation, study: Study) -> None:
        write = self._context.write
        if answers.get("too_small") is True and study.minimum_viewport:
            await write(self._records.end, participation.id, "turned_away", "wrong_device")
        elif answers.get("agree") is True:
            consent_facts = {"version": study.consent_version, "agree": True}
            participation_changes = {"consent": study.consent_version, "step": participation.step + 1}
            await write(
                lambda: self._records.add_answer(participation.id, "consent", 1, consent_facts, **participation_changes)
            )
        elif answers.get("agree") is False:
            await write(self._records.end, participation.id, "declined")
        else:
            raise Refusal(422, "Please agree or decline.")

    async def _record_changed_consent(self, answers: Json, participation: Participation) -> None:
        """Go on under the present consent, or withdraw; what was played until then stays."""
        if answers.get("agree") is True:
            consent_version = self._versions.read_current_file(participation.study).consent_version
            attempt_number = 1 + self._records.count_attempts(participation.id, "consent")
            consent_facts = {"version": consent_version, "agree": True}
            await self._context.write(
                lambda: self._records.add_answer(
                    participation.id, "consent", attempt_number, consent_facts, consent=consent_version
                )
            )
        elif answers.get("agree") is False:
            await self._games.abandon_games(participation, "withdrawn")
            await self._context.write(self._records.withdraw_participation, participation.id)
        else:
            raise Refusal(422, "Please agree or decline.")

    async def _record_rules_answers(
        self, answers: Json, participation: Participation, study_version: StudyVersion, attempt: int | None
    ) -> None:
        questions = study_version.study.rules.questions
        checked_answers = _check_answers(questions, answers)
        failed_questions = [question for question in questions if question.is_failed(checked_answers[question.name])]
        if not failed_questions:
            await self._advance_participation(participation, study_version, "rules", checked_answers)
            return
        run_write, used_attempts = self._context.write, self._records.count_attempts(participation.id, "rules")
        if attempt is None or attempt > used_attempts:  # otherwise it came before, and the reply was lost
            used_attempts += 1
            await run_write(self._records.add_answer, participation.id, "rules", used_attempts, checked_answers)
        if used_attempts >= study_version.study.rules.attempts:
            await run_write(self._records.end, participation.id, "screened_out", "rules not understood")
            return
        raise Refusal(
            422,
            "Not all answers are right. Please read the rules again.",
            " ".join(f"“{question.text}”" for question in failed_questions),
        )

    async def _advance_participation(
        self, participation: Participation, study_version: StudyVersion, step_name: str, answers: Json
    ) -> None:
        """Store the answers of a step and go to the next one; the last step ends the participation."""
        step_names = study_version.steps
        next_index = participation.step + 1
        if step_name.startswith("game-") and self._games.is_shortened(participation, study_version):
            next_index = study_version.step_after_games
        attempt_number = 1 + self._records.count_attempts(participation.id, step_name)

        def store_step() -> None:
            self._records.add_answer(participation.id, step_name, attempt_number, answers, step=next_index)
            if step_names[next_index] == "end":
                self._records.end(participation.id, "completed")

        await self._context.write(store_step)

    async def _describe_game(self, game_number: int, participation: Participation, study_version: StudyVersion) -> Json:
        game = self._games.find_game(participation, game_number)
        if game is None:
            game = await self._games.deal_game(game_number, participation, study_version)
        game_json: Json = {"number": game_number, "of": study_version.study.games.count}
        if game is None:
            if not self._games.list_candidates(study_version, participation):
                await self._context.write(self._games.pairs.queue.leave_queue, participation.id)
                await self._skip_games(participation, study_version)
                return await self._show_next_step(participation)
            if ready_step := self._games.pairs.describe_ready_check(participation):
                return ready_step | game_json
            plays_with_programs = participation.id in self._games.pairs.solo_games
            if not plays_with_programs and self._games.has_waited_enough(
                participation, game_number, study_version.study
            ):
                return await self._stop_waiting(game_number, participation, study_version)
            is_hidden, max_wait_seconds = study_version.study.hidden_partner, study_version.study.waiting.seconds
            waited_ms = (
                self._games.pairs.measure_waiting_ms(participation, game_number) if is_hidden else participation.waited
            )
            return {"kind": "waiting", **game_json, "seconds": waited_ms // 1000, "limit": max_wait_seconds}
        if game.state in OPEN_GAME_STATES:
            game = await self._games.record_game_end(game)
        if game.state in OPEN_GAME_STATES and game.episode:
            seat_link = self._context.links.seats(game.episode)[game.seat]
            return {"kind": "game", **game_json, "url": f"/table?seat={seat_link.seat_id}"}
        shown_ending = (
            SHOWN_STATE_BY_GAME_STATE.get(game.state, game.state) if study_version.study.hidden_partner else game.state
        )
        return {
            "kind": "result",
            **game_json,
            "counts": shown_ending == "counts",
            "ending": shown_ending,
            **self._games.make_feedback(game, study_version.study),
        }

    async def _show_next_step(self, participation: Participation) -> Json:
        step_json: Json = (await self.show_page(self._records.require_participation(participation.id)))["step"]
        return step_json

    async def _skip_games(self, participation: Participation, study_version: StudyVersion) -> None:
        """Go on after the games where there is none left for this person; without any game the study is full."""
        steps = study_version.steps
        if not self._records.list_games(participation.id):
            await self._context.write(self._records.end, participation.id, "turned_away", "full")
            return
        next_index = study_version.step_after_games

        def store_step() -> None:
            self._records.record_action(
                participation.study, participation.id, "shortened", {"step": steps[participation.step]}
            )
            self._records.update_participation(participation.id, step=next_index)
            if steps[next_index] == "end":
                self._records.end(participation.id, "completed")

        await self._context.write(store_step)

    async def _stop_waiting(self, game_number: int, participation: Participation, version: StudyVersion) -> Json:
        """Seat the program of the study file opposite a person who has waited long enough, or end the participation."""
        if not await self._games.open_with_program(game_number, participation, version):
            games = self._records.list_games(participation.id)
            end_reason = "partner_left" if games and games[-1].state == "partner left" else "no_partner"
            await self._context.write(self._records.end, participation.id, "turned_away", end_reason)
            await self._context.write(self._games.pairs.queue.leave_queue, participation.id)
            return await self._show_next_step(participation)
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
