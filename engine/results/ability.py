"""Ratings of cooperative games: how able each player is in each role, and each team of players, with intervals.

    logit(score / 100) = level of the game + sum of the abilities of the team's seats - difficulty of the instance

is a fractional logit: scores are shares, not only 0 and 1, and enter the Bernoulli quasi-likelihood divided by their
dispersion. Source: Papke and Wooldridge 1996, "Econometric methods for fractional response variables",
https://doi.org/10.1002/(SICI)1099-1255(199611)11:6%3C619::AID-JAE418%3E3.0.CO;2-1

Abilities and difficulties have Normal(0, 1) priors, the level a vague one. A person's ability is that of people plus
the person's own difference, which is Normal(0, 1) as well: games of one person depend on each other. The estimate is
the mode of the posterior, the 95 % interval that of its normal approximation there (Laplace). Intervals hold for first
exposures that are independent given abilities and difficulties.

Two players can be compared if the games alone, without the prior, determine the difference of their abilities. A model
that only plays with itself determines a sum: it is rated as a team, and its abilities are marked `prior_only`.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from engine.core.condition import is_person
from engine.core.events import Ending, Json
from engine.results.exclusion import exclusion_reason
from engine.results.rating import POINTS_PER_LOG_ODDS, TIE_DIGITS, make_rating_table_id
from engine.results.statistics import NORMAL_QUANTILE_975
from engine.storage.episode_result import EpisodeResult

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Vector = NDArray[np.float64]

MIN_GAMES_FOR_RATING = 10
"""First exposures from which a player, a person or a team is rated."""
LEVEL_COLUMN = ""
"""The name of the column of the game's level; those of instances are their hashes."""
LEVEL_DEVIATION = 10.0
"""Standard deviation of the prior of the game's level, in log odds: it leaves the level to the games."""
BINARY_GAMES = 5
"""Games with scores of 0 and 100 only that the dispersion of scores starts from: few games cannot make it small."""
MAX_VARIANCE = 1e3
"""Least-squares variance of a difference up to which games determine it, where a game has the variance 1. It is about
the number of partners that link two players; without a link, 1 / `TINY_PRIOR` over the number of players and instances.
"""
TINY_PRIOR = 1e-8


class RatedUnit(NamedTuple):
    """Who has an ability: a player in a role; people of each study, and with `person` a single person among them."""

    role: str
    player: str
    study: str = ""
    person: str = ""

    @property
    def group(self) -> RatedUnit:
        """The unit without the person: people of that study."""
        return RatedUnit(self.role, self.player, self.study) if self.person else self


Team = tuple[RatedUnit, ...]


@dataclass(frozen=True, slots=True)
class TeamGame:
    """A scored game of a team: who had each role, the instance by its hash, and the score from 0 to 1.

    People have a `person` each; of those who are not known, every game has people of its own.
    """

    team: tuple[RatedUnit, ...]
    instance: str
    score: float


@dataclass(frozen=True, slots=True)
class AbilityRating:
    """A player's ability in a role, in points with a 95 % interval; None where nobody else had the role.

    It is measured from the mean of those it can be compared with. `n` counts first exposures. Ratings of equal `group`
    in a role can be compared; `connected` says whether that is everybody, and `prior_only` that it is nobody: then the
    prior alone separates this ability from those of partners. `person` is the participant key of a single person, empty
    for models, programs and for people together.
    """

    role: str
    player: str
    study: str
    person: str
    rating: float | None
    low: float | None
    high: float | None
    n: int
    group: int
    connected: bool
    prior_only: bool


@dataclass(frozen=True, slots=True)
class TeamRating:
    """The sum of the abilities of a team's seats, in points, and its score on an instance of mean difficulty, in %.

    Both have 95 % intervals, from the joint covariance of the abilities. The sum is measured from the mean of the teams
    that it can be compared with, None for the only team. `group` and `connected` are as in
    `AbilityRating`, among teams: only sums are compared, so that models that play with themselves alone can be.
    """

    seats: Mapping[str, str]
    study: str
    rating: float | None
    low: float | None
    high: float | None
    score: float
    score_low: float
    score_high: float
    n: int
    group: int
    connected: bool


