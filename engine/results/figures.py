"""The rows behind the figures of the papers, computed from our own results, and the same rows as CSV.

    rows = make_figure_rows("difficulty", results, registry)
    format_figure_csv(rows)
    plots.draw_figure("difficulty", rows, format="png", dark=True)

The caller chooses the episodes. Excluded episodes (`exclusion_reason`) are counted in columns of their own. Games of
sides have no quality and are in no figure. `engine/results/plots.py` draws the rows.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from engine.core.condition import Condition
from engine.core.events import Ending, Json, canonical_json
from engine.core.spreadsheet import escape_formulas
from engine.results.clemscore import GameMeans, compute_clemscore, describe_seating, has_mixed_settings, split_variant
from engine.results.exclusion import EXCLUSION_REASONS
from engine.results.leaderboard import find_games_without_clemscore
from engine.results.statistics import Estimate, average_estimates, estimate_difference
from engine.results.table import MissingEpisodes, ResultRow, make_result_rows
from engine.storage.episode_result import EpisodeResult

if TYPE_CHECKING:
    from engine.core.game import Game
    from engine.play.registry import Registry

PlannedCounts = Mapping[str, MissingEpisodes]
"""Planned episodes that were not begun, by the id of their condition (`Results.missing_episodes_by_condition`)."""

FIGURE_COLUMNS = {
    "id": "id of the condition, as in `ludens results --format json`",
    "game": "game, or game/task as in a clemscore",
    "variant": "variant of the game",
    "experiment": "experiment of the variant",
    "modality": "text or picture",
    "distance": "moves from the start to the room to find",
    "board": "a modality, or a game that enters no clemscore",
    "player": "player, with the settings and versions in which rows of the game differ; without a remark: the defaults",
    "kind": "person (one at any seat), model (one at any seat, no person) or program",
    "games": "games of the board with a counted episode",
    "lacks": "games of the board without one",
    "mixed_settings": "games whose episodes have different settings or versions",
    "n": "counted episodes",
    "played": "% of them not aborted",
    "quality": "mean main score of those, 0 to 100; on a leaderboard the mean over games",
    "score_all": "mean main score with aborted episodes as 0",
    "clemscore": "mean % played over games times mean quality over games, / 100",
    "success": "% of counted episodes that found the room",
    "text": "score_all in text, which is the clemscore of this one game",
    "picture": "score_all in pictures",
    "difference": "text minus picture, in points",
    "text_n": "counted episodes in text",
    "picture_n": "counted episodes in pictures",
    **dict.fromkeys(EXCLUSION_REASONS, "episodes excluded for this reason"),
    "missing": "episodes planned by `ludens run` and not begun",
    "settings": "settings of the game",
    "reprompt": "reminders allowed per ask",
    "game_version": "version of the rules",
    "prompts": "name and version of the prompt set",
}
"""What the columns hold. NAME_low and NAME_high are the ends of NAME's 95 % interval. Empty: nothing to average,
or of intervals: too few people or instances."""


class UnknownFigure(LookupError):
    """A figure does not exist; the message names the figures there are."""


class NoEpisodesForFigure(ValueError):
    """No episode fits the figure; the message says why, or how to play some."""


# ---------------------------------------------------------------------- rows
@dataclass(frozen=True, slots=True)
class FigureRow:
    """What the rows of all figures have in common: who played, how many episodes count, how many are left out why."""

    player: str
    kind: str
    n: int
    excluded_counts: Mapping[str, int]

    def as_json(self) -> Json:
        """Return the row by columns, in their order."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ExperimentRow(FigureRow):
    """A player on an experiment."""

    result_row: ResultRow

    def as_json(self) -> Json:
        result_row, condition = self.result_row, self.result_row.condition
        return {
            "game": condition.game,
            "variant": condition.variant,
            "experiment": condition.experiment,
            "player": self.player,
            "kind": self.kind,
            "n": self.n,
            **result_row.played.as_json("played"),
            **result_row.quality.as_json("quality"),
            **result_row.score_all.as_json("score_all"),
            **self.excluded_counts,
            **_list_play_columns(condition),
            "id": condition.id,
        }


