"""A simulated participant: arrives by the link, answers every step, plays, and does what people do.

Some make mistakes, reload, or go on in another browser; some decline, are screened out, leave or withdraw.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from cli.study.rehearsal.browser import FIRST_PAUSE, CannotContinue, SimulatedBrowser, receive_message
from cli.study.rehearsal.figures import Figures
from cli.study.rehearsal.form_filling import fill_form
from engine.core.events import Json
from engine.studies.study_file import Study

SILENT_SECONDS = 120.0
"""How long a game may say nothing, on top of the study's own time for people who are away."""
MAX_FILLINGS = 20
"""How often a form is filled in anew when the game refuses what was written."""


class Intention(StrEnum):
    """How a simulated participant means to end."""

    FINISH = "finish"
    DECLINE = "decline"
    MISUNDERSTAND = "misunderstand"
    LEAVE = "leave"
    WITHDRAW = "withdraw"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Pace:
    """Mean seconds of thinking about a page and a move, and between looks whether a partner is there."""

    page_seconds: float
    move_seconds: float
    poll_seconds: float

    def sample_thinking_seconds(self, median_seconds: float, random_generator: random.Random) -> float:
        """Return seconds of thinking: most near the median, some much longer."""
        return random_generator.lognormvariate(0, 0.6) * median_seconds if median_seconds else 0.0


PACE_BY_NAME = {"fast": Pace(0, 0, 0.5), "human": Pace(8, 12, 2)}


@dataclass(frozen=True, slots=True)
class ParticipantPlan:
    """What a participant does. `game` is the game (from 1) in which they leave or withdraw; shares are of 1."""

    intention: Intention
    last_game: int
    moves_before_leaving: int
    """Moves in that game before they leave or withdraw; none: before they open it."""
    makes_mistakes: bool
    switching_game: int | None
    """The game before which they go on in another browser."""
    reload_probability: float
    """How likely they reload a page."""