@dataclass(frozen=True, slots=True)
class AbilityTable:
    """The ratings of a cooperative game under equal conditions, best first in each role. `asdict` gives the JSON.

    `connected` is False if some of the ratings of a role, or of teams, cannot be compared. `left_out` counts episodes
    by reason: an exclusion reason, `aborted`, or `repeated` if it is no first exposure.
    """

    id: str
    game: str
    variant: str
    settings: Json
    reprompt: int
    game_version: int
    prompts: str
    n: int
    instances: int
    roles: Sequence[str]
    players: Sequence[AbilityRating]
    teams: Sequence[TeamRating]
    connected: bool
    left_out: Mapping[str, int]


class AbilityTables:
    """Computes ability tables of the same log again and again, those whose episodes have changed alone."""

    def __init__(self) -> None:
        self._table_cache: dict[tuple[str, bool], tuple[list[EpisodeResult], set[str], AbilityTable]] = {}

    def find_table(
        self,
        table_id: str,
        results: list[EpisodeResult],
        repeated_episode_ids: Collection[str],
        include_informed_players: bool,
    ) -> AbilityTable:
        """Return the table of the results of one id."""
        repeated_ids = {result.episode for result in results if result.episode in repeated_episode_ids}
        cached_results, cached_repeated_episodes, table = self._table_cache.get(
            (table_id, include_informed_players), ([], set(), None)
        )
        has_same_results = len(results) == len(cached_results) and all(map(operator.is_, results, cached_results))
        if table is None or not has_same_results or repeated_ids != cached_repeated_episodes:
            table = _make_ability_table(table_id, results, repeated_ids, include_informed_players, ())
            self._table_cache[table_id, include_informed_players] = results, repeated_ids, table
        return table


def make_ability_tables(
    results: Iterable[EpisodeResult],
    adversarial_games: Container[str],
    *,
    repeated_episode_ids: Collection[str] = frozenset(),
    include_informed_players: bool = False,
    person_keys: Collection[str] | None = (),
    cache: AbilityTables | None = None,
) -> list[AbilityTable]:
    """Return a table per cooperative game, variant and conditions of play in which anybody can be rated.

    `repeated_episode_ids` are of those with a person who had seen the instance before. `person_keys` are the
    participant keys of people who are rated one by one as well, None for everybody's.
    """
    results_by_table: dict[str, list[EpisodeResult]] = {}
    table_ids: dict[str, str] = {}
    for result in results:
        condition = result.condition
        if condition.game not in adversarial_games:
            if condition.id not in table_ids:
                table_ids[condition.id] = make_rating_table_id(condition)
            results_by_table.setdefault(table_ids[condition.id], []).append(result)
    tables = [
        _make_ability_table(
            table_id, results_by_table[table_id], repeated_episode_ids, include_informed_players, person_keys
        )
        if cache is None
        else cache.find_table(table_id, results_by_table[table_id], repeated_episode_ids, include_informed_players)
        for table_id in results_by_table
    ]
    return sorted(
        (table for table in tables if table.players or table.teams),
        key=lambda table: (table.game, table.variant, table.id),
    )


def collect_team_games(
    results: Iterable[EpisodeResult],
    repeated_episode_ids: Container[str] = frozenset(),
    include_informed_players: bool = False,
) -> tuple[list[tuple[EpisodeResult, TeamGame]], dict[str, list[EpisodeResult]]]:
    """Return the first exposures of teams with their episodes, and the episodes that are left out by reason.

    Of several games of one team on an instance, the first counts: the others say little more about it.
    """
    game_by_key: dict[tuple[object, ...], tuple[EpisodeResult, TeamGame]] = {}
    excluded_results: dict[str, list[EpisodeResult]] = {}
    for result in sorted(results, key=lambda result: (result.created, result.episode)):
        team = tuple(_find_rated_unit(result, role) for role in result.seats)
        reason = exclusion_reason(result, include_informed_players)
        if reason is None and result.ending == Ending.ABORTED:
            reason = "aborted"
        elif reason is None and result.main_score is None:
            reason = "unscored"
        elif reason is None and (
            result.seen_before or result.episode in repeated_episode_ids or (team, result.instance_hash) in game_by_key
        ):
            reason = "repeated"
        if reason:
            excluded_results.setdefault(reason, []).append(result)
        else:
            score = min(max((result.main_score or 0.0) / 100, 0.0), 1.0)
            game_by_key[team, result.instance_hash] = result, TeamGame(team, result.instance_hash, score)
    return list(game_by_key.values()), excluded_results


def _find_rated_unit(result: EpisodeResult, role: str) -> RatedUnit:
    player = result.seats[role]
    if not is_person(player):
        return RatedUnit(role, player)
    person_key = result.participant_by_seat.get(role) or f"unknown {result.episode}"
    return RatedUnit(role, player, result.study, person_key)


