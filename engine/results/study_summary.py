"""What a study found: means of people, the same people against models, attrition, learning and agreement.

Nothing here reads a log or a study file: the caller passes in the games of participants as `StudyPlay`, with
pseudonyms, and the episodes of models. Games that were played under the same conditions are summarised together, over
all their experiments. A game of two participants is one game with two people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core.condition import Condition, is_person
from engine.core.events import Ending, canonical
from engine.results.agreement import krippendorff_alpha
from engine.results.exclusion import exclusion_reason
from engine.results.participation import find_people, make_score_clusters
from engine.results.statistics import Estimate, average, estimate_score
from engine.results.study_analysis import BeatenShare, LearningSlope, beaten_share, learning_slope
from engine.results.two_way import MIN_CLUSTERS, ClusteredEstimate, Clusters
from engine.storage.episode_result import EpisodeResult

COUNTS_MARK = "counts"


@dataclass(frozen=True, slots=True)
class StudyPlay:
    """A game of one participant. `person` is the pseudonym, `position` the number of the game for this person, from 1.

    `state` is "counts", or why the game does not count. `was_left` says whether this person went away from it, and
    `is_repeat` whether a person in it had seen the instance before. `choice` is the person's last choice in it.
    """

    person: str
    position: int
    seat: str
    state: str
    result: EpisodeResult
    was_left: bool = False
    is_repeat: bool = False
    choice: str | None = None


@dataclass(frozen=True, slots=True)
class SeatAttrition:
    """What became of the people who began a game at a seat, and their mean with games that they left as 0."""

    seat: str
    people: int
    people_who_left: int
    games: int
    games_left: int
    games_ended_otherwise: int
    mean: ClusteredEstimate
    mean_with_dropouts: ClusteredEstimate


@dataclass(frozen=True, slots=True)
class ModelComparison:
    """People against one model on the instances that both played.

    `model` and `people` are means over these instances, `difference` is people minus model, on each game the person's
    score minus the model's mean on the instance; `difference_of_all` is the same without exclusions. `other_conditions`
    counts the model's games on these instances with other settings, prompts, rules or partners, which are left out.
    """

    player: str
    instances: int
    games: int
    model: Estimate
    people: ClusteredEstimate
    difference: ClusteredEstimate
    difference_of_all: ClusteredEstimate
    beaten: BeatenShare
    other_conditions: int
    episodes: Sequence[str]
    """The ids of the model's episodes that are compared."""


@dataclass(frozen=True, slots=True)
class ConditionSummary:
    """What people did under one set of conditions.

    `mean` is without those who are excluded, `mean_of_all` with them, `first_games` of each person's first game alone.
    `slope` is None where the order of games was not random. `score_alpha` and `choice_alpha` are Krippendorff's alpha
    of people's scores and last choices on the same instance. `left_out` counts games that are in no mean, by reason.
    """

    condition: Condition
    people_seats: tuple[str, ...]
    mean: ClusteredEstimate
    mean_of_all: ClusteredEstimate
    first_games: ClusteredEstimate
    attrition: Sequence[SeatAttrition]
    slope: LearningSlope | None
    score_alpha: float | None
    choice_alpha: float | None
    person_means: Sequence[float]
    """Mean scores of the people, lowest first."""
    models: Sequence[ModelComparison]
    left_out: Mapping[str, int]


def condition_key(condition: Condition) -> str:
    """Return what games have in common that are summarised together: all but the experiment and the study's version."""
    return replace(condition, experiment="", study="").key


def people_seats_of(condition: Condition) -> tuple[str, ...]:
    """Return the seats in which people began."""
    return tuple(seat for seat, player in condition.seats.items() if is_person(player))


def summarise_study(
    plays: Iterable[StudyPlay],
    model_results: Sequence[EpisodeResult],
    excluded: Collection[str],
    *,
    is_random_order: bool,
    is_compared: Callable[[str], bool] = lambda player: True,
) -> list[ConditionSummary]:
    """Return the summaries of all conditions of a study, those with most games first.

    `excluded` are the pseudonyms of people who are left out of the main figures; `model_results` are episodes without
    people, of which those of players for which `is_compared` holds are compared.
    """
    plays_by_condition: dict[str, list[StudyPlay]] = {}
    for play in plays:
        plays_by_condition.setdefault(condition_key(play.result.condition), []).append(play)
    condition_groups = sorted(plays_by_condition.items(), key=lambda group_item: (-len(group_item[1]), group_item[0]))
    return [
        _summarise_condition(c, model_results, excluded, is_random_order=is_random_order, is_compared=is_compared)
        for _, c in condition_groups
    ]


