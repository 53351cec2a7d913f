"""Studies on this server: what each participant is shown next, and the games they are dealt.

A participation goes through the steps of its version of the study, one at a time. Its state is in the database, so a
reload, a restart or another browser leads back to the same step. Time in which the server is down counts for nobody.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from engine.core.events import Ending, Json, digest
from engine.play.plans import build_item_start
from engine.play.registry import Registry
from engine.storage.database import StoreError
from engine.storage.episode_row import EpisodeRow, Status
from engine.storage.ids import now_ms
from engine.storage.seat_links import OWNER
from engine.storage.study_records import (
    OPEN_GAMES,
    CellTaken,
    IdentifierStore,
    Participation,
    StudyGame,
    StudyRecords,
    identifier_file,
)
from engine.studies.cells import Cell, CellCounts, choose_cell, open_cells
from engine.studies.study_file import PARTICIPANT, BadStudy, Study, question_json
from engine.studies.version import StudyVersion, is_of_games, link_key, load_version
from ui.live.context import ServerContext
from ui.live.facts import log_fact
from ui.live.offers import PERSON
from ui.live.refusal import Refusal
from ui.live.tables import Tables

log = logging.getLogger("ludens.live")

Remove = Callable[[Sequence[str]], Awaitable[object]]
"""Removes whole games from the log."""
LISTENING = 6.0
"""Seconds after its last request for which a waiting page counts as there; a page asks every two."""
SWEEP = 5.0
SEEN_EVERY = 5_000
"""Milliseconds after which it is stored again that somebody is there."""


class Studies:
    """All studies of one server."""

    def __init__(self, context: ServerContext, tables: Tables, *, remove: Remove, version: str) -> None:
        self._context, self._tables, self._version = context, tables, version
        self._remove_episodes = remove
        self.records = StudyRecords(context.reader, context.writer)
        context.study_pages = self._pages_of_seats
        self._versions: dict[tuple[str, str], StudyVersion] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._waiting: dict[str, dict[str, float]] = {}
        """By study: waiting participations, in the order in which they came, each with its latest request."""
        self._identifiers: IdentifierStore | None = None

    @property
    def _registry(self) -> Registry:
        return self._context.registry

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
        if self.records.names():
            self._context.write_later(self.records.touch_all)
        self._context.run_every(SWEEP, self._sweep)

    def version(self, name: str, version: str | None = None) -> StudyVersion:
        """Return a version of a study, by default the present one. Raises `StoreError`, `BadStudy`."""
        row = self.records.study(name, version)
        key = name, row.version
        if key not in self._versions:
            self._versions[key] = load_version(row, self._registry)
        return self._versions[key]

    def has_open_labels(self, name: str) -> bool:
        """Return whether a study takes unsigned labels of participants. Raises `Refusal` without such a study."""
        try:
            return self.version(name).study.open_labels
        except StoreError:
            raise Refusal(404, "There is no such study.") from None

    def link_key(self, name: str, label: str) -> str:
        """Return what signs the personal link of a label."""
        return link_key(self._context.writer.secret("studies"), name, label)

    # ------------------------------------------------------------------ arriving
    async def arrive(self, name: str, browser: str, identifier: tuple[str, str] | None, details: Json) -> str:
        """Return the id of the participation of a browser, or of the person with an identifier (kind, value).

        A person who comes again continues, in this browser from now on. Raises `Refusal`.
        """
        try:
            row, version = self.records.study(name), self.version(name)
        except StoreError:
            raise Refusal(404, "There is no such study.") from None
        except BadStudy as error:
            log.warning("study %s: %s", name, error)
            raise Refusal(503, "This study cannot be used at the moment.") from None
        async with self._lock(name):
            earlier = self._find_known(name, browser, identifier)
            if earlier is not None:
                await self._continue(earlier, browser)
                return earlier.id
            if row.state in ("draft", "paused", "closed"):
                raise Refusal(403, "This study is not open at the moment.", "Please return your submission.")
            write = self._context.write
            id_: str = await write(
                lambda: self.records.begin(name, row.version, browser, is_pilot=row.state == "pilot")
            )
            if identifier:
                await write(self.identifiers.add, name, *identifier, id_, details)
            if not self._candidates(version, None):
                await write(self.records.end, id_, "turned_away", "full")
        log_fact("participant arrived", study=name)
        return id_

    def _find_known(self, name: str, browser: str, identifier: tuple[str, str] | None) -> Participation | None:
        if identifier is None:
            return self.records.of_browser(browser, name)
        id_ = self.identifiers.find(name, *identifier)
        return self.records.participation(id_) if id_ else None

    async def _continue(self, participation: Participation, browser: str) -> None:
        """Let a participation go on in a browser; the browser that had it before shows that it is elsewhere."""
        if participation.browser != browser:
            await self._context.write(self._move, participation, browser)
            for game in self.records.games(participation.id):
                if game.episode and (table := self._tables.live.get(game.episode)):
                    table.pages.disconnect_seat(game.seat)

    def _move(self, participation: Participation, browser: str) -> None:
        self.records.update(participation.id, browser=browser)
        self.records.note(participation.study, participation.id, "moved", {})
        for game in self.records.games(participation.id):
            if game.episode and game.state in OPEN_GAMES:
                link = self._context.links.seats(game.episode)[game.seat]
                self._context.links.move_seat(link.seat_id, browser)

    def require_own(self, id_: str, browser: str | None) -> Participation:
        """Return a participation of a browser. Raises `Refusal`."""
        participation = self.records.participation(id_)
        if participation is None:
            raise Refusal(404, "There is no such participation.")
        if participation.browser != browser:
            raise Refusal(403, "This study is continued in another window.", "Open its link again to go on here.")
        return participation

    # ------------------------------------------------------------------ what a page shows
    async def show(self, id_: str, browser: str | None) -> Json:
        """Return what the page of a participation shows now. Raises `Refusal`."""
        participation = self.require_own(id_, browser)
        async with self._lock(participation.study):
            participation = await self._note_presence(self.require_own(id_, browser))
            return await self._show(participation)

    async def _show(self, participation: Participation) -> Json:
        version = self.version(participation.study, participation.version)
        study, steps = version.study, version.steps
        page: Json = {
            "title": study.title,
            "contact": study.contact,
            "progress": participation.step / (len(steps) - 1),
            "is_over": participation.is_over,
        }
        if participation.is_over:
            return page | {"step": {"id": "end", "kind": "end", **self._ending(participation, study)}}
        step = steps[participation.step]
        return page | {"step": {"id": step, **await self._describe(step, participation, version)}}

    async def _describe(self, step: str, participation: Participation, version: StudyVersion) -> Json:
        study = version.study
        kind = step.partition("-")[0]
        if kind == "consent":
            facts = {
                name: getattr(study, name) for name in ("controller", "legal_basis", "ethics", "disclosure", "minutes")
            }
            consent = {"text": study.consent.text, "agree": study.consent.agree, "until": study.retention.isoformat()}
            return {"kind": "consent", **facts, **consent}
        if kind == "survey":
            _, when, index, *_ = step.split("-")
            survey = study.surveys_at(when)[int(index)]
            return {
                "kind": "survey",
                "title": survey.title,
                "questions": [question_json(q) for q in survey.all_questions],
            }
        if kind == "rules":
            used = len([entry for entry in self.records.answers(participation.id) if entry[0] == "rules"])
            return {
                "kind": "rules",
                "games": self._rules(version),
                "count": study.games.count,
                "questions": [question_json(question) for question in study.rules.questions],
                "attempts_left": study.rules.attempts - used,
            }
        if kind == "debriefing":
            return {"kind": "debriefing", "text": study.debriefing}
        return await self._describe_game(int(step.partition("-")[2]), participation, version)

    def _rules(self, version: StudyVersion) -> list[Json]:
        """Return the rules of every game and variant that this study deals."""
        rules: dict[tuple[str, str], Json] = {}
        for cell in version.cells:
            game = self._registry.game(cell.item.game)
            variant = game.variant(cell.item.variant)
            rules[game.name, variant.name] = {
                "game": game.name,
                "variant": variant.name,
                "title": game.title,
                "rules": [*game.rules, *variant.rules],
            }
        return list(rules.values())

    def _ending(self, participation: Participation, study: Study) -> Json:
        state = (
            participation.reason
            if participation.state == "turned_away" and participation.reason
            else participation.state
        )
        return {"state": state, "code": getattr(study.ends, state, "")}

    # ------------------------------------------------------------------ answers
    async def answer(self, id_: str, browser: str | None, step: str, answers: Json) -> Json:
        """Take what a participant answered at a step; return what the page shows next. Raises `Refusal`.

        An answer to a step that is not the present one changes nothing: it was sent twice.
        """
        participation = self.require_own(id_, browser)
        async with self._lock(participation.study):
            participation = await self._note_presence(self.require_own(id_, browser))
            version = self.version(participation.study, participation.version)
            if not participation.is_over and version.steps[participation.step] == step:
                await self._take(step, answers, participation, version)
            return await self._show(self.require_own(id_, browser))

    async def _take(self, step: str, answers: Json, participation: Participation, version: StudyVersion) -> None:
        kind = step.partition("-")[0]
        if kind == "consent":
            await self._take_consent(answers, participation, version.study)
        elif kind == "survey":
            checked = _check_answers(version.questions(step), answers)
            await self._advance(participation, version, step, checked)
        elif kind == "rules":
            await self._take_rules(answers, participation, version)
        elif kind == "debriefing":
            await self._advance(participation, version, step, {})
        else:
            game = self._game_at(participation, int(step.partition("-")[2]))
            if game is not None and game.state not in OPEN_GAMES:
                await self._advance(participation, version, step, {})

    async def _take_consent(self, answers: Json, participation: Participation, study: Study) -> None:
        write = self._context.write
        if answers.get("agree") is True:
            facts = {"version": study.consent_version, "agree": True}
            change = {"consent": study.consent_version, "step": participation.step + 1}
            await write(lambda: self.records.add_answer(participation.id, "consent", 1, facts, **change))
        elif answers.get("agree") is False:
            await write(self.records.end, participation.id, "declined")
        else:
            raise Refusal(422, "Please agree or decline.")

    async def _take_rules(self, answers: Json, participation: Participation, version: StudyVersion) -> None:
        questions = version.study.rules.questions
        checked = _check_answers(questions, answers)
        wrong = [question for question in questions if question.is_failed(checked[question.name])]
        if not wrong:
            await self._advance(participation, version, "rules", checked)
            return
        attempt = 1 + len([entry for entry in self.records.answers(participation.id) if entry[0] == "rules"])
        write = self._context.write
        await write(self.records.add_answer, participation.id, "rules", attempt, checked)
        if attempt >= version.study.rules.attempts:
            await write(self.records.end, participation.id, "screened_out", "rules not understood")
            return
        raise Refusal(
            422,
            "Not all answers are right. Please read the rules again.",
            " ".join(f"“{question.text}”" for question in wrong),
        )

    async def _advance(self, participation: Participation, version: StudyVersion, step: str, answers: Json) -> None:
        """Store the answers of a step and go to the next one; the last step ends the participation."""
        steps = version.steps
        following = participation.step + 1
        if step.startswith("game-") and self._is_shortened(participation, version):
            following = next(i for i, name in enumerate(steps) if i > participation.step and not is_of_games(name))
        attempt = 1 + len([entry for entry in self.records.answers(participation.id) if entry[0] == step])

        def store() -> None:
            self.records.add_answer(participation.id, step, attempt, answers, step=following)
            if steps[following] == "end":
                self.records.end(participation.id, "completed")

        await self._context.write(store)

    def _is_shortened(self, participation: Participation, version: StudyVersion) -> bool:
        """Return whether there is no further game for a person who has not played all."""
        games = self.records.games(participation.id)
        return len(games) < version.study.games.count and not self._candidates(version, participation)

    # ------------------------------------------------------------------ games
    def _game_at(self, participation: Participation, number: int) -> StudyGame | None:
        return next((game for game in self.records.games(participation.id) if game.position == number), None)

    def _counts(self, study: str) -> dict[str, CellCounts]:
        return {cell: CellCounts(*counts) for cell, counts in self.records.cell_counts(study).items()}

    def _candidates(self, version: StudyVersion, participation: Participation | None) -> list[Cell]:
        """Return the cells that a person may be dealt now."""
        met = self._met(participation, version) if participation else set()
        return open_cells(version.cells, self._counts(version.study.name), met)

    def _met(self, participation: Participation, version: StudyVersion) -> set[str]:
        """Return what a person has met: in this study, and of whole instances in any game of this browser."""
        met = set(self._context.links.exposures(participation.browser))
        for game in self.records.games(participation.id):
            if cell := version.cell(game.cell):
                met |= cell.stimuli
        return met

    async def _describe_game(self, number: int, participation: Participation, version: StudyVersion) -> Json:
        game = self._game_at(participation, number)
        if game is None:
            game = await self._deal(number, participation, version)
        about: Json = {"number": number, "of": version.study.games.count}
        if game is None:
            if not self._candidates(version, participation):
                await self._skip_games(participation, version)
                return await self._next_step(participation)
            if participation.waited > version.study.waiting.seconds * 1000:
                return await self._stop_waiting(number, participation, version)
            limit = version.study.waiting.seconds
            return {"kind": "waiting", **about, "seconds": participation.waited // 1000, "limit": limit}
        if game.state in OPEN_GAMES:
            game = await self._settle(game)
        if game.state in OPEN_GAMES and game.episode:
            link = self._context.links.seats(game.episode)[game.seat]
            return {"kind": "game", **about, "url": f"/table?seat={link.seat_id}"}
        return {"kind": "result", **about, "counts": game.state == "counts", **self._feedback(game, version.study)}

    async def _next_step(self, participation: Participation) -> Json:
        step: Json = (await self._show(self._again(participation.id)))["step"]
        return step

    def _again(self, id_: str) -> Participation:
        participation = self.records.participation(id_)
        assert participation is not None
        return participation

    async def _skip_games(self, participation: Participation, version: StudyVersion) -> None:
        """Go on after the games where there is none left for this person; without any game the study is full."""
        steps = version.steps
        if not self.records.games(participation.id):
            await self._context.write(self.records.end, participation.id, "turned_away", "full")
            return
        following = next(i for i, name in enumerate(steps) if i > participation.step and not is_of_games(name))

        def store() -> None:
            self.records.note(participation.study, participation.id, "shortened", {"step": steps[participation.step]})
            self.records.update(participation.id, step=following)
            if steps[following] == "end":
                self.records.end(participation.id, "completed")

        await self._context.write(store)

    async def _stop_waiting(self, number: int, participation: Participation, version: StudyVersion) -> Json:
        """Seat the program of the study file opposite a person who has waited long enough, or end the participation."""
        program = version.study.waiting.program
        self._waiting.get(participation.study, {}).pop(participation.id, None)
        if program is None:
            await self._context.write(self.records.end, participation.id, "turned_away", "no_partner")
            return await self._next_step(participation)
        candidates = self._candidates(version, participation)
        cell = random.Random(f"{participation.seed}/{number}").choice(candidates)
        seats = dict(cell.seats) | {str(cell.partner_seat): self._registry.resolve(program)}
        await self._open([(participation, number, cell)], seats, fills=False)
        return await self._describe_game(number, self._again(participation.id), version)

    def _feedback(self, game: StudyGame, study: Study) -> Json:
        if study.games.feedback == "none" or game.episode is None:
            return {}
        row = self._context.reader.episode(game.episode)
        score = (row.scores or {}).get("main_score") if game.state == "counts" else None
        link = self._context.links.seats(game.episode).get(game.seat)
        is_full = study.games.feedback == "full" and link is not None
        return {"score": score, "url": f"/table?seat={link.seat_id}" if is_full and link else None}

    async def _deal(self, number: int, participation: Participation, version: StudyVersion) -> StudyGame | None:
        """Deal the next game; None while a partner is awaited or nothing is left."""
        candidates = self._candidates(version, participation)
        games = self.records.games(participation.id)
        dealt = [cell for game in games if (cell := version.cell(game.cell))]
        draw = random.Random(f"{version.study.seed}/{participation.seed}/{number}")
        counts = self._counts(participation.study)
        cell = choose_cell([c for c in candidates if c.partner_seat is None], counts, version.study, draw, dealt)
        if cell is not None:
            await self._open([(participation, number, cell)], cell.seats)
            return self._game_at(participation, number)
        if any(c.partner_seat for c in candidates):
            await self._pair(number, participation, version, candidates, draw)
        return self._game_at(participation, number)

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
            partner = self.records.participation(id_)
            if (
                id_ == participation.id
                or partner is None
                or partner.version != participation.version
                or partner.is_over
            ):
                continue
            partner_step = version.steps[partner.step]
            allowed = {c.key: c for c in self._candidates(version, partner)}
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
            await self._context.write(lambda: self.records.update(participation.id, waited=total))

    async def _open(self, people: list[tuple[Participation, int, Cell]], seats: Any, *, fills: bool = True) -> None:
        """Open the table of a game for one or two participants, with their seats; all of it is stored or nothing.

        With `fills` false the game fills no cell: another player than the study wants sits there.
        """
        first = people[0][2]
        context, item = self._context, first.item
        game = self._registry.game(item.game)
        study = people[0][0].study
        pastes = self.version(study, people[0][0].version).study.pastes
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
                    "practice": False,
                    "study": f"{study}@{participation.version}",
                    "participant": participation.pseudonym,
                    **({"pastes": "blocked"} if pastes == "blocked" else {}),
                }
                for seat, participation in by_seat.items()
            },
            ludens=self._version,
        )
        wanted_games = {cell.key: cell.games_wanted for _, _, cell in people}

        def store() -> str:
            with context.writer.transaction():
                games = [(p.id, number, cell.key, cell.seat) for p, number, cell in people]
                if fills:
                    self.records.reserve(games, wanted_games, study)
                else:
                    self.records.deal_outside(games)
                [claim] = context.writer.claim([(start, None)], origin="table")
                pids = context.links.open_table(
                    claim.episode, OWNER, list(by_seat), None, 0.0, start.instance_hash, is_chosen=True
                )
                for participation, number, cell in people:
                    context.links.hold(participation.browser, pids[cell.seat], start.instance_hash)
                    context.links.mark_arrived(participation.browser, pids[cell.seat])
                    self.records.start_game(participation.id, number, claim.episode)
            return claim.episode

        try:
            episode = await context.write(store)
        except CellTaken:
            return  # another process dealt it: the page asks again
        await self._tables.get(episode)
        log_fact("study game opened", study=study, game=start.game, people=len(people))

    async def _settle(self, game: StudyGame) -> StudyGame:
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
            state = _standing(row)
        await self._context.write(self.records.end_game, game.participation, game.position, state)
        return next(g for g in self.records.games(game.participation) if g.position == game.position)

    # ------------------------------------------------------------------ leaving
    async def withdraw(self, id_: str, browser: str | None, *, delete: bool) -> Json:
        """End a participation at the wish of the participant; return the last page. Raises `Refusal`.

        Finished games are kept, the open one is abandoned; with `delete` all their games and answers are removed.
        """
        participation = self.require_own(id_, browser)
        async with self._lock(participation.study):
            await self._abandon(participation, "withdrawn")
            if not participation.is_over or participation.state == "completed":
                await self._context.write(self.records.withdraw, id_)
            if delete:
                await self._remove(participation)
        log_fact("participant withdrew", study=participation.study)
        return await self.show(id_, browser)

    async def _remove(self, participation: Participation) -> None:
        episodes = [game.episode for game in self.records.games(participation.id) if game.episode]
        await self._remove_episodes(episodes)
        await self._context.write(self.records.delete_words, participation.id)

    async def _abandon(self, participation: Participation, reason: str) -> None:
        """End the open game of a participation, which then does not count."""
        for game in self.records.games(participation.id):
            if game.state in OPEN_GAMES:
                table = await self._tables.get(game.episode) if game.episode else None
                if table is not None and not table.is_over:
                    await table.end(reason, game.seat)
                await self._context.write(self.records.end_game, participation.id, game.position, reason)

    async def _note_presence(self, participation: Participation) -> Participation:
        """Store that somebody is there; one who had left is back, with another game."""
        if participation.is_over:
            return participation
        if participation.state == "left":
            hours = self.version(participation.study, participation.version).study.resume_hours
            if now_ms() - participation.last_seen > hours * 3_600_000:
                raise Refusal(403, "This participation ended because you were away for too long.")
            await self._context.write(
                lambda: self.records.update(participation.id, state="playing", last_seen=now_ms())
            )
        elif now_ms() - participation.last_seen > SEEN_EVERY:
            await self._context.write(lambda: self.records.update(participation.id, last_seen=now_ms()))
        return self._again(participation.id)

    async def _sweep(self) -> None:
        """Note finished games, free the seats of those away for too long, delete identifiers whose time is over."""
        for name in self.records.names():
            await self._keep_retention(name)
            for participation in self.records.participations(name):
                if participation.state == "playing":
                    async with self._lock(name):
                        await self._look_after(self._again(participation.id))

    async def _keep_retention(self, name: str) -> None:
        """Delete the identifiers of a study after the date that its consent names."""
        if not identifier_file(self._context.reader.path).exists():
            return
        retention = self.version(name).study.retention
        if datetime.now(UTC).date() > retention and self.identifiers.has_any(name):
            await self._context.write(self.identifiers.delete, name)
            await self._context.write(self.records.note, name, None, "anonymised", {"retention": retention.isoformat()})

    async def _look_after(self, participation: Participation) -> None:
        is_here = False
        for game in self.records.games(participation.id):
            if game.state in OPEN_GAMES and game.episode:
                table = self._tables.live.get(game.episode)
                is_here |= table is not None and table.presence.is_present(game.seat)
                await self._settle(game)
        if is_here:
            await self._note_presence(participation)
            return
        hold = self.version(participation.study, participation.version).study.hold_minutes * 60_000
        if participation.state == "playing" and now_ms() - participation.last_seen > hold:
            await self._abandon(participation, "left")
            await self._context.write(lambda: self.records.update(participation.id, state="left"))
            log_fact("participant left", study=participation.study)

    # ------------------------------------------------------------------ what others may see
    def _pages_of_seats(self, episode: str) -> dict[str, Json]:
        """Return what the page of each participant's seat says of the study: where it goes on, which game this is."""
        pages: dict[str, Json] = {}
        for game in self.records.games_of_episode(episode):
            participation = self._again(game.participation)
            study = self.version(participation.study, participation.version).study
            pages[game.seat] = {
                "url": f"/participate?id={participation.id}",
                "title": study.title,
                "number": game.position,
                "of": study.games.count,
                "debriefing": study.games.feedback == "full",
            }
        return pages

    def reading_refusal(self, browser: str | None, episode: str) -> str | None:
        """Return why a browser may not see both sides of a game, as far as studies forbid it; None if they do not."""
        pages = self._pages_of_seats(episode)
        if pages and not self._context.links.is_admin(browser) and not all(p["debriefing"] for p in pages.values()):
            return "This game belongs to a study."
        participation = self.taking_part(browser)
        if participation and all(game.episode != episode for game in self.records.games(participation.id)):
            return "You are taking part in a study."
        return None

    def taking_part(self, browser: str | None) -> Participation | None:
        """Return the participation that a browser is in the middle of, if any."""
        participation = self.records.of_browser(browser)
        return participation if participation and not participation.is_over else None

    def _lock(self, study: str) -> asyncio.Lock:
        return self._locks.setdefault(study, asyncio.Lock())


def _check_answers(questions: Any, answers: Json) -> Json:
    """Return checked answers by the names of the questions. Raises `Refusal` naming the first that is missing."""
    checked = {}
    for question in questions:
        try:
            checked[question.name] = question.check_answer(answers.get(question.name))
        except ValueError as error:
            raise Refusal(422, str(error), question.text) from None
    return checked


def _standing(row: EpisodeRow) -> str:
    """Return "counts" for a game that fills its cell, else why it does not."""
    outcome = row.outcome or {}
    if outcome.get("kind") == Ending.ABANDONED:
        return "abandoned"
    return "taken over" if row.mixed else "counts"