@dataclass(frozen=True, slots=True)
class ModalityRow(FigureRow):
    """A player at a game in text and in pictures; n is the smaller number of episodes."""

    text_row: ResultRow
    picture_row: ResultRow
    difference: Estimate

    @property
    def game(self) -> str:
        """The game, with its task."""
        return self.text_row.condition.game

    def as_json(self) -> Json:
        return {
            "game": self.game,
            "player": self.player,
            "kind": self.kind,
            "text_n": self.text_row.n,
            "picture_n": self.picture_row.n,
            **self.text_row.score_all.as_json("text"),
            **self.picture_row.score_all.as_json("picture"),
            **self.difference.as_json("difference"),
            **self.excluded_counts,
            **_list_play_columns(self.text_row.condition),
        }


@dataclass(frozen=True, slots=True)
class DistanceRow(FigureRow):
    """A player, or all models, on an experiment whose goals are a number of moves away."""

    result_row: ResultRow
    modality: str
    distance: str

    def as_json(self) -> Json:
        return {
            "modality": self.modality,
            "experiment": self.result_row.condition.experiment,
            "distance": self.distance,
            "player": self.player,
            "kind": self.kind,
            "n": self.n,
            **self.result_row.played.as_json("played"),
            **self.result_row.score_all.as_json("success"),
            **self.excluded_counts,
            **_list_play_columns(self.result_row.condition),
        }


@dataclass(frozen=True, slots=True)
class LeaderboardRow(FigureRow):
    """A player on a board: means over its games."""

    board: str
    games: Sequence[str]
    lacking: Sequence[str]
    mixed_settings: Sequence[str]
    played: Estimate
    quality: Estimate
    clemscore: float | None
    reprompt: int

    def as_json(self) -> Json:
        return {
            "board": self.board,
            "player": self.player,
            "kind": self.kind,
            "games": self.games,
            "lacks": self.lacking,
            "mixed_settings": self.mixed_settings,
            "n": self.n,
            **self.played.as_json("played"),
            **self.quality.as_json("quality"),
            "clemscore": self.clemscore,
            **self.excluded_counts,
            "reprompt": self.reprompt,
        }


