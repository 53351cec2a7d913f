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
from engine.core.events import Ending, canonical_json
from engine.results.agreement import krippendorff_alpha
from engine.results.exclusion import exclusion_reason
from engine.results.participation import find_people, make_score_clusters
from engine.results.statistics import Estimate, average, estimate_score
from engine.results.study_analysis import LearningSlope, PeopleBeatenByModel, count_people_beaten, fit_learning_slope
from engine.results.two_way import MIN_CLUSTERS, ClusteredEstimate, Clusters
from engine.storage.episode_result import EpisodeResult

COUNTED_GAME_STATE = "counts"


@dataclass(frozen=True, slots=True)
class StudyPlay:
    """A game of one participant. `person` is the pseudonym, `position` the number of the game for this person, from 1.

    `state` is "counts", or why the game does not count. `was_abandoned` says whether this person went away from it, and
    `is_repeat` whether a person in it had seen the instance before. `choice` is the person's last choice in it.
    """

    person: str
    position: int
    seat: str
    state: str
    result: EpisodeResult
    was_abandoned: bool = False
    is_repeat: bool = False
    choice: str | None = None


@dataclass(frozen=True, slots=True)
class SeatAttrition:
    """What became of the people who began a game at a seat, and their mean with games that they left as 0."""

    seat: str
    people: int
    people_who_left: int
    games: int
    abandoned_game_count: int
    uncounted_game_count: int
    mean: ClusteredEstimate
    mean_with_dropouts: ClusteredEstimate


@dataclass(frozen=True, slots=True)
class ModelComparison:
    """People against one model on the instances that both played.

    `model` and `people` are means over these instances, `difference` is people minus model, on each game the person's
    score minus the model's mean on the instance; `difference_with_excluded` is the same without exclusions.
    `other_conditions` counts the model's games on these instances with other settings, prompts, rules or partners,
    which are left out.
    """

    player: str
    instances: int
    games: int
    model: Estimate
    people: ClusteredEstimate
    difference: ClusteredEstimate
    difference_with_excluded: ClusteredEstimate
    people_beaten: PeopleBeatenByModel
    other_conditions: int
    episodes: Sequence[str]
    """The ids of the model's episodes that are compared."""


@dataclass(frozen=True, slots=True)
class ConditionSummary:
    """What people did under one set of conditions.

    `mean` is without those who are excluded, `mean_with_excluded` with them, `first_games` of each person's first game
    alone. `slope` is None where the order of games was not random. `score_alpha` and `choice_alpha` are Krippendorff's
    alpha of people's scores and last choices on the same instance. `left_out` counts games that are in no mean, by
    reason.
    """

    condition: Condition
    people_seats: tuple[str, ...]
    mean: ClusteredEstimate
    mean_with_excluded: ClusteredEstimate
    first_games: ClusteredEstimate
    attrition: Sequence[SeatAttrition]
    slope: LearningSlope | None
    score_alpha: float | None
    choice_alpha: float | None
    person_means: Sequence[float]
    """Mean scores of the people, lowest first."""
    models: Sequence[ModelComparison]
    left_out: Mapping[str, int]


def make_condition_key(condition: Condition) -> str:
    """Return what games have in common that are summarised together: all but the experiment and the study's version."""
    return replace(condition, experiment="", study="").key


def list_people_seats(condition: Condition) -> tuple[str, ...]:
    """Return the seats in which people began."""
    return tuple(seat for seat, player in condition.seats.items() if is_person(player))


def summarise_study(
    plays: Iterable[StudyPlay],
    model_results: Sequence[EpisodeResult],
    excluded_people: Collection[str],
    *,
    is_random_order: bool,
    is_compared: Callable[[str], bool] = lambda player: True,
) -> list[ConditionSummary]:
    """Return the summaries of all conditions of a study, those with most games first.

    `excluded_people` are the pseudonyms of people left out of the main figures; `model_results` are episodes without
    people, of which those of players for which `is_compared` holds are compared.
    """
    plays_by_condition: dict[str, list[StudyPlay]] = {}
    for play in plays:
        plays_by_condition.setdefault(make_condition_key(play.result.condition), []).append(play)
    condition_groups = sorted(plays_by_condition.items(), key=lambda group: (-len(group[1]), group[0]))
    return [
        _summarise_condition(
            plays, model_results, excluded_people, is_random_order=is_random_order, is_compared=is_compared
        )
        for _, plays in condition_groups
    ]