def _make_ability_table(
    table_id: str,
    results: Sequence[EpisodeResult],
    repeated_episode_ids: Container[str],
    include_informed_players: bool,
    person_keys: Collection[str] | None,
) -> AbilityTable:
    scored_games, excluded_results = collect_team_games(results, repeated_episode_ids, include_informed_players)
    games = [game for _, game in scored_games]
    players, teams = rate_teams(games, person_keys)
    condition = results[0].condition
    return AbilityTable(
        table_id,
        condition.game,
        condition.variant,
        condition.settings,
        condition.reprompt,
        condition.game_version,
        condition.prompts,
        len(games),
        len({game.instance for game in games}),
        list(dict.fromkeys(rated_unit.role for game in games for rated_unit in game.team)),
        players,
        teams,
        all(rating.connected for rating in players) and all(team.connected for team in teams),
        {reason: len(episodes) for reason, episodes in sorted(excluded_results.items())},
    )


# ---------------------------------------------------------------------- ratings
def rate_teams(
    games: Sequence[TeamGame], person_keys: Collection[str] | None = ()
) -> tuple[list[AbilityRating], list[TeamRating]]:
    """Return the ratings of players in their roles and those of teams of several seats, each best first.

    Abilities that games compare with nobody come last. Rated are those with `MIN_GAMES_FOR_RATING` games; of single
    people those of `person_keys`, with None all who are known. The order of the games makes no difference.
    """
    games = sorted(games, key=lambda game: (game.team, game.instance, game.score))
    unit_counts = Counter(rated_unit.group for game in games for rated_unit in game.team)
    person_counts = Counter(rated_unit for game in games for rated_unit in game.team if rated_unit.person)
    team_counts = Counter(_group_team_units(game) for game in games if len(game.team) > 1)
    rated_persons = [
        rated_unit
        for rated_unit, n in person_counts.items()
        if n >= MIN_GAMES_FOR_RATING
        and (rated_unit.person in person_keys if person_keys is not None else not _is_unknown(rated_unit))
    ]
    if not any(n >= MIN_GAMES_FOR_RATING for n in (*unit_counts.values(), *team_counts.values())):
        return [], []
    ability_fit = fit_abilities(games)
    comparable_teams = Comparability([replace(game, team=_group_team_units(game)) for game in games])
    group_by_unit = comparable_teams.group_units()
    peers_by_unit = _find_peers(unit_counts, group_by_unit)
    ratings = _rate_units(ability_fit, unit_counts, group_by_unit, peers_by_unit)
    if rated_persons:
        rated_counts = {rated_unit: person_counts[rated_unit] for rated_unit in rated_persons}
        ratings += _rate_units(ability_fit, rated_counts, Comparability(games).group_units(), peers_by_unit)
    roles = list(dict.fromkeys(rated_unit.role for game in games for rated_unit in game.team))
    ratings.sort(
        key=lambda rating: (
            roles.index(rating.role),
            rating.prior_only,
            -round(rating.rating or 0.0, TIE_DIGITS),
            rating.player,
            rating.person,
        )
    )
    return ratings, _rate_teams(ability_fit, team_counts, comparable_teams)


def _group_team_units(game: TeamGame) -> tuple[RatedUnit, ...]:
    return tuple(rated_unit.group for rated_unit in game.team)


def _is_unknown(rated_unit: RatedUnit) -> bool:
    return rated_unit.person.startswith("unknown ")


def _rate_units(
    ability_fit: AbilityFit,
    game_counts: Mapping[RatedUnit, int],
    groups: Mapping[RatedUnit, int],
    peers: Mapping[RatedUnit, Sequence[RatedUnit]],
) -> list[AbilityRating]:
    """Return the ratings of units with enough games; `groups` has all units of their roles.

    An ability is measured from the mean of the `peers` in its group of players, or from the average player of the
    prior where games compare it with nobody.
    """
    group_sizes = Counter((rated_unit.role, group) for rated_unit, group in groups.items())
    role_sizes = Counter(rated_unit.role for rated_unit in groups)
    rated_units = [rated_unit for rated_unit, n in game_counts.items() if n >= MIN_GAMES_FOR_RATING]
    is_prior_only = {rated_unit: group_sizes[rated_unit.role, groups[rated_unit]] == 1 for rated_unit in rated_units}
    team_peers: list[tuple[Team, list[Team]]] = [
        ((rated_unit,), [] if is_prior_only[rated_unit] else [(peer,) for peer in peers[rated_unit.group]])
        for rated_unit in rated_units
    ]
    ratings = []
    for rated_unit, (ability, half_width) in zip(rated_units, ability_fit.compare_teams(team_peers), strict=True):
        points, margin = POINTS_PER_LOG_ODDS * ability, POINTS_PER_LOG_ODDS * half_width
        rating = AbilityRating(
            rated_unit.role,
            rated_unit.player,
            rated_unit.study,
            rated_unit.person,
            points,
            points - margin,
            points + margin,
            game_counts[rated_unit],
            groups[rated_unit],
            group_sizes[rated_unit.role, groups[rated_unit]] == role_sizes[rated_unit.role],
            is_prior_only[rated_unit],
        )
        ratings.append(rating if role_sizes[rated_unit.role] > 1 else replace(rating, rating=None, low=None, high=None))
    return ratings


