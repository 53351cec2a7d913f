"""The results of a log: every episode as rows count it, read once and then only where something has changed.

The store keeps a narrow line beside every scored episode (`Store.set_scores`), so that a log of 100,000 is read in a
second and none of its events and instances are touched. What is open, stalled or cannot be scored is read from the
index each time; what is over without scores, or with those of an older version, is scored first.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from engine.core.condition import Condition
from engine.core.events import Json
from engine.core.scores import Summary
from engine.core.sides import side_key, side_keys, sides_of
from engine.core.start import Start
from engine.results import leaderboard
from engine.results.table import result_rows
from engine.storage.episode_result import EpisodeResult
from engine.storage.store import MARKS, StoreError

if TYPE_CHECKING:
    from engine.play.plans import Plan
    from engine.play.registry import Registry
    from engine.storage.store import Store

log = logging.getLogger("ludens.results")

AT_ONCE = 500
"""Episodes that are scored and stored together."""


class Results:
    """The results of one log, through a store that it alone reads from; use it from one thread at a time."""

    def __init__(self, store: Store, registry: Registry) -> None:
        self._store, self._registry = store, registry
        self._conditions: dict[str, Condition] = {}
        self._scored: dict[int, EpisodeResult] = {}
        self._others: list[EpisodeResult] = []
        self._outdated: dict[str, EpisodeResult] = {}
        """What is counted in place of lines of older rules that could not be replaced, by episode."""
        self._seq = 0
        self._version: int | None = None
        self._rows: dict[tuple[str, bool], list[Json]] = {}
        self.by_condition: dict[str, list[EpisodeResult]] = {}
        """Episodes by the id of their condition."""
        self.missing: Mapping[str, tuple[Condition, int]] = {}
        """How many episodes were planned and not begun, by the id of their condition."""
        self.sides: Mapping[str, Sequence[str]] = {}
        self.summaries: Mapping[str, Summary] = {}
        """What `engine.results.leaderboard` says of the games that are in the log; no other is loaded."""

    @property
    def all(self) -> list[EpisodeResult]:
        """All episodes."""
        return [result for found in self.by_condition.values() for result in found]

    def of(self, where: Callable[[Condition], bool]) -> list[EpisodeResult]:
        """Return the episodes of the conditions that fit."""
        return [result for one in self.conditions if where(one) for result in self.by_condition.get(one.id, ())]

    @property
    def conditions(self) -> list[Condition]:
        """All conditions that something was played or planned under, in the order of rows."""
        known = {name: found[0].condition for name, found in self.by_condition.items()}
        known |= {name: condition for name, (condition, _) in self.missing.items()}
        return sorted(known.values(), key=lambda condition: condition.key)

    def rows(
        self,
        where: Callable[[Condition], bool] | None = None,
        *,
        informed: bool = False,
        hidden: Collection[str] = frozenset(),
    ) -> list[Json]:
        """Return rows (`result_rows`) of the conditions that fit, without `hidden` episodes (ids)."""
        wanted = self.conditions if where is None else filter(where, self.conditions)
        return [row for condition in wanted for row in self._rows_of(condition, informed, hidden)]

    def _rows_of(self, condition: Condition, informed: bool, hidden: Collection[str]) -> list[Json]:
        found = self.by_condition.get(condition.id, [])
        shown = [result for result in found if result.episode not in hidden] if hidden else found
        whole = len(shown) == len(found)
        informed = informed and condition.people  # nobody else chooses
        key = (condition.id, informed)
        if whole and key in self._rows:
            return self._rows[key]
        planned = {condition.id: self.missing[condition.id]} if condition.id in self.missing else {}
        made = result_rows(shown, sides=self.sides, summaries=self.summaries, informed=informed, missing=planned)
        if whole:
            self._rows[key] = made
        return made

    # ------------------------------------------------------------------ reading
    def refresh(self) -> bool:
        """Read what others have changed in the log since the last time; return whether that is anything counted."""
        version = self._store.data_version()
        if version == self._version:
            return False
        first = self._version is None
        unscorable = {result.episode: result for result in self._score(everything=first)}
        self._version = version
        before = {result.condition.id for result in self._others} | set(self.missing)
        state = self._state()
        changed = self._read()
        if first:
            lines = {result.episode for result in self._scored.values()}
            self._outdated = {episode: unscorable.pop(episode) for episode in lines & unscorable.keys()}
        self._others = [*self._not_over(), *unscorable.values(), *self._outdated.values()]
        self.missing = {condition.id: (condition, n) for condition, n in self._store.planned().items()}
        by_condition: dict[str, list[EpisodeResult]] = {}
        scored = (one for one in self._scored.values() if one.episode not in self._outdated)
        for result in (*scored, *self._others):
            by_condition.setdefault(result.condition.id, []).append(result)
        self.by_condition = by_condition
        games = {condition.game for condition in self.conditions}
        self.sides = leaderboard.sides_by_game(self._registry, games)
        self.summaries = leaderboard.summaries_by_game(self._registry, games)
        changed |= before | {result.condition.id for result in self._others} | set(self.missing)
        self._rows = {key: made for key, made in self._rows.items() if key[0] not in changed}
        return self._state() != state

    def _state(self) -> tuple[object, ...]:
        """Return what differs when anything counted has changed: a server writes every few seconds that it lives."""
        others = [(one.episode, one.ending, one.stalled, one.mixed) for one in self._others]
        return self._seq, len(self._scored), others, {name: n for name, (_, n) in self.missing.items()}

    def _score(self, *, everything: bool) -> list[EpisodeResult]:
        """Score what is over and has no line, with `everything` also what has one of another version.

        Returns what cannot be scored: its game is gone, or fails at it.
        """
        db = self._store.conn
        games = [game for (game,) in db.execute("SELECT DISTINCT game FROM episode")]
        present = {name: self._registry.scores_version(name) for name in games if self._registry.has(name)}
        found = db.execute(
            "SELECT id, game FROM episode WHERE status = 'over' AND NOT EXISTS"
            " (SELECT 1 FROM result WHERE result.episode = episode.row)"
        ).fetchall()
        if everything:
            outdated = db.execute(
                "SELECT result.id, game FROM result JOIN episode ON episode.row = result.episode"
                f" WHERE result.version NOT IN ({','.join('?' * len(present))})",
                list(present.values()),
            )
            found += [(episode, game) for episode, game in outdated if game in present]
        left: list[EpisodeResult] = []
        known = [episode for episode, game in found if game in present]
        for at in range(0, len(known), AT_ONCE):
            left += self._score_some(known[at : at + AT_ONCE], present)
        gone = [self._store.episode(episode) for episode, game in found if game not in present]
        return [*left, *(EpisodeResult.of(row, row.scores, unscored=not row.scores) for row in gone)]

    def _score_some(self, episodes: Sequence[str], present: Mapping[str, str]) -> list[EpisodeResult]:
        made: list[tuple[str, str, Json]] = []
        left = []
        for episode in episodes:
            try:
                row = self._store.episode(episode)
                if row.scores and row.scores_version == present[row.game]:  # of a log from before there were lines
                    made.append((episode, row.scores_version, row.scores))
                else:
                    made += rescore(self._store, self._registry, [episode])
            except StoreError:  # removed a moment ago
                continue
            except Exception as error:  # a game's bug must not hide what others came to
                log.warning("episode %s cannot be scored: %s: %s", episode, type(error).__name__, error)
                left.append(EpisodeResult.of(self._store.episode(episode), None, unscored=True))
        try:
            self._store.set_scores(made)
        except sqlite3.OperationalError:  # a file we may only read: computed again next time
            left += [EpisodeResult.of(self._store.episode(episode), scores) for episode, _, scores in made]
        return left

    def _read(self) -> set[str]:
        """Read the lines that are new; return the conditions they came to or went from."""
        changed = set()
        for seq, episode, result in self._lines(self._seq):
            before = self._scored.get(episode)
            changed |= {result.condition.id} | ({before.condition.id} if before else set())
            self._scored[episode] = result
            self._outdated.pop(result.episode, None)
            self._seq = seq
        if len(self._scored) != self._store.conn.execute("SELECT COUNT(*) FROM result").fetchone()[0]:
            changed = set(self.by_condition)  # episodes were removed: all over again
            lines = list(self._lines(0))
            self._scored = {episode: result for _, episode, result in lines}
            there = {result.episode for result in self._scored.values()}
            self._outdated = {episode: result for episode, result in self._outdated.items() if episode in there}
            changed |= {result.condition.id for _, _, result in lines}
        return changed

    def _lines(self, after: int) -> list[tuple[int, int, EpisodeResult]]:
        lines = self._store.conn.execute(
            "SELECT seq, episode, id, condition, instance, ending, main, sides, numbers, marks, created FROM result"
            " WHERE seq > ? ORDER BY seq",
            (after,),
        )
        made = []
        for seq, episode, id_, condition, instance, ending, main, sides, numbers, marks, created in lines:
            result = EpisodeResult(
                self._condition(condition),
                sys.intern(instance),
                ending,
                main,
                _sides(sides),
                numbers=numbers,
                episode=id_,
                created=created,
            )
            if marks:
                for bit, mark in enumerate(MARKS):
                    setattr(result, mark, bool(marks >> bit & 1))
            made.append((seq, episode, result))
        return made

    def _condition(self, name: str) -> Condition:
        found = self._conditions.get(name)
        if found is None:
            (what,) = self._store.conn.execute("SELECT what FROM condition WHERE id = ?", (name,)).fetchone()
            found = self._conditions[name] = Condition(**json.loads(what))
        return found

    def _not_over(self) -> list[EpisodeResult]:
        made = []
        for row in self._store.unfinished():
            result = EpisodeResult.of(row, None)
            if self._registry.has(row.game):
                with suppress(ValueError):  # its instance is none of the present rules
                    result.condition = _condition_of(Start.model_validate(row.start), self._registry)
            made.append(result)
        return made


@cache
def _sides(text: str | None) -> Mapping[str, float] | None:
    found: Mapping[str, float] | None = json.loads(text) if text else None
    return found


def rescore(store: Store, registry: Registry, episodes: Iterable[str]) -> list[tuple[str, str, Json]]:
    """Compute the scores of stored episodes from their events: (episode id, scores version, scores)."""
    return [(episode, *registry.scores_of(store.events(episode))) for episode in episodes]


def record_plan(store: Store, plan: Plan) -> None:
    """Write down what a plan is to play, so that results can say what is missing of it."""
    for first in range(0, len(plan), AT_ONCE):  # a piece at a time: others write in between
        some = [plan.episode_at(place) for place in range(first, min(first + AT_ONCE, len(plan)))]
        store.plan([(planned.key, _condition_of(planned.start, plan.registry)) for planned in some])


def _condition_of(start: Start, registry: Registry) -> Condition:
    """Return the condition that an episode will have once it is scored."""
    game = registry.game(start.game)
    drawn = sides_of(game, game.load(start.instance), start.seed) if side_keys(game) else {}
    sides = {side_key(game, side): seats for side, seats in drawn.items()}
    return Condition.of(start.model_dump(mode="json"), sides)