def _summarise_condition(
    plays: Sequence[StudyPlay],
    model_results: Sequence[EpisodeResult],
    excluded_people: Collection[str],
    *,
    is_random_order: bool,
    is_compared: Callable[[str], bool],
) -> ConditionSummary:
    condition = plays[0].result.condition
    seats = list_people_seats(condition)
    sorted_plays = sorted(
        plays, key=lambda play: play.was_abandoned
    )  # of a game of two, the reason of the one who left stays
    reason_by_episode = {
        play.result.episode: reason for play in sorted_plays if (reason := find_exclusion_reason(play))
    }
    counted_plays = [play for play in plays if play.result.episode not in reason_by_episode]
    excluded_episodes = {play.result.episode for play in counted_plays if play.person in excluded_people}
    reason_by_episode |= dict.fromkeys(excluded_episodes, "excluded")
    included_plays = [play for play in counted_plays if play.result.episode not in excluded_episodes]
    games = [result for result in model_results if result.condition.game == condition.game]
    players = sorted({player for result in games if (player := _find_player(result, seats)) and is_compared(player)})
    comparisons = [_compare_model(player, games, condition, seats, included_plays, counted_plays) for player in players]
    return ConditionSummary(
        condition,
        seats,
        _average_score(included_plays),
        _average_score(counted_plays),
        _average_score([play for play in included_plays if play.position == 1]),
        [_count_attrition(seat, [play for play in plays if play.seat == seat], excluded_people) for seat in seats],
        _fit_slope(included_plays) if is_random_order else None,
        krippendorff_alpha(_group_scores_by_instance(included_plays)),
        krippendorff_alpha(_group_choices(included_plays), "nominal"),
        sorted(average(scores) for scores in _group_scores_by_person(included_plays).values()),
        [comparison for comparison in comparisons if comparison.games or comparison.other_conditions],
        Counter(reason_by_episode.values()),
    )


def find_exclusion_reason(play: StudyPlay) -> str | None:
    """Return why a game is in no mean, None if it is; the reasons of `engine.results.exclusion` among others."""
    if play.state != COUNTED_GAME_STATE:
        return "left" if play.was_abandoned else "not finished"
    if reason := exclusion_reason(play.result):
        return reason
    if play.result.side_scores or play.result.ending == Ending.DECIDED:
        return "sides"
    return "repeated" if play.is_repeat else None


def _read_score(result: EpisodeResult) -> float:
    return result.main_score or 0.0


def _list_distinct_episodes(plays: Iterable[StudyPlay]) -> list[EpisodeResult]:
    """Return the episodes of games, each once: two people may be in one."""
    return list({play.result.episode: play.result for play in plays}.values())


def _average_score(plays: Iterable[StudyPlay]) -> ClusteredEstimate:
    return make_score_clusters((result, _read_score(result)) for result in _list_distinct_episodes(plays)).mean()


def _group_scores_by_person(plays: Iterable[StudyPlay]) -> dict[str, list[float]]:
    scores_by_person: dict[str, list[float]] = {}
    for play in plays:
        scores_by_person.setdefault(play.person, []).append(_read_score(play.result))
    return scores_by_person


def _group_scores_by_instance(plays: Iterable[StudyPlay]) -> list[list[float]]:
    scores_by_instance: dict[str, list[float]] = {}
    for result in _list_distinct_episodes(plays):
        scores_by_instance.setdefault(result.instance_hash, []).append(_read_score(result))
    return list(scores_by_instance.values())


def _group_choices(plays: Iterable[StudyPlay]) -> list[list[str]]:
    choices_by_seat: dict[tuple[str, str], list[str]] = {}
    for play in plays:
        if play.choice is not None:
            choices_by_seat.setdefault((play.result.instance_hash, play.seat), []).append(play.choice)
    return list(choices_by_seat.values())


def _fit_slope(plays: Sequence[StudyPlay]) -> LearningSlope:
    return fit_learning_slope(
        [_read_score(play.result) for play in plays],
        [play.person for play in plays],
        [float(play.position) for play in plays],
    )


