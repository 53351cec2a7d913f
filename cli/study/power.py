"""`ludens study power`: how likely a study of a size is to find a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import DbOption, check_format
from cli.output import UsageError, print_json, print_message
from cli.tables import TextTable, print_tables
from engine.core.wording import count_people, plural

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from engine.results.power import PilotScores, PowerRow, ScoreSpread

OUTPUT_FORMATS = ("table", "json")
TABLE_ROWS = 10
"""How many numbers of people a range without a step has, at most."""
MAX_PEOPLE = 10_000
USUAL_MIN_POWER = 0.8
"""The power that a study should usually have."""


def show_power(
    difference: Annotated[float, typer.Option(help="The difference to find, in points: people minus the model.")],
    people: Annotated[str, typer.Option(help="Numbers of people: 40, 10:100 or FROM:TO:STEP.")],
    games: Annotated[int, typer.Option(min=1, help="Games of each person.")],
    instances: Annotated[
        int | None, typer.Option(min=1, help="Instances in all.  [default: those of --from, or as many as --games]")
    ] = None,
    pilot: Annotated[
        str | None,
        typer.Option("--from", help="Take the spread of scores from people's games in the log: GAME[/VARIANT[/EXP]]."),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="With --from: take the spread of people's scores minus this player's.")
    ] = None,
    sd_person: Annotated[float | None, typer.Option(min=0, help="Standard deviation between people, points.")] = None,
    sd_instance: Annotated[
        float | None, typer.Option(min=0, help="Standard deviation between instances, points.")
    ] = None,
    sd_residual: Annotated[float | None, typer.Option(min=0, help="Standard deviation of the rest, points.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the simulations.")] = 0,
    format: Annotated[str, typer.Option("--format", help="table or json")] = "table",
    db: DbOption = None,
) -> None:
    """Show how likely a study of a size is to find a difference.

    For each number of people, 2,000 studies are simulated. Power is the share of them whose 95 % interval excludes 0:
    the interval of the report, which allows for differences between people and between instances. The spread of scores
    is given by three standard deviations (of a person's score minus the model's mean on the instance), or taken from
    games of people in the log. Scores are simulated as normal: near 0 or 100 points, power is approximate.
    """
    from engine.results.power import SIMULATION_COUNT, make_power_table
    from engine.results.two_way import MIN_CLUSTERS

    check_format(format, OUTPUT_FORMATS)
    people_counts = _parse_people(people)
    score_spread, pilot_scores = _find_score_spread((sd_person, sd_instance, sd_residual), pilot, model, db)
    instance_count = instances or (pilot_scores.instance_count if pilot_scores else games)
    if instance_count < max(games, MIN_CLUSTERS):
        raise UsageError(
            f"{plural(instance_count, 'instance')}: there must be at least {MIN_CLUSTERS} for an interval, and as many "
            f"as the {games} games of a person; name their number with --instances"
        )
    rows = make_power_table(
        difference, people_counts, games=games, instances=instance_count, spread=score_spread, seed=seed
    )
    if format == "json":
        print_json(_describe_power(difference, instance_count, score_spread, pilot_scores, rows, SIMULATION_COUNT))
        return
    print_tables([_build_power_table(rows)])
    source_note = f", from {plural(len(pilot_scores.scores), 'game')} in the log" if pilot_scores else ""
    print_message(
        f"{SIMULATION_COUNT:,} simulations each: {games} games per person on {instance_count} instances, difference "
        f"{difference:g} points; standard deviations {score_spread.person:.1f} (people), {score_spread.instance:.1f} "
        f"(instances), {score_spread.residual:.1f} (rest){source_note}"
    )
    _print_needed_people(rows)


def _print_needed_people(sample_size_rows: Sequence[PowerRow]) -> None:
    """Print the number of people from which a study finds the difference often enough."""
    needed_people = next(
        (sample_size_row.people for sample_size_row in sample_size_rows if sample_size_row.power >= USUAL_MIN_POWER),
        None,
    )
    max_people = max(sample_size_row.people for sample_size_row in sample_size_rows)
    print_message(
        f"{100 * USUAL_MIN_POWER:.0f} % power: {count_people(needed_people)}"
        if needed_people
        else f"{100 * USUAL_MIN_POWER:.0f} % power: not reached with {max_people} people"
    )


def _parse_people(people: str) -> list[int]:
    """Return the numbers of people that "40", "10:100" or "10:100:5" stands for. Raises `UsageError`."""
    try:
        first_count, *last_count_and_step = (int(count_text) for count_text in people.split(":"))
    except ValueError:
        raise UsageError(f"--people {people!r}: write a number, FROM:TO or FROM:TO:STEP, such as 10:100") from None
    last_count = last_count_and_step[0] if last_count_and_step else first_count
    count_step = (
        last_count_and_step[1]
        if len(last_count_and_step) > 1
        else max(1, round((last_count - first_count) / (TABLE_ROWS - 1)))
    )
    if len(last_count_and_step) > 2 or not 1 <= first_count <= last_count <= MAX_PEOPLE or count_step < 1:
        raise UsageError(f"--people {people!r}: from 1 to {MAX_PEOPLE:,}, the smaller first, and a step of at least 1")
    return list(dict.fromkeys([*range(first_count, last_count + 1, count_step), last_count]))


def _find_score_spread(
    deviations: tuple[float | None, float | None, float | None],
    pilot_selection: str | None,
    model: str | None,
    db: Path | None,
) -> tuple[ScoreSpread, PilotScores | None]:
    """Return the spread of scores, with the games in the log that it was taken from. Raises `UsageError`."""
    if pilot_selection is None:
        score_spread = _require_spread(deviations)
        if model is not None:
            raise UsageError("--model needs --from: it is subtracted from the scores of games in the log")
        return score_spread, None
    if any(deviation is not None for deviation in deviations):
        raise UsageError(
            "give the spread of scores either with --from or with --sd-person, --sd-instance, --sd-residual"
        )
    pilot_scores = _read_pilot(pilot_selection, model, db)
    return _estimate_spread(pilot_scores, pilot_selection), pilot_scores


def _require_spread(deviations: tuple[float | None, float | None, float | None]) -> ScoreSpread:
    from engine.results.power import ScoreSpread

    person_deviation, instance_deviation, residual_deviation = deviations
    if person_deviation is None or instance_deviation is None or residual_deviation is None:
        raise UsageError(
            "say how scores spread: --from SELECTION takes it from games in the log; or give all of --sd-person, "
            "--sd-instance and --sd-residual, such as 8, 10 and 20"
        )
    return ScoreSpread(person_deviation, instance_deviation, residual_deviation)


def _read_pilot(selection: str, model: str | None, db: Path | None) -> PilotScores:
    """Return the scores of people's games in the log. Raises `UsageError` for a model without an episode."""
    from cli.log_access import build_filter, build_registry, open_store, read_results
    from cli.settings import load_settings
    from engine.results.comparison import pair_episodes
    from engine.results.leaderboard import list_players, make_matcher, make_player_matchers
    from engine.results.power import collect_pilot_scores
    from engine.storage.seat_links import count_repeat_exposures

    settings = load_settings(db=db)
    registry = build_registry(settings)
    with open_store(settings.db) as store:
        results = read_results(store, registry, [selection]).list_episodes(build_filter(registry, [selection]).matches)
        watched_episodes, repeated_episode_ids = store.list_watched(), count_repeat_exposures(store)
    repeated_episode_ids |= {episode_result.episode for episode_result in results if episode_result.seen_before}
    if model is None:
        matchers = make_matcher("person"), lambda _: False
    else:
        try:
            matchers = make_player_matchers(registry, "person", model, list_players(results))
        except LookupError as error:
            raise UsageError(str(error.args[0])) from None
    pairs = pair_episodes(
        results, *matchers, watched_episodes=watched_episodes, repeated_episode_ids=repeated_episode_ids
    )
    return collect_pilot_scores(pairs, subtracts_second_player=model is not None)


