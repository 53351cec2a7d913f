"""Scores: the numbers every game has, computed from events alone, and the result rows that many episodes give.

An episode has scores when it has an outcome other than `abandoned`; abandoned, open and stalled ones are no episodes:
they are counted and left out of every average. Nothing here reads a file, a clock or a rulebook; a game's own numbers
come from the scorer it is handed.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from engine.core.events import Ending, Event, Json, Kind, canonical, digest, to_json

if TYPE_CHECKING:
    import numpy as np

    from engine.storage.store import EpisodeRow

SCORES_VERSION = 1
"""Raised when a common score changes its meaning; stored scores of another version are computed again."""

Z95 = 1.959963984540054
RESAMPLES = 2000
"""Bootstrap resamples: the ends of a 95 % interval then wander by about one point in a hundred of its width."""

EPISODE_ENDINGS = frozenset({Ending.SUCCESS, Ending.LOSE, Ending.DECIDED, Ending.ABORTED})


# ---------------------------------------------------------------------- one episode
def common(log: Sequence[Event], *, adversarial: bool = False) -> Json:
    """Return the scores every game has, from events alone.

    `played`, `success`, `lose` are 1 or 0, and None without an outcome or when abandoned; `success` and `lose` are None
    in adversarial games, which have `side_scores` {side: 100 or 0} instead. `requests` are the replies received, first
    ones and those after a reminder, late (discarded) ones left out; each was either parsed or violated.
    """
    counts = Counter(event.kind for event in log)
    late = sum(event.kind is Kind.REPLY and "discarded" in event.data for event in log)
    outcome = next((event.data for event in reversed(log) if event.kind is Kind.OUTCOME), None)
    ending = Ending(outcome["kind"]) if outcome else None
    counted = ending in EPISODE_ENDINGS
    adversarial = adversarial or ending is Ending.DECIDED
    requests, parsed = counts[Kind.REPLY] - late, counts[Kind.PARSED]
    scores: Json = {
        "played": int(ending is not Ending.ABORTED) if counted else None,
        "success": int(ending is Ending.SUCCESS) if counted and not adversarial else None,
        "lose": int(ending is Ending.LOSE) if counted and not adversarial else None,
        "requests": requests,
        "parsed_requests": parsed,
        "violated_requests": counts[Kind.VIOLATION],
        "request_success_ratio": parsed / requests if requests else None,
        "main_score": None,
    }
    if adversarial:
        sides = outcome.get("sides") if outcome else None
        won = outcome["winner"] if outcome else None
        scores["side_scores"] = {side: 100 if side == won else 0 for side in sides} if sides else None
    return scores


def score_episode(
    log: Sequence[Event], scorer: Callable[[Sequence[Event]], Json], *, adversarial: bool = False
) -> Json:
    """Return an episode's common scores with the game's own. `scorer` is asked where there is an outcome (any).

    Raises ValueError for a `main_score` outside 0..100, or one where there must be none (aborted, adversarial).
    """
    scores = common(log, adversarial=adversarial)
    if all(event.kind is not Kind.OUTCOME for event in reversed(log)):
        return scores
    own = scorer(log)
    main = own.get("main_score")
    if main is not None and not (isinstance(main, int | float) and math.isfinite(main) and 0 <= main <= 100):
        raise ValueError(f"a main_score is from 0 to 100, not {main!r}")
    if main is not None and (not scores["played"] or scores["success"] is None):
        raise ValueError(f"an aborted or adversarial episode has no main_score, this one {main!r}")
    if main is None and scores["played"] and scores["success"] is not None:
        raise ValueError("a played episode has a main_score, this one none")
    return {**scores, **own}


def version_of(game_version: str) -> str:
    """Return the version that stored scores are kept under, from that of the game's scores ("FAMILY-1")."""
    return f"{SCORES_VERSION}/{game_version}"