def _summarise_condition(
    plays: Sequence[StudyPlay],
    model_results: Sequence[EpisodeResult],
    excluded: Collection[str],
    *,
    is_random_order: bool,
    is_compared: Callable[[str], bool],
) -> ConditionSummary:
    condition = plays[0].result.condition
    seats = people_seats_of(condition)
    in_order = sorted(plays, key=lambda play: play.was_left)  # of a game of two, the reason of the one who left stays
    left_out = {play.result.episode: reason for play in in_order if (reason := left_out_reason(play))}
    counted_plays = [play for play in plays if play.result.episode not in left_out]
    excluded_episodes = {play.result.episode for play in counted_plays if play.person in excluded}
    left_out |= dict.fromkeys(excluded_episodes, "excluded")
    included_plays = [play for play in counted_plays if play.result.episode not in excluded_episodes]
    candidates = [result for result in model_results if result.condition.game == condition.game]
    players = sorted({player for result in candidates if (player := _player_at(result, seats)) and is_compared(player)})
    comparisons = [_compare_with_model(p, candidates, condition, seats, included_plays, counted_plays) for p in players]
    return ConditionSummary(
        condition,
        seats,
        _mean_score(included_plays),
        _mean_score(counted_plays),
        _mean_score([play for play in included_plays if play.position == 1]),
        [_seat_attrition(seat, [play for play in plays if play.seat == seat], excluded) for seat in seats],
        _fit_slope(included_plays) if is_random_order else None,
        krippendorff_alpha(_scores_by_instance(included_plays)),
        krippendorff_alpha(_choices_by_instance(included_plays), "nominal"),
        sorted(average(scores) for scores in _scores_by_person(included_plays).values()),
        [comparison for comparison in comparisons if comparison.games or comparison.other_conditions],
        Counter(left_out.values()),
    )


def left_out_reason(play: StudyPlay) -> str | None:
    """Return why a game is in no mean, None if it is; the reasons of `engine.results.exclusion` among others."""
    if play.state != COUNTS_MARK:
        return "left" if play.was_left else "not finished"
    if reason := exclusion_reason(play.result):
        return reason
    if play.result.side_scores or play.result.ending == Ending.DECIDED:
        return "sides"
    return "repeated" if play.is_repeat else None


def _score_or_zero(result: EpisodeResult) -> float:
    return result.main_score or 0.0


def _distinct_episodes(plays: Iterable[StudyPlay]) -> list[EpisodeResult]:
    """Return the episodes of games, each once: two people may be in one."""
    return list({play.result.episode: play.result for play in plays}.values())


def _mean_score(plays: Iterable[StudyPlay]) -> ClusteredEstimate:
    return make_score_clusters((result, _score_or_zero(result)) for result in _distinct_episodes(plays)).mean()


def _scores_by_person(plays: Iterable[StudyPlay]) -> dict[str, list[float]]:
    scores_by_person: dict[str, list[float]] = {}
    for play in plays:
        scores_by_person.setdefault(play.person, []).append(_score_or_zero(play.result))
    return scores_by_person


def _scores_by_instance(plays: Iterable[StudyPlay]) -> list[list[float]]:
    scores_by_instance: dict[str, list[float]] = {}
    for result in _distinct_episodes(plays):
        scores_by_instance.setdefault(result.instance_hash, []).append(_score_or_zero(result))
    return list(scores_by_instance.values())


def _choices_by_instance(plays: Iterable[StudyPlay]) -> list[list[str]]:
    choices_by_seat: dict[tuple[str, str], list[str]] = {}
    for play in plays:
        if play.choice is not None:
            choices_by_seat.setdefault((play.result.instance_hash, play.seat), []).append(play.choice)
    return list(choices_by_seat.values())


def _fit_slope(plays: Sequence[StudyPlay]) -> LearningSlope:
    return learning_slope(
        [_score_or_zero(play.result) for play in plays],
        [play.person for play in plays],
        [float(play.position) for play in plays],
    )