def _estimate_spread(pilot_scores: PilotScores, selection: str) -> ScoreSpread:
    from engine.results.power import estimate_variance_components

    try:
        return estimate_variance_components(pilot_scores.scores, pilot_scores.people, pilot_scores.instances)
    except ValueError as error:
        raise UsageError(
            f"{plural(len(pilot_scores.scores), 'counted game')} of people in {selection}: {error}. Give --sd-person, "
            "--sd-instance and --sd-residual instead"
        ) from None


def _build_power_table(sample_size_rows: list[PowerRow]) -> TextTable:
    column_headings = ("people", "games", "power", "interval")
    table_lines = [
        [
            str(sample_size_row.people),
            str(sample_size_row.people * sample_size_row.games),
            f"{100 * sample_size_row.power:.1f} % [{100 * sample_size_row.low:.0f}, {100 * sample_size_row.high:.0f}]",
            "none" if sample_size_row.margin is None else f"± {sample_size_row.margin:.1f}",
        ]
        for sample_size_row in sample_size_rows
    ]
    return TextTable(column_headings, table_lines, numeric_headings=frozenset(column_headings))


def _describe_power(
    difference: float,
    instance_count: int,
    score_spread: ScoreSpread,
    pilot: PilotScores | None,
    sample_size_rows: list[PowerRow],
    simulation_count: int,
) -> dict[str, object]:
    from dataclasses import asdict

    return {
        "difference": difference,
        "instances": instance_count,
        "sd": asdict(score_spread),
        "from": None if pilot is None else {"games": len(pilot.scores), "people": pilot.people_count},
        "simulations": simulation_count,
        "rows": [
            {
                "people": sample_size_row.people,
                "games": sample_size_row.games,
                "power": sample_size_row.power,
                "power_low": sample_size_row.low,
                "power_high": sample_size_row.high,
                "margin": sample_size_row.margin,
            }
            for sample_size_row in sample_size_rows
        ],
    }
