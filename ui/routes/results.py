"""The Results page's routes: tables of results, the episodes behind each number, comparisons, plots, downloads.

All of it is computed in the thread of `ResultsReader`; `ludens results` and `ludens compare` use the same functions.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from engine.core.condition import Condition
from engine.core.events import Json
from engine.core.player import Address
from engine.play.registry import Registry
from engine.results import drilldown, figures, leaderboard
from engine.results.ability import AbilityTable, make_ability_tables
from engine.results.clemscore import compute_clemscores
from engine.results.comparison import ExperimentPath, PairedEpisodes, pair_episodes, summarise_pairs
from engine.results.exclusion import EXCLUSION_REASONS, exclusion_reason
from engine.results.leaderboard import Leaderboard, ResultFilter
from engine.results.plots import draw_figure
from engine.results.published import read_published_rows
from engine.results.rating import make_rating_table_id, make_rating_tables
from engine.results.rating_board import RatingBoard, filter_abilities
from engine.results.table import ResultRow
from engine.storage.episode_result import EpisodeResult
from engine.storage.listings import Listings
from engine.storage.search_index import MAX_COUNTED_MATCHES
from ui.live.refusal import Refusal
from ui.live.results import ResultsReader, VisibleResults
from ui.live.search import TextSearch
from ui.routes import result_panels
from ui.routes.dependencies import AsciiJson, Browser, ResultsReaderDependency, ServerDependency
from ui.routes.result_panels import PageAddress
from ui.routes.result_tables import LabelledRow, ResultsPage, draw_view, render_table_part

PLAYER_KINDS = {"people": "person", "models": "model", "programs": "program"}
"""Kinds of players as the page and `engine.play.registry` call them."""
EPISODES_PER_PAGE = 100
"""How many episodes or pairs are listed at once."""
MAX_DRAWN_ROWS = 1500
"""Rows of a figure that are drawn here: a thousand take some three seconds, which players at tables feel."""
ROUNDED_DIGITS = 3
"""Decimals of a number on the page; downloads have all."""
CODED_COLUMNS = ("id", "game", "variant", "experiment", "seats", "side", "settings", "prompts", "how")
"""Columns of rows that are sent as numbers of a list, since few values occur again and again."""
USUAL_PROMPTS_FIELD = ("prompts", "native 1")
"""A difference that goes without saying."""
MEDIA_TYPE_BY_FORMAT = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
}

router = APIRouter(default_response_class=AsciiJson)


# ---------------------------------------------------------------------- the query
@dataclass(frozen=True, slots=True)
class ResultsQuery:
    """The filters of a page's address."""

    game: str | None = None
    variant: str | None = None
    experiment: str | None = None
    players: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    informed: bool = False
    published: bool = False
    per: str = "experiment"
    """What a row stands for: "experiment" or "variant"."""

    @property
    def part(self) -> tuple[str | None, ...]:
        """The part of a game that is filtered."""
        return (self.game, self.variant, self.experiment)

    def build_filter(self, registry: Registry, *, players: bool = True) -> ResultFilter:
        """Return the filter of the engine; without `players` it selects parts of games alone. Raises `Refusal`."""
        part = tuple(part_name for part_name in self.part if part_name)
        if part != self.part[: len(part)]:
            raise Refusal(422, "a variant is filtered with its game, an experiment with its variant")
        try:
            addresses = [Address.parse(registry.resolve(player)) for player in self.players if players]
        except (LookupError, ValueError) as error:
            raise Refusal(422, f"no player: {error}") from None
        kinds = frozenset(PLAYER_KINDS[player_kind] for player_kind in self.kinds if players)
        return ResultFilter(registry, [part] if part else (), addresses, kinds)


async def _read_query(
    game: str | None = None,
    variant: str | None = None,
    experiment: str | None = None,
    player: Annotated[list[str] | None, Query()] = None,
    kind: Annotated[list[Literal["people", "models", "programs"]] | None, Query()] = None,
    informed: bool = False,
    published: bool = False,
    per: Literal["experiment", "variant"] = "experiment",
) -> ResultsQuery:
    return ResultsQuery(game, variant, experiment, tuple(player or ()), tuple(kind or ()), informed, published, per)