def _list_play_columns(condition: Condition) -> Json:
    return {
        "settings": condition.settings,
        "reprompt": condition.reprompt,
        "game_version": condition.game_version,
        "prompts": condition.prompts,
        **({"study": condition.study} if condition.study else {}),
    }


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: its title, a sentence on what it shows, and the function that makes its rows."""

    title: str
    caption: str
    make_rows: Callable[[Sequence[EpisodeResult], Registry, bool, PlannedCounts | None], Sequence[FigureRow]]
    advice: str
    """What to do if no episode fits."""


def make_figure_rows(
    figure_name: str,
    results: Iterable[EpisodeResult],
    registry: Registry,
    *,
    include_informed_players: bool = False,
    missing_episodes: PlannedCounts | None = None,
) -> Sequence[FigureRow]:
    """Return the rows behind a figure, in the order in which they are drawn. Scores and differences are in points.

    Raises `UnknownFigure`, and `NoEpisodesForFigure` if no episode fits the figure or none counts.
    """
    figure = find_figure(figure_name)
    selected_results = list(results)
    adversarial_games = {game_name for game_name, game in registry.games.items() if game.adversarial}
    usable_results = [
        result
        for result in selected_results
        if not (result.game in adversarial_games or result.side_scores or result.ending == Ending.DECIDED)
    ]
    rows = figure.make_rows(usable_results, registry, include_informed_players, missing_episodes)
    if not any(row.n for row in rows):
        raise NoEpisodesForFigure(_explain_empty_figure(figure, selected_results, usable_results, rows))
    return rows


def format_figure_csv(plot_rows: Sequence[FigureRow], *, raw_cells: bool = False) -> str:
    """Return the rows of a figure (at least one) as CSV with a header; lists are joined by spaces, objects are JSON.

    No cell is a formula, unless `raw_cells`.
    """
    csv_file = io.StringIO()
    csv_rows = [{column: _format_csv_cell(cell) for column, cell in row.as_json().items()} for row in plot_rows]
    column_names = max((list(csv_row) for csv_row in csv_rows), key=len)  # rows of studies have a column more
    csv_writer = csv.DictWriter(csv_file, column_names, lineterminator="\n")
    csv_writer.writeheader()
    csv_writer.writerows(escape_formulas(csv_row, is_raw=raw_cells) for csv_row in csv_rows)
    return csv_file.getvalue()


def find_figure(figure_name: str) -> Figure:
    """Return a figure. Raises `UnknownFigure` naming the figures there are."""
    if figure_name not in FIGURE_BY_NAME:
        raise UnknownFigure(f"no figure {figure_name!r}; there are: {', '.join(FIGURE_BY_NAME)}")
    return FIGURE_BY_NAME[figure_name]


def count_excluded_episodes(plot_rows: Iterable[FigureRow]) -> dict[str, int]:
    """Return the number of episodes that all rows leave out, by reason."""
    count_by_reason = dict.fromkeys((*EXCLUSION_REASONS, "missing"), 0)
    for plot_row in plot_rows:
        for reason, episode_count in plot_row.excluded_counts.items():
            count_by_reason[reason] += episode_count
    return {reason: episode_count for reason, episode_count in count_by_reason.items() if episode_count}


def _explain_empty_figure(
    figure: Figure,
    selected_results: Sequence[EpisodeResult],
    usable_results: Sequence[EpisodeResult],
    plot_rows: Sequence[FigureRow],
) -> str:
    if selected_results and not usable_results:
        game_names = ", ".join(sorted({result.game for result in selected_results}))
        return f"{game_names}: a game of sides has no quality; `ludens results` has its ratings"
    counts_text = ", ".join(f"{count} {reason}" for reason, count in count_excluded_episodes(plot_rows).items())
    return f"No episode counts: {counts_text}" if counts_text else figure.advice


def _format_csv_cell(cell_value: object) -> object:
    if isinstance(cell_value, Mapping):
        return canonical_json(cell_value)
    return " ".join(map(str, cell_value)) if isinstance(cell_value, list | tuple) else cell_value


# ---------------------------------------------------------------------- players
def rank_players(player_values: Iterable[tuple[str, float | None]]) -> dict[str, tuple[float, str]]:
    """Return a sort key for each player: the best mean of its values first, then by name."""
    values_by_player: dict[str, list[float]] = {}
    for player, player_value in player_values:
        values_by_player.setdefault(player, []).extend([] if player_value is None else [player_value])
    return {
        player: (-math.fsum(values) / len(values) if values else math.inf, player)
        for player, values in values_by_player.items()
    }


def _label_players(labelled_rows: Sequence[ResultRow], registry: Registry) -> list[str]:
    """Return the player of each row, with the settings and versions in which rows differ and that are not defaults."""
    find_defaults = cache(lambda game: list_defaults(registry.games.get(game)))
    all_settings = [find_defaults(_find_game_name(row)) | list_settings(row.condition) for row in labelled_rows]
    values_by_setting: dict[str, set[str]] = {}
    for row_settings in all_settings:
        for setting_name, setting_value in row_settings.items():
            values_by_setting.setdefault(setting_name, set()).add(setting_value)
    labels = []
    for labelled_row, row_settings in zip(labelled_rows, all_settings, strict=True):
        default_values = find_defaults(_find_game_name(labelled_row))
        remarks = [
            "imported" if setting_value == IMPORTED_PROMPTS else f"{setting_name}={setting_value}"
            for setting_name, setting_value in row_settings.items()
            if len(values_by_setting[setting_name]) > 1 and setting_value != default_values.get(setting_name)
        ]
        label = describe_seating(labelled_row.condition.seats)
        labels.append(f"{label} ({', '.join(remarks)})" if remarks else label)
    return labels


def list_settings(condition: Condition) -> dict[str, str]:
    """Return the settings, versions and study of a condition as texts, by name."""
    setting_texts = _format_settings(condition.settings, condition.reprompt, condition.game_version, condition.prompts)
    return setting_texts | {"study": condition.study}


def list_defaults(game: Game | None) -> dict[str, str]:
    """Return the settings and versions of episodes for which nothing else was chosen."""
    if game is None:
        return {"reprompt": "0"}
    return _format_settings(game.settings.defaults(), 0, game.version, f"{game.prompts.name} {game.prompts.version}")


def _format_settings(settings: Json, reprompt: int, version: int, prompts: str) -> dict[str, str]:
    text_by_setting = {setting_name: str(setting_value) for setting_name, setting_value in settings.items()}
    return text_by_setting | {"reprompt": str(reprompt), "version": str(version), "prompts": prompts}


def _find_game_name(result_row: ResultRow) -> str:
    return result_row.condition.game.partition("/")[0]


def _find_player_kind(result_row: ResultRow, registry: Registry) -> str:
    return classify_players(result_row.condition.seats.values(), _find_game_name(result_row), registry)


def classify_players(players: Iterable[str], game: str, registry: Registry) -> str:
    """Return person if a person is among the players, otherwise model if a model is, otherwise program."""
    player_kinds = {"model" if player == ALL_MODELS else registry.player_kind(player, game) for player in players}
    return next(player_kind for player_kind in ("person", "model", "program") if player_kind in player_kinds)


def _pool_rows(
    results: Iterable[EpisodeResult],
    include_informed_players: bool,
    make_pooled_condition: Callable[[Condition], Condition],
) -> tuple[list[ResultRow], dict[str, list[Condition]]]:
    """Return rows of episodes moved to other conditions by a function, and the original conditions by id."""
    pooled_conditions: dict[str, Condition] = {}
    original_conditions: dict[str, list[Condition]] = {}
    moved_results = []
    for result in results:
        condition = result.condition
        if condition.id not in pooled_conditions:
            pooled_conditions[condition.id] = make_pooled_condition(condition)
            original_conditions.setdefault(pooled_conditions[condition.id].id, []).append(condition)
        moved_results.append(replace(result, condition=pooled_conditions[condition.id]))
    return make_result_rows(moved_results, include_informed_players=include_informed_players), original_conditions


# ---------------------------------------------------------------------- per experiment
def _make_experiment_rows(
    results: Sequence[EpisodeResult],
    registry: Registry,
    include_informed_players: bool,
    missing_episodes: PlannedCounts | None,
) -> list[ExperimentRow]:
    """Return rows per experiment and player (Figures 14 and 15 of the multimodal-games paper, for every game)."""
    table_rows = make_result_rows(
        results, include_informed_players=include_informed_players, missing_episodes_by_condition=missing_episodes
    )
    experiment_rows = [
        ExperimentRow(
            label,
            _find_player_kind(row, registry),
            row.n,
            {**row.excluded_count_by_reason, "missing": row.missing_count},
            row,
        )
        for row, label in zip(table_rows, _label_players(table_rows, registry), strict=True)
        if row.side is None
    ]
    find_sort_key = _make_experiment_sort_key(registry)
    ranks = rank_players((row.player, row.result_row.score_all.value) for row in experiment_rows)
    return sorted(experiment_rows, key=lambda row: (find_sort_key(row.result_row.condition), ranks[row.player]))


def _make_experiment_sort_key(registry: Registry) -> Callable[[Condition], tuple[object, ...]]:
    """Return a sort key in the registry's order of games, variants and experiments; unknown ones come last."""
    order_by_variant: dict[tuple[str, str], tuple[int, list[str]]] = {}
    for game in registry.games.values():
        for rank, variant in enumerate(game.variants):
            order_by_variant[game.name, variant.name] = (rank, [experiment.name for experiment in variant.experiments])

    def make_sort_key(condition: Condition) -> tuple[object, ...]:
        variant_number, names = order_by_variant.get((condition.game, condition.variant), (len(order_by_variant), []))
        experiment_index = names.index(condition.experiment) if condition.experiment in names else len(names)
        return condition.game, variant_number, condition.variant, experiment_index, condition.experiment

    return make_sort_key


