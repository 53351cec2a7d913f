"""The cells of a study and how they are dealt: which game a participant plays next.

A cell is one instance, one seat for a participant, the other players and the settings. It is filled by games that
count, until as many are there as the study wants. Nobody is dealt an instance twice, nor anything of it (a picture, a
map) that they have met in another one.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.events import Json, digest
from engine.core.player import UnknownPlayer
from engine.play.registry import BadInstances, Registry, SelectedInstance, UnknownSelection
from engine.studies.study_file import PARTICIPANT_PLAYER, BadStudy, CellPlan, Study


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell. `instance` is what is dealt, `seat` the participant's, `stimuli` what nobody should meet twice."""

    cell_key: str
    """Digest of instance, seat, other players and settings: equal in two versions of a study if nothing has changed.

    Whether the partner is hidden, and how often a refused reply is asked again, are settings as well."""
    instance: SelectedInstance
    seat: str
    seats: Mapping[str, str]
    settings: Json
    wanted_games: int
    stimuli: frozenset[str]

    @property
    def partner(self) -> str:
        """The other players, by seat, as text."""
        return ", ".join(f"{seat}={player}" for seat, player in self.seats.items() if seat != self.seat)

    @property
    def partner_seat(self) -> str | None:
        """The other seat for a participant, None where programs have all other seats."""
        return next(
            (seat for seat, player in self.seats.items() if player == PARTICIPANT_PLAYER and seat != self.seat), None
        )


@dataclass(frozen=True, slots=True)
class CellCounts:
    """What has become of a cell: games that count, games being played or reserved, and games over what is wanted."""

    done_count: int = 0
    open_game_count: int = 0
    surplus_count: int = 0


def build_cells(study: Study, registry: Registry) -> list[Cell]:
    """Return all cells of a study, in the order of its file. Raises `BadStudy` for what cannot be dealt."""
    cells: list[Cell] = []
    for deal_number, cell_plan in enumerate(study.games.deals):
        field_path = f"games.deals.{deal_number}"
        try:
            instances = registry.select_instances(cell_plan.selection)
        except (UnknownSelection, BadInstances) as error:
            raise BadStudy(f"{field_path}.selection: {error}") from None
        if not instances:
            raise BadStudy(f"{field_path}.selection: there is no instance of {cell_plan.selection!r}")
        cells += [
            cell
            for instance in instances
            for cell in _build_deal_cells(study, cell_plan, instance, registry, field_path)
        ]
    if study.waiting.program:
        for cell in cells:
            if cell.partner_seat:
                _resolve_player(study.waiting.program, cell.instance, registry, "waiting.program")
    _check_order(study, cells, registry)
    if study.games.turn_rule == "program":
        for cell in cells:
            _resolve_player(study.games.turn_program, cell.instance, registry, "games.turn_program")
    if repeated_keys := [key for key, count in Counter(cell.cell_key for cell in cells).items() if count > 1]:
        cell = next(cell for cell in cells if cell.cell_key == repeated_keys[0])
        raise BadStudy(
            f"games.deals: {cell.instance.instance_id}, seat {cell.seat}, is dealt twice with the same players"
        )
    return cells


def _check_order(study: Study, cells: Sequence[Cell], registry: Registry) -> None:
    experiment_names = {name_experiment(cell) for cell in cells}
    if study.games.order == "random" or len(experiment_names) < 2:
        return
    for cell in cells:
        if registry.game(cell.instance.game).experiment_is_answer:
            raise BadStudy(
                f"games.order: in {cell.instance.game} the experiment often is the answer, and blocks of it would tell:"
                ' use order = "random"'
            )
    if study.games.order == "latin_square":
        count = len(experiment_names)
        if study.games.count % count:
            raise BadStudy(f"games.count: a Latin square of {count} experiments needs a multiple of {count} games")
        if any(cell.partner_seat for cell in cells):
            raise BadStudy("games.order: pairs are dealt what neither has met, so their order cannot be a Latin square")
        if study.games.count > count and (single_game_experiments := list_single_game_experiments(cells)):
            raise BadStudy(
                f"games.count: nobody plays two games of {single_game_experiments[0]}: all its instances have a "
                f"picture or a map in common. A Latin square with it has one game of each experiment, {count} in all"
            )


