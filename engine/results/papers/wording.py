"""Tables of what the papers describe in prose: lengths, negation, order, questions, errors, and scores turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from engine.core.events import Json
from engine.results.papers.analyses import (
    ORDER_SETTING,
    ErrorKind,
    ExpressionPair,
    average_over_seats,
    find_error_kind,
    pair_by_order,
    pair_distractors,
)
from engine.results.papers.cells import (
    SCORE_ALL_MEASURE,
    Measure,
    PaperCell,
    make_score_measure,
    make_value_cell,
    read_score,
)
from engine.results.papers.layouts import (
    BlockLayout,
    ColumnHeading,
    PaperBlock,
    PaperColumn,
    PaperRow,
    PlayerEpisodes,
    Sources,
    VariantPart,
    fill_layouts,
    group_by_players,
)
from engine.storage.episode_result import EpisodeResult

HEADING_BY_MODALITY = {"text": "Text-only", "picture": "Multimodal"}
ITEM_EXPERIMENTS = {
    "Grids": ("rows", "columns", "diagonals", "letters", "shapes", "random"),
    "Photos": ("rooms", "everyday", "objects"),
    "Pentomino": ("pentomino",),
}
NEGATION_SCORE_NAME, SEATS_SCORE_NAME, TURNS_SCORE_NAME, STOPPED_SCORE_NAME = "negation", "seats", "turns", "stopped"
"""Scores of games."""
MAX_TURNS = 10
STATIC_EXPERIMENTS = ("rooms-static", "everyday-static", "objects-static")


# ---------------------------------------------------------------------- the reference game
def make_expression_blocks(sources: Sources) -> list[PaperBlock]:
    """Return length and negation of accepted expressions per kind of items."""
    measures = {
        "characters": make_score_measure("expression_characters", highest_value=None),
        "words": make_score_measure("expression_words", highest_value=None),
        "negation %": Measure(NEGATION_SCORE_NAME, _read_negation_percent, is_share=True),
    }
    layouts = [
        BlockLayout(
            title,
            tuple(
                PaperColumn(heading, measure, (VariantPart("reference", variant, experiments),), group_title)
                for group_title, experiments in ITEM_EXPERIMENTS.items()
                if variant == "picture" or group_title == "Grids"
                for heading, measure in measures.items()
            ),
        )
        for variant, title in HEADING_BY_MODALITY.items()
    ]
    return fill_layouts(layouts, sources)


def _read_negation_percent(result: EpisodeResult) -> float | None:
    has_negation = read_score(result, NEGATION_SCORE_NAME)
    return None if has_negation is None else 100.0 * has_negation


def make_order_control_blocks(sources: Sources) -> list[PaperBlock]:
    """Return how expressions and success change with the order of the three, and with the distractors alone."""
    place_by_episode: dict[str, str] = {}
    results = []
    for result in sources.results:
        settings = result.condition.settings
        if result.game == "reference" and ORDER_SETTING in settings:
            place_by_episode[result.episode] = str(settings[ORDER_SETTING])
            condition = replace(result.condition, settings=dict(settings) | {ORDER_SETTING: "first"})
            results.append(replace(result, condition=condition))
    player_groups = group_by_players(results, sources)

    def find_target_place(result: EpisodeResult) -> str:
        return place_by_episode[result.episode]

    return [_make_change_block(player_groups, find_target_place), _make_success_block(player_groups, find_target_place)]


def _make_change_block(
    groups: Sequence[PlayerEpisodes], find_target_place: Callable[[EpisodeResult], str]
) -> PaperBlock:
    titles = ("Another order", "The same order again", "Other distractors")
    headings = [
        heading
        for title in titles
        for heading in (ColumnHeading(title, "changed %"), ColumnHeading(title, "word overlap %"))
    ]
    paper_rows = []
    for player_group in groups:
        static_results = [result for result in player_group.included_results if result.experiment in STATIC_EXPERIMENTS]
        pair_lists = (
            pair_by_order(player_group.included_results, find_target_place),
            pair_by_order(player_group.included_results, find_target_place, has_same_place=True),
            pair_distractors(static_results, find_target_place),
        )
        cells = [cell for expression_pairs in pair_lists for cell in _make_pair_cells(expression_pairs)]
        if any(cells):
            paper_rows.append(PaperRow(player_group.label, player_group.kind, cells, player_group.seats))
    return PaperBlock("Pairs of expressions for the same target", "Model", headings, paper_rows)


def _make_pair_cells(expression_pairs: Sequence[ExpressionPair]) -> list[PaperCell | None]:
    """Return the share of changed expressions and their mean overlap in percent; n counts pairs."""
    if not expression_pairs:
        return [None, None]
    changed_values = [(pair.first_result, 100.0 * pair.has_changed) for pair in expression_pairs]
    overlap_values = [(pair.first_result, 100.0 * pair.overlap) for pair in expression_pairs]
    return [make_value_cell(changed_values, SCORE_ALL_MEASURE), make_value_cell(overlap_values, SCORE_ALL_MEASURE)]


def _make_success_block(
    groups: Sequence[PlayerEpisodes], find_target_place: Callable[[EpisodeResult], str]
) -> PaperBlock:
    target_places = ("first", "second", "third")
    place_rows = []
    for player_group in groups:
        cells: list[PaperCell | None] = []
        for place in target_places:
            measured_values = [
                (result, measured_value)
                for result in player_group.included_results
                if find_target_place(result) == place
                and (measured_value := SCORE_ALL_MEASURE.read_episode_value(result)) is not None
            ]
            cells.append(make_value_cell(measured_values, SCORE_ALL_MEASURE) if measured_values else None)
        if any(cells):
            place_rows.append(PaperRow(player_group.label, player_group.kind, cells, player_group.seats))
    headings = [ColumnHeading("Target", place) for place in target_places]
    return PaperBlock("Success by the place of the target in the speaker's list", "Model", headings, place_rows)


# ---------------------------------------------------------------------- MatchIt
def make_question_blocks(sources: Sources) -> list[PaperBlock]:
    """Return the novelty of questions, and the length of what is said, as means over the two seats."""

    def measure_seats(
        name: str, read: Callable[[Mapping[str, Json]], float | None], highest_value: float | None
    ) -> Measure:
        return Measure(
            name, lambda result: read(sources.load_score(result.episode, SEATS_SCORE_NAME) or {}), highest_value
        )

    def read_question_novelty(seats: Mapping[str, Json]) -> float | None:
        novelty_fraction = average_over_seats(seats, "question_novelty")
        return None if novelty_fraction is None else 100.0 * novelty_fraction

    def count_words(kind: str) -> Callable[[Mapping[str, Json]], float | None]:
        def average_words(seats: Mapping[str, Json]) -> float | None:
            text_count = sum(seat.get(f"{kind}s") or 0 for seat in seats.values())
            return sum(seat.get(f"{kind}_words") or 0 for seat in seats.values()) / text_count if text_count else None

        return average_words

    measures = [measure_seats("novelty %", read_question_novelty, 100.0)]
    measures += [measure_seats(f"words per {kind}", count_words(kind), None) for kind in ("question", "answer")]
    measures.append(measure_seats("words per description", count_words("description"), None))
    layouts = [
        BlockLayout(
            title, tuple(PaperColumn(measure.name, measure, (VariantPart("matchit", variant),)) for measure in measures)
        )
        for variant, title in HEADING_BY_MODALITY.items()
    ]
    return fill_layouts(layouts, sources)


# ---------------------------------------------------------------------- Map World
HEADING_BY_ERROR_KIND: dict[ErrorKind, str] = {
    "turn limit": "Loops",
    "early stop": "Early stops",
    "invalid response": "Invalid",
}


def make_error_blocks(sources: Sources) -> list[PaperBlock]:
    """Return the share of games that failed for each cause, per task."""

    def make_measure(kind: ErrorKind) -> Measure:
        def find_failure_percent(result: EpisodeResult) -> float:
            has_stopped = bool(read_score(result, STOPPED_SCORE_NAME))
            return 100.0 * (find_error_kind(sources.load_outcome(result.episode), has_stopped=has_stopped) == kind)

        return Measure(kind, find_failure_percent, is_share=True)

    tasks = {"EE": "ee", "EE-gr": "ee-gr", "G2X": "g2x"}
    layouts = [
        BlockLayout(
            title,
            tuple(
                PaperColumn(
                    HEADING_BY_ERROR_KIND[kind],
                    make_measure(kind),
                    (VariantPart("mapworld", f"{task}-{modality}"),),
                    group,
                )
                for group, task in tasks.items()
                for kind in HEADING_BY_ERROR_KIND
            ),
        )
        for modality, title in HEADING_BY_MODALITY.items()
    ]
    return fill_layouts(layouts, sources)


# ---------------------------------------------------------------------- the image game
def make_turn_blocks(sources: Sources) -> list[PaperBlock]:
    """Return F1 and changed cells after each of the first turns, for compact and for random grids."""
    episodes = [result.episode for result in sources.results if result.game == "imagegame" and result.ending]
    turns_by_episode = {episode: sources.load_score(episode, TURNS_SCORE_NAME) or [] for episode in episodes}
    turn_count = min(MAX_TURNS, max(map(len, turns_by_episode.values()), default=0))

    def make_turn_measure(score_name: str, turn_index: int, highest_value: float | None) -> Measure:
        def read_turn_score(result: EpisodeResult) -> float | None:
            turn_scores = turns_by_episode.get(result.episode, ())
            return turn_scores[turn_index][score_name] if turn_index < len(turn_scores) else None

        return Measure(f"{score_name} {turn_index}", read_turn_score, highest_value)

    scores: tuple[tuple[str, str, float | None], ...] = (("F1", "f1", 100.0), ("Changed cells", "changed_cells", None))
    layouts = [
        BlockLayout(
            f"{title}, {experiment} grids",
            tuple(
                PaperColumn(
                    str(turn_index + 1),
                    make_turn_measure(score_name, turn_index, highest_value),
                    (VariantPart("imagegame", "grid", (experiment,)),),
                    "Turn",
                )
                for turn_index in range(turn_count)
            ),
        )
        for experiment in ("compact", "random")
        for title, score_name, highest_value in scores
    ]
    return fill_layouts(layouts, sources) if turn_count else []