def _find_peers(
    game_counts: Mapping[RatedUnit, int], group_by_unit: Mapping[RatedUnit, int]
) -> dict[RatedUnit, list[RatedUnit]]:
    """Return for each unit the rated units of its role that it can be compared with, itself among them."""
    units_by_group: dict[tuple[str, int], list[RatedUnit]] = {}
    for rated_unit, n in game_counts.items():
        if n >= MIN_GAMES_FOR_RATING:
            units_by_group.setdefault((rated_unit.role, group_by_unit[rated_unit]), []).append(rated_unit)
    return {rated_unit: units_by_group.get((rated_unit.role, group), []) for rated_unit, group in group_by_unit.items()}


def _rate_teams(
    ability_fit: AbilityFit, game_counts: Mapping[Team, int], comparable_teams: Comparability
) -> list[TeamRating]:
    import numpy as np

    teams = [team for team, n in game_counts.items() if n >= MIN_GAMES_FOR_RATING]
    team_groups = comparable_teams.number_groups(teams)
    teams_by_group = {
        group: [team for team, other_group in zip(teams, team_groups, strict=True) if other_group == group]
        for group in team_groups
    }
    team_peers = [
        (team, teams_by_group[group] if len(teams_by_group[group]) > 1 else [])
        for team, group in zip(teams, team_groups, strict=True)
    ]
    team_estimates = zip(
        teams, team_groups, ability_fit.compare_teams(team_peers), ability_fit.predict_odds(teams), strict=True
    )
    ratings = []
    for team, group, (ability, half_width), (predictor, margin) in team_estimates:
        score, lower_score, upper_score = (float(100 / (1 + np.exp(-predictor - sign * margin))) for sign in (0, -1, 1))
        seats = {rated_unit.role: rated_unit.player for rated_unit in team}
        study = " ".join(sorted({rated_unit.study for rated_unit in team} - {""}))
        points = (
            POINTS_PER_LOG_ODDS * ability,
            POINTS_PER_LOG_ODDS * (ability - half_width),
            POINTS_PER_LOG_ODDS * (ability + half_width),
        )
        interval: tuple[float | None, float | None, float | None] = points if len(teams) > 1 else (None, None, None)
        is_connected = len(teams_by_group) == 1
        ratings.append(
            TeamRating(seats, study, *interval, score, lower_score, upper_score, game_counts[team], group, is_connected)
        )
    return sorted(ratings, key=lambda rating: (-round(rating.rating or 0.0, TIE_DIGITS), *rating.seats.values()))


