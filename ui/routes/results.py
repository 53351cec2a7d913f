"""The Results page's routes: tables of what came out, the episodes behind each number, comparisons, plots, downloads.

All of it is computed in a worker thread from `engine.results.index`, which keeps what it has read; `ludens results` and
`ludens compare` use the same functions. Episodes of people that a browser may not see are in no number it gets, nor is
any game that people are still playing: its experiment may be the answer.
"""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from engine.core.condition import Condition
from engine.core.events import Json
from engine.core.player import Address
from engine.play.registry import Registry
from engine.results import drilldown, figures, leaderboard
from engine.results.clemscore import clemscores
from engine.results.comparison import ExperimentPath, PairedEpisodes, pair_episodes, summarise
from engine.results.exclusion import EXCLUSION_REASONS, exclusion_reason
from engine.results.index import Results
from engine.results.leaderboard import Leaderboard, ResultFilter
from engine.results.plots import draw_figure
from engine.results.published import published_rows
from engine.results.rating import rating_table_id, rating_tables
from engine.results.table import MissingEpisodes, ResultRow
from engine.storage.episode_result import EpisodeResult
from engine.storage.listings import Listings
from engine.storage.seat_links import SeatLinks, repeat_exposures
from engine.storage.store import Store
from engine.storage.visibility import Visibility
from ui.live.offers import Refused
from ui.live.tables import Tables
from ui.routes.table import Ascii, Browser, TablesIn

T = TypeVar("T")
KINDS = {"people": "person", "models": "model", "programs": "program"}
"""Kinds of players as the page and `engine.play.registry` call them."""
PAGE = 100
"""Episodes or pairs that are listed at once."""
KEPT = 32
"""Answers kept until the log changes."""
LEGIBLE = 2500
"""Rows of a figure that are drawn here: a thousand take some two seconds, and who plays feels it."""
DIGITS = 3
"""Decimals of a number on the page; downloads have all."""
CODED = ("id", "game", "variant", "experiment", "seats", "side", "settings", "prompts")
"""Columns of rows that are sent as numbers of a list, since few values come again and again."""
MEDIA = {"svg": "image/svg+xml", "png": "image/png", "csv": "text/csv; charset=utf-8", "json": "application/json"}

router = APIRouter(default_response_class=Ascii)


# ---------------------------------------------------------------------- what is asked for
@dataclass(frozen=True, slots=True)
class Asked:
    """The filters of an address."""

    game: str | None = None
    variant: str | None = None
    experiment: str | None = None
    players: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    informed: bool = False
    published: bool = False
    per: str = "experiment"
    """What a row is of: "experiment" or "variant"."""

    def choice(self, registry: Registry, *, players: bool = True) -> ResultFilter:
        """Return what they choose, without `players` the parts of games alone. Raises `Refused`."""
        part = (self.game, self.variant, self.experiment)
        named = tuple(one for one in part if one)
        if named != part[: len(named)]:
            raise Refused(422, "a variant is filtered with its game, an experiment with its variant")
        try:
            addresses = [Address.parse(registry.resolve(player)) for player in self.players if players]
        except (LookupError, ValueError) as error:
            raise Refused(422, f"no player: {error}") from None
        kinds = frozenset(KINDS[kind] for kind in self.kinds if players)
        return ResultFilter(registry, [named] if named else (), addresses, kinds)


def _asked(
    game: str | None = None,
    variant: str | None = None,
    experiment: str | None = None,
    player: Annotated[list[str] | None, Query()] = None,
    kind: Annotated[list[Literal["people", "models", "programs"]] | None, Query()] = None,
    informed: bool = False,
    published: bool = False,
    per: Literal["experiment", "variant"] = "experiment",
) -> Asked:
    return Asked(game, variant, experiment, tuple(player or ()), tuple(kind or ()), informed, published, per)


AskedIn = Annotated[Asked, Depends(_asked)]


