"""Tables of what the papers describe in prose: lengths, negation, order, questions, errors, and scores turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from engine.core.events import Json
from engine.results.papers.analyses import (
    ORDER_SETTING,
    ErrorKind,
    ExpressionPair,
    distractor_pairs,
    error_kind,
    mean_over_seats,
    order_pairs,
)
from engine.results.papers.cells import SCORE_ALL, Measure, PaperCell, cell_of_values, game_score, read_score
from engine.results.papers.layouts import (
    BlockLayout,
    ColumnHead,
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

MODALITY_HEADS = {"text": "Text-only", "picture": "Multimodal"}
ITEM_EXPERIMENTS = {
    "Grids": ("rows", "columns", "diagonals", "letters", "shapes", "random"),
    "Photos": ("rooms", "everyday", "objects"),
    "Pentomino": ("pentomino",),
}
NEGATION_SCORE, SEATS, TURNS, STOPPED = "negation", "seats", "turns", "stopped"
"""Scores of games."""
MAX_TURNS = 10
STATIC_EXPERIMENTS = ("rooms-static", "everyday-static", "objects-static")


# ---------------------------------------------------------------------- the reference game
def fill_expressions(sources: Sources) -> list[PaperBlock]:
    """Return length and negation of accepted expressions per kind of items."""
    measures = {
        "characters": game_score("expression_characters", highest=None),
        "words": game_score("expression_words", highest=None),
        "negation %": Measure(NEGATION_SCORE, _negation_percent, is_share=True),
    }
    layouts = [
        BlockLayout(
            title,
            tuple(
                PaperColumn(head, measure, (VariantPart("reference", variant, experiments),), group)
                for group, experiments in ITEM_EXPERIMENTS.items()
                if variant == "picture" or group == "Grids"
                for head, measure in measures.items()
            ),
        )
        for variant, title in MODALITY_HEADS.items()
    ]
    return fill_layouts(layouts, sources)


def _negation_percent(result: EpisodeResult) -> float | None:
    has_negation = read_score(result, NEGATION_SCORE)
    return None if has_negation is None else 100.0 * has_negation


def fill_order_control(sources: Sources) -> list[PaperBlock]:
    """Return how expressions and success change with the order of the three, and with the distractors alone."""
    place_by_episode: dict[str, str] = {}
    results = []
    for result in sources.results:
        settings = result.condition.settings
        if result.game == "reference" and ORDER_SETTING in settings:
            place_by_episode[result.episode] = str(settings[ORDER_SETTING])
            condition = replace(result.condition, settings=dict(settings) | {ORDER_SETTING: "first"})
            results.append(replace(result, condition=condition))
    groups = group_by_players(results, sources)

    def place_of(result: EpisodeResult) -> str:
        return place_by_episode[result.episode]

    return [_change_block(groups, place_of), _success_block(groups, place_of)]


def _change_block(groups: Sequence[PlayerEpisodes], place_of: Callable[[EpisodeResult], str]) -> PaperBlock:
    titles = ("Another order", "The same order again", "Other distractors")
    heads = [head for title in titles for head in (ColumnHead(title, "changed %"), ColumnHead(title, "word overlap %"))]
    change_rows = []
    for group in groups:
        static_results = [result for result in group.counted if result.experiment in STATIC_EXPERIMENTS]
        kinds_of_pairs = (
            order_pairs(group.counted, place_of),
            order_pairs(group.counted, place_of, same_place=True),
            distractor_pairs(static_results, place_of),
        )
        cells = [cell for pairs in kinds_of_pairs for cell in _pair_cells(pairs)]
        if any(cells):
            change_rows.append(PaperRow(group.label, group.kind, cells, group.seats))
    return PaperBlock("Pairs of expressions for the same target", "Model", heads, change_rows)


def _pair_cells(pairs: Sequence[ExpressionPair]) -> list[PaperCell | None]:
    """Return the share of changed expressions and their mean overlap in percent; n counts pairs."""
    if not pairs:
        return [None, None]
    changed_values = [(pair.result, 100.0 * pair.has_changed) for pair in pairs]
    overlap_values = [(pair.result, 100.0 * pair.overlap) for pair in pairs]
    return [cell_of_values(changed_values, SCORE_ALL), cell_of_values(overlap_values, SCORE_ALL)]


def _success_block(groups: Sequence[PlayerEpisodes], place_of: Callable[[EpisodeResult], str]) -> PaperBlock:
    places = ("first", "second", "third")
    place_rows = []
    for group in groups:
        cells: list[PaperCell | None] = []
        for place in places:
            measured_values = [
                (result, measured_value)
                for result in group.counted
                if place_of(result) == place and (measured_value := SCORE_ALL.value(result)) is not None
            ]
            cells.append(cell_of_values(measured_values, SCORE_ALL) if measured_values else None)
        if any(cells):
            place_rows.append(PaperRow(group.label, group.kind, cells, group.seats))
    heads = [ColumnHead("Target", place) for place in places]
    return PaperBlock("Success by the place of the target in the speaker's list", "Model", heads, place_rows)


# ---------------------------------------------------------------------- MatchIt
def fill_questions(sources: Sources) -> list[PaperBlock]:
    """Return the novelty of questions, and the length of what is said, as means over the two seats."""

    def seat_measure(head: str, value: Callable[[Mapping[str, Json]], float | None], highest: float | None) -> Measure:
        return Measure(head, lambda result: value(sources.load_score(result.episode, SEATS) or {}), highest)

    def question_novelty(seats: Mapping[str, Json]) -> float | None:
        share = mean_over_seats(seats, "question_novelty")
        return None if share is None else 100.0 * share

    def words_per_text(text_kind: str) -> Callable[[Mapping[str, Json]], float | None]:
        def mean_words(seats: Mapping[str, Json]) -> float | None:
            text_count = sum(seat.get(f"{text_kind}s") or 0 for seat in seats.values())
            return (
                sum(seat.get(f"{text_kind}_words") or 0 for seat in seats.values()) / text_count if text_count else None
            )

        return mean_words

    measures = [seat_measure("novelty %", question_novelty, 100.0)]
    measures += [seat_measure(f"words per {kind}", words_per_text(kind), None) for kind in ("question", "answer")]
    measures.append(seat_measure("words per description", words_per_text("description"), None))
    layouts = [
        BlockLayout(title, tuple(PaperColumn(m.name, m, (VariantPart("matchit", variant),)) for m in measures))
        for variant, title in MODALITY_HEADS.items()
    ]
    return fill_layouts(layouts, sources)


# ---------------------------------------------------------------------- Map World
ERROR_HEADS: dict[ErrorKind, str] = {
    "turn limit": "Loops",
    "early stop": "Early stops",
    "invalid response": "Invalid",
}


def fill_errors(sources: Sources) -> list[PaperBlock]:
    """Return the share of games that failed for each cause, per task."""

    def measure(measured_kind: ErrorKind) -> Measure:
        def failure_percent(result: EpisodeResult) -> float:
            has_stopped = bool(read_score(result, STOPPED))
            return 100.0 * (error_kind(sources.load_outcome(result.episode), has_stopped=has_stopped) == measured_kind)

        return Measure(measured_kind, failure_percent, is_share=True)

    tasks = {"EE": "ee", "EE-gr": "ee-gr", "G2X": "g2x"}
    layouts = [
        BlockLayout(
            title,
            tuple(
                PaperColumn(ERROR_HEADS[kind], measure(kind), (VariantPart("mapworld", f"{task}-{modality}"),), group)
                for group, task in tasks.items()
                for kind in ERROR_HEADS
            ),
        )
        for modality, title in MODALITY_HEADS.items()
    ]
    return fill_layouts(layouts, sources)


# ---------------------------------------------------------------------- the image game
def fill_turns(sources: Sources) -> list[PaperBlock]:
    """Return F1 and changed cells after each of the first turns, for compact and for random grids."""
    episodes = [result.episode for result in sources.results if result.game == "imagegame" and result.ending]
    turns_by_episode = {episode: sources.load_score(episode, TURNS) or [] for episode in episodes}
    turn_count = min(MAX_TURNS, max(map(len, turns_by_episode.values()), default=0))

    def turn_measure(score_name: str, turn_index: int, highest: float | None) -> Measure:
        def turn_score(result: EpisodeResult) -> float | None:
            turn_scores = turns_by_episode.get(result.episode, ())
            return turn_scores[turn_index][score_name] if turn_index < len(turn_scores) else None

        return Measure(f"{score_name} {turn_index}", turn_score, highest)

    scores: tuple[tuple[str, str, float | None], ...] = (("F1", "f1", 100.0), ("Changed cells", "changed_cells", None))
    layouts = [
        BlockLayout(
            f"{title}, {experiment} grids",
            tuple(
                PaperColumn(
                    str(turn_index + 1),
                    turn_measure(score_name, turn_index, highest),
                    (VariantPart("imagegame", "grid", (experiment,)),),
                    "Turn",
                )
                for turn_index in range(turn_count)
            ),
        )
        for experiment in ("compact", "random")
        for title, score_name, highest in scores
    ]
    return fill_layouts(layouts, sources) if turn_count else []
