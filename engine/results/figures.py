"""Figures: what the papers plot, from our own results: the rows behind a figure, as CSV, and the figure drawn.

    made = data("difficulty", results, registry)      # rows with the columns of FIGURES["difficulty"]
    csv_of("difficulty", made)                         # the same as text
    draw("difficulty", made, format="png", dark=True)  # bytes, the same for the same rows

Whose episodes are drawn is the caller's choice; those that no average takes (`exclusion_reason`) are
counted in columns of their own. Games of sides have no quality and are in no figure. `engine/results/plots.py` draws.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Literal

from engine.core.condition import Condition
from engine.core.events import Ending, Json, canonical
from engine.results.clemscore import GameMeans, clemscore, seating_label, task_of
from engine.results.exclusion import EXCLUSION_REASONS
from engine.results.leaderboard import games_without_clemscore
from engine.results.table import result_rows
from engine.storage.episode_result import EpisodeResult

if TYPE_CHECKING:
    from engine.play.registry import Registry

Missing = Mapping[str, tuple[Condition, int]]
"""Episodes planned and not begun, by the id of their condition, as `engine.results.index.Results.missing` has them."""

COLUMNS = {
    "id": "of the condition, as in `ludens results --format json`",
    "game": "game, or game/task as in a clemscore",
    "variant": "variant of the game",
    "experiment": "experiment of the variant",
    "modality": "text or picture",
    "distance": "moves from the start to the room to find",
    "board": "what stands together: a modality, or a game that enters no clemscore",
    "player": "who played, with what rows of the game differ in: settings, versions; without a remark: the default",
    "kind": "person (one in any seat), model (one in any seat, no person) or program",
    "games": "games of the board with an episode that counts",
    "lacks": "games of the board without one",
    "mixed_settings": "games in which episodes of different settings or versions stand together",
    "n": "episodes that count",
    "played": "% of them not aborted",
    "quality": "mean main score of those, 0 to 100; on a leaderboard the mean over games",
    "score_all": "mean main score with aborted episodes as 0",
    "clemscore": "mean % played over games times mean quality over games, / 100",
    "success": "% that found the room, of all that count",
    "text": "score_all in text, which is the clemscore of this one game",
    "picture": "the same in pictures",
    "difference": "text minus picture, in points",
    "text_n": "episodes in text that count",
    "picture_n": "episodes in pictures that count",
    **dict.fromkeys(EXCLUSION_REASONS, "episodes left out for this reason"),
    "missing": "episodes planned by `ludens run` and not begun",
    "settings": "settings of the game",
    "reprompt": "reminders allowed at an ask",
    "game_version": "version of the rules",
    "prompts": "name and version of the prompt set",
}
"""What the columns hold. NAME_low and NAME_high are the ends of NAME's 95 % interval; empty: nothing to average."""

HOW = ("settings", "reprompt", "game_version", "prompts")


class UnknownFigure(LookupError):
    """A figure that does not exist; the message names those there are."""


class NothingToDraw(ValueError):
    """No episode that a figure could show; the message says what would give some."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: its title, what it shows in a sentence, the columns of its rows, and what makes them from results."""

    title: str
    says: str
    columns: tuple[str, ...]
    make: Callable[[Sequence[EpisodeResult], Registry, bool, Missing | None], list[Json]]
    lacking: str
    """What to do where no episode suits it."""


def figure_rows(
    name: str,
    results: Iterable[EpisodeResult],
    registry: Registry,
    *,
    informed: bool = False,
    missing: Missing | None = None,
) -> list[Json]:
    """Return the rows behind a figure, in the order in which they are drawn; scores and differences are in points.

    Raises `UnknownFigure`, and `NothingToDraw` where no episode suits the figure or none counts.
    """
    figure = find_figure(name)
    given = list(results)
    adversarial = {name for name, game in registry.games.items() if game.adversarial}
    usable = [
        one for one in given if not (one.condition.game in adversarial or one.sides or one.ending == Ending.DECIDED)
    ]
    made = figure.make(usable, registry, informed, missing)
    if not any(row["n"] if "n" in row else row["text_n"] and row["picture_n"] for row in made):
        raise NothingToDraw(f"{name}: nothing to draw. {_why(figure, given, usable, made)}")
    return made