@dataclass(frozen=True, slots=True)
class Seen:
    """The results of the log as one browser may see them; used in the worker thread alone."""

    results: Results
    store: Store
    hidden: frozenset[str]
    kept: dict[Hashable, Any]
    variants: leaderboard.VariantRows

    def conditions(self) -> list[Condition]:
        """Return the conditions of visible or planned episodes: that there are others must not be told."""
        shown = self.results.by_condition
        return [
            one
            for one in self.results.conditions
            if one.id not in shown or not all(result.episode in self.hidden for result in shown[one.id])
        ]

    def episodes(self, where: Callable[[Condition], bool] | None = None) -> Iterator[EpisodeResult]:
        """Yield the visible episodes of the conditions that fit."""
        for condition in self.results.conditions:
            if where is None or where(condition):
                for result in self.results.by_condition.get(condition.id, ()):
                    if result.episode not in self.hidden:
                        yield result

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what `make` gives, kept until the log changes."""
        whole = (key, self.hidden)
        if whole not in self.kept:
            while len(self.kept) >= KEPT:
                del self.kept[next(iter(self.kept))]
            self.kept[whole] = make()
        found: T = self.kept[whole]
        return found


class Reading:
    """The one reader of results on this server: its own connection, opened at first use, and its own thread.

    Those threads that games are played with are never waited for here, nor kept.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._thread = ThreadPoolExecutor(1, "ludens-results")
        self._store: Store | None = None
        self._results: Results | None = None
        self._visibility: Visibility | None = None
        self._kept: dict[Hashable, Any] = {}
        self._variants = leaderboard.VariantRows()

    async def ask(self, browser: str | None, work: Callable[[Seen], T]) -> T:
        """Do some work on the results as a browser may see them, in the worker thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._work, browser, work)

    def _work(self, browser: str | None, work: Callable[[Seen], T]) -> T:
        if self._results is None or self._store is None or self._visibility is None:
            self._store = Store(self._tables.reader.path, purpose="results")
            self._results = Results(self._store, self._tables.registry)
            self._visibility = Visibility(self._store, SeatLinks(self._store, self._store))
        if self._results.refresh():
            self._kept.clear()
        hidden = self._visibility.hidden_episodes(
            browser
        )  # after what was read: a game that began meanwhile is hidden, too
        return work(Seen(self._results, self._store, hidden, self._kept, self._variants))

    async def warm(self, registry: Registry) -> None:
        """Count everything once, so that the first page need not wait for it."""
        asked = Asked()
        await self.ask(None, partial(_table, asked=asked, choice=asked.choice(registry)))

    def close(self) -> None:
        """Close the connection, if there is one, once what is computed just now is done."""
        self._thread.shutdown(cancel_futures=True)
        if self._store:
            self._store.close()


def _reading(request: Request) -> Reading:
    found: Reading = request.app.state.results
    return found


ReadingIn = Annotated[Reading, Depends(_reading)]


def _packed(made: Json) -> bytes:
    return gzip.compress(json.dumps(made, separators=(",", ":")).encode(), 4)


# ---------------------------------------------------------------------- tables
@router.get("/api/results")
async def table(request: Request, asked: AskedIn, tables: TablesIn, reading: ReadingIn, browser: Browser) -> Response:
    """Return what the page shows: rows, clemscores, ratings, published rows, and what may be chosen."""
    choice = asked.choice(tables.registry)

    def work(seen: Seen) -> bytes:
        return seen.once(("table", asked), lambda: _packed(_table(seen, asked, choice)))

    packed = await reading.ask(browser, work)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers = {"content-encoding": "gzip", "vary": "accept-encoding"}
        return Response(packed, media_type="application/json", headers=headers)
    return Response(gzip.decompress(packed), media_type="application/json")


def _table(seen: Seen, asked: Asked, choice: ResultFilter) -> Json:
    board = _leaderboard(seen, asked, choice)
    rows = board.rows if asked.per == "experiment" else _variant_rows(seen, board.rows, asked.informed)
    return {
        **_coded([row.as_json() for row in rows]),
        "clemscores": _short([row.as_json() for row in board.clemscores]),
        "ratings": _short([asdict(table) for table in board.ratings]),
        "published": [asdict(group) for group in leaderboard.group_published(board.published or ())],
        "there": seen.once("there", lambda: _there(seen, choice.registry)),
        "hidden": _hidden(seen),
        "aside": EXCLUSION_REASONS,
    }


def _leaderboard(seen: Seen, asked: Asked, choice: ResultFilter) -> Leaderboard:
    """Return rows, clemscores, ratings and published rows, as `ludens results` has them."""
    informed, part = asked.informed, (asked.game, asked.variant, asked.experiment)
    rows = seen.results.rows(choice.matches, informed=informed, hidden=seen.hidden)
    without = leaderboard.games_without_clemscore(choice.registry)
    ratings = seen.once(
        ("ratings", part, informed),
        lambda: rating_tables(seen.episodes(choice.has_part_of), seen.results.sides, informed=informed),
    )
    published = published_rows(choice.registry) if asked.published else None
    return Leaderboard(
        rows,
        clemscores(seen.episodes(choice.matches), leave_out=without, informed=informed),
        choice.filter_ratings(ratings),
        None if published is None else leaderboard.select_published(published, choice.parts, rows),
    )


def _variant_rows(seen: Seen, rows: Sequence[ResultRow], informed: bool) -> list[leaderboard.VariantRow]:
    results = seen.results

    def episodes(name: str) -> Iterator[EpisodeResult]:
        return (one for one in results.by_condition.get(name, ()) if one.episode not in seen.hidden)

    return seen.variants.rows(rows, episodes, sides=results.sides, summaries=results.summaries, informed=informed)


def _missing(seen: Seen, choice: ResultFilter) -> dict[str, MissingEpisodes]:
    return {id_: found for id_, found in seen.results.missing.items() if choice.matches(found.condition)}


def _coded(rows: Sequence[Json]) -> Json:
    """Return rows as {"columns", "values": a list a row, "codes": what the numbers in a coded column stand for}."""
    columns = [*rows[0]] if rows else []
    codes: dict[str, dict[str, int]] = {name: {} for name in CODED}
    lists: dict[str, list[Any]] = {name: [] for name in CODED}
    values = []
    for row in rows:
        line: list[Any] = []
        for name in columns:
            value = row[name]
            if name in codes:
                key = json.dumps(value)
                if key not in codes[name]:
                    codes[name][key] = len(lists[name])
                    lists[name].append(value)
                value = codes[name][key]
            line.append(_short(value))
        values.append(line)
    return {"columns": columns, "values": values, "codes": lists}


def _short(value: Any) -> Any:
    """Return the same with numbers rounded to `DIGITS` decimals."""
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {name: _short(one) for name, one in value.items()}
    return [_short(one) for one in value] if isinstance(value, list) else value


def _there(seen: Seen, registry: Registry) -> Json:
    """Return what may be chosen: games with variants and experiments, players with their kinds, of visible episodes."""
    games: dict[str, dict[str, list[str]]] = {}
    players: dict[str, str] = {}
    for one in seen.conditions():
        experiments = games.setdefault(one.game, {}).setdefault(one.variant, [])
        if one.experiment not in experiments:
            experiments.append(one.experiment)
        for player in one.seats.values():
            if player not in players:
                players[player] = registry.kind(player, one.game)
    return {
        "games": [_named(registry, *game) for game in sorted(games.items())],
        "players": dict(sorted(players.items())),
    }


def _named(registry: Registry, name: str, variants: dict[str, list[str]]) -> Json:
    """Return a game as the page names it; one that is gone goes by its bare name."""
    game = registry.games.get(name)
    declared = game.variants if game else ()
    titles = {variant.name: variant.title for variant in declared}
    known = {
        variant.name: {one.name: one.title for one in variant.experiments}
        for variant in (game.variants if game else ())
    }
    order = list(titles)
    listed = sorted(variants, key=lambda one: (order.index(one) if one in order else len(order), one))
    return {
        "name": name,
        "title": game.title if game else name,
        "sides": list(game.sides) if game and game.adversarial else [],
        "variants": [
            {
                "name": variant,
                "title": titles.get(variant, variant),
                "experiments": _titled(known.get(variant, {}), variants[variant]),
            }
            for variant in listed
        ],
    }


def _titled(declared: dict[str, str], there: Sequence[str]) -> dict[str, str]:
    """Return the titles of those experiments that are there, as the game has them; others come after, by name."""
    known = {name: title for name, title in declared.items() if name in there}
    return known | {name: name for name in sorted(there) if name not in known}


def _hidden(seen: Seen) -> Json:
    """Return how many episodes are in no number: of people and not published, or still played by people.

    Of the whole log, whatever is filtered: where a running game would be counted must not be told.
    """
    found = [result for result in seen.results.episodes if result.episode in seen.hidden] if seen.hidden else []
    private = sum(result.ending is not None for result in found)
    return {"private": private, "playing": len(seen.hidden) - private}


@router.get("/api/results/table.{format}")
async def download(
    format: Literal["csv", "json"], asked: AskedIn, tables: TablesIn, reading: ReadingIn, browser: Browser
) -> Response:
    """Return the table as `ludens results --format csv` or `json` prints it."""
    choice = asked.choice(tables.registry)

    def work(seen: Seen) -> str:
        board = _leaderboard(seen, asked, choice)
        if format == "csv":
            return board.as_csv()
        return json.dumps(board.as_json(), ensure_ascii=False, indent=1) + "\n"

    return _file(await reading.ask(browser, work), "ludens-results", format)


def _file(data: str | bytes, name: str, format: str, *, inline: bool = False) -> Response:
    how = "inline" if inline else "attachment"
    headers = {"content-disposition": f'{how}; filename="{name}.{format}"'}
    return Response(data, media_type=MEDIA[format], headers=headers)


# ---------------------------------------------------------------------- the episodes behind a number
@router.get("/api/results/episodes")
async def episodes(
    tables: TablesIn,
    reading: ReadingIn,
    browser: Browser,
    row: Annotated[list[str] | None, Query()] = None,
    clemscore: str | None = None,
    modality: Literal["text", "picture"] = "text",
    reprompt: int = 0,
    task: str | None = None,
    rating: str | None = None,
    player: str | None = None,
    side: str | None = None,
    game: str | None = None,
    variant: str | None = None,
    experiment: str | None = None,
    which: str | None = None,
    informed: bool = False,
    order: Literal["new", "low", "high"] = "new",
    start: Annotated[int, Query(ge=0)] = 0,
) -> Json:
    """Return the episodes that a number counts, `PAGE` at a time, and how many are in each of its parts.

    Of rows (`row`), of a clemscore (`clemscore` names the seating; of the filtered part of a game), or of a table of
    ratings (`rating`).
    """
    choice = Asked(game, variant, experiment).choice(tables.registry)

    def work(seen: Seen) -> Json:
        if row:
            wanted = set(row)
            parts = drilldown.row_episodes(seen.episodes(lambda one: one.id in wanted), informed=informed)
            conditions = [one for one in seen.conditions() if one.id in wanted]
            about: Json = {"conditions": [one.as_json() for one in conditions]}
            about["missing"] = sum(n for id_, (_, n) in seen.results.missing.items() if id_ in wanted)
        elif clemscore is not None:
            without = leaderboard.games_without_clemscore(tables.registry)

            def held(one: Condition) -> bool:
                return choice.has_part_of(one) and drilldown.enters_clemscore(
                    one, clemscore, modality, reprompt, without, task
                )

            parts = drilldown.clemscore_episodes(seen.episodes(held), informed=informed)
            about = {"clemscore": clemscore, "modality": modality, "reprompt": reprompt, "task": task}
        elif rating is not None:
            found = seen.episodes(lambda one: one.game in seen.results.sides and rating_table_id(one) == rating)
            parts = drilldown.rating_episodes(found, player=player, side=side, informed=informed)
            about = {"rating": rating, "player": player, "side": side}
        else:
            raise Refused(422, "name a row, a clemscore or a table of ratings")
        return about | _listed(seen, parts, which, order, start)

    return await reading.ask(browser, work)


def _listed(seen: Seen, parts: drilldown.EpisodeParts, which: str | None, order: str, start: int) -> Json:
    name = which or next(iter(parts))
    if name not in parts:
        raise Refused(422, f"no part {name!r} of this number; there are: {', '.join(parts)}")
    found = parts[name]
    if order == "new":
        found = sorted(found, key=lambda one: (-one.created, one.episode))
    else:
        sign = 1 if order == "low" else -1
        found = sorted(found, key=lambda one: (one.main_score is None, sign * (one.main_score or 0), one.episode))
    return {
        "parts": {part: len(of) for part, of in parts.items() if part == name or (of and part != "summed")},
        "which": name,
        "total": len(found),
        "start": start,
        "episodes": _episodes(seen, found[start : start + PAGE]),
    }


def _episodes(seen: Seen, found: Sequence[EpisodeResult]) -> list[Json]:
    summaries = Listings(seen.store).by_id([result.episode for result in found])
    return [
        {
            "episode": one.episode,
            "game": one.game,
            "variant": one.variant,
            "experiment": one.experiment,
            "instance": summaries[one.episode].instance_id if one.episode in summaries else None,
            "seats": dict(one.seats),
            "ending": one.ending,
            "main": one.main_score,
            "sides": one.side_scores,
            "created": one.created,
            "aside": exclusion_reason(one),
            "cause": summaries[one.episode].cause if one.episode in summaries else None,
        }
        for one in found
    ]


# ---------------------------------------------------------------------- two players on the same instances
@dataclass(frozen=True, slots=True)
class Paired:
    """A comparison as it is told, and the episodes behind it."""

    told: Json
    sorted: PairedEpisodes


@router.get("/api/results/compare")
async def comparison(
    first: str,
    second: str,
    asked: AskedIn,
    tables: TablesIn,
    reading: ReadingIn,
    browser: Browser,
) -> Json:
    """Return what `ludens compare` says of two players, of the part of a game that is filtered."""
    choice = asked.choice(tables.registry, players=False)

    def work(seen: Seen) -> Json:
        return _paired(seen, choice, first, second).told

    return await reading.ask(browser, work)


def _paired(seen: Seen, choice: ResultFilter, first: str, second: str) -> Paired:
    def make() -> Paired:
        there = leaderboard.players_of(filter(choice.has_part_of, seen.conditions()))
        try:
            meant = leaderboard.player_matchers(choice.registry, first, second, there)
        except (LookupError, ValueError) as error:
            raise Refused(422, str(error.args[0])) from None

        def either(one: Condition) -> bool:
            return choice.has_part_of(one) and any(covers(player) for covers in meant for player in one.seats.values())

        counted = list(seen.episodes(either))
        repeated = repeat_exposures(seen.store) | {one.episode for one in counted if one.seen_before}
        found = pair_episodes(counted, *meant, watched=seen.store.watched_episodes(), repeated=repeated)
        players = {
            part: {"player": name, "seated": [player for player in there if covers(player)]}
            for part, name, covers in zip(("first", "second"), (first, second), meant, strict=True)
        }
        return Paired({**players, **_short(asdict(summarise(found)))}, found)

    return seen.once(("paired", tuple(choice.parts), first, second), make)


@router.get("/api/results/pairs")
async def pairs(
    first: str,
    second: str,
    asked: AskedIn,
    tables: TablesIn,
    reading: ReadingIn,
    browser: Browser,
    place: str | None = None,
    measure: Literal["quality", "score_all"] = "quality",
    which: str = "pairs",
    of: Literal["first", "second"] = "first",
    start: Annotated[int, Query(ge=0)] = 0,
) -> Json:
    """Return the pairs behind a number of a comparison, or the episodes of one player (`of`) that are left out.

    `place` is GAME/VARIANT/EXPERIMENT, all where it is missing; `which` is "pairs", "better", "equal", "worse",
    "repeated-instances", or a reason of being left out.
    """
    choice = asked.choice(tables.registry, players=False)
    where: ExperimentPath | None = None
    if place is not None:
        names = place.split("/")
        if len(names) != 3:
            raise Refused(422, f"{place!r} is not GAME/VARIANT/EXPERIMENT")
        where = (names[0], names[1], names[2])

    def work(seen: Seen) -> Json:
        found = _paired(seen, choice, first, second).sorted
        side = 0 if of == "first" else 1
        if which == "pairs" or which in drilldown.SIGNS:
            both = drilldown.counted_pairs(found, where, measure, None if which == "pairs" else which)
            shown = both[start : start + PAGE]
            told = [[_episodes(seen, mine), _episodes(seen, theirs)] for mine, theirs in shown]
            return {"which": which, "total": len(both), "start": start, "pairs": told}
        if which == "repeated-instances":
            return _listed(seen, {which: drilldown.repeated_episodes(found, where, side)}, which, "new", start)
        return _listed(seen, {name: list(left) for name, left in found.left_out[side].items()}, which, "new", start)

    return await reading.ask(browser, work)


# ---------------------------------------------------------------------- plots
@router.get("/api/plot/{name}.{format}")
async def plot(
    name: str,
    format: Literal["svg", "png", "csv"],
    asked: AskedIn,
    tables: TablesIn,
    reading: ReadingIn,
    browser: Browser,
    dark: bool = False,
    save: bool = False,
) -> Response:
    """Return a figure of the filtered episodes, or the rows behind it (`engine.results.figures`); `save`: to keep."""
    choice = asked.choice(tables.registry)

    def work(seen: Seen) -> str | bytes:
        try:
            made = seen.once(("figure", name, asked), lambda: _figure(seen, name, asked, choice))
            if format != "csv" and len(made) > LEGIBLE:
                words = "choose a game, or players; `ludens plot` draws them all"
                raise Refused(409, f"{len(made):,} values are too many to be read in one figure: {words}")
            return (
                figures.figure_csv(name, made) if format == "csv" else draw_figure(name, made, format=format, dark=dark)
            )
        except figures.UnknownFigure as error:
            raise Refused(404, str(error.args[0])) from None
        except figures.NothingToDraw as error:
            raise Refused(409, str(error)) from None

    return _file(await reading.ask(browser, work), f"ludens-{name}", format, inline=not save)


def _figure(seen: Seen, name: str, asked: Asked, choice: ResultFilter) -> Sequence[figures.FigureRow]:
    found = seen.episodes(choice.matches)
    return figures.figure_rows(name, found, choice.registry, informed=asked.informed, missing=_missing(seen, choice))


@router.get("/api/plots")
async def plots() -> Json:
    """Return the figures there are, with titles and what they show."""
    return {"plots": [{"name": name, "title": one.title, "says": one.caption} for name, one in figures.FIGURES.items()]}