# ---------------------------------------------------------------------- intervals
def wilson(share: float, n: float) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a share (0..1) among n, as shares. Raises ValueError for n = 0."""
    if n <= 0:
        raise ValueError("a share of nothing has no interval")
    middle = share + Z95**2 / (2 * n)
    spread = Z95 * math.sqrt(share * (1 - share) / n + Z95**2 / (4 * n * n))
    low, high = (middle - spread) / (1 + Z95**2 / n), (middle + spread) / (1 + Z95**2 / n)
    return max(0.0, min(low, share)), min(1.0, max(high, share))


def bootstrap(by_instance: Iterable[Sequence[float]], *, seed: int = 0) -> tuple[float, float]:
    """Return a 95 % percentile interval of the mean of scores 0..100, resampling instances with all their episodes.

    Where every instance has the same mean, resampling sees no spread (ten out of ten would be certain); the Wilson
    interval of the mean as a share among the instances stands in: no score from 0 to 100 spreads more than a share.
    The same scores in any order give the same interval. Raises ValueError without a score.
    """
    import numpy as np  # late: `ludens --help` needs no numbers

    pairs = sorted((math.fsum(scores), len(scores)) for scores in by_instance if scores)
    k = len(pairs)
    if len({total / count for total, count in pairs}) < 2:
        low, high = wilson(_mean([total / count for total, count in pairs]) / 100, k)
        return 100 * low, 100 * high
    sums, counts = np.array([pair[0] for pair in pairs]), np.array([pair[1] for pair in pairs])
    if k <= DRAWN_ONE_BY_ONE:
        drawn = _drawn(k, seed)
        means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    else:  # instances with equal sum and number are exchangeable: draw how often each such kind comes
        kinds, times = np.unique(np.stack([sums, counts], axis=1), axis=0, return_counts=True)
        often = np.random.default_rng(seed).multinomial(k, times / k, size=RESAMPLES)
        means = often @ kinds[:, 0] / (often @ kinds[:, 1])
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


DRAWN_ONE_BY_ONE = 100
"""Up to so many instances a table of draws is made once for all rows with as many: it is most of the work."""


@cache
def _drawn(k: int, seed: int) -> np.ndarray:
    import numpy as np

    return np.random.default_rng(seed).integers(0, k, size=(RESAMPLES, k))


def _mean(values: Sequence[float]) -> float:
    if not values:
        raise ValueError("nothing has no mean")
    return math.fsum(values) / len(values)


# ---------------------------------------------------------------------- many episodes
Summary = Callable[[Sequence[Json | None]], Json]
"""What a game says of many episodes: their single scores, None for one stalled by a fault, to numbers by name."""


@dataclass(frozen=True, eq=False)
class Condition:
    """What the episodes of one row have in common: what was played, by whom and how.

    `seats` tells who sits where, or who plays which side (`by_side`); `prompts` is name and version of the prompt set.
    """

    game: str
    variant: str
    experiment: str
    seats: Mapping[str, str]
    settings: Json
    reprompt: int = 0
    game_version: int = 0
    prompts: str = ""
    key: str = field(init=False, repr=False)
    """All of it in one text: equal conditions have equal keys, and rows stand in the order of their keys."""
    id: str = field(init=False)
    """12 hexadecimal digits made from the key: what addresses name a row by, the same in every process."""

    def __post_init__(self) -> None:
        where = [self.game, self.variant, self.experiment, sorted(self.seats.items()), self.settings]
        object.__setattr__(self, "key", canonical([*where, self.reprompt, self.game_version, self.prompts]))
        object.__setattr__(self, "id", digest(self.key)[:12])

    @classmethod
    def of(cls, start: Json, sides: Mapping[str, Sequence[str]] | None = None) -> Condition:
        """Return the condition of an episode from its start event's data and, where known, the seats of each side."""
        return cls(
            start["game"],
            start["variant"],
            start["experiment"],
            by_side(start["seats"], sides or {}),
            start["settings"],
            start["reprompt"],
            start["game_version"],
            f"{start['prompts']} {start['prompts_version']}",
        )

    def as_json(self) -> Json:
        """Return what `Condition(**it)` makes it from again."""
        named = ("game", "variant", "experiment", "seats", "settings", "reprompt", "game_version", "prompts")
        return {name: getattr(self, name) for name in named}

    @property
    def people(self) -> bool:
        """Whether a person began in one of the seats."""
        return any(player.partition("?")[0].partition("/")[0] == "person" for player in self.seats.values())


