"""The tables and figures of GameEval about games with sides: who plays which side against whom.

Rows and columns are players, so our own numbers and those of the paper are blocks of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations

from engine.core.events import digest
from engine.results.exclusion import exclusion_reason
from engine.results.figures import classify_players, rank_players
from engine.results.papers.cells import PaperCell, make_cell, make_score_measure, make_share_measure, read_score
from engine.results.papers.layouts import (
    PUBLISHED_KIND,
    ColumnHeading,
    PaperBlock,
    PaperRow,
    Sources,
    describe_settings,
    make_published_cell,
)
from engine.results.published import PublishedRow
from engine.results.statistics import Estimate
from engine.storage.episode_result import EpisodeResult

SPYFALL_GAME, TOFUKINGDOM_GAME, ASKGUESS_GAME = "spyfall", "tofukingdom", "askguess"
SPY_SIDE, VILLAGER_SIDE = "side:spy", "side:villagers"
CAMP_NAMES = ("prince", "spy", "queen")
"""In the order of the paper's columns."""
SPY_WIN_MEASURE = replace(
    make_score_measure("spy_win"),
    read_episode_value=lambda result: _read_percent(result, "spy_win"),
    is_share=True,
    scale=0.01,
)
SPY_ROUNDS_MEASURE = make_score_measure("spy_rounds", highest_value=None)
PUBLISHED_GAMES = 120
"""Games of the paper's six assignments in TofuKingdom."""
PAPER_EXPERIMENT, WORD_FIELD, WORD_PAIR_FIELDS = "given", "word", ("spy", "common")
"""The experiment with the word pairs of the paper, and the fields of its instances."""
Pairing = tuple[str, str]
"""The player of the spy and that of the villagers."""


def _read_percent(result: EpisodeResult, score_name: str) -> float | None:
    score_fraction = read_score(result, score_name)
    return None if score_fraction is None else 100.0 * score_fraction


def _list_episodes_with_remarks(
    sources: Sources, game: str, experiment: str | None = None
) -> list[tuple[str, EpisodeResult]]:
    """Return the counted episodes of a game, each with what differs from the defaults."""
    return [
        (describe_settings(result.condition, sources.registry), result)
        for result in sources.results
        if result.game == game
        and experiment in (None, result.experiment)
        and exclusion_reason(result, sources.include_informed_players) is None
    ]


def _find_side_player(result: EpisodeResult, side: str) -> str | None:
    """Return who plays a side; the player of all seats plays every side. None if several players play it."""
    seats = result.seats
    if side in seats:
        return seats[side]
    players = set(seats.values())
    return players.pop() if len(players) == 1 else None


def _label_player(player: str, remarks: str) -> str:
    return f"{player} ({remarks})" if remarks else player


def _group_by_pairing(sources: Sources, experiment: str | None = None) -> dict[Pairing, list[EpisodeResult]]:
    pairings: dict[Pairing, list[EpisodeResult]] = {}
    for remarks, result in _list_episodes_with_remarks(sources, SPYFALL_GAME, experiment):
        spy, villagers = _find_side_player(result, SPY_SIDE), _find_side_player(result, VILLAGER_SIDE)
        if spy and villagers:
            pairings.setdefault((_label_player(spy, remarks), _label_player(villagers, remarks)), []).append(result)
    return pairings


# ---------------------------------------------------------------------- SpyFall
def make_spy_blocks(sources: Sources) -> list[PaperBlock]:
    """Return Table 3: the win rate (w) and the living rounds (l) of each spy against each player of the villagers."""
    pairings = _group_by_pairing(sources, "given")
    villagers = sorted({pairing[1] for pairing in pairings})
    instance_count = _count_instances(sources, SPYFALL_GAME, "words", "given")
    headings = [
        heading
        for villager in villagers
        for heading in (
            ColumnHeading(f"Villager {villager}", "w", 1.0, instance_count),
            ColumnHeading(f"Villager {villager}", "l", None, instance_count),
        )
    ]
    spy_rows = []
    for spy in sorted({pairing[0] for pairing in pairings}):
        cells = [
            make_cell(pairings[spy, villager], measure) if (spy, villager) in pairings else None
            for villager in villagers
            for measure in (SPY_WIN_MEASURE, SPY_ROUNDS_MEASURE)
        ]
        spy_rows.append(PaperRow(spy, _find_player_kind(sources, [spy], SPYFALL_GAME), cells))
    blocks = [PaperBlock("", "Spy", headings, spy_rows)] if spy_rows else []
    return [*blocks, *_list_published_spies(sources.published_rows)]


