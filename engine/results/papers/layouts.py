"""Blocks of columns and rows: how the papers lay out their tables, and how a block is filled from episodes.

A row is a seating with what differs from the defaults of the game (settings, reminders, versions, study). A column is a
measure over one part of a game, over several parts that weigh the same, or the difference between two modalities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from engine.core.condition import Condition
from engine.results.clemscore import GameMeans, compute_clemscore, describe_seating
from engine.results.exclusion import exclusion_reason
from engine.results.figures import (
    ALL_MODELS,
    IMPORTED_PREFIX,
    IMPORTED_PROMPTS,
    classify_players,
    list_defaults,
    list_settings,
    rank_players,
)
from engine.results.papers.cells import (
    CLEMSCORE_MEASURE,
    PLAYED_SHARE_MEASURE,
    QUALITY_MEASURE,
    Measure,
    PaperCell,
    make_cell,
    pool_cells,
)
from engine.results.published import PublishedRow
from engine.results.statistics import Estimate, average_estimates, estimate_difference
from engine.storage.episode_result import EpisodeResult

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.core.events import Outcome
    from engine.play.registry import Registry

PUBLISHED_KIND = "published"
"""The kind of a row that a paper printed."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What tables are filled from: the selected episodes, published rows, and what belongs to an episode by its id."""

    results: Sequence[EpisodeResult]
    published_rows: Sequence[PublishedRow]
    registry: Registry
    load_score: Callable[[str, str], Any]
    """A score of an episode by its name, also one that is a list."""
    load_outcome: Callable[[str], Outcome | None]
    include_informed_players: bool = False


@dataclass(frozen=True, slots=True)
class VariantPart:
    """A variant of a game, or some experiments of it."""

    game: str
    variant: str
    experiments: tuple[str, ...] = ()

    def has_condition(self, condition: Condition) -> bool:
        """Return whether a condition is of this part; imported experiments count as those of the same name."""
        return (condition.game, condition.variant) == (self.game, self.variant) and (
            not self.experiments or condition.experiment.removeprefix(IMPORTED_PREFIX) in self.experiments
        )

    def count_instances(self, registry: Registry) -> int:
        """Return how many instances the part has, without imported and own ones."""
        if not registry.has(self.game):
            return 0
        experiment_names = self.experiments or [
            experiment.name for experiment in registry.game(self.game).variant(self.variant).experiments
        ]
        instances = registry.experiments(self.game, self.variant)
        return sum(len(instances.get(experiment_name, ())) for experiment_name in experiment_names)

    @property
    def selection(self) -> list[str]:
        """What `ludens run` plays it by."""
        variant_path = f"{self.game}/{self.variant}"
        return [f"{variant_path}/{experiment_name}" for experiment_name in self.experiments] or [variant_path]


PublishedKey = tuple[str | None, str | None, str | None]
"""Game, variant and experiment of a published number."""


@dataclass(frozen=True, slots=True)
class PaperColumn:
    """A column of a block: the mean of `parts`, all alike, minus that of `subtracted_variant_parts`, if any."""

    heading: str
    measure: Measure
    parts: tuple[VariantPart, ...]
    group: str = ""
    subtracted_variant_parts: tuple[VariantPart, ...] = ()
    explicit_published_key: PublishedKey | None = None

    @property
    def published_key(self) -> PublishedKey:
        """Where its published numbers are."""
        if self.explicit_published_key is not None:
            return self.explicit_published_key
        part = self.parts[0]
        return part.game, part.variant, part.experiments[0] if len(part.experiments) == 1 else None


@dataclass(frozen=True, slots=True)
class BlockLayout:
    """A block as a paper prints it. `table` is the number of the table with its published rows."""

    title: str
    columns: tuple[PaperColumn, ...]
    table: int | None = None
    paper: str = "hakimov"

    @property
    def parts(self) -> list[VariantPart]:
        """All parts of games in its columns."""
        return [part for column in self.columns for part in (*column.parts, *column.subtracted_variant_parts)]