@dataclass(slots=True)
class Result:
    """One stored episode as results count it. `ending` is None while it is open or stalled."""

    condition: Condition
    instance: str
    """The hash of the instance, over which scores are resampled."""
    ending: str | None = None
    main: float | None = None
    sides: Mapping[str, float] | None = None
    stalled: bool = False
    mixed: bool = False
    practice: bool = False
    informed: bool = False
    seen_before: bool = False
    """Whether its start says that a person in it had seen the instance."""
    unscored: bool = False
    """Whether it is over and its game cannot score it."""
    numbers: str = "{}"
    """Its scores as far as they are single values, as JSON."""
    episode: str = ""
    created: int = 0
    """When it began, in UTC milliseconds."""

    @classmethod
    def of(cls, row: EpisodeRow, scores: Json | None, *, unscored: bool = False) -> Result:
        """Return what results count of an index row and its scores (None where it has none)."""
        scores = scores or {}
        notes: list[Json] = list((row.start.get("people") or {}).values())
        single = {
            name: value for name, value in scores.items() if value is None or isinstance(value, str | int | float)
        }
        return cls(
            Condition.of(row.start, scores.get("side_seats")),
            row.instance_hash,
            row.outcome["kind"] if row.outcome else None,
            scores.get("main_score"),
            scores.get("side_scores"),
            row.status == "stalled",
            row.mixed,
            any(note.get("practice") for note in notes),
            any(note.get("informed") for note in notes),
            any(note.get("seen_before") for note in notes),
            unscored,
            to_json(single),
            row.id,
            row.created,
        )

    @property
    def own(self) -> Json:
        """Its scores as far as they are single values."""
        found: Json = json.loads(self.numbers)
        return found

    @property
    def game(self) -> str:
        """The game's name."""
        return self.condition.game

    @property
    def variant(self) -> str:
        """The variant's name."""
        return self.condition.variant

    @property
    def experiment(self) -> str:
        """The experiment's name."""
        return self.condition.experiment

    @property
    def seats(self) -> Mapping[str, str]:
        """Who sits where, or plays which side."""
        return self.condition.seats

    @property
    def settings(self) -> Json:
        """The game's settings."""
        return self.condition.settings

    @property
    def reprompt(self) -> int:
        """Reminders allowed at an ask."""
        return self.condition.reprompt

    @property
    def people(self) -> bool:
        """Whether a person began in one of the seats."""
        return self.condition.people


def by_side(seats: Mapping[str, str], sides: Mapping[str, Sequence[str]]) -> Mapping[str, str]:
    """Return who plays which side, where one player has the whole of each: {"side:spy": P, "side:villagers": Q}.

    `sides` are the seats of each side as a game's scores give them (`side_seats`). Which seats those were differs from
    episode to episode; who played which side does not. Returns `seats` where the sides do not tell who sat where.
    """
    players = {side: {seats[seat] for seat in of} for side, of in sides.items() if set(of) <= set(seats)}
    if len(set(seats.values())) < 2 or not players or any(len(found) != 1 for found in players.values()):
        return seats
    return {side: found.pop() for side, found in players.items()}


ASIDE = ("faults", "open", "unscored", "abandoned", "mixed", "practice", "informed")
"""Why an episode is in no average."""


def aside(result: Result, informed: bool = False) -> str | None:
    """Return why an episode is in no average, the reason that comes first; None where it counts."""
    if result.practice:
        return "practice"
    if result.stalled:
        return "faults"
    if result.ending is None:
        return "open"
    if result.unscored:
        return "unscored"
    if result.ending == Ending.ABANDONED:
        return "abandoned"
    if result.mixed:
        return "mixed"
    return "informed" if result.informed and not informed else None