# ---------------------------------------------------------------------- text against pictures
def _make_modality_rows(
    results: Sequence[EpisodeResult], registry: Registry, include_informed_players: bool, _: PlannedCounts | None
) -> list[ModalityRow]:
    """Return text minus picture per player and game played in both (Figure 5 of the multimodal-games paper).

    The clemscore of a single game is the mean main score with aborted episodes as 0.
    """

    def make_pooled_condition(condition: Condition) -> Condition:
        game, modality = split_variant(condition.game, condition.variant)
        return replace(condition, game=game, variant=modality, experiment="")

    pooled_rows, _original_conditions = _pool_rows(results, include_informed_players, make_pooled_condition)
    text_rows: dict[str, ResultRow] = {}
    picture_rows: dict[str, ResultRow] = {}
    for pooled_row in pooled_rows:
        condition = pooled_row.condition
        row_key = canonical_json([condition.game, condition.seats, *_list_play_columns(condition).values()])
        (text_rows if condition.variant == "text" else picture_rows)[row_key] = pooled_row
    row_pairs = [(text_row, picture_rows[key]) for key, text_row in text_rows.items() if key in picture_rows]
    labels = _label_players([text_row for text_row, _ in row_pairs], registry)
    modality_rows = [
        ModalityRow(
            label,
            _find_player_kind(text_row, registry),
            min(text_row.n, picture_row.n),
            {
                reason: text_row.excluded_count_by_reason[reason] + picture_row.excluded_count_by_reason[reason]
                for reason in EXCLUSION_REASONS
            },
            text_row,
            picture_row,
            estimate_difference(text_row.score_all, picture_row.score_all),
        )
        for (text_row, picture_row), label in zip(row_pairs, labels, strict=True)
    ]
    rank_by_player = rank_players((row.player, row.difference.value) for row in modality_rows)
    return sorted(modality_rows, key=lambda row: (row.game, rank_by_player[row.player]))