def _list_published_spies(published_rows: Sequence[PublishedRow]) -> list[PaperBlock]:
    numbers = {
        (published_row.model, published_row.seats[VILLAGER_SIDE], published_row.number): published_row.value
        for published_row in published_rows
        if (published_row.paper, published_row.table) == ("gameeval", 3)
    }
    if not numbers:
        return []
    models = list(dict.fromkeys(model for model, _, _ in numbers))
    column_specs = (("w", "spy_win", 1.0), ("l", "spy_rounds", None))
    headings = [
        ColumnHeading(f"Villager {model}", heading, highest_value)
        for model in models
        for heading, _, highest_value in column_specs
    ]
    model_rows = [
        PaperRow(
            spy,
            PUBLISHED_KIND,
            [
                None if (number := numbers.get((spy, model, number_name))) is None else make_published_cell(number)
                for model in models
                for _, number_name, _ in column_specs
            ],
        )
        for spy in models
    ]
    return [PaperBlock("Published †", "Spy", headings, model_rows)]


def make_word_pair_blocks(sources: Sources) -> list[PaperBlock]:
    """Return Figure 6: per word pair, how often each of two players won as the spy against the other."""
    pairings = _group_by_pairing(sources, "given")
    words_by_hash = _read_word_pairs(sources)
    players = sorted({player for pairing in pairings for player in pairing})
    blocks = []
    for first_player, second_player in combinations(players, 2):
        side_results = [
            pairings.get((first_player, second_player), []),
            pairings.get((second_player, first_player), []),
        ]
        if not any(side_results):
            continue
        headings = [ColumnHeading("Spy", spy_name, 1.0, 1) for spy_name in (first_player, second_player)]
        pair_rows = [
            PaperRow(
                pair_words,
                _find_player_kind(sources, (first_player, second_player), SPYFALL_GAME),
                [_make_word_cell(spy_results, instance_hash) for spy_results in side_results],
            )
            for instance_hash, pair_words in words_by_hash.items()
        ]
        blocks.append(PaperBlock(f"{first_player} vs {second_player}", "Word pair (spy, common)", headings, pair_rows))
    return blocks


def _make_word_cell(results: Sequence[EpisodeResult], instance_hash: str) -> PaperCell | None:
    cell = make_cell([result for result in results if result.instance_hash == instance_hash], SPY_WIN_MEASURE)
    return cell if cell.n else None


def _read_word_pairs(sources: Sources) -> dict[str, str]:
    """Return the words of the paper's pairs by the hash of their instance, the spy's first."""
    if not sources.registry.has(SPYFALL_GAME):
        return {}
    experiments = sources.registry.experiments(SPYFALL_GAME, "words")
    return {
        digest(instance): " & ".join(instance[side][WORD_FIELD] for side in WORD_PAIR_FIELDS)
        for instance in experiments.get(PAPER_EXPERIMENT, [])
    }


# ---------------------------------------------------------------------- TofuKingdom
def make_camp_blocks(sources: Sources) -> list[PaperBlock]:
    """Return Table 4: the points of three players in their six assignments to the camps, one for each game won."""
    assignments: dict[tuple[str, ...], list[EpisodeResult]] = {}
    for remarks, result in _list_episodes_with_remarks(sources, TOFUKINGDOM_GAME):
        players = [_find_side_player(result, f"camp:{camp_name}") for camp_name in CAMP_NAMES]
        trio_assignment = tuple(_label_player(player, remarks) for player in players if player)
        if len(set(trio_assignment)) == len(CAMP_NAMES):
            assignments.setdefault(trio_assignment, []).append(result)
    trios = sorted({tuple(sorted(players)) for players in assignments})
    blocks = [_make_camp_block(trio, assignments, sources) for trio in trios]
    return [*blocks, *_list_published_camps(sources.published_rows)]