def figure_csv(name: str, made: Sequence[Json]) -> str:
    """Return the rows of a figure as CSV with a line of heads; lists are joined by blanks, objects are JSON."""
    text = io.StringIO()
    writer = csv.DictWriter(text, find_figure(name).columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({column: _plain(value) for column, value in row.items()} for row in made)
    return text.getvalue()


def draw(name: str, made: Sequence[Json], *, format: Literal["svg", "png"] = "svg", dark: bool = False) -> bytes:
    """Return the figure of `figure_rows`'s rows: SVG 900 px wide with text as text, or PNG with twice as many pixels.

    The same rows give the same bytes with the same release of matplotlib. `dark` is for a dark page.
    """
    from engine.results import plots as drawing  # late: brings matplotlib

    return drawing.draw(name, find_figure(name), made, format, dark)


def find_figure(name: str) -> Figure:
    """Return a figure. Raises `UnknownFigure` naming those there are."""
    if name not in FIGURES:
        raise UnknownFigure(f"no figure {name!r}; there are: {', '.join(FIGURES)}")
    return FIGURES[name]


def _why(figure: Figure, given: Sequence[EpisodeResult], usable: Sequence[EpisodeResult], made: Sequence[Json]) -> str:
    if given and not usable:
        games = ", ".join(sorted({one.game for one in given}))
        return f"{games}: a game of sides has no quality; `ludens results` has its ratings"
    left = {reason: sum(row.get(reason, 0) for row in made) for reason in (*EXCLUSION_REASONS, "missing")}
    told = ", ".join(f"{n} {reason}" for reason, n in left.items() if n)
    return f"No episode counts: {told}" if told else figure.lacking


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return canonical(value)
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else value


# ---------------------------------------------------------------------- per experiment
def _difficulty(
    results: Sequence[EpisodeResult], registry: Registry, informed: bool, missing: Missing | None
) -> list[Json]:
    """Rows per experiment and player (Figures 14 and 15 of the multimodal-games paper, for every game)."""
    made = _named(result_rows(results, informed=informed, missing=missing), registry)
    made = [row for row in made if row["side"] is None]
    place = _places(registry)
    rank = player_ranks(made, "score_all")
    made.sort(key=lambda row: (place(row), rank[row["player"]]))
    return _columns(made, PER_EXPERIMENT)


def _places(registry: Registry) -> Callable[[Json], tuple[object, ...]]:
    """Return what sorts rows as the registry has games, variants and experiments; what it does not know comes last."""
    order: dict[tuple[str, str], tuple[int, list[str]]] = {}
    for game in registry.games.values():
        for number, variant in enumerate(game.variants):
            order[game.name, variant.name] = number, [one.name for one in variant.experiments]

    def place(row: Json) -> tuple[object, ...]:
        number, names = order.get((row["game"], row["variant"]), (len(order), []))
        at = names.index(row["experiment"]) if row["experiment"] in names else len(names)
        return row["game"], number, row["variant"], at, row["experiment"]

    return place


def player_ranks(made: Iterable[Json], number: str) -> dict[str, tuple[float, str]]:
    """Return what sorts the players of rows: the best mean of a number first, then by name."""
    found: dict[str, list[float]] = {}
    for row in made:
        found.setdefault(row["player"], []).extend([] if row[number] is None else [row[number]])
    return {
        player: (-math.fsum(values) / len(values) if values else math.inf, player) for player, values in found.items()
    }


def _named(made: list[Json], registry: Registry) -> list[Json]:
    """Give rows `player` and `kind`; with the player stands what rows differ in, of any game, but for defaults."""
    usual = cache(lambda game: _usual(game, registry))
    values: dict[str, set[str]] = {}
    for row in made:
        for key, said in _how(row).items():
            values.setdefault(key, set()).add(said)
    for row in made:
        game = row["game"].partition("/")[0]
        remarks = {
            key: said for key, said in _how(row).items() if len(values[key]) > 1 and said != usual(game).get(key)
        }
        more = ", ".join("imported" if said == IMPORTED else f"{key}={said}" for key, said in remarks.items())
        row["player"] = seating_label(row["seats"]) + (f" ({more})" if more else "")
        row["kind"] = _kind(row["seats"].values(), game, registry)
    return made


def _how(row: Json) -> dict[str, str]:
    told = {name: str(value) for name, value in row["settings"].items()}
    return told | {"reprompt": str(row["reprompt"]), "version": str(row["game_version"]), "prompts": row["prompts"]}


def _usual(name: str, registry: Registry) -> dict[str, str]:
    """Return how a game is played where nothing else is asked for."""
    game = registry.games.get(name)
    if game is None:
        return {"reprompt": "0"}
    prompts = f"{game.prompts.name} {game.prompts.version}"
    settings = game.settings().model_dump(mode="json")
    return _how({"settings": settings, "reprompt": 0, "game_version": game.version, "prompts": prompts})


def _kind(players: Iterable[str], game: str, registry: Registry) -> str:
    found = {"model" if player == ALL_MODELS else registry.kind(player, game) for player in players}
    return next(kind for kind in ("person", "model", "program") if kind in found)


def _columns(made: Iterable[Json], columns: Iterable[str]) -> list[Json]:
    return [{column: row[column] for column in columns} for row in made]


def _pooled(
    results: Iterable[EpisodeResult], informed: bool, pool: Callable[[Condition], Condition]
) -> tuple[list[Json], dict[str, list[Condition]]]:
    """Return rows of episodes that `pool` puts under other conditions, and which it put together, by the row's id."""
    to: dict[str, Condition] = {}
    together: dict[str, list[Condition]] = {}
    moved = []
    for one in results:
        if one.condition.id not in to:
            to[one.condition.id] = pool(one.condition)
            together.setdefault(to[one.condition.id].id, []).append(one.condition)
        moved.append(replace(one, condition=to[one.condition.id]))
    return result_rows(moved, informed=informed), together


# ---------------------------------------------------------------------- text against pictures
def _modality(results: Sequence[EpisodeResult], registry: Registry, informed: bool, _: Missing | None) -> list[Json]:
    """Text minus picture per player and game that both have (Figure 5 of the multimodal-games paper).

    Of a single game the clemscore is the mean main score with aborted as 0. The interval of the difference is made from
    those of the two means (Newcombe 1998; Zou and Donner 2008).
    """

    def pool(one: Condition) -> Condition:
        game, modality = task_of(one.game, one.variant)
        return replace(one, game=game, variant=modality, experiment="")

    made, _conditions = _pooled(results, informed, pool)
    pairs: dict[str, dict[str, Json]] = {}
    for row in made:
        pairs.setdefault(canonical([row["game"], row["seats"], *(row[name] for name in HOW)]), {})[row["variant"]] = row
    both = [pair for pair in pairs.values() if set(pair) >= {"text", "picture"}]
    found = _named([pair["text"] | {"pair": pair} for pair in both], registry)
    differences = [row | _difference(row["pair"]["text"], row["pair"]["picture"]) for row in found]
    rank = player_ranks(differences, "difference")
    differences.sort(key=lambda row: (row["game"], rank[row["player"]]))
    return _columns(differences, MODALITY)


def _difference(text: Json, picture: Json) -> Json:
    made: Json = {"difference": None, "difference_low": None, "difference_high": None}
    for name, row in (("text", text), ("picture", picture)):
        made |= {f"{name}{end}": row[f"score_all{end}"] for end in ("", "_low", "_high")} | {f"{name}_n": row["n"]}
    made |= {reason: text[reason] + picture[reason] for reason in EXCLUSION_REASONS}
    if made["text"] is not None and made["picture"] is not None:
        apart = made["text"] - made["picture"]
        below = math.hypot(made["text"] - made["text_low"], made["picture_high"] - made["picture"])
        above = math.hypot(made["text_high"] - made["text"], made["picture"] - made["picture_low"])
        made |= {"difference": apart, "difference_low": apart - below, "difference_high": apart + above}
    return made


# ---------------------------------------------------------------------- distance
IMPORTED = "imported 1"
"""The prompt set of instances that bring their own prompts."""
THEIRS = "clembench-"
"""What the experiments of imported instances begin with."""
ALL_MODELS = "all models"


def _distance(results: Sequence[EpisodeResult], registry: Registry, informed: bool, _: Missing | None) -> list[Json]:
    """% played and success by the distance of the goal, per player and over all models (Table 14)."""
    away = cache(lambda game, variant, experiment: _away(registry, game, variant, experiment))
    walks = [one for one in results if away(one.game, one.variant, one.experiment)]
    made = _named([*result_rows(walks, informed=informed), *_over_models(walks, registry, informed)], registry)
    rank = player_ranks(made, "score_all")
    for row in made:
        row["modality"] = task_of(row["game"], row["variant"])[1]
        row["distance"] = away(row["game"], row["variant"], row["experiment"])
        row |= {f"success{end}": row[f"score_all{end}"] for end in ("", "_low", "_high")}
    made.sort(
        key=lambda row: (
            not row["player"].startswith(ALL_MODELS),
            rank[row["player"]],
            row["modality"] != "text",
            row["distance"],
        )
    )
    return _columns(made, DISTANCE)


def _away(registry: Registry, game: str, variant: str, experiment: str) -> str | None:
    """Return how many moves away the goals of an experiment are ("1–2"), None for one that is not about that."""
    known = registry.games[game].variants if game in registry.games else ()
    for one in (one for of in known if of.name == variant for one in of.experiments):
        if one.name == experiment.removeprefix(THEIRS) and one.distance:
            least, most = one.distance
            return str(least) if least == most else f"{least}–{most}"
    return None


def _over_models(walks: Sequence[EpisodeResult], registry: Registry, informed: bool) -> list[Json]:
    """Return rows over all models that walked alone, where there are several."""
    theirs = [one for one in walks if _kind(one.seats.values(), one.game, registry) == "model"]
    made, together = _pooled(theirs, informed, lambda one: replace(one, seats=dict.fromkeys(one.seats, ALL_MODELS)))
    return [row for row in made if len(together[row["id"]]) > 1]


# ---------------------------------------------------------------------- leaderboard
def _leaderboard(results: Sequence[EpisodeResult], registry: Registry, informed: bool, _: Missing | None) -> list[Json]:
    """% played, quality and clemscore per player and modality, means over games (Table 1).

    The interval of a mean over games is made from those of the games (Zou and Donner 2008), which are independent.
    """
    apart = games_without_clemscore(registry)

    def pool(one: Condition) -> Condition:
        game, modality = task_of(one.game, one.variant)
        if one.game in apart:
            game, modality = f"{one.game}/{one.variant}", f"{one.game}/{one.variant}"
        return Condition(game, modality, "", one.seats, {}, one.reprompt)

    made, together = _pooled(results, informed, pool)
    boards: dict[str, dict[str, list[Json]]] = {}
    for row in _reminded(made, registry):
        boards.setdefault(row["variant"], {}).setdefault(row["player"], []).append(row)
    standing = []
    for board, players in boards.items():
        games = sorted({row["game"] for found in players.values() for row in found if row["n"]})
        standing += [_standing(board, games, player, found, together) for player, found in players.items()]
    standing.sort(
        key=lambda row: (
            ("text", "picture").index(row["board"]) if row["board"] in ("text", "picture") else 2,
            row["board"],
            -(row["clemscore"] or 0.0),
            row["player"],
        )
    )
    return _columns(standing, LEADERBOARD)


def _reminded(made: list[Json], registry: Registry) -> list[Json]:
    """Name the players of all games alike, with the reminders where there were any."""
    for row in made:
        row["player"] = seating_label(row["seats"]) + (f" (reprompt={row['reprompt']})" if row["reprompt"] else "")
        row["kind"] = _kind(row["seats"].values(), row["game"].partition("/")[0], registry)
    return made


def _standing(
    board: str, games: Sequence[str], player: str, found: Sequence[Json], together: Mapping[str, Sequence[Condition]]
) -> Json:
    counted = [row for row in found if row["n"]]
    made: Json = {
        "board": board,
        "player": player,
        "kind": found[0]["kind"],
        "games": [row["game"] for row in counted],
        "lacks": [game for game in games if game not in {row["game"] for row in counted}],
        "mixed_settings": [row["game"] for row in counted if _mixed(together[row["id"]])],
        "n": sum(row["n"] for row in counted),
        **_mean_of("played", counted),
        **_mean_of("quality", [row for row in counted if row["quality"] is not None]),
        "clemscore": None,
        **{reason: sum(row[reason] for row in found) for reason in EXCLUSION_REASONS},
        "reprompt": found[0]["reprompt"],
    }
    if counted:
        parts = [GameMeans(row["game"], row["played"], row["quality"]) for row in counted]
        made["clemscore"] = clemscore(parts)["clemscore"]
    return made


def _mixed(conditions: Iterable[Condition]) -> bool:
    return len({canonical([one.settings, one.game_version, one.prompts]) for one in conditions}) > 1


def _mean_of(name: str, found: Sequence[Json]) -> Json:
    if not found:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    mean = math.fsum(row[name] for row in found) / len(found)
    below = math.hypot(*(row[name] - row[f"{name}_low"] for row in found)) / len(found)
    above = math.hypot(*(row[f"{name}_high"] - row[name] for row in found)) / len(found)
    return {name: mean, f"{name}_low": mean - below, f"{name}_high": mean + above}


# ---------------------------------------------------------------------- the figures
def _with_ends(*names: str) -> tuple[str, ...]:
    return tuple(name + end for name in names for end in ("", "_low", "_high"))


PER_EXPERIMENT = (
    *("game", "variant", "experiment", "player", "kind", "n"),
    *_with_ends("played", "quality", "score_all"),
    *(*EXCLUSION_REASONS, "missing", *HOW, "id"),
)
MODALITY = (
    *("game", "player", "kind", "text_n", "picture_n"),
    *_with_ends("text", "picture", "difference"),
    *(*EXCLUSION_REASONS, *HOW),
)
DISTANCE = (
    *("modality", "experiment", "distance", "player", "kind", "n"),
    *_with_ends("played", "success"),
    *(*EXCLUSION_REASONS, *HOW),
)
LEADERBOARD = (
    *("board", "player", "kind", "games", "lacks", "mixed_settings", "n"),
    *_with_ends("played", "quality"),
    *("clemscore", *EXCLUSION_REASONS, "reprompt"),
)
PLAY = "`ludens run GAME --seat all=PLAYER` plays some"

FIGURES = {
    "difficulty": Figure(
        "How hard the experiments are",
        "Mean main score of the episodes played to the end, per experiment and player.",
        PER_EXPERIMENT,
        _difficulty,
        f"No episode yet: {PLAY}",
    ),
    "modality": Figure(
        "Text against pictures",
        "Clemscore in text minus clemscore in pictures, per game and player.",
        MODALITY,
        _modality,
        "No player has played a game both in text and in pictures: `ludens run matchit --seat all=PLAYER` plays one so",
    ),
    "distance": Figure(
        "The effect of distance",
        "Going to a room so many moves away: how many found it, how many were not aborted.",
        DISTANCE,
        _distance,
        "No episode whose goal is a known number of moves away: "
        "`ludens run mapworld/g2x-text mapworld/g2x-picture --seat walker=PLAYER` plays some",
    ),
    "heatmap": Figure(
        "Players by experiments",
        "Mean main score of the episodes played to the end, per player and experiment.",
        PER_EXPERIMENT,
        _difficulty,
        f"No episode yet: {PLAY}",
    ),
    "leaderboard": Figure(
        "Quality against % played",
        "Means over games per player; dotted lines join places of equal clemscore.",
        LEADERBOARD,
        _leaderboard,
        f"No episode yet: {PLAY}",
    ),
}
"""The figures by name."""
