"""How often 95 % intervals of ratings cover the truth that games were simulated from: players, single people, teams.

Four models, and people, play 40 instances in two roles. Abilities, difficulties and scores come from the model of
`engine.results.ability`, with scores of 0 and 100, or beta-distributed. Run `SETS=5000 python -m tests.bench.ratings`
for more data sets.
"""

from __future__ import annotations

import os

import numpy as np

from engine.results.ability import Team, fit_abilities
from tests.bench._figures import figure, heading
from tests.engine.simulated_teams import simulate_games

SETS = int(os.environ.get("SETS", 600))
CASES = {
    "scores of 0 and 100": {"games": 150},
    "continuous scores": {"games": 150, "dispersion": 0.2},
    "with 12 people": {"games": 200, "people": 12},
    "with 12 people, continuous scores": {"games": 200, "people": 12, "dispersion": 0.2},
    "40 games": {"games": 40},
}


def coverage(sets: int, **simulation: float) -> dict[str, float]:
    """Return the coverage in % of intervals of abilities (from the mean of their role), sums of teams, and people."""
    hits: dict[str, list[bool]] = {"players": [], "people": [], "teams": []}
    for seed in range(sets):
        games, truth = simulate_games(seed, **simulation)  # type: ignore[arg-type]
        fit = fit_abilities(games)
        seats = {unit for game in games for unit in game.team}
        units = sorted({unit.group for unit in seats})
        teams = sorted({tuple(unit.group for unit in game.team) for game in games})

        def peers(team: Team) -> list[Team]:
            return [(unit,) for unit in units if unit.role == team[0].role]  # noqa: B023

        groups: dict[str, list[tuple[Team, list[Team]]]] = {
            "players": [((unit,), peers((unit,))) for unit in units],
            "people": [((unit,), peers((unit,))) for unit in sorted(seats) if unit.person],
            "teams": [(team, teams) for team in teams],
        }
        for name, wholes in groups.items():
            for (team, others), (value, error) in zip(wholes, fit.compare_teams(wholes), strict=True):
                mean = np.mean([sum(truth[unit] for unit in other) for other in others])
                hits[name].append(bool(abs(value - sum(truth[unit] for unit in team) + mean) <= error))
    return {name: 100 * float(np.mean(covered)) for name, covered in hits.items() if covered}


def main() -> None:
    """Print the coverage for every kind of games."""
    heading(f"coverage of 95 % intervals of ratings, {SETS:,} data sets each")
    for name, simulation in CASES.items():
        for group, share in coverage(SETS, **simulation).items():
            figure(f"{name}: {group}", share, "%", least=93.0)
            if not 93 <= share <= 97:
                print(f"FAILED: {share:.1f} % is not within 93 to 97 %")


if __name__ == "__main__":
    main()