def _build_deal_cells(
    study: Study, study_deal: CellPlan, selected_instance: SelectedInstance, registry: Registry, field_path: str
) -> list[Cell]:
    game = registry.game(selected_instance.game)
    if set(study_deal.seats) != set(game.seats):
        raise BadStudy(f"{field_path}.seats: {game.name} has the seats {', '.join(game.seats)}")
    if refusal_reason := registry.find_unsupported_reason(selected_instance):
        raise BadStudy(f"{field_path}.selection: {refusal_reason}")
    players_by_seat = {
        seat: player
        if player == PARTICIPANT_PLAYER
        else _resolve_player(player, selected_instance, registry, f"{field_path}.seats.{seat}")
        for seat, player in study_deal.seats.items()
    }
    game_settings = game.settings.model_validate(
        game.settings_of(selected_instance.instance) | study_deal.settings
    ).model_dump(mode="json")
    table_settings = ({"hidden_partner": True} if study.hidden_partner else {}) | (
        {"reprompt": study.games.reprompt} if study.games.reprompt else {}
    )
    stimuli = frozenset(f"{game.name}:{stimulus}" for stimulus in game.stimuli(selected_instance.instance))
    return [
        Cell(
            digest(
                {
                    "instance": selected_instance.instance_hash,
                    "id": selected_instance.instance_id,
                    "seat": seat,
                    "seats": players_by_seat,
                    "settings": game_settings,
                    **table_settings,
                }
            )[:16],
            selected_instance,
            seat,
            players_by_seat,
            game_settings,
            study_deal.people,
            stimuli | {selected_instance.instance_hash},
        )
        for seat in study_deal.people_seats
    ]


def _resolve_player(player: str, selected_instance: SelectedInstance, registry: Registry, field_path: str) -> str:
    """Return the full address of a player that can play an instance. Raises `BadStudy` naming the place in the file."""
    game = registry.game(selected_instance.game)
    try:
        refusal_reason = registry.find_refusal(player, game, game.variant(selected_instance.variant))
        address = registry.resolve(player)
    except UnknownPlayer as error:
        raise BadStudy(f"{field_path}: {error}") from None
    if refusal_reason:
        raise BadStudy(f"{field_path}: {refusal_reason}")
    return address


# ---------------------------------------------------------------------- dealing
def find_open_cells(
    cells: Iterable[Cell], count_by_cell: Mapping[str, CellCounts], seen_stimuli: Collection[str]
) -> list[Cell]:
    """Return the cells that still want a game and show nothing that this person has met.

    `met` are the stimuli that the person knows.
    """
    encountered_stimuli = set(seen_stimuli)
    return [
        cell
        for cell in cells
        if (cell_count := count_by_cell.get(cell.cell_key, CellCounts())).done_count + cell_count.open_game_count
        < cell.wanted_games
        and not cell.stimuli & encountered_stimuli
    ]


def name_experiment(cell: Cell) -> str:
    """Return GAME/VARIANT/EXPERIMENT of a cell."""
    return f"{cell.instance.game}/{cell.instance.variant}/{cell.instance.experiment}"


def list_single_game_experiments(cells: Iterable[Cell]) -> list[str]:
    """Return the experiments of which a person is dealt one game at most: all instances have a stimulus in common."""
    cells_by_experiment: dict[str, list[Cell]] = {}
    for cell in cells:
        cells_by_experiment.setdefault(name_experiment(cell), []).append(cell)
    return [
        experiment
        for experiment, experiment_cells in cells_by_experiment.items()
        if len({cell.instance.instance_hash for cell in experiment_cells}) > 1
        and frozenset.intersection(*(cell.stimuli for cell in experiment_cells))
    ]