# ---------------------------------------------------------------------- distance
IMPORTED_PROMPTS = "imported 1"
"""The prompt set of instances that bring their own prompts."""
IMPORTED_PREFIX = "clembench-"
"""Begins the names of imported experiments."""
ALL_MODELS = "all models"


def _make_distance_rows(
    results: Sequence[EpisodeResult], registry: Registry, include_informed_players: bool, _: PlannedCounts | None
) -> list[DistanceRow]:
    """Return % played and success by the distance of the goal, per player and over all models (Table 14)."""
    find_distance = cache(lambda game, variant, experiment: _find_goal_distance(registry, game, variant, experiment))
    distance_results = [result for result in results if find_distance(result.game, result.variant, result.experiment)]
    walk_rows = [
        *make_result_rows(distance_results, include_informed_players=include_informed_players),
        *_pool_all_models(distance_results, registry, include_informed_players),
    ]
    distance_rows = []
    for row, label in zip(walk_rows, _label_players(walk_rows, registry), strict=True):
        condition = row.condition
        moves = find_distance(condition.game, condition.variant, condition.experiment) or ""
        modality = split_variant(condition.game, condition.variant)[1]
        distance_rows.append(
            DistanceRow(
                label, _find_player_kind(row, registry), row.n, row.excluded_count_by_reason, row, modality, moves
            )
        )
    rank_by_player = rank_players((row.player, row.result_row.score_all.value) for row in distance_rows)
    return sorted(
        distance_rows,
        key=lambda row: (
            not row.player.startswith(ALL_MODELS),
            rank_by_player[row.player],
            row.modality != "text",
            row.distance,
        ),
    )


def _find_goal_distance(registry: Registry, game: str, variant: str, experiment: str) -> str | None:
    """Return how many moves away the goals of an experiment are ("1–2"), None if it is not about distance."""
    variants = registry.games[game].variants if game in registry.games else ()
    for declared_experiment in (option for other in variants if other.name == variant for option in other.experiments):
        if declared_experiment.name == experiment.removeprefix(IMPORTED_PREFIX) and declared_experiment.distance:
            shortest_distance, longest_distance = declared_experiment.distance
            return (
                str(shortest_distance)
                if shortest_distance == longest_distance
                else f"{shortest_distance}–{longest_distance}"
            )
    return None


def _pool_all_models(
    distance_results: Sequence[EpisodeResult], registry: Registry, include_informed_players: bool
) -> list[ResultRow]:
    """Return rows over all models that walked alone, for conditions with several models."""
    model_walk_results = [
        result
        for result in distance_results
        if classify_players(result.seats.values(), result.game, registry) == "model"
    ]
    pooled_rows, original_conditions = _pool_rows(
        model_walk_results,
        include_informed_players,
        lambda condition: replace(condition, seats=dict.fromkeys(condition.seats, ALL_MODELS)),
    )
    return [row for row in pooled_rows if len(original_conditions[row.condition.id]) > 1]