def _count_attrition(seat: str, plays: Sequence[StudyPlay], excluded_people: Collection[str]) -> SeatAttrition:
    remaining_plays = [play for play in plays if play.person not in excluded_people]
    abandoned_plays = [play for play in remaining_plays if play.was_abandoned]
    counted_plays = [play for play in remaining_plays if find_exclusion_reason(play) is None]
    game_scores = [(play.result.instance_hash, (play.person,), _read_score(play.result)) for play in counted_plays]
    scores_with_zeros = [*game_scores, *((play.result.instance_hash, (play.person,), 0.0) for play in abandoned_plays)]
    return SeatAttrition(
        seat,
        len({play.person for play in remaining_plays}),
        len({play.person for play in abandoned_plays}),
        len(remaining_plays),
        len(abandoned_plays),
        len(remaining_plays) - len(abandoned_plays) - len(counted_plays),
        *(
            Clusters.with_equal_weights(
                [game[2] for game in games], [game[1] for game in games], [game[0] for game in games]
            ).mean()
            for games in (sorted(game_scores), sorted(scores_with_zeros))
        ),
    )


# ---------------------------------------------------------------------- models on the same instances
def _find_player(result: EpisodeResult, seats: Collection[str]) -> str | None:
    """Return the player who sits at all of these seats, None where there is no such player."""
    seat_players = {result.condition.seats.get(seat) for seat in seats}
    return seat_players.pop() if len(seat_players) == 1 else None


def _make_play_key(condition: Condition, seats: Collection[str]) -> str:
    """Return what must be equal in the games of people and of a model besides the instance."""
    partners = {seat: player for seat, player in condition.seats.items() if seat not in seats}
    return canonical_json(
        [condition.variant, partners, condition.settings, condition.reprompt, condition.game_version, condition.prompts]
    )


def _compare_model(
    player: str,
    candidates: Iterable[EpisodeResult],
    condition: Condition,
    seats: Collection[str],
    included_plays: Sequence[StudyPlay],
    counted_plays: Sequence[StudyPlay],
) -> ModelComparison:
    play_key, instances = _make_play_key(condition, seats), {play.result.instance_hash for play in counted_plays}
    scores_by_instance: dict[str, list[float]] = {}
    episodes: dict[str, list[str]] = {}
    other_count = 0
    for result in candidates:
        if result.instance_hash not in instances or _find_player(result, seats) != player or exclusion_reason(result):
            continue
        if _make_play_key(result.condition, seats) == play_key:
            scores_by_instance.setdefault(result.instance_hash, []).append(_read_score(result))
            episodes.setdefault(result.instance_hash, []).append(result.episode)
        else:
            other_count += 1
    model_mean_by_instance = {instance: average(scores) for instance, scores in scores_by_instance.items()}
    shared_plays = [play for play in included_plays if play.result.instance_hash in model_mean_by_instance]
    people = [play.person for play in shared_plays]
    people_beaten = count_people_beaten(
        [_read_score(play.result) for play in shared_plays],
        people,
        [play.result.instance_hash for play in shared_plays],
        model_mean_by_instance,
    )
    if people_beaten.people < MIN_CLUSTERS:
        people_beaten = replace(people_beaten, beaten_share=Estimate(people_beaten.beaten_share.value))
    shared_instances = {play.result.instance_hash for play in shared_plays}
    model_scores = {instance: [model_mean_by_instance[instance]] for instance in sorted(shared_instances)}
    return ModelComparison(
        player,
        len(shared_instances),
        sum(len(scores_by_instance[instance]) for instance in shared_instances),
        estimate_score(model_scores)
        if len(shared_instances) >= MIN_CLUSTERS
        else _make_estimate([model_mean_by_instance[instance] for instance in sorted(shared_instances)]),
        _average_score(shared_plays),
        _estimate_difference(shared_plays, model_mean_by_instance),
        _estimate_difference(
            [play for play in counted_plays if play.result.instance_hash in model_mean_by_instance],
            model_mean_by_instance,
        ),
        people_beaten,
        other_count,
        [episode for instance in sorted(shared_instances) for episode in episodes[instance]],
    )


def _make_estimate(numbers: Sequence[float]) -> Estimate:
    return Estimate(average(numbers)) if numbers else Estimate()


def _estimate_difference(plays: Iterable[StudyPlay], mean_by_instance: Mapping[str, float]) -> ClusteredEstimate:
    game_scores = sorted(
        (result.instance_hash, find_people(result), _read_score(result) - mean_by_instance[result.instance_hash])
        for result in _list_distinct_episodes(plays)
    )
    return Clusters.with_equal_weights(
        [game[2] for game in game_scores], [game[1] for game in game_scores], [game[0] for game in game_scores]
    ).mean(-100, 100)