# ---------------------------------------------------------------------- the model
@dataclass(frozen=True, slots=True)
class AbilityFit:
    """The mode of the posterior, and with `solve_covariance` its covariance. Log odds, one entry per design column.

    `columns` has abilities by unit, difficulties by the hash of the instance, and the level by `LEVEL_COLUMN`.
    """

    columns: Mapping[RatedUnit | str, int]
    estimate: Vector
    dispersion: float
    """Variance of scores over that of scores of 0 and 1 with the same mean, 0 to 1."""
    solve_covariance: Callable[[Vector], Vector] = field(repr=False)
    """From a matrix (columns, k) to the covariance matrix times it."""

    def compare_teams(self, team_peers: Sequence[tuple[Team, Sequence[Team]]]) -> list[tuple[float, float]]:
        """Return sums of abilities less the mean sum of peers, if any, and half the widths of their 95 % intervals.

        In log odds, for pairs of a team (or one unit) and its peers.
        """
        import numpy as np

        if not team_peers:
            return []
        weights = self._make_team_weights([team for team, _ in team_peers])
        mean_weights: dict[tuple[Team, ...], Vector] = {}
        for row_index, (_, peers) in enumerate(team_peers):
            if peers:
                peer_key = tuple(peers)
                if peer_key not in mean_weights:
                    mean_weights[peer_key] = np.mean(self._make_team_weights(peers), axis=0)
                weights[row_index] -= mean_weights[peer_key]
        return self._combine_columns(weights)

    def predict_odds(self, teams: Sequence[Team]) -> list[tuple[float, float]]:
        """Return log odds of each team's score on an instance of mean difficulty, and half the widths of intervals."""
        if not teams:
            return []
        weights = self._make_team_weights(teams)
        instance_columns = [column for key, column in self.columns.items() if isinstance(key, str) and key]
        weights[:, self.columns[LEVEL_COLUMN]] = 1
        weights[:, instance_columns] = -1 / len(instance_columns)
        return self._combine_columns(weights)

    def _make_team_weights(self, teams: Sequence[Team]) -> Vector:
        weights: Vector = _make_weight_matrix(self.columns, [_add_people(team) for team in teams]).toarray()
        return weights

    def _combine_columns(self, weights: Vector) -> list[tuple[float, float]]:
        import numpy as np

        variances = np.einsum("tc,ct->t", weights, self.solve_covariance(weights.T))
        error_margins = NORMAL_QUANTILE_975 * np.sqrt(np.clip(variances, 0, None))
        return list(zip(map(float, weights @ self.estimate), map(float, error_margins), strict=True))


def fit_abilities(games: Sequence[TeamGame]) -> AbilityFit:
    """Fit the model of the module to games by Newton's method, and the dispersion of scores by their moments.

    A score y with mean m has the variance s m(1 - m). As m(1 - m) is the mean of y(1 - y) + (y - m)², s is estimated
    as the share of the squared residuals in that sum: 1 where all scores are 0 or 1, however good the fit. Residuals
    are enlarged for the number of parameters that games determine.
    """
    import numpy as np

    column_by_name = _assign_column_numbers(games, has_level=True)
    teams = [_add_people(game.team) for game in games]
    design_matrix = _make_weight_matrix(column_by_name, teams, [game.instance for game in games], has_level=True)
    scores = np.array([game.score for game in games])
    prior_precision = np.ones(len(column_by_name))
    prior_precision[column_by_name[LEVEL_COLUMN]] = LEVEL_DEVIATION**-2
    estimate, dispersion = np.zeros(len(column_by_name)), 1.0
    for _ in range(20):
        estimate, curvature = _find_posterior_mode(design_matrix, scores, prior_precision, dispersion, estimate)
        expected_scores = 1 / (1 + np.exp(-(design_matrix @ estimate)))
        effective_parameter_count = float(np.sum(1 - prior_precision / curvature.diagonal()))
        squares = (
            float(np.sum((scores - expected_scores) ** 2)) / max(1 - effective_parameter_count / len(games), 0.1)
            + BINARY_GAMES / 4
        )
        previous_dispersion, dispersion = (dispersion, squares / (squares + float(scores @ (1 - scores))))
        if abs(dispersion - previous_dispersion) < 1e-3:
            break
    return AbilityFit(column_by_name, estimate, dispersion, _make_solver(curvature))


def _add_people(team: Iterable[RatedUnit]) -> list[RatedUnit]:
    """Return the units of a team, and people together for each person, whose own column is the difference from them."""
    return [
        rated_unit
        for team_unit in team
        for rated_unit in ([team_unit, team_unit.group] if team_unit.person else [team_unit])
    ]


def _find_posterior_mode(
    design_matrix: csr_array, scores: Vector, prior_precision: Vector, dispersion: float, initial_estimate: Vector
) -> tuple[Vector, csr_array]:
    """Return the mode of the posterior, from a start, and the curvature there (columns, columns)."""
    import numpy as np
    from scipy.sparse import diags_array

    estimate = initial_estimate
    for _ in range(100):
        mean_scores = 1 / (1 + np.exp(-(design_matrix @ estimate)))
        gradient = design_matrix.T @ (scores - mean_scores) / dispersion - prior_precision * estimate
        variance_matrix = diags_array(mean_scores * (1 - mean_scores) / dispersion)
        curvature = (design_matrix.T @ variance_matrix @ design_matrix + diags_array(prior_precision)).tocsc()
        newton_step = _make_solver(curvature)(gradient)
        estimate = estimate + newton_step / max(1.0, float(np.abs(newton_step).max()))
        if np.abs(newton_step).max() < 1e-9:
            break
    return estimate, curvature