# ---------------------------------------------------------------------- leaderboard
def _make_leaderboard_rows(
    results: Sequence[EpisodeResult], registry: Registry, include_informed_players: bool, _: PlannedCounts | None
) -> list[LeaderboardRow]:
    """Return % played, quality and clemscore per player and modality, means over games (Table 1)."""
    excluded_games = find_games_without_clemscore(registry)

    def make_pooled_condition(condition: Condition) -> Condition:
        game, board = split_variant(condition.game, condition.variant)
        if condition.game in excluded_games:
            game = board = f"{condition.game}/{condition.variant}"
        return Condition(game, board, "", condition.seats, {}, condition.reprompt, study=condition.study)

    pooled_rows, original_conditions = _pool_rows(results, include_informed_players, make_pooled_condition)
    rows_by_board: dict[str, dict[str, list[ResultRow]]] = {}
    for pooled_row in pooled_rows:
        condition = pooled_row.condition
        remarks = [f"reprompt={condition.reprompt}"] if condition.reprompt else []
        remarks += [f"study={condition.study}"] if condition.study else []
        label = describe_seating(condition.seats) + (f" ({', '.join(remarks)})" if remarks else "")
        rows_by_board.setdefault(condition.variant, {}).setdefault(label, []).append(pooled_row)
    board_rows = []
    for board, rows_by_player in rows_by_board.items():
        games = sorted({row.condition.game for game_rows in rows_by_player.values() for row in game_rows if row.n})
        for player, game_rows in rows_by_player.items():
            player_kind = _find_player_kind(game_rows[0], registry)
            board_rows.append(_make_leaderboard_row(board, games, player, player_kind, game_rows, original_conditions))
    modalities = ("text", "picture")
    return sorted(
        board_rows,
        key=lambda row: (
            modalities.index(row.board) if row.board in modalities else 2,
            row.board,
            -(row.clemscore or 0.0),
            row.player,
        ),
    )


def _make_leaderboard_row(
    board: str,
    games: Sequence[str],
    player: str,
    player_kind: str,
    game_rows: Sequence[ResultRow],
    originals: Mapping[str, Sequence[Condition]],
) -> LeaderboardRow:
    rows_with_episodes = [row for row in game_rows if row.n]
    played_games = [row.condition.game for row in rows_with_episodes]
    game_means = [
        GameMeans(row.condition.game, row.played.value or 0.0, row.quality.value) for row in rows_with_episodes
    ]
    return LeaderboardRow(
        player,
        player_kind,
        sum(row.n for row in rows_with_episodes),
        {reason: sum(row.excluded_count_by_reason[reason] for row in game_rows) for reason in EXCLUSION_REASONS},
        board,
        played_games,
        [game for game in games if game not in played_games],
        [row.condition.game for row in rows_with_episodes if has_mixed_settings(originals[row.condition.id])],
        _average_games([row.played for row in rows_with_episodes], player_kind),
        _average_games([row.quality for row in rows_with_episodes], player_kind),
        compute_clemscore(game_means).clemscore if game_means else None,
        game_rows[0].condition.reprompt,
    )


def _average_games(estimates: Sequence[Estimate], player_kind: str) -> Estimate:
    """Return the mean over games, for people without an interval: the same people may have played several games."""
    game_average = average_estimates(estimates)
    return Estimate(game_average.value) if player_kind == "person" and len(estimates) > 1 else game_average


# ---------------------------------------------------------------------- the figures
PLAY_ADVICE = "No episode yet: `ludens run GAME --seat all=PLAYER` plays some"

FIGURE_BY_NAME = {
    "difficulty": Figure(
        "How hard the experiments are",
        "Mean main score of the episodes played to the end, per experiment and player.",
        _make_experiment_rows,
        PLAY_ADVICE,
    ),
    "modality": Figure(
        "Text against pictures",
        "Clemscore in text minus clemscore in pictures, per game and player.",
        _make_modality_rows,
        "No player has played a game both in text and in pictures: "
        "`ludens run matchit --seat all=PLAYER` plays one in both",
    ),
    "distance": Figure(
        "The effect of distance",
        "Share of episodes that found the room and share not aborted, by the number of moves to the room.",
        _make_distance_rows,
        "No episode whose goal is a known number of moves away: "
        "`ludens run mapworld/g2x-text mapworld/g2x-picture --seat walker=PLAYER` plays some",
    ),
    "heatmap": Figure(
        "Players by experiments",
        "Mean main score of the episodes played to the end, per player and experiment.",
        _make_experiment_rows,
        PLAY_ADVICE,
    ),
    "leaderboard": Figure(
        "Quality against % played",
        "Means over games per player; dotted lines join points of equal clemscore.",
        _make_leaderboard_rows,
        PLAY_ADVICE,
    ),
}
"""The figures by name."""