@dataclass
class _Group:
    """The episodes of one condition, before they are averaged."""

    condition: Condition
    counted: list[Result] = field(default_factory=list)
    aside: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ASIDE, 0))

    def add(self, result: Result, informed: bool) -> None:
        """Count one episode, or count it as left out."""
        if reason := aside(result, informed):
            self.aside[reason] += 1
        else:
            self.counted.append(result)


def rows(
    results: Iterable[Result],
    *,
    sides: Mapping[str, Sequence[str]] | None = None,
    summaries: Mapping[str, Summary] | None = None,
    informed: bool = False,
    missing: Mapping[str, tuple[Condition, int]] | None = None,
    seed: int = 0,
) -> list[Json]:
    """Return result rows, one per game, variant, experiment, seating, settings, reprompt, game version and prompt set.

    `id` is that of the condition. `missing` gives by this id the conditions of which episodes were planned and not yet
    begun, with how many.

    `sides` names the adversarial games with their sides: they get a row a side. A row has n (episodes with an outcome;
    abandoned, practice, mixed and, unless `informed`, informed ones not counted but given beside), played (0..100),
    quality (mean main score of played episodes, 0..100), score_all (aborted as 0), each with _low and _high of its 95 %
    interval, None where there is nothing to average; `faults` are the episodes stalled now, `open` those in play.
    `own` is what a game's summary says of the episodes counted and those stalled, None for games without one.
    """
    missing = missing or {}
    groups = {condition.id: _Group(condition) for condition, _ in missing.values()}
    for result in results:
        group = groups.get(result.condition.id)
        if group is None:
            group = groups[result.condition.id] = _Group(result.condition)
        group.add(result, informed)
    made: list[Json] = []
    for group in sorted(groups.values(), key=lambda group: group.condition.key):
        game = group.condition.game
        seen = {side for result in group.counted for side in result.sides or ()}
        named = list((sides or {}).get(game, ()))
        of_game: list[str | None] = [*named, *sorted(seen - set(named))]
        summary = (summaries or {}).get(game)
        sides_or_all = of_game or [None]  # what a game says of all sides stands with the first
        lacking = missing[group.condition.id][1] if group.condition.id in missing else 0
        made += [
            _row(group, side, seed, None if place else summary) | {"missing": lacking}
            for place, side in enumerate(sides_or_all)
        ]
    return made


def _row(group: _Group, side: str | None, seed: int, summary: Summary | None) -> Json:
    first, counted = group.condition, group.counted
    played = [result for result in counted if result.ending != Ending.ABORTED]
    scored: dict[str, list[float]] = {}
    everything: dict[str, list[float]] = {}
    for result in counted:
        score = result.main if side is None else (result.sides or {}).get(side)
        aborted = result.ending == Ending.ABORTED
        if score is not None:
            scored.setdefault(result.instance, []).append(score)
        if score is not None or aborted:
            everything.setdefault(result.instance, []).append(score or 0.0)
    quality = _score("quality", scored, seed)
    alike = {f"score_all{name.removeprefix('quality')}": value for name, value in quality.items()}
    return {
        "id": first.id,
        "game": first.game,
        "variant": first.variant,
        "experiment": first.experiment,
        "seats": dict(first.seats),
        "side": side,
        "n": len(counted),
        **_rate("played", len(played), len(counted)),
        **quality,
        **(alike if scored == everything else _score("score_all", everything, seed)),
        **group.aside,
        "own": summary([*(result.own for result in counted), *[None] * group.aside["faults"]]) if summary else None,
        "people": first.people,
        "settings": first.settings,
        "reprompt": first.reprompt,
        "game_version": first.game_version,
        "prompts": first.prompts,
    }


def _rate(name: str, hits: int, n: int) -> Json:
    if not n:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    low, high = wilson(hits / n, n)
    return {name: 100 * hits / n, f"{name}_low": 100 * low, f"{name}_high": 100 * high}


