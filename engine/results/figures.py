"""The rows behind the figures of the papers, computed from our own results, and the same rows as CSV.

    rows = figure_rows("difficulty", results, registry)
    figure_csv(rows)
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
from engine.core.events import Ending, Json, canonical
from engine.core.spreadsheet import neutral_row
from engine.results.clemscore import GameMeans, clemscore, is_mixed, seating_label, task_of
from engine.results.exclusion import EXCLUSION_REASONS
from engine.results.leaderboard import games_without_clemscore
from engine.results.statistics import Estimate, difference_estimate, mean_estimate
from engine.results.table import MissingEpisodes, ResultRow, result_rows
from engine.storage.episode_result import EpisodeResult

if TYPE_CHECKING:
    from engine.core.game import Game
    from engine.play.registry import Registry

Missing = Mapping[str, MissingEpisodes]
"""Planned episodes that were not begun, by the id of their condition (`engine.results.index.Results.missing`)."""

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


class NothingToDraw(ValueError):
    """No episode fits the figure; the message says how to play some."""


# ---------------------------------------------------------------------- rows
@dataclass(frozen=True, slots=True)
class FigureRow:
    """What the rows of all figures have in common: who played, how many episodes count, how many are left out why."""

    player: str
    kind: str
    n: int
    left_out: Mapping[str, int]

    def as_json(self) -> Json:
        """Return the row by columns, in their order."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ExperimentRow(FigureRow):
    """A player on an experiment."""

    result: ResultRow

    def as_json(self) -> Json:
        result, condition = self.result, self.result.condition
        return {
            "game": condition.game,
            "variant": condition.variant,
            "experiment": condition.experiment,
            "player": self.player,
            "kind": self.kind,
            "n": self.n,
            **result.played.as_json("played"),
            **result.quality.as_json("quality"),
            **result.score_all.as_json("score_all"),
            **self.left_out,
            **_play_columns(condition),
            "id": condition.id,
        }


@dataclass(frozen=True, slots=True)
class ModalityRow(FigureRow):
    """A player at a game in text and in pictures; n is the smaller number of episodes."""

    text: ResultRow
    picture: ResultRow
    difference: Estimate

    @property
    def game(self) -> str:
        """The game, with its task."""
        return self.text.condition.game

    def as_json(self) -> Json:
        return {
            "game": self.game,
            "player": self.player,
            "kind": self.kind,
            "text_n": self.text.n,
            "picture_n": self.picture.n,
            **self.text.score_all.as_json("text"),
            **self.picture.score_all.as_json("picture"),
            **self.difference.as_json("difference"),
            **self.left_out,
            **_play_columns(self.text.condition),
        }


@dataclass(frozen=True, slots=True)
class DistanceRow(FigureRow):
    """A player, or all models, on an experiment whose goals are a number of moves away."""

    result: ResultRow
    modality: str
    distance: str

    def as_json(self) -> Json:
        return {
            "modality": self.modality,
            "experiment": self.result.condition.experiment,
            "distance": self.distance,
            "player": self.player,
            "kind": self.kind,
            "n": self.n,
            **self.result.played.as_json("played"),
            **self.result.score_all.as_json("success"),
            **self.left_out,
            **_play_columns(self.result.condition),
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
            **self.left_out,
            "reprompt": self.reprompt,
        }


def _play_columns(condition: Condition) -> Json:
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
    make_rows: Callable[[Sequence[EpisodeResult], Registry, bool, Missing | None], Sequence[FigureRow]]
    advice: str
    """What to do if no episode fits."""


def figure_rows(
    figure_name: str,
    results: Iterable[EpisodeResult],
    registry: Registry,
    *,
    include_informed: bool = False,
    missing_episodes: Missing | None = None,
) -> Sequence[FigureRow]:
    """Return the rows behind a figure, in the order in which they are drawn. Scores and differences are in points.

    Raises `UnknownFigure`, and `NothingToDraw` if no episode fits the figure or none counts.
    """
    figure = find_figure(figure_name)
    selected_results = list(results)
    adversarial_games = {name for name, game in registry.games.items() if game.adversarial}
    usable_results = [
        result
        for result in selected_results
        if not (result.game in adversarial_games or result.side_scores or result.ending == Ending.DECIDED)
    ]
    rows = figure.make_rows(usable_results, registry, include_informed, missing_episodes)
    if not any(row.n for row in rows):
        raise NothingToDraw(
            f"{figure_name}: nothing to draw. {_nothing_reason(figure, selected_results, usable_results, rows)}"
        )
    return rows


