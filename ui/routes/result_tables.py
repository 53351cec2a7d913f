"""The four views of the Results page as HTML: the leaderboard, the heat map, two players compared, plots.

A view is drawn in parts. The long ones go on where they end, and folded ones are drawn when a reader opens them: each
has an address of its own (`part` and `start`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from markupsafe import Markup

from engine.core.events import Json
from engine.core.usage import describe_finishes, describe_models, describe_request_fields
from engine.core.wording import plural
from engine.results import figures
from engine.results.ability import AbilityRating, AbilityTable, TeamRating
from engine.results.clemscore import ClemscoreRow
from engine.results.exclusion import EXCLUSION_REASONS
from engine.results.leaderboard import NUMBER_COLUMNS, PublishedGroup, VariantRow, format_seats
from engine.results.rating import RatingTable
from engine.results.table import ResultRow
from ui.live.refusal import Refusal
from ui.routes.result_panels import PageAddress, describe_seats, make_part_url, render

ItemT = TypeVar("ItemT")
ROWS_PER_CHUNK = 120
"""Rows that are drawn at once."""
FILTER_PARAMETERS = ("game", "variant", "experiment", "player", "kind", "informed", "published")
VIEW_TITLES = {"": "Leaderboard", "heatmap": "Heat map", "compare": "Two players", "plots": "Plots"}
COLUMN_TITLES = {
    "experiment": "Experiment",
    "players": "Players",
    "n": "n",
    "played": "% played",
    "quality": "Quality",
    "score_all": "Score, all",
}
BEST_FIRST_ORDER_BY_COLUMN = {"n": "-n", **{name: f"-{name}" for name in NUMBER_COLUMNS}}
"""How a column is sorted first, as far as that is not by its name."""
COLUMN_EXPLANATIONS = {
    "n": "Episodes with an outcome that count; below, those left out and why",
    "played": "Share of episodes that no player broke off by breaking the rules of form",
    "quality": "Mean main score of the episodes played to the end, 0 to 100",
    "score_all": "The same with aborted episodes as 0",
}
MEASURE_TITLES = {"quality": "Quality", "played": "% played", "score_all": "Score, all"}
"""What the heat map can show."""
VISIBLE_CLEMSCORES = 20
"""Rows of each modality that are shown before the rest is folded."""


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """A row, and in words how it was played where others of its variant were played otherwise."""

    row: ResultRow | VariantRow
    difference: str

    @property
    def result(self) -> ResultRow:
        """The numbers of the row."""
        return self.row if isinstance(self.row, ResultRow) else self.row.total_row

    @property
    def experiment(self) -> str | None:
        """The experiment, None for all of a variant."""
        return self.row.condition.experiment or None

    @property
    def ids(self) -> Sequence[str]:
        """The conditions whose episodes it counts."""
        return [self.row.condition.id] if isinstance(self.row, ResultRow) else self.row.condition_ids

    def as_json(self) -> Json:
        """Return the row as the page shows it: with the words of the command on what models were sent."""
        usage = self.result.usage
        words = {
            "sent": describe_models(usage, describe_request_fields),
            "finish": describe_models(usage, describe_finishes),
        }
        return self.row.as_json() | ({"usage_words": words} if any(words.values()) else {}) | {"how": self.difference}


TableLine = LabelledRow | PublishedGroup
"""A line of the long table: one of our rows, or a published one."""


class Titles:
    """What games, variants and experiments are called, and in which order they stand."""

    def __init__(self, games: Sequence[Json]) -> None:
        self._titles: dict[tuple[str | None, ...], str] = {}
        for game in games:
            self._titles[game["name"],] = game["title"]
            for variant in game["variants"]:
                self._titles[game["name"], variant["name"]] = variant["title"]
                for experiment, title in variant["experiments"].items():
                    self._titles[game["name"], variant["name"], experiment] = title
        self._ranks = {path: rank for rank, path in enumerate(self._titles)}

    def title(self, *path: str) -> str:
        """Return what a game, variant or experiment is called; one that is gone goes by its name."""
        return self._titles.get((*path,), path[-1])

    def rank(self, *path: str | None) -> int:
        """Return where it stands; what is gone, or has no name, comes last."""
        return self._ranks.get(path, len(self._ranks))


@dataclass(frozen=True)
class ResultsPage:
    """What the views are drawn from: the address, and what the filters left."""

    address: PageAddress
    rows: Sequence[LabelledRow]
    clemscores: Sequence[ClemscoreRow]
    abilities: Sequence[AbilityTable]
    ratings: Sequence[RatingTable]
    published: Sequence[PublishedGroup]
    choices: Json
    hidden: Json
    lines: dict[str, list[TableLine]] = field(default_factory=dict)
    """The lines of the long table in the order last asked for."""
    own_ratings: Sequence[Json] = ()
    """Of the reader, whom nobody else sees."""

    @cached_property
    def titles(self) -> Titles:
        """The titles of games."""
        return Titles(self.choices["games"])

    @property
    def kinds(self) -> Mapping[str, str]:
        """Players with their kinds."""
        kinds: Mapping[str, str] = self.choices["players"]
        return kinds

    @property
    def informed(self) -> str | None:
        """What links to episodes carry if informed people count."""
        return "1" if self.address.get("informed") else None

    @cached_property
    def sources(self) -> dict[str, str]:
        """The tables of papers, with what their numbers average."""
        return {group.source: group.says for group in self.published}

    def make_source_id(self, group: PublishedGroup) -> str:
        """Return the id of the element that cites the table of a published row."""
        return f"source-{[*self.sources].index(group.source) + 1}"


class RowChunk(NamedTuple):
    """Some of the items of a part, and where the next come from."""

    items: Sequence[Any]
    start: int
    next_url: str | None


def _make_chunk(page: ResultsPage, rows: Sequence[ItemT], part_name: str, first_row: int) -> RowChunk:
    end = first_row + ROWS_PER_CHUNK
    return RowChunk(
        rows[first_row:end], first_row, make_part_url(page.address, part_name, end) if end < len(rows) else None
    )


# ---------------------------------------------------------------------- the page
def draw_view(page: ResultsPage, comparison: Callable[[], Json]) -> str:
    """Return the view that an address names, with filters above it; a comparison of two players if it needs one."""
    view_name = page.address.get("view")
    view_name = view_name if view_name in VIEW_TITLES else ""
    is_filtered = bool(page.address.make_link_without(FILTER_PARAMETERS) != page.address.link())
    if not (page.rows or page.published or page.ratings or page.abilities or view_name == "compare"):
        sections = [render("empty.html", page=page, filters=FILTER_PARAMETERS, is_filtered=is_filtered)]
    elif view_name == "heatmap":
        sections = [_draw_heatmap(page, 0)]
    elif view_name == "compare":
        sections = [_draw_comparison(page, comparison)]
    elif view_name == "plots":
        sections = [_draw_plots(page)]
    else:
        sections = _draw_leaderboard(page)
    game = next((game for game in page.choices["games"] if game["name"] == page.address.get("game")), None)
    return render(
        "view.html",
        page=page,
        view=view_name,
        views=VIEW_TITLES,
        game=game,
        sections=map(Markup, sections),
        is_filtered=is_filtered,
        filters=FILTER_PARAMETERS,
        is_empty=not page.choices["games"] and not is_filtered and page.address.get("per") == "",
    )


def render_table_part(page: ResultsPage, part_name: str, first_row: int) -> str:
    """Return a part of a view from one of its rows on. Raises `Refusal` for a part that there is not."""
    part_kind, _, table_id = part_name.partition(":")
    if part_kind == "rows":
        return _draw_rows(page, first_row)
    if part_kind == "heatmap":
        return _draw_heatmap(page, first_row)
    if part_kind == "further":
        return _draw_further_rows(page, first_row)
    if part_kind == "clemscores" and table_id in ("more", "other"):
        return _draw_clemscores(page, table_id, first_row)
    for ability_table in page.abilities if part_kind == "rating" else ():
        if ability_table.id == table_id:
            return _draw_abilities(page, ability_table)
    for rating_table in page.ratings if part_kind == "rating" else ():
        if rating_table.id == table_id:
            return _draw_ratings(page, rating_table, first_row)
    raise Refusal(404, f"this page has no part {part_name!r}")


# ---------------------------------------------------------------------- the leaderboard
def _draw_leaderboard(page: ResultsPage) -> list[str]:
    sections = [
        render(
            "folds.html",
            page=page,
            meanings=[(COLUMN_TITLES[column_name], words) for column_name, words in COLUMN_EXPLANATIONS.items()],
            further=len(_list_further_published(page)),
            further_url=make_part_url(page.address, "further", 0),
        )
    ]
    if _list_clemscore_entries(page):
        sections.append(_draw_clemscores(page, "", 0))
    for table in page.abilities:
        collapsed_html = render(
            "fold.html", page=page, table=table, url=make_part_url(page.address, f"rating:{table.id}", 0)
        )
        sections.append(_draw_abilities(page, table) if page.address.get("game") else collapsed_html)
    sections += [_draw_ratings(page, table, 0) for table in page.ratings]
    if _read_sorted_lines(page):
        sections.append(_draw_rows(page, 0))
    return sections


def _find_path(table_line: TableLine) -> tuple[str, str | None, str | None]:
    """Return the game, the variant and the experiment of a line."""
    game_part = table_line if isinstance(table_line, PublishedGroup) else table_line.row.condition
    return game_part.game or "", game_part.variant or None, game_part.experiment or None


def _find_number(table_line: TableLine, column_name: str) -> float | None:
    if isinstance(table_line, PublishedGroup):
        return table_line.numbers.get(column_name)
    return table_line.result.n if column_name == "n" else getattr(table_line.result, column_name).value


def _name_players(line: TableLine) -> str:
    return line.model if isinstance(line, PublishedGroup) else describe_seats(line.row.condition.seats)


def _read_sorted_lines(page: ResultsPage) -> list[TableLine]:
    """Return the lines of the long table: by variant, within it by experiment or as the address says.

    They are kept until the log changes or another order is asked for.
    """
    sort_column = page.address.get("sort")
    if sort_column not in page.lines:
        page.lines.clear()
        page.lines[sort_column] = _sort_lines(page, sort_column.removeprefix("-"), sort_column.startswith("-"))
    return page.lines[sort_column]


def _sort_lines(page: ResultsPage, column_name: str, is_descending: bool) -> list[TableLine]:
    table_lines: list[TableLine] = [*page.rows, *(group for group in page.published if _has_columns(page, group))]
    rank = page.titles.rank

    def make_number_key(table_line: TableLine) -> tuple[bool, float]:
        column_number = _find_number(table_line, column_name)
        return column_number is None, (column_number or 0) * (-1 if is_descending else 1)

    def make_experiment_key(line: TableLine) -> tuple[object, ...]:
        path, quality = _find_path(line), _find_number(line, "quality")
        side = "" if isinstance(line, PublishedGroup) else line.result.side or ""
        return rank(*path), path[2] or "", side, isinstance(line, PublishedGroup), 1 if quality is None else -quality

    if column_name == "players":
        table_lines.sort(key=_name_players, reverse=is_descending)
    else:
        table_lines.sort(key=make_number_key if column_name in ("n", *NUMBER_COLUMNS) else make_experiment_key)
    return sorted(
        table_lines,
        key=lambda line: (rank(_find_path(line)[0]), rank(*_find_path(line)[:2]), *map(str, _find_path(line)[:2])),
    )


def _has_columns(page: ResultsPage, group: PublishedGroup) -> bool:
    """Return whether a published row stands in the long table."""
    is_hidden = page.address.get("per") == "variant" and group.experiment
    return bool(group.game) and not is_hidden and any(column_name in group.numbers for column_name in NUMBER_COLUMNS)


def _is_clemscore_row(page: ResultsPage, group: PublishedGroup) -> bool:
    """Return whether a published row stands among the clemscores."""
    return not page.address.get("game") and not group.game and "clemscore" in group.numbers


def _list_further_published(page: ResultsPage) -> list[PublishedGroup]:
    """Return the published rows whose numbers have no columns."""
    return [
        group
        for group in page.published
        if not _has_columns(page, group)
        and not _is_clemscore_row(page, group)
        and not (page.address.get("per") == "variant" and group.experiment)
    ]


def _draw_rows(page: ResultsPage, first_row: int) -> str:
    table_lines = _read_sorted_lines(page)
    row_chunk = _make_chunk(page, table_lines, "rows", first_row)
    lines_by_variant: dict[tuple[str, str | None], list[tuple[TableLine, bool]]] = {}
    previous_path = _find_path(table_lines[first_row - 1]) if first_row else None
    continued_group = previous_path and previous_path[:2]
    for table_line in row_chunk.items:
        experiment_path = _find_path(table_line)
        lines_by_variant.setdefault(experiment_path[:2], []).append((table_line, experiment_path == previous_path))
        previous_path = experiment_path
    return render(
        "rows.html",
        page=page,
        chunk=row_chunk,
        groups=lines_by_variant,
        continued_group=continued_group,
        columns=COLUMN_TITLES,
        explanations=COLUMN_EXPLANATIONS,
        best_first=BEST_FIRST_ORDER_BY_COLUMN,
        numbers=NUMBER_COLUMNS,
        excluded=lambda row: [reason for reason in EXCLUSION_REASONS if row[reason]],
        filters=FILTER_PARAMETERS,
        orders=[
            ("", "experiment"),
            *(
                (BEST_FIRST_ORDER_BY_COLUMN.get(column_name, column_name), words)
                for column_name, words in [*COLUMN_TITLES.items()][1:]
            ),
        ],
        command=_make_cli_command(page.address),
        sort=page.address.get("sort"),
    )


def _make_cli_command(address: PageAddress) -> str | None:
    """Return the command that prints the same rows, None where none does."""
    player_kinds = address.all_values("kind")
    if "programs" in player_kinds:
        return None
    words = ["ludens results", address.path(), *(f'--player "{player}"' for player in address.all_values("player"))]
    words += [f"--{player_kind}" for player_kind in ("people", "models") if player_kind in player_kinds]
    words += [f"--{option_name}" for option_name in ("published", "informed") if address.get(option_name)]
    return " ".join(filter(None, words))


def _draw_further_rows(page: ResultsPage, first_row: int) -> str:
    return render(
        "further.html", page=page, chunk=_make_chunk(page, _list_further_published(page), "further", first_row)
    )


# ---------------------------------------------------------------------- clemscores
class ClemscoreEntry(NamedTuple):
    """A clemscore of ours or a published one."""

    modality: str
    score: float
    row: ClemscoreRow | None
    published: PublishedGroup | None


def _list_clemscore_entries(page: ResultsPage) -> list[ClemscoreEntry]:
    score_entries = [ClemscoreEntry(row.modality, row.total.clemscore, row, None) for row in page.clemscores]
    score_entries += [
        ClemscoreEntry("picture", published_group.numbers["clemscore"], None, published_group)
        for published_group in page.published
        if _is_clemscore_row(page, published_group)
    ]
    return sorted(score_entries, key=lambda score_entry: (score_entry.modality != "text", -score_entry.score))


def _find_most_compared_games(score_rows: Iterable[ClemscoreRow]) -> list[str] | None:
    """Return the games that rows are compared over: the widest set, of several as wide that of most rows."""
    counts_by_games = Counter(tuple(score_row.episode_counts) for score_row in score_rows)
    return (
        list(max(counts_by_games.items(), key=lambda game_count: (len(game_count[0]), game_count[1]))[0])
        if counts_by_games
        else None
    )


def _draw_clemscores(page: ResultsPage, part: str, first_row: int) -> str:
    """Return the best clemscores, or those of a fold: "more" over the same games, or those over "other" games."""
    score_entries = _list_clemscore_entries(page)
    widest_interval_games = {
        modality: _find_most_compared_games(
            score_row for score_row in page.clemscores if score_row.modality == modality
        )
        for modality in ("text", "picture")
    }
    sections: dict[str, list[ClemscoreEntry]] = {"": [], "more": [], "other": []}
    row_counts: Counter[str] = Counter()
    for score_entry in score_entries:
        if score_entry.row and list(score_entry.row.episode_counts) != widest_interval_games[score_entry.modality]:
            sections["other"].append(score_entry)
            continue
        row_counts[score_entry.modality] += 1
        sections["" if row_counts[score_entry.modality] <= VISIBLE_CLEMSCORES else "more"].append(score_entry)
    chunk = (
        _make_chunk(page, sections[part], f"clemscores:{part}", first_row) if part else RowChunk(sections[""], 0, None)
    )
    fold_links = [
        (
            make_part_url(page.address, f"clemscores:{section_name}", 0),
            f"{plural(len(sections[section_name]), row_noun)} over {games_text} games",
        )
        for section_name, row_noun, games_text in (("more", "more row", "the same"), ("other", "row", "other"))
        if sections[section_name]
    ]
    return render("clemscores.html", page=page, part=part, chunk=chunk, folds=fold_links)


# ---------------------------------------------------------------------- ratings
def _find_largest_rating_bound(ratings: Iterable[Any]) -> float:
    """Return the farthest end of an interval: all of a table are drawn on one scale."""
    interval_ends: list[float] = [rating[name] for rating in ratings for name in ("low", "high") if rating[name]]
    return max([100, *map(abs, interval_ends)])


def _draw_abilities(page: ResultsPage, ability_table: AbilityTable) -> str:
    own_ratings = [rating | {"is_own": True, "seats": None, "study": "", "group": 0} for rating in page.own_ratings]
    player_ratings: list[Json] = [
        *(_describe_rating(rating, page) for rating in ability_table.players),
        *(rating for rating in own_ratings if rating["table"] == ability_table.id),
    ]
    team_ratings = [_describe_rating(team, page) for team in ability_table.teams]
    table_parts, unrated_players = ([("Teams", team_ratings)] if team_ratings else []), []
    for role in ability_table.roles:
        rated_players = [rating for rating in player_ratings if rating["role"] == role]
        if any(not rating["prior_only"] and rating["rating"] is not None for rating in rated_players):
            rated_players.sort(key=lambda rating: (rating["prior_only"], -(rating["rating"] or 0)))
            table_parts.append((f"As {role}", rated_players))
        else:
            unrated_players.append(f"as {role}")
    return render(
        "abilities.html",
        page=page,
        table=ability_table,
        parts_of_table=[(title, rated_players, _has_groups(rated_players)) for title, rated_players in table_parts],
        unrated=" or ".join(unrated_players),
        reach=_find_largest_rating_bound(
            rating for rating in [*player_ratings, *team_ratings] if not rating["prior_only"]
        ),
    )


def _describe_rating(rating: AbilityRating | TeamRating, page: ResultsPage) -> Json:
    seats = {"player": format_seats(rating.seats), "role": None} if isinstance(rating, TeamRating) else {}
    return {"is_own": False, "seats": None, "prior_only": False, **asdict(rating), **seats}


def _has_groups(ratings: Iterable[Json]) -> bool:
    """Return whether games link some of the ratings in several groups, but not the groups."""
    return len({rating["group"] for rating in ratings if rating["group"] and not rating["prior_only"]}) > 1


def _draw_ratings(page: ResultsPage, rating_table: RatingTable, first_row: int) -> str:
    own_ratings = [rating for rating in page.own_ratings if rating["table"] == rating_table.id]
    side_names = [strength.side for strength in rating_table.sides]
    return render(
        "ratings.html",
        page=page,
        table=rating_table,
        sides=side_names,
        heads=["Player", "Rating", "n", "Won", *(f"As {side}" for side in side_names)],
        own_ratings=[] if first_row else own_ratings,
        chunk=_make_chunk(page, rating_table.players, f"rating:{rating_table.id}", first_row),
        reach=_find_largest_rating_bound(
            [*map(asdict, rating_table.players), *map(asdict, rating_table.sides), *own_ratings]
        ),
    )


# ---------------------------------------------------------------------- the heat map
@dataclass(slots=True)
class HeatColumn:
    """A column of the heat map: an experiment, on one side, under one set of conditions."""

    row: LabelledRow
    label: str
    title: str = ""


def _draw_heatmap(page: ResultsPage, first_row: int) -> str:
    measure_name = page.address.get("measure")
    measure_name = measure_name if measure_name in MEASURE_TITLES else "quality"
    column_by_key: dict[tuple[str | None, ...], HeatColumn] = {}
    players: dict[str, tuple[Mapping[str, str], dict[tuple[str | None, ...], LabelledRow]]] = {}
    for labelled_row in page.rows:
        condition, side = labelled_row.result.condition, labelled_row.result.side
        column_key = (condition.game, condition.variant, labelled_row.experiment, side, labelled_row.difference)
        column_label = "/".join(filter(None, (condition.variant, labelled_row.experiment)))
        column_by_key.setdefault(column_key, HeatColumn(labelled_row, ", ".join(filter(None, (column_label, side)))))
        players.setdefault(_make_players_key(condition.seats), (condition.seats, {}))[1][column_key] = labelled_row

    def make_sort_key(player: tuple[Mapping[str, str], dict[Any, LabelledRow]]) -> tuple[bool, int, float]:
        seats, cells = player
        mean_values = [getattr(labelled_row.result, measure_name).value for labelled_row in cells.values()]
        known_values = [estimate for estimate in mean_values if estimate is not None]
        return _has_sides(seats), -len(cells), -(sum(known_values) / len(known_values) if known_values else -1)

    player_lines = sorted(players.values(), key=make_sort_key)
    ordered_columns = _order_columns(page, column_by_key)
    return render(
        "heatmap.html",
        page=page,
        chunk=_make_chunk(
            page, [(seats, _make_players_key(seats), cells) for seats, cells in player_lines], "heatmap", first_row
        ),
        columns=ordered_columns,
        games=Counter(column.row.result.condition.game for column in ordered_columns.values()),
        measure=measure_name,
        measures=MEASURE_TITLES,
        has_sides=_has_sides,
    )


def _order_columns(
    page: ResultsPage, columns: Mapping[tuple[str | None, ...], HeatColumn]
) -> dict[tuple[str | None, ...], HeatColumn]:
    """Return columns in the order of games, with full labels where short ones occur twice."""
    rank_path = page.titles.rank
    ordered_columns = dict(
        sorted(columns.items(), key=lambda item: [rank_path(*item[0][:path_depth]) for path_depth in (1, 2, 3)])
    )
    duplicates = {label for label, n in Counter(column.label for column in ordered_columns.values()).items() if n > 1}
    for column in ordered_columns.values():
        experiment = column.row.experiment
        condition = column.row.result.condition
        column_title = page.titles.title(condition.game, condition.variant, experiment) if experiment else None
        column.title = ": ".join(filter(None, (column.label, column_title, column.row.difference)))
        if column.label in duplicates:
            column.label = ", ".join(filter(None, (column.label, column.row.difference)))
    return ordered_columns


def _has_sides(seats: Mapping[str, str]) -> bool:
    return any(":" in seat for seat in seats)


def _make_players_key(seats: Mapping[str, str]) -> str:
    """Return who played, whatever the seats are called; in a game of sides it includes the sides."""
    if len(set(seats.values())) == 1 or _has_sides(seats):
        return describe_seats(seats)
    return " + ".join(seats.values())


# ---------------------------------------------------------------------- two players, plots
COMPARED_TITLES = {"both": "Quality and score, all", "quality": "Quality", "score_all": "Score, all"}
EXCLUSION_LABELS = {
    "both_seats": "with both seats played in one browser",
    "sides": "of games of sides",
    "watched": "watched live by somebody",
    "repeated": "not a first exposure",
    "conditions": "whose instance the other met under other settings, reminders, prompts, seats or company only",
    "unpaired": "whose instance the other did not meet",
}


def _draw_comparison(page: ResultsPage, compare_players: Callable[[], Json]) -> str:
    first_player, second_player = page.address.get("first"), page.address.get("second")
    result: Json | None = None
    refusal_text = ""
    table_lines: list[tuple[Json, str]] = []
    agreements: list[tuple[Json, str, Json]] = []
    if first_player and first_player == second_player:
        refusal_text = "Name two different players."
    elif first_player and second_player:
        try:
            result = compare_players()
        except Refusal as refusal:
            refusal_text = str(refusal)
    if result:
        comparison_rows = [row for row in result["rows"] if row["score_all"]["n"]]
        for row in sorted(comparison_rows, key=lambda row: row["game"] is not None):  # all together first
            measure_names = ("both",) if row["quality"] == row["score_all"] else ("quality", "score_all")
            table_lines += [(row, measure_name) for measure_name in measure_names]
        agreements = [(row, part, row["agreement"][part]) for row in result["rows"] for part in ("first", "second")]
    return render(
        "comparison.html",
        page=page,
        names=[(player, player) for player in _list_comparable_players(page.kinds)],
        first=first_player,
        second=second_player,
        problem=refusal_text,
        result=result,
        lines=table_lines,
        agreements=[agreement for agreement in agreements if agreement[2]["instances"]],
        compared=COMPARED_TITLES,
        left_out=EXCLUSION_LABELS,
    )


def _list_comparable_players(player_addresses: Iterable[str]) -> list[str]:
    """Return who may be compared: each address, and each model with whatever parameters where it has several."""
    player_addresses = list(player_addresses)
    model_counts = Counter(player_address.partition("?")[0] for player_address in player_addresses)
    return sorted({*player_addresses, *(model_name for model_name, n in model_counts.items() if n > 1)})


def _draw_plots(page: ResultsPage) -> str:
    return render("plots.html", page=page, figures=figures.FIGURE_BY_NAME, query=page.address.query(FILTER_PARAMETERS))