def make_latin_square(condition_count: int) -> list[list[int]]:
    """Return a Latin square in which every condition follows every other equally often.

    Rows are orders of the conditions, numbered from 0: one row per condition for an even count, two for an odd one
    (Williams 1949, Australian Journal of Scientific Research A 2:149).
    """
    first_row = [(i + 1) // 2 if i % 2 else -(i // 2) % condition_count for i in range(condition_count)]
    square_rows = [[(condition + step) % condition_count for condition in first_row] for step in range(condition_count)]
    return square_rows if condition_count % 2 == 0 else square_rows + [square_row[::-1] for square_row in square_rows]


def pair_cells(candidates: Iterable[Cell], partner_candidates: Iterable[Cell]) -> list[tuple[Cell, Cell]]:
    """Return each cell of a person with the other cell of the same game that a partner may be dealt."""
    cells_by_seat: dict[tuple[str, str], list[Cell]] = {}
    for cell in partner_candidates:
        cells_by_seat.setdefault((cell.instance.instance_id, cell.seat), []).append(cell)
    return [
        (cell, partner_cell)
        for cell in candidates
        if cell.partner_seat
        for partner_cell in cells_by_seat.get((cell.instance.instance_id, cell.partner_seat), ())
        if (partner_cell.seats, partner_cell.settings) == (cell.seats, cell.settings)
    ]


def select_open_experiment_cells(candidates: Sequence[Cell], dealt_cells: Iterable[Sequence[Cell]]) -> list[Cell]:
    """Return the candidates that go on with the experiment under way of most people, with what each was dealt."""
    open_experiments = [name_experiment(person_cells[-1]) for person_cells in dealt_cells if person_cells]
    open_counts = [open_experiments.count(name_experiment(cell)) for cell in candidates]
    return [
        cell
        for cell, open_game_count in zip(candidates, open_counts, strict=True)
        if open_game_count == max(open_counts)
    ]


def choose_cell(
    candidates: Sequence[Cell],
    count_by_cell: Mapping[str, CellCounts],
    study: Study,
    random_generator: random.Random,
    dealt_cells: Sequence[Cell],
    experiment_names: Sequence[str] = (),
) -> Cell | None:
    """Return the emptiest of the open cells, at random among equals; with `blocks` within the experiment under way.

    `dealt` are the cells that the person has been dealt, oldest first, `experiments` the order of experiments for this
    person in a Latin square: each has the same number of games. Where the next one has no cell left, any is dealt.
    """
    if study.games.order == "blocks":
        candidates = select_open_experiment_cells(candidates, [dealt_cells])
    if experiment_names and len(dealt_cells) < study.games.count:
        due_experiment = experiment_names[len(dealt_cells) * len(experiment_names) // study.games.count]
        candidates = [cell for cell in candidates if name_experiment(cell) == due_experiment] or candidates
    if not candidates:
        return None

    def compute_fill_share(cell: Cell) -> float:
        cell_counts = count_by_cell.get(cell.cell_key, CellCounts())
        return (cell_counts.done_count + cell_counts.open_game_count) / cell.wanted_games

    lowest_fill_share = min(map(compute_fill_share, candidates))
    return random_generator.choice([cell for cell in candidates if compute_fill_share(cell) == lowest_fill_share])


# ---------------------------------------------------------------------- whether it can be dealt
@dataclass(frozen=True, slots=True)
class DealingPlan:
    """What dealing a study takes: seats to fill, participants needed, and how many of these get all their games."""

    seat_count: int
    participant_count: int
    complete_count: int
    """Participants who get as many games as the study says, when games are dealt as the server deals them."""
    unfilled_seats: int
    """Seats that stay empty then."""


def plan_dealing(study: Study, cells: Sequence[Cell]) -> DealingPlan:
    """Return how many participants a study needs and whether all their games can be dealt. Raises `BadStudy`.

    A flow through participants and instances (networkx) is an upper bound: each participant takes `games.count` games
    and no instance twice. Then the games are dealt once by the rules of the server, which also keep apart instances
    that share a picture or a map.
    """
    import networkx as nx

    games_by_instance = Counter[str]()
    for cell in cells:
        games_by_instance[cell.instance.instance_hash] += cell.wanted_games
    seat_count, games_per_person = sum(games_by_instance.values()), study.games.count
    participants = -(-seat_count // games_per_person)
    flow_graph = nx.DiGraph()
    for person_number in range(participants):
        flow_graph.add_edge("source", person_number, capacity=games_per_person)
        flow_graph.add_edges_from(((person_number, instance) for instance in games_by_instance), capacity=1)
    flow_graph.add_edges_from((instance, "sink", {"capacity": games}) for instance, games in games_by_instance.items())
    max_seat_flow = nx.maximum_flow_value(flow_graph, "source", "sink")
    if max_seat_flow < min(seat_count, participants * games_per_person):
        max_games = min(len(games_by_instance), max(1, max_seat_flow // participants))
        raise BadStudy(
            f"games.count: {participants} participants cannot play {games_per_person} games each without meeting an "
            f"instance twice ({len(games_by_instance)} instances): at most {max_games}"
        )
    return _simulate_dealing(study, cells, participants, seat_count)


def _simulate_dealing(study: Study, cells: Sequence[Cell], participants: int, seats: int) -> DealingPlan:
    random_generator = random.Random(study.seed)
    count_by_cell: dict[str, CellCounts] = {}
    complete_count = 0
    for _ in range(participants):
        dealt_cells: list[Cell] = []
        while len(dealt_cells) < study.games.count:
            encountered_stimuli = set[str]().union(*(cell.stimuli for cell in dealt_cells))
            cell = choose_cell(
                find_open_cells(cells, count_by_cell, encountered_stimuli),
                count_by_cell,
                study,
                random_generator,
                dealt_cells,
            )
            if cell is None:
                break
            count_by_cell[cell.cell_key] = CellCounts(count_by_cell.get(cell.cell_key, CellCounts()).done_count + 1)
            dealt_cells.append(cell)
        complete_count += len(dealt_cells) == study.games.count
    return DealingPlan(
        seats, participants, complete_count, seats - sum(counts.done_count for counts in count_by_cell.values())
    )


def describe_cell(cell: Cell, cell_counts: CellCounts) -> dict[str, Any]:
    """Return a cell as `ludens study status --format json` prints it."""
    return {
        "instance": cell.instance.instance_id,
        "seat": cell.seat,
        "partner": cell.partner,
        "settings": cell.settings,
        "wanted": cell.wanted_games,
        "done": cell_counts.done_count,
        "in_play": cell_counts.open_game_count,
        "surplus": cell_counts.surplus_count,
    }