def figure_csv(drawn_rows: Sequence[FigureRow], *, raw_cells: bool = False) -> str:
    """Return the rows of a figure (at least one) as CSV with a header; lists are joined by spaces, objects are JSON.

    No cell is a formula, unless `raw_cells`.
    """
    csv_text = io.StringIO()
    csv_rows = [{column: _csv_cell(cell_value) for column, cell_value in d.as_json().items()} for d in drawn_rows]
    column_names = max((list(csv_row) for csv_row in csv_rows), key=len)  # rows of studies have a column more
    writer = csv.DictWriter(csv_text, column_names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(neutral_row(line, raw=raw_cells) for line in csv_rows)
    return csv_text.getvalue()


def find_figure(figure_name: str) -> Figure:
    """Return a figure. Raises `UnknownFigure` naming the figures there are."""
    if figure_name not in FIGURE_BY_NAME:
        raise UnknownFigure(f"no figure {figure_name!r}; there are: {', '.join(FIGURE_BY_NAME)}")
    return FIGURE_BY_NAME[figure_name]


def count_left_out(drawn_rows: Iterable[FigureRow]) -> dict[str, int]:
    """Return the number of episodes that all rows leave out, by reason."""
    counts = dict.fromkeys((*EXCLUSION_REASONS, "missing"), 0)
    for drawn_row in drawn_rows:
        for reason, count in drawn_row.left_out.items():
            counts[reason] += count
    return {reason: count for reason, count in counts.items() if count}


def _nothing_reason(
    figure: Figure,
    selected_results: Sequence[EpisodeResult],
    usable_results: Sequence[EpisodeResult],
    drawn_rows: Sequence[FigureRow],
) -> str:
    if selected_results and not usable_results:
        games = ", ".join(sorted({result.game for result in selected_results}))
        return f"{games}: a game of sides has no quality; `ludens results` has its ratings"
    counts = ", ".join(f"{count} {reason}" for reason, count in count_left_out(drawn_rows).items())
    return f"No episode counts: {counts}" if counts else figure.advice


def _csv_cell(cell_value: object) -> object:
    if isinstance(cell_value, Mapping):
        return canonical(cell_value)
    return " ".join(map(str, cell_value)) if isinstance(cell_value, list | tuple) else cell_value


# ---------------------------------------------------------------------- players
def player_ranks(player_values: Iterable[tuple[str, float | None]]) -> dict[str, tuple[float, str]]:
    """Return a sort key for each player: the best mean of its values first, then by name."""
    values_by_player: dict[str, list[float]] = {}
    for player, value in player_values:
        values_by_player.setdefault(player, []).extend([] if value is None else [value])
    return {
        player: (-math.fsum(values) / len(values) if values else math.inf, player)
        for player, values in values_by_player.items()
    }


def _player_labels(labelled_rows: Sequence[ResultRow], registry: Registry) -> list[str]:
    """Return the player of each row, with the settings and versions in which rows differ and that are not defaults."""
    settings_by_default = cache(lambda game: default_settings(registry.games.get(game)))
    all_settings = [settings_by_default(_model_family(n)) | condition_settings(n.condition) for n in labelled_rows]
    values_by_key: dict[str, set[str]] = {}
    for row_settings in all_settings:
        for setting_name, setting_value in row_settings.items():
            values_by_key.setdefault(setting_name, set()).add(setting_value)
    labels = []
    for labelled_row, row_settings in zip(labelled_rows, all_settings, strict=True):
        defaults = settings_by_default(_model_family(labelled_row))
        remarks = [
            "imported" if value == IMPORTED_PROMPTS else f"{key}={value}"
            for key, value in row_settings.items()
            if len(values_by_key[key]) > 1 and value != defaults.get(key)
        ]
        label = seating_label(labelled_row.condition.seats)
        labels.append(f"{label} ({', '.join(remarks)})" if remarks else label)
    return labels


def condition_settings(condition: Condition) -> dict[str, str]:
    """Return the settings, versions and study of a condition as texts, by name."""
    settings_text = _settings_text(condition.settings, condition.reprompt, condition.game_version, condition.prompts)
    return settings_text | {"study": condition.study}


def default_settings(game: Game | None) -> dict[str, str]:
    """Return the settings and versions of episodes for which nothing else was chosen."""
    if game is None:
        return {"reprompt": "0"}
    return _settings_text(game.settings.defaults(), 0, game.version, f"{game.prompts.name} {game.prompts.version}")


def _settings_text(settings: Json, reprompt: int, version: int, prompts: str) -> dict[str, str]:
    text_by_setting = {setting_name: str(setting_value) for setting_name, setting_value in settings.items()}
    return text_by_setting | {"reprompt": str(reprompt), "version": str(version), "prompts": prompts}


def _model_family(result_row: ResultRow) -> str:
    return result_row.condition.game.partition("/")[0]


def _row_kind(result_row: ResultRow, registry: Registry) -> str:
    return kind_of_players(result_row.condition.seats.values(), _model_family(result_row), registry)


def kind_of_players(players: Iterable[str], game: str, registry: Registry) -> str:
    """Return person if a person is among the players, otherwise model if a model is, otherwise program."""
    kinds = {"model" if player == ALL_MODELS else registry.player_kind(player, game) for player in players}
    return next(kind for kind in ("person", "model", "program") if kind in kinds)


def _pool_rows(
    results: Iterable[EpisodeResult], include_informed: bool, pool: Callable[[Condition], Condition]
) -> tuple[list[ResultRow], dict[str, list[Condition]]]:
    """Return rows of episodes moved to other conditions by a function, and the original conditions by id."""
    pooled_conditions: dict[str, Condition] = {}
    original_conditions: dict[str, list[Condition]] = {}
    moved_results = []
    for result in results:
        condition = result.condition
        if condition.id not in pooled_conditions:
            pooled_conditions[condition.id] = pool(condition)
            original_conditions.setdefault(pooled_conditions[condition.id].id, []).append(condition)
        moved_results.append(replace(result, condition=pooled_conditions[condition.id]))
    return result_rows(moved_results, include_informed=include_informed), original_conditions


# ---------------------------------------------------------------------- per experiment
def _experiment_rows(
    results: Sequence[EpisodeResult], registry: Registry, include_informed: bool, missing_episodes: Missing | None
) -> list[ExperimentRow]:
    """Return rows per experiment and player (Figures 14 and 15 of the multimodal-games paper, for every game)."""
    table_rows = result_rows(results, include_informed=include_informed, missing=missing_episodes)
    experiment_rows = [
        ExperimentRow(label, _row_kind(row, registry), row.n, {**row.excluded, "missing": row.missing}, row)
        for row, label in zip(table_rows, _player_labels(table_rows, registry), strict=True)
        if row.side is None
    ]
    sort_key = _experiment_order(registry)
    rank = player_ranks((e.player, e.result.score_all.value) for e in experiment_rows)
    return sorted(experiment_rows, key=lambda row: (sort_key(row.result.condition), rank[row.player]))


def _experiment_order(registry: Registry) -> Callable[[Condition], tuple[object, ...]]:
    """Return a sort key in the registry's order of games, variants and experiments; unknown ones come last."""
    order_by_variant: dict[tuple[str, str], tuple[int, list[str]]] = {}
    for game in registry.games.values():
        for variant_number, variant in enumerate(game.variants):
            order_by_variant[game.name, variant.name] = variant_number, [e.name for e in variant.experiments]

    def condition_sort_key(condition: Condition) -> tuple[object, ...]:
        variant_number, names = order_by_variant.get((condition.game, condition.variant), (len(order_by_variant), []))
        experiment_index = names.index(condition.experiment) if condition.experiment in names else len(names)
        return condition.game, variant_number, condition.variant, experiment_index, condition.experiment

    return condition_sort_key


# ---------------------------------------------------------------------- text against pictures
def _modality_rows(
    results: Sequence[EpisodeResult], registry: Registry, include_informed: bool, _: Missing | None
) -> list[ModalityRow]:
    """Return text minus picture per player and game played in both (Figure 5 of the multimodal-games paper).

    The clemscore of a single game is the mean main score with aborted episodes as 0.
    """

    def pool_condition(condition: Condition) -> Condition:
        game, modality = task_of(condition.game, condition.variant)
        return replace(condition, game=game, variant=modality, experiment="")

    pooled_rows, _originals = _pool_rows(results, include_informed, pool_condition)
    text_rows: dict[str, ResultRow] = {}
    picture_rows: dict[str, ResultRow] = {}
    for row in pooled_rows:
        condition = row.condition
        row_key = canonical([condition.game, condition.seats, *_play_columns(condition).values()])
        (text_rows if condition.variant == "text" else picture_rows)[row_key] = row
    pairs = [(text_row, picture_rows[key]) for key, text_row in text_rows.items() if key in picture_rows]
    labels = _player_labels([text for text, _ in pairs], registry)
    modality_rows = [
        ModalityRow(
            label,
            _row_kind(text, registry),
            min(text.n, picture_row.n),
            {reason: text.excluded[reason] + picture_row.excluded[reason] for reason in EXCLUSION_REASONS},
            text,
            picture_row,
            difference_estimate(text.score_all, picture_row.score_all),
        )
        for (text, picture_row), label in zip(pairs, labels, strict=True)
    ]
    rank = player_ranks((row.player, row.difference.value) for row in modality_rows)
    return sorted(modality_rows, key=lambda row: (row.game, rank[row.player]))


# ---------------------------------------------------------------------- distance
IMPORTED_PROMPTS = "imported 1"
"""The prompt set of instances that bring their own prompts."""
IMPORTED_PREFIX = "clembench-"
"""Begins the names of imported experiments."""
ALL_MODELS = "all models"


def _distance_rows(
    results: Sequence[EpisodeResult], registry: Registry, include_informed: bool, _: Missing | None
) -> list[DistanceRow]:
    """Return % played and success by the distance of the goal, per player and over all models (Table 14)."""
    find_distance = cache(lambda game, variant, experiment: _goal_distance(registry, game, variant, experiment))
    walks = [result for result in results if find_distance(result.game, result.variant, result.experiment)]
    walk_rows = [
        *result_rows(walks, include_informed=include_informed),
        *_all_models_rows(walks, registry, include_informed),
    ]
    distance_rows = []
    for row, label in zip(walk_rows, _player_labels(walk_rows, registry), strict=True):
        condition = row.condition
        moves = find_distance(condition.game, condition.variant, condition.experiment) or ""
        modality = task_of(condition.game, condition.variant)[1]
        distance_rows.append(DistanceRow(label, _row_kind(row, registry), row.n, row.excluded, row, modality, moves))
    rank = player_ranks((row.player, row.result.score_all.value) for row in distance_rows)
    return sorted(
        distance_rows,
        key=lambda row: (
            not row.player.startswith(ALL_MODELS),
            rank[row.player],
            row.modality != "text",
            row.distance,
        ),
    )


def _goal_distance(registry: Registry, game: str, variant: str, experiment: str) -> str | None:
    """Return how many moves away the goals of an experiment are ("1–2"), None if it is not about distance."""
    variants = registry.games[game].variants if game in registry.games else ()
    for declared_experiment in (each for c in variants if c.name == variant for each in c.experiments):
        if declared_experiment.name == experiment.removeprefix(IMPORTED_PREFIX) and declared_experiment.distance:
            shortest_distance, longest_distance = declared_experiment.distance
            return (
                str(shortest_distance)
                if shortest_distance == longest_distance
                else f"{shortest_distance}–{longest_distance}"
            )
    return None


def _all_models_rows(walks: Sequence[EpisodeResult], registry: Registry, include_informed: bool) -> list[ResultRow]:
    """Return rows over all models that walked alone, for conditions with several models."""
    model_walks = [walk for walk in walks if kind_of_players(walk.seats.values(), walk.game, registry) == "model"]
    rows, originals = _pool_rows(
        model_walks,
        include_informed,
        lambda condition: replace(condition, seats=dict.fromkeys(condition.seats, ALL_MODELS)),
    )
    return [row for row in rows if len(originals[row.condition.id]) > 1]


# ---------------------------------------------------------------------- leaderboard
def _leaderboard_rows(
    results: Sequence[EpisodeResult], registry: Registry, include_informed: bool, _: Missing | None
) -> list[LeaderboardRow]:
    """Return % played, quality and clemscore per player and modality, means over games (Table 1)."""
    without_clemscore = games_without_clemscore(registry)

    def pool_condition(condition: Condition) -> Condition:
        game, board = task_of(condition.game, condition.variant)
        if condition.game in without_clemscore:
            game = board = f"{condition.game}/{condition.variant}"
        return Condition(game, board, "", condition.seats, {}, condition.reprompt, study=condition.study)

    pooled_rows, originals = _pool_rows(results, include_informed, pool_condition)
    rows_by_board: dict[str, dict[str, list[ResultRow]]] = {}
    for row in pooled_rows:
        condition = row.condition
        remarks = [f"reprompt={condition.reprompt}"] if condition.reprompt else []
        remarks += [f"study={condition.study}"] if condition.study else []
        label = seating_label(condition.seats) + (f" ({', '.join(remarks)})" if remarks else "")
        rows_by_board.setdefault(condition.variant, {}).setdefault(label, []).append(row)
    board_rows = []
    for board, rows_by_player in rows_by_board.items():
        games = sorted({row.condition.game for game_rows in rows_by_player.values() for row in game_rows if row.n})
        for player, game_rows in rows_by_player.items():
            player_kind = _row_kind(game_rows[0], registry)
            board_rows.append(_leaderboard_row(board, games, player, player_kind, game_rows, originals))
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


def _leaderboard_row(
    board: str,
    games: Sequence[str],
    player: str,
    player_kind: str,
    game_rows: Sequence[ResultRow],
    originals: Mapping[str, Sequence[Condition]],
) -> LeaderboardRow:
    counted_rows = [game_row for game_row in game_rows if game_row.n]
    played_games = [game_row.condition.game for game_row in counted_rows]
    means = [GameMeans(g.condition.game, g.played.value or 0.0, g.quality.value) for g in counted_rows]
    return LeaderboardRow(
        player,
        player_kind,
        sum(game_row.n for game_row in counted_rows),
        {reason: sum(game_row.excluded[reason] for game_row in game_rows) for reason in EXCLUSION_REASONS},
        board,
        played_games,
        [game for game in games if game not in played_games],
        [game_row.condition.game for game_row in counted_rows if is_mixed(originals[game_row.condition.id])],
        _mean_over_games([game_row.played for game_row in counted_rows], player_kind),
        _mean_over_games([game_row.quality for game_row in counted_rows], player_kind),
        clemscore(means).clemscore if means else None,
        game_rows[0].condition.reprompt,
    )


def _mean_over_games(estimates: Sequence[Estimate], player_kind: str) -> Estimate:
    """Return the mean over games, for people without an interval: the same people may have played several games."""
    average = mean_estimate(estimates)
    return Estimate(average.value) if player_kind == "person" and len(estimates) > 1 else average


# ---------------------------------------------------------------------- the figures
PLAY_SOME = "No episode yet: `ludens run GAME --seat all=PLAYER` plays some"

FIGURE_BY_NAME = {
    "difficulty": Figure(
        "How hard the experiments are",
        "Mean main score of the episodes played to the end, per experiment and player.",
        _experiment_rows,
        PLAY_SOME,
    ),
    "modality": Figure(
        "Text against pictures",
        "Clemscore in text minus clemscore in pictures, per game and player.",
        _modality_rows,
        "No player has played a game both in text and in pictures: "
        "`ludens run matchit --seat all=PLAYER` plays one in both",
    ),
    "distance": Figure(
        "The effect of distance",
        "Share of episodes that found the room and share not aborted, by the number of moves to the room.",
        _distance_rows,
        "No episode whose goal is a known number of moves away: "
        "`ludens run mapworld/g2x-text mapworld/g2x-picture --seat walker=PLAYER` plays some",
    ),
    "heatmap": Figure(
        "Players by experiments",
        "Mean main score of the episodes played to the end, per player and experiment.",
        _experiment_rows,
        PLAY_SOME,
    ),
    "leaderboard": Figure(
        "Quality against % played",
        "Means over games per player; dotted lines join points of equal clemscore.",
        _leaderboard_rows,
        PLAY_SOME,
    ),
}
"""The figures by name."""
