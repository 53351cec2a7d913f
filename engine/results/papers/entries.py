"""The tables and figures of the three source documents that report results: titles, layouts, and what fills them.

`multimodal` is Hakimov et al., `gameeval` Qiao et al., `imagegame` the description of the image game, which has
measures and no table. Tables and figures that show examples, prompts or models are not here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from engine.core.suggestions import did_you_mean
from engine.results.papers import sides, wording
from engine.results.papers.cells import (
    CLEMSCORE_MEASURE,
    PLAYED_SHARE_MEASURE,
    QUALITY_MEASURE,
    SCORE_ALL_MEASURE,
    Measure,
    make_score_measure,
    make_share_measure,
    make_stalled_measure,
    read_score,
)
from engine.results.papers.layouts import (
    BlockLayout,
    PaperBlock,
    PaperColumn,
    Sources,
    VariantPart,
    add_pooled_models,
    fill_layout,
    fill_layouts,
    group_by_players,
    transpose_block,
)


class UnknownPaperTable(LookupError):
    """No paper has such a table; the message names the next one there is."""


@dataclass(frozen=True, slots=True)
class PaperEntry:
    """A table or figure: `name` is how the command calls it, `place` where it stands, `make_blocks` what fills it."""

    name: str
    title: str
    place: str
    make_blocks: Callable[[Sources], list[PaperBlock]]
    games: tuple[str, ...]
    """What to play to fill it, as `ludens run` takes it."""
    decimals: int = 1
    note: str = ""
    """How it differs from the paper, or what the paper does not say."""
    print_form: str = "table"
    """How the document prints it: table, figure or prose."""
    seating: str = "--seat all=PLAYER"
    """How to seat players so that the games fit it, as `ludens run` takes it."""


# ---------------------------------------------------------------------- layouts
def _list_columns(
    game: str, variant: str, measure: Measure, experiment_by_heading: Mapping[str, str], group_title: str = ""
) -> tuple[PaperColumn, ...]:
    """Return a column per experiment: {heading: experiment}."""
    return tuple(
        PaperColumn(heading, measure, (VariantPart(game, variant, (experiment,)),), group_title)
        for heading, experiment in experiment_by_heading.items()
    )


def _fill_layouts(*layouts: BlockLayout) -> Callable[[Sources], list[PaperBlock]]:
    """Return a function that fills these layouts, each with the players that played a part of it."""
    return partial(fill_layouts, layouts)


def _pick_maps(modality: str, *tasks: str, experiments: tuple[str, ...] = ()) -> tuple[VariantPart, ...]:
    return tuple(VariantPart("mapworld", f"{task}-{modality}", experiments) for task in tasks or ("ee", "ee-gr", "g2x"))


MATCHIT_PARTS, REFERENCE_PARTS = (VariantPart("matchit", "picture"),), (VariantPart("reference", "picture"),)
MULTIMODAL_PARTS = (*MATCHIT_PARTS, *REFERENCE_PARTS, *_pick_maps("picture"))


def _make_clemscore_layout() -> BlockLayout:
    columns = [PaperColumn("clemscore", CLEMSCORE_MEASURE, MULTIMODAL_PARTS, explicit_published_key=(None, None, None))]
    column_groups = [
        ("all games", MULTIMODAL_PARTS, (None, None, None)),
        ("MatchIt", MATCHIT_PARTS, None),
        ("Reference", REFERENCE_PARTS, None),
        ("Map Game", _pick_maps("picture"), ("mapworld", None, None)),
    ]
    for group_title, variant_parts, published_key in column_groups:
        columns.append(
            PaperColumn(
                "avg %p", PLAYED_SHARE_MEASURE, variant_parts, group_title, explicit_published_key=published_key
            )
        )
        columns.append(
            PaperColumn("avg ql", QUALITY_MEASURE, variant_parts, group_title, explicit_published_key=published_key)
        )
    return BlockLayout("", tuple(columns), 1)


def _make_modality_difference_layout() -> BlockLayout:
    game_parts = {
        "MatchIt": ((VariantPart("matchit", "text"),), MATCHIT_PARTS),
        "Reference": ((VariantPart("reference", "text"),), REFERENCE_PARTS),
        "Map Game": (_pick_maps("text"), _pick_maps("picture")),
    }
    columns = (
        PaperColumn(game, SCORE_ALL_MEASURE, texts, subtracted_variant_parts=pictures)
        for game, (texts, pictures) in game_parts.items()
    )
    return BlockLayout("Textual - multimodal", tuple(columns))


GRID_EXPERIMENT_BY_HEADING = {
    "Row": "rows",
    "Column": "columns",
    "Diagonal": "diagonals",
    "Letter": "letters",
    "Shape": "shapes",
    "Random": "random",
}
PHOTO_EXPERIMENT_BY_HEADING = {"ADE": "rooms", "DOCCI": "everyday", "CLEVR": "objects"}
REFERENCE_LAYOUTS = (
    BlockLayout(
        "Text-only Reference Game", _list_columns("reference", "text", SCORE_ALL_MEASURE, GRID_EXPERIMENT_BY_HEADING), 4
    ),
    BlockLayout(
        "Multimodal Reference Game",
        _list_columns(
            "reference",
            "picture",
            SCORE_ALL_MEASURE,
            {**GRID_EXPERIMENT_BY_HEADING, **PHOTO_EXPERIMENT_BY_HEADING, "Pent.": "pentomino"},
        ),
        4,
    ),
)
STATIC_REFERENCE_LAYOUT = BlockLayout(
    "",
    _list_columns(
        "reference",
        "picture",
        SCORE_ALL_MEASURE,
        {name: f"{photos}-static" for name, photos in PHOTO_EXPERIMENT_BY_HEADING.items()},
    ),
    5,
)
DIFFICULTY_BY_HEADING = {"0": "same", "1": "similar", "2": "different"}
MATCHIT_PICTURE_LAYOUTS = tuple(
    BlockLayout(
        f"matchit (multimodal) - {title} input",
        _list_columns(
            "matchit",
            "picture",
            QUALITY_MEASURE,
            {heading: f"{kind}-{name}" for heading, name in DIFFICULTY_BY_HEADING.items()},
        ),
        6,
    )
    for title, kind in (("Photo", "photos"), ("Pentomino", "pentomino"))
)
MATCHIT_TEXT_LAYOUT = BlockLayout(
    "matchit (text-only variant)",
    _list_columns(
        "matchit",
        "text",
        QUALITY_MEASURE,
        {"0": "same", "1_1": "similar-transformed", "1_2": "similar-edit-2", "2": "different"},
    ),
    7,
)
HEADING_BY_MODALITY = {"text": "Text-only", "picture": "Multimodal"}


def _make_map_task_layout(modality: str) -> BlockLayout:
    heading_by_task = {"ee": "EE", "ee-gr": "EE-gr", "g2x": "G2X"}
    columns = (
        PaperColumn(heading, SCORE_ALL_MEASURE, _pick_maps(modality, task)) for task, heading in heading_by_task.items()
    )
    return BlockLayout({"text": "Textual"}.get(modality, HEADING_BY_MODALITY[modality]), tuple(columns), 10)


def _make_map_size_layout(modality: str) -> BlockLayout:
    experiment_by_heading = {
        "Sml": "small",
        "Med": "medium",
        "Lrg": "large",
        "Med+cyc": "medium-cycle",
        "Lrg+cyc": "large-cycle",
    }
    return BlockLayout(
        HEADING_BY_MODALITY[modality],
        _list_columns("mapworld", f"ee-{modality}", SCORE_ALL_MEASURE, experiment_by_heading),
        11,
    )


def _make_graph_reasoning_layout() -> BlockLayout:
    shared_sizes = ("small", "medium", "large")
    columns = (
        PaperColumn(
            heading,
            SCORE_ALL_MEASURE,
            _pick_maps(modality, task, experiments=shared_sizes),
            HEADING_BY_MODALITY[modality],
            explicit_published_key=("mapworld", f"{task}-{modality}", None),
        )
        for modality in ("picture", "text")
        for task, heading in (("ee", "EE"), ("ee-gr", "EE-gr"))
    )
    return BlockLayout("", tuple(columns), 12)


def _make_exploration_layout(modality: str) -> BlockLayout:
    measures = {
        "Efficiency": make_score_measure("efficiency", aborted_as_zero=True),
        "Exploration": make_score_measure("exploration", aborted_as_zero=True),
        "Graph Similarity": make_score_measure("graph_similarity", aborted_as_zero=True),
        "Steps": make_score_measure("moves", highest_value=None, aborted_as_zero=True),
    }
    columns = (PaperColumn(heading, measure, _pick_maps(modality, "ee-gr")) for heading, measure in measures.items())
    return BlockLayout(HEADING_BY_MODALITY[modality], tuple(columns), 13)


def _make_target_distance_layout() -> BlockLayout:
    distances = {"0 (on)": "on", "1-2 (close)": "close", "3-4 (far)": "far"}
    measures = {"% Played": PLAYED_SHARE_MEASURE, "Success": SCORE_ALL_MEASURE}
    columns = (
        PaperColumn(
            f"{HEADING_BY_MODALITY[modality]} {name}",
            measure,
            _pick_maps(modality, "g2x", experiments=(experiment,)),
            heading,
        )
        for heading, experiment in distances.items()
        for modality in ("text", "picture")
        for name, measure in measures.items()
    )
    return BlockLayout("", tuple(columns), 14)


def _make_target_distance_blocks(sources: Sources) -> list[PaperBlock]:
    layout = _make_target_distance_layout()
    player_groups = add_pooled_models(group_by_players(sources.results, sources, layout.parts))
    return transpose_block(fill_layout(layout, player_groups, sources), "Distance from Target in G2X")


ROUNDS_SCORE_NAME, ENDING_SCORE_NAME, SUCCESS_ENDING_CODE = "rounds", "ending", "ST"
ASKGUESS_ENDING_CODES = (SUCCESS_ENDING_CODE, "EE", "RLE", "AME")
CHAT_ERROR = "CE"


def _lay_out_ask_guess(variant: str, title: str) -> BlockLayout:
    variant_parts = (VariantPart("askguess", variant),)
    successful_rounds = replace(
        make_score_measure(ROUNDS_SCORE_NAME, highest_value=None),
        read_episode_value=lambda result: (
            read_score(result, ROUNDS_SCORE_NAME)
            if read_score(result, ENDING_SCORE_NAME) == SUCCESS_ENDING_CODE
            else None
        ),
    )
    columns = [PaperColumn("Round", successful_rounds, variant_parts)]
    measures = [
        *(make_share_measure(ENDING_SCORE_NAME, ending_code) for ending_code in ASKGUESS_ENDING_CODES),
        make_stalled_measure(CHAT_ERROR),
    ]
    columns += [PaperColumn(measure.name, measure, variant_parts, "Details") for measure in measures]
    return BlockLayout(title, tuple(columns), 2, "gameeval")


def _lay_out_image_game() -> BlockLayout:
    measures = {
        "% played": PLAYED_SHARE_MEASURE,
        "Precision": make_score_measure("precision"),
        "Recall": make_score_measure("recall"),
        "F1": make_score_measure("f1"),
        "Changed cells": make_score_measure("changed_cells", highest_value=None),
        "Characters": make_score_measure("command_length", highest_value=None),
        "Tokens": make_score_measure("command_tokens", highest_value=None),
    }
    columns = (
        PaperColumn(heading, measure, (VariantPart("imagegame", "grid", (experiment,)),), group_title)
        for group_title, experiment in (("Compact", "compact"), ("Random", "random"))
        for heading, measure in measures.items()
    )
    return BlockLayout("", tuple(columns))


# ---------------------------------------------------------------------- entries
PAPER_ENTRIES: tuple[PaperEntry, ...] = (
    PaperEntry(
        "multimodal/table-1", "clemscore, % played and quality per game", "Table 1",
        _fill_layouts(_make_clemscore_layout()),
        ("matchit/picture", "reference/picture", *(f"mapworld/{task}-picture" for task in ("ee", "ee-gr", "g2x"))),
        2, "Map Game is the mean over its three variants; averages over all games are over those that were played.",
    ),
    PaperEntry(
        "multimodal/figure-5", "Difference in clemscore, textual - multimodal", "Figure 5",
        _fill_layouts(_make_modality_difference_layout()),
        ("matchit", "reference", "mapworld"), 1,
        "The clemscore of one game is its mean score with aborted games as 0. The paper prints no numbers.", "figure",
    ),
    PaperEntry(
        "multimodal/expressions", "Length and negation of referring expressions", "Section 5.3.2",
        wording.make_expression_blocks, ("reference",), 1,
        "The paper counts tokens: GPT-4V 27, GPT-4o 20, Gemini and Claude 14. Words are split at white space.", "prose",
    ),
    PaperEntry(
        "multimodal/table-4", "Success in the reference game per experiment", "Table 4",
        _fill_layouts(*REFERENCE_LAYOUTS), ("reference",), 1, "Aborted games count as 0. Guessing gives 33.3.",
    ),
    PaperEntry(
        "multimodal/table-5", "Success in the reference game with a static target", "Table 5",
        _fill_layouts(STATIC_REFERENCE_LAYOUT),
        tuple(f"reference/picture/{name}-static" for name in PHOTO_EXPERIMENT_BY_HEADING.values()), 1,
        "Aborted games count as 0.",
    ),
    PaperEntry(
        "multimodal/order-control", "Expressions when only the order, or only the distractors, change", "Appendix B.4",
        wording.make_order_control_blocks, ("reference",), 1,
        "Play the same instances with --set target_at=first, second and third. The paper prints no numbers.", "prose",
    ),
    PaperEntry(
        "multimodal/table-6", "MatchIt in pictures by difficulty", "Table 6", _fill_layouts(*MATCHIT_PICTURE_LAYOUTS),
        ("matchit/picture",), 1, "0: same, 1: similar, 2: different. Played games only.",
    ),
    PaperEntry(
        "multimodal/table-7", "MatchIt in text by difficulty", "Table 7", _fill_layouts(MATCHIT_TEXT_LAYOUT),
        ("matchit/text",), 1,
        "0: same, 1_1: mirrored or turned, 1_2: two cells differ, 2: different. Played games only.",
    ),
    PaperEntry(
        "multimodal/figure-14", "MatchIt in pictures by difficulty", "Figure 14",
        _fill_layouts(*MATCHIT_PICTURE_LAYOUTS), ("matchit/picture",), 1,
        "The published numbers are those of Table 6.", "figure",
    ),
    PaperEntry(
        "multimodal/figure-15", "MatchIt in text by difficulty", "Figure 15", _fill_layouts(MATCHIT_TEXT_LAYOUT),
        ("matchit/text",), 1, "The published numbers are those of Table 7.", "figure",
    ),
    PaperEntry(
        "multimodal/questions", "Questions, answers and descriptions in MatchIt", "Appendix C.6",
        wording.make_question_blocks, ("matchit",), 1,
        "Novelty: % of questions with a content word that nobody used before. The paper prints no numbers.", "prose",
    ),
    PaperEntry(
        "multimodal/table-10", "Quality per variant of the Map Game", "Table 10",
        _fill_layouts(_make_map_task_layout("picture"), _make_map_task_layout("text")),
        ("mapworld",), 1, "Aborted games count as 0.",
    ),
    PaperEntry(
        "multimodal/table-11", "Exploring maps of different size and complexity", "Table 11",
        _fill_layouts(_make_map_size_layout("text"), _make_map_size_layout("picture")),
        ("mapworld/ee-text", "mapworld/ee-picture"), 1, "Aborted games count as 0.",
    ),
    PaperEntry(
        "multimodal/table-12", "Exploring with and without graph reasoning", "Table 12",
        _fill_layouts(_make_graph_reasoning_layout()), tuple(
            f"mapworld/{task}-{modality}/{size}" for modality in ("picture", "text") for task in ("ee", "ee-gr")
            for size in ("small", "medium", "large")
        ), 1,
        "Aborted games count as 0. Ours are over small, medium and large maps, which both tasks share, as the caption "
        "says; the paper reprints the columns of Table 10, in which EE has maps with cycles too.",
    ),
    PaperEntry(
        "multimodal/table-13", "Efficiency, exploration, graph similarity and steps", "Table 13",
        _fill_layouts(_make_exploration_layout("text"), _make_exploration_layout("picture")),
        ("mapworld/ee-gr-text", "mapworld/ee-gr-picture"), 2, "Aborted games count as 0.",
    ),
    PaperEntry(
        "multimodal/table-14", "The effect of distance in G2X", "Table 14", _make_target_distance_blocks,
        ("mapworld/g2x-text", "mapworld/g2x-picture"), 1, "Success counts aborted games as 0.",
    ),
    PaperEntry(
        "multimodal/figure-16", "Causes of errors in the Map Game", "Figure 16", wording.make_error_blocks,
        ("mapworld",), 1,
        "% of all games. Loops: the turn limit was reached. Early stops: DONE before the goal. Invalid: a reply in "
        "another form. The paper shows examples and prints no numbers.", "figure",
    ),
    PaperEntry(
        "gameeval/figure-1", "Slope: a player's score over that of a better one", "Figure 1", sides.make_slope_blocks,
        ("askguess/described", "askguess/yes-no", "spyfall/words/given", "tofukingdom"), 2,
        "The paper prints one slope for GameEval, 0.29, and does not say of what; those below are from its tables.",
        "figure",
    ),
    PaperEntry(
        "gameeval/table-2", "Ask-Guess: rounds and endings", "Table 2",
        _fill_layouts(
            _lay_out_ask_guess("described", "w/ prior description"),
            _lay_out_ask_guess("yes-no", "w/o prior description (answers yes or no)"),
            _lay_out_ask_guess("undescribed", "w/o prior description (answers in own words)"),
        ),
        ("askguess",), 2, "Rounds of successful games. Stalled games are CE; % of all games.",
    ),
    PaperEntry(
        "gameeval/table-3", "SpyFall: win rate and living rounds of the spy", "Table 3", sides.make_spy_blocks,
        ("spyfall/words/given",), 2, "The paper's settings are --set tie=first --set spy_wins_at=3.",
    ),
    PaperEntry(
        "gameeval/table-4", "TofuKingdom: points per assignment of camps", "Table 4", sides.make_camp_blocks,
        ("tofukingdom",), 0, "Three players in their six assignments, one point for each game that a camp won.",
        seating="--cross PLAYER PLAYER PLAYER",
    ),
    PaperEntry(
        "gameeval/figure-6", "SpyFall: win rate of the spy per word pair", "Figure 6", sides.make_word_pair_blocks,
        ("spyfall/words/given",), 2, "The paper prints bars without numbers.", "figure",
    ),
    PaperEntry(
        "imagegame/scores", "Precision, recall, F1, changed cells and lengths", "Evaluation",
        _fill_layouts(_lay_out_image_game()), ("imagegame",), 1, "Tokens are words split at white space.", "prose",
    ),
    PaperEntry(
        "imagegame/turns", "F1 and changed cells turn by turn", "Evaluation", wording.make_turn_blocks,
        ("imagegame",), 1, "The first ten turns; means over the games that have the turn.", "prose",
    ),
)  # fmt: skip
"""All tables and figures, in the order of the documents."""


def find_entry(entry_name: str) -> PaperEntry:
    """Return a table or figure by its name. Raises `UnknownPaperTable`."""
    entry_by_name = {entry.name: entry for entry in PAPER_ENTRIES}
    if entry_name not in entry_by_name:
        raise UnknownPaperTable(
            f"no table {entry_name!r}{did_you_mean(entry_name, list(entry_by_name))}; "
            f"`ludens paper list` names all {len(entry_by_name)}"
        )
    return entry_by_name[entry_name]


def list_documents(entries: Sequence[PaperEntry] = PAPER_ENTRIES) -> dict[str, str]:
    """Return the title of each document of these entries, by the first part of their names."""
    titles = {
        "multimodal": "Hakimov et al., Using Game Play to Investigate Multimodal and Conversational Grounding",
        "gameeval": "Qiao et al., GameEval: Evaluating LLMs on Conversational Games",
        "imagegame": "The image game of clembench",
    }
    return {document: titles[document] for document in dict.fromkeys(entry.name.partition("/")[0] for entry in entries)}