def _seat_attrition(seat: str, plays: Sequence[StudyPlay], excluded: Collection[str]) -> SeatAttrition:
    remaining_plays = [play for play in plays if play.person not in excluded]
    left_plays = [play for play in remaining_plays if play.was_left]
    counted_plays = [play for play in remaining_plays if left_out_reason(play) is None]
    scores = [(play.result.instance_hash, (play.person,), _score_or_zero(play.result)) for play in counted_plays]
    scores_with_dropouts = [*scores, *((play.result.instance_hash, (play.person,), 0.0) for play in left_plays)]
    return SeatAttrition(
        seat,
        len({play.person for play in remaining_plays}),
        len({play.person for play in left_plays}),
        len(remaining_plays),
        len(left_plays),
        len(remaining_plays) - len(left_plays) - len(counted_plays),
        *(
            Clusters.of([unit[2] for unit in units], [unit[1] for unit in units], [unit[0] for unit in units]).mean()
            for units in (sorted(scores), sorted(scores_with_dropouts))
        ),
    )


# ---------------------------------------------------------------------- models on the same instances
def _player_at(result: EpisodeResult, seats: Collection[str]) -> str | None:
    """Return the player who sits at all of these seats, None where there is no such player."""
    players = {result.condition.seats.get(seat) for seat in seats}
    return players.pop() if len(players) == 1 else None


def _play_key(condition: Condition, seats: Collection[str]) -> str:
    """Return what must be equal in the games of people and of a model besides the instance."""
    others = {seat: player for seat, player in condition.seats.items() if seat not in seats}
    return canonical(
        [condition.variant, others, condition.settings, condition.reprompt, condition.game_version, condition.prompts]
    )


def _compare_with_model(
    player: str,
    candidates: Iterable[EpisodeResult],
    condition: Condition,
    seats: Collection[str],
    included: Sequence[StudyPlay],
    counted: Sequence[StudyPlay],
) -> ModelComparison:
    play_key, instances = _play_key(condition, seats), {play.result.instance_hash for play in counted}
    scores_by_instance: dict[str, list[float]] = {}
    episodes: dict[str, list[str]] = {}
    other_conditions = 0
    for result in candidates:
        if result.instance_hash not in instances or _player_at(result, seats) != player or exclusion_reason(result):
            continue
        if _play_key(result.condition, seats) == play_key:
            scores_by_instance.setdefault(result.instance_hash, []).append(_score_or_zero(result))
            episodes.setdefault(result.instance_hash, []).append(result.episode)
        else:
            other_conditions += 1
    means = {instance: average(scores) for instance, scores in scores_by_instance.items()}
    shared_plays = [play for play in included if play.result.instance_hash in means]
    people = [play.person for play in shared_plays]
    beaten = beaten_share(
        [_score_or_zero(play.result) for play in shared_plays],
        people,
        [play.result.instance_hash for play in shared_plays],
        means,
    )
    if beaten.people < MIN_CLUSTERS:
        beaten = replace(beaten, share=Estimate(beaten.share.value))
    shared_instances = {play.result.instance_hash for play in shared_plays}
    model_scores = {instance: [means[instance]] for instance in sorted(shared_instances)}
    return ModelComparison(
        player,
        len(shared_instances),
        sum(len(scores_by_instance[instance]) for instance in shared_instances),
        estimate_score(model_scores)
        if len(shared_instances) >= MIN_CLUSTERS
        else _point_estimate([means[i] for i in sorted(shared_instances)]),
        _mean_score(shared_plays),
        _difference_estimate(shared_plays, means),
        _difference_estimate([play for play in counted if play.result.instance_hash in means], means),
        beaten,
        other_conditions,
        [episode for instance in sorted(shared_instances) for episode in episodes[instance]],
    )


def _point_estimate(values: Sequence[float]) -> Estimate:
    return Estimate(average(values)) if values else Estimate()


def _difference_estimate(plays: Iterable[StudyPlay], mean_by_instance: Mapping[str, float]) -> ClusteredEstimate:
    score_units = sorted(
        (result.instance_hash, find_people(result), _score_or_zero(result) - mean_by_instance[result.instance_hash])
        for result in _distinct_episodes(plays)
    )
    return Clusters.of(
        [unit[2] for unit in score_units], [unit[1] for unit in score_units], [unit[0] for unit in score_units]
    ).mean(-100, 100)