ResultsQueryDependency = Annotated[ResultsQuery, Depends(_read_query)]


async def _read_panel_address(request: Request) -> PageAddress | None:
    if "text/html" not in request.headers.get("accept", ""):
        return None
    return PageAddress(request.query_params.multi_items())


PanelAddressDependency = Annotated[PageAddress | None, Depends(_read_panel_address)]
"""The address of the page that a panel is asked for as HTML; None for who asks for JSON."""


def _make_response(panel_content: Json | str) -> Response:
    """Return a panel or JSON."""
    return HTMLResponse(panel_content) if isinstance(panel_content, str) else AsciiJson(panel_content)


async def preload_results(reader: ResultsReader, registry: Registry) -> None:
    """Read all results and draw their page once, so that the first visitor need not wait for that."""
    query = ResultsQuery()

    def draw_page(visible_results: VisibleResults) -> None:
        page = _make_results_page(visible_results, query, query.build_filter(registry), PageAddress([]))
        draw_view(page, dict)  # without two players there is nothing to compare

    await reader.read_results(None, draw_page)


# ---------------------------------------------------------------------- tables
@router.get("/api/results")
async def send_table(
    request: Request,
    query: ResultsQueryDependency,
    server: ServerDependency,
    reader: ResultsReaderDependency,
    browser: Browser,
    panel: PanelAddressDependency,
    part: str = "",
    start: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    """Return what the page shows: rows, clemscores, ratings, published rows, and what may be chosen.

    As HTML it is the view that the page's address names, or a `part` of it from a row on.
    """
    result_filter = query.build_filter(server.registry)
    if panel:
        own_ratings = [] if panel.get("view") else await reader.read_ratings(browser)
        parts_filter = query.build_filter(server.registry, players=False)

        def draw_page(visible_results: VisibleResults) -> bytes:
            page = replace(_make_results_page(visible_results, query, result_filter, panel), own_ratings=own_ratings)
            if part:
                return _compress_page(render_table_part(page, part, start))
            compared_players = panel.get("first"), panel.get("second")
            return _compress_page(
                draw_view(page, lambda: _compare_players(visible_results, parts_filter, *compared_players).summary)
            )

        def read_table(visible_results: VisibleResults) -> bytes:
            if own_ratings:
                return draw_page(visible_results)
            return visible_results.cache_answer(
                ("panel", query, panel.link(), part, start), lambda: draw_page(visible_results)
            )

        return _send_compressed(request, await reader.read_results(browser, read_table), "text/html")

    def compute_table(visible_results: VisibleResults) -> bytes:
        return visible_results.cache_answer(
            ("table", query),
            lambda: _compress_page(
                json.dumps(_make_table(visible_results, query, result_filter), separators=(",", ":"))
            ),
        )

    compressed_body = await reader.read_results(browser, compute_table)
    return _send_compressed(request, compressed_body, "application/json")


def _compress_page(page_text: str) -> bytes:
    return gzip.compress(page_text.encode(), 4)


def _send_compressed(request: Request, compressed_body: bytes, media_type: str) -> Response:
    headers = {"vary": "accept, accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers |= {"content-encoding": "gzip"}
    else:
        compressed_body = gzip.decompress(compressed_body)
    return Response(compressed_body, media_type=media_type, headers=headers)


def _make_table(visible_results: VisibleResults, query: ResultsQuery, result_filter: ResultFilter) -> Json:
    page = _make_results_page(visible_results, query, result_filter, PageAddress([]))
    return {
        **_encode_rows([labelled_row.as_json() for labelled_row in page.rows]),
        "clemscores": _round_numbers([row.as_json() for row in page.clemscores]),
        "abilities": _round_numbers([asdict(rating_table) for rating_table in page.abilities]),
        "ratings": _round_numbers([asdict(rating_table) for rating_table in page.ratings]),
        "published": [asdict(group) for group in page.published],
        "there": page.choices,
        "hidden": page.hidden,
        "aside": EXCLUSION_REASONS,
    }


def _make_results_page(
    visible_results: VisibleResults, query: ResultsQuery, result_filter: ResultFilter, address: PageAddress
) -> ResultsPage:
    """Return what the page shows, without the ratings of its reader."""

    def compute_page() -> ResultsPage:
        board = _make_leaderboard(visible_results, query, result_filter)
        result_rows: Sequence[ResultRow | leaderboard.VariantRow] = board.rows
        if query.per == "variant":
            result_rows = _make_variant_rows(visible_results, board.rows, query.informed)
        condition_labels = label_conditions([result_row.condition for result_row in result_rows])
        return ResultsPage(
            address,
            [LabelledRow(result_row, label) for result_row, label in zip(result_rows, condition_labels, strict=True)],
            board.clemscores,
            _abilities(visible_results, query, result_filter),
            board.ratings,
            leaderboard.group_published_rows(board.published_rows or ()),
            visible_results.cache_answer("there", lambda: _filter_choices(visible_results, result_filter.registry)),
            _count_hidden_episodes(visible_results),
        )

    return replace(visible_results.cache_answer(("page", query), compute_page), address=address)


def _make_leaderboard(visible_results: VisibleResults, query: ResultsQuery, result_filter: ResultFilter) -> Leaderboard:
    """Return rows, clemscores, ratings and published rows, as `ludens results` has them."""
    include_informed_players, registry = query.informed, result_filter.registry
    rows = visible_results.results.list_rows(
        result_filter.matches,
        include_informed_players=include_informed_players,
        hidden_ids=visible_results.hidden_episodes,
    )
    excluded_games = leaderboard.find_games_without_clemscore(registry)
    ratings = visible_results.cache_answer(
        ("ratings", query.part, include_informed_players),
        lambda: make_rating_tables(
            visible_results.list_episodes(result_filter.has_game_part),
            visible_results.results.sides_by_game,
            include_informed_players=include_informed_players,
        ),
    )
    published = read_published_rows(registry) if query.published else None
    return Leaderboard(
        rows,
        compute_clemscores(
            visible_results.list_episodes(result_filter.matches),
            omitted_games=excluded_games,
            include_informed_players=include_informed_players,
        ),
        result_filter.filter_ratings(ratings),
        None if published is None else leaderboard.select_published_rows(published, result_filter.game_parts, rows),
    )


def _abilities(visible_results: VisibleResults, query: ResultsQuery, result_filter: ResultFilter) -> list[AbilityTable]:
    """Return the ratings of cooperative games, as `ludens ratings` has them; people are rated together."""
    cooperative_tables = visible_results.cache_answer(
        ("abilities", query.part, query.informed),
        lambda: make_ability_tables(
            visible_results.list_episodes(result_filter.has_game_part),
            visible_results.results.sides_by_game,
            repeated_episode_ids=visible_results.find_repeat_episodes(),
            include_informed_players=query.informed,
            cache=visible_results.ability_tables,
        ),
    )
    return filter_abilities(result_filter, cooperative_tables)


def _make_variant_rows(
    visible_results: VisibleResults, result_rows: Sequence[ResultRow], include_informed_players: bool
) -> list[leaderboard.VariantRow]:
    results_index = visible_results.results
    return visible_results.variant_rows.make_rows(
        result_rows,
        visible_results.list_condition_episodes,
        sides=results_index.sides_by_game,
        summaries=results_index.summary_by_game,
        include_informed_players=include_informed_players,
    )


def label_conditions(conditions: Sequence[Condition]) -> list[str]:
    """Return for each condition, in words, in what conditions of the same game and variant differ."""
    texts_by_variant: dict[tuple[str, str], list[tuple[int, dict[str, str]]]] = {}
    for condition_index, condition in enumerate(conditions):
        fields = {**condition.settings, "reminders": condition.reprompt, "rules": condition.game_version}
        fields |= {"prompts": condition.prompts, "study": condition.study or None}
        texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in fields.items()}
        texts_by_variant.setdefault((condition.game, condition.variant), []).append((condition_index, texts))
    condition_labels = [""] * len(conditions)
    for variant_texts in texts_by_variant.values():
        field_names = dict.fromkeys(name for _, texts in variant_texts for name in texts)
        differing_names = [name for name in field_names if len({texts.get(name) for _, texts in variant_texts}) > 1]
        for condition_index, texts in variant_texts:
            field_pairs = ((name, texts.get(name, "null")) for name in differing_names)
            condition_labels[condition_index] = ", ".join(
                " ".join(pair) for pair in field_pairs if pair[1] != "null" and pair != USUAL_PROMPTS_FIELD
            )
    return condition_labels


def _encode_rows(result_rows: Sequence[Json]) -> Json:
    """Return rows as {"columns", "values": one list per row, "codes": what the numbers of a coded column stand for}."""
    column_names = leaderboard.list_columns(result_rows) if result_rows else []
    codes_by_column: dict[str, dict[str, int]] = {column_name: {} for column_name in CODED_COLUMNS}
    coded_values: dict[str, list[Any]] = {column_name: [] for column_name in CODED_COLUMNS}
    encoded_rows = []
    for result_row in result_rows:
        row_values: list[Any] = []
        for column_name in column_names:
            cell_value = result_row.get(column_name)
            if column_name in codes_by_column:
                value_json = json.dumps(cell_value)
                if value_json not in codes_by_column[column_name]:
                    codes_by_column[column_name][value_json] = len(coded_values[column_name])
                    coded_values[column_name].append(cell_value)
                cell_value = codes_by_column[column_name][value_json]
            row_values.append(_round_numbers(cell_value))
        encoded_rows.append(row_values)
    return {"columns": column_names, "values": encoded_rows, "codes": coded_values}


def _round_numbers(json_value: Any) -> Any:
    """Return JSON data with its numbers rounded to `ROUNDED_DIGITS` decimals."""
    if isinstance(json_value, float):
        return round(json_value, ROUNDED_DIGITS)
    if isinstance(json_value, dict):
        return {member_name: _round_numbers(json_member) for member_name, json_member in json_value.items()}
    return [_round_numbers(json_member) for json_member in json_value] if isinstance(json_value, list) else json_value


def _filter_choices(visible_results: VisibleResults, registry: Registry) -> Json:
    """Return what may be chosen: games with variants and experiments, players with kinds, of visible episodes."""
    games: dict[str, dict[str, list[str]]] = {}
    players: dict[str, str] = {}
    for condition in visible_results.conditions():
        experiments = games.setdefault(condition.game, {}).setdefault(condition.variant, [])
        if condition.experiment not in experiments:
            experiments.append(condition.experiment)
        for player in condition.seats.values():
            if player not in players:
                players[player] = registry.player_kind(player, condition.game)
    return {
        "games": [_describe_game_choice(registry, *game) for game in sorted(games.items())],
        "players": dict(sorted(players.items())),
    }


def _describe_game_choice(registry: Registry, game_name: str, variants: dict[str, list[str]]) -> Json:
    """Return a game with its variants as the page lists them; a game that is gone goes by its bare name."""
    game = registry.games.get(game_name)
    variant_by_name = {variant.name: variant for variant in game.variants} if game else {}
    order = list(variant_by_name)
    names = sorted(variants, key=lambda variant: (order.index(variant) if variant in order else len(order), variant))
    titles_by_variant = {
        variant.name: {experiment.name: experiment.title for experiment in variant.experiments}
        for variant in variant_by_name.values()
    }
    return {
        "name": game_name,
        "title": game.title if game else game_name,
        "sides": list(game.sides) if game and game.adversarial else [],
        "variants": [
            {
                "name": variant,
                "title": variant_by_name[variant].title if variant in variant_by_name else variant,
                "experiments": _list_experiment_titles(titles_by_variant.get(variant, {}), variants[variant]),
            }
            for variant in names
        ],
    }


def _list_experiment_titles(declared_titles: dict[str, str], played_names: Sequence[str]) -> dict[str, str]:
    """Return the titles of the experiments played, in the order of the game; undeclared ones follow by name."""
    titles = {experiment: title for experiment, title in declared_titles.items() if experiment in played_names}
    return titles | {experiment: experiment for experiment in sorted(played_names) if experiment not in titles}


def _count_hidden_episodes(visible_results: VisibleResults) -> Json:
    """Return how many episodes are in no number: of people and not published, or still played by people.

    Counted in the whole log whatever is filtered: where a running game would be counted must not become known.
    """
    episode_results = visible_results.results.episodes if visible_results.hidden_episodes else ()
    hidden_results = [result for result in episode_results if result.episode in visible_results.hidden_episodes]
    unpublished_count = sum(result.ending is not None for result in hidden_results)
    return {"private": unpublished_count, "playing": len(visible_results.hidden_episodes) - unpublished_count}


@router.get("/api/results/table.{format}")
async def send_table_file(
    format: Literal["csv", "json"],
    query: ResultsQueryDependency,
    server: ServerDependency,
    reader: ResultsReaderDependency,
    browser: Browser,
) -> Response:
    """Return the table as `ludens results --format csv` or `json` prints it."""
    result_filter = query.build_filter(server.registry)

    def write_download(visible_results: VisibleResults) -> str:
        board = _make_leaderboard(visible_results, query, result_filter)
        if format == "csv":
            return board.as_csv()
        return json.dumps(board.as_json(), ensure_ascii=False, indent=1) + "\n"

    return _file_response(await reader.read_results(browser, write_download), "ludens-results", format)


@router.get("/api/results/ratings.{format}")
async def send_ratings_file(
    format: Literal["csv", "json"],
    query: ResultsQueryDependency,
    server: ServerDependency,
    reader: ResultsReaderDependency,
    browser: Browser,
) -> Response:
    """Return the ratings as `ludens ratings --format csv` or `json` prints them."""
    result_filter = query.build_filter(server.registry)

    def write_download(visible_results: VisibleResults) -> str:
        ratings = _make_leaderboard(visible_results, query, result_filter).ratings
        board = RatingBoard(_abilities(visible_results, query, result_filter), ratings)
        return board.as_csv() if format == "csv" else json.dumps(board.as_json(), ensure_ascii=False, indent=1) + "\n"

    return _file_response(await reader.read_results(browser, write_download), "ludens-ratings", format)


def _file_response(file_content: str | bytes, file_name: str, file_format: str, *, is_inline: bool = False) -> Response:
    disposition = "inline" if is_inline else "attachment"
    headers = {"content-disposition": f'{disposition}; filename="{file_name}.{file_format}"'}
    return Response(file_content, media_type=MEDIA_TYPE_BY_FORMAT[file_format], headers=headers)


# ---------------------------------------------------------------------- the episodes behind a number
@router.get("/api/results/episodes")
async def send_episodes(
    server: ServerDependency,
    reader: ResultsReaderDependency,
    browser: Browser,
    panel: PanelAddressDependency,
    row: Annotated[list[str] | None, Query()] = None,
    clemscore: str | None = None,
    modality: Literal["text", "picture"] = "text",
    reprompt: int = 0,
    task: str | None = None,
    rating: str | None = None,
    player: str | None = None,
    side: str | None = None,
    role: str | None = None,
    study: str = "",
    game: str | None = None,
    variant: str | None = None,
    experiment: str | None = None,
    which: str | None = None,
    informed: bool = False,
    order: Literal["new", "low", "high"] = "new",
    start: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    """Return the episodes that a number counts, `EPISODES_PER_PAGE` at a time, and how many are in each of its parts.

    The number is that of rows (`row`), of a clemscore (`clemscore` names the seating; of the filtered part of a game),
    or of a table of ratings (`rating`): of a `player` on a `side`, in a `role`, or without either of a team, which
    `player` then names as `format_seats` does.
    """
    result_filter = ResultsQuery(game, variant, experiment).build_filter(server.registry)

    def list_drilldown(visible_results: VisibleResults) -> Json | str:
        number_json: Json
        if row:
            number_json, episode_results = _describe_rows(visible_results, set(row))
            episode_parts = drilldown.list_row_episodes(episode_results, include_informed_players=informed)
        elif clemscore is not None:
            number_json = {"clemscore": clemscore, "modality": modality, "reprompt": reprompt, "task": task}
            episode_results = _find_clemscore_results(visible_results, result_filter, **number_json)
            episode_parts = drilldown.list_clemscore_episodes(episode_results, include_informed_players=informed)
        elif rating is not None:
            number_json = {"rating": rating, "player": player, "side": side}
            number_json |= {key: group_value for key, group_value in (("role", role), ("study", study)) if group_value}
            episode_parts = _find_rating_parts(visible_results, rating, player, side, role, study, informed)
        else:
            raise Refusal(422, "name a row, a clemscore or a table of ratings")
        listing = number_json | _list_part_episodes(visible_results, episode_parts, which, order, start)
        return result_panels.render_episode_list(listing, panel) if panel else listing

    return _make_response(await reader.read_results(browser, list_drilldown))


def _describe_rows(visible_results: VisibleResults, condition_ids: set[str]) -> tuple[Json, Iterator[EpisodeResult]]:
    """Return what the rows with these ids stand for, and their episodes."""
    conditions = [condition.as_json() for condition in visible_results.conditions() if condition.id in condition_ids]
    missing_count = sum(
        missing_row.number
        for id_, missing_row in visible_results.results.missing_episodes_by_condition.items()
        if id_ in condition_ids
    )
    episode_results = visible_results.list_episodes(lambda condition: condition.id in condition_ids)
    return {"conditions": conditions, "missing": missing_count}, episode_results


def _find_clemscore_results(
    visible_results: VisibleResults,
    result_filter: ResultFilter,
    clemscore: str,
    modality: str,
    reprompt: int,
    task: str | None,
) -> Iterator[EpisodeResult]:
    """Return the episodes of the filtered part of a game that a clemscore takes in."""
    excluded_games = leaderboard.find_games_without_clemscore(result_filter.registry)

    def is_counted(condition: Condition) -> bool:
        return result_filter.has_game_part(condition) and drilldown.counts_toward_clemscore(
            condition, clemscore, modality, reprompt, excluded_games, task
        )

    return visible_results.list_episodes(is_counted)


def _find_rating_parts(
    visible_results: VisibleResults,
    rating: str,
    player: str | None,
    side: str | None,
    role: str | None,
    study: str,
    informed: bool,
) -> drilldown.EpisodeParts:
    """Return the episodes of a table of ratings, of a game with sides or a cooperative one."""
    results = list(visible_results.list_episodes(lambda condition: make_rating_table_id(condition) == rating))
    if results and results[0].game in visible_results.results.sides_by_game:
        return drilldown.list_rating_episodes(results, player=player, side=side, include_informed_players=informed)
    repeated_episode_ids = visible_results.find_repeat_episodes()
    return drilldown.list_ability_episodes(
        results,
        repeated_episode_ids=repeated_episode_ids,
        role=role,
        player=player,
        study=study,
        include_informed_players=informed,
    )


def _list_part_episodes(
    visible_results: VisibleResults,
    episode_parts: drilldown.EpisodeParts,
    chosen_part: str | None,
    order: str,
    start: int,
) -> Json:
    """Return one page of the episodes of a part of a number, the first part unless `which` names one."""
    part_name = chosen_part or next(iter(episode_parts))
    if part_name not in episode_parts:
        raise Refusal(422, f"no part {part_name!r} of this number; there are: {', '.join(episode_parts)}")
    episode_results = episode_parts[part_name]
    if order == "new":
        episode_results = sorted(episode_results, key=lambda result: (-result.created, result.episode))
    else:
        sort_sign = 1 if order == "low" else -1
        episode_results = sorted(
            episode_results,
            key=lambda result: (result.main_score is None, sort_sign * (result.main_score or 0), result.episode),
        )
    return {
        "parts": {
            part: len(part_episodes)
            for part, part_episodes in episode_parts.items()
            if part == part_name or (part_episodes and part != "summed")
        },
        "which": part_name,
        "total": len(episode_results),
        "start": start,
        "episodes": _list_episodes(visible_results, episode_results[start : start + EPISODES_PER_PAGE]),
    }


def _list_episodes(visible_results: VisibleResults, episode_results: Sequence[EpisodeResult]) -> list[Json]:
    summary_by_id = Listings(visible_results.store).select_summaries([result.episode for result in episode_results])
    return [
        {
            "episode": result.episode,
            "game": result.game,
            "variant": result.variant,
            "experiment": result.experiment,
            "instance": summary_by_id[result.episode].instance_id if result.episode in summary_by_id else None,
            "seats": dict(result.seats),
            "ending": result.ending,
            "main": result.main_score,
            "sides": result.side_scores,
            "created": result.created,
            "aside": exclusion_reason(result),
            "cause": summary_by_id[result.episode].cause if result.episode in summary_by_id else None,
        }
        for result in episode_results
    ]


# ---------------------------------------------------------------------- texts
@router.get("/api/results/search")
async def search_texts(
    words: str,
    query: ResultsQueryDependency,
    request: Request,
    server: ServerDependency,
    reader: ResultsReaderDependency,
    browser: Browser,
    panel: PanelAddressDependency,
    prompts: bool = False,
    start: Annotated[int, Query(ge=0, le=MAX_COUNTED_MATCHES)] = 0,
) -> Response:
    """Return the texts in which all words occur, of the filtered episodes that this browser may read.

    They count as read from now on. While the index is being built, `read` is the share of the log that it has.
    """
    text_search: TextSearch = request.app.state.search
    text_search.check_words(words)
    episode_ids = await reader.find_readable_episodes(browser, query.build_filter(server.registry).matches)
    search_page = await text_search.search_texts(words, episode_ids, prompts=prompts, first_hit=start)
    if isinstance(search_page, float):
        page_content: Json = {"read": search_page}
    else:
        found_ids = dict.fromkeys(search_hit.episode.id for search_hit in search_page.hits)
        unread_ids = [episode for episode in found_ids if not server.links.has_watched(browser, episode)]
        if browser and unread_ids:
            await server.context.write(server.links.mark_all_watched, browser, unread_ids)
        page_content = {"read": 1, "start": start, **search_page.as_json()}
    return _make_response(result_panels.draw_texts(page_content, panel) if panel else page_content)


# ---------------------------------------------------------------------- two players on the same instances
@dataclass(frozen=True, slots=True)
class PlayerComparison:
    """A comparison of two players as the page shows it, and the episodes behind it."""

    summary: Json
    episodes: PairedEpisodes


@router.get("/api/results/compare")
async def send_comparison(
    first: str,
    second: str,
    query: ResultsQueryDependency,
    server: ServerDependency,
    reader: ResultsReaderDependency,
    browser: Browser,
) -> Json:
    """Return what `ludens compare` prints of two players, of the part of a game that is filtered."""
    result_filter = query.build_filter(server.registry, players=False)
    return await reader.read_results(
        browser, lambda visible_results: _compare_players(visible_results, result_filter, first, second).summary
    )


def _compare_players(
    visible_results: VisibleResults, result_filter: ResultFilter, first_player: str, second_player: str
) -> PlayerComparison:
    def compute_comparison() -> PlayerComparison:
        player_addresses = leaderboard.list_players(filter(result_filter.has_game_part, visible_results.conditions()))
        try:
            matchers = leaderboard.make_player_matchers(
                result_filter.registry, first_player, second_player, player_addresses
            )
        except (LookupError, ValueError) as error:
            raise Refusal(422, str(error.args[0])) from None

        def has_either(condition: Condition) -> bool:
            players = condition.seats.values()
            has_player = any(is_player(player) for is_player in matchers for player in players)
            return has_player and result_filter.has_game_part(condition)

        compared_results = list(visible_results.list_episodes(has_either))
        seen_episodes = {episode_result.episode for episode_result in compared_results if episode_result.seen_before}
        repeated_episode_ids = visible_results.find_repeat_episodes() | seen_episodes
        paired_episodes = pair_episodes(
            compared_results,
            *matchers,
            watched_episodes=visible_results.store.list_watched(),
            repeated_episode_ids=repeated_episode_ids,
        )
        players = {
            part: {"player": player_name, "seated": [address for address in player_addresses if is_player(address)]}
            for part, player_name, is_player in zip(
                ("first", "second"), (first_player, second_player), matchers, strict=True
            )
        }
        summary = _round_numbers(summarise_pairs(paired_episodes).as_json())
        return PlayerComparison({**players, **summary}, paired_episodes)

    return visible_results.cache_answer(
        ("paired", tuple(result_filter.game_parts), first_player, second_player), compute_comparison
    )


@router.get("/api/results/pairs")
async def send_pairs(
    first: str,
    second: str,
    query: ResultsQueryDependency,
    server: ServerDependency,
    reader: ResultsReaderDependency,
    browser: Browser,
    panel: PanelAddressDependency,
    place: str | None = None,
    measure: Literal["quality", "score_all"] = "quality",
    which: str = "pairs",
    of: Literal["first", "second"] = "first",
    start: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    """Return the pairs behind a number of a comparison, or the episodes of one player (`of`) that are left out.

    `place` is GAME/VARIANT/EXPERIMENT, all where it is missing; `which` is "pairs", "better", "equal", "worse",
    "repeated-instances", or a reason of being left out.
    """
    result_filter = query.build_filter(server.registry, players=False)
    experiment_path: ExperimentPath | None = None
    if place is not None:
        path_names = place.split("/")
        if len(path_names) != 3:
            raise Refusal(422, f"{place!r} is not GAME/VARIANT/EXPERIMENT")
        experiment_path = (path_names[0], path_names[1], path_names[2])

    def compute_pairs(visible_results: VisibleResults) -> Json | str:
        listing = list_pairs(visible_results)
        return result_panels.render_episode_list(listing, panel) if panel else listing

    def list_pairs(visible_results: VisibleResults) -> Json:
        paired_episodes = _compare_players(visible_results, result_filter, first, second).episodes
        side_index = 0 if of == "first" else 1
        if which == "pairs" or which in drilldown.SIGN_TESTS:
            listed_pairs = drilldown.list_scored_pairs(
                paired_episodes, experiment_path, measure, None if which == "pairs" else which
            )
            pair_page = [
                [_list_episodes(visible_results, episodes) for episodes in episode_pair]
                for episode_pair in listed_pairs[start : start + EPISODES_PER_PAGE]
            ]
            return {"which": which, "total": len(listed_pairs), "start": start, "pairs": pair_page}
        if which == "repeated-instances":
            episode_parts = {which: drilldown.find_repeats(paired_episodes, experiment_path, side_index)}
        else:
            episode_parts = {
                reason: list(episodes) for reason, episodes in paired_episodes.excluded_episodes[side_index].items()
            }
        return _list_part_episodes(visible_results, episode_parts, which, "new", start)

    return _make_response(await reader.read_results(browser, compute_pairs))


# ---------------------------------------------------------------------- plots
@router.get("/api/plot/{name}.{format}")
async def send_plot(
    name: str,
    format: Literal["svg", "png", "csv"],
    query: ResultsQueryDependency,
    server: ServerDependency,
    reader: ResultsReaderDependency,
    browser: Browser,
    dark: bool = False,
    save: bool = False,
) -> Response:
    """Return a figure of the filtered episodes, or the rows behind it; with `save` as a download.

    In place of a figure without values, the answer is a sentence that says why; there is no file of one (404).
    """
    result_filter = query.build_filter(server.registry)

    def draw_plot(visible_results: VisibleResults) -> str | bytes:
        try:
            plot_rows = visible_results.cache_answer(
                ("figure", name, query), lambda: _make_figure_rows(visible_results, name, query, result_filter)
            )
            if format == "csv":
                return figures.format_figure_csv(plot_rows)
            if len(plot_rows) > MAX_DRAWN_ROWS:
                advice = "choose a game, or players; `ludens plot` draws them all"
                raise Refusal(409, f"{len(plot_rows):,} values are too many to be read in one figure: {advice}")
            return draw_figure(name, plot_rows, format=format, is_dark=dark)
        except figures.UnknownFigure as error:
            raise Refusal(404, str(error.args[0])) from None

    try:
        file_content = await reader.read_results(browser, draw_plot)
    except figures.NoEpisodesForFigure as error:
        if save or format == "csv":
            raise Refusal(404, str(error)) from None
        return PlainTextResponse(str(error))
    return _file_response(file_content, f"ludens-{name}", format, is_inline=not save)


def _make_figure_rows(
    visible_results: VisibleResults, figure_name: str, query: ResultsQuery, result_filter: ResultFilter
) -> Sequence[figures.FigureRow]:
    missing_groups = {
        condition_id: missing_group
        for condition_id, missing_group in visible_results.results.missing_episodes_by_condition.items()
        if result_filter.matches(missing_group.condition)
    }
    return figures.make_figure_rows(
        figure_name,
        visible_results.list_episodes(result_filter.matches),
        result_filter.registry,
        include_informed_players=query.informed,
        missing_episodes=missing_groups,
    )