def _make_camp_block(
    trio: Sequence[str], assignments: Mapping[tuple[str, ...], Sequence[EpisodeResult]], sources: Sources
) -> PaperBlock:
    instance_count = _count_instances(sources, TOFUKINGDOM_GAME, "roles")
    headings = [ColumnHeading("Points", player, None, instance_count) for player in trio]
    trio_kind = _find_player_kind(sources, trio, TOFUKINGDOM_GAME)
    block_rows, total_points, game_count = [], dict.fromkeys(trio, 0), 0
    for trio_assignment in permutations(trio):
        camp_results = assignments.get(trio_assignment, ())
        camp_points = {
            player: sum((result.side_scores or {}).get(camp_name) == 100 for result in camp_results)
            for camp_name, player in zip(CAMP_NAMES, trio_assignment, strict=True)
        }
        cells = [_make_points_cell(camp_points[player], camp_results) if camp_results else None for player in trio]
        block_rows.append(PaperRow(", ".join(trio_assignment), trio_kind, cells))
        total_points = {player: total_points[player] + camp_points[player] for player in trio}
        game_count += len(camp_results)
    total_cells = [PaperCell(Estimate(total_points[player]), game_count, 0) for player in trio]
    block_rows.append(PaperRow("Total points", trio_kind, total_cells))
    return PaperBlock("", "Prince, Spy, Queen", headings, block_rows)


def _make_points_cell(points: int, results: Sequence[EpisodeResult]) -> PaperCell:
    return PaperCell(Estimate(points), len(results), len({result.instance_hash for result in results}))


def _list_published_camps(published_rows: Sequence[PublishedRow]) -> list[PaperBlock]:
    table_rows = [row for row in published_rows if (row.paper, row.table) == ("gameeval", 4)]
    if not table_rows:
        return []
    models = sorted({row.model for row in table_rows})
    points_by_label: dict[str, dict[str, float]] = {}
    for row in table_rows:
        camps = [row.seats.get(f"camp:{camp_name}", "") for camp_name in CAMP_NAMES]
        points_by_label.setdefault(", ".join(camps) if any(camps) else "Total points", {})[row.model] = row.value
    block_rows = [
        PaperRow(label, PUBLISHED_KIND, [make_published_cell(model_points[model]) for model in models])
        for label, model_points in points_by_label.items()
    ]
    headings = [ColumnHeading("Points", model, None) for model in models]
    return [PaperBlock("Published †", "Prince, Spy, Queen", headings, block_rows)]


# ---------------------------------------------------------------------- all three games
def make_slope_blocks(sources: Sources) -> list[PaperBlock]:
    """Return Figure 1: the score of one player over that of a better one in each game; the paper prints 0.29 in all.

    Scores are percentages: successful trials in Ask-Guess, wins as the spy against the other in SpyFall, games that
    one's camp won in TofuKingdom.
    """
    tables = [*_score_askguess(sources), ("SpyFall (w)", _score_spies(sources)), ("TofuKingdom", _score_camps(sources))]
    players = sorted({player_name for _, scores in tables for pair in scores for player_name in pair})
    blocks = []
    for pair in combinations(players, 2):
        game_lines = [(game_title, _map_cells(pair, scores[pair])) for game_title, scores in tables if pair in scores]
        if len(game_lines) > 1:
            blocks.append(_make_slope_block(pair, game_lines, _find_player_kind(sources, pair, ASKGUESS_GAME)))
    return [*blocks, *_list_published_slopes(sources.published_rows)]


def _map_cells(pair: Pairing, cells: Sequence[PaperCell]) -> dict[str, PaperCell]:
    return dict(zip(pair, cells, strict=True))


def _make_slope_block(
    pair: Sequence[str], game_lines: Sequence[tuple[str, Mapping[str, PaperCell]]], pair_kind: str
) -> PaperBlock:
    """Return a block of two players, the worse first: better and worse over all games by the mean of the ranks."""
    ranks = rank_players((name, cells[name].estimate.value) for _, cells in game_lines for name in pair)
    better_player, worse_player = sorted(pair, key=ranks.__getitem__)
    slope_rows = []
    for game_title, cells in game_lines:
        end_values = [cells[name].estimate.value for name in (worse_player, better_player)]
        slope = end_values[0] / end_values[1] if end_values[0] is not None and end_values[1] else None
        ratio_cell = None if slope is None else PaperCell(Estimate(slope), min(cell.n for cell in cells.values()), 0)
        slope_rows.append(PaperRow(game_title, pair_kind, [cells[worse_player], cells[better_player], ratio_cell]))
    headings = [ColumnHeading("%", worse_player), ColumnHeading("%", better_player), ColumnHeading("", "slope", None)]
    return PaperBlock(f"{worse_player} / {better_player}", "Game", headings, slope_rows)