def _score(name: str, by_instance: Mapping[str, Sequence[float]], seed: int) -> Json:
    if not by_instance:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    low, high = bootstrap(by_instance.values(), seed=seed)
    mean = _mean([score for scores in by_instance.values() for score in scores])
    return {name: mean, f"{name}_low": min(low, mean), f"{name}_high": max(high, mean)}


# ---------------------------------------------------------------------- clemscore
@dataclass(frozen=True, slots=True)
class Part:
    """What one game contributes to a clemscore: % played and quality over all its episodes, None when none was."""

    game: str
    played: float
    quality: float | None


def clemscore(parts: Sequence[Part]) -> Json:
    """Return {"played", "quality", "clemscore", "unplayed"}: (avg % played / 100) · avg quality, over games.

    A game with no played episode counts 0 in % played and drops out of quality; it is named in `unplayed`
    (multimodal-games-paper, Table 1). Raises ValueError without a game.
    """
    played = _mean([part.played for part in parts])
    qualities = [part.quality for part in parts if part.quality is not None]
    quality = _mean(qualities) if qualities else None
    return {
        "played": played,
        "quality": quality,
        "clemscore": played * (quality or 0.0) / 100,
        "unplayed": [part.game for part in parts if part.quality is None],
    }


def task_of(game: str, variant: str) -> tuple[str, str]:
    """Return what a variant counts as in a clemscore: its game (family, with the task if there are several), modality.

    `matchit/text` is ("matchit", "text"), `mapworld/ee-gr-picture` is ("mapworld/ee-gr", "picture"); a variant that
    names no modality is text.
    """
    task, _, modality = variant.rpartition("-")
    if modality not in ("text", "picture"):
        return game, "text"
    return (f"{game}/{task}" if task else game), modality


def seating(seats: Mapping[str, str]) -> str:
    """Return who plays in a few words: one player's name where all seats have the same one, else "A + B" in order."""
    players = list(dict.fromkeys(seats.values()))
    return players[0] if len(players) == 1 else " + ".join(seats.values())


def clemscores(
    results: Iterable[Result], *, leave_out: Iterable[str] = (), informed: bool = False
) -> list[dict[str, Any]]:
    """Return a clemscore per seating, modality and reprompt, over all counted episodes of each game.

    `leave_out` names the games that never enter (adversarial ones, Ask-Guess). Each has `players`, `modality`,
    `reprompt`, the numbers of `clemscore`, `games` (those it covers, with n) and `mixed_settings` (games whose episodes
    were played with more than one setting, game version or prompt set).
    """
    without = set(leave_out)
    by_condition: dict[str, list[Result]] = {}
    for result in results:
        if not (aside(result, informed) or result.sides or result.ending == Ending.DECIDED):
            by_condition.setdefault(result.condition.id, []).append(result)
    pools: dict[tuple[str, str, int], dict[str, list[Result]]] = {}
    for found in by_condition.values():
        condition = found[0].condition
        if condition.game not in without:
            game, modality = task_of(condition.game, condition.variant)
            pool = pools.setdefault((seating(condition.seats), modality, condition.reprompt), {})
            pool.setdefault(game, []).extend(found)
    made = []
    for (players, modality, reprompt), games in sorted(pools.items()):
        parts, mixed = [], []
        for game in sorted(games):
            episodes = games[game]
            scores = [result.main for result in episodes if result.ending != Ending.ABORTED and result.main is not None]
            hits = sum(result.ending != Ending.ABORTED for result in episodes)
            parts.append(Part(game, 100 * hits / len(episodes), _mean(scores) if scores else None))
            conditions = {result.condition.id: result.condition for result in episodes}.values()
            if len({canonical([one.settings, one.game_version, one.prompts]) for one in conditions}) > 1:
                mixed.append(game)
        made.append(
            {
                "players": players,
                "modality": modality,
                "reprompt": reprompt,
                **clemscore(parts),
                "games": {game: len(games[game]) for game in sorted(games)},
                "mixed_settings": mixed,
            }
        )
    return made