@dataclass(frozen=True, slots=True)
class ColumnHeading:
    """The heading of a filled column. `highest_value` is None if there is none, as for counts."""

    group: str
    name: str
    highest_value: float | None = 100.0
    instance_count: int = 0
    lowest_value: float = 0.0

    @property
    def text(self) -> str:
        """Group and name in one line."""
        return " ".join(part for part in (self.group, self.name) if part)


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A row of a filled block: our own numbers, or those that the paper printed (`kind` is "published")."""

    label: str
    kind: str
    cells: Sequence[PaperCell | None]
    seats: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_published(self) -> bool:
        """Whether the paper printed it."""
        return self.kind == PUBLISHED_KIND


@dataclass(frozen=True, slots=True)
class PaperBlock:
    """A filled block: headings, our rows, and below them the published ones."""

    title: str
    row_heading: str
    headings: Sequence[ColumnHeading]
    rows: Sequence[PaperRow]


@dataclass(frozen=True, slots=True)
class PlayerEpisodes:
    """The episodes of one seating with the same settings: those that count, and how many are left out, by reason."""

    label: str
    kind: str
    included_results: list[EpisodeResult]
    stalled_results: list[EpisodeResult]
    excluded_counts: Counter[str]
    seats: Mapping[str, str]

    @classmethod
    def make_empty(cls, player: str) -> PlayerEpisodes:
        """Return the row of a player before the first game."""
        return cls(player, "person", [], [], Counter(), {"": player})


# ---------------------------------------------------------------------- rows
def group_by_players(
    results: Iterable[EpisodeResult], sources: Sources, parts: Sequence[VariantPart] | None = None
) -> list[PlayerEpisodes]:
    """Return the episodes of these parts of games by row, people first, then by name."""
    registry = sources.registry
    find_remarks = cache(lambda condition: describe_settings(condition, registry))
    group_by_key: dict[tuple[str, str], PlayerEpisodes] = {}
    for result in results:
        condition = result.condition
        if parts is not None and not any(part.has_condition(condition) for part in parts):
            continue
        group_key = (describe_seating(condition.seats), find_remarks(condition))
        if group_key not in group_by_key:
            label = f"{group_key[0]} ({group_key[1]})" if group_key[1] else group_key[0]
            player_kind = classify_players(condition.seats.values(), condition.game, registry)
            group_by_key[group_key] = PlayerEpisodes(label, player_kind, [], [], Counter(), condition.seats)
        group = group_by_key[group_key]
        exclusion = exclusion_reason(result, sources.include_informed_players)
        if exclusion is None:
            group.included_results.append(result)
            continue
        group.excluded_counts[exclusion] += 1
        if exclusion == "faults":
            group.stalled_results.append(result)
    return sorted(group_by_key.values(), key=lambda group: (group.kind != "person", group.label))


def describe_settings(condition: Condition, registry: Registry) -> str:
    """Return what differs from the defaults of the game: settings, reminders, versions, and the study."""
    game = registry.games.get(condition.game)
    default_settings = list_defaults(game)
    text_by_setting = list_settings(condition)
    default_settings = {"study": "", **default_settings}
    remarks = [
        "imported" if setting_text == IMPORTED_PROMPTS else f"{setting_name}={setting_text}"
        for setting_name, setting_text in text_by_setting.items()
        if setting_name in default_settings and setting_text != default_settings[setting_name]
    ]
    return ", ".join(remarks)


def add_pooled_models(groups: Sequence[PlayerEpisodes]) -> list[PlayerEpisodes]:
    """Return groups with one more first, of all models that played alone with the defaults, if there are several."""
    model_groups = [group for group in groups if group.kind == "model" and "(" not in group.label]
    if len(model_groups) < 2:
        return list(groups)
    included_results = [result for group in model_groups for result in group.included_results]
    return [PlayerEpisodes(ALL_MODELS, "model", included_results, [], Counter(), {}), *groups]


# ---------------------------------------------------------------------- blocks
def fill_layouts(layouts: Sequence[BlockLayout], sources: Sources) -> list[PaperBlock]:
    """Return a block per layout, each with the players that played a part of it."""
    return [
        fill_layout(layout, group_by_players(sources.results, sources, layout.parts), sources) for layout in layouts
    ]


def fill_layout(layout: BlockLayout, groups: Sequence[PlayerEpisodes], sources: Sources) -> PaperBlock:
    """Return a block with our rows, best first, people on top, and the published rows of its table."""
    headings = [_make_column_heading(column, sources.registry) for column in layout.columns]
    group_rows = [
        PaperRow(group.label, group.kind, [_make_column_cell(column, group) for column in layout.columns], group.seats)
        for group in groups
    ]
    group_rows = [row for row in group_rows if any(cell and cell.n for cell in row.cells)]
    player_values = [(group.label, cell.estimate.value) for group in group_rows for cell in group.cells if cell]
    ranks = rank_players(player_values)
    group_rows.sort(
        key=lambda row: (row.kind != "person", row.label != ALL_MODELS, ranks.get(row.label, (0.0, row.label)))
    )
    return PaperBlock(layout.title, "Model", headings, [*group_rows, *_list_published(layout, sources.published_rows)])


def _make_column_heading(column: PaperColumn, registry: Registry) -> ColumnHeading:
    count = sum(part.count_instances(registry) for part in (*column.parts, *column.subtracted_variant_parts))
    return ColumnHeading(
        column.group,
        column.heading,
        column.measure.highest_value,
        count,
        -100.0 if column.subtracted_variant_parts else 0.0,
    )


def _make_column_cell(column: PaperColumn, group: PlayerEpisodes) -> PaperCell | None:
    if column.measure is CLEMSCORE_MEASURE:
        return _make_clemscore_cell(column.parts, group)
    cell = _make_mean_cell(column.parts, column.measure, group)
    if not column.subtracted_variant_parts or cell is None:
        return cell
    other_cell = _make_mean_cell(column.subtracted_variant_parts, column.measure, group)
    if other_cell is None:
        return None
    difference = estimate_difference(cell.estimate, other_cell.estimate)
    if group.kind == "person":
        difference = Estimate(difference.value)  # the same people may be on both sides
    return pool_cells((cell, other_cell), difference)


def _make_mean_cell(parts: Sequence[VariantPart], measure: Measure, group: PlayerEpisodes) -> PaperCell | None:
    """Return the mean over those parts that were played, None if none was."""
    part_cells = [cell for part in parts if (cell := make_cell(_list_episodes(part, measure, group), measure)).n]
    if len(parts) == 1 or not part_cells:
        return part_cells[0] if part_cells else None
    mean_estimate = average_estimates([cell.estimate for cell in part_cells])
    if group.kind == "person":
        mean_estimate = Estimate(mean_estimate.value)  # the same people may have played several parts
    return pool_cells(part_cells, mean_estimate)


def _list_episodes(part: VariantPart, measure: Measure, group: PlayerEpisodes) -> list[EpisodeResult]:
    results = (
        [*group.included_results, *group.stalled_results]
        if measure.includes_stalled_episodes
        else group.included_results
    )
    return [result for result in results if part.has_condition(result.condition)]


def _make_clemscore_cell(parts: Sequence[VariantPart], group: PlayerEpisodes) -> PaperCell | None:
    game_means, episode_count, instance_count = [], 0, 0
    for part in parts:
        played_cell = make_cell(_list_episodes(part, PLAYED_SHARE_MEASURE, group), PLAYED_SHARE_MEASURE)
        if played_cell.n:
            quality_cell = make_cell(_list_episodes(part, QUALITY_MEASURE, group), QUALITY_MEASURE)
            variant_path = f"{part.game}/{part.variant}"
            game_means.append(GameMeans(variant_path, played_cell.estimate.value or 0.0, quality_cell.estimate.value))
            episode_count, instance_count = episode_count + played_cell.n, instance_count + played_cell.instances
    return (
        PaperCell(Estimate(compute_clemscore(game_means).clemscore), episode_count, instance_count)
        if game_means
        else None
    )


def _list_published(layout: BlockLayout, published_rows: Sequence[PublishedRow]) -> list[PaperRow]:
    """Return the published rows of a block's table in the order of the paper, without rows that have none of it."""
    numbers_by_model: dict[str, dict[tuple[PublishedKey, str], float]] = {}
    for row in published_rows:
        if (row.paper, row.table) == (layout.paper, layout.table):
            numbers_by_model.setdefault(row.model, {})[(row.game, row.variant, row.experiment), row.number] = row.value
    paper_rows = []
    for model, published_numbers in numbers_by_model.items():
        column_values = [
            published_numbers.get((column.published_key, column.measure.name)) for column in layout.columns
        ]
        if any(value is not None for value in column_values):
            cells = [None if value is None else make_published_cell(value) for value in column_values]
            paper_rows.append(PaperRow(model, PUBLISHED_KIND, cells))
    return paper_rows


def make_published_cell(published_number: float) -> PaperCell:
    """Return a published number as a cell: the papers print neither intervals nor, in most tables, n."""
    return PaperCell(Estimate(published_number), 0, 0)


def transpose_block(block: PaperBlock, row_heading: str) -> list[PaperBlock]:
    """Return a block per row of a block: groups of its columns become rows, names of its columns become columns."""
    groups = list(dict.fromkeys(heading.group for heading in block.headings))
    column_names = list(dict.fromkeys(heading.name for heading in block.headings))
    position_by_heading = {
        (heading.group, heading.name): column_number for column_number, heading in enumerate(block.headings)
    }
    headings = [
        replace(block.headings[position_by_heading[groups[0], column_name]], group="") for column_name in column_names
    ]
    blocks = []
    for paper_row in block.rows:
        transposed_rows = [
            PaperRow(
                group_title,
                paper_row.kind,
                [paper_row.cells[position_by_heading[group_title, column_name]] for column_name in column_names],
                paper_row.seats,
            )
            for group_title in groups
        ]
        blocks.append(
            PaperBlock(f"{paper_row.label}{' †' * paper_row.is_published}", row_heading, headings, transposed_rows)
        )
    return blocks