def _score_askguess(sources: Sources) -> list[tuple[str, dict[Pairing, list[PaperCell]]]]:
    tables, success_measure = [], make_share_measure("ending", "ST")
    for variant, game_title in (("described", "Ask-Guess, description"), ("yes-no", "Ask-Guess, none")):
        results_by_player: dict[str, list[EpisodeResult]] = {}
        for remarks, result in _list_episodes_with_remarks(sources, ASKGUESS_GAME):
            players = set(result.seats.values())
            if result.variant == variant and len(players) == 1:
                results_by_player.setdefault(_label_player(players.pop(), remarks), []).append(result)
        cells = {name: make_cell(results, success_measure) for name, results in results_by_player.items()}
        tables.append((game_title, {pair: [cells[name] for name in pair] for pair in combinations(sorted(cells), 2)}))
    return tables


def _score_spies(sources: Sources) -> dict[Pairing, list[PaperCell]]:
    results_by_pairing = _group_by_pairing(sources, "given")
    percent_measure = replace(SPY_WIN_MEASURE, scale=1.0)
    cells = {pairing: make_cell(results, percent_measure) for pairing, results in results_by_pairing.items()}
    return {(spy, foe): [cell, cells[foe, spy]] for (spy, foe), cell in cells.items() if (foe, spy) in cells}


def _score_camps(sources: Sources) -> dict[Pairing, list[PaperCell]]:
    scores: dict[Pairing, list[PaperCell]] = {}
    for block in make_camp_blocks(sources):
        total = block.rows[-1]
        if not total.is_published:
            cells = {
                heading.name: _to_percent(cell)
                for heading, cell in zip(block.headings, total.cells, strict=True)
                if cell
            }
            scores |= {pair: [cells[name] for name in pair] for pair in combinations(sorted(cells), 2)}
    return scores


def _to_percent(points: PaperCell) -> PaperCell:
    """Return points as a percentage of the games, each of which gives one point to one of three players."""
    percent = None if points.estimate.value is None or not points.n else 100 * points.estimate.value / points.n
    return PaperCell(Estimate(percent), points.n, points.instances)


def _list_published_slopes(published_rows: Sequence[PublishedRow]) -> list[PaperBlock]:
    """Return the slopes of the paper's two models as its own tables give them."""
    pair = ("ChatGPT", "GPT-4")

    def list_cells(matches_row: Callable[[PublishedRow, str], bool], scale: float = 1.0) -> list[PaperCell]:
        published_numbers = [
            next((row.value for row in published_rows if row.model == model and matches_row(row, model)), None)
            for model in pair
        ]
        return [
            make_published_cell(scale * published_number)
            for published_number in published_numbers
            if published_number is not None
        ]

    def is_spy_row(row: PublishedRow, model: str) -> bool:
        return row.number == "spy_win" and row.seats.get(VILLAGER_SIDE) == pair[pair.index(model) - 1]

    game_lines = [
        ("Ask-Guess, description", list_cells(lambda row, _: (row.variant, row.number) == ("described", "ST"))),
        ("Ask-Guess, none", list_cells(lambda row, _: (row.variant, row.number) == ("yes-no", "ST"))),
        ("SpyFall (w)", list_cells(is_spy_row, 100.0)),
        (
            "TofuKingdom",
            list_cells(lambda row, _: row.game == TOFUKINGDOM_GAME and not row.seats, 100 / PUBLISHED_GAMES),
        ),
    ]
    full_lines = [(game, dict(zip(pair, line, strict=True))) for game, line in game_lines if len(line) == len(pair)]
    if not full_lines:
        return []
    block = _make_slope_block(pair, full_lines, PUBLISHED_KIND)
    return [replace(block, title="ChatGPT / GPT-4, from the paper's tables †")]


def _find_player_kind(sources: Sources, players: Iterable[str], game: str) -> str:
    return classify_players([player.partition(" (")[0] for player in players], game, sources.registry)


def _count_instances(sources: Sources, game: str, variant: str, experiment: str | None = None) -> int:
    if not sources.registry.has(game):
        return 0
    experiments = sources.registry.experiments(game, variant)
    return sum(len(instances) for name, instances in experiments.items() if experiment in (None, name))