def _make_solver(matrix: csr_array) -> Callable[[Vector], Vector]:
    from scipy.sparse.linalg import splu  # late: it takes a fifth of a second

    solve_system: Callable[[Vector], Vector] = splu(
        matrix.tocsc(), permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}
    ).solve
    return solve_system


def _assign_column_numbers(games: Sequence[TeamGame], *, has_level: bool) -> dict[RatedUnit | str, int]:
    """Return the column of each unit, of people together, and of each instance; the level comes last."""
    units = {rated_unit for game in games for rated_unit in game.team}
    if has_level:
        units |= {rated_unit.group for rated_unit in units}
    column_names: list[RatedUnit | str] = [
        *sorted(units),
        *sorted({game.instance for game in games}),
        *([LEVEL_COLUMN] if has_level else []),
    ]
    return {column_name: column for column, column_name in enumerate(column_names)}


def _make_weight_matrix(
    column_by_name: Mapping[RatedUnit | str, int],
    teams: Sequence[Collection[RatedUnit]],
    instances: Sequence[str] = (),
    *,
    has_level: bool = False,
) -> csr_array:
    """Return a row per team (teams, columns): 1 for abilities, -1 for the instance, and 1 for the level if asked."""
    import numpy as np
    from scipy.sparse import csr_array

    row_numbers = np.arange(len(teams))
    coordinate_triples = [
        (
            np.repeat(row_numbers, list(map(len, teams))),
            [column_by_name[rated_unit] for team in teams for rated_unit in team],
            1.0,
        )
    ]
    if instances:
        coordinate_triples.append((row_numbers, [column_by_name[instance] for instance in instances], -1.0))
    if has_level:
        coordinate_triples.append((row_numbers, [column_by_name[LEVEL_COLUMN]] * len(teams), 1.0))
    row_indices, column_indices = (np.concatenate([triple[axis] for triple in coordinate_triples]) for axis in (0, 1))
    weight_values = np.concatenate([np.full(len(triple[0]), triple[2]) for triple in coordinate_triples])
    return csr_array((weight_values, (row_indices, column_indices)), shape=(len(teams), len(column_by_name)))


# ---------------------------------------------------------------------- who can be compared
class Comparability:
    """Which differences of sums of abilities some games determine.

    A difference is determined if it is a combination of the rows of the design, that is, if its least-squares variance
    is bounded. That is found with a prior so wide that an unbounded variance shows.
    """

    def __init__(self, games: Sequence[TeamGame]) -> None:
        import numpy as np
        from scipy.sparse import diags_array

        self._column_numbers = _assign_column_numbers(games, has_level=False)
        team_instances = list(dict.fromkeys((game.team, game.instance) for game in games))
        design = _make_weight_matrix(
            self._column_numbers, [team for team, _ in team_instances], [instance for _, instance in team_instances]
        )
        self._solver = _make_solver(design.T @ design + diags_array(np.full(len(self._column_numbers), TINY_PRIOR)))
        self.units = sorted({rated_unit for team, _ in team_instances for rated_unit in team})

    def number_groups(self, teams: Sequence[Team]) -> list[int]:
        """Return the number of a group for each team, from 1, the largest: inside it differences are determined."""
        import numpy as np

        if not teams:
            return []
        weights = _make_weight_matrix(self._column_numbers, teams).toarray()
        covariance = weights @ self._solver(weights.T)
        variances = np.diag(covariance)
        is_comparable = variances[:, None] + variances[None, :] - 2 * covariance < MAX_VARIANCE
        first_members = np.argmax(is_comparable, axis=1).tolist()
        sizes = Counter(first_members)
        group_number_by_member = {member: n for n, member in enumerate(sorted(sizes, key=lambda i: (-sizes[i], i)), 1)}
        return [group_number_by_member[member] for member in first_members]

    def group_units(self) -> dict[RatedUnit, int]:
        """Return the group of each unit among those of its role."""
        group_by_unit: dict[RatedUnit, int] = {}
        for role in sorted({rated_unit.role for rated_unit in self.units}):
            role_units = [rated_unit for rated_unit in self.units if rated_unit.role == role]
            group_by_unit |= zip(
                role_units, self.number_groups([(rated_unit,) for rated_unit in role_units]), strict=True
            )
        return group_by_unit