class Participant:
    """One simulated participant. `run` returns when nothing more is asked, or when they leave."""

    def __init__(
        self,
        prolific_id: str,
        participant_plan: ParticipantPlan,
        study: Study,
        pace: Pace,
        open_browser: Callable[[], SimulatedBrowser],
        figures: Figures,
        random_generator: random.Random,
    ) -> None:
        self.plan, self.progress, self.ending = participant_plan, 0.0, ""
        self._arrival_path = f"/study/{study.name}?PROLIFIC_PID={prolific_id}&STUDY_ID=rehearsal&SESSION_ID=rehearsal"
        self._study, self._thinking_pace, self._open_browser = study, pace, open_browser
        self._figures, self._rng = figures, random_generator
        self._browser = open_browser()
        self._earlier_browsers: list[SimulatedBrowser] = []
        self._id = ""
        self._answered_step_ids: set[str] = set()
        self._has_switched_browser = False
        self.place = "arrives"
        """What they are doing, for the message if they never end."""

    async def take_part_in_study(self) -> None:
        """Take part. `ending` is then the state that the last page names, or "left". Raises `CannotContinue`."""
        page = await self._open_study()
        while not page["is_over"]:
            self.progress, current_step = page["progress"], page["step"]
            self.place = f"is at {current_step['id']} ({current_step['kind']})"
            self._check_new_step(current_step)
            await self._pause_to_think(self._thinking_pace.page_seconds)
            if self._rng.random() < self.plan.reload_probability:
                page = await self._reload_page()
                self._check_same_step(current_step, page)
                if page["step"] != current_step:
                    continue
            if self._is_last_game(current_step) and not self.plan.moves_before_leaving:
                return await self._leave_study()
            page = await self._take_step(current_step)
            if not page:
                return None
        self.progress, self.ending = 1.0, page["step"]["state"]
        return None

    async def close(self) -> None:
        """Close all browsers."""
        for browser in (self._browser, *self._earlier_browsers):
            await browser.close()

    async def _open_study(self) -> Json:
        response = await self._browser.get_path(self._arrival_path)
        redirect_path = response.headers.get("location", "")
        if response.status_code != 303 or not redirect_path.startswith("/participate?id="):
            raise CannotContinue(f"the link was answered {response.status_code}")
        self._id = redirect_path.removeprefix("/participate?id=")
        return await self._reload_page()

    async def _reload_page(self) -> Json:
        """Load the page of the participation anew; return what it shows."""
        await self._browser.get_path(f"/participate?id={self._id}")
        return await self._show_page()

    async def _show_page(self) -> Json:
        response = await self._browser.get_path(f"/api/participation?id={self._id}")
        if response.status_code != 200:
            raise CannotContinue(f"the page was refused: {response.status_code} {response.json().get('error')}")
        page: Json = response.json()
        return page

    def _check_new_step(self, step: Json) -> None:
        if step["id"] in self._answered_step_ids:
            self._figures.error_counts[f"{step['id']} was asked again after it was answered"] += 1

    def _check_same_step(self, step: Json, page: Json) -> None:
        if page["step"]["id"] != step["id"] and not step["id"].startswith("game-"):
            self._figures.error_counts[f"a reload led from {step['id']} to {page['step']['id']}"] += 1

    async def _pause_to_think(self, median_seconds: float) -> None:
        if median_seconds:
            await asyncio.sleep(self._thinking_pace.sample_thinking_seconds(median_seconds, self._rng))

    # ------------------------------------------------------------------ steps
    async def _take_step(self, step: Json) -> Json:
        """Do what a step asks; return what the page shows then, {} if the participant has left."""
        kind = step["kind"]
        if kind == "consent":
            return await self._answer_step(step, {"agree": self.plan.intention is not Intention.DECLINE})
        if kind == "survey":
            if self.plan.makes_mistakes and not all(question["optional"] for question in step["questions"]):
                await self._answer_step(step, {}, is_refused=True)
            return await self._answer_step(
                step, {question["name"]: self._answer_question(question) for question in step["questions"]}
            )
        if kind == "rules":
            return await self._answer_rule_questions(step)
        if kind == "waiting":
            await asyncio.sleep(self._thinking_pace.poll_seconds)
            return await self._show_page()
        if kind in ("ready", "missed"):  # a button, which may have to be pressed again: a partner comes or does not
            await self._browser.post_json("/api/participation", {"id": self._id, "step": step["id"], "answers": {}})
            await asyncio.sleep(self._thinking_pace.poll_seconds)
            return await self._show_page()
        if kind == "game":
            return await self._take_game_step(step)
        return await self._answer_step(step, {})

    async def _answer_step(self, step: Json, answers: Json, *, is_refused: bool = False) -> Json:
        """Answer a step; return what the page shows then. `is_refused`: whether the server should ask again."""
        request_body = {"id": self._id, "step": step["id"], "answers": answers}
        if step["kind"] == "rules":
            request_body["attempt"] = step["attempt"]
        response = await self._browser.post_json("/api/participation", request_body)
        if is_refused and response.status_code == 422:
            return await self._show_page()
        if response.status_code != 200:
            raise CannotContinue(f"{step['id']} was answered {response.status_code}: {response.json().get('error')}")
        page: Json = response.json()
        if is_refused and not page["is_over"]:
            self._figures.error_counts[f"a mistake at {step['id']} was accepted"] += 1
        if page["step"]["id"] == step["id"]:
            self._figures.error_counts[f"{step['id']} was asked again after it was answered"] += 1
        self._answered_step_ids.add(step["id"])
        return page

    async def _answer_rule_questions(self, step: Json) -> Json:
        right_answers = {question.name: question.right[0] for question in self._study.rules.questions}
        wrong_answers = {
            question.name: next(option for option in question.options if option not in question.right)
            for question in self._study.rules.questions
        }
        if wrong_answers and self.plan.intention is Intention.MISUNDERSTAND:
            return await self._answer_step(step, wrong_answers, is_refused=True)
        if wrong_answers and self.plan.makes_mistakes and step["attempt"] == 1 and step["attempts_left"] > 1:
            return await self._answer_step(step, wrong_answers, is_refused=True)
        return await self._answer_step(step, right_answers)

    def _answer_question(self, question: Json) -> Any:
        if question["optional"] and self._rng.random() < 0.3:
            return None
        question_kind = question["kind"]
        if question_kind == "choice":
            return self._rng.choice(question["options"])
        if question_kind == "choices":
            return self._rng.sample(question["options"], self._rng.randint(1, len(question["options"])))
        if question_kind == "scale":
            return self._rng.randint(int(question["low"]), int(question["high"]))
        return self._rng.randint(18, 80) if question_kind == "number" else "I looked for what stood out."

    # ------------------------------------------------------------------ games
    def _is_last_game(self, step: Json) -> bool:
        """Return whether this is the game in which they leave or withdraw."""
        is_leaving = self.plan.intention in (Intention.LEAVE, Intention.WITHDRAW, Intention.DELETE)
        is_scored_game = step["kind"] == "game" and not step.get("practice")
        return is_leaving and is_scored_game and bool(step["number"] >= self.plan.last_game)

    async def _leave_study(self) -> None:
        """Leave without a word, or withdraw."""
        if self.plan.intention is Intention.LEAVE:
            self.ending = "left"
            return
        request_body = {"id": self._id, "delete": self.plan.intention is Intention.DELETE}
        response = await self._browser.post_json("/api/participation/withdraw", request_body)
        if response.status_code != 200:
            raise CannotContinue(f"withdrawing was answered {response.status_code}")
        self.ending = response.json()["step"]["state"]

    async def _take_game_step(self, step: Json) -> Json:
        if self.plan.switching_game == step["number"] and not self._has_switched_browser:
            self._has_switched_browser = True
            earlier_browser, self._browser = self._browser, self._open_browser()
            self._earlier_browsers.append(earlier_browser)
            page = await self._open_study()
            refusal = await earlier_browser.get_path(f"/api/participation?id={self._id}")
            if refusal.status_code != 403:
                self._figures.error_counts[f"the earlier browser of a participant got {refusal.status_code}"] += 1
            return page
        if await self._play_game(step):
            page = await self._reload_page()
            if page["is_over"] or not self._is_last_game(step):  # it may end before the move at which they meant to go
                return page
        await self._leave_study()
        return {}

    async def _play_game(self, step: Json) -> bool:
        """Play a game to its end; return False if the participant goes in the middle of it."""
        await self._browser.get_path(step["url"])
        seat = step["url"].removeprefix("/table?seat=")
        moves_left = self.plan.moves_before_leaving if self._is_last_game(step) else None
        answered_asks: set[tuple[int, int]] = set()
        pause_seconds, silent_since = FIRST_PAUSE, time.monotonic()
        while True:
            server_run_number = self._browser.server.run_number
            try:
                async with self._browser.open_seat_socket(seat) as socket:
                    table_state: dict[str, Any] = {}
                    while True:
                        await receive_message(socket, table_state, self._silence_limit_seconds)
                        pause_seconds, silent_since = FIRST_PAUSE, time.monotonic()
                        if table_state.get("outcome"):
                            return True
                        open_ask = table_state.get("ask")
                        if not open_ask or (open_ask["id"], open_ask["reminders"]) in answered_asks:
                            continue
                        if moves_left == 0:
                            return False
                        await self._pause_to_think(self._thinking_pace.move_seconds)
                        await self._send_move(seat, open_ask)
                        answered_asks.add((open_ask["id"], open_ask["reminders"]))
                        moves_left = moves_left and moves_left - 1
                        if self._rng.random() < self.plan.reload_probability:
                            await self._browser.get_path(step["url"])
                            break
            except InvalidHandshake as error:
                was_cut_off = self._browser.server.was_cut_off(server_run_number)
                if await self._is_seat_gone(seat):
                    return True
                if not was_cut_off and "503" not in str(error):
                    self._figures.error_counts[f"the socket of a seat: {error}"] += 1
            except (OSError, EOFError, ConnectionClosed):
                if await self._is_seat_gone(seat):
                    return True
            if time.monotonic() - silent_since > self._silence_limit_seconds:
                raise CannotContinue("the socket of a seat did not open")
            await asyncio.sleep(pause_seconds * self._rng.uniform(0.8, 1.2))
            pause_seconds = min(2 * pause_seconds, 5)

    @property
    def _silence_limit_seconds(self) -> float:
        """Seconds after which a game that says nothing is taken for stuck: a partner may be away for a while."""
        return self._study.hold_minutes * 60 + SILENT_SECONDS

    async def _is_seat_gone(self, seat: str) -> bool:
        return (await self._browser.get_path(f"/api/access?seat={seat}", None)).status_code in (403, 404)

    async def _send_move(self, seat: str, open_ask: Json) -> None:
        for _ in range(MAX_FILLINGS):
            response = await self._browser.send_move(seat, open_ask["id"], fill_form(open_ask["form"], self._rng))
            if response.status_code in (200, 409, 403, 404):  # taken, or the game ended meanwhile
                return
            if response.status_code != 422:
                break
        raise CannotContinue(f"a move was answered {response.status_code}: {response.json().get('error')}")
