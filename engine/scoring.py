"""Scores: the numbers every game has, computed from events alone, and the result rows that many episodes give.

An episode has scores when it has an outcome other than `abandoned`; abandoned, open and stalled ones are no episodes:
they are counted and left out of every average. Nothing here reads a file, a clock or a rulebook; a game's own numbers
come from the scorer it is handed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.events import Ending, Event, Json, Kind, canonical

if TYPE_CHECKING:
    from engine.store import EpisodeRow

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

    pairs: dict[tuple[float, int], int] = {}
    for scores in by_instance:
        if scores:
            pair = (math.fsum(scores), len(scores))
            pairs[pair] = pairs.get(pair, 0) + 1
    k = sum(pairs.values())
    if len({total / count for total, count in pairs}) < 2:
        low, high = wilson(_mean([total / count for total, count in pairs]) / 100, k)
        return 100 * low, 100 * high
    # Instances with equal sum and number are exchangeable: draw how often each such kind comes, not each instance.
    kinds = sorted(pairs)
    sums, counts = np.array([kind[0] for kind in kinds]), np.array([kind[1] for kind in kinds])
    shares = np.array([pairs[kind] for kind in kinds]) / k
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(k, shares, size=RESAMPLES)
    low, high = np.percentile(drawn @ sums / (drawn @ counts), [2.5, 97.5])
    return float(low), float(high)


def _mean(values: Sequence[float]) -> float:
    if not values:
        raise ValueError("nothing has no mean")
    return math.fsum(values) / len(values)


# ---------------------------------------------------------------------- many episodes
Summary = Callable[[Sequence[Json | None]], Json]
"""What a game says of many episodes: their single scores, None for one stalled by a fault, to numbers by name."""


@dataclass(frozen=True, slots=True)
class Result:
    """One stored episode as results count it. `ending` is None while it is open or stalled."""

    game: str
    variant: str
    experiment: str
    instance: str
    """The hash of the instance, over which scores are resampled."""
    seats: Mapping[str, str]
    settings: Json
    reprompt: int = 0
    game_version: int = 0
    prompts: str = ""
    """Name and version of the prompt set."""
    ending: str | None = None
    main: float | None = None
    sides: Mapping[str, float] | None = None
    stalled: bool = False
    mixed: bool = False
    practice: bool = False
    informed: bool = False
    own: Json = field(default_factory=dict)
    """Its scores as far as they are single values, for what a game says of many episodes."""
    episode: str = ""

    @classmethod
    def of(cls, row: EpisodeRow, scores: Json | None) -> Result:
        """Return what results count of an index row and its scores (None where it has none)."""
        start, scores = row.start, scores or {}
        notes: list[Json] = list((start.get("people") or {}).values())
        return cls(
            row.game,
            row.variant,
            row.experiment,
            row.instance_hash,
            by_side(row.seats, scores.get("side_seats") or {}),
            row.settings,
            row.reprompt,
            start["game_version"],
            f"{start['prompts']} {start['prompts_version']}",
            row.outcome["kind"] if row.outcome else None,
            scores.get("main_score"),
            scores.get("side_scores"),
            row.status == "stalled",
            row.mixed,
            any(note.get("practice") for note in notes),
            any(note.get("informed") for note in notes),
            {name: value for name, value in scores.items() if value is None or isinstance(value, str | int | float)},
            row.id,
        )

    @property
    def people(self) -> bool:
        """Whether a person began in one of the seats."""
        return any(player.partition("?")[0].partition("/")[0] == "person" for player in self.seats.values())


def by_side(seats: Mapping[str, str], sides: Mapping[str, Sequence[str]]) -> Mapping[str, str]:
    """Return who plays which side, where one player has the whole of each: {"side:spy": P, "side:villagers": Q}.

    `sides` are the seats of each side as a game's scores give them (`side_seats`). Which seats those were differs from
    episode to episode; who played which side does not. Returns `seats` where the sides do not tell who sat where.
    """
    players = {side: {seats[seat] for seat in of} for side, of in sides.items() if set(of) <= set(seats)}
    if len(set(seats.values())) < 2 or not players or any(len(found) != 1 for found in players.values()):
        return seats
    return {side: found.pop() for side, found in players.items()}


ASIDE = ("faults", "open", "abandoned", "mixed", "practice", "informed")
"""Why an episode is in no average."""


def aside(result: Result, informed: bool = False) -> str | None:
    """Return why an episode is in no average, the reason that comes first; None where it counts."""
    if result.practice:
        return "practice"
    if result.stalled:
        return "faults"
    if result.ending is None:
        return "open"
    if result.ending == Ending.ABANDONED:
        return "abandoned"
    if result.mixed:
        return "mixed"
    return "informed" if result.informed and not informed else None


@dataclass
class _Group:
    """The episodes of one row, before they are averaged."""

    first: Result
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
    seed: int = 0,
) -> list[Json]:
    """Return result rows, one per game, variant, experiment, seating, settings, reprompt, game version and prompt set.

    `sides` names the adversarial games with their sides: they get a row a side. A row has n (episodes with an outcome;
    abandoned, practice, mixed and, unless `informed`, informed ones not counted but given beside), played (0..100),
    quality (mean main score of played episodes, 0..100), score_all (aborted as 0), each with _low and _high of its 95 %
    interval, None where there is nothing to average; `faults` are the episodes stalled now, `open` those in play.
    `own` is what a game's summary says of the episodes counted and those stalled, None for games without one.
    """
    groups: dict[str, _Group] = {}
    for result in results:
        groups.setdefault(_row_key(result), _Group(result)).add(result, informed)
    made: list[Json] = []
    for key in sorted(groups):
        group = groups[key]
        seen = {side for result in group.counted for side in result.sides or ()}
        named = list((sides or {}).get(group.first.game, ()))
        of_game: list[str | None] = [*named, *sorted(seen - set(named))]
        summary = (summaries or {}).get(group.first.game)
        sides_or_all = of_game or [None]  # what a game says of all sides stands with the first
        made += [_row(group, side, seed, None if place else summary) for place, side in enumerate(sides_or_all)]
    return made


def _row_key(result: Result) -> str:
    seats = sorted(result.seats.items())
    where = [result.game, result.variant, result.experiment]
    return canonical([*where, seats, result.settings, result.reprompt, result.game_version, result.prompts])


def _row(group: _Group, side: str | None, seed: int, summary: Summary | None) -> Json:
    first, counted = group.first, group.counted
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
    return {
        "game": first.game,
        "variant": first.variant,
        "experiment": first.experiment,
        "seats": dict(first.seats),
        "side": side,
        "n": len(counted),
        **_rate("played", len(played), len(counted)),
        **_score("quality", scored, seed),
        **_score("score_all", everything, seed),
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
    pools: dict[tuple[str, str, int], dict[str, list[Result]]] = {}
    for result in results:
        if aside(result, informed) or result.game in without or result.sides or result.ending == Ending.DECIDED:
            continue
        game, modality = task_of(result.game, result.variant)
        pool = pools.setdefault((seating(result.seats), modality, result.reprompt), {})
        pool.setdefault(game, []).append(result)
    made = []
    for (players, modality, reprompt), games in sorted(pools.items()):
        parts, mixed = [], []
        for game in sorted(games):
            episodes = games[game]
            scores = [result.main for result in episodes if result.ending != Ending.ABORTED and result.main is not None]
            hits = sum(result.ending != Ending.ABORTED for result in episodes)
            parts.append(Part(game, 100 * hits / len(episodes), _mean(scores) if scores else None))
            if len({canonical([r.settings, r.game_version, r.prompts]) for r in episodes}) > 1:
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
